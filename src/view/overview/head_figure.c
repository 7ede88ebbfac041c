/* All heads as a figure: tiles over the whole width, numbered at two edges, with a colour bar and
 * without controls. */
#include <math.h>

#include "base/translate.h"
#include "view/overview/thumbnail.h"
#include "view/parts/colours.h"
#include "view/parts/head_overview.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"

static const float NUMBERS = 20,
                   AXIS = 16; /* height of numbers at an edge, and of the name of the axis */
static const float BAR_APART = 12, BAR_WIDE = 11, BAR = 64, MASKED = 24;
static const float OF_SIDE = 0.07f, GAP_MIN = 1.5f; /* gap between tiles */
static const float NAME = 15;                       /* height of a tile's name */
static const float BRACKET = 4;                     /* height of brackets over a row */
static const float FRAME = 1; /* the frame is outside a tile and covers none of its cells */

/* The layout of the tiles. If they are one line of many, they are wrapped and each is numbered. */
struct figure {
    size_t layers, heads, rows, columns;
    bool turned;  /* columns are layers */
    bool wrapped; /* there is one layer, or one head per layer */
    float shape;  /* height of a tile over its width */
    float wide, high, apart;
    float good; /* quality: width of a tile times the shares of the width and of tiles in use */
    struct rect area;
};

static float tile_height(const struct figure *figure, float wide)
{
    return wide * figure->shape + (figure->wrapped ? NAME : 0);
}

/* The width of a tile in so many columns and rows. */
static float tile_width(const struct figure *figure, size_t columns, size_t rows)
{
    const float by_width = figure->area.w / (float)columns;
    const float name = figure->wrapped ? NAME : 0;
    const float by_height = (figure->area.h / (float)rows - name) / figure->shape;
    return fminf(by_width, by_height);
}

static void try_columns(struct figure *figure, size_t columns, bool turned)
{
    const size_t all = figure->layers * figure->heads;
    const size_t rows = (all + columns - 1) / columns;
    const float wide = tile_width(figure, columns, rows);
    const float used = wide * (float)columns / figure->area.w;
    const float filled = (float)all / (float)(columns * rows); /* what is left open looks lost */
    const float good = wide * used * filled * filled;
    if (good > figure->good) {
        figure->good = good;
        figure->wide = wide;
        figure->columns = columns;
        figure->rows = rows;
        figure->turned = turned;
    }
}

static void lay_out_figure(struct figure *figure)
{
    if (figure->wrapped) {
        for (size_t columns = 1; columns <= figure->layers * figure->heads; columns++) {
            try_columns(figure, columns, false);
        }
    } else {
        try_columns(figure, figure->heads, false);
        try_columns(figure, figure->layers, true);
    }
    figure->high = tile_height(figure, figure->wide);
    figure->apart = fmaxf(GAP_MIN, figure->wide * OF_SIDE);
}

static struct rect tile_area(const struct figure *figure, size_t row, size_t column)
{
    return (struct rect){figure->area.x + (float)column * figure->wide,
                         figure->area.y + (float)row * figure->high, figure->wide - figure->apart,
                         (figure->wide - figure->apart) * figure->shape};
}

static const char *index_text(struct view *view, const struct figure *figure, size_t index,
                              float room)
{
    const char *const named = figure->layers > 1 ? "L%zu" : "H%zu";
    const char *const text = arena_format(view->arena, named, index);
    const bool fits = text != NULL && figure->wrapped &&
                      canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_TINY, text) <= room;
    return fits ? text : arena_words(view->arena, "%zu", index);
}

/* Every how many numbers along an edge one is shown. */
static size_t number_interval(float step)
{
    static const size_t steps[] = {1, 2, 5, 10, 20, 50, 100};
    size_t s = 0;
    while (s + 1 < sizeof steps / sizeof *steps && (float)steps[s] * step < UI_TEXT_TINY * 1.6f) {
        s++;
    }
    return steps[s];
}

