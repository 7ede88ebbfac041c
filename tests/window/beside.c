/* Long work is done beside the window: changes of many words, sessions, copies, word vectors. */
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
#include "app/document/paste.h"
#include "app/export/copy.h"
#include "app/open/drop.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "hands.h"
#include "lab/dump/dump.h"

enum { WORDS = 600, ROWS = 512, HEADS = 2 };

/* As many words as a frame cannot wait for. */
static struct hands *hands_on_words(void)
{
    struct hands *const hands = hands_open("cats", 1440, 900);
    static char text[WORDS][8];
    static const char *word[WORDS];
    struct lab_experiment many;
    lab_experiment_copy(&many, &hands->state->document.experiment);
    for (size_t w = 0; w < WORDS; w++) {
        snprintf(text[w], sizeof text[w], "w%zu", w);
        word[w] = text[w];
    }
    assert_true(lab_experiment_set_tokens(&many, word, WORDS, NULL));
    document_change(&hands->state->document, &many, "many words", 0);
    assert_true(document_is_pending(&hands->state->document));
    hands_settle(hands);
    lab_experiment_release(&many);
    hands->input.time += 10; /* the message about the colours is gone by then */
    hands_frame(hands);
    return hands;
}

static void the_chosen_first_word_of_hundreds_has_its_name(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    hands->state->view.pinned.key = 0;
    hands_click(hands, "Score");
    hands_frame(hands);
    hands_expect_not(hands, "…");
    hands_expect(hands, "w0");
    hands_close(hands);
}

static void finish_tasks(struct hands *hands)
{
    hands_wait_for_tasks(hands);
    hands_frame(hands);
}

static void run_command(struct hands *hands, const char *command)
{
    assert_true(app_command_run(hands->state, command, 0, hands->input.time));
}

/* The window answers: another theme stands there in the next frame. */
static void must_answer(struct hands *hands)
{
    const struct ui_theme *const theme = hands->state->theme;
    hands->input.time += 1; /* so that what takes long is announced */
    run_command(hands, "theme");
    hands_step(hands);
    assert_ptr_not_equal(hands->state->theme, theme);
}

static void set_temperature(struct hands *hands, double number)
{
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_FIELD,
                              .setting = {.field = LAB_PARAM_TEMPERATURE, .number = number}},
        hands->input.time);
}

static float weight_at(const struct hands *hands, size_t query, size_t key)
{
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, 0);
    return lab_matrix_at(&alpha, query, key);
}

static void a_change_of_many_words_is_computed_beside_the_window(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    hands_show_settings(hands);
    const float former = weight_at(hands, 3, 4);
    set_temperature(hands, 0.37);
    assert_int_equal(hands->state->document.at, 1); /* what stood there stays, … */
    assert_true(hands->state->document.experiment.temperature == 1);
    assert_true(weight_at(hands, 3, 4) == former);
    must_answer(hands);
    hands_expect(hands, "0.37"); /* the slider is where the hand left it */
    finish_tasks(hands);
    assert_int_equal(hands->state->document.at, 2); /* … until it is done */
    assert_true(hands->state->document.experiment.temperature == 0.37f);
    assert_true(weight_at(hands, 3, 4) != former);
    hands_expect_part(hands, "600 tokens");
    hands_close(hands);
}

static void cancel_leaves_everything_as_it_was(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    const uint64_t reading = hands_reading(hands);
    static const char *const ways[] = {"give up", "undo"};
    for (size_t w = 0; w < 2; w++) {
        set_temperature(hands, 0.25);
        run_command(hands, ways[w]);
        finish_tasks(hands);
        assert_int_equal(hands->state->document.at, 1);
        assert_int_equal(hands->state->document.history.count, 2 + w); /* undo: it can be redone */
        assert_true(hands_reading(hands) == reading);
    }
    set_temperature(hands, 0.5);
    run_command(hands, "give up");
    set_temperature(hands, 0.125); /* while the thread is at work for nobody */
    finish_tasks(hands);
    assert_int_equal(hands->state->document.at, 2);
    assert_true(hands->state->document.experiment.temperature == 0.125f);
    hands_close(hands);
}

