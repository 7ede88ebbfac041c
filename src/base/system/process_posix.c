/* base/system/process_posix.c — this process and its signals, where the system is POSIX's. */
#include "base/system/process.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* Ctrl+C, a shutdown, a terminal that closes. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

enum { ENDS = sizeof ends / sizeof ends[0] };

_Static_assert(SIGINT == SYSTEM_INTERRUPT, "the number of Ctrl+C");

long system_process(void)
{
    return (long)getpid();
}

bool system_process_is_there(long number)
{
    return kill((pid_t)number, 0) == 0 || errno != ESRCH;
}

_Noreturn void system_exit_now(int status)
{
    _exit(status);
}

/* --- the command line --- */

static bool is_ignored(int number)
{
    struct sigaction present;
    return sigaction(number, NULL, &present) != 0 || present.sa_handler == SIG_IGN;
}

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction own = {.sa_handler = handler};
    sigemptyset(&own.sa_mask);
    sigaction(number, &own, NULL);
}

static void exit_interrupted(int number)
{
    _exit(SYSTEM_ENDED + number);
}

void system_end_at_interrupt(void)
{
    if (!is_ignored(SIGINT)) {
        set_handler(SIGINT, exit_interrupted);
    }
}

void system_keep_write_errors(void)
{
    set_handler(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    set_handler(SIGXFSZ, SIG_IGN);
#endif
}

static sigset_t interrupt_alone(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

bool system_interrupt_hold(void)
{
    const sigset_t interrupt = interrupt_alone();
    sigset_t former;
    return sigprocmask(SIG_BLOCK, &interrupt, &former) == 0 && sigismember(&former, SIGINT) == 1;
}

void system_interrupt_release(bool was_held)
{
    const sigset_t interrupt = interrupt_alone();
    if (!was_held) {
        sigprocmask(SIG_UNBLOCK, &interrupt, NULL);
    }
}

bool system_interrupt_waits(void)
{
    sigset_t waiting;
    return sigpending(&waiting) == 0 && sigismember(&waiting, SIGINT) == 1;
}

static struct sigaction before[ENDS]; /* of the signals that are caught */

void system_ends_catch(void (*heard)(int number))
{
    for (size_t e = 0; e < ENDS; e++) {
        sigaction(ends[e], NULL, &before[e]);
        if (ends[e] != SIGHUP || before[e].sa_handler != SIG_IGN) {
            set_handler(ends[e], heard);
        }
    }
}

void system_ends_release(void)
{
    for (size_t e = 0; e < ENDS; e++) {
        sigaction(ends[e], &before[e], NULL);
    }
}

/* --- the window --- */

/* The signals that whoever started the program did not ask it to ignore (as nohup does). */
static sigset_t signals_of_the_end(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t e = 0; e < ENDS; e++) {
        if (!is_ignored(ends[e])) {
            sigaddset(&set, ends[e]);
        }
    }
    return set;
}

void system_ends_hold(void)
{
    const sigset_t set = signals_of_the_end();
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
#ifdef SIGXFSZ
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error to tell, no end */
#endif
}

struct system_watch {
    void (*heard)(void *, int);
    void *subject;
    sigset_t signals;
    pthread_t thread;
    atomic_bool closing;
};

static void *watch_signals(void *context)
{
    struct system_watch *const watch = context;
    for (;;) {
        int number = 0;
        if (sigwait(&watch->signals, &number) != 0 || atomic_load(&watch->closing)) {
            return NULL;
        }
        watch->heard(watch->subject, number);
    }
}

struct system_watch *system_ends_watch(void (*heard)(void *subject, int number), void *subject)
{
    struct system_watch *const watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return NULL;
    }
    watch->heard = heard;
    watch->subject = subject;
    watch->signals = signals_of_the_end();
    if (pthread_create(&watch->thread, NULL, watch_signals, watch) != 0) {
        free(watch);
        return NULL;
    }
    return watch;
}

void system_ends_unwatch(struct system_watch *watch)
{
    if (watch == NULL) {
        return;
    }
    atomic_store(&watch->closing, true);
    if (pthread_kill(watch->thread, SIGTERM) == 0) {
        pthread_join(watch->thread, NULL);
    }
    free(watch);
}
