/* base/file_set.c — see file_set.h. */
#include "base/file_set.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/system/file.h"
#include "base/system/folder.h"

static const char whole_name[] = ".attnscope-new", part_name[] = ".attnscope-new.part";

static bool join_path(const char *folder, const char *name, char path[FILE_SET_PATH_MAX],
                      struct error *error)
{
    const int length = snprintf(path, FILE_SET_PATH_MAX, "%s/%s", folder, name);
    return (length > 0 && length < FILE_SET_PATH_MAX) ||
           error_set(error, ERROR_FILE, "The path of %.60s is too long.", name);
}

static bool cannot_write(struct error *error, const char *path)
{
    return error_set(error, ERROR_FILE, "\"%s\" cannot be written: %s.", path, strerror(errno));
}

static bool is_folder(const char *path)
{
    struct system_facts facts;
    return system_link_facts(path, &facts) && facts.kind == SYSTEM_FOLDER;
}

bool file_set_is_part(const char *name)
{
    return strcmp(name, part_name) == 0;
}

bool file_set_path(const char *folder, const char *name, char path[FILE_SET_PATH_MAX],
                   struct error *error)
{
    char whole[FILE_SET_PATH_MAX];
    struct system_facts facts;
    if (join_path(folder, whole_name, whole, NULL) && is_folder(whole) &&
        join_path(whole, name, path, NULL) && system_link_facts(path, &facts)) {
        return true;
    }
    return join_path(folder, name, path, error);
}

/* The new files that count are moved to their places. False: one of them could not be. */
static bool move_all(const char *folder, const char *whole, const struct file_set_part *parts,
                     size_t count, struct error *error)
{
    char from[FILE_SET_PATH_MAX], to[FILE_SET_PATH_MAX];
    struct system_facts facts;
    if (!is_folder(whole)) {
        (void)system_remove(whole); /* a link that somebody put there */
        return true;
    }
    for (size_t p = 0; p < count; p++) {
        if (!join_path(whole, parts[p].name, from, error) ||
            !join_path(folder, parts[p].name, to, error)) {
            return false;
        }
        if (system_link_facts(from, &facts) && !system_rename(from, to)) {
            return error_set(error, ERROR_FILE,
                             "\"%.60s\" is saved, but lies in its folder %s: the files cannot be "
                             "moved to their places: %s.",
                             folder, whole_name, strerror(errno));
        }
    }
    system_flush_folder(folder);
    system_remove_folder_with_files(whole);
    return true;
}

/* Returns whether a file may be replaced: whoever protected it did not want that. */
static bool may_replace(const char *folder, const char *name, struct error *error)
{
    char path[FILE_SET_PATH_MAX];
    struct system_facts facts;
    if (!join_path(folder, name, path, error)) {
        return false;
    }
    if (!system_link_facts(path, &facts) || facts.kind == SYSTEM_LINK) {
        return true;
    }
    if (facts.kind == SYSTEM_FOLDER) {
        errno = EISDIR;
        return cannot_write(error, path);
    }
    return system_may_write(path) || cannot_write(error, path);
}

/* A new file has the permissions of the former, and belongs to whom that belongs. */
static bool give_permissions(const char *folder, const char *name, const char *path,
                             struct error *error)
{
    char former[FILE_SET_PATH_MAX];
    struct system_facts facts;
    if (!join_path(folder, name, former, error)) {
        return false;
    }
    if (!system_link_facts(former, &facts) || facts.kind != SYSTEM_REGULAR) {
        return true;
    }
    const int file = system_open(path, SYSTEM_READ);
    const bool given = file >= 0 && system_file_take_rights(file, &facts);
    const int reason = errno;
    if (file >= 0) {
        (void)system_close(file);
    }
    errno = reason;
    return given || cannot_write(error, path);
}

static bool write_all(const char *folder, const char *part, const struct file_set_part *parts,
                      size_t count, struct error *error)
{
    char path[FILE_SET_PATH_MAX];
    if (!system_make_folder(part)) {
        return cannot_write(error, part);
    }
    for (size_t p = 0; p < count; p++) {
        if (parts[p].content.at != NULL &&
            (!join_path(part, parts[p].name, path, error) ||
             !file_write(path, parts[p].content, error) ||
             !give_permissions(folder, parts[p].name, path, error))) {
            return false;
        }
    }
    system_flush_folder(part);
    return true;
}

bool file_set_replace(const char *folder, const struct file_set_part *parts, size_t count,
                      struct error *error)
{
    char whole[FILE_SET_PATH_MAX], part[FILE_SET_PATH_MAX], path[FILE_SET_PATH_MAX];
    bool done =
        join_path(folder, whole_name, whole, error) && join_path(folder, part_name, part, error);
    for (size_t p = 0; done && p < count; p++) {
        done = may_replace(folder, parts[p].name, error);
    }
    if (!done || !move_all(folder, whole, parts, count, error)) {
        return false;
    }
    system_remove_folder_with_files(part);
    done = write_all(folder, part, parts, count, error) &&
           (system_rename(part, whole) || cannot_write(error, whole));
    if (!done) {
        system_remove_folder_with_files(part);
        return false;
    }
    system_flush_folder(folder);
    for (size_t p = 0; p < count; p++) {
        if (parts[p].content.at == NULL && join_path(folder, parts[p].name, path, NULL)) {
            (void)system_remove(path);
        }
    }
    return move_all(folder, whole, parts, count, error);
}
