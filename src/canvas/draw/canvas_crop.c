/* A part of a list as a list of its own. */
#include <string.h>

#include "canvas/draw/canvas_internal.h"

/* A rectangle that takes so much of both sides is the ground that the content stands on. */
static const float GROUND_SHARE = 0.9f;

static bool is_ground(const struct canvas *canvas, const struct canvas_command *command)
{
    return command->kind == CANVAS_RECT && command->rect.w >= GROUND_SHARE * canvas->width &&
           command->rect.h >= GROUND_SHARE * canvas->height;
}

struct rect canvas_content(const struct canvas *canvas)
{
    const struct rect all = {0, 0, canvas->width, canvas->height};
    struct rect content = {0, 0, 0, 0};
    struct rect clip = all;
    for (size_t i = 0; i < canvas->commands; i++) {
        const struct canvas_command *const command = &canvas->command[i];
        if (command->kind == CANVAS_CLIP || command->kind == CANVAS_UNCLIP) {
            clip = rect_cut(command->rect, all);
        } else if (!is_ground(canvas, command)) {
            content = rect_join(content, rect_cut(canvas_bounds(command), clip));
        }
    }
    return content;
}

/* Appends the commands of a list, moved, with all that they hold. */
static void append_moved(struct canvas *to, const struct canvas *from, float x, float y)
{
    if (from->bytes > 0) {
        memcpy(to->text, from->text, from->bytes);
    }
    if (from->pixels > 0) {
        memcpy(to->pixel, from->pixel, from->pixels * sizeof *to->pixel);
    }
    for (size_t i = 0; i < from->points; i++) {
        to->point[i] = (struct point){from->point[i].x - x, from->point[i].y - y};
    }
    for (size_t i = 0; i < from->commands; i++) {
        to->command[i] = from->command[i];
        to->command[i].rect.x -= x;
        to->command[i].rect.y -= y;
    }
    to->bytes = from->bytes;
    to->pixels = from->pixels;
    to->points = from->points;
    to->commands = from->commands;
}

struct canvas *canvas_crop(const struct canvas *canvas, struct rect area)
{
    struct canvas *const part = canvas_open(canvas->fonts);
    if (part == NULL || !canvas_reserve(part, canvas)) {
        canvas_close(part);
        return NULL;
    }
    canvas_begin(part, area.w, area.h);
    append_moved(part, canvas, area.x, area.y);
    part->failed = canvas->failed;
    return part;
}
