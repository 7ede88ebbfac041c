/* Hints about what nobody finds alone. A view says where one helps; which are left to be shown, and
 * for how long, is the app's (app/document/hints.h). */
#include "view/parts/hints.h"

#include <math.h>

#include "base/translate.h"
#include "view/parts/pieces.h"

static const char *const texts[VIEW_HINTS] = {
    [VIEW_HINT_EDIT] = "Click the number once more to change it.",
    [VIEW_HINT_WORDS] = "Learning replaced the words by some it can learn: Ctrl+Z brings yours "
                        "back.",
    [VIEW_HINT_ASIDE] = "This key gets more than half. Select it, and Alt+A sets it aside, so that "
                        "the others show.",
    [VIEW_HINT_STRIP] = "Shift+T puts this strip away, and brings it back.",
    [VIEW_HINT_FIND] = "Ctrl+K finds every lesson, setting and command by its name.",
};

void view_hint_at(struct view *view, enum view_hint hint, struct rect place)
{
    const struct view_state *const state = view->state;
    const bool is_left = (state->hints_left & 1u << hint) != 0;
    const bool disturbs =
        view->style.is_far || state->overlay != VIEW_OVERLAY_NONE || state->playback.playing;
    if (is_left && !disturbs && (view->hint == 0 || hint < view->hint - 1)) {
        view->hint = 1 + (size_t)hint;
        view->hint_place = place;
    }
}

static const float GAP = 8, MARGIN = 8; /* of a card from what it speaks of; from the edges */

/* Where a card of this size stands: below or above what it speaks of, or beside the pointer, which
 * goes to buttons that the card would cover. */
static struct rect place_card(const struct view *view, struct rect area, float wide, float high)
{
    const struct ui_input *const input = view->ui->input;
    const struct rect place = view->hint_place;
    const float middle = place.x + place.w / 2 - wide / 2;
    const float below = place.y + place.h + GAP, above = place.y - GAP - high;
    const float left = input->x - GAP - wide, right = input->x + GAP;
    const struct point corners[] = {{middle, below}, {middle, above}, {right, below},
                                    {left, below},   {right, above},  {left, above}};
    struct rect first = {0};
    for (size_t c = 0; c < sizeof corners / sizeof *corners; c++) {
        const float x_max = area.x + area.w - MARGIN - wide;
        const struct rect card = {fmaxf(area.x + MARGIN, fminf(corners[c].x, x_max)), corners[c].y,
                                  wide, high};
        const bool inside = card.y >= area.y + MARGIN && card.y + high <= area.y + area.h - MARGIN;
        if (inside && !rect_has(card, input->x, input->y)) {
            return card;
        }
        first = first.w > 0 || !inside ? first : card;
    }
    return first.w > 0 ? first : (struct rect){area.x + MARGIN, below, wide, high};
}

void view_hint_draw(struct view *view, struct rect area)
{
    static const float PAD = 12, WIDE_MAX = 560, LINE = 5;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    if (view->hint == 0 || view->hint != view->state->hint) {
        return;
    }
    const struct rect place = view->hint_place;
    const char *const text = tr(texts[view->hint - 1]);
    const float line = canvas_measure(canvas, FONT_WORDS_MEDIUM, UI_TEXT_SMALL, text);
    const float wide = fminf(line + 1, fminf(WIDE_MAX, area.w - 2 * (MARGIN + PAD)));
    const float high = view_wrapped_height(view, wide, UI_TEXT_SMALL, text);
    const struct rect card = place_card(view, area, wide + 2 * PAD, high + 2 * PAD - LINE);
    canvas_group(canvas, ui_id(view->ui, "hint"), "Hint");
    canvas_rect(canvas, rect_inset(place, -3), UI_CORNER_SMALL,
                &(struct paint){.stroke = theme->accent, .width = 2});
    canvas_rect(canvas, card, UI_CORNER_SMALL,
                &(struct paint){.fill = theme->accent, .stroke = theme->panel, .width = 1});
    view_wrapped(view, card.x + PAD, card.y + PAD + UI_TEXT_SMALL - 3, wide, UI_TEXT_SMALL,
                 theme->accent_ink, text);
    canvas_ungroup(canvas);
}
