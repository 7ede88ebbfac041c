/* The settings of training: the task, the size of the model, how it learns, and what the stages
 * show of it. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/learn/time.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

static const float HEADING = 22, CONTROL = 30, SLIDER = 40, TOGGLE = 26, GAP = 5, SECTION = 8;
static const float CLOSER = 0.15f; /* share by which controls shrink where room is scarce */
static const float NEARER = 3;     /* points by which gaps shrink then */

/* The titles of the groups of sliders and switches. */
static const char *const titles[] = {NULL, "WEIGHTS", "LEARNING"};

struct stack {
    float x, y, width;
    float tight; /* 0: roomy; 1: as close as can be read */
    bool draw;
};

static struct rect next_control(struct stack *stack, float high)
{
    high *= 1 - CLOSER * stack->tight;
    const struct rect place = {stack->x, stack->y, stack->width, high};
    stack->y += high + GAP - NEARER * stack->tight;
    return place;
}

static void add_gap(struct stack *stack)
{
    stack->y += SECTION * (1 - 0.7f * stack->tight);
}

static void draw_title(struct view *view, struct stack *stack, const char *title)
{
    if (stack->draw) {
        canvas_text(view->ui->canvas, stack->x, stack->y + 13, FONT_WORDS_BOLD, UI_TEXT_TINY,
                    view->ui->theme->muted, CANVAS_LEFT, tr(title));
    }
    stack->y += HEADING - 3 * stack->tight;
}

static void draw_task_menu(struct view *view, struct rect place)
{
    const struct view_learn *const learn = view->state->learn;
    const struct ui_menu menu = {.rows = learn->tasks,
                                 .count = learn->tasks_count,
                                 .current = learn->task_at,
                                 .label = learn->task_at >= learn->tasks_count ? learn->task : NULL,
                                 .tip = "What the weights learn from"};
    const size_t chosen = ui_menu(view->ui, "learn from", place, &menu);
    if (chosen < learn->tasks_count && chosen != learn->task_at) {
        view_learn_action(view, VIEW_LEARN_START, chosen, 0);
    }
}

/* Draws the choice of words or letters as the units of own text. */
static void draw_unit_tabs(struct view *view, struct rect place)
{
    static const char *const labels[] = {"words", "letters"};
    static const char *const tips[] = {"Learn word by word, from the beginning: Undo returns",
                                       "Learn letter by letter, from the beginning: Undo returns"};
    enum { UNITS = sizeof labels / sizeof *labels };
    const size_t current = view->state->learn->letters ? 1 : 0;
    const size_t chosen = ui_tabs(view->ui, "units", place, labels, UNITS, current);
    ui_tab_tips(view->ui, "units", place, tips, UNITS);
    if (chosen < UNITS && chosen != current) {
        view_learn_action(view, VIEW_LEARN_UNITS, chosen, 0);
    }
}

/* Draws the menu "Learned", with buttons for another seed and to begin anew. */
static void draw_weights(struct view *view, struct rect place)
{
    static const char *const kinds[] = {"Learned", "As they are: they learn no more"};
    const struct ui_menu menu = {
        .rows = kinds, .count = 2, .current = 0, .tip = "Where the weights come from"};
    const struct rect dice = {place.x + place.w - place.h, place.y, place.h, place.h};
    const struct rect restart = {dice.x - place.h - 5, place.y, place.h, place.h};
    place.w -= 2 * place.h + 11;
    if (ui_menu(view->ui, "learned weights", place, &menu) == 1) {
        view_learn_action(view, VIEW_LEARN_LEAVE, 0, 0);
    }
    if (ui_button(view->ui, "again", restart,
                  &(struct ui_button){.icon = UI_ICON_TO_START,
                                      .tip = "Begin anew with the same seed"})) {
        view_learn_action(view, VIEW_LEARN_AGAIN, 0, 0);
    }
    if (ui_button(view->ui, "other seed", dice,
                  &(struct ui_button){.icon = UI_ICON_DICE,
                                      .tip = "Roll: begin anew with another seed"})) {
        const struct record *const rows = view->state->learn->recipe_rows;
        view_learn_action(view, VIEW_LEARN_SET, record_index(rows, record_find(rows, "seed")),
                          fmod(view_learn_seed(view->state->learn) + 1, 100));
    }
}

/* Draws the switch of two seeds at the end of the heading's line. */
static void draw_two_seeds(struct view *view, struct rect line)
{
    const float wide = 46, high = 19;
    const bool beside = view->state->learn->beside;
    const struct rect place = {line.x + line.w - wide, line.y + line.h - high - 2, wide, high};
    if (ui_button(
            view->ui, "two seeds", place,
            &(struct ui_button){.label = "A | B",
                                .style = beside ? UI_BUTTON_CURRENT : UI_BUTTON_PLAIN,
                                .tip = "Another seed beside this one: both follow the track"})) {
        view_learn_action(view, VIEW_LEARN_BESIDE, 0, 0);
    }
}

/* Small values have as many decimals as the row says, larger ones fewer. */
static int count_decimals(const struct record_row *row, double value)
{
    const int fewer = row->step > 0 ? 0 : value >= 0.01 ? 2 : value >= 0.001 ? 1 : 0;
    return row->decimals - fewer;
}

