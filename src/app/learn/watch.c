/* Trains a run from its beginning for a picture, even where the weights of the step are known, so
 * that the picture has curves, trails and heads of earlier steps. */
#include <stdlib.h>

#include "app/learn/learn_internal.h"
#include "learn/weight_rebuilder.h"

/* Shows the run by now. False: nothing is missing. */
static bool follow_on(struct app_state *state, double time)
{
    results_begin(state->results);
    app_learn_follow(state, time);
    return results_end(state->results, time) > 0 || results_have_news(state->results) ||
           app_learn_waits(state);
}

/* Waits until the run stands where the document asks it to be, and shows it. */
static void follow_to_end(struct app_state *state, double time)
{
    while (follow_on(state, time)) {
        learn_trainer_wait(state->learn->trainer);
        results_wait(state->results);
    }
}

/* The document's experiment with these weights, without a step of history. */
static bool place_learned(struct app_state *state, const struct learn_learned *learned, double time,
                          struct error *error)
{
    struct lab_experiment next;
    struct lab_training *const training = learn_training_make(learned, error);
    if (training == NULL) {
        return false;
    }
    lab_experiment_copy(&next, document_present(&state->document));
    learn_weight_rebuilder_empty(&next);
    lab_training_release(next.learned);
    next.learned = training;
    document_change(&state->document, &next, NULL, time);
    lab_experiment_release(&next);
    follow_to_end(state, time);
    return state->view.learn != NULL || error_set(error, ERROR_INPUT, "%s", state->message);
}

/* By the step before, whose weights are not known: so it trains. */
static void train_on(struct app_state *state, uint64_t from, uint64_t to, double time)
{
    struct learn_trainer *const trainer = state->learn->trainer;
    for (uint64_t step = to - 1; to > from && step <= to; step++) {
        learn_trainer_seek(trainer, step > from ? step : from);
        learn_trainer_wait(trainer);
        follow_to_end(state, time);
    }
}

/* From its beginning to a step, one branch after the other. */
static bool watch_to(struct app_state *state, const struct learn_learned *wanted, uint64_t last,
                     double time, struct error *error)
{
    struct learn_learned start = *wanted;
    bool done = true;
    start.until = 0;
    for (size_t e = 0; done && e <= wanted->edits; e++) {
        const uint64_t begin = e > 0 ? wanted->edit[e - 1].step : 0;
        const uint64_t edited = e < wanted->edits ? wanted->edit[e].step : UINT64_MAX;
        if (begin > last) {
            break;
        }
        start.step = begin;
        start.edits = e;
        done = place_learned(state, &start, time, error);
        if (done) {
            train_on(state, begin, edited < last ? edited : last, time);
        }
    }
    return done;
}

static bool show_learned(struct app_state *state, bool walks, uint64_t last, double time,
                         struct error *error)
{
    const struct lab_experiment *const present = document_present(&state->document);
    if (present->learned == NULL || lab_words_count(present->tokens) == 0) {
        return true;
    }
    const struct lab_training *training = lab_training_keep(present->learned);
    const struct learn_learned *const asked = learn_training_read(&training, error);
    bool done = asked != NULL;
    if (done) {
        struct learn_learned wanted = *asked;
        wanted.until = 0;
        done = (!walks ||
                watch_to(state, &wanted, last > wanted.step ? last : wanted.step, time, error)) &&
               place_learned(state, &wanted, time, error);
    }
    lab_training_release(training);
    return done;
}

bool app_learn_watch(struct app_state *state, uint64_t last, double time, struct error *error)
{
    return show_learned(state, true, last, time, error);
}

bool app_learn_stand(struct app_state *state, double time, struct error *error)
{
    return show_learned(state, false, 0, time, error);
}
