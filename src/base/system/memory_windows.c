/* base/system/memory_windows.c — Windows' allocator is left to itself. */
#include "base/system/memory.h"

void system_memory_give_back(void) {}

void system_memory_keep(void) {}
