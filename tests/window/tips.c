/* Help that teaches: whatever has a name on screen says what it is when the pointer rests on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hands.h"

/* Names without a tooltip of their own, and why. */
static const struct {
    const char *name, *why;
} silent[] = {
    {"Top bar", "what stands in it says what it is"},
    {"Stages", "what stands in it says what it is"},
    {"Lesson", "it is a sentence itself; its buttons have tooltips"},
    {"Stage", "what stands in it says what it is"},
    {"Formula", "its numbers and lines have tooltips"},
    {"3-D view", "its points have tooltips"},
    {"Heads", "its matrices have tooltips"},
    {"tokens", "its chips have tooltips, and its hint says what to type"},
    {"ground", "the floor under the points"},
    {"axes", "their names stand at their ends"},
    {"stems", "they lead from the points to the floor"},
    {"hull of the values", "it lies behind the points that span it"},
    {"Space legend", "it is an explanation itself"},
    {"Products", "each of its bars has a tooltip"},
    {"tooltip", "it is one"},
    {"scroll bar", "it is known from everywhere"},
    {"column splitter", "it is known from everywhere, and the pointer changes its shape"},
    {"right splitter", "it is known from everywhere, and the pointer changes its shape"},
};

enum { SEEN_MAX = 512, NAME_BYTES = 64 };

struct walk {
    struct hands *hands;
    char seen[SEEN_MAX][NAME_BYTES];
    size_t count, mute;
};

static bool is_silent(const char *name)
{
    /* lines and labels of the 3-D view are reached through the points they belong to */
    const bool of_space = strstr(name, "in space") != NULL;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
        if (strcmp(silent[i].name, name) == 0) {
            return true;
        }
    }
    return of_space;
}

static bool is_new(struct walk *walk, const char *name)
{
    for (size_t i = 0; i < walk->count; i++) {
        if (strcmp(walk->seen[i], name) == 0) {
            return false;
        }
    }
    if (walk->count < SEEN_MAX) {
        snprintf(walk->seen[walk->count++], NAME_BYTES, "%s", name);
    }
    return true;
}

/* Rests on one of a few places of the area. */
static bool has_tip(struct hands *hands, struct rect area)
{
    static const float at[][2] = {
        {0.5f, 0.5f}, {0.25f, 0.25f}, {0.1f, 0.5f}, {0.5f, 0.1f}, {0.75f, 0.25f}};
    struct rect tip;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        hands_move(hands, -5, -5);
        hands->input.time += 2;
        hands_step(hands);
        hands_move(hands, area.x + at[i][0] * area.w, area.y + at[i][1] * area.h);
        hands->input.time += 0.7;
        hands_step(hands);
        if (canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip)) {
            return true;
        }
    }
    return false;
}

static void walk_screen(struct walk *walk)
{
    struct hands *hands = walk->hands;
    hands_move(hands, -5, -5);
    hands->input.time += 2;
    hands_frame(hands);
    const struct canvas *canvas = hands_canvas(hands);
    char names[SEEN_MAX][NAME_BYTES];
    struct rect areas[SEEN_MAX];
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas) && count < SEEN_MAX; i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        if (command->kind != CANVAS_GROUP || command->length == 0) {
            continue;
        }
        const size_t length = command->length < NAME_BYTES ? command->length : NAME_BYTES - 1;
        memcpy(names[count], canvas_text_of(canvas, command), length);
        names[count][length] = 0;
        const bool found = canvas_find_group(canvas, names[count], 0, &areas[count]);
        if (found && areas[count].w > 0 && !is_silent(names[count]) && is_new(walk, names[count])) {
            count++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!has_tip(hands, areas[i])) {
            print_message("“%s” says nothing about itself (%.0f, %.0f, %.0f × %.0f)\n", names[i],
                          (double)areas[i].x, (double)areas[i].y, (double)areas[i].w,
                          (double)areas[i].h);
            walk->mute++;
        }
    }
}

