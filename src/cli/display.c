/* cli/display.c — options of how weights are looked at (several queries together, keys set aside,
 * colours, marks), and of how a picture of them looks. */
#include <string.h>

#include "app/actions/startup.h"
#include "base/text.h"
#include "base/translate.h"
#include "cli/calls.h"

static const double BOUND_MIN = 1e-6, BOUND_MAX = 1e6; /* of --range */

static bool find_place(enum cli_option option, const char *text, const struct lab_words *words,
                       size_t *place, struct error *error)
{
    uint64_t number = 0;
    const size_t found = lab_words_find(words, text);
    if (found < lab_words_count(words)) {
        *place = found;
        return true;
    }
    if (!text_to_u64(text, &number) || number < 1 || number > lab_words_count(words)) {
        return error_set(error, ERROR_USAGE,
                         "--%s lists tokens, or numbers from 1 to %zu, with commas between them, "
                         "not \"%.40s\".",
                         cli_option_row(option)->name, lab_words_count(words), text);
    }
    *place = (size_t)number - 1;
    return true;
}

/* Reads a list like "dog,2", which names each place once, in any order. */
static bool read_places(const struct cli_options *options, enum cli_option option,
                        const struct lab_words *words, struct lab_places *places,
                        struct arena *arena, struct error *error)
{
    const struct cli_value *const value = &options->value[option];
    if (!value->given) {
        return true;
    }
    *places = (struct lab_places){0};
    for (const char *at = value->text;; at++) {
        const size_t letters = strcspn(at, ",");
        const char *const text = arena_text(arena, at, letters);
        size_t place = 0;
        if (text == NULL) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory for the options.");
        }
        if (!find_place(option, text, words, &place, error)) {
            return false;
        }
        if (!lab_places_has(places, place) && !lab_places_turn(places, place)) {
            return error_set(error, ERROR_USAGE, "--%s lists at most %d.",
                             cli_option_row(option)->name, LAB_PLACES_MAX);
        }
        at += letters;
        if (*at == '\0') {
            return true;
        }
    }
}

bool cli_read_display_options(const struct cli_options *options, struct cli_context *context,
                              struct error *error)
{
    const struct cli_value *const value = options->value;
    struct lab_experiment *const experiment = &context->experiment;
    struct lab_display *const shown = &context->display;
    if (context->lesson.steps > 0 && context->lesson.step[context->step].has_display) {
        *shown = context->lesson.step[context->step].display;
    }
    shown->lines = shown->lines || value[CLI_LINES].given;
    shown->flow = shown->flow || value[CLI_OVERVIEW].given;
    shown->change = shown->change || value[CLI_CHANGE].given;
    shown->logarithmic =
        value[CLI_COLOURS].given ? value[CLI_COLOURS].whole == 1 : shown->logarithmic;
    shown->discs = value[CLI_CELLS].given ? value[CLI_CELLS].whole == 1 : shown->discs;
    const struct lab_words *const keys =
        experiment->context == NULL ? experiment->tokens : experiment->context;
    bool taken = read_places(options, CLI_QUERIES, experiment->tokens, &shown->queries,
                             &context->arena, error) &&
                 read_places(options, CLI_ASIDE, keys, &shown->aside, &context->arena, error);
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    lab_places_clamp(&shown->queries, sizes.n);
    lab_places_clamp(&shown->aside, sizes.m);
    if (taken && value[CLI_RENORMALISE].given && shown->aside.count > 0) {
        taken = lab_experiment_hide_keys(experiment, shown->aside.place, shown->aside.count, error);
        shown->aside = (struct lab_places){0};
    }
    lab_display_clamp_line(shown, &sizes);
    if (taken && value[CLI_QUERIES].given && !value[CLI_QUERY].given) {
        context->selection.query = shown->queries.place[0];
    }
    return taken;
}

/* ---- the look of a picture ------------------------------------------------------------------- */

