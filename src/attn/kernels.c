/* attn/kernels.c — the sets in this build, best first, and the choice among them. */
#include "attn/kernels.h"

#include <string.h>

/* The architectures are those of meson.build, which builds the sets. */
static const struct attn_kernels *const sets[] = {
#if defined(__x86_64__)
    &attn_kernels_avx512,
    &attn_kernels_avx2,
    &attn_kernels_sse2,
#elif defined(__aarch64__)
    &attn_kernels_neon,
#endif
    &attn_kernels_ref,
};

enum { SETS = sizeof sets / sizeof sets[0] };

const struct attn_kernels *attn_kernels_choose(const char *name)
{
    bool any = name == NULL || name[0] == '\0';
    for (size_t i = 0; i < SETS; i++) {
        if ((any || strcmp(name, sets[i]->name) == 0) && sets[i]->supported()) {
            return sets[i];
        }
    }
    return NULL;
}

const struct attn_kernels *attn_kernels_at(size_t index)
{
    for (size_t i = 0; i < SETS; i++) {
        if (!sets[i]->supported()) {
            continue;
        }
        if (index == 0) {
            return sets[i];
        }
        index--;
    }
    return NULL;
}

const char *attn_kernels_name(const struct attn_kernels *kernels)
{
    return kernels->name;
}

const char *attn_kernels_title(const struct attn_kernels *kernels)
{
    return kernels->title;
}
