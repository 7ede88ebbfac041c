/* Claims about attention, each reached from the start window in at most three actions, and read
 * from the screen: a click, a drag, a stroke and a word typed are one action each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/learn/learn.h"
#include "hands.h"

static size_t actions; /* since the window began */

static struct hands *open_hands(void)
{
    actions = 0;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_wait(hands, 0.5);
    return hands;
}

static void close_hands(struct hands *hands)
{
    hands_close(hands);
    assert_in_range(actions, 0, 3);
}

static void click_words(struct hands *hands, const char *words)
{
    actions++;
    hands_click(hands, words);
    hands_wait(hands, 0.5);
}

static void press_key(struct hands *hands, const char *name)
{
    actions++;
    hands_key(hands, name);
    hands_wait(hands, 0.5);
}

static void type_text(struct hands *hands, const char *text)
{
    actions++;
    hands_type(hands, text);
    hands_wait(hands, 0.5);
}

static void drag_from(struct hands *hands, struct point from, float x, float y)
{
    actions++;
    hands_drag(hands, from.x, from.y, x, y);
    hands_wait(hands, 0.5);
}

/* A slider by its name, dragged until the screen says so. */
static void drag_slider(struct hands *hands, const char *name, const char *until)
{
    struct rect slider;
    bool there = false;
    assert_true(canvas_find_group(hands_canvas(hands), name, 0, &slider));
    const float y = slider.y + slider.h - 8;
    actions++;
    hands_press(hands, slider.x + slider.w / 2, y, UI_LEFT_BUTTON, 1);
    for (float x = slider.x; !there && x <= slider.x + slider.w; x += 0.25f) {
        hands_move(hands, x, y);
        there = hands_count(hands, until) > 0;
    }
    hands_release(hands, hands->input.x, y, UI_LEFT_BUTTON);
    hands_wait(hands, 0.5);
    hands_expect(hands, until);
}

/* A step of a lesson by its name: three actions. */
static void go_to(struct hands *hands, const char *step)
{
    press_key(hands, "Ctrl+K");
    type_text(hands, step);
    press_key(hands, "Enter");
}

/* A lesson from the menu: two. */
static void choose_lesson(struct hands *hands, const char *title)
{
    click_words(hands, "Cats, dogs and a lion");
    click_words(hands, title);
}

static float weight_at(const struct hands *hands, size_t query, size_t key)
{
    const struct lab_matrix weights =
        lab_trace_part(hands->state->document.trace, LAB_ALPHA, hands->state->view.pinned.head);
    return lab_matrix_at(&weights, query, key);
}

static void dog_and_cat_lion_the_root_and_nothing_but_nyc(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    hands_expect_part(hands, "then softmax → 0.394"); /* how much dog takes from cat */
    close_hands(hands);
    hands = open_hands();
    click_words(hands, "26.00");
    hands_expect_part(hands, "0.00 + 25.00 + 1.00"); /* lion's animalness, 24 more than the rest */
    close_hands(hands);
    hands = open_hands();
    click_words(hands, "Scale · mask");
    drag_slider(hands, "keys dₖ", "64");
    hands_expect_part(hands, "√64 = 8.000");
    close_hands(hands);
    hands = open_hands();
    click_words(hands, "Softmax");
    actions++;
    hands_click_number(hands, "NYC", 1); /* its bars */
    hands_wait(hands, 0.5);
    click_words(hands, "looks only at “NYC”");
    hands_expect(hands, "1.000");
    assert_float_equal(weight_at(hands, 1, 3), 1, 1e-6);
    close_hands(hands);
}

static void c1_rows_sum_to_one(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Softmax");
    hands_expect(hands, "sum 1.000");
    hands_expect(hands, "row sum");
    close_hands(hands);
}

static void c2_the_root_prevents_saturation(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    go_to(hands, "root 8");
    hands_expect_part(hands, "It has fallen to 35.7 %");
    hands_expect(hands, "0.357");
    close_hands(hands);
}

static void c3_outputs_lie_inside_the_hull(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Blend");
    hands_expect_part(hands, "it always lies inside the hull");
    hands_expect(hands, "−2.47  0.88  0.38");
    close_hands(hands);
}

