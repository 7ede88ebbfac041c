/* How weights are looked at: several queries together, keys set aside, and what is said of both. */
#include "bench.h"
#include "lab/explain/display.h"
#include "lab/lesson/lessons.h"

static const char *const words[] = {"cat", "dog", "lion", "NYC"};

static double row_sum(struct lab_matrix matrix, size_t row)
{
    double sum = 0;
    for (size_t j = 0; j < matrix.cols; j++) {
        sum += (double)lab_matrix_at(&matrix, row, j);
    }
    return sum;
}

static void places_are_kept_in_order_and_each_once(void **state)
{
    (void)state;
    struct lab_places places = {0};
    const size_t turned[] = {7, 2, 5, 2, 9, 2};
    for (size_t i = 0; i < sizeof turned / sizeof turned[0]; i++) {
        assert_true(lab_places_turn(&places, turned[i]));
    }
    const size_t left[] = {2, 5, 7, 9};
    assert_int_equal(places.count, 4);
    assert_memory_equal(places.place, left, sizeof left);
    assert_false(lab_places_has(&places, 3));
    lab_places_clamp(&places, 7);
    assert_int_equal(places.count, 2);
    for (size_t i = 10; places.count < LAB_PLACES_MAX; i++) {
        assert_true(lab_places_turn(&places, i));
    }
    assert_false(lab_places_turn(&places, 9));
    assert_true(lab_places_turn(&places, 10)); /* what is in can always go out */
}

static void places_go_with_their_words(void **state)
{
    (void)state;
    static const char *const from[] = {"the", "cat", "the", "dog"};
    static const char *const to[] = {"a", "dog", "the", "old", "the"};
    struct lab_places places = {3, {1, 2, 3}};
    lab_places_follow(&places, from, 4, to, 5);
    assert_int_equal(places.count, 2); /* the cat is gone */
    assert_int_equal(places.place[0], 1);
    assert_int_equal(places.place[1], 4); /* the second “the” */
}

static void what_is_set_aside_is_missing_in_the_picture_only(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 4);
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    struct lab_display display = {0};
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
    assert_ptr_equal(lab_display_weights(trace, 0, &display, &arena).values, alpha.values);
    lab_places_turn(&display.aside, 0);
    const struct lab_matrix left = lab_display_weights(trace, 0, &display, &arena);
    assert_true(lab_matrix_at(&left, 1, 0) == 0);
    assert_true(lab_matrix_at(&left, 1, 1) == lab_matrix_at(&alpha, 1, 1));
    const double cat = (double)lab_matrix_at(&alpha, 1, 0);
    assert_true(fabs(row_sum(left, 1) - (1 - cat)) < 1e-6);
    for (size_t j = 1; j < 4; j++) { /* all of it aside: nothing is left */
        lab_places_turn(&display.aside, j);
    }
    assert_true(row_sum(lab_display_weights(trace, 0, &display, &arena), 1) == 0);
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

/* A file that asks for rows without a key, brought back to 1, gets the computation without it. */
static void a_step_without_a_key_is_computed_without_it(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"own\", \"steps\": [{"
        "\"display\": {\"aside\": [\"cat\"], \"renormalise\": true}}]}";
    struct arena arena = {0};
    struct error error = {0};
    struct lab_lesson lesson;
    struct bytes bytes = {(const uint8_t *)text, sizeof text - 1};
    for (int round = 0; round < 2; round++) { /* as written by hand, then as written again */
        assert_true(lab_lesson_parse(bytes, &arena, &lesson, &error));
        assert_int_equal(lesson.step[0].display.aside.count, 0);
        struct lab_trace *const trace = trace_of(&lesson.step[0].experiment);
        const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
        assert_true(lab_matrix_at(&alpha, 1, 0) == 0);
        assert_true(fabs(row_sum(alpha, 1) - 1) < 1e-6);
        lab_trace_release(trace);
        assert_true(lab_lesson_write(&lesson, &arena, &bytes, &error));
        lab_lesson_release(&lesson);
    }
    arena_free(&arena);
}

