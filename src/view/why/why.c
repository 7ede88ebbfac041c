/* The view of why a model says a word: its panels, what is selected in them, and its keys. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/circuit.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float FORMULA_HIGH = 118, FORMULA_LOW = 88, LOW = 560;
static const float NARROW = 1180;
static const float PARTS_SHARE = 0.40f, MIDDLE_SHARE = 0.28f, TURNS_SHARE = 0.46f;
static const float PARTS_NARROW = 0.365f, MIDDLE_NARROW = 0.315f;

/* ---- keys ------------------------------------------------------------------------------------ */

/* Selects the part that stands so many rows below. */
static void step_row(struct view *view, const struct why_frame *frame, struct rect parts, int rows)
{
    size_t at = 0;
    while (at + 1 < frame->answer->parts && frame->order[at] != frame->selected) {
        at++;
    }
    if (rows > 0 ? at + 1 < frame->answer->parts : at > 0) {
        const size_t part = frame->order[rows > 0 ? at + 1 : at - 1];
        why_select(view, part);
        view_why_parts_reveal(view, frame, parts, part);
    }
}

/* Selects the head so many places on, layer after layer. */
static void step_head(struct view *view, const struct why_frame *frame, int heads)
{
    const size_t parts = frame->answer->parts, step = heads > 0 ? 1 : parts - 1;
    size_t at = frame->head;
    do {
        at = (at + step) % parts;
    } while (frame->answer->part[at].kind != VIEW_WHY_HEAD && at != frame->head);
    why_select(view, at);
}

static void hear_keys(struct view *view, const struct why_frame *frame, struct rect parts)
{
    struct ui *const ui = view->ui;
    if (!view->style.has_controls || ui->beneath) {
        return;
    }
    if (ui_stroke_consumed(ui, 0, UI_KEY_DOWN, 0)) {
        step_row(view, frame, parts, 1);
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_UP, 0)) {
        step_row(view, frame, parts, -1);
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_RIGHT, 0)) {
        step_head(view, frame, 1);
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_LEFT, 0)) {
        step_head(view, frame, -1);
    } else if (ui_stroke_consumed(ui, 0, 'x', UI_ALT)) {
        why_switch(view, frame, frame->selected);
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_ENTER, 0)) {
        why_lead_on(view, frame);
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Draws a button to the step of the lesson in which the model inside is asked which head says a
 * word. */
static void draw_way_to_model(struct view *view, struct rect area)
{
    enum { STEP = 2 }; /* before it the word is guessed, and told */
    const struct ui_button button = {.label = "Ask the model inside",
                                     .style = UI_BUTTON_STRONG,
                                     .tip = "The lesson “Which head did it?”: Undo returns"};
    const float wide = ui_button_width(view->ui, button.label);
    const struct rect place = {area.x + (area.w - wide) / 2, area.y + area.h / 2 + 40, wide, 32};
    size_t lesson = 0;
    if (lab_lesson_find("which-head", &lesson) && ui_button(view->ui, "inside", place, &button)) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_LESSON, .lesson = lesson});
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_LESSON_STEP, .step = STEP});
    }
}

/* One panel with a sentence, where there is no answer. */
static void draw_notice(struct view *view, struct rect area)
{
    const struct view_why *const why = view->state->why;
    view_panel(view, area, "Why");
    (void)why_stages_button(view, area.x + area.w - 16, area.y + 26);
    if (why == NULL) {
        view_notice(view, area, "Nothing is asked",
                    "Why the model says a word is asked first, in the view Why (W).");
    } else if (why->refused != NULL) {
        view_notice(view, area, "There is nothing to split here", why->refused);
        if (!why->has_model && view->style.has_controls) {
            draw_way_to_model(view, area);
        }
    } else {
        view_notice(view, area, "Computing",
                    "The model reads the text once more, to look at each of its parts.");
    }
    canvas_ungroup(view->ui->canvas);
}

static struct rect cut_left(struct rect *area, float wide)
{
    const struct rect part = {area->x, area->y, wide, area->h};
    area->x += wide + UI_GUTTER;
    area->w = fmaxf(area->w - wide - UI_GUTTER, 1);
    return part;
}

static struct rect cut_top(struct rect *area, float high)
{
    const struct rect part = {area->x, area->y, area->w, high};
    area->y += high + UI_GUTTER;
    area->h = fmaxf(area->h - high - UI_GUTTER, 1);
    return part;
}

