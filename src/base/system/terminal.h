/* base/system/terminal.h — what the program was called with, and what it writes to. */
#ifndef BASE_SYSTEM_TERMINAL_H
#define BASE_SYSTEM_TERMINAL_H

#include <stdbool.h>

/* Called first of all: makes the words of the call UTF-8 and the streams binary, where the system
 * has it otherwise. The words live until the program ends. */
void system_begin(int *count, char ***words);

/* Returns whether somebody sits at that file (SYSTEM_OUTPUT, SYSTEM_ERRORS). */
bool system_is_terminal(int file);

#endif
