/* Weights of a step that were made before: a run stands there without training, makes them itself
 * before it goes on, and can be told to give that up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "learn/run.h"
#include "learn/trainer.h"

enum { STEP = 50, FAR = 1000000000 };

static const struct bytes no_text = {NULL, 0};

/* What is changed on the way; the last one later than what is looked at. */
static const struct learn_edit edits[] = {
    {.kind = LEARN_EDIT_WEIGHT, .step = 20, .tensor = 0, .value = .5F},
    {.kind = LEARN_EDIT_HEAD_OFF, .step = 40, .head = 1, .value = 1},
    {.kind = LEARN_EDIT_RATE, .step = 60, .value = .002F}};
enum { EDITS = sizeof edits / sizeof *edits };

static struct learn_recipe small_recipe(void)
{
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_SMALL_WORLD)->recipe;
    recipe.batch = 4;
    recipe.steps = 60;
    return recipe;
}

static struct learn_run *make_run(void)
{
    const struct learn_recipe recipe = small_recipe();
    struct learn_run *const run = learn_run_make(&recipe, no_text, NULL, NULL);
    assert_non_null(run);
    return run;
}

/* Trained all the way, with the edits. */
static struct learn_run *trained_run(void)
{
    struct learn_run *const run = make_run();
    for (size_t e = 0; e < EDITS; e++) {
        assert_true(learn_run_go(run, edits[e].step, NULL, NULL));
        assert_true(learn_run_edit(run, &edits[e], NULL));
    }
    assert_true(learn_run_go(run, STEP, NULL, NULL));
    return run;
}

static bool same_weights(const struct learn_run *a, const struct learn_run *b)
{
    return memcmp(learn_run_weights(a), learn_run_weights(b),
                  learn_run_tensors(a)->floats * sizeof(float)) == 0;
}

static bool count_step(void *owner, uint64_t step)
{
    (void)step;
    return ++*(size_t *)owner != 0;
}

static void a_run_goes_on_from_known_weights_to_the_same_bits(void **state)
{
    (void)state;
    struct learn_run *const trained = trained_run(), *const run = make_run();
    size_t made = 0;
    const struct learn_progress progress = {count_step, &made};
    learn_run_set_progress(run, &progress);
    assert_true(learn_run_know(run, edits, EDITS, STEP, learn_run_weights(trained), NULL));
    assert_int_equal(learn_run_step(run), STEP);
    assert_int_equal(made, 0);
    assert_true(same_weights(run, trained));
    assert_true(learn_run_is_near(run, STEP));
    assert_false(learn_run_is_near(run, STEP - 1));
    assert_false(learn_network_head_is_on(learn_run_network(run), 0, 1));
    const struct learn_edit *own = NULL;
    assert_int_equal(learn_run_edits(run, &own), EDITS);
    assert_int_equal(own[1].step, edits[1].step);
    assert_null(learn_run_gradient(run)); /* no step has led here */

    assert_true(learn_run_forward(run, NULL));
    assert_true(learn_run_forward(trained, NULL));
    assert_int_equal(made, STEP);
    assert_true(same_weights(run, trained));
    for (uint64_t step = 30; step <= 70; step += 40) { /* back, and beyond the last edit */
        assert_true(learn_run_go(run, step, NULL, NULL));
        assert_true(learn_run_go(trained, step, NULL, NULL));
        assert_true(same_weights(run, trained));
    }
    learn_run_free(trained);
    learn_run_free(run);
}

/* It changes no weight: it can be taken away and brought back where nothing was trained. */
static void a_head_is_switched_off_there_without_training(void **state)
{
    (void)state;
    const struct learn_edit off = {.kind = LEARN_EDIT_HEAD_OFF, .head = 0, .value = 1};
    struct learn_run *const trained = trained_run(), *const run = make_run();
    size_t made = 0;
    const struct learn_progress progress = {count_step, &made};
    learn_run_set_progress(run, &progress);
    assert_true(learn_run_know(run, edits, EDITS, STEP, learn_run_weights(trained), NULL));
    assert_true(learn_run_edit(run, &off, NULL));
    assert_false(learn_network_head_is_on(learn_run_network(run), 0, 0));
    assert_true(learn_run_undo(run, NULL));
    assert_true(learn_network_head_is_on(learn_run_network(run), 0, 0));
    assert_true(learn_run_edit(run, &off, NULL));
    assert_false(learn_network_head_is_on(learn_run_network(run), 0, 0));
    assert_true(learn_run_is_near(run, STEP));
    assert_int_equal(learn_run_step(run), STEP);
    assert_int_equal(made, 0);
    assert_true(same_weights(run, trained));
    assert_true(learn_run_edit(trained, &off, NULL)); /* what follows is learned without it */
    assert_true(learn_run_forward(run, NULL));
    assert_true(learn_run_forward(trained, NULL));
    assert_int_equal(made, STEP);
    assert_true(same_weights(run, trained));
    assert_true(learn_run_go(run, 30, NULL, NULL));
    assert_true(learn_run_go(trained, 30, NULL, NULL));
    assert_true(same_weights(run, trained));
    learn_run_free(trained);
    learn_run_free(run);
}

/* Nobody waits for what is given up; the weights are still known then. */
static bool stop_from_seven(void *owner, uint64_t step)
{
    (void)owner;
    return step < 7;
}

