/* cli/learned.c — opens a folder that train wrote, or a session, at any step of its training. */
#include "cli/learned.h"

#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "cli/model.h"
#include "cli/subject.h"
#include "learn/checkpoint.h"
#include "learn/cost.h"
#include "learn/run.h"
#include "learn/weight_rebuilder.h"
#include "subject/trained.h"
#include "view/parts/learn.h"

struct cli_learned {
    struct arena arena;
    struct lab_engine engine;
    struct learn_model model;
    struct learn_run *run; /* NULL: only what was saved is looked at */
    struct learn_network *network;
    struct learn_activations *sentence;
    const int32_t *tokens;
    const char **words; /* [count] */
    size_t count;
    struct subject_trained trained; /* all of that; it holds how it was learned once more */

    /* Used for a session, in place of the members from `run` on. */
    const struct cli_options *options;
    struct learn_learned *what; /* NULL: it is a folder */
    struct learn_weight_rebuilder rebuilder;
    struct lab_experiment base;
    uint64_t step; /* that is looked at */
};

bool cli_asks_for_step(const struct cli_options *options)
{
    const struct cli_value *const value = options->value;
    return value[CLI_STEP_OF_TRAINING].given || value[CLI_FROM_STEP].given ||
           value[CLI_TO_STEP].given;
}

bool cli_asks_for_curves(const struct cli_options *options)
{
    const char *const view = options->value[CLI_VIEW].text;
    struct learn_recipe recipe;
    return view != NULL && strcmp(view, "training") == 0 && options->opened != NULL &&
           learn_model_recipe(options->opened, &recipe);
}

bool cli_learned_is_own_format(struct file_handle *folder)
{
    struct learn_recipe recipe;
    return learn_model_recipe(folder, &recipe) && learn_shape_oddity(&recipe.shape) != NULL;
}

static bool refuse_step(struct error *error)
{
    return error_set(error, ERROR_USAGE,
                     "Steps of training are those of a folder that attnscope train wrote, or of a "
                     "session whose weights are learned.");
}

bool cli_refuse_training(struct error *error)
{
    return error_set(error, ERROR_USAGE,
                     "--train-anyway changes nothing here: it is for a lesson or a session whose "
                     "weights are learned.");
}

bool cli_learned_check(const struct cli_options *options, struct error *error)
{
    const struct cli_value *const value = options->value;
    const bool is_other = options->subject->has_arrays ||
                          (options->subject->reads_text && !learn_model_probe(options->opened));
    if (value[CLI_TRAIN_ANYWAY].given && is_other) {
        return cli_refuse_training(error);
    }
    if (!cli_asks_for_step(options)) {
        return true;
    }
    if (is_other) {
        return refuse_step(error);
    }
    if (value[CLI_STEP_OF_TRAINING].given &&
        (value[CLI_FROM_STEP].given || value[CLI_TO_STEP].given)) {
        return error_set(error, ERROR_USAGE,
                         "Either --step-of-training, or --from-step and --to-step.");
    }
    return !value[CLI_FROM_STEP].given || !value[CLI_TO_STEP].given ||
           value[CLI_FROM_STEP].whole < value[CLI_TO_STEP].whole ||
           error_set(error, ERROR_USAGE, "--from-step %s does not come before --to-step %s.",
                     value[CLI_FROM_STEP].text, value[CLI_TO_STEP].text);
}

uint64_t cli_learned_saved_step(const struct cli_learned *learned)
{
    return learned->model.step;
}

struct learn_run *cli_learned_run(const struct cli_learned *learned)
{
    return learned->what != NULL ? learned->rebuilder.run : learned->run;
}

const struct learn_weight_rebuilder *cli_learned_rebuilder(const struct cli_learned *learned)
{
    return learned->what != NULL ? &learned->rebuilder : NULL;
}

/* Encodes a text into tokens with their words. */
static bool encode_text(struct cli_learned *learned, const struct learn_data *data,
                        struct bytes text, struct error *error)
{
    const size_t most = learned->model.recipe.shape.context;
    if (!learn_data_encode(data, (const char *)text.at, text.size, &learned->arena,
                           &learned->tokens, &learned->count, error)) {
        return false;
    }
    if (learned->count == 0 || learned->count > most) {
        return error_set(error, ERROR_USAGE, "The text has %zu tokens, this model takes 1 to %zu.",
                         learned->count, most);
    }
    learned->words = arena_array(&learned->arena, learned->count, sizeof *learned->words);
    for (size_t t = 0; learned->words != NULL && t < learned->count; t++) {
        learned->words[t] = learned->model.words[learned->tokens[t]];
    }
    return learned->words != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for the text.");
}

