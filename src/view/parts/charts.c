/* Bar charts side by side over the same keys, read from left to right. */
#include "view/parts/charts.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/cell_edit.h"
#include "view/parts/pieces.h"

static const float ROW_LOW = 5;                                      /* lowest row of a key */
static const struct view_length ROW_MIN = {.near = 5, .far = 12.5f}; /* fewer keys from afar */
static const float LINE_READ = 16; /* of a key in presenter mode, with its numbers */
static const struct view_length BAR_MAX = {.near = 14, .far = 20}; /* thickness of a bar */
static const struct view_length WORDS_MAX = {.near = 110,
                                             .far = 200}; /* width of the names of keys */
static const struct view_length WORDS_OF_WIDTH = {.near = 0.2f, .far = 0.28f}; /* of the area */
static const float NUMBER_WIDE = 48;                                           /* beside a bar */
static const float BEFORE_WORD = 5; /* from the label at its left to a number, at least */
static const float OF_LINE = 0.46f; /* of its length, for the number */
static const float OF_HIGH = 0.55f; /* of its height, for the bar */
static const float NUMBER_OVERHANG =
    1.1f; /* of its room: a long number may reach into the gap after it */

/* The keys that are shown: all, or the strongest ones in their own order. */
struct keys {
    const size_t *index;
    size_t count;
    float top, step; /* where their lines begin, and how high each is */
};

/* Keeps the `room` largest shares (and the chosen key), in the order of the keys. */
static struct keys choose_strongest_keys(struct view *view, const double *share, size_t m,
                                         size_t room)
{
    size_t *index = arena_array(view->arena, m, sizeof *index);
    struct keys keys = {.index = index};
    if (index == NULL || room == 0) {
        return keys;
    }
    double floor = -1, top = 2; /* bisects the smallest share that is shown */
    for (int round = 0; m > room && round < 60; round++) {
        const double middle = (fmax(floor, 0) + top) / 2;
        size_t above = 0;
        for (size_t j = 0; j < m; j++) {
            above += share[j] > middle;
        }
        *(above > room - 1 ? &floor : &top) = middle;
    }
    size_t spare = room; /* for the first of those that equal it */
    for (size_t j = 0; j < m && m > room; j++) {
        spare -= spare > 0 && (share[j] > top || j == view->selection.key);
    }
    for (size_t j = 0; j < m && keys.count < room; j++) {
        const bool is_chosen = m <= room || share[j] > top || j == view->selection.key;
        const bool equal = !is_chosen && spare > 0 && share[j] > fmax(floor, 0);
        spare -= equal;
        if (is_chosen || equal) {
            index[keys.count++] = j;
        }
    }
    return keys;
}

/* How many keys have a line, of m in so much room. Before a class those that get nothing have none
 * where the numbers of the others would be small. */
static size_t lines_max(const struct view *view, const double *share, size_t m, float room)
{
    const size_t fit = room < ROW_LOW ? 0 : (size_t)fmaxf(1, room / view_length(view, ROW_MIN));
    size_t given = 0;
    for (size_t j = 0; j < m; j++) {
        given += share[j] > 0 || j == view->selection.key;
    }
    const bool small = view->style.is_far && room < LINE_READ * (float)m;
    return small && given > 0 && given < fit ? given : fit;
}

/* The font size of the numbers beside bars: in the presenter view as large as their lines. */
static float number_size(const struct view *view, struct rect line)
{
    const float fits = fminf(line.h * 0.6f, line.w * OF_LINE * UI_TEXT_SMALL / NUMBER_WIDE);
    return view->style.is_far ? fmaxf(view->style.small, fminf(UI_TEXT_TITLE, fits))
                              : view->style.small;
}

static float number_width(const struct view *view, struct rect line)
{
    return NUMBER_WIDE * number_size(view, line) / UI_TEXT_SMALL;
}

/* Formats a number for the room beside its bar: with fewer decimals, or at last as 1.96e11; one
 * that would read as zero as 3.1e-4. */
