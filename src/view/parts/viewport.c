/* The stretch of rows and columns that is looked at closely. */
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

/* The cells of a line that lie between two places. */
static struct view_viewport seen_of(size_t count, float from, float size, float begin, float end)
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
    return seen_of(view_matrix_rows(matrix), area.y, area.h, window.y, window.y + window.h);
}

struct view_viewport view_matrix_columns_seen(const struct view_matrix *matrix)
{
    const struct rect window = view_matrix_window(matrix), area = matrix->area;
    return seen_of(view_matrix_columns(matrix), area.x, area.w, window.x, window.x + window.w);
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
