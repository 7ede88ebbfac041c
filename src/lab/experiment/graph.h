/* lab/experiment/graph.h — one description of the computation of an experiment: its matrices as
 * nodes, what each is made from and how, and their shapes. Pictures, sentences, costs and the run
 * itself read it, so that none of them decides again which case holds.
 *
 *   E ┐            W_Q ┐
 *     ├─ + ─ X ────────┴─ · ─ Q ┐
 *   P ┘      │     W_K ┐        ├─ QKᵀ ─ S ─ S′ ─ α ┐
 *            ├─────────┴─ · ─ K ┘                   ├─ αV ─ Z ─ concat ┐
 *            │     W_V ┐                            │                  ├─ · ─ O ─ X + O
 *            └─────────┴─ · ─ V ────────────────────┘              W_O ┘       └ X
 */
#ifndef LAB_EXPERIMENT_GRAPH_H
#define LAB_EXPERIMENT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "lab/experiment/experiment.h"
#include "lab/experiment/stage.h"

/* A node, and where the trace keeps its numbers, a part of it. Inputs stand before what is made of
 * them nowhere but in the graph itself. */
enum lab_part {
    LAB_EMBEDDINGS_X, /* X            n × d_model   (row words: tokens; columns: axes) */
    LAB_W_Q,          /* W_Q  of head d_model × d_k */
    LAB_W_K,
    LAB_W_V,      /* W_V  of head d_model × d_v */
    LAB_W_O,      /* W_O          heads·d_v × d_model */
    LAB_Q,        /* Q    of head n × d_k */
    LAB_K,        /* K    of head m × d_k */
    LAB_V,        /* V    of head m × d_v */
    LAB_SCORES,   /* S    of head n × m */
    LAB_ALPHA,    /* α    of head n × m: the weights */
    LAB_Z,        /* Z    of head n × d_v */
    LAB_CONCAT,   /* concat       n × heads·d_v */
    LAB_OUTPUT_O, /* O            n × d_model */
    LAB_RESIDUAL, /* X + O        n × d_model, when the experiment asks for it */
    /* Parts that only some experiments have: */
    LAB_CONTEXT_X, /* X_context   m × d_model, with a context: what K and V are made from */
    LAB_EMBEDDED,  /* embeddings  n × d_model, with sinusoids: before they are added */
    LAB_WAVES,     /* P           n × d_model, with sinusoids: what is added */
    LAB_Q_BEFORE,  /* Q₀  of head n × d_k, with rope: before it is turned */
    LAB_K_BEFORE,  /* K₀  of head m × d_k, with rope */
    LAB_W_DKV,     /* W_DKV       d_model × R, latent: instead of W_K and W_V */
    LAB_C,         /* C           m × R, latent */
    LAB_W_UK,      /* W_UK of head R × d_k, latent */
    LAB_W_UV,      /* W_UV of head R × d_v, latent */
    LAB_B_Q,       /* b_Q  of head 1 × d_k, with biases: added to each row of Q */
    LAB_B_K,       /* b_K  of head 1 × d_k */
    LAB_B_V,       /* b_V  of head 1 × d_v */
    LAB_B_O,       /* b_O          1 × d_model: added to each row of O */
    LAB_Q_SCORED,  /* Q̂   of head n × d_k, where scores take changed rows of Q */
    LAB_K_SCORED,  /* K̂   of head m × d_k */
    LAB_PARTS
};

/* One node more, which no trace keeps: S′, the scores after scale, temperature and mask. */
enum { LAB_SCALED = LAB_PARTS, LAB_NODES };

/* What a number belongs to; its colour. */
enum lab_role {
    LAB_ROLE_NONE,
    LAB_ROLE_X,
    LAB_ROLE_QUERY,
    LAB_ROLE_KEY,
    LAB_ROLE_VALUE,
    LAB_ROLE_WEIGHT, /* α: drawn as the query's row */
    LAB_ROLE_OUTPUT,
    LAB_ROLE_RESULT, /* what it comes to: drawn bold */
};

/* What rows, columns and matrices are counted by. */
enum lab_extent {
    LAB_EXTENT_ONE,
    LAB_EXTENT_QUERIES,
    LAB_EXTENT_KEYS,
    LAB_EXTENT_MODEL,
    LAB_EXTENT_K,
    LAB_EXTENT_V,
    LAB_EXTENT_ALL_V, /* heads · d_v */
    LAB_EXTENT_LATENT,
    LAB_EXTENT_HEADS,
    LAB_EXTENT_KV_HEADS /* heads, or groups of them that share keys and values */
};
size_t lab_extent_of(const struct lab_sizes *sizes, enum lab_extent extent);

