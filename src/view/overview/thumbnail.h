/* view/overview/thumbnail.h — the small pictures of heads, kept as they were drawn last: pointing,
 * zooming and scrolling change none of them. */
#ifndef VIEW_OVERVIEW_THUMBNAIL_H
#define VIEW_OVERVIEW_THUMBNAIL_H

#include "view/parts/head_overview.h"
#include "view/parts/view.h"

struct view_thumbnail_cache;

/* NULL: no memory, and every frame colours them anew. */
struct view_thumbnail_cache *view_thumbnail_cache_open(void);
void view_thumbnail_cache_close(struct view_thumbnail_cache *thumbnails);

struct view_thumbnail_ink;

/* The colours of all small pictures of this frame; owned by its arena. NULL: no memory, or nothing
 * is open. */
const struct view_thumbnail_ink *view_thumbnail_ink(struct view *view);

/* The weight of the last colour: where sinks are aside, the largest of what is left. */
float view_head_overview_top(const struct view *view);

/* Whether the head of a place was looked at; of others the picture is empty. */
bool view_thumbnail_is_there(const struct view *view, size_t place);

/* One head's picture over area: no more pixels than there are on the screen. */
void view_thumbnail_draw(struct view *view, const struct view_thumbnail_ink *ink, size_t place,
                         struct rect area);

/* The row of the query and the column of the key in such a picture. */
void view_thumbnail_mark(struct view *view, struct rect area, float strength);

/* How many heads share keys and values: 1, each has its own. */
size_t view_thumbnail_sharing(const struct view *view);

#endif
