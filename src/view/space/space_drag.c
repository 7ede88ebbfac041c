/* A point that follows the pointer: in the plane of the view, or along an axis. Its numbers become
 * what the hand makes of them. */
#include <math.h>
#include <string.h>

#include "lab/edits.h"
#include "view/space/space.h"

/* Farther than this between press and release is a move, not a click. */
static const float CLICK_MOST = 4;
static const double ROUND_TO = 0.01;

void space_own(struct space *space, size_t from, enum lab_part part)
{
    for (size_t i = from; i < space->points && lab_edits_may(part); i++) {
        space->point[i].owned = true;
        space->point[i].part = part;
    }
}

const struct space_point *space_held_point(const struct space *space)
{
    const struct space_hold *hold = space->hold;
    for (size_t i = 0; hold != NULL && hold->held && i < space->points; i++) {
        const struct space_point *point = &space->point[i];
        if (point->owned && point->part == hold->part && point->index == hold->row) {
            return point;
        }
    }
    return NULL;
}

static void take(struct space *space, const struct space_point *point)
{
    const struct view *view = space->view;
    struct space_hold *hold = space->hold;
    *hold = (struct space_hold){
        .held = true,
        .stage = view->state->stage,
        .part = point->part,
        .head = point->part == LAB_EMBEDDINGS_X ? 0 : view->selection.head,
        .row = point->index,
        .press_x = view->ui->input->x,
        .press_y = view->ui->input->y,
        .ball = space->ball,
        .lens = space->lens,
        .grid = space->grid,
    };
    memcpy(hold->column, space->column, sizeof hold->column);
    memcpy(hold->start, point->at, sizeof hold->start);
    memcpy(hold->low, space->low, sizeof hold->low);
    memcpy(hold->high, space->high, sizeof hold->high);
    memcpy(hold->axis_length, space->axis_length, sizeof hold->axis_length);
    view_action(space->view, &(struct view_action){.kind = VIEW_ACTION_GRAB});
}

/* X, Y and Z choose an axis until the hand lets go; Esc takes the move back. */
static void answer_keys(struct space *space)
{
    static const uint32_t keys[SPACE_AXES] = {'x', 'y', 'z'};
    struct space_hold *hold = space->hold;
    struct ui *ui = space->view->ui;
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        if (ui_stroke_taken(ui, 0, keys[axis], 0)) {
            hold->along = true;
            hold->axis = axis;
        }
    }
    if (ui_stroke_taken(ui, 0, UI_KEY_ESCAPE, 0)) {
        hold->given_up = true;
        view_action(space->view, &(struct view_action){.kind = VIEW_ACTION_CLOSE});
    }
}

/* Hundredths; finer where everything is small. What did not move keeps all its digits. */
static double rounded(const struct space_hold *hold, size_t axis, float at)
{
    double step = ROUND_TO;
    while (step > 1e-12 && step > (double)hold->ball.radius / 50) {
        step /= 10;
    }
    const double start = (double)hold->start[axis];
    return fabs((double)at - start) < step / 2 ? start : round((double)at / step) * step;
}

/* Every number that the move changes. */
static void action_numbers(struct space *space, const float at[3])
{
    struct view *view = space->view;
    const struct space_hold *hold = space->hold;
    const struct lab_matrix matrix = lab_trace_part(view->trace, hold->part, hold->head);
    const bool asks = hold->part == LAB_Q || hold->part == LAB_EMBEDDINGS_X;
    const char *const *words = asks ? lab_trace_queries(view->trace) : lab_trace_keys(view->trace);
    if (matrix.values == NULL || hold->row >= matrix.rows) {
        return;
    }
    const char *name = arena_format(view->arena, "drag %.36s", words[hold->row]);
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        const size_t column = hold->column[axis];
        const double number = rounded(hold, axis, at[axis]);
        const bool free_axis = !hold->along || hold->axis == axis;
        const double wanted = free_axis ? number : (double)hold->start[axis];
        if (column < matrix.cols && (float)wanted != lab_matrix_at(&matrix, hold->row, column)) {
            const struct lab_cell cell = {
                .part = hold->part, .head = hold->head, .row = hold->row, .column = column};
            view_action(
                view, &(struct view_action){
                          .kind = VIEW_ACTION_EDIT, .cell = cell, .number = wanted, .text = name});
        }
    }
}

static void follow(struct space *space)
{
    const struct ui_input *input = space->view->ui->input;
    struct space_hold *hold = space->hold;
    const struct rect area = space->area;
    const float x = fminf(fmaxf(input->x, area.x), area.x + area.w);
    const float y = fminf(fmaxf(input->y, area.y), area.y + area.h);
    hold->moved = hold->moved || hypotf(x - hold->press_x, y - hold->press_y) > CLICK_MOST;
    if (!hold->moved || hold->given_up) {
        return;
    }
    bool may[SPACE_AXES] = {false};
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        may[axis] = !hold->along || hold->axis == axis;
    }
    float at[3];
    view_lens_follow(&hold->lens, hold->start, may, x - hold->press_x, y - hold->press_y, at);
    action_numbers(space, at);
}

/* What is held has gone: another stage, other dimensions, fewer rows. */
static bool has_gone(const struct space *space)
{
    const struct space_hold *hold = space->hold;
    return hold->stage != space->view->state->stage || space->frame.principal ||
           memcmp(hold->column, space->column, sizeof hold->column) != 0 ||
           space_held_point(space) == NULL;
}

bool space_drag(struct space *space, struct ui_touch touch, const struct space_point *under)
{
    struct space_hold *hold = space->hold;
    const struct ui_input *input = space->view->ui->input;
    if (hold == NULL) {
        return false;
    }
    const bool takes = touch.pressed && touch.clicks < 2 && under != NULL && under->owned &&
                       !space->frame.principal && (input->mods & UI_SHIFT) == 0;
    if (takes) {
        take(space, under);
        return true;
    }
    if (!hold->held) {
        return false;
    }
    const bool clicks = touch.clicked && !hold->moved;
    if (!touch.held || clicks || has_gone(space)) {
        hold->held = false;
        /* The view is fitted anew now that nothing is held. */
        ui_wake(space->view->ui, input->time);
        return hold->moved;
    }
    answer_keys(space);
    follow(space);
    return true;
}

void space_draw_way(struct space *space)
{
    const struct space_hold *hold = space->hold;
    if (hold == NULL || !hold->held || !hold->along || hold->given_up) {
        return;
    }
    float from[SPACE_AXES], to[SPACE_AXES];
    memcpy(from, hold->start, sizeof from);
    memcpy(to, hold->start, sizeof to);
    from[hold->axis] -= 2 * hold->ball.radius;
    to[hold->axis] += 2 * hold->ball.radius;
    const struct view_spot a = view_lens_see(&space->lens, from);
    const struct view_spot b = view_lens_see(&space->lens, to);
    const struct point ends[2] = {{a.x, a.y}, {b.x, b.y}};
    canvas_path(space->view->ui->canvas, ends, 2, false,
                &(struct paint){
                    .stroke = space->view->ui->theme->accent, .width = 1.2f, .dash = 5, .gap = 4});
}
