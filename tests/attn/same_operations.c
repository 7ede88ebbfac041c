/* tests/attn/same_operations.c — attention's operations for same.c. */
#include "same.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/system.h"

/* ---- shapes and numbers -------------------------------------------------------------------- */

float *same_memory(struct same_trial *trial, size_t floats)
{
    void *const block =
        trial->taken == SAME_BLOCKS ? NULL : attn_system_aligned((floats + 16) * sizeof(float));
    if (block == NULL) {
        printf("no memory\n");
        exit(1);
    }
    trial->blocks[trial->taken++] = block;
    return block;
}

void same_release(struct same_trial *trial)
{
    while (trial->taken > 0) {
        attn_system_free_aligned(trial->blocks[--trial->taken]);
    }
}

size_t same_size(struct same_trial *trial, size_t most)
{
    static const size_t edges[] = {1,  2,  3,  4,  5,  7,  8,  9,  15, 16,  17,  31,
                                   32, 33, 47, 48, 49, 63, 64, 65, 96, 127, 128, 129};
    struct dice *const dice = &trial->dice;
    const size_t size = dice_below(dice, 3) == 0
                            ? edges[dice_below(dice, sizeof edges / sizeof edges[0])]
                            : 1 + dice_below(dice, dice_below(dice, 8) == 0 ? most : 20);
    return size < most ? size : most;
}

enum filling { UNIT, EQUAL, SPREAD, TINY, SPARSE, HOSTILE, FILLINGS };

static float pick_number(struct dice *dice, enum filling filling)
{
    static const float hostile[] = {0,     -0.0F,  INFINITY, -INFINITY, NAN,
                                    1e38F, -3e38F, 1e-40F,   -1e-45F,   88};
    const float unit = dice_unit(dice);
    switch (filling) {
    case EQUAL:
        return 0.3F;
    case SPREAD:
        return ldexpf(unit, (int)dice_below(dice, 61) - 30);
    case TINY:
        return ldexpf(unit, -50 - (int)dice_below(dice, 90));
    case SPARSE:
        return dice_below(dice, 3) == 0 ? unit : dice_below(dice, 2) == 0 ? 0 : -0.0F;
    case HOSTILE:
        return dice_below(dice, 40) == 0
                   ? hostile[dice_below(dice, sizeof hostile / sizeof hostile[0])]
                   : unit;
    default:
        return unit;
    }
}

float *same_numbers(struct same_trial *trial, size_t count)
{
    struct dice *const dice = &trial->dice;
    const enum filling filling =
        dice_below(dice, 2) == 0 ? UNIT : (enum filling)dice_below(dice, FILLINGS);
    float *const values = same_memory(trial, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = pick_number(dice, filling);
    }
    return values;
}

float *same_out(struct same_trial *trial, size_t count)
{
    float *const at = trial->out + trial->count;
    trial->count += count;
    if (trial->count > SAME_FLOATS) {
        printf("no room\n");
        exit(1);
    }
    return at;
}

static struct attn_operand operand(struct same_trial *trial, size_t rows, size_t cols)
{
    const size_t stride = cols + (dice_below(&trial->dice, 2) == 0 ? 0 : 5);
    return (struct attn_operand){same_numbers(trial, rows * stride), rows, cols, stride};
}

static struct attn_matrix result(struct same_trial *trial, size_t rows, size_t cols)
{
    return (struct attn_matrix){same_out(trial, rows * cols), rows, cols, cols};
}

static const uint8_t *mask(struct same_trial *trial, size_t n, size_t m)
{
    uint8_t *const visible = (uint8_t *)same_memory(trial, n * m);
    const size_t kind = dice_below(&trial->dice, 4);
    for (size_t i = 0; i < n; i++) {
        const bool blind = dice_below(&trial->dice, 9) == 0;
        for (size_t j = 0; j < m; j++) {
            visible[i * m + j] = !blind && (kind == 0   ? j <= i
                                            : kind == 1 ? dice_below(&trial->dice, 4) != 0
                                            : kind == 2 ? i / 20 == j / 20
                                                        : true);
        }
    }
    return visible;
}

/* ---- operations ---------------------------------------------------------------------------- */

