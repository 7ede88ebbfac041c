/* model/model_project.c — the way of a layer to its queries, keys and values, step by step, where
 * an experiment cannot say it: norms of heads (Qwen 3, Gemma 3, OLMo 2, Phi), and latent attention
 *
 *     x̂ ─ W_DKV ─ c ─ norm ─ ĉ ─┬─ W_UK ─ k₀ ─┬─ k        x̂ ─ (W_DQ ─ norm) ─ W_UQ ─ turned ─ q
 *     x̂ ─ W_KR ── r₀ ─ turned ─ r ────────────┘
 *                               └─ W_UV ─ v
 *
 * (DeepSeek-V2, 2024): the same products in the same order as model/model_layers.c has them. */
#include <string.h>

#include "model/model_making.h"

struct model_matrix making_matrix(const struct model_config *config,
                                  const struct model_layer *layer, size_t place)
{
    const bool turns = place == MODEL_M_KV_A_TURNS;
    if (place < MODEL_MATRICES) {
        return layer->matrix[place];
    }
    struct model_matrix part = layer->matrix[MODEL_M_KV_A];
    part.first = turns ? config->kv_rank : 0;
    part.cols = turns ? config->turns : config->kv_rank;
    part.bias = part.bias == NULL ? NULL : part.bias + part.first;
    return part;
}

/* ---- kinds of steps -------------------------------------------------------------------------- */

/* Weights that rows are multiplied by. */
struct weights {
    const char *name;
    size_t place, parts; /* parts: heads or groups side by side; 0: none */
};

static size_t add_product(struct making *making, const struct called *called, size_t of,
                          const struct weights *weights)
{
    const size_t place = weights->place;
    const struct model_matrix w = making_matrix(making->config, making->layer, place);
    float *const out = making_floats(making, w.cols);
    if (making->failed) {
        return 0;
    }
    const struct attn_operand x = {making_step(making, of)->values, making->n, w.depth, w.depth};
    model_product(&making->run.means, x, &w, NULL, dense_matrix(out, making->n, w.cols));
    return making_add(making, &(struct lab_block_step){.name = called->name,
                                                       .sign = called->sign,
                                                       .what = called->what,
                                                       .op = LAB_BLOCK_PRODUCT,
                                                       .of = {of, LAB_BLOCK_NOTHING},
                                                       .cols = w.cols,
                                                       .values = out,
                                                       .parts = weights->parts,
                                                       .weights = weights->name,
                                                       .bias = w.bias,
                                                       .matrix = place});
}

/* together: numbers that share a root; 0: all of a row. The step itself where there is no norm. */
static size_t add_norm(struct making *making, const struct called *called, size_t of,
                       enum model_norm_place place, size_t together)
{
    const struct model_norm *const norm = &making->layer->norm[place];
    if (norm->gain == NULL || making->failed) {
        return of;
    }
    const struct lab_block_step *const x = making_step(making, of);
    const size_t cols = x->cols, parts = x->parts, width = together > 0 ? together : cols;
    float *const normed = making_floats(making, cols);
    if (making->failed) {
        return 0;
    }
    for (size_t first = 0; first < cols; first += width) {
        model_normalise(&making->run.means, making->config, norm,
                        (struct attn_operand){x->values + first, making->n, width, cols},
                        (struct attn_matrix){normed + first, making->n, width, cols});
    }
    return making_add(making, &(struct lab_block_step){.name = called->name,
                                                       .sign = called->sign,
                                                       .what = called->what,
                                                       .op = LAB_BLOCK_NORM,
                                                       .of = {of, LAB_BLOCK_NOTHING},
                                                       .cols = cols,
                                                       .values = normed,
                                                       .parts = parts,
                                                       .together = together,
                                                       .gain = norm->gain,
                                                       .bias = norm->bias,
                                                       .epsilon = (double)making->config->epsilon,
                                                       .centred = making->config->family->norm ==
                                                                  MODEL_LAYER_NORM});
}

