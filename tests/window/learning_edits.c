/* Weights that learn, changed by a hand and looked at two by two. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "../rounds.h"
#include "app/actions/actions.h"
#include "app/open/lesson.h"
#include "base/text.h"
#include "hands.h"
#include "learn/task.h"
#include "learning.h"

/* A weight of a former step is typed over: a branch begins there, and one undo takes it back. */
static void a_typed_weight_is_one_undo_away(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 60, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 40, 0);
    hands_key(hands, "2");
    hands_show_settled(hands);
    const float was = lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0];
    static const double typed[] = {1, 1.5}; /* "1", "1.", "1.5": each stroke is a number */
    for (size_t t = 0; t < 2; t++) {
        app_state_apply(
            hands->state,
            &(struct view_action){.kind = VIEW_ACTION_EDIT,
                                  .edit = {.cell = {LAB_W_Q, 1, 0, 0}, .number = typed[t]}},
            hands->input.time);
        hands_show_settled(hands);
    }
    assert_int_equal(learn_of(hands)->branch, 0); /* a field is open: it may be given up */
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_CLOSE,
                                          .edit = {.stays = true, .cell = {LAB_W_Q, 1, 0, 0}}},
                    hands->input.time);
    hands_show_settled(hands);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0] == 1.5f);
    assert_int_equal(learn_of(hands)->branch, 1);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0] == was);
    assert_int_equal(learn_of(hands)->branch, 0);
    assert_int_equal(learn_of(hands)->step, 40);
    hands_expect(hands, "As it was"); /* what came behind it is there again */
    hands_key(hands, "Ctrl+Shift+z");
    hands_show_settled(hands);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 1).values[0] == 1.5f);
    hands_close(hands);
}

enum { PLACES_MAX = 64 };

static size_t places_of(const struct hands *hands, struct point place[PLACES_MAX])
{
    const struct view_learn *const learn = learn_of(hands);
    for (size_t w = 0; w < learn->words; w++) {
        place[w] = learn->word[w].place[learn->word[w].trail - 1];
    }
    return learn->words;
}

static bool stand_there(const struct hands *hands, const struct point *place)
{
    const struct view_learn *const learn = learn_of(hands);
    bool same = true;
    for (size_t w = 0; w < learn->words; w++) {
        const struct point now = learn->word[w].place[learn->word[w].trail - 1];
        same = same && now.x == place[w].x && now.y == place[w].y;
    }
    return same;
}

/* The plane in which words stand turns with nothing that is done by hand: neither where a branch
 * begins, nor when an undo has left it, whatever it had learned by then. */
static void the_same_step_is_the_same_picture(void **unused)
{
    (void)unused;
    struct point before[PLACES_MAX], there[PLACES_MAX];
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 200, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 90, 0);
    assert_true(places_of(hands, before) > 4);
    const size_t trail = learn_of(hands)->word[0].trail;
    ask_learn(hands, VIEW_LEARN_FREEZE_HEAD, 1, 0);
    assert_int_equal(learn_of(hands)->branch, 1);
    assert_true(stand_there(hands, before)); /* nothing has been trained yet */
    ask_learn(hands, VIEW_LEARN_SEEK, 300, 0);
    (void)places_of(hands, there);
    assert_false(stand_there(hands, before));
    ask_learn(hands, VIEW_LEARN_SEEK, 90, 0);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->branch, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 90, 0);
    assert_true(stand_there(hands, before));
    assert_int_equal(learn_of(hands)->word[0].trail, trail);
    hands_key(hands, "Ctrl+Shift+z");
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->branch, 1);
    ask_learn(hands, VIEW_LEARN_SEEK, 300, 0);
    assert_true(stand_there(hands, there));
    hands_close(hands);
}

/* Trails and how heads looked are those of the run, however it came to the step and whatever was
 * looked at on the way. */
