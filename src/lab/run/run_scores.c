/* lab/run/run_scores.c — computes scores where the mask shows them; the hidden ones only when S is
 * read. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "attn/attn.h"
#include "base/system/thread.h"
#include "lab/run/trace_internal.h"

/* ---- other ways from scores to weights --------------------------------------------------------
 */

/* The core always subtracts the maximum of a row, as every program should. Two functions show what
 * happens without that, and what weights would be without the exponential. a [n][m] holds scores
 * after scale and mask (−∞: hidden) and becomes the weights. Hidden entries become 0, and so do
 * rows that see nothing; the number of such rows is returned. */

static bool is_hidden(float score)
{
    return isinf(score) && score < 0;
}

static float exponential_of(float score)
{
    return expf(score);
}

static float score_itself(float score)
{
    return score;
}

static size_t divide_rows(struct attn_matrix a, float (*size_of)(float))
{
    size_t empty = 0;
    for (size_t i = 0; i < a.rows; i++) {
        float *const row = a.values + i * a.stride;
        float sum = 0;
        size_t seen = 0;
        for (size_t j = 0; j < a.cols; j++) {
            if (!is_hidden(row[j])) {
                row[j] = size_of(row[j]);
                sum += row[j];
                seen++;
            }
        }
        for (size_t j = 0; j < a.cols; j++) {
            row[j] = is_hidden(row[j]) ? 0 : row[j] / sum;
        }
        empty += seen == 0;
    }
    return empty;
}

/* Takes e^s in float as it is and divides it by the row's sum: large scores overflow to ∞, and ∞ ÷
 * ∞ is NaN. */
static size_t divide_exponentials(struct attn_matrix a)
{
    return divide_rows(a, exponential_of);
}

/* Divides s by the row's sum of visible scores, which may give negative shares, shares above 1, or
 * a division by 0. */
static size_t divide_by_sums(struct attn_matrix a)
{
    return divide_rows(a, score_itself);
}

static struct attn_operand operand_of(const struct lab_trace *trace, enum lab_part part,
                                      size_t head)
{
    const struct lab_matrix matrix = lab_trace_part(trace, part, head);
    return (struct attn_operand){matrix.values, matrix.rows, matrix.cols, matrix.stride};
}

static struct attn_heads heads_of(const struct lab_trace *trace, const struct lab_scoring *heads)
{
    const struct lab_sizes *const s = &trace->sizes;
    const struct lab_experiment *const experiment = &trace->experiment;
    return (struct attn_heads){
        .heads = s->heads,
        .kv_heads = s->kv_heads,
        .n = s->n,
        .m = s->m,
        .d_k = s->d_k,
        .d_v = s->d_v,
        .q = heads->q,
        .k = heads->k,
        .v = heads->v,
        .factor = s->factor,
        .sight = {.kind = ATTN_SEE_MASK, .mask = {trace->visible, s->m}},
        .seen_only = true,
        .normalise = experiment->normalise == LAB_PLAIN_SHARE ? divide_by_sums
                     : experiment->keep_maximum               ? divide_exponentials
                                                              : NULL,
        .scores = heads->scores,
        .weights = heads->alpha,
        .z = heads->z,
        .concat = heads->concat,
    };
}

void lab_trace_note_threads(struct lab_trace *trace, size_t threads)
{
    if (threads > trace->facts.threads) {
        trace->facts.threads = (unsigned)threads;
    }
}

/* Says whether scores differ from those of the core, or rows have one more. */
static bool is_adjusted(const struct lab_experiment *experiment)
{
    return experiment->score_cap != NULL || experiment->score_bias != NULL ||
           experiment->sinks != NULL;
}

/* Computes one row of weights over the keys that are seen and the sink, whose share is left out. */
static void weigh_row(const struct lab_trace *trace, const struct attn_heads *all, size_t head,
                      size_t i, const float *scores, float *room)
{
    const size_t m = trace->sizes.m;
    const bool sinks = trace->experiment.sinks != NULL;
    float *const weights = all->weights + (head * trace->sizes.n + i) * m;
    size_t seen = 0;
    for (size_t j = 0; j < m; j++) {
        if (lab_trace_sees(trace, i, j)) {
            room[seen++] = lab_trace_adjusted(trace, head, i, j, scores[j]);
        }
    }
    if (sinks) {
        room[seen] = lab_trace_sink(trace, head);
    }
    const struct attn_matrix row = {room, 1, seen + (sinks ? 1 : 0), m + 1};
    if (row.cols > 0 && all->normalise != NULL) {
        (void)all->normalise(row);
    } else if (row.cols > 0) {
        (void)attn_softmax(trace->engine.kernels, row);
    }
    seen = 0;
    for (size_t j = 0; j < m; j++) {
        weights[j] = lab_trace_sees(trace, i, j) ? room[seen++] : 0;
    }
}

