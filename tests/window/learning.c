/* Weights that learn, in the window: begun by one click, watched, gone back through, changed on the
 * way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "app/learn/learn.h"
#include "app/open/lesson.h"
#include "app/open/open_model.h"
#include "hands.h"
#include "learn/learned.h"
#include "learn/weight_rebuilder.h"
#include "learning.h"
#include "view/parts/learn.h"

/* α of a head at the selected layer, as the stages have it. */
static float weight_at(const struct hands *hands, size_t head, size_t query, size_t key)
{
    const struct lab_matrix alpha = lab_trace_part(hands->state->document.trace, LAB_ALPHA, head);
    return lab_matrix_at(&alpha, query, key);
}

/* Three actions from the start window: the lesson, the track, the head's name. */
static void it_is_finds_the_noun_and_one_can_say_which_head(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Cats, dogs and a lion");
    hands_click(hands, "It learns what “it” is");
    assert_true(learn_of(hands)->training);
    ask_learn(hands, VIEW_LEARN_SEEK, 600, 0); /* a test does not wait for what a class watches */
    hands_expect(hands, "step 600 of 1 500");
    assert_true(weight_at(hands, 1, 7, 4) > 0.9f);
    hands_expect(hands, "attention finds the noun, on average: L0H1");
    hands_click(hands, "attention finds the noun, on average: L0H1");
    hands_show_settled(hands);
    hands_expect(hands, "As it was");
    assert_in_range(learn_of(hands)->step, 200, 500);
    assert_true(weight_at(hands, 1, 7, 4) < 0.9f);
    hands_expect_part(hands, "L0H1 at step"); /* the head that did it stands on the stages */
    hands_close(hands);
}

/* A click on Learn trains the small world; the head that finds the noun comes onto the stages by
 * itself. One that was chosen afterwards stays when it learns on. */
static void the_head_that_is_found_is_shown(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("cats", 1440, 900);
    hands_click(hands, "Learn");
    hands_show_settled(hands);
    hands_expect_part(hands, "L0H1 at step");
    ask_learn(hands, VIEW_LEARN_HEAD, 0, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 100, 0);
    ask_learn(hands, VIEW_LEARN_PLAY, 0, 0);
    hands_expect_part(hands, "L0H0 at step");
    hands_close(hands);
}

/* The pointer rests where it clicked: the window looks again, however late the thread hears of it.
 */
static void a_click_wakes_the_window_for_what_comes(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    static const enum view_learn_act acts[] = {VIEW_LEARN_PLAY, VIEW_LEARN_SEEK, VIEW_LEARN_ONE};
    for (size_t a = 0; a < sizeof acts / sizeof acts[0]; a++) {
        assert_true(app_learn_wake(hands->state, hands->input.time) <= 0);
        (void)app_learn_apply(hands->state,
                              &(struct view_action){.kind = VIEW_ACTION_LEARN,
                                                    .learn = {.act = acts[a], .which = 40}},
                              hands->input.time);
        assert_true(app_learn_wake(hands->state, hands->input.time) > 0);
        hands_show_settled(hands);
    }
    hands_close(hands);
}

/* The track goes anywhere, and each step is what it was to the bit. */
static void every_step_is_as_it_was(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 300, 0);
    const uint64_t reading = hands_reading(hands);
    const float noun = weight_at(hands, 1, 7, 4);
    ask_learn(hands, VIEW_LEARN_SEEK, 40, 0);
    assert_true(hands_reading(hands) != reading);
    ask_learn(hands, VIEW_LEARN_SEEK, 300, 0);
    assert_true(weight_at(hands, 1, 7, 4) == noun);
    hands_key(hands, "Ctrl+Right");
    hands_show_settled(hands);
    hands_expect_part(hands, "step 301");
    hands_key(hands, "Ctrl+Left");
    hands_show_settled(hands);
    assert_true(weight_at(hands, 1, 7, 4) == noun);
    hands_close(hands);
}

