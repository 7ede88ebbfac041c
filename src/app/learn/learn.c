/* A run of training beside the window, once a frame. app_learn_follow compares the document with
 * what stands on the stages: another run or step is gone to (run.c), what the trainer's thread has
 * reached since becomes the document's experiment, in place, and what cannot be shown is taken back
 * and said. Whether it trains, what is watched and what is compared is told each frame as it is
 * wanted then. Begun by begin.c, changed by actions.c, told to the views by tell.c.
 */
#include "app/learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "app/results/wants.h"
#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "learn/weight_rebuilder.h"

static const double FRAME = 1.0 / 60, RESTING = 0.05;

/* ---- onto the stages ---- */

/* Keeps what a change is told from: these words, one step before. */
static void take_former(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    lab_trace_release(learn->former);
    learn->former = learn_watches(state) ? learn_look_back(state) : NULL;
}

/* The experiment becomes that of the words at the present step, in place. */
static bool put_experiment(struct app_state *state, const struct lab_experiment *present,
                           double time, struct error *error)
{
    struct app_learn *const learn = state->learn;
    const struct learn_shape *const shape = &learn->view->moment->recipe->shape;
    struct lab_experiment next, made;
    learn->layer = present->layer < shape->layers ? present->layer : 0;
    struct lab_training *const learned = learn_training_of(
        state, &learn->learned->recipe,
        learn->course != LEARN_STANDS ? learn->goal : learn->view->moment->step, error);
    if (learned == NULL || !learn_look(state, present->tokens, &made, error)) {
        lab_training_release(learned);
        return false;
    }
    lab_experiment_copy(&next, present);
    learn_weight_rebuilder_take(&next, &made);
    lab_edits_release(next.edits);
    next.edits = NULL;
    lab_training_release(next.learned);
    next.learned = learned;
    next.layer = learn->layer;
    next.layers = shape->layers;
    struct lab_trace *const trace = lab_run(&next, &state->document.engine, error);
    if (trace != NULL) {
        document_move_known(&state->document, &next, trace, time);
        learn_hold_training(&learn->placed, learned);
        lab_words_release(learn->tokens);
        learn->tokens = lab_words_keep(next.tokens);
        app_state_clamp(state);
        take_former(state);
        learn_tell(state);
        state->view.learn = &learn->shown;
    }
    lab_trace_release(trace);
    lab_experiment_release(&next);
    return trace != NULL;
}

/* ---- each frame ---- */

static void rest_training(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    if (learn != NULL && learn->trainer != NULL && learn->placed != NULL) {
        learn_leave_run(state);
    }
}

static bool is_hidden(const struct app_state *state)
{
    return (state->host & APP_HOST_IS_HIDDEN) != 0;
}

bool app_learn_is_training(const struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    return learn->until > learn->view->moment->step && learn->view->error.code == ERROR_NONE &&
           !is_hidden(state) && learn->offer == NULL;
}

/* Whether it trains is compared with whether it is to, each frame: it begins where the run stands,
 * and ends at the step that a lesson or the recipe names. */
static void drive_training(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    const struct learn_view *const view = learn->view;
    const bool wanted = app_learn_is_training(state);
    const bool stands =
        !view->plays && learn->course == LEARN_STANDS && !view->works && view->moment->is_exact;
    if (view->plays && !wanted) {
        learn_trainer_play(learn->trainer, 0);
    } else if (stands && wanted) {
        learn_trainer_play(learn->trainer, learn->until);
    } else if (stands && view->moment->step >= learn->until &&
               !learn_trainer_lags(learn->trainer, view)) {
        learn->until = 0; /* it has come there */
    }
}

/* The document's step holds while the run is on its way there: then that is the step on the stages.
 */
