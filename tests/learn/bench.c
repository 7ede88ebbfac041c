/* tests/learn/bench.c — steps of training, beside the same by PyTorch where it is installed.
 *     meson test --benchmark, or the program itself: bench_learn [--threads N] [WORKLOAD…];
 *     ATTN_ISA for one set; ATTN_BENCH_PYTHON for a Python that has PyTorch.
 * With one thread what counts is processor time, the least of some rounds, ours and theirs in turn;
 * with more it is time on the wall. */
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "attn/attn.h"
#include "base/random.h"
#include "learn/network.h"
#include "shapes.h"

struct workload {
    const char *name;
    struct learn_shape shape;
    size_t sequences, length;
    const char *at_least; /* times as fast as PyTorch; NULL: not asked */
};

/* clang-format off */
static const struct workload workloads[] = {
    {"small-world", {.family = LEARN_GPT2, .layers = 1, .heads = 2, .d_model = 16, .d_k = 8, .context = 24, .vocabulary = 46, .norm = true, .tied = true, .causal = true}, 64, 24, NULL},
    {"1xd16", {.family = LEARN_GPT2, .layers = 1, .heads = 2, .d_model = 16, .d_k = 8, .context = 16, .vocabulary = 32, .inner = 64, .norm = true, .tied = true, .causal = true}, 16, 16, "10"},
    {"1xd64", {.family = LEARN_GPT2, .layers = 1, .heads = 4, .d_model = 64, .d_k = 16, .context = 16, .vocabulary = 32, .inner = 256, .norm = true, .tied = true, .causal = true}, 16, 16, "3"},
    {"2xd32", {.family = LEARN_GPT2, .layers = 2, .heads = 2, .d_model = 32, .d_k = 16, .context = 32, .vocabulary = 32, .norm = true, .tied = true, .causal = true}, 32, 32, "3.5"},
    {"2xd64", {.family = LEARN_GPT2, .layers = 2, .heads = 4, .d_model = 64, .d_k = 16, .context = 32, .vocabulary = 32, .norm = true, .tied = true, .causal = true}, 32, 32, "3"},
    {"4xd128", {.family = LEARN_GPT2, .layers = 4, .heads = 4, .d_model = 128, .d_k = 32, .context = 64, .vocabulary = 64, .inner = 512, .norm = true, .tied = true, .causal = true}, 16, 64, "1.5"},
    {"induction", {.family = LEARN_LLAMA, .layers = 2, .heads = 4, .d_model = 64, .d_k = 16, .context = 32, .vocabulary = 26, .norm = true, .tied = true, .causal = true, .theta = 100}, 64, 32, NULL},
    {"addition", {.family = LEARN_GPT2, .layers = 1, .heads = 4, .d_model = 64, .d_k = 16, .context = 3, .vocabulary = 32, .inner = 256, .tied = true, .causal = true}, 480, 3, NULL},
};
/* clang-format on */

enum { WORKLOADS = sizeof workloads / sizeof workloads[0], ROUNDS = 7 };

