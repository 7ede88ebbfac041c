/* lab/experiment/graph.c — which nodes an experiment has and what each is made from. This is the
 * one place that tells self-attention from cross-attention, latent rows, positions and given
 * matrices. */
#include "lab/experiment/graph.h"

#include <string.h>

#include "base/translate.h"
#include "lab/experiment/qk_transform.h"

static const struct lab_node_row rows[LAB_NODES] = {
    [LAB_EMBEDDINGS_X] = {"X", "every word as a row of numbers", LAB_EMBED, LAB_ROLE_X,
                          LAB_EXTENT_ONE, LAB_EXTENT_QUERIES, LAB_EXTENT_MODEL,
                          .flow = {20, 0.5f, 0.17f, LAB_CONTEXT_X}, .scale = {LAB_SCALE_X, 3}},
    [LAB_W_Q] = {"W_Q", "the weights that turn X into queries", LAB_PROJECT, LAB_ROLE_QUERY,
                 LAB_EXTENT_HEADS, LAB_EXTENT_MODEL, LAB_EXTENT_K, .flow = {30, 0.17f},
                 .scale = {LAB_SCALE_W, 1}},
    [LAB_W_K] = {"W_K", "the weights that turn X into keys", LAB_PROJECT, LAB_ROLE_KEY,
                 LAB_EXTENT_KV_HEADS, LAB_EXTENT_MODEL, LAB_EXTENT_K, .flow = {30, 0.5f},
                 .scale = {LAB_SCALE_W, 2}},
    [LAB_W_V] = {"W_V", "the weights that turn X into values", LAB_PROJECT, LAB_ROLE_VALUE,
                 LAB_EXTENT_KV_HEADS, LAB_EXTENT_MODEL, LAB_EXTENT_V, .flow = {30, 0.83f},
                 .scale = {LAB_SCALE_W, 3}},
    [LAB_W_O] = {"W_O", "the weights that mix what the heads found", LAB_OUTPUT, LAB_ROLE_OUTPUT,
                 LAB_EXTENT_ONE, LAB_EXTENT_ALL_V, LAB_EXTENT_MODEL,
                 .flow = {140, 0.25f, 0.5f, LAB_CONCAT}},
    [LAB_Q] = {"Q", "the queries, what every word looks for", LAB_PROJECT, LAB_ROLE_QUERY,
               LAB_EXTENT_HEADS, LAB_EXTENT_QUERIES, LAB_EXTENT_K, "q", .flow = {70, 0.17f},
               .scale = {LAB_SCALE_QK, 1}},
    [LAB_K] = {"K", "the keys, how every word can be found", LAB_PROJECT, LAB_ROLE_KEY,
               LAB_EXTENT_KV_HEADS, LAB_EXTENT_KEYS, LAB_EXTENT_K, "k", .flow = {70, 0.5f},
               .scale = {LAB_SCALE_QK, 2}},
    [LAB_V] = {"V", "the values, what every word has to say", LAB_PROJECT, LAB_ROLE_VALUE,
               LAB_EXTENT_KV_HEADS, LAB_EXTENT_KEYS, LAB_EXTENT_V, "v", .flow = {70, 0.83f},
               .scale = {LAB_SCALE_V, 1}},
    [LAB_SCORES] = {"S", "the scores, every query with every key", LAB_SCORE, LAB_ROLE_NONE,
                    LAB_EXTENT_HEADS, LAB_EXTENT_QUERIES, LAB_EXTENT_KEYS, .flow = {100, 0.33f}},
    [LAB_SCALED] = {"S′", "the scores, scaled and masked", LAB_SCALE, LAB_ROLE_NONE,
                    LAB_EXTENT_HEADS, LAB_EXTENT_QUERIES, LAB_EXTENT_KEYS, .flow = {110, 0.33f}},
    [LAB_ALPHA] = {"α", "the weights, the shares of each row", LAB_SOFTMAX, LAB_ROLE_WEIGHT,
                   LAB_EXTENT_HEADS, LAB_EXTENT_QUERIES, LAB_EXTENT_KEYS, .flow = {120, 0.33f}},
    [LAB_Z] = {"Z", "the values blended by the weights", LAB_BLEND, LAB_ROLE_OUTPUT,
               LAB_EXTENT_HEADS, LAB_EXTENT_QUERIES, LAB_EXTENT_V,
               .flow = {130, 0.62f, 0.5f, LAB_CONCAT}, .scale = {LAB_SCALE_V, 2}},
    [LAB_CONCAT] = {"concat", "the Z of all heads, side by side", LAB_BLEND, LAB_ROLE_OUTPUT,
                    LAB_EXTENT_ONE, LAB_EXTENT_QUERIES, LAB_EXTENT_ALL_V, .flow = {130, 0.83f},
                    .scale = {LAB_SCALE_V, 3}},
    [LAB_OUTPUT_O] = {"O", "the output", LAB_OUTPUT, LAB_ROLE_OUTPUT, LAB_EXTENT_ONE,
                      LAB_EXTENT_QUERIES, LAB_EXTENT_MODEL, .flow = {140, 0.66f, 0.83f, LAB_CONCAT},
                      .scale = {LAB_SCALE_O, 1}},
    [LAB_RESIDUAL] = {"X + O", "what came in, and what attention adds to it", LAB_OUTPUT,
                      LAB_ROLE_X, LAB_EXTENT_ONE, LAB_EXTENT_QUERIES, LAB_EXTENT_MODEL,
                      .flow = {150, 0.66f, 0.83f, LAB_CONCAT}, .scale = {LAB_SCALE_O, 2}},
    [LAB_CONTEXT_X] = {"X′", "the other words, as rows of numbers", LAB_PROJECT, LAB_ROLE_X,
                       LAB_EXTENT_ONE, LAB_EXTENT_KEYS, LAB_EXTENT_MODEL, .flow = {20, 0.665f},
                       .scale = {LAB_SCALE_X, 4}},
    [LAB_EMBEDDED] = {"E", "the embeddings, before positions are added", LAB_EMBED, LAB_ROLE_X,
                      LAB_EXTENT_ONE, LAB_EXTENT_QUERIES, LAB_EXTENT_MODEL, .flow = {10, 0.33f},
                      .scale = {LAB_SCALE_X, 1}},
    [LAB_WAVES] = {"P", "the positions, added to the embeddings", LAB_EMBED, LAB_ROLE_X,
                   LAB_EXTENT_ONE, LAB_EXTENT_QUERIES, LAB_EXTENT_MODEL, .flow = {10, 0.67f},
                   .scale = {LAB_SCALE_X, 2}},
    [LAB_Q_BEFORE] = {"Q₀", "the queries, before they are turned", LAB_PROJECT, LAB_ROLE_QUERY,
                      LAB_EXTENT_HEADS, LAB_EXTENT_QUERIES, LAB_EXTENT_K, "q₀", .flow = {60, 0.17f},
                      .scale = {LAB_SCALE_QK, 3}},
    [LAB_K_BEFORE] = {"K₀", "the keys, before they are turned", LAB_PROJECT, LAB_ROLE_KEY,
                      LAB_EXTENT_KV_HEADS, LAB_EXTENT_KEYS, LAB_EXTENT_K, "k₀", .flow = {60, 0.5f},
                      .scale = {LAB_SCALE_QK, 4}},
    [LAB_W_DKV] = {"W_DKV", "the weights that squeeze X into the latent C", LAB_PROJECT,
                   LAB_ROLE_VALUE, LAB_EXTENT_ONE, LAB_EXTENT_MODEL, LAB_EXTENT_LATENT,
                   .flow = {30, 0.665f}},
    [LAB_C] = {"C", "the latent that keys and values are rebuilt from", LAB_PROJECT, LAB_ROLE_VALUE,
               LAB_EXTENT_ONE, LAB_EXTENT_KEYS, LAB_EXTENT_LATENT, "c", .flow = {40, 0.665f}},
    [LAB_W_UK] = {"W_UK", "the weights that rebuild the keys from C", LAB_PROJECT, LAB_ROLE_KEY,
                  LAB_EXTENT_HEADS, LAB_EXTENT_LATENT, LAB_EXTENT_K, .flow = {50, 0.5f}},
    [LAB_W_UV] = {"W_UV", "the weights that rebuild the values from C", LAB_PROJECT, LAB_ROLE_VALUE,
                  LAB_EXTENT_HEADS, LAB_EXTENT_LATENT, LAB_EXTENT_V, .flow = {50, 0.83f}},
    [LAB_B_Q] = {"b_Q", "the bias, added to every query", LAB_PROJECT, LAB_ROLE_QUERY,
                 LAB_EXTENT_HEADS, LAB_EXTENT_ONE, LAB_EXTENT_K},
    [LAB_B_K] = {"b_K", "the bias, added to every key", LAB_PROJECT, LAB_ROLE_KEY,
                 LAB_EXTENT_KV_HEADS, LAB_EXTENT_ONE, LAB_EXTENT_K},
    [LAB_B_V] = {"b_V", "the bias, added to every value", LAB_PROJECT, LAB_ROLE_VALUE,
                 LAB_EXTENT_KV_HEADS, LAB_EXTENT_ONE, LAB_EXTENT_V},
    [LAB_B_O] = {"b_O", "the bias, added to every output", LAB_OUTPUT, LAB_ROLE_OUTPUT,
                 LAB_EXTENT_ONE, LAB_EXTENT_ONE, LAB_EXTENT_MODEL},
    [LAB_Q_SCORED] = {"Q̂", "the queries, as the scores take them", LAB_SCORE, LAB_ROLE_QUERY,
                      LAB_EXTENT_HEADS, LAB_EXTENT_QUERIES, LAB_EXTENT_K, "q̂", .flow = {90, 0.17f},
                      .scale = {LAB_SCALE_SCORED, 1}},
    [LAB_K_SCORED] = {"K̂", "the keys, as the scores take them", LAB_SCORE, LAB_ROLE_KEY,
                      LAB_EXTENT_KV_HEADS, LAB_EXTENT_KEYS, LAB_EXTENT_K, "k̂", .flow = {90, 0.5f},
                      .scale = {LAB_SCALE_SCORED, 2}},
    [LAB_K_SMEARED] = {"Kₛ", "the keys, each with a share of the key before it", LAB_SCORE,
                       LAB_ROLE_KEY, LAB_EXTENT_KV_HEADS, LAB_EXTENT_KEYS, LAB_EXTENT_K, "kₛ",
                       .flow = {80, 0.5f}, .scale = {LAB_SCALE_QK, 5}},
};