static void the_past_is_the_same_however_it_was_watched(void **unused)
{
    (void)unused;
    static const size_t ways[][5] = {{300, 300, 300, 300, 300}, {0, 7, 61, 299, 300}};
    struct point place[PLACES_MAX];
    size_t trail = 0, then[VIEW_LEARN_MOMENTS] = {0};
    float alpha = 0;
    for (size_t w = 0; w < 2; w++) {
        struct hands *const hands = open_still();
        for (size_t s = 0; s < 5; s++) {
            ask_learn(hands, VIEW_LEARN_SEEK, ways[w][s], 0);
        }
        hands_show_settled(hands);
        const struct view_learn *const learn = learn_of(hands);
        assert_true(w == 0 || stand_there(hands, place));
        assert_true(w == 0 || learn->word[0].trail == trail);
        for (size_t m = 0; m < VIEW_LEARN_MOMENTS; m++) {
            assert_non_null(learn->moment[m].alpha);
            assert_true(w == 0 || learn->moment[m].step == then[m]);
            then[m] = learn->moment[m].step;
        }
        assert_true(w == 0 || learn->moment[1].alpha[learn->n * learn->n - 1] == alpha);
        alpha = learn->moment[1].alpha[learn->n * learn->n - 1];
        (void)places_of(hands, place);
        trail = learn->word[0].trail;
        hands_close(hands);
    }
    assert_true(trail > 50);
    assert_true(then[0] == 0 && then[1] > 0 && then[1] < 300 && then[2] == 300);
}

/* A weight is changed where its number stands: a matrix of sixteen rows has its numbers at hand,
 * and each word of the rows below is there, too. */
static void the_weights_that_are_changed_have_their_numbers(void **unused)
{
    (void)unused;
    char number[TEXT_NUMBER_MAX];
    struct hands *const hands = open_still();
    app_state_close_lesson(hands->state);
    ask_learn(hands, VIEW_LEARN_SEEK, 40, 0);
    hands_key(hands, "2");
    hands_show_settled(hands);
    const struct lab_matrix w =
        lab_trace_part(hands->state->document.trace, LAB_W_Q, hands->state->view.pinned.head);
    assert_int_equal(w.rows, 16);
    for (size_t cell = 0; cell < w.rows * w.cols; cell++) {
        text_number(number, (double)lab_matrix_at(&w, cell / w.cols, cell % w.cols), 2);
        hands_expect(hands, number);
    }
    for (size_t word = 0; word < learn_of(hands)->n; word++) { /* there, and in the field above */
        const char *const text =
            lab_words_list(document_present(&hands->state->document)->tokens)[word];
        (void)hands_find(hands, text, 1);
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
}

/* Two matrices side by side, each of eight columns: their numbers are there, before a class too. */
static void numbers_stand_in_pairs_of_matrices(void **unused)
{
    (void)unused;
    struct hands *hands = hands_open("onestep", 1024, 768);
    hands->state->view.prefs.presenter = true;
    for (size_t step = 4; step < 6; step++) {
        app_lesson_go(hands->state, step, hands->input.time);
        hands_show_settled(hands);
        hands_expect_part(hands, step == 4 ? "dL/dQ" : "ΔQ");
        assert_true(hands_count_part(hands, "0.") > 40);
    }
    assert_int_equal(hands_collisions(hands), 0);
    hands_close(hands);
    hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 60, 0);
    ask_learn(hands, VIEW_LEARN_PIN, 0, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 40, 0);
    hands_expect(hands, "A, now");
    assert_int_equal(hands_count(hands, "1.00"), 2); /* the first word sees itself, on both sides */
    hands_close(hands);
}

/* A pause must not hide that something is still computed. */
static void a_run_on_its_way_says_so(void **unused)
{
    (void)unused;
    enum { FRAMES = 20000 };
    const size_t last = test_rounds(600);
    struct hands *const hands = open_still();
    const size_t begun = learn_of(hands)->reached;
    (void)app_learn_apply(hands->state,
                          &(struct view_action){.kind = VIEW_ACTION_LEARN,
                                                .learn = {.act = VIEW_LEARN_SEEK, .which = last}},
                          hands->input.time);
    for (int f = 0; f < FRAMES && learn_of(hands)->step != last; f++) {
        hands_frame(hands);
        if (learn_of(hands)->step > begun && learn_of(hands)->step < last) {
            hands_expect(hands, "On the way");
        }
    }
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->step, last);
    hands_expect_not(hands, "On the way");
    hands_close(hands);
}

/* A text that is an argument is learned from before there is a window with its clock and its
 * language: what was done with it is said as soon as there is. */
