/* lab/experiment/row_steps.h — what becomes of queries and keys on their way to the scores: steps
 * that change every row by itself. */
#ifndef LAB_EXPERIMENT_ROW_STEPS_H
#define LAB_EXPERIMENT_ROW_STEPS_H

#include "lab/experiment/graph.h"

enum lab_side { LAB_SIDE_QUERIES, LAB_SIDE_KEYS, LAB_SIDES };

struct lab_row_step {
    enum lab_part from[LAB_SIDES], made[LAB_SIDES];
    enum lab_operation operation;
    const char *function; /* "R", as in Q = R(Q₀) */
    const char *sentence; /* of the stage that shows what is made */
    const char *told;     /* when the whole picture is described; NULL: its parameter tells it */
    const char *formula;  /* of that stage, for the ribbon; NULL: as always */
    bool (*applies)(const struct lab_experiment *experiment);
    /* Changes rows [count][size] in place. */
    void (*apply)(const struct lab_experiment *experiment, float *rows, size_t count, size_t size);
};

/* The steps that an experiment asks for, in their order: the one after `former` (NULL: the first),
 * NULL: there is none. */
const struct lab_row_step *lab_row_step_next(const struct lab_experiment *experiment,
                                             const struct lab_row_step *former);

/* The step that makes a node; NULL: none does. */
const struct lab_row_step *lab_row_step_making(const struct lab_experiment *experiment,
                                               size_t node);

/* The node that the first step starts from, and the one that the last step ends with: the same
 * where an experiment asks for none. */
enum lab_part lab_row_steps_begin(const struct lab_experiment *experiment, enum lab_side side);
enum lab_part lab_row_steps_end(const struct lab_experiment *experiment, enum lab_side side);

#endif
