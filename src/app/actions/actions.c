/* Turns a view's action into a change of the experiment, of the selection, or of what is shown. */
#include "app/actions/actions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/actions/commands.h"
#include "app/actions/find.h"
#include "app/actions/overlay.h"
#include "app/document/display.h"
#include "app/document/edit.h"
#include "app/document/state.h"
#include "app/document/token_edit.h"
#include "app/export/export.h"
#include "app/learn/learn.h"
#include "app/open/guess.h"
#include "app/open/import_dialog.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "app/open/save.h"
#include "app/why/why.h"
#include "base/text.h"
#include "base/translate.h"
#include "canvas/text/font.h"
#include "lab/experiment/params.h"
#include "lab/experiment/variant.h"

static const double FOLD_SECONDS =
    0.8; /* changes of one field closer than this are one step of undo */

static bool apply_field(struct app_state *state, const struct view_action *action, double time)
{
    const struct lab_param *const param = lab_param_row(action->setting.field);
    struct lab_experiment next;
    if (param->title == NULL) {
        return false; /* nothing that a person sets */
    }
    lab_experiment_copy(&next, document_present(&state->document));
    lab_param_change(param, &next, action->setting.number);
    const bool differs = !lab_experiment_equal(&next, document_present(&state->document));
    const bool folds = action->setting.field == state->last_field &&
                       document_can_undo(&state->document) &&
                       time - state->document.last_change < FOLD_SECONDS;
    if (differs && folds) {
        document_change(&state->document, &next, NULL, time);
    } else if (differs) {
        document_change(&state->document, &next, param->title, time);
    }
    lab_experiment_release(&next);
    state->view.keys_begin =
        action->setting.field == LAB_PARAM_CONTEXT && action->setting.number > 0;
    state->last_field = action->setting.field;
    state->document.last_change = time;
    return differs;
}

void app_state_say_idle(struct app_state *state, const struct lab_param *param, double time)
{
    struct arena arena = {0};
    const char *const idle = lab_param_idle(param, &arena);
    app_state_show_message(state, time, "%s", idle != NULL ? idle : "");
    arena_free(&arena);
}

static bool apply_select(struct app_state *state, const struct view_action *action, double time)
{
    return app_display_select(state, action->select.parts, &action->select.to, time);
}

static bool apply_hover(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    const bool same = state->view.hovered_parts == action->select.parts &&
                      view_selection_equal(&state->view.hovered, &action->select.to);
    state->view.hovered_parts = action->select.parts;
    state->view.hovered = action->select.to;
    return !same;
}

/* Paints the mask from the pair before to this one; a stroke is one step of history. */
static bool paint_mask(struct app_state *state, const struct view_action *action, double time)
{
    struct lab_experiment next;
    struct error error = {0};
    const bool begins = action->paint.begins, shows = action->paint.shows;
    const size_t from_query = begins ? action->paint.query : state->stroke_query;
    const size_t from_key = begins ? action->paint.key : state->stroke_key;
    const double rows = (double)action->paint.query - (double)from_query;
    const double columns = (double)action->paint.key - (double)from_key;
    const size_t steps = (size_t)fmax(1, fmax(fabs(rows), fabs(columns)));
    bool ok = true;
    lab_experiment_copy(&next, document_present(&state->document));
    for (size_t s = 0; ok && s <= steps; s++) {
        const double share = (double)s / (double)steps;
        ok =
            lab_experiment_paint(&next, (size_t)((double)from_query + rows * share + 0.5),
                                 (size_t)((double)from_key + columns * share + 0.5), shows, &error);
    }
    if (!ok) {
        app_state_show_message(state, time, "%s", error.text);
    } else if (begins || !app_state_edit_begun(state)) {
        const bool changes = !lab_experiment_equal(&next, document_present(&state->document));
        document_change(&state->document, &next, "paint the mask", time);
        state->own_step = changes ? document_wanted_number(&state->document) : 0;
    } else {
        document_change(&state->document, &next, NULL, time);
    }
    lab_experiment_release(&next);
    state->view.stroke_shows = shows;
    state->stroke_query = action->paint.query;
    state->stroke_key = action->paint.key;
    return true;
}

