/* attn/system.c — the only file of the room that asks which operating system there is. */
#if defined(__linux__)
#define _GNU_SOURCE /* affinity */
#endif

#include "attn/system.h"

#if defined(__linux__)

#include <assert.h>
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
