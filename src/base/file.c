/* base/file.c — see file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/guard.h"

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum {
    FIRST_READ = 64 * 1024,
    AHEAD_MAX = 4096,
    INPUT_MAX = 1 << 30, /* of standard input, to be mapped */
    LINKS_MAX = 40,
    TRIALS_MAX = 100
};

/* The beginning that was read of a pipe, which gives nothing twice. */
static struct {
    uint8_t at[AHEAD_MAX];
    size_t size;
} ahead;

bool file_full_path(const char *path, char *full, size_t size)
{
    const size_t length = strlen(path);
    size_t before = 0;
    if (path[0] != '/') {
        if (getcwd(full, size) == NULL) {
            return false;
        }
        before = strlen(full);
        full[before++] = '/'; /* in place of the 0 */
    }
    if (before + length >= size) {
        return false;
    }
    memcpy(full + before, path, length + 1);
    return true;
}

static bool is_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool input_is_regular(void)
{
    struct stat status;
    return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

static bool read_all(int descriptor, const char *name, size_t expected, size_t limit,
                     struct arena *arena, struct bytes *out, struct error *error)
{
    size_t capacity = 0;
    uint8_t *content = NULL;
    if (checked_add(expected, 2, &capacity)) { /* one to see the end, one for the 0 */
        content = arena_alloc(arena, capacity);
    }
    size_t size = 0;
    if (content != NULL && descriptor == STDIN_FILENO) {
        memcpy(content, ahead.at, ahead.size);
        size = ahead.size;
        ahead.size = 0;
    }
    for (;;) {
        if (content == NULL) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory to read \"%s\".",
                             name);
        }
        ssize_t step = read(descriptor, content + size, capacity - 1 - size);
        if (step < 0 && errno == EINTR) {
            continue;
        }
        if (step < 0) {
            return error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", name,
                             strerror(errno));
        }
        size += (size_t)step;
        if (size > limit) {
            return error_set(error, ERROR_INPUT, "\"%s\" is too large: more than %zu bytes.", name,
                             limit);
        }
        if (step == 0) {
            break;
        }
        if (size == capacity - 1) {
            uint8_t *wider = arena_array(arena, capacity, 2);
            if (wider != NULL) {
                memcpy(wider, content, size);
            }
            content = wider;
            capacity *= 2;
        }
    }
    content[size] = 0;
    *out = (struct bytes){content, size};
    return true;
}

