/* The marks in space: the ground with its axes, lines between points, and the points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/space/space.h"

/* --- The ground grid and the axes. --- */

enum { GRID_LINES_MAX = 24 };

static void draw_segment(struct space *space, const float from[3], const float to[3], float width,
                         struct colour colour)
{
    const struct view_spot a = view_lens_see(&space->lens, from),
                           b = view_lens_see(&space->lens, to);
    canvas_line(space->view->ui->canvas, a.x, a.y, b.x, b.y, width, colour);
}

/* Draws the lines of the grid across `side`, along the other axis. */
static void draw_grid_lines(struct space *space, size_t side, struct colour colour)
{
    const struct space_grid *grid = &space->grid;
    const size_t axes[2] = {grid->across, grid->along};
    const float first = grid->low[side], last = grid->high[side];
    for (size_t i = 0; i <= GRID_LINES_MAX; i++) {
        const float offset = first + grid->step * (float)i;
        if (offset > last + grid->step * 0.01f) {
            return;
        }
        float from[SPACE_AXES], to[SPACE_AXES];
        memcpy(from, space->origin, sizeof from);
        memcpy(to, space->origin, sizeof to);
        from[axes[side]] = to[axes[side]] = offset;
        from[axes[1 - side]] = grid->low[1 - side];
        to[axes[1 - side]] = grid->high[1 - side];
        draw_segment(space, from, to, 1, colour);
    }
}

/* Draws the ticks of a line: short strokes across it at every step. */
static void draw_ticks(struct space *space, struct colour colour)
{
    const struct space_grid *grid = &space->grid;
    const float half = space->ball.radius * 0.02f;
    for (size_t i = 0; i <= GRID_LINES_MAX; i++) {
        const float offset = grid->low[0] + grid->step * (float)i;
        if (offset > grid->high[0] + grid->step * 0.01f) {
            return;
        }
        float from[SPACE_AXES] = {offset, space->origin[1] - half, space->origin[2]};
        float to[SPACE_AXES] = {offset, space->origin[1] + half, space->origin[2]};
        draw_segment(space, from, to, 1, colour);
    }
}

void space_draw_ground(struct space *space)
{
    const struct ui_theme *theme = space->view->ui->theme;
    struct canvas *canvas = space->view->ui->canvas;
    const struct colour colour = colour_mix(theme->panel, theme->line, 0.85f);
    canvas_group(canvas, ui_id(space->view->ui, "ground"), "ground");
    if (space->dimensions > 1) {
        draw_grid_lines(space, 0, colour);
        draw_grid_lines(space, 1, colour);
    } else {
        draw_ticks(space, theme->faint);
    }
    canvas_ungroup(canvas);
}

void space_draw_axes(struct space *space)
{
    static const struct view_length AXIS_FONT = {.near = UI_TEXT_TINY, .far = UI_TEXT_BODY};
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
        draw_segment(space, space->origin, back, 1, colour_fade(ink, 0.4f));
        draw_segment(space, space->origin, end, 1.4f, ink);
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
                                                     .size = view_length(view, AXIS_FONT),
                                                     .x = to.x,
                                                     .y = to.y,
                                                     .radius = 2,
                                                     .must = true,
                                                     .rank = !view->style.has_controls ? 0 : 2,
                                                     .point = SIZE_MAX});
    }
    canvas_ungroup(view->ui->canvas);
}

/* --- Lines between points: arrows, links as thick as a weight, and the hull of the values. --- */

/* A shorter link is drawn as a ring around its end. */
static const float SHORT = 10;

