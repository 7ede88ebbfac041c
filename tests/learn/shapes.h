/* tests/learn/shapes.h — networks that tests compute are small, and a row each. */
#ifndef TESTS_LEARN_SHAPES_H
#define TESTS_LEARN_SHAPES_H

#include "learn/optimiser.h"
#include "learn/shape.h"

/* FAMILY: GPT2 or LLAMA; INNER 0: no MLP. Behind it stands what else is not 0. */
#define SHAPE(FAMILY, LAYERS, HEADS, D_MODEL, D_K, CONTEXT, VOCABULARY, INNER, ...)                \
    {                                                                                              \
        .family = LEARN_##FAMILY, .layers = (LAYERS), .heads = (HEADS), .d_model = (D_MODEL),      \
        .d_k = (D_K), .context = (CONTEXT), .vocabulary = (VOCABULARY), .inner = (INNER),          \
        __VA_ARGS__                                                                                \
    }

/* One row for each kind of block: with all that there is, of two layers that turn, and without. */
#define SHAPE_FULL SHAPE(GPT2, 1, 2, 6, 3, 6, 7, 5, .norm = true, .tied = true, .causal = true)
#define SHAPE_TURNED SHAPE(LLAMA, 2, 2, 6, 4, 6, 7, 4, .norm = true, .causal = true, .theta = 100)
#define SHAPE_PLAIN SHAPE(GPT2, 1, 2, 6, 3, 6, 7, 0, .norm = false)

/* AdamW, as most tasks have it; what is 0 is left out. */
static const struct learn_optimiser usual_optimiser = {.method = LEARN_ADAMW,
                                                       .rate = 1e-3F,
                                                       .beta1 = 0.9F,
                                                       .beta2 = 0.98F,
                                                       .epsilon = 1e-8F,
                                                       .weight_decay = 0.01F,
                                                       .momentum = 0.9F,
                                                       .warmup = 50};

#endif
