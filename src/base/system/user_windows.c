/* base/system/user_windows.c — the person's folders as Windows has them. */
#include "base/system/user.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shlobj.h>

#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/system/wide_windows.h"

/* A path that was asked for once stays, for others hold it. */
struct variable {
    struct variable *next;
    char *name, *value; /* value NULL: it is not set */
};

static SRWLOCK variables_lock = SRWLOCK_INIT;
static struct variable *variables;

static char *read_variable(const char *name)
{
    wchar_t wide[SYSTEM_PATH_MAX], value[SYSTEM_PATH_MAX];
    char narrow[SYSTEM_PATH_MAX];
    const DWORD length =
        system_wide(name, wide) ? GetEnvironmentVariableW(wide, value, SYSTEM_PATH_MAX) : 0;
    return length > 0 && length < SYSTEM_PATH_MAX &&
                   system_narrow_path(value, narrow, sizeof narrow)
               ? strdup(narrow)
               : NULL;
}

const char *system_folder_variable(const char *name)
{
    AcquireSRWLockExclusive(&variables_lock);
    struct variable *found = variables;
    while (found != NULL && strcmp(found->name, name) != 0) {
        found = found->next;
    }
    if (found == NULL && (found = calloc(1, sizeof *found)) != NULL) {
        found->name = strdup(name);
        if (found->name == NULL) {
            free(found);
            found = NULL;
        } else {
            found->value = read_variable(name);
            found->next = variables;
            variables = found;
        }
    }
    ReleaseSRWLockExclusive(&variables_lock);
    return found != NULL ? found->value : NULL;
}

const char *system_home(void)
{
    return system_folder_variable("USERPROFILE");
}

bool system_state_folder(const char *program, char *path, size_t size)
{
    const char *const root = system_folder_variable("APPDATA");
    return root != NULL && (size_t)snprintf(path, size, "%s/%s", root, program) < size;
}

bool system_user_folder(const char *kind, const char *english, char *path, size_t size)
{
    wchar_t wide[MAX_PATH];
    const int folder = strcmp(kind, "PICTURES") == 0 ? CSIDL_MYPICTURES : CSIDL_PERSONAL;
    (void)english; /* Windows knows by which name it calls them */
    return SHGetFolderPathW(NULL, folder, NULL, SHGFP_TYPE_CURRENT, wide) == S_OK &&
           system_narrow_path(wide, path, size) && system_is_folder(path);
}

const char *system_temporary_folder(void)
{
    const char *const folder = system_folder_variable("TEMP");
    return folder != NULL && system_path_is_whole(folder) ? folder : ".";
}
