/* Each built-in recipe reaches what its row promises, with the seed that it ships. Under sanitizers
 * and emulators 20 steps must go well.   Usage: test_learn_recipes [long] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../rounds.h"
#include "learn/run.h"

enum { FEW_STEPS = 20 };

/* Sanitizers make a step many times as long. */
static const bool few = TEST_SANITIZED;

static bool is_long_round;

static void check_promise(struct learn_run *run, const struct learn_task *task,
                          const struct learn_promise *promise)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_point point;
    if (!learn_run_go(run, promise->step, NULL, &error) ||
        !learn_run_measure(run, &point, &error)) {
        fail_msg("%s: %s", task->name, error.text);
    }
    const float score = point.best[task->score[0].score];
    if (!(point.accuracy >= promise->accuracy) ||
        (promise->test > 0 && !(point.test_accuracy >= promise->test)) ||
        (promise->score > 0 && !(score >= promise->score))) {
        fail_msg("%s at step %zu: accuracy %.3f, test %.3f, score %.3f, promised %.3f, %.3f, %.3f",
                 task->name, promise->step, (double)point.accuracy, (double)point.test_accuracy,
                 (double)score, (double)promise->accuracy, (double)promise->test,
                 (double)promise->score);
    }
}

static void recipes_reach_what_they_promise(void **state)
{
    (void)state;
    for (size_t t = 0; t < LEARN_TASK_TEXT; t++) {
        const struct learn_task *const task = learn_task_at(t);
        struct error error = {ERROR_NONE, 0, ""};
        if (task->is_long != is_long_round && !few) {
            continue;
        }
        struct learn_run *const run =
            learn_run_make(&task->recipe, (struct bytes){NULL, 0}, NULL, &error);
        if (run == NULL) {
            fail_msg("%s: %s", task->name, error.text);
        }
        if (few) {
            assert_true(learn_run_go(run, FEW_STEPS, NULL, &error));
        }
        for (size_t p = 0; !few && p < task->promises; p++) {
            check_promise(run, task, &task->promise[p]);
        }
        learn_run_free(run);
    }
}

/* What happened is told at the step where it did, with the head that did it. */
static void attention_finds_the_noun_and_says_so(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    const struct learn_task *const task = learn_task_at(LEARN_TASK_SMALL_WORLD);
    if (few || is_long_round) {
        skip();
    }
    struct learn_run *const run =
        learn_run_make(&task->recipe, (struct bytes){NULL, 0}, NULL, &error);
    assert_true(learn_run_go(run, 600, NULL, &error));
    size_t count = 0;
    bool found = false;
    const struct learn_event *const events = learn_run_events(run, &count);
    for (size_t e = 0; e < count; e++) {
        if (events[e].score != LEARN_SCORE_NOUN) {
            continue;
        }
        struct learn_point point;
        found = true;
        assert_string_equal(events[e].words, "attention finds the noun");
        assert_true(events[e].has_head);
        assert_true(learn_run_go(run, events[e].step, NULL, &error));
        assert_true(learn_run_measure(run, &point, &error));
        assert_true(point.best[LEARN_SCORE_NOUN] >= .5F);
    }
    assert_true(found);
    learn_run_free(run);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipes_reach_what_they_promise),
        cmocka_unit_test(attention_finds_the_noun_and_says_so),
    };
    is_long_round = argc > 1 && strcmp(argv[1], "long") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
