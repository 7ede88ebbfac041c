/* A text that came while weights learn from another: they go on with it, or others begin anew. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float WIDE = 560, EDGE = 24, HEAD = 58, FOOT = 64, LINE = 32, GAP = 10, LOWER = 12;

enum way { GO_ON, BEGIN_ANEW, WAYS };

/* What each way does, one below the other. Returns where they end. */
static float draw_ways(struct view *view, float x, float y, float width, bool draw)
{
    const struct view_learn_offer *const offer = &view->state->learn->offer;
    const struct ui_theme *const theme = view->ui->theme;
    char step[TEXT_NUMBER_MAX];
    const char *const ways[WAYS] = {
        arena_format(view->arena,
                     "Go on: from step %s on these weights learn from this text, a new branch.",
                     text_count(step, offer->step)),
        tr("Begin anew: other weights, with the words of this text alone. Undo returns."),
    };
    const struct {
        const char *text;
        struct colour colour;
    } rows[] = {{offer->about, offer->refused ? theme->refused : theme->ink},
                {offer->refused ? NULL : ways[GO_ON], theme->muted},
                {ways[BEGIN_ANEW], theme->muted}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].text != NULL && draw) {
            (void)view_wrapped(view, x, y + UI_TEXT_BODY, width, UI_TEXT_BODY, rows[r].colour,
                               rows[r].text);
        }
        if (rows[r].text != NULL) {
            y += view_wrapped_height(view, width, UI_TEXT_BODY, rows[r].text) + LOWER;
        }
    }
    return y;
}

/* Enter does what the dark button does. */
static enum way strong_way(const struct view *view)
{
    return view->state->learn->offer.refused ? BEGIN_ANEW : GO_ON;
}

static void draw_buttons(struct view *view, struct rect sheet)
{
    const struct view_learn_offer *const offer = &view->state->learn->offer;
    const char *const names[WAYS] = {"go on", "anew"};
    const struct ui_button buttons[WAYS] = {
        [GO_ON] = {.label = "Go on with it",
                   .style = UI_BUTTON_STRONG,
                   .tip = "Undo returns to the former text (Enter)"},
        [BEGIN_ANEW] = {.label = "Begin anew",
                        .style =
                            strong_way(view) == BEGIN_ANEW ? UI_BUTTON_STRONG : UI_BUTTON_PLAIN,
                        .tip = offer->refused ? "Undo returns to the run before (Enter)"
                                              : "Undo returns to the run before"}};
    float x = sheet.x + sheet.w - EDGE;
    for (size_t way = strong_way(view); way < WAYS; way++) {
        const float wide = fmaxf(96, ui_button_width(view->ui, buttons[way].label));
        x -= wide;
        if (ui_button(view->ui, names[way],
                      (struct rect){x, sheet.y + sheet.h - EDGE - LINE, wide, LINE},
                      &buttons[way])) {
            view_learn_action(view, VIEW_LEARN_TEXT, way, 0);
        }
        x -= GAP;
    }
    if (ui_stroke_consumed(view->ui, 0, UI_KEY_ENTER, 0)) {
        view_learn_action(view, VIEW_LEARN_TEXT, strong_way(view), 0);
    }
}

void view_learn_text_choice(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    if (learn == NULL || learn->offer.about == NULL) {
        return;
    }
    struct rect sheet = view_overlay_place(view, area, WIDE, HEAD);
    const float high = HEAD + draw_ways(view, 0, 0, sheet.w - 2 * EDGE, false) + FOOT;
    sheet = view_overlay_place(view, area, WIDE, high);
    const struct view_overlay_sheet frame = {
        .name = "text", .label = "Another text", .place = sheet, .stays = true};
    view_overlay_begin(view, area, &frame);
    canvas_text_cut(view->ui->canvas, sheet.x + EDGE, sheet.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    view->ui->theme->ink, CANVAS_LEFT, tr("Another text"), sheet.w - 90);
    (void)draw_ways(view, sheet.x + EDGE, sheet.y + HEAD, sheet.w - 2 * EDGE, true);
    draw_buttons(view, sheet);
    view_overlay_end(view, &frame);
}
