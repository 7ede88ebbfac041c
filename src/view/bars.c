/* Softmax opened up: for the chosen query, what each step makes of every key, as three bar charts
 * that are read from left to right; below or beside them the whole of α with the sums of its rows.
 */
#include <math.h>

#include "base/text.h"
#include "ui/widgets.h"
#include "view/cell_edit.h"
#include "view/pieces.h"
#include "view/table.h"

enum { CHARTS = 3 };

static const float ROW_HIGH = 30, ROW_LOW = 5; /* of one key */
static const float HEAD_HIGH = 46, FOOT_HIGH = 24;
static const float NUMBER_WIDE = 48; /* beside a bar */

/* The keys that are drawn: all, or where there is no room the strongest, in their own order. */
struct keys {
    const size_t *index;
    size_t count;
};

struct chart {
    const char *title, *formula;
    struct colour colour;
    const double *value; /* of every key; −∞ where it is hidden */
    double reach;        /* |value| of the longest bar */
    bool leftward;       /* bars grow from the right end to the left: they are negative */
    int decimals;
    const char *foot; /* below the column, NULL: nothing */
    float grown;      /* 0 … 1 */
    bool is_weight;   /* bars can be dragged */
};

struct row_of_keys {
    double *below;  /* score − max */
    double *raised; /* e^(score − max) */
    double *share;
    double *score;                /* after scale and mask */
    double highest, sum, largest; /* of the scores; of the powers: their sum, the largest */
    size_t seen;
};

static bool measure_row(struct view *view, struct row_of_keys *row)
{
    const struct lab_matrix alpha = lab_trace_part(view->trace, LAB_ALPHA, view->selection.head);
    const size_t m = alpha.cols, head = view->selection.head, query = view->selection.query;
    const bool keeps_maximum = lab_trace_experiment(view->trace)->keep_maximum;
    double *values = arena_array(view->arena, 4 * m, sizeof *values);
    if (values == NULL) {
        return false;
    }
    *row = (struct row_of_keys){.below = values,
                                .raised = values + m,
                                .share = values + 2 * m,
                                .score = values + 3 * m,
                                .highest = -INFINITY};
    for (size_t j = 0; j < m; j++) {
        row->score[j] = row->below[j] = lab_trace_scaled(view->trace, head, query, j);
        row->highest = fmax(row->highest, row->below[j]);
        row->seen += lab_trace_sees(view->trace, query, j);
    }
    for (size_t j = 0; j < m; j++) {
        row->below[j] = row->below[j] == row->highest ? 0 : row->below[j] - row->highest;
        const double power = keeps_maximum ? row->score[j] : row->below[j];
        row->raised[j] = row->seen == 0 ? 0 : exp(power);
        row->largest = fmax(row->largest, row->raised[j]);
        row->share[j] = lab_matrix_at(&alpha, query, j);
        row->sum += row->raised[j];
    }
    return true;
}

/* Keeps the `room` largest shares (and the chosen key), in the order of the keys. */
static struct keys choose_keys(struct view *view, const double *share, size_t m, size_t room)
{
    size_t *index = arena_array(view->arena, m, sizeof *index);
    struct keys keys = {index, 0};
    if (index == NULL || room == 0) {
        return keys;
    }
    double floor = -1, top = 2; /* bisect the smallest share that is shown */
    for (int round = 0; m > room && round < 60; round++) {
        const double middle = (fmax(floor, 0) + top) / 2;
        size_t above = 0;
        for (size_t j = 0; j < m; j++) {
            above += share[j] > middle;
        }
        *(above > room - 1 ? &floor : &top) = middle;
    }
    const double least = m > room ? top : -1;
    for (size_t j = 0; j < m && keys.count < room; j++) {
        if (share[j] > least || j == view->selection.key) {
            index[keys.count++] = j;
        }
    }
    return keys;
}

