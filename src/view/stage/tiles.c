/* The matrix of scores cut into tiles, and what each row has come to. */
#include "view/stage/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/playback.h"

static const float WORDS_MOST = 110; /* widest words beside rows */
static const float HEAD = 44;        /* titles and words above the cells */
static const float GAP = 16;         /* between the matrix and what its rows have come to */
static const float STAT_WIDE = 54;   /* m, l, a number of O */
static const float FACTOR_WIDE = 72; /* e^(m − m′) */
static const float ROW_LEAST = 15;   /* lowest row that carries numbers */
static const float ROW_MOST = 44, CELL_MOST = 46;
static const float FOOT = 118, FOOT_LOW = 94; /* sentence and memory; in a low area */
static const float LOW = 330;                 /* height of a low area */
static const float TWO_LINES = 34;            /* a cell that carries its power too … */
static const float TWO_CLOSE = 24;            /* … close to its score, before a class */
static const float TILE_LEAST = 6;            /* smaller tiles have no borders */
static const float CLASS_SCORE = 15;          /* letters of a score over its power */

struct view_tiles {
    const struct lab_trace *trace; /* a reference */
    size_t head;
    struct arena arena;
    struct lab_flash flash;
};

struct view_tiles *view_tiles_open(void)
{
    return calloc(1, sizeof(struct view_tiles));
}

static void forget(struct view_tiles *tiles)
{
    lab_trace_release(tiles->trace);
    tiles->trace = NULL;
    arena_free(&tiles->arena);
    tiles->arena = (struct arena){0};
}

void view_tiles_close(struct view_tiles *tiles)
{
    if (tiles != NULL) {
        forget(tiles);
        free(tiles);
    }
}

void view_tiles_follow(struct view_tiles *tiles, const struct lab_trace *trace,
                       const struct lab_trace *baseline)
{
    if (tiles != NULL && tiles->trace != trace && tiles->trace != baseline) {
        forget(tiles);
    }
}

static bool replay(const struct view *view, size_t head, struct arena *arena,
                   struct lab_flash *flash, struct error *error)
{
    const struct lab_experiment *const experiment = lab_trace_experiment(view->trace);
    return lab_flash_replay(view->trace, head, experiment->flash_rows, experiment->flash_cols,
                            arena, flash, error);
}

const struct lab_flash *view_tiles_of(struct view *view, size_t head, struct error *error)
{
    struct view_tiles *const tiles = view->tiles;
    if (tiles == NULL) {
        struct lab_flash *const flash = arena_alloc(view->arena, sizeof *flash);
        return flash != NULL && replay(view, head, view->arena, flash, error) ? flash : NULL;
    }
    if (tiles->trace == view->trace && tiles->head == head) {
        return &tiles->flash;
    }
    forget(tiles);
    if (!replay(view, head, &tiles->arena, &tiles->flash, error)) {
        return NULL;
    }
    tiles->trace = lab_trace_keep(view->trace);
    tiles->head = head;
    return &tiles->flash;
}

/* All that the parts of the picture share. */
struct sheet {
    struct lab_sizes sizes;
    const struct lab_flash *flash;
    size_t step;                /* a tile, or their number */
    struct lab_flash_tile tile; /* that is under way; rows 0: all are done */
    struct rect cells;          /* of the matrix of scores */
    float across, down;         /* of one cell */
    struct rect right;          /* what rows have come to; its top is that of its first row */
    size_t first, rows;         /* which rows stand there */
    float step_down,
        words;         /* from row to row; room of words at its left, 0: they are the matrix's */
    float output_wide; /* of one cell of O */
    bool large;        /* numbers that are read from the last row */
};

static const float CLASS_LARGE = 1.35f; /* of columns with such numbers */

static float stat_wide(const struct sheet *sheet)
{
    return STAT_WIDE * (sheet->large ? CLASS_LARGE : 1);
}

static float factor_wide(const struct sheet *sheet)
{
    return FACTOR_WIDE * (sheet->large ? CLASS_LARGE : 1);
}

