/* The description of the computation, held against what the engine computes: every node's numbers
 * follow from its inputs by its operation, and a number that is changed changes exactly the nodes
 * that its edges lead to. */
#include <stdio.h>

#include "lab/experiment/edits.h"
#include "lab/experiment/graph.h"
#include "lab/run/cache.h"
#include "links.h"

#include "../formula_value.h"

enum { WORDS = 4, OTHERS = 7, MODEL = 8, HEADS = 4 };

static const char *const words[OTHERS] = {"the", "cat", "saw", "a", "lion", "in", "NYC"};

static struct lab_numbers *numbers(size_t heads, size_t rows, size_t cols)
{
    struct error error = {0};
    const size_t shape[3] = {heads > 0 ? heads : rows, heads > 0 ? rows : cols, cols};
    float *room = NULL;
    struct lab_numbers *const made = lab_numbers_room(heads > 0 ? 3 : 2, shape, &room, &error);
    assert_non_null(made);
    for (size_t c = 0; c < (heads > 0 ? heads : 1) * rows * cols; c++) {
        room[c] = 0.1f * (float)((c * 7 + rows) % 13) - 0.5f;
    }
    return made;
}

static void with_other_words(struct lab_experiment *experiment)
{
    struct error error = {0};
    assert_true(lab_experiment_set_context(experiment, words, OTHERS, &error));
}

static void with_latent(struct lab_experiment *experiment)
{
    experiment->kind = LAB_LATENT;
    experiment->latent = 3;
}

static void with_groups(struct lab_experiment *experiment)
{
    experiment->kind = LAB_GROUPED;
    experiment->groups = 2;
}

static void with_one_head(struct lab_experiment *experiment)
{
    experiment->heads = 1;
}

static void with_sinusoids(struct lab_experiment *experiment)
{
    experiment->positions = LAB_POSITIONS_SINUSOIDAL;
}

static void with_rope(struct lab_experiment *experiment)
{
    experiment->positions = LAB_POSITIONS_ROPE;
}

static void with_residual(struct lab_experiment *experiment)
{
    experiment->residual = true;
}

static void without_w_o(struct lab_experiment *experiment)
{
    experiment->skip_w_o = true;
}

static void with_biases(struct lab_experiment *experiment)
{
    experiment->b_q = numbers(HEADS, 1, MODEL / HEADS);
    experiment->b_k = numbers(HEADS, 1, MODEL / HEADS);
    experiment->b_v = numbers(HEADS, 1, MODEL / HEADS);
    experiment->b_o = numbers(0, 1, MODEL);
    experiment->embedding = LAB_EMBEDDING_NUMBERS;
    experiment->weights = LAB_WEIGHTS_NUMBERS;
    experiment->embeddings = numbers(0, WORDS, MODEL);
    experiment->w_q = numbers(HEADS, MODEL, MODEL / HEADS);
    experiment->w_k = numbers(HEADS, MODEL, MODEL / HEADS);
    experiment->w_v = numbers(HEADS, MODEL, MODEL / HEADS);
    experiment->w_o = numbers(0, MODEL, MODEL);
}

static void with_raw(struct lab_experiment *experiment)
{
    experiment->q = numbers(2, WORDS, 3);
    experiment->k = numbers(2, WORDS, 3);
    experiment->v = numbers(2, WORDS, 2);
}

static void with_turned_raw(struct lab_experiment *experiment)
{
    with_raw(experiment);
    with_rope(experiment);
}

static void with_queries_and_keys(struct lab_experiment *experiment)
{
    experiment->q = numbers(2, WORDS, 3);
    experiment->k = numbers(2, WORDS, 3);
}

static void with_given_weights(struct lab_experiment *experiment)
{
    experiment->alpha = numbers(2, WORDS, WORDS);
    experiment->v = numbers(2, WORDS, 2);
}

static void with_weights_alone(struct lab_experiment *experiment)
{
    experiment->alpha = numbers(2, WORDS, WORDS);
}

