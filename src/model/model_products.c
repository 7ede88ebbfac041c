/* model/model_products.c — what a layer is made of besides attention: products with the weights as
 * they lie in the file, layer norm, activation. */
#include <string.h>

#include "attn/learn.h"
#include "attn/pool.h"
#include "base/checked.h"
#include "model/model_internal.h"

enum {
    BLOCK_COLS = 192, /* columns of a job: a whole number of every set's panels */
    FEW_COLS = 96,    /* the same for few rows, where a block is widened and should stay near */
    FEW_TURNED = 48,  /* the same where its rows are as long as the weights are deep */
    WIDE_COLS = 768,  /* the same where it is read in place by several threads */
    NEAR_ROWS = 96,   /* whose results stay in the caches */
    FEW_ROWS = 32,    /* fewer rows than this are not worth packing the weights for */
    READING_A_WEIGHT = 16, /* operations that fit into the time of fetching one from memory */
};

static size_t min_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- products ------------------------------------------------------------------------------ */

struct product {
    const struct model_means *means;
    struct attn_operand x;
    const struct model_matrix *w;
    const float *in_place; /* w's numbers in the file; NULL: they must be copied first */
    const enum model_activation *activation; /* NULL: none */
    struct attn_matrix out;
};

/* One block widened, and packed. */
size_t model_worker_floats(const struct model_config *config)
{
    const size_t sides[] = {config->inner,
                            config->width,
                            config->heads * config->d_k,
                            config->heads * config->d_v,
                            config->source_inner,
                            config->experts.shared,
                            config->experts.inner,
                            config->q_rank,
                            config->kv_rank};
    size_t depth = 0, floats = 0;
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        depth = sides[s] > depth ? sides[s] : depth;
    }
    return checked_multiply(depth, 2 * BLOCK_COLS, &floats) ? floats : 0;
}

/* Returns whether columns that follow one another lie so in the tensor. */
static bool is_straight(const struct model_matrix *w)
{
    return w->group == 0 && w->mixed == 0 && w->stack == 0;
}

void model_tensor_floats(const struct model_tensor *tensor, size_t first, size_t count, float *out)
{
    enum { BLOCK_MAX = 256 };
    float block[BLOCK_MAX];
    const size_t step = tensor->step > 0 ? tensor->step : 1;
    while (count > 0) {
        const size_t in = first % step;
        const size_t whole = in == 0 ? count / step * step : 0;
        const size_t some = whole > 0 ? whole : min_of(step - in, count);
        if (whole > 0) {
            tensor->copy(tensor, first, whole, out);
        } else {
            tensor->copy(tensor, first - in, step, block);
            memcpy(out, block + in, some * sizeof *out);
        }
        first += some;
        out += some;
        count -= some;
    }
}

/* Columns of matrices that stand one behind the other. */
static void copy_stacked(const struct model_matrix *w, size_t col, size_t cols, float *out)
{
    for (size_t c = 0; c < cols;) {
        const size_t matrix = (col + c) / w->stack, in = (col + c) % w->stack;
        const size_t count = min_of(w->stack - in, cols - c);
        for (size_t p = 0; p < w->depth; p++) {
            model_tensor_floats(w->tensor, w->base + (matrix * w->depth + p) * w->stack + in, count,
                                out + p * cols + c);
        }
        c += count;
    }
}

/* Returns the columns from `col` on of w [depth][cols], in place or copied to scratch. */
static struct attn_operand columns_of(const struct product *product, size_t col, size_t cols,
                                      float *scratch)
{
    const struct model_matrix *const w = product->w;
    if (product->in_place != NULL) {
        return (struct attn_operand){product->in_place + col, w->depth, cols, w->all};
    }
    if (w->stack > 0) {
        copy_stacked(w, col, cols, scratch);
        return (struct attn_operand){scratch, w->depth, cols, cols};
    }
    for (size_t p = 0; p < w->depth; p++) {
        const size_t row = w->base + p * w->all;
        if (is_straight(w)) {
            w->tensor->copy(w->tensor, row + w->first + col, cols, scratch + p * cols);
        }
        for (size_t c = 0; c < cols && !is_straight(w); c++) {
            w->tensor->copy(w->tensor, row + model_matrix_place(w, col + c), 1,
                            scratch + p * cols + c);
        }
    }
    return (struct attn_operand){scratch, w->depth, cols, cols};
}

