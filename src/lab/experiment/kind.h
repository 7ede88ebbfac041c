/* lab/experiment/kind.h — kinds of attention by how keys and values are made and shared. */
#ifndef LAB_EXPERIMENT_KIND_H
#define LAB_EXPERIMENT_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum lab_kind {
    LAB_MULTI_HEAD,  /* every head has keys and values of its own */
    LAB_GROUPED,     /* G groups of heads share them */
    LAB_MULTI_QUERY, /* all heads share one */
    LAB_LATENT,      /* every head rebuilds them from one latent of R numbers a token */
    LAB_KINDS
};

enum { LAB_KIND_TEXT_MAX = 32 };

struct lab_kind_row {
    const char *name;        /* as options begin: "mha", "gqa", "mqa", "latent" */
    const char *pattern;     /* as options write all of it: "gqa:G" */
    const char *title;       /* "Multi-head" */
    const char *formula;     /* "K = X·W_K for every head" */
    const char *sentence;    /* what it is good for */
    const char *number_name; /* "G", "R"; NULL: it has none */
};

/* Returns the row of a kind, which must be below LAB_KINDS. */
const struct lab_kind_row *lab_kind_row(enum lab_kind kind);

/* Writes "mha", "gqa:2", "mqa" or "latent:8" into text and returns it. */
const char *lab_kind_text(enum lab_kind kind, size_t number, char text[LAB_KIND_TEXT_MAX]);

/* Reads such a text; *number is 0 where none was written or the kind has none. Returns false with a
 * sentence that says what would fit. */
bool lab_kind_parse(const char *text, enum lab_kind *kind, size_t *number, struct error *error);

/* Returns the number that holds where nobody set one: half the heads as groups where that divides
 * them (else 1), half of d_model as latent (at least 1); 0 for kinds without. */
size_t lab_kind_preset(enum lab_kind kind, size_t heads, size_t d_model);

#endif
