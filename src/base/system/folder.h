/* base/system/folder.h — folders, and paths that lead through them. */
#ifndef BASE_SYSTEM_FOLDER_H
#define BASE_SYSTEM_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The names in a folder, in the order of their bytes, without "." and "..". NULL: it cannot be
 * read. A name stays until they are closed; NULL behind the last. */
struct system_names;
struct system_names *system_names_open(const char *folder);
const char *system_names_next(struct system_names *names);
void system_names_close(struct system_names *names); /* NULL is fine */

/* False and errno: it is there already (EEXIST), or cannot be made. */
bool system_make_folder(const char *path);

/* Makes every folder of the path that is missing, for the person alone. Returns whether all are
 * there.
 */
bool system_make_private_folders(const char *path);

/* Returns whether it is a folder of the person's own, or their own link to one. */
bool system_folder_is_own(const char *path);

/* Returns whether files can be made in it. */
bool system_folder_may_keep(const char *path);

/* Takes from others the right to look into it. */
void system_folder_make_private(const char *path);

/* Removes a folder that is empty; or one with the files in it; or what else has that name, a link
 * without following it. */
bool system_remove_folder(const char *path);
void system_remove_folder_with_files(const char *path);

/* Writes the names in a folder to the disk, so that a power cut does not lose them. A system that
 * cannot do this is no error. */
void system_flush_folder(const char *path);

/* The working folder. False: it is not known, or longer. */
bool system_working_folder(char *path, size_t size);

/* The path without links, "." and "..", to be freed; NULL: nothing is there, or no memory. */
char *system_real_path(const char *path);

/* Returns whether a path begins at the root (or at a disk), so that it needs no working folder. */
bool system_path_is_whole(const char *path);

/* Writes a path that came from the person or from the system as this program has it: with slashes.
 */
void system_path_normalise(char *path);

#endif