static void what_was_done_with_a_text_is_said_once_there_is_a_window(void **unused)
{
    (void)unused;
    static const char text[] =
        "\xff\xfe a cat a dog a cat a dog a cat a dog a cat a dog a cat a dog";
    struct error error = {0};
    struct hands *const hands = open_still();
    app_learn_greet(hands->state, hands->input.time);
    hands_frame(hands);
    assert_int_equal(hands_count_part(hands, "Learned word by word"), 0);
    assert_true(app_learn_text(hands->state, (struct bytes){(const uint8_t *)text, sizeof text - 1},
                               hands->input.time, &error));
    hands_show_settled(hands);
    hands->input.time += 5000;
    hands_frame(hands);
    assert_int_equal(hands_count_part(hands, "Learned word by word"), 0);
    app_learn_greet(hands->state, hands->input.time);
    hands_frame(hands);
    hands_expect_part(hands, "Learned word by word");
    hands_expect_part(hands, "Left out: 2 bytes");
    hands_close(hands);
}

/* A short text keeps nothing back to be tested with: there is no curve of a test, and no name. */
static void a_short_text_has_no_curve_of_a_test(void **state)
{
    (void)state;
    static const char text[] = "the baker sells bread . the smith sells iron .";
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(app_learn_text(hands->state, (struct bytes){(const uint8_t *)text, sizeof text - 1},
                               hands->input.time, &error));
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 20);
    hands_expect(hands, "loss");
    assert_int_equal(hands_count(hands, "right in the test"), 0);
    hands_close(hands);
}

static double read_clock(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A step takes its time; who begins anew, from another seed, in the middle of one is not kept
 * waiting for it. */
static void begun_anew_in_the_middle_of_a_step(void **unused)
{
    (void)unused;
    enum { TIMES = 3 };
    const double rows = (double)test_rounds(4096);
    struct hands *const hands = open_still();
    start_still(hands, LEARN_TASK_INDUCTION);
    ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_BATCH, rows);
    double step = read_clock();
    ask_learn(hands, VIEW_LEARN_ONE, 0, 0);
    step = read_clock() - step;
    double waited = step;
    for (size_t time = 0; time < TIMES; time++) {
        const struct view_action play = {.kind = VIEW_ACTION_LEARN,
                                         .learn = {.act = VIEW_LEARN_ONE}},
                                 again = {.kind = VIEW_ACTION_LEARN,
                                          .learn = {.act = VIEW_LEARN_SET,
                                                    .which = LEARN_RECIPE_SEED,
                                                    .number = (double)time + 20}};
        (void)app_learn_apply(hands->state, &play, hands->input.time);
        nanosleep(&(const struct timespec){.tv_nsec = 5000000}, NULL); /* it is at it */
        const double begun = read_clock();
        (void)app_learn_apply(hands->state, &again, hands->input.time);
        waited = fmin(waited, read_clock() - begun);
        assert_int_equal(learn_of(hands)->step, 0);
    }
    if (waited > step / 2) {
        fail_msg("a step takes %.0f ms, and so long it was waited: %.0f ms", step * 1e3,
                 waited * 1e3);
    }
    hands_close(hands);
}

/* In a small window the title of a gradient gives way to the numbers of its cells. */
static void gradients_have_numbers_in_a_small_window(void **unused)
{
    (void)unused;
    static const struct {
        size_t step;
        const char *title, *cell;
    } shown[] = {{3, "dL/dα", "0.0410"}, {4, "dL/dS", "0.00227"}};
    for (size_t s = 0; s < sizeof shown / sizeof *shown; s++) {
        struct hands *const hands = hands_open("onestep", 960, 600);
        app_state_apply(
            hands->state,
            &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = shown[s].step - 1},
            hands->input.time);
        hands_show_settled(hands);
        app_state_close_lesson(hands->state); /* the formula stands where the caption stood */
        hands_frame(hands);
        hands_expect(hands, shown[s].title);
        hands_expect(hands, shown[s].cell);
        assert_int_equal(hands_collisions(hands), 0);
        hands_close(hands);
    }
}

/* A session that comes back is as its file has it all the while, however long the way to its
 * step is, and the moment that was kept to compare with is there again. */
