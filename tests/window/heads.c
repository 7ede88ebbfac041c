/* The heads beside the stage: what the stage makes of each of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "base/text.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/experiment/edits.h"

/* The upper left cell of a head's picture, or near it. */
static void hover_cells(struct hands *hands, const char *head)
{
    const struct point name = hands_find(hands, head, 0);
    hands_move(hands, name.x, name.y); /* a pointer that was there already brings no tip */
    hands_move(hands, name.x, name.y - 60);
    hands_wait(hands, 1);
}

static void cells_say(struct hands *hands, enum lab_part part, const char *formula)
{
    hover_cells(hands, "head 6");
    hands_expect_part(hands, formula);
    const struct lab_selection at = app_state_selection(hands->state);
    const struct lab_matrix matrix = lab_trace_part(hands->state->document.trace, part, 5);
    const size_t row = part == LAB_K || part == LAB_V ? at.key : at.query;
    const size_t column = part == LAB_SCORES || part == LAB_ALPHA ? at.key : at.channel;
    char number[TEXT_NUMBER_MAX];
    text_number(number, (double)lab_matrix_at(&matrix, row, column), 4);
    hands_expect(hands, number);
    assert_int_equal(at.head, 5);
}

static void heads_show_what_the_stage_makes_of_each(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("ten", 1440, 900);
    hands_key(hands, "2");
    hands_expect(hands, "Heads — 8, queries Q");
    cells_say(hands, LAB_Q, "Head 6, Q = X·W_Q");
    hands_click(hands, "V");
    hands_expect(hands, "Heads — 8, values V");
    cells_say(hands, LAB_V, "Head 6, V = X·W_V");
    hands_key(hands, "3");
    hands_expect(hands, "Heads — 8, scores S");
    cells_say(hands, LAB_SCORES, "Head 6, S = QKᵀ");
    hands_key(hands, "4");
    hands_expect(hands, "Heads — 8, scores, scaled");
    hover_cells(hands, "head 6");
    const struct lab_selection at = app_state_selection(hands->state);
    char number[TEXT_NUMBER_MAX];
    const float scaled = lab_trace_scaled(hands->state->document.trace, 5, at.query, at.key);
    text_number(number, (double)scaled, 4);
    hands_expect(hands, number);
    hands_key(hands, "5");
    hands_expect(hands, "Heads — 8, weights α");
    cells_say(hands, LAB_ALPHA, "Head 6, α");
    hands_close(hands);
}

/* Cells that are not computed yet have no number to tell. */
static void heads_fill_with_the_stage(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("ten", 1440, 900);
    hands_key(hands, "3");
    app_state_scrub(hands->state, (double)LAB_SCORE + 0.1, hands->input.time);
    hover_cells(hands, "head 6");
    const struct lab_matrix scores = lab_trace_part(hands->state->document.trace, LAB_SCORES, 5);
    const struct lab_selection *const at = &hands->state->view.hovered;
    char number[TEXT_NUMBER_MAX];
    text_number(number, (double)lab_matrix_at(&scores, at->query, at->key), 4);
    hands_expect_part(hands, "Head 6, S");
    hands_expect_not(hands, number);
    hands_close(hands);
}

/* Lines of several heads from one word to another run side by side: no two have the same ends. */
static void no_head_covers_the_line_of_another(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("ten", 1440, 900);
    hands_key(hands, "5");
    hands_key(hands, "L");
    hands_wait(hands, 1);
    assert_true(hands->state->view.prefs.display.lines);
    const struct canvas *const canvas = hands_canvas(hands);
    const struct point *ends[2000];
    size_t lines = 0;
    for (size_t i = 0; i < canvas_count(canvas) && lines < 2000; i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_PATH && command->length == 2 && command->rect.w > 150) {
            ends[lines++] = canvas_points_of(canvas, command);
        }
    }
    assert_true(lines > 60); /* ten words, and eight heads of one of them */
    for (size_t i = 0; i < lines; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_false(ends[i][0].x == ends[j][0].x && ends[i][0].y == ends[j][0].y &&
                         ends[i][1].x == ends[j][1].x && ends[i][1].y == ends[j][1].y);
        }
    }
    hands_close(hands);
}

/* At Project with wide random weights, and a number typed into them: at once, or after they have
 * been looked at without it. */
static uint64_t picture_of_wide_weights(bool looked_at_before)
{
    struct hands *const hands = hands_open("ten", 1440, 900);
    const struct lab_edit typed = {LAB_W_Q, 0, 100, 20, 9, false};
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    next.d_model = 256;
    next.d_k = next.d_v = 32;
    hands_key(hands, "2");
    hands->state->view.isa_note = ""; /* no time of the run */
    if (looked_at_before) {
        document_change(&hands->state->document, &next, NULL, 0);
    }
    hands_wait(hands, 1);
    assert_true(lab_experiment_edit(&next, &typed, NULL));
    document_change(&hands->state->document, &next, NULL, 0);
    hands_wait(hands, 1);
    const uint64_t picture = canvas_hash(hands_canvas(hands));
    lab_experiment_release(&next);
    hands_close(hands);
    return picture;
}

