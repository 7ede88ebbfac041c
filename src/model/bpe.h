/* model/bpe.h — byte-pair encoding of one piece of a text: of two neighbours the pair that stands
 * first in the list of merges becomes one token, until no pair is in the list (Sennrich, Haddow and
 * Birch 2016).
 *
 * Instead of a list there may be a score for each token, as SentencePiece has it: then the pair
 * whose token has the highest score is merged first. */
#ifndef MODEL_BPE_H
#define MODEL_BPE_H

#include "model/vocabulary.h"

#define BPE_NOWHERE UINT32_MAX /* no neighbour; no token */

enum {
    BPE_MERGES_MAX = 1000000,
    BPE_LINE_BYTES_MAX = 4096, /* of the list of merges */
    BPE_LETTERS = 0x180,       /* code points whose token is known at once are below */
};

struct bpe_merge {
    uint32_t left, right, merged; /* ids */
    uint32_t rank;                /* its place in the list; smaller is merged first */
};

struct bpe {
    const struct vocabulary *vocabulary;
    struct bpe_merge *merges; /* [merge_count] by left, then right */
    size_t merge_count;
    const size_t *first_merge; /* [vocabulary's size + 1] of each left */
    const float *scores;       /* [vocabulary's size] in place of merges; NULL: merges */
    const char *prefix;        /* of a letter that is not a piece's first; "" mostly */
    const char *suffix;        /* of a piece's last letter; "" mostly */
    uint32_t unknown;          /* for a letter without token; BPE_NOWHERE: it is left out */
    bool fuse_unknown;         /* several in a row are one */
    bool bytes;                /* a letter without token becomes bytes: <0xE2> */
    bool whole;                /* a piece that is a token is not merged ("ignore_merges") */
    uint32_t letters[BPE_LETTERS];
    uint32_t byte_tokens[256]; /* from <0x00> on; BPE_NOWHERE: there is none */
};

/* Looks up the tokens of letters and bytes, after the vocabulary is there. Returns true. */
bool bpe_letters(struct bpe *bpe);

/* After vocabulary and merges are there. `file`: for the sentence about a pair that is listed
 * twice. */
bool bpe_finish(struct bpe *bpe, const char *file, struct arena *arena, struct error *error);

/* Memory for merging; all zero at first. bpe_bench_free gives it back. */
struct bpe_bench {
    struct arena arena;
    size_t room;
    struct bpe_link *links;
    struct bpe_candidate *heap;
    size_t candidates;
    size_t count; /* of links */
    size_t steps; /* links laid, offers moved in the heap */
};
void bpe_bench_free(struct bpe_bench *bench);

/* The ids of one piece into out, which has room for its bytes and the suffix; *count grows. Takes
 * time in proportion to length · log(length). False: memory. */
bool bpe_piece(const struct bpe *bpe, struct bpe_bench *bench, const char *piece, size_t length,
               uint32_t *out, size_t *count);

/* The end of the piece that begins at text[at], at < length, by GPT-2's pattern (model/pieces.c):
 * what its merging never crosses. */
size_t bpe_piece_end(const char *text, size_t length, size_t at);

#endif
