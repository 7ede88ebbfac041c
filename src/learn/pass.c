/* learn/pass.c — the memory of a pass, and its stages in order: embedding, layers, final norm,
 * logits, loss, and back.
 *
 * A pass for training has one buffer for the gradients of all layers, used again by each; a pass
 * for looking keeps them all. The stages are the same. */
#include "learn/pass.h"

#include <string.h>

/* ---- memory -------------------------------------------------------------------------------- */

/* Cuts a block into pieces; with block NULL it only counts them. */
struct cutter {
    float *block;
    size_t used;
};

static float *cut_floats(struct cutter *cutter, size_t floats)
{
    float *const piece = cutter->block == NULL ? NULL : cutter->block + cutter->used;
    cutter->used += (floats + 15) / 16 * 16; /* lines of 64 bytes */
    return piece;
}

struct sizes {
    size_t rows, pairs, d, heads, inner, vocabulary;
    bool norm, llama, smears, keep;
};

static void cut_attention(struct cutter *cutter, const struct sizes *sizes, bool forward,
                          struct learn_layer *out)
{
    out->qkv = cut_floats(cutter, sizes->rows * 3 * sizes->heads);
    out->alpha = cut_floats(cutter, sizes->pairs);
    out->concat = cut_floats(cutter, sizes->rows * sizes->heads);
    if (sizes->keep) {
        out->plain = sizes->llama ? cut_floats(cutter, sizes->rows * 3 * sizes->heads) : NULL;
        out->turned = sizes->smears ? cut_floats(cutter, sizes->rows * 3 * sizes->heads) : NULL;
        out->scores = cut_floats(cutter, sizes->pairs);
        out->scaled = cut_floats(cutter, sizes->pairs);
    } else {
        out->plain = NULL;
        out->turned = NULL;
        out->scores = NULL;
        out->scaled = NULL;
    }
    out->known_1 = forward ? cut_floats(cutter, sizes->rows * 2) : NULL;
    out->known_2 = forward ? cut_floats(cutter, sizes->rows * 2) : NULL;
}

static void cut_mlp(struct cutter *cutter, const struct sizes *sizes, struct learn_layer *out)
{
    out->up = cut_floats(cutter, sizes->rows * sizes->inner * (sizes->llama ? 2 : 1));
    out->inner = cut_floats(cutter, sizes->rows * sizes->inner);
}

static void cut_layer(struct cutter *cutter, const struct sizes *sizes, struct learn_layer *out)
{
    const size_t wide = sizes->rows * sizes->d;
    cut_attention(cutter, sizes, true, out);
    out->x = sizes->norm ? cut_floats(cutter, wide) : NULL;
    out->o = cut_floats(cutter, wide);
    out->middle = sizes->inner > 0 ? cut_floats(cutter, wide) : NULL;
    out->mlp_x = sizes->inner > 0 && sizes->norm ? cut_floats(cutter, wide) : NULL;
    out->mlp = sizes->inner > 0 ? cut_floats(cutter, wide) : NULL;
    cut_mlp(cutter, sizes, out);
}

static void cut_gradients(struct cutter *cutter, const struct sizes *sizes, struct learn_layer *out)
{
    const size_t wide = sizes->rows * sizes->d;
    cut_attention(cutter, sizes, false, out);
    out->x = cut_floats(cutter, wide);
    out->o = NULL; /* it is that of middle */
    out->middle = sizes->inner > 0 ? cut_floats(cutter, wide) : NULL;
    out->mlp_x = sizes->inner > 0 ? cut_floats(cutter, wide) : NULL;
    out->mlp = NULL; /* it is that of the next residual */
    cut_mlp(cutter, sizes, out);
}

