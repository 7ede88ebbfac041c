/* Score, Scale · mask, Softmax: one query as an arrow, the keys as points, and the links between
 * them. */
#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "view/space/space_scene.h"

enum { FEET_MAX = 32, FITTED_PAIRS_MAX = 4096 };

struct meeting {
    struct lab_matrix q, k, alpha, scores;
    size_t query;
    float tip[3];   /* of the query */
    bool has_query; /* one is chosen, and it has a place */
    enum lab_stage stage;
    const double *sum; /* of the weights over the queries pinned together; NULL: only one */
};

static float finite_or_zero(float value)
{
    return isfinite(value) ? value : 0;
}

/* The reach of a key along the query: k·q / q·q; 1 is the tip of the query. */
static float reach_along_query(const struct meeting *meeting, size_t query, size_t key)
{
    const float *q = meeting->q.values + query * meeting->q.stride;
    const float *k = meeting->k.values + key * meeting->k.stride;
    double dot = 0, square = 0;
    for (size_t c = 0; c < meeting->q.cols; c++) {
        dot += (double)q[c] * (double)k[c];
        square += (double)q[c] * (double)q[c];
    }
    const double far = square > 0 ? dot / square : 0;
    return isfinite(far) ? (float)fmin(fmax(far, -1e6), 1e6) : 0;
}

static void point_along(const struct space *space, const float tip[3], float far, float at[3])
{
    for (size_t axis = 0; axis < SPACE_AXES; axis++) {
        at[axis] = space->origin[axis] + (tip[axis] - space->origin[axis]) * far;
    }
}

/* "scaled 4.19" */
static const char *scaled_note(const struct space *space, double value)
{
    const char *const word = lab_score_word(lab_trace_experiment(space->view->trace));
    const char *const before = arena_words(space->view->arena, "%s ", word);
    return space_number(space, before, value, 2);
}

static void set_key_note(const struct space *space, const struct meeting *meeting,
                         struct space_point *point)
{
    const struct lab_trace *trace = space->view->trace;
    const size_t head = space->view->selection.head, i = meeting->query, j = point->index;
    switch (meeting->stage) {
    case LAB_SCORE:
        point->note =
            space_number(space, "score ", (double)lab_matrix_at(&meeting->scores, i, j), 2);
        break;
    case LAB_SCALE:
        point->note = lab_trace_sees(trace, i, j)
                          ? scaled_note(space, (double)lab_trace_scaled(trace, head, i, j))
                          : tr("hidden −∞");
        break;
    default:
        if (lab_places_has(&space->view->state->prefs.display.aside, j)) {
            point->note = tr("aside");
            break;
        }
        if (meeting->sum == NULL && !lab_trace_sees(trace, i, j) &&
            !(lab_matrix_at(&meeting->alpha, i, j) > 0)) {
            point->note = tr("hidden");
            break;
        }
        point->note = space_number(
            space, meeting->sum != NULL ? "Σα " : "α ",
            meeting->sum != NULL ? meeting->sum[j] : (double)lab_matrix_at(&meeting->alpha, i, j),
            3);
        break;
    }
}

static void style_key(struct space *space, const struct meeting *meeting, struct space_point *point)
{
    const size_t i = meeting->query, j = point->index;
    if (!meeting->has_query) {
        return;
    }
    const float arrived = space_arrived(space, j, meeting->k.rows);
    if (arrived > 0) {
        set_key_note(space, meeting, point);
    }
    if (meeting->stage != LAB_SCORE && !lab_trace_sees(space->view->trace, i, j)) {
        const float gone = meeting->stage == LAB_SCALE ? arrived : 1;
        point->fade = 1 - 0.6f * gone;
        point->hollow = gone > 0.5f;
    }
    if (meeting->stage == LAB_SOFTMAX) {
        const float alpha = finite_or_zero(lab_matrix_at(&meeting->alpha, i, j));
        point->radius *= 0.85f + 1.0f * sqrtf(fmaxf(alpha, 0)) * arrived;
    }
}

static void add_query_arrow(struct space *space, const struct meeting *meeting)
{
    const struct ui_theme *theme = space->view->ui->theme;
    const char *word = lab_trace_queries(space->view->trace)[meeting->query];
    struct space_line *arrow = space_add_line(space);
    memcpy(arrow->from, space->origin, sizeof arrow->from);
    memcpy(arrow->to, meeting->tip, sizeof arrow->to);
    arrow->colour = theme->query;
    arrow->width = meeting->stage == LAB_SOFTMAX ? 1.6f : 3;
    arrow->arrow = true;
    arrow->name = space_format(space, "arrow of q(%s) in space", word);
    struct space_point *tip = space_add_point(space);
    memcpy(tip->at, meeting->tip, sizeof tip->at);
    tip->colour = theme->query;
    tip->radius = 1.6f * space_point_radius(space, meeting->k.rows);
    tip->hollow = true;
    tip->lettered = true;
    tip->word = space_format(space, "q(%s)", word);
    tip->name = space_format(space, "q(%s) in space", word);
    tip->parts = VIEW_QUERY;
    tip->index = meeting->query;
    space_own(space, space->points - 1, lab_graph_queries(lab_trace_graph(space->view->trace)));
}