static void whatever_has_a_name_says_what_it_is(void **state)
{
    (void)state;
    struct walk *walk = calloc(1, sizeof *walk);
    assert_non_null(walk);
    static const struct {
        const char *lesson, *first; /* first: a key */
        float width, height;
    } walks[] = {{"cats", NULL, 1440, 900},     {"ten", NULL, 1440, 900},
                 {"race", NULL, 1440, 900},     {"flash", NULL, 1440, 900},
                 {"latent", NULL, 1440, 900},   {"positions", NULL, 1440, 900},
                 {"translate", NULL, 960, 600}, {"cats", "s", 960, 600},
                 {"cats", "F5", 960, 600},      {"hammer", "F5", 1440, 900},
                 {"cats", "o", 1440, 900},      {"causal", "Shift+B", 1440, 900}};
    for (size_t l = 0; l < sizeof walks / sizeof *walks; l++) {
        walk->hands = hands_open(walks[l].lesson, walks[l].width, walks[l].height);
        if (walks[l].first != NULL) {
            hands_key(walk->hands, walks[l].first);
        }
        for (int stage = 0; stage < LAB_STAGES; stage++) {
            const char key[2] = {(char)('1' + stage), 0};
            hands_key(walk->hands, key);
            walk_screen(walk);
        }
        hands_close(walk->hands);
    }
    assert_true(walk->count > 60);
    assert_int_equal(walk->mute, 0);
    free(walk);
}

static void a_matrix_tells_its_name_its_formula_and_its_shape(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    const struct point cell = hands_find(hands, "26.00", 0);
    hands_move(hands, cell.x, cell.y);
    hands_wait(hands, 1);
    hands_expect_part(hands, "S = QKᵀ");
    hands_expect(hands, "4 × 4");
    assert_int_equal(hands_count_part(hands, "double-click or drag"), 0); /* no result is typed */
    hands_close(hands);
}

static void numbers_that_can_be_typed_say_how(void **state)
{
    (void)state;
    static const char *const keys[] = {"1", "5"}, *const numbers[] = {"5.0", "0.394"};
    struct hands *hands = hands_open("cats", 1440, 900);
    for (size_t i = 0; i < 2; i++) {
        hands_key(hands, keys[i]);
        hands_wait(hands, 20);
        const struct point cell = hands_find(hands, numbers[i], i);
        hands_move(hands, -5, -5);
        hands_wait(hands, 2);
        hands_move(hands, cell.x, cell.y);
        hands_wait(hands, 1);
        hands_expect_part(hands, "double-click or drag");
    }
    hands_close(hands);
}

static bool do_overlap(struct rect a, struct rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* Whoever rests on a stage or on a button reads the caption all the same: what is said of that lies
 * neither on it nor on the button. */
static void what_is_said_of_a_control_leaves_the_caption_free(void **state)
{
    (void)state;
    static const float rooms[][2] = {{1024, 768}, {1280, 720}};
    static const char *const names[] = {"Embed",
                                        "Score",
                                        "Softmax",
                                        "Output",
                                        "3-D",
                                        "Play (Space bar)",
                                        "Next step (PageDown)",
                                        "Hide the lesson's captions (C)"};
    static const char said[] = "Lion’s score with itself is 26. Animalness alone makes 25 of it.";
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        struct hands *hands = hands_open_presenter("cats", rooms[r][0], rooms[r][1]);
        hands_show_step(hands, 2);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            struct rect control, tip, caption, words;
            assert_true(canvas_find_group(hands_canvas(hands), names[i], 0, &control));
            hands_move(hands, -5, -5);
            hands_wait(hands, 2);
            hands_move(hands, control.x + control.w / 2, control.y + control.h / 2);
            hands_wait(hands, 1);
            assert_true(canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip));
            assert_true(canvas_find_group(hands_canvas(hands), "Lesson", 0, &caption));
            assert_true(canvas_find_text(hands_canvas(hands), said, 0, &words));
            assert_false(do_overlap(tip, control));
            assert_false(do_overlap(tip, words));
            if (control.y < caption.y) {
                assert_false(do_overlap(tip, caption));
            }
        }
        hands_close(hands);
    }
}

/* A window that fills the screen loses the pointer for a moment, and has it again where it was. */
static void a_pointer_that_rests_brings_no_tip_after_keys(void **state)
{
    (void)state;
    struct rect control, tip;
    struct hands *hands = hands_open_presenter("cats", 1024, 768);
    assert_true(canvas_find_group(hands_canvas(hands), "Score", 0, &control));
    hands_move(hands, control.x + control.w / 2, control.y + control.h / 2);
    hands_key(hands, "PageDown");
    hands->input.inside = false;
    hands_wait(hands, 0.2);
    hands->input.inside = true;
    hands_wait(hands, 2);
    assert_false(canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip));
    hands_move(hands, control.x + control.w / 2 + 8, control.y + control.h / 2);
    hands_wait(hands, 1);
    assert_true(canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip));
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_has_a_name_says_what_it_is),
        cmocka_unit_test(a_pointer_that_rests_brings_no_tip_after_keys),
        cmocka_unit_test(a_matrix_tells_its_name_its_formula_and_its_shape),
        cmocka_unit_test(numbers_that_can_be_typed_say_how),
        cmocka_unit_test(what_is_said_of_a_control_leaves_the_caption_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
