/* What changed since the former stage: Scale against the scores, Softmax against what it was made
 * of. */
#include <math.h>

#include "ui/widgets.h"
#include "view/parts/downsample_cache.h"
#include "view/parts/pieces.h"
#include "view/parts/table.h"

/* A stage that ends with a matrix of the same shape as the one before. */
static const struct step {
    const char *title, *formula;
} steps[LAB_STAGES] = {
    [LAB_SCALE] = {"Scaled − S", "after scale and mask, minus the scores"},
    [LAB_SOFTMAX] = {"α − scaled", "the weights, minus the scores they are made of"},
};

bool view_change_is_there(const struct view *view)
{
    const bool compares = view->baseline != NULL && view->state->compare != VIEW_COMPARE_NOT;
    return steps[view->state->stage].title != NULL && !compares;
}

void view_change_switch(struct view *view, struct rect area)
{
    const struct ui_button look = {.label = "Change",
                                   .style = view->state->display.change ? UI_BUTTON_CURRENT
                                                                        : UI_BUTTON_BARE,
                                   .tip = "What changed since the former stage (D)"};
    if (!view->still && view_change_is_there(view) && area.w > 0 &&
        ui_button(view->ui, "change", area, &look)) {
        view_action_command(view, "change");
    }
}

/* after − before, cell by cell; −∞ where a mask hides the key. */
static struct lab_matrix difference(struct view *view)
{
    const size_t head = view->selection.head;
    const bool softmax = view->state->stage == LAB_SOFTMAX;
    const struct lab_matrix scores = lab_trace_part(view->trace, LAB_SCORES, head);
    const struct lab_matrix scaled = view_scaled(view, head, true);
    struct lab_matrix after = softmax ? view_weights(view, head) : scaled;
    const struct lab_matrix before = softmax ? scaled : scores;
    float *values = after.values == NULL || before.values == NULL
                        ? NULL
                        : arena_array(view->arena, after.rows * after.cols, sizeof *values);
    for (size_t i = 0; values != NULL && i < after.rows; i++) {
        for (size_t j = 0; j < after.cols; j++) {
            const bool seen = lab_trace_sees(view->trace, i, j);
            const float gap = lab_matrix_at(&after, i, j) - lab_matrix_at(&before, i, j);
            values[i * after.cols + j] = seen ? gap : -INFINITY;
        }
    }
    after.name = steps[view->state->stage].title;
    after.values = values;
    after.stride = after.cols;
    return after;
}

void view_change(struct view *view, struct rect area)
{
    const struct step *step = &steps[view->state->stage];
    struct view_table table = {.operand = view_operand_of(view, LAB_SCORES),
                               .row_words = lab_trace_queries(view->trace),
                               .column_words = lab_trace_keys(view->trace),
                               .formula = step->formula,
                               .cell_wide = 66,
                               .cell_high = 42,
                               .decimals = view->state->stage == LAB_SOFTMAX ? 3 : 2,
                               .done = view_done(view),
                               .id = ui_id(view->ui, "change")};
    table.operand.matrix = difference(view);
    if (table.operand.matrix.values == NULL) {
        view_notice(view, area, "No difference here", "One of the two matrices is not known.");
        return;
    }
    table.operand.title = step->title;
    table.operand.editable = false;
    table.operand.masked = true;
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.key);
    table.operand.cell = true;
    const struct view_matrix_hit hit = view_table_draw(view, &table, area).hit;
    if (hit.hover || hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = hit.row;
        to.key = hit.column;
        view_choose(view, VIEW_QUERY | VIEW_KEY, to, hit.clicked);
    }
}
