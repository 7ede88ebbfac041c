/* lab/projection.c — what the selected number of Q, K or V is made of. */
#include <math.h>

#include "lab/explain_parts.h"

static const struct way {
    enum lab_part weights, before, rebuilt;
    const char *name, *rebuilt_name;
} ways[] = {
    {LAB_W_Q, LAB_Q_BEFORE, LAB_W_Q, "W_Q", "W_Q"},
    {LAB_W_K, LAB_K_BEFORE, LAB_W_UK, "W_K", "W_UK"},
    {LAB_W_V, LAB_PARTS, LAB_W_UV, "W_V", "W_UV"},
};

enum lab_part lab_bias_of(enum lab_part part)
{
    const bool of_q = part == LAB_Q || part == LAB_Q_BEFORE;
    const bool of_k = part == LAB_K || part == LAB_K_BEFORE;
    return of_q ? LAB_B_Q : of_k ? LAB_B_K : part == LAB_V ? LAB_B_V : LAB_B_O;
}

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
    const enum lab_part result = topic->at.projected;
    const struct way *const way = &ways[result - LAB_Q];
    const bool latent = topic->sizes.latent > 0 && result != LAB_Q;
    const bool outside = topic->sizes.cross && result != LAB_Q;
    struct lab_projection made = {
        .result = result,
        .x = latent    ? LAB_C
             : outside ? LAB_CONTEXT_X
                       : LAB_EMBEDDINGS_X,
        .weights = latent ? way->rebuilt : way->weights,
        .word = lab_topic_of_keys(topic) ? topic->at.key : topic->at.query,
        .from = latent ? "c" : "x",
        .via = latent ? way->rebuilt_name : way->name,
    };
    if (way->before != LAB_PARTS && topic->experiment->positions == LAB_POSITIONS_ROPE) {
        made.turned = true;
        made.x = way->before;
        turn_back(&made, topic->at.channel, topic->sizes.d_k);
    }
    return made;
}
