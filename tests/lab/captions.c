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

/* Counts what a person changed in weights that learn, such as heads that are switched off. */
static size_t count_edits(const struct lab_training *learned)
{
    struct lab_words *const lines = lab_training_lines(learned);
    size_t edits = 0;
    for (size_t w = 0; w < lab_words_count(lines); w++) {
        edits += strncmp(lab_words_list(lines)[w], "edit ", 5) == 0;
    }
    lab_words_release(lines);
    return edits;
}

/* Says whether both steps ask about the same numbers; of weights that learn, at whatever moment. */
static bool is_same_question(const struct lab_step *a, const struct lab_step *b)
{
    const struct lab_experiment *const x = &a->experiment, *const y = &b->experiment;
    return x->learned != NULL
               ? lab_words_equal(x->tokens, y->tokens) && x->layer == y->layer &&
                     y->learned != NULL && count_edits(x->learned) == count_edits(y->learned)
               : lab_experiment_equal(x, y);
}

/* Says whether the panels of a step show the row of weights, or the scores that decide it. */
static bool shows_row(const struct lab_step *step, const struct lab_step *asks)
{
    const bool in_heads = (step->panels & (LAB_PANEL_HEADS | LAB_PANEL_HEAD)) != 0;
    const bool every_row = in_heads || (step->has_view_prefs && step->view_prefs.all_alpha);
    const bool in_head = step->selection.head == asks->selection.head;
    switch (step->stage) {
    case LAB_SCORE:
    case LAB_SCALE:
        return in_head;
    case LAB_SOFTMAX:
        return (in_head && step->selection.query == asks->selection.query) || every_row;
    case LAB_BLEND:
    case LAB_OUTPUT:
        return in_head || in_heads;
    default:
        return false;
    }
}

static bool tells(const struct lab_step *step, const struct lab_step *asks)
{
    const bool bar = asks->guess == LAB_GUESS_BAR || asks->stage == LAB_SOFTMAX;
    switch (asks->guess) {
    case LAB_GUESS_NEXT: /* the strip beside every step that has learned shows it */
        return true;
    case LAB_GUESS_WINNER:
        return shows_row(step, asks);
    default:
        return bar ? step->stage >= LAB_SOFTMAX && shows_row(step, asks)
                   : step->stage == asks->stage ||
                         (step->stage == LAB_SCALE && asks->stage == LAB_SCORE);
    }
}

/* What the class is asked has been seen on no step before; the order of words is asked anew. */
static void no_step_shows_what_a_later_one_asks(void **state)
{
    size_t asked = 0;
    (void)state;
    for (size_t l = 0; l < lab_lesson_count(); l++) {
        struct arena arena = {0};
        struct lab_lesson lesson;
        assert_true(lab_lesson_load(l, &arena, &lesson, NULL));
        for (size_t g = 0; g < lesson.steps; g++) {
            const struct lab_step *const asks = &lesson.step[g];
            for (size_t e = 0; e < g && asks->guess != LAB_GUESS_NONE; e++) {
                asked++;
                if (is_same_question(&lesson.step[e], asks) && tells(&lesson.step[e], asks)) {
                    fail_msg("%s, step %zu shows what step %zu asks", lesson.name, e + 1, g + 1);
                }
            }
        }
        lab_lesson_release(&lesson);
        arena_free(&arena);
    }
    assert_true(asked > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_values_change_no_share),
        cmocka_unit_test(it_finds_itself_with_identity_weights_and_hammer_with_made_ones),
        cmocka_unit_test(scores_of_random_numbers_grow_like_the_root),
        cmocka_unit_test(heat_keeps_the_order_of_the_keys),
        cmocka_unit_test(no_step_shows_what_a_later_one_asks),
        cmocka_unit_test(the_bank_goes_to_the_side_of_its_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