/* Pooled pictures of weights stay from trace to trace where weights are shared, and only there. */
static void a_number_typed_into_wide_weights_is_seen(void **state)
{
    (void)state;
    assert_true(picture_of_wide_weights(true) == picture_of_wide_weights(false));
}

/* Eight heads side by side: what their colours say, and whose rows they are. */
static void several_heads_have_their_words_and_the_numbers_of_their_colours(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("fewer", 1440, 1000);
    struct rect panel = {0}, word = {0};
    for (size_t i = 0; i < 2; i++) {
        app_state_go(hands->state, i == 0 ? LAB_PROJECT : LAB_SOFTMAX, hands->input.time);
        hands_wait(hands, 1);
        assert_true(canvas_find_group(hands_canvas(hands), "Heads", 1, &panel) ||
                    canvas_find_group(hands_canvas(hands), "Heads", 0, &panel));
        size_t words = 0;
        for (size_t w = 0; canvas_find_text(hands_canvas(hands), "mat", w, &word); w++) {
            words += rect_has(panel, word.x + 1, word.y + 1);
        }
        assert_true(words >= 2); /* beside each line of tiles */
    }
    hands_expect(hands, "0.8");
    hands_expect(hands, "1.0");
    hands_close(hands);
}

/* Eight words: the row step by step, and below it all of α. */
static void at_softmax_the_weights_stand_below_the_row_while_there_is_room(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("root", 1440, 900);
    hands_key(hands, "c");
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect(hands, "share");
    hands_expect(hands, "row sum");
    hands_expect_not(hands, "All of α");
    hands_close(hands);
}

/* Ten words of eight heads under a caption too: numbers, words and sums of the chosen head. */
static void a_caption_hides_no_weights_of_the_chosen_head(void **state)
{
    static const char *const words[] = {"small", "chases", "through", "garden"};
    (void)state;
    struct hands *const hands = hands_open("ten", 1440, 900);
    hands_wait(hands, 1);
    hands_expect_part(hands, "each head has a pattern of its own");
    hands_expect(hands, "share");
    hands_expect(hands, "row sum");
    hands_expect(hands, "0.452"); /* of “garden” to “small” */
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        assert_true(hands_count(hands, words[w]) >= 4); /* chip, bar, row, column */
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* The bars beside the weights of one head are named, unless a guess would be told. */
static void the_sums_beside_a_head_are_named(void **state)
{
    (void)state;
    for (size_t l = 0; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        struct hands *const hands = hands_open("cats", 1440, 900);
        struct rect head, name;
        assert_int_equal(hands->state->view.playback.stage, LAB_SCORE);
        assert_true(canvas_find_group(hands_canvas(hands), tr("Heads"), 0, &head));
        assert_true(canvas_find_text(hands_canvas(hands), tr("row sum"), 0, &name));
        assert_true(name.x > head.x && name.y > head.y);
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
    language_speak(NULL);
}

/* Straight lines in the colour of keys that go over several heads; with feet: their ends. */
static size_t count_brackets(struct hands *hands, bool feet)
{
    const struct canvas *const canvas = hands_canvas(hands);
    const struct colour key = hands->state->theme->key;
    struct rect panel = {0};
    size_t brackets = 0;
    assert_true(canvas_find_group(canvas, "Heads", 0, &panel));
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const struct rect at = command->rect;
        const bool inside = at.x >= panel.x && at.y >= panel.y && at.y < panel.y + panel.h;
        const bool fits = feet ? at.w < 4 && at.h > 4 && at.h < 9 : at.w > panel.w / 3 && at.h < 4;
        brackets += command->kind == CANVAS_PATH && inside && fits &&
                            memcmp(&command->paint.stroke, &key, sizeof key) == 0
                        ? 1
                        : 0;
    }
    return brackets;
}

/* Dots in the colour of keys, which lead on to the left of the first head of a line, or to the
 * right of the last one. */
static size_t count_leads(struct hands *hands)
{
    const struct canvas *const canvas = hands_canvas(hands);
    const struct colour key = hands->state->theme->key;
    size_t leads = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const bool dots = command->kind == CANVAS_PATH && command->paint.dash > 0;
        leads += dots && command->rect.w > 8 && command->rect.h < 4 &&
                         memcmp(&command->paint.stroke, &key, sizeof key) == 0
                     ? 1
                     : 0;
    }
    return leads;
}

