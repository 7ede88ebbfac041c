/* model/model_block.c — a layer of a run once more around its attention, with every step of it
 * kept: the same products in the same order as model/model_layers.c has them, so that y has the
 * bits of what the next layer reads. */
#include <stdlib.h>
#include <string.h>

#include "model/model_making.h"

float *making_floats(struct making *making, size_t cols)
{
    float *const values = arena_array(&making->arena, making->n * cols, sizeof *values);
    making->failed = making->failed || values == NULL;
    return values;
}

size_t making_add(struct making *making, const struct lab_block_step *step)
{
    struct lab_block_step shown = *step;
    shown.at = making->at;
    const size_t at = making->failed ? LAB_BLOCK_NOTHING : lab_block_add(making->block, &shown);
    making->failed = making->failed || at == LAB_BLOCK_NOTHING;
    return making->failed ? 0 : at;
}

const struct lab_block_step *making_step(const struct making *making, size_t step)
{
    return lab_block_step(making->block, step);
}

/* ---- kinds of steps -------------------------------------------------------------------------- */

static size_t add_given(struct making *making, const struct called *called, const float *values)
{
    return making_add(making, &(struct lab_block_step){.name = called->name,
                                                       .sign = called->sign,
                                                       .what = called->what,
                                                       .op = LAB_BLOCK_GIVEN,
                                                       .of = {LAB_BLOCK_NOTHING, LAB_BLOCK_NOTHING},
                                                       .cols = making->width,
                                                       .values = values});
}

static size_t add_sum(struct making *making, const struct called *called, size_t a, size_t b)
{
    float *const sum = making_floats(making, making->width);
    if (making->failed) {
        return 0;
    }
    const float *const left = making_step(making, a)->values, *const right =
                                                                  making_step(making, b)->values;
    for (size_t i = 0; i < making->n * making->width; i++) {
        sum[i] = left[i] + right[i];
    }
    return making_add(making, &(struct lab_block_step){.name = called->name,
                                                       .sign = called->sign,
                                                       .what = called->what,
                                                       .op = LAB_BLOCK_SUM,
                                                       .of = {a, b},
                                                       .cols = making->width,
                                                       .values = sum});
}

/* The step itself where there is no such norm. */
static size_t add_norm(struct making *making, const struct called *called, size_t of,
                       const struct model_norm *norm)
{
    if (norm->gain == NULL) {
        return of;
    }
    float *const normed = making_floats(making, making->width);
    if (making->failed) {
        return 0;
    }
    model_normalise(&making->run.means, making->config, norm,
                    dense_operand(making_step(making, of)->values, making->n, making->width),
                    dense_matrix(normed, making->n, making->width));
    return making_add(making, &(struct lab_block_step){.name = called->name,
                                                       .sign = called->sign,
                                                       .what = called->what,
                                                       .op = LAB_BLOCK_NORM,
                                                       .of = {of, LAB_BLOCK_NOTHING},
                                                       .cols = making->width,
                                                       .values = normed,
                                                       .gain = norm->gain,
                                                       .bias = norm->bias,
                                                       .epsilon = (double)making->config->epsilon,
                                                       .centred = making->config->family->norm ==
                                                                  MODEL_LAYER_NORM});
}

/* The names of a product's weights, and what a column of them belongs to. */
static const struct {
    const char *name;
    enum lab_block_column column;
} product_weights[MODEL_MATRICES] = {
    [MODEL_M_O] = {"W_O", LAB_BLOCK_COLUMN_NUMBER},
    [MODEL_M_GATE] = {"W_gate", LAB_BLOCK_COLUMN_NEURON},
    [MODEL_M_UP] = {"W_up", LAB_BLOCK_COLUMN_NEURON},
    [MODEL_M_DOWN] = {"W_down", LAB_BLOCK_COLUMN_NUMBER},
    [MODEL_M_ROUTER] = {"W_router", LAB_BLOCK_COLUMN_EXPERT},
};

