/* cli/panels.c — figures of several panels: each is a call of render, with a size and a file that
 * all of them have together. */
#include "cli/panels.h"

#include <stdlib.h>
#include <string.h>

#include "app/draw/panels.h"
#include "base/file.h"
#include "cli/calls.h"
#include "cli/figures.h"
#include "cli/render.h"
#include "cli/style.h"
#include "cli/subject.h"
#include "file/json.h"
#include "lab/run/trace.h"

enum { PANELS_BYTES_MAX = 1 << 20, ARGUMENTS_MAX = 64 };

/* Options of the whole figure: they stand in the call that names the panels, not in those of the
 * panels. */
static const enum cli_option of_figure[] = {
    CLI_OUT,   CLI_SIZE,    CLI_FORMAT,   CLI_LETTERS,  CLI_DPI,        CLI_STYLE,
    CLI_THEME, CLI_TEXT,    CLI_METADATA, CLI_LANGUAGE, CLI_BACKGROUND, CLI_CROP,
    CLI_ISA,   CLI_THREADS, CLI_QUIET,    CLI_VERBOSE,  CLI_FIGURE};

/* Options that make more than one picture, or none. */
static const enum cli_option of_several[] = {
    CLI_PANELS, CLI_AGAINST, CLI_AGAINST_LESSON, CLI_ALL_HEADS, CLI_ALL_LAYERS, CLI_ALL_STAGES,
    CLI_FROM,   CLI_TO,      CLI_FROM_STEP,      CLI_TO_STEP,   CLI_FPS,        CLI_WORKSHEET,
    CLI_HELP};

static bool is_one_of(enum cli_option option, const enum cli_option *options, size_t count)
{
    bool is = false;
    for (size_t o = 0; o < count; o++) {
        is = is || options[o] == option;
    }
    return is;
}

#define IS_ONE_OF(option, options)                                                                 \
    is_one_of((option), (options), sizeof(options) / sizeof *(options))