/* Opens a regular file to read; -1 and a sentence when it is none. */
static int open_regular(const char *path, struct stat *status, struct error *error)
{
    /* Without O_NONBLOCK the mere opening of a named pipe would wait for a writer. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) {
        error_set(error, ERROR_FILE, "\"%s\" cannot be opened: %s.", path, strerror(errno));
        return -1;
    }
    if (fstat(descriptor, status) != 0) {
        error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", path, strerror(errno));
    } else if (S_ISDIR(status->st_mode)) {
        error_set(error, ERROR_FILE, "\"%s\" is a folder, not a file.", path);
    } else if (!S_ISREG(status->st_mode)) {
        error_set(error, ERROR_FILE, "\"%s\" is not a regular file.", path);
    } else {
        return descriptor;
    }
    close(descriptor);
    return -1;
}

const char *file_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

const char *file_last_part(const char *path, size_t *length)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    size_t from = end;
    while (from > 0 && path[from - 1] != '/') {
        from--;
    }
    *length = end - from;
    return path + from;
}

bool file_read(const char *path, size_t limit, struct arena *arena, struct bytes *out,
               struct error *error)
{
    if (is_input(path)) {
        return read_all(STDIN_FILENO, "standard input", FIRST_READ, limit, arena, out, error);
    }
    struct stat status;
    int descriptor = open_regular(path, &status, error);
    if (descriptor < 0) {
        return false;
    }
    bool done = false;
    if (status.st_size > 0 && (uintmax_t)status.st_size > limit) {
        error_set(error, ERROR_INPUT, "\"%s\" is too large: more than %zu bytes.", path, limit);
    } else {
        size_t expected = status.st_size > 0 ? (size_t)status.st_size : FIRST_READ;
        done = read_all(descriptor, path, expected, limit, arena, out, error);
    }
    close(descriptor);
    return done;
}

/* Returns 0 or the errno of what went wrong. */
static int write_all(int descriptor, struct bytes content)
{
    for (size_t at = 0; at < content.size;) {
        /* Nothing in memory has more than SSIZE_MAX bytes. */
        ssize_t step = write(descriptor, content.at + at, content.size - at);
        if (step < 0 && errno == EINTR) {
            continue;
        }
        if (step < 0) {
            return errno;
        }
        at += (size_t)step;
    }
    return 0;
}

/* Reads until count bytes are there or the end is. */
static size_t read_some(int descriptor, uint8_t *out, size_t got, size_t count)
{
    while (got < count) {
        const ssize_t step = read(descriptor, out + got, count - got);
        if (step == 0 || (step < 0 && errno != EINTR)) {
            break;
        }
        got += step < 0 ? 0 : (size_t)step;
    }
    return got;
}

size_t file_begin(const char *path, uint8_t *out, size_t count)
{
    struct stat status;
    if (is_input(path) && !input_is_regular()) {
        count = count < AHEAD_MAX ? count : AHEAD_MAX;
        ahead.size = read_some(STDIN_FILENO, ahead.at, ahead.size, count);
        memcpy(out, ahead.at, count < ahead.size ? count : ahead.size);
        return count < ahead.size ? count : ahead.size;
    }
    const int descriptor = is_input(path) ? dup(STDIN_FILENO) : open_regular(path, &status, NULL);
    if (descriptor < 0) {
        return 0;
    }
    const size_t got = read_some(descriptor, out, 0, count);
    if (is_input(path)) { /* whose place in the file its copy shares */
        (void)lseek(descriptor, 0, SEEK_SET);
    }
    close(descriptor);
    return got;
}

/* Standard input becomes a file without a name, which can be mapped, and read again. */
static bool keep_input(struct error *error)
{
    uint8_t part[FIRST_READ];
    size_t size = ahead.size, step = 0;
    FILE *const spool = tmpfile();
    bool done =
        spool != NULL && write_all(fileno(spool), (struct bytes){ahead.at, ahead.size}) == 0;
    while (done && (step = read_some(STDIN_FILENO, part, 0, sizeof part)) > 0) {
        size += step;
        if (size > INPUT_MAX) {
            (void)fclose(spool);
            return error_set(error, ERROR_INPUT, "\"%s\" is too large: more than %zu bytes.",
                             "standard input", (size_t)INPUT_MAX);
        }
        done = write_all(fileno(spool), (struct bytes){part, step}) == 0;
    }
    done = done && lseek(fileno(spool), 0, SEEK_SET) == 0 && dup2(fileno(spool), STDIN_FILENO) >= 0;
    const int reason = errno;
    if (spool != NULL) {
        (void)fclose(spool);
    }
    ahead.size = 0;
    return done || error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", "standard input",
                             strerror(reason));
}

/* As open_regular, and standard input is a regular file then. */
static int open_to_map(const char *path, struct stat *status, struct error *error)
{
    if (!is_input(path)) {
        return open_regular(path, status, error);
    }
    if (!input_is_regular() && !keep_input(error)) {
        return -1;
    }
    const int descriptor = dup(STDIN_FILENO);
    if (descriptor < 0 || fstat(descriptor, status) != 0) {
        error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", "standard input",
                  strerror(errno));
        return -1;
    }
    return descriptor;
}

bool file_map_open(const char *path, struct file_map *map, struct error *error)
{
    *map = (struct file_map){.descriptor = -1};
    struct stat status;
    int descriptor = open_to_map(path, &status, error);
    if (descriptor < 0) {
        return false;
    }
    if (status.st_size > 0 && (uintmax_t)status.st_size <= SIZE_MAX) {
        size_t size = (size_t)status.st_size;
        void *content = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (content == MAP_FAILED) {
            const int reason = errno;
            close(descriptor);
            return reason == ENOMEM
                       ? error_set(error, ERROR_MEMORY,
                                   "There is not enough memory to map \"%s\": it has %zu MB.", path,
                                   size >> 20)
                       : error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", path,
                                   strerror(reason));
        }
        map->bytes = (struct bytes){content, size};
        guard_add(map->bytes);
    }
    map->descriptor = descriptor;
    return true;
}

