/* Room: what stands on the screen can be read in small windows too, and nothing covers it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/commands.h"
#include "app/open/lesson.h"
#include "base/text.h"
#include "base/translate.h"
#include "canvas/draw/canvas.h"
#include "hands.h"
#include "lab/lesson/lessons.h"

static void the_sheet_of_keys_shows_every_line_whole(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "?");
    const struct view_state *const view = &hands->state->view;
    for (size_t i = 0; i < view->key_count; i++) {
        hands_expect(hands, view->key_rows[i].title);
        if (view->key_rows[i].keys != NULL) { /* else it heads a group */
            hands_expect(hands, view->key_rows[i].keys);
        }
    }
    hands_close(hands);
}

/* The group Change began at the foot of one column and went on in the other. */
static void a_group_of_keys_stands_in_one_column(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 1000);
    hands_key(hands, "?");
    const struct view_state *const view = &hands->state->view;
    bool begins = true, group = false;
    for (size_t i = 0; i < view->key_count; i++) {
        const struct view_key_row *const row = &view->key_rows[i];
        const bool is_right = row->keys != NULL && hands_find(hands, row->title, 0).x > 720;
        group = begins ? is_right : group;
        if (row->keys != NULL && is_right != group) {
            fail_msg("%s stands apart from its group", row->title);
        }
        begins = row->keys == NULL;
    }
    hands_close(hands);
}

static void in_a_small_window_the_wheel_brings_the_other_keys(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 960, 600);
    hands_key(hands, "?");
    hands_expect_not(hands, "Close the window");
    for (int i = 0; i < 20; i++) {
        hands_wheel(hands, 480, 300, -1, 0);
    }
    hands_expect(hands, "Close the window");
    hands_expect_not(hands, "Next, previous stage; in presenter mode: step");
    hands_close(hands);
}

static struct rect group_of(struct hands *hands, const char *label)
{
    struct rect area = {0};
    if (!canvas_find_group(hands_canvas(hands), label, 0, &area)) {
        fail_msg("there is no %s", label);
    }
    return area;
}

static void the_status_line_explains_itself_without_covering_the_formula(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 960, 600);
    const float places[] = {60, 900};
    for (size_t i = 0; i < 2; i++) {
        hands_move(hands, -1, -1);
        hands_move(hands, places[i], 588);
        hands_wait(hands, 1);
        const struct rect tip = group_of(hands, "tooltip"), strip = group_of(hands, "Formula");
        if (tip.y < strip.y + strip.h - 3) {
            fail_msg("the tooltip begins at %g, the strip ends at %g", (double)tip.y,
                     (double)(strip.y + strip.h));
        }
        assert_true(tip.x >= 0 && tip.x + tip.w <= 960);
        assert_int_equal(hands_collisions(hands), 0);
    }
    hands_close(hands);
}

static void the_settings_of_all_lessons_fit_under_their_captions(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    for (size_t lesson = 0; lesson < lab_lesson_count(); lesson++) {
        assert_true(app_lesson_open(hands->state, lesson, hands->input.time));
        for (size_t step = 0; step < hands->state->view.steps; step++) {
            app_lesson_go(hands->state, step, hands->input.time);
            hands_frame(hands);
            struct rect bar;
            if (!hands->state->view.prefs.presenter &&
                canvas_find_group(hands_canvas(hands), "scroll bar", 0, &bar) && bar.x < 248) {
                fail_msg("%s, step %zu: the settings scroll", lab_lesson_name(lesson), step + 1);
            }
        }
    }
    hands_close(hands);
}

/* The hand that types number after number finds each where it was. */
static void the_first_typed_number_moves_nothing(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "1");
    hands_wait(hands, 1);
    const struct point before = hands_find(hands, "petness", 0);
    const struct point cell = hands_find(hands, "−2.5", 0);
    hands_click_at(hands, cell.x, cell.y);
    hands_click_at(hands, cell.x, cell.y);
    hands_type(hands, "3");
    hands_key(hands, "Enter");
    hands_expect(hands, "restore all of X");
    const struct point after = hands_find(hands, "petness", 0);
    assert_true(before.x == after.x && before.y == after.y);
    hands_close(hands);
}

