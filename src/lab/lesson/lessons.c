/* lab/lesson/lessons.c — lessons and sessions as files: reading, with errors that name line and
 * key, and writing; and the table of built-in lessons. */
#include "lab/lesson/lessons.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "file/record_json.h"
#include "lab/experiment/experiment_json.h"
#include "lab/experiment/reading.h"
#include "lab/lesson/display_json.h"
#include "lab/lesson/view_prefs.h"

static const char format_name[] = "attnscope-lesson";
enum { VERSION = 1, TITLE_BYTES_MAX = 200 };

/* Sets of parts of the window are bits; in a file each has its name. */
#define NAMES(function, ...)                                                                       \
    static const char *function(size_t index)                                                      \
    {                                                                                              \
        static const char *const names[] = {__VA_ARGS__};                                          \
        return index < sizeof names / sizeof names[0] ? names[index] : NULL;                       \
    }

/* These are in the order of enum lab_hide, lab_panel and lab_guess. */
NAMES(hide_at, "settings", "space", "heads", "formula", "ribbon", "tokens", "status")
NAMES(panel_at, "stage", "space", "heads", "head", "costs", "kinds", "decode", "lines")
NAMES(guess_at, "nothing", "cell", "bar", "winner", "next")
NAMES(theme_at, "light", "dark", "grey")
NAMES(projected_at, "Q", "K", "V")

static const char *stage_at(size_t index)
{
    return index < LAB_STAGES ? lab_stage_row((enum lab_stage)index)->name : NULL;
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
    reading->kept = &step->kept.experiment;
    return lab_experiment_read(reading, value, &step->experiment);
}

static bool read_display(struct lab_reading *reading, const struct json *value, void *place,
                         const struct lab_member *member)
{
    (void)member;
    struct lab_step *const step = place;
    step->changes |= json_member(value, "renormalise") != NULL;
    reading->kept = &step->kept.display;
    return lab_display_read(reading, value, &step->experiment, &step->display);
}

static size_t channels_at(const struct lab_step *step, const struct lab_sizes *sizes)
{
    const bool model = step->stage == LAB_EMBED || step->stage == LAB_OUTPUT;
    if (step->experiment.learned != NULL) { /* its sizes follow from the run */
        return LAB_SIZE_MAX;
    }
    const bool key = step->stage == LAB_PROJECT && step->selection.projected != LAB_V;
    return model && !sizes->raw ? sizes->d_model : key ? sizes->d_k : sizes->d_v;
}

/* Says whether query and key are words of the step. */
static bool has_words(const void *record, const struct lab_member *member)
{
    (void)member;
    const struct lab_step *const step = record;
    const struct lab_sizes sizes = lab_experiment_sizes(&step->experiment);
    return step->selection.query < sizes.n && step->selection.key < sizes.m;
}

/* Weights alone have no channel. */
static bool has_channel(const void *record, const struct lab_member *member)
{
    (void)member;
    const struct lab_step *const step = record;
    const struct lab_sizes sizes = lab_experiment_sizes(&step->experiment);
    return step->selection.channel < channels_at(step, &sizes);
}

static bool has_guess(const void *record, const struct lab_member *member)
{
    (void)member;
    const struct lab_step *const step = record;
    return step->guess != LAB_GUESS_NONE || step->kept.guess != NULL;
}

static void put_display(struct json_writer *json, const void *record,
                        const struct lab_member *member)
{
    (void)member;
    const struct lab_step *const step = record;
    lab_display_put(json, &step->display, &step->experiment, step->kept.display);
}

/* A step, and the experiment of its lesson, which its own is written as a change of. */
struct written_step {
    struct lab_step step;
    const struct lab_experiment *from;
};

static void put_experiment(struct json_writer *json, const void *record,
                           const struct lab_member *member)
{
    (void)member;
    const struct written_step *const written = record;
    lab_experiment_put(json, &written->step.experiment, written->from,
                       written->step.kept.experiment);
}

