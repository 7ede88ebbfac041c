/* Runs: any step again with the same bits, branches and undo, a run that diverges; and the
 * trainer's thread, which is told and asked at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/learned.h"
#include "learn/run.h"
#include "learn/trainer.h"

static const struct bytes no_text = {NULL, 0};

/* A recipe whose steps take next to nothing. */
static struct learn_recipe small_recipe(void)
{
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_SMALL_WORLD)->recipe;
    recipe.batch = 4;
    recipe.steps = 60;
    return recipe;
}

static struct learn_run *make_run(const struct lab_engine *engine)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct learn_recipe recipe = small_recipe();
    struct learn_run *const run = learn_run_make(&recipe, no_text, engine, &error);
    if (run == NULL) {
        fail_msg("%s", error.text);
    }
    return run;
}

static void go(struct learn_run *run, uint64_t step)
{
    struct error error = {ERROR_NONE, 0, ""};
    if (!learn_run_go(run, step, NULL, &error)) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(learn_run_step(run), step);
}

static float *copy_weights(const struct learn_run *run)
{
    const size_t size = learn_run_tensors(run)->floats * sizeof(float);
    float *const copy = malloc(size);
    memcpy(copy, learn_run_weights(run), size);
    return copy;
}

static bool same_weights(const struct learn_run *run, const float *weights)
{
    return memcmp(learn_run_weights(run), weights,
                  learn_run_tensors(run)->floats * sizeof *weights) == 0;
}

static void any_step_comes_again_with_the_same_bits(void **state)
{
    (void)state;
    struct learn_run *const run = make_run(NULL);
    go(run, 23);
    float *const then = copy_weights(run);
    go(run, 50);
    float *const later = copy_weights(run);
    go(run, 23);
    assert_true(same_weights(run, then));
    go(run, 50);
    assert_true(same_weights(run, later));
    assert_int_equal(learn_run_furthest(run), 50);
    /* Two threads make the same steps. */
    struct lab_engine engine;
    assert_true(lab_engine_open(&engine, NULL, 2, NULL));
    struct learn_run *const other = make_run(&engine);
    go(other, 50);
    assert_true(same_weights(other, later));
    learn_run_free(other);
    lab_engine_close(&engine);
    free(then);
    free(later);
    learn_run_free(run);
}

/* What a step was made of leads from its weights to the next by the optimiser's own rule, and is
 * the same when the step is made again: across an edit too, which comes behind the step. */
static void a_step_tells_what_it_was_made_of(void **state)
{
    (void)state;
    struct learn_run *const run = make_run(NULL);
    const size_t size = learn_run_tensors(run)->floats * sizeof(float);
    struct error error = {ERROR_NONE, 0, ""};
    go(run, 22);
    float *const before = copy_weights(run);
    const struct learn_snapshot *const unwatched = learn_run_snapshot(run, &error);
    assert_null(unwatched->made);
    assert_true(learn_run_watch(run, true, &error));
    go(run, 23);
    assert_true(learn_run_edit(
        run, &(struct learn_edit){.kind = LEARN_EDIT_WEIGHT, .tensor = 0, .value = 9}, &error));
    const struct learn_snapshot *const first = learn_run_snapshot(run, &error);
    assert_non_null(first->made);
    assert_memory_equal(first->made->before, before, size);
    assert_true(first->weights[0] == 9 && first->made->after[0] != 9);
    const struct learn_optimiser *const how = &first->made->optimiser;
    for (size_t w = 0; w < size / sizeof(float); w += 17) {
        const float m =
            how->beta1 * first->made->m_before[w] + (1 - how->beta1) * first->made->gradient[w];
        assert_true(fabsf(m - first->made->m[w]) <= 1e-5F * fabsf(m) + 1e-9F);
    }
    go(run, 40);
    go(run, 5);
    go(run, 23);
    const struct learn_snapshot *const again = learn_run_snapshot(run, &error);
    assert_memory_equal(first->made->gradient, again->made->gradient, size);
    assert_memory_equal(first->made->m_before, again->made->m_before, size);
    assert_memory_equal(first->made->v, again->made->v, size);
    assert_memory_equal(first->made->after, again->made->after, size);
    assert_int_equal(learn_run_step(run), 23);
    learn_snapshot_release(unwatched);
    learn_snapshot_release(first);
    learn_snapshot_release(again);
    free(before);
    learn_run_free(run);
}