static void a_session_comes_back_with_its_pinned_moment(void **unused)
{
    (void)unused;
    enum { LAST = 120, PINNED = 80, PATIENCE = 20000 };
    char path[300];
    struct error error = {0};
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 60, 0);
    ask_learn(hands, VIEW_LEARN_SWITCH, 0, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, PINNED, 0);
    ask_learn(hands, VIEW_LEARN_PIN, 0, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 100, 0);
    ask_learn(hands, VIEW_LEARN_SWITCH, 1, 0); /* the moment that is kept is of the branch before */
    ask_learn(hands, VIEW_LEARN_SEEK, LAST, 0);
    const float kept = lab_trace_part(hands->state->document.baseline, LAB_W_Q, 0).values[0];
    const float now = lab_trace_part(hands->state->document.trace, LAB_W_Q, 0).values[0];
    snprintf(path, sizeof path, "%s/pinned.json", hands->folder);
    assert_true(app_lesson_save(hands->state, path, &error));
    assert_false(document_is_unsaved(&hands->state->document));
    start_still(hands, LEARN_TASK_COPY);
    assert_false(learn_of(hands)->pinned);
    assert_true(app_lesson_read(hands->state, path, hands->input.time, &error));
    size_t frames = 0;
    do {
        hands_frame(hands);
        assert_false(document_is_unsaved(&hands->state->document));
    } while ((learn_of(hands)->step != LAST || !learn_of(hands)->pinned) && ++frames < PATIENCE);
    hands_show_settled(hands);
    assert_false(document_is_unsaved(&hands->state->document));
    assert_int_equal(learn_of(hands)->step, LAST);
    assert_int_equal(learn_of(hands)->branch, 2);
    assert_true(learn_of(hands)->pinned);
    assert_int_equal(learn_of(hands)->pinned_step, PINNED);
    assert_true(lab_trace_part(hands->state->document.baseline, LAB_W_Q, 0).values[0] == kept);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_Q, 0).values[0] == now);
    hands_expect(hands, "A, now");
    /* Without it, it is another session; and it is not brought back by undo. */
    ask_learn(hands, VIEW_LEARN_PIN, 0, 0);
    assert_true(document_is_unsaved(&hands->state->document));
    assert_false(learn_of(hands)->pinned);
    hands_close(hands);
}

/* What a head gives the noun here is told of the word that asks, not of what follows it. */
static void the_share_of_the_noun_is_that_of_the_word_that_asks(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("onestep", 1440, 900);
    hands_show_step(hands, 1); /* “is” gives “hammer” 0.115, and “heavy” behind it 0.396 */
    hands_show_settled(hands);
    hands_expect(hands, "0.115");
    hands_expect_part(hands, "on average, here 11 %.");
    hands_close(hands);
}

/* A lesson whose weights stand where its file says is nothing to save, however the file writes
 * how they were learned. */
static void a_lesson_that_was_only_opened_is_saved(void **unused)
{
    (void)unused;
    static const char *const opened[] = {"reverse", "own-text",   "taught",  "real-heads",
                                         "away",    "which-head", "half-way"};
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) {
        struct hands *const hands = hands_open(opened[i], 1440, 900);
        hands_show_settled(hands);
        assert_non_null(hands->state->view.learn);
        if (document_is_unsaved(&hands->state->document)) {
            fail_msg("%s is marked as work in no file when it opens", opened[i]);
        }
        hands_close(hands);
    }
}

/* The rate's slider is dragged: that is one change, one branch and one step of history. */
static void a_dragged_rate_is_one_change(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 60, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 40, 0);
    static const double way[] = {0.006, 0.008, 0.011, 0.02};
    for (size_t w = 0; w < sizeof way / sizeof *way; w++) {
        ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_RATE, way[w]);
        hands->input.time += 0.1;
    }
    assert_int_equal(learn_of(hands)->branch, 1);
    assert_int_equal(learn_of(hands)->step, 40);
    assert_float_equal(record_get(learn_recipe_row(LEARN_RECIPE_RATE), learn_of(hands)->recipe),
                       0.02, 1e-6);
    hands->input.time += 5; /* another drag, elsewhere, is another change */
    ask_learn(hands, VIEW_LEARN_SEEK, 50, 0);
    ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_RATE, 0.001);
    assert_int_equal(learn_of(hands)->branch, 2);
    for (size_t undo = 2; undo > 0; undo--) {
        hands_key(hands, "Ctrl+z");
        hands_show_settled(hands);
        assert_int_equal(learn_of(hands)->branch, undo - 1);
    }
    assert_float_equal(record_get(learn_recipe_row(LEARN_RECIPE_RATE), learn_of(hands)->recipe),
                       0.005, 1e-6);
    hands_expect(hands, "As it was");
    hands_close(hands);
}