/* clang-format off */
#define AT(TYPE, KEY, MEMBER) .type = (TYPE), .key = (KEY), .at = offsetof(struct lab_step, MEMBER)
#define HAS(MEMBER) .has = offsetof(struct lab_step, MEMBER) + 1
#define MEMBERS(ROOM) .members = lab_##ROOM##_members, .count = sizeof lab_##ROOM##_members / sizeof lab_##ROOM##_members[0]
#define KEPT(MEMBER) .kept = offsetof(struct lab_step, kept.MEMBER) + 1
static const struct lab_member guess_members[] = {
    {.row = {.type = RECORD_CHOICE, .key = "hide", .name_at = guess_at}, .is_always = true},
};
static const struct lab_member camera_ranges[] = {LAB_RANGE(-3600, 3600), LAB_RANGE(-90, 90), LAB_RANGE(0.01, 100)};
static const struct lab_member step_members[] = {
    {.row = {AT(LAB_MEMBER_LONG_TEXT, "caption", caption), .high = LAB_CAPTION_BYTES_MAX}},
    {.row = {AT(RECORD_SWITCH, "other_numbers", other_numbers)}},
    {.row = {AT(RECORD_CHOICE, "stage", stage), .name_at = stage_at}, .is_always = true},
    {.row = {AT(RECORD_COUNT, "query", selection.query)}, .read = read_query, .is_there = has_words},
    {.row = {AT(RECORD_COUNT, "key", selection.key)}, .read = read_key, .is_there = has_words},
    {.row = {AT(RECORD_COUNT, "head", selection.head), .high = LAB_HEADS_MAX - 1}, .is_always = true},
    {.row = {AT(RECORD_COUNT, "channel", selection.channel), .high = LAB_SIZE_MAX - 1}, .is_there = has_channel},
    {.row = {AT(RECORD_COUNT, "weight", selection.weight), .high = LAB_SIZE_MAX}},
    {.row = {AT(RECORD_CHOICE, "projected", selection.projected), .low = LAB_Q, .name_at = projected_at}, .is_always = true},
    {.row = {AT(LAB_MEMBER_NUMBERS, "camera", camera), .help = "azimuth and elevation in degrees and a zoom are expected: [30, 20, 1]."}, .members = camera_ranges, .count = 3, HAS(has_camera)},
    {.row = {AT(RECORD_NUMBER, "moment", position), .high = 1}, HAS(has_position)},
    {.row = {AT(LAB_MEMBER_PARTS, "panels", panels), .name_at = panel_at}},
    {.row = {AT(LAB_MEMBER_PARTS, "hide", hide), .name_at = hide_at}},
    {.row = {AT(LAB_MEMBER_TEXT, "theme", theme), .high = sizeof(((struct lab_step *)NULL)->theme), .name_at = theme_at}},
    {.row = {AT(LAB_MEMBER_OWN, "display", display)}, .read = read_display, .put = put_display, HAS(has_display)},
    {.row = {AT(LAB_MEMBER_OBJECT, "window", view_prefs)}, MEMBERS(view_prefs), KEPT(view_prefs), .on_one_line = true, HAS(has_view_prefs)},
    {.row = {AT(LAB_MEMBER_OBJECT, "model", model)}, MEMBERS(step_model), KEPT(model)},
    {.row = {AT(LAB_MEMBER_OBJECT, "saved_weights", weights)}, MEMBERS(step_weights), .on_one_line = true},
    {.row = {AT(LAB_MEMBER_OBJECT, "guess", guess)}, .members = guess_members, .count = 1, KEPT(guess), .on_one_line = true, .is_there = has_guess},
    /* it is read before the members that name its words */
    {.row = {AT(LAB_MEMBER_OWN, "experiment", experiment)}, .read = read_step_experiment, .put = put_experiment, HAS(changes), .is_first = true},
};
/* clang-format on */

enum { STEP_MEMBERS = sizeof step_members / sizeof step_members[0] };

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
    *step = (struct lab_step){.caption = "",
                              .stage = LAB_SCORE,
                              .selection = {.projected = LAB_Q},
                              .model = {.temperature = 1}};
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
    if (lesson->steps == 0) { /* they are missing, which is said next */
        return true;
    }
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

/* clang-format off */
#define OWN(KEY) .row = {.type = LAB_MEMBER_OWN, .key = (KEY)}
#define TEXT(TYPE, MEMBER) .type = (TYPE), .key = #MEMBER, .at = offsetof(struct lab_lesson, MEMBER)
static const struct lab_member lesson_members[] = {
    {OWN("format"), .read = read_format, .is_needed = true},
    {OWN("version"), .read = read_version, .is_needed = true},
    {.row = {TEXT(LAB_MEMBER_TEXT, name), .high = 32}, .is_needed = true},
    {.row = {TEXT(LAB_MEMBER_LONG_TEXT, title), .high = TITLE_BYTES_MAX}},
    {.row = {TEXT(LAB_MEMBER_LONG_TEXT, summary), .high = LAB_CAPTION_BYTES_MAX}},
    {OWN("experiment"), .read = read_experiment},
    {OWN("steps"), .read = read_steps, .is_needed = true},
    {OWN("open"), .read = read_open},
};
/* clang-format on */

enum { LESSON_MEMBERS = sizeof lesson_members / sizeof lesson_members[0] };

static bool read_lesson(struct lab_reading *reading, const struct json *tree,
                        struct lab_lesson *lesson)
{
    if (json_kind_of(tree) != JSON_KIND_OBJECT) {
        return lab_reading_refuse(reading, "a lesson is an object in braces.");
    }
    const struct json *const version = json_member(tree, "version");
    lab_reading_enter(reading, "version", 0); /* a newer version may give other meanings to names */
    if (version != NULL && !read_version(reading, version, NULL, NULL)) {
        return false;
    }
    lab_reading_leave(reading);
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

static void put_step(struct json_writer *json, const struct lab_lesson *lesson,
                     const struct lab_step *step)
{
    struct written_step written = {*step, &lesson->experiment};
    struct lab_selection *const at = &written.step.selection;
    at->head = at->head < lab_experiment_sizes(&step->experiment).heads ? at->head : 0;
    at->projected = at->projected == LAB_K || at->projected == LAB_V ? at->projected : LAB_Q;
    json_begin_object(json);
    lab_members_put(json, step_members, STEP_MEMBERS, &written, step->kept.members);
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
    {"taught", "Which sentence taught it that?",
     "Leave a line out, learn again, and see what is said then.", "assets/lessons/taught.json",
     LAB_LESSONS_LEARNING},
    {"real-heads", "Real heads", "The model that comes with the program: what its heads look at.",
     "assets/lessons/real-heads.json", LAB_LESSONS_MODELS},
    {"away", "Take it away and see",
     "A head is switched off, and what the model says then tells whether it mattered.",
     "assets/lessons/away.json", LAB_LESSONS_MODELS},
    {"which-head", "Which head did it?",
     "A word is split into what each part adds, and each part is taken away in turn.",
     "assets/lessons/which-head.json", LAB_LESSONS_MODELS},
    {"half-way", "What the model thinks half-way",
     "What it would say behind each part, before it has read everything.",
     "assets/lessons/half-way.json", LAB_LESSONS_MODELS},
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
