/* Softmax opened up: for the chosen query, what each step makes of every key, as three bar charts
 * that are read from left to right; below or beside them the whole of α with the sums of its rows.
 */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/charts.h"
#include "view/parts/pieces.h"
#include "view/parts/strips.h"
#include "view/parts/table.h"

/* Several queries at once: what each makes of every key, the sum of that, and the mean. */

static const float CHART_LEAST = 96; /* narrower charts are left out, the sum stays */

static const char *view_multi_query_title(struct view *view)
{
    const struct lab_places *kept = &view->state->prefs.display.queries;
    const char *const *words = lab_trace_queries(view->trace);
    const char *title = NULL;
    if (kept->count == 2) {
        title = arena_format(view->arena, "What %s and %s make of every key, together",
                             lab_quoted(view->arena, words[kept->place[0]]),
                             lab_quoted(view->arena, words[kept->place[1]]));
    } else {
        title =
            arena_format(view->arena, "What %zu queries make of every key, together", kept->count);
    }
    return title != NULL ? title : "";
}

static double total(const double *value, size_t count)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++) {
        sum += value[j];
    }
    return sum;
}

static const char *foot(struct view *view, const double *value, size_t count)
{
    char sum[TEXT_NUMBER_MAX];
    return arena_format(view->arena, "sum %s", text_number(sum, total(value, count), 3));
}

/* One chart of weights that reach to 1, or further where they are a sum. */
static struct view_chart chart_of(struct view *view, const char *title, const char *formula,
                                  const double *value, size_t count, struct colour colour)
{
    double longest = 1;
    for (size_t j = 0; j < count; j++) {
        longest = fmax(longest, value[j]);
    }
    return (struct view_chart){.title = title,
                               .formula = formula,
                               .colour = colour,
                               .value = value,
                               .longest = longest,
                               .decimals = 3,
                               .foot = foot(view, value, count),
                               .grown = view_done(view),
                               .weights = true};
}

/* How many of the queries have a chart of their own: all that fit beside sum and mean. */
static size_t charts_of_their_own(float wide, size_t queries)
{
    const size_t most = (size_t)(wide / CHART_LEAST);
    return queries + 2 <= most ? queries : most > 2 ? most - 2 : 0;
}

/* What the queries that are looked at together make of every key: each of them, their sum, their
 * mean. (view/stage/bars.c) */
static void view_multi_query(struct view *view, struct rect area)
{
    const struct lab_places *kept = &view->state->prefs.display.queries;
    const struct lab_matrix weights = view_weights(view, view->selection.head);
    const size_t m = weights.cols, own = charts_of_their_own(area.w - 100, kept->count);
    double *values = arena_array(view->arena, (own + 2) * m, sizeof *values);
    struct view_chart *charts = arena_array(view->arena, own + 2, sizeof *charts);
    if (values == NULL || charts == NULL || weights.values == NULL) {
        return;
    }
    const struct ui_theme *theme = view->ui->theme;
    double *sum = values + own * m, *mean = sum + m;
    lab_display_sums(&weights, &view->state->prefs.display, sum);
    for (size_t j = 0; j < m; j++) {
        mean[j] = sum[j] / (double)kept->count;
    }
    for (size_t q = 0; q < own; q++) {
        double *row = values + q * m;
        for (size_t j = 0; j < m; j++) {
            row[j] = (double)lab_matrix_at(&weights, kept->place[q], j);
        }
        charts[q] = chart_of(view, lab_trace_queries(view->trace)[kept->place[q]], "its weights α",
                             row, m, theme->query);
    }
    const char *of = own < kept->count ? arena_format(view->arena, "of all %zu", kept->count)
                                       : tr("of the weights");
    charts[own] = chart_of(view, "sum", of != NULL ? of : "", sum, m, theme->key);
    charts[own + 1] = chart_of(view, "mean", "sum ÷ queries", mean, m, theme->muted);
    view_charts(view, charts, own + 2, own + 2, mean, area);
}

static const float SINK_WIDE = 52;

enum { CHARTS = VIEW_SOFTMAX_CHARTS, SCORES_READ = 1 << 16 };

/* Where the bars of score − max end, in every row and every step alike: e to that is nothing any
 * more, as its own column says. */
