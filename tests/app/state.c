/* What the person does: changes, undo, selection, stages, keys; all without a window. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/commands.h"
#include "app/find.h"
#include "app/keys.h"
#include "app/lesson.h"
#include "app/state.h"
#include "lab/lessons.h"

static struct app_state *opened(const char *lesson)
{
    struct app_state *state = calloc(1, sizeof *state);
    assert_non_null(state);
    struct error error = {0};
    if (!app_state_open(state, lesson, NULL, &error)) {
        fail_msg("%s", error.text);
    }
    return state;
}

static void closed(struct app_state *state)
{
    app_state_close(state);
    free(state);
}

static void wish_field(struct app_state *state, enum view_field field, double number, double time)
{
    app_state_apply(state,
                    &(struct view_wish){.kind = VIEW_WISH_FIELD, .field = field, .number = number},
                    time);
}

static void insert(struct app_state *state, size_t index, const char *text, double time)
{
    app_state_apply(
        state, &(struct view_wish){.kind = VIEW_WISH_INSERT, .index = index, .text = text}, time);
}

static void expect_words(const struct app_state *state, const char *expected)
{
    char all[1024] = "";
    for (size_t i = 0; i < lab_words_count(state->experiment.tokens); i++) {
        strcat(all, i > 0 ? " " : "");
        strcat(all, lab_words_list(state->experiment.tokens)[i]);
    }
    assert_string_equal(all, expected);
}

static void it_opens_on_the_cats_with_dog_to_cat_at_score(void **unused)
{
    (void)unused;
    struct app_state *state = opened(NULL);
    expect_words(state, "cat dog lion NYC");
    assert_int_equal(state->view.stage, LAB_SCORE);
    assert_int_equal(state->view.pinned.query, 1);
    assert_int_equal(state->view.pinned.key, 0);
    assert_non_null(state->trace);
    closed(state);
}

static void an_unknown_lesson_is_refused_with_its_name(void **unused)
{
    (void)unused;
    struct app_state *state = calloc(1, sizeof *state);
    struct error error = {0};
    assert_false(app_state_open(state, "dinosaurs", NULL, &error));
    assert_non_null(strstr(error.text, "dinosaurs"));
    closed(state);
}

static void undo_brings_back_what_was_and_redo_what_came(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_false(state->view.can_undo);
    insert(state, 4, "bird fish", 1);
    expect_words(state, "cat dog lion NYC bird fish");
    wish_field(state, VIEW_FIELD_HEADS, 3, 2);
    assert_int_equal(state->experiment.heads, 3);
    app_state_undo(state);
    assert_int_equal(state->experiment.heads, 1);
    app_state_undo(state);
    expect_words(state, "cat dog lion NYC");
    assert_false(state->view.can_undo);
    app_state_undo(state);
    expect_words(state, "cat dog lion NYC");
    app_state_redo(state);
    app_state_redo(state);
    expect_words(state, "cat dog lion NYC bird fish");
    assert_int_equal(state->experiment.heads, 3);
    assert_false(state->view.can_redo);
    closed(state);
}

static void a_new_change_after_undo_forgets_what_was_undone(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    insert(state, 0, "bird", 1);
    app_state_undo(state);
    insert(state, 0, "fish", 2);
    assert_false(state->view.can_redo);
    expect_words(state, "fish cat dog lion NYC");
    closed(state);
}

static void one_drag_of_a_slider_is_one_step_of_undo(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    for (int i = 0; i < 20; i++) {
        wish_field(state, VIEW_FIELD_TEMPERATURE, 1 + 0.1 * (i + 1), 5 + 0.05 * i);
    }
    assert_true(fabsf(state->experiment.temperature - 3) < 1e-6f);
    app_state_undo(state);
    assert_true(state->experiment.temperature == 1);
    assert_false(state->view.can_undo);
    closed(state);
}

static void hundreds_of_changes_keep_the_newest(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    for (int i = 0; i < 3 * APP_HISTORY_MAX; i++) {
        wish_field(state, VIEW_FIELD_TEMPERATURE, 1.5 + i, 10.0 * i);
    }
    int steps = 0;
    while (state->view.can_undo) {
        app_state_undo(state);
        steps++;
    }
    assert_int_equal(steps, APP_HISTORY_MAX - 1);
    closed(state);
}

static void words_can_be_replaced_removed_and_moved(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_state_apply(
        state, &(struct view_wish){.kind = VIEW_WISH_REPLACE, .index = 1, .text = "big bird"}, 1);
    expect_words(state, "cat big bird lion NYC");
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_REMOVE, .index = 1}, 2);
    expect_words(state, "cat bird lion NYC");
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_MOVE, .index = 0, .other = 4}, 3);
    expect_words(state, "bird lion NYC cat");
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_MOVE, .index = 3, .other = 1}, 4);
    expect_words(state, "bird cat lion NYC");
    assert_int_equal(state->view.pinned.query, 1);
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_REMOVE, .index = 99}, 5);
    expect_words(state, "bird cat lion NYC");
    closed(state);
}

static void the_last_word_may_go_and_the_next_comes(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    for (int i = 0; i < 4; i++) {
        app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_REMOVE, .index = 0}, i);
    }
    assert_null(state->trace);
    assert_int_equal(state->trouble.code, ERROR_NONE);
    insert(state, 0, "owl", 9);
    assert_non_null(state->trace);
    assert_int_equal(lab_trace_sizes(state->trace).n, 1);
    assert_int_equal(state->view.pinned.query, 0);
    closed(state);
}

static void too_many_words_keep_the_first_and_say_so(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    char *page = malloc(5 * 5000 + 1);
    assert_non_null(page);
    for (int i = 0; i < 5000; i++) {
        memcpy(page + 5 * i, "word ", 6);
    }
    insert(state, 4, page, 1);
    assert_int_equal(lab_words_count(state->experiment.tokens), LAB_TOKENS_MAX);
    assert_non_null(state->view.message);
    app_state_undo(state);
    expect_words(state, "cat dog lion NYC");
    free(page);
    closed(state);
}

static void a_word_more_in_a_lesson_of_given_numbers_leaves_them_and_undo_returns(void **unused)
{
    (void)unused;
    struct app_state *state = opened("race");
    assert_true(lab_trace_sizes(state->trace).raw);
    insert(state, 2, "cat", 1);
    assert_non_null(state->trace);
    assert_false(lab_trace_sizes(state->trace).raw);
    assert_non_null(state->view.message);
    app_state_undo(state);
    assert_true(lab_trace_sizes(state->trace).raw);
    closed(state);
}

static void selection_stays_inside_when_words_go(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    state->view.pinned.query = 3;
    state->view.pinned.key = 3;
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_REMOVE, .index = 3}, 1);
    assert_int_equal(state->view.pinned.query, 2);
    assert_int_equal(state->view.pinned.key, 2);
    closed(state);
}

static void hover_lies_over_the_pinned_selection_part_by_part(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct view_wish hover = {
        .kind = VIEW_WISH_HOVER, .parts = VIEW_KEY, .selection = {.query = 3, .key = 2}};
    assert_true(app_state_apply(state, &hover, 1));
    assert_false(app_state_apply(state, &hover, 1));
    assert_int_equal(app_state_selection(state).query, 1);
    assert_int_equal(app_state_selection(state).key, 2);
    closed(state);
}

static void numbers_out_of_reach_are_brought_into_reach(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    wish_field(state, VIEW_FIELD_HEADS, 1e9, 1);
    assert_int_equal(state->experiment.heads, LAB_HEADS_MAX);
    wish_field(state, VIEW_FIELD_HEADS, -5, 20);
    assert_int_equal(state->experiment.heads, 1);
    wish_field(state, VIEW_FIELD_D_K, 1e30, 40);
    assert_int_equal(state->experiment.d_k, LAB_SIZE_MAX);
    closed(state);
}

static void a_temperature_of_zero_says_why_and_undo_helps(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    wish_field(state, VIEW_FIELD_TEMPERATURE, 0, 1);
    assert_null(state->trace);
    assert_true(strlen(state->trouble.text) > 10);
    app_state_undo(state);
    assert_non_null(state->trace);
    closed(state);
}

static void play_walks_through_every_stage_and_stops(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_command_run(state, "stage", LAB_EMBED, 0);
    app_command_run(state, "play", 0, 0);
    assert_true(state->view.playing);
    bool seen[LAB_STAGES] = {false};
    double time = 0;
    for (int i = 0; i < 4000 && state->view.playing; i++) {
        time += 1.0 / 60;
        app_state_advance(state, time, false);
        assert_true(state->view.moment >= 0 && state->view.moment <= 1);
        seen[state->view.stage] = true;
    }
    assert_false(state->view.playing);
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        assert_true(seen[stage]);
    }
    assert_int_equal(state->view.stage, LAB_OUTPUT);
    assert_true(state->view.moment == 1);
    closed(state);
}

static void every_stroke_of_the_table_runs_a_command_that_exists(void **unused)
{
    (void)unused;
    struct app_state *state = opened("ten");
    const uint32_t strokes[] = {UI_KEY_RIGHT, UI_KEY_LEFT, UI_KEY_UP,    UI_KEY_DOWN,
                                UI_KEY_HOME,  UI_KEY_END,  UI_KEY_SPACE, '1',
                                '7',          't',         'h',          's',
                                'r',          'g',         UI_KEY_F1,    UI_KEY_ESCAPE};
    for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++) {
        const struct ui_input input = {
            .stroke = {{strokes[i], 0}}, .strokes = 1, .time = (double)i};
        assert_true(app_keys_apply(state, &input));
    }
    const struct ui_input odd = {.stroke = {{'w', 0}}, .strokes = 1};
    assert_false(app_keys_apply(state, &odd));
    closed(state);
}

static void heads_go_round_and_queries_stop_at_the_ends(void **unused)
{
    (void)unused;
    struct app_state *state = opened("ten");
    const size_t heads = lab_trace_sizes(state->trace).heads;
    assert_int_equal(heads, 8);
    state->view.pinned.head = 0;
    app_command_run(state, "head", -1, 1);
    assert_int_equal(state->view.pinned.head, heads - 1);
    app_command_run(state, "head", 1, 2);
    assert_int_equal(state->view.pinned.head, 0);
    state->view.pinned.query = 0;
    app_command_run(state, "query", -1, 3);
    assert_int_equal(state->view.pinned.query, 0);
    for (int i = 0; i < 30; i++) {
        app_command_run(state, "query", 1, 4 + i);
    }
    assert_int_equal(state->view.pinned.query, lab_trace_sizes(state->trace).n - 1);
    closed(state);
}

static void the_theme_takes_its_colour_map_along_unless_one_was_chosen(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_string_equal(state->view.weights_map->title, "Blues");
    app_command_run(state, "theme", 0, 1);
    assert_true(state->theme->dark);
    assert_string_equal(state->view.weights_map->title, "Night");
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_COLOURMAP, .text = "viridis"}, 2);
    app_command_run(state, "theme", 0, 3);
    assert_false(state->theme->dark);
    assert_string_equal(state->view.weights_map->title, "Viridis");
    closed(state);
}

static void the_dice_make_other_numbers_and_undo_the_former(void **unused)
{
    (void)unused;
    struct app_state *state = opened("ten");
    const float former = lab_trace_part(state->trace, LAB_SCORES, 0).values[0];
    app_command_run(state, "roll", 0, 1);
    assert_true(lab_trace_part(state->trace, LAB_SCORES, 0).values[0] != former);
    app_state_undo(state);
    assert_true(lab_trace_part(state->trace, LAB_SCORES, 0).values[0] == former);
    closed(state);
}

static void copy_gives_the_result_as_tab_separated_numbers(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_command_run(state, "copy", 0, 1);
    assert_non_null(state->request.copy);
    assert_memory_equal(state->request.copy, "7.25\t7.25\t5\t6\n7.25\t", 19);
    closed(state);
}

static void anything_is_found_by_a_part_of_its_name(void **unused)
{
    (void)unused;
    struct app_state *state = opened("ten");
    app_command_run(state, "find", 0, 1);
    assert_true(state->view.find_open);
    assert_int_equal(state->view.find_count, APP_FIND_MAX);
    app_find_type(state, "HEAD 7");
    assert_int_equal(state->view.find_count, 1);
    app_find_take(state, 0, 2);
    assert_false(state->view.find_open);
    assert_int_equal(state->view.pinned.head, 6);
    app_command_run(state, "find", 0, 3);
    app_find_type(state, "theme");
    assert_string_equal(state->find_rows[0].title, "Light or dark");
    assert_string_equal(state->find_rows[0].hint, "T");
    app_find_take(state, 0, 4);
    assert_true(state->theme->dark);
    app_command_run(state, "find", 0, 5);
    app_find_type(state, "no such thing");
    assert_int_equal(state->view.find_count, 0);
    app_find_take(state, 0, 6);
    assert_true(state->view.find_open);
    closed(state);
}

static void undo_says_what_it_would_take_back(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_null(state->view.undo_name);
    insert(state, 4, "bird", 1);
    assert_string_equal(state->view.undo_name, "add bird");
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_REMOVE, .index = 0}, 2);
    assert_string_equal(state->view.undo_name, "remove cat");
    app_state_undo(state);
    assert_string_equal(state->view.undo_name, "add bird");
    assert_string_equal(state->view.redo_name, "remove cat");
    closed(state);
}

static void wish_number(struct app_state *state, struct lab_cell cell, double number, double time)
{
    app_state_apply(
        state, &(struct view_wish){.kind = VIEW_WISH_EDIT, .cell = cell, .number = number}, time);
}

static float score(const struct app_state *state, size_t i, size_t j)
{
    const struct lab_matrix scores = lab_trace_part(state->trace, LAB_SCORES, 0);
    return lab_matrix_at(&scores, i, j);
}

static void a_number_typed_over_is_followed_by_all_and_is_one_step_of_undo(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct lab_cell cell = {LAB_Q, 0, 0, 1};
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_OPEN, .cell = cell}, 1);
    assert_true(state->view.edit_open);
    wish_number(state, cell, 3, 1);
    wish_number(state, cell, 3.5, 1.2);
    assert_true(fabsf(score(state, 0, 0) - 9.75f) < 1e-5f);
    app_state_apply(state,
                    &(struct view_wish){.kind = VIEW_WISH_CLOSE, .other = 1, .cell = cell}, 2);
    assert_false(state->view.edit_open);
    assert_string_equal(state->view.undo_name, "type Q of cat");
    app_state_undo(state);
    assert_true(score(state, 0, 0) == 7.25f);
    assert_false(state->view.can_undo);
    closed(state);
}

static void esc_in_a_number_leaves_what_stood_there(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct lab_cell cell = {LAB_EMBEDDINGS_X, 0, 2, 0};
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_OPEN, .cell = cell}, 1);
    wish_number(state, cell, 9, 1);
    assert_true(score(state, 2, 2) > 100);
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_CLOSE, .cell = cell}, 2);
    assert_true(score(state, 2, 2) == 26);
    closed(state);
}

static void a_dot_gives_the_former_number_back(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct lab_cell cell = {LAB_ALPHA, 0, 1, 0};
    wish_number(state, cell, 0.4, 1);
    assert_true(lab_trace_is_edited(state->trace, LAB_ALPHA, 0, 1, 0));
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_RESTORE, .cell = cell}, 2);
    assert_false(lab_trace_is_edited(state->trace, LAB_ALPHA, 0, 1, 0));
    closed(state);
}

static void weights_typed_by_hand_blend_the_values_by_hand(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    static const double weights[4] = {0.4, 0.5, 0.1, 0};
    static const float expected[3] = {-2.35f, 1.15f, -0.2f};
    for (size_t j = 0; j < 4; j++) {
        app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_GRAB}, (double)j);
        wish_number(state, (struct lab_cell){LAB_ALPHA, 0, 1, j}, weights[j], (double)j);
    }
    const struct lab_matrix z = lab_trace_part(state->trace, LAB_Z, 0);
    for (size_t c = 0; c < 3; c++) {
        assert_true(fabsf(lab_matrix_at(&z, 1, c) - expected[c]) < 1e-5f);
    }
    closed(state);
}

static void text_where_a_number_belongs_is_answered_and_changes_nothing(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_state_apply(state, &(struct view_wish){.kind = VIEW_WISH_NO_NUMBER, .text = "many"}, 1);
    assert_non_null(strstr(state->view.message, "many"));
    assert_false(state->view.can_undo);
    const struct lab_cell nowhere = {LAB_Q, 7, 99, 99};
    wish_number(state, nowhere, 1, 2);
    assert_false(state->view.can_undo);
    closed(state);
}

static void an_operand_leads_back_and_backspace_forward(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct view_wish back = {.kind = VIEW_WISH_WALK,
                                   .index = LAB_PROJECT,
                                   .selection = {.query = 1, .channel = 2, .projected = LAB_Q}};
    app_state_apply(state, &back, 1);
    assert_int_equal(state->view.stage, LAB_PROJECT);
    assert_int_equal(state->view.pinned.channel, 2);
    app_command_run(state, "walk forward", 0, 2);
    assert_int_equal(state->view.stage, LAB_SCORE);
    assert_int_equal(state->view.pinned.key, 0);
    app_command_run(state, "walk forward", 0, 3);
    assert_int_equal(state->view.stage, LAB_SCORE);
    for (int i = 0; i < 3 * APP_TRAIL_MAX; i++) {
        app_state_apply(state, &back, 4 + i);
    }
    assert_int_equal(state->trail_count, APP_TRAIL_MAX);
    closed(state);
}

static void what_was_kept_stays_while_the_present_changes(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_command_run(state, "compare", 0, 1);
    assert_int_equal(state->view.compare, VIEW_COMPARE_SIDE);
    insert(state, 4, "bird", 2);
    assert_int_equal(lab_trace_sizes(state->kept).n, 4);
    assert_int_equal(lab_trace_sizes(state->trace).n, 5);
    app_command_run(state, "compare", 0, 3);
    assert_int_equal(state->view.compare, VIEW_COMPARE_DIFFERENCE);
    app_command_run(state, "forget", 0, 4);
    assert_null(state->kept);
    assert_int_equal(state->view.compare, VIEW_COMPARE_NOT);
    closed(state);
}

static void a_lesson_is_walked_through_and_its_guess_is_revealed(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_true(state->view.steps >= 5);
    assert_true(strlen(state->view.caption) > 10);
    size_t guesses = 0;
    for (size_t i = 0; i < 4 * state->view.steps; i++) {
        const size_t at = state->view.step;
        const bool guess = state->view.guess != LAB_GUESS_NONE && !state->view.revealed;
        app_command_run(state, "step", 1, (double)i);
        if (guess) {
            guesses++;
            assert_int_equal(state->view.step, at);
            assert_true(state->view.revealed);
        }
        assert_non_null(state->trace);
    }
    assert_true(guesses > 0);
    assert_int_equal(state->view.step, state->view.steps - 1);
    app_command_run(state, "step", -1, 99);
    assert_int_equal(state->view.step, state->view.steps - 2);
    closed(state);
}

static void every_lesson_opens_and_every_step_computes(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    for (size_t lesson = 0; lesson < lab_lesson_count(); lesson++) {
        assert_true(app_state_lesson(state, lesson, 1));
        for (size_t step = 0; step < state->view.steps; step++) {
            app_lesson_go(state, step, 2);
            assert_non_null(state->trace);
        }
    }
    closed(state);
}

static void what_is_saved_comes_back_to_the_bit(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/attnscope-session-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64];
    snprintf(path, sizeof path, "%s/one.json", folder);
    struct app_state *state = opened("ten");
    app_lesson_close(state);
    wish_number(state, (struct lab_cell){LAB_Q, 3, 4, 5}, 0.1, 1);
    app_command_run(state, "stage", LAB_BLEND, 2);
    state->view.pinned.head = 3;
    state->view.camera.azimuth = 12.5f;
    struct error error = {0};
    if (!app_lesson_save(state, path, &error)) {
        fail_msg("%s", error.text);
    }
    struct app_state *other = opened("cats");
    if (!app_lesson_read(other, path, 1, &error)) {
        fail_msg("%s", error.text);
    }
    assert_true(lab_experiment_equal(&state->experiment, &other->experiment));
    assert_int_equal(other->view.stage, LAB_BLEND);
    assert_int_equal(other->view.pinned.head, 3);
    assert_true(other->view.camera.azimuth == 12.5f);
    const struct lab_matrix a = lab_trace_part(state->trace, LAB_OUTPUT_O, 0);
    const struct lab_matrix b = lab_trace_part(other->trace, LAB_OUTPUT_O, 0);
    assert_memory_equal(a.values, b.values, a.rows * a.cols * sizeof(float));
    remove(path);
    remove(folder);
    closed(state);
    closed(other);
}

static void a_file_that_is_no_lesson_is_answered_and_changes_nothing(void **unused)
{
    (void)unused;
    char path[] = "/tmp/attnscope-session-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "{\"format\": 7}\n", 14), 14);
    close(file);
    struct app_state *state = opened("cats");
    struct error error = {0};
    assert_false(app_lesson_read(state, path, 1, &error));
    assert_true(strlen(error.text) > 10);
    assert_false(app_lesson_read(state, "/nowhere/at/all.json", 1, &error));
    expect_words(state, "cat dog lion NYC");
    assert_false(state->view.can_undo);
    remove(path);
    closed(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_opens_on_the_cats_with_dog_to_cat_at_score),
        cmocka_unit_test(an_unknown_lesson_is_refused_with_its_name),
        cmocka_unit_test(undo_brings_back_what_was_and_redo_what_came),
        cmocka_unit_test(a_new_change_after_undo_forgets_what_was_undone),
        cmocka_unit_test(one_drag_of_a_slider_is_one_step_of_undo),
        cmocka_unit_test(hundreds_of_changes_keep_the_newest),
        cmocka_unit_test(words_can_be_replaced_removed_and_moved),
        cmocka_unit_test(the_last_word_may_go_and_the_next_comes),
        cmocka_unit_test(too_many_words_keep_the_first_and_say_so),
        cmocka_unit_test(a_word_more_in_a_lesson_of_given_numbers_leaves_them_and_undo_returns),
        cmocka_unit_test(selection_stays_inside_when_words_go),
        cmocka_unit_test(hover_lies_over_the_pinned_selection_part_by_part),
        cmocka_unit_test(numbers_out_of_reach_are_brought_into_reach),
        cmocka_unit_test(a_temperature_of_zero_says_why_and_undo_helps),
        cmocka_unit_test(play_walks_through_every_stage_and_stops),
        cmocka_unit_test(every_stroke_of_the_table_runs_a_command_that_exists),
        cmocka_unit_test(heads_go_round_and_queries_stop_at_the_ends),
        cmocka_unit_test(the_theme_takes_its_colour_map_along_unless_one_was_chosen),
        cmocka_unit_test(the_dice_make_other_numbers_and_undo_the_former),
        cmocka_unit_test(anything_is_found_by_a_part_of_its_name),
        cmocka_unit_test(undo_says_what_it_would_take_back),
        cmocka_unit_test(a_number_typed_over_is_followed_by_all_and_is_one_step_of_undo),
        cmocka_unit_test(esc_in_a_number_leaves_what_stood_there),
        cmocka_unit_test(a_dot_gives_the_former_number_back),
        cmocka_unit_test(weights_typed_by_hand_blend_the_values_by_hand),
        cmocka_unit_test(text_where_a_number_belongs_is_answered_and_changes_nothing),
        cmocka_unit_test(an_operand_leads_back_and_backspace_forward),
        cmocka_unit_test(what_was_kept_stays_while_the_present_changes),
        cmocka_unit_test(a_lesson_is_walked_through_and_its_guess_is_revealed),
        cmocka_unit_test(every_lesson_opens_and_every_step_computes),
        cmocka_unit_test(what_is_saved_comes_back_to_the_bit),
        cmocka_unit_test(a_file_that_is_no_lesson_is_answered_and_changes_nothing),
        cmocka_unit_test(copy_gives_the_result_as_tab_separated_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
