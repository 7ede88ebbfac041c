/* model/model_attention.c — one attention of one head, with all that a family may add to its
 * scores: a window, a cap, relative positions, a sink. */
#include <string.h>

#include "attn/pool.h"
#include "base/checked.h"
#include "model/model_internal.h"

/* ---- what a query sees --------------------------------------------------------------------- */

/* The keys from *first up to the one before the result. */
static size_t seen_keys(const struct model_sight *sight, size_t row, size_t *first)
{
    const size_t place = sight->first + row, keys = sight->k.rows, window = sight->window;
    *first = 0;
    if (sight->past) {
        const size_t end = place + 1 < keys ? place + 1 : keys;
        *first = window > 0 && end > window ? end - window : 0;
        return end;
    }
    if (window == 0) {
        return keys;
    }
    *first = place > window ? place - window : 0;
    return place + window + 1 < keys ? place + window + 1 : keys;
}

/* Returns whether it is softmax(q·kᵀ · factor)·v of all keys, or of all up to the query's own. */
static bool is_plain_sight(const struct model_sight *sight)
{
    return !(sight->cap > 0) && sight->sink == NULL && sight->relative == NULL &&
           sight->window == 0 && /* even where it is not full yet: a text may grow */
           sight->interventions.count == 0;
}

/* ---- weights ------------------------------------------------------------------------------- */

/* Scores of the keys that a query sees become what softmax is taken of. */
static void finish_scores(const struct attn_kernels *kernels, const struct model_sight *sight,
                          size_t row, size_t first, struct attn_matrix s)
{
    attn_scale_mask(kernels, s, sight->factor, (struct attn_mask){NULL, 0});
    if (sight->cap > 0) {
        for (size_t j = 0; j < s.cols; j++) {
            s.values[j] /= sight->cap;
        }
        attn_apply(kernels, ATTN_TANH, s.values, s.cols);
        for (size_t j = 0; j < s.cols; j++) {
            s.values[j] *= sight->cap;
        }
    }
    for (size_t j = 0; sight->relative != NULL && j < s.cols; j++) {
        const long distance = (long)(first + j) - (long)(sight->first + row);
        const size_t bucket = model_bucket(distance, !sight->past, sight->buckets, sight->farthest);
        s.values[j] += sight->relative[bucket * sight->relative_step];
    }
}

static void intervene_in_scores(const struct model_sight *sight, enum model_node node, size_t row,
                                struct attn_matrix values)
{
    if (sight->interventions.count > 0) {
        model_intervene(sight->model, sight->interventions, node, sight->layer, sight->head,
                        sight->first + row, values);
    }
}

/* Weights of its queries into out, rows of `stride` floats, at least keys + 1. */
static void compute_weights(const struct attn_kernels *kernels, const struct model_sight *sight,
                            size_t stride, float *out)
{
    const size_t keys = sight->k.rows;
    const bool sinks = sight->sink != NULL;
    attn_scores(kernels, sight->q, sight->k,
                (struct attn_matrix){out, sight->q.rows, keys, stride});
    intervene_in_scores(sight, MODEL_NODE_SCORES, 0,
                        (struct attn_matrix){out, sight->q.rows, keys, stride});
    for (size_t row = 0; row < sight->q.rows; row++) {
        float *const s = out + row * stride;
        size_t first = 0;
        const size_t end = seen_keys(sight, row, &first);
        struct attn_matrix part = {s + first, 1, end - first, stride};
        finish_scores(kernels, sight, row, first, part);
        intervene_in_scores(sight, MODEL_NODE_SCALED, row, (struct attn_matrix){s, 1, end, stride});
        if (sinks) { /* one logit more, whose share nobody gets */
            s[end] = *sight->sink;
            part.cols++;
        }
        attn_softmax(kernels, part);
        memset(s, 0, first * sizeof *s);
        if (end < keys) {
            memset(s + end, 0, (keys - end) * sizeof *s);
        }
        intervene_in_scores(sight, MODEL_NODE_ALPHA, row, (struct attn_matrix){s, 1, keys, stride});
    }
}

void model_run_weights_of(const struct model_run *run, enum model_attention which, size_t layer,
                          size_t head, float *out)
{
    const struct model_pass *const pass = which == MODEL_ENCODER ? &run->encoder : &run->main;
    const struct model_sight sight = model_sight_of(run, which, layer, head, 0, pass->count);
    const size_t keys = sight.k.rows;
    if (sight.sink == NULL) {
        compute_weights(run->means.kernels, &sight, keys, out);
        return;
    }
    /* A row has no room for its sink; the next one, which is computed after it, has. */
    for (size_t row = 0; row < pass->count; row++) {
        const struct model_sight one = model_sight_of(run, which, layer, head, row, 1);
        float *const at = out + row * keys;
        if (row + 1 < pass->count) {
            compute_weights(run->means.kernels, &one, keys + 1, at);
            memset(at + one.k.rows, 0, (keys - one.k.rows) * sizeof *at);
        } else if (row == 0) {
            float pair[2];
            compute_weights(run->means.kernels, &one, 2, pair);
            at[0] = pair[0];
        } else {
            const float former = at[-1];
            compute_weights(run->means.kernels, &one, keys + 1, at - 1);
            memmove(at, at - 1, keys * sizeof *at);
            at[-1] = former;
        }
    }
}

