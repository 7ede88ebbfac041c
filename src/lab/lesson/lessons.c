/* lab/lesson/lessons.c — lessons and sessions as files: reading, with errors that name line and
 * key, and writing; and the table of built-in lessons. */
#include "lab/lesson/lessons.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "lab/experiment/experiment_json.h"
#include "lab/experiment/reading.h"
#include "lab/lesson/display_json.h"
#include "lab/lesson/view_prefs.h"

static const char format_name[] = "attnscope-lesson";
enum { VERSION = 1, TITLE_BYTES_MAX = 200 };

/* Sets of parts of the window are bits; in a file each has its name. */
enum { PARTS = 7, THEMES = 3 };

/* Returns what a step hides: bit i of enum lab_hide. */
static const char *hide_at(size_t index)
{
    static const char *const names[PARTS] = {"settings", "space",  "heads", "formula",
                                             "ribbon",   "tokens", "status"};
    return names[index];
}

/* Returns what a step shows: bit i of enum lab_panel. */
static const char *panel_at(size_t index)
{
    static const char *const names[PARTS] = {"stage", "space", "heads", "head",
                                             "costs", "kinds", "decode"};
    return names[index];
}

static const char *theme_at(size_t index)
{
    static const char *const names[THEMES] = {"light", "dark", "grey"};
    return names[index];
}

static const char *guess_at(size_t index)
{
    static const char *const names[LAB_GUESSES] = {"nothing", "cell", "bar", "winner"};
    return names[index];
}

static const char *stage_at(size_t index)
{
    return lab_stage_row((enum lab_stage)index)->name;
}

static const char *projected_at(size_t index)
{
    static const char *const names[] = {"Q", "K", "V"};
    return names[index];
}

static bool read_query(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    struct lab_step *const step = place;
    return lab_read_place(reading, value, step->experiment.tokens, &step->selection.query);
}

static bool read_key(struct lab_reading *reading, const struct json *value, void *place,
                     const struct lab_member *member)
{
    (void)member;
    struct lab_step *const step = place;
    const struct lab_experiment *const experiment = &step->experiment;
    return lab_read_place(reading, value,
                          experiment->context == NULL ? experiment->tokens : experiment->context,
                          &step->selection.key);
}

static bool read_step_experiment(struct lab_reading *reading, const struct json *value, void *place,
                                 const struct lab_member *member)
{
    (void)member;
    struct lab_step *const step = place;
    step->changes = true;
    reading->kept = &step->kept.experiment;
    return lab_experiment_read(reading, value, &step->experiment);
}

static bool read_stage(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    const bool read = lab_read_choice(reading, value, stage_at, LAB_STAGES, &choice);
    ((struct lab_step *)place)->stage = (enum lab_stage)choice;
    return read;
}

static bool read_projected(struct lab_reading *reading, const struct json *value, void *place,
                           const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    const bool read = lab_read_choice(reading, value, projected_at, 3, &choice);
    ((struct lab_step *)place)->selection.projected = (enum lab_part)((size_t)LAB_Q + choice);
    return read;
}

static bool read_camera(struct lab_reading *reading, const struct json *value, void *place,
                        const struct lab_member *member)
{
    static const double low[] = {-3600, -90, 0.01}, high[] = {3600, 90, 100};
    (void)member;
    struct lab_step *const step = place;
    step->has_camera = true;
    for (size_t c = 0; c < 3; c++) {
        double number = 0;
        if (json_count(value) != 3 || !json_number(json_element(value, c), &number) ||
            !(number >= low[c]) || !(number <= high[c])) {
            return lab_reading_refuse(
                reading, "azimuth and elevation in degrees and a zoom are expected: [30, 20, 1].");
        }
        step->camera[c] = (float)number;
    }
    return true;
}

static bool read_position(struct lab_reading *reading, const struct json *value, void *place,
                          const struct lab_member *member)
{
    (void)member;
    struct lab_step *const step = place;
    double number = 0;
    if (!json_number(value, &number) || !(number >= 0) || !(number <= 1)) {
        return lab_reading_refuse(reading, "a moment is 0 … 1: 0.5 is half the stage.");
    }
    step->has_position = true;
    step->position = (float)number;
    return true;
}

