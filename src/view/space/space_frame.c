/* The basis of every scene: memory of the frame, vectors as places, the ball around them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/space/space.h"
#include "view/space/space_axes.h"

/* --- The axes of vectors with more than three dimensions: principal components, or any three
 * dimensions. --- */

static void space_choose_columns(const struct view_state *state, size_t columns,
                                 size_t chosen[SPACE_AXES])
{
    for (size_t axis = 0; axis < SPACE_AXES; axis++) {
        size_t column = state != NULL ? state->prefs.space_axes[axis] : axis;
        for (size_t turn = 0; turn < SPACE_AXES && columns >= SPACE_AXES; turn++) {
            bool taken = column >= columns;
            for (size_t former = 0; former < axis; former++) {
                taken = taken || chosen[former] == column;
            }
            column = taken ? turn : column;
        }
        chosen[axis] = column;
    }
}

static void append_axes(struct view *view, bool raw, const size_t axes[SPACE_AXES])
{
    struct view_action action = {.kind = VIEW_ACTION_AXES, .axes = {.raw = raw}};
    memcpy(action.axes.of, axes, sizeof action.axes.of);
    view_action(view, &action);
}

/* Sets an axis to a dimension; if another axis has it already, the two are swapped. */
static void choose_axis(struct view *view, const size_t now[SPACE_AXES], size_t axis, size_t column)
{
    size_t axes[SPACE_AXES];
    memcpy(axes, now, sizeof axes);
    for (size_t other = 0; other < SPACE_AXES; other++) {
        axes[other] = now[other] == column ? now[axis] : now[other];
    }
    axes[axis] = column;
    append_axes(view, true, axes);
}

static const char *const *dimension_rows(struct arena *arena, size_t columns)
{
    const char **rows = arena_array(arena, columns + 1, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < columns; i++) {
        rows[i] = arena_format(arena, "%zu", i + 1);
        if (rows[i] == NULL) {
            return NULL;
        }
    }
    return (const char *const *)rows;
}

float space_draw_choice(struct space *space, float left, float right, float middle)
{
    static const char *const names[SPACE_AXES] = {"axis 1", "axis 2", "axis 3"};
    static const char *const tips[SPACE_AXES] = {"Dimension along the first axis",
                                                 "Dimension along the second axis",
                                                 "Dimension along the third axis"};
    const float high = 22, menu = 54, button = 34, gap = 4;
    const float wide = button + SPACE_AXES * (menu + gap);
    struct view *view = space->view;
    const char *const *rows = dimension_rows(view->arena, space->true_dimensions);
    if (space->true_dimensions <= SPACE_AXES || right - left < wide || rows == NULL) {
        return right;
    }
    size_t axes[SPACE_AXES];
    space_choose_columns(view->state, space->true_dimensions, axes);
    const struct rect first = {right - wide, middle - high / 2, button, high};
    const struct ui_button components = {
        .label = "PC",
        .style = space->raw ? UI_BUTTON_PLAIN : UI_BUTTON_CURRENT,
        .tip = "Principal components: the axes along which the points differ most. Choose "
               "dimensions beside it to see them as they are, and to move points."};
    if (ui_button(view->ui, "components", first, &components)) {
        append_axes(view, !space->raw, axes);
    }
    for (size_t axis = 0; axis < SPACE_AXES; axis++) {
        const struct rect place = {first.x + button + gap + (float)axis * (menu + gap), first.y,
                                   menu, high};
        const struct ui_menu choice = {.rows = rows,
                                       .count = space->true_dimensions,
                                       .current = space->raw ? axes[axis] : SIZE_MAX,
                                       .label = space->raw ? NULL : rows[axes[axis]],
                                       .tip = tips[axis],
                                       .on_panel = !space->raw};
        const size_t row = ui_menu(view->ui, names[axis], place, &choice);
        if (row < space->true_dimensions) {
            choose_axis(view, axes, axis, row);
        }
    }
    return first.x - 10;
}

enum {
    CACHED = 6, /* a frame needs two at most, and moving between stages a few more */
    PARTS = 4   /* mean and three components, each with a number per column */
};

struct view_axes {
    struct cached {
        uint64_t mark; /* hash of the numbers; 0: this entry is empty */
        struct lab_frame frame;
        double *numbers; /* that the frame points into */
    } cached[CACHED];
    size_t oldest;
    struct space_hold hold;
};

