/* Large matrices: reduced to as many cells as there are pixels, and cached by trace and part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "lab/run/measure.h"
#include "view/parts/colours.h"
#include "view/parts/downsample.h"
#include "view/parts/matrix_internal.h"
#include "view/parts/pieces.h"

enum {
    CACHED_MAX = 1024,
    FLOATS_MAX = 16 << 20,
    SMALL_MATRIX = 1 << 12 /* smaller matrices are not cached */
};

/* A cached result about a matrix of the trace: its values reduced to pixels, its range, or its
 * sums. */
struct cached {
    enum { CACHED_POOLED, CACHED_RANGE, CACHED_SUMS } kind;
    struct lab_matrix matrix;
    bool transposed, by_mean;
    size_t wide, high;
    const float *values;
    const double *sums;
    float min, max; /* range of its numbers */
};

/* The scaled scores of one head, with and without the mask: they are no part of the trace. */
enum { SCALED_PLAIN, SCALED_MASKED, SCALED_KINDS };
struct scaled {
    struct lab_matrix matrix[SCALED_KINDS]; /* values NULL: not computed yet */
    struct arena arena;
    size_t head;
};

struct view_downsample_cache {
    const struct lab_trace *trace; /* a reference, so that its numbers keep their addresses */
    struct scaled scaled;          /* of that trace */
    struct arena arena;
    struct cached cached[CACHED_MAX];
    size_t count, floats;
};

struct view_downsample_cache *view_downsample_cache_open(void)
{
    return calloc(1, sizeof(struct view_downsample_cache));
}

static void clear_cache(struct view_downsample_cache *downsamples)
{
    lab_trace_release(downsamples->trace);
    downsamples->trace = NULL;
    arena_free(&downsamples->arena);
    arena_free(&downsamples->scaled.arena);
    downsamples->scaled = (struct scaled){.head = 0};
    downsamples->arena = (struct arena){0};
    downsamples->count = downsamples->floats = 0;
}

void view_downsample_cache_close(struct view_downsample_cache *downsamples)
{
    if (downsamples != NULL) {
        clear_cache(downsamples);
        free(downsamples);
    }
}

static bool is_scaled(const struct scaled *scaled, const float *values)
{
    bool is = false;
    for (size_t k = 0; k < SCALED_KINDS; k++) {
        const struct lab_matrix *const matrix = &scaled->matrix[k];
        is = is || (matrix->values != NULL && values >= matrix->values &&
                    values < matrix->values + matrix->rows * matrix->cols);
    }
    return is;
}

/* Drops the scaled scores with everything that was cached about them. */
static void drop_scaled_scores(struct view_downsample_cache *downsamples)
{
    size_t count = 0;
    for (size_t i = 0; i < downsamples->count; i++) {
        if (!is_scaled(&downsamples->scaled, downsamples->cached[i].matrix.values)) {
            downsamples->cached[count++] = downsamples->cached[i];
        }
    }
    downsamples->count = count;
    arena_free(&downsamples->scaled.arena);
    downsamples->scaled = (struct scaled){.head = 0};
}

/* Switches to another trace, which may share large weights with the former one: what was cached
 * about those is kept. Everything else is dropped, and its memory is freed with the next
 * clear_cache. */
static void switch_trace(struct view_downsample_cache *downsamples, const struct lab_trace *trace)
{
    size_t count = 0;
    drop_scaled_scores(downsamples);
    for (size_t i = 0; i < downsamples->count; i++) {
        if (lab_trace_holds(trace, downsamples->cached[i].matrix.values)) {
            downsamples->cached[count++] = downsamples->cached[i];
        }
    }
    if (count == 0) {
        clear_cache(downsamples);
    }
    downsamples->count = count;
    lab_trace_release(downsamples->trace);
    downsamples->trace = lab_trace_keep(trace);
}

void view_downsample_cache_follow(struct view_downsample_cache *downsamples,
                                  const struct lab_trace *trace, const struct lab_trace *baseline)
{
    if (downsamples == NULL || downsamples->trace == trace || downsamples->trace == baseline) {
        return;
    }
    if (trace == NULL) {
        clear_cache(downsamples);
    } else if (downsamples->trace != NULL) {
        switch_trace(downsamples, trace);
    }
}

