/* Where everything stands in a figure of curves. */
#include <math.h>

#include "base/translate.h"
#include "ui/theme.h"
#include "view/learn/names.h"
#include "view/learn/plot.h"
#include "view/parts/pieces.h"

static const float GAP = 16;        /* between two panels */
static const float TITLE = 17;      /* the line of the title of the axis of steps */
static const float TURNED = 20;     /* that of a title that reads upward */
static const float NUMBER = 15;     /* the line of numbers below the axis of steps */
static const float NAMES_OF = 0.3f, /* share of the width that names take where they can be
                                       wrapped, and at most */
    NAMES_MAX_OF = 0.45f;
static const float HIGH_OF = 0.62f, /* height of one panel as a share of its width; of more */
    EACH_HIGH_OF = 0.4f;
static const float HIGH_MAX = 260, EACH_HIGH_MAX = 120;
static const float WIDE_MIN = 90, HIGH_MIN = 36;   /* of the lines of a panel */
static const double TICKS_MAX = 6, STEPS_MAX = 10; /* intervals of an axis */
static const float NUMBERS_APART = 28; /* between two numbers above each other, at least */

/* A row for each unit: the title of its axis, and how high its panel is. */
static const struct {
    const char *title;
    float high;
} units[VIEW_LEARN_UNIT_COUNT] = {
    [VIEW_LEARN_NATS] = {"loss (nats)", 1},
    [VIEW_LEARN_SHARE] = {"share (%)", 1.25f},
    [VIEW_LEARN_COSINE] = {"cosine", 0.75f},
};

const char *learn_plot_title(enum view_learn_unit unit)
{
    return tr(units[unit].title);
}

bool learn_plot_has_names(const struct plot_panel *panel)
{
    return panel->unit != VIEW_LEARN_NATS || panel->curves > 1;
}

static bool has_values(const struct view_learn *learn, const struct view_learn_curve *curve)
{
    for (size_t i = 0; i < learn->points; i++) {
        if (isfinite(curve->value[i])) {
            return true;
        }
    }
    return false;
}

static void group_curves(const struct view_learn *learn, struct learn_plot *plot)
{
    for (int unit = 0; unit < VIEW_LEARN_UNIT_COUNT; unit++) {
        struct plot_panel *const panel = &plot->panel[plot->panels];
        *panel = (struct plot_panel){.unit = (enum view_learn_unit)unit};
        for (size_t c = 0; c < learn->curves; c++) {
            if (learn->curve[c].unit == panel->unit && has_values(learn, &learn->curve[c])) {
                panel->curve[panel->curves++] = c;
            }
        }
        plot->panels += panel->curves > 0;
    }
}

/* The numbers that the curves of a panel reach, 0 among them. */
static void find_extremes(const struct view_learn *learn, const struct plot_panel *panel,
                          double *low, double *high)
{
    *low = *high = 0;
    for (size_t c = 0; c < panel->curves; c++) {
        const float *const value = learn->curve[panel->curve[c]].value;
        for (size_t i = 0; i < learn->points; i++) {
            if (isfinite(value[i])) {
                *low = fmin(*low, (double)value[i]);
                *high = fmax(*high, (double)value[i]);
            }
        }
    }
}

/* The axis of a panel as high as this: shares from 0 to 100 percent, other numbers from the lowest
 * to the tick beyond the highest. */
static struct learn_axis axis_of(const struct view_learn *learn, const struct plot_panel *panel,
                                 float high)
{
    struct learn_axis axis = {.low = 0, .high = 1};
    find_extremes(learn, panel, &axis.low, &axis.high);
    if (panel->unit == VIEW_LEARN_SHARE) {
        axis.low = 0;
        axis.high = 100;
    }
    const double span = axis.high > axis.low ? axis.high - axis.low : 1;
    axis.interval = learn_round_above(
        fmax(span / TICKS_MAX, span * (double)(NUMBERS_APART / fmaxf(high, NUMBERS_APART))));
    axis.high = ceil((axis.low + span) / axis.interval - 1e-9) * axis.interval;
    return axis;
}

