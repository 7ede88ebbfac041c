/* model/model_block.c — a layer of a run once more around its attention, with every step of it
 * kept: the same products in the same order as model/model_layers.c has them, so that y has the
 * bits of what the next layer reads. */
#include <stdlib.h>
#include <string.h>

#include "model/model_making.h"

float *making_values(struct making *making, struct lab_block_step *step)
{
    float *const values =
        making->failed ? NULL : arena_array(&making->arena, making->n * step->cols, sizeof *values);
    making->failed = values == NULL;
    step->values = values;
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

/* The numbers of a step as an operand. */
static struct attn_operand numbers_of(const struct making *making, size_t step)
{
    const struct lab_block_step *const s = making_step(making, step);
    return dense_operand(s->values, making->n, s->cols);
}

/* ---- kinds of steps -------------------------------------------------------------------------- */

static size_t add_given(struct making *making, enum lab_block_name named, size_t cols,
                        const float *values)
{
    return making_add(making, &(struct lab_block_step){
                                  .named = named, .op = LAB_GIVEN, .cols = cols, .values = values});
}

/* Adds a step whose numbers are those of two others added or multiplied. */
static size_t add_of_two(struct making *making, enum lab_block_name named,
                         enum lab_operation operation, size_t a, size_t b)
{
    struct lab_block_step step = {.named = named, .op = operation, .of = {a, b}};
    step.cols = making->failed ? 0 : making_step(making, a)->cols;
    float *const out = making_values(making, &step);
    for (size_t i = 0; out != NULL && i < making->n * step.cols; i++) {
        const float left = making_step(making, a)->values[i];
        const float right = making_step(making, b)->values[i];
        out[i] = operation == LAB_SUM ? left + right : left * right;
    }
    return making_add(making, &step);
}

static size_t add_sum(struct making *making, enum lab_block_name named, size_t a, size_t b)
{
    return add_of_two(making, named, LAB_SUM, a, b);
}

size_t making_norm(struct making *making, enum lab_block_name named, size_t of,
                   const struct model_norm *norm, size_t together)
{
    if (norm->gain == NULL || making->failed) {
        return of;
    }
    const struct lab_block_step *const x = making_step(making, of);
    const size_t cols = x->cols, width = together > 0 ? together : cols;
    struct lab_block_step step = {.named = named,
                                  .op = LAB_NORM,
                                  .of = {of},
                                  .cols = cols,
                                  .parts = x->parts,
                                  .together = together,
                                  .gain = norm->gain,
                                  .bias = norm->bias,
                                  .epsilon = (double)making->config->epsilon,
                                  .centred = making->config->family->norm == MODEL_LAYER_NORM};
    float *const out = making_values(making, &step);
    for (size_t first = 0; out != NULL && first < cols; first += width) {
        model_normalise(&making->run.means, making->config, norm,
                        (struct attn_operand){x->values + first, making->n, width, cols},
                        (struct attn_matrix){out + first, making->n, width, cols});
    }
    return making_add(making, &step);
}

/* Returns the name of a matrix, and how many heads or groups its columns belong to; 0: to none. */
static const char *weights_name(const struct model_config *config, size_t place, size_t *parts)
{
    enum owner { ALL, HEADS, GROUPS };
    static const struct {
        const char *name;
        enum owner of;
    } weights[] = {
        [MODEL_M_Q] = {"W_Q", HEADS},         [MODEL_M_K] = {"W_K", GROUPS},
        [MODEL_M_V] = {"W_V", GROUPS},        [MODEL_M_O] = {"W_O", ALL},
        [MODEL_M_Q_A] = {"W_DQ", ALL},        [MODEL_M_K_B] = {"W_UK", HEADS},
        [MODEL_M_V_B] = {"W_UV", HEADS},      [MODEL_M_GATE] = {"W_gate", ALL},
        [MODEL_M_UP] = {"W_up", ALL},         [MODEL_M_DOWN] = {"W_down", ALL},
        [MODEL_M_ROUTER] = {"W_router", ALL}, [MODEL_M_KV_A_LATENT] = {"W_DKV", ALL},
        [MODEL_M_KV_A_TURNS] = {"W_KR", ALL},
    };
    const size_t counts[] = {[ALL] = 0, [HEADS] = config->heads, [GROUPS] = config->groups};
    *parts = counts[weights[place].of];
    return place == MODEL_M_Q && config->family->latent && config->q_rank > 0 ? "W_UQ"
                                                                              : weights[place].name;
}

size_t making_product(struct making *making, enum lab_block_name named, size_t of, size_t place)
{
    const struct model_matrix w = making_matrix(making->config, making->layer, place);
    struct lab_block_step step = {.named = named,
                                  .op = LAB_PRODUCT,
                                  .of = {of},
                                  .cols = w.cols,
                                  .bias = w.bias,
                                  .matrix = place};
    step.weights = weights_name(making->config, place, &step.parts);
    float *const out = making_values(making, &step);
    if (out != NULL) {
        model_product(&making->run.means, numbers_of(making, of), &w, NULL,
                      dense_matrix(out, making->n, w.cols));
    }
    return making_add(making, &step);
}

/* The product of step `of` with the activation, as the layer computes both in one. */
static size_t add_activated(struct making *making, size_t of, enum model_matrix_place place)
{
    const struct model_matrix *const w = &making->layer->matrix[place];
    struct lab_block_step step = {.named = LAB_BLOCK_ACTIVE,
                                  .op = LAB_ACTIVATE,
                                  .of = {of},
                                  .cols = w->cols,
                                  .function = model_activation_name(making->config->activation)};
    float *const out = making_values(making, &step);
    if (out != NULL) {
        model_product(&making->run.means, numbers_of(making, making_step(making, of)->of[0]), w,
                      &making->config->activation, dense_matrix(out, making->n, w->cols));
    }
    return making_add(making, &step);
}

/* ---- a layer --------------------------------------------------------------------------------- */

/* Adds the output of attention before it joins the stream: after W_O, and normed where the model
 * does that. */
static size_t add_attention(struct making *making, enum model_attention which)
{
    const bool across = which == MODEL_CROSS;
    struct lab_block_step mixed = {.cols = making->config->heads * making->config->d_v},
                          o = {.cols = making->width};
    float *const z = making_values(making, &mixed);
    size_t step = 0;
    making->failed =
        making->failed || !model_attend(&making->run, which, making->number, 0, making->n,
                                        dense_matrix(z, making->n, mixed.cols));
    if (making->failed) {
        return 0;
    }
    if (!across && model_gives_rows(making->config, making->layer)) {
        making->at = LAB_BLOCK_AT_OUTPUT;
        const size_t heads = add_given(making, LAB_BLOCK_Z, mixed.cols, z);
        making->at |= LAB_BLOCK_AT_BLOCK;
        step = making_product(making, LAB_BLOCK_O_MADE, heads, MODEL_M_O);
        making->at = 0;
    } else {
        float *const out = making_values(making, &o);
        if (out != NULL) {
            model_product(&making->run.means, dense_operand(z, making->n, mixed.cols),
                          &making->layer->matrix[across ? MODEL_M_CROSS_O : MODEL_M_O], NULL,
                          dense_matrix(out, making->n, making->width));
        }
        step = add_given(making, across ? LAB_BLOCK_CROSS : LAB_BLOCK_O, making->width, out);
    }
    return across ? step
                  : making_norm(making, LAB_BLOCK_O_NORM, step,
                                &making->layer->norm[MODEL_NORM_ATTN_POST], 0);
}

/* Which experts each word asks, and what they count: the router's products, and the shares of those
 * that are chosen, which are returned. */
static size_t add_router(struct making *making, size_t seen)
{
    const struct model_experts *const experts = &making->config->experts;
    const size_t router = making_product(making, LAB_BLOCK_ROUTER, seen, MODEL_M_ROUTER);
    struct lab_block_step step = {
        .named = LAB_BLOCK_CHOSEN, .op = LAB_GIVEN, .cols = experts->count};
    float *const logits = arena_array(&making->arena, experts->count, sizeof *logits);
    float *const weight = arena_array(&making->arena, experts->chosen, sizeof *weight);
    size_t *const chosen = arena_array(&making->arena, experts->chosen, sizeof *chosen);
    float *const shares = making_values(making, &step);
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
    return making_add(making, &step);
}

/* Adds the outputs of the chosen experts, summed by their shares; of many tokens only the sum is
 * kept. */
static size_t add_experts(struct making *making, size_t seen)
{
    enum { NUMBERS_MAX = 1 << 24 };
    const size_t shares = add_router(making, seen);
    const size_t chosen = making->config->experts.chosen, n = making->n, width = making->width;
    const bool keeps = n * chosen <= NUMBERS_MAX / width;
    struct lab_block_step step = {
        .named = LAB_BLOCK_EXPERTS,
        .op = keeps ? LAB_MIX_EXPERTS : LAB_GIVEN,
        .of = {shares},
        .cols = width,
        .asked = {chosen, NULL, NULL, making->config->experts.shared > 0}};
    float *const sum = making_values(making, &step);
    const struct model_answers answers = {
        keeps ? arena_array(&making->arena, n * chosen, sizeof *answers.expert) : NULL,
        keeps ? arena_array(&making->arena, n * chosen, width * sizeof *answers.said) : NULL};
    making->failed = making->failed ||
                     (keeps && (answers.expert == NULL || answers.said == NULL)) ||
                     !model_ask_experts(&making->run, making->layer, numbers_of(making, seen),
                                        dense_matrix(sum, n, width), keeps ? &answers : NULL);
    step.asked.expert = answers.expert;
    step.asked.said = answers.said;
    return making_add(making, &step);
}

/* Out of the hidden width, of what is seen. */
static size_t add_mlp(struct making *making, size_t seen)
{
    if (making->layer->expert[MODEL_E_DOWN] != NULL) {
        return add_experts(making, seen);
    }
    const bool gated = making->config->gated;
    const enum model_matrix_place first = gated ? MODEL_M_GATE : MODEL_M_UP;
    const size_t wide =
        making_product(making, gated ? LAB_BLOCK_MLP_GATE : LAB_BLOCK_HIDDEN, seen, first);
    size_t active = add_activated(making, wide, first);
    if (gated) {
        const size_t up = making_product(making, LAB_BLOCK_UP, seen, MODEL_M_UP);
        active = add_of_two(making, LAB_BLOCK_GATED, LAB_GATE, active, up);
    }
    const size_t out = making_product(making, LAB_BLOCK_MLP, active, MODEL_M_DOWN);
    making->failed = making->failed || !lab_block_find_neurons(making->block, active, out);
    return out;
}

/* Attention and MLP beside each other: both read x. */
static size_t add_beside(struct making *making, size_t x, size_t o)
{
    const struct model_norm *const own = &making->layer->norm[MODEL_NORM_MLP];
    const struct model_norm *const norm =
        own->gain != NULL ? own : &making->layer->norm[MODEL_NORM_ATTN];
    const size_t m = add_mlp(making, making_norm(making, LAB_BLOCK_MLP_SEEN, x, norm, 0));
    return add_sum(making, LAB_BLOCK_Y, x, add_sum(making, LAB_BLOCK_BOTH, o, m));
}

/* One behind the other, with norms before, behind, or both. */
static size_t add_behind(struct making *making, size_t x, size_t o)
{
    const struct model_norm *const norm = making->layer->norm;
    if (making->layer->is_without_mlp) {
        return add_sum(making, LAB_BLOCK_Y, x, o);
    }
    size_t stream = add_sum(making, LAB_BLOCK_ADDED, x, o);
    stream = making_norm(making, LAB_BLOCK_ADDED_NORM, stream, &norm[MODEL_NORM_ATTN_AFTER], 0);
    if (making->layer->matrix[MODEL_M_CROSS_Q].tensor != NULL) {
        stream = add_sum(making, LAB_BLOCK_CROSSED, stream, add_attention(making, MODEL_CROSS));
        stream =
            making_norm(making, LAB_BLOCK_CROSSED_NORM, stream, &norm[MODEL_NORM_CROSS_AFTER], 0);
    }
    const size_t seen = making_norm(making, LAB_BLOCK_MLP_SEEN, stream, &norm[MODEL_NORM_MLP], 0);
    const size_t m = making_norm(making, LAB_BLOCK_MLP_NORM, add_mlp(making, seen),
                                 &norm[MODEL_NORM_MLP_POST], 0);
    const bool normed = norm[MODEL_NORM_MLP_AFTER].gain != NULL;
    const size_t sum = add_sum(making, normed ? LAB_BLOCK_WHOLE : LAB_BLOCK_Y, stream, m);
    return making_norm(making, LAB_BLOCK_Y, sum, &norm[MODEL_NORM_MLP_AFTER], 0);
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
    const struct model *const model = making->run.model;
    const size_t vocabulary = model->config.vocabulary, n = making->n;
    size_t rows = n < ROWS_MAX ? n : ROWS_MAX;
    rows = rows * vocabulary > NUMBERS_MAX ? 1 : rows;
    const bool writes = making->pass->stack == &model->main && model->output.tensor != NULL;
    void *const written = /* which only reads it */
        model->target_tokenizer != NULL ? model->target_tokenizer : model->tokenizer;
    (void)making_norm(making, LAB_BLOCK_FINAL, y, &making->pass->stack->final_norm, 0);
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
    const struct model_matrix part = making_matrix(kept->config, kept->layer, place);
    model_matrix_columns(&part, first, count, out);
}

static void make_steps(struct making *making, enum model_attention own, struct error *error)
{
    const bool rows = model_gives_rows(making->config, making->layer);
    making->at = rows ? LAB_BLOCK_AT_BLOCK | LAB_BLOCK_AT_EMBED : 0;
    const size_t x =
        add_given(making, LAB_BLOCK_X, making->width, making->pass->residual[making->number]);
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
    if (which != MODEL_ENCODER && model_intervenes(pass->interventions, MODEL_NODE_OUTPUT,
                                                   MODEL_NODE_MLP, layer, MODEL_EACH)) {
        error_set(error, ERROR_INPUT,
                  "Numbers behind the heads of layer %zu are replaced: its steps cannot be shown "
                  "one by one.",
                  layer);
        return NULL;
    }
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