static const double DEEPEST = 10;

struct row_of_keys {
    double *below;  /* score − max */
    double *raised; /* e^(score − max) */
    double *share;
    double *score;                /* after scale and mask */
    double highest, sum, largest; /* of the scores; of the powers: their sum, the largest */
    double sink, sink_share;      /* of the powers, and what it takes; 0: there is none */
    size_t seen;
};

static bool measure_row(struct view *view, struct row_of_keys *row)
{
    const struct lab_matrix alpha = view_weights(view, view->selection.head);
    const size_t m = alpha.cols, head = view->selection.head, query = view->selection.query;
    const bool keeps_maximum = lab_trace_experiment(view->trace)->keep_maximum;
    double *values = arena_array(view->arena, 4 * m, sizeof *values);
    if (values == NULL || alpha.values == NULL) {
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
    const double sink = (double)lab_trace_sink(view->trace, head);
    row->highest = fmax(row->highest, sink);
    row->sink = isinf(sink) ? 0 : exp(sink - (keeps_maximum ? 0 : row->highest));
    row->sink_share = lab_trace_sink_share(view->trace, head, query);
    row->sum = row->sink;
    for (size_t j = 0; j < m; j++) {
        row->below[j] = row->below[j] == row->highest ? 0 : row->below[j] - row->highest;
        const double power = keeps_maximum ? row->score[j] : row->below[j];
        /* Without the maximum subtracted, as the 32-bit numbers of the core have it: ∞ from 88.8.
         */
        row->raised[j] = row->seen == 0  ? 0
                         : keeps_maximum ? (double)expf((float)power)
                                         : exp(power);
        row->largest = fmax(row->largest, row->raised[j]);
        row->share[j] = lab_matrix_at(&alpha, query, j);
        row->sum += row->raised[j];
    }
    return true;
}

/* The largest score of all rows, so that bars of one row can be held against those of another; of
 * very many the row's own. */
static double reach_of_scores(const struct view *view, double own)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    double longest = own;
    for (size_t i = 0; sizes.n * sizes.m <= SCORES_READ && i < sizes.n; i++) {
        for (size_t j = 0; j < sizes.m; j++) {
            const double score = (double)lab_trace_scaled(view->trace, view->selection.head, i, j);
            longest = isfinite(score) ? fmax(longest, fabs(score)) : longest;
        }
    }
    return longest;
}

static float grown(const struct view *view, int chart)
{
    return fminf(1, fmaxf(0, view_done(view) * CHARTS - (float)chart));
}

/* What stands below a chart; long sums with fewer decimals. */
static const char *sum_of(struct view *view, double sum, int decimals)
{
    char digits[TEXT_NUMBER_MAX];
    const char *const text = arena_format(
        view->arena, "sum %s", text_number(digits, sum, sum < 1e9 || sum >= 1e15 ? decimals : 0));
    return text != NULL ? text : "";
}

/* The same, with what the sink has of it. */
static const char *sum_with_sink(struct view *view, double sum, double sink, bool of_it)
{
    char digits[TEXT_NUMBER_MAX];
    const char *const text = sum_of(view, sum, 3);
    return !(sink > 0) ? text
                       : arena_format(view->arena, of_it ? "%s, sink %s" : "%s + sink %s", text,
                                      text_number(digits, sink, 3));
}

static const char *highest_of(struct view *view, const struct row_of_keys *row)
{
    char digits[TEXT_NUMBER_MAX];
    return arena_format(view->arena, "max %s", text_number(digits, row->highest, 2));
}

