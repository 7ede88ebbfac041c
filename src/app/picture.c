#include "app/picture.h"

#include "app/frame.h"
#include "canvas/play.h"

/* What the status line says in a file: the same on every machine and at every time. */
static const char PICTURE_NOTE[] = "attnscope";

static bool play(const struct app_picture *picture, struct fonts *fonts, struct arena *arena,
                 struct bytes *png, struct error *error)
{
    const char *name = picture->view != NULL ? picture->view : "window";
    const struct view_picture *row = view_picture_find(name);
    if (row == NULL) {
        return error_set(error, ERROR_USAGE, "There is no picture called %s.", name);
    }
    struct app_frame *frame = app_frame_open(fonts, error);
    struct play_cairo *player = frame != NULL ? play_cairo_open(fonts, error) : NULL;
    bool drawn = false;
    if (player != NULL) {
        struct app_state state = *picture->state;
        state.view.isa_note = PICTURE_NOTE;
        state.view.message = NULL;
        state.view.hovered_parts = 0;
        app_frame_picture(frame, &state, row, picture->width, picture->height, picture->scale);
        const struct colour ground = state.theme->ground;
        drawn = play_cairo_png(player, app_frame_canvas(frame), picture->scale, &ground, arena, png,
                               error);
    }
    play_cairo_close(player);
    app_frame_close(frame);
    return drawn;
}

bool app_picture_png(const struct app_picture *picture, struct arena *arena, struct bytes *png,
                     struct error *error)
{
    struct fonts *fonts = fonts_open(error);
    if (fonts == NULL) {
        return false;
    }
    const bool drawn = play(picture, fonts, arena, png, error);
    fonts_close(fonts);
    return drawn;
}