static void with_shares(struct lab_experiment *experiment)
{
    experiment->normalise = LAB_PLAIN_SHARE;
    experiment->scale = false;
}

static void with_a_mask(struct lab_experiment *experiment)
{
    experiment->mask = LAB_MASK_CAUSAL;
    experiment->temperature = 2;
}

static void with_unit_rows(struct lab_experiment *experiment)
{
    experiment->unit_qk = true;
}

static void with_turned_unit_rows_of_groups(struct lab_experiment *experiment)
{
    with_unit_rows(experiment);
    with_rope(experiment);
    with_groups(experiment);
}

static void with_unit_rows_of_given_queries_and_keys(struct lab_experiment *experiment)
{
    with_unit_rows(experiment);
    with_queries_and_keys(experiment);
}

static void with_smeared_keys(struct lab_experiment *experiment)
{
    experiment->smear = 0.3F;
}

static void with_smeared_unit_keys_of_other_words(struct lab_experiment *experiment)
{
    with_smeared_keys(experiment);
    with_turned_unit_rows_of_groups(experiment);
    with_other_words(experiment);
}

static void with_smeared_keys_of_given_queries_and_keys(struct lab_experiment *experiment)
{
    with_smeared_keys(experiment);
    with_queries_and_keys(experiment);
}

static void with_tiles(struct lab_experiment *experiment)
{
    experiment->flash_rows = experiment->flash_cols = 2;
}

static void with_all_of_it(struct lab_experiment *experiment)
{
    with_other_words(experiment);
    with_latent(experiment);
    with_rope(experiment);
    with_residual(experiment);
}

static void with_other_words_and_sinusoids(struct lab_experiment *experiment)
{
    with_other_words(experiment);
    with_sinusoids(experiment);
    with_residual(experiment);
}

static void as_it_is(struct lab_experiment *experiment)
{
    (void)experiment;
}

static void (*const cases[])(struct lab_experiment *experiment) = {
    as_it_is,
    with_one_head,
    with_other_words,
    with_latent,
    with_groups,
    with_sinusoids,
    with_rope,
    with_residual,
    without_w_o,
    with_biases,
    with_raw,
    with_turned_raw,
    with_queries_and_keys,
    with_given_weights,
    with_weights_alone,
    with_shares,
    with_a_mask,
    with_tiles,
    with_all_of_it,
    with_other_words_and_sinusoids,
    with_unit_rows,
    with_turned_unit_rows_of_groups,
    with_unit_rows_of_given_queries_and_keys,
    with_smeared_keys,
    with_smeared_unit_keys_of_other_words,
    with_smeared_keys_of_given_queries_and_keys,
};

enum { CASES = sizeof cases / sizeof cases[0] };

static struct lab_experiment experiment_with(void (*change)(struct lab_experiment *))
{
    struct lab_experiment experiment = experiment_of(words, WORDS);
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.seed = 7;
    experiment.d_model = MODEL;
    experiment.heads = HEADS;
    change(&experiment);
    return experiment;
}

/* One number of a node; row by row, S′ too. */
static double at(const struct lab_trace *trace, size_t node, size_t head, size_t i, size_t j)
{
    if (node == LAB_SCALED) {
        return (double)lab_trace_scaled(trace, head, i, j);
    }
    const struct lab_matrix matrix = lab_trace_part(trace, (enum lab_part)node, head);
    return (double)lab_matrix_at(&matrix, i, j);
}

static double at_cell(const struct lab_trace *trace, const struct lab_cell *cell)
{
    return at(trace, cell->part, cell->head, cell->row, cell->column);
}

