/* One row more in the table of parameters, and nothing else: it is found in everything that is made
 * of the rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../experiment_text.h"
#include "app/actions/commands.h"
#include "app/actions/find.h"
#include "app/actions/startup.h"
#include "base/file.h"
#include "cli/cli.h"
#include "lab/experiment/differ.h"
#include "lab/experiment/params.h"
#include "lab/lesson/lessons.h"
#include "learn/learned.h"

_Static_assert(offsetof(struct learn_recipe, shape) == offsetof(struct learn_recipe, trial) + 4,
               "the trial of training takes no room of its own");
_Static_assert(sizeof(struct lab_experiment) - offsetof(struct lab_experiment, trial) < 8,
               "the trial takes no room of its own");

static const struct lab_param *tried_param(void)
{
    return lab_param_row(LAB_PARAM_TRIAL);
}

static struct lab_experiment experiment_of(double number)
{
    struct lab_experiment experiment;
    assert_true(lab_experiment_default(&experiment, NULL));
    lab_param_put(tried_param(), &experiment, number);
    return experiment;
}

static void it_is_written_and_read(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct bytes text;
    struct error error = {0};
    struct lab_experiment usual = experiment_of(1), other = experiment_of(1.5);
    assert_true(experiment_to_text(&usual, &arena, &text, &error));
    assert_null(strstr((const char *)text.at, "trial")); /* as all that is as usual */
    assert_true(experiment_to_text(&other, &arena, &text, &error));
    assert_non_null(strstr((const char *)text.at, "\"trial\": 1.5"));
    assert_false(lab_experiment_equal(&usual, &other));
    assert_true(experiment_from_text(text, &usual, &error));
    assert_true(lab_experiment_equal(&usual, &other));
    assert_true(lab_param_get(tried_param(), &usual) == 1.5);
    static const char wrong[] = "{\"trial\": 3}";
    assert_false(experiment_from_text((struct bytes){(const uint8_t *)wrong, sizeof wrong - 1},
                                      &usual, &error));
    assert_string_equal(error.text, "Line 1, “trial”: a number from 0.5 to 2 is expected.");
    lab_experiment_release(&usual);
    lab_experiment_release(&other);
    arena_free(&arena);
}

static void it_differs_is_checked_and_goes_back(void **unused)
{
    (void)unused;
    struct arena arena = {0};
    struct error error = {0};
    struct lab_experiment usual = experiment_of(1), other = experiment_of(1.5), copy;
    assert_string_equal(lab_differ(&arena, &other, &usual), "trial 1.5");
    lab_experiment_copy(&copy, &other);
    assert_true(lab_experiment_equal(&copy, &other));
    lab_param_put(tried_param(), &other, 3);
    assert_false(lab_experiment_check(&other, &error));
    assert_string_equal(error.text, "The trial must be 0.5 to 2, not 3.");
    lab_param_reset(tried_param(), &other);
    assert_true(lab_experiment_equal(&usual, &other));
    lab_experiment_release(&usual);
    lab_experiment_release(&other);
    lab_experiment_release(&copy);
    arena_free(&arena);
}

static void a_step_of_a_lesson_sets_it(void **unused)
{
    (void)unused;
    static const char text[] = "{\"format\": \"attnscope-lesson\", \"version\": 1, \"name\": \"t\","
                               "\"steps\": [{\"experiment\": {\"trial\": 0.5}}]}";
    struct arena arena = {0};
    struct error error = {0};
    struct lab_lesson lesson;
    const struct bytes bytes = {(const uint8_t *)text, sizeof text - 1};
    if (!lab_lesson_parse(bytes, &arena, &lesson, &error)) {
        fail_msg("%s", error.text);
    }
    assert_true(lab_param_get(tried_param(), &lesson.step[0].experiment) == 0.5);
    lab_lesson_release(&lesson);
    arena_free(&arena);
}

static void it_is_typed_undone_and_forgotten(void **unused)
{
    (void)unused;
    struct error error = {0};
    struct app_state *state = calloc(1, sizeof *state);
    assert_non_null(state);
    assert_true(app_state_open(state, "cats", NULL, &error));
    app_command_run(state, "find", 0, 1);
    app_find_type(state, "trial 9"); /* out of range */
    assert_int_equal(state->view.find_count, 0);
    app_find_type(state, "probe 1.5");
    assert_int_equal(state->view.find_count, 1);
    assert_string_equal(state->find_rows[0].title, "Setting: trial size 1.5");
    assert_string_equal(state->find_rows[0].hint, "0.5 to 2");
    app_find_take(state, 0, 1);
    assert_true(lab_param_get(tried_param(), &state->document.experiment) == 1.5);
    assert_string_equal(state->view.undo_name, "trial size");
    app_command_run(state, "undo", 0, 2);
    assert_true(lab_param_get(tried_param(), &state->document.experiment) == 1);
    app_command_run(state, "redo", 0, 3);
    app_command_run(state, "find", 0, 4);
    app_find_type(state, "trial default");
    app_find_take(state, 0, 5);
    assert_true(lab_param_get(tried_param(), &state->document.experiment) == 1);
    app_state_close(state);
    free(state);
}

