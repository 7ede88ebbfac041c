/* base/file_set.c — see file_set.h. */
#include "base/file_set.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

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
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_set_is_part(const char *name)
{
    return strcmp(name, part_name) == 0;
}

bool file_set_path(const char *folder, const char *name, char path[FILE_SET_PATH_MAX],
                   struct error *error)
{
    char whole[FILE_SET_PATH_MAX];
    struct stat status;
    if (join_path(folder, whole_name, whole, NULL) && is_folder(whole) &&
        join_path(whole, name, path, NULL) && lstat(path, &status) == 0) {
        return true;
    }
    return join_path(folder, name, path, error);
}

/* Removes a folder with the files in it, or what else has its name. */
static void remove_folder(const char *path)
{
    const int file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const names = file < 0 ? NULL : fdopendir(file);
    if (names == NULL) {
        if (file >= 0) {
            (void)close(file);
        }
        (void)unlink(path);
        return;
    }
    for (const struct dirent *entry = readdir(names); entry != NULL; entry = readdir(names)) {
        (void)unlinkat(file, entry->d_name, 0);
    }
    (void)closedir(names);
    (void)rmdir(path);
}

/* After a power cut the names must be there too; where a folder cannot be flushed, so be it. */
static void flush_folder(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        (void)close(file);
    }
}

/* The new files that count are moved to their places. False: one of them could not be. */
static bool move_all(const char *folder, const char *whole, const struct file_set_part *parts,
                     size_t count, struct error *error)
{
    char from[FILE_SET_PATH_MAX], to[FILE_SET_PATH_MAX];
    struct stat status;
    if (!is_folder(whole)) {
        (void)unlink(whole); /* a link that somebody put there */
        return true;
    }
    for (size_t p = 0; p < count; p++) {
        if (!join_path(whole, parts[p].name, from, error) ||
            !join_path(folder, parts[p].name, to, error)) {
            return false;
        }
        if (lstat(from, &status) == 0 && rename(from, to) != 0) {
            return error_set(error, ERROR_FILE,
                             "\"%.60s\" is saved, but lies in its folder %s: the files cannot be "
                             "moved to their places: %s.",
                             folder, whole_name, strerror(errno));
        }
    }
    flush_folder(folder);
    remove_folder(whole);
    return true;
}

/* Returns whether a file may be replaced: whoever protected it did not want that. */
static bool may_replace(const char *folder, const char *name, struct error *error)
{
    char path[FILE_SET_PATH_MAX];
    struct stat status;
    if (!join_path(folder, name, path, error)) {
        return false;
    }
    if (lstat(path, &status) != 0 || S_ISLNK(status.st_mode)) {
        return true;
    }
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return cannot_write(error, path);
    }
    return access(path, W_OK) == 0 || cannot_write(error, path);
}

/* A new file has the permissions of the former, and belongs to whom that belongs. */
static bool give_permissions(const char *folder, const char *name, const char *path,
                             struct error *error)
{
    char former[FILE_SET_PATH_MAX];
    struct stat status;
    if (!join_path(folder, name, former, error)) {
        return false;
    }
    if (lstat(former, &status) != 0 || !S_ISREG(status.st_mode)) {
        return true;
    }
    /* Only the superuser can give it back to its owner, and should. */
    const int ignored = chown(path, status.st_uid, status.st_gid);
    (void)ignored;
    return chmod(path, status.st_mode & 0777) == 0 || cannot_write(error, path);
}

static bool write_all(const char *folder, const char *part, const struct file_set_part *parts,
                      size_t count, struct error *error)
{
    char path[FILE_SET_PATH_MAX];
    if (mkdir(part, 0777) != 0) {
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
    flush_folder(part);
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
    remove_folder(part);
    done = write_all(folder, part, parts, count, error) &&
           (rename(part, whole) == 0 || cannot_write(error, whole));
    if (!done) {
        remove_folder(part);
        return false;
    }
    flush_folder(folder);
    for (size_t p = 0; p < count; p++) {
        if (parts[p].content.at == NULL && join_path(folder, parts[p].name, path, NULL)) {
            (void)unlink(path);
        }
    }
    return move_all(folder, whole, parts, count, error);
}
