/* The 3-D view: its panel, the order of drawing, its header and footer, and how it answers input.
 */
#include "view/space/space.h"

#include <math.h>
#include <string.h>

#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "view/parts/pieces.h"
#include "view/space/space_axes.h"

/* --- Dragging a point, in the plane of the view or along an axis, which changes its numbers. ---
 */

/* A larger distance between press and release is a drag, not a click. */
static const float CLICK_DISTANCE_MAX = 4;
static const double ROUND_TO = 0.01;

void space_own(struct space *space, size_t from, enum lab_part part)
{
    for (size_t i = from; i < space->points && lab_edits_may(part); i++) {
        space->point[i].owned = true;
        space->point[i].part = part;
    }
}

static const struct space_point *held_point(const struct space *space)
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

static void grab_point(struct space *space, const struct space_point *point)
{
    const struct view *view = space->view;
    struct space_hold *hold = space->hold;
    *hold = (struct space_hold){
        .held = true,
        .stage = view->state->playback.stage,
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

/* X, Y and Z choose an axis until the end of the drag; Esc undoes the move. */
static void handle_drag_keys(struct space *space)
{
    static const uint32_t keys[SPACE_AXES] = {'x', 'y', 'z'};
    struct space_hold *hold = space->hold;
    struct ui *ui = space->view->ui;
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        if (ui_stroke_consumed(ui, 0, keys[axis], 0)) {
            hold->along = true;
            hold->axis = axis;
        }
    }
    if (ui_stroke_consumed(ui, 0, UI_KEY_ESCAPE, 0)) {
        hold->given_up = true;
        view_action(space->view, &(struct view_action){.kind = VIEW_ACTION_CLOSE});
    }
}

/* Rounds a coordinate to hundredths, or finer if everything is small. One that did not move keeps
 * all its digits. */
static double round_coordinate(const struct space_hold *hold, size_t axis, float at)
{
    double step = ROUND_TO;
    while (step > 1e-12 && step > (double)hold->ball.radius / 50) {
        step /= 10;
    }
    const double start = (double)hold->start[axis];
    return fabs((double)at - start) < step / 2 ? start : round((double)at / step) * step;
}

/* Appends an action for every number that the move changes. */
static void append_numbers(struct space *space, const float at[3])
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
        const double number = round_coordinate(hold, axis, at[axis]);
        const bool free_axis = !hold->along || hold->axis == axis;
        const double wanted = free_axis ? number : (double)hold->start[axis];
        if (column < matrix.cols && (float)wanted != lab_matrix_at(&matrix, hold->row, column)) {
            const struct lab_cell cell = {
                .part = hold->part, .head = hold->head, .row = hold->row, .column = column};
            view_action(view, &(struct view_action){
                                  .kind = VIEW_ACTION_EDIT,
                                  .edit = {.cell = cell, .number = wanted, .name = name}});
        }
    }
}

static void follow_pointer(struct space *space)
{
    const struct ui_input *input = space->view->ui->input;
    struct space_hold *hold = space->hold;
    const struct rect area = space->area;
    const float x = fminf(fmaxf(input->x, area.x), area.x + area.w);
    const float y = fminf(fmaxf(input->y, area.y), area.y + area.h);
    hold->moved = hold->moved || hypotf(x - hold->press_x, y - hold->press_y) > CLICK_DISTANCE_MAX;
    if (!hold->moved || hold->given_up) {
        return;
    }
    bool may[SPACE_AXES] = {false};
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        may[axis] = !hold->along || hold->axis == axis;
    }
    float at[3];
    view_lens_follow(&hold->lens, hold->start, may, x - hold->press_x, y - hold->press_y, at);
    append_numbers(space, at);
}

/* Says whether the dragged point is gone: there is another stage, other dimensions, or fewer rows.
 */
static bool is_grab_lost(const struct space *space)
{
    const struct space_hold *hold = space->hold;
    return hold->stage != space->view->state->playback.stage || space->frame.principal ||
           memcmp(hold->column, space->column, sizeof hold->column) != 0 ||
           held_point(space) == NULL;
}

static bool handle_point_drag(struct space *space, struct ui_touch touch,
                              const struct space_point *under)
{
    struct space_hold *hold = space->hold;
    const struct ui_input *input = space->view->ui->input;
    if (hold == NULL) {
        return false;
    }
    const bool takes = touch.pressed && touch.clicks < 2 && under != NULL && under->owned &&
                       !space->frame.principal && (input->mods & UI_SHIFT) == 0;
    if (takes) {
        grab_point(space, under);
        return true;
    }
    if (!hold->held) {
        return false;
    }
    const bool clicks = touch.clicked && !hold->moved;
    if (!touch.held || clicks || is_grab_lost(space)) {
        hold->held = false;
        /* The view is fitted again after the drag. */
        ui_wake(space->view->ui, input->time);
        return hold->moved;
    }
    handle_drag_keys(space);
    follow_pointer(space);
    return true;
}

