/* Actions of the person: changes, undo, selection, stages, keys; all without a window. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/actions/commands.h"
#include "app/actions/find.h"
#include "app/actions/startup.h"
#include "app/actions/step.h"
#include "app/document/token_edit.h"
#include "app/open/lesson.h"
#include "base/text.h"
#include "desk.h"
#include "lab/lesson/lessons.h"

static void it_opens_on_the_cats_with_dog_to_cat_at_score(void **unused)
{
    (void)unused;
    struct app_state *state = opened(NULL);
    expect_words(state, "cat dog lion NYC");
    assert_int_equal(state->view.playback.stage, LAB_SCORE);
    assert_int_equal(state->view.pinned.query, 1);
    assert_int_equal(state->view.pinned.key, 0);
    assert_non_null(state->document.trace);
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
    action_field(state, LAB_PARAM_HEADS, 3, 2);
    assert_int_equal(state->document.experiment.heads, 3);
    document_undo(&state->document, 0);
    assert_int_equal(state->document.experiment.heads, 1);
    document_undo(&state->document, 0);
    expect_words(state, "cat dog lion NYC");
    assert_false(state->view.can_undo);
    document_undo(&state->document, 0);
    expect_words(state, "cat dog lion NYC");
    document_redo(&state->document, 0);
    document_redo(&state->document, 0);
    expect_words(state, "cat dog lion NYC bird fish");
    assert_int_equal(state->document.experiment.heads, 3);
    assert_false(state->view.can_redo);
    closed(state);
}

static void a_new_change_after_undo_forgets_what_was_undone(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    insert(state, 0, "bird", 1);
    document_undo(&state->document, 0);
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
        action_field(state, LAB_PARAM_TEMPERATURE, 1 + 0.1 * (i + 1), 5 + 0.05 * i);
    }
    assert_true(fabsf(state->document.experiment.temperature - 3) < 1e-6f);
    document_undo(&state->document, 0);
    assert_true(state->document.experiment.temperature == 1);
    assert_false(state->view.can_undo);
    closed(state);
}

static void hundreds_of_changes_keep_the_newest(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    for (int i = 0; i < 3 * DOCUMENT_STEPS_MAX; i++) {
        action_field(state, LAB_PARAM_TEMPERATURE, 1.5 + i, 10.0 * i);
    }
    int steps = 0;
    while (state->view.can_undo) {
        document_undo(&state->document, 0);
        steps++;
    }
    assert_int_equal(steps, 1000);
    closed(state);
}

static void words_can_be_replaced_removed_and_moved(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_state_apply(
        state,
        &(struct view_action){.kind = VIEW_ACTION_REPLACE, .token = {.at = 1, .text = "big bird"}},
        1);
    expect_words(state, "cat big bird lion NYC");
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 1}},
                    2);
    expect_words(state, "cat bird lion NYC");
    app_state_apply(
        state, &(struct view_action){.kind = VIEW_ACTION_MOVE, .token = {.at = 0, .before = 4}}, 3);
    expect_words(state, "bird lion NYC cat");
    app_state_apply(
        state, &(struct view_action){.kind = VIEW_ACTION_MOVE, .token = {.at = 3, .before = 1}}, 4);
    expect_words(state, "bird cat lion NYC");
    assert_int_equal(state->view.pinned.query, 1);
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 99}},
                    5);
    expect_words(state, "bird cat lion NYC");
    closed(state);
}

static void the_last_word_may_go_and_the_next_comes(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    for (int i = 0; i < 4; i++) {
        app_state_apply(state,
                        &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}}, i);
    }
    assert_null(state->document.trace);
    assert_int_equal(state->document.error.code, ERROR_NONE);
    insert(state, 0, "owl", 9);
    assert_non_null(state->document.trace);
    assert_int_equal(lab_trace_sizes(state->document.trace).n, 1);
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
    assert_non_null(state->view.message);
    app_settle_tasks(state, 1);
    assert_int_equal(lab_words_count(state->document.experiment.tokens), LAB_TOKENS_MAX);
    document_undo(&state->document, 0);
    expect_words(state, "cat dog lion NYC");
    free(page);
    closed(state);
}

static void words_that_are_refused_leave_what_is_chosen(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    static char word[LAB_WORD_BYTES_MAX + 2];
    memset(word, 'a', LAB_WORD_BYTES_MAX + 1);
    state->view.pinned.query = state->view.pinned.key = 2;
    insert(state, 0, word, 1);
    assert_int_equal(state->document.at, 0);
    assert_non_null(state->view.message);
    assert_int_equal(state->view.pinned.query, 2);
    assert_int_equal(state->view.pinned.key, 2);
    closed(state);
}

static void what_other_words_cannot_keep_is_named(void **unused)
{
    (void)unused;
    struct app_state *state = opened("race");
    assert_non_null(state->document.experiment.q);
    insert(state, 0, "Who", 1);
    assert_null(state->document.experiment.q);
    assert_non_null(strstr(state->view.message, "Q, K and V"));
    document_undo(&state->document, 2);
    assert_non_null(state->document.experiment.q);
    closed(state);
}

/* A text is cut behind a letter, and what was left is said. */
static void of_a_long_text_the_beginning_is_taken_and_said(void **unused)
{
    (void)unused;
    static const char letter[] = "👩‍👩‍👧";
    const size_t size = sizeof letter - 1, words = 40, each = 100;
    struct app_state *state = opened("cats");
    char *page = malloc(words * each * size + words + 1), *at = page;
    assert_non_null(page);
    for (size_t w = 0; w < words; w++) {
        for (size_t i = 0; i < each; i++, at += size) {
            memcpy(at, letter, size);
        }
        *at++ = ' ';
    }
    *at = '\0';
    assert_true(strlen(page) > APP_TOKEN_EDIT_BYTES_MAX);
    insert(state, 0, page, 1);
    assert_string_equal(state->view.message, "Only the first 64 KB of the text were taken.");
    const size_t count = lab_words_count(state->document.experiment.tokens);
    const char *const last = lab_words_list(state->document.experiment.tokens)[count - 5];
    assert_int_equal(count, 4 + 1 + APP_TOKEN_EDIT_BYTES_MAX / (each * size + 1));
    assert_true(strlen(last) > size);
    assert_int_equal(strlen(last) % size, 0);
    free(page);
    closed(state);
}