static void note_arrival(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    const struct learn_view *const view = learn->view;
    if (learn->course == LEARN_STANDS || view->works || learn_trainer_lags(learn->trainer, view)) {
        return;
    }
    if (learn_goes_to_pin(state) && learn->seen.number != view->number) {
        return; /* it is there, and not yet on the stages */
    }
    if (learn_goes_to_pin(state) && view->moment->step == learn->learned->pinned) {
        learn_pin(state);
        (void)learn_trainer_replay(learn->trainer, learn->learned->edit, learn->learned->edits,
                                   learn->goal);
    } else {
        learn_end_way(learn);
    }
}

bool app_learn_open(struct app_state *state)
{
    if (state->learn != NULL) {
        return true;
    }
    struct app_learn *const learn = calloc(1, sizeof *learn);
    if (learn == NULL) {
        return false;
    }
    learn->learned = calloc(1, sizeof *learn->learned);
    if (learn->learned == NULL) {
        free(learn);
        return false;
    }
    learn->shown.speed = APP_LEARN_FIRST_SPEED;
    learn->shown.text = (struct view_learn_text){.draw = {1, 1, 1, 40}};
    state->learn = learn;
    return true;
}

/* Returns what is to be seen now. */
static struct learn_seen seen_now(const struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const other = learn_beside_moment(learn);
    return (struct learn_seen){.number = learn->view->number,
                               .edits = state->document.edits,
                               .show = learn->shown.show,
                               .pinned = learn_is_pinned(state) ? learn->pinned + 1 : 0,
                               .other = other != NULL ? other->step + 1 : 0,
                               .course = learn->course,
                               .goal = learn->goal,
                               .training = app_learn_is_training(state),
                               .hidden = is_hidden(state),
                               .offer = learn->offer};
}

static bool follow_document(struct app_state *state, double time);

/* The change that asked for what cannot be shown is taken back. What stands behind it is not, if it
 * cannot be shown either: nobody has asked for it. False: nothing was taken back. */
static bool take_back(struct app_state *state, double time)
{
    struct app_learn *const learn = state->learn;
    struct document *const document = &state->document;
    const bool is_asked = learn == NULL || learn->returned_to != document_wanted_number(document);
    if (!is_asked || !document_can_undo(document)) {
        return false;
    }
    document_take_back(document, time);
    if (learn != NULL) {
        learn->returned_to = document_wanted_number(document);
    }
    return true;
}

static void report_refusal(struct app_state *state, const struct error *error, double time)
{
    if (take_back(state, time)) {
        (void)follow_document(state, time);
    }
    app_state_show_message(state, time, "%s", error->text);
}

/* Edits that the run did not take are no step of history either. */
static bool take_back_edit(struct app_state *state, double time)
{
    struct app_learn *const learn = state->learn;
    const struct learn_view *const view = learn->view;
    if (view->error.code == ERROR_NONE || view->edit_count >= learn->learned->edits ||
        learn->course == LEARN_GIVES_UP || learn_trainer_lags(learn->trainer, view) ||
        !take_back(state, time)) {
        return false;
    }
    learn->learned->edits = view->edit_count;
    learn->until = 0;
    app_state_show_message(state, time, "%s", view->error.text);
    return true;
}

/* Why training has come to a stop, once: the strip has room for its beginning alone. */
static void say_stop(struct app_state *state, double time)
{
    struct app_learn *const learn = state->learn;
    const struct error *const error = &learn->view->error;
    if (error->code != ERROR_NONE && strcmp(error->text, learn->error.text) != 0) {
        app_state_show_message(state, time, "%s", error->text);
    }
    learn->error = *error;
}

/* While it trains, the head that an event names stands on the stages as soon as it is found, unless
 * a lesson or the person has chosen another. known: so many events the former view had. */
static void follow_events(struct app_state *state, const struct lab_experiment *present,
                          size_t known, bool trained, double time)
{
    struct app_learn *const learn = state->learn;
    const size_t count = learn->view->event_count;
    const size_t heads = learn->learned->recipe.shape.heads;
    const size_t place = learn->layer * heads + state->view.pinned.head;
    if (count < known || (count == 0 && learn->view->moment->step == 0)) { /* begun anew */
        learn->followed = place;
    }
    const bool follows = trained && place == learn->followed && present->lesson[0] == 0;
    for (size_t e = known; follows && e < count; e++) {
        const struct learn_event *const event = &learn->view->events[e];
        if (event->has_head) {
            learn->followed = event->layer * heads + event->head;
            app_learn_show_head(state, learn->followed, time);
        }
    }
}

