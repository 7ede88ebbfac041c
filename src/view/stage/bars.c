/* Softmax in steps: for the chosen query, what each step computes for every key, as three bar
 * charts read from left to right; and below or in their place all of α with the sums of its rows.
 */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/widgets.h"
#include "view/parts/charts.h"
#include "view/parts/pieces.h"
#include "view/parts/strips.h"
#include "view/parts/table.h"
#include "view/stage/softmax_layout.h"

/* --- Several queries together: the weights of each, their sum and their mean. --- */

static const float CHART_MIN = 96; /* narrower charts are left out, but not the sum */

static const char *multi_query_title(struct view *view)
{
    const struct lab_places *pinned = &view->state->prefs.display.queries;
    const char *const *words = lab_trace_queries(view->trace);
    const char *title = NULL;
    if (pinned->count == 2) {
        title = arena_format(view->arena, "What %s and %s make of every key, together",
                             lab_quoted(view->arena, words[pinned->place[0]]),
                             lab_quoted(view->arena, words[pinned->place[1]]));
    } else {
        title = arena_format(view->arena, "What %zu queries make of every key, together",
                             pinned->count);
    }
    return title != NULL ? title : "";
}

static double sum_values(const double *value, size_t count)
{
    double sum = 0;
    for (size_t j = 0; j < count; j++) {
        sum += value[j];
    }
    return sum;
}

static const char *sum_text(struct view *view, const double *value, size_t count)
{
    char sum[TEXT_NUMBER_MAX];
    return arena_format(view->arena, "sum %s", text_number(sum, sum_values(value, count), 3));
}

/* A chart of weights that reach as far as their colours, or further if they are a sum. */
static struct view_chart weights_chart(struct view *view, const char *title, const char *formula,
                                       const double *value, size_t count, struct colour colour)
{
    double longest = (double)view->share_top;
    for (size_t j = 0; j < count; j++) {
        longest = fmax(longest, value[j]);
    }
    return (struct view_chart){.title = title,
                               .formula = formula,
                               .colour = colour,
                               .value = value,
                               .longest = longest,
                               .decimals = 3,
                               .foot = sum_text(view, value, count),
                               .grown = view_done(view),
                               .weights = true};
}

/* The number of queries that get their own chart beside sum and mean. */
static size_t query_chart_count(float wide, size_t queries)
{
    const size_t charts_max = (size_t)(wide / CHART_MIN);
    return queries + 2 <= charts_max ? queries : charts_max > 2 ? charts_max - 2 : 0;
}

/* Draws the weights of the queries that are pinned together: of each of them, their sum and their
 * mean. */
static void draw_multi_query(struct view *view, struct view_charts shown, struct rect area)
{
    const struct lab_places *pinned = &view->state->prefs.display.queries;
    const struct lab_matrix weights = view_weights(view, view->selection.head);
    const size_t m = weights.cols, own = query_chart_count(area.w - 100, pinned->count);
    double *values = arena_array(view->arena, (own + 2) * m, sizeof *values);
    struct view_chart *charts = arena_array(view->arena, own + 2, sizeof *charts);
    if (values == NULL || charts == NULL || weights.values == NULL) {
        return;
    }
    const struct ui_theme *theme = view->ui->theme;
    double *sum = values + own * m, *mean = sum + m;
    lab_display_sums(&weights, &view->state->prefs.display, sum);
    for (size_t j = 0; j < m; j++) {
        mean[j] = sum[j] / (double)pinned->count;
    }
    for (size_t q = 0; q < own; q++) {
        double *row = values + q * m;
        for (size_t j = 0; j < m; j++) {
            row[j] = (double)lab_matrix_at(&weights, pinned->place[q], j);
        }
        charts[q] =
            weights_chart(view, lab_trace_queries(view->trace)[pinned->place[q]],
                          view->is_signed ? "its numbers" : "its weights α", row, m, theme->query);
    }
    const char *of = own < pinned->count ? arena_format(view->arena, "of all %zu", pinned->count)
                     : view->is_signed   ? tr("of the numbers")
                                         : tr("of the weights");
    charts[own] = weights_chart(view, "sum", of != NULL ? of : "", sum, m, theme->key);
    charts[own + 1] = weights_chart(view, "mean", "sum ÷ queries", mean, m, theme->muted);
    shown.chart = charts;
    shown.count = shown.columns = own + 2;
    shown.share = mean;
    view_charts(view, &shown, area);
}

