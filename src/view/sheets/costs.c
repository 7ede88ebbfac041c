/* What every kind of attention costs on the present sizes: counted, side by side. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/kind.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float LINE = 58, HEAD = 96, COLUMN_WIDE = 170, EDGE = 24;
static const float NAME_LEAST = 150, NAME_MOST = 256; /* width of a kind and its formula */
static const float NARROW = 640;                      /* counts stand below their kind */
static const float GROWTH = 210;                      /* of the curves below the table */
static const float LINE_LEAST = 44;                   /* of a kind in a figure */

static size_t weights_of(const struct lab_cost *cost)
{
    return cost->weights;
}

static size_t multiplications_of(const struct lab_cost *cost)
{
    return cost->multiplications;
}

static size_t cache_of(const struct lab_cost *cost)
{
    return cost->cache_bytes;
}

/* The columns: what is counted. */
static const struct {
    const char *title, *hint;
    size_t (*of)(const struct lab_cost *cost);
} columns[] = {
    {"Weights", "numbers in all W", weights_of},
    {"Multiplications", "for all words at once", multiplications_of},
    {"Cache", "bytes for each word", cache_of},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* As text that lasts as long as the arena. */
static const char *grouped(struct arena *arena, size_t number)
{
    char *const out = arena_alloc(arena, TEXT_NUMBER_MAX);
    return out != NULL ? text_count(out, number) : "";
}

/* Where everything stands: a kind's counts right of its name, or where that is too narrow below
 * it. */
struct lines {
    float x, down;      /* left edge; from name to counts */
    float name, column; /* widths: of the name, and of each column of counts */
    float first;        /* from the left edge to the first column */
    float line;         /* height of a kind */
};

static struct lines lay_out(struct rect sheet)
{
    const float edge = sheet.w < NARROW ? 16 : EDGE, wide = sheet.w - 2 * edge;
    if (sheet.w < NARROW) {
        return (struct lines){.x = sheet.x + edge,
                              .down = 19,
                              .name = wide,
                              .column = wide / COLUMNS,
                              .line = fminf((sheet.h - HEAD - 4) / LAB_KINDS, 84)};
    }
    const float name = fmaxf(NAME_LEAST, fminf(NAME_MOST, wide - COLUMNS * COLUMN_WIDE));
    return (struct lines){
        .x = sheet.x + edge, .name = name, .first = name, .column = COLUMN_WIDE, .line = LINE};
}

/* "Grouped-query, 2 groups": with what it is counted for. */
static const char *title_of(const struct view *view, enum lab_kind kind)
{
    const struct lab_graph graph = lab_graph_of_kind(lab_trace_graph(view->trace), kind);
    const char *const title = tr(lab_kind_row(kind)->title);
    const size_t number = kind == LAB_GROUPED ? graph.sizes.kv_heads : graph.sizes.latent;
    const char *const text =
        kind == LAB_GROUPED
            ? arena_format(view->arena, tr_n("%s, %zu group", "%s, %zu groups", number), title,
                           number)
        : kind == LAB_LATENT
            ? arena_format(view->arena, tr_n("%s, %zu number", "%s, %zu numbers", number), title,
                           number)
            : title;
    return text != NULL ? text : title;
}

/* How a kind makes its keys and values; where the latent alone would not do, why its cache is as
 * large as that of all heads. */
static const char *formula_of(const struct view *view, enum lab_kind kind)
{
    const struct lab_graph graph = lab_graph_of_kind(lab_trace_graph(view->trace), kind);
    return kind == LAB_LATENT && !lab_graph_caches_latent(&graph)
               ? tr("keys change after C·W_UK: K and V are kept")
               : tr(lab_kind_row(kind)->formula);
}

/* The kind's name; its formula below it, or behind it. */
static void draw_name(struct view *view, enum lab_kind kind, const struct lines *lines, float y)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const char *const formula = formula_of(view, kind);
    const bool current = kind == view->experiment->kind && (view->emphasis || !view->is_figure);
    const char *const title = title_of(view, kind);
    const float wide =
        view_text_whole(view, lines->x, y, current ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_BODY,
                        current ? theme->accent : theme->ink, CANVAS_LEFT, title, lines->name)
            ? lines->name
            : canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, title);
    const bool below = lines->down == 0;
    const struct point at = {lines->x + (below ? 0 : wide + 12), y + (below ? 17 : 0)};
    const float room = lines->name - 12 - (below ? 0 : wide);
    const float smallest = canvas_measure(canvas, FONT_WORDS, 9, formula);
    if (smallest <= room || view->is_figure) {
        view_text_fitted(view, at, UI_TEXT_TINY, CANVAS_LEFT, formula, room);
    } else { /* half a formula explains nothing */
        ui_tip(view->ui, ui_id_number(view->ui, "kind formula", (size_t)kind),
               (struct rect){lines->x, y - 14, lines->name, 20}, formula);
    }
}

