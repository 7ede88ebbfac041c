/* The stage ribbon: seven pills with number, name and formula, and the stepper at its right. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/parts/playback.h"

/* The scrubber: a track under the stages' pills, each stage's moments under its own pill. It is
 * drawn and dragged here; play moves it too. */

static const float BELOW = 1, HIGH = 11, TRACK = 2, KNOB = 4.5f;

/* The x of the moment that is shown. */
static float x_now(const struct playback *playback, const struct rect pill[LAB_STAGES])
{
    const double within = view_place(playback) - (double)playback->stage;
    return pill[playback->stage].x + pill[playback->stage].w * (float)fmin(within, 1);
}

/* In the gap behind a pill its stage is full. */
static double place_of(const struct rect pill[LAB_STAGES], float x)
{
    static const double FULL = 1 - 1e-6;
    size_t stage = 0;
    while (stage + 1 < LAB_STAGES && x >= pill[stage + 1].x) {
        stage++;
    }
    const double within = (double)((x - pill[stage].x) / fmaxf(pill[stage].w, 1));
    return (double)stage + fmin(fmax(within, 0), FULL);
}

static void action_place(struct view *view, double place)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_SEEK, .position = place});
}

static void take_keys(struct view *view, uint32_t id)
{
    static const struct {
        uint32_t key;
        bool forward;
    } steps[] = {
        {UI_KEY_RIGHT, true}, {UI_KEY_UP, true}, {UI_KEY_LEFT, false}, {UI_KEY_DOWN, false}};
    if (!ui_has_focus(view->ui, id) || !view->ui->memory->focus_visible || view->trace == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (ui_stroke_consumed(view->ui, id, steps[i].key, 0)) {
            action_place(view, view_place_beside(view->trace, &view->state->playback,
                                                 &view->state->pinned, steps[i].forward));
        }
    }
    if (ui_stroke_consumed(view->ui, id, UI_KEY_HOME, 0)) {
        action_place(view, (double)view->state->playback.stage);
    }
    if (ui_stroke_consumed(view->ui, id, UI_KEY_END, 0)) {
        action_place(view, (double)view->state->playback.stage + 1 - 1e-6);
    }
}

/* The track of all moments under the pills of the stages. */
static void view_scrubber(struct view *view, const struct rect pill[LAB_STAGES])
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct rect *last = &pill[LAB_STAGES - 1];
    const struct rect area = {pill[0].x, pill[0].y + pill[0].h + BELOW,
                              last->x + last->w - pill[0].x, HIGH};
    const uint32_t id = ui_id(view->ui, "scrubber");
    const struct ui_touch touch = ui_touch(view->ui, id, area, true);
    const float y = area.y + HIGH / 2, x = x_now(&view->state->playback, pill);
    canvas_group(canvas, id, "Moment");
    for (size_t i = 0; i < LAB_STAGES; i++) {
        const struct rect track = {pill[i].x + 1, y - TRACK / 2, fmaxf(pill[i].w - 2, 1), TRACK};
        const float done = fminf(fmaxf(x - track.x, 0), track.w);
        canvas_rect(canvas, track, 1, &(struct paint){.fill = theme->line});
        canvas_rect(canvas, (struct rect){track.x, track.y, done, TRACK}, 1,
                    &(struct paint){.fill = colour_fade(theme->accent, 0.7f)});
    }
    const bool near = touch.hover || touch.held;
    canvas_circle(canvas, x, y, near ? KNOB + 1 : KNOB,
                  &(struct paint){.fill = theme->panel, .stroke = theme->accent, .width = 2});
    ui_draw_focus(view->ui, id, area, 5);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, area,
           "Any moment of the calculation: drag, or a moment back and on with Alt+← →");
    if (touch.pressed || touch.held) {
        const double place = place_of(pill, view->ui->input->x);
        if (fabs(place - view_place(&view->state->playback)) > 1e-4) {
            action_place(view, place);
        }
    }
    take_keys(view, id);
}

static const float GAP = 8, BUTTON = 38, DISC = 20, FRONT = 58, END = 26;

/* What is in a pill, from its left: the disc's middle, where the word starts, and what that keeps
 * free at its right. Closer together where all names fit only so. */
struct spacing {
    float disc_x, word_x, word_end;
    float size; /* of the names' letters */
};

static const struct spacing roomy = {20, 38, 10, UI_TEXT_BODY}, close = {15, 28, 6, UI_TEXT_BODY},
                            small = {15, 27, 4, UI_TEXT_TINY};
static const float LEAST = 34;                                 /* the narrowest pill */
static const float NAMED_FROM = 1300, BLOCK_NAMED_FROM = 1000; /* where weights learn */

/* Whether something else stands in place of the stage. */
static bool is_behind(const struct view *view)
{
    return view_block_shown(view) != NULL || view_loss_shown(view);
}

