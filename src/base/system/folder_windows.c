/* base/system/folder_windows.c — folders of Windows. What lies in the person's profile is theirs
 * alone by the rights that Windows gives it, which folders in it inherit. */
#include "base/system/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/system/file.h"
#include "base/system/wide_windows.h"

struct system_names {
    char **name;
    size_t count, room, next;
};

/* Keeps a copy of a name; one that is no text is left out. False: there is no memory. */
static bool keep_name(struct system_names *names, const wchar_t *found)
{
    char name[3 * MAX_PATH + 1];
    if (wcscmp(found, L".") == 0 || wcscmp(found, L"..") == 0 ||
        !system_narrow_path(found, name, sizeof name)) {
        return true;
    }
    if (names->count == names->room) {
        const size_t room = names->room * 2 + 16;
        char **const more = realloc(names->name, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        names->name = more;
        names->room = room;
    }
    names->name[names->count] = strdup(name);
    return names->name[names->count++] != NULL;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct system_names *system_names_open(const char *folder)
{
    char pattern[SYSTEM_PATH_MAX];
    wchar_t wide[SYSTEM_PATH_MAX];
    const size_t length = strlen(folder);
    const char *const join = length > 0 && folder[length - 1] == '/' ? "" : "/";
    if ((size_t)snprintf(pattern, sizeof pattern, "%s%s*", folder, join) >= sizeof pattern ||
        !system_wide(pattern, wide)) {
        return NULL;
    }
    WIN32_FIND_DATAW found;
    const HANDLE search = FindFirstFileW(wide, &found);
    if (search == INVALID_HANDLE_VALUE) {
        (void)system_fail();
        return NULL;
    }
    struct system_names *const names = calloc(1, sizeof *names);
    bool is_kept = names != NULL && keep_name(names, found.cFileName);
    while (is_kept && FindNextFileW(search, &found)) {
        is_kept = keep_name(names, found.cFileName);
    }
    (void)FindClose(search);
    if (!is_kept) {
        system_names_close(names);
        errno = ENOMEM;
        return NULL;
    }
    if (names->count > 0) { /* a stick has them in the order in which they were written */
        qsort(names->name, names->count, sizeof *names->name, by_bytes);
    }
    return names;
}

const char *system_names_next(struct system_names *names)
{
    return names->next < names->count ? names->name[names->next++] : NULL;
}

void system_names_close(struct system_names *names)
{
    if (names != NULL) {
        for (size_t n = 0; n < names->count; n++) {
            free(names->name[n]);
        }
        free(names->name);
        free(names);
    }
}

bool system_make_folder(const char *path)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    return system_wide(path, wide) && (CreateDirectoryW(wide, NULL) || system_fail());
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
        (void)system_make_folder(way); /* a disk is there */
        *slash = '/';
    }
    (void)system_make_folder(way);
    return system_is_folder(way);
}

bool system_folder_is_own(const char *path)
{
    return system_is_folder(path);
}

bool system_folder_may_keep(const char *path)
{
    return system_is_folder(path);
}

void system_folder_make_private(const char *path)
{
    (void)path;
}

bool system_remove_folder(const char *path)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    return system_wide(path, wide) && (RemoveDirectoryW(wide) || system_fail());
}

void system_remove_folder_with_files(const char *path)
{
    struct system_facts facts;
    const bool known = system_link_facts(path, &facts);
    struct system_names *const names =
        known && facts.kind == SYSTEM_FOLDER ? system_names_open(path) : NULL;
    const char *name = NULL;
    char inside[SYSTEM_PATH_MAX];
    while (names != NULL && (name = system_names_next(names)) != NULL) {
        if ((size_t)snprintf(inside, sizeof inside, "%s/%s", path, name) < sizeof inside) {
            (void)system_remove(inside);
        }
    }
    system_names_close(names);
    if (known && !system_remove_folder(path)) {
        (void)system_remove(path);
    }
}

/* Windows writes names through its journal: there is nothing to ask for. */
void system_flush_folder(const char *path)
{
    (void)path;
}

bool system_working_folder(char *path, size_t size)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    const DWORD length = GetCurrentDirectoryW(SYSTEM_PATH_MAX, wide);
    return length > 0 && length < SYSTEM_PATH_MAX && system_narrow_path(wide, path, size);
}

char *system_real_path(const char *path)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    char real[SYSTEM_PATH_MAX];
    if (!system_wide(path, wide)) {
        return NULL;
    }
    const HANDLE handle = CreateFileW(wide, FILE_READ_ATTRIBUTES,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        (void)system_fail();
        return NULL;
    }
    const DWORD length = GetFinalPathNameByHandleW(handle, wide, SYSTEM_PATH_MAX, 0);
    (void)CloseHandle(handle);
    if (length == 0 || length >= SYSTEM_PATH_MAX || !system_narrow_path(wide, real, sizeof real)) {
        return NULL;
    }
    return strdup(real);
}

bool system_path_is_whole(const char *path)
{
    const bool has_disk =
        ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) &&
        path[1] == ':';
    return path[0] == '/' || (has_disk && path[2] == '/');
}

/* Windows writes "\\?\C:\a" and "\\?\UNC\server\a" where a path may be long. */
void system_path_normalise(char *path)
{
    static const char plain[] = "//?/", server[] = "//?/UNC/";
    for (char *at = path; *at != '\0'; at++) {
        *at = *at == '\\' ? '/' : *at;
    }
    const bool is_server = strncmp(path, server, sizeof server - 1) == 0;
    const bool is_plain = !is_server && strncmp(path, plain, sizeof plain - 1) == 0;
    const size_t gone = is_server ? sizeof server - 1 - 2 : is_plain ? sizeof plain - 1 : 0;
    if (gone > 0) {
        memmove(path, path + gone, strlen(path + gone) + 1);
    }
    if (is_server) {
        path[0] = path[1] = '/';
    }
}
