/* The run that the document asks for, and the orders that bring its trainer there. learn_go_to
 * begins a run, or goes on with the one that stands there where its recipe is the same: by one edit
 * more or less, by all edits anew, or by seeking a step. A run that is left ends by itself, after
 * the step that it is at; nobody waits for it. */
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "learn/weight_rebuilder.h"

void learn_forget_run(struct app_learn *learn)
{
    learn_forget_beside(learn);
    lab_trace_release(learn->former);
    learn->former = NULL;
    learn_forget_planes(learn);
    memset(learn->shown.moment, 0, sizeof learn->shown.moment);
    learn_activations_free(learn->sentence);
    learn->sentence = NULL;
    learn->shown.at_end = (struct view_learn_loss){.n = 0};
    learn_forget_key(learn);
    lab_block_release(learn->shown.block);
    learn->shown.block = NULL;
    learn_network_close(learn->network);
    learn->network = NULL;
    learn_view_release(learn->view);
    learn->view = NULL;
}

void learn_leave(struct app_learn *learn, struct learn_trainer *trainer)
{
    if (trainer == NULL) {
        return;
    }
    learn_trainer_quit(trainer);
    for (size_t l = 0; l < APP_LEARN_LEAVING; l++) {
        if (learn->leaving[l] == NULL) {
            learn->leaving[l] = trainer;
            return;
        }
    }
    learn_trainer_stop(learn->leaving[0]); /* more of them would only be in each other's way */
    learn->leaving[0] = trainer;
}

void learn_see_off(struct app_learn *learn, bool waits)
{
    for (size_t l = 0; l < APP_LEARN_LEAVING; l++) {
        struct learn_trainer *const trainer = learn->leaving[l];
        if (trainer != NULL && (waits || learn_trainer_is_over(trainer))) {
            learn_trainer_stop(trainer);
            learn->leaving[l] = NULL;
        }
    }
}

/* What is wanted is the run's own from now on, and so is the document's record, which owns its
 * texts.
 */
static void keep_learned(struct app_learn *learn, const struct learn_learned *wanted)
{
    const struct lab_training *held = learn->learned->held;
    learn_hold_training(&held, wanted->held);
    *learn->learned = *wanted;
    for (size_t e = 0; e < wanted->edits; e++) {
        learn->learned->edit[e].cut = NULL;
    }
}

/* All of the run or nothing of it: what cannot begin leaves the former as it is. */
static bool start_run(struct app_state *state, const struct learn_learned *wanted,
                      struct error *error)
{
    struct app_learn *const learn = state->learn;
    const size_t threads = wanted->recipe.shape.d_model < 64 ? 1 : 2;
    const struct learn_data *const cut = learn_find_cut(learn, wanted->text, wanted->recipe.units);
    struct learn_trainer *const trainer =
        cut != NULL ? learn_trainer_start_of(&wanted->recipe, cut, threads, error)
                    : learn_trainer_start(&wanted->recipe, wanted->text, threads, error);
    if (trainer == NULL) {
        return false;
    }
    const struct learn_view *const view = learn_trainer_view(trainer);
    if (wanted->recipe.task == LEARN_TASK_TEXT) {
        learn_keep_cut(learn, learn_data_request_of(view->moment->data)->cut, wanted->recipe.units);
    }
    struct learn_network *const network =
        learn_network_open(&view->moment->recipe->shape, &state->document.engine, error);
    if (network == NULL) {
        learn_view_release(view);
        learn_trainer_stop(trainer);
        return false;
    }
    if ((state->host & APP_HOST_IS_PICTURE) != 0) {
        learn_trainer_keep_at_most(trainer, LEARN_KEPT_BYTES);
    }
    learn_leave(learn, learn->trainer);
    learn_forget_run(learn);
    learn->trainer = trainer;
    keep_learned(learn, wanted);
    learn->learned->edits = 0;
    learn->view = view;
    learn->network = network;
    if (learn_is_pinned(state)) { /* it was a step of the former run */
        state->document.compares = DOCUMENT_COMPARES_KEPT;
    }
    app_learn_take_speed(learn);
    return true;
}

void app_learn_take_speed(struct app_learn *learn)
{
    static const double shares[VIEW_LEARN_SPEEDS] = {1, 2, 5, 10, 20, 50, 100, 1000};
    const double full = learn->full_speed > 0 ? learn->full_speed : 2000;
    learn_trainer_limit(learn->trainer,
                        learn->shown.speed == 0 ? 0 : full / shares[learn->shown.speed]);
}

/* A moment that is kept to compare with can be gone to again as long as the same edits lead there.
 */
