/* lab/experiment_json.c — the members of an experiment, each read and written by its row. */
#include "lab/experiment_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "lab/edits.h"
#include "lab/experiment_members.h"
#include "lab/reading.h"

static const double whole_max = 9007199254740992.0; /* 2⁵³: beyond it JSON numbers lose digits */

/* The list that place holds, by words; null: none. */
static bool make_words(struct lab_reading *reading, const struct json *value, const char ***word,
                       size_t *count)
{
    *count = json_count(value);
    if (json_kind_of(value) != JSON_KIND_ARRAY) {
        return lab_reading_refuse(reading, "a list of words is expected.");
    }
    *word = arena_array(reading->arena, *count + 1, sizeof **word);
    if (*word == NULL) {
        return error_set(reading->error, ERROR_MEMORY, "There is not enough memory for %zu words.",
                         *count);
    }
    for (size_t w = 0; w < *count; w++) {
        lab_reading_enter(reading, NULL, w);
        if (!json_text(json_element(value, w), &(*word)[w])) {
            return lab_reading_refuse(reading, "word %zu is not a text.", w + 1);
        }
        lab_reading_leave(reading);
    }
    return true;
}

static bool read_tokens(struct lab_reading *reading, const struct json *value, void *place,
                        const struct lab_member *member)
{
    (void)member;
    const char **word = NULL;
    size_t count = 0;
    struct error reason = {ERROR_NONE, 0, ""};
    return make_words(reading, value, &word, &count) &&
           (lab_experiment_set_tokens(place, word, count, &reason) ||
            lab_reading_refuse(reading, "%s", reason.text));
}

static bool read_words(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    const struct lab_words **const words = place;
    const char **word = NULL;
    size_t count = 0;
    struct error reason = {ERROR_NONE, 0, ""};
    struct lab_words *made = NULL;
    if (json_kind_of(value) != JSON_KIND_NULL) {
        if (!make_words(reading, value, &word, &count)) {
            return false;
        }
        made = lab_words_make(word, count, &reason);
        if (made == NULL) {
            return lab_reading_refuse(reading, "%s", reason.text);
        }
    }
    lab_words_release(*words);
    *words = made;
    return true;
}

static bool read_numbers(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    (void)member;
    const struct lab_numbers **const numbers = place;
    struct lab_numbers *made = NULL;
    if (json_kind_of(value) != JSON_KIND_NULL) {
        struct array array;
        struct error reason = {ERROR_NONE, 0, ""};
        if (!json_floats(value, reading->arena, &array, &reason)) {
            return lab_reading_refuse(reading, "%s", reason.text);
        }
        if (array.rank < 2 || array.rank > 3) {
            return lab_reading_refuse(reading, "rows of numbers are expected: [[1, 2], [3, 4]].");
        }
        const size_t shape[3] = {array.shape[0], array.shape[1],
                                 array.rank == 3 ? array.shape[2] : 1};
        const float *const values = array_floats(&array, reading->arena, &reason);
        made = values == NULL ? NULL : lab_numbers_make(values, array.rank, shape, &reason);
        if (made == NULL) {
            return lab_reading_refuse(reading, "%s", reason.text);
        }
    }
    lab_numbers_release(*numbers);
    *numbers = made;
    return true;
}

/* Large seeds are written as texts, which lose no digit. */
static bool read_seed(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    (void)member;
    int64_t whole = 0;
    const char *digits = NULL;
    if (json_text(value, &digits) && text_to_u64(digits, place)) {
        return true;
    }
    if (!json_whole_number(value, &whole) || whole < 0) {
        return lab_reading_refuse(reading, "a whole number from 0 on is expected.");
    }
    *(uint64_t *)place = (uint64_t)whole;
    return true;
}

static const char *embedding_at(size_t index)
{
    return lab_embedding_name((enum lab_embedding)index);
}

static const char *weights_at(size_t index)
{
    return lab_weights_name((enum lab_weights)index);
}

static const char *normalise_at(size_t index)
{
    return lab_normalise_name((enum lab_normalise)index);
}

static bool read_embedding(struct lab_reading *reading, const struct json *value, void *place,
                           const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    const bool read = lab_read_choice(reading, value, embedding_at, LAB_EMBEDDINGS, &choice);
    *(enum lab_embedding *)place = (enum lab_embedding)choice;
    return read;
}

static bool read_weights(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    const bool read = lab_read_choice(reading, value, weights_at, LAB_WEIGHTS_KINDS, &choice);
    *(enum lab_weights *)place = (enum lab_weights)choice;
    return read;
}

