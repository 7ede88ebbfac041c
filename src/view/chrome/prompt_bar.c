/* A question over the panels: kept work, a file that somebody changed; and what can be answered. */
#include <math.h>

#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

static const float BUTTON_HIGH = 30, GAP = 8, EDGE = 14, AIR = 7, LETTERS = 26;
static const float TEXT_LEAST = 200; /* narrower than that, the buttons stand below the text */

struct strip {
    float wide[3], buttons; /* of each button; of all of them */
    float text;             /* width of the text */
    float high;             /* of its lines */
    bool below;             /* the buttons stand below it */
};

static struct strip lay_out(const struct view *view, float width)
{
    const struct view_prompt *offer = &view->state->offer;
    struct strip strip = {0};
    for (size_t i = 0; i < offer->count; i++) {
        strip.wide[i] = LETTERS + canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_BODY,
                                                 tr(offer->act[i].label));
        strip.buttons += strip.wide[i] + (i > 0 ? GAP : 0);
    }
    strip.text = width - 2 * EDGE - strip.buttons - 2 * GAP;
    strip.below = strip.text < TEXT_LEAST;
    strip.text = fmaxf(strip.below ? width - 2 * EDGE : strip.text, 60);
    strip.high = view_wrapped_height(view, strip.text, UI_TEXT_BODY, offer->text);
    return strip;
}

float view_prompt_height(const struct view *view, float width)
{
    const struct strip strip = lay_out(view, width);
    const float text = fmaxf(strip.high, strip.below ? 0 : BUTTON_HIGH);
    return text + 2 * AIR + (strip.below ? BUTTON_HIGH + AIR : 0);
}

void view_prompt(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct view_prompt *offer = &view->state->offer;
    const struct strip strip = lay_out(view, area.w);
    const float line = strip.below ? strip.high : fmaxf(strip.high, BUTTON_HIGH);
    canvas_group(canvas, ui_id(view->ui, "offer"), "Question");
    canvas_rect(canvas, area, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->accent, .width = 1});
    ui_push(view->ui, "offer");
    view_wrapped(view, area.x + EDGE, area.y + AIR + (line - strip.high) / 2 + UI_TEXT_BODY * 1.1f,
                 strip.text, UI_TEXT_BODY, theme->ink, offer->text);
    float x = strip.below ? area.x + EDGE : area.x + area.w - EDGE - strip.buttons;
    const float y =
        strip.below ? area.y + area.h - AIR - BUTTON_HIGH : area.y + (area.h - BUTTON_HIGH) / 2;
    for (size_t i = 0; i < offer->count; i++) {
        const struct ui_button button = {.label = offer->act[i].label,
                                         .style = i == 0 ? UI_BUTTON_STRONG : UI_BUTTON_PLAIN,
                                         .tip = offer->act[i].tip};
        const struct rect place = {x, y, strip.wide[i], BUTTON_HIGH};
        if (ui_button(view->ui, offer->act[i].command, place, &button)) {
            view_action_command(view, offer->act[i].command);
        }
        x += strip.wide[i] + GAP;
    }
    ui_pop(view->ui);
    canvas_ungroup(canvas);
}
