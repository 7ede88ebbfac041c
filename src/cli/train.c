/* cli/train.c — trains weights without a window, into a folder, a table of the curves, or a file of
 * one step. */
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "base/system/clock.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/system/process.h"
#include "base/system/terminal.h"
#include "base/system/user.h"
#include "base/text.h"
#include "cli/train.h"
#include "lab/run/sample.h"

enum { LIKELY = 5 /* next words that are printed */ };

static const double SAVE_SECONDS = 60;

static atomic_int stopped; /* the number of what asked it to end; 0: nothing */

/* Stops the training behind a step at the first signal, and at once at a second one. */
static void stop_after_step(int number)
{
    if (stopped != 0) {
        system_exit_now(SYSTEM_ENDED + number);
    }
    stopped = number;
}

/* ---- the table of curves ------------------------------------------------------------------- */

/* Says whether a task has that score, and so the table a column of it. */
static bool has_score(const struct learn_task *task, size_t score)
{
    for (size_t s = 0; s < task->scores; s++) {
        if (task->score[s].score == (enum learn_score)score) {
            return true;
        }
    }
    return false;
}

/* Returns the first line of the table, with its end. */
static const char *log_header(struct cli_training *training)
{
    const struct learn_task *const task = learn_task_at(learn_run_recipe(training->run)->task);
    struct growing line = growing_start(&training->arena);
    struct bytes text;
    growing_put_text(&line, "step,loss,accuracy");
    if (learn_data_test_rows(learn_run_data(training->run)) > 0) {
        growing_put_text(&line, ",test_accuracy");
    }
    for (size_t s = 0; s < LEARN_SCORE_ROWS; s++) {
        if (has_score(task, s)) {
            growing_put_text(&line, ",");
            growing_put_text(&line, learn_score_name(s));
        }
    }
    growing_put_text(&line, "\n");
    return growing_finish(&line, &text, NULL) ? (const char *)text.at : "";
}

static bool begin_log(struct cli_training *training, struct error *error)
{
    const char *const header = log_header(training);
    training->log = growing_start(&training->arena);
    growing_put_text(&training->log, header);
    return !training->options->value[CLI_LOG].given || cli_train_read_log(training, header, error);
}

static void log_number(struct cli_training *training, float number)
{
    char text[TEXT_NUMBER_MAX];
    growing_put_text(&training->log, ",");
    growing_put_text(&training->log, isfinite(number) ? text_number_exact(text, number) : "");
}

static void log_point(struct cli_training *training, const struct learn_point *point)
{
    const struct learn_task *const task = learn_task_at(learn_run_recipe(training->run)->task);
    char step[32];
    snprintf(step, sizeof step, "%" PRIu64, point->step);
    growing_put_text(&training->log, step);
    log_number(training, point->loss);
    log_number(training, point->accuracy);
    if (learn_data_test_rows(learn_run_data(training->run)) > 0) {
        log_number(training, point->test_accuracy);
    }
    for (size_t s = 0; s < LEARN_SCORE_ROWS; s++) {
        if (has_score(task, s)) {
            log_number(training, point->best[s]);
        }
    }
    growing_put_text(&training->log, "\n");
}

/* ---- printing ------------------------------------------------------------------------------ */

static void print_progress(struct cli_training *training, const struct learn_result *result)
{
    const uint64_t step = learn_run_step(training->run);
    const uint64_t steps = learn_run_recipe(training->run)->steps;
    const double time = system_seconds(), pause = training->to_terminal ? 0.2 : 2;
    if (training->options->value[CLI_QUIET].given || time - training->told < pause) {
        return;
    }
    const double speed = (double)(step - training->told_step) / (time - training->told);
    const double left = speed > 0 ? (double)(steps - step) / speed : 0;
    char loss[TEXT_NUMBER_MAX];
    fprintf(stderr, "%sstep %" PRIu64 " of %" PRIu64 ", loss %s, %.0f steps/s, %.0f s left%s",
            training->to_terminal ? "\r\033[K" : "attnscope: ", step, steps,
            text_small_number(loss, (double)result->loss, 4), speed, left,
            training->to_terminal ? "" : "\n");
    training->told = time;
    training->told_step = step;
}