struct space_hold *view_axes_hold(struct view_axes *axes)
{
    return axes == NULL ? NULL : &axes->hold;
}

struct view_axes *view_axes_open(void)
{
    return calloc(1, sizeof(struct view_axes));
}

void view_axes_close(struct view_axes *axes)
{
    for (size_t i = 0; axes != NULL && i < CACHED; i++) {
        free(axes->cached[i].numbers);
    }
    free(axes);
}

static uint64_t mix_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t hash_row(uint64_t hash, const float *row, size_t cols)
{
    for (size_t c = 0; c < cols; c += 2) {
        uint32_t pair[2] = {0, 0};
        memcpy(pair, row + c, (cols - c < 2 ? 1 : 2) * sizeof *pair);
        hash = mix_hash(hash, (uint64_t)pair[0] << 32 | pair[1]);
    }
    return hash;
}

/* Hashes sizes and numbers; never 0. */
static uint64_t hash_matrices(const struct lab_matrix *matrices, size_t count)
{
    uint64_t hash = mix_hash(1, count);
    for (size_t m = 0; m < count; m++) {
        const struct lab_matrix *matrix = &matrices[m];
        const size_t rows = matrix->values == NULL ? 0 : matrix->rows;
        hash = mix_hash(mix_hash(hash, rows), matrix->cols);
        for (size_t r = 0; r < rows; r++) {
            hash = hash_row(hash, matrix->values + r * matrix->stride, matrix->cols);
        }
    }
    return hash == 0 ? 1 : hash;
}

/* Copies a frame to memory for PARTS · cols numbers. */
static struct lab_frame copy_frame(const struct lab_frame *frame, double *numbers)
{
    struct lab_frame copy = *frame;
    const size_t cols = frame->cols;
    copy.mean = numbers;
    copy.component = numbers + cols;
    memcpy(copy.mean, frame->mean, cols * sizeof *numbers);
    memcpy(copy.component, frame->component, (PARTS - 1) * cols * sizeof *numbers);
    return copy;
}

static void cache_frame(struct view_axes *axes, uint64_t mark, const struct lab_frame *frame)
{
    struct cached *place = &axes->cached[axes->oldest];
    double *numbers = calloc(PARTS * frame->cols + 1, sizeof *numbers);
    if (numbers == NULL) {
        return;
    }
    free(place->numbers);
    *place = (struct cached){mark, copy_frame(frame, numbers), numbers};
    axes->oldest = (axes->oldest + 1) % CACHED;
}

/* As lab_frame_fit, but from the cache if the numbers are the same. axes: NULL for no cache. */
static bool fit_cached_frame(struct view_axes *axes, const struct lab_matrix *matrices,
                             size_t count, struct arena *arena, struct lab_frame *frame)
{
    const bool principal = count > 0 && matrices[0].cols > PARTS - 1;
    if (axes == NULL || !principal) {
        return lab_frame_fit(matrices, count, arena, frame);
    }
    const uint64_t mark = hash_matrices(matrices, count);
    for (size_t i = 0; i < CACHED; i++) {
        const struct cached *cached = &axes->cached[i];
        if (cached->mark == mark && cached->frame.cols == matrices[0].cols) {
            double *numbers = arena_array(arena, PARTS * cached->frame.cols + 1, sizeof *numbers);
            if (numbers == NULL) {
                return false;
            }
            *frame = copy_frame(&cached->frame, numbers);
            return true;
        }
    }
    if (!lab_frame_fit(matrices, count, arena, frame)) {
        return false;
    }
    cache_frame(axes, mark, frame);
    return true;
}

/* Larger values are clamped, so that their square does not overflow. */
static const float VALUE_MAX = 1e15f;

bool space_reserve(struct space *space, size_t points, size_t lines, size_t extents)
{
    struct arena *arena = space->view->arena;
    enum {
        AXIS_LABELS = SPACE_AXES,
        EXTRA_SEGMENTS = 2 * SPACE_AXES,
        CORNERS = 5 + 2 * SPACE_AXES
    };
    space->points_max = points;
    space->lines_max = lines;
    space->extents_max = extents + points + CORNERS;
    space->labels_max = points + AXIS_LABELS;
    space->segments_max = 2 * points + lines + EXTRA_SEGMENTS;
    space->point = arena_array(arena, space->points_max + 1, sizeof *space->point);
    space->line = arena_array(arena, space->lines_max + 1, sizeof *space->line);
    space->extent = arena_array(arena, space->extents_max + 1, sizeof *space->extent);
    space->label = arena_array(arena, space->labels_max + 1, sizeof *space->label);
    space->segment = arena_array(arena, space->segments_max + 1, sizeof *space->segment);
    return space->point != NULL && space->line != NULL && space->extent != NULL &&
           space->label != NULL && space->segment != NULL;
}

