/* tests/model/gpt2_double.h — the tiny GPT-2 once more in float64, with interventions: loops over
 * the formulas, which share nothing with the room of models. */
#ifndef TESTS_MODEL_GPT2_DOUBLE_H
#define TESTS_MODEL_GPT2_DOUBLE_H

#include "checkpoint.h"
#include "model/intervention.h"

enum {
    DOUBLE_LAYERS = 2,
    DOUBLE_HEADS = 2,
    DOUBLE_WIDTH = 12,
    DOUBLE_D = DOUBLE_WIDTH / DOUBLE_HEADS,
    DOUBLE_INNER = 4 * DOUBLE_WIDTH,
    DOUBLE_VOCABULARY = 300,
    DOUBLE_WORDS = 32
};

/* Every number of one text. */
struct gpt2_double {
    size_t n;
    double residual[DOUBLE_LAYERS + 1][DOUBLE_WORDS][DOUBLE_WIDTH];
    double middle[DOUBLE_LAYERS][DOUBLE_WORDS][DOUBLE_WIDTH]; /* behind attention */
    double q[DOUBLE_LAYERS][DOUBLE_HEADS][DOUBLE_WORDS][DOUBLE_D];
    double k[DOUBLE_LAYERS][DOUBLE_HEADS][DOUBLE_WORDS][DOUBLE_D];
    double v[DOUBLE_LAYERS][DOUBLE_HEADS][DOUBLE_WORDS][DOUBLE_D];
    double alpha[DOUBLE_LAYERS][DOUBLE_HEADS][DOUBLE_WORDS][DOUBLE_WORDS];
    double z[DOUBLE_LAYERS][DOUBLE_HEADS][DOUBLE_WORDS][DOUBLE_D];
    double attention[DOUBLE_LAYERS][DOUBLE_WORDS][DOUBLE_WIDTH];
    double mlp[DOUBLE_LAYERS][DOUBLE_WORDS][DOUBLE_WIDTH];
    double logits[DOUBLE_WORDS][DOUBLE_VOCABULARY];
};

/* Computes all of it for ids [n]. */
void gpt2_double_run(struct checkpoint *weights, const uint32_t *ids, size_t n,
                     struct model_interventions list, struct gpt2_double *out);

/* The logits of a stream that is given in place of the last one: of a word of the text. */
void gpt2_double_words(struct checkpoint *weights, const double *x, double *logits);

/* A tensor of the checkpoint, float32. */
const float *gpt2_double_tensor(struct checkpoint *weights, const char *name);

/* Name of a tensor of a layer. */
const float *gpt2_double_of_layer(struct checkpoint *weights, size_t layer, const char *name);

#endif