/* Which angles the layer's words turn by; NULL: they do not. */
static const float *turns_of(const struct making *making, size_t *width)
{
    const struct model_config *const config = making->config;
    const uint8_t kind =
        making->pass->stack == &making->run.model->main ? config->layer[making->number] : 0;
    const size_t which = (kind & MODEL_LAYER_LOCAL) != 0 ? 1 : 0;
    *width = (kind & MODEL_LAYER_UNROTATED) != 0 ? 0 : config->rotary[which].width;
    return *width == 0 ? NULL : making->pass->turns[which];
}

/* first: of each part, where the numbers that turn begin. The step itself where none do. */
static size_t add_turned(struct making *making, const struct called *called, size_t of,
                         size_t first)
{
    size_t width = 0;
    const float *const turns = turns_of(making, &width);
    if (turns == NULL || making->failed) {
        return of;
    }
    const struct lab_block_step *const x = making_step(making, of);
    const size_t cols = x->cols, parts = x->parts > 0 ? x->parts : 1;
    float *const turned = making_floats(making, cols);
    if (making->failed) {
        return 0;
    }
    memcpy(turned, x->values, making->n * cols * sizeof *turned);
    model_turn(&(struct model_turning){.turns = turns,
                                       .width = width,
                                       .heads = parts,
                                       .d = cols / parts,
                                       .neighbours = making->config->family->neighbours},
               (struct attn_matrix){turned + first, making->n, 0, cols});
    return making_add(making, &(struct lab_block_step){
                                  .name = called->name,
                                  .sign = called->sign,
                                  .what = called->what,
                                  .op = LAB_BLOCK_TURNED,
                                  .of = {of, LAB_BLOCK_NOTHING},
                                  .cols = cols,
                                  .values = turned,
                                  .parts = x->parts,
                                  .turn = {turns, first, width, making->config->family->neighbours},
                              });
}

