/* Rotary positions in space: queries and keys turn from where the weights put them, each pair of
 * dimensions about its own axis, the further the later the word stands. */
#include <math.h>
#include <string.h>

#include "lab/positions.h"
#include "view/space/space.h"
#include "view/space/space_scene.h"

enum { ARC = 24, ARCS_MOST = 48 /* words; of more only the ends are shown */ };

static const struct turning {
    enum lab_part before, after;
    const char *title, *was, *is, *letter;
    enum lab_role role;
} turnings[] = {
    {LAB_Q_BEFORE, LAB_Q, "— queries turn with their place", "q₀  before", "q  query", "q",
     LAB_ROLE_QUERY},
    {LAB_K_BEFORE, LAB_K, "— keys turn with their place", "k₀  before", "k  key", "k",
     LAB_ROLE_KEY},
};

static const struct turning *turning_of(const struct view *view)
{
    return &turnings[view->selection.projected == LAB_K ? 1 : 0];
}

bool space_turns(const struct view *view)
{
    return view->selection.projected != LAB_V &&
           lab_trace_part(view->trace, turning_of(view)->before, 0).values != NULL;
}

/* All rows as far as they have turned. */
static struct lab_matrix turned(struct view *view, const struct lab_matrix *before,
                                const struct lab_matrix *after, float share)
{
    struct lab_matrix now = *after;
    float *const values = arena_array(view->arena, after->rows * after->cols, sizeof *values);
    if (values == NULL || share >= 1) {
        return now;
    }
    for (size_t row = 0; row < after->rows; row++) {
        memcpy(values + row * after->cols, before->values + row * before->stride,
               after->cols * sizeof *values);
        lab_positions_turn_part(values + row * after->cols, after->cols, row, (double)share);
    }
    now.values = values;
    now.stride = after->cols;
    return now;
}

static void add_arc(struct space *space, const struct lab_matrix *before, size_t row, float share,
                    struct colour colour, float *room)
{
    float former[SPACE_AXES], next[SPACE_AXES];
    if (!space_place(space, before->values + row * before->stride, former)) {
        return;
    }
    for (int step = 1; step <= ARC; step++) {
        memcpy(room, before->values + row * before->stride, before->cols * sizeof *room);
        lab_positions_turn_part(room, before->cols, row, (double)share * step / ARC);
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

bool space_scene_turn(struct space *space)
{
    struct view *const view = space->view;
    const struct turning *const turning = turning_of(view);
    const struct lab_matrix before = space_part(space, turning->before);
    const struct lab_matrix after = space_part(space, turning->after);
    const struct lab_matrix both[2] = {after, before};
    const float share =
        space_ease(fminf(view->state->moment, fminf(fmaxf(view->state->glide, 0), 1)));
    const bool own = turning->after == LAB_K && lab_trace_experiment(view->trace)->context != NULL;
    const struct colour colour = view_role_colour(view, turning->role);
    const struct colour was = view->ui->theme->muted;
    float *const room = arena_array(view->arena, before.cols + 1, sizeof *room);
    if (room == NULL ||
        !space_reserve(space, 2 * after.rows, ARC * after.rows, 2 * after.rows + 1) ||
        !space_frame_fit(space, both, 2, turning->letter)) {
        return false;
    }
    const struct lab_matrix now = turned(view, &before, &after, share);
    const size_t added = space_add_rows(space, &now,
                                        turning->after == LAB_Q ? lab_trace_queries(view->trace)
                                                                : lab_trace_keys(view->trace),
                                        own ? VIEW_KEY : VIEW_QUERY, colour);
    if (share >= 1) {
        space_own(space, 0, turning->after);
    }
    for (size_t i = 0; i < added; i++) {
        const size_t row = space->point[i].index;
        const float radius = space->point[i].radius;
        if (after.rows <= ARCS_MOST) {
            add_arc(space, &before, row, share, colour, room);
        }
        add_ghost(space, &before, row, radius, was);
    }
    space->title = turning->title;
    space_add_legend(space, turning->was, was, false);
    space_add_legend(space, turning->is, colour, false);
    return true;
}
