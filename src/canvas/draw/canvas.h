/* canvas/draw/canvas.h — one list of drawing commands, and what they mean.
 *
 * Views append; a player (play.h) plays the list onto a screen or into a file; a test reads it.
 * Lengths are points, y downward; a player multiplies by its scale. Commands are plain values:
 * they hold offsets into the list's own text, points and pixels, never pointers.
 *
 *     canvas_group(canvas, id, "Softmax");
 *     canvas_rect(canvas, area, 10, &(struct paint){.fill = panel, .stroke = line, .width = 1});
 *     canvas_text(canvas, x, baseline, FONT_WORDS, 13, ink, CANVAS_LEFT, "Softmax");
 *     canvas_ungroup(canvas); */
#ifndef CANVAS_DRAW_CANVAS_H
#define CANVAS_DRAW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas/text/font.h"
#include "canvas/types/colour.h"
#include "canvas/types/rect.h"

enum canvas_kind {
    CANVAS_RECT,    /* rounded rectangle; a circle is one with radius = half its side */
    CANVAS_PATH,    /* polygon or polyline of straight pieces */
    CANVAS_TEXT,    /* one line of text */
    CANVAS_IMAGE,   /* pixels, each a crisp cell; or a picture, which may be made smaller */
    CANVAS_CLIP,    /* draws only inside rect (already cut with the clips around it) */
    CANVAS_UNCLIP,  /* the end of a clip; rect is the area in force again */
    CANVAS_GROUP,   /* what follows means something: an id and a label */
    CANVAS_UNGROUP, /* the end of a group */
};

enum canvas_anchor { CANVAS_LEFT, CANVAS_CENTRE, CANVAS_RIGHT };

/* How a shape is filled and outlined; a colour of alpha 0 (all zero) draws nothing.
 *
 * Players round some of it to whole pixels, so that it is sharp at every scale: all edges of an
 * outlined or crisp rectangle and the width of its outline (at least 1), but of no circle; lines
 * that run straight across or down, and their width; clips; cells of images; baselines of text.
 * Nothing else is rounded. */
struct paint {
    struct colour fill, stroke;
    float width;     /* of the outline, centred on the edge (rect: drawn inside the edge) */
    float dash, gap; /* 0: solid */
    bool crisp;      /* edges rounded to whole pixels: cells of a heatmap */
};

struct canvas_command {
    enum canvas_kind kind;
    struct rect rect;       /* RECT, IMAGE, CLIP: area. TEXT: x, baseline y, measured width, size.
                             * PATH: what it covers */
    float radius;           /* RECT */
    struct paint paint;     /* RECT, PATH; TEXT: fill */
    bool closed;            /* PATH */
    enum font_face face;    /* TEXT; rect.x is always the left end, whatever the anchor was */
    int turn;               /* TEXT: degrees about that end, counterclockwise */
    bool boxed;             /* TEXT: digits in the box of a letter that no font has, or an index */
    bool follows;           /* TEXT: goes on with the text before it, where W_Q has its index */
    size_t said_length;     /* TEXT: bytes of the whole text that begins here; 0: it is this one */
    float said_width;       /* TEXT: how wide the whole text is */
    uint32_t id;            /* GROUP */
    size_t start, length;   /* TEXT, GROUP: bytes in the text store; PATH: points; IMAGE: pixels */
    uint32_t columns, rows; /* IMAGE */
    bool smooth;            /* IMAGE: a picture, not cells */
    bool ramp;              /* IMAGE: of one row or column, whose colours go over into each other */
};

struct canvas;

/* Sets the opacity that all later commands are multiplied by: 1 at first. Returns the former
 * one. */
float canvas_opacity(struct canvas *canvas, float share);

/* An empty list that measures with fonts (kept, not owned). NULL: no memory. */
struct canvas *canvas_open(struct fonts *fonts);
void canvas_close(struct canvas *canvas);

/* Forgets the commands, keeps the memory, states the size of the picture in points. */
void canvas_begin(struct canvas *canvas, float width, float height);

float canvas_width(const struct canvas *canvas);
float canvas_height(const struct canvas *canvas);
struct fonts *canvas_fonts(const struct canvas *canvas);

/* True once a command could not be kept for lack of memory; reset by canvas_begin. */
bool canvas_failed(const struct canvas *canvas);

void canvas_rect(struct canvas *canvas, struct rect rect, float radius, const struct paint *paint);
void canvas_path(struct canvas *canvas, const struct point *points, size_t count, bool closed,
                 const struct paint *paint);
void canvas_circle(struct canvas *canvas, float x, float y, float radius,
                   const struct paint *paint);
void canvas_line(struct canvas *canvas, float x0, float y0, float x1, float y1, float width,
                 struct colour colour);

/* Draws one line of text with its baseline at y. Returns the measured width. Nothing is drawn
 * when the text is empty. length: bytes; canvas_text takes a 0-ended text. */
