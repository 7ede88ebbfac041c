/* attn/system.h — what the core asks of the operating system: which CPUs there are, to stay on one
 * of them, large pages, threads and time. Linux answers all; elsewhere the core does without some.
 * The rest of the program asks base/system: the core is a library of its own, and depends on
 * nothing. */
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

/* Memory that begins at a multiple of 64 bytes; NULL: there is none. */
void *attn_system_aligned(size_t bytes);
void attn_system_free_aligned(void *memory);

/* Seconds that only grow, and those that this thread has computed. */
double attn_system_seconds(void);
double attn_system_thread_seconds(void);

/* The system's own objects lie in these. */
struct attn_system_thread {
    _Alignas(16) unsigned char room[16];
};
struct attn_system_lock {
    _Alignas(16) unsigned char room[64];
};
struct attn_system_signal {
    _Alignas(16) unsigned char room[64];
};

/* With so much stack, however little the system gives by itself. False: no thread is left. */
bool attn_system_start(struct attn_system_thread *thread, size_t stack, void (*work)(void *),
                       void *subject);
void attn_system_join(struct attn_system_thread *thread);

void attn_system_lock_open(struct attn_system_lock *lock);
void attn_system_lock_close(struct attn_system_lock *lock);
void attn_system_lock(struct attn_system_lock *lock);
bool attn_system_try_lock(struct attn_system_lock *lock);
void attn_system_unlock(struct attn_system_lock *lock);

void attn_system_signal_open(struct attn_system_signal *signal);
void attn_system_signal_close(struct attn_system_signal *signal);
void attn_system_tell(struct attn_system_signal *signal); /* all that wait for it */
void attn_system_wait(struct attn_system_signal *signal, struct attn_system_lock *lock);

#endif
