/* tests/attn/power_set.c — the e^x of the vector sets, behind a door. Compiled once per set, with
 * the set's flags. */
#include "attn/kernels_limits.h"
#include "attn/kernels_vec.h"

#include <math.h>

enum { LANES = 16 };
#include "attn/kernels_lanes.inc"
#include "power.h"

#define JOIN(a, b) a##b
#define DOOR(set) JOIN(power_of_, set)

void DOOR(ATTN_TESTED)(const float *x, float *out, size_t count)
{
    for (size_t i = 0; i < count; i += WIDTH) {
        vec_store(out + i, vec_exp(vec_load(x + i)));
    }
}
