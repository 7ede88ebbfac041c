/* tests/lab/bench.h — what the tests of the lab share: experiments from words, matrices against
 * numbers. */
#ifndef TESTS_LAB_BENCH_H
#define TESTS_LAB_BENCH_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lab/run/trace.h"

/* The default experiment on these words. */
static inline struct lab_experiment experiment_of(const char *const *word, size_t count)
{
    struct lab_experiment experiment;
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(lab_experiment_default(&experiment, &error));
    assert_true(lab_experiment_set_tokens(&experiment, word, count, &error));
    return experiment;
}

/* What a stage says of an experiment. */
static inline const char *sentence_at(const struct lab_experiment *experiment, enum lab_stage stage)
{
    const struct lab_sizes sizes = lab_experiment_sizes(experiment);
    const struct lab_graph graph = lab_graph_of(experiment, &sizes);
    return lab_stage_sentence(&graph, stage);
}

static inline struct lab_trace *trace_of(const struct lab_experiment *experiment)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct lab_trace *const trace = lab_run(experiment, NULL, &error);
    assert_string_equal(error.text, "");
    assert_non_null(trace);
    return trace;
}

/* Every entry within `room` of the largest, and half a unit of the last place that is printed. */
static inline void assert_close(struct lab_matrix matrix, const double *expected, size_t rows,
                                size_t cols, double room, double printed)
{
    assert_non_null(matrix.values);
    assert_int_equal(matrix.rows, rows);
    assert_int_equal(matrix.cols, cols);
    double largest = 0;
    for (size_t c = 0; c < rows * cols; c++) {
        largest = fmax(largest, fabs(expected[c]));
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < cols; j++) {
            const double off = fabs((double)lab_matrix_at(&matrix, i, j) - expected[i * cols + j]);
            if (!(off <= room * largest + printed)) {
                fail_msg("%s[%zu][%zu] is %.9g, expected %.9g", matrix.name, i, j,
                         (double)lab_matrix_at(&matrix, i, j), expected[i * cols + j]);
            }
        }
    }
}

static inline void assert_matrix(struct lab_matrix matrix, const double *expected, size_t rows,
                                 size_t cols, double printed)
{
    assert_close(matrix, expected, rows, cols, 4e-6, printed);
}

/* How large scores, or scaled scores, are on average. */
static inline double rms_of(const struct lab_trace *trace, bool scaled)
{
    const struct lab_sizes sizes = lab_trace_sizes(trace);
    const struct lab_matrix s = lab_trace_part(trace, LAB_SCORES, 0);
    double squares = 0;
    for (size_t i = 0; i < sizes.n; i++) {
        for (size_t j = 0; j < sizes.m; j++) {
            const double score =
                scaled ? (double)lab_trace_scaled(trace, 0, i, j) : (double)lab_matrix_at(&s, i, j);
            squares += score * score;
        }
    }
    return sqrt(squares / (double)(sizes.n * sizes.m));
}

#endif