/* Changes the experiment to another kind of attention. */
static bool take_variant(struct app_state *state, const struct view_action *action, double time)
{
    const size_t index = action->variant;
    struct lab_experiment next;
    if (index >= lab_variant_count()) {
        return false;
    }
    lab_variant_apply(index, document_present(&state->document), &next);
    document_change(&state->document, &next, lab_variant_row(index)->title, time);
    lab_experiment_release(&next);
    if (state->view.overlay == VIEW_OVERLAY_KINDS) {
        state->view.overlay = VIEW_OVERLAY_NONE;
    }
    return true;
}

/* Computes the same words by another kind of attention, to compare with. */
static bool keep_variant(struct app_state *state, const struct view_action *action, double time)
{
    const size_t index = action->variant;
    struct lab_experiment other;
    struct error error = {0};
    if (index >= lab_variant_count()) {
        return false;
    }
    lab_variant_apply(index, &state->document.experiment, &other);
    const struct lab_trace *const trace = lab_run(&other, &state->document.engine, &error);
    lab_experiment_release(&other);
    if (trace == NULL) {
        app_state_show_message(state, time, "%s", error.text);
        return true;
    }
    document_compare(&state->document, DOCUMENT_COMPARES_KEPT, trace);
    lab_trace_release(trace);
    return true;
}

/* Goes to a cause and remembers where it came from. */
static bool walk_to_cause(struct app_state *state, const struct view_action *action, double time)
{
    if (state->back_count == APP_BACK_MAX) {
        memmove(state->back_stack, state->back_stack + 1,
                (APP_BACK_MAX - 1) * sizeof state->back_stack[0]);
        state->back_count--;
    }
    state->back_stack[state->back_count++] =
        (struct app_back_entry){state->view.playback.stage, app_display_cause(state)};
    app_display_pin_cause(state, action->walk.stage, &action->walk.to);
    state->view.hovered_parts = 0;
    state->view.let_go = false;
    app_state_go(state, action->walk.stage, time);
    app_state_clamp(state);
    return true;
}

static bool take_colourmap(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    const struct colourmap *map = colourmap_find(action->text);
    if (map == NULL) {
        return false;
    }
    *(map->kind == COLOURMAP_SIGNED ? &state->view.prefs.signed_map
                                    : &state->view.prefs.weights_map) = map;
    return true;
}

static bool clear_queries(struct app_state *state, const struct view_action *action, double time)
{
    (void)action;
    (void)time;
    const bool together = state->view.prefs.display.queries.count > 0;
    state->view.prefs.display.queries = (struct lab_places){0};
    return together;
}

/* Applies an act about what is open, or about weights that learn. */
static bool apply_head_overview(struct app_state *state, const struct view_action *action,
                                double time)
{
    return app_why_change(state, action, time) || app_open_model_apply(state, action, time);
}

static bool go_lesson(struct app_state *state, const struct view_action *action, double time)
{
    return app_lesson_open(state, action->lesson, time);
}

static bool run_command(struct app_state *state, const struct view_action *action, double time)
{
    return app_command_run(state, action->command, 0, time);
}

/* Sets a member of the view's state. */
static bool set_member(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    char *const member = (char *)&state->view + action->member.offset;
    const bool same = memcmp(member, action->member.value, action->member.size) == 0;
    memcpy(member, action->member.value, action->member.size);
    return !same;
}

/* Edits the words of an open model, else those of the experiment. */
static bool take_words(struct app_state *state, const struct view_action *action, double time)
{
    struct arena arena = {0};
    struct view_action cut = *action;
    if (action->kind == VIEW_ACTION_INSERT || action->kind == VIEW_ACTION_REPLACE) {
        cut.token.text = app_token_edit_cut(state, action, &arena, time);
    }
    const bool changed = app_open_model_has_words(state, &cut)
                             ? app_open_model_apply(state, &cut, time)
                             : app_token_edit_apply(state, &cut, time);
    arena_free(&arena);
    return changed;
}

void app_state_take_text(struct app_state *state, const char *text, double time)
{
    const size_t count = lab_words_count(document_present(&state->document)->tokens);
    const struct view_action action = {.kind = count > 0 ? VIEW_ACTION_REPLACE : VIEW_ACTION_INSERT,
                                       .token = {.text = text, .before = count}};
    (void)take_words(state, &action, time);
}

/* The following always change something. */
static void keep_query(struct app_state *state, const struct view_action *action, double time)
{
    app_display_click(state, action->query, time);
}

static void filter_line(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    app_display_filter(state, action->line.part, action->line.place);
}

