/* learn/keyframes.h — what a run keeps of steps that it comes by, so that they can be looked back
 * at without training again: the embedding of some words, for where they stand, and of some steps
 * all weights, for how heads looked.
 *
 * Keyframes lie closer at first: each is 6 % behind the one before. The first of each half octave
 * has the weights; where these are many, only that of every n-th half octave has. Which steps
 * these are follows from the recipe alone, not from what anybody looked at. */
#ifndef LEARN_KEYFRAMES_H
#define LEARN_KEYFRAMES_H

#include "learn/data.h"

struct learn_run;
struct learn_snapshot;

enum {
    LEARN_PLACED_MAX = 64,           /* words whose rows are kept */
    LEARN_KEYFRAME_BYTES = 48 << 20, /* of all weights that keyframes hold */
};

/* Immutable, and shared by counting references. */
struct learn_keyframe {
    uint64_t step;
    const float *rows;                   /* of learn_placed_words: [words][d_model] */
    const struct learn_snapshot *moment; /* without scores; NULL: rows alone are kept */
};
const struct learn_keyframe *learn_keyframe_keep(const struct learn_keyframe *keyframe);
void learn_keyframe_release(const struct learn_keyframe *keyframe); /* NULL is fine */

/* Returns the step of the next keyframe behind one at this step. */
uint64_t learn_next_keyframe(uint64_t step);

/* Lists the words whose rows are kept: those of a kind, numbers, else the first of all. Returns
 * their count. */
size_t learn_placed_words(const struct learn_data *data, int32_t ids[LEARN_PLACED_MAX]);

/* Copies their rows [count][d_model] of the embedding. */
void learn_placed_rows(const struct learn_snapshot *moment, const int32_t *ids, size_t count,
                       float *rows);

/* Lets a run keep keyframes from now on, that of its present step among them. Without memory some
 * are missing. */
void learn_run_keep_keyframes(struct learn_run *run);

/* Lists the keyframes of the present branch and of those that it leaves, by step: room for `max` of
 * them; the run holds them. Returns their count. */
size_t learn_run_keyframes(const struct learn_run *run, const struct learn_keyframe **list,
                           size_t max);

#endif
