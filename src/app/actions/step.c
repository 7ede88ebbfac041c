/* One frame of the window: what was done is done, then drawn. */
#include "app/actions/step.h"

#include <math.h>
#include <string.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/actions/find.h"
#include "app/document/hints.h"
#include "app/document/paste.h"
#include "app/draw/frame_internal.h"
#include "app/export/export.h"
#include "app/learn/learn.h"
#include "app/open/autosave.h"
#include "app/open/drop.h"
#include "app/open/open_model.h"
#include "app/open/save.h"
#include "app/results/results.h"
#include "app/why/why.h"
#include "file/pasted.h"

enum { PASSES_MAX = 6 };

static const double FRAME_SECONDS = 1.0 / 60, WORK_SECONDS = 0.05;

static bool apply_actions(struct app_state *state, const struct view *view, bool rests, double time)
{
    bool changed = false, hovers = false;
    for (size_t i = 0; i < view->actions; i++) {
        if (rests && view->action[i].kind == VIEW_ACTION_HOVER) {
            continue;
        }
        hovers = hovers || view->action[i].kind == VIEW_ACTION_HOVER;
        changed = app_state_apply(state, &view->action[i], time) || changed;
    }
    if (!hovers && state->view.hovered_parts != 0) {
        state->view.hovered_parts = 0;
        changed = true;
    }
    return changed;
}

/* Presses, keys and wheel count once: later passes of a frame only know where the pointer is. */
static void strip_acts(struct ui_input *input)
{
    input->pressed = input->released = 0;
    input->clicks = 0;
    input->wheel_x = input->wheel_y = 0;
    input->pinch = input->slide_x = input->slide_y = 0;
    input->strokes = 0;
    input->text = input->paste = NULL;
}

static void keep_copied(struct app_frame *frame, const char *text)
{
    if (text != NULL) {
        frame->facts.copied = arena_text(&frame->copied, text, strlen(text));
    }
}

static void note_facts(struct app_frame *frame, const struct ui *ui)
{
    struct app_frame_facts *facts = &frame->facts;
    facts->cursor = ui->cursor;
    facts->wants_text = ui->wants_text;
    facts->text_area = ui->text_area;
    facts->wants_paste = facts->wants_paste || ui->wants_paste;
    facts->wake = ui->wake;
    keep_copied(frame, ui->copied);
}

/* Returns whether the record holds more than the place of the pointer. */
static bool has_edges(const struct ui_input *input)
{
    return (input->pressed | input->released) != 0 || input->wheel_x != 0 || input->wheel_y != 0 ||
           input->pinch != 0 || input->slide_x != 0 || input->slide_y != 0 || input->strokes > 0 ||
           input->text != NULL || input->paste != NULL;
}

/* Lets the pointer rest: it has not pointed at what lies under it now. */
static void rest_pointer(struct app_frame *frame, const struct ui_input *input)
{
    if (frame->pointer != FRAME_POINTER_OUTSIDE) {
        frame->pointer = input->down == 0 ? FRAME_POINTER_RESTS : FRAME_POINTER_POINTS;
    }
    frame->rest_x = input->x;
    frame->rest_y = input->y;
}

/* A pointer that rested counts again once it moves or is pressed. */
static void follow_pointer(struct app_frame *frame, const struct ui_input *input)
{
    const float max_distance = 3;
    const bool acts = (input->pressed | input->down) != 0 || input->wheel_y != 0 || !input->inside;
    if (frame->pointer == FRAME_POINTER_OUTSIDE && input->inside) {
        frame->pointer = FRAME_POINTER_POINTS;
        rest_pointer(frame, input); /* the window opened under the pointer */
        ui_hush_tips(&frame->memory, input);
        return;
    }
    if (frame->rest_width != input->width || frame->rest_height != input->height) {
        rest_pointer(frame,
                     input); /* the window moved under the pointer, not the pointer over it */
        frame->rest_width = input->width;
        frame->rest_height = input->height;
    }
    const float away = fabsf(input->x - frame->rest_x) + fabsf(input->y - frame->rest_y);
    if (frame->pointer == FRAME_POINTER_RESTS && (acts || away > max_distance)) {
        frame->pointer = FRAME_POINTER_POINTS;
    }
}