static const float SINK_WIDE = 52;

enum { CHARTS = VIEW_SOFTMAX_CHARTS, SCORES_READ = 1 << 16 };

/* The length of the bars of score − max in every row: e to −10 is practically nothing, as the next
 * chart shows. */
static const double DEEPEST = 10;

struct row_of_keys {
    double *below;  /* score − max */
    double *raised; /* e^(score − max) */
    double *share;
    double *score;                /* after scale and mask */
    double highest, sum, largest; /* largest score; sum of the powers; largest power */
    double sink, sink_share;      /* power and share of the sink; 0: there is none */
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
        /* Without subtracting the maximum, the 32-bit numbers of the core overflow to ∞ from 88.8
         * on. */
        row->raised[j] = row->seen == 0  ? 0
                         : keeps_maximum ? (double)expf((float)power)
                                         : exp(power);
        row->largest = fmax(row->largest, row->raised[j]);
        row->share[j] = lab_matrix_at(&alpha, query, j);
        row->sum += row->raised[j];
    }
    return true;
}

/* The largest score of all rows, so that bars of different rows can be compared; of very many
 * scores the row's own. */
static double longest_score_bar(const struct view *view, double own)
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

static float chart_growth(const struct view *view, int chart)
{
    return fminf(1, fmaxf(0, view_done(view) * CHARTS - (float)chart));
}

/* The sum below a chart; long sums have fewer decimals. */
static const char *chart_sum_text(struct view *view, double sum, int decimals)
{
    char digits[TEXT_NUMBER_MAX];
    const char *const text = arena_format(
        view->arena, "sum %s", text_number(digits, sum, sum < 1e9 || sum >= 1e15 ? decimals : 0));
    return text != NULL ? text : "";
}

/* The same with the share of the sink. */
static const char *sum_with_sink(struct view *view, double sum, double sink, bool of_it)
{
    char digits[TEXT_NUMBER_MAX];
    const char *const text = chart_sum_text(view, sum, 3);
    return !(sink > 0) ? text
                       : arena_format(view->arena, of_it ? "%s, sink %s" : "%s + sink %s", text,
                                      text_nonzero_number(digits, sink, 3));
}

static const char *maximum_text(struct view *view, const struct row_of_keys *row)
{
    char digits[TEXT_NUMBER_MAX];
    return arena_format(view->arena, "max %s", text_number(digits, row->highest, 2));
}

/* Says whether bars of shares end before 1, where their colours do. */
static bool has_short_scale(const struct view *view)
{
    static const float READS_AS_ONE = 0.9995f;
    return !view->is_signed && view->share_top < READS_AS_ONE;
}

/* The formula of the shares, and where their bars end; a figure says that beside its bar. */
static const char *share_formula(struct view *view, const char *formula)
{
    char top[TEXT_NUMBER_MAX];
    const char *const text =
        has_short_scale(view) && view->style.has_controls
            ? arena_format(view->arena, "%s, bars to %s", tr(formula),
                           text_nonzero_number(top, (double)view->share_top, 3))
            : formula;
    return text != NULL ? text : "";
}

/* Makes the charts that show how this experiment turns scores into shares; returns how many. */
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
                                     .formula = share_formula(view, "exp ÷ sum = α"),
                                     .colour = theme->query,
                                     .value = row->share,
                                     .longest = has_short_scale(view) ? (double)view->share_top
                                                                      : fmax(1, whole),
                                     .of_row = true,
                                     .decimals = 3,
                                     .foot = sum,
                                     .grown = chart_growth(view, 2),
                                     .weights = true,
                                     .draggable = view->state->prefs.display.aside.count == 0};
    const bool plain = experiment->normalise == LAB_PLAIN_SHARE;
    const bool raw = plain || experiment->keep_maximum;
    const double longest = raw ? longest_score_bar(view, peak) : DEEPEST;
    const bool brief = view->style.is_far || !view->style.has_cards;
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
                                    .grown = chart_growth(view, 0)};
    charts[0].foot = raw             ? chart_sum_text(view, scores, 2)
                     : row->seen > 0 ? maximum_text(view, row)
                                     : NULL;
    if (plain) {
        charts[1] = share;
        const char *const divided = arena_format(view->arena, "%s ÷ sum = α", word);
        charts[1].formula = share_formula(view, divided != NULL ? divided : "");
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
                                    .grown = chart_growth(view, 1)};
    charts[2] = share;
    return CHARTS;
}

