/* learn/data_world.c — the small world: sentences about animals, cities, tools and food, each
 * followed by one about "it", so that attention must find what "it" is. The three languages have
 * the same words in the same places. */
#include <string.h>

#include "learn/data_internal.h"

enum {
    FORMS = 5,
    NOUNS = 4,
    ADJECTIVES = 2,
    SENTENCES = FORMS * NOUNS * ADJECTIVES,
    STREAM = 20000,
    SENTENCE_WORDS_MAX = 64,
    LENGTH = 12
};

/* One form of sentence: words before and after the noun, "it is", an adjective. */
struct form {
    double share;          /* of all sentences */
    const char *before[4]; /* ended by NULL */
    const char *noun[NOUNS];
    const char *behind[4]; /* ended by NULL; includes the full stop */
    const char *adjective[ADJECTIVES];
};

struct world {
    const char *it, *is, *stop;
    size_t probes[FORMS]; /* the order in which forms are shown */
    struct form form[FORMS];
};

/* clang-format off */
static const struct world worlds[LEARN_LANGUAGES] = {
    [LEARN_ENGLISH] = {"it", "is", ".", {3, 0, 1, 2, 4}, {
        {.25, {"the"}, {"cat", "dog", "hamster", "rabbit"}, {"sleeps", "at", "home", "."}, {"soft", "tame"}},
        {.25, {"the"}, {"lion", "tiger", "wolf", "bear"}, {"hunts", "at", "night", "."}, {"wild", "strong"}},
        {.20, {"the", "train", "goes", "to"}, {"NYC", "Paris", "Tokyo", "London"}, {"."}, {"huge", "loud"}},
        {.15, {"the", "man", "buys", "a"}, {"hammer", "saw", "drill", "axe"}, {"."}, {"heavy", "useful"}},
        {.15, {"the", "man", "eats", "a"}, {"cake", "bread", "soup", "apple"}, {"."}, {"sweet", "fresh"}},
    }},
    [LEARN_GERMAN] = {"es", "ist", ".", {3, 0, 1, 2, 4}, {
        {.25, {"das"}, {"Kätzchen", "Hündchen", "Meerschweinchen", "Kaninchen"}, {"schläft", "zu", "Hause", "."}, {"weich", "zahm"}},
        {.25, {"das"}, {"Krokodil", "Nashorn", "Nilpferd", "Wildschwein"}, {"lebt", "im", "Freien", "."}, {"wild", "stark"}},
        {.20, {"der", "Zug", "fährt", "nach"}, {"NYC", "Paris", "Tokio", "London"}, {"."}, {"riesig", "laut"}},
        {.15, {"der", "Mann", "kauft", "ein"}, {"Beil", "Messer", "Stemmeisen", "Sägeblatt"}, {"."}, {"schwer", "nützlich"}},
        {.15, {"der", "Mann", "isst", "ein"}, {"Brot", "Brötchen", "Eis", "Törtchen"}, {"."}, {"süß", "frisch"}},
    }},
    [LEARN_CHINESE] = {"它", "很", "。", {3, 0, 1, 2, 4}, {
        {.25, {"这"}, {"猫", "狗", "仓鼠", "兔子"}, {"在", "家", "睡觉", "。"}, {"柔软", "温顺"}},
        {.25, {"这"}, {"狮子", "老虎", "狼", "熊"}, {"在", "夜里", "捕猎", "。"}, {"凶猛", "强壮"}},
        {.20, {"这", "火车", "开", "往"}, {"纽约", "巴黎", "东京", "伦敦"}, {"。"}, {"庞大", "吵闹"}},
        {.15, {"这", "人", "买", "一把"}, {"锤子", "锯子", "钻子", "斧子"}, {"。"}, {"重", "有用"}},
        {.15, {"这", "人", "吃", "一份"}, {"蛋糕", "面包", "汤", "水果"}, {"。"}, {"甜", "新鲜"}},
    }},
};
/* clang-format on */

struct words {
    const char *word[SENTENCE_WORDS_MAX];
    size_t count;
};

static int32_t number_of(struct words *words, const char *word)
{
    for (size_t w = 0; w < words->count; w++) {
        if (strcmp(words->word[w], word) == 0) {
            return (int32_t)w;
        }
    }
    words->word[words->count] = word;
    return (int32_t)words->count++;
}

/* Writes a sentence up to "it is", then the adjective (ADJECTIVES: none) and the full stop. Returns
 * the number of tokens; *noun: the place of the noun. */