/* Applies the keys of a record. */
static bool apply_keys(struct app_frame *frame, struct app_state *state,
                       const struct ui_input *input)
{
    const struct view_state *const view = &state->view;
    const struct lab_selection pinned = view->pinned;
    const enum lab_stage stage = view->playback.stage;
    const size_t step = state->document.step;
    const bool let_go = view->let_go;
    const bool changed = app_keys_apply(state, input);
    if (stage != view->playback.stage || step != state->document.step || let_go != view->let_go ||
        !view_selection_equal(&pinned, &view->pinned)) {
        rest_pointer(frame, input);
    }
    return changed;
}

/* Whatever is pressed brings a blank screen back, and does nothing else: nobody sees what it would
 * do. */
static bool end_blank(struct app_state *state, const struct ui_input *input)
{
    const bool ends = input->strokes > 0 || input->pressed != 0;
    state->view.blank = state->view.blank && !ends;
    return ends;
}

/* A line at the bottom goes when the experiment it spoke of has been changed. */
static void forget_message(struct app_frame *frame, struct app_state *state)
{
    const bool fresh = frame->said_until != state->message_until;
    if (fresh) {
        frame->said_until = state->message_until;
        frame->said_changes = state->document.changes;
    } else if (state->document.changes != frame->said_changes) {
        state->view.message = NULL;
    }
}

/* The overlay of keys names them as the language does, and so anew in each frame. */
static void fill_key_rows(struct app_frame *frame, struct app_state *state)
{
    struct view_state *const view = &state->view;
    if (view->overlay == VIEW_OVERLAY_HELP && view->key_count == 0) {
        view->key_rows = app_key_rows(&frame->copied, &view->key_count);
    }
}

/* Returns whether it is a text, and no matrix: most of it is neither digits nor space, and it is
 * long. */
static bool is_prose(const char *text)
{
    enum { LETTERS_MIN = 200 };
    size_t letters = 0, others = 0;
    for (const char *at = text; *at != '\0'; at++) {
        const bool of_numbers = strchr("0123456789.,;+-eE[]() \t\r\n", *at) != NULL;
        letters += !of_numbers;
        others += of_numbers && strchr(" \t\r\n", *at) == NULL;
    }
    return letters + others >= LETTERS_MIN && letters > others;
}

/* Before a class there is no field for words: whatever is no matrix is the text. */
static bool are_words(const struct app_state *state, const char *text)
{
    struct arena arena = {0};
    struct pasted pasted;
    struct error error = {0};
    const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
    const bool words = state->view.prefs.presenter && text[strspn(text, " \t\r\n")] != '\0' &&
                       !pasted_read(bytes, &arena, &pasted, &error);
    arena_free(&arena);
    return words;
}

/* Takes the clipboard's text: a matrix, words, or while weights learn a text to learn from. */
static void take_paste(struct app_state *state, const char *text, double time)
{
    struct error error = {0};
    const bool learns = state->view.learn != NULL && is_prose(text);
    if (!learns && are_words(state, text)) {
        app_state_take_text(state, text, time);
    } else if (!learns) {
        app_paste(state, text, time);
    } else if (!app_learn_bring(state, (struct bytes){(const uint8_t *)text, strlen(text)}, time,
                                &error)) {
        app_state_show_message(state, time, "%s", error.text);
    }
}

