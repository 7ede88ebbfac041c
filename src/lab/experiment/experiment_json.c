/* lab/experiment/experiment_json.c — reads and writes the parameters of an experiment by their
 * types. */
#include "lab/experiment/experiment_json.h"

#include <stdio.h>
#include <string.h>

#include "file/record_json.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/experiment_members.h"
#include "lab/experiment/params.h"
#include "lab/experiment/reading.h"

/* Returns where a member stands. */
static void *place_of(const struct lab_member *member, void *experiment)
{
    return (char *)experiment + member->row.at;
}

/* Replaces the list in place by one of these words; null: by none. */
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
    const struct lab_words **const words = place_of(member, place);
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

/* The list stays as it is until the room that trains reads it. */
static bool read_training(struct lab_reading *reading, const struct json *value, void *place,
                          const struct lab_member *member)
{
    const struct lab_training **const training = place_of(member, place);
    const struct lab_words *lines = NULL;
    const struct lab_member of_lines = {.row.at = 0};
    if (!read_words(reading, value, &lines, &of_lines)) {
        return false;
    }
    struct lab_training *const made = lines == NULL ? NULL : lab_training_of_lines(lines);
    const bool done = lines == NULL || made != NULL;
    lab_words_release(lines);
    lab_training_release(*training);
    *training = made;
    return done || lab_reading_refuse(reading, "There is not enough memory.");
}

