/* Attention of many words: what a dot stands for, looked at closely, read beside the window. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../npy_header.h"
#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/document/session.h"
#include "app/open/drop.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "hands.h"
#include "lab/dump/dump.h"
#include "view/parts/head_overview.h"

enum { LAYERS = 3, HEADS = 2, WORDS = 512 };

/* Each word looks at one other: the one `layer` places before it. */
static void write_file(const char *path)
{
    char shape[64];
    static float row[WORDS];
    snprintf(shape, sizeof shape, "(%d, %d, %d, %d)", LAYERS, HEADS, WORDS, WORDS);
    FILE *const file = npy_create(path, "<f4", shape);
    assert_non_null(file);
    for (size_t line = 0; line < (size_t)LAYERS * HEADS * WORDS; line++) {
        const size_t query = line % WORDS, layer = line / WORDS / HEADS;
        memset(row, 0, sizeof row);
        row[query >= layer ? query - layer : 0] = 1;
        fwrite(row, sizeof *row, WORDS, file);
    }
    assert_int_equal(fclose(file), 0);
}

static struct hands *hands_on_many(char path[512])
{
    struct hands *const hands = hands_open("cats", 1440, 900);
    const char *const dropped = path;
    snprintf(path, 512, "%s/many.npy", hands->folder);
    write_file(path);
    hands_drop(hands, dropped);
    hands_show_settled(hands);
    assert_non_null(hands->state->view.head_overview);
    return hands;
}

static void leave_file(struct hands *hands, const char *path)
{
    unlink(path);
    hands_close(hands);
}

static float weight_at(const struct hands *hands, size_t query, size_t key)
{
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0);
    return lab_matrix_at(&alpha, query, key);
}

static void a_large_layer_is_read_beside_the_window(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    const struct ui_theme *const theme = hands->state->theme;
    assert_true(app_open_model_step(hands->state, 1, 0));
    assert_int_equal(hands->state->document.experiment.layer, 0); /* it is on its way, … */
    assert_true(hands->state->view.head_overview->busy);
    assert_true(weight_at(hands, 9, 9) > 0.5f);
    hands_key(hands, "t"); /* … and the window answers */
    assert_ptr_not_equal(hands->state->theme, theme);
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    assert_true(weight_at(hands, 9, 8) > 0.5f);
    assert_false(hands->state->view.head_overview->busy);
    leave_file(hands, path);
}

static void of_many_rows_the_chosen_one_tells_its_entropy(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    hands_key(hands, "5");
    assert_int_equal(hands_count(hands, "entropy"), 1);
    assert_int_equal(hands_count(hands, "0.00"), 1); /* all of it is on one key */
    leave_file(hands, path);
}

static void cancel_leaves_the_layer_that_stands_there(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    assert_true(app_open_model_step(hands->state, 1, 0));
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = VIEW_HEAD_OVERVIEW_CANCEL}},
                    0);
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 0);
    assert_int_equal(hands->state->view.head_overview->layer, 0);
    assert_true(weight_at(hands, 9, 9) > 0.5f);
    assert_false(hands->state->view.head_overview->busy);
    assert_true(app_open_model_step(hands->state, 1, 0)); /* and another one can be chosen */
    assert_true(app_open_model_step(hands->state, 1, 0)); /* … and changed while it is read */
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 2);
    leave_file(hands, path);
}

static void another_is_opened_while_a_layer_is_on_its_way(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    const char *const missing = "no such file.npy", *const tiny = getenv("TINY_MODEL");
    assert_true(app_open_model_step(hands->state, 1, 0));
    app_open_model_open(hands->state, missing, NULL, 0); /* what was open comes back, … */
    hands_show_settled(hands);
    assert_non_null(hands->state->view.head_overview);
    assert_int_equal(hands->state->document.experiment.layer, 0);
    assert_int_equal(hands->state->view.head_overview->layer, 0);
    assert_false(hands->state->view.head_overview->busy);
    assert_true(app_open_model_step(hands->state, 1, 0)); /* … and its layers can be chosen */
    assert_true(app_open_model_open(hands->state, tiny, NULL, 0));
    hands_show_settled(hands);
    assert_true(lab_trace_sizes(hands->state->document.trace).m < WORDS);
    assert_false(hands->state->view.head_overview->busy);
    leave_file(hands, path);
}

