/* The commands that change what is looked at and how; no number of the experiment changes. */
#include <math.h>

#include "app/actions/commands.h"

#include "app/document/display.h"
#include "base/translate.h"
#include "view/parts/learn.h"
#include "view/parts/table.h"

static void keep_query(struct app_state *state, double time)
{
    app_display_keep(state, app_state_selection(state).query, time);
}

/* Emphasises one line alone, as a click on its sum does. */
static void only_key(struct app_state *state)
{
    app_display_filter(state, VIEW_KEY, app_state_selection(state).key);
}

static void only_query(struct app_state *state)
{
    app_display_filter(state, VIEW_QUERY, app_state_selection(state).query);
}

static void set_key_aside(struct app_state *state, double time)
{
    app_display_aside(state, app_state_selection(state).key, time);
}

static void bring_back(struct app_state *state, double time)
{
    if (state->view.prefs.display.aside.count > 0) {
        app_display_set_aside(state, &(struct lab_places){0}, tr("bring all keys back"), time);
    } else {
        app_state_show_message(state, time, "Nothing is set aside: rows sum to 1 as they are.");
    }
}

/* Computes the rows as if the keys that are set aside were not there: one step of undo. */
static void renormalise_rows(struct app_state *state, double time)
{
    struct lab_places *const aside = &state->view.prefs.display.aside;
    if (aside->count == 0) {
        app_state_show_message(state, time, "Nothing is set aside: rows sum to 1 as they are.");
        return;
    }
    struct lab_experiment next;
    struct error error = {0};
    lab_experiment_copy(&next, document_present(&state->document));
    const size_t keys = lab_experiment_sizes(&next).m;
    lab_places_clamp(aside, keys);
    if (lab_experiment_hide_keys(&next, aside->place, aside->count, &error)) {
        document_change(&state->document, &next, tr("compute without what is set aside"), time);
        *aside = (struct lab_places){0};
    } else {
        app_state_show_message(state, time, "%s", error.text);
    }
    lab_experiment_release(&next);
}

static void turn_stage_change(struct app_state *state, double time)
{
    const enum lab_stage stage = state->view.playback.stage;
    const struct lab_trace *const trace = state->document.trace;
    const char *const lacks = trace == NULL ? NULL : lab_trace_lacks(trace, LAB_SCORE);
    if (!state->view.prefs.display.change && lacks != NULL) {
        app_state_show_message(state, time, "%s", tr(lacks));
        return;
    }
    state->view.prefs.display.change = !state->view.prefs.display.change;
    if (state->view.prefs.display.change && stage != LAB_SCALE && stage != LAB_SOFTMAX) {
        app_state_show_message(state, time,
                               "A stage minus the one before it is shown at Scale and at Softmax.");
    }
}

/* Zooms in on the chosen weight, or out. */
static void zoom_weights(struct app_state *state, int steps, double time)
{
    struct view_state *const view = &state->view;
    const struct lab_sizes sizes = state->document.trace == NULL
                                       ? (struct lab_sizes){0}
                                       : lab_trace_sizes(state->document.trace);
    if (sizes.n <= VIEW_ZOOM_FROM && sizes.m <= VIEW_ZOOM_FROM) {
        app_state_show_message(state, time, "There are so few words that all of them can be seen.");
        return;
    }
    const struct lab_selection at = app_state_selection(state);
    const bool lies = view->zoom.rows > 0;
    const float rows = (float)(lies ? view->zoom.rows : sizes.n);
    const float columns = (float)(lies ? view->zoom.columns : sizes.m);
    const float y = ((float)at.query + 0.5f - (lies ? view->zoom.row : 0)) / rows;
    const float x = ((float)at.key + 0.5f - (lies ? view->zoom.column : 0)) / columns;
    view->zoom = view_zoom_nearer(view->zoom, sizes.n, sizes.m, steps < 0 ? -2.0f : 2.0f,
                                  fmaxf(0, fminf(x, 1)), fmaxf(0, fminf(y, 1)));
}

