/* The ground grid and the axes. */
#include <math.h>
#include <string.h>

#include "view/space/space.h"

enum { GRID_LINES_MOST = 24 };

static void draw_piece(struct space *space, const float from[3], const float to[3], float width,
                       struct colour colour)
{
    const struct view_spot a = view_lens_see(&space->lens, from),
                           b = view_lens_see(&space->lens, to);
    canvas_line(space->view->ui->canvas, a.x, a.y, b.x, b.y, width, colour);
}

/* The lines of the grid that run along `side` 1 − side's axis. */
static void draw_family(struct space *space, size_t side, struct colour colour)
{
    const struct space_grid *grid = &space->grid;
    const size_t axes[2] = {grid->across, grid->along};
    const float first = grid->low[side], last = grid->high[side];
    for (size_t i = 0; i <= GRID_LINES_MOST; i++) {
        const float stands = first + grid->step * (float)i;
        if (stands > last + grid->step * 0.01f) {
            return;
        }
        float from[SPACE_AXES], to[SPACE_AXES];
        memcpy(from, space->origin, sizeof from);
        memcpy(to, space->origin, sizeof to);
        from[axes[side]] = to[axes[side]] = stands;
        from[axes[1 - side]] = grid->low[1 - side];
        to[axes[1 - side]] = grid->high[1 - side];
        draw_piece(space, from, to, 1, colour);
    }
}

/* Ticks of a line: short strokes across it at every step. */
static void draw_ticks(struct space *space, struct colour colour)
{
    const struct space_grid *grid = &space->grid;
    const float half = space->ball.radius * 0.02f;
    for (size_t i = 0; i <= GRID_LINES_MOST; i++) {
        const float stands = grid->low[0] + grid->step * (float)i;
        if (stands > grid->high[0] + grid->step * 0.01f) {
            return;
        }
        float from[SPACE_AXES] = {stands, space->origin[1] - half, space->origin[2]};
        float to[SPACE_AXES] = {stands, space->origin[1] + half, space->origin[2]};
        draw_piece(space, from, to, 1, colour);
    }
}

void space_draw_ground(struct space *space)
{
    const struct ui_theme *theme = space->view->ui->theme;
    struct canvas *canvas = space->view->ui->canvas;
    const struct colour colour = colour_mix(theme->panel, theme->line, 0.85f);
    canvas_group(canvas, ui_id(space->view->ui, "ground"), "ground");
    if (space->dimensions > 1) {
        draw_family(space, 0, colour);
        draw_family(space, 1, colour);
    } else {
        draw_ticks(space, theme->faint);
    }
    canvas_ungroup(canvas);
}

void space_draw_axes(struct space *space)
{
    struct view *view = space->view;
    const struct ui_theme *theme = view->ui->theme;
    const struct colour ink = colour_fade(theme->muted, 0.4f + 0.6f * space->axes_fade);
    canvas_group(view->ui->canvas, ui_id(view->ui, "axes"), "axes");
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        float end[SPACE_AXES], back[SPACE_AXES];
        memcpy(end, space->origin, sizeof end);
        memcpy(back, space->origin, sizeof back);
        end[axis] += space->axis_length[axis];
        back[axis] = space->dimensions == 1 ? space->grid.low[0] : space->low[axis];
        draw_piece(space, space->origin, back, 1, colour_fade(ink, 0.4f));
        draw_piece(space, space->origin, end, 1.4f, ink);
        const struct view_spot from = view_lens_see(&space->lens, space->origin);
        const struct view_spot to = view_lens_see(&space->lens, end);
        const struct view_spot behind = view_lens_see(&space->lens, back);
        space_add_segment(space, from.x, from.y, to.x, to.y, 9);
        space_add_segment(space, from.x, from.y, behind.x, behind.y, 4);
        if (!space_sees(space, to.x, to.y, 0)) {
            continue;
        }
        space_add_label(space, &(struct space_label){.word = space->axis[axis],
                                                     .name = "axis in space",
                                                     .colour = theme->muted,
                                                     .face = FONT_WORDS,
                                                     .size = UI_TEXT_TINY,
                                                     .x = to.x,
                                                     .y = to.y,
                                                     .radius = 2,
                                                     .rank = 2,
                                                     .point = SIZE_MAX});
    }
    canvas_ungroup(view->ui->canvas);
}