/* A placed experiment has no run: nothing of it is shown, and that is said once. What lacked memory
 * is tried again. */
static void refuse_placed(struct app_state *state, const struct lab_experiment *present,
                          const struct error *error, double time)
{
    learn_leave_run(state);
    learn_hold_training(&state->learn->placed,
                        error->code == ERROR_MEMORY ? NULL : present->learned);
    report_refusal(state, error, time);
}

/* The words cannot be shown: `comes` where what is placed is new. */
static void refuse_experiment(struct app_state *state, const struct lab_experiment *present,
                              bool comes, const struct error *error, double time)
{
    struct app_learn *const learn = state->learn;
    const bool changed = comes || present->tokens != learn->tokens;
    learn->course = LEARN_STANDS;
    /* The view was told of a moment, and perhaps of a run, that is gone. */
    learn->shown.at_end = (struct view_learn_loss){.n = 0};
    if (learn->sentence == NULL) {
        learn_leave_run(state);
    } else if (comes) {
        learn_hold_training(&learn->placed, NULL); /* what stands there then is gone to anew */
    }
    if (changed) {
        report_refusal(state, error, time);
    } else { /* what is shown stays, and this is tried again */
        app_state_show_message(state, time, "%s", error->text);
    }
}

/* False: what was placed cannot be shown, and was taken back. */
static bool follow_document(struct app_state *state, double time)
{
    const struct lab_experiment *const present = document_present(&state->document);
    struct error error = {0};
    if (present->learned == NULL || lab_words_count(present->tokens) == 0) {
        rest_training(state);
        return true;
    }
    if (!app_learn_open(state)) {
        app_learn_no_memory(&error);
        report_refusal(state, &error, time);
        return false;
    }
    struct app_learn *const learn = state->learn;
    const bool comes = present->learned != learn->placed;
    if (!comes && state->view.learn == NULL) {
        return true; /* it could not begin, which was said before */
    }
    if (lab_edits_count(present->edits) > 0 && !comes) {
        if (!app_state_edit_begun(
                state)) { /* a number that is still typed or dragged is none yet */
            app_learn_take_edit(state, present, time);
        }
        return true;
    }
    if (comes && !learn_go_to(state, present, time, &error)) {
        refuse_placed(state, present, &error, time);
        return false;
    }
    const struct learn_view *const newest = learn_trainer_view(learn->trainer);
    const bool trained = newest->plays || learn->shown.training;
    const size_t known_events = learn->view->event_count;
    learn_view_release(learn->view);
    learn->view = newest;
    if (!comes && take_back_edit(state, time)) {
        return follow_document(state, time); /* what stands there now */
    }
    if (!comes) {
        say_stop(state, time);
        note_arrival(state);
    }
    drive_training(state);
    learn_trainer_watch(learn->trainer, learn_watches(state));
    learn_follow_beside(state, time);
    const struct learn_seen seen = seen_now(state);
    const bool other = comes || present->tokens != learn->tokens ||
                       present->layer != learn->layer ||
                       memcmp(&seen, &learn->seen, sizeof seen) != 0;
    if (other && !put_experiment(state, present, time, &error)) {
        refuse_experiment(state, present, comes, &error, time);
        return false;
    }
    learn->seen = seen;
    if (other) {
        learn_compare_beside(state, time);
        follow_events(state, present, known_events, trained, time);
    }
    learn_tell_results(state);
    learn_tell_sentence(state);
    learn_tell_formula(state);
    return true;
}

void app_learn_follow(struct app_state *state, double time)
{
    if (state->learn != NULL) {
        learn_see_off(state->learn, false);
    }
    (void)follow_document(state, time);
}

