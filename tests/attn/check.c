/* tests/attn/check.c — every set of kernels against float64, on random shapes between guards.
 *
 * A plain program, so that it also runs where there is no test framework (cross/). It says what
 * differs and with which seed, and returns 1. ATTN_TEST_SEED    the seed (else: the time)
 *     ATTN_TEST_ROUNDS  rounds per set (else 2000), each one call of all five kernels
 *     ATTN_ISA          this set alone; returns 77, "skipped", where it cannot run */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../rounds.h"
#include "guarded.h"

#ifdef ATTN_CHECK_SPELLED
/* The AVX-512 set, its instructions spelled out in C (spelled/immintrin.h): for any machine. */
extern const struct attn_kernels attn_kernels_spelled;
#endif

enum { SLOT_PAGES = 64, SKIPPED = 77, ROWS_MAX = 40, COLS_MAX = 140, DEPTH_MAX = 300 };

struct bench {
    const struct attn_kernels *kernels;
    const char *set;
    struct dice dice;
    uint64_t seed;
    size_t round;
    struct slot a, b, out, alone;
    unsigned char *mask; /* ROWS_MAX × (COLS_MAX + 8) */
};

static bool complain(const struct bench *bench, const char *kernel, const char *what)
{
    printf("set %s, %s: %s (ATTN_TEST_SEED=%llu, round %zu)\n", bench->set, kernel, what,
           (unsigned long long)bench->seed, bench->round);
    return false;
}

static bool complain_at(const struct bench *bench, const char *kernel, const struct guarded *out,
                        size_t i, size_t j, size_t depth, double expected, double bound)
{
    char text[240];
    const double got = (double)out->values[i * out->stride + j];
    snprintf(text, sizeof text,
             "%zu x %zu over %zu, entry %zu, %zu is %.9g, expected %.9g within %.3g", out->rows,
             out->cols, depth, i, j, got, expected, bound);
    return complain(bench, kernel, text);
}

/* ---- shapes and fillings ------------------------------------------------------------------- */

static size_t pick_size(struct dice *dice, size_t most)
{
    static const size_t edges[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,   12,  15, 16,
                                   17, 31, 32, 33, 47, 63, 64, 65, 127, 128, 129};
    size_t size = 0;
    switch (dice_below(dice, 4)) {
    case 0:
        size = edges[dice_below(dice, sizeof edges / sizeof edges[0])];
        break;
    case 1:
        size = 1 + dice_below(dice, most);
        break;
    default:
        size = 1 + dice_below(dice, 24);
        break;
    }
    return size < most ? size : most;
}

enum filling { UNIT, EQUAL, SPREAD, TINY, SPARSE, FILLINGS };

static float pick_number(struct dice *dice, enum filling filling)
{
    const float unit = dice_unit(dice);
    switch (filling) {
    case EQUAL:
        return 0.3F;
    case SPREAD:
        return ldexpf(unit, (int)dice_below(dice, 61) - 30);
    case TINY:
        return ldexpf(unit, -126 - (int)dice_below(dice, 24));
    case SPARSE:
        return dice_below(dice, 3) == 0 ? unit : 0;
    default:
        return unit;
    }
}

static void fill(struct guarded *matrix, struct dice *dice)
{
    const enum filling filling = (enum filling)dice_below(dice, FILLINGS);
    for (size_t i = 0; i < matrix->rows; i++) {
        for (size_t j = 0; j < matrix->cols; j++) {
            matrix->values[i * matrix->stride + j] = pick_number(dice, filling);
        }
    }
}

static uint64_t digest(const struct guarded *matrix)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < matrix->rows; i++) {
        for (size_t j = 0; j < matrix->cols; j++) {
            uint32_t bits = 0;
            memcpy(&bits, &matrix->values[i * matrix->stride + j], sizeof bits);
            hash = (hash ^ bits) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

/* The same bits; of NaN only that it is one, for its sign is the processor's whim. */
static bool same_bits(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) {
            return false;
        }
    }
    return true;
}

/* ---- products ------------------------------------------------------------------------------ */

/* Term p of entry i, j: left and right factor. */
struct product {
    const char *kernel;
    void (*call)(const struct attn_kernels *, struct attn_operand, struct attn_operand,
                 struct attn_matrix);
    bool turned;      /* the right factor is b[j][p], not b[p][j] */
    bool skips_zeros; /* a left factor of 0 takes no part */
};