/* What is the same of a node in every experiment. */
struct lab_node_row {
    const char *symbol;  /* "X′" */
    const char *meaning; /* "the other words, as rows of numbers" */
    enum lab_stage stage;
    enum lab_role role;
    enum lab_extent matrices, rows, cols; /* matrices: LAB_EXTENT_ONE where heads have none of
                                             their own */
};

/* node must be below LAB_NODES. */
const struct lab_node_row *lab_node_row(size_t node);
bool lab_node_has_heads(size_t node);

/* How a node is made of its inputs. */
enum lab_operation {
    LAB_ABSENT, /* this experiment has no such node */
    LAB_GIVEN,
    LAB_SUM,            /* left + right */
    LAB_PRODUCT,        /* left · right */
    LAB_TURN,           /* rows turned by their places */
    LAB_BY_ROW,         /* each row by a rule of its own (lab/experiment/row_steps.h) */
    LAB_DOT,            /* every row of left with every row of right: QKᵀ */
    LAB_ADJUST,         /* scale, temperature, mask */
    LAB_NORMALISE_ROWS, /* softmax of each row, or plain shares */
    LAB_MIX,            /* αV */
    LAB_CONCATENATE,    /* heads side by side */
    LAB_COPY,           /* as it is */
    LAB_OPERATIONS
};

enum { LAB_INPUTS_MAX = 3 };

struct lab_node {
    enum lab_operation operation;
    size_t inputs;
    unsigned char input[LAB_INPUTS_MAX]; /* left, right; a bias is the last, added to each row */
    size_t matrices, rows, cols;         /* also of an absent node: as it would be */
};

struct lab_graph {
    const struct lab_experiment *experiment; /* the caller's; lives as long as the graph is read */
    struct lab_sizes sizes;
    struct lab_node node[LAB_NODES];
};

/* sizes: those of the experiment (lab_experiment_sizes). */
struct lab_graph lab_graph_of(const struct lab_experiment *experiment,
                              const struct lab_sizes *sizes);

bool lab_graph_has(const struct lab_graph *graph, size_t node);

/* Whether a number of `from` can change one of `to`; a node leads to itself. */
bool lab_graph_leads(const struct lab_graph *graph, size_t from, size_t to);

/* What scores are taken of: Q and K, or what becomes of them before. */
enum lab_part lab_graph_queries(const struct lab_graph *graph);
enum lab_part lab_graph_keys(const struct lab_graph *graph);

/* Whether scores are taken of queries and keys just as they were projected or given. */
bool lab_graph_is_direct(const struct lab_graph *graph);

/* The product that Q, K or V is, or is turned from; not one where they are given. */
const struct lab_node *lab_graph_projection(const struct lab_graph *graph, enum lab_part result);

/* The bias that is added to a node; LAB_NODES: none. */
size_t lab_graph_bias(const struct lab_graph *graph, size_t node);

/* "K = C·W_UK", "S′ = S ÷ √dₖ + mask", "Z = αV"; the symbol alone of what is given. Owned by the
 * arena; "" without memory. */
const char *lab_graph_formula(const struct lab_graph *graph, size_t node, struct arena *arena);

/* What is done with the scores before their softmax: " ÷ √dₖ ÷ τ + mask", or less; "" without
 * memory. */
const char *lab_graph_adjustment(const struct lab_graph *graph, struct arena *arena);

/* Multiplications of all matrices of a node; pairs: how many of n · m scores are computed. */
double lab_graph_products(const struct lab_graph *graph, size_t node, double pairs);

/* Multiplications of an experiment: projections, scores, blends, output. */
double lab_op_count(const struct lab_experiment *experiment);

/* The same words with keys and values of another kind: with the number of the experiment where that
 * is its own kind, else the one that nobody has said (lab_kind_preset). */
struct lab_graph lab_graph_of_kind(const struct lab_graph *graph, enum lab_kind kind);

/* Whether decoding keeps one latent row for each token, from which keys and values are made; else
 * it keeps both as they are. */
bool lab_graph_caches_latent(const struct lab_graph *graph);

/* Counted, not measured; all heads together. */
struct lab_cost {
    size_t weights;         /* numbers in all W's */
    size_t multiplications; /* of one attention over n queries and m keys */
    size_t cache_numbers;   /* that stay for each token: keys and values, or the latent */
    size_t cache_bytes;     /* the same in float32 */
};

/* pairs: how many of n · m scores are computed. */
struct lab_cost lab_graph_cost(const struct lab_graph *graph, size_t pairs);

#endif
