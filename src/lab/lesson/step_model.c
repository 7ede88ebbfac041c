/* Reads and writes the model behind a saved layer, in sessions. */
#include "lab/lesson/step_model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *const attentions[] = {"self", "encoder", "cross"};
enum { ATTENTIONS = sizeof attentions / sizeof attentions[0] };

static const char *attention_at(size_t index)
{
    return index < ATTENTIONS ? attentions[index] : NULL;
}

/* Reads whole numbers from 0 to high into the arena. */
static bool read_list(struct lab_reading *reading, const struct json *value, int64_t high,
                      const uint32_t **list, size_t *count)
{
    static const char wanted[] = "a list of whole numbers from 0 on is expected: [1, 5, 7].";
    const size_t all = json_count(value);
    uint32_t *const room = arena_array(reading->arena, all + 1, sizeof *room);
    if (all == 0 || all > LAB_MODEL_PLACES_MAX || room == NULL) {
        return lab_reading_refuse(reading, wanted);
    }
    for (size_t i = 0; i < all; i++) {
        int64_t number = 0;
        if (!json_whole_number(json_element(value, i), &number) || number < 0 || number > high) {
            return lab_reading_refuse(reading, wanted);
        }
        room[i] = (uint32_t)number;
    }
    *list = room;
    *count = all;
    return true;
}

static bool read_ids(struct lab_reading *reading, const struct json *value, void *place,
                     const struct lab_member *member)
{
    struct lab_step_model *const model = place;
    (void)member;
    return read_list(reading, value, UINT32_MAX, &model->ids, &model->count);
}

static bool read_source(struct lab_reading *reading, const struct json *value, void *place,
                        const struct lab_member *member)
{
    struct lab_step_model *const model = place;
    (void)member;
    return read_list(reading, value, UINT32_MAX, &model->source, &model->source_count);
}

static bool read_off(struct lab_reading *reading, const struct json *value, void *place,
                     const struct lab_member *member)
{
    struct lab_step_model *const model = place;
    const uint32_t *list = NULL;
    size_t count = 0;
    (void)member;
    if (!read_list(reading, value, LAB_MODEL_PLACES_MAX - 1, &list, &count)) {
        return false;
    }
    model->places = 0;
    for (size_t i = 0; i < count; i++) {
        model->places = list[i] >= model->places ? (size_t)list[i] + 1 : model->places;
    }
    bool *const off = arena_array(reading->arena, model->places + 1, sizeof *off);
    if (off == NULL) {
        return lab_reading_refuse(reading, "There is not enough memory.");
    }
    memset(off, 0, model->places * sizeof *off);
    for (size_t i = 0; i < count; i++) {
        off[list[i]] = true;
    }
    model->off = off;
    return true;
}

static void put_list(struct json_writer *json, const uint32_t *list, size_t count)
{
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t i = 0; i < count; i++) {
        json_put_whole_number(json, (int64_t)list[i]);
    }
    json_end_array(json);
}

static void put_ids(struct json_writer *json, const void *record, const struct lab_member *member)
{
    (void)member;
    const struct lab_step_model *const model = record;
    put_list(json, model->ids, model->count);
}

static bool has_source(const void *record, const struct lab_member *member)
{
    (void)member;
    return ((const struct lab_step_model *)record)->source_count > 0;
}

static void put_source(struct json_writer *json, const void *record,
                       const struct lab_member *member)
{
    (void)member;
    const struct lab_step_model *const model = record;
    put_list(json, model->source, model->source_count);
}

static bool has_off(const void *record, const struct lab_member *member)
{
    (void)member;
    const struct lab_step_model *const model = record;
    return model->off != NULL && memchr(model->off, true, model->places) != NULL;
}

static void put_off(struct json_writer *json, const void *record, const struct lab_member *member)
{
    (void)member;
    const struct lab_step_model *const model = record;
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t p = 0; p < model->places; p++) {
        if (model->off[p]) {
            json_put_whole_number(json, (int64_t)p);
        }
    }
    json_end_array(json);
}

