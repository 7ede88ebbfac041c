/* model/intervention.h — numbers of a run that are replaced behind the step that computes them:
 * a head or an MLP that is switched off, a pair that is masked, a number that is typed, a part that
 * comes from another text. Everything behind such a number is computed of it, through all later
 * layers to the next words. In a model of two texts they are of the second.
 *
 *     x ─ norm ─► Q, K, V ─► scores ─► scaled ─► α ─► Z ─► output ─► attention ─+─► … ─► MLP ─+─► x
 */
#ifndef MODEL_INTERVENTION_H
#define MODEL_INTERVENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/attn.h"

/* Steps of a layer in the order in which they are computed. n: words; a row is a word's. */
enum model_node {
    MODEL_NODE_RESIDUAL,  /* [n][width] x before the layer; of the layer behind the last: at the end
                           */
    MODEL_NODE_Q,         /* [n][d_k] of a head, as they are compared */
    MODEL_NODE_K,         /* [n][d_k] of a head, and of those that share its keys */
    MODEL_NODE_V,         /* [n][d_v] likewise */
    MODEL_NODE_SCORES,    /* [n][n] of a head: q · k */
    MODEL_NODE_SCALED,    /* [n][n] what the softmax is taken of */
    MODEL_NODE_ALPHA,     /* [n][n] */
    MODEL_NODE_Z,         /* [n][d_v] of a head */
    MODEL_NODE_OUTPUT,    /* [n][width] all heads through W_O */
    MODEL_NODE_ATTENTION, /* [n][width] the same as it is added: behind its norm */
    MODEL_NODE_CROSS,     /* [n][width] what the attention to the first of two texts adds */
    MODEL_NODE_NEURONS,   /* [n][inner] of the MLP, behind its activation and gate */
    MODEL_NODE_MLP,       /* [n][width] what the MLP, or the experts, add */
    MODEL_NODES
};

enum model_replacement {
    MODEL_BY_VALUE, /* all numbers of the range become `value` */
    MODEL_BY_MEAN,  /* each column its mean over all words of the text */
    MODEL_BY_SOURCE /* those at the same places of the source */
};

#define MODEL_EACH ((size_t)-1) /* every row, or column */

struct model_intervention {
    enum model_node node;
    enum model_replacement by;
    size_t layer, head;  /* head: of nodes of a head, else 0 */
    size_t row, column;  /* from 0, or MODEL_EACH */
    float value;         /* −∞ in `scaled`: masked */
    const float *source; /* [source_rows][columns of the node], of MODEL_BY_SOURCE */
    size_t source_rows;
};

struct model_interventions {
    const struct model_intervention *row; /* [count] the later one counts */
    size_t count;
};

static const struct model_interventions model_no_interventions = {NULL, 0};

/* A visitor is given the numbers of a run behind each step, of all words at once where these are
 * computed at once: rows of a node; of Q those of all heads' q, all groups' k and v side by side;
 * of Z those of all heads. It gets no scores and no α (model_run_weights). see NULL: there is none.
 */
struct model_visitor {
    void (*see)(void *owner, enum model_node node, size_t layer, struct attn_operand rows);
    void *owner;
    /* Gives the output of an expert for a word [width], and its weight in the sum of the layer's
     * experts; expert MODEL_EACH: the shared one, which every word asks. NULL: it is not wanted. */
    void (*see_expert)(void *owner, size_t layer, size_t expert, size_t word, float weight,
                       const float *said);
};

/* The head adds nothing: its Z is 0 for all words. */
struct model_intervention model_head_off(size_t layer, size_t head);

/* Returns whether both replace the same numbers, and whether by the same. */
bool model_intervention_is_at(const struct model_intervention *a,
                              const struct model_intervention *b);
bool model_intervention_equal(const struct model_intervention *a,
                              const struct model_intervention *b);

/* Returns whether a whole head of a list is switched off, at all words. */
bool model_head_is_off(struct model_interventions list, size_t layer, size_t head);

/* "Q", "alpha": as files and options call a node. */
const char *model_node_name(enum model_node node);

#endif
