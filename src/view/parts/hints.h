/* view/parts/hints.h — hints about what nobody finds alone: each is shown once, where it helps. */
#ifndef VIEW_PARTS_HINTS_H
#define VIEW_PARTS_HINTS_H

#include "view/parts/view.h"

/* Where several would help at once, the first of them is shown. */
enum view_hint {
    VIEW_HINT_EDIT,  /* a second click edits a number */
    VIEW_HINT_WORDS, /* training replaced the words */
    VIEW_HINT_ASIDE, /* a key can be set aside */
    VIEW_HINT_STRIP, /* the strip of training can be put away */
    VIEW_HINT_FIND,  /* everything has a name */
    VIEW_HINTS
};

/* Called where the hint would help now, with the place it is about. */
void view_hint_at(struct view *view, enum view_hint hint, struct rect place);

/* Draws the hint that state->hint names beside its place, inside the window. */
void view_hint_draw(struct view *view, struct rect area);

#endif