float canvas_text(struct canvas *canvas, float x, float y, enum font_face face, float size,
                  struct colour colour, enum canvas_anchor anchor, const char *text);
float canvas_text_length(struct canvas *canvas, float x, float y, enum font_face face, float size,
                         struct colour colour, enum canvas_anchor anchor, const char *text,
                         size_t length);

/* As canvas_text, turned about (x, y) by so many degrees, counterclockwise: 90 reads upward. */
float canvas_text_turned(struct canvas *canvas, float x, float y, int degrees, enum font_face face,
                         float size, struct colour colour, enum canvas_anchor anchor,
                         const char *text);

/* The place that is so far along a text command and so far below its baseline. */
struct point canvas_text_place(const struct canvas_command *command, float along, float below);

/* As canvas_text, cut with an ellipsis to fit width. Returns whether it had to be cut. */
bool canvas_text_cut(struct canvas *canvas, float x, float y, enum font_face face, float size,
                     struct colour colour, enum canvas_anchor anchor, const char *text,
                     float width);

/* Width of a text, without drawing it. */
float canvas_measure(const struct canvas *canvas, enum font_face face, float size,
                     const char *text);

/* columns × rows pixels, row-major, copied into the list, drawn as crisp cells over rect. */
void canvas_image(struct canvas *canvas, struct rect rect, uint32_t columns, uint32_t rows,
                  const struct colour *pixels);

/* As canvas_image, but a picture of something: where its pixels are smaller than the screen's, each
 * of the screen's shows the mean of what it covers. */
void canvas_picture(struct canvas *canvas, struct rect rect, uint32_t columns, uint32_t rows,
                    const struct colour *pixels);

/* As canvas_image of one row, or upright one column, of a scale of colours: where there are no
 * pixels they go over into each other. */
void canvas_ramp(struct canvas *canvas, struct rect rect, uint32_t count, bool upright,
                 const struct colour *colours);

void canvas_clip(struct canvas *canvas, struct rect rect);
void canvas_unclip(struct canvas *canvas);

/* label is what this is, in words, for tests, alternative text and screen readers; NULL as "". */
void canvas_group(struct canvas *canvas, uint32_t id, const char *label);
void canvas_ungroup(struct canvas *canvas);

/* Makes the whole list, and the picture's size, larger by a factor: for when it is finished. */
void canvas_enlarge(struct canvas *canvas, float factor);

/* Makes it a list of the same, however its fonts are; those of the other's texts are measured
 * already. False: no memory. */
bool canvas_copy(struct canvas *canvas, const struct canvas *other);

/* Reading the list. */

/* Returns whether all texts can be read whole: none was cut, is smaller than min_size, or reaches
 * over the edges of the picture and the clips around it by more than its own air. */
bool canvas_is_whole(const struct canvas *canvas, float min_size);
size_t canvas_count(const struct canvas *canvas);
const struct canvas_command *canvas_command_at(const struct canvas *canvas, size_t index);
/* command->length bytes, not 0-ended; points; cells. */
const char *canvas_text_of(const struct canvas *canvas, const struct canvas_command *command);

/* How many bytes of that people read as one text, though its indices are drawn by commands of their
 * own; 0: it goes on with the text before it. And how wide that is. */
size_t canvas_text_said(const struct canvas_command *command, float *wide);

/* As canvas_text_length, of what somebody types: every sign as it is. */
float canvas_text_plain(struct canvas *canvas, float x, float y, enum font_face face, float size,
                        struct colour colour, enum canvas_anchor anchor, const char *text,
                        size_t length);
const struct point *canvas_points_of(const struct canvas *canvas,
                                     const struct canvas_command *command);
const struct colour *canvas_pixels_of(const struct canvas *canvas,
                                      const struct canvas_command *command);

/* Returns the bounds of all that is drawn, cut by the clips and by the picture, without the grounds
 * (rectangles nearly as large as the picture). Empty: nothing. */
struct rect canvas_content(const struct canvas *canvas);

/* Returns the height of the highest strip from side to side that has nothing above and below which
 * something is drawn. */
float canvas_gap(const struct canvas *canvas);

/* A list of its own with what the canvas shows inside area, whose corner becomes the corner. NULL:
 * no memory. */
struct canvas *canvas_crop(const struct canvas *canvas, struct rect area);

/* Appends all that another list of the same fonts draws, moved by (x, y), but for its grounds.
 * False: no memory. */
bool canvas_append(struct canvas *canvas, const struct canvas *other, float x, float y);

/* Equal lists give equal hashes. */
uint64_t canvas_hash(const struct canvas *canvas);

/* The number-th (from 0) TEXT command that reads exactly `text`, and the area its letters cover,
 * cut by the clips around it (empty: not visible). False: there is none. */
bool canvas_find_text(const struct canvas *canvas, const char *text, size_t number,
                      struct rect *area);

/* The number-th GROUP with that label, and the bounds of all that it holds. */
bool canvas_find_group(const struct canvas *canvas, const char *label, size_t number,
                       struct rect *area);

#endif