/* A head is switched off in the middle: from there on otherwise; undo returns. */
static void a_branch_is_one_undo_away(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 400, 0);
    const float noun = weight_at(hands, 1, 7, 4);
    hands_click(hands, "L0H1");
    hands_show_settled(hands);
    assert_true(learn_of(hands)->off[1]);
    assert_int_equal(learn_of(hands)->branch, 1);
    ask_learn(hands, VIEW_LEARN_SEEK, 420, 0);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_false(learn_of(hands)->off[1]);
    assert_int_equal(learn_of(hands)->branch, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 400, 0);
    assert_true(weight_at(hands, 1, 7, 4) == noun);
    hands_close(hands);
}

static void a_gradient_is_spelled_out(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 200, 0);
    hands_click(hands, "gradient");
    hands_show_settled(hands);
    hands_expect(hands, "dL/dα");
    hands_expect_part(hands, "dL/dα( is → hammer )");
    hands_expect_part(hands, "the loss asks 8 places for what follows; the last for");
    hands_click(hands, "change");
    hands_show_settled(hands);
    hands_key(hands, "Ctrl+Right");
    hands_show_settled(hands);
    hands_expect(hands, "Δα");
    hands_expect_part(hands, "what has changed since step 200");
    hands_expect_part(hands, "its value at step 201 − that at step 200");
    hands_key(hands, "2"); /* queries, keys and values are a click apart, as with their values */
    hands_wait(hands, 1);
    hands_expect_part(hands, "ΔQ");
    hands_click(hands, "V");
    hands_expect_part(hands, "ΔV");
    hands_click(hands, "gradient");
    hands_show_settled(hands);
    hands_click(hands, "K");
    hands_expect_part(hands, "dL/dK");
    hands_close(hands);
}

/* A sum of small gradients has no shorter form: its letters become smaller, the result stays. */
static void a_long_gradient_keeps_its_result(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 690, 0);
    hands_key(hands, "2");
    hands_click(hands, "gradient");
    hands_show_settled(hands);
    hands_wait(hands, 1);
    hands_expect_part(hands, "dL/dq(is)");
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* Words outside the vocabulary are refused in one sentence, and nothing is lost. */
static void a_word_it_does_not_know_is_refused(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    hands_click(hands, "type a token…");
    hands_type(hands, "zebra ");
    hands_show_settled(hands);
    hands_expect_part(hands, "“zebra” is none of the 46 words");
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 8);
    hands_type(hands, "heavy ");
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 9);
    assert_non_null(hands->state->document.trace);
    hands_close(hands);
}

/* A file may ask for another run with unknown words: what was there is there again. */
static void another_run_with_unknown_words_is_refused(void **unused)
{
    (void)unused;
    static const char *const word[] = {"zebra"};
    struct arena arena = {0};
    struct error error = {0};
    struct lab_experiment next;
    struct hands *const hands = hands_open("onestep", 1440, 900);
    hands_show_settled(hands);
    hands_expect(hands, "Loss: −log p of the right word"); /* where this lesson begins */
    lab_experiment_copy(&next, &hands->state->document.experiment);
    struct learn_learned *const other = arena_array(&arena, 1, sizeof *other);
    *other = *learn_training_record(next.learned);
    other->recipe.seed++;
    lab_training_release(next.learned);
    next.learned = learn_training_make(other, &error);
    learn_weight_rebuilder_empty(&next);
    assert_true(lab_experiment_set_tokens(&next, word, 1, &error));
    document_change(&hands->state->document, &next, "another run", hands->input.time);
    lab_experiment_release(&next);
    arena_free(&arena);
    hands_step(hands);
    hands_expect_part(hands, "“zebra” is none of the");
    hands_expect(hands, "Loss: −log p of the right word");
    hands_show_settled(hands);
    hands_expect(hands, "is → heavy");
    hands_close(hands);
}

/* How heads looked before is looked at with the words that stand there now. */
static void other_words_keep_then_and_now(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 100, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 300, 0);
    hands_expect(hands, "step 0");
    hands_click(hands, "type a token…");
    hands_type(hands, "zebra ");
    hands_show_settled(hands);
    assert_non_null(learn_of(hands)->moment[1].alpha);
    hands_expect(hands, "step 0");
    hands_type(hands, "heavy ");
    hands_show_settled(hands);
    hands_expect(hands, "step 0");
    assert_int_equal(learn_of(hands)->n, 9);
    const struct view_learn_moment *const first = &learn_of(hands)->moment[0];
    assert_int_equal(first->step, 0);
    float sum = 0;
    for (size_t key = 0; key < 9; key++) {
        sum += first->alpha[8 * 9 + key]; /* the new word's row */
    }
    assert_true(fabsf(sum - 1) < 1e-4f);
    hands_close(hands);
}