const struct lab_node_row *lab_node_row(size_t node)
{
    return &rows[node];
}

#define R LAB_AXIS_ROW
#define C LAB_AXIS_COLUMN
#define S LAB_AXIS_SUM
static const struct lab_operation_row operations[LAB_OPERATIONS] = {
    [LAB_ABSENT] = {.formula = "%y"},
    [LAB_GIVEN] = {.name = "given", .formula = "%y"},
    [LAB_SUM] = {"sum", {{R, C}, {R, C}}, "%y = %l + %r", LAB_TERMS_NONE, false},
    [LAB_PRODUCT] = {"product", {{R, S}, {S, C}}, "%y = %l·%r", LAB_TERMS_SUM, true},
    [LAB_TURN] = {"turn", {{R, R}, {R, C}}, "%y = %f(%l)", LAB_TERMS_TWO, false},
    [LAB_SMEAR] = {"smear", {{R, R}, {R, C}}, "%y = %f(%l)", LAB_TERMS_TWO, true},
    [LAB_BY_ROW] = {"unit", {{R, S}, {R, R}}, "%y = %f(%l)", LAB_TERMS_NONE, false},
    [LAB_DOT] = {"dot", {{R, S}, {C, S}}, "%y = %l%rᵀ", LAB_TERMS_SUM, true},
    [LAB_ADJUST] = {"adjust", {{R, C}, {R, R}}, "%y = %l%f", LAB_TERMS_NONE, false},
    [LAB_NORMALISE_ROWS] = {.name = "softmax", .formula = "%y = %f"},
    [LAB_MIX] = {"mix", {{R, S}, {S, C}}, "%y = %l%r", LAB_TERMS_SUM, true},
    [LAB_CONCATENATE] = {"concat", {{R, C}, {R, R}}, "%y(Z₁ … Zₕ)", LAB_TERMS_NONE, false},
    /* A copy counts as a product with ones in the diagonal. */
    [LAB_COPY] = {"copy", {{R, S}, {S, C}}, "%y = %l", LAB_TERMS_SUM, false},
};
#undef R
#undef C
#undef S