static void a_word_more_in_a_lesson_of_given_numbers_leaves_them_and_undo_returns(void **unused)
{
    (void)unused;
    struct app_state *state = opened("race");
    assert_true(lab_trace_sizes(state->document.trace).raw);
    insert(state, 2, "cat", 1);
    assert_non_null(state->document.trace);
    assert_false(lab_trace_sizes(state->document.trace).raw);
    assert_non_null(state->view.message);
    document_undo(&state->document, 0);
    assert_true(lab_trace_sizes(state->document.trace).raw);
    closed(state);
}

static void selection_stays_inside_when_words_go(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    state->view.pinned.query = 3;
    state->view.pinned.key = 3;
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 3}},
                    1);
    assert_int_equal(state->view.pinned.query, 2);
    assert_int_equal(state->view.pinned.key, 2);
    closed(state);
}

static void the_selection_follows_its_word(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_int_equal(state->view.pinned.query, 1);
    insert(state, 0, "fox owl", 1);
    assert_int_equal(state->view.pinned.query, 3);
    assert_int_equal(state->view.pinned.key, 2);
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}},
                    2);
    assert_int_equal(state->view.pinned.query, 2);
    insert(state, 5, "late", 3);
    assert_int_equal(state->view.pinned.query, 2);
    closed(state);
}

