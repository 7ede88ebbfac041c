/* A sudden end keeps the work: signals, and a display that vanishes. */
#include "app/desktop/window_internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/open/autosave.h"

enum { STATUS_OF_SIGNALS = 128 };

static const int ends[] = {SIGTERM, SIGHUP, SIGINT};

struct window_end {
    sigset_t signals;
    pthread_t watcher;
    bool watches;
    atomic_bool closing;
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

/* The signals that whoever started the program did not ask it to ignore (as nohup does). */
static sigset_t signals_of_the_end(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < SDL_arraysize(ends); i++) {
        struct sigaction present;
        if (sigaction(ends[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) {
            sigaddset(&set, ends[i]);
        }
    }
    return set;
}

void app_window_hold_signals(void)
{
    const sigset_t set = signals_of_the_end();
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
#ifdef SIGXFSZ
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error to tell, no end */
#endif
}

/* The first signal closes the window; the next ends a program that does not get there. */
static void *watch_signals(void *subject)
{
    struct window_end *const end = subject;
    for (;;) {
        int number = 0;
        if (sigwait(&end->signals, &number) != 0 || atomic_load(&end->closing)) {
            return NULL;
        }
        if (atomic_exchange(&end->caught, number) != 0) {
            _exit(STATUS_OF_SIGNALS + number);
        }
        SDL_Event event = {.type = SDL_QUIT};
        SDL_PushEvent(&event);
    }
}

struct window_end *window_end_watch(struct app_state *state)
{
    struct window_end *const end = calloc(1, sizeof *end);
    if (!end) {
        return NULL;
    }
    end->signals = signals_of_the_end();
    end->watches = pthread_create(&end->watcher, NULL, watch_signals, end) == 0;
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
    atomic_store(&end->closing, true);
    if (end->watches && pthread_kill(end->watcher, SIGTERM) == 0) {
        pthread_join(end->watcher, NULL);
    }
    free(end);
}
