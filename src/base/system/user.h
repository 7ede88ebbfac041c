/* base/system/user.h — the person's own folders. */
#ifndef BASE_SYSTEM_USER_H
#define BASE_SYSTEM_USER_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that a variable of the environment names, as it stands there; NULL: it is not set. */
const char *system_folder_variable(const char *name);

/* The home folder; NULL: there is none. */
const char *system_home(void);

/* Where a program of that name keeps its state. False: there is no such place. */
bool system_state_folder(const char *program, char *path, size_t size);

/* Where things of a kind ("PICTURES", "DOCUMENTS") are kept: as the desktop calls it, else the
 * folder of that English name at home. False: there is none. */
bool system_user_folder(const char *kind, const char *english, char *path, size_t size);

/* Where files go that nobody keeps. */
const char *system_temporary_folder(void);

#endif
