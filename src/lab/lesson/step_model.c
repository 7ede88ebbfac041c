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

static bool read_attention(struct lab_reading *reading, const struct json *value, void *place,
                           const struct lab_member *member)
{
    (void)member;
    return lab_read_choice(reading, value, attention_at, ATTENTIONS,
                           &((struct lab_step_model *)place)->attention);
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

static bool read_temperature(struct lab_reading *reading, const struct json *value, void *place,
                             const struct lab_member *member)
{
    double number = 0;
    if (!json_number(value, &number) || !(number >= member->low && number <= member->high)) {
        return lab_reading_refuse(reading, "a number from %g to %g is expected.", member->low,
                                  member->high);
    }
    ((struct lab_step_model *)place)->temperature = number;
    return true;
}

#define AT(member) offsetof(struct lab_step_model, member)
static const struct lab_member members[] = {
    {"path", lab_read_text, AT(path), 0, LAB_MODEL_PATH_MAX - 1},
    {"ids", read_ids, 0, 0, 0},
    {"source", read_source, 0, 0, 0},
    {"typed", lab_read_truth, AT(typed), 0, 0},
    {"chat", lab_read_truth, AT(chat), 0, 0},
    {"off", read_off, 0, 0, 0},
    {"attention", read_attention, 0, 0, 0},
    {"order", lab_read_short_text, AT(order), 0, sizeof(((struct lab_step_model *)NULL)->order)},
    {"sinks_aside", lab_read_truth, AT(sinks_aside), 0, 0},
    {"folded", lab_read_truth, AT(folded), 0, 0},
    {"temperature", read_temperature, 0, 0.01, 100},
};

bool lab_step_model_read(struct lab_reading *reading, const struct json *value,
                         struct lab_step_model *model)
{
    *model = (struct lab_step_model){.temperature = 1};
    return lab_reading_members(reading, value, members, sizeof members / sizeof members[0], model);
}

static void put_list(struct json_writer *json, const char *key, const uint32_t *list, size_t count)
{
    json_key(json, key);
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t i = 0; i < count; i++) {
        json_put_whole_number(json, (int64_t)list[i]);
    }
    json_end_array(json);
}

static void put_truth(struct json_writer *json, const char *key, bool truth)
{
    if (truth) {
        json_key(json, key);
        json_put_truth(json, true);
    }
}

static void put_off(struct json_writer *json, const struct lab_step_model *model)
{
    bool begun = false;
    for (size_t p = 0; model->off != NULL && p < model->places; p++) {
        if (model->off[p] && !begun) {
            json_key(json, "off");
            json_begin_array(json, JSON_ONE_LINE);
            begun = true;
        }
        if (model->off[p]) {
            json_put_whole_number(json, (int64_t)p);
        }
    }
    if (begun) {
        json_end_array(json);
    }
}

void lab_step_model_put(struct json_writer *json, const struct lab_step_model *model,
                        const char *kept)
{
    json_begin_object(json);
    json_key(json, "path");
    json_put_text(json, model->path);
    put_list(json, "ids", model->ids, model->count);
    if (model->source_count > 0) {
        put_list(json, "source", model->source, model->source_count);
    }
    put_truth(json, "typed", model->typed);
    put_truth(json, "chat", model->chat);
    put_off(json, model);
    if (model->attention > 0 && model->attention < ATTENTIONS) {
        json_key(json, "attention");
        json_put_text(json, attentions[model->attention]);
    }
    if (model->order[0] != '\0') {
        json_key(json, "order");
        json_put_text(json, model->order);
    }
    put_truth(json, "sinks_aside", model->sinks_aside);
    put_truth(json, "folded", model->folded);
    if (model->temperature < 1 || model->temperature > 1) {
        json_key(json, "temperature");
        json_put_double(json, model->temperature);
    }
    lab_unknown_json_put(json, kept);
    json_end_object(json);
}

/* ---- weights beside a session --------------------------------------------------------------- */

static bool read_mark(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    struct lab_step_weights *const weights = place;
    const char *text = NULL;
    (void)member;
    weights->has_mark = json_text(value, &text) && text_to_u64(text, &weights->mark);
    return weights->has_mark || lab_reading_refuse(reading, "a number as a text is expected.");
}

bool lab_step_weights_read(struct lab_reading *reading, const struct json *value, void *place,
                           const struct lab_member *member)
{
    static const struct lab_member of_weights[] = {
        {"folder", lab_read_text, offsetof(struct lab_step_weights, folder), 0,
         LAB_MODEL_PATH_MAX - 1},
        {"mark", read_mark, 0, 0, 0},
    };
    struct lab_step_weights *const weights = place;
    (void)member;
    return lab_reading_members(reading, value, of_weights, 2, weights) &&
           ((weights->folder != NULL && weights->folder[0] != '\0') ||
            lab_reading_refuse(reading, "“%s” is missing.", "folder"));
}

void lab_step_weights_put(struct json_writer *json, const struct lab_step_weights *weights)
{
    char mark[24];
    json_begin_object_in_line(json);
    json_key(json, "folder");
    json_put_text(json, weights->folder);
    if (weights->has_mark) {
        (void)snprintf(mark, sizeof mark, "%" PRIu64, weights->mark);
        json_key(json, "mark");
        json_put_text(json, mark);
    }
    json_end_object(json);
}

const char *lab_step_weights_path(const struct lab_step_weights *weights, const char *path,
                                  struct arena *arena)
{
    const char *const slash = strrchr(path, '/');
    const size_t before =
        slash == NULL || weights->folder[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    return arena_format(arena, "%.*s%s", (int)before, path, weights->folder);
}
