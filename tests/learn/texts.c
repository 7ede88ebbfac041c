/* Own text in the middle of a run: a branch that learns from another text in the words of the run;
 * what it does not know is refused, the former text is there again before the branch, and a session
 * replays it to the bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "learn/learned.h"
#include "learn/trainer.h"
#include "learn/weight_rebuilder.h"

static const char first_text[] = "the cat sat on the mat . the dog sat on the log . "
                                 "the cat saw the dog . the dog saw the cat . ";
static const char second_text[] = "the log saw the mat . the mat sat on the dog . ";

/* So many times one behind the other; the caller frees it. */
static struct bytes repeat(const char *text, size_t times)
{
    const size_t length = strlen(text);
    uint8_t *const all = malloc(times * length);
    assert_non_null(all);
    for (size_t t = 0; t < times; t++) {
        memcpy(all + t * length, text, length);
    }
    return (struct bytes){all, times * length};
}

static void forget(struct bytes text)
{
    free((void *)(uintptr_t)text.at);
}

static struct learn_recipe small_recipe(void)
{
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_TEXT)->recipe;
    recipe.shape.layers = 1;
    recipe.shape.heads = 2;
    recipe.shape.d_model = 16;
    recipe.shape.d_k = 8;
    recipe.shape.context = 8;
    recipe.shape.inner = 0;
    recipe.batch = 4;
    recipe.steps = 60;
    return recipe;
}

static void go(struct learn_run *run, uint64_t step)
{
    struct error error = {ERROR_NONE, 0, ""};
    if (!learn_run_go(run, step, NULL, &error)) {
        fail_msg("%s", error.text);
    }
}

static float *copy_weights(const struct learn_run *run)
{
    const size_t size = learn_run_tensors(run)->floats * sizeof(float);
    float *const copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, learn_run_weights(run), size);
    return copy;
}

static void assert_weights(const struct learn_run *run, const float *weights, bool same)
{
    const size_t size = learn_run_tensors(run)->floats * sizeof *weights;
    assert_int_equal(memcmp(learn_run_weights(run), weights, size) == 0, same);
}

/* The words of the first row of a step's batch, one behind the other. */
static void first_row(const struct learn_run *run, uint64_t step, char text[200])
{
    const struct learn_data *const data = learn_run_data(run);
    const struct learn_data_request *const request = learn_data_request_of(data);
    int32_t *const tokens = calloc(2 * request->batch * request->context, sizeof *tokens);
    assert_non_null(tokens);
    learn_data_batch(data, step, tokens, tokens + request->batch * request->context);
    text[0] = '\0';
    for (size_t i = 0; i < request->context; i++) {
        strcat(strcat(text, learn_data_words(data)[tokens[i]]), " ");
    }
    free(tokens);
}

/* Whether it stands in a text that repeats. */
static bool comes_from(const char *row, const char *once)
{
    const struct bytes all = repeat(once, 3);
    const bool found = bytes_find(all, 0, row) < all.size;
    forget(all);
    return found;
}

static struct learn_run *run_on(struct bytes text)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct learn_recipe recipe = small_recipe();
    struct learn_run *const run = learn_run_make(&recipe, text, NULL, &error);
    if (run == NULL) {
        fail_msg("%s", error.text);
    }
    return run;
}

