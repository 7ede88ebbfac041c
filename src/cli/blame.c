/* cli/blame.c — which line of its text taught a network a word (learn/blame.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/clock.h"
#include "base/system/file.h"
#include "base/system/terminal.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/calls.h"
#include "learn/blame.h"
#include "learn/checkpoint.h"

enum { REPEAT_EACH = 1 /* the place of its name in --repeat */ };

static bool read_folder(struct file_handle *opened, struct arena *arena, struct learn_model *model,
                        struct learn_data **cut, struct error *error)
{
    struct bytes text;
    if (opened == NULL) {
        return error_set(error, ERROR_USAGE,
                         "blame needs a folder that train --task text --rows lines wrote.");
    }
    const char *const folder = file_handle_path(opened);
    if (!learn_model_probe(opened)) {
        return error_set(error, ERROR_INPUT,
                         "\"%.80s\" is no folder that train --task text --rows lines wrote.",
                         folder);
    }
    if (!learn_model_read(opened, arena, model, error)) {
        return false;
    }
    const bool is_text = model->recipe.task == LEARN_TASK_TEXT;
    if (is_text ? model->recipe.rows != LEARN_ROWS_LINES
                : model->recipe.task != LEARN_TASK_SMALL_WORLD) {
        return error_set(error, ERROR_INPUT,
                         is_text
                             ? "\"%.80s\" was trained on windows, in which lines lie across each "
                               "other: train it with --rows lines to ask which line taught a word."
                             : "\"%.80s\" was not trained on the lines of a text: train one with "
                               "--task text --rows lines to ask which line taught a word.",
                         folder);
    }
    if (!is_text) {
        return true;
    }
    if (!learn_model_text(folder, arena, &text, error)) {
        return false;
    }
    *cut = learn_data_cut(text, model->recipe.units, NULL, NULL, error);
    return *cut != NULL;
}

/* Says on a terminal how far it is. */
struct reporter {
    double told;
    const char *what;
    uint64_t steps; /* in all */
    bool is_quiet;
};

static bool report_step(void *owner, uint64_t step)
{
    struct reporter *const reporter = owner;
    const double pause = 0.2, time = system_seconds();
    if (!reporter->is_quiet && time - reporter->told > pause) {
        fprintf(stderr, "\r\033[K%s: %.0f %%", reporter->what,
                100 * (double)step / (double)reporter->steps);
        reporter->told = time;
    }
    return true;
}

static void end_report(const struct reporter *reporter)
{
    if (!reporter->is_quiet) {
        fprintf(stderr, "\r\033[K");
    }
}

/* Trains the folder's run again and checks that it comes to the folder's weights, so that what is
 * said of the run holds for them. */
static bool train_again(struct learn_blame *blame, const struct learn_model *model,
                        const char *folder, struct reporter *reporter, struct error *error)
{
    const struct learn_progress progress = {report_step, reporter};
    reporter->what = "training";
    reporter->steps = model->step > 0 ? model->step : 1;
    if (!learn_blame_train(blame, &progress, error)) {
        return false;
    }
    return memcmp(learn_blame_weights(blame), model->weights,
                  model->tensors.floats * sizeof(float)) == 0 ||
           error_set(error, ERROR_INPUT,
                     "The weights in \"%.80s\" are not those that its recipe and data.txt give: it "
                     "was changed on the way, or since.",
                     folder);
}