void model_run_weights(const struct model_run *run, size_t layer, size_t head, float *out)
{
    model_run_weights_of(run, MODEL_SELF, layer, head, out);
}

/* ---- all heads of a layer ------------------------------------------------------------------ */

struct attending {
    const struct model_run *run;
    enum model_attention which;
    size_t layer, first, count, d_v, stride;
    bool plain_too; /* plain heads are computed so, too */
    float *scratch; /* of each worker: [count][stride] */
    struct attn_matrix mixed;
};

static void attend_head(void *context, size_t head, size_t worker)
{
    const struct attending *const a = context;
    const struct attn_kernels *const kernels = a->run->means.kernels;
    const struct model_sight sight =
        model_sight_of(a->run, a->which, a->layer, head, a->first, a->count);
    float *const weights = a->scratch + worker * a->count * a->stride;
    if (!a->plain_too && is_plain_sight(&sight)) {
        return;
    }
    compute_weights(kernels, &sight, a->stride, weights);
    attn_blend(
        kernels, (struct attn_operand){weights, a->count, sight.k.rows, a->stride}, sight.v,
        (struct attn_matrix){a->mixed.values + head * a->d_v, a->count, a->d_v, a->mixed.stride});
}

static bool attend_apart(struct attending *a, struct arena *arena)
{
    const struct model_run *const run = a->run;
    const struct model_config *const config = &run->model->config;
    const size_t keys = model_sight_of(run, a->which, a->layer, 0, a->first, a->count).k.rows;
    const double work = 2 * (double)config->heads * (double)a->count * (double)keys *
                        (double)(config->d_k + config->d_v);
    size_t each = 0, floats = 0;
    a->stride = keys + 1;
    if (!checked_multiply(a->count, a->stride, &each) ||
        !checked_multiply(each, attn_pool_threads(run->means.pool), &floats)) {
        return false;
    }
    a->scratch = arena_array(arena, floats, sizeof *a->scratch);
    if (a->scratch == NULL) {
        return false;
    }
    attn_pool_run(run->means.pool, work, config->heads, attend_head, a);
    return true;
}

/* The plain heads at once, without a matrix of scores. */
static bool attend_fused(const struct attending *a, struct arena *arena)
{
    const struct model_run *const run = a->run;
    const size_t count = run->model->config.heads;
    struct attn_head *const heads = arena_array(arena, count, sizeof *heads);
    size_t on = 0;
    for (size_t h = 0; heads != NULL && h < count; h++) {
        const struct model_sight sight =
            model_sight_of(run, a->which, a->layer, h, a->first, a->count);
        if (!is_plain_sight(&sight)) { /* its numbers between scores and weights are replaced */
            continue;
        }
        heads[on++] = (struct attn_head){
            .q = sight.q,
            .k = sight.k,
            .v = sight.v,
            .factor = sight.factor,
            .sight = {.kind = sight.past ? ATTN_SEE_PAST : ATTN_SEE_ALL, .offset = sight.first},
            .z = {a->mixed.values + h * a->d_v, a->count, a->d_v, a->mixed.stride},
            .keys_grow = sight.past,
        };
    }
    const size_t bytes =
        heads == NULL || on == 0
            ? 0
            : attn_fused_bytes(run->means.kernels, heads, on, attn_pool_threads(run->means.pool));
    void *const scratch = bytes == 0 ? NULL : arena_alloc(arena, bytes);
    if (scratch != NULL) {
        attn_fused(run->means.kernels, run->means.pool, heads, on, scratch);
    }
    return heads != NULL && (on == 0 || scratch != NULL);
}

bool model_attend(const struct model_run *run, enum model_attention which, size_t layer,
                  size_t first, size_t count, struct attn_matrix mixed)
{
    const struct model_config *const config = &run->model->config;
    struct arena arena = {0};
    const struct model_interventions list =
        which == MODEL_SELF ? run->main.interventions : (struct model_interventions){NULL, 0};
    struct attending a = {.run = run,
                          .which = which,
                          .layer = layer,
                          .first = first,
                          .count = count,
                          .d_v = config->d_v,
                          .mixed = mixed};
    struct model_sight sight = model_sight_of(run, which, layer, 0, first, count);
    sight.interventions.count = 0;
    a.plain_too = !is_plain_sight(&sight); /* the family's heads are */
    const bool apart = a.plain_too || model_intervenes(list, MODEL_NODE_SCORES, MODEL_NODE_ALPHA,
                                                       layer, MODEL_EACH);
    const bool done =
        (a.plain_too || attend_fused(&a, &arena)) && (!apart || attend_apart(&a, &arena));
    for (size_t h = 0; done && list.count > 0 && h < config->heads; h++) {
        model_intervene(
            run->model, list, MODEL_NODE_Z, layer, h, first,
            (struct attn_matrix){mixed.values + h * config->d_v, count, config->d_v, mixed.stride});
    }
    arena_free(&arena);
    return done;
}
