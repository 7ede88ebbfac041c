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

struct ranked {
    enum lab_head_measure kind;
    float value;
    size_t place;
};

struct lab_thumbnails {
    atomic_size_t references;
    struct lab_thumbnails_sizes sizes;
    struct arena arena;
    float *largest, *mean;         /* [layers · heads][rows · cols] */
    float *head_measure, *of_rest; /* [layers · heads][LAB_HEAD_MEASURES] */
    bool *sink;                    /* [layers · heads][cols] */
    float *rest_top;               /* [layers] */
    atomic_size_t looked;          /* at so many layers … */
    size_t ready;                  /* … of which these are read: by one thread, others look */
};

enum { MANY_HEADS = 4096 };      /* of so many the pictures are smaller: memory */
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
    /* of the head that is looked at: */
    double *row_bits, *row_far, *rest; /* [n] */
    double *whole;                     /* [n] 1; 0 of a row without any weight: it is no word's */
    double *key_sums;                  /* [m] */
    bool *sink;                        /* [m] */
    size_t *list;                      /* [m] columns that are sinks */
};

/* What each measure leaves out: columns of words that a head looks at whatever else there is. */
struct aside {
    const bool *sink;   /* [m]; NULL: nothing is left out */
    const size_t *list; /* [count] the columns */
    size_t count;
    const double *rest; /* [n] what is left of each row; such a share of it is 1 then. Where
                           nothing is left out: whole */
};

/* Less than this of a row says nothing. */
static const double REST_LEAST = 1e-3;

static bool is_sink(const struct aside *aside, size_t key)
{
    return aside->sink != NULL && aside->sink[key];
}

static double rest_of(const struct aside *aside, size_t query)
{
    return aside->rest[query];
}

static float mean_of(double sum, size_t count)
{
    return count == 0 ? NAN : (float)(sum / (double)count);
}

static float head_measure_previous(const struct scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 1; i < n && i - 1 < m; i++) {
        if (!is_sink(aside, i - 1) && rest_of(aside, i) > REST_LEAST) {
            sum += (double)scan->alpha[i * m + i - 1] / rest_of(aside, i);
            count++;
        }
    }
    return mean_of(sum, count);
}

static float head_measure_first(const struct scan *scan, const struct aside *aside)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 1; i < scan->sizes.n && !is_sink(aside, 0); i++) {
        sum += (double)scan->alpha[i * scan->sizes.m];
        count += rest_of(aside, i) > REST_LEAST;
    }
    return mean_of(sum, count);
}

static float head_measure_same(const struct scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = scan->first[scan->query_id[i]]; j < m; j = scan->next[j]) {
            row += is_sink(aside, j) ? 0 : (double)scan->alpha[i * m + j];
        }
        if (rest_of(aside, i) > REST_LEAST) {
            sum += row / rest_of(aside, i);
            count++;
        }
    }
    return mean_of(sum, count);
}

static float head_measure_repeated(const struct scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t repeated = 0;
    for (size_t i = 1; i < n; i++) {
        bool before = false;
        double row = 0;
        for (size_t j = scan->first[scan->query_id[i]]; j < i && j + 1 < m; j = scan->next[j]) {
            row += is_sink(aside, j + 1) ? 0 : (double)scan->alpha[i * m + j + 1];
            before = before || !is_sink(aside, j + 1);
        }
        if (before && rest_of(aside, i) > REST_LEAST) {
            sum += row / rest_of(aside, i);
            repeated++;
        }
    }
    return mean_of(sum, repeated);
}

static double surprise_of(float weight)
{
    return weight > 0 ? (double)(weight * log2f(weight)) : 0;
}

/* Of what is left, divided by what is left: (−Σ α log₂ α) ÷ r + log₂ r. */
static float head_measure_entropy(const struct scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double bits = scan->row_bits[i];
        for (size_t s = 0; s < aside->count; s++) {
            bits += surprise_of(scan->alpha[i * m + aside->list[s]]);
        }
        const double rest = rest_of(aside, i);
        if (rest > REST_LEAST) {
            sum += bits / rest + log2(rest);
            count++;
        }
    }
    return count == 0 ? NAN : (float)fmax(0, sum / (double)count);
}

