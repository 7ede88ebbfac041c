/* app/learn/plane.h — where words stand in the plane in which the embedding is widest, through all
 * steps of a run, so that nothing jumps.
 *
 * The embedding of some words is kept at steps that lie closer at first. The plane is that of the
 * two largest principal components of the furthest of them; from one to the next its axes are
 * turned by orthogonal Procrustes (Schönemann, 1966) so that words move as little as can be. */
#ifndef APP_LEARN_PLANE_H
#define APP_LEARN_PLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas/types/rect.h"

struct app_learn_plane;

/* For `words` rows of `width`; numbers: they are those of 0 … words − 1. NULL: no memory. */
struct app_learn_plane *app_learn_plane_open(size_t words, size_t width, bool numbers);
void app_learn_plane_close(struct app_learn_plane *plane); /* NULL is fine */

/* The rows [words][width] of a step. Steps behind it are forgotten where they are those of another
 * branch (`branch` counts them). */
void app_learn_plane_add(struct app_learn_plane *plane, uint64_t step, size_t branch,
                         const float *rows);

/* The ways of all words up to a step whose rows are given: place [words][most], *trail of each
 * used, the last is the present one. */
void app_learn_plane_ways(struct app_learn_plane *plane, uint64_t step, const float *rows,
                          struct point *place, size_t most, size_t *trail);

/* How many times the numbers go round in this plane: once three frequencies hold most of their
 * power it is that of the strongest one. 0: it is that of the principal components. */
size_t app_learn_plane_frequency(const struct app_learn_plane *plane);

#endif