static void draw_numbers(struct view *view, const struct figure *figure, bool across)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct colour ink = view_label_ink(view);
    const size_t count = across ? figure->columns : figure->rows;
    const size_t every = number_interval(across ? figure->wide : figure->high);
    for (size_t i = 0; i < count; i++) {
        const struct rect cell = tile_area(figure, across ? 0 : i, across ? i : 0);
        if (i % every != 0) {
            continue;
        }
        if (across) {
            canvas_text(canvas, cell.x + cell.w / 2, figure->area.y - 6, FONT_WORDS, UI_TEXT_TINY,
                        ink, CANVAS_CENTRE, index_text(view, figure, i, 0));
        } else {
            canvas_text(canvas, figure->area.x - 6, cell.y + cell.h / 2 + UI_TEXT_TINY * 0.36f,
                        FONT_WORDS, UI_TEXT_TINY, ink, CANVAS_RIGHT,
                        index_text(view, figure, i, 0));
        }
    }
    const char *const name = across == figure->turned ? tr("layers") : tr("heads");
    if (across) {
        canvas_text(canvas, figure->area.x + figure->wide * (float)count / 2,
                    figure->area.y - NUMBERS - 2, FONT_WORDS, UI_TEXT_SMALL, ink, CANVAS_CENTRE,
                    name);
    } else {
        canvas_text_turned(canvas, figure->area.x - NUMBERS - 8,
                           figure->area.y + figure->high * (float)count / 2, 90, FONT_WORDS,
                           UI_TEXT_SMALL, ink, CANVAS_CENTRE, name);
    }
}

static void draw_tiles(struct view *view, const struct figure *figure,
                       const struct view_thumbnail_ink *ink)
{
    struct canvas *const canvas = view->ui->canvas;
    const size_t all = figure->layers * figure->heads;
    for (size_t place = 0; place < all; place++) {
        const size_t layer = place / figure->heads, head = place % figure->heads;
        const size_t row = figure->wrapped  ? place / figure->columns
                           : figure->turned ? head
                                            : layer;
        const size_t column = figure->wrapped  ? place % figure->columns
                              : figure->turned ? layer
                                               : head;
        const struct rect cell = tile_area(figure, row, column);
        view_thumbnail_draw(view, ink, place, cell);
        view_thumbnail_cross(view, place, cell);
        canvas_rect(canvas, rect_inset(cell, -FRAME), 0,
                    &(struct paint){.stroke = view->ui->theme->line, .width = 0.75f});
        if (view->emphasis && view_thumbnail_is_there(view, place)) {
            view_thumbnail_mark(view, cell, 0.35f);
        }
        if (figure->wrapped) {
            canvas_text(canvas, cell.x + cell.w / 2, cell.y + cell.h + UI_TEXT_TINY + 1, FONT_WORDS,
                        UI_TEXT_TINY, view_label_ink(view), CANVAS_CENTRE,
                        index_text(view, figure, place, cell.w));
        }
    }
}

/* Draws brackets over heads that share keys and values: at the edge that counts heads, or if
 * wrapped over the tiles of each row. */
static void draw_group_brackets(struct view *view, const struct figure *figure)
{
    const size_t sharing = view_thumbnail_sharing(view), heads = figure->heads;
    for (size_t head = 0; sharing > 1 && head < heads; head += sharing) {
        const size_t last = head + sharing - 1;
        if (!figure->wrapped) {
            view_sharing_bracket(
                view, tile_area(figure, figure->turned ? head : 0, figure->turned ? 0 : head),
                tile_area(figure, figure->turned ? last : 0, figure->turned ? 0 : last),
                figure->turned ? VIEW_BRACKET_UPRIGHT : 0);
        }
        for (size_t from = head; figure->wrapped && from <= last;) {
            const size_t row = from / figure->columns, end = (row + 1) * figure->columns - 1;
            const size_t to = end < last ? end : last;
            view_sharing_bracket(view, tile_area(figure, row, from % figure->columns),
                                 tile_area(figure, row, to % figure->columns),
                                 (from > head ? VIEW_BRACKET_BEGAN_BEFORE : 0) |
                                     (to < last ? VIEW_BRACKET_GOES_ON : 0));
            from = to + 1;
        }
    }
}