const struct lab_operation_row *lab_operation_row(enum lab_operation operation)
{
    return &operations[operation];
}

bool lab_node_has_heads(size_t node)
{
    return rows[node].matrices != LAB_EXTENT_ONE;
}

size_t lab_extent_of(const struct lab_sizes *s, enum lab_extent extent)
{
    const size_t extents[] = {
        [LAB_EXTENT_ONE] = 1,
        [LAB_EXTENT_QUERIES] = s->n,
        [LAB_EXTENT_KEYS] = s->m,
        [LAB_EXTENT_MODEL] = s->d_model,
        [LAB_EXTENT_K] = s->d_k,
        [LAB_EXTENT_V] = s->d_v,
        [LAB_EXTENT_ALL_V] = s->heads * s->d_v,
        [LAB_EXTENT_LATENT] = s->latent,
        [LAB_EXTENT_HEADS] = s->heads,
        [LAB_EXTENT_KV_HEADS] = s->kv_heads,
    };
    return extents[extent];
}

static void add_given(struct lab_graph *graph, size_t node)
{
    graph->node[node].operation = LAB_GIVEN;
}

static void add_node(struct lab_graph *graph, size_t node, enum lab_operation operation,
                     size_t left)
{
    struct lab_node *const made = &graph->node[node];
    made->operation = operation;
    made->input[0] = (unsigned char)left;
    made->inputs = 1;
}

