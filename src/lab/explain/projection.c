/* lab/explain/projection.c — what the selected number of Q, K or V is made of. */
#include <math.h>

#include "lab/explain/explain_internal.h"

/* Column 2p of a pair (x, y) is x·cos − y·sin, column 2p + 1 is x·sin + y·cos. */
static void turn_back(struct lab_projection *made, size_t column, size_t size)
{
    made->first = column / 2 * 2;
    made->pair = made->first + 1 < size ? 2 : 1;
    made->angle = made->pair == 2 ? lab_positions_angle(made->word, made->first / 2, size) : 0;
    const bool even = column % 2 == 0;
    made->turn[0] = (float)(even ? cos(made->angle) : sin(made->angle));
    made->turn[1] = (float)(even ? -sin(made->angle) : cos(made->angle));
}

struct lab_projection lab_topic_projection(const struct lab_topic *topic)
{
    const struct lab_graph *const graph = topic->graph;
    const struct lab_node *const result = &graph->node[topic->at.projected];
    const struct lab_node *const product = lab_graph_projection(graph, topic->at.projected);
    const bool turned = product != result;
    struct lab_projection made = {
        .result = topic->at.projected,
        .x = (enum lab_part)(turned ? result : product)->input[0],
        /* Given Q, K, V have none. */
        .weights = product->operation == LAB_PRODUCT ? (enum lab_part)product->input[1] : LAB_W_Q,
        .turned = turned,
        .word = lab_topic_of_keys(topic) ? topic->at.key : topic->at.query,
        .from = product->input[0] == LAB_C ? "c" : "x",
        .via = lab_node_row(product->input[1])->symbol,
    };
    if (turned) {
        turn_back(&made, topic->at.channel, result->cols);
    }
    return made;
}
