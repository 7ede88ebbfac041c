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

enum {
    LAB_BLOCK_STEPS_MAX = 40,
    LAB_BLOCK_NEURONS = 8, /* of each word, those that add most */
    LAB_BLOCK_WORDS = 8,   /* of each word, the likeliest next ones */
};

/* What a step does with the steps it is made of. */
enum lab_block_op {
    LAB_BLOCK_GIVEN, /* from elsewhere: the stream before the layer, what attention gives */
    LAB_BLOCK_SUM,   /* a + b */
    LAB_BLOCK_NORM, /* (a − mean) ÷ √(variance + ε) · gain + bias, or a ÷ √(mean a² + ε) · gain */
    LAB_BLOCK_PRODUCT,        /* a · W + bias */
    LAB_BLOCK_ACTIVATED,      /* f(a) */
    LAB_BLOCK_GATED,          /* a · b, number by number */
    LAB_BLOCK_ACTIVATED_GATE, /* f(a) · b */
    LAB_BLOCK_TURNED,         /* pairs of a turned by their places */
    LAB_BLOCK_BESIDE,         /* of each part a, then b, which all parts share */
    LAB_BLOCK_ASKED,          /* what the chosen experts say, each by its share in a */
};

/* Pairs of numbers that turn with a word's place: in each part those from `first` on. */
struct lab_block_turn {
    const float *turns; /* [n][width]: cosines of all pairs, then sines; width 0: nothing turns */
    size_t first, width;
    bool neighbours; /* a pair is two numbers side by side; else they stand width / 2 apart */
};

/* Experts that a word asks, columns of the step that has their shares, and what they say. */
struct lab_block_asked {
    size_t count;         /* of each word; 0: the step asks none */
    const size_t *expert; /* [n][count] */
    const float *said;    /* [n][count][cols] */
    bool common;          /* one more says the rest, which every word asks */
};

enum { LAB_BLOCK_NOTHING = LAB_BLOCK_STEPS_MAX };

/* Which pictures show a step: the block around attention, or a stage whose numbers an experiment
 * cannot make. */
enum lab_block_at {
    LAB_BLOCK_AT_BLOCK = 1,
    LAB_BLOCK_AT_EMBED = 2,
    LAB_BLOCK_AT_PROJECT = 4,
    LAB_BLOCK_AT_OUTPUT = 8,
};

/* What each number of a step belongs to. Neurons and experts count from 0, as layers and heads of a
 * model do; plain numbers from 1, as in every formula. */
enum lab_block_column { LAB_BLOCK_COLUMN_NUMBER, LAB_BLOCK_COLUMN_NEURON, LAB_BLOCK_COLUMN_EXPERT };

struct lab_block_step {
    const char *name; /* as options write it, lower case: "norm", "hidden" */
    const char *sign; /* in formulas: "x", "o", "x + o", "h" */
    const char *what; /* what it is, in English: "residual added" */
    enum lab_block_op op;
    size_t of[2];        /* the steps it is made of; LAB_BLOCK_NOTHING: none */
    size_t cols;         /* numbers of a word */
    const float *values; /* [n][cols] */
    unsigned at;         /* bits of enum lab_block_at: where it is shown; 0: in the block */
    size_t parts;        /* heads or groups whose columns stand side by side; 0: of none */
    size_t together;     /* of a norm: so many numbers share a root; 0: all of a row */
    const float *gain;   /* of a norm [together or cols]; NULL: all 1 */
    const float *bias;   /* of a norm likewise, or of a product [cols]; NULL: none */
    double epsilon;      /* of a norm */
    bool centred;        /* the norm subtracts the mean */
    size_t matrix;       /* of a product: which, for lab_block_weights */
    const char *weights; /* of a product, what that is called: "W_UK", "W_gate" */
    enum lab_block_column column; /* what each of its numbers belongs to */
    const char *function;         /* of an activation: "GELU" */
    struct lab_block_turn turn;
    struct lab_block_asked asked;
};

