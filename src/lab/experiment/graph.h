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

/* A node, and a part of the trace where its numbers are kept. The order of nodes says nothing; only
 * the graph says what a node is made of. */
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
    /* Only some experiments have the following parts. */
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
    LAB_K_SMEARED, /* Kₛ   of head m × d_k, where keys take a share of the key before them */
    LAB_PARTS,
    /* One more node, which no trace keeps: S′, the scores after scale, temperature and mask. */
    LAB_SCALED = LAB_PARTS,
    LAB_NODES
};

/* The origin of a number in a formula, which decides its colour. */
enum lab_role {
    LAB_ROLE_NONE,
    LAB_ROLE_X,
    LAB_ROLE_QUERY,
    LAB_ROLE_KEY,
    LAB_ROLE_VALUE,
    LAB_ROLE_WEIGHT, /* α: drawn as the query's row */
    LAB_ROLE_OUTPUT,
    LAB_ROLE_RESULT, /* the result: drawn bold */
};

/* The counts that rows, columns and matrices may have. */
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

/* Scales of colours, each of several nodes whose numbers are compared. */
enum lab_scale {
    LAB_SCALE_OWN,
    LAB_SCALE_X,
    LAB_SCALE_QK,
    LAB_SCALE_SCORED,
    LAB_SCALE_V,
    LAB_SCALE_O,
    LAB_SCALE_W
};

/* The properties of a node that are the same in every experiment. */
struct lab_node_row {
    const char *symbol;  /* "X′" */
    const char *meaning; /* "the other words, as rows of numbers" */
    enum lab_stage stage;
    enum lab_role role;
    enum lab_extent matrices, rows, cols; /* matrices: LAB_EXTENT_ONE where heads have none of
                                             their own */
    const char *letter;                   /* of a row, "q"; NULL: formulas name none */
    /* Its place in a picture of the whole flow: columns from left to right, those without nodes
     * take no room (0: it is not shown); the row is a share of the height, and another one if the
     * node `other` is shown too (0: none). */
    struct {
        unsigned char column;
        float row, row_with_other;
        unsigned char other;
    } flow;
    /* The scale of its colours, and its place among the nodes of that scale, from 1. */
    struct {
        unsigned char of, place;
    } scale;
};

/* Returns the row of a node, which must be below LAB_NODES. */
const struct lab_node_row *lab_node_row(size_t node);
bool lab_node_has_heads(size_t node);

/* How a node is made of its inputs. */
enum lab_operation {
    LAB_ABSENT, /* this experiment has no such node */
    LAB_GIVEN,
    LAB_SUM,            /* left + right */
    LAB_PRODUCT,        /* left · right */
    LAB_TURN,           /* rows turned by their places */
    LAB_SMEAR,          /* of each row a share, and the other of the row before */
    LAB_BY_ROW,         /* each row by a rule of its own (lab/experiment/qk_transform.h) */
    LAB_DOT,            /* every row of left with every row of right: QKᵀ */
    LAB_ADJUST,         /* scale, temperature, mask */
    LAB_NORMALISE_ROWS, /* softmax of each row, or plain shares */
    LAB_MIX,            /* αV */
    LAB_CONCATENATE,    /* heads side by side */
    LAB_COPY,           /* a copy of its input */
    /* Around attention (lab/run/block.h), and behind the last layer: */
    LAB_NORM, /* (left − mean) ÷ √(variance + ε) · gain + bias, or left ÷ √(mean left² + ε) · gain
               */
    LAB_ACTIVATE,       /* f(left) */
    LAB_GATE,           /* left · right, number by number */
    LAB_ACTIVATED_GATE, /* f(left) · right */
    LAB_BESIDE,      /* for each head the columns of left, then those of right, which all share */
    LAB_MIX_EXPERTS, /* the outputs of the chosen experts, each times its share in left */
    LAB_LOSS,
    LAB_OPERATIONS
};

/* The axes of an operation: those of its result, and the one that is summed over. */
enum lab_axis { LAB_AXIS_ROW, LAB_AXIS_COLUMN, LAB_AXIS_SUM, LAB_AXES };

/* The axes of rows and columns of its operands; a missing operand has two axes ROW. With the
 * result's axes known they say which line of one operand meets which of the other; with those of an
 * operand known, and those of the result summed, they say the same of its gradient. */
struct lab_axes {
    enum lab_axis left[2], right[2];
};

