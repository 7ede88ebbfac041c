#include "app/draw/view_prefs.h"

#include <stdio.h>
#include <string.h>

static bool is_known(const char *map)
{
    size_t m = 0;
    while (lab_view_prefs_map(m) != NULL && strcmp(lab_view_prefs_map(m), map) != 0) {
        m++;
    }
    return lab_view_prefs_map(m) != NULL;
}

void app_view_prefs_keep(const struct view_state *view, struct lab_step *step)
{
    step->has_view_prefs = true;
    step->view_prefs = (struct lab_view_prefs){.to_largest = view->range_by_content,
                                               .has_axes = view->space_raw,
                                               .all_alpha = view->whole_alpha,
                                               .pan = {view->camera.pan_x, view->camera.pan_y}};
    memcpy(step->view_prefs.axes, view->space_axes, sizeof step->view_prefs.axes);
    if (view->weights_map != NULL && is_known(view->weights_map->name)) {
        snprintf(step->view_prefs.map, sizeof step->view_prefs.map, "%s", view->weights_map->name);
    }
}

void app_view_prefs_take(struct view_state *view, const struct lab_step *step)
{
    const struct lab_view_prefs *const view_prefs = &step->view_prefs;
    if (!step->has_view_prefs) {
        return;
    }
    const struct colourmap *const map =
        view_prefs->map[0] != 0 ? colourmap_find(view_prefs->map) : NULL;
    view->weights_map = map != NULL ? map : view->weights_map;
    view->range_by_content = view_prefs->to_largest;
    view->space_raw = view_prefs->has_axes;
    memcpy(view->space_axes, view_prefs->axes, sizeof view->space_axes);
    view->whole_alpha = view_prefs->all_alpha;
    view->camera.pan_x = view_prefs->pan[0];
    view->camera.pan_y = view_prefs->pan[1];
}
