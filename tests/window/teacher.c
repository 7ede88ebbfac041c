/* A person who is new and teaches with it: every message stays true, every control that is pressed
 * next stays where it is, and nothing ends without a way on. */
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
#include "app/actions/commands.h"
#include "app/open/lesson.h"
#include "base/translate.h"
#include "lab/lesson/lessons.h"
#include "view/parts/pieces.h"
#include "with_model.h"

static void open_lesson(struct hands *hands, const char *name)
{
    size_t index = 0;
    assert_true(lab_lesson_find(name, &index));
    assert_true(app_lesson_open(hands->state, index, hands->input.time));
    hands_frame(hands);
}

/* To the last step, and once more. */
static void go_beyond_the_end(struct hands *hands)
{
    hands_show_step(hands, hands->state->document.lesson->steps - 1);
    hands->state->view.revealed = true;
    hands_show_settled(hands); /* the text of a step waits for its weights, and the end for it */
    hands_key(hands, "PageDown");
    hands_wait(hands, 0.3);
}

static void the_end_of_a_lesson_leads_on(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    go_beyond_the_end(hands);
    hands_expect(hands, "This is the end of the lesson.");
    hands_expect(hands, "All lessons");
    hands_expect(hands, "Empty experiment");
    hands_key(hands, "PageUp");
    hands_expect_not(hands, "This is the end of the lesson.");
    hands_expect(hands, "8 / 8");
    hands_key(hands, "PageDown");
    hands_key(hands, "PageDown");
    hands_wait(hands, 0.3);
    assert_string_equal(hands->state->document.lesson->name, "race");
    hands_expect(hands, "1 / 7");
    go_beyond_the_end(hands);
    hands_key(hands, "Tab");
    hands_key(hands, "Enter"); /* the menu */
    hands_expect(hands, "It is a great tool");
    hands_key(hands, "Escape");
    hands_key(hands, "Tab");
    hands_key(hands, "Enter");
    assert_int_equal(hands->state->document.lesson->steps, 0);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 0);
    hands_close(hands);
}

/* The way on stands in full wherever a class is taught, and nothing lies over it. */
/* The title of the next lesson is as large as that of any button, or, where a language has longer
 * titles, as large as its room allows; the other way on, an empty experiment, makes room for it and
 * stands in the menu of all lessons. */
static void expect_next_is_read(struct hands *hands, const char *language, size_t lesson)
{
    const float readable = strcmp(language, "de") == 0 ? 11.95f : 15.95f; /* pixels */
    const char *const title = hands->state->view.next_lesson;
    char named[160];
    struct rect text;
    if (title == NULL) {
        hands_expect(hands, tr("Empty experiment"));
        return;
    }
    snprintf(named, sizeof named, tr("Next: %s"), tr(title));
    if (!canvas_find_text(hands_canvas(hands), named, 0, &text) || text.h < readable) {
        fail_msg("%s, %g × %g: “%s” is %g high", lab_lesson_name(lesson),
                 (double)hands->input.width, (double)hands->input.height, named, (double)text.h);
    }
}

static void the_end_has_room(void **state)
{
    static const float rooms[][2] = {{1024, 768}, {1280, 720}, {1440, 900}};
    static const char *const codes[] = {"en", "de", "zh_CN"};
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        for (size_t r = 0; r < 3; r++) {
            for (size_t l = (3 * c + r) % test_stride(); l < lab_lesson_count();
                 l += test_stride()) {
                language_speak(language_find(codes[c]));
                struct hands *hands =
                    hands_open_presenter(lab_lesson_name(l), rooms[r][0], rooms[r][1]);
                if (hands->state->document.experiment.learned != NULL && c + r > 0) {
                    hands_close(hands); /* they train for long: once is enough */
                    continue;
                }
                go_beyond_the_end(hands);
                hands_expect(hands, tr("This is the end of the lesson."));
                hands_expect(hands, tr("All lessons"));
                expect_next_is_read(hands, codes[c], l);
                if (hands_collisions(hands) > 0) {
                    fail_msg("%s in %s, %g × %g", lab_lesson_name(l), codes[c], (double)rooms[r][0],
                             (double)rooms[r][1]);
                }
                hands_close(hands);
            }
        }
    }
    language_speak(NULL);
}

static void every_lesson_but_the_last_has_one_behind_it(void **state)
{
    bool met[64] = {false};
    size_t at = 0, count = 1;
    (void)state;
    assert_true(lab_lesson_find("cats", &at));
    for (met[at] = true; lab_lesson_next(at) < lab_lesson_count(); count++) {
        at = lab_lesson_next(at);
        assert_false(met[at]);
        met[at] = true;
    }
    assert_int_equal(count, lab_lesson_count());
}