static void draw_bar(struct view *view, const struct chart *chart, struct rect line, size_t key)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const double value = chart->value[key];
    const float track = line.w - NUMBER_WIDE;
    const float thick = fminf(14, fmaxf(line.h * 0.55f, 2));
    const float y = line.y + (line.h - thick) / 2;
    const float left = chart->leftward ? line.x + NUMBER_WIDE : line.x;
    if (isfinite(value)) {
        const float share = chart->reach > 0 ? (float)fmin(fabs(value) / chart->reach, 1) : 0;
        const float wide = track * share * chart->grown;
        const float x = chart->leftward ? left + track - wide : left;
        canvas_rect(canvas, (struct rect){x, y, fmaxf(wide, value != 0 ? 1 : 0), thick},
                    fminf(3, thick / 3), &(struct paint){.fill = chart->colour});
    }
    if (line.h < 13 || chart->grown < 1) {
        return;
    }
    char text[TEXT_NUMBER_MAX];
    text_number(text, value, isfinite(value) ? chart->decimals : 0);
    const float baseline = line.y + line.h / 2 + UI_TEXT_SMALL * 0.36f;
    const float x = chart->leftward ? line.x + NUMBER_WIDE - 8 : line.x + track + 8;
    canvas_text(canvas, x, baseline, FONT_NUMBERS, UI_TEXT_SMALL,
                isfinite(value) ? theme->ink : theme->muted,
                chart->leftward ? CANVAS_RIGHT : CANVAS_LEFT, text);
}

/* The bar of a weight follows the pointer sideways; a double click gives it all. */
static void take_bar(struct view *view, const struct chart *chart, struct rect line, size_t key)
{
    const float track = line.w - NUMBER_WIDE;
    if (!chart->is_weight || track <= 0 || view_guess(view) != LAB_GUESS_NONE) {
        return;
    }
    const struct ui_touch touch =
        ui_touch(view->ui, ui_id_number(view->ui, "share", key), line, false);
    const struct view_number number = {
        .cell = {LAB_ALPHA, view->selection.head, view->selection.query, key},
        .value = chart->value[key],
        .pressed_at = line.x + view->ui->memory->grab_x,
        .step = chart->reach / (double)track};
    const bool drags = view_number_drag(view, touch, &number);
    struct lab_selection to = view->selection;
    to.key = key;
    if (touch.hover || touch.clicked) {
        view_choose(view, VIEW_KEY, to, touch.clicked && !drags);
    }
    if (touch.pressed && touch.clicks > 1) {
        view_wish_select(view, VIEW_KEY, to);
        view_wish_command(view, "all on key");
    }
    ui_tip(view->ui, ui_id_number(view->ui, "share", key), line,
           "Drag: the others share what is left (with ⇧ they stay). Double click: all on this key");
}

static void draw_chart(struct view *view, const struct chart *chart, const struct keys *keys,
                       struct rect area, float step)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    canvas_group(canvas, ui_id(view->ui, chart->title), chart->title);
    const float track = area.w - NUMBER_WIDE;
    const float left = chart->leftward ? area.x + NUMBER_WIDE : area.x;
    canvas_text_cut(canvas, area.x, area.y + 13, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink,
                    CANVAS_LEFT, chart->title, area.w);
    canvas_text_cut(canvas, area.x, area.y + 31, FONT_WORDS, UI_TEXT_SMALL, theme->muted,
                    CANVAS_LEFT, chart->formula, area.w);
    const float zero = chart->leftward ? left + track : left;
    const float top = area.y + HEAD_HIGH;
    canvas_line(canvas, zero, top - 2, zero, top + step * (float)keys->count + 2, 1, theme->line);
    for (size_t i = 0; i < keys->count; i++) {
        const bool veiled = view_guess_hides_key(view, view->selection.query, keys->index[i]);
        if (veiled) {
            canvas_text(canvas, left + 6, top + ((float)i + 0.5f) * step + 5, FONT_WORDS_BOLD,
                        UI_TEXT_BODY, theme->accent, CANVAS_LEFT, "?");
            continue;
        }
        const struct rect line = {area.x, top + (float)i * step, area.w, step};
        draw_bar(view, chart, line, keys->index[i]);
        take_bar(view, chart, line, keys->index[i]);
    }
    if (chart->foot != NULL && chart->grown >= 1 && view_guess(view) == LAB_GUESS_NONE) {
        canvas_text_cut(canvas, area.x, top + step * (float)keys->count + 18, FONT_NUMBERS,
                        UI_TEXT_SMALL, theme->muted, CANVAS_LEFT, chart->foot, area.w);
    }
    canvas_ungroup(canvas);
    const char *tip = arena_format(view->arena, "%s: %s\n1 × %zu, a number for every key",
                                   chart->title, chart->formula, lab_trace_sizes(view->trace).m);
    ui_tip(view->ui, ui_id(view->ui, chart->title),
           (struct rect){area.x, area.y, area.w, HEAD_HIGH}, tip != NULL ? tip : chart->title);
}

