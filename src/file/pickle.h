/* file/pickle.h — texts out of an array of Python objects, as NumPy keeps it: pickled (PEP 307, PEP
 * 3154; protocols 2 to 5).
 *
 * Nothing is ever run: the few instructions that NumPy writes for an array of str are followed, and
 * every other one, and every other class or function, is refused by its name. */
#ifndef FILE_PICKLE_H
#define FILE_PICKLE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

enum { PICKLE_BYTES_MAX = 16 << 20, PICKLE_VALUES_MAX = 1 << 18 };

/* The texts of one array in the order of rows, owned by the arena, as clean UTF-8; its shape must
 * be `shape` [rank]. False and a sentence: other objects are in it, it is damaged or too large. */
bool pickle_read_texts(struct bytes content, size_t rank, const size_t *shape, struct arena *arena,
                       const char *const **texts, size_t *count, struct error *error);

#endif