/* The output of the last layer's attention, or of a layer without an MLP, is the next residual. */
static void share_buffers(struct learn_pass *pass, const struct learn_shape *shape)
{
    for (size_t l = 0; l < shape->layers; l++) {
        struct learn_layer *const layer = &pass->layer[l], *const dlayer = &pass->dlayer[l];
        if (shape->inner == 0) {
            layer->middle = pass->residual[l + 1];
            dlayer->middle = pass->dresidual[l + 1];
        }
        if (!shape->norm) {
            layer->x = pass->residual[l];
            layer->mlp_x = layer->middle;
        }
    }
    if (!shape->norm) {
        pass->final = pass->residual[shape->layers];
    }
}

static size_t lay_out(const struct learn_shape *shape, size_t sequences, size_t length, bool keep,
                      float *block, struct learn_pass *pass)
{
    struct cutter cutter = {block, 0};
    const size_t heads = shape->heads * shape->d_k, rows = sequences * length;
    const struct sizes sizes = {rows,
                                sequences * length * length * shape->heads,
                                shape->d_model,
                                heads,
                                shape->inner,
                                shape->vocabulary,
                                shape->norm,
                                shape->family == LEARN_LLAMA,
                                shape->smear > 0,
                                keep};
    const size_t wide = rows * sizes.d;
    *pass = (struct learn_pass){.room = rows, .pairs = sizes.pairs};
    for (size_t l = 0; l <= shape->layers; l++) {
        pass->residual[l] = cut_floats(&cutter, wide);
        pass->dresidual[l] = keep || l == 0 ? cut_floats(&cutter, wide) : pass->dresidual[0];
    }
    for (size_t l = 0; l < shape->layers; l++) {
        cut_layer(&cutter, &sizes, &pass->layer[l]);
        if (keep || l == 0) {
            cut_gradients(&cutter, &sizes, &pass->dlayer[l]);
        } else {
            pass->dlayer[l] = pass->dlayer[0];
        }
    }
    pass->final = shape->norm ? cut_floats(&cutter, wide) : NULL;
    pass->known = cut_floats(&cutter, 2 * rows);
    pass->logits = cut_floats(&cutter, rows * sizes.vocabulary);
    pass->dfinal = cut_floats(&cutter, wide);
    pass->through = cut_floats(&cutter, wide);
    pass->dlogits = keep ? cut_floats(&cutter, rows * sizes.vocabulary) : pass->logits;
    share_buffers(pass, shape);
    return cutter.used;
}

size_t learn_pass_floats(const struct learn_shape *shape, size_t sequences, size_t length,
                         bool keep)
{
    struct learn_pass pass;
    return lay_out(shape, sequences, length, keep, NULL, &pass);
}

void learn_pass_lay_out(const struct learn_shape *shape, size_t sequences, size_t length, bool keep,
                        float *block, struct learn_pass *pass)
{
    (void)lay_out(shape, sequences, length, keep, block, pass);
}

/* ---- one layer of weights ------------------------------------------------------------------ */

/* The rows of a pass, and what its stages need. */
struct work {
    const struct learn_plan *plan;
    const struct learn_pass *pass;
    const float *weights;
    float *gradient; /* of the group; NULL in the forward pass */
    bool first;      /* the gradient is overwritten, not added to */
    size_t sequences, length, rows;
    const uint32_t *asked; /* the rows with targets among those of the part, in their order; NULL:
                              all rows */
};

/* Returns the work after the attention of the last layer, on the rows with targets alone. Nothing
 * else depends on the other rows there, and they would add 0 to the gradient. */
static struct work asked_of(const struct work *work, const struct learn_part_of_batch *part)
{
    struct work asked = *work;
    asked.asked = part->asked;
    asked.rows = part->asked == NULL ? work->rows : part->asked_count;
    return asked;
}

/* Moves the rows with targets to the front. */
static void gather_rows(const struct work *work, float *values, size_t cols)
{
    for (size_t row = 0; work->asked != NULL && row < work->rows; row++) {
        memmove(values + row * cols, values + work->asked[row] * cols, cols * sizeof *values);
    }
}