static void changes_that_come_meanwhile_are_steps_of_history_each(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    set_temperature(hands, 0.5);
    set_temperature(hands, 0.25); /* the slider moves on: one step */
    run_command(hands, "causal mask");
    run_command(hands, "scale scores");
    assert_int_equal(hands->state->document.at, 1);
    finish_tasks(hands);
    assert_int_equal(hands->state->document.at, 4);
    assert_true(hands->state->document.experiment.temperature == 0.25f);
    assert_int_equal(hands->state->document.experiment.mask, LAB_MASK_CAUSAL);
    assert_true(weight_at(hands, 3, 4) == 0);
    struct lab_trace *const plain =
        lab_run(&hands->state->document.experiment, &hands->state->document.engine,
                NULL); /* and nothing is stale */
    const struct lab_matrix alpha = lab_trace_part(plain, LAB_ALPHA, 0);
    assert_true(lab_matrix_at(&alpha, 500, 17) == weight_at(hands, 500, 17));
    lab_trace_release(plain);
    assert_string_equal(hands->state->document.history.step[2].name, "temperature");
    assert_string_equal(hands->state->document.history.step[3].name, "mask");
    document_undo(&hands->state->document, 0);
    document_undo(&hands->state->document, 0);
    finish_tasks(hands);
    assert_int_equal(hands->state->document.experiment.mask, LAB_MASK_NONE);
    assert_true(hands->state->document.experiment.temperature == 0.25f);
    set_temperature(hands, 4);
    app_lesson_open(hands->state, 0, hands->input.time); /* something else: nobody waits */
    const size_t at = hands->state->document.at;
    finish_tasks(hands);
    assert_int_equal(hands->state->document.at, at);
    assert_true(hands->state->document.experiment.temperature == 1);
    hands_close(hands);
}

static void remove_word(struct hands *hands, size_t index)
{
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = index}},
                    hands->input.time);
}

static void a_word_that_goes_while_the_dice_are_computed_loses_neither(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    struct document *const document = &hands->state->document;
    hands->state->view.pinned.query = 5;
    run_command(hands, "roll");
    remove_word(hands, 0);
    remove_word(hands, 0);
    hands_frame(hands);
    hands_expect_not(hands, "w1"); /* the field at the top has the words as they will be */
    finish_tasks(hands);
    assert_int_equal(document->experiment.weights, LAB_WEIGHTS_RANDOM);
    assert_int_equal(lab_words_count(document->experiment.tokens), WORDS - 2);
    assert_int_equal(lab_trace_sizes(document->trace).n, WORDS - 2);
    assert_int_equal(hands->state->view.pinned.query, 3); /* the same word is chosen */
    assert_int_equal(document->at, 4);
    assert_string_equal(document->history.step[2].name, "roll the dice");
    document_undo(document, hands->input.time);
    document_undo(document, hands->input.time);
    finish_tasks(hands);
    assert_int_equal(document->experiment.weights, LAB_WEIGHTS_RANDOM);
    assert_int_equal(lab_words_count(document->experiment.tokens), WORDS);
    hands_close(hands);
}

static void undo_takes_back_the_last_of_what_is_computed_and_no_more(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    struct document *const document = &hands->state->document;
    run_command(hands, "scale scores");
    document_undo(document, hands->input.time);
    finish_tasks(hands); /* one step that can be done again */
    set_temperature(hands, 0.5);
    finish_tasks(hands);
    document_undo(document, hands->input.time);
    finish_tasks(hands);
    assert_int_equal(document->history.count, 3);
    run_command(hands, "roll");
    remove_word(hands, 0);
    run_command(hands, "undo"); /* the word is there again, the dice are still computed */
    assert_true(document_is_pending(document));
    finish_tasks(hands);
    assert_int_equal(document->experiment.weights, LAB_WEIGHTS_RANDOM);
    assert_int_equal(lab_words_count(document->experiment.tokens), WORDS);
    hands_close(hands);
}

