/* The commands of a model that is open: its layers, heads and next words. */
#include "app/actions/commands.h"

#include "app/learn/learn.h"
#include "app/open/open_model.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"

static const char NO_MODEL[] = "No model is open: Ctrl+O opens a folder with one.";

static bool is_open(const struct app_state *state)
{
    return state->view.head_overview != NULL;
}

static void move_layer(struct app_state *state, int steps, double time)
{
    app_open_model_step(state, steps, time);
}

/* Appends an act about what is open, or says that nothing is. */
static void ask_model(struct app_state *state, enum view_head_overview_act act, size_t other,
                      double time)
{
    if (state->view.head_overview == NULL || state->view.head_overview->thumbnails == NULL) {
        app_state_show_message(state, time, NO_MODEL);
        return;
    }
    app_open_model_apply(state,
                         &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                               .overview = {.act = act, .which = other}},
                         time);
}

static void switch_head(struct app_state *state, double time)
{
    const struct view_learn *const learn = state->view.learn;
    if (learn != NULL) { /* weights that learn, or that came with the program, have heads, too */
        const size_t place = learn->layer * learn->heads + app_state_selection(state).head;
        const struct view_action action = {.kind = VIEW_ACTION_LEARN,
                                           .learn = {.act = VIEW_LEARN_SWITCH, .which = place}};
        (void)app_learn_apply(state, &action, time);
        return;
    }
    const struct view_head_overview *const head_overview = state->view.head_overview;
    const size_t heads = head_overview != NULL && head_overview->thumbnails != NULL
                             ? lab_thumbnails_sizes(head_overview->thumbnails).heads
                             : 0;
    ask_model(state, VIEW_HEAD_OVERVIEW_SWITCH,
              heads == 0 ? 0 : head_overview->layer * heads + app_state_selection(state).head,
              time);
}

static void ask_act(struct app_state *state, int which, double time)
{
    ask_model(state, (enum view_head_overview_act)which, 0, time);
}

static void show_attention(struct app_state *state, int which, double time)
{
    ask_model(state, VIEW_HEAD_OVERVIEW_ATTENTION, (size_t)which, time);
}

/* Shows the heads of a model, or the stages alone. Weights that learn, or that came with the
 * program, have theirs in Learn. */
static void turn_glance(struct app_state *state, double time)
{
    if (state->view.learn != NULL) {
        state->view.prefs.learn_folded = false;
        app_state_show_message(state, time, "All heads of weights that learn stand in Learn.");
    } else if (is_open(state)) {
        state->view.prefs.head_overview_folded = !state->view.prefs.head_overview_folded;
    } else {
        app_state_show_message(state, time, NO_MODEL);
    }
}

static bool has_heads(const struct app_state *state)
{
    return is_open(state) || state->view.learn != NULL;
}

static bool has_chat(const struct app_state *state)
{
    return is_open(state) && state->view.head_overview->offers_chat;
}

static bool has_target(const struct app_state *state)
{
    return is_open(state) && state->view.head_overview->attentions > 1;
}

/* Only a model can write on: a file holds a text that was written already. */
static bool may_write(const struct app_state *state)
{
    const struct view_head_overview *const overview = state->view.head_overview;
    return has_target(state) && (overview->next_count > 0 || overview->expects_next);
}

static void ask_import(struct app_state *state, double time)
{
    if (!app_open_model_ask(state)) {
        app_state_show_message(state, time, "No file of attention is open: Ctrl+O opens one.");
    }
}

static bool has_block(const struct app_state *state)
{
    const struct view_state *const view = &state->view;
    return (is_open(state) && view->head_overview->block != NULL) ||
           (!is_open(state) && view->learn != NULL && view->learn->block != NULL);
}

/* Shows the layer around attention in place of the stage, or the stage again. */
static void turn_block(struct app_state *state, double time)
{
    if (is_open(state) || state->view.learn != NULL) {
        app_state_turn_extra_stage(state, VIEW_EXTRA_STAGE_BLOCK, time);
    } else {
        app_state_show_message(state, time,
                               "Block is shown in a model: Ctrl+O opens one, Ctrl+Space learns "
                               "one.");
    }
}

/* Of its pages the answer comes first; from there it closes. */
static void turn_why(struct app_state *state, double time)
{
    (void)time;
    if (state->view.why_shown && state->view.why_page != VIEW_WHY_ANSWER) {
        state->view.why_page = VIEW_WHY_ANSWER;
    } else {
        state->view.why_shown = !state->view.why_shown;
    }
}

/* Why, with another text that is compared with. */
static void show_two_texts(struct app_state *state, double time)
{
    (void)time;
    state->view.why_shown = true;
    state->view.why_page = VIEW_WHY_TEXTS;
}

static const struct app_command rows[] = {
    {"block", .title = "Model: the block around attention, or the stage",
     .words = "MLP residual norm neurons layer feed forward logits", .run_at = turn_block,
     .when = has_block, .help = "In a model: the block around attention", .stroke = {{'8', 0}}},
    {"next layer", 1, .title = "Model: next layer", .turn = move_layer, .when = is_open,
     .help = "In a model: next, previous layer", .stroke = {{'l', 0}}},
    {"former layer", -1, .title = "Model: previous layer", .turn = move_layer, .when = is_open,
     .help = APP_SAME_LINE, .stroke = {{'l', UI_SHIFT}}},
    {"why", .title = "Model: why it says this word",
     .words = "attribution logit lens ablation cause", .stroke = {{'w', 0}}, .run_at = turn_why},
    {"two texts", .title = "Model: two texts, and what each part restores",
     .words = "patch patching clean changed corrupted causal tracing", .run_at = show_two_texts},
    {"glance", .title = "Model: all heads at a glance, or the stages alone", .when = has_heads,
     .run_at = turn_glance, .help = "In a model: all heads or none", .stroke = {{'g', 0}}},
    {"switch head", .title = "Model: switch the head off or on", .run_at = switch_head,
     .help = "In a model: switch the head off or on", .stroke = {{'x', UI_ALT}}},
    {"sinks", VIEW_HEAD_OVERVIEW_SINKS, .title = "Model: set sinks aside, or bring them back",
     .words = "sink first word column leave out", .turn = ask_act, .when = is_open},
    {"all heads on", VIEW_HEAD_OVERVIEW_ALL_ON, .title = "Model: switch all heads on",
     .turn = ask_act},
    {"draw word", VIEW_HEAD_OVERVIEW_DRAW, .title = "Model: draw the next word at random",
     .turn = ask_act},
    {"take word", VIEW_HEAD_OVERVIEW_TAKE, .title = "Model: take the likeliest next word",
     .turn = ask_act},
    {"chat", VIEW_HEAD_OVERVIEW_CHAT, .title = "Model: the text as a chat message, or as it is",
     .words = "chat template message instruct user assistant raw prompt", .turn = ask_act,
     .when = has_chat},
    {"decoder heads", 0, .title = "Model: heads of the decoder", .turn = show_attention,
     .when = has_target},
    {"encoder heads", 1, .title = "Model: heads of the encoder", .turn = show_attention,
     .when = has_target},
    {"cross heads", 2, .title = "Model: heads between the two texts",
     .words = "cross attention source target", .turn = show_attention, .when = has_target},
    {"write target", VIEW_HEAD_OVERVIEW_WRITE, .title = "Model: write the second text anew",
     .words = "translate generate greedy decoder", .turn = ask_act, .when = may_write},
    {"ask", .title = "File of attention: say what its arrays are", .run_at = ask_import},
};

const struct app_command_group app_commands_model = {"Model", rows, sizeof rows / sizeof *rows};
