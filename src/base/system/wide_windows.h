/* base/system/wide_windows.h — between this program's text, which is UTF-8, and Windows', which is
 * UTF-16; and between its errors and C's. For base/system alone. */
#ifndef BASE_SYSTEM_WIDE_WINDOWS_H
#define BASE_SYSTEM_WIDE_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "base/system/file.h"

/* False and errno: it is no UTF-8, or longer. */
bool system_wide(const char *text, wchar_t wide[SYSTEM_PATH_MAX]);

/* A path as this program has it, with slashes; size counts the 0 at its end. False: it is longer.
 */
bool system_narrow_path(const wchar_t *wide, char *path, size_t size);

/* Sets errno to what the last call to Windows failed with. Returns false. */
bool system_fail(void);

#endif
