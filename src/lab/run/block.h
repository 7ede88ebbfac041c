/* lab/run/block.h — one layer of a model around its attention: what is added, normed, widened and
 * narrowed, step by step, for every word of a text.
 *
 *     x ──┬───────────── + ──┬───────────────────────────────────────── + ── y
 *         └─ attention ─ o ──┘  └─ norm ─ into W ─ f ─ (· up) ─ out of W ─┘
 *            └ norm ─ W ─ (norm) ─ (turn) ─ q, k, v
 *
 * Which steps there are, and in which order, is the model's own: norms before or behind, a gate or
 * none, attention and MLP beside each other. The way to queries, keys and values, and the product
 * with W_O, have steps here where an experiment cannot say them. Whoever runs the model fills it;
 * views and sentences read it and know no model. A block never changes once it is made, and is
 * shared by counting. */
#ifndef LAB_RUN_BLOCK_H
#define LAB_RUN_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "lab/experiment/graph.h"

enum {
    LAB_BLOCK_STEPS_MAX = 40,
    LAB_BLOCK_NEURONS = 8, /* of each word: the neurons that add the largest vectors */
    LAB_BLOCK_WORDS = 8,   /* of each word: the likeliest next words */
};

/* Pairs of numbers that turn with a word's place: in each part those from `first` on. */
struct lab_block_turn {
    const float *turns; /* [n][width]: cosines of all pairs, then sines; width 0: nothing turns */
    size_t first, width;
    bool neighbours; /* the two numbers of a pair are neighbours; else they stand width / 2 apart */
};

/* Experts that are chosen for a word, as columns of the step that has their shares, and their
 * outputs. */
struct lab_block_asked {
    size_t count;         /* of each word; 0: the step has none */
    const size_t *expert; /* [n][count] */
    const float *said;    /* [n][count][cols] */
    bool common;          /* one more expert is used by every word, with the rest of the shares */
};

enum { LAB_BLOCK_NOTHING = LAB_BLOCK_STEPS_MAX };

/* The pictures that show a step: the block around attention, or a stage whose numbers an experiment
 * cannot make. */
enum lab_block_at {
    LAB_BLOCK_AT_BLOCK = 1,
    LAB_BLOCK_AT_EMBED = 2,
    LAB_BLOCK_AT_PROJECT = 4,
    LAB_BLOCK_AT_OUTPUT = 8,
};

/* The owner of each number of a step. Neurons and experts count from 0, as layers and heads of a
 * model do; plain numbers count from 1, as in every formula. */
enum lab_block_column { LAB_BLOCK_COLUMN_NUMBER, LAB_BLOCK_COLUMN_NEURON, LAB_BLOCK_COLUMN_EXPERT };

/* The steps that a layer can have; lab/run/block.c says what each is called. */
enum lab_block_name {
    LAB_BLOCK_X,
    LAB_BLOCK_SEEN,
    LAB_BLOCK_Q_LATENT,
    LAB_BLOCK_Q_LATENT_NORMED,
    LAB_BLOCK_Q_BEFORE, /* of a latent */
    LAB_BLOCK_Q_FIRST,
    LAB_BLOCK_Q_NORMED,
    LAB_BLOCK_Q,
    LAB_BLOCK_Q_ONLY, /* neither normed nor turned */
    LAB_BLOCK_K_FIRST,
    LAB_BLOCK_K_NORMED,
    LAB_BLOCK_K,
    LAB_BLOCK_K_ONLY,
    LAB_BLOCK_LATENT,
    LAB_BLOCK_LATENT_NORMED,
    LAB_BLOCK_K_REBUILT,
    LAB_BLOCK_TURNS_BEFORE,
    LAB_BLOCK_TURNS,
    LAB_BLOCK_V,
    LAB_BLOCK_V_REBUILT,
    LAB_BLOCK_Z,
    LAB_BLOCK_O,      /* given */
    LAB_BLOCK_O_MADE, /* of Z */
    LAB_BLOCK_O_NORM,
    LAB_BLOCK_ADDED,
    LAB_BLOCK_ADDED_NORM,
    LAB_BLOCK_CROSS,
    LAB_BLOCK_CROSSED,
    LAB_BLOCK_CROSSED_NORM,
    LAB_BLOCK_MLP_SEEN,
    LAB_BLOCK_ROUTER,
    LAB_BLOCK_CHOSEN,
    LAB_BLOCK_EXPERTS,
    LAB_BLOCK_HIDDEN,
    LAB_BLOCK_MLP_GATE,
    LAB_BLOCK_UP,
    LAB_BLOCK_ACTIVE,
    LAB_BLOCK_GATED,
    LAB_BLOCK_MLP,
    LAB_BLOCK_MLP_NORM,
    LAB_BLOCK_BOTH,
    LAB_BLOCK_WHOLE, /* before its norm */
    LAB_BLOCK_Y,
    LAB_BLOCK_Y_ADDED, /* of a layer without an MLP */
    LAB_BLOCK_FINAL,
    LAB_BLOCK_NAMES
};

