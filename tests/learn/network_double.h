/* tests/learn/network_double.h — a network in float64: the passes of src/learn, compiled with
 * double in the place of float, on the textbook of the kernels. */
#ifndef TESTS_LEARN_NETWORK_DOUBLE_H
#define TESTS_LEARN_NETWORK_DOUBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DOUBLE_LAYERS = 6, DOUBLE_ROLES = 32, DOUBLE_HEADS = 64 };

/* What struct learn_shape says, without a float in it. */
struct double_network {
    bool llama, norm, tied, causal;
    size_t layers, heads, d_model, d_k, context, vocabulary, inner, floats;
    double theta, smear;
    size_t at[DOUBLE_LAYERS][DOUBLE_ROLES];
    bool off[DOUBLE_LAYERS][DOUBLE_HEADS];
};

/* The loss of a batch, and its gradient (NULL: not asked for). */
double double_network_run(const struct double_network *of, const double *weights, size_t sequences,
                          size_t length, const int32_t *tokens, const int32_t *targets,
                          double *gradient);

#endif
