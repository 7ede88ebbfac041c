/* learn/checkpoint_internal.h — what writing and reading a folder share. */
#ifndef LEARN_CHECKPOINT_INTERNAL_H
#define LEARN_CHECKPOINT_INTERNAL_H

#include "file/array.h"
#include "learn/checkpoint.h"

/* The member of config.json that says how a model was trained. */
#define LEARN_CONFIG_KEY "attnscope"

/* Describes a tensor of flat values under a name, without copying it. */
static inline struct array learn_tensor_array(const struct learn_tensor *tensor, const char *name,
                                              const float *values)
{
    const size_t shape[2] = {tensor->rank == 1 ? tensor->cols : tensor->rows, tensor->cols};
    return array_of_floats(name, tensor->rank, shape, values + tensor->offset);
}

/* Describes the arrays that replace a missing MLP, with `before` in front of their names; [6 ·
 * layers] at most. Returns their number; without memory there are none. */
size_t learn_spare_arrays(const struct learn_shape *shape, const char *before, struct arena *arena,
                          struct array *out);

/* Own text whose lines are rows. */
#define LEARN_TEXT_NAME "data.txt"

/* training.safetensors of a state, owned by the arena. (learn/checkpoint_state.c) */
#define LEARN_STATE_NAME "training.safetensors"
bool learn_state_make(const struct learn_model *model, const struct learn_state *state,
                      struct arena *arena, struct bytes *out, struct error *error);

#endif
