/* lab/run/engine.h — what computes: a set of kernels, and threads. Copied as it is; the numbers
 * depend on neither. */
#ifndef LAB_RUN_ENGINE_H
#define LAB_RUN_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct attn_kernels;
struct attn_pool;

struct lab_engine {
    const struct attn_kernels *kernels; /* NULL: what ATTN_ISA names, or the best */
    struct attn_pool *pool; /* NULL: the calling thread alone; outlives all who have it */
};

/* isa: the name of a set; NULL or "": what ATTN_ISA names, or the best. threads 0: all there are.
 * False and a sentence when this machine has no such set. Whoever opened it closes it. */
bool lab_engine_open(struct lab_engine *engine, const char *isa, size_t threads,
                     struct error *error);
void lab_engine_close(struct lab_engine *engine);

/* Its kernels; engine NULL: the best. NULL and a sentence as above. */
const struct attn_kernels *lab_engine_kernels(const struct lab_engine *engine, struct error *error);

#endif