/* How many products a number is the sum of. */
enum lab_term_count {
    LAB_TERMS_NONE, /* it is no sum of products */
    LAB_TERMS_TWO,  /* two at most, whose factors the operation knows */
    LAB_TERMS_SUM   /* as many as its left operand has columns */
};

/* The properties of an operation, wherever it is used. */
struct lab_operation_row {
    const char *name; /* in pages for browsers; NULL: no experiment has it */
    struct lab_axes axes;
    const char *formula; /* of its symbol %y, left %l and right %r operand, function %f */
    enum lab_term_count terms;
    bool multiplies; /* its products are counted as multiplications */
};

/* Returns the row of an operation, which must be below LAB_OPERATIONS. */
const struct lab_operation_row *lab_operation_row(enum lab_operation operation);

enum { LAB_INPUTS_MAX = 3 };

struct lab_node {
    enum lab_operation operation;
    size_t inputs;
    unsigned char input[LAB_INPUTS_MAX]; /* left, right; a bias is the last, added to each row */
    size_t matrices, rows, cols;         /* also of an absent node: the shape it would have */
};

struct lab_graph {
    const struct lab_experiment *experiment; /* the caller's; lives as long as the graph is read */
    struct lab_sizes sizes;
    struct lab_node node[LAB_NODES];
};

/* Builds the graph of an experiment; sizes: those of lab_experiment_sizes. */
struct lab_graph lab_graph_of(const struct lab_experiment *experiment,
                              const struct lab_sizes *sizes);

bool lab_graph_has(const struct lab_graph *graph, size_t node);

/* Says whether a number of `from` can change one of `to`; a node leads to itself. */
bool lab_graph_leads(const struct lab_graph *graph, size_t from, size_t to);

/* Return the nodes that scores are taken of: Q and K, or their changed rows. */
enum lab_part lab_graph_queries(const struct lab_graph *graph);
enum lab_part lab_graph_keys(const struct lab_graph *graph);

/* Says whether scores are taken of queries and keys as they were projected or given. */
bool lab_graph_is_direct(const struct lab_graph *graph);

/* Returns the product that makes Q, K or V before any change of rows; where they are given its
 * operation is no product. */
const struct lab_node *lab_graph_projection(const struct lab_graph *graph, enum lab_part result);

/* Returns the bias that is added to a node; LAB_NODES: there is none. */
size_t lab_graph_bias(const struct lab_graph *graph, size_t node);

/* Returns the symbol of a node: that of its row, but M for a given matrix that is no attention, and
 * its meaning, likewise. */
const char *lab_graph_symbol(const struct lab_graph *graph, size_t node);
const char *lab_graph_meaning(const struct lab_graph *graph, size_t node);

/* Returns "K = C·W_UK", "S′ = S ÷ √dₖ + mask" or "Z = αV", and the symbol alone for a given node.
 * The arena owns it; "" without memory. */
const char *lab_graph_formula(const struct lab_graph *graph, size_t node, struct arena *arena);

/* Returns what changes the scores before their softmax: " ÷ √dₖ ÷ τ + mask", or less; "" without
 * memory. */
const char *lab_graph_adjustment(const struct lab_graph *graph, struct arena *arena);

/* Counts the multiplications of all matrices of a node; pairs: how many of n · m scores are
 * computed. */
double lab_graph_products(const struct lab_graph *graph, size_t node, double pairs);

/* Counts the multiplications of an experiment: projections, scores, blends and output. */
double lab_op_count(const struct lab_experiment *experiment);

/* Returns the graph with keys and values of another kind. Its number is that of the experiment
 * where this is its own kind, else that of lab_kind_preset. */
struct lab_graph lab_graph_of_kind(const struct lab_graph *graph, enum lab_kind kind);

/* Says whether decoding keeps one latent row for each token, from which keys and values are made,
 * rather than keys and values themselves. */
bool lab_graph_caches_latent(const struct lab_graph *graph);

/* Costs that are counted, not measured, over all heads. */
struct lab_cost {
    size_t weights;         /* numbers in all W's */
    size_t multiplications; /* of one attention over n queries and m keys */
    size_t cache_numbers;   /* that stay for each token: keys and values, or the latent */
    size_t cache_bytes;     /* the same in float32 */
};

/* Counts the cost; pairs: how many of n · m scores are computed. */
struct lab_cost lab_graph_cost(const struct lab_graph *graph, size_t pairs);

#endif
