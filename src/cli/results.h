/* cli/results.h — what compute writes: tokens, settings and arrays, of an experiment, a model or a
 * file of attention, in each format. Which arrays there are says lab/run/results.h. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/options.h"
#include "file/array.h"
#include "file/json.h"
#include "lab/run/results.h"

enum { CLI_RESULTS_MAX = 32 };

struct cli_results {
    const struct cli_options *options;
    struct arena *arena;                        /* owns what is computed for them */
    const char *const *tokens, *const *context; /* context NULL: self-attention */
    size_t token_count, context_count;
    bool has_no_context; /* nor says so */
    struct array array[CLI_RESULTS_MAX];
    size_t count;
    /* Members of JSON: behind the context, and behind the arrays (NULL: none), where they stand for
     * the last `in_last` of these. */
    void (*put_settings)(struct json_writer *json, const struct cli_results *results);
    void (*put_last)(struct json_writer *json, const struct cli_results *results);
    size_t in_last;
    const void *owner;
};

/* Whether --select names the result; without it every one is meant. */
bool cli_is_selected(const struct cli_options *options, const char *name);

/* Whether each name in --select is a result of these sources (bits of lab/run/results.h). False and
 * a sentence that names those that are. */
bool cli_check_selection(const struct cli_options *options, unsigned of, struct error *error);

/* Whether each of them has been made; false and a sentence: this experiment has none. */
bool cli_check_results(const struct cli_results *results, struct error *error);

/* Room for an array of that shape, which becomes one of the results. NULL and a sentence: no
 * memory.
 */
float *cli_results_add(struct cli_results *results, const char *name, size_t rank,
                       const size_t *shape, struct error *error);

/* Members of JSON: a list of words (NULL: null); the name, type and shape of an array. */
void cli_put_words_json(struct json_writer *json, const char *key, const char *const *words,
                        size_t count);
void cli_put_array_facts(struct json_writer *json, const struct array *array);

/* The whole as a file of the format (in the order of cli_result_format_name). */
bool cli_results_write(const struct cli_results *results, size_t format, struct bytes *content,
                       struct error *error);

/* Whether files of the format are for programs only. */
bool cli_result_format_is_binary(size_t format);

#endif
