/* app/draw/figure_internal.h — inside of the room: what a picture alone and a figure of panels
 * share. */
#ifndef APP_DRAW_FIGURE_INTERNAL_H
#define APP_DRAW_FIGURE_INTERNAL_H

#include "app/draw/figure.h"
#include "app/draw/frame.h"
#include "app/draw/panels.h"

struct app_figure_renderer {
    struct fonts *fonts;
    struct app_frame *frame;
    struct canvas *part; /* of the last picture, cropped; NULL: it is whole */
    struct render_cairo *player;
};

/* The scene of a picture in a file: nothing is hovered, asked or said in it. */
void figure_prepare_scene(const struct app_figure *picture, const struct ui_theme *theme,
                          struct app_scene *scene, struct view_state *view);

/* Refuses a white page under light letters. */
bool figure_check_ground(const struct app_figure *picture, struct error *error);

/* The theme of a picture, on the ground that it asks for. */
struct ui_theme figure_theme(const struct app_figure *picture, bool is_window, bool on_panel);

/* Says whether it shows why a model says a word, of which there is something to tell. */
bool figure_is_of_why(const struct app_figure *picture);

/* The alternative text of what was drawn, owned by the arena; NULL: no memory. */
const char *figure_describe(const struct app_figure *picture, const struct canvas *canvas,
                            struct arena *arena);

/* Draws the panels as renderer->part; *theme is that of their page. As app_panels_print. */
bool figure_draw_panels(struct app_figure_renderer *renderer, const struct app_panels *panels,
                        struct ui_theme *theme, size_t *failed, struct error *error);

/* The alternative text of all panels, owned by the arena; NULL: no memory. */
const char *figure_describe_panels(const struct app_panels *panels, const struct canvas *canvas,
                                   struct arena *arena);

#endif
