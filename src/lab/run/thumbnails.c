/* lab/run/thumbnails.c — every head once: reduced to a small picture, measured. */
#include "lab/run/thumbnails.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <stdatomic.h>

#include "attn/pool.h"
#include "base/arena.h"
#include "base/checked.h"
#include "lab/run/measure.h"

/* --- peaks, ranges, entropy, sums --- */

float lab_measure_peak(const struct lab_matrix *matrix)
{
    float low = 0, high = 0;
    lab_measure_range(matrix, &low, &high);
    return fmaxf(fabsf(low), fabsf(high));
}

static size_t keys_of(const float *row, size_t count)
{
    size_t keys = 0;
    for (size_t j = 0; j < count; j++) {
        keys += row[j] > 0;
    }
    return keys;
}

/* Weights whose first bits are alike are counted together. */
enum { BITS = 19, BINS = 1 << (31 - BITS), OF_WEIGHTS = 100, MANY_WEIGHTS = 1024 };

static uint32_t bits_of(float weight)
{
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits;
}

/* The upper end of the bin that the largest of so many do not reach beyond. */
static float bin_below(const uint32_t count[BINS], size_t largest, float peak)
{
    size_t above = 0;
    for (size_t b = BINS; b-- > 1;) {
        above += count[b];
        if (above > largest) {
            const uint32_t end = (uint32_t)(b + 1) << BITS;
            float edge;
            memcpy(&edge, &end, sizeof edge);
            return fminf(edge, peak);
        }
    }
    return peak;
}

float lab_measure_common_peak(const struct lab_matrix *alpha)
{
    uint32_t count[BINS] = {0};
    size_t most = 0, weights = 0;
    float peak = 0;
    for (size_t i = 0; alpha->values != NULL && i < alpha->rows; i++) {
        const size_t keys = keys_of(alpha->values + i * alpha->stride, alpha->cols);
        most = keys > most ? keys : most;
    }
    for (size_t i = 0; alpha->values != NULL && i < alpha->rows; i++) {
        const float *const row = alpha->values + i * alpha->stride;
        const size_t keys = keys_of(row, alpha->cols);
        for (size_t j = 0; 2 * keys >= most && j < alpha->cols; j++) {
            count[row[j] > 0 && isfinite(row[j]) ? bits_of(row[j]) >> BITS : 0]++;
            peak = isfinite(row[j]) ? fmaxf(peak, row[j]) : peak;
        }
        weights += 2 * keys >= most ? keys : 0;
    }
    return weights < MANY_WEIGHTS ? peak : bin_below(count, weights / OF_WEIGHTS, peak);
}

void lab_measure_range(const struct lab_matrix *matrix, float *low, float *high)
{
    bool any = false;
    *low = 0;
    *high = 0;
    for (size_t i = 0; matrix->values != NULL && i < matrix->rows; i++) {
        for (size_t j = 0; j < matrix->cols; j++) {
            const float value = lab_matrix_at(matrix, i, j);
            if (!isfinite(value)) {
                continue;
            }
            *low = any && *low < value ? *low : value;
            *high = any && *high > value ? *high : value;
            any = true;
        }
    }
}

double lab_measure_entropy(const float *row, size_t count)
{
    double bits = 0;
    for (size_t j = 0; j < count; j++) {
        if (row[j] > 0) {
            bits -= (double)row[j] * log2((double)row[j]);
        }
    }
    return bits > 0 ? bits : 0; /* no −0 */
}

double lab_measure_effective(const float *row, size_t count)
{
    return exp2(lab_measure_entropy(row, count));
}

float lab_measure_largest(const float *row, size_t count, size_t *key)
{
    size_t best = 0;
    for (size_t j = 1; j < count; j++) {
        best = row[j] > row[best] ? j : best;
    }
    if (key != NULL) {
        *key = best;
    }
    return count == 0 ? 0 : row[best];
}

void lab_measure_key_sums(const struct lab_matrix *alpha, double *sums)
{
    for (size_t j = 0; j < alpha->cols; j++) {
        sums[j] = 0;
    }
    for (size_t i = 0; i < alpha->rows; i++) {
        for (size_t j = 0; j < alpha->cols; j++) {
            sums[j] += (double)lab_matrix_at(alpha, i, j);
        }
    }
}

void lab_measure_query_sums(const struct lab_matrix *alpha, double *sums)
{
    for (size_t i = 0; i < alpha->rows; i++) {
        sums[i] = 0;
        for (size_t j = 0; j < alpha->cols; j++) {
            sums[i] += (double)lab_matrix_at(alpha, i, j);
        }
    }
}

