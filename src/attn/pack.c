/* attn/pack.c — the doors of packed products. */
#include "attn/kernels.h"
#include "attn/mode.h"
#include "attn/sizes.h"

#include <assert.h>

size_t attn_packed_floats(const struct attn_kernels *kernels, size_t depth, size_t cols)
{
    if (cols > SIZE_MAX - kernels->panel) {
        return 0;
    }
    const size_t whole = (cols + kernels->panel - 1) / kernels->panel * kernels->panel;
    const size_t floats = size_product(depth, whole);
    return floats > SIZE_MAX / sizeof(float) ? 0 : floats;
}

void attn_pack(const struct attn_kernels *kernels, struct attn_operand w, float *panels)
{
    assert(w.stride >= w.cols);
    kernels->pack(w, panels);
}

void attn_project_packed(const struct attn_kernels *kernels, struct attn_operand x,
                         const float *panels, struct attn_matrix out)
{
    assert(x.rows == out.rows && x.stride >= x.cols && out.stride >= out.cols);
    const struct mode mode = mode_enter();
    kernels->multiply_packed(&(struct product){.a = x.values,
                                               .a_row = x.stride,
                                               .a_step = 1,
                                               .rows = x.rows,
                                               .b = panels,
                                               .depth = x.cols,
                                               .cols = out.cols,
                                               .out = out.values,
                                               .out_stride = out.stride});
    mode_leave(mode);
}
