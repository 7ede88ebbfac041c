/* Curves over time, and the track of time itself. */
#include "view/learn/curves.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/learn/time.h"
#include "view/parts/pieces.h"

static const float FOOT = 20, HEAD = 18, LOW_HEAD = 14, KNOB = 6.5f, MARK = 4;
static const float TICKS_APART = 54, LABEL_HIGH = 14, LABEL_SIZE = 11.5f;

struct plot {
    struct rect area; /* of the lines themselves */
    struct learn_time time;
};

static const struct view_learn *learn_of(const struct view *view)
{
    return view->state->learn;
}

static struct plot plot_of(const struct view *view, struct rect area)
{
    const struct view_learn *const learn = learn_of(view);
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
            continue; /* the last step is told before those it would touch */
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

static float y_of(const struct plot *plot, const struct view_learn_curve *curve, float value)
{
    const float span = curve->high - curve->low;
    const float share = span > 0 ? (value - curve->low) / span : 0;
    return plot->area.y + plot->area.h * (1 - fminf(1, fmaxf(0, share)));
}

static struct colour curve_colour(const struct view *view, const struct view_learn_curve *curve)
{
    return view_role_colour(view, curve->role);
}

enum { POINTS_MAX = 1024 };

/* As many points as the strip has columns: of each the last. Later steps than the one shown are
 * faint. */
static void draw_curve(struct view *view, const struct plot *plot,
                       const struct view_learn_curve *curve)
{
    const struct view_learn *const learn = learn_of(view);
    struct point *const point = arena_array(view->arena, POINTS_MAX, sizeof *point);
    if (point == NULL) {
        return;
    }
    const struct colour colour = curve_colour(view, curve);
    size_t count = 0, past = 0;
    float column = 0; /* where the last one begins */
    for (size_t i = 0; i < learn->points; i++) {
        if (!isfinite(curve->value[i])) {
            continue;
        }
        const struct point at = {learn_time_x(&plot->time, (double)learn->at[i]),
                                 y_of(plot, curve, curve->value[i])};
        const bool same = count > 1 && at.x - column < 0.8f; /* the first stays where it is */
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

/* Where the lines run: y of every curve at columns that stand two points apart; NaN: not there. */
struct columns {
    float *y; /* [curves][count] */
    float left;
    size_t count;
};
static const float COLUMN = 2;

static bool find_columns(struct view *view, const struct plot *plot, struct columns *out)
{
    const struct view_learn *const learn = learn_of(view);
    out->left = plot->area.x;
    out->count = (size_t)(plot->area.w / COLUMN) + 1;
    out->y = arena_array(view->arena, learn->curves * out->count + 1, sizeof *out->y);
    for (size_t c = 0; out->y != NULL && c < learn->curves; c++) {
        const struct view_learn_curve *const curve = &learn->curve[c];
        float *const y = out->y + c * out->count;
        float value = NAN;
        size_t i = 0;
        for (size_t column = 0; column < out->count; column++) {
            const double step = learn_time_at(&plot->time, out->left + (float)column * COLUMN);
            while (i < learn->points && (double)learn->at[i] <= step) {
                value = isfinite(curve->value[i]) ? curve->value[i] : value;
                i++;
            }
            y[column] = step > (double)learn->reached ? NAN : y_of(plot, curve, value);
        }
    }
    return out->y != NULL;
}

static bool is_over(const struct rect *a, const struct rect *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

/* How much of lines a name would lie on: columns, of all curves. */
static size_t crossed(const struct columns *columns, size_t curves, struct rect name)
{
    const size_t from = (size_t)fmaxf(0, (name.x - columns->left) / COLUMN);
    const size_t to = (size_t)fmaxf(0, (name.x + name.w - columns->left) / COLUMN + 1);
    size_t count = 0;
    for (size_t c = 0; c < curves; c++) {
        for (size_t x = from; x < to && x < columns->count; x++) {
            const float y = columns->y[c * columns->count + x];
            count += y > name.y - 1 && y < name.y + name.h + 1;
        }
    }
    return count;
}

/* What stands on the plot already. */
struct named {
    struct rect at[VIEW_LEARN_CURVES_MAX + 1];
    size_t count;
};

/* A better place takes the former's: nothing may lie below it, few lines, little way. */
static void try_place(const struct view_learn *learn, const struct plot *plot,
                      const struct columns *columns, const struct named *named, struct rect name,
                      float away, struct rect *best, float *least)
{
    const struct rect *const area = &plot->area;
    if (name.x < area->x || name.x + name.w > area->x + area->w || name.y < area->y - 1 ||
        name.y + name.h > area->y + area->h) {
        return;
    }
    for (size_t o = 0; o < named->count; o++) {
        if (is_over(&named->at[o], &name)) {
            return;
        }
    }
    const float cost = 4 * (float)crossed(columns, learn->curves, name) + away;
    if (cost < *least) {
        *least = cost;
        *best = name;
    }
}

/* Where a name begins that stands behind those it would lie over. */
static float right_of_names(const struct named *named, struct rect name)
{
    static const float APART = 8;
    for (size_t o = 0; o < named->count; o++) {
        if (is_over(&named->at[o], &name)) {
            name.x = fmaxf(name.x, named->at[o].x + named->at[o].w + APART);
        }
    }
    return name.x;
}

/* Right of its line's end where there is room, else above or below it on the way, further from it
 * rather than over another. False: nowhere, and the line goes without until there is. */
static bool find_name(const struct view_learn *learn, const struct plot *plot,
                      const struct columns *columns, const struct named *named, size_t curve,
                      struct rect *name)
{
    static const float STEP = 8, LATE = 0.1f, FAR = 36, DOWN = 4;
    const float *const y = columns->y + curve * columns->count;
    const float now = learn_time_x(&plot->time, (double)learn->reached);
    const size_t last = (size_t)fmaxf(0, (now - columns->left) / COLUMN);
    const float end = last < columns->count && isfinite(y[last]) ? y[last] : plot->area.y;
    struct rect best = *name;
    float least = 1e9f;
    for (int i = 0; i < 30; i++) {
        const int at = i % 15;
        const float aside = (float)((at + 1) / 2) * LABEL_HIGH / 2 * (at % 2 == 0 ? 1.0f : -1.0f);
        name->x = now + KNOB + 5;
        name->y = end - LABEL_HIGH / 2 + aside;
        name->x = i < 15 ? name->x : right_of_names(named, *name);
        try_place(learn, plot, columns, named, *name, fabsf(aside) + (i < 15 ? 0 : 14), &best,
                  &least);
    }
    for (float x = now - name->w - KNOB; least > 30 && x >= plot->area.x; x -= STEP) {
        float top = 1e9f, low = -1e9f;
        for (size_t c = (size_t)((x - columns->left) / COLUMN);
             c < columns->count && columns->left + (float)c * COLUMN <= x + name->w; c++) {
            top = isfinite(y[c]) ? fminf(top, y[c]) : top;
            low = isfinite(y[c]) ? fmaxf(low, y[c]) : low;
        }
        name->x = x;
        for (float away = 0; away <= FAR; away += DOWN) { /* it has the colour of its line */
            const float cost = 30 + LATE * (now - x) + away;
            name->y = top - LABEL_HIGH - 1 - away;
            try_place(learn, plot, columns, named, *name, cost, &best, &least);
            name->y = low + 2 + away;
            try_place(learn, plot, columns, named, *name, cost, &best, &least);
        }
    }
    *name = best;
    return least < 1e9f;
}

/* The curves, those with the longest names first: a short one still finds a place. */
static void sort_by_name(struct view *view, size_t order[VIEW_LEARN_CURVES_MAX])
{
    const struct view_learn *const learn = learn_of(view);
    float wide[VIEW_LEARN_CURVES_MAX];
    for (size_t c = 0; c < learn->curves; c++) {
        size_t at = c;
        wide[c] =
            canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, LABEL_SIZE, tr(learn->curve[c].name));
        for (; at > 0 && wide[c] > wide[order[at - 1]]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = c;
    }
}

/* Names stand beside their lines, never over each other; where one would lie on lines, it is told
 * in brief. */
static void draw_names(struct view *view, const struct plot *plot)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_learn *const learn = learn_of(view);
    struct columns columns;
    size_t order[VIEW_LEARN_CURVES_MAX];
    const float knob = learn_time_x(&plot->time, (double)learn->step);
    struct named named = {.at = {{knob - 3, plot->area.y, 6, plot->area.h + KNOB}}, .count = 1};
    if (!find_columns(view, plot, &columns)) {
        return;
    }
    sort_by_name(view, order);
    for (size_t i = 0; i < learn->curves; i++) {
        const struct view_learn_curve *const curve = &learn->curve[order[i]];
        const char *const texts[] = {tr(curve->name), curve->brief};
        const char *text = NULL;
        struct rect name = {0, 0, 0, LABEL_HIGH};
        for (size_t t = 0; t < 2 && texts[t] != NULL; t++) {
            struct rect tried = {0, 0,
                                 canvas_measure(canvas, FONT_WORDS_BOLD, LABEL_SIZE, texts[t]) + 4,
                                 LABEL_HIGH};
            const bool found = find_name(learn, plot, &columns, &named, order[i], &tried);
            text = found ? texts[t] : text;
            name = found ? tried : name;
            if (found && crossed(&columns, learn->curves, tried) == 0) {
                break;
            }
        }
        if (text == NULL) {
            continue;
        }
        named.at[named.count++] = name;
        canvas_rect(canvas, name, 3,
                    &(struct paint){.fill = colour_fade(view->ui->theme->panel, 0.9f)});
        canvas_text(canvas, name.x + 2, name.y + 11, FONT_WORDS_BOLD, LABEL_SIZE,
                    curve_colour(view, curve), CANVAS_LEFT, text);
    }
}

/* Where words of events stand so far. */
struct stretches {
    float from[VIEW_LEARN_EVENTS_MAX], to[VIEW_LEARN_EVENTS_MAX];
    size_t count;
};

static bool is_free(const struct stretches *taken, float from, float to)
{
    for (size_t i = 0; i < taken->count; i++) {
        if (from < taken->to[i] && taken->from[i] < to) {
            return false;
        }
    }
    return true;
}

/* One event: its mark, and its words right of it, else left of it, else the mark alone; a place to
 * go to. */
static void draw_event(struct view *view, const struct plot *plot, float top, size_t index,
                       struct stretches *taken)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn_event *const event = &learn_of(view)->event[index];
    const float x = learn_time_x(&plot->time, (double)event->step);
    const char *const words = tr(event->words);
    const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, words) + 14;
    const float end = plot->area.x + plot->area.w + KNOB;
    const bool right = x + wide <= end && is_free(taken, x - MARK, x + wide);
    const bool left = !right && x - wide >= plot->area.x - KNOB && is_free(taken, x - wide, x + 5);
    if (!right && !left && !is_free(taken, x - MARK, x + MARK)) {
        return; /* words of a later one stand there */
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
                    right ? CANVAS_LEFT : CANVAS_RIGHT, words);
    }
    ui_draw_focus(view->ui, id, place, 3);
    canvas_ungroup(canvas);
    char number[TEXT_NUMBER_MAX];
    text_count(number, event->step);
    ui_tip(
        view->ui, id, place,
        event->has_head
            ? arena_format(view->arena, tr("%s, over %zu texts, at step %s: a click goes there"),
                           words, event->texts, number)
            : arena_format(view->arena, tr("%s, at step %s: a click goes there"), words, number));
    if (touch.clicked) {
        view_learn_action(view, VIEW_LEARN_SEEK, event->step, 0);
        if (event->has_head) { /* … and the head that did it stands on the stages */
            view_learn_action(view, VIEW_LEARN_HEAD, event->head, 0);
        }
    }
    taken->from[taken->count] = place.x;
    taken->to[taken->count++] = place.x + place.w;
}

