#include "app/display.h"
#include "base/translate.h"

#include <math.h>

void app_display_keep(struct app_state *state, size_t query, double time)
{
    struct view_state *view = &state->view;
    if (state->document.trace == NULL || query >= lab_trace_sizes(state->document.trace).n) {
        return;
    }
    if (!lab_places_turn(&view->display.queries, query)) {
        app_state_show_message(state, time, "At most %d queries can be looked at together.",
                               LAB_PLACES_MAX);
        return;
    }
    const bool in = lab_places_has(&view->display.queries, query);
    const char *word = lab_trace_queries(state->document.trace)[query];
    view->let_go = false;
    state->glide_from = time;
    if (view->display.queries.count == 1) {
        app_state_show_message(
            state, time,
            "“%.80s” is kept; ⇧-click or ⇧ Enter on another query adds it, Esc lets go.",
            lab_trace_queries(state->document.trace)[view->display.queries.place[0]]);
    } else {
        app_state_show_message(state, time, "“%.80s” is %s; %zu queries together.", word,
                               in ? "kept" : "let go", view->display.queries.count);
    }
}

/* The first ⇧-click keeps what was chosen before as well: two clicks are two queries. */
static void keep_clicked(struct app_state *state, size_t query, double time)
{
    struct view_state *view = &state->view;
    if (view->display.queries.count == 0 && !view->let_go && view->pinned.query != query) {
        lab_places_turn(&view->display.queries, view->pinned.query);
    }
    app_display_keep(state, query, time);
    view->pinned.query = query;
}

void app_display_aside(struct app_state *state, size_t key, double time)
{
    struct lab_places *aside = &state->view.display.aside;
    if (state->document.trace == NULL || key >= lab_trace_sizes(state->document.trace).m) {
        return;
    }
    if (!lab_places_turn(aside, key)) {
        app_state_show_message(state, time, "At most %d keys can be set aside.", LAB_PLACES_MAX);
        return;
    }
    state->glide_from = time;
    app_state_show_message(state, time, "“%.80s” %s.", lab_trace_keys(state->document.trace)[key],
                           lab_places_has(aside, key)
                               ? "is set aside in the picture; nothing else changes"
                               : "is back");
}

bool app_display_let_go(struct app_state *state)
{
    struct view_state *view = &state->view;
    const bool had = view->display.queries.count > 0 || view->display.line != LAB_LINE_NONE;
    view->display.queries = (struct lab_places){0};
    view->display.line = LAB_LINE_NONE;
    view->display.line_place = 0;
    return had;
}

static void turn_filter(struct view_state *view, unsigned part, size_t place)
{
    const enum lab_line filter = part & VIEW_KEY ? LAB_LINE_KEY : LAB_LINE_QUERY;
    const bool again = view->display.line == filter && view->display.line_place == place;
    view->display.line = again ? LAB_LINE_NONE : filter;
    view->display.line_place = again ? 0 : place;
}

bool app_display_apply(struct app_state *state, const struct view_action *action, double time,
                       bool *changed)
{
    *changed = true;
    switch (action->kind) {
    case VIEW_ACTION_KEEP_QUERY:
        keep_clicked(state, action->index, time);
        return true;
    case VIEW_ACTION_ALONE:
        *changed = state->view.display.queries.count > 0;
        state->view.display.queries = (struct lab_places){0};
        return true;
    case VIEW_ACTION_FILTER:
        turn_filter(&state->view, action->parts, action->index);
        return true;
    case VIEW_ACTION_ZOOM:
        state->view.zoom = action->zoom;
        return true;
    case VIEW_ACTION_REDUCE:
        state->view.by_mean = action->index != 0;
        return true;
    case VIEW_ACTION_LANGUAGE:
        language_speak(language_find(action->text));
        return true;
    case VIEW_ACTION_ASIDE:
        app_display_aside(state, action->index, time);
        return true;
    default:
        *changed = false;
        return false;
    }
}

void app_display_take(struct app_state *state, const struct lab_step *step)
{
    struct lab_display *display = &state->view.display;
    app_display_let_go(state);
    if (step->has_display) {
        *display = step->display;
    } else {
        display->aside = (struct lab_places){0};
        display->renormalised = false;
    }
}
