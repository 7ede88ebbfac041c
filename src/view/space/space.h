/* view/space/space.h — the 3-D view in its parts: what a stage shows (space_scene*.c), its frame
 * and axes (space_frame.c), how points, links and hulls (space_marks.c) and labels (space_labels.c)
 * are drawn, and how it answers input (space.c). */
#ifndef VIEW_SPACE_SPACE_H
#define VIEW_SPACE_SPACE_H

#include "view/parts/pieces.h"
#include "view/space/camera.h"

enum { SPACE_LEGENDS_MAX = 4, SPACE_AXES = 3 };

/* A token as a point in space. */
struct space_point {
    float at[3];
    struct colour colour;
    float radius; /* at the middle of the ball; it is drawn larger when nearer */
    float fade;   /* from 0, invisible, to 1 */
    bool hollow;  /* a ring: a former place, or a hidden key */
    bool stem;    /* a dashed line down to the ground */
    bool in_hull;
    bool mixed;       /* a value that the chosen query mixes in: z is between those */
    bool chosen;      /* has a ring, and its label comes first */
    bool quiet;       /* it has no label */
    bool lettered;    /* its label, "q(dog)", has its colour */
    bool boxed;       /* its label is in a box (z) */
    const char *word; /* text of the label; NULL: none */
    const char *note; /* a number below word; NULL: none */
    const char *name; /* of its group in the list of drawing commands */
    unsigned parts;   /* VIEW_ bits that a hover selects; 0: none */
    size_t index;     /* of the query or the key */
    bool owned;       /* it is row `index` of `part`, whose numbers may be edited */
    enum lab_part part;
    size_t equals; /* how many more points of the same word are here; its label is for all */
    struct view_spot spot; /* its place on the panel */
    float clear;           /* distance that labels keep from its middle */
};

/* A straight piece in space. */
struct space_line {
    float from[3], to[3];
    struct colour colour;
    float width;
    float dash;  /* 0: solid */
    float share; /* visible share from its start, 0 to 1 */
    bool arrow;
    bool over;        /* drawn over the balls, except boxed ones; else below them */
    bool round;       /* if too short to be seen, drawn as a ring of that width around its end */
    float ring;       /* inner radius of that ring */
    size_t owner;     /* index of the point it surrounds, when round */
    const char *name; /* of its group; NULL: none */
};

/* A label that has to be placed near (x, y). */
struct space_label {
    const char *word, *note;
    const char *name;
    struct colour colour;
    enum font_face face;
    float size;
    float x, y, radius; /* the point that it belongs to */
    bool must;          /* it may be placed farther away, with a leader line */
    bool boxed;
    bool coloured;    /* it and its leader have the colour of the point */
    float rank;       /* smaller ranks are placed first */
    size_t point;     /* index of the point, SIZE_MAX: none */
    size_t number;    /* of those that were added */
    struct rect area; /* its place */
    float cost;       /* cost of that place */
    bool placed, leader;
};

struct space_segment {
    float x0, y0, x1, y1;
    float weight; /* cost of a label on it */
};

struct space_legend {
    const char *text;
    struct colour colour;
    bool arrow;
};

/* A faint grid: on the ground (the plane of the first and the third axis) or, in two dimensions, in
 * their plane; in one dimension the ticks of a line. */
struct space_grid {
    size_t across, along; /* its two axes */
    float step;
    float low[2], high[2]; /* multiples of step */
};