/* Moves them back; all other rows become 0. */
static void scatter_rows(const struct work *work, float *values, size_t cols)
{
    size_t left = work->rows;
    for (size_t row = work->sequences * work->length; work->asked != NULL && row-- > 0;) {
        if (left > 0 && work->asked[left - 1] == row) {
            left--;
            memmove(values + row * cols, values + left * cols, cols * sizeof *values);
        } else {
            memset(values + row * cols, 0, cols * sizeof *values);
        }
    }
}

static const float *tensor_of(const struct work *work, size_t layer, enum learn_role role)
{
    const size_t at = work->plan->at[layer][role];
    return at == LEARN_ABSENT ? NULL : work->weights + at;
}

static float *gradient_of(const struct work *work, size_t layer, enum learn_role role)
{
    const size_t at = work->plan->at[layer][role];
    return at == LEARN_ABSENT ? NULL : work->gradient + at;
}

/* A linear map from `in` to `out` numbers; its matrix is stored as its family does it. */
struct linear {
    size_t layer;
    enum learn_role matrix, bias;
    size_t in, out;
};

static bool has_turned_matrices(const struct work *work)
{
    return work->plan->shape.family == LEARN_LLAMA;
}

static struct attn_operand matrix_of(const struct work *work, const struct linear *map)
{
    const float *const values = tensor_of(work, map->layer, map->matrix);
    return has_turned_matrices(work) ? learn_operand(values, map->out, map->in)
                                     : learn_operand(values, map->in, map->out);
}

/* Computes y = x · W + b. */
static void linear_forward(const struct work *work, const struct linear *map, const float *x,
                           float *y)
{
    const struct attn_operand bias =
        learn_operand(tensor_of(work, map->layer, map->bias), 1, map->out);
    attn_multiply(work->plan->kernels, NULL, has_turned_matrices(work) ? ATTN_A_BT : ATTN_A_B,
                  learn_operand(x, work->rows, map->in), matrix_of(work, map),
                  bias.values == NULL ? NULL : &bias, learn_matrix(y, work->rows, map->out));
}

/* Writes a product to out [n][m], or adds it. */
static void add_product(const struct work *work, struct attn_operand a, struct attn_operand b,
                        float *out)
{
    const struct attn_matrix sum = learn_matrix(out, a.cols, b.cols);
    const struct attn_operand start = learn_operand(out, a.cols, b.cols);
    attn_multiply(work->plan->kernels, NULL, ATTN_AT_B, a, b, work->first ? NULL : &start, sum);
}

/* Computes dx = dy · Wᵀ, dW += xᵀ · dy, db += Σ dy. */
static void linear_back(const struct work *work, const struct linear *map, const float *x,
                        const float *dy, float *dx)
{
    const struct attn_operand d = learn_operand(dy, work->rows, map->out);
    const struct attn_operand from = learn_operand(x, work->rows, map->in);
    float *const dmatrix = gradient_of(work, map->layer, map->matrix);
    float *const dbias = gradient_of(work, map->layer, map->bias);
    attn_multiply(work->plan->kernels, NULL, has_turned_matrices(work) ? ATTN_A_B : ATTN_A_BT, d,
                  matrix_of(work, map), NULL, learn_matrix(dx, work->rows, map->in));
    if (has_turned_matrices(work)) {
        add_product(work, d, from, dmatrix);
    } else {
        add_product(work, from, d, dmatrix);
    }
    if (dbias != NULL) {
        add_product(work, learn_operand(work->plan->ones, work->rows, 1), d, dbias);
    }
}

static struct linear qkv_of(const struct learn_shape *shape, size_t layer)
{
    return (struct linear){layer, shape->family == LEARN_LLAMA ? LEARN_W_Q : LEARN_QKV,
                           LEARN_QKV_BIAS, shape->d_model, 3 * shape->heads * shape->d_k};
}

