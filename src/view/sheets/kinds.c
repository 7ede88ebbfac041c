/* A small heatmap for every kind of attention, computed once for a trace. */
#include "view/sheets/kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/mask.h"
#include "lab/experiment/variant.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

enum { KINDS_MAX = 24, PAIRS_MAX = 1 << 16 };

static const float EDGE = 24, HEAD = 62, GAP = 16, GAP_FIGURE = 9, WORDS = 50;
static const float MAP_MIN = 36; /* least side of a heatmap in a figure */

struct view_kinds {
    const struct lab_trace *of; /* the trace that they belong to; a reference */
    const struct lab_trace *trace[KINDS_MAX];
    struct error why[KINDS_MAX]; /* why there is no trace */
};

struct view_kinds *view_kinds_open(void)
{
    return calloc(1, sizeof(struct view_kinds));
}

static void release_kinds(struct view_kinds *kinds)
{
    for (size_t i = 0; i < KINDS_MAX; i++) {
        lab_trace_release(kinds->trace[i]);
        kinds->trace[i] = NULL;
        kinds->why[i] = (struct error){0};
    }
    lab_trace_release(kinds->of);
    kinds->of = NULL;
}

void view_kinds_close(struct view_kinds *kinds)
{
    if (kinds != NULL) {
        release_kinds(kinds);
        free(kinds);
    }
}

void view_kinds_follow(struct view_kinds *kinds, const struct lab_trace *trace)
{
    if (kinds != NULL && kinds->of != trace) {
        release_kinds(kinds);
    }
}

/* Computes every kind for the present trace, once. */
static void compute_kinds(struct view_kinds *kinds, const struct lab_trace *trace)
{
    if (kinds->of == trace) {
        return;
    }
    release_kinds(kinds);
    kinds->of = lab_trace_keep(trace);
    const struct lab_experiment *const present = lab_trace_experiment(trace);
    for (size_t i = 0; i < lab_variant_count() && i < KINDS_MAX; i++) {
        struct lab_experiment experiment;
        lab_variant_apply(i, present, &experiment);
        kinds->trace[i] = lab_run(&experiment, lab_trace_engine(trace), &kinds->why[i]);
        lab_experiment_release(&experiment);
    }
}

static void draw_map(struct view *view, const struct lab_trace *trace, size_t index,
                     struct rect place)
{
    const size_t heads = lab_trace_sizes(trace).heads;
    const size_t head = view->selection.head < heads ? view->selection.head : heads - 1;
    const struct lab_matrix alpha = lab_trace_part(trace, LAB_ALPHA, head);
    const float step = fminf(place.w / (float)alpha.cols, place.h / (float)alpha.rows);
    const float w = step * (float)alpha.cols, h = step * (float)alpha.rows;
    const struct view_matrix matrix = {
        .matrix = alpha,
        .area = {place.x + (place.w - w) / 2, place.y + (place.h - h) / 2, w, h},
        .label = lab_variant_row(index)->title,
        .is_share = true,
        .masked = true,
        .trace = trace,
        .part = LAB_ALPHA,
        .head = head,
        .row = VIEW_NOWHERE,
        .column = VIEW_NOWHERE,
        .done = 1,
        .id = ui_id_number(view->ui, "small", index),
    };
    view_matrix_draw(view, &matrix);
}

/* The gap between two tiles. */
static float tile_gap(const struct view *view)
{
    return !view->style.has_cards ? GAP_FIGURE : GAP;
}

/* "W = 2, D = 3": the numbers in a formula; NULL: none. */
static const char *formula_values(struct view *view, const struct lab_trace *trace)
{
    if (trace == NULL) {
        return NULL;
    }
    const struct lab_experiment *const experiment = lab_trace_experiment(trace);
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    const struct lab_mask_rule rule = lab_experiment_mask(experiment);
    const struct lab_mask_row *const mask = lab_mask_row(rule.kind);
    if (experiment->kind == LAB_GROUPED) {
        return arena_format(view->arena, "G = %zu, H = %zu", sizes.kv_heads, sizes.heads);
    }
    if (mask->size_name == NULL) {
        return NULL;
    }
    return mask->step_name == NULL
               ? arena_format(view->arena, "%s = %zu", mask->size_name, rule.size)
               : arena_format(view->arena, "%s = %zu, %s = %zu", mask->size_name, rule.size,
                              mask->step_name, rule.step);
}

/* Says whether a text begins, or at_end ends, with an operator. */
static bool is_operator(const char *text, size_t length, bool at_end)
{
    static const char *const operators[] = {"=", "<", ">", "≤", "≥", "−", "+", "÷", "·"};
    for (size_t o = 0; o < sizeof operators / sizeof *operators; o++) {
        const size_t wide = strlen(operators[o]);
        if (wide <= length &&
            memcmp(at_end ? text + length - wide : text, operators[o], wide) == 0) {
            return true;
        }
    }
    return false;
}