/* What inputs and operation of a node say its number is. */
static double remade(const struct lab_trace *trace, size_t node, size_t head, size_t i, size_t j)
{
    const struct lab_graph *const graph = lab_trace_graph(trace);
    const struct lab_node *const made = &graph->node[node];
    const size_t left = made->input[0], right = made->input[1], wide = graph->sizes.d_v;
    const size_t bias = lab_graph_bias(graph, node);
    double sum = bias == LAB_NODES ? 0 : at(trace, bias, head, 0, j), all = 0;
    switch (made->operation) {
    case LAB_SUM:
        return at(trace, left, head, i, j) + at(trace, right, head, i, j);
    case LAB_COPY:
        return sum + at(trace, left, head, i, j);
    case LAB_PRODUCT:
    case LAB_MIX:
        for (size_t c = 0; c < graph->node[left].cols; c++) {
            sum += at(trace, left, head, i, c) * at(trace, right, head, c, j);
        }
        return sum;
    case LAB_DOT:
        for (size_t c = 0; c < graph->node[left].cols; c++) {
            sum += at(trace, left, head, i, c) * at(trace, right, head, j, c);
        }
        return sum;
    case LAB_ADJUST:
        return lab_trace_sees(trace, i, j)
                   ? at(trace, left, head, i, j) * (double)graph->sizes.factor
                   : -INFINITY;
    case LAB_NORMALISE_ROWS:
        for (size_t c = 0; c < graph->node[left].cols; c++) {
            const double score = at(trace, left, head, i, c);
            all += graph->experiment->normalise == LAB_PLAIN_SHARE ? score : exp(score);
        }
        sum = at(trace, left, head, i, j);
        return (graph->experiment->normalise == LAB_PLAIN_SHARE ? sum : exp(sum)) / all;
    case LAB_CONCATENATE:
        return at(trace, left, j / wide, i, j % wide);
    case LAB_SMEAR: {
        const double share = (double)graph->experiment->smear;
        return (1 - share) * at(trace, left, head, i, j) +
               (i == 0 ? 0 : share * at(trace, left, head, i - 1, j));
    }
    case LAB_BY_ROW:
        for (size_t c = 0; c < made->cols; c++) {
            all += at(trace, left, head, i, c) * at(trace, left, head, i, c);
        }
        return at(trace, left, head, i, j) / (all > 0 ? sqrt(all) : 1);
    case LAB_TURN: {
        float row[MODEL];
        for (size_t c = 0; c < made->cols; c++) {
            row[c] = (float)at(trace, left, head, i, c);
        }
        const struct lab_rotary rotary = lab_experiment_rotary(lab_trace_experiment(trace));
        lab_rotary_turn_part(&rotary, row, made->cols, i, 1);
        return (double)row[j];
    }
    default:
        return at(trace, node, head, i, j);
    }
}

static void assert_node(const struct lab_trace *trace, size_t node, size_t which)
{
    const struct lab_node *const made = &lab_trace_graph(trace)->node[node];
    const size_t heads = lab_node_has_heads(node) ? lab_trace_sizes(trace).heads : 1;
    for (size_t h = 0; h < heads; h++) {
        for (size_t i = 0; i < made->rows; i++) {
            for (size_t j = 0; j < made->cols; j++) {
                const double is = at(trace, node, h, i, j), should = remade(trace, node, h, i, j);
                if (!(fabs(is - should) < 1e-4 * (1 + fabs(should))) && isfinite(should)) {
                    fail_msg("case %zu, %s of head %zu (%zu, %zu) is %g, not %g", which,
                             lab_node_row(node)->symbol, h, i, j, is, should);
                }
            }
        }
    }
}

static void every_node_follows_from_its_inputs_and_no_part_is_missing(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        struct lab_experiment experiment = experiment_with(cases[c]);
        struct lab_trace *const trace = trace_of(&experiment);
        const struct lab_graph *const graph = lab_trace_graph(trace);
        for (size_t node = 0; node < LAB_PARTS; node++) {
            const struct lab_matrix part = lab_trace_part(trace, (enum lab_part)node, 0);
            const bool left_out = node == LAB_W_O && experiment.skip_w_o;
            if ((part.values != NULL) != (lab_graph_has(graph, node) || left_out)) {
                fail_msg("case %zu: %s", c, lab_node_row(node)->symbol);
            }
        }
        for (size_t node = 0; node < LAB_NODES; node++) {
            if (lab_graph_has(graph, node)) {
                assert_node(trace, node, c);
            }
        }
        lab_trace_release(trace);
        lab_experiment_release(&experiment);
    }
}