/* Prints the likeliest next tokens behind the probe. */
static bool print_probe(struct cli_training *training, struct error *error)
{
    struct learn_run *const run = training->run;
    const size_t count = training->probe_count;
    const size_t vocabulary = learn_run_recipe(run)->shape.vocabulary;
    const char *const *const words = learn_data_words(learn_run_data(run));
    struct arena arena = {0};
    float *const logits = arena_array(&arena, count * vocabulary, sizeof *logits);
    const struct learn_batch batch = {1, count, training->probe, NULL};
    struct learn_result result;
    if (logits == NULL || !learn_network_run(learn_run_network(run), learn_run_weights(run), &batch,
                                             NULL, logits, &result, error)) {
        arena_free(&arena);
        return logits != NULL ||
               error_set(error, ERROR_MEMORY, "There is not enough memory for --probe.");
    }
    const float *const last = logits + (count - 1) * vocabulary;
    const struct lab_shares shares = lab_shares_of(last, vocabulary, 1);
    uint32_t best[LIKELY];
    const size_t found = lab_find_largest(last, vocabulary, LIKELY, best);
    printf("step %" PRIu64 ":", learn_run_step(run));
    for (size_t n = 0; n < found; n++) {
        printf("%s %s %.1f %%", n > 0 ? "," : "", cli_escape_controls(words[best[n]], &arena),
               100 * lab_share(&shares, last[best[n]]));
    }
    printf("\n");
    (void)fflush(stdout); /* a reader of a pipe sees it now */
    arena_free(&arena);
    return true;
}

/* ---- training ------------------------------------------------------------------------------ */

static bool read_probe(struct cli_training *training, struct error *error)
{
    const struct cli_value *const value = &training->options->value[CLI_PROBE];
    const size_t most = learn_run_recipe(training->run)->shape.context;
    if (!value->given) {
        return true;
    }
    if (!learn_data_encode_line(learn_run_data(training->run), value->text, strlen(value->text),
                                &training->arena, &training->probe, &training->probe_count,
                                error)) {
        return false;
    }
    if (training->probe_count == 0 || training->probe_count > most) {
        return error_set(error, ERROR_USAGE, "--probe has %zu tokens, this model takes 1 to %zu.",
                         training->probe_count, most);
    }
    return true;
}

/* Records what is due at the step where the run stands. */
static bool record_step(struct cli_training *training, struct error *error)
{
    const struct cli_value *const value = training->options->value;
    struct learn_point point;
    if (value[CLI_LOG].given) {
        if (!learn_run_measure(training->run, &point, error)) {
            return false;
        }
        log_point(training, &point);
    }
    return !value[CLI_PROBE].given || print_probe(training, error);
}

/* Adds to the error of a run that diverges the option against it, which the window has not. */
static void suggest_train_anyway(const struct learn_run *run, struct error *error)
{
    const size_t said = strlen(error->text);
    if (error->code == ERROR_INPUT && learn_run_recipe(run)->optimiser.clip <= 0) {
        snprintf(error->text + said, sizeof error->text - said,
                 " Or limit the gradient with --clip 1.");
    }
}

static bool write_log(struct cli_training *training, struct error *error)
{
    const struct cli_value *const value = &training->options->value[CLI_LOG];
    struct bytes table;
    return !value->given ||
           (growing_finish(&training->log, &table, error) && file_write(value->text, table, error));
}

/* Writes the model where the run stands, with what --resume needs. */
static bool write_model(struct cli_training *training, const char *folder, struct error *error)
{
    const struct learn_run *const run = training->run;
    const struct learn_model model = learn_model_of(run);
    const struct learn_state state = {.m = learn_run_m(run),
                                      .v = learn_run_v(run),
                                      .first_loss = training->first,
                                      .data = training->data,
                                      .data_hash = training->data_hash};
    return learn_model_write(folder, &model, &state, error);
}

/* Saves the model once a minute or as --save-every says, so that a power cut loses no more than
 * that. Training goes on where it cannot be written. */
