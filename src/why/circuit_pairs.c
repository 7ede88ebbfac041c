/* why/circuit_pairs.c — one head over the vocabulary: through its small dimension, never all words
 * times all words where they are many. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "attn/pool.h"
#include "model/circuit.h"
#include "why/circuit.h"
#include "why/eigen.h"

enum { WORDS = 256, ROWS = 64 }; /* of a job, of a block of pairs */

/* Rows of all words: of a query and a key, of what is read and what is written. */
enum { OF_QUERY, OF_KEY, OF_VALUE, OF_WORD, SIDES };

struct pairing {
    const struct model *model;
    const struct model_config *config;
    const struct attn_kernels *kernels;
    struct arena *arena;
    size_t layer, head, vocabulary;
    float *weights[MODEL_CIRCUIT_PARTS];
    float *rows[SIDES]; /* [vocabulary][d] */
    size_t d[SIDES];
    float *scratch; /* of each worker: [2 · WORDS][wide] */
    size_t wide;    /* the larger of the width and d_v */
    atomic_bool failed;
};

double why_copying_of(const double *matrix, size_t n)
{
    double trace = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        trace += matrix[i * n + i];
    }
    return why_eigen_sizes(matrix, n, &sum) && sum > 0 ? trace / sum : NAN;
}

/* The columns of the head in the weights of its layer. */
static struct attn_operand columns_of(const struct pairing *p, enum model_circuit_part part)
{
    const struct model_config *const config = p->config;
    const bool shared = part != MODEL_CIRCUIT_Q;
    const size_t d = part == MODEL_CIRCUIT_V ? config->d_v : config->d_k;
    const size_t all = shared ? config->groups : config->heads;
    const size_t at = shared ? p->head / (config->heads / config->groups) : p->head;
    return (struct attn_operand){p->weights[part] + at * d, config->width, d, all * d};
}

/* Rows of some words, into all four lists. */
static void make_rows(void *context, size_t job, size_t worker)
{
    static const enum model_circuit_part parts[] = {MODEL_CIRCUIT_Q, MODEL_CIRCUIT_K,
                                                    MODEL_CIRCUIT_V};
    struct pairing *const p = context;
    const size_t width = p->config->width, d_v = p->config->d_v, first = job * WORDS;
    const size_t rest = p->vocabulary - first, count = rest < WORDS ? rest : WORDS;
    float *const words = p->scratch + worker * 2 * WORDS * p->wide;
    float *const written = words + WORDS * p->wide; /* [d_v][count] */
    if (!model_circuit_embed(p->model, first, count, words)) {
        p->failed = true;
        return;
    }
    for (size_t s = OF_QUERY; s <= OF_VALUE; s++) {
        attn_project(p->kernels, (struct attn_operand){words, count, width, width},
                     columns_of(p, parts[s]),
                     (struct attn_matrix){p->rows[s] + first * p->d[s], count, p->d[s], p->d[s]});
    }
    if (!model_circuit_unembed(p->model, first, count, words)) {
        p->failed = true;
        return;
    }
    attn_project(p->kernels,
                 (struct attn_operand){p->weights[MODEL_CIRCUIT_O] + p->head * d_v * width, d_v,
                                       width, width},
                 (struct attn_operand){words, width, count, count},
                 (struct attn_matrix){written, d_v, count, count});
    for (size_t w = 0; w < count; w++) {
        for (size_t k = 0; k < d_v; k++) {
            p->rows[OF_WORD][(first + w) * d_v + k] = written[k * count + w];
        }
    }
}

/* ---- pairs ----------------------------------------------------------------------------------- */

struct ranked {
    uint32_t word;
    double length;
};

static int longer_first(const void *left, const void *right)
{
    const struct ranked *const a = left, *const b = right;
    if (a->length < b->length || a->length > b->length) {
        return a->length > b->length ? -1 : 1;
    }
    return a->word < b->word ? -1 : 1;
}