/* The charts that say how this experiment makes shares of scores: how many there are. */
static size_t make_charts(struct view *view, const struct row_of_keys *row,
                          struct view_chart charts[CHARTS])
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
        row->seen > 0 ? sum_with_sink(view, whole, row->sink_share, false) : tr("no key is seen");
    const struct view_chart share = {.title = "share",
                                     .formula = "exp ÷ sum = α",
                                     .colour = theme->query,
                                     .value = row->share,
                                     .longest = fmax(1, whole),
                                     .of_row = true,
                                     .decimals = 3,
                                     .foot = sum,
                                     .grown = grown(view, 2),
                                     .weights = true,
                                     .draggable = view->state->prefs.display.aside.count == 0};
    const bool plain = experiment->normalise == LAB_PLAIN_SHARE;
    const bool raw = plain || experiment->keep_maximum;
    const double longest = raw ? reach_of_scores(view, peak) : DEEPEST;
    const bool brief = view->state->prefs.presenter || view->state->frame.borderless;
    const char *const below = brief ? "bars to −10" : "below the best, bars to −10";
    const char *const word = lab_score_word(experiment);
    const char *const best = arena_format(view->arena, "%s − max", word);
    charts[0] = (struct view_chart){.title = raw || best == NULL ? word : best,
                                    .formula = raw ? "after scale and mask" : below,
                                    .colour = theme->muted,
                                    .value = raw ? row->score : row->below,
                                    .longest = longest,
                                    .of_row = true,
                                    .leftward = !raw,
                                    .decimals = 2,
                                    .grown = grown(view, 0)};
    charts[0].foot = raw ? sum_of(view, scores, 2) : row->seen > 0 ? highest_of(view, row) : NULL;
    if (plain) {
        charts[1] = share;
        const char *const divided = arena_format(view->arena, "%s ÷ sum = α", word);
        charts[1].formula = divided != NULL ? divided : "";
        return 2;
    }
    charts[1] = (struct view_chart){.title = "exp",
                                    .formula = "e to that",
                                    .colour = theme->key,
                                    .value = row->raised,
                                    .longest = raw ? (double)expf((float)longest) : row->largest,
                                    .of_row = true,
                                    .decimals = 3,
                                    .foot = sum_with_sink(view, row->sum, row->sink, true),
                                    .grown = grown(view, 1)};
    charts[2] = share;
    return CHARTS;
}

static void draw_charts(struct view *view, const struct row_of_keys *row, struct rect area)
{
    struct view_chart charts[CHARTS];
    const size_t count = make_charts(view, row, charts);
    view_charts(view, charts, count, CHARTS, row->share, area);
}

/* The entropy of every row, as numbers; of the chosen row alone where rows are too low for that,
 * but not in a figure, where one of many would be taken for that of all. */
static void draw_entropy(struct view *view, const struct lab_matrix *alpha, struct rect cells,
                         float x, size_t chosen)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float step = cells.h / (float)alpha->rows;
    const float size = view->is_figure ? view_strip_size(view, step) : UI_TEXT_SMALL;
    const bool all = view->is_figure || step >= 13;
    for (size_t i = all ? 0 : chosen; i < (all ? alpha->rows : chosen + 1); i++) {
        if (view_guess_hides_key(view, i, view->state->guess_at.key)) {
            continue; /* it would tell how sharp the row is */
        }
        char text[TEXT_NUMBER_MAX];
        const float *const row = alpha->values + i * alpha->stride;
        double sum = 0;
        for (size_t j = 0; j < alpha->cols; j++) {
            sum += (double)row[j];
        }
        text_number(text, isnan(sum) ? sum : lab_measure_entropy(row, alpha->cols), 2);
        const bool empty = sum == 0; /* it sees no key, and none is no certainty */
        canvas_text(canvas, x, cells.y + ((float)i + 0.5f) * step + size * 0.36f, FONT_NUMBERS,
                    size, theme->muted, CANVAS_LEFT, empty ? "—" : tr(text));
    }
    ui_tip(view->ui, ui_id(view->ui, "entropy"), (struct rect){x, cells.y - 22, 54, cells.h + 22},
           "Entropy in bits: 0 when all attention is on one key, log₂ of the number of keys "
           "when it is even");
}