static void draw_drag_axis(struct space *space)
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

static const float EDGE = 16, HEAD = 40, FOOT = 30,
                   BASELINE = 14; /* of the foot's text, above its end */
static const float TITLE_AT = 25; /* baseline of the title below the panel's top */
static const char *const HINT = "drag to turn · wheel to zoom";
static const char *const POINT_HINT = "drag moves it · X Y Z: along one axis";
static const char *const MIXED_HINT = "to move points, choose dimensions below";
static const char *const MOVED_HINT = "drag to turn · double click to see all";

static const char *const KEYS_HINT =
    "Arrows turn it, with ⇧ they move it; + and − zoom, Home shows all";

static const char *hint_text(const struct space *space)
{
    const struct view_camera camera = space->view->state->prefs.camera;
    const bool moved = camera.zoom > 1.05f || camera.pan_x != 0 || camera.pan_y != 0;
    return view_is_computing(space->view) ? "computing…"
           : space->hint != NULL          ? space->hint
           : moved                        ? MOVED_HINT
                                          : HINT;
}

static void draw_header(struct space *space, struct rect panel)
{
    struct canvas *canvas = space->view->ui->canvas;
    const char *words = hint_text(space);
    const struct ui_theme *theme = space->view->ui->theme;
    const float y = panel.y + TITLE_AT, right = panel.x + panel.w - EDGE;
    float x = panel.x + EDGE;
    const char *const own_title = view_own_title(space->view, NULL);
    if (!space->view->style.has_controls &&
        (own_title != NULL || space->view->state->frame.no_title)) {
        view_text_whole(space->view, x, y, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink, CANVAS_LEFT,
                        tr(own_title != NULL ? own_title : ""), right - x);
        return;
    }
    x += canvas_text(canvas, x, y, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink, CANVAS_LEFT,
                     tr("3-D view"));
    const float hint = canvas_measure(canvas, FONT_WORDS, UI_TEXT_SMALL, tr(words));
    const float title = space->title == NULL ? 0
                                             : 5 + canvas_measure(canvas, FONT_WORDS_BOLD,
                                                                  UI_TEXT_BODY, tr(space->title));
    float end = right;
    if (x + title + 16 + hint <= right && space->view->style.has_controls) {
        canvas_text(canvas, right, y, FONT_WORDS, UI_TEXT_SMALL, theme->muted, CANVAS_RIGHT,
                    tr(words));
        end = right - hint - 16;
    }
    if (title > 0 && end > x + 30) {
        const bool brief =
            space->brief_title != NULL && title * UI_TEXT_SMALL > (end - x) * UI_TEXT_BODY;
        view_text_whole(space->view, x + 5, y, FONT_WORDS_BOLD, UI_TEXT_BODY, theme->ink,
                        CANVAS_LEFT, tr(brief ? space->brief_title : space->title), end - x - 5);
    }
}

/* "3 of 64 dimensions · 45 % of the spread": the visible part of the vectors. */
static const char *dimensions_note(const struct space *space, bool brief)
{
    if (!space->frame.principal) {
        return arena_format(space->view->arena,
                            tr_n("%zu dimension", "%zu dimensions", space->true_dimensions),
                            space->true_dimensions);
    }
    double share = 0;
    for (size_t axis = 0; axis < space->dimensions; axis++) {
        share += (double)space->frame.share[axis];
    }
    share = isfinite(share) ? share * 100 : 0;
    return brief ? arena_format(space->view->arena, "%.0f %% of the spread", share)
                 : arena_format(space->view->arena, "%zu of %zu dimensions · %.0f %% of the spread",
                                space->dimensions, space->true_dimensions, share);
}

