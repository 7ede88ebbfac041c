#include "app/errand.h"

#include <stdlib.h>
#include <time.h>

struct app_errand {
    const struct app_errand_kind *kind;
    void *subject;
    struct app_job *job;
    bool is_wanted; /* not given up */
    struct view_work work;
    struct app_errand *former; /* that was given up, and whose thread may still be at work */
};

static void forget(struct app_errand *errand)
{
    app_job_finish(errand->job);
    errand->kind->forget(errand->subject);
    free(errand);
}

static bool is_under_way(const struct app_state *state)
{
    return state->errand != NULL && state->errand->is_wanted;
}

bool app_errand_begin(struct app_state *state, const struct app_errand_kind *kind, void *subject,
                      double time)
{
    const bool busy = is_under_way(state);
    struct app_errand *const errand = busy ? NULL : calloc(1, sizeof *errand);
    if (errand != NULL) {
        *errand = (struct app_errand){.kind = kind,
                                      .subject = subject,
                                      .is_wanted = true,
                                      .work = {kind->doing, time, -1},
                                      .former = state->errand};
        errand->job = app_job_start(kind->work, subject);
    }
    if (errand != NULL && errand->job != NULL) {
        state->errand = errand;
        return true;
    }
    app_state_show_message(
        state, time,
        busy ? "What was begun before is still under way: wait for it, or cancel it."
             : "There is not enough memory for that.");
    kind->forget(subject);
    free(errand);
    return false;
}

/* Those that were given up go as soon as their threads are done. */
static void sweep(struct app_errand **place)
{
    while (*place != NULL) {
        struct app_errand *const errand = *place;
        if (!errand->is_wanted && app_job_is_done(errand->job)) {
            *place = errand->former;
            forget(errand);
        } else {
            place = &errand->former;
        }
    }
}

bool app_errand_advance(struct app_state *state, double time)
{
    sweep(&state->errand);
    if (!is_under_way(state)) {
        return state->errand != NULL;
    }
    struct app_errand *const errand = state->errand;
    size_t part = 0, done = 0, all = 0;
    app_job_look(errand->job, &part, &done, &all);
    errand->work.progress = all > 0 ? (float)done / (float)all : -1;
    if (!app_job_is_done(errand->job)) {
        return true;
    }
    state->errand = errand->former;
    errand->kind->take(state, errand->subject, time);
    forget(errand);
    return state->errand != NULL;
}

const struct view_work *app_errand_shown(const struct app_state *state)
{
    return is_under_way(state) ? &state->errand->work : NULL;
}

bool app_errand_give_up(struct app_state *state)
{
    const bool gives_up = is_under_way(state);
    if (gives_up) {
        app_job_cancel(state->errand->job);
        state->errand->is_wanted = false;
    }
    return gives_up;
}

void app_errand_settle(struct app_state *state, double time)
{
    while (app_errand_advance(state, time)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

void app_errand_close(struct app_state *state)
{
    if (is_under_way(state) && !state->errand->kind->ends) {
        app_errand_give_up(state);
    }
    while (state->errand != NULL) {
        struct app_errand *const errand = state->errand;
        state->errand = errand->former;
        forget(errand);
    }
}
