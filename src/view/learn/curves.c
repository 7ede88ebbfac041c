/* Curves over the steps of training, and the track below them. */
#include "view/learn/curves.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/learn/names.h"
#include "view/learn/time.h"
#include "view/parts/pieces.h"

static const float FOOT = 20, HEAD = 18, LOW_HEAD = 14, KNOB = 6.5f, MARK = 4,
                   REACH = 6; /* distance of the pointer from a mark that it hits */
static const float TICKS_APART = 44, DOT = 2.5f;
static const float NAMES_BELOW_EVENTS = 2; /* names of curves are below words of events */

struct plot {
    struct rect area; /* area of the lines */
    struct learn_time time;
};

static const struct view_learn *shown_training(const struct view *view)
{
    return view->state->learn;
}

/* The plot, left of the column of names. */
static struct plot make_plot(const struct view *view, struct rect area)
{
    const struct view_learn *const learn = shown_training(view);
    area.w -= learn_names_width(view, area);
    const float head = area.h < 90 ? LOW_HEAD : HEAD;
    const size_t last = learn->reached > learn->steps ? learn->reached : learn->steps;
    const struct rect inner = {area.x + KNOB, area.y + head, fmaxf(area.w - 2 * KNOB, 1),
                               fmaxf(area.h - head - FOOT, 1)};
    return (struct plot){inner,
                         {.left = inner.x,
                          .width = inner.w,
                          .steps = (double)(last > 0 ? last : 1),
                          .linear = view->state->prefs.learn_linear}};
}

static void draw_ticks(struct view *view, const struct plot *plot)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    size_t tick[LEARN_TICKS_MAX];
    const size_t count = learn_time_ticks(&plot->time, TICKS_APART, tick);
    char text[TEXT_NUMBER_MAX];
    const float begins = count == 0 ? 0
                                    : learn_time_x(&plot->time, (double)tick[count - 1]) + KNOB -
                                          canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_TINY,
                                                         text_count(text, tick[count - 1]));
    for (size_t i = 0; i < count; i++) {
        const float x = learn_time_x(&plot->time, (double)tick[i]);
        const bool first = i == 0, last = i + 1 == count;
        canvas_line(canvas, x, plot->area.y, x, plot->area.y + plot->area.h, 1,
                    colour_fade(theme->line, 0.7f));
        const float wide =
            canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_TINY, text_count(text, tick[i]));
        if (!first && !last && x + wide / 2 + 6 > begins) {
            continue; /* the last tick has priority */
        }
        canvas_text(canvas,
                    first  ? x - KNOB
                    : last ? x + KNOB
                           : x,
                    plot->area.y + plot->area.h + FOOT - 4, FONT_NUMBERS, UI_TEXT_TINY,
                    theme->muted,
                    first  ? CANVAS_LEFT
                    : last ? CANVAS_RIGHT
                           : CANVAS_CENTRE,
                    text_count(text, tick[i]));
    }
}

static float value_y(const struct plot *plot, const struct view_learn_curve *curve, float value)
{
    const float span = curve->high - curve->low;
    const float share = span > 0 ? (value - curve->low) / span : 0;
    return plot->area.y + plot->area.h * (1 - fminf(1, fmaxf(0, share)));
}

enum { POINTS_MAX = 1024 };

/* Draws a curve with a point per column of pixels, the last one in it. Steps after the present one
 * are faint. */