static void draw_footer(struct space *space, struct rect panel)
{
    struct canvas *canvas = space->view->ui->canvas;
    const struct ui_theme *theme = space->view->ui->theme;
    const float y = space->view->style.has_cards
                        ? panel.y + panel.h - BASELINE
                        : view_below_drawing(space->view, panel, FOOT) + FOOT - BASELINE;
    float x = panel.x + EDGE;
    const float end = panel.x + panel.w - EDGE;
    const float right =
        !space->view->style.has_controls ? end : space_draw_choice(space, x, end, y - 4);
    canvas_group(canvas, ui_id(space->view->ui, "legend"), "Space legend");
    for (size_t i = 0; i < space->legends; i++) {
        const struct space_legend *legend = &space->legend[i];
        const float wide = canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, tr(legend->text));
        if (x + 14 + wide > right) {
            break;
        }
        if (legend->arrow) {
            const struct point head[3] = {{x + 9, y - 4}, {x + 4, y - 7}, {x + 4, y - 1}};
            canvas_line(canvas, x - 1, y - 4, x + 5, y - 4, 2, legend->colour);
            canvas_path(canvas, head, 3, true, &(struct paint){.fill = legend->colour});
        } else {
            canvas_circle(canvas, x + 4, y - 4, 4, &(struct paint){.fill = legend->colour});
        }
        canvas_text(canvas, x + 13, y, FONT_WORDS, UI_TEXT_TINY, theme->muted, CANVAS_LEFT,
                    tr(legend->text));
        x += 13 + wide + 16;
    }
    for (size_t brief = 0; brief < 2; brief++) {
        const char *note = dimensions_note(space, brief == 1);
        if (note != NULL &&
            x + canvas_measure(canvas, FONT_WORDS, UI_TEXT_TINY, tr(note)) <= right) {
            canvas_text(canvas, right, y, FONT_WORDS, UI_TEXT_TINY, theme->muted, CANVAS_RIGHT,
                        tr(note));
            break;
        }
    }
    canvas_ungroup(canvas);
}

/* Draws how to get back, as everything was zoomed or moved out of sight. */
static void draw_reset_hint(struct space *space)
{
    static const char *const words = "Nothing is in sight. Double click to see all.";
    struct canvas *canvas = space->view->ui->canvas;
    const struct ui_theme *theme = space->view->ui->theme;
    const struct rect area = space->area;
    const float wide =
        fminf(canvas_measure(canvas, FONT_WORDS, UI_TEXT_BODY, tr(words)) + 24, area.w - 8);
    const struct rect box = {area.x + (area.w - wide) / 2, area.y + area.h / 2 - 16, wide, 32};
    if (wide > 24) {
        canvas_rect(canvas, box, 6, &(struct paint){.fill = theme->panel, .stroke = theme->line});
        view_text_whole(space->view, box.x + 12, box.y + 20.5f, FONT_WORDS, UI_TEXT_BODY,
                        theme->ink, CANVAS_LEFT, tr(words), wide - 24);
    }
}

/* Dims the other points of its kind while one token is emphasised alone. */
static void dim_others(struct space *space)
{
    for (size_t i = 0; i < space->points; i++) {
        struct space_point *point = &space->point[i];
        const enum view_axis axis = point->parts & VIEW_KEY     ? VIEW_AXIS_KEYS
                                    : point->parts & VIEW_QUERY ? VIEW_AXIS_QUERIES
                                                                : VIEW_AXIS_OTHER;
        if (view_filtered_out(space->view, axis, point->index, point->index + 1)) {
            point->fade *= 0.3f;
        }
    }
}

static void draw_scene(struct space *space)
{
    space_draw_ground(space);
    if (space->hull) {
        space_draw_hull(space);
    }
    space_draw_axes(space);
    draw_drag_axis(space);
    space_draw_stems(space);
    space_draw_lines(space, false);
    space_draw_points(space, false);
    /* Lines to z, which is among the values and often inside one, are drawn over them. */
    space_draw_lines(space, true);
    space_draw_points(space, true);
    space_label_points(space);
    space_place_labels(space);
    space_draw_labels(space);
    if (!space_sees_any(space)) {
        draw_reset_hint(space);
    }
}

/* --- Input. --- */

static void append_camera(struct view *view, struct view_camera camera)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_CAMERA, .camera = camera});
}

/* The point at a place, or the one whose label is there; NULL: none. */
static const struct space_point *point_at(const struct space *space, float x, float y)
{
    const float slack = 4, distance_min = 9;
    const struct space_point *found = NULL;
    float best = INFINITY;
    for (size_t i = 0; i < space->points; i++) {
        const struct space_point *point = &space->point[i];
        const float away = hypotf(point->spot.x - x, point->spot.y - y);
        const bool hit = away <= fmaxf(point->radius + slack, distance_min);
        /* A key inside the ring of its query is hit in the middle, the query on its ring. */
        const float order =
            point->hollow ? fabsf(away - point->radius) : fmaxf(away - 0.5f * point->radius, 0);
        if (point->parts != 0 && point->fade > 0 && hit && order < best) {
            best = order;
            found = point;
        }
    }
    for (size_t i = 0; found == NULL && i < space->labels; i++) {
        const struct space_label *label = &space->label[i];
        if (label->placed && label->point != SIZE_MAX && rect_has(label->area, x, y)) {
            found = &space->point[label->point];
        }
    }
    return found != NULL && found->parts != 0 ? found : NULL;
}

