/* tests/transcript.h — texts about numbers as a digest, so that a change of how they are made shows
 * whether it changes them. */
#ifndef TESTS_TRANSCRIPT_H
#define TESTS_TRANSCRIPT_H

#include <stdint.h>
#include <stdio.h>

#include "lab/explain/block_words.h"

enum { LINE = 128 };

/* Where texts go: into a digest, and to the standard output where they are asked for. */
struct transcript {
    uint64_t digest;
    bool prints;
};

static inline void put(struct transcript *transcript, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) { /* FNV-1a */
        transcript->digest = (transcript->digest ^ (unsigned char)*c) * 1099511628211U;
    }
    if (transcript->prints) {
        fputs(text, stdout);
    }
}

static inline void put_cell(struct transcript *transcript, size_t part, size_t head, size_t row,
                            size_t column)
{
    char text[LINE];
    if (part == LAB_SCALED) { /* its number is the count of parts, to which others are added */
        snprintf(text, sizeof text, "{S′ %zu %zu %zu}", head, row, column);
    } else {
        snprintf(text, sizeof text, "{%zu %zu %zu %zu}", part, head, row, column);
    }
    put(transcript, text);
}

static inline void put_explanation(struct transcript *transcript, const struct lab_explanation *of)
{
    char role[8];
    put(transcript, of->title);
    put(transcript, "\n  ");
    for (size_t p = 0; p < of->pieces; p++) {
        const struct lab_piece *const piece = &of->piece[p];
        snprintf(role, sizeof role, "<%d>", (int)piece->role);
        put(transcript, piece->role == LAB_ROLE_NONE ? "" : role);
        put(transcript, piece->text);
        if (piece->has_cell) {
            put_cell(transcript, piece->part, piece->head, piece->row, piece->column);
        }
    }
    put(transcript, "\n  ");
    put(transcript, of->sentence);
    put(transcript, of->detail == NULL ? "" : of->detail);
    put(transcript, "\n");
}

/* Appends everything that is said of every step of a block, for each token. */
static inline void put_block_words(struct transcript *transcript, const struct lab_block *block,
                                   const char *const *words)
{
    struct arena arena = {0};
    for (size_t i = 0; i < lab_block_facts(block).n; i++) {
        for (size_t s = 0; s < lab_block_facts(block).steps; s++) {
            const struct lab_block_place at = {s, i, i + s};
            const struct lab_explanation of = lab_block_explain(block, words, at, 3, &arena);
            put_explanation(transcript, &of);
            put(transcript, lab_block_rule(block, s, &arena));
            put(transcript, lab_block_short_rule(block, s, &arena));
        }
        put(transcript, lab_block_describe(block, words, i, &arena));
    }
    arena_free(&arena);
}

#endif
