/* tests/attn/fused.c — fused attention, kept weights, packed products and threads against float64
 * and against the plain stages, on random shapes between guards.
 *
 * A plain program like check.c, with its variables: ATTN_TEST_SEED, ATTN_TEST_ROUNDS, ATTN_ISA. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../rounds.h"
#include "attn/system.h"
#include "guarded.h"

#ifdef ATTN_CHECK_SPELLED
extern const struct attn_kernels attn_kernels_spelled;
#endif

enum { SKIPPED = 77, SLOT_PAGES = 256, N_MAX = 130, M_MAX = 600, D_MAX = 140, POOLS = 3 };

struct bench {
    const struct attn_kernels *kernels;
    struct attn_pool *pools[POOLS];
    struct dice dice;
    uint64_t seed;
    size_t round;
    struct slot q, k, v, z, weights, other;
    unsigned char *visible; /* N_MAX × M_MAX */
    float *row;             /* M_MAX × 2 */
    double *expected;       /* M_MAX × 3 */
};

static bool complain(const struct bench *bench, const char *what)
{
    printf("set %s: %s (ATTN_TEST_SEED=%llu, round %zu)\n", attn_kernels_name(bench->kernels), what,
           (unsigned long long)bench->seed, bench->round);
    return false;
}

static size_t pick(struct dice *dice, size_t most)
{
    static const size_t edges[] = {1,  2,  3,  5,   8,   15,  16,  17, 32,
                                   63, 64, 65, 127, 128, 255, 256, 257};
    const size_t size = dice_below(dice, 3) == 0
                            ? edges[dice_below(dice, sizeof edges / sizeof edges[0])]
                            : 1 + dice_below(dice, dice_below(dice, 4) == 0 ? most : 24);
    return size < most ? size : most;
}

static void fill(struct guarded *matrix, struct dice *dice, float size)
{
    for (size_t i = 0; i < matrix->rows; i++) {
        for (size_t j = 0; j < matrix->cols; j++) {
            matrix->values[i * matrix->stride + j] = dice_unit(dice) * size;
        }
    }
}

static bool same(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) {
            return false;
        }
    }
    return true;
}

static bool same_matrix(struct attn_matrix a, struct attn_matrix b)
{
    for (size_t i = 0; i < a.rows; i++) {
        if (!same(a.values + i * a.stride, b.values + i * b.stride, a.cols)) {
            return false;
        }
    }
    return true;
}

/* ---- one head ------------------------------------------------------------------------------ */

struct trial {
    struct guarded q, k, v, z;
    struct attn_head head;
};

static bool sees(const struct attn_head *head, size_t i, size_t j)
{
    switch (head->sight.kind) {
    case ATTN_SEE_PAST:
        return j <= i + head->sight.offset;
    case ATTN_SEE_MASK:
        return head->sight.mask.visible[i * head->sight.mask.stride + j] != 0;
    default:
        return true;
    }
}

/* A mask as people use them: windows, whole blocks, single keys, queries that see nothing. */
static void draw_mask(unsigned char *visible, size_t n, size_t m, struct dice *dice)
{
    const size_t kind = dice_below(dice, 5), window = 1 + dice_below(dice, 300);
    for (size_t i = 0; i < n; i++) {
        const bool blind = dice_below(dice, 9) == 0;
        for (size_t j = 0; j < m; j++) {
            const size_t away = i > j ? i - j : j - i;
            const bool shown[] = {j <= i, away < window, dice_below(dice, 5) != 0, j >= window,
                                  true};
            visible[i * m + j] = !blind && shown[kind] ? 1 : 0;
        }
    }
}