static void c4_what_matches_is_not_what_is_taken(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    go_to(hands, "race 6");
    hands_expect_part(hands, "no share changes");
    hands_expect(hands, "17.42");
    hands_expect(hands, "0.58");
    close_hands(hands);
}

static void c5_order_does_not_matter(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    const struct point nyc = hands_find(hands, "NYC", 0), cat = hands_find(hands, "cat", 0);
    const float before = weight_at(hands, 1, 0);
    drag_from(hands, nyc, cat.x - 14, cat.y);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[0], "NYC");
    hands_expect(hands, "0.394");
    assert_float_equal(weight_at(hands, 2, 1), before, 1e-6);
    close_hands(hands);
}

static void c6_nothing_comes_from_the_future(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Scale · mask");
    click_words(hands, "None");
    click_words(hands, "Causal");
    assert_int_equal(hands_count(hands, "−∞"), 6);
    assert_float_equal(weight_at(hands, 0, 1), 0, 0);
    close_hands(hands);
}

static void c7_cross_attention_is_rectangular(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    choose_lesson(hands, "Two languages: “The cat sat”");
    click_words(hands, "Score");
    hands_expect(hands, "1 × 3");
    close_hands(hands);
}

static void c8_heads_differ(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    choose_lesson(hands, "Ten tokens, 64 dimensions");
    hands_expect(hands, "head 1");
    hands_expect(hands, "head 8");
    const struct lab_matrix one = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0),
                            other = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 7);
    assert_true(lab_matrix_at(&one, 3, 4) != lab_matrix_at(&other, 3, 4));
    close_hands(hands);
}

static void c9_heads_are_concatenated_and_mixed(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    choose_lesson(hands, "Ten tokens, 64 dimensions");
    click_words(hands, "Output");
    hands_expect(hands, "concat");
    hands_expect(hands, "W_O");
    hands_expect(hands, "64 × 64");
    close_hands(hands);
}

static void c10_flash_gives_the_plain_answer(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    go_to(hands, "flash 5");
    hands_expect_part(hands, "as with");
    hands_expect(hands, "1·10⁻⁶."); /* the largest difference */
    close_hands(hands);
}

static void c11_a_window_costs_words_times_width(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    choose_lesson(hands, "Look near");
    press_key(hands, "PageDown");
    hands_expect(hands, "n·w");
    hands_expect(hands, "16 words: 256 pairs, 74 of them seen");
    close_hands(hands);
}

static void c12_what_is_kept_shrinks_from_kind_to_kind(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    choose_lesson(hands, "Fewer keys, fewer values");
    hands_expect(hands, "256");
    hands_expect(hands, "128");
    hands_expect(hands, "32");
    hands_expect(hands, "Grouped-query, 4 groups");
    close_hands(hands);
}

static void c13_cold_is_the_largest_hot_is_the_mean(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Softmax");
    struct rect slider;
    assert_true(canvas_find_group(hands_canvas(hands), "temperature τ", 0, &slider));
    const float y = slider.y + slider.h - 8;
    drag_from(hands, (struct point){slider.x + slider.w / 2, y}, slider.x, y);
    hands_expect(hands, "0.01");
    assert_float_equal(weight_at(hands, 1, 1), 1, 1e-3);
    drag_from(hands, (struct point){slider.x + 1, y}, slider.x + slider.w, y);
    hands_expect(hands, "100.00");
    assert_float_equal(weight_at(hands, 1, 2), 0.25, 0.02);
    close_hands(hands);
}

static void c14_subtracting_the_maximum_changes_nothing(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Softmax");
    hands_expect(hands, "0.476");
    click_words(hands, "− max");
    hands_expect(hands, "0.476");
    close_hands(hands);
}

static void c15_each_element_is_one_neuron(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Project");
    hands_expect(hands, "q(dog)[petness] = x(dog) · W_Q[·, petness]");
    close_hands(hands);
}

static void c16_a_query_changes_only_its_row(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    const float before[2] = {weight_at(hands, 0, 2), weight_at(hands, 1, 2)};
    actions++;
    hands_double_click(hands, "−2.7");
    type_text(hands, "1");
    press_key(hands, "Enter");
    assert_float_equal(weight_at(hands, 0, 2), before[0], 0);
    assert_true(weight_at(hands, 1, 2) > before[1] + 0.01f);
    hands_expect(hands, "−2.00"); /* dog with cat: 1 · −2.5 + 0.5 · 1.0 */
    close_hands(hands);
}

