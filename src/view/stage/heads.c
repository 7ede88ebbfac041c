/* The heads: the stage's result for every head as a small heatmap, or one head alone. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/colours.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/strips.h"
#include "view/stage/axis_titles.h"
#include "view/stage/head_lines.h"
#include "view/stage/large_head.h"

static const float HEADER = 46;  /* height of the panel's title line */
static const float CAPTION = 24; /* height below a tile */
static const float TILE_GAP = 14, TILE_GAP_FIGURE = 8;

static float tile_gap(const struct view *view)
{
    return !view->style.has_cards ? TILE_GAP_FIGURE : TILE_GAP;
}

/* The number of heads that share keys and values. */
static size_t heads_per_group(const struct lab_sizes *sizes)
{
    return sizes->kv_heads > 0 ? sizes->heads / sizes->kv_heads : 1;
}

/* Says whether every row of tiles is full, and no bracket of heads that share goes on in the next.
 */
static bool is_whole_grid(const struct lab_sizes *sizes, size_t columns)
{
    const size_t sharing = heads_per_group(sizes);
    return sizes->heads % columns == 0 && (columns % sharing == 0 || sharing % columns == 0);
}

/* The number of columns that makes the tiles largest, or nearly so with whole rows, in which heads
 * that share keys are side by side. fills: the tiles fill a width that was asked for, if there are
 * enough. */
static size_t best_columns(struct rect area, const struct lab_sizes *sizes, float shape, float gap,
                           bool fills, float *wide)
{
    static const float LEFT = 1.1f; /* a tile could be wider by this factor of its height */
    const float preference = fills ? 0.6f : heads_per_group(sizes) > 1 ? 0.7f : 0.8f;
    size_t best = 1;
    *wide = 0;
    for (size_t columns = 1; columns <= sizes->heads; columns++) {
        const size_t rows = (sizes->heads + columns - 1) / columns;
        const float by_width = (area.w - gap * (float)(columns - 1)) / (float)columns;
        const float by_height =
            ((area.h - gap * (float)(rows - 1)) / (float)rows - CAPTION) / shape;
        const float tile = fminf(by_width, by_height);
        if (fills && columns < sizes->heads && by_width > by_height * LEFT) {
            continue;
        }
        const bool whole = is_whole_grid(sizes, columns), was_whole = is_whole_grid(sizes, best);
        const float worth = whole == was_whole ? 1 : whole ? preference : 1 / preference;
        if (tile > *wide * worth) {
            *wide = tile;
            best = columns;
        }
    }
    return best;
}

/* The content of all tiles: the stage's result if every head has its own, else the weights. */
struct shown {
    enum lab_part part;
    enum lab_part beside; /* part at its right in the same tile; LAB_PARTS: none */
    const char *name;     /* "scores S" */
    float done;           /* share of the cells that are computed by now */
    float peak;           /* of signed numbers in all heads */
    bool masked, scaled;
};

enum { SCALED_MAX = 1 << 18 /* most scores that are scaled in every frame */ };

/* Says whether a tile shows keys and values together: at a step of the presenter view with the
 * heads but no stage, whose tabs would choose one. */
static bool shows_keys_and_values(const struct view *view)
{
    const struct view_state *const state = view->state;
    return view->style.is_far && view_caption_is_here(state) &&
           (state->panels & (unsigned)(LAB_PANEL_HEADS | LAB_PANEL_STAGE)) == LAB_PANEL_HEADS;
}

/* The largest signed number of all heads. */
static float peak_of_heads(const struct view *view, enum lab_part part)
{
    float peak = 0;
    const size_t heads =
        part == LAB_ALPHA || part == LAB_PARTS ? 0 : lab_trace_sizes(view->trace).heads;
    for (size_t h = 0; h < heads; h++) {
        const struct lab_matrix matrix = lab_trace_part(view->trace, part, h);
        peak = fmaxf(peak, view_peak(view, &matrix));
    }
    return peak;
}

static const char *weights_name(const struct view *view)
{
    return view->is_signed ? "as given" : "weights α";
}

