/* Scale and mask: the scores before and after, side by side, so that what changed can be seen. */
#include <math.h>

#include "base/text.h"
#include "view/pieces.h"
#include "view/table.h"

enum { STEPS_MAX = 3 };

static const float GAP = 30; /* between two tables; an arrow stands in it */

/* What happens to every score, in a few signs: "÷ √3 ÷ 0.50". */
static const char *scale_formula(struct view *view, struct lab_sizes sizes)
{
    const struct lab_experiment *experiment = lab_trace_experiment(view->trace);
    const bool cold = experiment->temperature != 1;
    if (!experiment->scale && !cold) {
        return "scaling is off";
    }
    char temperature[TEXT_NUMBER_MAX];
    text_number(temperature, experiment->temperature, 2);
    const char *text = !experiment->scale ? arena_format(view->arena, "÷ τ = %s", temperature)
                       : cold ? arena_format(view->arena, "÷ √%zu ÷ %s", sizes.d_k, temperature)
                              : arena_format(view->arena, "÷ √%zu", sizes.d_k);
    return text != NULL ? text : "";
}

/* The scores times the factor, before the mask: what the core does, one float multiplication each.
 */
static struct lab_matrix scaled_only(struct view *view, struct lab_matrix scores, float factor)
{
    float *values = arena_array(view->arena, scores.rows * scores.cols, sizeof *values);
    for (size_t i = 0; values != NULL && i < scores.rows; i++) {
        for (size_t j = 0; j < scores.cols; j++) {
            values[i * scores.cols + j] = lab_matrix_at(&scores, i, j) * factor;
        }
    }
    scores.values = values;
    scores.stride = scores.cols;
    return scores;
}

static struct view_table step_table(struct view *view, size_t step, float peak)
{
    struct view_table table = {.operand = view_operand_of(view, LAB_SCORES),
                               .column_words = lab_trace_keys(view->trace),
                               .cell_wide = 62,
                               .cell_high = 42,
                               .peak = peak,
                               .decimals = 2,
                               .done = 1,
                               .id = ui_id_number(view->ui, "scale", step)};
    table.operand.editable = false;
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.key);
    table.operand.cell = true;
    return table;
}

void view_stage_scale(struct view *view, struct rect area)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const enum lab_mask mask = lab_trace_experiment(view->trace)->mask;
    const struct lab_matrix scores = lab_trace_part(view->trace, LAB_SCORES, view->selection.head);
    const size_t steps = mask == LAB_MASK_NONE ? 2 : 3;
    const float done = view_done(view) * (float)(steps - 1);
    struct view_table table[STEPS_MAX];
    for (size_t s = 0; s < steps; s++) {
        table[s] = step_table(view, s, lab_measure_peak(&scores));
        table[s].done = fminf(1, fmaxf(0, done - (float)s + 1));
    }
    table[0].formula = "QKᵀ";
    table[1].operand.matrix = scaled_only(view, scores, sizes.factor);
    table[1].operand.title = "S scaled";
    table[1].formula = scale_formula(view, sizes);
    if (steps == 3) {
        table[2].operand.matrix =
            lab_trace_scaled_matrix(view->trace, view->selection.head, view->arena);
        table[2].operand.title = "+ mask";
        table[2].operand.masked = true;
        table[2].formula = "hidden keys: −∞";
    }
    const char *const *queries = lab_trace_queries(view->trace);
    table[0].row_words = queries;
    const float words = view_words_width(view, queries, sizes.n, fminf(130, area.w * 0.12f)) + 14;
    const float wide = (area.w - words - GAP * (float)(steps - 1)) / (float)steps;
    const float most = 62 * view_growth(view) * (float)sizes.m + 8;
    const float each = fminf(wide, most);
    float x = area.x + (area.w - words - each * (float)steps - GAP * (float)(steps - 1)) / 2;
    for (size_t s = 0; s < steps; s++) {
        const float w = each + (s == 0 ? words : 0);
        const struct view_table_answer answer =
            view_table_draw(view, &table[s], (struct rect){x, area.y, w, area.h});
        if (s > 0 && answer.cells.w > 0) {
            canvas_text(view->ui->canvas, answer.cells.x - GAP / 2 - 2,
                        answer.cells.y + answer.cells.h / 2 + 6, FONT_WORDS, UI_TEXT_TITLE,
                        view->ui->theme->faint, CANVAS_CENTRE, "→");
        }
        if (answer.hit.hover || answer.hit.clicked) {
            struct lab_selection to = view->selection;
            to.query = answer.hit.row;
            to.key = answer.hit.column;
            view_choose(view, VIEW_QUERY | VIEW_KEY, to, answer.hit.clicked);
        }
        x += w + GAP;
    }
}
