/* Reads and writes how things are shown, in lessons and sessions. */
#include "lab/lesson/view_prefs.h"

#include <stdio.h>

static const char *const maps[] = {"blues", "night", "viridis", "cividis", "magma", "grey"};
static const char *const learned[] = {"value", "gradient", "change"};
static const char *const behind[] = {"nothing", "block", "loss"};
enum {
    MAPS = sizeof maps / sizeof maps[0],
    LEARNED = sizeof learned / sizeof learned[0],
    BEHIND = sizeof behind / sizeof behind[0],
    AXES = 3
};

const char *lab_view_prefs_map(size_t index)
{
    return index < MAPS ? maps[index] : NULL;
}

const char *lab_view_prefs_learned(size_t index)
{
    return index < LEARNED ? learned[index] : NULL;
}

const char *lab_view_prefs_behind(size_t index)
{
    return index < BEHIND ? behind[index] : NULL;
}

static bool read_map(struct lab_reading *reading, const struct json *value, void *place,
                     const struct lab_member *member)
{
    struct lab_view_prefs *const view_prefs = place;
    size_t choice = 0;
    (void)member;
    const bool read = lab_read_choice(reading, value, lab_view_prefs_map, MAPS, &choice);
    snprintf(view_prefs->map, sizeof view_prefs->map, "%s", maps[choice]);
    return read;
}

static bool read_learned(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    struct lab_view_prefs *const view_prefs = place;
    (void)member;
    return lab_read_choice(reading, value, lab_view_prefs_learned, LEARNED, &view_prefs->learned);
}

static bool read_behind(struct lab_reading *reading, const struct json *value, void *place,
                        const struct lab_member *member)
{
    struct lab_view_prefs *const view_prefs = place;
    (void)member;
    return lab_read_choice(reading, value, lab_view_prefs_behind, BEHIND, &view_prefs->behind);
}

static bool read_axes(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    struct lab_view_prefs *const view_prefs = place;
    (void)member;
    view_prefs->has_axes = true;
    for (size_t a = 0; a < AXES; a++) {
        int64_t axis = 0;
        if (json_count(value) != AXES || !json_whole_number(json_element(value, a), &axis) ||
            axis < 0 || axis >= LAB_SIZE_MAX) {
            return lab_reading_refuse(reading,
                                      "three dimensions are expected, counted from 0: [0, 1, 2].");
        }
        view_prefs->axes[a] = (size_t)axis;
    }
    return true;
}

static bool read_pan(struct lab_reading *reading, const struct json *value, void *place,
                     const struct lab_member *member)
{
    struct lab_view_prefs *const view_prefs = place;
    const double max = 10000;
    (void)member;
    for (size_t p = 0; p < 2; p++) {
        double pan = 0;
        if (json_count(value) != 2 || !json_number(json_element(value, p), &pan) || pan < -max ||
            pan > max) {
            return lab_reading_refuse(reading, "how far space is moved, across and down: [0, 20].");
        }
        view_prefs->pan[p] = (float)pan;
    }
    return true;
}

static const struct lab_member members[] = {
    {"map", read_map, 0, 0, 0},
    {"to_largest", lab_read_truth, offsetof(struct lab_view_prefs, to_largest), 0, 0},
    {"axes", read_axes, 0, 0, 0},
    {"nothing_selected", lab_read_truth, offsetof(struct lab_view_prefs, nothing_selected), 0, 0},
    {"all_alpha", lab_read_truth, offsetof(struct lab_view_prefs, all_alpha), 0, 0},
    {"pan", read_pan, 0, 0, 0},
    {"learned", read_learned, 0, 0, 0},
    {"behind", read_behind, 0, 0, 0},
    {"latent", lab_read_truth, offsetof(struct lab_view_prefs, latent), 0, 0},
};

bool lab_view_prefs_read(struct lab_reading *reading, const struct json *value,
                         struct lab_view_prefs *view_prefs)
{
    *view_prefs = (struct lab_view_prefs){.map = ""};
    return lab_reading_members(reading, value, members, sizeof members / sizeof members[0],
                               view_prefs);
}

void lab_view_prefs_put(struct json_writer *json, const struct lab_view_prefs *view_prefs,
                        const char *kept)
{
    json_begin_object_in_line(json);
    if (view_prefs->map[0] != 0) {
        json_key(json, "map");
        json_put_text(json, view_prefs->map);
    }
    json_key(json, "to_largest");
    json_put_truth(json, view_prefs->to_largest);
    if (view_prefs->has_axes) {
        json_key(json, "axes");
        json_begin_array(json, JSON_ONE_LINE);
        for (size_t a = 0; a < AXES; a++) {
            json_put_whole_number(json, (int64_t)view_prefs->axes[a]);
        }
        json_end_array(json);
    }
    if (view_prefs->nothing_selected) {
        json_key(json, "nothing_selected");
        json_put_truth(json, true);
    }
    json_key(json, "all_alpha");
    json_put_truth(json, view_prefs->all_alpha);
    json_key(json, "pan");
    json_begin_array(json, JSON_ONE_LINE);
    json_put_float(json, view_prefs->pan[0]);
    json_put_float(json, view_prefs->pan[1]);
    json_end_array(json);
    if (view_prefs->learned > 0 && view_prefs->learned < LEARNED) {
        json_key(json, "learned");
        json_put_text(json, learned[view_prefs->learned]);
    }
    if (view_prefs->behind > 0 && view_prefs->behind < BEHIND) {
        json_key(json, "behind");
        json_put_text(json, behind[view_prefs->behind]);
    }
    if (view_prefs->latent) {
        json_key(json, "latent");
        json_put_truth(json, true);
    }
    lab_unknown_json_put(json, kept);
    json_end_object(json);
}
