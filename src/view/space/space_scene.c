/* The scenes of the stages: tokens, what moves where, and what is linked with what. */
#include "view/space/space_scene.h"

#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "lab/experiment/positions.h"
#include "view/parts/head_overview.h"
#include "view/space/space.h"

/* --- The place of a row in the kept experiment: a ring beside the present point, on the same axes
 * and through the same camera. --- */

/* Row `row` of the kept experiment's part; NULL: it has no such row, of the same token. */
static const float *kept_row(const struct view *view, enum lab_part part, size_t row)
{
    if (view->baseline == NULL || view->state->compare == VIEW_COMPARE_NOT) {
        return NULL;
    }
    const size_t heads = lab_trace_sizes(view->baseline).heads, head = view->selection.head;
    const struct lab_matrix then = lab_trace_part(view->baseline, part, head < heads ? head : 0);
    const struct lab_matrix now = lab_trace_part(view->trace, part, head);
    const bool same =
        then.values != NULL && head < heads && then.cols == now.cols && row < then.rows &&
        row < now.rows &&
        strcmp(lab_trace_queries(view->baseline)[row], lab_trace_queries(view->trace)[row]) == 0;
    return same ? then.values + row * then.stride : NULL;
}

void space_add_kept(struct space *space, enum lab_part part, size_t row, const float to[3],
                    const char *letter)
{
    const struct view *const view = space->view;
    const float *const numbers = kept_row(view, part, row);
    float at[3];
    if (numbers == NULL || !space_place(space, numbers, at)) {
        return;
    }
    const struct colour colour = colour_fade(view->ui->theme->output, 0.75f);
    const char *const word = lab_trace_queries(view->trace)[row];
    const char *const label = arena_format(view->arena, "%s(%s) of A", letter, word);
    struct space_point *const then = space_add_point(space);
    memcpy(then->at, at, sizeof then->at);
    space_extend(space, at);
    then->colour = colour;
    then->radius = 6.5f;
    then->hollow = true;
    then->quiet = row != view->selection.query;
    then->word = label;
    then->name = label;
    struct space_line *const way = space_add_line(space);
    memcpy(way->from, at, sizeof way->from);
    memcpy(way->to, to, sizeof way->to);
    way->colour = colour;
    way->width = 1.2f;
    way->dash = 3;
    way->share = 1;
}

/* --- Rotary positions in space: queries and keys are rotated from where the weights put them, each
 * pair of dimensions about its own axis, the more the later the token. --- */

enum { ARC = 24, ARCS_MAX = 48 /* tokens; with more of them only the ends are shown */ };

static const struct rotation {
    enum lab_part before, after;
    const char *title, *was, *is, *letter;
    enum lab_role role;
} rotations[] = {
    {LAB_Q_BEFORE, LAB_Q, "— queries turn with their place", "q₀  before", "q  query", "q",
     LAB_ROLE_QUERY},
    {LAB_K_BEFORE, LAB_K, "— keys turn with their place", "k₀  before", "k  key", "k",
     LAB_ROLE_KEY},
};

static const struct rotation *selected_rotation(const struct view *view)
{
    return &rotations[view->selection.projected == LAB_K ? 1 : 0];
}

static bool has_rotation(const struct view *view)
{
    return view->selection.projected != LAB_V &&
           lab_trace_part(view->trace, selected_rotation(view)->before, 0).values != NULL;
}

/* All rows at a share of their rotation. */
static struct lab_matrix rotated_rows(struct view *view, const struct lab_matrix *before,
                                      const struct lab_matrix *after, float share)
{
    struct lab_matrix now = *after;
    const struct lab_rotary rotary = lab_experiment_rotary(lab_trace_experiment(view->trace));
    float *const values = arena_array(view->arena, after->rows * after->cols, sizeof *values);
    if (values == NULL || share >= 1) {
        return now;
    }
    for (size_t row = 0; row < after->rows; row++) {
        memcpy(values + row * after->cols, before->values + row * before->stride,
               after->cols * sizeof *values);
        lab_rotary_turn_part(&rotary, values + row * after->cols, after->cols, row, (double)share);
    }
    now.values = values;
    now.stride = after->cols;
    return now;
}