static double seconds(clockid_t clock)
{
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- PyTorch ------------------------------------------------------------------------------- */

static struct {
    pid_t process;
    FILE *asks, *answers;
} torch;

static bool torch_open(void)
{
    const char *const named = getenv("ATTN_BENCH_PYTHON");
    const char *const python = named == NULL ? "python3" : named;
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    char line[64] = "";
    signal(SIGPIPE, SIG_IGN);
    if (pipe(to) != 0 || pipe(from) != 0) {
        return false;
    }
    torch.process = fork();
    if (torch.process == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execlp(python, python, PEER_TORCH, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    torch.asks = fdopen(to[1], "w");
    torch.answers = fdopen(from[0], "r");
    return torch.asks != NULL && torch.answers != NULL &&
           fgets(line, sizeof line, torch.answers) != NULL;
}

static double torch_time(const struct workload *work, size_t times)
{
    const struct learn_shape *const shape = &work->shape;
    char line[64] = "";
    fprintf(torch.asks, "%zu %zu %zu %zu %zu %zu %zu %zu\n", shape->layers, shape->heads,
            shape->d_model, shape->inner, work->length, work->sequences, shape->vocabulary, times);
    fflush(torch.asks);
    return fgets(line, sizeof line, torch.answers) == NULL ? (double)NAN : strtod(line, NULL);
}

/* ---- ours ---------------------------------------------------------------------------------- */

struct trained {
    struct learn_network *network;
    struct lab_engine engine;
    struct learn_optimiser optimiser;
    float *weights, *m, *v, *gradient;
    int32_t *tokens, *targets;
    uint64_t step;
};

static void *make(size_t count, size_t size)
{
    void *const made = calloc(count, size);
    if (made == NULL) {
        abort();
    }
    return made;
}

static struct trained begin(const struct workload *work, size_t threads)
{
    struct error error = {0};
    struct random random;
    struct trained it = {.optimiser = usual_optimiser};
    const size_t rows = work->sequences * work->length;
    it.engine = (struct lab_engine){attn_kernels_choose(getenv("ATTN_ISA")),
                                    threads == 1 ? NULL : attn_pool_open(threads)};
    it.network = learn_network_open(&work->shape, &it.engine, &error);
    if (it.network == NULL) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    const size_t floats = learn_network_tensors(it.network)->floats;
    it.weights = make(4 * floats, sizeof *it.weights);
    it.m = it.weights + floats;
    it.v = it.m + floats;
    it.gradient = it.v + floats;
    it.tokens = make(2 * rows, sizeof *it.tokens);
    it.targets = it.tokens + rows;
    random_start(&random, 1, "bench");
    for (size_t i = 0; i < 2 * rows; i++) {
        it.tokens[i] = (int32_t)(random_bits(&random) % work->shape.vocabulary);
    }
    learn_initial_values(&work->shape, 1, 0, it.weights);
    return it;
}

static void end(struct trained *it)
{
    learn_network_close(it->network);
    attn_pool_close(it->engine.pool);
    free(it->weights);
    free(it->tokens);
}

static double our_time(const struct workload *work, struct trained *it, size_t times,
                       clockid_t clock)
{
    const struct learn_batch batch = {work->sequences, work->length, it->tokens, it->targets};
    const double start = seconds(clock);
    for (size_t i = 0; i < times; i++) {
        struct learn_result result;
        if (!learn_network_run(it->network, it->weights, &batch, it->gradient, NULL, &result,
                               NULL)) {
            abort();
        }
        (void)learn_optimiser_step(&it->optimiser, &it->engine, &work->shape,
                                   learn_network_tensors(it->network), NULL, it->step++,
                                   it->gradient, it->m, it->v, it->weights);
    }
    return (seconds(clock) - start) / (double)times;
}

static void measure(const struct workload *work, size_t threads, bool beside)
{
    const clockid_t clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    const bool torch_has_it = beside && work->shape.family == LEARN_GPT2 && work->shape.norm;
    struct trained it = begin(work, threads);
    double ours = INFINITY, theirs = INFINITY;
    const double once = our_time(work, &it, 3, clock);
    const size_t times = once > 0.02 ? 3 : (size_t)(0.06 / once) + 1;
    for (int round = 0; round < ROUNDS; round++) {
        ours = fmin(ours, our_time(work, &it, times, clock));
        if (torch_has_it) {
            theirs = fmin(theirs, torch_time(work, times / 4 + 2));
        }
    }
    printf("%-12s %10.1f us  %8.0f steps/s", work->name, ours * 1e6, 1 / ours);
    if (torch_has_it) {
        printf("  PyTorch %9.1f us, %5.2f x", theirs * 1e6, theirs / ours);
    }
    if (torch_has_it && work->at_least != NULL) {
        printf(" (at least %s)", work->at_least);
    }
    printf("\n");
    fflush(stdout);
    end(&it);
}

static bool wanted(const struct workload *work, char **names)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], work->name) == 0) {
            return true;
        }
    }
    return names[0] == NULL;
}

int main(int argc, char **argv)
{
    size_t threads = 1;
    (void)argc;
    argv++;
    if (argv[0] != NULL && argv[1] != NULL && strcmp(argv[0], "--threads") == 0) {
        threads = strtoul(argv[1], NULL, 10);
        argv += 2;
    }
    const bool beside = threads == 1 && torch_open();
    printf("%s, %zu thread%s%s\n", attn_kernels_title(attn_kernels_choose(getenv("ATTN_ISA"))),
           threads, threads == 1 ? "" : "s", beside ? "" : ", without PyTorch");
    for (size_t w = 0; w < WORKLOADS; w++) {
        if (wanted(&workloads[w], argv)) {
            measure(&workloads[w], threads, beside);
        }
    }
    if (torch.asks != NULL) {
        fclose(torch.asks);
        fclose(torch.answers);
        waitpid(torch.process, NULL, 0);
    }
    return 0;
}
