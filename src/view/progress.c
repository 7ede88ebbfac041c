/* Long work: what is being done, how far it has come, and a way to give it up. */
#include <math.h>

#include "base/say.h"
#include "ui/widgets.h"
#include "view/glance_parts.h"
#include "view/pieces.h"

static const float CANCEL_WIDE = 66, TRACK_WIDE = 160, WORDS_WIDE = 200;
static const double PATIENCE = 0.2; /* seconds: what is shorter is not announced */

bool view_progress(struct view *view, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_glance *const glance = view->state->glance;
    if (glance == NULL || !glance->busy || glance->doing == NULL ||
        view->ui->input->time < glance->began + PATIENCE) {
        return false;
    }
    canvas_group(canvas, ui_id(view->ui, "progress"), "Progress");
    const struct ui_button look = {.label = "Cancel",
                                   .tip = "Give it up: what was there before stays"};
    if (ui_button(view->ui, "cancel work",
                  (struct rect){area.x, area.y + 1, CANCEL_WIDE, area.h - 2}, &look)) {
        view_glance_wish(view, VIEW_GLANCE_CANCEL, 0);
    }
    const struct rect track = {area.x + CANCEL_WIDE + 12, area.y + area.h / 2 - 3,
                               fminf(TRACK_WIDE, area.w * 0.3f), 6};
    canvas_rect(canvas, track, 3, &(struct paint){.fill = theme->control});
    canvas_rect(canvas,
                (struct rect){track.x, track.y,
                              fmaxf(3, track.w * fminf(1, fmaxf(0, glance->progress))), track.h},
                3, &(struct paint){.fill = theme->accent});
    canvas_text_cut(canvas, track.x + track.w + 12, area.y + area.h / 2 + 4, FONT_WORDS,
                    UI_TEXT_SMALL, theme->ink, CANVAS_LEFT, say(glance->doing), WORDS_WIDE);
    canvas_ungroup(canvas);
    return true;
}
