/* view/learn/plot.h — the curves of training as a figure: one panel for each unit above the same
 * axis of steps, a name beside the end of each curve, and the events above them. */
#ifndef VIEW_LEARN_PLOT_H
#define VIEW_LEARN_PLOT_H

#include "view/learn/axis.h"
#include "view/parts/learn.h"

/* Distances in points. */
#define PLOT_EVENT_ROW 16.0f /* height of a row of events' words */
#define PLOT_TICK 4.0f       /* length of a tick */
#define PLOT_APART 4.0f      /* between a tick and its number, a line and its words */
#define PLOT_TO_NAMES 14.0f  /* from the panels to the names beside them */

/* Curves of one unit with their axis. */
struct plot_panel {
    enum view_learn_unit unit;
    size_t curve[VIEW_LEARN_CURVES_MAX]; /* index in the training */
    size_t curves;
    struct rect area; /* of the lines */
    struct learn_axis y;
};

/* The words of an event in a row above the panels, beside its line or, where neither side has room,
 * over it. */
struct plot_event {
    const char *words;
    float x, from, wide; /* of its line; left end and width of its words */
    size_t row;          /* from 0, the one next to the panels */
    bool over;
};

struct learn_plot {
    struct plot_panel panel[VIEW_LEARN_UNIT_COUNT];
    size_t panels;
    struct plot_event event[VIEW_LEARN_EVENTS_MAX];
    size_t events, rows; /* rows of words */
    struct learn_axis x;
    struct rect area; /* of all panels, from the first one's top to the last one's bottom */
    float names;      /* width of the names, which are right of it; 0: there are none */
    bool crowded;     /* something has no room */
};

struct learn_plot learn_plot_layout(struct view *view, struct rect area);

/* The title of a unit's axis. */
const char *learn_plot_title(enum view_learn_unit unit);

/* Says whether names stand beside the panel's curves: a curve of loss alone is named by its axis.
 */
bool learn_plot_has_names(const struct plot_panel *panel);

#endif