static bool repeat_lines(struct learn_blame *blame, bool each, uint64_t steps,
                         struct reporter *reporter, struct error *error)
{
    const size_t all = learn_data_lines(learn_blame_data(blame));
    const struct learn_question *const question = learn_blame_question(blame);
    const struct learn_progress progress = {report_step, reporter};
    size_t *const lines = calloc(all + LEARN_BLAME_CHOSEN, sizeof *lines);
    if (lines == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the lines.");
    }
    size_t count = learn_blame_choose(blame, lines);
    for (size_t l = 0; each && l < question->line_count; l++) {
        lines[l] = question->lines[l].line;
        count = question->line_count;
    }
    reporter->what = "learning again without a line";
    reporter->steps = count * (steps > 0 ? steps : 1);
    const bool done = learn_blame_repeat(blame, lines, count, &progress, error);
    free(lines);
    return done;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void put_number(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_put_float(json, (float)value);
}

static const char *line_text(const struct learn_blame *blame, const struct learn_blame_line *line,
                             struct arena *arena)
{
    size_t length = 0;
    const char *const text = learn_data_line_text(learn_blame_data(blame), line->line, &length);
    return arena_text(arena, text, length);
}

static void put_sentence(struct cli_answer *answer, const struct learn_blame *blame,
                         const struct learn_blame_line *line)
{
    struct json_writer *const json = &answer->json;
    const char *const text = line_text(blame, line, answer->arena);
    const double without = line->is_repeated ? (double)line->without : (double)NAN;
    json_begin_object_in_line(json);
    json_key(json, "line");
    json_put_whole_number(json, (int64_t)line->number);
    json_key(json, "text");
    json_put_text(json, text);
    json_key(json, "count");
    json_put_whole_number(json, (int64_t)line->count);
    put_number(json, "similarity", (double)line->similarity);
    json_key(json, "repeated");
    json_put_truth(json, line->is_repeated);
    put_number(json, "probability_without", without);
    json_key(json, "is_cause");
    json_put_truth(json, line->is_cause);
    json_end_object(json);
    cli_answer_put_number(answer, (double)line->number);
    cli_answer_put_text(answer, text);
    cli_answer_put_number(answer, (double)line->count);
    cli_answer_put_number(answer, (double)line->similarity);
    cli_answer_put_text(answer, line->is_repeated ? "yes" : "no");
    cli_answer_put_number(answer, without);
    cli_answer_put_text(answer, line->is_cause ? "yes" : "no");
}

static void put_answer(struct cli_answer *answer, const struct learn_blame *blame)
{
    static const struct {
        const char *head;
        bool is_text;
    } columns[] = {{"line", false},       {"text", true},     {"count", false},
                   {"similarity", false}, {"repeated", true}, {"probability_without", false},
                   {"is_cause", true}};
    const struct learn_question *const question = learn_blame_question(blame);
    struct json_writer *const json = &answer->json;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        cli_answer_add_column(answer, columns[c].head, columns[c].is_text);
    }
    json_begin_object(json);
    json_key(json, "word");
    json_put_text(json, learn_data_words(learn_blame_data(blame))[question->word]);
    json_key(json, "id");
    json_put_whole_number(json, question->word);
    put_number(json, "probability", (double)question->probability);
    put_number(json, "unrelated", (double)question->unrelated);
    json_key(json, "sentences");
    json_begin_array(json, JSON_LINES);
    for (size_t l = 0; l < question->line_count; l++) {
        put_sentence(answer, blame, &question->lines[l]);
    }
    json_end_array(json);
    json_end_object(json);
}

/* Says on standard error what the table comes to, and behind which words it asks where that was
 * left to it. */
static void tell_answer(const struct learn_blame *blame, bool found, struct arena *arena)
{
    const char *const word =
        learn_data_words(learn_blame_data(blame))[learn_blame_question(blame)->word];
    const char *const behind = found ? learn_blame_behind(blame, arena) : NULL;
    const char *const where =
        behind == NULL ? NULL
        : behind[0] == '\0'
            ? arena_format(arena, "Asked at the beginning of a line, where “%s” stands first.",
                           word)
            : arena_format(arena, "Asked behind “%s”, where “%s” stands first.", behind, word);
    if (where != NULL) {
        fprintf(stderr, "attnscope: %s\n", where);
    }
    fprintf(stderr, "attnscope: %s\n", learn_blame_sentence(blame, arena));
}

static bool answer_question(const struct cli_options *options, struct learn_blame *blame,
                            const struct learn_model *model, struct arena *arena,
                            struct error *error)
{
    const struct cli_value *const value = options->value;
    struct reporter reporter = {.is_quiet =
                                    value[CLI_QUIET].given || !system_is_terminal(SYSTEM_ERRORS)};
    struct cli_answer answer = cli_answer_start(arena);
    const bool done =
        train_again(blame, model, options->file, &reporter, error) &&
        learn_blame_ask(blame, value[CLI_PROMPT].text, value[CLI_WORD].text, error) &&
        repeat_lines(blame, value[CLI_REPEAT].whole == REPEAT_EACH, model->step, &reporter, error);
    end_report(&reporter);
    if (!done) {
        return false;
    }
    put_answer(&answer, blame);
    if (!cli_answer_write(options, &answer, error)) {
        return false;
    }
    if (!value[CLI_QUIET].given) {
        tell_answer(blame, value[CLI_PROMPT].text == NULL, arena);
    }
    return true;
}

int cli_blame(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct learn_model model;
    struct learn_data *cut = NULL;
    struct learn_blame *blame = NULL;
    if (cli_answer_check(options, &error) &&
        read_folder(options->opened, &arena, &model, &cut, &error)) {
        blame = learn_blame_make(&model.recipe, cut, model.step, &options->engine, &error);
    }
    const bool done = blame != NULL && answer_question(options, blame, &model, &arena, &error);
    learn_blame_free(blame);
    learn_data_release(cut);
    arena_free(&arena);
    return done ? CLI_DONE : cli_fail(&error);
}
