/* attn/learn.c — the doors of learn.h: shapes checked, work cut into jobs, then into the set.
 *
 * Where a cut lies changes no number. */
#include "attn/learn.h"
#include "attn/kernels.h"
#include "attn/mode.h"
#include "attn/pool.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    JOB_ROWS = 64,  /* of a product's result */
    JOB_COLS = 192, /* a whole number of any set's panels */
    NORM_ROWS = 64,
    NORM_COLS = 64,
};

/* Asked by asserts alone, which a release build leaves out. */
__attribute__((unused)) static bool alike(size_t rows, size_t cols, struct attn_operand b)
{
    return rows == b.rows && cols == b.cols && b.stride >= cols;
}

static size_t part_count(size_t count, size_t size)
{
    return (count + size - 1) / size;
}

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct attn_operand rows_of(struct attn_operand a, size_t first, size_t max_rows)
{
    return (struct attn_operand){a.values + first * a.stride, min_of(a.rows - first, max_rows),
                                 a.cols, a.stride};
}

static struct attn_matrix matrix_rows(struct attn_matrix a, size_t first, size_t max_rows)
{
    return (struct attn_matrix){a.values == NULL ? NULL : a.values + first * a.stride,
                                min_of(a.rows - first, max_rows), a.cols, a.stride};
}

/* ---- products ------------------------------------------------------------------------------ */

struct multiplying {
    const struct attn_kernels *kernels;
    struct product all;
};

static void multiply_part(void *context, size_t job, size_t worker)
{
    const struct multiplying *const work = context;
    struct product part = work->all;
    const size_t down = part_count(part.rows, JOB_ROWS);
    const size_t row = job % down * JOB_ROWS, col = job / down * JOB_COLS;
    (void)worker;
    part.a += row * part.a_row;
    part.b += col * (part.turned ? part.b_stride : 1);
    part.rows = min_of(part.rows - row, JOB_ROWS);
    part.cols = min_of(part.cols - col, JOB_COLS);
    part.start = part.start == NULL ? NULL : part.start + row * part.start_stride + col;
    part.out += row * part.out_stride + col;
    work->kernels->multiply(&part);
}

void attn_multiply(const struct attn_kernels *kernels, struct attn_pool *pool, enum attn_turn turn,
                   struct attn_operand a, struct attn_operand b, const struct attn_operand *start,
                   struct attn_matrix out)
{
    const bool a_turned = turn == ATTN_AT_B, b_turned = turn == ATTN_A_BT;
    struct multiplying work = {
        kernels,
        {.a = a.values,
         .a_row = a_turned ? 1 : a.stride,
         .a_step = a_turned ? a.stride : 1,
         .rows = out.rows,
         .b = b.values,
         .b_stride = b.stride,
         .turned = b_turned,
         .depth = a_turned ? a.rows : a.cols,
         .cols = out.cols,
         .start = start == NULL ? NULL : start->values,
         .start_stride = start == NULL || start->rows == 1 ? 0 : start->stride,
         .out = out.values,
         .out_stride = out.stride}};
    assert(out.rows == (a_turned ? a.cols : a.rows) && out.cols == (b_turned ? b.rows : b.cols));
    assert(work.all.depth == (b_turned ? b.cols : b.rows));
    assert(start == NULL ||
           (start->cols == out.cols && (start->rows == 1 || start->rows == out.rows)));
    const struct mode mode = mode_enter();
    if (pool == NULL) {
        kernels->multiply(&work.all);
    } else {
        attn_pool_run(pool, 2 * (double)out.rows * (double)out.cols * (double)work.all.depth,
                      part_count(out.rows, JOB_ROWS) * part_count(out.cols, JOB_COLS),
                      multiply_part, &work);
    }
    mode_leave(mode);
}

/* ---- softmax and norms --------------------------------------------------------------------- */