static const struct product products[] = {
    {"project", attn_project, false, false},
    {"scores", attn_scores, true, false},
    {"blend", attn_blend, false, true},
};

static float right_factor(const struct product *product, const struct guarded *b, size_t p,
                          size_t j)
{
    return product->turned ? b->values[j * b->stride + p] : b->values[p * b->stride + j];
}

/* Says what is wrong with entry i, j, if anything. The bound is γ_d·Σ|a||b| (Higham, Accuracy and
 * Stability of Numerical Algorithms, 3.1), and half the least number for each step that may
 * underflow. */
static bool check_entry(const struct bench *bench, const struct product *product,
                        const struct guarded *a, const struct guarded *b, const struct guarded *out,
                        size_t i, size_t j)
{
    double sum = 0, size = 0;
    for (size_t p = 0; p < a->cols; p++) {
        const double left = (double)a->values[i * a->stride + p];
        if (product->skips_zeros && left == 0) {
            continue;
        }
        const double term = left * (double)right_factor(product, b, p, j);
        sum += term;
        size += fabs(term);
    }
    const double got = (double)out->values[i * out->stride + j];
    if (!isfinite(size)) {
        const bool same = isnan(sum) ? isnan(got) : got == sum;
        return same || complain_at(bench, product->kernel, out, i, j, a->cols, sum, 0);
    }
    const double d_u = (double)(a->cols + 1) * 0x1p-24;
    const double bound = d_u / (1 - d_u) * size + (double)(a->cols + 1) * 0x1p-149;
    return fabs(got - sum) <= bound ||
           complain_at(bench, product->kernel, out, i, j, a->cols, sum, bound);
}

/* Numbers that a kernel must hand on, and that blend must not let through a weight of 0. */
static void poison(struct guarded *matrix, struct dice *dice)
{
    static const float poisons[] = {NAN, INFINITY, -INFINITY};
    if (matrix->rows == 0 || matrix->cols == 0 || dice_below(dice, 4) != 0) {
        return;
    }
    for (size_t times = 1 + dice_below(dice, 4); times > 0; times--) {
        const size_t i = dice_below(dice, matrix->rows), j = dice_below(dice, matrix->cols);
        matrix->values[i * matrix->stride + j] = poisons[dice_below(dice, 3)];
    }
}

/* Weights as masks leave them: causal, whole keys hidden, or single ones. */
static void hide_weights(struct guarded *a, struct dice *dice)
{
    const size_t kind = dice_below(dice, 4), keep = dice_below(dice, a->cols + 1);
    for (size_t i = 0; i < a->rows; i++) {
        for (size_t j = 0; j < a->cols; j++) {
            const bool hidden = (kind == 0 && j > i) || (kind == 1 && j >= keep) ||
                                (kind == 2 && dice_below(dice, 5) == 0);
            if (hidden) {
                a->values[i * a->stride + j] = 0;
            }
        }
    }
}

static bool check_alone(struct bench *bench, const struct product *product, const struct guarded *a,
                        const struct guarded *b, const struct guarded *out)
{
    if (out->rows == 0) {
        return true;
    }
    const size_t i = dice_below(&bench->dice, out->rows);
    struct guarded alone = guarded_place(bench->alone, 1, out->cols, &bench->dice);
    const struct attn_operand row = {a->values + i * a->stride, 1, a->cols, a->stride};
    product->call(bench->kernels, row, guarded_operand(b), guarded_matrix(&alone));
    return same_bits(alone.values, out->values + i * out->stride, out->cols) ||
           complain(bench, product->kernel, "a row alone has other bits than among others");
}

