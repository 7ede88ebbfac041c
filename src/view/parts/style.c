/* view/parts/style.c — the differences between the window, the presenter view and a figure. Only
 * this file asks which of them it is. */
#include "view/parts/style.h"

#include "view/parts/view.h"

enum { MEDIA = 2 }; /* near and far */

static const struct view_name_style names[MEDIA] = {
    {.max = UI_TEXT_BODY, .min = UI_TEXT_TINY, .one_line_min = UI_TEXT_TINY, .cut_min = 9},
    {.max = 14.4f, .min = 8, .one_line_min = 11, .cut_min = 8},
};

struct view_style view_style(const struct view *view, bool is_figure)
{
    const bool is_far = view->state->prefs.presenter;
    struct view_style style = {
        .is_far = is_far,
        .has_controls = !is_figure,
        .has_cards = !view->state->frame.borderless,
        .has_marks = view->emphasis || !is_figure,
        .cuts_names = !is_figure,
        .names = names[is_far],
    };
    style.names.readable_min = is_figure ? view->min_font_size : style.names.min;
    style.names.line_font_min = is_figure ? view->min_font_size : style.names.cut_min;
    return style;
}

float view_length(const struct view *view, struct view_length length)
{
    return view->style.is_far ? length.far : length.near;
}