static size_t write_sentence(const struct world *world, struct words *words, size_t form,
                             size_t noun, size_t adjective, int32_t tokens[LENGTH], size_t *at)
{
    const struct form *const row = &world->form[form];
    size_t count = 0;
    for (size_t w = 0; w < 4 && row->before[w] != NULL; w++) {
        tokens[count++] = number_of(words, row->before[w]);
    }
    *at = count;
    tokens[count++] = number_of(words, row->noun[noun]);
    for (size_t w = 0; w < 4 && row->behind[w] != NULL; w++) {
        tokens[count++] = number_of(words, row->behind[w]);
    }
    tokens[count++] = number_of(words, world->it);
    tokens[count++] = number_of(words, world->is);
    if (adjective < ADJECTIVES) {
        tokens[count++] = number_of(words, row->adjective[adjective]);
        tokens[count++] = number_of(words, world->stop);
    }
    return count;
}

/* The words of a language in their order. */
static struct words words_of(const struct world *world)
{
    struct words words = {.count = 0};
    int32_t tokens[LENGTH];
    size_t at;
    for (size_t form = 0; form < FORMS; form++) {
        for (size_t noun = 0; noun < NOUNS; noun++) {
            write_sentence(world, &words, form, noun, noun % ADJECTIVES, tokens, &at);
        }
    }
    return words;
}

static enum learn_word_role role_of(const struct world *world, const char *word)
{
    for (size_t n = 0; n < FORMS * NOUNS; n++) {
        if (strcmp(world->form[n / NOUNS].noun[n % NOUNS], word) == 0) {
            return LEARN_WORD_NOUN;
        }
    }
    return strcmp(world->is, word) == 0 ? LEARN_WORD_IS : LEARN_WORD_OTHER;
}

bool learn_data_world_roles(const char *const *words, size_t count, enum learn_word_role *roles)
{
    for (size_t language = 0; language < LEARN_LANGUAGES; language++) {
        struct words own = words_of(&worlds[language]);
        bool are_its = own.count == count;
        for (size_t w = 0; are_its && w < count; w++) {
            are_its = (size_t)number_of(&own, words[w]) < count; /* else it becomes one more */
            roles[w] = role_of(&worlds[language], words[w]);
        }
        if (are_its) {
            return true;
        }
    }
    return false;
}

/* Lists every word, form by form, with nouns and adjectives of one form together. */
static bool list_words(struct learn_data *data, struct words *words, struct error *error)
{
    const struct world *const world = &worlds[data->request.language];
    *words = words_of(world);
    data->kinds = arena_array(&data->arena, words->count, sizeof *data->kinds);
    if (data->kinds == NULL || !learn_data_set_words(data, words->word, words->count, error)) {
        return learn_no_memory(error);
    }
    for (size_t w = 0; w < words->count; w++) {
        data->kinds[w] = -1;
    }
    for (size_t form = 0; form < FORMS; form++) {
        for (size_t noun = 0; noun < NOUNS; noun++) {
            data->kinds[number_of(words, world->form[form].noun[noun])] = (int32_t)form;
        }
    }
    data->kind_count = FORMS;
    return true;
}

/* Lists a sentence for each noun, up to "it is", where its score is taken; all have one length. */
static bool list_probes(struct learn_data *data, struct words *words, struct error *error)
{
    const struct world *const world = &worlds[data->request.language];
    int32_t tokens[LENGTH];
    size_t at;
    data->score_rows = FORMS * NOUNS;
    data->score_width = write_sentence(world, words, 0, 0, ADJECTIVES, tokens, &at);
    data->score_tokens =
        arena_array(&data->arena, data->score_rows * data->score_width, sizeof *data->score_tokens);
    if (data->score_tokens == NULL) {
        return learn_no_memory(error);
    }
    /* One of each kind comes first. */
    for (size_t row = 0; row < data->score_rows; row++) {
        write_sentence(world, words, world->probes[row % FORMS], row / FORMS, ADJECTIVES, tokens,
                       &at);
        memcpy(data->score_tokens + row * data->score_width, tokens,
               data->score_width * sizeof *tokens);
    }
    return true;
}

static size_t sentence_number(size_t form, size_t noun, size_t adjective)
{
    return (form * NOUNS + noun) * ADJECTIVES + adjective;
}