/* The number; in the middle of a pill that has no room for its name. */
static void draw_disc(struct view *view, struct rect pill, size_t number, float middle)
{
    const struct ui_theme *theme = view->ui->theme;
    const size_t stage = (size_t)view->state->playback.stage;
    const bool behind = is_behind(view);
    const bool current = number == stage && !behind, past = number < stage || behind;
    const struct colour fill = current ? theme->accent_ink : past ? theme->accent : theme->control;
    const struct colour ink = current ? theme->accent : past ? theme->accent_ink : theme->muted;
    const char text[2] = {(char)('1' + number), 0};
    const float x = pill.x + fminf(middle, pill.w / 2), y = pill.y + pill.h / 2;
    canvas_circle(view->ui->canvas, x, y, DISC / 2, &(struct paint){.fill = fill});
    canvas_text(view->ui->canvas, x, y + 4, FONT_WORDS_BOLD, UI_TEXT_TINY, ink, CANVAS_CENTRE,
                text);
}

static float title_width(const struct view *view, size_t stage, float size)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, size,
                          tr(lab_stage_row((enum lab_stage)stage)->title));
}

/* The stage's name, where there is room for all of it, and its formula likewise. False: there is
 * none. */
static bool draw_words(struct view *view, enum lab_stage stage, struct rect pill,
                       const struct spacing *spacing)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_stage_row *row = lab_stage_row(stage);
    const bool current = stage == view->state->playback.stage && !is_behind(view);
    const float room = pill.w - spacing->word_x - spacing->word_end + 0.5f;
    const float y = pill.y + pill.h / 2 + 5;
    const float wide = title_width(view, stage, spacing->size);
    const struct lab_graph *const graph = view->trace == NULL ? NULL : lab_trace_graph(view->trace);
    const char *const symbols = lab_stage_formula(graph, stage);
    const float formula = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, symbols);
    if (wide > room && !current) {
        return false;
    }
    canvas_text_cut(canvas, pill.x + spacing->word_x, y, FONT_WORDS_BOLD, spacing->size,
                    current ? theme->accent_ink : theme->ink, CANVAS_LEFT, tr(row->title), room);
    if (!view->state->prefs.presenter && wide + formula + 8 <= room) {
        canvas_text(canvas, pill.x + pill.w - 12, y, FONT_WORDS, UI_TEXT_SMALL,
                    current ? theme->accent_ink : theme->muted, CANVAS_RIGHT, symbols);
    }
    return true;
}

static void draw_pill(struct view *view, enum lab_stage stage, struct rect pill,
                      const struct spacing *spacing)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_stage_row *row = lab_stage_row(stage);
    const bool current = stage == view->state->playback.stage && !is_behind(view);
    const uint32_t id = ui_id_number(view->ui, "pill", stage);
    const struct ui_touch touch = ui_touch(view->ui, id, pill, true);
    const struct colour edge = touch.hover ? theme->faint : theme->line;
    canvas_group(canvas, id, row->title);
    canvas_rect(canvas, pill, UI_CORNER_SMALL,
                &(struct paint){.fill = current ? theme->accent : theme->panel,
                                .stroke = current ? theme->accent : edge,
                                .width = 1});
    const bool worded = draw_words(view, stage, pill, spacing);
    draw_disc(view, pill, stage, worded ? spacing->disc_x : pill.w / 2);
    ui_draw_focus(view->ui, id, pill, UI_CORNER_SMALL);
    canvas_ungroup(canvas);
    const struct lab_graph *const graph = view->trace == NULL ? NULL : lab_trace_graph(view->trace);
    const char *tip = arena_format(view->arena, "%s (key %d)\n%s", tr(row->headline),
                                   (int)stage + 1, lab_stage_sentence(graph, stage));
    ui_tip(view->ui, id, pill, tip != NULL ? tip : row->headline);
    if (touch.clicked) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_STAGE, .stage = stage});
    }
}

/* What follows the seven stages in a model, and where weights learn. */
static const struct behind {
    const char *number, *title, *command, *tip;
    enum view_behind which;
} behinds[] = {
    {"8", "Block", "block",
     "The block around attention (key 8)\nResidual, norm, MLP and its neurons, and what the next "
     "layer reads.",
     VIEW_BEHIND_BLOCK},
    {"9", "Loss", "loss",
     "The loss (key 9)\nLogits, softmax over the vocabulary, and −log p of the right word.",
     VIEW_BEHIND_LOSS},
};

enum { BEHINDS = sizeof behinds / sizeof *behinds };