static void hover_lies_over_the_pinned_selection_part_by_part(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct view_action hover = {.kind = VIEW_ACTION_HOVER,
                                      .select = {.parts = VIEW_KEY, .to = {.query = 3, .key = 2}}};
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
    action_field(state, LAB_PARAM_HEADS, 1e9, 1);
    assert_int_equal(state->document.experiment.heads, LAB_HEADS_MAX);
    action_field(state, LAB_PARAM_HEADS, -5, 20);
    assert_int_equal(state->document.experiment.heads, 1);
    action_field(state, LAB_PARAM_D_K, 1e30, 40);
    assert_int_equal(state->document.experiment.d_k, LAB_SIZE_MAX);
    action_field(state, LAB_PARAM_D_K, (double)NAN, 60);
    assert_int_equal(state->document.experiment.d_k, 0);
    action_field(state, LAB_PARAM_HEADS, 3, 80);
    action_field(state, LAB_PARAM_HEADS, (double)NAN, 100);
    assert_int_equal(state->document.experiment.heads, 1);
    closed(state);
}

static void a_temperature_of_zero_says_why_and_undo_helps(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    action_field(state, LAB_PARAM_TEMPERATURE, 0, 1);
    assert_null(state->document.trace);
    assert_true(strlen(state->document.error.text) > 10);
    document_undo(&state->document, 0);
    assert_non_null(state->document.trace);
    closed(state);
}

static void play_walks_through_every_stage_and_stops(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_command_run(state, "stage", LAB_EMBED, 0);
    app_command_run(state, "play", 0, 0);
    assert_true(state->view.playback.playing);
    bool seen[LAB_STAGES] = {false};
    double time = 0;
    for (int i = 0; i < 4000 && state->view.playback.playing; i++) {
        time += 1.0 / 60;
        app_state_advance(state, time, false);
        assert_true(state->view.playback.position >= 0 && state->view.playback.position <= 1);
        seen[state->view.playback.stage] = true;
    }
    assert_false(state->view.playback.playing);
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        assert_true(seen[stage]);
    }
    assert_int_equal(state->view.playback.stage, LAB_OUTPUT);
    assert_true(state->view.playback.position == 1);
    closed(state);
}

/* Keys of another text have rows of their own: more than there are queries. */
static void play_passes_every_key_of_another_text_and_no_query_beyond_the_last(void **unused)
{
    (void)unused;
    static const char *const words[] = {"a", "b", "c", "d", "e"};
    enum { KEYS = 5 };
    struct error error = {ERROR_NONE, 0, ""};
    struct app_state *state = opened("cats");
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    lab_words_release(next.context);
    next.context = lab_words_make(words, KEYS, &error);
    document_change(&state->document, &next, "words", 0);
    lab_experiment_release(&next);
    assert_non_null(state->document.trace);
    app_command_run(state, "stage", LAB_PROJECT, 0);
    state->view.pinned.projected = LAB_K;
    app_command_run(state, "play", 0, 0);
    const size_t n = lab_trace_sizes(state->document.trace).n;
    bool seen[KEYS] = {false};
    for (double time = 0; time < 60 && state->view.playback.stage == LAB_PROJECT;) {
        time += 1.0 / 60;
        app_state_advance(state, time, false);
        const struct lab_selection at = app_state_selection(state);
        assert_true(at.query < n && at.key < KEYS);
        seen[at.key] = true;
    }
    for (size_t k = 0; k < KEYS; k++) {
        assert_true(seen[k]);
    }
    closed(state);
}

static void every_stroke_of_the_table_runs_a_command_that_exists(void **unused)
{
    (void)unused;
    struct app_state *state = opened("ten");
    const uint32_t strokes[] = {UI_KEY_RIGHT, UI_KEY_LEFT, UI_KEY_UP,    UI_KEY_DOWN,
                                UI_KEY_HOME,  UI_KEY_END,  UI_KEY_SPACE, '1',
                                '7',          't',         'h',          's',
                                'c',          'g',         UI_KEY_F1,    UI_KEY_ESCAPE};
    for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++) {
        const struct ui_input input = {
            .stroke = {{strokes[i], 0}}, .strokes = 1, .time = (double)i};
        assert_true(app_keys_apply(state, &input));
    }
    const struct ui_input odd = {.stroke = {{'n', 0}}, .strokes = 1};
    assert_false(app_keys_apply(state, &odd));
    closed(state);
}

