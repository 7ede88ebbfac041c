/* Reads and writes the members of a step that say how weights are looked at. */
#include "lab/lesson/display_json.h"

#include <string.h>

/* The display that is read, and the experiment whose words it names. */
struct display {
    struct lab_display display;
    const struct lab_words *queries, *keys;
    bool renormalise;
};

const char *lab_colours_name(size_t index)
{
    static const char *const names[] = {"linear", "log"};
    return index < 2 ? names[index] : NULL;
}

const char *lab_marks_name(size_t index)
{
    static const char *const names[] = {"squares", "discs"};
    return index < 2 ? names[index] : NULL;
}

/* Returns the words that the places of a member are of. */
static const struct lab_words *words_of(const struct display *display,
                                        const struct lab_member *member)
{
    const bool of_queries = member->row.at == offsetof(struct display, display.queries);
    return of_queries ? display->queries : display->keys;
}

static bool read_places(struct lab_reading *reading, const struct json *value, void *record,
                        const struct lab_member *member)
{
    const struct lab_words *const words = words_of(record, member);
    struct lab_places *const places = (void *)((char *)record + member->row.at);
    const size_t count = json_count(value);
    if (json_kind_of(value) != JSON_KIND_ARRAY || count > LAB_PLACES_MAX) {
        return lab_reading_refuse(reading, "a list of at most %d words is expected: [\"cat\"].",
                                  LAB_PLACES_MAX);
    }
    for (size_t p = 0; p < count; p++) {
        size_t place = 0;
        if (!lab_read_place(reading, json_element(value, p), words, &place)) {
            return false;
        }
        if (!lab_places_has(places, place)) {
            lab_places_turn(places, place);
        }
    }
    return true;
}

/* The value is {"query": "dog"} or {"key": 1}. */
static bool read_line_query(struct lab_reading *reading, const struct json *value, void *place,
                            const struct lab_member *member)
{
    (void)member;
    struct display *const display = place;
    display->display.line = LAB_LINE_QUERY;
    return lab_read_place(reading, value, display->queries, &display->display.line_place);
}

static bool read_line_key(struct lab_reading *reading, const struct json *value, void *place,
                          const struct lab_member *member)
{
    (void)member;
    struct display *const display = place;
    display->display.line = LAB_LINE_KEY;
    return lab_read_place(reading, value, display->keys, &display->display.line_place);
}

static bool read_line(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    static const struct lab_member sides[] = {
        {.row = {.type = LAB_MEMBER_OWN, .key = "query"}, .read = read_line_query},
        {.row = {.type = LAB_MEMBER_OWN, .key = "key"}, .read = read_line_key}};
    (void)member;
    if (json_kind_of(value) != JSON_KIND_OBJECT || json_count(value) != 1) {
        return lab_reading_refuse(
            reading, "one word is expected, as query or as key: {\"query\": \"cat\"}.");
    }
    return lab_reading_members(reading, value, sides, 2, place);
}

/* Says whether one of the places is still there. */
static bool has_places(const void *record, const struct lab_member *member)
{
    const struct lab_places *const places = (const void *)((const char *)record + member->row.at);
    return places->count > 0 && places->place[0] < lab_words_count(words_of(record, member));
}

static void put_places(struct json_writer *json, const void *record,
                       const struct lab_member *member)
{
    struct lab_places places;
    memcpy(&places, (const char *)record + member->row.at, sizeof places);
    lab_places_clamp(&places, lab_words_count(words_of(record, member)));
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t p = 0; p < places.count; p++) {
        json_put_whole_number(json, (int64_t)places.place[p]);
    }
    json_end_array(json);
}

static bool has_line(const void *record, const struct lab_member *member)
{
    (void)member;
    const struct display *const of = record;
    const bool of_key = of->display.line == LAB_LINE_KEY;
    return of->display.line != LAB_LINE_NONE &&
           of->display.line_place < lab_words_count(of_key ? of->keys : of->queries);
}

static void put_line(struct json_writer *json, const void *record, const struct lab_member *member)
{
    (void)member;
    const struct display *const of = record;
    json_begin_object_in_line(json);
    json_key(json, of->display.line == LAB_LINE_KEY ? "key" : "query");
    json_put_whole_number(json, (int64_t)of->display.line_place);
    json_end_object(json);
}

/* clang-format off */
#define SWITCH(KEY, MEMBER) .type = RECORD_SWITCH, .key = (KEY), .at = offsetof(struct display, MEMBER)
#define PLACES(MEMBER) .row = {.type = LAB_MEMBER_OWN, .key = #MEMBER, .at = offsetof(struct display, display.MEMBER)}, .read = read_places, .put = put_places, .is_there = has_places
static const struct lab_member members[] = {
    {PLACES(queries)},
    {PLACES(aside)},
    {.row = {SWITCH("renormalise", renormalise)}},
    {.row = {SWITCH("colours", display.logarithmic), .name_at = lab_colours_name}, .is_always = true},
    {.row = {SWITCH("marks", display.discs), .name_at = lab_marks_name}, .is_always = true},
    {.row = {.type = LAB_MEMBER_OWN, .key = "line"}, .read = read_line, .put = put_line, .is_there = has_line},
    {.row = {SWITCH("change", display.change)}},
    {.row = {SWITCH("lines", display.lines)}},
    {.row = {SWITCH("flow", display.flow)}},
};
/* clang-format on */

enum { MEMBERS = sizeof members / sizeof members[0] };

/* A display, and the words of the experiment that it names. */
static struct display display_of(const struct lab_experiment *experiment)
{
    return (struct display){.queries = experiment->tokens,
                            .keys = experiment->context == NULL ? experiment->tokens
                                                                : experiment->context};
}

bool lab_display_read(struct lab_reading *reading, const struct json *value,
                      struct lab_experiment *experiment, struct lab_display *display)
{
    struct display next = display_of(experiment);
    struct lab_places *const aside = &next.display.aside;
    struct error reason = {ERROR_NONE, 0, ""};
    bool read = lab_reading_members(reading, value, members, MEMBERS, &next);
    if (read && next.renormalise && aside->count > 0) {
        read = lab_experiment_hide_keys(experiment, aside->place, aside->count, &reason) ||
               lab_reading_refuse(reading, "%s", reason.text);
        *aside = (struct lab_places){0};
    }
    *display = next.display;
    return read;
}

void lab_display_put(struct json_writer *json, const struct lab_display *display,
                     const struct lab_experiment *experiment, const char *kept)
{
    struct display of = display_of(experiment);
    of.display = *display;
    json_begin_object_in_line(json);
    lab_members_put(json, members, MEMBERS, &of, kept);
    json_end_object(json);
}
