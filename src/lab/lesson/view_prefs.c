/* Reads and writes how things are shown, in lessons and sessions. */
#include "lab/lesson/view_prefs.h"

static const char *const maps[] = {"blues", "night", "viridis", "cividis", "magma", "grey"};
static const char *const signed_maps[] = {"rdbu", "puor", "ash", "tide"};
static const char *const learned[] = {"value", "gradient", "change"};
static const char *const behind[] = {"nothing", "block", "loss"};
static const char *const patched[] = {"nothing", "residual", "head", "alpha", "value"};
enum {
    MAPS = sizeof maps / sizeof maps[0],
    SIGNED_MAPS = sizeof signed_maps / sizeof signed_maps[0],
    LEARNED = sizeof learned / sizeof learned[0],
    BEHIND = sizeof behind / sizeof behind[0],
    PATCHED = sizeof patched / sizeof patched[0],
    AXES = 3
};

const char *lab_view_prefs_map(size_t index)
{
    return index < MAPS ? maps[index] : NULL;
}

const char *lab_view_prefs_signed_map(size_t index)
{
    return index < SIGNED_MAPS ? signed_maps[index] : NULL;
}

const char *lab_view_prefs_learned(size_t index)
{
    return index < LEARNED ? learned[index] : NULL;
}

const char *lab_view_prefs_behind(size_t index)
{
    return index < BEHIND ? behind[index] : NULL;
}

const char *lab_view_prefs_patched(size_t index)
{
    return index < PATCHED ? patched[index] : NULL;
}

static bool read_axes(struct lab_reading *reading, const struct json *value, void *record,
                      const struct lab_member *member)
{
    struct lab_view_prefs *const view_prefs = record;
    (void)member;
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

static void put_axes(struct json_writer *json, const void *record, const struct lab_member *member)
{
    (void)member;
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t a = 0; a < AXES; a++) {
        json_put_whole_number(json, (int64_t)((const struct lab_view_prefs *)record)->axes[a]);
    }
    json_end_array(json);
}

/* clang-format off */
#define AT(TYPE, MEMBER) .type = (TYPE), .key = #MEMBER, .at = offsetof(struct lab_view_prefs, MEMBER)
static const struct lab_member pan_ranges[] = {LAB_RANGE(-10000, 10000), LAB_RANGE(-10000, 10000)};
const struct lab_member lab_view_prefs_members[LAB_VIEW_PREFS_MEMBERS] = {
    {.row = {AT(LAB_MEMBER_TEXT, map), .high = sizeof(((struct lab_view_prefs *)NULL)->map), .name_at = lab_view_prefs_map}},
    {.row = {AT(LAB_MEMBER_TEXT, signed_map), .high = sizeof(((struct lab_view_prefs *)NULL)->signed_map), .name_at = lab_view_prefs_signed_map}},
    {.row = {AT(RECORD_SWITCH, to_largest)}, .is_always = true},
    {.row = {AT(LAB_MEMBER_OWN, axes)}, .read = read_axes, .put = put_axes, .has = offsetof(struct lab_view_prefs, has_axes) + 1},
    {.row = {AT(RECORD_SWITCH, nothing_selected)}},
    {.row = {AT(RECORD_SWITCH, all_alpha)}, .is_always = true},
    {.row = {AT(LAB_MEMBER_NUMBERS, pan), .help = "how far space is moved, across and down: [0, 20]."}, .members = pan_ranges, .count = 2, .is_always = true},
    {.row = {AT(RECORD_CHOICE, learned), .name_at = lab_view_prefs_learned}},
    {.row = {AT(RECORD_CHOICE, behind), .name_at = lab_view_prefs_behind}},
    {.row = {AT(RECORD_SWITCH, latent)}},
    {.row = {AT(RECORD_SWITCH, why)}},
    {.row = {AT(LAB_MEMBER_TEXT, word), .high = sizeof(((struct lab_view_prefs *)NULL)->word)}},
    {.row = {AT(LAB_MEMBER_TEXT, rival), .high = sizeof(((struct lab_view_prefs *)NULL)->rival)}},
    {.row = {AT(LAB_MEMBER_TEXT, changed), .high = sizeof(((struct lab_view_prefs *)NULL)->changed)}},
    {.row = {AT(RECORD_CHOICE, patched), .name_at = lab_view_prefs_patched}},
};
