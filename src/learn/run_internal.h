/* learn/run_internal.h — what the files of a run share. */
#ifndef LEARN_RUN_INTERNAL_H
#define LEARN_RUN_INTERNAL_H

#include "base/arena.h"
#include "learn/run.h"

/* A moment that is kept: weights, m and v, one behind the other. */
struct kept {
    size_t branch;
    uint64_t step;
    float *values; /* [3 · floats] */
};

/* Points with every head's scores beside them. */
struct points {
    struct learn_point *point;
    float *heads[LEARN_SCORES_OF_HEADS]; /* [room][layers · heads]; NULL: no such score */
    size_t count, room;
};

/* A way that training took: as its parent up to `from`, then with one edit more. A moment at step s
 * belongs to the last branch of the way that begins at or before s. */
struct branch {
    size_t parent; /* branch 0 has none */
    uint64_t from;
    struct learn_edit edit;
    size_t edits; /* of the way up to here */
    struct learn_recipe recipe;
    const struct learn_data *data; /* holds one reference */
    struct learn_frozen frozen;
    bool head_off[LEARN_LAYERS_MAX][LEARN_HEADS_MAX];
    uint64_t furthest;
    struct points points; /* from step 0 on */
    struct learn_event event[LEARN_EVENTS_MAX];
    size_t events;
};

/* Where one stood before an edit, for undo. */
struct stand {
    size_t branch;
    uint64_t step;
};

struct learn_run {
    struct lab_engine engine;
    struct learn_network *network;
    const struct learn_tensors *tensors;
    struct arena arena;        /* of what follows */
    float *weights, *m, *v;    /* [floats] each, one behind the other: where it stands */
    float *gradient;           /* [floats] */
    int32_t *tokens, *targets; /* of a batch */
    int32_t *test_tokens, *test_targets;
    size_t test_rows, test_room; /* of the data where it stands; that there is room for */
    struct learn_result result;  /* of the last step */
    bool has_gradient;
    float *watched; /* [4 · floats]: weights, m and v before the last step, and weights behind it
                       before an edit; NULL: nobody watches */
    bool has_watched;
    float scale;                      /* of the last step … */
    struct learn_optimiser optimiser; /* … and how it was made */
    uint64_t step;
    bool is_shipped;          /* weights are the shipped ones, m and v are not known */
    size_t branch;            /* the way it is on */
    struct branch **branches; /* [LEARN_EDITS_MAX + 1] */
    size_t branch_count;
    struct learn_edit list[LEARN_EDITS_MAX]; /* learn_run_edits */
    struct stand undo[LEARN_EDITS_MAX], redo[LEARN_EDITS_MAX];
    size_t undos, redos;
    struct kept *kept;
    size_t kept_count, kept_room;
    uint64_t kept_gap; /* steps between two that are kept */
    size_t kept_bytes_most;
};

/* The branch of the present way that a step belongs to. */
size_t learn_run_owner(const struct learn_run *run, uint64_t step);

/* The rows of a branch that are never trained on are those that it is tested with. */
void learn_run_take_test(struct learn_run *run, const struct branch *branch);

/* Weights, m and v of a step of the present way, as far as one is kept at or before it; then the
 * run stands there. */
bool learn_run_load(struct learn_run *run, uint64_t step, struct error *error);

/* Before training goes on, or otherwise, from weights that came with the program: the run comes to
 * their step by itself, to the same bits, and knows m and v too. */
bool learn_run_come(struct learn_run *run, struct error *error);

/* What an edit does at the step where it holds from, to the weights and to what a branch knows. */
void learn_run_apply(struct learn_run *run, const struct branch *branch);

/* The last step is known to its operands: it is made again if need be. False: none has led here, or
 * it went wrong; the run stands where it stood. */
bool learn_run_remake(struct learn_run *run, struct error *error);

/* A sentence with the way out for a run whose numbers are none any more. */
bool learn_run_diverged(const struct learn_run *run, struct error *error);

/* Heads as they are switched on a branch, into the network. */
void learn_run_switch_heads(struct learn_run *run, const struct branch *branch);

/* ---- what is kept (run_kept.c) -------------------------------------------------------------- */

/* How many steps lie between two that are kept, so that those of a long run just fit; of own text,
 * whose length nobody knows, each at first. */
uint64_t learn_run_first_gap(const struct learn_run *run);

/* Keeps the moment where the run stands, if its step is one of those; without memory fewer are. */
void learn_run_keep(struct learn_run *run);

/* Keeps it whatever its step is. False: no memory. */
bool learn_run_keep_here(struct learn_run *run);

/* The last kept moment of a branch at or before a step; NULL: none. */
const struct kept *learn_run_find_kept(const struct learn_run *run, size_t branch, uint64_t step);
void learn_run_drop_kept(struct learn_run *run);

/* ---- points (run_points.c) ------------------------------------------------------------------ */

/* Adds a point, and what happens at it, behind the last; a former step's is there already. False:
 * no memory. */
bool learn_points_add(struct branch *branch, const struct learn_point *point,
                      const struct learn_scores *scores, struct error *error);

/* Those before a step. */
bool learn_points_copy(struct points *to, const struct points *from, uint64_t before, size_t heads,
                       struct error *error);
void learn_points_free(struct points *points);

#endif
