/* learn/trainer.h — a run on a thread of its own, at low priority, next to a window.
 *
 *     struct learn_trainer *trainer = learn_trainer_start(&recipe, text, 2, &error);
 *     learn_trainer_play(trainer, true);
 *     each frame:  const struct learn_view *view = learn_trainer_view(trainer);
 *                  show_view(view);
 *                  learn_view_release(view);
 *
 * One thread, the window's, has the trainer. It gives orders and gets views without ever waiting
 * for a step of training; the trainer's thread carries the orders out as they come. Views are
 * counted and never change. */
#ifndef LEARN_TRAINER_H
#define LEARN_TRAINER_H

#include "learn/keyframes.h"
#include "learn/run.h"

/* A view of a run at one time: immutable and shared by counting references. */
struct learn_view {
    uint64_t number;                     /* grows with every change */
    const struct learn_snapshot *moment; /* the shown weights, scores and data */
    uint64_t furthest;                   /* the last step of this branch */
    uint64_t steps;                      /* after which it stops by itself */
    const struct learn_point *points;    /* [point_count] by step */
    size_t point_count;
    const float *head_scores[LEARN_SCORES_OF_HEADS]; /* [point_count][layers][heads]; NULL: none */
    const struct learn_event *events;
    size_t event_count;
    const struct learn_keyframe *const *keyframes; /* [keyframe_count] by step; held */
    size_t keyframe_count;
    const struct learn_edit *edits; /* those that lead here */
    size_t edit_count;
    bool plays;        /* it trains by itself */
    bool works;        /* an order is not carried out yet */
    uint64_t comes_to; /* learn_run_comes_to: it first trains to known weights; 0: it does not */
    bool is_done;      /* the last step of the recipe is made */
    double steps_per_second; /* of the last second of training; 0 before */
    size_t kept_bytes;
    struct error error; /* why it stopped, or what was refused; ERROR_NONE: nothing */
};
const struct learn_view *learn_view_keep(const struct learn_view *view);
void learn_view_release(const struct learn_view *view); /* NULL is fine */

struct learn_trainer;

/* Starts a trainer. threads: of its pool, 0: all of the machine. The text is copied. It waits at
 * step 0. NULL and a sentence: as in learn_run_make. */
struct learn_trainer *learn_trainer_start(const struct learn_recipe *recipe, struct bytes text,
                                          size_t threads, struct error *error);

/* Starts a trainer likewise of own text that was cut before (learn_data_cut), which is shared; for
 * another task cut is NULL. */
struct learn_trainer *learn_trainer_start_of(const struct learn_recipe *recipe,
                                             const struct learn_data *cut, size_t threads,
                                             struct error *error);

/* Ends the thread and frees everything; views that are held stay valid. NULL is fine. */
void learn_trainer_stop(struct learn_trainer *trainer);

/* Stop in two parts, for callers that cannot wait: the thread is told to end, if need be within a
 * step, and once it has ended stopping does not wait. */
void learn_trainer_quit(struct learn_trainer *trainer);
bool learn_trainer_is_over(struct learn_trainer *trainer);

/* ---- views; none of these waits -------------------------------------------------------------- */

/* Returns the newest view, never NULL. The caller releases it. */
const struct learn_view *learn_trainer_view(struct learn_trainer *trainer);

/* Says whether a newer view than this one is there or will come: true as soon as an order is given,
 * even before the thread has read it. */
bool learn_trainer_lags(struct learn_trainer *trainer, const struct learn_view *view);

/* ---- orders ---------------------------------------------------------------------------------- */

/* Trains up to that step, or to the last one; 0: rests. */
void learn_trainer_play(struct learn_trainer *trainer, uint64_t until);

/* Makes views hold the operands of the step they show (learn_snapshot.made). */
void learn_trainer_watch(struct learn_trainer *trainer, bool on);

/* Limits the bytes of the snapshots that are kept for going back, from now on. */
void learn_trainer_keep_at_most(struct learn_trainer *trainer, size_t bytes);

/* Sets the steps a second: 0: as fast as possible; else at most so many (also fractions of one). */
void learn_trainer_limit(struct learn_trainer *trainer, double steps_per_second);

/* Makes one step from the shown one, and stops. */
void learn_trainer_one_step(struct learn_trainer *trainer);

/* Shows a step: at once the nearest kept one, then the step itself; beyond the furthest it trains
 * up to it. The last seek counts; playing stops. */
void learn_trainer_seek(struct learn_trainer *trainer, uint64_t step);

/* Seeks likewise, and ends the present order at once, if need be within a step. */
void learn_trainer_give_up(struct learn_trainer *trainer, uint64_t step);

/* Sets the step after which it stops by itself. */
void learn_trainer_set_steps(struct learn_trainer *trainer, uint64_t steps);

/* Order what the functions of run.h do, from the shown step on; text is copied, or its cut form
 * shared. An edit returns false where too many orders are waiting; it is then not taken. */
bool learn_trainer_edit(struct learn_trainer *trainer, const struct learn_edit *edit);
void learn_trainer_undo(struct learn_trainer *trainer);

/* Goes where a session was: through these edits, each at its step, then to `step`. */
bool learn_trainer_replay(struct learn_trainer *trainer, const struct learn_edit *edits,
                          size_t count, uint64_t step);

/* Replays likewise with a run that was just started, but without training, where the weights of the
 * step are known (learn_run_know; [floats], copied). */
bool learn_trainer_replay_known(struct learn_trainer *trainer, const struct learn_edit *edits,
                                size_t count, uint64_t step, const float *weights, size_t floats);

/* Waits until every order is carried out: for tests and the command line. */
void learn_trainer_wait(struct learn_trainer *trainer);

#endif
