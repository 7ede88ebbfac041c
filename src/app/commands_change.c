/* app/commands_change.c — what changes the experiment, and what takes it back. */
#include "app/commands_parts.h"

#include "app/weight_row.h"
#include "lab/edits.h"

static void undo(struct app_state *state, int argument, double time)
{
    (void)argument;
    document_undo(&state->document, time);
}

static void redo(struct app_state *state, int argument, double time)
{
    (void)argument;
    document_redo(&state->document, time);
}

static void give_up(struct app_state *state, int argument, double time)
{
    (void)argument;
    (void)tasks_cancel(&state->tasks, state, time);
}

/* Other random numbers; where nothing was random, random weights. */
static void roll(struct app_state *state, int argument, double time)
{
    (void)argument;
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

static void set(struct app_state *state, enum view_field field, double number, double time)
{
    app_state_apply(
        state, &(struct view_action){.kind = VIEW_ACTION_FIELD, .field = field, .number = number},
        time);
}

static void turn_scale(struct app_state *state, int argument, double time)
{
    (void)argument;
    set(state, VIEW_FIELD_SCALE, document_present(&state->document)->scale ? 0 : 1, time);
}

static void turn_causal(struct app_state *state, int argument, double time)
{
    (void)argument;
    const bool causal = document_present(&state->document)->mask == LAB_MASK_CAUSAL;
    set(state, VIEW_FIELD_MASK, causal ? LAB_MASK_NONE : LAB_MASK_CAUSAL, time);
}

static void turn_softmax(struct app_state *state, int argument, double time)
{
    (void)argument;
    const bool softmax = document_present(&state->document)->normalise == LAB_SOFTMAX_ROWS;
    set(state, VIEW_FIELD_NORMALISE, softmax ? LAB_PLAIN_SHARE : LAB_SOFTMAX_ROWS, time);
}

static void turn_residual(struct app_state *state, int argument, double time)
{
    (void)argument;
    set(state, VIEW_FIELD_RESIDUAL, document_present(&state->document)->residual ? 0 : 1, time);
}

static void even_temperature(struct app_state *state, int argument, double time)
{
    (void)argument;
    set(state, VIEW_FIELD_TEMPERATURE, 1, time);
}

static void all_on_key(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_weight_row_act(state, APP_WEIGHT_ROW_ALL, time);
}

static void equal_shares(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_weight_row_act(state, APP_WEIGHT_ROW_EQUAL, time);
}

static void rescale_row(struct app_state *state, int argument, double time)
{
    (void)argument;
    app_weight_row_act(state, APP_WEIGHT_ROW_RESCALE, time);
}

/* Nothing is typed by hand any more. */
static void restore_all(struct app_state *state, int argument, double time)
{
    (void)argument;
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

const struct app_command app_commands_change[] = {
    {"undo", "Undo the last change", undo, true},
    {"redo", "Redo what was undone", redo, true},
    {"give up", "Give up what is being computed or read", give_up, true},
    {"roll", "Other random numbers", roll, true},
    {"causal mask", "Setting: causal mask, on or off", turn_causal, true},
    {"scale scores", "Setting: scale by 1/√dₖ, on or off", turn_scale, true},
    {"softmax switch", "Setting: softmax or plain shares", turn_softmax, true},
    {"residual", "Setting: residual X + O, on or off", turn_residual, true},
    {"temperature", "Setting: temperature back to 1", even_temperature, true},
    {"restore all", "Restore all numbers that were typed by hand", restore_all, true},
    {"all on key", "Weights: the query looks only at the key", all_on_key, true},
    {"equal shares", "Weights: the query looks equally at all keys", equal_shares, true},
    {"rescale row", "Weights: rescale the query's row to sum to 1", rescale_row, true},
};

const size_t app_commands_change_count = sizeof app_commands_change / sizeof *app_commands_change;
