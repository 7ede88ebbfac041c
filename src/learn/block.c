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

/* Adds a step with the numbers of a part. */
static size_t add_step(struct making *making, enum learn_part which, struct lab_block_step step)
{
    const size_t layer = making->view->layer;
    step.cols = learn_activations_part(making->view->sentence, which, layer, 0).cols;
    step.values = copy_part(making, which, layer);
    const size_t at = making->failed ? LAB_BLOCK_NOTHING : lab_block_add(making->block, &step);
    making->failed = making->failed || at == LAB_BLOCK_NOTHING;
    return making->failed ? 0 : at;
}

/* Adds a norm; without norms it returns the step that would be normalised. */
static size_t add_norm(struct making *making, enum learn_part which, size_t of,
                       enum lab_block_name named, enum learn_role gain)
{
    const bool centred = making->shape->family == LEARN_GPT2;
    const enum learn_role bias = (enum learn_role)(gain + 1);
    return !making->shape->norm
               ? of
               : add_step(making, which,
                          (struct lab_block_step){.named = named,
                                                  .op = LAB_NORM,
                                                  .of = {of},
                                                  .gain = weights_of(making, gain),
                                                  .bias = centred ? weights_of(making, bias) : NULL,
                                                  .epsilon = (double)LEARN_EPSILON,
                                                  .centred = centred});
}

static size_t add_product(struct making *making, enum learn_part which, size_t of,
                          enum lab_block_name named, size_t matrix)
{
    static const char *const weights[MATRICES] = {"W_gate", "W_up", "W_down"};
    static const enum learn_role biases[MATRICES] = {LEARN_ROLES, LEARN_UP_BIAS, LEARN_DOWN_BIAS};
    return add_step(making, which,
                    (struct lab_block_step){.named = named,
                                            .op = LAB_PRODUCT,
                                            .of = {of},
                                            .bias = weights_of(making, biases[matrix]),
                                            .weights = weights[matrix],
                                            .matrix = matrix});
}

static size_t add_mlp(struct making *making, size_t seen)
{
    struct lab_block_step active = {.named = LAB_BLOCK_ACTIVE, .op = LAB_ACTIVATE};
    if (making->shape->family == LEARN_LLAMA) {
        active.named = LAB_BLOCK_GATED;
        active.op = LAB_ACTIVATED_GATE;
        active.function = "silu";
        active.of[0] = add_product(making, LEARN_MLP_GATE, seen, LAB_BLOCK_MLP_GATE, OF_GATE);
        active.of[1] = add_product(making, LEARN_MLP_UP, seen, LAB_BLOCK_UP, OF_UP);
    } else {
        active.function = "gelu_new";
        active.of[0] = add_product(making, LEARN_MLP_UP, seen, LAB_BLOCK_HIDDEN, OF_UP);
    }
    const size_t from = add_step(making, LEARN_MLP_INNER, active);
    const size_t out = add_product(making, LEARN_MLP_OUT, from, LAB_BLOCK_MLP, OF_DOWN);
    making->failed = making->failed || !lab_block_find_neurons(making->block, from, out);
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
    (void)add_norm(making, LEARN_FINAL, y, LAB_BLOCK_FINAL, LEARN_NORM_F_GAIN);
    for (size_t row = 0; !making->failed && row < logits.rows; row++) {
        making->failed =
            !lab_block_set_words(making->block, row, logits.values + row * logits.stride,
                                 logits.cols, word_named, (void *)(uintptr_t)vocabulary);
    }
}

static size_t add_sum(struct making *making, enum learn_part which, enum lab_block_name named,
                      size_t a, size_t b)
{
    return add_step(making, which,
                    (struct lab_block_step){.named = named, .op = LAB_SUM, .of = {a, b}});
}

static void make_steps(struct making *making, const char *const *vocabulary)
{
    const size_t x = add_step(making, LEARN_RESIDUAL,
                              (struct lab_block_step){.named = LAB_BLOCK_X, .op = LAB_GIVEN});
    const size_t o =
        add_step(making, LEARN_O, (struct lab_block_step){.named = LAB_BLOCK_O, .op = LAB_GIVEN});
    size_t y = 0;
    if (making->shape->inner == 0) {
        y = add_sum(making, LEARN_NEXT, LAB_BLOCK_Y_ADDED, x, o);
    } else {
        const size_t added = add_sum(making, LEARN_MIDDLE, LAB_BLOCK_ADDED, x, o);
        const size_t seen =
            add_norm(making, LEARN_MLP_X, added, LAB_BLOCK_MLP_SEEN, LEARN_NORM_2_GAIN);
        y = add_sum(making, LEARN_NEXT, LAB_BLOCK_Y, added, add_mlp(making, seen));
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
