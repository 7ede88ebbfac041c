/* why/source.h — the numbers of a node in a run, to be put into another one. */
#ifndef WHY_SOURCE_H
#define WHY_SOURCE_H

#include "model/model.h"

/* One node of a layer; head: of nodes that belong to a head, else 0. */
struct why_node {
    enum model_node node;
    size_t layer, head;
};

/* Copies the numbers of nodes: values[i] is [n][columns], owned by the arena; scores and what the
 * softmax is taken of cannot be had. The run has all its layers, and is computed once more unless
 * all that is asked for is α or the stream. more: interventions beside the run's own, of layers at
 * or after which the nodes are; α and the stream are the run's. False: memory. From any thread. */
bool why_sources_read(const struct model_run *run, const struct model *model,
                      struct model_interventions more, const struct why_node *nodes, size_t count,
                      struct arena *arena, float **values, struct error *error);

#endif