/* The settings say what is being computed, the panels say that they are not there yet. */
static void what_is_not_computed_yet_is_said_in_every_panel(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    hands_expect_not(hands, "computing…");
    bool computes = false;
    for (size_t tries = 0; tries < 50 && !computes;
         tries++) { /* A fast machine may be done by then. */
        run_command(hands, "roll");
        assert_true(document_is_pending(&hands->state->document));
        hands_step(hands);
        computes = document_is_pending(&hands->state->document);
    }
    hands_expect_part(hands, "Computing what the settings say");
    assert_int_equal(hands_count(hands, "computing…"), 2);         /* space, heads */
    assert_int_equal(hands_count_part(hands, " · computing…"), 1); /* the status line */
    finish_tasks(hands);
    hands_wait(hands, 1);
    assert_int_equal(hands_count_part(hands, "omputing"), 0);
    hands_close(hands);
}

/* At the limit there are tokens, and no result. */
static void what_cannot_be_computed_still_has_its_tokens(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct lab_experiment next;
    lab_experiment_copy(&next, &hands->state->document.experiment);
    next.heads = 4;
    next.kind = LAB_GROUPED;
    next.groups = 3; /* do not share 4 heads out evenly */
    document_change(&hands->state->document, &next, "three groups", 1);
    lab_experiment_release(&next);
    hands_settle(hands);
    hands_frame(hands);
    hands_expect_not(hands, "no tokens");
    hands_expect_part(hands, "4 tokens · not computed: ");
    hands_close(hands);
}

/* Undo of what is being computed threw it away: redo had nothing to bring back. */
static void what_was_undone_while_it_was_computed_can_be_redone(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    struct document *const document = &hands->state->document;
    run_command(hands, "roll");
    remove_word(hands, 0);
    run_command(hands, "undo");
    run_command(hands, "undo");
    finish_tasks(hands);
    assert_int_equal(document->experiment.weights, LAB_WEIGHTS_IDENTITY);
    run_command(hands, "redo");
    assert_true(document_is_pending(document));
    run_command(hands, "redo");
    finish_tasks(hands);
    assert_int_equal(document->experiment.weights, LAB_WEIGHTS_RANDOM);
    assert_int_equal(lab_words_count(document->experiment.tokens), WORDS - 1);
    assert_string_equal(document->history.step[document->at - 1].name, "roll the dice");
    run_command(hands, "undo"); /* back on the way, and another way from there */
    run_command(hands, "undo");
    run_command(hands, "undo");
    run_command(hands, "causal mask");
    finish_tasks(hands);
    assert_int_equal(document->experiment.mask, LAB_MASK_CAUSAL);
    assert_int_equal(document->at, 1);
    assert_int_equal(document->history.count, 2);
    hands_close(hands);
}

/* A change while a step further back is computed, one step further back still, and another change:
 * each stands where it was made. */
static void a_change_stands_behind_the_step_it_was_made_to(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    struct document *const document = &hands->state->document;
    run_command(hands, "causal mask");
    run_command(hands, "scale scores");
    finish_tasks(hands);
    run_command(hands, "undo");
    set_temperature(hands, 0.5);
    run_command(hands, "undo");
    run_command(hands, "undo");
    remove_word(hands, 0);
    finish_tasks(hands);
    assert_int_equal(document->at, 2);
    assert_int_equal(document->history.count, 3);
    assert_int_equal(document->experiment.mask, LAB_MASK_NONE);
    assert_int_equal(lab_words_count(document->experiment.tokens), WORDS - 1);
    hands_close(hands);
}

