/* tests/attn/power_set.c — the vector source with one more door: its e^x. Compiled once per set. */
#include "../../src/attn/kernels_tmpl.c"
#include "power.h"

#define DOOR(set) JOIN(power_of_, set)

void DOOR(ATTN_TESTED)(const float *x, float *out, size_t count)
{
    for (size_t i = 0; i < count; i += WIDTH) {
        vec_store(out + i, vec_exp(vec_load(x + i)));
    }
}
