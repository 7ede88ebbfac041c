/* What the three axes are, where vectors have more dimensions: principal components, or any three.
 */
#include <math.h>
#include <string.h>

#include "ui/widgets.h"
#include "view/space/space.h"

void space_choose_columns(const struct view_state *state, size_t columns, size_t chosen[SPACE_AXES])
{
    for (size_t axis = 0; axis < SPACE_AXES; axis++) {
        size_t column = state != NULL ? state->space_axes[axis] : axis;
        for (size_t turn = 0; turn < SPACE_AXES && columns >= SPACE_AXES; turn++) {
            bool taken = column >= columns;
            for (size_t former = 0; former < axis; former++) {
                taken = taken || chosen[former] == column;
            }
            column = taken ? turn : column;
        }
        chosen[axis] = column;
    }
}

static void action_axes(struct view *view, bool raw, const size_t axes[SPACE_AXES])
{
    struct view_action action = {.kind = VIEW_ACTION_AXES, .other = raw ? 1 : 0};
    memcpy(action.axes, axes, sizeof action.axes);
    view_action(view, &action);
}

/* The axis becomes that column; where another is it already, the two change places. */
static void choose(struct view *view, const size_t now[SPACE_AXES], size_t axis, size_t column)
{
    size_t axes[SPACE_AXES];
    memcpy(axes, now, sizeof axes);
    for (size_t other = 0; other < SPACE_AXES; other++) {
        axes[other] = now[other] == column ? now[axis] : now[other];
    }
    axes[axis] = column;
    action_axes(view, true, axes);
}

static const char *const *column_rows(struct arena *arena, size_t columns)
{
    const char **rows = arena_array(arena, columns + 1, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < columns; i++) {
        rows[i] = arena_format(arena, "%zu", i + 1);
        if (rows[i] == NULL) {
            return NULL;
        }
    }
    return (const char *const *)rows;
}

float space_draw_choice(struct space *space, float left, float right, float middle)
{
    static const char *const names[SPACE_AXES] = {"axis 1", "axis 2", "axis 3"};
    static const char *const tips[SPACE_AXES] = {"Dimension along the first axis",
                                                 "Dimension along the second axis",
                                                 "Dimension along the third axis"};
    const float high = 22, menu = 54, button = 34, gap = 4;
    const float wide = button + SPACE_AXES * (menu + gap);
    struct view *view = space->view;
    const char *const *rows = column_rows(view->arena, space->true_dimensions);
    if (space->true_dimensions <= SPACE_AXES || right - left < wide || rows == NULL) {
        return right;
    }
    size_t axes[SPACE_AXES];
    space_choose_columns(view->state, space->true_dimensions, axes);
    const struct rect first = {right - wide, middle - high / 2, button, high};
    const struct ui_button components = {
        .label = "PC",
        .style = space->raw ? UI_BUTTON_PLAIN : UI_BUTTON_CURRENT,
        .tip = "Principal components: the axes along which the points differ most. Choose "
               "dimensions beside it to see them as they are, and to move points."};
    if (ui_button(view->ui, "components", first, &components)) {
        action_axes(view, !space->raw, axes);
    }
    for (size_t axis = 0; axis < SPACE_AXES; axis++) {
        const struct rect place = {first.x + button + gap + (float)axis * (menu + gap), first.y,
                                   menu, high};
        const struct ui_menu choice = {.rows = rows,
                                       .count = space->true_dimensions,
                                       .current = space->raw ? axes[axis] : SIZE_MAX,
                                       .label = space->raw ? NULL : rows[axes[axis]],
                                       .tip = tips[axis],
                                       .bare = !space->raw};
        const size_t row = ui_menu(view->ui, names[axis], place, &choice);
        if (row < space->true_dimensions) {
            choose(view, axes, axis, row);
        }
    }
    return first.x - 10;
}
