/* The stage ribbon: pills with number, name and formula, and the stepper at its right. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/parts/playback.h"

/* The scrubber: a track under the stages' pills, each stage's moments under its own pill. It is
 * drawn and dragged here; play moves it too. */

static const float BELOW = 1, HIGH = 11, TRACK = 2, KNOB = 4.5f;

/* The x of the moment that is shown; in a film it ticks as a clock does. */
static float x_now(const struct playback *playback, const struct rect pill[LAB_STAGES])
{
    static const double NEARLY = 1e-3; /* a full stage is told as a little less */
    const double smooth = view_place(playback) - (double)playback->stage;
    const double within = playback->ticks == 0
                              ? smooth
                              : floor(smooth * playback->ticks + NEARLY) / (double)playback->ticks;
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
 * free at its right. Closer together where all names fit only so, and at last below their discs. */
struct spacing {
    float disc_x, word_x, word_end;
    float size; /* of the names' letters */
    bool below; /* the name stands under its disc */
};

static const struct spacing roomy = {20, 38, 10, UI_TEXT_BODY, false},
                            close = {15, 28, 6, UI_TEXT_BODY, false},
                            small = {15, 27, 4, UI_TEXT_TINY, false},
                            stacked = {0, 5, 5, UI_TEXT_TINY, true};
static const float BELOW_END = 6; /* from the baseline of such a name to the pill's end */
static const float LEAST = 34;    /* the narrowest pill */

/* What follows the seven stages in a model, and where weights learn. */
static const struct behind {
    const char *title, *command, *tip;
    enum view_extra_stage which;
} behinds[] = {
    {"Block", "block",
     "The block around attention (key 8)\nResidual, norm, MLP and its neurons, and what the next "
     "layer reads.",
     VIEW_EXTRA_STAGE_BLOCK},
    {"Loss", "loss",
     "The loss (key 9)\nLogits, softmax over the vocabulary, and −log p of the right word.",
     VIEW_EXTRA_STAGE_LOSS},
};

enum { BEHINDS = sizeof behinds / sizeof *behinds, PILLS_MAX = LAB_STAGES + BEHINDS };

/* One pill after the other: the stages, then what is behind them. */
struct pill {
    const char *title, *tip, *formula; /* formula: NULL: none */
    const struct behind *behind;       /* NULL: it is a stage */
    char number;
    struct rect at;
};

struct pills {
    struct pill pill[PILLS_MAX];
    size_t count, current;
};

static bool is_there(const struct view *view, const struct behind *behind)
{
    const struct view_learn *const learn = view->state->learn;
    return behind->which == VIEW_EXTRA_STAGE_LOSS ? learn != NULL && learn->at_end.n > 0
                                                  : view_block_known(view) != NULL;
}

static bool is_open(const struct view *view, const struct behind *behind)
{
    return behind->which == VIEW_EXTRA_STAGE_LOSS ? view_loss_shown(view)
                                                  : view_block_shown(view) != NULL;
}

static void list_pills(const struct view *view, struct pills *pills)
{
    const struct lab_graph *const graph = view->trace == NULL ? NULL : lab_trace_graph(view->trace);
    pills->count = LAB_STAGES;
    pills->current = view->state->playback.stage;
    for (enum lab_stage stage = 0; stage < LAB_STAGES; stage++) {
        const struct lab_stage_row *const row = lab_stage_row(stage);
        const char *const headline = lab_stage_headline(graph, stage);
        const char *const tip = arena_format(view->arena, "%s (key %d)\n%s", tr(headline),
                                             (int)stage + 1, tr(lab_stage_sentence(graph, stage)));
        pills->pill[stage] = (struct pill){.title = row->title,
                                           .tip = tip != NULL ? tip : headline,
                                           .formula = lab_stage_formula(graph, stage),
                                           .number = (char)('1' + (int)stage)};
    }
    for (size_t b = 0; b < BEHINDS; b++) {
        if (is_there(view, &behinds[b])) {
            pills->current = is_open(view, &behinds[b]) ? pills->count : pills->current;
            pills->pill[pills->count++] = (struct pill){.title = behinds[b].title,
                                                        .tip = behinds[b].tip,
                                                        .behind = &behinds[b],
                                                        .number = (char)('8' + (int)b)};
        }
    }
}

/* The number, at `middle` of a pill; `over`: above its name. */
static void draw_disc(struct view *view, const struct pills *pills, size_t place, float middle,
                      bool over)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct pill *const pill = &pills->pill[place];
    const bool current = place == pills->current, past = place < pills->current;
    const struct colour fill = current ? theme->accent_ink : past ? theme->accent : theme->control;
    const struct colour ink = current ? theme->accent : past ? theme->accent_ink : theme->muted;
    const char text[2] = {pill->number, 0};
    const float high = over ? fminf(DISC, pill->at.h - BELOW_END - UI_TEXT_TINY - 2) : DISC;
    const float x = pill->at.x + fminf(middle, pill->at.w / 2);
    const float y = pill->at.y + (over ? 2 + high / 2 : pill->at.h / 2);
    canvas_circle(view->ui->canvas, x, y, high / 2, &(struct paint){.fill = fill});
    canvas_text(view->ui->canvas, x, y + 4, FONT_WORDS_BOLD, UI_TEXT_TINY, ink, CANVAS_CENTRE,
                text);
}

