/* The names of curves with their present values, in the order of the ends of their lines; a faint
 * leader goes from each line's end to its name. */
#include "view/learn/names.h"

#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/matrix.h"
#include "view/parts/pieces.h"

static const float ROW = 16, ROW_MIN = 9.5f; /* height of a row */
static const float SIZE_MIN = 8;             /* least font size in it */
/* Font sizes of numbers. A column is as wide as its names are at a size of their own; names are
 * larger where they have room. */
static const struct view_length SIZE = {.near = 11.5f, .far = VIEW_PRESENTER_FONT_READABLE};
static const float NAME_SIZE = 11.5f;
static const float LEADER_WIDE = 18; /* width of the leaders beside the plot */
static const float APART = 6;        /* gap between a name and its number */
/* Limits as shares of plot and column: a class reads the numbers. */
static const struct view_length COLUMN_MAX = {.near = 0.52f, .far = 0.74f};
static const float COLUMN_HEADS_MAX = 0.44f, AREA_MIN = 250; /* least width of both */

static const struct view_learn *shown_training(const struct view *view)
{
    return view->state->learn;
}

const char *learn_curve_name(const struct view *view, const struct view_learn_curve *curve,
                             bool brief)
{
    return curve->attends && view_guess(view) != LAB_GUESS_NONE ? "→ ?"
           : brief && curve->brief != NULL                      ? curve->brief
                                                                : tr(curve->name);
}

/* The detail of a row: where there is little room, names leave out heads, and then numbers that
 * would have to be called means. */
enum detail { WITH_HEADS, WITH_MEANS, NAMES_ALONE };

static bool has_number(const struct view_learn_curve *curve, enum detail detail)
{
    return !curve->attends || detail < NAMES_ALONE;
}

/* The width of a number, which is fixed so that the plot does not move; one that is no share may
 * have a sign or a power of ten. */
static float number_width(const struct view *view, const struct view_learn_curve *curve,
                          enum detail detail)
{
    return !has_number(curve, detail)
               ? 0
               : canvas_measure(view->ui->canvas, FONT_NUMBERS, view_length(view, SIZE),
                                curve->unit == VIEW_LEARN_SHARE ? "99.9 %" : "−0.0099");
}

/* The mark of a mean over many sentences, which may be far from the value of the present one. */
static const char *mean_text(const struct view_learn_curve *curve, enum detail detail)
{
    return curve->attends && has_number(curve, detail) ? tr("mean:") : "";
}

static float mean_width(const struct view *view, const struct view_learn_curve *curve,
                        enum detail detail)
{
    const char *const mean = mean_text(curve, detail);
    return *mean == '\0' ? 0
                         : APART + canvas_measure(view->ui->canvas, FONT_WORDS, NAME_SIZE, mean);
}

/* The width of the longest name with its number. */
static float widest_row(const struct view *view, enum detail detail)
{
    float wide = 0;
    for (size_t c = 0; c < shown_training(view)->curves; c++) {
        const struct view_learn_curve *const curve = &shown_training(view)->curve[c];
        wide = fmaxf(wide, canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, NAME_SIZE,
                                          learn_curve_name(view, curve, detail > WITH_HEADS)) +
                               mean_width(view, curve, detail) + APART +
                               number_width(view, curve, detail));
    }
    return wide;
}

static float column_width(const struct view *view, enum detail detail)
{
    return LEADER_WIDE + widest_row(view, detail);
}

/* Chooses the most detail that does not take too much of the plot. */
static enum detail choose_detail(const struct view *view, float all)
{
    return column_width(view, WITH_HEADS) <= COLUMN_HEADS_MAX * all                ? WITH_HEADS
           : column_width(view, WITH_MEANS) <= view_length(view, COLUMN_MAX) * all ? WITH_MEANS
                                                                                   : NAMES_ALONE;
}

float learn_names_width(const struct view *view, struct rect area)
{
    if (area.w < AREA_MIN || shown_training(view)->curves == 0) {
        return LEARN_NAMES_MIN;
    }
    return fminf(column_width(view, choose_detail(view, area.w)),
                 view_length(view, COLUMN_MAX) * area.w);
}

const char *learn_share_text(struct view *view, double share)
{
    char digits[TEXT_NUMBER_MAX];
    const double percent = share * 100;
    const bool nearly_all = percent < 100 && percent >= 99.5;
    const bool nearly_none = percent > 0 && percent < 0.5;
    text_number(digits, nearly_all ? fmin(percent, 99.9) : percent,
                nearly_all || nearly_none ? 1 : 0);
    return arena_words(view->arena, "%s %%", digits);
}