static void hover_point(struct view *view, const struct space_point *point, bool clicked)
{
    struct lab_selection to = view->selection;
    if (point->parts & VIEW_KEY) {
        to.key = point->index;
    } else {
        to.query = point->index;
    }
    const char *tip =
        arena_format(view->arena, point->note != NULL ? "%s\n%s" : "%s", point->name, point->note);
    ui_tip(view->ui, ui_id_number(view->ui, "point", point->index),
           (struct rect){view->ui->input->x - 8, view->ui->input->y - 8, 16, 16},
           tip != NULL && point->name != NULL ? tip : "");
    view_choose(view, point->parts, to, clicked);
}

/* Turns the camera with the left button, which is held since its press, or moves it with the right
 * one or with Shift, as long as the pointer is over the view. */
static void handle_camera_drag(const struct space *space, bool held)
{
    struct view *const view = space->view;
    const struct ui *ui = view->ui;
    const float dx = ui->input->x - ui->memory->pointer_x;
    const float dy = ui->input->y - ui->memory->pointer_y;
    if (dx == 0 && dy == 0) {
        return;
    }
    const bool moves = !held || (ui->input->mods & UI_SHIFT) != 0;
    ui->memory->grab_value += (double)(fabsf(dx) + fabsf(dy));
    append_camera(view, moves ? view_camera_moved(view->state->prefs.camera, dx, dy)
                              : view_camera_turned(space->camera, dx, dy));
}

/* Zooms by wheel and moves by two fingers. */
static void handle_wheel(struct space *space)
{
    struct view *view = space->view;
    struct ui *ui = view->ui;
    const struct ui_input *const input = ui->input;
    const float notches = input->wheel_y + input->pinch;
    if ((notches == 0 && input->slide_x == 0 && input->slide_y == 0) || ui->wheel_consumed) {
        return;
    }
    ui->wheel_consumed = true;
    const struct rect area = space->area;
    const struct view_camera zoomed =
        view_camera_zoomed(view->state->prefs.camera, notches, input->x - area.x - area.w / 2,
                           input->y - area.y - area.h / 2);
    append_camera(view, view_camera_moved(zoomed, input->slide_x, input->slide_y));
}

/* Keeps the dragged point hovered in all panels. */
static void show_held_point(struct space *space)
{
    const struct space_point *held = held_point(space);
    space->view->ui->cursor = UI_CURSOR_MOVE;
    space->hint = "X Y Z: along one axis · Esc: back";
    if (held != NULL) {
        hover_point(space->view, held, false);
    }
}

/* Turns, moves and zooms the focused view by keyboard. */
static void handle_strokes(struct space *space, uint32_t id)
{
    static const struct {
        uint32_t key;
        unsigned mods;
        float turn_x, turn_y, move_x, move_y, notches; /* as by a drag, or by the wheel */
    } strokes[] = {
        {UI_KEY_LEFT, 0, -24, 0, 0, 0, 0},
        {UI_KEY_RIGHT, 0, 24, 0, 0, 0, 0},
        {UI_KEY_UP, 0, 0, -24, 0, 0, 0},
        {UI_KEY_DOWN, 0, 0, 24, 0, 0, 0},
        {UI_KEY_LEFT, UI_SHIFT, 0, 0, -24, 0, 0},
        {UI_KEY_RIGHT, UI_SHIFT, 0, 0, 24, 0, 0},
        {UI_KEY_UP, UI_SHIFT, 0, 0, 0, -24, 0},
        {UI_KEY_DOWN, UI_SHIFT, 0, 0, 0, 24, 0},
        {'+', 0, 0, 0, 0, 0, 1},
        {'+', UI_SHIFT, 0, 0, 0, 0, 1},
        {'=', 0, 0, 0, 0, 0, 1},
        {'=', UI_SHIFT, 0, 0, 0, 0, 1},
        {'-', 0, 0, 0, 0, 0, -1},
    };
    struct ui *const ui = space->view->ui;
    if (!ui_has_focus(ui, id) || !ui->memory->focus_visible) {
        return;
    }
    const struct rect top = {space->area.x, space->area.y, space->area.w, 0};
    ui_tip(ui, id, top, KEYS_HINT);
    struct view_camera camera = space->view->state->prefs.camera;
    bool any = false;
    for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++) {
        while (ui_stroke_consumed(ui, id, strokes[i].key, strokes[i].mods)) {
            const bool turns = strokes[i].turn_x != 0 || strokes[i].turn_y != 0;
            camera = turns && !any ? space->camera : camera;
            camera = view_camera_turned(camera, strokes[i].turn_x, strokes[i].turn_y);
            camera = view_camera_moved(camera, strokes[i].move_x, strokes[i].move_y);
            camera = view_camera_zoomed(camera, strokes[i].notches, 0, 0);
            any = true;
        }
    }
    if (ui_stroke_consumed(ui, id, UI_KEY_HOME, 0)) {
        camera = view_camera_home();
        any = true;
    }
    if (any) {
        append_camera(space->view, camera);
    }
    if (ui_stroke_consumed(ui, id, UI_KEY_ESCAPE, 0)) {
        ui_drop_focus(ui); /* arrow keys belong to the stages again */
    }
}