/* Returns the same columns as rows [cols][depth]. */
static struct attn_operand rows_of(const struct product *product, size_t col, size_t cols,
                                   float *scratch)
{
    const struct model_matrix *const w = product->w;
    const size_t depth = w->depth;
    if (product->in_place != NULL) {
        return (struct attn_operand){product->in_place + col * depth, cols, depth, depth};
    }
    if (is_straight(w)) {
        w->tensor->copy(w->tensor, w->base + (w->first + col) * depth, cols * depth, scratch);
    }
    for (size_t c = 0; c < cols && !is_straight(w); c++) {
        w->tensor->copy(w->tensor, w->base + model_matrix_place(w, col + c) * depth, depth,
                        scratch + c * depth);
    }
    return (struct attn_operand){scratch, cols, depth, depth};
}

static void finish_row(const struct product *product, float *restrict row, size_t col, size_t cols)
{
    if (product->w->bias != NULL) {
        const float *restrict const bias = product->w->bias + col;
        for (size_t c = 0; c < cols; c++) {
            row[c] += bias[c];
        }
    }
    if (product->activation != NULL) {
        model_activate(product->means->kernels, *product->activation, row, cols);
    }
}

/* Returns whether its numbers need not be copied: so few rows that a copy would cost more, of whole
 * blocks. */
static bool multiplies_packed(const struct product *product)
{
    const struct model_matrix *const w = product->w;
    return w->tensor->multiply != NULL && product->x.rows <= MODEL_MULTIPLY_X && !w->columns &&
           w->base % w->tensor->step == 0 && w->depth % w->tensor->step == 0;
}

/* Columns of a job. Few rows are multiplied with the weights where these lie, and the wider a block
 * is the faster memory is read; but what is widened first is read again from the second cache. */
static size_t block_of(const struct product *product)
{
    if (product->x.rows >= FEW_ROWS) {
        return BLOCK_COLS;
    }
    if (!product->w->columns) {
        return multiplies_packed(product)  ? MODEL_MULTIPLY_ROWS
               : product->in_place == NULL ? FEW_TURNED
                                           : BLOCK_COLS;
    }
    return product->in_place == NULL                     ? FEW_COLS
           : attn_pool_threads(product->means->pool) > 1 ? WIDE_COLS
                                                         : product->out.cols;
}

static void finish_rows(const struct product *product, struct attn_matrix out, size_t col)
{
    for (size_t row = 0; row < out.rows; row++) {
        finish_row(product, out.values + row * out.stride, col, out.cols);
    }
}

/* Many rows: some at a time, which are finished while they are near. */
static void multiply_packed(const struct product *product, struct attn_operand w, float *panels,
                            size_t col, struct attn_matrix out)
{
    const struct attn_kernels *const kernels = product->means->kernels;
    attn_pack(kernels, w, panels);
    for (size_t row = 0; row < product->x.rows; row += NEAR_ROWS) {
        struct attn_operand x = product->x;
        struct attn_matrix part = out;
        x.values += row * x.stride;
        part.values += row * out.stride;
        x.rows = part.rows = min_of(product->x.rows - row, NEAR_ROWS);
        attn_project_packed(kernels, x, panels, part);
        finish_rows(product, part, col);
    }
}

/* A block of columns that lie side by side (GPT-2). */
static void multiply_columns(const struct product *product, size_t col, struct attn_matrix out,
                             float *scratch)
{
    const struct attn_operand w = columns_of(product, col, out.cols, scratch);
    if (product->x.rows >= FEW_ROWS) {
        multiply_packed(product, w, scratch + w.rows * BLOCK_COLS, col, out);
        return;
    }
    attn_project(product->means->kernels, product->x, w, out);
    finish_rows(product, out, col);
}

