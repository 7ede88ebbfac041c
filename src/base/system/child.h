/* base/system/child.h — another program, started without a shell: what keeps the clipboard, what
 * asks for a file. Where there is no POSIX only system_open_with_desktop is there: Windows asks for
 * files and keeps the clipboard by functions. */
#ifndef BASE_SYSTEM_CHILD_H
#define BASE_SYSTEM_CHILD_H

#include <stdbool.h>
#include <stddef.h>

enum system_child_talk { SYSTEM_CHILD_LISTENS, SYSTEM_CHILD_SPEAKS };

struct system_child {
    long number;
    int pipe; /* our end of it: what the child hears, or says */
};

/* Returns whether a program of that name stands in one of the folders of PATH. */
bool system_child_is_there(const char *name);

/* Starts argument[0], found along PATH, with these words (the last NULL, at most 15). What it
 * listens to, or says, goes through a pipe; the rest of it is silent. False: there is none of that
 * name. */
bool system_child_start(struct system_child *child, const char *const *argument,
                        enum system_child_talk talk);

/* Feeds it content until `end` (of system_seconds), and closes the pipe. False: it did not take
 * all. */
bool system_child_feed(struct system_child *child, const void *content, size_t size, double end);

/* Reads at most size bytes of its output by `end`. 0: the output is over; -1: nothing came. */
ptrdiff_t system_child_read(struct system_child *child, void *out, size_t size, double end);

/* Reads likewise, however long it takes. */
ptrdiff_t system_child_read_all(struct system_child *child, void *out, size_t size);

void system_child_close_pipe(struct system_child *child);

/* Returns whether it ended well by then (of system_seconds); it has ended in any case afterwards.
 */
bool system_child_ends_well(struct system_child *child, double end);

/* Returns whether it ended well, however long it takes. Its number stays its own until it is
 * collected, so that another thread may ask it to end meanwhile. */
bool system_child_wait(const struct system_child *child);
void system_child_collect(long number);
void system_child_ask_to_end(long number);

/* Opens a file with the program that the desktop has for it, and goes on. False: there is none. */
bool system_open_with_desktop(const char *path);

#endif