static void draw_charts(struct view *view, const struct row_of_keys *row, struct view_charts shown,
                        struct rect area)
{
    struct view_chart charts[CHARTS];
    shown.chart = charts;
    shown.count = make_charts(view, row, charts);
    shown.columns = CHARTS;
    shown.share = row->share;
    view_charts(view, &shown, area);
}

/* Draws the entropy of every row, as it was computed: a row of which a key is set aside is no
 * distribution. Where rows are too low, only of the chosen one, but not in a
 * figure, where it would be taken for that of all. */
static void draw_entropy(struct view *view, const struct lab_matrix *alpha, struct rect cells,
                         float x, size_t chosen)
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const float step = cells.h / (float)alpha->rows;
    const float size = !view->style.has_controls ? view_strip_size(view, step) : UI_TEXT_SMALL;
    const bool all = !view->style.has_controls || step >= 13;
    for (size_t i = all ? 0 : chosen; i < (all ? alpha->rows : chosen + 1); i++) {
        if (view_guess_hides_key(view, i, view->state->guess_at.key)) {
            continue; /* the entropy would reveal how sharp the row is */
        }
        char text[TEXT_NUMBER_MAX];
        const float *const row = alpha->values + i * alpha->stride;
        double sum = 0;
        for (size_t j = 0; j < alpha->cols; j++) {
            sum += (double)row[j];
        }
        text_number(text, isnan(sum) ? sum : lab_measure_entropy(row, alpha->cols), 2);
        const bool empty = sum == 0; /* a row that sees no key has no entropy */
        canvas_text(canvas, x, cells.y + ((float)i + 0.5f) * step + size * 0.36f, FONT_NUMBERS,
                    size, theme->muted, CANVAS_LEFT, empty ? "—" : tr(text));
    }
    ui_tip(view->ui, ui_id(view->ui, "entropy"), (struct rect){x, cells.y - 22, 54, cells.h + 22},
           "Entropy in bits: 0 when all attention is on one key, log₂ of the number of keys "
           "when it is even");
}

/* Draws the unit below the column, or below its title where that is there already; a figure leaves
 * it to its caption. */
static void draw_entropy_unit(struct view *view, struct rect area, struct rect cells, float x,
                              bool titled_below)
{
    const float y = cells.y + cells.h + (titled_below ? 31 : 18);
    if (view->style.has_controls && y + 4 <= area.y + area.h) {
        canvas_text(view->ui->canvas, x, y, FONT_WORDS, UI_TEXT_SMALL, view->ui->theme->muted,
                    CANVAS_LEFT, tr("in bits"));
    }
}

/* Draws the column of the sink, which belongs to no token: its share of every row. */
static void draw_sink(struct view *view, const struct lab_matrix *alpha,
                      const struct view_table_answer *answer, float x)
{
    const struct rect cells = answer->cells;
    struct canvas *const canvas = view->ui->canvas;
    const struct ui_theme *const theme = view->ui->theme;
    const float step = cells.h / (float)alpha->rows, gap = step >= 8 ? 1 : 0;
    const float size = !view->style.has_controls ? view_strip_size(view, step - 2 * gap)
                       : step >= 13              ? UI_TEXT_SMALL
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

enum { ROWS_MAX = 16 }; /* more rows have no numbers anyway */

/* Draws the title of the column sums below the row labels, if there is room. */
static void draw_column_sums_title(struct view *view, struct rect area, struct rect cells)
{
    const char *const words = tr("column sum");
    const float wide = canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_SMALL, words);
    if (wide <= cells.x - 8 - area.x) {
        canvas_text(view->ui->canvas, cells.x - 8, cells.y + cells.h + 18, FONT_WORDS,
                    UI_TEXT_SMALL, view->ui->theme->muted, CANVAS_RIGHT, words);
    }
}

