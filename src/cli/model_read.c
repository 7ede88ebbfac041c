/* cli/model_read.c — the input of a model: texts or ids, and how far it generates. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/model.h"
#include "model/ids.h"

bool cli_model_text(const struct cli_options *options, struct arena *arena, struct bytes *text,
                    struct error *error)
{
    static const enum cli_option sources[] = {CLI_PROMPT, CLI_TOKENS};
    const struct cli_value *const file = &options->value[CLI_TEXT_FILE];
    for (size_t s = 0; s < sizeof sources / sizeof sources[0]; s++) {
        const struct cli_value *const value = &options->value[sources[s]];
        if (value->given) {
            *text = (struct bytes){(const uint8_t *)value->text, strlen(value->text)};
            return true;
        }
    }
    if (!file->given) {
        return error_set(error, ERROR_USAGE,
                         "A model needs a text to read: --text \"A text.\", or --text-file FILE.");
    }
    return file_read(file->text, CLI_TEXT_BYTES_MAX, arena, text, error);
}

bool cli_model_is_chat(const struct cli_options *options)
{
    return options->value[CLI_CHAT].given && options->value[CLI_CHAT].whole == 0;
}

/* Reads whole numbers between spaces or commas. */
static bool read_ids(const struct cli_value *value, const char *option, struct arena *arena,
                     const uint32_t **ids, size_t *count, struct error *error)
{
    const char *wrong = NULL;
    if (!model_ids_read(value->text, arena, ids, count, &wrong)) {
        return wrong == NULL
                   ? error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.")
                   : error_set(error, ERROR_USAGE,
                               "--%s takes whole numbers such as \"1 5 7\", not “%.20s”.", option,
                               wrong);
    }
    return *count > 0 || error_set(error, ERROR_USAGE, "The text is empty.");
}

/* Encodes the text as a message, with every token that belongs to it, for --chat on. */
static bool encode_message(const struct cli_options *options, struct cli_model *model,
                           struct tokenizer_input *input, struct error *error)
{
    if (!cli_model_is_chat(options)) {
        return true;
    }
    if (input->has_pair) {
        return error_set(error, ERROR_USAGE, "Either --chat or --text-pair.");
    }
    const struct model_chat *const chat = model_chat(model->subject.model, error);
    input->bare = model->chat = true;
    return chat != NULL && model_chat_apply(chat, input->text, &model->arena, &input->text, error);
}

/* Says that a model without a tokenizer takes numbers. */
static bool reads_text(const struct cli_model *model, struct error *error)
{
    struct error why = {ERROR_NONE, 0, ""};
    return model_reads_text(model->subject.model, &why) ||
           error_set(error, why.code, "%s --ids takes numbers of tokens instead.", why.text);
}

/* Encodes --text and --text-pair into ids and kinds of sentences. */
static bool read_text(const struct cli_options *options, struct cli_model *model,
                      struct model_request *request, struct error *error)
{
    const struct cli_value *const pair = &options->value[CLI_PAIR];
    struct tokenizer_input input = {.has_pair = pair->given,
                                    .bare = options->value[CLI_SPECIAL].whole == 1};
    struct tokenizer_output output = {.count = 0};
    if (!reads_text(model, error) || !cli_model_text(options, &model->arena, &input.text, error)) {
        return false;
    }
    if (pair->given) {
        if (model_config(model->subject.model)->types < 2) {
            return error_set(error, ERROR_USAGE,
                             "--text-pair is for encoders that tell two sentences apart, such as "
                             "BERT; this model does not.");
        }
        input.pair = (struct bytes){(const uint8_t *)pair->text, strlen(pair->text)};
    }
    if (!encode_message(options, model, &input, error) ||
        !tokenizer_encode_as(model_tokenizer(model->subject.model), &input, &model->arena, &output,
                             error)) {
        return false;
    }
    request->ids = output.ids;
    request->types = output.types;
    request->count = output.count;
    return output.count > 0 || error_set(error, ERROR_USAGE, "The text is empty.");
}

