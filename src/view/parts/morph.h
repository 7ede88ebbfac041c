/* view/parts/morph.h — the transition between two stages: what both have glides from its old place
 * to its new one, what is new fades in, and the former stage lies faintly underneath and fades out.
 * It is a function of state->playback.arrival. */
#ifndef VIEW_PARTS_MORPH_H
#define VIEW_PARTS_MORPH_H

#include "view/parts/matrix.h"

enum { VIEW_MORPH_PLACES = 16 };

struct view_morph {
    bool noting; /* the former stage is being drawn and its matrices record their places */
    float share; /* eased: 0 at the start of the transition, 1 at its end */
    struct view_morph_place {
        enum lab_part part;
        size_t head;
        bool transposed;
        size_t rows, columns; /* as drawn */
        struct rect area;
    } place[VIEW_MORPH_PLACES];
    size_t places;
};

/* Draws the present stage, as a transition from the former one while it arrives. */
void view_morph_draw(struct view *view, struct rect area,
                     void (*const stages[LAB_STAGES])(struct view *view, struct rect area));

/* Records the place of a matrix while the former stage is drawn; afterwards fills in where it comes
 * from. False: it was not there, or nothing moves. */
bool view_morph_origin(struct view *view, const struct view_matrix *matrix,
                       struct view_origin *origin);

#endif
