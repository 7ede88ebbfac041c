/* lab/lessons.c — the table of lessons, and how their files become experiments. */
#include "lab/lessons.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/embedded.h"
#include "file/json.h"

static const struct lesson {
    const char *name, *title, *summary, *file;
} lessons[] = {
    {"cats", "Cats, dogs and a lion",
     "Four words placed by hand: which of them attend to which, and why?",
     "assets/lessons/cats.json"},
    {"ten", "Ten tokens, 64 dimensions",
     "A sentence as a real layer sees it: 64 dimensions, eight heads, random weights.",
     "assets/lessons/ten.json"},
    {"race", "Who won the race?",
     "Two questions look up three facts: queries, keys and values small enough to do by hand.",
     "assets/lessons/race.json"},
};

enum { LESSONS = sizeof lessons / sizeof lessons[0] };

size_t lab_lesson_count(void)
{
    return LESSONS;
}

const char *lab_lesson_name(size_t index)
{
    return lessons[index].name;
}

const char *lab_lesson_title(size_t index)
{
    return lessons[index].title;
}

const char *lab_lesson_summary(size_t index)
{
    return lessons[index].summary;
}

bool lab_lesson_find(const char *name, size_t *index)
{
    for (size_t l = 0; l < LESSONS; l++) {
        if (strcmp(lessons[l].name, name) == 0) {
            *index = l;
            return true;
        }
    }
    return false;
}

/* A lesson being read. */
struct reading {
    struct lab_experiment *experiment;
    enum lab_stage *stage;
    struct lab_selection *selection;
    struct arena arena;
};

/* Each reads one member into its place; false: it is not what it should be. */
typedef bool (*read_member)(struct reading *reading, const struct json *value, size_t at,
                            struct error *error);

static void *place_of(struct reading *reading, size_t at)
{
    return (char *)reading->experiment + at;
}

static bool read_words(struct reading *reading, const struct json *value, size_t at,
                       struct error *error)
{
    const size_t count = json_count(value);
    const char **const word = arena_array(&reading->arena, count + 1, sizeof *word);
    for (size_t w = 0; word != NULL && w < count; w++) {
        if (!json_text(json_element(value, w), &word[w])) {
            return false;
        }
    }
    const struct lab_words **const place = place_of(reading, at);
    lab_words_release(*place);
    *place = word == NULL ? NULL : lab_words_make(word, count, error);
    return *place != NULL;
}

static bool read_numbers(struct reading *reading, const struct json *value, size_t at,
                         struct error *error)
{
    struct array array;
    if (!json_floats(value, &reading->arena, &array, error) || array.rank < 2 || array.rank > 3) {
        return false;
    }
    const size_t shape[3] = {array.shape[0], array.shape[1], array.rank == 3 ? array.shape[2] : 1};
    const float *const values = array_floats(&array, &reading->arena, error);
    const struct lab_numbers **const place = place_of(reading, at);
    lab_numbers_release(*place);
    *place = values == NULL ? NULL : lab_numbers_make(values, array.rank, shape, error);
    return *place != NULL;
}

static bool read_size(struct reading *reading, const struct json *value, size_t at,
                      struct error *error)
{
    (void)error;
    int64_t whole = 0;
    if (!json_whole_number(value, &whole) || whole < 0 || whole > LAB_SIZE_MAX) {
        return false;
    }
    *(size_t *)place_of(reading, at) = (size_t)whole;
    return true;
}

static bool read_seed(struct reading *reading, const struct json *value, size_t at,
                      struct error *error)
{
    (void)error;
    int64_t whole = 0;
    if (!json_whole_number(value, &whole) || whole < 0) {
        return false;
    }
    *(uint64_t *)place_of(reading, at) = (uint64_t)whole;
    return true;
}

static bool read_truth(struct reading *reading, const struct json *value, size_t at,
                       struct error *error)
{
    (void)error;
    return json_truth(value, place_of(reading, at));
}

static bool read_temperature(struct reading *reading, const struct json *value, size_t at,
                             struct error *error)
{
    (void)error;
    double number = 0;
    if (!json_number(value, &number)) {
        return false;
    }
    *(float *)place_of(reading, at) = (float)number;
    return true;
}

static bool read_embedding(struct reading *reading, const struct json *value, size_t at,
                           struct error *error)
{
    (void)at;
    (void)error;
    const char *name = NULL;
    for (size_t e = 0; json_text(value, &name) && e < LAB_EMBEDDINGS; e++) {
        if (strcmp(lab_embedding_name((enum lab_embedding)e), name) == 0) {
            reading->experiment->embedding = (enum lab_embedding)e;
            return true;
        }
    }
    return false;
}

static bool read_weights(struct reading *reading, const struct json *value, size_t at,
                         struct error *error)
{
    (void)at;
    (void)error;
    const char *name = NULL;
    for (size_t w = 0; json_text(value, &name) && w < LAB_WEIGHTS_KINDS; w++) {
        if (strcmp(lab_weights_name((enum lab_weights)w), name) == 0) {
            reading->experiment->weights = (enum lab_weights)w;
            return true;
        }
    }
    return false;
}