/* However few moments are kept, every step is there: own text of that size keeps a handful. */
static void a_step_between_kept_moments_is_made_again(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_INDUCTION)->recipe;
    recipe.batch = 1;
    recipe.shape.d_model = 256;
    recipe.shape.d_k = 64;
    recipe.shape.layers = 4;
    struct learn_run *const run = learn_run_make(&recipe, no_text, NULL, &error);
    assert_non_null(run);
    go(run, 5);
    float *const then = copy_weights(run);
    go(run, 7);
    assert_true(learn_run_bytes(run) <= LEARN_KEPT_BYTES);
    go(run, 5);
    assert_true(same_weights(run, then));
    free(then);
    learn_run_free(run);
}

static void a_change_is_a_branch_and_undo_returns(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_run *const run = make_run(NULL);
    go(run, 40);
    float *const plain = copy_weights(run);
    go(run, 20);
    float *const before = copy_weights(run);
    const struct learn_edit off = {.kind = LEARN_EDIT_HEAD_OFF, .head = 1, .value = 1};
    assert_true(learn_run_edit(run, &off, &error));
    assert_false(learn_network_head_is_on(learn_run_network(run), 0, 1));
    go(run, 40);
    assert_false(same_weights(run, plain));
    float *const branched = copy_weights(run);
    go(run, 10); /* before the change all heads are on */
    assert_true(learn_network_head_is_on(learn_run_network(run), 0, 1));
    go(run, 40);
    assert_true(same_weights(run, branched));
    const struct learn_edit *edits = NULL;
    assert_int_equal(learn_run_edits(run, &edits), 1);
    assert_int_equal(edits[0].step, 20);
    assert_true(learn_run_undo(run, &error));
    assert_int_equal(learn_run_step(run), 20);
    assert_true(same_weights(run, before));
    assert_int_equal(learn_run_furthest(run), 40);
    go(run, 40);
    assert_true(same_weights(run, plain));
    free(plain);
    free(before);
    free(branched);
    learn_run_free(run);
}

static void each_kind_of_change_does_what_it_says(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_run *const run = make_run(NULL);
    const struct learn_tensor *const wte = learn_tensors_find(learn_run_tensors(run), LEARN_WTE, 0);
    const size_t tensor = (size_t)(wte - learn_run_tensors(run)->tensor);
    go(run, 5);
    const struct learn_edit weight = {
        .kind = LEARN_EDIT_WEIGHT, .tensor = tensor, .row = 2, .col = 3, .value = 1.5F};
    assert_true(learn_run_edit(run, &weight, &error));
    assert_true(learn_run_weights(run)[wte->offset + 2 * wte->cols + 3] == 1.5F);
    const struct learn_edit frozen = {
        .kind = LEARN_EDIT_FREEZE_TENSOR, .tensor = tensor, .value = 1};
    assert_true(learn_run_edit(run, &frozen, &error));
    float *const then = copy_weights(run);
    go(run, 9);
    assert_memory_equal(learn_run_weights(run) + wte->offset, then + wte->offset,
                        learn_tensor_floats(wte) * sizeof(float));
    assert_false(same_weights(run, then));
    float *const former = copy_weights(run);
    go(run, 12);
    float *const usual = copy_weights(run);
    go(run, 9);
    assert_true(same_weights(run, former));
    const struct learn_edit data = {.kind = LEARN_EDIT_DATA, .seed = 77};
    assert_true(learn_run_edit(run, &data, &error));
    go(run, 12);
    assert_false(same_weights(run, usual));
    go(run, 5); /* here the weight is what it was made, later the matrix frozen */
    assert_true(learn_run_weights(run)[wte->offset + 2 * wte->cols + 3] == 1.5F);
    const struct learn_edit bad = {.kind = LEARN_EDIT_WEIGHT, .tensor = 999, .value = 1};
    assert_false(learn_run_edit(run, &bad, &error));
    assert_string_equal(error.text, "There is no such weight.");
    free(then);
    free(former);
    free(usual);
    learn_run_free(run);
}

static void a_run_that_diverges_says_what_to_lower(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_recipe recipe = small_recipe();
    recipe.optimiser.method = LEARN_SGD;
    recipe.optimiser.rate = 100;
    recipe.optimiser.warmup = 0;
    struct learn_run *const run = learn_run_make(&recipe, no_text, NULL, &error);
    assert_non_null(run);
    assert_false(learn_run_go(run, 5000, NULL, &error));
    assert_non_null(strstr(error.text, "Training diverged at step "));
    assert_non_null(strstr(error.text, "Lower the rate (now 100)."));
    assert_null(strstr(error.text, "clip")); /* the window has no such control */
    for (size_t w = 0; w < learn_run_tensors(run)->floats; w++) {
        assert_true(isfinite(learn_run_weights(run)[w])); /* it stands where numbers are some */
    }
    learn_run_free(run);
}

