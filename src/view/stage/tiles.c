/* The matrix of scores in tiles, and the running values of each row. */
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

static const float WORDS_MAX = 110;  /* width limit of row labels */
static const float HEAD = 44;        /* titles and labels above the cells */
static const float GAP = 16;         /* between the matrix and the running values of its rows */
static const float STAT_WIDE = 54;   /* m, l, a number of O */
static const float FACTOR_WIDE = 72; /* e^(m − m′) */
static const float ROW_MIN = 15;     /* lowest row with numbers */
static const float ROW_MAX = 44, CELL_MAX = 46;
static const float FOOT = 118,
                   FOOT_LOW = 94;  /* height of sentence and memory bars; the same in a low area */
static const float LOW = 330;      /* lower areas are low */
static const float TWO_LINES = 34; /* lowest cell with a score and its power, with air */
static const float TWO_CLOSE = 24; /* the same without air, for both are large from afar */
static const float TILE_MIN = 6;   /* smaller tiles have no borders */
static const float PRESENTER_SCORE_FONT = 15; /* font size of a score over its power */

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

static void release_trace(struct view_tiles *tiles)
{
    lab_trace_release(tiles->trace);
    tiles->trace = NULL;
    arena_free(&tiles->arena);
    tiles->arena = (struct arena){0};
}

void view_tiles_close(struct view_tiles *tiles)
{
    if (tiles != NULL) {
        release_trace(tiles);
        free(tiles);
    }
}

void view_tiles_follow(struct view_tiles *tiles, const struct lab_trace *trace,
                       const struct lab_trace *baseline)
{
    if (tiles != NULL && tiles->trace != trace && tiles->trace != baseline) {
        release_trace(tiles);
    }
}

static bool replay_flash(const struct view *view, size_t head, struct arena *arena,
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
        return flash != NULL && replay_flash(view, head, view->arena, flash, error) ? flash : NULL;
    }
    if (tiles->trace == view->trace && tiles->head == head) {
        return &tiles->flash;
    }
    release_trace(tiles);
    if (!replay_flash(view, head, &tiles->arena, &tiles->flash, error)) {
        return NULL;
    }
    tiles->trace = lab_trace_keep(view->trace);
    tiles->head = head;
    return &tiles->flash;
}

/* The layout, which all parts of the picture share. */
struct layout {
    struct lab_sizes sizes;
    const struct lab_flash *flash;
    size_t step;                /* index of a tile, or the number of tiles */
    struct lab_flash_tile tile; /* the present one; rows 0: all are done */
    struct rect cells;          /* of the matrix of scores */
    float across, down;         /* size of a cell */
    struct rect right;          /* area of the running values; its top is that of their first row */
    size_t first, rows;         /* the rows of the running values */
    float step_down, words; /* their height; width of their own labels, 0: the matrix has labels */
    float output_wide;      /* of a cell of O */
    bool large;             /* numbers are large enough for the presenter view */
};

static const float LARGER = 1.35f; /* factor of columns with large numbers */

static float stat_width(const struct layout *layout)
{
    return STAT_WIDE * (layout->large ? LARGER : 1);
}

static float factor_width(const struct layout *layout)
{
    return FACTOR_WIDE * (layout->large ? LARGER : 1);
}

/* The width of the columns m, e^(m − m′) and l. */
static float stats_width(const struct layout *layout)
{
    return 2 * stat_width(layout) + factor_width(layout);
}

static float output_width(const struct layout *layout, float room, float width_max)
{
    const float each = room / (float)layout->sizes.d_v;
    return fminf(each, width_max);
}

/* Places the running values beside the rows of the matrix if these can be read; else those of the
 * present tile alone, with labels of their own. */
static void place_row_states(struct view *view, struct layout *layout, struct rect area)
{
    const float x = layout->cells.x + layout->cells.w + GAP;
    layout->right = (struct rect){x, layout->cells.y, area.x + area.w - x, layout->cells.h};
    layout->first = 0;
    layout->rows = layout->sizes.n;
    layout->step_down = layout->down;
    layout->words = 0;
    if (layout->down < ROW_MIN) {
        const struct lab_flash *const flash = layout->flash;
        const size_t block = layout->step < flash->tiles ? layout->step / flash->col_blocks : 0;
        const size_t fits = (size_t)fmaxf(1, layout->right.h / (ROW_MIN + 3));
        layout->first = layout->step < flash->tiles
                            ? block * flash->block_rows
                            : view->selection.query / flash->block_rows * flash->block_rows;
        const size_t left = layout->sizes.n - layout->first;
        const size_t rows = flash->block_rows < left ? flash->block_rows : left;
        layout->rows = rows < fits ? rows : fits;
        layout->step_down = ROW_MIN + 3;
        layout->words = 12 + view_words_width(view, lab_trace_queries(view->trace), layout->sizes.n,
                                              fminf(WORDS_MAX, layout->right.w * 0.25f));
        layout->right.x += layout->words;
        layout->right.w -= layout->words;
    }
    layout->output_wide =
        output_width(layout, layout->right.w - stats_width(layout) - 8,
                     STAT_WIDE * view_length(view, (struct view_length){1, 1.35f}));
}

