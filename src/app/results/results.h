/* app/results/results.h — a cache from what is wanted to what was computed. What is shown is never
 * stored by events: each frame asks for it by key.
 *
 *     results_begin(results);
 *     const struct finding found = results_want(results, &want, SLOT_WRITING);
 *     const size_t missing = results_end(results, time);
 *
 * Each pass of a frame asks for all that it shows. What is small is computed before results_want
 * returns. What is not becomes the work of threads, in the order in which the last frame asked for
 * it; until it is there, the last value that came to its slot stays there and is found as old. What
 * no frame asks for is not gone on with.
 *
 * One thread, the window's, has the results. */
#ifndef APP_RESULTS_RESULTS_H
#define APP_RESULTS_RESULTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/results/value.h"
#include "base/bytes.h"
#include "base/error.h"

enum {
    RESULTS_NEEDS_MAX = 4,
    RESULTS_KINDS_MAX = 32,
    RESULTS_SLOTS_MAX = 32, /* places on the screen, each with one value at a time */
    RESULTS_BYTES_MAX = 48 << 20
};

/* A key: plain bytes without padding. Fields that a kind does not use are 0; source, reading,
 * branch and asked are numbers of results_number. */
struct want {
    uint32_t kind, source, reading, branch, asked, attention, layer, head;
    uint64_t step;
};
_Static_assert(sizeof(struct want) == 40, "a want has no padding");

/* ---- computations ---------------------------------------------------------------------------- */

enum slice_end { SLICE_MORE, SLICE_DONE, SLICE_FAILED };

/* A slice of a computation: about 20 ms, after which another may come first. */
struct slice {
    const struct want *want;
    void *owner;                                 /* of the kind */
    struct bytes reading, asked;                 /* what those numbers stand for */
    const struct value *content;                 /* that results_want_of was given, or NULL */
    const struct value *need[RESULTS_NEEDS_MAX]; /* as result_kind.needs names them */
    double ends;                                 /* 0: it may take as long as it takes */
    const atomic_bool *is_stopped;               /* it should end early, with SLICE_MORE */
    _Atomic(float) *progress;                    /* of the whole, for slice_report */
    void *state;         /* what the computation keeps between slices; NULL at first */
    size_t state_bytes;  /* of that; to be kept up by the work */
    struct value *value; /* NULL; what was made so far: results take it over at the end */
    struct error error;  /* of SLICE_FAILED */
};

/* Returns whether the slice should come to its end: its time is over, or it is stopped. */
bool slice_is_over(const struct slice *slice);

/* Tells how much of the whole computation is done: from 0 to 1. */
void slice_report(const struct slice *slice, float progress);

/* How wants of a kind are computed. What may be NULL is not done. */
struct result_kind {
    /* Fills what must be there before; the same for equal wants. Returns how many. May be NULL. */
    size_t (*list_needs)(const struct want *want, struct want needs[RESULTS_NEEDS_MAX]);
    /* Says whether the whole of it delays no frame. Then all slices run on the window's thread,
     * else each on any thread. May be NULL: it is never small. */
    bool (*is_small)(const struct slice *slice);
    enum slice_end (*work)(struct slice *slice);
    void (*drop_state)(void *state);
    bool has_lane; /* never two slices of one source at once */
};

/* ---- frames ---------------------------------------------------------------------------------- */

/* FOUND_OLD: the value was wanted before, in the same slot. FOUND_PART: it is the present one, and
 * grows. FOUND_GIVEN_UP: it is not gone on with, and the value is what there is of it.
 * FOUND_FAILED: there is none, and the error says why. */
enum found { FOUND_NOTHING, FOUND_OLD, FOUND_PART, FOUND_WHOLE, FOUND_GIVEN_UP, FOUND_FAILED };

struct finding {
    enum found found;
    const struct value *value; /* until the next results_begin; NULL: none */
    float progress;            /* of what is missing, from 0 to 1; < 0: nothing was told */
    struct error error;
    bool is_news; /* an error that was found for the first time */
};

struct results;

/* threads: how many compute at once. NULL: no memory. */
struct results *results_open(size_t threads, size_t bytes_max);
void results_close(struct results *results); /* waits for its threads; NULL is fine */

/* owner: handed to each slice of the kind. Before anything of it is wanted. */
void results_set_kind(struct results *results, uint32_t kind, const struct result_kind *row,
                      void *owner);

/* Returns the number of these bytes, for a key; 0: no memory. */
uint32_t results_number(struct results *results, const void *bytes, size_t size);

void results_begin(struct results *results);
struct finding results_want(struct results *results, const struct want *want, size_t slot);

/* The same of what has no bytes that could be compared: `content` is what the key's `asked` stands
 * for, a number of the caller's own that nothing else has. Results hold it once more. */
struct finding results_want_of(struct results *results, const struct want *want,
                               const struct value *content, size_t slot);

/* Returns whether all of it is there, so that wanting it computes nothing. */
bool results_have(struct results *results, const struct want *want);

/* Cancel: what there is of it stays, and the rest is not computed until it is taken up. What has
 * failed is tried again then. */
void results_give_up(struct results *results, const struct want *want);
void results_take_up(struct results *results, const struct want *want);

/* It was taken over by whoever wanted it, or nobody wants it any more: results keep nothing of it
 * but what this frame was handed. What is being computed is stopped, and forgotten with its slice.
 */
void results_forget(struct results *results, const struct want *want);

/* The same of all wants of a kind that are of this source, which is not there any more. */
void results_forget_source(struct results *results, uint32_t kind, uint32_t source);

/* Computes all that is missing of what was wanted in this frame or before, before it returns. */
void results_finish(struct results *results, const struct want *want);

/* Waits until nothing of it is computed, since what it reads is to be changed. It is not gone on
 * with before another frame wants it. */
void results_stop(struct results *results, const struct want *want);

/* Returns how many wants of this frame are not there yet. time: of the window, in seconds. */
size_t results_end(struct results *results, double time);

/* The same of the last frame, by now. */
size_t results_missing(struct results *results);

/* Returns whether anything is still computed that this frame did not want. A frame a moment later
 * stops it: without one it would go on to the end of its slice. */
bool results_run_unwanted(struct results *results);

/* Returns whether anything has come since the frame began. */
bool results_have_news(struct results *results);

/* Waits until something has come, where anything is missing. */
void results_wait(struct results *results);

/* Return the bytes and the entries that are kept. */
size_t results_bytes(struct results *results);
size_t results_count(struct results *results);

#endif
