/* cli/results.h — the arrays of a trace under the names that compute prints. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/options.h"
#include "file/array.h"
#include "lab/explain.h"
#include "lab/trace.h"

enum { CLI_RESULTS_MAX = 24 };

struct cli_results {
    const struct cli_options *options;
    const struct lab_trace *trace;
    const char *const *tokens, *const *context; /* context NULL: self-attention */
    size_t token_count, context_count;
    struct array array[CLI_RESULTS_MAX];
    size_t count;
    /* With --flash: the running maximum and sum after every tile [heads][n][tiles of keys], and the
     * largest difference to Z. values NULL: none. */
    struct array running_max, running_sum;
    bool has_flash;
    float flash_difference;
};

/* Those that exist, and of these the ones that --select names. Views into the trace and the arena.
 */
bool cli_results_of(const struct cli_options *options, const struct lab_trace *trace,
                    struct arena *arena, struct cli_results *results, struct error *error);

/* Whether a list like "weights,Z" names the result; NULL names every one. */
bool cli_is_selected(const char *list, const char *name);

/* One JSON object: format, version, tokens, context, settings, then the arrays. */
bool cli_results_json(const struct cli_results *results, struct arena *arena, struct bytes *content,
                      struct error *error);

#endif