static float foot_height(struct rect area)
{
    return area.h < LOW ? FOOT_LOW : FOOT;
}

/* Finds the size of a cell, with room for the running values beside it. */
static void find_cell_size(const struct view *view, struct layout *layout, struct rect area,
                           float words)
{
    const float n = (float)layout->sizes.n, m = (float)layout->sizes.m;
    const float outputs = fminf((float)layout->sizes.d_v * stat_width(layout), area.w * 0.26f);
    const float stats = stats_width(layout) + outputs + GAP + 8;
    const float larger = view_length(view, (struct view_length){1, LARGER});
    const float growth = view_cell_growth(view, area) * larger;
    const float high = fmaxf(area.h - HEAD - foot_height(area), 10);
    layout->across = fminf(CELL_MAX * growth, (area.w - words - stats) / m);
    layout->down = fminf(ROW_MAX * growth, high / n);
}

static void place_layout(struct view *view, struct layout *layout, struct rect area)
{
    static const float LARGE_WIDE = 54,
                       LARGE_HIGH = 22; /* least size of a cell beside large numbers */
    const float words = 12 + view_words_width(view, lab_trace_queries(view->trace), layout->sizes.n,
                                              fminf(WORDS_MAX, area.w * 0.16f));
    layout->large = view->style.is_far;
    find_cell_size(view, layout, area, words);
    if (layout->large && (layout->across < LARGE_WIDE || layout->down < LARGE_HIGH)) {
        layout->large = false;
        find_cell_size(view, layout, area, words);
    }
    if (layout->down < ROW_MIN) { /* without numbers cells are squares */
        layout->across = layout->down = fminf(layout->across, layout->down);
    }
    layout->cells =
        (struct rect){area.x + words, area.y + HEAD, layout->across * (float)layout->sizes.m,
                      layout->down * (float)layout->sizes.n};
    place_row_states(view, layout, area);
}

static struct rect tile_area(const struct layout *layout, size_t row, size_t rows, size_t col,
                             size_t cols)
{
    return (struct rect){layout->cells.x + (float)col * layout->across,
                         layout->cells.y + (float)row * layout->down, (float)cols * layout->across,
                         (float)rows * layout->down};
}

static bool has_powers(const struct view *view, float cell_high)
{
    return cell_high >= view_length(view, (struct view_length){TWO_LINES, TWO_CLOSE});
}

/* The font size of numbers beside the cells. */
static float number_size(const struct view *view, const struct layout *layout)
{
    return layout->large ? UI_TEXT_TITLE
                         : view_length(view, (struct view_length){UI_TEXT_SMALL, UI_TEXT_BODY});
}

/* Draws a number in a cell, if it fits. */
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
    if (cell.h >= ROW_MIN && wide + 4 <= cell.w) {
        canvas_text(view->ui->canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + size * 0.36f, face,
                    size, ink, CANVAS_CENTRE, tr(text));
    }
}

/* Draws a score of the present tile and, if there is room, its power below it. */
static void draw_score(struct view *view, const struct layout *layout, struct rect cell,
                       float score, float power, float peak)
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
        const float line = fmaxf(cell.h / 2, ROW_MIN);
        const float apart = cell.h < TWO_LINES ? cell.h / 2 - 2 : cell.h / 2 - 5;
        const float middle = cell.y + (cell.h - line) / 2 + (cell.h < TWO_LINES ? 0 : 0.5f);
        const struct rect upper = {cell.x, middle - apart / 2, cell.w, line};
        const struct rect lower = {cell.x, middle + apart / 2, cell.w, line};
        const bool large = view->style.is_far && cell.h >= TWO_LINES;
        const bool larger = large && layout->large;
        draw_in_cell(view, upper, score, 2,
                     larger  ? PRESENTER_SCORE_FONT
                     : large ? UI_TEXT_BODY
                             : UI_TEXT_SMALL,
                     ink);
        draw_in_cell(view, lower, power, 3,
                     larger  ? UI_TEXT_BODY
                     : large ? UI_TEXT_SMALL
                             : UI_TEXT_TINY,
                     ink);
    } else {
        draw_in_cell(view, cell, score, 2, cell.w < 42 ? UI_TEXT_TINY : number_size(view, layout),
                     ink);
    }
}

