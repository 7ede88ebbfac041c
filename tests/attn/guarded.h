/* tests/attn/guarded.h — matrices with guards round them, and random shapes to put into them.
 *
 * A slot is memory between two pages that may not be touched. A matrix lies at its very end or its
 * very beginning, so that a read one float too far ends the test; every float round the matrix and
 * between its rows holds a canary, so that a write too far is seen. */
#ifndef TESTS_ATTN_GUARDED_H
#define TESTS_ATTN_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attn/attn.h"

/* Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014. */
struct dice {
    uint64_t state;
};

uint64_t dice_next(struct dice *dice);

/* A whole number from 0 … sides − 1. */
size_t dice_below(struct dice *dice, size_t sides);

/* A number from −1 … 1. */
float dice_unit(struct dice *dice);

struct slot {
    unsigned char *memory; /* first byte behind the first guard page */
    size_t bytes;
};

/* Reserves a slot of so many pages; ends the program when there is no memory for it. */
struct slot slot_open(size_t pages);

/* Gives the pages back, the guards among them: a leak checker at the program's end reads them all.
 */
void slot_close(struct slot slot);

/* A matrix in a slot, all of which holds canaries but the matrix' own numbers, which are 0. */
struct guarded {
    struct slot slot;
    float *values;
    size_t rows, cols, stride;
};

/* stride: cols and a few more, by dice. */
struct guarded guarded_place(struct slot slot, size_t rows, size_t cols, struct dice *dice);

/* The first byte that is no canary any more and belongs to no number of the matrix; NULL: none. */
const unsigned char *guarded_damage(const struct guarded *matrix);

struct attn_matrix guarded_matrix(const struct guarded *matrix);
struct attn_operand guarded_operand(const struct guarded *matrix);

#endif