static size_t add_product(struct making *making, const struct called *called, size_t of,
                          enum model_matrix_place place)
{
    const struct model_matrix *const w = &making->layer->matrix[place];
    float *const out = making_floats(making, w->cols);
    if (making->failed) {
        return 0;
    }
    model_product(&making->run.means,
                  dense_operand(making_step(making, of)->values, making->n, w->depth), w, NULL,
                  dense_matrix(out, making->n, w->cols));
    return making_add(making, &(struct lab_block_step){.name = called->name,
                                                       .sign = called->sign,
                                                       .what = called->what,
                                                       .op = LAB_BLOCK_PRODUCT,
                                                       .of = {of, LAB_BLOCK_NOTHING},
                                                       .cols = w->cols,
                                                       .values = out,
                                                       .bias = w->bias,
                                                       .weights = product_weights[place].name,
                                                       .column = product_weights[place].column,
                                                       .matrix = place});
}

/* The product of step `of` with the activation, as the layer computes both in one. */
static size_t add_activated(struct making *making, size_t of, enum model_matrix_place place)
{
    static const struct called called = {"active", "h", "what is active of it"};
    const struct model_matrix *const w = &making->layer->matrix[place];
    float *const out = making_floats(making, w->cols);
    if (making->failed) {
        return 0;
    }
    const struct lab_block_step *const x = making_step(making, making_step(making, of)->of[0]);
    model_product(&making->run.means, dense_operand(x->values, making->n, w->depth), w,
                  &making->config->activation, dense_matrix(out, making->n, w->cols));
    return making_add(making, &(struct lab_block_step){
                                  .name = called.name,
                                  .sign = called.sign,
                                  .what = called.what,
                                  .op = LAB_BLOCK_ACTIVATED,
                                  .of = {of, LAB_BLOCK_NOTHING},
                                  .cols = w->cols,
                                  .values = out,
                                  .column = LAB_BLOCK_COLUMN_NEURON,
                                  .function = model_activation_name(making->config->activation)});
}

static size_t add_gated(struct making *making, size_t gate, size_t up)
{
    const size_t cols = making->failed ? 0 : making_step(making, gate)->cols;
    float *const out = making_floats(making, cols);
    if (making->failed) {
        return 0;
    }
    const float *const a = making_step(making, gate)->values, *const b =
                                                                  making_step(making, up)->values;
    for (size_t i = 0; i < making->n * cols; i++) {
        out[i] = a[i] * b[i];
    }
    return making_add(making, &(struct lab_block_step){.name = "gated",
                                                       .sign = "g",
                                                       .what = "what the gate lets through",
                                                       .op = LAB_BLOCK_GATED,
                                                       .of = {gate, up},
                                                       .cols = cols,
                                                       .column = LAB_BLOCK_COLUMN_NEURON,
                                                       .values = out});
}

/* ---- a layer --------------------------------------------------------------------------------- */

/* Adds what the heads found, side by side. */
static size_t add_mixed(struct making *making, const float *mixed)
{
    return making_add(making,
                      &(struct lab_block_step){.name = "z",
                                               .sign = "z",
                                               .what = "heads side by side",
                                               .op = LAB_BLOCK_GIVEN,
                                               .of = {LAB_BLOCK_NOTHING, LAB_BLOCK_NOTHING},
                                               .cols = making->config->heads * making->config->d_v,
                                               .values = mixed});
}

/* Adds the output of attention before it joins the stream: after W_O, and normed where the model
 * does that. */
