/* base/system/process_windows.c — this process, and what its console asks of it. */
#include "base/system/process.h"

#include <process.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <windows.h>

enum { HANGUP = 1, TERMINATE = 15 }; /* as POSIX numbers them */

long system_process(void)
{
    return (long)GetCurrentProcessId();
}

bool system_process_is_there(long number)
{
    const HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, (DWORD)number);
    if (process == NULL) {
        return GetLastError() == ERROR_ACCESS_DENIED;
    }
    const bool runs = WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
    (void)CloseHandle(process);
    return runs;
}

_Noreturn void system_exit_now(int status)
{
    _exit(status);
}

/* --- what a console says, on a thread that Windows starts for it --- */

static atomic_bool ends_at_interrupt, is_held, waits;
static void (*_Atomic caught)(int number);
static _Atomic(struct system_watch *) watching;

struct system_watch {
    void (*heard)(void *subject, int number);
    void *subject;
};

/* Windows ends the process when this returns from a console that closes: what is to be kept is
 * given the time that Windows gives. */
static BOOL stay_until_killed(DWORD kind)
{
    if (kind != CTRL_C_EVENT && kind != CTRL_BREAK_EVENT) {
        Sleep(INFINITE);
    }
    return TRUE;
}

static BOOL WINAPI handle_console(DWORD kind)
{
    const int number = kind == CTRL_C_EVENT || kind == CTRL_BREAK_EVENT ? SYSTEM_INTERRUPT
                       : kind == CTRL_CLOSE_EVENT                       ? HANGUP
                                                                        : TERMINATE;
    struct system_watch *const watch = atomic_load(&watching);
    void (*const heard)(int) = atomic_load(&caught);
    if (watch != NULL) {
        watch->heard(watch->subject, number);
        return stay_until_killed(kind);
    }
    if (heard != NULL) {
        heard(number);
        return stay_until_killed(kind);
    }
    if (number == SYSTEM_INTERRUPT && atomic_load(&is_held)) {
        atomic_store(&waits, true);
        return TRUE;
    }
    if (number == SYSTEM_INTERRUPT && atomic_load(&ends_at_interrupt)) {
        _exit(SYSTEM_ENDED + number);
    }
    return FALSE;
}

static void listen_to_console(void)
{
    static atomic_bool listens;
    if (!atomic_exchange(&listens, true)) {
        (void)SetConsoleCtrlHandler(handle_console, TRUE);
    }
}

void system_end_at_interrupt(void)
{
    listen_to_console();
    atomic_store(&ends_at_interrupt, true);
}

void system_keep_write_errors(void)
{
    /* They are errors of a write here. */
}

bool system_interrupt_hold(void)
{
    listen_to_console();
    return atomic_exchange(&is_held, true);
}

void system_interrupt_release(bool was_held)
{
    if (was_held) {
        return;
    }
    atomic_store(&is_held, false);
    if (atomic_load(&waits)) {
        _exit(SYSTEM_ENDED + SYSTEM_INTERRUPT);
    }
}

bool system_interrupt_waits(void)
{
    return atomic_load(&waits);
}

void system_ends_catch(void (*heard)(int number))
{
    listen_to_console();
    atomic_store(&caught, heard);
}

void system_ends_release(void)
{
    atomic_store(&caught, NULL);
}

void system_ends_hold(void)
{
    listen_to_console();
}

struct system_watch *system_ends_watch(void (*heard)(void *subject, int number), void *subject)
{
    struct system_watch *const watch = calloc(1, sizeof *watch);
    if (watch != NULL) {
        *watch = (struct system_watch){heard, subject};
        atomic_store(&watching, watch);
    }
    return watch;
}

/* Windows may be in the watch at this moment: its few bytes stay until the program ends. */
void system_ends_unwatch(struct system_watch *watch)
{
    (void)watch;
    atomic_store(&watching, NULL);
}