static const char *value_text(struct view *view, const struct view_learn_curve *curve,
                              enum detail detail)
{
    char digits[TEXT_NUMBER_MAX];
    if (!has_number(curve, detail)) {
        return "";
    }
    if (!isfinite(curve->now)) {
        return "—";
    }
    if (curve->unit == VIEW_LEARN_SHARE) {
        return learn_share_text(view, (double)curve->now);
    }
    return arena_words(view->arena, "%s",
                       view_read_numbers(view, text_small_number(digits, (double)curve->now, 3)));
}

/* Sorts curves from the highest line end to the lowest; those that have not begun are last. */
static void sort_by_end(size_t count, const struct point *end, size_t *order)
{
    for (size_t c = 0; c < count; c++) {
        size_t at = c;
        for (; at > 0 && isfinite(end[c].y) && !(end[order[at - 1]].y <= end[c].y); at--) {
            order[at] = order[at - 1];
        }
        order[at] = c;
    }
}

/* Sets the tip that says what a curve measures. */
static void set_curve_tip(struct view *view, size_t index, struct rect row)
{
    const struct view_learn_curve *const curve = &shown_training(view)->curve[index];
    const uint32_t id = ui_id_number(view->ui, "curve", index);
    const bool hides = curve->attends && view_guess(view) != LAB_GUESS_NONE;
    if (hides) {
        ui_tip(view->ui, id, row, "Guess first: what it is called is shown with the answer.");
    } else if (curve->about != NULL) {
        ui_tip(view->ui, id, row,
               arena_format(view->arena, "%s: %s", tr(curve->name), tr(curve->about)));
    }
}

static void draw_row(struct view *view, size_t index, struct rect row, float size,
                     const struct point *end, enum detail detail)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct view_learn_curve *const curve = &shown_training(view)->curve[index];
    const struct colour colour = view_role_colour(view, curve->role);
    const char *const value = value_text(view, curve, detail);
    const float middle = row.y + row.h / 2, baseline = middle + 0.36f * size;
    const float number = number_width(view, curve, detail) * size / view_length(view, SIZE);
    const float mean_size = fminf(size, NAME_SIZE);
    const float mean = mean_width(view, curve, detail) * mean_size / NAME_SIZE;
    if (isfinite(end->y)) {
        const struct point way[] = {
            {end->x + 4, end->y}, {row.x, end->y}, {row.x + LEADER_WIDE - 4, middle}};
        const bool far = way[0].x < way[1].x;
        canvas_path(
            canvas, far ? way : way + 1, far ? 3 : 2, false,
            &(struct paint){
                .stroke = colour_fade(colour, 0.45f), .width = 1, .dash = 1.5f, .gap = 2.5f});
    }
    view_text_whole(view, row.x + LEADER_WIDE, baseline, FONT_WORDS_BOLD, size, colour, CANVAS_LEFT,
                    learn_curve_name(view, curve, detail > WITH_HEADS),
                    row.w - LEADER_WIDE - number - mean - APART / 2);
    canvas_text(canvas, row.x + row.w - number - APART / 2, baseline, FONT_WORDS, mean_size,
                view->ui->theme->muted, CANVAS_RIGHT, mean_text(curve, detail));
    canvas_text(canvas, row.x + row.w, baseline, FONT_NUMBERS, size, view->ui->theme->ink,
                CANVAS_RIGHT, value);
    set_curve_tip(view, index,
                  (struct rect){row.x + LEADER_WIDE, row.y, row.w - LEADER_WIDE, row.h});
}

void learn_names(struct view *view, struct rect column, const struct point *end)
{
    const size_t curves = shown_training(view)->curves;
    const size_t fit = (size_t)fmaxf(1, floorf(column.h / ROW_MIN));
    const size_t count = curves < fit ? curves : fit; /* the first matter most */
    size_t order[VIEW_LEARN_CURVES_MAX];
    const float high = fminf(ROW, column.h / (float)count);
    const float size = fmaxf(SIZE_MIN, fminf(view_length(view, SIZE), high - 1.5f));
    enum detail detail = WITH_HEADS;
    while (detail < NAMES_ALONE && column_width(view, detail) > column.w + 0.5f) {
        detail++;
    }
    const float top = column.y + (column.h - high * (float)count) / 2;
    sort_by_end(count, end, order);
    canvas_group(view->ui->canvas, ui_id(view->ui, "curves"), tr("Curves"));
    for (size_t i = 0; i < count; i++) {
        draw_row(view, order[i], (struct rect){column.x, top + (float)i * high, column.w, high},
                 size, &end[order[i]], detail);
    }
    canvas_ungroup(view->ui->canvas);
}