static void add_arc(struct space *space, const struct lab_matrix *before, size_t row, float share,
                    struct colour colour, float *room)
{
    float former[SPACE_AXES], next[SPACE_AXES];
    const struct lab_rotary rotary =
        lab_experiment_rotary(lab_trace_experiment(space->view->trace));
    if (!space_place(space, before->values + row * before->stride, former)) {
        return;
    }
    for (int step = 1; step <= ARC; step++) {
        memcpy(room, before->values + row * before->stride, before->cols * sizeof *room);
        lab_rotary_turn_part(&rotary, room, before->cols, row, (double)share * step / ARC);
        if (!space_place(space, room, next)) {
            return;
        }
        struct space_line *const line = space_add_line(space);
        memcpy(line->from, former, sizeof former);
        memcpy(line->to, next, sizeof next);
        line->colour = colour_fade(colour, 0.45f);
        line->width = 1.4f;
        line->name = "how a word turned in space";
        memcpy(former, next, sizeof former);
    }
}

static void add_ghost(struct space *space, const struct lab_matrix *before, size_t row,
                      float radius, struct colour colour)
{
    float at[SPACE_AXES];
    if (!space_place(space, before->values + row * before->stride, at)) {
        return;
    }
    struct space_point *const ghost = space_add_point(space);
    memcpy(ghost->at, at, sizeof at);
    ghost->colour = colour;
    ghost->radius = radius * 0.6f;
    ghost->hollow = ghost->quiet = true;
    ghost->fade = 0.7f;
    space_extend(space, at);
}

/* Builds the scene of Project with rotary positions: queries or keys are rotated to their position.
 */
static bool build_rotation_scene(struct space *space)
{
    struct view *const view = space->view;
    const struct rotation *const rotation = selected_rotation(view);
    const struct lab_matrix before = space_part(space, rotation->before);
    const struct lab_matrix after = space_part(space, rotation->after);
    const struct lab_matrix both[2] = {after, before};
    const float share = space_ease(
        fminf(view->state->playback.position, fminf(fmaxf(view->state->playback.glide, 0), 1)));
    const bool own = rotation->after == LAB_K && lab_trace_experiment(view->trace)->context != NULL;
    const struct colour colour = view_role_colour(view, rotation->role);
    const struct colour was = view->ui->theme->muted;
    float *const room = arena_array(view->arena, before.cols + 1, sizeof *room);
    if (room == NULL ||
        !space_reserve(space, 2 * after.rows, ARC * after.rows, 2 * after.rows + 1) ||
        !space_frame_fit(space, both, 2, rotation->letter)) {
        return false;
    }
    const struct lab_matrix now = rotated_rows(view, &before, &after, share);
    const size_t added = space_add_rows(space, &now,
                                        rotation->after == LAB_Q ? lab_trace_queries(view->trace)
                                                                 : lab_trace_keys(view->trace),
                                        own ? VIEW_KEY : VIEW_QUERY, colour);
    if (share >= 1) {
        space_own(space, 0, rotation->after);
    }
    for (size_t i = 0; i < added; i++) {
        const size_t row = space->point[i].index;
        const float radius = space->point[i].radius;
        if (after.rows <= ARCS_MAX) {
            add_arc(space, &before, row, share, colour, room);
        }
        add_ghost(space, &before, row, radius, was);
    }
    space->title = rotation->title;
    space_add_legend(space, rotation->was, was, false);
    space_add_legend(space, rotation->is, colour, false);
    return true;
}

float space_point_radius(const struct space *space, size_t count)
{
    const float growth = view_length(space->view, (struct view_length){1, 1.4f});
    return growth * (count <= 12 ? 6.5f : count <= 32 ? 5.0f : 4.0f);
}

struct lab_matrix space_part(const struct space *space, enum lab_part part)
{
    return lab_trace_part(space->view->trace, part, space->view->selection.head);
}

const char *space_format(const struct space *space, const char *format, const char *word)
{
    format = tr(format);
    const char *mark = format == NULL ? NULL : strstr(format, "%s");
    if (mark == NULL) {
        return format;
    }
    const int before = (int)(mark - format);
    return arena_format(space->view->arena, "%.*s%s%s", before, format, word, mark + 2);
}

float space_ease(float t)
{
    return t * t * (3 - 2 * t);
}

bool space_has_stems(const struct space *space, size_t count)
{
    enum { STEMS_MAX = 12 }; /* more would be confusing */
    return space->dimensions == SPACE_AXES && count <= STEMS_MAX;
}

void space_letter_words(struct space *space, size_t from, const char *format)
{
    for (size_t i = from; i < space->points; i++) {
        space->point[i].word = space_format(space, format, space->point[i].word);
    }
}