static bool read_parts(struct lab_reading *reading, const struct json *value,
                       const char *(*name_at)(size_t index), unsigned *bits)
{
    if (json_kind_of(value) != JSON_KIND_ARRAY) {
        return lab_reading_refuse(reading, "a list is expected: [\"%s\"].", name_at(0));
    }
    for (size_t p = 0; p < json_count(value); p++) {
        size_t choice = 0;
        if (!lab_read_choice(reading, json_element(value, p), name_at, PARTS, &choice)) {
            return false;
        }
        *bits |= 1u << choice;
    }
    return true;
}

static bool read_hide(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    (void)member;
    return read_parts(reading, value, hide_at, &((struct lab_step *)place)->hide);
}

static bool read_panels(struct lab_reading *reading, const struct json *value, void *place,
                        const struct lab_member *member)
{
    (void)member;
    return read_parts(reading, value, panel_at, &((struct lab_step *)place)->panels);
}

static bool read_display(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    (void)member;
    struct lab_step *const step = place;
    step->has_display = true;
    step->changes |= json_member(value, "renormalise") != NULL;
    reading->kept = &step->kept.display;
    return lab_display_read(reading, value, &step->experiment, &step->display);
}

static bool read_view_prefs(struct lab_reading *reading, const struct json *value, void *place,
                            const struct lab_member *member)
{
    (void)member;
    struct lab_step *const step = place;
    step->has_view_prefs = true;
    reading->kept = &step->kept.view_prefs;
    return lab_view_prefs_read(reading, value, &step->view_prefs);
}

static bool read_model(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    struct lab_step *const step = place;
    reading->kept = &step->kept.model;
    return lab_step_model_read(reading, value, &step->model);
}

static bool read_theme(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    struct lab_step *const step = place;
    const bool read = lab_read_choice(reading, value, theme_at, THEMES, &choice);
    snprintf(step->theme, sizeof step->theme, "%s", theme_at(choice));
    return read;
}

static bool read_guess_hide(struct lab_reading *reading, const struct json *value, void *place,
                            const struct lab_member *member)
{
    (void)member;
    size_t choice = 0;
    const bool read = lab_read_choice(reading, value, guess_at, LAB_GUESSES, &choice);
    ((struct lab_step *)place)->guess = (enum lab_guess)choice;
    return read;
}

static bool read_guess(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    static const struct lab_member hide = {"hide", read_guess_hide, 0, 0, 0};
    (void)member;
    reading->kept = &((struct lab_step *)place)->kept.guess;
    return lab_reading_members(reading, value, &hide, 1, place);
}

/* The experiment is read before the members that name its words. */
static const struct lab_member step_members[] = {
    {"experiment", read_step_experiment, 0, 0, 0},
    {"caption", lab_read_text, offsetof(struct lab_step, caption), 0, LAB_CAPTION_BYTES_MAX},
    {"other_numbers", lab_read_truth, offsetof(struct lab_step, other_numbers), 0, 0},
    {"stage", read_stage, 0, 0, 0},
    {"query", read_query, 0, 0, 0},
    {"key", read_key, 0, 0, 0},
    {"head", lab_read_size, offsetof(struct lab_step, selection.head), 0, LAB_HEADS_MAX - 1},
    {"channel", lab_read_size, offsetof(struct lab_step, selection.channel), 0, LAB_SIZE_MAX - 1},
    {"weight", lab_read_size, offsetof(struct lab_step, selection.weight), 0, LAB_SIZE_MAX},
    {"projected", read_projected, 0, 0, 0},
    {"camera", read_camera, 0, 0, 0},
    {"moment", read_position, 0, 0, 0},
    {"panels", read_panels, 0, 0, 0},
    {"hide", read_hide, 0, 0, 0},
    {"theme", read_theme, 0, 0, 0},
    {"display", read_display, 0, 0, 0},
    {"window", read_view_prefs, 0, 0, 0},
    {"model", read_model, 0, 0, 0},
    {"saved_weights", lab_step_weights_read, offsetof(struct lab_step, weights), 0, 0},
    {"guess", read_guess, 0, 0, 0},
};