static void draw_arrow(struct canvas *canvas, struct point from, struct point to, float width,
                       struct colour colour)
{
    const float dx = to.x - from.x, dy = to.y - from.y;
    const float length = sqrtf(dx * dx + dy * dy);
    const float head = fminf(4.5f + 2.4f * width, length * 0.6f);
    if (length < 0.5f) {
        return;
    }
    const float ux = dx / length, uy = dy / length, half = head * 0.42f;
    const struct point neck = {to.x - ux * head, to.y - uy * head};
    canvas_line(canvas, from.x, from.y, neck.x + ux * head * 0.2f, neck.y + uy * head * 0.2f, width,
                colour);
    const struct point tip[3] = {
        to, {neck.x - uy * half, neck.y + ux * half}, {neck.x + uy * half, neck.y - ux * half}};
    canvas_path(canvas, tip, 3, true, &(struct paint){.fill = colour});
}

static void draw_line(struct space *space, const struct space_line *line)
{
    struct canvas *canvas = space->view->ui->canvas;
    float end[SPACE_AXES];
    for (size_t axis = 0; axis < SPACE_AXES; axis++) {
        end[axis] = line->from[axis] + (line->to[axis] - line->from[axis]) * line->share;
    }
    const struct view_spot a = view_lens_see(&space->lens, line->from);
    const struct view_spot b = view_lens_see(&space->lens, end);
    const struct view_spot whole = view_lens_see(&space->lens, line->to);
    const struct point ends[2] = {{a.x, a.y}, {b.x, b.y}};
    const float apart = hypotf(whole.x - a.x, whole.y - a.y);
    if (line->round && apart < SHORT) {
        const float outer = line->ring + line->width;
        struct space_point *owner = &space->point[line->owner];
        owner->clear = fmaxf(owner->clear, outer + 1);
        canvas_circle(canvas, whole.x, whole.y, outer,
                      &(struct paint){.stroke = colour_fade(line->colour, line->share),
                                      .width = line->width});
        return;
    }
    space_add_segment(space, a.x, a.y, whole.x, whole.y, line->dash > 0 ? 2 : 3 + line->width);
    static const float EDGE = 2.4f; /* separates it from balls, which may have the same colour */
    const struct colour panel = space->view->ui->theme->panel;
    if (line->over && line->arrow) {
        draw_arrow(canvas, ends[0], ends[1], line->width + EDGE, panel);
    } else if (line->over) {
        canvas_path(canvas, ends, 2, false,
                    &(struct paint){.stroke = panel, .width = line->width + EDGE});
    }
    if (line->arrow) {
        draw_arrow(canvas, ends[0], ends[1], line->width, line->colour);
        return;
    }
    canvas_path(
        canvas, ends, 2, false,
        &(struct paint){
            .stroke = line->colour, .width = line->width, .dash = line->dash, .gap = line->dash});
}

void space_draw_lines(struct space *space, bool over)
{
    struct ui *ui = space->view->ui;
    for (size_t i = 0; i < space->lines; i++) {
        const struct space_line *line = &space->line[i];
        if (line->share <= 0 || line->over != over) {
            continue;
        }
        if (line->name != NULL) {
            canvas_group(ui->canvas, ui_id_number(ui, line->name, i), line->name);
        }
        draw_line(space, line);
        if (line->name != NULL) {
            canvas_ungroup(ui->canvas);
        }
    }
}

static int compare_left_first(const void *a, const void *b)
{
    const struct point *first = a, *second = b;
    if (first->x != second->x) {
        return first->x < second->x ? -1 : 1;
    }
    return first->y < second->y ? -1 : first->y > second->y;
}

