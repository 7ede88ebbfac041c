/* cli/describe.c — the answer of describe: a picture in plain sentences. */
#include "base/translate.h"
#include "cli/calls.h"
#include "cli/model.h"
#include "lab/explain/block_words.h"
#include "model/message.h"

/* Describes a model whose text is a message of a chat. */
static const char *describe_chat(const struct cli_context *context, struct arena *arena)
{
    if (!context->is_model || context->model == NULL || !context->model->chat) {
        return "";
    }
    const struct model_run *const run = context->model->subject.run;
    const struct model *const model = context->model->subject.model;
    const size_t count = model_run_count(run);
    const struct model_message message = model_message_find(model, model_run_ids(run), count);
    return lab_describe_chat(model_chat(model, NULL)->form,
                             message.first + message.behind - message.end, count, arena);
}

static const char *describe_picture(const struct lab_trace *trace,
                                    const struct cli_context *context, struct arena *arena,
                                    struct error *error)
{
    if (context->of_block) {
        const struct lab_block *const block = cli_model_block(context, error);
        return block == NULL ? NULL
                             : arena_format(arena, "%s\n",
                                            cli_escape_controls(
                                                lab_block_describe(block, lab_trace_queries(trace),
                                                                   context->selection.query, arena),
                                                arena));
    }
    return arena_format(
        arena, "%s%s%s\n",
        cli_escape_controls(lab_describe(trace, context->stage, &context->selection, arena), arena),
        cli_escape_controls(
            lab_display_describe(trace, &context->display, &context->selection, arena), arena),
        describe_chat(context, arena));
}

int cli_describe(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_context context;
    if (!cli_experiment(options, NULL, &context, &error)) {
        return cli_fail(&error);
    }
    if (options->value[CLI_LANGUAGE].given) {
        language_speak(language_find(options->value[CLI_LANGUAGE].text));
    }
    int status = CLI_FAILED;
    struct arena arena = {0};
    struct lab_trace *const trace = cli_compute_trace(options, &context.experiment, &error);
    if (trace == NULL) {
        status = cli_fail(&error);
    } else {
        const char *const text = describe_picture(trace, &context, &arena, &error);
        if (error.code != ERROR_NONE) {
            status = cli_fail(&error);
        } else if (text == NULL || arena.lacking) {
            error_set(&error, ERROR_MEMORY, "There is not enough memory to describe it.");
            status = cli_fail(&error);
        } else {
            status = cli_print_text(text);
        }
    }
    lab_trace_release(trace);
    cli_context_release(&context);
    arena_free(&arena);
    return status;
}
