/* cli/trace.c — what files say is computed by plain C, where every operation is rounded alike on
 * all machines: the same call writes the same bytes, whatever the processor can do. A set that is
 * asked for computes beside it, and is told apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/calls.h"
#include "lab/experiment/graph.h"

static const char *asked_set(const struct cli_options *options)
{
    const char *const given = options->value[CLI_ISA].text;
    return given != NULL ? given : getenv("ATTN_ISA");
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void say_trace(const struct cli_options *options, const struct lab_trace *trace)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    const struct lab_run_facts facts = lab_trace_facts(trace);
    char model[32] = "";
    if (!s.raw) {
        snprintf(model, sizeof model, "d_model %zu, ", s.d_model);
    }
    cli_say(options,
            "%zu head%s, %zu quer%s, %zu key%s, %sd_k %zu, d_v %zu: %s, %u thread%s, %.1f µs",
            s.heads, plural(s.heads), s.n, s.n == 1 ? "y" : "ies", s.m, plural(s.m), model, s.d_k,
            s.d_v, facts.isa_title, facts.threads, plural(facts.threads), facts.microseconds);
}

/* The largest difference between weights. */
static double farthest(const struct lab_trace *a, const struct lab_trace *b)
{
    double most = 0;
    for (size_t head = 0; head < lab_trace_sizes(a).heads; head++) {
        const struct lab_matrix one = lab_trace_part(a, LAB_ALPHA, head);
        const struct lab_matrix other = lab_trace_part(b, LAB_ALPHA, head);
        for (size_t i = 0; i < one.rows * one.cols; i++) {
            const size_t row = i / one.cols, column = i % one.cols;
            most = fmax(most, fabs((double)lab_matrix_at(&one, row, column) -
                                   (double)lab_matrix_at(&other, row, column)));
        }
    }
    return most;
}

bool cli_check_trace(const struct cli_options *options, const struct lab_trace *trace,
                     struct error *error)
{
    const char *const set = asked_set(options);
    say_trace(options, trace);
    if (set == NULL || set[0] == '\0') {
        return true;
    }
    struct lab_trace *const other = lab_run(lab_trace_experiment(trace), set, error);
    if (other == NULL) {
        return false;
    }
    say_trace(options, other);
    cli_say(options, "%s and plain C, which is what is written: weights differ by %.2g at most",
            lab_trace_facts(other).isa_title, farthest(trace, other));
    lab_trace_release(other);
    return true;
}

const char *cli_set_for(const struct cli_options *options, const struct lab_experiment *experiment)
{
    const char *const plain = lab_op_count_set(experiment);
    if (plain != NULL) {
        return plain;
    }
    cli_warn(options, "So many numbers would take plain C too long: their last digits may differ "
                      "on another machine.");
    return options->value[CLI_ISA].text;
}

struct lab_trace *cli_trace(const struct cli_options *options,
                            const struct lab_experiment *experiment, struct error *error)
{
    struct lab_trace *const trace = lab_run(experiment, cli_set_for(options, experiment), error);
    if (trace != NULL && !cli_check_trace(options, trace, error)) {
        lab_trace_release(trace);
        return NULL;
    }
    return trace;
}
