/* base/system/memory.h — what the allocator does with memory that is freed. */
#ifndef BASE_SYSTEM_MEMORY_H
#define BASE_SYSTEM_MEMORY_H

/* A layer of a large model is hundreds of megabytes, which others may have once it is left. The
 * allocator would by itself keep more of what is freed the larger it has been. */
void system_memory_give_back(void);

/* The megabytes that each picture of a film frees are kept for the next one. Asking the system for
 * them and clearing them hundreds of times took a tenth of a film's time. */
void system_memory_keep(void);

#endif