static void draw_curve(struct view *view, const struct plot *plot,
                       const struct view_learn_curve *curve)
{
    const struct view_learn *const learn = shown_training(view);
    struct point *const point = arena_array(view->arena, POINTS_MAX, sizeof *point);
    if (point == NULL) {
        return;
    }
    const struct colour colour = view_role_colour(view, curve->role);
    size_t count = 0, past = 0;
    float column = 0; /* x of the last column */
    for (size_t i = 0; i < learn->points; i++) {
        if (!isfinite(curve->value[i])) {
            continue;
        }
        const struct point at = {learn_time_x(&plot->time, (double)learn->at[i]),
                                 value_y(plot, curve, curve->value[i])};
        const bool same = count > 1 && at.x - column < 0.8f; /* the first point is always kept */
        column = same ? column : at.x;
        count += same || count == POINTS_MAX ? 0 : 1;
        point[count - 1] = at;
        past = learn->at[i] <= (float)learn->step ? count : past;
    }
    if (count > past && past > 0) {
        canvas_path(view->ui->canvas, point + past - 1, count - past + 1, false,
                    &(struct paint){.stroke = colour_fade(colour, 0.35f), .width = 1.5f});
    }
    if (past > 1) {
        canvas_path(view->ui->canvas, point, past, false,
                    &(struct paint){.stroke = colour,
                                    .width = 1.8f,
                                    .dash = curve->dashed ? 4.0f : 0,
                                    .gap = curve->dashed ? 3.0f : 0});
    }
}

/* The ranges that events occupy so far. */
struct ranges {
    float from[VIEW_LEARN_EVENTS_MAX], to[VIEW_LEARN_EVENTS_MAX];
    size_t count;
};

static bool is_range_free(const struct ranges *taken, float from, float to)
{
    for (size_t i = 0; i < taken->count; i++) {
        if (from < taken->to[i] && taken->from[i] < to) {
            return false;
        }
    }
    return true;
}

/* Draws an event: its mark, with its words at the right, or at the left, or fewer words, or none. A
 * click goes to its step. */
static void draw_event(struct view *view, const struct plot *plot, struct rect area, size_t index,
                       struct ranges *taken)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn_event *const event = &shown_training(view)->event[index];
    const float x = learn_time_x(&plot->time, (double)event->step);
    const char *const words = tr(event->words), *shown = words;
    const float end = area.x + area.w, top = area.y;
    float wide = 0;
    bool right = false, left = false;
    for (int brief = 0; brief < 2 && !right && !left; brief++) {
        const char *const fits = brief == 1 && event->brief != NULL ? event->brief : words;
        wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, fits) + 14;
        right = x + wide <= end && is_range_free(taken, x - MARK, x + wide);
        left = !right && x - wide >= plot->area.x - KNOB && is_range_free(taken, x - wide, x + 5);
        shown = fits;
    }
    if (!right && !left && !is_range_free(taken, x - MARK, x + MARK)) {
        return; /* a later event has its words there */
    }
    const struct rect place = {left ? x - wide : x - MARK - 1, top,
                               (right || left ? wide : MARK) + MARK + 1, 15};
    const uint32_t id = ui_id_number(view->ui, "event", index);
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    const struct colour ink = touch.hover ? theme->accent : theme->muted;
    canvas_group(canvas, id, words);
    canvas_path(canvas, (struct point[]){{x - MARK, top + 4}, {x + MARK, top + 4}, {x, top + 10}},
                3, true, &(struct paint){.fill = ink});
    if (right || left) {
        canvas_text(canvas, right ? x + 8 : x - 8, top + 11, FONT_WORDS, UI_TEXT_TINY, ink,
                    right ? CANVAS_LEFT : CANVAS_RIGHT, shown);
    }
    ui_draw_focus(view->ui, id, place, 3);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, place,
           arena_format(view->arena, tr("%s: a click goes there"), event->sentence));
    if (touch.clicked) {
        view_learn_action(view, VIEW_LEARN_SEEK, event->step, 0);
        if (event->has_head) { /* the head that did it is shown on the stages */
            view_learn_action(view, VIEW_LEARN_HEAD, event->head, 0);
        }
        view_learn_action(view, VIEW_LEARN_EVENT, index,
                          0); /* tells the event, whose mark may have no words */
    }
    taken->from[taken->count] = place.x;
    taken->to[taken->count++] = place.x + place.w;
}