static struct linear output_of(const struct learn_shape *shape, size_t layer)
{
    return (struct linear){layer, LEARN_W_O, LEARN_O_BIAS, shape->heads * shape->d_k,
                           shape->d_model};
}

static struct linear up_of(const struct learn_shape *shape, size_t layer)
{
    const bool llama = shape->family == LEARN_LLAMA;
    return (struct linear){layer, llama ? LEARN_GATE : LEARN_UP, LEARN_UP_BIAS, shape->d_model,
                           llama ? 2 * shape->inner : shape->inner};
}

static struct linear down_of(const struct learn_shape *shape, size_t layer)
{
    return (struct linear){layer, LEARN_DOWN, LEARN_DOWN_BIAS, shape->inner, shape->d_model};
}

/* ---- norms and sums ------------------------------------------------------------------------ */

static struct attn_norm norm_of(const struct work *work, size_t layer, enum learn_role gain)
{
    return (struct attn_norm){has_turned_matrices(work), tensor_of(work, layer, gain),
                              tensor_of(work, layer, (enum learn_role)(gain + 1)), LEARN_EPSILON};
}

/* Normalises rows; without a norm y is x. */
static void normalise_rows(const struct work *work, size_t layer, enum learn_role gain,
                           const float *x, float *y, float *known)
{
    const size_t d = work->plan->shape.d_model;
    if (work->plan->shape.norm) {
        const struct attn_norm norm = norm_of(work, layer, gain);
        attn_normalise(work->plan->kernels, NULL, &norm, learn_operand(x, work->rows, d),
                       learn_matrix(y, work->rows, d), known);
    }
}

/* Computes sum = a + b. */
static void add_rows(const float *a, const float *b, size_t count, float *sum)
{
    for (size_t i = 0; i < count; i++) {
        sum[i] = a[i] + b[i];
    }
}

/* Computes out = x + added for rows with targets; x has all rows. */
static void add_asked(const struct work *work, const float *x, const float *added, float *out)
{
    const size_t d = work->plan->shape.d_model;
    if (work->asked == NULL) {
        add_rows(x, added, work->rows * d, out);
        return;
    }
    for (size_t row = 0; row < work->rows; row++) {
        add_rows(x + work->asked[row] * d, added + row * d, d, out + row * d);
    }
}

/* Computes dx as the gradient that bypasses the norm (NULL: none) plus the one that passes it, from
 * dy, the gradient of y. dx may be `around`. */
static void norm_back(const struct work *work, size_t layer, enum learn_role gain, const float *x,
                      const float *known, const float *dy, const float *around, float *dx)
{
    const size_t d = work->plan->shape.d_model, count = work->rows * d;
    const float *through = dy;
    if (work->plan->shape.norm) {
        const struct attn_norm norm = norm_of(work, layer, gain);
        float *const dgain = gradient_of(work, layer, gain);
        float *const dbias = gradient_of(work, layer, (enum learn_role)(gain + 1));
        float *const to = around == NULL ? dx : work->pass->through;
        if (work->first) {
            memset(dgain, 0, d * sizeof *dgain);
        }
        if (work->first && dbias != NULL) {
            memset(dbias, 0, d * sizeof *dbias);
        }
        attn_norm_back(work->plan->kernels, NULL, &norm, learn_operand(x, work->rows, d), known,
                       learn_operand(dy, work->rows, d), learn_matrix(to, work->rows, d), dgain,
                       dbias);
        through = to;
    }
    if (around != NULL) {
        add_rows(around, through, count, dx);
    } else if (through != dx) {
        memcpy(dx, through, count * sizeof *dx);
    }
}

/* ---- forward ------------------------------------------------------------------------------- */

static void embed_tokens(const struct work *work, const int32_t *tokens)
{
    const size_t d = work->plan->shape.d_model;
    const float *const wte = tensor_of(work, 0, LEARN_WTE), *const wpe =
                                                                tensor_of(work, 0, LEARN_WPE);
    for (size_t row = 0; row < work->rows; row++) {
        const float *const word = wte + (size_t)tokens[row] * d;
        float *const x = work->pass->residual[0] + row * d;
        if (wpe == NULL) {
            memcpy(x, word, d * sizeof *x);
        } else {
            add_rows(word, wpe + row % work->length * d, d, x);
        }
    }
}

