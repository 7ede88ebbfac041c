/* A session whose weights take long to be learned again opens at once, with the step nearest to
 * what is known; how far it is stands at the bottom with Cancel, which leaves it where it has come
 * to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "app/open/lesson.h"
#include "base/file.h"
#include "learn/learned.h"
#include "learning.h"

#define SESSION(LEARNED)                                                                           \
    "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"session\", \"title\": \"A "    \
    "session\", \"summary\": \"\", \"experiment\": {\"lesson\": \"\", \"tokens\": [\"the\", "      \
    "\"man\", \"buys\", \"a\", \"hammer\", \".\", \"it\", \"is\"], \"learned\": [" LEARNED         \
    "], \"layers\": 1, \"heads\": 2}, \"steps\": [{\"caption\": \"\", \"stage\": \"softmax\", "    \
    "\"query\": 7, \"key\": 4, \"head\": 1}]}"

static struct hands *open_session(const char *text)
{
    struct hands *const hands = hands_open("cats", 1440, 900);
    struct error error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/long.json", hands->folder);
    assert_true(file_write(path, (struct bytes){(const uint8_t *)text, strlen(text)}, &error));
    assert_true(app_lesson_read(hands->state, path, hands->input.time, &error));
    hands_frame(hands);
    return hands;
}

/* The thread that trains takes real time; the window's own goes by as a test has it. */
static void let_it_train(struct hands *hands, size_t least)
{
    const struct timespec moment = {0, 2000000};
    while (learn_of(hands)->step < least) {
        nanosleep(&moment, NULL);
        hands_wait(hands, 0.05);
    }
}

static uint64_t step_of_document(const struct hands *hands, size_t *edits)
{
    const struct learn_learned *const learned =
        learn_training_record(document_present(&hands->state->document)->learned);
    *edits = learned->edits;
    return learned->step;
}

static void give_up(struct hands *hands, size_t edits_left)
{
    size_t edits = 0;
    hands_wait(hands, 0.5);
    assert_non_null(hands->state->view.work);
    assert_non_null(strstr(hands->state->view.work->doing, "Learning: step "));
    hands_expect_part(hands, " of 1 000 000 000 000"); /* all of it, however large the number */
    assert_true(hands->state->view.work->progress >= 0 && hands->state->view.work->progress < 1);
    hands_click(hands, "Cancel");
    hands_show_settled(hands);
    assert_null(hands->state->view.work);
    const size_t step = learn_of(hands)->step;
    assert_false(learn_of(hands)->training);
    assert_int_equal(step_of_document(hands, &edits), step);
    assert_int_equal(edits, edits_left);
    assert_true(step < 1000000000);
    hands_key(hands, "Ctrl+Right"); /* it goes on from there by hand */
    hands_show_settled(hands);
    assert_int_equal(learn_of(hands)->step, step + 1);
}

/* A caption speaks of weights that are learned: until they are, it would be untrue. */
static void a_caption_waits_for_its_weights(void **state)
{
    (void)state;
    static const char text[] = SESSION("\"task small-world\", \"seed 19\", \"step 1000000000000\"");
    char told[sizeof text + 64];
    const char *const caption = strstr(text, "\"caption\": \"\"");
    assert_non_null(caption);
    snprintf(told, sizeof told, "%.*s\"caption\": \"Now it is found.\"%s", (int)(caption - text),
             text, caption + strlen("\"caption\": \"\""));
    struct hands *const hands = open_session(told);
    hands_wait(hands, 0.5);
    hands_expect_part(hands, "of 1 000 000 000 000. Then the text of this step comes.");
    assert_int_equal(hands_count_part(hands, "Now it is found."), 0);
    hands_close(hands);
    struct hands *const class = hands_open("learned", 1024, 768);
    hands_key(class, "F5");
    for (size_t step = 1; step < 5; step++) {
        hands_key(class, "PageDown");
    }
    hands_settle(class);
    hands_expect_part(class, "Head L0H1 has learned for 600");
    assert_int_equal(learn_of(class)->step, 600);
    assert_int_equal(hands_count_part(class, "Then the text of this step comes."), 0);
    hands_close(class);
}

static void a_session_of_steps_without_end_opens_at_once(void **state)
{
    (void)state;
    struct hands *const hands =
        open_session(SESSION("\"task small-world\", \"seed 19\", \"step 1000000000000\""));
    assert_true(learn_of(hands)->step < 1000000);
    let_it_train(hands, 3);
    give_up(hands, 0);
    hands_close(hands);
}

static void one_that_is_changed_on_the_way_too(void **state)
{
    (void)state;
    struct hands *const hands = open_session(
        SESSION("\"task small-world\", \"seed 19\", \"step 1000000000000\", \"edit 2 rate 0.01\", "
                "\"edit 900000000 rate 0.02\""));
    let_it_train(hands, 5);
    give_up(hands, 1);
    hands_close(hands);
}

static void a_moment_to_compare_with_is_given_up_too(void **state)
{
    (void)state;
    struct hands *const hands =
        open_session(SESSION("\"task small-world\", \"seed 19\", \"step 1000000000000\", \"pin "
                             "900000000 0\""));
    let_it_train(hands, 3);
    give_up(hands, 0);
    hands_close(hands);
}

/* A single step of the largest network takes minutes: neither Cancel nor the end waits for it. */
static void a_step_of_minutes_is_not_waited_for(void **state)
{
    (void)state;
    const struct timespec moment = {0, 2000000};
    struct hands *const hands = open_session(SESSION(
        "\"task small-world\", \"seed 19\", \"layers 6\", \"heads 4\", \"d_model 256\", "
        "\"d_k 64\", \"context 256\", \"inner 1024\", \"batch 4096\", \"step 1000000000000\""));
    assert_int_equal(learn_of(hands)->step, 0);
    hands_wait(hands, 0.5);
    assert_non_null(hands->state->view.work);
    hands_click(hands, "Cancel");
    while (hands->state->view.work != NULL) { /* what the step comes to is computed meanwhile */
        nanosleep(&moment, NULL);
        hands_wait(hands, 0.05);
    }
    assert_int_equal(learn_of(hands)->step, 0);
    hands_key(hands, "Ctrl+Space");
    hands_wait(hands, 0.5);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_caption_waits_for_its_weights),
        cmocka_unit_test(a_session_of_steps_without_end_opens_at_once),
        cmocka_unit_test(one_that_is_changed_on_the_way_too),
        cmocka_unit_test(a_moment_to_compare_with_is_given_up_too),
        cmocka_unit_test(a_step_of_minutes_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
