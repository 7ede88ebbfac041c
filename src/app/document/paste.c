/* Pasted numbers: which matrix they are for, whether they fit into it, and how they get there. */
#include "app/document/paste.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "file/pasted.h"
#include "lab/experiment/edits.h"
#include "view/parts/pieces.h"

/* Where a stage ends with a result: the matrices it is computed from. */
static const char *const sources[LAB_STAGES] = {
    [LAB_SCORE] = "S is computed from Q and K: click a number of Q or K first, then paste.",
    [LAB_SCALE] = "These are scores, computed from Q and K: paste into Q or K at the stage Score.",
    [LAB_BLEND] = "Z is computed from α and V: click a number of α or V first, then paste.",
    [LAB_OUTPUT] = "O is computed from Z and W_O: click a number of W_O first, then paste.",
};

/* The matrix that the text is meant for, and the number in it that was clicked; chosen false: none
 * was. */
static bool find_target(const struct app_state *state, struct lab_cell *cell, bool *chosen,
                        struct error *error)
{
    const struct view_state *view = &state->view;
    const struct lab_selection selection = app_state_selection(state);
    *chosen = view->armed || view->edit_open;
    if (*chosen && lab_cell_exists(state->document.trace, &view->edit_cell)) {
        *cell = view->edit_cell;
        return true;
    }
    *chosen = false;
    *cell = (struct lab_cell){.part = lab_cell_part(view->playback.stage, &selection),
                              .head = selection.head};
    if (!lab_edits_may(cell->part)) {
        return error_set(error, ERROR_INPUT, "%s", tr(sources[view->playback.stage]));
    }
    cell->head = cell->part == LAB_EMBEDDINGS_X ? 0 : cell->head;
    return lab_trace_part(state->document.trace, cell->part, cell->head).values != NULL ||
           error_set(error, ERROR_INPUT,
                     "There is no matrix here that numbers could be pasted into.");
}

/* Where the numbers go: the whole matrix; whole rows or columns, or a block of them, from the cell
 * that was clicked. */
static bool find_block(const struct lab_matrix *matrix, const struct lab_cell *cell, bool chosen,
                       const struct pasted *pasted, struct lab_edit_block *block,
                       struct error *error)
{
    *block = (struct lab_edit_block){.part = cell->part,
                                     .head = cell->head,
                                     .rows = pasted->rows,
                                     .columns = pasted->cols,
                                     .values = pasted->values};
    const bool all_rows = pasted->rows == matrix->rows, all_columns = pasted->cols == matrix->cols;
    if (all_rows && all_columns) {
        return true;
    }
    block->row = all_rows ? 0 : cell->row;
    block->column = all_columns ? 0 : cell->column;
    if (chosen && block->row + pasted->rows <= matrix->rows &&
        block->column + pasted->cols <= matrix->cols) {
        return true;
    }
    if (pasted->rows == matrix->cols && pasted->cols == matrix->rows) {
        return error_set(error, ERROR_INPUT,
                         "This is %zu × %zu; %s is %zu × %zu: Ctrl+Shift+V pastes it transposed.",
                         pasted->rows, pasted->cols, matrix->name, matrix->rows, matrix->cols);
    }
    const bool smaller = pasted->rows <= matrix->rows && pasted->cols <= matrix->cols;
    return smaller
               ? error_set(error, ERROR_INPUT,
                           "This is %zu × %zu; %s is %zu × %zu: click the number that it should "
                           "begin at, with room for all of it.",
                           pasted->rows, pasted->cols, matrix->name, matrix->rows, matrix->cols)
               : error_set(error, ERROR_INPUT, "This is %zu × %zu; %s is %zu × %zu.", pasted->rows,
                           pasted->cols, matrix->name, matrix->rows, matrix->cols);
}

/* An empty cell of weights is a masked one: nothing of the row goes there. Elsewhere there is no
 * number to put. */
static bool fill_gaps(struct lab_edit_block *block, struct arena *arena, struct error *error)
{
    const size_t count = block->rows * block->columns;
    float *const values = arena_array(arena, count + 1, sizeof *values);
    if (values == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to paste that.");
    }
    for (size_t i = 0; i < count; i++) {
        const bool is_gap = isnan(block->values[i]);
        if (is_gap && block->part != LAB_ALPHA) {
            return error_set(error, ERROR_INPUT, "Row %zu has no number in column %zu.",
                             i / block->columns + 1, i % block->columns + 1);
        }
        values[i] = is_gap ? 0 : block->values[i];
    }
    block->values = values;
    return true;
}

static bool are_weights(const struct lab_edit_block *block, struct error *error)
{
    for (size_t i = 0; block->part == LAB_ALPHA && i < block->rows * block->columns; i++) {
        if (block->values[i] < 0 || block->values[i] > 1) {
            char number[TEXT_NUMBER_MAX];
            return error_set(error, ERROR_INPUT, "A weight lies between 0 and 1; %s does not.",
                             text_number_exact(number, block->values[i]));
        }
    }
    return true;
}

/* Notes the numbers that would stand there if nothing were typed over: where the text says the
 * same, nothing is typed. */
