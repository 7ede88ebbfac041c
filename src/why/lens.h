/* why/lens.h — the logit lens (nostalgebraist 2020): the next words that the model would say if it
 * ended behind each part of each layer, its last norm applied. */
#ifndef WHY_LENS_H
#define WHY_LENS_H

#include "model/model.h"

enum { WHY_LENS_TOP = 10 };
enum why_lens_after { WHY_AFTER_EMBEDDING, WHY_AFTER_ATTENTION, WHY_AFTER_MLP };

struct why_lens_cell {
    size_t layer; /* from 0 */
    enum why_lens_after after;
    size_t position; /* from 0 */
    uint32_t top[WHY_LENS_TOP];
    float top_probability[WHY_LENS_TOP];
    uint32_t word;      /* that is followed here */
    double probability; /* of it */
    size_t rank;        /* of it: 1 is the likeliest */
};

struct why_lens {
    struct arena arena;
    size_t layers, n, top;            /* top: at most WHY_LENS_TOP, fewer in a small vocabulary */
    const struct why_lens_cell *cell; /* [2 · layers + 1][n] */
};

/* Looks at every word of the text. Followed is the word that the model says in the end, but behind
 * word `position` the one that is asked for. False and a sentence: the stream is no sum, or memory.
 * The caller frees what was made. From any thread. */
bool why_lens_make(const struct model_run *run, const struct model *model, size_t position,
                   uint32_t word, struct why_lens *out, struct error *error);
void why_lens_free(struct why_lens *lens);

#endif