static struct shown choose_shown(const struct view *view)
{
    const struct shown weights = {.part = LAB_ALPHA,
                                  .beside = LAB_PARTS,
                                  .name = weights_name(view),
                                  .done = 1,
                                  .masked = true};
    static const struct shown projected[] = {
        {.part = LAB_Q, .beside = LAB_PARTS, .name = "queries Q", .done = 1},
        {.part = LAB_K, .beside = LAB_PARTS, .name = "keys K", .done = 1},
        {.part = LAB_V, .beside = LAB_PARTS, .name = "values V", .done = 1},
    };
    static const struct shown scores = {
        .part = LAB_SCORES, .beside = LAB_PARTS, .name = "scores S", .done = 1};
    static const struct shown scaled = {.part = LAB_SCORES,
                                        .beside = LAB_PARTS,
                                        .name = "scores, scaled",
                                        .done = 1,
                                        .masked = true,
                                        .scaled = true};
    const enum lab_stage stage = view->state->playback.stage;
    const enum lab_part part = view->selection.projected;
    struct shown shown = stage == LAB_PROJECT ? projected[part == LAB_K   ? 1
                                                          : part == LAB_V ? 2
                                                                          : 0]
                         : stage == LAB_SCORE ? scores
                         : stage == LAB_SCALE ? scaled
                                              : weights;
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    shown = shown.scaled && sizes.n * sizes.m * sizes.heads > SCALED_MAX ? scores : shown;
    if (!view->style.has_controls || lab_trace_part(view->trace, shown.part, 0).values == NULL) {
        return weights;
    }
    if (shows_keys_and_values(view) && (shown.part == LAB_K || shown.part == LAB_V)) {
        shown = projected[1];
        shown.beside = LAB_V;
        shown.name =
            arena_format(view->arena, "%s, %s", tr(projected[1].name), tr(projected[2].name));
    }
    shown.peak = fmaxf(peak_of_heads(view, shown.part), peak_of_heads(view, shown.beside));
    const bool fills = stage == LAB_PROJECT || stage == LAB_SCORE || stage == LAB_SOFTMAX;
    shown.done = !fills ? 1 : stage == LAB_SOFTMAX ? view_done_weights(view) : view_done(view);
    shown.peak *= shown.scaled ? fabsf(sizes.factor) : 1;
    shown.masked = shown.masked && (stage != LAB_SCALE || view->state->playback.position >= 1);
    return shown;
}

/* Sets the place along an axis in a selection; returns its VIEW_ bit. */
static unsigned set_place(struct lab_selection *to, enum view_axis axis, size_t place)
{
    *(axis == VIEW_AXIS_QUERIES ? &to->query
      : axis == VIEW_AXIS_KEYS  ? &to->key
                                : &to->channel) = place;
    return axis == VIEW_AXIS_QUERIES ? VIEW_QUERY
           : axis == VIEW_AXIS_KEYS  ? VIEW_KEY
                                     : VIEW_CHANNEL;
}

static long chosen_place(const struct view *view, enum view_axis axis)
{
    const struct lab_selection *const at = &view->selection;
    return view_chosen(view, axis == VIEW_AXIS_QUERIES ? at->query
                             : axis == VIEW_AXIS_KEYS  ? at->key
                                                       : at->channel);
}

/* Says whether the head shares the hovered keys or values, and so is emphasised with them. */
static bool shares_hovered_head(const struct view *view, enum lab_part part, size_t head)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const size_t sharing = heads_per_group(&sizes);
    return view->state->hovered_parts != 0 && (part == LAB_K || part == LAB_V) &&
           head / sharing == view->selection.head / sharing;
}

/* "head 1", "L0H0", or a shorter name in a narrow tile. */
static const char *tile_name(const struct view *view, size_t head, float wide)
{
    const bool named = view->experiment->layers > 0, roomy = wide >= 46;
    return named && roomy ? arena_words(view->arena, "L%zuH%zu", view->experiment->layer, head)
           : named        ? arena_words(view->arena, "H%zu", head)
                          : arena_words(view->arena, roomy ? tr("head %zu") : "%zu", head + 1);
}

