/* lab/run/trace.h — everything computed from one experiment. It never changes and is shared by
 * counting references. */
#ifndef LAB_RUN_TRACE_H
#define LAB_RUN_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "lab/experiment/graph.h"
#include "lab/run/engine.h"

/* A matrix with the words of its rows and columns, all read-only. Words are NULL where rows or
 * columns have no names of their own. */
struct lab_matrix {
    const char *name; /* such as "Q", "Kᵀ", "W_Q", "α" */
    const char *const *row_words, *const *column_words;
    size_t rows, cols, stride; /* stride in floats */
    const float *values;       /* NULL: this experiment has no such matrix */
};

static inline float lab_matrix_at(const struct lab_matrix *matrix, size_t row, size_t column)
{
    return matrix->values[row * matrix->stride + column];
}

struct lab_trace;

/* Computes an experiment. engine NULL: the best set, or that of ATTN_ISA, on the calling thread
 * alone. The caller holds one reference. Returns NULL and a sentence where the experiment breaks a
 * rule (lab_experiment_check), has no tokens, or memory is lacking. (lab/run/run.c) */
struct lab_trace *lab_run(const struct lab_experiment *experiment, const struct lab_engine *engine,
                          struct error *error);

/* Computes the same numbers to the bit, but faster: whatever did not change since a former trace
 * (NULL: none), such as large random weights and rows that a change does not touch, is taken from
 * there. The former trace stays the caller's and is not needed afterwards. */
struct lab_trace *lab_run_after(const struct lab_trace *former,
                                const struct lab_experiment *experiment,
                                const struct lab_engine *engine, struct error *error);

struct lab_trace *lab_trace_keep(const struct lab_trace *trace);
void lab_trace_release(const struct lab_trace *trace); /* NULL is fine */

const struct lab_experiment *lab_trace_experiment(const struct lab_trace *trace);
struct lab_sizes lab_trace_sizes(const struct lab_trace *trace);
const struct lab_graph *lab_trace_graph(const struct lab_trace *trace);

/* Returns one sentence that says why a stage cannot be shown, where its part was not given and
 * cannot be computed (sizes.partial). NULL: it can. */
const char *lab_trace_lacks(const struct lab_trace *trace, enum lab_stage stage);

/* Returns the part of a head; parts without heads ignore it. The matrices of all heads follow one
 * another without gaps, so the values of head 0 are the start of all. values NULL: there is no such
 * part. */
struct lab_matrix lab_trace_part(const struct lab_trace *trace, enum lab_part part, size_t head);

/* Says whether these numbers belong to one of its parts, and so live as long as the trace. */
bool lab_trace_holds(const struct lab_trace *trace, const float *values);

/* Returns the number of matrices of a part: heads, or kv_heads for K, V and what they are made of,
 * or 1 for parts without heads. Heads elsewhere are heads of queries; those of one group get the
 * same K and V. */
size_t lab_trace_matrices(const struct lab_trace *trace, enum lab_part part);

/* Return how many of the n · m pairs are seen, and how many queries see no key. */
size_t lab_trace_pairs(const struct lab_trace *trace);
size_t lab_trace_blind(const struct lab_trace *trace);

/* Say whether the number was typed by hand (lab/experiment/edits.h), and what it would be without
 * this edit (the number itself where it was not edited). The cell must exist. */
bool lab_trace_is_edited(const struct lab_trace *trace, enum lab_part part, size_t head, size_t row,
                         size_t column);
float lab_trace_origin_value(const struct lab_trace *trace, enum lab_part part, size_t head,
                             size_t row, size_t column);

/* Says whether the model computes with that number too, so that all behind it follows. */
bool lab_trace_edit_goes_on(const struct lab_trace *trace, enum lab_part part, size_t head,
                            size_t row, size_t column);

/* Return the words of queries (n) and of keys (m). */
const char *const *lab_trace_queries(const struct lab_trace *trace);
const char *const *lab_trace_keys(const struct lab_trace *trace);

/* Says whether query i sees key j. */
bool lab_trace_sees(const struct lab_trace *trace, size_t i, size_t j);

/* Says whether a mask hides anything; else every query sees every key. */
bool lab_trace_hides(const struct lab_trace *trace);

/* Returns a score after scale, temperature, cap and bias, as it is before the mask. */
float lab_trace_adjusted(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                         float score);

/* Returns the score after the mask too (−∞ where it hides, NaN where scores are not known). It is
 * not kept but derived each time exactly as it was computed, mostly by one float multiplication. */
float lab_trace_scaled(const struct lab_trace *trace, size_t head, size_t i, size_t j);

/* Return the additional score in each row of a head, −∞: there is none; and the share of a row that
 * it takes from the keys, 0 where there is none or weights are given. */
float lab_trace_sink(const struct lab_trace *trace, size_t head);
double lab_trace_sink_share(const struct lab_trace *trace, size_t head, size_t i);

/* Returns all of them as a matrix with values owned by the arena. values NULL: no memory. */
struct lab_matrix lab_trace_scaled_matrix(const struct lab_trace *trace, size_t head,
                                          struct arena *arena);

/* Says whether the word's position was derived from its letters because the toy vocabulary lacks
 * it. */
bool lab_trace_is_guess(const struct lab_trace *trace, size_t token);

struct lab_run_facts {
    double microseconds;   /* of the computation */
    const char *isa_title; /* "AVX2" */
    const char *isa;       /* "avx2" */
    unsigned threads;      /* among which the most divided of its stages was shared */
    size_t empty_queries;  /* queries × heads that see no key */
    size_t pairs;          /* scores that were computed, of all heads; hidden ones are not */
};
struct lab_run_facts lab_trace_facts(const struct lab_trace *trace);

/* Returns the engine that computed it, for further computations. */
const struct lab_engine *lab_trace_engine(const struct lab_trace *trace);

#endif
