/* view/overview/head_overview_internal.h — what the panel of all heads and the enlarged head share.
 */
#ifndef VIEW_OVERVIEW_HEAD_OVERVIEW_INTERNAL_H
#define VIEW_OVERVIEW_HEAD_OVERVIEW_INTERNAL_H

#include "view/parts/head_overview.h"
#include "view/parts/view.h"

struct view_thumbnail_ink;

/* The colours of all small pictures of this frame; owned by its arena. NULL: no memory, or nothing
 * is open. */
const struct view_thumbnail_ink *view_thumbnail_ink(struct view *view);

/* One head's picture over area: no more pixels than there are on the screen. */
void view_thumbnail_draw(struct view *view, const struct view_thumbnail_ink *ink, size_t place,
                         struct rect area);

/* The row of the query and the column of the key in such a picture. */
void view_thumbnail_mark(struct view *view, struct rect area, float strength);

/* What a cell of the pictures stands for: "each cell: the largest of 16 × 16 weights". NULL: one
 * weight. Owned by the frame's arena. */
const char *view_head_overview_cell(struct view *view);

/* "layer 5, head 7". Owned by the frame's arena. */
const char *view_head_overview_name(struct view *view, size_t place);

void view_head_overview_action(struct view *view, enum view_head_overview_act act, size_t other);

#endif