struct space {
    struct view *view;
    const char *title;       /* "— how far keys go along dog" */
    const char *brief_title; /* a shorter title; NULL: none */
    struct rect area;        /* of the drawing */
    struct lab_frame frame;
    bool raw;                  /* the axes are dimensions, not principal components */
    size_t column[SPACE_AXES]; /* dimensions of the axes, if raw */
    struct space_hold *hold;   /* the drag of a point; NULL: points cannot be moved */
    const char *axis[SPACE_AXES];
    size_t dimensions;      /* 1 to 3 */
    size_t true_dimensions; /* of the vectors */
    float origin[3];
    float axes_fade; /* 0 to 1 */
    struct view_ball ball;
    struct view_lens lens;
    struct view_camera camera; /* as it was turned, or at the first angle */
    float low[3], high[3];     /* bounds of everything shown and of the origin */
    float axis_length[SPACE_AXES];
    struct space_grid grid;
    float (*extent)[3]; /* places that the ball must contain */
    size_t extents, extents_max;
    struct space_point *point;
    size_t points, points_max;
    struct space_line *line;
    size_t lines, lines_max;
    struct space_label *label;
    size_t labels, labels_max;
    struct space_segment *segment;
    size_t segments, segments_max;
    struct space_legend legend[SPACE_LEGENDS_MAX];
    size_t legends;
    const char
        *hint; /* at the panel's right, about what is under the pointer; NULL: the usual one */
    bool hull; /* draws the hull of the points that are in_hull */
};

/* A point that follows the pointer, and the view when the drag began. The view stays the same until
 * the drag ends, or the scene would grow under the pointer. */
struct space_hold {
    bool held;
    bool moved;    /* farther than a click does */
    bool given_up; /* Esc ended the move: it is back at its place until the button is released */
    enum lab_stage stage;
    enum lab_part part;
    size_t head, row;
    size_t column[SPACE_AXES];
    bool along; /* along one axis only */
    size_t axis;
    float start[3], press_x, press_y;
    struct view_ball ball;
    struct view_lens lens;
    float low[3], high[3], axis_length[SPACE_AXES];
    struct space_grid grid;
};

/* --- space.c --- */

/* Marks the points from `from` on as rows of a part, if that may be edited. */
void space_own(struct space *space, size_t from, enum lab_part part);

/* --- space_scene.c --- */

/* Says whether the vectors that the stage shows are known (sizes.partial). */
bool space_knows(const struct view *view);

/* Builds the scene of the present stage. False: no memory. */
bool space_scene_build(struct space *space);

/* --- space_frame.c: memory, frames, places. --- */
bool space_reserve(struct space *space, size_t points, size_t lines, size_t extents);
bool space_frame_fit(struct space *space, const struct lab_matrix *matrices, size_t count,
                     const char *letter);
/* The place of a row of values. False: a value is not finite. */
bool space_place(const struct space *space, const float *values, float at[3]);
void space_extend(struct space *space, const float at[3]);
struct space_point *space_add_point(struct space *space);
struct space_line *space_add_line(struct space *space);
void space_add_legend(struct space *space, const char *text, struct colour colour, bool arrow);
const char *space_number(const struct space *space, const char *before, double value, int decimals);
/* The visible share of item `index` of `count` at the present position, 0 to 1. */
float space_arrived(const struct space *space, size_t index, size_t count);
/* Draws the choice of axes at the right of the footer: principal components, or three dimensions.
 * Returns the right end of the remaining room. */
float space_draw_choice(struct space *space, float left, float right, float middle);
/* Finds bounds, grid and ball of everything that was extended, and the lens. */
void space_fit(struct space *space);

/* --- space_angle.c --- */

/* The camera as it was turned, or if it was not, one that shows the labelled points apart. */
struct view_camera space_first_angle(struct space *space, const struct view_shown *shown);

/* --- space_marks.c: ground, axes, points, lines, hull. --- */
void space_draw_ground(struct space *space);
void space_draw_axes(struct space *space);

void space_see_points(struct space *space);
void space_draw_stems(struct space *space);
void space_draw_points(struct space *space, bool boxed);

void space_draw_hull(struct space *space);
void space_draw_lines(struct space *space, bool over);

/* --- space_labels.c --- */

/* Says whether a place on the panel lies in the area, extended by margin. */
bool space_sees(const struct space *space, float x, float y, float margin);
/* Says whether any point is visible, after space_see_points. */
bool space_sees_any(const struct space *space);
/* Adds a label for every visible point; equal words at one place share one: "the ×5". */
void space_label_points(struct space *space);

void space_add_label(struct space *space, const struct space_label *label);
void space_add_segment(struct space *space, float x0, float y0, float x1, float y1, float weight);
void space_place_labels(struct space *space);
void space_draw_labels(struct space *space);

#endif