/* m, e^(m − m′) and l. */
static float stats_wide(const struct sheet *sheet)
{
    return 2 * stat_wide(sheet) + factor_wide(sheet);
}

static float output_width(const struct sheet *sheet, float room, float most)
{
    const float each = room / (float)sheet->sizes.d_v;
    return fminf(each, most);
}

/* Rows stand beside those of the matrix where they can be read; else those of the tile alone, with
 * words of their own. */
static void place_right(struct view *view, struct sheet *sheet, struct rect area)
{
    const float x = sheet->cells.x + sheet->cells.w + GAP;
    sheet->right = (struct rect){x, sheet->cells.y, area.x + area.w - x, sheet->cells.h};
    sheet->first = 0;
    sheet->rows = sheet->sizes.n;
    sheet->step_down = sheet->down;
    sheet->words = 0;
    if (sheet->down < ROW_LEAST) {
        const struct lab_flash *const flash = sheet->flash;
        const size_t block = sheet->step < flash->tiles ? sheet->step / flash->col_blocks : 0;
        const size_t fits = (size_t)fmaxf(1, sheet->right.h / (ROW_LEAST + 3));
        sheet->first = sheet->step < flash->tiles
                           ? block * flash->block_rows
                           : view->selection.query / flash->block_rows * flash->block_rows;
        const size_t left = sheet->sizes.n - sheet->first;
        const size_t rows = flash->block_rows < left ? flash->block_rows : left;
        sheet->rows = rows < fits ? rows : fits;
        sheet->step_down = ROW_LEAST + 3;
        sheet->words = 12 + view_words_width(view, lab_trace_queries(view->trace), sheet->sizes.n,
                                             fminf(WORDS_MOST, sheet->right.w * 0.25f));
        sheet->right.x += sheet->words;
        sheet->right.w -= sheet->words;
    }
    sheet->output_wide = output_width(sheet, sheet->right.w - stats_wide(sheet) - 8,
                                      STAT_WIDE * (view->state->prefs.presenter ? 1.35f : 1));
}

static float foot_height(struct rect area)
{
    return area.h < LOW ? FOOT_LOW : FOOT;
}

/* How wide and how high a cell is, beside what its rows have come to. */
static void find_cell(const struct view *view, struct sheet *sheet, struct rect area, float words)
{
    const float n = (float)sheet->sizes.n, m = (float)sheet->sizes.m;
    const float outputs = fminf((float)sheet->sizes.d_v * stat_wide(sheet), area.w * 0.26f);
    const float stats = stats_wide(sheet) + outputs + GAP + 8;
    const float larger = view->state->prefs.presenter ? CLASS_LARGE : 1;
    const float growth = view_cell_growth(view, area) * larger;
    const float high = fmaxf(area.h - HEAD - foot_height(area), 10);
    sheet->across = fminf(CELL_MOST * growth, (area.w - words - stats) / m);
    sheet->down = fminf(ROW_MOST * growth, high / n);
}

static void place(struct view *view, struct sheet *sheet, struct rect area)
{
    static const float LARGE_WIDE = 54, LARGE_HIGH = 22; /* a cell beside such numbers */
    const float words = 12 + view_words_width(view, lab_trace_queries(view->trace), sheet->sizes.n,
                                              fminf(WORDS_MOST, area.w * 0.16f));
    sheet->large = view->state->prefs.presenter;
    find_cell(view, sheet, area, words);
    if (sheet->large && (sheet->across < LARGE_WIDE || sheet->down < LARGE_HIGH)) {
        sheet->large = false;
        find_cell(view, sheet, area, words);
    }
    if (sheet->down < ROW_LEAST) { /* a picture: cells as wide as high */
        sheet->across = sheet->down = fminf(sheet->across, sheet->down);
    }
    sheet->cells =
        (struct rect){area.x + words, area.y + HEAD, sheet->across * (float)sheet->sizes.m,
                      sheet->down * (float)sheet->sizes.n};
    place_right(view, sheet, area);
}

