/* learn/learned.h — how weights were learned, as a list of short texts that an experiment carries:
 * with it, and nothing else, the same weights are made again to the bit.
 *
 *     "task small-world" "seed 1" "rate 0.01" "step 910" "edit 300 rate 0.02"
 *
 * What is not said is as the task's own recipe has it. Own text stands in it too ("text …"), and
 * that which an edit goes on with ("edit 300 text", "text.1 …"). */
#ifndef LEARN_LEARNED_H
#define LEARN_LEARNED_H

#include "lab/experiment/experiment.h"
#include "learn/run.h"

/* Own texts of an experiment, in bytes: LAB_TOKENS_MAX texts hold it besides the recipe and its
 * edits. */
enum { LEARN_LEARNED_TEXT_MAX = 14 << 20 };

struct learn_learned {
    struct learn_recipe recipe;
    struct learn_edit edit[LEARN_EDITS_MAX]; /* in the order in which they were made */
    size_t edits;
    uint64_t step;     /* that is shown */
    uint64_t until;    /* it trains by itself up to this step; 0: it stands still */
    bool is_pinned;    /* a moment is kept to compare with: … */
    uint64_t pinned;   /* … its step, … */
    size_t pin_edits;  /* … to which so many of the edits lead */
    struct bytes text; /* own text; empty: none */
};

/* The texts are owned by the arena. False and a sentence that names what cannot be read. */
bool learn_learned_read(const struct lab_words *words, struct arena *arena,
                        struct learn_learned *out, struct error *error);

/* Whether an experiment has room for so many bytes of own text. False and a sentence. */
bool learn_learned_fits(size_t text_size, struct error *error);

/* Bytes of all its texts. */
size_t learn_learned_text_size(const struct learn_learned *learned);

/* The caller holds one reference. NULL and a sentence: no memory, or too much text. */
struct lab_words *learn_learned_words(const struct learn_learned *learned, struct error *error);

/* The same where `like` (NULL: nothing) has the same text already: it is shared. */
struct lab_words *learn_learned_words_like(const struct learn_learned *learned,
                                           const struct lab_words *like, struct error *error);

/* Whether two follow from the same recipe, text and edits; the step may differ. */
bool learn_learned_same_run(const struct learn_learned *a, const struct learn_learned *b);
bool learn_learned_same_recipe(const struct learn_learned *a, const struct learn_learned *b);
bool learn_recipe_same(const struct learn_recipe *a, const struct learn_recipe *b);

/* The recipe of a task as the table has it, in the language that is spoken. */
struct learn_recipe learn_learned_recipe(const struct learn_task *task);

#endif
