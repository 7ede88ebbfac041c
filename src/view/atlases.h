/* view/atlases.h — the small pictures of heads as they were drawn last: pointing, zooming and
 * scrolling change none of them. */
#ifndef VIEW_ATLASES_H
#define VIEW_ATLASES_H

struct view_atlases;

/* NULL: no memory, and every frame colours them anew. */
struct view_atlases *view_atlases_open(void);
void view_atlases_close(struct view_atlases *atlases);

#endif
