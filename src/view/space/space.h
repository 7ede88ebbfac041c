/* view/space/space.h — the 3-D view in its parts: what a stage shows (space_scene.c), how points
 * and axes (space_points.c), links and hulls (space_links.c) and words (space_labels.c) are drawn,
 * and what hands do to it (space.c). */
#ifndef VIEW_SPACE_SPACE_H
#define VIEW_SPACE_SPACE_H

#include "view/parts/pieces.h"
#include "view/space/camera.h"

enum { SPACE_LEGENDS_MAX = 4, SPACE_AXES = 3, SPACE_LABEL_WIDE = 120, SPACE_LABEL_CLASS = 170 };

/* A token somewhere in space. */
struct space_point {
    float at[3];
    struct colour colour;
    float radius; /* at the middle of the ball; drawn larger when nearer */
    float fade;   /* 0: not there yet … 1 */
    bool hollow;  /* a ring: where something was, or what is hidden */
    bool stem;    /* a dashed line down to the ground */
    bool in_hull;
    bool mixed;       /* a value that the chosen query takes part of: z is between those */
    bool chosen;      /* ringed, its word first */
    bool quiet;       /* has no label */
    bool lettered;    /* its word, "q(dog)", is in its own colour */
    bool boxed;       /* its label is a framed box (z) */
    const char *word; /* label; NULL: none */
    const char *note; /* a number below the word; NULL: none */
    const char *name; /* of its group in the list */
    unsigned parts;   /* what a hover actions; 0: nothing */
    size_t index;     /* of the query or the key */
    bool owned;       /* it is row `index` of `part`, whose numbers can be typed */
    enum lab_part part;
    size_t equals;         /* how many more of the same word stand here; its label speaks for all */
    struct view_spot spot; /* where it is seen */
    float clear;           /* words keep this far from its middle */
};

/* A straight piece in space. */
struct space_line {
    float from[3], to[3];
    struct colour colour;
    float width;
    float dash;  /* 0: solid */
    float share; /* 0 … 1: how much of it is there yet, from its start */
    bool arrow;
    bool over;    /* the balls, but for the boxed ones; else below them */
    bool round;   /* too short to be seen as a line: drawn as a ring of that width round its end */
    float ring;   /* inner radius of that ring */
    size_t owner; /* index of the point it surrounds, when round */
    const char *name; /* of its group; NULL: none */
};

/* A word that looks for a place near (x, y). */
struct space_label {
    const char *word, *note;
    const char *name;
    struct colour colour;
    enum font_face face;
    float size;
    float x, y, radius; /* what it belongs to */
    bool must; /* finds a place farther away, with a leader line, when there is none near */
    bool boxed;
    bool coloured;    /* in the colour of its point, and its line too */
    float rank;       /* smaller first */
    size_t point;     /* index of the point, SIZE_MAX: none */
    struct rect area; /* where it stands */
    float cost;       /* of that place */
    bool placed, leader;
};

struct space_segment {
    float x0, y0, x1, y1;
    float weight; /* how much a label dislikes to lie on it */
};

struct space_legend {
    const char *text;
    struct colour colour;
    bool arrow;
};

/* A soft grid: on the ground (the plane of the first and the third axis) or, for two dimensions, in
 * their plane; for one the ticks of a line. */
struct space_grid {
    size_t across, along; /* its two axes */
    float step;
    float low[2], high[2]; /* multiples of step */
};

struct space {
    struct view *view;
    const char *title;       /* what is shown: "— how far each key reaches along dog" */
    const char *brief_title; /* … where there is no room for that; NULL: none */
    struct rect area;        /* of the drawing */
    struct lab_frame frame;
    bool raw;                  /* three dimensions in place of components */
    size_t column[SPACE_AXES]; /* that the axes are, unless the frame is of components */
    struct space_hold *hold;   /* NULL: points cannot be moved */
    const char *axis[SPACE_AXES];
    size_t dimensions;      /* 1 … 3 */
    size_t true_dimensions; /* of the vectors */
    float origin[3];
    float axes_fade; /* 0 … 1 */
    struct view_ball ball;
    struct view_lens lens;
    struct view_camera camera; /* the lens's: as it was turned, or the first angle */
    float low[3], high[3];     /* bounds of what is shown and the origin */
    float axis_length[SPACE_AXES];
    struct space_grid grid;
    float (*extent)[3]; /* what the ball must hold */
    size_t extents, extents_most;
    struct space_point *point;
    size_t points, points_most;
    struct space_line *line;
    size_t lines, lines_most;
    struct space_label *label;
    size_t labels, labels_most;
    struct space_segment *segment;
    size_t segments, segments_most;
    struct space_legend legend[SPACE_LEGENDS_MAX];
    size_t legends;
    const char *hint; /* at the panel's right, of what is under the pointer; NULL: the usual one */
    bool hull;        /* around the points that are in_hull */
};

