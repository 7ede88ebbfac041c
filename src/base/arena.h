/* base/arena.h — memory for what lives and dies together: a frame, a trace, a parsed file.
 *
 *     struct arena arena = {0};                    an empty arena is all zero
 *     float *row = arena_array(&arena, n, sizeof *row);
 *     arena_reset(&arena);                         everything is gone, the memory is kept
 *     arena_free(&arena);                          everything is gone, the memory too */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum { ARENA_ALIGNMENT = 64 }; /* of every block arena_alloc and arena_array give */

struct arena_block;

struct arena {
    struct arena_block *first;   /* blocks in the order of use */
    struct arena_block *current; /* the block that is being filled */
    bool lacking; /* something was refused since it was empty: whoever made a text or a picture here
                     without looking at each piece finds out at its end */
};

/* size bytes, all zero, aligned to ARENA_ALIGNMENT, owned by the arena. NULL when there is no
 * memory. */
void *arena_alloc(struct arena *arena, size_t size);

/* count · size bytes as arena_alloc. NULL too when the product does not fit. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A copy of length bytes of text with a 0 behind it, owned by the arena (not aligned). NULL: no
 * memory. */
char *arena_text(struct arena *arena, const char *text, size_t length);

/* A formatted text, owned by the arena. NULL: no memory. */
char *arena_format(struct arena *arena, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The same, "" without memory, so that it can stand among other texts. */
const char *arena_words(struct arena *arena, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Forgets everything and keeps the memory for the next round: no allocation once warm. */
void arena_reset(struct arena *arena);

/* Gives all memory back. The arena is empty again and may be used anew. */
void arena_free(struct arena *arena);

#endif
