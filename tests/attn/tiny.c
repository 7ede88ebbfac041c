/* tests/attn/tiny.c — a layer as wide as a register at most has one function of its own: it leaves
 * every bit of the block as the stages leave it, with any heads, masks and hostile numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "attn/kernels.h"
#include "guarded.h"

#ifdef ATTN_CHECK_SPELLED
extern const struct attn_kernels attn_kernels_spelled;
#endif

enum { LAYERS = 3000, PAGES = 16, CANARY = 0x5a };

struct layer {
    struct attn_plan plan;
    struct attn_sight sight;
    float factor;
};

static const float hostile[] = {0,     -0.0F,  INFINITY, -INFINITY, NAN,
                                1e38F, -3e38F, 1e-40F,   -1e-45F,   88};

/* A number that toys have; now and then, where a layer is hostile, one that nobody wants. */
static float number(struct dice *dice, bool is_hostile)
{
    if (is_hostile && dice_below(dice, 12) == 0) {
        return hostile[dice_below(dice, sizeof hostile / sizeof hostile[0])];
    }
    return dice_below(dice, 6) == 0 ? 0 : 3 * dice_unit(dice);
}

/* A shape of at most `most` by `most`; its mask lies at the end of a slot. */
static struct layer random_layer(struct dice *dice, size_t most, const struct slot *mask)
{
    const size_t groups = 1 + dice_below(dice, 2), n = 1 + dice_below(dice, 19);
    const bool context = dice_below(dice, 3) == 0;
    const struct attn_shape shape = {
        .n = context || n > most ? n : 1 + dice_below(dice, most),
        .d_model = 1 + dice_below(dice, most),
        .d_k = 1 + dice_below(dice, most),
        .d_v = 1 + dice_below(dice, most),
        .heads = groups * (1 + dice_below(dice, 3)),
        .kv_heads = groups,
        .context = context,
    };
    struct attn_shape whole = shape;
    whole.m = context || shape.n > most ? 1 + dice_below(dice, most) : shape.n;
    struct layer layer = {.sight.kind = (enum attn_sight_kind)dice_below(dice, 3),
                          .sight.offset = dice_below(dice, 4) == 0 ? SIZE_MAX - dice_below(dice, 3)
                                                                   : dice_below(dice, 4),
                          .factor = 2 * dice_unit(dice)};
    assert_true(attn_plan(&whole, &layer.plan, NULL));
    if (layer.sight.kind == ATTN_SEE_MASK) {
        const size_t bytes = whole.n * whole.m, sides = 2 + dice_below(dice, 3);
        uint8_t *const visible = mask->memory + mask->bytes - bytes;
        for (size_t i = 0; i < bytes; i++) {
            visible[i] = (uint8_t)dice_below(dice, sides);
        }
        layer.sight.mask = (struct attn_mask){visible, whole.m};
    }
    return layer;
}

/* Everything holds canaries but what a layer is computed from. */
static void fill(struct dice *dice, const struct layer *layer, void *block, bool is_hostile)
{
    static const enum attn_buffer inputs[] = {ATTN_X,   ATTN_CONTEXT, ATTN_W_Q,
                                              ATTN_W_K, ATTN_W_V,     ATTN_W_O};
    memset(block, CANARY, layer->plan.bytes);
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        float *const values = attn_plan_buffer(&layer->plan, block, inputs[i]);
        for (size_t f = 0; f < layer->plan.floats[inputs[i]]; f++) {
            values[f] = number(dice, is_hostile);
        }
    }
}

/* Bit by bit; of a NaN, that it is one. */
static void assert_same(const void *expected, const void *got, size_t bytes, size_t round)
{
    for (size_t at = 0; at < bytes; at += sizeof(float)) {
        float a, b;
        memcpy(&a, (const unsigned char *)expected + at, sizeof a);
        memcpy(&b, (const unsigned char *)got + at, sizeof b);
        if (memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b))) {
            fail_msg("layer %zu: byte %zu holds %.9g, expected %.9g", round, at, (double)b,
                     (double)a);
        }
    }
}

static void check_set(const struct attn_kernels *kernels)
{
    const struct slot slots[] = {slot_open(PAGES), slot_open(PAGES), slot_open(1)};
    const struct attn_means means = {0};
    struct attn_kernels by_stages = *kernels;
    struct dice dice = {2024};
    by_stages.tiny = 0;
    for (size_t round = 0; round < LAYERS; round++) {
        const struct layer layer = random_layer(&dice, kernels->tiny, &slots[2]);
        const size_t bytes = layer.plan.bytes;
        assert_true(bytes <= slots[0].bytes);
        unsigned char *const expected = slots[0].memory + slots[0].bytes - bytes;
        unsigned char *const got = slots[1].memory + slots[1].bytes - bytes;
        fill(&dice, &layer, expected, round % 3 == 0);
        memcpy(got, expected, bytes);
        const size_t empty =
            attn_run(&by_stages, &layer.plan, expected, layer.factor, layer.sight, &means);
        assert_int_equal(attn_run(kernels, &layer.plan, got, layer.factor, layer.sight, &means),
                         empty);
        assert_same(expected, got, bytes, round);
    }
    for (size_t i = 0; i < 3; i++) {
        slot_close(slots[i]);
    }
}

static void a_tiny_layer_has_the_bits_of_its_stages(void **state)
{
    (void)state;
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        if (attn_kernels_at(i)->tiny > 0) {
            printf("%s\n", attn_kernels_name(attn_kernels_at(i)));
            check_set(attn_kernels_at(i));
        }
    }
#ifdef ATTN_CHECK_SPELLED
    check_set(&attn_kernels_spelled);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tiny_layer_has_the_bits_of_its_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
