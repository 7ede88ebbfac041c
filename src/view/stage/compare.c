/* Two experiments on one stage: the kept one and the present one, side by side, or their
 * difference. They share selection and camera. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/differ.h"
#include "lab/experiment/variant.h"
#include "lab/run/thumbnails.h"
#include "ui/widgets.h"
#include "view/parts/downsample.h"
#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"
#include "view/parts/table.h"

static struct lab_matrix side_result(struct view *view, const struct lab_trace *trace)
{
    const size_t heads = lab_trace_sizes(trace).heads;
    const size_t head = view->selection.head < heads ? view->selection.head : heads - 1;
    if (view->state->playback.stage == LAB_SCALE) {
        return lab_trace_scaled_matrix(trace, head, view->arena);
    }
    return lab_trace_part(trace, lab_cell_part(view->state->playback.stage, &view->selection),
                          head);
}

/* The labels of the columns of the present stage's result. */
static const char *const *column_words(const struct view *view, const struct lab_trace *trace,
                                       const struct lab_matrix *matrix)
{
    const enum lab_stage stage = view->state->playback.stage;
    return view_stage_is_of_keys(stage) ? lab_trace_keys(trace) : matrix->column_words;
}

static void choose_cell(struct view *view, struct view_matrix_hit hit)
{
    if (!hit.hover && !hit.clicked) {
        return;
    }
    const enum lab_stage stage = view->state->playback.stage;
    const bool of_keys = stage == LAB_SCORE || stage == LAB_SCALE || stage == LAB_SOFTMAX;
    struct lab_selection to = view->selection;
    to.query = hit.row;
    *(of_keys ? &to.key : &to.channel) = hit.column;
    view_choose(view, VIEW_QUERY | (of_keys ? VIEW_KEY : VIEW_CHANNEL), to, hit.clicked);
}

/* In a low area the menus above name the sides, and the numbers get the room of the titles. */
static const float LOW = 190, LINE = 14;

static void draw_side(struct view *view, const struct lab_trace *trace, struct lab_matrix matrix,
                      const char *title, const char *formula, bool is_difference, float peak,
                      struct rect area)
{
    const enum lab_stage stage = view->state->playback.stage;
    const bool of_keys = stage == LAB_SCORE || stage == LAB_SCALE || stage == LAB_SOFTMAX;
    struct view_table table = {.operand =
                                   view_operand_of(view, lab_cell_part(stage, &view->selection)),
                               .row_words = matrix.row_words,
                               .column_numbers = true,
                               .label = title,
                               .formula = formula,
                               .formula_wide = area.w - 80,
                               .cell_wide = 66,
                               .cell_high = 42,
                               .peak = peak,
                               .done = view_done(view),
                               .trace = trace,
                               .id = ui_id(view->ui, title)};
    const bool low = area.h < LOW;
    if (low) {
        view_text_whole(view, area.x + area.w / 2, area.y + 8, FONT_WORDS, UI_TEXT_SMALL,
                        view->ui->theme->muted, CANVAS_CENTRE, tr(formula), area.w);
        area.y += LINE;
        area.h -= LINE;
    }
    table.operand.matrix = matrix;
    table.operand.title = low && view->style.has_controls ? NULL : title;
    table.operand.editable = false;
    table.operand.shrinks = true; /* two matrices are side by side */
    table.operand.is_share = stage == LAB_SOFTMAX && !is_difference;
    table.operand.masked = stage == LAB_SOFTMAX || stage == LAB_SCALE;
    table.also = is_difference ? view->baseline : NULL; /* hidden only if both hide it */
    table.decimals = stage == LAB_SOFTMAX ? 3 : is_difference ? 2 : 0;
    table.column_words = column_words(view, trace, &matrix);
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column =
        view_chosen(view, of_keys ? view->selection.key : view->selection.channel);
    table.operand.cell = true;
    choose_cell(view, view_table_draw(view, &table, area).hit);
}

/* The seed or the step of a side of a training run; NULL: the comparison is another one. */
static const char *training_label(const struct view *view, bool is_now)
{
    const struct view_learn *const learn = view->state->learn;
    char step[TEXT_NUMBER_MAX];
    if (learn == NULL || (!learn->beside && !learn->pinned)) {
        return NULL;
    }
    return learn->beside
               ? arena_format(view->arena, tr("seed %.0f"),
                              view_learn_seed(learn) + (is_now ? 0 : 1))
               : arena_format(view->arena, tr("step %s"),
                              text_count(step, is_now ? learn->step : learn->pinned_step));
}

