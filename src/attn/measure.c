/* attn/measure.c — workloads, rounds and medians. */
#include "attn/measure.h"
#include "attn/kernels.h"
#include "attn/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 16, READ_BYTES = 64 << 20, PEAK_STEPS = 20000 };

#define ROUND_SECONDS 3e-4

static const struct measure_work works[] = {
    {"toy", 4, 3, 1, 3, false, ATTN_KEEP_ALL, "3"},
    {"classroom-1", 10, 64, 1, 64, false, ATTN_KEEP_ALL, "1.5"},
    {"classroom-8", 10, 64, 8, 64, false, ATTN_KEEP_ALL, "1.4"},
    {"gpt2-9", 9, 768, 12, 64, true, ATTN_KEEP_WEIGHTS, "1.45"},
    {"gpt2-128", 128, 768, 12, 64, true, ATTN_KEEP_WEIGHTS, "1.05"},
    {"gpt2-1024", 1024, 768, 12, 64, true, ATTN_KEEP_WEIGHTS, "1.3"},
    {"attention-128", 128, 0, 12, 64, false, ATTN_KEEP_WEIGHTS, NULL},
    {"attention-128-causal", 128, 0, 12, 64, true, ATTN_KEEP_WEIGHTS, NULL},
    {"attention-1024", 1024, 0, 12, 64, false, ATTN_KEEP_WEIGHTS, "1.45"},
    {"attention-1024-causal", 1024, 0, 12, 64, true, ATTN_KEEP_WEIGHTS, "1.9"},
    {"fused-1024", 1024, 0, 12, 64, false, ATTN_KEEP_OUTPUT, "1.18"},
    {"fused-1024-causal", 1024, 0, 12, 64, true, ATTN_KEEP_OUTPUT, "1.5"},
    {"fused-4096", 4096, 0, 1, 64, false, ATTN_KEEP_OUTPUT, "1.12"},
    {"fused-4096-causal", 4096, 0, 1, 64, true, ATTN_KEEP_OUTPUT, "1.28"},
    {"fused-4096x12", 4096, 0, 12, 64, false, ATTN_KEEP_OUTPUT, "1.12"},
};

const struct measure_work *attn_measure_work_at(size_t index)
{
    return index < sizeof works / sizeof works[0] ? &works[index] : NULL;
}

/* Multiplications and additions of one run. */
static double count_operations(const struct measure_work *work)
{
    const double n = (double)work->n, width = (double)(work->heads * work->d_k);
    const double pairs = work->causal ? n * (n + 1) / 2 : n * n;
    return 8 * n * (double)work->d_model * width + 4 * pairs * width;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Even numbers of variance 1 by Marsaglia's xorshift (2003). */
static void fill_random(float *values, size_t count, float size, uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        values[i] = ((float)(*state >> 40) * 0x1p-23F - 1) * 1.7320508F * size;
    }
}

static void fill_task(const struct measure_task *task)
{
    const struct measure_work *const work = task->work;
    const float fan_in = 1 / sqrtf((float)(work->d_model == 0 ? 1 : work->d_model));
    const struct {
        enum attn_buffer buffer;
        float size;
    } inputs[] = {
        {ATTN_X, 1},        {ATTN_W_Q, fan_in},
        {ATTN_W_K, fan_in}, {ATTN_W_V, fan_in},
        {ATTN_Q, 1},        {ATTN_K, 1},
        {ATTN_V, 1},        {ATTN_W_O, 1 / sqrtf((float)(work->heads * work->d_k))},
    };
    uint64_t state = UINT64_C(88172645463325252);
    memset(task->block, 0, task->plan.bytes);
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const size_t floats = task->plan.floats[inputs[i].buffer];
        if (floats > 0) {
            fill_random(attn_plan_buffer(&task->plan, task->block, inputs[i].buffer), floats,
                        inputs[i].size, &state);
        }
    }
}

/* Of 64 bytes more, so that a kernel may read a little past the end. */
static void *aligned_memory(size_t bytes)
{
    return attn_system_aligned(bytes + 64);
}

