/* cli/model.c — FILE is a folder: a model reads a text. */
#include "cli/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "file/kinds.h"
#include "view/parts/head_overview.h"

bool cli_is_model(const struct cli_options *options)
{
    const enum file_kind kind =
        options->file == NULL ? FILE_KINDS : file_kind_of_path(options->file);
    return kind == FILE_MODEL || kind == FILE_GGUF ||
           kind == FILE_FOLDER; /* which is refused as a model */
}

bool cli_model_layer(const struct cli_options *options, size_t layers, size_t *layer,
                     struct error *error)
{
    const char *const head = options->value[CLI_HEAD].given ? options->value[CLI_HEAD].text : "";
    const struct cli_value *const value = &options->value[CLI_LAYER];
    char *end = NULL;
    *layer = value->given ? (size_t)value->whole - 1 : 0;
    if (head[0] == 'L' && head[1] >= '0' && head[1] <= '9') {
        const unsigned long long written = strtoull(head + 1, &end, 10);
        if (value->given && written != *layer) {
            return error_set(error, ERROR_USAGE,
                             "--layer %s counts from 1, --head %.20s from 0: "
                             "they name two layers.",
                             value->text, head);
        }
        *layer = written < SIZE_MAX ? (size_t)written : SIZE_MAX;
    }
    if (*layer < layers) {
        return true;
    }
    if (layers == 1) {
        return error_set(error, ERROR_USAGE,
                         "There is one layer in it: --layer 1, or --head L0H0.");
    }
    return error_set(error, ERROR_USAGE,
                     "There are %zu layers in it: --layer is 1 to %zu, --head L0H0 to L%zuH0.",
                     layers, layers, layers - 1);
}

bool cli_model_open(const struct cli_options *options, struct cli_model *model, struct error *error)
{
    *model = (struct cli_model){.model = model_open(options->file, error)};
    if (model->model == NULL) {
        return false;
    }
    model->which = (enum model_attention)options->value[CLI_HEADS_OF].whole;
    if (model->which != MODEL_SELF && !model_has_target(model->model)) {
        error_set(
            error, ERROR_USAGE,
            "--heads-of is for models that read one text and write another, such as T5; this one "
            "reads one.");
        cli_model_close(model);
        return false;
    }
    if (!cli_model_layer(options, model_layers_of(model->model, model->which), &model->layer,
                         error) ||
        !cli_model_read(options, model, error)) {
        cli_model_close(model);
        return false;
    }
    return true;
}

void cli_model_tell(const struct cli_options *options, struct cli_model *model)
{
    const char *const note = model_note(model->model, &model->arena);
    if (note != NULL && note[0] != '\0') {
        cli_warn(options, "%.70s: %s", options->file, note);
    }
}

void cli_model_close(struct cli_model *model)
{
    if (!model->lent) {
        model_run_close(model->run);
        model_close(model->model);
    }
    arena_free(&model->arena);
}

bool cli_model_compute(const struct cli_model *model, size_t layers, struct error *error)
{
    return model->which == MODEL_ENCODER || model_run_go_on(model->run, layers, error);
}

bool cli_model_layer_of(const struct cli_model *model, size_t layer,
                        struct lab_experiment *experiment, struct error *error)
{
    const bool made = cli_model_compute(model, layer + 1, error) &&
                      model_experiment(model->run, model->which, layer, experiment, error);
    experiment->layer = made ? layer : 0;
    experiment->layers = made ? model_layers_of(model->model, model->which) : 0;
    return made;
}

struct cli_block {
    struct lab_block *block;
    struct view_head_overview shown;
};

const struct lab_block *cli_model_block(const struct cli_context *context, struct error *error)
{
    struct cli_block *const own = context->block;
    const size_t layer = context->experiment.layer;
    if (own->block != NULL && lab_block_facts(own->block).layer != layer) {
        lab_block_release(own->block);
        own->block = NULL;
    }
    if (own->block == NULL) {
        own->block = model_block(context->model->run, context->model->which, layer, error);
    }
    return own->block;
}

bool cli_model_show_block(const struct cli_context *context, struct app_state *state,
                          struct error *error)
{
    struct view_head_overview *const shown = &context->block->shown;
    *shown = (struct view_head_overview){.block = cli_model_block(context, error),
                                         .layer = context->experiment.layer,
                                         .head_measure = LAB_HEAD_MEASURES};
    state->view.head_overview = shown;
    state->view.extra_stage = context->of_block ? VIEW_EXTRA_STAGE_BLOCK : VIEW_EXTRA_STAGE_NONE;
    return shown->block != NULL;
}

void cli_block_drop(struct cli_block *block)
{
    if (block != NULL) {
        lab_block_release(block->block);
        free(block);
    }
}

void cli_model_drop(struct cli_model *model)
{
    if (model != NULL) {
        cli_model_close(model);
        free(model);
    }
}

bool cli_model_experiment(const struct cli_options *options, struct cli_context *context,
                          struct error *error)
{
    if (options->value[CLI_LESSON].given || options->value[CLI_STEP].given) {
        return error_set(error, ERROR_USAGE, "Either --lesson or the folder of a model.");
    }
    struct cli_model *const model = calloc(1, sizeof *model);
    if (model == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open a model.");
    }
    if (!cli_model_open(options, model, error)) {
        free(model);
        return false;
    }
    context->block = calloc(1, sizeof *context->block);
    context->model = model;
    context->is_model = true;
    if (context->block == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open a model.");
    }
    context->layer = model->layer;
    context->layers = model_layers_of(model->model, model->which);
    context->heads = model_config(model->model)->heads;
    if (!cli_model_layer_of(model, model->layer, &context->experiment, error)) {
        return false;
    }
    cli_model_tell(options, model);
    return true;
}