static bool check_product(struct bench *bench, const struct product *product)
{
    struct dice *dice = &bench->dice;
    const size_t rows = pick_size(dice, ROWS_MAX), cols = pick_size(dice, COLS_MAX);
    const size_t depth = pick_size(dice, dice_below(dice, 8) == 0 ? DEPTH_MAX : 70);
    struct guarded a = guarded_place(bench->a, rows, depth, dice);
    struct guarded b = guarded_place(bench->b, product->turned ? cols : depth,
                                     product->turned ? depth : cols, dice);
    struct guarded out = guarded_place(bench->out, rows, cols, dice);
    fill(&a, dice);
    fill(&b, dice);
    poison(&b, dice);
    if (product->skips_zeros) {
        hide_weights(&a, dice);
    } else {
        poison(&a, dice);
    }
    const uint64_t a_before = digest(&a), b_before = digest(&b);
    product->call(bench->kernels, guarded_operand(&a), guarded_operand(&b), guarded_matrix(&out));

    if (guarded_damage(&out) != NULL) {
        return complain(bench, product->kernel, "something was written outside the result");
    }
    if (digest(&a) != a_before || digest(&b) != b_before || guarded_damage(&a) != NULL ||
        guarded_damage(&b) != NULL) {
        return complain(bench, product->kernel, "an input was changed");
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            if (!check_entry(bench, product, &a, &b, &out, i, j)) {
                return false;
            }
        }
    }
    return check_alone(bench, product, &a, &b, &out);
}

/* ---- scale, mask, softmax ------------------------------------------------------------------ */

static bool check_scale_mask(struct bench *bench)
{
    struct dice *dice = &bench->dice;
    const size_t rows = pick_size(dice, ROWS_MAX), cols = pick_size(dice, COLS_MAX);
    struct guarded scores = guarded_place(bench->a, rows, cols, dice);
    struct guarded out = guarded_place(bench->out, rows, cols, dice);
    fill(&scores, dice);
    poison(&scores, dice);
    const bool masked = dice_below(dice, 3) != 0;
    const float factor = dice_unit(dice) * 3;
    const struct attn_mask mask = {masked ? bench->mask : NULL, cols + dice_below(dice, 8)};
    for (size_t i = 0; i < rows; i++) {
        memcpy(out.values + i * out.stride, scores.values + i * scores.stride,
               cols * sizeof(float));
        for (size_t j = 0; j < cols; j++) {
            bench->mask[i * mask.stride + j] = (unsigned char)dice_below(dice, 3);
        }
    }
    attn_scale_mask(bench->kernels, guarded_matrix(&out), factor, mask);
    if (guarded_damage(&out) != NULL) {
        return complain(bench, "scale_mask", "something was written outside the scores");
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            const bool hidden = masked && bench->mask[i * mask.stride + j] == 0;
            const float expected =
                hidden ? -INFINITY : scores.values[i * scores.stride + j] * factor;
            const float got = out.values[i * out.stride + j];
            if (isnan(expected) ? !isnan(got) : got != expected) {
                return complain_at(bench, "scale_mask", &out, i, j, 0, (double)expected, 0);
            }
        }
    }
    return true;
}

/* Scores as they come, and as they must not hurt. */
static void fill_scores(struct guarded *scores, struct dice *dice)
{
    static const float sizes[] = {1, 4, 20, 100, 1e4F, 1e38F, 3e38F};
    const float size = sizes[dice_below(dice, sizeof sizes / sizeof sizes[0])];
    const float offset = dice_below(dice, 3) == 0 ? dice_unit(dice) * 1e3F : 0;
    const size_t hide = dice_below(dice, 3);
    for (size_t i = 0; i < scores->rows; i++) {
        const bool empty = hide != 0 && dice_below(dice, 6) == 0;
        for (size_t j = 0; j < scores->cols; j++) {
            const bool hidden =
                empty || (hide == 1 && j > i) || (hide == 2 && dice_below(dice, 4) == 0);
            scores->values[i * scores->stride + j] =
                hidden ? -INFINITY : dice_unit(dice) * size + offset;
        }
    }
}

/* 8 ulp of the expected weight, and what rounding the difference from the largest score costs: half
 * an ulp of it. Nothing where the power is 0 by definition. */
static double weight_bound(double expected, double below)
{
    const double ulp = expected >= 0x1p-126 ? ldexp(1, ilogb(expected) - 23) : 0x1p-149;
    return below < -87.32 ? 0x1p-125 : (8 - below) * ulp;
}

