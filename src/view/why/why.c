/* The view of why a model says a word: its panels, what is selected in them, and its keys. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/head_overview.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

static const float FORMULA_HIGH = 118, FORMULA_LOW = 88, LOW = 560;
static const float NARROW = 1180;
static const float PARTS_SHARE = 0.40f, MIDDLE_SHARE = 0.28f, TURNS_SHARE = 0.46f;
static const float PARTS_NARROW = 0.365f, MIDDLE_NARROW = 0.315f;

/* ---- what the panels share ------------------------------------------------------------------- */

const char *why_number(struct view *view, double value, int decimals)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, value, decimals);
    const char *const own = arena_text(view->arena, text, strlen(text));
    return own == NULL ? "" : own;
}

const char *why_signed(struct view *view, double value)
{
    const char *const number = why_number(view, value, 2);
    const char *const own = value >= 0.005 ? arena_words(view->arena, "+%s", number) : number;
    return own == NULL ? "" : own;
}

const char *why_percent(struct view *view, double share)
{
    const char *const own = arena_words(view->arena, "%s %%", why_number(view, share * 100, 1));
    return own == NULL ? "" : own;
}

bool why_is_off(const struct why_frame *frame, size_t part)
{
    const struct view_why_part *const one = &frame->answer->part[part];
    return one->kind == VIEW_WHY_HEAD && frame->why->off != NULL &&
           frame->why->off[one->layer * frame->answer->heads + one->head];
}

size_t why_largest_word(const struct why_frame *frame, size_t part)
{
    const struct view_why_answer *const answer = frame->answer;
    const struct view_why_part *const one = &answer->part[part];
    const double *const words =
        answer->of_words + (one->layer * answer->heads + one->head) * answer->n;
    size_t largest = 0;
    for (size_t j = 1; j < answer->n; j++) {
        largest = fabs(words[j]) > fabs(words[largest]) ? j : largest;
    }
    return largest;
}

void why_select(struct view *view, size_t part)
{
    view_action_set(view, why_part, part + 1);
}

void why_switch(struct view *view, const struct why_frame *frame, size_t part)
{
    const struct view_why_part *const one = &frame->answer->part[part];
    if (one->kind == VIEW_WHY_HEAD && frame->why->off != NULL) {
        why_select(view, part);
        view_head_overview_action(view, VIEW_HEAD_OVERVIEW_SWITCH,
                                  one->layer * frame->answer->heads + one->head);
    }
}

void why_open_stages(struct view *view, const struct why_frame *frame, size_t key)
{
    const struct view_why_part *const one = &frame->answer->part[frame->head];
    if (one->kind != VIEW_WHY_HEAD) {
        return;
    }
    view_head_overview_action(view, VIEW_HEAD_OVERVIEW_OPEN,
                              one->layer * frame->answer->heads + one->head);
    view_action_select(
        view, VIEW_HEAD | VIEW_QUERY | VIEW_KEY,
        (struct lab_selection){.head = one->head, .query = frame->answer->position, .key = key});
    view_action_set(view, why_returns, true);
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_STAGE, .stage = LAB_SOFTMAX});
}

/* The head without which most is lost; until all were left out, the one that adds most, so that the
 * selection does not wander meanwhile. */
static size_t weightiest_head(const struct view_why_answer *answer)
{
    size_t best = 0;
    double most = -INFINITY;
    for (size_t p = 0; p < answer->parts; p++) {
        const struct view_why_part *const part = &answer->part[p];
        const double own = answer->done == answer->all ? part->lost : fabs(part->adds);
        if (part->kind == VIEW_WHY_HEAD && own > most) {
            best = p;
            most = own;
        }
    }
    return best;
}

static bool is_before(const struct view_why_part *a, const struct view_why_part *b)
{
    return fabs(a->adds) > fabs(b->adds);
}

/* By the size of what they add; equal ones stay in the order of the model. */
static const size_t *sort_parts(struct view *view, const struct view_why_answer *answer)
{
    size_t *const order = arena_array(view->arena, answer->parts + 1, sizeof *order);
    for (size_t gap = answer->parts; order != NULL && gap > 0; gap--) {
        order[answer->parts - gap] = answer->parts - gap;
    }
    for (size_t p = 1; order != NULL && p < answer->parts; p++) {
        const size_t part = order[p];
        size_t at = p;
        while (at > 0 && is_before(&answer->part[part], &answer->part[order[at - 1]])) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = part;
    }
    return order;
}

