/* Pictures are true: nothing hidden counts, bars can be held against each other, positions are
 * spelled out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hands.h"
#include "ui/theme.h"

static struct hands *open_at(const char *lesson, size_t step)
{
    struct hands *hands = hands_open(lesson, 1440, 900);
    for (size_t s = 0; hands->state->document.step < step && s < 20; s++) {
        hands_key(hands, "PageDown");
    }
    assert_int_equal(hands->state->document.step, step);
    hands_wait(hands, 1);
    return hands;
}

/* The widest bar of that colour in a group, in points. */
static float widest_bar(struct hands *hands, const char *group, struct colour colour)
{
    const struct canvas *canvas = hands_canvas(hands);
    struct rect area;
    float widest = 0;
    assert_true(canvas_find_group(canvas, group, 0, &area));
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_RECT &&
            memcmp(&command->paint.fill, &colour, sizeof colour) == 0 &&
            rect_has(area, command->rect.x + command->rect.w / 2,
                     command->rect.y + command->rect.h / 2)) {
            widest = fmaxf(widest, command->rect.w);
        }
    }
    return widest;
}

/* At a temperature of 0.01 scores lie far below the best, at 100 they are nearly equal. */
static void bars_of_one_step_can_be_held_against_those_of_another(void **state)
{
    (void)state;
    struct hands *cold = open_at("temperature", 3), *hot = open_at("temperature", 5);
    hands_key(cold, "5");
    hands_key(hot, "5");
    hands_wait(cold, 1);
    hands_wait(hot, 1);
    const float far = widest_bar(cold, "scaled − max", cold->state->theme->muted);
    const float near = widest_bar(hot, "scaled − max", hot->state->theme->muted);
    assert_true(far > 60);
    assert_true(near < far / 10);
    hands_close(cold);
    hands_close(hot);
}

/* A score of 7.25 that was divided is 4.19, and no score any more; one that is not is. */
static void what_was_scaled_is_not_called_a_score(void **state)
{
    (void)state;
    struct hands *divided = open_at("cats", 0), *plain = open_at("race", 0);
    hands_key(divided, "4");
    hands_wait(divided, 1);
    hands_expect(divided, "scaled 4.19"); /* beside cat in space */
    hands_key(divided, "5");
    hands_key(plain, "5");
    hands_wait(divided, 1);
    hands_wait(plain, 1);
    hands_expect(divided, "scaled − max");
    hands_expect_part(divided, " = exp(scaled − max) ÷ Σ exp");
    hands_expect(plain, "score − max");
    hands_expect_part(plain, " = exp(score − max) ÷ Σ exp");
    hands_close(divided);
    hands_close(plain);
}

/* The query of this step sees nothing: no scaled − max of 0.00, no power, no share, no entropy. */
static void masked_is_masked(void **state)
{
    (void)state;
    struct hands *hands = open_at("sparse", 4);
    assert_int_equal(hands_count(hands, "—"), 10);
    assert_in_range(hands_count(hands, "0.00"), 0, 2); /* an entropy, and what it comes to */
    hands_close(hands);
}

/* A word that sees 5 of 16: the formula of its shares has 5 terms, one with 2 leaves 3. */
static void what_is_masked_is_no_term(void **state)
{
    (void)state;
    struct hands *hands = open_at("window", 2);
    assert_int_equal(hands_count(hands, "0.802"), 2); /* of “on”, the last: its bar, its term */
    assert_int_equal(hands_count(hands, "0.000"), 0);
    hands_click(hands, "Blend");
    hands_expect_part(hands, "3 other terms");
    hands_close(hands);
}

static void positions_are_spelled_out_with_the_names_of_their_axes(void **state)
{
    (void)state;
    struct hands *hands = open_at("positions", 2);
    hands_expect(hands, "x(dog)[petness] = e(dog)[petness] + p(1)[petness]");
    hands_expect_part(hands, "The embedding of “dog” is the same wherever it stands; the wave");
    assert_in_range(hands_count(hands, "petness"), 4, 9); /* of E, P, X and in space */
    hands_close(hands);
}

/* Queries that were turned stand apart from the words of the others: they have their own. */
static void turned_queries_have_their_words(void **state)
{
    (void)state;
    struct hands *hands = open_at("positions", 5);
    const size_t before = hands_count(hands, "lion");
    hands_key(hands, "F5");
    hands_wait(hands, 1);
    assert_in_range(before, 5, 9); /* chip, X, turned Q, space, head twice */
    assert_int_equal(hands_count(hands, "lion"), 2);
    hands_close(hands);
}