static void c17_the_same_word_twice_has_the_same_row(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "type a token…");
    type_text(hands, "cat ");
    for (size_t key = 0; key < 5; key++) {
        assert_float_equal(weight_at(hands, 0, key), weight_at(hands, 4, key), 0);
    }
    assert_int_equal(hands_count(hands, "7.25"), 9); /* cat, dog and cat among each other, but once;
                                                        and spelled out */
    close_hands(hands);
}

static void c18_real_heads_differ(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    go_to(hands, "real-heads 3");
    hands_settle(hands); /* whenever its thread is there */
    hands_frame(hands);
    static const char *const names[] = {"L0H0", "L0H1", "L0H2", "L0H3",
                                        "L1H0", "L1H1", "L1H2", "L1H3"};
    for (size_t h = 0; h < sizeof names / sizeof *names; h++) {
        hands_expect(hands, names[h]); /* every head of both layers at a glance */
    }
    hands_expect_part(hands, "the noun that “it” stands for");
    hands_expect(hands, "0.924"); /* hammer, of "is" */
    assert_true(weight_at(hands, 7, 4) > 0.9f);
    close_hands(hands);
}

static void c19_the_residual_adds_the_word(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Output");
    click_words(hands, "X + O");
    hands_expect(hands, "−5.17"); /* −2.7 − 2.47 */
    close_hands(hands);
}

static void c20_a_printed_number_is_checked_by_pasting_it(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    press_key(hands, "Ctrl+C");
    assert_non_null(strstr(hands->clipboard, "7.25"));
    close_hands(hands);
}

static void c21_without_weights_it_is_similarity(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Project");
    hands_expect_part(hands, "Identity weights: one weight is 1, the others are 0");
    close_hands(hands);
}

static void c22_keys_and_values_have_sizes_of_their_own(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Project");
    drag_slider(hands, "values dᵥ", "4 × 2"); /* V */
    hands_expect(hands, "4 × 3");             /* Q, K */
    close_hands(hands);
}

static void c23_there_is_no_bias(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "Output");
    hands_expect(hands, "no bias");
    close_hands(hands);
}

static void c24_lion_attends_to_itself_because_it_is_long(void **state)
{
    (void)state;
    struct hands *hands = open_hands();
    click_words(hands, "26.00");
    hands_expect_part(hands, "|q| 5.10 · |k| 5.10");
    close_hands(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dog_and_cat_lion_the_root_and_nothing_but_nyc),
        cmocka_unit_test(c1_rows_sum_to_one),
        cmocka_unit_test(c2_the_root_prevents_saturation),
        cmocka_unit_test(c3_outputs_lie_inside_the_hull),
        cmocka_unit_test(c4_what_matches_is_not_what_is_taken),
        cmocka_unit_test(c5_order_does_not_matter),
        cmocka_unit_test(c6_nothing_comes_from_the_future),
        cmocka_unit_test(c7_cross_attention_is_rectangular),
        cmocka_unit_test(c8_heads_differ),
        cmocka_unit_test(c9_heads_are_concatenated_and_mixed),
        cmocka_unit_test(c10_flash_gives_the_plain_answer),
        cmocka_unit_test(c11_a_window_costs_words_times_width),
        cmocka_unit_test(c12_what_is_kept_shrinks_from_kind_to_kind),
        cmocka_unit_test(c13_cold_is_the_largest_hot_is_the_mean),
        cmocka_unit_test(c14_subtracting_the_maximum_changes_nothing),
        cmocka_unit_test(c15_each_element_is_one_neuron),
        cmocka_unit_test(c16_a_query_changes_only_its_row),
        cmocka_unit_test(c17_the_same_word_twice_has_the_same_row),
        cmocka_unit_test(c18_real_heads_differ),
        cmocka_unit_test(c19_the_residual_adds_the_word),
        cmocka_unit_test(c20_a_printed_number_is_checked_by_pasting_it),
        cmocka_unit_test(c21_without_weights_it_is_similarity),
        cmocka_unit_test(c22_keys_and_values_have_sizes_of_their_own),
        cmocka_unit_test(c23_there_is_no_bias),
        cmocka_unit_test(c24_lion_attends_to_itself_because_it_is_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
