/* The threads that compute what the last frame asked for. */

#include "app/results/results_internal.h"

#include "base/system/clock.h"

static const double SLICE_SECONDS = 0.02;

bool slice_is_over(const struct slice *slice)
{
    return atomic_load_explicit(slice->is_stopped, memory_order_relaxed) ||
           (slice->ends > 0 && system_seconds() >= slice->ends);
}

void slice_report(const struct slice *slice, float progress)
{
    if (slice->progress != NULL) {
        atomic_store_explicit(slice->progress, progress, memory_order_relaxed);
    }
}

/* A source does one thing at a time, and a slot has one thing under way. */
static bool is_blocked(const struct results *results, const struct entry *entry)
{
    bool is_blocked = false;
    for (size_t w = 0; w < results->threads; w++) {
        const struct entry *const other = results->worker[w].runs;
        if (other != NULL) {
            const bool both_have_lanes = results->kind[entry->want.kind].row->has_lane &&
                                         results->kind[other->want.kind].row->has_lane;
            is_blocked = is_blocked ||
                         (other->slot == entry->slot && entry->slot < RESULTS_SLOTS_MAX) ||
                         (both_have_lanes && other->want.source == entry->want.source);
        }
    }
    return is_blocked;
}

static bool can_go_on(const struct entry *entry)
{
    return entry->stage == ENTRY_WAITS && !entry_is_given_up(entry) &&
           !atomic_load_explicit(&entry->is_stopped, memory_order_relaxed);
}

/* The first of the last frame's wants that is missing and whose turn it is, and what its slice is
 * given; NULL: none. */
static struct entry *find_work(struct results *results, struct slice *slice)
{
    for (struct entry *e = results->first; e != NULL; e = e->behind) {
        if (can_go_on(e) && !is_blocked(results, e) && results_begin_slice(results, e, slice)) {
            return e;
        }
    }
    return NULL;
}

/* Takes slice after slice of what is wanted, until nothing is. */
static void serve_wants(struct app_job *job, void *subject)
{
    struct worker *const worker = subject;
    struct results *const results = worker->results;
    struct slice slice;
    (void)job;
    system_mutex_lock(&results->lock);
    while ((worker->runs = find_work(results, &slice)) != NULL) {
        const struct result_kind *const row = results->kind[slice.want->kind].row;
        system_mutex_unlock(&results->lock);
        slice.ends = system_seconds() + SLICE_SECONDS;
        const enum slice_end end = row->work(&slice);
        system_mutex_lock(&results->lock);
        results_end_slice(results, worker->runs, &slice, end);
        worker->runs = NULL;
    }
    worker->serves = false;
    system_mutex_unlock(&results->lock);
}

static size_t count_waiting(const struct results *results)
{
    size_t waiting = 0;
    for (const struct entry *e = results->first; e != NULL; e = e->behind) {
        waiting += can_go_on(e);
    }
    return waiting;
}

/* Where frame after frame no thread can be begun, what is wanted has failed like all that lacks
 * memory: it is tried again later, and nobody waits for it until then. */
static void count_halts(struct results *results, bool has_threads)
{
    enum { HALTS_MAX = 8 };
    const struct error error = {ERROR_MEMORY, 0, "There is not enough memory for that."};
    results->halts = has_threads ? 0 : results->halts + 1;
    for (struct entry *e = results->first; results->halts > HALTS_MAX && e != NULL; e = e->behind) {
        if (entry_is_missing(e)) {
            results_fail(results, e, &error);
            results->came++;
        }
    }
}

void results_start_threads(struct results *results)
{
    size_t begins = 0;
    struct worker *idle[RESULTS_THREADS_MAX];
    system_mutex_lock(&results->lock);
    const size_t waiting = count_waiting(results);
    bool has_threads = waiting == 0;
    for (size_t w = 0; w < results->threads; w++) {
        has_threads = has_threads || results->worker[w].serves;
    }
    for (size_t w = 0; w < results->threads && begins < waiting; w++) {
        if (!results->worker[w].serves) {
            idle[begins++] = &results->worker[w];
            results->worker[w].serves = true;
        }
    }
    system_mutex_unlock(&results->lock);
    for (size_t i = 0; i < begins; i++) {
        app_job_finish(idle[i]->job); /* it serves no more, and ends within a moment */
        idle[i]->job = app_job_start(serve_wants, idle[i]);
        has_threads = has_threads || idle[i]->job != NULL;
        if (idle[i]->job == NULL) { /* the next frame tries again */
            system_mutex_lock(&results->lock);
            idle[i]->serves = false;
            system_mutex_unlock(&results->lock);
        }
    }
    system_mutex_lock(&results->lock);
    count_halts(results, has_threads);
    system_mutex_unlock(&results->lock);
}

void results_stop_threads(struct results *results)
{
    system_mutex_lock(&results->lock);
    results->first = NULL; /* nothing is wanted any more */
    results->last = &results->first;
    for (size_t w = 0; w < results->threads; w++) {
        if (results->worker[w].runs != NULL) {
            atomic_store(&results->worker[w].runs->is_stopped, true);
        }
    }
    system_mutex_unlock(&results->lock);
    for (size_t w = 0; w < results->threads; w++) {
        app_job_finish(results->worker[w].job);
    }
}