void attn_softmax_back(const struct attn_kernels *kernels, struct attn_operand a,
                       struct attn_operand da, float factor, struct attn_matrix ds)
{
    assert(alike(ds.rows, ds.cols, a) && alike(ds.rows, ds.cols, da));
    const struct mode mode = mode_enter();
    kernels->softmax_back(a, da, factor, ds);
    mode_leave(mode);
}

/* Stage by stage: what a set's own function for short heads gives too. */
static struct attn_operand operand_of_head(const float *values, const struct attn_learn_head *head,
                                           size_t stride)
{
    return (struct attn_operand){values, head->length, head->d_k, stride};
}

static struct attn_matrix square_of_head(float *values, const struct attn_learn_head *head)
{
    return (struct attn_matrix){values, head->length, head->length, head->length};
}

/* Does the same where b holds NaN or infinities: a pair of 0 takes no part. */
static void blend_seen(struct attn_operand a, bool turned, struct attn_operand b, float *out,
                       size_t stride)
{
    for (size_t i = 0; i < a.rows; i++) {
        for (size_t c = 0; c < b.cols; c++) {
            float sum = 0;
            for (size_t p = 0; p < a.rows; p++) {
                const float pair = a.values[turned ? p * a.stride + i : i * a.stride + p];
                sum = pair == 0 ? sum : fmaf(pair, b.values[p * b.stride + c], sum);
            }
            out[i * stride + c] = sum;
        }
    }
}

/* out = a · b, or aᵀ · b; no zero has a sign. */
static void blend_head(const struct attn_kernels *kernels, const struct attn_learn_head *head,
                       enum attn_turn turn, const float *pairs, struct attn_operand b, float *out,
                       size_t stride)
{
    const struct attn_operand a = {pairs, head->length, head->length, head->length};
    const struct attn_matrix to = {out, head->length, head->d_k, stride};
    if (kernels->finite(b)) {
        attn_multiply(kernels, NULL, turn, a, b, NULL, to);
    } else {
        blend_seen(a, turn == ATTN_AT_B, b, out, stride);
    }
    for (size_t i = 0; i < head->length; i++) {
        for (size_t c = 0; c < head->d_k; c++) {
            out[i * stride + c] += 0.0F;
        }
    }
}

static void copy_square(float *to, const float *from, const struct attn_learn_head *head)
{
    if (to != NULL) {
        memcpy(to, from, head->length * head->length * sizeof *to);
    }
}

static bool fits_set(const struct attn_kernels *kernels, const struct attn_learn_head *head)
{
    return head->length <= kernels->head_max && head->d_k <= kernels->head_max;
}

void attn_head_forward(const struct attn_kernels *kernels, const struct attn_learn_head *head)
{
    const struct mode mode = mode_enter();
    const size_t length = head->length;
    if (fits_set(kernels, head) && head->scores == NULL && head->scaled == NULL) {
        kernels->head_forward(head);
        mode_leave(mode);
        return;
    }
    attn_multiply(kernels, NULL, ATTN_A_BT, operand_of_head(head->q, head, head->stride),
                  operand_of_head(head->k, head, head->stride), NULL,
                  square_of_head(head->alpha, head));
    copy_square(head->scores, head->alpha, head);
    kernels->scale_mask(square_of_head(head->alpha, head), head->factor,
                        (struct attn_mask){NULL, 0});
    for (size_t i = 0; i < length && head->causal; i++) {
        for (size_t j = i + 1; j < length; j++) {
            head->alpha[i * length + j] = -INFINITY;
        }
    }
    copy_square(head->scaled, head->alpha, head);
    kernels->softmax(square_of_head(head->alpha, head));
    blend_head(kernels, head, ATTN_A_B, head->alpha, operand_of_head(head->v, head, head->stride),
               head->z, head->z_stride);
    mode_leave(mode);
}

