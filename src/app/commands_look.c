/* app/commands_look.c — how weights are looked at: together, without a key, in which colours. */
#include "app/commands_parts.h"

#include "app/look.h"

static void keep(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_look_keep(state, app_state_selection(state).query, time);
}

/* One line alone, by keyboard what a click on its sum does. */
static void only(struct app_state *state, unsigned part, size_t place, double time)
{
    app_state_apply(
        state, &(struct view_wish){.kind = VIEW_WISH_FILTER, .parts = part, .index = place}, time);
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
    app_look_aside(state, app_state_selection(state).key, time);
}

static void bring_back(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.shown.aside = (struct lab_places){0};
    state->view.shown.renormalised = false;
}

static void renormalise(struct app_state *state, int argument, double time)
{
    (void)argument;
    state->view.shown.renormalised = !state->view.shown.renormalised;
    if (state->view.shown.aside.count == 0) {
        app_state_say(state, time, "Nothing is set aside: rows sum to 1 as they are.");
    }
}

static void turn_colours(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.shown.logarithmic = !state->view.shown.logarithmic;
}

static void turn_marks(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)time;
    state->view.shown.discs = !state->view.shown.discs;
}

static void turn_change(struct app_state *state, int argument, double time)
{
    (void)argument;
    const enum lab_stage stage = state->view.stage;
    state->view.shown.change = !state->view.shown.change;
    if (state->view.shown.change && stage != LAB_SCALE && stage != LAB_SOFTMAX) {
        app_state_say(state, time, "What changed is shown at Scale and at Softmax.");
    }
}

const struct app_command app_commands_look[] = {
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
