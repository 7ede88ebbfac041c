#include "app/change.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/job.h"
#include "app/travel.h"
#include "lab/experiment/graph.h"

enum { STEPS_MAX = 32 };

struct step {
    struct lab_experiment experiment;
    char name[APP_NAME_MAX];
    bool replaces; /* the one before it, without a step of history */
};

struct app_change {
    struct app_job *job;
    struct lab_experiment experiment; /* that is computed: the last of those that are covered … */
    const struct lab_trace *former;   /* … beginning from this; a reference, or NULL */
    const struct lab_trace *trace;    /* … and what came of it; NULL: not yet, or it cannot be */
    char isa[16];
    struct step step[STEPS_MAX]; /* the oldest first; none: nobody waits any more */
    size_t count, covers;        /* how many wait, and for how many of them the thread works */
    size_t changes; /* of the state when it began: another change since then, and nobody waits */
    struct view_work work;
};

bool app_change_is_long(const struct lab_experiment *experiment)
{
    static const double WEIGHTS_MOST = 1 << 18, OPERATIONS_MOST = 3e8;
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    return (double)sizes.heads * (double)sizes.n * (double)sizes.m > WEIGHTS_MOST ||
           lab_op_count(experiment) > OPERATIONS_MOST;
}

/* ---- the thread ---- */

static void compute(struct app_job *job, void *subject)
{
    (void)job;
    struct app_change *const change = subject;
    struct error error = {0};
    change->trace = lab_run_after(change->former, &change->experiment, change->isa, &error);
}

/* Begins to compute all that waits. False: no memory, no thread. */
static bool start(const struct app_state *state, struct app_change *change)
{
    lab_experiment_release(&change->experiment);
    lab_experiment_copy(&change->experiment, &change->step[change->count - 1].experiment);
    lab_trace_release(change->former);
    lab_trace_release(change->trace);
    change->trace = NULL;
    change->former = state->trace == NULL ? NULL : lab_trace_keep(state->trace);
    change->covers = change->count;
    change->job = app_job_start(compute, change);
    return change->job != NULL;
}

/* ---- what waits ---- */

static bool is_under_way(const struct app_state *state)
{
    const struct app_change *const change = state->change;
    return change != NULL && change->count > 0 && change->changes == state->changes;
}

static void drop_from(struct app_change *change, size_t first)
{
    while (change->count > first) {
        lab_experiment_release(&change->step[--change->count].experiment);
    }
    change->covers = change->covers > first ? 0 : change->covers; /* what comes is of no use */
}

static void forget(struct app_change *change)
{
    app_job_finish(change->job);
    drop_from(change, 0);
    lab_trace_release(change->trace);
    lab_trace_release(change->former);
    lab_experiment_release(&change->experiment);
    free(change);
}

/* name NULL: it replaces the present one, without a step of history. */
static void make_now(struct app_state *state, const struct lab_experiment *experiment,
                     const char *name, double time)
{
    if (name == NULL) {
        app_state_put(state, experiment);
    } else {
        app_state_change(state, experiment, name, time);
    }
}

/* The steps become the experiment, one behind the other; trace: of the last. */
static void take(struct app_state *state, const struct step *step, size_t count,
                 const struct lab_trace *trace, double time)
{
    state->ready = trace;
    for (size_t s = 0; s < count; s++) {
        make_now(state, &step[s].experiment, step[s].replaces ? NULL : step[s].name, time);
    }
    state->ready = NULL;
}

static void append(struct app_change *change, const struct lab_experiment *experiment,
                   const char *name)
{
    const bool replaces = name == NULL;
    const bool waits = change->count > change->covers; /* for a thread that has not begun */
    if ((waits && replaces) || change->count == STEPS_MAX) {
        struct step *const last = &change->step[change->count - 1];
        change->covers = change->count == change->covers ? 0 : change->covers;
        lab_experiment_release(&last->experiment);
        lab_experiment_copy(&last->experiment, experiment);
        return;
    }
    struct step *const fresh = &change->step[change->count++];
    *fresh = (struct step){.replaces = replaces};
    snprintf(fresh->name, sizeof fresh->name, "%s", replaces ? "" : name);
    lab_experiment_copy(&fresh->experiment, experiment);
}

