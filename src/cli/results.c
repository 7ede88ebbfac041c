/* cli/results.c — arrays with their tokens and settings: which are asked for, and which were
 * made. */
#include "cli/results.h"

#include <string.h>

#include "base/checked.h"
#include "cli/calls.h"

/* ---- the selection -------------------------------------------------------------------------- */

/* Returns the next name in a list like "weights,Z"; NULL: it is the last. */
static const char *name_behind(const char *name)
{
    const char *const comma = strchr(name, ',');
    return comma == NULL ? NULL : comma + 1;
}

static bool is_named(const char *name, const char *written)
{
    const size_t letters = strcspn(written, ",");
    return strlen(name) == letters && strncmp(name, written, letters) == 0;
}

bool cli_is_selected(const struct cli_options *options, const char *name)
{
    const char *written = options->value[CLI_SELECT].text;
    bool selected = written == NULL;
    for (; written != NULL && !selected; written = name_behind(written)) {
        selected = is_named(name, written);
    }
    return selected;
}

const char *cli_result_name(size_t index)
{
    const unsigned all = LAB_RESULT_OF_EXPERIMENT | LAB_RESULT_OF_MODEL | LAB_RESULT_OF_DUMP;
    const char *name = NULL;
    for (size_t at = 0; (name = lab_result_name_at(all, at)) != NULL; at++) {
        bool repeats = false;
        for (size_t former = 0; former < at; former++) {
            repeats = repeats || strcmp(name, lab_result_name_at(all, former)) == 0;
        }
        if (!repeats && index-- == 0) {
            return name;
        }
    }
    return NULL;
}

static const char *experiment_name(size_t index)
{
    return lab_result_name_at(LAB_RESULT_OF_EXPERIMENT, index);
}

static const char *model_name(size_t index)
{
    return lab_result_name_at(LAB_RESULT_OF_MODEL | LAB_RESULT_OF_LAYER, index);
}

static const char *dump_name(size_t index)
{
    return lab_result_name_at(LAB_RESULT_OF_DUMP, index);
}

enum { LIST_MAX = 120 }; /* bytes of a list of names in a sentence */

static bool refuse_name(const char *written, unsigned of, struct error *error)
{
    const bool model = (of & LAB_RESULT_OF_MODEL) != 0, dump = (of & LAB_RESULT_OF_DUMP) != 0;
    const char *(*const name_at)(size_t) = model ? model_name : dump ? dump_name : experiment_name;
    char name[32] = "", names[200];
    const size_t letters = strcspn(written, ",");
    memcpy(name, written, letters < sizeof name ? letters : sizeof name - 1);
    const char *const nearest = cli_nearest_name(name, name_at);
    cli_write_name_list(names, sizeof names, name_at);
    const bool fits = strlen(names) + strlen(name) <= LIST_MAX;
    return error_set(error, ERROR_USAGE, "%s has no result “%s”%s%s%s",
                     model  ? "A model"
                     : dump ? "A file of attention"
                            : "An experiment",
                     name,
                     nearest != NULL ? "; did you mean "
                     : fits          ? ": "
                                     : "; attnscope compute --help lists all results",
                     nearest != NULL ? nearest
                     : fits          ? names
                                     : "",
                     nearest != NULL ? "?" : ".");
}

bool cli_check_selection(const struct cli_options *options, unsigned of, struct error *error)
{
    const char *written = options->value[CLI_SELECT].text;
    for (; written != NULL; written = name_behind(written)) {
        const char *known = NULL;
        for (size_t n = 0; known == NULL && lab_result_name_at(of, n) != NULL; n++) {
            known = is_named(lab_result_name_at(of, n), written) ? lab_result_name_at(of, n) : NULL;
        }
        for (size_t n = 0; known == NULL && lab_result_name_at(LAB_RESULT_OF_LAYER, n) != NULL &&
                           (of & LAB_RESULT_OF_MODEL) != 0;
             n++) {
            if (is_named(lab_result_name_at(LAB_RESULT_OF_LAYER, n), written)) {
                return error_set(error, ERROR_USAGE,
                                 "%s is a result of one layer: --layer names it.",
                                 lab_result_name_at(LAB_RESULT_OF_LAYER, n));
            }
        }
        if (known == NULL) {
            return refuse_name(written, of, error);
        }
    }
    return true;
}

bool cli_check_results(const struct cli_results *results, struct error *error)
{
    const char *written = results->options->value[CLI_SELECT].text;
    for (; written != NULL; written = name_behind(written)) {
        bool made = results->put_last != NULL && is_named("flash", written);
        for (size_t a = 0; a < results->count && !made; a++) {
            made = is_named(results->array[a].name, written);
        }
        if (!made) {
            return error_set(error, ERROR_USAGE, "This experiment has no %.*s.",
                             (int)strcspn(written, ","), written);
        }
    }
    return true;
}

/* ---- adding results ------------------------------------------------------------------------- */

void cli_results_append(struct cli_results *results, const char *axes, const struct array *array)
{
    results->axes[results->count] = axes;
    results->array[results->count++] = *array;
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY,
                     "There is not enough memory for these results: --select names fewer.");
}