static struct trial draw_trial(struct bench *bench)
{
    struct dice *const dice = &bench->dice;
    const size_t n = pick(dice, N_MAX), m = pick(dice, M_MAX), d_k = pick(dice, D_MAX),
                 d_v = pick(dice, D_MAX);
    static const float sizes[] = {1, 1, 1, 4, 30, 1e4F, 1e18F, 1e-20F};
    const float size = sizes[dice_below(dice, sizeof sizes / sizeof sizes[0])];
    struct trial trial = {
        .q = guarded_place(bench->q, n, d_k, dice),
        .k = guarded_place(bench->k, m, d_k, dice),
        .v = guarded_place(bench->v, m, d_v, dice),
        .z = guarded_place(bench->z, n, d_v, dice),
    };
    fill(&trial.q, dice, size);
    fill(&trial.k, dice, size);
    fill(&trial.v, dice, 1);
    draw_mask(bench->visible, n, m, dice);
    trial.head = (struct attn_head){
        .q = guarded_operand(&trial.q),
        .k = guarded_operand(&trial.k),
        .v = guarded_operand(&trial.v),
        .factor = 1 / sqrtf((float)d_k),
        .sight = {(enum attn_sight_kind)dice_below(dice, 3),
                  dice_below(dice, 2) * dice_below(dice, 40),
                  {bench->visible, m}},
        .z = guarded_matrix(&trial.z),
        .block_rows = dice_below(dice, 3) == 0 ? 1 + dice_below(dice, 60) : 0,
        .block_cols = dice_below(dice, 3) == 0   ? 1 + dice_below(dice, 70)
                      : dice_below(dice, 3) == 0 ? 64
                                                 : 0,
    };
    return trial;
}

static size_t run(const struct bench *bench, struct attn_pool *pool, const struct attn_head *head)
{
    const size_t bytes = attn_fused_bytes(bench->kernels, head, 1, attn_pool_threads(pool));
    void *const scratch = bytes == 0 ? NULL : attn_system_aligned(bytes);
    if (scratch == NULL) {
        printf("no scratch\n");
        exit(1);
    }
    memset(scratch, 0xff, bytes); /* NaN, wherever something is read before it is written */
    const size_t empty = attn_fused(bench->kernels, pool, head, 1, scratch);
    attn_system_free_aligned(scratch);
    return empty;
}

/* Scaled scores of query i, and how far each may be off: γ_d·Σ|q||k| and the rounding of what goes
 * into the power. Returns the largest; −∞: it sees none. */
static double expected_scores(const struct attn_head *head, size_t i, double *score, double *slack)
{
    const double u = 0x1p-24, d = (double)head->q.cols;
    double max = -INFINITY;
    for (size_t j = 0; j < head->k.rows; j++) {
        double sum = 0, size = 0;
        for (size_t p = 0; p < head->q.cols; p++) {
            const double term = (double)head->q.values[i * head->q.stride + p] *
                                (double)head->k.values[j * head->k.stride + p];
            sum += term;
            size += fabs(term);
        }
        score[j] = sees(head, i, j) ? sum * (double)head->factor : -INFINITY;
        slack[j] = ((d + 1) * u * size + (d + 1) * 0x1p-149) * fabs((double)head->factor) +
                   4 * u * fabs(sum * (double)head->factor);
        max = fmax(max, score[j]);
    }
    return max;
}

static bool check_row(const struct bench *bench, const struct attn_head *head, size_t i)
{
    double *const score = bench->expected, *const slack = score + M_MAX,
                  *const weight = slack + M_MAX;
    const double max = expected_scores(head, i, score, slack);
    double sum = 0, worst = 0;
    for (size_t j = 0; j < head->k.rows; j++) {
        weight[j] = max == -INFINITY ? 0 : exp(score[j] - max);
        sum += weight[j];
        worst = weight[j] > 1e-9 || score[j] + slack[j] > max - slack[j] - 20
                    ? fmax(worst, slack[j])
                    : worst;
    }
    if (worst > 0.5) {
        return true; /* float32 scores do not tell which key is the nearest */
    }
    const double off = expm1(2 * worst) + ((double)head->k.rows + 12) * 0x1p-24;
    for (size_t c = 0; c < head->v.cols; c++) {
        double z = 0, size = 0;
        for (size_t j = 0; j < head->k.rows && sum > 0; j++) {
            if (weight[j] > 0) {
                z += weight[j] / sum * (double)head->v.values[j * head->v.stride + c];
                size += weight[j] / sum * fabs((double)head->v.values[j * head->v.stride + c]);
            }
        }
        const double got = (double)head->z.values[i * head->z.stride + c];
        if (!(fabs(got - z) <= off * (size + fabs(z)) + 1e-9)) {
            char text[200];
            snprintf(text, sizeof text,
                     "z of query %zu of %zu, column %zu is %.9g, expected %.9g within %.3g (m %zu, "
                     "d_k %zu, d_v %zu, sight %d)",
                     i, head->q.rows, c, got, z, off * (size + fabs(z)), head->k.rows, head->q.cols,
                     head->v.cols, (int)head->sight.kind);
            return complain(bench, text);
        }
    }
    return true;
}