/* Narrow columns have their words cut, with the whole one in a tooltip, rather than left out. */
static void every_column_of_the_projections_has_its_word(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "2");
    hands_expect_part(hands, "pet");
    hands_wait(hands, 1);
    size_t words = hands_count(hands, "animalness");
    for (int keep = 3; keep < 10; keep++) {
        char cut[24];
        snprintf(cut, sizeof cut, "%.*s…", keep, "animalness");
        words += hands_count(hands, cut);
    }
    assert_true(words >= 4); /* three above columns, one beside a row; more in space */
    hands_close(hands);
}

/* Undo, Redo and Export are signs there, and say their names. */
static void in_a_small_window_all_words_of_the_race_are_there(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("race", 960, 600);
    const struct lab_words *const words = hands->state->document.experiment.context;
    for (size_t w = 0; w < lab_words_count(words); w++) {
        const struct rect chip = group_of(hands, lab_words_list(words)[w]);
        assert_true(chip.w > 40);
        hands_move(hands, -1, -1);
        hands_move(hands, chip.x + chip.w / 2, chip.y + chip.h / 2);
        assert_int_equal(hands->state->view.hovered.key, w);
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_hover(hands, "Export");
    hands_wait(hands, 1);
    hands_expect_part(hands, "Save a picture");
    hands_close(hands);
}

static void put_random_words(struct hands *hands, const char *const *words, size_t count)
{
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    assert_true(lab_experiment_set_tokens(&next, words, count, NULL));
    next.embedding = LAB_EMBEDDING_RANDOM;
    next.d_model = next.d_k = next.d_v = 8;
    document_change(&hands->state->document, &next, "random words", hands->input.time);
    lab_experiment_release(&next);
    hands_frame(hands);
}

/* Q, Kᵀ and S are of one size: a little less room between them lets all three show numbers. */
static void matrices_of_one_size_all_show_their_numbers(void **state)
{
    (void)state;
    static const char *const words[] = {"a", "b", "c", "d", "e", "f", "neighbour", "h"};
    struct hands *const hands = hands_open("cats", 1440, 900);
    put_random_words(hands, words, 8);
    hands_key(hands, "3");
    hands_wait(hands, 1);
    const struct lab_matrix q = lab_trace_part(hands->state->document.trace, LAB_Q, 0);
    char number[TEXT_NUMBER_MAX];
    text_number(number, (double)lab_matrix_at(&q, 0, 3), 1);
    assert_true(hands_count(hands, number) >= 2); /* in Q, and in Kᵀ, which is the same here */
    hands_close(hands);
}

/* Without the maximum subtracted e to a large score is ∞, and the division no number. */
static void what_overflows_is_seen_for_every_key(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    next.temperature = 0.01F;
    next.keep_maximum = true;
    document_change(&hands->state->document, &next, "overflow", hands->input.time);
    lab_experiment_release(&next);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect(hands,
                 "e to such scores does not fit into a 32-bit number, it is ∞ or 0: subtract "
                 "the row’s maximum first.");
    hands_key(hands, "Escape");
    assert_int_equal(hands_count(hands, "∞"), 4); /* a bar for every key */
    hands_expect(hands, "sum ∞");
    hands_expect(hands, "sum n/a");
    hands_expect_not(hands, "0.00"); /* no entropy is made up */
    hands_close(hands);
}

/* A sum of seven is not told by one of its terms, and no sentence is cut while there is room for it
 * below the bars. */
static void the_strip_tells_as_much_as_it_has_room_for(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "Ctrl+R");
    hands_key(hands, "2");
    hands_expect(hands, "One neuron: 3 weights say how much each number of the word counts for "
                        "what it looks for.");
    hands_key(hands, "Ctrl+Z");
    hands_click(hands, "type a token…");
    hands_type(hands, "the bird sees ");
    hands_key(hands, "Escape");
    hands_move(hands, -1, -1);
    hands_key(hands, "6");
    hands_wait(hands, 1);
    hands_expect_part(hands, "4 other terms");
    const struct rect bars = group_of(hands, "Products");
    const struct point end = hands_find(hands, "−2.340", 0);
    assert_true(bars.w > 40 && bars.x > end.x);
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* Numbers with a sign ran together: −2.060−1.382. */
static void numbers_of_products_stand_apart(void **state)
{
    (void)state;
    static const char *const rows[][4] = {{"−0.384", "0.129", "−0.670", "1.035"},
                                          {"−0.187", "−0.266", "−2.060", "−1.382"}};
    struct hands *const hands = hands_open_presenter("fewer", 1280, 720);
    hands_show_step(hands, 1);
    hands->state->view.pinned.head = 6;
    hands->state->view.pinned.key = 3;
    hands_key(hands, "3");
    hands_wait(hands, 4);
    const struct canvas *const canvas = hands_canvas(hands);
    const struct rect bars = group_of(hands, "Products");
    for (size_t r = 0; r < 2; r++) {
        float end = 0, letter = 0;
        for (size_t i = 0; i < 4; i++) {
            struct rect place = {0};
            for (size_t n = 0; place.x < bars.x; n++) {
                assert_true(canvas_find_text(canvas, rows[r][i], n, &place));
            }
            letter = place.w / (rows[r][i][0] == '0' || rows[r][i][0] == '1' ? 5 : 6);
            assert_true(place.x - end >= letter);
            end = place.x + place.w;
        }
    }
    hands_close(hands);
}

/* “the” is no part of the sentence that speaks of it, nor a whole question; dog needs no marks. */
static void a_word_that_a_sentence_would_swallow_is_marked(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("race", 1440, 900);
    hands_key(hands, "5");
    hands_key(hands, "Escape");
    hands_click(hands, "Who stumbled?");
    hands_expect(hands, "What “Who stumbled?” makes of every key");
    hands_expect(hands, "— where “Who stumbled?” looks");
    hands_key(hands, "Escape");
    hands_move(hands, -1, -1);
    assert_true(app_lesson_open(hands->state, 0, hands->input.time));
    hands_key(hands, "5");
    hands_frame(hands);
    hands_expect(hands, "What “dog” makes of every key");
    hands_click(hands, "type a token…");
    hands_type(hands, "the ");
    hands_key(hands, "Escape");
    hands_click(hands, "the");
    hands_key(hands, "5");
    hands_expect(hands, "What “the” makes of every key");
    hands_expect(hands, "“the” gives 18.4 % of its attention to “cat”, most to “NYC” (24.5 %).");
    hands_close(hands);
}

static void turn_latent(struct lab_experiment *experiment)
{
    experiment->kind = LAB_LATENT;
    experiment->latent = 2;
}

static void turn_rope(struct lab_experiment *experiment)
{
    experiment->positions = LAB_POSITIONS_ROPE;
}

static void in_a_small_window_the_whole_flow_can_be_read(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 960, 600);
    hands_key(hands, "o");
    static const char *const titles[] = {"W_Q", "W_K", "W_V", "W_O"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        hands_expect(hands, titles[i]);
        struct rect cells;
        const struct point title = hands_find(hands, titles[i], 0);
        for (size_t other = 0; other < sizeof titles / sizeof *titles; other++) {
            assert_true(canvas_find_group(hands_canvas(hands), titles[other], 0, &cells));
            assert_false(rect_has(cells, title.x, title.y));
        }
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_key(hands, "o");
    hands_key(hands, "k");
    hands_expect(hands, "K = X·W_K, V = X·W_V once for all heads");
    hands_close(hands);
}

/* Says whether a cut text is a word of the experiment, which may be of any length. */
static bool is_own_word(const struct hands *hands, const char *text, size_t length)
{
    const struct lab_experiment *const experiment = &hands->state->document.experiment;
    const struct lab_words *const all[] = {experiment->tokens, experiment->context};
    const char *const speaks = language_current()->english;
    if (!fonts_speak(hands->fonts, language_current()) && strncmp(text, speaks, length) == 0) {
        return true; /* a machine without its letters says which package has them */
    }
    const char *const bracket = memchr(text, '(', length); /* "q(word)" in space */
    if (bracket != NULL && bracket - text < 3) {
        length -= (size_t)(bracket + 1 - text);
        text = bracket + 1;
    }
    for (size_t a = 0; a < 2; a++) {
        for (size_t w = 0; w < lab_words_count(all[a]); w++) {
            if (strncmp(lab_words_list(all[a])[w], text, length) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Texts below the top bar that end in "…", but those that leave out numbers: how many. */
static size_t cut_texts(struct hands *hands, const char *where)
{
    static const char mark[] = "…";
    const float top_bar = 60;
    const struct canvas *const canvas = hands_canvas(hands);
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const size_t length = command->length, tail = sizeof mark - 1;
        const char *const text = canvas_text_of(canvas, command);
        if (command->kind == CANVAS_TEXT && command->rect.y > top_bar && length > tail &&
            memcmp(text + length - tail, mark, tail) == 0 && text[length - tail - 1] != ' ' &&
            !is_own_word(hands, text, length - tail)) {
            fprintf(stderr, "%s: \"%.*s\" is cut\n", where, (int)length, text);
            count++;
        }
    }
    return count;
}

static void nothing_that_explains_is_cut_at_the_usual_size(void **state)
{
    static const char *const languages[] = {"en", "de", "zh_CN"};
    size_t count = 0;
    (void)state;
    for (size_t l = 0; l < sizeof languages / sizeof *languages; l++) {
        struct hands *const hands = hands_open("cats", 1440, 900);
        language_speak(language_find(languages[l]));
        for (size_t lesson = 0; lesson < lab_lesson_count(); lesson++) {
            assert_true(app_lesson_open(hands->state, lesson, hands->input.time));
            for (size_t step = 0; step < hands->state->view.steps; step++) {
                char where[80];
                app_lesson_go(hands->state, step, hands->input.time);
                hands_frame(hands);
                snprintf(where, sizeof where, "%s %s %zu", languages[l], lab_lesson_name(lesson),
                         step + 1);
                count += cut_texts(hands, where);
            }
        }
        assert_true(app_lesson_open(hands->state, 0, hands->input.time)); /* cats, all its stages */
        for (int stage = LAB_EMBED; stage < LAB_STAGES; stage++) {
            char where[80];
            app_state_go(hands->state, (enum lab_stage)stage, hands->input.time);
            hands_wait(hands, 1);
            snprintf(where, sizeof where, "%s stage %d", languages[l], stage + 1);
            count += cut_texts(hands, where);
        }
        language_speak(NULL);
        hands_close(hands);
    }
    assert_int_equal(count, 0);
}

/* Where names do not all fit beside their numbers they stand below them; where they do not fit
 * there either, the longest one stays away instead of half of them. */
static void a_narrow_ribbon_leaves_out_the_longest_name_alone(void **state)
{
    static const char *const named[] = {"Einbetten", "Projizieren", "Score",
                                        "Softmax",   "Mischen",     "Ausgabe"};
    (void)state;
    struct hands *hands = hands_open("cats", 900, 700);
    language_speak(language_find("de"));
    hands_key(hands, "F5");
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect(hands, "Skalierung · Maske");
    hands_close(hands);
    hands = hands_open("reverse", 760, 700); /* two stages more, and four buttons beside them */
    hands_key(hands, "5");
    hands_wait(hands, 1);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        hands_expect(hands, named[i]);
    }
    hands_expect_not(hands, "Skalierung · Maske");
    language_speak(NULL);
    hands_close(hands);
}

/* Heads of arrows from the first weights to the last: small triangles that are filled. */
static size_t count_arrows(struct hands *hands)
{
    const float left = hands_find(hands, "W_Q", 0).x - 70;
    const float right = hands_find(hands, "W_O", 0).x + 30;
    const float top = hands_find(hands, "The whole flow", 0).y;
    const float bottom = hands_find(hands, "V", 0).y;
    const struct canvas *const canvas = hands_canvas(hands);
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        count += command->kind == CANVAS_PATH && command->closed && command->length == 3 &&
                         command->rect.w <= 7 && command->rect.h <= 7 && command->rect.x < right &&
                         command->rect.x > left && command->rect.y > top && command->rect.y < bottom
                     ? 1
                     : 0;
    }
    return count;
}

/* Where tiles stand close together the arrows between them were left out; the scores without scale
 * were called S like those before. */
static void in_a_small_window_every_arrow_of_the_flow_is_there(void **state)
{
    (void)state;
    static const float sizes[][2] = {{1440, 900}, {960, 600}};
    static void (*const turns[])(struct lab_experiment *) = {turn_latent, turn_rope};
    enum { EDGES = 16 }; /* of either flow */
    for (size_t t = 0; t < 2; t++) {
        size_t arrows[2];
        for (size_t s = 0; s < 2; s++) {
            struct hands *const hands = hands_open("cats", sizes[s][0], sizes[s][1]);
            struct lab_experiment next;
            lab_experiment_copy(&next, &hands->state->document.experiment);
            next.scale = false;
            turns[t](&next);
            document_change(&hands->state->document, &next, "other", 0);
            lab_experiment_release(&next);
            hands_key(hands, "o");
            arrows[s] = count_arrows(hands);
            hands_expect(hands, "S");
            hands_expect(hands, "S′ = S");
            assert_int_equal(hands_count(hands, "S"), 1);
            hands_close(hands);
        }
        assert_true(arrows[0] >= EDGES);
        assert_true(arrows[1] >= EDGES);
    }
}

/* The tabs said A | B, and below them stood the flow of A alone. */
static void the_flow_of_both_sides_is_shown_and_named(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_key(hands, "b");
    app_command_run(hands->state, "residual", 0, hands->input.time);
    hands_key(hands, "o");
    hands_expect(hands, "A, now");
    hands_expect(hands, "B, kept");
    hands_expect(hands, "with the residual");
    assert_int_equal(hands_count(hands, "W_Q"), 2);
    const size_t sums = hands_count(hands, "X + O"); /* A has it, and the settings; B has not */
    assert_int_equal(hands_collisions(hands), 0);
    hands_click(hands, "Now");
    hands_expect_not(hands, "B, kept");
    assert_int_equal(hands_count(hands, "W_Q"), 1);
    assert_int_equal(hands_count(hands, "X + O"), sums);
    hands_click(hands, "A − B");
    hands_expect_not(hands, "The whole flow"); /* a difference is of one stage */
    hands_key(hands, "o");
    hands_expect_part(hands, "A − B is of one matrix");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sheet_of_keys_shows_every_line_whole),
        cmocka_unit_test(in_a_small_window_the_wheel_brings_the_other_keys),
        cmocka_unit_test(the_status_line_explains_itself_without_covering_the_formula),
        cmocka_unit_test(the_settings_of_all_lessons_fit_under_their_captions),
        cmocka_unit_test(the_first_typed_number_moves_nothing),
        cmocka_unit_test(every_column_of_the_projections_has_its_word),
        cmocka_unit_test(in_a_small_window_all_words_of_the_race_are_there),
        cmocka_unit_test(matrices_of_one_size_all_show_their_numbers),
        cmocka_unit_test(what_overflows_is_seen_for_every_key),
        cmocka_unit_test(the_strip_tells_as_much_as_it_has_room_for),
        cmocka_unit_test(numbers_of_products_stand_apart),
        cmocka_unit_test(a_word_that_a_sentence_would_swallow_is_marked),
        cmocka_unit_test(in_a_small_window_the_whole_flow_can_be_read),
        cmocka_unit_test(nothing_that_explains_is_cut_at_the_usual_size),
        cmocka_unit_test(in_a_small_window_every_arrow_of_the_flow_is_there),
        cmocka_unit_test(the_flow_of_both_sides_is_shown_and_named),
        cmocka_unit_test(a_group_of_keys_stands_in_one_column),
        cmocka_unit_test(a_narrow_ribbon_leaves_out_the_longest_name_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
