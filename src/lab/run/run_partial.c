/* lab/run/run_partial.c — computes attention of which only a part is known: queries and keys alone,
 * or weights that were computed elsewhere. Unknown parts are not made up but stay empty. */
#include <string.h>

#include "lab/experiment/edits.h"
#include "lab/run/trace_internal.h"

const char *lab_trace_lacks(const struct lab_trace *trace, enum lab_stage stage)
{
    static const enum lab_part needed[LAB_STAGES] = {
        [LAB_EMBED] = LAB_EMBEDDINGS_X, [LAB_PROJECT] = LAB_Q,     [LAB_SCORE] = LAB_SCORES,
        [LAB_SCALE] = LAB_SCORES,       [LAB_SOFTMAX] = LAB_ALPHA, [LAB_BLEND] = LAB_Z,
        [LAB_OUTPUT] = LAB_CONCAT,
    };
    if (!trace->sizes.partial || trace->part[needed[stage]].values != NULL) {
        return NULL;
    }
    if (!lab_has_shares(&trace->experiment)) {
        return "A matrix is shown as it was given: no other stage is known. Step 5 shows it.";
    }
    if (stage == LAB_BLEND || stage == LAB_OUTPUT) {
        return "There are no values here, so that nothing can be blended. Softmax shows the "
               "weights.";
    }
    return trace->experiment.alpha != NULL
               ? "This attention was computed elsewhere: what came before its weights is not "
                 "known. Softmax shows them."
               : "Queries and keys are given here, not what they were made from. Go on to Score.";
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to show this attention.");
}

static float *room_for(struct lab_trace *trace, enum lab_part part)
{
    struct lab_trace_buffer *const buffer = &trace->part[part];
    float *const values =
        arena_array(&trace->arena, buffer->heads * buffer->rows * buffer->cols, sizeof *values);
    buffer->values = values;
    return values;
}

/* Uses a given part, and copies it only where numbers were typed over it. */
static bool use_given(struct lab_trace *trace, enum lab_part part, const struct lab_numbers *given)
{
    struct lab_trace_buffer *const buffer = &trace->part[part];
    if (given == NULL) {
        return true;
    }
    if (trace->experiment.edits == NULL) {
        buffer->values = lab_numbers_values(given);
        return true;
    }
    float *const values = room_for(trace, part);
    if (values == NULL) {
        return false;
    }
    memcpy(values, lab_numbers_values(given),
           buffer->heads * buffer->rows * buffer->cols * sizeof *values);
    lab_trace_type(trace, part, buffer->heads, buffer->rows, buffer->cols, values);
    return true;
}

/* Makes the queries and keys that scores are taken of. */
static bool apply_transforms(struct lab_trace *trace)
{
    const struct lab_qk_transform *step = NULL;
    while ((step = lab_qk_transform_next(&trace->experiment, step)) != NULL) {
        for (enum lab_side side = LAB_SIDE_QUERIES; side < LAB_SIDES; side++) {
            if (step->made[side] == LAB_EMBEDDINGS_X) {
                continue;
            }
            const enum lab_part from = lab_qk_transform_input(&trace->experiment, step, side);
            float *const made = room_for(trace, step->made[side]);
            if (made == NULL) {
                return false;
            }
            lab_trace_apply_transform(trace, step, side, trace->part[from].values, made);
        }
    }
    return true;
}

/* Computes scores and weights from Q and K. */
static bool compute_weights(struct lab_trace *trace)
{
    const struct lab_sizes *const s = &trace->sizes;
    struct lab_scoring heads = {.scores = room_for(trace, LAB_SCORES)};
    heads.alpha = room_for(trace, LAB_ALPHA);
    if (heads.scores == NULL || heads.alpha == NULL || !apply_transforms(trace)) {
        return false;
    }
    heads.q = trace->part[lab_graph_queries(&trace->graph)].values;
    heads.k = trace->part[lab_graph_keys(&trace->graph)].values;
    if (!lab_trace_weigh(trace, &heads)) {
        return false;
    }
    lab_trace_type(trace, LAB_ALPHA, s->heads, s->n, s->m, heads.alpha);
    return true;
}

static bool compute_blend(struct lab_trace *trace)
{
    if (trace->experiment.v == NULL) {
        return true;
    }
    const struct lab_scoring heads = {.v = trace->part[LAB_V].values,
                                      .alpha = (float *)trace->part[LAB_ALPHA].values, /* only
                                                                                          read */
                                      .z = room_for(trace, LAB_Z),
                                      .concat = room_for(trace, LAB_CONCAT)};
    if (heads.z == NULL || heads.concat == NULL) {
        return false;
    }
    lab_trace_blend(trace, &heads);
    return true;
}

bool lab_trace_partial(struct lab_trace *trace, struct error *error)
{
    const struct lab_experiment *const experiment = &trace->experiment;
    for (size_t p = 0; p < LAB_PARTS; p++) {
        trace->part[p] = lab_trace_shape(trace, (enum lab_part)p);
    }
    const bool taken =
        use_given(trace, LAB_Q, experiment->q) && use_given(trace, LAB_K, experiment->k) &&
        use_given(trace, LAB_V, experiment->v) && use_given(trace, LAB_ALPHA, experiment->alpha);
    const bool weighed = taken && (experiment->alpha != NULL || compute_weights(trace));
    return (weighed && compute_blend(trace)) || no_memory(error);
}
