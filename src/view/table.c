#include "view/table.h"

#include "view/pieces.h"

#include <math.h>

static const float WORDS_MOST = 130; /* widest words beside rows */
static const float WORDS_HIGH = 24;  /* words above columns */
static const float TITLE_HIGH = 48;  /* title and shape */

static struct rect cells_of(const struct view *view, const struct view_table *table,
                            struct rect area, float *words)
{
    const struct lab_matrix *matrix = &table->operand.matrix;
    *words = table->row_words == NULL ? 0
                                      : view_words_width(view, table->row_words, matrix->rows,
                                                         fminf(WORDS_MOST, area.w * 0.3f)) +
                                            14;
    const bool head_words = table->column_words != NULL || table->column_numbers;
    const float head =
        (head_words ? WORDS_HIGH : 4) + (table->operand.title != NULL ? TITLE_HIGH : 0);
    const float columns = (float)matrix->cols, rows = (float)matrix->rows;
    const float growth = view_growth(area);
    const float ideal =
        view_words_column(view, table->column_words, matrix->cols, table->cell_wide * growth);
    const float step = fminf(ideal, (area.w - *words - table->tail - 6) / columns);
    float high = fminf(table->cell_high * growth, (area.h - head - table->foot - 4) / rows);
    if (table->cell_share > 0) {
        high = fminf(high, step * table->cell_share);
    }
    if (step <= 0 || high <= 0) {
        return (struct rect){area.x, area.y, 0, 0};
    }
    const float wide = *words + step * columns + table->tail,
                tall = head + high * rows + table->foot;
    const float x = area.x + fmaxf(0, (area.w - wide) / 2) + *words;
    const float y = area.y + head + (table->top ? 0 : fmaxf(0, (area.h - tall) / 2));
    return (struct rect){x, y, step * columns, high * rows};
}

static void draw_title(struct view *view, const struct view_table *table, struct rect cells)
{
    struct canvas *canvas = view->ui->canvas;
    const bool head_words = table->column_words != NULL || table->column_numbers;
    const float y = cells.y - (head_words ? WORDS_HIGH : 4) - 24;
    const float middle = cells.x + cells.w / 2;
    if (table->formula == NULL) {
        view_product_title(view, &table->operand, middle, y);
        return;
    }
    canvas_text(canvas, middle, y, FONT_WORDS_BOLD, UI_TEXT_TITLE, table->operand.colour,
                CANVAS_CENTRE, table->operand.title);
    canvas_text_cut(canvas, middle, y + 18, FONT_WORDS, UI_TEXT_SMALL, view->ui->theme->muted,
                    CANVAS_CENTRE, table->formula, fmaxf(cells.w + 40, 120));
}

static void draw_words(struct view *view, const struct view_table *table, struct rect cells,
                       float room)
{
    const struct view_operand *operand = &table->operand;
    const struct lab_matrix *matrix = &operand->matrix;
    if (table->row_words != NULL) {
        view_words_of_rows(view, &(struct view_words){.words = table->row_words,
                                                      .count = matrix->rows,
                                                      .from = cells.y,
                                                      .step = cells.h / (float)matrix->rows,
                                                      .at = cells.x - 10,
                                                      .room = room - 12,
                                                      .anchor = CANVAS_RIGHT,
                                                      .chosen = operand->row,
                                                      .colour = operand->row_colour,
                                                      .kept = view_kept(view, operand)});
    }
    if (table->column_words != NULL || table->column_numbers) {
        view_words_of_columns(view, &(struct view_words){.words = table->column_words,
                                                         .count = matrix->cols,
                                                         .from = cells.x,
                                                         .step = cells.w / (float)matrix->cols,
                                                         .at = cells.y - 9,
                                                         .anchor = CANVAS_CENTRE,
                                                         .chosen = operand->column,
                                                         .colour = operand->column_colour});
    }
}

struct view_table_answer view_table_draw(struct view *view, const struct view_table *table,
                                         struct rect area)
{
    const struct view_operand *operand = &table->operand;
    struct view_table_answer answer = {0};
    if (operand->matrix.values == NULL || operand->matrix.rows == 0 || operand->matrix.cols == 0) {
        return answer;
    }
    float words = 0;
    answer.cells = cells_of(view, table, area, &words);
    if (answer.cells.w <= 0) {
        return answer;
    }
    struct view_matrix matrix = view_operand_cells(view, operand, answer.cells, table->id);
    matrix.label = table->label != NULL ? table->label : operand->title;
    matrix.peak = table->peak > 0 ? table->peak : matrix.peak;
    matrix.decimals =
        table->decimals > 0 && !view->state->cells.has_decimals ? table->decimals : matrix.decimals;
    matrix.done = table->done;
    matrix.guessed = true;
    matrix.trace = table->trace;
    answer.hit = view_matrix_draw(view, &matrix);
    if (operand->title != NULL) {
        draw_title(view, table, answer.cells);
    }
    draw_words(view, table, answer.cells, words);
    return answer;
}
