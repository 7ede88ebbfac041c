/* A row of weights that is changed as a whole, and the others when one of them is dragged. */
#include "app/document/weight_row.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "lab/experiment/edits.h"

static const double SUM_NEAR = 0.0005; /* of 1: what three decimals show */

static double sum_of(const float *row, size_t count)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++) {
        sum += (double)row[j];
    }
    return sum;
}

static bool type_row(struct lab_experiment *experiment, const struct lab_cell *cell,
                     const float *row, size_t count, struct error *error)
{
    return lab_experiment_edit_block(experiment,
                                     &(struct lab_edit_block){.part = LAB_ALPHA,
                                                              .head = cell->head,
                                                              .row = cell->row,
                                                              .rows = 1,
                                                              .columns = count,
                                                              .values = row},
                                     error);
}

static bool fill_all(const struct lab_trace *trace, const struct lab_cell *cell, float *row,
                     struct error *error)
{
    if (!lab_trace_sees(trace, cell->row, cell->column)) {
        return error_set(error, ERROR_INPUT, "“%s” does not see “%s”: the mask hides it.",
                         lab_trace_queries(trace)[cell->row], lab_trace_keys(trace)[cell->column]);
    }
    for (size_t j = 0; j < lab_trace_sizes(trace).m; j++) {
        row[j] = j == cell->column ? 1 : 0;
    }
    return true;
}

static bool fill_equal(const struct lab_trace *trace, const struct lab_cell *cell, float *row,
                       struct error *error)
{
    const size_t m = lab_trace_sizes(trace).m;
    size_t seen = 0;
    for (size_t j = 0; j < m; j++) {
        seen += lab_trace_sees(trace, cell->row, j);
    }
    if (seen == 0) {
        return error_set(error, ERROR_INPUT, "“%s” sees no key: the mask hides them all.",
                         lab_trace_queries(trace)[cell->row]);
    }
    for (size_t j = 0; j < m; j++) {
        row[j] = lab_trace_sees(trace, cell->row, j) ? 1 / (float)seen : 0;
    }
    return true;
}

static bool fill_rescaled(const struct lab_trace *trace, const struct lab_cell *cell, float *row,
                          struct error *error)
{
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, cell->head);
    double sum = 0;
    for (size_t j = 0; j < alpha.cols; j++) {
        row[j] = lab_matrix_at(&alpha, cell->row, j);
        sum += (double)row[j];
    }
    if (!(sum > 0)) {
        return error_set(error, ERROR_INPUT,
                         "The weights of “%s” are all 0: nothing can be rescaled to sum to 1.",
                         lab_trace_queries(trace)[cell->row]);
    }
    for (size_t j = 0; j < alpha.cols; j++) {
        row[j] = (float)((double)row[j] / sum);
    }
    return true;
}

static const struct {
    bool (*fill)(const struct lab_trace *trace, const struct lab_cell *cell, float *row,
                 struct error *error);
    const char *name; /* of the change: with the query, and where it has a second %s the key */
} acts[] = {
    [APP_WEIGHT_ROW_ALL] = {fill_all, "all of “%.16s” on “%.16s”"},
    [APP_WEIGHT_ROW_EQUAL] = {fill_equal, "equal shares for “%.16s”"},
    [APP_WEIGHT_ROW_RESCALE] = {fill_rescaled, "rescale the row of “%.16s”"},
};

void app_weight_row_act(struct app_state *state, enum app_weight_row_act act, double time)
{
    const struct lab_trace *trace = state->document.trace;
    if (trace == NULL) {
        return;
    }
    const struct lab_selection selection = app_state_selection(state);
    const struct lab_cell cell = {LAB_ALPHA, selection.head, selection.query, selection.key};
    const size_t m = lab_trace_sizes(trace).m;
    struct arena arena = {0};
    struct error error = {0};
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    float *row = arena_array(&arena, m, sizeof *row);
    const char *name = arena_format(&arena, acts[act].name, lab_trace_queries(trace)[cell.row],
                                    lab_trace_keys(trace)[cell.column]);
    if (row == NULL || name == NULL) {
        app_state_show_message(state, time, "There is not enough memory for that.");
    } else if (acts[act].fill(trace, &cell, row, &error) &&
               type_row(&next, &cell, row, m, &error)) {
        document_change(&state->document, &next, name, time);
    } else {
        app_state_show_message(state, time, "%s", error.text);
    }
    lab_experiment_release(&next);
    arena_free(&arena);
}

bool app_weight_row_share(struct lab_experiment *experiment, const struct lab_trace *trace,
                          const struct lab_cell *cell, double number, const float *base,
                          struct error *error)
{
    const size_t m = lab_trace_sizes(trace).m;
    const double kept = fmin(1, fmax(0, number));
    const double others = sum_of(base, m) - (double)base[cell->column];
    size_t seen = 0;
    float row[LAB_TOKENS_MAX];
    for (size_t j = 0; j < m; j++) {
        seen += j != cell->column && lab_trace_sees(trace, cell->row, j);
    }
    for (size_t j = 0; j < m; j++) {
        const bool takes_part = lab_trace_sees(trace, cell->row, j);
        const double share = others > 0   ? (double)base[j] / others
                             : takes_part ? 1 / (double)seen
                                          : 0;
        row[j] = (float)(j == cell->column ? (seen > 0 ? kept : 1) : share * (1 - kept));
    }
    return type_row(experiment, cell, row, m, error);
}

void app_weight_row_note_sum(struct app_state *state, const struct lab_cell *cell, double time)
{
    if (state->document.trace == NULL || cell->part != LAB_ALPHA) {
        return;
    }
    const struct lab_matrix alpha = lab_trace_part(state->document.trace, LAB_ALPHA, cell->head);
    if (cell->row >= alpha.rows) {
        return;
    }
    const double sum = sum_of(alpha.values + cell->row * alpha.stride, alpha.cols);
    if (fabs(sum - 1) > SUM_NEAR) {
        char text[TEXT_NUMBER_MAX];
        app_state_show_message(
            state, time,
            state->view.prefs.presenter /* no button stands below it there */
                ? "The weights of “%.40s” sum to %s now, not to 1: Ctrl+K “rescale” mends it."
                : "The weights of “%.40s” sum to %s now, not to 1: “rescale the row” below the "
                  "matrix mends it.",
            lab_trace_queries(state->document.trace)[cell->row], text_number(text, sum, 3));
    }
}
