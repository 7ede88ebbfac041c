/* Scale and mask: the scores before and after, side by side. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/downsample.h"
#include "view/parts/pieces.h"
#include "view/parts/table.h"

enum { STEPS_MAX = 3 };

static const struct view_length READABLE = {.near = 0.75f, .far = 1}; /* share of a font's size */
static const float GAP = 30;             /* between two tables, for an arrow */
static const float PRESENTER_OUTSET = 8; /* closer to the panel's edge, in the presenter view */

/* "÷ √3 ÷ 0.50": the scaling of every score. */
static const char *scale_formula(struct view *view, struct lab_sizes sizes)
{
    const struct lab_experiment *experiment = lab_trace_experiment(view->trace);
    const bool cold = experiment->temperature != 1;
    const bool biased = experiment->score_bias != NULL;
    const char *const more = biased                          ? tr(" + bias")
                             : experiment->score_cap != NULL ? tr(", capped")
                                                             : "";
    if (!experiment->scale && !cold) {
        return biased ? tr("+ a bias for each distance") : tr("scaling is off");
    }
    char temperature[TEXT_NUMBER_MAX];
    text_number(temperature, experiment->temperature, 2);
    const char *text = !experiment->scale ? arena_format(view->arena, "÷ τ = %s", temperature)
                       : cold ? arena_format(view->arena, "÷ √%zu ÷ %s", sizes.d_k, temperature)
                              : arena_format(view->arena, "÷ √%zu", sizes.d_k);
    text = arena_format(view->arena, "%s%s", text != NULL ? text : "", more);
    return text != NULL ? text : "";
}

static struct view_table step_table(struct view *view, size_t step, float peak)
{
    struct view_table table = {.operand = view_operand_of(view, LAB_SCORES),
                               .column_words = lab_trace_keys(view->trace),
                               .cell_wide = 62,
                               .cell_high = 42,
                               .crops = true,
                               .peak = peak,
                               .decimals = 2,
                               .done = 1,
                               .id = ui_id_number(view->ui, "scale", step)};
    table.operand.editable = false;
    table.operand.derived = step > 0;
    table.operand.discs = view->state->prefs.display.discs;
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.key);
    table.operand.cell = true;
    return table;
}

/* Paints the mask: a press begins a stroke, which hides a visible pair and shows a hidden one, with
 * ⇧ only shows; all cells that the pointer goes over follow. */
static void paint_mask(struct view *view, struct view_matrix_hit hit)
{
    const bool seen = lab_trace_sees(view->trace, hit.row, hit.column);
    const bool begins = hit.pressed || hit.activated;
    const bool shows =
        begins ? !seen || (view->ui->input->mods & UI_SHIFT) != 0 : view->state->stroke_shows;
    if (begins || (hit.held && seen != shows)) {
        view_action(
            view,
            &(struct view_action){
                .kind = VIEW_ACTION_PAINT,
                .paint = {.query = hit.row, .key = hit.column, .begins = begins, .shows = shows}});
    }
}

static void choose_cell(struct view *view, struct view_matrix_hit hit)
{
    if (hit.hover || hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = hit.row;
        to.key = hit.column;
        view_choose(view, VIEW_QUERY | VIEW_KEY, to, hit.clicked);
    }
    if (view->experiment->mask == LAB_MASK_CUSTOM) {
        paint_mask(view, hit);
    }
}

/* The number of pairs that the weights are computed from, and if there is room the work that is
 * saved. */
static const char *mask_formula(struct view *view, float room)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const size_t all = sizes.n * sizes.m, seen = lab_trace_pairs(view->trace);
    if (view->experiment->mask == LAB_MASK_CUSTOM) {
        return arena_words(view->arena, "drag to hide, ⇧ drag to show · %zu of %zu", seen, all);
    }
    const size_t computed = lab_trace_facts(view->trace).pairs / sizes.heads;
    char part[TEXT_NUMBER_MAX], of[TEXT_NUMBER_MAX];
    text_count(part, computed);
    text_count(of, all);
    const char *const text = arena_format(view->arena, "%s of %s pairs needed: %.0f %% less work",
                                          part, of, 100 * (1 - (double)computed / (double)all));
    const char *const brief =
        arena_words(view->arena, tr_n("%s of %s pair", "%s of %s pairs", all), part, of);
    const bool fits =
        text != NULL && view_length(view, READABLE) * canvas_measure(view->ui->canvas, FONT_WORDS,
                                                                     view->style.small, text) <=
                            room;
    return fits ? text : brief;
}

/* Draws the formula at the right of the tabs instead of below the title, if it fits. */
static void move_formula_beside_tabs(struct view *view, struct view_table *table, struct rect tabs,
                                     struct rect area)
{
    const float apart = 14, right = area.x + area.w;
    const float room = fmaxf(right - tabs.x - tabs.w - apart, 1);
    const char *const text = table->operand.masked ? mask_formula(view, room) : table->formula;
    if (view_length(view, READABLE) *
            canvas_measure(view->ui->canvas, FONT_WORDS, view->style.small, tr(text)) >
        room) {
        return; /* the formula stays below the title */
    }
    view_text_fitted(view, (struct point){right, tabs.y + 18}, view->style.small, CANVAS_RIGHT,
                     text, room);
    table->label = table->operand.title;
    table->operand.title = NULL;
}

