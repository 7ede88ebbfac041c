/* lab/run/latent.c — multiplies W_Q and W_UKᵀ to one matrix. */
#include "lab/run/latent.h"

#include <math.h>

#include "lab/experiment/edits.h"

static bool may_absorb(const struct lab_trace *trace, struct error *error)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    if (lab_trace_sizes(trace).latent == 0) {
        return error_set(error, ERROR_INPUT,
                         "Only latent attention has W_UK: take --attention latent:R.");
    }
    if (experiment->positions == LAB_POSITIONS_ROPE) {
        return error_set(error, ERROR_INPUT,
                         "With rotary positions a turn that differs from place to place stands "
                         "between W_Q and W_UKᵀ: they cannot become one matrix.");
    }
    if (!lab_graph_is_direct(lab_trace_graph(trace))) {
        return error_set(
            error, ERROR_INPUT,
            "Every query and every key is changed by itself before the scores: W_Q and "
            "W_UKᵀ cannot become one matrix.");
    }
    for (size_t e = 0; e < lab_edits_count(experiment->edits); e++) {
        const enum lab_part part = lab_edits_at(experiment->edits, e).part;
        if (part == LAB_Q || part == LAB_K) {
            return error_set(error, ERROR_INPUT,
                             "Numbers of Q or K were typed by hand, and the absorbed form has "
                             "neither: restore them first.");
        }
    }
    return true;
}

/* Multiplies a [rows][inner] by b [inner][cols], or with `turned` by the transpose of b
 * [cols][inner]. It sums in double, so that differences are only the trace's own rounding. */
static struct lab_matrix multiply_matrices(const struct lab_matrix *a, const struct lab_matrix *b,
                                           bool turned, const char *name, struct arena *arena)
{
    struct lab_matrix out = {
        .name = name, .rows = a->rows, .cols = turned ? b->rows : b->cols, .values = NULL};
    float *const values = arena_array(arena, out.rows * out.cols, sizeof *values);
    for (size_t i = 0; values != NULL && i < out.rows; i++) {
        for (size_t j = 0; j < out.cols; j++) {
            double sum = 0;
            for (size_t c = 0; c < a->cols; c++) {
                sum += (double)lab_matrix_at(a, i, c) *
                       (double)(turned ? lab_matrix_at(b, j, c) : lab_matrix_at(b, c, j));
            }
            values[i * out.cols + j] = (float)sum;
        }
    }
    out.stride = out.cols;
    out.values = values;
    return out;
}

bool lab_latent_absorb(const struct lab_trace *trace, size_t head, struct arena *arena,
                       struct lab_absorbed *absorbed, struct error *error)
{
    if (!may_absorb(trace, error)) {
        return false;
    }
    const struct lab_matrix w_q = lab_trace_part(trace, LAB_W_Q, head);
    const struct lab_matrix w_uk = lab_trace_part(trace, LAB_W_UK, head);
    const struct lab_matrix x = lab_trace_part(trace, LAB_EMBEDDINGS_X, 0);
    const struct lab_matrix c = lab_trace_part(trace, LAB_C, 0);
    const struct lab_matrix s = lab_trace_part(trace, LAB_SCORES, head);
    *absorbed =
        (struct lab_absorbed){.weights = multiply_matrices(&w_q, &w_uk, true, "W_Q·W_UKᵀ", arena)};
    absorbed->weights.row_words = x.column_words;
    if (absorbed->weights.values != NULL) {
        absorbed->queries = multiply_matrices(&x, &absorbed->weights, false, "X·W_Q·W_UKᵀ", arena);
        absorbed->queries.row_words = x.row_words;
    }
    if (absorbed->queries.values != NULL) {
        absorbed->scores = multiply_matrices(&absorbed->queries, &c, true, "S", arena);
        absorbed->scores.row_words = s.row_words;
        absorbed->scores.column_words = s.column_words;
    }
    if (absorbed->scores.values == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the absorbed form.");
    }
    for (size_t i = 0; i < s.rows; i++) {
        for (size_t j = 0; j < s.cols; j++) {
            const float off =
                fabsf(lab_matrix_at(&s, i, j) - lab_matrix_at(&absorbed->scores, i, j));
            absorbed->difference = fmaxf(absorbed->difference, off);
        }
    }
    return true;
}
