/* lab/explain/projection.c — finds what the selected number of Q, K or V is made of. */
#include <math.h>

#include "lab/explain/explain_internal.h"

/* Sets the factors: the first column of a pair (x, y) becomes x·cos − y·sin, the second x·sin +
 * y·cos. */
static void set_turn_factors(struct lab_projection *made, const struct lab_rotary *rotary,
                             size_t column, size_t size)
{
    const struct lab_rotary_pair pair = lab_rotary_pair_of(rotary, size, column);
    made->first = pair.first;
    made->pair = pair.second > pair.first ? 2 : 1;
    made->step = made->pair == 2 ? pair.second - pair.first : 1;
    made->angle = made->pair == 2 ? lab_rotary_angle(rotary, made->word, pair.number, size) : 0;
    made->is_second = column != pair.first;
    const double by = made->pair == 2 ? lab_rotary_stretch(rotary, pair.number, size) : 1;
    made->stretch = by;
    made->turn[0] = (float)(by * (made->is_second ? sin(made->angle) : cos(made->angle)));
    made->turn[1] = (float)(by * (made->is_second ? cos(made->angle) : -sin(made->angle)));
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
        /* Given Q, K and V have no weights. */
        .weights = product->operation == LAB_PRODUCT ? (enum lab_part)product->input[1] : LAB_W_Q,
        .turned = turned,
        .word = lab_topic_of_keys(topic) ? topic->at.key : topic->at.query,
        .from = product->input[0] == LAB_C ? "c" : "x",
        .via = lab_node_row(product->input[1])->symbol,
    };
    if (turned) {
        const struct lab_rotary rotary = lab_experiment_rotary(topic->experiment);
        set_turn_factors(&made, &rotary, topic->at.channel, result->cols);
    }
    return made;
}
