/* Points: where they are seen, their stems, and the small balls themselves, the nearest last. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/space/space.h"

static const float RING = 3; /* between a chosen point and its ring */

/* Points of two kinds at one place are a disc and a ring around it, so that both are seen. */
static void part_equals(struct space *space)
{
    const float most = 0.004f * space->ball.radius, ring = 1.7f;
    for (size_t i = 0; i < space->points; i++) {
        struct space_point *point = &space->point[i];
        bool inner = false;
        for (size_t j = 0; !inner && point->parts != 0 && !point->hollow && j < i; j++) {
            const struct space_point *other = &space->point[j];
            inner = other->parts != 0 && other->parts != point->parts &&
                    fabsf(other->at[0] - point->at[0]) < most &&
                    fabsf(other->at[1] - point->at[1]) < most &&
                    fabsf(other->at[2] - point->at[2]) < most;
        }
        if (inner && !point->boxed) {
            point->hollow = true;
            point->radius *= ring;
        }
    }
}

void space_see_points(struct space *space)
{
    part_equals(space);
    for (size_t i = 0; i < space->points; i++) {
        struct space_point *point = &space->point[i];
        point->spot = view_lens_see(&space->lens, point->at);
        point->radius *= point->spot.scale;
        point->clear = point->radius + 1.5f + (point->chosen || point->boxed ? RING : 0);
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
        canvas_circle(canvas, x, y, r + RING + 1.5f,
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
            canvas, x, y, r + RING,
            &(struct paint){.stroke = colour_fade(theme->ink, point->fade), .width = 1.6f});
    }
}

struct turn {
    float near;
    size_t index;
};

static int farther_first(const void *a, const void *b)
{
    const struct turn *first = a, *second = b;
    if (first->near != second->near) {
        return first->near < second->near ? -1 : 1;
    }
    return first->index < second->index ? -1 : first->index > second->index;
}

void space_draw_points(struct space *space)
{
    struct ui *ui = space->view->ui;
    struct turn *turns = arena_array(space->view->arena, space->points + 1, sizeof *turns);
    if (turns == NULL) {
        return;
    }
    for (size_t i = 0; i < space->points; i++) {
        /* z lies among the values, often inside one of them: it must not vanish there; feet and
         * starting places must not hide what stands on them. */
        const float before = space->point[i].boxed ? 10 : space->point[i].parts == 0 ? -10 : 0;
        turns[i] = (struct turn){space->point[i].spot.near + before, i};
    }
    qsort(turns, space->points, sizeof *turns, farther_first);
    for (size_t i = 0; i < space->points; i++) {
        const struct space_point *point = &space->point[turns[i].index];
        if (point->fade <= 0) {
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