static void project(struct same_trial *trial)
{
    const size_t n = same_size(trial, 140), d = same_size(trial, 300), k = same_size(trial, 200);
    const struct attn_operand x = operand(trial, n, d), w = operand(trial, d, k);
    attn_project(trial->kernels, x, w, result(trial, n, k));
}

static void project_packed(struct same_trial *trial)
{
    const size_t n = same_size(trial, 140), d = same_size(trial, 300), k = same_size(trial, 200);
    const struct attn_operand x = operand(trial, n, d), w = operand(trial, d, k);
    float *const panels = same_memory(trial, attn_packed_floats(trial->kernels, d, k));
    attn_pack(trial->kernels, w, panels);
    attn_project_packed(trial->kernels, x, panels, result(trial, n, k));
}

static void scores(struct same_trial *trial)
{
    const size_t n = same_size(trial, 140), m = same_size(trial, 200), d = same_size(trial, 300);
    const struct attn_operand q = operand(trial, n, d), k = operand(trial, m, d);
    attn_scores(trial->kernels, q, k, result(trial, n, m));
}

static void blend(struct same_trial *trial)
{
    const size_t n = same_size(trial, 40), m = same_size(trial, 300), d = same_size(trial, 140);
    const struct attn_operand a = operand(trial, n, m), v = operand(trial, m, d);
    attn_blend(trial->kernels, a, v, result(trial, n, d));
}

static void weigh(struct same_trial *trial)
{
    const size_t n = same_size(trial, 20), m = same_size(trial, 600);
    static const float sizes[] = {1, 4, 30, 100, 1e4F, 1e37F};
    const struct attn_operand s = operand(trial, n, m);
    const struct attn_matrix out = result(trial, n, m);
    for (size_t i = 0; i < n; i++) {
        memcpy(out.values + i * m, s.values + i * s.stride, m * sizeof(float));
    }
    const float unit = dice_unit(&trial->dice);
    const float factor = unit * sizes[dice_below(&trial->dice, 6)];
    const uint8_t *const visible = mask(trial, n, m);
    attn_scale_mask(trial->kernels, out, factor, (struct attn_mask){visible, m});
    const size_t empty = attn_softmax(trial->kernels, out);
    *same_out(trial, 1) = (float)empty;
}

static void gate(struct same_trial *trial)
{
    const size_t count = same_size(trial, 300);
    const float size = dice_below(&trial->dice, 2) == 0 ? 1 : 60;
    const float *const x = same_numbers(trial, count);
    float *const out = same_out(trial, count);
    for (size_t i = 0; i < count; i++) {
        out[i] = x[i] * size;
    }
    attn_gate(trial->kernels, out, count, 1.6F, dice_below(&trial->dice, 2) == 0 ? 0 : 0.07F);
}

struct told {
    struct same_trial *trial;
    size_t tiles;
};

/* How far the sums have come after the first tiles. */
static void listen(void *listener, const struct attn_tile *tile)
{
    struct told *const told = listener;
    if (told->tiles++ < 3 && !tile->skipped) {
        memcpy(same_out(told->trial, tile->rows), tile->max, tile->rows * sizeof(float));
        memcpy(same_out(told->trial, tile->rows), tile->sum, tile->rows * sizeof(float));
    }
}

static struct attn_head head_of(struct same_trial *trial)
{
    static const float sizes[] = {1, 1, 4, 60, 1e5F, -1};
    struct dice *const dice = &trial->dice;
    const size_t n = same_size(trial, 80), m = same_size(trial, 500), d = same_size(trial, 100),
                 d_v = same_size(trial, 100);
    const struct attn_operand q = operand(trial, n, d), k = operand(trial, m, d),
                              v = operand(trial, m, d_v);
    const float factor = sizes[dice_below(dice, 6)] / sqrtf((float)d);
    const size_t kind = dice_below(dice, 3), offset = dice_below(dice, 2) * 30;
    const uint8_t *const visible = mask(trial, n, m);
    return (struct attn_head){
        .q = q,
        .k = k,
        .v = v,
        .factor = factor,
        .sight = {(enum attn_sight_kind)kind, offset, {visible, m}},
        .z = result(trial, n, d_v),
    };
}