static void set_aside(struct app_state *state, const struct view_action *action, double time)
{
    app_display_aside(state, action->key, time);
}

/* The text that Why compares with: a step of history. */
static bool compare_with_text(struct app_state *state, const struct view_action *action,
                              double time)
{
    char *const changed = state->view.why_changed;
    if (strlen(action->text) >= sizeof state->view.why_changed) {
        app_state_show_message(state, time, "At most %d bytes of another text are compared with.",
                               VIEW_WHY_TEXT_MAX - 1);
        return true;
    }
    if (strcmp(action->text, changed) == 0) {
        return false;
    }
    document_change_look(&state->document, tr("another text to compare with"), time);
    (void)snprintf(changed, sizeof state->view.why_changed, "%s", action->text);
    state->view.why_patch_cell = 0;
    return true;
}

static void go_stage(struct app_state *state, const struct view_action *action, double time)
{
    state->view.why_shown = false;
    app_state_go(state, action->stage, time);
}

/* Shows another of the main views. */
static void go_main(struct app_state *state, const struct view_action *action, double time)
{
    static const enum view_overlay overlays[VIEW_MAINS] = {[VIEW_MAIN_KINDS] = VIEW_OVERLAY_KINDS,
                                                           [VIEW_MAIN_COSTS] = VIEW_OVERLAY_COSTS,
                                                           [VIEW_MAIN_DECODE] =
                                                               VIEW_OVERLAY_DECODE};
    struct view_state *const view = &state->view;
    if (action->main == view_main_of(view)) {
        view->why_page = action->main == VIEW_MAIN_WHY ? VIEW_WHY_ANSWER : view->why_page;
        return;
    }
    app_overlay_close(state);
    view->prefs.display.flow = action->main == VIEW_MAIN_FLOW;
    if (overlays[action->main] == VIEW_OVERLAY_NONE) { /* an overlay lies over what is there */
        view->extra_stage = VIEW_EXTRA_STAGE_NONE;
    }
    view->compare = VIEW_COMPARE_NOT;
    view->why_shown = action->main == VIEW_MAIN_WHY ||
                      (view->why_shown && overlays[action->main] != VIEW_OVERLAY_NONE);
    view->prefs.learn_folded = action->main == VIEW_MAIN_STAGE && view->learn != NULL;
    if (action->main == VIEW_MAIN_LEARN && view->learn == NULL) {
        app_learn_start(state, SIZE_MAX, true, time);
    } else if (action->main == VIEW_MAIN_COMPARE) {
        app_command_run(state, "compare", 0, time);
    } else if (overlays[action->main] != VIEW_OVERLAY_NONE) {
        app_overlay_turn(state, overlays[action->main], time);
    }
}

static void go_step(struct app_state *state, const struct view_action *action, double time)
{
    app_lesson_go(state, action->step, time);
}

static void take_guess(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    app_guess_say(state, action->text);
}

static void take_typed_guess(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    app_guess_type(state, action->text);
}

static void turn_camera(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    state->view.prefs.camera = action->camera;
}

static void take_axes(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    state->view.prefs.space_raw = action->axes.raw;
    memcpy(state->view.prefs.space_axes, action->axes.of, sizeof action->axes.of);
}

static void take_compare(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    state->view.compare = action->compare;
    if (action->compare == VIEW_COMPARE_DIFFERENCE) { /* which is of one stage */
        state->view.prefs.display.flow = false;
        state->view.extra_stage = VIEW_EXTRA_STAGE_NONE;
    }
}

static void seek_position(struct app_state *state, const struct view_action *action, double time)
{
    app_state_scrub(state, action->position, time);
}

static void set_speed(struct app_state *state, const struct view_action *action, double time)
{
    state->view.playback.speed = action->speed;
    app_state_play(state, time);
}

static void take_language(struct app_state *state, const struct view_action *action, double time)
{
    const struct language *const language = language_find(action->text);
    if (state->fonts != NULL && language != NULL && !fonts_speak(state->fonts, language)) {
        app_state_show_message(state, time,
                               "No font on this machine has the letters of %s: install %s.",
                               language->english, language->fonts);
        return;
    }
    language_speak(language);
    app_state_say_differences(state);
}

static void take_theme(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    const struct ui_theme *const theme = ui_theme_find(action->text);
    if (theme != NULL) {
        app_state_set_theme(state, theme);
    }
}