/* Begun anew in the middle, again and again: each time it goes on by itself. */
static void begun_anew_it_trains_on(void **unused)
{
    (void)unused;
    enum { TIMES = 25, PATIENCE = 20000 };
    struct hands *const hands = hands_open("learned", 1440, 900);
    for (size_t time = 0; time < TIMES; time++) {
        const struct view_action again = {
            .kind = VIEW_ACTION_LEARN,
            .learn = {.act = time % 3 == 2 ? VIEW_LEARN_SET : VIEW_LEARN_AGAIN,
                      .which = time % 3 == 2 ? (size_t)LEARN_RECIPE_SEED : 0,
                      .number = (double)time}};
        (void)app_learn_apply(hands->state, &again, hands->input.time);
        if (time % 4 == 3) { /* before its thread has heard of the first */
            (void)app_learn_apply(hands->state, &again, hands->input.time);
        }
        size_t frames = 0;
        do { /* as the window: a frame, then what the thread has done meanwhile */
            nanosleep(&(const struct timespec){.tv_nsec = 1000000 * (long)(time % 4 + 1)}, NULL);
            hands_frame(hands);
            frames++;
        } while (frames < PATIENCE && learn_of(hands)->step < 2 + time % 5);
        if (frames == PATIENCE) {
            fail_msg("begun anew the %zuth time it stands at step %zu, training %d", time + 1,
                     learn_of(hands)->step, learn_of(hands)->training);
        }
    }
    hands_close(hands);
}

/* A second click on play is a pause, however late the thread hears of the first. */
static void play_and_pause_at_once_is_a_pause(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    const struct view_action play = {.kind = VIEW_ACTION_LEARN, .learn = {.act = VIEW_LEARN_PLAY}};
    (void)app_learn_apply(hands->state, &play, hands->input.time);
    hands_frame(hands);
    assert_true(learn_of(hands)->training);
    (void)app_learn_apply(hands->state, &play, hands->input.time);
    hands_show_settled(hands);
    assert_false(learn_of(hands)->training);
    assert_true(learn_of(hands)->step < learn_of(hands)->steps);
    hands_close(hands);
}

/* The same recipe from another seed stands beside it, and follows the track. */
static void two_seeds_follow_one_track(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 200, 0);
    hands_click(hands, "A | B");
    hands_show_settled(hands);
    hands_expect(hands, "seed 19");
    hands_expect(hands, "seed 20");
    hands_expect(hands, "loss, B");
    const struct lab_matrix early = lab_trace_part(hands->state->document.baseline, LAB_ALPHA, 0);
    const float then = lab_matrix_at(&early, 7, 4);
    ask_learn(hands, VIEW_LEARN_SEEK, 900, 0);
    hands_show_settled(hands);
    const struct lab_matrix late = lab_trace_part(hands->state->document.baseline, LAB_ALPHA, 0);
    assert_true(lab_matrix_at(&late, 7, 4) != then);
    ask_learn(hands, VIEW_LEARN_SEEK, 200, 0);
    hands_show_settled(hands);
    const struct lab_matrix again = lab_trace_part(hands->state->document.baseline, LAB_ALPHA, 0);
    assert_true(lab_matrix_at(&again, 7, 4) == then);
    ask_learn(hands, VIEW_LEARN_BESIDE, 0, 0);
    hands_show_settled(hands);
    assert_null(hands->state->document.baseline);
    assert_int_equal(hands_count(hands, "loss, B"), 0);
    /* Two moments of one run say which they are. */
    ask_learn(hands, VIEW_LEARN_PIN, 0, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 600, 0);
    hands_expect(hands, "step 200");
    hands_expect(hands, "step 600");
    hands_click(hands, "Now");
    hands_frame(hands);
    hands_expect(hands, "Softmax: scores become shares");
    hands_resize(hands, 960, 600);
    hands_frame(hands);
    assert_int_equal(hands_count(hands, "Softmax"), 2); /* a headline without room is its name */
    hands_close(hands);
}