static float cross_product(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Finds the convex hull of points in the plane (Andrew 1979, monotone chain), which sorts them. The
 * hull of a projection is the projection of the hull, so the outline is exact. Returns the number
 * of corners. */
static size_t find_hull(struct point *points, size_t count, struct point *hull)
{
    qsort(points, count, sizeof *points, compare_left_first);
    size_t corners = 0;
    for (size_t i = 0; i < count; i++) {
        while (corners >= 2 &&
               cross_product(hull[corners - 2], hull[corners - 1], points[i]) <= 0) {
            corners--;
        }
        hull[corners++] = points[i];
    }
    const size_t lower = corners + 1;
    for (size_t i = count - 1; i-- > 0;) {
        while (corners >= lower &&
               cross_product(hull[corners - 2], hull[corners - 1], points[i]) <= 0) {
            corners--;
        }
        hull[corners++] = points[i];
    }
    return corners > 1 ? corners - 1 : corners;
}

void space_draw_hull(struct space *space)
{
    struct ui *ui = space->view->ui;
    struct arena *arena = space->view->arena;
    struct point *points = arena_array(arena, space->points + 1, sizeof *points);
    struct point *hull = arena_array(arena, 2 * space->points + 2, sizeof *hull);
    size_t count = 0;
    for (size_t i = 0; points != NULL && i < space->points; i++) {
        if (space->point[i].in_hull) {
            points[count++] = (struct point){space->point[i].spot.x, space->point[i].spot.y};
        }
    }
    if (hull == NULL || count < 2) {
        return;
    }
    const size_t corners = find_hull(points, count, hull);
    const struct colour colour = ui->theme->output;
    canvas_group(ui->canvas, ui_id(ui, "hull"), "hull of the values");
    if (corners > 2) {
        canvas_path(ui->canvas, hull, corners, true,
                    &(struct paint){.fill = colour_fade(colour, ui->theme->dark ? 0.16f : 0.12f),
                                    .stroke = colour_fade(colour, 0.3f),
                                    .width = 1});
    } else if (corners == 2) {
        canvas_path(ui->canvas, hull, corners, false,
                    &(struct paint){.stroke = colour_fade(colour, 0.3f), .width = 6});
    }
    canvas_ungroup(ui->canvas);
}

/* --- Points, with their stems, the nearest last. --- */

static const float RING_GAP = 3; /* gap between a chosen point and its ring */

/* Draws points of two kinds at one place as a disc and a ring around it, so that both are visible.
 */
static void separate_equals(struct space *space)
{
    const float distance_max = 0.004f * space->ball.radius, ring = 1.7f;
    for (size_t i = 0; i < space->points; i++) {
        struct space_point *point = &space->point[i];
        bool inner = false;
        for (size_t j = 0; !inner && point->parts != 0 && !point->hollow && j < i; j++) {
            const struct space_point *other = &space->point[j];
            inner = other->parts != 0 && other->parts != point->parts &&
                    fabsf(other->at[0] - point->at[0]) < distance_max &&
                    fabsf(other->at[1] - point->at[1]) < distance_max &&
                    fabsf(other->at[2] - point->at[2]) < distance_max;
        }
        if (inner && !point->boxed) {
            point->hollow = true;
            point->radius *= ring;
        }
    }
}

/* The scale of all balls: they shrink if balls of mixed values would hide each other or their
 * blend. */
static float ball_scale(const struct space *space)
{
    static const float SCALE_MIN = 0.42f, OF_WAY = 0.65f, BESIDE = 0.95f, ONE_PLACE = 1;
    float fits = 1;
    size_t mixed = 0;
    for (size_t i = 0; i < space->points; i++) {
        const struct space_point *const one = &space->point[i];
        mixed += one->mixed;
        for (size_t j = 0; (one->mixed || (one->boxed && mixed > 1)) && j < i; j++) {
            const struct space_point *const other = &space->point[j];
            const struct view_spot a = view_lens_see(&space->lens, one->at);
            const struct view_spot b = view_lens_see(&space->lens, other->at);
            const float apart = hypotf(a.x - b.x, a.y - b.y);
            if (other->mixed && apart > ONE_PLACE) {
                const float of_way = one->boxed ? BESIDE : OF_WAY;
                fits = fminf(fits, of_way * apart / (one->radius + other->radius));
            }
        }
    }
    return fmaxf(fits, SCALE_MIN);
}

void space_see_points(struct space *space)
{
    const float size = ball_scale(space);
    separate_equals(space);
    for (size_t i = 0; i < space->points; i++) {
        struct space_point *point = &space->point[i];
        point->spot = view_lens_see(&space->lens, point->at);
        point->radius *= point->spot.scale * size;
        point->clear = point->radius + 1.5f + (point->chosen || point->boxed ? RING_GAP : 0);
    }
}

void space_draw_stems(struct space *space)
{
    const struct ui_theme *theme = space->view->ui->theme;
    struct canvas *canvas = space->view->ui->canvas;
    canvas_group(canvas, ui_id(space->view->ui, "stems"), "stems");
    for (size_t i = 0; i < space->points; i++) {
        const struct space_point *point = &space->point[i];
        if (!point->stem || point->fade <= 0) {
            continue;
        }
        const float foot[SPACE_AXES] = {point->at[0], space->origin[1], point->at[2]};
        const struct view_spot spot = view_lens_see(&space->lens, foot);
        const struct point ends[2] = {{point->spot.x, point->spot.y}, {spot.x, spot.y}};
        const struct colour colour = colour_fade(theme->faint, 0.75f * point->fade);
        canvas_path(canvas, ends, 2, false,
                    &(struct paint){.stroke = colour, .width = 1, .dash = 3, .gap = 3});
        canvas_circle(canvas, spot.x, spot.y, 2.2f * spot.scale, &(struct paint){.fill = colour});
    }
    canvas_ungroup(canvas);
}

static void draw_ball(struct space *space, const struct space_point *point)
{
    const struct ui_theme *theme = space->view->ui->theme;
    struct canvas *canvas = space->view->ui->canvas;
    const float x = point->spot.x, y = point->spot.y, r = point->radius;
    const float seen = (0.86f + 0.14f * point->spot.near) * point->fade;
    const struct colour colour = colour_mix(theme->panel, point->colour, seen);
    if (point->chosen || point->boxed) {
        canvas_circle(canvas, x, y, r + RING_GAP + 1.5f,
                      &(struct paint){.fill = colour_fade(point->colour, 0.22f * point->fade)});
    }
    if (point->hollow) {
        canvas_circle(canvas, x, y, r, &(struct paint){.stroke = colour, .width = 2});
        return;
    }
    canvas_circle(canvas, x, y, r + 1.2f, &(struct paint){.fill = theme->panel});
    canvas_circle(canvas, x, y, r, &(struct paint){.fill = colour});
    if (r > 4) {
        const struct colour shine = {255, 255, 255, 110};
        canvas_circle(canvas, x - 0.32f * r, y - 0.34f * r, 0.27f * r,
                      &(struct paint){.fill = colour_fade(shine, point->fade)});
    }
    if (point->chosen) {
        canvas_circle(
            canvas, x, y, r + RING_GAP,
            &(struct paint){.stroke = colour_fade(theme->ink, point->fade), .width = 1.6f});
    }
}

struct depth {
    float near;
    size_t index;
};

static int compare_far_first(const void *a, const void *b)
{
    const struct depth *first = a, *second = b;
    if (first->near != second->near) {
        return first->near < second->near ? -1 : 1;
    }
    return first->index < second->index ? -1 : first->index > second->index;
}

void space_draw_points(struct space *space, bool boxed)
{
    struct ui *ui = space->view->ui;
    struct depth *depths = arena_array(space->view->arena, space->points + 1, sizeof *depths);
    if (depths == NULL) {
        return;
    }
    for (size_t i = 0; i < space->points; i++) {
        /* Feet and starting places are drawn first, so that they hide nothing. */
        const float before = space->point[i].parts == 0 ? -10 : 0;
        depths[i] = (struct depth){space->point[i].spot.near + before, i};
    }
    qsort(depths, space->points, sizeof *depths, compare_far_first);
    for (size_t i = 0; i < space->points; i++) {
        const struct space_point *point = &space->point[depths[i].index];
        if (point->fade <= 0 || point->boxed != boxed) {
            continue;
        }
        if (point->name != NULL) {
            canvas_group(ui->canvas, ui_id_number(ui, point->name, point->index), point->name);
            draw_ball(space, point);
            canvas_ungroup(ui->canvas);
        } else {
            draw_ball(space, point);
        }
    }
}