/* Reads the text with the folder's tokenizer. */
static bool read_text(const struct cli_options *options, struct cli_learned *learned,
                      struct error *error)
{
    const struct learn_model *const model = &learned->model;
    const struct cli_value *const value = options->value;
    struct bytes text;
    if (cli_asks_for_curves(options) && !value[CLI_TOKENS].given && !value[CLI_TEXT_FILE].given) {
        static const int32_t first = 0;
        learned->tokens = &first; /* curves are of no text: the first word stands for any */
        learned->words = arena_array(&learned->arena, 1, sizeof *learned->words);
        learned->count = learned->words == NULL ? 0 : 1;
        for (size_t t = 0; t < learned->count; t++) {
            learned->words[t] = model->words[t];
        }
        return learned->words != NULL ||
               error_set(error, ERROR_MEMORY, "There is not enough memory for the text.");
    }
    if (!cli_model_text(options, &learned->arena, &text, error)) {
        return false;
    }
    struct learn_data *const data =
        learn_data_of_words(model->words, model->recipe.shape.vocabulary, model->letters, error);
    const bool done = data != NULL && encode_text(learned, data, text, error);
    learn_data_release(data);
    return done;
}

/* Lets experiments know the run, whose curves a picture shows. */
static bool set_training_facts(struct cli_learned *learned, struct error *error)
{
    const struct learn_learned how = {.recipe = learned->model.recipe, .step = learned->step};
    lab_training_release(learned->trained.learned);
    learned->trained.learned = learn_training_make(&how, error);
    return learned->trained.learned != NULL;
}

static bool trace_weights(struct cli_learned *learned, struct error *error)
{
    const float *const weights =
        learned->run != NULL ? learn_run_weights(learned->run) : learned->model.weights;
    learn_activations_free(learned->sentence);
    learned->sentence = learn_activations_make(learned->network, weights, learned->tokens, NULL,
                                               learned->count, error);
    learned->trained.view = (struct learn_layer_view){
        .sentence = learned->sentence, .weights = weights, .words = learned->words};
    return learned->sentence != NULL &&
           (learned->run == NULL || set_training_facts(learned, error));
}

bool cli_learned_go_to_step(struct cli_learned *learned, uint64_t step, struct error *error)
{
    learned->step = step;
    return learned->what != NULL ||
           (learn_run_go(learned->run, step, NULL, error) && trace_weights(learned, error));
}

/* Refuses steps behind the recipe's end and the last one that was trained. */
static bool check_steps(const struct cli_options *options, const struct learn_recipe *recipe,
                        uint64_t step, struct error *error)
{
    static const enum cli_option asked[] = {CLI_STEP_OF_TRAINING, CLI_FROM_STEP, CLI_TO_STEP};
    const uint64_t last = step > recipe->steps ? step : recipe->steps;
    for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
        const struct cli_value *const value = &options->value[asked[a]];
        if (value->given && value->whole > last) {
            return error_set(error, ERROR_USAGE, "--%s %s: its training ends at step %zu.",
                             cli_option_row(asked[a])->name, value->text, (size_t)last);
        }
    }
    return true;
}

/* Returns the last step of training that is asked for. */
static uint64_t last_asked(const struct cli_options *options)
{
    static const enum cli_option asked[] = {CLI_STEP_OF_TRAINING, CLI_FROM_STEP, CLI_TO_STEP};
    uint64_t last = 0;
    for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
        const struct cli_value *const value = &options->value[asked[a]];
        last = value->given && value->whole > last ? value->whole : last;
    }
    return last;
}

/* Says whether so much may be trained without asking (learn/cost.h). */
static bool check_cost(const struct cli_options *options, const struct learn_recipe *recipe,
                       uint64_t step, struct error *error)
{
    const uint64_t asked = last_asked(options);
    const struct learn_learned how = {.recipe = *recipe, .step = asked > step ? asked : step};
    const struct learn_cost cost = learn_cost_of(recipe, &how);
    return options->value[CLI_TRAIN_ANYWAY].given || learn_cost_check(&cost, error);
}

