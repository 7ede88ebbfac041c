/* model/model_making.h — a block (lab/run/block.h) of a layer while its steps are computed; for the
 * files that do. */
#ifndef MODEL_MODEL_MAKING_H
#define MODEL_MODEL_MAKING_H

#include "model/model_internal.h"

/* Places of matrices that are parts of one of the layer's own. */
enum { MODEL_M_KV_A_LATENT = MODEL_MATRICES, MODEL_M_KV_A_TURNS };

/* A step is its place in the block; 0 where something failed. */
struct making {
    struct model_run run; /* with scratch of its own: others compute meanwhile */
    const struct model_config *config;
    const struct model_pass *pass;
    const struct model_layer *layer;
    size_t number, n, width;
    unsigned at; /* bits of enum lab_block_at: where the next steps are shown */
    struct lab_block *block;
    struct arena arena;
    bool failed;
};

/* Returns room for the numbers of a step, whose `cols` are known; NULL: no memory, or something has
 * failed before, and it has failed. */
float *making_values(struct making *making, struct lab_block_step *step);

size_t making_add(struct making *making, const struct lab_block_step *step);
const struct lab_block_step *making_step(const struct making *making, size_t step);

/* Adds the norm of a step; the step itself where there is no such norm. together: so many numbers
 * share a root; 0: all of a row. */
size_t making_norm(struct making *making, enum lab_block_name named, size_t of,
                   const struct model_norm *norm, size_t together);

/* Adds the product of a step with a matrix. */
size_t making_product(struct making *making, enum lab_block_name named, size_t of, size_t place);

/* Returns a matrix of the layer, or a part of one. */
struct model_matrix making_matrix(const struct model_config *config,
                                  const struct model_layer *layer, size_t place);

/* Adds what the heads see of x: x itself where no norm stands before them; and from there to
 * queries, keys and values as they are compared. (model/model_project.c) */
size_t making_see(struct making *making, size_t x);
void making_project(struct making *making, size_t seen);

#endif