/* Applies GELU to `up`, or multiplies SiLU of its left half by its right half. */
static void apply_activation(const struct work *work, const struct learn_layer *layer)
{
    const struct attn_kernels *const kernels = work->plan->kernels;
    const size_t inner = work->plan->shape.inner, count = work->rows * inner;
    if (!has_turned_matrices(work)) {
        memcpy(layer->inner, layer->up, count * sizeof *layer->inner);
        attn_gate(kernels, layer->inner, count, LEARN_GELU_LINEAR, LEARN_GELU_CUBIC);
        return;
    }
    for (size_t row = 0; row < work->rows; row++) {
        const float *const gate = layer->up + row * 2 * inner;
        attn_swiglu(kernels, gate, gate + inner, layer->inner + row * inner, inner);
    }
}

static void activate_back(const struct work *work, const struct learn_layer *layer,
                          const struct learn_layer *dlayer)
{
    const struct attn_kernels *const kernels = work->plan->kernels;
    const size_t inner = work->plan->shape.inner, count = work->rows * inner;
    if (!has_turned_matrices(work)) {
        memcpy(dlayer->up, dlayer->inner, count * sizeof *dlayer->up);
        attn_gate_back(kernels, layer->up, dlayer->up, count, LEARN_GELU_LINEAR, LEARN_GELU_CUBIC);
        return;
    }
    for (size_t row = 0; row < work->rows; row++) {
        const float *const gate = layer->up + row * 2 * inner;
        float *const dgate = dlayer->up + row * 2 * inner;
        attn_swiglu_back(kernels, gate, gate + inner, dlayer->inner + row * inner, dgate,
                         dgate + inner, inner);
    }
}

/* Copies values to where they are kept; returns those that may be changed further. */
static float *copy_kept(float *kept, float *values, size_t count)
{
    if (kept != NULL) {
        memcpy(kept, values, count * sizeof *kept);
    }
    return kept == NULL ? values : kept;
}

/* Computes a layer from x to the residual of rows with targets; late is the work on them. */
static void layer_forward(const struct work *work, const struct work *late, size_t number)
{
    const struct learn_plan *const plan = work->plan;
    const struct learn_layer *const layer = &work->pass->layer[number];
    const size_t d = plan->shape.d_model, heads = plan->shape.heads * plan->shape.d_k;
    const float *const residual = work->pass->residual[number];
    const struct linear qkv = qkv_of(&plan->shape, number), out = output_of(&plan->shape, number);
    normalise_rows(work, number, LEARN_NORM_1_GAIN, residual, layer->x, layer->known_1);
    linear_forward(work, &qkv, layer->x, layer->qkv);
    (void)copy_kept(layer->plain, layer->qkv, work->rows * qkv.out);
    learn_turn(plan, layer->qkv, work->sequences, work->length, false);
    (void)copy_kept(layer->turned, layer->qkv, work->rows * qkv.out);
    learn_smear(plan, layer->qkv, work->sequences, work->length, false);
    learn_attend(plan, layer, number, work->sequences, work->length);
    gather_rows(late, layer->concat, heads);
    linear_forward(late, &out, layer->concat, layer->o);
    add_asked(late, residual, layer->o, layer->middle);
    if (plan->shape.inner > 0) {
        const struct linear up = up_of(&plan->shape, number), down = down_of(&plan->shape, number);
        normalise_rows(late, number, LEARN_NORM_2_GAIN, layer->middle, layer->mlp_x,
                       layer->known_2);
        linear_forward(late, &up, layer->mlp_x, layer->up);
        apply_activation(late, layer);
        linear_forward(late, &down, layer->inner, layer->mlp);
        add_rows(layer->middle, layer->mlp, late->rows * d, work->pass->residual[number + 1]);
    }
}

