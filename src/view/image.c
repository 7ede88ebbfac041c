/* A matrix whose cells touch each other: one image, in which what shares a pixel shares its colour.
 */
#include <math.h>

#include "view/marks.h"
#include "view/matrix_parts.h"
#include "view/pieces.h"

static const float HATCH_FROM = 6; /* smaller masked cells have no strokes */
static const float HATCH_STEP = 6; /* from stroke to stroke */

/* Of the cells that share one pixel of a picture the one with the largest size: peaks must survive.
 */
static float pooled(const struct view_matrix *matrix, size_t row0, size_t row1, size_t column0,
                    size_t column1)
{
    float largest = view_matrix_value(matrix, row0, column0);
    for (size_t row = row0; row < row1; row++) {
        for (size_t column = column0; column < column1; column++) {
            const float value = view_matrix_value(matrix, row, column);
            largest = fabsf(value) > fabsf(largest) ? value : largest;
        }
    }
    return largest;
}

/* Columns and rows of cells that fall together into one pixel of an image. */
struct pool {
    size_t row0, row1, column0, column1;
};

static bool pool_has(const struct view *view, const struct pool *pool,
                     const struct view_matrix *matrix)
{
    const size_t row = (size_t)matrix->row, column = (size_t)matrix->column;
    const bool in_row = matrix->row >= 0 && row >= pool->row0 && row < pool->row1;
    const bool in_column = matrix->column >= 0 && column >= pool->column0 && column < pool->column1;
    bool kept = false;
    for (size_t r = pool->row0; matrix->row_axis == VIEW_AXIS_QUERIES && r < pool->row1; r++) {
        kept = kept || lab_places_has(&view->state->shown.queries, r);
    }
    return kept || (matrix->cell ? in_row && in_column : in_row || in_column);
}

static bool pool_dims(const struct view *view, const struct pool *pool,
                      const struct view_matrix *matrix)
{
    return view_filtered_out(view, matrix->row_axis, pool->row0, pool->row1) ||
           view_filtered_out(view, matrix->column_axis, pool->column0, pool->column1) ||
           (view->state->hovered_parts != 0 && !pool_has(view, pool, matrix));
}

/* The colours of an image's cells: a map in so many steps that the next is hardly another colour.
 */
enum { RAMP_STEPS = 1024 };

struct ramp {
    struct colour step[RAMP_STEPS + 1];
    float zero, each; /* the step of value 0; steps a unit of value */
    bool laid;        /* not for a few cells */
    bool logarithmic; /* where a value stands is not in proportion to it */
    bool dims;        /* somebody points, or one line shines alone: what takes no part dims */
};

static void lay_ramp(const struct view *view, const struct view_matrix *matrix, size_t cells,
                     struct ramp *ramp)
{
    ramp->zero = ramp->each = 0;
    ramp->dims = view->state->hovered_parts != 0 || view->state->shown.line != LAB_LINE_NONE;
    ramp->logarithmic = matrix->is_share && view->state->shown.logarithmic;
    ramp->laid = cells > RAMP_STEPS;
    if (!ramp->laid) {
        return;
    }
    const float steps = RAMP_STEPS;
    const struct colourmap *map =
        matrix->is_share ? view->state->weights_map : view->state->signed_map;
    const float peak = view_matrix_peak(view, matrix);
    ramp->each = matrix->is_share ? steps / (view->share_top - view->share_low)
                 : peak > 0       ? steps / 2 / peak
                                  : 0;
    ramp->zero = matrix->is_share ? -view->share_low * ramp->each : steps / 2;
    for (size_t i = 0; i <= RAMP_STEPS; i++) {
        ramp->step[i] = colourmap_colour(map, (float)i / steps);
    }
}

static struct colour ramp_colour(const struct view *view, const struct ramp *ramp, float value)
{
    const float at = ramp->logarithmic ? view_share_place(view, value) * RAMP_STEPS
                                       : ramp->zero + value * ramp->each;
    if (!(at > 0)) {
        return ramp->step[0]; /* NaN too */
    }
    return ramp->step[at < RAMP_STEPS ? (size_t)(at + 0.5f) : RAMP_STEPS];
}