static void format_number(struct view *view, const struct view_chart *chart, double value,
                          struct rect line, char text[TEXT_NUMBER_MAX])
{
    const float size = number_size(view, line), beside = number_width(view, line);
    const float width_max = chart->leftward ? beside - BEFORE_WORD : beside * NUMBER_OVERHANG;
    const int decimals_max = isfinite(value) ? chart->decimals : 0;
    for (int decimals = decimals_max; decimals >= 0; decimals--) {
        const bool is_whole = decimals == decimals_max && view->style.has_controls;
        char digits[TEXT_NUMBER_MAX];
        (is_whole ? text_nonzero_number : text_number)(digits, value, decimals);
        snprintf(text, TEXT_NUMBER_MAX, "%s", view_read_numbers(view, digits));
        if (canvas_measure(view->ui->canvas, FONT_NUMBERS, size, text) <= width_max) {
            return;
        }
    }
    const int tens = (int)floor(log10(fabs(value)));
    char digits[TEXT_NUMBER_MAX];
    text_number(digits, value / pow(10, tens), 2);
    snprintf(text, TEXT_NUMBER_MAX, "%.12se%d", digits, tens);
}

/* Says whether the mask hides the key, and nobody has set a number for it. */
static bool is_hidden_key(const struct view *view, const struct view_chart *chart, size_t key)
{
    const double value = chart->value[key];
    return chart->of_row && !lab_trace_sees(view->trace, view->selection.query, key) &&
           !(isfinite(value) && value > 0);
}

/* Draws the end of a bar that is too long: two strokes across it, as charts cut their axes. */
static void draw_torn_end(struct view *view, float x, float y, float thick)
{
    for (int stroke = 0; stroke < 2; stroke++) {
        const float at = x + 5 + 5 * (float)stroke;
        canvas_line(view->ui->canvas, at, y + thick + 1, at + 3, y - 1, 2, view->ui->theme->panel);
    }
}

static void draw_bar(struct view *view, const struct view_chart *chart, struct rect line,
                     size_t key)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const double value = chart->value[key];
    const bool aside = chart->weights && lab_places_has(&view->state->prefs.display.aside, key);
    const float size = number_size(view, line), beside = number_width(view, line);
    const float track = line.w - beside;
    const float thick = fminf(view_length(view, BAR_MAX), fmaxf(line.h * OF_HIGH, 2));
    const float y = line.y + (line.h - thick) / 2;
    const float left = chart->leftward ? line.x + beside : line.x;
    const bool hidden = is_hidden_key(view, chart, key);
    if (!hidden && (isfinite(value) || (value > 0 && !chart->leftward))) {
        const float share = isinf(value)         ? 1
                            : chart->longest > 0 ? (float)fmin(fabs(value) / chart->longest, 1)
                                                 : 0;
        const float wide = track * share * chart->grown;
        const float x = chart->leftward ? left + track - wide : left;
        const bool back = view_filtered_out(view, VIEW_AXIS_KEYS, key, key + 1);
        const struct colour fill =
            back ? colour_mix(chart->colour, theme->panel, 0.7f) : chart->colour;
        canvas_rect(canvas, (struct rect){x, y, fmaxf(wide, value != 0 ? 1 : 0), thick},
                    fminf(3, thick / 3), &(struct paint){.fill = fill});
        if (fabs(value) > chart->longest * 1.0001 && chart->grown >= 1) {
            draw_torn_end(view, chart->leftward ? x : x + wide - 18, y, thick);
        }
    }
    if (line.h < 13 || chart->grown < 1) {
        return;
    }
    char text[TEXT_NUMBER_MAX];
    format_number(view, chart, value, line, text);
    const bool dark = isfinite(value) && !aside && !hidden;
    const char *const words = aside ? tr("aside") : hidden ? "—" : text;
    const float baseline = line.y + line.h / 2 + size * 0.36f;
    const float x = chart->leftward ? line.x + beside - 8 : line.x + track + 8;
    canvas_text(canvas, x, baseline, aside ? FONT_WORDS : FONT_NUMBERS, size,
                dark ? theme->ink : theme->muted, chart->leftward ? CANVAS_RIGHT : CANVAS_LEFT,
                words);
}

/* Lets the bar of a weight follow the pointer sideways; a double click gives the key all of the
 * row's weight. */