static const struct lab_head_measure_row rows[LAB_HEAD_MEASURES] = {
    [LAB_HEAD_MEASURE_PREVIOUS] =
        {"previous", "previous token",
         "The mean of α(i, i − 1): how much each word looks at the one before.", "%", true},
    [LAB_HEAD_MEASURE_FIRST] =
        {"first", "first token",
         "The mean of α(i, 1) over i > 1: how much each word looks at the first.", "%", true},
    [LAB_HEAD_MEASURE_SAME] =
        {"same", "same token",
         "The mean of Σ α(i, j) over the j where the same word stands, i itself "
         "among them.",
         "%", true},
    [LAB_HEAD_MEASURE_REPEATED] =
        {"induction", "repeated token",
         "The mean of Σ α(i, j + 1) over the earlier places j of the same word: "
         "how much a word looks at what followed it the last time.",
         "%", true},
    [LAB_HEAD_MEASURE_ENTROPY] =
        {"entropy", "entropy",
         "The mean of −Σ α log₂ α over the rows: 0 looks at one word, log₂ of "
         "their number at all alike.",
         "bits", false},
    [LAB_HEAD_MEASURE_DISTANCE] =
        {"distance", "distance",
         "The mean of Σ α(i, j) · |i − j|: how far away, in words, a word looks.", "words", false},
};

const struct lab_head_measure_row *lab_head_measure_row(enum lab_head_measure head_measure)
{
    return &rows[head_measure];
}

struct lab_thumbnails {
    atomic_size_t references;
    struct lab_thumbnails_sizes sizes;
    struct arena arena;
    float *largest, *mean,
        *head_measure; /* [layers · heads][rows · cols], [layers · heads][LAB_HEAD_MEASURES] */
};

enum { SLOTS_FLOATS = 1 << 26 }; /* weights of heads that are looked at side by side */

/* What a look at one head needs. */
struct scan {
    const struct lab_thumbnails_source *source;
    struct lab_thumbnails_sizes sizes;
    float *alpha;     /* [n][m] */
    size_t *query_id; /* [n] equal numbers: equal words */
    size_t *key_id;   /* [m] */
    size_t *first;    /* [n + m] by id: the first key that is this word; m: none is … */
    size_t *next;     /* [m] … and the next one behind a key */
};

static float head_measure_previous(const struct scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 1; i < n && i - 1 < m; i++, count++) {
        sum += (double)scan->alpha[i * m + i - 1];
    }
    return count == 0 ? NAN : (float)(sum / (double)count);
}

static float head_measure_first(const struct scan *scan)
{
    double sum = 0;
    for (size_t i = 1; i < scan->sizes.n; i++) {
        sum += (double)scan->alpha[i * scan->sizes.m];
    }
    return scan->sizes.n < 2 ? NAN : (float)(sum / (double)(scan->sizes.n - 1));
}

static float head_measure_same(const struct scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = scan->first[scan->query_id[i]]; j < m; j = scan->next[j]) {
            sum += (double)scan->alpha[i * m + j];
        }
    }
    return n == 0 ? NAN : (float)(sum / (double)n);
}

static float head_measure_repeated(const struct scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t repeated = 0;
    for (size_t i = 1; i < n; i++) {
        bool before = false;
        for (size_t j = scan->first[scan->query_id[i]]; j < i && j + 1 < m; j = scan->next[j]) {
            sum += (double)scan->alpha[i * m + j + 1];
            before = true;
        }
        repeated += before;
    }
    return repeated == 0 ? NAN : (float)(sum / (double)repeated);
}

static float head_measure_entropy(const struct scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    for (size_t c = 0; c < n * m; c++) { /* as lab_measure_entropy, in single precision */
        const float weight = scan->alpha[c];
        sum -= weight > 0 ? (double)(weight * log2f(weight)) : 0;
    }
    return n == 0 ? NAN : (float)fmax(0, sum / (double)n);
}

static float head_measure_distance(const struct scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum[4] = {0}; /* apart, so that one addition does not wait for the other */
    for (size_t i = 0; i < n; i++) {
        const float *const row = scan->alpha + i * m;
        for (size_t j = 0; j < m; j++) {
            sum[j % 4] += (double)row[j] * fabs((double)i - (double)j);
        }
    }
    return n == 0 ? NAN : (float)((sum[0] + sum[1] + sum[2] + sum[3]) / (double)n);
}