/* The column that is no word's: what the sink takes of every row. */
static void draw_sink(struct view *view, const struct lab_matrix *alpha,
                      const struct view_table_answer *answer, float x)
{
    const struct rect cells = answer->cells;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const float step = cells.h / (float)alpha->rows, gap = step >= 8 ? 1 : 0;
    const float size = view->is_figure ? view_strip_size(view, step - 2 * gap)
                       : step >= 13    ? UI_TEXT_SMALL
                                       : 0;
    canvas_group(canvas, ui_id(view->ui, "sink"), "Sink");
    for (size_t i = 0; i < alpha->rows; i++) {
        char text[TEXT_NUMBER_MAX];
        const double share = lab_trace_sink_share(view->trace, view->selection.head, i);
        const struct rect cell = {x, cells.y + (float)i * step + gap, SINK_WIDE, step - 2 * gap};
        const struct colour fill =
            colour_mix(theme->control, theme->key, (float)fmin(1, fmax(0, share)));
        canvas_rect(canvas, cell, 3, &(struct paint){.fill = fill});
        if (size > 0) {
            canvas_text(canvas, cell.x + cell.w / 2, cell.y + cell.h / 2 + size * 0.36f,
                        FONT_NUMBERS, size, colour_ink_on(fill), CANVAS_CENTRE,
                        text_number(text, share, 3));
        }
    }
    canvas_ungroup(canvas);
    view_strip_title(view, answer->cells, answer->words_lean ? alpha->cols : 0, x, "sink");
    ui_tip(view->ui, ui_id(view->ui, "sink"),
           (struct rect){x, cells.y - 22, SINK_WIDE, cells.h + 22},
           "A score that the head has learned takes part in every row's softmax. Its share is no "
           "word's, and so the words share less than 1");
}

enum { ROWS_MOST = 16 }; /* more have no numbers anyhow */

/* Where the words of rows leave room for it: below them. */
static void name_column_sums(struct view *view, struct rect area, struct rect cells)
{
    const char *const words = tr("column sum");
    const float wide = canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_SMALL, words);
    if (wide <= cells.x - 8 - area.x) {
        canvas_text(view->ui->canvas, cells.x - 8, cells.y + cells.h + 18, FONT_WORDS,
                    UI_TEXT_SMALL, view->ui->theme->muted, CANVAS_RIGHT, words);
    }
}

/* titled: below its letter and shape; where that costs the room for it, the stage's own title says
 * what it is. */
static void draw_alpha(struct view *view, struct rect area, bool titled)
{
    const bool roomy = area.w > 420, sinks = lab_trace_experiment(view->trace)->sinks != NULL;
    const float sink = sinks ? SINK_WIDE + 8 : 0;
    struct view_table table = {.operand = view_operand_of(view, LAB_ALPHA),
                               .row_words = lab_trace_queries(view->trace),
                               .column_words = lab_trace_keys(view->trace),
                               .cell_wide = 58,
                               .cell_high = 36,
                               .tail = (roomy ? 122 : 58) + sink,
                               .foot = VIEW_STRIP_HIGH,
                               .done = view_done_weights(view),
                               .decimals = 3,
                               .has_zoom = true,
                               .id = ui_id(view->ui, "alpha")};
    table.label = table.operand.title;
    table.operand.title = titled ? table.operand.title : NULL;
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.key);
    table.operand.cell = true;
    const struct view_table_answer answer = view_table_draw(view, &table, area);
    if (answer.cells.w > 0 && table.done >= 1 && !answer.in_part) {
        const struct lab_matrix *alpha = &table.operand.matrix;
        const float x = answer.cells.x + answer.cells.w + 6;
        const size_t leaning = answer.words_lean ? alpha->cols : 0;
        if (sinks) { /* behind the sums, which leave it out */
            draw_sink(view, alpha, &answer, x + 64);
        }
        view_strips(view, &(struct view_strips){*alpha, answer.cells, true, "alpha sums"});
        const float row_high = answer.cells.h / (float)alpha->rows;
        const bool numbers = !view->is_figure || view_strip_size(view, row_high - 2) > 0;
        view->crowded = view->crowded || (!numbers && alpha->rows <= ROWS_MOST);
        if (view_guess(view) == LAB_GUESS_NONE &&
            numbers) { /* the sums of the strips are hidden too */
            view_strip_title(view, answer.cells, leaning, x, "row sum");
            name_column_sums(view, area, answer.cells);
        }
        if (roomy && numbers) {
            draw_entropy(view, alpha, answer.cells, x + 64 + sink, view->selection.query);
            view_strip_title(view, answer.cells, leaning, x + 64 + sink, "entropy");
        }
    }
    if (answer.hit.hover || answer.hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = answer.hit.row;
        to.key = answer.hit.column;
        view_choose(view, VIEW_QUERY | VIEW_KEY, to, answer.hit.clicked);
    }
}