/* Draws one matrix of a head. If it is hovered, sets *to to the cell and returns its VIEW_ bits. */
static unsigned draw_tile_cells(struct view *view, const struct shown *shown, enum lab_part part,
                                size_t head, struct rect cells, struct lab_selection *to,
                                bool *clicked)
{
    const struct ui_theme *theme = view->ui->theme;
    const bool current = head == view->selection.head && view->style.has_marks;
    const bool lit = current || shares_hovered_head(view, part, head);
    const bool beside = part == shown->beside, both = shown->beside != LAB_PARTS;
    const bool has_column = !both || part == view->selection.projected;
    struct view_operand operand = view_operand_of_head(view, part, head);
    if (shown->scaled) {
        operand.matrix = lab_trace_scaled_matrix(view->trace, head, view->arena);
        operand.tip = view_tip_of(view, LAB_SCALED);
    }
    const struct view_matrix matrix = {
        .matrix = operand.matrix,
        .area = cells,
        .label = both ? operand.title : tile_name(view, head, cells.w),
        .tip = view->experiment->layers > 0
                   ? arena_format(view->arena, "L%zuH%zu, %s", view->experiment->layer, head,
                                  operand.tip)
                   : arena_format(view->arena, "Head %zu, %s", head + 1, operand.tip),
        .is_share = operand.is_share,
        .peak = shown->peak,
        .numbers = true,
        .is_tile = true,
        .decimals = view_matrix_decimals(view, &operand.matrix, operand.is_share),
        .masked = shown->masked,
        .row_axis = operand.row_axis,
        .column_axis = operand.column_axis,
        .head = head,
        .row = lit ? chosen_place(view, operand.row_axis) : VIEW_NOWHERE,
        .column = lit && has_column ? chosen_place(view, operand.column_axis) : VIEW_NOWHERE,
        .row_colour = operand.row_axis == VIEW_AXIS_KEYS ? theme->key : theme->query,
        .column_colour = operand.column_colour,
        .done = shown->done,
        .id = ui_id_number(view->ui, beside ? "tile beside" : "tile", head),
    };
    const struct view_matrix_hit hit = view_matrix_draw(view, &matrix);
    if (!hit.hover && !hit.clicked) {
        return 0;
    }
    to->projected = both ? part : to->projected;
    *clicked = hit.clicked;
    return set_place(to, operand.row_axis, hit.row) |
           set_place(to, operand.column_axis, hit.column) | (both ? VIEW_PROJECTED : 0u);
}

/* Cuts the area of the second matrix off a tile, at its right. */
static struct rect cut_second(const struct view *view, const struct shown *shown,
                              struct rect *cells)
{
    static const float GAP = 6;
    const size_t left = lab_trace_part(view->trace, shown->part, 0).cols;
    const size_t right = lab_trace_part(view->trace, shown->beside, 0).cols;
    const float wide = (cells->w - GAP) * (float)right / (float)(left + right);
    cells->w -= wide + GAP;
    return (struct rect){cells->x + cells->w + GAP, cells->y, wide, cells->h};
}

static void draw_tile(struct view *view, const struct shown *shown, size_t head, struct rect cells)
{
    const struct ui_theme *theme = view->ui->theme;
    const bool current = head == view->selection.head && view->style.has_marks;
    const struct rect tile = {cells.x, cells.y, cells.w, cells.h + CAPTION};
    const struct ui_touch touch =
        ui_touch(view->ui, ui_id_number(view->ui, "head", head), tile, true);
    struct lab_selection to = view->selection;
    struct rect first = cells;
    unsigned parts = 0;
    bool clicked = false;
    to.head = head;
    if (shown->beside != LAB_PARTS) {
        const struct rect right = cut_second(view, shown, &first);
        parts = draw_tile_cells(view, shown, shown->beside, head, right, &to, &clicked);
    }
    parts |= draw_tile_cells(view, shown, shown->part, head, first, &to, &clicked);
    const float edge = !view->style.has_cards ? 0.5f : 4;
    canvas_rect(
        view->ui->canvas, rect_inset(cells, -edge), edge + 2,
        &(struct paint){.stroke = current ? theme->ink : theme->line, .width = current ? 2 : 1});
    ui_draw_focus(view->ui, ui_id_number(view->ui, "head", head), rect_inset(cells, -4), 6);
    view_text_whole(
        view, cells.x + cells.w / 2, cells.y + cells.h + 19, current ? FONT_WORDS_BOLD : FONT_WORDS,
        cells.w < 40 ? UI_TEXT_TINY : UI_TEXT_SMALL, current ? theme->ink : theme->muted,
        CANVAS_CENTRE, tile_name(view, head, cells.w), cells.w + tile_gap(view));
    if (parts != 0) {
        view_choose(view, VIEW_HEAD | parts, to, clicked);
    } else if (touch.hover || touch.clicked) {
        view_choose(view, VIEW_HEAD, to, touch.clicked);
    }
}