/* The words with the longest rows, and these rows behind each other; NULL: no memory. */
static float *choose_words(const struct pairing *p, size_t side, size_t count, uint32_t *chosen)
{
    const size_t d = p->d[side];
    struct ranked *const ranked = arena_array(p->arena, p->vocabulary, sizeof *ranked);
    float *const rows = arena_array(p->arena, count, d * sizeof *rows);
    if (ranked == NULL || rows == NULL) {
        return NULL;
    }
    for (size_t w = 0; w < p->vocabulary; w++) {
        double square = 0;
        for (size_t k = 0; k < d; k++) {
            const double value = (double)p->rows[side][w * d + k];
            square += value * value;
        }
        ranked[w] = (struct ranked){(uint32_t)w, square};
    }
    if (count < p->vocabulary) {
        qsort(ranked, p->vocabulary, sizeof *ranked, longer_first);
    }
    for (size_t w = 0; w < count; w++) {
        chosen[w] = ranked[w].word;
        memcpy(rows + w * d, p->rows[side] + ranked[w].word * d, d * sizeof *rows);
    }
    return rows;
}

/* Puts a pair among the largest, sign 1, or the smallest, sign −1. */
static void rank_pair(struct why_pair *best, size_t count, struct why_pair pair, double sign)
{
    size_t at = count < WHY_PAIRS ? count : WHY_PAIRS;
    while (at > 0 && sign * pair.value > sign * best[at - 1].value) {
        at--;
    }
    for (size_t b = WHY_PAIRS - 1; b > at; b--) {
        best[b] = best[b - 1];
    }
    if (at < WHY_PAIRS) {
        best[at] = pair;
    }
}

/* All pairs of the chosen words, a block of rows at a time. */
static bool rank_pairs(const struct pairing *p, size_t from, size_t to, float factor, size_t sought,
                       struct why_over_words *out)
{
    const size_t d = p->d[from];
    uint32_t *const words = arena_array(p->arena, 2 * sought, sizeof *words);
    float *const values = arena_array(p->arena, sought, ROWS * sizeof *values);
    const float *const left = words == NULL ? NULL : choose_words(p, from, sought, words);
    const float *const right = left == NULL ? NULL : choose_words(p, to, sought, words + sought);
    if (right == NULL || values == NULL) {
        return false;
    }
    size_t seen = 0;
    for (size_t first = 0; first < sought; first += ROWS) {
        const size_t rest = sought - first, rows = rest < ROWS ? rest : ROWS;
        attn_scores(p->kernels, (struct attn_operand){left + first * d, rows, d, d},
                    (struct attn_operand){right, sought, d, d},
                    (struct attn_matrix){values, rows, sought, sought});
        for (size_t i = 0; i < rows * sought; i++, seen++) {
            const struct why_pair pair = {words[first + i / sought], words[sought + i % sought],
                                          (double)(values[i] * factor)};
            rank_pair(out->top, seen, pair, 1);
            rank_pair(out->bottom, seen, pair, -1);
        }
    }
    out->pairs = seen < WHY_PAIRS ? seen : WHY_PAIRS;
    return true;
}

/* The whole matrix of a small vocabulary. */
static bool keep_whole(const struct pairing *p, size_t from, size_t to, float factor,
                       struct why_over_words *out)
{
    const size_t n = p->vocabulary, d = p->d[from];
    if (n > WHY_WHOLE_MAX) {
        return true;
    }
    float *const whole = arena_array(p->arena, n, n * sizeof *whole);
    if (whole == NULL) {
        return false;
    }
    attn_scores(p->kernels, (struct attn_operand){p->rows[from], n, d, d},
                (struct attn_operand){p->rows[to], n, d, d}, (struct attn_matrix){whole, n, n, n});
    for (size_t i = 0; i < n * n; i++) {
        whole[i] *= factor;
    }
    out->whole = whole;
    return true;
}