/* Draws the events; later ones have priority if not all fit. */
static void draw_events(struct view *view, const struct plot *plot, struct rect area)
{
    struct ranges taken = {.count = 0};
    const bool asks = view_guess(view) != LAB_GUESS_NONE; /* they would reveal the guess */
    for (size_t e = asks ? 0 : shown_training(view)->events; e > 0; e--) {
        draw_event(view, plot, area, e - 1, &taken);
    }
}

/* Draws the changes by hand as diamonds on the track. Returns the tip of the one under the pointer;
 * NULL: there is none. */
static const char *draw_edits(struct view *view, const struct plot *plot)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_learn *const learn = shown_training(view);
    const float y = plot->area.y + plot->area.h;
    const char *tip = NULL;
    for (size_t e = 0; e < learn->edits; e++) {
        const struct view_learn_edit *const edit = &learn->edit[e];
        const float x = learn_time_x(&plot->time, (double)edit->step);
        const bool same = e > 0 && learn->edit[e - 1].step == edit->step;
        if (fabsf(view->ui->input->x - x) <= REACH) {
            tip = same && tip != NULL ? arena_format(view->arena, "%s\n%s", tip, edit->sentence)
                                      : edit->sentence;
        }
        canvas_group(canvas, ui_id_number(view->ui, "edit", e), edit->sentence);
        canvas_path(canvas,
                    (struct point[]){{x - MARK, y}, {x, y - MARK}, {x + MARK, y}, {x, y + MARK}}, 4,
                    true, &(struct paint){.fill = view->ui->theme->ink});
        canvas_ungroup(canvas);
    }
    return tip;
}

static void handle_keys(struct view *view, uint32_t id)
{
    const struct view_learn *const learn = shown_training(view);
    if (!ui_has_focus(view->ui, id) || !view->ui->memory->focus_visible) {
        return;
    }
    if (ui_stroke_consumed(view->ui, id, UI_KEY_RIGHT, 0)) {
        view_learn_action(view, VIEW_LEARN_ONE, 0, 0);
    } else if (ui_stroke_consumed(view->ui, id, UI_KEY_LEFT, 0) && learn->step > 0) {
        view_learn_action(view, VIEW_LEARN_SEEK, learn->step - 1, 0);
    } else if (ui_stroke_consumed(view->ui, id, UI_KEY_HOME, 0)) {
        view_learn_action(view, VIEW_LEARN_SEEK, 0, 0);
    } else if (ui_stroke_consumed(view->ui, id, UI_KEY_END, 0)) {
        view_learn_action(view, VIEW_LEARN_SEEK, learn->reached, 0);
    }
}

/* Draws the knob and its line, and lets the knob be dragged anywhere on the plot. */
static void draw_track(struct view *view, const struct plot *plot, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn *const learn = shown_training(view);
    const struct rect room = {area.x, plot->area.y, area.w, area.h - (plot->area.y - area.y)};
    const uint32_t id = ui_id(view->ui, "track");
    const struct ui_touch touch = ui_touch(view->ui, id, room, true);
    const float x = learn_time_x(&plot->time, (double)learn->step);
    const float y = plot->area.y + plot->area.h;
    const bool near = touch.hover || touch.held;
    canvas_group(canvas, id, "Steps of training");
    canvas_line(canvas, plot->area.x, y, plot->area.x + plot->area.w, y, 1, theme->line);
    if (learn->pinned) {
        const float at = learn_time_x(&plot->time, (double)learn->pinned_step);
        canvas_line(canvas, at, plot->area.y, at, y, 1.5f, theme->value);
        canvas_circle(canvas, at, y, 4, &(struct paint){.fill = theme->value});
    }
    const char *const edited = draw_edits(view, plot);
    canvas_line(canvas, x, plot->area.y - 2, x, y, 1.5f, theme->accent);
    canvas_circle(canvas, x, y, near ? KNOB + 0.5f : KNOB,
                  &(struct paint){.fill = theme->panel, .stroke = theme->accent, .width = 2.5f});
    ui_draw_focus(view->ui, id, room, 5);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, room,
           edited != NULL ? edited
                          : "The steps of training: drag to any of them, and every panel shows it "
                            "as it was (Ctrl+→ one step on; once Tab has led here, → and ← too)");
    if (touch.pressed || touch.held) {
        size_t to = learn_time_step(&plot->time, view->ui->input->x);
        to = to < learn->reached ? to : learn->reached;
        if (to != learn->step || learn->training) {
            view_learn_action(view, VIEW_LEARN_SEEK, to, 0);
        }
    }
    handle_keys(view, id);
}

