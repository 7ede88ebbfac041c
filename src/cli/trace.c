/* cli/trace.c — computes an experiment, and says with --verbose what was computed and by what. */
#include <stdio.h>

#include "cli/calls.h"

static const char *plural_suffix(size_t count)
{
    return count == 1 ? "" : "s";
}

void cli_print_trace_facts(const struct cli_options *options, const struct lab_trace *trace)
{
    const struct lab_sizes s = lab_trace_sizes(trace);
    const struct lab_run_facts facts = lab_trace_facts(trace);
    char model[32] = "";
    if (!s.raw) {
        snprintf(model, sizeof model, "d_model %zu, ", s.d_model);
    }
    cli_print_verbose(
        options, "%zu head%s, %zu quer%s, %zu key%s, %sd_k %zu, d_v %zu: %s, %u thread%s, %.1f µs",
        s.heads, plural_suffix(s.heads), s.n, s.n == 1 ? "y" : "ies", s.m, plural_suffix(s.m),
        model, s.d_k, s.d_v, facts.isa_title, facts.threads, plural_suffix(facts.threads),
        facts.microseconds);
}

struct lab_trace *cli_compute_trace(const struct cli_options *options,
                                    const struct lab_experiment *experiment, struct error *error)
{
    struct lab_trace *const trace = lab_run(experiment, &options->engine, error);
    if (trace != NULL) {
        cli_print_trace_facts(options, trace);
    }
    return trace;
}
