/* The scrubber: a track under the stages' pills, each stage's moments under its own pill. It is
 * drawn and dragged here; play moves it too. */
#include <math.h>

#include "ui/widgets.h"
#include "view/parts/pieces.h"
#include "view/parts/playback.h"

static const float BELOW = 1, HIGH = 11, TRACK = 2, KNOB = 4.5f;

/* The x of the moment that is shown. */
static float x_now(const struct view_state *state, const struct rect pill[LAB_STAGES])
{
    const double within = view_place(state) - (double)state->stage;
    return pill[state->stage].x + pill[state->stage].w * (float)fmin(within, 1);
}

/* In the gap behind a pill its stage is full. */
static double place_of(const struct rect pill[LAB_STAGES], float x)
{
    static const double FULL = 1 - 1e-6;
    size_t stage = 0;
    while (stage + 1 < LAB_STAGES && x >= pill[stage + 1].x) {
        stage++;
    }
    const double within = (double)((x - pill[stage].x) / fmaxf(pill[stage].w, 1));
    return (double)stage + fmin(fmax(within, 0), FULL);
}

static void action_place(struct view *view, double place)
{
    view_action(view, &(struct view_action){.kind = VIEW_ACTION_MOMENT, .number = place});
}

static void take_keys(struct view *view, uint32_t id)
{
    static const struct {
        uint32_t key;
        bool forward;
    } steps[] = {
        {UI_KEY_RIGHT, true}, {UI_KEY_UP, true}, {UI_KEY_LEFT, false}, {UI_KEY_DOWN, false}};
    if (!ui_has_focus(view->ui, id) || !view->ui->memory->focus_visible || view->trace == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (ui_stroke_taken(view->ui, id, steps[i].key, 0)) {
            action_place(view, view_place_beside(view->trace, view->state, steps[i].forward));
        }
    }
    if (ui_stroke_taken(view->ui, id, UI_KEY_HOME, 0)) {
        action_place(view, (double)view->state->stage);
    }
    if (ui_stroke_taken(view->ui, id, UI_KEY_END, 0)) {
        action_place(view, (double)view->state->stage + 1 - 1e-6);
    }
}

void view_scrubber(struct view *view, const struct rect pill[LAB_STAGES])
{
    struct canvas *canvas = view->ui->canvas;
    const struct ui_theme *theme = view->ui->theme;
    const struct rect *last = &pill[LAB_STAGES - 1];
    const struct rect area = {pill[0].x, pill[0].y + pill[0].h + BELOW,
                              last->x + last->w - pill[0].x, HIGH};
    const uint32_t id = ui_id(view->ui, "scrubber");
    const struct ui_touch touch = ui_touch(view->ui, id, area, true);
    const float y = area.y + HIGH / 2, x = x_now(view->state, pill);
    canvas_group(canvas, id, "Moment");
    for (size_t i = 0; i < LAB_STAGES; i++) {
        const struct rect track = {pill[i].x + 1, y - TRACK / 2, fmaxf(pill[i].w - 2, 1), TRACK};
        const float done = fminf(fmaxf(x - track.x, 0), track.w);
        canvas_rect(canvas, track, 1, &(struct paint){.fill = theme->line});
        canvas_rect(canvas, (struct rect){track.x, track.y, done, TRACK}, 1,
                    &(struct paint){.fill = colour_fade(theme->accent, 0.7f)});
    }
    const bool near = touch.hover || touch.held;
    canvas_circle(canvas, x, y, near ? KNOB + 1 : KNOB,
                  &(struct paint){.fill = theme->panel, .stroke = theme->accent, .width = 2});
    ui_draw_focus(view->ui, id, area, 5);
    canvas_ungroup(canvas);
    ui_tip(view->ui, id, area,
           "Any moment of the calculation: drag, or a moment back and on with Alt+← →");
    if (touch.pressed || touch.held) {
        const double place = place_of(pill, view->ui->input->x);
        if (fabs(place - view_place(view->state)) > 1e-4) {
            action_place(view, place);
        }
    }
    take_keys(view, id);
}
