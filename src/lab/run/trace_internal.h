/* lab/run/trace_internal.h — what a trace is made of; for trace.c and run.c only. */
#ifndef LAB_RUN_TRACE_INTERNAL_H
#define LAB_RUN_TRACE_INTERNAL_H

#include <stdatomic.h>

#include "lab/experiment/qk_transform.h"
#include "lab/run/trace.h"

/* A buffer of the trace: heads matrices one behind the other. */
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
    struct arena arena;     /* everything below stands here */
    struct lab_trace_buffer part[LAB_PARTS];
    const struct lab_numbers *large[LAB_PARTS]; /* W's that stand on their own, shared by counting
                                                   with traces before and after; NULL: in arena */
    const uint8_t *visible;                     /* n × m, 0 = hidden; NULL: all is seen */
    size_t pairs, blind;                        /* seen pairs; queries that see no key */
    bool *guess;                                /* [n] */
    const char *const *axis; /* [d_model] names of the dimensions; NULL: they have none */
    const char *const
        *q_names; /* [heads·d_k] names given, or carried over by identity weights; or NULL */
    const char *const *k_names; /* [heads·d_k] as the head sees them, its group's */
    const char *const *v_names; /* [heads·d_v] likewise */
    float *origin;              /* [edits] what each edit covers, where it met a cell */
    bool *met;                  /* [edits] whether it did */
    struct lab_run_facts facts;
    struct lab_engine engine; /* that computed it, with its kernels */
    bool hides_scores;        /* those that the mask hides are not computed yet: nobody looked */
};

/* Numbers typed by hand take the place of those of a part that have just arisen (matrices
 * [count][rows][cols], one behind the other), so that all that follows uses them. What they cover
 * is kept. (trace_typed.c) */
void lab_trace_type(struct lab_trace *trace, enum lab_part part, size_t count, size_t rows,
                    size_t cols, float *values);

/* The computed numbers again, where numbers typed by hand cover those of a part: cells of `values`,
 * matrices as above. */
void lab_trace_untype(const struct lab_trace *trace, enum lab_part part, size_t count, size_t rows,
                      size_t cols, float *values);

/* The way of all heads from queries and keys to what they give: matrices one behind the other. */
struct lab_scoring {
    const float *q, *k, *v; /* n × d_k, m × d_k, m × d_v each */
    float *scores, *alpha;  /* n × m each */
    float *z, *concat;      /* n × d_v each; n × heads · d_v */
};

/* Scores as far as the mask shows them, and the weights; what was computed is counted. False: no
 * memory. (run_scores.c) */
bool lab_trace_weigh(struct lab_trace *trace, const struct lab_scoring *heads);

/* What the weights make of the values. (run_scores.c) */
void lab_trace_blend(struct lab_trace *trace, const struct lab_scoring *heads);

/* So many threads shared a stage. (run_scores.c) */
void lab_trace_note_threads(struct lab_trace *trace, size_t threads);

/* One step of queries or keys on their way to the scores, all matrices of `from`. (run.c) */
void lab_trace_take_step(const struct lab_trace *trace, const struct lab_qk_transform *step,
                         enum lab_side side, const float *from, float *made);

/* Computes the scores that the mask hides, for whoever looks at S. (run_scores.c) */
void lab_trace_uncover(struct lab_trace *trace);

/* All of a trace of which not every part is given or can be computed: sizes.partial. Its
 * experiment, sizes, mask and room for edits stand. False: no memory. (run_partial.c) */
bool lab_trace_partial(struct lab_trace *trace, struct error *error);

/* Every part's shape, whether the experiment has it or not; values NULL. (run.c) */
struct lab_trace_buffer lab_trace_shape(const struct lab_trace *trace, enum lab_part part);

/* The names of the dimensions: the experiment's own, or those of the embedding, and what identity
 * weights carry over to columns of Q, K and V (lab/run/names.c). */
bool lab_trace_name_columns(struct lab_trace *trace, struct error *error);

#endif