static void draw_kind(struct view *view, enum lab_kind kind, const struct lab_cost costs[LAB_KINDS],
                      const struct lines *lines, float y)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const bool current = kind == view->experiment->kind && (view->emphasis || !view->is_figure);
    draw_name(view, kind, lines, y);
    y += lines->down;
    for (size_t c = 0; c < COLUMNS; c++) {
        const float left = lines->x + lines->first + (float)c * lines->column;
        size_t most = 1;
        for (int other = 0; other < LAB_KINDS; other++) {
            const size_t count = columns[c].of(&costs[other]);
            most = count > most ? count : most;
        }
        const size_t count = columns[c].of(&costs[kind]);
        canvas_text(canvas, left, y, FONT_NUMBERS, UI_TEXT_BODY, theme->ink, CANVAS_LEFT,
                    grouped(view->arena, count));
        const float wide = (lines->column - 24) * (float)((double)count / (double)most);
        canvas_rect(canvas, (struct rect){left, y + (lines->down > 0 ? 6 : 9), fmaxf(wide, 1), 7},
                    3, &(struct paint){.fill = current ? theme->accent : theme->faint});
    }
}

static void draw_table(struct view *view, struct rect sheet)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct lines lines = lay_out(sheet);
    struct lab_cost costs[LAB_KINDS];
    view->crowded = view->crowded || lines.line < LINE_LEAST;
    for (int kind = 0; kind < LAB_KINDS; kind++) {
        const struct lab_graph graph =
            lab_graph_of_kind(lab_trace_graph(view->trace), (enum lab_kind)kind);
        costs[kind] = lab_graph_cost(&graph, lab_trace_pairs(view->trace));
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        const float left = lines.x + lines.first + (float)c * lines.column;
        view_text_whole(view, left, sheet.y + 66, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink,
                        CANVAS_LEFT, tr(columns[c].title), lines.column - 12);
        view_text_whole(view, left, sheet.y + 81, FONT_WORDS, UI_TEXT_TINY, theme->muted,
                        CANVAS_LEFT, tr(columns[c].hint), lines.column - 12);
    }
    const float first = sheet.y + HEAD + (lines.down > 0 ? 14 : 22);
    for (int kind = 0; kind < LAB_KINDS; kind++) {
        draw_kind(view, (enum lab_kind)kind, costs, &lines, first + (float)kind * lines.line);
    }
}

enum { GROWTH_POINTS = 96, GROWTH_WORDS_MOST = 512 };

/* Pairs of a text of so many words: all of them, or those that the mask leaves. */
static double pairs_of(const struct view *view, size_t words, bool masked)
{
    const struct lab_mask_rule mask = lab_experiment_mask(view->experiment);
    return masked ? (double)lab_mask_pairs(&mask, words, words) : (double)(words * words);
}

/* Pairs at a place between two counts of words: n² is a curve; what a mask leaves is counted, and
 * between counts drawn as the parabola through three of them, so that few words make no corners. */
