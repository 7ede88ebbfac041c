/* Checks that each step of a block follows from those it is made of, and its neurons from their
 * rows of W: for tests of all that fill one. */
#ifndef TESTS_BLOCK_CHECK_H
#define TESTS_BLOCK_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lab/run/block.h"

enum { BLOCK_COLUMNS_MAX = 4096 };

/* Recomputed in float64 from the steps before it. */
static inline double block_again(const struct lab_block *block, size_t step, size_t row,
                                 size_t column)
{
    const struct lab_block_step *const s = lab_block_step(block, step);
    const struct lab_block_step *const a = lab_block_step(block, s->of[0]);
    static float w[BLOCK_COLUMNS_MAX];
    double mean = 0, root = 1, sum = 0;
    struct lab_block_pair pair;
    size_t from = 0, other = 0;
    switch (s->op) {
    case LAB_SUM:
        return (double)a->values[row * s->cols + column] +
               (double)lab_block_step(block, s->of[1])->values[row * s->cols + column];
    case LAB_GATE:
        return (double)a->values[row * s->cols + column] *
               (double)lab_block_step(block, s->of[1])->values[row * s->cols + column];
    case LAB_NORM:
        lab_block_norm_of(block, step, row, column, &mean, &root);
        return ((double)a->values[row * s->cols + column] - mean) / root *
                   lab_block_gain(block, step, column) +
               lab_block_bias(block, step, column);
    case LAB_ACTIVATED_GATE:
        sum = (double)a->values[row * s->cols + column];
        return sum / (1 + exp(-sum)) *
               (double)lab_block_step(block, s->of[1])->values[row * s->cols + column];
    case LAB_PRODUCT:
        assert_true(a->cols <= BLOCK_COLUMNS_MAX);
        lab_block_column(block, step, column, w);
        for (size_t k = 0; k < a->cols; k++) {
            sum += (double)a->values[row * a->cols + k] * (double)w[k];
        }
        return sum + (s->bias == NULL ? 0 : (double)s->bias[column]);
    case LAB_TURN:
        sum = (double)a->values[row * s->cols + column];
        if (lab_block_pair_of(block, step, row, column, &pair)) {
            sum = sum * pair.cosine + (double)a->values[row * s->cols + pair.other] * pair.sine;
        }
        return sum;
    case LAB_BESIDE:
        from = lab_block_beside(block, step, column, &other);
        return (double)lab_block_step(block, from)
            ->values[row * lab_block_step(block, from)->cols + other];
    case LAB_MIX_EXPERTS:
        if (s->asked.common) {
            break; /* the rest is what is not told apart */
        }
        for (size_t e = 0; e < s->asked.count; e++) {
            other = row * s->asked.count + e;
            sum += (double)a->values[row * a->cols + s->asked.expert[other]] *
                   (double)s->asked.said[other * s->cols + column];
        }
        return sum;
    default:
        break;
    }
    return (double)s->values[row * s->cols + column];
}

static inline void block_check_steps(const struct lab_block *block)
{
    const struct lab_block_facts facts = lab_block_facts(block);
    for (size_t s = 0; s < facts.steps; s++) {
        const struct lab_block_step *const step = lab_block_step(block, s);
        for (size_t i = 0; i < facts.n * step->cols; i++) {
            const double expected = block_again(block, s, i / step->cols, i % step->cols);
            if (!(fabs((double)step->values[i] - expected) <= 2e-5 * fmax(1, fabs(expected)))) {
                fail_msg("%s, %zu: %g, expected %g", step->name, i, (double)step->values[i],
                         expected);
            }
        }
    }
}

/* Checks that the largest neurons are in order, and that a neuron adds its row of W. */
static inline void block_check_neurons(const struct lab_block *block)
{
    const struct lab_block_facts facts = lab_block_facts(block);
    static float added[BLOCK_COLUMNS_MAX], w[BLOCK_COLUMNS_MAX];
    if (facts.out == LAB_BLOCK_NOTHING) {
        return; /* experts */
    }
    for (size_t row = 0; row < facts.n; row++) {
        size_t count = 0;
        const struct lab_block_neuron *const neuron = lab_block_neurons(block, row, &count);
        assert_true(count >= 1);
        for (size_t k = 0; k < count; k++) {
            double length = 0;
            assert_true(k == 0 || neuron[k].length <= neuron[k - 1].length);
            assert_true(lab_block_adds(block, row, neuron[k].neuron, added));
            for (size_t c = 0; c < lab_block_step(block, facts.out)->cols; c++) {
                lab_block_column(block, facts.out, c, w);
                length += (double)added[c] * (double)added[c];
                assert_true(fabs((double)(added[c] - w[neuron[k].neuron] * neuron[k].activation)) <
                            1e-6);
            }
            assert_true(fabs(sqrt(length) - (double)neuron[k].length) < 1e-4);
        }
    }
}

#endif