void file_map_close(struct file_map *map)
{
    if (map->bytes.size > 0) {
        guard_remove(map->bytes);
        (void)munmap((void *)(uintptr_t)map->bytes.at, map->bytes.size);
    }
    if (map->bytes.size > 0 || map->descriptor > 0) {
        close(map->descriptor);
    }
    *map = (struct file_map){.descriptor = -1};
}

bool file_map_is_whole(const struct file_map *map)
{
    struct stat status;
    return fstat(map->descriptor, &status) == 0 && (uintmax_t)status.st_size >= map->bytes.size;
}

static bool cannot_write(struct error *error, const char *path, int reason)
{
    return error_set(error, ERROR_FILE, "\"%s\" cannot be written: %s.", path, strerror(reason));
}

/* Puts the path that path's symbolic links end at into target. Returns 0 or an errno. */
static int follow_links(const char *path, char target[PATH_MAX])
{
    if (strlen(path) >= PATH_MAX) {
        return ENAMETOOLONG;
    }
    strcpy(target, path);
    for (int i = 0; i < LINKS_MAX; i++) {
        char link[PATH_MAX];
        ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0) {
            return 0; /* not a link, or nothing there yet */
        }
        link[length] = '\0';
        char *slash = strrchr(target, '/');
        size_t folder = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash - target) + 1;
        if (folder + (size_t)length >= PATH_MAX) {
            return ENAMETOOLONG;
        }
        strcpy(target + folder, link);
    }
    return ELOOP;
}

/* Creates a file of a new name beside target, and its name in part. Returns a descriptor or -1. */
static int create_beside(const char *target, mode_t mode, char part[PATH_MAX])
{
    const char *slash = strrchr(target, '/');
    int folder = slash == NULL ? 0 : (int)(slash - target) + 1;
    for (int trial = 0; trial < TRIALS_MAX; trial++) {
        int length =
            snprintf(part, PATH_MAX, "%.*s.part-%ld-%d", folder, target, (long)getpid(), trial);
        if (length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

/* After a power cut the new name must be there too; where a folder cannot be flushed, so be it. */
static void flush_folder(const char *target)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(target, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - target) + 1;
    memcpy(folder, target, length);
    strcpy(folder + length, ".");
    int descriptor = open(folder, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
}

struct file_writer {
    const char *path; /* as it was given; owned by whoever opened it */
    int descriptor;
    int reason;  /* an errno: nothing more is written */
    bool beside; /* into a file beside the target, which it replaces in the end */
    FILE *held;  /* not beside it: what waits to be written until the end; or NULL */
    char target[PATH_MAX], part[PATH_MAX];
};

/* A screen driver or another special file keeps no content: it is written to as it stands. */
static int open_special(const char *path)
{
    const int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor >= 0) { /* to be written to, it may wait */
        (void)fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    }
    return descriptor;
}

/* A new file for what shall stand at the path; the descriptor is -1 and errno set where that cannot
 * be. */
static void open_beside(struct file_writer *writer, const struct stat *former, mode_t mode)
{
    /* Renaming would replace a write-protected file; whoever protected it did not want that. */
    const int wrong = former != NULL && access(writer->path, W_OK) != 0
                          ? errno
                          : follow_links(writer->path, writer->target);
    errno = wrong;
    writer->descriptor = wrong != 0 ? -1 : create_beside(writer->target, mode, writer->part);
    writer->beside = writer->descriptor >= 0;
    if (writer->beside && former != NULL) {
        /* Only the superuser can give the file back to its owner, and should. What ran with another
         * one's rights does not do so with other content. */
        int ignored = fchown(writer->descriptor, former->st_uid, former->st_gid);
        (void)ignored;
        writer->reason = fchmod(writer->descriptor, former->st_mode & 0777) != 0 ? errno : 0;
    }
}

static struct file_writer *open_writer(const char *path, mode_t mode, struct error *error)
{
    struct stat former;
    struct file_writer *const writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to write \"%s\".", path);
        return NULL;
    }
    writer->path = is_input(path) ? "standard output" : path;
    const bool exists = !is_input(path) && stat(path, &former) == 0;
    if (is_input(path)) {
        writer->descriptor = STDOUT_FILENO;
    } else if (exists && S_ISDIR(former.st_mode)) {
        writer->descriptor = -1;
        errno = EISDIR;
    } else if (exists && !S_ISREG(former.st_mode)) {
        writer->descriptor = open_special(path);
    } else {
        open_beside(writer, exists ? &former : NULL, mode);
    }
    if (writer->descriptor < 0) {
        cannot_write(error, path, errno);
        free(writer);
        return NULL;
    }
    return writer;
}

