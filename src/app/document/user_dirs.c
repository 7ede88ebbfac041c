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