/* Places the colour bar of all tiles at the right of an area; returns its width, 0: no room. */
static float place_tile_bar(const struct view *view, const struct shown *shown, struct rect area,
                            struct rect *bar)
{
    static const float TILES_APART = 14;
    const float bar_min = (!view->style.has_cards ? 52 : 58) + view_ticks_wider(view);
    const float taken =
        shown->masked ? view_head_legend_width(view, bar_min, TILES_APART) : bar_min;
    const float high = fminf(area.h - 24, 190);
    if (view->state->frame.no_bar || area.w < 4 * taken || high < 60) {
        return 0;
    }
    *bar = (struct rect){area.x + area.w - taken + TILES_APART, area.y + (area.h - high) / 2,
                         VIEW_HEAD_BAR_WIDE, high};
    return taken;
}

static void draw_tile_bar(struct view *view, const struct shown *shown, struct rect bar,
                          float right, struct rect cell)
{
    if (shown->masked) {
        view_head_legend(view, &bar, right, cell);
    }
    if (shown->part == LAB_ALPHA) {
        view_colour_bar(view, bar, true);
        view_colour_ticks(view, bar, true);
    } else {
        view_signed_bar(view, bar, shown->peak);
    }
}

/* The places of the tiles: each line of them has labels of rows, and in a figure the first one
 * those of columns. */
struct tiles {
    struct rect area; /* of all tiles and labels */
    size_t columns, rows;
    float wide, high;        /* of the cells of a tile */
    float words, head, x, y; /* room for labels; corner of the first tile's cells */
    float symbols_high;      /* height of "K" and "V" above two matrices; 0: one matrix */
    float share;             /* of the limits for labels in a figure */
};

/* The labels of rows, beside the first tile of each line of tiles. */
static struct view_words tile_row_words(const struct view *view, const struct lab_matrix *matrix,
                                        enum view_axis axis, const struct tiles *tiles)
{
    return (struct view_words){.words = matrix->row_words,
                               .count = matrix->rows,
                               .step = tiles->high / (float)matrix->rows,
                               .at = tiles->x - 9,
                               .room = tiles->words - 9,
                               .anchor = CANVAS_RIGHT,
                               .chosen = chosen_place(view, axis),
                               .colour = axis == VIEW_AXIS_KEYS ? view->ui->theme->key
                                                                : view->ui->theme->query};
}

/* The labels of keys above the first line of tiles; none reaches over the next tile. */
static struct view_words tile_column_words(const struct view *view, const struct tiles *tiles)
{
    static const float OF_HEIGHT = 0.3f;
    const size_t keys = lab_trace_sizes(view->trace).m;
    return (struct view_words){.words = lab_trace_keys(view->trace),
                               .count = keys,
                               .step = tiles->wide / (float)keys,
                               .room = tiles->area.h * OF_HEIGHT * tiles->share,
                               .anchor = CANVAS_CENTRE,
                               .chosen = view_chosen(view, view->selection.key),
                               .colour = view->ui->theme->key,
                               .tight = true};
}

static const float WORDS_FROM = 300; /* narrower areas have labels only for all rows */

/* The width of row labels; 0: they could not be read, or would leave no room for the tiles. */
static float tile_words_room(const struct view *view, const struct lab_matrix *matrix,
                             const struct tiles *tiles)
{
    enum { ROWS_MAX = 16 };
    static const struct view_length OF_WIDTH = {.near = 0.16f, .far = 0.2f};
    static const float OF_FIGURE = 0.3f;
    static const float LABELS_FROM = 180; /* narrower areas of the presenter view have none */
    const float width_max = tiles->area.w * view_length(view, OF_WIDTH);
    if (!view->style.has_controls && matrix->row_words != NULL && tiles->high > 0) {
        const struct view_words beside = tile_row_words(view, matrix, VIEW_AXIS_QUERIES, tiles);
        return view_words_beside(view, &beside, tiles->area.w * OF_FIGURE * tiles->share) + 10;
    }
    return matrix->row_words == NULL || matrix->rows > ROWS_MAX ||
                   tiles->area.w < view_length(view, (struct view_length){WORDS_FROM, LABELS_FROM})
               ? 0
               : view_words_width(view, matrix->row_words, matrix->rows, width_max) + 10;
}