static struct rect tile_area(const struct sheet *sheet, size_t row, size_t rows, size_t col,
                             size_t cols)
{
    return (struct rect){sheet->cells.x + (float)col * sheet->across,
                         sheet->cells.y + (float)row * sheet->down, (float)cols * sheet->across,
                         (float)rows * sheet->down};
}

static bool has_powers(const struct view *view, float cell_high)
{
    return cell_high >= (view->state->prefs.presenter ? TWO_CLOSE : TWO_LINES);
}

/* Letters of numbers beside the cells. */
static float number_size(const struct view *view, const struct sheet *sheet)
{
    return sheet->large                   ? UI_TEXT_TITLE
           : view->state->prefs.presenter ? UI_TEXT_BODY
                                          : UI_TEXT_SMALL;
}

/* A number in a cell, where it fits. */
static void draw_in_cell(struct view *view, struct rect cell, float value, int decimals, float size,
                         struct colour ink)
{
    char text[TEXT_NUMBER_MAX];
    const bool endless = isinf(value);
    text_number(text, (double)value, endless ? 0 : decimals);
    const enum font_face face = endless ? FONT_WORDS : FONT_NUMBERS;
    float wide = canvas_measure(view->ui->canvas, face, size, tr(text));
    if (wide + 4 > cell.w && size > UI_TEXT_TINY) {
        size = fmaxf(UI_TEXT_TINY, floorf(size * (cell.w - 4) / wide));
        wide = canvas_measure(view->ui->canvas, face, size, tr(text));
    }
    if (cell.h >= ROW_LEAST && wide + 4 <= cell.w) {
        canvas_text(view->ui->canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + size * 0.36f, face,
                    size, ink, CANVAS_CENTRE, tr(text));
    }
}

/* One score of the tile that is under way, and below it, where there is room, its power. */
static void draw_score(struct view *view, const struct sheet *sheet, struct rect cell, float score,
                       float power, float peak)
{
    const struct ui_theme *theme = view->ui->theme;
    const bool hidden = isinf(score) && score < 0;
    const struct rect inner = cell.w > 9 && cell.h > 9 ? rect_inset(cell, 1) : cell;
    const struct colour fill = hidden
                                   ? theme->ground
                                   : colourmap_colour(view->state->prefs.signed_map,
                                                      peak > 0 ? 0.5f + 0.5f * score / peak : 0.5f);
    const struct colour ink = hidden ? theme->muted : colour_ink_on(fill);
    canvas_rect(view->ui->canvas, inner, cell.w > 9 ? 3 : 0, &(struct paint){.fill = fill});
    if (has_powers(view, cell.h)) {
        const float line = fmaxf(cell.h / 2, ROW_LEAST);
        const float apart = cell.h < TWO_LINES ? cell.h / 2 - 2 : cell.h / 2 - 5;
        const float middle = cell.y + (cell.h - line) / 2 + (cell.h < TWO_LINES ? 0 : 0.5f);
        const struct rect upper = {cell.x, middle - apart / 2, cell.w, line};
        const struct rect lower = {cell.x, middle + apart / 2, cell.w, line};
        const bool large = view->state->prefs.presenter && cell.h >= TWO_LINES;
        const bool larger = large && sheet->large;
        draw_in_cell(view, upper, score, 2,
                     larger  ? CLASS_SCORE
                     : large ? UI_TEXT_BODY
                             : UI_TEXT_SMALL,
                     ink);
        draw_in_cell(view, lower, power, 3,
                     larger  ? UI_TEXT_BODY
                     : large ? UI_TEXT_SMALL
                             : UI_TEXT_TINY,
                     ink);
    } else {
        draw_in_cell(view, cell, score, 2, cell.w < 42 ? UI_TEXT_TINY : number_size(view, sheet),
                     ink);
    }
}

