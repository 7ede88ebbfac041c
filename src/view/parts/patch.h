/* view/parts/patch.h — two texts with as many tokens: what each part of the clean one restores in
 * the changed one, as a table of layers by words, or by heads. */
#ifndef VIEW_PARTS_PATCH_H
#define VIEW_PARTS_PATCH_H

#include "view/parts/view.h"

/* What is put there, in turn. */
enum view_patched {
    VIEW_PATCHED_RESIDUAL, /* the stream before each layer at each word */
    VIEW_PATCHED_HEADS,    /* Z of each head */
    VIEW_PATCHED_ALPHA,
    VIEW_PATCHED_VALUE,
    VIEW_PATCHED
};

struct view_patch {
    enum view_patched what;
    size_t layers, places;                   /* of the table: words, or heads */
    size_t n;                                /* words of each text */
    const double *restored;                  /* [layers][places] 1: wholly; NaN: not computed yet */
    const char *const *words, *const *other; /* [n] of the clean text and of the changed one */
    const char *word, *rival;                /* that are asked about; rival NULL: there is none */
    double clean, changed; /* logit of the word, or word − rival, of both texts */
    size_t done;           /* cells that are computed, of layers · places */
};

void view_patch(struct view *view, struct rect area);
struct point view_patch_size(struct view *view);

/* The alternative text of a picture of it; owned by the arena. */
const char *view_patch_describe(const struct view_patch *patch, struct arena *arena);

#endif
