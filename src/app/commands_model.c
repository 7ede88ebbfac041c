/* app/commands_model.c — what is asked of a model that is open: its layers, heads and next words.
 */
#include "app/commands_parts.h"

#include "app/open_model.h"
#include "view/parts/head_overview.h"

/* The next layer; without a model, heads as lines and back. */
static void move_layer(struct app_state *state, int argument, double time)
{
    if (!app_open_model_step(state, argument < 0 ? -1 : 1, time) && argument >= 0) {
        app_command_run(state, "lines", 0, time);
    }
}

static void next_layer(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_open_model_step(state, 1, time);
}

static void former_layer(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_open_model_step(state, -1, time);
}

/* All heads of what is open; without it, what shares a place with space. */
static void fold(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (state->view.head_overview == NULL) {
        app_command_run(state, "tab", 0, time);
    } else {
        state->view.head_overview_folded = !state->view.head_overview_folded;
    }
}

/* A action about what is open, said where nothing is. */
static void action(struct app_state *state, enum view_head_overview_act act, size_t other,
                   double time)
{
    if (state->view.head_overview == NULL || state->view.head_overview->thumbnails == NULL) {
        app_state_show_message(state, time, "No model is open: Ctrl+O opens a folder with one.");
        return;
    }
    app_state_apply(state,
                    &(struct view_action){
                        .kind = VIEW_ACTION_HEAD_OVERVIEW, .index = (size_t)act, .other = other},
                    time);
}

static void switch_head(struct app_state *state, int argument, double time)
{
    (void)argument;
    const struct view_head_overview *const head_overview = state->view.head_overview;
    const size_t heads = head_overview != NULL && head_overview->thumbnails != NULL
                             ? lab_thumbnails_sizes(head_overview->thumbnails).heads
                             : 0;
    action(state, VIEW_HEAD_OVERVIEW_SWITCH,
           heads == 0 ? 0 : head_overview->layer * heads + app_state_selection(state).head, time);
}

static void all_on(struct app_state *state, int argument, double time)
{
    (void)argument;
    action(state, VIEW_HEAD_OVERVIEW_ALL_ON, 0, time);
}

static void draw_word(struct app_state *state, int argument, double time)
{
    (void)argument;
    action(state, VIEW_HEAD_OVERVIEW_DRAW, 0, time);
}

static void take_word(struct app_state *state, int argument, double time)
{
    (void)argument;
    action(state, VIEW_HEAD_OVERVIEW_TAKE, 0, time);
}

static void ask(struct app_state *state, int argument, double time)
{
    (void)argument;
    if (!app_open_model_ask(state)) {
        app_state_show_message(state, time, "No file of attention is open: Ctrl+O opens one.");
    }
}

const struct app_command app_commands_model[] = {
    {"layer", "Next or previous layer of the model", move_layer, false},
    {"next layer", "Model: next layer", next_layer, true},
    {"former layer", "Model: previous layer", former_layer, true},
    {"glance", "Model: all heads at a glance, or the stages alone", fold, true},
    {"switch head", "Model: switch the head off or on", switch_head, true},
    {"all heads on", "Model: switch all heads on", all_on, true},
    {"draw word", "Model: draw the next word at random", draw_word, true},
    {"take word", "Model: take the likeliest next word", take_word, true},
    {"ask", "File of attention: say what its arrays are", ask, true},
};

const size_t app_commands_model_count = sizeof app_commands_model / sizeof *app_commands_model;