/* 8 dimensions: three matrices side by side would have no room for numbers. */
static void positions_keep_their_numbers_at_eight_dimensions(void **state)
{
    (void)state;
    struct hands *hands = open_at("positions", 2);
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    next.embedding = LAB_EMBEDDING_RANDOM;
    next.d_model = 8;
    document_change(&hands->state->document, &next, "eight", 1);
    lab_experiment_release(&next);
    hands_wait(hands, 1);
    assert_int_equal(hands_count(hands, "0.91"), 1); /* P: sin 2 */
    assert_int_equal(hands_count(hands, "0.54"), 1); /* P: cos 1 */
    hands_close(hands);
}

/* 1.0 of an embedding and 1.00 of a wave have one colour, and the line below says where it ends. */
static void what_is_compared_has_one_scale_of_colours(void **state)
{
    (void)state;
    struct hands *hands = open_at("positions", 2);
    bool same = false; /* the temperature reads 1.00 too */
    for (size_t i = 0; i < hands_count(hands, "1.00"); i++) {
        const struct colour p = hands_fill_at(hands, hands_find(hands, "1.00", i));
        for (size_t j = 0; j < hands_count(hands, "1.0"); j++) { /* a tick of the weights too */
            const struct colour e = hands_fill_at(hands, hands_find(hands, "1.0", j));
            same |= p.blue != 255 && memcmp(&e, &p, sizeof e) == 0;
        }
    }
    assert_true(same);
    hands_expect(hands, "E P X");
    hands_expect(hands, "±5.01");
    hands_close(hands);
}

/* Each matrix that has colours of its own has their bar: the latent and what rebuilds keys, too. */
static void a_latent_and_its_weights_have_their_scales(void **state)
{
    (void)state;
    static const float rooms[][2] = {{1440, 900}, {1280, 720}, {1024, 768}};
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        struct hands *hands = open_at("latent", 1);
        hands_resize(hands, rooms[r][0], rooms[r][1]);
        if (r > 0) {
            hands_key(hands, "F5");
        }
        hands_wait(hands, 1);
        hands_expect(hands, "±1.53"); /* C */
        hands_expect(hands, "±0.57"); /* W_UK of this head */
        hands_expect(hands, "±4.16"); /* K, on one scale with Q */
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

/* Lion attends to itself because it is long: lengths and angle stand beside the sum. */
static void a_score_says_how_much_is_length_and_how_much_direction(void **state)
{
    (void)state;
    struct hands *hands = open_at("cats", 2);
    hands_expect_part(hands, " = |q| 5.10 · |k| 5.10 · cos 0.0°; next: ");
    hands_key(hands, "2");
    hands_expect_part(hands, "Q = XW_Q, K = XW_K, V = XW_V, no bias");
    hands_key(hands, "7");
    hands_expect(hands, "no bias");
    hands_close(hands);
}

/* Ten words, eight heads: the row of a query and all of α of its head stand together. */
static void a_row_and_all_of_alpha_stand_together(void **state)
{
    (void)state;
    struct hands *hands = open_at("ten", 0);
    hands_key(hands, "c"); /* no caption above */
    hands_wait(hands, 1);
    hands_expect(hands, "sum 1.000");
    hands_expect(hands, "row sum");
    hands_expect_not(hands, "All of α");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* Which head a number of the concatenation came from: 8 heads have 7 borders in it, 7 in W_O. */
static void heads_have_borders_in_the_concatenation(void **state)
{
    (void)state;
    struct hands *hands = open_at("ten", 0);
    hands_key(hands, "7");
    hands_wait(hands, 1);
    const struct canvas *canvas = hands_canvas(hands);
    const struct colour ink = hands->state->theme->ink;
    size_t borders = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        borders += command->kind == CANVAS_PATH && fabsf(command->paint.width - 1.2f) < 0.01f &&
                   memcmp(&command->paint.stroke, &ink, sizeof ink) == 0;
    }
    assert_int_equal(borders, 14);
    hands_close(hands);
}

/* “Cost grows with the number of words, and no longer with its square.” */
static void a_window_shows_how_its_cost_grows(void **state)
{
    (void)state;
    struct hands *hands = open_at("window", 1);
    hands_key(hands, "F5");
    hands_wait(hands, 1);
    hands_expect(hands, "n²");
    hands_expect(hands, "n·w");
    hands_expect(hands, "words"); /* along the axis */
    hands_expect(hands, "16 words: 256 pairs, 74 of them seen");
    hands_close(hands);
}

/* A key shines alone: the cells beside it step back without a hue that would be another value. */
static void what_steps_back_has_no_hue(void **state)
{
    (void)state;
    struct hands *hands = open_at("cats", 3);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands->state->view.revealed = true;
    hands->state->view.prefs.display.line = LAB_LINE_KEY;
    hands->state->view.prefs.display.line_place = 1;
    hands_wait(hands, 1);
    const struct colour back = hands_fill_at(hands, hands_find(hands, "0.362", 0));
    const int red = back.red, blue = back.blue;
    const struct colour panel = hands->state->theme->panel;
    assert_in_range(red - blue - (panel.red - panel.blue) + 2, 0, 4);
    hands_close(hands);
}

/* Yellow is for keys: the chosen number of a row is none. */
static void what_is_no_key_has_not_the_colour_of_keys(void **state)
{
    (void)state;
    struct hands *const hands = open_at("hammer", 7);
    const struct colour key = hands->state->theme->key;
    const struct canvas *const canvas = hands_canvas(hands);
    size_t seen = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_TEXT && command->length == strlen("thing") &&
            memcmp(canvas_text_of(canvas, command), "thing", command->length) == 0) {
            assert_memory_not_equal(&command->paint.fill, &key, sizeof key);
            seen++;
        }
    }
    assert_true(seen >= 2); /* above W_O and above X + O */
    hands_close(hands);
}

