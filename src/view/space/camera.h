/* view/space/camera.h — the projection of points in space onto the panel.
 *
 * The lens shows everything as large as it fits, in the middle of its area, so that turning never
 * moves anything out of sight. The perspective is weak: lines stay lines, hulls stay hulls, and
 * nearer points are a little larger. */
#ifndef VIEW_SPACE_CAMERA_H
#define VIEW_SPACE_CAMERA_H

#include "view/parts/view.h"

/* A ball around points. */
struct view_ball {
    float middle[3];
    float radius;
};

/* The smallest ball around count points, to about 1 %; radius at least 1e-6. Bădoiu and Clarkson
 * 2003. */
struct view_ball view_ball_around(const float (*points)[3], size_t count);

struct view_lens {
    float matrix[16]; /* rotation about the ball's middle, column-major */
    float radius;     /* of the ball */
    float scale;      /* pixels of the layout for one unit, at the middle */
    float x, y;       /* place of the middle */
};

/* The projection of a point. */
struct view_spot {
    float x, y;  /* place in the layout */
    float near;  /* from −1, farthest, to 1, nearest in the ball */
    float scale; /* magnification relative to the middle, about 1 */
};

/* The ball, and the points that must stay inside the area, also when the camera turns a little
 * about the upright axis. flat: there are fewer than three dimensions, which the home camera sees
 * face on. */
struct view_shown {
    struct view_ball ball;
    const float (*points)[3];
    size_t count;
    bool flat;
    bool large; /* labels have the size of the presenter view and need more room */
};
struct view_lens view_lens_make(const struct view_camera *camera, const struct view_shown *shown,
                                struct rect area);
struct view_spot view_lens_see(const struct view_lens *lens, const float point[3]);

/* Finds the place of a point that follows the pointer by (dx, dy), moved only along the axes that
 * it may: the nearest to its start, so that along all three it stays in the plane of the view. */
void view_lens_follow(const struct view_lens *lens, const float start[3], const bool may[3],
                      float dx, float dy, float at[3]);

/* The camera after input: turned by a drag of (dx, dy), moved, or zoomed by notches of the wheel
 * about (x, y), measured from the middle at pan 0. Values stay within limits. */
struct view_camera view_camera_turned(struct view_camera camera, float dx, float dy);
struct view_camera view_camera_moved(struct view_camera camera, float dx, float dy);
struct view_camera view_camera_zoomed(struct view_camera camera, float notches, float x, float y);

#endif
