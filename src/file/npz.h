/* file/npz.h — NumPy's format for several named arrays: a zip of npy files.
 *
 * Limits: 4096 members, 1 GiB unpacked, no member more than 1100 times its packed size. */
#ifndef FILE_NPZ_H
#define FILE_NPZ_H

#include "file/array.h"
#include "file/growing.h"
#include "file/progress.h"

/* Reads every npy member of numbers; other members are ignored. The arrays are owned by the arena,
 * named without ".npy", in the order of the file. */
bool npz_read(struct bytes file, struct arena *arena, const struct array **arrays, size_t *count,
              struct error *error);

/* Lists every npy member, in the order of the file. Arrays of numbers that are not packed (as
 * numpy.savez leaves them) are views into `file`; of the others only type and shape are known, and
 * their bytes.at is NULL: npz_read_one unpacks one. The limits hold for what must be unpacked.
 * Returns false also where members are damaged and there is no array of numbers. */
struct npz_list {
    const struct array *array; /* [count] */
    size_t count;
    const struct array_texts *texts; /* [text_count] */
    size_t text_count;
    const struct array_unread *unread; /* [unread_count] that cannot be read */
    size_t unread_count;
};
bool npz_list(struct bytes file, struct arena *arena, struct npz_list *out, struct error *error);

/* Reads the texts of that name in the order of rows (npy_read_texts). */
bool npz_read_texts(struct bytes file, const char *name, struct arena *arena,
                    const char *const **texts, size_t *count, struct error *error);

/* Reads the one array of that name ("W_Q"). */
bool npz_read_one(struct bytes file, const char *name, struct arena *arena, struct array *out,
                  struct error *error);

/* Does the same and reports to the progress (NULL: none) how much is unpacked. Where the progress
 * stops it, it returns false without a sentence. */
bool npz_read_one_with_progress(struct bytes file, const char *name,
                                const struct file_progress *progress, struct arena *arena,
                                struct array *out, struct error *error);

/* A list of texts by its name: "tokens". */
struct npz_texts {
    const char *name;
    const char *const *text;
    size_t count;
};

/* Appends an npz file: the arrays, also those that are filled piece by piece, then the lists of
 * texts; types as npy_put has them. A sink of `out` must be able to go back, because the checksum
 * of a member stands before it. Every member is dated 1980-01-01, so that the same arrays always
 * give the same bytes. */
bool npz_put(struct growing *out, const struct array *arrays, size_t count,
             const struct npz_texts *texts, size_t lists, struct error *error);

/* The same of arrays alone as a whole, owned by the arena. */
bool npz_write(const struct array *arrays, size_t count, struct arena *arena, struct bytes *out,
               struct error *error);

#endif
