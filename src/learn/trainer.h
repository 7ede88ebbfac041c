/* learn/trainer.h — a run on a thread of its own, at low priority, beside a window.
 *
 *     struct learn_trainer *trainer = learn_trainer_start(&recipe, text, 2, &error);
 *     learn_trainer_play(trainer, true);
 *     each frame:  const struct learn_view *view = learn_trainer_view(trainer);
 *                  … look …
 *                  learn_view_release(view);
 *
 * Whoever has the trainer (one thread, the window's) asks and tells without ever waiting for a step
 * of training; what is asked for is done by the thread in the order it came. What it hands out is
 * counted and never changes. */
#ifndef LEARN_TRAINER_H
#define LEARN_TRAINER_H

#include "learn/run.h"

/* What the window may know of a run at one moment: immutable and counted. */
struct learn_view {
    uint64_t number;                   /* counts up with everything that changed */
    const struct learn_moment *moment; /* what is shown: weights, scores, data */
    uint64_t furthest;                 /* the last step of this branch */
    uint64_t steps;                    /* where it stops by itself */
    const struct learn_point *points;  /* [point_count] by step */
    size_t point_count;
    const float *head_scores[LEARN_SCORES_OF_HEADS]; /* [point_count][layers][heads]; NULL: none */
    const struct learn_event *events;
    size_t event_count;
    const struct learn_edit *edits; /* that lead here */
    size_t edit_count;
    bool plays;   /* it trains on its own */
    bool works;   /* something that was asked for is not done yet */
    bool is_done; /* the last step of the recipe was made */
    bool can_undo, can_redo;
    double steps_per_second; /* of the last second it trained; 0 before */
    size_t kept_bytes;
    struct error error; /* why it stopped, or what was refused; ERROR_NONE: nothing */
};
const struct learn_view *learn_view_keep(const struct learn_view *view);
void learn_view_release(const struct learn_view *view); /* NULL is fine */

struct learn_trainer;

/* threads: of its pool, 0: all there are. The text is copied. It stands at step 0 and waits. NULL
 * and a sentence, as learn_run_make. */
struct learn_trainer *learn_trainer_start(const struct learn_recipe *recipe, struct bytes text,
                                          size_t threads, struct error *error);

/* The same of own text that was cut before (learn_data_cut), which is shared; of another task: cut
 * NULL. */
struct learn_trainer *learn_trainer_start_of(const struct learn_recipe *recipe,
                                             const struct learn_data *cut, size_t threads,
                                             struct error *error);

/* Ends the thread, and frees all; views that are held stay. NULL is fine.
 */
void learn_trainer_stop(struct learn_trainer *trainer);

/* The same in two parts, for who cannot wait: it is told to end, in the middle of a step if need
 * be, and once it is over stopping does not wait. */
void learn_trainer_quit(struct learn_trainer *trainer);
bool learn_trainer_is_over(struct learn_trainer *trainer);

/* ---- asked each frame; none of these waits -------------------------------------------------- */

/* The newest view; never NULL. The caller releases it. */
const struct learn_view *learn_trainer_view(struct learn_trainer *trainer);

/* Whether a newer view than this one is there, or comes with what the thread was told: true from
 * the telling on, before the thread has heard of it. */
bool learn_trainer_lags(struct learn_trainer *trainer, const struct learn_view *view);

/* ---- told ----------------------------------------------------------------------------------- */

void learn_trainer_play(struct learn_trainer *trainer, bool on);

/* Whether views tell what the step they show was made of (learn_moment.made). */
void learn_trainer_watch(struct learn_trainer *trainer, bool on);

/* How many bytes the moments take that are kept for going back, from now on. */
void learn_trainer_keep_at_most(struct learn_trainer *trainer, size_t bytes);

/* Steps a second: 0: as fast as it can; else at most so many (fractions of one too). */
void learn_trainer_limit(struct learn_trainer *trainer, double steps_per_second);

/* One step from what is shown, and stop. */
void learn_trainer_one_step(struct learn_trainer *trainer);

/* Shows a step: at once the nearest kept one, then it. Beyond the furthest: trains up to it. The
 * last seek counts; playing stops. */
void learn_trainer_seek(struct learn_trainer *trainer, uint64_t step);

/* The same, and what it is at ends now, in the middle of a step if need be. */
void learn_trainer_give_up(struct learn_trainer *trainer, uint64_t step);

/* The step at which it stops by itself. */
void learn_trainer_set_steps(struct learn_trainer *trainer, uint64_t steps);

/* As in run.h, from what is shown on; text is copied, or what it is cut into shared. False: too
 * many are waiting; nothing was taken. */
bool learn_trainer_edit(struct learn_trainer *trainer, const struct learn_edit *edit);
void learn_trainer_undo(struct learn_trainer *trainer);
void learn_trainer_redo(struct learn_trainer *trainer);

/* Starts again with another recipe or text (other seed …); what was learned is gone. The view keeps
 * the former run until the new one stands. An error says why it does not. */
bool learn_trainer_restart(struct learn_trainer *trainer, const struct learn_recipe *recipe,
                           struct bytes text);

/* Goes where a session was: these edits, each at its step, then to `step`. */
bool learn_trainer_replay(struct learn_trainer *trainer, const struct learn_edit *edits,
                          size_t count, uint64_t step);

/* Waits until nothing that was asked for is left to do: for tests and the command line. */
void learn_trainer_wait(struct learn_trainer *trainer);

#endif