/* The numbers of a formula are written with three decimals. */
static void assert_formula(const struct lab_explanation *said, double value)
{
    static char text[1 << 14];
    size_t length = 0;
    for (size_t p = 0; p < said->pieces; p++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", said->piece[p].text);
    }
    const char *at = text;
    const double left = formula_sum(&at);
    const double slack = 2e-3 * (double)said->pieces * (1 + fabs(value));
    if (!formula_took(&at, "=") || !(fabs(left - value) <= slack || left == value)) {
        fail_msg("%s: %s is %g, not %g", said->title, text, left, value);
    }
}

/* Says whether a node is made of another. */
static bool is_input(const struct lab_graph *graph, size_t node, size_t link)
{
    const struct lab_node *const made = &graph->node[node];
    bool found = made->operation == LAB_COPY && link == LAB_W_O; /* as the unit matrix */
    for (size_t i = 0; i < made->inputs; i++) {
        found = found || made->input[i] == link;
    }
    return found;
}

/* Selects a number as a click on it does, and follows its formula: it comes to the number, and
 * each input of the node is among its links, and nothing else is. */
static void assert_place(const struct lab_trace *trace, const struct lab_cell *cell)
{
    const struct lab_graph *const graph = lab_trace_graph(trace);
    const struct lab_node *const made = &graph->node[cell->part];
    const char *const symbol = lab_node_row(cell->part)->symbol;
    struct lab_selection at = {.projected = LAB_Q, .head = cell->head};
    enum lab_stage stage = LAB_EMBED;
    struct lab_cell selected;
    struct arena arena = {0};
    lab_cell_select(trace, cell, &stage, &at);
    if (!lab_cell_selected(trace, stage, &at, &selected) ||
        (cell->part != LAB_SCALED && selected.part != cell->part) || selected.row != cell->row ||
        selected.column != cell->column) {
        fail_msg("%s (%zu, %zu) is selected as %s (%zu, %zu)", symbol, cell->row, cell->column,
                 lab_node_row(selected.part)->symbol, selected.row, selected.column);
    }
    const struct lab_explanation said = lab_explain(trace, stage, &at, LINK_TERMS, &arena);
    const struct links links = links_of(trace, stage, &at);
    assert_true(said.pieces > 0 && said.piece[said.pieces - 1].role == LAB_ROLE_RESULT);
    assert_true(strlen(said.title) > 0 && strlen(said.sentence) > 10);
    assert_formula(&said, at_cell(trace, cell));
    for (size_t l = 0; l < links.count; l++) {
        if (!is_input(graph, cell->part, links.cell[l].part)) {
            fail_msg("%s leads to %s", symbol, lab_node_row(links.cell[l].part)->symbol);
        }
    }
    for (size_t i = 0; i < made->inputs; i++) {
        bool leads = false;
        for (size_t l = 0; l < links.count; l++) {
            leads = leads || links.cell[l].part == made->input[i];
        }
        if (!leads) {
            fail_msg("%s does not lead to %s", symbol, lab_node_row(made->input[i])->symbol);
        }
    }
    arena_free(&arena);
}