static bool read_normalise(struct lab_reading *reading, const struct json *value, void *place,
                           const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    const bool read = lab_read_choice(reading, value, normalise_at, LAB_NORMALISES, &choice);
    *(enum lab_normalise *)place = (enum lab_normalise)choice;
    return read;
}

static bool read_part(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    (void)member;
    const char *name = NULL;
    return (json_text(value, &name) && lab_edits_find_part(name, place)) ||
           lab_reading_refuse(reading, "one of these is expected: X, W_Q, W_K, W_V, W_O, Q, K, V, "
                                       "alpha, X_context, W_DKV, C, W_UK, W_UV.");
}

static const struct lab_member edit_members[] = {
    {"part", read_part, offsetof(struct lab_edit, part), 0, 0},
    {"head", lab_read_size, offsetof(struct lab_edit, head), 0, LAB_HEADS_MAX - 1},
    {"row", lab_read_size, offsetof(struct lab_edit, row), 0, 1 << 20},
    {"column", lab_read_size, offsetof(struct lab_edit, column), 0, 1 << 20},
    {"value", lab_read_float, offsetof(struct lab_edit, value), -3.4028235e38, 3.4028235e38},
};

static bool read_edits(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    const struct lab_edits **const edits = place;
    lab_edits_release(*edits);
    *edits = NULL;
    if (json_kind_of(value) != JSON_KIND_ARRAY && json_kind_of(value) != JSON_KIND_NULL) {
        return lab_reading_refuse(reading, "a list of edited numbers is expected.");
    }
    for (size_t e = 0; e < json_count(value); e++) {
        const struct json *const object = json_element(value, e);
        struct lab_edit edit = {.part = LAB_PARTS};
        struct error reason = {ERROR_NONE, 0, ""};
        lab_reading_enter(reading, NULL, e);
        if (!lab_reading_members(reading, object, edit_members,
                                 sizeof edit_members / sizeof edit_members[0], &edit)) {
            return false;
        }
        if (json_member(object, "part") == NULL || json_member(object, "row") == NULL ||
            json_member(object, "column") == NULL || json_member(object, "value") == NULL) {
            return lab_reading_refuse(reading, "part, row, column and value are needed.");
        }
        struct lab_edits *const more = lab_edits_with(*edits, &edit, &reason);
        if (more == NULL) {
            return lab_reading_refuse(reading, "%s", reason.text);
        }
        lab_edits_release(*edits);
        *edits = more;
        lab_reading_leave(reading);
    }
    return true;
}

#define AT(field) offsetof(struct lab_experiment, field)

/* In the order in which they are read and written. */
static const struct lab_member members[] = {
    {"lesson", lab_read_short_text, AT(lesson), 0, 32},
    {"tokens", read_tokens, 0, 0, 0}, /* of the whole: edits go with their words */
    {"context", read_words, AT(context), 0, 0},
    {"dimensions", read_words, AT(axes), 0, 0},
    {"key_dimensions", read_words, AT(key_axes), 0, 0},
    {"value_dimensions", read_words, AT(value_axes), 0, 0},
    {"layer", lab_read_size, AT(layer), 0, LAB_SIZE_MAX},
    {"layers", lab_read_size, AT(layers), 0, LAB_SIZE_MAX},
    {"embedding", read_embedding, AT(embedding), 0, 0},
    {"embeddings", read_numbers, AT(embeddings), 0, 0},
    {"d_model", lab_read_size, AT(d_model), 1, LAB_SIZE_MAX},
    {"weights", read_weights, AT(weights), 0, 0},
    {"W_Q", read_numbers, AT(w_q), 0, 0},
    {"W_K", read_numbers, AT(w_k), 0, 0},
    {"W_V", read_numbers, AT(w_v), 0, 0},
    {"W_O", read_numbers, AT(w_o), 0, 0},
    {"W_DKV", read_numbers, AT(w_dkv), 0, 0},
    {"W_UK", read_numbers, AT(w_uk), 0, 0},
    {"W_UV", read_numbers, AT(w_uv), 0, 0},
    {"b_Q", read_numbers, AT(b_q), 0, 0},
    {"b_K", read_numbers, AT(b_k), 0, 0},
    {"b_V", read_numbers, AT(b_v), 0, 0},
    {"b_O", read_numbers, AT(b_o), 0, 0},
    {"q", read_numbers, AT(q), 0, 0},
    {"k", read_numbers, AT(k), 0, 0},
    {"v", read_numbers, AT(v), 0, 0},
    {"alpha", read_numbers, AT(alpha), 0, 0},
    {"seed", read_seed, AT(seed), 0, 0},
    {"heads", lab_read_size, AT(heads), 1, LAB_HEADS_MAX},
    {"attention", lab_read_kind, 0, 0, 0},
    {"d_k", lab_read_size, AT(d_k), 0, LAB_SIZE_MAX},
    {"d_v", lab_read_size, AT(d_v), 0, LAB_SIZE_MAX},
    {"positions", lab_read_positions, AT(positions), 0, 0},
    {"scale", lab_read_truth, AT(scale), 0, 0},
    {"temperature", lab_read_float, AT(temperature), 0.01, 100},
    {"mask", lab_read_mask, 0, 0, 0},
    {"painted", lab_read_custom_mask, 0, 0, 0},
    {"normalise", read_normalise, AT(normalise), 0, 0},
    {"keep_maximum", lab_read_truth, AT(keep_maximum), 0, 0},
    {"skip_w_o", lab_read_truth, AT(skip_w_o), 0, 0},
    {"residual", lab_read_truth, AT(residual), 0, 0},
    {"flash", lab_read_flash, 0, 0, 0},
    {"edits", read_edits, AT(edits), 0, 0},
};

