/* view/overview/thumbnail.h — the thumbnails of heads, cached as they were drawn last: hovering,
 * zooming and scrolling change none of them. */
#ifndef VIEW_OVERVIEW_THUMBNAIL_H
#define VIEW_OVERVIEW_THUMBNAIL_H

#include "view/parts/head_overview.h"
#include "view/parts/view.h"

struct view_thumbnail_cache;

/* NULL: no memory; every frame colours them then. */
struct view_thumbnail_cache *view_thumbnail_cache_open(void);
void view_thumbnail_cache_close(struct view_thumbnail_cache *thumbnails);

struct view_thumbnail_ink;

/* The colours of all thumbnails of this frame; owned by its arena. NULL: no memory, or nothing is
 * open. */
const struct view_thumbnail_ink *view_thumbnail_ink(struct view *view);

/* Says whether the pictures are of weights times the lengths of what is attended to. */
bool view_head_overview_is_weighed(const struct view *view);

/* Gives the colour map the ends that it has in the pictures: if sinks are set aside, the largest of
 * the other weights; of what is weighed, 1 is the largest of its layer. Returns the former ends. */
struct view_share_range {
    float low, top;
    bool over, under; /* as view->share_over */
};
struct view_share_range view_head_overview_set_range(struct view *view);
void view_head_overview_restore_range(struct view *view, struct view_share_range former);

/* Says whether the head at a place was computed already; the thumbnails of others are empty. */
bool view_thumbnail_is_there(const struct view *view, size_t place);

/* Draws the thumbnail of a head in an area, with no more pixels than the screen. */
void view_thumbnail_draw(struct view *view, const struct view_thumbnail_ink *ink, size_t place,
                         struct rect area);

/* Crosses the thumbnail of a head out where the head is switched off. */
void view_thumbnail_cross(struct view *view, size_t place, struct rect area);

/* Marks the row of the query and the column of the key in a thumbnail. */
void view_thumbnail_mark(struct view *view, struct rect area, float strength);

/* The number of heads that share keys and values; 1: each has its own. */
size_t view_thumbnail_sharing(const struct view *view);

#endif