enum { STEP_MEMBERS = sizeof step_members / sizeof step_members[0] };

static size_t channels_at(const struct lab_step *step, const struct lab_sizes *sizes)
{
    const bool model = step->stage == LAB_EMBED || step->stage == LAB_OUTPUT;
    if (step->experiment.learned != NULL) { /* its sizes follow from the run */
        return LAB_SIZE_MAX;
    }
    const bool key = step->stage == LAB_PROJECT && step->selection.projected != LAB_V;
    return model && !sizes->raw ? sizes->d_model : key ? sizes->d_k : sizes->d_v;
}

/* Clamps what was carried over from the step before to what exists here; what this step names
 * itself must exist. */
static bool fit_selection(struct lab_reading *reading, const struct json *object,
                          struct lab_step *step)
{
    const struct lab_sizes sizes = lab_experiment_sizes(&step->experiment);
    const struct {
        const char *name;
        size_t *place, count;
    } places[] = {{"query", &step->selection.query, sizes.n},
                  {"key", &step->selection.key, sizes.m},
                  {"head", &step->selection.head, sizes.heads},
                  {"channel", &step->selection.channel, channels_at(step, &sizes)}};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        const bool is_none = places[p].count == 0 && *places[p].place == 0;
        if (*places[p].place < places[p].count || is_none) {
            continue;
        }
        if (json_member(object, places[p].name) != NULL) {
            lab_reading_enter(reading, places[p].name, 0);
            return lab_reading_refuse(reading, "there are %zu, counted from 0, at this step.",
                                      places[p].count);
        }
        *places[p].place = 0;
    }
    return true;
}

static bool read_step(struct lab_reading *reading, const struct json *object,
                      struct lab_lesson *lesson)
{
    struct lab_step *const step = &lesson->step[lesson->steps];
    *step = (struct lab_step){.caption = "", .stage = LAB_SCORE, .selection = {.projected = LAB_Q}};
    if (lesson->steps > 0) {
        step->stage = step[-1].stage;
        step->selection = step[-1].selection;
    }
    lab_experiment_copy(&step->experiment, &lesson->experiment);
    lesson->steps++; /* from here on it is released with the lesson */
    reading->kept = &step->kept.members;
    return lab_reading_members(reading, object, step_members, STEP_MEMBERS, step) &&
           fit_selection(reading, object, step);
}

static bool read_steps(struct lab_reading *reading, const struct json *value, void *place,
                       const struct lab_member *member)
{
    (void)member;
    struct lab_lesson *const lesson = place;
    const size_t count = json_count(value);
    if (json_kind_of(value) != JSON_KIND_ARRAY || count < 1 || count > LAB_STEPS_MAX) {
        return lab_reading_refuse(reading, "a list of 1 to %d steps is expected.", LAB_STEPS_MAX);
    }
    lesson->step = arena_array(reading->arena, count, sizeof *lesson->step);
    if (lesson->step == NULL) {
        return error_set(reading->error, ERROR_MEMORY, "There is not enough memory for %zu steps.",
                         count);
    }
    for (size_t s = 0; s < count; s++) {
        lab_reading_enter(reading, NULL, s);
        if (!read_step(reading, json_element(value, s), lesson)) {
            return false;
        }
        lab_reading_leave(reading);
    }
    return true;
}

static bool read_open(struct lab_reading *reading, const struct json *value, void *place,
                      const struct lab_member *member)
{
    int64_t whole = -1;
    (void)member;
    struct lab_lesson *const lesson = place;
    if (!json_whole_number(value, &whole) || whole < 0 || (uint64_t)whole >= lesson->steps) {
        return lab_reading_refuse(reading, "a step is expected, 0 to %zu: where the lesson opens.",
                                  lesson->steps - 1);
    }
    lesson->open = (size_t)whole;
    return true;
}

static bool read_format(struct lab_reading *reading, const struct json *value, void *place,
                        const struct lab_member *member)
{
    const char *name = NULL;
    (void)place;
    (void)member;
    return (json_text(value, &name) && strcmp(name, format_name) == 0) ||
           lab_reading_refuse(reading, "this is no lesson: “%s” is expected.", format_name);
}