static void giving_up_leaves_what_could_be_done_again(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    struct document *const document = &hands->state->document;
    set_temperature(hands, 0.5);
    finish_tasks(hands);
    document_undo(document, hands->input.time);
    finish_tasks(hands);
    run_command(hands, "roll");
    run_command(hands, "give up");
    finish_tasks(hands);
    assert_int_equal(document->at, 1);
    document_redo(document, hands->input.time);
    finish_tasks(hands);
    assert_true(document->experiment.temperature == 0.5f);
    hands_close(hands);
}

static void a_lesson_that_is_opened_while_the_dice_are_computed_loses_nothing(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    struct document *const document = &hands->state->document;
    run_command(hands, "roll");
    app_lesson_open(hands->state, 2, hands->input.time);
    finish_tasks(hands);
    assert_int_equal(document->at, 3);
    assert_string_equal(document->history.step[2].name, "roll the dice");
    document_undo(document, hands->input.time);
    finish_tasks(hands);
    assert_int_equal(document->experiment.weights, LAB_WEIGHTS_RANDOM);
    assert_int_equal(lab_words_count(document->experiment.tokens), WORDS);
    hands_close(hands);
}

static void a_paste_while_the_dice_are_computed_loses_neither(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    struct document *const document = &hands->state->document;
    app_state_go(hands->state, LAB_EMBED, hands->input.time);
    hands->state->view.armed = true;
    hands->state->view.edit_cell = (struct lab_cell){.part = LAB_EMBEDDINGS_X, .row = 7};
    run_command(hands, "roll");
    app_paste(hands->state, "12.5", hands->input.time);
    finish_tasks(hands);
    const struct lab_matrix x = lab_trace_part(document->trace, LAB_EMBEDDINGS_X, 0);
    assert_true(lab_matrix_at(&x, 7, 0) == 12.5f);
    assert_int_equal(document->experiment.weights, LAB_WEIGHTS_RANDOM);
    hands_close(hands);
}

static void type_weight(struct hands *hands, double number)
{
    app_state_apply(
        hands->state,
        &(struct view_action){
            .kind = VIEW_ACTION_EDIT,
            .edit = {.cell = {.part = LAB_ALPHA, .row = 5, .column = 3}, .number = number}},
        hands->input.time);
}

static void close_field(struct hands *hands, bool keeps)
{
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_CLOSE, .edit = {.stays = keeps}},
                    hands->input.time);
}

static void what_is_typed_among_many_words_is_taken_or_given_up(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    const float former = weight_at(hands, 5, 3);
    for (int waits = 0; waits < 3; waits++) { /* Esc: before it is computed, after, in between */
        type_weight(hands, 0.25);
        if (waits > 0) {
            finish_tasks(hands);
            assert_true(weight_at(hands, 5, 3) == 0.25f);
        }
        if (waits > 1) {
            type_weight(hands, 0.5);
        }
        close_field(hands, false);
        finish_tasks(hands);
        assert_int_equal(hands->state->document.at, 1);
        assert_int_equal(hands->state->document.history.count, 2);
        assert_true(weight_at(hands, 5, 3) == former);
    }
    type_weight(hands, 0.125);
    close_field(hands, true);
    finish_tasks(hands);
    assert_int_equal(hands->state->document.at, 2);
    assert_true(weight_at(hands, 5, 3) == 0.125f);
    hands_close(hands);
}

/* ---- sessions and copies of many numbers ---- */

static struct hands *hands_on_numbers(char path[512])
{
    char shape[64];
    struct hands *const hands = hands_open("cats", 1440, 900);
    static float row[ROWS];
    snprintf(path, 512, "%s/numbers.npy", hands->folder);
    snprintf(shape, sizeof shape, "(1, %d, %d, %d)", HEADS, ROWS, ROWS);
    FILE *const file = npy_create(path, "<f4", shape);
    assert_non_null(file);
    for (size_t line = 0; line < (size_t)HEADS * ROWS; line++) {
        for (size_t key = 0; key < ROWS; key++) {
            row[key] = key == line % ROWS ? 0.5f : 0.5f / (ROWS - 1);
        }
        fwrite(row, sizeof *row, ROWS, file);
    }
    assert_int_equal(fclose(file), 0);
    assert_true(app_open_model_open(hands->state, path, NULL, 0));
    hands_settle(hands);
    hands_frame(hands);
    assert_int_equal(hands->state->document.experiment.layers, 1);
    return hands;
}