/* A comparison belongs to its lesson: B is never a run of another one. */
static void a_comparison_ends_with_its_lesson(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_key(hands, "B");
    hands_expect(hands, "A | B");
    open_lesson(hands, "hammer");
    assert_null(hands->state->document.baseline);
    hands_expect_not(hands, "A | B");
    hands_key(hands, "B");
    hands_expect(hands, "A | B");
    hands_key(hands, "Ctrl+Z"); /* the lesson before */
    hands_expect(hands, "Cats, dogs and a lion");
    hands_expect_not(hands, "A | B");
    hands_close(hands);
}

static void undo_returns_to_what_was_seen(void **state)
{
    (void)state;
    struct hands *hands = hands_on_path(getenv("TINY_MODEL"), "the cat sat");
    hands_key(hands, "5");
    hands_key(hands, "h");
    hands_key(hands, "Down");
    hands_wait(hands, 1);
    const struct lab_selection seen = hands->state->view.pinned;
    assert_int_equal(seen.head, 1);
    open_lesson(hands, "hammer");
    hands_wait(hands, 1);
    assert_int_not_equal(hands->state->view.playback.stage, LAB_SOFTMAX);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    hands_wait(hands, 1);
    assert_int_equal(hands->state->view.playback.stage, LAB_SOFTMAX);
    assert_int_equal(hands->state->view.pinned.head, seen.head);
    assert_int_equal(hands->state->view.pinned.query, seen.query);
    assert_non_null(hands->state->view.head_overview);
    hands_key(hands, "Ctrl+Y"); /* and the lesson where it was */
    hands_wait(hands, 1);
    assert_string_equal(hands->state->document.lesson->name, "hammer");
    hands_close(hands);
}

/* "(0, 5, −1)" is read as one. */
static void a_vector_stands_in_one_line(void **state)
{
    static const char text[] = "Lion blends the values and lands at (0, 5, −1), so it is there.";
    (void)state;
    struct hands *hands = hands_open("cats", 1440, 900);
    const struct canvas *const canvas = hands_canvas(hands);
    for (float width = 100; width < 420; width += 3) {
        hands->state->view.caption = text;
        hands_resize(hands, 960, 600 + width);
        hands->state->view.prefs.presenter = true;
        hands_resize(hands, 300 + width, 700);
        for (size_t i = 0; i < canvas_count(canvas); i++) {
            const struct canvas_command *const command = canvas_command_at(canvas, i);
            if (command->kind != CANVAS_TEXT) {
                continue;
            }
            const char *const words = canvas_text_of(canvas, command);
            const char *const open = memchr(words, '(', command->length);
            if (command->length > 8 && open != NULL && strncmp(open, "(0", 2) == 0 &&
                memchr(words, ')', command->length) == NULL) {
                fail_msg("%.*s", (int)command->length, words);
            }
        }
    }
    hands_close(hands);
}

/* Where no line has room for all of it, a vector, or a word, is divided: nothing of it lies
 * outside, nor under the buttons. */
static void what_has_no_room_in_a_line_is_divided(void **state)
{
    enum { NUMBERS = 120, LETTERS = 300, BUTTONS = 90 };
    char vector[1000] = "It lands at (0", word[LETTERS + 1] = "";
    (void)state;
    for (int i = 1; i < NUMBERS; i++) {
        const size_t length = strlen(vector);
        snprintf(vector + length, sizeof vector - length, i + 1 < NUMBERS ? ", %d" : ", %d).", i);
    }
    memset(word, 'w', LETTERS);
    const char *const captions[] = {vector, word};
    struct hands *hands = hands_open("cats", 1200, 900);
    const struct canvas *const canvas = hands_canvas(hands);
    for (size_t c = 0; c < 2; c++) {
        const char *at = captions[c];
        hands->state->view.caption = captions[c];
        hands_resize(hands, 1200, 900 + (float)c);
        for (size_t i = 0; i < canvas_count(canvas); i++) {
            const struct canvas_command *const command = canvas_command_at(canvas, i);
            const char *const text =
                command->kind == CANVAS_TEXT ? canvas_text_of(canvas, command) : "";
            struct rect place;
            char line[1000];
            at += *at == ' ' ? 1 : 0;
            if (command->kind != CANVAS_TEXT || command->length < 8 ||
                strncmp(at, text, command->length) != 0) {
                continue;
            }
            snprintf(line, sizeof line, "%.*s", (int)command->length, text);
            assert_true(canvas_find_text(canvas, line, 0, &place));
            assert_true(place.w > 0 && place.x + place.w < 1200 - BUTTONS);
            at += command->length;
        }
        assert_string_equal(at, "");
    }
    hands_close(hands);
}