/* The picture's cell (r, c) stands for rows r·n/rows … (r + 1)·n/rows − 1, columns likewise. */
static void reduce(const struct scan *scan, float *largest, float *mean)
{
    const struct lab_thumbnails_sizes *const s = &scan->sizes;
    for (size_t r = 0; r < s->rows; r++) {
        const size_t top = r * s->n / s->rows, bottom = (r + 1) * s->n / s->rows;
        for (size_t c = 0; c < s->cols; c++) {
            const size_t left = c * s->m / s->cols, right = (c + 1) * s->m / s->cols;
            float most = scan->alpha[top * s->m + left];
            double sum = 0;
            for (size_t i = top; i < bottom; i++) {
                const float *const row = scan->alpha + i * s->m;
                for (size_t j = left; j < right; j++) {
                    most = row[j] > most ? row[j] : most;
                    sum += (double)row[j];
                }
            }
            largest[r * s->cols + c] = most;
            mean[r * s->cols + c] = (float)(sum / (double)((bottom - top) * (right - left)));
        }
    }
}

struct numbered {
    const char *word;
    size_t place;
};

static int by_word(const void *a, const void *b)
{
    return strcmp(((const struct numbered *)a)->word, ((const struct numbered *)b)->word);
}

/* Numbers for queries and keys: equal words have equal ones. */
static bool number_words(const struct lab_thumbnails_source *source, struct arena *arena,
                         struct scan *scan)
{
    const size_t n = source->n, m = source->m;
    struct numbered *const all = arena_array(arena, n + m, sizeof *all);
    scan->query_id = arena_array(arena, n, sizeof *scan->query_id);
    scan->key_id = arena_array(arena, m, sizeof *scan->key_id);
    if (all == NULL || scan->query_id == NULL || scan->key_id == NULL) {
        return false;
    }
    for (size_t w = 0; w < n + m; w++) {
        all[w] = (struct numbered){w < n ? source->queries[w] : source->keys[w - n], w};
    }
    qsort(all, n + m, sizeof *all, by_word);
    size_t id = 0;
    for (size_t w = 0; w < n + m; w++) {
        id += w > 0 && strcmp(all[w - 1].word, all[w].word) != 0;
        *(all[w].place < n ? &scan->query_id[all[w].place] : &scan->key_id[all[w].place - n]) = id;
    }
    scan->first = arena_array(arena, n + m, sizeof *scan->first);
    scan->next = arena_array(arena, m, sizeof *scan->next);
    if (scan->first == NULL || scan->next == NULL) {
        return false;
    }
    for (size_t w = 0; w < n + m; w++) {
        scan->first[w] = m;
    }
    for (size_t j = m; j-- > 0;) {
        scan->next[j] = scan->first[scan->key_id[j]];
        scan->first[scan->key_id[j]] = j;
    }
    return true;
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to show all heads at once.");
}

static void measure(const struct scan *scan, struct lab_thumbnails *thumbnails, size_t at)
{
    static float (*const measures[LAB_HEAD_MEASURES])(const struct scan *) = {
        [LAB_HEAD_MEASURE_PREVIOUS] = head_measure_previous,
        [LAB_HEAD_MEASURE_FIRST] = head_measure_first,
        [LAB_HEAD_MEASURE_SAME] = head_measure_same,
        [LAB_HEAD_MEASURE_REPEATED] = head_measure_repeated,
        [LAB_HEAD_MEASURE_ENTROPY] = head_measure_entropy,
        [LAB_HEAD_MEASURE_DISTANCE] = head_measure_distance,
    };
    const size_t cells = scan->sizes.rows * scan->sizes.cols;
    reduce(scan, thumbnails->largest + at * cells, thumbnails->mean + at * cells);
    for (size_t h = 0; h < LAB_HEAD_MEASURES; h++) {
        thumbnails->head_measure[at * LAB_HEAD_MEASURES + h] = measures[h](scan);
    }
}

/* Desks side by side, each with a head of its own; what they share is behind the lock. */
struct round {
    const struct scan *scan; /* its alpha: of all desks, one behind the other */
    struct lab_thumbnails *thumbnails;
    struct error *error;
    pthread_mutex_t lock;
    size_t next; /* head to be looked at */
    bool failed;
};

/* The next head, with the weights where only one may ask for them; false: there is none. */
static bool take_head(struct round *round, float *alpha, size_t *at)
{
    const struct lab_thumbnails_source *const source = round->scan->source;
    const size_t all = source->layers * source->heads;
    pthread_mutex_lock(&round->lock);
    bool taken = !round->failed && round->next < all;
    *at = round->next;
    if (taken && source->on_head != NULL && !source->on_head(source->owner, *at, all)) {
        *round->error = (struct error){ERROR_NONE, 0, ""};
        taken = false;
        round->failed = true;
    }
    if (taken && !source->any_thread &&
        !source->weights(source->owner, *at / source->heads, *at % source->heads, alpha)) {
        taken = error_set(round->error, ERROR_INPUT, "The weights of L%zuH%zu cannot be read.",
                          *at / source->heads, *at % source->heads);
        round->failed = true;
    }
    round->next += taken ? 1 : 0;
    pthread_mutex_unlock(&round->lock);
    return taken;
}

