/* learn/data_lists.c — tasks whose rows are lists of symbols: copy, reverse, sort, the repeated run
 * of induction, brackets, addition, and first names letter by letter. */
#include <stdio.h>
#include <string.h>

#include "learn/data_internal.h"

enum {
    SYMBOLS = 26,
    PERIOD_MIN = 4,
    PERIOD_MAX = 16,
    BRACKET_KINDS = 3,
    MODULUS = 31,
    PAIRS = MODULUS * MODULUS,
    PAIRS_TRAINED = 480,
    SCORED = 16,
};

static bool prepare_letters(struct learn_data *data, struct error *error)
{
    char letter[SYMBOLS][2];
    const char *words[SYMBOLS];
    for (size_t s = 0; s < SYMBOLS; s++) {
        letter[s][0] = (char)('a' + (int)s);
        letter[s][1] = '\0';
        words[s] = letter[s];
    }
    return learn_data_set_words(data, words, SYMBOLS, error);
}

/* Draws count different symbols in random order. */
static void draw_symbols(struct random *random, int32_t *out, size_t count)
{
    int32_t symbols[SYMBOLS];
    for (int32_t s = 0; s < SYMBOLS; s++) {
        symbols[s] = s;
    }
    learn_shuffle(random, symbols, SYMBOLS, count);
    memcpy(out, symbols, count * sizeof *out);
}

/* ---- copy, reverse, sort ------------------------------------------------------------------- */

/* Returns the place whose symbol is the answer at i. */
static size_t answer_copy(const int32_t *tokens, size_t n, size_t i)
{
    (void)tokens;
    return i > 0 ? i - 1 : n - 1;
}

static size_t answer_reverse(const int32_t *tokens, size_t n, size_t i)
{
    (void)tokens;
    return n - 1 - i;
}

static size_t answer_sort(const int32_t *tokens, size_t n, size_t i)
{
    size_t best = i;
    int32_t min = SYMBOLS;
    for (size_t j = 0; j < n; j++) {
        /* The distance in the alphabet, which begins anew after its end. */
        const int32_t way = (tokens[j] - tokens[i] + SYMBOLS) % SYMBOLS;
        if (way > 0 && way < min) {
            min = way;
            best = j;
        }
    }
    return best;
}

typedef size_t answer_at(const int32_t *tokens, size_t n, size_t i);

static answer_at *answer_of(const struct learn_data *data)
{
    return data->request.task == LEARN_TASK_COPY      ? answer_copy
           : data->request.task == LEARN_TASK_REVERSE ? answer_reverse
                                                      : answer_sort;
}

static void list_row(const struct learn_data *data, struct random *random, int32_t *tokens,
                     int32_t *targets)
{
    const size_t n = data->request.context;
    answer_at *const answer = answer_of(data);
    if (data->request.task == LEARN_TASK_SORT) {
        draw_symbols(random, tokens, n);
    } else {
        for (size_t i = 0; i < n; i++) {
            tokens[i] = (int32_t)learn_below(random, SYMBOLS);
        }
    }
    for (size_t i = 0; i < n; i++) {
        targets[i] = tokens[answer(tokens, n, i)];
    }
}

static void list_mark(struct learn_data *data, size_t row, const int32_t *tokens, size_t width)
{
    answer_at *const answer = answer_of(data);
    for (size_t i = 0; i < width; i++) {
        learn_data_mark(data, LEARN_SCORE_ANSWER, row, i, answer(tokens, width, i));
    }
}

#define LIST_SOURCE                                                                                \
    {                                                                                              \
        .context = 8, .batch = 64, .context_min = 2, .context_max = SYMBOLS, .causal = false,      \
        .prepare = prepare_letters, .row = list_row, .mark = list_mark                             \
    }
const struct learn_source learn_source_copy = LIST_SOURCE;
const struct learn_source learn_source_reverse = LIST_SOURCE;
const struct learn_source learn_source_sort = LIST_SOURCE;

/* ---- induction ----------------------------------------------------------------------------- */

static void induction_row(const struct learn_data *data, struct random *random, int32_t *tokens,
                          int32_t *targets)
{
    const size_t n = data->request.context;
    const size_t max = n / 2 < PERIOD_MAX ? n / 2 : PERIOD_MAX;
    const size_t period = PERIOD_MIN + learn_below(random, max - PERIOD_MIN + 1);
    int32_t run[PERIOD_MAX];
    draw_symbols(random, run, period);
    for (size_t i = 0; i < n; i++) {
        tokens[i] = run[i % period];
        targets[i] = i >= period ? run[(i + 1) % period] : LEARN_NOT_ASKED;
    }
}

