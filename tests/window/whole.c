/* Before a class nothing is cut, covered or outside: every step of every lesson, as large rooms and
 * small ones show it, in languages with short words and with long ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "app/actions/actions.h"
#include "app/learn/learn.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/lesson/lessons.h"
#include "learn/learned.h"
#include "view/parts/learn.h"

/* Texts of the screen that end in an ellipsis that is not their own. */
static size_t say_cuts(const struct canvas *canvas, const char *where)
{
    static const char dots[] = "\xe2\x80\xa6";
    size_t cut = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const size_t length = command->length;
        const char *const text =
            command->kind == CANVAS_TEXT ? canvas_text_of(canvas, command) : "";
        /* A text that continues says so behind a space, which a cut leaves out. */
        if (length > 3 && memcmp(text + length - 3, dots, 3) == 0 && text[length - 4] != ' ') {
            fprintf(stderr, "%s: cut: \"%.*s\"\n", where, (int)length, text);
            cut++;
        }
    }
    return cut;
}

/* As a class has it that waits for nothing: what a step lets train stands where that begins. */
static void go_to_step(struct hands *hands, size_t step)
{
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step},
                    hands->input.time);
    const struct learn_learned *const learned =
        learn_training_record(document_present(&hands->state->document)->learned);
    if (learned != NULL) {
        if (learned->until > 0) {
            const size_t asked = (size_t)learned->step;
            hands_step(hands);
            (void)app_learn_apply(
                hands->state,
                &(struct view_action){.kind = VIEW_ACTION_LEARN,
                                      .learn = {.act = VIEW_LEARN_SEEK, .which = asked}},
                hands->input.time);
        }
        hands_settle(hands);
    }
    hands_wait(hands, 0.35);
}

static size_t look_at_steps(const char *name, const char *language, size_t sizes)
{
    static const float rooms[][2] = {{1024, 768}, {1280, 720}, {1440, 900}};
    char where[100];
    size_t faults = 0;
    struct hands *const hands = hands_open(name, rooms[0][0], rooms[0][1]);
    hands_settle(hands);
    hands_key(hands, "F5");
    for (size_t r = 0; r < sizes; r++) {
        hands_resize(hands, rooms[r][0], rooms[r][1]);
        for (size_t step = 0; step < hands->state->document.lesson->steps; step++) {
            go_to_step(hands, step);
            snprintf(where, sizeof where, "%s %zu, %g × %g, %s", name, step + 1,
                     (double)rooms[r][0], (double)rooms[r][1], language);
            const size_t cuts = say_cuts(hands_canvas(hands), where);
            const size_t collisions = hands_collisions(hands);
            if (cuts + collisions > 0) {
                fprintf(stderr, "%s: %zu cut, %zu collide\n", where, cuts, collisions);
            }
            faults += cuts + collisions;
        }
    }
    hands_close(hands);
    return faults;
}

static void nothing_is_cut_before_a_class(void **state)
{
    static const struct {
        const char *name;
        size_t rooms;
    } languages[] = {{"en", 3}, {"de", 3}, {"zh_CN", 1}};
    size_t faults = 0;
    (void)state;
    for (size_t l = 0; l < sizeof languages / sizeof *languages; l++) {
        language_speak(language_find(languages[l].name));
        for (size_t n = l % test_stride(); n < lab_lesson_count(); n += test_stride()) {
            faults += look_at_steps(lab_lesson_name(n), languages[l].name, languages[l].rooms);
        }
    }
    language_speak(NULL);
    assert_int_equal(faults, 0);
}

/* The commands that write these words before a class. */
static size_t find_written(struct hands *hands, const char *words,
                           const struct canvas_command **found, size_t most)
{
    const struct canvas *const canvas = hands_canvas(hands);
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_TEXT && command->length == strlen(words) &&
            memcmp(canvas_text_of(canvas, command), words, command->length) == 0 && count < most) {
            found[count++] = command;
        }
    }
    return count;
}

static struct hands *open_step(const char *name, size_t step, float width, float height)
{
    struct hands *hands = hands_open_presenter(name, width, height);
    hands_show_step(hands, step - 1);
    return hands;
}

/* Names that are too long for their columns stand in two lines, and stay as large as numbers. */
static void names_above_columns_can_be_read_from_the_last_row(void **state)
{
    (void)state;
    struct hands *hands = open_step("bank", 6, 1024, 768);
    const struct canvas_command *found[8];
    const size_t count = find_written(hands, "with", found, 8);
    assert_in_range(count, 3, 8); /* beside a bar, beside a row and above a column */
    for (size_t i = 0; i < count; i++) {
        assert_true(found[i]->rect.h >= 10.9f); /* before the room's scale of 1.25 */
    }
    hands_close(hands);
}