static size_t add_attention(struct making *making, enum model_attention which)
{
    static const struct called given[] = {{"o", "o", "from attention"},
                                          {"cross", "c", "from the other text"},
                                          {"o", "o", "what attention gives"}};
    static const struct called posted = {"o_norm", "o′", "what attention gives, normed"};
    const bool across = which == MODEL_CROSS;
    const size_t z = making->config->heads * making->config->d_v;
    size_t step = 0;
    float *const mixed = making_floats(making, z), *const o = making_floats(making, making->width);
    making->failed = making->failed || !model_attend(&making->run, which, making->number, 0,
                                                     making->n, dense_matrix(mixed, making->n, z));
    if (making->failed) {
        return 0;
    }
    if (!across && model_gives_rows(making->config, making->layer)) {
        making->at = LAB_BLOCK_AT_OUTPUT;
        const size_t heads = add_mixed(making, mixed);
        making->at |= LAB_BLOCK_AT_BLOCK;
        step = add_product(making, &given[2], heads, MODEL_M_O);
        making->at = 0;
    } else {
        model_product(&making->run.means, dense_operand(mixed, making->n, z),
                      &making->layer->matrix[across ? MODEL_M_CROSS_O : MODEL_M_O], NULL,
                      dense_matrix(o, making->n, making->width));
        step = add_given(making, &given[across ? 1 : 0], o);
    }
    return across ? step
                  : add_norm(making, &posted, step, &making->layer->norm[MODEL_NORM_ATTN_POST]);
}

/* Which experts each word asks, and what they count: the router's products, and the shares of those
 * that are chosen, which are returned. */
static size_t add_router(struct making *making, size_t seen)
{
    static const struct called called = {"router", "r", "how well each expert fits"};
    const struct model_experts *const experts = &making->config->experts;
    const size_t router = add_product(making, &called, seen, MODEL_M_ROUTER);
    float *const logits = arena_array(&making->arena, experts->count, sizeof *logits);
    float *const weight = arena_array(&making->arena, experts->chosen, sizeof *weight);
    size_t *const chosen = arena_array(&making->arena, experts->chosen, sizeof *chosen);
    float *const shares = making_floats(making, experts->count);
    making->failed = making->failed || logits == NULL || weight == NULL || chosen == NULL;
    for (size_t i = 0; !making->failed && i < making->n; i++) {
        memcpy(logits, making_step(making, router)->values + i * experts->count,
               experts->count * sizeof *logits);
        model_choose_experts(making->config, making->run.means.kernels, making->layer->router_bias,
                             logits, chosen, weight);
        for (size_t e = 0; e < experts->chosen; e++) {
            shares[i * experts->count + chosen[e]] = weight[e];
        }
    }
    return making_add(making, &(struct lab_block_step){.name = "chosen",
                                                       .sign = "e",
                                                       .what = "shares of experts",
                                                       .op = LAB_BLOCK_GIVEN,
                                                       .of = {LAB_BLOCK_NOTHING, LAB_BLOCK_NOTHING},
                                                       .cols = experts->count,
                                                       .column = LAB_BLOCK_COLUMN_EXPERT,
                                                       .values = shares});
}

/* Adds the outputs of the chosen experts, summed by their shares; of many tokens only the sum is
 * kept. */
static size_t add_experts(struct making *making, size_t seen)
{
    enum { NUMBERS_MAX = 1 << 24 };
    static const struct called experts = {"mlp", "m", "from the experts"};
    const size_t shares = add_router(making, seen);
    const size_t chosen = making->config->experts.chosen, n = making->n, width = making->width;
    const bool keeps = n * chosen <= NUMBERS_MAX / width;
    float *const sum = making_floats(making, width);
    const struct model_answers answers = {
        keeps ? arena_array(&making->arena, n * chosen, sizeof *answers.expert) : NULL,
        keeps ? making_floats(making, chosen * width) : NULL};
    making->failed = making->failed ||
                     (keeps && (answers.expert == NULL || answers.said == NULL)) ||
                     !model_ask_experts(&making->run, making->layer,
                                        dense_operand(making_step(making, seen)->values, n, width),
                                        dense_matrix(sum, n, width), keeps ? &answers : NULL);
    if (making->failed || !keeps) {
        return making->failed ? 0 : add_given(making, &experts, sum);
    }
    return making_add(making,
                      &(struct lab_block_step){.name = experts.name,
                                               .sign = experts.sign,
                                               .what = experts.what,
                                               .op = LAB_BLOCK_MOE_MIX,
                                               .of = {shares, LAB_BLOCK_NOTHING},
                                               .cols = width,
                                               .values = sum,
                                               .asked = {chosen, answers.expert, answers.said,
                                                         making->config->experts.shared > 0}});
}