/* The cache, with room for `floats` more about a matrix; NULL: nothing about that matrix is cached.
 */
static struct view_downsample_cache *downsamples_for(const struct view *view,
                                                     const struct lab_matrix *matrix, size_t floats)
{
    struct view_downsample_cache *const downsamples = view->downsamples;
    if (downsamples == NULL || matrix->rows * matrix->cols < SMALL_MATRIX || floats > FLOATS_MAX ||
        view->trace == NULL ||
        !(lab_trace_holds(view->trace, matrix->values) ||
          (downsamples->trace == view->trace && is_scaled(&downsamples->scaled, matrix->values)))) {
        return NULL;
    }
    const bool is_full =
        downsamples->count == CACHED_MAX || downsamples->floats + floats > FLOATS_MAX;
    if (is_full && is_scaled(&downsamples->scaled, matrix->values)) {
        return NULL; /* clearing the cache would free them */
    }
    if (downsamples->count == CACHED_MAX || downsamples->floats + floats > FLOATS_MAX) {
        clear_cache(downsamples);
    }
    if (downsamples->trace != view->trace) {
        switch_trace(downsamples, view->trace);
    }
    return downsamples;
}

static const struct cached *find_cached(const struct view_downsample_cache *downsamples,
                                        const struct cached *wanted)
{
    for (size_t i = 0; i < downsamples->count; i++) {
        const struct cached *const cached = &downsamples->cached[i];
        if (cached->kind == wanted->kind && cached->matrix.values == wanted->matrix.values &&
            cached->wide == wanted->wide && cached->high == wanted->high &&
            cached->transposed == wanted->transposed && cached->by_mean == wanted->by_mean &&
            cached->matrix.rows == wanted->matrix.rows &&
            cached->matrix.cols == wanted->matrix.cols &&
            cached->matrix.stride == wanted->matrix.stride) {
            return cached;
        }
    }
    return NULL;
}

/* For every column of a row of blocks, the largest value of either sign so far, and the sum. Rows
 * are added one by one, so that memory is read in its order. */
struct columns {
    float *high, *low, *sum;
};

static void add_row(const struct columns *columns, const float *row, size_t count, bool by_mean)
{
    if (by_mean) {
        for (size_t c = 0; c < count; c++) {
            columns->sum[c] += row[c];
        }
        return;
    }
    for (size_t c = 0; c < count; c++) {
        columns->high[c] = row[c] > columns->high[c] ? row[c] : columns->high[c];
        columns->low[c] = row[c] < columns->low[c] ? row[c] : columns->low[c];
    }
}

static float reduce_block(const struct columns *columns, size_t from, size_t to, size_t rows,
                          bool by_mean)
{
    float high = columns->high[from], low = columns->low[from], sum = 0;
    for (size_t c = from; c < to; c++) {
        high = columns->high[c] > high ? columns->high[c] : high;
        low = columns->low[c] < low ? columns->low[c] : low;
        sum += columns->sum[c];
    }
    return by_mean ? sum / (float)((to - from) * rows) : -low > high ? low : high;
}

/* The largest value in one block of a matrix that is drawn transposed, which are small ones. */
static float largest_in_block(const struct view_matrix *matrix, size_t row0, size_t row1,
                              size_t column0, size_t column1)
{
    float best = view_matrix_value(matrix, row0, column0);
    for (size_t row = row0; row < row1; row++) {
        for (size_t column = column0; column < column1; column++) {
            const float value = view_matrix_value(matrix, row, column);
            best = fabsf(value) > fabsf(best) ? value : best;
        }
    }
    return best;
}

static void pool_transposed(const struct view_matrix *matrix, size_t wide, size_t high,
                            float *values)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    for (size_t y = 0; y < high; y++) {
        for (size_t x = 0; x < wide; x++) {
            values[y * wide + x] = largest_in_block(matrix, y * rows / high, (y + 1) * rows / high,
                                                    x * columns / wide, (x + 1) * columns / wide);
        }
    }
}

