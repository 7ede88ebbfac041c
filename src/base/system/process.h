/* base/system/process.h — this program among others, and how it is asked to end. */
#ifndef BASE_SYSTEM_PROCESS_H
#define BASE_SYSTEM_PROCESS_H

#include <stdbool.h>

/* The number of this process, and whether one of that number is still there. */
long system_process(void);
bool system_process_is_there(long number);

/* Nothing is cleaned up, and nothing that waits in a buffer is written. */
_Noreturn void system_exit_now(int status);

/* The status of a program that was asked to end: SYSTEM_ENDED and the number of how (Ctrl+C: 2). */
enum { SYSTEM_ENDED = 128, SYSTEM_INTERRUPT = 2 };

/* --- the command line --- */

/* Ctrl+C ends the program at once, unless the caller has it ignored. */
void system_end_at_interrupt(void);

/* A pipe that was closed and a file that may not grow are errors of a write, not the program's end.
 */
void system_keep_write_errors(void);

/* Holds Ctrl+C back while a file is being written, so that half of it is not left; returns whether
 * it was held before, which release takes. One that came meanwhile ends the program when it is
 * released. */
bool system_interrupt_hold(void);
void system_interrupt_release(bool was_held);
bool system_interrupt_waits(void);

/* Calls `heard` at whatever asks the program to end (Ctrl+C, a shutdown, a terminal that closes)
 * until it is released, except what the caller has ignored (nohup). It may only set what is atomic,
 * and end the program. */
void system_ends_catch(void (*heard)(int number));
void system_ends_release(void);

/* --- the window --- */

/* Leaves what asks the program to end to system_ends_watch; called before any thread starts. */
void system_ends_hold(void);

/* Calls `heard` on a thread of its own for each. NULL: there is no memory or thread for it. */
struct system_watch;
struct system_watch *system_ends_watch(void (*heard)(void *subject, int number), void *subject);
void system_ends_unwatch(struct system_watch *watch); /* NULL is fine */

#endif
