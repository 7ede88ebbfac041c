/* Texts that come while weights learn from another: the person is asked, the run goes on with it or
 * one begins; long ones are read beside the window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "app/open/drop.h"
#include "app/open/lesson.h"
#include "hands.h"
#include "learn/task.h"
#include "learning.h"

static const char first_text[] = "the bird sings in the tree . a fish swims in the sea . ";
static const char second_text[] = "the fish sings in the sea . a bird swims in the tree . ";
static const char strange_text[] = "the whale sings in the wide sea . a shark swims in the tree . ";

/* So many times one behind the other; the caller frees it. */
static char *repeat_text(const char *text, size_t times)
{
    const size_t length = strlen(text);
    char *const all = malloc(times * length + 1);
    assert_non_null(all);
    for (size_t t = 0; t < times; t++) {
        memcpy(all + t * length, text, length);
    }
    all[times * length] = '\0';
    return all;
}

static void paste_text(struct hands *hands, const char *text, size_t times)
{
    char *const all = repeat_text(text, times);
    hands_paste(hands, all);
    hands_frame(hands);
    hands_frame(hands);
    free(all);
}

/* A run from the first text, standing at a step. */
static struct hands *open_at(size_t step)
{
    struct hands *const hands = open_still();
    char *const all = repeat_text(first_text, 60);
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(app_learn_text(hands->state, (struct bytes){(const uint8_t *)all, strlen(all)},
                               hands->input.time, &error));
    free(all);
    ask_learn(hands, VIEW_LEARN_SEEK, step, 0);
    return hands;
}

/* The first row of the batch that the step learns from, its words one behind the other. */
static void read_batch(struct hands *hands, char text[600])
{
    app_learn_look_closely(hands->state, VIEW_OVERLAY_BATCH, hands->input.time);
    hands_show_settled(hands);
    const struct view_learn *const learn = learn_of(hands);
    assert_true(learn->rows > 0);
    text[0] = '\0';
    for (size_t w = 0; w < learn->row[0].words && strlen(text) < 500; w++) {
        strcat(strcat(text, learn->row[0].word[w]), " ");
    }
    hands_key(hands, "Escape");
    hands_show_settled(hands);
}

static bool is_from_the_second(struct hands *hands)
{
    char text[600];
    read_batch(hands, text);
    return strstr(text, "fish sings") != NULL || strstr(text, "bird swims") != NULL;
}

/* The loss of the words on the stages: it follows from all weights. */
static double loss_of(const struct hands *hands)
{
    return (double)learn_of(hands)->at_end.mean;
}

static void a_run_goes_on_with_another_text(void **unused)
{
    (void)unused;
    char path[300];
    struct error error = {ERROR_NONE, 0, ""};
    struct hands *const hands = open_at(30);
    ask_learn(hands, VIEW_LEARN_SEEK, 20, 0);
    paste_text(hands, second_text, 40);
    hands_expect(hands, "Another text");
    hands_expect_part(hands, "560 words; the run knows all of them.");
    hands_expect_part(hands, "from step 20 on these weights learn from this text");
    hands_click(hands, "Go on with it");
    hands_show_settled(hands);
    hands_expect_part(hands, "From step 20 on it learns from this text.");
    assert_int_equal(learn_of(hands)->step, 20);
    assert_int_equal(learn_of(hands)->branch, 1);
    assert_true(is_from_the_second(hands));
    ask_learn(hands, VIEW_LEARN_SEEK, 35, 0);
    const double there = loss_of(hands);
    ask_learn(hands, VIEW_LEARN_SEEK, 19,
              0); /* before the branch the former text is learned from */
    assert_false(is_from_the_second(hands));
    ask_learn(hands, VIEW_LEARN_SEEK, 35, 0);
    assert_true(is_from_the_second(hands));
    assert_true(loss_of(hands) == there);
    snprintf(path, sizeof path, "%s/texts.json", hands->folder);
    assert_true(app_lesson_save(hands->state, path, &error));
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->branch, 0);
    ask_learn(hands, VIEW_LEARN_SEEK, 35, 0);
    assert_false(is_from_the_second(hands));
    assert_true(loss_of(hands) != there);
    hands_key(hands, "Ctrl+Shift+z");
    hands_show_settled(hands);
    ask_learn(hands, VIEW_LEARN_SEEK, 35, 0);
    assert_true(loss_of(hands) == there);
    start_still(hands, LEARN_TASK_COPY); /* something else, and then the session */
    assert_true(app_lesson_read(hands->state, path, hands->input.time, &error));
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->step, 35);
    assert_int_equal(learn_of(hands)->branch, 1);
    assert_true(loss_of(hands) == there);
    assert_true(is_from_the_second(hands));
    hands_close(hands);
}

