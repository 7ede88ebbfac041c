/* lab/atlas.h — every head of every layer on one text: a small picture of each, and what it does in
 * one number each.
 *
 * A picture has at most LAB_ATLAS_SIDE rows and columns. Where there are more words, each of its
 * cells stands for a block of weights, by their largest (so that one bright weight never
 * disappears) and by their mean. An atlas never changes, and is shared by counting. */
#ifndef LAB_ATLAS_H
#define LAB_ATLAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { LAB_ATLAS_SIDE = 64, LAB_ATLAS_HEADS_MAX = 4096 /* layers · heads */ };

/* What is measured of a head on the text: shares 0 … 1, bits, or words. */
enum lab_head_measure {
    LAB_HEAD_MEASURE_PREVIOUS, /* to the word before */
    LAB_HEAD_MEASURE_FIRST,    /* to the first word */
    LAB_HEAD_MEASURE_SAME,     /* to the same word, wherever it stands */
    LAB_HEAD_MEASURE_REPEATED, /* to the word that followed the last time: induction (Olsson et al.
                                * 2022)
                                */
    LAB_HEAD_MEASURE_ENTROPY,  /* how spread out, in bits */
    LAB_HEAD_MEASURE_DISTANCE, /* how far back, in words */
    LAB_HABITS
};

struct lab_head_measure_row {
    const char *name;       /* as options write it: "previous" */
    const char *title;      /* "previous token" */
    const char *definition; /* one sentence, with its sum */
    const char *unit;       /* "%", "bits", "words" */
    bool is_share;
};
const struct lab_head_measure_row *lab_head_measure_row(enum lab_head_measure head_measure);

/* Where the weights are. */
struct lab_atlas_source {
    size_t layers, heads, n, m;
    const char *const *queries, *const *keys; /* n and m words */
    /* Fills out [n][m]; false: they could not be had. */
    bool (*weights)(void *owner, size_t layer, size_t head, float *out);
    /* Called before each head; false: give up. NULL: nobody listens. */
    bool (*on_head)(void *owner, size_t done, size_t all);
    void *owner;
};

struct lab_atlas;

/* Looks at every head once. The caller holds one reference. NULL and a sentence: no memory, too
 * many heads, weights that could not be had; NULL and ERROR_NONE: the listener gave up. */
struct lab_atlas *lab_atlas_make(const struct lab_atlas_source *source, struct error *error);
struct lab_atlas *lab_atlas_keep(const struct lab_atlas *atlas);
void lab_atlas_release(const struct lab_atlas *atlas); /* NULL is fine */

/* Sizes of the atlas and of its pictures. */
struct lab_atlas_sizes {
    size_t layers, heads, n, m;
    size_t rows, cols; /* of every picture; n and m where they fit */
};
struct lab_atlas_sizes lab_atlas_sizes(const struct lab_atlas *atlas);

/* One head: pictures [rows][cols], habits [LAB_HABITS] (NaN where the text has no case of it). */
struct lab_atlas_head {
    const float *largest, *mean;
    const float *head_measure;
};
struct lab_atlas_head lab_atlas_head(const struct lab_atlas *atlas, size_t layer, size_t head);

/* What a head does most: the head_measure of a share that is above one half, and the largest;
 * LAB_HABITS: none of them. */
enum lab_head_measure lab_atlas_kind(const struct lab_atlas *atlas, size_t layer, size_t head);

/* The places (layer · heads + head) of all heads into order [layers · heads], those with the most
 * of a head_measure first, unknown ones last, equal ones as they stand. */
void lab_atlas_sort(const struct lab_atlas *atlas, enum lab_head_measure head_measure,
                    size_t *order);

/* The same by what they do most (lab_atlas_kind): kinds in their order, those that do none of it
 * last; of a kind the one that does it most first. */
void lab_atlas_group(const struct lab_atlas *atlas, size_t *order);

#endif