static void add_binary_node(struct lab_graph *graph, size_t node, enum lab_operation operation,
                            size_t left, size_t right)
{
    add_node(graph, node, operation, left);
    graph->node[node].input[graph->node[node].inputs++] = (unsigned char)right;
}

static void add_bias(struct lab_graph *graph, size_t node, size_t bias,
                     const struct lab_numbers *numbers)
{
    if (numbers != NULL) {
        add_given(graph, bias);
        graph->node[node].input[graph->node[node].inputs++] = (unsigned char)bias;
    }
}

/* Makes a node the product of another with its own weights. */
static void add_projection(struct lab_graph *graph, size_t node, size_t left, size_t weights)
{
    add_given(graph, weights);
    add_binary_node(graph, node, LAB_PRODUCT, left, weights);
}

/* Adds the nodes from words to the rows that are projected. */
static void add_embeddings(struct lab_graph *graph)
{
    add_given(graph, LAB_EMBEDDINGS_X);
    if (graph->sizes.cross) {
        add_given(graph, LAB_CONTEXT_X);
    }
    if (graph->experiment->positions == LAB_POSITIONS_SINUSOIDAL) {
        add_given(graph, LAB_EMBEDDED);
        add_given(graph, LAB_WAVES);
        add_binary_node(graph, LAB_EMBEDDINGS_X, LAB_SUM, LAB_EMBEDDED, LAB_WAVES);
    }
}

