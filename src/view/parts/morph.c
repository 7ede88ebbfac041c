/* The transition from the former stage: its places are recorded, and it shines through while it
 * fades. */
#include "view/parts/morph.h"

#include <math.h>

static const float GHOST = 0.3f; /* opacity of the former stage at the start */

static float ease_out(float share)
{
    const float left = 1 - fminf(fmaxf(share, 0), 1);
    return 1 - left * left * left;
}

/* Draws the former stage, out of reach of pointer and keys. */
static void draw_former_stage(struct view *view, struct rect area, struct view_morph *morph,
                              void (*picture)(struct view *view, struct rect area))
{
    struct ui_input away = *view->ui->input;
    away.x = away.y = -1e6f;
    away.inside = false;
    away.pressed = away.released = away.down = 0;
    away.wheel_x = away.wheel_y = 0;
    away.pinch = away.slide_x = away.slide_y = 0;
    away.strokes = 0;
    away.text = away.paste = NULL;
    struct ui ui = *view->ui;
    ui.input = &away;
    struct view_state state = *view->state;
    state.playback.stage = state.playback.former;
    state.playback.position = 1;
    state.hovered_parts = 0;
    struct view former = *view;
    former.ui = &ui;
    former.state = &state;
    former.morph = morph;
    ui_push(&ui, "former");
    const float opacity = canvas_opacity(ui.canvas, GHOST * (1 - morph->share));
    picture(&former, area);
    canvas_opacity(ui.canvas, opacity);
}

void view_morph_draw(struct view *view, struct rect area,
                     void (*const stages[LAB_STAGES])(struct view *view, struct rect area))
{
    const struct view_state *state = view->state;
    /* A file that was opened meanwhile may lack what the former stage shows. */
    if (state->playback.arrival >= 1 || state->playback.former == state->playback.stage ||
        lab_trace_lacks(view->trace, state->playback.former) != NULL) {
        stages[state->playback.stage](view, area);
        return;
    }
    struct view_morph morph = {.noting = true, .share = ease_out(state->playback.arrival)};
    draw_former_stage(view, area, &morph, stages[state->playback.former]);
    morph.noting = false;
    view->morph = &morph;
    const float opacity = canvas_opacity(view->ui->canvas, morph.share);
    stages[state->playback.stage](view, area);
    canvas_opacity(view->ui->canvas, opacity);
    view->morph = NULL;
}

static void record_place(struct view_morph *morph, const struct view_matrix *matrix)
{
    if (morph->places < VIEW_MORPH_PLACES) {
        morph->place[morph->places++] =
            (struct view_morph_place){.part = matrix->part,
                                      .head = matrix->head,
                                      .transposed = matrix->transposed,
                                      .rows = view_matrix_rows(matrix),
                                      .columns = view_matrix_columns(matrix),
                                      .area = matrix->area};
    }
}

/* Says whether one part is a range of columns of the other: the Z of a head is a range of the
 * concatenation. */
static bool is_column_range(enum lab_part part, enum lab_part other)
{
    return (part == LAB_CONCAT && other == LAB_Z) || (part == LAB_Z && other == LAB_CONCAT);
}

bool view_morph_origin(struct view *view, const struct view_matrix *matrix,
                       struct view_origin *origin)
{
    struct view_morph *const morph = view->morph;
    if (morph == NULL || matrix->derived) {
        return false;
    }
    if (morph->noting) {
        record_place(morph, matrix);
        return false;
    }
    for (size_t i = 0; i < morph->places; i++) {
        const struct view_morph_place *place = &morph->place[i];
        const bool stretch = is_column_range(matrix->part, place->part);
        if (stretch || (place->part == matrix->part && place->head == matrix->head)) {
            const size_t d_v = lab_trace_sizes(view->trace).d_v;
            const long first = (long)(view->selection.head * d_v);
            *origin = (struct view_origin){.area = place->area,
                                           .rows = place->rows,
                                           .columns = place->columns,
                                           .transposed = place->transposed,
                                           .shift = !stretch                     ? 0
                                                    : matrix->part == LAB_CONCAT ? -first
                                                                                 : first,
                                           .share = morph->share};
            return true;
        }
    }
    return false;
}