/* Of 0.028 a bar says more than 0.0. */
static void small_operands_keep_their_digits(void **state)
{
    (void)state;
    struct hands *hands = hands_open("cats", 2560, 1440);
    hands_key(hands, "6");
    hands_frame(hands);
    struct rect formula = {0}, area;
    assert_true(canvas_find_group(hands_canvas(hands), "Products", 0, &formula));
    bool found = false;
    for (size_t i = 0; canvas_find_text(hands_canvas(hands), "0.028", i, &area); i++) {
        found = found || rect_has(formula, area.x + area.w / 2, area.y + area.h / 2);
    }
    assert_true(found);
    hands_close(hands);
}

/* Numbers of the lesson are claimed as the lesson's, once somebody typed others. */
static void a_caption_steps_back_when_numbers_were_typed(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("cats", 1280, 720);
    hands_wait(hands, 1);
    const struct canvas *const canvas = hands_canvas(hands);
    const char *const caption = hands->state->view.caption;
    for (int changed = 0; changed < 2; changed++) {
        bool is_faint = false;
        for (size_t i = 0; i < canvas_count(canvas); i++) {
            const struct canvas_command *const command = canvas_command_at(canvas, i);
            if (command->kind == CANVAS_TEXT && command->length > 8 &&
                strncmp(canvas_text_of(canvas, command), caption, 8) == 0) {
                const struct colour muted = hands->state->theme->muted;
                is_faint = memcmp(&command->paint.fill, &muted, sizeof muted) == 0;
            }
        }
        assert_int_equal(is_faint, changed == 1);
        hands_key(hands, "Alt+W");
        hands_wait(hands, 1);
    }
    hands_expect_part(hands, "The caption is about the lesson; changed since: ");
    hands_close(hands);
}

/* Where what can be pressed or read stands, by its name; false: nothing is called so, or two are.
 */
static bool place_of(const struct canvas *canvas, const char *label, struct rect *area)
{
    struct rect other;
    return canvas_find_group(canvas, label, 0, area) &&
           !canvas_find_group(canvas, label, 1, &other);
}

/* A weight is typed: what is pressed next has not moved. */
static void what_is_pressed_next_stays_where_it_is(void **state)
{
    static const float rooms[][2] = {{1024, 768}, {1280, 720}, {1440, 900}};
    static const char *const codes[] = {"en", "de", "zh_CN"};
    enum { LABELS = 512, LETTERS = 64 };
    static char label[LABELS][LETTERS];
    static struct rect before[LABELS];
    (void)state;
    for (size_t round = 0; round < 18; round += test_stride()) {
        const float *const room = rooms[round % 3];
        const bool class = round / 3 % 2 == 1;
        language_speak(language_find(codes[round / 6]));
        struct hands *hands = hands_open("cats", room[0], room[1]);
        if (class) {
            hands_key(hands, "F5");
        }
        for (size_t step = 0; step < hands->state->document.lesson->steps; step++) {
            hands_show_step(hands, step);
            hands->state->view.revealed = true;
            app_command_run(hands->state, "stage", LAB_SOFTMAX, hands->input.time);
            hands_wait(hands, 1);
            const struct canvas *canvas = hands_canvas(hands);
            size_t count = 0;
            for (size_t i = 0; i < canvas_count(canvas) && count < LABELS; i++) {
                const struct canvas_command *const command = canvas_command_at(canvas, i);
                if (command->kind == CANVAS_GROUP && command->length > 0 &&
                    command->length < LETTERS) {
                    memcpy(label[count], canvas_text_of(canvas, command), command->length);
                    label[count][command->length] = 0;
                    count += place_of(canvas, label[count], &before[count]);
                }
            }
            assert_true(count > 8);
            app_state_apply(
                hands->state,
                &(struct view_action){.kind = VIEW_ACTION_EDIT,
                                      .edit = {.cell = {LAB_ALPHA, 0, 1, 0}, .number = 0.9}},
                hands->input.time);
            hands_wait(hands, 1);
            canvas = hands_canvas(hands);
            assert_true(hands->state->view.lesson_changed);
            for (size_t i = 0; i < count; i++) {
                struct rect after;
                const bool in_space = strstr(label[i], " in space") != NULL; /* a number moves it */
                if (!in_space && place_of(canvas, label[i], &after) &&
                    (after.y - before[i].y > 2 || before[i].y - after.y > 2)) {
                    fail_msg("%s, step %zu, %g × %g%s: “%s” was at %g and is at %g",
                             codes[round / 6], step + 1, (double)room[0], (double)room[1],
                             class ? " before a class" : "", label[i], (double)before[i].y,
                             (double)after.y);
                }
            }
            if (hands_collisions(hands) > 0) {
                fail_msg("%s, step %zu, %g × %g", codes[round / 6], step + 1, (double)room[0],
                         (double)room[1]);
            }
        }
        hands_close(hands);
    }
    language_speak(NULL);
}