/* "₁₂" */
static const char *subscript_number(struct arena *arena, size_t number)
{
    static const char *const digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    const char *rest = number >= 10 ? subscript_number(arena, number / 10) : "";
    return arena_format(arena, "%s%s", rest != NULL ? rest : "", digits[number % 10]);
}

static const char *axis_name(const struct space *space, const struct lab_matrix *matrix,
                             const char *letter, size_t axis)
{
    struct arena *arena = space->view->arena;
    const size_t column = space->column[axis];
    if (space->frame.principal) {
        const double share = (double)space->frame.share[axis];
        return arena_format(arena, "PC %zu (%.0f %%)", axis + 1, isfinite(share) ? share * 100 : 0);
    }
    if (matrix->column_words != NULL) {
        return matrix->column_words[column];
    }
    return arena_format(arena, "%s%s", letter, subscript_number(arena, column + 1));
}

bool space_frame_fit(struct space *space, const struct lab_matrix *matrices, size_t count,
                     const char *letter)
{
    struct arena *arena = space->view->arena;
    const size_t columns = count == 0 ? 0 : matrices[0].cols;
    space->raw = space->view->state->prefs.space_raw && columns > SPACE_AXES;
    space_choose_columns(space->raw ? space->view->state : NULL, columns, space->column);
    if (space->raw) {
        space->frame = (struct lab_frame){.cols = columns, .dimensions = SPACE_AXES};
    } else if (!fit_cached_frame(space->view->axes, matrices, count, arena, &space->frame)) {
        return false;
    }
    space->dimensions = space->frame.dimensions;
    space->true_dimensions = space->frame.cols;
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        space->axis[axis] = axis_name(space, &matrices[0], letter, axis);
    }
    const float *zero = arena_array(arena, space->frame.cols, sizeof *zero);
    if (zero == NULL) {
        return false;
    }
    if (!space_place(space, zero, space->origin)) {
        memset(space->origin, 0, sizeof space->origin);
    }
    return true;
}

bool space_place(const struct space *space, const float *values, float at[3])
{
    if (space->frame.principal) {
        lab_frame_apply(&space->frame, values, at);
    } else {
        for (size_t axis = 0; axis < SPACE_AXES; axis++) {
            at[axis] = axis < space->frame.dimensions ? values[space->column[axis]] : 0;
        }
    }
    for (size_t axis = 0; axis < SPACE_AXES; axis++) {
        if (!isfinite(at[axis])) {
            return false;
        }
        at[axis] = fminf(fmaxf(at[axis], -VALUE_MAX), VALUE_MAX);
    }
    return true;
}

void space_extend(struct space *space, const float at[3])
{
    if (space->extents < space->extents_max) {
        memcpy(space->extent[space->extents++], at, sizeof *space->extent);
    }
}

struct space_point *space_add_point(struct space *space)
{
    struct space_point *point = &space->point[space->points];
    if (space->points < space->points_max) {
        space->points++;
    }
    *point = (struct space_point){.radius = 6, .fade = 1};
    return point;
}

struct space_line *space_add_line(struct space *space)
{
    struct space_line *line = &space->line[space->lines];
    if (space->lines < space->lines_max) {
        space->lines++;
    }
    *line = (struct space_line){.width = 1, .share = 1};
    return line;
}

void space_add_legend(struct space *space, const char *text, struct colour colour, bool arrow)
{
    if (space->legends < SPACE_LEGENDS_MAX && text != NULL) {
        space->legend[space->legends++] = (struct space_legend){text, colour, arrow};
    }
}

const char *space_number(const struct space *space, const char *before, double value, int decimals)
{
    char text[TEXT_NUMBER_MAX];
    text_nonzero_number(text, value, decimals);
    return arena_format(space->view->arena, "%s%s", tr(before),
                        view_read_numbers(space->view, text));
}

