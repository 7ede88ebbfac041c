#include "view/pieces.h"

#include <string.h>

void view_action(struct view *view, const struct view_action *action)
{
    size_t at = view->actions < VIEW_ACTIONS_MAX ? view->actions++ : VIEW_ACTIONS_MAX - 1;
    view->action[at] = *action;
}

void view_action_select(struct view *view, unsigned parts, struct lab_selection selection)
{
    view_action(view, &(struct view_action){
                          .kind = VIEW_ACTION_SELECT, .parts = parts, .selection = selection});
}

void view_action_hover(struct view *view, unsigned parts, struct lab_selection selection)
{
    view_action(view, &(struct view_action){
                          .kind = VIEW_ACTION_HOVER, .parts = parts, .selection = selection});
}

void view_action_command(struct view *view, const char *name)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_COMMAND, .text = name});
}

enum lab_guess view_guess(const struct view *view)
{
    return view->state->revealed ? LAB_GUESS_NONE : view->state->guess;
}

struct rect view_panel(struct view *view, struct rect area, const char *label)
{
    const struct ui_theme *theme = view->ui->theme;
    canvas_group(view->ui->canvas, ui_id(view->ui, label), label);
    canvas_rect(view->ui->canvas, area, UI_CORNER,
                &(struct paint){.fill = theme->panel, .stroke = theme->line, .width = 1});
    return rect_inset(area, UI_EDGE);
}

static const struct view_picture pictures[] = {
    {"window", view_screen, true, NULL},
    {"stage", view_stage, true, NULL},
    {"space", view_space, false, NULL},
    {"heads", view_heads, false, NULL},
    {"head", view_head, false, NULL},
    {"matrix", view_single_matrix, true, view_single_matrix_size},
    {"glance", view_head_overview_panel, false, NULL},
    {"formula", view_formula, false, NULL},
    {"kinds", view_kinds_sheet, false, NULL},
    {"decode", view_decode, false, NULL},
    {"costs", view_costs, false, NULL},
};

const struct view_picture *view_picture_at(size_t index)
{
    return index < sizeof pictures / sizeof *pictures ? &pictures[index] : NULL;
}

const struct view_picture *view_picture_find(const char *name)
{
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        if (strcmp(pictures[i].name, name) == 0) {
            return &pictures[i];
        }
    }
    return NULL;
}
