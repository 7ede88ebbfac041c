/* Pictures for a class: numbers stay where an operand is tall, leave a margin in their cells, and
 * few of them fill their panel; every axis, stage and sum has its name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/learn/learn.h"
#include "base/translate.h"
#include "canvas/types/colour.h"
#include "hands.h"
#include "view/parts/pieces.h"

static const float rooms[][2] = {{1024, 768}, {1280, 720}};
enum { ROOMS = sizeof rooms / sizeof *rooms };

/* A step (from 1) of a lesson before a class. */
static struct hands *step_of(const char *lesson, size_t step, const float room[2])
{
    struct hands *hands = hands_open(lesson, room[0], room[1]);
    hands_key(hands, "F5");
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = step - 1},
                    hands->input.time);
    if (hands->state->learn != NULL) {
        hands_settle(hands);
    }
    hands_wait(hands, 1);
    return hands;
}

/* The largest group of that name: a button may be called so too. */
static struct rect group_of(struct hands *hands, const char *label)
{
    struct rect largest = {0}, area;
    for (size_t i = 0; canvas_find_group(hands_canvas(hands), label, i, &area); i++) {
        largest = area.w * area.h > largest.w * largest.h ? area : largest;
    }
    if (largest.w <= 0) {
        fail_msg("nothing is called “%s”", label);
    }
    return largest;
}

/* Digits, with a sign and a point perhaps. */
static bool is_number(const char *text, size_t length)
{
    static const char minus[] = "−";
    const size_t sign =
        length >= strlen(minus) && memcmp(text, minus, strlen(minus)) == 0 ? strlen(minus) : 0;
    size_t digits = 0;
    for (size_t i = sign; i < length; i++) {
        digits += text[i] >= '0' && text[i] <= '9';
        if (text[i] != '.' && (text[i] < '0' || text[i] > '9')) {
            return false;
        }
    }
    return digits > 0;
}

/* How many numbers stand in an area, and how wide and how high the widest is. */
static size_t numbers_in(struct hands *hands, struct rect area, float *wide, float *size)
{
    const struct canvas *const canvas = hands_canvas(hands);
    size_t count = 0;
    *wide = *size = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_TEXT &&
            is_number(canvas_text_of(canvas, command), command->length) &&
            rect_has(area, command->rect.x + command->rect.w / 2, command->rect.y)) {
            count++;
            if (command->rect.w > *wide) {
                *wide = command->rect.w;
                *size = command->rect.h;
            }
        }
    }
    return count;
}

/* Each number of a matrix is there, in letters of 11 pixels and more, and has air in its cell. */
static void expect_numbers(struct hands *hands, const char *label, size_t rows, size_t columns)
{
    const float least = 11, fullest = 0.88f;
    const struct rect area = group_of(hands, label);
    float wide = 0, size = 0;
    const size_t count = numbers_in(hands, area, &wide, &size);
    const float cell = area.w / (float)columns;
    if (count < rows * columns || size < least || wide > fullest * cell) {
        fail_msg("%s, step %zu, %g × %g: %zu numbers in %s, %g of %g wide, %g high",
                 hands->state->document.lesson->name, hands->state->view.step + 1,
                 (double)hands->input.width, (double)hands->input.height, count, label,
                 (double)wide, (double)cell, (double)size);
    }
}

static void a_tall_operand_takes_no_numbers_from_its_result(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        size_t step;
        const char *label;
        size_t rows, columns;
    } cases[] = {{"root", 3, "S", 8, 8},
                 {"root", 4, "S", 8, 8},
                 {"ten", 3, "Q", 10, 8},
                 {"ten", 8, "Weights", 10, 10},
                 {"window", 1, "S", 16, 16}};
    for (size_t r = 0; r < ROOMS; r++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct hands *hands = step_of(cases[c].lesson, cases[c].step, rooms[r]);
            expect_numbers(hands, cases[c].label, cases[c].rows, cases[c].columns);
            assert_int_equal(hands_collisions(hands), 0);
            hands_close(hands);
        }
    }
}

