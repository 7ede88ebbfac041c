/* attn/stages.c — the doors of the stages: shapes checked, then into the set. */
#include "attn/kernels.h"
#include "attn/mode.h"

#include <assert.h>

/* Asked by asserts alone, which a release build leaves out. */
__attribute__((unused)) static bool whole_matrix(struct attn_matrix a)
{
    return a.stride >= a.cols && (a.values != NULL || a.rows == 0 || a.cols == 0);
}

__attribute__((unused)) static bool whole_operand(struct attn_operand a)
{
    return a.stride >= a.cols && (a.values != NULL || a.rows == 0 || a.cols == 0);
}

void attn_project(const struct attn_kernels *kernels, struct attn_operand x, struct attn_operand w,
                  struct attn_matrix out)
{
    assert(whole_operand(x) && whole_operand(w) && whole_matrix(out));
    assert(x.rows == out.rows && x.cols == w.rows && w.cols == out.cols);
    const struct mode mode = mode_enter();
    kernels->multiply(&(struct product){.a = x.values,
                                        .a_row = x.stride,
                                        .a_step = 1,
                                        .rows = x.rows,
                                        .b = w.values,
                                        .b_stride = w.stride,
                                        .depth = x.cols,
                                        .cols = w.cols,
                                        .out = out.values,
                                        .out_stride = out.stride});
    mode_leave(mode);
}

void attn_scores(const struct attn_kernels *kernels, struct attn_operand q, struct attn_operand k,
                 struct attn_matrix s)
{
    assert(whole_operand(q) && whole_operand(k) && whole_matrix(s));
    assert(q.rows == s.rows && k.rows == s.cols && q.cols == k.cols);
    const struct mode mode = mode_enter();
    kernels->multiply(&(struct product){.a = q.values,
                                        .a_row = q.stride,
                                        .a_step = 1,
                                        .rows = q.rows,
                                        .b = k.values,
                                        .b_stride = k.stride,
                                        .turned = true,
                                        .depth = q.cols,
                                        .cols = k.rows,
                                        .out = s.values,
                                        .out_stride = s.stride});
    mode_leave(mode);
}

void attn_scale_mask(const struct attn_kernels *kernels, struct attn_matrix s, float factor,
                     struct attn_mask mask)
{
    assert(whole_matrix(s) && (mask.visible == NULL || mask.stride >= s.cols || s.rows <= 1));
    const struct mode mode = mode_enter();
    kernels->scale_mask(s, factor, mask);
    mode_leave(mode);
}

size_t attn_softmax(const struct attn_kernels *kernels, struct attn_matrix s)
{
    assert(whole_matrix(s));
    const struct mode mode = mode_enter();
    const size_t empty = kernels->softmax(s);
    mode_leave(mode);
    return empty;
}

void attn_gate(const struct attn_kernels *kernels, float *x, size_t count, float linear,
               float cubic)
{
    assert(x != NULL || count == 0);
    const struct mode mode = mode_enter();
    kernels->gate(x, count, linear, cubic);
    mode_leave(mode);
}

void attn_blend(const struct attn_kernels *kernels, struct attn_operand a, struct attn_operand v,
                struct attn_matrix z)
{
    assert(whole_operand(a) && whole_operand(v) && whole_matrix(z));
    assert(a.rows == z.rows && a.cols == v.rows && v.cols == z.cols);
    const struct mode mode = mode_enter();
    kernels->blend(a, v, z);
    mode_leave(mode);
}