/* Reads "AZ,EL,ZOOM". */
static bool read_camera(const char *text, struct view_camera *camera, struct error *error)
{
    float *const places[] = {&camera->azimuth, &camera->elevation, &camera->zoom};
    const char *at = text;
    for (size_t p = 0; p < 3; p++) {
        char number[32] = "";
        const size_t letters = strcspn(at, ",");
        double value = 0;
        const bool fits = letters < sizeof number && (at[letters] == ',') == (p < 2);
        memcpy(number, at, fits ? letters : 0);
        if (!fits || !text_to_double(number, &value) || !(value >= -3600 && value <= 3600)) {
            return error_set(error, ERROR_USAGE,
                             "--camera is azimuth,elevation,zoom, such as 30,20,1, not \"%.40s\".",
                             text);
        }
        *places[p] = (float)value;
        at += letters + 1;
    }
    return (camera->zoom >= 0.05f && camera->zoom <= 50) ||
           error_set(error, ERROR_USAGE, "The zoom of --camera is 0.05 to 50.");
}

/* Reads "LO,HI": of the weights, or of signed numbers, whose 0 stays in the middle. */
static bool read_bounds(const char *text, struct view_cells *cells)
{
    char number[32] = "";
    double low = 0, high = 0;
    const char *const comma = strchr(text, ',');
    const size_t letters = comma == NULL ? sizeof number : (size_t)(comma - text);
    if (letters >= sizeof number) {
        return false;
    }
    memcpy(number, text, letters);
    if (!text_to_double(number, &low) || !text_to_double(comma + 1, &high) || !(low < high) ||
        !(high <= BOUND_MAX) || !(high >= BOUND_MIN)) {
        return false;
    }
    if (low < 0) {
        cells->signed_top = (float)high;
        return low == -high;
    }
    cells->share_low = (float)low;
    cells->share_high = (float)high;
    return cells->share_low < cells->share_high;
}

static bool read_range(const char *text, struct view_state *view, struct error *error)
{
    view->prefs.range_by_content = strcmp(text, "content") == 0;
    return view->prefs.range_by_content || strcmp(text, "auto") == 0 ||
           read_bounds(text, &view->prefs.cells) ||
           error_set(error, ERROR_USAGE,
                     "--range is auto, content, 0,0.5 for weights or -4,4 for signed numbers, not "
                     "\"%.40s\".",
                     text);
}

/* Reads "all", "none" or "largest:5". */
static bool read_numbers(const char *text, struct view_cells *cells, struct error *error)
{
    static const char LARGEST[] = "largest:";
    enum { LARGEST_MAX = 999 };
    const bool counts = strncmp(text, LARGEST, strlen(LARGEST)) == 0;
    uint64_t count = 0;
    cells->values = strcmp(text, "none") == 0 ? VIEW_VALUES_OFF : VIEW_VALUES_ON;
    if (counts && text_to_u64(text + strlen(LARGEST), &count) && count >= 1 &&
        count <= LARGEST_MAX) {
        cells->largest = (size_t)count;
        return true;
    }
    return (!counts && (strcmp(text, "all") == 0 || strcmp(text, "none") == 0)) ||
           error_set(error, ERROR_USAGE,
                     "--numbers is all, none or largest:N with N from 1 to 999, not \"%.40s\".",
                     text);
}

bool cli_check_display(const struct cli_options *options, struct error *error)
{
    const struct cli_value *const value = options->value;
    struct view_state view = {.steps = 0};
    if (value[CLI_FIGURE].given && strcmp(value[CLI_VIEW].text, "window") == 0) {
        return error_set(error, ERROR_USAGE,
                         "The whole window is no figure; --view names a panel of it.");
    }
    if (value[CLI_NUMBERS].given && value[CLI_VALUES].given) {
        return error_set(error, ERROR_USAGE, "Either --numbers or --values says it.");
    }
    if (value[CLI_NUMBERS].given &&
        !read_numbers(value[CLI_NUMBERS].text, &view.prefs.cells, error)) {
        return false;
    }
    return read_range(value[CLI_RANGE].text, &view, error) &&
           (!value[CLI_CAMERA].given ||
            read_camera(value[CLI_CAMERA].text, &view.prefs.camera, error));
}

