/* base/system/file_posix.c — files where the system is POSIX's. */
#define _DEFAULT_SOURCE /* flock: a lock of the open file, which ends with its process */
#include "base/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, RIGHTS = 0777, OF_ALL = 0666, OF_ONE = 0600 };

static bool convert_facts(int result, const struct stat *status, struct system_facts *facts)
{
    if (result != 0) {
        return false;
    }
    *facts = (struct system_facts){
        .kind = S_ISREG(status->st_mode)   ? SYSTEM_REGULAR
                : S_ISDIR(status->st_mode) ? SYSTEM_FOLDER
                : S_ISLNK(status->st_mode) ? SYSTEM_LINK
                                           : SYSTEM_SPECIAL,
        .device = (uint64_t)status->st_dev,
        .number = (uint64_t)status->st_ino,
        .size = status->st_size > 0 ? (uint64_t)status->st_size : 0,
        .seconds = (int64_t)status->st_mtim.tv_sec,
        .nanoseconds = (int64_t)status->st_mtim.tv_nsec,
        .owner = (uint32_t)status->st_uid,
        .group = (uint32_t)status->st_gid,
        .may_what = (uint32_t)status->st_mode & RIGHTS,
    };
    return true;
}

bool system_path_facts(const char *path, struct system_facts *facts)
{
    struct stat status;
    return convert_facts(stat(path, &status), &status, facts);
}

bool system_link_facts(const char *path, struct system_facts *facts)
{
    struct stat status;
    return convert_facts(lstat(path, &status), &status, facts);
}

bool system_file_facts(int file, struct system_facts *facts)
{
    struct stat status;
    return convert_facts(fstat(file, &status), &status, facts);
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
    return access(path, F_OK) == 0;
}

bool system_may_read(const char *path)
{
    return access(path, R_OK) == 0;
}

bool system_may_write(const char *path)
{
    return access(path, W_OK) == 0;
}

bool system_file_take_rights(int file, const struct system_facts *former)
{
    /* Only the superuser can give the file back to its owner, and should. What ran with another
     * one's rights does not do so with other content. */
    const int ignored = fchown(file, (uid_t)former->owner, (gid_t)former->group);
    (void)ignored;
    return fchmod(file, (mode_t)former->may_what) == 0;
}

/* A device is opened without waiting for anybody; to be written to, it may wait. */
static int open_device(const char *path)
{
    const int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file >= 0) {
        (void)fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    }
    return file;
}

int system_open(const char *path, enum system_open how)
{
    switch (how) {
    case SYSTEM_READ:
        /* Without O_NONBLOCK the mere opening of a named pipe would wait for a writer. */
        return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    case SYSTEM_CREATE:
        return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, OF_ALL);
    case SYSTEM_CREATE_PRIVATE:
        return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, OF_ONE);
    case SYSTEM_WRITE:
        return open_device(path);
    }
    errno = EINVAL;
    return -1;
}

int system_open_unnamed(void)
{
    FILE *const stream = tmpfile();
    const int file = stream == NULL ? -1 : fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0);
    const int reason = errno;
    if (stream != NULL) {
        (void)fclose(stream);
    }
    errno = reason;
    return file;
}

int system_open_unique(char *path)
{
    return mkstemp(path);
}

bool system_make_unique_folder(char *path)
{
    return mkdtemp(path) != NULL;
}

int system_duplicate(int file)
{
    return dup(file);
}

bool system_become_input(int file)
{
    return dup2(file, STDIN_FILENO) >= 0;
}

ptrdiff_t system_read(int file, void *out, size_t size)
{
    ssize_t step = 0;
    do {
        step = read(file, out, size);
    } while (step < 0 && errno == EINTR);
    return step;
}

ptrdiff_t system_write(int file, const void *content, size_t size)
{
    ssize_t step = 0;
    do {
        step = write(file, content, size);
    } while (step < 0 && errno == EINTR);
    return step;
}

ptrdiff_t system_read_at(int file, uint64_t at, void *out, size_t size)
{
    ssize_t step = 0;
    do {
        step = pread(file, out, size, (off_t)at);
    } while (step < 0 && errno == EINTR);
    return step;
}

ptrdiff_t system_write_at(int file, uint64_t at, const void *content, size_t size)
{
    ssize_t step = 0;
    do {
        step = pwrite(file, content, size, (off_t)at);
    } while (step < 0 && errno == EINTR);
    return step;
}

bool system_rewind(int file)
{
    return lseek(file, 0, SEEK_SET) == 0;
}

bool system_set_size(int file, uint64_t size)
{
    return ftruncate(file, (off_t)size) == 0;
}

bool system_flush(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool system_close(int file)
{
    return close(file) == 0;
}

int system_open_locked(const char *path, bool is_private, bool *taken)
{
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                          is_private ? OF_ONE : OF_ALL);
    *taken = file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0;
    if (*taken) {
        (void)close(file);
        return -1;
    }
    return file;
}

bool system_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool system_remove(const char *path)
{
    return unlink(path) == 0;
}

int system_follow_links(const char *path, char target[SYSTEM_PATH_MAX])
{
    if (strlen(path) >= SYSTEM_PATH_MAX) {
        return ENAMETOOLONG;
    }
    strcpy(target, path);
    for (int i = 0; i < LINKS_MAX; i++) {
        char link[SYSTEM_PATH_MAX];
        const ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0) {
            return 0; /* not a link, or nothing there yet */
        }
        link[length] = '\0';
        const char *const slash = strrchr(target, '/');
        const size_t folder = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash - target) + 1;
        if (folder + (size_t)length >= SYSTEM_PATH_MAX) {
            return ENAMETOOLONG;
        }
        strcpy(target + folder, link);
    }
    return ELOOP;
}