static float *pool_matrix(const struct view_matrix *matrix, bool by_mean, size_t wide, size_t high,
                          struct arena *arena)
{
    const size_t rows = view_matrix_rows(matrix), count = view_matrix_columns(matrix);
    struct arena scratch = {0};
    float *const values = arena_array(arena, wide * high, sizeof *values);
    float *const lines = arena_array(&scratch, 3 * count, sizeof *lines);
    if (values == NULL || lines == NULL) {
        arena_free(&scratch);
        return NULL;
    }
    const struct columns columns = {lines, lines + count, lines + 2 * count};
    if (matrix->transposed) {
        pool_transposed(matrix, wide, high, values);
    }
    for (size_t y = 0; !matrix->transposed && y < high; y++) {
        const size_t from = y * rows / high, to = (y + 1) * rows / high;
        const float *const first = matrix->matrix.values + from * matrix->matrix.stride;
        memcpy(columns.high, first, count * sizeof *first);
        memcpy(columns.low, first, count * sizeof *first);
        memset(columns.sum, 0, count * sizeof *first);
        for (size_t row = from; row < to; row++) {
            add_row(&columns, matrix->matrix.values + row * matrix->matrix.stride, count, by_mean);
        }
        for (size_t x = 0; x < wide; x++) {
            values[y * wide + x] = reduce_block(&columns, x * count / wide, (x + 1) * count / wide,
                                                to - from, by_mean);
        }
    }
    arena_free(&scratch);
    return values;
}

/* Says whether cells that share a pixel show their mean, not their largest. */
static bool is_by_mean(const struct view *view, const struct view_matrix *matrix)
{
    return view->state->prefs.by_mean && matrix->is_share && !matrix->transposed;
}

const char *view_pool_text(struct view *view, const struct view_matrix *matrix)
{
    const struct view_matrix seen = view_matrix_seen(matrix);
    const float scale_scores = view->ui->input->scale;
    const float down = (float)view_matrix_rows(&seen) / fmaxf(1, seen.area.h * scale_scores);
    const float across = (float)view_matrix_columns(&seen) / fmaxf(1, seen.area.w * scale_scores);
    if (down <= 1 && across <= 1) {
        return NULL;
    }
    return arena_format(view->arena, "each dot: the %s of %.0f × %.0f",
                        is_by_mean(view, matrix) ? tr("mean") : tr("largest"),
                        (double)fmaxf(1, ceilf(down)), (double)fmaxf(1, ceilf(across)));
}

/* Of the cells that share one of wide × high pixels the value of the largest size, since peaks must
 * not vanish, or the mean of weights, if that was asked for: [high][wide], row-major, valid until
 * the frame is drawn. NULL: no memory. */
static const float *pooled_values(struct view *view, const struct view_matrix *matrix, size_t wide,
                                  size_t high)
{
    struct view_downsample_cache *const downsamples =
        downsamples_for(view, &matrix->matrix, wide * high);
    const bool by_mean = is_by_mean(view, matrix);
    if (downsamples == NULL) {
        return pool_matrix(matrix, by_mean, wide, high, view->arena);
    }
    const struct cached wanted = {.matrix = matrix->matrix,
                                  .transposed = matrix->transposed,
                                  .by_mean = by_mean,
                                  .wide = wide,
                                  .high = high};
    const struct cached *const found = find_cached(downsamples, &wanted);
    if (found != NULL) {
        return found->values;
    }
    struct cached *const made = &downsamples->cached[downsamples->count];
    *made = wanted;
    made->values = pool_matrix(matrix, by_mean, wide, high, &downsamples->arena);
    downsamples->count += made->values != NULL;
    view->arena->lacking =
        view->arena->lacking || made->values == NULL; /* reported after the frame */
    downsamples->floats += wide * high;
    return made->values;
}