static float peak_of(const float *values, size_t count)
{
    float peak = 0;
    for (size_t i = 0; i < count; i++) {
        peak = isinf(values[i]) ? peak : fmaxf(peak, fabsf(values[i]));
    }
    return peak;
}

static void draw_scores(struct view *view, const struct sheet *sheet)
{
    const struct lab_flash_tile *const tile = &sheet->tile;
    const struct rect all = tile_area(sheet, tile->row, tile->rows, tile->col, tile->cols);
    const struct lab_matrix whole = lab_trace_part(view->trace, LAB_SCORES, sheet->flash->head);
    /* One scale for all tiles, so that a larger score looks larger than those before it. */
    const float peak = whole.values == NULL ? peak_of(tile->scores, tile->rows * tile->cols)
                                            : view_peak(view, &whole) * fabsf(sheet->sizes.factor);
    canvas_group(view->ui->canvas, ui_id(view->ui, "tile"), "The tile under way");
    if (sheet->across >= 3 && sheet->down >= 3) {
        for (size_t r = 0; r < tile->rows; r++) {
            for (size_t c = 0; c < tile->cols; c++) {
                draw_score(view, sheet, tile_area(sheet, tile->row + r, 1, tile->col + c, 1),
                           tile->scores[r * tile->cols + c], tile->power[r * tile->cols + c], peak);
            }
        }
    } else {
        canvas_rect(view->ui->canvas, all, 0, &(struct paint){.fill = view->ui->theme->key});
    }
    canvas_rect(view->ui->canvas, rect_inset(all, -2), 5,
                &(struct paint){.stroke = view->ui->theme->ink, .width = 2});
    canvas_ungroup(view->ui->canvas);
}

/* What was computed and let go again, and what is to come. */
static void draw_grounds(struct view *view, const struct sheet *sheet)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_flash *const flash = sheet->flash;
    const struct paint done = {.fill = theme->ground}, line = {.stroke = theme->line, .width = 1};
    canvas_rect(canvas, sheet->cells, 4, &(struct paint){.fill = theme->control});
    const size_t block = sheet->step / flash->col_blocks, at = sheet->step % flash->col_blocks;
    size_t rows = block * flash->block_rows;
    rows = rows < sheet->sizes.n ? rows : sheet->sizes.n;
    if (rows > 0) {
        canvas_rect(canvas, tile_area(sheet, 0, rows, 0, sheet->sizes.m), 4, &done);
    }
    if (at > 0) {
        canvas_rect(canvas, tile_area(sheet, rows, sheet->tile.rows, 0, at * flash->block_cols), 4,
                    &done);
    }
    const float wide = sheet->across * (float)flash->block_cols;
    const float high = sheet->down * (float)flash->block_rows;
    for (size_t c = 1; wide >= TILE_LEAST && c < flash->col_blocks; c++) {
        const float x = sheet->cells.x + (float)c * wide;
        canvas_line(canvas, x, sheet->cells.y, x, sheet->cells.y + sheet->cells.h, 1, theme->line);
    }
    for (size_t r = 1; high >= TILE_LEAST && r < flash->row_blocks; r++) {
        const float y = sheet->cells.y + (float)r * high;
        canvas_line(canvas, sheet->cells.x, y, sheet->cells.x + sheet->cells.w, y, 1, theme->line);
    }
    for (size_t t = 0; fminf(wide, high) >= TILE_LEAST && t < flash->tiles; t++) {
        if (flash->skips[t]) { /* a stroke across: nobody there sees anybody */
            const float x = sheet->cells.x + (float)(t % flash->col_blocks) * wide;
            const float y = sheet->cells.y + (float)(t / flash->col_blocks) * high;
            canvas_line(canvas, fminf(x + wide, sheet->cells.x + sheet->cells.w), y, x,
                        fminf(y + high, sheet->cells.y + sheet->cells.h), 1, theme->faint);
        }
    }
    canvas_rect(canvas, sheet->cells, 4, &line);
}