/* Lists the sentences as lines of a text. Their tokens stand behind the stream. */
static bool list_sentences(struct learn_data *data, struct words *words, struct error *error)
{
    const struct world *const world = &worlds[data->request.language];
    size_t end = data->stream_count, bytes = 0, at;
    const char *text[SENTENCES];
    for (size_t s = 0; s < SENTENCES; s++) {
        int32_t *const tokens = data->stream + end;
        const size_t count = write_sentence(world, words, s / ADJECTIVES / NOUNS,
                                            s / ADJECTIVES % NOUNS, s % ADJECTIVES, tokens, &at);
        data->items[s] = end;
        data->line_numbers[s] = (uint32_t)s + 1;
        end += count;
        text[s] = learn_data_text(data, tokens, count);
        if (text[s] == NULL) {
            return learn_no_memory(error);
        }
        bytes += strlen(text[s]) + 1;
    }
    data->items[SENTENCES] = end;
    data->item_count = SENTENCES;
    data->line_start = LEARN_NO_START;
    char *const lines = arena_alloc(&data->arena, bytes);
    if (lines == NULL) {
        return learn_no_memory(error);
    }
    char *next = lines;
    for (size_t s = 0; s < SENTENCES; s++) {
        const size_t length = strlen(text[s]);
        memcpy(next, text[s], length);
        next[length] = '\n';
        next += length + 1;
    }
    data->lines = (struct bytes){(const uint8_t *)lines, bytes};
    return true;
}

/* Draws sentences one behind the other. */
static void draw_stream(struct learn_data *data, struct words *words)
{
    const struct world *const world = &worlds[data->request.language];
    struct random random;
    random_start(&random, data->request.seed, "sentences");
    while (data->stream_count < STREAM) {
        const double chance = random_uniform(&random);
        size_t form = 0, at;
        for (double sum = world->form[0].share; form + 1 < FORMS && chance >= sum;
             sum += world->form[form].share) {
            form++;
        }
        const size_t noun = learn_below(&random, NOUNS);
        const size_t adjective = learn_below(&random, ADJECTIVES);
        const size_t count = write_sentence(world, words, form, noun, adjective,
                                            data->stream + data->stream_count, &at);
        const size_t sentence = sentence_number(form, noun, adjective);
        memset(data->line_of + data->stream_count, (int)sentence, count);
        data->line_times[sentence]++;
        data->stream_count += count;
    }
}

static bool prepare_world(struct learn_data *data, struct error *error)
{
    struct words words = {.count = 0};
    struct arena *const arena = &data->arena;
    data->stream = arena_array(arena, STREAM + LENGTH + SENTENCES * LENGTH, sizeof *data->stream);
    data->line_of = arena_array(arena, STREAM + LENGTH, sizeof *data->line_of);
    data->items = arena_array(arena, SENTENCES + 1, sizeof *data->items);
    data->line_numbers = arena_array(arena, SENTENCES, sizeof *data->line_numbers);
    data->line_times = arena_array(arena, SENTENCES, sizeof *data->line_times);
    if (arena->lacking) {
        return learn_no_memory(error);
    }
    memset(data->line_times, 0, SENTENCES * sizeof *data->line_times);
    if (!list_words(data, &words, error) || !list_probes(data, &words, error)) {
        return false;
    }
    draw_stream(data, &words);
    return list_sentences(data, &words, error);
}

static void world_row(const struct learn_data *data, struct random *random, int32_t *tokens,
                      int32_t *targets)
{
    const size_t n = data->request.context;
    const size_t start = learn_below(random, data->stream_count - n);
    memcpy(tokens, data->stream + start, n * sizeof *tokens);
    memcpy(targets, data->stream + start + 1, n * sizeof *targets);
    for (size_t i = 0; data->request.without.count > 0 && i < n; i++) {
        if (learn_data_is_left_out(data, data->line_of[start + 1 + i])) {
            targets[i] = LEARN_NOT_ASKED;
        }
    }
}

static void world_mark(struct learn_data *data, size_t row, const int32_t *tokens, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        if (data->kinds[tokens[i]] >= 0) {
            learn_data_mark(data, LEARN_SCORE_NOUN, row, width - 1, i);
        }
    }
    learn_mark_previous(data, row, tokens, width);
}

const struct learn_source learn_source_world = {
    .context = 24,
    .batch = 64,
    .context_min = 8,
    .context_max = LEARN_CONTEXT_MAX,
    .causal = true,
    .prepare = prepare_world,
    .row = world_row,
    .mark = world_mark,
};
