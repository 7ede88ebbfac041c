/* tests/attn/bench.c — how fast each set is, and how much of the processor that is.
 *
 * One process measures the set's multiply-add peak and the kernels in turn, round by round, so that
 * other load hits both; the best round of each counts. "share" is the share of that peak.
 *     meson test --benchmark, or the program itself; ATTN_ISA for one set alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "attn/attn.h"
#include "guarded.h"
#include "peak.h"

enum { ROUNDS = 7, TOKENS_MOST = 512, D_MOST = 64 };

static const struct {
    const char *set;
    peak_function *peak;
} peaks[] = {
#if defined(__x86_64__)
    {"sse2", peak_of_sse2},
    {"avx2", peak_of_avx2},
    {"avx512", peak_of_avx512},
#elif defined(__aarch64__)
    {"neon", peak_of_neon},
#endif
    {NULL, NULL},
};

/* One head of self-attention: X is taken for Q, K and V, and W for the weights. */
struct layer {
    const struct attn_kernels *kernels;
    size_t n, d;
    struct attn_mask mask;
    float *x, *w, *projected, *scores, *weights, *z;
};

static struct attn_operand x_of(const struct layer *layer) {
    return (struct attn_operand){layer->x, layer->n, layer->d, layer->d};
}

static void run_project(const struct layer *layer) {
    const size_t n = layer->n, d = layer->d;
    attn_project(layer->kernels, x_of(layer), (struct attn_operand){layer->w, d, d, d},
                 (struct attn_matrix){layer->projected, n, d, d});
}

static void run_scores(const struct layer *layer) {
    const size_t n = layer->n;
    attn_scores(layer->kernels, x_of(layer), x_of(layer),
                (struct attn_matrix){layer->scores, n, n, n});
}

static void run_softmax(const struct layer *layer) {
    const size_t n = layer->n;
    const struct attn_matrix weights = {layer->weights, n, n, n};
    memcpy(layer->weights, layer->scores, n * n * sizeof(float));
    attn_scale_mask(layer->kernels, weights, 0.125F, layer->mask);
    attn_softmax(layer->kernels, weights);
}

static void run_blend(const struct layer *layer) {
    const size_t n = layer->n, d = layer->d;
    attn_blend(layer->kernels, (struct attn_operand){layer->weights, n, n, n}, x_of(layer),
               (struct attn_matrix){layer->z, n, d, d});
}

static void run_all(const struct layer *layer) {
    run_project(layer);
    run_project(layer);
    run_project(layer);
    run_scores(layer);
    run_softmax(layer);
    run_blend(layer);
    run_project(layer);
}

/* What a stage counts for: multiplications and additions, by n·d·d and n·n·d. */
static const struct {
    const char *name;
    void (*run)(const struct layer *);
    double by_d, by_n;
} stages[] = {
    {"project", run_project, 2, 0}, {"scores", run_scores, 0, 2}, {"softmax", run_softmax, 0, 0},
    {"blend", run_blend, 0, 2},     {"layer", run_all, 8, 4},
};

enum { STAGES = sizeof stages / sizeof stages[0] };

static const struct {
    const char *name;
    size_t n, d;
    bool causal;
} works[] = {
    {"toy", 4, 3, false},    {"classroom", 10, 64, false}, {"64 tokens", 64, 64, false},
    {"128", 128, 64, false}, {"512", 512, 64, false},      {"512 causal", 512, 64, true},
};

static double now(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds of one run: of as many as take a tenth of a millisecond. */
static double seconds_of(void (*run)(const struct layer *), const struct layer *layer) {
    for (size_t times = 1;; times *= 4) {
        const double start = now();
        for (size_t i = 0; i < times; i++) {
            run(layer);
        }
        const double took = now() - start;
        if (took > 1e-4) {
            return took / (double)times;
        }
    }
}

/* Multiplications and additions a second; 0 where the set has no vectors. */
static double peak_of(const char *set) {
    float out[16] = {0};
    for (size_t i = 0; peaks[i].set != NULL; i++) {
        if (strcmp(peaks[i].set, set) == 0) {
            const double start = now();
            const double operations = peaks[i].peak(20000, out);
            return operations / (now() - start);
        }
    }
    return 0;
}

static void measure(const struct layer *layer, const char *work) {
    const char *set = attn_kernels_name(layer->kernels);
    const double n = (double)layer->n, d = (double)layer->d;
    double best[STAGES] = {0}, peak = 0;
    run_all(layer);
    for (int round = 0; round < ROUNDS; round++) {
        peak = fmax(peak, peak_of(set));
        for (size_t s = 0; s < STAGES; s++) {
            const double took = seconds_of(stages[s].run, layer);
            best[s] = round == 0 ? took : fmin(best[s], took);
        }
    }
    for (size_t s = 0; s < STAGES; s++) {
        const double operations = stages[s].by_d * n * d * d + stages[s].by_n * n * n * d;
        printf("%-7s %-11s %-8s %10.3f µs", set, work, stages[s].name, best[s] * 1e6);
        if (operations > 0) {
            printf(" %7.1f GFLOP/s", operations / best[s] * 1e-9);
        }
        if (operations > 0 && peak > 0) {
            printf(" %5.1f %% of %.0f", 100 * operations / best[s] / peak, peak * 1e-9);
        }
        printf("\n");
    }
}

int main(void) {
    static float x[TOKENS_MOST * D_MOST], w[D_MOST * D_MOST], projected[TOKENS_MOST * D_MOST];
    static float z[TOKENS_MOST * D_MOST];
    static float scores[TOKENS_MOST * TOKENS_MOST], weights[TOKENS_MOST * TOKENS_MOST];
    static uint8_t past[TOKENS_MOST * TOKENS_MOST];
    const char *only = getenv("ATTN_ISA");
    struct dice dice = {1};
    for (size_t i = 0; i < TOKENS_MOST * D_MOST; i++) {
        x[i] = dice_unit(&dice);
        w[i % (D_MOST * D_MOST)] = dice_unit(&dice);
    }
    for (size_t i = 0; i < TOKENS_MOST * TOKENS_MOST; i++) {
        past[i] = i % TOKENS_MOST <= i / TOKENS_MOST;
    }
    for (size_t set = 0; attn_kernels_at(set) != NULL; set++) {
        const struct attn_kernels *kernels = attn_kernels_at(set);
        if (only != NULL && only[0] != '\0' && strcmp(only, attn_kernels_name(kernels)) != 0) {
            continue;
        }
        for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
            const struct layer layer = {
                .kernels = kernels,
                .n = works[i].n,
                .d = works[i].d,
                .mask = {works[i].causal ? past : NULL, TOKENS_MOST},
                .x = x,
                .w = w,
                .projected = projected,
                .scores = scores,
                .weights = weights,
                .z = z,
            };
            measure(&layer, works[i].name);
        }
    }
    return 0;
}
