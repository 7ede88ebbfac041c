/* model/bpe_parts.h — what a tokenizer is made of; for bpe.c and bpe_read.c only. */
#ifndef MODEL_BPE_PARTS_H
#define MODEL_BPE_PARTS_H

#include "model/bpe.h"

struct bpe_merge {
    uint32_t left, right, merged; /* ids */
    uint32_t rank;                /* its place in the list; smaller is merged first */
};

/* A token that is looked for before text is split. */
struct bpe_special {
    const char *text;
    size_t length;
    uint32_t id;
};

struct bpe {
    struct arena arena;         /* everything below stands here */
    const struct bytes *tokens; /* [size] by id; size 0: no such id */
    size_t size;
    uint32_t byte_id[256];    /* the token of a single byte */
    struct bpe_merge *merges; /* by left, then right */
    size_t merge_count;
    const size_t *first_merge; /* [size + 1] of each left */
    struct bpe_special specials[BPE_SPECIALS_MAX];
    size_t special_count;
    bool special_first[256]; /* whether a special token begins with this byte */
};

#endif
