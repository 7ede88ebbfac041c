/* learn/run_internal.h — what the files of a run share. */
#ifndef LEARN_RUN_INTERNAL_H
#define LEARN_RUN_INTERNAL_H

#include "base/arena.h"
#include "learn/keyframes.h"
#include "learn/run.h"

/* A kept snapshot: weights, m and v, one after the other. */
struct kept {
    size_t branch;
    uint64_t step;
    float *values; /* [3 · floats] */
};

/* Points with every head's scores. */
struct points {
    struct learn_point *point;
    float *heads[LEARN_SCORES_OF_HEADS]; /* [room][layers · heads]; NULL: no such score */
    size_t count, room;
};

/* Keyframes by step, each a reference; moments: how many have weights. */
struct keyframes {
    const struct learn_keyframe **keyframe; /* [room] */
    size_t count, room, moments;
};

/* A branch of training: its parent up to `from`, then one more edit. A snapshot at step s belongs
 * to the last branch of the way that begins at or before s. */
struct branch {
    size_t parent; /* branch 0 has none */
    uint64_t from;
    struct learn_edit edit;
    size_t edits; /* of the way up to here */
    struct learn_recipe recipe;
    const struct learn_data *data; /* a reference */
    struct learn_frozen frozen;
    bool head_off[LEARN_LAYERS_MAX][LEARN_HEADS_MAX];
    uint64_t furthest;
    struct points points;       /* from step 0 on */
    struct keyframes keyframes; /* behind `from` */
    struct learn_event event[LEARN_EVENTS_MAX];
    size_t events;
};

/* The weights of a step of a branch that were made before (learn_run_know); NULL: none. */
struct known {
    float *weights; /* [floats], owned */
    uint64_t step;
    size_t branch;
};

/* The state before an edit, for undo. */
struct stand {
    size_t branch;
    uint64_t step;
};

struct learn_run {
    struct lab_engine engine;
    struct learn_network *network;
    const struct learn_tensors *tensors;
    struct arena arena;        /* of everything below */
    float *weights, *m, *v;    /* [floats] each, one after the other: the present state */
    float *gradient;           /* [floats] */
    int32_t *tokens, *targets; /* of a batch */
    int32_t *test_tokens, *test_targets;
    size_t test_rows, test_room; /* rows of the present data, and those that there is room for */
    struct learn_result result;  /* of the last step */
    bool has_gradient;
    float *watched; /* [4 · floats]: weights, m and v before the last step, and weights after it
                       before an edit; NULL: not watched */
    bool has_watched;
    float scale;                      /* learn_step.scale of the last step */
    struct learn_optimiser optimiser; /* the optimiser of the last step */
    uint64_t step;
    bool without_points;      /* learn_run_keep_points */
    bool has_keyframes;       /* learn_run_keep_keyframes */
    bool is_known;            /* weights are known without training, m and v are not */
    size_t branch;            /* the present branch */
    struct branch **branches; /* [LEARN_EDITS_MAX + 1] */
    size_t branch_count;
    struct learn_edit list[LEARN_EDITS_MAX]; /* learn_run_edits */
    struct stand undo[LEARN_EDITS_MAX];
    size_t undos;
    struct kept *kept;
    size_t kept_count, kept_room;
    uint64_t kept_gap; /* steps between two kept snapshots */
    size_t kept_bytes_max;
    struct known known;
    const struct learn_progress *progress; /* learn_run_set_progress */
    uint64_t comes_to;                     /* learn_run_comes_to */
};

/* Returns the branch of the present way to which a step belongs. */
size_t learn_run_owner(const struct learn_run *run, uint64_t step);

/* Takes the rows of a branch that are never trained on as its test. */
void learn_run_take_test(struct learn_run *run, const struct branch *branch);

/* Loads weights, m and v of the kept step of the present way at or before this one; the run then
 * stands there. Returns false where there is none. */
bool learn_run_load(struct learn_run *run, uint64_t step, struct error *error);

/* Applies an edit, at the step from which it holds, to the weights and to the branch. */
void learn_run_apply(struct learn_run *run, const struct branch *branch);

/* Makes the operands of the last step known, if need be by computing it again. Returns false where
 * no step led here or it fails; the run stays where it was. */
bool learn_run_remake(struct learn_run *run, struct error *error);

/* Switches the network's heads as they are on a branch. */
void learn_run_switch_heads(struct learn_run *run, const struct branch *branch);

/* ---- what is kept (run_kept.c) -------------------------------------------------------------- */

/* Returns how many steps lie between two kept snapshots so that those of a whole run just fit. The
 * length of runs on own text is not known, so every step is kept at first. */
uint64_t learn_run_first_gap(const struct learn_run *run);

/* Keeps a snapshot of the present state if its step is to be kept; without memory fewer are
 * kept. */
void learn_run_keep(struct learn_run *run);

/* Keeps a snapshot whatever its step is. Returns false without memory. */
bool learn_run_keep_here(struct learn_run *run);

/* Returns the last kept snapshot of a branch at or before a step; NULL: there is none. */
const struct kept *learn_run_find_kept(const struct learn_run *run, size_t branch, uint64_t step);
void learn_run_drop_kept(struct learn_run *run);

/* ---- keyframes (keyframes.c) ---------------------------------------------------------------- */

/* Adds the present step's, where one lies there that the run has not yet. */
void learn_run_add_keyframe(struct learn_run *run);
void learn_keyframes_free(struct keyframes *keyframes);

/* Makes a snapshot of the present state without scores and operands (snapshot.c). NULL: no memory.
 */
const struct learn_snapshot *learn_run_snapshot_bare(const struct learn_run *run);

/* ---- points (run_points.c) ------------------------------------------------------------------ */

/* Adds a point, and the events at it, after the last one; a former step's point is there already.
 * Returns false without memory. */
bool learn_points_add(struct branch *branch, const struct learn_point *point,
                      const struct learn_scores *scores, struct error *error);

/* Copies the points before a step. */
bool learn_points_copy(struct points *to, const struct points *from, uint64_t before, size_t heads,
                       struct error *error);
void learn_points_free(struct points *points);

#endif