/* Draws the present values on the curves. */
static void draw_present_dots(struct view *view, const struct plot *plot)
{
    const struct view_learn *const learn = shown_training(view);
    const float x = learn_time_x(&plot->time, (double)learn->step);
    for (size_t c = learn->curves; c > 0; c--) {
        const struct view_learn_curve *const curve = &learn->curve[c - 1];
        if (isfinite(curve->now)) {
            canvas_circle(view->ui->canvas, x, value_y(plot, curve, curve->now), DOT,
                          &(struct paint){.fill = view_role_colour(view, curve->role)});
        }
    }
}

/* The mean of the last points of a line, so that the order of names does not change with every
 * step. */
static float end_value(const struct view_learn *learn, const struct view_learn_curve *curve)
{
    enum { LAST = 12 };
    float sum = 0;
    size_t count = 0;
    for (size_t i = learn->points; i > 0 && count < LAST; i--) {
        if (isfinite(curve->value[i - 1])) {
            sum += curve->value[i - 1];
            count++;
        }
    }
    return count > 0 ? sum / (float)count : NAN;
}

static void draw_names(struct view *view, const struct plot *plot, struct rect area)
{
    const struct view_learn *const learn = shown_training(view);
    struct point end[VIEW_LEARN_CURVES_MAX];
    const float wide = learn_names_width(view, area);
    const float x = learn_time_x(&plot->time, (double)learn->reached);
    for (size_t c = 0; c < learn->curves; c++) {
        const float value = end_value(learn, &learn->curve[c]);
        end[c] = (struct point){x, isfinite(value) ? value_y(plot, &learn->curve[c], value) : NAN};
    }
    if (wide > LEARN_NAMES_MIN) {
        const float top = plot->area.y + NAMES_BELOW_EVENTS;
        learn_names(view,
                    (struct rect){area.x + area.w - wide, top, wide,
                                  plot->area.y + plot->area.h + LEARN_NAMES_BELOW - top},
                    end);
    }
}

bool learn_was_read(const struct view_learn *learn)
{
    const size_t ends = 2; /* step 0, which is never forgotten, and the last one */
    return learn->points <= ends && learn->step > ends && learn->step >= learn->steps;
}

/* Weights that were read from a file come without the way that they went. */
static void draw_lack(struct view *view, const struct plot *plot)
{
    view_text_whole(view, plot->area.x + 8, plot->area.y + plot->area.h / 2 + 4, FONT_WORDS,
                    UI_TEXT_SMALL, view->ui->theme->muted, CANVAS_LEFT, tr("only its end is kept"),
                    plot->area.w - 24);
}

void learn_curves(struct view *view, struct rect area)
{
    const struct view_learn *const learn = shown_training(view);
    const struct plot plot = make_plot(view, area);
    const struct rect track = {area.x, area.y, area.w - learn_names_width(view, area), area.h};
    draw_ticks(view, &plot);
    for (size_t c = learn->curves; c > 0; c--) {
        draw_curve(view, &plot, &learn->curve[c - 1]);
    }
    if (learn_was_read(learn)) {
        draw_lack(view, &plot);
    }
    draw_names(view, &plot, area);
    draw_track(view, &plot, track);
    draw_present_dots(view, &plot);
    draw_events(view, &plot, area);
}
