/* lab/run/row_shares.h — rows of scores into rows of weights in ways the attention core does not
 * offer.
 *
 * The core always subtracts the row's maximum, as every program should; these two exist to be
 * looked at: what happens without it, and what weights would be without the exponential. a [n][m]:
 * scores after scale and mask (−∞: hidden), becomes the weights. Hidden entries become 0, and so do
 * rows that see nothing; returns how many of these there are. */
#ifndef LAB_RUN_ROW_SHARES_H
#define LAB_RUN_ROW_SHARES_H

#include <stddef.h>

/* e^s in float as it comes, divided by the row's sum: large scores overflow to ∞ and ∞ ÷ ∞ is NaN.
 */
size_t lab_row_shares_overflowing(float *a, size_t n, size_t m);

/* s divided by the row's sum of visible scores: may be negative, above 1, or divide by 0. */
size_t lab_row_shares_plain(float *a, size_t n, size_t m);

#endif
