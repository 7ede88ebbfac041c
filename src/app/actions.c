/* What becomes of a view's action: a change of the experiment, of the selection, or of what is
 * shown.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/display.h"
#include "app/edit.h"
#include "app/export.h"
#include "app/find.h"
#include "app/guess.h"
#include "app/import_dialog.h"
#include "app/lesson.h"
#include "app/open_model.h"
#include "app/state.h"
#include "app/token_edit.h"
#include "base/text.h"
#include "lab/experiment/variant.h"

static const double FOLD_SECONDS =
    0.8; /* changes of one field closer than this are one step of undo */

static bool apply_field(struct app_state *state, const struct view_action *action, double time)
{
    const struct lab_param *const param = lab_param_row(action->field);
    struct lab_experiment next;
    if (param->title == NULL) {
        return false; /* nothing that a person sets */
    }
    lab_experiment_copy(&next, document_present(&state->document));
    lab_param_change(param, &next, action->number);
    const bool differs = !lab_experiment_equal(&next, document_present(&state->document));
    const bool folds = action->field == state->last_field && document_can_undo(&state->document) &&
                       time - state->document.last_change < FOLD_SECONDS;
    if (differs && folds) {
        document_change(&state->document, &next, NULL, time);
    } else if (differs) {
        document_change(&state->document, &next, param->title, time);
    }
    lab_experiment_release(&next);
    state->last_field = action->field;
    state->document.last_change = time;
    return differs;
}

static void lay_over(struct lab_selection *to, unsigned parts, const struct lab_selection *from)
{
    to->head = parts & VIEW_HEAD ? from->head : to->head;
    to->query = parts & VIEW_QUERY ? from->query : to->query;
    to->key = parts & VIEW_KEY ? from->key : to->key;
    to->channel = parts & VIEW_CHANNEL ? from->channel : to->channel;
    to->projected = parts & VIEW_PROJECTED ? from->projected : to->projected;
}

static bool same_selection(const struct lab_selection *a, const struct lab_selection *b)
{
    return a->head == b->head && a->query == b->query && a->key == b->key &&
           a->channel == b->channel && a->projected == b->projected;
}

static bool apply_select(struct app_state *state, const struct view_action *action, double time)
{
    const struct lab_selection former = state->view.pinned;
    const bool had_let_go = state->view.let_go;
    lay_over(&state->view.pinned, action->parts, &action->selection);
    state->view.let_go = false;
    app_state_clamp(state);
    if (!same_selection(&former, &state->view.pinned)) {
        state->glide_from = time;
        return true;
    }
    return had_let_go;
}

static bool apply_hover(struct app_state *state, const struct view_action *action)
{
    const bool same = state->view.hovered_parts == action->parts &&
                      same_selection(&state->view.hovered, &action->selection);
    state->view.hovered_parts = action->parts;
    state->view.hovered = action->selection;
    return !same;
}

/* A stroke over the mask, from the pair before to this one: one step of history. */
static bool paint(struct app_state *state, const struct view_action *action, double time)
{
    struct lab_experiment next;
    struct error error = {0};
    const bool begins = (action->parts & 1) != 0, shows = action->number != 0;
    const size_t from_query = begins ? action->index : state->stroke_query;
    const size_t from_key = begins ? action->other : state->stroke_key;
    const double rows = (double)action->index - (double)from_query;
    const double columns = (double)action->other - (double)from_key;
    const size_t steps = (size_t)fmax(1, fmax(fabs(rows), fabs(columns)));
    bool custom_mask = true;
    lab_experiment_copy(&next, document_present(&state->document));
    for (size_t s = 0; custom_mask && s <= steps; s++) {
        const double share = (double)s / (double)steps;
        custom_mask =
            lab_experiment_paint(&next, (size_t)((double)from_query + rows * share + 0.5),
                                 (size_t)((double)from_key + columns * share + 0.5), shows, &error);
    }
    if (!custom_mask) {
        app_state_show_message(state, time, "%s", error.text);
    } else if (begins || !state->stroke_begun) {
        state->stroke_begun = !lab_experiment_equal(&next, document_present(&state->document));
        document_change(&state->document, &next, "paint the mask", time);
    } else {
        document_change(&state->document, &next, NULL, time);
    }
    lab_experiment_release(&next);
    state->view.stroke_shows = shows;
    state->stroke_query = action->index;
    state->stroke_key = action->other;
    return true;
}