static void handle_bar_drag(struct view *view, const struct view_chart *chart, struct rect line,
                            size_t key)
{
    const float track = line.w - number_width(view, line);
    if (!chart->draggable || track <= 0 || view_guess(view) != LAB_GUESS_NONE) {
        return;
    }
    const struct ui_touch touch =
        ui_touch(view->ui, ui_id_number(view->ui, "share", key), line, false);
    const struct view_number number = {
        .cell = {LAB_ALPHA, view->selection.head, view->selection.query, key},
        .value = chart->value[key],
        .pressed_at = line.x + view->ui->memory->grab_x,
        .step = chart->longest / (double)track};
    const bool drags = view_number_drag(view, touch, &number);
    struct lab_selection to = view->selection;
    to.key = key;
    if (touch.hover || touch.clicked) {
        view_choose(view, VIEW_KEY, to, touch.clicked && !drags);
    }
    if (touch.pressed && touch.clicks > 1) {
        view_action_select(view, VIEW_KEY, to);
        view_action_command(view, "all on key");
    }
    ui_tip(view->ui, ui_id_number(view->ui, "share", key), line,
           "Drag: the others share what is left (with ⇧ they stay). Double click: all on this key");
}

static void draw_chart(struct view *view, const struct view_charts *charts, size_t index,
                       const struct keys *keys, struct rect area)
{
    const struct view_chart *const chart = &charts->chart[index];
    const float top = keys->top, step = keys->step;
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    canvas_group(canvas, ui_id(view->ui, chart->title), chart->title);
    const float numbers = number_width(view, (struct rect){area.x, area.y, area.w, step});
    const float track = area.w - numbers;
    const float left = chart->leftward ? area.x + numbers : area.x;
    view_text_whole(view, area.x, area.y + 13, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink,
                    CANVAS_LEFT, tr(chart->title), area.w);
    if (charts->formulas) {
        view_text_fitted(view, (struct point){area.x, area.y + 31}, UI_TEXT_SMALL, CANVAS_LEFT,
                         chart->formula, area.w);
    }
    const float zero = chart->leftward ? left + track : left;
    canvas_line(canvas, zero, top - 2, zero, top + step * (float)keys->count + 2, 1, theme->line);
    for (size_t i = 0; i < keys->count; i++) {
        const bool veiled = view_guess_hides_key(view, view->selection.query, keys->index[i]);
        if (veiled) {
            canvas_text(canvas, left + 6, top + ((float)i + 0.5f) * step + 5, FONT_WORDS_BOLD,
                        UI_TEXT_BODY, theme->accent, CANVAS_LEFT, "?");
            continue;
        }
        const struct rect line = {area.x, top + (float)i * step, area.w, step};
        draw_bar(view, chart, line, keys->index[i]);
        handle_bar_drag(view, chart, line, keys->index[i]);
    }
    if (charts->sums && chart->foot != NULL && chart->grown >= 1 &&
        view_guess(view) == LAB_GUESS_NONE) {
        const float size = view->style.small;
        const float wide = canvas_measure(canvas, FONT_NUMBERS, size, tr(chart->foot));
        view_text_whole(view, area.x, top + step * (float)keys->count + 18, FONT_NUMBERS,
                        size * fminf(1, area.w / fmaxf(wide + 0.05f, 1)), theme->muted, CANVAS_LEFT,
                        tr(chart->foot), area.w);
    }
    canvas_ungroup(canvas);
    const char *tip =
        arena_format(view->arena, "%s: %s\n1 × %zu, a number for every key", tr(chart->title),
                     tr(chart->formula), lab_trace_sizes(view->trace).m);
    ui_tip(view->ui, ui_id(view->ui, chart->title),
           (struct rect){area.x, area.y, area.w, top - area.y}, tip != NULL ? tip : chart->title);
}

/* Draws one band for each key: the chosen one is marked, the one under the pointer is previewed. */
static void draw_key_lines(struct view *view, const struct keys *keys, struct rect area)
{
    for (size_t i = 0; i < keys->count; i++) {
        const struct rect line = {area.x - 6, keys->top + (float)i * keys->step, area.w + 12,
                                  keys->step};
        if (view->emphasis && keys->index[i] == view->selection.key) {
            canvas_rect(view->ui->canvas, line, 4,
                        &(struct paint){.fill = colour_fade(view->ui->theme->key, 0.10f)});
        }
        const struct ui_touch touch =
            ui_touch(view->ui, ui_id_number(view->ui, "key line", keys->index[i]), line, false);
        if (touch.hover || touch.clicked) {
            struct lab_selection to = view->selection;
            to.key = keys->index[i];
            view_choose(view, VIEW_KEY, to, touch.clicked);
        }
    }
}

