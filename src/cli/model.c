/* cli/model.c — opens the folder of a model, which reads a text. */
#include "cli/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/calls.h"
#include "view/parts/head_overview.h"

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

bool cli_model_open(const struct cli_options *options, struct model *begun, struct cli_model *model,
                    struct error *error)
{
    *model = (struct cli_model){.subject = {.kind = &subject_checkpoint,
                                            .file = file_handle_keep(options->opened),
                                            .model = begun == NULL ? NULL : model_keep(begun)}};
    if (!subject_open(&model->subject, options->file, NULL, error)) {
        return false;
    }
    model->spot.which = (enum model_attention)options->value[CLI_HEADS_OF].whole;
    if (model->spot.which != MODEL_SELF && !model_has_target(model->subject.model)) {
        error_set(
            error, ERROR_USAGE,
            "--heads-of is for models that read one text and write another, such as T5; this one "
            "reads one.");
        cli_model_close(model);
        return false;
    }
    if (!cli_model_layer(options, subject_sizes(&model->subject, model->spot.which).layers,
                         &model->spot.layer, error) ||
        !cli_model_read(options, model, error)) {
        cli_model_close(model);
        return false;
    }
    return true;
}

void cli_model_warn_of_unread(const struct cli_options *options, struct cli_model *model)
{
    const char *const note = model_note(model->subject.model, &model->arena);
    if (note != NULL && note[0] != '\0') {
        cli_warn(options, "%.70s: %s", options->file, note);
    }
}

void cli_model_close(struct cli_model *model)
{
    subject_release(&model->subject);
    arena_free(&model->arena);
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
        const struct subject_spot spot = {.which = context->model->spot.which, .layer = layer};
        own->block = subject_block(&context->subject, &spot, error);
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

void cli_block_free(struct cli_block *block)
{
    if (block != NULL) {
        lab_block_release(block->block);
        free(block);
    }
}

void cli_model_free(struct cli_model *model)
{
    if (model != NULL) {
        cli_model_close(model);
        free(model);
    }
}

/* Returns whether the picture shows no layer by itself, and none is named. */
static bool is_of_any_layer(const struct cli_options *options)
{
    const char *const view = options->value[CLI_VIEW].text;
    const bool is_named = options->value[CLI_LAYER].given || options->value[CLI_HEAD].given;
    return options->call == CALL_RENDER && !is_named &&
           (strcmp(view, "glance") == 0 || cli_view_is_of_why(view));
}

/* Makes the experiment of the layer, or, for a picture of all layers, of the next one in which
 * nothing is replaced that the stages cannot show. */
static bool make_layer(const struct cli_options *options, struct cli_context *context,
                       struct error *error)
{
    const size_t from = context->layer;
    bool done = cli_make_layer(options, context, from, 0, &context->experiment, error);
    for (size_t l = from + 1; !done && error->code == ERROR_INPUT && is_of_any_layer(options) &&
                              l < context->sizes.layers;
         l++) {
        struct error later = {ERROR_NONE, 0, ""};
        done = cli_make_layer(options, context, l, 0, &context->experiment, &later);
        context->layer = done ? l : from;
    }
    return done;
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
    if (!cli_model_open(options, NULL, model, error)) {
        free(model);
        return false;
    }
    context->block = calloc(1, sizeof *context->block);
    context->model = model;
    context->is_model = true;
    if (context->block == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open a model.");
    }
    context->subject = subject_keep(&model->subject);
    context->sizes = subject_sizes(&model->subject, model->spot.which);
    context->layer = model->spot.layer;
    if (!make_layer(options, context, error)) {
        return false;
    }
    cli_model_warn_of_unread(options, model);
    return true;
}