/* Says which heads of a model are off on this side and not on the other, or on: "L0H0 off". */
static const char *heads_label(const struct view *view, bool is_now)
{
    const struct view_head_overview *const overview = view->state->head_overview;
    if (overview == NULL || overview->thumbnails == NULL || overview->off == NULL ||
        overview->kept_off == NULL) {
        return "";
    }
    const bool *const here = is_now ? overview->off : overview->kept_off;
    const bool *const there = is_now ? overview->kept_off : overview->off;
    /* The experiment on the stages may have more heads, as while another model opens. */
    const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(overview->thumbnails);
    const size_t heads = sizes.heads;
    size_t differ = 0, off = 0, first = 0;
    for (size_t place = sizes.layers * heads; place-- > 0;) {
        if (here[place] != there[place]) {
            differ++;
            off += here[place];
            first = place;
        }
    }
    return differ == 0 ? ""
           : differ == 1
               ? arena_words(view->arena, here[first] ? tr("L%zuH%zu off") : tr("L%zuH%zu on"),
                             first / heads, first % heads)
               : arena_words(view->arena, "%zu heads off, %zu on", off, differ - off);
}

const char *view_side_label(const struct view *view, const struct lab_trace *now,
                            const struct lab_trace *kept, enum view_side of)
{
    const bool is_now = of == VIEW_SIDE_NOW;
    const struct lab_trace *const side = is_now ? now : kept, *const other = is_now ? kept : now;
    const struct view_head_overview *const overview = view->state->head_overview;
    const char *const learned = training_label(view, is_now);
    if (learned != NULL) {
        return learned;
    }
    const char *const differs =
        lab_differ(view->arena, lab_trace_experiment(side), lab_trace_experiment(other));
    const char *const of_heads = heads_label(view, is_now);
    if (of_heads[0] != '\0') {
        return differs[0] == '\0' ? of_heads
                                  : arena_words(view->arena, "%s · %s", of_heads, differs);
    }
    if (differs[0] == '\0' && view->compares_change && view->state->change_name != NULL) {
        return is_now ? view->state->change_name : "";
    }
    return differs[0] != '\0'                            ? differs
           : overview == NULL || !overview->kept_differs ? tr("nothing is changed yet")
           : is_now                                      ? tr("the model is changed inside")
                                                         : "";
}

/* The formula of the difference: "temperature 0.50 − temperature 1.00; blue: less, red: more". */
static const char *difference_note(const struct view *view)
{
    const struct lab_experiment *const now = lab_trace_experiment(view->trace);
    const struct lab_experiment *const baseline = lab_trace_experiment(view->baseline);
    const bool learned = training_label(view, true) != NULL;
    const char *const one =
        learned ? training_label(view, true) : lab_differ(view->arena, now, baseline);
    const char *const other =
        learned ? training_label(view, false) : lab_differ(view->arena, baseline, now);
    if (one[0] == '\0' || other[0] == '\0') {
        return view->compares_change ? "after − before; blue: less, red: more"
                                     : "now − kept; blue: less than before, red: more";
    }
    const char *const note =
        arena_format(view->arena, "(%s) − (%s); blue: less, red: more", one, other);
    return note != NULL ? note : "";
}

/* now − kept, cell by cell. A cell that both hide has no difference and is hatched. */
static struct lab_matrix difference_matrix(struct view *view, struct lab_matrix now,
                                           const struct lab_matrix *baseline)
{
    float *values = arena_array(view->arena, now.rows * now.cols, sizeof *values);
    for (size_t i = 0; values != NULL && i < now.rows; i++) {
        for (size_t j = 0; j < now.cols; j++) {
            const float a = lab_matrix_at(&now, i, j), b = lab_matrix_at(baseline, i, j);
            values[i * now.cols + j] = a == b ? 0 : a - b;
        }
    }
    now.values = values;
    now.stride = now.cols;
    return now;
}

bool view_difference(struct view *view, struct lab_matrix *difference)
{
    const struct lab_matrix now = side_result(view, view->trace),
                            baseline = side_result(view, view->baseline);
    if (now.values == NULL || baseline.values == NULL || now.rows != baseline.rows ||
        now.cols != baseline.cols) {
        return false;
    }
    *difference = difference_matrix(view, now, &baseline);
    return difference->values != NULL;
}

