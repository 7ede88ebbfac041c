/* learn/data.c — see data.h: what all tasks have in common. */
#include "learn/data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "learn/data_internal.h"

static const struct learn_source *const sources[LEARN_TASKS] = {
    [LEARN_TASK_COPY] = &learn_source_copy,
    [LEARN_TASK_REVERSE] = &learn_source_reverse,
    [LEARN_TASK_SORT] = &learn_source_sort,
    [LEARN_TASK_SMALL_WORLD] = &learn_source_world,
    [LEARN_TASK_INDUCTION] = &learn_source_induction,
    [LEARN_TASK_BRACKETS] = &learn_source_brackets,
    [LEARN_TASK_ADDITION] = &learn_source_addition,
    [LEARN_TASK_NAMES] = &learn_source_names,
    [LEARN_TASK_TEXT] = &learn_source_text,
};

enum { SCORE_ROWS = 16, PROBES = 8 };

bool learn_no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the data.");
}

size_t learn_below(struct random *random, size_t count)
{
    return (size_t)(random_uniform(random) * (double)count);
}

void learn_shuffle(struct random *random, int32_t *values, size_t count, size_t take)
{
    for (size_t i = 0; i < take; i++) {
        const size_t other = i + learn_below(random, count - i);
        const int32_t value = values[i];
        values[i] = values[other];
        values[other] = value;
    }
}

void learn_data_mark(struct learn_data *data, enum learn_score score, size_t row, size_t query,
                     size_t key)
{
    if (data->mark_count < data->mark_room) {
        data->marks[data->mark_count++] = (struct learn_mark){score, row, query, key};
    }
}

void learn_mark_previous(struct learn_data *data, size_t row, const int32_t *tokens, size_t width)
{
    (void)tokens;
    for (size_t i = 1; i < width; i++) {
        learn_data_mark(data, LEARN_SCORE_PREVIOUS, row, i, i - 1);
    }
}

void learn_mark_text(struct learn_data *data, size_t row, const int32_t *tokens, size_t width)
{
    learn_mark_previous(data, row, tokens, width);
    for (size_t i = 1; i < width; i++) {
        for (size_t j = i; j-- > 0;) {
            if (tokens[j] == tokens[i]) {
                learn_data_mark(data, LEARN_SCORE_INDUCTION, row, i, j + 1);
                break;
            }
        }
    }
}

char *learn_data_text(struct learn_data *data, const int32_t *tokens, size_t count)
{
    size_t size = 1;
    for (size_t t = 0; t < count; t++) {
        size += strlen(data->words[tokens[t]]) + 1;
    }
    char *const text = arena_alloc(&data->arena, size);
    if (text == NULL) {
        return NULL;
    }
    char *at = text;
    for (size_t t = 0; t < count; t++) {
        const size_t length = strlen(data->words[tokens[t]]);
        if (t > 0 && !data->letters) {
            *at++ = ' ';
        }
        memcpy(at, data->words[tokens[t]], length);
        at += length;
    }
    *at = '\0';
    return text;
}

static void start_stream(const struct learn_data *data, struct random *random, uint64_t step)
{
    char name[48];
    snprintf(name, sizeof name, "batch %" PRIu64, step);
    random_start(random, data->request.seed, name);
}

/* Makes rows like those of a batch from a stream of their own, for scores, and marks their
 * cells. */
static bool make_score_texts(struct learn_data *data, struct error *error)
{
    const size_t width = data->request.context;
    const bool own = data->score_tokens != NULL; /* the task has made its own */
    if (data->source->mark == NULL) {
        return true;
    }
    if (!own) {
        data->score_rows = SCORE_ROWS;
        data->score_width = width;
        data->score_tokens =
            arena_array(&data->arena, SCORE_ROWS * width, sizeof *data->score_tokens);
    }
    data->mark_room = 3 * data->score_rows * data->score_width;
    data->marks = arena_array(&data->arena, data->mark_room, sizeof *data->marks);
    int32_t *const targets = arena_array(&data->arena, width, sizeof *targets);
    if (data->score_tokens == NULL || data->marks == NULL || targets == NULL) {
        return learn_no_memory(error);
    }
    struct random random;
    random_start(&random, data->request.seed, "scores");
    for (size_t row = 0; row < data->score_rows; row++) {
        int32_t *const tokens = data->score_tokens + row * data->score_width;
        if (!own) {
            data->source->row(data, &random, tokens, targets);
        }
        data->source->mark(data, row, tokens, data->score_width);
    }
    return true;
}

/* A task without sentences of its own shows the first of those texts. */
static bool make_probes(struct learn_data *data, struct error *error)
{
    if (data->probes != NULL) {
        return true;
    }
    const size_t count = data->score_rows < PROBES ? data->score_rows : PROBES;
    data->probes = arena_array(&data->arena, count + 1, sizeof *data->probes);
    for (size_t p = 0; data->probes != NULL && p < count; p++) {
        data->probes[p] =
            learn_data_text(data, data->score_tokens + p * data->score_width, data->score_width);
        if (data->probes[p] == NULL) {
            return learn_no_memory(error);
        }
        data->probe_count = p + 1;
    }
    return data->probes != NULL || learn_no_memory(error);
}

