/* Keeps the wants of frames, what is there of them, and what each place on the screen shows
 * meanwhile. */
#include <stdlib.h>
#include <string.h>

#include "app/results/results_internal.h"

enum { ENTRIES_MAX = 512 };

/* Seconds for which computing goes on after the last frame that wanted it, and after which a want
 * that lacked memory is tried again. */
static const double PATIENCE = 0.25, RETRY = 1;

static size_t bucket_of(const struct want *want)
{
    uint64_t part[sizeof *want / sizeof(uint64_t)], hash = 0;
    memcpy(part, want, sizeof part);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        hash = (hash ^ part[i]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash % RESULTS_TABLE;
}

struct entry *results_find(const struct results *results, const struct want *want)
{
    struct entry *entry = results->table[bucket_of(want)];
    while (entry != NULL && memcmp(&entry->want, want, sizeof *want) != 0) {
        entry = entry->next;
    }
    return entry;
}

/* ---- slots ---- */

/* A computed value goes to its slot, unless that waits for something that was wanted later. */
static void post_value(struct slot_content *slot, const struct value *value, uint64_t asked)
{
    if (asked >= slot->asked && (slot->next == NULL || asked >= slot->next_asked)) {
        value_release(slot->next);
        slot->next = value_keep(value);
        slot->next_asked = asked;
    }
}

/* Keeps what a slot had until the next frame begins. False: no memory. */
static bool retire_value(struct results *results, const struct value *value)
{
    if (results->retirees == results->retired_room) {
        const size_t room = 2 * results->retired_room + 8;
        const struct value **const grown = realloc(results->retired, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        results->retired = grown;
        results->retired_room = room;
    }
    results->retired[results->retirees++] = value;
    return true;
}

/* On the window's thread: the slot has this value now, unless what is there was wanted later. */
static void fill_slot(struct results *results, struct slot_content *slot, const struct value *value,
                      uint64_t asked)
{
    if (value != NULL && asked >= slot->asked) {
        slot->asked = asked;
        if (value != slot->value && (slot->value == NULL || retire_value(results, slot->value))) {
            slot->value = value_keep(value);
        }
    }
}

static void collect_posted(struct results *results, struct slot_content *slot)
{
    fill_slot(results, slot, slot->next, slot->next_asked);
    value_release(slot->next);
    slot->next = NULL;
}

static void clear_slot(struct slot_content *slot)
{
    value_release(slot->value);
    value_release(slot->next);
    *slot = (struct slot_content){.value = NULL};
}

/* ---- entries ---- */

static void drop_state(const struct results *results, void *state, const struct want *want)
{
    if (state != NULL) {
        results->kind[want->kind].row->drop_state(state);
    }
}

static size_t bytes_of(const struct entry *entry)
{
    return entry->state_bytes + (entry->value == NULL ? 0 : entry->value->bytes);
}

static void drop_entry(struct results *results, struct entry **place)
{
    struct entry *const entry = *place;
    *place = entry->next;
    results->count--;
    results->bytes -= bytes_of(entry);
    drop_state(results, entry->state, &entry->want);
    value_release(entry->value);
    value_release(entry->reading);
    value_release(entry->asked);
    value_release(entry->content);
    free(entry);
}

/* NULL: no memory. */
static struct entry *add_entry(struct results *results, const struct want *want,
                               const struct value *content)
{
    struct entry **const bucket = &results->table[bucket_of(want)];
    struct entry *const entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        return NULL;
    }
    *entry = (struct entry){
        .want = *want,
        .next = *bucket,
        .reading = interned_keep(&results->interned, want->reading),
        .asked = content != NULL ? NULL : interned_keep(&results->interned, want->asked),
        .content = value_keep(content)};
    atomic_init(&entry->progress, -1);
    *bucket = entry;
    results->count++;
    return entry;
}

/* ---- slices ---- */

void results_fail(struct results *results, struct entry *entry, const struct error *error)
{
    entry->stage = ENTRY_HAS_FAILED;
    entry->failed_at = results->time;
    entry->error = *error;
}

/* Fills what the slice needs, with a reference to each. False: something is missing. */
static bool hold_needs(struct results *results, struct entry *entry, struct slice *slice)
{
    const struct result_kind *const row = results->kind[entry->want.kind].row;
    struct want needs[RESULTS_NEEDS_MAX];
    const size_t count = row->list_needs == NULL ? 0 : row->list_needs(&entry->want, needs);
    bool is_whole = true;
    for (size_t n = 0; n < count; n++) {
        const struct entry *const need = results_find(results, &needs[n]);
        if (need != NULL && need->stage == ENTRY_HAS_FAILED) {
            results_fail(results, entry, &need->error);
            results->came++;
            system_condition_broadcast(&results->news);
        }
        is_whole = is_whole && need != NULL && need->stage == ENTRY_IS_WHOLE;
        slice->need[n] = is_whole ? value_keep(need->value) : NULL;
    }
    return is_whole;
}

static void release_needs(struct slice *slice)
{
    for (size_t n = 0; n < RESULTS_NEEDS_MAX; n++) {
        value_release(slice->need[n]);
    }
}

bool results_begin_slice(struct results *results, struct entry *entry, struct slice *slice)
{
    *slice = (struct slice){.want = &entry->want,
                            .owner = results->kind[entry->want.kind].owner,
                            .reading = interned_bytes(entry->reading),
                            .asked = interned_bytes(entry->asked),
                            .content = entry->content,
                            .is_stopped = &entry->is_stopped,
                            .progress = &entry->progress,
                            .state = entry->state,
                            .state_bytes = entry->state_bytes};
    if (!hold_needs(results, entry, slice)) {
        release_needs(slice);
        return false;
    }
    entry->stage = ENTRY_RUNS;
    return true;
}

/* A slice that ends before its time with nothing new was stopped, or made what is to come. Where
 * none of so many brings anything, what it lacks is memory, and it would go on like that for ever.
 */
static bool is_idle(struct entry *entry, const struct slice *slice, enum slice_end end)
{
    enum { IDLE_SLICES_MAX = 200 };
    const bool brings_nothing = end == SLICE_MORE && slice->value == NULL && !slice_is_over(slice);
    entry->idle_slices = brings_nothing ? entry->idle_slices + 1 : 0;
    return entry->idle_slices > IDLE_SLICES_MAX;
}

void results_end_slice(struct results *results, struct entry *entry, struct slice *slice,
                       enum slice_end end)
{
    const struct value *const former = entry->value;
    results->bytes -= bytes_of(entry);
    if (is_idle(entry, slice, end)) {
        end = SLICE_FAILED;
        entry->idle_slices = 0;
        (void)error_set(&slice->error, ERROR_MEMORY, "There is not enough memory for that.");
    }
    if (end != SLICE_MORE) {
        drop_state(results, slice->state, slice->want);
        slice->state = NULL;
    }
    entry->state = slice->state;
    entry->state_bytes = slice->state == NULL ? 0 : slice->state_bytes;
    entry->stage = end == SLICE_DONE ? ENTRY_IS_WHOLE : ENTRY_WAITS;
    if (slice->value != NULL) {
        entry->value = slice->value;
        value_release(former);
        if (entry->slot < RESULTS_SLOTS_MAX) {
            post_value(&results->slot[entry->slot], entry->value, entry->frame);
        }
    }
    if (end == SLICE_FAILED) {
        results_fail(results, entry, &slice->error);
    }
    if (entry->stage == ENTRY_IS_WHOLE) { /* what it was made of may be large */
        value_release(entry->content);
        entry->content = NULL;
    }
    results->bytes += bytes_of(entry);
    results->came += end != SLICE_MORE || slice->value != NULL;
    system_condition_broadcast(&results->news);
    release_needs(slice);
}

/* Computes what is small at once. */
static void compute_small(struct results *results, struct entry *entry)
{
    const struct result_kind *const row = results->kind[entry->want.kind].row;
    bool goes_on = row->is_small != NULL && !entry_is_given_up(entry);
    struct slice slice;
    while (goes_on && entry->stage == ENTRY_WAITS && results_begin_slice(results, entry, &slice)) {
        if (!row->is_small(&slice)) { /* a thread does it, when it is its turn */
            entry->stage = ENTRY_WAITS;
            release_needs(&slice);
            break;
        }
        system_mutex_unlock(&results->lock);
        const enum slice_end end = row->work(&slice);
        system_mutex_lock(&results->lock);
        goes_on = slice.value != NULL || slice.state != NULL;
        const uint64_t came = results->came;
        results_end_slice(results, entry, &slice, end);
        results->seen += results->came - came; /* it is handed to this frame */
    }
}

/* ---- wants ---- */

/* Returns whether it was not wanted in this frame before. */
static bool joins_frame(struct results *results, struct entry *entry)
{
    const bool joins = entry->frame != results->frame;
    const bool tries_again = entry->stage == ENTRY_HAS_FAILED &&
                             entry->error.code == ERROR_MEMORY &&
                             results->time >= entry->failed_at + RETRY;
    entry->frame = results->frame;
    entry->stage = tries_again ? ENTRY_WAITS : entry->stage;
    atomic_store_explicit(&entry->is_stopped, entry->rests == ENTRY_IS_GIVEN_UP,
                          memory_order_relaxed);
    return joins;
}

/* The entry of what a frame wants; what it needs is wanted before it. NULL: no memory. */
static struct entry *add_want(struct results *results, const struct want *want,
                              const struct value *content, size_t slot)
{
    const struct result_kind *const row = results->kind[want->kind].row;
    struct want needs[RESULTS_NEEDS_MAX];
    struct entry *entry = results_find(results, want);
    entry = entry != NULL ? entry : add_entry(results, want, content);
    if (entry == NULL) {
        return NULL;
    }
    const bool joins = joins_frame(results, entry);
    const bool needs_any = row->list_needs != NULL && entry_is_begun(entry);
    const size_t count = needs_any ? row->list_needs(want, needs) : 0;
    entry->rests = entry->rests == ENTRY_IS_GIVEN_UP ? entry->rests : ENTRY_GOES_ON;
    for (size_t n = 0; n < count; n++) {
        const struct entry *const need = add_want(results, &needs[n], NULL, RESULTS_SLOTS_MAX);
        const bool lacks = need != NULL && entry_is_given_up(need);
        entry->rests = lacks && entry->rests == ENTRY_GOES_ON ? ENTRY_LACKS_NEED : entry->rests;
    }
    entry->slot = slot;
    if (joins) {
        entry->behind = NULL;
        *results->last = entry;
        results->last = &entry->behind;
    }
    compute_small(results, entry);
    return entry;
}

/* Returns whether an error is found for the first time, as far back as is known. */
static bool is_said_first(struct results *results, const struct want *want)
{
    for (size_t i = 0; i < RESULTS_SAID_MAX; i++) {
        if (i < results->said_count && memcmp(&results->said[i], want, sizeof *want) == 0) {
            return false;
        }
    }
    results->said[results->said_count++ % RESULTS_SAID_MAX] = *want;
    return true;
}

/* Where memory lacks for the entry, or to put its value into the slot, nothing is under way that
 * could be waited for. */
static bool lacks_memory(const struct entry *entry, const struct slot_content *slot)
{
    return entry == NULL ||
           (entry->stage == ENTRY_IS_WHOLE && entry->value != NULL && entry->value != slot->value);
}

static struct finding find_in_slot(struct results *results, const struct entry *entry,
                                   struct slot_content *slot)
{
    struct finding finding = {.found = FOUND_NOTHING, .progress = -1};
    slot->frame = results->frame;
    collect_posted(results, slot);
    if (entry != NULL) { /* what is wanted now comes before what was wanted */
        fill_slot(results, slot, entry->value, results->frame);
    }
    if (lacks_memory(entry, slot)) {
        finding.found = FOUND_FAILED;
        error_set(&finding.error, ERROR_MEMORY, "There is not enough memory for that.");
    } else if (entry->stage == ENTRY_HAS_FAILED) {
        finding.found = FOUND_FAILED;
        finding.error = entry->error;
        finding.is_news = is_said_first(results, &entry->want);
    } else if (entry_is_given_up(entry)) {
        finding.found = FOUND_GIVEN_UP;
        finding.progress = atomic_load_explicit(&entry->progress, memory_order_relaxed);
        finding.value = entry->value == slot->value ? entry->value : NULL;
    } else {
        const bool is_own = entry->value != NULL && entry->value == slot->value;
        finding.value = slot->value;
        finding.found = slot->value == NULL              ? FOUND_NOTHING
                        : !is_own                        ? FOUND_OLD
                        : entry->stage == ENTRY_IS_WHOLE ? FOUND_WHOLE
                                                         : FOUND_PART;
        finding.progress = entry->stage == ENTRY_IS_WHOLE
                               ? -1
                               : atomic_load_explicit(&entry->progress, memory_order_relaxed);
    }
    return finding;
}

struct finding results_want_of(struct results *results, const struct want *want,
                               const struct value *content, size_t slot)
{
    system_mutex_lock(&results->lock);
    const struct entry *const entry = add_want(results, want, content, slot);
    const struct finding finding = find_in_slot(results, entry, &results->slot[slot]);
    system_mutex_unlock(&results->lock);
    return finding;
}

struct finding results_want(struct results *results, const struct want *want, size_t slot)
{
    return results_want_of(results, want, NULL, slot);
}

bool results_have(struct results *results, const struct want *want)
{
    system_mutex_lock(&results->lock);
    const struct entry *const entry = results_find(results, want);
    const bool have = entry != NULL && entry->stage == ENTRY_IS_WHOLE;
    system_mutex_unlock(&results->lock);
    return have;
}

/* ---- what a person gives up, and what is to be changed ---- */

/* Stops computing the entry, and waits until its slice is over. */
static void stop_entry(struct results *results, struct entry *entry)
{
    atomic_store_explicit(&entry->is_stopped, true, memory_order_relaxed);
    while (entry->stage == ENTRY_RUNS) {
        system_condition_wait(&results->news, &results->lock);
    }
}

void results_give_up(struct results *results, const struct want *want)
{
    system_mutex_lock(&results->lock);
    struct entry *const entry = results_find(results, want);
    if (entry != NULL && entry_is_begun(entry)) {
        entry->rests = ENTRY_IS_GIVEN_UP;
        atomic_store_explicit(&entry->is_stopped, true, memory_order_relaxed);
    }
    system_mutex_unlock(&results->lock);
}

/* Makes the error of a want news once more. */
static void forget_said(struct results *results, const struct want *want)
{
    for (size_t i = 0; i < RESULTS_SAID_MAX; i++) {
        if (memcmp(&results->said[i], want, sizeof *want) == 0) {
            memset(&results->said[i], 0xFF, sizeof results->said[i]);
        }
    }
}

void results_take_up(struct results *results, const struct want *want)
{
    system_mutex_lock(&results->lock);
    struct entry *const entry = results_find(results, want);
    if (entry != NULL) {
        entry->rests = ENTRY_GOES_ON;
        if (entry->stage == ENTRY_HAS_FAILED) {
            entry->stage = ENTRY_WAITS;
            forget_said(results, want);
        }
    }
    system_mutex_unlock(&results->lock);
}

static void leave_frame(struct results *results, const struct entry *entry)
{
    struct entry **place = &results->first;
    while (*place != NULL && *place != entry) {
        place = &(*place)->behind;
    }
    if (*place != NULL) {
        results->last = results->last == &entry->behind ? place : results->last;
        *place = entry->behind;
    }
}

/* Returns whether it is gone already, and another one may stand at its place. */
static bool forget_entry(struct results *results, struct entry **place)
{
    leave_frame(results, *place);
    if ((*place)->stage != ENTRY_RUNS) {
        drop_entry(results, place);
        return true;
    }
    (*place)->rests = ENTRY_IS_FORGOTTEN;
    (*place)->slot = RESULTS_SLOTS_MAX; /* which is free for what comes */
    atomic_store_explicit(&(*place)->is_stopped, true, memory_order_relaxed);
    return false;
}

void results_forget(struct results *results, const struct want *want)
{
    system_mutex_lock(&results->lock);
    struct entry **place = &results->table[bucket_of(want)];
    while (*place != NULL && memcmp(&(*place)->want, want, sizeof *want) != 0) {
        place = &(*place)->next;
    }
    if (*place != NULL) {
        (void)forget_entry(results, place);
    }
    system_mutex_unlock(&results->lock);
}

void results_forget_source(struct results *results, uint32_t kind, uint32_t source)
{
    system_mutex_lock(&results->lock);
    for (size_t b = 0; b < RESULTS_TABLE; b++) {
        for (struct entry **place = &results->table[b]; *place != NULL;) {
            struct entry *const entry = *place;
            const bool is_of_it = entry->want.kind == kind && entry->want.source == source;
            if (!is_of_it || !forget_entry(results, place)) {
                place = &entry->next;
            }
        }
    }
    system_mutex_unlock(&results->lock);
}

void results_finish(struct results *results, const struct want *want)
{
    struct slice slice;
    system_mutex_lock(&results->lock);
    struct entry *const entry = results_find(results, want);
    while (entry != NULL && entry->stage == ENTRY_RUNS) {
        system_condition_wait(&results->news, &results->lock);
    }
    if (entry != NULL) {
        atomic_store_explicit(&entry->is_stopped, false, memory_order_relaxed);
    }
    while (entry != NULL && entry->stage == ENTRY_WAITS &&
           results_begin_slice(results, entry, &slice)) {
        system_mutex_unlock(&results->lock);
        const enum slice_end end = results->kind[want->kind].row->work(&slice);
        system_mutex_lock(&results->lock);
        results_end_slice(results, entry, &slice, end);
    }
    system_mutex_unlock(&results->lock);
}

void results_stop(struct results *results, const struct want *want)
{
    system_mutex_lock(&results->lock);
    struct entry *const entry = results_find(results, want);
    if (entry != NULL) {
        stop_entry(results, entry);
    }
    system_mutex_unlock(&results->lock);
}

/* ---- frames ---- */

static void release_retired(struct results *results)
{
    while (results->retirees > 0) {
        value_release(results->retired[--results->retirees]);
    }
}

void results_begin(struct results *results)
{
    system_mutex_lock(&results->lock);
    results->frame++;
    results->first = NULL;
    results->last = &results->first;
    results->seen = results->came;
    release_retired(results);
    system_mutex_unlock(&results->lock);
}

/* An entry that no frame wants is stopped. Returns whether it is forgotten, for there is nothing of
 * it. */
static bool end_unwanted(struct results *results, struct entry **place)
{
    struct entry *const entry = *place;
    const bool has_failed = entry->stage == ENTRY_HAS_FAILED;
    const bool is_empty = entry->value == NULL && entry->state == NULL && !has_failed &&
                          entry->rests != ENTRY_IS_GIVEN_UP;
    const bool lacked_memory = has_failed && entry->error.code == ERROR_MEMORY;
    const bool is_forgotten = entry->stage != ENTRY_RUNS &&
                              (is_empty || lacked_memory || entry->rests == ENTRY_IS_FORGOTTEN);
    if (entry->stage == ENTRY_RUNS && results->time > entry->wanted_at + PATIENCE) {
        atomic_store_explicit(&entry->is_stopped, true, memory_order_relaxed);
    }
    if (is_forgotten) {
        drop_entry(results, place);
    }
    return is_forgotten;
}

static void end_wants(struct results *results)
{
    for (size_t b = 0; b < RESULTS_TABLE; b++) {
        for (struct entry **place = &results->table[b]; *place != NULL;) {
            struct entry *const entry = *place;
            const bool is_wanted = entry->frame == results->frame;
            entry->wanted_at = is_wanted ? results->time : entry->wanted_at;
            if (is_wanted || !end_unwanted(results, place)) {
                place = &entry->next;
            }
        }
    }
}

/* The place of the entry that no frame wants for the longest time; NULL: there is none. */
static struct entry **find_oldest(struct results *results)
{
    struct entry **oldest = NULL;
    for (size_t b = 0; b < RESULTS_TABLE; b++) {
        for (struct entry **place = &results->table[b]; *place != NULL; place = &(*place)->next) {
            const struct entry *const entry = *place;
            if (entry->frame != results->frame && entry->stage != ENTRY_RUNS &&
                (oldest == NULL || entry->frame < (*oldest)->frame)) {
                oldest = place;
            }
        }
    }
    return oldest;
}

static void keep_bounds(struct results *results)
{
    struct entry **oldest = NULL;
    while ((results->bytes > results->bytes_max || results->count > ENTRIES_MAX) &&
           (oldest = find_oldest(results)) != NULL) {
        drop_entry(results, oldest);
    }
}

static size_t count_missing(const struct results *results)
{
    size_t missing = 0;
    for (const struct entry *e = results->first; e != NULL; e = e->behind) {
        missing += entry_is_missing(e);
    }
    return missing;
}

size_t results_end(struct results *results, double time)
{
    system_mutex_lock(&results->lock);
    results->time = time;
    end_wants(results);
    keep_bounds(results);
    for (size_t s = 0; s < RESULTS_SLOTS_MAX; s++) {
        if (results->slot[s].frame != results->frame) { /* its panel is closed */
            clear_slot(&results->slot[s]);
        }
    }
    system_mutex_unlock(&results->lock);
    results_start_threads(results);
    return results_missing(results);
}

size_t results_missing(struct results *results)
{
    system_mutex_lock(&results->lock);
    const size_t missing = count_missing(results);
    system_mutex_unlock(&results->lock);
    return missing;
}

bool results_run_unwanted(struct results *results)
{
    bool runs = false;
    system_mutex_lock(&results->lock);
    for (size_t w = 0; w < results->threads; w++) {
        const struct entry *const entry = results->worker[w].runs;
        runs = runs || (entry != NULL && entry->frame != results->frame);
    }
    system_mutex_unlock(&results->lock);
    return runs;
}

bool results_have_news(struct results *results)
{
    system_mutex_lock(&results->lock);
    const bool have = results->came != results->seen;
    system_mutex_unlock(&results->lock);
    return have;
}

void results_wait(struct results *results)
{
    system_mutex_lock(&results->lock);
    while (results->came == results->seen && count_missing(results) > 0) {
        system_condition_wait(&results->news, &results->lock);
    }
    system_mutex_unlock(&results->lock);
}

size_t results_bytes(struct results *results)
{
    system_mutex_lock(&results->lock);
    const size_t bytes = results->bytes;
    system_mutex_unlock(&results->lock);
    return bytes;
}

size_t results_count(struct results *results)
{
    system_mutex_lock(&results->lock);
    const size_t count = results->count;
    system_mutex_unlock(&results->lock);
    return count;
}

uint32_t results_number(struct results *results, const void *bytes, size_t size)
{
    system_mutex_lock(&results->lock);
    const uint32_t number = interned_number(&results->interned, bytes, size);
    system_mutex_unlock(&results->lock);
    return number;
}

void results_set_kind(struct results *results, uint32_t kind, const struct result_kind *row,
                      void *owner)
{
    system_mutex_lock(&results->lock);
    results->kind[kind] = (struct kind_row){row, owner};
    system_mutex_unlock(&results->lock);
}

/* ---- all of it ---- */

struct results *results_open(size_t threads, size_t bytes_max)
{
    struct results *const results = calloc(1, sizeof *results);
    if (results == NULL) {
        return NULL;
    }
    system_mutex_open(&results->lock);
    system_condition_open(&results->news);
    results->bytes_max = bytes_max;
    results->last = &results->first;
    results->threads = threads < RESULTS_THREADS_MAX ? threads : RESULTS_THREADS_MAX;
    for (size_t w = 0; w < results->threads; w++) {
        results->worker[w].results = results;
    }
    return results;
}

void results_close(struct results *results)
{
    if (results == NULL) {
        return;
    }
    results_stop_threads(results);
    release_retired(results);
    for (size_t s = 0; s < RESULTS_SLOTS_MAX; s++) {
        clear_slot(&results->slot[s]);
    }
    for (size_t b = 0; b < RESULTS_TABLE; b++) {
        while (results->table[b] != NULL) {
            drop_entry(results, &results->table[b]);
        }
    }
    interned_free(&results->interned);
    free(results->retired);
    system_condition_close(&results->news);
    system_mutex_close(&results->lock);
    free(results);
}
