/* Strips with the sums of rows and columns. */
#include "view/parts/strips.h"

#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/colours.h"
#include "view/parts/downsample.h"
#include "view/parts/hints.h"
#include "view/parts/pieces.h"

static const float GAP = 6, THIN = 11, NUMBERS_WIDE = 48, HIGH = 17;
static const float APART_FROM = 9; /* smaller cells touch each other */
static const float NOTE_HIGH = 30;
static const float NUMBER_LINE = 0.95f; /* height of a number with its air, in font sizes */

/* One strip: the sums over the lines of a matrix, side by side or one below the other. */
struct strip {
    const double *sum;
    size_t count;
    double peak, whole;
    enum view_axis axis;
    unsigned part; /* VIEW_QUERY or VIEW_KEY, which a click emphasises alone */
    struct colour colour;
    const char *const *words;
    struct rect area;
    bool upright;
    float size; /* font size of numbers in a figure; 0: they have no room */
    int decimals;
};

static struct rect strip_cell(const struct strip *strip, size_t index)
{
    const struct rect area = strip->area;
    const float each = (strip->upright ? area.h : area.w) / (float)strip->count;
    return strip->upright ? (struct rect){area.x, area.y + (float)index * each, area.w, each}
                          : (struct rect){area.x + (float)index * each, area.y, each, area.h};
}

static bool is_aside(const struct view *view, const struct strip *strip, size_t index)
{
    return strip->axis == VIEW_AXIS_KEYS &&
           lab_places_has(&view->state->prefs.display.aside, index);
}

static const float AIR = 4; /* beside a number */

static float number_width(const struct view *view, double sum, int decimals)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, sum, decimals);
    return canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, tr(text));
}

void view_strip_title(struct view *view, struct rect cells, size_t leaning, float x,
                      const char *title)
{
    static const float RISEN = 40; /* in wider cells a leaning label rises above the title */
    const bool below = leaning > 0 && cells.w / (float)leaning < RISEN;
    canvas_text(view->ui->canvas, x, below ? cells.y + cells.h + 18 : cells.y - 9, FONT_WORDS,
                UI_TEXT_SMALL, view->ui->theme->muted, CANVAS_LEFT, tr(title));
}

float view_strip_size(const struct view *view, float high)
{
    const float size = fminf(UI_TEXT_TINY, high / NUMBER_LINE);
    return size >= view->min_font_size ? size : 0;
}

/* Fits the numbers of a strip in a figure: all or none, in one size and with equal decimals. */
static void fit_numbers(const struct view *view, struct strip *strip)
{
    const struct rect cell = strip_cell(strip, 0);
    const float high = cell.h - (cell.h >= APART_FROM && cell.w >= APART_FROM ? 2 : 0);
    const float size = view_strip_size(view, high);
    for (strip->decimals = 3; size > 0 && strip->decimals >= 1; strip->decimals--) {
        float widest = 1;
        for (size_t i = 0; i < strip->count; i++) {
            widest = fmaxf(widest, number_width(view, strip->sum[i], strip->decimals));
        }
        strip->size = fminf(size, UI_TEXT_TINY * (cell.w - AIR) / widest);
        if (strip->size >= view->min_font_size) {
            return;
        }
    }
    strip->size = 0;
}

static void draw_fitted_number(struct view *view, const struct strip *strip, struct rect cell,
                               double sum, struct colour ink)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, sum, strip->decimals);
    if (strip->size > 0) {
        canvas_text(view->ui->canvas, cell.x + cell.w / 2,
                    cell.y + cell.h / 2 + strip->size * 0.36f, FONT_NUMBERS, strip->size, ink,
                    CANVAS_CENTRE, tr(text));
    }
}

/* Draws a number with three decimals or as many as fit, of a small sum at least one; else no
 * number. */
static void draw_number(struct view *view, struct rect cell, double sum, struct colour ink)
{
    static const double large = 9.95;
    const int decimals_min = sum >= large ? 0 : 1;
    for (int decimals = 3; cell.h >= UI_TEXT_TINY + 1 && decimals >= decimals_min; decimals--) {
        if (number_width(view, sum, decimals) + AIR <= cell.w) {
            char text[TEXT_NUMBER_MAX];
            text_number(text, sum, decimals);
            canvas_text(view->ui->canvas, cell.x + cell.w / 2,
                        cell.y + cell.h / 2 + UI_TEXT_TINY * 0.36f, FONT_NUMBERS, UI_TEXT_TINY, ink,
                        CANVAS_CENTRE, tr(text));
            return;
        }
    }
}