static void heads_go_round_and_queries_stop_at_the_ends(void **unused)
{
    (void)unused;
    struct app_state *state = opened("ten");
    const size_t heads = lab_trace_sizes(state->document.trace).heads;
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
    assert_int_equal(state->view.pinned.query, lab_trace_sizes(state->document.trace).n - 1);
    closed(state);
}

static void the_theme_takes_its_colour_map_along_unless_one_was_chosen(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_string_equal(state->view.prefs.weights_map->title, "Blues");
    app_command_run(state, "theme", 0, 1);
    assert_true(state->theme->dark);
    assert_string_equal(state->view.prefs.weights_map->title, "Night");
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_COLOURMAP, .text = "viridis"},
                    2);
    app_command_run(state, "theme", 0, 3);
    assert_false(state->theme->dark);
    assert_string_equal(state->view.prefs.weights_map->title, "Viridis");
    closed(state);
}

static void the_dice_make_other_numbers_and_undo_the_former(void **unused)
{
    (void)unused;
    struct app_state *state = opened("ten");
    const float former = lab_trace_part(state->document.trace, LAB_SCORES, 0).values[0];
    app_command_run(state, "roll", 0, 1);
    assert_true(lab_trace_part(state->document.trace, LAB_SCORES, 0).values[0] != former);
    document_undo(&state->document, 0);
    assert_true(lab_trace_part(state->document.trace, LAB_SCORES, 0).values[0] == former);
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

/* A line of the sheet of keys holds several: each command is told its own. */
static void what_is_found_tells_the_one_key_that_does_it(void **unused)
{
    (void)unused;
    static const struct {
        const char *typed, *title, *key;
    } rows[] = {
        {"looks only", "Weights: the query looks only at the key", "Alt+W"},
        {"looks equally", "Weights: the query looks equally at all keys", "Alt+⇧ W"},
        {"next query", "Next query", "↓"},
        {"previous key", "Previous key", "⇧ ↑"},
        {"interface smaller", "Interface smaller", "Ctrl+−"},
        {"play slower", "Play slower", "["},
        {"kind causal window", "Kind of attention: Causal window", "i − W < j ≤ i"},
    };
    struct app_state *state = opened("cats");
    app_command_run(state, "find", 0, 1);
    app_find_prepare(state);
    assert_string_not_equal(state->find_rows[0].title, "Undo the last change"); /* of nothing yet */
    app_find_type(state, "window");
    assert_string_not_equal(state->find_rows[0].title, "Close the window");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        app_find_type(state, rows[i].typed);
        assert_true(state->view.find_count > 0);
        assert_string_equal(state->find_rows[0].title, rows[i].title);
        assert_string_equal(state->find_rows[0].hint, rows[i].key);
    }
    app_find_take(state, 0, 2);
    assert_int_equal(state->document.experiment.mask, LAB_MASK_CAUSAL_WINDOW);
    app_command_run(state, "undo", 0, 3);
    app_command_run(state, "find", 0, 4);
    app_find_type(state, "redo what");
    assert_string_equal(state->find_rows[0].hint, "Ctrl+Y   Ctrl+⇧ Z");
    closed(state);
}

