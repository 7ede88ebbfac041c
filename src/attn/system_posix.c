/* attn/system_posix.c — what the core asks of Linux, and of others that are POSIX's. */
#if defined(__linux__)
#define _GNU_SOURCE /* affinity */
#endif

#include "attn/system.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#if defined(__linux__)

#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

size_t attn_system_cpus(int cpus[ATTN_THREADS_MAX])
{
    cpu_set_t mask;
    size_t count = 0;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) {
        return 0;
    }
    for (int cpu = 0; cpu < CPU_SETSIZE && count < ATTN_THREADS_MAX; cpu++) {
        if (CPU_ISSET((size_t)cpu, &mask)) {
            cpus[count++] = cpu;
        }
    }
    return count;
}

struct attn_system_place attn_system_stay_on(int cpu)
{
    struct attn_system_place before = {.known = false};
    cpu_set_t mask, one;
    static_assert(sizeof before.mask == sizeof mask, "a mask of CPUs");
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    before.known = sched_getaffinity(0, sizeof mask, &mask) == 0 &&
                   sched_setaffinity(0, sizeof one, &one) == 0;
    memcpy(before.mask, &mask, before.known ? sizeof mask : 0);
    return before;
}

void attn_system_let_go(const struct attn_system_place *before)
{
    cpu_set_t mask;
    if (before->known) {
        memcpy(&mask, before->mask, sizeof mask);
        sched_setaffinity(0, sizeof mask, &mask);
    }
}

void attn_system_prefer_large_pages(void *memory, size_t bytes)
{
    const uintptr_t page = (uintptr_t)1 << 21;
    const uintptr_t first = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
    if (first < end) {
        madvise((void *)first, end - first, MADV_HUGEPAGE);
    }
}

#else

#include <unistd.h>

size_t attn_system_cpus(int cpus[ATTN_THREADS_MAX])
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = 0;
    while (count < ATTN_THREADS_MAX && (long)count < online) {
        cpus[count] = (int)count;
        count++;
    }
    return count;
}

struct attn_system_place attn_system_stay_on(int cpu)
{
    (void)cpu;
    return (struct attn_system_place){.known = false};
}

void attn_system_let_go(const struct attn_system_place *before)
{
    (void)before;
}

void attn_system_prefer_large_pages(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

#endif

void *attn_system_aligned(size_t bytes)
{
    void *block = NULL;
    return posix_memalign(&block, 64, bytes) == 0 ? block : NULL;
}

void attn_system_free_aligned(void *memory)
{
    free(memory);
}

static double seconds_on(clockid_t clock)
{
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double attn_system_seconds(void)
{
    return seconds_on(CLOCK_MONOTONIC);
}

double attn_system_thread_seconds(void)
{
    return seconds_on(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- threads ------------------------------------------------------------------------------- */

static_assert(sizeof(pthread_t) <= sizeof(struct attn_system_thread), "room for a thread");
static_assert(sizeof(pthread_mutex_t) <= sizeof(struct attn_system_lock), "room for a lock");
static_assert(sizeof(pthread_cond_t) <= sizeof(struct attn_system_signal), "room for a signal");

struct start {
    void (*work)(void *);
    void *subject;
};

static void *run_start(void *context)
{
    const struct start start = *(struct start *)context;
    free(context);
    start.work(start.subject);
    return NULL;
}

bool attn_system_start(struct attn_system_thread *thread, size_t stack, void (*work)(void *),
                       void *subject)
{
    pthread_attr_t attributes;
    struct start *const start = malloc(sizeof *start);
    if (start == NULL || pthread_attr_init(&attributes) != 0) {
        free(start);
        return false;
    }
    *start = (struct start){work, subject};
    (void)pthread_attr_setstacksize(&attributes, stack);
    const bool begun =
        pthread_create((pthread_t *)(void *)thread->room, &attributes, run_start, start) == 0;
    (void)pthread_attr_destroy(&attributes);
    if (!begun) {
        free(start);
    }
    return begun;
}

void attn_system_join(struct attn_system_thread *thread)
{
    (void)pthread_join(*(pthread_t *)(void *)thread->room, NULL);
}

static pthread_mutex_t *mutex_in(struct attn_system_lock *lock)
{
    return (pthread_mutex_t *)(void *)lock->room;
}

static pthread_cond_t *condition_in(struct attn_system_signal *signal)
{
    return (pthread_cond_t *)(void *)signal->room;
}

void attn_system_lock_open(struct attn_system_lock *lock)
{
    (void)pthread_mutex_init(mutex_in(lock), NULL);
}

void attn_system_lock_close(struct attn_system_lock *lock)
{
    (void)pthread_mutex_destroy(mutex_in(lock));
}

void attn_system_lock(struct attn_system_lock *lock)
{
    (void)pthread_mutex_lock(mutex_in(lock));
}

bool attn_system_try_lock(struct attn_system_lock *lock)
{
    return pthread_mutex_trylock(mutex_in(lock)) == 0;
}

void attn_system_unlock(struct attn_system_lock *lock)
{
    (void)pthread_mutex_unlock(mutex_in(lock));
}

void attn_system_signal_open(struct attn_system_signal *signal)
{
    (void)pthread_cond_init(condition_in(signal), NULL);
}

void attn_system_signal_close(struct attn_system_signal *signal)
{
    (void)pthread_cond_destroy(condition_in(signal));
}

void attn_system_tell(struct attn_system_signal *signal)
{
    (void)pthread_cond_broadcast(condition_in(signal));
}

void attn_system_wait(struct attn_system_signal *signal, struct attn_system_lock *lock)
{
    (void)pthread_cond_wait(condition_in(signal), mutex_in(lock));
}
