/* learn/block.c — the steps of a layer as the training pass computed them. */
#include "learn/block.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* The matrices of the layer are copied, since training goes on meanwhile. */
enum { OF_GATE, OF_UP, OF_DOWN, MATRICES };

struct matrices {
    bool turned; /* [cols][depth], as in llama */
    size_t depth[MATRICES], cols[MATRICES];
    float *values[MATRICES];
};

struct making {
    const struct learn_layer_view *view;
    const struct learn_shape *shape;
    struct learn_tensors tensors;
    struct matrices *own;
    struct lab_block *block;
    struct arena arena;
    bool failed;
};

static void release_making(void *owner)
{
    struct matrices *const own = owner;
    for (size_t m = 0; m < MATRICES; m++) {
        free(own->values[m]);
    }
    free(own);
}

static void copy_columns(void *owner, size_t matrix, size_t first, size_t count, float *out)
{
    const struct matrices *const own = owner;
    const size_t depth = own->depth[matrix], cols = own->cols[matrix];
    const float *const values = own->values[matrix];
    for (size_t row = 0; row < depth; row++) {
        for (size_t c = 0; c < count; c++) {
            out[row * count + c] =
                own->turned ? values[(first + c) * depth + row] : values[row * cols + first + c];
        }
    }
}

/* Returns the weights of a role; NULL: this shape has none. */
static const float *weights_of(const struct making *making, enum learn_role role)
{
    const struct learn_tensor *const tensor =
        learn_tensors_find(&making->tensors, role, making->view->layer);
    return tensor == NULL ? NULL : making->view->weights + tensor->offset;
}

static bool copy_matrices(struct making *making)
{
    static const enum learn_role roles[MATRICES] = {LEARN_GATE, LEARN_UP, LEARN_DOWN};
    const size_t d = making->shape->d_model, inner = making->shape->inner;
    making->own->turned = making->shape->family == LEARN_LLAMA;
    for (size_t m = 0; m < MATRICES; m++) {
        const float *const from = weights_of(making, roles[m]);
        making->own->depth[m] = m == OF_DOWN ? inner : d;
        making->own->cols[m] = m == OF_DOWN ? d : inner;
        if (from != NULL) {
            making->own->values[m] = malloc((d * inner + 1) * sizeof *from);
            if (making->own->values[m] == NULL) {
                return false;
            }
            memcpy(making->own->values[m], from, d * inner * sizeof *from);
        }
    }
    return true;
}

/* Copies a part of the sentence without gaps; NULL: there is none. */
static const float *copy_part(struct making *making, enum learn_part which, size_t layer)
{
    const struct lab_matrix from = learn_activations_part(making->view->sentence, which, layer, 0);
    float *const values = from.values == NULL
                              ? NULL
                              : arena_array(&making->arena, from.rows * from.cols, sizeof *values);
    making->failed = making->failed || values == NULL;
    for (size_t row = 0; values != NULL && row < from.rows; row++) {
        memcpy(values + row * from.cols, from.values + row * from.stride,
               from.cols * sizeof *values);
    }
    return values;
}

static size_t add_step(struct making *making, enum learn_part which, struct lab_block_step step)
{
    const bool is_stream = which == LEARN_RESIDUAL && step.op == LAB_BLOCK_SUM;
    step.values = copy_part(making, which, making->view->layer + (is_stream ? 1 : 0));
    const size_t at = making->failed ? LAB_BLOCK_NOTHING : lab_block_add(making->block, &step);
    making->failed = making->failed || at == LAB_BLOCK_NOTHING;
    return making->failed ? 0 : at;
}

/* Adds a norm; without norms it returns the step that would be normalised. */
static size_t add_norm(struct making *making, enum learn_part which, size_t of,
                       const struct lab_block_step *called, enum learn_role gain)
{
    if (!making->shape->norm) {
        return of;
    }
    struct lab_block_step step = *called;
    step.op = LAB_BLOCK_NORM;
    step.of[0] = of;
    step.of[1] = LAB_BLOCK_NOTHING;
    step.cols = making->shape->d_model;
    step.gain = weights_of(making, gain);
    step.bias = weights_of(making, (enum learn_role)(gain + 1));
    step.epsilon = (double)LEARN_EPSILON;
    step.centred = making->shape->family == LEARN_GPT2;
    step.bias = step.centred ? step.bias : NULL;
    return add_step(making, which, step);
}