/* The numbers that a caption speaks of are 16 pixels high beside the scene, too: the scene and the
 * names give way. */
static void numbers_of_a_product_are_read_from_the_last_row(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        size_t step;
        const char *matrix[3];
    } rows[] = {
        {"cats", 1, {"Q", "Kᵀ", "S"}},
        {"cats", 3, {"Q", "Kᵀ", "S"}},
        {"cats", 7, {"concat", "O"}},
        {"race", 2, {"Q", "Kᵀ", "S"}},
        {"race", 4, {"α", "V", "Z"}},
        {"library", 6, {"α", "V", "Z"}},
        {"root", 3, {"S"}},
        {"root", 4, {"S"}},
        {"root", 1, {"Row of a query"}},
        {"root", 2, {"Row of a query"}},
        {"root", 5, {"Row of a query"}},
        {"root", 8, {"Row of a query"}},
        {"window", 3, {"Row of a query"}},
        {"ten", 3, {"Q"}},
        {"onestep", 6, {"ΔW_Q · 10³"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t r = 0; r < ROOMS; r++) {
            struct hands *hands = step_of(rows[i].lesson, rows[i].step, rooms[r]);
            for (size_t m = 0; m < 3 && rows[i].matrix[m] != NULL; m++) {
                float wide = 0, size = 0;
                const struct rect area = group_of(hands, rows[i].matrix[m]);
                if (numbers_in(hands, area, &wide, &size) == 0 || size < 15.95f) {
                    fail_msg("%s, step %zu, %g × %g: numbers of %s are %g high", rows[i].lesson,
                             rows[i].step, (double)rooms[r][0], (double)rooms[r][1],
                             rows[i].matrix[m], (double)size);
                }
            }
            hands_close(hands);
        }
    }
}

/* Names above columns are as large; sentences stand in two lines each. */
static void names_of_columns_are_read_from_the_last_row(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        size_t step;
        const char *matrix, *part; /* of a name above one of its columns */
    } rows[] = {
        {"race", 2, "Kᵀ", "Tom"},     {"race", 2, "Kᵀ", "finished first"},
        {"race", 2, "Kᵀ", "midway"},  {"root", 4, "Kᵀ", "cloud"},
        {"hammer", 7, "α", "hammer"}, {"cats", 1, "Kᵀ", "lion"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hands *hands = step_of(rows[i].lesson, rows[i].step, rooms[0]);
        const struct canvas *const canvas = hands_canvas(hands);
        const struct rect cells = group_of(hands, rows[i].matrix);
        size_t read = 0;
        for (size_t t = 0; t < canvas_count(canvas); t++) {
            const struct canvas_command *const text = canvas_command_at(canvas, t);
            const bool above = text->rect.y < cells.y && text->rect.x > cells.x - cells.w / 8 &&
                               text->rect.x < cells.x + cells.w;
            const char *const words =
                text->kind == CANVAS_TEXT && above ? canvas_text_of(canvas, text) : "";
            read += strncmp(words, rows[i].part, strlen(rows[i].part)) == 0 &&
                    text->rect.h > 15.95f && text->rect.y > cells.y - 90;
        }
        if (read != 1) {
            fail_msg("%s, step %zu: “%s” is read %zu times", rows[i].lesson, rows[i].step,
                     rows[i].part, read);
        }
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

/* The curve that a lesson is about has its number, which says that it is a mean. */
static void the_curve_of_a_head_has_its_number(void **unused)
{
    (void)unused;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = step_of("learned", 6, rooms[r]);
        hands_expect_part(hands, "“is” → the noun");
        hands_expect(hands, "mean:");
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

static void numbers_leave_a_margin_in_small_matrices(void **unused)
{
    (void)unused;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = step_of("reverse", 1, rooms[r]);
        expect_numbers(hands, "α", 8, 8);
        hands_close(hands);
        hands = step_of("race", 1, rooms[r]);
        expect_numbers(hands, "α", 2, 3);
        hands_close(hands);
    }
}

static void few_cells_fill_their_panel(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        size_t step;
        const char *label, *panel;
        float least;
    } cases[] = {{"causal", 2, "S", "Stage", 0.52f},
                 {"temperature", 2, "S", "Stage", 0.55f},
                 {"reverse", 1, "L0H0 at step 0", "Heads", 0.6f},
                 {"reverse", 3, "L0H0 at step 36", "Heads", 0.3f},
                 {"causal", 1, "Weights", "Head", 0.5f}};
    for (size_t r = 0; r < ROOMS; r++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct hands *hands = step_of(cases[c].lesson, cases[c].step, rooms[r]);
            const struct rect cells = group_of(hands, cases[c].label);
            const struct rect panel = group_of(hands, cases[c].panel);
            if (cells.h < cases[c].least * panel.h) {
                fail_msg("%s: %s is %g of %g high", cases[c].lesson, cases[c].label,
                         (double)cells.h, (double)panel.h);
            }
            hands_close(hands);
        }
    }
}

