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

enum { UNPACK_X_ROWS = 32 /* rows of x that a product has at most */ };

/* out [x_rows][rows] = x [x_rows][depth] times rows of blocks [rows][depth], whose numbers are not
 * copied first. Each sum is one chain of fused multiply-adds from the first term to the last,
 * started at +0: the bits of attn_scores with what the blocks are unpacked to. */
struct unpack_product {
    const uint8_t *const *row; /* [rows] where each begins */
    size_t rows, depth;        /* a row is whole blocks */
    const float *x;
    size_t x_rows, x_stride; /* 1 to UNPACK_X_ROWS */
    float *out;
    size_t out_stride;
};

typedef void unpack_product_function(const struct unpack_product *of);

struct unpack_set {
    const char *name;
    bool (*supported)(void);
    /* IEEE binary16 and bfloat16 of this machine's byte order. */
    void (*halves)(const uint8_t *from, size_t count, float *out);
    void (*brain_halves)(const uint8_t *from, size_t count, float *out);
    /* So many blocks, one behind the other. */
    void (*blocks[UNPACK_KINDS])(const uint8_t *from, size_t blocks, float *out);
    unpack_product_function *products[UNPACK_KINDS]; /* NULL: the set has none */
};

/* The best that this processor has. */
const struct unpack_set *unpack_best(void);

/* That of the best set which has one; NULL: there is none, blocks are unpacked before a product. */
unpack_product_function *unpack_product_of(enum unpack_blocks kind);

/* Those that it has, best first; NULL behind the last, which is plain C. */
const struct unpack_set *unpack_set_at(size_t index);

#endif
