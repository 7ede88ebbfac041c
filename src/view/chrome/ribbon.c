/* The stage ribbon: pills with number, title and formula, and the playback buttons at their right.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/parts/playback.h"

/* --- The scrubber: a track under the pills, on which every position of playback can be dragged to.
 * --- */

static const float BELOW = 1, HIGH = 11, TRACK = 2, KNOB = 4.5f;

/* The x of the present position; in a film it moves in ticks. */
static float position_x(const struct playback *playback, const struct rect pill[LAB_STAGES])
{
    static const double NEARLY = 1e-3; /* a complete stage is slightly less than 1 */
    const double smooth = view_place(playback) - (double)playback->stage;
    const double within = playback->ticks == 0
                              ? smooth
                              : floor(smooth * playback->ticks + NEARLY) / (double)playback->ticks;
    return pill[playback->stage].x + pill[playback->stage].w * (float)fmin(within, 1);
}

/* The place among all stages at x. In the gap after a pill its stage is complete. */
static double place_at(const struct rect pill[LAB_STAGES], float x)
{
    static const double FULL = 1 - 1e-6;
    size_t stage = 0;
    while (stage + 1 < LAB_STAGES && x >= pill[stage + 1].x) {
        stage++;
    }
    const double within = (double)((x - pill[stage].x) / fmaxf(pill[stage].w, 1));
    return (double)stage + fmin(fmax(within, 0), FULL);
}

static void append_seek(struct view *view, double place)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_SEEK, .position = place});
}

static void handle_keys(struct view *view, uint32_t id)
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
            append_seek(view, view_place_beside(view->trace, &view->state->playback,
                                                &view->state->pinned, steps[i].forward));
        }
    }
    if (ui_stroke_consumed(view->ui, id, UI_KEY_HOME, 0)) {
        append_seek(view, (double)view->state->playback.stage);
    }
    if (ui_stroke_consumed(view->ui, id, UI_KEY_END, 0)) {
        append_seek(view, (double)view->state->playback.stage + 1 - 1e-6);
    }
}

/* Draws the track under the pills, and lets it be dragged. */
static void draw_scrubber(struct view *view, const struct rect pill[LAB_STAGES])
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct rect *last = &pill[LAB_STAGES - 1];
    const struct rect area = {pill[0].x, pill[0].y + pill[0].h + BELOW,
                              last->x + last->w - pill[0].x, HIGH};
    const uint32_t id = ui_id(view->ui, "scrubber");
    const struct ui_touch touch = ui_touch(view->ui, id, area, true);
    const float y = area.y + HIGH / 2, x = position_x(&view->state->playback, pill);
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
        const double place = place_at(pill, view->ui->input->x);
        if (fabs(place - view_place(&view->state->playback)) > 1e-4) {
            append_seek(view, place);
        }
    }
    handle_keys(view, id);
}

static const float GAP = 8, BUTTON = 38, DISC = 20, PANEL_BUTTON = 58, END = 26;

/* The layout of a pill, from its left: the middle of the disc, the start of the title, and the room
 * at its right. Layouts become closer until all titles fit, and at last titles are below their
 * discs. */
struct spacing {
    float disc_x, word_x, word_end;
    float size; /* font size of the title */
    bool below; /* the title is below its disc */
};

static const struct spacing roomy = {20, 38, 10, UI_TEXT_BODY, false},
                            close = {15, 28, 6, UI_TEXT_BODY, false},
                            small = {15, 27, 4, UI_TEXT_TINY, false},
                            stacked = {0, 5, 5, UI_TEXT_TINY, true};
static const float BELOW_END = 6; /* from the baseline of a title below to the pill's bottom */
static const float PILL_MIN = 34; /* width of the narrowest pill */

/* The extra stages after the seven, in a model and in training. */
static const struct extra_stage {
    const char *title, *command, *tip;
    enum view_extra_stage which;
} extra_stages[] = {
    {"Block", "block",
     "The block around attention (key 8)\nResidual, norm, MLP and its neurons, and what the next "
     "layer reads.",
     VIEW_EXTRA_STAGE_BLOCK},
    {"Loss", "loss",
     "The loss (key 9)\nLogits, softmax over the vocabulary, and −log p of the right word.",
     VIEW_EXTRA_STAGE_LOSS},
};

enum {
    EXTRA_STAGES = sizeof extra_stages / sizeof *extra_stages,
    PILLS_MAX = LAB_STAGES + EXTRA_STAGES
};

/* A pill: of a stage, or after those of an extra stage. */
struct pill {
    const char *title, *tip, *formula; /* formula NULL: none */
    const struct extra_stage *extra;   /* NULL: a stage */
    char number;
    struct rect at;
};

struct pills {
    struct pill pill[PILLS_MAX];
    size_t count, current;
};

static bool is_available(const struct view *view, const struct extra_stage *extra)
{
    const struct view_learn *const learn = view->state->learn;
    return extra->which == VIEW_EXTRA_STAGE_LOSS ? learn != NULL && learn->at_end.n > 0
                                                 : view_block_known(view) != NULL;
}