/* Out of the hidden width, of what is seen. */
static size_t add_mlp(struct making *making, size_t seen)
{
    static const struct called hidden = {"hidden", "u", "into the hidden width"},
                               gate = {"gate", "t", "the gate, of the hidden width"},
                               up = {"up", "u", "what the gate is for"},
                               down = {"mlp", "m", "out of the hidden width"};
    if (making->layer->expert[MODEL_E_DOWN] != NULL) {
        return add_experts(making, seen);
    }
    const bool gated = making->config->gated;
    const enum model_matrix_place first = gated ? MODEL_M_GATE : MODEL_M_UP;
    const size_t wide = add_product(making, gated ? &gate : &hidden, seen, first);
    size_t active = add_activated(making, wide, first);
    active = gated ? add_gated(making, active, add_product(making, &up, seen, MODEL_M_UP)) : active;
    const size_t out = add_product(making, &down, active, MODEL_M_DOWN);
    making->failed = making->failed || !lab_block_find_neurons(making->block, active, out);
    return out;
}

static const struct called seen_by_mlp = {"norm", "x̂", "what the MLP sees, normed"};
static const struct called whole = {"y", "y", "the residual stream behind the layer"};

/* Attention and MLP beside each other: both read x. */
static size_t add_beside(struct making *making, size_t x, size_t o)
{
    static const struct called both = {"both", "s", "attention and MLP together"};
    const struct model_norm *const own = &making->layer->norm[MODEL_NORM_MLP];
    const struct model_norm *const norm =
        own->gain != NULL ? own : &making->layer->norm[MODEL_NORM_ATTN];
    const size_t m = add_mlp(making, add_norm(making, &seen_by_mlp, x, norm));
    return add_sum(making, &whole, x, add_sum(making, &both, o, m));
}

/* One behind the other, with norms before, behind, or both. */
static size_t add_behind(struct making *making, size_t x, size_t o)
{
    static const struct called added = {"added", "x′", "the residual stream with attention added"},
                               after = {"added_norm", "x″", "the sum, normed"},
                               crossed = {"crossed", "x‴", "with the other text added"},
                               cross_after = {"crossed_norm", "x⁗", "that sum, normed"},
                               posted = {"mlp_norm", "m′", "what the MLP gives, normed"},
                               last = {"sum", "s", "the residual stream with the MLP added"};
    const struct model_norm *const norm = making->layer->norm;
    if (making->layer->is_without_mlp) {
        return add_sum(making, &whole, x, o);
    }
    size_t stream = add_sum(making, &added, x, o);
    stream = add_norm(making, &after, stream, &norm[MODEL_NORM_ATTN_AFTER]);
    if (making->layer->matrix[MODEL_M_CROSS_Q].tensor != NULL) {
        stream = add_sum(making, &crossed, stream, add_attention(making, MODEL_CROSS));
        stream = add_norm(making, &cross_after, stream, &norm[MODEL_NORM_CROSS_AFTER]);
    }
    const size_t seen = add_norm(making, &seen_by_mlp, stream, &norm[MODEL_NORM_MLP]);
    const size_t m = add_norm(making, &posted, add_mlp(making, seen), &norm[MODEL_NORM_MLP_POST]);
    const bool normed = norm[MODEL_NORM_MLP_AFTER].gain != NULL;
    const size_t sum = add_sum(making, normed ? &last : &whole, stream, m);
    return add_norm(making, &whole, sum, &norm[MODEL_NORM_MLP_AFTER]);
}

/* ---- behind the last layer ------------------------------------------------------------------- */

static const char *word_named(void *owner, size_t index, struct arena *arena)
{
    return owner == NULL ? arena_format(arena, "%zu", index)
                         : tokenizer_shown(owner, (uint32_t)index, arena);
}

