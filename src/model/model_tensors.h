/* model/model_tensors.h — how tensors of a model are found by their roles; for the files that do.
 */
#ifndef MODEL_MODEL_TENSORS_H
#define MODEL_MODEL_TENSORS_H

#include "model/layout.h"
#include "model/model_internal.h"

/* Families whose Q and K were rearranged for neighbours to turn (llama.cpp,
 * convert_hf_to_gguf.py, permute). */
#define MODEL_GGUF_MIXED "llama|mistral|mixtral|smollm3"

/* A search under way. */
struct lookup {
    struct model *model;
    const struct model_layout *layout;
    const char *const *names; /* [MODEL_ROLES] of this stack and kind of file */
    const char *const *used;  /* those of the family: a role that it does not name is not taken */
    bool gguf;
    size_t layer;
    bool failed;
};

/* The tensor of a role, under the first of its names that is there; the others are copies of it,
 * and count as read too. name: what it is called, or what is missed. */
const struct model_tensor *lookup_tensor(const struct lookup *lookup, enum model_role role,
                                         size_t expert, const char *suffix,
                                         char name[LAYOUT_NAME_BYTES]);
bool lookup_has(const struct lookup *lookup, enum model_role role);

/* Sets the sentence; false. */
bool lookup_refuse_missing(const struct lookup *lookup, enum model_role role, const char *suffix,
                           struct error *error);

/* Returns whether a tensor has a shape and numbers that can be read. */
bool lookup_check(const struct lookup *lookup, const struct model_tensor *tensor, size_t rank,
                  const size_t *shape, struct error *error);

/* All numbers, owned by the model. NULL: no memory. */
float *lookup_floats(struct lookup *lookup, const struct model_tensor *tensor, struct error *error);

/* *out NULL: the family has none, or it may be missing. */
bool lookup_vector(struct lookup *lookup, enum model_role role, size_t count, bool needed,
                   const float **out, struct error *error);
bool lookup_norm(struct lookup *lookup, enum model_role role, size_t count, struct model_norm *out,
                 struct error *error);

/* A matrix with its bias; _part: depth, cols, all, first, group, step, mixed are given. */
bool lookup_matrix(struct lookup *lookup, enum model_role role, size_t depth, size_t cols,
                   struct model_matrix *out, struct error *error);
bool lookup_part(struct lookup *lookup, enum model_role role, const struct model_matrix *part,
                 struct model_matrix *out, struct error *error);

/* Names of GGUF, the same for every architecture (model/families_gguf.c); source: of an encoder of
 * two stacks. */
const char *const *model_gguf_names(const struct model_family *family, bool source);

#endif