static void anything_is_found_by_a_part_of_its_name(void **unused)
{
    (void)unused;
    struct app_state *state = opened("ten");
    app_command_run(state, "find", 0, 1);
    app_find_prepare(state);
    assert_true(state->view.overlay == VIEW_OVERLAY_FIND);
    assert_int_equal(state->view.find_count, APP_FIND_MAX);
    app_find_type(state, "HEAD 7");
    assert_int_equal(state->view.find_count, 1);
    app_find_take(state, 0, 2);
    assert_false(state->view.overlay == VIEW_OVERLAY_FIND);
    assert_int_equal(state->view.pinned.head, 6);
    app_command_run(state, "find", 0, 3);
    app_find_type(state, "theme");
    assert_string_equal(state->find_rows[0].title, "Light or dark");
    assert_string_equal(state->find_rows[0].hint, "T");
    app_find_take(state, 0, 4);
    assert_true(state->theme->dark);
    app_command_run(state, "find", 0, 5);
    app_find_type(state, "causal"); /* exactly what a lesson is called */
    assert_int_equal(state->find_actions[0].kind, APP_FIND_LESSON);
    app_find_type(state, "causal mask");
    assert_true(state->view.find_count > 0);
    app_find_take(state, 0, 5);
    assert_int_equal(state->document.experiment.mask, LAB_MASK_CAUSAL);
    app_command_run(state, "find", 0, 5);
    app_find_type(state, "no such thing");
    assert_int_equal(state->view.find_count, 0);
    app_find_take(state, 0, 6);
    assert_true(state->view.overlay == VIEW_OVERLAY_FIND);
    closed(state);
}

/* A setting takes its value behind its name, or behind one of its other names. */
static void settings_take_values_by_name(void **unused)
{
    (void)unused;
    static const struct {
        const char *typed, *title;
        enum lab_param_id param;
        double value;
    } rows[] = {
        {"no W_O", "Setting: output weights W_O off", LAB_PARAM_SKIP_W_O, 1},
        {"w-o on", "Setting: output weights W_O on", LAB_PARAM_SKIP_W_O, 0},
        {"heads 4", "Setting: heads 4", LAB_PARAM_HEADS, 4},
        {"random weights", "Setting: weights random", LAB_PARAM_WEIGHTS, LAB_WEIGHTS_RANDOM},
        {"seed 7", "Setting: seed 7", LAB_PARAM_SEED, 7},
        {"temperature 0.5", "Setting: temperature 0.5", LAB_PARAM_TEMPERATURE, 0.5},
        {"scale off", "Setting: scale by 1/√dₖ off", LAB_PARAM_SCALE, 0},
        {"subtract-max off", "Setting: subtract the row’s maximum off", LAB_PARAM_KEEP_MAXIMUM, 1},
        {"mask causal", "Setting: mask causal", LAB_PARAM_MASK, LAB_MASK_CAUSAL},
        {"no mask", "Setting: mask none", LAB_PARAM_MASK, LAB_MASK_NONE},
        {"window 2", "Setting: mask window 2", LAB_PARAM_MASK_SIZE, 2},
        {"mask window:3", "Setting: mask window:3", LAB_PARAM_MASK_SIZE, 3},
        {"no ma", "Setting: mask none", LAB_PARAM_MASK, LAB_MASK_NONE},
        {"4 heads", "Setting: heads 4", LAB_PARAM_HEADS, 4},
        {"gqa 2", "Setting: kind of attention gqa 2", LAB_PARAM_GROUPS, 2},
        {"dk 5", "Setting: key size 5", LAB_PARAM_D_K, 5},
        {"positions rope", "Setting: positions rope", LAB_PARAM_POSITIONS, LAB_POSITIONS_ROPE},
        {"heads default", "Setting: heads default", LAB_PARAM_HEADS, 1},
    };
    struct app_state *state = opened("cats");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        app_command_run(state, "find", 0, 2 * (double)i);
        app_find_type(state, rows[i].typed);
        assert_true(state->view.find_count > 0);
        assert_string_equal(state->find_rows[0].title, rows[i].title);
        app_find_take(state, 0, 2 * (double)i + 1);
        const double value =
            lab_param_get(lab_param_row(rows[i].param), &state->document.experiment);
        assert_true(!(value < rows[i].value) && !(value > rows[i].value));
    }
    app_command_run(state, "find", 0, 50);
    app_find_type(state, "heads 0"); /* out of range */
    assert_int_equal(state->view.find_count, 0);
    app_find_type(state, "bias");
    assert_string_equal(state->find_rows[0].title, "Stage 2: Project");
    app_find_type(state, "ten");
    size_t row = 0;
    while (row < state->view.find_count && strncmp(state->find_rows[row].title, "Lesson", 6) != 0) {
        row++;
    }
    assert_true(row < state->view.find_count);
    assert_string_equal(state->find_rows[row].title, "Lesson: Ten tokens, 64 dimensions");
    app_find_type(state, "new");
    for (row = 0; row < state->view.find_count; row++) {
        if (strcmp(state->find_rows[row].title, "Settings: all back to their defaults") == 0) {
            break;
        }
    }
    assert_true(row < 2); /* beside what saves under a new name */
    app_find_take(state, row, 51);
    assert_int_equal(state->document.experiment.positions, LAB_POSITIONS_NONE);
    assert_true(state->document.experiment.scale && state->document.experiment.seed == 42);
    assert_true(lab_words_count(state->document.experiment.tokens) > 0);
    closed(state);
}

