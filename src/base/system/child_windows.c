/* base/system/child_windows.c — what other programs do for this one. */
#include "base/system/child.h"

#include <stdint.h>
#include <windows.h>

#include <shellapi.h>

#include "base/system/wide_windows.h"

bool system_open_with_desktop(const char *path)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    enum { FAILED_MAX = 32 }; /* as Windows counts errors here */
    return system_wide(path, wide) &&
           (intptr_t)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) > FAILED_MAX;
}
