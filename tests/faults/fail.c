#include "fail.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"

static struct {
    atomic_uint calls;
    size_t number;
    int reason;
    enum fail_how how;
    atomic_size_t count, failed;
} rule;

void fail_begin(unsigned calls, size_t number, int reason, enum fail_how how)
{
    rule.number = number;
    rule.reason = reason;
    rule.how = how;
    atomic_store(&rule.count, 0);
    atomic_store(&rule.failed, 0);
    atomic_store(&rule.calls, calls);
}

struct fail_count fail_end(void)
{
    atomic_store(&rule.calls, 0);
    return (struct fail_count){atomic_load(&rule.count), atomic_load(&rule.failed)};
}

/* Says whether this call is the one. */
static bool is_hit(unsigned call)
{
    if ((atomic_load(&rule.calls) & call) == 0) {
        return false;
    }
    const size_t number = atomic_fetch_add(&rule.count, 1) + 1;
    const bool hit = rule.number > 0 &&
                     (number == rule.number || (rule.how == FAIL_EVER && number > rule.number));
    if (hit) {
        atomic_fetch_add(&rule.failed, 1);
    }
    return hit;
}

bool fail_hits(unsigned call)
{
    return is_hit(call);
}

static bool is_failing(unsigned call)
{
    const bool hit = is_hit(call) && rule.how != FAIL_SHORT;
    if (hit) {
        errno = rule.reason;
    }
    return hit;
}

/* How much of `size` this call moves; −1: it fails. */
static ssize_t part_of(unsigned call, size_t size)
{
    if (!is_hit(call)) {
        return (ssize_t)size;
    }
    if (rule.how == FAIL_SHORT) {
        return size > 0;
    }
    errno = rule.reason;
    return -1;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *at, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
char *__real_strdup(const char *text);
ssize_t __real_read(int descriptor, void *at, size_t size);
ssize_t __real_write(int descriptor, const void *at, size_t size);
ssize_t __real_pread64(int descriptor, void *at, size_t size, off_t from);
ssize_t __real_pwrite64(int descriptor, const void *at, size_t size, off_t to);
int __real_open64(const char *path, int flags, mode_t mode);
int __real_fsync(int descriptor);
int __real_close(int descriptor);
int __real_rename(const char *from, const char *to);
int __real_fstat64(int descriptor, struct stat *status);
void *__real_mmap64(void *at, size_t size, int how, int flags, int descriptor, off_t from);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *traits, void *(*run)(void *),
                          void *subject);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *at, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
ssize_t __wrap_read(int descriptor, void *at, size_t size);
ssize_t __wrap_write(int descriptor, const void *at, size_t size);
ssize_t __wrap_pread64(int descriptor, void *at, size_t size, off_t from);
ssize_t __wrap_pwrite64(int descriptor, const void *at, size_t size, off_t to);
int __wrap_open64(const char *path, int flags, mode_t mode);
int __wrap_fsync(int descriptor);
int __wrap_close(int descriptor);
int __wrap_rename(const char *from, const char *to);
int __wrap_fstat64(int descriptor, struct stat *status);
void *__wrap_mmap64(void *at, size_t size, int how, int flags, int descriptor, off_t from);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *traits, void *(*run)(void *),
                          void *subject);

void *__wrap_malloc(size_t size)
{
    return is_failing(FAIL_MEMORY) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_failing(FAIL_MEMORY) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *at, size_t size)
{
    return is_failing(FAIL_MEMORY) ? NULL : __real_realloc(at, size);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    return is_failing(FAIL_MEMORY) ? ENOMEM : __real_posix_memalign(out, alignment, size);
}

char *__wrap_strdup(const char *text)
{
    return is_failing(FAIL_MEMORY) ? NULL : __real_strdup(text);
}

ssize_t __wrap_read(int descriptor, void *at, size_t size)
{
    const ssize_t moved = part_of(FAIL_READ, size);
    return moved < 0 ? moved : __real_read(descriptor, at, (size_t)moved);
}

ssize_t __wrap_write(int descriptor, const void *at, size_t size)
{
    const ssize_t moved = part_of(FAIL_WRITE, size);
    return moved < 0 ? moved : __real_write(descriptor, at, (size_t)moved);
}

ssize_t __wrap_pread64(int descriptor, void *at, size_t size, off_t from)
{
    const ssize_t moved = part_of(FAIL_READ, size);
    return moved < 0 ? moved : __real_pread64(descriptor, at, (size_t)moved, from);
}

ssize_t __wrap_pwrite64(int descriptor, const void *at, size_t size, off_t to)
{
    const ssize_t moved = part_of(FAIL_WRITE, size);
    return moved < 0 ? moved : __real_pwrite64(descriptor, at, (size_t)moved, to);
}

int __wrap_open64(const char *path, int flags, mode_t mode)
{
    return is_failing(FAIL_OPEN) ? -1 : __real_open64(path, flags, mode);
}

int __wrap_fsync(int descriptor)
{
    return is_failing(FAIL_SYNC) ? -1 : __real_fsync(descriptor);
}

/* As Linux does it: the descriptor is gone even when close says that it failed. */
int __wrap_close(int descriptor)
{
    const bool failed = is_failing(FAIL_CLOSE);
    const int status = __real_close(descriptor);
    if (failed) {
        errno = rule.reason;
    }
    return failed ? -1 : status;
}

int __wrap_rename(const char *from, const char *to)
{
    return is_failing(FAIL_RENAME) ? -1 : __real_rename(from, to);
}

int __wrap_fstat64(int descriptor, struct stat *status)
{
    return is_failing(FAIL_STAT) ? -1 : __real_fstat64(descriptor, status);
}

void *__wrap_mmap64(void *at, size_t size, int how, int flags, int descriptor, off_t from)
{
    return is_failing(FAIL_MAP) ? MAP_FAILED
                                : __real_mmap64(at, size, how, flags, descriptor, from);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *traits, void *(*run)(void *),
                          void *subject)
{
    return is_failing(FAIL_THREAD) ? EAGAIN : __real_pthread_create(thread, traits, run, subject);
}

/* ---- arenas -------------------------------------------------------------------------------- */

void *__real_arena_alloc(struct arena *arena, size_t size);
void *__real_arena_array(struct arena *arena, size_t count, size_t size);
char *__real_arena_text(struct arena *arena, const char *text, size_t length);
void *__wrap_arena_alloc(struct arena *arena, size_t size);
void *__wrap_arena_array(struct arena *arena, size_t count, size_t size);
char *__wrap_arena_text(struct arena *arena, const char *text, size_t length);
char *__wrap_arena_format(struct arena *arena, const char *format, ...);

static bool arena_fails(struct arena *arena)
{
    const bool failed = is_failing(FAIL_ARENA);
    arena->lacking = arena->lacking || failed;
    return failed;
}

void *__wrap_arena_alloc(struct arena *arena, size_t size)
{
    return arena_fails(arena) ? NULL : __real_arena_alloc(arena, size);
}

void *__wrap_arena_array(struct arena *arena, size_t count, size_t size)
{
    return arena_fails(arena) ? NULL : __real_arena_array(arena, count, size);
}

char *__wrap_arena_text(struct arena *arena, const char *text, size_t length)
{
    return arena_fails(arena) ? NULL : __real_arena_text(arena, text, length);
}

char *__wrap_arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *const text =
        length < 0 || arena_fails(arena) ? NULL : __real_arena_alloc(arena, (size_t)length + 1);
    if (text != NULL) {
        va_start(arguments, format);
        vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}