static struct work work_of(const struct learn_plan *plan, const struct learn_pass *pass,
                           const float *weights, const struct learn_part_of_batch *part)
{
    return (struct work){.plan = plan,
                         .pass = pass,
                         .weights = weights,
                         .sequences = part->sequences,
                         .length = part->length,
                         .rows = part->sequences * part->length};
}

/* Returns the tensor that turns rows into logits: [vocabulary][d]. */
static enum learn_role head_of(const struct learn_plan *plan)
{
    return plan->shape.tied ? LEARN_WTE : LEARN_HEAD;
}

void learn_pass_forward(const struct learn_plan *plan, const struct learn_pass *pass,
                        const float *weights, const struct learn_part_of_batch *part)
{
    const struct work work = work_of(plan, pass, weights, part), late = asked_of(&work, part);
    const size_t d = plan->shape.d_model, vocabulary = plan->shape.vocabulary;
    embed_tokens(&work, part->tokens);
    for (size_t l = 0; l < plan->shape.layers; l++) {
        layer_forward(&work, l + 1 < plan->shape.layers ? &work : &late, l);
    }
    normalise_rows(&late, 0, LEARN_NORM_F_GAIN, pass->residual[plan->shape.layers], pass->final,
                   pass->known);
    attn_multiply(plan->kernels, NULL, ATTN_A_BT, learn_operand(pass->final, late.rows, d),
                  learn_operand(tensor_of(&work, 0, head_of(plan)), vocabulary, d), NULL,
                  learn_matrix(pass->logits, late.rows, vocabulary));
}

/* Computes the loss of rows with targets, which stand together; losses and hits are written to the
 * original rows. */
static void loss_of_asked(const struct learn_plan *plan, const struct learn_pass *pass,
                          const struct learn_part_of_batch *part, bool gradient)
{
    const size_t rows = part->sequences * part->length, vocabulary = plan->shape.vocabulary;
    enum { AT_ONCE = 64 };
    int32_t targets[AT_ONCE];
    float losses[AT_ONCE];
    uint8_t right[AT_ONCE];
    memset(part->losses, 0, rows * sizeof *part->losses);
    memset(part->right, 0, rows * sizeof *part->right);
    for (size_t first = 0; first < part->asked_count; first += AT_ONCE) {
        const size_t left = part->asked_count - first, count = left < AT_ONCE ? left : AT_ONCE;
        const uint32_t *const row = part->asked + first;
        for (size_t i = 0; i < count; i++) {
            targets[i] = part->targets[row[i]];
        }
        attn_cross_entropy_part(
            plan->kernels, learn_operand(pass->logits + first * vocabulary, count, vocabulary),
            targets, part->share, losses, right,
            learn_matrix(gradient ? pass->dlogits + first * vocabulary : NULL, count, vocabulary));
        for (size_t i = 0; i < count; i++) {
            part->losses[row[i]] = losses[i];
            part->right[row[i]] = right[i];
        }
    }
}

void learn_pass_loss(const struct learn_plan *plan, const struct learn_pass *pass,
                     const struct learn_part_of_batch *part, bool gradient)
{
    const size_t rows = part->sequences * part->length, vocabulary = plan->shape.vocabulary;
    if (part->asked != NULL) {
        loss_of_asked(plan, pass, part, gradient);
        return;
    }
    attn_cross_entropy_part(plan->kernels, learn_operand(pass->logits, rows, vocabulary),
                            part->targets, part->share, part->losses, part->right,
                            learn_matrix(gradient ? pass->dlogits : NULL, rows, vocabulary));
}

/* ---- back ---------------------------------------------------------------------------------- */