static void the_latent_is_spelled_out_where_it_is_shown(void **state)
{
    (void)state;
    struct hands *hands = hands_open("latent", 1440, 900);
    hands_show_step(hands, 2);
    hands_key(hands, "2");
    hands_click(hands, "K");
    hands_expect_part(hands, "· W_UK[·, ");
    hands_click(hands, "C");
    hands_wait(hands, 0.3);
    assert_int_equal(hands_count_part(hands, "· W_UK[·, "), 0);
    hands_expect_part(hands, "· W_DKV[·, ");
    hands_expect_part(hands, "every head makes its keys and values");
    const struct lab_matrix c = lab_trace_part(hands->state->document.trace, LAB_C, 0);
    const struct lab_selection at = app_state_selection(hands->state);
    struct lab_selection of = at;
    of.projected = LAB_C;
    struct arena arena = {0};
    const struct lab_terms terms =
        lab_terms(hands->state->document.trace, LAB_PROJECT, &of, &arena);
    double sum = 0;
    for (size_t t = 0; t < terms.count; t++) {
        sum += terms.term[t].product;
    }
    const double value = (double)lab_matrix_at(&c, at.query, at.channel);
    assert_true(terms.count > 1 && sum - value < 1e-4 && value - sum < 1e-4);
    arena_free(&arena);
    hands_close(hands);
}

/* The pointer rests where it turned the pages: no tooltip covers what the last one shows. */
static void the_end_of_a_lesson_brings_no_tooltip_by_itself(void **state)
{
    (void)state;
    struct rect tip;
    struct hands *const hands = hands_open_presenter("cats", 1280, 720);
    go_beyond_the_end(hands);
    hands_wait(hands, 2);
    hands_expect(hands, "This is the end of the lesson.");
    assert_false(canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip));
    hands_key(hands, "Tab");
    hands_key(hands, "Shift+Tab");
    hands_wait(hands, 2);
    assert_true(canvas_find_group(hands_canvas(hands), "tooltip", 0, &tip));
    hands_close(hands);
}

/* After undo the question stands open again, and nothing that is marked answers it. */
static void undo_of_a_step_does_not_give_its_guess_away(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("real-heads", 1440, 900);
    size_t asks = 0;
    while (hands->state->view.guess != LAB_GUESS_WINNER) {
        assert_true(++asks < hands->state->document.lesson->steps);
        hands_show_step(hands, asks);
        hands_show_settled(hands); /* a question whose weights are awaited is not asked yet */
    }
    const struct lab_selection asked = hands->state->view.pinned;
    hands_key(hands, "PageDown"); /* reveals it */
    hands_show_settled(hands);
    assert_int_not_equal(hands->state->view.pinned.key, asked.key);
    hands_key(hands, "PageDown");
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.step, asks + 1);
    hands_key(hands, "Ctrl+Z");
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.step, asks);
    assert_false(hands->state->view.revealed);
    assert_int_equal(hands->state->view.pinned.key, asked.key);
    assert_int_equal(hands->state->view.pinned.query, asked.query);
    hands_close(hands);
}

/* Steps of a lesson that show one experiment at other stages are undone one by one, too. */
static void undo_goes_back_one_step_of_a_lesson(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    const struct document *const document = &hands->state->document;
    assert_true(lab_experiment_equal(&document->lesson->step[0].experiment,
                                     &document->lesson->step[2].experiment));
    hands_key(hands, "PageDown");
    hands_key(hands, "PageDown");
    hands_show_settled(hands);
    assert_int_equal(document->step, 2);
    for (size_t step = 2; step-- > 0;) {
        hands_key(hands, "Ctrl+Z");
        hands_show_settled(hands);
        assert_int_equal(document->step, step);
        assert_int_equal(hands->state->view.playback.stage, document->lesson->step[step].stage);
    }
    hands_key(hands, "Ctrl+Shift+Z");
    hands_show_settled(hands);
    assert_int_equal(document->step, 1);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undo_goes_back_one_step_of_a_lesson),
        cmocka_unit_test(the_end_of_a_lesson_leads_on),
        cmocka_unit_test(the_end_has_room),
        cmocka_unit_test(every_lesson_but_the_last_has_one_behind_it),
        cmocka_unit_test(a_comparison_ends_with_its_lesson),
        cmocka_unit_test(undo_returns_to_what_was_seen),
        cmocka_unit_test(undo_of_a_step_does_not_give_its_guess_away),
        cmocka_unit_test(a_vector_stands_in_one_line),
        cmocka_unit_test(what_has_no_room_in_a_line_is_divided),
        cmocka_unit_test(small_operands_keep_their_digits),
        cmocka_unit_test(a_caption_steps_back_when_numbers_were_typed),
        cmocka_unit_test(what_is_pressed_next_stays_where_it_is),
        cmocka_unit_test(the_latent_is_spelled_out_where_it_is_shown),
        cmocka_unit_test(the_end_of_a_lesson_brings_no_tooltip_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
