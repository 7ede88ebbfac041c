/* lab/experiment/mask.h — which keys a query may see: a table of kinds, most of them with numbers
 * of their own. Keys and queries count from 0. */
#ifndef LAB_EXPERIMENT_MASK_H
#define LAB_EXPERIMENT_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "lab/experiment/custom_mask.h"

enum lab_mask {
    LAB_MASK_NONE,
    LAB_MASK_CAUSAL,
    LAB_MASK_WINDOW,        /* |i − j| ≤ W */
    LAB_MASK_CAUSAL_WINDOW, /* i − W < j ≤ i */
    LAB_MASK_DILATED,       /* |i − j| ≤ W·D, and D divides i − j */
    LAB_MASK_BLOCK,         /* ⌊i/B⌋ = ⌊j/B⌋ */
    LAB_MASK_STRIDED,       /* j ≤ i and (i − j < S or S divides i − j) */
    LAB_MASK_GLOBAL,        /* i < G or j < G or |i − j| ≤ W */
    LAB_MASK_CUSTOM,        /* as painted by hand */
    LAB_MASKS
};

enum { LAB_MASK_TEXT_MAX = 48, LAB_MASK_SENTENCE_MAX = 160, LAB_MASK_NUMBER_MAX = 1024 };

/* One mask, complete. */
struct lab_mask_rule {
    enum lab_mask kind;
    size_t size;                               /* W, B, S or G */
    size_t step;                               /* dilated: D; global: W */
    const struct lab_custom_mask *custom_mask; /* LAB_MASK_CUSTOM: NULL hides nothing. Not owned */
};

struct lab_mask_row {
    const char *name;      /* as options begin: "none", "window" */
    const char *pattern;   /* as options write all of it: "window:W" */
    const char *title;     /* "None", "Causal" */
    const char *formula;   /* "j ≤ i" */
    const char *sentence;  /* "every query sees every key", without numbers */
    const char *size_name; /* "W"; NULL: there is none */
    const char *step_name; /* "D"; NULL: there is none */
    size_t size, step;     /* the numbers where nobody set any */
    bool looks_back;       /* hides what comes later: makes sense in one text only */
    bool (*sees)(const struct lab_mask_rule *rule, size_t i, size_t j);
};

/* Returns the row of a mask, which must be below LAB_MASKS. */
const struct lab_mask_row *lab_mask_row(enum lab_mask mask);

/* Finds the kind by its name alone ("window"). */
bool lab_mask_find(const char *name, enum lab_mask *mask);

/* Says whether query i sees key j. */
bool lab_mask_sees(const struct lab_mask_rule *rule, size_t i, size_t j);

/* Count how many of the n · m pairs are seen, and how many queries see no key. */
size_t lab_mask_pairs(const struct lab_mask_rule *rule, size_t n, size_t m);
size_t lab_mask_blind(const struct lab_mask_rule *rule, size_t n, size_t m);

/* Writes "window:2", "dilated:2,3", "global:1+window:2" or "painted" into text and returns it. */
const char *lab_mask_text(const struct lab_mask_rule *rule, char text[LAB_MASK_TEXT_MAX]);

/* Reads such a text; a name without numbers has the table's. Returns false with a sentence that
 * says what would fit. */
bool lab_mask_parse(const char *text, struct lab_mask_rule *rule, struct error *error);

/* Checks that the numbers are 1 to LAB_MASK_NUMBER_MAX where the kind has any. Returns false with a
 * sentence. */
bool lab_mask_check(const struct lab_mask_rule *rule, struct error *error);

/* Writes a clause such as "every query sees the keys at most 2 places away" into text and returns
 * it. */
const char *lab_mask_sentence(const struct lab_mask_rule *rule, char text[LAB_MASK_SENTENCE_MAX]);

#endif
