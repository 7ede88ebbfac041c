/* file/npy.h — NumPy's format for one array (numpy.lib.format, versions 1.0, 2.0 and 3.0).
 *
 * Read: b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8; little and big endian; C and Fortran order.
 * Written: version 1.0, little-endian f4 or, of whole numbers, i8; C order; texts as U. */
#ifndef FILE_NPY_H
#define FILE_NPY_H

#include "file/array.h"
#include "file/growing.h"

/* Reads a whole npy file. The array is a view into `file`, which must live as long as it does; its
 * name is "". Everything is checked against the size of `file` before use; objects are refused. */
bool npy_read(struct bytes file, struct array *out, struct error *error);

/* Describes the array of a file of `size` bytes of which only the beginning is at hand: type and
 * shape; its bytes.at is NULL. At most NPY_HEADER_MAX bytes are read. */
enum { NPY_HEADER_MAX = 64 * 1024 + 12 };
bool npy_read_header(struct bytes beginning, size_t size, struct array *out, struct error *error);

/* Returns whether its numbers are of a type that cannot be read: which, and its shape. The name is
 * "". Of objects only None is told, as ARRAY_NOTHING. */
bool npy_is_unread(struct bytes beginning, struct array_unread *out);

/* Returns whether it holds texts (types U and S), or objects of Python that may be texts, and not
 * numbers; its shape, and *are_objects: only npy_read_texts knows then. The name is "". */
bool npy_describe_texts(struct bytes beginning, struct array_texts *out, bool *are_objects);

/* Reads the texts of such an array (of objects: if all of them are str, see pickle.h) in the order
 * of rows, as UTF-8, owned by the arena. */
bool npy_read_texts(struct bytes file, struct arena *arena, const char *const **texts,
                    size_t *count, struct error *error);

/* An npy file in parts, so that an array that is filled is never whole in memory. Int64 of int32
 * and int64, else float32. The arena owns the parts, the array stays with its owner. */
struct npy_parts {
    uint64_t size;      /* of the whole file, in bytes */
    struct bytes start; /* the header; of whole numbers and texts all there is */
    bool started;       /* `start` has been given */
    bool has_rows;      /* rows follow the header */
    struct array_rows rows;
};
bool npy_parts_of(const struct array *array, struct arena *arena, struct npy_parts *parts,
                  struct error *error);

/* Makes the parts of UTF-8 texts, on one axis. */
bool npy_parts_of_texts(const char *const *texts, size_t count, struct arena *arena,
                        struct npy_parts *parts, struct error *error);

/* Returns the next part, which stays until the next call; size 0: there are no more. */
bool npy_parts_next(struct npy_parts *parts, struct bytes *part, struct error *error);

/* The whole file, appended; or owned by the arena. */
bool npy_put(struct growing *out, const struct array *array, struct error *error);
bool npy_write(const struct array *array, struct arena *arena, struct bytes *out,
               struct error *error);

#endif
