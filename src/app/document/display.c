/* Selects, and chooses how things are looked at: rows kept together, keys set aside, one line
 * alone. */
#include "app/document/display.h"

#include <math.h>
#include <stdio.h>

#include "app/document/hints.h"
#include "base/translate.h"

static void copy_parts(struct lab_selection *to, unsigned parts, const struct lab_selection *from)
{
    to->head = parts & VIEW_HEAD ? from->head : to->head;
    to->query = parts & VIEW_QUERY ? from->query : to->query;
    to->key = parts & VIEW_KEY ? from->key : to->key;
    to->channel = parts & VIEW_CHANNEL ? from->channel : to->channel;
    to->weight = parts & VIEW_WEIGHT ? from->weight : to->weight;
    to->projected = parts & VIEW_PROJECTED ? from->projected : to->projected;
    to->form = parts & VIEW_FORM ? from->form : LAB_EMBEDDINGS_X;
}

bool app_display_select(struct app_state *state, unsigned parts, const struct lab_selection *to,
                        double time)
{
    const struct lab_selection former = state->view.pinned;
    const bool had_let_go = state->view.let_go;
    copy_parts(&state->view.pinned, parts, to);
    state->view.let_go = false;
    app_state_clamp(state);
    if (!view_selection_equal(&former, &state->view.pinned)) {
        state->view.playback.glide_from = time;
        return true;
    }
    return had_let_go;
}

struct lab_selection app_display_cause(const struct app_state *state)
{
    struct lab_selection at = app_state_selection(state);
    const bool is_latent = state->view.playback.stage == LAB_PROJECT &&
                           state->view.prefs.latent_rows && state->document.trace != NULL &&
                           lab_graph_has(lab_trace_graph(state->document.trace), LAB_C);
    at.projected = is_latent ? LAB_C : at.projected;
    return at;
}

void app_display_pin_cause(struct app_state *state, enum lab_stage stage,
                           const struct lab_selection *to)
{
    const bool is_latent = to->projected == LAB_C;
    const enum lab_part tab = state->view.pinned.projected; /* of Q, K and V, which C is none of */
    state->view.pinned = *to;
    state->view.pinned.projected = is_latent ? tab : to->projected;
    state->view.prefs.latent_rows =
        stage == LAB_PROJECT ? is_latent : state->view.prefs.latent_rows;
}

void app_display_keep(struct app_state *state, size_t query, double time)
{
    struct view_state *view = &state->view;
    if (state->document.trace == NULL || query >= lab_trace_sizes(state->document.trace).n) {
        return;
    }
    if (!lab_places_turn(&view->prefs.display.queries, query)) {
        app_state_show_message(state, time, "At most %d queries can be looked at together.",
                               LAB_PLACES_MAX);
        return;
    }
    const bool in = lab_places_has(&view->prefs.display.queries, query);
    const char *word = lab_trace_queries(state->document.trace)[query];
    view->let_go = false;
    state->view.playback.glide_from = time;
    if (view->prefs.display.queries.count == 1) {
        app_state_show_message(
            state, time,
            "“%.80s” is kept; ⇧-click or ⇧ Enter on another query adds it, Esc lets go.",
            lab_trace_queries(state->document.trace)[view->prefs.display.queries.place[0]]);
    } else {
        app_state_show_message(state, time, "“%.80s” is %s; %zu queries together.", word,
                               in ? "kept" : "let go", view->prefs.display.queries.count);
    }
}

/* The first ⇧-click keeps what was chosen before as well: two clicks are two queries. */
void app_display_click(struct app_state *state, size_t query, double time)
{
    struct view_state *view = &state->view;
    if (view->prefs.display.queries.count == 0 && !view->let_go && view->pinned.query != query) {
        lab_places_turn(&view->prefs.display.queries, view->pinned.query);
    }
    app_display_keep(state, query, time);
    view->pinned.query = query;
}

void app_display_aside(struct app_state *state, size_t key, double time)
{
    struct lab_places aside = state->view.prefs.display.aside;
    if (state->document.trace == NULL || key >= lab_trace_sizes(state->document.trace).m) {
        return;
    }
    if (!lab_places_turn(&aside, key)) {
        app_state_show_message(state, time, "At most %d keys can be set aside.", LAB_PLACES_MAX);
        return;
    }
    app_hint_used(state, VIEW_HINT_ASIDE);
    const char *const word = lab_trace_keys(state->document.trace)[key];
    const bool in = lab_places_has(&aside, key);
    char name[DOCUMENT_NAME_MAX + 64];
    snprintf(name, sizeof name, tr(in ? "set “%.40s” aside" : "bring “%.40s” back"), word);
    app_display_set_aside(state, &aside, name, time);
    app_state_show_message(state, time, "“%.80s” %s.", word,
                           in ? "is set aside in the picture; nothing else changes" : "is back");
}

void app_display_set_aside(struct app_state *state, const struct lab_places *aside,
                           const char *name, double time)
{
    document_change_look(&state->document, name, time);
    state->view.prefs.display.aside = *aside;
    state->view.playback.glide_from = time;
}

bool app_display_let_go(struct app_state *state)
{
    struct view_state *view = &state->view;
    const bool had =
        view->prefs.display.queries.count > 0 || view->prefs.display.line != LAB_LINE_NONE;
    view->prefs.display.queries = (struct lab_places){0};
    view->prefs.display.line = LAB_LINE_NONE;
    view->prefs.display.line_place = 0;
    return had;
}

void app_display_filter(struct app_state *state, unsigned part, size_t place)
{
    struct view_state *const view = &state->view;
    const enum lab_line filter = part & VIEW_KEY ? LAB_LINE_KEY : LAB_LINE_QUERY;
    const bool again =
        view->prefs.display.line == filter && view->prefs.display.line_place == place;
    view->prefs.display.line = again ? LAB_LINE_NONE : filter;
    view->prefs.display.line_place = again ? 0 : place;
}

void app_display_take(struct app_state *state, const struct lab_step *step)
{
    struct lab_display *display = &state->view.prefs.display;
    app_display_let_go(state);
    if (step->has_display) {
        *display = step->display;
    } else {
        display->aside = (struct lab_places){0};
        display->lines = false;
    }
}