static void handle_input(struct space *space, struct ui_touch touch)
{
    struct view *view = space->view;
    struct ui *ui = view->ui;
    const bool over = touch.hover || ui_over(ui, space->area);
    const struct space_point *under = over ? point_at(space, ui->input->x, ui->input->y) : NULL;
    if (touch.pressed) {
        ui->memory->grab_value = 0;
    }
    if (handle_point_drag(space, touch, under)) {
        show_held_point(space);
        return;
    }
    const bool moves = over && (ui->input->down & ~ui->input->pressed & UI_RIGHT_BUTTON) != 0;
    if (over) {
        ui->cursor = UI_CURSOR_ARROW;
        handle_wheel(space);
    }
    if (!touch.pressed && (touch.held || moves)) {
        handle_camera_drag(space, touch.held);
    }
    if (touch.pressed && touch.clicks >= 2) {
        append_camera(view, view_camera_home());
    }
    if (moves || (touch.held && ui->memory->grab_value > CLICK_DISTANCE_MAX)) {
        ui->cursor = UI_CURSOR_MOVE;
        return;
    }
    if (under != NULL) {
        ui->cursor = UI_CURSOR_HAND;
        space->hint = !under->owned || space->hold == NULL ? NULL
                      : space->frame.principal             ? MIXED_HINT
                                                           : POINT_HINT;
        hover_point(view, under, touch.clicked && ui->memory->grab_value <= CLICK_DISTANCE_MAX);
    }
}

/* --- The panel. --- */

static void draw_notice(struct space *space, struct rect panel)
{
    const struct view *view = space->view;
    const struct rect inner = rect_inset(panel, UI_EDGE);
    draw_header(space, panel);
    if (view->trace == NULL) {
        view_notice(space->view, inner, "Nothing to see yet",
                    "Every token becomes a point here as soon as there is one.");
    } else if (!space_knows(view)) {
        view_notice(space->view, inner, "No points are known here",
                    "The vectors of this stage were not given.");
    } else {
        view_notice(space->view, inner, "No room for this",
                    "There is not enough memory to draw these points.");
    }
}

static void draw_space(struct view *view, struct rect panel)
{
    const bool roomy = panel.h >= 160;
    struct space space = {
        .view = view,
        .axes_fade = 1,
        .hold = view_axes_hold(view->axes),
        .area = {panel.x + 8, panel.y + HEAD, fmaxf(panel.w - 16, 0),
                 fmaxf(panel.h - HEAD - (roomy ? FOOT : 8), 0)},
    };
    if (view->trace == NULL || !space_scene_build(&space)) {
        draw_notice(&space, panel);
        return;
    }
    if (space.area.w < 16 || space.area.h < 16) {
        draw_header(&space, panel);
        return;
    }
    space_fit(&space);
    space_see_points(&space);
    canvas_clip(view->ui->canvas, space.area);
    dim_others(&space);
    draw_scene(&space);
    canvas_unclip(view->ui->canvas);
    const uint32_t id = ui_id(view->ui, "turn");
    const struct ui_touch touch = ui_touch(view->ui, id, space.area, true);
    if (roomy) {
        draw_footer(&space, panel);
    }
    handle_input(&space, touch);
    handle_strokes(&space, id);
    draw_header(&space, panel);
    ui_draw_focus(view->ui, id, rect_inset(space.area, 3), 6);
}

void view_space(struct view *view, struct rect area)
{
    view_panel(view, area, "3-D view");
    canvas_clip(view->ui->canvas, area);
    ui_push(view->ui, "space");
    draw_space(view, area);
    ui_pop(view->ui);
    canvas_unclip(view->ui->canvas);
    canvas_ungroup(view->ui->canvas);
}
