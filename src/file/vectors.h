/* file/vectors.h — word vectors as text, one `word v1 … vd` a line (GloVe; word2vec's text format,
 * whose first line "words dimension" is passed over). */
#ifndef FILE_VECTORS_H
#define FILE_VECTORS_H

#include "file/array.h"
#include "file/progress.h"

struct file_handle;

enum { VECTORS_DIMENSION_MAX = 4096 };

struct vectors {
    size_t dimension;    /* d, taken from the first line */
    size_t count;        /* how many wanted words there are */
    size_t found_count;  /* how many of them the file has */
    const bool *found;   /* [count] */
    const float *values; /* [count][d], row-major, 0 where nothing was found */
};

/* Reads the lines of the wanted words; of a word that stands there twice, the first. Only these
 * lines and the first are looked at closely, so that a file of a million words is read in a moment.
 * Owned by the arena. */
bool vectors_read(struct bytes text, const char *const *wanted, size_t wanted_count,
                  struct arena *arena, struct vectors *out, struct error *error);

/* Reads a file, which is never copied, however large: text as above, or an .npy of rows with the
 * words of these rows beside it, one a line, in a file of the same name that ends in .txt or
 * .vocab. The progress (NULL: none) is told how many of all bytes have been read. False and a
 * sentence, which does not name the file, or none where the progress stopped it. */
bool vectors_open(struct file_handle *file, const char *const *wanted, size_t wanted_count,
                  const struct file_progress *progress, struct arena *arena, struct vectors *out,
                  struct error *error);

/* Returns whether an .npy has such a list beside it. */
bool vectors_are_listed(const char *path);

#endif
