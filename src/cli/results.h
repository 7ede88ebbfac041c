/* cli/results.h — the answer of compute: tokens, settings and arrays, of an experiment, a model or
 * a file of attention, in each format. Which arrays there are says lab/run/results.h. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/options.h"
#include "file/array.h"
#include "file/json.h"
#include "lab/run/results.h"
#include "lab/run/thumbnails.h"
#include "subject/subject.h"

enum { CLI_RESULTS_MAX = 32 };

/* The format of the answer, and its file. */
struct cli_target {
    size_t format;    /* in the order of cli_result_format_name */
    const char *path; /* "-": standard output */
};

struct cli_results {
    const struct cli_options *options;
    const struct cli_target *target;
    struct arena *arena;                        /* owns what is computed for them */
    const char *const *tokens, *const *context; /* context NULL: self-attention */
    size_t token_count, context_count;
    bool has_no_context; /* nor says so */
    struct array array[CLI_RESULTS_MAX];
    const char *axes[CLI_RESULTS_MAX]; /* of each, a letter an axis (lab/run/results.h) */
    size_t count;
    const struct lab_trace *trace; /* of an experiment: knows more words, and what is masked */
    size_t head;                   /* that was picked, else 0 */
    /* Write members of JSON: behind the context, and behind the arrays (NULL: none), where they
     * stand for the last `in_last` of these. */
    void (*put_settings)(struct json_writer *json, const struct cli_results *results);
    void (*put_last)(struct json_writer *json, const struct cli_results *results);
    size_t in_last;
    const void *owner;
};

/* Says whether --select names the result; without --select every one is meant. */
bool cli_is_selected(const struct cli_options *options, const char *name);

/* Refuses names in --select that are no results of these sources (bits of lab/run/results.h), with
 * a sentence that names those that are. */
bool cli_check_selection(const struct cli_options *options, unsigned of, struct error *error);

/* Refuses names in --select that this experiment has no result for. */
bool cli_check_results(const struct cli_results *results, struct error *error);

/* Appends an array to the results; axes: a letter for each of its axes. */
void cli_results_append(struct cli_results *results, const char *axes, const struct array *array);

/* Makes room for an array of that shape and appends it to the results. NULL and a sentence: no
 * memory. */
float *cli_results_add_array(struct cli_results *results, const char *name, const char *axes,
                             const size_t *shape, struct error *error);

/* Appends an array that is filled when it is written; the filling is copied. False and a sentence:
 * no memory. */
bool cli_results_add_filled(struct cli_results *results, const char *name, const char *axes,
                            const size_t *shape, const struct array_filling *filling,
                            struct error *error);

/* Says whether a measure of heads (lab/run/thumbnails.h) is selected, which has to read every head;
 * cli_results_add_measures looks at all heads, whose layers are computed, and appends those that
 * are as arrays [layers][heads]. It returns false and a sentence where they cannot be read. */
bool cli_wants_measures(const struct cli_options *options);
bool cli_results_add_measures(struct cli_results *results, const struct subject *subject,
                              enum model_attention which, struct error *error);

/* Keeps one layer or head, number `place` of `of`, of the arrays with an axis L or H, whose axis is
 * removed; keys and values may have fewer heads. */
void cli_results_keep_one(struct cli_results *results, char axis, size_t place, size_t of);

/* Write members of JSON: a list of words (NULL: null); the name, type and shape of an array. */
void cli_write_words(struct json_writer *json, const char *key, const char *const *words,
                     size_t count);
void cli_write_array_facts(struct json_writer *json, const struct array *array);
void cli_write_unread_facts(struct json_writer *json, const struct array_unread *unread);
void cli_write_facts(struct json_writer *json, const char *name, const char *type, size_t rank,
                     const size_t *shape);

/* Writes the whole to results->target, which then holds all of it or what it held before. A pipe
 * that was closed is no error. (cli/result_files.c) */
bool cli_results_write(const struct cli_results *results, struct error *error);

/* Reads the format from --format or the suffix of -o. */
bool cli_result_format(const struct cli_options *options, size_t *format, struct error *error);

/* Refuses --decimals for a format in which numbers are not rounded. */
bool cli_check_decimals(const struct cli_options *options, size_t format, struct error *error);

/* Says whether a file of that format holds one array alone. */
bool cli_result_format_is_of_one(size_t format);

#endif