static bool is_open(const struct view *view, const struct extra_stage *extra)
{
    return extra->which == VIEW_EXTRA_STAGE_LOSS ? view_loss_shown(view)
                                                 : view_block_shown(view) != NULL;
}

static void list_pills(const struct view *view, struct pills *pills)
{
    const struct lab_graph *const graph = view->trace == NULL ? NULL : lab_trace_graph(view->trace);
    pills->count = LAB_STAGES;
    pills->current = view->state->playback.stage;
    for (enum lab_stage stage = 0; stage < LAB_STAGES; stage++) {
        const char *const headline = lab_stage_headline(graph, stage);
        const char *const tip = arena_format(view->arena, "%s (key %d)\n%s", tr(headline),
                                             (int)stage + 1, tr(lab_stage_sentence(graph, stage)));
        pills->pill[stage] = (struct pill){.title = lab_stage_title(graph, stage),
                                           .tip = tip != NULL ? tip : headline,
                                           .formula = lab_stage_formula(graph, stage),
                                           .number = (char)('1' + (int)stage)};
    }
    for (size_t b = 0; b < EXTRA_STAGES; b++) {
        if (is_available(view, &extra_stages[b])) {
            pills->current = is_open(view, &extra_stages[b]) ? pills->count : pills->current;
            pills->pill[pills->count++] = (struct pill){.title = extra_stages[b].title,
                                                        .tip = extra_stages[b].tip,
                                                        .extra = &extra_stages[b],
                                                        .number = (char)('8' + (int)b)};
        }
    }
}

/* Draws the disc with the number, at `middle` of a pill; is_above: above the title. */
static void draw_disc(struct view *view, const struct pills *pills, size_t place, float middle,
                      bool is_above)
{
    const struct ui_theme *theme = view->ui->theme;
    const struct pill *const pill = &pills->pill[place];
    const bool current = place == pills->current, past = place < pills->current;
    const struct colour fill = current ? theme->accent_ink : past ? theme->accent : theme->control;
    const struct colour ink = current ? theme->accent : past ? theme->accent_ink : theme->muted;
    const char text[2] = {pill->number, 0};
    const float high = is_above ? fminf(DISC, pill->at.h - BELOW_END - UI_TEXT_TINY - 2) : DISC;
    const float x = pill->at.x + fminf(middle, pill->at.w / 2);
    const float y = pill->at.y + (is_above ? 2 + high / 2 : pill->at.h / 2);
    canvas_circle(view->ui->canvas, x, y, high / 2, &(struct paint){.fill = fill});
    canvas_text(view->ui->canvas, x, y + 4, FONT_WORDS_BOLD, UI_TEXT_TINY, ink, CANVAS_CENTRE,
                text);
}

static float title_width(const struct view *view, const struct pill *pill, float size)
{
    return canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, size, tr(pill->title));
}

/* Draws the title and the formula, each if it fits in whole. False: the title does not fit. */
static bool draw_title(struct view *view, const struct pill *pill, bool current,
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
    const uint32_t id = pill->extra != NULL ? ui_id(view->ui, pill->extra->command)
                                            : ui_id_number(view->ui, "pill", place);
    const struct ui_touch touch = ui_touch(view->ui, id, pill->at, true);
    const struct colour edge = touch.hover ? theme->faint : theme->line;
    canvas_group(canvas, id, pill->title);
    canvas_rect(canvas, pill->at, UI_CORNER_SMALL,
                &(struct paint){.fill = current ? theme->accent : theme->panel,
                                .stroke = current ? theme->accent : edge,
                                .width = 1});
    const bool worded = draw_title(view, pill, current, spacing);
    const bool is_above = worded && spacing->below;
    draw_disc(view, pills, place, worded && !is_above ? spacing->disc_x : pill->at.w / 2, is_above);
    ui_draw_focus(view->ui, id, pill->at, UI_CORNER_SMALL);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, pill->at, pill->tip);
    if (touch.clicked && pill->extra != NULL) {
        view_action_command(view, pill->extra->command);
    } else if (touch.clicked) {
        view_action(
            view, &(struct view_action){.kind = VIEW_ACTION_STAGE, .stage = (enum lab_stage)place});
    }
}

/* The playback buttons. Play becomes Pause during playback. */
static const struct {
    const char *command, *tip;
    enum ui_icon icon;
} steps[] = {
    {"first stage", "To the first stage (Home)", UI_ICON_TO_START},
    {"former stage", "Back (←)", UI_ICON_BACK},
    {"play", "Play (Space bar)", UI_ICON_PLAY},
    {"next stage", "Forward (→)", UI_ICON_FORWARD},
};

/* Drops the longest titles, one after the other, until the others and the current one fit. Returns
 * the width of all pills then. */
static float drop_longest_titles(float room, struct pills *pills)
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
        all -= pill[widest].at.w - PILL_MIN;
        pill[widest].at.w = PILL_MIN;
    }
    const float kept = fmaxf(pill[current].at.w - fmaxf(all - room, 0), PILL_MIN);
    all -= pill[current].at.w - kept;
    pill[current].at.w = kept;
    return all;
}