static void curves_keep_sixty_four_points_an_octave(void **state)
{
    (void)state;
    struct learn_run *const run = make_run(NULL);
    size_t count = 0;
    go(run, 40);
    const struct learn_point *const points = learn_run_points(run, &count);
    assert_int_equal(count, 40);
    assert_int_equal(points[39].step, 39);
    assert_non_null(learn_run_head_scores(run, LEARN_SCORE_NOUN));
    assert_null(learn_run_head_scores(run, LEARN_SCORE_MATCH));
    assert_true(learn_step_is_kept(127) && learn_step_is_kept(128) && !learn_step_is_kept(129));
    learn_run_free(run);
}

/* ---- the trainer --------------------------------------------------------------------------- */

static void the_trainer_does_what_it_is_told(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    const struct learn_recipe recipe = small_recipe();
    struct learn_run *const run = make_run(NULL);
    struct learn_trainer *const trainer = learn_trainer_start(&recipe, no_text, 2, &error);
    assert_non_null(trainer);
    const struct learn_view *const first = learn_trainer_view(trainer);
    assert_int_equal(first->moment->step, 0);
    assert_false(first->plays);
    learn_trainer_play(trainer, UINT64_MAX);
    for (size_t frame = 0; frame < 100; frame++) { /* somebody looks all the time */
        const struct learn_view *const view = learn_trainer_view(trainer);
        assert_true(view->moment->step <= recipe.steps);
        learn_view_release(view);
    }
    learn_trainer_wait(trainer);
    const struct learn_view *view = learn_trainer_view(trainer);
    assert_true(view->is_done && !view->plays);
    assert_int_equal(view->furthest, 60);
    go(run, 60);
    assert_true(same_weights(run, view->moment->weights));
    learn_view_release(view);
    learn_trainer_seek(trainer, 30);
    learn_trainer_seek(trainer, 31);
    learn_trainer_wait(trainer);
    view = learn_trainer_view(trainer);
    go(run, 31);
    assert_int_equal(view->moment->step, 31);
    assert_true(view->moment->is_exact && same_weights(run, view->moment->weights));
    learn_view_release(view);
    const struct learn_edit edit = {.kind = LEARN_EDIT_RATE, .value = .1F};
    assert_true(learn_trainer_edit(trainer, &edit));
    learn_trainer_one_step(trainer);
    learn_trainer_wait(trainer);
    view = learn_trainer_view(trainer);
    assert_int_equal(view->moment->step, 32);
    assert_int_equal(view->edit_count, 1);
    learn_view_release(view);
    learn_trainer_undo(trainer);
    learn_trainer_wait(trainer);
    view = learn_trainer_view(trainer);
    assert_int_equal(view->moment->step, 31);
    assert_true(same_weights(run, view->moment->weights));
    learn_trainer_stop(trainer);
    assert_true(same_weights(run, view->moment->weights)); /* what is held stays */
    assert_int_equal(first->moment->step, 0);
    learn_view_release(view);
    learn_view_release(first);
    learn_run_free(run);
}

/* From step to step the record of how weights were learned changes, the text does not: it is
 * shared, and outlives the record that it came with. */
static void own_text_is_shared_from_step_to_step(void **state)
{
    (void)state;
    enum { BYTES = 20000 };
    struct learn_learned *const learned = calloc(2, sizeof *learned);
    char *const text = malloc(BYTES);
    assert_true(learned != NULL && text != NULL);
    for (size_t i = 0; i < BYTES; i++) {
        text[i] = (char)('a' + i * i % 23);
    }
    *learned = (struct learn_learned){.recipe = learn_task_at(LEARN_TASK_TEXT)->recipe,
                                      .text = {(const uint8_t *)text, BYTES}};
    struct lab_training *training = learn_training_make(learned, NULL);
    const uint8_t *const first = learn_training_record(training)->text.at;
    for (size_t step = 1; step < 4; step++) {
        *learned = *learn_training_record(training);
        learned->step = step;
        struct lab_training *const next = learn_training_make(learned, NULL);
        lab_training_release(training);
        training = next;
        assert_ptr_equal(learn_training_record(training)->text.at, first);
    }
    const struct learn_learned *const last = learn_training_record(training);
    assert_int_equal(last->step, 3);
    assert_int_equal(last->text.size, BYTES);
    assert_memory_equal(last->text.at, text, BYTES);
    lab_training_release(training);
    free(learned);
    free(text);
}