/* The bars have the name of the things that they are shares of. */
static void an_answer_is_no_next_word(void **unused)
{
    (void)unused;
    static const struct {
        size_t task;
        const char *says;
    } rows[] = {{LEARN_TASK_REVERSE, "answer at"},
                {LEARN_TASK_BRACKETS, "next bracket after"},
                {LEARN_TASK_ADDITION, "answer to"},
                {LEARN_TASK_NAMES, "next letter after"}};
    struct hands *const hands = open_still();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        assert_true(app_learn_start(hands->state, rows[r].task, false, hands->input.time));
        hands_show_settled(hands);
        hands_expect_part(hands, rows[r].says);
        assert_int_equal(hands_count_part(hands, "next word"), 0);
    }
    hands_close(hands);
}

/* Block and Loss are pills as the seven before them: with their names where these have theirs. */
static void all_nine_pills_have_their_names_before_a_class(void **unused)
{
    (void)unused;
    static const char *const names[] = {"Embed", "Project", "Score", "Scale · mask", "Softmax",
                                        "Blend", "Output",  "Block", "Loss"};
    static const float sizes[][2] = {{1280, 720}, {1024, 768}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct hands *const hands = hands_open("learned", sizes[s][0], sizes[s][1]);
        hands->state->view.prefs.presenter = true;
        ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
        hands_frame(hands);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            hands_expect(hands, names[n]);
        }
        hands_close(hands);
    }
}

/* Back and on through runs of other tasks, the moment is always told whole. */
static void undo_through_tasks_tells_every_loss(void **unused)
{
    (void)unused;
    static const size_t task[] = {LEARN_TASK_REVERSE, LEARN_TASK_SMALL_WORLD, LEARN_TASK_ADDITION,
                                  LEARN_TASK_BRACKETS};
    enum { TASKS = sizeof task / sizeof *task, TIMES = 32 };
    struct hands *const hands = open_still();
    for (size_t t = 0; t < TASKS; t++) {
        start_still(hands, task[t]);
        ask_learn(hands, VIEW_LEARN_SEEK, 20 + 10 * t, 0);
    }
    for (int i = 0; i < TIMES; i++) {
        const bool back = i / TASKS % 2 == 0;
        hands_key(hands, back ? "Ctrl+Z" : "Ctrl+Y");
        hands_show_settled(hands);
        assert_int_equal(hands_count(hands, "loss —"), 0);
        assert_int_equal(hands->state->view.steps > 0, back && i % TASKS == TASKS - 1);
    }
    hands_expect(hands, "step 50 of 900");
    hands_close(hands);
}

/* A session is kilobytes, and comes back at its step to the bit. */
static void a_session_holds_the_recipe(void **unused)
{
    (void)unused;
    char path[300];
    struct error error = {0};
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 250, 0);
    hands_click(hands, "L0H0");
    hands_show_settled(hands);
    ask_learn(hands, VIEW_LEARN_SEEK, 260, 0);
    const float noun = weight_at(hands, 1, 7, 4);
    hands->state->view.pinned.channel = 6; /* there are 8, which follow from the recipe */
    snprintf(path, sizeof path, "%s/learned.json", hands->folder);
    assert_true(app_lesson_save(hands->state, path, &error));
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    assert_in_range(ftell(file), 100, 12000);
    fclose(file);
    ask_learn(hands, VIEW_LEARN_SEEK, 0, 0);
    assert_true(app_lesson_read(hands->state, path, hands->input.time, &error));
    hands_show_settled(hands);
    hands_expect_part(hands, "step 260");
    assert_true(learn_of(hands)->off[0]);
    assert_true(weight_at(hands, 1, 7, 4) == noun);
    hands_close(hands);
}

