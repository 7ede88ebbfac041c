/* base/system/register.h — what the person's desktop knows of a program: its place in menus, its
 * icon, the files that it opens. A desktop of freedesktop reads files for it, Windows its registry.
 * All of it is the person's own; nothing here needs the superuser. */
#ifndef BASE_SYSTEM_REGISTER_H
#define BASE_SYSTEM_REGISTER_H

#include <stdbool.h>
#include <stddef.h>

/* The program that runs, as a whole path. False: it is not known, or longer. */
bool system_program(char *path, size_t size);

bool system_has_registry(void);

/* Where the person's applications, icons and kinds of files are described. False: there is no such
 * place, because there is no home or because the system has a registry. */
bool system_data_folder(char *path, size_t size);

/* Sets a value below HKEY_CURRENT_USER\Software\Classes; "" is the name of a key's own value. False
 * and errno: it cannot be, or there is no registry. */
bool system_registry_put(const char *key, const char *name, const char *value);

/* Removes a value; name NULL: the key with all below it. What is not there is removed already. */
bool system_registry_remove(const char *key, const char *name);

/* Asks the desktop to read the changes now. One that does not answer reads them later by itself. */
void system_desktop_refresh(void);

#endif
