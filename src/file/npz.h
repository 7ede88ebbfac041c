/* file/npz.h — NumPy's format for several named arrays: a zip of npy files.
 *
 * Limits: 4096 members, 1 GiB unpacked, no member more than 1100 times its packed size. */
#ifndef FILE_NPZ_H
#define FILE_NPZ_H

#include "file/array.h"

/* Reads every npy member; others are passed over. The arrays are owned by the arena, named without
 * ".npy", in the order of the file. */
bool npz_read(struct bytes file, struct arena *arena, const struct array **arrays, size_t *count,
              struct error *error);

/* Reads the one array of that name ("W_Q"). */
bool npz_read_one(struct bytes file, const char *name, struct arena *arena, struct array *out,
                  struct error *error);

/* The arrays as an npz file of float32, owned by the arena. Every member is dated 1980-01-01, so
 * that the same arrays always give the same bytes. */
bool npz_write(const struct array *arrays, size_t count, struct arena *arena, struct bytes *out,
               struct error *error);

#endif
