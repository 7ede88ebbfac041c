/* view/sheets/import_dialog.h — what the panel that asks about the arrays of a file shows, and what
 * can be wished of it. */
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
    const char *why;   /* why it is asked; "": no reason */
    struct view_import_row row[VIEW_IMPORT_ROWS];
    size_t rows;
    bool busy;           /* the preview is being computed */
    const char *facts;   /* "12 layers × 12 heads, 9 queries × 9 keys"; NULL: it is none so */
    const char *tokens;  /* "tokens: The cat sat" */
    const char *usage;   /* which arrays are used, and which are not; NULL: it is none so */
    const char *note;    /* what is wrong, or doubtful; NULL: nothing */
    const float *values; /* of the first head, [values_rows][values_cols]; NULL: there is none */
    size_t values_rows, values_cols;
};

/* What VIEW_ACTION_IMPORT asks for: action.import.act. */
enum view_import_act {
    VIEW_IMPORT_CHOOSE, /* choice of the row */
    VIEW_IMPORT_OPEN,
    VIEW_IMPORT_CLOSE
};

/* Over everything. */
void view_import(struct view *view, struct rect area);

#endif