static void task_close(struct measure_task *task)
{
    attn_system_free_aligned(task->block);
    attn_system_free_aligned(task->scratch);
    attn_system_free_aligned(task->packed);
}

static bool task_open(struct measure_task *task, const struct attn_kernels *kernels,
                      const struct measure_work *work, size_t threads)
{
    const struct attn_shape shape = {
        .n = work->n,
        .m = work->n,
        .d_model = work->d_model,
        .d_k = work->d_k,
        .d_v = work->d_k,
        .heads = work->heads,
        .kv_heads = work->heads,
        .keep = work->keep,
    };
    *task = (struct measure_task){
        .work = work, .kernels = kernels, .factor = 1 / sqrtf((float)work->d_k)};
    if (!attn_plan(&shape, &task->plan, NULL)) {
        return false;
    }
    task->block = aligned_memory(task->plan.bytes);
    task->scratch = aligned_memory(attn_run_bytes(kernels, &task->plan, threads));
    const bool packs = work->d_model * work->heads >= 64;
    if (packs) {
        task->packed = aligned_memory(attn_run_packed_floats(kernels, &task->plan) * sizeof(float));
    }
    if (task->block == NULL || task->scratch == NULL || (packs && task->packed == NULL)) {
        task_close(task);
        return false;
    }
    fill_task(task);
    if (packs) {
        attn_run_pack(kernels, &task->plan, task->block, task->packed);
    }
    return true;
}

static void run_ours(const struct measure_task *task, struct attn_pool *pool)
{
    const struct attn_means means = {pool, task->packed, task->scratch};
    const struct attn_sight sight = {.kind = task->work->causal ? ATTN_SEE_PAST : ATTN_SEE_ALL};
    attn_run(task->kernels, &task->plan, task->block, task->factor, sight, &means);
}

/* ---- errors -------------------------------------------------------------------------------- */

static double absolute_error(double got, double expected)
{
    return fabs(got - expected);
}

static double scaled_score(const struct measure_task *task, size_t head, size_t i, size_t j)
{
    const size_t d = task->work->d_k, n = task->work->n;
    const float *const q = attn_plan_buffer(&task->plan, task->block, ATTN_Q) + (head * n + i) * d;
    const float *const k = attn_plan_buffer(&task->plan, task->block, ATTN_K) + (head * n + j) * d;
    double sum = 0;
    for (size_t p = 0; p < d; p++) {
        sum += (double)q[p] * (double)k[p];
    }
    return sum * (double)task->factor;
}

/* Computes the exact output of query i of a head, in float64 from Q, K and V. */
static double attention_error(const struct measure_task *task, size_t head, size_t i)
{
    const size_t d = task->work->d_k, n = task->work->n, keys = task->work->causal ? i + 1 : n;
    const float *const v = attn_plan_buffer(&task->plan, task->block, ATTN_V) + head * n * d;
    const float *const concat = attn_plan_buffer(&task->plan, task->block, ATTN_CONCAT);
    double *const weight = malloc(n * sizeof *weight);
    double max = -INFINITY, sum = 0, worst = 0;
    for (size_t j = 0; j < keys && weight != NULL; j++) {
        weight[j] = scaled_score(task, head, i, j);
        max = fmax(max, weight[j]);
    }
    for (size_t j = 0; j < keys && weight != NULL; j++) {
        weight[j] = exp(weight[j] - max);
        sum += weight[j];
    }
    for (size_t c = 0; c < d && weight != NULL; c++) {
        double z = 0;
        for (size_t j = 0; j < keys; j++) {
            z += weight[j] / sum * (double)v[j * d + c];
        }
        worst = fmax(worst,
                     absolute_error((double)concat[i * d * task->work->heads + head * d + c], z));
    }
    free(weight);
    return worst;
}

