/* Several queries at once: what each makes of every key, the sum of that, and the mean. */
#include <math.h>

#include "base/text.h"
#include "base/translate.h"
#include "view/parts/charts.h"
#include "view/parts/pieces.h"

static const float CHART_LEAST = 96; /* narrower charts are left out, the sum stays */

const char *view_multi_query_title(struct view *view)
{
    const struct lab_places *kept = &view->state->display.queries;
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
    double reach = 1;
    for (size_t j = 0; j < count; j++) {
        reach = fmax(reach, value[j]);
    }
    return (struct view_chart){.title = title,
                               .formula = formula,
                               .colour = colour,
                               .value = value,
                               .reach = reach,
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

void view_multi_query(struct view *view, struct rect area)
{
    const struct lab_places *kept = &view->state->display.queries;
    const struct lab_matrix weights = view_weights(view, view->selection.head);
    const size_t m = weights.cols, own = charts_of_their_own(area.w - 100, kept->count);
    double *values = arena_array(view->arena, (own + 2) * m, sizeof *values);
    struct view_chart *charts = arena_array(view->arena, own + 2, sizeof *charts);
    if (values == NULL || charts == NULL || weights.values == NULL) {
        return;
    }
    const struct ui_theme *theme = view->ui->theme;
    double *sum = values + own * m, *mean = sum + m;
    lab_display_sums(&weights, &view->state->display, sum);
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