/* The walk over all places: no number that is computed lacks its formula. */
static void every_number_has_a_formula_that_leads_to_its_inputs(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        struct lab_experiment experiment = experiment_with(cases[c]);
        struct lab_trace *const trace = trace_of(&experiment);
        const struct lab_graph *const graph = lab_trace_graph(trace);
        for (size_t node = 0; node < LAB_NODES; node++) {
            const struct lab_node *const made = &graph->node[node];
            const size_t heads = lab_node_has_heads(node) ? graph->sizes.heads : 1;
            const size_t numbers = made->operation <= LAB_GIVEN || node == LAB_CONCAT
                                       ? 0 /* given; concat is shown as Z */
                                       : heads * made->rows * made->cols;
            for (size_t i = 0; i < numbers; i++) {
                assert_place(trace,
                             &(struct lab_cell){(enum lab_part)node, i / (made->rows * made->cols),
                                                i / made->cols % made->rows, i % made->cols});
            }
        }
        lab_trace_release(trace);
        lab_experiment_release(&experiment);
    }
}

/* Whether a number of any head differs between two traces of the same shapes. */
static bool differs(const struct lab_trace *a, const struct lab_trace *b, size_t part, size_t head)
{
    const struct lab_matrix one = lab_trace_part(a, (enum lab_part)part, head);
    const struct lab_matrix other = lab_trace_part(b, (enum lab_part)part, head);
    return one.values != NULL &&
           memcmp(one.values, other.values, one.rows * one.cols * sizeof *one.values) != 0;
}

/* One number of `from` was changed in its first head: exactly what it leads to differs, and before
 * the heads come together only in heads that share it. */
static void assert_change(const struct lab_trace *before, const struct lab_trace *after,
                          size_t from, size_t which)
{
    const struct lab_graph *const graph = lab_trace_graph(before);
    const size_t heads = graph->sizes.heads, sharing = heads / graph->node[from].matrices;
    for (size_t part = 0; part < LAB_PARTS; part++) {
        const size_t own = heads / graph->node[part].matrices;
        for (size_t h = 0; h < heads && lab_graph_has(graph, part); h++) {
            const bool touched = h / own * own < sharing || !lab_node_has_heads(part);
            const bool should = touched && lab_graph_leads(graph, from, part);
            if (differs(before, after, part, h) != should) {
                fail_msg("case %zu: a number of %s and head %zu of %s: %s", which,
                         lab_node_row(from)->symbol, h, lab_node_row(part)->symbol,
                         should ? "the same" : "changed");
            }
        }
    }
}

static void a_changed_number_changes_what_its_edges_lead_to_and_nothing_else(void **state)
{
    (void)state;
    size_t changed = 0;
    for (size_t c = 0; c < CASES; c++) {
        struct lab_experiment experiment = experiment_with(cases[c]);
        struct lab_trace *const before = trace_of(&experiment);
        for (size_t part = 0; part < LAB_PARTS; part++) {
            if (!lab_graph_has(lab_trace_graph(before), part) ||
                !lab_edits_may((enum lab_part)part)) {
                continue;
            }
            struct lab_experiment edited;
            struct error error = {0};
            lab_experiment_copy(&edited, &experiment);
            const struct lab_edit edit = {
                (enum lab_part)part, 0, 1, 0, (float)at(before, part, 0, 1, 0) + 0.75f, false};
            assert_true(lab_experiment_edit(&edited, &edit, &error));
            struct lab_trace *const after = trace_of(&edited);
            assert_change(before, after, part, c);
            lab_trace_release(after);
            lab_experiment_release(&edited);
            changed++;
        }
        lab_trace_release(before);
        lab_experiment_release(&experiment);
    }
    assert_true(changed > 100);
}

static struct lab_numbers *with_another_number(const struct lab_numbers *from)
{
    struct error error = {0};
    float values[HEADS * MODEL * MODEL];
    const size_t rank = lab_numbers_rank(from), *const shape = lab_numbers_shape(from);
    const size_t count = shape[0] * shape[1] * (rank == 3 ? shape[2] : 1);
    memcpy(values, lab_numbers_values(from), count * sizeof *values);
    values[0] += 0.75f;
    struct lab_numbers *const made = lab_numbers_make(values, rank, shape, &error);
    assert_non_null(made);
    return made;
}

