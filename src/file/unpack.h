/* file/unpack.h — numbers of few bits as float32, by the best instructions of this processor. Every
 * set gives the same bits. */
#ifndef FILE_UNPACK_H
#define FILE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of blocks, by the names that GGUF has for them. */
enum unpack_blocks {
    UNPACK_NONE,
    UNPACK_Q4_0,
    UNPACK_Q4_1,
    UNPACK_Q5_0,
    UNPACK_Q5_1,
    UNPACK_Q8_0,
    UNPACK_Q2_K,
    UNPACK_Q3_K,
    UNPACK_Q4_K,
    UNPACK_Q5_K,
    UNPACK_Q6_K,
    UNPACK_IQ4_NL,
    UNPACK_IQ4_XS,
    UNPACK_MXFP4,
    UNPACK_KINDS
};

struct unpack_set {
    const char *name;
    bool (*supported)(void);
    /* IEEE binary16 and bfloat16 of this machine's byte order. */
    void (*halves)(const uint8_t *from, size_t count, float *out);
    void (*brain_halves)(const uint8_t *from, size_t count, float *out);
    /* So many blocks, one behind the other. */
    void (*blocks[UNPACK_KINDS])(const uint8_t *from, size_t blocks, float *out);
};

/* The best that this processor has. */
const struct unpack_set *unpack_best(void);

/* Those that it has, best first; NULL behind the last, which is plain C. */
const struct unpack_set *unpack_set_at(size_t index);

#endif