static void opening_can_be_given_up_and_what_was_there_stays(void **state)
{
    (void)state;
    char path[512];
    const char *const dropped = path;
    struct hands *const hands = hands_open("cats", 1440, 900);
    const struct lab_words *const cats = hands->state->document.experiment.tokens;
    const struct view_action cancel = {.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                       .overview = {.act = VIEW_HEAD_OVERVIEW_CANCEL}};
    snprintf(path, sizeof path, "%s/many.npy", hands->folder);
    write_file(path);
    for (int round = 0; round < 2; round++) { /* a file, then a model; done by then or not */
        if (round == 0) {
            hands_drop(hands, dropped);
        } else {
            assert_true(app_open_model_open(hands->state, getenv("TINY_MODEL"), NULL, 0));
        }
        if (hands->state->document.experiment.tokens != cats) {
            break; /* it stands there already: nothing is left to be given up */
        }
        app_state_apply(hands->state, &cancel, 0);
        hands_show_settled(hands);
        assert_ptr_equal(hands->state->document.experiment.tokens, cats);
        assert_null(hands->state->view.head_overview);
        assert_int_equal(hands->state->document.at, 0);
        assert_string_equal(hands->state->message, "");
    }
    leave_file(hands, path);
}

static void looking_at_all_heads_can_be_given_up(void **state)
{
    (void)state;
    char path[512];
    const char *const dropped = path;
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(path, sizeof path, "%s/many.npy", hands->folder);
    write_file(path);
    hands_drop(hands, dropped);
    while (hands->state->document.experiment.layers == 0) { /* it opens while frames go on */
        hands_wait(hands, 0.05);
    }
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_HEAD_OVERVIEW,
                                          .overview = {.act = VIEW_HEAD_OVERVIEW_CANCEL}},
                    0);
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layers, LAYERS); /* the file is open, */
    assert_false(hands->state->view.head_overview->busy);
    hands_key(hands, "l"); /* and its layers can be walked through */
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 1);
    leave_file(hands, path);
}

static void the_picture_says_what_a_dot_stands_for(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    hands_expect_part(hands, "512 \u00d7 512 \u00b7 each dot: the largest of 2 \u00d7 1");
    hands_expect_part(hands, "each cell: the largest of its weights"); /* at a head_overview */
    hands_click(hands, "Mean");
    hands_expect_part(hands, "each dot: the mean of 2 \u00d7 1");
    hands_expect_part(hands, "each cell: the mean of its weights");
    hands_click(hands, "Largest");
    hands_expect_part(hands, "each dot: the largest of 2 \u00d7 1");
    leave_file(hands, path);
}

/* The first key, which many heads look at, is chosen at first: its column stays in sight in the
 * small pictures, where its mark would be as wide as it is. */
static void the_mark_of_a_thin_column_does_not_cover_it(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    struct rect picture;
    assert_true(canvas_find_group(hands_canvas(hands), "L0H0", 0, &picture));
    const struct canvas *const canvas = hands_canvas(hands);
    const struct colour key = hands->state->theme->key;
    bool covered = false;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        covered |= command->kind == CANVAS_RECT && command->paint.fill.alpha > 0 &&
                   command->paint.fill.red == key.red && command->paint.fill.green == key.green &&
                   command->rect.h > 20 && command->rect.w < 5 &&
                   rect_has(picture, command->rect.x, command->rect.y + command->rect.h / 2);
    }
    assert_false(covered);
    leave_file(hands, path);
}

static void weights_are_looked_at_closely_and_their_words_come_back(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    hands_key(hands, "Down"); /* query 3, key 1 */
    const struct view_state *const view = &hands->state->view;
    const struct point first = hands_find(hands, "81", 0); /* a word beside the rows */
    hands_expect_not(hands, "82");
    for (int notch = 0; notch < 9; notch++) {
        hands_wheel(hands, first.x + 60, first.y, 1, 0);
    }
    hands_expect_part(hands, " of 512 \u00d7 512");
    assert_true(view->zoom.rows < WORDS / 5);
    const float row = view->zoom.row;
    assert_true(row > 20 && row < 81 && row + (float)view->zoom.rows > 81);
    for (int notch = 0; notch < 4; notch++) {
        hands_wheel(hands, first.x + 60, first.y, 1, 0);
    }
    hands_expect(hands, "82"); /* each row has its word again */
    hands_drag(hands, first.x + 100, first.y, first.x + 100, first.y - 80);
    assert_true(view->zoom.row > row + 1); /* what lies below came up */
    leave_file(hands, path);
}

