/* app/errand.h — long work beside the window that ends in something being taken: a session that is
 * written or read, text for the clipboard. One at a time; it is announced, and can be given up. */
#ifndef APP_ERRAND_H
#define APP_ERRAND_H

#include "app/job.h"
#include "app/state.h"

struct app_errand_kind {
    const char *doing; /* "Writing the session" */
    void (*work)(struct app_job *job,
                 void *subject); /* on a thread of its own; touches the subject only */
    void (*take)(struct app_state *state, void *subject, double time); /* unless it was given up */
    void (*forget)(void *subject);
    bool ends; /* what the person asked for is done, though the window closes meanwhile */
};

/* Starts it; the subject is its own from now on. False, and a sentence for the person: another one
 * is under way, or there is no memory; the subject is forgotten then. */
bool app_errand_begin(struct app_state *state, const struct app_errand_kind *kind, void *subject,
                      double time);

/* Takes what is done. Once a frame. True while one is under way. */
bool app_errand_advance(struct app_state *state, double time);

/* What is told of the one that is under way; NULL: none is. */
const struct view_work *app_errand_shown(const struct app_state *state);

/* Gives up the one that is under way. False: none is. */
bool app_errand_give_up(struct app_state *state);

/* Waits until none is under way, and takes what was done: where no frames are drawn. */
void app_errand_settle(struct app_state *state, double time);

/* Waits for the threads, and forgets them. */
void app_errand_close(struct app_state *state);

#endif