static float head_measure_distance(const struct scan *scan, const struct aside *aside)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double far = scan->row_far[i];
        for (size_t s = 0; s < aside->count; s++) {
            const size_t j = aside->list[s];
            far -= (double)scan->alpha[i * m + j] * fabs((double)i - (double)j);
        }
        if (rest_of(aside, i) > REST_LEAST) {
            sum += far / rest_of(aside, i);
            count++;
        }
    }
    return count == 0 ? NAN : (float)fmax(0, sum / (double)count);
}

/* −Σ α log₂ α and Σ α · |i − j| of each row: what entropy and distance are means of. */
static void sum_rows(struct scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    for (size_t i = 0; i < n; i++) {
        const float *const row = scan->alpha + i * m;
        double bits = 0, far[4] = {0}; /* apart, so that one addition does not wait for the other */
        for (size_t j = 0; j < m; j++) {
            bits -= surprise_of(row[j]); /* as lab_measure_entropy, in single precision */
            far[j % 4] += (double)row[j] * fabs((double)i - (double)j);
        }
        scan->row_bits[i] = bits;
        scan->row_far[i] = far[0] + far[1] + far[2] + far[3];
        const bool is_empty = scan->row_far[i] == 0 && !(i < m && row[i] > 0);
        scan->whole[i] = is_empty ? 0 : 1;
    }
}

/* The first word, and words to which the others give more than this on average, where there are
 * enough of them to say so. */
static const double SINK_SHARE = 0.3;
enum { SINK_ROWS = 4 };

