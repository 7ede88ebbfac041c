/* app/document/user_dirs.h — the person's own folders, as the desktop calls them. */
#ifndef APP_DOCUMENT_USER_DIRS_H
#define APP_DOCUMENT_USER_DIRS_H

#include <stdbool.h>
#include <stddef.h>

/* Where things of a kind are kept: ATTNSCOPE_HOME; else the person's
 * folder of that kind (base/system/user.h); else where the program was started. Into path, of
 * `size` bytes. */
void app_user_dir(const char *kind, const char *english, char *path, size_t size);

/* Writes a path that a person typed: with slashes, and with the home folder for a "~" at its
 * beginning. False: it is longer. */
bool app_typed_path(const char *typed, char *path, size_t size);

#endif
