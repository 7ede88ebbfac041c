/* Moments that are packed: every bit comes back, and they take fewer bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "learn/packed.h"
#include "learn/run.h"

/* Packs and unpacks; how many words it took. */
static size_t check_bits(const uint32_t *bits, size_t count)
{
    enum { GUARD = 0x5a5a5a5a };
    const size_t most = learn_packed_most(count);
    uint32_t *const words = malloc((most + 1) * sizeof *words);
    float *const values = malloc((count + 1) * sizeof *values);
    float *const back = malloc((count + 1) * sizeof *back);
    assert_true(words != NULL && values != NULL && back != NULL);
    memcpy(values, bits, count * sizeof *values);
    words[most] = GUARD;
    back[count] = 7;
    const size_t used = learn_pack(values, count, words);
    assert_in_range(used, 0, most);
    assert_int_equal(words[most], GUARD);
    /* What is read is no more than what was written. */
    uint32_t *const exact = malloc(used * sizeof *exact);
    assert_non_null(exact);
    memcpy(exact, words, used * sizeof *exact);
    learn_unpack(exact, count, back);
    assert_memory_equal(back, bits, count * sizeof *back);
    assert_true(back[count] == 7);
    free(exact);
    free(words);
    free(values);
    free(back);
    return used;
}

static void every_pattern_of_bits_comes_back(void **state)
{
    (void)state;
    enum { MOST = 5000 };
    static uint32_t bits[MOST];
    struct random random;
    random_start(&random, 3, "packed");
    for (size_t count = 0; count < 40; count++) {
        for (size_t i = 0; i < count; i++) {
            bits[i] = (uint32_t)random_bits(&random);
        }
        check_bits(bits, count);
    }
    for (size_t i = 0; i < MOST; i++) { /* infinities, and what is no number, are among them */
        bits[i] = (uint32_t)random_bits(&random);
    }
    check_bits(bits, MOST);
    memset(bits, 0, sizeof bits);
    check_bits(bits, MOST);
    bits[17] = 0x80000000;
    check_bits(bits, MOST);
}

/* Each kind occurs half as often as the one before it: the codes of the rare ones would be as long
 * as there are kinds. */
static void rare_numbers_have_codes_too(void **state)
{
    (void)state;
    enum { KINDS = 20, MOST = 1 << KINDS };
    uint32_t *const bits = malloc(MOST * sizeof *bits);
    assert_non_null(bits);
    size_t count = 0;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < (size_t)1 << (KINDS - 1 - kind); i++) {
            bits[count++] = (kind * 7 + 3) << 23 | (uint32_t)(i * 2654435761U % (1U << 23));
        }
    }
    /* Of a kind 2 bits on average, and 23. */
    assert_in_range(check_bits(bits, count), count * 24 / 32, count * 26 / 32);
    free(bits);
}

static struct learn_run *begin(const struct learn_task *task)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_recipe recipe = task->recipe;
    recipe.batch = 2;
    recipe.steps = 3000;
    struct learn_run *const run = learn_run_make(&recipe, (struct bytes){NULL, 0}, NULL, &error);
    if (run == NULL) {
        fail_msg("%s", error.text);
    }
    return run;
}

static void go(struct learn_run *run, uint64_t step)
{
    assert_true(learn_run_go(run, step, NULL, NULL));
}

/* As many steps lie between two kept moments of a run of 3000 as are made again in the time that
 * somebody waits for gladly (bench_seek.c), and what is kept fits. */
static void few_steps_lie_between_moments_that_are_kept(void **state)
{
    (void)state;
    enum { STEPS = 3000, TRIED = 80, APART_MOST = 26, BYTES_MOST = 64000000 };
    for (size_t t = 0; t < LEARN_TASKS; t++) {
        const struct learn_task *const task = learn_task_at(t);
        if (task->id == LEARN_TASK_TEXT) {
            continue;
        }
        struct learn_run *const run = begin(task);
        uint64_t last = 0;
        size_t kept = 0;
        go(run, TRIED);
        for (uint64_t step = 0; step <= TRIED; step++) {
            const struct learn_moment *const moment = learn_run_moment_near(run, step, NULL);
            assert_non_null(moment);
            if (moment->is_exact) {
                assert_in_range(step - last, 0, APART_MOST);
                last = step;
                kept++;
            }
            learn_moment_release(moment);
        }
        assert_true(kept > TRIED / APART_MOST);
        const size_t all = STEPS / (last / (kept - 1)) + 1;
        assert_in_range(learn_run_bytes(run) / kept * all, 0, BYTES_MOST);
        learn_run_free(run);
    }
}

static float *copy(const float *values, size_t count)
{
    float *const made = malloc(count * sizeof *made);
    assert_non_null(made);
    memcpy(made, values, count * sizeof *made);
    return made;
}

static void a_packed_moment_is_the_same_to_the_bit(void **state)
{
    (void)state;
    struct learn_run *const run = begin(learn_task_at(LEARN_TASK_ADDITION));
    const size_t floats = learn_run_tensors(run)->floats;
    uint64_t kept = 0;
    go(run, 30);
    for (uint64_t step = 1; step <= 30; step++) {
        const struct learn_moment *const near = learn_run_moment_near(run, step, NULL);
        assert_non_null(near);
        kept = near->is_exact ? step : kept;
        learn_moment_release(near);
    }
    assert_in_range(kept, 8, 30);
    /* So many moments of so many bytes: they are packed. */
    assert_true(learn_run_bytes(run) < 2 * 3 * floats * sizeof(float) * 9 / 10);
    struct learn_run *const other = begin(learn_task_at(LEARN_TASK_ADDITION));
    go(other, kept);
    const struct learn_moment *const near = learn_run_moment_near(run, kept, NULL);
    assert_memory_equal(near->weights, learn_run_weights(other), floats * sizeof(float));
    learn_moment_release(near);
    go(run, kept);
    assert_memory_equal(learn_run_weights(run), learn_run_weights(other), floats * sizeof(float));
    assert_memory_equal(learn_run_m(run), learn_run_m(other), floats * sizeof(float));
    assert_memory_equal(learn_run_v(run), learn_run_v(other), floats * sizeof(float));
    go(other, kept + 5);
    float *const later = copy(learn_run_weights(other), floats);
    go(run, 0);
    go(run, kept + 5);
    assert_memory_equal(learn_run_weights(run), later, floats * sizeof(float));
    free(later);
    learn_run_free(other);
    learn_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pattern_of_bits_comes_back),
        cmocka_unit_test(rare_numbers_have_codes_too),
        cmocka_unit_test(few_steps_lie_between_moments_that_are_kept),
        cmocka_unit_test(a_packed_moment_is_the_same_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
