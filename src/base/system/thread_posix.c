/* base/system/thread_posix.c — threads where the system is POSIX's. */
#include "base/system/thread.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static_assert(sizeof(pthread_mutex_t) <= sizeof(struct system_mutex), "room for a mutex");
static_assert(sizeof(pthread_cond_t) <= sizeof(struct system_condition), "room for a condition");
static_assert(sizeof(pthread_t) <= sizeof(struct system_thread), "room for a thread");

enum { PRIORITY = 10 /* of nice(1) */ };

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

bool system_thread_start(struct system_thread *thread, size_t stack, void (*work)(void *),
                         void *subject)
{
    pthread_attr_t attributes;
    struct start *const start = malloc(sizeof *start);
    if (start == NULL || pthread_attr_init(&attributes) != 0) {
        free(start);
        return false;
    }
    *start = (struct start){work, subject};
    const bool begun =
        (stack == 0 || pthread_attr_setstacksize(&attributes, stack) == 0) &&
        pthread_create((pthread_t *)(void *)thread->room, &attributes, run_start, start) == 0;
    (void)pthread_attr_destroy(&attributes);
    if (!begun) {
        free(start);
    }
    return begun;
}

void system_thread_join(struct system_thread *thread)
{
    (void)pthread_join(*(pthread_t *)(void *)thread->room, NULL);
}

void system_thread_detach(struct system_thread *thread)
{
    (void)pthread_detach(*(pthread_t *)(void *)thread->room);
}

void system_thread_yield_to_drawing(void)
{
    (void)setpriority(PRIO_PROCESS, 0, PRIORITY); /* on Linux: of this thread and those it starts */
}

size_t system_processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (size_t)count : 1;
}

/* --- a shell may leave the program very little stack (ulimit -s) --- */

struct whole_run {
    void (*work)(void *);
    void *subject;
    sigset_t signals; /* that were blocked when the program began */
};

static void run_whole(void *context)
{
    const struct whole_run *const run = context;
    (void)pthread_sigmask(SIG_SETMASK, &run->signals, NULL);
    run->work(run->subject);
}

void system_run_on_stack(size_t min, size_t own, void (*work)(void *), void *subject)
{
    struct rlimit limit;
    struct whole_run run = {.work = work, .subject = subject};
    struct system_thread thread;
    sigset_t all;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= min) {
        work(subject);
        return;
    }
    sigfillset(&all); /* signals go to the thread that does the work */
    (void)pthread_sigmask(SIG_SETMASK, &all, &run.signals);
    if (system_thread_start(&thread, own, run_whole, &run)) {
        system_thread_join(&thread);
    } else { /* there is no room for such a stack either */
        run_whole(&run);
    }
}

/* --- waiting --- */

static pthread_mutex_t *mutex_in(struct system_mutex *mutex)
{
    return (pthread_mutex_t *)(void *)mutex->room;
}

static pthread_cond_t *condition_in(struct system_condition *condition)
{
    return (pthread_cond_t *)(void *)condition->room;
}

bool system_mutex_open(struct system_mutex *mutex)
{
    return pthread_mutex_init(mutex_in(mutex), NULL) == 0;
}

void system_mutex_close(struct system_mutex *mutex)
{
    (void)pthread_mutex_destroy(mutex_in(mutex));
}

void system_mutex_lock(struct system_mutex *mutex)
{
    (void)pthread_mutex_lock(mutex_in(mutex));
}

void system_mutex_unlock(struct system_mutex *mutex)
{
    (void)pthread_mutex_unlock(mutex_in(mutex));
}

void system_condition_open(struct system_condition *condition)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(condition_in(condition), &clock);
    pthread_condattr_destroy(&clock);
}

void system_condition_close(struct system_condition *condition)
{
    (void)pthread_cond_destroy(condition_in(condition));
}

void system_condition_broadcast(struct system_condition *condition)
{
    (void)pthread_cond_broadcast(condition_in(condition));
}

void system_condition_wait(struct system_condition *condition, struct system_mutex *mutex)
{
    (void)pthread_cond_wait(condition_in(condition), mutex_in(mutex));
}

void system_condition_wait_seconds(struct system_condition *condition, struct system_mutex *mutex,
                                   double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long long nanoseconds = (long long)until.tv_nsec + (long long)(1e9 * seconds);
    until.tv_sec += (time_t)(nanoseconds / 1000000000LL);
    until.tv_nsec = (long)(nanoseconds % 1000000000LL);
    (void)pthread_cond_timedwait(condition_in(condition), mutex_in(mutex), &until);
}

void system_once(struct system_once *once, void (*act)(void))
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    (void)pthread_mutex_lock(&turn);
    if (!once->done) {
        act();
        once->done = true;
    }
    (void)pthread_mutex_unlock(&turn);
}
