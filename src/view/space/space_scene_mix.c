/* Blend and Output: the values mixed in proportion to the weights, and the results of the tokens.
 */
#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "view/space/space_scene.h"

/* A step of the chain with less weight is a line without a head. */
static const float STEP_WITH_HEAD = 0.04f;
/* A value with less weight does not count as mixed in. */
static const float MIXED_MIN = 0.1f;

/* Adds the chain that sums up z: the first values, each times its weight. */
static bool add_chain(struct space *space, const struct lab_matrix *alpha,
                      const struct lab_matrix *v, size_t query, float end[3])
{
    const struct ui_theme *theme = space->view->ui->theme;
    float *sum = arena_array(space->view->arena, v->cols, sizeof *sum);
    if (sum == NULL) {
        return false;
    }
    memcpy(end, space->origin, sizeof(float[3]));
    for (size_t j = 0; j < v->rows; j++) {
        const float arrived = space_arrived(space, j, v->rows);
        const float weight = lab_matrix_at(alpha, query, j);
        if (arrived <= 0 || !(weight > 0)) {
            continue;
        }
        for (size_t c = 0; c < v->cols; c++) {
            sum[c] += weight * arrived * lab_matrix_at(v, j, c);
        }
        float at[3];
        if (!space_place(space, sum, at)) {
            continue;
        }
        struct space_line *step = space_add_line(space);
        memcpy(step->from, end, sizeof step->from);
        memcpy(step->to, at, sizeof step->to);
        step->colour = theme->value;
        step->width = 2;
        step->arrow = weight >= STEP_WITH_HEAD;
        step->over = true;
        step->name =
            space_format(space, "α · v(%s) in space", lab_trace_keys(space->view->trace)[j]);
        memcpy(end, at, sizeof at);
    }
    return true;
}

static const char *vector_text(const struct space *space, const struct lab_matrix *matrix,
                               size_t row)
{
    enum { SHOWN_MAX = 3, DECIMALS = 2 };
    const char *text = "";
    for (size_t c = 0; c < matrix->cols && c < SHOWN_MAX; c++) {
        const char *before = arena_format(space->view->arena, "%s%s", text, c > 0 ? "  " : "");
        if (before == NULL) {
            return text;
        }
        text = space_number(space, before, (double)lab_matrix_at(matrix, row, c), DECIMALS);
    }
    return matrix->cols > SHOWN_MAX ? space_format(space, "%s …", text) : text;
}

static void style_values(struct space *space, const struct lab_matrix *alpha, size_t values,
                         bool has_query)
{
    const struct view *view = space->view;
    for (size_t p = 0; p < values; p++) {
        struct space_point *point = &space->point[p];
        point->in_hull =
            !has_query || lab_trace_sees(view->trace, view->selection.query, point->index);
        point->stem = space_has_stems(space, values);
        if (!has_query) {
            continue;
        }
        const float weight = lab_matrix_at(alpha, view->selection.query, point->index);
        point->mixed = weight >= MIXED_MIN;
        point->note = space_number(space, "α ", (double)weight, 3);
        point->radius *= 0.85f + (weight > 0 ? sqrtf(fminf(weight, 1)) : 0);
        if (!point->in_hull) {
            point->fade = 0.4f;
            point->hollow = true;
            point->note = "hidden";
        }
    }
}

static void add_result(struct space *space, const struct lab_matrix *z, size_t query,
                       const float at[3])
{
    const struct view *view = space->view;
    const char *word = lab_trace_queries(view->trace)[query];
    struct space_point *result = space_add_point(space);
    memcpy(result->at, at, sizeof result->at);
    space_extend(space, at); /* edited weights may move z out of the hull */
    result->colour = view->ui->theme->output;
    result->radius = 8.5f;
    result->word = space_format(space, "z(%s)", word);
    result->note = view_playback_early(view) >= 1 ? vector_text(space, z, query) : NULL;
    result->name = space_format(space, "z(%s) in space", word);
    result->parts = VIEW_QUERY;
    result->index = query;
    result->boxed = true;
}

/* Adds the other queries that are pinned together: their chains of values, and their results. */
static bool add_pinned_queries(struct space *space, const struct lab_matrix *alpha,
                               const struct lab_matrix both[2])
{
    const struct lab_places *queries = &space->view->state->prefs.display.queries;
    for (size_t p = 0; p < queries->count; p++) {
        const size_t query = queries->place[p];
        float end[3];
        if (query == space->view->selection.query || query >= both[1].rows) {
            continue;
        }
        if (!add_chain(space, alpha, &both[0], query, end)) {
            return false;
        }
        add_result(space, &both[1], query, end);
    }
    return true;
}

