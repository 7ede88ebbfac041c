/* lab/experiment/qk_transform.h — how queries and keys change on their way to the scores, step by
 * step. */
#ifndef LAB_EXPERIMENT_QK_TRANSFORM_H
#define LAB_EXPERIMENT_QK_TRANSFORM_H

#include "lab/experiment/graph.h"

enum lab_side { LAB_SIDE_QUERIES, LAB_SIDE_KEYS, LAB_SIDES };

struct lab_qk_transform {
    enum lab_part made[LAB_SIDES];   /* LAB_EMBEDDINGS_X: it leaves this side as it is */
    enum lab_part before[LAB_SIDES]; /* what the rows are called before it, where it makes those
                                        that are projected else */
    enum lab_operation operation;
    const char *function; /* "R", as in Q = R(Q₀) */
    const char *sentence; /* the sentence of the stage that shows the result */
    const char *told;     /* in a description of the whole picture; NULL: its parameter describes
                             it */
    const char *formula;  /* of that stage, for the ribbon; NULL: the usual one */
    bool (*applies)(const struct lab_experiment *experiment);
    /* Changes the rows of one head [count][size] in place. */
    void (*apply)(const struct lab_experiment *experiment, float *rows, size_t count, size_t size);
};

/* Returns the step of an experiment that follows `former` (NULL: the first step). NULL: there is
 * none. */
const struct lab_qk_transform *lab_qk_transform_next(const struct lab_experiment *experiment,
                                                     const struct lab_qk_transform *former);

/* Returns the step that makes a node. NULL: none does. */
const struct lab_qk_transform *lab_qk_transform_making(const struct lab_experiment *experiment,
                                                       size_t node);

/* Returns the node of a side that a step of an experiment changes. */
enum lab_part lab_qk_transform_input(const struct lab_experiment *experiment,
                                     const struct lab_qk_transform *step, enum lab_side side);

/* Return the node that the first step starts from, and the one that the last step ends with. They
 * are equal where an experiment has no such step. */
enum lab_part lab_qk_transforms_begin(const struct lab_experiment *experiment, enum lab_side side);
enum lab_part lab_qk_transforms_end(const struct lab_experiment *experiment, enum lab_side side);

#endif
