/* The costs of every kind of attention on the present sizes, side by side. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/kind.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float LINE = 58, HEAD = 96, COLUMN_WIDE = 170, EDGE = 24;
static const float NAME_MIN = 150, NAME_MAX = 256; /* width of a kind's title and formula */
static const float NARROW = 640;  /* in narrower places counts are below their kind */
static const float GROWTH = 210;  /* height of the curves below the table */
static const float LINE_MIN = 44; /* least height of a kind */
static const float NARROW_LINE = 84, NARROW_LINE_MIN = 56; /* of one with its counts below it */

static size_t cost_weights(const struct lab_cost *cost)
{
    return cost->weights;
}

static size_t cost_multiplications(const struct lab_cost *cost)
{
    return cost->multiplications;
}

static size_t cost_cache(const struct lab_cost *cost)
{
    return cost->cache_bytes;
}

/* The columns of counts. */
static const struct {
    const char *title, *hint;
    size_t (*of)(const struct lab_cost *cost);
} columns[] = {
    {"Weights", "numbers in all W", cost_weights},
    {"Multiplications", "for all words at once", cost_multiplications},
    {"Cache", "bytes for each word", cost_cache},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* A number as text with grouped digits, owned by the arena. */
static const char *grouped_digits(struct arena *arena, size_t number)
{
    char *const out = arena_alloc(arena, TEXT_NUMBER_MAX);
    return out != NULL ? text_count(out, number) : "";
}

enum { GROWTH_WORDS_MAX = 512 };

static bool has_growth_curve(const struct view *view)
{
    if (view->trace == NULL) { /* nothing is computed yet */
        return false;
    }
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    return !sizes.cross && sizes.n > 0 && sizes.n <= GROWTH_WORDS_MAX && sizes.n == sizes.m;
}

/* The layout of the table: the counts of a kind are at the right of its title, or below it if there
 * is no room. */
struct layout {
    float x, down;      /* left edge; from title to counts */
    float name, column; /* width of the title, and of each column */
    float first;        /* from the left edge to the first column */
    float line;         /* height of a kind */
};

/* The height of a kind: at most `most`, and as low as the curves below the table need where that
 * gives them room. */
static float line_height(const struct view *view, struct rect place, float most, float least)
{
    const float beside_curve = (place.h - HEAD - (GROWTH - EDGE)) / LAB_KINDS;
    const bool gives_way = has_growth_curve(view) && beside_curve >= least;
    return fminf(most, gives_way ? beside_curve : (place.h - HEAD - 4) / LAB_KINDS);
}

static struct layout lay_out_table(const struct view *view, struct rect place)
{
    const float edge = place.w < NARROW ? 16 : EDGE, wide = place.w - 2 * edge;
    if (place.w < NARROW) {
        return (struct layout){.x = place.x + edge,
                               .down = 19,
                               .name = wide,
                               .column = wide / COLUMNS,
                               .line = line_height(view, place, NARROW_LINE, NARROW_LINE_MIN)};
    }
    const float name = fmaxf(NAME_MIN, fminf(NAME_MAX, wide - COLUMNS * COLUMN_WIDE));
    const float line = fmaxf(line_height(view, place, LINE, LINE_MIN), LINE_MIN);
    return (struct layout){
        .x = place.x + edge, .name = name, .first = name, .column = COLUMN_WIDE, .line = line};
}

/* "Grouped-query, 2 groups": the title with the number that the counts are for. */
static const char *kind_title(const struct view *view, enum lab_kind kind)
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

/* Says how a kind computes its keys and values; if a cached latent would not do, why its cache is
 * as large as that of all heads. */
static const char *kind_formula(const struct view *view, enum lab_kind kind)
{
    const struct lab_graph graph = lab_graph_of_kind(lab_trace_graph(view->trace), kind);
    return kind == LAB_LATENT && !lab_graph_caches_latent(&graph)
               ? tr("keys change after C·W_UK: K and V are kept")
               : tr(lab_kind_row(kind)->formula);
}

/* Draws the kind's title with its formula below it or at its right. */
static void draw_name(struct view *view, enum lab_kind kind, const struct layout *layout, float y)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const char *const formula = kind_formula(view, kind);
    const bool current = kind == view->experiment->kind && view->style.has_marks;
    const char *const title = kind_title(view, kind);
    const float wide =
        view_text_whole(view, layout->x, y, current ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_BODY,
                        current ? theme->accent : theme->ink, CANVAS_LEFT, title, layout->name)
            ? layout->name
            : canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, title);
    const bool below = layout->down == 0;
    const struct point at = {layout->x + (below ? 0 : wide + 12), y + (below ? 17 : 0)};
    const float room = layout->name - 12 - (below ? 0 : wide);
    const float smallest = canvas_measure(canvas, FONT_WORDS, 9, formula);
    if (smallest <= room || !view->style.has_controls) {
        view_text_fitted(view, at, UI_TEXT_TINY, CANVAS_LEFT, formula, room);
    } else { /* a part of a formula would explain nothing */
        ui_tip(view->ui, ui_id_number(view->ui, "kind formula", (size_t)kind),
               (struct rect){layout->x, y - 14, layout->name, 20}, formula);
    }
}