/* The panels in columns beside each other: how wide the window is says how wide each is. */
static void draw_columns(struct view *view, const struct why_frame *frame, struct rect panels,
                         struct rect *parts)
{
    const float wide = panels.w - 2 * UI_GUTTER;
    const bool narrow = panels.w < NARROW;
    *parts = cut_left(&panels, wide * (narrow ? PARTS_NARROW : PARTS_SHARE));
    struct rect middle = cut_left(&panels, wide * (narrow ? MIDDLE_NARROW : MIDDLE_SHARE));
    const struct rect turns = cut_top(&middle, (middle.h - UI_GUTTER) * TURNS_SHARE);
    view_why_parts(view, frame, *parts);
    ui_region(view->ui);
    view_why_turns(view, frame, turns);
    view_why_takes(view, frame, middle);
    view_why_lens(view, frame, panels);
}

/* Draws what its heads do by their weights alone, in place of what they did to this text. */
static void draw_circuits(struct view *view, const struct view_why *why, struct rect area)
{
    if (view->state->circuit != NULL) {
        view_circuit(view, area);
        return;
    }
    view_panel(view, area, "Circuits of the weights");
    if (why->no_circuit != NULL) {
        view_notice(view, area, "There is nothing to split here", why->no_circuit);
    } else {
        view_notice(view, area, "Computing",
                    "Each head's weights are multiplied with those of all earlier heads.");
    }
    canvas_ungroup(view->ui->canvas);
}

/* ---- figures --------------------------------------------------------------------------------- */

struct panel {
    void (*draw)(struct view *view, const struct why_frame *frame, struct rect area);
    float (*height)(struct view *view, const struct why_frame *frame, float width);
};
static const struct panel panel_parts = {view_why_parts, view_why_parts_height},
                          panel_turns = {view_why_turns, view_why_turns_height},
                          panel_takes = {view_why_takes, view_why_takes_height},
                          panel_lens = {view_why_lens, view_why_lens_height};

/* As high as what is in it; what has no room is told. Returns the height. */
static float draw_panel(struct view *view, const struct why_frame *frame, const struct panel *panel,
                        struct rect area)
{
    const float own = panel->height(view, frame, area.w);
    view_note_lack(view, VIEW_LACKS_ROOM, own > area.h + 1);
    area.h = fminf(area.h, own);
    panel->draw(view, frame, area);
    return area.h;
}

/* A figure has a column where it is narrow, else two above the lens, each as high as what is in it.
 */
static void draw_printed(struct view *view, const struct why_frame *frame, struct rect area)
{
    static const float TWO = 480;
    const struct rect strip = cut_top(&area, view_why_strip_height(view, frame, area.w));
    view_why_strip(view, frame, strip);
    struct rect left = area, right = area;
    float high = 0;
    if (area.w >= TWO) {
        left = cut_left(&right, (area.w - UI_GUTTER) / 2);
        high = draw_panel(view, frame, &panel_parts, left);
        const float turns = draw_panel(view, frame, &panel_turns, right) + UI_GUTTER;
        (void)cut_top(&right, turns - UI_GUTTER);
        high = fmaxf(high, turns + draw_panel(view, frame, &panel_takes, right));
        (void)cut_top(&area, high);
    } else {
        (void)cut_top(&area, draw_panel(view, frame, &panel_parts, area));
        (void)cut_top(&area, draw_panel(view, frame, &panel_turns, area));
        (void)cut_top(&area, draw_panel(view, frame, &panel_takes, area));
    }
    (void)cut_top(&area, draw_panel(view, frame, &panel_lens, area));
    const float formula = view_why_formula_height(view, frame, area.w);
    view_note_lack(view, VIEW_LACKS_ROOM, formula > area.h + 1);
    area.h = formula;
    view_why_formula(view, frame, area);
}

/* ---- a small window -------------------------------------------------------------------------- */

static const struct {
    enum view_small_panel panel;
    const char *label;
    const struct panel *draws;
} tabs[] = {
    {VIEW_SMALL_PANEL_NONE, "Who says it", &panel_parts},
    {VIEW_SMALL_PANEL_HEADS, "Heads", &panel_turns},
    {VIEW_SMALL_PANEL_FORMULA, "Words", &panel_takes},
    {VIEW_SMALL_PANEL_NEXT, "What it would say now", &panel_lens},
};

enum { TABS = sizeof tabs / sizeof *tabs };
static const float ALONE_MIN = 110; /* height of a panel above the formula */

/* The place of the panel that is chosen; the first where the stages have shown one of their own. */
static size_t chosen_tab(const struct view *view)
{
    size_t at = TABS - 1;
    while (at > 0 && tabs[at].panel != view->state->small_panel) {
        at--;
    }
    return at;
}

