/* folder.h — a folder with files of any bytes, for readers of folders. */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include "base/bytes.h"

enum { FOLDER_PATH_MAX = 256 };

/* An empty folder, into path; files into it, and out of it again. */
void folder_make(char path[FOLDER_PATH_MAX]);
void folder_put(const char *path, const char *name, struct bytes content);
void folder_drop(const char *path, const char *const *names, size_t count);

#endif
