/* file/gguf_blocks.h — the kinds of numbers in a GGUF file, and how blocks of few bits become
 * float32.
 *
 * A block is 32 or 256 numbers that share a scale: x = d · q, or x = d · q + m, where q has as many
 * bits as the name says. In the kinds with K a block of 256 has 8 or 16 parts with scales of their
 * own, of few bits too. */
#ifndef FILE_GGUF_BLOCKS_H
#define FILE_GGUF_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/array.h"
#include "file/unpack.h"

enum { GGUF_BLOCK_MAX = 256 /* numbers */ };

struct gguf_kind {
    const char *name;          /* "Q4_K"; NULL: no such kind */
    uint16_t numbers;          /* of a block; 1: each stands alone */
    uint16_t bytes;            /* of a block */
    enum array_type single;    /* where each stands alone */
    enum unpack_blocks blocks; /* UNPACK_NONE where each stands alone, or cannot be read */
};

/* The kind of that number in a file; NULL: there is none. */
const struct gguf_kind *gguf_kind(uint32_t number);

/* Returns whether its numbers can be read. */
bool gguf_kind_readable(const struct gguf_kind *kind);

/* Writes the names of the kinds of blocks that can be read, with those of one beginning together:
 * "Q4_0/1 Q5_0/1 Q8_0". Returns out. */
enum { GGUF_NAMES_BYTES = 160 };
const char *gguf_readable_names(char out[GGUF_NAMES_BYTES]);

/* `count` numbers, a multiple of a block's, from bytes that hold as many. */
void gguf_unpack(const struct gguf_kind *kind, const uint8_t *bytes, size_t count, float *out);

#endif
