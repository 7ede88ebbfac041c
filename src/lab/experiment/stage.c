/* lab/experiment/stage.c — the table of the seven stages. */
#include "lab/experiment/stage.h"

#include "lab/experiment/graph.h"
#include "lab/experiment/qk_transform.h"

static const struct lab_stage_row stages[LAB_STAGES] = {
    [LAB_EMBED] = {"embed", "Embed", "X", "Embed: every word becomes a point",
                   "X — each row is one word, written as numbers."},
    [LAB_PROJECT] =
        {"project", "Project", "XW", "Project: a query, a key and a value for every word",
         "Q = XW_Q, K = XW_K, V = XW_V — what a word looks for, how it can be found, what it "
         "has to say."},
    [LAB_SCORE] =
        {"score", "Score", "QKᵀ", "Score: every query meets every key",
         "S = QKᵀ — the longer and the better aligned two vectors are, the larger their dot "
         "product."},
    [LAB_SCALE] =
        {"scale", "Scale · mask", "÷√dₖ", "Scale and mask: scores of a moderate size",
         "S ÷ √dₖ — long vectors give large scores; dividing makes up for that. A mask hides "
         "keys."},
    [LAB_SOFTMAX] =
        {"softmax", "Softmax", "α", "Softmax: scores become shares",
         "α = softmax(S) — every row is positive and sums to 1, like shares of one cake."},
    [LAB_BLEND] =
        {"blend", "Blend", "αV", "Blend: values mix in proportion to attention",
         "Z = αV — each output is a weighted average, so it always lies inside the hull of the "
         "values."},
    [LAB_OUTPUT] =
        {"output", "Output", "W_O", "Output: the heads come together",
         "O = concat(Z₁ … Zₕ)W_O — what the heads found, side by side, mixed into one row for "
         "every word."},
};

const struct lab_stage_row *lab_stage_row(enum lab_stage stage)
{
    return &stages[stage];
}

/* Returns the step that makes a node where this computation has it. */
static const struct lab_qk_transform *step_at(const struct lab_graph *graph, size_t node)
{
    return lab_graph_has(graph, node) ? lab_qk_transform_making(graph->experiment, node) : NULL;
}

/* Returns the step that makes the keys of the scores; NULL: they are those that were projected. */
static const struct lab_qk_transform *last_step(const struct lab_graph *graph)
{
    const enum lab_part keys = lab_graph_keys(graph);
    return keys == LAB_K ? NULL : step_at(graph, keys);
}

/* Says whether a matrix is given whose rows are no shares. */
static bool is_no_attention(const struct lab_graph *graph)
{
    return graph != NULL && !lab_has_shares(graph->experiment);
}

const char *lab_stage_title(const struct lab_graph *graph, enum lab_stage stage)
{
    return stage == LAB_SOFTMAX && is_no_attention(graph) ? "Matrix" : stages[stage].title;
}

const char *lab_stage_formula(const struct lab_graph *graph, enum lab_stage stage)
{
    if (stage == LAB_SOFTMAX && is_no_attention(graph)) {
        return lab_graph_symbol(graph, LAB_ALPHA);
    }
    const struct lab_qk_transform *const step =
        graph == NULL || stage != LAB_SCORE ? NULL : last_step(graph);
    return step == NULL || step->formula == NULL ? stages[stage].formula : step->formula;
}

/* Says whether queries, keys and values are given rather than projected. */
static bool is_given(const struct lab_graph *graph)
{
    return graph != NULL && graph->sizes.raw && graph->experiment->alpha == NULL;
}

const char *lab_stage_headline(const struct lab_graph *graph, enum lab_stage stage)
{
    return stage == LAB_PROJECT && is_given(graph) ? "Project: Q, K and V as they are given"
           : stage == LAB_SOFTMAX && is_no_attention(graph) ? "A matrix as it is given"
                                                            : stages[stage].headline;
}