/* Beside a curve of costs 16 × 16 scores are cropped to those around the chosen pair, with a torn
 * edge; their numbers, and the number of pairs, are read from the last row. */
static void masked_scores_are_cropped_beside_costs(void **unused)
{
    (void)unused;
    static const struct {
        size_t step;
        const char *pairs, *words; /* beside the tabs, below the curve */
    } cases[] = {{2, "74 of 256 pairs", "16 words: 256 pairs, 74 of them seen"},
                 {5, "46 of 256 pairs", "16 words: 256 pairs, 46 of them seen"},
                 {6, "45 of 256 pairs", "16 words: 256 pairs, 45 of them seen"}};
    const float readable = 15.95f;
    for (size_t r = 0; r < ROOMS; r++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct hands *hands = step_of("window", cases[c].step, rooms[r]);
            const struct lab_selection at = hands->state->view.pinned;
            float wide = 0, size = 0;
            struct rect text;
            const size_t count = numbers_in(hands, group_of(hands, "+ mask"), &wide, &size);
            if (count < 20 || size < readable) {
                fail_msg("step %zu, %g × %g: %zu numbers, %g high", cases[c].step,
                         (double)rooms[r][0], (double)rooms[r][1], count, (double)size);
            }
            if (r == 0) {
                assert_true(canvas_find_group(hands_canvas(hands), "goes on", 0, &text));
            }
            const struct lab_trace *const trace = hands->state->document.trace;
            hands_expect(hands, lab_trace_queries(trace)[at.query]);
            assert_true(hands_count_part(hands, cases[c].pairs) > 0);
            for (size_t w = 0; w < 2; w++) {
                const char *const words = w == 0 ? cases[c].pairs : cases[c].words;
                if (canvas_find_text(hands_canvas(hands), words, 0, &text)) {
                    assert_true(text.h >= readable);
                }
            }
            assert_true(canvas_find_text(hands_canvas(hands), cases[c].words, 0, &text));
            assert_int_equal(hands_collisions(hands), 0);
            hands_close(hands);
        }
    }
}

