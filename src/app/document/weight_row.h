/* app/document/weight_row.h — a row of weights by hand: all on one key, equal shares, and what
 * keeps its sum 1. */
#ifndef APP_DOCUMENT_WEIGHT_ROW_H
#define APP_DOCUMENT_WEIGHT_ROW_H

#include "app/document/state.h"

enum app_weight_row_act {
    APP_WEIGHT_ROW_ALL,     /* all attention of the selected query on the selected key */
    APP_WEIGHT_ROW_EQUAL,   /* the same for every key that it sees */
    APP_WEIGHT_ROW_RESCALE, /* divided by its sum */
};

/* One step of history; what cannot be is said. */
void app_weight_row_act(struct app_state *state, enum app_weight_row_act act, double time);

/* The weight of `cell` becomes `number`, and the others of its row share what is left as they did
 * when the drag began (`base`, as many as there are keys). False: error, nothing changed. */
bool app_weight_row_share(struct lab_experiment *experiment, const struct lab_trace *trace,
                          const struct lab_cell *cell, double number, const float *base,
                          struct error *error);

/* Says it when the row of this weight does not sum to 1. */
void app_weight_row_note_sum(struct app_state *state, const struct lab_cell *cell, double time);

#endif
