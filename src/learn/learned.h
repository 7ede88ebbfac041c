/* learn/learned.h — how weights were trained, the record that an experiment holds of it. From it
 * alone the same weights can be trained again to the bit.
 *
 * Files have it as a list of short texts, for example "task small-world" "seed 1" "rate 0.01"
 * "step 910" "edit 300 rate 0.02", which is read once, where a file is opened. A value that is
 * missing is that of the task's own recipe. Own text stands in the list too ("text" and a piece of
 * it), and so does the text that an edit continues with ("edit 300 text", "text.1" and a piece).
 * "change MLP0" is one of the changes beside the run. */
#ifndef LEARN_LEARNED_H
#define LEARN_LEARNED_H

#include "lab/experiment/experiment.h"
#include "learn/run.h"

/* Own texts of an experiment in bytes: LAB_TOKENS_MAX texts of a file hold it together with the
 * recipe and its edits. */
enum { LEARN_LEARNED_TEXT_MAX = 14 << 20 };

/* What a person has changed to ask why a word is said, written as `attnscope why --without` has it,
 * with words by their numbers: "MLP0=mean", "L0H1:8>5". The run learns without it. */
enum { LEARN_CHANGES_MAX = 16 };
struct learn_change {
    char text[48];
};

struct learn_learned {
    struct learn_recipe recipe;
    struct learn_edit edit[LEARN_EDITS_MAX]; /* in the order in which they were made */
    size_t edits;
    uint64_t step;     /* the step that is shown */
    uint64_t until;    /* it trains by itself up to this step; 0: it is at rest */
    bool is_pinned;    /* a snapshot is kept for comparison: */
    uint64_t pinned;   /* its step */
    size_t pin_edits;  /* how many of the edits lead to it */
    struct bytes text; /* own text; empty: none */
    struct learn_change change[LEARN_CHANGES_MAX];
    size_t changes;
    const struct lab_training *held; /* what it was copied from, which owns its texts and has to
                                        live as long; NULL: the texts belong to somebody else */
};

/* Makes what experiments hold. Its texts are shared with `held` where they are the same, else
 * copied. The caller holds one reference. NULL and a sentence: no memory, or too much text. */
struct lab_training *learn_training_make(const struct learn_learned *learned, struct error *error);

/* Returns the record; NULL: there is none, or it was not read yet. */
const struct learn_learned *learn_training_record(const struct lab_training *training);

/* Returns the record, which the place holds from now on where it held the list of a file. NULL and
 * a sentence that names what cannot be read; the list then stays. */
const struct learn_learned *learn_training_read(const struct lab_training **place,
                                                struct error *error);

/* Reads the list of a file; the arena owns the texts. Returns false and a sentence that names what
 * cannot be read. */
bool learn_learned_read(const struct lab_words *words, struct arena *arena,
                        struct learn_learned *out, struct error *error);

/* Checks that an experiment has room for so many bytes of own text. Returns false and a
 * sentence. */
bool learn_learned_fits(size_t text_size, struct error *error);

/* Writes the list. The caller holds one reference. NULL and a sentence: no memory, or too much
 * text. */
struct lab_words *learn_learned_lines(const struct learn_learned *learned, struct error *error);

/* Says whether two follow from the same recipe, text and edits; the step may differ. */
bool learn_learned_same_run(const struct learn_learned *a, const struct learn_learned *b);
bool learn_learned_same_recipe(const struct learn_learned *a, const struct learn_learned *b);

/* Returns the recipe of a task as in its table, in the user's language. */
struct learn_recipe learn_learned_recipe(const struct learn_task *task);

#endif