static void all_weights(struct app_state *state)
{
    state->view.zoom = (struct view_zoom){0};
}

static void forget_baseline(struct app_state *state)
{
    document_compare(&state->document, DOCUMENT_COMPARES_NOTHING, NULL);
    state->view.compare = VIEW_COMPARE_NOT;
}

/* Compares with what was before the last change, at every stage; the second time it ends that. */
static void compare_change(struct app_state *state, double time)
{
    if (state->document.compares == DOCUMENT_COMPARES_CHANGE) {
        forget_baseline(state);
    } else if (state->view.learn != NULL) {
        app_state_show_message(
            state, time, "While weights learn, “change” in the settings shows what a step did.");
    } else if (document_step_before(&state->document) == NULL) {
        app_state_show_message(
            state, time, "Nothing was changed here yet: change anything, and see what that did.");
    } else {
        state->view.prefs.display.flow = state->view.prefs.display.change = false;
        state->view.extra_stage = VIEW_EXTRA_STAGE_NONE;
        document_compare(&state->document, DOCUMENT_COMPARES_CHANGE, NULL);
        state->view.compare = VIEW_COMPARE_SIDE;
    }
}

/* The first time it keeps what is; then it turns through the ways to show both. */
static void compare_baseline(struct app_state *state, double time)
{
    if (state->document.trace == NULL) {
        return;
    }
    state->view.prefs.display.flow = false;
    state->view.extra_stage = VIEW_EXTRA_STAGE_NONE;
    const bool keeps = state->document.baseline == NULL;
    if (keeps && state->view.learn != NULL) { /* what is kept of a run is one of its moments */
        app_command_run(state, "pin moment", VIEW_LEARN_PIN, time);
    } else if (keeps) {
        document_compare(&state->document, DOCUMENT_COMPARES_KEPT, state->document.trace);
        state->view.compare = VIEW_COMPARE_SIDE;
    } else {
        state->view.compare = (enum view_compare)((state->view.compare + 1) % 3);
    }
    if (keeps) {
        app_state_show_message(state, time, "Kept. Change anything, and see it beside what was.");
    }
}

static void show_tab(struct app_state *state)
{
    const float zoom = app_view_zoom(&state->view.prefs, state->width, state->height);
    enum view_small_panel panels[VIEW_SMALL_PANELS];
    if (state->view.prefs.presenter) {
        state->view.small_panel =
            (enum view_small_panel)((state->view.small_panel + 1) % (VIEW_SMALL_PANEL_STAGE + 1));
    } else if (view_is_small(&state->view, state->width / zoom, state->height / zoom)) {
        const size_t count = view_small_panels(&state->view, panels);
        state->view.small_panel = panels[(view_small_panel_shown(&state->view) + 1) % count];
    } else {
        state->view.prefs.tab =
            state->view.prefs.tab == VIEW_TAB_SPACE ? VIEW_TAB_HEADS : VIEW_TAB_SPACE;
    }
}

static bool has_no_model(const struct app_state *state)
{
    return state->view.head_overview == NULL;
}

/* Where weights learn in a wide window the key leads to all heads instead: 3-D view and heads stand
 * there beside each other. */
static bool has_tabs(const struct app_state *state)
{
    const float zoom = app_view_zoom(&state->view.prefs, state->width, state->height);
    const float width = state->width / zoom, height = state->height / zoom;
    return has_no_model(state) &&
           (state->view.learn == NULL || state->view.prefs.presenter || view_is_narrow(width) ||
            view_is_small(&state->view, width, height));
}

static bool has_latent(const struct app_state *state)
{
    const struct lab_trace *const trace = state->document.trace;
    return trace != NULL && lab_graph_has(lab_trace_graph(trace), LAB_C);
}

static bool has_kept(const struct app_state *state)
{
    return state->document.baseline != NULL;
}