/* Starts the recipe anew, where a step of training is asked for. */
static bool start_run(const struct cli_options *options, struct cli_learned *learned,
                      struct error *error)
{
    if (!cli_asks_for_step(options) && !cli_asks_for_curves(options)) {
        return true;
    }
    if (learned->model.recipe.task == LEARN_TASK_TEXT) {
        return error_set(error, ERROR_USAGE,
                         "Its own text is not in the folder, so no other step of its training can "
                         "be shown.");
    }
    if (!check_cost(options, &learned->model.recipe, learned->step, error)) {
        return false;
    }
    learned->run =
        learn_run_make(&learned->model.recipe, (struct bytes){NULL, 0}, &learned->engine, error);
    if (learned->run != NULL) {
        learn_run_keep_at_most(learned->run, LEARN_KEPT_BYTES);
    }
    return learned->run != NULL;
}

static bool open_folder(const struct cli_options *options, struct cli_learned *learned,
                        struct error *error)
{
    const struct cli_value *const value = options->value;
    learned->engine = options->engine;
    if (!learn_model_read(options->opened, &learned->arena, &learned->model, error) ||
        !check_steps(options, &learned->model.recipe, learned->model.step, error) ||
        !read_text(options, learned, error)) {
        return false;
    }
    const uint64_t step = value[CLI_STEP_OF_TRAINING].given ? value[CLI_STEP_OF_TRAINING].whole
                          : cli_asks_for_step(options)      ? value[CLI_FROM_STEP].whole
                                                            : learned->model.step;
    learned->step = step;
    learned->network = learn_network_open(&learned->model.recipe.shape, &learned->engine, error);
    if (learned->network == NULL || !start_run(options, learned, error)) {
        return false;
    }
    return learned->run != NULL ? cli_learned_go_to_step(learned, step, error)
                                : trace_weights(learned, error);
}

/* ---- a session ----------------------------------------------------------------------------- */

struct learn_saved cli_learned_saved_weights(const struct cli_options *options,
                                             struct cli_context *context)
{
    const struct lab_lesson *const lesson = &context->lesson;
    if (options->file == NULL || lesson->steps == 0 ||
        lesson->step[context->step].weights.folder == NULL) {
        return (struct learn_saved){.folder = NULL};
    }
    const struct lab_step_weights *const weights = &lesson->step[context->step].weights;
    return (struct learn_saved){lab_step_weights_path(weights, options->file, &context->arena),
                                weights->has_mark, weights->mark};
}

bool cli_learned_fill_weights(const struct cli_options *options,
                              struct learn_weight_rebuilder *rebuilder,
                              struct lab_experiment *experiment, const struct lab_engine *engine,
                              struct error *error)
{
    const bool done = learn_weight_rebuilder_fill(rebuilder, experiment, engine, error);
    if (rebuilder->unused.code != ERROR_NONE) {
        cli_warn(options, "the weights saved with it are not used: %s", rebuilder->unused.text);
    }
    rebuilder->saved = (struct learn_saved){
        .folder = NULL}; /* the weights were used, or a warning has said why not */
    rebuilder->unused = (struct error){ERROR_NONE, 0, ""};
    return done;
}

/* Fills the session's experiment with the weights of the step that is looked at. */
static bool fill_session(struct cli_learned *learned, struct lab_experiment *experiment,
                         struct error *error)
{
    learned->what->step = learned->step;
    const struct lab_training *const training = learn_training_make(learned->what, error);
    if (training == NULL) {
        return false;
    }
    lab_experiment_copy(experiment, &learned->base);
    lab_training_release(experiment->learned);
    experiment->learned = training;
    learn_weight_rebuilder_empty(experiment);
    if (!cli_learned_fill_weights(learned->options, &learned->rebuilder, experiment,
                                  &learned->engine, error)) {
        lab_experiment_release(experiment);
        return false;
    }
    return true;
}

/* Checks that a film does not go further than allowed, beyond the step that was trained. */
static bool check_film(const struct cli_options *options, struct cli_learned *learned,
                       struct error *error)
{
    if (!options->value[CLI_TO_STEP].given || learned->rebuilder.run == NULL ||
        learned->rebuilder.trains_anyway) {
        return true;
    }
    learned->what->step = options->value[CLI_TO_STEP].whole;
    const struct learn_cost cost =
        learn_cost_of(learn_run_recipe(learned->rebuilder.run), learned->what);
    learned->what->step = learned->step;
    return learn_cost_check(&cost, error);
}

static bool make_experiment(const struct subject *subject, const struct subject_spot *spot,
                            const struct file_progress *progress, struct lab_experiment *experiment,
                            struct error *error)
{
    (void)spot;
    (void)progress;
    return fill_session(subject->owner, experiment, error);
}