/* A click on a tile goes to its moment; on its row chooses the query. */
static void touch_matrix(struct view *view, const struct sheet *sheet)
{
    const struct lab_flash *const flash = sheet->flash;
    const struct ui_touch touch = ui_touch(view->ui, ui_id(view->ui, "tiles"), sheet->cells, false);
    if (!touch.hover && !touch.clicked) {
        return;
    }
    const float x = (view->ui->input->x - sheet->cells.x) / sheet->across;
    const float y = (view->ui->input->y - sheet->cells.y) / sheet->down;
    const size_t col = x <= 0 ? 0 : (size_t)x, row = y <= 0 ? 0 : (size_t)y;
    struct lab_selection to = view->selection;
    to.query = row < sheet->sizes.n ? row : sheet->sizes.n - 1;
    to.key = col < sheet->sizes.m ? col : sheet->sizes.m - 1;
    view_choose(view, VIEW_QUERY | VIEW_KEY, to, touch.clicked);
    if (touch.clicked) {
        const size_t number =
            to.query / flash->block_rows * flash->col_blocks + to.key / flash->block_cols;
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_SEEK,
                                                .position = view_place_of(
                                                    view->state->playback.stage,
                                                    view_tiles_position(number, flash->tiles))});
    }
}

static void draw_matrix(struct view *view, const struct sheet *sheet)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    canvas_group(canvas, ui_id(view->ui, "scores"), "Scores tile by tile");
    draw_grounds(view, sheet);
    if (sheet->tile.rows > 0) {
        draw_scores(view, sheet);
    }
    canvas_ungroup(canvas);
    canvas_text(canvas, sheet->cells.x, sheet->cells.y - 27, FONT_WORDS_BOLD, UI_TEXT_BODY,
                theme->ink, CANVAS_LEFT, "S");
    if (has_powers(view, sheet->down)) {
        canvas_text(canvas, sheet->cells.x + 14, sheet->cells.y - 27, FONT_WORDS, UI_TEXT_SMALL,
                    theme->muted, CANVAS_LEFT, tr("and below it e^(S − m′)"));
    }
    view_words_of_rows(view,
                       &(struct view_words){.words = lab_trace_queries(view->trace),
                                            .count = sheet->sizes.n,
                                            .from = sheet->cells.y,
                                            .step = sheet->down,
                                            .at = sheet->cells.x - 10,
                                            .room = WORDS_MOST,
                                            .anchor = CANVAS_RIGHT,
                                            .chosen = view_chosen(view, view->selection.query),
                                            .colour = theme->query});
    view_words_of_columns(view,
                          &(struct view_words){.words = lab_trace_keys(view->trace),
                                               .count = sheet->sizes.m,
                                               .from = sheet->cells.x,
                                               .step = sheet->across,
                                               .at = sheet->cells.y - 8,
                                               .anchor = CANVAS_CENTRE,
                                               .chosen = view_chosen(view, view->selection.key),
                                               .colour = theme->key});
    touch_matrix(view, sheet);
    ui_tip(view->ui, ui_id(view->ui, "scores"), sheet->cells,
           "S: scores, tile by tile; only the tile under way is ever there");
}

/* What a row has come to at this step. */
struct row_state {
    enum { TO_COME, UNDER_WAY, DIVIDED } at;
    float max, rescale, sum;
    const float *output; /* [d_v]; TO_COME: NULL */
};

static struct row_state row_state_of(const struct sheet *sheet, size_t row)
{
    const struct lab_flash *const flash = sheet->flash;
    const size_t block = row / flash->block_rows, now = sheet->step / flash->col_blocks;
    const size_t last = row * flash->col_blocks + flash->col_blocks - 1;
    if (block > now) {
        return (struct row_state){.at = TO_COME, .max = -INFINITY, .rescale = 1};
    }
    if (block < now) {
        return (struct row_state){.at = DIVIDED,
                                  .max = flash->running_max[last],
                                  .rescale = 1,
                                  .sum = flash->running_sum[last],
                                  .output = flash->z + row * sheet->sizes.d_v};
    }
    const size_t r = row - sheet->tile.row;
    return (struct row_state){.at = UNDER_WAY,
                              .max = sheet->tile.max[r],
                              .rescale = sheet->tile.rescale[r],
                              .sum = sheet->tile.sum[r],
                              .output = sheet->tile.output + r * sheet->sizes.d_v};
}

