/* file/npy.h — NumPy's format for one array (numpy.lib.format, versions 1.0, 2.0 and 3.0).
 *
 * Read: b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8; little and big endian; C and Fortran order.
 * Written: version 1.0, little-endian f4, C order. */
#ifndef FILE_NPY_H
#define FILE_NPY_H

#include "file/array.h"

/* Reads a whole npy file. The array is a view into `file`, which must live as long as it does; its
 * name is "". Everything is checked against the size of `file` before use; objects are refused. */
bool npy_read(struct bytes file, struct array *out, struct error *error);

/* The array as an npy file, owned by the arena. */
bool npy_write(const struct array *array, struct arena *arena, struct bytes *out,
               struct error *error);

#endif