static void a_changed_bias_or_embedding_changes_what_it_leads_to(void **state)
{
    (void)state;
    static const size_t parts[] = {LAB_B_Q, LAB_B_K, LAB_B_V, LAB_B_O, LAB_EMBEDDED};
    struct lab_experiment experiment = experiment_with(with_biases);
    experiment.positions = LAB_POSITIONS_SINUSOIDAL;
    experiment.residual = true;
    struct lab_trace *const before = trace_of(&experiment);
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        struct lab_experiment changed;
        lab_experiment_copy(&changed, &experiment);
        const struct lab_numbers **const places[] = {&changed.b_q, &changed.b_k, &changed.b_v,
                                                     &changed.b_o, &changed.embeddings};
        const struct lab_numbers *const was = *places[p];
        *places[p] = with_another_number(was);
        lab_numbers_release(was);
        struct lab_trace *const after = trace_of(&changed);
        assert_change(before, after, parts[p], p);
        lab_trace_release(after);
        lab_experiment_release(&changed);
    }
    lab_trace_release(before);
    lab_experiment_release(&experiment);
}

/* What faults.md found untrue in the overview, spelled out. */
static const struct {
    void (*change)(struct lab_experiment *);
    size_t node;
    size_t matrices, rows, cols;
    const char *formula;
    size_t left, right; /* LAB_NODES: none */
} told[] = {
    {with_other_words, LAB_K, 4, 7, 2, "K = X′·W_K", LAB_CONTEXT_X, LAB_W_K},
    {with_other_words, LAB_V, 4, 7, 2, "V = X′·W_V", LAB_CONTEXT_X, LAB_W_V},
    {with_other_words, LAB_CONTEXT_X, 1, 7, 8, "X′", LAB_NODES, LAB_NODES},
    {with_other_words, LAB_Q, 4, 4, 2, "Q = X·W_Q", LAB_EMBEDDINGS_X, LAB_W_Q},
    {with_latent, LAB_C, 1, 4, 3, "C = X·W_DKV", LAB_EMBEDDINGS_X, LAB_W_DKV},
    {with_latent, LAB_K, 4, 4, 2, "K = C·W_UK", LAB_C, LAB_W_UK},
    {with_latent, LAB_V, 4, 4, 2, "V = C·W_UV", LAB_C, LAB_W_UV},
    {with_all_of_it, LAB_C, 1, 7, 3, "C = X′·W_DKV", LAB_CONTEXT_X, LAB_W_DKV},
    {as_it_is, LAB_CONCAT, 1, 4, 8, "concat(Z₁ … Zₕ)", LAB_Z, LAB_NODES},
    {as_it_is, LAB_OUTPUT_O, 1, 4, 8, "O = concat(Z)·W_O", LAB_CONCAT, LAB_W_O},
    {without_w_o, LAB_OUTPUT_O, 1, 4, 8, "O = concat(Z)", LAB_CONCAT, LAB_NODES},
    {with_groups, LAB_K, 2, 4, 2, "K = X·W_K", LAB_EMBEDDINGS_X, LAB_W_K},
    {with_sinusoids, LAB_EMBEDDINGS_X, 1, 4, 8, "X = E + P", LAB_EMBEDDED, LAB_WAVES},
    {with_rope, LAB_Q, 4, 4, 2, "Q = R(Q₀)", LAB_Q_BEFORE, LAB_NODES},
    {with_rope, LAB_K_BEFORE, 4, 4, 2, "K₀ = X·W_K", LAB_EMBEDDINGS_X, LAB_W_K},
    {with_residual, LAB_RESIDUAL, 1, 4, 8, "X + O", LAB_EMBEDDINGS_X, LAB_OUTPUT_O},
    {with_biases, LAB_V, 4, 4, 2, "V = X·W_V + b_V", LAB_EMBEDDINGS_X, LAB_W_V},
    {as_it_is, LAB_SCALED, 4, 4, 4, "S′ = S ÷ √dₖ", LAB_SCORES, LAB_NODES},
    {with_a_mask, LAB_SCALED, 4, 4, 4, "S′ = S ÷ √dₖ ÷ τ + mask", LAB_SCORES, LAB_NODES},
    {with_shares, LAB_ALPHA, 4, 4, 4, "α = S′ ÷ ΣS′", LAB_SCALED, LAB_NODES},
    {as_it_is, LAB_ALPHA, 4, 4, 4, "α = softmax(S′)", LAB_SCALED, LAB_NODES},
    {with_given_weights, LAB_ALPHA, 2, 4, 4, "α", LAB_NODES, LAB_NODES},
    {with_given_weights, LAB_Z, 2, 4, 2, "Z = αV", LAB_ALPHA, LAB_V},
    {with_raw, LAB_SCORES, 2, 4, 4, "S = QKᵀ", LAB_Q, LAB_K},
    {with_unit_rows, LAB_Q_SCORED, 4, 4, 2, "Q̂ = unit(Q)", LAB_Q, LAB_NODES},
    {with_unit_rows, LAB_SCORES, 4, 4, 4, "S = Q̂K̂ᵀ", LAB_Q_SCORED, LAB_K_SCORED},
    {with_smeared_keys, LAB_K_SMEARED, 4, 4, 2, "Kₛ = smear(K)", LAB_K, LAB_NODES},
    {with_smeared_keys, LAB_SCORES, 4, 4, 4, "S = QKₛᵀ", LAB_Q, LAB_K_SMEARED},
    {with_smeared_unit_keys_of_other_words, LAB_K_SCORED, 2, 7, 2, "K̂ = unit(Kₛ)", LAB_K_SMEARED,
     LAB_NODES},
    {with_turned_unit_rows_of_groups, LAB_K_SCORED, 2, 4, 2, "K̂ = unit(K)", LAB_K, LAB_NODES},
    {with_turned_unit_rows_of_groups, LAB_K, 2, 4, 2, "K = R(K₀)", LAB_K_BEFORE, LAB_NODES},
};