struct file_writer *file_writer_open(const char *path, struct error *error)
{
    return open_writer(path, 0666, error);
}

bool file_writer_put(struct file_writer *writer, struct bytes part)
{
    const int descriptor = writer->held != NULL ? fileno(writer->held) : writer->descriptor;
    writer->reason = writer->reason != 0 ? writer->reason : write_all(descriptor, part);
    return writer->reason == 0;
}

bool file_writer_hold(struct file_writer *writer)
{
    if (!writer->beside && writer->reason == 0) {
        writer->held = tmpfile();
        writer->reason = writer->held == NULL ? errno : 0;
    }
    return writer->reason == 0;
}

bool file_writer_replace(struct file_writer *writer, uint64_t at, struct bytes part)
{
    const int descriptor = writer->held != NULL ? fileno(writer->held) : writer->descriptor;
    const bool can_go_back = writer->beside || writer->held != NULL;
    if (writer->reason == 0 && !can_go_back) {
        writer->reason = ESPIPE;
    }
    for (size_t done = 0; writer->reason == 0 && done < part.size;) {
        const ssize_t step =
            pwrite(descriptor, part.at + done, part.size - done, (off_t)(at + done));
        writer->reason = step < 0 && errno != EINTR ? errno : 0;
        done += step < 0 ? 0 : (size_t)step;
    }
    return writer->reason == 0;
}

/* Writes what was held to its target. Returns 0 or an errno. */
static int write_held(const struct file_writer *writer)
{
    uint8_t part[FIRST_READ];
    const int held = fileno(writer->held);
    int reason = lseek(held, 0, SEEK_SET) < 0 ? errno : 0;
    ssize_t step = 1;
    while (reason == 0 && step != 0) {
        step = read(held, part, sizeof part);
        if (step > 0) {
            reason = write_all(writer->descriptor, (struct bytes){part, (size_t)step});
        } else if (step < 0 && errno != EINTR) {
            reason = errno;
        }
    }
    return reason;
}

bool file_writer_close(struct file_writer *writer, bool keep, struct error *error)
{
    int reason = writer->reason;
    if (keep && reason == 0 && writer->held != NULL) {
        reason = write_held(writer);
    }
    if (writer->held != NULL) {
        (void)fclose(writer->held);
    }
    if (keep && reason == 0 && writer->beside && fsync(writer->descriptor) != 0 &&
        errno != EINVAL && errno != ENOTSUP) {
        reason = errno;
    }
    if (writer->descriptor != STDOUT_FILENO && close(writer->descriptor) != 0 && reason == 0) {
        reason = errno;
    }
    if (writer->beside && keep && reason == 0 && rename(writer->part, writer->target) != 0) {
        reason = errno;
    }
    if (writer->beside && (!keep || reason != 0)) {
        (void)unlink(writer->part);
    } else if (writer->beside) {
        flush_folder(writer->target);
    }
    const bool done = reason == 0 || cannot_write(error, writer->path, reason);
    free(writer);
    errno = reason;
    return done;
}

static bool write_file(const char *path, mode_t mode, struct bytes content, struct error *error)
{
    struct file_writer *const writer = open_writer(path, mode, error);
    if (writer == NULL) {
        return false;
    }
    (void)file_writer_put(writer, content);
    return file_writer_close(writer, true, error);
}

bool file_write(const char *path, struct bytes content, struct error *error)
{
    return write_file(path, 0666, content, error);
}

bool file_write_private(const char *path, struct bytes content, struct error *error)
{
    return write_file(path, 0600, content, error);
}

struct file_mark file_mark(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return (struct file_mark){0};
    }
    return (struct file_mark){.exists = true,
                              .device = (uint64_t)status.st_dev,
                              .number = (uint64_t)status.st_ino,
                              .size = (uint64_t)status.st_size,
                              .seconds = (int64_t)status.st_mtim.tv_sec,
                              .nanoseconds = (int64_t)status.st_mtim.tv_nsec};
}

bool file_mark_equal(const struct file_mark *a, const struct file_mark *b)
{
    return a->exists == b->exists && a->device == b->device && a->number == b->number &&
           a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}
