/* view/parts/charts.h — bar charts side by side over the same keys, read from left to right. */
#ifndef VIEW_PARTS_CHARTS_H
#define VIEW_PARTS_CHARTS_H

#include "view/parts/view.h"

/* What the charts take besides a line for each key. */
#define VIEW_CHARTS_HEAD 46.0f
#define VIEW_CHARTS_FOOT 24.0f
#define VIEW_CHARTS_LINE 30.0f /* of one key, at most */

struct view_chart {
    const char *title, *formula;
    struct colour colour;
    const double *value; /* of every key */
    double longest;      /* |value| of the longest bar; longer ones end torn */
    bool of_row;         /* of the selected query: what it does not see is "—" */
    bool leftward;       /* bars grow from the right end to the left: they are negative */
    int decimals;
    const char *foot; /* below the column, NULL: nothing */
    float grown;      /* 0 … 1 */
    bool weights;     /* keys that are set aside have no bar */
    bool draggable;   /* weights of the selected query, which the hand may change */
};

/* Draws `count` charts with room for `columns` of them. Where the keys have no room the strongest
 * by `share` [m] are drawn, in their own order, and the chosen one. */
void view_charts(struct view *view, const struct view_chart *charts, size_t count, size_t columns,
                 const double *share, struct rect area);

#endif