static void draw_number(struct view *view, const struct sheet *sheet, struct point end, float value,
                        int decimals, enum font_face face, struct colour colour)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)value, isinf(value) ? 0 : decimals);
    const float size = number_size(view, sheet);
    canvas_text(view->ui->canvas, end.x, end.y + size * 0.36f, isinf(value) ? FONT_WORDS : face,
                size, colour, CANVAS_RIGHT, tr(text));
}

static void draw_output(struct view *view, const struct sheet *sheet,
                        const struct row_state *row_state, float x, float y, float peak)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    for (size_t c = 0; c < sheet->sizes.d_v; c++) {
        const struct rect cell = {x + (float)c * sheet->output_wide, y, sheet->output_wide,
                                  sheet->step_down};
        const struct rect inner = cell.w > 9 ? rect_inset(cell, 1) : cell;
        struct colour fill = theme->control;
        if (row_state->output != NULL) {
            const float t = peak > 0 ? 0.5f + 0.5f * row_state->output[c] / peak : 0.5f;
            fill = colourmap_colour(view->state->prefs.signed_map, t);
        }
        canvas_rect(canvas, inner, cell.w > 9 ? 3 : 0, &(struct paint){.fill = fill});
        if (row_state->output != NULL) {
            const float size =
                view->state->prefs.presenter ? number_size(view, sheet) : UI_TEXT_TINY;
            draw_in_cell(view, cell, row_state->output[c], 2, size, colour_ink_on(fill));
        }
    }
}

static void draw_row_state(struct view *view, const struct sheet *sheet, size_t row, float peak)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct row_state row_state = row_state_of(sheet, row);
    const float y = sheet->right.y + (float)(row - sheet->first) * sheet->step_down;
    const float middle = y + sheet->step_down / 2, x = sheet->right.x - 8;
    const float ends[] = {x + stat_wide(sheet), x + stat_wide(sheet) + factor_wide(sheet),
                          x + stats_wide(sheet)};
    const bool begun = row_state.at != TO_COME;
    const struct colour ink = begun ? theme->ink : theme->muted;
    draw_number(view, sheet, (struct point){ends[0], middle}, row_state.max, 2, FONT_NUMBERS, ink);
    if (row_state.at == UNDER_WAY) {
        const bool grew = row_state.rescale < 1 && row_state.rescale > 0;
        draw_number(view, sheet, (struct point){ends[1], middle}, row_state.rescale,
                    lab_flash_decimals(row_state.rescale), grew ? FONT_NUMBERS_BOLD : FONT_NUMBERS,
                    grew ? theme->ink : theme->muted);
    }
    draw_number(view, sheet, (struct point){ends[2], middle}, row_state.sum, 2, FONT_NUMBERS, ink);
    draw_output(view, sheet, &row_state, ends[2] + 12, y, peak);
}