bool cli_has_panels(const struct cli_options *options)
{
    const struct cli_value *const value = options->value;
    return value[CLI_PANELS].given || value[CLI_AGAINST].given || value[CLI_AGAINST_LESSON].given;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Returns the letter of a panel that has none of its own: "a", "b" and so on. */
static const char *letter_at(size_t panel, struct arena *arena)
{
    return arena_format(arena, "%c", (int)('a' + panel));
}

static bool refuse_panel(const char *name, size_t panel, const char *what, struct error *error)
{
    return error_set(error, ERROR_INPUT, "%.60s: panel %zu %s.", name, panel + 1, what);
}

static bool read_call(const struct json *call, struct cli_panel_call *panel, struct arena *arena)
{
    static char program[] = "render", figure[] = "--figure";
    const size_t count = json_count(call);
    if (json_kind_of(call) != JSON_KIND_ARRAY || count > ARGUMENTS_MAX) {
        return false;
    }
    panel->argument = arena_array(arena, count + 2, sizeof *panel->argument);
    if (panel->argument == NULL) {
        return false;
    }
    panel->argument[0] = program;
    panel->argument[1] = figure;
    panel->arguments = (int)count + 2;
    for (size_t a = 0; a < count; a++) {
        const char *text = NULL;
        if (!json_text(json_element(call, a), &text)) {
            return false;
        }
        panel->argument[a + 2] = arena_text(arena, text, strlen(text));
        if (panel->argument[a + 2] == NULL) {
            return false;
        }
    }
    return true;
}

static bool read_panel(const struct json *json, const char *name, size_t index,
                       struct cli_panel_list *list, struct error *error)
{
    struct cli_panel_call *const panel = &list->panel[index];
    const struct json *const letter = json_member(json, "letter");
    const char *text = NULL;
    void *place = NULL;
    const char *key = NULL;
    if (json_kind_of(json) != JSON_KIND_OBJECT) {
        return refuse_panel(name, index, "must be an object: {\"call\": [\"--lesson\", \"cats\"]}",
                            error);
    }
    while (json_next_member(json, &place, &key) != NULL) {
        if (strcmp(key, "letter") != 0 && strcmp(key, "call") != 0) {
            return error_set(error, ERROR_INPUT,
                             "%.60s: panel %zu has letter and call, no \"%.30s\".", name, index + 1,
                             key);
        }
    }
    if (letter != NULL && !json_text(letter, &text)) {
        return refuse_panel(name, index, "has a \"letter\" that is no text", error);
    }
    panel->letter = letter == NULL    ? letter_at(index, &list->arena)
                    : text[0] == '\0' ? NULL
                                      : arena_text(&list->arena, text, strlen(text));
    return read_call(json_member(json, "call"), panel, &list->arena) ||
           refuse_panel(name, index,
                        "needs a \"call\": a list of texts, as render takes them: [\"--lesson\", "
                        "\"cats\", \"--view\", \"matrix\"]",
                        error);
}

static bool read_list(const struct json *tree, const char *name, struct cli_panel_list *list,
                      struct error *error)
{
    static const char *const members[] = {"columns", "panels", "scales"};
    const struct json *const panels = json_member(tree, "panels");
    const struct json *const columns = json_member(tree, "columns");
    const struct json *const scales = json_member(tree, "scales");
    const size_t count = json_count(panels);
    int64_t whole = (int64_t)count;
    const char *key = NULL, *text = "shared";
    void *place = NULL;
    while (json_next_member(tree, &place, &key) != NULL) {
        size_t m = 0;
        while (m < sizeof members / sizeof *members && strcmp(members[m], key) != 0) {
            m++;
        }
        if (m == sizeof members / sizeof *members) {
            return error_set(error, ERROR_INPUT,
                             "%.60s: a figure has columns, panels and scales, no \"%.30s\".", name,
                             key);
        }
    }
    if (json_kind_of(panels) != JSON_KIND_ARRAY || count < 1 || count > APP_PANELS_MAX) {
        return error_set(error, ERROR_INPUT,
                         "%.60s: \"panels\" must be a list of 1 to %d panels: {\"panels\": "
                         "[{\"call\": [\"--lesson\", \"cats\"]}]}.",
                         name, APP_PANELS_MAX);
    }
    if (columns != NULL &&
        (!json_whole_number(columns, &whole) || whole < 1 || whole > APP_PANELS_MAX)) {
        return error_set(error, ERROR_INPUT,
                         "%.60s: \"columns\" must be a whole number from 1 to %d.", name,
                         APP_PANELS_MAX);
    }
    if (scales != NULL &&
        (!json_text(scales, &text) || (strcmp(text, "shared") != 0 && strcmp(text, "own") != 0))) {
        return error_set(error, ERROR_INPUT, "%.60s: \"scales\" must be \"shared\" or \"own\".",
                         name);
    }
    list->own_scales = strcmp(text, "own") == 0;
    list->columns = (size_t)whole;
    list->panel = arena_array(&list->arena, count, sizeof *list->panel);
    if (list->panel == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the panels.");
    }
    for (list->count = 0; list->count < count; list->count++) {
        list->panel[list->count] = (struct cli_panel_call){0};
        if (!read_panel(json_element(panels, list->count), name, list->count, list, error)) {
            return false;
        }
    }
    return true;
}

bool cli_panels_parse(struct bytes text, const char *name, struct cli_panel_list *list,
                      struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    struct json *const tree = json_parse(text, &reason);
    *list = (struct cli_panel_list){0};
    const bool reads = tree == NULL ? error_set(error, reason.code, "%.60s: %s", name, reason.text)
                                    : read_list(tree, name, list, error);
    json_release(tree);
    if (!reads) {
        cli_panels_release(list);
    }
    return reads;
}

void cli_panels_release(struct cli_panel_list *list)
{
    arena_free(&list->arena);
    *list = (struct cli_panel_list){0};
}

/* ---- the calls ------------------------------------------------------------------------------- */

/* A panel while it is drawn. */
struct panel {
    struct cli_options options;
    struct cli_scene scene;
    const char *letter;
};

/* A figure while it is drawn. */
struct figure {
    const struct cli_options *options; /* of the whole */
    struct cli_style style;
    struct panel *panel;
    size_t count, columns;
    bool own_scales;
    struct view_state difference; /* the third of A, B and A − B */
    bool compares;
    struct arena arena, kept; /* kept: of the file's texts */
};

/* Puts the panel before a sentence about it. */
static bool name_panel(const char *letter, struct error *error)
{
    const struct error reason = *error;
    return error_set(error, reason.code, "Panel %.12s: %s", letter, reason.text);
}

/* Sets what is of the whole figure in the options of a panel. */
static void take_figure_options(const struct cli_options *whole, struct cli_options *options)
{
    static const enum cli_option taken[] = {CLI_THEME, CLI_LANGUAGE, CLI_QUIET, CLI_VERBOSE};
    for (size_t t = 0; t < sizeof taken / sizeof *taken; t++) {
        options->value[taken[t]] = whole->value[taken[t]];
    }
    options->engine = whole->engine;
}

/* Refuses options of the whole figure, and of several pictures, in the call of a panel. */
static bool check_call(const struct cli_options *options, struct error *error)
{
    for (size_t o = 0; o < CLI_OPTIONS; o++) {
        const enum cli_option option = (enum cli_option)o;
        const char *const dashes = cli_option_dashes(option);
        if (!options->value[o].given || option == CLI_FIGURE) {
            continue;
        }
        if (IS_ONE_OF(option, of_figure)) {
            return error_set(error, ERROR_USAGE,
                             "%s%s is of the whole figure: it stands beside --panels.", dashes,
                             cli_option_row(option)->name);
        }
        if (IS_ONE_OF(option, of_several)) {
            return error_set(error, ERROR_USAGE,
                             "%s%s makes more than one picture, and a panel is one.", dashes,
                             cli_option_row(option)->name);
        }
    }
    return !(options->value[CLI_PARAM(SCALE)].number > 0) ||
           error_set(error, ERROR_USAGE,
                     "--scale as a number is of the whole figure: it stands beside --panels.");
}

/* Refuses options of panels beside --panels. */
static bool check_whole(const struct cli_options *options, struct error *error)
{
    if (options->file != NULL) {
        return error_set(error, ERROR_USAGE,
                         "%.60s changes nothing beside --panels: each call there names its file.",
                         options->file);
    }
    for (size_t o = 0; o < CLI_OPTIONS; o++) {
        const enum cli_option option = (enum cli_option)o;
        const bool is_scale = option == CLI_PARAM(SCALE) && !(options->value[option].second > 0);
        if (options->value[o].given && option != CLI_PANELS && !is_scale &&
            !IS_ONE_OF(option, of_figure)) {
            return error_set(error, ERROR_USAGE,
                             "%s%s changes nothing beside --panels: each call there says what it "
                             "draws.",
                             cli_option_dashes(option), cli_option_row(option)->name);
        }
    }
    return true;
}

static bool make_panels(struct figure *figure, size_t count, struct error *error)
{
    figure->panel = calloc(count, sizeof *figure->panel);
    figure->count = figure->panel == NULL ? 0 : count;
    return figure->panel != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for the panels.");
}

static bool open_scene(struct figure *figure, struct panel *panel, struct error *error)
{
    panel->scene.options = &panel->options;
    panel->scene.style = &figure->style;
    return cli_check_display(&panel->options, error) && cli_scene_read(&panel->scene, error) &&
           cli_scene_prepare(&panel->scene, error);
}

static bool open_call(struct figure *figure, struct panel *panel, const struct cli_panel_call *call,
                      struct error *error)
{
    struct cli_options *const options = &panel->options;
    panel->letter = call->letter;
    if (!cli_options_read(options, CALL_RENDER, call->arguments, call->argument, 1, error)) {
        return false;
    }
    if (!check_call(options, error)) {
        return false;
    }
    take_figure_options(figure->options, options);
    return cli_options_resolve(options, error) && open_scene(figure, panel, error);
}

static bool open_file(struct figure *figure, struct error *error)
{
    struct bytes text = {NULL, 0};
    struct cli_panel_list list;
    const char *const name = figure->options->value[CLI_PANELS].text;
    if (!check_whole(figure->options, error) ||
        !file_read(name, PANELS_BYTES_MAX, &figure->arena, &text, error) ||
        !cli_panels_parse(text, name, &list, error)) {
        return false;
    }
    bool opens = make_panels(figure, list.count, error);
    figure->columns = list.columns;
    figure->own_scales = list.own_scales;
    for (size_t p = 0; opens && p < list.count; p++) {
        opens = open_call(figure, &figure->panel[p], &list.panel[p], error) ||
                name_panel(list.panel[p].letter != NULL ? list.panel[p].letter
                                                        : letter_at(p, &figure->arena),
                           error);
    }
    figure->kept = list.arena;
    return opens;
}

/* B is a file or a lesson as it is: what the call says of the experiment is of A, as is a step of
 * training, but for the words of a file of attention or a model, and which of its arrays it is. */
static bool read_other(const struct cli_options *whole, struct cli_options *options,
                       struct error *error)
{
    struct cli_value none[CLI_OPTIONS];
    *options = *whole;
    options->file = whole->value[CLI_AGAINST].text;
    if (whole->value[CLI_AGAINST_LESSON].given) {
        options->file = NULL;
    }
    cli_resolve_model_folder(options);
    cli_choose_subject(options);
    const bool has_words = options->subject->reads_text || options->subject->has_arrays;
    static char program[] = "render";
    char *arguments[] = {program, NULL};
    struct cli_options presets;
    if (!cli_options_read(&presets, CALL_RENDER, 1, arguments, 1, error)) {
        return false;
    }
    memcpy(none, presets.value, sizeof none);
    for (size_t o = 0; o < CLI_ISA; o++) {
        const bool is_words = o >= CLI_TOKENS && o < CLI_PARAMS;
        const bool is_tokens = o == (size_t)CLI_PARAM(CONTEXT);
        if (!(has_words && (is_words || is_tokens))) {
            options->value[o] = none[o];
        }
    }
    options->value[CLI_STEP_OF_TRAINING] = none[CLI_STEP_OF_TRAINING];
    if (whole->value[CLI_AGAINST_LESSON].given) {
        options->value[CLI_LESSON] = whole->value[CLI_AGAINST_LESSON];
    }
    return cli_options_resolve(options, error);
}

static bool open_comparison(struct figure *figure, struct error *error)
{
    enum { SIDES = 2 };
    const struct cli_options *const whole = figure->options;
    static const char *const letters[] = {"A", "B"};
    if (whole->value[CLI_AGAINST].given && whole->value[CLI_AGAINST_LESSON].given) {
        return error_set(error, ERROR_USAGE,
                         "Either --against or --against-lesson says what B is.");
    }
    if (!make_panels(figure, SIDES, error)) {
        return false;
    }
    figure->columns = SIDES + 1;
    for (size_t p = 0; p < SIDES; p++) {
        struct panel *const panel = &figure->panel[p];
        panel->letter = letters[p];
        panel->options = *whole;
        if ((p == 1 && !read_other(whole, &panel->options, error)) ||
            !open_scene(figure, panel, error)) {
            return p > 0 && name_panel(letters[p], error); /* A is the call itself */
        }
    }
    figure->compares = true;
    return true;
}

/* ---- the figure ------------------------------------------------------------------------------ */

/* Refuses two matrices of different shapes. */
static bool refuse_shapes(const struct figure *figure, struct error *error)
{
    struct lab_sizes sizes[2];
    for (size_t p = 0; p < 2; p++) {
        sizes[p] = lab_trace_sizes(figure->panel[p].scene.state->document.trace);
    }
    return error_set(
        error, ERROR_INPUT,
        "A is of %zu × %zu tokens and B of %zu × %zu: two matrices of different shapes "
        "have no difference; --panels draws them side by side.",
        sizes[0].n, sizes[0].m, sizes[1].n, sizes[1].m);
}

static const char *source_of(const struct panel *panel, struct arena *arena)
{
    const struct cli_context *const context = &panel->scene.context;
    return cli_source_text(&panel->options, context, panel->scene.state->document.experiment.layer,
                           context->sizes.one_head ? context->head : context->selection.head,
                           arena);
}

static bool fill_panels(struct figure *figure, struct app_panel panels[APP_PANELS_MAX],
                        size_t *count, struct error *error)
{
    *count = figure->count;
    for (size_t p = 0; p < figure->count; p++) {
        const struct panel *const panel = &figure->panel[p];
        panels[p] = (struct app_panel){.figure = {.scene = app_state_scene(panel->scene.state),
                                                  .view = panel->options.value[CLI_VIEW].text,
                                                  .source = source_of(panel, &figure->arena)},
                                       .letter = panel->letter,
                                       .own_scale = figure->own_scales};
    }
    if (figure->compares) {
        const struct app_figure a = panels[0].figure, b = panels[1].figure;
        *count = app_panels_compare(&a, &b, panels, &figure->difference);
    }
    return !figure->compares || *count == APP_COMPARED || refuse_shapes(figure, error);
}

/* Writes the two sides of a comparison as a page, one after the other. */
static bool write_page(const struct figure *figure, struct app_figure_renderer *renderer,
                       struct arena *arena, struct bytes *content, struct error *error)
{
    static const char *const names[] = {"A", "B"};
    const struct lab_trace *trace[2];
    for (size_t p = 0; p < 2; p++) {
        trace[p] = figure->panel[p].scene.state->document.trace;
    }
    const struct app_page_layers sides = {.trace = trace, .count = 2, .name = names};
    const struct app_figure page = {.scene = app_state_scene(figure->panel[0].scene.state),
                                    .view = figure->options->value[CLI_VIEW].text,
                                    .format = render_format_find("html"),
                                    .layers = &sides};
    return app_figure_renderer_print(renderer, &page, arena, content, error);
}

static int write_figures(struct figure *figure, const struct cli_figures *figures)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct app_panel panel[APP_PANELS_MAX];
    struct app_panels panels = {.panel = panel, .columns = figure->columns};
    struct app_figure_renderer *const renderer = app_figure_renderer_open(&error);
    int status =
        renderer != NULL && fill_panels(figure, panel, &panels.count, &error) &&
                cli_style_use_fonts(&figure->style, renderer, &error) &&
                cli_choose_figure(figure->options, figures, &figure->style, &panels.figure, &error)
            ? CLI_DONE
            : cli_fail(&error);
    for (size_t f = 0; status == CLI_DONE && f < figures->count; f++) {
        const struct cli_figure *const file = &figures->figure[f];
        struct bytes content = {NULL, 0};
        size_t failed = panels.count;
        panels.figure.format = file->format;
        if (!(file->format->is_page ? write_page(figure, renderer, &figure->arena, &content, &error)
                                    : app_panels_print(renderer, &panels, &figure->arena, &content,
                                                       &failed, &error))) {
            if (failed < panels.count && panel[failed].letter != NULL) {
                name_panel(panel[failed].letter, &error);
            }
            status = cli_fail(&error);
        } else {
            status = cli_write_file(file->name, content, !file->format->is_text);
        }
    }
    if (status == CLI_DONE) {
        cli_warn_of_letters(figure->options, renderer);
    }
    for (size_t p = 0; status == CLI_DONE && p < figure->count; p++) {
        cli_print_shown_head(&figure->panel[p].options, &figure->panel[p].scene.context);
    }
    app_figure_renderer_close(renderer);
    return status;
}