/* Adds Q, K and V, projected or given, and the changes of queries and keys before the scores. */
static void add_projections(struct lab_graph *graph)
{
    const struct lab_experiment *const experiment = graph->experiment;
    const size_t q = lab_qk_transforms_begin(experiment, LAB_SIDE_QUERIES);
    const size_t k = lab_qk_transforms_begin(experiment, LAB_SIDE_KEYS);
    const bool latent = graph->sizes.latent > 0;
    size_t keys = graph->sizes.cross ? LAB_CONTEXT_X : LAB_EMBEDDINGS_X;
    if (graph->sizes.raw) {
        add_given(graph, q);
        add_given(graph, k);
    } else {
        add_projection(graph, q, LAB_EMBEDDINGS_X, LAB_W_Q);
        if (latent) {
            add_projection(graph, LAB_C, keys, LAB_W_DKV);
            keys = LAB_C;
        }
        add_projection(graph, k, keys, latent ? LAB_W_UK : LAB_W_K);
        add_projection(graph, LAB_V, keys, latent ? LAB_W_UV : LAB_W_V);
        add_bias(graph, q, LAB_B_Q, experiment->b_q);
        add_bias(graph, k, LAB_B_K, experiment->b_k);
        add_bias(graph, LAB_V, LAB_B_V, experiment->b_v);
    }
    const struct lab_qk_transform *step = NULL;
    while ((step = lab_qk_transform_next(experiment, step)) != NULL) {
        for (enum lab_side side = LAB_SIDE_QUERIES; side < LAB_SIDES; side++) {
            if (step->made[side] != LAB_EMBEDDINGS_X) {
                add_node(graph, step->made[side], step->operation,
                         lab_qk_transform_input(experiment, step, side));
            }
        }
    }
}

static void add_weights(struct lab_graph *graph)
{
    if (graph->experiment->alpha != NULL) {
        add_given(graph, LAB_ALPHA);
        return;
    }
    add_binary_node(graph, LAB_SCORES, LAB_DOT, lab_graph_queries(graph), lab_graph_keys(graph));
    add_node(graph, LAB_SCALED, LAB_ADJUST, LAB_SCORES);
    add_node(graph, LAB_ALPHA, LAB_NORMALISE_ROWS, LAB_SCALED);
}

static void add_blend(struct lab_graph *graph)
{
    if (graph->sizes.raw && graph->sizes.d_v > 0) {
        add_given(graph, LAB_V);
    }
    if (lab_graph_has(graph, LAB_V)) {
        add_binary_node(graph, LAB_Z, LAB_MIX, LAB_ALPHA, LAB_V);
        add_node(graph, LAB_CONCAT, LAB_CONCATENATE, LAB_Z);
    }
}

static void add_output(struct lab_graph *graph)
{
    if (graph->experiment->skip_w_o) {
        add_node(graph, LAB_OUTPUT_O, LAB_COPY, LAB_CONCAT);
    } else {
        add_projection(graph, LAB_OUTPUT_O, LAB_CONCAT, LAB_W_O);
    }
    add_bias(graph, LAB_OUTPUT_O, LAB_B_O, graph->experiment->b_o);
    if (graph->experiment->residual) {
        add_binary_node(graph, LAB_RESIDUAL, LAB_SUM, LAB_EMBEDDINGS_X, LAB_OUTPUT_O);
    }
}

struct lab_graph lab_graph_of(const struct lab_experiment *experiment,
                              const struct lab_sizes *sizes)
{
    struct lab_graph graph = {.experiment = experiment, .sizes = *sizes};
    for (size_t node = 0; node < LAB_NODES; node++) {
        graph.node[node].matrices = lab_extent_of(sizes, rows[node].matrices);
        graph.node[node].rows = lab_extent_of(sizes, rows[node].rows);
        graph.node[node].cols = lab_extent_of(sizes, rows[node].cols);
    }
    if (!sizes->raw) {
        add_embeddings(&graph);
    }
    if (experiment->alpha == NULL) {
        add_projections(&graph);
    }
    add_weights(&graph);
    add_blend(&graph);
    if (!sizes->raw) {
        add_output(&graph);
    }
    return graph;
}

bool lab_graph_has(const struct lab_graph *graph, size_t node)
{
    return graph->node[node].operation != LAB_ABSENT;
}

bool lab_graph_leads(const struct lab_graph *graph, size_t from, size_t to)
{
    const struct lab_node *const node = &graph->node[to];
    bool leads = from == to;
    for (size_t i = 0; !leads && i < node->inputs; i++) {
        leads = lab_graph_leads(graph, from, node->input[i]);
    }
    return leads;
}

