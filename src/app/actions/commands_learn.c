/* The commands of weights that learn. */
#include "app/actions/commands.h"

#include <stdio.h>
#include <string.h>

#include "app/learn/learn.h"
#include "app/open/lesson.h"
#include "base/file.h"
#include "view/parts/learn.h"

static bool is_learning(const struct app_state *state)
{
    return state->view.learn != NULL;
}

/* Appends an act about the training; without one, training begins, or a message says where. */
static void ask_training(struct app_state *state, enum view_learn_act act, size_t which,
                         double time)
{
    if (state->view.learn == NULL) {
        app_state_show_message(state, time,
                               state->view.head_overview != NULL /* it would replace a model */
                                   ? "Nothing learns here."
                                   : "Nothing learns here: Ctrl+Space begins.");
        return;
    }
    app_learn_apply(
        state,
        &(struct view_action){.kind = VIEW_ACTION_LEARN, .learn = {.act = act, .which = which}},
        time);
}

static void ask_act(struct app_state *state, int which, double time)
{
    ask_training(state, (enum view_learn_act)which, 0, time);
}

static void play_training(struct app_state *state, double time)
{
    if (state->view.learn == NULL) {
        app_learn_start(state, SIZE_MAX, true, time);
    } else {
        ask_training(state, VIEW_LEARN_PLAY, 0, time);
    }
}

static void go_one_step(struct app_state *state, int steps, double time)
{
    const struct view_learn *const learn = state->view.learn;
    if (steps > 0 || learn == NULL) {
        ask_training(state, VIEW_LEARN_ONE, 0, time);
    } else if (learn->step > 0) {
        ask_training(state, VIEW_LEARN_SEEK, learn->step - 1, time);
    }
}

static void change_speed(struct app_state *state, int steps, double time)
{
    const size_t now = state->view.learn == NULL ? 0 : state->view.learn->speed;
    const bool ends = steps > 0 ? now == 0 : now + 1 >= VIEW_LEARN_SPEEDS;
    ask_training(state, VIEW_LEARN_SPEED, ends ? now : steps > 0 ? now - 1 : now + 1, time);
}

static void choose_shown(struct app_state *state, int what, double time)
{
    ask_training(state, VIEW_LEARN_SHOW, (size_t)what, time);
}

static void turn_loss(struct app_state *state, double time)
{
    if (is_learning(state)) {
        app_state_turn_extra_stage(state, VIEW_EXTRA_STAGE_LOSS, time);
    } else if (state->view.head_overview != NULL) { /* which that would replace */
        app_state_show_message(state, time, "Loss is shown while weights learn: none learn here.");
    } else {
        app_state_show_message(state, time,
                               "Loss is shown while weights learn: Ctrl+Space begins.");
    }
}

static void toggle_scale(struct app_state *state)
{
    state->view.prefs.learn_linear = !state->view.prefs.learn_linear;
}

static void begin_task(struct app_state *state, int task, double time)
{
    app_learn_start(state, (size_t)task, true, time);
}

static void learn_from(struct app_state *state, const char *text, double time)
{
    struct error error = {0};
    if (!app_learn_bring(state, (struct bytes){(const uint8_t *)text, strlen(text)}, time,
                         &error)) {
        app_state_show_message(state, time, "%s", error.text);
    }
}

static void from_clipboard(struct app_state *state)
{
    state->request.asks |= APP_ASKS_PASTE;
    state->take_paste = learn_from;
}

/* Saves the weights into a folder of their own beside the sessions. */
static void save_model(struct app_state *state, double time)
{
    enum { FOLDER_MAX = 3800, NUMBERS = 1000 };
    struct error error = {0};
    char folder[FOLDER_MAX], path[FOLDER_MAX + 100];
    const struct view_learn *const learn = state->view.learn;
    bool saved = false;
    app_lesson_folder(folder, sizeof folder);
    for (int n = 1; n < NUMBERS && !saved; n++) {
        error = (struct error){0};
        snprintf(path, sizeof path, "%s/attnscope-model-%zu-%d", folder,
                 learn == NULL ? 0 : learn->step, n);
        saved = !file_mark(path).exists && app_learn_save_model(state, path, &error);
        if (error.code != ERROR_NONE) {
            app_state_show_message(state, time, "%s", error.text);
            return;
        }
    }
    app_state_show_message(state, time, "The model is in the folder %.200s", path);
}