static bool read_mask(struct reading *reading, const struct json *value, size_t at,
                      struct error *error)
{
    (void)at;
    (void)error;
    const char *name = NULL;
    return json_text(value, &name) && lab_mask_find(name, &reading->experiment->mask);
}

static bool read_stage(struct reading *reading, const struct json *value, size_t at,
                       struct error *error)
{
    (void)at;
    (void)error;
    const char *name = NULL;
    return json_text(value, &name) && lab_stage_find(name, reading->stage);
}

static bool find_word(const struct lab_words *words, const struct json *value, size_t *index)
{
    const char *name = NULL;
    for (size_t w = 0; json_text(value, &name) && w < lab_words_count(words); w++) {
        if (strcmp(lab_words_list(words)[w], name) == 0) {
            *index = w;
            return true;
        }
    }
    return false;
}

static bool read_query(struct reading *reading, const struct json *value, size_t at,
                       struct error *error)
{
    (void)at;
    (void)error;
    return find_word(reading->experiment->tokens, value, &reading->selection->query);
}

static bool read_key(struct reading *reading, const struct json *value, size_t at,
                     struct error *error)
{
    (void)at;
    (void)error;
    const struct lab_experiment *const experiment = reading->experiment;
    return find_word(experiment->context == NULL ? experiment->tokens : experiment->context, value,
                     &reading->selection->key);
}

/* In the order in which they are read: words before what names one of them. */
static const struct member {
    const char *name;
    read_member read;
    size_t at;
} members[] = {
    {"tokens", read_words, offsetof(struct lab_experiment, tokens)},
    {"context", read_words, offsetof(struct lab_experiment, context)},
    {"embedding", read_embedding, 0},
    {"embeddings", read_numbers, offsetof(struct lab_experiment, embeddings)},
    {"d_model", read_size, offsetof(struct lab_experiment, d_model)},
    {"weights", read_weights, 0},
    {"W_Q", read_numbers, offsetof(struct lab_experiment, w_q)},
    {"W_K", read_numbers, offsetof(struct lab_experiment, w_k)},
    {"W_V", read_numbers, offsetof(struct lab_experiment, w_v)},
    {"W_O", read_numbers, offsetof(struct lab_experiment, w_o)},
    {"q", read_numbers, offsetof(struct lab_experiment, q)},
    {"k", read_numbers, offsetof(struct lab_experiment, k)},
    {"v", read_numbers, offsetof(struct lab_experiment, v)},
    {"seed", read_seed, offsetof(struct lab_experiment, seed)},
    {"heads", read_size, offsetof(struct lab_experiment, heads)},
    {"d_k", read_size, offsetof(struct lab_experiment, d_k)},
    {"d_v", read_size, offsetof(struct lab_experiment, d_v)},
    {"scale", read_truth, offsetof(struct lab_experiment, scale)},
    {"temperature", read_temperature, offsetof(struct lab_experiment, temperature)},
    {"mask", read_mask, 0},
    {"stage", read_stage, 0},
    {"query", read_query, 0},
    {"key", read_key, 0},
};

enum { MEMBERS = sizeof members / sizeof members[0] };

static bool is_member(const char *name)
{
    for (size_t m = 0; m < MEMBERS; m++) {
        if (strcmp(members[m].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_lesson(struct reading *reading, const struct json *lesson, const char *file,
                        struct error *error)
{
    const char *name = NULL;
    void *place = NULL;
    while (json_next_member(lesson, &place, &name) != NULL) {
        if (!is_member(name)) {
            return error_set(error, ERROR_INPUT, "%s: “%.40s” is not part of a lesson.", file,
                             name);
        }
    }
    for (size_t m = 0; m < MEMBERS; m++) {
        const struct json *const value = json_member(lesson, members[m].name);
        if (value == NULL) {
            continue;
        }
        struct error reason = {ERROR_NONE, 0, ""};
        if (!members[m].read(reading, value, members[m].at, &reason)) {
            return error_set(error, ERROR_INPUT, "%s: “%s” is not right. %s", file, members[m].name,
                             reason.text);
        }
    }
    return lab_experiment_check(reading->experiment, error);
}

bool lab_lesson_open(size_t index, struct lab_experiment *experiment, enum lab_stage *stage,
                     struct lab_selection *selection, struct error *error)
{
    const struct lesson *const lesson = &lessons[index];
    const struct embedded *const text = embedded_find(lesson->file);
    if (text == NULL) {
        return error_set(error, ERROR_INPUT, "The lesson %s is not part of this program.",
                         lesson->name);
    }
    struct json *const tree = json_parse((struct bytes){text->bytes, text->size}, error);
    if (tree == NULL) {
        return false;
    }
    struct reading reading = {.experiment = experiment, .stage = stage, .selection = selection};
    *stage = LAB_SCORE;
    *selection = (struct lab_selection){.projected = LAB_Q};
    bool opened = lab_experiment_default(experiment, error);
    snprintf(experiment->lesson, sizeof experiment->lesson, "%s", lesson->name);
    opened = opened && read_lesson(&reading, tree, lesson->file, error);
    json_release(tree);
    arena_free(&reading.arena);
    if (!opened) {
        lab_experiment_release(experiment);
    }
    return opened;
}
