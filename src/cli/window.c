/* cli/window.c — what the window opens with: an experiment, or the lesson "cats" and what FILE
 * opens over it. */
#include "cli/window.h"

#include <stdlib.h>
#include <string.h>

#include "app/learn/learn.h"
#include "cli/model.h"
#include "cli/subject.h"

/* ---- an experiment ---- */

/* Fills the experiment of a lesson, a file or options. */
static bool fill_experiment(const struct cli_options *options, struct cli_window *window,
                            struct error *error)
{
    struct cli_context context;
    if (!cli_experiment(options, "cats", &context, error)) {
        return false;
    }
    *window = (struct cli_window){
        .experiment = context.experiment,
        .stage = context.stage,
        .selection = context.selection,
        .step = context.step,
    };
    if (context.lesson.steps > 0) {
        cli_print_verbose(options, "opens %s, step %zu of %zu",
                          options->file == NULL ? context.lesson.name : options->file,
                          context.step + 1, context.lesson.steps);
    }
    /* The experiment goes to the caller, and so does a lesson that was read from a file. */
    context.experiment = (struct lab_experiment){.tokens = NULL};
    if (options->file != NULL && !context.is_model) {
        window->file = (struct app_lesson_file){.path = options->file,
                                                .mark = context.mark,
                                                .is_picture = context.is_picture,
                                                .lesson = context.lesson,
                                                .arena = context.arena};
        context.lesson = (struct lab_lesson){.steps = 0};
        context.arena = (struct arena){0};
    }
    cli_context_release(&context);
    return true;
}

/* Fills a text to learn from, which is opened like a dropped one. */
static bool fill_own_text(const struct cli_options *options, struct cli_window *window,
                          struct error *error)
{
    struct cli_options *const rest = malloc(sizeof *rest);
    if (rest == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to begin.");
    }
    *rest = *options;
    rest->file = NULL;
    cli_choose_subject(rest);
    const bool done = fill_experiment(rest, window, error);
    window->own_text = options->file;
    free(rest);
    return done;
}

static bool is_own_text(const struct cli_options *options)
{
    return options->file != NULL && app_learn_is_text(options->file) &&
           file_handle_kind(options->opened) == FILE_KINDS &&
           file_kind_check(options->file, FILE_KINDS, NULL);
}

/* ---- a file beside the cats ---- */

/* Says whether only a text and a place in FILE are asked for; any other option applies to one of
 * its layers, which is an experiment then. */
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

/* Reads the text, owned by the window; NULL where none is given. */
static bool read_text(const struct cli_options *options, struct cli_window *window,
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

/* Makes the experiment that is shown while the model opens. */
static bool fill_cats(const struct cli_options *options, struct cli_window *window,
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
    cli_choose_subject(&plain);
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

bool cli_model_window(const struct cli_options *options, struct cli_window *window,
                      struct error *error)
{
    window->side = (size_t)options->value[CLI_HEADS_OF].whole;
    window->opened = window->opened != NULL ? window->opened : model_begin(options->opened, error);
    if (window->opened == NULL) {
        return false;
    }
    const struct model_config *const config = model_config(window->opened);
    const bool of_source = window->side == MODEL_ENCODER;
    if (!cli_model_layer(options, of_source ? config->source_layers : config->layers,
                         &window->layer, error) ||
        !cli_read_head_option(options, window->layer, config->heads, &window->head, error)) {
        return false;
    }
    window->model = options->file;
    return read_text(options, window, error);
}

bool cli_window_fill_from_file(const struct cli_options *options, struct cli_window *window,
                               bool *mine, struct error *error)
{
    *mine = options->subject->window != NULL && is_whole(options);
    if (!*mine) {
        return true;
    }
    if (!options->subject->window(options, window, error) || !fill_cats(options, window, error)) {
        cli_window_release(window);
        return false;
    }
    window->staged = options->value[CLI_STAGE].given;
    return true;
}

/* ---- everything ---- */

/* Says whether the options ask more of the text than the window itself reads. */
static bool is_read_here(const struct cli_options *options)
{
    bool asked = false;
    for (enum cli_option o = CLI_PAIR; o <= CLI_CHAT; o++) {
        asked = asked || options->value[o].given;
    }
    return asked;
}

static bool read_more(const struct cli_options *options, struct cli_window *window,
                      struct error *error)
{
    struct cli_model model;
    if (window->model == NULL || window->is_dump || !is_read_here(options)) {
        return true;
    }
    if (!cli_model_open(options, window->opened, &model, error)) {
        return false;
    }
    window->run = model_run_keep(model.subject.run);
    window->chat = cli_model_is_chat(options);
    cli_model_close(&model);
    return true;
}

/* Copies the path of a listed model, because the window outlives the options. */
static bool keep_listed(const struct cli_options *options, struct cli_window *window,
                        struct error *error)
{
    if (window->model != NULL && window->model == options->listed) {
        window->listed = malloc(strlen(options->listed) + 1);
        if (window->listed == NULL) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory to open a model.");
        }
        memcpy(window->listed, options->listed, strlen(options->listed) + 1);
        window->model = window->listed;
    }
    return true;
}

bool cli_window_fill(const struct cli_options *options, struct cli_window *window,
                     struct error *error)
{
    const struct cli_value *const value = options->value;
    bool is_beside = false;
    *window = (struct cli_window){.step = 0};
    if (options->file != NULL && strcmp(options->file, "-") == 0) {
        return error_set(error, ERROR_USAGE, "The window opens files, not standard input.");
    }
    if (is_own_text(options)) {
        if (!fill_own_text(options, window, error)) {
            return false;
        }
    } else if (!cli_window_fill_from_file(options, window, &is_beside, error) ||
               (!is_beside && !fill_experiment(options, window, error))) {
        return false;
    }
    if (is_beside && (!read_more(options, window, error) || !keep_listed(options, window, error))) {
        cli_window_release(window);
        return false;
    }
    window->presenter = value[CLI_PRESENTER].given;
    window->theme = value[CLI_THEME].given ? value[CLI_THEME].text : NULL;
    window->window.language = value[CLI_LANGUAGE].given ? value[CLI_LANGUAGE].text : NULL;
    if (value[CLI_SIZE].given) {
        window->window.width = (int)value[CLI_SIZE].number;
        window->window.height = (int)value[CLI_SIZE].second;
    }
    window->window.ui_scale = (float)value[CLI_PARAM(SCALE)].number;
    window->window.renderer = (enum app_renderer)value[CLI_RENDERER].whole;
    window->engine = options->engine;
    return true;
}

void cli_window_release(struct cli_window *window)
{
    lab_experiment_release(&window->experiment);
    lab_lesson_release(&window->file.lesson);
    arena_free(&window->file.arena);
    lab_engine_close(&window->engine);
    model_run_close(window->run);
    model_close(window->opened);
    lab_dump_close(window->dump);
    free(window->text);
    free(window->listed);
    window->run = NULL;
    window->opened = NULL;
    window->dump = NULL;
    window->text = NULL;
    window->listed = NULL;
}
