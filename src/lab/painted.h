/* lab/painted.h — a mask painted by hand: which of the n × m keys each query sees. Never changes;
 * shared by counting; every stroke gives a new one. */
#ifndef LAB_PAINTED_H
#define LAB_PAINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct lab_painted;

/* From one byte for each pair, 0 = hidden. The caller holds one reference. NULL and error: no
 * memory. */
struct lab_painted *lab_painted_make(const uint8_t *visible, size_t n, size_t m,
                                     struct error *error);
struct lab_painted *lab_painted_keep(const struct lab_painted *painted); /* NULL gives NULL */
void lab_painted_release(const struct lab_painted *painted);             /* NULL is fine */

size_t lab_painted_rows(const struct lab_painted *painted); /* n; NULL: 0 */
size_t lab_painted_cols(const struct lab_painted *painted); /* m; NULL: 0 */

/* Outside its shape, and of NULL, everything is seen. */
bool lab_painted_sees(const struct lab_painted *painted, size_t i, size_t j);
bool lab_painted_equal(const struct lab_painted *a, const struct lab_painted *b);

/* With one pair shown or hidden. NULL: no memory, or the pair does not exist. */
struct lab_painted *lab_painted_with(const struct lab_painted *painted, size_t i, size_t j,
                                     bool visible, struct error *error);

/* After words have changed: row r of the new one was row from_row[r] (SIZE_MAX, or from_row NULL
 * and r beyond the old: new, sees and is seen by all), columns likewise. */
struct lab_painted *lab_painted_moved(const struct lab_painted *painted, const size_t *from_row,
                                      size_t rows, const size_t *from_column, size_t cols,
                                      struct error *error);

#endif
