/* base/file.h — files as a whole: read into an arena, mapped, written whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

/* The name at the end of a path, without its folder. */
const char *file_name(const char *path);

/* The same where slashes may follow it: length bytes, not ended by a 0. */
const char *file_last_part(const char *path, size_t *length);

/* The path from the root, as text: no link is followed, no ".." taken away. False: it is longer
 * than size, or the working folder is not known. */
bool file_full_path(const char *path, char *full, size_t size);

/* Reads path ("-": standard input) into the arena, at most limit bytes (more is an error). A 0 byte
 * that is not counted follows the content. Fails with the path and the reason in the sentence. */
bool file_read(const char *path, size_t limit, struct arena *arena, struct bytes *out,
               struct error *error);

/* The first bytes of a regular file or of standard input ("-", at most 4096), as many as there are
 * up to count; they are there again for whoever reads it as a whole. 0: there are none, or it
 * cannot be read. */
size_t file_begin(const char *path, uint8_t *out, size_t count);

/* A file as it lies on the disk: read where it is looked at, never copied. */
struct file_map {
    struct bytes bytes; /* all of it; not to be written */
    int descriptor;     /* kept, so that a change can be noticed; -1: nothing is mapped */
};

/* Maps a regular file, or standard input, which is kept in a file without a name where it is a
 * pipe. The caller closes the map when nobody looks at its bytes any more. On failure the map is
 * empty and need not be closed. */
bool file_map_open(const char *path, struct file_map *map, struct error *error);
void file_map_close(struct file_map *map); /* empty afterwards; an empty map is fine */

/* Returns whether the file is still as long as its map: asked behind a reading, for bytes of a file
 * that was cut meanwhile are read as 0. */
bool file_map_is_whole(const struct file_map *map);

/* Writes content to path so that path holds either its former content or all of the new one, never
 * a part: a temporary file beside it, flushed, then renamed over it; permissions of a former file
 * stay, but not the right to run as its owner or group (setuid, setgid).
 * "-" writes to standard output. On failure nothing is left behind. */
bool file_write(const char *path, struct bytes content, struct error *error);

/* Writes a file piece by piece, for what is too large to be put together in memory. The path must
 * live as long as the writer. NULL and a sentence: nothing can be written there. */
struct file_writer;
struct file_writer *file_writer_open(const char *path, struct error *error);

/* False: something went wrong, file_writer_close says what; nothing more is taken. */
bool file_writer_put(struct file_writer *writer, struct bytes part);

/* Other bytes in place of some that were put, `at` bytes from the beginning. A pipe or a device
 * cannot be gone back in: asked for before the first piece, file_writer_hold keeps all pieces in a
 * file without a name until the writer is closed; a file beside its target needs none. */
bool file_writer_hold(struct file_writer *writer);
bool file_writer_replace(struct file_writer *writer, uint64_t at, struct bytes part);

/* Frees it. keep: the pieces are the content now, all of them or (false and a sentence, errno set)
 * none; otherwise the former content stays. To standard output they have gone by then, unless they
 * were held. */
bool file_writer_close(struct file_writer *writer, bool keep, struct error *error);

/* The same, and a new file is for its owner alone (0600). */
bool file_write_private(const char *path, struct bytes content, struct error *error);

/* The facts that tell whether a file is still the one that was read or written. */
struct file_mark {
    bool exists;
    uint64_t device, number, size;
    int64_t seconds, nanoseconds; /* of its last change */
};
struct file_mark file_mark(const char *path);
bool file_mark_equal(const struct file_mark *a, const struct file_mark *b);

#endif
