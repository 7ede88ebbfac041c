/* base/arena.c — see arena.h. A list of blocks, filled from the first to the last. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/translate.h"

enum { SMALLEST_BLOCK = 64 * 1024, LARGEST_USUAL_BLOCK = 4 * 1024 * 1024 };

struct arena_block {
    struct arena_block *next;
    uint8_t *start; /* aligned, inside the same allocation */
    size_t capacity;
    size_t used;
    size_t touched; /* bytes behind this are zero */
};

static struct arena_block *block_create(size_t capacity)
{
    size_t total = 0;
    if (!checked_add(capacity, sizeof(struct arena_block) + ARENA_ALIGNMENT, &total)) {
        return NULL;
    }
    /* The system gives large ones as zeros that cost nothing until they are touched; in others what
     * is given out is zeroed, not the whole. */
    const bool zeroed = capacity > LARGEST_USUAL_BLOCK;
    struct arena_block *block = zeroed ? calloc(1, total) : malloc(total);
    if (block == NULL) {
        return NULL;
    }
    *block = (struct arena_block){.touched = zeroed ? 0 : capacity};
    uintptr_t behind = (uintptr_t)(block + 1);
    size_t gap = (ARENA_ALIGNMENT - behind % ARENA_ALIGNMENT) % ARENA_ALIGNMENT;
    block->start = (uint8_t *)(block + 1) + gap;
    block->capacity = capacity;
    return block;
}

/* size zeroed bytes of this block, or NULL when they do not fit. */
static void *block_take(struct arena_block *block, size_t size, size_t alignment)
{
    size_t gap = (alignment - block->used % alignment) % alignment;
    size_t left = block->capacity - block->used;
    if (gap > left || size > left - gap) {
        return NULL;
    }
    size_t begin = block->used + gap;
    size_t end = begin + size;
    if (begin < block->touched) {
        memset(block->start + begin, 0, (end < block->touched ? end : block->touched) - begin);
    }
    if (end > block->touched) {
        block->touched = end;
    }
    block->used = end;
    return block->start + begin;
}

/* Puts a new block of at least size bytes behind the current one. */
static bool add_block(struct arena *arena, size_t size)
{
    size_t capacity = SMALLEST_BLOCK;
    if (arena->current != NULL) {
        capacity = arena->current->capacity;
        capacity = capacity < LARGEST_USUAL_BLOCK / 2 ? 2 * capacity : LARGEST_USUAL_BLOCK;
    }
    struct arena_block *block = block_create(size > capacity ? size : capacity);
    if (block == NULL) {
        return false;
    }
    if (arena->current == NULL) {
        arena->first = block;
    } else {
        block->next = arena->current->next;
        arena->current->next = block;
    }
    arena->current = block;
    return true;
}

static void *find_room(struct arena *arena, size_t size, size_t alignment)
{
    if (arena->current == NULL && !add_block(arena, size)) {
        return NULL;
    }
    for (;;) {
        void *memory = block_take(arena->current, size, alignment);
        if (memory != NULL) {
            return memory;
        }
        struct arena_block *next = arena->current->next;
        if (next == NULL || next->capacity < size) {
            return add_block(arena, size) ? block_take(arena->current, size, alignment) : NULL;
        }
        next->used = 0;
        arena->current = next;
    }
}

static void *allocate_bytes(struct arena *arena, size_t size, size_t alignment)
{
    void *const memory = find_room(arena, size, alignment);
    arena->lacking = arena->lacking || memory == NULL;
    return memory;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    return allocate_bytes(arena, size, ARENA_ALIGNMENT);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    size_t total = 0;
    const bool fits = checked_multiply(count, size, &total);
    arena->lacking = arena->lacking || !fits;
    return fits ? arena_alloc(arena, total) : NULL;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    size_t size = 0;
    if (!checked_add(length, 1, &size)) {
        return NULL;
    }
    char *copy = allocate_bytes(arena, size, 1);
    if (copy != NULL && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

static char *format_words(struct arena *arena, const char *words, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, words, arguments);
    const size_t size = length < 0 ? 0 : (size_t)length + 1;
    char *const text = length < 0 ? NULL : allocate_bytes(arena, size, 1);
    if (text != NULL) {
        (void)vsnprintf(text, size, words, again);
    }
    va_end(again);
    return text;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *const text = format_words(arena, tr(format), arguments);
    va_end(arguments);
    return text;
}

const char *arena_words(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *const text = format_words(arena, tr(format), arguments);
    va_end(arguments);
    return text == NULL ? "" : text;
}

void arena_reset(struct arena *arena)
{
    arena->current = arena->first;
    arena->lacking = false;
    if (arena->first != NULL) {
        arena->first->used = 0;
    }
}

void arena_free(struct arena *arena)
{
    struct arena_block *block = arena->first;
    while (block != NULL) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (struct arena){0};
}
