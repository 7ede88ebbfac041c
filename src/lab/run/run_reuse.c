/* lab/run/run_reuse.c — what a run takes over from the trace before it. */
#include <string.h>

#include "lab/experiment/weights.h"
#include "lab/run/trace_parts.h"

/* Weights of no more numbers than this in all are made anew each time, in the core's own block. */
enum { SMALL_FLOATS = 1 << 15 };

bool lab_trace_is_large(const struct lab_sizes *s)
{
    return s->d_model * (s->heads + s->kv_heads) * (s->d_k + s->d_v) > SMALL_FLOATS;
}

/* Whether matrices made for one experiment are those of the other, as far as both have them. */
static bool same_source(const struct lab_trace *a, const struct lab_trace *b, enum lab_part part)
{
    const struct lab_experiment *const one = &a->experiment, *const other = &b->experiment;
    const struct lab_trace_buffer mine = lab_trace_shape(a, part);
    const struct lab_trace_buffer its = lab_trace_shape(b, part);
    return one->weights == other->weights && one->weights != LAB_WEIGHTS_NUMBERS &&
           (one->weights != LAB_WEIGHTS_RANDOM || one->seed == other->seed) &&
           mine.rows == its.rows && mine.cols == its.cols &&
           (part != LAB_W_O ||
            (one->skip_w_o == other->skip_w_o && a->sizes.heads == b->sizes.heads &&
             a->sizes.kv_heads == b->sizes.kv_heads && a->sizes.latent == b->sizes.latent));
}

static bool share(struct lab_trace *trace, const struct lab_trace *former, enum lab_part part,
                  struct error *error)
{
    const struct lab_numbers *const given = lab_weights_given(&trace->experiment, part);
    if (given != NULL) {
        trace->large[part] = lab_numbers_keep(given);
        return true;
    }
    const struct lab_trace_buffer shape = lab_trace_shape(trace, part);
    const struct lab_numbers *const before =
        former != NULL && same_source(trace, former, part) ? former->large[part] : NULL;
    const size_t there = before == NULL ? 0 : lab_numbers_shape(before)[0];
    if (there == shape.heads) {
        trace->large[part] = lab_numbers_keep(before);
        return true;
    }
    float *room = NULL;
    trace->large[part] =
        lab_numbers_room(3, (const size_t[3]){shape.heads, shape.rows, shape.cols}, &room, error);
    if (trace->large[part] == NULL) {
        return false;
    }
    if (part == LAB_W_O) {
        lab_weights_output(&trace->experiment, &trace->sizes, room);
        return true;
    }
    const size_t kept = there < shape.heads ? there : shape.heads;
    if (kept > 0) {
        memcpy(room, lab_numbers_values(before), kept * shape.rows * shape.cols * sizeof *room);
    }
    lab_weights_fill(&trace->experiment, &trace->sizes, part, kept, room);
    return true;
}

bool lab_trace_fill(struct lab_trace *trace, const struct lab_trace *former, enum lab_part part,
                    float *values, struct error *error)
{
    if (lab_trace_is_large(&trace->sizes)) {
        return share(trace, former, part, error);
    }
    if (part == LAB_W_O) {
        lab_weights_output(&trace->experiment, &trace->sizes, values);
    } else {
        lab_weights_fill(&trace->experiment, &trace->sizes, part, 0, values);
    }
    return true;
}

bool lab_trace_lasts(const struct lab_trace *trace, const struct lab_trace *former,
                     enum lab_part weights, enum lab_part out)
{
    if (former == NULL || former->kernels != trace->kernels || trace->large[weights] == NULL ||
        trace->large[weights] != former->large[weights]) {
        return false;
    }
    const struct lab_experiment *const now = &trace->experiment, *const before =
                                                                     &former->experiment;
    const struct lab_trace_buffer shape = lab_trace_shape(trace, out);
    const struct lab_trace_buffer *const there = &former->part[out];
    /* Keys and values come from the context where there is one. A W with a number typed over it
     * stands in the block of its trace. */
    return trace->sizes.cross == former->sizes.cross &&
           former->part[weights].values == lab_numbers_values(former->large[weights]) &&
           there->values != NULL && there->heads == shape.heads && there->rows == shape.rows &&
           there->cols == shape.cols && now->b_q == before->b_q && now->b_k == before->b_k &&
           now->b_v == before->b_v && now->b_o == before->b_o &&
           now->positions != LAB_POSITIONS_ROPE && before->positions != LAB_POSITIONS_ROPE;
}