static bool check_against_float64(struct bench *bench, const struct trial *trial)
{
    size_t blind = 0;
    const size_t empty = run(bench, NULL, &trial->head);
    if (guarded_damage(&trial->z) != NULL) {
        return complain(bench, "something was written outside z");
    }
    for (size_t i = 0; i < trial->head.q.rows; i++) {
        bool any = false;
        for (size_t j = 0; j < trial->head.k.rows; j++) {
            any |= sees(&trial->head, i, j);
        }
        blind += any ? 0 : 1;
        if (!check_row(bench, &trial->head, i)) {
            return false;
        }
    }
    return empty == blind || complain(bench, "queries without keys are miscounted");
}

/* The same head, computed otherwise, into memory of its own: the same bits. */
static bool check_same(struct bench *bench, const struct trial *trial, struct attn_pool *pool,
                       const struct attn_head *head, const char *what)
{
    struct guarded other = guarded_place(bench->other, head->z.rows, head->z.cols, &bench->dice);
    struct attn_head again = *head;
    again.z = guarded_matrix(&other);
    run(bench, pool, &again);
    struct attn_matrix former = trial->head.z;
    former.values +=
        (size_t)(head->q.values - trial->head.q.values) / trial->head.q.stride * former.stride;
    former.rows = other.rows;
    return (same_matrix(former, again.z) && guarded_damage(&other) == NULL) ||
           complain(bench, what);
}

static bool check_alone(struct bench *bench, const struct trial *trial)
{
    const size_t i = dice_below(&bench->dice, trial->head.q.rows);
    struct attn_head one = trial->head;
    one.q.values += i * one.q.stride;
    one.q.rows = one.z.rows = 1;
    one.sight.offset += i;
    one.sight.mask.visible += i * one.sight.mask.stride;
    return check_same(bench, trial, NULL, &one, "a query alone has other bits than among others");
}

/* One query when there are only the keys it sees: as text grows word by word. */
static bool check_grown(struct bench *bench, const struct trial *trial)
{
    struct trial whole = *trial;
    struct guarded z = guarded_place(bench->weights, trial->z.rows, trial->z.cols, &bench->dice);
    const size_t i = dice_below(&bench->dice, trial->head.q.rows);
    whole.head.sight.kind = ATTN_SEE_PAST;
    whole.head.keys_grow = true;
    whole.head.z = guarded_matrix(&z);
    run(bench, NULL, &whole.head);
    struct attn_head one = whole.head;
    const size_t seen = i + one.sight.offset + 1;
    one.q.values += i * one.q.stride;
    one.q.rows = one.z.rows = 1;
    one.sight.offset += i;
    one.k.rows = one.v.rows = seen < one.k.rows ? seen : one.k.rows;
    return check_same(bench, &whole, NULL, &one, "more keys to come change a query's bits");
}

static bool check_bytes(struct bench *bench, const struct trial *trial)
{
    if (trial->head.sight.kind == ATTN_SEE_MASK) {
        return true;
    }
    struct attn_head masked = trial->head;
    masked.sight.kind = ATTN_SEE_MASK;
    for (size_t i = 0; i < masked.q.rows; i++) {
        for (size_t j = 0; j < masked.k.rows; j++) {
            bench->visible[i * masked.k.rows + j] = sees(&trial->head, i, j);
        }
    }
    return check_same(bench, trial, NULL, &masked, "the same mask as bytes gives other bits");
}