/* Rows that are squares of another size than what is kept would need room: dalpha is that room. */
static void head_back_by_stages(const struct attn_kernels *kernels,
                                const struct attn_learn_head *head, float *dalpha, float *dscores)
{
    const struct attn_operand dz = operand_of_head(head->dz, head, head->z_stride);
    const struct attn_operand alpha = {head->alpha, head->length, head->length, head->length};
    const struct attn_operand d = {dalpha, head->length, head->length, head->length};
    attn_multiply(kernels, NULL, ATTN_A_BT, dz, operand_of_head(head->v, head, head->stride), NULL,
                  square_of_head(dalpha, head));
    blend_head(kernels, head, ATTN_AT_B, head->alpha, dz, head->dv, head->stride);
    if (head->dscaled != NULL) {
        kernels->softmax_back(alpha, d, 1, square_of_head(head->dscaled, head));
    }
    kernels->softmax_back(alpha, d, head->factor, square_of_head(dscores, head));
    blend_head(kernels, head, ATTN_A_B, dscores, operand_of_head(head->k, head, head->stride),
               head->dq, head->stride);
    blend_head(kernels, head, ATTN_AT_B, dscores, operand_of_head(head->q, head, head->stride),
               head->dk, head->stride);
}

void attn_head_back(const struct attn_kernels *kernels, const struct attn_learn_head *head)
{
    const struct mode mode = mode_enter();
    assert(head->dalpha != NULL);
    if (fits_set(kernels, head) && head->dscores == NULL) {
        kernels->head_back(head);
    } else {
        head_back_by_stages(kernels, head, head->dalpha,
                            head->dscores == NULL ? head->dalpha : head->dscores);
    }
    mode_leave(mode);
}

struct norming {
    const struct attn_kernels *kernels;
    const struct attn_norm *norm;
    struct attn_operand x, dy;
    struct attn_matrix out; /* y, or dx */
    float *known;
    const float *was_known;
    float *dgain, *dbias;
};

static void normalise_part(void *context, size_t job, size_t worker)
{
    const struct norming *const work = context;
    const size_t first = job * NORM_ROWS;
    (void)worker;
    work->kernels->normalise(work->norm, rows_of(work->x, first, NORM_ROWS),
                             matrix_rows(work->out, first, NORM_ROWS),
                             work->known == NULL ? NULL : work->known + 2 * first);
}

/* Operations of a norm that touches each number so many times. */
static double norm_work(struct attn_operand x)
{
    return 8 * (double)x.rows * (double)x.cols;
}

void attn_normalise(const struct attn_kernels *kernels, struct attn_pool *pool,
                    const struct attn_norm *norm, struct attn_operand x, struct attn_matrix y,
                    float *known)
{
    struct norming work = {.kernels = kernels, .norm = norm, .x = x, .out = y, .known = known};
    assert(alike(y.rows, y.cols, x));
    const struct mode mode = mode_enter();
    attn_pool_run(pool, norm_work(x), part_count(x.rows, NORM_ROWS), normalise_part, &work);
    mode_leave(mode);
}

static void gains_part(void *context, size_t job, size_t worker)
{
    const struct norming *const work = context;
    const size_t first = job * NORM_COLS;
    (void)worker;
    work->kernels->norm_gains(work->x, work->was_known, work->dy, first,
                              min_of(first + NORM_COLS, work->x.cols), work->dgain, work->dbias);
}

static void norm_back_part(void *context, size_t job, size_t worker)
{
    const struct norming *const work = context;
    const size_t first = job * NORM_ROWS;
    (void)worker;
    work->kernels->norm_back(work->norm, rows_of(work->x, first, NORM_ROWS),
                             work->was_known + 2 * first, rows_of(work->dy, first, NORM_ROWS),
                             matrix_rows(work->out, first, NORM_ROWS));
}