static void shapes_formulas_and_inputs_are_those_of_the_present_case(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (size_t t = 0; t < sizeof told / sizeof told[0]; t++) {
        struct lab_experiment experiment = experiment_with(told[t].change);
        const struct lab_sizes sizes = lab_experiment_sizes(&experiment);
        const struct lab_graph graph = lab_graph_of(&experiment, &sizes);
        const struct lab_node *const node = &graph.node[told[t].node];
        assert_true(lab_graph_has(&graph, told[t].node));
        assert_int_equal(node->matrices, told[t].matrices);
        assert_int_equal(node->rows, told[t].rows);
        assert_int_equal(node->cols, told[t].cols);
        assert_string_equal(lab_graph_formula(&graph, told[t].node, &arena), told[t].formula);
        const size_t bias = lab_graph_bias(&graph, told[t].node) == LAB_NODES ? 0 : 1;
        const size_t inputs =
            (told[t].left < LAB_NODES ? 1u : 0u) + (told[t].right < LAB_NODES ? 1u : 0u);
        assert_int_equal(node->inputs, inputs + bias);
        assert_true(inputs < 1 || node->input[0] == told[t].left);
        assert_true(inputs < 2 || node->input[1] == told[t].right);
        lab_experiment_release(&experiment);
    }
    arena_free(&arena);
}