static void save_checkpoint(struct cli_training *training)
{
    const struct cli_value *const every = &training->options->value[CLI_SAVE_EVERY];
    const uint64_t step = learn_run_step(training->run);
    struct error error = {ERROR_NONE, 0, ""};
    const bool due = every->given ? step % every->whole == 0
                                  : system_seconds() - training->written_at >= SAVE_SECONDS;
    if (training->folder == NULL || !due) {
        return;
    }
    if (write_log(training, &error) && write_model(training, training->folder, &error)) {
        training->written = step;
    } else if (!training->warned) {
        training->warned = true;
        cli_warn(training->options, "training goes on, but is not saved: %.180s", error.text);
    }
    training->written_at = system_seconds();
}

static bool train_steps(struct cli_training *training, struct error *error)
{
    struct learn_run *const run = training->run;
    const struct cli_value *const value = training->options->value;
    const uint64_t steps = learn_run_recipe(run)->steps, every = value[CLI_EVERY].whole;
    training->began = training->told = training->written_at = system_seconds();
    if (value[CLI_DUMP_STEP].given && !learn_step_dump(run, value[CLI_DUMP_STEP].text, error)) {
        return false;
    }
    for (;;) {
        const uint64_t step = learn_run_step(run);
        const bool last = step >= steps || stopped != 0;
        if ((step % every == 0 || last) && !record_step(training, error)) {
            return false;
        }
        if (last) {
            return true;
        }
        if (step > training->begun_at) {
            save_checkpoint(training);
        }
        if (!learn_run_forward(run, error)) {
            suggest_train_anyway(run, error);
            return false;
        }
        const struct learn_result result = learn_run_result(run);
        training->first = step == 0 ? result.loss : training->first;
        training->last = result.loss;
        print_progress(training, &result);
    }
}

/* Warns of a run whose loss ends far above its beginning, though all its numbers are finite. */
static void warn_of_loss(const struct cli_training *training)
{
    char first[TEXT_NUMBER_MAX], last[TEXT_NUMBER_MAX];
    if (learn_loss_is_worse(training->first, training->last)) {
        cli_warn(training->options,
                 "the loss has risen from %s to %s: what it learned is worth nothing; lower the "
                 "rate (now %g)",
                 text_small_number(first, (double)training->first, 3),
                 text_small_number(last, (double)training->last, 3),
                 (double)learn_run_recipe(training->run)->optimiser.rate);
    }
}

/* Saves the model in another folder where the disk is full, so that hours of training are not
 * lost. */
static void save_elsewhere(struct cli_training *training)
{
    char folder[256];
    const int length =
        snprintf(folder, sizeof folder, "%s/attnscope-XXXXXX", system_temporary_folder());
    if (length < 0 || (size_t)length >= sizeof folder || !system_make_unique_folder(folder)) {
        return;
    }
    if (write_model(training, folder, NULL)) {
        fprintf(stderr, "attnscope: what was learned is saved in %s instead.\n", folder);
    } else {
        (void)system_remove_folder(folder);
    }
}

static void print_summary(const struct cli_training *training)
{
    const struct learn_recipe *const recipe = learn_run_recipe(training->run);
    warn_of_loss(training);
    if (training->options->value[CLI_QUIET].given) {
        return;
    }
    fprintf(stderr, "attnscope: %" PRIu64 " steps in %.1f s; %s\n",
            learn_run_step(training->run) - training->begun_at, system_seconds() - training->began,
            training->folder);
    const struct learn_oddity *const oddity = learn_shape_oddity(&recipe->shape);
    if (oddity != NULL) {
        fprintf(stderr, "attnscope: %s\n", oddity->opens_here);
    }
}

/* Writes everything that was asked for, whether all steps were made or not. */
static bool write_all(struct cli_training *training, struct error *error)
{
    const uint64_t step = learn_run_step(training->run);
    if (!write_log(training, error)) {
        if (training->folder != NULL && !write_model(training, training->folder, NULL)) {
            save_elsewhere(training);
        }
        return false;
    }
    if (training->folder == NULL || training->written == step) {
        if (training->folder != NULL) {
            print_summary(training);
        }
        return true;
    }
    if (stopped != 0 && step == training->begun_at) {
        cli_warn(training->options, "stopped before the first step: nothing was written");
        return true;
    }
    if (!write_model(training, training->folder, error)) {
        save_elsewhere(training);
        return false;
    }
    print_summary(training);
    return true;
}