static void keys_go_nearer_and_what_is_chosen_stays_in_sight(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    const struct view_state *const view = &hands->state->view;
    for (int times = 0; times < 8; times++) {
        hands_key(hands, "z");
    }
    assert_true(view->zoom.rows > 0 && view->zoom.rows < 40);
    assert_true(view->zoom.row < (float)view->pinned.query + 1);
    for (int times = 0; times < 60; times++) {
        hands_key(hands, "Down");
    }
    const float end = view->zoom.row + (float)view->zoom.rows;
    assert_true(view->zoom.row <= (float)view->pinned.query && (float)view->pinned.query < end);
    for (int times = 0; times < 20; times++) {
        hands_key(hands, "Shift+Z");
    }
    assert_int_equal(view->zoom.rows, 0); /* all of it again */
    leave_file(hands, path);
}

static void heads_stand_in_groups_by_what_they_do(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    hands_click(hands, "layer, head");
    hands_click(hands, "what they do");
    static const char *const headings[] = {"previous token \u00b7 2", "same token \u00b7 2",
                                           "other \u00b7 2"};
    static const size_t layers[] = {1, 0, 2}; /* the heads of which layer do that */
    hands_move(hands, -1, -1);
    hands_wait(hands, 7);
    const float number = hands_find(hands, "100 %", 0).y; /* by which a head is called so */
    assert_true(number > hands_find(hands, "L1H1", 0).y - 2);
    assert_true(number < hands_find(hands, "L1H1", 0).y + 2);
    for (size_t g = 0; g < 3; g++) {
        char name[64];
        const float y = hands_find(hands, headings[g], 0).y;
        snprintf(name, sizeof name, "L%zuH1", layers[g]);
        assert_true(hands_find(hands, name, 0).y > y);
        if (g < 2) {
            assert_true(hands_find(hands, name, 0).y < hands_find(hands, headings[g + 1], 0).y);
        }
    }
    hands_expect_part(hands, "The mean of \u03b1(i, i \u2212 1)"); /* defined where it stands */
    hands_click(hands, "L2H1");
    hands_show_settled(hands);
    assert_int_equal(hands->state->document.experiment.layer, 2);
    assert_int_equal(hands->state->view.pinned.head, 1);
    leave_file(hands, path);
}

static void nothing_can_be_set_that_means_nothing(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    hands_key(hands, "s");
    hands_expect_part(hands, "nothing to scale");
    hands_expect_not(hands, "scale by 1/\u221ad\u2096");
    hands_expect_not(hands, "mask");
    assert_int_equal(hands_count_part(hands, "d\u2096 0"), 0);
    hands_key(hands, "g"); /* without all heads at a head_overview … */
    hands_key(hands, "s"); /* … the settings have a place of their own */
    hands_expect_part(hands, "nothing to scale");
    hands_wait(hands, 21);
    hands_expect_part(hands, "512 queries \u00b7 512 keys \u00b7 2 heads");
    hands_expect_part(hands, "L0H");
    assert_int_equal(hands_count_part(hands, "\u00b7 head "), 0); /* counted one way */
    leave_file(hands, path);
}

/* As text it would take the window seconds, every few seconds. */
static void a_large_layer_is_kept_aside_by_its_file_alone(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_session_fits(&hands->state->document.experiment));
    hands_close(hands);
    struct hands *const many = hands_on_many(path);
    assert_false(app_session_fits(&many->state->document.experiment));
    hands_key(many, "Ctrl+E"); /* nor does it lie inside a picture, and the sheet says so */
    hands_expect_part(many, "too many numbers to lie inside");
    hands_click(many, "experiment inside the file");
    assert_int_equal(hands_count_part(many, "too many numbers to lie inside"), 0);
    leave_file(many, path);
}

static void wait_for_step(struct hands *hands)
{
    while (document_is_pending(&hands->state->document)) {
        hands_wait(hands, 0.05);
    }
}

static void a_step_back_to_a_large_layer_is_computed_beside_the_window(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    hands_key(hands, "Ctrl+Z"); /* to the cats: at once */
    assert_int_equal(hands->state->document.at, 0);
    const struct lab_words *const cats = hands->state->document.experiment.tokens;
    const struct ui_theme *const theme = hands->state->theme;
    document_redo(&hands->state->document, hands->input.time);
    assert_int_equal(hands->state->document.at, 0); /* what was there stays, … */
    assert_ptr_equal(hands->state->document.experiment.tokens, cats);
    app_command_run(hands->state, "theme", 0, hands->input.time); /* … and the window answers */
    assert_ptr_not_equal(hands->state->theme, theme);
    wait_for_step(hands);
    assert_int_equal(hands->state->document.at, 1);
    assert_int_equal(hands->state->document.experiment.layers, LAYERS);
    assert_true(weight_at(hands, 9, 9) > 0.5f);
    leave_file(hands, path);
}