enum { MEMBERS = sizeof members / sizeof members[0] };

bool lab_experiment_read(struct lab_reading *reading, const struct json *value,
                         struct lab_experiment *experiment)
{
    struct error reason = {ERROR_NONE, 0, ""};
    if (!lab_reading_members(reading, value, members, MEMBERS, experiment)) {
        return false;
    }
    if (!lab_experiment_check(experiment, &reason)) {
        return lab_reading_refuse(reading, "%s", reason.text);
    }
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    for (size_t e = 0; e < lab_edits_count(experiment->edits); e++) {
        const struct lab_edit edit = lab_edits_at(experiment->edits, e);
        if (!lab_edits_fits(&edit, &sizes)) {
            lab_reading_enter(reading, "edits", 0);
            return lab_reading_refuse(reading, "%s has no row %zu, column %zu in head %zu.",
                                      lab_edits_part_name(edit.part), edit.row, edit.column,
                                      edit.head);
        }
    }
    return true;
}

bool lab_experiment_from_json(struct bytes text, struct lab_experiment *experiment,
                              struct error *error)
{
    struct error own = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct lab_reading reading = {
        .text = text, .arena = &arena, .error = error == NULL ? &own : error};
    struct json *const tree =
        json_parse_within(text, &(struct json_limits){.row = LAB_ROW_MAX}, reading.error);
    if (tree == NULL) {
        return false;
    }
    struct lab_experiment next;
    lab_experiment_copy(&next, experiment);
    const bool read = lab_experiment_read(&reading, tree, &next);
    if (read) {
        lab_experiment_release(experiment);
        *experiment = next;
    } else {
        lab_experiment_release(&next);
    }
    json_release(tree);
    arena_free(&arena);
    return read;
}