static double pairs_between(const struct view *view, double words, bool masked)
{
    const size_t whole = (size_t)words, middle = whole > 0 ? whole : 1;
    if (!masked) {
        return words * words;
    }
    const double before = middle > 1 ? pairs_of(view, middle - 1, true) : 0;
    const double here = pairs_of(view, middle, true), after = pairs_of(view, middle + 1, true);
    const double t = words - (double)middle;
    return here + t * (after - before) / 2 + t * t * (after - 2 * here + before) / 2;
}

static void draw_curve(struct view *view, struct rect plot, size_t words, bool masked,
                       const char *name)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct colour colour = masked ? theme->accent : theme->muted;
    struct point points[GROWTH_POINTS + 1];
    const double most = pairs_of(view, words, false);
    for (size_t p = 0; p <= GROWTH_POINTS; p++) {
        const double n = (double)words * (double)p / GROWTH_POINTS;
        points[p] =
            (struct point){plot.x + plot.w * (float)p / GROWTH_POINTS,
                           plot.y + plot.h * (float)(1 - pairs_between(view, n, masked) / most)};
    }
    canvas_path(view->ui->canvas, points, GROWTH_POINTS + 1, false,
                &(struct paint){.stroke = colour, .width = 2});
    const struct point end = points[GROWTH_POINTS];
    canvas_text(view->ui->canvas, end.x + 8, end.y + 4, FONT_WORDS_BOLD, UI_TEXT_SMALL, colour,
                CANVAS_LEFT, name);
}

static bool grows(const struct view *view)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    return !sizes.cross && sizes.n > 0 && sizes.n <= GROWTH_WORDS_MOST && sizes.n == sizes.m;
}

/* The most words that one sees, however long the text is; 0: they grow with it. */
static size_t window_of(const struct view *view)
{
    const struct lab_mask_rule rule = lab_experiment_mask(view->experiment);
    switch (rule.kind) {
    case LAB_MASK_WINDOW:
    case LAB_MASK_DILATED:
        return 2 * rule.size + 1;
    case LAB_MASK_CAUSAL_WINDOW:
    case LAB_MASK_BLOCK:
        return rule.size;
    default:
        return 0;
    }
}

static const float LINE_APART = 17; /* of lines below the curves */

/* How many pairs there are, and what w is. */
static void draw_counts(struct view *view, struct rect area, float baseline, bool masked)
{
    const struct ui_theme *theme = view->ui->theme;
    const size_t n = lab_trace_sizes(view->trace).n, window = window_of(view);
    const char *const all = grouped(view->arena, n * n);
    const char *const text =
        masked ? arena_format(view->arena,
                              tr_n("%zu word: %s pair, %s of them seen",
                                   "%zu words: %s pairs, %s of them seen", n),
                              n, all, grouped(view->arena, lab_trace_pairs(view->trace)))
               : arena_format(view->arena,
                              tr_n("%zu word: %s pair; %zu words: %s",
                                   "%zu words: %s pairs; %zu words: %s", n),
                              n, all, 2 * n, grouped(view->arena, 4 * n * n));
    const struct lab_mask_rule rule = lab_experiment_mask(view->experiment);
    const char *const each =
        window == 0 ? NULL
        : rule.kind == LAB_MASK_WINDOW
            ? arena_format(view->arena, "n words, %zu to either side and itself: w = %zu",
                           rule.size, window)
            : arena_format(view->arena, "n words, each sees at most w = %zu", window);
    view_text_whole(view, area.x, baseline, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                    text != NULL ? text : "", area.w);
    view_text_whole(view, area.x, baseline + LINE_APART, FONT_WORDS, UI_TEXT_SMALL, theme->muted,
                    CANVAS_LEFT, each != NULL ? each : "", area.w);
}