/* Own text begins to learn at once, and says what was done with it. */
static void a_text_is_learned_from(void **unused)
{
    (void)unused;
    static const char text[] =
        "the cat sat on the mat and the dog sat on the log . the cat saw the dog and the dog saw "
        "the cat . the mat was red and the log was brown . ";
    char all[20 * sizeof text] = "";
    for (size_t i = 0; i < 16; i++) {
        strcat(all, text);
    }
    struct error error = {0};
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_learn_text(hands->state, (struct bytes){(const uint8_t *)all, strlen(all)},
                               hands->input.time, &error));
    hands_frame(hands);
    hands_expect_part(hands, "Learned");
    assert_true(learn_of(hands)->training);
    ask_learn(hands, VIEW_LEARN_SEEK, 3, 0);
    hands_expect_part(hands, "step 3");
    hands_close(hands);
}

/* While weights learn, a long text from the clipboard is learned from; undo returns to the run. */
static void a_pasted_text_is_learned_from(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    char text[3000] = "";
    for (size_t i = 0; i < 60; i++) {
        strcat(text, i % 2 == 0 ? "the bird sings in the tree . " : "a fish swims in the sea . ");
    }
    hands_paste(hands, text);
    hands_frame(hands);
    hands_expect_part(hands, "Undo returns to the run before.");
    assert_int_equal(learn_of(hands)->task_at, LEARN_TASK_TEXT);
    ask_learn(hands, VIEW_LEARN_SEEK, 2, 0);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->task_at, LEARN_TASK_SMALL_WORLD);
    hands_close(hands);
}

/* A saved model opens here as a model too, with words that it knows. */
static void a_saved_model_opens_again(void **unused)
{
    (void)unused;
    char folder[300];
    struct error error = {0};
    struct hands *const hands = open_still();
    start_still(hands, LEARN_TASK_NAMES);
    ask_learn(hands, VIEW_LEARN_SEEK, 3, 0);
    snprintf(folder, sizeof folder, "%s/learned-model", hands->folder);
    assert_true(app_learn_save_model(hands->state, folder, &error));
    assert_true(app_open_model_open(hands->state, folder, NULL, hands->input.time));
    hands_settle(hands);
    hands_frame(hands);
    assert_null(hands->state->view.learn);
    assert_non_null(hands->state->view.head_overview);
    assert_int_equal(hands->state->document.experiment.heads, 4);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 8);
    hands_close(hands);
}

/* A text that no document can hold is refused before any of it is read, and everything stays. */
static void a_long_text_is_refused(void **unused)
{
    (void)unused;
    const size_t size = (size_t)LEARN_LEARNED_TEXT_MAX + 1;
    uint8_t *const text = malloc(size);
    assert_non_null(text);
    memset(text, 'a', size);
    struct error error = {0};
    struct hands *const hands = open_still();
    assert_false(
        app_learn_text(hands->state, (struct bytes){text, size}, hands->input.time, &error));
    assert_string_equal(error.text, "This text has 15 MB, more than 14: give a part of it.");
    hands_show_settled(hands);
    assert_non_null(learn_of(hands));
    free(text);
    hands_close(hands);
}

/* The layer around attention is there for learned weights too. */
static void the_block_is_there(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    hands_key(hands, "8");
    hands_expect_part(hands, "Block around attention");
    hands_key(hands, "5");
    hands_close(hands);
}

/* Nobody trains a window that cannot be seen. */
static void a_hidden_window_rests(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("learned", 1440, 900);
    assert_true(learn_of(hands)->training);
    hands_hide(hands, true);
    hands_frame(hands);
    hands_expect(hands, "paused: the window cannot be seen");
    hands_hide(hands, false);
    ask_learn(hands, VIEW_LEARN_SEEK, 1, 0);
    hands_expect_not(hands, "paused: the window cannot be seen");
    hands_close(hands);
}

/* A step of a lesson says what is shown of the weights: the next one without it has values again.
 */
