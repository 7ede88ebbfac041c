/* What runs between points: arrows, links as thick as a weight, and the hull of the values. */
#include <math.h>
#include <stdlib.h>

#include "view/space/space.h"

/* A link shorter than this on screen has become a ring around its end. */
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
    if (line->arrow) {
        draw_arrow(canvas, ends[0], ends[1], line->width, line->colour);
        return;
    }
    canvas_path(
        canvas, ends, 2, false,
        &(struct paint){
            .stroke = line->colour, .width = line->width, .dash = line->dash, .gap = line->dash});
}

void space_draw_lines(struct space *space)
{
    struct ui *ui = space->view->ui;
    for (size_t i = 0; i < space->lines; i++) {
        const struct space_line *line = &space->line[i];
        if (line->share <= 0) {
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

static int left_first(const void *a, const void *b)
{
    const struct point *first = a, *second = b;
    if (first->x != second->x) {
        return first->x < second->x ? -1 : 1;
    }
    return first->y < second->y ? -1 : first->y > second->y;
}

static float turn_of(struct point a, struct point b, struct point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The hull of points in the plane (Andrew 1979, monotone chain); sorts them. The hull of a
 * projection is the projection of the hull, so that the outline on screen is exact. Returns how
 * many corners. */
static size_t hull_of(struct point *points, size_t count, struct point *hull)
{
    qsort(points, count, sizeof *points, left_first);
    size_t corners = 0;
    for (size_t i = 0; i < count; i++) {
        while (corners >= 2 && turn_of(hull[corners - 2], hull[corners - 1], points[i]) <= 0) {
            corners--;
        }
        hull[corners++] = points[i];
    }
    const size_t lower = corners + 1;
    for (size_t i = count - 1; i-- > 0;) {
        while (corners >= lower && turn_of(hull[corners - 2], hull[corners - 1], points[i]) <= 0) {
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
    const size_t corners = hull_of(points, count, hull);
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