/* The run stays, and may be left for a new one. */
static void unknown_words_are_named(void **unused)
{
    (void)unused;
    struct hands *const hands = open_at(30);
    const double before = loss_of(hands);
    paste_text(hands, strange_text, 40);
    hands_expect_part(hands, "Unknown to this run: 3 of the 11 kinds of words");
    hands_expect_part(hands, "“shark”");
    assert_int_equal(hands_count(hands, "Go on with it"), 0);
    hands_key(hands, "Escape");
    hands_show_settled(hands);
    assert_int_equal(hands_count(hands, "Another text"), 0);
    assert_int_equal(learn_of(hands)->step, 30);
    assert_true(loss_of(hands) == before);
    paste_text(hands, strange_text, 40);
    hands_click(hands, "Begin anew");
    hands_frame(hands);
    hands_expect_part(hands, "Learned word by word");
    ask_learn(hands, VIEW_LEARN_SEEK, 3, 0);
    assert_int_equal(learn_of(hands)->at_end.logit.cols, 11);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->at_end.logit.cols, 10);
    paste_text(hands, strange_text, 40);
    hands_key(hands, "Enter"); /* the only button there */
    hands_frame(hands);
    hands_expect_part(hands, "Learned word by word");
    hands_close(hands);
}

/* It trained when the text came: it rests while the question is open, and trains on behind it. */
static void training_rests_while_it_is_asked(void **unused)
{
    (void)unused;
    enum { PATIENCE = 20000 };
    static const char *const keys[] = {"Enter", "Escape"};
    for (size_t way = 0; way < 2; way++) {
        struct hands *const hands = open_at(5);
        (void)app_learn_apply(
            hands->state,
            &(struct view_action){.kind = VIEW_ACTION_LEARN, .learn = {.act = VIEW_LEARN_PLAY}},
            hands->input.time);
        paste_text(hands, second_text, 40);
        hands_show_settled(hands);
        assert_false(learn_of(hands)->training);
        hands_expect(hands, "Another text");
        const size_t step = learn_of(hands)->step;
        hands_key(hands, keys[way]);
        size_t frames = 0;
        while (learn_of(hands)->step < step + 3 && ++frames < PATIENCE) {
            nanosleep(&(const struct timespec){.tv_nsec = 1000000}, NULL);
            hands_frame(hands);
        }
        assert_true(frames < PATIENCE);
        assert_int_equal(learn_of(hands)->branch, way == 0 ? 1 : 0);
        hands_close(hands);
    }
}

/* A long text is read beside the window, which says so, and can be told to leave it. */
static void a_long_text_is_read_beside_the_window(void **unused)
{
    (void)unused;
    enum { TIMES = 40000, PATIENCE = 20000 };
    char path[300];
    char *const novel = repeat_text(first_text, TIMES);
    struct hands *const hands = open_still();
    snprintf(path, sizeof path, "%s/novel.txt", hands->folder);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(novel, 1, strlen(novel), file), strlen(novel));
    assert_int_equal(fclose(file), 0);
    free(novel);
    for (size_t time = 0; time < 2; time++) { /* given up first, then not */
        hands_drop(hands, path);
        assert_int_equal(learn_of(hands)->task_at, LEARN_TASK_SMALL_WORLD);
        assert_non_null(tasks_shown(&hands->state->tasks));
        assert_string_equal(tasks_shown(&hands->state->tasks)->doing, "Reading the text");
        if (time == 0) {
            assert_true(tasks_cancel(&hands->state->tasks, hands->state, hands->input.time));
        }
        hands_wait_for_tasks(hands);
        ask_learn(hands, VIEW_LEARN_SEEK, 1, 0);
        assert_int_equal(learn_of(hands)->task_at,
                         time == 0 ? LEARN_TASK_SMALL_WORLD : LEARN_TASK_TEXT);
    }
    hands_expect_part(hands, "560 000 words of 10 kinds");
    hands_close(hands);
}

/* Words or letters: what was chosen for a text can be changed, and undo returns. */
static void a_text_is_cut_otherwise(void **unused)
{
    (void)unused;
    struct hands *const hands = open_at(20);
    hands_show_settings(hands);
    assert_false(learn_of(hands)->letters);
    hands_click(hands, "letters");
    hands_show_settled(hands);
    assert_true(learn_of(hands)->letters);
    assert_int_equal(learn_of(hands)->step, 0);
    hands_expect_part(hands, "Learned letter by letter");
    ask_learn(hands, VIEW_LEARN_SEEK, 5, 0);
    const double letters = loss_of(hands);
    hands_key(hands, "Ctrl+z");
    hands_show_settled(hands);
    assert_false(learn_of(hands)->letters);
    assert_int_equal(learn_of(hands)->step, 20);
    hands_key(hands, "Ctrl+Shift+z");
    hands_show_settled(hands);
    assert_true(learn_of(hands)->letters);
    ask_learn(hands, VIEW_LEARN_SEEK, 5, 0);
    assert_true(loss_of(hands) == letters);
    hands_click(hands, "words");
    hands_show_settled(hands);
    assert_false(learn_of(hands)->letters);
    hands_expect_part(hands, "Learned word by word");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on_with_another_text),
        cmocka_unit_test(unknown_words_are_named),
        cmocka_unit_test(training_rests_while_it_is_asked),
        cmocka_unit_test(a_long_text_is_read_beside_the_window),
        cmocka_unit_test(a_text_is_cut_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
