/* lab/experiment/variant.h — every kind of attention by one name: masks, ways to make and share
 * keys and values, positions, tiles. A row says what it is, shows where, teaches in which lesson;
 * the tests go through all rows. */
#ifndef LAB_EXPERIMENT_VARIANT_H
#define LAB_EXPERIMENT_VARIANT_H

#include "lab/experiment/experiment.h"
#include "lab/experiment/stage.h"

struct lab_variant_row {
    const char *name;     /* "causal", "gqa" */
    const char *title;    /* "Causal" */
    const char *formula;  /* "j ≤ i" */
    const char *lesson;   /* the built-in lesson that shows it */
    enum lab_stage stage; /* where its own picture is */
};

/* How many there are, and the row (index below it). Row 0 is plain multi-head self-attention. */
size_t lab_variant_count(void);
const struct lab_variant_row *lab_variant_row(size_t index);

/* By name; false: there is none. */
bool lab_variant_find(const char *name, size_t *index);

/* *to, which is released by the caller, becomes the experiment made into that kind: words, numbers
 * and settings stay, mask, sharing, positions, context and tiles are those of the kind alone.
 * Numbers of its own that *from has (the window's width) are kept. */
void lab_variant_apply(size_t index, const struct lab_experiment *from, struct lab_experiment *to);

/* The row that the experiment is, apart from numbers; lab_variant_count(): a mixture of several. */
size_t lab_variant_of(const struct lab_experiment *experiment);

#endif
