/* view/sheets/kinds.h — every kind of attention on the present tokens, as small heatmaps; cached
 * between frames, as each is an experiment of its own. */
#ifndef VIEW_SHEETS_KINDS_H
#define VIEW_SHEETS_KINDS_H

#include "view/parts/view.h"

/* The kinds that were computed last, kept between frames. */
struct view_kinds;

/* NULL: no memory; the overlay stays empty. */
struct view_kinds *view_kinds_open(void);
void view_kinds_close(struct view_kinds *kinds);

/* Releases what was computed for another trace. */
void view_kinds_follow(struct view_kinds *kinds, const struct lab_trace *trace);

#endif
