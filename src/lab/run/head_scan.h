/* lab/run/head_scan.h — one head looked at: its weights reduced to a small picture, and measured.
 * Sums are taken in the order of the weights, so that the same head always has the same bits. */
#ifndef LAB_RUN_HEAD_SCAN_H
#define LAB_RUN_HEAD_SCAN_H

#include "lab/run/thumbnails.h"

/* Everything that a look at one head needs. */
struct lab_head_scan {
    const struct lab_thumbnails_source *source;
    struct lab_thumbnails_sizes sizes;
    float *alpha;     /* [n][m] */
    size_t *query_id; /* [n] equal numbers: equal words */
    size_t *key_id;   /* [m] */
    size_t *first;    /* [n + m] by id: the first key that is this word; m: none is … */
    size_t *next;     /* [m] … and the next one behind a key */
    /* of the head that is looked at: */
    size_t *end; /* [n] behind a row's last weight: from there on all are 0 and change no sum */
    double *row_bits, *row_far, *rest; /* [n] */
    double *whole;                     /* [n] 1; 0 of a row without any weight: it is no word's */
    double *key_sums;                  /* [m] */
    bool *sink;                        /* [m] */
    size_t *list;                      /* [m] columns that are sinks */
};

/* The picture of alpha: of each of sizes.rows · sizes.cols cells the largest weight and the mean.
 * It comes first: what it finds out of the rows is used by the measures. */
void lab_head_scan_reduce(struct lab_head_scan *scan, float *largest, float *mean);

/* Every measure [LAB_HEAD_MEASURES], and what it is of the rest beside the sinks. Returns how many
 * sinks there are; scan->list has their columns. */
size_t lab_head_scan_measure(struct lab_head_scan *scan, float *head_measure, float *of_rest);

#endif