static void a_step_that_takes_long_can_be_given_up(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    hands_key(hands, "Ctrl+Z");
    const uint64_t reading = hands_reading(hands);
    document_redo(&hands->state->document, hands->input.time);
    app_command_run(hands->state, "give up", 0, hands->input.time);
    wait_for_step(hands);
    assert_int_equal(hands->state->document.at, 0);
    assert_true(hands_reading(hands) == reading);
    document_redo(&hands->state->document,
                  hands->input.time); /* while the thread may still be at work … */
    (void)document_cancel(&hands->state->document);
    document_redo(&hands->state->document, hands->input.time);
    wait_for_step(hands);
    assert_int_equal(hands->state->document.at, 1); /* … it is begun anew */
    assert_true(weight_at(hands, 9, 9) > 0.5f);
    leave_file(hands, path);
}

static void steps_that_take_long_are_counted_while_they_are_under_way(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_many(path);
    struct lab_experiment other;
    lab_experiment_copy(&other, &hands->state->document.experiment);
    other.residual = !other.residual;
    document_change(&hands->state->document, &other, "a change", hands->input.time);
    lab_experiment_release(&other);
    wait_for_step(hands);
    document_undo(&hands->state->document, hands->input.time);
    document_undo(&hands->state->document, hands->input.time);
    assert_int_equal(hands->state->document.at, 0); /* what is short is there at once */
    wait_for_step(hands);
    assert_int_equal(hands->state->document.at, 0);
    document_redo(&hands->state->document, hands->input.time);
    document_redo(&hands->state->document, hands->input.time);
    wait_for_step(hands);
    assert_int_equal(hands->state->document.at, 2);
    document_undo(&hands->state->document, hands->input.time);
    app_lesson_open(hands->state, 0, hands->input.time); /* another change: nobody waits any more */
    const size_t at = hands->state->document.at;
    wait_for_step(hands);
    assert_int_equal(hands->state->document.at, at);
    assert_int_equal(hands->state->document.experiment.layers, 0);
    leave_file(hands, path);
}

/* Listens to a layer that is read, and gives up at the third word. */
static bool stop_at_third(void *owner, size_t done, size_t all)
{
    size_t *const told = owner;
    assert_true(done <= all && all == (size_t)HEADS * WORDS);
    return ++*told < 3;
}

static void a_layer_tells_how_much_of_it_is_read(void **state)
{
    (void)state;
    char path[512];
    size_t told = 0;
    struct hands *const hands = hands_on_many(path);
    struct lab_experiment experiment;
    struct error error = {0};
    struct lab_dump_page page = {.on_rows = stop_at_third, .owner = &told};
    struct lab_dump *const dump =
        lab_dump_open(path, &(const struct lab_dump_request){.batch = 0}, &error);
    assert_non_null(dump);
    assert_false(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    assert_int_equal(told, 3);
    assert_int_equal(error.code, ERROR_NONE);
    lab_dump_page_free(&page);
    lab_dump_close(dump);
    leave_file(hands, path);
}

static void insert_many(struct hands *hands, size_t at, size_t count)
{
    static char text[1 << 14];
    size_t length = 0;
    for (size_t w = 0; w < count; w++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "w%zu ", w);
    }
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = at, .text = text}},
        hands->input.time);
}

static void insert_words(struct hands *hands, size_t count)
{
    insert_many(hands, 1, count);
    hands_settle(hands);
    hands_wait(hands, 0.2);
}

/* Looked at closely, weights end in a torn edge wherever there are more. */
static void what_goes_on_has_a_torn_edge(void **state)
{
    (void)state;
    struct rect torn;
    struct hands *const hands = hands_open("ten", 1440, 900);
    app_command_run(hands->state, "stage", LAB_SOFTMAX, 0);
    insert_words(hands, 40);
    hands->state->view.prefs.whole_alpha = true;
    hands_wait(hands, 1);
    assert_false(canvas_find_group(hands_canvas(hands), "goes on", 0, &torn));
    app_command_run(hands->state, "nearer", 1, hands->input.time);
    hands_wait(hands, 1);
    assert_true(canvas_find_group(hands_canvas(hands), "goes on", 0, &torn));
    assert_true(torn.w > 100 && torn.h > 100);
    hands_close(hands);
}

