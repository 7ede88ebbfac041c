/* Numbers in the cells of a matrix: how many decimals they have, how much room they need, and which
 * cells have one. */
#include <math.h>

#include "base/text.h"
#include "view/parts/colours.h"
#include "view/parts/downsample.h"
#include "view/parts/matrix_internal.h"

/* A matrix of smaller numbers has powers of ten in its cells. */
enum { DECIMALS_MAX = 5 };

int view_decimals_by_size(const struct view *view, const struct lab_matrix *matrix, int decimals)
{
    static const float SMALL = 0.0995f; /* larger ones have two digits in two decimals */
    static const float FROM = 0.995f;   /* is rounded to 1 with two digits */
    const float peak = view->state->prefs.cells.has_decimals ? 0 : view_peak(view, matrix);
    if (!(peak > 0 && peak < SMALL)) {
        return decimals;
    }
    const float need = ceilf(-log10f(peak / FROM)) + 1;
    return need <= (float)decimals ? decimals : (int)fminf(need, DECIMALS_MAX);
}

int view_matrix_decimals(const struct view *view, const struct lab_matrix *matrix, bool is_share)
{
    const struct view_cells *const asked = &view->state->prefs.cells;
    return asked->has_decimals
               ? asked->decimals
               : view_decimals_by_size(view, matrix,
                                       is_share && !view->is_signed ? 2 : lab_decimals(matrix, 2));
}

void view_write_cell_number(char *text, double value, int decimals)
{
    (decimals >= DECIMALS_MAX ? text_nonzero_number : text_number)(text, value, decimals);
}

int view_matrix_min_decimals(const struct view *view, int decimals)
{
    return decimals > 1 && !view->state->prefs.cells.has_decimals ? decimals - 1 : decimals;
}

bool view_matrix_has_digits(const struct view *view, const struct lab_matrix *matrix)
{
    static const float TWO_DIGITS = 10;
    float low = 0, high = 0;
    view_range(view, matrix, &low, &high);
    return fmaxf(high, -low) >= TWO_DIGITS;
}

int view_matrix_presenter_decimals(const struct view *view, const struct lab_matrix *matrix,
                                   int decimals)
{
    const bool asked = view->state->prefs.cells.has_decimals;
    return !asked && view_matrix_has_digits(view, matrix)
               ? 0
               : view_matrix_min_decimals(view, decimals);
}

struct view_number_sizes view_number_sizes(const struct view *view, bool is_share, bool shrinks)
{
    if (!view->style.has_controls) {
        const float min = fmaxf(view->min_font_size, VISIBLE_FONT_MIN);
        return (struct view_number_sizes){fmaxf(UI_TEXT_TINY, min), min, min};
    }
    if (view->style.is_far) {
        return (struct view_number_sizes){VIEW_PRESENTER_FONT_READABLE,
                                          VIEW_PRESENTER_FONT_READABLE, VIEW_PRESENTER_FONT_MIN};
    }
    const float shrunk = is_share ? SHRUNK_SHARE_FONT_MIN : SHRUNK_FONT_MIN;
    const bool edits =
        view->state->learn != NULL; /* weights are changed where all of them is seen */
    return (struct view_number_sizes){UI_TEXT_SMALL, shrinks && edits ? shrunk : UI_TEXT_TINY,
                                      shrinks ? shrunk : UI_TEXT_TINY};
}

/* Numbers in cells of a figure stand so far apart that they do not read as one: short ones, which
 * have one decimal, farther. Both in sizes of letters; points. */
static const float SHORT = 2, SHORT_APART = 0.45f, APART_MIN = 2;

float view_printed_number_size(float cell, float digits)
{
    return digits < SHORT ? cell / (digits + SHORT_APART)
                          : fminf(cell - APART_MIN, cell * (1 - PRINTED_MARGIN)) / digits;
}

float view_number_cell_width(const struct view *view, const struct lab_matrix *matrix, int decimals,
                             float size)
{
    const float digits_wide =
        (view_matrix_number_width(view, matrix, decimals) - 8) * size / UI_TEXT_SMALL;
    if (!view->style.has_controls) {
        return digits_wide < SHORT * size
                   ? digits_wide + SHORT_APART * size
                   : fmaxf(digits_wide + APART_MIN, digits_wide / (1 - PRINTED_MARGIN));
    }
    if (view->style.is_far) {
        return fmaxf(digits_wide + PRESENTER_AIR, digits_wide / (1 - PRESENTER_MARGIN));
    }
    return digits_wide + (size >= UI_TEXT_SMALL ? 8 : size >= UI_TEXT_TINY ? 4 : 2);
}

float view_number_cell_height(const struct view *view, float size)
{
    if (view->style.is_far && view->style.has_controls) {
        return size / FAR_NUMBER_OF_HEIGHT;
    }
    return view->style.has_controls && size >= UI_TEXT_TINY ? NUMBER_HEIGHT
                                                            : size / NUMBER_OF_HEIGHT;
}

float view_matrix_number_width(const struct view *view, const struct lab_matrix *matrix,
                               int decimals)
{
    float low = 0, high = 0;
    view_range(view, matrix, &low, &high);
    char a[TEXT_NUMBER_MAX], b[TEXT_NUMBER_MAX];
    view_write_cell_number(a, low, decimals);
    view_write_cell_number(b, high, decimals);
    const float wide_a = canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_SMALL, a);
    const float wide_b = canvas_measure(view->ui->canvas, FONT_NUMBERS, UI_TEXT_SMALL, b);
    return fmaxf(wide_a, wide_b) + 8;
}

float view_matrix_least_of_largest(struct view *view, const struct view_matrix *matrix,
                                   size_t largest)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    float *const top = arena_array(view->arena, largest, sizeof *top);
    size_t count = 0;
    for (size_t c = 0; top != NULL && c < rows * columns; c++) {
        const size_t row = c / columns, column = c % columns;
        const float size = fabsf(view_matrix_value(matrix, row, column));
        if (!isfinite(size) || view_matrix_hides(view, matrix, row, column) ||
            view_matrix_is_aside(view, matrix, column) ||
            (count == largest && size <= top[count - 1])) {
            continue;
        }
        size_t at = count < largest ? count++ : count - 1;
        for (; at > 0 && top[at - 1] < size; at--) {
            top[at] = top[at - 1];
        }
        top[at] = size;
    }
    return count == largest ? top[count - 1] : 0;
}

bool view_matrix_is_causal(const struct view *view, const struct view_matrix *matrix)
{
    const size_t rows = view_matrix_rows(matrix), columns = view_matrix_columns(matrix);
    bool is_causal = !view->style.has_controls && matrix->is_share && rows == columns && rows > 1;
    for (size_t row = 0; is_causal && row < rows; row++) {
        for (size_t column = row; is_causal && column < columns; column++) {
            const float value = view_matrix_value(matrix, row, column);
            is_causal = column > row ? value == 0 : value != 0;
        }
    }
    return is_causal;
}