static bool note_computed(const struct app_state *state, struct lab_edit_block *block,
                          struct arena *arena, struct error *error)
{
    const size_t count = block->rows * block->columns;
    float *computed = arena_array(arena, count, sizeof *computed);
    for (size_t i = 0; computed != NULL && i < count; i++) {
        computed[i] = lab_trace_origin_value(state->document.trace, block->part, block->head,
                                             block->row + i / block->columns,
                                             block->column + i % block->columns);
    }
    block->computed = computed;
    return computed != NULL ||
           error_set(error, ERROR_MEMORY, "There is not enough memory to paste that.");
}

/* A table without words begins with a row that counts its columns, where it has one row more than
 * the matrix: that is no row of numbers. */
static struct pasted without_count(const struct pasted *pasted, const struct lab_matrix *matrix)
{
    struct pasted all = *pasted;
    bool counts = all.rows == matrix->rows + 1 && all.cols == matrix->cols;
    for (size_t column = 0; counts && column < all.cols; column++) {
        counts = all.values[column] == (float)column;
    }
    return counts ? (struct pasted){all.rows - 1, all.cols, all.values + all.cols} : all;
}

/* The numbers that were read are typed over the matrix at the cell. */
static bool put_numbers(struct app_state *state, const struct lab_cell *cell, bool chosen,
                        const struct pasted *copied, struct arena *arena, double time,
                        struct error *error)
{
    struct lab_edit_block block;
    const struct lab_matrix matrix = lab_trace_part(state->document.trace, cell->part, cell->head);
    const struct pasted table = without_count(copied, &matrix), *const pasted = &table;
    if (!find_block(&matrix, cell, chosen, pasted, &block, error) ||
        !fill_gaps(&block, arena, error) || !are_weights(&block, error) ||
        !note_computed(state, &block, arena, error)) {
        return false;
    }
    struct lab_experiment next;
    lab_experiment_copy(&next, document_present(&state->document));
    const bool typed = lab_experiment_edit_block(&next, &block, error);
    if (typed) {
        char name[APP_NAME_MAX];
        snprintf(name, sizeof name, tr("paste %s"), matrix.name);
        const size_t count = pasted->rows * pasted->cols;
        app_state_show_message(
            state, time,
            tr_n("%s: %zu × %zu number pasted.", "%s: %zu × %zu numbers pasted.", count),
            matrix.name, pasted->rows, pasted->cols);
        document_change(&state->document, &next, name, time);
    }
    lab_experiment_release(&next);
    return typed;
}

/* Rows become columns. Owned by the arena; false: no memory. */
static bool transpose_pasted(struct pasted *pasted, struct arena *arena)
{
    float *const values = arena_array(arena, pasted->rows * pasted->cols + 1, sizeof *values);
    for (size_t i = 0; values != NULL && i < pasted->rows * pasted->cols; i++) {
        values[i % pasted->cols * pasted->rows + i / pasted->cols] = pasted->values[i];
    }
    *pasted = (struct pasted){pasted->cols, pasted->rows, values};
    return values != NULL;
}

static bool refuse_words(struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "There are no numbers in what was copied. Words are pasted into the field at "
                     "the top: click beside them first.");
}

static bool paste_numbers(struct app_state *state, const char *text, bool transposed,
                          struct arena *arena, double time, struct error *error)
{
    struct lab_cell cell;
    bool chosen = false;
    struct pasted pasted;
    const struct bytes bytes = {(const uint8_t *)text, strlen(text)};
    const bool has_target = find_target(state, &cell, &chosen, error);
    const bool has_words =
        text[strspn(text, " \t\r\n")] != '\0' && strpbrk(text, "0123456789") == NULL;
    if (has_target && has_words && !pasted_read(bytes, arena, &pasted, error)) {
        return refuse_words(error);
    }
    if (has_target || chosen) {
        return has_target && pasted_read(bytes, arena, &pasted, error) &&
               (!transposed || transpose_pasted(&pasted, arena)) &&
               put_numbers(state, &cell, chosen, &pasted, arena, time, error);
    }
    return !pasted_read(bytes, arena, &pasted, error) && refuse_words(error);
}

bool app_paste_numbers(struct app_state *state, const float *values, size_t rows, size_t cols,
                       double time, struct error *error)
{
    struct arena arena = {0};
    struct lab_cell cell;
    bool chosen = false;
    for (size_t i = 0; i < rows * cols; i++) {
        if (!isfinite(values[i])) {
            return error_set(error, ERROR_INPUT, "A number that is typed must be finite.");
        }
    }
    const struct pasted pasted = {rows, cols, values};
    const bool done = state->document.trace != NULL && find_target(state, &cell, &chosen, error) &&
                      chosen && put_numbers(state, &cell, chosen, &pasted, &arena, time, error);
    arena_free(&arena);
    return done;
}

static void paste_matrix(struct app_state *state, const char *text, bool transposed, double time)
{
    struct arena arena = {0};
    struct error error = {0};
    if (state->document.trace == NULL) {
        app_state_show_message(state, time, "Without words there is no matrix to paste into.");
    } else if (!paste_numbers(state, text, transposed, &arena, time, &error)) {
        app_state_show_toast(state, time, "%s", error.text);
    }
    arena_free(&arena);
}

void app_paste(struct app_state *state, const char *text, double time)
{
    paste_matrix(state, text, false, time);
}

void app_paste_transposed(struct app_state *state, const char *text, double time)
{
    paste_matrix(state, text, true, time);
}
