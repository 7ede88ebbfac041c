/* The presenter view beside its large numbers: what is confirmed, events of a training, the flow,
 * and frames around small cells. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/open/open_model.h"
#include "hands.h"
#include "view/parts/learn.h"

/* Everything is larger before a class, and what confirms a change stands where it was made. */
static void what_is_confirmed_stands_where_it_was_done(void **state)
{
    (void)state;
    for (int before_class = 0; before_class < 2; before_class++) {
        struct hands *hands =
            before_class ? hands_open_presenter("cats", 1440, 900) : hands_open("cats", 1440, 900);
        const struct point at = hands_find(hands, "7.58", 0);
        struct rect card;
        hands_click_at(hands, at.x, at.y);
        hands_key(hands, "Ctrl+c");
        assert_true(canvas_find_group(hands_canvas(hands), "Message", 0, &card));
        assert_true(card.x < at.x && at.x < card.x + card.w);
        assert_true(card.y > at.y && card.y < at.y + 60);
        hands_close(hands);
    }
}

/* The words of an event reach over the names of the curves, and stand clear of the first. */
static void words_of_events_stand_clear_of_names(void **state)
{
    static const char *const events[] = {"attention finds the noun", "kinds of words move apart"};
    size_t seen = 0;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct hands *hands = hands_open_presenter("onestep", 1024, 768);
        hands_show_step(hands, i == 0 ? 8 : 1);
        hands_settle(hands);
        hands_wait(hands, 0.5);
        struct rect event, name;
        const bool there = canvas_find_text(hands_canvas(hands), events[i], 0, &event);
        for (size_t n = 0; there && canvas_find_text(hands_canvas(hands), "right", n, &name); n++) {
            assert_true(event.y + event.h + 3 <= name.y);
            seen++;
        }
        hands_close(hands);
    }
    assert_true(seen > 0);
}

/* Entropy is a number of something. */
static void entropy_has_its_unit(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("onestep", 1024, 768);
    hands_show_step(hands, 1);
    hands_settle(hands);
    hands_expect(hands, "entropy");
    hands_expect(hands, "in bits");
    hands_close(hands);
}

/* The flow has the room of its heading, which a class does not need: its rows lie further apart
 * than they would, and so its matrices are as much larger. */
static void the_flow_is_large(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1024, 768);
    app_command_run(hands->state, "flow", 0, hands->input.time);
    hands_wait(hands, 0.5);
    const float apart = hands_find(hands, "K", 0).y - hands_find(hands, "Q", 0).y;
    if (apart < 112) {
        fail_msg("%g from row to row", (double)apart);
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* The frame of the chosen cell among others: what is drawn last around a point. */
static struct rect frame_around(const struct canvas *canvas, struct point at, float *width)
{
    struct rect frame = {0, 0, 0, 0};
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_RECT && command->paint.stroke.alpha > 0 &&
            command->paint.fill.alpha == 0 && command->rect.h < 40 &&
            rect_has(command->rect, at.x, at.y)) {
            frame = command->rect;
            *width = command->paint.width;
        }
    }
    return frame;
}

/* Where two matrices stand beside each other cells are small: the frame of a number lies between
 * its digits and those of its neighbours. */
static void the_frame_of_a_small_cell_cuts_no_neighbour(void **state)
{
    static const struct {
        const char *lesson, *number;
    } rows[] = {{"hammer", "0.94"}, {"ten", "0.12"}};
    static const float DIGIT_HIGH = 0.73f; /* share of the font size */
    size_t framed = 0;
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct hands *hands = hands_open_presenter(rows[r].lesson, 1024, 768);
        hands_key(hands, "5");
        hands_key(hands, "b");
        hands_wait(hands, 1);
        const struct canvas *const canvas = hands_canvas(hands);
        for (size_t i = 0; i < canvas_count(canvas); i++) {
            const struct canvas_command *const chosen = canvas_command_at(canvas, i);
            float width = 0;
            if (chosen->kind != CANVAS_TEXT || chosen->length != 4 ||
                memcmp(canvas_text_of(canvas, chosen), rows[r].number, 4) != 0) {
                continue;
            }
            const struct rect frame = frame_around(
                canvas, (struct point){chosen->rect.x + chosen->rect.w / 2, chosen->rect.y - 3},
                &width);
            const struct rect outer = rect_inset(frame, -width / 2);
            const struct rect inner = rect_inset(frame, width / 2);
            for (size_t t = 0; frame.w > 0 && t < canvas_count(canvas); t++) {
                const struct canvas_command *const text = canvas_command_at(canvas, t);
                if (text->kind != CANVAS_TEXT || text->length != 4) {
                    continue;
                }
                const float high = DIGIT_HIGH * text->rect.h, top = text->rect.y - high;
                const struct rect digits = {text->rect.x, top, text->rect.w, high};
                const bool inside = digits.x >= inner.x && top >= inner.y &&
                                    digits.x + digits.w <= inner.x + inner.w &&
                                    text->rect.y <= inner.y + inner.h;
                const bool apart = digits.x >= outer.x + outer.w ||
                                   digits.x + digits.w <= outer.x || top >= outer.y + outer.h ||
                                   text->rect.y <= outer.y;
                if (!inside && !apart) {
                    fail_msg("%s: %.4s is cut", rows[r].lesson, canvas_text_of(canvas, text));
                }
                framed += inside;
            }
        }
        hands_close(hands);
    }
    assert_true(framed >= 4); /* A and B of each */
}

