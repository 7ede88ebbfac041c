/* cli/idle.c — options whose effect depends on what a picture shows: one that leaves this picture
 * as it is without it is an error that says where it works. */
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

static const struct row {
    enum cli_option option;
    void (*leave_out)(struct view_state *view);
    const char *why;
} rows[] = {
    {CLI_PROGRESS, end_play,
     "what it shows does not move at this stage; it is for --view stage, space and window."},
    {CLI_ASIDE, forget_aside,
     "no weights are seen in it; it is for softmax, for blend, and for heads and head."},
    {CLI_PRESENTER, leave_presenter, "it has no captions and no controls; it is for the window."},
};

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
        rows[r].leave_out(&view);
        other.scene.view = &view;
        if (!options->value[rows[r].option].given || options->value[CLI_RENORMALISE].given) {
            continue;
        }
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
