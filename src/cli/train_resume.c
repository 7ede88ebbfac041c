/* cli/train_resume.c — continues training where an earlier call was stopped. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/train.h"

enum { LOG_BYTES_MAX = 1 << 28 };

/* Refuses options that say another recipe than the folder's. */
static bool check_options(const struct cli_options *options, struct error *error)
{
    static const enum cli_option known[] = {
        CLI_RESUME,  CLI_DATA,       CLI_RECIPE(STEPS), CLI_LOG,   CLI_PROBE, CLI_EVERY,
        CLI_THREADS, CLI_SAVE_EVERY, CLI_ISA,           CLI_QUIET, CLI_OUT,   CLI_DUMP_STEP};
    const struct cli_value *const value = options->value;
    for (size_t o = 0; o < CLI_OPTIONS; o++) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            is_known = is_known || known[k] == (enum cli_option)o;
        }
        if (value[o].given && !is_known) {
            return error_set(error, ERROR_USAGE,
                             "--resume goes on with the recipe of its folder: --%s belongs to a "
                             "training that begins.",
                             cli_option_row((enum cli_option)o)->name);
        }
    }
    if (options->outs > 0 && strcmp(options->out[0], value[CLI_RESUME].text) != 0) {
        return error_set(error, ERROR_USAGE,
                         "--resume writes into the folder that it goes on with: leave -o out.");
    }
    return !value[CLI_EVERY].given || value[CLI_LOG].given || value[CLI_PROBE].given ||
           error_set(error, ERROR_USAGE, "--%s changes nothing here: it goes with %s.", "every",
                     "--log or --probe");
}

/* Adds steps beyond the recipe's, where the earlier steps do not depend on how many there are. */
static bool extend_steps(const struct cli_options *options, uint64_t step,
                         struct learn_recipe *recipe, struct error *error)
{
    const struct cli_value *const steps = &options->value[CLI_RECIPE(STEPS)];
    struct learn_optimiser *const optimiser = &recipe->optimiser;
    if (!steps->given || steps->whole == recipe->steps) {
        return true;
    }
    if (steps->whole < step) {
        return error_set(error, ERROR_USAGE, "--steps %s: this training stands at step %zu.",
                         steps->text, (size_t)step);
    }
    if (optimiser->schedule != LEARN_CONSTANT) {
        return error_set(error, ERROR_USAGE,
                         "--steps %s: the rate of this training falls until step %zu, so another "
                         "number of steps is another training from its beginning.",
                         steps->text, optimiser->steps);
    }
    if (optimiser->steps == recipe->steps) {
        optimiser->steps = (size_t)steps->whole;
    }
    recipe->steps = (size_t)steps->whole;
    return true;
}

/* Reads own text from where it was read before, or where --data says that it lies now; the caller
 * releases it. */
static bool read_own_text(struct cli_training *training, const struct learn_state *state,
                          enum learn_units units, struct learn_data **cut, struct error *error)
{
    const struct cli_value *const data = &training->options->value[CLI_DATA];
    if (state->data == NULL) {
        return !data->given ||
               error_set(error, ERROR_USAGE, "--%s changes nothing here: it goes with %s.", "data",
                         "--task text");
    }
    if (!data->given && strcmp(state->data, "-") == 0) {
        return error_set(error, ERROR_USAGE,
                         "The text of this training came from standard input: give it again with "
                         "--data FILE.");
    }
    *cut = cli_train_read_text(training, data->given ? data->text : state->data, units, error);
    return *cut != NULL &&
           (training->data_hash == state->data_hash ||
            error_set(error, ERROR_INPUT,
                      "\"%.100s\" is not the text that this training began with: name that with "
                      "--data FILE.",
                      training->data));
}

/* Says whether the words of the run are those of the saved model. */
static bool has_same_words(const struct learn_model *model, const struct learn_run *run)
{
    const char *const *const words = learn_data_words(learn_run_data(run));
    bool same = learn_run_tensors(run)->floats == model->tensors.floats &&
                learn_run_recipe(run)->shape.vocabulary == model->recipe.shape.vocabulary;
    for (size_t w = 0; same && w < model->recipe.shape.vocabulary; w++) {
        same = strcmp(words[w], model->words[w]) == 0;
    }
    return same;
}

/* Continues the run; the arena owns everything that is needed until the run has it. */
static bool resume_run(struct cli_training *training, struct file_handle *folder,
                       struct arena *arena, struct error *error)
{
    const struct cli_options *const options = training->options;
    struct learn_model model;
    struct learn_state state;
    struct learn_data *cut = NULL;
    if (!learn_model_read(folder, arena, &model, error) ||
        !learn_state_read(training->folder, &model, arena, &state, error) ||
        !extend_steps(options, model.step, &model.recipe, error)) {
        return false;
    }
    if (read_own_text(training, &state, model.recipe.units, &cut, error)) {
        training->run = learn_run_make_of(&model.recipe, cut, &options->engine, error);
    }
    learn_data_release(cut);
    if (training->run == NULL) {
        return false;
    }
    if (!has_same_words(&model, training->run)) {
        return error_set(error, ERROR_INPUT,
                         "\"%.100s\" holds a model of other words than its recipe makes: training "
                         "cannot go on from it.",
                         training->folder);
    }
    if (!learn_run_resume(training->run, model.step, model.weights, state.m, state.v, error)) {
        return false;
    }
    training->begun_at = training->written = model.step;
    training->first = state.first_loss;
    if (model.step >= model.recipe.steps) {
        cli_warn(options, "this training is at its last step, %zu; --steps makes more",
                 (size_t)model.step);
    }
    return true;
}

bool cli_train_resume(struct cli_training *training, struct error *error)
{
    const char *const folder = training->options->value[CLI_RESUME].text;
    struct arena arena = {0};
    if (!check_options(training->options, error)) {
        return false;
    }
    struct file_handle *const opened = file_handle_open(folder);
    training->folder = folder;
    const bool done =
        (opened != NULL ||
         error_set(error, ERROR_MEMORY, "There is not enough memory for the weights.")) &&
        (learn_model_probe(opened) ||
         error_set(error, ERROR_INPUT,
                   "\"%.100s\" is no folder that train wrote: there is nothing to go on with.",
                   folder)) &&
        learn_folder_take(folder, &training->taken, error) &&
        resume_run(training, opened, &arena, error);
    file_handle_release(opened);
    arena_free(&arena);
    return done;
}

bool cli_train_read_log(struct cli_training *training, const char *header, struct error *error)
{
    const char *const path = training->options->value[CLI_LOG].text;
    const size_t length = strlen(header);
    struct arena arena = {0};
    struct bytes former;
    if (training->begun_at == 0 || !file_mark(path).exists) {
        return true;
    }
    bool done = file_read(path, LOG_BYTES_MAX, &arena, &former, error);
    if (done && (former.size < length || memcmp(former.at, header, length) != 0)) {
        done =
            error_set(error, ERROR_INPUT,
                      "\"%.100s\" is no table of this training's curves: name another file.", path);
    }
    for (size_t at = length; done && at < former.size;) {
        const char *const line = (const char *)former.at + at;
        const char *const end = memchr(line, '\n', former.size - at);
        const size_t letters = end == NULL ? former.size - at : (size_t)(end - line) + 1;
        if (end != NULL && strtoull(line, NULL, 10) < training->begun_at) {
            growing_put(&training->log, line, letters);
        }
        at += letters;
    }
    arena_free(&arena);
    return done;
}
