/* cli/experiment.c — a lesson, and the options that change its experiment. */
#include <stdio.h>
#include <string.h>

#include "app/document/session.h"
#include "app/learn/learn.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/calls.h"
#include "cli/learned.h"
#include "cli/subject.h"
#include "file/kinds.h"
#include "learn/weight_rebuilder.h"

/* Says whether no option of the experiment is given: then it is the lesson that opens, at any step.
 * A scale that is a number is the picture's. */
static bool is_plain(const struct cli_options *options)
{
    const bool of_picture = !(options->value[CLI_PARAM(SCALE)].second > 0);
    for (size_t o = 0; o < CLI_ISA; o++) {
        if (options->value[o].given && !(o == CLI_PARAM(SCALE) && of_picture) && o != CLI_STEP) {
            return false;
        }
    }
    return true;
}

/* Reads the file: a lesson, a session, or a picture that has one inside. */
static bool read_lesson(const struct cli_options *options, struct cli_context *context,
                        struct error *error)
{
    const char *const path = options->file;
    struct error reason = {ERROR_NONE, 0, ""};
    struct bytes file, text;
    if (options->opened == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to open it.");
    }
    context->mark = file_handle_mark(options->opened);
    if (!file_kind_check(path, file_handle_kind(options->opened), error) ||
        !file_handle_read(options->opened, LAB_LESSON_BYTES_MAX, &context->arena, &file, error)) {
        return false;
    }
    if (!app_session_find(file, &context->arena, &text, &reason) ||
        !lab_lesson_parse(text, &context->arena, &context->lesson, &reason)) {
        return error_set(error, reason.code, "%.70s: %.120s", path, reason.text);
    }
    context->is_picture = text.at != file.at;
    if (context->lesson.unknown != NULL) {
        cli_warn(options, "%.70s: “%.40s” means nothing to this version", path,
                 context->lesson.unknown);
    }
    return true;
}

static bool open_lesson(const struct cli_options *options, const char *fallback_lesson,
                        struct cli_context *context, struct error *error)
{
    const struct cli_value *const lesson = &options->value[CLI_LESSON];
    const char *const name = lesson->given       ? lesson->text
                             : is_plain(options) ? fallback_lesson
                                                 : NULL;
    size_t index = 0;
    if (options->file != NULL) {
        return lesson->given ? error_set(error, ERROR_USAGE, "Either --lesson or a file.")
                             : read_lesson(options, context, error);
    }
    return name == NULL || !lab_lesson_find(name, &index) ||
           lab_lesson_load(index, &context->arena, &context->lesson, error);
}

/* Trains weights that were learned again, up to the step that is asked for. The window does so
 * itself, where one sees the progress; a picture that cannot be drawn is refused before. */
static bool rebuild_learned_weights(const struct cli_options *options, struct cli_context *context,
                                    struct error *error)
{
    bool other_step = false;
    if (context->experiment.learned == NULL && options->value[CLI_TRAIN_ANYWAY].given) {
        return cli_refuse_training(error);
    }
    if (options->call == CALL_WINDOW || context->experiment.learned == NULL) {
        return cli_learned_session(options, context, &other_step, error);
    }
    const struct cli_value *const stage = &options->value[CLI_STAGE];
    const enum lab_stage drawn =
        stage->given && stage->whole < LAB_STAGES ? (enum lab_stage)stage->whole : context->stage;
    if (options->call == CALL_RENDER && !cli_check_picture(options, drawn, error)) {
        return false;
    }
    if (!cli_learned_session(options, context, &other_step, error)) {
        return false;
    }
    if (other_step) {
        return true;
    }
    context->rebuilder.trains_anyway = options->value[CLI_TRAIN_ANYWAY].given;
    context->rebuilder.saved = cli_learned_saved_weights(options, context);
    return cli_learned_fill_weights(options, &context->rebuilder, &context->experiment, NULL,
                                    error);
}

static bool split_words(const char *text, size_t length, const char *option,
                        const struct lab_words **words, struct error *error)
{
    struct arena arena = {0};
    const char *const *word = NULL;
    const size_t count = text_split(&arena, text, length, &word);
    struct lab_words *const made = count == 0 ? NULL : lab_words_make(word, count, error);
    const bool lacking = arena.lacking;
    const bool empty = count == 0 || (made != NULL && lab_words_count(made) == 0);
    arena_free(&arena);
    if (empty) {
        lab_words_release(made);
        return lacking ? error_set(error, ERROR_MEMORY, "There is not enough memory for words.")
                       : error_set(error, ERROR_USAGE, "--%s holds no word.", option);
    }
    if (made == NULL) {
        return false;
    }
    lab_words_release(*words);
    *words = made;
    return true;
}