static float finite_peak(const float *values, size_t count)
{
    float peak = 0;
    for (size_t i = 0; i < count; i++) {
        peak = isinf(values[i]) ? peak : fmaxf(peak, fabsf(values[i]));
    }
    return peak;
}

static void draw_scores(struct view *view, const struct layout *layout)
{
    const struct lab_flash_tile *const tile = &layout->tile;
    const struct rect all = tile_area(layout, tile->row, tile->rows, tile->col, tile->cols);
    const struct lab_matrix whole = lab_trace_part(view->trace, LAB_SCORES, layout->flash->head);
    /* One scale serves all tiles, so that scores of different tiles can be compared. */
    const float peak = whole.values == NULL ? finite_peak(tile->scores, tile->rows * tile->cols)
                                            : view_peak(view, &whole) * fabsf(layout->sizes.factor);
    canvas_group(view->ui->canvas, ui_id(view->ui, "tile"), "The tile under way");
    if (layout->across >= 3 && layout->down >= 3) {
        for (size_t r = 0; r < tile->rows; r++) {
            for (size_t c = 0; c < tile->cols; c++) {
                draw_score(view, layout, tile_area(layout, tile->row + r, 1, tile->col + c, 1),
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

/* Draws the background of the tiles that are done and of those to come. */
static void draw_backgrounds(struct view *view, const struct layout *layout)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_flash *const flash = layout->flash;
    const struct paint done = {.fill = theme->ground}, line = {.stroke = theme->line, .width = 1};
    canvas_rect(canvas, layout->cells, 4, &(struct paint){.fill = theme->control});
    const size_t block = layout->step / flash->col_blocks, at = layout->step % flash->col_blocks;
    size_t rows = block * flash->block_rows;
    rows = rows < layout->sizes.n ? rows : layout->sizes.n;
    if (rows > 0) {
        canvas_rect(canvas, tile_area(layout, 0, rows, 0, layout->sizes.m), 4, &done);
    }
    if (at > 0) {
        canvas_rect(canvas, tile_area(layout, rows, layout->tile.rows, 0, at * flash->block_cols),
                    4, &done);
    }
    const float wide = layout->across * (float)flash->block_cols;
    const float high = layout->down * (float)flash->block_rows;
    for (size_t c = 1; wide >= TILE_MIN && c < flash->col_blocks; c++) {
        const float x = layout->cells.x + (float)c * wide;
        canvas_line(canvas, x, layout->cells.y, x, layout->cells.y + layout->cells.h, 1,
                    theme->line);
    }
    for (size_t r = 1; high >= TILE_MIN && r < flash->row_blocks; r++) {
        const float y = layout->cells.y + (float)r * high;
        canvas_line(canvas, layout->cells.x, y, layout->cells.x + layout->cells.w, y, 1,
                    theme->line);
    }
    for (size_t t = 0; fminf(wide, high) >= TILE_MIN && t < flash->tiles; t++) {
        if (flash->skips[t]) { /* a stroke across a tile that is hidden by the mask */
            const float x = layout->cells.x + (float)(t % flash->col_blocks) * wide;
            const float y = layout->cells.y + (float)(t / flash->col_blocks) * high;
            canvas_line(canvas, fminf(x + wide, layout->cells.x + layout->cells.w), y, x,
                        fminf(y + high, layout->cells.y + layout->cells.h), 1, theme->faint);
        }
    }
    canvas_rect(canvas, layout->cells, 4, &line);
}

/* Answers the pointer: a click on a tile moves playback there and chooses its query and key. */
static void handle_pointer(struct view *view, const struct layout *layout)
{
    const struct lab_flash *const flash = layout->flash;
    const struct ui_touch touch =
        ui_touch(view->ui, ui_id(view->ui, "tiles"), layout->cells, false);
    if (!touch.hover && !touch.clicked) {
        return;
    }
    const float x = (view->ui->input->x - layout->cells.x) / layout->across;
    const float y = (view->ui->input->y - layout->cells.y) / layout->down;
    const size_t col = x <= 0 ? 0 : (size_t)x, row = y <= 0 ? 0 : (size_t)y;
    struct lab_selection to = view->selection;
    to.query = row < layout->sizes.n ? row : layout->sizes.n - 1;
    to.key = col < layout->sizes.m ? col : layout->sizes.m - 1;
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

static void draw_matrix(struct view *view, const struct layout *layout)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    canvas_group(canvas, ui_id(view->ui, "scores"), "Scores tile by tile");
    draw_backgrounds(view, layout);
    if (layout->tile.rows > 0) {
        draw_scores(view, layout);
    }
    canvas_ungroup(canvas);
    canvas_text(canvas, layout->cells.x, layout->cells.y - 27, FONT_WORDS_BOLD, UI_TEXT_BODY,
                theme->ink, CANVAS_LEFT, "S");
    if (has_powers(view, layout->down)) {
        canvas_text(canvas, layout->cells.x + 14, layout->cells.y - 27, FONT_WORDS, UI_TEXT_SMALL,
                    theme->muted, CANVAS_LEFT, tr("and below it e^(S − m′)"));
    }
    view_words_of_rows(view,
                       &(struct view_words){.words = lab_trace_queries(view->trace),
                                            .count = layout->sizes.n,
                                            .from = layout->cells.y,
                                            .step = layout->down,
                                            .at = layout->cells.x - 10,
                                            .room = WORDS_MAX,
                                            .anchor = CANVAS_RIGHT,
                                            .chosen = view_chosen(view, view->selection.query),
                                            .colour = theme->query});
    view_words_of_columns(view,
                          &(struct view_words){.words = lab_trace_keys(view->trace),
                                               .count = layout->sizes.m,
                                               .from = layout->cells.x,
                                               .step = layout->across,
                                               .at = layout->cells.y - 8,
                                               .anchor = CANVAS_CENTRE,
                                               .chosen = view_chosen(view, view->selection.key),
                                               .colour = theme->key});
    handle_pointer(view, layout);
    ui_tip(view->ui, ui_id(view->ui, "scores"), layout->cells,
           "S: scores, tile by tile; only the tile under way is ever there");
}

/* The running values of a row at this step. */
struct row_state {
    enum { TO_COME, UNDER_WAY, DIVIDED } at;
    float max, rescale, sum;
    const float *output; /* [d_v]; TO_COME: NULL */
};

static struct row_state row_state_of(const struct layout *layout, size_t row)
{
    const struct lab_flash *const flash = layout->flash;
    const size_t block = row / flash->block_rows, now = layout->step / flash->col_blocks;
    const size_t last = row * flash->col_blocks + flash->col_blocks - 1;
    if (block > now) {
        return (struct row_state){.at = TO_COME, .max = -INFINITY, .rescale = 1};
    }
    if (block < now) {
        return (struct row_state){.at = DIVIDED,
                                  .max = flash->running_max[last],
                                  .rescale = 1,
                                  .sum = flash->running_sum[last],
                                  .output = flash->z + row * layout->sizes.d_v};
    }
    const size_t r = row - layout->tile.row;
    return (struct row_state){.at = UNDER_WAY,
                              .max = layout->tile.max[r],
                              .rescale = layout->tile.rescale[r],
                              .sum = layout->tile.sum[r],
                              .output = layout->tile.output + r * layout->sizes.d_v};
}

static void draw_number(struct view *view, const struct layout *layout, struct point end,
                        float value, int decimals, enum font_face face, struct colour colour)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, (double)value, isinf(value) ? 0 : decimals);
    const float size = number_size(view, layout);
    canvas_text(view->ui->canvas, end.x, end.y + size * 0.36f, isinf(value) ? FONT_WORDS : face,
                size, colour, CANVAS_RIGHT, tr(text));
}

static void draw_output(struct view *view, const struct layout *layout,
                        const struct row_state *row_state, float x, float y, float peak)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    for (size_t c = 0; c < layout->sizes.d_v; c++) {
        const struct rect cell = {x + (float)c * layout->output_wide, y, layout->output_wide,
                                  layout->step_down};
        const struct rect inner = cell.w > 9 ? rect_inset(cell, 1) : cell;
        struct colour fill = theme->control;
        if (row_state->output != NULL) {
            const float t = peak > 0 ? 0.5f + 0.5f * row_state->output[c] / peak : 0.5f;
            fill = colourmap_colour(view->state->prefs.signed_map, t);
        }
        canvas_rect(canvas, inner, cell.w > 9 ? 3 : 0, &(struct paint){.fill = fill});
        if (row_state->output != NULL) {
            const float size = view->style.is_far ? number_size(view, layout) : UI_TEXT_TINY;
            draw_in_cell(view, cell, row_state->output[c], 2, size, colour_ink_on(fill));
        }
    }
}

static void draw_row_state(struct view *view, const struct layout *layout, size_t row, float peak)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct row_state row_state = row_state_of(layout, row);
    const float y = layout->right.y + (float)(row - layout->first) * layout->step_down;
    const float middle = y + layout->step_down / 2, x = layout->right.x - 8;
    const float ends[] = {x + stat_width(layout), x + stat_width(layout) + factor_width(layout),
                          x + stats_width(layout)};
    const bool begun = row_state.at != TO_COME;
    const struct colour ink = begun ? theme->ink : theme->muted;
    draw_number(view, layout, (struct point){ends[0], middle}, row_state.max, 2, FONT_NUMBERS, ink);
    if (row_state.at == UNDER_WAY) {
        const bool grew = row_state.rescale < 1 && row_state.rescale > 0;
        draw_number(view, layout, (struct point){ends[1], middle}, row_state.rescale,
                    lab_flash_decimals(row_state.rescale), grew ? FONT_NUMBERS_BOLD : FONT_NUMBERS,
                    grew ? theme->ink : theme->muted);
    }
    draw_number(view, layout, (struct point){ends[2], middle}, row_state.sum, 2, FONT_NUMBERS, ink);
    draw_output(view, layout, &row_state, ends[2] + 12, y, peak);
}