static void draw_setting(struct view *view, struct rect place, const struct record_row *row)
{
    const struct view_learn *const learn = view->state->learn;
    const size_t which = record_index(learn->recipe_rows, row);
    double value = record_get(row, learn->recipe);
    if (row->toggle) {
        if (ui_toggle(view->ui, row->label, place, row->label, value > 0, row->tip)) {
            view_learn_action(view, VIEW_LEARN_SET, which, value > 0 ? 0 : 1);
        }
        return;
    }
    const struct ui_slider slider = {.label = row->label,
                                     .value = value,
                                     .low = row->slider_low > 0 ? row->slider_low : row->low,
                                     .high = row->slider_max > 0 ? row->slider_max : row->high,
                                     .step = row->step,
                                     .logarithmic = row->logarithmic,
                                     .decimals = count_decimals(row, value),
                                     .tip = row->tip};
    if (ui_slider(view->ui, row->label, place, &slider, &value)) {
        view_learn_action(view, VIEW_LEARN_SET, which, value);
    }
}

static size_t control_rank(const struct record_row *row)
{
    return row->control_rank;
}

static void draw_show_tabs(struct view *view, struct rect place)
{
    static const char *const labels[VIEW_LEARN_SHOWS] = {"value", "gradient", "change"};
    static const char *const tips[VIEW_LEARN_SHOWS] = {
        "The numbers themselves",
        "How the loss of these words would change if a number grew a little",
        "What has changed since the step before, or since the moment that is pinned"};
    const size_t current = view->state->learn->show;
    const size_t chosen = ui_tabs(view->ui, "show", place, labels, VIEW_LEARN_SHOWS, current);
    ui_tab_tips(view->ui, "show", place, tips, VIEW_LEARN_SHOWS);
    if (chosen < VIEW_LEARN_SHOWS && chosen != current) {
        view_learn_action(view, VIEW_LEARN_SHOW, chosen, 0);
    }
}

/* Draws the menu of changes by hand from this step on, each of which is a branch that undo takes
 * back. */
static void draw_edit_menu(struct view *view, struct rect place)
{
    enum { SWITCH, FREEZE_HEAD, DATA, FREEZE_MATRIX, ROWS };
    const struct view_learn *const learn = view->state->learn;
    const size_t head = view->selection.head < learn->heads ? view->selection.head : 0;
    const size_t at = learn->layer * learn->heads + head;
    const bool off = learn->off != NULL && learn->off[at];
    const bool frozen = learn->frozen != NULL && learn->frozen[at];
    const char **const list = arena_array(view->arena, ROWS, sizeof *list);
    const char *const label = tr("From here on …");
    if (list == NULL) {
        return;
    }
    list[SWITCH] = arena_format(view->arena, off ? "Switch L%zuH%zu on" : "Switch L%zuH%zu off",
                                learn->layer, head);
    list[FREEZE_HEAD] = arena_format(
        view->arena, frozen ? "Let L%zuH%zu learn again" : "Freeze L%zuH%zu", learn->layer, head);
    list[DATA] = tr("Other data");
    list[FREEZE_MATRIX] = arena_format(
        view->arena, learn->matrix_frozen ? "Let %s learn again" : "Freeze %s", learn->matrix);
    const struct ui_menu menu = {
        .rows = list,
        .count = learn->matrix == NULL ? FREEZE_MATRIX : ROWS,
        .current = ROWS,
        .label = label,
        .tip = "Change something by hand in the middle: training goes on from there, Undo returns"};
    const size_t chosen = ui_menu(view->ui, "by hand", place, &menu);
    if (chosen == SWITCH || chosen == FREEZE_HEAD) {
        view_learn_action(view, chosen == SWITCH ? VIEW_LEARN_SWITCH : VIEW_LEARN_FREEZE_HEAD, at,
                          0);
    } else if (chosen < menu.count) {
        view_learn_action(view, chosen == DATA ? VIEW_LEARN_DATA : VIEW_LEARN_FREEZE, 0, 0);
    }
}

/* Draws the title of a group, and below that of the weights where they come from. */
static void draw_group_title(struct view *view, struct stack *stack, unsigned group)
{
    add_gap(stack);
    const float top = stack->y;
    draw_title(view, stack, titles[group]);
    if (group == 1) {
        const struct rect line = {stack->x, top, stack->width, stack->y - top};
        const struct rect weights = next_control(stack, CONTROL);
        if (stack->draw) {
            draw_two_seeds(view, line);
            draw_weights(view, weights);
        }
    }
}

float view_learn_settings(struct view *view, struct point at, float width, float tight, bool draw)
{
    struct stack stack = {at.x, at.y, width, tight, draw};
    ui_push(view->ui, "learn settings");
    draw_title(view, &stack, "LEARN FROM");
    const struct rect task = next_control(&stack, CONTROL);
    if (draw) {
        draw_task_menu(view, task);
    }
    if (view->state->learn->cuts) {
        const struct rect units = next_control(&stack, CONTROL);
        if (draw) {
            draw_unit_tabs(view, units);
        }
    }
    unsigned group = 0;
    const struct record_row *row = NULL;
    for (size_t r = 0;
         (row = record_in_order(view->state->learn->recipe_rows, control_rank, r)) != NULL; r++) {
        if (!record_applies(view->state->learn->recipe_rows, row, view->state->learn->recipe)) {
            continue;
        }
        if (row->group != group) {
            draw_group_title(view, &stack, group = row->group);
        }
        const struct rect place = next_control(&stack, row->toggle ? TOGGLE : SLIDER);
        if (draw) {
            draw_setting(view, place, row);
        }
    }
    add_gap(&stack);
    draw_title(view, &stack, "SHOW");
    const struct rect show = next_control(&stack, CONTROL);
    if (draw) {
        draw_show_tabs(view, show);
    }
    const struct rect edits = next_control(&stack, CONTROL);
    if (draw) {
        draw_edit_menu(view, edits);
    }
    ui_pop(view->ui);
    add_gap(&stack);
    return stack.y;
}
