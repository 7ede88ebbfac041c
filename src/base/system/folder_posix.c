/* base/system/folder_posix.c — folders where the system is POSIX's. */
#define _XOPEN_SOURCE 700 /* realpath, which the C library shows under that name alone */
#include "base/system/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/file.h"

enum { OF_ALL = 0777, OF_ONE = 0700, OF_OTHERS = 077 };

struct system_names {
    struct dirent **entry;
    int count, next;
};

static int is_inside(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

struct system_names *system_names_open(const char *folder)
{
    struct system_names *const names = calloc(1, sizeof *names);
    if (names != NULL) {
        names->count = scandir(folder, &names->entry, is_inside, by_bytes);
    }
    if (names == NULL || names->count < 0) {
        free(names);
        return NULL;
    }
    return names;
}

const char *system_names_next(struct system_names *names)
{
    return names->next < names->count ? names->entry[names->next++]->d_name : NULL;
}

void system_names_close(struct system_names *names)
{
    if (names != NULL) {
        for (int e = 0; e < names->count; e++) {
            free(names->entry[e]);
        }
        free(names->entry);
        free(names);
    }
}

bool system_make_folder(const char *path)
{
    return mkdir(path, OF_ALL) == 0;
}

bool system_make_private_folders(const char *path)
{
    char way[SYSTEM_PATH_MAX];
    if (path[0] == '\0' || strlen(path) >= sizeof way) {
        return false;
    }
    strcpy(way, path);
    for (char *slash = strchr(way + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(way, OF_ONE);
        *slash = '/';
    }
    (void)mkdir(way, OF_ONE);
    return system_is_folder(way);
}

bool system_folder_is_own(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0 && facts.st_uid == geteuid() && stat(path, &facts) == 0 &&
           S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

bool system_folder_may_keep(const char *path)
{
    return system_exists(path) && access(path, W_OK | X_OK) == 0;
}

void system_folder_make_private(const char *path)
{
    struct stat facts;
    if (stat(path, &facts) == 0 && (facts.st_mode & OF_OTHERS) != 0) {
        (void)chmod(path, OF_ONE);
    }
}

bool system_remove_folder(const char *path)
{
    return rmdir(path) == 0;
}

void system_remove_folder_with_files(const char *path)
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

void system_flush_folder(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        (void)fsync(file);
        (void)close(file);
    }
}

bool system_working_folder(char *path, size_t size)
{
    return getcwd(path, size) != NULL;
}

char *system_real_path(const char *path)
{
    return realpath(path, NULL);
}

bool system_path_is_whole(const char *path)
{
    return path[0] == '/';
}

void system_path_normalise(char *path)
{
    (void)path;
}
