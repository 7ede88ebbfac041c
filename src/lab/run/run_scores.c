/* lab/run/run_scores.c — scores where the mask shows them; the hidden ones only when somebody
 * looks. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "attn/attn.h"
#include "lab/run/trace_internal.h"

/* --- rows of scores into rows of weights in ways the attention core does not offer ---
 *
 * The core always subtracts the row's maximum, as every program should; these two exist to be
 * looked at: what happens without it, and what weights would be without the exponential. a [n][m]:
 * scores after scale and mask (−∞: hidden), becomes the weights. Hidden entries become 0, and so do
 * rows that see nothing; returns how many of these there are. */

static bool is_hidden(float score)
{
    return isinf(score) && score < 0;
}

static float exponential(float score)
{
    return expf(score);
}

static float as_it_is(float score)
{
    return score;
}

static size_t divide_rows(float *a, size_t n, size_t m, float (*size_of)(float))
{
    size_t empty = 0;
    for (size_t i = 0; i < n; i++) {
        float *const row = a + i * m;
        float sum = 0;
        size_t seen = 0;
        for (size_t j = 0; j < m; j++) {
            if (!is_hidden(row[j])) {
                row[j] = size_of(row[j]);
                sum += row[j];
                seen++;
            }
        }
        for (size_t j = 0; j < m; j++) {
            row[j] = is_hidden(row[j]) ? 0 : row[j] / sum;
        }
        empty += seen == 0;
    }
    return empty;
}

/* e^s in float as it comes, divided by the row's sum: large scores overflow to ∞ and ∞ ÷ ∞ is NaN.
 */
static size_t lab_row_shares_overflowing(float *a, size_t n, size_t m)
{
    return divide_rows(a, n, m, exponential);
}

/* s divided by the row's sum of visible scores: may be negative, above 1, or divide by 0. */
static size_t lab_row_shares_plain(float *a, size_t n, size_t m)
{
    return divide_rows(a, n, m, as_it_is);
}

static struct attn_operand operand_of(const struct lab_trace *trace, enum lab_part part,
                                      size_t head)
{
    const struct lab_matrix matrix = lab_trace_part(trace, part, head);
    return (struct attn_operand){matrix.values, matrix.rows, matrix.cols, matrix.stride};
}

static size_t normalise(const struct lab_experiment *experiment, const struct attn_kernels *kernels,
                        struct attn_matrix alpha)
{
    if (experiment->normalise == LAB_PLAIN_SHARE) {
        return lab_row_shares_plain(alpha.values, alpha.rows, alpha.cols);
    }
    return experiment->keep_maximum
               ? lab_row_shares_overflowing(alpha.values, alpha.rows, alpha.cols)
               : attn_softmax(kernels, alpha);
}

size_t lab_trace_weigh(struct lab_trace *trace, const struct attn_kernels *kernels,
                       const struct lab_scoring *head)
{
    const struct lab_sizes *const s = &trace->sizes;
    const struct attn_mask mask = {.visible = trace->visible, .stride = s->m};
    const struct attn_matrix scores = {head->scores, s->n, s->m, s->m};
    const struct attn_matrix alpha = {head->alpha, s->n, s->m, s->m};
    const struct attn_operand q = {head->q, s->n, s->d_k, s->d_k},
                              k = {head->k, s->m, s->d_k, s->d_k};
    if (mask.visible != NULL) {
        memset(scores.values, 0, s->n * s->m * sizeof *scores.values);
        trace->hides_scores = true;
    }
    trace->facts.pairs += attn_scores_seen(kernels, q, k, mask, scores);
    memcpy(alpha.values, scores.values, s->n * s->m * sizeof *alpha.values);
    attn_scale_mask(kernels, alpha, s->factor, mask);
    return normalise(&trace->experiment, kernels, alpha);
}

void lab_trace_uncover(struct lab_trace *trace)
{
    const struct lab_sizes *const s = &trace->sizes;
    trace->hides_scores = false;
    uint8_t *const hidden = malloc(s->n * s->m + 1);
    for (size_t h = 0; h < s->heads; h++) {
        const struct lab_matrix shown = lab_trace_part(trace, LAB_SCORES, h);
        const struct attn_matrix scores = {(float *)shown.values, s->n, s->m, s->m};
        const struct attn_operand q = operand_of(trace, lab_graph_queries(&trace->graph), h);
        const struct attn_operand k = operand_of(trace, lab_graph_keys(&trace->graph), h);
        if (hidden == NULL) { /* what is seen comes out as it was */
            attn_scores(trace->engine.kernels, q, k, scores);
            continue;
        }
        for (size_t c = 0; c < s->n * s->m; c++) {
            hidden[c] = trace->visible[c] == 0;
        }
        attn_scores_seen(trace->engine.kernels, q, k, (struct attn_mask){hidden, s->m}, scores);
    }
    free(hidden);
}