/* Pairs against words, up to twice as many as there are: n², and what a mask makes of it. */
static void draw_growth(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const size_t n = lab_trace_sizes(view->trace).n, words = 2 * n;
    const enum lab_mask mask = view->experiment->mask;
    const bool masked = mask != LAB_MASK_NONE && mask != LAB_MASK_CUSTOM;
    const size_t window = window_of(view);
    const struct rect plot = {area.x, area.y + 26, area.w - 64,
                              area.h - 60 - (window > 0 ? LINE_APART : 0)};
    const float at = plot.x + plot.w / 2, bottom = plot.y + plot.h;
    canvas_group(canvas, ui_id(view->ui, "growth"), "Pairs against words");
    view_text_whole(view, area.x, area.y + 12, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink,
                    CANVAS_LEFT, tr("Pairs of a longer text"), area.w);
    canvas_line(canvas, plot.x, bottom, plot.x + plot.w, bottom, 1, theme->line);
    canvas_line(canvas, at, plot.y, at, bottom, 1, theme->line);
    draw_curve(view, plot, words, false, "n²");
    if (masked) {
        draw_curve(view, plot, words, true, window > 0 ? "n·w" : tr(lab_mask_row(mask)->title));
    }
    for (size_t t = 0; t < 2; t++) {
        const float x = t == 0 ? at : plot.x + plot.w;
        const size_t count = t == 0 ? n : words;
        canvas_text(canvas, x, bottom + 14, FONT_NUMBERS, UI_TEXT_SMALL, theme->muted,
                    CANVAS_CENTRE, arena_format(view->arena, "%zu", count));
    }
    const float end = plot.x + plot.w + 18; /* what stands along the axis, behind its last number */
    view_text_whole(view, end, bottom + 14, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                    tr("words"), area.x + area.w - end);
    draw_counts(view, area, bottom + 31, masked);
    canvas_ungroup(canvas);
}

/* With one head the kinds cost the same: before a class the curve is what there is to see. */
static bool is_curve_alone(const struct view *view)
{
    return view->in_panel && view->trace != NULL && grows(view) &&
           lab_trace_sizes(view->trace).heads == 1;
}

static const float ABOVE_CURVE = 56; /* its heading, where it stands alone */

bool view_costs_fit(const struct view *view, float high)
{
    struct view panel = *view;
    panel.in_panel = true;
    return !is_curve_alone(&panel) || high - ABOVE_CURVE >= GROWTH - EDGE;
}

void view_costs(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct rect sheet = view_overlay_place(
        view, area, NAME_MOST + COLUMNS * COLUMN_WIDE + 2 * EDGE, HEAD + LAB_KINDS * LINE + GROWTH);
    const struct view_overlay_sheet frame = {.name = "costs", .label = "Costs", .place = sheet};
    view_overlay_begin(view, area, &frame);
    canvas_clip(canvas, sheet);
    const bool curve = view->trace != NULL && grows(view);
    const bool alone = is_curve_alone(view);
    const char *const title =
        view_own_title(view, alone ? "What a longer text costs" : "What each kind costs here");
    if (title != NULL) {
        view_text_whole(view, sheet.x + (sheet.w < NARROW ? 16 : EDGE), sheet.y + 36,
                        FONT_WORDS_BOLD, UI_TEXT_TITLE, view->ui->theme->ink, CANVAS_LEFT,
                        tr(title), sheet.w - (view->in_panel ? 32 : 90));
    }
    const float left = sheet.w < NARROW ? 16 : EDGE;
    const float below =
        alone ? sheet.y + ABOVE_CURVE : sheet.y + HEAD + LAB_KINDS * lay_out(sheet).line;
    const bool given =
        view->trace != NULL && lab_trace_experiment(view->trace)->alpha != NULL; /* not computed */
    if (given) {
        view_notice(view, sheet, "No costs here",
                    "These weights were given: what it takes to compute them is not known here.");
    } else if (view->trace != NULL && !alone) {
        draw_table(view, sheet);
    }
    if (curve && !given && sheet.y + sheet.h - below >= GROWTH - EDGE) {
        draw_growth(view, (struct rect){sheet.x + left, below, sheet.w - 2 * left,
                                        sheet.y + sheet.h - below - 12});
    }
    canvas_unclip(canvas);
    view_overlay_end(view, &frame);
}