static void follow_pin(struct app_learn *learn, const struct learn_learned *wanted)
{
    struct learn_learned was = *learn->learned, is = *wanted;
    if (learn->pin_edits > was.edits || learn->pin_edits > is.edits) {
        learn->pin_edits = SIZE_MAX;
        return;
    }
    was.edits = is.edits = learn->pin_edits;
    learn->pin_edits = learn_learned_same_run(&was, &is) ? learn->pin_edits : SIZE_MAX;
}

/* From the edits that the run has to those that are wanted: one more, one less, or all anew. */
static void go_to_edits(struct app_learn *learn, struct learn_learned *wanted)
{
    learn_find_cuts(learn, wanted);
    struct learn_learned one_more = *wanted, one_less = *learn->learned;
    one_more.edits -= one_more.edits > 0 ? 1 : 0;
    one_less.edits -= one_less.edits > 0 ? 1 : 0;
    const uint64_t step = learn->view->moment->step;
    const bool adds = wanted->edits == learn->learned->edits + 1 &&
                      learn_learned_same_run(&one_more, learn->learned);
    if (adds && wanted->edit[wanted->edits - 1].step == step && learn->view->moment->is_exact &&
        !learn->view->plays) { /* while it trains, it is further by now */
        (void)learn_trainer_edit(learn->trainer, &wanted->edit[wanted->edits - 1]);
    } else if (learn->learned->edits > 0 && learn_learned_same_run(wanted, &one_less)) {
        learn_trainer_undo(learn->trainer);
        learn_trainer_seek(learn->trainer, wanted->step);
    } else {
        (void)learn_trainer_replay(learn->trainer, wanted->edit, wanted->edits, wanted->step);
    }
    follow_pin(learn, wanted);
    keep_learned(learn, wanted);
}

/* Returns whether the run that is there is gone on with: one that would have to be trained to what
 * was saved is not. */
static bool continues_run(const struct app_learn *learn, const struct learn_learned *wanted)
{
    const bool came_by =
        learn->view->furthest >= wanted->step && learn_learned_same_run(wanted, learn->learned);
    return learn_learned_same_recipe(wanted, learn->learned) &&
           (came_by || wanted->is_pinned || learn_saved_of(learn, wanted).folder == NULL);
}

void learn_leave_run(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    state->view.learn = NULL;
    if (learn->trainer != NULL) { /* there is none where the first run could not begin */
        learn_trainer_play(learn->trainer, 0);
    }
    learn_hold_training(&learn->placed, NULL);
}

void app_learn_end_run(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    if (learn != NULL && learn->trainer != NULL) {
        learn_leave_run(state);
        learn_forget_run(learn);
        learn_leave(learn, learn->trainer);
        learn->trainer = NULL;
    }
}

bool learn_go_to(struct app_state *state, const struct lab_experiment *present, double time,
                 struct error *error)
{
    struct app_learn *const learn = state->learn;
    const struct lab_training *training = lab_training_keep(present->learned);
    const struct learn_learned *const asked = learn_training_read(&training, error);
    struct learn_learned copy = {.step = 0}, *const wanted = &copy;
    bool done = asked != NULL;
    if (done) {
        copy = *asked;
    }
    const bool same = done && learn->trainer != NULL && continues_run(learn, wanted);
    if (done && !same) {
        done = start_run(state, wanted, error);
    }
    if (same) { /* what is kept to compare with is shown already, or was let go of */
        wanted->is_pinned = learn->learned->is_pinned = false;
        memcpy(learn->learned->change, wanted->change, sizeof wanted->change);
        learn->learned->changes = wanted->changes;
    }
    learn->way.doing = NULL;
    learn->goal = done ? wanted->step : 0;
    learn->course = done ? LEARN_GOES : LEARN_STANDS;
    if (done && !same && learn_stand_on_saved(state, wanted, time)) {
        keep_learned(learn, wanted);
    } else if (done && !same && wanted->is_pinned) { /* by the moment that it is compared with */
        (void)learn_trainer_replay(learn->trainer, wanted->edit, wanted->pin_edits, wanted->pinned);
        keep_learned(learn, wanted);
    } else if (done && !learn_learned_same_run(wanted, learn->learned)) {
        go_to_edits(learn, wanted);
    } else if (done && (learn->view->moment->step != wanted->step || learn->view->plays)) {
        learn_trainer_seek(learn->trainer, wanted->step);
    } else {
        learn->course = LEARN_STANDS; /* it is there */
    }
    if (done) {
        learn->until = wanted->until > wanted->step ? wanted->until : 0;
    }
    lab_training_release(training);
    return done;
}