/* Says whether the window has room for only some of the row labels, which are then left out, as
 * hovering shows them. */
static bool has_partial_names(const struct view *view, const struct lab_matrix *first,
                              const struct tiles *tiles)
{
    return view->style.has_controls && !view->style.is_far && tiles->words > 0 &&
           tiles->high / (float)first->rows < view_words_line(view);
}

/* Limits of a cell's height as a share of its width in the presenter view; those of two matrices
 * are narrow. */
static const float TALLER = 1.5f, TALLER_OF_BOTH = 2.2f;

/* Places the tiles in the room that labels leave. */
static void place_tiles(const struct view *view, float shape, struct tiles *tiles)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const struct rect all = tiles->area;
    const float above = tiles->head + tiles->symbols_high;
    const struct rect area = {all.x + tiles->words, all.y + above, all.w - tiles->words,
                              all.h - above};
    tiles->columns =
        best_columns(area, &sizes, shape, tile_gap(view), view->fills_width, &tiles->wide);
    if (view->style.has_cards &&
        !(!view->style.has_controls && view->state->prefs.cells.has_decimals)) {
        tiles->wide = fminf(tiles->wide, view_length(view, (struct view_length){190, 320}));
    }
    tiles->high = tiles->wide * shape;
    tiles->rows = (sizes.heads + tiles->columns - 1) / tiles->columns;
    const float gaps_across = tile_gap(view) * (float)(tiles->columns - 1);
    const float gaps_down = tile_gap(view) * (float)(tiles->rows - 1);
    if (view->style.is_far) { /* tiles fill the panel */
        const float room = (area.h - gaps_down) / (float)tiles->rows - CAPTION;
        const float taller = tiles->symbols_high > 0 ? TALLER_OF_BOTH : TALLER;
        tiles->high = fmaxf(tiles->high, fminf(tiles->high * taller, room));
    }
    const float all_wide = tiles->wide * (float)tiles->columns + gaps_across;
    const float all_high = (tiles->high + CAPTION) * (float)tiles->rows + gaps_down;
    tiles->x = area.x + fmaxf(0, (area.w - all_wide) / 2);
    tiles->y = area.y + (!view->style.has_cards ? 0 : fmaxf(0, (area.h - all_high) / 2));
}

/* In the presenter view makes tiles higher if that alone gives every row a label. */
static void raise_rows(const struct view *view, const struct lab_matrix *first, float shape,
                       struct tiles *tiles)
{
    static const float ROW_PRESENTER[] = {13.5f, 11.5f, 9.6f}, STEP = 1.15f, HIGHEST = 2.2f;
    const float rows = (float)first->rows, as_is = shape;
    if (!view->style.is_far || tiles->words <= 0) {
        return;
    }
    for (size_t r = 0; r < sizeof ROW_PRESENTER / sizeof *ROW_PRESENTER; r++) {
        struct tiles higher = *tiles;
        for (shape = as_is; higher.high < ROW_PRESENTER[r] * rows && shape < HIGHEST;
             shape *= STEP) {
            place_tiles(view, fminf(shape * STEP, HIGHEST), &higher);
        }
        if (higher.high >= ROW_PRESENTER[r] * rows) {
            *tiles = higher;
            return;
        }
    }
    if (tiles->area.w < WORDS_FROM) {
        tiles->words = 0;
        place_tiles(view, as_is, tiles);
    }
}

