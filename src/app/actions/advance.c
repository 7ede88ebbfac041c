/* Advances all work beside the window, in one way for window, pictures and tests. */
#include "app/actions/step.h"

#include "app/learn/learn.h"
#include "app/open/import_dialog.h"
#include "app/open/open_model.h"
#include "app/results/results.h"
#include "app/why/why.h"
#include "base/system/clock.h"

static void advance_tasks(struct app_state *state, double time)
{
    document_follow(&state->document, time);
    document_follow_baseline(&state->document);
    app_open_model_follow(state, time);
    (void)tasks_advance(&state->tasks, state, time);
    app_import_advance(state, time); /* what a task has just read may be asked about */
    app_open_model_want(state, time);
}

void app_begin_frame(struct app_state *state, double time)
{
    results_begin(state->results);
    advance_tasks(state, time);
    app_learn_follow(state, time);
    app_why_follow(state);
}

void app_advance(struct app_state *state, double time)
{
    app_begin_frame(state, time);
    (void)results_end(state->results, time);
}

bool app_waits_for_tasks(const struct app_state *state)
{
    return state->tasks.latest != NULL || document_is_pending(&state->document) ||
           app_open_model_waits(state) || app_import_waits(state);
}

bool app_waits(const struct app_state *state)
{
    return app_waits_for_tasks(state) || app_learn_waits(state) ||
           results_missing(state->results) > 0 || results_have_news(state->results);
}

void app_wait(const struct app_state *state, double seconds)
{
    const double moment = 0.001, step_of_training = 0.01; /* seconds */
    bool has_come = !app_waits(state);
    for (double waited = 0; !has_come && waited < seconds; waited += moment) {
        system_sleep(moment);
        has_come = tasks_have_ended(&state->tasks) || results_have_news(state->results) ||
                   (app_learn_waits(state) && waited >= step_of_training);
    }
}

static const double gap = 0.002; /* seconds until a task that could not begin is tried again */

static void advance_without_training(struct app_state *state, double time)
{
    results_begin(state->results);
    advance_tasks(state, time);
    (void)results_end(state->results, time);
}

void app_settle_tasks(struct app_state *state, double time)
{
    advance_without_training(state, time);
    while (app_waits_for_tasks(state)) {
        app_wait(state, gap);
        advance_without_training(state, time);
    }
}

void app_settle(struct app_state *state, double time)
{
    app_advance(state, time);
    while (app_waits(state)) {
        app_wait(state, gap);
        app_advance(state, time);
    }
}