/* The track names changes by hand under the pointer, in the words of the stages. */
static void changes_by_hand_stand_on_the_track(void **unused)
{
    (void)unused;
    static const char frozen[] = "From step 30 on, frozen: L0H1.",
                      matrix[] = "From step 40 on, frozen: W_O of L0.",
                      weight[] = "From step 50 on: L0H1, W_K[3, 5] was made 1.5.";
    const struct lab_cell cell = {LAB_W_K, 1, 2, 4};
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 30, 0);
    assert_int_equal(learn_of(hands)->edits, 0);
    ask_learn(hands, VIEW_LEARN_FREEZE_HEAD, 1, 0);
    hands_expect_part(hands, "L0H1: frozen from here on");
    hands_expect_part(hands, "what comes in still learns");
    hands_hover(hands, "L0H1");
    hands_wait(hands, 2);
    hands_expect_part(hands, "Frozen: its weights stay"); /* the head's tip */
    ask_learn(hands, VIEW_LEARN_SEEK, 40, 0);
    hands_click(hands, "Output");
    hands_show_settled(hands);
    ask_learn(hands, VIEW_LEARN_FREEZE, 0, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 50, 0);
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_EDIT, .edit = {.cell = cell, .number = 1.5}},
        hands->input.time);
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_CLOSE, .edit = {.stays = true, .cell = cell}},
        hands->input.time);
    hands_show_settled(hands);
    assert_true(lab_trace_part(hands->state->document.trace, LAB_W_K, 1).values[2 * 8 + 4] == 1.5f);
    assert_int_equal(learn_of(hands)->edits, 3);
    assert_string_equal(learn_of(hands)->edit[1].sentence, matrix);
    assert_string_equal(learn_of(hands)->edit[2].sentence, weight);
    ask_learn(hands, VIEW_LEARN_SEEK, 90, 0);
    hands_hover(hands, frozen);
    hands_wait(hands, 2);
    hands_expect_part(hands, "frozen: L0H1.");
    hands_close(hands);
}

/* A moment that is kept is compared with what has the same words; another task has others. */
static void another_task_ends_a_comparison(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    ask_learn(hands, VIEW_LEARN_SEEK, 30, 0);
    ask_learn(hands, VIEW_LEARN_PIN, 0, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    hands_expect(hands, "B, kept");
    start_still(hands, LEARN_TASK_INDUCTION);
    hands_expect_not(hands, "No difference");
    hands_expect_not(hands, "A − B");
    hands_expect(hands, "row sum");
    hands_close(hands);
}

/* A small loss says more than that it is nearly nothing. */
static void small_losses_have_digits(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    start_still(hands, LEARN_TASK_COPY);
    ask_learn(hands, VIEW_LEARN_SEEK, 600, 0);
    assert_true(learn_of(hands)->loss < 0.0005);
    assert_int_equal(hands_count_part(hands, "loss 0.000"), 0);
    hands_expect_part(hands, "loss 2.6e-5");
    hands_close(hands);
}

/* A run whose numbers are none any more stops, and says what to lower. */
static void a_run_that_diverges_says_what_to_lower(void **unused)
{
    (void)unused;
    static const char session[] =
        "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"fast\", \"title\": "
        "\"Fast\", "
        "\"summary\": \"\", \"experiment\": {\"tokens\": [\"it\", \"is\"], \"learned\": [\"task "
        "small-world\", \"method sgd\", \"rate 90\", \"step 0\", \"until 300\"]}, \"steps\": "
        "[{\"caption\": \"\", \"stage\": \"softmax\"}]}";
    char path[300];
    struct error error = {0};
    struct hands *const hands = open_still();
    snprintf(path, sizeof path, "%s/fast.json", hands->folder);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(session, 1, sizeof session - 1, file), sizeof session - 1);
    assert_int_equal(fclose(file), 0);
    assert_true(app_lesson_read(hands->state, path, hands->input.time, &error));
    hands_show_settled(hands);
    hands_expect(hands, "Paused");
    hands_expect_part(hands, "Lower the rate (now 90).");
    hands_close(hands);
}

/* A name is looked at without the dots that fill its row, and how it ends is what is said next. */
static void names_are_looked_at_without_their_padding(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    start_still(hands, LEARN_TASK_NAMES);
    ask_learn(hands, VIEW_LEARN_SEEK, 400, 0);
    const struct lab_words *const words = document_present(&hands->state->document)->tokens;
    const size_t count = lab_words_count(words);
    assert_true(count > 2);
    assert_string_equal(lab_words_list(words)[0], ".");
    assert_string_not_equal(lab_words_list(words)[count - 1], ".");
    hands_click(hands, "Write …");
    hands_show_settled(hands);
    hands_expect_part(hands, "each letter is drawn by its share");
    hands_expect(hands, "Take these letters");
    hands_close(hands);
}

