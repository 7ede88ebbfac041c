/* file/npz.h — NumPy's format for several named arrays: a zip of npy files.
 *
 * Limits: 4096 members, 1 GiB unpacked, no member more than 1100 times its packed size. */
#ifndef FILE_NPZ_H
#define FILE_NPZ_H

#include "file/array.h"
#include "file/progress.h"

/* Reads every npy member of numbers; others are passed over. The arrays are owned by the arena,
 * named without
 * ".npy", in the order of the file. */
bool npz_read(struct bytes file, struct arena *arena, const struct array **arrays, size_t *count,
              struct error *error);

/* Every npy member of numbers, in the order of the file. Those that are not packed (as numpy.savez
 * leaves them) are views into `file`; of the others only type and shape are known, and their
 * bytes.at is NULL: npz_read_one unpacks one. The limits are for what must be unpacked. */
struct npz_list {
    const struct array *array; /* [count] */
    size_t count;
    const struct array_unread *unread; /* [unread_count] of numbers that cannot be read */
    size_t unread_count;
};
bool npz_list(struct bytes file, struct arena *arena, struct npz_list *out, struct error *error);

/* The list of texts of that name (npy_read_texts). More than `most` are only counted, from its
 * header: *texts is NULL. */
bool npz_read_texts(struct bytes file, const char *name, size_t most, struct arena *arena,
                    const char *const **texts, size_t *count, struct error *error);

/* The names of its lists of texts, owned by the arena. */
bool npz_name_texts(struct bytes file, struct arena *arena, const char *const **names,
                    size_t *count);

/* Reads the one array of that name ("W_Q"). */
bool npz_read_one(struct bytes file, const char *name, struct arena *arena, struct array *out,
                  struct error *error);

/* The same; the progress (NULL: nobody) is told how much is unpacked, and can stop it: false, and
 * no sentence. */
bool npz_read_one_with_progress(struct bytes file, const char *name,
                                const struct file_progress *progress, struct arena *arena,
                                struct array *out, struct error *error);

/* A list of texts by its name: "tokens". */
struct npz_texts {
    const char *name;
    const char *const *text;
    size_t count;
};

/* The arrays, and behind them the lists of texts, as an npz file, owned by the arena; types as
 * npy_write has them. Every member is dated 1980-01-01, so that the same arrays always give the
 * same bytes. */
bool npz_write(const struct array *arrays, size_t count, struct arena *arena, struct bytes *out,
               struct error *error);
bool npz_write_with_texts(const struct array *arrays, size_t count, const struct npz_texts *texts,
                          size_t lists, struct arena *arena, struct bytes *out,
                          struct error *error);

#endif