static void run_head(struct same_trial *trial, const struct attn_head *head)
{
    void *const scratch =
        same_memory(trial, attn_fused_bytes(trial->kernels, head, 1, 1) / sizeof(float));
    const size_t empty = attn_fused(trial->kernels, NULL, head, 1, scratch);
    *same_out(trial, 1) = (float)empty;
}

static void fused(struct same_trial *trial)
{
    struct attn_head head = head_of(trial);
    struct told told = {trial, 0};
    struct dice *const dice = &trial->dice;
    head.block_rows = dice_below(dice, 3) == 0 ? 1 + dice_below(dice, 60) : 0;
    head.block_cols = dice_below(dice, 3) == 0 ? 1 + dice_below(dice, 200) : 0;
    head.keys_grow = dice_below(dice, 2) == 0;
    /* Tiles of one height, so that all sets tell of the same. */
    head.listener = head.block_rows == 0 ? NULL : &told;
    head.on_tile = head.block_rows == 0 ? NULL : listen;
    run_head(trial, &head);
}

static void kept(struct same_trial *trial)
{
    struct attn_head head = head_of(trial);
    head.weights = result(trial, head.q.rows, head.k.rows);
    run_head(trial, &head);
}

/* A whole plan; its outputs. */
static void layer(struct same_trial *trial)
{
    struct dice *const dice = &trial->dice;
    const size_t most = dice_below(dice, 2) == 0 ? 16 : 70, groups = 1 + dice_below(dice, 2);
    size_t sizes[5];
    for (size_t i = 0; i < 5; i++) {
        sizes[i] = same_size(trial, most);
    }
    const size_t shared = 1 + dice_below(dice, 2), keep = dice_below(dice, 3);
    const struct attn_shape shape = {.n = sizes[0],
                                     .m = sizes[1],
                                     .context = true,
                                     .d_model = sizes[2],
                                     .d_k = sizes[3],
                                     .d_v = sizes[4],
                                     .heads = groups * shared,
                                     .kv_heads = groups,
                                     .keep = (enum attn_keep)keep};
    static const enum attn_buffer inputs[] = {ATTN_X,   ATTN_CONTEXT, ATTN_W_Q,
                                              ATTN_W_K, ATTN_W_V,     ATTN_W_O};
    static const enum attn_buffer outputs[] = {ATTN_WEIGHTS, ATTN_CONCAT, ATTN_OUTPUT};
    struct attn_plan plan;
    if (!attn_plan(&shape, &plan, NULL)) {
        printf("no plan\n");
        exit(1);
    }
    void *const block = same_memory(trial, plan.bytes / sizeof(float));
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const size_t floats = plan.floats[inputs[i]];
        if (floats > 0) {
            memcpy(attn_plan_buffer(&plan, block, inputs[i]), same_numbers(trial, floats),
                   floats * sizeof(float));
        }
    }
    struct attn_means means = {0};
    means.scratch = same_memory(trial, attn_run_bytes(trial->kernels, &plan, 1) / sizeof(float));
    if (dice_below(dice, 2) == 0) {
        float *const packed = same_memory(trial, attn_run_packed_floats(trial->kernels, &plan));
        attn_run_pack(trial->kernels, &plan, block, packed);
        means.packed = packed;
    }
    const size_t kind = dice_below(dice, 3), offset = dice_below(dice, 9);
    const uint8_t *const visible = mask(trial, shape.n, shape.m);
    const struct attn_sight sight = {(enum attn_sight_kind)kind, offset, {visible, shape.m}};
    const size_t empty = attn_run(trial->kernels, &plan, block, 0.4F, sight, &means);
    *same_out(trial, 1) = (float)empty;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const size_t floats = plan.floats[outputs[i]];
        if (floats > 0) {
            memcpy(same_out(trial, floats), attn_plan_buffer(&plan, block, outputs[i]),
                   floats * sizeof(float));
        }
    }
}

const struct same_operation same_operations[] = {
    {"project", project}, {"project-packed", project_packed},
    {"scores", scores},   {"blend", blend},
    {"weigh", weigh},     {"gate", gate},
    {"fused", fused},     {"kept", kept},
    {"layer", layer},     {NULL, NULL},
};
