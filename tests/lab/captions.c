/* What captions of built-in lessons say without a number. */
#include "bench.h"
#include "lab/lesson/lessons.h"
#include "lab/run/measure.h"

static struct lab_trace *trace_of_step(const char *name, size_t step)
{
    size_t index = 0;
    struct arena arena = {0};
    struct lab_step found;
    assert_true(lab_lesson_find(name, &index));
    assert_true(lab_lesson_step(index, step, &arena, &found, NULL));
    struct lab_trace *const trace = trace_of(&found.experiment);
    lab_experiment_release(&found.experiment);
    arena_free(&arena);
    return trace;
}

static void assert_same_weights(const char *lesson, size_t a, size_t b)
{
    struct lab_trace *const left = trace_of_step(lesson, a), *const right =
                                                                 trace_of_step(lesson, b);
    const struct lab_matrix one = lab_trace_part(left, LAB_ALPHA, 0);
    const struct lab_matrix other = lab_trace_part(right, LAB_ALPHA, 0);
    assert_memory_equal(one.values, other.values, one.rows * one.cols * sizeof(float));
    lab_trace_release(left);
    lab_trace_release(right);
}

static void other_values_change_no_share(void **state)
{
    (void)state;
    assert_same_weights("race", 4, 5);
    assert_same_weights("library", 5, 6);
}

static size_t winner(const char *lesson, size_t step, size_t query)
{
    struct lab_trace *const trace = trace_of_step(lesson, step);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
    size_t key = 0;
    lab_measure_largest(alpha.values + query * alpha.stride, alpha.cols, &key);
    lab_trace_release(trace);
    return key;
}

static void it_finds_itself_with_identity_weights_and_hammer_with_made_ones(void **state)
{
    (void)state;
    assert_int_equal(winner("hammer", 1, 4), 4);
    assert_int_equal(winner("hammer", 5, 4), 3);
}

/* "Four times the products, twice the size", twice; and what the root divides by undoes it. */
static void scores_of_random_numbers_grow_like_the_root(void **state)
{
    (void)state;
    double rms[4] = {0}, divided = 0;
    for (size_t i = 0; i < 4; i++) {
        struct lab_trace *const trace = trace_of_step("root", i + 1);
        rms[i] = rms_of(trace, false);
        lab_trace_release(trace);
    }
    struct lab_trace *const scaled = trace_of_step("root", 5);
    divided = rms_of(scaled, true);
    lab_trace_release(scaled);
    assert_true(fabs(rms[2] / rms[1] - 2) < 0.05);
    assert_true(fabs(rms[3] / rms[2] - 2) < 0.05);
    assert_true(fabs(divided / rms[0] - 1) < 0.2);
    struct lab_trace *const last = trace_of_step("root", 4);
    const struct lab_matrix alpha = lab_trace_part(last, LAB_ALPHA, 0);
    assert_true(lab_matrix_at(&alpha, 5, 6) > 0.999f); /* "rain looks at one key only" */
    lab_trace_release(last);
}

static void heat_keeps_the_order_of_the_keys(void **state)
{
    (void)state;
    for (size_t step = 0; step < 6; step++) {
        assert_int_equal(winner("temperature", step, 1), 1);
    }
}

static void the_bank_goes_to_the_side_of_its_neighbour(void **state)
{
    (void)state;
    assert_int_equal(winner("bank", 2, 1), 4);
    assert_int_equal(winner("bank", 5, 1), 4);
    struct lab_trace *const river = trace_of_step("bank", 3), *const money =
                                                                  trace_of_step("bank", 6);
    const struct lab_matrix a = lab_trace_part(river, LAB_OUTPUT_O, 0);
    const struct lab_matrix b = lab_trace_part(money, LAB_OUTPUT_O, 0);
    assert_true(lab_matrix_at(&a, 1, 0) > 1 && lab_matrix_at(&a, 1, 1) < 1);
    assert_true(lab_matrix_at(&b, 1, 0) < 1 && lab_matrix_at(&b, 1, 1) > 1);
    lab_trace_release(river);
    lab_trace_release(money);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_values_change_no_share),
        cmocka_unit_test(it_finds_itself_with_identity_weights_and_hammer_with_made_ones),
        cmocka_unit_test(scores_of_random_numbers_grow_like_the_root),
        cmocka_unit_test(heat_keeps_the_order_of_the_keys),
        cmocka_unit_test(the_bank_goes_to_the_side_of_its_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