/* One band for each key: the chosen one is marked, the one under the pointer is wished for. */
static void draw_key_lines(struct view *view, const struct keys *keys, struct rect area, float step)
{
    for (size_t i = 0; i < keys->count; i++) {
        const struct rect line = {area.x - 6, area.y + (float)i * step, area.w + 12, step};
        if (view->emphasis && keys->index[i] == view->selection.key) {
            canvas_rect(view->ui->canvas, line, 4,
                        &(struct paint){.fill = colour_fade(view->ui->theme->key, 0.10f)});
        }
        const struct ui_touch touch =
            ui_touch(view->ui, ui_id_number(view->ui, "key line", keys->index[i]), line, false);
        if (touch.hover || touch.clicked) {
            struct lab_selection to = view->selection;
            to.key = keys->index[i];
            view_choose(view, VIEW_KEY, to, touch.clicked);
        }
    }
}

static float grown(const struct view *view, int chart)
{
    return fminf(1, fmaxf(0, view_done(view) * CHARTS - (float)chart));
}

/* The charts that say how this experiment makes shares of scores: how many there are. */
static int make_charts(struct view *view, const struct row_of_keys *row, double deepest,
                       struct chart charts[CHARTS])
{
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_experiment *experiment = lab_trace_experiment(view->trace);
    const size_t m = lab_trace_sizes(view->trace).m;
    double whole = 0, scores = 0, peak = 0;
    for (size_t j = 0; j < m; j++) {
        whole += row->share[j];
        scores += isfinite(row->score[j]) ? row->score[j] : 0;
        peak = isfinite(row->score[j]) ? fmax(peak, fabs(row->score[j])) : peak;
    }
    const char *sum =
        row->seen > 0 ? arena_format(view->arena, "sum %.3f", whole) : "no key is seen";
    const struct chart share = {
        "share", "exp ÷ sum = α", theme->query, row->share, fmax(1, whole), false, 3,
        sum,     grown(view, 2),  true};
    const struct chart score = {"score",
                                "after scale and mask",
                                theme->muted,
                                row->score,
                                peak,
                                false,
                                2,
                                arena_format(view->arena, "sum %.2f", scores),
                                grown(view, 0),
                                false};
    if (experiment->normalise == LAB_PLAIN_SHARE) {
        charts[0] = score;
        charts[1] = share;
        charts[1].formula = "score ÷ sum = α";
        return 2;
    }
    charts[0] =
        experiment->keep_maximum
            ? score
            : (struct chart){"score − max",
                             "below the best",
                             theme->muted,
                             row->below,
                             deepest,
                             true,
                             2,
                             row->seen > 0 ? arena_format(view->arena, "max %.2f", row->highest)
                                           : NULL,
                             grown(view, 0),
                             false};
    charts[1] = (struct chart){
        "exp",          "e to that", theme->key, row->raised,
        row->largest,   false,       3,          arena_format(view->arena, "sum %.3f", row->sum),
        grown(view, 1), false};
    charts[2] = share;
    return CHARTS;
}