static float title_width(const struct view *view, const struct pill *pill, float size)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, size, tr(pill->title));
}

/* The name, where there is room for all of it, and the formula likewise. False: there is none. */
static bool draw_words(struct view *view, const struct pill *pill, bool current,
                       const struct spacing *spacing)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float room = pill->at.w - spacing->word_x - spacing->word_end + 0.5f;
    const float y = pill->at.y + (spacing->below ? pill->at.h - BELOW_END : pill->at.h / 2 + 5);
    const float wide = title_width(view, pill, spacing->size);
    if (wide > room && !current) {
        return false;
    }
    const float x = pill->at.x + spacing->word_x + (spacing->below ? room / 2 : 0);
    canvas_text_cut(canvas, x, y, FONT_WORDS_BOLD, spacing->size,
                    current ? theme->accent_ink : theme->ink,
                    spacing->below ? CANVAS_CENTRE : CANVAS_LEFT, tr(pill->title), room);
    if (pill->formula != NULL && !spacing->below && !view->state->prefs.presenter &&
        wide + canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, pill->formula) + 8 <= room) {
        canvas_text(canvas, pill->at.x + pill->at.w - 12, y, FONT_WORDS, UI_TEXT_SMALL,
                    current ? theme->accent_ink : theme->muted, CANVAS_RIGHT, pill->formula);
    }
    return true;
}

static void draw_pill(struct view *view, const struct pills *pills, size_t place,
                      const struct spacing *spacing)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct pill *const pill = &pills->pill[place];
    const bool current = place == pills->current;
    const uint32_t id = pill->behind != NULL ? ui_id(view->ui, pill->behind->command)
                                             : ui_id_number(view->ui, "pill", place);
    const struct ui_touch touch = ui_touch(view->ui, id, pill->at, true);
    const struct colour edge = touch.hover ? theme->faint : theme->line;
    canvas_group(canvas, id, pill->title);
    canvas_rect(canvas, pill->at, UI_CORNER_SMALL,
                &(struct paint){.fill = current ? theme->accent : theme->panel,
                                .stroke = current ? theme->accent : edge,
                                .width = 1});
    const bool worded = draw_words(view, pill, current, spacing);
    const bool over = worded && spacing->below;
    draw_disc(view, pills, place, worded && !over ? spacing->disc_x : pill->at.w / 2, over);
    ui_draw_focus(view->ui, id, pill->at, UI_CORNER_SMALL);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, pill->at, pill->tip);
    if (touch.clicked && pill->behind != NULL) {
        view_action_command(view, pill->behind->command);
    } else if (touch.clicked) {
        view_action(
            view, &(struct view_action){.kind = VIEW_ACTION_STAGE, .stage = (enum lab_stage)place});
    }
}

/* The stepper's buttons; play shows pause while it plays. */
static const struct {
    const char *command, *tip;
    enum ui_icon icon;
} steps[] = {
    {"first stage", "To the first stage (Home)", UI_ICON_TO_START},
    {"former stage", "Back (←)", UI_ICON_BACK},
    {"play", "Play (Space bar)", UI_ICON_PLAY},
    {"next stage", "Forward (→)", UI_ICON_FORWARD},
};

/* The longest names go, one after the other, until those that are left and the current one fit.
 * Returns what all pills take then. */
static float leave_names_out(float room, struct pills *pills)
{
    struct pill *const pill = pills->pill;
    const size_t current = pills->current;
    float all = 0;
    for (size_t i = 0; i < pills->count; i++) {
        all += pill[i].at.w;
    }
    for (size_t left = 1; left < pills->count && all > room; left++) {
        size_t widest = current == 0 ? 1 : 0;
        for (size_t i = widest; i < pills->count; i++) {
            widest = i != current && pill[i].at.w > pill[widest].at.w ? i : widest;
        }
        all -= pill[widest].at.w - LEAST;
        pill[widest].at.w = LEAST;
    }
    const float kept = fmaxf(pill[current].at.w - fmaxf(all - room, 0), LEAST);
    all -= pill[current].at.w - kept;
    pill[current].at.w = kept;
    return all;
}

/* Widths of the pills that fill the room: all alike; where a name would be cut, each after its
 * name; where that is too much, below their discs, and at last the longest have these alone. */
static const struct spacing *share_room(const struct view *view, float room, struct pills *pills)
{
    static const struct spacing *const tries[] = {&roomy, &close, &small, &stacked};
    const struct spacing *spacing = NULL;
    const float count = (float)pills->count;
    float all = 0, widest = 0;
    for (size_t t = 0; t < sizeof tries / sizeof *tries && (t == 0 || all > room); t++) {
        spacing = tries[t];
        all = widest = 0;
        for (size_t i = 0; i < pills->count; i++) {
            float *const width = &pills->pill[i].at.w;
            *width = title_width(view, &pills->pill[i], spacing->size) + spacing->word_x +
                     spacing->word_end;
            all += *width;
            widest = fmaxf(widest, *width);
        }
    }
    const float alike = fmaxf(room / count, LEAST);
    all = widest <= alike ? all : leave_names_out(room, pills);
    for (size_t i = 0; i < pills->count; i++) {
        float *const width = &pills->pill[i].at.w;
        *width = widest <= alike ? alike : *width + fmaxf(room - all, 0) / count;
    }
    return spacing;
}

