/* cli/render.c — a picture of an experiment into a file. */
#include <stdlib.h>
#include <string.h>

#include "app/picture.h"
#include "base/text.h"
#include "cli/calls.h"

static const double scale_preset = 2;

static bool check_format(const struct cli_options *options, struct error *error)
{
    const struct cli_value *const format = &options->value[CLI_FORMAT];
    const char *const path = options->value[CLI_OUT].text;
    if (path == NULL) {
        return error_set(error, ERROR_USAGE, "render needs a file to write: -o OUT.png.");
    }
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash == NULL ? path : slash, '.');
    const char *const suffix = format->given ? format->text : dot == NULL ? "" : dot + 1;
    if (strcmp(suffix, "png") == 0 || (suffix[0] == '\0' && strcmp(path, "-") == 0)) {
        return true;
    }
    if (suffix[0] == '\0') {
        return error_set(error, ERROR_USAGE, "\"%.80s\" does not say which format: end it in .png.",
                         path);
    }
    return error_set(error, ERROR_USAGE,
                     "Pictures as \"%.20s\" are not supported in this version; .png is.", suffix);
}

/* "AZ,EL,ZOOM" */
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

static bool take_looks(const struct cli_options *options, struct app_state *state,
                       struct error *error)
{
    const struct cli_value *const value = options->value;
    if (value[CLI_THEME].given) {
        app_state_set_theme(state, ui_theme_find(value[CLI_THEME].text));
    }
    if (value[CLI_COLORMAP].given) {
        const struct colourmap *const map = colourmap_find(value[CLI_COLORMAP].text);
        if (map != NULL && map->kind == COLOURMAP_SIGNED) {
            state->view.signed_map = map;
        } else if (map != NULL) {
            state->view.weights_map = map;
        }
    }
    state->view.moment = (float)value[CLI_PROGRESS].number;
    return !value[CLI_CAMERA].given ||
           read_camera(value[CLI_CAMERA].text, &state->view.camera, error);
}

/* The state the picture is taken of. */
static bool set_up(const struct cli_options *options, const struct cli_asked *asked,
                   struct app_state *state, struct error *error)
{
    app_state_put(state, &asked->experiment);
    if (state->trace == NULL) {
        return error_set(error,
                         state->trouble.code == ERROR_NONE ? ERROR_INPUT : state->trouble.code,
                         "%s", state->trouble.text);
    }
    state->view.stage = asked->stage;
    state->view.pinned = asked->selection;
    return take_looks(options, state, error);
}

static int draw(const struct cli_options *options, const struct cli_asked *asked,
                struct app_state *state)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes png = {NULL, 0};
    const struct cli_value *const size = &options->value[CLI_SIZE];
    const double scale = options->value[CLI_SCALE].number;
    int status = CLI_DONE;
    if (set_up(options, asked, state, &error)) {
        const struct app_picture picture = {
            .state = state,
            .view = options->value[CLI_VIEW].text,
            .width = (float)size->number,
            .height = (float)size->second,
            .scale = (float)(scale > 0 ? scale : scale_preset),
        };
        status = app_picture_png(&picture, &arena, &png, &error)
                     ? cli_write(options->value[CLI_OUT].text, png, true)
                     : cli_fail(&error);
    } else {
        status = cli_fail(&error);
    }
    arena_free(&arena);
    return status;
}

int cli_render(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct cli_asked asked;
    if (!check_format(options, &error) || !cli_experiment(options, "cats", &asked, &error)) {
        return cli_fail(&error);
    }
    int status = CLI_FAILED;
    struct app_state *const state =
        calloc(1, sizeof *state); /* its history is too large for a stack */
    if (state == NULL) {
        error_set(&error, ERROR_MEMORY, "There is not enough memory for a picture.");
        status = cli_fail(&error);
    } else if (!app_state_open(state, NULL, options->value[CLI_ISA].text, &error)) {
        status = cli_fail(&error);
    } else {
        status = draw(options, &asked, state);
        app_state_close(state);
    }
    free(state);
    lab_experiment_release(&asked.experiment);
    return status;
}
