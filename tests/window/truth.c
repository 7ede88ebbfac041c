/* What a picture says is so: nothing hidden counts, bars can be held against each other, positions
 * are spelled out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
    const float far = widest_bar(cold, "score − max", cold->state->theme->muted);
    const float near = widest_bar(hot, "score − max", hot->state->theme->muted);
    assert_true(far > 60);
    assert_true(near < far / 10);
    hands_close(cold);
    hands_close(hot);
}

/* The query of this step sees nothing: no score − max of 0.00, no power, no share. */
static void masked_is_masked(void **state)
{
    (void)state;
    struct hands *hands = open_at("sparse", 4);
    assert_int_equal(hands_count(hands, "—"), 9);
    assert_in_range(hands_count(hands, "0.00"), 0, 3); /* entropies, and what it comes to */
    hands_close(hands);
}

/* A word that sees 5 of 16: a formula with 3 terms leaves 2. */
static void what_is_masked_is_no_term(void **state)
{
    (void)state;
    struct hands *hands = open_at("window", 2);
    hands_expect_part(hands, "2 other terms");
    hands_click(hands, "Blend");
    hands_expect_part(hands, "3 other terms");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_of_one_step_can_be_held_against_those_of_another),
        cmocka_unit_test(masked_is_masked),
        cmocka_unit_test(what_is_masked_is_no_term),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