size_t space_add_rows(struct space *space, const struct lab_matrix *matrix,
                      const char *const *words, unsigned parts, struct colour colour)
{
    const struct lab_selection chosen = space->view->selection;
    const size_t pick = parts == VIEW_KEY ? chosen.key : chosen.query;
    size_t added = 0;
    for (size_t row = 0; row < matrix->rows; row++) {
        float at[3];
        if (!space_place(space, matrix->values + row * matrix->stride, at)) {
            continue;
        }
        struct space_point *point = space_add_point(space);
        memcpy(point->at, at, sizeof at);
        space_extend(space, at);
        point->colour = colour;
        point->radius = space_point_radius(space, matrix->rows);
        point->word = words[row];
        point->name = space_format(space, "%s in space", words[row]);
        point->parts = parts;
        point->index = row;
        const bool kept =
            parts == VIEW_QUERY && lab_places_has(&space->view->state->prefs.display.queries, row);
        point->chosen = kept || (space->view->emphasis && row == pick);
        added++;
    }
    return added;
}

static bool build_given_scene(struct space *space)
{
    const struct lab_trace *trace = space->view->trace;
    const struct ui_theme *theme = space->view->ui->theme;
    const struct lab_matrix shown[2] = {space_part(space, LAB_Q), space_part(space, LAB_K)};
    if (!space_reserve(space, shown[0].rows + shown[1].rows, 1, 1) ||
        !space_frame_fit(space, shown, 2, "k")) {
        return false;
    }
    const size_t keys =
        space_add_rows(space, &shown[1], lab_trace_keys(trace), VIEW_KEY, theme->key);
    space_letter_words(space, 0, "k(%s)");
    space_own(space, 0, LAB_K);
    space_add_rows(space, &shown[0], lab_trace_queries(trace), VIEW_QUERY, theme->query);
    space_own(space, keys, LAB_Q);
    space_letter_words(space, keys, "q(%s)");
    const struct view_head_overview *const model = space->view->state->head_overview;
    space->title = model != NULL && model->block != NULL ? "— queries and keys"
                                                         : "— queries and keys, as given";
    space_add_legend(space, "q  query", theme->query, false);
    space_add_legend(space, "k  key", theme->key, false);
    return true;
}

static bool build_embed_scene(struct space *space)
{
    const struct ui_theme *theme = space->view->ui->theme;
    const struct lab_matrix x = space_part(space, LAB_EMBEDDINGS_X);
    if (x.values == NULL) {
        return build_given_scene(space);
    }
    if (!space_reserve(space, x.rows, 1, 1) || !space_frame_fit(space, &x, 1, "x")) {
        return false;
    }
    space_add_rows(space, &x, lab_trace_queries(space->view->trace), VIEW_QUERY, theme->x);
    space_own(space, 0, LAB_EMBEDDINGS_X);
    for (size_t i = 0; i < space->points; i++) {
        space->point[i].stem = space_has_stems(space, x.rows);
        space->point[i].fade = space_arrived(space, space->point[i].index, x.rows);
    }
    space->title = "— a place for every token";
    space_add_legend(space, "x  token", theme->x, false);
    return true;
}

/* --- Project: the same points move from X to Q, K or V. --- */

struct journey {
    enum lab_part to;
    const char *title, *legend, *letter;
    enum lab_role role;
};

static const struct journey journeys[] = {
    {LAB_Q, "— from X to the queries", "q  query", "q", LAB_ROLE_QUERY},
    {LAB_K, "— from X to the keys", "k  key", "k", LAB_ROLE_KEY},
    {LAB_V, "— from X to the values", "v  value", "v", LAB_ROLE_VALUE},
};

static const struct journey *selected_journey(const struct space *space)
{
    for (size_t i = 0; i < sizeof journeys / sizeof *journeys; i++) {
        if (journeys[i].to == space->view->selection.projected) {
            return &journeys[i];
        }
    }
    return &journeys[0];
}

/* Up to half of the way the axes have their names in X. */
static void name_axes(struct space *space, const struct lab_matrix *x, float share)
{
    if (space->frame.principal || x->column_words == NULL) {
        return;
    }
    for (size_t axis = 0; axis < space->dimensions && share < 0.5f; axis++) {
        space->axis[axis] = x->column_words[axis];
    }
    space->axes_fade = fabsf(2 * share - 1);
}

/* Finds the places of the rows of X: in the target's frame if both have as many columns, else in a
 * frame of their own, which the axes follow up to half of the way. */
static bool fit_journey_frame(struct space *space, const struct lab_matrix *x,
                              const struct lab_matrix *target, const char *letter, float share,
                              float (*from)[3], bool *known)
{
    const struct lab_matrix both[2] = {*target, *x};
    const bool together = x->cols == target->cols;
    if (!(together ? space_frame_fit(space, both, 2, letter) : space_frame_fit(space, x, 1, "x"))) {
        return false;
    }
    for (size_t row = 0; row < x->rows; row++) {
        known[row] = space_place(space, x->values + row * x->stride, from[row]);
    }
    if (together) {
        name_axes(space, x, share);
        return true;
    }
    struct space before = *space;
    if (!space_frame_fit(space, target, 1, letter)) {
        return false;
    }
    space->axes_fade = fabsf(2 * share - 1);
    if (share < 0.5f) {
        memcpy(space->axis, before.axis, sizeof space->axis);
        memcpy(space->origin, before.origin, sizeof space->origin);
    }
    space->dimensions =
        before.dimensions > space->dimensions ? before.dimensions : space->dimensions;
    return true;
}