/* Encodes the decoder's input: its start token, then the target without the token that ends it. */
static bool read_target(const struct cli_options *options, struct cli_model *model,
                        struct model_request *request, struct error *error)
{
    const struct cli_value *const ids = &options->value[CLI_TARGET_IDS];
    const struct cli_value *const text = &options->value[CLI_TARGET];
    const struct model_config *const config = model_config(model->subject.model);
    if (!ids->given && !text->given) {
        return true;
    }
    if (!model_has_target(model->subject.model)) {
        return error_set(error, ERROR_USAGE,
                         "--%s is for models that read one text and write another, such as T5; "
                         "this one reads one.",
                         ids->given ? "target-ids" : "target");
    }
    if (ids->given && text->given) {
        return error_set(error, ERROR_USAGE, "Either --target or --target-ids.");
    }
    if (ids->given) {
        return read_ids(ids, "target-ids", &model->arena, &request->target_ids,
                        &request->target_count, error);
    }
    const uint32_t *words = NULL;
    size_t count = 0;
    if (!reads_text(model, error) ||
        !tokenizer_encode(model_tokenizer_of(model->subject.model, MODEL_WRITTEN), text->text,
                          strlen(text->text), &model->arena, &words, &count, error)) {
        return false;
    }
    uint32_t *const room = arena_array(&model->arena, count + 1, sizeof *room);
    if (room == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.");
    }
    count -= count > 0 && words[count - 1] == config->end ? 1 : 0;
    room[0] = (uint32_t)config->start;
    if (count > 0) {
        memcpy(room + 1, words, count * sizeof *room);
    }
    request->target_ids = room;
    request->target_count = count + 1;
    return true;
}

/* Goes on with the text as far as asked. */
static bool generate_tokens(const struct cli_options *options, struct cli_model *model,
                            struct error *error)
{
    const struct cli_value *const value = &options->value[CLI_GENERATE];
    const struct model_config *const config = model_config(model->subject.model);
    if (!value->given) {
        return true;
    }
    if (!model_has_logits(model->subject.model)) {
        return error_set(error, ERROR_USAGE, "The model has no weights that give next words.");
    }
    if (config->bidirectional) {
        return error_set(error, ERROR_USAGE,
                         "--generate is for models that write on; this one fills in masked "
                         "words.");
    }
    return model_run_write(model->subject.run, (size_t)value->whole, error);
}

/* Reads --without, --edge, --set and --patch. */
static bool read_interventions(const struct cli_options *options, struct cli_model *model,
                               struct model_interventions *out, struct error *error)
{
    struct why_wish *const wishes = arena_array(&model->arena, options->wishes + 1, sizeof *wishes);
    for (size_t w = 0; wishes != NULL && w < options->wishes; w++) {
        wishes[w] = (struct why_wish){(enum why_kind)((int)options->wish[w].option - CLI_WITHOUT),
                                      options->wish[w].text};
    }
    return wishes == NULL
               ? error_set(error, ERROR_MEMORY, "There is not enough memory for its tokens.")
               : why_interventions_read(&model->read, wishes, options->wishes, &model->arena, out,
                                        error);
}

bool cli_model_read(const struct cli_options *options, struct cli_model *model, struct error *error)
{
    struct model_request request = {.engine = options->engine};
    const struct cli_value *const ids = &options->value[CLI_IDS];
    if (ids->given && (options->value[CLI_PROMPT].given || options->value[CLI_PAIR].given ||
                       options->value[CLI_TOKENS].given || options->value[CLI_TEXT_FILE].given)) {
        return error_set(error, ERROR_USAGE, "Either a text or --ids.");
    }
    if (ids->given && cli_model_is_chat(options)) {
        return error_set(error, ERROR_USAGE, "--chat is of a text, not of --ids.");
    }
    const bool read = ids->given
                          ? read_ids(ids, "ids", &model->arena, &request.ids, &request.count, error)
                          : read_text(options, model, &request, error);
    if (!read || !read_target(options, model, &request, error)) {
        return false;
    }
    if (model->spot.which == MODEL_SELF && !options->value[CLI_GENERATE].given) {
        request.layers =
            model->spot.layer + 1; /* the others are computed when they are asked for */
    }
    model->read = (struct why_subject){model->subject.model, request,
                                       options->value[CLI_SPECIAL].whole == 1 || model->chat};
    if (!read_interventions(options, model, &request.interventions, error)) {
        return false;
    }
    model->subject.run = model_run_start(model->subject.model, &request, error);
    return model->subject.run != NULL && generate_tokens(options, model, error);
}