struct learn_data *cli_train_read_text(struct cli_training *training, const char *path,
                                       enum learn_units units, struct error *error)
{
    struct file_map map;
    if (!file_map_open(path, &map, error)) {
        return NULL;
    }
    /* The whole path, because --resume may be called from elsewhere. */
    char whole[4096];
    training->data = strcmp(path, "-") == 0 || !file_full_path(path, whole, sizeof whole)
                         ? path
                         : arena_text(&training->arena, whole, strlen(whole));
    struct learn_data *cut = learn_data_cut(map.bytes, units, NULL, NULL, error);
    training->data_hash = random_hash(map.bytes.at, map.bytes.size);
    if (cut != NULL && (training->data == NULL || !file_map_is_whole(&map))) {
        error_set(error, ERROR_FILE, "\"%.120s\" was changed while it was read.", path);
        learn_data_release(cut);
        cut = NULL;
    }
    file_map_close(&map);
    return cut;
}

/* Starts a run from its beginning. */
static bool start_run(struct cli_training *training, struct error *error)
{
    const struct cli_options *const options = training->options;
    const struct cli_value *const value = options->value;
    struct learn_recipe recipe;
    struct learn_data *cut = NULL;
    if (!cli_train_recipe(options, &recipe, error)) {
        return false;
    }
    training->folder = options->outs > 0 ? options->out[0] : NULL;
    if (training->folder == NULL && !value[CLI_LOG].given && !value[CLI_DUMP_STEP].given) {
        return error_set(error, ERROR_USAGE, "Where shall it go? Name a folder with -o.");
    }
    if (training->folder != NULL && !learn_folder_check(training->folder, error)) {
        return false;
    }
    if (value[CLI_DATA].given &&
        (cut = cli_train_read_text(training, value[CLI_DATA].text, recipe.units, error)) == NULL) {
        return false;
    }
    training->run = learn_run_make_of(&recipe, cut, &options->engine, error);
    learn_data_release(cut);
    return training->run != NULL && read_probe(training, error) &&
           (training->folder == NULL ||
            learn_folder_take(training->folder, &training->taken, error));
}

static bool prepare_run(struct cli_training *training, struct error *error)
{
    const bool resumes = training->options->value[CLI_RESUME].given;
    if (resumes ? !(cli_train_resume(training, error) && read_probe(training, error))
                : !start_run(training, error)) {
        return false;
    }
    const struct learn_data *const data = learn_run_data(training->run);
    const char *const said = learn_data_sentence(data, &training->arena);
    if (said != NULL && said[0] != '\0' && !training->options->value[CLI_QUIET].given) {
        fprintf(stderr, "attnscope: %s\n", said);
    }
    learn_run_keep_at_most(training->run, 0); /* steps are never taken back */
    training->to_terminal = system_is_terminal(SYSTEM_ERRORS);
    return begin_log(training, error);
}

int cli_train(const struct cli_options *options)
{
    struct cli_training training = {.options = options, .taken.file = -1, .written = UINT64_MAX};
    struct error error = {ERROR_NONE, 0, ""};
    if (options->value[CLI_TASKS].given) {
        return cli_train_list(options);
    }
    system_ends_catch(stop_after_step);
    bool done = prepare_run(&training, &error);
    if (done) {
        done = train_steps(&training, &error);
        if (training.to_terminal && !options->value[CLI_QUIET].given) {
            fprintf(stderr, "\r\033[K");
        }
        /* The curves of a run that went wrong are written. */
        done = done ? write_all(&training, &error) : (write_log(&training, NULL), false);
    }
    if (training.folder != NULL) {
        learn_folder_leave(training.folder, &training.taken);
    }
    learn_run_free(training.run);
    arena_free(&training.arena);
    system_ends_release();
    return !done ? cli_fail(&error) : stopped != 0 ? SYSTEM_ENDED + (int)stopped : CLI_DONE;
}