/* Tile by tile too. */
static void what_rows_have_come_to_is_read(void **unused)
{
    (void)unused;
    const float least = 16; /* as a text of 17 pixels is high */
    struct hands *hands = step_of("flash", 5, rooms[1]);
    float wide = 0, size = 0;
    assert_true(numbers_in(hands, group_of(hands, "What the rows have come to"), &wide, &size) >=
                30);
    assert_true(size >= least);
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* A line of a caption never ends between the numbers of a product or of a vector. */
static void a_caption_divides_no_product(void **unused)
{
    (void)unused;
    static const char times[] = "×";
    enum { LABEL = 12 }; /* bytes: "1 ×" is how fast play goes */
    const size_t mark = strlen(times);
    for (size_t l = 0; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        for (float wide = 1024; wide <= 1440; wide += 104) {
            struct hands *hands = step_of("ten", 7, (const float[]){wide, 768});
            const struct canvas *const canvas = hands_canvas(hands);
            for (size_t i = 0; i < canvas_count(canvas); i++) {
                const struct canvas_command *const command = canvas_command_at(canvas, i);
                const char *const text = canvas_text_of(canvas, command);
                size_t end = command->kind == CANVAS_TEXT ? command->length : 0;
                while (end > 0 && text[end - 1] == ' ') {
                    end--;
                }
                if (end > LABEL && (memcmp(text, times, mark) == 0 ||
                                    memcmp(text + end - mark, times, mark) == 0)) {
                    fail_msg("%s, %g wide: “%.*s”", language_at(l)->code, (double)wide, (int)end,
                             text);
                }
            }
            hands_close(hands);
        }
    }
    language_speak(NULL);
}

/* It has one whatever stands at its end. */
static void every_axis_has_its_name(void **unused)
{
    (void)unused;
    static const struct {
        const char *lesson;
        size_t step, axes;
    } cases[] = {{"library", 3, 3},   {"library", 6, 2},   {"library", 7, 2},
                 {"translate", 1, 2}, {"translate", 3, 2}, {"translate", 4, 2}};
    for (size_t r = 0; r < ROOMS; r++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct hands *hands = step_of(cases[c].lesson, cases[c].step, rooms[r]);
            struct rect area;
            size_t names = 0;
            if (hands->state->view.guess != LAB_GUESS_NONE) {
                hands_key(hands, "PageDown"); /* what was to be guessed is told */
            }
            while (canvas_find_group(hands_canvas(hands), "axis in space", names, &area)) {
                names++;
            }
            if (names != cases[c].axes) {
                fail_msg("%s, step %zu, %g × %g: %zu axes have a name", cases[c].lesson,
                         cases[c].step, (double)rooms[r][0], (double)rooms[r][1], names);
            }
            hands_close(hands);
        }
    }
}

/* Where two axes lie flat, no word stands on the one that runs to the right. */
static void no_word_stands_on_an_axis(void **unused)
{
    (void)unused;
    const float level = 0.5f, long_enough = 100, axis = 1.4f; /* as thick as axes are drawn */
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = step_of("bank", 3, rooms[r]);
        const struct canvas *const canvas = hands_canvas(hands);
        size_t found = 0;
        for (size_t i = 0; i < canvas_count(canvas); i++) {
            const struct canvas_command *const command = canvas_command_at(canvas, i);
            const struct point *const end = canvas_points_of(canvas, command);
            if (command->kind != CANVAS_PATH || command->length != 2 ||
                fabsf(end[0].y - end[1].y) > level || fabsf(end[0].x - end[1].x) < long_enough ||
                command->paint.width < axis) {
                continue;
            }
            found++;
            struct rect word;
            for (size_t w = 0; canvas_find_group(canvas, "label in space", w, &word); w++) {
                if (word.y + 1 < end[0].y && word.y + word.h - 1 > end[0].y &&
                    word.x + word.w > fminf(end[0].x, end[1].x) &&
                    word.x < fmaxf(end[0].x, end[1].x)) {
                    fail_msg("%g × %g: word %zu stands on an axis", (double)rooms[r][0],
                             (double)rooms[r][1], w);
                }
            }
        }
        assert_true(found > 0);
        hands_close(hands);
    }
}

static float gap_between(struct rect a, struct rect b)
{
    return hypotf(a.x + a.w / 2 - b.x - b.w / 2, a.y + a.h / 2 - b.y - b.h / 2);
}

/* A word in space, without what is written below it. */
static struct rect word_in_space(struct hands *hands, const char *word)
{
    const struct canvas *const canvas = hands_canvas(hands);
    struct rect label, found = {0};
    for (size_t i = 0; canvas_find_group(canvas, "label in space", i, &label); i++) {
        for (size_t c = 0; c < canvas_count(canvas); c++) {
            const struct canvas_command *const command = canvas_command_at(canvas, c);
            if (command->kind == CANVAS_TEXT && command->length == strlen(word) &&
                memcmp(canvas_text_of(canvas, command), word, command->length) == 0 &&
                rect_has(label, command->rect.x + command->rect.w / 2,
                         command->rect.y + command->rect.h / 2)) {
                found = command->rect;
            }
        }
    }
    if (found.w <= 0) {
        fail_msg("“%s” is not in space", word);
    }
    return found;
}