static bool is_small(const struct view *view)
{
    return view_is_small(view->state, view->ui->input->width, view->ui->input->height);
}

void view_why_tabs(struct view *view, struct rect area)
{
    const char *labels[TABS];
    if (view->state->why_page != VIEW_WHY_ANSWER || why_frame_of(view).answer == NULL) {
        return;
    }
    for (size_t i = 0; i < TABS; i++) {
        labels[i] = tabs[i].label;
    }
    const size_t shown = chosen_tab(view);
    const size_t chosen = ui_tabs(view->ui, "why panels", area, labels, TABS, shown);
    ui_tab_tips(view->ui, "why panels", area, labels, TABS);
    if (chosen < TABS && chosen != shown) {
        view_action_set(view, small_panel, tabs[chosen].panel);
    }
}

void view_why(struct view *view, struct rect area)
{
    const struct why_frame frame = why_frame_of(view);
    ui_push(view->ui, "why");
    if (frame.answer == NULL) {
        draw_notice(view, area);
    } else if (!view->style.has_controls && !view->style.is_far) {
        draw_printed(view, &frame, area);
    } else {
        const struct rect strip = cut_top(&area, view_why_strip_height(view, &frame, area.w));
        const struct rect below = area;
        const bool small = is_small(view);
        float formula = area.h < LOW ? FORMULA_LOW : FORMULA_HIGH;
        if (small && area.h - formula - UI_GUTTER < ALONE_MIN) { /* numbers come before it */
            formula = -UI_GUTTER;
        }
        const struct rect panels = cut_top(&area, fmaxf(area.h - formula - UI_GUTTER, 1));
        view_why_strip(view, &frame, strip);
        ui_region(view->ui);
        if (view->state->why_page == VIEW_WHY_CIRCUITS) {
            draw_circuits(view, frame.why, below);
        } else if (view->state->why_page == VIEW_WHY_TEXTS) {
            view_why_texts(view, &frame, below);
        } else {
            struct rect parts = panels;
            if (small) {
                tabs[chosen_tab(view)].draws->draw(view, &frame, panels);
            } else {
                draw_columns(view, &frame, panels, &parts);
            }
            if (formula > 0) {
                view_why_formula(view, &frame, area);
            }
            hear_keys(view, &frame, parts);
        }
    }
    ui_pop(view->ui);
}

/* ---- one panel alone ------------------------------------------------------------------------- */

static void draw_alone(struct view *view, struct rect area, const struct panel *panel)
{
    const struct why_frame frame = why_frame_of(view);
    if (frame.answer == NULL) {
        draw_notice(view, area);
    } else {
        (void)draw_panel(view, &frame, panel, area);
    }
}

/* Its natural size, on paper. */
static struct point size_alone(struct view *view, float width, const struct panel *panel)
{
    view->style = view_style(view, true);
    const struct why_frame frame = why_frame_of(view);
    return (struct point){width,
                          frame.answer == NULL ? width / 2 : panel->height(view, &frame, width)};
}

void view_why_attribution(struct view *view, struct rect area)
{
    draw_alone(view, area, &panel_parts);
}

void view_why_effects(struct view *view, struct rect area)
{
    draw_alone(view, area, &panel_turns);
}

void view_why_through_lens(struct view *view, struct rect area)
{
    draw_alone(view, area, &panel_lens);
}

struct point view_why_size(struct view *view)
{
    static const float WIDE = 760, HALF = (WIDE - UI_GUTTER) / 2;
    view->style = view_style(view, true);
    const struct why_frame frame = why_frame_of(view);
    if (frame.answer == NULL) {
        return (struct point){WIDE, WIDE / 2};
    }
    const float right = view_why_turns_height(view, &frame, HALF) + UI_GUTTER +
                        view_why_takes_height(view, &frame, HALF);
    return (struct point){WIDE, ceilf(view_why_strip_height(view, &frame, WIDE) + UI_GUTTER +
                                      fmaxf(view_why_parts_height(view, &frame, HALF), right) +
                                      UI_GUTTER + view_why_lens_height(view, &frame, WIDE) +
                                      UI_GUTTER + view_why_formula_height(view, &frame, WIDE))};
}

struct point view_why_attribution_size(struct view *view)
{
    return size_alone(view, 480, &panel_parts);
}

struct point view_why_effects_size(struct view *view)
{
    return size_alone(view, 480, &panel_turns);
}

struct point view_why_through_lens_size(struct view *view)
{
    return size_alone(view, 640, &panel_lens);
}
