/* lab/experiment/op_count.h — what is written into files is computed by plain C, where every
 * operation is rounded alike on all machines: the same experiment gives the same bytes, whatever
 * the processor can do.
 */
#ifndef LAB_EXPERIMENT_OP_COUNT_H
#define LAB_EXPERIMENT_OP_COUNT_H

#include "lab/experiment/experiment.h"

/* Multiplications of an experiment: projections, scores, blends, output. */
double lab_op_count(const struct lab_experiment *experiment);

/* The name of the set, for lab_run; NULL: it would take plain C minutes. */
const char *lab_op_count_set(const struct lab_experiment *experiment);

#endif