/* A line leads from a word to its point, but who reads from the last row sees what is near. */
static void a_word_in_space_stands_by_its_own_point(void **unused)
{
    (void)unused;
    static const char *const words[] = {"cat", "dog", "lion", "NYC"};
    static const struct {
        const char *lesson;
        size_t step;
    } cases[] = {{"cats", 1}, {"cats", 3}, {"order", 3}, {"causal", 4}};
    enum { WORDS = sizeof words / sizeof *words };
    for (size_t l = 0; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct hands *hands = step_of(cases[c].lesson, cases[c].step, rooms[0]);
            for (size_t w = 0; w < WORDS; w++) {
                const struct rect word = word_in_space(hands, words[w]);
                float own = 0, other = INFINITY;
                for (size_t p = 0; p < WORDS; p++) {
                    char name[64];
                    snprintf(name, sizeof name, "%s in space", words[p]);
                    const float away = gap_between(word, group_of(hands, name));
                    own = p == w ? away : own;
                    other = p == w ? other : fminf(other, away);
                }
                if (own > 1.5f * other) {
                    fail_msg("%s, step %zu, %s: “%s” is %g from its point, %g from another",
                             cases[c].lesson, cases[c].step, language_at(l)->code, words[w],
                             (double)own, (double)other);
                }
            }
            hands_close(hands);
        }
    }
    language_speak(NULL);
}

/* A line of small heads, down or across, is of one layer. */
static void heads_of_a_layer_stand_in_one_line(void **unused)
{
    (void)unused;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = step_of("induction", 1, rooms[r]);
        struct rect tile[2][4];
        for (size_t layer = 0; layer < 2; layer++) {
            for (size_t head = 0; head < 4; head++) {
                char label[32];
                snprintf(label, sizeof label, "L%zuH%zu at step 0", layer, head);
                tile[layer][head] = group_of(hands, label);
            }
        }
        for (size_t a = 0; a < 4; a++) {
            for (size_t b = 0; b < 4; b++) {
                const bool column = fabsf(tile[0][a].x - tile[1][b].x) < tile[0][a].w / 2;
                const bool row = fabsf(tile[0][a].y - tile[1][b].y) < tile[0][a].h / 2;
                const bool columns = fabsf(tile[0][0].x - tile[0][1].x) < tile[0][0].w / 2;
                assert_false(columns ? column : row);
            }
        }
        hands_close(hands);
    }
}

static void sums_have_their_names_above_them(void **unused)
{
    (void)unused;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = step_of("reverse", 3, rooms[r]);
        const struct rect cells = group_of(hands, "α");
        assert_true(hands_find(hands, "row sum", 0).y < cells.y);
        hands_close(hands);
    }
}

/* A cell that is narrower than high is marked by a box, not by an ellipse that reads as a zero. */
static void the_mark_of_a_narrow_cell_is_a_box(void **unused)
{
    (void)unused;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = step_of("ten", 7, rooms[r]);
        const struct canvas *const canvas = hands_canvas(hands);
        const struct rect matrix = group_of(hands, "O");
        size_t marks = 0;
        for (size_t i = 0; i < canvas_count(canvas); i++) {
            const struct canvas_command *const command = canvas_command_at(canvas, i);
            const struct rect at = command->rect;
            const struct colour stroke = command->paint.stroke, is = hands->state->theme->ink;
            const bool ink = stroke.red == is.red && stroke.green == is.green &&
                             stroke.blue == is.blue && stroke.alpha > 0;
            if (command->kind == CANVAS_RECT && ink && at.w < 20 &&
                rect_has(rect_inset(matrix, -4), at.x + at.w / 2, at.y + at.h / 2)) {
                marks++;
                assert_true(command->radius <= 0.25f * at.w);
            }
        }
        assert_true(marks > 0);
        hands_close(hands);
    }
}

