/* base/system/thread_windows.c — threads of Windows. */
#include "base/system/thread.h"

#include <assert.h>
#include <process.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static_assert(sizeof(SRWLOCK) <= sizeof(struct system_mutex), "room for a mutex");
static_assert(sizeof(CONDITION_VARIABLE) <= sizeof(struct system_condition), "room for one");
static_assert(sizeof(HANDLE) <= sizeof(struct system_thread), "room for a thread");

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

static HANDLE *handle_in(struct system_thread *thread)
{
    return (HANDLE *)(void *)thread->room;
}

bool system_thread_start(struct system_thread *thread, size_t stack, void (*work)(void *),
                         void *subject)
{
    struct start *const start = malloc(sizeof *start);
    if (start == NULL) {
        return false;
    }
    *start = (struct start){work, subject};
    *handle_in(thread) = (HANDLE)_beginthreadex(NULL, (unsigned)stack, run_start, start,
                                                STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (*handle_in(thread) == NULL) {
        free(start);
    }
    return *handle_in(thread) != NULL;
}

void system_thread_join(struct system_thread *thread)
{
    (void)WaitForSingleObject(*handle_in(thread), INFINITE);
    (void)CloseHandle(*handle_in(thread));
}

void system_thread_detach(struct system_thread *thread)
{
    (void)CloseHandle(*handle_in(thread));
}

/* Of this thread alone: Windows passes it on to none that it starts. */
void system_thread_yield_to_drawing(void)
{
    (void)SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
}

size_t system_processors(void)
{
    const DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count > 0 ? count : 1;
}

void system_run_on_stack(size_t min, size_t own, void (*work)(void *), void *subject)
{
    ULONG_PTR low = 0, high = 0;
    struct system_thread thread;
    GetCurrentThreadStackLimits(&low, &high);
    if (high - low < min && system_thread_start(&thread, own, work, subject)) {
        system_thread_join(&thread);
    } else {
        work(subject);
    }
}

/* --- waiting --- */

static SRWLOCK *mutex_in(struct system_mutex *mutex)
{
    return (SRWLOCK *)(void *)mutex->room;
}

static CONDITION_VARIABLE *condition_in(struct system_condition *condition)
{
    return (CONDITION_VARIABLE *)(void *)condition->room;
}

bool system_mutex_open(struct system_mutex *mutex)
{
    InitializeSRWLock(mutex_in(mutex));
    return true;
}

void system_mutex_close(struct system_mutex *mutex)
{
    (void)mutex;
}

void system_mutex_lock(struct system_mutex *mutex)
{
    AcquireSRWLockExclusive(mutex_in(mutex));
}

void system_mutex_unlock(struct system_mutex *mutex)
{
    ReleaseSRWLockExclusive(mutex_in(mutex));
}

void system_condition_open(struct system_condition *condition)
{
    InitializeConditionVariable(condition_in(condition));
}

void system_condition_close(struct system_condition *condition)
{
    (void)condition;
}

void system_condition_broadcast(struct system_condition *condition)
{
    WakeAllConditionVariable(condition_in(condition));
}

void system_condition_wait(struct system_condition *condition, struct system_mutex *mutex)
{
    (void)SleepConditionVariableSRW(condition_in(condition), mutex_in(mutex), INFINITE, 0);
}

void system_condition_wait_seconds(struct system_condition *condition, struct system_mutex *mutex,
                                   double seconds)
{
    const double day = 86400, wait = seconds < day ? seconds : day;
    (void)SleepConditionVariableSRW(condition_in(condition), mutex_in(mutex),
                                    (DWORD)(1000 * wait + 0.999), 0);
}

void system_once(struct system_once *once, void (*act)(void))
{
    static SRWLOCK turn = SRWLOCK_INIT;
    AcquireSRWLockExclusive(&turn);
    if (!once->done) {
        act();
        once->done = true;
    }
    ReleaseSRWLockExclusive(&turn);
}