/* The final norm, and the likeliest words at the last places. */
static void add_end(struct making *making, size_t y, struct error *error)
{
    enum { ROWS_MAX = 16, NUMBERS_MAX = 1 << 24 };
    static const struct called final = {"final", "ŷ", "the final norm, which logits are made of"};
    const struct model *const model = making->run.model;
    const size_t vocabulary = model->config.vocabulary, n = making->n;
    size_t rows = n < ROWS_MAX ? n : ROWS_MAX;
    rows = rows * vocabulary > NUMBERS_MAX ? 1 : rows;
    const bool writes = making->pass->stack == &model->main && model->output.tensor != NULL;
    void *const written = /* which only reads it */
        model->target_tokenizer != NULL ? model->target_tokenizer : model->tokenizer;
    (void)add_norm(making, &final, y, &making->pass->stack->final_norm);
    if (!writes || making->failed) {
        return;
    }
    float *const logits = arena_array(&making->arena, rows, vocabulary * sizeof *logits);
    making->failed =
        logits == NULL || !model_run_logits(&making->run, n - rows, rows, logits, error);
    for (size_t i = 0; !making->failed && i < rows; i++) {
        making->failed = !lab_block_set_words(making->block, n - rows + i, logits + i * vocabulary,
                                              vocabulary, word_named, written);
    }
}

/* ---- a block --------------------------------------------------------------------------------- */

/* The parts of its model that a block keeps. */
struct kept {
    const struct model_config *config;
    const struct model_layer *layer;
};

static void read_columns(void *owner, size_t place, size_t first, size_t count, float *out)
{
    const struct kept *const kept = owner;
    const struct model_matrix dense_matrix = making_matrix(kept->config, kept->layer, place);
    model_matrix_columns(&dense_matrix, first, count, out);
}

static void make_steps(struct making *making, enum model_attention own, struct error *error)
{
    static const struct called given = {"x", "x", "before the layer"};
    const bool rows = model_gives_rows(making->config, making->layer);
    making->at = rows ? LAB_BLOCK_AT_BLOCK | LAB_BLOCK_AT_EMBED : 0;
    const size_t x = add_given(making, &given, making->pass->residual[making->number]);
    const size_t seen = making_see(making, x);
    if (rows) {
        making_project(making, seen);
    }
    making->at = 0;
    const size_t o = add_attention(making, own);
    const size_t y = making->config->parallel ? add_beside(making, x, o) : add_behind(making, x, o);
    if (!making->failed && making->number + 1 == making->pass->stack->count) {
        add_end(making, y, error);
    }
}

struct lab_block *model_block(const struct model_run *run, enum model_attention which, size_t layer,
                              struct error *error)
{
    const struct model *const model = run->model;
    const struct model_pass *const pass = which == MODEL_ENCODER ? &run->encoder : &run->main;
    struct error reason = {ERROR_NONE, 0, ""};
    struct making making = {.run = *run,
                            .config = &model->config,
                            .pass = pass,
                            .layer = &pass->stack->layer[layer],
                            .number = layer,
                            .n = pass->count,
                            .width = model->config.width};
    if (!model->source->calls->whole(model->source, error)) {
        return NULL;
    }
    struct kept *const kept = malloc(sizeof *kept);
    const struct lab_block_weights weights = {
        .owner = kept, .columns = read_columns, .release = free};
    if (kept == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to look into this layer.");
        return NULL;
    }
    *kept = (struct kept){&model->config, &pass->stack->layer[layer]};
    making.run.means.scratch = arena_array(&making.arena, attn_pool_threads(run->means.pool),
                                           (run->means.worker_floats + 1) * sizeof(float));
    making.block = lab_block_make(making.n, layer, pass->stack->count, &weights);
    making.failed = making.run.means.scratch == NULL || making.block == NULL;
    if (!making.failed) {
        make_steps(&making, which == MODEL_ENCODER ? MODEL_ENCODER : MODEL_SELF, &reason);
    }
    arena_free(&making.arena);
    if (making.failed || !model->source->calls->whole(model->source, &reason)) {
        error_set(error, reason.code == ERROR_NONE ? ERROR_MEMORY : reason.code, "%s",
                  reason.code == ERROR_NONE ? "There is not enough memory to look into this layer."
                                            : reason.text);
        lab_block_release(making.block);
        return NULL;
    }
    return making.block;
}
