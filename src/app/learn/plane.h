/* app/learn/plane.h — where words stand in the plane in which the embedding is widest, through all
 * steps of a run, so that nothing jumps.
 *
 * The embedding of some words is kept at steps that lie closer at first, each with its plane: that
 * of its two largest principal components; where words are of several kinds, that of the three
 * largest as they are seen from where no kind hides another. From one to the next its axes are
 * turned by orthogonal Procrustes (Schönemann, 1966) so that words move as little as can be. A step
 * is seen in the plane of the last one that was kept up to it: what comes later turns nothing. */
#ifndef APP_LEARN_PLANE_H
#define APP_LEARN_PLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas/types/rect.h"

struct app_learn_plane;

/* For `words` rows of `width`; numbers: they are those of 0 … words − 1; kind: [words], −1: none;
 * NULL: no word has one. NULL: no memory. */
struct app_learn_plane *app_learn_plane_open(size_t words, size_t width, bool numbers,
                                             const int32_t *kind);
void app_learn_plane_close(struct app_learn_plane *plane); /* NULL is fine */

/* One that begins at a step of another: with what that has kept before, and in its plane. NULL: no
 * memory. */
struct app_learn_plane *app_learn_plane_branch(const struct app_learn_plane *from, uint64_t step);

/* The rows [words][width] of a step; they are kept where it is far enough from the last. */
void app_learn_plane_add(struct app_learn_plane *plane, uint64_t step, const float *rows);

/* The next step that is kept behind one that is. */
uint64_t app_learn_plane_next(uint64_t step);

/* The ways of all words up to a step whose rows are given: place [words][max_points], *trail of
 * each used, the last is the present one. */
void app_learn_plane_ways(struct app_learn_plane *plane, uint64_t step, const float *rows,
                          struct point *place, size_t max_points, size_t *trail);

/* Of the plane that was looked at last: how many times the numbers go round in it: once three
 * frequencies hold most of their power it is that of the strongest one. 0: it is that of the
 * principal components. */
size_t app_learn_plane_frequency(const struct app_learn_plane *plane);

/* Returns whether three components are seen at an angle, not two from the front. */
bool app_learn_plane_at_angle(const struct app_learn_plane *plane);

#endif