/* Reads "on", "off", or a text of one's own. */
static void read_words(const char *text, const char **words, bool *left_out)
{
    *left_out = strcmp(text, "off") == 0 || text[0] == '\0';
    *words = *left_out || strcmp(text, "on") == 0 ? NULL : text;
}

/* Returns the title of an axis; NULL: its own; "": none. */
static const char *axis_title_of(const struct cli_value *value)
{
    return strcmp(value->text, "on") == 0    ? NULL
           : strcmp(value->text, "off") == 0 ? ""
                                             : value->text;
}

/* Says which font to install for a language whose letters no font has. */
static void warn_if_mute(const struct cli_options *options, const struct language *language)
{
    struct fonts *const fonts = language->fonts[0] == '\0' ? NULL : fonts_open(NULL);
    if (fonts != NULL && !fonts_speak(fonts, language)) {
        cli_warn(options, "no font on this machine has the letters of %s: install %s",
                 language->english, language->fonts);
    }
    fonts_close(fonts);
}

bool cli_apply_display(const struct cli_options *options, struct app_state *state,
                       struct error *error)
{
    const struct cli_value *const value = options->value;
    if (value[CLI_THEME].given) {
        app_state_set_theme(state, ui_theme_find(value[CLI_THEME].text));
    }
    if (value[CLI_LANGUAGE].given) {
        const struct language *const language = language_find(value[CLI_LANGUAGE].text);
        language_speak(language);
        warn_if_mute(options, language);
    }
    if (value[CLI_COLORMAP].given) {
        const struct colourmap *const map = colourmap_find(value[CLI_COLORMAP].text);
        if (map != NULL && map->kind == COLOURMAP_SIGNED) {
            state->view.prefs.signed_map = map;
        } else if (map != NULL) {
            state->view.prefs.weights_map = map;
        }
    }
    state->view.playback.glide = state->view.playback.arrival =
        1; /* in a still nothing is moving */
    if (value[CLI_PROGRESS].given) {
        state->view.playback.position = (float)value[CLI_PROGRESS].number;
    }
    state->view.prefs.presenter = value[CLI_PRESENTER].given;
    if (value[CLI_MARKS].given || value[CLI_FIGURE].given) {
        state->view.let_go = value[CLI_MARKS].whole != CLI_SWITCH_ON;
    }
    struct view_figure_frame *const frame = &state->view.frame;
    read_words(value[CLI_TITLE].text, &frame->title, &frame->no_title);
    read_words(value[CLI_CAPTION].text, &frame->caption, &frame->no_caption);
    frame->x_title = axis_title_of(&value[CLI_X_TITLE]);
    frame->y_title = axis_title_of(&value[CLI_Y_TITLE]);
    frame->bar_title = value[CLI_BAR_TITLE].text;
    if (value[CLI_STEP_AXIS].given || strcmp(value[CLI_VIEW].text, "training") == 0) {
        state->view.prefs.learn_linear =
            !value[CLI_STEP_AXIS].given || value[CLI_STEP_AXIS].whole == 1;
    }
    frame->look.has_gap = value[CLI_GAP].given;
    frame->look.gap = (float)value[CLI_GAP].number;
    frame->borderless = value[CLI_FIGURE].given;
    frame->no_bar = value[CLI_COLOURBAR].whole != CLI_SWITCH_ON;
    state->view.prefs.cells.values = (enum view_values)value[CLI_VALUES].whole;
    if (value[CLI_NUMBERS].given &&
        !read_numbers(value[CLI_NUMBERS].text, &state->view.prefs.cells, error)) {
        return false;
    }
    state->view.prefs.cells.has_decimals = value[CLI_DECIMALS].given;
    state->view.prefs.cells.decimals = (int)value[CLI_DECIMALS].whole;
    return read_range(value[CLI_RANGE].text, &state->view, error) &&
           (!value[CLI_CAMERA].given ||
            read_camera(value[CLI_CAMERA].text, &state->view.prefs.camera, error));
}