static bool read_numbers(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    const struct lab_numbers **const numbers = place_of(member, place);
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

static bool read_part(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    (void)member;
    const char *name = NULL;
    return (json_text(value, &name) &&
            lab_edits_find_part(name, &((struct lab_edit *)place)->part)) ||
           lab_reading_refuse(reading, "one of these is expected: X, W_Q, W_K, W_V, W_O, Q, K, V, "
                                       "alpha, X_context, W_DKV, C, W_UK, W_UV.");
}

static void put_part(struct json_writer *json, const void *record, const struct lab_member *member)
{
    (void)member;
    json_put_text(json, lab_edits_part_name(((const struct lab_edit *)record)->part));
}

/* clang-format off */
#define AT(TYPE, MEMBER) .type = (TYPE), .key = #MEMBER, .at = offsetof(struct lab_edit, MEMBER)
static const struct lab_member edit_members[] = {
    {.row = {AT(LAB_MEMBER_OWN, part)}, .read = read_part, .put = put_part, .is_needed = true, .is_always = true},
    {.row = {AT(RECORD_COUNT, head), .high = LAB_HEADS_MAX - 1}, .is_always = true},
    {.row = {AT(RECORD_COUNT, row), .high = 1 << 20}, .is_needed = true, .is_always = true},
    {.row = {AT(RECORD_COUNT, column), .high = 1 << 20}, .is_needed = true, .is_always = true},
    {.row = {AT(RECORD_NUMBER, value), .low = -RECORD_UNBOUNDED, .high = RECORD_UNBOUNDED}, .is_needed = true, .is_always = true},
};
/* clang-format on */

enum { EDIT_MEMBERS = sizeof edit_members / sizeof edit_members[0] };

static bool read_edits(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    const struct lab_edits **const edits = place_of(member, place);
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
        if (!lab_reading_members(reading, object, edit_members, EDIT_MEMBERS, &edit)) {
            return false;
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

/* How values are read that no record has. */
static bool (*const readers[LAB_TYPES])(struct lab_reading *, const struct json *, void *,
                                        const struct lab_member *) = {
    [LAB_TYPE_TOKENS] = read_tokens, /* typed numbers and masks move with their words */
    [LAB_TYPE_WORDS] = read_words,     [LAB_TYPE_TRAINING] = read_training,
    [LAB_TYPE_NUMBERS] = read_numbers, [LAB_TYPE_KIND] = lab_read_kind,
    [LAB_TYPE_MASK] = lab_read_mask,   [LAB_TYPE_CUSTOM_MASK] = lab_read_custom_mask,
    [LAB_TYPE_TILES] = lab_read_flash, [LAB_TYPE_EDITS] = read_edits,
};

/* Lists the rows that JSON knows as members to be read, and returns their number. */
static size_t list_members(struct lab_member members[LAB_PARAM_NONE])
{
    size_t count = 0;
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        if (param->key != NULL) {
            struct lab_member *const member = &members[count++];
            *member = (struct lab_member){.row = param->row, .read = readers[param->type]};
            member->row.low = param->automatic ? 0 : param->low;
            member->row.type = param->type == LAB_TYPE_TEXT ? LAB_MEMBER_TEXT : param->type;
        }
    }
    return count;
}

bool lab_experiment_read(struct lab_reading *reading, const struct json *value,
                         struct lab_experiment *experiment)
{
    struct error reason = {ERROR_NONE, 0, ""};
    struct lab_member members[LAB_PARAM_NONE];
    const size_t count = list_members(members);
    if (!lab_reading_members(reading, value, members, count, experiment)) {
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

void lab_edits_put(struct json_writer *json, const struct lab_edits *edits, enum json_layout layout)
{
    json_begin_array(json, layout);
    for (size_t e = 0; e < lab_edits_count(edits); e++) {
        const struct lab_edit edit = lab_edits_at(edits, e);
        json_begin_object_in_line(json);
        lab_members_put(json, edit_members, EDIT_MEMBERS, &edit, NULL);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_words(struct json_writer *json, const struct lab_words *words)
{
    json_put_texts(json, lab_words_list(words), lab_words_count(words));
}

static void put_numbers(struct json_writer *json, const struct lab_numbers *numbers)
{
    json_put_floats(json, lab_numbers_rank(numbers), lab_numbers_shape(numbers),
                    lab_numbers_values(numbers));
}

/* Writes words and arrays where there are any. */
static void put_reference(struct json_writer *json, const struct lab_param *param,
                          const void *reference)
{
    if (reference == NULL) {
        json_put_null(json);
    } else if (param->type == LAB_TYPE_WORDS) {
        put_words(json, reference);
    } else if (param->type == LAB_TYPE_TRAINING) {
        struct lab_words *const lines = lab_training_lines(reference);
        json->text.failed = json->text.failed || lines == NULL;
        put_words(json, lines);
        lab_words_release(lines);
    } else {
        put_numbers(json, reference);
    }
}

/* Writes a value in the form that its reader reads. */
static void put_value(struct json_writer *json, const struct lab_param *param,
                      const struct lab_experiment *experiment)
{
    const void *const value = lab_param_value(param, experiment);
    switch (param->type) {
    case LAB_TYPE_TEXT:
        json_put_text(json, value);
        break;
    case LAB_TYPE_TOKENS:
        put_words(json, experiment->tokens);
        break;
    case LAB_TYPE_WORDS:
    case LAB_TYPE_TRAINING:
    case LAB_TYPE_NUMBERS:
        put_reference(json, param, *(const void *const *)value);
        break;
    case LAB_TYPE_NUMBER: /* the one that holds, where the member leaves it open */
        json_put_float(json, (float)lab_param_holds(param, experiment));
        break;
    case LAB_TYPE_KIND:
        lab_put_kind(json, experiment);
        break;
    case LAB_TYPE_MASK:
        lab_put_mask(json, experiment);
        break;
    case LAB_TYPE_CUSTOM_MASK:
        lab_put_custom_mask(json, experiment);
        break;
    case LAB_TYPE_TILES:
        lab_put_flash(json, experiment);
        break;
    case LAB_TYPE_EDITS:
        lab_edits_put(json, experiment->edits, JSON_LINES);
        break;
    default:
        record_json_put(json, &param->row, experiment);
        break;
    }
}

void lab_experiment_put(struct json_writer *json, const struct lab_experiment *experiment,
                        const struct lab_experiment *from, const char *kept)
{
    bool moved = false; /* with other words, typed numbers and masks are written in full */
    json_begin_object(json);
    for (size_t p = 0; p < lab_param_count(); p++) {
        const struct lab_param *const param = lab_param_row((enum lab_param_id)p);
        const bool same = param->key == NULL || lab_param_equal(param, experiment, from) ||
                          (experiment->learned != NULL && lab_param_is_made(param));
        const bool of_hand = param->type == LAB_TYPE_EDITS || param->type == LAB_TYPE_CUSTOM_MASK;
        const bool follows = moved && of_hand &&
                             (*(const void *const *)lab_param_value(param, experiment) != NULL ||
                              *(const void *const *)lab_param_value(param, from) != NULL);
        moved = moved || (param->type == LAB_TYPE_TOKENS && !same);
        if (!same || follows) {
            json_key(json, param->key);
            put_value(json, param, experiment);
        }
    }
    lab_unknown_json_put(json, kept);
    json_end_object(json);
}
