/* base/system/wide_windows.c — see wide_windows.h. */
#include "base/system/wide_windows.h"

#include <errno.h>
#include <windows.h>

#include "base/system/folder.h"

bool system_wide(const char *text, wchar_t wide[SYSTEM_PATH_MAX])
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, SYSTEM_PATH_MAX) > 0) {
        return true;
    }
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
    return false;
}

bool system_narrow_path(const wchar_t *wide, char *path, size_t size)
{
    if (size == 0 || WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, (int)size, NULL, NULL) <= 0) {
        errno = ENAMETOOLONG;
        return false;
    }
    system_path_normalise(path);
    return true;
}

bool system_fail(void)
{
    static const struct {
        DWORD reason;
        int code;
    } rows[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_USER_MAPPED_FILE, EBUSY},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_COMMITMENT_LIMIT, ENOMEM},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
        {ERROR_INVALID_PARAMETER, EINVAL},
    };
    const DWORD reason = GetLastError();
    errno = EIO;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (rows[r].reason == reason) {
            errno = rows[r].code;
        }
    }
    return false;
}