/* Shares the width among the pills: equally; if a title would be cut, by title; if that does not
 * fit, with titles below the discs; and at last without the longest titles. */
static const struct spacing *share_width(const struct view *view, float room, struct pills *pills)
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
    const float alike = fmaxf(room / count, PILL_MIN);
    all = widest <= alike ? all : drop_longest_titles(room, pills);
    for (size_t i = 0; i < pills->count; i++) {
        float *const width = &pills->pill[i].at.w;
        *width = widest <= alike ? alike : *width + fmaxf(room - all, 0) / count;
    }
    return spacing;
}

static float total_width(const struct pills *pills)
{
    float wide = 0;
    for (size_t i = 0; i < pills->count; i++) {
        wide += pills->pill[i].at.w;
    }
    return wide;
}

enum { STEPS = sizeof steps / sizeof *steps, PLAY = 2 };

/* Draws the button to the next panel of the presenter view: space, heads or the stage alone, or
 * again the panels of the step. */
static void draw_next_panel_button(struct view *view, struct rect place)
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

static void draw_step_button(struct view *view, size_t i, struct rect place)
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

/* The width of the speed menu: usually, with a speed between its rows, and in the presenter view.
 */
static const float SPEED = 60, SPEED_BETWEEN = 70, SPEED_PRESENTER = 42;

static float play_speed(const struct view *view)
{
    return view->state->playback.speed > 0 ? view->state->playback.speed : 1;
}

static float speed_width(const struct view *view, bool turns)
{
    const float power = log2f(play_speed(view));
    return turns ? SPEED_PRESENTER : fabsf(power - roundf(power)) < 1e-3f ? SPEED : SPEED_BETWEEN;
}

/* Draws the menu of playback speeds. */
static void draw_speed_menu(struct view *view, struct rect place)
{
    static const char *const rows[] = {"⅛ ×", "¼ ×", "½ ×", "1 ×", "2 ×", "4 ×", "8 ×"};
    enum { SPEEDS = sizeof rows / sizeof *rows };
    const float shown = play_speed(view);
    const size_t current = (size_t)(fminf(fmaxf(roundf(log2f(shown)), -3), 3) + 3);
    char number[TEXT_NUMBER_MAX];
    const bool whole = fabsf(exp2f((float)current - 3) - shown) < 1e-3f;
    text_number(number, (double)shown, 2);
    if (!whole && number[strlen(number) - 1] == '0') {
        number[strlen(number) - 1] = '\0'; /* "1.50" becomes "1.5" */
    }
    const struct ui_menu menu = {.rows = rows,
                                 .count = SPEEDS,
                                 .current = whole ? current : SPEEDS,
                                 .label = whole ? NULL : arena_format(view->arena, "%s", number),
                                 .tip = "How fast play goes ([ slower, ] faster)",
                                 .on_panel = true};
    const size_t chosen = ui_menu(view->ui, "speed", place, &menu);
    if (chosen < SPEEDS) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_SPEED,
                                                .speed = exp2f((float)chosen - 3)});
    }
}

static void draw_end_button(struct view *view, struct rect place)
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
    const bool ends = view->state->prefs.presenter;
    const bool turns = ends && !view_head_overview_is_shown(view->state);
    float speed = speed_width(view, turns) + (turns ? 4 : 6);
    float stepper = speed + (turns ? PANEL_BUTTON + 6 + button : STEPS * button + (STEPS - 1) * 6) +
                    (ends ? 4 + END : 0);
    struct pills pills;
    list_pills(view, &pills);
    float room = area.w - stepper - gap * (float)pills.count - 12;
    const float names = share_width(view, room + speed, &pills)->size; /* without the speed menu */
    const struct spacing *spacing = share_width(view, room, &pills);
    const bool shrinks = turns && names >= UI_TEXT_BODY && spacing->size < names;
    if (shrinks || total_width(&pills) > room + 1) { /* titles come before the speed menu */
        room += speed;
        stepper -= speed;
        speed = 0;
        spacing = share_width(view, room, &pills);
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
    draw_scrubber(view, stage);
    x = area.x + area.w - stepper;
    if (speed > 0) {
        draw_speed_menu(view, (struct rect){x, area.y, speed_width(view, turns), area.h});
        x += speed;
    }
    if (turns) {
        draw_next_panel_button(view, (struct rect){x, area.y, PANEL_BUTTON, area.h});
        draw_step_button(view, PLAY, (struct rect){x + PANEL_BUTTON + 6, area.y, button, area.h});
    }
    if (ends) {
        draw_end_button(view, (struct rect){area.x + area.w - END, area.y, END, area.h});
    }
    for (size_t i = 0; !turns && i < STEPS; i++) {
        draw_step_button(view, i,
                         (struct rect){x + (float)i * (button + 6), area.y, button, area.h});
    }
    ui_pop(view->ui);
    canvas_ungroup(view->ui->canvas);
}
