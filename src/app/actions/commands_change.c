/* The commands that change the experiment, and those that take a change back. */
#include "app/actions/actions.h"
#include "app/actions/commands.h"

#include "app/actions/overlay.h"
#include "app/document/weight_row.h"
#include "app/learn/learn.h"
#include "app/open/autosave.h"
#include "app/open/open_model.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/params.h"

static void undo_change(struct app_state *state, double time)
{
    document_undo(&state->document, time);
}

static void redo_change(struct app_state *state, double time)
{
    document_redo(&state->document, time);
}

static void give_up(struct app_state *state, double time)
{
    const struct view_work *const shown = state->view.work; /* NULL: no frame has told of any yet */
    const bool is_change = shown == document_work(&state->document);
    if ((shown == NULL || shown == app_open_model_work(state)) &&
        app_open_model_give_up(state, time)) {
        return;
    }
    if ((!is_change || !document_cancel(&state->document)) &&
        !tasks_cancel(&state->tasks, state, time) && !document_cancel(&state->document)) {
        app_learn_give_up(state);
    }
}

/* Draws other random numbers; where nothing was random, weights become random. */
static void roll_weights(struct app_state *state, double time)
{
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    if (next.weights == LAB_WEIGHTS_RANDOM || next.embedding == LAB_EMBEDDING_RANDOM) {
        next.seed++;
    } else {
        next.weights = LAB_WEIGHTS_RANDOM;
    }
    document_change(&state->document, &next, "roll the dice", time);
    lab_experiment_release(&next);
}

static void set_param(struct app_state *state, enum lab_param_id field, double number, double time)
{
    app_state_apply(state,
                    &(struct view_action){.kind = VIEW_ACTION_FIELD,
                                          .setting = {.field = field, .number = number}},
                    time);
}