enum lab_part lab_graph_queries(const struct lab_graph *graph)
{
    return lab_qk_transforms_end(graph->experiment, LAB_SIDE_QUERIES);
}

enum lab_part lab_graph_keys(const struct lab_graph *graph)
{
    return lab_qk_transforms_end(graph->experiment, LAB_SIDE_KEYS);
}

bool lab_graph_is_direct(const struct lab_graph *graph)
{
    return lab_qk_transform_next(graph->experiment, NULL) == NULL;
}

const struct lab_node *lab_graph_projection(const struct lab_graph *graph, enum lab_part result)
{
    const struct lab_node *const node = &graph->node[result];
    return node->operation == LAB_TURN ? &graph->node[node->input[0]] : node;
}

size_t lab_graph_bias(const struct lab_graph *graph, size_t node)
{
    const struct lab_node *const made = &graph->node[node];
    const size_t last = made->inputs == 0 ? LAB_NODES : made->input[made->inputs - 1];
    return last >= LAB_B_Q && last <= LAB_B_O ? last : LAB_NODES;
}

const char *lab_graph_adjustment(const struct lab_graph *graph, struct arena *arena)
{
    const struct lab_experiment *const experiment = graph->experiment;
    const bool tempered = experiment->temperature < 1 || experiment->temperature > 1;
    return arena_words(arena, "%s%s%s%s%s", experiment->scale ? " ÷ √dₖ" : "",
                       tempered ? " ÷ τ" : "", experiment->score_cap != NULL ? tr(", capped") : "",
                       experiment->score_bias != NULL ? tr(" + bias") : "",
                       experiment->mask != LAB_MASK_NONE ? tr(" + mask") : "");
}

static bool is_no_attention(const struct lab_graph *graph, size_t node)
{
    return node == LAB_ALPHA && !lab_has_shares(graph->experiment);
}

const char *lab_graph_symbol(const struct lab_graph *graph, size_t node)
{
    return is_no_attention(graph, node) ? "M" : rows[node].symbol;
}

const char *lab_graph_meaning(const struct lab_graph *graph, size_t node)
{
    return is_no_attention(graph, node) ? "the matrix, as it was given" : rows[node].meaning;
}

/* Returns how an input is written in a formula. */
static const char *operand_symbol(size_t node)
{
    return node == LAB_CONCAT ? "concat(Z)" : rows[node].symbol;
}

/* Returns the function of a node's operation, as its experiment has it. */
static const char *function_of(const struct lab_graph *graph, size_t node, struct arena *arena)
{
    const struct lab_qk_transform *const step = lab_qk_transform_making(graph->experiment, node);
    const char *const input = operand_symbol(graph->node[node].input[0]);
    switch (graph->node[node].operation) {
    case LAB_ADJUST:
        return lab_graph_adjustment(graph, arena);
    case LAB_NORMALISE_ROWS:
        return graph->experiment->normalise == LAB_PLAIN_SHARE
                   ? arena_format(arena, "%s ÷ Σ%s", input, input)
                   : arena_format(arena,
                                  graph->experiment->sinks != NULL ? "softmax(%s, sink)"
                                                                   : "softmax(%s)",
                                  input);
    default:
        return step == NULL ? "" : step->function;
    }
}

/* Returns the formula without a bias. */
static const char *plain_formula(const struct lab_graph *graph, size_t node, struct arena *arena)
{
    const struct lab_node *const made = &graph->node[node];
    const char *const symbol = lab_graph_symbol(graph, node);
    const char *formula = "";
    if (node == LAB_CONTEXT_X && lab_graph_has(graph, LAB_WAVES)) { /* of as many rows as it has */
        return arena_format(arena, "%s = E′ + P′", symbol);
    }
    if (node == LAB_RESIDUAL) { /* X + O is its own name */
        return symbol;
    }
    for (const char *at = operations[made->operation].formula; formula != NULL && *at != '\0';) {
        const int run = (int)strcspn(at, "%");
        const char *const text = at[run] == '\0'      ? ""
                                 : at[run + 1] == 'y' ? symbol
                                 : at[run + 1] == 'l' ? operand_symbol(made->input[0])
                                 : at[run + 1] == 'r' ? operand_symbol(made->input[1])
                                                      : function_of(graph, node, arena);
        formula = arena_format(arena, "%s%.*s%s", formula, run, at, text);
        at += at[run] == '\0' ? run : run + 2;
    }
    return formula;
}

