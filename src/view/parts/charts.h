/* view/parts/charts.h — bar charts side by side over the same keys, read from left to right. */
#ifndef VIEW_PARTS_CHARTS_H
#define VIEW_PARTS_CHARTS_H

#include "view/parts/view.h"

/* The heights of the charts besides a line for each key: of their titles, of the formulas below
 * these, and of the texts below all. */
#define VIEW_CHARTS_TITLES 28.0f
#define VIEW_CHARTS_FORMULAS 18.0f
#define VIEW_CHARTS_FOOT 24.0f
#define VIEW_CHARTS_LINE 30.0f /* height limit of the line of a key */

struct view_chart {
    const char *title, *formula;
    struct colour colour;
    const double *value; /* [m], one for every key */
    double longest;      /* |value| of the longest bar; longer ones have torn ends */
    bool of_row;         /* of the selected query: keys that it does not see have "—" */
    bool leftward;       /* bars grow to the left: they are negative */
    int decimals;
    const char *foot; /* text below the chart, NULL: none */
    float grown;      /* growth of the bars, 0 to 1 */
    bool weights;     /* keys that are set aside have no bar */
    bool draggable;   /* weights of the selected query, which may be changed by dragging */
};

/* Charts in an area that is divided into `columns`. */
struct view_charts {
    const struct view_chart *chart; /* [count] */
    size_t count, columns;
    const double *share; /* [m], which keys are shown where not all have room */
    bool formulas, sums; /* there is room for them */
};

/* Draws them. Where not all keys have room, it shows the largest by share, in their own order, and
 * the chosen one. */
void view_charts(struct view *view, const struct view_charts *charts, struct rect area);

#endif
