/* view/sheets/kinds.h — every kind of attention on the present words at once, as small heatmaps;
 * kept between frames, for each is an experiment of its own. */
#ifndef VIEW_SHEETS_KINDS_H
#define VIEW_SHEETS_KINDS_H

#include "view/parts/view.h"

/* What was computed last; outlives frames. */
struct view_kinds;

/* NULL: no memory, and the sheet stays empty. */
struct view_kinds *view_kinds_open(void);
void view_kinds_close(struct view_kinds *kinds);

/* Lets go of what was computed beside another trace. */
void view_kinds_follow(struct view_kinds *kinds, const struct lab_trace *trace);

#endif