/* The text with no-break spaces beside operators. */
static const char *with_fixed_spaces(struct view *view, const char *text)
{
    static const char no_break[] = "\xc2\xa0";
    const size_t length = strlen(text);
    char *const out = arena_array(view->arena, 2 * length + 1, sizeof *out);
    size_t at = 0;
    for (size_t i = 0; out != NULL && i < length; i++) {
        const bool held = text[i] == ' ' && (is_operator(text, i, true) ||
                                             is_operator(text + i + 1, length - i - 1, false));
        if (held) {
            memcpy(out + at, no_break, 2);
            at += 2;
        } else {
            out[at++] = text[i];
        }
    }
    if (out != NULL) {
        out[at] = '\0';
    }
    return out != NULL ? out : text;
}

/* The formula; in a figure, where nobody can look them up, with its numbers. */
static const char *formula_text(struct view *view, const struct lab_trace *trace, size_t index)
{
    const char *const formula = tr(lab_variant_row(index)->formula);
    const char *const values = !view->style.has_controls ? formula_values(view, trace) : NULL;
    const char *const both =
        values == NULL ? NULL : arena_format(view->arena, "%s, %s", formula, values);
    return !view->style.has_controls ? with_fixed_spaces(view, both != NULL ? both : formula)
                                     : formula;
}

/* The number of pairs, below a tile. */
static const char *pairs_text(struct view *view, const struct lab_trace *trace)
{
    const struct lab_sizes sizes = trace == NULL ? (struct lab_sizes){0} : lab_trace_sizes(trace);
    char part[TEXT_NUMBER_MAX], all[TEXT_NUMBER_MAX];
    const size_t count = sizes.n * sizes.m;
    return trace == NULL
               ? tr("does not fit here")
               : arena_words(view->arena, tr_n("%s of %s pair", "%s of %s pairs", count),
                             text_count(part, lab_trace_pairs(trace)), text_count(all, count));
}

/* The height of the texts of a row of tiles, from `first` up to `end`. In a figure nothing is cut:
 * texts take as many lines as they need; INFINITY: tiles are narrower than a word. */
static float text_height(struct view *view, const struct view_kinds *kinds, size_t first,
                         size_t end, float wide)
{
    float highest = 0;
    for (size_t i = first; !view->style.has_controls && i < end; i++) {
        const struct lab_variant_row *const row = lab_variant_row(i);
        const struct line {
            const char *text;
            float size;
        } lines[] = {{row->title, UI_TEXT_SMALL},
                     {formula_text(view, kinds->trace[i], i), UI_TEXT_TINY},
                     {pairs_text(view, kinds->trace[i]), UI_TEXT_TINY}};
        float high = 0;
        for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
            high += view_wrapped_height(view, wide, lines[l].size, lines[l].text);
            if (view_wrapped_width(view, wide, lines[l].size, lines[l].text) > wide) {
                return INFINITY;
            }
        }
        highest = fmaxf(highest, high);
    }
    return !view->style.has_controls ? highest + 6 : WORDS;
}

static void draw_text(struct view *view, size_t index, const struct lab_trace *trace,
                      struct rect place, bool current)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct lab_variant_row *const row = lab_variant_row(index);
    const struct colour ink = current ? theme->accent : theme->ink;
    const float middle = place.x + place.w / 2;
    if (!view->style.has_controls) {
        float y = place.y + 14;
        y += view_wrapped(view, place.x, y, place.w, UI_TEXT_SMALL, ink, row->title);
        y += view_wrapped(view, place.x, y, place.w, UI_TEXT_TINY, theme->muted,
                          formula_text(view, trace, index));
        view_wrapped(view, place.x, y, place.w, UI_TEXT_TINY, theme->muted,
                     pairs_text(view, trace));
        return;
    }
    view_text_whole(view, middle, place.y + 16, current ? FONT_WORDS_BOLD : FONT_WORDS,
                    UI_TEXT_SMALL, ink, CANVAS_CENTRE, tr(row->title), place.w);
    view_text_whole(view, middle, place.y + 31, FONT_WORDS, UI_TEXT_TINY, theme->muted,
                    CANVAS_CENTRE, formula_text(view, trace, index), place.w);
    view_text_whole(view, middle, place.y + 45, FONT_WORDS, UI_TEXT_TINY, theme->muted,
                    CANVAS_CENTRE, pairs_text(view, trace), place.w);
}

/* Draws a kind: its heatmap, title and formula, and how many pairs it computes. */
static void draw_kind(struct view *view, const struct view_kinds *kinds, size_t index,
                      struct rect place, float words)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_trace *const trace = kinds->trace[index];
    const bool current = lab_variant_of(view->experiment) == index && view->style.has_marks;
    const uint32_t id = ui_id_number(view->ui, "kind", index);
    const struct rect map = {place.x, place.y, place.w, place.h - words};
    if (trace != NULL) {
        draw_map(view, trace, index, rect_inset(map, 4));
    } else {
        view_wrapped(view, map.x + 6, map.y + 16, map.w - 12, UI_TEXT_TINY, theme->muted,
                     kinds->why[index].text);
    }
    draw_text(view, index, trace, (struct rect){place.x, map.y + map.h, place.w, words}, current);
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    const struct colour edge = current ? theme->accent : touch.hover ? theme->faint : theme->line;
    canvas_rect(canvas, rect_inset(place, -3), 6,
                &(struct paint){.stroke = edge, .width = current ? 2 : 1});
    ui_draw_focus(view->ui, id, rect_inset(place, -3), 6);
    if (touch.clicked) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_VARIANT, .variant = index});
    }
}