static void layer_back(const struct work *work, const struct work *late, size_t number)
{
    const struct learn_plan *const plan = work->plan;
    const struct learn_layer *const layer = &work->pass->layer[number];
    const struct learn_layer *const dlayer = &work->pass->dlayer[number];
    const struct linear qkv = qkv_of(&plan->shape, number), out = output_of(&plan->shape, number);
    const float *const dout = work->pass->dresidual[number + 1];
    if (plan->shape.inner > 0) {
        const struct linear up = up_of(&plan->shape, number), down = down_of(&plan->shape, number);
        linear_back(late, &down, layer->inner, dout, dlayer->inner);
        activate_back(late, layer, dlayer);
        linear_back(late, &up, layer->mlp_x, dlayer->up, dlayer->mlp_x);
        norm_back(late, number, LEARN_NORM_2_GAIN, layer->middle, layer->known_2, dlayer->mlp_x,
                  dout, dlayer->middle);
    }
    linear_back(late, &out, layer->concat, dlayer->middle, dlayer->concat);
    scatter_rows(late, dlayer->concat, out.in);
    scatter_rows(late, dlayer->middle, out.out);
    learn_attend_back(plan, layer, dlayer, number, work->sequences, work->length);
    float *d = copy_kept(dlayer->turned, dlayer->qkv, work->rows * qkv.out);
    learn_smear(plan, d, work->sequences, work->length, true);
    d = copy_kept(dlayer->plain, d, work->rows * qkv.out);
    learn_turn(plan, d, work->sequences, work->length, true);
    linear_back(work, &qkv, layer->x, d, dlayer->x);
    norm_back(work, number, LEARN_NORM_1_GAIN, work->pass->residual[number], layer->known_1,
              dlayer->x, dlayer->middle, work->pass->dresidual[number]);
}

static void embed_back(const struct work *work, const int32_t *tokens)
{
    const struct learn_shape *const shape = &work->plan->shape;
    const size_t d = shape->d_model;
    float *const wte = gradient_of(work, 0, LEARN_WTE), *const wpe =
                                                            gradient_of(work, 0, LEARN_WPE);
    if (work->first && !shape->tied) {
        memset(wte, 0, shape->vocabulary * d * sizeof *wte);
    }
    if (work->first && wpe != NULL) {
        memset(wpe, 0, shape->context * d * sizeof *wpe);
    }
    for (size_t row = 0; row < work->rows; row++) {
        const float *const dx = work->pass->dresidual[0] + row * d;
        float *const word = wte + (size_t)tokens[row] * d;
        add_rows(word, dx, d, word);
        if (wpe != NULL) {
            float *const place = wpe + row % work->length * d;
            add_rows(place, dx, d, place);
        }
    }
}

void learn_pass_backward(const struct learn_plan *plan, const struct learn_pass *pass,
                         const float *weights, const struct learn_part_of_batch *part, bool first,
                         float *gradient)
{
    struct work work = work_of(plan, pass, weights, part);
    work.gradient = gradient;
    work.first = first;
    const struct work late = asked_of(&work, part);
    const size_t d = plan->shape.d_model, vocabulary = plan->shape.vocabulary;
    const struct attn_operand dlogits = learn_operand(pass->dlogits, late.rows, vocabulary);
    attn_multiply(plan->kernels, NULL, ATTN_A_B, dlogits,
                  learn_operand(tensor_of(&work, 0, head_of(plan)), vocabulary, d), NULL,
                  learn_matrix(pass->dfinal, late.rows, d));
    add_product(&work, dlogits, learn_operand(pass->final, late.rows, d),
                gradient_of(&work, 0, head_of(plan)));
    norm_back(&late, 0, LEARN_NORM_F_GAIN, pass->residual[plan->shape.layers], pass->known,
              pass->dfinal, NULL, pass->dresidual[plan->shape.layers]);
    for (size_t l = plan->shape.layers; l > 0; l--) {
        layer_back(&work, l < plan->shape.layers ? &work : &late, l - 1);
    }
    embed_back(&work, part->tokens);
}
