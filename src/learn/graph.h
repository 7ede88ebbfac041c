/* learn/graph.h — how each part of a sentence is made of others, a row each. Read forwards the rows
 * are the steps of a layer; read backwards they say which gradients a gradient is made of. */
#ifndef LEARN_GRAPH_H
#define LEARN_GRAPH_H

#include "lab/experiment/graph.h"
#include "learn/activations.h"

struct learn_node {
    enum learn_part part;         /* is made by this */
    enum lab_operation operation; /* of these (LEARN_PARTS: none), and of weights: */
    enum learn_part of[2];
    enum learn_role weights[LEARN_FAMILIES]; /* of a product its matrix, of a norm its gain. The
                                                bias of gpt2 follows it in the enumeration; in llama
                                                the further matrices of the same product do */
};

/* Returns the row; NULL behind the last. Sums stand first. */
const struct learn_node *learn_node_at(size_t index);

/* Says whether a shape has the step of a row. Where it has none, the row's part is what it would be
 * made of. */
bool learn_node_applies(const struct learn_shape *shape, const struct learn_node *node);

/* Returns the part behind all steps that read this one and that a shape does not have: there it is
 * the same. */
enum learn_part learn_part_behind(const struct learn_shape *shape, enum learn_part part);

/* Returns the part of a sentence that a part of the stages is. LEARN_RESIDUAL: none, as for
 * weights. */
enum learn_part learn_part_of(const struct learn_shape *shape, size_t part);

/* Returns the row whose weights a tensor holds, and how many roles it stands behind the first of
 * them; NULL: it is an embedding alone. */
const struct learn_node *learn_node_of_role(const struct learn_shape *shape, enum learn_role role,
                                            size_t *behind);

/* Returns the role of a row's weights; the embedding where logits are made with it. */
enum learn_role learn_node_role(const struct learn_shape *shape, const struct learn_node *node);

/* Where a matrix of a head (LAB_W_Q, LAB_W_K, LAB_W_V, their biases), or of all heads (LAB_W_O,
 * LAB_B_O), stands among all weights, in whichever tensor and way its family stores it. */
struct learn_place {
    const struct learn_tensor *tensor; /* of those that were given */
    size_t rows, cols;
    size_t first, row_step, column_step; /* in floats */
};

/* Finds the place. Returns false where this shape has no such part. */
bool learn_place_of(const struct learn_shape *shape, const struct learn_tensors *tensors,
                    enum lab_part part, size_t layer, size_t head, struct learn_place *place);

#endif