static void draw_difference(struct view *view, struct lab_matrix now, struct lab_matrix baseline,
                            struct rect area)
{
    if (now.rows != baseline.rows || now.cols != baseline.cols) {
        const char *sentence =
            arena_format(view->arena,
                         "What was kept is %zu × %zu here, what is now %zu × %zu: two matrices of "
                         "different shapes have no difference.",
                         baseline.rows, baseline.cols, now.rows, now.cols);
        view_notice(view, area, "No difference", sentence != NULL ? sentence : "");
        return;
    }
    draw_side(view, view->trace, difference_matrix(view, now, &baseline), "A − B",
              difference_note(view), true, 0, area);
}

static size_t kind_of(const struct lab_trace *trace)
{
    return lab_variant_of(lab_trace_experiment(trace));
}

/* Draws the menu with the kind of attention of a side; choosing another one appends an action.
 * label: what it reads, NULL: the kind. */
static void draw_kind_menu(struct view *view, const char *side, size_t current, const char *label,
                           enum view_action_kind action, struct rect area)
{
    const size_t count = lab_variant_count();
    const char **rows = arena_array(view->arena, count, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < count; i++) {
        rows[i] = lab_variant_row(i)->title;
    }
    canvas_text(view->ui->canvas, area.x, area.y + 19, FONT_WORDS_BOLD, UI_TEXT_BODY,
                view->ui->theme->ink, CANVAS_LEFT, side);
    const struct rect place = {area.x + 18, area.y, fminf(190, area.w - 18), 28};
    const struct ui_menu menu = {.rows = (const char *const *)rows,
                                 .count = rows != NULL ? count : 0,
                                 .current = current,
                                 .label =
                                     label == NULL && current == count ? tr("a mixture") : label,
                                 .tip = "Which kind of attention stands on this side"};
    const size_t chosen = ui_menu(view->ui, side, place, &menu);
    if (chosen < menu.count && chosen != current) {
        view_action(view, &(struct view_action){.kind = action, .variant = chosen});
    }
}

static const float KINDS_HIGH = 36; /* height of the menus */

void view_compare(struct view *view, struct rect area)
{
    const float half = (area.w - 24) / 2;
    const bool learns = view->state->learn != NULL; /* a training recipe has only one kind */
    if (!learns && view->style.has_controls) {
        const size_t now = kind_of(view->trace), kept = kind_of(view->baseline);
        draw_kind_menu(view, "A", now, NULL, VIEW_ACTION_VARIANT,
                       (struct rect){area.x, area.y, half, 28});
        /* Two menus that say the same would not tell that they are what can be compared. */
        draw_kind_menu(view, "B", kept, now == kept ? tr("choose another kind") : NULL,
                       VIEW_ACTION_KEEP, (struct rect){area.x + half + 24, area.y, half, 28});
        area.y += KINDS_HIGH;
        area.h = fmaxf(area.h - KINDS_HIGH, 1);
    }
    const float tabs = view_projection_tabs(view, area);
    area.y += tabs;
    area.h = fmaxf(area.h - tabs, 1);
    const struct lab_matrix now = side_result(view, view->trace),
                            baseline = side_result(view, view->baseline);
    if (now.values == NULL || baseline.values == NULL) {
        view_notice(view, area, "Nothing to compare here",
                    "One of the two experiments has no such matrix at this stage.");
        return;
    }
    if (view->state->compare == VIEW_COMPARE_DIFFERENCE) {
        draw_difference(view, now, baseline, area);
        return;
    }
    const float peak = fmaxf(lab_measure_peak(&now), lab_measure_peak(&baseline));
    const float gap = 24, wide = (area.w - gap) / 2;
    draw_side(view, view->trace, now, "A, now",
              view_side_label(view, view->trace, view->baseline, VIEW_SIDE_NOW), false, peak,
              (struct rect){area.x, area.y, wide, area.h});
    draw_side(view, view->baseline, baseline,
              learns && view->state->learn->beside ? "B, another seed"
              : view->compares_change              ? "B, before"
                                                   : "B, kept",
              view_side_label(view, view->trace, view->baseline, VIEW_SIDE_KEPT), false, peak,
              (struct rect){area.x + wide + gap, area.y, wide, area.h});
}