struct why_frame why_frame_of(struct view *view)
{
    const struct view_why *const why = view->state->why;
    struct why_frame frame = {.why = why, .answer = why == NULL ? NULL : why->answer};
    if (frame.answer == NULL) {
        return frame;
    }
    const struct view_why_answer *const answer = frame.answer;
    const size_t chosen = view->state->why_part;
    const size_t head = weightiest_head(answer);
    frame.selected = chosen > 0 && chosen <= answer->parts ? chosen - 1 : head;
    frame.head = answer->part[frame.selected].kind == VIEW_WHY_HEAD ? frame.selected : head;
    frame.order = sort_parts(view, answer);
    frame.asked = answer->rival.word == NULL
                      ? answer->word.word
                      : arena_words(view->arena, "%s − %s", answer->word.word, answer->rival.word);
    if (frame.order == NULL || frame.asked == NULL) {
        frame.answer = NULL;
    }
    return frame;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Selects the part that stands so many rows below. */
static void step_row(struct view *view, const struct why_frame *frame, int rows)
{
    size_t at = 0;
    while (at + 1 < frame->answer->parts && frame->order[at] != frame->selected) {
        at++;
    }
    if (rows > 0 ? at + 1 < frame->answer->parts : at > 0) {
        why_select(view, frame->order[rows > 0 ? at + 1 : at - 1]);
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

static void hear_keys(struct view *view, const struct why_frame *frame)
{
    struct ui *const ui = view->ui;
    if (!view->style.has_controls || ui->beneath) {
        return;
    }
    if (ui_stroke_consumed(ui, 0, UI_KEY_DOWN, 0)) {
        step_row(view, frame, 1);
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_UP, 0)) {
        step_row(view, frame, -1);
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_RIGHT, 0)) {
        step_head(view, frame, 1);
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_LEFT, 0)) {
        step_head(view, frame, -1);
    } else if (ui_stroke_consumed(ui, 0, 'x', UI_ALT)) {
        why_switch(view, frame, frame->head);
    } else if (ui_stroke_consumed(ui, 0, UI_KEY_ENTER, 0)) {
        why_open_stages(view, frame, why_largest_word(frame, frame->head));
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

/* One panel with a sentence, where there is no answer. */
static void draw_notice(struct view *view, struct rect area)
{
    const struct view_why *const why = view->state->why;
    view_panel(view, area, "Why");
    if (why != NULL && why->refused != NULL) {
        view_notice(view, area, "There is nothing to split here", why->refused);
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

void view_why(struct view *view, struct rect area)
{
    const struct why_frame frame = why_frame_of(view);
    ui_push(view->ui, "why");
    if (frame.answer == NULL) {
        draw_notice(view, area);
        ui_pop(view->ui);
        return;
    }
    const struct rect strip = cut_top(&area, view_why_strip_height(view, area.w));
    const float formula = area.h < LOW ? FORMULA_LOW : FORMULA_HIGH;
    struct rect panels = cut_top(&area, fmaxf(area.h - formula - UI_GUTTER, 1));
    const float wide = panels.w - 2 * UI_GUTTER;
    const bool narrow = panels.w < NARROW;
    const struct rect parts = cut_left(&panels, wide * (narrow ? PARTS_NARROW : PARTS_SHARE));
    struct rect middle = cut_left(&panels, wide * (narrow ? MIDDLE_NARROW : MIDDLE_SHARE));
    const struct rect turns = cut_top(&middle, (middle.h - UI_GUTTER) * TURNS_SHARE);
    view_why_strip(view, &frame, strip);
    ui_region(view->ui);
    view_why_parts(view, &frame, parts);
    ui_region(view->ui);
    view_why_turns(view, &frame, turns);
    view_why_takes(view, &frame, middle);
    view_why_lens(view, &frame, panels);
    view_why_formula(view, &frame, area);
    hear_keys(view, &frame);
    ui_pop(view->ui);
}

/* ---- one panel alone ------------------------------------------------------------------------- */

static void draw_alone(struct view *view, struct rect area,
                       void (*panel)(struct view *view, const struct why_frame *frame,
                                     struct rect area))
{
    const struct why_frame frame = why_frame_of(view);
    if (frame.answer == NULL) {
        draw_notice(view, area);
    } else {
        panel(view, &frame, area);
    }
}

void view_why_attribution(struct view *view, struct rect area)
{
    draw_alone(view, area, view_why_parts);
}

void view_why_effects(struct view *view, struct rect area)
{
    draw_alone(view, area, view_why_turns);
}

void view_why_through_lens(struct view *view, struct rect area)
{
    draw_alone(view, area, view_why_lens);
}
