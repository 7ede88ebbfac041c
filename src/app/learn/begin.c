/* Begins a run by hand: of a task, or of a text of the person's own, which is read and cut into
 * words beside the window; or lets the present run go on with that text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "base/file.h"
#include "base/system/file.h"
#include "base/text.h"
#include "base/translate.h"
#include "learn/symbol_tokens.h"

enum { AT_ONCE = 1 << 16 /* bytes that are cut within a frame */, PATH_BYTES = 4096 };

/* How a run is looked at that begins; all of it stands in an arena. */
struct looked_at {
    const char **word;
    size_t count, noun; /* what the last word is to find */
    const char *sentence;
};

/* The words that the task is looked at with. */
static bool look_at(const struct learn_recipe *recipe, const struct learn_data *cut,
                    struct arena *arena, struct looked_at *out, struct error *error)
{
    struct learn_data *const data = learn_recipe_data_of(recipe, cut, error);
    const char *const probe = data != NULL ? learn_data_probe(data, 0) : NULL;
    const int32_t *ids = NULL;
    size_t count = 0, kinds = 0;
    if (probe == NULL ||
        !learn_data_encode(data, probe, strlen(probe), arena, &ids, &count, error)) {
        learn_data_release(data);
        return false;
    }
    while (recipe->task == LEARN_TASK_NAMES && count > 2 && ids[count - 1] == ids[count - 2]) {
        count--; /* dots, behind the one that ends the name */
    }
    const bool has_lines = recipe->task == LEARN_TASK_TEXT && recipe->rows == LEARN_ROWS_LINES;
    if (recipe->task == LEARN_TASK_BRACKETS || recipe->task == LEARN_TASK_NAMES ||
        (has_lines && count > 2)) {
        count--; /* the last one is left to be said */
    }
    const int32_t *const kind = learn_data_kinds(data, &kinds);
    *out = (struct looked_at){.count = count < APP_LEARN_PROBE_MAX ? count : APP_LEARN_PROBE_MAX,
                              .word = arena_array(arena, count + 1, sizeof *out->word),
                              .sentence = learn_data_sentence(data, arena)};
    bool done = out->word != NULL && out->sentence != NULL;
    for (size_t w = 0; done && w < out->count; w++) {
        const char *const word = learn_shown_word(learn_data_words(data)[ids[w]]);
        out->word[w] = arena_text(arena, word, strlen(word));
        out->noun = kind != NULL && kind[ids[w]] >= 0 ? w : out->noun;
        done = out->word[w] != NULL;
    }
    learn_data_release(data);
    return done || app_learn_no_memory(error);
}

bool learn_begin(struct app_state *state, const struct learn_recipe *recipe,
                 const struct learn_data *cut, bool plays, const char *name, double time,
                 struct error *error)
{
    const struct bytes text =
        cut != NULL ? learn_data_request_of(cut)->text : (struct bytes){NULL, 0};
    struct arena arena = {0};
    struct looked_at at = {0};
    struct learn_learned *const learned = arena_array(&arena, 1, sizeof *learned);
    const bool follows = state->view.learn != NULL;
    bool done = (learned != NULL && app_learn_open(state)) || app_learn_no_memory(error);
    if (done && cut != NULL) {
        learn_keep_cut(state->learn, cut, recipe->units);
    }
    done = done && learn_learned_fits(text.size, error) && look_at(recipe, cut, &arena, &at, error);
    if (done) {
        *learned = (struct learn_learned){.recipe = *recipe, .text = text};
        learned->until = plays ? recipe->steps : 0;
        state->view.prefs.learn_folded = false;
        state->view.pinned =
            (struct lab_selection){.query = at.count - 1, .key = at.noun, .projected = LAB_Q};
        state->view.prefs.whole_alpha = true;
        state->view.let_go = false;
        done = app_learn_change(state, learned, at.word, at.count, name, time);
        if (!done) {
            error_set(error, ERROR_INPUT, "%s", state->message); /* as it was said */
        } else if (recipe->task == LEARN_TASK_TEXT) {
            app_state_show_message(
                state, time, follows ? "%s Undo returns to the run before." : "%s", at.sentence);
        }
        app_state_go(state, LAB_SOFTMAX, time);
    }
    if (done && state->document.compares !=
                    DOCUMENT_COMPARES_NOTHING) { /* what was kept is of other words */
        document_compare(&state->document, DOCUMENT_COMPARES_NOTHING, NULL);
        state->view.compare = VIEW_COMPARE_NOT;
    }
    arena_free(&arena);
    return done;
}