/* One query's row, or what several make of the keys together. */
static void draw_row(struct view *view, const struct row_of_keys *row, struct rect area)
{
    if (lab_display_query_count(&view->state->prefs.display) > 0) {
        view_multi_query(view, area);
    } else {
        canvas_group(view->ui->canvas, ui_id(view->ui, "row"), VIEW_ROW_OF_QUERY);
        draw_charts(view, row, area);
        canvas_ungroup(view->ui->canvas);
    }
}

static const float TITLE = 48;                         /* of α, above its words */
static const float LOW_ALPHA = 230;                    /* a lower one has no room for a title */
static const float ALPHA_AROUND = 116, ALPHA_ROW = 17; /* title, words and sums; with numbers */
static const float HEADING = 28;                       /* what the query makes of every key */

/* Where both do not fit: one of them, by choice. */
static void draw_either(struct view *view, const struct row_of_keys *row, struct rect area)
{
    static const char *const labels[] = {"One row", "All of α"};
    const size_t current = view->state->prefs.whole_alpha ? 1 : 0;
    const struct rect tabs = {area.x + fmaxf(0, area.w - 170), area.y - 34, fminf(170, area.w), 28};
    const size_t chosen = ui_tabs(view->ui, "softmax part", tabs, labels, 2, current);
    static const char *const tips[] = {"The chosen query, step by step: score, power, share",
                                       "α, the shares of all queries, with the sums of its rows"};
    ui_tab_tips(view->ui, "softmax part", tabs, tips, 2);
    if (chosen < 2 && chosen != current) {
        view_action_command(view, "whole alpha");
    }
    if (current == 1) {
        const size_t n = lab_trace_sizes(view->trace).n; /* rows come before a title */
        const float rows = n <= ROWS_MOST ? ALPHA_AROUND + ALPHA_ROW * (float)n : 0;
        draw_alpha(view, area, area.h >= fmaxf(LOW_ALPHA, rows));
    } else {
        draw_row(view, row, area);
    }
}

/* How high the row's charts and α below them are at least. */
struct both {
    float charts, gap, alpha;
    float around; /* of α: its words and sums */
};

/* In a figure words above α are turned where they have no room: how much higher they are then. */
static float words_higher(const struct view *view, struct rect area)
{
    static const float BESIDE = 260, USUAL = 24; /* beside the cells of α; words in one line */
    const size_t keys = lab_trace_sizes(view->trace).m;
    const struct view_words above = {.words = lab_trace_keys(view->trace),
                                     .count = keys,
                                     .step = fmaxf(area.w - BESIDE, 60) / (float)keys,
                                     .room = area.h / 3,
                                     .beyond = SINK_WIDE,
                                     .chosen = -1};
    return view->is_figure ? fmaxf(0, view_words_above(view, &above) - USUAL) : 0;
}

/* tight: closer, with numbers that are read all the same. */
static struct both both_of(const struct view *view, bool tight)
{
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const bool presents = view->state->prefs.presenter; /* letters are large, or one is shown */
    const float line = presents ? 22 : tight ? 14.5f : 17, row = presents ? 24 : 15.5f;
    const float around = 78 + VIEW_STRIP_HIGH - (tight ? TITLE : 0);
    return (struct both){.charts = VIEW_CHARTS_HEAD + VIEW_CHARTS_FOOT + line * (float)sizes.m,
                         .gap = tight ? 8 : 20,
                         .alpha = around + row * (float)sizes.n,
                         .around = around};
}

static float both_height(const struct both *both)
{
    return both->charts + both->gap + both->alpha;
}

float view_stage_softmax_needs(const struct view *view)
{
    const struct both both = both_of(view, true);
    return HEADING + both_height(&both);
}

/* Before a class, where the stage may have no title, the head is named behind the heading; "" where
 * there is one head. */
static const char *head_name(struct view *view)
{
    const size_t heads = lab_trace_sizes(view->trace).heads, head = view->selection.head;
    if (!view->state->prefs.presenter || heads < 2) {
        return "";
    }
    const char *const name =
        view->experiment->layers > 0
            ? arena_format(view->arena, "L%zuH%zu", view->experiment->layer, head)
            : arena_format(view->arena, "head %zu", head + 1);
    return name != NULL ? name : "";
}