/* The experiment as another kind of attention. */
static bool take_variant(struct app_state *state, size_t index, double time)
{
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

/* The same words as another kind of attention, kept beside what is now. */
static bool keep_variant(struct app_state *state, size_t index, double time)
{
    struct lab_experiment other;
    struct error error = {0};
    if (index >= lab_variant_count()) {
        return false;
    }
    lab_variant_apply(index, &state->document.experiment, &other);
    const struct lab_trace *const trace = lab_run(&other, state->document.isa, &error);
    lab_experiment_release(&other);
    if (trace == NULL) {
        app_state_show_message(state, time, "%s", error.text);
        return true;
    }
    lab_trace_release(state->document.baseline);
    state->document.baseline = trace;
    return true;
}

/* Goes to a cause and remembers where it came from. */
static bool walk(struct app_state *state, const struct view_action *action, double time)
{
    if (state->back_count == APP_BACK_MAX) {
        memmove(state->back_stack, state->back_stack + 1,
                (APP_BACK_MAX - 1) * sizeof state->back_stack[0]);
        state->back_count--;
    }
    state->back_stack[state->back_count++] =
        (struct app_location){state->view.stage, app_state_selection(state)};
    state->view.pinned = action->selection;
    state->view.hovered_parts = 0;
    state->view.let_go = false;
    app_state_go(state, (enum lab_stage)action->index, time);
    app_state_clamp(state);
    return true;
}

static bool apply_colourmap(struct app_state *state, const char *name)
{
    const struct colourmap *map = colourmap_find(name);
    if (map == NULL || map->kind != COLOURMAP_UNSIGNED) {
        return false;
    }
    state->view.weights_map = map;
    return true;
}

/* Which panel stands where they share a place. */
static void show_part(struct view_state *view, const struct view_action *action)
{
    if (action->other != 0) {
        view->front = (enum view_front)(action->index % VIEW_FRONTS);
    } else {
        view->tab = action->index == 0 ? VIEW_TAB_SPACE : VIEW_TAB_HEADS;
    }
}

static bool apply_split(struct app_state *state, const struct view_action *action)
{
    float *share = action->index == 0 ? &state->view.split_column : &state->view.split_right;
    *share = (float)fmin(0.95, fmax(0.05, action->number));
    return true;
}

static bool apply_other(struct app_state *state, const struct view_action *action, double time)
{
    switch (action->kind) {
    case VIEW_ACTION_SELECT:
        return apply_select(state, action, time);
    case VIEW_ACTION_HOVER:
        return apply_hover(state, action);
    case VIEW_ACTION_STAGE:
        app_state_go(state, (enum lab_stage)action->index, time);
        return true;
    case VIEW_ACTION_COMMAND:
        return app_command_run(state, action->text, 0, time);
    case VIEW_ACTION_LESSON:
        return app_lesson_open(state, action->index, time);
    case VIEW_ACTION_FIELD:
        return apply_field(state, action, time);
    case VIEW_ACTION_CAMERA:
        state->view.camera = action->camera;
        return true;
    case VIEW_ACTION_SPLIT:
        return apply_split(state, action);
    case VIEW_ACTION_TAB:
        show_part(&state->view, action);
        return true;
    case VIEW_ACTION_SCROLL:
        *(action->index == 0 ? &state->view.settings_scroll : &state->view.help_scroll) =
            (float)action->number;
        return true;
    case VIEW_ACTION_LESSON_STEP:
        app_lesson_go(state, action->index, time);
        return true;
    case VIEW_ACTION_GUESS:
        app_guess_say(state, action->text);
        return true;
    case VIEW_ACTION_PAINT:
        return paint(state, action, time);
    case VIEW_ACTION_STEP:
        state->view.scale_step = action->index;
        return true;
    case VIEW_ACTION_WALK:
        return walk(state, action, time);
    case VIEW_ACTION_DECODE:
        state->view.decode_tokens = action->index;
        state->view.decode_off = action->other != 0;
        return true;
    case VIEW_ACTION_VARIANT:
        return take_variant(state, action->index, time);
    case VIEW_ACTION_KEEP:
        return keep_variant(state, action->index, time);
    case VIEW_ACTION_COMPARE:
        state->view.compare =
            action->index < 3 ? (enum view_compare)action->index : VIEW_COMPARE_NOT;
        state->view.display.flow = false;
        return true;
    case VIEW_ACTION_FIND:
        state->view.find_new = false;
        app_find_type(state, action->text);
        return true;
    case VIEW_ACTION_FIND_ROW:
        state->view.find_at = action->index;
        if (action->other != 0) {
            app_find_take(state, action->index, time);
        }
        return true;
    case VIEW_ACTION_MOMENT:
        app_state_scrub(state, action->number, time);
        return true;
    case VIEW_ACTION_EXPORT:
        app_export_apply(state, action, time);
        return true;
    case VIEW_ACTION_IMPORT:
        app_import_apply(state, action, time);
        return true;
    case VIEW_ACTION_AXES:
        state->view.space_raw = action->other != 0;
        memcpy(state->view.space_axes, action->axes, sizeof action->axes);
        return true;
    case VIEW_ACTION_COLOURMAP:
        return apply_colourmap(state, action->text);
    default:
        return false;
    }
}

bool app_state_apply(struct app_state *state, const struct view_action *given, double time)
{
    struct arena arena = {0};
    struct view_action action = *given;
    bool changed = false;
    action.text = app_token_edit_cut(state, given, &arena, time);
    const bool done = app_edit_apply(state, &action, time, &changed) ||
                      app_display_apply(state, &action, time, &changed) ||
                      app_open_model_apply(state, &action, time, &changed) ||
                      app_token_edit_apply(state, &action, time, &changed);
    changed = done ? changed : apply_other(state, &action, time);
    arena_free(&arena);
    return changed;
}
