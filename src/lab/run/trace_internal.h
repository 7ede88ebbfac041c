/* lab/run/trace_internal.h — the parts of a trace; for the files of lab/run that compute it. */
#ifndef LAB_RUN_TRACE_INTERNAL_H
#define LAB_RUN_TRACE_INTERNAL_H

#include <stdatomic.h>

#include "lab/experiment/qk_transform.h"
#include "lab/run/trace.h"

/* A buffer of the trace: the matrices of `heads` heads, one after the other. */
struct lab_trace_buffer {
    const float *values; /* NULL: this experiment has none */
    size_t heads;        /* 1 for parts that have no heads */
    size_t rows, cols;
};

struct lab_trace {
    atomic_size_t references;
    struct lab_experiment experiment;
    struct lab_sizes sizes;
    struct lab_graph graph; /* of the experiment above */
    struct arena arena;     /* everything below stands in it */
    struct lab_trace_buffer part[LAB_PARTS];
    const struct lab_numbers *large[LAB_PARTS]; /* W's in memory of their own, shared with traces
                                                   before and after; NULL: in arena */
    const uint8_t *visible;                     /* n × m, 0 = hidden; NULL: everything is seen */
    size_t pairs, blind;                        /* seen pairs; queries that see no key */
    bool *guess;                                /* [n] */
    const char *const *axis; /* [d_model] names of the dimensions; NULL: they have none */
    const char *const
        *q_names; /* [heads·d_k] names that were given, or copied by identity weights; or NULL */
    const char *const *k_names; /* [heads·d_k] as the head sees them: those of its group */
    const char *const *v_names; /* [heads·d_v] likewise */
    float *origin;              /* [edits] the number under each edit, where it met a cell */
    bool *met;                  /* [edits] true where it met one */
    struct lab_run_facts facts;
    struct lab_engine engine; /* that computed it, with its kernels */
    atomic_bool hides_scores; /* the hidden scores are not computed yet, since nobody has read S */
};

/* Replaces computed numbers of a part by those typed by hand, before anything else uses them
 * (matrices [count][rows][cols], one after the other). The replaced ones are kept. (trace.c) */
void lab_trace_type(struct lab_trace *trace, enum lab_part part, size_t count, size_t rows,
                    size_t cols, float *values);

/* Restores the computed numbers under those typed by hand: cells of `values`, matrices as above. */
void lab_trace_untype(const struct lab_trace *trace, enum lab_part part, size_t count, size_t rows,
                      size_t cols, float *values);

/* The matrices of all heads from queries and keys to the output, one after the other. */
struct lab_scoring {
    const float *q, *k, *v; /* n × d_k, m × d_k, m × d_v each */
    float *scores, *alpha;  /* n × m each */
    float *z, *concat;      /* n × d_v each; n × heads · d_v */
};

/* Computes the scores that the mask shows, and the weights, and counts what was computed. Returns
 * false without memory. (run_scores.c) */
bool lab_trace_weigh(struct lab_trace *trace, const struct lab_scoring *heads);

/* Computes the weighted sums of the values. (run_scores.c) */
void lab_trace_blend(struct lab_trace *trace, const struct lab_scoring *heads);

/* Notes that so many threads shared a stage. (run_scores.c) */
void lab_trace_note_threads(struct lab_trace *trace, size_t threads);

/* Computes one transform of queries or keys, for all matrices of `from`. (run.c) */
void lab_trace_apply_transform(const struct lab_trace *trace, const struct lab_qk_transform *step,
                               enum lab_side side, const float *from, float *made);

/* Computes the scores that the mask hides, when S is read. (run_scores.c) */
void lab_trace_uncover(struct lab_trace *trace);

/* Computes a trace of which not every part is given or can be computed: sizes.partial. Its
 * experiment, sizes, mask and room for edits must be set. Returns false without memory.
 * (run_partial.c) */
bool lab_trace_partial(struct lab_trace *trace, struct error *error);

/* Returns the shape of a part, whether the experiment has it or not; values NULL. (run.c) */
struct lab_trace_buffer lab_trace_shape(const struct lab_trace *trace, enum lab_part part);

/* Names the dimensions: the experiment's own names, or those of the embedding, which identity
 * weights copy to columns of Q, K and V. (lab/run/names.c) */
bool lab_trace_name_columns(struct lab_trace *trace, struct error *error);

#endif