static struct colour strip_colour(const struct view *view, const struct strip *strip, size_t index)
{
    const struct ui_theme *const theme = view->ui->theme;
    const double share = strip->peak > 0 ? fmin(1, fmax(0, strip->sum[index] / strip->peak)) : 0;
    const struct colour fill = colour_mix(theme->panel, strip->colour, 0.06f + 0.5f * (float)share);
    return view_filtered_out(view, strip->axis, index, index + 1)
               ? colour_mix(fill, theme->panel, 0.62f)
               : fill;
}

/* Draws cells that are narrower than pixels as one image: of the cells that share a pixel, the
 * largest. False: it is not so fine. */
static bool draw_fine_strip(struct view *view, const struct strip *strip)
{
    const float extent = strip->upright ? strip->area.h : strip->area.w;
    const size_t pixels = (size_t)fmaxf(1, extent * view->ui->input->scale);
    const bool marked =
        view->state->prefs.display.line != LAB_LINE_NONE ||
        (strip->axis == VIEW_AXIS_KEYS && view->state->prefs.display.aside.count > 0);
    struct colour *const fill =
        strip->count > pixels && !marked ? arena_array(view->arena, pixels, sizeof *fill) : NULL;
    for (size_t p = 0; fill != NULL && p < pixels; p++) {
        size_t best = p * strip->count / pixels;
        for (size_t i = best; i < (p + 1) * strip->count / pixels; i++) {
            best = strip->sum[i] > strip->sum[best] ? i : best;
        }
        fill[p] = strip_colour(view, strip, best);
    }
    if (fill != NULL) {
        canvas_image(view->ui->canvas, strip->area, strip->upright ? 1 : (uint32_t)pixels,
                     strip->upright ? (uint32_t)pixels : 1, fill);
    }
    return fill != NULL;
}

static void draw_cell(struct view *view, const struct strip *strip, size_t index)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct rect cell = strip_cell(strip, index);
    const bool apart = cell.w >= APART_FROM && cell.h >= APART_FROM;
    const struct rect inner = apart ? rect_inset(cell, 1) : cell;
    if (is_aside(view, strip, index)) {
        view_mark_aside(view, inner);
        return;
    }
    const struct colour fill = strip_colour(view, strip, index);
    const bool dimmed = view_filtered_out(view, strip->axis, index, index + 1);
    canvas_rect(view->ui->canvas, inner, apart ? 3 : 0, &(struct paint){.fill = fill});
    const struct colour ink = colour_ink_on(fill);
    const struct colour shown = dimmed ? colour_mix(ink, fill, 0.35f) : ink;
    if (!view->style.cuts_names) {
        draw_fitted_number(view, strip, inner, strip->sum[index], shown);
    } else {
        draw_number(view, inner, strip->sum[index], shown);
    }
    const bool alone =
        view->state->prefs.display.line != LAB_LINE_NONE && !dimmed &&
        (view->state->prefs.display.line == LAB_LINE_KEY) == (strip->part == VIEW_KEY);
    if (alone) {
        canvas_rect(view->ui->canvas, rect_inset(cell, -1), 4,
                    &(struct paint){.stroke = theme->ink, .width = 2});
    }
}

static const char *strip_tip(struct view *view, const struct strip *strip, size_t index)
{
    const char *const word = lab_quoted(view->arena, strip->words[index]);
    char sum[TEXT_NUMBER_MAX], whole[TEXT_NUMBER_MAX];
    text_nonzero_number(sum, strip->sum[index], 4);
    text_number(whole, strip->whole, 3);
    if (is_aside(view, strip, index)) {
        return arena_format(view->arena, "%s is set aside; right-click brings it back", word);
    }
    return strip->axis == VIEW_AXIS_KEYS
               ? arena_format(view->arena,
                              "%s receives %s of %s in all. Click: this key alone; right-click: "
                              "set it aside (Alt+A)",
                              word, sum, whole)
               : arena_format(view->arena, "The weights of %s sum to %s. Click: this query alone",
                              word, sum);
}

/* Answers the pointer on the strip. */
static void handle_pointer(struct view *view, const struct strip *strip, const char *name)
{
    struct ui *ui = view->ui;
    const uint32_t id = ui_id(ui, name);
    const struct ui_touch touch = ui_touch(ui, id, strip->area, false);
    if (!touch.hover) {
        return;
    }
    const float way = strip->upright ? (ui->input->y - strip->area.y) / strip->area.h
                                     : (ui->input->x - strip->area.x) / strip->area.w;
    const size_t at = (size_t)fmaxf(0, way * (float)strip->count);
    const size_t index = at < strip->count ? at : strip->count - 1;
    const char *tip = strip_tip(view, strip, index);
    ui_tip(ui, id, strip_cell(strip, index), tip != NULL ? tip : "");
    const bool right = (ui->input->pressed & UI_RIGHT_BUTTON) != 0;
    if (right && strip->axis == VIEW_AXIS_KEYS) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_ASIDE, .key = index});
    } else if (touch.clicked) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_FILTER,
                                                .line = {.part = strip->part, .place = index}});
    }
}

