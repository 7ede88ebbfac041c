/* app/draw/frame_internal.h — what drawing a picture and running a frame share. */
#ifndef APP_DRAW_FRAME_INTERNAL_H
#define APP_DRAW_FRAME_INTERNAL_H

#include "app/draw/frame.h"
#include "view/overview/thumbnail.h"
#include "view/parts/downsample.h"
#include "view/sheets/kinds.h"
#include "view/space/space_axes.h"
#include "view/stage/tiles.h"

/* Whether the pointer points at what lies under it. */
enum frame_pointer {
    FRAME_POINTER_OUTSIDE, /* it was never in the window */
    FRAME_POINTER_RESTS,   /* what is seen moved while it lay still */
    FRAME_POINTER_POINTS,
};

struct app_frame {
    struct canvas *canvas;
    struct fonts *fonts;
    struct arena arena;  /* of one pass */
    struct arena copied; /* of one run: what facts.copied points into, the lines of keys */
    struct ui_memory memory;
    struct app_frame_facts facts;
    struct view_axes *axes;
    struct view_downsample_cache *downsamples;
    struct view_thumbnail_cache *thumbnails;
    struct view_tiles *tiles;
    struct view_kinds *kinds;
    bool size_lacks; /* memory did not suffice to find the size of a picture */
    size_t losses;   /* of the fonts, before the list was drawn */
    enum frame_pointer pointer;
    float rest_x, rest_y;          /* where the pointer lay then */
    float rest_width, rest_height; /* the window's size then */
    double said_until;             /* until when the line at the bottom that was said last stands */
    size_t said_changes;           /* how many experiments had been put when it was said */
    const struct lab_trace *topped; /* whose largest weight `top` is; a reference */
    const char *notice;             /* of the last picture */
    float top, common_top;
    float min_index_size; /* of a figure: indices are no smaller; 0: any */
};

/* Returns the view that all views are given. */
struct view frame_view(struct app_frame *frame, struct ui *ui, const struct app_scene *scene);

/* The input of a window so many times smaller; what is far away is not too far to be counted. */
struct ui_input frame_zoomed(const struct ui_input *input, float zoom);

/* Draws a picture into the empty list. */
void frame_draw(struct app_frame *frame, struct view *view, struct ui *ui,
                const struct ui_input *input, const struct ui_theme *theme,
                const struct view_picture *picture);

#endif
