/* view/parts/circuit.h — circuits of the weights for a picture: which head reads what another one
 * writes, which heads copy, and one head over the vocabulary. */
#ifndef VIEW_PARTS_CIRCUIT_H
#define VIEW_PARTS_CIRCUIT_H

#include "view/parts/view.h"

enum { VIEW_CIRCUIT_LINES = 24, VIEW_CIRCUIT_PAIRS = 8 };

struct view_circuit_line {
    size_t from, to; /* layer · heads + head */
    char reading;    /* 'Q', 'K', 'V' of the later one */
    double value;
};

struct view_circuit_pair {
    const char *from, *to;
    double value;
};

struct view_circuit {
    size_t layers, heads;
    const double *copying;                             /* [layers · heads] NaN: not known */
    struct view_circuit_line line[VIEW_CIRCUIT_LINES]; /* the strongest first */
    size_t lines;
    bool has_head; /* one head is looked at, and its pairs of words */
    size_t head;
    struct view_circuit_pair qk[VIEW_CIRCUIT_PAIRS], ov[VIEW_CIRCUIT_PAIRS];
    size_t pairs;
};

void view_circuit(struct view *view, struct rect area);

/* What it shows, in words: which head copies most and who reads whom, or one head's pairs of words.
 * Owned by the arena. */
const char *view_circuit_describe(const struct view_circuit *circuit, struct arena *arena);

#endif