static bool read_changes(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    static const char wanted[] = "a list of changes is expected: [\"MLP0\", \"L0H1:8>5\"].";
    struct lab_step_model *const model = place;
    const size_t all = json_count(value);
    const char **const list = arena_array(reading->arena, all + 1, sizeof *list);
    (void)member;
    if (all == 0 || all > LAB_MODEL_CHANGES_MAX || list == NULL) {
        return lab_reading_refuse(reading, wanted);
    }
    for (size_t i = 0; i < all; i++) {
        if (!json_text(json_element(value, i), &list[i]) ||
            strlen(list[i]) >= LAB_MODEL_CHANGE_LENGTH) {
            return lab_reading_refuse(reading, wanted);
        }
        list[i] = arena_text(reading->arena, list[i], strlen(list[i]));
        if (list[i] == NULL) {
            return lab_reading_refuse(reading, "There is not enough memory.");
        }
    }
    model->changes = list;
    model->change_count = all;
    return true;
}

static bool has_changes(const void *record, const struct lab_member *member)
{
    (void)member;
    return ((const struct lab_step_model *)record)->change_count > 0;
}

static void put_changes(struct json_writer *json, const void *record,
                        const struct lab_member *member)
{
    (void)member;
    const struct lab_step_model *const model = record;
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t c = 0; c < model->change_count; c++) {
        json_put_text(json, model->changes[c]);
    }
    json_end_array(json);
}

/* clang-format off */
#define AT(TYPE, MEMBER) .type = (TYPE), .key = #MEMBER, .at = offsetof(struct lab_step_model, MEMBER)
const struct lab_member lab_step_model_members[LAB_STEP_MODEL_MEMBERS] = {
    {.row = {AT(LAB_MEMBER_LONG_TEXT, path), .high = LAB_MODEL_PATH_MAX - 1}},
    {.row = {AT(LAB_MEMBER_OWN, ids)}, .read = read_ids, .put = put_ids, .is_always = true},
    {.row = {AT(LAB_MEMBER_OWN, source)}, .read = read_source, .put = put_source, .is_there = has_source},
    {.row = {AT(RECORD_SWITCH, typed)}},
    {.row = {AT(RECORD_SWITCH, chat)}},
    {.row = {AT(LAB_MEMBER_OWN, off)}, .read = read_off, .put = put_off, .is_there = has_off},
    {.row = {AT(LAB_MEMBER_OWN, changes)}, .read = read_changes, .put = put_changes, .is_there = has_changes},
    {.row = {AT(RECORD_CHOICE, attention), .name_at = attention_at}},
    {.row = {AT(LAB_MEMBER_TEXT, order), .high = sizeof(((struct lab_step_model *)NULL)->order)}},
    {.row = {AT(RECORD_SWITCH, sinks_aside)}},
    {.row = {AT(RECORD_SWITCH, folded)}},
    {.row = {AT(RECORD_DOUBLE, temperature), .low = 0.01, .high = 100, .standard = 1}},
};
/* clang-format on */

/* ---- weights beside a session --------------------------------------------------------------- */

static bool read_mark(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    const char *text = NULL;
    (void)member;
    return (json_text(value, &text) &&
            text_to_u64(text, &((struct lab_step_weights *)place)->mark)) ||
           lab_reading_refuse(reading, "a number as a text is expected.");
}

static void put_mark(struct json_writer *json, const void *record, const struct lab_member *member)
{
    (void)member;
    char mark[24];
    (void)snprintf(mark, sizeof mark, "%" PRIu64, ((const struct lab_step_weights *)record)->mark);
    json_put_text(json, mark);
}

/* clang-format off */
#define OF(TYPE, MEMBER) .type = (TYPE), .key = #MEMBER, .at = offsetof(struct lab_step_weights, MEMBER)
const struct lab_member lab_step_weights_members[LAB_STEP_WEIGHTS_MEMBERS] = {
    {.row = {OF(LAB_MEMBER_LONG_TEXT, folder), .high = LAB_MODEL_PATH_MAX - 1}, .is_needed = true},
    {.row = {OF(LAB_MEMBER_OWN, mark)}, .read = read_mark, .put = put_mark, .has = offsetof(struct lab_step_weights, has_mark) + 1},
};
/* clang-format on */

const char *lab_step_weights_path(const struct lab_step_weights *weights, const char *path,
                                  struct arena *arena)
{
    const char *const slash = strrchr(path, '/');
    const size_t before =
        slash == NULL || weights->folder[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    return arena_format(arena, "%.*s%s", (int)before, path, weights->folder);
}