static void add_moving_point(struct space *space, struct space_point *point, const float from[3],
                             float share, struct colour start)
{
    struct space_line *path = space_add_line(space);
    memcpy(path->from, from, sizeof path->from);
    for (size_t axis = 0; axis < SPACE_AXES; axis++) {
        point->at[axis] = from[axis] + (point->at[axis] - from[axis]) * share;
    }
    memcpy(path->to, point->at, sizeof path->to);
    path->colour = colour_fade(point->colour, 0.45f);
    path->width = 1.4f;
    path->name = space_format(space, "path of %s in space", point->word);
    point->colour = colour_mix(start, point->colour, share);
    struct space_point *ghost = space_add_point(space);
    memcpy(ghost->at, from, sizeof ghost->at);
    ghost->colour = start;
    ghost->radius = point->radius * 0.6f;
    ghost->hollow = true;
    ghost->quiet = true;
    ghost->fade = 0.7f;
    space_extend(space, from);
}

static bool build_project_scene(struct space *space)
{
    struct view *view = space->view;
    const struct journey *journey = selected_journey(space);
    const struct lab_matrix x = space_part(space, LAB_EMBEDDINGS_X);
    if (x.values == NULL) {
        return build_given_scene(space);
    }
    if (has_rotation(view)) {
        return build_rotation_scene(space);
    }
    const struct lab_matrix target = space_part(space, journey->to);
    const float share = space_ease(
        fminf(view->state->playback.position, fminf(fmaxf(view->state->playback.glide, 0), 1)));
    float(*from)[3] = arena_array(view->arena, x.rows, sizeof *from);
    bool *known = arena_array(view->arena, x.rows, sizeof *known);
    if (from == NULL || known == NULL ||
        !space_reserve(space, 2 * target.rows, target.rows, target.rows + x.rows + 1) ||
        !fit_journey_frame(space, &x, &target, journey->letter, share, from, known)) {
        return false;
    }
    const bool same = x.rows == target.rows;
    const struct colour colour = view_role_colour(view, journey->role);
    const char *const *words =
        journey->to == LAB_Q ? lab_trace_queries(view->trace) : lab_trace_keys(view->trace);
    const size_t added =
        space_add_rows(space, &target, words, same ? VIEW_QUERY : VIEW_KEY, colour);
    if (share >= 1) {
        space_own(space, 0, journey->to);
    }
    for (size_t i = 0; i < added; i++) {
        struct space_point *point = &space->point[i];
        point->stem = space_has_stems(space, target.rows);
        if (same && known[point->index]) {
            add_moving_point(space, point, from[point->index], share, view->ui->theme->x);
        }
    }
    space->title = journey->title;
    space_add_legend(space, "x  token", view->ui->theme->x, false);
    space_add_legend(space, journey->legend, colour, false);
    return true;
}

typedef bool scene_builder(struct space *space);

static scene_builder *const builders[LAB_STAGES] = {
    [LAB_EMBED] = build_embed_scene,   [LAB_PROJECT] = build_project_scene,
    [LAB_SCORE] = space_scene_score,   [LAB_SCALE] = space_scene_score,
    [LAB_SOFTMAX] = space_scene_score, [LAB_BLEND] = space_scene_blend,
    [LAB_OUTPUT] = space_scene_output,
};

bool space_knows(const struct view *view)
{
    static const enum lab_part needed[LAB_STAGES] = {
        [LAB_EMBED] = LAB_Q,       [LAB_PROJECT] = LAB_Q, [LAB_SCORE] = LAB_Q,
        [LAB_SCALE] = LAB_Q,       [LAB_SOFTMAX] = LAB_Q, [LAB_BLEND] = LAB_Z,
        [LAB_OUTPUT] = LAB_CONCAT,
    };
    return !lab_trace_sizes(view->trace).partial ||
           lab_trace_part(view->trace, needed[view->state->playback.stage], 0).values != NULL;
}

bool space_scene_build(struct space *space)
{
    const enum lab_stage stage = space->view->state->playback.stage;
    return space_knows(space->view) && builders[stage < LAB_STAGES ? stage : LAB_EMBED](space);
}