/* W_O W_U W_E W_V [d_v][d_v], which has the eigenvalues of W_E W_V W_O W_U but for zeros. */
static bool measure_copying(const struct pairing *p, double *copying)
{
    const size_t d = p->config->d_v;
    double *const small = arena_array(p->arena, d, d * sizeof *small);
    for (size_t i = 0; small != NULL && i < d * d; i++) {
        small[i] = 0;
    }
    for (size_t w = 0; small != NULL && w < p->vocabulary; w++) {
        const float *const value = p->rows[OF_VALUE] + w * d, *const word =
                                                                  p->rows[OF_WORD] + w * d;
        for (size_t i = 0; i < d; i++) {
            for (size_t j = 0; j < d; j++) {
                small[i * d + j] += (double)word[i] * (double)value[j];
            }
        }
    }
    *copying = small == NULL ? NAN : why_copying_of(small, d);
    return small != NULL;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.");
}

static bool make_room(struct pairing *p, size_t threads, struct arena *passing)
{
    const struct model_config *const config = p->config;
    const size_t width = config->width;
    const size_t floats[MODEL_CIRCUIT_PARTS] = {
        config->heads * config->d_k, config->groups * config->d_k, config->groups * config->d_v,
        config->heads * config->d_v};
    for (size_t m = 0; m < MODEL_CIRCUIT_PARTS; m++) {
        p->weights[m] = arena_array(passing, width, floats[m] * sizeof(float));
    }
    for (size_t s = 0; s < SIDES; s++) {
        p->d[s] = s <= OF_KEY ? config->d_k : config->d_v;
        p->rows[s] = arena_array(passing, p->vocabulary, p->d[s] * sizeof(float));
    }
    p->wide = width > config->d_v ? width : config->d_v;
    p->scratch = arena_array(passing, threads * 2 * WORDS, p->wide * sizeof(float));
    return !passing->lacking;
}

static bool make_pairs(struct pairing *p, struct why_circuit *out)
{
    const float factor = model_circuit_factor(p->model, p->layer);
    return rank_pairs(p, OF_QUERY, OF_KEY, factor, out->sought, &out->qk) &&
           rank_pairs(p, OF_VALUE, OF_WORD, 1, out->sought, &out->ov) &&
           keep_whole(p, OF_QUERY, OF_KEY, factor, &out->qk) &&
           keep_whole(p, OF_VALUE, OF_WORD, 1, &out->ov) && measure_copying(p, &out->copying);
}

bool why_circuit_make(const struct model *model, const struct lab_engine *engine, size_t layer,
                      size_t head, struct why_circuit *out, struct error *error)
{
    const struct model_config *const config = model_config(model);
    struct arena passing = {0};
    *out = (struct why_circuit){.vocabulary = config->vocabulary};
    out->sought = config->vocabulary < WHY_SOUGHT_MAX ? config->vocabulary : WHY_SOUGHT_MAX;
    struct pairing p = {.model = model,
                        .config = config,
                        .kernels = lab_engine_kernels(engine, error),
                        .arena = &out->arena,
                        .layer = layer,
                        .head = head,
                        .vocabulary = config->vocabulary};
    if (p.kernels == NULL || !model_circuit_check(model, error)) {
        return false;
    }
    bool done = make_room(&p, attn_pool_threads(engine->pool), &passing);
    for (size_t m = 0; done && m < MODEL_CIRCUIT_PARTS; m++) {
        model_circuit_weights(model, layer, (enum model_circuit_part)m, p.weights[m]);
    }
    if (done) {
        const double words = (double)p.vocabulary * (double)config->width;
        attn_pool_run(engine->pool, words * (double)(4 * config->d_k + 4 * config->d_v),
                      (p.vocabulary + WORDS - 1) / WORDS, make_rows, &p);
        done = !p.failed && make_pairs(&p, out);
    }
    arena_free(&passing);
    if (!done) {
        why_circuit_free(out);
    }
    return done || no_memory(error);
}

void why_circuit_free(struct why_circuit *circuit)
{
    arena_free(&circuit->arena);
}
