/* learn/run.h — a training run: any step of it can be reached at once and exactly.
 *
 *     struct learn_run *run = learn_run_make(&recipe, text, &engine, &error);
 *     learn_run_forward(run, &error);                 one step
 *     learn_run_go(run, 120, NULL, &error);           back, or on: the same bits as the first time
 *     learn_run_edit(run, &edit, &error);             a branch that continues differently
 *     learn_run_undo(run, &error);                    the former branch, as far as it had come
 *
 * Step s is the state after s updates: at step 0 weights are the initial ones. Snapshots (weights
 * and the state of the optimiser) are kept at evenly spaced steps, as many as fit the memory that
 * they may take. A step between is made again from the one before with the same bits, since a batch
 * depends on seed and step alone. Curves keep a point at steps that lie 64 to the octave.
 *
 * A run belongs to one thread at a time; learn/trainer.h runs one next to the window. */
#ifndef LEARN_RUN_H
#define LEARN_RUN_H

#include "learn/network.h"
#include "learn/scores.h"
#include "learn/task.h"

enum {
    LEARN_EDITS_MAX = 256,             /* of all branches that lead to a snapshot */
    LEARN_KEPT_BYTES = 60 << 20,       /* of kept snapshots, for built-in tasks */
    LEARN_KEPT_BYTES_TEXT = 320 << 20, /* for own text: with d 128, training itself, keyframes and
                                          two snapshots that are looked at, it stays below 512 MB */
    LEARN_POINTS_PER_OCTAVE = 64,
    LEARN_EVENTS_MAX = 32,
};

/* ---- what is changed on the way ------------------------------------------------------------- */

enum learn_edit_kind {
    LEARN_EDIT_WEIGHT,        /* one weight becomes value */
    LEARN_EDIT_FREEZE_TENSOR, /* value 1: it is no longer trained, 0: it is again */
    LEARN_EDIT_FREEZE_HEAD,   /* likewise its columns of W_Q, W_K, W_V and its rows of W_O */
    LEARN_EDIT_HEAD_OFF,      /* value 1: the head adds nothing, 0: it does again */
    LEARN_EDIT_RATE,          /* the optimiser's rate becomes value */
    LEARN_EDIT_DATA,          /* batches are drawn from another seed from here on */
    LEARN_EDIT_TEXT,          /* own text: batches are drawn from another text of known words */
    LEARN_EDIT_KINDS
};

struct learn_edit {
    enum learn_edit_kind kind;
    uint64_t step;      /* the step from which it holds: filled in by learn_run_edit */
    size_t tensor;      /* its number in learn_tensors: WEIGHT, FREEZE_TENSOR */
    size_t row, col;    /* WEIGHT */
    size_t layer, head; /* FREEZE_HEAD, HEAD_OFF */
    float value;
    uint64_t seed;                /* DATA */
    struct bytes text;            /* of TEXT */
    const struct learn_data *cut; /* the text cut into the run's words; NULL: it is cut later */
};

/* Checks whether runs of a recipe, as it fits its data, can be changed so. Returns false and a
 * sentence. */
bool learn_edit_check(const struct learn_edit *edit, const struct learn_recipe *recipe,
                      struct error *error);

/* Describes an edit in one translated sentence, "From step 120 on: L0H1 is off."; owned by the
 * arena, NULL: no memory. */
const char *learn_edit_sentence(const struct learn_edit *edit, const struct learn_shape *shape,
                                const struct learn_tensors *tensors, struct arena *arena);

/* ---- curves --------------------------------------------------------------------------------- */

/* A point of the curves at a kept step. Loss and accuracy are those of the batch from which step s
 * → s + 1 learns, at the weights of step s. */
struct learn_point {
    uint64_t step;
    float loss, accuracy;
    float test_loss, test_accuracy; /* NaN where the task keeps no rows for a test */
    float rate;                     /* of the optimiser's step */
    float best[LEARN_SCORE_ROWS];   /* scores; NaN: none */
};

/* An event: a score, or the accuracy, has crossed its threshold for the first time. */
struct learn_event {
    uint64_t step;
    enum learn_score score; /* LEARN_SCORE_ROWS: accuracy 99 %; LEARN_SCORE_ROWS + 1: test 99 % */
    const char *words;      /* "attention finds the noun"; to be translated by tr() */
    size_t layer, head;     /* the head of the score */
    bool has_head;
};