/* Titles of the columns; Z where rows are divided already. */
static void draw_heads(struct view *view, const struct sheet *sheet)
{
    static const char *const titles[] = {"m", "e^(m−m′)", "l"};
    const float ends[] = {stat_wide(sheet), stat_wide(sheet) + factor_wide(sheet),
                          stats_wide(sheet)};
    static const char *const tips[] = {
        "m: the largest scaled score of this row so far",
        "e^(m−m′): when the maximum grows from m to m′, all that was summed up is multiplied by it",
        "l: the sum of e^(S − m) of this row so far"};
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float y = sheet->right.y - 8;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        const float right = sheet->right.x + ends[i] - 8;
        canvas_text(canvas, right, y, FONT_WORDS_BOLD, sheet->large ? UI_TEXT_BODY : UI_TEXT_SMALL,
                    theme->ink, CANVAS_RIGHT, tr(titles[i]));
        ui_tip(view->ui, ui_id(view->ui, titles[i]),
               (struct rect){right - STAT_WIDE + 8, y - 14, STAT_WIDE, 20}, tips[i]);
    }
    const float x = sheet->right.x + stats_wide(sheet) + 6;
    const bool over = sheet->tile.rows == 0;
    const char *const text = over ? "Z = O ÷ l" : tr("O, at last ÷ l");
    const struct rect head = {x, y - 14, sheet->output_wide * (float)sheet->sizes.d_v, 20};
    view_text_whole(view, x, y, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->output, CANVAS_LEFT,
                    tr(text), fmaxf(head.w, 84));
    ui_tip(view->ui, ui_id(view->ui, "O"), head,
           "O: the values summed up, each e^(S − m) times; divided by l when a row of tiles is "
           "done");
}

static void draw_right(struct view *view, const struct sheet *sheet)
{
    float peak = 0;
    for (size_t i = 0; i < sheet->rows; i++) {
        const struct row_state row_state = row_state_of(sheet, sheet->first + i);
        if (row_state.output != NULL) {
            peak = fmaxf(peak, peak_of(row_state.output, sheet->sizes.d_v));
        }
    }
    canvas_group(view->ui->canvas, ui_id(view->ui, "rows"), "What the rows have come to");
    draw_heads(view, sheet);
    for (size_t i = 0; i < sheet->rows; i++) {
        draw_row_state(view, sheet, sheet->first + i, peak);
    }
    if (sheet->words > 0) {
        view_words_of_rows(
            view, &(struct view_words){.words = lab_trace_queries(view->trace) + sheet->first,
                                       .count = sheet->rows,
                                       .from = sheet->right.y,
                                       .step = sheet->step_down,
                                       .at = sheet->right.x - 6,
                                       .room = sheet->words - 8,
                                       .anchor = CANVAS_RIGHT,
                                       .chosen = VIEW_NOWHERE,
                                       .colour = view->ui->theme->query});
    }
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, ui_id(view->ui, "rows"), sheet->right,
           "m: largest score so far, l: sum of e^(score − m), O: sum of e^(score − m) · v");
}

/* Memory of both ways, as bars. */
static void draw_memory(struct view *view, const struct sheet *sheet, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct {
        const char *name;
        size_t bytes;
        struct colour colour;
    } bars[] = {{"all scores at once", sheet->flash->bytes_plain, theme->faint},
                {"one tile with m, l, O", sheet->flash->bytes_tiled, theme->accent}};
    const double most = fmax((double)bars[0].bytes, (double)bars[1].bytes);
    const float label = 132, number = 110, track = fmaxf(area.w - label - number, 10);
    canvas_group(canvas, ui_id(view->ui, "memory"), "Memory of both ways");
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        const float y = area.y + (float)i * 20;
        const float wide = fmaxf(2, track * (float)((double)bars[i].bytes / most));
        canvas_text(canvas, area.x, y + 13, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT,
                    tr(bars[i].name));
        canvas_rect(canvas, (struct rect){area.x + label, y + 4, wide, 10}, 3,
                    &(struct paint){.fill = bars[i].colour});
        char bytes[TEXT_NUMBER_MAX];
        const char *const text =
            arena_format(view->arena, "%s bytes", text_count(bytes, bars[i].bytes));
        canvas_text(canvas, area.x + label + wide + 8, y + 13, FONT_NUMBERS, UI_TEXT_SMALL,
                    theme->ink, CANVAS_LEFT, text != NULL ? text : "");
    }
    canvas_ungroup(canvas);
    ui_tip(view->ui, ui_id(view->ui, "memory"), (struct rect){area.x, area.y, area.w, 36},
           "n · m scores at once, beside one tile and m, l and O of its rows");
}