/* "‖αv‖ ÷ max", above the colour bar: of the largest of a layer. "": cells are weights. */
static const char *bar_title(struct view *view)
{
    const char *const title =
        view_head_overview_is_weighed(view)
            ? arena_words(view->arena, "%s ÷ max", view_weighing_titles[view->state->weighing])
            : "";
    return title == NULL ? "" : title;
}

/* The width of the colour bar with its numbers and titles, and of the gap before it. */
static float bar_width(struct view *view, bool masked)
{
    const float titles =
        canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, bar_title(view));
    const float legend = masked ? BAR_WIDE + view_masked_legend_width(view) : 0;
    return view->state->frame.no_bar  ? 0
           : titles > 0 || legend > 0 ? fmaxf(BAR, fmaxf(titles, legend)) + BAR_APART
                                      : BAR;
}

/* Draws the colour bar, at most as high as the tiles. */
static void draw_colour_bar(struct view *view, const struct figure *figure)
{
    static const float HIGHEST = 180;
    const bool masked = view->trace != NULL && lab_trace_hides(view->trace);
    const struct rect last = tile_area(figure, figure->rows - 1, figure->columns - 1);
    const float high = fminf(HIGHEST, last.y + last.h - figure->area.y);
    struct rect bar = {last.x + last.w + BAR_APART, figure->area.y, BAR_WIDE, high};
    if (masked && high > 3 * MASKED) {
        bar.h -= MASKED;
        view_masked_legend(view, (struct rect){bar.x, bar.y + high - BAR_WIDE, BAR_WIDE, BAR_WIDE},
                           false);
    }
    view_colour_bar(view, bar, true);
    view_colour_ticks(view, bar, true);
    if (view_head_overview_is_weighed(view)) {
        canvas_text(view->ui->canvas, bar.x, bar.y - 9, FONT_NUMBERS, UI_TEXT_TINY,
                    view_label_ink(view), CANVAS_LEFT, bar_title(view));
    }
}

static void draw_figure(struct view *view, struct rect area)
{
    const struct view_thumbnail_ink *const ink = view_thumbnail_ink(view);
    if (ink == NULL) {
        return;
    }
    const struct lab_thumbnails_sizes sizes =
        lab_thumbnails_sizes(view->state->head_overview->thumbnails);
    const bool masked = view->trace != NULL && lab_trace_hides(view->trace);
    const float bar = bar_width(view, masked);
    struct figure figure = {.layers = sizes.layers,
                            .heads = sizes.heads,
                            .shape = (float)sizes.n / (float)sizes.m,
                            .wrapped = sizes.layers == 1 || sizes.heads == 1};
    figure.shape = fminf(2, fmaxf(0.5f, figure.shape));
    const float left = figure.wrapped ? 2 : NUMBERS + AXIS + 4;
    const float names =
        (view_thumbnail_sharing(view) > 1 ? BRACKET : 0) +
        (view_head_overview_is_weighed(view) && !view->state->frame.no_bar ? AXIS : 0);
    const float top = figure.wrapped ? 2 + names : NUMBERS + AXIS;
    figure.area = (struct rect){area.x + left, area.y + top, fmaxf(area.w - left - bar, 1),
                                fmaxf(area.h - top - 2, 1)};
    lay_out_figure(&figure);
    if (!figure.wrapped) {
        draw_numbers(view, &figure, true);
        draw_numbers(view, &figure, false);
    }
    draw_tiles(view, &figure, ink);
    draw_group_brackets(view, &figure);
    if (!view->state->frame.no_bar) {
        draw_colour_bar(view, &figure);
    }
}

void view_head_overview_figure(struct view *view, struct rect area)
{
    const struct view_share_range former = view_head_overview_set_range(view);
    draw_figure(view, area);
    view_head_overview_restore_range(view, former);
}