static void scan_job(void *context, size_t slot, size_t worker)
{
    struct round *const round = context;
    const struct lab_thumbnails_source *const source = round->scan->source;
    struct scan own = *round->scan;
    size_t at = 0;
    (void)worker;
    own.alpha += slot * source->n * source->m;
    while (take_head(round, own.alpha, &at)) {
        if (source->any_thread) {
            (void)source->weights(source->owner, at / source->heads, at % source->heads, own.alpha);
        }
        measure(&own, round->thumbnails, at);
    }
}

static bool scan_heads(const struct scan *scan, struct lab_thumbnails *thumbnails, size_t slots,
                       struct error *error)
{
    enum { OPERATIONS_EACH = 16 }; /* about as many a weight */
    const struct lab_thumbnails_source *const source = scan->source;
    struct error none;
    struct round round = {
        .scan = scan, .thumbnails = thumbnails, .error = error == NULL ? &none : error};
    pthread_mutex_init(&round.lock, NULL);
    attn_pool_run(source->engine.pool,
                  OPERATIONS_EACH * (double)(source->layers * source->heads) * (double)source->n *
                      (double)source->m,
                  slots, scan_job, &round);
    pthread_mutex_destroy(&round.lock);
    return !round.failed;
}

/* How many heads are looked at side by side: each needs its weights in memory. */
static size_t slots_of(const struct lab_thumbnails_source *source)
{
    const size_t threads = attn_pool_threads(source->engine.pool);
    const double weights = (double)source->n * (double)source->m;
    const double most =
        weights * (double)threads > SLOTS_FLOATS ? SLOTS_FLOATS / weights : (double)threads;
    return most < 1 ? 1 : (size_t)most;
}

/* Room for the pictures, and for a whole head at every desk. */
static bool make_room(struct lab_thumbnails *thumbnails, const struct lab_thumbnails_source *source,
                      struct arena *arena, size_t slots, struct scan *scan)
{
    const size_t all = source->layers * source->heads;
    const size_t cells = thumbnails->sizes.rows * thumbnails->sizes.cols;
    size_t floats = 0;
    if (!checked_multiply(source->n, source->m, &floats) ||
        !checked_multiply(floats, slots, &floats)) {
        return false;
    }
    thumbnails->largest = arena_array(&thumbnails->arena, all * cells, sizeof(float));
    thumbnails->mean = arena_array(&thumbnails->arena, all * cells, sizeof(float));
    thumbnails->head_measure =
        arena_array(&thumbnails->arena, all * LAB_HEAD_MEASURES, sizeof(float));
    scan->alpha = arena_array(arena, floats, sizeof(float));
    return thumbnails->largest != NULL && thumbnails->mean != NULL &&
           thumbnails->head_measure != NULL && scan->alpha != NULL &&
           number_words(source, arena, scan);
}

struct lab_thumbnails *lab_thumbnails_make(const struct lab_thumbnails_source *source,
                                           struct error *error)
{
    if (source->layers < 1 || source->heads < 1 || source->n < 1 || source->m < 1 ||
        source->heads > LAB_THUMBNAILS_HEADS_MAX || source->layers > LAB_THUMBNAILS_HEADS_MAX ||
        source->layers * source->heads > LAB_THUMBNAILS_HEADS_MAX) {
        error_set(error, ERROR_INPUT, "%zu layers of %zu heads cannot be shown; %d heads can.",
                  source->layers, source->heads, LAB_THUMBNAILS_HEADS_MAX);
        return NULL;
    }
    struct lab_thumbnails *const thumbnails = calloc(1, sizeof *thumbnails);
    if (thumbnails == NULL) {
        no_memory(error);
        return NULL;
    }
    atomic_init(&thumbnails->references, 1);
    thumbnails->sizes = (struct lab_thumbnails_sizes){
        .layers = source->layers,
        .heads = source->heads,
        .n = source->n,
        .m = source->m,
        .rows = source->n < LAB_THUMBNAILS_SIDE ? source->n : LAB_THUMBNAILS_SIDE,
        .cols = source->m < LAB_THUMBNAILS_SIDE ? source->m : LAB_THUMBNAILS_SIDE,
    };
    struct arena arena = {0};
    struct scan scan = {.source = source, .sizes = thumbnails->sizes};
    const size_t slots = slots_of(source);
    const bool room = make_room(thumbnails, source, &arena, slots, &scan) || no_memory(error);
    const bool done = room && scan_heads(&scan, thumbnails, slots, error);
    arena_free(&arena);
    if (!done) {
        lab_thumbnails_release(thumbnails);
        return NULL;
    }
    return thumbnails;
}