const char *lab_graph_formula(const struct lab_graph *graph, size_t node, struct arena *arena)
{
    const size_t bias = lab_graph_bias(graph, node);
    const char *formula = plain_formula(graph, node, arena);
    if (formula != NULL && bias != LAB_NODES) {
        formula = arena_format(arena, "%s + %s", formula, rows[bias].symbol);
    }
    return formula == NULL ? "" : formula;
}

/* Says whether a node has a number for each query with each key. */
static bool is_of_pairs(size_t node)
{
    return rows[node].rows == LAB_EXTENT_QUERIES && rows[node].cols == LAB_EXTENT_KEYS;
}

double lab_graph_products(const struct lab_graph *graph, size_t node, double pairs)
{
    const struct lab_node *const made = &graph->node[node];
    const struct lab_node *const left = &graph->node[made->input[0]];
    const struct lab_operation_row *const operation = &operations[made->operation];
    const double all_pairs = (double)graph->sizes.n * (double)graph->sizes.m;
    const double terms = operation->terms == LAB_TERMS_TWO ? 2 : (double)left->cols;
    const double count = (double)made->matrices * (double)made->rows * (double)made->cols * terms;
    if (!operation->multiplies) {
        return 0;
    }
    return is_of_pairs(node) || is_of_pairs(made->input[0]) ? count / all_pairs * pairs : count;
}

static double all_products(const struct lab_graph *graph, double pairs)
{
    double count = 0;
    for (size_t node = 0; node < LAB_NODES; node++) {
        count += lab_graph_products(graph, node, pairs);
    }
    return count;
}

double lab_op_count(const struct lab_experiment *experiment)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const struct lab_graph graph = lab_graph_of(experiment, &sizes);
    return all_products(&graph, (double)sizes.n * (double)sizes.m);
}

struct lab_graph lab_graph_of_kind(const struct lab_graph *graph, enum lab_kind kind)
{
    struct lab_sizes sizes = graph->sizes;
    if (kind != graph->experiment->kind) {
        const size_t number = lab_kind_preset(kind, sizes.heads, sizes.d_model);
        sizes.kv_heads = kind == LAB_GROUPED ? number : kind == LAB_MULTI_QUERY ? 1 : sizes.heads;
        sizes.latent = kind == LAB_LATENT ? number : 0;
    }
    return lab_graph_of(graph->experiment, &sizes);
}

bool lab_graph_caches_latent(const struct lab_graph *graph)
{
    return lab_graph_has(graph, LAB_C) && lab_graph_is_direct(graph);
}

/* Counts the numbers of one row of a node in all its matrices; 0: the node is absent. */
static size_t row_numbers(const struct lab_graph *graph, size_t node)
{
    const struct lab_node *const of = &graph->node[node];
    return lab_graph_has(graph, node) ? of->matrices * of->cols : 0;
}

struct lab_cost lab_graph_cost(const struct lab_graph *graph, size_t pairs)
{
    struct lab_cost cost = {.multiplications = (size_t)all_products(graph, (double)pairs)};
    for (size_t node = 0; node < LAB_NODES; node++) {
        const struct lab_node *const made = &graph->node[node];
        if (made->operation == LAB_PRODUCT) {
            const struct lab_node *const weights = &graph->node[made->input[1]];
            cost.weights += weights->rows * row_numbers(graph, made->input[1]);
        }
    }
    cost.cache_numbers = lab_graph_caches_latent(graph)
                             ? row_numbers(graph, LAB_C)
                             : row_numbers(graph, LAB_K) + row_numbers(graph, LAB_V);
    cost.cache_bytes = cost.cache_numbers * sizeof(float);
    return cost;
}
