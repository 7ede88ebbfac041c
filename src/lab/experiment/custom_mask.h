/* lab/experiment/custom_mask.h — a mask painted by hand: which of the n × m keys each query sees. A
 * mask never changes and is shared by counting references; every stroke makes a new one. */
#ifndef LAB_EXPERIMENT_CUSTOM_MASK_H
#define LAB_EXPERIMENT_CUSTOM_MASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct lab_custom_mask;

/* Makes a mask from one byte for each pair, 0 = hidden. The caller holds one reference. NULL and
 * error: no memory. */
struct lab_custom_mask *lab_custom_mask_make(const uint8_t *visible, size_t n, size_t m,
                                             struct error *error);
struct lab_custom_mask *
lab_custom_mask_keep(const struct lab_custom_mask *custom_mask);         /* NULL gives NULL */
void lab_custom_mask_release(const struct lab_custom_mask *custom_mask); /* NULL is fine */

size_t lab_custom_mask_rows(const struct lab_custom_mask *custom_mask); /* n; NULL: 0 */
size_t lab_custom_mask_cols(const struct lab_custom_mask *custom_mask); /* m; NULL: 0 */

/* Says whether query i sees key j. Outside its shape, and for NULL, everything is seen. */
bool lab_custom_mask_sees(const struct lab_custom_mask *custom_mask, size_t i, size_t j);
bool lab_custom_mask_equal(const struct lab_custom_mask *a, const struct lab_custom_mask *b);

/* Returns the mask with one pair shown or hidden. NULL: no memory, or the pair does not exist. */
struct lab_custom_mask *lab_custom_mask_with(const struct lab_custom_mask *custom_mask, size_t i,
                                             size_t j, bool visible, struct error *error);

/* Returns the mask after words have changed. Row r of the new mask was row from_row[r] before. It
 * is new, and sees and is seen by all, where that is SIZE_MAX, or where from_row is NULL and r lies
 * beyond the old rows. Columns likewise. */
struct lab_custom_mask *lab_custom_mask_moved(const struct lab_custom_mask *custom_mask,
                                              const size_t *from_row, size_t rows,
                                              const size_t *from_column, size_t cols,
                                              struct error *error);

#endif