/* A figure is a still picture with a name of its own; a page takes the sides of a comparison. */
static bool check_files(const struct cli_options *options, const struct cli_figures *figures,
                        struct error *error)
{
    for (size_t f = 0; f < figures->count; f++) {
        if (figures->figure[f].moves) {
            return error_set(error, ERROR_USAGE,
                             "A figure of panels does not move: \"%.60s\" should end in .svg, .pdf "
                             "or .png.",
                             figures->figure[f].name);
        }
        if (figures->figure[f].format->is_page && options->value[CLI_PANELS].given) {
            return error_set(error, ERROR_USAGE,
                             "A page shows one experiment, not panels: \"%.60s\" should end in "
                             ".svg, .pdf or .png.",
                             figures->figure[f].name);
        }
        if (strchr(figures->figure[f].name, '{') != NULL) {
            return error_set(error, ERROR_USAGE,
                             "A figure of panels is one picture: \"%.60s\" needs no braces.",
                             figures->figure[f].name);
        }
    }
    return true;
}

int cli_render_panels(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_figures figures;
    struct figure figure = {.options = options};
    const bool opens = cli_figures_read(options, &figures, &error) &&
                       check_files(options, &figures, &error) &&
                       cli_style_read(options, &figure.style, &error) &&
                       (options->value[CLI_PANELS].given ? open_file(&figure, &error)
                                                         : open_comparison(&figure, &error));
    const int status = opens ? write_figures(&figure, &figures) : cli_fail(&error);
    for (size_t p = 0; p < figure.count; p++) {
        struct file_handle *const opened = figure.panel[p].options.opened;
        cli_scene_close(&figure.panel[p].scene);
        file_handle_release(opened == options->opened ? NULL : opened); /* A is the call's own */
    }
    free(figure.panel);
    cli_style_release(&figure.style);
    arena_free(&figure.arena);
    arena_free(&figure.kept);
    return status;
}
