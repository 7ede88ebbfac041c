/* app/draw/frame.h — a frame: a scene → drawing list. It keeps from one picture to the next what
 * takes long to make anew. */
#ifndef APP_DRAW_FRAME_H
#define APP_DRAW_FRAME_H

#include "app/draw/scene.h"
#include "canvas/draw/canvas.h"
#include "ui/ui.h"

struct app_frame;

struct app_frame *app_frame_open(struct fonts *fonts, struct error *error);
void app_frame_close(struct app_frame *frame);

/* Letters of a figure are no smaller: points; and a part of its ordinary letters, so that those of
 * a slide can be read from the last row, unless only smaller ones bring every name. */
#define APP_FONT_SIZE_MIN 5.0f
#define APP_FONT_SHARE_MIN 0.625f

/* The paper of a picture. */
struct app_frame_paper {
    float width, height; /* points */
    float scale;         /* pixels a point */
    float font_size;     /* of ordinary letters, points; 0: as in the window */
    float min_font_size; /* no letters are smaller, points; 0: APP_FONT_SIZE_MIN */
    float font_floor;    /* what fits the picture makes none smaller; 0: APP_FONT_SIZE_MIN */
    float tallest;       /* so high it may become for names that have no room; 0: as it is */
    bool fills;          /* heads take all of its width, whatever that does to their height */
};

/* The parts of a figure that had no room. */
struct app_frame_room {
    unsigned lacks;       /* enum view_lack */
    size_t names_every;   /* one name of so many is shown, and it says so; 1: all are */
    struct rect cells;    /* of a matrix that stands alone; w 0: there is none */
    size_t rows, columns; /* of that matrix */
};

/* Draws one picture over the whole list, without hands: what a file gets. Nothing of the state
 * changes. */
struct app_frame_room app_frame_picture(struct app_frame *frame, const struct app_scene *scene,
                                        const struct view_picture *picture,
                                        const struct app_frame_paper *paper);

/* The room in points that a picture takes by itself: that of a window for those that take any. */
struct point app_frame_size(struct app_frame *frame, const struct app_scene *scene,
                            const struct view_picture *picture);

/* The colours of the picture's matrix; false: it has none that panels could share. */
bool app_frame_scale(struct app_frame *frame, const struct app_scene *scene,
                     const struct view_picture *picture, struct view_scale *scale);

/* Returns whether memory sufficed for everything in the last list. */
bool app_frame_is_whole(const struct app_frame *frame);

/* Why there is nothing to see in the last picture; NULL: there is something. Until the next. */
const char *app_frame_notice(const struct app_frame *frame);

/* The list of the last run. */
const struct canvas *app_frame_canvas(const struct app_frame *frame);

/* Facts of the last run for whoever holds the window. */
struct app_frame_facts {
    enum ui_cursor cursor;
    bool wants_text; /* switch text input on, the candidate window at text_area */
    struct rect text_area;
    bool wants_paste;   /* feed the clipboard's text in the next record */
    const char *copied; /* to the clipboard; NULL: nothing; valid until the next run */
    double wake;        /* time at which to run again without input; 0: only on input */
    uint64_t hash;      /* of the list: equal hash, equal picture */
};
struct app_frame_facts app_frame_facts(const struct app_frame *frame);

#endif
