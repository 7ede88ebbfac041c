/* base/file.c — see file.h. */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/system/map.h"
#include "base/system/process.h"

enum {
    FIRST_READ = 64 * 1024,
    AHEAD_MAX = 4096,
    INPUT_MAX = 1 << 30, /* of standard input, to be mapped */
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
    if (!system_path_is_whole(path)) {
        if (!system_working_folder(full, size)) {
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
    struct system_facts facts;
    return system_file_facts(SYSTEM_INPUT, &facts) && facts.kind == SYSTEM_REGULAR;
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
    if (content != NULL && descriptor == SYSTEM_INPUT) {
        memcpy(content, ahead.at, ahead.size);
        size = ahead.size;
        ahead.size = 0;
    }
    for (;;) {
        if (content == NULL) {
            return error_set(error, ERROR_MEMORY, "There is not enough memory to read \"%s\".",
                             name);
        }
        const ptrdiff_t step = system_read(descriptor, content + size, capacity - 1 - size);
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
static int open_regular(const char *path, struct system_facts *facts, struct error *error)
{
    const int descriptor = system_open(path, SYSTEM_READ);
    if (descriptor < 0) {
        error_set(error, ERROR_FILE, "\"%s\" cannot be opened: %s.", path, strerror(errno));
        return -1;
    }
    if (!system_file_facts(descriptor, facts)) {
        error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", path, strerror(errno));
    } else if (facts->kind == SYSTEM_FOLDER) {
        error_set(error, ERROR_FILE, "\"%s\" is a folder, not a file.", path);
    } else if (facts->kind != SYSTEM_REGULAR) {
        error_set(error, ERROR_FILE, "\"%s\" is not a regular file.", path);
    } else {
        return descriptor;
    }
    (void)system_close(descriptor);
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
        return read_all(SYSTEM_INPUT, "standard input", FIRST_READ, limit, arena, out, error);
    }
    struct system_facts facts;
    const int descriptor = open_regular(path, &facts, error);
    if (descriptor < 0) {
        return false;
    }
    bool done = false;
    if (facts.size > limit) {
        error_set(error, ERROR_INPUT, "\"%s\" is too large: more than %zu bytes.", path, limit);
    } else {
        size_t expected = facts.size > 0 ? (size_t)facts.size : FIRST_READ;
        done = read_all(descriptor, path, expected, limit, arena, out, error);
    }
    (void)system_close(descriptor);
    return done;
}

/* Returns 0 or the errno of what went wrong. */
static int write_all(int descriptor, struct bytes content)
{
    for (size_t at = 0; at < content.size;) {
        /* Nothing in memory has more than SSIZE_MAX bytes. */
        const ptrdiff_t step = system_write(descriptor, content.at + at, content.size - at);
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
        const ptrdiff_t step = system_read(descriptor, out + got, count - got);
        if (step <= 0) {
            break;
        }
        got += (size_t)step;
    }
    return got;
}

size_t file_begin(const char *path, uint8_t *out, size_t count)
{
    struct system_facts facts;
    if (is_input(path) && !input_is_regular()) {
        count = count < AHEAD_MAX ? count : AHEAD_MAX;
        ahead.size = read_some(SYSTEM_INPUT, ahead.at, ahead.size, count);
        memcpy(out, ahead.at, count < ahead.size ? count : ahead.size);
        return count < ahead.size ? count : ahead.size;
    }
    const int descriptor =
        is_input(path) ? system_duplicate(SYSTEM_INPUT) : open_regular(path, &facts, NULL);
    if (descriptor < 0) {
        return 0;
    }
    const size_t got = read_some(descriptor, out, 0, count);
    if (is_input(path)) { /* whose place in the file its copy shares */
        (void)system_rewind(descriptor);
    }
    (void)system_close(descriptor);
    return got;
}

/* Standard input becomes a file without a name, which can be mapped, and read again. */
static bool keep_input(struct error *error)
{
    uint8_t part[FIRST_READ];
    size_t size = ahead.size, step = 0;
    const int spool = system_open_unnamed();
    bool done = spool >= 0 && write_all(spool, (struct bytes){ahead.at, ahead.size}) == 0;
    while (done && (step = read_some(SYSTEM_INPUT, part, 0, sizeof part)) > 0) {
        size += step;
        if (size > INPUT_MAX) {
            (void)system_close(spool);
            return error_set(error, ERROR_INPUT, "\"%s\" is too large: more than %zu bytes.",
                             "standard input", (size_t)INPUT_MAX);
        }
        done = write_all(spool, (struct bytes){part, step}) == 0;
    }
    done = done && system_rewind(spool) && system_become_input(spool);
    const int reason = errno;
    if (spool >= 0) {
        (void)system_close(spool);
    }
    ahead.size = 0;
    return done || error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", "standard input",
                             strerror(reason));
}

/* As open_regular, and standard input is a regular file then. */
static int open_to_map(const char *path, struct system_facts *facts, struct error *error)
{
    if (!is_input(path)) {
        return open_regular(path, facts, error);
    }
    if (!input_is_regular() && !keep_input(error)) {
        return -1;
    }
    const int descriptor = system_duplicate(SYSTEM_INPUT);
    if (descriptor < 0 || !system_file_facts(descriptor, facts)) {
        error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", "standard input",
                  strerror(errno));
        return -1;
    }
    return descriptor;
}

bool file_map_open(const char *path, struct file_map *map, struct error *error)
{
    *map = (struct file_map){.descriptor = -1};
    struct system_facts facts;
    const int descriptor = open_to_map(path, &facts, error);
    if (descriptor < 0) {
        return false;
    }
    if (facts.size > 0 && facts.size <= SIZE_MAX) {
        const size_t size = (size_t)facts.size;
        const void *const content = system_map(descriptor, size);
        if (content == NULL) {
            const int reason = errno;
            (void)system_close(descriptor);
            return reason == ENOMEM
                       ? error_set(error, ERROR_MEMORY,
                                   "There is not enough memory to map \"%s\": it has %zu MB.", path,
                                   size >> 20)
                       : error_set(error, ERROR_FILE, "\"%s\" cannot be read: %s.", path,
                                   strerror(reason));
        }
        map->bytes = (struct bytes){content, size};
    }
    map->descriptor = descriptor;
    return true;
}

void file_map_close(struct file_map *map)
{
    if (map->bytes.size > 0) {
        system_unmap(map->bytes.at, map->bytes.size);
    }
    if (map->bytes.size > 0 || map->descriptor > 0) {
        (void)system_close(map->descriptor);
    }
    *map = (struct file_map){.descriptor = -1};
}

bool file_map_is_whole(const struct file_map *map)
{
    struct system_facts facts;
    return system_file_facts(map->descriptor, &facts) && facts.size >= map->bytes.size;
}

static bool cannot_write(struct error *error, const char *path, int reason)
{
    return error_set(error, ERROR_FILE, "\"%s\" cannot be written: %s.", path, strerror(reason));
}

/* Creates a file of a new name beside target, and its name in part. Returns a descriptor or -1. */
static int create_beside(const char *target, enum system_open how, char part[SYSTEM_PATH_MAX])
{
    const char *slash = strrchr(target, '/');
    int folder = slash == NULL ? 0 : (int)(slash - target) + 1;
    for (int trial = 0; trial < TRIALS_MAX; trial++) {
        int length = snprintf(part, SYSTEM_PATH_MAX, "%.*s.part-%ld-%d", folder, target,
                              system_process(), trial);
        if (length >= SYSTEM_PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int descriptor = system_open(part, how);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

/* After a power cut the new name must be there too. */
static void flush_folder(const char *target)
{
    char folder[SYSTEM_PATH_MAX];
    const char *slash = strrchr(target, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - target) + 1;
    memcpy(folder, target, length);
    strcpy(folder + length, ".");
    system_flush_folder(folder);
}

struct file_writer {
    const char *path; /* as it was given; owned by whoever opened it */
    int descriptor;
    int reason;  /* an errno: nothing more is written */
    bool beside; /* into a file beside the target, which it replaces in the end */
    int held;    /* not beside it: what waits to be written until the end; or -1 */
    char target[SYSTEM_PATH_MAX], part[SYSTEM_PATH_MAX];
};

/* A new file for what shall stand at the path; the descriptor is -1 and errno set where that cannot
 * be. */
static void open_beside(struct file_writer *writer, const struct system_facts *former,
                        enum system_open how)
{
    /* Renaming would replace a write-protected file; whoever protected it did not want that. */
    const int wrong = former != NULL && !system_may_write(writer->path)
                          ? errno
                          : system_follow_links(writer->path, writer->target);
    errno = wrong;
    writer->descriptor = wrong != 0 ? -1 : create_beside(writer->target, how, writer->part);
    writer->beside = writer->descriptor >= 0;
    if (writer->beside && former != NULL) {
        writer->reason = system_file_take_rights(writer->descriptor, former) ? 0 : errno;
    }
}

static struct file_writer *open_writer(const char *path, enum system_open how, struct error *error)
{
    struct system_facts former;
    struct file_writer *const writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to write \"%s\".", path);
        return NULL;
    }
    writer->path = is_input(path) ? "standard output" : path;
    writer->held = -1;
    const bool exists = !is_input(path) && system_path_facts(path, &former);
    if (is_input(path)) {
        writer->descriptor = SYSTEM_OUTPUT;
    } else if (exists && former.kind == SYSTEM_FOLDER) {
        writer->descriptor = -1;
        errno = EISDIR;
    } else if (exists && former.kind != SYSTEM_REGULAR) {
        /* A screen driver or another special file keeps no content: it is written to as it stands.
         */
        writer->descriptor = system_open(path, SYSTEM_WRITE);
    } else {
        open_beside(writer, exists ? &former : NULL, how);
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
    return open_writer(path, SYSTEM_CREATE, error);
}

bool file_writer_put(struct file_writer *writer, struct bytes part)
{
    const int descriptor = writer->held >= 0 ? writer->held : writer->descriptor;
    writer->reason = writer->reason != 0 ? writer->reason : write_all(descriptor, part);
    return writer->reason == 0;
}

bool file_writer_hold(struct file_writer *writer)
{
    if (!writer->beside && writer->reason == 0) {
        writer->held = system_open_unnamed();
        writer->reason = writer->held < 0 ? errno : 0;
    }
    return writer->reason == 0;
}

bool file_writer_replace(struct file_writer *writer, uint64_t at, struct bytes part)
{
    const int descriptor = writer->held >= 0 ? writer->held : writer->descriptor;
    const bool can_go_back = writer->beside || writer->held >= 0;
    if (writer->reason == 0 && !can_go_back) {
        writer->reason = ESPIPE;
    }
    for (size_t done = 0; writer->reason == 0 && done < part.size;) {
        const ptrdiff_t step =
            system_write_at(descriptor, at + done, part.at + done, part.size - done);
        writer->reason = step < 0 ? errno : 0;
        done += step < 0 ? 0 : (size_t)step;
    }
    return writer->reason == 0;
}

/* Writes what was held to its target. Returns 0 or an errno. */
static int write_held(const struct file_writer *writer)
{
    uint8_t part[FIRST_READ];
    int reason = system_rewind(writer->held) ? 0 : errno;
    ptrdiff_t step = 1;
    while (reason == 0 && step != 0) {
        step = system_read(writer->held, part, sizeof part);
        if (step > 0) {
            reason = write_all(writer->descriptor, (struct bytes){part, (size_t)step});
        } else if (step < 0) {
            reason = errno;
        }
    }
    return reason;
}

bool file_writer_close(struct file_writer *writer, bool keep, struct error *error)
{
    int reason = writer->reason;
    if (keep && reason == 0 && writer->held >= 0) {
        reason = write_held(writer);
    }
    if (writer->held >= 0) {
        (void)system_close(writer->held);
    }
    if (keep && reason == 0 && writer->beside && !system_flush(writer->descriptor)) {
        reason = errno;
    }
    if (writer->descriptor != SYSTEM_OUTPUT && !system_close(writer->descriptor) && reason == 0) {
        reason = errno;
    }
    if (writer->beside && keep && reason == 0 && !system_rename(writer->part, writer->target)) {
        reason = errno;
    }
    if (writer->beside && (!keep || reason != 0)) {
        (void)system_remove(writer->part);
    } else if (writer->beside) {
        flush_folder(writer->target);
    }
    const bool done = reason == 0 || cannot_write(error, writer->path, reason);
    free(writer);
    errno = reason;
    return done;
}

static bool write_file(const char *path, enum system_open how, struct bytes content,
                       struct error *error)
{
    struct file_writer *const writer = open_writer(path, how, error);
    if (writer == NULL) {
        return false;
    }
    (void)file_writer_put(writer, content);
    return file_writer_close(writer, true, error);
}

bool file_write(const char *path, struct bytes content, struct error *error)
{
    return write_file(path, SYSTEM_CREATE, content, error);
}

bool file_write_private(const char *path, struct bytes content, struct error *error)
{
    return write_file(path, SYSTEM_CREATE_PRIVATE, content, error);
}

struct file_mark file_mark(const char *path)
{
    struct system_facts facts;
    if (!system_path_facts(path, &facts)) {
        return (struct file_mark){0};
    }
    return (struct file_mark){.exists = true,
                              .device = facts.device,
                              .number = facts.number,
                              .size = facts.size,
                              .seconds = facts.seconds,
                              .nanoseconds = facts.nanoseconds};
}

bool file_mark_equal(const struct file_mark *a, const struct file_mark *b)
{
    return a->exists == b->exists && a->device == b->device && a->number == b->number &&
           a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}