/* Computes every score, and the weights row by row. Returns false without memory. */
static bool weigh_adjusted(struct lab_trace *trace, const struct attn_heads *all)
{
    const struct lab_sizes *const s = &trace->sizes;
    float *const room = malloc((s->m + 1) * sizeof *room);
    for (size_t h = 0; room != NULL && h < s->heads; h++) {
        const size_t group = h / (s->heads / s->kv_heads);
        float *const scores = all->scores + h * s->n * s->m;
        attn_scores(trace->engine.kernels,
                    (struct attn_operand){all->q + h * s->n * s->d_k, s->n, s->d_k, s->d_k},
                    (struct attn_operand){all->k + group * s->m * s->d_k, s->m, s->d_k, s->d_k},
                    (struct attn_matrix){scores, s->n, s->m, s->m});
        for (size_t i = 0; i < s->n; i++) {
            weigh_row(trace, all, h, i, scores + i * s->m, room);
        }
    }
    free(room);
    trace->facts.pairs = s->heads * s->n * s->m;
    trace->facts.empty_queries = s->heads * trace->blind;
    return room != NULL;
}

bool lab_trace_weigh(struct lab_trace *trace, const struct lab_scoring *heads)
{
    const struct attn_heads all = heads_of(trace, heads);
    if (is_adjusted(&trace->experiment)) {
        return weigh_adjusted(trace, &all);
    }
    const struct attn_weighed weighed =
        attn_weigh_each(trace->engine.kernels, trace->engine.pool, &all);
    trace->hides_scores = trace->visible != NULL;
    trace->facts.pairs = weighed.pairs;
    trace->facts.empty_queries = weighed.empty;
    lab_trace_note_threads(trace, weighed.threads);
    return true;
}

void lab_trace_blend(struct lab_trace *trace, const struct lab_scoring *heads)
{
    const struct attn_heads all = heads_of(trace, heads);
    lab_trace_note_threads(trace, attn_blend_each(trace->engine.kernels, trace->engine.pool, &all));
}

/* One trace at a time is uncovered: traces are shared among threads, and each reader of S may be
 * the first. */
static struct system_mutex uncovering;
static struct system_once uncovering_is_open;

static void open_uncovering(void)
{
    (void)system_mutex_open(&uncovering);
}

/* Computes the scores of a head that the mask hides. hidden [n · m]: 1 where it does; NULL: all
 * are computed, and those that are seen stay as they were. */
static void uncover_head(struct lab_trace *trace, size_t head, const uint8_t *hidden)
{
    const struct lab_sizes *const s = &trace->sizes;
    float *const values = (float *)trace->part[LAB_SCORES].values + head * s->n * s->m;
    const struct attn_matrix scores = {values, s->n, s->m, s->m};
    const struct attn_operand q = operand_of(trace, lab_graph_queries(&trace->graph), head);
    const struct attn_operand k = operand_of(trace, lab_graph_keys(&trace->graph), head);
    if (hidden == NULL) {
        attn_scores(trace->engine.kernels, q, k, scores);
    } else {
        attn_scores_seen(trace->engine.kernels, q, k, (struct attn_mask){hidden, s->m}, scores);
    }
}

void lab_trace_uncover(struct lab_trace *trace)
{
    const size_t pairs = trace->sizes.n * trace->sizes.m;
    system_once(&uncovering_is_open, open_uncovering);
    system_mutex_lock(&uncovering);
    if (atomic_load(&trace->hides_scores)) {
        uint8_t *const hidden = malloc(pairs + 1);
        for (size_t c = 0; hidden != NULL && c < pairs; c++) {
            hidden[c] = trace->visible[c] == 0;
        }
        for (size_t h = 0; h < trace->sizes.heads; h++) {
            uncover_head(trace, h, hidden);
        }
        free(hidden);
        atomic_store(&trace->hides_scores, false);
    }
    system_mutex_unlock(&uncovering);
}
