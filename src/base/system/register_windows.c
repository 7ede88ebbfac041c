/* base/system/register_windows.c — the registry of Windows, as far as it is the person's own. */
#include "base/system/register.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include <shlobj.h>

#include "base/system/file.h"
#include "base/system/wide_windows.h"

bool system_program(char *path, size_t size)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    const DWORD length = GetModuleFileNameW(NULL, wide, SYSTEM_PATH_MAX);
    return length > 0 && length < SYSTEM_PATH_MAX && system_narrow_path(wide, path, size);
}

bool system_has_registry(void)
{
    return true;
}

bool system_data_folder(char *path, size_t size)
{
    (void)path, (void)size;
    return false;
}

/* The key below those of the person's kinds of files. */
static bool find_key(const char *key, wchar_t wide[SYSTEM_PATH_MAX])
{
    char whole[SYSTEM_PATH_MAX];
    return (size_t)snprintf(whole, sizeof whole, "Software\\Classes\\%s", key) < sizeof whole &&
           system_wide(whole, wide);
}

static bool is_done(LSTATUS status)
{
    SetLastError((DWORD)status);
    return status == ERROR_SUCCESS || system_fail();
}

bool system_registry_put(const char *key, const char *name, const char *value)
{
    wchar_t path[SYSTEM_PATH_MAX], title[SYSTEM_PATH_MAX], text[SYSTEM_PATH_MAX];
    return find_key(key, path) && system_wide(name, title) && system_wide(value, text) &&
           is_done(RegSetKeyValueW(HKEY_CURRENT_USER, path, title, REG_SZ, text,
                                   (DWORD)((wcslen(text) + 1) * sizeof text[0])));
}

bool system_registry_remove(const char *key, const char *name)
{
    wchar_t path[SYSTEM_PATH_MAX], title[SYSTEM_PATH_MAX];
    if (!find_key(key, path) || !system_wide(name != NULL ? name : "", title)) {
        return false;
    }
    const LSTATUS status = name != NULL ? RegDeleteKeyValueW(HKEY_CURRENT_USER, path, title)
                                        : RegDeleteTreeW(HKEY_CURRENT_USER, path);
    return status == ERROR_FILE_NOT_FOUND || is_done(status);
}

void system_desktop_refresh(void)
{
    SHChangeNotify(SHCNE_ASSOCCHANGED, SHCNF_IDLIST, NULL, NULL);
}