/* Says whether the entropies have room beside α: in presenter mode the numbers in its cells come
 * first. */
static bool has_room_for_entropy(const struct view *view, const struct lab_matrix *alpha,
                                 float wide)
{
    static const float WIDE = 420, BESIDE = 152, WORDS_MAX = 130; /* sums, entropies and gaps */
    enum { DECIMALS = 2 };
    const float words =
        view_words_width(view, lab_trace_queries(view->trace), alpha->rows, WORDS_MAX);
    const float cells = (float)alpha->cols *
                        view_number_cell_width(view, alpha, DECIMALS, VIEW_PRESENTER_FONT_READABLE);
    return wide > (view->style.is_far ? fmaxf(WIDE, words + cells + BESIDE) : WIDE);
}

/* titled: with symbol and shape above. Where there is no room for that, the stage's own title says
 * what the matrix is. summed: with the sums of columns below. */
static void draw_alpha(struct view *view, struct rect area, bool titled, bool summed)
{
    const struct lab_matrix whole = lab_trace_part(view->trace, LAB_ALPHA, view->selection.head);
    const bool roomy = has_room_for_entropy(view, &whole, area.w);
    const bool sinks = lab_trace_experiment(view->trace)->sinks != NULL;
    const float sink = sinks ? SINK_WIDE + 8 : 0;
    struct view_table table = {.operand = view_operand_of(view, LAB_ALPHA),
                               .row_words = lab_trace_queries(view->trace),
                               .column_words = lab_trace_keys(view->trace),
                               .cell_wide = 58,
                               .cell_high = 36,
                               .tail = view->is_signed ? 0 : (roomy ? 122 : 58) + sink,
                               .foot = view->is_signed || !summed ? 0 : VIEW_STRIP_HIGH,
                               .done = view_done_weights(view),
                               .decimals = view->is_signed ? 0 : 3,
                               .has_zoom = true,
                               .id = ui_id(view->ui, "alpha")};
    table.label = table.operand.title;
    table.operand.title = titled ? table.operand.title : NULL;
    table.operand.row = view_chosen(view, view->selection.query);
    table.operand.column = view_chosen(view, view->selection.key);
    table.operand.cell = table.operand.shrinks = true;
    const struct view_table_answer answer = view_table_draw(view, &table, area);
    if (answer.cells.w > 0 && table.done >= 1 && !answer.in_part && !view->is_signed) {
        const struct lab_matrix *alpha = &table.operand.matrix;
        const float x = answer.cells.x + answer.cells.w + 6;
        const size_t leaning = answer.words_lean ? alpha->cols : 0;
        if (sinks) { /* right of the sums, which do not include it */
            draw_sink(view, alpha, &answer, x + 64);
        }
        view_strips(view, &(struct view_strips){.weights = *alpha,
                                                .cells = answer.cells,
                                                .numbers = true,
                                                .rows_only = !summed,
                                                .name = "alpha sums"});
        const float row_high = answer.cells.h / (float)alpha->rows;
        const bool numbers = view->style.has_controls || view_strip_size(view, row_high - 2) > 0;
        view_note_lack(view, VIEW_LACKS_ROOM, !numbers && alpha->rows <= ROWS_MAX);
        if (view_guess(view) == LAB_GUESS_NONE &&
            numbers) { /* a guess hides the sums of the strips too */
            view_strip_title(view, answer.cells, leaning, x, "row sum");
            if (summed) {
                draw_column_sums_title(view, area, answer.cells);
            }
        }
        if (roomy && numbers) {
            draw_entropy(view, &whole, answer.cells, x + 64 + sink, view->selection.query);
            view_strip_title(view, answer.cells, leaning, x + 64 + sink, "entropy");
            draw_entropy_unit(view, area, answer.cells, x + 64 + sink, leaning > 0);
        }
    }
    if (answer.hit.hover || answer.hit.clicked) {
        struct lab_selection to = view->selection;
        to.query = answer.hit.row;
        to.key = answer.hit.column;
        view_choose(view, VIEW_QUERY | VIEW_KEY, to, answer.hit.clicked);
    }
}

