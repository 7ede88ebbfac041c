/* The heads: what the stage makes of every head as a small heatmap; one head alone: its weights
 * large, with their numbers, the names of their axes and a colour bar. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/downsample_cache.h"
#include "view/parts/pieces.h"
#include "view/parts/strips.h"
#include "view/parts/table.h"

static const float HEADER = 46;  /* title line of the panel */
static const float CAPTION = 24; /* below a small heatmap */
static const float TILE_GAP = 14;

/* The colour bar, `apart` from the cells. */
static void draw_scale(struct view *view, struct rect cells, float apart)
{
    const struct rect bar = {cells.x + cells.w + apart + 6, cells.y, 11, cells.h};
    if (view->state->frame.no_bar) {
        return;
    }
    view_colour_bar(view, bar, true);
    view_colour_ticks(view, bar, true);
}

/* The selected head large. */
static void draw_large(struct view *view, struct rect area)
{
    const struct ui_theme *theme = view->ui->theme;
    const float caption = area.h > 150 ? 24 : 0;
    const bool roomy = area.w > 400;
    struct view_table table = {.operand = view_operand_of(view, LAB_ALPHA),
                               .row_words = lab_trace_queries(view->trace),
                               .column_words = lab_trace_keys(view->trace),
                               .label = "Weights",
                               .whole = true,
                               .cell_wide = 62,
                               .cell_high = 41,
                               .tail = (view->state->frame.no_bar ? 0.0f : 62.0f) +
                                       (roomy ? VIEW_STRIP_NUMBERS : VIEW_STRIP_WIDE),
                               .foot = VIEW_STRIP_HIGH,
                               .done = 1,
                               .decimals = 3,
                               .has_closeup = true,
                               .id = ui_id(view->ui, "large")};
    table.operand.title = NULL;
    table.operand.colour = (struct colour){0};
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.key);
    table.operand.column_colour = theme->key;
    const struct view_table_answer answer =
        view_table_draw(view, &table, (struct rect){area.x, area.y, area.w, area.h - caption});
    if (answer.cells.w <= 0) {
        return;
    }
    view_strips(view, &(struct view_strips){table.operand.matrix, answer.cells, roomy, "sums"});
    draw_scale(view, answer.cells, roomy ? VIEW_STRIP_NUMBERS : VIEW_STRIP_WIDE);
    if (caption > 0) {
        canvas_text_cut(view->ui->canvas, answer.cells.x + answer.cells.w / 2,
                        answer.cells.y + answer.cells.h + VIEW_STRIP_HIGH + 17, FONT_WORDS,
                        UI_TEXT_SMALL, theme->muted, CANVAS_CENTRE,
                        tr("keys — what is attended to"), area.w * 0.6f);
    }
    if (answer.hit.hover || answer.hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = answer.hit.row;
        to.key = answer.hit.column;
        view_choose(view, VIEW_QUERY | VIEW_KEY, to, answer.hit.clicked);
    }
}

/* Columns that make the tiles as large as they can be. */
static size_t best_columns(struct rect area, size_t heads, float shape, float *wide)
{
    size_t best = 1;
    *wide = 0;
    for (size_t columns = 1; columns <= heads; columns++) {
        const size_t rows = (heads + columns - 1) / columns;
        const float by_width = (area.w - TILE_GAP * (float)(columns - 1)) / (float)columns;
        const float by_height =
            ((area.h - TILE_GAP * (float)(rows - 1)) / (float)rows - CAPTION) / shape;
        const float tile = fminf(by_width, by_height);
        if (tile > *wide) {
            *wide = tile;
            best = columns;
        }
    }
    return best;
}

/* What all tiles show: what the stage arrives at where every head has its own, else the weights. */
struct shown {
    enum lab_part part;
    const char *name; /* "scores S" */
    float done;       /* share of the cells that are computed by now */
    float peak;       /* of signed numbers, of all heads together */
    bool masked, scaled;
};

enum { SCALED_MOST = 1 << 18 /* scores of all heads that are scaled anew in each frame */ };

