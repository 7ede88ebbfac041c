/* learn/checkpoint_internal.h — what writing and reading a folder share. */
#ifndef LEARN_CHECKPOINT_INTERNAL_H
#define LEARN_CHECKPOINT_INTERNAL_H

#include "learn/checkpoint.h"

/* The member of config.json that says how a model was learned. */
#define LEARN_CONFIG_KEY "attnscope"

/* A tensor of flat values by a name; it is not copied. */
struct array learn_tensor_array(const struct learn_tensor *tensor, const char *name,
                                const float *values);

/* What is saved in place of an MLP that there is not, `before` in front of the names; [6 · layers]
 * at most. Returns how many. Without memory there are none. */
size_t learn_spare_arrays(const struct learn_shape *shape, const char *before, struct arena *arena,
                          struct array *out);

/* training.safetensors of a state, owned by the arena. (learn/checkpoint_state.c) */
#define LEARN_STATE_NAME "training.safetensors"
bool learn_state_make(const struct learn_model *model, const struct learn_state *state,
                      struct arena *arena, struct bytes *out, struct error *error);

#endif
