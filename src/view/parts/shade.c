/* The colours of weights: from 0 to the largest, evenly or with a step for every power of ten; and
 * the bar that says which colour is which. */
#include <math.h>

#include "base/text.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

enum { DECADES = 4, TICKS_MAX = DECADES + 3 };

static const float LEAST = 0.07f;              /* where the smallest weight that is not 0 stands */
static const float SWATCH = 9, SWATCH_GAP = 3; /* of 0, apart from the logarithmic bar */

float view_share_place(const struct view *view, float share)
{
    if (!view->state->display.logarithmic) {
        return (share - view->share_low) / (view->share_top - view->share_low);
    }
    if (!(share > 0)) {
        return 0; /* no power of ten: its own colour */
    }
    const float place = 1 + log10f(share / view->share_top) / DECADES;
    return fmaxf(LEAST, LEAST + (1 - LEAST) * place);
}

struct colour view_share_colour(const struct view *view, float share)
{
    return colourmap_colour(view->state->weights_map, view_share_place(view, share));
}

/* The part of a bar that is coloured step by step: all of it, or what the swatch of 0 leaves. */
static struct rect steps_of(const struct view *view, struct rect bar, bool upright)
{
    const float less = view->state->display.logarithmic ? SWATCH + SWATCH_GAP : 0;
    return upright ? (struct rect){bar.x, bar.y, bar.w, bar.h - less}
                   : (struct rect){bar.x + less, bar.y, bar.w - less, bar.h};
}

void view_colour_bar(struct view *view, struct rect area, bool upright)
{
    enum { STEPS = 64 };
    const bool logarithmic = view->state->display.logarithmic;
    const float least = logarithmic ? LEAST : 0;
    struct colour steps[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        const float t = (float)(upright ? STEPS - 1 - i : i) / (STEPS - 1);
        steps[i] = colourmap_colour(view->state->weights_map, least + (1 - least) * t);
    }
    canvas_image(view->ui->canvas, steps_of(view, area, upright), upright ? 1 : STEPS,
                 upright ? STEPS : 1, steps);
    if (!logarithmic) {
        return;
    }
    const struct rect zero = upright
                                 ? (struct rect){area.x, area.y + area.h - SWATCH, area.w, SWATCH}
                                 : (struct rect){area.x, area.y, SWATCH, area.h};
    canvas_rect(view->ui->canvas, zero, 0,
                &(struct paint){.fill = colourmap_colour(view->state->weights_map, 0),
                                .stroke = view->ui->theme->line,
                                .width = 1});
    ui_tip(view->ui, ui_id(view->ui, "colour bar"), area,
           "Logarithmic: every power of ten has as much colour; 0 has a colour of its own, and "
           "whatever is less than 0.0001 of the largest is as light as that");
}

/* The numbers at a bar: how many, the largest first. */
static size_t ticks_of(const struct view *view, bool few, double ticks[TICKS_MAX])
{
    const double top = (double)view->share_top, low = (double)view->share_low;
    size_t count = 0;
    if (!view->state->display.logarithmic) {
        const size_t marks = few ? 1 : 4;
        for (size_t i = 0; i <= marks; i++) {
            ticks[count++] = low + (top - low) * (double)(marks - i) / (double)marks;
        }
        return count;
    }
    ticks[count++] = top;
    const double least = top * pow(10, -DECADES) * 0.999;
    for (double power = 0.1; power >= least && count < TICKS_MAX - 1; power /= 10) {
        if (power < top * 0.6) {
            ticks[count++] = power;
        }
    }
    ticks[count++] = 0;
    return count;
}

/* Just enough decimals: 1, 0.1, 0.001; 0.50 and 0.75 at an even bar. */
static int decimals_of(const struct view *view, bool few, double tick)
{
    if (!view->state->display.logarithmic) {
        return few && tick == round(tick) ? 0 : few || view->state->cells.share_high > 0 ? 3 : 2;
    }
    int decimals = 0;
    while (decimals < DECADES + 1 && tick > 0 && tick * pow(10, decimals) < 0.999) {
        decimals++;
    }
    return decimals == 1 && fabs(tick * 10 - round(tick * 10)) > 1e-6 ? 2 : decimals;
}

void view_colour_ticks(struct view *view, struct rect bar, bool upright)
{
    struct canvas *canvas = view->ui->canvas;
    const struct rect steps = steps_of(view, bar, upright);
    double ticks[TICKS_MAX];
    const size_t count = ticks_of(view, upright ? bar.h < 44 : true, ticks);
    float taken = upright ? -INFINITY : INFINITY; /* where the last number ends */
    for (size_t i = 0; i < count; i++) {
        const bool zero = view->state->display.logarithmic && ticks[i] == 0;
        const bool ends = i == 0 || i + 1 == count;
        const float place =
            (view_share_place(view, (float)ticks[i]) - (zero ? 0 : LEAST)) / (1 - LEAST);
        const float t =
            view->state->display.logarithmic ? place : view_share_place(view, (float)ticks[i]);
        char text[TEXT_NUMBER_MAX];
        text_number(text, ticks[i], decimals_of(view, !upright, ticks[i]));
        const float wide = canvas_measure(canvas, FONT_NUMBERS, UI_TEXT_TINY, text);
        if (upright) {
            const float y = zero ? bar.y + bar.h - SWATCH / 2 : steps.y + steps.h * (1 - t);
            const float bottom = bar.y + bar.h - UI_TEXT_TINY -
                                 (view->state->display.logarithmic ? SWATCH / 2 + 1 : 0);
            if (y - taken >= UI_TEXT_TINY + 1 && (ends || y <= bottom)) {
                canvas_text(canvas, bar.x + bar.w + 7, y + 4, FONT_NUMBERS, UI_TEXT_TINY,
                            view->ui->theme->muted, CANVAS_LEFT, text);
                taken = y;
            }
            continue;
        }
        const float x = zero ? bar.x : steps.x + steps.w * t;
        const float left = i == 0 ? x - wide : zero || i + 1 == count ? bar.x : x - wide / 2;
        const bool crowds = !ends && left < bar.x + 16;
        if (left + wide + 5 <= taken && !crowds) {
            canvas_text(canvas, left, bar.y + bar.h + 14, FONT_NUMBERS, UI_TEXT_TINY,
                        view->ui->theme->muted, CANVAS_LEFT, text);
            taken = left;
        }
    }
}
