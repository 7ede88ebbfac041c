/* A small heatmap for every kind of attention, computed once for a trace. */
#include "view/sheets/kinds.h"

#include <math.h>
#include <stdlib.h>

#include "base/translate.h"
#include "lab/experiment/variant.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

enum { KINDS_MOST = 24, PAIRS_MOST = 1 << 16 };

static const float EDGE = 24, HEAD = 62, GAP = 16, WORDS = 50;

struct view_kinds {
    const struct lab_trace *of; /* the trace they were made beside; a reference */
    const struct lab_trace *trace[KINDS_MOST];
    struct error why[KINDS_MOST]; /* where there is no trace */
};

struct view_kinds *view_kinds_open(void)
{
    return calloc(1, sizeof(struct view_kinds));
}

static void forget(struct view_kinds *kinds)
{
    for (size_t i = 0; i < KINDS_MOST; i++) {
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
        forget(kinds);
        free(kinds);
    }
}

/* Computes every kind beside the present trace, once. */
static void compute(struct view_kinds *kinds, const struct lab_trace *trace)
{
    if (kinds->of == trace) {
        return;
    }
    forget(kinds);
    kinds->of = lab_trace_keep(trace);
    const struct lab_experiment *const present = lab_trace_experiment(trace);
    for (size_t i = 0; i < lab_variant_count() && i < KINDS_MOST; i++) {
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
        .row = VIEW_NOWHERE,
        .column = VIEW_NOWHERE,
        .done = 1,
        .id = ui_id_number(view->ui, "small", index),
    };
    view_matrix_draw(view, &matrix);
}

/* One kind: its picture, its name, its formula, and how many pairs it computes. */
static void draw_kind(struct view *view, const struct view_kinds *kinds, size_t index,
                      struct rect place)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_variant_row *const row = lab_variant_row(index);
    const struct lab_trace *const trace = kinds->trace[index];
    const bool current = lab_variant_of(view->experiment) == index;
    const uint32_t id = ui_id_number(view->ui, "kind", index);
    const struct rect map = {place.x, place.y, place.w, place.h - WORDS};
    const float middle = place.x + place.w / 2, y = map.y + map.h;
    if (trace != NULL) {
        draw_map(view, trace, index, rect_inset(map, 4));
    } else {
        view_wrapped(view, map.x + 6, map.y + 16, map.w - 12, UI_TEXT_TINY, theme->muted,
                     kinds->why[index].text);
    }
    canvas_text_cut(canvas, middle, y + 16, current ? FONT_WORDS_BOLD : FONT_WORDS, UI_TEXT_SMALL,
                    current ? theme->accent : theme->ink, CANVAS_CENTRE, tr(row->title), place.w);
    canvas_text_cut(canvas, middle, y + 31, FONT_WORDS, UI_TEXT_TINY, theme->muted, CANVAS_CENTRE,
                    tr(row->formula), place.w);
    const struct lab_sizes sizes = trace == NULL ? (struct lab_sizes){0} : lab_trace_sizes(trace);
    const char *const pairs = trace == NULL
                                  ? tr("does not fit here")
                                  : arena_format(view->arena, "%zu of %zu pairs",
                                                 lab_trace_pairs(trace), sizes.n * sizes.m);
    canvas_text_cut(canvas, middle, y + 45, FONT_WORDS, UI_TEXT_TINY, theme->muted, CANVAS_CENTRE,
                    pairs != NULL ? pairs : "", place.w);
    const struct ui_touch touch = ui_touch(view->ui, id, place, true);
    const struct colour edge = current ? theme->accent : touch.hover ? theme->faint : theme->line;
    canvas_rect(canvas, rect_inset(place, -3), 6,
                &(struct paint){.stroke = edge, .width = current ? 2 : 1});
    ui_draw_focus(view->ui, id, rect_inset(place, -3), 6);
    if (touch.clicked) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_VARIANT, .variant = index});
    }
}

/* As many columns as make the tiles as large as they can be. */
static size_t best_columns(struct rect area, size_t count)
{
    size_t best = 1;
    float largest = 0;
    for (size_t columns = 1; columns <= count; columns++) {
        const size_t rows = (count + columns - 1) / columns;
        const float wide = (area.w - GAP * (float)(columns - 1)) / (float)columns;
        const float high = (area.h - GAP * (float)(rows - 1)) / (float)rows - WORDS;
        const float tile = fminf(wide, high * 1.4f);
        if (tile > largest) {
            largest = tile;
            best = columns;
        }
    }
    return best;
}

static void draw_kinds(struct view *view, struct rect area)
{
    const struct lab_sizes sizes =
        view->trace == NULL ? (struct lab_sizes){0} : lab_trace_sizes(view->trace);
    if (view->trace == NULL || view->kinds == NULL || sizes.n * sizes.m > PAIRS_MOST) {
        view_notice(view, area, "Not all at once",
                    view->trace == NULL
                        ? tr("There is nothing to show yet: type a few words.")
                        : tr("Every kind is computed here: take at most 256 words."));
        return;
    }
    compute(view->kinds, view->trace);
    const size_t count = lab_variant_count() < KINDS_MOST ? lab_variant_count() : KINDS_MOST;
    const size_t columns = best_columns(area, count), rows = (count + columns - 1) / columns;
    const float wide = (area.w - GAP * (float)(columns - 1)) / (float)columns;
    const float high = (area.h - GAP * (float)(rows - 1)) / (float)rows;
    for (size_t i = 0; i < count; i++) {
        const float column = (float)(i % columns), row = (float)(i / columns);
        draw_kind(
            view, view->kinds, i,
            (struct rect){area.x + column * (wide + GAP), area.y + row * (high + GAP), wide, high});
    }
}

void view_kinds_sheet(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct rect sheet = view->in_panel ? area : rect_inset(area, 8);
    const struct view_overlay_sheet frame = {.name = "kinds", .label = "All kinds", .place = sheet};
    view_overlay_begin(view, area, &frame);
    const char *const title = view_own_title(view, "Every kind of attention on these words");
    const char *const sentence = view->still ? tr("The weights α of each.")
                                             : tr("The weights α of each; a click takes one.");
    if (title != NULL) {
        canvas_text_cut(canvas, sheet.x + EDGE, sheet.y + 30, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                        theme->ink, CANVAS_LEFT, tr(title), sheet.w - 90);
    }
    if (view_own_caption(view, sentence) == sentence) {
        canvas_text_cut(canvas, sheet.x + EDGE, sheet.y + 48, FONT_WORDS, UI_TEXT_SMALL,
                        theme->muted, CANVAS_LEFT, tr(sentence), sheet.w - 90);
    }
    draw_kinds(view, (struct rect){sheet.x + EDGE, sheet.y + HEAD, sheet.w - 2 * EDGE,
                                   sheet.h - HEAD - EDGE / 2});
    view_overlay_end(view, &frame);
}
