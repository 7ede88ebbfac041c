/* learn/run.h — a training run: every step of it can be gone to, at once and exactly.
 *
 *     struct learn_run *run = learn_run_make(&recipe, text, &engine, &error);
 *     learn_run_forward(run, &error);                 one step
 *     learn_run_go(run, 120, NULL, &error);           back, or on: the same bits as the first time
 *     learn_run_edit(run, &edit, &error);             from here on otherwise: a branch
 *     learn_run_undo(run, &error);                    the branch before, as far as it had come
 *
 * Step s is the moment after s updates: at step 0 weights are the initial ones. Moments (weights
 * and what the optimiser knows) are kept at steps spread evenly, as many as the memory allowed for
 * them holds; a step between is made again from the one before, with the same bits, for a batch
 * follows from seed and step alone. Curves keep a point at steps that lie 64 to the octave.
 *
 * A run belongs to one thread at a time; learn/trainer.h runs one beside the window. */
#ifndef LEARN_RUN_H
#define LEARN_RUN_H

#include "learn/network.h"
#include "learn/scores.h"
#include "learn/task.h"

enum {
    LEARN_EDITS_MAX = 256,             /* of all branches that lead to a moment */
    LEARN_KEPT_BYTES = 60 << 20,       /* of kept moments; built-in tasks */
    LEARN_KEPT_BYTES_TEXT = 368 << 20, /* own text: at d 128, with what training itself takes and
                                          two moments that are looked at, below 512 MB */
    LEARN_POINTS_PER_OCTAVE = 64,
    LEARN_EVENTS_MAX = 32,
};

/* ---- what is changed on the way ------------------------------------------------------------- */

enum learn_edit_kind {
    LEARN_EDIT_WEIGHT,        /* one weight becomes value */
    LEARN_EDIT_FREEZE_TENSOR, /* value 1: learns no more, 0: again */
    LEARN_EDIT_FREEZE_HEAD,   /* likewise its columns of W_Q, W_K, W_V and rows of W_O */
    LEARN_EDIT_HEAD_OFF,      /* value 1: the head adds nothing, 0: again */
    LEARN_EDIT_RATE,          /* the optimiser's rate becomes value */
    LEARN_EDIT_DATA,          /* batches are drawn from seed from here on */
    LEARN_EDIT_TEXT,          /* own text: batches are drawn from another one, of known words */
    LEARN_EDIT_KINDS
};

struct learn_edit {
    enum learn_edit_kind kind;
    uint64_t step;      /* where it holds from: filled in by learn_run_edit */
    size_t tensor;      /* its number in learn_tensors: WEIGHT, FREEZE_TENSOR */
    size_t row, col;    /* WEIGHT */
    size_t layer, head; /* FREEZE_HEAD, HEAD_OFF */
    float value;
    uint64_t seed;                /* DATA */
    struct bytes text;            /* TEXT … */
    const struct learn_data *cut; /* … and that cut into the run's words; NULL: it is, then */
};

/* Whether the rate may become this on the way. False and a sentence. */
bool learn_rate_check(float rate, struct error *error);

/* Whether runs of a recipe, as it fits its data, can be changed so. False and a sentence. */
bool learn_edit_check(const struct learn_edit *edit, const struct learn_recipe *recipe,
                      struct error *error);

/* One sentence in the language that is spoken, "From step 120 on: L0H1 is off."; owned by the
 * arena, NULL: no memory. */
const char *learn_edit_sentence(const struct learn_edit *edit, const struct learn_shape *shape,
                                const struct learn_tensors *tensors, struct arena *arena);

/* ---- curves --------------------------------------------------------------------------------- */

/* What is known of a kept step. Loss and accuracy are those of the batch that step s → s + 1 learns
 * from, at the weights of step s. */
struct learn_point {
    uint64_t step;
    float loss, accuracy;
    float test_loss, test_accuracy; /* NaN where the task keeps no rows back */
    float rate;                     /* of the optimiser's step */
    float best[LEARN_SCORE_ROWS];   /* scores; NaN: none */
};

/* Something happened: a score, or the accuracy, has crossed its threshold for the first time. */
struct learn_event {
    uint64_t step;
    enum learn_score score; /* LEARN_SCORE_ROWS: accuracy 99 %; LEARN_SCORE_ROWS + 1: test 99 % */
    const char *words;      /* "attention finds the noun"; tr() it */
    size_t layer, head;     /* whose score */
    bool has_head;
};

/* ---- a moment ------------------------------------------------------------------------------- */

/* What the step that led to a moment was made of; [tensors.floats] each. */
struct learn_made {
    const float *before, *m_before, *v_before; /* weights and what the optimiser knew … */
    const float *gradient;                     /* … of the step's batch … */
    const float *m, *v, *after;                /* … and what came of it; edits come behind */
    float scale;                               /* learn_step.scale */
    struct learn_optimiser optimiser;          /* as it was set then */
};

/* A moment of a run: immutable and counted, so that whoever holds it may look at it on any thread
 * while training goes on. */
struct learn_moment {
    uint64_t step;
    const float *weights; /* [tensors.floats] */
    bool is_exact;        /* false: the nearest kept step, while the exact one is made again */
    uint64_t asked;       /* the step that was asked for */

    /* Of the run at that moment: these too stay as they are. */
    const struct learn_recipe *recipe;
    const struct learn_tensors *tensors;
    const struct learn_data *data;           /* keep it to hold on to it longer than the moment */
    const bool (*head_off)[LEARN_HEADS_MAX]; /* [layers][heads] */
    const struct learn_frozen *frozen;
    struct learn_scores scores; /* of this moment's weights */
    struct learn_point point;   /* of this step; loss NaN where its batch has not been computed */
    const struct learn_made *made; /* NULL: no step has led here, or nobody watches */
};
const struct learn_moment *learn_moment_keep(const struct learn_moment *moment);
void learn_moment_release(const struct learn_moment *moment); /* NULL is fine */