static struct shown shown_of(const struct view *view)
{
    static const struct shown weights = {
        .part = LAB_ALPHA, .name = "weights α", .done = 1, .masked = true};
    static const struct shown projected[] = {
        {.part = LAB_Q, .name = "queries Q", .done = 1},
        {.part = LAB_K, .name = "keys K", .done = 1},
        {.part = LAB_V, .name = "values V", .done = 1},
    };
    static const struct shown scores = {.part = LAB_SCORES, .name = "scores S", .done = 1};
    static const struct shown scaled = {
        .part = LAB_SCORES, .name = "scores, scaled", .done = 1, .masked = true, .scaled = true};
    const enum lab_stage stage = view->state->stage;
    const enum lab_part part = view->selection.projected;
    struct shown shown = stage == LAB_PROJECT ? projected[part == LAB_K   ? 1
                                                          : part == LAB_V ? 2
                                                                          : 0]
                         : stage == LAB_SCORE ? scores
                         : stage == LAB_SCALE ? scaled
                                              : weights;
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    shown = shown.scaled && sizes.n * sizes.m * sizes.heads > SCALED_MOST ? scores : shown;
    if (view->still || lab_trace_part(view->trace, shown.part, 0).values == NULL) {
        return weights;
    }
    for (size_t h = 0; h < sizes.heads && shown.part != LAB_ALPHA; h++) {
        const struct lab_matrix matrix = lab_trace_part(view->trace, shown.part, h);
        shown.peak = fmaxf(shown.peak, view_peak(view, &matrix));
    }
    const bool fills = stage == LAB_PROJECT || stage == LAB_SCORE || stage == LAB_SOFTMAX;
    shown.done = fills ? view_done(view) : 1;
    shown.peak *= shown.scaled ? fabsf(sizes.factor) : 1;
    shown.masked = shown.masked && (stage != LAB_SCALE || view->state->moment >= 1);
    return shown;
}

/* What a place along an axis is in the selection. */
static unsigned point_at(struct lab_selection *to, enum view_axis axis, size_t place)
{
    *(axis == VIEW_AXIS_QUERIES ? &to->query
      : axis == VIEW_AXIS_KEYS  ? &to->key
                                : &to->channel) = place;
    return axis == VIEW_AXIS_QUERIES ? VIEW_QUERY
           : axis == VIEW_AXIS_KEYS  ? VIEW_KEY
                                     : VIEW_CHANNEL;
}

static long chosen_at(const struct view *view, enum view_axis axis)
{
    const struct lab_selection *const at = &view->selection;
    return view_chosen(view, axis == VIEW_AXIS_QUERIES ? at->query
                             : axis == VIEW_AXIS_KEYS  ? at->key
                                                       : at->channel);
}

static void draw_tile(struct view *view, const struct shown *shown, size_t head, struct rect cells)
{
    const struct ui_theme *theme = view->ui->theme;
    const bool current = head == view->selection.head;
    struct view_operand operand = view_operand_of_head(view, shown->part, head);
    if (shown->scaled) {
        operand.matrix = lab_trace_scaled_matrix(view->trace, head, view->arena);
        operand.tip = "S ÷ √dₖ: the scores, scaled and masked";
    }
    const char *name = arena_format(view->arena, cells.w >= 46 ? tr("head %zu") : "%zu", head + 1);
    const struct rect tile = {cells.x, cells.y, cells.w, cells.h + CAPTION};
    const struct view_matrix matrix = {
        .matrix = operand.matrix,
        .area = cells,
        .label = name,
        .tip = arena_format(view->arena, "Head %zu, %s", head + 1, operand.tip),
        .is_share = operand.is_share,
        .peak = shown->peak,
        .masked = shown->masked,
        .row_axis = operand.row_axis,
        .column_axis = operand.column_axis,
        .head = head,
        .row = current ? chosen_at(view, operand.row_axis) : VIEW_NOWHERE,
        .column = current ? chosen_at(view, operand.column_axis) : VIEW_NOWHERE,
        .row_colour = operand.row_axis == VIEW_AXIS_KEYS ? theme->key : theme->query,
        .column_colour = operand.column_axis == VIEW_AXIS_KEYS ? theme->key : operand.colour,
        .done = shown->done,
        .id = ui_id_number(view->ui, "tile", head),
    };
    const struct ui_touch touch =
        ui_touch(view->ui, ui_id_number(view->ui, "head", head), tile, true);
    const struct view_matrix_hit hit = view_matrix_draw(view, &matrix);
    canvas_rect(
        view->ui->canvas, rect_inset(cells, -4), 6,
        &(struct paint){.stroke = current ? theme->accent : theme->line, .width = current ? 2 : 1});
    ui_draw_focus(view->ui, ui_id_number(view->ui, "head", head), rect_inset(cells, -4), 6);
    canvas_text_cut(view->ui->canvas, cells.x + cells.w / 2, cells.y + cells.h + 19,
                    current ? FONT_WORDS_BOLD : FONT_WORDS,
                    cells.w < 40 ? UI_TEXT_TINY : UI_TEXT_SMALL,
                    current ? theme->accent : theme->muted, CANVAS_CENTRE, name != NULL ? name : "",
                    cells.w + TILE_GAP);
    struct lab_selection to = view->selection;
    to.head = head;
    if (hit.hover || hit.clicked) {
        const unsigned row = point_at(&to, operand.row_axis, hit.row);
        const unsigned column = point_at(&to, operand.column_axis, hit.column);
        view_choose(view, VIEW_HEAD | row | column, to, hit.clicked);
    } else if (touch.hover || touch.clicked) {
        view_choose(view, VIEW_HEAD, to, touch.clicked);
    }
}

