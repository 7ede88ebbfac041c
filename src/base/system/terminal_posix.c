/* base/system/terminal_posix.c — the call and its streams, where the system is POSIX's. */
#include "base/system/terminal.h"

#include <unistd.h>

void system_begin(int *count, char ***words)
{
    (void)count;
    (void)words;
}

bool system_is_terminal(int file)
{
    return isatty(file) != 0;
}