static void type_name(struct app_state *state, const struct view_action *action, double time)
{
    (void)time;
    state->view.find_new = false;
    app_find_type(state, action->text);
}

static void go_row(struct app_state *state, const struct view_action *action, double time)
{
    state->view.find_at = action->found.row;
    if (action->found.now) {
        app_find_take(state, action->found.row, time);
    }
}

static const struct {
    bool (*apply)(struct app_state *state, const struct view_action *action, double time);
    void (*always)(struct app_state *state, const struct view_action *action, double time);
} rows[VIEW_ACTIONS] = {
    [VIEW_ACTION_SELECT] = {.apply = apply_select},
    [VIEW_ACTION_HOVER] = {.apply = apply_hover},
    [VIEW_ACTION_KEEP_QUERY] = {.always = keep_query},
    [VIEW_ACTION_CLEAR_QUERIES] = {.apply = clear_queries},
    [VIEW_ACTION_FILTER] = {.always = filter_line},
    [VIEW_ACTION_ASIDE] = {.always = set_aside},
    [VIEW_ACTION_STAGE] = {.always = go_stage},
    [VIEW_ACTION_MAIN] = {.always = go_main},
    [VIEW_ACTION_COMMAND] = {.apply = run_command},
    [VIEW_ACTION_LESSON] = {.apply = go_lesson},
    [VIEW_ACTION_LESSON_STEP] = {.always = go_step},
    [VIEW_ACTION_GUESS] = {.always = take_guess},
    [VIEW_ACTION_GUESS_TYPED] = {.always = take_typed_guess},
    [VIEW_ACTION_FIELD] = {.apply = apply_field},
    [VIEW_ACTION_INSERT] = {.apply = take_words},
    [VIEW_ACTION_REPLACE] = {.apply = take_words},
    [VIEW_ACTION_REMOVE] = {.apply = take_words},
    [VIEW_ACTION_MOVE] = {.apply = take_words},
    [VIEW_ACTION_CAMERA] = {.always = turn_camera},
    [VIEW_ACTION_SET] = {.apply = set_member},
    [VIEW_ACTION_ARM] = {.apply = app_edit_apply},
    [VIEW_ACTION_OPEN] = {.apply = app_edit_apply},
    [VIEW_ACTION_GRAB] = {.apply = app_edit_apply},
    [VIEW_ACTION_EDIT] = {.apply = app_edit_apply},
    [VIEW_ACTION_RESTORE] = {.apply = app_edit_apply},
    [VIEW_ACTION_CLOSE] = {.apply = app_edit_apply},
    [VIEW_ACTION_NO_NUMBER] = {.apply = app_edit_apply},
    [VIEW_ACTION_WALK] = {.apply = walk_to_cause},
    [VIEW_ACTION_PAINT] = {.apply = paint_mask},
    [VIEW_ACTION_VARIANT] = {.apply = take_variant},
    [VIEW_ACTION_KEEP] = {.apply = keep_variant},
    [VIEW_ACTION_COMPARE] = {.always = take_compare},
    [VIEW_ACTION_CHANGED] = {.apply = compare_with_text},
    [VIEW_ACTION_FIND] = {.always = type_name},
    [VIEW_ACTION_FIND_ROW] = {.always = go_row},
    [VIEW_ACTION_COLOURMAP] = {.apply = take_colourmap},
    [VIEW_ACTION_LANGUAGE] = {.always = take_language},
    [VIEW_ACTION_THEME] = {.always = take_theme},
    [VIEW_ACTION_AXES] = {.always = take_axes},
    [VIEW_ACTION_SEEK] = {.always = seek_position},
    [VIEW_ACTION_SPEED] = {.always = set_speed},
    [VIEW_ACTION_HEAD_OVERVIEW] = {.apply = apply_head_overview},
    [VIEW_ACTION_LEARN] = {.apply = app_learn_apply},
    [VIEW_ACTION_EXPORT] = {.always = app_export_apply},
    [VIEW_ACTION_IMPORT] = {.always = app_import_apply},
    [VIEW_ACTION_SAVE] = {.always = app_save_apply},
};

bool app_state_apply(struct app_state *state, const struct view_action *action, double time)
{
    if (rows[action->kind].apply != NULL) {
        return rows[action->kind].apply(state, action, time);
    }
    rows[action->kind].always(state, action, time);
    return true;
}
