/* app/open/import_dialog_internal.h — what the files of app/ask share. */
#ifndef APP_OPEN_IMPORT_DIALOG_INTERNAL_H
#define APP_OPEN_IMPORT_DIALOG_INTERNAL_H

#include "app/open/dump_options.h"
#include "app/open/import_dialog.h"
#include "view/sheets/import_dialog.h"

enum { ASK_SIDE = 96, ASK_FILES_MAX = 24 };

/* One head, small, and what the file would be read as. */
struct dialog_preview {
    struct app_dump_options asked;
    char path[APP_DUMP_OPTIONS_PATH];
    struct task *task; /* NULL: at rest */
    size_t version;    /* of the choices that it is of */
    struct error error;
    struct lab_dump *dump; /* NULL: refused */
    float *values;         /* [rows][cols], owned */
    size_t rows, cols;
};

/* What a row of the panel chooses. */
enum dialog_kind { ASK_ARRAY, ASK_READING, ASK_KEYS, ASK_AXIS, ASK_BATCH, ASK_SIGHT, ASK_TOKENS };

struct app_import {
    char path[APP_DUMP_OPTIONS_PATH], why[256], title[128];
    struct app_dump_options asked;
    struct lab_dump *list;
    struct arena arena;               /* of what stands in the rows … */
    const char *files[ASK_FILES_MAX]; /* … and beside the file: paths of what may be tokens */
    size_t file_count;
    struct arena said; /* facts and words of the preview */
    enum dialog_kind kind[VIEW_IMPORT_ROWS];
    size_t axis[VIEW_IMPORT_ROWS];
    size_t version; /* counts choices */
    struct dialog_preview shown, next;
    struct view_import sheet;
};

/* Where nothing is chosen so far: the likeliest array, its axes as they usually lie. */
void dialog_begin(struct app_import *dialog);

/* The rows of the panel as the choices are. */
void dialog_fill_rows(struct app_import *dialog);

/* One of the words of a row. */
void dialog_choose(struct app_import *dialog, size_t row, size_t word);

#endif
