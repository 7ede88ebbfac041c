/* What the panels of Why share: numbers as texts, what is selected and in which order, and what
 * they ask for. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/why/why_panels.h"

const char *why_number(struct view *view, double value, int decimals)
{
    char text[TEXT_NUMBER_MAX];
    text_number(text, value, decimals);
    const char *const own = arena_text(view->arena, text, strlen(text));
    return own == NULL ? "" : own;
}

/* A small number keeps a digit that says which of two is larger. */
const char *why_signed(struct view *view, double value)
{
    const double size = fabs(value);
    const int decimals = size < 0.0095 && size >= 0.00005 ? 4 : 2;
    const char *const number = why_number(view, value, decimals);
    const char *const own = value >= 0.00005 ? arena_words(view->arena, "+%s", number) : number;
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
    return one->is_off;
}

bool why_can_switch(const struct why_frame *frame, size_t part)
{
    const enum view_why_kind kind = frame->answer->part[part].kind;
    return kind == VIEW_WHY_HEAD || kind == VIEW_WHY_MLP;
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
    view_action_set(view, why_cell, 0);
}

/* The question stays what it is when the model says another word than before. */
static void pin_question(struct view *view, const struct why_frame *frame)
{
    const struct view_why_answer *const answer = frame->answer;
    view_action_set(view, why_word, answer->word.id + 1);
    view_action_set(view, why_rival,
                    answer->rival.word == NULL ? VIEW_WHY_NO_RIVAL : answer->rival.id + 1);
}

void why_act(struct view *view, const struct view_why *why, enum view_learn_act learned,
             enum view_head_overview_act opened, size_t place)
{
    if (why->learns) {
        view_learn_action(view, learned, place, 0);
    } else {
        view_head_overview_action(view, opened, place);
    }
}

void why_switch(struct view *view, const struct why_frame *frame, size_t part)
{
    const struct view_why_part *const one = &frame->answer->part[part];
    if (why_can_switch(frame, part)) {
        pin_question(view, frame);
        why_select(view, part);
        if (one->kind == VIEW_WHY_HEAD) {
            why_act(view, frame->why, VIEW_LEARN_SWITCH, VIEW_HEAD_OVERVIEW_SWITCH,
                    one->layer * frame->answer->heads + one->head);
        } else {
            view_head_overview_action(view, VIEW_HEAD_OVERVIEW_SWITCH_MLP, one->layer);
        }
    }
}

void why_pin(struct view *view, const struct why_frame *frame)
{
    pin_question(view, frame);
    why_select(view, frame->head);
}

void why_mask(struct view *view, const struct why_frame *frame, size_t key)
{
    const struct view_why_part *const one = &frame->answer->part[frame->head];
    why_pin(view, frame);
    view_action(view, &(struct view_action){
                          .kind = VIEW_ACTION_HEAD_OVERVIEW,
                          .overview = {.act = VIEW_HEAD_OVERVIEW_MASK,
                                       .which = one->layer * frame->answer->heads + one->head,
                                       .query = frame->answer->position,
                                       .key = key}});
}

void why_open_stages(struct view *view, const struct why_frame *frame, size_t key)
{
    const struct view_why_part *const one = &frame->answer->part[frame->head];
    if (one->kind != VIEW_WHY_HEAD) {
        return;
    }
    why_act(view, frame->why, VIEW_LEARN_HEAD, VIEW_HEAD_OVERVIEW_OPEN,
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

/* By the size of what they add, or of what is lost without them. */
static bool is_before(const struct view_why_part *a, const struct view_why_part *b, bool by_lost)
{
    if (by_lost && (a->has_lost || b->has_lost)) {
        return a->has_lost && (!b->has_lost || fabs(a->lost) > fabs(b->lost));
    }
    return fabs(a->adds) > fabs(b->adds);
}

/* Equal ones stay in the order of the model. */
static const size_t *sort_parts(struct view *view, const struct view_why_answer *answer)
{
    size_t *const order = arena_array(view->arena, answer->parts + 1, sizeof *order);
    for (size_t gap = answer->parts; order != NULL && gap > 0; gap--) {
        order[answer->parts - gap] = answer->parts - gap;
    }
    for (size_t p = 1; order != NULL && p < answer->parts; p++) {
        const size_t part = order[p];
        size_t at = p;
        while (at > 0 && is_before(&answer->part[part], &answer->part[order[at - 1]],
                                   view->state->why_by_lost)) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = part;
    }
    return order;
}

const char *why_part_name(struct view *view, const struct view_why_part *part)
{
    static const char of_layer[] = "attention bias "; /* behind which its number stands */
    const bool numbered = strncmp(part->name, of_layer, strlen(of_layer)) == 0;
    const char *const name =
        numbered ? arena_words(view->arena, tr("attention bias %zu"), part->layer) : tr(part->name);
    return name == NULL ? part->name : name;
}

const char *why_with_hint(struct view *view, const struct why_frame *frame)
{
    const char *const words =
        frame->with == NULL ? "" : arena_words(view->arena, tr("with %s"), frame->with);
    return words == NULL ? "" : words;
}

const char *why_with_foot(struct view *view, const struct why_frame *frame, const char *sentence)
{
    const char *const words =
        frame->with == NULL || sentence == NULL
            ? sentence
            : arena_words(view->arena, tr("With %s: %s"), frame->with, sentence);
    return words == NULL ? "" : words;
}

float why_header(const struct view *view)
{
    static const float TITLED = 36, BARE = 4;
    return view->style.has_controls || view_own_title(view, "") != NULL ? TITLED : BARE;
}

bool why_column_title(struct view *view, const char *name, struct rect area,
                      enum canvas_anchor anchor, const char *text, const char *tip)
{
    const struct ui_theme *const theme = view->ui->theme;
    const bool is_button = tip != NULL && view->style.has_controls;
    const float x = anchor == CANVAS_LEFT    ? area.x
                    : anchor == CANVAS_RIGHT ? area.x + area.w
                                             : area.x + area.w / 2;
    struct ui_touch touch = {0};
    if (is_button) {
        const uint32_t id = ui_id(view->ui, name);
        touch = ui_touch(view->ui, id, area, true);
        ui_draw_focus(view->ui, id, area, 4);
        ui_tip(view->ui, id, area, tip);
    }
    view_text_whole(view, x, area.y + 12, FONT_WORDS, UI_TEXT_SMALL,
                    touch.hover ? theme->accent : view_label_ink(view), anchor,
                    text == NULL ? "" : text, area.w);
    return touch.clicked;
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
    frame.has_marks = view->style.has_marks && (view->style.has_controls || chosen > 0);
    frame.order = sort_parts(view, answer);
    frame.asked = answer->rival.word == NULL
                      ? answer->word.word
                      : arena_words(view->arena, "%s − %s", answer->word.word, answer->rival.word);
    if (answer->changes > 0) {
        frame.with = view_why_list_changes(answer->change, answer->changes, view->arena);
    }
    if (frame.order == NULL || frame.asked == NULL) {
        frame.answer = NULL;
    }
    return frame;
}
