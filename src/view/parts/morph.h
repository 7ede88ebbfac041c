/* view/parts/morph.h — a stage comes out of the former one: what both have glides from its old
 * place to its new one, what is new fades in, what was lies faintly underneath and goes. A function
 * of state->arrival. */
#ifndef VIEW_PARTS_MORPH_H
#define VIEW_PARTS_MORPH_H

#include "view/parts/matrix.h"

enum { VIEW_MORPH_PLACES = 16 };

struct view_morph {
    bool noting; /* the former stage is being drawn: where its matrices stand is noted */
    float share; /* eased: 0 all is as it was, 1 as it will be */
    struct view_morph_place {
        enum lab_part part;
        size_t head;
        bool transposed;
        size_t rows, columns; /* on screen */
        struct rect area;
    } place[VIEW_MORPH_PLACES];
    size_t places;
};

/* Draws `stage`, out of the former one while it arrives. */
void view_morph_draw(struct view *view, struct rect area,
                     void (*const stages[LAB_STAGES])(struct view *view, struct rect area));

/* Notes where a matrix stands while the former stage is drawn; else says where it comes from.
 * False: it was not there, or nothing moves. */
bool view_morph_origin(struct view *view, const struct view_matrix *matrix,
                       struct view_origin *origin);

#endif
