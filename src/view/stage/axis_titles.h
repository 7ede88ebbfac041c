/* view/stage/axis_titles.h — what the columns and the rows of a matrix are, beside the names of
 * them:
 *
 *               key
 *         the  cat  sat
 *     q the █    ▒    ░
 *     u cat ▒    █    ░
 */
#ifndef VIEW_STAGE_AXIS_TITLES_H
#define VIEW_STAGE_AXIS_TITLES_H

#include "view/parts/pieces.h"

struct view_axis_titles {
    const char *x, *y; /* of the columns and of the rows; NULL: none */
};

/* Returns the titles that were asked for, or in a figure that has no caption "key" and "query". */
struct view_axis_titles view_axis_titles_of(const struct view *view, bool has_caption,
                                            enum view_axis rows, enum view_axis columns);

/* The room of a title beside the names; 0: there is none. */
float view_axis_title_room(const char *title);

/* Draws each in the middle of its side of the cells. beside, above: from the cells to the outer
 * edge of the titles. What is longer than its side begins at the edge; where nobody asked for it,
 * it is left out then. */
void view_axis_titles_draw(struct view *view, const struct view_axis_titles *titles,
                           struct rect cells, float beside, float above);

#endif