/* Hundreds of words share out so little each that colours up to 1 are a white sheet. */
static void many_small_weights_are_seen_and_it_is_said_how(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("ten", 1440, 900);
    assert_false(hands->state->view.prefs.range_by_content);
    insert_words(hands, 1000);
    assert_true(hands->state->view.prefs.range_by_content);
    hands_expect_part(hands, "most weights are small: colours reach up to those now");
    hands->state->view.prefs.range_by_content = false; /* the person's choice stays … */
    insert_words(hands, 1100);
    assert_false(hands->state->view.prefs.range_by_content);
    hands_key(hands, "Ctrl+Z");
    hands_key(hands, "Ctrl+Z");
    hands_wait(hands, 2);
    assert_false(hands->state->view.prefs.range_by_content);
    hands_close(hands);
}

static float widest_bar(struct hands *hands, const char *chart)
{
    struct rect area;
    float widest = 0;
    assert_true(canvas_find_group(hands_canvas(hands), chart, 0, &area));
    for (size_t c = 0; c < canvas_count(hands_canvas(hands)); c++) {
        const struct canvas_command *const command = canvas_command_at(hands_canvas(hands), c);
        if (command->kind == CANVAS_RECT && rect_has(area, command->rect.x + 1, command->rect.y)) {
            widest = fmaxf(widest, command->rect.w);
        }
    }
    return widest;
}

/* Nothing is told as zero that is none, and bars reach as far as colours do. */
static void small_weights_are_no_zeros(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    insert_words(hands, 1000);
    hands_key(hands, "5");
    hands_wait(hands, 1);
    hands_expect_part(hands, "exp ÷ sum = α, bars to 0.0");
    assert_true(widest_bar(hands, "share") > 40);
    assert_int_equal(hands_count(hands, "α 0.000"), 0);
    hands->state->view.pinned.query = 1002; /* the lion */
    hands->state->view.pinned.key = 0;
    hands_wait(hands, 1);
    hands_expect_part(hands, "e-");
    assert_int_equal(hands_count_part(hands, " 0.0 %"), 0);
    hands_close(hands);
}

static bool is_grey(struct colour colour)
{
    return colour.red == colour.green && colour.green == colour.blue;
}

/* How many dots of the largest image have no colour of their own. */
static size_t grey_dots(struct hands *hands)
{
    size_t grey = 0, largest = 0;
    for (size_t c = 0; c < canvas_count(hands_canvas(hands)); c++) {
        const struct canvas_command *const command = canvas_command_at(hands_canvas(hands), c);
        const size_t dots =
            command->kind == CANVAS_IMAGE ? (size_t)command->columns * command->rows : 0;
        if (dots > largest) {
            largest = dots;
            grey = 0;
            for (size_t i = 0; i < dots; i++) {
                grey += is_grey(canvas_pixels_of(hands_canvas(hands), command)[i]);
            }
        }
    }
    assert_true(largest > 10000);
    return grey;
}

/* Cells that are dots keep their colours under the pointer. */
static void the_pointer_greys_no_dots(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("ten", 1440, 900);
    insert_words(hands, 1000);
    hands_key(hands, "3");
    hands_wait(hands, 1);
    hands_move(hands, 5, 5);
    hands_wait(hands, 0.5);
    const size_t before = grey_dots(hands);
    for (float y = 300; y < 800 && hands->state->view.hovered_parts == 0; y += 50) {
        hands_move(hands, 560, y);
        hands_wait(hands, 0.5);
    }
    assert_true(hands->state->view.hovered_parts != 0);
    assert_int_equal(grey_dots(hands), before);
    hands_close(hands);
}

/* While the first numbers of many words are computed, nobody is told to type words. */
static void words_that_are_computed_are_not_missing(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("ten", 1440, 900);
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REPLACE,
                                          .token = {.at = 0, .before = 10, .text = ""}},
                    0);
    hands_show_settled(hands);
    hands_expect(hands, "No tokens yet");
    insert_many(hands, 0, 1500);
    hands_frame(hands);
    hands_expect(hands, "Computing");
    hands_expect(hands, "The numbers of 1500 words stand here soon.");
    hands_expect_not(hands, "No tokens yet");
    hands_show_settled(hands);
    hands_expect_not(hands, "Computing");
    hands_close(hands);
}

