/* The visible range of rows and columns of a matrix that is zoomed into. */
#include "view/parts/viewport.h"

#include <math.h>

#include "view/parts/matrix.h"

struct rect view_viewport_area(struct rect window, size_t rows, struct view_viewport row,
                               size_t columns, struct view_viewport column)
{
    const float w = window.w / (float)column.count, h = window.h / (float)row.count;
    return (struct rect){window.x - (float)column.first * w, window.y - (float)row.first * h,
                         w * (float)columns, h * (float)rows};
}

/* Draws a zigzag that starts at `from`, along x or upright, and at its middle, shifted by `inward`,
 * an arrow; NULL: none. */
static void draw_torn_edge(struct view *view, struct point from, float length, bool upright,
                           float inward, const char *sign)
{
    enum { POINTS_MAX = 257 };
    const float tooth = 8, deep = 5;
    const struct ui_theme *const theme = view->ui->theme;
    const size_t count = (size_t)fminf(POINTS_MAX - 1, fmaxf(2, roundf(length / tooth))) + 1;
    struct point line[POINTS_MAX] = {{0, 0}};
    for (size_t i = 0; i < count; i++) {
        const float along = length * (float)i / (float)(count - 1);
        const float across = i % 2 == 0 ? -deep / 2 : deep / 2;
        line[i] = upright ? (struct point){from.x + across, from.y + along}
                          : (struct point){from.x + along, from.y + across};
    }
    canvas_line(view->ui->canvas, from.x, from.y, upright ? from.x : from.x + length,
                upright ? from.y + length : from.y, 7, theme->panel); /* over the border, too */
    canvas_path(view->ui->canvas, line, count, false,
                &(struct paint){.stroke = theme->accent, .width = 1.5f});
    if (sign == NULL) {
        return;
    }
    const float x = from.x + (upright ? inward : length / 2);
    const float y = from.y + (upright ? length / 2 : inward);
    canvas_circle(view->ui->canvas, x, y, 8,
                  &(struct paint){.fill = theme->panel, .stroke = theme->accent, .width = 1});
    canvas_text(view->ui->canvas, x, y + 4, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->accent,
                CANVAS_CENTRE, sign);
}

void view_torn_edges(struct view *view, struct rect window, struct rect all, bool moves)
{
    const float hair = 0.5f, beside = 3; /* as far from the numbers of a narrow cell */
    const float left = window.x - beside, right = window.x + window.w + beside,
                bottom = window.y + window.h;
    const struct {
        bool torn, upright;
        struct point from;
        float inward;
        const char *sign;
    } edges[] = {
        {all.x < window.x - hair, true, {left, window.y}, 9 + beside, "‹"},
        {all.x + all.w > window.x + window.w + hair, true, {right, window.y}, -9 - beside, "›"},
        {all.y < window.y - hair, false, {window.x, window.y}, 9, "ˆ"},
        {all.y + all.h > bottom + hair, false, {window.x, bottom}, -9, "ˇ"}};
    canvas_group(view->ui->canvas, ui_id(view->ui, "torn"), "goes on");
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
        if (edges[e].torn) {
            draw_torn_edge(view, edges[e].from, edges[e].upright ? window.h : window.w,
                           edges[e].upright, edges[e].inward, moves ? edges[e].sign : NULL);
        }
    }
    canvas_ungroup(view->ui->canvas);
}

/* The cells of a line that lie between begin and end. */
static struct view_viewport visible_range(size_t count, float from, float size, float begin,
                                          float end)
{
    const float each = size / (float)count, hair = 0.01f;
    const float first = fmaxf(floorf((begin - from) / each + hair), 0);
    const float last = fminf(ceilf((end - from) / each - hair), (float)count);
    const size_t at = first < (float)count ? (size_t)first : count - 1;
    return (struct view_viewport){at, last > (float)at + 1 ? (size_t)last - at : 1};
}

struct view_viewport view_matrix_rows_seen(const struct view_matrix *matrix)
{
    const struct rect window = view_matrix_window(matrix), area = matrix->area;
    return visible_range(view_matrix_rows(matrix), area.y, area.h, window.y, window.y + window.h);
}

struct view_viewport view_matrix_columns_seen(const struct view_matrix *matrix)
{
    const struct rect window = view_matrix_window(matrix), area = matrix->area;
    return visible_range(view_matrix_columns(matrix), area.x, area.w, window.x,
                         window.x + window.w);
}

struct view_matrix view_matrix_seen(const struct view_matrix *matrix)
{
    struct view_matrix part = *matrix;
    if (matrix->window.w <= 0 || matrix->transposed) {
        return part;
    }
    const struct view_viewport rows = view_matrix_rows_seen(matrix);
    const struct view_viewport columns = view_matrix_columns_seen(matrix);
    const float w = matrix->area.w / (float)matrix->matrix.cols;
    const float h = matrix->area.h / (float)matrix->matrix.rows;
    part.matrix.values += rows.first * matrix->matrix.stride + columns.first;
    part.matrix.rows = rows.count;
    part.matrix.cols = columns.count;
    part.area = (struct rect){matrix->area.x + w * (float)columns.first,
                              matrix->area.y + h * (float)rows.first, w * (float)columns.count,
                              h * (float)rows.count};
    part.first_row = matrix->first_row + rows.first;
    part.first_column = matrix->first_column + columns.first;
    return part;
}