/* A number that the engine does not take is refused with the range of its row, and nothing begins.
 */
static void weights_have_a_head_at_least(void **unused)
{
    (void)unused;
    struct hands *const hands = open_still();
    const size_t before = hands->state->document.wanted;
    ask_learn(hands, VIEW_LEARN_SET, LEARN_RECIPE_HEADS, 0);
    hands_expect(hands, "The number of heads must be 1 to 64, not 0.");
    assert_int_equal(learn_of(hands)->heads, 2);
    assert_int_equal(hands->state->document.wanted, before);
    hands_close(hands);
}

/* Alt+X switches a head off wherever there are heads: of weights that learn as of a model. */
static void a_head_is_switched_off_by_its_key(void **unused)
{
    (void)unused;
    struct hands *const hands = hands_open("real-heads", 1440, 900);
    hands_show_settled(hands);
    assert_true(learn_of(hands)->off == NULL || !learn_of(hands)->off[2]);
    hands_key(hands, "Alt+x");
    hands_show_settled(hands);
    hands_expect_not(hands, "No model is open: Ctrl+O opens a folder with one.");
    assert_true(learn_of(hands)->off[2]); /* L0H2, which the lesson's first step shows */
    hands_key(hands, "Alt+x");
    hands_show_settled(hands);
    assert_false(learn_of(hands)->off[2]);
    hands_close(hands);
}

/* A change of Why at a word that is taken away comes back with it, whatever was changed meanwhile.
 */
static void a_change_that_a_shorter_text_has_no_place_for_is_kept(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("away", 1440, 900);
    hands_click(hands, "Why");
    hands_show_settled(hands);
    hands_click(hands, "Set α of “hammer”");
    hands_type(hands, "0.5");
    hands_key(hands, "Enter");
    hands_show_settled(hands);
    hands_expect(hands, "L0H2.alpha[8,5] = 0.50");
    app_state_apply(hands->state,
                    &(struct view_action){.kind = VIEW_ACTION_REMOVE, .token = {.at = 7}},
                    hands->input.time);
    hands_show_settled(hands);
    hands_expect_not(hands, "L0H2.alpha[8,5] = 0.50");
    hands_click(hands, "Switch MLP 1 off or on");
    hands_show_settled(hands);
    hands_expect(hands, "MLP 1 off");
    app_state_apply(
        hands->state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = SIZE_MAX, .text = "is"}},
        hands->input.time);
    hands_show_settled(hands);
    hands_expect(hands, "MLP 1 off");
    hands_expect(hands, "L0H2.alpha[8,5] = 0.50");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_that_a_shorter_text_has_no_place_for_is_kept),
        cmocka_unit_test(a_head_is_switched_off_by_its_key),
        cmocka_unit_test(a_typed_weight_is_one_undo_away),
        cmocka_unit_test(the_same_step_is_the_same_picture),
        cmocka_unit_test(the_past_is_the_same_however_it_was_watched),
        cmocka_unit_test(the_weights_that_are_changed_have_their_numbers),
        cmocka_unit_test(gradients_have_numbers_in_a_small_window),
        cmocka_unit_test(numbers_stand_in_pairs_of_matrices),
        cmocka_unit_test(a_run_on_its_way_says_so),
        cmocka_unit_test(what_was_done_with_a_text_is_said_once_there_is_a_window),
        cmocka_unit_test(a_session_comes_back_with_its_pinned_moment),
        cmocka_unit_test(begun_anew_in_the_middle_of_a_step),
        cmocka_unit_test(weights_have_a_head_at_least),
        cmocka_unit_test(the_share_of_the_noun_is_that_of_the_word_that_asks),
        cmocka_unit_test(a_lesson_that_was_only_opened_is_saved),
        cmocka_unit_test(a_dragged_rate_is_one_change),
        cmocka_unit_test(changes_by_hand_stand_on_the_track),
        cmocka_unit_test(another_task_ends_a_comparison),
        cmocka_unit_test(small_losses_have_digits),
        cmocka_unit_test(a_run_that_diverges_says_what_to_lower),
        cmocka_unit_test(names_are_looked_at_without_their_padding),
        cmocka_unit_test(a_short_text_has_no_curve_of_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