bool space_scene_blend(struct space *space)
{
    struct view *view = space->view;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_matrix alpha = space_part(space, LAB_ALPHA);
    const struct lab_matrix both[2] = {space_part(space, LAB_V), space_part(space, LAB_Z)};
    const size_t query = view->selection.query;
    const size_t others = view->state->prefs.display.queries.count;
    if (!space_reserve(space, both[0].rows + both[1].rows + 2 + others,
                       2 * both[0].rows + 2 + others * both[0].rows, both[1].rows + 1) ||
        !space_frame_fit(space, both, 2, "v")) {
        return false;
    }
    const bool has_query = view->emphasis && query < both[1].rows;
    const size_t values =
        space_add_rows(space, &both[0], lab_trace_keys(view->trace), VIEW_KEY, theme->value);
    space_own(space, 0, LAB_V);
    style_values(space, &alpha, values, has_query);
    if (has_query) {
        float end[3];
        if (space_place(space, both[1].values + query * both[1].stride, end)) {
            space_extend(space, end); /* its final place, while the chain grows */
        }
        if (!add_chain(space, &alpha, &both[0], query, end)) {
            return false;
        }
        add_result(space, &both[1], query, end);
        space_add_kept(space, LAB_Z, query, end, "z");
        const char *word = lab_quoted(view->arena, lab_trace_queries(view->trace)[query]);
        const size_t query_count = lab_display_query_count(&view->state->prefs.display);
        const char *title = query_count > 0
                                ? arena_format(view->arena, "— where %zu outputs land", query_count)
                                : arena_format(view->arena, "— where the output of %s lands", word);
        space->title = title != NULL ? title : "";
        space->brief_title =
            query_count > 0 ? NULL : arena_format(view->arena, "— output of %s", word);
        if (!add_pinned_queries(space, &alpha, both)) {
            return false;
        }
    } else {
        space_add_rows(space, &both[1], lab_trace_queries(view->trace), VIEW_QUERY, theme->output);
        space_letter_words(space, values, "z(%s)");
        space->title = "— values, and what they blend into";
    }
    space->hull = true;
    space_add_legend(space, "v  value", theme->value, false);
    if (has_query) {
        space_add_legend(space, "α · v", theme->value, true);
    }
    space_add_legend(space, "z  their blend", theme->output, false);
    return true;
}

bool space_scene_output(struct space *space)
{
    struct view *view = space->view;
    const struct ui_theme *theme = view->ui->theme;
    const bool adds = space_part(space, LAB_RESIDUAL).values != NULL;
    const struct lab_matrix both[2] = {space_part(space, adds ? LAB_RESIDUAL : LAB_OUTPUT_O),
                                       space_part(space, LAB_EMBEDDINGS_X)};
    if (both[0].values == NULL || both[1].values == NULL) {
        return space_scene_blend(space);
    }
    if (!space_reserve(space, 3 * both[0].rows, 2 * both[0].rows, both[1].rows + 1) ||
        !space_frame_fit(space, both, 2, "x")) {
        return false;
    }
    const float share = space_ease(view->state->playback.position);
    const size_t outputs =
        space_add_rows(space, &both[0], lab_trace_queries(view->trace), VIEW_QUERY, theme->output);
    for (size_t p = 0; p < outputs; p++) {
        struct space_point *point = &space->point[p];
        float from[3];
        if (!space_place(space, both[1].values + point->index * both[1].stride, from)) {
            continue;
        }
        struct space_point *start = space_add_point(space);
        memcpy(start->at, from, sizeof from);
        space_extend(space, from);
        start->colour = theme->x;
        start->radius = 0.6f * point->radius;
        start->quiet = true;
        struct space_line *way = space_add_line(space);
        memcpy(way->from, from, sizeof from);
        for (size_t axis = 0; axis < SPACE_AXES; axis++) {
            point->at[axis] = from[axis] + (point->at[axis] - from[axis]) * share;
        }
        memcpy(way->to, point->at, sizeof way->to);
        way->colour = colour_fade(theme->output, point->chosen ? 1 : 0.6f);
        way->width = point->chosen ? 2.4f : 1.6f;
        way->arrow = true;
        way->name = space_format(space, adds ? "x → x + o of %s in space" : "x → o of %s in space",
                                 point->word);
        space_add_kept(space, adds ? LAB_RESIDUAL : LAB_OUTPUT_O, point->index, way->to, "o");
    }
    space->title = "— what every token has become";
    space_add_legend(space, "x  token", theme->x, false);
    if (adds) {
        space_add_legend(space, "o  what is added", theme->output, true);
    }
    space_add_legend(space, adds ? "x + o" : tr("o  output"), theme->output, false);
    return true;
}
