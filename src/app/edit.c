#include "app/edit.h"

#include <stdio.h>
#include <string.h>

#include "lab/edits.h"

void app_edit_close(struct app_state *state)
{
    state->view.armed = state->view.edit_open = state->view.edit_new = false;
    state->view.dragging_number = false;
    state->edit_begun = false;
}

/* "type Q of dog": the word where rows are words, else the row's number. */
static void name_change(const struct app_state *state, const struct lab_cell *cell,
                        char name[APP_NAME_MAX])
{
    const struct lab_matrix matrix = lab_trace_part(state->trace, cell->part, cell->head);
    if (matrix.row_words != NULL && cell->row < matrix.rows) {
        snprintf(name, APP_NAME_MAX, "type %s of %.24s", matrix.name, matrix.row_words[cell->row]);
    } else {
        snprintf(name, APP_NAME_MAX, "type %s, row %zu", matrix.name, cell->row + 1);
    }
}

/* One field or one drag is one step of history, however many numbers it passes. */
static bool take(struct app_state *state, const struct view_wish *wish,
                 const struct lab_experiment *next, double time)
{
    if (lab_experiment_equal(next, &state->experiment)) {
        return false;
    }
    if (state->edit_begun) {
        app_state_put(state, next);
    } else {
        char name[APP_NAME_MAX];
        if (wish->text != NULL) {
            snprintf(name, sizeof name, "%s", wish->text);
        } else {
            name_change(state, &wish->cell, name);
        }
        app_state_change(state, next, name, time);
        state->edit_begun = true;
    }
    return true;
}

static bool edit(struct app_state *state, const struct view_wish *wish, double time)
{
    if (state->trace == NULL) {
        return false;
    }
    struct lab_experiment next;
    struct error error = {0};
    lab_experiment_copy(&next, &state->experiment);
    const struct lab_edit number = {.part = wish->cell.part,
                                    .head = wish->cell.head,
                                    .row = wish->cell.row,
                                    .column = wish->cell.column,
                                    .value = (float)wish->number};
    bool changed = false;
    if (lab_experiment_edit(&next, &number, &error)) {
        changed = take(state, wish, &next, time);
    } else {
        app_state_say(state, time, "%s", error.text);
    }
    lab_experiment_release(&next);
    state->view.dragging_number = !state->view.edit_open;
    return changed;
}

static bool restore(struct app_state *state, const struct lab_cell *cell, double time)
{
    struct lab_experiment next;
    struct error error = {0};
    lab_experiment_copy(&next, &state->experiment);
    state->edit_begun = false;
    bool changed = false;
    if (lab_experiment_restore(&next, cell->part, cell->head, cell->row, cell->column, &error)) {
        app_state_change(state, &next, "restore a number", time);
        changed = true;
    } else {
        app_state_say(state, time, "%s", error.text);
    }
    lab_experiment_release(&next);
    return changed;
}

bool app_edit_apply(struct app_state *state, const struct view_wish *wish, double time,
                    bool *changed)
{
    struct view_state *view = &state->view;
    *changed = true;
    switch (wish->kind) {
    case VIEW_WISH_GRAB:
        state->edit_begun = view->dragging_number = false;
        return true;
    case VIEW_WISH_ARM:
        app_edit_close(state);
        view->armed = true;
        view->edit_cell = wish->cell;
        return true;
    case VIEW_WISH_OPEN:
        app_edit_close(state);
        view->edit_open = view->edit_new = true;
        view->edit_cell = wish->cell;
        view->edit_matrix = (uint32_t)wish->index;
        return true;
    case VIEW_WISH_EDIT:
        view->edit_new = false;
        *changed = edit(state, wish, time);
        return true;
    case VIEW_WISH_RESTORE:
        *changed = restore(state, &wish->cell, time);
        return true;
    case VIEW_WISH_CLOSE:
        if (wish->other == 0 && state->edit_begun) {
            app_state_undo(state);
        }
        app_edit_close(state);
        return true;
    case VIEW_WISH_NO_NUMBER:
        app_state_say(state, time, "“%.40s” is not a number; what stood there stays.", wish->text);
        return true;
    default:
        *changed = false;
        return false;
    }
}