static struct app_change *open_change(const struct app_state *state, double time)
{
    struct app_change *const change = calloc(1, sizeof *change);
    if (change != NULL) {
        memcpy(change->isa, state->isa, sizeof change->isa);
        change->changes = state->changes;
        change->work = (struct view_work){"Computing this change", time, -1};
    }
    return change;
}

static void make(struct app_state *state, const struct lab_experiment *experiment, const char *name,
                 double time)
{
    app_travel_give_up(state);
    if (!is_under_way(state) && !app_change_is_long(experiment)) {
        make_now(state, experiment, name, time);
        return;
    }
    if (!is_under_way(state) && state->change != NULL) { /* the thread works for nobody */
        drop_from(state->change, 0);
        state->change->changes = state->changes;
        state->change->work.began = time;
    } else if (state->change == NULL) {
        state->change = open_change(state, time);
    }
    if (state->change != NULL) {
        append(state->change, experiment, name);
    }
    if (state->change == NULL || (state->change->job == NULL && !start(state, state->change))) {
        app_change_close(state);
        make_now(state, experiment, name, time);
    }
}

void app_change_make(struct app_state *state, const struct lab_experiment *experiment,
                     const char *name, double time)
{
    if (!lab_experiment_equal(experiment, app_change_present(state))) {
        make(state, experiment, name, time);
    }
}

void app_change_put(struct app_state *state, const struct lab_experiment *experiment, double time)
{
    make(state, experiment, NULL, time);
}

const struct lab_experiment *app_change_present(const struct app_state *state)
{
    return is_under_way(state) ? &state->change->step[state->change->count - 1].experiment
                               : &state->experiment;
}

void app_change_take_back(struct app_state *state)
{
    struct app_change *const change = is_under_way(state) ? state->change : NULL;
    size_t last = change == NULL ? 0 : change->count;
    while (last > 0 && change->step[last - 1].replaces) {
        last--;
    }
    if (change != NULL) {
        drop_from(change, last > 0 ? last - 1 : 0);
    }
    if (last == 0) {
        app_state_cancel(state); /* it was computed; what came after it is dropped */
    }
}

/* ---- once a frame ---- */

bool app_change_advance(struct app_state *state, double time)
{
    struct app_change *const change = state->change;
    if (change == NULL) {
        return false;
    }
    if (!is_under_way(state)) {
        drop_from(change, 0);
    }
    if (!app_job_is_done(change->job)) {
        return true;
    }
    app_job_finish(change->job);
    change->job = NULL;
    const size_t taken = change->covers;
    take(state, change->step, taken, change->trace, time);
    for (size_t s = 0; s < taken; s++) {
        lab_experiment_release(&change->step[s].experiment);
    }
    change->count -= taken;
    memmove(change->step, change->step + taken, change->count * sizeof *change->step);
    change->covers = 0;
    change->changes = state->changes;
    if (change->count > 0 && start(state, change)) {
        return true;
    }
    take(state, change->step, change->count, NULL, time);
    app_change_close(state);
    return false;
}

const struct view_work *app_change_shown(const struct app_state *state)
{
    return is_under_way(state) ? &state->change->work : NULL;
}

bool app_change_give_up(struct app_state *state)
{
    const bool gives_up = is_under_way(state);
    if (state->change != NULL) {
        drop_from(state->change, 0);
        state->last_change = -INFINITY; /* the next change belongs to none before it */
    }
    return gives_up;
}

void app_change_close(struct app_state *state)
{
    if (state->change != NULL) {
        forget(state->change);
        state->change = NULL;
        state->view.work = NULL;
    }
}
