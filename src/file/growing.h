/* file/growing.h — bytes that grow in an arena while a writer appends to them. A lack of memory is
 * remembered: appending then does nothing, and growing_finish reports it. */
#ifndef FILE_GROWING_H
#define FILE_GROWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

/* Called with the length so far, every 64 KB; returning false stops the text, which fails then. */
struct growing_progress {
    bool (*goes_on)(void *owner, size_t size);
    void *owner;
};

/* Receives what has grown, 64 KB at a time, so that a text of any length needs no memory. Where it
 * returns false, appending fails. `replace` gives other bytes for some that were written, `at`
 * bytes from the first of all; NULL: this sink cannot go back. */
struct growing_sink {
    bool (*take)(void *owner, struct bytes part);
    bool (*replace)(void *owner, uint64_t at, struct bytes part);
    void *owner;
};

struct growing {
    struct arena *arena;
    uint8_t *at;
    size_t size;
    size_t capacity;
    bool failed;
    const struct growing_sink *sink;         /* NULL: it grows as a whole */
    const struct growing_progress *progress; /* NULL: none */
    size_t reported;                         /* the length at its last report */
    uint64_t taken;                          /* bytes that the sink has, before those at `at` */
};

/* Begins an empty text, which the arena owns. */
struct growing growing_start(struct arena *arena);

void growing_put(struct growing *growing, const void *bytes, size_t size);
void growing_put_text(struct growing *growing, const char *text); /* up to its 0 */
void growing_put_byte(struct growing *growing, char byte);
void growing_put_spaces(struct growing *growing, size_t count);

/* growing_length returns how many bytes were appended so far; growing_replace gives other bytes for
 * some of these. */
uint64_t growing_length(const struct growing *growing);
void growing_replace(struct growing *growing, uint64_t at, const void *bytes, size_t size);

/* Returns all that was appended, with a 0 behind it that is not counted; where a sink has it,
 * nothing is left. False: memory ran out, here or for anything else that was asked of the arena. */
bool growing_finish(struct growing *growing, struct bytes *out, struct error *error);

#endif
