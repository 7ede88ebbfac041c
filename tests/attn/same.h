/* tests/attn/same.h — operations of the core with drawn shapes and numbers, for same.c. */
#ifndef TESTS_ATTN_SAME_H
#define TESTS_ATTN_SAME_H

#include "attn/attn.h"
#include "guarded.h"

enum { SAME_FLOATS = 1 << 18, SAME_BLOCKS = 24 };

struct same_trial {
    const struct attn_kernels *kernels;
    struct dice dice;
    float *out; /* SAME_FLOATS; count of them are what the operation gave */
    size_t count;
    void *blocks[SAME_BLOCKS];
    size_t taken;
};

struct same_operation {
    const char *name;
    void (*perform)(struct same_trial *trial);
};

/* Attention's and learning's; the last has no name. */
extern const struct same_operation same_operations[], same_learning[];

/* Memory until the trial is released, aligned to 64 bytes. */
float *same_memory(struct same_trial *trial, size_t floats);
void same_release(struct same_trial *trial);

/* A size from 1 to most, edges of registers and blocks more often than others. */
size_t same_size(struct same_trial *trial, size_t most);

/* So many numbers: even ones, or spread over many powers of 2, subnormal, full of zeros, or with
 * an infinite or unknown one among them. */
float *same_numbers(struct same_trial *trial, size_t count);

/* The next count floats of what the operation gives. */
float *same_out(struct same_trial *trial, size_t count);

#endif
