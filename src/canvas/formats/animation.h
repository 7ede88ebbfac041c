/* canvas/formats/animation.h — lists that follow each other, as one file that moves.
 *
 *     struct animation *film = animation_open(format, &figure, 668, 568, &error);
 *     animation_add(film, player, canvas, 0.05, &error);      as often as wanted
 *     animation_end(film, &arena, &file, &error);
 *     animation_close(film); */
#ifndef CANVAS_FORMATS_ANIMATION_H
#define CANVAS_FORMATS_ANIMATION_H

#include "canvas/draw/changes.h"
#include "canvas/draw/shape.h"
#include "canvas/render/render.h"

/* Where a picture may differ from the one before; outside of all boxes its pixels are the same. */
struct animation_areas {
    size_t count;
    struct shape_box box[CHANGES_MAX];
};

/* One kind of file that moves. Inside of the room: timeline is the writer's own; pixels are
 * 0xAARRGGBB, alpha multiplied in (255 where the plan says there is none), row by row without gaps.
 */
struct animation_plan {
    int width, height; /* pixels */
    bool has_alpha;
    const char *description; /* alternative text, NULL: none */
    const char *experiment; /* what it was made from, NULL: nothing; both only while it is opened */
};

struct animation_format {
    const char *suffix; /* "gif" */
    const char *title;  /* "GIF" */
    void *(*open)(const struct animation_plan *plan, struct error *error);
    bool (*add)(void *timeline, const uint32_t *pixels, const struct animation_areas *changed,
                unsigned milliseconds, struct error *error);
    bool (*end)(void *timeline, struct arena *arena, struct bytes *file, struct error *error);
    void (*close)(void *timeline); /* NULL is fine */
    /* For pictures behind those of the timeline, on another thread: the first one that is added,
     * so many milliseconds after the beginning of the file, is only what the next is compared
     * with. The timeline takes what the follower has, and gets no pictures after that. */
    void *(*follow)(void *timeline, unsigned long passed, struct error *error);
    bool (*join)(void *timeline, void *follower, struct error *error);
};

/* Returns the format at an index; NULL behind the last. */
const struct animation_format *animation_format_at(size_t index);

/* By suffix, letter case ignored; NULL when there is none. */
const struct animation_format *animation_format_find(const char *suffix);

struct animation;

/* A file of width × height points; of the figure scale, ground, description and experiment
 * count. NULL and a
 * sentence on failure. */
struct animation *animation_open(const struct animation_format *format,
                                 const struct render_figure *figure, float width, float height,
                                 struct error *error);
void animation_close(struct animation *animation);

/* Plays the list as the next picture; it stays for that time, counted to the millisecond. A picture
 * that equals the one before makes that one stay longer. */
bool animation_add(struct animation *animation, struct render_cairo *player,
                   const struct canvas *canvas, double seconds, struct error *error);

/* Pictures may be drawn by several threads, each with an animation of its own. One that follows
 * `first` is told how many seconds are passed there, and is given the picture before its own first.
 * In the end what each has is appended to `first`, in their order. */
struct animation *animation_follow(const struct animation *first, double passed,
                                   struct error *error);
bool animation_join(struct animation *first, struct animation *follower, struct error *error);

/* The whole file, owned by the arena; it repeats for ever. */
bool animation_end(struct animation *animation, struct arena *arena, struct bytes *file,
                   struct error *error);

/* --- inside of the room: the writers --- */

extern const struct animation_format animation_webp, animation_gif;

#endif
