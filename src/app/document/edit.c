/* The field of a number: opened, typed into, dragged, closed; each time the numbers are checked
 * before they become the experiment. */
#include "app/document/edit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/document/hints.h"
#include "app/document/weight_row.h"
#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/edits.h"

/* "type Q of dog": the word where rows are words, else the row's number. */
static void name_change(const struct app_state *state, const struct lab_cell *cell,
                        char name[APP_NAME_MAX])
{
    const char *how = state->view.edit_open ? "type" : "drag";
    const struct lab_matrix matrix = lab_trace_part(state->document.trace, cell->part, cell->head);
    if (matrix.row_words != NULL && cell->row < matrix.rows) {
        snprintf(name, APP_NAME_MAX, "%s %s of %.24s", how, matrix.name,
                 matrix.row_words[cell->row]);
    } else {
        snprintf(name, APP_NAME_MAX, tr("%s %s, row %zu"), how, matrix.name, cell->row + 1);
    }
}

/* One field or one drag is one step of history, however many numbers it passes. */
static bool record_edit(struct app_state *state, const struct view_action *action,
                        const struct lab_experiment *next, double time)
{
    if (lab_experiment_equal(next, document_present(&state->document))) {
        return false;
    }
    if (app_state_edit_begun(state)) {
        document_change(&state->document, next, NULL, time);
    } else {
        char name[APP_NAME_MAX];
        if (action->edit.name != NULL) {
            snprintf(name, sizeof name, "%s", action->edit.name);
        } else {
            name_change(state, &action->edit.cell, name);
        }
        document_change(&state->document, next, name, time);
        state->own_step = document_wanted_number(&state->document);
    }
    return true;
}

/* The weights of the row as they were when the drag began. */
static bool note_row(struct app_state *state, const struct lab_cell *cell, struct error *error)
{
    const struct lab_matrix alpha = lab_trace_part(state->document.trace, LAB_ALPHA, cell->head);
    float *const row = realloc(state->drag_row, alpha.cols * sizeof *row);
    if (row == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for that.");
    }
    state->drag_row = row;
    state->drag_row_count = alpha.cols;
    for (size_t j = 0; j < alpha.cols && cell->row < alpha.rows; j++) {
        row[j] = lab_matrix_at(&alpha, cell->row, j);
    }
    return true;
}

/* Makes the experiment with the number. False: a sentence. */
static bool put_number(struct app_state *state, const struct view_action *action,
                       struct lab_experiment *next, struct error *error)
{
    const struct lab_cell *cell = &action->edit.cell;
    double number = action->edit.number;
    if (cell->part == LAB_ALPHA && state->view.edit_open && !(number >= 0 && number <= 1)) {
        char text[TEXT_NUMBER_MAX];
        return error_set(error, ERROR_INPUT,
                         "A weight lies between 0 and 1: %s is not taken; what stood there stays.",
                         text_number_exact(text, (float)number));
    }
    if (cell->part == LAB_ALPHA) {
        number = fmin(1, fmax(0, number));
    }
    if (cell->part == LAB_ALPHA && action->edit.shares &&
        lab_cell_exists(state->document.trace, cell)) {
        /* A drag may begin as one that leaves the others alone, and words may come in between. */
        const bool noted = app_state_edit_begun(state) && state->drag_row != NULL &&
                           state->drag_row_count == lab_trace_sizes(state->document.trace).m;
        return (noted || note_row(state, cell, error)) &&
               app_weight_row_share(next, state->document.trace, cell, number, state->drag_row,
                                    error);
    }
    const struct lab_edit typed = {.part = cell->part,
                                   .head = cell->head,
                                   .row = cell->row,
                                   .column = cell->column,
                                   .value = (float)number};
    return lab_experiment_edit(next, &typed, error);
}

/* Returns whether the number stands there already: then Enter types nothing over. */
static bool stands_there(const struct app_state *state, const struct view_action *action)
{
    const struct lab_cell *const cell = &action->edit.cell;
    if (app_state_edit_begun(state) || !state->view.edit_open ||
        !lab_cell_exists(state->document.trace, cell)) {
        return false;
    }
    const struct lab_matrix part = lab_trace_part(state->document.trace, cell->part, cell->head);
    const float number = (float)action->edit.number;
    return !(lab_matrix_at(&part, cell->row, cell->column) < number) &&
           !(lab_matrix_at(&part, cell->row, cell->column) > number);
}

