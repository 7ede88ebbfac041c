/* base/file.h — files as a whole: read into an arena, written whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

/* Reads path ("-": standard input) into the arena, at most limit bytes (more is an error). A 0 byte
 * that is not counted follows the content. Fails with the path and the reason in the sentence. */
bool file_read(const char *path, size_t limit, struct arena *arena, struct bytes *out,
               struct error *error);

/* Writes content to path so that path holds either its former content or all of the new one, never
 * a part: a temporary file beside it, flushed, then renamed over it; permissions of a former file
 * stay.
 * "-" writes to standard output. On failure nothing is left behind. */
bool file_write(const char *path, struct bytes content, struct error *error);

#endif