/* A point that follows the pointer, and how the space was seen when it was taken: it stays so until
 * the hand lets go, or the scene would grow under it. */
struct space_hold {
    bool held;
    bool moved;    /* farther than a click */
    bool given_up; /* Esc: back where it was, until the hand lets go */
    enum lab_stage stage;
    enum lab_part part;
    size_t head, row;
    size_t column[SPACE_AXES];
    bool along;  /* along one axis only: … */
    size_t axis; /* … this one */
    float start[3], press_x, press_y;
    struct view_ball ball;
    struct view_lens lens;
    float low[3], high[3], axis_length[SPACE_AXES];
    struct space_grid grid;
};

/* --- space_drag.c --- */

/* Whether a point follows the pointer in this frame; actions for what becomes of its numbers.
 * under: what the pointer is over, NULL: nothing. */
/* The axis along which a point is moved. */
/* The point that is held; NULL: none. */
/* Points from `from` on are rows of a part that can be typed over. */
void space_own(struct space *space, size_t from, enum lab_part part);

/* --- space_choice.c --- */

/* Which columns the axes are, of so many: as wished, each once. */
/* At the right of the foot: components, or three dimensions of one's choice. Returns where what is
 * left of it ends. */
float space_draw_choice(struct space *space, float left, float right, float middle);

/* --- space_scene.c --- */

/* Whether the vectors that a stage shows as points are known (sizes.partial). */
bool space_knows(const struct view *view);

/* Fills the scene of the current stage. False: no memory. */
bool space_scene_build(struct space *space);

/* --- space_frame.c: memory, frames, places --- */
bool space_reserve(struct space *space, size_t points, size_t lines, size_t extents);
bool space_frame_fit(struct space *space, const struct lab_matrix *matrices, size_t count,
                     const char *letter);
/* A row of values as a place. False: it holds something that is no number. */
bool space_place(const struct space *space, const float *values, float at[3]);
void space_extend(struct space *space, const float at[3]);
struct space_point *space_add_point(struct space *space);
struct space_line *space_add_line(struct space *space);
void space_add_legend(struct space *space, const char *text, struct colour colour, bool arrow);
const char *space_number(const struct space *space, const char *before, double value, int decimals);
/* How much of item `index` of `count` is there at the moment of the stage. */
float space_arrived(const struct space *space, size_t index, size_t count);
/* The bounds, the grid and the ball of what was extended, and the lens. */
void space_fit(struct space *space);

/* --- space_angle.c --- */

/* The camera that was turned; one that nobody turned sees the labelled points apart. */
struct view_camera space_first_angle(struct space *space, const struct view_shown *shown);

/* --- space_ground.c --- */
void space_draw_ground(struct space *space);
void space_draw_axes(struct space *space);

/* --- space_points.c --- */
void space_see_points(struct space *space);
void space_draw_stems(struct space *space);
void space_draw_points(struct space *space, bool boxed);

/* --- space_links.c --- */
void space_draw_hull(struct space *space);
void space_draw_lines(struct space *space, bool over);

/* --- space_words.c --- */
/* Whether a spot lies in the area, give or take `reach`. */
bool space_sees(const struct space *space, float x, float y, float margin);
/* Whether any point can be seen, now that they have their spots. */
bool space_sees_any(const struct space *space);
/* What is written at every point that can be seen; equal words at one place are one: "the ×5". */
void space_label_points(struct space *space);

/* --- space_labels.c --- */
void space_add_label(struct space *space, const struct space_label *label);
void space_add_segment(struct space *space, float x0, float y0, float x1, float y1, float weight);
void space_place_labels(struct space *space);
void space_draw_labels(struct space *space);

#endif