/* The exceptions are the field for names itself, commands with rows of their own (the stages),
 * those of Esc (the presenter mode has its row), and the answers to the question when a window is
 * closed. */
static void every_command_is_found_by_its_title(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    const struct app_command *command = NULL;
    for (size_t i = 0; (command = app_command_at(i)) != NULL; i++) {
        static const char *const other[] = {"find", "stage",          "moment",       "close",
                                            "end",  "save and close", "close anyway", "stay"};
        bool is_other = false;
        for (size_t o = 0; o < sizeof other / sizeof *other; o++) {
            is_other = is_other || strcmp(other[o], command->name) == 0;
        }
        app_command_run(state, "find", 0, 1);
        app_find_type(state, command->title != NULL ? command->title : command->name);
        bool found = false;
        for (size_t r = 0; r < state->view.find_count; r++) {
            const char *const name = state->find_actions[r].command;
            found = found || (name != NULL && strcmp(name, command->name) == 0);
        }
        if (!found && !is_other) {
            fail_msg("%s is not found by “%s”", command->name,
                     command->title != NULL ? command->title : "");
        }
    }
    closed(state);
}

static void what_has_a_direction_is_found_each_way(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    app_command_run(state, "find", 0, 1);
    app_find_type(state, "next query");
    app_find_take(state, 0, 2);
    assert_int_equal(state->view.pinned.query, 2);
    app_command_run(state, "find", 0, 3);
    app_find_type(state, "previous query");
    app_find_take(state, 0, 4);
    assert_int_equal(state->view.pinned.query, 1);
    closed(state);
}

static void undo_says_what_it_would_take_back(void **unused)
{
    (void)unused;
    struct app_state *state = opened("cats");
    assert_null(state->view.undo_name);
    insert(state, 4, "bird", 1);
    assert_string_equal(state->view.undo_name, "add bird");
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 0}},
                    2);
    assert_string_equal(state->view.undo_name, "remove cat");
    document_undo(&state->document, 0);
    assert_string_equal(state->view.undo_name, "add bird");
    assert_string_equal(state->view.redo_name, "remove cat");
    insert(state, 0, "ドイツ語の動物たちはとても大きくて強い", 3); /* cut between letters */
    assert_non_null(strstr(state->view.undo_name, "add ドイツ"));
    assert_null(strstr(state->view.undo_name, "\xef\xbf\xbd"));
    size_t at = 0;
    while (at < strlen(state->view.undo_name)) {
        assert_true(text_next(state->view.undo_name, strlen(state->view.undo_name), &at) != 0xFFFD);
    }
    app_state_apply(state, &(struct view_action){.kind = VIEW_ACTION_LESSON, .lesson = 2}, 4);
    assert_string_equal(state->view.undo_name, lab_lesson_title(2));
    closed(state);
}