static size_t add_mlp(struct making *making, size_t seen)
{
    const struct learn_shape *const shape = making->shape;
    const bool gated = shape->family == LEARN_LLAMA;
    const size_t none = LAB_BLOCK_NOTHING;
    const struct lab_block_step wide = {.name = gated ? "gate" : "hidden",
                                        .sign = gated ? "t" : "u",
                                        .what = gated ? "the gate, of the hidden width"
                                                      : "into the hidden width",
                                        .op = LAB_BLOCK_PRODUCT,
                                        .of = {seen, none},
                                        .cols = shape->inner,
                                        .bias = gated ? NULL : weights_of(making, LEARN_UP_BIAS),
                                        .weights = gated ? "W_gate" : "W_up",
                                        .column = LAB_BLOCK_COLUMN_NEURON,
                                        .matrix = gated ? OF_GATE : OF_UP};
    const size_t first = add_step(making, gated ? LEARN_MLP_GATE : LEARN_MLP_UP, wide);
    size_t active = 0;
    if (gated) {
        const size_t up = add_step(making, LEARN_MLP_UP,
                                   (struct lab_block_step){.name = "up",
                                                           .sign = "u",
                                                           .what = "what the gate is for",
                                                           .op = LAB_BLOCK_PRODUCT,
                                                           .of = {seen, none},
                                                           .cols = shape->inner,
                                                           .weights = "W_up",
                                                           .column = LAB_BLOCK_COLUMN_NEURON,
                                                           .matrix = OF_UP});
        active = add_step(making, LEARN_MLP_INNER,
                          (struct lab_block_step){.name = "gated",
                                                  .sign = "g",
                                                  .what = "what the gate lets through",
                                                  .op = LAB_BLOCK_ACTIVATED_GATE,
                                                  .of = {first, up},
                                                  .cols = shape->inner,
                                                  .column = LAB_BLOCK_COLUMN_NEURON,
                                                  .function = "silu"});
    } else {
        active = add_step(making, LEARN_MLP_INNER,
                          (struct lab_block_step){.name = "active",
                                                  .sign = "h",
                                                  .what = "what is active of it",
                                                  .op = LAB_BLOCK_ACTIVATED,
                                                  .of = {first, none},
                                                  .cols = shape->inner,
                                                  .column = LAB_BLOCK_COLUMN_NEURON,
                                                  .function = "gelu_new"});
    }
    const size_t out = add_step(making, LEARN_MLP_OUT,
                                (struct lab_block_step){.name = "mlp",
                                                        .sign = "m",
                                                        .what = "out of the hidden width",
                                                        .op = LAB_BLOCK_PRODUCT,
                                                        .of = {active, none},
                                                        .cols = shape->d_model,
                                                        .bias = weights_of(making, LEARN_DOWN_BIAS),
                                                        .weights = "W_down",
                                                        .matrix = OF_DOWN});
    making->failed = making->failed || !lab_block_find_neurons(making->block, active, out);
    return out;
}

static const char *word_named(void *owner, size_t index, struct arena *arena)
{
    const char *const *const vocabulary = owner;
    return arena_text(arena, vocabulary[index], strlen(vocabulary[index]));
}

static void add_end(struct making *making, size_t y, const char *const *vocabulary)
{
    const struct learn_activations *const sentence = making->view->sentence;
    const struct lab_matrix logits = learn_activations_part(sentence, LEARN_LOGITS, 0, 0);
    (void)add_norm(making, LEARN_FINAL, y,
                   &(struct lab_block_step){.name = "final",
                                            .sign = "ŷ",
                                            .what = "the final norm, which logits are made of"},
                   LEARN_NORM_F_GAIN);
    for (size_t row = 0; !making->failed && row < logits.rows; row++) {
        making->failed =
            !lab_block_set_words(making->block, row, logits.values + row * logits.stride,
                                 logits.cols, word_named, (void *)(uintptr_t)vocabulary);
    }
}

static void make_steps(struct making *making, const char *const *vocabulary)
{
    const size_t d = making->shape->d_model, none = LAB_BLOCK_NOTHING;
    const size_t x = add_step(
        making, LEARN_RESIDUAL,
        (struct lab_block_step){
            .name = "x", .sign = "x", .what = "before the layer", .of = {none, none}, .cols = d});
    const size_t o = add_step(
        making, LEARN_O,
        (struct lab_block_step){
            .name = "o", .sign = "o", .what = "from attention", .of = {none, none}, .cols = d});
    const bool has_mlp = making->shape->inner > 0;
    size_t y = add_step(making, has_mlp ? LEARN_MIDDLE : LEARN_RESIDUAL,
                        (struct lab_block_step){.name = has_mlp ? "added" : "y",
                                                .sign = has_mlp ? "x′" : "y",
                                                .what = "the residual stream with attention added",
                                                .op = LAB_BLOCK_SUM,
                                                .of = {x, o},
                                                .cols = d});
    if (has_mlp) {
        const size_t seen =
            add_norm(making, LEARN_MLP_X, y,
                     &(struct lab_block_step){
                         .name = "norm", .sign = "x̂", .what = "what the MLP sees, normed"},
                     LEARN_NORM_2_GAIN);
        const size_t m = add_mlp(making, seen);
        y = add_step(making, LEARN_RESIDUAL,
                     (struct lab_block_step){.name = "y",
                                             .sign = "y",
                                             .what = "the residual stream behind the layer",
                                             .op = LAB_BLOCK_SUM,
                                             .of = {y, m},
                                             .cols = d});
    }
    if (!making->failed && making->view->layer + 1 == making->shape->layers) {
        add_end(making, y, vocabulary);
    }
}

struct lab_block *learn_block(const struct learn_layer_view *view, const char *const *vocabulary,
                              struct error *error)
{
    struct making making = {.view = view, .shape = learn_activations_shape(view->sentence)};
    making.own = calloc(1, sizeof *making.own);
    learn_tensors_list(making.shape, &making.tensors);
    if (making.own != NULL) {
        making.failed = !copy_matrices(&making);
        making.block = lab_block_make(
            learn_activations_count(view->sentence), view->layer, making.shape->layers,
            &(struct lab_block_weights){
                .owner = making.own, .columns = copy_columns, .release = release_making});
    }
    making.failed = making.failed || making.block == NULL;
    if (!making.failed) {
        make_steps(&making, vocabulary);
    }
    arena_free(&making.arena);
    if (making.failed) {
        lab_block_release(making.block);
        (void)error_set(error, ERROR_MEMORY, "There is not enough memory to look into this layer.");
        return NULL;
    }
    return making.block;
}