static bool read_version(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    int64_t version = 0;
    (void)place;
    (void)member;
    return (json_whole_number(value, &version) && version == VERSION) ||
           lab_reading_refuse(reading, "this version of the program reads version %d.", VERSION);
}

static bool read_experiment(struct lab_reading *reading, const struct json *value, void *place,
                            const struct lab_member *member)
{
    (void)member;
    struct lab_lesson *const lesson = place;
    reading->kept = &lesson->kept.experiment;
    return lab_experiment_read(reading, value, &lesson->experiment);
}

static const struct lab_member lesson_members[] = {
    {"format", read_format, 0, 0, 0},
    {"version", read_version, 0, 0, 0},
    {"name", lab_read_short_text, offsetof(struct lab_lesson, name), 0, 32},
    {"title", lab_read_text, offsetof(struct lab_lesson, title), 0, TITLE_BYTES_MAX},
    {"summary", lab_read_text, offsetof(struct lab_lesson, summary), 0, LAB_CAPTION_BYTES_MAX},
    {"experiment", read_experiment, 0, 0, 0},
    {"steps", read_steps, 0, 0, 0},
    {"open", read_open, 0, 0, 0},
};

enum { LESSON_MEMBERS = sizeof lesson_members / sizeof lesson_members[0] };

static bool read_lesson(struct lab_reading *reading, const struct json *tree,
                        struct lab_lesson *lesson)
{
    static const char *const needed[] = {"format", "version", "name", "steps"};
    if (json_kind_of(tree) != JSON_KIND_OBJECT) {
        return lab_reading_refuse(reading, "a lesson is an object in braces.");
    }
    const struct json *const version = json_member(tree, "version");
    lab_reading_enter(reading, "version", 0); /* a newer version may give other meanings to names */
    if (version != NULL && !read_version(reading, version, NULL, NULL)) {
        return false;
    }
    lab_reading_leave(reading);
    for (size_t n = 0; n < sizeof needed / sizeof needed[0]; n++) {
        if (json_member(tree, needed[n]) == NULL) {
            return lab_reading_refuse(reading, "“%s” is missing.", needed[n]);
        }
    }
    /* The experiment has the name too, which tells the lesson that one is in. */
    const char *name = NULL;
    if (json_text(json_member(tree, "name"), &name)) {
        snprintf(lesson->experiment.lesson, sizeof lesson->experiment.lesson, "%s", name);
    }
    reading->kept = &lesson->kept.members;
    return lab_reading_members(reading, tree, lesson_members, LESSON_MEMBERS, lesson);
}

bool lab_lesson_parse(struct bytes text, struct arena *arena, struct lab_lesson *lesson,
                      struct error *error)
{
    struct error own = {ERROR_NONE, 0, ""};
    struct lab_reading reading = {
        .text = text, .arena = arena, .error = error == NULL ? &own : error};
    *lesson = (struct lab_lesson){.title = "", .summary = ""};
    struct json *const tree =
        json_parse_within(text, &(struct json_limits){.row = LAB_ROW_MAX}, reading.error);
    if (tree == NULL) {
        return false;
    }
    const bool read = lab_experiment_default(&lesson->experiment, reading.error) &&
                      read_lesson(&reading, tree, lesson);
    lesson->unknown = reading.unknown;
    json_release(tree);
    if (!read) {
        lab_lesson_release(lesson);
    }
    return read;
}

void lab_lesson_release(struct lab_lesson *lesson)
{
    for (size_t s = 0; s < lesson->steps; s++) {
        lab_experiment_release(&lesson->step[s].experiment);
        if (lesson->step[s].has_tried) {
            lab_experiment_release(&lesson->step[s].tried);
        }
    }
    lab_experiment_release(&lesson->experiment);
    *lesson = (struct lab_lesson){.title = "", .summary = ""};
}

static void put_text(struct json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    json_put_text(json, text);
}

static void put_count(struct json_writer *json, const char *key, size_t value)
{
    json_key(json, key);
    json_put_whole_number(json, (int64_t)value);
}