/* ---- a snapshot ----------------------------------------------------------------------------- */

/* The operands of the step that led to a snapshot; [tensors.floats] each. */
struct learn_made {
    const float *before, *m_before, *v_before; /* weights and state of the optimiser before the
                                                  step */
    const float *gradient;                     /* of the step's batch */
    const float *m, *v, *after;                /* after the step; edits come later */
    float scale;                               /* learn_step.scale */
    struct learn_optimiser optimiser;          /* as it was set then */
};

/* A snapshot of a run: immutable and shared by counting references, so that any thread may read it
 * while training goes on. */
struct learn_snapshot {
    uint64_t step;
    const float *weights; /* [tensors.floats] */
    bool is_exact;        /* false: it is the nearest kept step, while the exact one is computed
                             again */
    uint64_t asked;       /* the requested step */

    /* Of the run at that time; these do not change either. */
    const struct learn_recipe *recipe;
    const struct learn_tensors *tensors;
    const struct learn_data *data;           /* to hold it longer than the snapshot, keep it */
    const bool (*head_off)[LEARN_HEADS_MAX]; /* [layers][heads] */
    const struct learn_frozen *frozen;
    struct learn_scores scores;    /* of these weights */
    struct learn_point point;      /* of this step; loss NaN where its batch is not computed yet */
    const struct learn_made *made; /* NULL: no step led here, or the run is not watched */
};
const struct learn_snapshot *learn_snapshot_keep(const struct learn_snapshot *snapshot);
void learn_snapshot_release(const struct learn_snapshot *snapshot); /* NULL is fine */

/* ---- a run ---------------------------------------------------------------------------------- */

struct learn_run;

/* Makes a run at step 0. text: own text, copied; else empty. engine NULL: the calling thread alone.
 * NULL and a sentence: the recipe or the text breaks a rule, or memory is lacking. */
struct learn_run *learn_run_make(const struct learn_recipe *recipe, struct bytes text,
                                 const struct lab_engine *engine, struct error *error);

/* Makes a run likewise of own text that was cut before (learn_data_cut); for another task cut is
 * NULL. */
struct learn_run *learn_run_make_of(const struct learn_recipe *recipe, const struct learn_data *cut,
                                    const struct lab_engine *engine, struct error *error);
void learn_run_free(struct learn_run *run); /* NULL is fine */

/* Lets a run that was just made continue from a saved one of its recipe: at a step, with its
 * weights and its optimiser's state ([tensors.floats] each, copied). Every later step has the bits
 * of a run that never stopped. Returns false and a sentence without memory; the run then stays at
 * step 0. */
bool learn_run_resume(struct learn_run *run, uint64_t step, const float *weights, const float *m,
                      const float *v, struct error *error);

/* Lets a run that was just made stand at a step whose weights ([tensors.floats], copied) were made
 * before, with the edits that led to it (a text of theirs is cut), so that this takes no training.
 * Before it goes on from there it trains to that step, since the state of the optimiser is not
 * known. Returns false and a sentence where an edit breaks a rule or memory is lacking; the run
 * then stands at step 0. */
bool learn_run_know(struct learn_run *run, const struct learn_edit *edits, size_t count,
                    uint64_t step, const float *weights, struct error *error);

/* Says whether going to a step of this branch takes no training, because the run stands there or
 * its weights are known. */
bool learn_run_is_near(const struct learn_run *run, uint64_t step);

const struct learn_recipe *learn_run_recipe(const struct learn_run *run); /* with edits of rate */
const struct learn_data *learn_run_data(const struct learn_run *run);
struct learn_network *
learn_run_network(const struct learn_run *run); /* with heads as they are switched now */
const struct learn_tensors *learn_run_tensors(const struct learn_run *run);

uint64_t learn_run_step(const struct learn_run *run);     /* the present step */
uint64_t learn_run_furthest(const struct learn_run *run); /* of this branch */
const float *learn_run_weights(const struct learn_run *run);

/* Return the gradient of the batch that made the last step (NULL: no step led here), and the
 * present state of the optimiser; [tensors.floats] each. */
const float *learn_run_gradient(const struct learn_run *run);
const float *learn_run_m(const struct learn_run *run);
const float *learn_run_v(const struct learn_run *run);

/* Makes snapshots hold the operands of their step from now on; the last step is computed again
 * where they are not known. Returns false and a sentence without memory; the run is then not
 * watched. */
