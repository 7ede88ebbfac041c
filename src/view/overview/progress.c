/* Long work: what is being done, how far it has come, and a way to give it up. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/overview/head_overview_internal.h"
#include "view/parts/pieces.h"

static const float CANCEL_WIDE = 66, TRACK_WIDE = 160, WORDS_WIDE = 200;
static const double PATIENCE = 0.2; /* seconds: what is shorter is not announced */

/* What is told: of what is open first. */
struct work {
    const char *doing; /* NULL: nothing is under way */
    double began;
    float progress; /* 0 … 1; < 0: nobody knows */
    bool of_head_overview;
};

static struct work find_work(const struct view *view)
{
    const struct view_head_overview *const head_overview = view->state->head_overview;
    const struct view_work *const work = view->state->work;
    return head_overview != NULL && head_overview->busy
               ? (struct work){head_overview->doing, head_overview->began, head_overview->progress,
                               true}
           : work != NULL ? (struct work){work->doing, work->began, work->progress, false}
                          : (struct work){.doing = NULL};
}

/* How far it is; where nobody knows, something that goes to and fro. */
static void draw_track(struct view *view, struct rect track, float progress)
{
    const struct ui_theme *const theme = view->ui->theme;
    const double way = fmod(view->ui->input->time, 2);
    const float place = (float)(way < 1 ? way : 2 - way), part = track.w * 0.25f;
    const struct rect done =
        progress < 0
            ? (struct rect){track.x + (track.w - part) * place, track.y, part, track.h}
            : (struct rect){track.x, track.y, fmaxf(3, track.w * fminf(1, progress)), track.h};
    canvas_rect(view->ui->canvas, track, 3, &(struct paint){.fill = theme->control});
    canvas_rect(view->ui->canvas, done, 3, &(struct paint){.fill = theme->accent});
}

bool view_progress(struct view *view, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct work work = find_work(view);
    if (work.doing == NULL || view->ui->input->time < work.began + PATIENCE) {
        return false;
    }
    canvas_group(canvas, ui_id(view->ui, "progress"), "Progress");
    const struct ui_button look = {.label = "Cancel",
                                   .tip = "Give it up: what was there before stays"};
    if (ui_button(view->ui, "cancel work",
                  (struct rect){area.x, area.y + 1, CANCEL_WIDE, area.h - 2}, &look)) {
        if (work.of_head_overview) {
            view_head_overview_action(view, VIEW_HEAD_OVERVIEW_CANCEL, 0);
        } else {
            view_action_command(view, "give up");
        }
    }
    const struct rect track = {area.x + CANCEL_WIDE + 12, area.y + area.h / 2 - 3,
                               fminf(TRACK_WIDE, area.w * 0.3f), 6};
    draw_track(view, track, work.progress);
    canvas_text_cut(canvas, track.x + track.w + 12, area.y + area.h / 2 + 4, FONT_WORDS,
                    UI_TEXT_SMALL, view->ui->theme->ink, CANVAS_LEFT, tr(work.doing), WORDS_WIDE);
    canvas_ungroup(canvas);
    return true;
}
