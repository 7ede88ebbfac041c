/* lab/run/engine.c — chooses kernels and threads. */
#include "lab/run/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "attn/attn.h"

static const struct attn_kernels *choose_kernels(const char *isa, struct error *error)
{
    if (isa == NULL || isa[0] == '\0') {
        isa = getenv("ATTN_ISA");
    }
    const struct attn_kernels *const kernels = attn_kernels_choose(isa);
    if (kernels != NULL) {
        return kernels;
    }
    char names[64] = "";
    size_t length = 0;
    for (size_t k = 0; attn_kernels_at(k) != NULL && length < sizeof names; k++) {
        const int wrote = snprintf(names + length, sizeof names - length, "%s%s",
                                   k == 0 ? "" : ", ", attn_kernels_name(attn_kernels_at(k)));
        length += wrote > 0 ? (size_t)wrote : 0;
    }
    error_set(error, ERROR_USAGE, "This machine has no instruction set \"%.16s\"; it has %s.",
              isa == NULL ? "" : isa, names);
    return NULL;
}

bool lab_engine_open(struct lab_engine *engine, const char *isa, size_t threads,
                     struct error *error)
{
    *engine = (struct lab_engine){.kernels = choose_kernels(isa, error)};
    engine->pool = engine->kernels == NULL || threads == 1 ? NULL : attn_pool_open(threads);
    return engine->kernels != NULL;
}

void lab_engine_close(struct lab_engine *engine)
{
    attn_pool_close(engine->pool);
    *engine = (struct lab_engine){.pool = NULL};
}

const struct attn_kernels *lab_engine_kernels(const struct lab_engine *engine, struct error *error)
{
    return engine == NULL || engine->kernels == NULL ? choose_kernels(NULL, error)
                                                     : engine->kernels;
}