/* 0: there is no such thing. Where room is scarce they have their numbers alone. */
static float behind_width(const struct view *view, const struct behind *behind, float wide)
{
    const bool loss = behind->which == VIEW_BEHIND_LOSS;
    const struct view_learn *const learn = view->state->learn;
    if (loss ? learn == NULL || learn->at_end.n == 0 : view_block_known(view) == NULL) {
        return 0;
    }
    const float named_from = loss ? NAMED_FROM : learn != NULL ? BLOCK_NAMED_FROM : 0;
    return wide < named_from ? LEAST
                             : 52 + canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY,
                                                   tr(behind->title));
}

static void draw_behind(struct view *view, const struct behind *behind, struct rect pill)
{
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const bool current =
        behind->which == VIEW_BEHIND_LOSS ? view_loss_shown(view) : view_block_shown(view) != NULL;
    const uint32_t id = ui_id(view->ui, behind->command);
    const struct ui_touch touch = ui_touch(view->ui, id, pill, true);
    canvas_group(canvas, id, behind->title);
    canvas_rect(canvas, pill, UI_CORNER_SMALL,
                &(struct paint){.fill = current ? theme->accent : theme->panel,
                                .stroke = current       ? theme->accent
                                          : touch.hover ? theme->faint
                                                        : theme->line,
                                .width = 1});
    const float x = pill.x + fminf(20, pill.w / 2), y = pill.y + pill.h / 2;
    canvas_circle(canvas, x, y, DISC / 2,
                  &(struct paint){.fill = current ? theme->accent_ink : theme->control});
    canvas_text(canvas, x, y + 4, FONT_WORDS_BOLD, UI_TEXT_TINY,
                current ? theme->accent : theme->muted, CANVAS_CENTRE, behind->number);
    if (pill.w > LEAST) {
        canvas_text(canvas, pill.x + 38, y + 5, FONT_WORDS_BOLD, UI_TEXT_BODY,
                    current ? theme->accent_ink : theme->ink, CANVAS_LEFT, tr(behind->title));
    }
    ui_draw_focus(view->ui, id, pill, UI_CORNER_SMALL);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, pill, behind->tip);
    if (touch.clicked) {
        view_action_command(view, behind->command);
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

/* The longest names go, one after the other, until those that are left and the current one fit.
 * Returns what all pills take then. */
static float leave_names_out(const struct view *view, float room, float width[LAB_STAGES])
{
    const size_t current = (size_t)view->state->playback.stage;
    float all = 0;
    for (size_t i = 0; i < LAB_STAGES; i++) {
        all += width[i];
    }
    for (size_t left = 1; left < LAB_STAGES && all > room; left++) {
        size_t widest = current == 0 ? 1 : 0;
        for (size_t i = widest; i < LAB_STAGES; i++) {
            widest = i != current && width[i] > width[widest] ? i : widest;
        }
        all -= width[widest] - LEAST;
        width[widest] = LEAST;
    }
    const float kept = fmaxf(width[current] - fmaxf(all - room, 0), LEAST);
    all -= width[current] - kept;
    width[current] = kept;
    return all;
}

/* Widths of the pills that fill the room: all alike; where a name would be cut, each after its
 * name; where that is too much, the longest have their discs alone. */
static const struct spacing *share_room(const struct view *view, float room,
                                        float width[LAB_STAGES])
{
    static const struct spacing *const tries[] = {&roomy, &close, &small};
    const struct spacing *spacing = NULL;
    float all = 0, widest = 0;
    for (size_t t = 0; t < sizeof tries / sizeof *tries && (t == 0 || all > room); t++) {
        spacing = tries[t];
        all = widest = 0;
        for (size_t i = 0; i < LAB_STAGES; i++) {
            width[i] = title_width(view, i, spacing->size) + spacing->word_x + spacing->word_end;
            all += width[i];
            widest = fmaxf(widest, width[i]);
        }
    }
    const float alike = fmaxf(room / LAB_STAGES, LEAST);
    all = widest <= alike ? all : leave_names_out(view, room, width);
    for (size_t i = 0; i < LAB_STAGES; i++) {
        width[i] = widest <= alike ? alike : width[i] + fmaxf(room - all, 0) / LAB_STAGES;
    }
    return spacing;
}

enum { STEPS = sizeof steps / sizeof *steps, PLAY = 2 };

/* What a class sees next: space, heads or the stage alone, or again the panels of the step. */
static void draw_next_front(struct view *view, struct rect place)
{
    static const struct ui_button next[VIEW_FRONTS] = {
        [VIEW_FRONT_PANELS] = {.label = "Space", .tip = "The words as points in space (G)"},
        [VIEW_FRONT_SPACE] = {.label = "Heads", .tip = "The weights of every head (G)"},
        [VIEW_FRONT_HEADS] = {.label = "Stage", .tip = "The matrices of the stage (G)"},
        [VIEW_FRONT_STAGE] = {.label = "Both", .tip = "Stage and companion together (G)"}};
    if (ui_button(view->ui, "front", place, &next[view->state->front])) {
        view_action_command(view, "tab");
    }
}

static void draw_step(struct view *view, size_t i, struct rect place)
{
    const bool pauses = steps[i].icon == UI_ICON_PLAY && view->state->playback.playing;
    const struct ui_button control = {.icon = pauses ? UI_ICON_PAUSE : steps[i].icon,
                                      .style = steps[i].icon == UI_ICON_PLAY ? UI_BUTTON_STRONG
                                                                             : UI_BUTTON_PLAIN,
                                      .tip = pauses ? tr("Pause (Space)") : steps[i].tip};
    if (ui_button(view->ui, steps[i].command, place, &control)) {
        view_action_command(view, steps[i].command);
    }
}

static const float SPEED = 60, SPEED_CLASS = 42; /* width of the choice of speeds */

/* How fast play goes. */
static void draw_speed(struct view *view, struct rect place)
{
    static const char *const rows[] = {"⅛ ×", "¼ ×", "½ ×", "1 ×", "2 ×", "4 ×", "8 ×"};
    enum { SPEEDS = sizeof rows / sizeof *rows };
    const float shown = view->state->playback.speed > 0 ? view->state->playback.speed : 1;
    const size_t current = (size_t)(fminf(fmaxf(roundf(log2f(shown)), -3), 3) + 3);
    char number[TEXT_NUMBER_MAX];
    const bool whole = fabsf(exp2f((float)current - 3) - shown) < 1e-3f;
    const struct ui_menu menu = {
        .rows = rows,
        .count = SPEEDS,
        .current = whole ? current : SPEEDS,
        .label =
            whole ? NULL : arena_format(view->arena, "%s ×", text_number(number, (double)shown, 1)),
        .tip = "How fast play goes ([ slower, ] faster)",
        .bare = true};
    const size_t chosen = ui_menu(view->ui, "speed", place, &menu);
    if (chosen < SPEEDS) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_SPEED,
                                                .speed = exp2f((float)chosen - 3)});
    }
}