/* Undoes what was typed or dragged so far, as it cannot be taken or is given up. Returns whether
 * anything was. */
static bool take_back_edit(struct app_state *state, double time)
{
    const bool begun = app_state_edit_begun(state);
    if (begun) {
        document_take_back(&state->document, time);
    }
    state->own_step = 0;
    return begun;
}

static bool edit_number(struct app_state *state, const struct view_action *action, double time)
{
    if (state->document.trace == NULL || stands_there(state, action)) {
        return false;
    }
    struct lab_experiment next;
    struct error error = {0};
    lab_experiment_copy(&next, document_present(&state->document));
    bool changed = false;
    if (!app_state_edit_begun(state)) {
        free(state->drag_row); /* of a former drag */
        state->drag_row = NULL;
    }
    if (!put_number(state, action, &next, &error)) {
        app_state_show_message(state, time, "%s", error.text);
        changed = take_back_edit(state, time);
    } else {
        changed = record_edit(state, action, &next, time);
        if (!document_is_pending(&state->document)) {
            app_weight_row_note_sum(state, &action->edit.cell, time);
        }
    }
    lab_experiment_release(&next);
    state->view.dragging_number = !state->view.edit_open;
    return changed;
}

/* Restores the number that was typed over, or all of its matrix. */
static bool let_go(const struct app_state *state, const struct view_action *action,
                   struct lab_experiment *next, char name[APP_NAME_MAX], struct error *error)
{
    const struct lab_cell *cell = &action->edit.cell;
    if (!action->edit.whole || state->document.trace == NULL) {
        snprintf(name, APP_NAME_MAX, tr("restore a number"));
        return lab_experiment_restore(next, cell->part, cell->head, cell->row, cell->column, error);
    }
    const struct lab_matrix matrix = lab_trace_part(state->document.trace, cell->part, cell->head);
    snprintf(name, APP_NAME_MAX, tr("restore all of %s"), matrix.name);
    return lab_experiment_edit_block(
        next,
        &(struct lab_edit_block){
            .part = cell->part, .head = cell->head, .rows = matrix.rows, .columns = matrix.cols},
        error);
}

static bool restore_number(struct app_state *state, const struct view_action *action, double time)
{
    struct lab_experiment next;
    struct error error = {0};
    char name[APP_NAME_MAX];
    lab_experiment_copy(&next, document_present(&state->document));
    state->own_step = 0;
    const bool changed = let_go(state, action, &next, name, &error);
    if (changed) {
        document_change(&state->document, &next, name, time);
    } else {
        app_state_show_message(state, time, "%s", error.text);
    }
    lab_experiment_release(&next);
    return changed;
}

/* A field or a drag is over; what was typed stays, unless it was given up. */
static void close_number(struct app_state *state, bool keeps, double time)
{
    const bool drags = state->view.dragging_number;
    if (!keeps) {
        take_back_edit(state, time);
    }
    app_state_leave_number(state);
    state->view.drag_given_up = drags && !keeps;
}

bool app_edit_apply(struct app_state *state, const struct view_action *action, double time)
{
    struct view_state *view = &state->view;
    switch (action->kind) {
    case VIEW_ACTION_GRAB:
        state->own_step = 0;
        view->dragging_number = view->drag_given_up = false;
        return true;
    case VIEW_ACTION_ARM:
        app_state_leave_number(state);
        view->armed = true;
        view->edit_cell = action->edit.cell;
        return true;
    case VIEW_ACTION_OPEN:
        app_state_leave_number(state);
        view->edit_open = view->edit_new = true;
        app_hint_used(state, VIEW_HINT_EDIT);
        view->edit_cell = action->edit.cell;
        view->edit_matrix = action->edit.matrix;
        return true;
    case VIEW_ACTION_EDIT:
        view->edit_new = false;
        return edit_number(state, action, time);
    case VIEW_ACTION_RESTORE:
        return restore_number(state, action, time);
    case VIEW_ACTION_CLOSE:
        close_number(state, action->edit.stays, time);
        return true;
    case VIEW_ACTION_NO_NUMBER:
        app_state_show_message(state, time, "“%.40s” is not a number; what stood there stays.",
                               action->text);
        take_back_edit(state, time);
        return true;
    default:
        return false;
    }
}
