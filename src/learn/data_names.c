/* learn/data_names.c — first names letter by letter: a dot, the name, a dot. */
#include <string.h>

#include "learn/data_internal.h"

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
