/* A matrix whose cells touch each other: one image, in which what shares a pixel shares its colour.
 */
#include <math.h>

#include "view/marks.h"
#include "view/matrix_parts.h"
#include "view/pieces.h"
#include "view/pools.h"

static const float HATCH_FROM = 6; /* smaller masked cells have no strokes */
static const float HATCH_STEP = 6; /* from stroke to stroke */

/* What a row or a column of pixels has in common. */
struct line {
    bool chosen; /* what shines while somebody points lies on it */
    bool back;   /* another line shines alone */
    bool aside;  /* keys that are set aside */
};

static void note_lines(const struct view *view, const struct view_matrix *matrix, bool of_rows,
                       struct line *line, size_t lines)
{
    const size_t count = of_rows ? view_matrix_rows(matrix) : view_matrix_columns(matrix);
    const enum view_axis axis = of_rows ? matrix->row_axis : matrix->column_axis;
    const long chosen = of_rows ? matrix->row : matrix->column;
    for (size_t i = 0; i < lines; i++) {
        const size_t first = of_rows ? matrix->first_row : matrix->first_column;
        const size_t from = first + i * count / lines, to = first + (i + 1) * count / lines;
        line[i] = (struct line){
            .chosen = chosen >= 0 && (size_t)chosen >= from && (size_t)chosen < to,
            .back = view_filtered_out(view, axis, from, to),
            .aside = !of_rows && view_matrix_is_aside(view, matrix, from - first),
        };
    }
}

/* Rows of queries that are kept together shine as a whole. */
static bool is_kept(const struct view *view, const struct view_matrix *matrix, size_t row0,
                    size_t row1)
{
    bool kept = false;
    for (size_t r = row0; matrix->row_axis == VIEW_AXIS_QUERIES && r < row1; r++) {
        kept = kept || lab_places_has(&view->state->shown.queries, r);
    }
    return kept;
}

/* The colours of an image's cells: a map in so many steps that the next is hardly another colour.
 */
enum { RAMP_STEPS = 1024 };

struct ramp {
    struct colour step[RAMP_STEPS + 1];
    float zero, each; /* the step of value 0; steps a unit of value */
    bool laid;        /* not for a few cells */
    bool logarithmic; /* where a value stands is not in proportion to it */
    bool points;      /* somebody points: what takes no part dims */
};

static void lay_ramp(const struct view *view, const struct view_matrix *matrix, size_t cells,
                     struct ramp *ramp)
{
    ramp->zero = ramp->each = 0;
    ramp->points = view->state->hovered_parts != 0;
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

/* Whether the cell of a row that lies at x is masked, and computed already. */
static bool is_masked_at(const struct view *view, const struct view_matrix *matrix, size_t row,
                         float x, size_t shown)
{
    const size_t columns = view_matrix_columns(matrix);
    const float place = (x - matrix->area.x) / matrix->area.w * (float)columns;
    const size_t column = (size_t)fmaxf(place, 0);
    return place >= 0 && column < columns && (matrix->first_row + row) * columns + column < shown &&
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

struct image {
    struct ramp ramp;
    const float *values; /* [high][wide] */
    struct line *row, *column;
    size_t wide, high;
    size_t shown; /* cells that are computed … */
    size_t whole; /* … in rows of so many */
    bool hatched;
    struct colour *pixels;
};

static void colour_row(const struct view *view, const struct view_matrix *matrix,
                       const struct image *image, size_t y)
{
    const struct ui_theme *const theme = view->ui->theme;
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const size_t row0 = y * rows / image->high;
    const bool kept =
        image->ramp.points && is_kept(view, matrix, matrix->first_row + row0,
                                      matrix->first_row + (y + 1) * rows / image->high);
    const struct line row = image->row[y];
    for (size_t x = 0; x < image->wide; x++) {
        const struct line column = image->column[x];
        const size_t column0 = x * columns / image->wide;
        const float value = image->values[y * image->wide + x];
        struct colour *const pixel = &image->pixels[y * image->wide + x];
        if ((matrix->first_row + row0) * image->whole + matrix->first_column + column0 >=
            image->shown) {
            *pixel = theme->control;
        } else if (matrix->masked && view_matrix_hides(view, matrix, row0, column0)) {
            *pixel = image->hatched ? theme->ground : theme->line;
        } else if (column.aside) {
            *pixel = theme->panel;
        } else {
            const bool shines =
                kept || (matrix->cell ? row.chosen && column.chosen : row.chosen || column.chosen);
            const bool dims = row.back || column.back || (image->ramp.points && !shines);
            const struct colour colour = image->ramp.laid ? ramp_colour(view, &image->ramp, value)
                                                          : view_matrix_colour(view, matrix, value);
            *pixel = dims ? colour_mix(colour, theme->panel, VIEW_DIMMED) : colour;
        }
    }
}

/* Cells that touch each other: one image, no larger than the pixels it covers. */
void view_image(struct view *view, const struct view_matrix *all, size_t shown)
{
    const struct view_matrix part = view_matrix_seen(all), *const matrix = &part;
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const float scale = view->ui->input->scale;
    const size_t most_x = (size_t)fmaxf(1, matrix->area.w * scale);
    const size_t most_y = (size_t)fmaxf(1, matrix->area.h * scale);
    const size_t wide = columns < most_x ? columns : most_x, high = rows < most_y ? rows : most_y;
    const float each_w = matrix->area.w / (float)columns, each_h = matrix->area.h / (float)rows;
    struct image image = {
        .wide = wide,
        .high = high,
        .shown = shown,
        .whole = view_matrix_columns(all),
        .hatched = matrix->masked && each_w >= HATCH_FROM && each_h >= HATCH_FROM,
        .pixels = arena_array(view->arena, wide * high, sizeof *image.pixels),
        .row = arena_array(view->arena, high, sizeof *image.row),
        .column = arena_array(view->arena, wide, sizeof *image.column),
        .values = view_pooled(view, matrix, wide, high),
    };
    if (image.pixels == NULL || image.row == NULL || image.column == NULL || image.values == NULL) {
        view->arena->lacking = true;
        return;
    }
    lay_ramp(view, matrix, wide * high, &image.ramp);
    note_lines(view, matrix, true, image.row, high);
    note_lines(view, matrix, false, image.column, wide);
    for (size_t y = 0; y < high; y++) {
        colour_row(view, matrix, &image, y);
    }
    canvas_image(view->ui->canvas, matrix->area, (uint32_t)wide, (uint32_t)high, image.pixels);
    if (image.hatched) {
        draw_long_strokes(view, matrix, shown);
    }
}