bool app_learn_start(struct app_state *state, size_t task, bool plays, double time)
{
    const enum learn_rows rows = task == LEARN_TASKS ? LEARN_ROWS_LINES : LEARN_ROWS_WINDOWS;
    const bool is_text = task == LEARN_TASKS || task == (size_t)LEARN_TASK_TEXT;
    if (is_text && state->view.learn != NULL &&
        state->learn->learned->recipe.task == LEARN_TASK_TEXT) {
        return learn_set_rows(state, rows, time);
    }
    const struct learn_task *const row =
        learn_task_at(is_text              ? (size_t)LEARN_TASK_TEXT
                      : task < LEARN_TASKS ? task
                                           : (size_t)LEARN_TASK_SMALL_WORLD);
    const struct learn_data *cut = NULL;
    if (row->id == LEARN_TASK_TEXT && state->learn != NULL) {
        cut = learn_find_cut(state->learn, state->learn->learned->text, LEARN_UNITS_AUTO);
    }
    if (row->id == LEARN_TASK_TEXT && cut == NULL) {
        app_state_show_message(
            state, time,
            "A text of your own: drop a file of text on the window, or open one with Ctrl+O.");
        return false;
    }
    char name[APP_NAME_MAX];
    snprintf(name, sizeof name, tr("learn from %.30s"), tr(row->title));
    struct error error = {0};
    struct learn_recipe recipe = learn_learned_recipe(row);
    recipe = is_text ? learn_recipe_in_rows(&recipe, rows) : recipe;
    const bool done = learn_begin(state, &recipe, cut, plays, name, time, &error);
    if (!done) {
        app_state_show_message(state, time, "%s", error.text);
    }
    return done;
}

void app_learn_greet(struct app_state *state, double time)
{
    struct arena arena = {0};
    const struct app_learn *const learn = state->learn;
    const bool is_own = state->view.learn != NULL && learn != NULL &&
                        learn->learned->recipe.task == LEARN_TASK_TEXT;
    const char *const sentence =
        is_own ? learn_data_sentence(learn->view->moment->data, &arena) : NULL;
    if (sentence != NULL) {
        app_state_show_message(state, time, "%s", sentence);
    }
    arena_free(&arena);
}