static const struct app_command rows[] = {
    {"learn", .title = "Learn: open or close the strip of training", .when = is_learning,
     .help = "Weights that learn: their strip", .stroke = {{'t', UI_SHIFT}},
     .toggle = offsetof(struct app_state, view.prefs.learn_folded)},
    {"train", .title = "Learn: train, or pause",
     .words = "training gradient descent backpropagation play start stop", .run_at = play_training,
     .help = "Train, or pause", .stroke = {{UI_KEY_SPACE, UI_CTRL}}},
    {"training step", 1, .title = "Learn: one step of training", .turn = go_one_step,
     .when = is_learning, .help = "One step of training on, back",
     .stroke = {{UI_KEY_RIGHT, UI_CTRL}}},
    {"training step", -1, .title = "Learn: one step of training back", .turn = go_one_step,
     .when = is_learning, .help = APP_SAME_LINE, .stroke = {{UI_KEY_LEFT, UI_CTRL}}},
    {"training speed", 1, .title = "Learn: train faster", .turn = change_speed,
     .when = is_learning},
    {"training speed", -1, .title = "Learn: train slower", .turn = change_speed,
     .when = is_learning},
    {"train again", VIEW_LEARN_AGAIN, .title = "Learn: begin anew with the same seed",
     .turn = ask_act, .when = is_learning},
    {"loss", .title = "Learn: the loss of these words, or the stage",
     .words = "logits softmax cross-entropy log probability", .run_at = turn_loss,
     .when = is_learning, .help = "While weights learn: the loss; which line taught a word",
     .stroke = {{'9', 0}}},
    {"look at batch", .title = "Learn: the sentences that this step learns from",
     .words = "batch data loss", .overlay = VIEW_OVERLAY_BATCH, .when = is_learning},
    {"blame", .title = "Learn: which line of the text taught it a word",
     .words = "sentence cause leave one out data influence why", .overlay = VIEW_OVERLAY_BLAME,
     .when = is_learning, .help = APP_SAME_LINE, .stroke = {{'w', UI_SHIFT}}},
    {"write", .title = "Learn: let these weights write",
     .words = "generate sample temperature top-p", .overlay = VIEW_OVERLAY_WRITE,
     .when = is_learning},
    {"pin moment", VIEW_LEARN_PIN,
     .title = "Learn: keep this moment, and compare what follows with it", .words = "A | B beside",
     .turn = ask_act, .when = is_learning},
    {"other seed beside", VIEW_LEARN_BESIDE,
     .title = "Learn: another seed beside this one, or no more", .words = "A | B two seeds compare",
     .turn = ask_act, .when = is_learning},
    {"freeze matrix", VIEW_LEARN_FREEZE,
     .title = "Learn: freeze the matrix of this stage, or let it learn again", .turn = ask_act,
     .when = is_learning},
    {"other data", VIEW_LEARN_DATA, .title = "Learn: other data from here on", .turn = ask_act,
     .when = is_learning},
    {"stop learning", VIEW_LEARN_LEAVE, .title = "Learn: keep these weights as they are",
     .turn = ask_act, .when = is_learning},
    {"show of learning", VIEW_LEARN_VALUE, .title = "Learn: show values", .turn = choose_shown,
     .when = is_learning},
    {"show of learning", VIEW_LEARN_GRADIENT, .title = "Learn: show gradients",
     .words = "derivative backward", .turn = choose_shown, .when = is_learning},
    {"show of learning", VIEW_LEARN_CHANGE, .title = "Learn: show what a step changed",
     .turn = choose_shown, .when = is_learning},
    {"time scale", .title = "Learn: time in the strip evenly, or by its logarithm",
     .run = toggle_scale, .when = is_learning},
    {"learn from clipboard", .title = "Learn from: the text in the clipboard",
     .words = "paste own text", .run = from_clipboard},
    {"save model", .title = "Save model: a new folder of the step that is shown",
     .words = "checkpoint safetensors transformers export weights", .run_at = save_model,
     .when = is_learning},
    {"learn from", 0, .title = "Learn from: Copy", .turn = begin_task},
    {"learn from", 1, .title = "Learn from: Reverse", .turn = begin_task},
    {"learn from", 2, .title = "Learn from: Sort", .turn = begin_task},
    {"learn from", 3, .title = "Learn from: Small world", .turn = begin_task},
    {"learn from", 4, .title = "Learn from: Induction", .turn = begin_task},
    {"learn from", 5, .title = "Learn from: Brackets", .turn = begin_task},
    {"learn from", 6, .title = "Learn from: Addition modulo 31", .words = "grokking",
     .turn = begin_task},
    {"learn from", 7, .title = "Learn from: Names", .turn = begin_task},
    {"learn from", 8, .title = "Learn from: Own text", .turn = begin_task},
};

const struct app_command_group app_commands_learn = {"Learn", rows, sizeof rows / sizeof *rows};