/* The width of the numbers beside all panels. */
static float numbers_width(const struct view *view, const struct learn_plot *plot)
{
    float wide = 0;
    for (size_t p = 0; p < plot->panels; p++) {
        struct learn_tick tick[LEARN_AXIS_TICKS_MAX];
        char text[TEXT_NUMBER_MAX];
        const struct learn_axis *const y = &plot->panel[p].y;
        const size_t count = learn_axis_ticks(y, tick);
        for (size_t t = 0; t < count; t++) {
            wide = fmaxf(wide, canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY,
                                              learn_axis_number(y, tick[t].value, text)));
        }
    }
    return wide;
}

/* The width of the longest line of a name, which is wrapped where it is longer than it may be. */
static float names_width(const struct view *view, const struct learn_plot *plot, float all)
{
    float wide = 0;
    for (size_t p = 0; p < plot->panels; p++) {
        const struct plot_panel *const panel = &plot->panel[p];
        for (size_t c = 0; learn_plot_has_names(panel) && c < panel->curves; c++) {
            const char *const name =
                learn_curve_name(view, &view->state->learn->curve[panel->curve[c]], false);
            wide = fmaxf(wide, view_wrapped_width(view, NAMES_OF * all, UI_TEXT_SMALL, name));
        }
    }
    return ceilf(wide);
}

/* Says whether two events disturb each other: their words overlap, or the line of the upper one
 * goes through the words of the lower one. Lines may be as near as they are. */
static bool do_collide(const struct plot_event *a, const struct plot_event *b)
{
    const struct plot_event *const lower = a->row < b->row ? a : b;
    const struct plot_event *const upper = lower == a ? b : a;
    const float from = lower->from - PLOT_APART, to = lower->from + lower->wide + PLOT_APART;
    const float left = upper->from - PLOT_APART, right = upper->from + upper->wide + PLOT_APART;
    return a->row == b->row ? from < right && left < to : upper->x > from && upper->x < to;
}

/* Places so many events in so many rows, the last one first, or finds that it cannot. */
static bool place_events(struct learn_plot *plot, size_t count, struct rect area, size_t *tries)
{
    if (count == 0) {
        return true;
    }
    struct plot_event *const event = &plot->event[count - 1];
    const float end = area.x + area.w - event->wide;
    const float from[] = {event->x + PLOT_APART, event->x - PLOT_APART - event->wide,
                          fmaxf(fminf(event->x - event->wide / 2, end), area.x)};
    for (size_t place = 0; place<3 * plot->rows && * tries> 0; place++) {
        event->row = place / 3;
        event->over = place % 3 == 2;
        event->from = from[place % 3];
        bool fits = event->from >= area.x && event->from <= end;
        for (size_t e = count; fits && e < plot->events; e++) {
            fits = !do_collide(event, &plot->event[e]);
        }
        --*tries;
        if (fits && place_events(plot, count - 1, area, tries)) {
            return true;
        }
    }
    return false;
}

/* Sets the words of all events, or their short forms, in as few rows as can be. */
static bool set_events(const struct view *view, struct learn_plot *plot, struct rect area,
                       bool brief)
{
    enum { TRIES = 4096 };
    const struct view_learn *const learn = view->state->learn;
    const bool asks = view_guess(view) != LAB_GUESS_NONE; /* they would reveal the guess */
    plot->events = asks ? 0 : learn->events;
    for (size_t e = 0; e < plot->events; e++) {
        const struct view_learn_event *const told = &learn->event[e];
        const char *const words = brief && told->brief != NULL ? told->brief : tr(told->words);
        plot->event[e] = (struct plot_event){
            .words = words,
            .x = learn_axis_place(&plot->x, (double)told->step),
            .wide = canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, words)};
    }
    for (plot->rows = 0; plot->rows <= plot->events; plot->rows++) {
        size_t tries = TRIES;
        if (place_events(plot, plot->events, area, &tries)) {
            return true;
        }
    }
    return false;
}