static bool check_pools(struct bench *bench, const struct trial *trial)
{
    for (size_t p = 0; p < POOLS; p++) {
        if (!check_same(bench, trial, bench->pools[p], &trial->head, "threads change bits")) {
            return false;
        }
    }
    return true;
}

/* Keys that nobody sees become NaN and ∞: nothing may change. */
static bool check_poison(struct bench *bench, struct trial *trial)
{
    static const float poisons[] = {NAN, INFINITY, -INFINITY, FLT_MAX};
    for (size_t j = 0; j < trial->head.k.rows; j++) {
        bool seen = false;
        for (size_t i = 0; i < trial->head.q.rows && !seen; i++) {
            seen = sees(&trial->head, i, j);
        }
        for (size_t p = 0; p < trial->head.k.cols && !seen; p++) {
            trial->k.values[j * trial->k.stride + p] = poisons[dice_below(&bench->dice, 4)];
        }
        for (size_t c = 0; c < trial->head.v.cols && !seen; c++) {
            trial->v.values[j * trial->v.stride + c] = poisons[dice_below(&bench->dice, 4)];
        }
    }
    return check_same(bench, trial, NULL, &trial->head, "what is hidden shows");
}

/* One query of a head that keeps its weights. */
static bool check_kept_alone(struct bench *bench, const struct attn_head *kept)
{
    const size_t i = dice_below(&bench->dice, kept->q.rows);
    float *const z = bench->row + M_MAX;
    struct attn_head one = *kept;
    one.q.values += i * one.q.stride;
    one.q.rows = one.z.rows = one.weights.rows = 1;
    one.sight.offset += i;
    one.sight.mask.visible += i * one.sight.mask.stride;
    one.weights.values = bench->row;
    one.z.values = z;
    run(bench, NULL, &one);
    return (same(bench->row, kept->weights.values + i * kept->weights.stride, kept->k.rows) &&
            same(z, kept->z.values + i * kept->z.stride, kept->z.cols)) ||
           complain(bench, "a query that keeps its weights has other bits alone");
}

/* Kept weights: the bits of the plain stages. z: close to what was computed without keeping. */
static bool check_kept(struct bench *bench, const struct trial *trial)
{
    const struct attn_head *const head = &trial->head;
    const size_t n = head->q.rows, m = head->k.rows;
    struct guarded weights = guarded_place(bench->weights, n, m, &bench->dice);
    struct guarded z = guarded_place(bench->other, n, head->v.cols, &bench->dice);
    struct attn_head kept = *head;
    fill(&weights, &bench->dice, 1); /* what is not written shows */
    kept.weights = guarded_matrix(&weights);
    kept.z = guarded_matrix(&z);
    struct attn_pool *const pools[] = {NULL, bench->pools[dice_below(&bench->dice, POOLS)]};
    run(bench, pools[dice_below(&bench->dice, 2)], &kept);
    if (!check_kept_alone(bench, &kept)) {
        return false;
    }
    if (guarded_damage(&weights) != NULL || guarded_damage(&z) != NULL) {
        return complain(bench, "something was written outside the kept weights");
    }
    for (size_t i = 0; i < n; i++) {
        const struct attn_operand q = {head->q.values + i * head->q.stride, 1, head->q.cols,
                                       head->q.stride};
        const struct attn_matrix row = {bench->row, 1, m, m};
        unsigned char visible[M_MAX];
        for (size_t j = 0; j < m; j++) {
            visible[j] = sees(head, i, j);
        }
        attn_scores(bench->kernels, q, head->k, row);
        attn_scale_mask(bench->kernels, row, head->factor, (struct attn_mask){visible, m});
        attn_softmax(bench->kernels, row);
        if (!same(bench->row, weights.values + i * weights.stride, m)) {
            return complain(bench, "kept weights are not those of the stages");
        }
        if (!check_row(bench, &kept, i)) {
            return complain(bench, "(weights kept)");
        }
    }
    return true;
}