/* Scores are taken of runs that are as long as they get and occur twice, so that the only place to
 * look at is behind the former occurrence. */
static bool prepare_induction(struct learn_data *data, struct error *error)
{
    const size_t n = data->request.context;
    const size_t period = n / 2 < PERIOD_MAX ? n / 2 : PERIOD_MAX;
    data->score_rows = SCORED;
    data->score_width = 2 * period;
    data->score_tokens =
        arena_array(&data->arena, SCORED * data->score_width, sizeof *data->score_tokens);
    if (data->score_tokens == NULL) {
        return learn_no_memory(error);
    }
    struct random random;
    random_start(&random, data->request.seed, "scores");
    for (size_t row = 0; row < SCORED; row++) {
        int32_t *const tokens = data->score_tokens + row * data->score_width;
        draw_symbols(&random, tokens, period);
        memcpy(tokens + period, tokens, period * sizeof *tokens);
    }
    return prepare_letters(data, error);
}

const struct learn_source learn_source_induction = {
    .context = 32,
    .batch = 32,
    .context_min = 2 * PERIOD_MIN,
    .context_max = LEARN_CONTEXT_MAX,
    .causal = true,
    .prepare = prepare_induction,
    .row = induction_row,
    .mark = learn_mark_text,
};

/* ---- brackets ------------------------------------------------------------------------------ */

static bool prepare_brackets(struct learn_data *data, struct error *error)
{
    static const char *const words[2 * BRACKET_KINDS] = {"(", ")", "[", "]", "{", "}"};
    return learn_data_set_words(data, words, 2 * BRACKET_KINDS, error) &&
           (data->request.context % 2 == 0 ||
            error_set(error, ERROR_INPUT,
                      "Brackets come in pairs: choose an even context, not %zu.",
                      data->request.context));
}

static bool is_closing(int32_t token)
{
    return token % 2 == 1;
}

/* Opens and closes with equal chance where both are possible. */
static void brackets_row(const struct learn_data *data, struct random *random, int32_t *tokens,
                         int32_t *targets)
{
    const size_t n = data->request.context;
    int32_t open[LEARN_CONTEXT_MAX];
    size_t depth = 0;
    for (size_t i = 0; i < n; i++) {
        const bool opens = depth == 0 || (depth < n - i && random_uniform(random) < 0.5);
        if (opens) {
            open[depth++] = (int32_t)learn_below(random, BRACKET_KINDS);
            tokens[i] = 2 * open[depth - 1];
        } else {
            tokens[i] = 2 * open[--depth] + 1;
        }
    }
    for (size_t i = 0; i < n; i++) {
        targets[i] = i + 1 < n && is_closing(tokens[i + 1]) ? tokens[i + 1] : LEARN_NOT_ASKED;
    }
}

static void brackets_mark(struct learn_data *data, size_t row, const int32_t *tokens, size_t width)
{
    size_t open[LEARN_CONTEXT_MAX];
    size_t depth = 0;
    for (size_t i = 0; i < width; i++) {
        if (!is_closing(tokens[i])) {
            open[depth++] = i;
        } else {
            learn_data_mark(data, LEARN_SCORE_MATCH, row, i - 1, open[--depth]);
        }
    }
    learn_mark_previous(data, row, tokens, width);
}

const struct learn_source learn_source_brackets = {
    .context = 24,
    .batch = 64,
    .context_min = 4,
    .context_max = LEARN_CONTEXT_MAX,
    .causal = true,
    .prepare = prepare_brackets,
    .row = brackets_row,
    .mark = brackets_mark,
};

/* ---- addition ------------------------------------------------------------------------------ */

/* Half of all pairs, in random order, are learned from. */
static bool prepare_addition(struct learn_data *data, struct error *error)
{
    static const char equals[] = "=";
    char number[MODULUS][4];
    const char *words[MODULUS + 1];
    for (size_t a = 0; a < MODULUS; a++) {
        snprintf(number[a], sizeof number[a], "%zu", a);
        words[a] = number[a];
    }
    words[MODULUS] = equals;
    if (!learn_data_set_words(data, words, MODULUS + 1, error)) {
        return false;
    }
    data->stream = arena_array(&data->arena, PAIRS, sizeof *data->stream);
    data->probes = arena_array(&data->arena, 4, sizeof *data->probes);
    if (data->stream == NULL || data->probes == NULL) {
        return learn_no_memory(error);
    }
    for (int32_t pair = 0; pair < PAIRS; pair++) {
        data->stream[pair] = pair;
    }
    struct random random;
    random_start(&random, data->request.seed, "pairs");
    learn_shuffle(&random, data->stream, PAIRS, PAIRS);
    data->stream_count = data->item_count = PAIRS;
    data->train_count = PAIRS_TRAINED;
    data->test_rows = PAIRS - PAIRS_TRAINED;
    static const char *const probes[] = {"7 9 =", "20 15 =", "30 1 =", "12 4 ="};
    memcpy(data->probes, probes, sizeof probes);
    data->probe_count = sizeof probes / sizeof probes[0];
    return true;
}