static void draw_tiles(struct view *view, const struct shown *shown, struct rect area)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const struct lab_matrix first = lab_trace_part(view->trace, shown->part, 0);
    const float shape = fminf(2, fmaxf(0.5f, (float)first.rows / (float)first.cols));
    float wide = 0;
    const size_t columns = best_columns(area, sizes.heads, shape, &wide);
    wide = fminf(wide, 190);
    if (wide < 2) {
        return;
    }
    const size_t rows = (sizes.heads + columns - 1) / columns;
    const float high = wide * shape;
    const float all_wide = wide * (float)columns + TILE_GAP * (float)(columns - 1);
    const float all_high = (high + CAPTION) * (float)rows + TILE_GAP * (float)(rows - 1);
    const float x = area.x + fmaxf(0, (area.w - all_wide) / 2);
    const float y = area.y + fmaxf(0, (area.h - all_high) / 2);
    for (size_t head = 0; head < sizes.heads; head++) {
        const float column = (float)(head % columns), row = (float)(head / columns);
        draw_tile(view, shown, head,
                  (struct rect){x + column * (wide + TILE_GAP),
                                y + row * (high + CAPTION + TILE_GAP), wide, high});
    }
}

/* Matrix or lines, at the right of the panel's head. */
static void draw_kind(struct view *view, struct rect area)
{
    static const char *const labels[] = {"Matrix", "Lines"};
    const float wide = 128;
    if (area.w < 2 * wide + 60 || view->still) {
        return;
    }
    const struct rect place = {area.x + area.w - wide - 14, area.y + 9, wide, 26};
    const size_t current = view->state->display.lines ? 1 : 0;
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
        const struct shown shown = shown_of(view);
        const char *title =
            alone || heads == 1
                ? arena_format(view->arena, "Head %zu of %zu", head + 1, heads)
                : arena_format(view->arena, "Heads — %zu, %s", heads,
                               view->state->display.lines ? tr("weights α") : tr(shown.name));
        view_panel_header(view, area, title != NULL ? title : "", "");
        draw_kind(view, area);
        const float note = view_aside_height(view);
        const bool bare = view->still && view_own_title(view, title) == NULL;
        const float header = bare ? 22 : HEADER;
        const struct rect body = {area.x + 16, area.y + header - 6, area.w - 32,
                                  area.h - header - 6 - note};
        view_aside_note(view, (struct rect){body.x, body.y + body.h, body.w, note}, false);
        if (view->state->display.lines) {
            view_lines(view, body);
        } else if (alone || heads == 1) {
            draw_large(view, body);
        } else {
            draw_tiles(view, &shown, rect_inset(body, 6));
        }
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