/* Draws one step with tabs for the others, where they do not fit side by side with their numbers.
 */
static void draw_one_step(struct view *view, struct view_table *table, size_t steps,
                          struct rect area)
{
    static const char *const labels[STEPS_MAX] = {"S", "Scaled", "Masked"};
    const size_t scale_step = view->state->scale_step;
    const size_t current = scale_step < steps ? scale_step : steps - 1;
    const struct rect tabs = {area.x, area.y, fminf(84 * (float)steps, area.w), 28};
    const size_t chosen = ui_tabs(view->ui, "scale step", tabs, labels, steps, current);
    static const char *const tips[] = {"S = Q · Kᵀ, as it came",
                                       "S · 1/√dₖ, and divided by the temperature",
                                       "−∞ where the mask hides the key"};
    ui_tab_tips(view->ui, "scale step", tabs, tips, steps);
    if (chosen < steps && chosen != current) {
        view_action_set(view, scale_step, chosen);
    }
    area.y += 34;
    area.h -= 34;
    table[current].row_words = lab_trace_queries(view->trace);
    if (view->style.is_far) { /* the tab is the title, whose room the numbers take */
        move_formula_beside_tabs(view, &table[current], tabs, area);
        area.x -= PRESENTER_OUTSET;
        area.w += 2 * PRESENTER_OUTSET;
    }
    choose_cell(view, view_table_draw(view, &table[current], area).hit);
}

static void draw_all_steps(struct view *view, struct view_table *table, size_t steps,
                           struct rect area, float words, float each)
{
    float x =
        area.x + fmaxf(0, area.w - words - each * (float)steps - GAP * (float)(steps - 1)) / 2;
    table[0].row_words = lab_trace_queries(view->trace);
    for (size_t s = 0; s < steps; s++) {
        const float w = each + (s == 0 ? words : 0);
        table[s].formula_wide =
            s + 1 < steps ? each + GAP - 4 : each; /* nothing is at the right of the last */
        if (table[s].operand.masked) {
            table[s].formula = mask_formula(view, table[s].formula_wide);
        }
        const struct view_table_answer answer =
            view_table_draw(view, &table[s], (struct rect){x, area.y, w, area.h});
        if (s > 0 && answer.cells.w > 0) {
            canvas_text(view->ui->canvas, answer.cells.x - GAP / 2 - 2,
                        answer.cells.y + answer.cells.h / 2 + 6, FONT_WORDS, UI_TEXT_TITLE,
                        view->ui->theme->muted, CANVAS_CENTRE, "→");
        }
        choose_cell(view, answer.hit);
        x += w + GAP;
    }
}

/* The formula with the typical size of random scores. */
static const char *formula_with_size(struct view *view, const struct view_operand *operand,
                                     const char *formula)
{
    const char *const typical = view_typical_size(view, operand);
    const char *const text =
        typical == NULL ? NULL : arena_format(view->arena, "%s · %s", formula, typical);
    return text != NULL ? text : formula;
}

/* Makes the tables of the steps: S, S scaled and, if there is a mask, S masked. Returns how many.
 */
static size_t make_steps(struct view *view, struct view_table table[STEPS_MAX])
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const struct lab_matrix scores = lab_trace_part(view->trace, LAB_SCORES, view->selection.head);
    const size_t steps = lab_trace_experiment(view->trace)->mask == LAB_MASK_NONE ? 2 : 3;
    const float done = view_done(view) * (float)(steps - 1);
    const struct lab_matrix scaled = view_scaled(view, view->selection.head, false);
    const float own = view_peak(view, &scores); /* scaling keeps the order of the scores */
    const float peak = fmaxf(own, own * fabsf(sizes.factor));
    for (size_t s = 0; s < steps; s++) {
        table[s] = step_table(view, s, peak);
        table[s].done = fminf(1, fmaxf(0, done - (float)s + 1));
    }
    table[0].formula = formula_with_size(
        view, &table[0].operand, lab_stage_formula(lab_trace_graph(view->trace), LAB_SCORE));
    table[1].operand.matrix = scaled;
    table[1].operand.title = "S scaled";
    table[1].formula = formula_with_size(view, &table[1].operand, scale_formula(view, sizes));
    if (steps == 3) {
        table[2].operand.matrix = view_scaled(view, view->selection.head, true);
        table[2].operand.title = "+ mask";
        table[2].operand.masked = true;
        table[2].formula = mask_formula(view, INFINITY);
    }
    return steps;
}

void view_stage_scale(struct view *view, struct rect area)
{
    struct view_table table[STEPS_MAX];
    const size_t steps = make_steps(view, table);
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const char *const *queries = lab_trace_queries(view->trace);
    const float words = view_words_width(view, queries, sizes.n, fminf(130, area.w * 0.12f)) + 14;
    const float wide = (area.w - words - GAP * (float)(steps - 1)) / (float)steps;
    const float width_max = 62 * view_cell_growth(view, area) * (float)sizes.m + 8;
    const float need = view_matrix_number_width(view, &table[1].operand.matrix, 1);
    const float small = (need - 8) * UI_TEXT_TINY / UI_TEXT_SMALL + 5;
    if (wide < small * (float)sizes.m + 8) {
        draw_one_step(view, table, steps, area);
    } else {
        draw_all_steps(view, table, steps, area, words, fminf(wide, width_max));
    }
}