struct lab_thumbnails *lab_thumbnails_keep(const struct lab_thumbnails *thumbnails)
{
    struct lab_thumbnails *const shared =
        (struct lab_thumbnails *)thumbnails; /* only the count changes */
    if (shared != NULL) {
        atomic_fetch_add_explicit(&shared->references, 1, memory_order_relaxed);
    }
    return shared;
}

void lab_thumbnails_release(const struct lab_thumbnails *thumbnails)
{
    struct lab_thumbnails *const shared = (struct lab_thumbnails *)thumbnails;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        arena_free(&shared->arena);
        free(shared);
    }
}

struct lab_thumbnails_sizes lab_thumbnails_sizes(const struct lab_thumbnails *thumbnails)
{
    return thumbnails->sizes;
}

struct lab_thumbnails_head lab_thumbnails_head(const struct lab_thumbnails *thumbnails,
                                               size_t layer, size_t head)
{
    const size_t at = layer * thumbnails->sizes.heads + head;
    const size_t cells = thumbnails->sizes.rows * thumbnails->sizes.cols;
    return (struct lab_thumbnails_head){thumbnails->largest + at * cells,
                                        thumbnails->mean + at * cells,
                                        thumbnails->head_measure + at * LAB_HEAD_MEASURES};
}

enum lab_head_measure lab_thumbnails_kind(const struct lab_thumbnails *thumbnails, size_t layer,
                                          size_t head)
{
    const struct lab_thumbnails_head of = lab_thumbnails_head(thumbnails, layer, head);
    enum lab_head_measure most = LAB_HEAD_MEASURES;
    float largest = 0.5f;
    for (size_t h = 0; h < LAB_HEAD_MEASURES; h++) {
        if (rows[h].is_share && of.head_measure[h] > largest) {
            largest = of.head_measure[h];
            most = (enum lab_head_measure)h;
        }
    }
    return most;
}

struct ranked {
    float value;
    size_t place;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *const one = a, *const other = b;
    const bool known = !isnan(one->value), other_known = !isnan(other->value);
    if (known != other_known) {
        return known ? -1 : 1;
    }
    if (known && (one->value > other->value || one->value < other->value)) {
        return one->value > other->value ? -1 : 1;
    }
    return one->place < other->place ? -1 : one->place > other->place;
}

void lab_thumbnails_sort(const struct lab_thumbnails *thumbnails,
                         enum lab_head_measure head_measure, size_t *order)
{
    struct ranked ranked[LAB_THUMBNAILS_HEADS_MAX];
    const size_t all = thumbnails->sizes.layers * thumbnails->sizes.heads;
    for (size_t at = 0; at < all; at++) {
        ranked[at] =
            (struct ranked){thumbnails->head_measure[at * LAB_HEAD_MEASURES + head_measure], at};
    }
    qsort(ranked, all, sizeof *ranked, by_value);
    for (size_t at = 0; at < all; at++) {
        order[at] = ranked[at].place;
    }
}

/* A kind's heads before those of the next; in it the most of it first. */
struct grouped {
    enum lab_head_measure kind;
    struct ranked ranked;
};

static int by_kind(const void *a, const void *b)
{
    const struct grouped *const one = a, *const other = b;
    return one->kind != other->kind ? (one->kind < other->kind ? -1 : 1)
                                    : by_value(&one->ranked, &other->ranked);
}

void lab_thumbnails_group(const struct lab_thumbnails *thumbnails, size_t *order)
{
    struct grouped grouped[LAB_THUMBNAILS_HEADS_MAX];
    const size_t heads = thumbnails->sizes.heads, all = thumbnails->sizes.layers * heads;
    for (size_t at = 0; at < all; at++) {
        const enum lab_head_measure kind = lab_thumbnails_kind(thumbnails, at / heads, at % heads);
        const float value =
            kind == LAB_HEAD_MEASURES ? 0 : thumbnails->head_measure[at * LAB_HEAD_MEASURES + kind];
        grouped[at] = (struct grouped){kind, {value, at}};
    }
    qsort(grouped, all, sizeof *grouped, by_kind);
    for (size_t at = 0; at < all; at++) {
        order[at] = grouped[at].ranked.place;
    }
}