static void multiplications_are_those_of_the_products(void **state)
{
    (void)state;
    const double n = WORDS, m = OTHERS, d = MODEL, h = HEADS, k = 2, r = 3;
    const struct {
        void (*change)(struct lab_experiment *);
        double count;
    } counts[] = {
        {as_it_is, h * (3 * n * d * k + 2 * n * n * k) + n * d * d},
        {with_other_words, h * (n * d * k + 2 * m * d * k + 2 * n * m * k) + n * d * d},
        {with_groups, h * n * d * k + 2 * 2 * n * d * k + h * 2 * n * n * k + n * d * d},
        {with_latent,
         h * n * d * k + n * d * r + h * 2 * n * r * k + h * 2 * n * n * k + n * d * d},
        {without_w_o, h * (3 * n * d * k + 2 * n * n * k)},
        {with_smeared_keys, h * (3 * n * d * k + 2 * n * n * k) + n * d * d + h * 2 * n * k},
        {with_weights_alone, 0},
    };
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        struct lab_experiment experiment = experiment_with(counts[c].change);
        assert_true(fabs(lab_op_count(&experiment) - counts[c].count) < 0.5);
        lab_experiment_release(&experiment);
    }
}

/* What the sheet of costs says of a kind is what an experiment of that kind counts. */
static void the_sheet_of_costs_counts_what_the_graph_counts(void **state)
{
    (void)state;
    struct lab_experiment plain = experiment_with(as_it_is);
    const struct lab_sizes sizes = lab_experiment_sizes(&plain);
    const struct lab_graph graph = lab_graph_of(&plain, &sizes);
    for (int kind = 0; kind < LAB_KINDS; kind++) {
        struct lab_experiment experiment = experiment_with(as_it_is);
        experiment.kind = (enum lab_kind)kind;
        const struct lab_graph other = lab_graph_of_kind(&graph, (enum lab_kind)kind);
        const struct lab_cost cost = lab_graph_cost(&other, sizes.n * sizes.m);
        assert_true(fabs(lab_op_count(&experiment) - (double)cost.multiplications) < 0.5);
        lab_experiment_release(&experiment);
    }
    lab_experiment_release(&plain);
}

static void with_turned_latent(struct lab_experiment *experiment)
{
    with_latent(experiment);
    with_rope(experiment);
}

/* The sheet of costs counted W_O also where it is left out, and a cache of latent rows also where
 * keys are turned and cannot be rebuilt from them. */
static void costs_are_those_of_the_present_case(void **state)
{
    (void)state;
    static const struct {
        void (*change)(struct lab_experiment *);
        size_t weights, cached;
    } costs[] = {
        {as_it_is, 4 * 8 * 8, 2 * 8},
        {without_w_o, 3 * 8 * 8, 2 * 8},
        {with_groups, 2 * 8 * 8 + 2 * 8 * 4, 2 * 4},
        {with_latent, 2 * 8 * 8 + 8 * 3 + 2 * 3 * 8, 3},
        {with_turned_latent, 2 * 8 * 8 + 8 * 3 + 2 * 3 * 8, 2 * 8},
        {with_given_weights, 0, 4},
    };
    for (size_t c = 0; c < sizeof costs / sizeof costs[0]; c++) {
        struct lab_experiment experiment = experiment_with(costs[c].change);
        const struct lab_sizes sizes = lab_experiment_sizes(&experiment);
        const struct lab_graph graph = lab_graph_of(&experiment, &sizes);
        const struct lab_cost cost = lab_graph_cost(&graph, sizes.n * sizes.m);
        assert_int_equal(cost.weights, costs[c].weights);
        assert_int_equal(cost.cache_numbers, costs[c].cached);
        lab_experiment_release(&experiment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_follows_from_its_inputs_and_no_part_is_missing),
        cmocka_unit_test(every_number_has_a_formula_that_leads_to_its_inputs),
        cmocka_unit_test(a_changed_number_changes_what_its_edges_lead_to_and_nothing_else),
        cmocka_unit_test(a_changed_bias_or_embedding_changes_what_it_leads_to),
        cmocka_unit_test(shapes_formulas_and_inputs_are_those_of_the_present_case),
        cmocka_unit_test(multiplications_are_those_of_the_products),
        cmocka_unit_test(the_sheet_of_costs_counts_what_the_graph_counts),
        cmocka_unit_test(costs_are_those_of_the_present_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