/* Counts the numbers of an array; false: too many to be counted in bytes. */
static bool count_numbers(const struct cli_results *results, const char *axes, const size_t *shape,
                          size_t *count)
{
    size_t bytes = 0;
    bool fits = results->count < CLI_RESULTS_MAX;
    *count = 1;
    for (size_t axis = 0; axes[axis] != '\0'; axis++) {
        fits = fits && checked_multiply(*count, shape[axis], count);
    }
    return fits && checked_multiply(*count, sizeof(float), &bytes);
}

bool cli_results_add_filled(struct cli_results *results, const char *name, const char *axes,
                            const size_t *shape, const struct array_filling *filling,
                            struct error *error)
{
    size_t count = 0;
    struct array_filling *const own = count_numbers(results, axes, shape, &count)
                                          ? arena_alloc(results->arena, sizeof *own)
                                          : NULL;
    if (own == NULL) {
        return no_memory(error);
    }
    *own = *filling;
    const struct array array = array_of_filling(name, strlen(axes), shape, own);
    cli_results_append(results, axes, &array);
    return true;
}

float *cli_results_add_array(struct cli_results *results, const char *name, const char *axes,
                             const size_t *shape, struct error *error)
{
    size_t count = 0;
    float *const values = count_numbers(results, axes, shape, &count)
                              ? arena_array(results->arena, count, sizeof *values)
                              : NULL;
    if (values == NULL) {
        no_memory(error);
        return NULL;
    }
    const struct array array = array_of_floats(name, strlen(axes), shape, values);
    cli_results_append(results, axes, &array);
    return values;
}

bool cli_wants_measures(const struct cli_options *options)
{
    for (size_t m = 0; m < LAB_HEAD_MEASURES; m++) {
        if (cli_is_selected(options, lab_head_measure_row((enum lab_head_measure)m)->name)) {
            return true;
        }
    }
    return false;
}

bool cli_results_add_measures(struct cli_results *results, const struct subject *subject,
                              enum model_attention which, struct error *error)
{
    const struct subject_look look = {.which = which, .engine = results->options->engine};
    struct lab_thumbnails *thumbnails = NULL;
    bool done = subject_look_at_heads(subject, &look, SIZE_MAX, &thumbnails, error);
    if (done) {
        lab_thumbnails_take(thumbnails);
    }
    for (size_t m = 0; done && m < LAB_HEAD_MEASURES; m++) {
        const char *const name = lab_head_measure_row((enum lab_head_measure)m)->name;
        if (!cli_is_selected(results->options, name)) {
            continue;
        }
        const struct lab_thumbnails_sizes sizes = lab_thumbnails_sizes(thumbnails);
        float *const values = cli_results_add_array(
            results, name, "LH", (const size_t[]){sizes.layers, sizes.heads}, error);
        done = values != NULL;
        for (size_t h = 0; done && h < sizes.layers * sizes.heads; h++) {
            values[h] =
                lab_thumbnails_head(thumbnails, h / sizes.heads, h % sizes.heads).head_measure[m];
        }
    }
    lab_thumbnails_release(thumbnails);
    return done;
}

/* Returns the rows of the last axis at each place of the first, which is no longer part of the
 * rank. */
static size_t rows_behind(const struct array *array)
{
    size_t rows = 1;
    for (size_t axis = 1; axis < array->rank; axis++) {
        rows *= array->shape[axis];
    }
    return rows;
}

void cli_results_keep_one(struct cli_results *results, char axis, size_t place, size_t of)
{
    for (size_t a = 0; a < results->count; a++) {
        struct array *const array = &results->array[a];
        if (results->axes[a][0] == axis) {
            const size_t at = place * array->shape[0] / of;
            array->rank--;
            if (array->filling != NULL) {
                array->rows_before += at * rows_behind(array);
            } else {
                array->bytes.at += at * (size_t)array->strides[0];
                array->bytes.size = (size_t)array->strides[0];
            }
            memmove(array->shape, array->shape + 1, array->rank * sizeof *array->shape);
            memmove(array->strides, array->strides + 1, array->rank * sizeof *array->strides);
            results->axes[a]++;
        }
    }
    results->head = axis == 'H' ? place : results->head;
}

/* ---- as members of JSON ---------------------------------------------------------------------- */

void cli_write_words(struct json_writer *json, const char *key, const char *const *words,
                     size_t count)
{
    json_key(json, key);
    if (words == NULL) {
        json_put_null(json);
    } else {
        json_put_texts(json, words, count);
    }
}

void cli_write_facts(struct json_writer *json, const char *name, const char *type, size_t rank,
                     const size_t *shape)
{
    json_begin_object_in_line(json);
    json_key(json, "name");
    json_put_text(json, name);
    json_key(json, "type");
    json_put_text(json, type);
    json_key(json, "shape");
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t axis = 0; axis < rank; axis++) {
        json_put_whole_number(json, (int64_t)shape[axis]);
    }
    json_end_array(json);
    json_end_object(json);
}

void cli_write_array_facts(struct json_writer *json, const struct array *array)
{
    cli_write_facts(json, array->name, array_type_name(array->type), array->rank, array->shape);
}

void cli_write_unread_facts(struct json_writer *json, const struct array_unread *unread)
{
    cli_write_facts(json, unread->array.name, unread->type, unread->array.rank,
                    unread->array.shape);
}
