/* app/learn/plane.h — the plane in which the embedding of some words is widest at a step, so that
 * nothing jumps from the one before.
 *
 * It is that of the two largest principal components; where words are of several kinds, that of the
 * three largest as they are seen from where no kind hides another; where numbers go round, that of
 * their strongest frequency. Its axes are turned by orthogonal Procrustes (Schönemann, 1966) so
 * that words move as little as can be from where they stood in the former plane. What comes later
 * turns nothing. */
#ifndef APP_LEARN_PLANE_H
#define APP_LEARN_PLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas/types/rect.h"

/* The words that stand in it, each a row of `width` numbers. */
struct app_learn_placed {
    size_t words, width;
    bool numbers;        /* the words are the numbers from 0 on, in their order */
    const int32_t *kind; /* [words], −1: none; NULL: no word has one */
};

struct app_learn_plane;

/* Returns the plane of these rows [words][width], turned from the former one with its rows (NULL:
 * it is the first). The caller frees it. NULL: no memory. */
struct app_learn_plane *app_learn_plane_find(const struct app_learn_placed *placed,
                                             const float *rows,
                                             const struct app_learn_plane *former,
                                             const float *former_rows);

/* Returns where a row stands in it. */
struct point app_learn_plane_place(const struct app_learn_plane *plane, const float *row);

/* Returns how many times the numbers go round in it: once three frequencies hold most of their
 * power it is that of the strongest one. 0: it is that of the principal components. */
size_t app_learn_plane_frequency(const struct app_learn_plane *plane);

/* Returns whether three components are seen at an angle, not two from the front. */
bool app_learn_plane_at_angle(const struct app_learn_plane *plane);

#endif