/* A text of few words said often: many keys get the same share, and none of them more than it. */
static void equal_shares_fill_the_row_of_a_long_text(void **state)
{
    (void)state;
    enum { WORDS = 400, ROWS_MIN = 20 };
    static const char *word[WORDS];
    struct lab_experiment many;
    struct hands *hands = open_at("cats", 0);
    for (size_t w = 0; w < WORDS; w++) {
        word[w] = w % 3 == 0 ? "lion" : "dog";
    }
    lab_experiment_copy(&many, &hands->state->document.experiment);
    assert_true(lab_experiment_set_tokens(&many, word, WORDS, NULL));
    document_change(&hands->state->document, &many, "many words", 0);
    lab_experiment_release(&many);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    size_t rows = 0; /* the note over the words is whole, and says how many there are */
    for (size_t n = 1; n <= WORDS; n++) {
        char note[32];
        snprintf(note, sizeof note, "%zu of %d", n, WORDS);
        rows = hands_count(hands, note) > 0 ? n : rows;
    }
    assert_in_range(rows, ROWS_MIN, WORDS - 1);
    hands_close(hands);
}

/* A number in the formula of a turned query leads to the weights that it comes from, and Backspace
 * back to where it was turned. */
static void a_number_before_it_is_turned_leads_on(void **state)
{
    (void)state;
    enum { TURNED_AT = 5 };
    struct hands *const hands = hands_open("positions", 1440, 900);
    hands_show_step(hands, TURNED_AT);
    hands_expect_part(hands, "q₀(dog) turned by");
    size_t number = 0; /* the last one that is as large as a formula */
    for (size_t n = 0; n < hands_count(hands, "−2.7"); n++) {
        number = hands_find(hands, "−2.7", n).y > 700 && hands_find(hands, "−2.7", n).x < 600
                     ? n
                     : number;
    }
    hands_click_number(hands, "−2.7", number);
    hands_expect_part(hands, "q₀(dog)[petness] = x(dog)");
    hands_key(hands, "Backspace");
    hands_expect_part(hands, "q₀(dog) turned by");
    hands_close(hands);
}

/* However small it is: the formula, its sentence and the 3-D view tell the same, and no share of a
 * key that is seen reads as zero. */
static void a_tiny_share_is_one_number_everywhere(void **state)
{
    (void)state;
    struct hands *const hands = open_at("cats", 0);
    hands_click(hands, "lion");
    hands_key(hands, "3");
    hands_wait(hands, 1);
    hands_expect_part(hands, "then softmax → 5.4e-6");
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect(hands, "5.4e-6"); /* the result of the formula */
    hands_expect(hands, "α 5.4e-6");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tiny_share_is_one_number_everywhere),
        cmocka_unit_test(a_number_before_it_is_turned_leads_on),
        cmocka_unit_test(bars_of_one_step_can_be_held_against_those_of_another),
        cmocka_unit_test(what_was_scaled_is_not_called_a_score),
        cmocka_unit_test(equal_shares_fill_the_row_of_a_long_text),
        cmocka_unit_test(masked_is_masked),
        cmocka_unit_test(what_is_masked_is_no_term),
        cmocka_unit_test(positions_are_spelled_out_with_the_names_of_their_axes),
        cmocka_unit_test(turned_queries_have_their_words),
        cmocka_unit_test(positions_keep_their_numbers_at_eight_dimensions),
        cmocka_unit_test(what_is_compared_has_one_scale_of_colours),
        cmocka_unit_test(a_latent_and_its_weights_have_their_scales),
        cmocka_unit_test(a_score_says_how_much_is_length_and_how_much_direction),
        cmocka_unit_test(a_row_and_all_of_alpha_stand_together),
        cmocka_unit_test(heads_have_borders_in_the_concatenation),
        cmocka_unit_test(a_window_shows_how_its_cost_grows),
        cmocka_unit_test(what_steps_back_has_no_hue),
        cmocka_unit_test(what_is_no_key_has_not_the_colour_of_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