bool app_learn_waits(const struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    return learn != NULL && state->view.learn != NULL && !is_hidden(state) &&
           (learn->view->plays || learn->view->works || app_learn_is_training(state) ||
            learn->course != LEARN_STANDS || learn_trainer_lags(learn->trainer, learn->view) ||
            learn_places_lag(learn));
}

double app_learn_wake(const struct app_state *state, double time)
{
    const struct app_learn *const learn = state->learn;
    if (learn == NULL || state->view.learn == NULL || is_hidden(state)) {
        return 0;
    }
    const struct learn_snapshot *const moment = learn->view->moment;
    const bool moves = app_learn_waits(state) ||
                       (learn_watches(state) && moment->made == NULL && moment->step > 0);
    return moves ? time + (learn->view->plays ? FRAME : RESTING) : 0;
}

void app_learn_tell(struct app_state *state)
{
    if (state->view.learn != NULL) {
        learn_tell(state);
        learn_tell_formula(state);
    }
}

void app_learn_show(struct app_state *state, size_t which)
{
    if (app_learn_open(state)) {
        state->learn->shown.show =
            which < VIEW_LEARN_SHOWS ? (enum view_learn_show)which : VIEW_LEARN_VALUE;
    }
}

void app_learn_set_kinds(struct app_state *state)
{
    results_set_kind(state->results, WANT_SNAPSHOT, &learn_snapshot_kind, state);
    results_set_kind(state->results, WANT_PASSED_HEADS, &learn_passed_heads_kind, NULL);
    results_set_kind(state->results, WANT_RUN, &learn_run_kind, NULL);
    results_set_kind(state->results, WANT_MOMENT, &learn_moment_kind, NULL);
    results_set_kind(state->results, WANT_MEASURED, &learn_measured_kind, NULL);
    results_set_kind(state->results, WANT_BATCH, &learn_batch_kind, NULL);
    results_set_kind(state->results, WANT_BLAME, &learn_blame_kind, NULL);
    results_set_kind(state->results, WANT_WRITING, &learn_writing_kind, NULL);
}

void app_learn_close(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    if (learn == NULL) {
        return;
    }
    state->view.learn = NULL;
    state->learn = NULL;
    if (learn->offer != NULL) {
        app_learn_offer_close(state);
    }
    learn_forget_run(learn);
    learn_leave(learn, learn->trainer);
    learn_see_off(learn, true);
    learn_drop_cuts(learn);
    lab_training_release(learn->placed);
    lab_words_release(learn->tokens);
    lab_training_release(learn->given.learned);
    lab_training_release(learn->learned->held);
    free(learn->learned);
    arena_free(&learn->texts);
    arena_free(&learn->points);
    arena_free(&learn->sheets);
    arena_free(&learn->formula);
    arena_free(&learn->said);
    learn_words_forget(learn);
    free(learn);
}

/* ---- begun by a hand ---- */

bool app_learn_change(struct app_state *state, const struct learn_learned *learned,
                      const char *const *words, size_t count, const char *name, double time)
{
    const bool begins = learned->step == 0 && learned->edits == 0 && words != NULL;
    struct error error = {0};
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    learn_weight_rebuilder_empty(&next);
    lab_training_release(next.learned);
    next.learned = learn_training_make(learned, &error);
    bool done = next.learned != NULL;
    if (done && begins) { /* captions of a lesson would speak of other words */
        next.lesson[0] = 0;
        next.layer = 0;
        next.layers = learned->recipe.shape.layers;
    }
    if (done && words != NULL) {
        done = lab_experiment_set_tokens(&next, words, count, &error);
    }
    if (done) {
        document_change(&state->document, &next, name, time);
        done = document_present(&state->document)->learned == next.learned &&
               follow_document(state, time);
        if (done && begins) {
            app_state_close_lesson(state);
            document_note_lesson(&state->document);
        }
    } else {
        app_state_show_message(state, time, "%s", error.text);
    }
    lab_experiment_release(&next);
    return done;
}