/* Small shares are "< 0.1 %" before a class, and a score is named when there is something to it. */
static void what_is_learned_late_is_named_late(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("grokking", 1024, 768);
    hands_show_step(hands, 4);
    hands_settle(hands);
    assert_int_equal(hands_count_part(hands, "three frequencies"), 0);
    hands_show_step(hands, 6);
    if (hands->state->view.learn->awaited > 0) { /* its text is still to come */
        hands_key(hands, "PageDown");
        hands_expect_not(hands, "This is the end of the lesson.");
    }
    hands_settle(hands);
    hands_wait(hands, 0.5);
    hands_expect(hands, "three frequencies");
    hands_expect(hands, "< 0.1 %");
    hands_key(hands, "PageDown");
    hands_expect(hands, "This is the end of the lesson.");
    hands_close(hands);
}

/* No line leads through the name of another point. */
static void lines_to_names_pass_names_by(void **state)
{
    static const char *const names[] = {"Tom ran fast", "Jerry finished first",
                                        "Spike stumbled midway"};
    (void)state;
    struct hands *hands = hands_open_presenter("race", 1024, 768);
    for (size_t step = 3; step < 7; step++) {
        hands_show_step(hands, step);
        const struct canvas *const canvas = hands_canvas(hands);
        struct rect panel;
        assert_true(canvas_find_group(canvas, "3-D view", 0, &panel));
        for (size_t n = 0; n < 3; n++) {
            struct rect name = {0, 0, 0, 0};
            for (size_t i = 0; canvas_find_text(canvas, names[n], i, &name) && name.x < panel.x;
                 i++) {
            }
            assert_true(name.x > panel.x);
            name = rect_inset(name, 2);
            for (size_t i = 0; i < canvas_count(canvas); i++) {
                const struct canvas_command *const line = canvas_command_at(canvas, i);
                const float middle = line->rect.x + line->rect.w / 2;
                const bool upright = line->kind == CANVAS_PATH && line->rect.w < 2;
                assert_false(upright && middle > name.x && middle < name.x + name.w &&
                             line->rect.y < name.y + name.h &&
                             line->rect.y + line->rect.h > name.y);
            }
        }
    }
    hands_close(hands);
}

/* Numbers that are nearly nothing have no powers of ten: in a sum, beside points, at a curve. */
static void nearly_nothing_is_less_than_a_thousandth(void **state)
{
    (void)state;
    static const struct {
        const char *lesson;
        size_t step;
        const char *read;
    } rows[] = {{"race", 6, "<0.001"}, {"race", 6, "α <0.001"}, {"grokking", 6, "<0.001"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct hands *hands = hands_open_presenter(rows[r].lesson, 1024, 768);
        hands_show_step(hands, rows[r].step);
        hands_settle(hands);
        hands_wait(hands, 0.5);
        hands_expect(hands, rows[r].read);
        assert_int_equal(hands_count_part(hands, "e-"), 0);
        hands_close(hands);
    }
}

/* Somebody with a remote control or a mouse alone is not caught: from what is shown to a class a
 * cross leads back, in models and in Why as in lessons. */
static void the_mouse_leads_out_of_what_a_class_sees(void **state)
{
    (void)state;
    static const float rooms[][2] = {{960, 600}, {1024, 768}, {1280, 720}};
    for (size_t r = 0; r < 3 * (sizeof rooms / sizeof *rooms); r++) {
        struct hands *const hands = hands_open_presenter("cats", rooms[r / 3][0], rooms[r / 3][1]);
        const bool opens = r % 3 > 0, refused = r % 3 == 0;
        if (opens) {
            assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), "the cat sat on",
                                            hands->input.time));
            hands_show_settled(hands);
        }
        if (r % 3 != 1) {
            hands_key(hands, "w");
            hands_show_settled(hands);
            hands_expect(hands, refused ? "There is nothing to split here" : "Who says it");
            assert_int_equal(hands_collisions(hands), 0);
            hands_click(hands, "Stage");
            hands_show_settled(hands);
            assert_false(hands->state->view.why_shown);
        }
        assert_int_equal(hands_collisions(hands), 0);
        hands_click(hands, "Leave the presentation (F5 or Esc)");
        assert_false(hands->state->view.prefs.presenter);
        hands_close(hands);
    }
}

/* A key that a mask hides has no weight: none of 0 stands among the products of a blend. */
static void a_hidden_key_has_no_weight_among_the_products(void **state)
{
    enum { CAUSAL = 7, HIDDEN = 2 }; /* the step of the lesson; keys that dog does not see */
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1024, 768);
    struct rect products, text;
    size_t marks = 0;
    hands_show_step(hands, CAUSAL);
    hands_key(hands, "6");
    hands_wait(hands, 1);
    const struct canvas *const canvas = hands_canvas(hands);
    assert_true(canvas_find_group(canvas, "Products", 0, &products));
    for (size_t i = 0; canvas_find_text(canvas, "0.000", i, &text); i++) {
        assert_false(rect_has(products, text.x + text.w / 2, text.y + text.h / 2));
    }
    for (size_t i = 0; canvas_find_text(canvas, "—", i, &text); i++) {
        marks += rect_has(products, text.x + text.w / 2, text.y + text.h / 2);
    }
    assert_int_equal(marks, HIDDEN);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_frame_of_a_small_cell_cuts_no_neighbour),
        cmocka_unit_test(the_flow_is_large),
        cmocka_unit_test(a_hidden_key_has_no_weight_among_the_products),
        cmocka_unit_test(nearly_nothing_is_less_than_a_thousandth),
        cmocka_unit_test(what_is_learned_late_is_named_late),
        cmocka_unit_test(lines_to_names_pass_names_by),
        cmocka_unit_test(words_of_events_stand_clear_of_names),
        cmocka_unit_test(entropy_has_its_unit),
        cmocka_unit_test(what_is_confirmed_stands_where_it_was_done),
        cmocka_unit_test(the_mouse_leads_out_of_what_a_class_sees),
    };
    return cmocka_run_group_tests_name("classroom", tests, NULL, NULL);
}
