/* Where something lands in the experiment that is kept to compare with: a ring beside the point of
 * now, on the same axes and through the same camera. */
#include <string.h>

#include "view/space/space_scene.h"

/* Row `row` of the kept experiment's part; NULL: it has no such row, of the same word. */
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