void lab_edits_put(struct json_writer *json, const struct lab_edits *edits, enum json_layout layout)
{
    json_begin_array(json, layout);
    for (size_t e = 0; e < lab_edits_count(edits); e++) {
        const struct lab_edit edit = lab_edits_at(edits, e);
        const struct {
            const char *name;
            size_t value;
        } places[] = {{"head", edit.head}, {"row", edit.row}, {"column", edit.column}};
        json_begin_object_in_line(json);
        json_key(json, "part");
        json_put_text(json, lab_edits_part_name(edit.part));
        for (size_t p = 0; p < 3; p++) {
            json_key(json, places[p].name);
            json_put_whole_number(json, (int64_t)places[p].value);
        }
        json_key(json, "value");
        json_put_float(json, edit.value);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_edits(struct json_writer *json, const void *place)
{
    lab_edits_put(json, *(const struct lab_edits *const *)place, JSON_LINES);
}

static void put_seed(struct json_writer *json, const void *place)
{
    const uint64_t seed = *(const uint64_t *)place;
    char digits[24];
    if ((double)seed < whole_max) {
        json_put_whole_number(json, (int64_t)seed);
        return;
    }
    snprintf(digits, sizeof digits, "%" PRIu64, seed);
    json_put_text(json, digits);
}

/* Each writes a member as its reader reads it. */
typedef void (*put_member)(struct json_writer *json, const void *place);

static void put_tokens(struct json_writer *json, const void *place)
{
    const struct lab_experiment *const experiment = place;
    json_put_texts(json, lab_words_list(experiment->tokens), lab_words_count(experiment->tokens));
}

static void put_words(struct json_writer *json, const void *place)
{
    const struct lab_words *const words = *(const struct lab_words *const *)place;
    if (words == NULL) {
        json_put_null(json);
        return;
    }
    json_put_texts(json, lab_words_list(words), lab_words_count(words));
}

static void put_numbers(struct json_writer *json, const void *place)
{
    const struct lab_numbers *const numbers = *(const struct lab_numbers *const *)place;
    if (numbers == NULL) {
        json_put_null(json);
        return;
    }
    json_put_floats(json, lab_numbers_rank(numbers), lab_numbers_shape(numbers),
                    lab_numbers_values(numbers));
}

static void put_size(struct json_writer *json, const void *place)
{
    json_put_whole_number(json, (int64_t)(*(const size_t *)place));
}

static void put_truth(struct json_writer *json, const void *place)
{
    json_put_truth(json, *(const bool *)place);
}

static void put_float(struct json_writer *json, const void *place)
{
    json_put_float(json, *(const float *)place);
}

static void put_short_text(struct json_writer *json, const void *place)
{
    json_put_text(json, place);
}

static void put_embedding(struct json_writer *json, const void *place)
{
    json_put_text(json, lab_embedding_name(*(const enum lab_embedding *)place));
}

static void put_weights(struct json_writer *json, const void *place)
{
    json_put_text(json, lab_weights_name(*(const enum lab_weights *)place));
}

static void put_normalise(struct json_writer *json, const void *place)
{
    json_put_text(json, lab_normalise_name(*(const enum lab_normalise *)place));
}

/* The readers and their writers. */
static const struct way {
    bool (*read)(struct lab_reading *, const struct json *, void *, const struct lab_member *);
    put_member put;
} ways[] = {
    {lab_read_short_text, put_short_text},
    {read_tokens, put_tokens},
    {read_words, put_words},
    {read_embedding, put_embedding},
    {read_numbers, put_numbers},
    {lab_read_size, put_size},
    {read_weights, put_weights},
    {read_seed, put_seed},
    {lab_read_truth, put_truth},
    {lab_read_float, put_float},
    {lab_read_mask, lab_put_mask},
    {lab_read_custom_mask, lab_put_custom_mask},
    {lab_read_kind, lab_put_kind},
    {lab_read_positions, lab_put_positions},
    {lab_read_flash, lab_put_flash},
    {read_normalise, put_normalise},
    {read_edits, put_edits},
};

static void put_value(struct json_writer *json, const struct lab_experiment *experiment,
                      const struct lab_member *member)
{
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        if (ways[w].read == member->read) {
            ways[w].put(json, (const char *)experiment + member->at);
        }
    }
}

/* Two experiments have the same member when it is written in the same letters. Without the memory
 * to find out, json has failed. */
static bool is_same(struct json_writer *json, const struct lab_experiment *a,
                    const struct lab_experiment *b, const struct lab_member *member)
{
    if (member->read == read_numbers) { /* millions of them take seconds to write */
        const void *const left = *(const void *const *)((const char *)a + member->at);
        const void *const right = *(const void *const *)((const char *)b + member->at);
        if (left == right || left == NULL || right == NULL) {
            return left == right;
        }
    }
    struct arena arena = {0};
    struct json_writer left = json_writer_start(&arena), right = json_writer_start(&arena);
    struct bytes a_text = {NULL, 0}, b_text = {NULL, 0};
    put_value(&left, a, member);
    put_value(&right, b, member);
    const bool same = json_writer_finish(&left, &a_text, NULL) &&
                      json_writer_finish(&right, &b_text, NULL) && a_text.size == b_text.size &&
                      memcmp(a_text.at, b_text.at, a_text.size) == 0;
    json->text.failed = json->text.failed || arena.lacking;
    arena_free(&arena);
    return same;
}

void lab_experiment_put(struct json_writer *json, const struct lab_experiment *experiment,
                        const struct lab_experiment *from)
{
    bool moved =
        false; /* what was typed or custom_mask goes with its words: with others all is said */
    json_begin_object(json);
    for (size_t m = 0; m < MEMBERS; m++) {
        const bool follows =
            moved && ((members[m].read == read_edits &&
                       (experiment->edits != NULL || from->edits != NULL)) ||
                      (members[m].read == lab_read_custom_mask &&
                       (experiment->custom_mask != NULL || from->custom_mask != NULL)));
        const bool same = is_same(json, experiment, from, &members[m]);
        moved = moved || (members[m].read == read_tokens && !same);
        if (!same || follows) {
            json_key(json, members[m].name);
            put_value(json, experiment, &members[m]);
        }
    }
    json_end_object(json);
}

bool lab_experiment_to_json(const struct lab_experiment *experiment, struct arena *arena,
                            struct bytes *text, struct error *error)
{
    struct lab_experiment from;
    if (!lab_experiment_default(&from, error)) {
        return false;
    }
    struct json_writer json = json_writer_start(arena);
    lab_experiment_put(&json, experiment, &from);
    lab_experiment_release(&from);
    return json_writer_finish(&json, text, error);
}