static bool check_row(const struct bench *bench, const struct guarded *scores,
                      const struct guarded *out, size_t i, size_t *empty)
{
    const float *score = scores->values + i * scores->stride,
                *weight = out->values + i * out->stride;
    double max = -INFINITY, sum = 0, total = 0;
    for (size_t j = 0; j < out->cols; j++) {
        max = fmax(max, (double)score[j]);
    }
    for (size_t j = 0; j < out->cols && max > -INFINITY; j++) {
        sum += exp((double)score[j] - max);
    }
    *empty += max == -INFINITY ? 1 : 0;
    for (size_t j = 0; j < out->cols; j++) {
        const double expected = max == -INFINITY ? 0 : exp((double)score[j] - max) / sum;
        const double bound =
            score[j] == -INFINITY ? 0 : weight_bound(expected, (double)score[j] - max);
        const double got = (double)weight[j];
        if (!(fabs(got - expected) <= bound) || got < 0 || got > 1) {
            return complain_at(bench, "softmax", out, i, j, 0, expected, bound);
        }
        total += got;
    }
    const double slack = (double)(out->cols + 4) * 0x1p-24;
    return max == -INFINITY || fabs(total - 1) <= slack ||
           complain(bench, "softmax", "a row does not sum to 1");
}

static bool check_softmax(struct bench *bench)
{
    struct dice *dice = &bench->dice;
    const size_t rows = pick_size(dice, ROWS_MAX);
    const size_t cols = pick_size(dice, dice_below(dice, 8) == 0 ? DEPTH_MAX : COLS_MAX);
    struct guarded scores = guarded_place(bench->a, rows, cols, dice);
    struct guarded out = guarded_place(bench->out, rows, cols, dice);
    fill_scores(&scores, dice);
    for (size_t i = 0; i < rows; i++) {
        memcpy(out.values + i * out.stride, scores.values + i * scores.stride,
               cols * sizeof(float));
    }
    const size_t counted = attn_softmax(bench->kernels, guarded_matrix(&out));
    if (guarded_damage(&out) != NULL) {
        return complain(bench, "softmax", "something was written outside the weights");
    }
    size_t empty = 0;
    for (size_t i = 0; i < rows; i++) {
        if (!check_row(bench, &scores, &out, i, &empty)) {
            return false;
        }
    }
    return counted == empty || complain(bench, "softmax", "empty rows are miscounted");
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool check_set(struct bench *bench, const struct attn_kernels *kernels, const char *set,
                      size_t rounds)
{
    bench->kernels = kernels;
    bench->set = set;
    for (bench->round = 0; bench->round < rounds; bench->round++) {
        /* Each round has dice of its own: a failing one can be run by itself. */
        bench->dice.state = bench->seed + bench->round * UINT64_C(0x632be59bd9b4e019);
        for (size_t p = 0; p < sizeof products / sizeof products[0]; p++) {
            if (!check_product(bench, &products[p])) {
                return false;
            }
        }
        if (!check_scale_mask(bench) || !check_softmax(bench)) {
            return false;
        }
    }
    printf("%s: %zu rounds agree with float64\n", set, rounds);
    return true;
}

/* The program's exit status. */
static int check_sets(struct bench *bench, const char *only, size_t rounds)
{
    if (only != NULL && only[0] != '\0') {
        const struct attn_kernels *kernels = attn_kernels_choose(only);
        if (kernels == NULL) {
            printf("%s: not here, skipped\n", only);
            return SKIPPED;
        }
        return check_set(bench, kernels, only, rounds) ? 0 : 1;
    }
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_kernels *kernels = attn_kernels_at(i);
        if (!check_set(bench, kernels, attn_kernels_name(kernels), rounds)) {
            return 1;
        }
    }
#ifdef ATTN_CHECK_SPELLED
    if (!check_set(bench, &attn_kernels_spelled, "avx512 spelled out", rounds)) {
        return 1;
    }
#endif
    return 0;
}

int main(void)
{
    static unsigned char mask[ROWS_MAX * (COLS_MAX + 8)];
    const size_t rounds = test_rounds(2000);
    struct bench bench = {.seed = test_seed((uint64_t)time(NULL))};
    struct slot *const slots[] = {&bench.a, &bench.b, &bench.out, &bench.alone};
    bench.mask = mask;
    for (size_t i = 0; i < 4; i++) {
        *slots[i] = slot_open(SLOT_PAGES);
    }
    printf("ATTN_TEST_SEED=%llu\n", (unsigned long long)bench.seed);
    const int status = check_sets(&bench, getenv("ATTN_ISA"), rounds);
    for (size_t i = 0; i < 4; i++) {
        slot_close(*slots[i]);
    }
    return status;
}