static void a_session_of_many_numbers_is_written_and_read_beside_the_window(void **state)
{
    (void)state;
    char path[512], session[600];
    struct hands *const hands = hands_on_numbers(path);
    const struct lab_words *const words = hands->state->document.experiment.tokens;
    snprintf(session, sizeof session, "%s/session.json", hands->folder);
    assert_true(app_lesson_save_report(hands->state, session, hands->input.time, NULL));
    run_command(hands, "give up");
    finish_tasks(hands);
    assert_int_not_equal(access(session, F_OK), 0);
    assert_string_equal(hands->state->document.work->path, "");
    assert_true(document_is_unsaved(&hands->state->document));
    assert_true(app_lesson_save_report(hands->state, session, hands->input.time, NULL));
    must_answer(hands);
    finish_tasks(hands);
    assert_int_equal(access(session, F_OK), 0);
    assert_string_equal(hands->state->document.work->path, session);
    assert_false(document_is_unsaved(&hands->state->document));
    assert_non_null(strstr(hands->state->message, "Saved as"));
    app_lesson_open(hands->state, 0, hands->input.time);
    const struct lab_words *const cats = hands->state->document.experiment.tokens;
    for (int taken = 0; taken < 2; taken++) { /* given up, then not */
        const char *const dropped = session;
        hands_drop(hands, dropped);
        assert_ptr_equal(hands->state->document.experiment.tokens, cats);
        must_answer(hands);
        if (taken == 0 && hands->state->tasks.latest != NULL) {
            (void)tasks_cancel(&hands->state->tasks, hands->state, hands->input.time);
            finish_tasks(hands);
            assert_ptr_equal(hands->state->document.experiment.tokens, cats);
            assert_string_equal(hands->state->document.work->path, "");
        }
    }
    finish_tasks(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens),
                     lab_words_count(words));
    assert_true(weight_at(hands, 9, 9) == 0.5f);
    assert_string_equal(hands->state->document.work->path, session);
    unlink(session);
    unlink(path);
    hands_close(hands);
}

/* A session of many words is opened where steps could be done again: it is shown at its stage. The
 * steps that could be done again go when it is there, and it was looked for behind them. */
static void a_large_session_is_shown_at_its_stage_whatever_could_be_redone(void **state)
{
    (void)state;
    char session[600];
    struct error error = {ERROR_NONE, 0, ""};
    struct hands *const hands = hands_on_words();
    snprintf(session, sizeof session, "%s/session.json", hands->folder);
    set_temperature(hands, 0.5);
    finish_tasks(hands);
    app_state_go(hands->state, LAB_BLEND, hands->input.time);
    assert_true(app_lesson_save(hands->state, session, &error));
    run_command(hands, "undo");
    finish_tasks(hands);
    app_state_go(hands->state, LAB_EMBED, hands->input.time);
    static const char *const changes[] = {"causal mask", "scale scores", "undo", "undo"};
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        run_command(hands, changes[c]);
        finish_tasks(hands);
    }
    assert_true(app_lesson_read(hands->state, session, hands->input.time, &error));
    assert_true(document_is_pending(&hands->state->document));
    finish_tasks(hands);
    assert_true(hands->state->document.experiment.temperature == 0.5f);
    assert_int_equal(hands->state->view.playback.stage, LAB_BLEND);
    unlink(session);
    hands_close(hands);
}