static struct tiles place_tiles_with_share(const struct view *view, const struct lab_matrix *first,
                                           struct rect area, float share, float symbols_high)
{
    const float shape = fminf(2, fmaxf(0.5f, (float)first->rows / (float)first->cols));
    struct tiles tiles = {.area = area, .share = share, .symbols_high = symbols_high};
    tiles.words = tile_words_room(view, first, &tiles);
    place_tiles(view, shape, &tiles);
    raise_rows(view, first, shape, &tiles);
    if (has_partial_names(view, first, &tiles)) {
        tiles.words = 0;
        place_tiles(view, shape, &tiles);
    }
    for (int round = 0; !view->style.has_controls && round < 3 && tiles.wide >= 2; round++) {
        const struct view_words above = tile_column_words(view, &tiles);
        tiles.words = tile_words_room(view, first, &tiles);
        tiles.head = view_words_above(view, &above);
        place_tiles(view, shape, &tiles);
    }
    return tiles;
}

/* Says whether the cells of every tile have room for their numbers, at their smallest. */
static bool has_numbers(const struct view *view, const struct shown *shown,
                        const struct lab_matrix *first, const struct tiles *tiles)
{
    const struct view_operand operand = view_operand_of(view, shown->part);
    const float size = view_number_sizes(view, operand.is_share, false).min;
    const size_t heads = lab_trace_sizes(view->trace).heads;
    float need = 0;
    for (size_t head = 0; head < heads; head++) {
        const struct lab_matrix matrix = lab_trace_part(view->trace, shown->part, head);
        const int all = view_matrix_decimals(view, &matrix, operand.is_share);
        const int decimals = view->style.is_far ? view_matrix_presenter_decimals(view, &matrix, all)
                                                : view_matrix_min_decimals(view, all);
        need = fmaxf(need, view_number_cell_width(view, &matrix, decimals, size));
    }
    return tiles->wide / (float)first->cols >= need &&
           tiles->high / (float)first->rows >= view_number_cell_height(view, size);
}

/* In a figure the middle of labels is cut before they alternate between two distances, that comes
 * before numbers are left out, and that before every second label is. */
static struct tiles settle_tiles(const struct view *view, const struct shown *shown,
                                 const struct lab_matrix *first, struct rect area,
                                 float symbols_high)
{
    const bool wanted = view->state->prefs.cells.values != VIEW_VALUES_OFF &&
                        first->rows * first->cols <= VIEW_FEW_CELLS;
    for (int numbers = wanted; !view->style.has_controls && numbers >= 0; numbers--) {
        for (size_t s = 0; s < VIEW_WORDS_SHARES; s++) {
            const struct tiles tiles =
                place_tiles_with_share(view, first, area, view_words_shares[s].share, symbols_high);
            const float down = tiles.high / (float)first->rows;
            if (fminf(down, tiles.wide / (float)first->cols) >=
                    view_words_line(view) * view_words_shares[s].line &&
                (numbers == 0 || has_numbers(view, shown, first, &tiles))) {
                return tiles;
            }
        }
    }
    return place_tiles_with_share(view, first, area, 1, symbols_high);
}

/* From the first tile to the last, without labels and names of heads at the edges. */
static struct rect area_of_tiles(const struct view *view, const struct tiles *tiles)
{
    const float columns = (float)tiles->columns, rows = (float)tiles->rows, gap = tile_gap(view);
    return (struct rect){tiles->x, tiles->y, columns * (tiles->wide + gap) - gap,
                         rows * (tiles->high + CAPTION + gap) - gap - CAPTION};
}

/* Draws the labels of keys above the first line of tiles in a figure. */
static void draw_tile_keys(struct view *view, const struct tiles *tiles)
{
    struct view_words words = tile_column_words(view, tiles);
    words.at = tiles->y - VIEW_WORDS_APART;
    for (size_t column = 0; column < tiles->columns; column++) {
        words.from = tiles->x + (float)column * (tiles->wide + tile_gap(view));
        view_words_of_columns(view, &words);
    }
}

static struct rect tile_cells(const struct view *view, const struct tiles *tiles, size_t head)
{
    const float column = (float)(head % tiles->columns), row = (float)(head / tiles->columns);
    return (struct rect){tiles->x + column * (tiles->wide + tile_gap(view)),
                         tiles->y + row * (tiles->high + CAPTION + tile_gap(view)), tiles->wide,
                         tiles->high};
}

static const float SYMBOLS_HIGH = 26, SYMBOLS_OVER = 17; /* so that they are above brackets */

