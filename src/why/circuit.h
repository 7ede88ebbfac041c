/* why/circuit.h — circuits of the weights, which no text is needed for (Elhage et al. 2021): which
 * words a head looks at and what it makes of them, whether it copies, and which head reads what
 * another one writes. Matrices are those of model/circuit.h: gains are folded in, roots of norms
 * and biases left out, and rotary positions are those of a distance of 0. */
#ifndef WHY_CIRCUIT_H
#define WHY_CIRCUIT_H

#include "model/model.h"

/* How a later head reads: what its queries, its keys or its values are made of. */
enum why_reading { WHY_BY_QUERIES, WHY_BY_KEYS, WHY_BY_VALUES, WHY_READINGS };

/* "Q", "K", "V" */
const char *why_reading_name(enum why_reading reading);

struct why_circuits {
    struct arena arena;
    size_t layers, heads;
    /* [layers][heads] Σ Re λ ÷ Σ |λ| of W_U W_O W_V W_E: 1 where each word makes itself likelier;
     * NaN where it is not asked for, or is nothing. */
    double *copying;
    /* [readings][layers][heads][layers][heads] ‖W_A W_B‖ ÷ (‖W_A‖ ‖W_B‖): W_A is W_V W_O of the
     * first head, W_B what the second reads by, W_Q W_Kᵀ, its transpose, or W_V W_O. NaN where the
     * second is in no later layer, or it is not asked for. */
    float *composition;
};

/* The place of a pair in a composition. */
size_t why_circuits_at(const struct why_circuits *circuits, enum why_reading reading, size_t from,
                       size_t to);

struct why_circuits_asked {
    const struct model *model;
    struct lab_engine engine;
    size_t head;      /* layer · heads + head: only what it takes part in, and no copying; or
                         MODEL_EACH */
    bool has_copying; /* of every head, where that is each: multiplies the vocabulary once */
    bool (*goes_on)(void *owner); /* asked now and then, on the calling thread; NULL: it does */
    void *owner;
};

/* Makes them. False and a sentence: model_circuit_check, or memory; without a sentence
 * (ERROR_NONE): it was given up. The caller frees what was made.
 * From any thread. */
bool why_circuits_make(const struct why_circuits_asked *asked, struct why_circuits *out,
                       struct error *error);
void why_circuits_free(struct why_circuits *circuits);

/* ---- one head over the vocabulary ------------------------------------------------------------ */

enum {
    WHY_PAIRS = 10,
    WHY_WHOLE_MAX = 512,   /* words of a vocabulary whose matrices are kept */
    WHY_SOUGHT_MAX = 2048, /* words among which pairs are sought, those with the longest rows */
};

/* A query and the key it looks at; or a word that is looked at, and one that becomes likelier. */
struct why_pair {
    uint32_t from, to;
    double value;
};

/* W_E W_Q W_Kᵀ W_Eᵀ times the factor of scores, or W_E W_V W_O W_U. */
struct why_over_words {
    struct why_pair top[WHY_PAIRS], bottom[WHY_PAIRS]; /* largest first; smallest first */
    size_t pairs;                                      /* of each */
    const float *whole; /* [vocabulary][vocabulary]; NULL: of a large one */
};

struct why_circuit {
    struct arena arena;
    size_t vocabulary, sought; /* words a side among which pairs were sought */
    struct why_over_words qk, ov;
    double copying;
};

bool why_circuit_make(const struct model *model, const struct lab_engine *engine, size_t layer,
                      size_t head, struct why_circuit *out, struct error *error);
void why_circuit_free(struct why_circuit *circuit);

/* Σ Re λ ÷ Σ |λ| of a matrix [n][n]; NaN: it is nothing. */
double why_copying_of(const double *matrix, size_t n);

#endif