static void it_is_said_in_one_sentence(void **state)
{
    (void)state;
    struct lab_experiment experiment = experiment_of(words, 4);
    struct lab_trace *const trace = trace_of(&experiment);
    struct arena arena = {0};
    struct lab_display display = {0};
    const struct lab_selection at = {.query = 1, .key = 0};
    assert_null(lab_display_sentence(trace, &display, &at, &arena));
    assert_null(lab_display_aside(trace, &display, &arena));
    assert_string_equal(lab_display_describe(trace, &display, &at, &arena), "");
    lab_places_turn(&display.queries, 1);
    assert_null(lab_display_sentence(trace, &display, &at, &arena)); /* one alone is no sum */
    lab_places_turn(&display.queries, 0);
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, 0);
    const double sum = (double)lab_matrix_at(&alpha, 0, 0) + (double)lab_matrix_at(&alpha, 1, 0);
    const char *const expected = arena_format(
        &arena, "“cat” and “dog” together give “cat” %.3f of their 2.000: %.3f each on average.",
        sum, sum / 2);
    assert_string_equal(lab_display_sentence(trace, &display, &at, &arena), expected);
    lab_places_turn(&display.aside, 2);
    assert_string_equal(lab_display_aside(trace, &display, &arena),
                        "“lion” is set aside: rows no longer sum to 1");
    assert_non_null(strstr(lab_display_describe(trace, &display, &at, &arena),
                           "“lion” is set aside: rows no longer sum to 1"));
    arena_free(&arena);
    lab_trace_release(trace);
    lab_experiment_release(&experiment);
}

static void a_step_keeps_it_and_refuses_what_does_not_exist(void **state)
{
    (void)state;
    static const char text[] =
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"own\", \"steps\": [{"
        "\"display\": {\"queries\": [\"dog\", 2], \"aside\": [\"cat\"], "
        "\"colours\": \"log\", \"marks\": \"discs\", \"line\": {\"key\": \"lion\"}, "
        "\"change\": true}}, {}]}";
    struct arena arena = {0};
    struct error error = {0};
    struct lab_lesson lesson;
    struct bytes bytes = {(const uint8_t *)text, sizeof text - 1};
    for (int round = 0; round < 2;
         round++) { /* as written by hand, then as the program writes it */
        assert_true(lab_lesson_parse(bytes, &arena, &lesson, &error));
        const struct lab_display *const shown = &lesson.step[0].display;
        assert_true(lesson.step[0].has_display && !lesson.step[1].has_display);
        assert_true(shown->logarithmic && shown->discs);
        assert_true(shown->change && shown->line == LAB_LINE_KEY);
        assert_int_equal(shown->line_place, 2);
        assert_int_equal(shown->queries.count, 2);
        assert_true(lab_places_has(&shown->queries, 1) && lab_places_has(&shown->queries, 2));
        assert_true(shown->aside.count == 1 && lab_places_has(&shown->aside, 0));
        assert_true(lab_lesson_write(&lesson, &arena, &bytes, &error));
        lab_lesson_release(&lesson);
    }
    static const struct {
        const char *display, *says;
    } wrong[] = {{"{\"aside\": [\"bird\"]}", "there is no word “bird”"},
                 {"{\"queries\": 1}", "a list of at most"},
                 {"{\"queries\": [99]}", "its place counted from 0"},
                 {"{\"colours\": \"blue\"}", "colours"},
                 {"{\"line\": {\"key\": \"bird\"}}", "there is no word “bird”"},
                 {"{\"line\": {}}", "one word is expected"},
                 {"{\"line\": {\"key\": 0, \"query\": 0}}", "one word is expected"},
                 {"{\"clours\": 1}", "is “colours” meant?"}};
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        const char *const refused =
            arena_format(&arena,
                         "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"own\", "
                         "\"steps\": [{\"display\": %s}]}",
                         wrong[w].display);
        const struct bytes file = {(const uint8_t *)refused, strlen(refused)};
        assert_false(lab_lesson_parse(file, &arena, &lesson, &error));
        assert_non_null(strstr(error.text, wrong[w].says));
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_kept_in_order_and_each_once),
        cmocka_unit_test(places_go_with_their_words),
        cmocka_unit_test(what_is_set_aside_is_missing_in_the_picture_only),
        cmocka_unit_test(a_step_without_a_key_is_computed_without_it),
        cmocka_unit_test(it_is_said_in_one_sentence),
        cmocka_unit_test(a_step_keeps_it_and_refuses_what_does_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