/* Runs one pass: draws, and applies the actions. True when something changed by it. */
static bool run_pass(struct app_frame *frame, struct app_state *state, const struct ui_input *input)
{
    struct ui ui;
    forget_message(frame, state);
    const struct app_scene scene = app_state_scene(state);
    struct view view = frame_view(frame, &ui, &scene);
    frame_draw(frame, &view, &ui, input, state->theme, view_picture_at(0));
    note_facts(frame, &ui);
    follow_pointer(frame, input);
    const enum lab_stage stage = state->view.playback.stage;
    const size_t step = state->document.step;
    const struct lab_step *const lesson = state->document.lesson->step;
    const struct lab_words *const words = state->document.experiment.tokens;
    const bool was_blank = state->view.blank;
    void (*const take)(struct app_state *, const char *, double) = state->take_paste;
    if (has_edges(input)) {
        state->take_paste = NULL; /* what is done now may ask for another */
    }
    bool changed = apply_actions(state, &view, frame->pointer == FRAME_POINTER_RESTS, input->time);
    changed = app_hints_follow(state, view.hint, input) || changed;
    if (stage != state->view.playback.stage || step != state->document.step ||
        lesson != state->document.lesson->step || words != state->document.experiment.tokens) {
        rest_pointer(frame, input);
    }
    if (was_blank) {
        changed = end_blank(state, input) || changed;
    } else if (!ui.keys_consumed && input->strokes > 0) {
        changed = apply_keys(frame, state, input) || changed;
    }
    if (input->paste != NULL && (take != NULL || ui.paste_passed)) {
        (take != NULL ? take : take_paste)(state, input->paste, input->time);
        changed = true;
    }
    const bool pastes = (state->request.asks & APP_ASKS_PASTE) != 0;
    if (pastes && state->take_paste == NULL) {
        state->take_paste = take_paste;
    }
    frame->facts.wants_paste = frame->facts.wants_paste || pastes;
    state->request.asks &= ~(unsigned)APP_ASKS_PASTE;
    if (state->request.copy != NULL) {
        frame->facts.copied = state->request.copy; /* perhaps many MB; it stays till the next one */
    }
    state->request.copy = NULL;
    return changed;
}

/* Where the pointer was in the last frame is asked by what it drags and by an open menu only. */
static void forget_pointer(struct ui_memory *memory, const struct ui_input *input)
{
    if (memory->active == 0 && memory->open == 0 && input->down == 0) {
        memory->pointer_x = input->x;
        memory->pointer_y = input->y;
    }
}

/* A pass draws what follows from the record, the state and the memory alone. When a pass without
 * edges leaves both as they were, the next would draw the very same. */
static bool pass_settles(struct app_frame *frame, struct app_state *state,
                         const struct ui_input *input)
{
    forget_pointer(&frame->memory, input);
    struct ui_memory memory;
    struct view_state shown;
    memcpy(&memory, &frame->memory, sizeof memory);
    memcpy(&shown, &state->view, sizeof shown);
    const bool changed = run_pass(frame, state, input);
    return !changed && !has_edges(input) && memcmp(&memory, &frame->memory, sizeof memory) == 0 &&
           memcmp(&shown, &state->view, sizeof shown) == 0;
}

static double earlier_time(double a, double b)
{
    return a == 0 ? b : b == 0 ? a : fmin(a, b);
}

/* Tells the view of work under way: a pass may end what the pass before showed, or begin some. True
 * while any of it is under way. */
static bool tell_work(struct app_state *state, double time)
{
    const struct view_work *const task = tasks_shown(&state->tasks);
    const struct view_work *const change = document_work(&state->document);
    const bool is_later = task == NULL || (change != NULL && change->began >= task->began);
    const struct view_work *const former = is_later ? change : task;
    const struct view_work *const layers = app_open_model_work(state);
    const bool is_of_layers = layers != NULL && (former == NULL || layers->began >= former->began);
    state->view.work = is_of_layers ? layers : former;
    if (state->view.work == NULL) {
        state->view.work = app_learn_work(state, time);
    }
    return state->tasks.latest != NULL;
}