const char *lab_stage_sentence(const struct lab_graph *graph, enum lab_stage stage)
{
    if (graph == NULL) {
        return stages[stage].sentence;
    }
    const struct lab_experiment *const experiment = graph->experiment;
    const struct lab_qk_transform *const turn = step_at(graph, LAB_Q);
    const struct lab_qk_transform *const last = last_step(graph);
    const struct {
        enum lab_stage stage;
        bool holds;
        const char *sentence;
    } others[] = {
        {LAB_EMBED, lab_graph_has(graph, LAB_WAVES),
         "X = embeddings + P — a wave for every dimension tells where the word stands."},
        {LAB_PROJECT, lab_graph_has(graph, LAB_C),
         "Q = XW_Q, C = XW_DKV, K = CW_UK, V = CW_UV — one short row C is kept for each word, keys "
         "and values are rebuilt."},
        {LAB_PROJECT, is_given(graph) && turn != NULL,
         "Q, K and V are given, nothing is projected; then R turns queries and keys by their "
         "place."},
        {LAB_PROJECT, is_given(graph),
         "Q, K and V are given, nothing is projected: what is sought, how it is found, what it "
         "says."},
        {LAB_PROJECT, turn != NULL && experiment->rope_speeds != NULL,
         "Q = R(XW_Q), K = R(XW_K), V = XW_V — R turns pairs of dimensions by place, slower for "
         "longer texts."},
        {LAB_PROJECT, turn != NULL && experiment->rope_share < 1,
         "Q = R(XW_Q), K = R(XW_K), V = XW_V — R turns some pairs of dimensions by the word’s "
         "place."},
        {LAB_PROJECT, turn != NULL, turn == NULL ? "" : turn->sentence},
        {LAB_PROJECT, experiment->kind == LAB_GROUPED,
         "Q = XW_Q for every head; K = XW_K, V = XW_V once for every group of heads."},
        {LAB_PROJECT, experiment->kind == LAB_MULTI_QUERY,
         "Q = XW_Q for every head; K = XW_K, V = XW_V once for all heads."},
        {LAB_PROJECT, !graph->sizes.raw && lab_graph_bias(graph, LAB_Q) == LAB_NODES,
         "Q = XW_Q, K = XW_K, V = XW_V, no bias — what a word looks for, how it can be found, what "
         "it has to say."},
        {LAB_SCORE, last != NULL, last == NULL ? "" : last->sentence},
        {LAB_SCALE, experiment->score_bias != NULL,
         "S + B — a bias is added, learned for the distance of the two words. A mask hides keys."},
        {LAB_SCALE, experiment->score_cap != NULL,
         "c · tanh(S ÷ √dₖ ÷ c) — scores are capped: none gets beyond ± c. A mask hides keys."},
        {LAB_SCALE, !experiment->scale,
         "S stays as it is: √dₖ is left out, so long vectors give large scores. A mask hides "
         "keys."},
        {LAB_SOFTMAX, is_no_attention(graph),
         "M — the numbers as they were given: no softmax is taken, and they are no weights."},
        {LAB_SOFTMAX, experiment->normalise == LAB_PLAIN_SHARE,
         "α = S ÷ ΣS — plain shares: every row sums to 1, but negative scores stay negative."},
        {LAB_SOFTMAX, experiment->keep_maximum,
         "α = exp(S) ÷ Σ exp(S) — the maximum is not subtracted: large scores overflow."},
        {LAB_SOFTMAX, experiment->sinks != NULL,
         "α = softmax(S, sink) — a sink takes part in every row: the words share what it leaves."},
        {LAB_BLEND, experiment->normalise == LAB_PLAIN_SHARE,
         "Z = αV — a weighted sum; with negative weights it may leave the hull of the values."},
        {LAB_OUTPUT, graph->node[LAB_OUTPUT_O].operation == LAB_COPY,
         "O = concat(Z₁ … Zₕ) — W_O is left out: what the heads found stands side by side."},
        {LAB_OUTPUT, lab_graph_has(graph, LAB_RESIDUAL),
         "O = concat(Z₁ … Zₕ)W_O, then X + O — what was found is added to what was there."},
    };
    for (size_t o = 0; o < sizeof others / sizeof others[0]; o++) {
        if (others[o].stage == stage && others[o].holds) {
            return others[o].sentence;
        }
    }
    return stages[stage].sentence;
}