void view_range(const struct view *view, const struct lab_matrix *matrix, float *low, float *high)
{
    struct view_downsample_cache *const downsamples = downsamples_for(view, matrix, 0);
    if (downsamples == NULL) {
        lab_measure_range(matrix, low, high);
        return;
    }
    const struct cached wanted = {.kind = CACHED_RANGE, .matrix = *matrix};
    const struct cached *found = find_cached(downsamples, &wanted);
    if (found == NULL) {
        struct cached *const made = &downsamples->cached[downsamples->count++];
        *made = wanted;
        lab_measure_range(matrix, &made->min, &made->max);
        found = made;
    }
    *low = found->min;
    *high = found->max;
}

float view_peak(const struct view *view, const struct lab_matrix *matrix)
{
    float low = 0, high = 0;
    view_range(view, matrix, &low, &high);
    return fmaxf(fabsf(low), fabsf(high));
}

static struct lab_matrix scale_scores(const struct lab_trace *trace, size_t head, bool masked,
                                      struct arena *arena)
{
    struct lab_matrix scores = lab_trace_part(trace, LAB_SCORES, head);
    if (masked && lab_trace_hides(trace)) {
        return lab_trace_scaled_matrix(trace, head, arena);
    }
    float *const values = scores.values == NULL
                              ? NULL
                              : arena_array(arena, scores.rows * scores.cols, sizeof *values);
    for (size_t i = 0; values != NULL && i < scores.rows; i++) {
        for (size_t j = 0; j < scores.cols; j++) {
            values[i * scores.cols + j] =
                lab_trace_adjusted(trace, head, i, j, lab_matrix_at(&scores, i, j));
        }
    }
    scores.name = "S\u2032";
    scores.values = values;
    scores.stride = scores.cols;
    return scores;
}

struct lab_matrix view_scaled(struct view *view, size_t head, bool masked)
{
    struct view_downsample_cache *const downsamples = view->downsamples;
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    if (downsamples == NULL || sizes.n * sizes.m < SMALL_MATRIX) {
        return scale_scores(view->trace, head, masked, view->arena);
    }
    if (downsamples->trace != view->trace) {
        switch_trace(downsamples, view->trace);
    }
    struct scaled *const scaled = &downsamples->scaled;
    if (scaled->head != head) {
        drop_scaled_scores(downsamples);
        scaled->head = head;
    }
    struct lab_matrix *const matrix =
        &scaled->matrix[masked && lab_trace_hides(view->trace) ? SCALED_MASKED : SCALED_PLAIN];
    if (matrix->values == NULL) {
        *matrix = scale_scores(view->trace, head, masked, &scaled->arena);
        view->arena->lacking =
            view->arena->lacking || scaled->arena.lacking; /* reported after the frame */
    }
    return *matrix;
}

/* The sum of a row, as four sums that do not wait for each other; each of its weights is added to
 * the sum of its column. */
static double add_to_sums(const float *restrict row, size_t cols, double *restrict received)
{
    double part[4] = {0};
    for (size_t j = 0; j < cols; j++) {
        part[j % 4] += (double)row[j];
        received[j] += (double)row[j];
    }
    return (part[0] + part[1]) + (part[2] + part[3]);
}

static double *sum_lines(const struct lab_matrix *matrix, struct arena *arena)
{
    double *const sums = arena_array(arena, matrix->rows + matrix->cols, sizeof *sums);
    for (size_t i = 0; sums != NULL && i < matrix->rows; i++) {
        sums[i] =
            add_to_sums(matrix->values + i * matrix->stride, matrix->cols, sums + matrix->rows);
    }
    return sums;
}

const double *view_sums(struct view *view, const struct lab_matrix *matrix)
{
    const size_t floats = 2 * (matrix->rows + matrix->cols);
    struct view_downsample_cache *const downsamples = downsamples_for(view, matrix, floats);
    if (downsamples == NULL) {
        return sum_lines(matrix, view->arena);
    }
    const struct cached wanted = {.kind = CACHED_SUMS, .matrix = *matrix};
    const struct cached *const found = find_cached(downsamples, &wanted);
    if (found != NULL) {
        return found->sums;
    }
    struct cached *const made = &downsamples->cached[downsamples->count];
    *made = wanted;
    made->sums = sum_lines(matrix, &downsamples->arena);
    downsamples->count += made->sums != NULL;
    downsamples->floats += floats;
    view->arena->lacking =
        view->arena->lacking || made->sums == NULL; /* reported after the frame */
    return made->sums;
}

