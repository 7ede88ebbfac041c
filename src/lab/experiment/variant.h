/* lab/experiment/variant.h — every kind of attention by one name: masks, ways to make and share
 * keys and values, positions, tiles. A row names the kind, where it shows and its lesson; the tests
 * go through all rows. */
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

/* Return the number of rows, and the row at an index. Row 0 is plain multi-head self-attention. */
size_t lab_variant_count(void);
const struct lab_variant_row *lab_variant_row(size_t index);

/* Makes *to, which the caller releases, that kind of *from: words, numbers and settings stay, while
 * mask, sharing, positions, context and tiles are those of the kind alone. Numbers of the kind that
 * *from has (such as the window's width) are kept. */
void lab_variant_apply(size_t index, const struct lab_experiment *from, struct lab_experiment *to);

/* Returns the row that the experiment is, apart from numbers; lab_variant_count(): it mixes
 * several. */
size_t lab_variant_of(const struct lab_experiment *experiment);

#endif