/* How often the word stands beside the heads, never too small for a class. */
static size_t count_readable(struct hands *hands, const char *text)
{
    struct rect panel, word;
    size_t words = 0;
    assert_true(canvas_find_group(hands_canvas(hands), "Heads", 0, &panel));
    for (size_t n = 0; canvas_find_text(hands_canvas(hands), text, n, &word); n++) {
        if (word.x >= panel.x && word.y < panel.y + panel.h) {
            assert_true(word.h >= 11);
            words++;
        }
    }
    return words;
}

/* Before a class the words beside small heads are read, and heads that share keys are told. */
static void heads_that_share_keys_stand_under_a_bracket(void **state)
{
    (void)state;
    static const float rooms[][2] = {{1024, 768}, {1280, 720}, {1440, 900}};
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        struct hands *hands = hands_open("fewer", rooms[r][0], rooms[r][1]);
        hands_key(hands, "F5");
        hands_show_step(hands, 4);
        hands_key(hands, "PageDown"); /* what was to be guessed is told */
        assert_true(count_readable(hands, "warm") > 0);
        assert_true(count_brackets(hands, false) > 0);
        hands_show_step(hands, 3); /* all share one: also where they stand on two lines */
        assert_true(count_brackets(hands, false) > 0);
        assert_int_equal(count_brackets(hands, true), 2);
        assert_int_equal(count_leads(hands), 2 * (count_brackets(hands, false) - 1));
        hands_show_step(hands, 1); /* two and two: no pair is parted, two lines of four */
        assert_int_equal(count_readable(hands, "warm"), 2);
        assert_int_equal(count_leads(hands), 0);
        hands_show_step(hands, 0); /* each has its own */
        assert_int_equal(count_brackets(hands, false), 0);
        hands_close(hands);
    }
}

static struct colour fill_above(struct hands *hands, const char *head)
{
    const struct point name = hands_find(hands, head, 0);
    return hands_fill_at(hands, (struct point){name.x + 13, name.y - 157});
}

static bool is_grey(struct colour colour)
{
    return abs(colour.red - colour.blue) < 6 && abs(colour.red - colour.green) < 6;
}

/* Heads 5 and 6 have the same value: pointing at it in one shows it in both. */
static void who_shares_a_value_shines_with_it(void **state)
{
    (void)state;
    struct hands *hands = hands_open_presenter("fewer", 1920, 1080);
    hands_show_step(hands, 1);
    const struct point name = hands_find(hands, "head 5", 0);
    hands_move(hands, name.x + 13, name.y - 157);
    hands_frame(hands);
    assert_false(is_grey(fill_above(hands, "head 5")));
    assert_false(is_grey(fill_above(hands, "head 6")));
    assert_true(is_grey(fill_above(hands, "head 7")));
    hands_show_step(hands, 2); /* queries: each head has its own */
    hands_move(hands, name.x + 14, name.y - 157);
    hands_frame(hands);
    assert_true(is_grey(fill_above(hands, "head 6")));
    hands_close(hands);
}

/* How many texts of the panel of heads read so. */
static size_t names_among_heads(struct hands *hands, const char *word)
{
    const struct canvas *const canvas = hands_canvas(hands);
    struct rect panel = {0};
    size_t count = 0;
    assert_true(canvas_find_group(canvas, "Heads", 0, &panel));
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        count += command->kind == CANVAS_TEXT && command->length == strlen(word) &&
                 memcmp(canvas_text_of(canvas, command), word, command->length) == 0 &&
                 rect_has(panel, command->rect.x + command->rect.w / 2, command->rect.y);
    }
    return count;
}

/* Two lines of tiles whose rows are low; in a low window lower than letters. */
static void each_row_of_a_head_has_its_word_or_none_has(void **state)
{
    (void)state;
    static const char *const words[] = {"the", "cat", "sat", "on", "warm", "mat"};
    struct hands *const hands = hands_open("fewer", 1440, 1000);
    for (size_t low = 0; low < 2; low++) {
        hands_show_step(hands, 4);
        hands_key(hands, "PageDown"); /* what was to be guessed is told */
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            assert_int_equal(names_among_heads(hands, words[i]), low ? 0 : i == 0 ? 4 : 2);
        }
        assert_int_equal(hands_collisions(hands), 0);
        hands_resize(hands, 1440, 900);
    }
    hands_close(hands);
}

