/* tests/learn/bench_seek.c — how long any step of a run is waited for, and what that takes.
 *     meson test --benchmark, or the program itself: bench_learn_seek [--threads N] [TASK…]
 * Of each task a run of 3000 steps. Then steps that lie farthest behind a kept one are gone to,
 * from the end of the run: the longest of them counts, each the least of some rounds. With one
 * thread what counts is processor time; with more it is time on the wall. Of own text: how long the
 * nearest kept step and the exact one are waited for, and the most memory that it ever took. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/random.h"
#include "learn/run.h"

enum {
    STEPS = 3000,
    PLACES = 8,
    ROUNDS = 3,
    TEXT_BYTES = 1 << 20,
    TEXT_STEPS = 90, /* what may be kept is full by then, twice */
};

static double seconds(clockid_t clock)
{
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check(bool done, const struct error *error)
{
    if (!done) {
        fprintf(stderr, "%s\n", error->text);
        exit(1);
    }
}

/* How far behind the kept one before it a step lies at most. */
static uint64_t widest_gap(struct learn_run *run)
{
    uint64_t gap = 1, from = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        const struct learn_snapshot *const moment = learn_run_snapshot_near(run, step, NULL);
        if (moment != NULL && moment->is_exact) {
            gap = step - from > gap ? step - from : gap;
            from = step;
        }
        learn_snapshot_release(moment);
    }
    return gap;
}

static void measure(const struct learn_task *task, const struct lab_engine *engine, clockid_t clock)
{
    struct error error = {0};
    const struct bytes none = {NULL, 0};
    struct learn_recipe recipe = task->recipe;
    recipe.steps = STEPS;
    struct learn_run *const run = learn_run_make(&recipe, none, engine, &error);
    check(run != NULL, &error);
    double start = seconds(clock);
    check(learn_run_go(run, STEPS, NULL, &error), &error);
    const double step_time = (seconds(clock) - start) / STEPS;
    const uint64_t gap = widest_gap(run);
    double worst = 0;
    for (uint64_t place = 1; place <= PLACES; place++) {
        const uint64_t kept = STEPS * place / (PLACES + 1) / gap * gap;
        double least = INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            check(learn_run_go(run, STEPS, NULL, &error), &error);
            start = seconds(clock);
            check(learn_run_go(run, kept + gap - 1, NULL, &error), &error);
            least = fmin(least, seconds(clock) - start);
        }
        worst = fmax(worst, least);
    }
    printf("%-12s %6zu weights  %7.2f ms a step  kept each %3zu  %5.1f MB  worst step %6.1f ms "
           "(at most 50)\n",
           task->name, learn_run_tensors(run)->floats, step_time * 1e3, (size_t)gap,
           (double)learn_run_bytes(run) / 1e6, worst * 1e3);
    fflush(stdout);
    learn_run_free(run);
}

/* Words of two to six letters, some more often than others. */
static struct bytes make_text(void)
{
    static char text[TEXT_BYTES];
    struct random random;
    random_start(&random, 1, "bench");
    for (size_t at = 0; at < sizeof text;) {
        const uint64_t word = random_bits(&random) % 30 * (random_bits(&random) % 30);
        for (uint64_t i = 0; i < 2 + word % 5 && at < sizeof text; i++) {
            text[at++] = (char)('a' + word * (i + 3) % 26);
        }
        if (at < sizeof text) {
            text[at++] = ' ';
        }
    }
    return (struct bytes){(const uint8_t *)text, sizeof text};
}

static void measure_text(const struct lab_engine *engine, clockid_t clock)
{
    struct error error = {0};
    struct rusage usage = {0};
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_TEXT)->recipe;
    recipe.shape.layers = 4;
    recipe.shape.d_model = 128;
    recipe.shape.d_k = 32;
    recipe.shape.inner = 512;
    recipe.units = LEARN_LETTERS;
    struct learn_run *const run = learn_run_make(&recipe, make_text(), engine, &error);
    check(run != NULL && learn_run_watch(run, true, &error), &error);
    check(learn_run_go(run, TEXT_STEPS, NULL, &error), &error);
    const struct learn_snapshot *const last = learn_run_snapshot(run, &error);
    double start = seconds(clock);
    const struct learn_snapshot *const near = learn_run_snapshot_near(run, TEXT_STEPS / 2, &error);
    const double near_time = seconds(clock) - start;
    check(last != NULL && near != NULL, &error);
    start = seconds(clock);
    check(learn_run_go(run, TEXT_STEPS / 2, NULL, &error), &error);
    getrusage(RUSAGE_SELF, &usage);
    printf("%-12s %6zu weights  of %d steps number %d: nearest kept one %6.1f ms, %zu more steps "
           "%6.1f ms  kept %5.1f MB, in all %5.1f MB (at most 512)\n",
           "text", learn_run_tensors(run)->floats, TEXT_STEPS, TEXT_STEPS / 2, near_time * 1e3,
           (size_t)(TEXT_STEPS / 2 - near->step), (seconds(clock) - start) * 1e3,
           (double)learn_run_bytes(run) / 1e6, (double)usage.ru_maxrss * 1024 / 1e6);
    fflush(stdout);
    learn_snapshot_release(last);
    learn_snapshot_release(near);
    learn_run_free(run);
}

static bool wanted(const struct learn_task *task, char **names)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], task->name) == 0) {
            return true;
        }
    }
    return names[0] == NULL;
}

int main(int argc, char **argv)
{
    size_t threads = 1;
    struct lab_engine engine;
    struct error error = {0};
    (void)argc;
    argv++;
    if (argv[0] != NULL && argv[1] != NULL && strcmp(argv[0], "--threads") == 0) {
        threads = strtoul(argv[1], NULL, 10);
        argv += 2;
    }
    check(lab_engine_open(&engine, getenv("ATTN_ISA"), threads, &error), &error);
    const clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    for (size_t t = 0; t < LEARN_TASKS; t++) {
        const struct learn_task *const task = learn_task_at(t);
        if (wanted(task, argv) && task->id == LEARN_TASK_TEXT) {
            measure_text(&engine, clock);
        } else if (wanted(task, argv)) {
            measure(task, &engine, clock);
        }
    }
    lab_engine_close(&engine);
    return 0;
}
