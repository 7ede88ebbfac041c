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
static size_t add_turned(struct making *making, enum lab_block_name named, size_t of, size_t first)
{
    size_t width = 0;
    const float *const turns = turns_of(making, &width);
    const bool neighbours = making->config->family->neighbours;
    if (turns == NULL || making->failed) {
        return of;
    }
    const struct lab_block_step *const x = making_step(making, of);
    const size_t parts = x->parts > 0 ? x->parts : 1;
    struct lab_block_step step = {.named = named,
                                  .op = LAB_TURN,
                                  .of = {of},
                                  .cols = x->cols,
                                  .parts = x->parts,
                                  .turn = {turns, first, width, neighbours}};
    float *const out = making_values(making, &step);
    if (out != NULL) {
        memcpy(out, x->values, making->n * x->cols * sizeof *out);
        model_turn(&(struct model_turning){.turns = turns,
                                           .width = width,
                                           .heads = parts,
                                           .d = x->cols / parts,
                                           .neighbours = neighbours},
                   (struct attn_matrix){out + first, making->n, 0, x->cols});
    }
    return making_add(making, &step);
}

/* The keys: of each head its own part, then what all share. */
static void add_keys_beside(struct making *making, size_t own, size_t shared)
{
    const size_t heads = making->config->heads, d_k = making->config->d_k,
                 unrotated = making->config->unrotated, turns = making->config->turns;
    struct lab_block_step step = {.named = LAB_BLOCK_K,
                                  .op = LAB_BESIDE,
                                  .of = {own, shared},
                                  .cols = heads * d_k,
                                  .parts = heads};
    float *const out = making_values(making, &step);
    for (size_t i = 0; out != NULL && i < making->n * heads; i++) {
        memcpy(out + i * d_k, making_step(making, own)->values + i * unrotated,
               unrotated * sizeof *out);
        memcpy(out + i * d_k + unrotated, making_step(making, shared)->values + i / heads * turns,
               turns * sizeof *out);
    }
    (void)making_add(making, &step);
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
    static const struct {
        enum lab_block_name first, normed, met, only;
    } names[] = {{LAB_BLOCK_Q_FIRST, LAB_BLOCK_Q_NORMED, LAB_BLOCK_Q, LAB_BLOCK_Q_ONLY},
                 {LAB_BLOCK_K_FIRST, LAB_BLOCK_K_NORMED, LAB_BLOCK_K, LAB_BLOCK_K_ONLY}};
    const size_t side = of_keys ? 1 : 0;
    const struct model_norm *const norm =
        &making->layer->norm[of_keys ? MODEL_NORM_K : MODEL_NORM_Q];
    const bool normed = norm->gain != NULL, turned = are_turned(making);
    const size_t together = making->config->family->qk_norm_whole ? 0 : making->config->d_k;
    size_t step = making_product(making, normed || turned ? names[side].first : names[side].only,
                                 seen, of_keys ? MODEL_M_K : MODEL_M_Q);
    step = making_norm(making, turned ? names[side].normed : names[side].met, step, norm, together);
    (void)add_turned(making, names[side].met, step, 0);
}

static void add_latent(struct making *making, size_t seen)
{
    const struct model_norm *const norm = making->layer->norm;
    size_t from = seen;
    if (making->config->q_rank > 0) {
        from = making_product(making, LAB_BLOCK_Q_LATENT, seen, MODEL_M_Q_A);
        from = making_norm(making, LAB_BLOCK_Q_LATENT_NORMED, from, &norm[MODEL_NORM_Q_A], 0);
    }
    from = making_product(making, LAB_BLOCK_Q_BEFORE, from, MODEL_M_Q);
    (void)add_turned(making, LAB_BLOCK_Q, from, making->config->unrotated);
    from = making_product(making, LAB_BLOCK_LATENT, seen, MODEL_M_KV_A_LATENT);
    from = making_norm(making, LAB_BLOCK_LATENT_NORMED, from, &norm[MODEL_NORM_KV_A], 0);
    const size_t own = making_product(making, LAB_BLOCK_K_REBUILT, from, MODEL_M_K_B);
    const size_t turns = making_product(making, LAB_BLOCK_TURNS_BEFORE, seen, MODEL_M_KV_A_TURNS);
    add_keys_beside(making, own, add_turned(making, LAB_BLOCK_TURNS, turns, 0));
    (void)making_product(making, LAB_BLOCK_V_REBUILT, from, MODEL_M_V_B);
}

size_t making_see(struct making *making, size_t x)
{
    making->at = LAB_BLOCK_AT_EMBED | LAB_BLOCK_AT_PROJECT;
    return making_norm(making, LAB_BLOCK_SEEN, x, &making->layer->norm[MODEL_NORM_ATTN], 0);
}

void making_project(struct making *making, size_t seen)
{
    making->at = LAB_BLOCK_AT_PROJECT;
    if (making->config->family->latent) {
        add_latent(making, seen);
        return;
    }
    add_side(making, seen, false);
    add_side(making, seen, true);
    (void)making_product(making, LAB_BLOCK_V, seen, MODEL_M_V);
}