bool app_learn_is_text(const char *path)
{
    static const char *const ends[] = {".txt", ".md", ".text"};
    const size_t length = strlen(path);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        const size_t end = strlen(ends[e]);
        if (length > end && strcmp(path + length - end, ends[e]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- reading ---- */

struct learn_reading {
    char path[PATH_BYTES]; /* of its file; "": it was pasted */
    struct arena arena;    /* of the text */
    struct bytes text;
    const struct learn_data *known; /* the words of the run that may go on with it; a reference,
                                       or NULL: a run is to begin with it */
    enum learn_units units;         /* that were chosen for the text of the run; else AUTO */
    const struct learn_data *cut; /* the words of the text; NULL: `error` says why there are none */
    struct error error;
    bool held; /* by somebody else than its task */
};

static void forget_reading(void *subject)
{
    struct learn_reading *const reading = subject;
    learn_data_release(reading->known);
    learn_data_release(reading->cut);
    arena_free(&reading->arena);
    free(reading);
}

static bool goes_on(void *owner, size_t done, size_t all)
{
    app_job_report(owner, 0, done, all);
    return !app_job_is_cancelled(owner);
}

/* job NULL: nobody is told. */
static void read_text(struct app_job *job, void *subject)
{
    struct learn_reading *const reading = subject;
    const struct learn_cutting cutting = {goes_on, job};
    const bool comes = reading->path[0] != '\0' && reading->text.at == NULL;
    if ((!comes || file_read(reading->path, LEARN_TEXT_BYTES_MAX, &reading->arena, &reading->text,
                             &reading->error)) &&
        learn_learned_fits(reading->text.size, &reading->error)) {
        reading->cut = learn_data_cut(reading->text, reading->units, reading->known,
                                      job == NULL ? NULL : &cutting, &reading->error);
    }
}

/* The run that stands there may go on with another text. */
static const struct learn_data *known_words(const struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    const bool may = state->view.learn != NULL && learn->learned->recipe.task == LEARN_TASK_TEXT &&
                     learn->view->furthest > 0;
    return may ? learn->view->moment->data : NULL;
}

/* ---- the choice ---- */

void app_learn_offer_close(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    if (learn == NULL || learn->offer == NULL) {
        return;
    }
    forget_reading(learn->offer);
    learn->offer = NULL;
    learn->shown.offer = (struct view_learn_offer){.step = 0};
}

void learn_tell_offer(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    const struct learn_reading *const offer = learn->offer;
    struct view_learn_offer *const shown = &learn->shown.offer;
    if (offer == NULL) {
        return;
    }
    char count[TEXT_NUMBER_MAX];
    *shown = (struct view_learn_offer){.step = (size_t)learn->view->moment->step,
                                       .refused = offer->cut == NULL};
    const bool letters = learn_data_is_letters(offer->known);
    shown->about = shown->refused
                       ? arena_text(&learn->texts, offer->error.text, strlen(offer->error.text))
                       : arena_format(&learn->texts,
                                      letters ? "%s letters; the run knows all of them."
                                              : "%s words; the run knows all of them.",
                                      text_count(count, learn_data_length(offer->cut)));
}

/* Takes the reading. */
static void offer_reading(struct app_state *state, struct learn_reading *reading)
{
    struct app_learn *const learn = state->learn;
    app_learn_offer_close(state);
    learn->offer = reading; /* training rests meanwhile */
    state->view.overlay = VIEW_OVERLAY_TEXT;
}

/* ---- what becomes of it ---- */

static bool begin_with(struct app_state *state, const struct learn_reading *reading, double time,
                       struct error *error)
{
    const struct learn_recipe recipe = learn_learned_recipe(learn_task_at(LEARN_TASK_TEXT));
    if (reading->cut == NULL) {
        return error_set(error, reading->error.code, "%s", reading->error.text);
    }
    if (!learn_begin(state, &recipe, reading->cut, true, tr("learn from a text"), time, error)) {
        return false;
    }
    if (!document_begin_work(&state->document)) { /* a session that was open stays as it is */
        return error_set(error, ERROR_MEMORY, "There is not enough memory to learn.");
    }
    document_note_lesson(&state->document);
    return true;
}

/* The run that stands there from the beginning, with its text cut so. */
static bool begin_cut(struct app_state *state, const struct learn_data *cut, enum learn_units units,
                      double time, struct error *error)
{
    const struct app_learn *const learn = state->learn;
    struct learn_recipe recipe = learn->learned->recipe;
    recipe.units = units;
    return learn_begin(state, &recipe, cut, app_learn_is_training(state),
                       units == LEARN_WORDS ? tr("learn words") : tr("learn letters"), time, error);
}

static bool go_on_with(struct app_state *state, const struct learn_data *cut, double time)
{
    struct app_learn *const learn = state->learn;
    const size_t step = (size_t)learn->view->moment->step;
    char count[TEXT_NUMBER_MAX];
    const struct learn_edit edit = {
        .kind = LEARN_EDIT_TEXT, .text = learn_data_request_of(cut)->text, .cut = cut};
    const size_t branch = learn->learned->edits;
    learn_keep_cut(learn, cut, LEARN_UNITS_AUTO);
    (void)app_learn_edit(state, &edit, tr("go on with another text"), time);
    if (learn->learned->edits > branch) {
        app_state_show_message(
            state, time, "From step %s on it learns from this text. Undo returns to the former.",
            text_count(count, step));
    }
    return true;
}

/* It is read: the person is asked, or a run begins with it. False and a sentence. */
static bool apply_reading(struct app_state *state, struct learn_reading *reading, double time,
                          struct error *error)
{
    const struct learn_data *const known = known_words(state);
    if (reading->units != LEARN_UNITS_AUTO && reading->cut != NULL) {
        const bool stands =
            state->view.learn != NULL && bytes_equal(state->learn->learned->text, reading->text);
        return !stands || begin_cut(state, reading->cut, reading->units, time, error);
    }
    if (reading->known == NULL || known == NULL || reading->text.at == NULL ||
        !learn_data_shares_words(known, reading->known)) {
        return begin_with(state, reading, time, error);
    }
    reading->held = true;
    offer_reading(state, reading);
    return true;
}

static void take_late(struct app_state *state, void *subject, double time)
{
    struct error error = {ERROR_NONE, 0, ""};
    if (!apply_reading(state, subject, time, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    }
}

static void forget_late(void *subject)
{
    struct learn_reading *const reading = subject;
    if (!reading->held) {
        forget_reading(reading);
    }
}

static const struct task_kind kind = {
    .doing = "Reading the text", .work = read_text, .apply = take_late, .release = forget_late};

/* At once, or beside the window where it takes longer than a frame; the reading is the task's own
 * from then on. */
static bool begin_reading(struct app_state *state, struct learn_reading *reading, size_t size,
                          double time, struct error *error)
{
    if (size > AT_ONCE) {
        (void)app_state_submit(state, &kind, reading, time); /* which says why not */
        return true;
    }
    read_text(NULL, reading);
    const bool taken = apply_reading(state, reading, time, error);
    forget_late(reading);
    return taken;
}

/* path NULL: the text is copied. NULL and a sentence: no memory. */
static struct learn_reading *make_reading(const char *path, struct bytes text, struct error *error)
{
    struct learn_reading *const reading = calloc(1, sizeof *reading);
    if (reading == NULL) {
        (void)app_learn_no_memory(error);
        return NULL;
    }
    if (path != NULL) {
        snprintf(reading->path, sizeof reading->path, "%s", path);
        return reading;
    }
    const char *const copy = arena_text(&reading->arena, (const char *)text.at, text.size);
    reading->text = (struct bytes){(const uint8_t *)copy, text.size};
    if (copy == NULL) {
        forget_reading(reading);
        (void)app_learn_no_memory(error);
        return NULL;
    }
    return reading;
}

static bool bring_text(struct app_state *state, struct learn_reading *reading, size_t size,
                       double time, struct error *error)
{
    if (reading == NULL) {
        return false;
    }
    reading->known = learn_data_keep(known_words(state));
    return begin_reading(state, reading, size, time, error);
}

bool app_learn_bring(struct app_state *state, struct bytes text, double time, struct error *error)
{
    return learn_learned_fits(text.size, error) &&
           bring_text(state, make_reading(NULL, text, error), text.size, time, error);
}

bool app_learn_bring_file(struct app_state *state, const char *path, double time,
                          struct error *error)
{
    struct system_facts facts = {0};
    const bool known = system_path_facts(path, &facts) && facts.kind == SYSTEM_REGULAR;
    const size_t size = known ? (size_t)facts.size : 0;
    return bring_text(state, make_reading(path, (struct bytes){NULL, 0}, error), size, time, error);
}

/* Now, whatever it takes. */
static bool begin_now(struct app_state *state, struct learn_reading *reading, double time,
                      struct error *error)
{
    if (reading == NULL) {
        return false;
    }
    read_text(NULL, reading);
    const bool done = begin_with(state, reading, time, error);
    forget_reading(reading);
    return done;
}

bool app_learn_text(struct app_state *state, struct bytes text, double time, struct error *error)
{
    return learn_learned_fits(text.size, error) &&
           begin_now(state, make_reading(NULL, text, error), time, error);
}

bool app_learn_text_file(struct app_state *state, const char *path, double time,
                         struct error *error)
{
    return begin_now(state, make_reading(path, (struct bytes){NULL, 0}, error), time, error);
}

bool learn_take_offer(struct app_state *state, bool goes_on_with_it, double time)
{
    struct app_learn *const learn = state->learn;
    struct learn_reading *const reading = learn->offer;
    struct error error = {ERROR_NONE, 0, ""};
    if (reading == NULL || (goes_on_with_it && reading->cut == NULL)) {
        return false;
    }
    learn->offer = NULL;
    reading->held = false;
    state->view.overlay = VIEW_OVERLAY_NONE;
    if (goes_on_with_it) {
        go_on_with(state, reading->cut, time);
        forget_reading(reading);
        return true;
    }
    learn_data_release(reading->known);
    learn_data_release(reading->cut);
    reading->known = reading->cut = NULL;
    reading->error = (struct error){ERROR_NONE, 0, ""};
    if (!begin_reading(state, reading, reading->text.size, time, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    }
    return true;
}

bool learn_set_rows(struct app_state *state, enum learn_rows rows, double time)
{
    const struct app_learn *const learn = state->learn;
    const struct learn_recipe *const now = &learn->learned->recipe;
    const struct learn_recipe recipe = learn_recipe_in_rows(now, rows);
    const struct learn_data *const cut = learn_find_cut(learn, learn->learned->text, recipe.units);
    struct error error = {ERROR_NONE, 0, ""};
    if (now->task != LEARN_TASK_TEXT || now->rows == rows) {
        return false;
    }
    const struct learn_data *const held =
        cut != NULL ? learn_data_keep(cut)
                    : learn_data_cut(learn->learned->text, recipe.units, NULL, NULL, &error);
    const bool done =
        held != NULL &&
        learn_begin(state, &recipe, held, true,
                    rows == LEARN_ROWS_LINES ? tr("learn line by line") : tr("learn windows"), time,
                    &error);
    learn_data_release(held);
    if (!done) {
        app_state_show_message(state, time, "%s", error.text);
    }
    return done;
}

bool learn_set_units(struct app_state *state, enum learn_units units, double time)
{
    const struct app_learn *const learn = state->learn;
    const struct bytes text = learn->learned->text;
    const struct learn_data *const cut = learn_find_cut(learn, text, units);
    struct error error = {ERROR_NONE, 0, ""};
    if (learn->learned->recipe.task != LEARN_TASK_TEXT) {
        return false;
    }
    bool done = false;
    if (cut != NULL) {
        const struct learn_data *const held = learn_data_keep(cut);
        done = begin_cut(state, held, units, time, &error);
        learn_data_release(held);
    } else {
        struct learn_reading *const reading = make_reading(NULL, text, &error);
        if (reading != NULL) {
            reading->units = units;
            done = begin_reading(state, reading, text.size, time, &error);
        }
    }
    if (!done) {
        app_state_show_message(state, time, "%s", error.text);
    }
    return done;
}
