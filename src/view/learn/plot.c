/* The curves of training as a figure. */
#include "view/learn/plot.h"

#include <math.h>

#include "base/translate.h"
#include "ui/theme.h"
#include "view/learn/curves.h"
#include "view/learn/names.h"
#include "view/parts/pieces.h"

static const float SPINE = 0.8f, CURVE = 1.6f, LEADER = 0.6f, EVENT = 0.8f;
static const float LINE = 1.5f * UI_TEXT_SMALL; /* of a name that is wrapped */
static const float COLUMN = 0.6f;               /* points of a curve that are nearer are one */
static const float HEADLINE = 30;

static const struct view_learn *shown_training(const struct view *view)
{
    return view->state->learn;
}

/* Numbers of a panel as its axis has them: shares in percent. */
static double number_of(const struct plot_panel *panel, float value)
{
    return panel->unit == VIEW_LEARN_SHARE ? 100 * (double)value : (double)value;
}

/* --- axes --- */

static void draw_x_axis(struct view *view, const struct learn_plot *plot,
                        const struct plot_panel *panel, bool has_numbers)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct colour ink = view_label_ink(view);
    const float bottom = panel->area.y + panel->area.h, thick = view_line_width(view, SPINE);
    struct learn_tick tick[LEARN_AXIS_TICKS_MAX];
    char text[TEXT_NUMBER_MAX];
    const size_t count = learn_axis_ticks(&plot->x, tick);
    canvas_line(canvas, plot->x.from, bottom, plot->x.to, bottom, thick, ink);
    for (size_t t = 0; t < count; t++) {
        const float x = learn_axis_place(&plot->x, tick[t].value);
        canvas_line(canvas, x, bottom, x, bottom + (tick[t].has_number ? PLOT_TICK : PLOT_TICK / 2),
                    thick, ink);
        if (has_numbers && tick[t].has_number) {
            canvas_text(canvas, x, bottom + PLOT_TICK + UI_TEXT_TINY + 1, FONT_NUMBERS,
                        UI_TEXT_TINY, ink, CANVAS_CENTRE,
                        learn_axis_number(&plot->x, tick[t].value, text));
        }
    }
}

static void draw_y_axis(struct view *view, const struct learn_plot *plot,
                        const struct plot_panel *panel, float left)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct colour ink = view_label_ink(view);
    const struct rect area = panel->area;
    const float thick = view_line_width(view, SPINE);
    const char *const title = learn_plot_title(panel->unit);
    const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, title);
    struct learn_tick tick[LEARN_AXIS_TICKS_MAX];
    char text[TEXT_NUMBER_MAX];
    const size_t count = learn_axis_ticks(&panel->y, tick);
    canvas_line(canvas, area.x, area.y, area.x, area.y + area.h, thick, ink);
    for (size_t t = 0; t < count; t++) {
        const float y = learn_axis_place(&panel->y, tick[t].value);
        canvas_line(canvas, area.x - PLOT_TICK, y, area.x, y, thick, ink);
        canvas_text(canvas, area.x - PLOT_TICK - PLOT_APART, y + 0.36f * UI_TEXT_TINY, FONT_NUMBERS,
                    UI_TEXT_TINY, ink, CANVAS_RIGHT,
                    learn_axis_number(&panel->y, tick[t].value, text));
    }
    view_note_lack(view, VIEW_LACKS_ROOM, wide > area.h + (plot->panels > 1 ? PLOT_APART : LINE));
    canvas_text_turned(canvas, left + UI_TEXT_SMALL, area.y + (area.h + wide) / 2, 90, FONT_WORDS,
                       UI_TEXT_SMALL, ink, CANVAS_LEFT, title);
}

static void draw_steps_title(struct view *view, const struct learn_plot *plot)
{
    const char *const asked = view->state->frame.x_title;
    const char *const title = asked != NULL ? asked : tr("step of training");
    canvas_text(view->ui->canvas, plot->area.x + plot->area.w / 2,
                plot->area.y + plot->area.h + PLOT_TICK + UI_TEXT_TINY + 1 + LINE, FONT_WORDS,
                UI_TEXT_SMALL, view_label_ink(view), CANVAS_CENTRE, title);
}

/* --- curves --- */

/* Dashes tell the curves of a panel apart where nothing is told by hue. */
static struct paint stroke_of(const struct view *view, const struct view_learn_curve *curve,
                              size_t rank)
{
    static const float dashes[][2] = {{0, 0}, {5, 2.5f}, {1.5f, 2}, {8, 2.5f}};
    enum { DASHES = sizeof dashes / sizeof *dashes };
    const bool grey = view->ui->theme->grey;
    const float *const dash = dashes[grey ? rank % DASHES : 0];
    return (struct paint){.stroke = view_role_colour(view, curve->role),
                          .width = CURVE,
                          .dash = curve->dashed ? 4 : dash[0],
                          .gap = curve->dashed ? 3 : dash[1]};
}

