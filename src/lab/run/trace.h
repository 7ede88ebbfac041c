/* lab/run/trace.h — everything computed from one experiment; it never changes, and is shared by
 * counting. */
#ifndef LAB_RUN_TRACE_H
#define LAB_RUN_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "lab/experiment/graph.h"
#include "lab/run/engine.h"

/* A matrix with the words of its rows and columns. Nothing in it may be written. Words are NULL
 * where rows or columns have no names of their own. */
struct lab_matrix {
    const char *name; /* "Q", "Kᵀ", "W_Q", "α" … */
    const char *const *row_words, *const *column_words;
    size_t rows, cols, stride; /* stride in floats */
    const float *values;       /* NULL: this experiment has no such matrix */
};

static inline float lab_matrix_at(const struct lab_matrix *matrix, size_t row, size_t column)
{
    return matrix->values[row * matrix->stride + column];
}

struct lab_trace;

/* Computes. engine NULL: the best set, or what ATTN_ISA says, on the calling thread alone. The
 * caller holds one reference. NULL and a sentence when the experiment breaks a rule
 * (lab_experiment_check), when it has no tokens, or when there is no memory. (lab/run/run.c) */
struct lab_trace *lab_run(const struct lab_experiment *experiment, const struct lab_engine *engine,
                          struct error *error);

/* The same numbers to the bit sooner: what stays as it was in a former trace (NULL: none) is taken
 * from there, so that of large random weights, and of rows that a change does not touch, nothing is
 * made again. The former stays the caller's, and nothing of it is needed afterwards. */
struct lab_trace *lab_run_after(const struct lab_trace *former,
                                const struct lab_experiment *experiment,
                                const struct lab_engine *engine, struct error *error);

struct lab_trace *lab_trace_keep(const struct lab_trace *trace);
void lab_trace_release(const struct lab_trace *trace); /* NULL is fine */

const struct lab_experiment *lab_trace_experiment(const struct lab_trace *trace);
struct lab_sizes lab_trace_sizes(const struct lab_trace *trace);
const struct lab_graph *lab_trace_graph(const struct lab_trace *trace);

/* NULL, or why a stage cannot be shown: one sentence, where its part was not given and cannot be
 * computed (sizes.partial). */
const char *lab_trace_lacks(const struct lab_trace *trace, enum lab_stage stage);

/* The part of a head (head is ignored by parts that have none). The matrices of all heads stand one
 * behind the other without gaps: values of head 0 are the start of all. values == NULL: there is
 * none (raw). */
struct lab_matrix lab_trace_part(const struct lab_trace *trace, enum lab_part part, size_t head);

/* Whether these numbers are one of its parts', and so stay as long as it does. */
bool lab_trace_holds(const struct lab_trace *trace, const float *values);

/* How many matrices of a part there are: heads, kv_heads for K, V and what they are made of, 1 for
 * parts without heads. Heads above are heads of queries: those of one group get the same K and V.
 */
size_t lab_trace_matrices(const struct lab_trace *trace, enum lab_part part);

/* How many of the n · m pairs are seen, and how many queries see no key. */
size_t lab_trace_pairs(const struct lab_trace *trace);
size_t lab_trace_blind(const struct lab_trace *trace);

/* X_context [m][d_model], what keys and values are projected from in cross-attention; else NULL. */
const float *lab_trace_context_rows(const struct lab_trace *trace);

/* Whether the number was typed by hand (lab/experiment/edits.h), and what it would be without this
 * edit (the number itself where it was not edited). The cell must exist. */
bool lab_trace_is_edited(const struct lab_trace *trace, enum lab_part part, size_t head, size_t row,
                         size_t column);
float lab_trace_origin_value(const struct lab_trace *trace, enum lab_part part, size_t head,
                             size_t row, size_t column);

/* "queries" words (n) and "keys" words (m). */
const char *const *lab_trace_queries(const struct lab_trace *trace);
const char *const *lab_trace_keys(const struct lab_trace *trace);

/* Whether query i sees key j. */
bool lab_trace_sees(const struct lab_trace *trace, size_t i, size_t j);

/* Whether a mask hides anything: else every query sees every key. */
bool lab_trace_hides(const struct lab_trace *trace);

/* A score after scale, temperature, cap and bias: what it is before the mask. */
float lab_trace_adjusted(const struct lab_trace *trace, size_t head, size_t i, size_t j,
                         float score);

/* The score after all that and the mask (−∞ when hidden, NaN where scores are not known); not kept,
 * derived each time exactly as it was computed: mostly one float multiplication. */
float lab_trace_scaled(const struct lab_trace *trace, size_t head, size_t i, size_t j);

/* The score that is one more in each row of a head, −∞: there is none; and the share of a row that
 * it takes from the keys, 0 where there is none or weights are given. */
float lab_trace_sink(const struct lab_trace *trace, size_t head);
double lab_trace_sink_share(const struct lab_trace *trace, size_t head, size_t i);

/* All of them as a matrix, values owned by the arena. values NULL: no memory. */
struct lab_matrix lab_trace_scaled_matrix(const struct lab_trace *trace, size_t head,
                                          struct arena *arena);

/* Was the word's position found in its letters only (not in the toy vocabulary)? */
bool lab_trace_is_guess(const struct lab_trace *trace, size_t token);

struct lab_run_facts {
    double microseconds;   /* of the computation */
    const char *isa_title; /* "AVX2" */
    const char *isa;       /* "avx2" */
    unsigned threads;      /* that the longest of its stages was shared among */
    size_t empty_queries;  /* queries × heads that see no key */
    size_t pairs;          /* scores that were computed, of all heads: hidden ones are not */
};
struct lab_run_facts lab_trace_facts(const struct lab_trace *trace);

/* What computed it, for what is computed beside it. */
const struct lab_engine *lab_trace_engine(const struct lab_trace *trace);

#endif
