#include "app/travel.h"

#include <stdlib.h>
#include <string.h>

#include "app/change.h"
#include "app/job.h"

struct app_travel {
    struct app_job *job;
    struct lab_experiment experiment; /* that is computed … */
    const struct lab_trace *former;   /* … beginning from this; a reference, or NULL */
    const struct lab_trace *trace;    /* … and what came of it; NULL: not yet, or it cannot be */
    char isa[16];
    size_t at;      /* its place in the history */
    size_t wanted;  /* where the person wants to be by now */
    size_t edits;   /* of the state when it began: another change since then, and nobody waits */
    bool is_wanted; /* not given up */
    struct view_work work;
};

static void compute(struct app_job *job, void *subject)
{
    (void)job;
    struct app_travel *const travel = subject;
    struct error error = {0};
    travel->trace = lab_run_after(travel->former, &travel->experiment, travel->isa, &error);
}

static void forget(struct app_travel *travel)
{
    app_job_finish(travel->job);
    lab_trace_release(travel->trace);
    lab_trace_release(travel->former);
    lab_experiment_release(&travel->experiment);
    free(travel);
}

/* NULL: no memory, no thread. */
static struct app_travel *begin(const struct app_state *state, size_t at, double time)
{
    struct app_travel *const travel = calloc(1, sizeof *travel);
    if (travel == NULL) {
        return NULL;
    }
    lab_experiment_copy(&travel->experiment, &state->history[at]);
    travel->former = state->trace == NULL ? NULL : lab_trace_keep(state->trace);
    memcpy(travel->isa, state->isa, sizeof travel->isa);
    travel->at = travel->wanted = at;
    travel->edits = state->edits;
    travel->is_wanted = true;
    travel->work =
        (struct view_work){.doing = "Computing this step", .began = time, .progress = -1};
    travel->job = app_job_start(compute, travel);
    if (travel->job == NULL) {
        forget(travel);
        return NULL;
    }
    return travel;
}

/* Whether a step is under way that somebody still waits for. */
static bool is_under_way(const struct app_state *state)
{
    const struct app_travel *const travel = state->travel;
    return travel != NULL && travel->is_wanted && travel->edits == state->edits;
}

/* A step for which a thread is at work already, perhaps for another one: what is wanted comes then.
 */
static void wait_for(struct app_state *state, size_t at)
{
    struct app_travel *const travel = state->travel;
    if (!is_under_way(state)) {
        travel->at = SIZE_MAX; /* what comes of it is of no use: the history has changed since */
        travel->edits = state->edits;
        travel->is_wanted = true;
    }
    travel->wanted = at;
}

static void go(struct app_state *state, size_t at, double time)
{
    if (at == state->history_at) { /* there and back */
        app_travel_give_up(state);
    } else if (!app_change_is_long(&state->history[at])) {
        app_travel_give_up(state);
        app_state_visit(state, at, NULL);
    } else if (state->travel != NULL) {
        wait_for(state, at);
    } else if ((state->travel = begin(state, at, time)) == NULL) {
        app_state_visit(state, at, NULL);
    }
}

void app_travel_undo(struct app_state *state, double time)
{
    const size_t from = is_under_way(state) ? state->travel->wanted : state->history_at;
    if (!app_change_give_up(state) && from > 0) {
        go(state, from - 1, time);
    }
}

void app_travel_redo(struct app_state *state, double time)
{
    const size_t from = is_under_way(state) ? state->travel->wanted : state->history_at;
    if (app_change_shown(state) == NULL && from + 1 < state->history_count) {
        go(state, from + 1, time);
    }
}

bool app_travel_give_up(struct app_state *state)
{
    const bool gives_up = is_under_way(state);
    if (state->travel != NULL) {
        state->travel->is_wanted = false;
    }
    return gives_up;
}

bool app_travel_advance(struct app_state *state)
{
    struct app_travel *const travel = state->travel;
    if (travel == NULL) {
        return false;
    }
    if (!app_job_is_done(travel->job)) {
        return true;
    }
    const bool wanted = is_under_way(state);
    const size_t at = travel->wanted;
    state->travel = NULL;
    if (wanted && at == travel->at) {
        app_state_visit(state, at, travel->trace);
    } else if (wanted) {
        go(state, at, travel->work.began);
    }
    forget(travel);
    return state->travel != NULL;
}

void app_travel_close(struct app_state *state)
{
    if (state->travel != NULL) {
        forget(state->travel);
        state->travel = NULL;
    }
}

const struct view_work *app_travel_shown(const struct app_state *state)
{
    return is_under_way(state) ? &state->travel->work : NULL;
}
