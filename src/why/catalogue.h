/* why/catalogue.h — what each head of a model does, measured on several texts: mean and spread. */
#ifndef WHY_CATALOGUE_H
#define WHY_CATALOGUE_H

#include "model/model.h"
#include "why/mean.h"

enum why_measure {
    WHY_PREVIOUS,   /* α(i, i − 1) */
    WHY_INDUCTION,  /* α(i, the word behind the last time that word i stood there) (Olsson et al.
                       2022) */
    WHY_DUPLICATE,  /* to earlier places of the same word */
    WHY_FIRST,      /* α(i, first word) */
    WHY_SELF,       /* α(i, i) */
    WHY_POSITIONAL, /* Σ min(α, α′) with the text before: 1 where words do not matter */
    WHY_ENTROPY,    /* of a row, in bits */
    WHY_NOUN,       /* α("is", the noun before), in the small world */
    WHY_MEASURES
};

/* "previous": as files and tables call it. */
const char *why_measure_name(enum why_measure measure);

/* The part of speech of a word in the small world. */
enum why_role { WHY_ROLE_OTHER, WHY_ROLE_NOUN, WHY_ROLE_IS };

struct why_catalogue {
    struct arena arena;
    size_t layers, heads, texts, n; /* n: words of the text before */
    struct why_mean *mean;      /* [measures][layers · heads] over the texts that have a case */
    const enum why_role *roles; /* [vocabulary] the caller's; NULL: it is not the small world */
    float *former; /* [layers · heads][n][n] α of the text before; NULL: there is none */
};

/* Begins an empty one; adds a text, of which the run has all its layers; and gives the mean and the
 * standard deviation over texts, NaN where no text has a case. False: memory. */
bool why_catalogue_start(const struct model *model, struct why_catalogue *out, struct error *error);
bool why_catalogue_add(struct why_catalogue *catalogue, const struct model_run *run,
                       struct error *error);
/* Says whether a measure is one of this model: "noun" is of the small world alone. */
bool why_catalogue_has(const struct why_catalogue *catalogue, enum why_measure measure);

/* From which mean on a head is called by a measure, before somebody moves it; NaN: none is. */
double why_measure_threshold(enum why_measure measure);

/* The measure that a head is called by: of those whose mean is at least its threshold [measures]
 * the one with the largest. WHY_MEASURES: none. */
enum why_measure why_catalogue_group(const struct why_catalogue *catalogue,
                                     const double *thresholds, size_t layer, size_t head);

double why_catalogue_mean(const struct why_catalogue *catalogue, enum why_measure measure,
                          size_t layer, size_t head);
double why_catalogue_spread(const struct why_catalogue *catalogue, enum why_measure measure,
                            size_t layer, size_t head);
void why_catalogue_free(struct why_catalogue *catalogue);

/* Fills ids [2 · count] with so many random tokens, and the same once more; `text` numbers texts
 * that differ. */
void why_probe_fill(const struct model *model, size_t text, size_t count, uint32_t *ids);

#endif