/* Of each head its own part, then what all share. */
static size_t add_beside(struct making *making, const struct called *called, size_t own,
                         size_t shared)
{
    const size_t heads = making->config->heads, d_k = making->config->d_k,
                 unrotated = making->config->unrotated, turns = making->config->turns;
    float *const out = making_floats(making, heads * d_k);
    if (making->failed) {
        return 0;
    }
    const float *const a = making_step(making, own)->values, *const b = making_step(making, shared)
                                                                            ->values;
    for (size_t i = 0; i < making->n; i++) {
        for (size_t h = 0; h < heads; h++) {
            float *const to = out + (i * heads + h) * d_k;
            memcpy(to, a + (i * heads + h) * unrotated, unrotated * sizeof *to);
            memcpy(to + unrotated, b + i * turns, turns * sizeof *to);
        }
    }
    return making_add(making, &(struct lab_block_step){.name = called->name,
                                                       .sign = called->sign,
                                                       .what = called->what,
                                                       .op = LAB_BLOCK_BESIDE,
                                                       .of = {own, shared},
                                                       .cols = heads * d_k,
                                                       .values = out,
                                                       .parts = heads});
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* Returns whether rows that were made of W are changed once more: else W gives q, k or v itself. */
static bool are_turned(const struct making *making)
{
    size_t width = 0;
    return turns_of(making, &width) != NULL;
}

static void add_side(struct making *making, size_t seen, bool of_keys)
{
    static const struct called names[2][4] = {
        {{"q_0", "q₀", "the query, before it is normed or turned"},
         {"q_normed", "q̂", "the query, normed"},
         {"q", "q", "the query, as it meets the keys"},
         {"q", "q", "the query"}},
        {{"k_0", "k₀", "the key, before it is normed or turned"},
         {"k_normed", "k̂", "the key, normed"},
         {"k", "k", "the key, as it meets the queries"},
         {"k", "k", "the key"}}};
    const struct called *const name = names[of_keys ? 1 : 0];
    const enum model_norm_place place = of_keys ? MODEL_NORM_K : MODEL_NORM_Q;
    const bool normed = making->layer->norm[place].gain != NULL, turned = are_turned(making);
    const size_t together = making->config->family->qk_norm_whole ? 0 : making->config->d_k;
    const struct weights weights = of_keys
                                       ? (struct weights){"W_K", MODEL_M_K, making->config->groups}
                                       : (struct weights){"W_Q", MODEL_M_Q, making->config->heads};
    size_t step = add_product(making, &name[normed || turned ? 0 : 3], seen, &weights);
    step = add_norm(making, &name[turned ? 1 : 2], step, place, together);
    (void)add_turned(making, &name[2], step, 0);
}

static void add_latent(struct making *making, size_t seen)
{
    static const struct called
        c_q = {"q_latent", "c′", "the latent that queries are made from"},
        c_q_normed = {"q_latent_normed", "ĉ′", "the latent of queries, normed"},
        q_0 = {"q_0", "q₀", "the query, before a part of it is turned"},
        q = {"q", "q", "the query, as it meets the keys"},
        c = {"latent", "c", "the latent that keys and values are rebuilt from"},
        c_normed = {"latent_normed", "ĉ", "the latent, normed"},
        k_0 = {"k_0", "k₀", "the part of the key that is rebuilt from the latent"},
        r_0 = {"turns_0", "r₀", "the part of all keys that will turn"},
        r = {"turns", "r", "the part that all heads’ keys share, turned by the word’s place"},
        k = {"k", "k", "the key, as it meets the queries"},
        v = {"v", "v", "the value, rebuilt from the latent"};
    const size_t heads = making->config->heads;
    const struct weights w_dq = {"W_DQ", MODEL_M_Q_A, 0}, w_uq = {"W_UQ", MODEL_M_Q, heads},
                         w_q = {"W_Q", MODEL_M_Q, heads}, w_dkv = {"W_DKV", MODEL_M_KV_A_LATENT, 0},
                         w_kr = {"W_KR", MODEL_M_KV_A_TURNS, 0},
                         w_uk = {"W_UK", MODEL_M_K_B, heads}, w_uv = {"W_UV", MODEL_M_V_B, heads};
    size_t from = seen;
    if (making->config->q_rank > 0) {
        from = add_product(making, &c_q, seen, &w_dq);
        from = add_norm(making, &c_q_normed, from, MODEL_NORM_Q_A, 0);
    }
    from = add_product(making, &q_0, from, making->config->q_rank > 0 ? &w_uq : &w_q);
    (void)add_turned(making, &q, from, making->config->unrotated);
    from = add_product(making, &c, seen, &w_dkv);
    from = add_norm(making, &c_normed, from, MODEL_NORM_KV_A, 0);
    const size_t own = add_product(making, &k_0, from, &w_uk);
    const size_t shared = add_turned(making, &r, add_product(making, &r_0, seen, &w_kr), 0);
    (void)add_beside(making, &k, own, shared);
    (void)add_product(making, &v, from, &w_uv);
}

size_t making_see(struct making *making, size_t x)
{
    static const struct called heads_see = {"seen", "x̂", "what the heads see, normed"};
    making->at = LAB_BLOCK_AT_EMBED | LAB_BLOCK_AT_PROJECT;
    return add_norm(making, &heads_see, x, MODEL_NORM_ATTN, 0);
}

void making_project(struct making *making, size_t seen)
{
    static const struct called v = {"v", "v", "the value"};
    making->at = LAB_BLOCK_AT_PROJECT;
    if (making->config->family->latent) {
        add_latent(making, seen);
        return;
    }
    add_side(making, seen, false);
    add_side(making, seen, true);
    const struct weights w_v = {"W_V", MODEL_M_V, making->config->groups};
    (void)add_product(making, &v, seen, &w_v);
}