struct lab_block_step {
    enum lab_block_name named;    /* from which lab_block_add takes the next three, and `column` */
    const char *name;             /* as options write it, lower case: "norm", "hidden" */
    const char *sign;             /* in formulas: "x", "o", "x + o", "h" */
    const char *what;             /* the step in English: "residual added" */
    enum lab_block_column column; /* what each of its numbers belongs to */
    enum lab_operation op;        /* LAB_GIVEN: the stream before the layer, what attention gives */
    size_t of[2];         /* the steps it is made of; LAB_BLOCK_NOTHING, by lab_block_add: none */
    size_t cols;          /* numbers of a word */
    const float *values;  /* [n][cols] */
    unsigned at;          /* bits of enum lab_block_at; 0: it is shown in the block */
    size_t parts;         /* heads or groups whose columns are concatenated; 0: none */
    size_t together;      /* of a norm: so many numbers share a root; 0: all of a row */
    const float *gain;    /* of a norm [together or cols]; NULL: all 1 */
    const float *bias;    /* of a norm likewise, or of a product [cols]; NULL: none */
    double epsilon;       /* of a norm */
    bool centred;         /* the norm subtracts the mean */
    size_t matrix;        /* of a product: its matrix for lab_block_weights */
    const char *weights;  /* the name of that matrix: "W_UK", "W_gate" */
    const char *function; /* of an activation: "GELU" */
    struct lab_block_turn turn;
    struct lab_block_asked asked;
};

/* Access to the numbers of W, which stay in the model: a few columns are read at a time. */
struct lab_block_weights {
    void *owner;
    /* Copies `count` columns of W from `first` on into out [depth][count]. */
    void (*columns)(void *owner, size_t matrix, size_t first, size_t count, float *out);
    void (*release)(void *owner); /* called with the block's release; NULL: not needed */
};

/* One number of the hidden width, and the vector that it adds. */
struct lab_block_neuron {
    size_t neuron;
    float activation;
    float length; /* of the vector: |activation| · ‖its row of W‖ */
};

struct lab_block_word {
    const char *word;
    uint32_t id; /* in the model's vocabulary */
    float logit;
    double share; /* of all words */
};

struct lab_block;

/* Makes an empty block of n words; NULL: no memory. The weights are released with it, or at once
 * where it is NULL. */
struct lab_block *lab_block_make(size_t n, size_t layer, size_t layers,
                                 const struct lab_block_weights *weights);

/* Adds a step. Its values, gain and bias are copied; its weights and function must live as long as
 * the block.
 * Returns its place; LAB_BLOCK_NOTHING: no memory or no room. */
size_t lab_block_add(struct lab_block *block, const struct lab_block_step *step);

/* Finds what each neuron adds, from the step `hidden` and the product `out` that narrows it to the
 * stream. Returns false without memory. */
bool lab_block_find_neurons(struct lab_block *block, size_t hidden, size_t out);

/* Copies the likeliest words to follow word `row`: logits [count], named by name(owner, index).
 * Returns false without memory. */
bool lab_block_set_words(struct lab_block *block, size_t row, const float *logits, size_t count,
                         const char *(*name)(void *owner, size_t index, struct arena *arena),
                         void *owner);

struct lab_block *lab_block_keep(const struct lab_block *block);
void lab_block_release(const struct lab_block *block); /* NULL is fine */

struct lab_block_facts {
    size_t n, layer, layers, steps;
    size_t hidden, out; /* of the neurons that were found; LAB_BLOCK_NOTHING: none were */
};
struct lab_block_facts lab_block_facts(const struct lab_block *block);

const struct lab_block_step *lab_block_step(const struct lab_block *block, size_t step);

/* Says whether the step is shown there. */
bool lab_block_is_at(const struct lab_block *block, size_t step, enum lab_block_at at);

/* Finds a step by its name; LAB_BLOCK_NOTHING: there is none. */
size_t lab_block_find(const struct lab_block *block, const char *name);

/* Returns the largest neurons of a word, largest first: LAB_BLOCK_NEURONS or fewer (*count). NULL:
 * none were found. */
const struct lab_block_neuron *lab_block_neurons(const struct lab_block *block, size_t row,
                                                 size_t *count);

/* Copies what one of the largest neurons adds to the stream at a word into out [cols of the
 * product]. Returns false where its weights were not kept because there were too many. */
bool lab_block_adds(const struct lab_block *block, size_t row, size_t neuron, float *out);

/* Returns the likeliest next words, likeliest first. NULL: none are known for this word. */
const struct lab_block_word *lab_block_words(const struct lab_block *block, size_t row,
                                             size_t *count);

/* Returns the mean (0 where none is subtracted) of the numbers, and the root of the mean of the
 * squares that are left, with epsilon. */
void lab_norm_of(const float *x, size_t count, bool centred, double epsilon, double *mean,
                 double *root);

/* Returns the same of the numbers that a norm divides:
 * the row, or the part of it in which the column stands. */
void lab_block_norm_of(const struct lab_block *block, size_t step, size_t row, size_t column,
                       double *mean, double *root);

/* Return the factor of a column, 1 without a gain, and the number that is added to it, 0 without a
 * bias. */
double lab_block_gain(const struct lab_block *block, size_t step, size_t column);
double lab_block_bias(const struct lab_block *block, size_t step, size_t column);

/* How a number of a turned step is made: column · cosine + other · sine of a. The function returns
 * false where it does not turn. */
struct lab_block_pair {
    size_t other;        /* column */
    double cosine, sine; /* sine with its sign */
};
bool lab_block_pair_of(const struct lab_block *block, size_t step, size_t row, size_t column,
                       struct lab_block_pair *pair);

/* Returns the step that a number of a LAB_BESIDE step comes from, and its column there. */
size_t lab_block_beside(const struct lab_block *block, size_t step, size_t column, size_t *from);

/* Copies a column of a product's W into out [cols of its input]. */
void lab_block_column(const struct lab_block *block, size_t step, size_t column, float *out);

#endif