/* Draws a curve as far as its axis goes; *end is its last point. */
static void draw_curve(struct view *view, const struct learn_plot *plot,
                       const struct plot_panel *panel, size_t rank, struct point *end)
{
    const struct view_learn *const learn = shown_training(view);
    const struct view_learn_curve *const curve = &learn->curve[panel->curve[rank]];
    struct point *const point = arena_array(view->arena, learn->points, sizeof *point);
    size_t count = 0;
    for (size_t i = 0; point != NULL && i < learn->points; i++) {
        if (!isfinite(curve->value[i]) || (double)learn->at[i] < plot->x.low) {
            continue;
        }
        const struct point at = {learn_axis_place(&plot->x, (double)learn->at[i]),
                                 learn_axis_place(&panel->y, number_of(panel, curve->value[i]))};
        count -= count > 1 && at.x - point[count - 2].x < COLUMN;
        point[count++] = at;
    }
    *end = count > 0 ? point[count - 1] : (struct point){panel->area.x, panel->area.y};
    if (count > 1) {
        const struct paint paint = stroke_of(view, curve, rank);
        canvas_path(view->ui->canvas, point, count, false, &paint);
    } else if (count == 1) {
        canvas_circle(view->ui->canvas, end->x, end->y, CURVE,
                      &(struct paint){.fill = view_role_colour(view, curve->role)});
    }
}

/* --- names --- */

struct name {
    const struct view_learn_curve *curve;
    struct point end; /* of the curve */
    float y, high;    /* of the lines of the name */
};

static void sort_names(struct name *name, size_t count)
{
    for (size_t n = 1; n < count; n++) {
        const struct name moved = name[n];
        size_t at = n;
        for (; at > 0 && name[at - 1].end.y > moved.end.y; at--) {
            name[at] = name[at - 1];
        }
        name[at] = moved;
    }
}

/* Moves names apart, from the highest to the lowest and back, within the panel. */
static bool part_names(struct name *name, size_t count, struct rect area)
{
    const float low = area.y + area.h + LINE / 2;
    float y = area.y - LINE / 2;
    for (size_t n = 0; n < count; n++) {
        name[n].y = fmaxf(name[n].end.y - name[n].high / 2, y);
        y = name[n].y + name[n].high;
    }
    y = low;
    for (size_t n = count; n > 0; n--) {
        name[n - 1].y = fminf(name[n - 1].y, y - name[n - 1].high);
        y = name[n - 1].y;
    }
    return y >= area.y - LINE / 2 - 0.5f;
}

static void draw_names(struct view *view, const struct learn_plot *plot,
                       const struct plot_panel *panel, struct name *name)
{
    struct canvas *const canvas = view->ui->canvas;
    const float x = plot->area.x + plot->area.w + PLOT_TO_NAMES;
    const float wide = plot->names - PLOT_TO_NAMES;
    for (size_t n = 0; n < panel->curves; n++) {
        name[n].high = view_wrapped_height(view, wide + 1, UI_TEXT_SMALL,
                                           learn_curve_name(view, name[n].curve, false));
    }
    sort_names(name, panel->curves);
    view_note_lack(view, VIEW_LACKS_ROOM, !part_names(name, panel->curves, panel->area));
    for (size_t n = 0; n < panel->curves; n++) {
        const struct colour colour = view_role_colour(view, name[n].curve->role);
        const float middle = name[n].y + LINE / 2;
        const struct point way[] = {{name[n].end.x + 2, name[n].end.y}, {x - 2, middle}};
        canvas_path(canvas, way, 2, false, &(struct paint){.stroke = colour, .width = LEADER});
        view_wrapped(view, x, name[n].y + LINE / 2 + 0.36f * UI_TEXT_SMALL, wide + 1, UI_TEXT_SMALL,
                     colour, learn_curve_name(view, name[n].curve, false));
    }
}

static void draw_panel(struct view *view, const struct learn_plot *plot,
                       const struct plot_panel *panel)
{
    struct name name[VIEW_LEARN_CURVES_MAX];
    for (size_t c = panel->curves; c > 0; c--) { /* the first lies over the others */
        name[c - 1] = (struct name){.curve = &shown_training(view)->curve[panel->curve[c - 1]]};
        draw_curve(view, plot, panel, c - 1, &name[c - 1].end);
    }
    if (learn_plot_has_names(panel)) {
        draw_names(view, plot, panel, name);
    }
}

/* --- events --- */

/* Draws a line at a step through all panels, from so far above them. */
static void draw_line_at(struct view *view, const struct learn_plot *plot, float x, float above,
                         const struct paint *paint)
{
    const struct point way[] = {{x, plot->area.y - above}, {x, plot->area.y + plot->area.h}};
    canvas_path(view->ui->canvas, way, 2, false, paint);
}