/* Tiles in rows: all heatmaps have one height, and texts that of their row. */
struct grid {
    size_t columns, rows, count;
    float wide, map;        /* width of a tile, height of its heatmap */
    float words[KINDS_MAX]; /* height of the texts of each row */
};

static struct grid fit_grid(struct view *view, const struct view_kinds *kinds, struct rect area,
                            size_t count, size_t columns)
{
    const float gap = tile_gap(view);
    struct grid grid = {
        .columns = columns, .rows = (count + columns - 1) / columns, .count = count};
    float words = 0;
    grid.wide = (area.w - gap * (float)(columns - 1)) / (float)columns;
    for (size_t row = 0; row < grid.rows; row++) {
        const size_t first = row * columns, end = first + columns < count ? first + columns : count;
        grid.words[row] = text_height(view, kinds, first, end, grid.wide);
        words += grid.words[row];
    }
    grid.map = (area.h - gap * (float)(grid.rows - 1) - words) / (float)grid.rows;
    return grid;
}

/* The grid with the largest tiles. */
static struct grid best_grid(struct view *view, const struct view_kinds *kinds, struct rect area,
                             size_t count)
{
    struct grid best = fit_grid(view, kinds, area, count, 1);
    float largest = 0;
    for (size_t columns = 1; columns <= count; columns++) {
        const struct grid grid = fit_grid(view, kinds, area, count, columns);
        const float tile = fminf(grid.wide, grid.map * 1.4f);
        if (tile > largest) {
            largest = tile;
            best = grid;
        }
    }
    return best;
}

static void draw_kinds(struct view *view, struct rect area)
{
    const struct lab_sizes sizes =
        view->trace == NULL ? (struct lab_sizes){0} : lab_trace_sizes(view->trace);
    if (view->trace == NULL || view->kinds == NULL || sizes.n * sizes.m > PAIRS_MAX) {
        view_notice(view, area, "Not all at once",
                    view->trace == NULL
                        ? tr("There is nothing to show yet: type a few words.")
                        : tr("Every kind is computed here: take at most 256 words."));
        return;
    }
    compute_kinds(view->kinds, view->trace);
    const size_t count = lab_variant_count() < KINDS_MAX ? lab_variant_count() : KINDS_MAX;
    const struct grid grid = best_grid(view, view->kinds, area, count);
    if (!(grid.map >= MAP_MIN) || grid.wide < MAP_MIN) {
        view_note_lack(view, VIEW_LACKS_ROOM, true);
    }
    if (!(grid.map > 0)) {
        return;
    }
    float y = area.y;
    for (size_t row = 0; row < grid.rows; row++) {
        const float high = grid.map + grid.words[row];
        for (size_t column = 0; column < grid.columns && row * grid.columns + column < count;
             column++) {
            const float x = area.x + (float)column * (grid.wide + tile_gap(view));
            draw_kind(view, view->kinds, row * grid.columns + column,
                      (struct rect){x, y, grid.wide, high}, grid.words[row]);
        }
        y += high + tile_gap(view);
    }
}

void view_kinds_overlay(struct view *view, struct rect area)
{
    const struct ui_theme *theme = view->ui->theme;
    const bool borderless = !view->style.has_cards;
    const float edge = borderless ? 4 : EDGE;
    const struct rect place = borderless || view->in_panel ? area : rect_inset(area, 8);
    const struct view_overlay_frame frame = {.name = "kinds", .label = "All kinds", .place = place};
    view_overlay_begin(view, area, &frame);
    const char *const title = view_own_title(view, "Every kind of attention on these words");
    const char *const sentence = !view->style.has_controls
                                     ? tr("The weights α of each.")
                                     : tr("The weights α of each; a click takes one.");
    if (title != NULL) {
        view_text_whole(view, place.x + EDGE, place.y + 30, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                        theme->ink, CANVAS_LEFT, tr(title), place.w - 90);
    }
    if (view_own_caption(view, sentence) == sentence) {
        view_text_whole(view, place.x + EDGE, place.y + 48, FONT_WORDS, UI_TEXT_SMALL, theme->muted,
                        CANVAS_LEFT, tr(sentence), place.w - 90);
    }
    const float head = borderless && title == NULL ? edge : HEAD;
    const struct rect inner = {place.x + edge, place.y + head, place.w - 2 * edge,
                               place.h - head - edge / 2};
    if (view->trace != NULL && lab_trace_experiment(view->trace)->alpha != NULL) {
        view_notice(view, inner, "One kind here",
                    "These numbers were given, not computed: other kinds of attention need queries "
                    "and keys.");
    } else {
        draw_kinds(view, inner);
    }
    view_overlay_end(view, &frame);
}