/* Row i of a product with W, in float64 from its factors as they are. */
static double product_error(const struct measure_task *task, const enum attn_buffer buffers[3],
                            size_t i, size_t depth, size_t cols)
{
    const float *const x = attn_plan_buffer(&task->plan, task->block, buffers[0]) + i * depth;
    const float *const w = attn_plan_buffer(&task->plan, task->block, buffers[1]);
    const float *const out = attn_plan_buffer(&task->plan, task->block, buffers[2]) + i * cols;
    double worst = 0;
    for (size_t c = 0; c < cols; c++) {
        double sum = 0;
        for (size_t p = 0; p < depth; p++) {
            sum += (double)x[p] * (double)w[p * cols + c];
        }
        worst = fmax(worst, absolute_error((double)out[c], sum));
    }
    return worst;
}

static double error_of(const struct measure_task *task)
{
    static const enum attn_buffer query[] = {ATTN_X, ATTN_W_Q, ATTN_Q};
    static const enum attn_buffer output[] = {ATTN_CONCAT, ATTN_W_O, ATTN_OUTPUT};
    const struct measure_work *const work = task->work;
    double worst = 0;
    for (size_t s = 0; s < SAMPLES; s++) {
        const size_t i = s * (work->n - 1) / (SAMPLES - 1);
        worst = fmax(worst, attention_error(task, s % work->heads, i));
        if (work->d_model > 0) {
            worst = fmax(worst, product_error(task, query, i, work->d_model, work->d_k));
            worst =
                fmax(worst, product_error(task, output, i, work->heads * work->d_k, work->d_model));
        }
    }
    return worst;
}

/* ---- rounds -------------------------------------------------------------------------------- */

enum { OURS, OURS_BY_THE_CLOCK, THREADED, FIRST_PEER, RUNNERS = FIRST_PEER + MEASURE_PEERS_MAX };

static double peak_once(const struct attn_kernels *kernels)
{
    float out[16];
    if (kernels->peak == NULL) {
        return 0;
    }
    const double start = attn_system_thread_seconds(), operations = kernels->peak(PEAK_STEPS, out);
    return operations / (attn_system_thread_seconds() - start);
}

struct party {
    const struct measure_task *task;
    struct attn_pool *pool;
    const struct measure_peer *peers;
    size_t count;
};

static double seconds_of(const struct party *party, size_t runner, size_t times)
{
    const bool by_the_clock = runner == OURS_BY_THE_CLOCK || runner == THREADED;
    double (*const clock)(void) = by_the_clock ? attn_system_seconds : attn_system_thread_seconds;
    if (runner >= FIRST_PEER && party->peers[runner - FIRST_PEER].time != NULL) {
        const struct measure_peer *const peer = &party->peers[runner - FIRST_PEER];
        return peer->time(peer->context, party->task, times);
    }
    const double start = clock();
    for (size_t i = 0; i < times; i++) {
        if (runner >= FIRST_PEER) {
            const struct measure_peer *const peer = &party->peers[runner - FIRST_PEER];
            peer->run(peer->context, party->task);
        } else {
            run_ours(party->task, runner == THREADED ? party->pool : NULL);
        }
    }
    return (clock() - start) / (double)times;
}

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right ? 1 : 0;
}

static double sorted_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return count == 0       ? 0
           : count % 2 == 1 ? values[count / 2]
                            : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct rounds {
    double peak[MEASURE_ROUNDS];
    double seconds[RUNNERS][MEASURE_ROUNDS];
    size_t count;
};

/* Rounds in which the machine was not its own are dropped. */
static void drop_disturbed(struct rounds *rounds)
{
    double best = 0;
    size_t kept = 0;
    for (size_t r = 0; r < rounds->count; r++) {
        best = fmax(best, rounds->peak[r]);
    }
    for (size_t r = 0; r < rounds->count; r++) {
        if (rounds->peak[r] < 0.8 * best) {
            continue;
        }
        rounds->peak[kept] = rounds->peak[r];
        for (size_t runner = 0; runner < RUNNERS; runner++) {
            rounds->seconds[runner][kept] = rounds->seconds[runner][r];
        }
        kept++;
    }
    rounds->count = kept;
}

