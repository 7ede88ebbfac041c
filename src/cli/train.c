/* cli/train.c — weights that learn without a window: a folder, a table of the curves, one step
 * written down. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/calls.h"
#include "cli/train.h"
#include "learn/checkpoint.h"
#include "learn/run.h"

enum { INTERRUPTED = 128 + SIGINT, LIKELY = 5 /* next words that are printed */ };

static volatile sig_atomic_t stopped;

/* One call of train. */
struct training {
    const struct cli_options *options;
    struct learn_run *run;
    struct arena arena; /* of the table of curves, and of the text */
    struct growing log;
    const int32_t *probe; /* tokens of --probe */
    size_t probe_count;
    double began, told; /* seconds */
    uint64_t told_step;
    bool to_terminal;
    struct learn_folder folder; /* of -o, while it trains */
    float first, last;          /* losses */
};

/* The first Ctrl+C stops behind a step; a second one at once. */
static void stop(int number)
{
    if (stopped != 0) {
        _exit(128 + number);
    }
    stopped = 1;
}

static double now(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the table of curves ------------------------------------------------------------------- */

/* Whether a task is looked at by a score: then the table has a column of it. */
static bool has_score(const struct learn_task *task, size_t score)
{
    for (size_t s = 0; s < task->scores; s++) {
        if (task->score[s].score == (enum learn_score)score) {
            return true;
        }
    }
    return false;
}

static void log_header(struct training *training)
{
    const struct learn_task *const task = learn_task_at(learn_run_recipe(training->run)->task);
    growing_put_text(&training->log, "step,loss,accuracy");
    if (learn_data_test_rows(learn_run_data(training->run)) > 0) {
        growing_put_text(&training->log, ",test_accuracy");
    }
    for (size_t s = 0; s < LEARN_SCORE_ROWS; s++) {
        if (has_score(task, s)) {
            growing_put_text(&training->log, ",");
            growing_put_text(&training->log, learn_score_name(s));
        }
    }
    growing_put_text(&training->log, "\n");
}

static void log_number(struct training *training, float number)
{
    char text[TEXT_NUMBER_MAX];
    growing_put_text(&training->log, ",");
    growing_put_text(&training->log, isfinite(number) ? text_number_exact(text, number) : "");
}

static void log_point(struct training *training, const struct learn_point *point)
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

/* ---- what is said -------------------------------------------------------------------------- */

static void say(struct training *training, const struct learn_result *result)
{
    const uint64_t step = learn_run_step(training->run);
    const uint64_t steps = learn_run_recipe(training->run)->steps;
    const double time = now(), pause = training->to_terminal ? 0.2 : 2;
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

/* What comes next behind the probe, the likeliest first. */
static bool say_probe(struct training *training, struct error *error)
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
    float *const last = logits + (count - 1) * vocabulary;
    double sum = 0, most = -INFINITY;
    for (size_t w = 0; w < vocabulary; w++) {
        most = fmax(most, (double)last[w]);
    }
    for (size_t w = 0; w < vocabulary; w++) {
        sum += exp((double)last[w] - most);
    }
    printf("step %" PRIu64 ":", learn_run_step(run));
    for (size_t n = 0; n < LIKELY && n < vocabulary; n++) {
        size_t best = 0;
        for (size_t w = 1; w < vocabulary; w++) {
            best = last[w] > last[best] ? w : best;
        }
        printf("%s %s %.1f %%", n > 0 ? "," : "", cli_visible(words[best], &arena),
               100 * exp((double)last[best] - most) / sum);
        last[best] = -INFINITY;
    }
    printf("\n");
    (void)fflush(stdout); /* whoever reads along sees it now */
    arena_free(&arena);
    return true;
}

/* ---- training ------------------------------------------------------------------------------ */

static bool read_probe(struct training *training, struct error *error)
{
    const struct cli_value *const value = &training->options->value[CLI_PROBE];
    const size_t most = learn_run_recipe(training->run)->shape.context;
    if (!value->given) {
        return true;
    }
    if (!learn_data_encode(learn_run_data(training->run), value->text, strlen(value->text),
                           &training->arena, &training->probe, &training->probe_count, error)) {
        return false;
    }
    if (training->probe_count == 0 || training->probe_count > most) {
        return error_set(error, ERROR_USAGE, "--probe has %zu tokens, this model takes 1 to %zu.",
                         training->probe_count, most);
    }
    return true;
}

/* What is due at the step where the run stands. */
static bool note(struct training *training, struct error *error)
{
    const struct cli_value *const value = training->options->value;
    struct learn_point point;
    if (value[CLI_LOG].given) {
        if (!learn_run_measure(training->run, &point, error)) {
            return false;
        }
        log_point(training, &point);
    }
    return !value[CLI_PROBE].given || say_probe(training, error);
}

/* A run that diverges has an option against it here, which the window has not. */
static void advise(const struct learn_run *run, struct error *error)
{
    const size_t said = strlen(error->text);
    if (error->code == ERROR_INPUT && learn_run_recipe(run)->optimiser.clip <= 0) {
        snprintf(error->text + said, sizeof error->text - said,
                 " Or limit the gradient with --clip 1.");
    }
}

static bool train(struct training *training, struct error *error)
{
    struct learn_run *const run = training->run;
    const struct cli_value *const value = training->options->value;
    const uint64_t steps = learn_run_recipe(run)->steps, every = value[CLI_EVERY].whole;
    training->began = training->told = now();
    if (value[CLI_DUMP_STEP].given && !learn_step_dump(run, value[CLI_DUMP_STEP].text, error)) {
        return false;
    }
    for (;;) {
        const uint64_t step = learn_run_step(run);
        const bool last = step >= steps || stopped != 0;
        if ((step % every == 0 || last) && !note(training, error)) {
            return false;
        }
        if (last) {
            return true;
        }
        if (!learn_run_forward(run, error)) {
            advise(run, error);
            return false;
        }
        const struct learn_result result = learn_run_result(run);
        training->first = step == 0 ? result.loss : training->first;
        training->last = result.loss;
        say(training, &result);
    }
}

static bool write_log(struct training *training, struct error *error)
{
    const struct cli_value *const value = &training->options->value[CLI_LOG];
    struct bytes table;
    return !value->given ||
           (growing_finish(&training->log, &table, error) && file_write(value->text, table, error));
}

/* A run whose numbers are still some has gone wrong, too, where it ends far above its beginning. */
static void warn_of_loss(const struct training *training)
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

/* What there is, whether all steps were made or not. */
static bool write_all(struct training *training, struct error *error)
{
    const struct cli_options *const options = training->options;
    const struct learn_model model = learn_model_of(training->run);
    if (!write_log(training, error)) {
        return false;
    }
    if (options->outs == 0) {
        return true;
    }
    if (!learn_model_write(options->out[0], &model, error)) {
        return false;
    }
    warn_of_loss(training);
    if (!options->value[CLI_QUIET].given) {
        fprintf(stderr, "attnscope: %" PRIu64 " steps in %.1f s; %s\n", model.step,
                now() - training->began, options->out[0]);
        if (!learn_shape_is_common(&model.recipe.shape)) {
            fprintf(stderr, "attnscope: %s\n",
                    model.recipe.shape.norm
                        ? "Words see what follows in it: it opens in this program only."
                        : "It has no norm: it opens in this program only.");
        }
    }
    return true;
}

static bool start(struct training *training, struct error *error)
{
    const struct cli_options *const options = training->options;
    const struct cli_value *const value = options->value;
    struct learn_recipe recipe;
    struct bytes text = {NULL, 0};
    if (!cli_train_recipe(options, &recipe, error)) {
        return false;
    }
    if (options->outs == 0 && !value[CLI_LOG].given && !value[CLI_DUMP_STEP].given) {
        return error_set(error, ERROR_USAGE, "Where shall it go? Name a folder with -o.");
    }
    if ((options->outs > 0 && !learn_folder_check(options->out[0], error)) ||
        (value[CLI_DATA].given &&
         !file_read(value[CLI_DATA].text, LEARN_TEXT_BYTES_MAX, &training->arena, &text, error))) {
        return false;
    }
    training->run = learn_run_make(&recipe, text, &options->engine, error);
    if (training->run == NULL || !read_probe(training, error) ||
        (options->outs > 0 && !learn_folder_take(options->out[0], &training->folder, error))) {
        return false;
    }
    const struct learn_data *const data = learn_run_data(training->run);
    const char *const said = learn_data_sentence(data, learn_data_left_out(data), &training->arena);
    if (said != NULL && said[0] != '\0' && !value[CLI_QUIET].given) {
        fprintf(stderr, "attnscope: %s\n", said);
    }
    training->to_terminal = isatty(STDERR_FILENO) != 0;
    training->log = growing_start(&training->arena);
    log_header(training);
    return true;
}

int cli_train(const struct cli_options *options)
{
    struct training training = {.options = options, .folder.file = -1};
    struct error error = {ERROR_NONE, 0, ""};
    if (options->value[CLI_TASKS].given) {
        return cli_train_list(options);
    }
    struct sigaction own = {.sa_handler = stop}, former;
    sigemptyset(&own.sa_mask);
    sigaction(SIGINT, &own, &former);
    bool done = start(&training, &error);
    if (done) {
        done = train(&training, &error);
        if (training.to_terminal && !options->value[CLI_QUIET].given) {
            fprintf(stderr, "\r\033[K");
        }
        /* Of a run that went wrong the curves stay. */
        done = done ? write_all(&training, &error) : (write_log(&training, NULL), false);
    }
    if (options->outs > 0) {
        learn_folder_leave(options->out[0], &training.folder);
    }
    learn_run_free(training.run);
    arena_free(&training.arena);
    sigaction(SIGINT, &former, NULL);
    return !done ? cli_fail(&error) : stopped != 0 ? INTERRUPTED : CLI_DONE;
}
