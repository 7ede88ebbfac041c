/* file/unpack.c — the choice of a set. */
#include "file/unpack.h"

#include <stdatomic.h>

#include "attn/cpu.h"

extern const struct unpack_set unpack_plain;
extern const struct unpack_set unpack_avx2;
extern const struct unpack_set unpack_avx512;

/* The architectures are those of meson.build, which builds the sets. */
static const struct unpack_set *const sets[] = {
#if defined(__x86_64__)
    &unpack_avx512,
    &unpack_avx2,
#endif
    &unpack_plain,
};

const struct unpack_set *unpack_set_at(size_t index)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (sets[i]->supported() && index-- == 0) {
            return sets[i];
        }
    }
    return NULL;
}

const struct unpack_set *unpack_best(void)
{
    static _Atomic(const struct unpack_set *) chosen;
    const struct unpack_set *best = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (best == NULL) { /* every thread finds the same one */
        best = unpack_set_at(0);
        atomic_store_explicit(&chosen, best, memory_order_relaxed);
    }
    return best;
}

unpack_product_function *unpack_product_of(enum unpack_blocks kind)
{
    const struct unpack_set *const best = unpack_best();
    if (best->products[kind] != NULL) {
        return best->products[kind];
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (sets[i]->products[kind] != NULL && sets[i]->supported()) {
            return sets[i]->products[kind];
        }
    }
    return NULL;
}
