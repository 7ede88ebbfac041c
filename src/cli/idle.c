/* cli/idle.c — options whose effect depends on what a picture shows: one that changes nothing in
 * this picture is an error that says where it works. */
#include <string.h>

#include "cli/render.h"

static void end_play(struct view_state *view)
{
    view->playback.position = 1;
}

static void forget_aside(struct view_state *view)
{
    view->prefs.display.aside = (struct lab_places){0};
}

static void leave_presenter(struct view_state *view)
{
    view->prefs.presenter = false;
}

static void leave_flow(struct view_state *view)
{
    view->prefs.display.flow = false;
}

static void select_other_query(struct view_state *view)
{
    view->pinned.query = view->pinned.query == 0 ? 1 : 0;
}

static void select_other_key(struct view_state *view)
{
    view->pinned.key = view->pinned.key == 0 ? 1 : 0;
}

static void turn_camera(struct view_state *view)
{
    view->prefs.camera.azimuth += 45;
}

static void show_bar(struct view_state *view)
{
    view->frame.no_bar = false;
}

static void turn_axis(struct view_state *view)
{
    view->prefs.learn_linear = !view->prefs.learn_linear;
}

static void turn_marks(struct view_state *view)
{
    view->let_go = !view->let_go;
}

static const struct row {
    enum cli_option option;
    const char
        *view; /* that alone may not show it, as a window of a model has no stage; NULL: any */
    void (*leave_out)(struct view_state *view);
    const char *why;
} rows[] = {
    {CLI_PROGRESS, NULL, end_play,
     "what it shows does not move at this stage; it is for --view stage, space and window."},
    {CLI_ASIDE, NULL, forget_aside,
     "no weights are seen in it; it is for softmax, for blend, and for heads and head."},
    {CLI_PRESENTER, NULL, leave_presenter,
     "it has no captions and no controls; it is for the window."},
    {CLI_OVERVIEW, "window", leave_flow, "there is no stage in it; it is for --view stage."},
    {CLI_QUERY, "window", select_other_query, "no query is seen in it; it is for --view stage."},
    {CLI_KEY, "window", select_other_key, "no key is seen in it; it is for --view stage."},
    {CLI_CAMERA, "window", turn_camera, "nothing in it is 3-D; it is for --view space."},
    {CLI_COLOURBAR, "window", show_bar, "it has no bar; it is for --view heads and matrix."},
    {CLI_STEP_AXIS, "window", turn_axis, "no weights learn in it; it is for --view training."},
    {CLI_MARKS, "training", turn_marks,
     "nothing in it is marked; it is for curves up to a step before the last."},
};

/* An option that names its default is taken everywhere. */
static bool is_asked(const struct row *row, const struct cli_options *options, const char *view)
{
    const struct cli_value *const value = &options->value[row->option];
    const char *const preset = cli_option_row(row->option)->preset;
    const bool is_preset =
        preset != NULL && value->text != NULL && strcmp(value->text, preset) == 0;
    return value->given && !is_preset && !options->value[CLI_RENORMALISE].given &&
           (row->view == NULL || strcmp(row->view, view) == 0);
}

/* The picture as SVG, without what lies in it beside the drawing. */
static bool print_bare(struct app_figure_renderer *renderer, struct app_figure picture,
                       struct arena *arena, struct bytes *svg, struct error *error)
{
    picture.format = render_format_find("svg");
    picture.describes = false;
    picture.experiment = NULL;
    return app_figure_renderer_print(renderer, &picture, arena, svg, error);
}

bool cli_check_idle(const struct cli_options *options, struct app_figure_renderer *renderer,
                    const struct app_figure *picture, struct error *error)
{
    struct arena arena = {0};
    struct bytes with = {0}, without = {0};
    bool works = true;
    for (size_t r = 0; works && r < sizeof rows / sizeof *rows; r++) {
        struct view_state view = *picture->scene.view;
        struct app_figure other = *picture;
        struct error fault = {0};
        if (!is_asked(&rows[r], options, picture->view)) {
            continue;
        }
        rows[r].leave_out(&view);
        other.scene.view = &view;
        const bool drawn = print_bare(renderer, *picture, &arena, &with, &fault) &&
                           print_bare(renderer, other, &arena, &without, &fault);
        works = !drawn || with.size != without.size || memcmp(with.at, without.at, with.size) != 0;
        if (!works) {
            error_set(error, ERROR_USAGE, "--%s changes nothing in this picture: %s",
                      cli_option_row(rows[r].option)->name, rows[r].why);
        }
    }
    arena_free(&arena);
    return works;
}