static const struct app_command rows[] = {
    {"flow", .title = "The whole flow on one sheet", .words = "overview diagram architecture",
     .stroke = {{'o', 0}}, .toggle = offsetof(struct app_state, view.prefs.display.flow)},
    {"costs", .title = "What each kind of attention costs", .words = "memory flops complexity",
     .stroke = {{'k', 0}}, .overlay = VIEW_OVERLAY_COSTS},
    {"kinds", .title = "Every kind of attention on these words",
     .words = "variants gallery all masks", .stroke = {{'k', UI_SHIFT}},
     .overlay = VIEW_OVERLAY_KINDS},
    {"decode", .title = "Decoding word by word, with a cache",
     .words = "KV cache generate inference", .stroke = {{'m', 0}}, .overlay = VIEW_OVERLAY_DECODE},
    {"compare", .title = "Keep this experiment and compare",
     .words = "difference beside side A | B A − B", .run_at = compare_baseline,
     .help = "Keep this experiment, then compare: beside, difference", .stroke = {{'b', 0}}},
    {"forget", .title = "Let go of what was kept to compare", .run = forget_baseline,
     .when = has_kept},
    {"change", .title = "What my last change did: before and after", .words = "what changed",
     .run_at = compare_change, .help = "What your last change did: before and after",
     .stroke = {{'d', 0}}},
    {"stage change", .title = "The stage minus the one before it", .words = "difference",
     .run_at = turn_stage_change},
    {"lines", .title = "Heads as matrices or as lines", .words = "bipartite bertviz links",
     .help = "Without a model: heads as matrices or as lines", .stroke = {{'l', 0}},
     .when = has_no_model, .toggle = offsetof(struct app_state, view.prefs.display.lines)},
    {"keep query", .title = "Look at several queries together: keep this one, or let it go",
     .run_at = keep_query, .help = "Keep the query: several together; ⇧-click does the same",
     .stroke = {{UI_KEY_ENTER, UI_SHIFT}}},
    {"only key", .title = "Emphasise the selected key alone, in all panels", .run = only_key},
    {"only query", .title = "Emphasise the selected query alone, in all panels", .run = only_query},
    {"aside", .title = "Set the selected key aside, or bring it back", .run_at = set_key_aside,
     .stroke = {{'a', UI_ALT}}},
    {"bring back", .title = "Bring back all keys that were set aside", .run_at = bring_back},
    {"renormalise", .title = "Compute without what is set aside: a mask hides it",
     .words = "renormalise what if leave out", .run_at = renormalise_rows},
    {"nearer", 1, .title = "Weights: nearer", .turn = zoom_weights, .stroke = {{'z', 0}},
     .help = "Many weights: nearer, farther; as the wheel does"},
    {"farther", -1, .title = "Weights: farther", .turn = zoom_weights, .stroke = {{'z', UI_SHIFT}},
     .help = APP_SAME_LINE},
    {"all weights", .title = "Weights: all of them again", .run = all_weights},
    {"dots", .title = "Weights that share a dot: their largest, or their mean",
     .toggle = offsetof(struct app_state, view.prefs.by_mean)},
    {"colours", .title = "Colours of weights: linear or logarithmic",
     .toggle = offsetof(struct app_state, view.prefs.display.logarithmic)},
    {"range", .title = "Colours up to 1, or up to the largest weight",
     .toggle = offsetof(struct app_state, view.prefs.range_by_content)},
    {"marks", .title = "Scores as squares or as discs",
     .toggle = offsetof(struct app_state, view.prefs.display.discs)},
    {"whole alpha", .title = "Softmax: one row or all of α",
     .toggle = offsetof(struct app_state, view.prefs.whole_alpha)},
    {"latent rows", .title = "Project, latent: how C is made", .when = has_latent,
     .toggle = offsetof(struct app_state, view.prefs.latent_rows)},
    {"tab", .title = "3-D view or heads, where they share a place", .words = "3D space points",
     .help = "Without a model: 3-D view or heads", .run = show_tab, .stroke = {{'g', 0}},
     .when = has_tabs},
};

const struct app_command_group app_commands_display = {"Look", rows, sizeof rows / sizeof *rows};