static double median_ratio(const struct rounds *rounds, size_t runner, size_t against)
{
    double ratios[MEASURE_ROUNDS];
    for (size_t r = 0; r < rounds->count; r++) {
        ratios[r] = rounds->seconds[runner][r] / rounds->seconds[against][r];
    }
    return sorted_median(ratios, rounds->count);
}

static void run_rounds(const struct party *party, struct rounds *rounds)
{
    size_t times[RUNNERS];
    const size_t runners = FIRST_PEER + party->count;
    for (size_t runner = 0; runner < runners; runner++) {
        seconds_of(party, runner, 1);
        const double once = seconds_of(party, runner, 1);
        times[runner] = once > ROUND_SECONDS ? 1 : 1 + (size_t)(ROUND_SECONDS / (once + 1e-9));
    }
    for (rounds->count = 0; rounds->count < MEASURE_ROUNDS; rounds->count++) {
        rounds->peak[rounds->count] = peak_once(party->task->kernels);
        for (size_t runner = 0; runner < runners; runner++) {
            rounds->seconds[runner][rounds->count] = seconds_of(party, runner, times[runner]);
        }
    }
}

static void summarise_rounds(struct rounds *rounds, const struct party *party, double bandwidth,
                             struct measure_result *result)
{
    const double operations = count_operations(party->task->work);
    double shares[MEASURE_ROUNDS], seconds[MEASURE_ROUNDS];
    drop_disturbed(rounds);
    for (size_t r = 0; r < rounds->count; r++) {
        seconds[r] = rounds->seconds[OURS][r];
        shares[r] = rounds->peak[r] > 0 ? operations / seconds[r] / rounds->peak[r] : 0;
    }
    const double time = sorted_median(seconds, rounds->count);
    const double bytes = (double)party->task->plan.bytes;
    result->microseconds = time * 1e6;
    result->gflops = operations / time * 1e-9;
    result->share_of_peak = sorted_median(shares, rounds->count);
    result->share_of_bandwidth = bandwidth > 0 ? bytes / time * 1e-9 / bandwidth : 0;
    result->speedup = median_ratio(rounds, OURS_BY_THE_CLOCK, THREADED);
    for (size_t p = 0; p < party->count; p++) {
        result->peer_ratio[p] = median_ratio(rounds, FIRST_PEER + p, OURS);
    }
}

bool attn_measure(const struct attn_kernels *kernels, struct attn_pool *pool,
                  const struct measure_work *work, const struct measure_peer *peers, size_t count,
                  struct measure_result *result)
{
    struct measure_task task;
    struct rounds rounds;
    *result = (struct measure_result){.speedup = 1};
    if (!task_open(&task, kernels, work, attn_pool_threads(pool))) {
        return false;
    }
    const struct party party = {&task, pool, peers,
                                count < MEASURE_PEERS_MAX ? count : MEASURE_PEERS_MAX};
    run_rounds(&party, &rounds);
    summarise_rounds(&rounds, &party, attn_measure_bandwidth(), result);
    run_ours(&task, NULL);
    result->max_error = error_of(&task);
    task_close(&task);
    return true;
}

double attn_measure_peak(const struct attn_kernels *kernels)
{
    double best = 0;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        best = fmax(best, peak_once(kernels));
    }
    return best * 1e-9;
}

double attn_measure_bandwidth(void)
{
    uint64_t *const words = aligned_memory(READ_BYTES);
    const size_t count = READ_BYTES / sizeof *words;
    double best = 0;
    if (words == NULL) {
        return 0;
    }
    memset(words, 1, READ_BYTES);
    for (int round = 0; round < 3; round++) {
        uint64_t sums[8] = {0};
        const double start = attn_system_thread_seconds();
        for (size_t i = 0; i < count; i += 8) {
            for (size_t lane = 0; lane < 8; lane++) {
                sums[lane] ^= words[i + lane];
            }
        }
        const double took = attn_system_thread_seconds() - start;
        for (size_t lane = 0; lane < 8; lane++) {
            words[lane] += sums[lane]; /* nobody may leave the reading out */
        }
        best = fmax(best, READ_BYTES / took);
    }
    attn_system_free_aligned(words);
    return best * 1e-9;
}
