/* A sudden end keeps the work: signals, and a display that vanishes. */
#include "app/desktop/window_internal.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/open/autosave.h"
#include "base/system/process.h"

struct window_end {
    struct system_watch *watch;
    atomic_int caught;
};

/* Xlib ends the process by itself when the server is gone: what is called then gets no argument. */
static struct app_state *at_stake;

/* Where nobody can be asked any more, what is lost is at least told. */
static void keep_work(struct app_state *state)
{
    if (!app_autosave_flush(state)) {
        fprintf(stderr, "attnscope: %s\n", app_autosave_lack(state));
    }
}

static void keep_what_is_at_stake(void)
{
    if (at_stake) {
        keep_work(at_stake);
    }
}

/* The first signal closes the window; the next ends a program that does not get there. */
static void heed_end(void *subject, int number)
{
    struct window_end *const end = subject;
    if (atomic_exchange(&end->caught, number) != 0) {
        system_exit_now(SYSTEM_ENDED + number);
    }
    SDL_Event event = {.type = SDL_QUIT};
    SDL_PushEvent(&event);
}

struct window_end *window_end_watch(struct app_state *state)
{
    struct window_end *const end = calloc(1, sizeof *end);
    if (!end) {
        return NULL;
    }
    end->watch = system_ends_watch(heed_end, end);
    if (!at_stake && atexit(keep_what_is_at_stake) == 0) {
        at_stake = state;
    }
    return end;
}

bool window_end_is_near(const struct window_end *end)
{
    return end && atomic_load(&end->caught) != 0;
}

void window_end_close(struct window_end *end, struct app_state *state)
{
    at_stake = NULL;
    if (window_end_is_near(end)) {
        keep_work(state);
    } else {
        (void)app_autosave_flush(state); /* what could not be kept was asked about */
    }
    if (!end) {
        return;
    }
    state->ended_by = atomic_load(&end->caught);
    system_ends_unwatch(end->watch);
    free(end);
}