static void another_text_is_a_branch(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    char row[200];
    const struct bytes text = repeat(first_text, 3), other = repeat(second_text, 40);
    struct learn_run *const run = run_on(text);
    go(run, 40);
    float *const plain = copy_weights(run);
    go(run, 20);
    assert_true(
        learn_run_edit(run, &(struct learn_edit){.kind = LEARN_EDIT_TEXT, .text = other}, &error));
    forget(other); /* the run has its own */
    first_row(run, 20, row);
    assert_true(comes_from(row, second_text));
    /* Its words keep their numbers, and it is tested with a text that is longer than the first. */
    assert_string_equal(learn_data_words(learn_run_data(run))[1], "cat");
    assert_true(learn_data_test_rows(learn_run_data(run)) > 3);
    go(run, 40);
    assert_weights(run, plain, false);
    float *const branched = copy_weights(run);
    struct learn_point after, again;
    assert_true(learn_run_measure(run, &after, &error));
    go(run, 19); /* before the branch the former text is learned from */
    first_row(run, 19, row);
    assert_true(comes_from(row, first_text));
    assert_int_equal(learn_data_test_rows(learn_run_data(run)), 0);
    assert_true(learn_run_measure(run, &again, &error));
    go(run, 40);
    assert_weights(run, branched, true);
    assert_true(learn_run_measure(run, &again, &error));
    assert_memory_equal(&after.test_loss, &again.test_loss, sizeof after.test_loss);
    assert_true(learn_run_undo(run, &error));
    go(run, 40);
    assert_weights(run, plain, true);
    first_row(run, 40, row);
    assert_true(comes_from(row, first_text));
    free(plain);
    free(branched);
    forget(text);
    learn_run_free(run);
}

static void unknown_words_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"the fox saw the quick cat . the red fox sat on the brown log .",
         "Unknown to this run: 4 of the 11 kinds of words in this text (“fox”, “quick”, “red” …)."},
        {"the cat saw the wolf . the cat sat on the log . the dog",
         "Unknown to this run: 1 of the 9 kinds of words in this text (“wolf”)."},
        {"the cat sat", "This text is too short to go on with: rows of this run have 8 words."},
    };
    const struct bytes text = repeat(first_text, 3);
    struct learn_run *const run = run_on(text);
    go(run, 10);
    float *const before = copy_weights(run);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct error error = {ERROR_NONE, 0, ""};
        const struct learn_edit edit = {
            .kind = LEARN_EDIT_TEXT, .text = {(const uint8_t *)rows[r].text, strlen(rows[r].text)}};
        assert_false(learn_run_edit(run, &edit, &error));
        assert_string_equal(error.text, rows[r].sentence);
        assert_weights(run, before, true);
        assert_false(learn_run_can_undo(run));
    }
    free(before);
    forget(text);
    learn_run_free(run);
    /* Of another task it is no branch. */
    struct error error = {ERROR_NONE, 0, ""};
    struct learn_recipe recipe = learn_task_at(LEARN_TASK_COPY)->recipe;
    struct learn_run *const copy = learn_run_make(&recipe, (struct bytes){NULL, 0}, NULL, &error);
    assert_false(learn_run_edit(
        copy,
        &(struct learn_edit){.kind = LEARN_EDIT_TEXT, .text = {(const uint8_t *)"a b a b", 7}},
        &error));
    assert_string_equal(error.text, "This run learns from no text: begin anew with it.");
    learn_run_free(copy);
}

/* Letters that are seen as nothing have a sign. */
static void unknown_letters_are_seen(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    const struct bytes text = {(const uint8_t *)"abcabcabcabc", 12};
    struct learn_data *const known = learn_data_cut(text, LEARN_LETTERS, NULL, NULL, &error);
    assert_non_null(known);
    assert_null(learn_data_cut((struct bytes){(const uint8_t *)"ab\nc", 4}, LEARN_UNITS_AUTO, known,
                               NULL, &error));
    assert_string_equal(error.text,
                        "Unknown to this run: 1 of the 4 kinds of letters in this text (“↵”).");
    learn_data_release(known);
}