static void a_large_session_that_is_damaged_is_refused_and_nothing_is_lost(void **state)
{
    (void)state;
    char session[512];
    struct hands *const hands = hands_open("cats", 1440, 900);
    const struct lab_words *const cats = hands->state->document.experiment.tokens;
    const char *const dropped = session;
    snprintf(session, sizeof session, "%s/session.json", hands->folder);
    FILE *const file = fopen(session, "wb");
    assert_non_null(file);
    fputs("{\"format\": \"attnscope-lesson\", \"title\": \"", file);
    for (size_t i = 0; i < 1 << 18; i++) {
        fputs("abcdefgh", file);
    }
    assert_int_equal(fclose(file), 0);
    hands_drop(hands, dropped);
    must_answer(hands);
    finish_tasks(hands);
    assert_ptr_equal(hands->state->document.experiment.tokens, cats);
    assert_non_null(strstr(hands->state->message, "Line 1"));
    unlink(session);
    hands_close(hands);
}

static void many_numbers_are_copied_beside_the_window(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_on_numbers(path);
    app_state_go(hands->state, LAB_SOFTMAX, hands->input.time);
    snprintf(hands->clipboard, sizeof hands->clipboard, "former");
    run_command(hands, "copy");
    run_command(hands, "give up");
    finish_tasks(hands);
    assert_string_equal(hands->clipboard, "former");
    static const char *const commands[] = {"copy", "copy csv", "copy latex", "copy tikz",
                                           "copy numpy"};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        snprintf(hands->clipboard, sizeof hands->clipboard, "former");
        run_command(hands, commands[c]);
        assert_null(hands->state->request.copy);
        must_answer(hands);
        finish_tasks(hands);
        const bool cells = strcmp(commands[c], "copy tikz") == 0; /* too small for numbers */
        assert_non_null(strstr(hands->clipboard, cells ? "tikzpicture" : "0.5"));
        assert_non_null(strstr(hands->state->message, "512 × 512 numbers"));
    }
    run_command(hands, "copy");
    run_command(hands, "copy csv"); /* one at a time, and that is said */
    assert_non_null(strstr(hands->state->message, "still under way"));
    finish_tasks(hands);
    unlink(path);
    hands_close(hands);
}

/* ---- a packed array ---- */

struct listener {
    size_t calls, most, done, all;
};

static bool report_progress(void *owner, size_t done, size_t all)
{
    struct listener *const listener = owner;
    assert_true(done <= all);
    listener->done = done;
    listener->all = all;
    return ++listener->calls < listener->most;
}

static void unpacking_tells_how_far_it_is_and_stops(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_open("cats", 1440, 900);
    const struct lab_words *const cats = hands->state->document.experiment.tokens;
    snprintf(path, sizeof path, "%s/packed.npz", getenv("DUMPS")); /* two layers of 1024 words */
    static const size_t mosts[] = {1000, 3}; /* calls: more than there are, and too few */
    for (size_t m = 0; m < 2; m++) {
        const size_t most = mosts[m];
        struct listener listener = {.most = most};
        struct error error = {ERROR_NONE, 0, ""};
        const struct lab_dump_request request = {.progress = {report_progress, &listener}};
        struct lab_dump *const dump = lab_dump_open(path, &request, &error);
        assert_true((dump != NULL) == (most > 3));
        assert_int_equal(error.code, ERROR_NONE);
        assert_true(listener.calls == most || (listener.calls > 6 && listener.done > 0));
        assert_true(listener.all >= (size_t)2 * 1024 * 1024 * sizeof(float));
        lab_dump_close(dump);
    }
    assert_true(app_open_model_open(hands->state, path, NULL, 0));
    run_command(hands, "give up");
    hands_settle(hands);
    assert_ptr_equal(hands->state->document.experiment.tokens, cats);
    assert_string_equal(hands->state->message, "");
    assert_true(app_open_model_open(hands->state, path, NULL, 0));
    hands_settle(hands);
    assert_int_equal(hands->state->document.experiment.layers, 2);
    assert_true(weight_at(hands, 9, 9) == 0.5f);
    hands_close(hands);
}

/* ---- word vectors ---- */

