/* The lesson's strip: the caption of its step, and the way to the next one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/widgets.h"
#include "view/pieces.h"

static const float BUTTON = 30, GAP = 6, EDGE = 14;

float view_caption_height(const struct view *view, float width)
{
    if (view->state->caption == NULL || view->state->captions_closed) {
        return 0;
    }
    if (!view->state->presenter) {
        return 46;
    }
    const float wide =
        canvas_measure(view->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BIG, view->state->caption);
    const float lines = ceilf(wide / fmaxf(width - 220, 120) * 1.08f);
    return fminf(lines, 4) * UI_TEXT_BIG * 1.5f + 28;
}

static void go(struct view *view, size_t step)
{
    view_wish(view, &(struct view_wish){.kind = VIEW_WISH_LESSON_STEP, .index = step});
}

/* Back, forward and close; returns the x where they begin. */
static float draw_buttons(struct view *view, struct rect area)
{
    const struct view_state *state = view->state;
    const float y = area.y + (area.h - BUTTON) / 2;
    float x = area.x + area.w - EDGE - 3 * BUTTON - 2 * GAP;
    const float start = x;
    const struct ui_button back = {
        .icon = UI_ICON_BACK, .tip = "Former step (PageUp)", .disabled = state->step == 0};
    const struct ui_button forward = {.icon = UI_ICON_FORWARD,
                                      .style = UI_BUTTON_STRONG,
                                      .tip = "Next step (PageDown)",
                                      .disabled = state->step + 1 >= state->steps};
    const struct ui_button close = {
        .icon = UI_ICON_CLOSE, .style = UI_BUTTON_BARE, .tip = "Hide the lesson's captions (C)"};
    if (ui_button(view->ui, "former step", (struct rect){x, y, BUTTON, BUTTON}, &back)) {
        go(view, state->step - 1);
    }
    x += BUTTON + GAP;
    if (ui_button(view->ui, "next step", (struct rect){x, y, BUTTON, BUTTON}, &forward)) {
        go(view, state->step + 1);
    }
    x += BUTTON + GAP;
    if (ui_button(view->ui, "close captions", (struct rect){x, y, BUTTON, BUTTON}, &close)) {
        view_wish_command(view, "captions");
    }
    return start;
}

/* A field for the class's guess, and the button that shows what is right. Returns where they begin.
 */
static float draw_guess(struct view *view, struct rect area, float right)
{
    const struct view_state *state = view->state;
    const float y = area.y + (area.h - BUTTON) / 2;
    if (state->guess == LAB_GUESS_NONE) {
        return right;
    }
    if (state->revealed) {
        if (state->guessed[0] == 0) {
            return right;
        }
        const char *text = arena_format(view->arena, "You said: %s", state->guessed);
        const float wide = canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY,
                                          text != NULL ? text : "");
        canvas_text(view->ui->canvas, right - 14, area.y + area.h / 2 + 5, FONT_WORDS_BOLD,
                    UI_TEXT_BODY, view->ui->theme->accent, CANVAS_RIGHT, text != NULL ? text : "");
        return right - wide - 28;
    }
    const struct ui_button reveal = {.label = "Reveal", .tip = "Show what it is (Enter)"};
    const struct rect button = {right - 14 - 76, y, 76, BUTTON};
    const struct rect place = {button.x - 128, y, 120, BUTTON};
    const struct ui_field field = {
        .label = "Guess", .text = state->guessed, .hint = "your guess", .face = FONT_NUMBERS};
    const struct ui_field_answer answer = ui_field(view->ui, "guess", place, &field);
    if (answer.event == UI_FIELD_TAKEN) {
        view_wish(view, &(struct view_wish){
                            .kind = VIEW_WISH_GUESS,
                            .text = arena_text(view->arena, answer.text, strlen(answer.text))});
    }
    if (ui_button(view->ui, "reveal", button, &reveal)) {
        view_wish_command(view, "reveal");
    }
    return place.x;
}

void view_caption(struct view *view, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct view_state *state = view->state;
    canvas_group(canvas, ui_id(view->ui, "caption"), "Lesson");
    canvas_rect(canvas, area, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->accent, .width = 1});
    ui_push(view->ui, "caption");
    const float right = draw_guess(view, area, draw_buttons(view, area));
    char count[32];
    snprintf(count, sizeof count, "%zu / %zu", state->step + 1, state->steps);
    const float wide = canvas_measure(canvas, FONT_NUMBERS_BOLD, UI_TEXT_SMALL, count);
    canvas_text(canvas, area.x + EDGE, area.y + area.h / 2 + 4, FONT_NUMBERS_BOLD, UI_TEXT_SMALL,
                theme->accent, CANVAS_LEFT, count);
    const float x = area.x + EDGE + wide + 14, room = right - 14 - x;
    if (state->presenter) {
        view_wrapped(view, x, area.y + 14 + UI_TEXT_BIG, fmaxf(room, 60), UI_TEXT_BIG, theme->ink,
                     state->caption);
    } else {
        const float text = canvas_measure(canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, state->caption);
        if (text <= room) {
            canvas_text(canvas, x, area.y + area.h / 2 + 5, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                        theme->ink, CANVAS_LEFT, state->caption);
        } else {
            view_wrapped(view, x, area.y + area.h / 2 - 4, fmaxf(room, 60), UI_TEXT_SMALL,
                         theme->ink, state->caption);
        }
    }
    ui_pop(view->ui);
    canvas_ungroup(canvas);
}
