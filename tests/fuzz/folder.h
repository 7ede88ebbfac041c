/* folder.h — a folder with files of any bytes, for readers of folders. */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include "base/bytes.h"

enum { FOLDER_PATH_MAX = 256 };

/* A new folder, into path. */
void folder_make(char path[FOLDER_PATH_MAX]);
void folder_put(const char *path, const char *name, struct bytes content);
void folder_drop(const char *path, const char *const *names, size_t count);

#endif
