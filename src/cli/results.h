/* cli/results.h — what compute writes: tokens, settings and arrays, of an experiment, a model or a
 * file of attention, in each format. Which arrays there are says lab/run/results.h. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/options.h"
#include "file/array.h"
#include "file/json.h"
#include "lab/run/results.h"
#include "lab/run/thumbnails.h"

enum { CLI_RESULTS_MAX = 32 };

/* What compute writes, and where to. */
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

/* One more of the results; axes: a letter for each of its axes. */
void cli_results_take(struct cli_results *results, const char *axes, const struct array *array);

/* Room for an array of that shape, which becomes one of the results. NULL and a sentence: no
 * memory. */
float *cli_results_add(struct cli_results *results, const char *name, const char *axes,
                       const size_t *shape, struct error *error);

/* The same of an array that is filled when it is written; the filling is copied. False and a
 * sentence: no memory. */
bool cli_results_add_filled(struct cli_results *results, const char *name, const char *axes,
                            const size_t *shape, const struct array_filling *filling,
                            struct error *error);

/* Whether a measure of heads (lab/run/thumbnails.h) is selected, which takes a look at every head;
 * and those that are as arrays [layers][heads]. NULL thumbnails, which were refused: false. */
bool cli_wants_measures(const struct cli_options *options);
bool cli_results_add_measures(struct cli_results *results, const struct lab_thumbnails *thumbnails,
                              struct error *error);

/* Of arrays with an axis L or H only the layer, the head at that place `of` so many (keys and
 * values may have fewer): the axis is gone. */
void cli_results_pick(struct cli_results *results, char axis, size_t place, size_t of);

/* Members of JSON: a list of words (NULL: null); the name, type and shape of an array. */
void cli_put_words_json(struct json_writer *json, const char *key, const char *const *words,
                        size_t count);
void cli_put_array_facts(struct json_writer *json, const struct array *array);
void cli_put_unread_facts(struct json_writer *json, const struct array_unread *unread);
void cli_put_facts(struct json_writer *json, const char *name, const char *type, size_t rank,
                   const size_t *shape);

/* Writes the whole to results->target, which then holds all of it or what it held before. A pipe
 * that was closed has had enough. (cli/result_files.c) */
bool cli_results_write(const struct cli_results *results, struct error *error);

/* The format that --format or the suffix of -o says. */
bool cli_result_format(const struct cli_options *options, size_t *format, struct error *error);

/* False and a sentence: --decimals was given, and numbers are not rounded in that format. */
bool cli_check_decimals(const struct cli_options *options, size_t format, struct error *error);

/* Whether a file of that format holds one array alone. */
bool cli_result_format_is_of_one(size_t format);

#endif
