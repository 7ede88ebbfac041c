/* app/commands_look.c — how weights are looked at: together, without a key, in which colours. */
#include <math.h>

#include "app/commands_parts.h"

#include "app/display.h"
#include "view/parts/table.h"

static void keep(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_display_keep(state, app_state_selection(state).query, time);
}

/* One line alone, by keyboard what a click on its sum does. */
static void only(struct app_state *state, unsigned part, size_t place, double time)
{
    app_state_apply(
        state, &(struct view_action){.kind = VIEW_ACTION_FILTER, .parts = part, .index = place},
        time);
}

static void only_key(struct app_state *state, int argument, double time)
{
    (void)argument;
    only(state, VIEW_KEY, app_state_selection(state).key, time);
}

static void only_query(struct app_state *state, int argument, double time)
{
    (void)argument;
    only(state, VIEW_QUERY, app_state_selection(state).query, time);
}

static void aside(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_display_aside(state, app_state_selection(state).key, time);
}

static void bring_back(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.display.aside = (struct lab_places){0};
    state->view.display.renormalised = false;
}

static void renormalise(struct app_state *state, int argument, double time)
{
    (void)argument;
    state->view.display.renormalised = !state->view.display.renormalised;
    if (state->view.display.aside.count == 0) {
        app_state_show_message(state, time, "Nothing is set aside: rows sum to 1 as they are.");
    }
}

static void turn_colours(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.display.logarithmic = !state->view.display.logarithmic;
}

static void turn_marks(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.display.discs = !state->view.display.discs;
}

static void turn_change(struct app_state *state, int argument, double time)
{
    (void)argument;
    const enum lab_stage stage = state->view.stage;
    state->view.display.change = !state->view.display.change;
    if (state->view.display.change && stage != LAB_SCALE && stage != LAB_SOFTMAX) {
        app_state_show_message(state, time, "What changed is shown at Scale and at Softmax.");
    }
}

/* Nearer to the weight that is chosen, or farther from all. */
static void nearer(struct app_state *state, int argument, double time)
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
    view->zoom = view_zoom_nearer(view->zoom, sizes.n, sizes.m, argument < 0 ? -2.0f : 2.0f,
                                  fmaxf(0, fminf(x, 1)), fmaxf(0, fminf(y, 1)));
}

static void farther(struct app_state *state, int argument, double time)
{
    (void)argument;
    nearer(state, -1, time);
}

static void all_weights(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.zoom = (struct view_zoom){0};
}

static void turn_dots(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.by_mean = !state->view.by_mean;
}

const struct app_command app_commands_look[] = {
    {"nearer", "Weights: nearer", nearer, true},
    {"farther", "Weights: farther", farther, true},
    {"all weights", "Weights: all of them again", all_weights, true},
    {"dots", "Weights that share a dot: their largest, or their mean", turn_dots, true},
    {"keep query", "Look at several queries together: keep this one, or let it go", keep, true},
    {"only key", "Only the selected key shines, everywhere", only_key, true},
    {"only query", "Only the selected query shines, everywhere", only_query, true},
    {"aside", "Set the selected key aside, or bring it back", aside, true},
    {"bring back", "Bring back all keys that were set aside", bring_back, true},
    {"renormalise", "Rows without what is set aside: as they are, or brought back to 1",
     renormalise, true},
    {"colours", "Colours of weights: linear or logarithmic", turn_colours, true},
    {"marks", "Scores as squares or as discs", turn_marks, true},
    {"change", "What changed since the former stage", turn_change, true},
};

const size_t app_commands_look_count = sizeof app_commands_look / sizeof *app_commands_look;
