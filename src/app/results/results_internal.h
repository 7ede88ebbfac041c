/* app/results/results_internal.h — what results.c and results_threads.c share. */
#ifndef APP_RESULTS_RESULTS_INTERNAL_H
#define APP_RESULTS_RESULTS_INTERNAL_H

#include "app/results/interned.h"
#include "app/results/results.h"
#include "app/tasks/job.h"
#include "base/system/thread.h"

enum { RESULTS_TABLE = 1024, RESULTS_THREADS_MAX = 4, RESULTS_SAID_MAX = 64 };

/* A slice of it may run, on one thread; between slices it waits for its turn. */
enum entry_stage { ENTRY_WAITS, ENTRY_RUNS, ENTRY_IS_WHOLE, ENTRY_HAS_FAILED };

/* Why an entry rests: what it needs is given up, or a person gave it up; or the result of its last
 * slice is no longer wanted. */
enum entry_rest { ENTRY_GOES_ON, ENTRY_LACKS_NEED, ENTRY_IS_GIVEN_UP, ENTRY_IS_FORGOTTEN };

/* The entry of one want. `lock` guards all but what only a running slice has. */
struct entry {
    struct want want;
    struct entry *next;   /* of its bucket */
    struct entry *behind; /* among the wants of this frame, in their order */
    const struct value *reading, *asked, *content;
    const struct value *value; /* NULL: none yet */
    void *state;
    size_t state_bytes;
    uint64_t frame;   /* that wanted it last */
    double wanted_at; /* when that frame was */
    size_t slot;      /* RESULTS_SLOTS_MAX: none, something else needs it */
    enum entry_stage stage;
    enum entry_rest rests;
    double failed_at;
    size_t idle_slices; /* one after the other that brought nothing */
    atomic_bool is_stopped;
    _Atomic(float) progress;
    struct error error;
};

/* The content of a place on the screen, and which frame asked for it. Threads leave what they made
 * in `next`; only the window's thread takes it from there, so that what a frame was handed stays.
 */
struct slot_content {
    const struct value *value, *next;
    uint64_t asked, next_asked;
    uint64_t frame; /* that asked for anything in it */
};

struct worker {
    struct results *results;
    struct app_job *job; /* NULL: none was begun */
    bool serves;         /* it takes what is wanted */
    struct entry *runs;  /* NULL: nothing */
};

struct kind_row {
    const struct result_kind *row;
    void *owner;
};

struct results {
    struct system_mutex lock; /* never held while anything is computed */
    struct system_condition news;
    struct kind_row kind[RESULTS_KINDS_MAX];
    struct interned interned;
    struct entry *table[RESULTS_TABLE];
    size_t count, bytes, bytes_max;
    struct slot_content slot[RESULTS_SLOTS_MAX];
    const struct value **retired; /* handed to this frame, and replaced in it */
    size_t retirees, retired_room;
    struct entry *first, **last; /* wants of this frame, in their order */
    struct worker worker[RESULTS_THREADS_MAX];
    size_t threads;
    size_t halts; /* frames one after the other that left work and could begin no thread for it */
    uint64_t frame, came, seen;         /* counted */
    double time;                        /* of the last frame's end */
    struct want said[RESULTS_SAID_MAX]; /* whose errors were found last */
    size_t said_count;
};

/* It is not there yet, given up or not. */
static inline bool entry_is_begun(const struct entry *entry)
{
    return entry->stage == ENTRY_WAITS || entry->stage == ENTRY_RUNS;
}

static inline bool entry_is_given_up(const struct entry *entry)
{
    return entry_is_begun(entry) && entry->rests != ENTRY_GOES_ON;
}

static inline bool entry_is_missing(const struct entry *entry)
{
    return entry_is_begun(entry) && !entry_is_given_up(entry);
}

/* ---- under the lock ---- */

/* The entry has no value, for this reason. */
void results_fail(struct results *results, struct entry *entry, const struct error *error);

/* The entry of a want; NULL: there is none. */
struct entry *results_find(const struct results *results, const struct want *want);

/* Fills what a slice of it is given, with a reference to each value that it needs. False: one of
 * them is missing; the entry has failed where one of them has. */
bool results_begin_slice(struct results *results, struct entry *entry, struct slice *slice);

/* Takes over what a slice came to. */
void results_end_slice(struct results *results, struct entry *entry, struct slice *slice,
                       enum slice_end end);

/* ---- without it ---- */

/* Begins threads where more is wanted than they do. */
void results_start_threads(struct results *results);

/* Stops and joins them all. */
void results_stop_threads(struct results *results);

#endif