/* Draws the titles of the columns; Z if all rows are divided already. */
static void draw_titles(struct view *view, const struct layout *layout)
{
    static const char *const titles[] = {"m", "e^(m−m′)", "l"};
    const float ends[] = {stat_width(layout), stat_width(layout) + factor_width(layout),
                          stats_width(layout)};
    static const char *const tips[] = {
        "m: the largest scaled score of this row so far",
        "e^(m−m′): when the maximum grows from m to m′, all that was summed up is multiplied by it",
        "l: the sum of e^(S − m) of this row so far"};
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float y = layout->right.y - 8;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        const float right = layout->right.x + ends[i] - 8;
        canvas_text(canvas, right, y, FONT_WORDS_BOLD, layout->large ? UI_TEXT_BODY : UI_TEXT_SMALL,
                    theme->ink, CANVAS_RIGHT, tr(titles[i]));
        ui_tip(view->ui, ui_id(view->ui, titles[i]),
               (struct rect){right - STAT_WIDE + 8, y - 14, STAT_WIDE, 20}, tips[i]);
    }
    const float x = layout->right.x + stats_width(layout) + 6;
    const bool has_ended = layout->tile.rows == 0;
    const char *const text = has_ended ? "Z = O ÷ l" : tr("O, at last ÷ l");
    const struct rect head = {x, y - 14, layout->output_wide * (float)layout->sizes.d_v, 20};
    view_text_whole(view, x, y, FONT_WORDS_BOLD, UI_TEXT_SMALL, theme->output, CANVAS_LEFT,
                    tr(text), fmaxf(head.w, 84));
    ui_tip(view->ui, ui_id(view->ui, "O"), head,
           "O: the values summed up, each e^(S − m) times; divided by l when a row of tiles is "
           "done");
}

