/* Reads and writes the members of a step that say how weights are looked at. */
#include "lab/lesson/display_json.h"

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

static bool read_places(struct lab_reading *reading, const struct json *value,
                        const struct lab_words *words, struct lab_places *places)
{
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

static bool read_queries(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    (void)member;
    struct display *const display = place;
    return read_places(reading, value, display->queries, &display->display.queries);
}

static bool read_aside(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    struct display *const display = place;
    return read_places(reading, value, display->keys, &display->display.aside);
}

static bool read_colours(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    const bool read = lab_read_choice(reading, value, lab_colours_name, 2, &choice);
    ((struct display *)place)->display.logarithmic = choice == 1;
    return read;
}

static bool read_marks(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    const bool read = lab_read_choice(reading, value, lab_marks_name, 2, &choice);
    ((struct display *)place)->display.discs = choice == 1;
    return read;
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
    static const struct lab_member sides[] = {{"query", read_line_query, 0, 0, 0},
                                              {"key", read_line_key, 0, 0, 0}};
    (void)member;
    if (json_kind_of(value) != JSON_KIND_OBJECT || json_count(value) != 1) {
        return lab_reading_refuse(
            reading, "one word is expected, as query or as key: {\"query\": \"cat\"}.");
    }
    return lab_reading_members(reading, value, sides, 2, place);
}

static const struct lab_member members[] = {
    {"queries", read_queries, 0, 0, 0},
    {"aside", read_aside, 0, 0, 0},
    {"renormalise", lab_read_truth, offsetof(struct display, renormalise), 0, 0},
    {"colours", read_colours, 0, 0, 0},
    {"marks", read_marks, 0, 0, 0},
    {"line", read_line, 0, 0, 0},
    {"change", lab_read_truth, offsetof(struct display, display.change), 0, 0},
    {"lines", lab_read_truth, offsetof(struct display, display.lines), 0, 0},
    {"flow", lab_read_truth, offsetof(struct display, display.flow), 0, 0},
};

static const struct lab_words *keys_of(const struct lab_experiment *experiment)
{
    return experiment->context == NULL ? experiment->tokens : experiment->context;
}

bool lab_display_read(struct lab_reading *reading, const struct json *value,
                      struct lab_experiment *experiment, struct lab_display *display)
{
    struct display next = {.queries = experiment->tokens, .keys = keys_of(experiment)};
    struct lab_places *const aside = &next.display.aside;
    struct error reason = {ERROR_NONE, 0, ""};
    bool read =
        lab_reading_members(reading, value, members, sizeof members / sizeof members[0], &next);
    if (read && next.renormalise && aside->count > 0) {
        read = lab_experiment_hide_keys(experiment, aside->place, aside->count, &reason) ||
               lab_reading_refuse(reading, "%s", reason.text);
        *aside = (struct lab_places){0};
    }
    *display = next.display;
    return read;
}

static void put_places(struct json_writer *json, const char *key, struct lab_places places,
                       size_t words)
{
    lab_places_clamp(&places, words);
    if (places.count > 0) {
        json_key(json, key);
        json_begin_array(json, JSON_ONE_LINE);
        for (size_t p = 0; p < places.count; p++) {
            json_put_whole_number(json, (int64_t)places.place[p]);
        }
        json_end_array(json);
    }
}

static void put_line(struct json_writer *json, const struct lab_display *display,
                     const struct lab_experiment *experiment)
{
    const bool of_key = display->line == LAB_LINE_KEY;
    const size_t words = lab_words_count(of_key ? keys_of(experiment) : experiment->tokens);
    if (display->line != LAB_LINE_NONE && display->line_place < words) {
        json_key(json, "line");
        json_begin_object_in_line(json);
        json_key(json, of_key ? "key" : "query");
        json_put_whole_number(json, (int64_t)display->line_place);
        json_end_object(json);
    }
}

void lab_display_put(struct json_writer *json, const struct lab_display *display,
                     const struct lab_experiment *experiment, const char *kept)
{
    json_begin_object_in_line(json);
    put_places(json, "queries", display->queries, lab_words_count(experiment->tokens));
    put_places(json, "aside", display->aside, lab_words_count(keys_of(experiment)));
    json_key(json, "colours");
    json_put_text(json, lab_colours_name(display->logarithmic ? 1 : 0));
    json_key(json, "marks");
    json_put_text(json, lab_marks_name(display->discs ? 1 : 0));
    put_line(json, display, experiment);
    const struct {
        const char *key;
        bool on;
    } truths[] = {{"change", display->change}, {"lines", display->lines}, {"flow", display->flow}};
    for (size_t t = 0; t < sizeof truths / sizeof truths[0]; t++) {
        if (truths[t].on) {
            json_key(json, truths[t].key);
            json_put_truth(json, true);
        }
    }
    lab_unknown_json_put(json, kept);
    json_end_object(json);
}
