/* The batch of a step, with a line for each sequence: its loss, and its tokens, which are the
 * darker the larger the loss. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float EDGE = 24, HEAD = 76, ROW = 28, LOSS = 62, GAP = 3, PAD = 5, FULL = 4;

/* Draws the tokens of a row, as many as fit. */
static void draw_tokens(struct view *view, const struct view_learn_row *row, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    float x = area.x;
    for (size_t w = 0; w < row->words; w++) {
        const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, row->word[w]);
        if (x + wide + 2 * PAD > area.x + area.w - 14 && w + 1 < row->words) {
            canvas_text(canvas, x, area.y + 17, FONT_WORDS, UI_TEXT_SMALL, theme->muted,
                        CANVAS_LEFT, "…");
            return;
        }
        const struct rect place = {x, area.y + 3, wide + 2 * PAD, area.h - 7};
        const bool asked = row->loss[w] >= 0;
        if (asked) {
            const float share = fminf(row->loss[w] / FULL, 1);
            canvas_rect(canvas, place, 4,
                        &(struct paint){.fill = colour_fade(theme->output, 0.08f + 0.5f * share)});
        }
        canvas_text(canvas, x + PAD, area.y + 17, FONT_WORDS, UI_TEXT_SMALL,
                    asked ? theme->ink : theme->muted, CANVAS_LEFT, row->word[w]);
        x += place.w + (view->state->learn->letters ? 0 : GAP);
    }
}

static void draw_row(struct view *view, size_t index, struct rect area)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const struct view_learn_row *const row = &view->state->learn->row[index];
    const uint32_t id = ui_id_number(view->ui, "sequence", index);
    const struct ui_touch touch = ui_touch(view->ui, id, area, true);
    char loss[TEXT_NUMBER_MAX];
    text_small_number(loss, (double)row->mean, 3);
    canvas_group(canvas, id, arena_format(view->arena, tr("loss %s"), loss));
    if (touch.hover) {
        canvas_rect(canvas, area, 5, &(struct paint){.fill = theme->control});
    }
    canvas_text(canvas, area.x + LOSS - 14, area.y + 17, FONT_NUMBERS, UI_TEXT_SMALL, theme->muted,
                CANVAS_RIGHT, loss);
    draw_tokens(view, row, (struct rect){area.x + LOSS, area.y, area.w - LOSS, area.h});
    ui_draw_focus(view->ui, id, area, 4);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, area, "A click puts this sentence on the stages");
    if (touch.clicked) {
        view_learn_action(view, VIEW_LEARN_ROW, index, 0);
    }
}

/* "The step from 222 to 223 learns from these 64." */
static const char *batch_sentence(struct view *view)
{
    const struct view_learn *const learn = view->state->learn;
    char from[TEXT_NUMBER_MAX], to[TEXT_NUMBER_MAX];
    text_count(from, learn->step);
    text_count(to, learn->step + 1);
    return learn->rows < learn->rows_all
               ? arena_words(view->arena,
                             "The step from %s to %s learns from these and more: %zu of %zu are "
                             "shown. The darker, the larger −log p of what is asked there.",
                             from, to, learn->rows, learn->rows_all)
               : arena_words(view->arena,
                             "The step from %s to %s learns from these %zu. The darker, the larger "
                             "−log p of what is asked there.",
                             from, to, learn->rows_all);
}

void view_learn_batch(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    const struct ui_theme *const theme = view->ui->theme;
    const struct rect place = rect_inset(area, 8);
    const struct view_overlay_frame frame = {.name = "batch", .label = "Batch", .place = place};
    view_overlay_begin(view, area, &frame);
    canvas_text_cut(view->ui->canvas, place.x + EDGE, place.y + 34, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    theme->ink, CANVAS_LEFT, tr("What this step learns from"), place.w - 90);
    if (learn != NULL && learn->row != NULL) {
        view_text_fitted(view, (struct point){place.x + EDGE, place.y + 58}, UI_TEXT_SMALL,
                         CANVAS_LEFT, batch_sentence(view), place.w - 2 * EDGE);
        const struct rect list = {place.x + EDGE - 8, place.y + HEAD, place.w - 2 * EDGE + 16,
                                  fmaxf(place.h - HEAD - 12, 1)};
        float offset = view->state->batch_scroll;
        const float from =
            ui_scroll_begin(view->ui, "sequences", list, (float)learn->rows * ROW, &offset);
        for (size_t r = 0; r < learn->rows; r++) {
            const float y = list.y - from + (float)r * ROW;
            if (y + ROW > list.y && y < list.y + list.h) {
                draw_row(view, r, (struct rect){list.x, y, list.w - 12, ROW});
            }
        }
        ui_scroll_end(view->ui);
        if (offset < view->state->batch_scroll || offset > view->state->batch_scroll) {
            view_action_set(view, batch_scroll, offset);
        }
    }
    view_overlay_end(view, &frame);
}