static float all_wide(const struct pills *pills)
{
    float wide = 0;
    for (size_t i = 0; i < pills->count; i++) {
        wide += pills->pill[i].at.w;
    }
    return wide;
}

enum { STEPS = sizeof steps / sizeof *steps, PLAY = 2 };

/* What a class sees next: space, heads or the stage alone, or again the panels of the step. */
static void draw_next_front(struct view *view, struct rect place)
{
    static const struct ui_button next[VIEW_SMALL_PANELS] = {
        [VIEW_SMALL_PANEL_NONE] = {.label = "3-D", .tip = "The 3-D view: the words as points (G)"},
        [VIEW_SMALL_PANEL_SPACE] = {.label = "Heads", .tip = "The weights of every head (G)"},
        [VIEW_SMALL_PANEL_HEADS] = {.label = "Stage", .tip = "The matrices of the stage (G)"},
        [VIEW_SMALL_PANEL_STAGE] = {.label = "Both", .tip = "Stage and companion together (G)"}};
    if (ui_button(view->ui, "front", place, &next[view->state->small_panel])) {
        view_action_command(view, "tab");
    }
}

static void draw_step(struct view *view, size_t i, struct rect place)
{
    const bool pauses = steps[i].icon == UI_ICON_PLAY && view->state->playback.playing;
    const struct ui_button control = {.icon = pauses ? UI_ICON_PAUSE : steps[i].icon,
                                      .style = steps[i].icon == UI_ICON_PLAY ? UI_BUTTON_STRONG
                                                                             : UI_BUTTON_PLAIN,
                                      .tip = pauses ? tr("Pause (Space bar)") : steps[i].tip};
    if (ui_button(view->ui, steps[i].command, place, &control)) {
        view_action_command(view, steps[i].command);
    }
}

/* Width of the choice of speeds; with a number that is none of its rows. */
static const float SPEED = 60, SPEED_BETWEEN = 70, SPEED_CLASS = 42;

static float speed_of(const struct view *view)
{
    return view->state->playback.speed > 0 ? view->state->playback.speed : 1;
}

static float speed_wide(const struct view *view, bool turns)
{
    const float power = log2f(speed_of(view));
    return turns ? SPEED_CLASS : fabsf(power - roundf(power)) < 1e-3f ? SPEED : SPEED_BETWEEN;
}

/* How fast play goes. */
static void draw_speed(struct view *view, struct rect place)
{
    static const char *const rows[] = {"⅛ ×", "¼ ×", "½ ×", "1 ×", "2 ×", "4 ×", "8 ×"};
    enum { SPEEDS = sizeof rows / sizeof *rows };
    const float shown = speed_of(view);
    const size_t current = (size_t)(fminf(fmaxf(roundf(log2f(shown)), -3), 3) + 3);
    char number[TEXT_NUMBER_MAX];
    const bool whole = fabsf(exp2f((float)current - 3) - shown) < 1e-3f;
    text_number(number, (double)shown, 2);
    if (!whole && number[strlen(number) - 1] == '0') {
        number[strlen(number) - 1] = '\0'; /* 1.50: 1.5 */
    }
    const struct ui_menu menu = {.rows = rows,
                                 .count = SPEEDS,
                                 .current = whole ? current : SPEEDS,
                                 .label = whole ? NULL : arena_format(view->arena, "%s", number),
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
    float speed = speed_wide(view, turns) + (turns ? 4 : 6);
    float stepper = speed + (turns ? button + 10 + FRONT + END : STEPS * button + (STEPS - 1) * 6);
    struct pills pills;
    list_pills(view, &pills);
    float room = area.w - stepper - gap * (float)pills.count - 12;
    const float names = share_room(view, room + speed, &pills)->size; /* without the speeds */
    const struct spacing *spacing = share_room(view, room, &pills);
    const bool shrinks = turns && names >= UI_TEXT_BODY && spacing->size < names;
    if (shrinks || all_wide(&pills) > room + 1) { /* names first */
        room += speed;
        stepper -= speed;
        speed = 0;
        spacing = share_room(view, room, &pills);
    }
    float x = area.x;
    struct rect stage[LAB_STAGES];
    for (size_t i = 0; i < pills.count; i++) {
        pills.pill[i].at = (struct rect){x, area.y, pills.pill[i].at.w, area.h};
        draw_pill(view, &pills, i, spacing);
        x += pills.pill[i].at.w + gap;
        if (i < LAB_STAGES) {
            stage[i] = pills.pill[i].at;
        }
    }
    view_scrubber(view, stage);
    x = area.x + area.w - stepper;
    if (speed > 0) {
        draw_speed(view, (struct rect){x, area.y, speed_wide(view, turns), area.h});
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
