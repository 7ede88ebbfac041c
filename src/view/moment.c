/* What a stage has computed at a moment: the first cell slowly, the second faster, then the rest by
 * rows. */
#include <math.h>

#include "view/pieces.h"

static const float FIRST = 0.35f, SECOND = 0.5f; /* moments at which the first cells are there */

/* Stages whose result is a product: its cells arise one by one. */
static bool is_product(enum lab_stage stage)
{
    return stage == LAB_PROJECT || stage == LAB_SCORE || stage == LAB_BLEND || stage == LAB_OUTPUT;
}

static float clamped(float moment)
{
    return moment < 0 ? 0 : moment > 1 ? 1 : moment;
}

size_t view_moment_cells(float moment, size_t cells)
{
    const float t = clamped(moment);
    if (t >= 1 || cells == 0) {
        return cells;
    }
    const size_t early = t < FIRST ? 0 : t < SECOND ? 1 : 2;
    if (early < 2 || cells <= 2) {
        return early < cells ? early : cells - 1;
    }
    return 2 + (size_t)((float)(cells - 2) * (t - SECOND) / (1 - SECOND));
}

bool view_moment_cell(const struct lab_trace *trace, enum lab_stage stage, float moment,
                      struct lab_selection *selection)
{
    if (!is_product(stage) || moment >= 1) {
        return false;
    }
    const struct lab_matrix result =
        lab_trace_part(trace, view_result_part(stage, selection), selection->head);
    const size_t cells = result.rows * result.cols;
    if (result.values == NULL || cells == 0) {
        return false;
    }
    const size_t done = view_moment_cells(moment, cells), now = done < cells ? done : cells - 1;
    selection->query = now / result.cols;
    *(stage == LAB_SCORE ? &selection->key : &selection->channel) = now % result.cols;
    return true;
}

float view_moment_first(const struct view *view)
{
    const float t = clamped(view->state->moment);
    return is_product(view->state->stage) && t < FIRST ? t / FIRST : 1;
}

float view_done(const struct view *view)
{
    const float t = clamped(view->state->moment);
    if (!is_product(view->state->stage) || t >= 1) {
        return t;
    }
    const struct lab_matrix result = lab_trace_part(
        view->trace, view_result_part(view->state->stage, &view->selection), view->selection.head);
    const size_t cells = result.rows * result.cols;
    return cells == 0 ? t : (float)view_moment_cells(t, cells) / (float)cells;
}