static bool read_words_option(const struct cli_options *options, struct lab_experiment *experiment,
                              struct error *error)
{
    const struct cli_value *const tokens = &options->value[CLI_TOKENS];
    const struct cli_value *const file = &options->value[CLI_TEXT_FILE];
    const struct cli_value *const context = &options->value[CLI_PARAM(CONTEXT)];
    if (tokens->given &&
        !split_words(tokens->text, strlen(tokens->text), "tokens", &experiment->tokens, error)) {
        return false;
    }
    if (file->given) {
        struct arena arena = {0};
        struct bytes content = {NULL, 0};
        const bool read = file_read(file->text, CLI_TEXT_BYTES_MAX, &arena, &content, error) &&
                          split_words((const char *)content.at, content.size, "text-file",
                                      &experiment->tokens, error);
        arena_free(&arena);
        if (!read) {
            return false;
        }
    }
    return !context->given || split_words(context->text, strlen(context->text), "context",
                                          &experiment->context, error);
}

bool cli_lesson_experiment(const struct cli_options *options, struct cli_context *context,
                           struct error *error)
{
    const struct cli_value *const number = &options->value[CLI_STEP];
    if (!open_lesson(options, context->fallback, context, error)) {
        return false;
    }
    app_learn_read_lesson(&context->lesson);
    const char *const view = options->value[CLI_VIEW].text;
    const bool asks_word = view != NULL && strcmp(view, "blame") == 0; /* of weights that learn */
    for (int o = CLI_PROMPT; o < CLI_ARRAY; o++) {
        if (options->value[o].given && !(asks_word && o == CLI_WORD)) {
            return error_set(error, ERROR_USAGE, "--%s is for the folder of a model: attnscope %s",
                             cli_option_row((enum cli_option)o)->name,
                             "compute FOLDER --text \"A text.\"");
        }
    }
    if (options->value[CLI_LAYER].whole > 1) {
        return error_set(error, ERROR_USAGE, "--%s is for the folder of a model: attnscope %s",
                         "layer", "compute FOLDER --text \"A text.\"");
    }
    if (context->lesson.steps == 0) {
        return number->given ? error_set(error, ERROR_USAGE, "--step needs --lesson or a file: %s",
                                         "--lesson cats --step 4")
                             : lab_experiment_default(&context->experiment, error) &&
                                   read_words_option(options, &context->experiment, error) &&
                                   rebuild_learned_weights(options, context, error);
    }
    if (number->given && number->whole > context->lesson.steps) {
        return error_set(error, ERROR_USAGE, "--step %s: there are %zu.", number->text,
                         context->lesson.steps);
    }
    context->step = number->given ? (size_t)number->whole - 1 : context->lesson.open;
    const struct lab_step *const step = &context->lesson.step[context->step];
    lab_experiment_copy(&context->experiment, &step->experiment);
    context->stage = step->stage;
    context->selection = step->selection;
    return read_words_option(options, &context->experiment, error) &&
           rebuild_learned_weights(options, context, error);
}

/* Turns a lesson of raw Q, K and V into one of words when embedding or weights are asked for. */
static void drop_raw(struct lab_experiment *experiment)
{
    const struct lab_numbers **const places[] = {&experiment->q, &experiment->k, &experiment->v};
    for (size_t p = 0; p < 3; p++) {
        lab_numbers_release(*places[p]);
        *places[p] = NULL;
    }
}

/* Sets a choice by its name; a name that there is none of is a file, which the last choice stands
 * for. */
static bool set_named_choice(enum lab_param_id id, const char *name,
                             struct lab_experiment *experiment)
{
    const struct lab_param *const param = lab_param_row(id);
    size_t choice = 0;
    while (param->name_at(choice + 1) != NULL && strcmp(param->name_at(choice), name) != 0) {
        choice++;
    }
    lab_param_put(param, experiment, (double)choice);
    return param->name_at(choice + 1) != NULL;
}

static bool read_source_options(const struct cli_options *options,
                                struct lab_experiment *experiment, struct error *error)
{
    const struct cli_value *const embedding = &options->value[CLI_PARAM(EMBEDDING)];
    const struct cli_value *const weights = &options->value[CLI_PARAM(WEIGHTS)];
    const bool raw = options->value[CLI_PARAM(Q)].given || options->value[CLI_PARAM(K)].given ||
                     options->value[CLI_PARAM(V)].given;
    if (raw && (embedding->given || weights->given)) {
        return error_set(error, ERROR_USAGE,
                         "--q, --k and --v stand for embedding and projection: leave --%s out.",
                         embedding->given ? "embedding" : "weights");
    }
    if (raw) {
        return cli_read_raw(options, experiment, error);
    }
    if (embedding->given || weights->given) {
        drop_raw(experiment);
    }
    /* Any other text is the name of a file. */
    const bool is_file[] = {
        embedding->given && !set_named_choice(LAB_PARAM_EMBEDDING, embedding->text, experiment),
        weights->given && !set_named_choice(LAB_PARAM_WEIGHTS, weights->text, experiment)};
    return (!is_file[0] || cli_read_embedding(options, experiment, error)) &&
           (!is_file[1] || cli_read_weights(options, experiment, error));
}