/* Returns both streams of a call. The caller frees it. */
static char *read_output(int *status, const char *words)
{
    char store[400], *argument[20] = {"attnscope"};
    char path[] = "attnscope-trial-XXXXXX";
    int count = 1;
    snprintf(store, sizeof store, "%s", words);
    for (char *word = strtok(store, " "); word != NULL; word = strtok(NULL, " ")) {
        argument[count++] = word;
    }
    fflush(stdout);
    const int out = dup(1), err = dup(2), file = mkstemp(path);
    assert_true(out >= 0 && err >= 0 && file >= 0);
    dup2(file, 1);
    dup2(file, 2);
    struct cli_window window = {0};
    *status = cli_main(count, argument, &window);
    fflush(stdout);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    close(file);
    struct arena arena = {0};
    struct bytes text;
    struct error error = {0};
    assert_true(file_read(path, 1 << 24, &arena, &text, &error));
    assert_int_equal(unlink(path), 0);
    char *const all = calloc(text.size + 1, 1);
    assert_non_null(all);
    memcpy(all, text.at, text.size);
    arena_free(&arena);
    return all;
}

static void the_command_line_has_it(void **unused)
{
    (void)unused;
    static const struct {
        const char *words, *says;
        int status;
    } calls[] = {
        {"compute --help", "--trial X                     a trial of the table (1)", 0},
        {"completion bash", "'compute --trial') words=''", 0},
        {"completion zsh", "'--trial=[a trial of the table]:X: '", 0},
        {"completion fish", "-l trial -x -d \"a trial of the table\"", 0},
        {"--man", "\\fB\\-\\-trial\\fR \\fIX\\fR\na trial of the table (1)", 0},
        {"compute --trial 1.5", "\"trial\": 1.5", 0},
        {"compute --trial 9", "--trial must be a number from 0.5 to 2, not \"9\".", 2},
        {"compute --trail 1", "did you mean --trial?", 2},
        {"render --view window --format svg -o -", "trial ξ", 0}, /* in the settings */
        {"train --help", "--attempt X                   an attempt of the table", 0},
        {"completion bash", "'train --attempt') words=''", 0},
        {"--man", "\\fB\\-\\-attempt\\fR \\fIX\\fR\nan attempt of the table", 0},
        {"train --list --json", "\"attempt\": 0", 0},
        {"train --task copy --attempt 9 -o trial-folder",
         "--attempt must be a number from 0.5 to 2, not \"9\".", 2},
        {"train --task copy --attempt 1 -o trial-folder", "it goes with --optimizer sgd.", 2},
        {"train --task copy --optimizer sgd --attempt .5 --steps 1", "Name a folder with -o.", 2},
        {"train --task copy --optimizer sgd --steps 1 -o trial-folder",
         "The attempt must be 0.5 to 2, not 0.", 1},
    };
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        int status = -1;
        char *const text = read_output(&status, calls[c].words);
        if (strstr(text, calls[c].says) == NULL) {
            fail_msg("“%s” does not say “%s” but: %.2000s", calls[c].words, calls[c].says, text);
        }
        assert_int_equal(status, calls[c].status);
        free(text);
    }
}

/* A setting of training is written, read, compared and checked by its row alone. */
static void a_setting_of_training_is_a_row(void **unused)
{
    (void)unused;
    static const char *const lines[] = {"task copy", "seed 1", "method sgd", "attempt 1.5",
                                        "step 9"};
    enum { LINES = sizeof lines / sizeof *lines };
    struct arena arena = {0};
    struct error error = {0};
    struct learn_learned learned;
    struct learn_recipe usual = learn_task_at(LEARN_TASK_COPY)->recipe;
    struct lab_words *const words = lab_words_make(lines, LINES, &error);
    assert_true(learn_learned_read(words, &arena, &learned, &error));
    assert_true(learned.recipe.trial == 1.5F);
    struct lab_words *const again = learn_learned_lines(&learned, &error);
    assert_true(lab_words_equal(words, again));
    usual.optimiser.method = LEARN_SGD;
    assert_false(learn_recipe_same(&usual, &learned.recipe));
    assert_false(learn_recipe_change(&usual, LEARN_RECIPE_TRIAL, 3, &error));
    assert_string_equal(error.text, "The attempt must be 0.5 to 2, not 3.");
    assert_true(learn_recipe_change(&usual, LEARN_RECIPE_TRIAL, 1.5, &error));
    assert_true(learn_recipe_same(&usual, &learned.recipe));
    lab_words_release(words);
    lab_words_release(again);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_written_and_read),
        cmocka_unit_test(it_differs_is_checked_and_goes_back),
        cmocka_unit_test(a_step_of_a_lesson_sets_it),
        cmocka_unit_test(it_is_typed_undone_and_forgotten),
        cmocka_unit_test(the_command_line_has_it),
        cmocka_unit_test(a_setting_of_training_is_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