static struct subject_sizes sizes_of(const struct subject *subject, enum model_attention which)
{
    const struct learn_shape *const shape =
        &((const struct cli_learned *)subject->owner)->what->recipe.shape;
    (void)which;
    return (struct subject_sizes){.layers = shape->layers, .heads = shape->heads};
}

/* The experiment of a session at another step of its training. */
static const struct subject_kind session_kind = {.sizes = sizes_of, .experiment = make_experiment};

bool cli_learned_session(const struct cli_options *options, struct cli_context *context, bool *mine,
                         struct error *error)
{
    const struct cli_value *const step = &options->value[CLI_STEP_OF_TRAINING];
    struct lab_experiment *const present = &context->experiment;
    struct lab_experiment experiment;
    *mine = cli_asks_for_step(options);
    if (!*mine) {
        return true;
    }
    if (present->learned == NULL) {
        return refuse_step(error);
    }
    struct cli_learned *const learned = calloc(1, sizeof *learned);
    context->learned = learned;
    context->subject = (struct subject){.kind = &session_kind, .owner = learned};
    if (learned == NULL ||
        (learned->what = arena_alloc(&learned->arena, sizeof *learned->what)) == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to learn.");
    }
    learned->options = options;
    learned->engine = options->engine;
    learned->rebuilder.trains_anyway = options->value[CLI_TRAIN_ANYWAY].given;
    learned->step = step->given ? step->whole : options->value[CLI_FROM_STEP].whole;
    const struct learn_learned *const asked = learn_training_read(&present->learned, error);
    lab_experiment_copy(&learned->base, present); /* which owns the texts from now on */
    if (asked == NULL) {
        return false;
    }
    *learned->what = *asked;
    if (!check_steps(options, &learned->what->recipe, learned->what->step, error)) {
        return false;
    }
    learned->what->until = 0; /* a step of it stands still, also where the window would train on */
    learned->model.step = learned->what->step;
    if (learned->step == learned->what->step) {
        learned->rebuilder.saved = cli_learned_saved_weights(options, context);
    }
    if (!fill_session(learned, &experiment, error)) {
        return false;
    }
    if (!check_film(options, learned, error)) {
        lab_experiment_release(&experiment);
        return false;
    }
    lab_experiment_release(present);
    *present = experiment;
    return true;
}

bool cli_learned_experiment(const struct cli_options *options, struct cli_context *context,
                            struct error *error)
{
    if (options->value[CLI_LESSON].given || options->value[CLI_STEP].given) {
        return error_set(error, ERROR_USAGE, "Either --lesson or the folder of a model.");
    }
    struct cli_learned *const learned = calloc(1, sizeof *learned);
    if (learned == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open a model.");
    }
    context->learned = learned;
    context->subject = subject_of_trained(&learned->trained);
    if (!open_folder(options, learned, error)) {
        return false;
    }
    learned->trained.vocabulary = learned->model.words;
    context->is_model = true;
    context->sizes = subject_sizes(&context->subject, MODEL_SELF);
    return cli_model_layer(options, context->sizes.layers, &context->layer, error) &&
           cli_make_layer(options, context, context->layer, 0, &context->experiment, error);
}

void cli_learned_close(struct cli_learned *learned)
{
    if (learned != NULL) {
        learn_weight_rebuilder_close(&learned->rebuilder);
        lab_experiment_release(&learned->base);
        lab_training_release(learned->trained.learned);
        learn_activations_free(learned->sentence);
        learn_network_close(learned->network);
        learn_run_free(learned->run);
        arena_free(&learned->arena);
        free(learned);
    }
}

bool cli_check_curves(const struct cli_context *context, const struct view_learn *shown,
                      struct error *error)
{
    const struct lab_lesson *const lesson = &context->lesson;
    const char *const reason =
        tr("A curve needs two points: training has not made its first step.");
    size_t first = lesson->steps;
    if (shown == NULL || shown->reached > 0) {
        return true;
    }
    for (size_t s = lesson->steps; s > 0; s--) {
        const struct learn_learned *const learned =
            learn_training_record(lesson->step[s - 1].experiment.learned);
        if (learned != NULL && learned->step > 0) {
            first = s - 1;
        }
    }
    return first == lesson->steps
               ? error_set(error, ERROR_INPUT, "%s", reason)
               : error_set(error, ERROR_INPUT, "%s The first step with a curve is --step %zu.",
                           reason, first + 1);
}
