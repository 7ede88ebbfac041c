/* base/system/file_windows.c — files of Windows. Others may read, write, rename and remove what is
 * open here, as everywhere else. */
#include "base/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include "base/system/wide_windows.h"

enum {
    SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
    TRIALS_MAX = 100,
    LOCKED_AT = 0x40000000 /* far behind everything that is written into a file that is a lock */
};

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

/* The number of C's library for it; −1: there is none left. */
static int number_of(HANDLE handle, int flags)
{
    if (handle == INVALID_HANDLE_VALUE) {
        (void)system_fail();
        return -1;
    }
    const int file = _open_osfhandle((intptr_t)handle, flags | _O_BINARY | _O_NOINHERIT);
    if (file < 0) {
        (void)CloseHandle(handle);
        errno = EMFILE;
    }
    return file;
}

/* Seconds since 1970 and the rest, of 100 nanoseconds since 1601. */
static void set_time(struct system_facts *facts, FILETIME time)
{
    const int64_t units =
        (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) - 116444736000000000;
    facts->seconds = units / 10000000;
    facts->nanoseconds = units % 10000000 * 100;
}

static bool facts_of(HANDLE handle, struct system_facts *facts)
{
    BY_HANDLE_FILE_INFORMATION found;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        *facts = (struct system_facts){.kind = SYSTEM_SPECIAL};
        return GetLastError() == NO_ERROR || handle != INVALID_HANDLE_VALUE || system_fail();
    }
    if (!GetFileInformationByHandle(handle, &found)) {
        return system_fail();
    }
    const bool is_link = (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
    const bool is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    *facts = (struct system_facts){
        .kind = is_link     ? SYSTEM_LINK
                : is_folder ? SYSTEM_FOLDER
                            : SYSTEM_REGULAR,
        .device = found.dwVolumeSerialNumber,
        .number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
        .size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
    };
    set_time(facts, found.ftLastWriteTime);
    return true;
}

static bool look_at(const char *path, DWORD flags, struct system_facts *facts)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    if (!system_wide(path, wide)) {
        return false;
    }
    const HANDLE handle = CreateFileW(wide, FILE_READ_ATTRIBUTES, SHARED, NULL, OPEN_EXISTING,
                                      FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        return system_fail();
    }
    const bool known = facts_of(handle, facts);
    (void)CloseHandle(handle);
    return known;
}

/* Not every link of Windows is one to another name: what a cloud keeps elsewhere is one as well,
 * and is the file itself for whoever follows. */
bool system_path_facts(const char *path, struct system_facts *facts)
{
    if (!look_at(path, 0, facts)) {
        return false;
    }
    if (facts->kind == SYSTEM_LINK) {
        facts->kind = SYSTEM_REGULAR;
    }
    return true;
}

bool system_link_facts(const char *path, struct system_facts *facts)
{
    return look_at(path, FILE_FLAG_OPEN_REPARSE_POINT, facts);
}

bool system_file_facts(int file, struct system_facts *facts)
{
    return facts_of(handle_of(file), facts);
}

bool system_is_regular(const char *path)
{
    struct system_facts facts;
    return system_path_facts(path, &facts) && facts.kind == SYSTEM_REGULAR;
}

bool system_is_folder(const char *path)
{
    struct system_facts facts;
    return system_path_facts(path, &facts) && facts.kind == SYSTEM_FOLDER;
}

bool system_exists(const char *path)
{
    struct system_facts facts;
    return system_path_facts(path, &facts);
}

bool system_may_read(const char *path)
{
    const int file = system_open(path, SYSTEM_READ);
    return file >= 0 && system_close(file);
}