static void put_parts(struct json_writer *json, const char *key, const char *(*name_at)(size_t),
                      unsigned bits)
{
    if (bits == 0) {
        return;
    }
    json_key(json, key);
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t p = 0; p < PARTS; p++) {
        if ((bits >> p & 1u) != 0) {
            json_put_text(json, name_at(p));
        }
    }
    json_end_array(json);
}

static void put_display(struct json_writer *json, const struct lab_step *step)
{
    if (step->has_camera) {
        json_key(json, "camera");
        json_begin_array(json, JSON_ONE_LINE);
        for (size_t c = 0; c < 3; c++) {
            json_put_float(json, step->camera[c]);
        }
        json_end_array(json);
    }
    if (step->has_position) {
        json_key(json, "moment");
        json_put_float(json, step->position);
    }
    put_parts(json, "panels", panel_at, step->panels);
    put_parts(json, "hide", hide_at, step->hide);
    if (step->theme[0] != '\0') {
        put_text(json, "theme", step->theme);
    }
    if (step->has_display) {
        json_key(json, "display");
        lab_display_put(json, &step->display, &step->experiment, step->kept.display);
    }
    if (step->has_view_prefs) {
        json_key(json, "window");
        lab_view_prefs_put(json, &step->view_prefs, step->kept.view_prefs);
    }
    if (step->model.path != NULL) {
        json_key(json, "model");
        lab_step_model_put(json, &step->model, step->kept.model);
    }
    if (step->weights.folder != NULL) {
        json_key(json, "saved_weights");
        lab_step_weights_put(json, &step->weights);
    }
    if (step->guess != LAB_GUESS_NONE || step->kept.guess != NULL) {
        json_key(json, "guess");
        json_begin_object_in_line(json);
        put_text(json, "hide", guess_at(step->guess));
        lab_unknown_json_put(json, step->kept.guess);
        json_end_object(json);
    }
}

static void put_step(struct json_writer *json, const struct lab_lesson *lesson,
                     const struct lab_step *step)
{
    const struct lab_sizes sizes = lab_experiment_sizes(&step->experiment);
    const struct lab_selection *const at = &step->selection;
    json_begin_object(json);
    put_text(json, "caption", step->caption);
    if (step->other_numbers) {
        json_key(json, "other_numbers");
        json_put_truth(json, true);
    }
    put_text(json, "stage", stage_at(step->stage));
    if (at->query < sizes.n && at->key < sizes.m) {
        put_count(json, "query", at->query);
        put_count(json, "key", at->key);
    }
    put_count(json, "head", at->head < sizes.heads ? at->head : 0);
    if (at->channel < channels_at(step, &sizes)) { /* weights alone have none */
        put_count(json, "channel", at->channel);
    }
    if (at->weight > 0) {
        put_count(json, "weight", at->weight);
    }
    put_text(json, "projected",
             projected_at(at->projected == LAB_K   ? 1
                          : at->projected == LAB_V ? 2
                                                   : 0));
    put_display(json, step);
    if (step->changes) {
        json_key(json, "experiment");
        lab_experiment_put(json, &step->experiment, &lesson->experiment, step->kept.experiment);
    }
    lab_unknown_json_put(json, step->kept.members);
    json_end_object(json);
}

bool lab_lesson_write(const struct lab_lesson *lesson, struct arena *arena, struct bytes *text,
                      struct error *error)
{
    return lab_lesson_write_with_progress(lesson, NULL, arena, text, error);
}

bool lab_lesson_write_with_progress(const struct lab_lesson *lesson,
                                    const struct growing_progress *progress, struct arena *arena,
                                    struct bytes *text, struct error *error)
{
    struct lab_experiment from;
    if (!lab_experiment_default(&from, error)) {
        return false;
    }
    snprintf(from.lesson, sizeof from.lesson, "%s", lesson->name);
    struct json_writer json = json_writer_start(arena);
    json.text.progress = progress;
    json_begin_object(&json);
    put_text(&json, "format", format_name);
    put_count(&json, "version", VERSION);
    put_text(&json, "name", lesson->name);
    put_text(&json, "title", lesson->title);
    put_text(&json, "summary", lesson->summary);
    if (lesson->open > 0) {
        put_count(&json, "open", lesson->open);
    }
    json_key(&json, "experiment");
    lab_experiment_put(&json, &lesson->experiment, &from, lesson->kept.experiment);
    json_key(&json, "steps");
    json_begin_array(&json, JSON_LINES);
    for (size_t s = 0; s < lesson->steps; s++) {
        put_step(&json, lesson, &lesson->step[s]);
    }
    json_end_array(&json);
    lab_unknown_json_put(&json, lesson->kept.members);
    json_end_object(&json);
    lab_experiment_release(&from);
    return json_writer_finish(&json, text, error);
}

