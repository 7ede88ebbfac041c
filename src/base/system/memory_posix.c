/* base/system/memory_posix.c — glibc's allocator; others have their own way, which is left alone.
 */
#include "base/system/memory.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void system_memory_give_back(void)
{
#ifdef __GLIBC__
    enum { LARGEST_KEPT = 4 << 20, KEPT_MAX = 8 << 20 }; /* bytes */
    mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT);
    mallopt(M_TRIM_THRESHOLD, KEPT_MAX);
#endif
}

void system_memory_keep(void)
{
#ifdef __GLIBC__
    enum { BLOCK_MAX = 32 << 20, KEPT_MAX = 256 << 20 }; /* bytes */
    mallopt(M_MMAP_THRESHOLD, BLOCK_MAX);
    mallopt(M_TRIM_THRESHOLD, KEPT_MAX);
#endif
}
