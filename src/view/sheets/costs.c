/* What every kind of attention costs on the present sizes: counted, side by side. */
#include <math.h>

#include "base/translate.h"
#include "lab/experiment/kind.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float LINE = 58, HEAD = 96, COLUMN_WIDE = 170, EDGE = 24;
static const float NAME_LEAST = 150, NAME_MOST = 256; /* width of a kind and its formula */

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

/* 1234567 as "1 234 567". */
static const char *grouped(struct arena *arena, size_t number)
{
    const char *plain = arena_format(arena, "%zu", number);
    char *out = plain == NULL ? NULL : arena_alloc(arena, 64);
    if (out == NULL) {
        return "";
    }
    size_t length = 0, at = 0;
    while (plain[length] != 0) {
        length++;
    }
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            out[at++] = ' ';
        }
        out[at++] = plain[i];
    }
    return out;
}

static void draw_kind(struct view *view, enum lab_kind kind, const struct lab_cost costs[LAB_KINDS],
                      float x, float y, float name_wide)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_kind_row *row = lab_kind_row(kind);
    const bool current = kind == view->experiment->kind;
    canvas_text(canvas, x, y, current ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_BODY,
                current ? theme->accent : theme->ink, CANVAS_LEFT, tr(row->title));
    canvas_text_cut(canvas, x, y + 17, FONT_WORDS, UI_TEXT_TINY, theme->muted, CANVAS_LEFT,
                    tr(row->formula), name_wide - 12);
    for (size_t c = 0; c < COLUMNS; c++) {
        const float left = x + name_wide + (float)c * COLUMN_WIDE;
        size_t most = 1;
        for (int other = 0; other < LAB_KINDS; other++) {
            const size_t count = columns[c].of(&costs[other]);
            most = count > most ? count : most;
        }
        const size_t count = columns[c].of(&costs[kind]);
        canvas_text(canvas, left, y, FONT_NUMBERS, UI_TEXT_BODY, theme->ink, CANVAS_LEFT,
                    grouped(view->arena, count));
        const float wide = (COLUMN_WIDE - 24) * (float)((double)count / (double)most);
        canvas_rect(canvas, (struct rect){left, y + 9, fmaxf(wide, 1), 7}, 3,
                    &(struct paint){.fill = current ? theme->accent : theme->faint});
    }
}

void view_costs(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float counts = COLUMNS * COLUMN_WIDE + 2 * EDGE;
    const float name_wide = fmaxf(NAME_LEAST, fminf(NAME_MOST, area.w - 16 - counts));
    const struct rect sheet =
        view_overlay_place(area, name_wide + counts, HEAD + LAB_KINDS * LINE + EDGE);
    const struct view_overlay_sheet frame = {.name = "costs", .label = "Costs", .place = sheet};
    view_overlay_begin(view, area, &frame);
    canvas_clip(canvas, sheet);
    const char *const title = view_own_title(view, "What each kind costs here");
    if (title != NULL) {
        canvas_text_cut(canvas, sheet.x + EDGE, sheet.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                        theme->ink, CANVAS_LEFT, tr(title), sheet.w - 90);
    }
    if (view->trace != NULL) {
        struct lab_cost costs[LAB_KINDS];
        for (int kind = 0; kind < LAB_KINDS; kind++) {
            const struct lab_graph graph =
                lab_graph_of_kind(lab_trace_graph(view->trace), (enum lab_kind)kind);
            costs[kind] = lab_graph_cost(&graph, lab_trace_pairs(view->trace));
        }
        for (size_t c = 0; c < COLUMNS; c++) {
            const float left = sheet.x + EDGE + name_wide + (float)c * COLUMN_WIDE;
            canvas_text(canvas, left, sheet.y + 66, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->ink,
                        CANVAS_LEFT, tr(columns[c].title));
            canvas_text(canvas, left, sheet.y + 81, FONT_WORDS, UI_TEXT_TINY, theme->muted,
                        CANVAS_LEFT, tr(columns[c].hint));
        }
        for (int kind = 0; kind < LAB_KINDS; kind++) {
            draw_kind(view, (enum lab_kind)kind, costs, sheet.x + EDGE,
                      sheet.y + HEAD + 22 + (float)kind * LINE, name_wide);
        }
    }
    canvas_unclip(canvas);
    view_overlay_end(view, &frame);
}