static void what_is_given_up_stands_where_it_has_come_to(void **state)
{
    (void)state;
    const struct learn_progress progress = {stop_from_seven, NULL};
    struct learn_run *const run = make_run(), *const trained = trained_run();
    struct error error = {ERROR_NONE, 0, ""};
    learn_run_set_progress(run, &progress);
    assert_true(learn_run_know(run, edits, EDITS, FAR, learn_run_weights(trained), NULL));
    assert_int_equal(learn_run_step(run), FAR);
    assert_false(learn_run_forward(run, &error));
    assert_int_equal(error.code, ERROR_NONE);
    assert_int_equal(learn_run_step(run), 7);
    assert_int_equal(learn_run_comes_to(run), 0);
    assert_true(learn_run_go(run, FAR, NULL, NULL));
    assert_true(same_weights(run, trained));
    assert_false(
        learn_run_edit(run, &(struct learn_edit){.kind = LEARN_EDIT_DATA, .seed = 5}, NULL));
    assert_int_equal(learn_run_step(run), 8);
    learn_run_free(trained);
    learn_run_free(run);
}

static void an_edit_that_cannot_be_leaves_the_run_as_it_was_made(void **state)
{
    (void)state;
    const struct learn_edit wrong[] = {
        edits[0], {.kind = LEARN_EDIT_HEAD_OFF, .step = 30, .layer = 9, .value = 1}};
    struct learn_run *const run = make_run(), *const other = make_run();
    struct error error = {ERROR_NONE, 0, ""};
    assert_false(learn_run_know(run, wrong, 2, STEP, learn_run_weights(other), &error));
    assert_non_null(strstr(error.text, "no such head"));
    assert_int_equal(learn_run_step(run), 0);
    assert_false(learn_run_can_undo(run));
    assert_true(learn_run_go(run, 25, NULL, NULL));
    assert_true(learn_run_go(other, 25, NULL, NULL));
    assert_true(same_weights(run, other));
    learn_run_free(run);
    learn_run_free(other);
}

static struct learn_trainer *trainer_at(uint64_t step, const struct learn_run *trained)
{
    const struct learn_recipe recipe = small_recipe();
    struct learn_trainer *const trainer = learn_trainer_start(&recipe, no_text, 1, NULL);
    assert_non_null(trainer);
    assert_true(learn_trainer_replay_known(trainer, edits, EDITS, step, learn_run_weights(trained),
                                           learn_run_tensors(trained)->floats));
    learn_trainer_set_steps(trainer, 2 * (uint64_t)FAR);
    learn_trainer_wait(trainer);
    const struct learn_view *const view = learn_trainer_view(trainer);
    assert_int_equal(view->moment->step, step);
    assert_int_equal(view->furthest, step > edits[EDITS - 1].step ? step : edits[EDITS - 1].step);
    assert_int_equal(view->edit_count, EDITS);
    assert_int_equal(view->point_count, 0);
    assert_true(view->moment->is_exact && view->moment->head_off[0][1]);
    learn_view_release(view);
    return trainer;
}

/* On its way to them it says so, and can be told to rest, or to stay. */
static void a_trainer_goes_on_from_them_in_sight(void **state)
{
    (void)state;
    struct learn_run *const trained = trained_run();
    for (int way = 0; way < 3; way++) {
        struct learn_trainer *const trainer = trainer_at(FAR, trained);
        const struct learn_view *view = learn_trainer_view(trainer);
        if (way == 2) {
            learn_trainer_one_step(trainer);
        } else {
            learn_trainer_play(trainer, UINT64_MAX);
        }
        for (uint64_t step = 0; step < 3 || view->comes_to != FAR || step == FAR;
             step = view->moment->step) {
            learn_view_release(view);
            view = learn_trainer_view(trainer);
        }
        assert_true(view->works);
        if (way == 0) {
            learn_trainer_play(trainer, 0);
        } else {
            learn_trainer_give_up(trainer, view->moment->step);
        }
        learn_trainer_wait(trainer);
        learn_view_release(view);
        view = learn_trainer_view(trainer);
        assert_false(view->works || view->plays);
        assert_int_equal(view->comes_to, 0);
        assert_int_equal(view->error.code, ERROR_NONE);
        assert_in_range(view->moment->step, 3, FAR - 1);
        learn_view_release(view);
        learn_trainer_stop(trainer);
    }
    learn_run_free(trained);
}

/* What a step was made of is known as soon as it is asked for, and before. */
static void a_step_that_is_watched_is_made(void **state)
{
    (void)state;
    struct learn_run *const trained = trained_run();
    struct learn_trainer *const trainer = trainer_at(STEP, trained);
    learn_trainer_watch(trainer, true);
    learn_trainer_wait(trainer);
    const struct learn_view *const view = learn_trainer_view(trainer);
    assert_int_equal(view->moment->step, STEP);
    assert_non_null(view->moment->made);
    assert_memory_equal(view->moment->weights, learn_run_weights(trained),
                        learn_run_tensors(trained)->floats * sizeof(float));
    learn_view_release(view);
    learn_trainer_stop(trainer);
    learn_run_free(trained);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on_from_known_weights_to_the_same_bits),
        cmocka_unit_test(a_head_is_switched_off_there_without_training),
        cmocka_unit_test(what_is_given_up_stands_where_it_has_come_to),
        cmocka_unit_test(an_edit_that_cannot_be_leaves_the_run_as_it_was_made),
        cmocka_unit_test(a_trainer_goes_on_from_them_in_sight),
        cmocka_unit_test(a_step_that_is_watched_is_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