void attn_norm_back(const struct attn_kernels *kernels, struct attn_pool *pool,
                    const struct attn_norm *norm, struct attn_operand x, const float *known,
                    struct attn_operand dy, struct attn_matrix dx, float *dgain, float *dbias)
{
    struct norming work = {.kernels = kernels,
                           .norm = norm,
                           .x = x,
                           .dy = dy,
                           .out = dx,
                           .was_known = known,
                           .dgain = dgain,
                           .dbias = dbias};
    assert(alike(dx.rows, dx.cols, x) && alike(dx.rows, dx.cols, dy));
    const struct mode mode = mode_enter();
    if (dgain != NULL || dbias != NULL) {
        attn_pool_run(pool, norm_work(x), part_count(x.cols, NORM_COLS), gains_part, &work);
    }
    attn_pool_run(pool, norm_work(x), part_count(x.rows, NORM_ROWS), norm_back_part, &work);
    mode_leave(mode);
}

/* ---- activations --------------------------------------------------------------------------- */

void attn_apply(const struct attn_kernels *kernels, enum attn_function function, float *x,
                size_t count)
{
    const struct mode mode = mode_enter();
    kernels->apply(function, x, count);
    mode_leave(mode);
}

void attn_gate_back(const struct attn_kernels *kernels, const float *x, float *dy, size_t count,
                    float linear, float cubic)
{
    const struct mode mode = mode_enter();
    kernels->gate_back(x, dy, count, linear, cubic);
    mode_leave(mode);
}

void attn_swiglu(const struct attn_kernels *kernels, const float *x, const float *u, float *y,
                 size_t count)
{
    const struct mode mode = mode_enter();
    kernels->swiglu(x, u, y, count);
    mode_leave(mode);
}

void attn_swiglu_back(const struct attn_kernels *kernels, const float *x, const float *u,
                      const float *dy, float *dx, float *du, size_t count)
{
    const struct mode mode = mode_enter();
    kernels->swiglu_back(x, u, dy, dx, du, count);
    mode_leave(mode);
}

/* ---- loss and steps ------------------------------------------------------------------------ */

void attn_cross_entropy_part(const struct attn_kernels *kernels, struct attn_operand logits,
                             const int32_t *targets, float share, float *losses, uint8_t *right,
                             struct attn_matrix dlogits)
{
    assert(dlogits.values == NULL || alike(dlogits.rows, dlogits.cols, logits));
    const struct mode mode = mode_enter();
    kernels->cross_entropy(logits, targets, share, losses, right, dlogits);
    mode_leave(mode);
}

float attn_total(const struct attn_kernels *kernels, const float *x, size_t count)
{
    const struct mode mode = mode_enter();
    const float sum = kernels->total(x, count);
    mode_leave(mode);
    return sum;
}

/* 1 / (1 − βˢ), βˢ by squaring in double. */
static float bias_correction(float beta, uint64_t step)
{
    double power = 1, square = (double)beta;
    for (; step > 0; step >>= 1, square *= square) {
        power *= (step & 1) != 0 ? square : 1;
    }
    return (float)(1 / (1 - power));
}

void attn_adamw_step(const struct attn_kernels *kernels, const struct attn_adamw *how, size_t count,
                     const float *gradient, float *m, float *v, float *weights)
{
    assert(how->step > 0);
    const struct mode mode = mode_enter();
    const float corrections[2] = {bias_correction(how->beta1, how->step),
                                  bias_correction(how->beta2, how->step)};
    kernels->adamw(how, corrections, count, gradient, m, v, weights);
    mode_leave(mode);
}

void attn_sgd_step(const struct attn_kernels *kernels, const struct attn_sgd *how, size_t count,
                   const float *gradient, float *velocity, float *weights)
{
    const struct mode mode = mode_enter();
    kernels->sgd(how, count, gradient, velocity, weights);
    mode_leave(mode);
}

float attn_squares(const struct attn_kernels *kernels, const float *x, size_t count)
{
    const struct mode mode = mode_enter();
    const float sum = kernels->squares(x, count);
    mode_leave(mode);
    return sum;
}