static const struct built_in {
    const char *name, *title, *summary, *file;
    enum lab_lesson_group group;
} lessons[] = {
    {"cats", "Cats, dogs and a lion",
     "Four words placed by hand: which of them attend to which, and why?",
     "assets/lessons/cats.json", LAB_LESSONS_BASICS},
    {"ten", "Ten tokens, 64 dimensions",
     "A sentence as a real layer sees it: 64 dimensions, eight heads, random weights.",
     "assets/lessons/ten.json", LAB_LESSONS_HEADS},
    {"race", "Who won the race?",
     "Two questions look up three facts: queries, keys and values small enough to do by hand.",
     "assets/lessons/race.json", LAB_LESSONS_BASICS},
    {"hammer", "It is a great tool",
     "Why match and content are separate: weights made by hand let “It” find “hammer”.",
     "assets/lessons/hammer.json", LAB_LESSONS_BASICS},
    {"library", "A library with index cards",
     "A question is compared with the cards; what is handed out is the content of the books.",
     "assets/lessons/library.json", LAB_LESSONS_BASICS},
    {"root", "Why divide by √dₖ",
     "Random vectors with more and more numbers: without the root softmax sees one key only.",
     "assets/lessons/root.json", LAB_LESSONS_BASICS},
    {"temperature", "Hot and cold softmax",
     "The same scores, from one winner that takes all to equal shares for everyone.",
     "assets/lessons/temperature.json", LAB_LESSONS_BASICS},
    {"order", "Order does not matter",
     "Shuffle the words: the rows move, and nothing else changes.", "assets/lessons/order.json",
     LAB_LESSONS_BASICS},
    {"bank", "One word, two meanings",
     "“Bank” starts at the same place in two sentences and lands at two.",
     "assets/lessons/bank.json", LAB_LESSONS_BASICS},
    {"causal", "Only look back",
     "A model that writes cannot look at words that are not there yet: the causal mask.",
     "assets/lessons/causal.json", LAB_LESSONS_HEADS},
    {"translate", "Two languages: “The cat sat”",
     "Cross-attention: the query comes from one text, keys and values from another.",
     "assets/lessons/translate.json", LAB_LESSONS_HEADS},
    {"window", "Look near",
     "A sliding window: cost grows with the number of words, and no longer with its square.",
     "assets/lessons/window.json", LAB_LESSONS_CHEAPER},
    {"sparse", "Sparse patterns",
     "Which pairs are worth their cost? Five answers on the same words.",
     "assets/lessons/sparse.json", LAB_LESSONS_CHEAPER},
    {"fewer", "Fewer keys, fewer values",
     "From a key and a value for every head to one for all: what is shared need not be kept.",
     "assets/lessons/fewer.json", LAB_LESSONS_CHEAPER},
    {"latent", "Latent attention",
     "Keep one short row for each token and rebuild keys and values from it.",
     "assets/lessons/latent.json", LAB_LESSONS_CHEAPER},
    {"flash", "Flash: same answer, less memory",
     "Tile after tile, a running maximum and a running sum: the whole matrix of scores is never "
     "there.",
     "assets/lessons/flash.json", LAB_LESSONS_CHEAPER},
    {"positions", "Order, and how positions bring it back",
     "Attention knows no order of its own; waves or turns give every word its place.",
     "assets/lessons/positions.json", LAB_LESSONS_BASICS},
    {"learned", "It learns what “it” is",
     "Random weights become heads that find the noun, in front of the class.",
     "assets/lessons/learned.json", LAB_LESSONS_LEARNING},
    {"reverse", "From noise to an anti-diagonal",
     "A head learns to say letters backwards, and its weights draw how.",
     "assets/lessons/reverse.json", LAB_LESSONS_LEARNING},
    {"induction", "Two heads make a copy machine",
     "One head looks at the letter before, the next one finds what followed the last time.",
     "assets/lessons/induction.json", LAB_LESSONS_LEARNING},
    {"grokking", "It knows addition",
     "First it knows all sums by heart, and much later it can add.", "assets/lessons/grokking.json",
     LAB_LESSONS_LEARNING},
    {"onestep", "What one step does",
     "From the loss of one word back to the weights, and what they do about it.",
     "assets/lessons/onestep.json", LAB_LESSONS_LEARNING},
    {"own-text", "Your own text",
     "A short text is learned in front of the class; then comes one of its own.",
     "assets/lessons/own-text.json", LAB_LESSONS_LEARNING},
    {"real-heads", "Real heads", "The model that comes with the program: what its heads look at.",
     "assets/lessons/real-heads.json", LAB_LESSONS_MODELS},
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

enum lab_lesson_group lab_lesson_group(size_t index)
{
    return lessons[index].group;
}

const char *lab_lesson_group_title(enum lab_lesson_group group)
{
    static const char *const titles[LAB_LESSON_GROUPS] = {
        [LAB_LESSONS_BASICS] = "Basics",
        [LAB_LESSONS_HEADS] = "Heads and masks",
        [LAB_LESSONS_CHEAPER] = "Cheaper attention",
        [LAB_LESSONS_LEARNING] = "Learning",
        [LAB_LESSONS_MODELS] = "Real models",
    };
    return titles[group];
}

size_t lab_lesson_next(size_t index)
{
    size_t next = LESSONS;
    for (size_t l = 0; l < LESSONS; l++) {
        const bool below = lessons[l].group > lessons[index].group ||
                           (lessons[l].group == lessons[index].group && l > index);
        next = below && (next == LESSONS || lessons[l].group < lessons[next].group) ? l : next;
    }
    return next;
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

bool lab_lesson_load(size_t index, struct arena *arena, struct lab_lesson *lesson,
                     struct error *error)
{
    const struct embedded *const text = embedded_find(lessons[index].file);
    struct error reason = {ERROR_NONE, 0, ""};
    if (text == NULL) {
        return error_set(error, ERROR_INPUT, "The lesson %s is not part of this program.",
                         lessons[index].name);
    }
    return lab_lesson_parse((struct bytes){text->bytes, text->size}, arena, lesson, &reason) ||
           error_set(error, reason.code, "%s: %s", lessons[index].file, reason.text);
}

size_t lab_lesson_steps(size_t index)
{
    struct arena arena = {0};
    struct lab_lesson lesson;
    size_t steps = 0;
    if (lab_lesson_load(index, &arena, &lesson, NULL)) {
        steps = lesson.steps;
        lab_lesson_release(&lesson);
    }
    arena_free(&arena);
    return steps;
}

bool lab_lesson_step(size_t index, size_t step, struct arena *arena, struct lab_step *out,
                     struct error *error)
{
    struct lab_lesson lesson;
    if (!lab_lesson_load(index, arena, &lesson, error)) {
        return false;
    }
    const bool found = step < lesson.steps;
    if (found) {
        *out = lesson.step[step];
        lab_experiment_copy(&out->experiment, &lesson.step[step].experiment);
    }
    const size_t steps = lesson.steps;
    lab_lesson_release(&lesson);
    return found || error_set(error, ERROR_INPUT, "The lesson %s has %zu steps.",
                              lessons[index].name, steps);
}

bool lab_lesson_open(size_t index, struct lab_experiment *experiment, enum lab_stage *stage,
                     struct lab_selection *selection, struct error *error)
{
    struct arena arena = {0};
    struct lab_step step;
    const bool opened = lab_lesson_step(index, 0, &arena, &step, error);
    if (opened) {
        *experiment = step.experiment;
        *stage = step.stage;
        *selection = step.selection;
    }
    arena_free(&arena);
    return opened;
}
