/* Lessons that learn, on a machine that is as slow as a test wants: each step of training waits at
 * a gate until the test lets it through. Until then nothing on the screen may claim what has not
 * been learned yet. Nothing here waits for time to pass. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/actions.h"
#include "base/translate.h"
#include "hands.h"
#include "lab/lesson/lessons.h"
#include "learn/optimiser.h"
#include "view/parts/learn.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t told;
    uint64_t let, passed; /* steps that may pass, steps that have */
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .told = PTHREAD_COND_INITIALIZER};

struct learn_step __real_learn_optimiser_step(const struct learn_optimiser *optimiser,
                                              const struct lab_engine *engine,
                                              const struct learn_shape *shape,
                                              const struct learn_tensors *tensors,
                                              const struct learn_frozen *frozen, uint64_t step,
                                              const float *gradient, float *m, float *v,
                                              float *weights);
struct learn_step __wrap_learn_optimiser_step(const struct learn_optimiser *optimiser,
                                              const struct lab_engine *engine,
                                              const struct learn_shape *shape,
                                              const struct learn_tensors *tensors,
                                              const struct learn_frozen *frozen, uint64_t step,
                                              const float *gradient, float *m, float *v,
                                              float *weights);

/* The linker puts this in the place of the real one: each step of training ends with it. */
struct learn_step __wrap_learn_optimiser_step(const struct learn_optimiser *optimiser,
                                              const struct lab_engine *engine,
                                              const struct learn_shape *shape,
                                              const struct learn_tensors *tensors,
                                              const struct learn_frozen *frozen, uint64_t step,
                                              const float *gradient, float *m, float *v,
                                              float *weights)
{
    pthread_mutex_lock(&gate.lock);
    while (gate.passed >= gate.let) {
        pthread_cond_wait(&gate.told, &gate.lock);
    }
    gate.passed++;
    pthread_cond_broadcast(&gate.told);
    pthread_mutex_unlock(&gate.lock);
    return __real_learn_optimiser_step(optimiser, engine, shape, tensors, frozen, step, gradient, m,
                                       v, weights);
}

static void close_gate(void)
{
    pthread_mutex_lock(&gate.lock);
    gate.let = gate.passed = 0;
    pthread_mutex_unlock(&gate.lock);
}

/* Lets so many more through; UINT64_MAX: all. */
static void let_through(uint64_t steps)
{
    pthread_mutex_lock(&gate.lock);
    gate.let = steps > UINT64_MAX - gate.let ? UINT64_MAX : gate.let + steps;
    pthread_cond_broadcast(&gate.told);
    pthread_mutex_unlock(&gate.lock);
}

static uint64_t steps_passed(void)
{
    pthread_mutex_lock(&gate.lock);
    const uint64_t passed = gate.passed;
    pthread_mutex_unlock(&gate.lock);
    return passed;
}

/* The beginning of a caption, as it stands in its first line. */
static const char *beginning_of(const char *caption)
{
    enum { LETTERS = 12 };
    static char begin[LETTERS + 1];
    snprintf(begin, sizeof begin, "%s", caption);
    return begin;
}

/* What is on the screen is no further than the training can have come. */
static void expect_no_claims(struct hands *hands, const char *lesson)
{
    const struct view_state *const view = &hands->state->view;
    const struct view_learn *const learn = view->learn;
    const size_t step = view->step + 1;
    if (learn == NULL) {
        return;
    }
    const size_t reached = learn->reached, passed = (size_t)steps_passed();
    if (learn->step > reached || reached > passed) {
        fail_msg("%s, step %zu: “step %zu” of %zu reached, and %zu were trained", lesson, step,
                 learn->step, reached, passed);
    }
    for (size_t m = 0; m < VIEW_LEARN_MOMENTS; m++) {
        if (learn->moment[m].alpha != NULL && learn->moment[m].step > learn->step) {
            fail_msg("%s, step %zu: heads of step %zu at step %zu", lesson, step,
                     learn->moment[m].step, learn->step);
        }
    }
    for (size_t e = 0; e < learn->events; e++) {
        assert_true(learn->event[e].step <= reached);
    }
    for (size_t p = 0; p < learn->points; p++) {
        assert_true(learn->at[p] <= (float)reached);
    }
    if (learn->awaited > 0) {
        hands_expect_not(hands, tr("Reveal"));
        if (view->caption != NULL && view->caption[0] != '\0' &&
            hands_count_part(hands, beginning_of(view->caption)) > 0) {
            fail_msg("%s, step %zu: its text is there at step %zu of %zu", lesson, step,
                     learn->step, learn->awaited);
        }
    }
}

