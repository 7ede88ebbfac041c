#include "lab/experiment/op_count.h"

#include "lab/experiment/graph.h"

/* What plain C multiplies in some seconds: 1024 words in 12 heads of 64. Nobody waits for more. */
static const double PLAIN_MOST = 5e9;

double lab_op_count(const struct lab_experiment *experiment)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const struct lab_graph graph = lab_graph_of(experiment, &sizes);
    double count = 0;
    for (size_t node = 0; node < LAB_NODES; node++) {
        count += lab_graph_products(&graph, node, (double)sizes.n * (double)sizes.m);
    }
    return count;
}

const char *lab_op_count_set(const struct lab_experiment *experiment)
{
    return lab_op_count(experiment) <= PLAIN_MOST ? "ref" : NULL;
}