/* A session says all: with it the same weights are made again. */
static void a_session_replays_its_texts(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    const struct bytes text = repeat(first_text, 3), other = repeat(second_text, 40);
    struct learn_learned *const learned = calloc(2, sizeof *learned);
    assert_non_null(learned);
    *learned = (struct learn_learned){.recipe = small_recipe(), .text = text, .step = 33};
    learned->edit[learned->edits++] =
        (struct learn_edit){.kind = LEARN_EDIT_TEXT, .step = 12, .text = other};
    learned->edit[learned->edits++] =
        (struct learn_edit){.kind = LEARN_EDIT_HEAD_OFF, .step = 20, .value = 1};
    learned->edit[learned->edits++] =
        (struct learn_edit){.kind = LEARN_EDIT_TEXT, .step = 25, .text = text};
    struct learn_run *const run = run_on(text);
    for (size_t e = 0; e < learned->edits; e++) {
        go(run, learned->edit[e].step);
        assert_true(learn_run_edit(run, &learned->edit[e], &error));
    }
    go(run, 33);
    struct lab_words *const words = learn_learned_lines(learned, &error);
    assert_non_null(words);
    assert_true(learn_learned_read(words, &arena, learned + 1, &error));
    struct lab_training *const training = learn_training_make(learned, &error);
    assert_true(learn_learned_same_run(learned, learn_training_record(training)));
    assert_true(learn_learned_same_run(learned, learned + 1));
    learned[1].edit[0].text.size--;
    assert_false(learn_learned_same_run(learned, learned + 1));
    learned[1].edit[0].text.size++;
    /* The trainer, which undo and sessions replay with. */
    struct learn_trainer *const trainer =
        learn_trainer_start(&learned->recipe, learned[1].text, 1, &error);
    assert_non_null(trainer);
    assert_true(learn_trainer_replay(trainer, learned[1].edit, learned[1].edits, 33));
    arena_free(&arena); /* what it was told is its own */
    learn_trainer_wait(trainer);
    const struct learn_view *const view = learn_trainer_view(trainer);
    learn_trainer_stop(trainer);
    assert_int_equal(view->error.code, ERROR_NONE);
    assert_int_equal(view->moment->step, 33);
    assert_weights(run, view->moment->weights, true);
    assert_true(bytes_equal(view->edits[0].text, other));
    learn_view_release(view);
    /* And the command line. */
    struct learn_weight_rebuilder maker = {.run = NULL};
    struct lab_experiment experiment;
    static const char *const word[] = {"the", "dog"};
    assert_true(lab_experiment_default(&experiment, &error));
    experiment.learned = training;
    assert_true(lab_experiment_set_tokens(&experiment, word, 2, &error));
    struct lab_engine engine;
    assert_true(lab_engine_open(&engine, NULL, 1, &error));
    assert_true(learn_weight_rebuilder_fill(&maker, &experiment, &engine, &error));
    assert_weights(run, learn_run_weights(maker.run), true);
    learn_weight_rebuilder_close(&maker);
    lab_engine_close(&engine);
    lab_experiment_release(&experiment);
    lab_words_release(words);
    learn_run_free(run);
    free(learned);
    forget(text);
    forget(other);
}

static bool gives_up(void *owner, size_t done, size_t all)
{
    (void)done;
    (void)all;
    ++*(size_t *)owner;
    return false;
}

/* What is cut once is shared by all that learn from it; cutting can be given up. */
static void a_text_is_cut_once(void **state)
{
    (void)state;
    struct error error = {ERROR_NONE, 0, ""};
    size_t asked = 0;
    const struct bytes text = repeat(first_text, 3);
    const struct learn_recipe recipe = small_recipe();
    assert_null(learn_data_cut(text, LEARN_UNITS_AUTO, NULL,
                               &(struct learn_cutting){gives_up, &asked}, &error));
    assert_int_equal(asked, 1);
    assert_int_equal(error.code, ERROR_NONE);
    struct learn_data *const cut = learn_data_cut(text, LEARN_UNITS_AUTO, NULL, NULL, &error);
    assert_non_null(cut);
    struct learn_run *const one = run_on(text);
    struct learn_run *const two = learn_run_make_of(&recipe, cut, NULL, &error);
    assert_non_null(two);
    assert_true(learn_data_shares_words(learn_run_data(two), cut));
    assert_false(learn_data_shares_words(learn_run_data(one), cut));
    learn_data_release(cut);
    go(one, 20);
    go(two, 20);
    assert_weights(one, learn_run_weights(two), true);
    learn_run_free(one);
    learn_run_free(two);
    forget(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_text_is_a_branch),
        cmocka_unit_test(unknown_words_are_refused_by_name),
        cmocka_unit_test(unknown_letters_are_seen),
        cmocka_unit_test(a_session_replays_its_texts),
        cmocka_unit_test(a_text_is_cut_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