/* One weight of nearly 1 among a million small ones leaves them no white sheet: the bar ends before
 * it, and says so. */
static void one_large_weight_leaves_no_white_sheet(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900); /* NYC looks at itself */
    insert_words(hands, 1000);
    assert_true(hands->state->view.prefs.range_by_content);
    hands_expect(hands, "up to nearly the largest");
    assert_true(hands_count_part(hands, "≥0.0") > 0);
    hands_close(hands);
}

/* A scene of its own, of words that nothing else has; *words: those. */
static const struct lab_trace *show_apart(struct hands *hands, const struct lab_words **words)
{
    enum { MANY = 80 };
    static const char *word[MANY];
    struct app_scene scene = app_state_scene(hands->state);
    struct lab_experiment experiment;
    lab_experiment_copy(&experiment, scene.experiment);
    for (size_t w = 0; w < MANY; w++) {
        word[w] = w % 2 == 0 ? "cat" : "dog";
    }
    *words = lab_words_make(word, MANY, NULL);
    assert_non_null(*words);
    lab_words_release(experiment.tokens);
    experiment.tokens = lab_words_keep(*words);
    const struct lab_trace *const trace = lab_run(&experiment, scene.engine, NULL);
    assert_non_null(trace);
    lab_experiment_release(&experiment);
    scene.trace = trace;
    scene.experiment = scene.pending = lab_trace_experiment(trace);
    (void)app_frame_picture(
        hands->frame, &scene, view_picture_at(0),
        &(const struct app_frame_paper){.width = 1440, .height = 900, .scale = 1});
    return trace;
}

/* A layer of a large model would be hundreds of megabytes. */
static void nothing_is_held_of_what_is_shown_no_more(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    const struct lab_words *words = NULL;
    struct view_state *const view = &hands->state->view;
    view->prefs.range_by_content = true;
    for (size_t kinds = 0; kinds < 2; kinds++) {
        view->overlay = kinds == 1 ? VIEW_OVERLAY_KINDS : VIEW_OVERLAY_NONE;
        lab_trace_release(show_apart(hands, &words));
        assert_true(lab_words_shared(words)); /* the next frame of the same need not begin anew */
        view->overlay = VIEW_OVERLAY_NONE;
        view->prefs.range_by_content = false;
        hands_frame(hands);
        assert_false(lab_words_shared(words));
        lab_words_release(words);
    }
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_on_has_a_torn_edge),
        cmocka_unit_test(many_small_weights_are_seen_and_it_is_said_how),
        cmocka_unit_test(one_large_weight_leaves_no_white_sheet),
        cmocka_unit_test(a_large_layer_is_read_beside_the_window),
        cmocka_unit_test(of_many_rows_the_chosen_one_tells_its_entropy),
        cmocka_unit_test(cancel_leaves_the_layer_that_stands_there),
        cmocka_unit_test(another_is_opened_while_a_layer_is_on_its_way),
        cmocka_unit_test(opening_can_be_given_up_and_what_was_there_stays),
        cmocka_unit_test(looking_at_all_heads_can_be_given_up),
        cmocka_unit_test(a_large_layer_is_kept_aside_by_its_file_alone),
        cmocka_unit_test(a_step_back_to_a_large_layer_is_computed_beside_the_window),
        cmocka_unit_test(a_step_that_takes_long_can_be_given_up),
        cmocka_unit_test(steps_that_take_long_are_counted_while_they_are_under_way),
        cmocka_unit_test(a_layer_tells_how_much_of_it_is_read),
        cmocka_unit_test(the_picture_says_what_a_dot_stands_for),
        cmocka_unit_test(the_mark_of_a_thin_column_does_not_cover_it),
        cmocka_unit_test(weights_are_looked_at_closely_and_their_words_come_back),
        cmocka_unit_test(keys_go_nearer_and_what_is_chosen_stays_in_sight),
        cmocka_unit_test(heads_stand_in_groups_by_what_they_do),
        cmocka_unit_test(nothing_can_be_set_that_means_nothing),
        cmocka_unit_test(small_weights_are_no_zeros),
        cmocka_unit_test(the_pointer_greys_no_dots),
        cmocka_unit_test(words_that_are_computed_are_not_missing),
        cmocka_unit_test(nothing_is_held_of_what_is_shown_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