static int compare_marks(const void *a, const void *b)
{
    const struct learn_mark *const x = a, *const y = b;
    if (x->score != y->score) {
        return x->score < y->score ? -1 : 1;
    }
    if (x->row != y->row) {
        return x->row < y->row ? -1 : 1;
    }
    if (x->query != y->query) {
        return x->query < y->query ? -1 : 1;
    }
    return x->key < y->key ? -1 : x->key > y->key;
}

static bool check_sizes(const struct learn_data_request *request, const struct learn_source *source,
                        struct error *error)
{
    if (request->context < source->context_min || request->context > source->context_max) {
        return source->context_min == source->context_max
                   ? error_set(error, ERROR_INPUT,
                               "The rows of this task have %zu tokens, no other number.",
                               source->context_min)
                   : error_set(error, ERROR_INPUT,
                               "This task has rows of %zu to %zu tokens, not %zu: choose another "
                               "context.",
                               source->context_min, source->context_max, request->context);
    }
    return (request->batch >= 1 && request->batch <= LEARN_BATCH_MAX) ||
           error_set(error, ERROR_INPUT, "A batch has 1 to %d rows, not %zu.", LEARN_BATCH_MAX,
                     request->batch);
}

struct learn_data *learn_data_make(const struct learn_data_request *request, struct error *error)
{
    struct learn_data *const data = calloc(1, sizeof *data);
    if (data == NULL) {
        learn_no_memory(error);
        return NULL;
    }
    atomic_init(&data->holders, 1);
    data->request = *request;
    data->source = request->task == LEARN_TASK_TEXT && request->rows == LEARN_ROWS_LINES
                       ? &learn_source_lines
                       : sources[request->task];
    data->letters = data->source->letters;
    if (request->context == 0) {
        data->request.context = data->source->context;
    }
    if (request->batch == 0) {
        data->request.batch = data->source->batch;
    }
    if (!check_sizes(&data->request, data->source, error) || !data->source->prepare(data, error) ||
        !learn_data_check_left_out(data, error) || !make_score_texts(data, error) ||
        !make_probes(data, error)) {
        learn_data_release(data);
        return NULL;
    }
    if (data->mark_count > 0) {
        qsort(data->marks, data->mark_count, sizeof *data->marks, compare_marks);
    }
    return data;
}

struct learn_data *learn_data_keep(const struct learn_data *data)
{
    struct learn_data *const own = (struct learn_data *)(uintptr_t)data;
    if (own != NULL) {
        atomic_fetch_add_explicit(&own->holders, 1, memory_order_relaxed);
    }
    return own;
}

void learn_data_release(const struct learn_data *data)
{
    struct learn_data *const own = (struct learn_data *)(uintptr_t)data;
    if (own != NULL && atomic_fetch_sub_explicit(&own->holders, 1, memory_order_acq_rel) == 1) {
        if (own->owns_pages) {
            learn_pages_free(own->pages);
        }
        learn_data_release(own->shares);
        arena_free(&own->arena);
        free(own);
    }
}

const struct learn_data_request *learn_data_request_of(const struct learn_data *data)
{
    return &data->request;
}

size_t learn_data_vocabulary(const struct learn_data *data)
{
    return data->vocabulary;
}

const char *const *learn_data_words(const struct learn_data *data)
{
    return data->words;
}

bool learn_data_shares_words(const struct learn_data *a, const struct learn_data *b)
{
    return a->words == b->words && a->vocabulary == b->vocabulary;
}

bool learn_data_is_letters(const struct learn_data *data)
{
    return data->letters;
}

bool learn_data_is_causal(const struct learn_data *data)
{
    return data->source->causal;
}

void learn_data_batch(const struct learn_data *data, uint64_t step, int32_t *tokens,
                      int32_t *targets)
{
    const size_t width = data->request.context;
    struct random random;
    if (data->source->batch_of != NULL) {
        data->source->batch_of(data, step, tokens, targets);
        return;
    }
    start_stream(data, &random, step);
    if (data->item_count > 0 && data->request.batch == data->train_count) {
        /* Uses all there is to learn from: the same rows in the same order each time. */
        for (size_t row = 0; row < data->request.batch; row++) {
            data->source->test_row(data, row, tokens + row * width, targets + row * width);
        }
        return;
    }
    for (size_t row = 0; row < data->request.batch; row++) {
        data->source->row(data, &random, tokens + row * width, targets + row * width);
    }
}

size_t learn_data_test_rows(const struct learn_data *data)
{
    return data->test_rows;
}

void learn_data_test(const struct learn_data *data, int32_t *tokens, int32_t *targets)
{
    const size_t width = data->request.context;
    for (size_t row = 0; row < data->test_rows; row++) {
        data->source->test_row(data, data->train_count + row, tokens + row * width,
                               targets + row * width);
    }
}

struct learn_score_texts learn_data_score_texts(const struct learn_data *data)
{
    return (struct learn_score_texts){data->score_tokens, data->score_rows, data->score_width,
                                      data->marks, data->mark_count};
}

const int32_t *learn_data_kinds(const struct learn_data *data, size_t *count)
{
    *count = data->kind_count;
    return data->kinds;
}

const char *learn_data_probe(const struct learn_data *data, size_t index)
{
    return index < data->probe_count ? data->probes[index] : NULL;
}