static void draw_kind(struct view *view, enum lab_kind kind, const struct lab_cost costs[LAB_KINDS],
                      const struct layout *layout, float y)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const bool current = kind == view->experiment->kind && view->style.has_marks;
    draw_name(view, kind, layout, y);
    y += layout->down;
    for (size_t c = 0; c < COLUMNS; c++) {
        const float left = layout->x + layout->first + (float)c * layout->column;
        size_t largest = 1;
        for (int other = 0; other < LAB_KINDS; other++) {
            const size_t count = columns[c].of(&costs[other]);
            largest = count > largest ? count : largest;
        }
        const size_t count = columns[c].of(&costs[kind]);
        canvas_text(canvas, left, y, FONT_NUMBERS, UI_TEXT_BODY, theme->ink, CANVAS_LEFT,
                    grouped_digits(view->arena, count));
        const float wide = (layout->column - 24) * (float)((double)count / (double)largest);
        canvas_rect(canvas, (struct rect){left, y + (layout->down > 0 ? 6 : 9), fmaxf(wide, 1), 7},
                    3, &(struct paint){.fill = current ? theme->accent : theme->faint});
    }
}

static void draw_table(struct view *view, struct rect place)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct layout layout = lay_out_table(view, place);
    struct lab_cost costs[LAB_KINDS];
    view_note_lack(view, VIEW_LACKS_ROOM, layout.line < LINE_MIN);
    for (int kind = 0; kind < LAB_KINDS; kind++) {
        const struct lab_graph graph =
            lab_graph_of_kind(lab_trace_graph(view->trace), (enum lab_kind)kind);
        costs[kind] = lab_graph_cost(&graph, lab_trace_pairs(view->trace));
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        const float left = layout.x + layout.first + (float)c * layout.column;
        view_text_whole(view, left, place.y + 66, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink,
                        CANVAS_LEFT, tr(columns[c].title), layout.column - 12);
        view_text_whole(view, left, place.y + 81, FONT_WORDS, UI_TEXT_TINY, theme->muted,
                        CANVAS_LEFT, tr(columns[c].hint), layout.column - 12);
    }
    const float first = place.y + HEAD + (layout.down > 0 ? 14 : 22);
    for (int kind = 0; kind < LAB_KINDS; kind++) {
        draw_kind(view, (enum lab_kind)kind, costs, &layout, first + (float)kind * layout.line);
    }
}

enum { GROWTH_POINTS = 96 };

/* The pairs of a text of so many tokens: all of them, or those that the mask leaves. */
static double pair_count(const struct view *view, size_t words, bool masked)
{
    const struct lab_mask_rule mask = lab_experiment_mask(view->experiment);
    return masked ? (double)lab_mask_pairs(&mask, words, words) : (double)(words * words);
}

/* The pairs between two counts of tokens: n² is a curve; what a mask leaves is interpolated by the
 * parabola through three counts, so that few tokens make no corners. */
static double pairs_between(const struct view *view, double words, bool masked)
{
    const size_t whole = (size_t)words, middle = whole > 0 ? whole : 1;
    if (!masked) {
        return words * words;
    }
    const double before = middle > 1 ? pair_count(view, middle - 1, true) : 0;
    const double here = pair_count(view, middle, true), after = pair_count(view, middle + 1, true);
    const double t = words - (double)middle;
    return here + t * (after - before) / 2 + t * t * (after - 2 * here + before) / 2;
}

static void draw_curve(struct view *view, struct rect plot, size_t words, bool masked,
                       const char *name)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct colour colour = masked ? theme->accent : theme->muted;
    struct point points[GROWTH_POINTS + 1];
    const double largest = pair_count(view, words, false);
    for (size_t p = 0; p <= GROWTH_POINTS; p++) {
        const double n = (double)words * (double)p / GROWTH_POINTS;
        points[p] =
            (struct point){plot.x + plot.w * (float)p / GROWTH_POINTS,
                           plot.y + plot.h * (float)(1 - pairs_between(view, n, masked) / largest)};
    }
    canvas_path(view->ui->canvas, points, GROWTH_POINTS + 1, false,
                &(struct paint){.stroke = colour, .width = 2});
    const struct point end = points[GROWTH_POINTS];
    canvas_text(view->ui->canvas, end.x + 8, end.y + 4, FONT_WORDS_BOLD, UI_TEXT_SMALL, colour,
                CANVAS_LEFT, name);
}

/* The number of tokens that each one sees at most, however long the text is; 0: it grows with the
 * text. */
static size_t mask_window(const struct view *view)
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