/* Draws "K" and "V" above the first line of tiles that show both. */
static void draw_symbols(struct view *view, const struct shown *shown, const struct tiles *tiles)
{
    for (size_t head = 0; shown->beside != LAB_PARTS && head < tiles->columns; head++) {
        struct rect left = tile_cells(view, tiles, head);
        const struct rect right = cut_second(view, shown, &left);
        const struct rect half[] = {left, right};
        const enum lab_part part[] = {shown->part, shown->beside};
        for (size_t i = 0; i < 2; i++) {
            const struct view_operand operand = view_operand_of_head(view, part[i], head);
            canvas_text(view->ui->canvas, half[i].x + half[i].w / 2, half[i].y - SYMBOLS_OVER,
                        FONT_WORDS_BOLD, UI_TEXT_BODY, operand.colour, CANVAS_CENTRE,
                        operand.title);
        }
    }
}

/* Draws a bracket over heads that share keys and values, on every line of their tiles. */
static void draw_sharing_brackets(struct view *view, const struct tiles *tiles)
{
    static const float AWAY = 5, OUT = 4, HIGH = 9;
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const size_t sharing = heads_per_group(&sizes);
    if (sharing < 2 || tile_gap(view) < TILE_GAP) {
        return;
    }
    for (size_t head = 0; head < sizes.heads;) {
        const size_t group = head / sharing, group_end = (group + 1) * sharing;
        const size_t line = (head / tiles->columns + 1) * tiles->columns;
        const size_t end = group_end < line ? group_end : line;
        struct rect from = tile_cells(view, tiles, head), to = tile_cells(view, tiles, end - 1);
        from.x -= OUT;
        from.y -= AWAY;
        to.w += OUT;
        view_sharing_bracket(view, from, to,
                             (head > group * sharing ? VIEW_BRACKET_BEGAN_BEFORE : 0) |
                                 (end < group_end ? VIEW_BRACKET_GOES_ON : 0));
        ui_tip(view->ui, ui_id_number(view->ui, "sharing", head),
               (struct rect){from.x, from.y - HIGH, to.x + to.w - from.x, HIGH},
               arena_format(view->arena, "Heads %zu to %zu share their keys and values",
                            group * sharing + 1, group_end));
        head = end;
    }
}

static void draw_tiles(struct view *view, const struct shown *shown, struct rect area)
{
    const size_t heads = lab_trace_sizes(view->trace).heads;
    struct rect bar = {0};
    float right = area.x + area.w;
    const float barred = place_tile_bar(view, shown, area, &bar);
    const bool both = shown->beside != LAB_PARTS;
    const enum view_axis axis = view_operand_of(view, shown->part).row_axis;
    const struct view_axis_titles titles =
        view_axis_titles_of(view, view->state->frame.caption != NULL, axis,
                            shown->part == LAB_ALPHA ? VIEW_AXIS_KEYS : VIEW_AXIS_OTHER);
    const float beside = view_axis_title_room(titles.y), above = view_axis_title_room(titles.x);
    area = (struct rect){area.x + beside, area.y + above, area.w - beside - barred, area.h - above};
    struct lab_matrix first = lab_trace_part(view->trace, shown->part, 0);
    first.cols += both ? lab_trace_part(view->trace, shown->beside, 0).cols : 0;
    const float symbols = both ? SYMBOLS_HIGH : 0;
    struct tiles tiles = settle_tiles(view, shown, &first, area, symbols);
    if (view->style.has_controls && barred > 0 && !has_numbers(view, shown, &first, &tiles)) {
        area.w += barred;
        const struct tiles alone = settle_tiles(view, shown, &first, area, symbols);
        if (has_numbers(view, shown, &first, &alone)) { /* they say more than the bar does */
            tiles = alone;
            bar = (struct rect){0};
        } else {
            area.w -= barred;
        }
    }
    const struct rect all = area_of_tiles(view, &tiles);
    const float high = all.h;
    if (!view->style.has_cards) { /* the bar follows the last column of tiles, and their middle */
        const float past = fmaxf(area.x + area.w - (all.x + all.w), 0);
        bar.x -= past;
        right -= past;
        bar.h = fminf(bar.h, high);
        bar.y = tiles.y + (high - bar.h) / 2;
    }
    if (tiles.wide < 2) {
        view_note_lack(view, VIEW_LACKS_ROOM, true);
        return;
    }
    view_note_lack(view, VIEW_LACKS_ROOM,
                   !view->style.has_cards && !view->state->frame.no_bar && !(bar.w > 0));
    if (bar.w > 0) {
        draw_tile_bar(view, shown, bar, right,
                      (struct rect){.w = tiles.wide / (float)first.cols,
                                    .h = tiles.high / (float)first.rows});
    }
    for (size_t head = 0; head < heads; head++) {
        const struct rect cells = tile_cells(view, &tiles, head);
        draw_tile(view, shown, head, cells);
        if (tiles.words > 0 && head % tiles.columns == 0) {
            struct view_words words = tile_row_words(view, &first, axis, &tiles);
            words.from = cells.y;
            view_words_of_rows(view, &words);
        }
    }
    draw_sharing_brackets(view, &tiles);
    draw_symbols(view, shown, &tiles);
    view_axis_titles_draw(view, &titles, all, tiles.words + beside, tiles.head + above);
    if (!view->style.has_controls) {
        draw_tile_keys(view, &tiles);
    }
}