void view_compare_switch(struct view *view, struct rect area)
{
    if (!view->style.has_controls) {
        return;
    }
    if (view->baseline == NULL) {
        const struct ui_button button = {.label = "Compare",
                                         .style = UI_BUTTON_BARE,
                                         .tip =
                                             "Keep this experiment, change it, and see both (B)"};
        const float wide = fmaxf(84, ui_button_width(view->ui, button.label));
        if (area.w > 360 &&
            ui_button(view->ui, "compare", (struct rect){area.x + area.w - wide, area.y, wide, 28},
                      &button)) {
            view_action_command(view, "compare");
        }
        return;
    }
    static const char *const labels[] = {"Now", "A | B", "A − B"};
    const float wide = 250;
    const struct rect tabs = {area.x + area.w - wide - 34, area.y, wide, 28};
    const struct rect close = {area.x + area.w - 28, area.y, 28, 28};
    const size_t current = (size_t)view->state->compare;
    const size_t chosen = ui_tabs(view->ui, "comparison", tabs, labels, 3, current);
    static const char *const tips[] = {"What is, as it is", "What is, and beside it what was kept",
                                       "What is, less what was kept"};
    ui_tab_tips(view->ui, "comparison", tabs, tips, 3);
    if (chosen < 3 && chosen != current) {
        view_action(view, &(struct view_action){.kind = VIEW_ACTION_COMPARE,
                                                .compare = (enum view_compare)chosen});
    }
    const struct ui_button button = {
        .icon = UI_ICON_CLOSE, .style = UI_BUTTON_BARE, .tip = "Let go of what was kept"};
    if (ui_button(view->ui, "let go of kept", close, &button)) {
        view_action_command(view, "forget");
    }
}

/* The stages whose result has the same shape as that of the stage before: Scale against the scores,
 * Softmax against the scaled scores. */
static const struct step {
    const char *title, *formula;
} steps[LAB_STAGES] = {
    [LAB_SCALE] = {"Scaled − S", "after scale and mask, minus the scores"},
    [LAB_SOFTMAX] = {"α − scaled", "the weights, minus the scores they are made of"},
};

bool view_change_is_there(const struct view *view)
{
    const bool compares = view->baseline != NULL && view->state->compare != VIEW_COMPARE_NOT;
    return steps[view->state->playback.stage].title != NULL && !compares && view->trace != NULL &&
           lab_trace_lacks(view->trace, LAB_SCORE) == NULL;
}

bool view_change_may_compare(const struct view *view)
{
    return view->style.has_controls && view->baseline == NULL && view->state->change_name != NULL;
}

void view_change_switch(struct view *view, struct rect area)
{
    const char *const tip = arena_format(view->arena, tr("What “%s” did: before and after (D)"),
                                         view->state->change_name);
    const struct ui_button button = {
        .label = "What changed", .style = UI_BUTTON_BARE, .tip = tip != NULL ? tip : ""};
    if (area.w > 0 && ui_button(view->ui, "change", area, &button)) {
        view_action_command(view, "change");
    }
}

/* after − before, cell by cell. Where a mask hides the key, the scores change by −∞, and the
 * weights by nothing, since −∞ has no difference. */
static struct lab_matrix change_matrix(struct view *view)
{
    const size_t head = view->selection.head;
    const bool softmax = view->state->playback.stage == LAB_SOFTMAX;
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
            values[i * after.cols + j] = seen ? gap : softmax ? NAN : -INFINITY;
        }
    }
    after.name = steps[view->state->playback.stage].title;
    after.values = values;
    after.stride = after.cols;
    return after;
}

void view_change(struct view *view, struct rect area)
{
    const struct step *step = &steps[view->state->playback.stage];
    struct view_table table = {.operand = view_operand_of(view, LAB_SCORES),
                               .row_words = lab_trace_queries(view->trace),
                               .column_words = lab_trace_keys(view->trace),
                               .formula = step->formula,
                               .cell_wide = 66,
                               .cell_high = 42,
                               .decimals = view->state->playback.stage == LAB_SOFTMAX ? 3 : 2,
                               .done = view_done(view),
                               .id = ui_id(view->ui, "change")};
    table.operand.matrix = change_matrix(view);
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
