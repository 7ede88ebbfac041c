/* attn/system.h — what the core asks of the operating system: which CPUs there are, to stay on one
 * of them, and large pages. Linux answers all; elsewhere the core does without. */
#ifndef ATTN_SYSTEM_H
#define ATTN_SYSTEM_H

#include "attn/attn.h"

/* The CPUs this process may use, at most ATTN_THREADS_MAX. Returns how many, 0 where none is
 * known. */
size_t attn_system_cpus(int cpus[ATTN_THREADS_MAX]);

/* Where a thread was allowed before it stayed on one CPU. */
struct attn_system_place {
    unsigned long mask[16];
    bool known;
};

/* This thread stays on one CPU until it is let go. */
struct attn_system_place attn_system_stay_on(int cpu);
void attn_system_let_go(const struct attn_system_place *before);

/* Asks that memory that nobody has touched yet comes in pages of 2 MB where it can: many megabytes
 * are then there sooner, and are found sooner. */
void attn_system_prefer_large_pages(void *memory, size_t bytes);

#endif