/* Where numbers of W are, which stay in the model: asked for a few columns at a time. */
struct lab_block_weights {
    void *owner;
    /* Columns first … first + count − 1 of W into out [depth][count]. */
    void (*columns)(void *owner, size_t matrix, size_t first, size_t count, float *out);
    void (*release)(void *owner); /* with the block; NULL: nothing to do */
};

/* One number of the hidden width, and what it adds. */
struct lab_block_neuron {
    size_t neuron;
    float activation;
    float length; /* of what it adds: |activation| · ‖its row of W‖ */
};

struct lab_block_word {
    const char *word;
    float logit;
    double share; /* of all words */
};

struct lab_block;

/* An empty block of n words; NULL: no memory. The weights are released with it, and at once where
 * it is NULL. */
struct lab_block *lab_block_make(size_t n, size_t layer, size_t layers,
                                 const struct lab_block_weights *weights);

/* One step more; what it says is copied, numbers of values, gain and bias too, texts must live as
 * long as the block. Returns its place; LAB_BLOCK_NOTHING: no memory or no room. */
size_t lab_block_add(struct lab_block *block, const struct lab_block_step *step);

/* The step that is narrowed to the stream by a product, and that product: finds what each neuron
 * adds. False: no memory. */
bool lab_block_find_neurons(struct lab_block *block, size_t hidden, size_t out);

/* Words that may follow word `row`: logits [count], named by name(owner, index), copied. False: no
 * memory. */
bool lab_block_set_words(struct lab_block *block, size_t row, const float *logits, size_t count,
                         const char *(*name)(void *owner, size_t index, struct arena *arena),
                         void *owner);

struct lab_block *lab_block_keep(const struct lab_block *block);
void lab_block_release(const struct lab_block *block); /* NULL is fine */

struct lab_block_facts {
    size_t n, layer, layers, steps;
    size_t hidden, out; /* whose neurons were found; LAB_BLOCK_NOTHING: none were */
};
struct lab_block_facts lab_block_facts(const struct lab_block *block);

const struct lab_block_step *lab_block_step(const struct lab_block *block, size_t step);

/* Whether it is shown there. */
bool lab_block_is_at(const struct lab_block *block, size_t step, enum lab_block_at at);

/* By its name; LAB_BLOCK_NOTHING: there is none. */
size_t lab_block_find(const struct lab_block *block, const char *name);

/* Largest first: [LAB_BLOCK_NEURONS] or as many as there are (*count); NULL: none were found. */
const struct lab_block_neuron *lab_block_neurons(const struct lab_block *block, size_t row,
                                                 size_t *count);

/* What one of the largest neurons adds to the stream at a word, into out [cols of the product].
 * False: its weights were not kept, since there were too many. */
bool lab_block_adds(const struct lab_block *block, size_t row, size_t neuron, float *out);

/* Likeliest first; NULL: none are known of this word. */
const struct lab_block_word *lab_block_words(const struct lab_block *block, size_t row,
                                             size_t *count);

/* Of what a norm divides, the row or the part of it that the column stands in: its mean (0 where
 * none is subtracted) and the root it divides by. */
void lab_block_norm_of(const struct lab_block *block, size_t step, size_t row, size_t column,
                       double *mean, double *root);

/* What a column is multiplied by, 1 where there is no gain, and what is added to it, 0: nothing. */
double lab_block_gain(const struct lab_block *block, size_t step, size_t column);
double lab_block_bias(const struct lab_block *block, size_t step, size_t column);

/* Where a number of a turned step comes from: column · cosine + other · sine of a. False: it does
 * not turn. */
struct lab_block_pair {
    size_t other;        /* column */
    double cosine, sine; /* sine with its sign */
};
bool lab_block_pair_of(const struct lab_block *block, size_t step, size_t row, size_t column,
                       struct lab_block_pair *pair);

/* Which of its two a number of a step beside comes from: the step and its column. */
size_t lab_block_beside(const struct lab_block *block, size_t step, size_t column, size_t *from);

/* Column of a product's W into out [cols of what it is made of]. */
void lab_block_column(const struct lab_block *block, size_t step, size_t column, float *out);

#endif