/* A word that is being typed is kept aside with the work. */
static void note_word(const struct app_frame *frame, struct app_state *state)
{
    const struct ui_memory *const memory = &frame->memory;
    const bool types = memory->edited != 0 && memory->word_of != NULL && memory->typed[0] != '\0';
    app_autosave_note_word(
        state, &(struct app_autosave_word){
                   .text = types ? memory->typed : NULL,
                   .at = memory->word_at,
                   .replaced = memory->word_replaces ? 1 : 0,
                   .of_keys = types && strcmp(memory->word_of, VIEW_WORDS_OF_KEYS) == 0});
}

/* Applies the news that come to the window beside the hands. */
static void apply_news(struct app_state *state, const struct app_input *input)
{
    state->host = input->is_hidden ? state->host | APP_HOST_IS_HIDDEN
                                   : state->host & ~(unsigned)APP_HOST_IS_HIDDEN;
    if (input->drops > 0) {
        app_drop_files(state, input->dropped, input->drops, input->ui.time);
    } else if (input->drops_text) {
        app_drop_text(state, input->ui.time);
    }
}

void app_step(struct app_frame *frame, struct app_state *state, const struct app_input *news)
{
    const struct ui_input *const input = &news->ui;
    struct ui_input given = *input, record = *input;
    float zoom = 1;
    arena_reset(&frame->copied);
    state->view.key_rows = NULL; /* they lived in there */
    state->view.key_count = 0;
    frame->facts = (struct app_frame_facts){0};
    state->fonts = frame->fonts;
    state->width = input->width;
    state->height = input->height;
    state->scale = input->scale;
    if (record.pressed != 0) {
        state->pressed_at = (struct point){record.x, record.y};
        state->pressed_time = record.time;
    }
    apply_news(state, news);
    app_begin_frame(state, record.time);
    for (int i = 0; i < PASSES_MAX; i++) {
        zoom = app_view_zoom(&state->view.prefs, input->width,
                             input->height); /* a pass may change it */
        record = frame_zoomed(&given, zoom);
        app_learn_follow(state, record.time);
        app_open_model_want(state, record.time);
        app_why_follow(state);
        app_state_advance(state, record.time, record.reduce_motion);
        app_export_prepare(state);
        app_find_prepare(state);
        app_save_prepare(state);
        fill_key_rows(frame, state);
        (void)tell_work(state, record.time);
        if (pass_settles(frame, state, &record)) {
            break;
        }
        strip_acts(&given);
    }
    const bool films = app_export_advance(state, record.time);
    const bool moves = app_state_advance(state, record.time, record.reduce_motion) || films;
    const bool lacks =
        results_end(state->results, record.time) > 0 || results_have_news(state->results);
    const bool works =
        tell_work(state, record.time) || lacks || results_run_unwanted(state->results);
    struct app_frame_facts *facts = &frame->facts;
    if (zoom > 1) {
        canvas_enlarge(frame->canvas, zoom);
        facts->text_area = (struct rect){facts->text_area.x * zoom, facts->text_area.y * zoom,
                                         facts->text_area.w * zoom, facts->text_area.h * zoom};
    }
    facts->hash = canvas_hash(frame->canvas);
    facts->wake = moves ? earlier_time(facts->wake, record.time + FRAME_SECONDS) : facts->wake;
    note_word(frame, state);
    facts->wake = earlier_time(facts->wake, app_autosave_advance(state, record.time));
    facts->wake = earlier_time(facts->wake, app_learn_wake(state, record.time));
    facts->wake = earlier_time(facts->wake, app_hints_wake(state));
    facts->wake = works ? earlier_time(facts->wake, record.time + WORK_SECONDS) : facts->wake;
    facts->wake =
        state->view.message != NULL ? earlier_time(facts->wake, state->message_until) : facts->wake;
    fonts_trim(frame->fonts);
    document_rest(&state->document); /* what was drawn before is kept no more */
}