/* Compares the sizes that a file of weights or raw numbers brings with those that were asked
 * for. */
static bool sizes_agree(const struct cli_options *options, const struct lab_experiment *experiment,
                        struct error *error)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const struct {
        enum cli_option option;
        size_t found;
    } given[] = {
        {CLI_PARAM(HEADS), sizes.heads}, {CLI_PARAM(D_K), sizes.d_k}, {CLI_PARAM(D_V), sizes.d_v}};
    for (size_t g = 0; g < sizeof given / sizeof given[0]; g++) {
        const struct cli_value *const value = &options->value[given[g].option];
        if (value->given && value->whole != given[g].found) {
            return error_set(error, ERROR_USAGE,
                             "--%s %s does not fit the numbers given, which have %zu.",
                             cli_option_row(given[g].option)->name, value->text, given[g].found);
        }
    }
    return true;
}

/* Sets a parameter. Whole numbers keep their digits; "on" is the first name of a switch. */
static void set_param(const struct lab_param *param, const struct cli_value *value,
                      struct lab_experiment *experiment)
{
    const bool is_on = value->whole == CLI_SWITCH_ON;
    if (param->type == LAB_TYPE_SEED) {
        *(uint64_t *)lab_param_place(param, experiment) = value->whole;
    } else if (param->type == LAB_TYPE_SWITCH) {
        lab_param_put(param, experiment, is_on != param->inverted);
    } else {
        lab_param_put(param, experiment,
                      param->type == LAB_TYPE_NUMBER ? value->number : (double)value->whole);
    }
}

/* Sets every parameter that is a number, a switch or a choice by name. A scale that is a number is
 * the picture's. */
static void set_params(const struct cli_options *options, struct lab_experiment *experiment)
{
    for (size_t p = 0; p < lab_param_count(); p++) {
        const enum cli_option option = (enum cli_option)(CLI_PARAMS + (int)p);
        const struct cli_value *const value = &options->value[option];
        const enum cli_option_type type = cli_option_row(option)->type;
        if (value->given && (type == CLI_TYPE_SCALE ? value->second > 0 : type != CLI_TYPE_TEXT)) {
            set_param(lab_param_row((enum lab_param_id)p), value, experiment);
        }
    }
}

/* Finds a place counted from 1, or by its word. */
static bool find_place(const struct cli_options *options, enum cli_option option,
                       const struct lab_words *words, size_t *place, struct error *error)
{
    const struct cli_value *const value = &options->value[option];
    uint64_t number = 0;
    if (!value->given) {
        return true;
    }
    const size_t found = lab_words_find(words, value->text);
    if (found < lab_words_count(words)) {
        *place = found;
        return true;
    }
    if (!text_to_u64(value->text, &number) || number < 1 || number > lab_words_count(words)) {
        return error_set(error, ERROR_USAGE,
                         "--%s is a token, or a number from 1 to %zu, not \"%.40s\".",
                         cli_option_row(option)->name, lab_words_count(words), value->text);
    }
    *place = (size_t)number - 1;
    return true;
}

/* "2" counts from 1; "L0H1", as papers write it, from 0 and in the layer that is looked at. */
bool cli_read_head_option(const struct cli_options *options, size_t layer, size_t heads,
                          size_t *head, struct error *error)
{
    const struct cli_value *const value = &options->value[CLI_HEAD];
    char prefix[32];
    uint64_t number = 0;
    if (!value->given) {
        return true;
    }
    snprintf(prefix, sizeof prefix, "L%zuH", layer);
    const bool as_papers = strncmp(value->text, prefix, strlen(prefix)) == 0;
    const bool read = text_to_u64(value->text + (as_papers ? strlen(prefix) : 0), &number);
    number -= read && !as_papers ? 1 : 0; /* 0 becomes larger than any head */
    if (!read || number >= heads) {
        return error_set(error, ERROR_USAGE,
                         "--head is a number from 1 to %zu, or %s0 to %s%zu, not \"%.40s\".", heads,
                         prefix, prefix, heads - 1, value->text);
    }
    *head = (size_t)number;
    return true;
}

