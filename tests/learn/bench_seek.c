/* tests/learn/bench_seek.c — how long any step of a run is waited for, and what that takes.
 *     meson test --benchmark, or the program itself: bench_learn_seek [--threads N] [TASK…]
 * Of each task a run of 3000 steps. Then steps that lie farthest behind a kept one are gone to,
 * from the end of the run: the longest of them counts, each the least of some rounds. With one
 * thread what counts is processor time; with more it is time on the wall. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "learn/run.h"

enum { STEPS = 3000, PLACES = 8, ROUNDS = 3 };

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
        const struct learn_moment *const moment = learn_run_moment_near(run, step, NULL);
        if (moment != NULL && moment->is_exact) {
            gap = step - from > gap ? step - from : gap;
            from = step;
        }
        learn_moment_release(moment);
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
    for (size_t t = 0; t < LEARN_TASKS; t++) {
        const struct learn_task *const task = learn_task_at(t);
        if (task->id != LEARN_TASK_TEXT && wanted(task, argv)) {
            measure(task, &engine, threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC);
        }
    }
    lab_engine_close(&engine);
    return 0;
}