/* Whether nothing else is asked of the model than a text and a place in it. */
static bool is_whole(const struct cli_options *options)
{
    static const enum cli_option fine[] = {
        CLI_PROMPT, CLI_TOKENS,     CLI_TEXT_FILE, CLI_LAYER,      CLI_HEAD,
        CLI_STAGE,  CLI_ISA,        CLI_THREADS,   CLI_SIZE,       CLI_PARAM(SCALE),
        CLI_THEME,  CLI_RENDERER,   CLI_QUIET,     CLI_VERBOSE,    CLI_PRESENTER,
        CLI_ARRAY,  CLI_AXES,       CLI_READING,   CLI_KEYS_ARRAY, CLI_TOKENS_ARRAY,
        CLI_BATCH,  CLI_LANGUAGE,   CLI_HEADS_OF,  CLI_PAIR,       CLI_IDS,
        CLI_TARGET, CLI_TARGET_IDS, CLI_GENERATE,  CLI_SPECIAL,    CLI_CHAT,
    };
    for (size_t option = 0; option < CLI_OPTIONS; option++) {
        const bool of_scores = option == CLI_PARAM(SCALE) && options->value[option].second > 0;
        bool is_fine = !options->value[option].given;
        for (size_t f = 0; f < sizeof fine / sizeof fine[0]; f++) {
            is_fine = is_fine || (fine[f] == option && !of_scores);
        }
        if (!is_fine) {
            return false;
        }
    }
    return true;
}

/* The text, owned by the window; NULL where none is given. */
static bool take_text(const struct cli_options *options, struct cli_window *window,
                      struct error *error)
{
    struct arena arena = {0};
    struct bytes text = {0};
    const bool given = options->value[CLI_PROMPT].given || options->value[CLI_TOKENS].given ||
                       options->value[CLI_TEXT_FILE].given;
    bool done = !given || cli_model_text(options, &arena, &text, error);
    if (done && given && text.size == 0) {
        done = error_set(error, ERROR_USAGE, "The text is empty.");
    } else if (done && given) {
        window->text = malloc(text.size + 1);
        done =
            window->text != NULL || error_set(error, ERROR_MEMORY, "There is not enough memory.");
    }
    if (window->text != NULL) {
        memcpy(window->text, text.at, text.size);
        window->text[text.size] = '\0';
    }
    arena_free(&arena);
    return done;
}

/* The experiment that stands there while the model opens. */
static bool take_cats(const struct cli_options *options, struct cli_window *window,
                      struct error *error)
{
    static const enum cli_option own[] = {
        CLI_PROMPT,     CLI_TOKENS,   CLI_TEXT_FILE, CLI_LAYER,      CLI_HEAD,
        CLI_ARRAY,      CLI_AXES,     CLI_READING,   CLI_KEYS_ARRAY, CLI_TOKENS_ARRAY,
        CLI_BATCH,      CLI_HEADS_OF, CLI_PAIR,      CLI_IDS,        CLI_TARGET,
        CLI_TARGET_IDS, CLI_GENERATE, CLI_SPECIAL,   CLI_CHAT};
    struct cli_options plain = *options;
    struct cli_context context;
    plain.file = NULL;
    for (size_t o = 0; o < sizeof own / sizeof own[0]; o++) {
        plain.value[own[o]] = (struct cli_value){.given = false};
    }
    const bool of_block =
        plain.value[CLI_STAGE].given && plain.value[CLI_STAGE].whole == LAB_STAGES;
    plain.value[CLI_STAGE].given = plain.value[CLI_STAGE].given && !of_block;
    if (!cli_experiment(&plain, "cats", &context, error)) {
        return false;
    }
    window->experiment = context.experiment;
    window->stage = of_block ? LAB_OUTPUT : context.stage;
    window->selection = context.selection;
    context.experiment = (struct lab_experiment){.tokens = NULL};
    cli_context_release(&context);
    return true;
}

/* Whether more is asked of the text than what the window itself reads. */
static bool is_read_here(const struct cli_options *options)
{
    bool asked = false;
    for (enum cli_option o = CLI_PAIR; o <= CLI_CHAT; o++) {
        asked = asked || options->value[o].given;
    }
    return asked;
}

bool cli_model_window_read(const struct cli_options *options, struct cli_window *window,
                           struct error *error)
{
    struct cli_model model;
    if (window->model == NULL || window->is_dump || !is_read_here(options)) {
        return true;
    }
    if (!cli_model_open(options, &model, error)) {
        return false;
    }
    window->opened = model.model;
    window->run = model.run;
    window->chat = cli_model_is_chat(options);
    model.lent = true;
    cli_model_close(&model);
    return true;
}

bool cli_model_window(const struct cli_options *options, struct cli_window *window, bool *mine,
                      struct error *error)
{
    struct model_config config;
    *mine = (cli_is_model(options) || cli_is_dump(options)) && is_whole(options);
    if (!*mine) {
        return true;
    }
    if (cli_is_dump(options)) {
        return cli_dump_window(options, window, error) && take_cats(options, window, error);
    }
    window->side = (size_t)options->value[CLI_HEADS_OF].whole;
    if (!model_config_read(options->file, &config, error) ||
        !cli_model_layer(options,
                         window->side == MODEL_ENCODER ? config.source_layers : config.layers,
                         &window->layer, error) ||
        !cli_take_head(options, window->layer, config.heads, &window->head, error) ||
        !take_cats(options, window, error)) {
        return false;
    }
    if (!take_text(options, window, error)) {
        lab_experiment_release(&window->experiment);
        return false;
    }
    window->model = options->file;
    window->staged = options->value[CLI_STAGE].given;
    return true;
}