/* What happened on the way, in words over the moment; what happened last comes first where there
 * is no room for all. */
static void draw_events(struct view *view, const struct plot *plot, float top)
{
    struct stretches taken = {.count = 0};
    const bool asks = view_guess(view) != LAB_GUESS_NONE; /* they would tell */
    for (size_t e = asks ? 0 : learn_of(view)->events; e > 0; e--) {
        draw_event(view, plot, top, e - 1, &taken);
    }
}

static void take_keys(struct view *view, uint32_t id)
{
    const struct view_learn *const learn = learn_of(view);
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

/* The knob, its line, and the whole strip as a place to drag it. */
static void draw_track(struct view *view, const struct plot *plot, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn *const learn = learn_of(view);
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
    canvas_line(canvas, x, plot->area.y - 2, x, y, 1.5f, theme->accent);
    canvas_circle(canvas, x, y, near ? KNOB + 0.5f : KNOB,
                  &(struct paint){.fill = theme->panel, .stroke = theme->accent, .width = 2.5f});
    ui_draw_focus(view->ui, id, room, 5);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, room,
           "The steps of training: drag to any of them, and every panel shows it as it was (→ one "
           "step on, ← one back)");
    if (touch.pressed || touch.held) {
        size_t to = learn_time_step(&plot->time, view->ui->input->x);
        to = to < learn->reached ? to : learn->reached;
        if (to != learn->step || learn->training) {
            view_learn_action(view, VIEW_LEARN_SEEK, to, 0);
        }
    }
    take_keys(view, id);
}

void learn_curves(struct view *view, struct rect area)
{
    const struct view_learn *const learn = learn_of(view);
    const struct plot plot = plot_of(view, area);
    draw_ticks(view, &plot);
    for (size_t c = learn->curves; c > 0; c--) {
        draw_curve(view, &plot, &learn->curve[c - 1]);
    }
    draw_names(view, &plot);
    draw_track(view, &plot, area);
    draw_events(view, &plot, area.y);
}