static void what_is_masked_can_be_read(void **unused)
{
    (void)unused;
    const float contrast = 4.5f, least = 18;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *hands = step_of("causal", 2, rooms[r]);
        const struct canvas *const canvas = hands_canvas(hands);
        size_t masked = 0;
        for (size_t i = 0; i < canvas_count(canvas); i++) {
            const struct canvas_command *const command = canvas_command_at(canvas, i);
            if (command->kind == CANVAS_TEXT && command->length == strlen("−∞") &&
                memcmp(canvas_text_of(canvas, command), "−∞", strlen("−∞")) == 0 &&
                rect_has(group_of(hands, "+ mask"), command->rect.x, command->rect.y)) {
                masked++;
                assert_true(command->rect.h >= least);
                assert_true(colour_contrast(command->paint.fill, hands->state->theme->ground) >=
                            contrast);
            }
        }
        assert_int_equal(masked, 6);
        hands_close(hands);
    }
}

/* The scale of colours stands below the matrices, however low they reach. */
static void scales_keep_off_matrices(void **unused)
{
    (void)unused;
    static const float large[][2] = {{1280, 720}, {1440, 900}, {2560, 1440}};
    for (size_t r = 0; r < sizeof large / sizeof *large; r++) {
        struct hands *hands = step_of("cats", 6, large[r]);
        const struct rect cells = group_of(hands, "Z");
        struct rect scale;
        assert_true(canvas_find_text(hands_canvas(hands), "±5.00", 0, &scale));
        if (scale.y < cells.y + cells.h + 4) {
            fail_msg("%g × %g: %g under %g", (double)large[r][0], (double)large[r][1],
                     (double)scale.y, (double)(cells.y + cells.h));
        }
        hands_close(hands);
    }
}

/* Nine of them in every language. */
static void every_stage_has_its_name(void **unused)
{
    (void)unused;
    static const char *const names[] = {"Embed", "Project", "Score", "Scale · mask", "Softmax",
                                        "Blend", "Output",  "Block", "Loss"};
    for (size_t l = 0; language_at(l) != NULL; l++) {
        language_speak(language_at(l));
        for (size_t r = 0; r < ROOMS; r++) {
            struct hands *hands = step_of("reverse", 1, rooms[r]);
            for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
                if (hands_count(hands, tr(names[n])) == 0) {
                    fail_msg("%s, %g × %g: %s has no name", language_at(l)->code,
                             (double)rooms[r][0], (double)rooms[r][1], names[n]);
                }
            }
            assert_int_equal(hands_collisions(hands), 0);
            hands_close(hands);
        }
    }
    language_speak(NULL);
}

/* A share that a caption speaks of stands below the word that it goes to. */
static void the_columns_of_shares_are_named_where_values_blend(void **state)
{
    static const struct {
        const char *lesson, *share, *word;
        size_t step;
    } cases[] = {
        {"hammer", "0.94", "hammer", 7}, {"cats", "0.50", "dog", 5}, {"cats", "0.53", "dog", 6}};
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct hands *const hands = step_of(cases[c].lesson, cases[c].step, rooms[r]);
            const struct point share = hands_find(hands, cases[c].share, 0);
            const struct rect alpha = group_of(hands, "α");
            size_t named = 0;
            for (size_t w = 0; w < hands_count(hands, cases[c].word); w++) {
                const struct point word = hands_find(hands, cases[c].word, w);
                named += fabsf(word.x - share.x) < 3 && word.y < alpha.y && word.y > alpha.y - 30;
            }
            assert_int_equal(named, 1);
            assert_int_equal(hands_collisions(hands), 0);
            hands_close(hands);
        }
    }
}

/* When a group of that name is drawn, among all commands: later ones lie above. */
static size_t turn_of(struct hands *hands, const char *label)
{
    const struct canvas *const canvas = hands_canvas(hands);
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_GROUP && command->length == strlen(label) &&
            memcmp(canvas_text_of(canvas, command), label, command->length) == 0) {
            return i;
        }
    }
    fail_msg("nothing is called “%s”", label);
    return 0;
}

/* The output of dog, from cat and from itself: two balls beside each other, and the way of the
 * first. */