float space_arrived(const struct space *space, size_t index, size_t count)
{
    const float arrived = view_playback_early(space->view) * (float)count - (float)index;
    return fminf(fmaxf(arrived, 0), 1);
}

/* The least of 1, 2 or 5 times a power of ten that is not below value. */
static float round_step(float value)
{
    static const float leading[] = {1, 2, 5};
    const float power = powf(10, floorf(log10f(value)));
    for (size_t i = 0; i < sizeof leading / sizeof *leading; i++) {
        if (leading[i] * power >= value * 0.999f) {
            return leading[i] * power;
        }
    }
    return 10 * power;
}

static void find_grid(struct space *space)
{
    enum { CELLS = 7 };
    struct space_grid *grid = &space->grid;
    grid->across = 0;
    grid->along = space->dimensions == SPACE_AXES ? 2 : 1;
    const size_t axes[2] = {grid->across, grid->along};
    const float wide = fmaxf(space->high[axes[0]] - space->low[axes[0]],
                             space->high[axes[1]] - space->low[axes[1]]);
    grid->step = wide > 1e-12f ? round_step(wide / CELLS) : 1;
    for (size_t side = 0; side < 2; side++) {
        const float from = space->origin[axes[side]];
        const float low = (space->low[axes[side]] - from) / grid->step;
        const float high = (space->high[axes[side]] - from) / grid->step;
        grid->low[side] = from + grid->step * fminf(floorf(low + 0.01f), -1);
        grid->high[side] = from + grid->step * fmaxf(ceilf(high - 0.01f), 1);
    }
    for (size_t corner = 0; corner < 4; corner++) {
        float at[SPACE_AXES];
        memcpy(at, space->origin, sizeof at);
        at[axes[0]] = corner & 1 ? grid->high[0] : grid->low[0];
        if (space->dimensions > 1) {
            at[axes[1]] = corner & 2 ? grid->high[1] : grid->low[1];
        }
        if (!space->view->state->prefs
                 .presenter) { /* in the presenter view points are as large as possible */
            space_extend(space, at);
        }
    }
}

/* Finds the lengths of the axes: slightly beyond the last point, or if there is none a length that
 * can be seen well. */
static void find_axis_lengths(struct space *space)
{
    float wide = 0;
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        wide = fmaxf(wide, space->high[axis] - space->low[axis]);
    }
    wide = wide > 1e-12f ? wide : 1;
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        const float ahead = space->high[axis] - space->origin[axis];
        space->axis_length[axis] = fmaxf(1.08f * ahead, 0.3f * wide);
        float end[SPACE_AXES];
        memcpy(end, space->origin, sizeof end);
        end[axis] += space->axis_length[axis];
        space_extend(space, end);
        end[axis] = space->low[axis];
        space_extend(space, end);
    }
}

static void restore_drag_view(struct space *space)
{
    const struct space_hold *hold = space->hold;
    if (hold != NULL && hold->held) {
        space->ball = hold->ball;
        space->lens = hold->lens;
        space->grid = hold->grid;
        memcpy(space->low, hold->low, sizeof space->low);
        memcpy(space->high, hold->high, sizeof space->high);
        memcpy(space->axis_length, hold->axis_length, sizeof space->axis_length);
    }
}

void space_fit(struct space *space)
{
    space_extend(space, space->origin);
    memcpy(space->low, space->origin, sizeof space->low);
    memcpy(space->high, space->origin, sizeof space->high);
    for (size_t i = 0; i < space->extents; i++) {
        for (size_t axis = 0; axis < SPACE_AXES; axis++) {
            space->low[axis] = fminf(space->low[axis], space->extent[i][axis]);
            space->high[axis] = fmaxf(space->high[axis], space->extent[i][axis]);
        }
    }
    find_grid(space);
    find_axis_lengths(space);
    const float(*around)[3] = (const float(*)[3])space->extent;
    space->ball = view_ball_around(around, space->extents);
    if (space->ball.radius <= 1e-6f) {
        space->ball.radius = 1; /* there is only one place */
    }
    const struct view_shown shown = {.ball = space->ball,
                                     .points = around,
                                     .count = space->extents,
                                     .flat = space->dimensions < SPACE_AXES,
                                     .large = space->view->style.is_far};
    space->camera = space_first_angle(space, &shown);
    space->lens = view_lens_make(&space->camera, &shown, space->area);
    restore_drag_view(space);
}
