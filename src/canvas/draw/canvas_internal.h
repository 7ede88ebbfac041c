/* canvas/draw/canvas_internal.h — inside of the room: how the list of canvas.h is stored. */
#ifndef CANVAS_DRAW_CANVAS_INTERNAL_H
#define CANVAS_DRAW_CANVAS_INTERNAL_H

#include "canvas/draw/canvas.h"

struct canvas {
    struct fonts *fonts;
    float width, height;
    bool failed;
    size_t cuts;           /* texts that were cut */
    float opacity;         /* of what is appended */
    float min_script_size; /* no index is smaller */
    struct canvas_command *command;
    size_t commands, command_room;
    char *text;
    size_t bytes, byte_room;
    struct point *point;
    size_t points, point_room;
    struct colour *pixel;
    size_t pixels, pixel_room;
    struct rect *clip; /* the clips that are open, each cut with those around it */
    size_t clips, clip_room;
};

/* The area that is drawn in where no clip is open: wider than any picture. */
struct rect canvas_everywhere(void);

/* Room in an empty list for all that another holds. False: no memory. */
bool canvas_reserve(struct canvas *canvas, const struct canvas *as);

/* Returns what a and b share; w and h are 0 where they share nothing. */
struct rect rect_cut(struct rect a, struct rect b);

/* Returns the largest extent of a drawing command's ink, not cut by clips; empty for the other
 * kinds. */
struct rect canvas_bounds(const struct canvas_command *command);

/* The bounds of a path's points and of its outline, found once, when it is appended. */
struct rect canvas_path_bounds(const struct canvas *canvas, const struct canvas_command *command);

#endif