static void draw_row_states(struct view *view, const struct layout *layout)
{
    float peak = 0;
    for (size_t i = 0; i < layout->rows; i++) {
        const struct row_state row_state = row_state_of(layout, layout->first + i);
        if (row_state.output != NULL) {
            peak = fmaxf(peak, finite_peak(row_state.output, layout->sizes.d_v));
        }
    }
    canvas_group(view->ui->canvas, ui_id(view->ui, "rows"), "What the rows have come to");
    draw_titles(view, layout);
    for (size_t i = 0; i < layout->rows; i++) {
        draw_row_state(view, layout, layout->first + i, peak);
    }
    if (layout->words > 0) {
        view_words_of_rows(
            view, &(struct view_words){.words = lab_trace_queries(view->trace) + layout->first,
                                       .count = layout->rows,
                                       .from = layout->right.y,
                                       .step = layout->step_down,
                                       .at = layout->right.x - 6,
                                       .room = layout->words - 8,
                                       .anchor = CANVAS_RIGHT,
                                       .chosen = VIEW_NOWHERE,
                                       .colour = view->ui->theme->query});
    }
    canvas_ungroup(view->ui->canvas);
    ui_tip(view->ui, ui_id(view->ui, "rows"), layout->right,
           "m: largest score so far, l: sum of e^(score − m), O: sum of e^(score − m) · v");
}