/* Frames until a step that the gate let through is on the screen, or none comes any more. */
static void watch_steps(struct hands *hands, const char *lesson, uint64_t steps)
{
    const uint64_t until = steps_passed() + steps;
    let_through(steps);
    while (steps_passed() < until && hands->state->view.learn != NULL &&
           (hands->state->view.learn->awaited > 0 || hands->state->view.learn->training)) {
        hands_step_for_result(hands);
        expect_no_claims(hands, lesson);
    }
    hands_frame(hands);
    expect_no_claims(hands, lesson);
}

/* The page of a step turns, the training is watched on its way, and then comes to its end. */
static size_t walk(const char *lesson)
{
    size_t awaited = 0;
    close_gate();
    struct hands *const hands = hands_open_presenter(lesson, 1024, 768);
    expect_no_claims(hands, lesson);
    const size_t steps = hands->state->document.lesson->steps;
    for (size_t step = 0; step < steps; step++) {
        hands_frame(hands);
        expect_no_claims(hands, lesson);
        watch_steps(hands, lesson, 3);
        const struct view_learn *const learn = hands->state->view.learn;
        if (learn != NULL && learn->awaited > 0) {
            awaited++;
            hands_expect_part(hands, "Learning: step ");
            hands_key(hands, "PageDown"); /* neither reveals nor ends anything that is awaited */
            expect_no_claims(hands, lesson);
            assert_false(hands->state->view.revealed);
            hands_expect_not(hands, tr("This is the end of the lesson."));
            if (hands->state->view.step > step) {
                hands_key(hands, "PageUp");
            }
            assert_int_equal(hands->state->view.step, step);
            while (learn->awaited > 0) {
                watch_steps(hands, lesson, 100);
            }
        }
        hands_frame(hands);
        expect_no_claims(hands, lesson);
        assert_true(hands_count_part(hands, beginning_of(hands->state->view.caption)) > 0);
        if (hands->state->view.guess != LAB_GUESS_NONE) {
            hands_expect(hands, tr("Reveal"));
            hands_key(hands, "PageDown");
            assert_true(hands->state->view.revealed);
            assert_int_equal(hands->state->view.step, step);
        }
        hands_key(hands, "PageDown");
    }
    let_through(UINT64_MAX); /* what still trains is told to end */
    hands_close(hands);
    return awaited;
}

static void nothing_is_claimed_before_it_is_learned(void **state)
{
    static const char *const lessons[] = {"learned", "induction", "grokking"};
    (void)state;
    for (size_t l = 0; l < sizeof lessons / sizeof *lessons; l++) {
        const size_t awaited = walk(lessons[l]);
        if (awaited == 0) {
            fail_msg("%s awaited nothing", lessons[l]);
        }
    }
}

/* A step may say how far it trains: there the training rests, and has gone no further, so that the
 * strip does not call that moment one "as it was". */
static void training_rests_where_a_step_says(void **state)
{
    enum { STEP = 1, UNTIL = 280 };
    (void)state;
    close_gate();
    let_through(UINT64_MAX);
    struct hands *const hands = hands_open_presenter("induction", 1024, 768);
    hands_show_step(hands, STEP);
    const struct view_action fastest = {.kind = VIEW_ACTION_LEARN,
                                        .learn = {.act = VIEW_LEARN_SPEED, .which = 0}};
    app_state_apply(hands->state, &fastest, hands->input.time);
    hands_settle(hands);
    hands_frame(hands);
    assert_int_equal(hands->state->view.learn->step, UNTIL);
    assert_int_equal(hands->state->view.learn->reached, UNTIL);
    hands_expect(hands, "Paused");
    hands_expect_not(hands, "As it was");
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(training_rests_where_a_step_says),
                                       cmocka_unit_test(nothing_is_claimed_before_it_is_learned)};
    return cmocka_run_group_tests_name("slow_trainer", tests, NULL, NULL);
}