/* Two heads at a time share their keys: they stand side by side. */
static void heads_that_share_keys_stand_in_one_row(void **state)
{
    static const char *const heads[] = {"head 1", "head 2", "head 3", "head 4"};
    (void)state;
    struct hands *hands = open_step("fewer", 2, 1440, 900);
    const float row = hands_find(hands, heads[0], 0).y;
    for (size_t h = 1; h < sizeof heads / sizeof *heads; h++) {
        assert_float_equal(hands_find(hands, heads[h], 0).y, row, 0.5);
    }
    hands_close(hands);
}

/* A score of 15.01 looks larger than one of 2.89 in the tile before it. */
static void all_tiles_have_one_scale_of_colours(void **state)
{
    (void)state;
    struct hands *hands = open_step("flash", 2, 1280, 720);
    const struct canvas *const canvas = hands_canvas(hands);
    const struct point small = hands_find(hands, "1.56", 0);
    struct colour fill = {0};
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_RECT && command->paint.fill.alpha == 255 &&
            rect_has(command->rect, small.x, small.y) && command->rect.w < 200) {
            fill = command->paint.fill;
        }
    }
    assert_true(colour_luminance(fill) > 0.6f); /* of 17.32 at most */
    hands_close(hands);
}

/* The largest letters in which the text stands on the screen, in pixels. */
static float letters_of(struct hands *hands, const char *text)
{
    const struct canvas_command *found[32];
    const size_t count = find_written(hands, text, found, 32);
    float largest = 0;
    for (size_t i = 0; i < count && i < 32; i++) {
        largest = fmaxf(largest, found[i]->rect.h);
    }
    return largest * 1.25f; /* the scale of these rooms */
}

/* Where there is room a number has it, and two factors share it with their result. */
static void numbers_are_read_from_the_last_row(void **state)
{
    static const struct {
        const char *lesson;
        size_t step;
        float wide, high;
        const char *number;
        float least;
    } cases[] = {{"hammer", 7, 1280, 720, "0.94", 15}, {"bank", 3, 1280, 720, "9.00", 15},
                 {"cats", 1, 1280, 720, "26.00", 16},  {"cats", 1, 1024, 768, "26.00", 11.5f},
                 {"ten", 4, 1280, 720, "2.25", 12},    {"latent", 2, 1024, 768, "1.5", 12},
                 {"flash", 2, 1280, 720, "0.265", 13}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hands *hands =
            open_step(cases[i].lesson, cases[i].step, cases[i].wide, cases[i].high);
        const float letters = letters_of(hands, cases[i].number);
        if (letters < cases[i].least) {
            fail_msg("%s %zu: %s has letters of %g, not %g", cases[i].lesson, cases[i].step,
                     cases[i].number, (double)letters, (double)cases[i].least);
        }
        hands_close(hands);
    }
}

/* Each of ten words stands beside its row of heads, not every third. */
static void every_row_of_heads_has_its_word(void **state)
{
    static const char *const words[] = {"small", "big", "cat", "through", "our", "garden"};
    const struct canvas_command *found[16];
    (void)state;
    struct hands *hands = open_step("ten", 1, 1280, 720);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        assert_int_equal(find_written(hands, words[w], found, 16),
                         3); /* a bar, two lines of heads */
    }
    hands_close(hands);
}

/* The last line of a caption is not one word alone, nor does a line more come of that. */
static void no_word_of_a_caption_stands_alone(void **state)
{
    (void)state;
    struct hands *hands = open_step("cats", 8, 1280, 720);
    assert_int_equal(hands_count(hands, "54.7 %."), 0);
    assert_int_equal(hands_count_part(hands, "54.7 %."), 1);
    hands_close(hands);
    hands = open_step("hammer", 2, 1280, 720);
    assert_int_equal(hands_count(hands, "1."), 0);
    assert_int_equal(hands_count_part(hands, "with a 1."), 1);
    hands_close(hands);
}

/* A long question leaves its heading the letters of the others. */
static void a_long_query_has_a_short_heading(void **state)
{
    (void)state;
    language_speak(language_find("de"));
    struct hands *hands = open_step("library", 4, 1024, 768);
    hands_expect(hands, "Die Zeile von „How do birds fly?“");
    assert_true(letters_of(hands, "Die Zeile von „How do birds fly?“") >= 15);
    hands_close(hands);
    hands = open_step("library", 3, 1024, 768);
    hands_key(hands, "PageDown"); /* what was to be guessed is told */
    hands_settle(hands);
    hands_expect(hands, "— entlang „How do birds fly?“");
    hands_close(hands);
    language_speak(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_cut_before_a_class),
        cmocka_unit_test(names_above_columns_can_be_read_from_the_last_row),
        cmocka_unit_test(heads_that_share_keys_stand_in_one_row),
        cmocka_unit_test(all_tiles_have_one_scale_of_colours),
        cmocka_unit_test(numbers_are_read_from_the_last_row),
        cmocka_unit_test(every_row_of_heads_has_its_word),
        cmocka_unit_test(no_word_of_a_caption_stands_alone),
        cmocka_unit_test(a_long_query_has_a_short_heading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