/* Fills scan->sink, list and rest; returns how many sinks there are. */
static size_t find_sinks(struct scan *scan)
{
    const size_t n = scan->sizes.n, m = scan->sizes.m;
    double *const sums = scan->key_sums;
    size_t count = 0, looking = 0;
    memset(sums, 0, m * sizeof *sums);
    for (size_t i = 0; i < n; i++) {
        looking += scan->whole[i] > 0;
        for (size_t j = 0; j < m; j++) {
            sums[j] += i == j ? 0 : (double)scan->alpha[i * m + j];
        }
    }
    for (size_t j = 0; j < m; j++) {
        scan->sink[j] = j == 0 || (looking > SINK_ROWS &&
                                   sums[j] / (double)(looking - 1) > SINK_SHARE && m > SINK_ROWS);
        if (scan->sink[j]) {
            scan->list[count++] = j;
        }
    }
    for (size_t i = 0; i < n; i++) {
        double rest = 0;
        for (size_t j = 0; j < m; j++) {
            rest += (double)scan->alpha[i * m + j];
        }
        for (size_t s = 0; s < count; s++) {
            rest -= (double)scan->alpha[i * m + scan->list[s]];
        }
        scan->rest[i] = rest;
    }
    return count;
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

static void measure(struct scan *scan, struct lab_thumbnails *thumbnails, size_t at)
{
    static float (*const measures[LAB_HEAD_MEASURES])(const struct scan *, const struct aside *) = {
        [LAB_HEAD_MEASURE_PREVIOUS] = head_measure_previous,
        [LAB_HEAD_MEASURE_FIRST] = head_measure_first,
        [LAB_HEAD_MEASURE_SAME] = head_measure_same,
        [LAB_HEAD_MEASURE_REPEATED] = head_measure_repeated,
        [LAB_HEAD_MEASURE_ENTROPY] = head_measure_entropy,
        [LAB_HEAD_MEASURE_DISTANCE] = head_measure_distance,
    };
    const struct lab_thumbnails_sizes *const sizes = &scan->sizes;
    const size_t cells = sizes->rows * sizes->cols;
    reduce(scan, thumbnails->largest + at * cells, thumbnails->mean + at * cells);
    sum_rows(scan);
    const size_t sinks = find_sinks(scan);
    const struct aside nothing = {.rest = scan->whole};
    const struct aside aside = {scan->sink, scan->list, sinks, scan->rest};
    for (size_t h = 0; h < LAB_HEAD_MEASURES; h++) {
        thumbnails->head_measure[at * LAB_HEAD_MEASURES + h] = measures[h](scan, &nothing);
        thumbnails->of_rest[at * LAB_HEAD_MEASURES + h] = measures[h](scan, &aside);
    }
    for (size_t s = 0; s < sinks; s++) { /* the cell that stands for that column */
        const size_t col = ((scan->list[s] + 1) * sizes->cols - 1) / sizes->m;
        thumbnails->sink[at * sizes->cols + col] = true;
    }
}

/* Desks side by side, each with a head of its own; what they share is behind the lock. */
struct round {
    const struct scan *scan; /* its alpha: of all desks, one behind the other */
    struct lab_thumbnails *thumbnails;
    struct error *error;
    pthread_mutex_t lock;
    size_t next, end; /* heads to be looked at */
    bool failed;
};

/* The next head, with the weights where only one may ask for them; false: there is none. */
static bool take_head(struct round *round, float *alpha, size_t *at)
{
    const struct lab_thumbnails_source *const source = round->scan->source;
    const size_t all = source->layers * source->heads;
    pthread_mutex_lock(&round->lock);
    bool taken = !round->failed && round->next < round->end;
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
    own.row_bits += slot * source->n;
    own.row_far += slot * source->n;
    own.whole += slot * source->n;
    own.rest += slot * source->n;
    own.key_sums += slot * source->m;
    own.sink += slot * source->m;
    own.list += slot * source->m;
    while (take_head(round, own.alpha, &at)) {
        if (source->any_thread) {
            (void)source->weights(source->owner, at / source->heads, at % source->heads, own.alpha);
        }
        measure(&own, round->thumbnails, at);
    }
}

static size_t looked_at(const struct lab_thumbnails *thumbnails)
{
    return atomic_load_explicit(&thumbnails->looked, memory_order_acquire);
}

/* Heads of the layers that were not looked at, up to `end`. */
static bool scan_heads(const struct scan *scan, struct lab_thumbnails *thumbnails, size_t end,
                       size_t slots, struct error *error)
{
    enum { OPERATIONS_EACH = 16 }; /* about as many a weight */
    const struct lab_thumbnails_source *const source = scan->source;
    const size_t first = looked_at(thumbnails);
    struct error none;
    struct round round = {.scan = scan,
                          .thumbnails = thumbnails,
                          .error = error == NULL ? &none : error,
                          .next = first * source->heads,
                          .end = end * source->heads};
    pthread_mutex_init(&round.lock, NULL);
    attn_pool_run(source->engine.pool,
                  OPERATIONS_EACH * (double)((end - first) * source->heads) * (double)source->n *
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

/* Sums and marks of rows and columns, at every desk. */
static bool make_lines(const struct lab_thumbnails_source *source, struct arena *arena,
                       size_t slots, struct scan *scan)
{
    scan->row_bits = arena_array(arena, slots * source->n, sizeof *scan->row_bits);
    scan->row_far = arena_array(arena, slots * source->n, sizeof *scan->row_far);
    scan->rest = arena_array(arena, slots * source->n, sizeof *scan->rest);
    scan->whole = arena_array(arena, slots * source->n, sizeof *scan->whole);
    scan->key_sums = arena_array(arena, slots * source->m, sizeof *scan->key_sums);
    scan->sink = arena_array(arena, slots * source->m, sizeof *scan->sink);
    scan->list = arena_array(arena, slots * source->m, sizeof *scan->list);
    return scan->row_bits != NULL && scan->row_far != NULL && scan->rest != NULL &&
           scan->whole != NULL && scan->key_sums != NULL && scan->sink != NULL &&
           scan->list != NULL;
}

/* Room for the pictures. */
static bool make_room(struct lab_thumbnails *thumbnails)
{
    const size_t all = thumbnails->sizes.layers * thumbnails->sizes.heads;
    const size_t cells = thumbnails->sizes.rows * thumbnails->sizes.cols;
    struct arena *const arena = &thumbnails->arena;
    thumbnails->largest = arena_array(arena, all * cells, sizeof(float));
    thumbnails->mean = arena_array(arena, all * cells, sizeof(float));
    thumbnails->head_measure = arena_array(arena, all * LAB_HEAD_MEASURES, sizeof(float));
    thumbnails->of_rest = arena_array(arena, all * LAB_HEAD_MEASURES, sizeof(float));
    thumbnails->sink = arena_array(arena, all, thumbnails->sizes.cols);
    thumbnails->rest_top = arena_array(arena, thumbnails->sizes.layers, sizeof(float));
    return thumbnails->largest != NULL && thumbnails->mean != NULL &&
           thumbnails->head_measure != NULL && thumbnails->of_rest != NULL &&
           thumbnails->sink != NULL && thumbnails->rest_top != NULL;
}

/* Room for a whole head at every desk. */
static bool make_desks(const struct lab_thumbnails_source *source, struct arena *arena,
                       size_t slots, struct scan *scan)
{
    size_t floats = 0;
    if (!checked_multiply(source->n, source->m, &floats) ||
        !checked_multiply(floats, slots, &floats)) {
        return false;
    }
    scan->alpha = arena_array(arena, floats, sizeof(float));
    return scan->alpha != NULL && make_lines(source, arena, slots, scan) &&
           number_words(source, arena, scan);
}

static float find_rest_top(const struct lab_thumbnails *thumbnails, size_t layer)
{
    const struct lab_thumbnails_sizes *const sizes = &thumbnails->sizes;
    float top = 0;
    for (size_t at = layer * sizes->heads; at < (layer + 1) * sizes->heads; at++) {
        const float *const cell = thumbnails->largest + at * sizes->rows * sizes->cols;
        const bool *const sink = thumbnails->sink + at * sizes->cols;
        for (size_t c = 0; c < sizes->rows * sizes->cols; c++) {
            top = !sink[c % sizes->cols] && cell[c] > top ? cell[c] : top;
        }
    }
    return top;
}

float lab_thumbnails_rest_top(const struct lab_thumbnails *thumbnails)
{
    float top = 0;
    for (size_t layer = 0; layer < thumbnails->ready; layer++) {
        top = thumbnails->rest_top[layer] > top ? thumbnails->rest_top[layer] : top;
    }
    return top;
}

struct lab_thumbnails *lab_thumbnails_begin(const struct lab_thumbnails_source *source,
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
    atomic_init(&thumbnails->looked, 0);
    const size_t side =
        source->layers * source->heads > MANY_HEADS ? LAB_THUMBNAILS_SIDE / 2 : LAB_THUMBNAILS_SIDE;
    thumbnails->sizes = (struct lab_thumbnails_sizes){
        .layers = source->layers,
        .heads = source->heads,
        .n = source->n,
        .m = source->m,
        .rows = source->n < side ? source->n : side,
        .cols = source->m < side ? source->m : side,
    };
    if (!make_room(thumbnails)) {
        no_memory(error);
        lab_thumbnails_release(thumbnails);
        return NULL;
    }
    return thumbnails;
}

bool lab_thumbnails_look(struct lab_thumbnails *thumbnails,
                         const struct lab_thumbnails_source *source, size_t layers,
                         struct error *error)
{
    const size_t first = looked_at(thumbnails);
    const size_t end = layers < thumbnails->sizes.layers ? layers : thumbnails->sizes.layers;
    if (end <= first) {
        return true;
    }
    struct arena arena = {0};
    struct scan scan = {.source = source, .sizes = thumbnails->sizes};
    const size_t slots = slots_of(source);
    const bool done = (make_desks(source, &arena, slots, &scan) || no_memory(error)) &&
                      scan_heads(&scan, thumbnails, end, slots, error);
    arena_free(&arena);
    for (size_t layer = first; done && layer < end; layer++) {
        thumbnails->rest_top[layer] = find_rest_top(thumbnails, layer);
    }
    if (done) { /* whoever reads this sees what was looked at */
        atomic_store_explicit(&thumbnails->looked, end, memory_order_release);
    }
    return done;
}

bool lab_thumbnails_take(struct lab_thumbnails *thumbnails)
{
    const size_t before = thumbnails->ready;
    thumbnails->ready = looked_at(thumbnails);
    return thumbnails->ready != before;
}

size_t lab_thumbnails_ready(const struct lab_thumbnails *thumbnails)
{
    return thumbnails->ready;
}

struct lab_thumbnails *lab_thumbnails_make(const struct lab_thumbnails_source *source,
                                           struct error *error)
{
    struct lab_thumbnails *const thumbnails = lab_thumbnails_begin(source, error);
    if (thumbnails != NULL && !lab_thumbnails_look(thumbnails, source, source->layers, error)) {
        lab_thumbnails_release(thumbnails);
        return NULL;
    }
    if (thumbnails != NULL) {
        lab_thumbnails_take(thumbnails);
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
                                        thumbnails->head_measure + at * LAB_HEAD_MEASURES,
                                        thumbnails->of_rest + at * LAB_HEAD_MEASURES,
                                        thumbnails->sink + at * thumbnails->sizes.cols};
}

enum lab_head_measure lab_thumbnails_kind(const struct lab_thumbnails *thumbnails, size_t layer,
                                          size_t head, bool aside)
{
    const struct lab_thumbnails_head of = lab_thumbnails_head(thumbnails, layer, head);
    const bool known = layer < thumbnails->ready;
    enum lab_head_measure most = LAB_HEAD_MEASURES;
    float largest = 0.5f;
    for (size_t h = 0; known && h < LAB_HEAD_MEASURES; h++) {
        const float value = (aside ? of.of_rest : of.head_measure)[h];
        if (rows[h].is_share && value > largest) {
            largest = value;
            most = (enum lab_head_measure)h;
        }
    }
    return most;
}

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

/* A kind's heads before those of the next; in it the most of it first. */
static int by_kind(const void *a, const void *b)
{
    const struct ranked *const one = a, *const other = b;
    return one->kind != other->kind ? (one->kind < other->kind ? -1 : 1) : by_value(one, other);
}

/* Ranks every place and puts them in order; as they stand where there is no memory for it. */
static void put_in_order(const struct lab_thumbnails *thumbnails,
                         struct ranked (*rank)(const struct lab_thumbnails *thumbnails, size_t at,
                                               enum lab_head_measure by, bool aside),
                         enum lab_head_measure by, bool aside, size_t *order)
{
    const size_t all = thumbnails->sizes.layers * thumbnails->sizes.heads;
    struct ranked *const ranked = calloc(all, sizeof *ranked);
    for (size_t at = 0; ranked != NULL && at < all; at++) {
        ranked[at] = rank(thumbnails, at, by, aside);
    }
    if (ranked != NULL) {
        qsort(ranked, all, sizeof *ranked, by_kind);
    }
    for (size_t at = 0; at < all; at++) {
        order[at] = ranked != NULL ? ranked[at].place : at;
    }
    free(ranked);
}

static struct ranked rank_by_value(const struct lab_thumbnails *thumbnails, size_t at,
                                   enum lab_head_measure by, bool aside)
{
    const float *const values = aside ? thumbnails->of_rest : thumbnails->head_measure;
    const bool known = at / thumbnails->sizes.heads < thumbnails->ready;
    return (struct ranked){by, known ? values[at * LAB_HEAD_MEASURES + by] : NAN, at};
}

void lab_thumbnails_sort(const struct lab_thumbnails *thumbnails,
                         enum lab_head_measure head_measure, bool aside, size_t *order)
{
    put_in_order(thumbnails, rank_by_value, head_measure, aside, order);
}

static struct ranked rank_by_kind(const struct lab_thumbnails *thumbnails, size_t at,
                                  enum lab_head_measure by, bool aside)
{
    const size_t heads = thumbnails->sizes.heads;
    const enum lab_head_measure kind =
        lab_thumbnails_kind(thumbnails, at / heads, at % heads, aside);
    (void)by;
    return kind == LAB_HEAD_MEASURES ? (struct ranked){kind, 0, at}
                                     : rank_by_value(thumbnails, at, kind, aside);
}

void lab_thumbnails_group(const struct lab_thumbnails *thumbnails, bool aside, size_t *order)
{
    put_in_order(thumbnails, rank_by_kind, LAB_HEAD_MEASURES, aside, order);
}