/* Back and forward a tile at a time, and which one it is. */
static void draw_walk(struct view *view, const struct sheet *sheet, struct rect area)
{
    const size_t tiles = sheet->flash->tiles, step = sheet->step;
    const float high = 26, y = area.y - 10, right = area.x + area.w;
    const char *const name =
        step >= tiles ? arena_format(view->arena, tr_n("%zu tile", "all %zu tiles", tiles), tiles)
                      : arena_format(view->arena, "tile %zu of %zu", step + 1, tiles);
    canvas_text(view->ui->canvas, right - 2 * high - 14, y + 17, FONT_WORDS_BOLD, UI_TEXT_SMALL,
                view->ui->theme->ink, CANVAS_RIGHT, name != NULL ? name : "");
    const struct {
        enum ui_icon icon;
        const char *tip;
        size_t to;
        bool off;
    } buttons[] = {{UI_ICON_BACK, "The tile before", step > 0 ? step - 1 : 0, step == 0},
                   {UI_ICON_FORWARD, "The next tile", step < tiles ? step + 1 : 0, false}};
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
        const struct ui_button button = {
            .icon = buttons[i].icon, .tip = buttons[i].tip, .disabled = buttons[i].off};
        const struct rect place = {right - (2 - (float)i) * (high + 4), y, high, high};
        if (ui_button(view->ui, buttons[i].tip, place, &button)) {
            view_action(view,
                        &(struct view_action){
                            .kind = VIEW_ACTION_SEEK,
                            .position = view_place_of(view->state->playback.stage,
                                                      view_tiles_position(buttons[i].to, tiles))});
        }
    }
}

bool view_tiles_explain(struct view *view, size_t terms, struct lab_explanation *explanation)
{
    const enum lab_stage stage = view->state->playback.stage;
    struct error error = {0};
    if (!view_tiles_are_shown(view->trace, stage)) {
        return false;
    }
    const struct lab_flash *const flash = view_tiles_of(view, view->selection.head, &error);
    const size_t step =
        flash == NULL ? 0 : view_tiles_step(view->state->playback.position, flash->tiles);
    if (flash == NULL || step >= flash->tiles ||
        view->selection.query / flash->block_rows != step / flash->col_blocks) {
        return false;
    }
    *explanation = lab_flash_sum(view->trace, flash, step, stage == LAB_BLEND, &view->selection,
                                 terms, view->arena);
    return true;
}

void view_stage_tiles(struct view *view, struct rect area)
{
    struct error error = {0};
    struct sheet sheet = {.sizes = lab_trace_sizes(view->trace),
                          .flash = view_tiles_of(view, view->selection.head, &error)};
    if (sheet.flash == NULL) {
        view_notice(view, area, "Not tile by tile", error.text);
        return;
    }
    sheet.step = view_tiles_step(view->state->playback.position, sheet.flash->tiles);
    if (sheet.step < sheet.flash->tiles &&
        !lab_flash_tile_of(view->trace, sheet.flash, sheet.step, view->arena, &sheet.tile)) {
        view_notice(view, area, "Not tile by tile", "There is not enough memory for the tile.");
        return;
    }
    place(view, &sheet, area);
    draw_walk(view, &sheet, area);
    draw_matrix(view, &sheet);
    draw_right(view, &sheet);
    const char *const sentence =
        lab_flash_sentence(view->trace, sheet.flash, sheet.tile.rows > 0 ? &sheet.tile : NULL,
                           view->selection.query, view->arena);
    const bool low = area.h < LOW;
    const float below = sheet.cells.y + sheet.cells.h + (low ? 6 : 18);
    const float top = fminf(below, area.y + area.h - foot_height(area) + 6);
    view_wrapped(view, area.x, top + 12, area.w, low ? UI_TEXT_SMALL : UI_TEXT_BODY,
                 view->ui->theme->ink, sentence != NULL ? sentence : "");
    draw_memory(view, &sheet, (struct rect){area.x, top + (low ? 42 : 62), area.w, 40});
}