/* Draws the switch "Matrix | Lines" at the right of the panel's header. */
static void draw_display_switch(struct view *view, struct rect area)
{
    static const char *const labels[] = {"Matrix", "Lines"};
    const float wide = 128;
    if (area.w < 2 * wide + 60 || !view->style.has_controls) {
        return;
    }
    const struct rect place = {area.x + area.w - wide - 14, area.y + 9, wide, 26};
    const size_t current = view->state->prefs.display.lines ? 1 : 0;
    const size_t chosen = ui_tabs(view->ui, "kind", place, labels, 2, current);
    static const char *const tips[] = {
        "The weights of a head as a matrix: a row for every query, a column for every key",
        "The weights of a head as lines from every query to the keys, as thick as they are large "
        "(L)"};
    ui_tab_tips(view->ui, "kind", place, tips, 2);
    if (chosen < 2 && chosen != current) {
        view_action_command(view, "lines");
    }
}

static void draw_head_panel(struct view *view, struct rect area, bool alone)
{
    struct canvas *canvas = view->ui->canvas;
    view_panel(view, area, alone ? tr("Head") : tr("Heads"));
    canvas_clip(canvas, area);
    ui_push(view->ui, alone ? "head" : "heads");
    if (view->trace == NULL) {
        view_panel_header(view, area, "Heads", "");
        view_notice(view, rect_inset(area, 30), "",
                    "Every head's weights stand here as soon as there are words.");
    } else {
        const size_t heads = lab_trace_sizes(view->trace).heads;
        const size_t head = view->selection.head;
        const struct shown shown = choose_shown(view);
        const char *title =
            view->experiment->layers > 0 && (alone || heads == 1)
                ? arena_words(view->arena, "L%zuH%zu", view->experiment->layer, head)
            : alone || heads == 1
                ? arena_words(view->arena, "Head %zu of %zu", head + 1, heads)
                : arena_words(
                      view->arena, "Heads — %zu, %s", heads,
                      tr(view->state->prefs.display.lines ? weights_name(view) : shown.name));
        view_panel_header(view, area, title, "");
        draw_display_switch(view, area);
        const float note = view_aside_height(view);
        const bool untitled = !view->style.has_controls && view_own_title(view, title) == NULL;
        const float edge = !view->style.has_cards ? 0 : 16;
        const float header = untitled ? edge + 6 : HEADER;
        const struct rect body = {area.x + edge, area.y + header - 6, area.w - 2 * edge,
                                  area.h - header - fminf(edge, 6) - note};
        if (view->state->prefs.display.lines) {
            view_head_lines(view, body);
        } else if (alone || heads == 1) {
            view_large_head(view, body);
        } else {
            draw_tiles(view, &shown, rect_inset(body, 6));
        }
        const struct rect all = {body.x, body.y, body.w, body.h + note};
        view_aside_note(
            view, (struct rect){body.x, view_below_drawing(view, all, note), body.w, note}, false);
    }
    ui_pop(view->ui);
    canvas_unclip(canvas);
    canvas_ungroup(canvas);
}

void view_heads(struct view *view, struct rect area)
{
    draw_head_panel(view, area, false);
}

void view_head(struct view *view, struct rect area)
{
    draw_head_panel(view, area, true);
}
