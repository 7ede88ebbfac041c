/* The dialog about a text that was opened during training: training goes on with it, or begins
 * anew. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/sheets/overlay.h"

static const float WIDE = 560, EDGE = 24, HEAD = 58, FOOT = 64, LINE = 32, GAP = 10, LOWER = 12;

enum choice { GO_ON, BEGIN_ANEW, CHOICES };

/* Draws what each choice does, one below the other. Returns where they end. */
static float draw_choices(struct view *view, float x, float y, float width, bool draw)
{
    const struct view_learn_offer *const offer = &view->state->learn->offer;
    const struct ui_theme *const theme = view->ui->theme;
    char step[TEXT_NUMBER_MAX];
    const char *const choices[CHOICES] = {
        arena_format(view->arena,
                     "Go on: from step %s on these weights learn from this text, a new branch.",
                     text_count(step, offer->step)),
        tr("Begin anew: other weights, with the words of this text alone. Undo returns."),
    };
    const struct {
        const char *text;
        struct colour colour;
    } rows[] = {{offer->about, offer->refused ? theme->refused : theme->ink},
                {offer->refused ? NULL : choices[GO_ON], theme->muted},
                {choices[BEGIN_ANEW], theme->muted}};
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

/* The choice of the strong button, and of Enter. */
static enum choice default_choice(const struct view *view)
{
    return view->state->learn->offer.refused ? BEGIN_ANEW : GO_ON;
}

static void draw_buttons(struct view *view, struct rect place)
{
    const struct view_learn_offer *const offer = &view->state->learn->offer;
    const char *const names[CHOICES] = {"go on", "anew"};
    const struct ui_button buttons[CHOICES] = {
        [GO_ON] = {.label = "Go on with it",
                   .style = UI_BUTTON_STRONG,
                   .tip = "Undo returns to the former text (Enter)"},
        [BEGIN_ANEW] = {.label = "Begin anew",
                        .style =
                            default_choice(view) == BEGIN_ANEW ? UI_BUTTON_STRONG : UI_BUTTON_PLAIN,
                        .tip = offer->refused ? "Undo returns to the run before (Enter)"
                                              : "Undo returns to the run before"}};
    float x = place.x + place.w - EDGE;
    for (size_t choice = default_choice(view); choice < CHOICES; choice++) {
        const float wide = fmaxf(96, ui_button_width(view->ui, buttons[choice].label));
        x -= wide;
        if (ui_button(view->ui, names[choice],
                      (struct rect){x, place.y + place.h - EDGE - LINE, wide, LINE},
                      &buttons[choice])) {
            view_learn_action(view, VIEW_LEARN_TEXT, choice, 0);
        }
        x -= GAP;
    }
    if (ui_stroke_consumed(view->ui, 0, UI_KEY_ENTER, 0)) {
        view_learn_action(view, VIEW_LEARN_TEXT, default_choice(view), 0);
    }
}

void view_learn_text_choice(struct view *view, struct rect area)
{
    const struct view_learn *const learn = view->state->learn;
    if (learn == NULL || learn->offer.about == NULL) {
        return;
    }
    struct rect place = view_overlay_place(view, area, WIDE, HEAD);
    const float high = HEAD + draw_choices(view, 0, 0, place.w - 2 * EDGE, false) + FOOT;
    place = view_overlay_place(view, area, WIDE, high);
    const struct view_overlay_frame frame = {
        .name = "text", .label = "Another text", .place = place, .stays_open = true};
    view_overlay_begin(view, area, &frame);
    canvas_text_cut(view->ui->canvas, place.x + EDGE, place.y + 36, FONT_WORDS_BOLD, UI_TEXT_TITLE,
                    view->ui->theme->ink, CANVAS_LEFT, tr("Another text"), place.w - 90);
    (void)draw_choices(view, place.x + EDGE, place.y + HEAD, place.w - 2 * EDGE, true);
    draw_buttons(view, place);
    view_overlay_end(view, &frame);
}