static void write_vectors(const char *path)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t line = 0; line < 400000; line++) {
        fprintf(file, "other%zu 0.5 0.25 0.125\n", line);
    }
    fputs("cat 1 2 3\ndog 4 5 6\nlion 7 8 9\n", file);
    assert_int_equal(fclose(file), 0);
}

static void a_large_file_of_word_vectors_is_read_beside_the_window(void **state)
{
    (void)state;
    char path[512];
    struct hands *const hands = hands_open("cats", 1440, 900);
    const char *const dropped = path;
    snprintf(path, sizeof path, "%s/vectors.txt", hands->folder);
    write_vectors(path);
    hands_drop(hands, dropped);
    run_command(hands, "give up");
    finish_tasks(hands);
    assert_int_equal(hands->state->document.at, 0);
    assert_string_equal(hands->state->message, "");
    hands_drop(hands, dropped);
    must_answer(hands);
    finish_tasks(hands);
    finish_tasks(hands);
    assert_int_equal(hands->state->document.at, 1);
    assert_int_equal(hands->state->document.experiment.embedding, LAB_EMBEDDING_NUMBERS);
    const struct lab_matrix x = lab_trace_part(hands->state->document.trace, LAB_EMBEDDINGS_X, 0);
    assert_true(lab_matrix_at(&x, 1, 2) == 6);
    hands_drop(hands, dropped); /* other words meanwhile */
    app_lesson_open(hands->state, 1, hands->input.time);
    const size_t at = hands->state->document.at;
    finish_tasks(hands);
    assert_int_equal(hands->state->document.at, at);
    assert_non_null(strstr(hands->state->message, "have changed"));
    unlink(path);
    hands_close(hands);
}

static void the_status_line_says_how_many_threads_computed(void **state)
{
    (void)state;
    struct hands *const hands = hands_on_words();
    hands_expect_part(hands, "1 thread");
    assert_true(lab_engine_open(&hands->state->document.engine, NULL, 3, NULL));
    struct lab_engine engine = hands->state->document.engine;
    set_temperature(hands, 0.5);
    finish_tasks(hands);
    hands_expect_part(hands, "3 threads");
    hands_close(hands);
    lab_engine_close(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_first_word_of_hundreds_has_its_name),
        cmocka_unit_test(a_change_of_many_words_is_computed_beside_the_window),
        cmocka_unit_test(the_status_line_says_how_many_threads_computed),
        cmocka_unit_test(cancel_leaves_everything_as_it_was),
        cmocka_unit_test(changes_that_come_meanwhile_are_steps_of_history_each),
        cmocka_unit_test(a_word_that_goes_while_the_dice_are_computed_loses_neither),
        cmocka_unit_test(undo_takes_back_the_last_of_what_is_computed_and_no_more),
        cmocka_unit_test(what_is_not_computed_yet_is_said_in_every_panel),
        cmocka_unit_test(what_cannot_be_computed_still_has_its_tokens),
        cmocka_unit_test(what_was_undone_while_it_was_computed_can_be_redone),
        cmocka_unit_test(a_change_stands_behind_the_step_it_was_made_to),
        cmocka_unit_test(giving_up_leaves_what_could_be_done_again),
        cmocka_unit_test(a_lesson_that_is_opened_while_the_dice_are_computed_loses_nothing),
        cmocka_unit_test(a_paste_while_the_dice_are_computed_loses_neither),
        cmocka_unit_test(what_is_typed_among_many_words_is_taken_or_given_up),
        cmocka_unit_test(a_session_of_many_numbers_is_written_and_read_beside_the_window),
        cmocka_unit_test(a_large_session_is_shown_at_its_stage_whatever_could_be_redone),
        cmocka_unit_test(a_large_session_that_is_damaged_is_refused_and_nothing_is_lost),
        cmocka_unit_test(many_numbers_are_copied_beside_the_window),
        cmocka_unit_test(unpacking_tells_how_far_it_is_and_stops),
        cmocka_unit_test(a_large_file_of_word_vectors_is_read_beside_the_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