/* Adds the perpendicular from a key to the query's line, with a dot; the chosen key's dot says how
 * far it reaches. */
static void add_perpendicular(struct space *space, const struct meeting *meeting,
                              const struct space_point *key, float *low, float *high)
{
    const float far = reach_along_query(meeting, meeting->query, key->index);
    const float arrived = space_arrived(space, key->index, meeting->k.rows);
    const bool chosen = key->chosen;
    if (arrived <= 0) {
        return;
    }
    *low = fminf(*low, far);
    *high = fmaxf(*high, far);
    float at[3];
    point_along(space, meeting->tip, far, at);
    struct space_line *drop = space_add_line(space);
    memcpy(drop->from, key->at, sizeof drop->from);
    memcpy(drop->to, at, sizeof drop->to);
    drop->colour = colour_fade(key->colour, (chosen ? 1.0f : 0.6f) * key->fade);
    drop->width = chosen ? 1.6f : 1;
    drop->dash = 3;
    drop->share = arrived;
    drop->name = space_format(space, "drop of %s in space", key->word);
    if (chosen) {
        struct space_line *bar = space_add_line(space);
        memcpy(bar->from, space->origin, sizeof bar->from);
        memcpy(bar->to, at, sizeof bar->to);
        bar->colour = key->colour;
        bar->width = 5;
        bar->share = arrived;
        bar->name = "projection in space";
    }
    struct space_point *foot = space_add_point(space);
    memcpy(foot->at, at, sizeof foot->at);
    space_extend(space, at);
    foot->colour = key->colour;
    foot->radius = chosen ? 3.2f : 2.2f;
    foot->fade = arrived * key->fade;
    foot->quiet = !chosen || arrived < 1;
    if (!foot->quiet) {
        double square = 0;
        for (size_t c = 0; c < meeting->q.cols; c++) {
            const double q = (double)lab_matrix_at(&meeting->q, meeting->query, c);
            square += q * q;
        }
        foot->note = space_number(space, "reach ", (double)far * sqrt(square), 2);
    }
}

static void add_perpendiculars(struct space *space, const struct meeting *meeting, size_t keys)
{
    float low = 0, high = 1;
    for (size_t p = 0; p < keys; p++) {
        if (keys <= FEET_MAX || space->point[p].chosen) {
            const struct space_point key = space->point[p];
            add_perpendicular(space, meeting, &key, &low, &high);
        }
    }
    struct space_line *axis = space_add_line(space);
    point_along(space, meeting->tip, low, axis->from);
    point_along(space, meeting->tip, high, axis->to);
    axis->colour = colour_fade(space->view->ui->theme->query, 0.7f);
    axis->width = 1.2f;
    axis->dash = 2;
    axis->name = "line of the query in space";
}

/* Extends the scene by everything that any choice of a query could show, so that choosing one does
 * not move the view. */
static void extend_by_all_queries(struct space *space, const struct meeting *meeting)
{
    const struct lab_matrix *q = &meeting->q;
    if (q->rows * meeting->k.rows > FITTED_PAIRS_MAX) {
        if (meeting->has_query) {
            space_extend(space, meeting->tip);
        }
        return;
    }
    for (size_t i = 0; i < q->rows; i++) {
        float tip[3], at[3];
        if (!space_place(space, q->values + i * q->stride, tip)) {
            continue;
        }
        space_extend(space, tip);
        for (size_t j = 0; j < meeting->k.rows; j++) {
            point_along(space, tip, reach_along_query(meeting, i, j), at);
            space_extend(space, at);
        }
    }
}

static void add_links(struct space *space, const struct meeting *meeting, size_t keys)
{
    const struct ui_theme *theme = space->view->ui->theme;
    const char *word = lab_trace_queries(space->view->trace)[meeting->query];
    for (size_t p = 0; p < keys; p++) {
        const struct space_point *key = &space->point[p];
        const float alpha =
            finite_or_zero(lab_matrix_at(&meeting->alpha, meeting->query, key->index));
        const float arrived = space_arrived(space, key->index, meeting->k.rows);
        if (alpha <= 0 || arrived <= 0) {
            continue;
        }
        struct space_line *link = space_add_line(space);
        memcpy(link->from, meeting->tip, sizeof link->from);
        memcpy(link->to, key->at, sizeof link->to);
        const bool back =
            view_filtered_out(space->view, VIEW_AXIS_KEYS, key->index, key->index + 1);
        link->colour =
            colour_fade(theme->query, (0.3f + 0.45f * fminf(alpha, 1)) * (back ? 0.3f : 1));
        link->width = 0.8f + 11 * fminf(alpha, 1);
        link->share = arrived;
        link->round = true;
        link->ring = key->radius + 3;
        link->owner = p;
        link->name = arena_format(space->view->arena, "%s → %s in space", word, key->word);
    }
}

