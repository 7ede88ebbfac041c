/* lab/run/thumbnails.c — every head once: reduced to a small picture, measured. */
#include "lab/run/thumbnails.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <stdatomic.h>

#include "attn/pool.h"
#include "base/arena.h"
#include "base/checked.h"
#include "base/system/thread.h"
#include "lab/run/head_scan.h"

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
        {"induction", "induction",
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
                         struct lab_head_scan *scan)
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

static void measure_head(struct lab_head_scan *scan, struct lab_thumbnails *thumbnails, size_t at)
{
    const struct lab_thumbnails_sizes *const sizes = &scan->sizes;
    const size_t cells = sizes->rows * sizes->cols, measures = at * LAB_HEAD_MEASURES;
    lab_head_scan_reduce(scan, thumbnails->largest + at * cells, thumbnails->mean + at * cells);
    const size_t sinks = lab_head_scan_measure(scan, thumbnails->head_measure + measures,
                                               thumbnails->of_rest + measures);
    for (size_t s = 0; s < sinks; s++) { /* the cell that stands for that column */
        const size_t col = ((scan->list[s] + 1) * sizes->cols - 1) / sizes->m;
        thumbnails->sink[at * sizes->cols + col] = true;
    }
}

/* Desks side by side, each with a head of its own; what they share is behind the lock. */
struct round {
    const struct lab_head_scan *scan; /* its alpha: of all desks, one behind the other */
    struct lab_thumbnails *thumbnails;
    struct error *error;
    struct system_mutex lock;
    size_t next, end; /* heads to be looked at */
    bool failed;
};

/* The next head, with the weights where only one may ask for them; false: there is none. */
static bool take_head(struct round *round, float *alpha, size_t *at)
{
    const struct lab_thumbnails_source *const source = round->scan->source;
    const size_t all = source->layers * source->heads;
    system_mutex_lock(&round->lock);
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
    system_mutex_unlock(&round->lock);
    return taken;
}

static void scan_job(void *context, size_t slot, size_t worker)
{
    struct round *const round = context;
    const struct lab_thumbnails_source *const source = round->scan->source;
    struct lab_head_scan own = *round->scan;
    size_t at = 0;
    (void)worker;
    own.alpha += slot * source->n * source->m;
    own.end += slot * source->n;
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
        measure_head(&own, round->thumbnails, at);
    }
}

static size_t looked_at(const struct lab_thumbnails *thumbnails)
{
    return atomic_load_explicit(&thumbnails->looked, memory_order_acquire);
}

/* Heads of the layers that were not looked at, up to `end`. */
static bool scan_heads(const struct lab_head_scan *scan, struct lab_thumbnails *thumbnails,
                       size_t end, size_t slots, struct error *error)
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
    system_mutex_open(&round.lock);
    attn_pool_run(source->engine.pool,
                  OPERATIONS_EACH * (double)((end - first) * source->heads) * (double)source->n *
                      (double)source->m,
                  slots, scan_job, &round);
    system_mutex_close(&round.lock);
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
                       size_t slots, struct lab_head_scan *scan)
{
    scan->end = arena_array(arena, slots * source->n, sizeof *scan->end);
    scan->row_bits = arena_array(arena, slots * source->n, sizeof *scan->row_bits);
    scan->row_far = arena_array(arena, slots * source->n, sizeof *scan->row_far);
    scan->rest = arena_array(arena, slots * source->n, sizeof *scan->rest);
    scan->whole = arena_array(arena, slots * source->n, sizeof *scan->whole);
    scan->key_sums = arena_array(arena, slots * source->m, sizeof *scan->key_sums);
    scan->sink = arena_array(arena, slots * source->m, sizeof *scan->sink);
    scan->list = arena_array(arena, slots * source->m, sizeof *scan->list);
    return scan->end != NULL && scan->row_bits != NULL && scan->row_far != NULL &&
           scan->rest != NULL && scan->whole != NULL && scan->key_sums != NULL &&
           scan->sink != NULL && scan->list != NULL;
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
                       size_t slots, struct lab_head_scan *scan)
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
    struct lab_head_scan scan = {.source = source, .sizes = thumbnails->sizes};
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