static void a_step_of_a_lesson_shows_gradients(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("onestep", 1440, 900);
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->show, VIEW_LEARN_VALUE);
    app_lesson_go(hands->state, 2, hands->input.time);
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->show, VIEW_LEARN_GRADIENT);
    hands_expect(hands, "dL/dα");
    hands_key(hands, "4"); /* before the softmax stand the scaled scores, and before them scores */
    hands_expect(hands, "dL/dS′");
    hands_expect_part(hands, " = α · ( dL/dα − Σ α·dL/dα )");
    hands_key(hands, "3");
    hands_expect(hands, "dL/dS");
    hands_expect_part(hands, " = dL/dS′ ÷ √dₖ");
    app_lesson_go(hands->state, 5, hands->input.time);
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->show, VIEW_LEARN_CHANGE);
    hands_expect_part(hands, "W_Q[8, 4] of L0H1 from step 220 to 221");
    assert_true(hands_count_part(hands, " · 10") > 0); /* small numbers in narrow cells */
    assert_int_equal(hands_count(hands, "0.000"), 0);
    hands_expect_part(
        hands, "The weight goes up by 0.00218: a larger one makes the batch’s loss smaller.");
    app_lesson_go(hands->state, 6, hands->input.time);
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->show, VIEW_LEARN_VALUE);
    hands_expect_not(hands, "dL/dα");
    hands_close(hands);
}

static void a_share_that_is_not_all_does_not_read_as_all(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("reverse", 1440, 900);
    ask_learn(hands, VIEW_LEARN_SEEK, 600, 0);
    hands_key(hands, "9");
    hands_show_settled(hands);
    const struct view_learn_loss *const end = &learn_of(hands)->at_end;
    const size_t row = hands->state->view.pinned.query;
    assert_true(lab_matrix_at(&end->share, row, (size_t)end->right[row]) > 0.9995f);
    hands_expect_part(hands, "The right word has 99.9");
    hands_close(hands);
}

/* By one menu a head, or the matrix of the stage, learns no more from here on: marked, and one undo
 * away. */
static void what_is_frozen_learns_no_more(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 200, 0);
    const struct lab_matrix w = lab_trace_part(hands->state->document.trace, LAB_W_Q, 1);
    const struct lab_matrix free = lab_trace_part(hands->state->document.trace, LAB_W_Q, 0);
    const float before = lab_matrix_at(&w, 3, 2), other = lab_matrix_at(&free, 3, 2);
    hands_click(hands, "From here on …");
    hands_click(hands, "Freeze L0H1");
    hands_show_settled(hands);
    assert_true(learn_of(hands)->frozen[1] && !learn_of(hands)->frozen[0]);
    ask_learn(hands, VIEW_LEARN_SEEK, 230, 0);
    const struct lab_matrix later = lab_trace_part(hands->state->document.trace, LAB_W_Q, 1);
    const struct lab_matrix went = lab_trace_part(hands->state->document.trace, LAB_W_Q, 0);
    assert_true(lab_matrix_at(&later, 3, 2) == before);
    assert_true(lab_matrix_at(&went, 3, 2) != other);
    ask_learn(hands, VIEW_LEARN_SHOW, VIEW_LEARN_CHANGE, 0);
    hands->state->view.playback.stage = LAB_PROJECT;
    hands->state->view.pinned.weight = 4;
    hands_frame(hands);
    hands_expect_part(hands, "This weight is frozen");
    hands_click(hands, "From here on …");
    hands_click(hands, "Freeze W_Q, W_K, W_V");
    hands_show_settled(hands);
    assert_true(learn_of(hands)->matrix_frozen);
    ask_learn(hands, VIEW_LEARN_SHOW, VIEW_LEARN_VALUE, 0);
    hands_frame(hands);
    hands_expect_part(hands, " — frozen: W_Q, W_K, W_V");
    hands_key(hands, "Ctrl+z");
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_false(learn_of(hands)->frozen[1]);
    hands_close(hands);
}

/* The ordinary menu of weights has a row for those that learn. */
static void learned_is_a_row_of_the_weights(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("cats", 1440, 900);
    hands_click(hands, "all"); /* settings of the weights */
    hands_click(hands, "Identity");
    hands_click(hands, "Learned");
    assert_true(learn_of(hands)->training);
    hands_close(hands);
}

