/* app/desktop/child.h — another program, started without a shell: what keeps the clipboard, what
 * asks for a file. The only place where this program starts one. */
#ifndef APP_DESKTOP_CHILD_H
#define APP_DESKTOP_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts argument[0], found along PATH, with these words (the last NULL, at most 15). It reads from
 * `in` and writes to `out`, which stay the caller's; −1: nothing to read, nobody listens.
 * `unwanted` is the caller's end of the same pipe, which it does not get; −1: there is none.
 * *child: its number. False: there is none of that name. */
bool app_child_start(const char *const *argument, int in, int out, int unwanted, pid_t *child);

#endif
