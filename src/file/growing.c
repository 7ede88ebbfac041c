/* file/growing.c — see growing.h. */
#include "file/growing.h"

#include <string.h>

#include "base/checked.h"

enum { FIRST_CAPACITY = 4096, REPORT_EVERY = 1 << 16, SINK_EVERY = 1 << 16 };

struct growing growing_start(struct arena *arena)
{
    return (struct growing){.arena = arena};
}

/* Says whether the progress lets it go on. */
static bool goes_on(struct growing *growing)
{
    if (growing->progress == NULL || growing->size < growing->reported + REPORT_EVERY) {
        return true;
    }
    growing->reported = growing->size;
    return growing->progress->goes_on(growing->progress->owner, growing->size);
}

/* Returns whether the sink, if there is one, has taken all so far. */
static bool flush_to_sink(struct growing *growing)
{
    const struct growing_sink *const sink = growing->sink;
    const struct bytes part = {growing->at, growing->size};
    if (sink == NULL || growing->failed || growing->size == 0) {
        return !growing->failed;
    }
    growing->taken += growing->size;
    growing->size = growing->reported = 0;
    growing->failed = !sink->take(sink->owner, part);
    return !growing->failed;
}

/* Room for size more bytes and a 0. */
static bool make_room(struct growing *growing, size_t size)
{
    size_t wanted = 0;
    if (growing->sink != NULL && growing->size >= SINK_EVERY && !flush_to_sink(growing)) {
        return false;
    }
    if (growing->failed || !goes_on(growing) || !checked_add(growing->size, size, &wanted) ||
        !checked_add(wanted, 1, &wanted)) {
        growing->failed = true;
        return false;
    }
    if (wanted <= growing->capacity) {
        return true;
    }
    size_t capacity = growing->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : growing->capacity;
    while (capacity < wanted) {
        if (!checked_multiply(capacity, 2, &capacity)) {
            capacity = wanted;
        }
    }
    uint8_t *wider = arena_alloc(growing->arena, capacity);
    if (wider == NULL) {
        growing->failed = true;
        return false;
    }
    if (growing->size > 0) {
        memcpy(wider, growing->at, growing->size);
    }
    growing->at = wider;
    growing->capacity = capacity;
    return true;
}

void growing_put(struct growing *growing, const void *bytes, size_t size)
{
    if (size > 0 && make_room(growing, size)) {
        memcpy(growing->at + growing->size, bytes, size);
        growing->size += size;
    }
}

void growing_put_text(struct growing *growing, const char *text)
{
    growing_put(growing, text, strlen(text));
}

void growing_put_byte(struct growing *growing, char byte)
{
    growing_put(growing, &byte, 1);
}

void growing_put_spaces(struct growing *growing, size_t count)
{
    if (make_room(growing, count)) {
        memset(growing->at + growing->size, ' ', count);
        growing->size += count;
    }
}

uint64_t growing_length(const struct growing *growing)
{
    return growing->taken + growing->size;
}

void growing_replace(struct growing *growing, uint64_t at, const void *bytes, size_t size)
{
    const struct growing_sink *const sink = growing->sink;
    if (growing->failed || size == 0) {
        return;
    }
    if (at > growing_length(growing) || size > growing_length(growing) - at) {
        growing->failed = true;
    } else if (at >= growing->taken) {
        memcpy(growing->at + (size_t)(at - growing->taken), bytes, size);
    } else if (flush_to_sink(growing)) { /* some of it may still be here */
        growing->failed =
            sink->replace == NULL || !sink->replace(sink->owner, at, (struct bytes){bytes, size});
    }
}

bool growing_finish(struct growing *growing, struct bytes *out, struct error *error)
{
    if (!flush_to_sink(growing) || !make_room(growing, 0) || growing->arena->lacking) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory for what is to be written.");
    }
    growing->at[growing->size] = 0;
    *out = (struct bytes){growing->at, growing->size};
    return true;
}