static struct learn_axis steps_axis(const struct view *view, float from, float to)
{
    const struct view_learn *const learn = view->state->learn;
    const double last = (double)(learn->reached > 1 ? learn->reached : 2);
    const bool linear = view->state->prefs.learn_linear;
    char text[TEXT_NUMBER_MAX];
    const float apart = 2 * canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY,
                                           text_count(text, learn->reached));
    const double least = fmax(last / STEPS_MAX, last * (double)(apart / fmaxf(to - from, apart)));
    return (struct learn_axis){.low = linear ? 0 : 1,
                               .high = last,
                               .from = from,
                               .to = to,
                               .logarithmic = !linear,
                               .interval = fmax(1, learn_round_above(least))};
}

/* The height of the panels: in a figure whose width alone was told as it looks best, else all there
 * is. */
static float panels_height(const struct view *view, const struct learn_plot *plot, float room)
{
    float units_high = 0;
    for (size_t p = 0; p < plot->panels; p++) {
        units_high += units[plot->panel[p].unit].high;
    }
    const bool alone = plot->panels == 1;
    const float each = alone ? fminf(HIGH_OF * plot->area.w, HIGH_MAX)
                             : fminf(EACH_HIGH_OF * plot->area.w, EACH_HIGH_MAX) * units_high;
    const float best = each + GAP * (float)(plot->panels - 1);
    return view->fills_width ? fminf(best, room) : room;
}

/* Divides the height among the panels; their axes have numbers as far apart as that allows. */
static void stack_panels(const struct view_learn *learn, struct learn_plot *plot)
{
    float units_high = 0, y = plot->area.y;
    for (size_t p = 0; p < plot->panels; p++) {
        units_high += units[plot->panel[p].unit].high;
    }
    const float lines = plot->area.h - GAP * (float)(plot->panels - 1);
    for (size_t p = 0; p < plot->panels; p++) {
        struct plot_panel *const panel = &plot->panel[p];
        const float high = lines * units[panel->unit].high / units_high;
        panel->area = (struct rect){plot->area.x, y, plot->area.w, high};
        panel->y = axis_of(learn, panel, high);
        panel->y.from = y + high;
        panel->y.to = y;
        plot->crowded = plot->crowded || high < HIGH_MIN;
        y += high + GAP;
    }
}

/* Places everything beside numbers of this width. */
static struct learn_plot lay_out(struct view *view, struct rect area, float numbers)
{
    struct learn_plot plot = {.area = area};
    group_curves(view->state->learn, &plot);
    const float names = names_width(view, &plot, area.w);
    const float left = TURNED + numbers + PLOT_APART + PLOT_TICK;
    plot.names = PLOT_TO_NAMES + names;
    plot.area.x += left;
    plot.area.w = fmaxf(area.w - left - plot.names, 1);
    plot.crowded = plot.area.w < WIDE_MIN || names > NAMES_MAX_OF * area.w;
    plot.x = steps_axis(view, plot.area.x, plot.area.x + plot.area.w);
    plot.crowded =
        (!set_events(view, &plot, area, false) && !set_events(view, &plot, area, true)) ||
        plot.crowded;
    const float head = UI_TEXT_TINY / 2 + PLOT_EVENT_ROW * (float)plot.rows;
    const float foot = PLOT_TICK + NUMBER + TITLE;
    plot.area.y += head;
    plot.area.h = fmaxf(panels_height(view, &plot, area.h - head - foot), 1);
    stack_panels(view->state->learn, &plot);
    return plot;
}

struct learn_plot learn_plot_layout(struct view *view, struct rect area)
{
    const struct learn_plot first = lay_out(view, area, 0);
    const struct learn_plot next = lay_out(view, area, numbers_width(view, &first));
    return lay_out(view, area, fmaxf(numbers_width(view, &next), numbers_width(view, &first)));
}