static void draw_events(struct view *view, const struct learn_plot *plot)
{
    const struct colour ink = view_label_ink(view);
    const struct paint line = {
        .stroke = colour_fade(ink, 0.6f), .width = EVENT, .dash = 2, .gap = 2};
    for (size_t e = 0; e < plot->events; e++) {
        const struct plot_event *const event = &plot->event[e];
        const float above = UI_TEXT_TINY / 2 + PLOT_EVENT_ROW * (float)event->row;
        draw_line_at(view, plot, event->x, event->over ? above - 2 : above + UI_TEXT_TINY, &line);
        canvas_text(view->ui->canvas, event->from, plot->area.y - above - 1, FONT_WORDS,
                    UI_TEXT_TINY, ink, CANVAS_LEFT, event->words);
    }
}

/* Marks the step that is looked at, where the run went on behind it. */
static void draw_present(struct view *view, const struct learn_plot *plot)
{
    const struct view_learn *const learn = shown_training(view);
    if (view->style.has_marks && learn->step < learn->reached) {
        draw_line_at(view, plot, learn_axis_place(&plot->x, (double)learn->step), 0,
                     &(struct paint){.stroke = view->ui->theme->accent, .width = CURVE});
    }
}

static struct rect draw_headline(struct view *view, struct rect area)
{
    const char *const title =
        view_own_title(view, view->style.has_cards ? shown_training(view)->task : NULL);
    if (title != NULL) {
        view_text_whole(view, area.x, area.y + UI_TEXT_TITLE, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                        view->ui->theme->ink, CANVAS_LEFT, tr(title), area.w);
        area.y += HEADLINE;
        area.h -= HEADLINE;
    }
    return area;
}

static void draw_plot(struct view *view, struct rect area)
{
    const struct learn_plot plot = learn_plot_layout(view, draw_headline(view, area));
    view_note_lack(view, VIEW_LACKS_ROOM, plot.crowded);
    draw_events(view, &plot);
    for (size_t p = 0; p < plot.panels; p++) {
        draw_panel(view, &plot, &plot.panel[p]);
        draw_x_axis(view, &plot, &plot.panel[p], p + 1 == plot.panels);
        draw_y_axis(view, &plot, &plot.panel[p], area.x);
    }
    draw_steps_title(view, &plot);
    draw_present(view, &plot);
}

/* "loss from 3.87 to 0.39" */
static const char *curve_text(const struct view_learn *learn, const struct view_learn_curve *curve,
                              struct arena *arena)
{
    char from[TEXT_NUMBER_MAX], to[TEXT_NUMBER_MAX];
    const bool is_share = curve->unit == VIEW_LEARN_SHARE;
    const double times = is_share ? 100 : 1;
    size_t first = 0, last = learn->points;
    while (first < learn->points && !isfinite(curve->value[first])) {
        first++;
    }
    while (last > first && !isfinite(curve->value[last - 1])) {
        last--;
    }
    if (first == last) {
        return NULL;
    }
    const int decimals = is_share ? 0 : 2;
    text_number(from, times * (double)curve->value[first], decimals);
    text_number(to, times * (double)curve->value[last - 1], decimals);
    return arena_words(arena, is_share ? tr("%s from %s %% to %s %%") : tr("%s from %s to %s"),
                       tr(curve->name), from, to);
}

const char *view_learn_describe(const struct view_learn *learn, bool asks, struct arena *arena)
{
    char steps[TEXT_NUMBER_MAX];
    const char *text = arena_words(arena, tr("Curves over %s steps of training (%s)"),
                                   text_count(steps, learn->reached), learn->task);
    for (size_t c = 0; c < learn->curves; c++) {
        const bool hides = asks && learn->curve[c].attends;
        const char *const curve = hides ? NULL : curve_text(learn, &learn->curve[c], arena);
        if (curve != NULL) {
            text = arena_words(arena, "%s%s%s", text, c == 0 ? ": " : "; ", curve);
        }
    }
    for (size_t e = 0; !asks && e < learn->events; e++) {
        text = arena_words(arena, "%s%s%s", text, e == 0 ? tr(". Events: ") : "; ",
                           learn->event[e].sentence);
    }
    return arena_words(arena, "%s.", text);
}

struct point view_learn_picture_size(struct view *view)
{
    (void)view;
    return (struct point){640, 420};
}

void view_learn_picture(struct view *view, struct rect area)
{
    const struct view_learn *const learn = shown_training(view);
    const struct rect inner = view_panel(view, area, "Training");
    if (learn == NULL) {
        view_notice(view, area, "Nothing learns here",
                    "A session or lesson whose weights learn has curves.");
    } else if (learn->reached == 0) {
        view_notice(view, area, "There are no curves",
                    "A curve needs two points: training has not made its first step.");
    } else if (learn->points < 2 || learn_was_read(learn)) {
        view_notice(view, area, "There are no curves",
                    "Only the end of this training is kept: a lesson, a session or a folder of "
                    "train from its first step has curves.");
    } else {
        draw_plot(view, inner);
    }
    canvas_ungroup(view->ui->canvas);
}