/* What a picture of softmax is about; where a long query or the name of the head leaves no room for
 * that, more briefly. */
struct heading {
    const char *title, *brief; /* brief NULL: there is none */
};

static struct heading heading_of(struct view *view, bool whole)
{
    const char *const query =
        lab_quoted(view->arena, lab_trace_queries(view->trace)[view->selection.query]);
    if (whole) {
        return (struct heading){"What every word makes of every key", "All rows"};
    }
    if (lab_display_query_count(&view->state->prefs.display) > 0) {
        return (struct heading){view_multi_query_title(view), NULL};
    }
    return (struct heading){arena_format(view->arena, "What %s makes of every key", query),
                            arena_format(view->arena, "The row of %s", query)};
}

static void draw_heading(struct view *view, bool all_rows, struct rect area)
{
    static const float APART = 10;
    struct canvas *const canvas = view->ui->canvas;
    const struct heading heading = heading_of(view, all_rows);
    const char *const title = heading.title != NULL ? heading.title : "";
    const float wide = view->is_figure ? area.w : fmaxf(area.w - 180, 60);
    const char *const head = head_name(view);
    const float name =
        head[0] != '\0' ? APART + canvas_measure(canvas, FONT_WORDS, UI_TEXT_BODY, head) : 0;
    const float whole =
        canvas_measure(canvas, FONT_WORDS_BOLD, name > 0 ? UI_TEXT_BODY : UI_TEXT_SMALL, tr(title));
    const bool brief = whole + name > wide && heading.brief != NULL;
    const char *const text = brief ? heading.brief : title;
    const float taken = canvas_measure(canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr(text));
    view_text_whole(view, area.x, area.y + 10, FONT_WORDS_BOLD, UI_TEXT_BODY,
                    view->ui->theme->query, CANVAS_LEFT, tr(text), wide);
    if (name > 0 && taken + name <= wide) {
        canvas_text(canvas, area.x + taken + APART, area.y + 10, FONT_WORDS, UI_TEXT_BODY,
                    view->ui->theme->muted, CANVAS_LEFT, head);
    }
    if (brief) {
        ui_tip(view->ui, ui_id(view->ui, "heading"), (struct rect){area.x, area.y - 6, wide, 22},
               title);
    }
}

void view_stage_softmax(struct view *view, struct rect area)
{
    struct row_of_keys row;
    if (lab_trace_part(view->trace, LAB_SCORES, 0).values == NULL) {
        draw_alpha(view, area, true);
        return;
    }
    if (!measure_row(view, &row)) {
        return;
    }
    const struct lab_sizes sizes = lab_trace_sizes(view->trace);
    const struct rect heading = area;
    area.y += HEADING;
    area.h -= HEADING;
    struct both both = both_of(view, false);
    const float higher = words_higher(view, area);
    both.alpha += higher;
    both.around += higher;
    const bool may_be_tight = !view->state->prefs.presenter && !view->is_figure;
    const bool tight = may_be_tight && both_height(&both) > area.h;
    if (tight) { /* before one of them hides the other */
        both = both_of(view, true);
    }
    const bool either = both_height(&both) > area.h;
    draw_heading(view, either && view->state->prefs.whole_alpha, heading);
    if (either) {
        enum { FEW = 6 };
        view->crowded = view->crowded || (view->is_figure && sizes.n <= FEW && sizes.m <= FEW);
        draw_either(view, &row, area);
        return;
    }
    const float row_high = 24;
    const float alpha = fmaxf(both.alpha, fminf(both.around + row_high * (float)sizes.n,
                                                area.h - both.gap - both.charts));
    const float most = VIEW_CHARTS_HEAD + VIEW_CHARTS_FOOT + VIEW_CHARTS_LINE * (float)sizes.m;
    const float high = fminf(most, area.h - both.gap - alpha);
    draw_row(view, &row, (struct rect){area.x, area.y, area.w, high});
    area.y += high + both.gap;
    area.h -= high + both.gap;
    draw_alpha(view, area, !tight);
}
