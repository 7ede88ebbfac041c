/* A matrix whose cells touch each other: one image, in which what shares a pixel shares its colour.
 */
#include <math.h>

#include "view/parts/downsample_cache.h"
#include "view/parts/marks.h"
#include "view/parts/matrix_internal.h"
#include "view/parts/pieces.h"
#include "view/parts/ramp.h"

static const float HATCH_FROM = 6; /* smaller masked cells have no strokes */
static const float HATCH_STEP = 6; /* from stroke to stroke */

/* What a row or a column of pixels has in common. */
struct line {
    size_t at;   /* its first cell */
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
            .at = from - first,
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
        kept = kept || lab_places_has(&view->state->display.queries, r);
    }
    return kept;
}

/* The colours of an image's cells. */
struct paints {
    bool laid;   /* not for a few cells */
    bool points; /* somebody points: what takes no part dims */
    struct view_ramp ramp;
    struct colour dimmed[VIEW_RAMP_STEPS + 1];
};

static void lay_paints(const struct view *view, const struct view_matrix *matrix, size_t cells,
                       struct paints *paints)
{
    paints->points = view->state->hovered_parts != 0;
    paints->laid = cells > VIEW_RAMP_STEPS;
    if (paints->laid && matrix->is_share) {
        view_ramp_of_shares(view, &paints->ramp);
    } else if (paints->laid) {
        view_ramp_of_signed(view, view_matrix_peak(view, matrix), &paints->ramp);
    }
    for (size_t i = 0; paints->laid && i <= VIEW_RAMP_STEPS; i++) {
        paints->dimmed[i] = colour_mix(paints->ramp.step[i], view->ui->theme->panel, VIEW_DIMMED);
    }
}

static struct colour colour_of(const struct view *view, const struct view_matrix *matrix,
                               const struct paints *paints, float value, bool dims)
{
    if (paints->laid) {
        const size_t step = view_ramp_step(&paints->ramp, value);
        return dims ? paints->dimmed[step] : paints->ramp.step[step];
    }
    const struct colour colour = view_matrix_colour(view, matrix, value);
    return dims ? colour_mix(colour, view->ui->theme->panel, VIEW_DIMMED) : colour;
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
    struct paints *paints;
    const float *values; /* [high][wide] */
    struct line *row, *column;
    size_t wide, high;
    size_t shown; /* cells that are computed … */
    size_t whole; /* … in rows of so many */
    bool masked, hatched;
    struct colour *pixels;
};

/* Whether a cell of this row dims, by whether its column is chosen. */
struct dims {
    bool by[2];
};

static struct dims dims_of(const struct view *view, const struct view_matrix *matrix,
                           const struct image *image, size_t y)
{
    const struct line row = image->row[y];
    const size_t behind = (y + 1) * view_matrix_rows(matrix) / image->high;
    const bool stays = !image->paints->points || is_kept(view, matrix, matrix->first_row + row.at,
                                                         matrix->first_row + behind);
    return (struct dims){.by = {row.back || (!stays && (matrix->cell || !row.chosen)),
                                row.back || (!stays && matrix->cell && !row.chosen)}};
}

/* A row of which every cell is computed, and none hidden. */
static void colour_whole_row(const struct image *image, struct dims dims, size_t y,
                             struct colour aside)
{
    const struct paints *const paints = image->paints;
    const struct colour *const by[2] = {dims.by[0] ? paints->dimmed : paints->ramp.step,
                                        dims.by[1] ? paints->dimmed : paints->ramp.step};
    const float *const value = image->values + y * image->wide;
    struct colour *const pixel = image->pixels + y * image->wide;
    for (size_t x = 0; x < image->wide; x++) {
        const struct line column = image->column[x];
        const size_t step = view_ramp_step(&paints->ramp, value[x]);
        pixel[x] = column.aside  ? aside
                   : column.back ? paints->dimmed[step]
                                 : by[column.chosen][step];
    }
}

static void colour_row(const struct view *view, const struct view_matrix *matrix,
                       const struct image *image, size_t y)
{
    const struct ui_theme *const theme = view->ui->theme;
    const struct dims dims = dims_of(view, matrix, image, y);
    const struct line row = image->row[y];
    const size_t first = (matrix->first_row + row.at) * image->whole + matrix->first_column;
    if (image->paints->laid && !image->masked &&
        first + view_matrix_columns(matrix) <= image->shown) {
        colour_whole_row(image, dims, y, theme->panel);
        return;
    }
    for (size_t x = 0; x < image->wide; x++) {
        const struct line column = image->column[x];
        struct colour *const pixel = &image->pixels[y * image->wide + x];
        if (first + column.at >= image->shown) {
            *pixel = theme->control;
        } else if (image->masked && view_matrix_hides(view, matrix, row.at, column.at)) {
            *pixel = image->hatched ? theme->ground : theme->line;
        } else if (column.aside) {
            *pixel = theme->panel;
        } else {
            *pixel = colour_of(view, matrix, image->paints, image->values[y * image->wide + x],
                               column.back || dims.by[column.chosen]);
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
    const struct lab_trace *const trace = matrix->trace != NULL ? matrix->trace : view->trace;
    const bool masked = matrix->masked && lab_trace_hides(trace);
    struct image image = {
        .wide = wide,
        .high = high,
        .shown = shown,
        .whole = view_matrix_columns(all),
        .masked = masked,
        .hatched = masked && each_w >= HATCH_FROM && each_h >= HATCH_FROM,
        .pixels = arena_array(view->arena, wide * high, sizeof *image.pixels),
        .row = arena_array(view->arena, high, sizeof *image.row),
        .column = arena_array(view->arena, wide, sizeof *image.column),
        .values = view_pooled(view, matrix, wide, high),
        .paints = arena_alloc(view->arena, sizeof *image.paints),
    };
    if (image.pixels == NULL || image.paints == NULL || image.row == NULL || image.column == NULL ||
        image.values == NULL) {
        view->arena->lacking = true;
        return;
    }
    lay_paints(view, matrix, wide * high, image.paints);
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