/* A parameter that is on or off. */
static void turn_switch(struct app_state *state, int field, double time)
{
    const struct lab_experiment *const present = document_present(&state->document);
    const struct lab_param *const param = lab_param_row((enum lab_param_id)field);
    const double number = lab_param_holds(param, present) != 0 ? 0 : 1;
    struct lab_experiment next;
    struct error error = {0};
    lab_experiment_copy(&next, present);
    lab_param_change(param, &next, number);
    if (!lab_param_applies(param, present)) {
        app_state_say_idle(state, param, time);
    } else if (!lab_experiment_check(&next, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    } else {
        set_param(state, (enum lab_param_id)field, number, time);
    }
    lab_experiment_release(&next);
}

static void turn_causal(struct app_state *state, double time)
{
    const bool causal = document_present(&state->document)->mask == LAB_MASK_CAUSAL;
    set_param(state, LAB_PARAM_MASK, causal ? LAB_MASK_NONE : LAB_MASK_CAUSAL, time);
}

static void turn_softmax(struct app_state *state, double time)
{
    const bool softmax = document_present(&state->document)->normalise == LAB_SOFTMAX_ROWS;
    set_param(state, LAB_PARAM_NORMALISE, softmax ? LAB_PLAIN_SHARE : LAB_SOFTMAX_ROWS, time);
}

static void even_temperature(struct app_state *state, double time)
{
    set_param(state, LAB_PARAM_TEMPERATURE, 1, time);
}

static void move_row(struct app_state *state, int act, double time)
{
    app_weight_row_act(state, (enum app_weight_row_act)act, time);
}

/* Drops all numbers that were typed by hand. */
static void restore_all(struct app_state *state, double time)
{
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    if (next.edits == NULL) {
        app_state_show_message(state, time, "No number was typed by hand.");
    }
    lab_edits_release(next.edits);
    next.edits = NULL;
    document_change(&state->document, &next, "restore all numbers", time);
    lab_experiment_release(&next);
}

static bool can_undo(const struct app_state *state)
{
    return state->view.can_undo;
}

static bool can_redo(const struct app_state *state)
{
    return state->view.can_redo;
}

static bool has_edits(const struct app_state *state)
{
    return state->document.experiment.edits != NULL;
}

/* Every parameter at its default; the words and the lesson stay. */
static void reset_all(struct app_state *state, double time)
{
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    for (size_t p = 0; p < lab_param_count(); p++) {
        lab_param_reset(lab_param_row((enum lab_param_id)p), &next);
    }
    document_change(&state->document, &next, "back to the defaults", time);
    lab_experiment_release(&next);
}

/* No words, no lesson, every parameter at its default. The former work is one undo away. */
static void begin_empty(struct app_state *state, double time)
{
    struct lab_experiment next;
    struct error error = {0};
    lab_experiment_copy(&next, document_present(&state->document));
    for (size_t p = 0; p < lab_param_count(); p++) {
        lab_param_reset(lab_param_row((enum lab_param_id)p), &next);
    }
    next.lesson[0] = '\0';
    if (!lab_experiment_set_tokens(&next, NULL, 0, &error)) {
        app_state_show_message(state, time, "%s", error.text);
    } else if (!document_begin_work(&state->document)) {
        app_state_show_message(state, time, "There is not enough memory.");
    } else {
        app_overlay_close(state);
        app_state_close_lesson(state);
        state->document.asks = DOCUMENT_ASKS_NOTHING;
        app_autosave_ask(state);
        document_change(&state->document, &next, "empty experiment", time);
        app_state_go(state, LAB_EMBED, time);
        state->view.tokens_begin = true;
    }
    lab_experiment_release(&next);
}

static const struct app_command rows[] = {
    {"undo", .title = "Undo the last change", .run_at = undo_change, .when = can_undo,
     .stroke = {{'z', UI_CTRL}}},
    {"redo", .title = "Redo what was undone", .run_at = redo_change, .when = can_redo,
     .stroke = {{'y', UI_CTRL}, {'z', UI_CTRL | UI_SHIFT}}},
    {"give up", .title = "Give up what is being computed or read", .run_at = give_up,
     .traits = APP_COMMAND_ENDS},
    {"roll", .title = "Other random numbers", .words = "dice seed shuffle roll",
     .run_at = roll_weights, .stroke = {{'r', UI_CTRL}}},
    {"all on key", APP_WEIGHT_ROW_ALL, .title = "Weights: the query looks only at the key",
     .turn = move_row, .help = "The query looks only at the key; equally at all keys",
     .stroke = {{'w', UI_ALT}}},
    {"equal shares", APP_WEIGHT_ROW_EQUAL, .title = "Weights: the query looks equally at all keys",
     .turn = move_row, .help = APP_SAME_LINE, .stroke = {{'w', UI_ALT | UI_SHIFT}}},
    {"rescale row", APP_WEIGHT_ROW_RESCALE, .title = "Weights: rescale the query's row to sum to 1",
     .turn = move_row},
    {"restore all", .title = "Restore all numbers that were typed by hand", .run_at = restore_all,
     .when = has_edits},
    {"causal mask", .title = "Setting: causal mask, on or off",
     .words = "triangle future decoder autoregressive", .run_at = turn_causal,
     .traits = APP_COMMAND_SETS},
    {"scale scores", LAB_PARAM_SCALE, .title = "Setting: scale by 1/√dₖ, on or off",
     .words = "square root divide", .turn = turn_switch, .traits = APP_COMMAND_SETS},
    {"softmax switch", .title = "Setting: softmax or plain shares", .run_at = turn_softmax,
     .traits = APP_COMMAND_SETS},
    {"residual", LAB_PARAM_RESIDUAL, .title = "Setting: residual X + O, on or off",
     .words = "skip connection add", .turn = turn_switch, .traits = APP_COMMAND_SETS},
    {"other words", LAB_PARAM_CONTEXT,
     .title = "Setting: other words for keys and values, on or off", .turn = turn_switch,
     .traits = APP_COMMAND_SETS},
    {"length 1", LAB_PARAM_UNIT_QK, .title = "Setting: queries and keys of length 1, on or off",
     .words = "unit cosine normalise q̂·k̂", .turn = turn_switch, .traits = APP_COMMAND_SETS},
    {"max", LAB_PARAM_KEEP_MAXIMUM, .title = "Setting: subtract the row’s maximum, on or off",
     .words = "softmax overflow − -", .turn = turn_switch, .traits = APP_COMMAND_SETS},
    {"W_O", LAB_PARAM_SKIP_W_O, .title = "Setting: output weights W_O, on or off",
     .turn = turn_switch, .traits = APP_COMMAND_SETS},
    {"tile by tile", LAB_PARAM_FLASH, .title = "Setting: tile by tile, on or off",
     .words = "flash tiles", .turn = turn_switch, .traits = APP_COMMAND_SETS},
    {"defaults", .title = "Settings: all back to their defaults", .words = "new fresh start reset",
     .run_at = reset_all},
    {"empty", .title = "Empty experiment", .words = "new blank clear fresh start",
     .run_at = begin_empty},
    {"temperature", .title = "Setting: temperature back to 1", .run_at = even_temperature},
};

const struct app_command_group app_commands_change = {"Change", rows, sizeof rows / sizeof *rows};
