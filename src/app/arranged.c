#include "app/arranged.h"

#include <stdio.h>
#include <string.h>

static bool is_known(const char *map)
{
    size_t m = 0;
    while (lab_arranged_map(m) != NULL && strcmp(lab_arranged_map(m), map) != 0) {
        m++;
    }
    return lab_arranged_map(m) != NULL;
}

void app_arranged_keep(const struct app_state *state, struct lab_step *step)
{
    const struct view_state *const view = &state->view;
    step->has_arranged = true;
    step->arranged = (struct lab_arranged){.to_largest = view->range_by_content,
                                           .has_axes = view->space_raw,
                                           .all_alpha = view->whole_alpha,
                                           .pan = {view->camera.pan_x, view->camera.pan_y}};
    memcpy(step->arranged.axes, view->space_axes, sizeof step->arranged.axes);
    if (view->weights_map != NULL && is_known(view->weights_map->name)) {
        snprintf(step->arranged.map, sizeof step->arranged.map, "%s", view->weights_map->name);
    }
}

void app_arranged_take(struct app_state *state, const struct lab_step *step)
{
    struct view_state *const view = &state->view;
    const struct lab_arranged *const arranged = &step->arranged;
    if (!step->has_arranged) {
        return;
    }
    const struct colourmap *const map =
        arranged->map[0] != 0 ? colourmap_find(arranged->map) : NULL;
    view->weights_map = map != NULL ? map : view->weights_map;
    view->range_by_content = arranged->to_largest;
    view->space_raw = arranged->has_axes;
    memcpy(view->space_axes, arranged->axes, sizeof view->space_axes);
    view->whole_alpha = arranged->all_alpha;
    view->camera.pan_x = arranged->pan[0];
    view->camera.pan_y = arranged->pan[1];
}