/* Draws the row of one query, or of several together. */
static void draw_row(struct view *view, const struct row_of_keys *row, struct view_charts shown,
                     struct rect area)
{
    if (lab_display_query_count(&view->state->prefs.display) > 0) {
        draw_multi_query(view, shown, area);
    } else {
        canvas_group(view->ui->canvas, ui_id(view->ui, "row"), VIEW_ROW_OF_QUERY);
        draw_charts(view, row, shown, area);
        canvas_ungroup(view->ui->canvas);
    }
}

/* Draws the tabs by which one of the two is chosen where both do not fit. */
static void draw_tabs(struct view *view, struct rect heading)
{
    static const char *const labels[] = {"One row", "All of α"};
    static const float WIDE = 170, HIGH = 28, RAISED = 3;
    const size_t current = view->state->prefs.whole_alpha ? 1 : 0;
    const struct rect tabs = {heading.x + fmaxf(0, heading.w - WIDE), heading.y - RAISED,
                              fminf(WIDE, heading.w), HIGH};
    const size_t chosen = ui_tabs(view->ui, "softmax part", tabs, labels, 2, current);
    static const char *const tips[] = {"The chosen query, step by step: score, power, share",
                                       "α, the shares of all queries, with the sums of its rows"};
    ui_tab_tips(view->ui, "softmax part", tabs, tips, 2);
    if (chosen < 2 && chosen != current) {
        view_action_command(view, "whole alpha");
    }
}

/* The name of the head for the heading in the presenter view, where the stage may have no title;
 * "": there is one head. */
static const char *presenter_head_name(struct view *view)
{
    const size_t heads = lab_trace_sizes(view->trace).heads, head = view->selection.head;
    if (!view->style.is_far || heads < 2) {
        return "";
    }
    const char *const name =
        view->experiment->layers > 0
            ? arena_format(view->arena, "L%zuH%zu", view->experiment->layer, head)
            : arena_format(view->arena, "head %zu", head + 1);
    return name != NULL ? name : "";
}

/* The heading of the softmax, and a brief one where a long query or the name of the head leaves no
 * room. */
struct heading {
    const char *title, *brief; /* brief: NULL: none */
};

static struct heading choose_heading(struct view *view, bool whole)
{
    const char *const query =
        lab_quoted(view->arena, lab_trace_queries(view->trace)[view->selection.query]);
    if (whole) {
        return (struct heading){"What every word makes of every key", "All rows"};
    }
    if (lab_display_query_count(&view->state->prefs.display) > 0) {
        return (struct heading){multi_query_title(view), NULL};
    }
    return (struct heading){arena_format(view->arena, "What %s makes of every key", query),
                            arena_format(view->arena, "The row of %s", query)};
}

static void draw_heading(struct view *view, bool all_rows, struct rect area)
{
    static const float APART = 10;
    struct canvas *const canvas = view->ui->canvas;
    const struct heading heading = choose_heading(view, all_rows);
    const char *const title = heading.title != NULL ? heading.title : "";
    const float wide = !view->style.has_controls ? area.w : fmaxf(area.w - 180, 60);
    const char *const head = presenter_head_name(view);
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
    enum { FEW = 6 };
    struct row_of_keys row;
    struct softmax_layout lay;
    softmax_lay_out(view, area, &lay);
    const bool sums = !box_gave(&lay.tree, SOFTMAX_SUMS);
    const bool either = box_gave(&lay.tree, SOFTMAX_BOTH);
    const struct view_charts shown = {.formulas = !box_gave(&lay.tree, SOFTMAX_FORMULAS),
                                      .sums = sums};
    if (lay.row != NULL && measure_row(view, &row)) {
        const struct lab_sizes sizes = lab_trace_sizes(view->trace);
        draw_heading(view, either && view->state->prefs.whole_alpha, lay.heading->at);
        view_note_lack(view, VIEW_LACKS_ROOM,
                       either && !view->style.has_controls && sizes.n <= FEW && sizes.m <= FEW);
        if (either) {
            draw_tabs(view, lay.heading->at);
        }
        if (lay.row->there) {
            draw_row(view, &row, shown, lay.row->at);
        }
    }
    if (lay.alpha->there) {
        draw_alpha(view, lay.alpha->at, softmax_has_title(view, &lay.tree), sums);
    }
}
