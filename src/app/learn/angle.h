/* app/learn/angle.h — the direction from which three axes are looked at, so that words of
 * different kinds stand apart. */
#ifndef APP_LEARN_ANGLE_H
#define APP_LEARN_ANGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* place: [words][3], around their mean; kind: of each word, −1: none. view: what is to the right
 * and what is up, two unit vectors at a right angle. False: there are fewer than three kinds, or
 * more than it can look at, and nothing is written. */
bool app_learn_angle(const double *place, const int32_t *kind, size_t words, double view[2][3]);

#endif