/* Draws the memory of plain and of tiled attention as bars. */
static void draw_memory(struct view *view, const struct layout *layout, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct {
        const char *name;
        size_t bytes;
        struct colour colour;
    } bars[] = {{"all scores at once", layout->flash->bytes_plain, theme->faint},
                {"one tile with m, l, O", layout->flash->bytes_tiled, theme->accent}};
    const double larger_bytes = fmax((double)bars[0].bytes, (double)bars[1].bytes);
    const float label = 132, number = 110, track = fmaxf(area.w - label - number, 10);
    canvas_group(canvas, ui_id(view->ui, "memory"), "Memory of both ways");
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        const float y = area.y + (float)i * 20;
        const float wide = fmaxf(2, track * (float)((double)bars[i].bytes / larger_bytes));
        canvas_text(canvas, area.x, y + 13, FONT_WORDS, view->style.small, theme->muted,
                    CANVAS_LEFT, tr(bars[i].name));
        canvas_rect(canvas, (struct rect){area.x + label, y + 4, wide, 10}, 3,
                    &(struct paint){.fill = bars[i].colour});
        char bytes[TEXT_NUMBER_MAX];
        const char *const text =
            arena_words(view->arena, "%s bytes", text_count(bytes, bars[i].bytes));
        canvas_text(canvas, area.x + label + wide + 8, y + 13, FONT_NUMBERS, view->style.small,
                    theme->ink, CANVAS_LEFT, text);
    }
    canvas_ungroup(canvas);
    ui_tip(view->ui, ui_id(view->ui, "memory"), (struct rect){area.x, area.y, area.w, 36},
           "n · m scores at once, beside one tile and m, l and O of its rows");
}

/* Draws the buttons to the previous and the next tile, and which tile it is. */
static void draw_steps(struct view *view, const struct layout *layout, struct rect area)
{
    const size_t tiles = layout->flash->tiles, step = layout->step;
    const float high = 26, y = area.y - 10, right = area.x + area.w;
    const char *const name =
        step >= tiles ? arena_words(view->arena, tr_n("%zu tile", "all %zu tiles", tiles), tiles)
                      : arena_words(view->arena, "tile %zu of %zu", step + 1, tiles);
    canvas_text(view->ui->canvas, right - 2 * high - 14, y + 17, FONT_WORDS_BOLD, view->style.small,
                view->ui->theme->ink, CANVAS_RIGHT, name);
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
        const struct rect place_layout = {right - (2 - (float)i) * (high + 4), y, high, high};
        if (ui_button(view->ui, buttons[i].tip, place_layout, &button)) {
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
    struct layout layout = {.sizes = lab_trace_sizes(view->trace),
                            .flash = view_tiles_of(view, view->selection.head, &error)};
    if (layout.flash == NULL) {
        view_notice(view, area, "Not tile by tile", error.text);
        return;
    }
    layout.step = view_tiles_step(view->state->playback.position, layout.flash->tiles);
    if (layout.step < layout.flash->tiles &&
        !lab_flash_tile_of(view->trace, layout.flash, layout.step, view->arena, &layout.tile)) {
        view_notice(view, area, "Not tile by tile", "There is not enough memory for the tile.");
        return;
    }
    place_layout(view, &layout, area);
    draw_steps(view, &layout, area);
    draw_matrix(view, &layout);
    draw_row_states(view, &layout);
    const char *const sentence =
        lab_flash_sentence(view->trace, layout.flash, layout.tile.rows > 0 ? &layout.tile : NULL,
                           view->selection.query, view->arena);
    const bool low = area.h < LOW;
    const float below = layout.cells.y + layout.cells.h + (low ? 6 : 18);
    const float top = fminf(below, area.y + area.h - foot_height(area) + 6);
    view_wrapped(view, area.x, top + 12, area.w, low ? UI_TEXT_SMALL : UI_TEXT_BODY,
                 view->ui->theme->ink, sentence != NULL ? sentence : "");
    draw_memory(view, &layout, (struct rect){area.x, top + (low ? 42 : 62), area.w, 40});
}
