/* view/space/space_axes.h — principal axes are found once for the same numbers, not once a picture:
 * while somebody turns the space they stay, and finding them takes longer than drawing. */
#ifndef VIEW_SPACE_SPACE_AXES_H
#define VIEW_SPACE_SPACE_AXES_H

#include "base/arena.h"
#include "lab/run/measure.h"

/* The axes found last; outlives frames. */
struct view_axes;

/* What a hand holds in the 3-D view, kept with them (view/space/space.h). */
struct space_hold;
struct space_hold *view_axes_hold(struct view_axes *axes);

/* NULL: no memory, and each picture finds its own. */
struct view_axes *view_axes_open(void);
void view_axes_close(struct view_axes *axes);

#endif
