/* lab/run/thumbnails.h — every head of every layer on one text: a small picture of each, and what
 * it does in one number each.
 *
 * A picture has at most LAB_THUMBNAILS_SIDE rows and columns. Where there are more words, each of
 * its cells stands for a block of weights, by their largest (so that one bright weight never
 * disappears) and by their mean. They grow by layers; a layer that was looked at never changes.
 * They are shared by counting. */
#ifndef LAB_RUN_THUMBNAILS_H
#define LAB_RUN_THUMBNAILS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "lab/run/engine.h"

enum { LAB_THUMBNAILS_SIDE = 64, LAB_THUMBNAILS_HEADS_MAX = 16384 /* layers · heads */ };

/* The measures of a head on the text: shares from 0 to 1, bits, or words. */
enum lab_head_measure {
    LAB_HEAD_MEASURE_PREVIOUS, /* to the word before */
    LAB_HEAD_MEASURE_FIRST,    /* to the first word */
    LAB_HEAD_MEASURE_SAME,     /* to the same word, wherever it stands */
    LAB_HEAD_MEASURE_REPEATED, /* to the word that followed the last time: induction (Olsson et al.
                                * 2022)
                                */
    LAB_HEAD_MEASURE_ENTROPY,  /* how spread out, in bits */
    LAB_HEAD_MEASURE_DISTANCE, /* how far back, in words */
    LAB_HEAD_MEASURES
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
struct lab_thumbnails_source {
    size_t layers, heads, n, m;
    const char *const *queries, *const *keys; /* n and m words */
    /* Fills out [n][m]; false: they could not be had. */
    bool (*weights)(void *owner, size_t layer, size_t head, float *out);
    bool any_thread; /* several threads may ask for weights at once, and get them always; else one
                        at a time asks */
    struct lab_engine engine; /* whose threads look */
    /* Called before each head, by any thread but never by two at once; false: give up. NULL: nobody
     * listens. */
    bool (*on_head)(void *owner, size_t done, size_t all);
    void *owner;
};

struct lab_thumbnails;

/* Looks at every head once. The caller holds one reference. NULL and a sentence: no memory, too
 * many heads, weights that could not be had; NULL and ERROR_NONE: the listener gave up. */
struct lab_thumbnails *lab_thumbnails_make(const struct lab_thumbnails_source *source,
                                           struct error *error);

/* The same by and by: no layer is looked at yet; then those before `layers` that were not looked at
 * so far. The source is the same each time, and its weights of those layers are there. False as
 * above; what was looked at before stays. */
struct lab_thumbnails *lab_thumbnails_begin(const struct lab_thumbnails_source *source,
                                            struct error *error);
bool lab_thumbnails_look(struct lab_thumbnails *thumbnails,
                         const struct lab_thumbnails_source *source, size_t layers,
                         struct error *error);

/* One thread looks and another one reads meanwhile: layers that were looked at are ready to be read
 * when that one has taken them, so that all it does between two calls is of the same layers. True:
 * there are more than before. How many are ready: all, unless they are looked at by and by. */
bool lab_thumbnails_take(struct lab_thumbnails *thumbnails);
size_t lab_thumbnails_ready(const struct lab_thumbnails *thumbnails);

struct lab_thumbnails *lab_thumbnails_keep(const struct lab_thumbnails *thumbnails);
void lab_thumbnails_release(const struct lab_thumbnails *thumbnails); /* NULL is fine */

/* Sizes of the thumbnails and of its pictures. */
struct lab_thumbnails_sizes {
    size_t layers, heads, n, m;
    size_t rows, cols; /* of every picture; n and m where they fit */
};
struct lab_thumbnails_sizes lab_thumbnails_sizes(const struct lab_thumbnails *thumbnails);

/* One head of a layer that is ready: pictures [rows][cols], habits [LAB_HEAD_MEASURES] (NaN where
 * the text has no case of it). */
struct lab_thumbnails_head {
    const float *largest, *mean;
    const float *head_measure;
    /* The same of what is left without sinks: the first word, and words to which the others give
     * more than 0.3 on average, whatever they are. Each row's rest is taken as 1. */
    const float *of_rest;
    const bool *sink; /* [cols] of the picture: a sink is in it */
};
struct lab_thumbnails_head lab_thumbnails_head(const struct lab_thumbnails *thumbnails,
                                               size_t layer, size_t head);

/* The largest weight of all pictures without sinks; 0: there is nothing else. */
float lab_thumbnails_rest_top(const struct lab_thumbnails *thumbnails);

/* aside, in all of these: sinks are set aside.
 *
 * What a head does most: the head_measure of a share that is above one half, and the largest;
 * LAB_HEAD_MEASURES: none of them, or it is not ready. */
enum lab_head_measure lab_thumbnails_kind(const struct lab_thumbnails *thumbnails, size_t layer,
                                          size_t head, bool aside);

/* The places (layer · heads + head) of all heads into order [layers · heads], those with the most
 * of a head_measure first, unknown ones (and those that are not ready) last, equal ones as they
 * stand. */
void lab_thumbnails_sort(const struct lab_thumbnails *thumbnails,
                         enum lab_head_measure head_measure, bool aside, size_t *order);

/* The same by what they do most (lab_thumbnails_kind): kinds in their order, those that do none of
 * it last; of a kind the one that does it most first. */
void lab_thumbnails_group(const struct lab_thumbnails *thumbnails, bool aside, size_t *order);

#endif