static bool read_selection_options(const struct cli_options *options, struct cli_context *context,
                                   struct error *error)
{
    const struct lab_experiment *const experiment = &context->experiment;
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    struct lab_selection *const at = &context->selection;
    if (options->value[CLI_STAGE].given) {
        context->of_block = options->value[CLI_STAGE].whole == LAB_STAGES;
        context->stage =
            context->of_block ? LAB_OUTPUT : (enum lab_stage)options->value[CLI_STAGE].whole;
    }
    if (context->of_block && context->model == NULL) {
        return error_set(error, ERROR_USAGE,
                         "--stage block is for a layer of a model: FILE is its folder.");
    }
    at->query = at->query < sizes.n ? at->query : 0;
    at->key = at->key < sizes.m ? at->key : 0;
    if (context->sizes.one_head) {
        at->head = 0;
    } else if (!cli_read_head_option(options, context->layer, sizes.heads, &at->head, error)) {
        return false;
    }
    return find_place(options, CLI_QUERY, experiment->tokens, &at->query, error) &&
           find_place(options, CLI_KEY,
                      experiment->context == NULL ? experiment->tokens : experiment->context,
                      &at->key, error);
}

/* Refuses a mask that would change given weights, which are not computed anew: it may only explain
 * their zeros. */
static bool mask_fits(const struct cli_options *options, const struct lab_experiment *experiment,
                      struct error *error)
{
    if (!options->value[CLI_PARAM(MASK)].given || experiment->alpha == NULL) {
        return true;
    }
    const size_t *const shape = lab_numbers_shape(experiment->alpha); /* H × n × m */
    const float *const alpha = lab_numbers_values(experiment->alpha);
    const struct lab_mask_rule rule = lab_experiment_mask(experiment);
    for (size_t row = 0; row < shape[0] * shape[1]; row++) {
        for (size_t j = 0; j < shape[2]; j++) {
            const float weight = alpha[row * shape[2] + j];
            if (weight != 0 && !lab_mask_sees(&rule, row % shape[1], j)) {
                return error_set(error, ERROR_USAGE,
                                 "--mask hides keys that have weight here: query %zu gives key %zu "
                                 "%.3g, and weights that are given are not computed anew.",
                                 row % shape[1] + 1, j + 1, (double)weight);
            }
        }
    }
    return true;
}

static bool apply_options(const struct cli_options *options, struct lab_experiment *experiment,
                          struct error *error)
{
    if (!cli_read_variant_options(options, experiment, error)) {
        return false;
    }
    set_params(options, experiment);
    if (!read_source_options(options, experiment, error) ||
        !sizes_agree(options, experiment, error)) {
        return false;
    }
    if (!lab_experiment_check(experiment, error)) {
        /* An impossible experiment means that the call is wrong; one that is too large stays what
         * it is. */
        error->code = error->code == ERROR_INPUT ? ERROR_USAGE : error->code;
        return false;
    }
    return mask_fits(options, experiment, error);
}

static bool read_all_options(const struct cli_options *options, struct cli_context *context,
                             struct error *error)
{
    return apply_options(options, &context->experiment, error) &&
           read_selection_options(options, context, error) &&
           cli_read_display_options(options, context, error);
}

bool cli_experiment(const struct cli_options *options, const char *fallback_lesson,
                    struct cli_context *context, struct error *error)
{
    *context = (struct cli_context){
        .stage = LAB_SCORE, .selection = {.projected = LAB_Q}, .fallback = fallback_lesson};
    if (!cli_learned_check(options, error) ||
        !options->subject->experiment(options, context, error) ||
        !read_all_options(options, context, error) ||
        !cli_check_params(options, &context->experiment, error)) {
        cli_context_release(context);
        return false;
    }
    return true;
}

bool cli_make_layer(const struct cli_options *options, const struct cli_context *context,
                    size_t layer, size_t head, struct lab_experiment *experiment,
                    struct error *error)
{
    const struct subject_spot spot = {(enum model_attention)options->value[CLI_HEADS_OF].whole,
                                      layer, head};
    return subject_compute(&context->subject, &spot, error) &&
           subject_experiment(&context->subject, &spot, NULL, experiment, error);
}

bool cli_context_layer(const struct cli_options *options, const struct cli_context *context,
                       size_t layer, size_t head, struct lab_experiment *experiment,
                       struct error *error)
{
    const bool made = cli_make_layer(options, context, layer, head, experiment, error);
    if (made && !apply_options(options, experiment, error)) {
        lab_experiment_release(experiment);
        return false;
    }
    return made;
}

void cli_context_release(struct cli_context *context)
{
    cli_block_free(context->block);
    cli_model_free(context->model);
    cli_learned_close(context->learned);
    learn_weight_rebuilder_close(&context->rebuilder);
    subject_release(&context->subject);
    lab_experiment_release(&context->experiment);
    lab_lesson_release(&context->lesson);
    arena_free(&context->arena);
}