/* Nine rows of one head under a caption: each is named, as each column is. */
static void each_row_of_the_only_head_has_its_word(void **state)
{
    (void)state;
    static const char *const words[] = {"Peter", "bought", "hammer", "It", "is", "great", "tool"};
    struct hands *const hands = hands_open("hammer", 1440, 900);
    for (size_t step = 0; step < 4; step++) { /* the fifth asks about a row */
        hands_show_step(hands, step);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            assert_int_equal(names_among_heads(hands, words[i]), 2);
        }
    }
    hands_close(hands);
}

/* The caption speaks of key and value: both are seen of each head, where no tabs choose. */
static void keys_and_values_stand_beside_each_other(void **state)
{
    (void)state;
    static const float rooms[][2] = {{1280, 720}, {1024, 768}};
    for (size_t r = 0; r < 2; r++) {
        struct hands *const hands = hands_open_presenter("fewer", rooms[r][0], rooms[r][1]);
        hands_show_step(hands, 1);
        hands_expect(hands, "Heads — 8, keys K, values V");
        assert_int_equal(names_among_heads(hands, "K"), names_among_heads(hands, "V"));
        const struct point keys = hands_find(hands, "K", 0), values = hands_find(hands, "V", 0);
        hands_click_at(hands, values.x, values.y + 60);
        hands_frame(hands);
        assert_int_equal(app_state_selection(hands->state).projected, LAB_V);
        hands_expect(hands, "Heads — 8, keys K, values V");
        hands_click_at(hands, keys.x, keys.y + 60);
        hands_frame(hands);
        assert_int_equal(app_state_selection(hands->state).projected, LAB_K);
        assert_int_equal(hands_collisions(hands), 0);
        hands_show_step(hands, 2); /* queries */
        hands_expect(hands, "Heads — 8, queries Q");
        hands_close(hands);
    }
}

/* In a small window the bar of colours gives way before the numbers do. */
static void numbers_of_heads_come_before_their_bar(void **state)
{
    (void)state;
    static const char session[] =
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"two\", \"title\": \"Two\","
        " \"summary\": \"Two heads.\", \"experiment\": {\"tokens\": [\"the\", \"cat\", \"saw\","
        " \"a\", \"big\", \"dog\"], \"embedding\": \"random\", \"weights\": \"random\","
        " \"d_model\": 16, \"heads\": 2}, \"steps\": [{\"caption\": \"Two heads.\","
        " \"stage\": \"softmax\", \"query\": 1, \"key\": 2}]}";
    struct hands *const hands = hands_open("cats", 960, 600);
    char path[1024];
    snprintf(path, sizeof path, "%s/two.json", hands->folder);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(session, file) >= 0 && fclose(file) == 0);
    hands_drop(hands, path);
    hands_settle(hands);
    hands_click(hands, "Heads");
    hands_wait(hands, 1);
    const struct lab_trace *const trace = hands->state->document.trace;
    for (size_t head = 0; head < 2; head++) {
        char label[16], text[TEXT_NUMBER_MAX];
        snprintf(label, sizeof label, "head %zu", head + 1);
        struct rect tile, word;
        assert_true(canvas_find_group(hands_canvas(hands), label, 0, &tile));
        const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, head);
        for (size_t cell = 0; cell < alpha.rows * alpha.cols; cell++) {
            const float share = lab_matrix_at(&alpha, cell / alpha.cols, cell % alpha.cols);
            bool found = false;
            text_number(text, (double)share, 1);
            for (size_t w = 0; canvas_find_text(hands_canvas(hands), text, w, &word); w++) {
                const struct point at = {
                    tile.x + ((float)(cell % alpha.cols) + 0.5f) * tile.w / (float)alpha.cols,
                    tile.y + ((float)(cell / alpha.cols) + 0.5f) * tile.h / (float)alpha.rows};
                found |= rect_has(word, at.x, at.y);
            }
            assert_true(found);
        }
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_heads_have_their_words_and_the_numbers_of_their_colours),
        cmocka_unit_test(at_softmax_the_weights_stand_below_the_row_while_there_is_room),
        cmocka_unit_test(a_caption_hides_no_weights_of_the_chosen_head),
        cmocka_unit_test(heads_show_what_the_stage_makes_of_each),
        cmocka_unit_test(heads_fill_with_the_stage),
        cmocka_unit_test(no_head_covers_the_line_of_another),
        cmocka_unit_test(the_sums_beside_a_head_are_named),
        cmocka_unit_test(heads_that_share_keys_stand_under_a_bracket),
        cmocka_unit_test(who_shares_a_value_shines_with_it),
        cmocka_unit_test(each_row_of_a_head_has_its_word_or_none_has),
        cmocka_unit_test(each_row_of_the_only_head_has_its_word),
        cmocka_unit_test(keys_and_values_stand_beside_each_other),
        cmocka_unit_test(a_number_typed_into_wide_weights_is_seen),
        cmocka_unit_test(numbers_of_heads_come_before_their_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