/* Of lines below the curves, and of the first one from them. */
static const struct view_length LINE_APART = {.near = 17, .far = 18},
                                COUNTS_BELOW = {.near = 31, .far = 32};

/* Draws how many pairs there are, and what w is. */
static void draw_counts(struct view *view, struct rect area, float baseline, bool masked)
{
    const struct ui_theme *theme = view->ui->theme;
    const size_t n = lab_trace_sizes(view->trace).n, window = mask_window(view);
    const char *const all = grouped_digits(view->arena, n * n);
    const char *const text =
        masked ? arena_words(view->arena,
                             tr_n("%zu word: %s pair, %s of them seen",
                                  "%zu words: %s pairs, %s of them seen", n),
                             n, all, grouped_digits(view->arena, lab_trace_pairs(view->trace)))
               : arena_words(view->arena,
                             tr_n("%zu word: %s pair; %zu words: %s",
                                  "%zu words: %s pairs; %zu words: %s", n),
                             n, all, 2 * n, grouped_digits(view->arena, 4 * n * n));
    const struct lab_mask_rule rule = lab_experiment_mask(view->experiment);
    const char *const each =
        window == 0 ? NULL
        : rule.kind == LAB_MASK_WINDOW
            ? arena_words(view->arena, "n words, %zu to either side and itself: w = %zu", rule.size,
                          window)
            : arena_words(view->arena, "n words, each sees at most w = %zu", window);
    view_text_whole(view, area.x, baseline, FONT_WORDS, view->style.small, theme->muted,
                    CANVAS_LEFT, text, area.w);
    view_text_whole(view, area.x, baseline + view_length(view, LINE_APART), FONT_WORDS,
                    view->style.small, theme->muted, CANVAS_LEFT, each, area.w);
}

/* Draws pairs against tokens, up to twice as many as there are: n², and what a mask leaves of it.
 */
static void draw_growth(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const size_t n = lab_trace_sizes(view->trace).n, words = 2 * n;
    const enum lab_mask mask = view->experiment->mask;
    const bool masked = mask != LAB_MASK_NONE && mask != LAB_MASK_CUSTOM;
    const size_t window = mask_window(view);
    const struct rect plot = {area.x, area.y + 26, area.w - 64,
                              area.h - 60 - (window > 0 ? view_length(view, LINE_APART) : 0)};
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
    const float end = plot.x + plot.w + 18; /* right of the axis's last number */
    view_text_whole(view, end, bottom + 14, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                    tr("words"), area.x + area.w - end);
    draw_counts(view, area, bottom + view_length(view, COUNTS_BELOW), masked);
    canvas_ungroup(canvas);
}

/* Says whether a panel has only the curve, as with one head all kinds cost the same. */
static bool is_curve_alone(const struct view *view)
{
    return view->in_panel && has_growth_curve(view) && lab_trace_sizes(view->trace).heads == 1;
}

static const float ABOVE_CURVE = 56; /* height of its heading */

bool view_costs_fit(const struct view *view, float high)
{
    struct view panel = *view;
    panel.in_panel = true;
    return !is_curve_alone(&panel) || high - ABOVE_CURVE >= GROWTH - EDGE;
}

void view_costs(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct rect place = view_overlay_place(
        view, area, NAME_MAX + COLUMNS * COLUMN_WIDE + 2 * EDGE, HEAD + LAB_KINDS * LINE + GROWTH);
    const struct view_overlay_frame frame = {.name = "costs", .label = "Costs", .place = place};
    view_overlay_begin(view, area, &frame);
    canvas_clip(canvas, place);
    const bool curve = has_growth_curve(view);
    const bool alone = is_curve_alone(view);
    const char *const title =
        view_own_title(view, alone ? "What a longer text costs" : "What each kind costs here");
    if (title != NULL) {
        view_text_whole(view, place.x + (place.w < NARROW ? 16 : EDGE), place.y + 36,
                        FONT_WORDS_BOLD, UI_TEXT_TITLE, view->ui->theme->ink, CANVAS_LEFT,
                        tr(title), place.w - (view->in_panel ? 32 : 90));
    }
    const float left = place.w < NARROW ? 16 : EDGE;
    const float below = alone ? place.y + ABOVE_CURVE
                              : place.y + HEAD + LAB_KINDS * lay_out_table(view, place).line;
    const bool given = view->trace != NULL && lab_trace_experiment(view->trace)->alpha != NULL;
    if (given) {
        view_notice(view, place, "No costs here",
                    "These numbers were given: what it takes to compute them is not known here.");
    } else if (view->trace != NULL && !alone) {
        draw_table(view, place);
    }
    if (curve && !given && place.y + place.h - below >= GROWTH - EDGE) {
        draw_growth(view, (struct rect){place.x + left, below, place.w - 2 * left,
                                        place.y + place.h - below - 12});
    }
    canvas_unclip(canvas);
    view_overlay_end(view, &frame);
}
