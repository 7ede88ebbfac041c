/* view/overview/thumbnail_cache.h — the small pictures of heads as they were drawn last: pointing,
 * zooming and scrolling change none of them. */
#ifndef VIEW_OVERVIEW_THUMBNAIL_CACHE_H
#define VIEW_OVERVIEW_THUMBNAIL_CACHE_H

struct view_thumbnail_cache;

/* NULL: no memory, and every frame colours them anew. */
struct view_thumbnail_cache *view_thumbnail_cache_open(void);
void view_thumbnail_cache_close(struct view_thumbnail_cache *thumbnails);

#endif
