/* view/space/camera.h — how points of space come onto the panel.
 *
 * The lens looks at everything that is shown: as large as it fits, in the middle of its area, so
 * that turning never moves anything out of sight. A weak perspective: lines stay lines, hulls stay
 * hulls, and what is nearer is a little larger. */
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
    float matrix[16]; /* turns about the ball's middle; column by column */
    float radius;     /* of the ball */
    float scale;      /* points on screen for one unit, at the middle */
    float x, y;       /* where the middle stands */
};

/* What can be seen of one point. */
struct view_spot {
    float x, y;  /* points on screen */
    float near;  /* −1 farthest … 1 nearest, within the ball */
    float scale; /* how much larger than in the middle: about 1 */
};

/* The ball, and the count points that must stay inside area, also when the camera turns a little
 * about the upright axis. flat: there are fewer than three dimensions; the home camera then sees
 * them face on. */
struct view_shown {
    struct view_ball ball;
    const float (*points)[3];
    size_t count;
    bool flat;
    bool large; /* the words beside them are those before a class, and need more room */
};
struct view_lens view_lens_make(const struct view_camera *camera, const struct view_shown *shown,
                                struct rect area);
struct view_spot view_lens_see(const struct view_lens *lens, const float point[3]);

/* Where a point goes that follows the pointer by (dx, dy) on screen, moved along those axes only
 * that it may: nearest to where it was, so that along all three it stays in the plane of the view.
 */
void view_lens_follow(const struct view_lens *lens, const float start[3], const bool may[3],
                      float dx, float dy, float at[3]);

/* What hands do to a camera: turned by a drag of (dx, dy) points, moved, zoomed by notches of the
 * wheel about (x, y), measured from where the middle stands at pan 0. Values stay within sane
 * limits. */
struct view_camera view_camera_turned(struct view_camera camera, float dx, float dy);
struct view_camera view_camera_moved(struct view_camera camera, float dx, float dy);
struct view_camera view_camera_zoomed(struct view_camera camera, float notches, float x, float y);

#endif