static void draw_charts(struct view *view, const struct row_of_keys *row, struct rect area)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const char *const *words = lab_trace_keys(view->trace);
    const size_t m = lab_trace_sizes(view->trace).m;
    const float room = area.h - HEAD_HIGH - FOOT_HIGH;
    const size_t most = room < ROW_LOW ? 0 : (size_t)(room / ROW_LOW);
    const struct keys keys = choose_keys(view, row->share, m, most);
    if (keys.count == 0) {
        return;
    }
    const float step = fminf(ROW_HIGH, room / (float)keys.count);
    const float words_wide = view_words_width(view, words, m, fminf(110, area.w * 0.2f)) + 14;
    const float gap = area.w > 500 ? 18 : 10, wide = (area.w - words_wide - 2 * gap) / CHARTS;
    double deepest = 0;
    for (size_t j = 0; j < m; j++) {
        deepest = isfinite(row->below[j]) ? fmax(deepest, -row->below[j]) : deepest;
    }
    struct chart charts[CHARTS];
    const int count = make_charts(view, row, deepest, charts);
    draw_key_lines(view, &keys, (struct rect){area.x, area.y + HEAD_HIGH, area.w, room}, step);
    for (int c = 0; c < count; c++) {
        const float x = area.x + words_wide + (float)c * (wide + gap);
        draw_chart(view, &charts[c], &keys, (struct rect){x, area.y, wide, area.h}, step);
    }
    const char **shown = arena_array(view->arena, keys.count, sizeof *shown);
    long chosen = VIEW_NOWHERE;
    for (size_t i = 0; shown != NULL && i < keys.count; i++) {
        shown[i] = words[keys.index[i]];
        chosen = keys.index[i] == view->selection.key ? view_chosen(view, i) : chosen;
    }
    if (shown == NULL) {
        return;
    }
    view_words_of_rows(view, &(struct view_words){.words = (const char *const *)shown,
                                                  .count = keys.count,
                                                  .from = area.y + HEAD_HIGH,
                                                  .step = step,
                                                  .at = area.x + words_wide - 12,
                                                  .room = words_wide - 12,
                                                  .anchor = CANVAS_RIGHT,
                                                  .chosen = chosen,
                                                  .colour = theme->key});
    if (keys.count < m) {
        const char *note = arena_format(view->arena, "the %zu strongest of %zu", keys.count, m);
        canvas_text_cut(canvas, area.x, area.y + 13, FONT_WORDS, UI_TEXT_TINY, theme->faint,
                        CANVAS_LEFT, note != NULL ? note : "", words_wide);
    }
}

/* One more column without colour: a number for every row. */
static void draw_tail(struct view *view, const struct lab_matrix *alpha, struct rect cells, float x,
                      const char *title, double (*of)(const float *row, size_t count), int decimals)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float step = cells.h / (float)alpha->rows;
    const bool words_reach_over = cells.w / (float)alpha->cols < 40;
    const float y = words_reach_over ? cells.y + cells.h + 16 : cells.y - 9;
    canvas_text(canvas, x, y, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT, title);
    for (size_t i = 0; step >= 13 && i < alpha->rows; i++) {
        char text[TEXT_NUMBER_MAX];
        text_number(text, of(alpha->values + i * alpha->stride, alpha->cols), decimals);
        canvas_text(canvas, x, cells.y + ((float)i + 0.5f) * step + UI_TEXT_SMALL * 0.36f,
                    FONT_NUMBERS, UI_TEXT_SMALL, theme->muted, CANVAS_LEFT, text);
    }
}

static double sum_of(const float *row, size_t count)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++) {
        sum += row[j];
    }
    return sum;
}

