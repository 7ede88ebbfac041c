/* The stage ribbon: seven pills with number, name and formula, and the stepper at its right. */
#include <math.h>

#include "ui/widgets.h"
#include "view/view.h"

static const float GAP = 8, BUTTON = 38, DISC = 20;

/* Where the word of a pill starts, behind its disc. */
static const float WORD_X = 38;

static void draw_disc(struct view *view, struct rect pill, size_t number, bool current, bool past)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct colour fill = current ? theme->accent_ink : past ? theme->accent : theme->control;
    const struct colour ink = current ? theme->accent : past ? theme->accent_ink : theme->muted;
    const char text[2] = {(char)('1' + number), 0};
    const float x = pill.x + 20, y = pill.y + pill.h / 2;
    canvas_circle(view->ui->canvas, x, y, DISC / 2, &(struct paint){.fill = fill});
    canvas_text(view->ui->canvas, x, y + 4, FONT_WORDS_BOLD, UI_TEXT_TINY, ink, CANVAS_CENTRE,
                text);
}

/* The share of the stage that is played, as a line at the pill's foot. */
static void draw_moment(struct view *view, struct rect pill)
{
    const float moment = view->state->moment;
    if (moment >= 1) {
        return;
    }
    const struct rect track = {pill.x + 10, pill.y + pill.h - 5, pill.w - 20, 2};
    const struct colour ink = view->ui->theme->accent_ink;
    canvas_rect(view->ui->canvas, track, 1, &(struct paint){.fill = colour_fade(ink, 0.35f)});
    canvas_rect(view->ui->canvas, (struct rect){track.x, track.y, track.w * moment, track.h}, 1,
                &(struct paint){.fill = ink});
}

static void draw_pill(struct view *view, enum lab_stage stage, struct rect pill)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_stage_row *row = lab_stage_row(stage);
    const bool current = stage == view->state->stage, past = stage < view->state->stage;
    const uint32_t id = ui_id_number(view->ui, "pill", stage);
    const struct ui_touch touch = ui_touch(view->ui, id, pill, true);
    const struct colour edge = touch.hover ? theme->faint : theme->line;
    canvas_group(canvas, id, row->title);
    canvas_rect(canvas, pill, UI_CORNER_SMALL,
                &(struct paint){.fill = current ? theme->accent : theme->panel,
                                .stroke = current ? theme->accent : edge,
                                .width = 1});
    draw_disc(view, pill, stage, current, past);
    const float room = pill.w - WORD_X - 10;
    const float y = pill.y + pill.h / 2 + 5;
    const float wide = canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, row->title);
    const float formula = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, row->formula);
    canvas_text_cut(canvas, pill.x + WORD_X, y, FONT_WORDS_BOLD, UI_TEXT_BODY,
                    current ? theme->accent_ink : theme->ink, CANVAS_LEFT, row->title, room);
    if (wide + formula + 8 <= room) {
        canvas_text(canvas, pill.x + pill.w - 12, y, FONT_WORDS, UI_TEXT_SMALL,
                    current ? theme->accent_ink : theme->muted, CANVAS_RIGHT, row->formula);
    }
    if (current) {
        draw_moment(view, pill);
    }
    ui_draw_focus(view->ui, id, pill, UI_CORNER_SMALL);
    canvas_ungroup(canvas);
    const char *tip = arena_format(view->arena, "%s (key %d)", row->headline, (int)stage + 1);
    ui_tip(view->ui, id, pill, tip != NULL ? tip : row->headline);
    if (touch.clicked) {
        view_wish(view, &(struct view_wish){.kind = VIEW_WISH_STAGE, .index = (size_t)stage});
    }
}

/* The stepper's buttons; play shows pause while it plays. */
static const struct {
    const char *command, *tip;
    enum ui_icon icon;
} steps[] = {
    {"first stage", "To the first stage (Home)", UI_ICON_TO_START},
    {"former stage", "Back (←)", UI_ICON_BACK},
    {"play", "Play (Space)", UI_ICON_PLAY},
    {"next stage", "Forward (→)", UI_ICON_FORWARD},
};

void view_ribbon(struct view *view, struct rect area)
{
    enum { STEPS = sizeof steps / sizeof *steps };
    canvas_group(view->ui->canvas, ui_id(view->ui, "ribbon"), "Stages");
    ui_push(view->ui, "ribbon");
    const float gap = area.w < 1000 ? 4 : GAP;
    const float button = area.w < 1000 ? 32 : BUTTON;
    const float stepper = STEPS * button + (STEPS - 1) * 6;
    const float room = area.w - stepper - gap * LAB_STAGES - 12;
    const float pill = fmaxf(room / LAB_STAGES, 34);
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        const struct rect place = {area.x + (float)stage * (pill + gap), area.y, pill, area.h};
        draw_pill(view, (enum lab_stage)stage, place);
    }
    float x = area.x + area.w - stepper;
    for (size_t i = 0; i < STEPS; i++) {
        const bool pauses = steps[i].icon == UI_ICON_PLAY && view->state->playing;
        const struct ui_button look = {.icon = pauses ? UI_ICON_PAUSE : steps[i].icon,
                                       .style = steps[i].icon == UI_ICON_PLAY ? UI_BUTTON_STRONG
                                                                              : UI_BUTTON_PLAIN,
                                       .tip = pauses ? "Pause (Space)" : steps[i].tip};
        if (ui_button(view->ui, steps[i].command, (struct rect){x, area.y, button, area.h},
                      &look)) {
            view_wish_command(view, steps[i].command);
        }
        x += button + 6;
    }
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}
