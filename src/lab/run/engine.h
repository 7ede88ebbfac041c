/* lab/run/engine.h — a set of kernels, and threads. It can be copied; the results depend on
 * neither. */
#ifndef LAB_RUN_ENGINE_H
#define LAB_RUN_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct attn_kernels;
struct attn_pool;

struct lab_engine {
    const struct attn_kernels *kernels; /* NULL: what ATTN_ISA names, or the best */
    struct attn_pool *pool; /* NULL: the calling thread alone; it must outlive all copies */
};

/* Opens an engine. isa: the name of a set; NULL or "": that of ATTN_ISA, or the best. threads 0:
 * all of the machine. Returns false and a sentence where this machine has no such set. The caller
 * closes it. */
bool lab_engine_open(struct lab_engine *engine, const char *isa, size_t threads,
                     struct error *error);
void lab_engine_close(struct lab_engine *engine);

/* Returns its kernels; engine NULL: the best. NULL and a sentence as above. */
const struct attn_kernels *lab_engine_kernels(const struct lab_engine *engine, struct error *error);

#endif