/* The numbers of the strip lead to the batch; a click takes one of its sentences. */
static void the_batch_of_a_step_can_be_looked_at(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 300, 0);
    hands_click(hands, "Batch");
    hands_show_settled(hands);
    hands_expect(hands, "What this step learns from");
    const struct view_learn *const learn = learn_of(hands);
    assert_int_equal(learn->rows, 64);
    double sum = 0;
    for (size_t r = 0; r < learn->rows; r++) {
        sum += (double)learn->row[r].mean / (double)learn->rows;
    }
    assert_true(fabs(sum - learn->loss) < 1e-4); /* the loss that stands on the strip */
    const size_t words = learn->row[2].words;
    assert_int_equal(words, 24);
    char first[40];
    snprintf(first, sizeof first, "%s", learn->row[2].word[0]);
    ask_learn(hands, VIEW_LEARN_ROW, 2, 0);
    hands_expect_not(hands, "What this step learns from");
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), words);
    assert_string_equal(lab_words_list(hands->state->document.experiment.tokens)[0], first);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_int_equal(lab_words_count(hands->state->document.experiment.tokens), 8);
    hands_close(hands);
}

/* Before a class: blocks of heads beside each other, and no frame over a name; the scale's switch
 * stands outside the track. */
static void names_of_heads_keep_clear_of_frames(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("real-heads", 1024, 768);
    hands_key(hands, "F5");
    app_state_apply(hands->state, &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = 2},
                    hands->input.time);
    hands_show_settled(hands);
    struct rect tile, name, track, scale;
    assert_true(canvas_find_group(hands_canvas(hands), "L0H2 at step 1 500", 0, &tile));
    assert_true(canvas_find_text(hands_canvas(hands), "L1H2", 0, &name));
    assert_true(name.x > tile.x + tile.w + 2);
    assert_true(canvas_find_group(hands_canvas(hands), "Steps of training", 0, &track));
    assert_true(canvas_find_text(hands_canvas(hands), "log", 0, &scale));
    assert_true(scale.x > track.x + track.w);
    hands_close(hands);
}

/* While a class guesses where a word looks, nothing tells how sharply it does. */
static void a_guess_is_not_told_by_the_sums_of_rows(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("reverse", 1280, 720);
    hands_key(hands, "F5");
    app_state_apply(hands->state, &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = 3},
                    hands->input.time);
    hands_show_settled(hands);
    hands_expect(hands, "entropy");
    hands_expect(hands, "0.09");     /* of “i” */
    hands_expect_not(hands, "0.08"); /* of the second letter */
    hands_expect_not(hands, "row sum");
    hands_click(hands, "Reveal");
    hands_expect(hands, "row sum");
    hands_expect(hands, "0.08");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_of_a_lesson_shows_gradients),
        cmocka_unit_test(it_is_finds_the_noun_and_one_can_say_which_head),
        cmocka_unit_test(the_head_that_is_found_is_shown),
        cmocka_unit_test(a_click_wakes_the_window_for_what_comes),
        cmocka_unit_test(every_step_is_as_it_was),
        cmocka_unit_test(a_branch_is_one_undo_away),
        cmocka_unit_test(a_gradient_is_spelled_out),
        cmocka_unit_test(a_long_gradient_keeps_its_result),
        cmocka_unit_test(a_word_it_does_not_know_is_refused),
        cmocka_unit_test(another_run_with_unknown_words_is_refused),
        cmocka_unit_test(other_words_keep_then_and_now),
        cmocka_unit_test(an_answer_is_no_next_word),
        cmocka_unit_test(play_and_pause_at_once_is_a_pause),
        cmocka_unit_test(two_seeds_follow_one_track),
        cmocka_unit_test(begun_anew_it_trains_on),
        cmocka_unit_test(undo_through_tasks_tells_every_loss),
        cmocka_unit_test(all_nine_pills_have_their_names_before_a_class),
        cmocka_unit_test(a_session_holds_the_recipe),
        cmocka_unit_test(a_text_is_learned_from),
        cmocka_unit_test(a_pasted_text_is_learned_from),
        cmocka_unit_test(a_saved_model_opens_again),
        cmocka_unit_test(a_long_text_is_refused),
        cmocka_unit_test(a_share_that_is_not_all_does_not_read_as_all),
        cmocka_unit_test(what_is_frozen_learns_no_more),
        cmocka_unit_test(learned_is_a_row_of_the_weights),
        cmocka_unit_test(the_batch_of_a_step_can_be_looked_at),
        cmocka_unit_test(the_block_is_there),
        cmocka_unit_test(a_hidden_window_rests),
        cmocka_unit_test(names_of_heads_keep_clear_of_frames),
        cmocka_unit_test(a_guess_is_not_told_by_the_sums_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