bool learn_run_watch(struct learn_run *run, bool on, struct error *error);

/* Makes one step. Returns false where it fails, and the run stays where it was. A run that diverges
 * (a loss, a gradient or a weight is no number) says at which step and what to lower, and stops. */
bool learn_run_forward(struct learn_run *run, struct error *error);

/* Sets a flag that makes a step end early, with false and no sentence; the run stays where it was.
 * The flag lives as long as the run. */
void learn_run_heed(struct learn_run *run, const atomic_bool *given_up);

/* Trains from step 0 to the step of known weights, which came with the program or were given to
 * learn_run_know; this gives the same weights, and m and v too. Where the run stands at other
 * weights nothing happens. Steps, edits and undo do this themselves. Returns false where a step
 * fails, or (without a sentence) was given up; the run stays where it is then. */
bool learn_run_come(struct learn_run *run, struct error *error);

/* Returns the step to which learn_run_come is on its way; 0: it is not. */
uint64_t learn_run_comes_to(const struct learn_run *run);

/* Returns loss and hits of the batch that made the last step; asked 0: no step did. */
struct learn_result learn_run_result(const struct learn_run *run);

/* Says whether a loss is so far above the first one that the rate must be too high. */
bool learn_loss_is_worse(float first, float now);

/* Goes to a step of this branch, or beyond its end by training. goes_on is asked after each step
 * (NULL: never) and stops it by returning false; the run stays where it is then. */
struct learn_progress {
    bool (*goes_on)(void *owner, uint64_t step);
    void *owner;
};
bool learn_run_go(struct learn_run *run, uint64_t step, const struct learn_progress *progress,
                  struct error *error);

/* Sets what is asked after each step on the way to a start: that of a branch of which no snapshot
 * is kept, or known weights. NULL: nothing. It lives as long as the run. */
void learn_run_set_progress(struct learn_run *run, const struct learn_progress *progress);

/* Measures the present step: runs its batch forward and takes scores and test. */
bool learn_run_measure(struct learn_run *run, struct learn_point *point, struct error *error);

/* Return a snapshot of the present state, or (near) that of a kept step, marked as inexact. The
 * caller releases it. NULL: no memory. */
const struct learn_snapshot *learn_run_snapshot(struct learn_run *run, struct error *error);
const struct learn_snapshot *learn_run_snapshot_near(struct learn_run *run, uint64_t step,
                                                     struct error *error);

/* Makes one step like learn_run_forward, and a snapshot of the state before it, which knows the
 * loss of its batch. The caller releases it. *from NULL: no memory for it. */
bool learn_run_forward_from(struct learn_run *run, const struct learn_snapshot **from,
                            struct error *error);

/* ---- branches ------------------------------------------------------------------------------- */

/* Continues differently from the present step. The former branch is kept for undo. Returns false
 * and a sentence where the edit names nothing that exists, its value is no number, or there are too
 * many. */
bool learn_run_edit(struct learn_run *run, const struct learn_edit *edit, struct error *error);

bool learn_run_can_undo(const struct learn_run *run);
bool learn_run_undo(struct learn_run *run, struct error *error); /* to the step where it stood */

/* Returns the edits that lead here, in their order; what they point to lives as long as the run. */
size_t learn_run_edits(const struct learn_run *run, const struct learn_edit **edits);

/* ---- curves --------------------------------------------------------------------------------- */

/* Returns the points of this branch from step 0 on, ordered by step. They are valid until the next
 * call that changes the run. */
const struct learn_point *learn_run_points(const struct learn_run *run, size_t *count);

/* Returns every head's score at each of these points: [count][layers][heads]; NULL: this score has
 * none. */
const float *learn_run_head_scores(const struct learn_run *run, enum learn_score score);

const struct learn_event *learn_run_events(const struct learn_run *run, size_t *count);

/* Lets steps from now on keep points and events, as they do at first, or none: a run of which the
 * last weights alone are wanted is faster without. */
void learn_run_keep_points(struct learn_run *run, bool kept);

/* Says whether a point is kept at a step. */
bool learn_step_is_kept(uint64_t step);

/* Return the bytes of all kept snapshots, and limit them from now on (two snapshots always
 * stay). */
size_t learn_run_bytes(const struct learn_run *run);
void learn_run_keep_at_most(struct learn_run *run, size_t bytes);

#endif
