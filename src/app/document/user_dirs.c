#include "app/document/user_dirs.h"

#include <stdio.h>
#include <string.h>

#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/system/user.h"

void app_user_dir(const char *kind, const char *english, char *path, size_t size)
{
    const char *const own = system_folder_variable("ATTNSCOPE_HOME");
    if (own != NULL && system_path_is_whole(own) && strlen(own) < size && system_is_folder(own)) {
        snprintf(path, size, "%s", own);
    } else if (!system_user_folder(kind, english, path, size) &&
               !system_working_folder(path, size)) {
        snprintf(path, size, ".");
    }
}

bool app_typed_path(const char *typed, char *path, size_t size)
{
    const char *const home = system_home();
    const bool fits = (size_t)snprintf(path, size, "%s", typed) < size;
    system_path_normalise(path);
    if (!fits || home == NULL || path[0] != '~' || (path[1] != '/' && path[1] != '\0')) {
        return fits;
    }
    const size_t before = strlen(home), behind = strlen(path); /* its 0 takes the place of "~" */
    if (before + behind > size) {
        return false;
    }
    memmove(path + before, path + 1, behind);
    memcpy(path, home, before);
    return true;
}
