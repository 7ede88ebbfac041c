/* What stands round a picture in a file: its title, its caption, the bar of its colours. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

static const float APART = 6; /* of a caption from what it is of */

const char *view_own_title(const struct view *view, const char *own)
{
    const struct view_figure_frame *const around = &view->state->frame;
    return around->no_title ? NULL : around->title != NULL ? around->title : own;
}

const char *view_own_caption(const struct view *view, const char *own)
{
    const struct view_figure_frame *const around = &view->state->frame;
    return around->no_caption ? NULL : around->caption != NULL ? around->caption : own;
}

void view_figure(struct view *view, const struct view_picture *picture, struct rect area)
{
    const char *const caption =
        picture->has_caption ? NULL : view_own_caption(view, view->state->frame.caption);
    if (caption == NULL) {
        picture->draw(view, area);
        return;
    }
    const float wide = fmaxf(area.w - 2 * UI_EDGE, 1);
    const float high = view_wrapped_height(view, wide, UI_TEXT_SMALL, caption) + 2 * APART;
    picture->draw(view, (struct rect){area.x, area.y, area.w, fmaxf(area.h - high, 1)});
    view_wrapped(view, area.x + UI_EDGE, area.y + area.h - high + APART + UI_TEXT_SMALL, wide,
                 UI_TEXT_SMALL, view->ui->theme->muted, caption);
}

void view_shade(struct view *view, struct rect area)
{
    const bool dark = view->ui->theme->dark;
    if (!view->still) {
        canvas_rect(
            view->ui->canvas, area, 0,
            &(struct paint){.fill = colour_fade(colour_hex(0x000000), dark ? 0.5f : 0.28f)});
    }
}

void view_signed_bar(struct view *view, struct rect area, float peak)
{
    enum { STEPS = 64 };
    struct colour steps[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        steps[i] = colourmap_colour(view->state->signed_map, (float)(STEPS - 1 - i) / (STEPS - 1));
    }
    canvas_image(view->ui->canvas, area, 1, STEPS, steps);
    const float at[] = {peak, 0, -peak};
    const int decimals = peak >= 100 ? 0 : peak >= 10 ? 1 : peak >= 0.1f ? 2 : 4;
    for (size_t t = 0; t < 3; t++) {
        char text[TEXT_NUMBER_MAX];
        text_number(text, (double)at[t], at[t] == 0 ? 0 : decimals);
        if (t != 1 || area.h >= 3 * UI_TEXT_TINY) {
            canvas_text(view->ui->canvas, area.x + area.w + 7, area.y + area.h * (float)t / 2 + 4,
                        FONT_NUMBERS, UI_TEXT_TINY, view->ui->theme->muted, CANVAS_LEFT, tr(text));
        }
    }
}