static bool check_packed(struct bench *bench)
{
    struct dice *const dice = &bench->dice;
    const size_t n = pick(dice, N_MAX), depth = pick(dice, M_MAX), cols = pick(dice, D_MAX);
    struct guarded x = guarded_place(bench->q, n, depth, dice);
    struct guarded w = guarded_place(bench->v, depth, cols, dice);
    struct guarded out = guarded_place(bench->z, n, cols, dice);
    struct guarded other = guarded_place(bench->other, n, cols, dice);
    fill(&x, dice, 1);
    fill(&w, dice, 1);
    float *const panels =
        attn_system_aligned(attn_packed_floats(bench->kernels, depth, cols) * sizeof(float));
    attn_pack(bench->kernels, guarded_operand(&w), panels);
    attn_project(bench->kernels, guarded_operand(&x), guarded_operand(&w), guarded_matrix(&out));
    attn_project_packed(bench->kernels, guarded_operand(&x), panels, guarded_matrix(&other));
    attn_system_free_aligned(panels);
    if (guarded_damage(&other) != NULL) {
        return complain(bench, "a packed product wrote outside its result");
    }
    return same_matrix(guarded_matrix(&out), guarded_matrix(&other)) ||
           complain(bench, "a packed product has other bits than a plain one");
}

static bool check_round(struct bench *bench)
{
    struct trial trial = draw_trial(bench);
    return check_against_float64(bench, &trial) && check_alone(bench, &trial) &&
           check_grown(bench, &trial) && check_pools(bench, &trial) && check_kept(bench, &trial) &&
           check_bytes(bench, &trial) && check_poison(bench, &trial) && check_packed(bench);
}

static bool check_set(struct bench *bench, const struct attn_kernels *kernels, size_t rounds)
{
    bench->kernels = kernels;
    for (bench->round = 0; bench->round < rounds; bench->round++) {
        bench->dice.state = bench->seed + bench->round * UINT64_C(0x632be59bd9b4e019);
        if (!check_round(bench)) {
            return false;
        }
    }
    printf("%s: %zu rounds agree\n", attn_kernels_name(kernels), rounds);
    return true;
}

static int check_sets(struct bench *bench, const char *only, size_t rounds)
{
    const bool all = only == NULL || only[0] == '\0';
    if (!all && attn_kernels_choose(only) == NULL) {
        printf("%s: not here, skipped\n", only);
        return SKIPPED;
    }
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        if ((all || strcmp(only, attn_kernels_name(attn_kernels_at(i))) == 0) &&
            !check_set(bench, attn_kernels_at(i), rounds)) {
            return 1;
        }
    }
#ifdef ATTN_CHECK_SPELLED
    if (all && !check_set(bench, &attn_kernels_spelled, rounds / 5)) { /* it takes its time */
        return 1;
    }
#endif
    return 0;
}

int main(void)
{
    static unsigned char visible[N_MAX * M_MAX];
    static float row[2 * M_MAX];
    static double expected[3 * M_MAX];
    struct bench bench = {
        .seed = test_seed((uint64_t)time(NULL)),
        .visible = visible,
        .row = row,
        .expected = expected,
        .pools = {attn_pool_open(2), attn_pool_open(3), attn_pool_open(16)},
    };
    struct slot *const slots[] = {&bench.q, &bench.k,       &bench.v,
                                  &bench.z, &bench.weights, &bench.other};
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        *slots[i] = slot_open(SLOT_PAGES);
    }
    printf("ATTN_TEST_SEED=%llu\n", (unsigned long long)bench.seed);
    const int status =
        check_sets(&bench, getenv("ATTN_ISA"), test_rounds(TEST_THREADS_SANITIZED ? 400 : 2000));
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        slot_close(*slots[i]);
    }
    for (size_t p = 0; p < POOLS; p++) {
        attn_pool_close(bench.pools[p]);
    }
    return status;
}