bool system_may_write(const char *path)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    if (!system_wide(path, wide)) {
        return false;
    }
    const DWORD attributes = GetFileAttributesW(wide);
    if (attributes == INVALID_FILE_ATTRIBUTES) {
        return system_fail();
    }
    errno = EACCES;
    return (attributes & FILE_ATTRIBUTE_READONLY) == 0 ||
           (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

/* A file has the rights of the folder that it is made in. */
bool system_file_take_rights(int file, const struct system_facts *former)
{
    (void)file;
    (void)former;
    return true;
}

int system_open(const char *path, enum system_open how)
{
    static const struct {
        DWORD access, disposition;
        int flags;
    } rows[] = {
        [SYSTEM_READ] = {GENERIC_READ, OPEN_EXISTING, _O_RDONLY},
        [SYSTEM_CREATE] = {GENERIC_WRITE, CREATE_NEW, 0},
        [SYSTEM_CREATE_PRIVATE] = {GENERIC_WRITE, CREATE_NEW, 0},
        [SYSTEM_WRITE] = {GENERIC_WRITE, OPEN_EXISTING, 0},
    };
    wchar_t wide[SYSTEM_PATH_MAX];
    if (!system_wide(path, wide)) {
        return -1;
    }
    return number_of(CreateFileW(wide, rows[how].access, SHARED, NULL, rows[how].disposition,
                                 FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS, NULL),
                     rows[how].flags);
}

int system_open_unnamed(void)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    if (GetTempPathW(MAX_PATH + 1, folder) == 0 || GetTempFileNameW(folder, L"att", 0, path) == 0) {
        (void)system_fail();
        return -1;
    }
    return number_of(CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE, SHARED, NULL,
                                 CREATE_ALWAYS,
                                 FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL),
                     0);
}

/* Six letters in place of the X, others each time. */
static void fill_letters(char *path)
{
    static volatile LONG calls;
    uint64_t number = GetTickCount64() * 1000003U + GetCurrentProcessId() * 7919U +
                      (uint64_t)InterlockedIncrement(&calls);
    for (char *at = path + strlen(path) - 6; *at != '\0'; at++) {
        *at = "abcdefghijklmnopqrstuvwxyz0123456789"[number % 36];
        number /= 36;
    }
}

int system_open_unique(char *path)
{
    int file = -1;
    errno = EEXIST;
    for (int trial = 0; trial < TRIALS_MAX && file < 0 && errno == EEXIST; trial++) {
        fill_letters(path);
        file = system_open(path, SYSTEM_CREATE);
    }
    return file;
}

bool system_make_unique_folder(char *path)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    for (int trial = 0; trial < TRIALS_MAX; trial++) {
        fill_letters(path);
        if (!system_wide(path, wide)) {
            return false;
        }
        if (CreateDirectoryW(wide, NULL)) {
            return true;
        }
        if (GetLastError() != ERROR_ALREADY_EXISTS) {
            return system_fail();
        }
    }
    errno = EEXIST;
    return false;
}

int system_duplicate(int file)
{
    return _dup(file);
}

bool system_become_input(int file)
{
    return _dup2(file, SYSTEM_INPUT) == 0;
}

static unsigned step_of(size_t size)
{
    return size < INT_MAX ? (unsigned)size : INT_MAX;
}

ptrdiff_t system_read(int file, void *out, size_t size)
{
    return _read(file, out, step_of(size));
}

ptrdiff_t system_write(int file, const void *content, size_t size)
{
    return _write(file, content, step_of(size));
}

/* The place in the file stays what it is, which Windows does not see to. */
static ptrdiff_t move_at(int file, uint64_t at, void *out, const void *content, size_t size)
{
    const int64_t place = _lseeki64(file, 0, SEEK_CUR);
    if (place < 0 || _lseeki64(file, (int64_t)at, SEEK_SET) < 0) {
        return -1;
    }
    const ptrdiff_t step =
        out != NULL ? system_read(file, out, size) : system_write(file, content, size);
    const int reason = errno;
    (void)_lseeki64(file, place, SEEK_SET);
    errno = reason;
    return step;
}

ptrdiff_t system_read_at(int file, uint64_t at, void *out, size_t size)
{
    return move_at(file, at, out, NULL, size);
}

ptrdiff_t system_write_at(int file, uint64_t at, const void *content, size_t size)
{
    return move_at(file, at, NULL, content, size);
}

bool system_rewind(int file)
{
    return _lseeki64(file, 0, SEEK_SET) == 0;
}

bool system_set_size(int file, uint64_t size)
{
    const int reason = _chsize_s(file, (int64_t)size);
    errno = reason != 0 ? reason : errno;
    return reason == 0;
}

bool system_flush(int file)
{
    return _commit(file) == 0 || errno == EINVAL;
}

bool system_close(int file)
{
    return _close(file) == 0;
}

int system_open_locked(const char *path, bool is_private, bool *taken)
{
    (void)is_private; /* its folder is */
    wchar_t wide[SYSTEM_PATH_MAX];
    OVERLAPPED place = {.Offset = LOCKED_AT};
    struct system_facts facts;
    *taken = false;
    if (!system_wide(path, wide)) {
        return -1;
    }
    const HANDLE handle = CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, SHARED, NULL, OPEN_ALWAYS,
                                      FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        (void)system_fail();
        return -1;
    }
    const bool is_file = facts_of(handle, &facts) && facts.kind == SYSTEM_REGULAR;
    *taken = is_file && !LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0,
                                    1, 0, &place);
    if (!is_file || *taken) {
        (void)CloseHandle(handle);
        errno = *taken ? EBUSY : ELOOP;
        return -1;
    }
    return number_of(handle, 0);
}