static void a_session_is_played_again(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    const struct learn_recipe recipe = small_recipe();
    struct learn_run *const run = make_run(NULL);
    const struct learn_edit edit = {.kind = LEARN_EDIT_HEAD_OFF, .step = 11, .value = 1};
    go(run, 11);
    assert_true(learn_run_edit(run, &edit, &error));
    go(run, 25);
    struct learn_trainer *const trainer = learn_trainer_start(&recipe, no_text, 1, &error);
    assert_true(learn_trainer_replay(trainer, &edit, 1, 25));
    learn_trainer_wait(trainer);
    const struct learn_view *const view = learn_trainer_view(trainer);
    assert_int_equal(view->moment->step, 25);
    assert_true(same_weights(run, view->moment->weights));
    assert_true(view->moment->head_off[0][0]);
    learn_view_release(view);
    learn_trainer_stop(trainer);
    learn_run_free(run);
}

/* While it trains: the loss that is told is that of the step that is shown. */
static void a_step_that_is_shown_has_its_own_loss(void **state)
{
    (void)state;
    enum { SEEN = 8 };
    struct error error = {ERROR_NONE, 0, ""};
    const struct learn_recipe recipe = small_recipe();
    struct learn_trainer *const trainer = learn_trainer_start(&recipe, no_text, 1, &error);
    struct learn_run *const run = make_run(NULL);
    struct learn_point seen[SEEN];
    learn_trainer_set_steps(trainer, 100000);
    learn_trainer_play(trainer, UINT64_MAX);
    for (size_t count = 0; count < SEEN;) {
        const struct learn_view *const view = learn_trainer_view(trainer);
        const uint64_t step = view->moment->step;
        if (view->plays && step > 70 && (count == 0 || step > seen[count - 1].step)) {
            assert_int_equal(view->furthest, step);
            seen[count++] = view->moment->point;
        }
        learn_view_release(view);
    }
    learn_trainer_stop(trainer);
    for (size_t i = 0; i < SEEN; i++) {
        struct learn_point point;
        go(run, seen[i].step);
        assert_true(learn_run_measure(run, &point, &error));
        assert_true(point.loss == seen[i].loss && point.accuracy == seen[i].accuracy);
    }
    learn_run_free(run);
}

static void what_cannot_begin_is_told(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_recipe recipe = small_recipe();
    struct learn_trainer *const trainer = learn_trainer_start(&recipe, no_text, 1, &error);
    recipe.shape.heads = 3;
    learn_trainer_one_step(trainer);
    learn_trainer_wait(trainer);
    const struct learn_view *view = learn_trainer_view(trainer);
    assert_int_equal(view->error.code, ERROR_NONE);
    assert_int_equal(view->moment->step, 1);
    learn_view_release(view);
    assert_null(learn_trainer_start(&recipe, no_text, 1, &error));
    assert_true(error.text[0] != '\0');
    /* It ends at once, however much is left to do. */
    learn_trainer_set_steps(trainer, 1000000);
    learn_trainer_limit(trainer, .001);
    learn_trainer_play(trainer, UINT64_MAX);
    for (bool plays = false; !plays;) {
        view = learn_trainer_view(trainer);
        plays = view->plays;
        learn_view_release(view);
    }
    learn_trainer_play(trainer, 0);
    learn_trainer_wait(trainer);
    view = learn_trainer_view(trainer);
    assert_false(view->plays); /* between two steps too */
    assert_false(learn_trainer_lags(trainer, view));
    learn_trainer_play(trainer, UINT64_MAX); /* its next step is far away */
    assert_true(learn_trainer_lags(trainer, view));
    learn_view_release(view);
    learn_trainer_stop(trainer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_step_comes_again_with_the_same_bits),
        cmocka_unit_test(a_step_tells_what_it_was_made_of),
        cmocka_unit_test(a_step_between_kept_moments_is_made_again),
        cmocka_unit_test(a_change_is_a_branch_and_undo_returns),
        cmocka_unit_test(each_kind_of_change_does_what_it_says),
        cmocka_unit_test(a_run_that_diverges_says_what_to_lower),
        cmocka_unit_test(curves_keep_sixty_four_points_an_octave),
        cmocka_unit_test(the_trainer_does_what_it_is_told),
        cmocka_unit_test(a_step_that_is_shown_has_its_own_loss),
        cmocka_unit_test(own_text_is_shared_from_step_to_step),
        cmocka_unit_test(a_session_is_played_again),
        cmocka_unit_test(what_cannot_begin_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