/* Adds the other queries that are pinned together: their arrows, and at Softmax their links. */
static void add_pinned_queries(struct space *space, const struct meeting *meeting, size_t keys)
{
    const struct lab_places *queries = &space->view->state->prefs.display.queries;
    for (size_t p = 0; p < queries->count; p++) {
        struct meeting other = *meeting;
        other.query = queries->place[p];
        if (other.query == meeting->query || other.query >= meeting->q.rows ||
            !space_place(space, other.q.values + other.query * other.q.stride, other.tip)) {
            continue;
        }
        if (meeting->stage == LAB_SOFTMAX) {
            add_links(space, &other, keys);
        }
        add_query_arrow(space, &other);
    }
}

/* The weights that the pinned queries give every key together, at Softmax. */
static const double *joint_weights(struct space *space, const struct lab_matrix *alpha)
{
    const struct lab_display *display = &space->view->state->prefs.display;
    double *sum = arena_array(space->view->arena, alpha->cols, sizeof *sum);
    if (sum == NULL || alpha->values == NULL || lab_display_query_count(display) == 0 ||
        view_guess(space->view) != LAB_GUESS_NONE) {
        return NULL;
    }
    lab_display_sums(alpha, display, sum);
    return sum;
}

static void set_score_title(struct space *space, const struct meeting *meeting)
{
    static const char *const titles[LAB_STAGES] = {
        [LAB_SCORE] = "— how far keys go along %s",
        [LAB_SCALE] = "— what %s may see",
        [LAB_SOFTMAX] = "— where %s looks",
    };
    const struct view *view = space->view;
    const struct ui_theme *theme = view->ui->theme;
    const size_t query_count = lab_display_query_count(&view->state->prefs.display);
    space->title =
        meeting->has_query && query_count > 0
            ? arena_format(view->arena, "— %zu queries together", query_count)
        : meeting->has_query
            ? space_format(space, titles[meeting->stage],
                           lab_quoted(view->arena, lab_trace_queries(view->trace)[meeting->query]))
            : tr("— queries and keys");
    if (meeting->has_query && query_count == 0 && meeting->stage == LAB_SCORE) {
        space->brief_title =
            space_format(space, "— along %s",
                         lab_quoted(view->arena, lab_trace_queries(view->trace)[meeting->query]));
    }
    space_add_legend(space, "q  query", theme->query, meeting->has_query);
    space_add_legend(space, "k  key", theme->key, false);
    if (meeting->has_query && meeting->stage == LAB_SOFTMAX) {
        space_add_legend(space, "as thick as α", colour_fade(theme->query, 0.6f), false);
    }
}

bool space_scene_score(struct space *space)
{
    struct view *view = space->view;
    const struct ui_theme *theme = view->ui->theme;
    const struct lab_graph *const graph = lab_trace_graph(view->trace);
    struct meeting meeting = {.q = space_part(space, lab_graph_queries(graph)),
                              .k = space_part(space, lab_graph_keys(graph)),
                              .alpha = view_weights(view, view->selection.head),
                              .scores = space_part(space, LAB_SCORES),
                              .query = view->selection.query,
                              .stage = view->state->playback.stage};
    meeting.sum = joint_weights(space, &meeting.alpha);
    const size_t others = view->state->prefs.display.queries.count;
    const struct lab_matrix both[2] = {meeting.k, meeting.q};
    const size_t keys_max = meeting.k.rows, pairs = meeting.q.rows * meeting.k.rows;
    if (!space_reserve(space, 2 * keys_max + meeting.q.rows + 1 + others,
                       2 * keys_max + 3 + others * (keys_max + 1),
                       pairs <= FITTED_PAIRS_MAX ? pairs + meeting.q.rows + 1 : 2) ||
        !space_frame_fit(space, both, 2, "k")) {
        return false;
    }
    meeting.has_query =
        view->emphasis && meeting.query < meeting.q.rows &&
        space_place(space, meeting.q.values + meeting.query * meeting.q.stride, meeting.tip);
    const size_t keys =
        space_add_rows(space, &meeting.k, lab_trace_keys(view->trace), VIEW_KEY, theme->key);
    space_own(space, 0, lab_graph_keys(graph));
    for (size_t p = 0; p < keys; p++) {
        style_key(space, &meeting, &space->point[p]);
        space->point[p].stem = meeting.stage == LAB_SOFTMAX && space_has_stems(space, keys);
    }
    extend_by_all_queries(space, &meeting);
    if (!meeting.has_query) {
        space_add_rows(space, &meeting.q, lab_trace_queries(view->trace), VIEW_QUERY, theme->query);
        space_letter_words(space, keys, "q(%s)");
        space_own(space, keys, lab_graph_queries(graph));
    } else {
        if (meeting.stage == LAB_SOFTMAX) {
            add_links(space, &meeting, keys);
        } else {
            add_perpendiculars(space, &meeting, keys);
        }
        add_query_arrow(space, &meeting);
        add_pinned_queries(space, &meeting, keys);
    }
    set_score_title(space, &meeting);
    return true;
}