/* Replaces even a file that somebody has open, which keeps the former content (Windows 10, NTFS).
 */
static bool rename_open(const wchar_t *from, const wchar_t *to)
{
    enum { RENAME_EX = 22, REPLACES = 1, AS_POSIX = 2 }; /* FileRenameInfoEx and its flags */
    struct {
        DWORD flags;
        HANDLE root;
        DWORD bytes;
        wchar_t name[SYSTEM_PATH_MAX];
    } order = {.flags = REPLACES | AS_POSIX};
    const DWORD length = GetFullPathNameW(to, SYSTEM_PATH_MAX, order.name, NULL);
    const HANDLE handle = length == 0 || length >= SYSTEM_PATH_MAX
                              ? INVALID_HANDLE_VALUE
                              : CreateFileW(from, DELETE | SYNCHRONIZE, SHARED, NULL, OPEN_EXISTING,
                                            FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        return false;
    }
    order.bytes = length * (DWORD)sizeof(wchar_t);
    const bool done = SetFileInformationByHandle(handle, (FILE_INFO_BY_HANDLE_CLASS)RENAME_EX,
                                                 &order, sizeof order);
    (void)CloseHandle(handle);
    return done;
}

/* The same where the disk's system cannot do that (FAT, of a stick): a file that is open may be
 * renamed, and goes when it is closed. Between two calls the name is free; where the second fails,
 * the former file has it again. */
static bool rename_around(const wchar_t *from, const wchar_t *to)
{
    static const wchar_t tail[] = L".former";
    wchar_t aside[SYSTEM_PATH_MAX];
    if (wcslen(to) + sizeof tail / sizeof tail[0] > SYSTEM_PATH_MAX) {
        return false;
    }
    wcscpy(aside, to);
    wcscat(aside, tail);
    if (!MoveFileExW(to, aside, MOVEFILE_REPLACE_EXISTING)) {
        return false;
    }
    const bool done = MoveFileExW(from, to, MOVEFILE_WRITE_THROUGH);
    const DWORD reason = GetLastError();
    if (done) {
        (void)DeleteFileW(aside);
    } else {
        (void)MoveFileExW(aside, to, MOVEFILE_REPLACE_EXISTING);
    }
    SetLastError(reason);
    return done;
}

bool system_rename(const char *from, const char *to)
{
    wchar_t source[SYSTEM_PATH_MAX], target[SYSTEM_PATH_MAX];
    return system_wide(from, source) && system_wide(to, target) &&
           (rename_open(source, target) ||
            MoveFileExW(source, target, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ||
            rename_around(source, target) || system_fail());
}

bool system_remove(const char *path)
{
    wchar_t wide[SYSTEM_PATH_MAX];
    return system_wide(path, wide) && (DeleteFileW(wide) || system_fail());
}

int system_follow_links(const char *path, char target[SYSTEM_PATH_MAX])
{
    struct system_facts facts;
    if (strlen(path) >= SYSTEM_PATH_MAX) {
        return ENAMETOOLONG;
    }
    strcpy(target, path);
    if (!system_link_facts(path, &facts) || facts.kind != SYSTEM_LINK) {
        return 0;
    }
    wchar_t wide[SYSTEM_PATH_MAX];
    const HANDLE handle = system_wide(path, wide)
                              ? CreateFileW(wide, FILE_READ_ATTRIBUTES, SHARED, NULL, OPEN_EXISTING,
                                            FILE_FLAG_BACKUP_SEMANTICS, NULL)
                              : INVALID_HANDLE_VALUE;
    if (handle == INVALID_HANDLE_VALUE) {
        return ELOOP; /* it leads to nothing, and nothing can be made there */
    }
    const DWORD length = GetFinalPathNameByHandleW(handle, wide, SYSTEM_PATH_MAX, 0);
    (void)CloseHandle(handle);
    return length > 0 && length < SYSTEM_PATH_MAX &&
                   system_narrow_path(wide, target, SYSTEM_PATH_MAX)
               ? 0
               : ENAMETOOLONG;
}