static void addition_item(const struct learn_data *data, size_t item, int32_t *tokens,
                          int32_t *targets)
{
    const int32_t pair = data->stream[item], a = pair / MODULUS, b = pair % MODULUS;
    tokens[0] = a;
    tokens[1] = b;
    tokens[2] = MODULUS;
    targets[0] = targets[1] = LEARN_NOT_ASKED;
    targets[2] = (a + b) % MODULUS;
}

static void addition_row(const struct learn_data *data, struct random *random, int32_t *tokens,
                         int32_t *targets)
{
    addition_item(data, learn_below(random, data->train_count), tokens, targets);
}

const struct learn_source learn_source_addition = {
    .context = 3,
    .batch = PAIRS_TRAINED,
    .context_min = 3,
    .context_max = 3,
    .causal = true,
    .prepare = prepare_addition,
    .row = addition_row,
    .test_row = addition_item,
};

/* ---- first names letter by letter: a dot, the name, a dot ------------------------------------ */

enum { LETTERS = 26, LETTERS_MAX = 8, TEST_EVERY = 10 };

static const char end_mark[] = ".";

/* Every tenth name, in a random order, is kept for the test. */
static bool prepare_names(struct learn_data *data, struct error *error)
{
    size_t token = 0, letters = 0;
    if (!learn_data_set_words(data, (const char *const[]){end_mark}, 1, error)) {
        return false;
    }
    for (char letter = 'a'; letter <= 'z'; letter++) {
        if (!learn_data_add_word(data, &letter, 1, &token, error)) {
            return false;
        }
    }
    while (learn_first_names[data->item_count] != NULL) {
        letters += strlen(learn_first_names[data->item_count++]);
    }
    int32_t *const order = arena_array(&data->arena, data->item_count, sizeof *order);
    data->stream = arena_array(&data->arena, letters, sizeof *data->stream);
    data->items = arena_array(&data->arena, data->item_count + 1, sizeof *data->items);
    if (order == NULL || data->stream == NULL || data->items == NULL) {
        return learn_no_memory(error);
    }
    for (size_t i = 0; i < data->item_count; i++) {
        order[i] = (int32_t)i;
    }
    struct random random;
    random_start(&random, data->request.seed, "names");
    learn_shuffle(&random, order, data->item_count, data->item_count);
    for (size_t i = 0; i < data->item_count; i++) {
        data->items[i] = data->stream_count;
        for (const char *at = learn_first_names[order[i]]; *at != '\0'; at++) {
            data->stream[data->stream_count++] = 1 + *at - 'a';
        }
    }
    data->items[data->item_count] = data->stream_count;
    data->test_rows = data->item_count / TEST_EVERY;
    data->train_count = data->item_count - data->test_rows;
    return true;
}

static void names_item(const struct learn_data *data, size_t item, int32_t *tokens,
                       int32_t *targets)
{
    const size_t n = data->request.context;
    const size_t length = data->items[item + 1] - data->items[item];
    memset(tokens, 0, n * sizeof *tokens); /* fills the row with dots */
    memcpy(tokens + 1, data->stream + data->items[item], length * sizeof *tokens);
    for (size_t i = 0; i < n; i++) {
        targets[i] = i < length ? tokens[i + 1] : i == length ? 0 : LEARN_NOT_ASKED;
    }
}

static void names_row(const struct learn_data *data, struct random *random, int32_t *tokens,
                      int32_t *targets)
{
    names_item(data, learn_below(random, data->train_count), tokens, targets);
}

static void names_mark(struct learn_data *data, size_t row, const int32_t *tokens, size_t width)
{
    size_t length = 1;
    while (length < width && tokens[length] != 0) {
        length++;
    }
    learn_mark_text(data, row, tokens, length);
}

const struct learn_source learn_source_names = {
    .context = LETTERS_MAX + 2,
    .batch = 32,
    .context_min = LETTERS_MAX + 2,
    .context_max = 64,
    .causal = true,
    .letters = true,
    .prepare = prepare_names,
    .row = names_row,
    .test_row = names_item,
    .mark = names_mark,
};
