/* view/sheets/import_dialog.h — the content of the dialog about the arrays of a file, and the
 * actions that it asks for. */
#ifndef VIEW_SHEETS_IMPORT_DIALOG_H
#define VIEW_SHEETS_IMPORT_DIALOG_H

#include "view/parts/view.h"

enum { VIEW_IMPORT_ROWS = 16 };

struct view_import_row {
    const char *title, *tip;
    const char *const *words;
    size_t count, current;
};

struct view_import {
    const char *title; /* "What is in weights.npz?" */
    const char *why;   /* why the dialog asks; "": no reason */
    struct view_import_row row[VIEW_IMPORT_ROWS];
    size_t rows;
    bool busy;           /* the preview is being computed */
    const char *facts;   /* "12 layers × 12 heads, 9 queries × 9 keys"; NULL: not valid */
    const char *tokens;  /* "tokens: The cat sat" */
    const char *usage;   /* which arrays are used, and which are not; NULL: not valid */
    const char *note;    /* what is wrong or doubtful; NULL: nothing */
    const float *values; /* first head, [values_rows][values_cols]; NULL: none */
    size_t values_rows, values_cols;
    float values_peak; /* they have the colours of signed numbers up to ± this; 0: of weights */
};

/* VIEW_ACTION_IMPORT: the values of action.import.act. */
enum view_import_act {
    VIEW_IMPORT_CHOOSE, /* row and choice */
    VIEW_IMPORT_OPEN,
    VIEW_IMPORT_CLOSE
};

/* Draws the dialog over everything. */
void view_import(struct view *view, struct rect area);

#endif