static const char *short_note(const struct view *view, const struct keys *keys)
{
    const char *const note =
        arena_format(view->arena, "%zu of %zu", keys->count, lab_trace_sizes(view->trace).m);
    return note == NULL ? "" : tr(note);
}

/* The width of the note over the labels; 0: all keys are shown. */
static float note_width(const struct view *view, const struct keys *keys)
{
    return keys->count == lab_trace_sizes(view->trace).m
               ? 0
               : canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY,
                                short_note(view, keys)) +
                     5;
}

/* Draws the labels at the left. */
static void draw_words(struct view *view, const struct keys *keys, struct rect area, float wide)
{
    const char *const *words = lab_trace_keys(view->trace);
    const size_t m = lab_trace_sizes(view->trace).m;
    const char **shown = arena_array(view->arena, keys->count, sizeof *shown);
    long chosen = VIEW_NOWHERE;
    for (size_t i = 0; shown != NULL && i < keys->count; i++) {
        shown[i] = words[keys->index[i]];
        chosen = keys->index[i] == view->selection.key ? view_chosen(view, i) : chosen;
    }
    if (shown == NULL) {
        return;
    }
    view_words_of_rows(view, &(struct view_words){.words = (const char *const *)shown,
                                                  .count = keys->count,
                                                  .from = keys->top,
                                                  .step = keys->step,
                                                  .at = area.x + wide - 12,
                                                  .room = wide - 12,
                                                  .anchor = CANVAS_RIGHT,
                                                  .chosen = chosen,
                                                  .colour = view->ui->theme->key});
    if (keys->count < m) {
        const char *note = arena_format(view->arena, "the %zu strongest of %zu", keys->count, m);
        if (note == NULL) {
            return;
        }
        const bool fits =
            canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, tr(note)) <= wide - 4;
        view_text_whole(view, area.x, area.y + 13, FONT_WORDS, UI_TEXT_TINY, view->ui->theme->muted,
                        CANVAS_LEFT, fits ? tr(note) : short_note(view, keys), wide - 4);
        ui_tip(view->ui, ui_id(view->ui, "strongest"), (struct rect){area.x, area.y, wide, 18},
               note);
    }
}

void view_charts(struct view *view, const struct view_charts *charts, struct rect area)
{
    const char *const *words = lab_trace_keys(view->trace);
    const size_t m = lab_trace_sizes(view->trace).m;
    const float head = VIEW_CHARTS_TITLES + (charts->formulas ? VIEW_CHARTS_FORMULAS : 0);
    const float room = area.h - head - (charts->sums ? VIEW_CHARTS_FOOT : 0);
    struct keys keys =
        choose_strongest_keys(view, charts->share, m, lines_max(view, charts->share, m, room));
    if (keys.count == 0 || charts->columns == 0) {
        return;
    }
    const float tallest = VIEW_CHARTS_LINE * view_length(view, (struct view_length){1, 2});
    keys.top = area.y + head;
    keys.step = fminf(tallest, room / (float)keys.count);
    const float words_max =
        fminf(view_length(view, WORDS_MAX), area.w * view_length(view, WORDS_OF_WIDTH));
    const float words_wide =
        fmaxf(view_words_width(view, words, m, words_max) + 14, note_width(view, &keys));
    const float gap = area.w > 500 ? 18 : 10, gaps = gap * (float)(charts->columns - 1);
    const float wide = (area.w - words_wide - gaps) / (float)charts->columns;
    draw_key_lines(view, &keys, area);
    for (size_t c = 0; c < charts->count; c++) {
        const float x = area.x + words_wide + (float)c * (wide + gap);
        draw_chart(view, charts, c, &keys, (struct rect){x, area.y, wide, area.h});
    }
    draw_words(view, &keys, area, words_wide);
}
