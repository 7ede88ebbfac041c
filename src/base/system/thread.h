/* base/system/thread.h — threads, and what they wait for. The core (attn) has its own: it depends
 * on nothing.
 *
 *     struct system_mutex lock;                  struct system_thread thread;
 *     system_mutex_open(&lock);                  system_thread_start(&thread, 0, work, subject);
 *     system_mutex_lock(&lock);                  system_thread_join(&thread);
 */
#ifndef BASE_SYSTEM_THREAD_H
#define BASE_SYSTEM_THREAD_H

#include <stdbool.h>
#include <stddef.h>

/* The system's own objects lie in these, of which nobody else needs to know the size. */
struct system_mutex {
    _Alignas(16) unsigned char room[64];
};
struct system_condition {
    _Alignas(16) unsigned char room[64];
};
struct system_thread {
    _Alignas(16) unsigned char room[16];
};

/* Starts work on a thread with so much stack in bytes (0: what is usual). False: none is left. */
bool system_thread_start(struct system_thread *thread, size_t stack, void (*work)(void *),
                         void *subject);
void system_thread_join(struct system_thread *thread);
void system_thread_detach(struct system_thread *thread); /* nobody waits for it */

/* Drawing comes before what this thread does from now on, and those that it starts. */
void system_thread_yield_to_drawing(void);

/* How many processors there are, at least 1. */
size_t system_processors(void);

/* Runs work where there is stack enough: here, or where a shell left the program less than so much,
 * on a thread that has `own` bytes of it. */
void system_run_on_stack(size_t min, size_t own, void (*work)(void *), void *subject);

bool system_mutex_open(struct system_mutex *mutex);
void system_mutex_close(struct system_mutex *mutex);
void system_mutex_lock(struct system_mutex *mutex);
void system_mutex_unlock(struct system_mutex *mutex);

void system_condition_open(struct system_condition *condition);
void system_condition_close(struct system_condition *condition);
void system_condition_broadcast(struct system_condition *condition); /* all that wait */
void system_condition_wait(struct system_condition *condition, struct system_mutex *mutex);

/* The same, at most so long. */
void system_condition_wait_seconds(struct system_condition *condition, struct system_mutex *mutex,
                                   double seconds);

/* Something that is done once, by whichever thread comes first; others wait until it is done. Zero:
 * not yet. What is done must not ask for another one. */
struct system_once {
    bool done;
};
void system_once(struct system_once *once, void (*act)(void));

#endif
