/* base/system/register_posix.c — the files that a desktop of freedesktop reads. */
#include "base/system/register.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/system/child.h"
#include "base/system/clock.h"
#include "base/system/file.h"

bool system_program(char *path, size_t size)
{
#ifdef __linux__
    const ssize_t length = readlink("/proc/self/exe", path, size);
#else /* the system has no way to ask */
    const ssize_t length = 0;
    (void)path;
    errno = ENOSYS;
#endif
    if (length <= 0 || (size_t)length >= size) {
        return false;
    }
    path[length] = '\0';
    return true;
}

bool system_has_registry(void)
{
    return false;
}

bool system_data_folder(char *path, size_t size)
{
    const char *const own = getenv("XDG_DATA_HOME"), *const home = getenv("HOME");
    const bool is_named = own != NULL && own[0] == '/';
    const int length = is_named ? snprintf(path, size, "%s", own)
                       : home != NULL && home[0] == '/'
                           ? snprintf(path, size, "%s/.local/share", home)
                           : -1;
    return length > 0 && (size_t)length < size;
}

bool system_registry_put(const char *key, const char *name, const char *value)
{
    (void)key, (void)name, (void)value;
    errno = ENOSYS;
    return false;
}

bool system_registry_remove(const char *key, const char *name)
{
    (void)key, (void)name;
    errno = ENOSYS;
    return false;
}

/* The caches that desktops read instead of the files, by the programs that keep them. */
void system_desktop_refresh(void)
{
    static const struct {
        const char *program, *option, *below;
    } caches[] = {{"update-mime-database", NULL, "mime"},
                  {"update-desktop-database", "-q", "applications"}};
    enum { SECONDS = 30 };
    char data[SYSTEM_PATH_MAX], folder[SYSTEM_PATH_MAX + 16];
    for (size_t c = 0; c < sizeof caches / sizeof caches[0]; c++) {
        if (!system_data_folder(data, sizeof data) || !system_child_is_there(caches[c].program)) {
            continue;
        }
        (void)snprintf(folder, sizeof folder, "%s/%s", data, caches[c].below);
        const char *const with[] = {caches[c].program, caches[c].option, folder, NULL};
        const char *const without[] = {caches[c].program, folder, NULL};
        struct system_child child;
        if (system_child_start(&child, caches[c].option != NULL ? with : without,
                               SYSTEM_CHILD_LISTENS)) {
            system_child_close_pipe(&child);
            (void)system_child_ends_well(&child, system_seconds() + SECONDS);
        }
    }
}