static void words_that_are_blended_are_seen_beside_each_other(void **state)
{
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        for (size_t step = 5; step <= 6; step++) {
            struct hands *const hands = step_of("cats", step, rooms[r]);
            const struct rect cat = group_of(hands, "cat in space");
            const struct rect dog = group_of(hands, "dog in space");
            const struct rect way = group_of(hands, "α · v(cat) in space");
            assert_true(gap_between(cat, dog) > 0.8f * (cat.w + dog.w) / 2);
            const struct rect z = group_of(hands, "z(dog) in space");
            assert_true(gap_between(cat, z) > (step == 5 ? 0.75f : 0.36f) * (cat.w + z.w) / 2);
            assert_true(way.w > 30 && way.x > cat.x + cat.w);
            /* what lion adds passes cat, and would be seen on it; z lies above it */
            const struct rect last = group_of(hands, "α · v(lion) in space");
            assert_true(last.x + last.w / 2 > cat.x + 0.6f * cat.w);
            assert_true(turn_of(hands, "α · v(lion) in space") > turn_of(hands, "cat in space"));
            assert_true(turn_of(hands, "z(dog) in space") > turn_of(hands, "α · v(lion) in space"));
            hands_close(hands);
        }
    }
}

/* Words stand beside concat alone: those of O and of X + O are read along the rows. */
static void rows_without_words_are_level_with_those_that_have_them(void **state)
{
    (void)state;
    for (size_t r = 0; r < ROOMS; r++) {
        struct hands *const hands = step_of("hammer", 8, rooms[r]);
        const struct rect named = group_of(hands, "concat"), sum = group_of(hands, "X + O");
        assert_float_equal(sum.y, named.y, 1);
        assert_float_equal(sum.h, named.h, 1);
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

/* How fast play goes can be seen and changed in every language: names go below their numbers for
 * it. */
static void the_speed_of_play_has_its_place_on_projectors(void **state)
{
    (void)state;
    static const float projector[][2] = {{1024, 768}, {1280, 720}};
    for (size_t l = 0; language_at(l) != NULL; l++) {
        for (size_t r = 0; r < sizeof projector / sizeof *projector; r++) {
            language_speak(language_at(l));
            struct hands *hands = hands_open_presenter("cats", projector[r][0], projector[r][1]);
            hands_click(hands, "1 ×");
            hands_click(hands, "2 ×");
            assert_true(fabsf(hands->state->view.playback.speed - 2) < 1e-6f);
            hands_expect_part(hands, tr("Scale · mask"));
            assert_int_equal(hands_count_part(hands, "…"), 0);
            hands_close(hands);
        }
    }
    language_speak(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tall_operand_takes_no_numbers_from_its_result),
        cmocka_unit_test(numbers_of_a_product_are_read_from_the_last_row),
        cmocka_unit_test(names_of_columns_are_read_from_the_last_row),
        cmocka_unit_test(the_curve_of_a_head_has_its_number),
        cmocka_unit_test(numbers_leave_a_margin_in_small_matrices),
        cmocka_unit_test(few_cells_fill_their_panel),
        cmocka_unit_test(masked_scores_are_cropped_beside_costs),
        cmocka_unit_test(what_rows_have_come_to_is_read),
        cmocka_unit_test(a_caption_divides_no_product),
        cmocka_unit_test(every_axis_has_its_name),
        cmocka_unit_test(words_that_are_blended_are_seen_beside_each_other),
        cmocka_unit_test(the_columns_of_shares_are_named_where_values_blend),
        cmocka_unit_test(no_word_stands_on_an_axis),
        cmocka_unit_test(a_word_in_space_stands_by_its_own_point),
        cmocka_unit_test(heads_of_a_layer_stand_in_one_line),
        cmocka_unit_test(sums_have_their_names_above_them),
        cmocka_unit_test(the_mark_of_a_narrow_cell_is_a_box),
        cmocka_unit_test(what_is_masked_can_be_read),
        cmocka_unit_test(scales_keep_off_matrices),
        cmocka_unit_test(rows_without_words_are_level_with_those_that_have_them),
        cmocka_unit_test(every_stage_has_its_name),
        cmocka_unit_test(the_speed_of_play_has_its_place_on_projectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