static void draw_strip(struct view *view, struct strip *strip, const char *label, const char *name)
{
    for (size_t i = 0; i < strip->count; i++) {
        strip->whole += strip->sum[i];
        strip->peak = fmax(strip->peak, strip->sum[i]);
    }
    canvas_group(view->ui->canvas, ui_id(view->ui, name), label);
    if (!view->style.cuts_names) {
        fit_numbers(view, strip);
    }
    const bool is_fine = draw_fine_strip(view, strip);
    for (size_t i = 0; !is_fine && i < strip->count; i++) {
        draw_cell(view, strip, i);
    }
    canvas_ungroup(view->ui->canvas);
    handle_pointer(view, strip, name);
}

/* A key that takes more than half leaves the others pale. */
static void hint_at_sink(struct view *view, const struct strip *keys)
{
    const size_t few = 3;
    for (size_t i = 0; i < keys->count && keys->count >= few; i++) {
        if (keys->sum[i] > keys->whole / 2 && !is_aside(view, keys, i)) {
            view_hint_at(view, VIEW_HINT_ASIDE, strip_cell(keys, i));
        }
    }
}

void view_strips(struct view *view, const struct view_strips *strips)
{
    const struct lab_matrix *weights = &strips->weights;
    const struct rect cells = strips->cells;
    if (view_guess(view) != LAB_GUESS_NONE || weights->values == NULL || weights->rows == 0 ||
        weights->cols == 0) {
        return;
    }
    const double *const given = view_sums(view, weights);
    if (given == NULL) {
        return;
    }
    const double *const received = given + weights->rows;
    ui_push(view->ui, strips->name);
    struct strip rows = {
        .sum = given,
        .count = weights->rows,
        .peak = 1,
        .axis = VIEW_AXIS_QUERIES,
        .part = VIEW_QUERY,
        .colour = view->ui->theme->query,
        .words = lab_trace_queries(view->trace),
        .area = {cells.x + cells.w + GAP, cells.y, strips->numbers ? NUMBERS_WIDE : THIN, cells.h},
        .upright = true};
    draw_strip(view, &rows, "Sum of every query", "given");
    struct strip columns = {.sum = received,
                            .count = weights->cols,
                            .axis = VIEW_AXIS_KEYS,
                            .part = VIEW_KEY,
                            .colour = view->ui->theme->key,
                            .words = lab_trace_keys(view->trace),
                            .area = {cells.x, cells.y + cells.h + GAP, cells.w, HIGH}};
    if (!strips->rows_only) {
        draw_strip(view, &columns, "Attention received by every key", "received");
        hint_at_sink(view, &columns);
    }
    ui_pop(view->ui);
}

float view_aside_height(const struct view *view)
{
    return view->trace != NULL && view->state->prefs.display.aside.count > 0 ? NOTE_HIGH : 0;
}

void view_aside_note(struct view *view, struct rect area, bool controls)
{
    const char *note = lab_display_aside(view->trace, &view->state->prefs.display, view->arena);
    if (note == NULL) {
        return;
    }
    static const struct {
        const char *command;
        struct ui_button button;
    } buttons[] = {{"renormalise",
                    {.label = "Compute without",
                     .tip = "What if these keys were not there: a mask hides them, and weights, Z "
                            "and O are computed anew. Undo brings them back."}},
                   {"bring back", {.label = "Bring back", .tip = "Nothing is set aside any more"}}};
    enum { BUTTONS = sizeof buttons / sizeof *buttons };
    const float gap = 8;
    float wide[BUTTONS], taken = 0;
    for (size_t b = 0; b < BUTTONS; b++) {
        wide[b] = ui_button_width(view->ui, buttons[b].button.label);
        taken += wide[b] + gap;
    }
    const bool roomy = controls && area.w > taken + 200;
    const float room = roomy ? area.w - taken : area.w;
    const struct rect line = {area.x, area.y + 4, room, 20};
    ui_push(view->ui, "aside note");
    if (canvas_text_cut(view->ui->canvas, area.x, area.y + 19, FONT_WORDS_MEDIUM, UI_TEXT_SMALL,
                        view->ui->theme->ink, CANVAS_LEFT, tr(note), room)) {
        ui_tip(view->ui, ui_id(view->ui, "note"), line, note);
    }
    float x = area.x + room + gap;
    for (size_t b = 0; roomy && b < BUTTONS; b++) {
        if (ui_button(view->ui, buttons[b].command, (struct rect){x, area.y + 2, wide[b], 26},
                      &buttons[b].button)) {
            view_action_command(view, buttons[b].command);
        }
        x += wide[b] + gap;
    }
    ui_pop(view->ui);
}
