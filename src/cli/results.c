/* cli/results.c — arrays with their tokens and settings, written in each format. */
#include "cli/results.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "cli/calls.h"
#include "file/csv.h"
#include "file/npz.h"

/* ---- which of them -------------------------------------------------------------------------- */

/* The name behind this one in a list like "weights,Z"; NULL: it is the last. */
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

static bool refuse_name(const char *written, unsigned of, struct error *error)
{
    const bool model = (of & LAB_RESULT_OF_MODEL) != 0, dump = (of & LAB_RESULT_OF_DUMP) != 0;
    const char *(*const name_at)(size_t) = model ? model_name : dump ? dump_name : experiment_name;
    char name[32] = "", names[200];
    const size_t letters = strcspn(written, ",");
    memcpy(name, written, letters < sizeof name ? letters : sizeof name - 1);
    const char *const nearest = cli_nearest(name, name_at);
    cli_name_list(names, sizeof names, name_at);
    return error_set(error, ERROR_USAGE, "%s has no result “%s”%s%s%s",
                     model  ? "A model"
                     : dump ? "A file of attention"
                            : "An experiment",
                     name, nearest != NULL ? "; did you mean " : ": ",
                     nearest != NULL ? nearest : names, nearest != NULL ? "?" : ".");
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

/* ---- made ----------------------------------------------------------------------------------- */

float *cli_results_add(struct cli_results *results, const char *name, size_t rank,
                       const size_t *shape, struct error *error)
{
    size_t count = 1;
    bool fits = results->count < CLI_RESULTS_MAX;
    for (size_t axis = 0; axis < rank; axis++) {
        fits = fits && checked_multiply(count, shape[axis], &count);
    }
    float *const values = fits ? arena_array(results->arena, count, sizeof *values) : NULL;
    if (values == NULL) {
        error_set(error, ERROR_MEMORY,
                  "There is not enough memory for these results: --select names fewer.");
        return NULL;
    }
    results->array[results->count++] = array_of_floats(name, rank, shape, values);
    return values;
}

/* ---- written -------------------------------------------------------------------------------- */

void cli_put_words_json(struct json_writer *json, const char *key, const char *const *words,
                        size_t count)
{
    json_key(json, key);
    if (words == NULL) {
        json_put_null(json);
    } else {
        json_put_texts(json, words, count);
    }
}

void cli_put_array_facts(struct json_writer *json, const struct array *array)
{
    json_begin_object_in_line(json);
    json_key(json, "name");
    json_put_text(json, array->name);
    json_key(json, "type");
    json_put_text(json, array_type_name(array->type));
    json_key(json, "shape");
    json_begin_array(json, JSON_ONE_LINE);
    for (size_t axis = 0; axis < array->rank; axis++) {
        json_put_whole_number(json, (int64_t)array->shape[axis]);
    }
    json_end_array(json);
    json_end_object(json);
}

static bool write_json(const struct cli_results *results, struct bytes *content,
                       struct error *error)
{
    struct json_writer json = json_writer_start(results->arena);
    json_begin_object(&json);
    json_key(&json, "format");
    json_put_text(&json, "attnscope-trace");
    json_key(&json, "version");
    json_put_whole_number(&json, 1);
    cli_put_words_json(&json, "tokens", results->tokens, results->token_count);
    if (!results->has_no_context) {
        cli_put_words_json(&json, "context", results->context, results->context_count);
    }
    results->put_settings(&json, results);
    for (size_t a = 0; a + results->in_last < results->count; a++) {
        json_key(&json, results->array[a].name);
        json_put_array(&json, &results->array[a]);
    }
    if (results->put_last != NULL) {
        results->put_last(&json, results);
    }
    json_end_object(&json);
    return json_writer_finish(&json, content, error);
}

static bool write_csv(const struct cli_results *results, struct bytes *content, struct error *error)
{
    struct growing out = growing_start(results->arena);
    cli_put_words(&out, "tokens", results->tokens, results->token_count);
    if (results->context != NULL) {
        cli_put_words(&out, "context", results->context, results->context_count);
    }
    for (size_t a = 0; a < results->count; a++) {
        csv_put_array(&out, &results->array[a]);
    }
    return growing_finish(&out, content, error);
}

static bool write_npz(const struct cli_results *results, struct bytes *content, struct error *error)
{
    return npz_write(results->array, results->count, results->arena, content, error);
}

static const struct {
    const char *name; /* as --format has it; the suffix of a file too */
    bool (*write)(const struct cli_results *results, struct bytes *content, struct error *error);
    bool is_binary;
} formats[CLI_FORMAT_PICTURES] = {
    {"json", write_json, false}, {"csv", write_csv, false}, {"npz", write_npz, true}};

const char *cli_result_format_name(size_t index)
{
    return index < CLI_FORMAT_PICTURES ? formats[index].name : NULL;
}

bool cli_result_format_is_binary(size_t format)
{
    return formats[format].is_binary;
}

bool cli_results_write(const struct cli_results *results, size_t format, struct bytes *content,
                       struct error *error)
{
    return formats[format].write(results, content, error);
}
