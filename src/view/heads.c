/* The heads: every head's weights as a small heatmap; one head alone is drawn large, with its
 * numbers, the names of its axes and a colour bar. */
#include <math.h>

#include "base/text.h"
#include "ui/widgets.h"
#include "view/pieces.h"
#include "view/strips.h"
#include "view/table.h"

static const float HEADER = 46;  /* title line of the panel */
static const float CAPTION = 24; /* below a small heatmap */
static const float TILE_GAP = 14;

/* The colour bar, `apart` from the cells. */
static void draw_scale(struct view *view, struct rect cells, float apart)
{
    const struct rect bar = {cells.x + cells.w + apart + 6, cells.y, 11, cells.h};
    if (view->state->around.no_bar) {
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
                               .cell_wide = 62,
                               .cell_high = 41,
                               .tail = (view->state->around.no_bar ? 0.0f : 62.0f) +
                                       (roomy ? VIEW_STRIP_NUMBERS : VIEW_STRIP_WIDE),
                               .foot = VIEW_STRIP_HIGH,
                               .done = 1,
                               .decimals = 3,
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
    if (!answer.in_part) {
        view_strips(view, &(struct view_strips){table.operand.matrix, answer.cells, roomy, "sums"});
    }
    draw_scale(view, answer.cells, roomy ? VIEW_STRIP_NUMBERS : VIEW_STRIP_WIDE);
    if (caption > 0) {
        canvas_text_cut(view->ui->canvas, answer.cells.x + answer.cells.w / 2,
                        answer.cells.y + answer.cells.h + VIEW_STRIP_HIGH + 17, FONT_WORDS,
                        UI_TEXT_SMALL, theme->muted, CANVAS_CENTRE, "keys — what is attended to",
                        area.w * 0.6f);
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

static void draw_tile(struct view *view, size_t head, struct rect cells)
{
    const struct ui_theme *theme = view->ui->theme;
    const bool current = head == view->selection.head;
    const struct lab_matrix alpha = view_weights(view, head);
    const char *name = arena_format(view->arena, cells.w >= 46 ? "head %zu" : "%zu", head + 1);
    const struct rect tile = {cells.x, cells.y, cells.w, cells.h + CAPTION};
    const struct view_matrix matrix = {
        .matrix = alpha,
        .area = cells,
        .label = name,
        .tip = arena_format(view->arena, "α of head %zu: the softmax of each row of its scores",
                            head + 1),
        .is_share = true,
        .masked = true,
        .row_axis = VIEW_AXIS_QUERIES,
        .column_axis = VIEW_AXIS_KEYS,
        .head = head,
        .row = current ? view_chosen(view, view->selection.query) : VIEW_NOWHERE,
        .column = current ? view_chosen(view, view->selection.key) : VIEW_NOWHERE,
        .row_colour = theme->query,
        .column_colour = theme->key,
        .done = 1,
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
        to.query = hit.row;
        to.key = hit.column;
        view_choose(view, VIEW_HEAD | VIEW_QUERY | VIEW_KEY, to, hit.clicked);
    } else if (touch.hover || touch.clicked) {
        view_choose(view, VIEW_HEAD, to, touch.clicked);
    }
}

static void draw_tiles(struct view *view, struct rect area)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const float shape = fminf(2, fmaxf(0.5f, (float)sizes.n / (float)sizes.m));
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
        draw_tile(view, head,
                  (struct rect){x + column * (wide + TILE_GAP),
                                y + row * (high + CAPTION + TILE_GAP), wide, high});
    }
}

void view_panel_header(struct view *view, struct rect area, const char *title, const char *hint)
{
    struct canvas *canvas = view->ui->canvas;
    const float x = area.x + 16, wide = area.w - 32;
    title = view->still ? view_own_title(view, title) : title;
    if (title == NULL) {
        return;
    }
    const float title_wide =
        fminf(canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, title), wide);
    canvas_text_cut(canvas, x, area.y + 25, FONT_WORDS_BOLD, UI_TEXT_BODY, view->ui->theme->ink,
                    CANVAS_LEFT, title, wide);
    const float hint_wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, hint);
    if (title_wide + 20 + hint_wide <= wide) {
        canvas_text(canvas, x + wide, area.y + 25, FONT_WORDS, UI_TEXT_SMALL,
                    view->ui->theme->muted, CANVAS_RIGHT, hint);
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
    const size_t current = view->state->lines ? 1 : 0;
    const size_t chosen = ui_tabs(view->ui, "kind", place, labels, 2, current);
    static const char *const tips[] = {
        "The weights of a head as a matrix: a row for every query, a column for every key",
        "The weights of a head as lines from every query to the keys, as thick as they are large "
        "(L)"};
    ui_tab_tips(view->ui, "kind", place, tips, 2);
    if (chosen < 2 && chosen != current) {
        view_wish_command(view, "lines");
    }
}

static void draw_head_panel(struct view *view, struct rect area, bool alone)
{
    struct canvas *canvas = view->ui->canvas;
    view_panel(view, area, alone ? "Head" : "Heads");
    canvas_clip(canvas, area);
    ui_push(view->ui, alone ? "head" : "heads");
    if (view->trace == NULL) {
        view_panel_header(view, area, "Heads", "");
        view_notice(view, rect_inset(area, 30), "",
                    "Every head's weights stand here as soon as there are words.");
    } else {
        const size_t heads = lab_trace_sizes(view->trace).heads;
        const size_t head = view->selection.head;
        const char *title = alone || heads == 1
                                ? arena_format(view->arena, "Head %zu of %zu", head + 1, heads)
                                : arena_format(view->arena, "Heads — %zu, side by side", heads);
        view_panel_header(view, area, title != NULL ? title : "", "");
        draw_kind(view, area);
        const float note = view_aside_height(view);
        const bool bare = view->still && view_own_title(view, title) == NULL;
        const float header = bare ? 22 : HEADER;
        const struct rect body = {area.x + 16, area.y + header - 6, area.w - 32,
                                  area.h - header - 6 - note};
        view_aside_note(view, (struct rect){body.x, body.y + body.h, body.w, note}, false);
        if (view->state->lines) {
            view_lines(view, body);
        } else if (alone || heads == 1) {
            draw_large(view, body);
        } else {
            draw_tiles(view, rect_inset(body, 6));
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