static void a_value_out_of_range_is_told_the_range(void **unused)
{
    (void)unused;
    static const struct {
        const char *typed, *note;
    } rows[] = {
        {"heads 999", "heads: 1 to 256"},
        {"temperature 0", "temperature: 0.01 to 100"},
        {"key size 2.5", "key size: 1 to 4096"},
        {"positions left", "positions: none, sinusoidal, rope"},
        {"residual maybe", "residual: on or off"},
    };
    struct app_state *state = opened("cats");
    app_command_run(state, "find", 0, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        app_find_type(state, rows[i].typed);
        if (state->view.find_count > 0) {
            fail_msg("“%s” finds “%s”", rows[i].typed, state->find_rows[0].title);
        }
        assert_non_null(state->view.find_note);
        assert_string_equal(state->view.find_note, rows[i].note);
    }
    app_find_type(state, "no such thing");
    assert_null(state->view.find_note);
    closed(state);
}

/* A value that changes nothing made an empty step of history, and said nothing. */
static void a_value_without_effect_is_no_step_and_says_why(void **unused)
{
    (void)unused;
    static const struct {
        const char *typed, *why;
    } rows[] = {
        {"seed 9", "Nothing is random here: another seed changes nothing."},
        {"groups 2", "“groups” changes nothing here; it does with: kind of attention gqa."},
        {"gqa 2", "1 head cannot be shared out evenly to 2 groups"},
    };
    struct app_state *state = opened("cats");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        app_command_run(state, "find", 0, (double)i);
        app_find_type(state, rows[i].typed);
        assert_true(state->view.find_count > 0);
        app_find_take(state, 0, (double)i);
        assert_int_equal(state->document.history.count, 1);
        assert_non_null(state->view.message);
        if (strstr(state->view.message, rows[i].why) == NULL) {
            fail_msg("“%s” says: %s", rows[i].typed, state->view.message);
        }
    }
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
        cmocka_unit_test(words_that_are_refused_leave_what_is_chosen),
        cmocka_unit_test(what_other_words_cannot_keep_is_named),
        cmocka_unit_test(too_many_words_keep_the_first_and_say_so),
        cmocka_unit_test(of_a_long_text_the_beginning_is_taken_and_said),
        cmocka_unit_test(a_word_more_in_a_lesson_of_given_numbers_leaves_them_and_undo_returns),
        cmocka_unit_test(selection_stays_inside_when_words_go),
        cmocka_unit_test(the_selection_follows_its_word),
        cmocka_unit_test(hover_lies_over_the_pinned_selection_part_by_part),
        cmocka_unit_test(numbers_out_of_reach_are_brought_into_reach),
        cmocka_unit_test(a_temperature_of_zero_says_why_and_undo_helps),
        cmocka_unit_test(play_walks_through_every_stage_and_stops),
        cmocka_unit_test(play_passes_every_key_of_another_text_and_no_query_beyond_the_last),
        cmocka_unit_test(every_stroke_of_the_table_runs_a_command_that_exists),
        cmocka_unit_test(heads_go_round_and_queries_stop_at_the_ends),
        cmocka_unit_test(the_theme_takes_its_colour_map_along_unless_one_was_chosen),
        cmocka_unit_test(the_dice_make_other_numbers_and_undo_the_former),
        cmocka_unit_test(copy_gives_the_result_as_tab_separated_numbers),
        cmocka_unit_test(anything_is_found_by_a_part_of_its_name),
        cmocka_unit_test(what_is_found_tells_the_one_key_that_does_it),
        cmocka_unit_test(settings_take_values_by_name),
        cmocka_unit_test(a_value_out_of_range_is_told_the_range),
        cmocka_unit_test(a_value_without_effect_is_no_step_and_says_why),
        cmocka_unit_test(every_command_is_found_by_its_title),
        cmocka_unit_test(what_has_a_direction_is_found_each_way),
        cmocka_unit_test(undo_says_what_it_would_take_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