/* A matrix whose cells touch each other is drawn as one image, in which cells that share a pixel
 * share its colour. */

static const float HATCH_STEP = 6; /* from stroke to stroke */

/* The common properties of a row or a column of pixels. */
struct line {
    size_t at;   /* its first cell */
    bool chosen; /* the chosen row or column is in it */
    bool back;   /* dimmed because another line is emphasised alone */
    bool aside;  /* keys that are set aside are in it */
};

static void describe_lines(const struct view *view, const struct view_matrix *matrix, bool of_rows,
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

/* Says whether a query that is pinned with others is among the rows; those are never dimmed. */
static bool has_pinned_row(const struct view *view, const struct view_matrix *matrix, size_t row0,
                           size_t row1)
{
    bool kept = false;
    for (size_t r = row0; matrix->row_axis == VIEW_AXIS_QUERIES && r < row1; r++) {
        kept = kept || lab_places_has(&view->state->prefs.display.queries, r);
    }
    return kept;
}

/* Lower or narrower cells keep their colours under the pointer: its row and column are too thin to
 * be told from the others by what they are not, and frames mark them. */
static const float DIMMED_FROM = 4;

/* The colours of an image's cells. */
struct paints {
    bool is_ramp;   /* colours are looked up in ramp; not for few cells */
    bool has_hover; /* a cell is hovered: all but its causes are dimmed */
    struct view_ramp ramp;
    struct colour dimmed[VIEW_RAMP_STEPS + 1];
};

static void prepare_paints(const struct view *view, const struct view_matrix *matrix, size_t cells,
                           struct paints *paints)
{
    paints->has_hover = view->state->hovered_parts != 0 &&
                        matrix->area.w >= DIMMED_FROM * (float)view_matrix_columns(matrix) &&
                        matrix->area.h >= DIMMED_FROM * (float)view_matrix_rows(matrix);
    paints->is_ramp = cells > VIEW_RAMP_STEPS;
    if (paints->is_ramp && matrix->is_share) {
        view_ramp_of_shares(view, &paints->ramp);
    } else if (paints->is_ramp) {
        view_ramp_of_signed(view, view_matrix_peak(view, matrix), &paints->ramp);
    }
    for (size_t i = 0; paints->is_ramp && i <= VIEW_RAMP_STEPS; i++) {
        paints->dimmed[i] = view_dimmed(view, paints->ramp.step[i]);
    }
}

static struct colour value_colour(const struct view *view, const struct view_matrix *matrix,
                                  const struct paints *paints, float value, bool dimming)
{
    if (paints->is_ramp) {
        const size_t step = view_ramp_step(&paints->ramp, value);
        return dimming ? paints->dimmed[step] : paints->ramp.step[step];
    }
    const struct colour colour = view_matrix_colour(view, matrix, value);
    return dimming ? view_dimmed(view, colour) : colour;
}

/* Says whether the cell of a row at x is masked, and computed already. */
static bool is_masked_at(const struct view *view, const struct view_matrix *matrix, size_t row,
                         float x, size_t shown)
{
    const size_t columns = view_matrix_columns(matrix);
    const float place = (x - matrix->area.x) / matrix->area.w * (float)columns;
    const size_t column = (size_t)fmaxf(place, 0);
    return place >= 0 && column < columns && (matrix->first_row + row) * columns + column < shown &&
           view_matrix_hides(view, matrix, row, column);
}

/* Draws strokes over the masked cells of an image, each through as many cells as possible. */
static void draw_long_strokes(struct view *view, const struct view_matrix *matrix, size_t shown)
{
    const struct rect area = matrix->area;
    const size_t rows = view_matrix_rows(matrix);
    const float high = area.h / (float)rows, bottom = area.y + area.h;
    for (float x = area.x - area.h + HATCH_STEP / 2; x < area.x + area.w; x += HATCH_STEP) {
        float from = -1; /* height at which the open stroke begins; < 0: none is open */
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
    size_t shown; /* cells that are computed */
    size_t whole; /* cells of a whole row */
    bool masked, hatched, off;
    struct colour *pixels;
};

/* Says whether the cells of a row are dimmed: [0] in general, [1] in the chosen column. */
struct dimming {
    bool by[2];
};

static struct dimming row_dimming(const struct view *view, const struct view_matrix *matrix,
                                  const struct image *image, size_t y)
{
    const struct line row = image->row[y];
    const size_t behind = (y + 1) * view_matrix_rows(matrix) / image->high;
    const bool stays =
        !image->paints->has_hover ||
        has_pinned_row(view, matrix, matrix->first_row + row.at, matrix->first_row + behind);
    return (struct dimming){.by = {row.back || (!stays && (matrix->cell || !row.chosen)),
                                   row.back || (!stays && matrix->cell && !row.chosen)}};
}

/* Colours a row of which every cell is computed and none is hidden. */
static void colour_whole_row(const struct image *image, struct dimming dimming, size_t y,
                             struct colour aside)
{
    const struct paints *const paints = image->paints;
    const struct colour *const by[2] = {dimming.by[0] ? paints->dimmed : paints->ramp.step,
                                        dimming.by[1] ? paints->dimmed : paints->ramp.step};
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
    const struct dimming dimming = row_dimming(view, matrix, image, y);
    const struct line row = image->row[y];
    const size_t first = (matrix->first_row + row.at) * image->whole + matrix->first_column;
    if (image->paints->is_ramp && !image->masked && !image->off &&
        first + view_matrix_columns(matrix) <= image->shown) {
        colour_whole_row(image, dimming, y, theme->panel);
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
            *pixel = value_colour(view, matrix, image->paints, image->values[y * image->wide + x],
                                  image->off || column.back || dimming.by[column.chosen]);
        }
    }
}

void view_image(struct view *view, const struct view_matrix *all, size_t shown)
{
    const struct view_matrix part = view_matrix_seen(all), *const matrix = &part;
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    const float scale_scores = view->ui->input->scale;
    const size_t pixels_x = (size_t)fmaxf(1, matrix->area.w * scale_scores);
    const size_t pixels_y = (size_t)fmaxf(1, matrix->area.h * scale_scores);
    const size_t wide = columns < pixels_x ? columns : pixels_x,
                 high = rows < pixels_y ? rows : pixels_y;
    const float each_w = matrix->area.w / (float)columns, each_h = matrix->area.h / (float)rows;
    const struct lab_trace *const trace = matrix->trace != NULL ? matrix->trace : view->trace;
    const bool masked = matrix->masked && lab_trace_hides(trace);
    struct image image = {
        .wide = wide,
        .high = high,
        .shown = shown,
        .whole = view_matrix_columns(all),
        .masked = masked,
        .hatched = masked && view_has_strokes(each_w, each_h),
        .off = view_matrix_is_off(view, matrix),
        .pixels = arena_array(view->arena, wide * high, sizeof *image.pixels),
        .row = arena_array(view->arena, high, sizeof *image.row),
        .column = arena_array(view->arena, wide, sizeof *image.column),
        .values = pooled_values(view, matrix, wide, high),
        .paints = arena_alloc(view->arena, sizeof *image.paints),
    };
    if (image.pixels == NULL || image.paints == NULL || image.row == NULL || image.column == NULL ||
        image.values == NULL) {
        view->arena->lacking = true;
        return;
    }
    prepare_paints(view, matrix, wide * high, image.paints);
    describe_lines(view, matrix, true, image.row, high);
    describe_lines(view, matrix, false, image.column, wide);
    for (size_t y = 0; y < high; y++) {
        colour_row(view, matrix, &image, y);
    }
    canvas_image(view->ui->canvas, matrix->area, (uint32_t)wide, (uint32_t)high, image.pixels);
    if (image.hatched) {
        draw_long_strokes(view, matrix, shown);
    }
}
