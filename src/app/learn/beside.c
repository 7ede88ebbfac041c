/* Two seeds beside each other: A is the run of the document, B the same recipe from another seed,
 * which follows the step that A shows and is what the stages are compared with. */
#include <math.h>

#include "app/learn/learn_internal.h"
#include "learn/weight_rebuilder.h"

void learn_beside_close(struct app_learn *learn)
{
    struct learn_beside *const beside = &learn->beside;
    learn_view_release(beside->view);
    learn_leave(learn, beside->trainer);
    lab_trace_release(beside->trace);
    *beside = (struct learn_beside){.trainer = NULL};
    learn->shown.beside = false;
}

void learn_beside_end(struct app_state *state)
{
    lab_trace_release(state->document.baseline);
    state->document.baseline = NULL;
    state->view.compare = VIEW_COMPARE_NOT;
    learn_beside_close(state->learn);
}

/* Computes the words with the other run's weights, as an experiment of the same shape. NULL and a
 * sentence: there is no memory, or a setting of the experiment allows no result. */
static struct lab_trace *trace_of(struct app_state *state, struct error *error)
{
    struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const moment = learn->beside.view->moment;
    struct lab_experiment next, made;
    struct lab_trace *trace = NULL;
    learn_switch_heads(learn->network, moment);
    struct learn_activations *const sentence = learn_activations_make(
        learn->network, moment->weights, learn_activations_tokens(learn->sentence), NULL,
        learn_activations_count(learn->sentence), error);
    struct lab_words *const words =
        learn_words_of(learn, moment->recipe, moment->step, learn->placed);
    struct subject_trained trained = learn_trained(sentence, moment, learn->tokens);
    const struct subject subject = subject_of_trained(&trained);
    const struct subject_spot spot = {.layer = learn->layer};
    if (sentence != NULL && words != NULL &&
        subject_experiment(&subject, &spot, NULL, &made, error)) {
        lab_experiment_copy(&next, document_present(&state->document));
        learn_weight_rebuilder_take(&next, &made);
        lab_words_release(next.learned);
        next.learned = lab_words_keep(words);
        trace = lab_run(&next, &state->document.engine, error);
        lab_experiment_release(&next);
    }
    lab_words_release(words);
    learn_activations_free(sentence);
    learn_switch_heads(learn->network, learn->view->moment);
    return trace;
}

void learn_beside_show(struct app_state *state, double time)
{
    struct learn_beside *const beside = &state->learn->beside;
    struct error error = {ERROR_NONE, 0, ""};
    if (beside->trainer == NULL) {
        return;
    }
    struct lab_trace *const trace = trace_of(state, &error);
    if (trace == NULL) { /* an old B beside a new A would say what is not so */
        if (error.code == ERROR_NONE) {
            error_set(&error, ERROR_MEMORY, "There is not enough memory to learn.");
        }
        learn_beside_end(state);
        app_state_show_message(state, time, "The comparison has ended. %s", error.text);
        return;
    }
    if (beside->trace == NULL) {
        state->view.compare = VIEW_COMPARE_SIDE;
    }
    lab_trace_release(beside->trace);
    lab_trace_release(state->document.baseline);
    beside->trace = trace;
    state->document.baseline = lab_trace_keep(trace);
}

bool learn_beside_begin(struct app_state *state, struct error *error)
{
    struct app_learn *const learn = state->learn;
    struct learn_recipe recipe = learn->learned->recipe;
    recipe.seed += 1;
    const struct learn_data *const cut = learn_find_cut(learn, learn->learned->text, recipe.units);
    struct learn_trainer *const trainer =
        cut != NULL ? learn_trainer_start_of(&recipe, cut, 1, error)
                    : learn_trainer_start(&recipe, learn->learned->text, 1, error);
    if (trainer == NULL) {
        return false;
    }
    learn_beside_end(state);
    learn->beside.trainer = trainer;
    learn->beside.view = learn_trainer_view(trainer);
    learn->shown.beside = true;
    learn->shown.pinned = false;
    return true;
}

bool learn_beside_lags(const struct app_learn *learn)
{
    const struct learn_view *const view = learn->beside.view;
    return view != NULL && view->error.code == ERROR_NONE &&
           (view->moment->step != learn->view->moment->step || !view->moment->is_exact);
}

void learn_beside_follow(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    struct learn_beside *const beside = &learn->beside;
    if (beside->trainer == NULL) {
        return;
    }
    if (state->document.baseline != beside->trace) {
        learn_beside_close(learn); /* something else is compared, or nothing */
        return;
    }
    const uint64_t step = learn->view->moment->step;
    if (beside->asked != step) {
        beside->asked = step;
        learn_trainer_seek(beside->trainer, step);
    }
    learn_view_release(beside->view);
    beside->view = learn_trainer_view(beside->trainer);
}