static void draw_end(struct view *view, struct rect place)
{
    static const struct ui_button end = {.icon = UI_ICON_CLOSE,
                                         .style = UI_BUTTON_BARE,
                                         .tip = "Leave the presentation (F5 or Esc)"};
    if (ui_button(view->ui, "end", place, &end)) {
        view_action_command(view, "presenter");
    }
}

void view_ribbon(struct view *view, struct rect area)
{
    canvas_group(view->ui->canvas, ui_id(view->ui, "ribbon"), "Stages");
    ui_push(view->ui, "ribbon");
    const float gap = area.w < 1000 ? 4 : GAP;
    const float button = area.w < 1000 ? 32 : BUTTON;
    const bool turns = view->state->prefs.presenter && !view_head_overview_is_shown(view);
    float speed = turns ? SPEED_CLASS + 4 : SPEED + 6;
    float stepper = speed + (turns ? button + 10 + FRONT + END : STEPS * button + (STEPS - 1) * 6);
    float behind[BEHINDS], room = area.w - stepper - gap * LAB_STAGES - 12;
    for (size_t b = 0; b < BEHINDS; b++) {
        behind[b] = behind_width(view, &behinds[b], area.w);
        room -= behind[b] > 0 ? behind[b] + gap : 0;
    }
    float width[LAB_STAGES], x = area.x;
    const struct spacing *spacing = share_room(view, room, width);
    if (turns && spacing == &small) { /* names come first */
        room += speed;
        stepper -= speed;
        speed = 0;
        spacing = share_room(view, room, width);
    }
    struct rect pill[LAB_STAGES];
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        pill[stage] = (struct rect){x, area.y, width[stage], area.h};
        draw_pill(view, (enum lab_stage)stage, pill[stage], spacing);
        x += width[stage] + gap;
    }
    view_scrubber(view, pill);
    for (size_t b = 0; b < BEHINDS; b++) {
        if (behind[b] > 0) {
            draw_behind(view, &behinds[b], (struct rect){x, area.y, behind[b], area.h});
            x += behind[b] + gap;
        }
    }
    x = area.x + area.w - stepper;
    if (speed > 0) {
        draw_speed(view, (struct rect){x, area.y, turns ? SPEED_CLASS : SPEED, area.h});
        x += speed;
    }
    if (turns) {
        draw_next_front(view, (struct rect){x, area.y, FRONT, area.h});
        draw_step(view, PLAY, (struct rect){x + FRONT + 6, area.y, button, area.h});
        draw_end(view, (struct rect){x + FRONT + button + 10, area.y, END, area.h});
    }
    for (size_t i = 0; !turns && i < STEPS; i++) {
        draw_step(view, i, (struct rect){x + (float)i * (button + 6), area.y, button, area.h});
    }
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}