static void draw_alpha(struct view *view, struct rect area)
{
    const bool roomy = area.w > 420;
    struct view_table table = {.operand = view_operand_of(view, LAB_ALPHA),
                               .row_words = lab_trace_queries(view->trace),
                               .column_words = lab_trace_keys(view->trace),
                               .cell_wide = 58,
                               .cell_high = 36,
                               .tail = roomy ? 122 : 58,
                               .done = view_done(view),
                               .decimals = 3,
                               .id = ui_id(view->ui, "alpha")};
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.key);
    table.operand.cell = true;
    const struct view_table_answer answer = view_table_draw(view, &table, area);
    if (answer.cells.w > 0 && table.done >= 1) {
        const struct lab_matrix *alpha = &table.operand.matrix;
        const float x = answer.cells.x + answer.cells.w + 12;
        draw_tail(view, alpha, answer.cells, x, "row sum", sum_of, 3);
        if (roomy) {
            draw_tail(view, alpha, answer.cells, x + 62, "entropy", lab_measure_entropy, 2);
            ui_tip(
                view->ui, ui_id(view->ui, "entropy"),
                (struct rect){x + 62, answer.cells.y - 22, 54, answer.cells.h + 22},
                "Entropy in bits: 0 when all attention is on one key, log₂ of the number of keys "
                "when it is even");
        }
    }
    if (answer.hit.hover || answer.hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = answer.hit.row;
        to.key = answer.hit.column;
        view_choose(view, VIEW_QUERY | VIEW_KEY, to, answer.hit.clicked);
    }
}

/* Where both do not fit: one of them, by choice. */
static void draw_either(struct view *view, const struct row_of_keys *row, struct rect area)
{
    static const char *const labels[] = {"One row", "All of α"};
    const size_t current = view->state->whole_alpha ? 1 : 0;
    const struct rect tabs = {area.x + fmaxf(0, area.w - 170), area.y - 34, fminf(170, area.w), 28};
    const size_t chosen = ui_tabs(view->ui, "softmax part", tabs, labels, 2, current);
    static const char *const tips[] = {"The chosen query, step by step: score, power, share",
                                       "α, the shares of all queries, with the sums of its rows"};
    ui_tab_tips(view->ui, "softmax part", tabs, tips, 2);
    if (chosen < 2 && chosen != current) {
        view_wish_command(view, "whole alpha");
    }
    if (current == 1) {
        draw_alpha(view, area);
    } else {
        draw_charts(view, row, area);
    }
}

void view_stage_softmax(struct view *view, struct rect area)
{
    struct row_of_keys row;
    if (lab_trace_part(view->trace, LAB_SCORES, 0).values == NULL) {
        draw_alpha(view, area);
        return;
    }
    if (!measure_row(view, &row)) {
        return;
    }
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const char *query = lab_trace_queries(view->trace)[view->selection.query];
    const char *title = arena_format(view->arena, "What %s makes of every key", query);
    canvas_text_cut(view->ui->canvas, area.x, area.y + 10, FONT_WORDS_BOLD, UI_TEXT_BODY,
                    view->ui->theme->query, CANVAS_LEFT, title != NULL ? title : "",
                    fmaxf(area.w - 180, 60));
    area.y += 28;
    area.h -= 28;
    const float charts = HEAD_HIGH + FOOT_HIGH + 22 * (float)sizes.m;
    const float alpha = 78 + 24 * (float)sizes.n;
    const float gap = 20;
    if (charts + gap + alpha > area.h) {
        draw_either(view, &row, area);
        return;
    }
    const float most = HEAD_HIGH + FOOT_HIGH + ROW_HIGH * (float)sizes.m;
    const float high = fminf(most, area.h - gap - alpha);
    draw_charts(view, &row, (struct rect){area.x, area.y, area.w, high});
    area.y += high + gap;
    area.h -= high + gap;
    draw_alpha(view, area);
}
