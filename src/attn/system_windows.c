/* attn/system_windows.c — what the core asks of Windows: of the first 64 CPUs, which is a group. */
#include "attn/system.h"

#include <assert.h>
#include <malloc.h>
#include <process.h>
#include <stdint.h>
#include <stdlib.h>
#include <windows.h>

size_t attn_system_cpus(int cpus[ATTN_THREADS_MAX])
{
    DWORD_PTR own = 0, all = 0;
    size_t count = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all)) {
        return 0;
    }
    for (int cpu = 0; cpu < (int)(8 * sizeof own) && count < ATTN_THREADS_MAX; cpu++) {
        if ((own >> cpu & 1) != 0) {
            cpus[count++] = cpu;
        }
    }
    return count;
}

struct attn_system_place attn_system_stay_on(int cpu)
{
    struct attn_system_place before = {.known = false};
    const DWORD_PTR former = SetThreadAffinityMask(GetCurrentThread(), (DWORD_PTR)1 << cpu);
    static_assert(sizeof former <= sizeof before.mask, "a mask of CPUs");
    before.known = former != 0;
    *(DWORD_PTR *)(void *)before.mask = former;
    return before;
}

void attn_system_let_go(const struct attn_system_place *before)
{
    if (before->known) {
        (void)SetThreadAffinityMask(GetCurrentThread(),
                                    *(const DWORD_PTR *)(const void *)before->mask);
    }
}

/* Windows gives them only to whom an administrator allows it. */
void attn_system_prefer_large_pages(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

void *attn_system_aligned(size_t bytes)
{
    return _aligned_malloc(bytes, 64);
}

void attn_system_free_aligned(void *memory)
{
    _aligned_free(memory);
}

double attn_system_seconds(void)
{
    LARGE_INTEGER now, per_second;
    (void)QueryPerformanceFrequency(&per_second);
    (void)QueryPerformanceCounter(&now);
    return (double)now.QuadPart / (double)per_second.QuadPart;
}

static double seconds_of(FILETIME time)
{
    return 1e-7 * (double)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime);
}

double attn_system_thread_seconds(void)
{
    FILETIME begun, ended, kernel, user;
    return GetThreadTimes(GetCurrentThread(), &begun, &ended, &kernel, &user)
               ? seconds_of(kernel) + seconds_of(user)
               : attn_system_seconds();
}

/* ---- threads ------------------------------------------------------------------------------- */

static_assert(sizeof(HANDLE) <= sizeof(struct attn_system_thread), "room for a thread");
static_assert(sizeof(SRWLOCK) <= sizeof(struct attn_system_lock), "room for a lock");
static_assert(sizeof(CONDITION_VARIABLE) <= sizeof(struct attn_system_signal), "room for one");

struct start {
    void (*work)(void *);
    void *subject;
};

static unsigned __stdcall run_start(void *context)
{
    const struct start start = *(struct start *)context;
    free(context);
    start.work(start.subject);
    return 0;
}

bool attn_system_start(struct attn_system_thread *thread, size_t stack, void (*work)(void *),
                       void *subject)
{
    HANDLE *const handle = (HANDLE *)(void *)thread->room;
    struct start *const start = malloc(sizeof *start);
    if (start == NULL) {
        return false;
    }
    *start = (struct start){work, subject};
    *handle = (HANDLE)_beginthreadex(NULL, (unsigned)stack, run_start, start,
                                     STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (*handle == NULL) {
        free(start);
    }
    return *handle != NULL;
}

void attn_system_join(struct attn_system_thread *thread)
{
    const HANDLE handle = *(HANDLE *)(void *)thread->room;
    (void)WaitForSingleObject(handle, INFINITE);
    (void)CloseHandle(handle);
}

static SRWLOCK *mutex_in(struct attn_system_lock *lock)
{
    return (SRWLOCK *)(void *)lock->room;
}

static CONDITION_VARIABLE *condition_in(struct attn_system_signal *signal)
{
    return (CONDITION_VARIABLE *)(void *)signal->room;
}

void attn_system_lock_open(struct attn_system_lock *lock)
{
    InitializeSRWLock(mutex_in(lock));
}

void attn_system_lock_close(struct attn_system_lock *lock)
{
    (void)lock;
}

void attn_system_lock(struct attn_system_lock *lock)
{
    AcquireSRWLockExclusive(mutex_in(lock));
}

bool attn_system_try_lock(struct attn_system_lock *lock)
{
    return TryAcquireSRWLockExclusive(mutex_in(lock)) != 0;
}

void attn_system_unlock(struct attn_system_lock *lock)
{
    ReleaseSRWLockExclusive(mutex_in(lock));
}

void attn_system_signal_open(struct attn_system_signal *signal)
{
    InitializeConditionVariable(condition_in(signal));
}

void attn_system_signal_close(struct attn_system_signal *signal)
{
    (void)signal;
}

void attn_system_tell(struct attn_system_signal *signal)
{
    WakeAllConditionVariable(condition_in(signal));
}

void attn_system_wait(struct attn_system_signal *signal, struct attn_system_lock *lock)
{
    (void)SleepConditionVariableSRW(condition_in(signal), mutex_in(lock), INFINITE, 0);
}
