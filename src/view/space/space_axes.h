/* view/space/space_axes.h — a cache of principal axes: they are found once for the same numbers,
 * not in every frame, as finding them takes longer than drawing. */
#ifndef VIEW_SPACE_SPACE_AXES_H
#define VIEW_SPACE_SPACE_AXES_H

#include "base/arena.h"
#include "lab/run/measure.h"

/* The axes found last, kept between frames. */
struct view_axes;

/* The drag of a point, kept with them (view/space/space.h). */
struct space_hold;
struct space_hold *view_axes_hold(struct view_axes *axes);

/* NULL: no memory; every frame finds the axes then. */
struct view_axes *view_axes_open(void);
void view_axes_close(struct view_axes *axes);

#endif