/* ---- a run ---------------------------------------------------------------------------------- */

struct learn_run;

/* text: own text, copied; else empty. engine NULL: the calling thread alone. Step 0 is made.
 * NULL and a sentence: the recipe or the text breaks a rule, or no memory. */
struct learn_run *learn_run_make(const struct learn_recipe *recipe, struct bytes text,
                                 const struct lab_engine *engine, struct error *error);

/* The same of own text that was cut before (learn_data_cut); of another task: cut NULL. */
struct learn_run *learn_run_make_of(const struct learn_recipe *recipe, const struct learn_data *cut,
                                    const struct lab_engine *engine, struct error *error);
void learn_run_free(struct learn_run *run); /* NULL is fine */

/* A run that was just made goes on where another of its recipe was written down: at a step, with
 * its weights and what its optimiser knew ([tensors.floats] each, copied). Every later step has the
 * bits of a run that never stopped. False and a sentence: no memory; it stands at step 0. */
bool learn_run_resume(struct learn_run *run, uint64_t step, const float *weights, const float *m,
                      const float *v, struct error *error);

const struct learn_recipe *learn_run_recipe(const struct learn_run *run); /* with edits of rate */
const struct learn_data *learn_run_data(const struct learn_run *run);
struct learn_network *
learn_run_network(const struct learn_run *run); /* as heads are switched now */
const struct learn_tensors *learn_run_tensors(const struct learn_run *run);

uint64_t learn_run_step(const struct learn_run *run);     /* where it stands */
uint64_t learn_run_furthest(const struct learn_run *run); /* of this branch */
const float *learn_run_weights(const struct learn_run *run);

/* The gradient of the batch that the last step was made from (NULL: the run stands where no step
 * has led), and what the optimiser knows now; [tensors.floats] each. */
const float *learn_run_gradient(const struct learn_run *run);
const float *learn_run_m(const struct learn_run *run);
const float *learn_run_v(const struct learn_run *run);

/* From here on moments tell what their step was made of; it is made again where that is not known
 * any more. False and a sentence: no memory; nothing is told. */
bool learn_run_watch(struct learn_run *run, bool on, struct error *error);

/* One step. False: it went wrong, and the run stands where it stood. A run that diverges (a loss, a
 * gradient or a weight that is no number) says at which step and what to lower, and has stopped. */
bool learn_run_forward(struct learn_run *run, struct error *error);

/* A step that is given up meanwhile ends early, with false and no sentence; the run stands where it
 * stood. The flag lives as long as the run. */
void learn_run_heed(struct learn_run *run, const atomic_bool *given_up);

/* Loss and hits of the batch that the last step was made from; asked 0: none was. */
struct learn_result learn_run_result(const struct learn_run *run);

/* Whether a loss is so far above the first one that the rate must be too high. */
bool learn_loss_is_worse(float first, float now);

/* Goes to a step of this branch, or beyond its end by training on. goes_on is asked after each step
 * that is made (NULL: nobody), false: give up; the run stands where it has come to. */
struct learn_patience {
    bool (*goes_on)(void *owner, uint64_t step);
    void *owner;
};
bool learn_run_go(struct learn_run *run, uint64_t step, const struct learn_patience *patience,
                  struct error *error);

/* What is known of the step where the run stands: its batch goes forward, scores and test are
 * taken.
 */
bool learn_run_measure(struct learn_run *run, struct learn_point *point, struct error *error);

/* The moment where the run stands; or (nearest) that of a kept step, told to be inexact. The caller
 * releases it. NULL: no memory. */
const struct learn_moment *learn_run_moment(struct learn_run *run, struct error *error);
const struct learn_moment *learn_run_moment_near(struct learn_run *run, uint64_t step,
                                                 struct error *error);

/* One step like learn_run_forward, and the moment that it was made from, which knows the loss of
 * its batch. The caller releases it. *from NULL: no memory for it. */
bool learn_run_forward_from(struct learn_run *run, const struct learn_moment **from,
                            struct error *error);

/* ---- branches ------------------------------------------------------------------------------- */

/* From where the run stands on otherwise. What the branch before had reached is kept for undo.
 * False and a sentence: the edit names nothing there is, its value is no number, or too many. */
bool learn_run_edit(struct learn_run *run, const struct learn_edit *edit, struct error *error);

bool learn_run_can_undo(const struct learn_run *run);
bool learn_run_undo(struct learn_run *run, struct error *error); /* at the step it stood at */
bool learn_run_can_redo(const struct learn_run *run);
bool learn_run_redo(struct learn_run *run, struct error *error);

/* The edits that lead here, in their order; what they point at lives as long as the run. */
size_t learn_run_edits(const struct learn_run *run, const struct learn_edit **edits);

/* ---- curves --------------------------------------------------------------------------------- */

/* The points of this branch from step 0 on, by step. Until the next call that changes the run. */
const struct learn_point *learn_run_points(const struct learn_run *run, size_t *count);

/* Every head's score at each of these points: [count][layers][heads]; NULL: this score has none. */
const float *learn_run_head_scores(const struct learn_run *run, enum learn_score score);

const struct learn_event *learn_run_events(const struct learn_run *run, size_t *count);

/* Whether a point is kept at a step. */
bool learn_step_is_kept(uint64_t step);

/* Bytes of all that is kept for going back; and how many it may be, from now on (two moments stay
 * whatever they take). */
size_t learn_run_bytes(const struct learn_run *run);
void learn_run_keep_at_most(struct learn_run *run, size_t bytes);

#endif