/* A block of columns that are rows of the tensor, as they lie there. */
static void multiply_rows(const struct product *product, size_t col, struct attn_matrix out)
{
    const struct model_matrix *const w = product->w;
    size_t first[MODEL_MULTIPLY_ROWS];
    for (size_t c = 0; c < out.cols; c++) {
        first[c] = w->base + model_matrix_place(w, col + c) * w->depth;
    }
    w->tensor->multiply(w->tensor, first, out.cols, product->x, out);
}

static void multiply_block(void *context, size_t job, size_t worker)
{
    const struct product *const product = context;
    const size_t block = block_of(product);
    const size_t col = job * block, cols = min_of(product->out.cols - col, block);
    float *const scratch = product->means->scratch + worker * product->means->worker_floats;
    struct attn_matrix out = product->out;
    out.values += col;
    out.cols = cols;
    if (product->w->columns) {
        multiply_columns(product, col, out, scratch);
        return;
    }
    if (multiplies_packed(product)) {
        multiply_rows(product, col, out);
    } else {
        attn_scores(product->means->kernels, product->x, rows_of(product, col, cols, scratch), out);
    }
    finish_rows(product, out, col);
}

void model_product(const struct model_means *means, struct attn_operand x,
                   const struct model_matrix *w, const enum model_activation *activation,
                   struct attn_matrix out)
{
    const bool straight = w->tensor->in_place != NULL && is_straight(w);
    const size_t before = w->base + w->first * (w->columns ? 1 : w->depth);
    struct product product = {means,      x,  w, straight ? w->tensor->in_place + before : NULL,
                              activation, out};
    const double weights = (double)w->depth * (double)w->cols;
    const size_t block = block_of(&product);
    attn_pool_run(means->pool, weights * (2 * (double)x.rows + READING_A_WEIGHT),
                  (out.cols + block - 1) / block, multiply_block, &product);
}

/* ---- norms --------------------------------------------------------------------------------- */

void model_normalise(const struct model_means *means, const struct model_config *config,
                     const struct model_norm *norm, struct attn_operand x, struct attn_matrix out)
{
    const struct attn_norm how = {.rms = config->family->norm != MODEL_LAYER_NORM,
                                  .gain = norm->gain,
                                  .bias = norm->bias,
                                  .epsilon = config->epsilon};
    attn_normalise(means->kernels, means->pool, &how, x, out, NULL);
}

/* ---- activations --------------------------------------------------------------------------- */

/* x · ½(1 + tanh u) = x / (1 + e^−2u) with u = √(2/π) (x + 0.044715 x³)  (Hendrycks, Gimpel 2016)
 */
static void gelu_by_tanh(const struct attn_kernels *kernels, float *values, size_t count)
{
    attn_gate(kernels, values, count, 1.59576912F, 1.59576912F * 0.044715F);
}

static void gelu_rows(const struct attn_kernels *kernels, float *values, size_t count)
{
    attn_apply(kernels, ATTN_GELU, values, count);
}

static void relu_rows(const struct attn_kernels *kernels, float *values, size_t count)
{
    (void)kernels;
    for (size_t i = 0; i < count; i++) {
        values[i] = values[i] < 0 ? 0 : values[i];
    }
}

static void silu_rows(const struct attn_kernels *kernels, float *values, size_t count)
{
    attn_gate(kernels, values, count, 1, 0);
}

static void hyperbolic_tangent(const struct attn_kernels *kernels, float *values, size_t count)
{
    attn_apply(kernels, ATTN_TANH, values, count);
}

void model_activate(const struct attn_kernels *kernels, enum model_activation activation,
                    float *values, size_t count)
{
    static void (*const functions[MODEL_ACTIVATIONS])(const struct attn_kernels *, float *,
                                                      size_t) = {
        [MODEL_GELU_TANH] = gelu_by_tanh,  [MODEL_GELU] = gelu_rows,
        [MODEL_RELU] = relu_rows,          [MODEL_SILU] = silu_rows,
        [MODEL_TANH] = hyperbolic_tangent,
    };
    functions[activation](kernels, values, count);
}