static struct colour pool_colour(const struct view *view, const struct view_matrix *matrix,
                                 const struct ramp *ramp, const struct pool *pool)
{
    const float value = pooled(matrix, pool->row0, pool->row1, pool->column0, pool->column1);
    const struct colour colour =
        ramp->laid ? ramp_colour(view, ramp, value) : view_matrix_colour(view, matrix, value);
    return ramp->dims && pool_dims(view, pool, matrix)
               ? colour_mix(colour, view->ui->theme->panel, VIEW_DIMMED)
               : colour;
}

/* Whether the cell of a row that lies at x is masked, and computed already. */
static bool is_masked_at(const struct view *view, const struct view_matrix *matrix, size_t row,
                         float x, size_t shown)
{
    const size_t columns = view_matrix_columns(matrix);
    const float place = (x - matrix->area.x) / matrix->area.w * (float)columns;
    const size_t column = (size_t)fmaxf(place, 0);
    return place >= 0 && column < columns && row * columns + column < shown &&
           view_matrix_hides(view, matrix, row, column);
}

/* Strokes over the masked cells of an image: each runs up through as many as it can. */
static void draw_long_strokes(struct view *view, const struct view_matrix *matrix, size_t shown)
{
    const struct rect area = matrix->area;
    const size_t rows = view_matrix_rows(matrix);
    const float high = area.h / (float)rows, bottom = area.y + area.h;
    for (float x = area.x - area.h + HATCH_STEP / 2; x < area.x + area.w; x += HATCH_STEP) {
        float from = -1; /* how far up the open stroke begins; < 0: none is open */
        for (size_t up = 0; up <= rows; up++) {
            const float at = (float)up * high;
            const bool masked = up < rows &&
                                is_masked_at(view, matrix, rows - 1 - up, x + at, shown) &&
                                is_masked_at(view, matrix, rows - 1 - up, x + at + high, shown);
            if (masked && from < 0) {
                from = at;
            } else if (!masked && from >= 0) {
                canvas_line(view->ui->canvas, x + from, bottom - from, x + at, bottom - at, 1,
                            view_mark_ink(view));
                from = -1;
            }
        }
    }
}

/* Cells that touch each other: one image, no larger than the pixels it covers. */
void view_image(struct view *view, const struct view_matrix *matrix, size_t shown)
{
    const struct ui_theme *theme = view->ui->theme;
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const float scale = view->ui->input->scale;
    const size_t most_x = (size_t)fmaxf(1, matrix->area.w * scale);
    const size_t most_y = (size_t)fmaxf(1, matrix->area.h * scale);
    const size_t wide = columns < most_x ? columns : most_x, high = rows < most_y ? rows : most_y;
    const float each_w = matrix->area.w / (float)columns, each_h = matrix->area.h / (float)rows;
    const bool hatched = matrix->masked && each_w >= HATCH_FROM && each_h >= HATCH_FROM;
    struct colour *pixels = arena_array(view->arena, wide * high, sizeof *pixels);
    if (pixels == NULL) {
        return;
    }
    struct ramp ramp;
    lay_ramp(view, matrix, wide * high, &ramp);
    for (size_t y = 0; y < high; y++) {
        struct pool pool = {.row0 = y * rows / high, .row1 = (y + 1) * rows / high};
        for (size_t x = 0; x < wide; x++) {
            pool.column0 = pool.column1;
            pool.column1 = wide == columns ? x + 1 : (x + 1) * columns / wide;
            struct colour *pixel = &pixels[y * wide + x];
            if (pool.row0 * columns + pool.column0 >= shown) {
                *pixel = theme->control;
            } else if (view_matrix_hides(view, matrix, pool.row0, pool.column0)) {
                *pixel = hatched ? theme->ground : theme->line;
            } else if (view_matrix_is_aside(view, matrix, pool.column0)) {
                *pixel = theme->panel;
            } else {
                *pixel = pool_colour(view, matrix, &ramp, &pool);
            }
        }
    }
    canvas_image(view->ui->canvas, matrix->area, (uint32_t)wide, (uint32_t)high, pixels);
    if (hatched) {
        draw_long_strokes(view, matrix, shown);
    }
}
