/* cli/result_files.c — the formats of results: whole files of all arrays, and one array as a table
 * or for a paper, as the export sheet writes it. Text goes out as it is made. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/export/matrix_text.h"
#include "base/file.h"
#include "cli/calls.h"
#include "cli/results.h"
#include "file/csv.h"
#include "file/npy.h"
#include "file/npz.h"

/* ---- all arrays ------------------------------------------------------------------------------ */

/* Writes an array nested as its axes are, a row at a time. */
static bool put_rows(struct json_writer *json, struct array_rows *rows, size_t axis,
                     struct error *error)
{
    const struct array *const array = rows->array;
    if (axis + 1 == array->rank) {
        const float *const row = array_rows_one(rows, error);
        if (row != NULL) {
            json_put_floats(json, 1, &rows->cols, row);
        }
        return row != NULL;
    }
    bool done = true;
    json_begin_array(json, JSON_LINES);
    for (size_t i = 0; done && i < array->shape[axis]; i++) {
        done = put_rows(json, rows, axis + 1, error);
    }
    json_end_array(json);
    return done;
}

static bool put_array_json(struct json_writer *json, const struct cli_results *results,
                           const struct array *array, struct error *error)
{
    struct array_rows rows;
    json_key(json, array->name);
    if (array->filling == NULL) {
        json_put_array(json, array);
        return true;
    }
    return array_rows_start(&rows, array, results->arena, error) && put_rows(json, &rows, 0, error);
}

static bool write_json(const struct cli_results *results, struct growing *out, struct error *error)
{
    struct bytes rest;
    struct json_writer json = json_writer_start(results->arena);
    json.text.sink = out->sink;
    json_begin_object(&json);
    json_key(&json, "format");
    json_put_text(&json, "attnscope-trace");
    json_key(&json, "version");
    json_put_whole_number(&json, 1);
    cli_write_words(&json, "tokens", results->tokens, results->token_count);
    if (!results->has_no_context) {
        cli_write_words(&json, "context", results->context, results->context_count);
    }
    results->put_settings(&json, results);
    for (size_t a = 0; a + results->in_last < results->count; a++) {
        if (!put_array_json(&json, results, &results->array[a], error)) {
            return false;
        }
    }
    if (results->put_last != NULL) {
        results->put_last(&json, results);
    }
    json_end_object(&json);
    return json_writer_finish(&json, &rest, error);
}

/* Appends the next row as a line. */
static bool put_row(struct growing *out, struct array_rows *rows, struct error *error)
{
    const float *const values = array_rows_one(rows, error);
    const struct array row = array_of_floats("", 1, &rows->cols, values);
    if (values != NULL) {
        csv_put_row(out, &row, 0, rows->cols);
    }
    return values != NULL;
}

static bool put_array_csv(struct growing *out, const struct cli_results *results,
                          const struct array *array, struct error *error)
{
    struct array_rows rows;
    csv_put_head(out, array);
    if (array->filling == NULL) {
        csv_put_rows(out, array);
        growing_put_byte(out, '\n');
        return true;
    }
    bool done = array_rows_start(&rows, array, results->arena, error);
    for (size_t row = 0; done && row < rows.count; row++) {
        done = put_row(out, &rows, error);
    }
    growing_put_byte(out, '\n');
    return done;
}

static bool write_tables(const struct cli_results *results, struct growing *out,
                         struct error *error)
{
    struct bytes rest;
    bool done = true;
    cli_append_words(out, "tokens", results->tokens, results->token_count);
    if (results->context != NULL) {
        cli_append_words(out, "context", results->context, results->context_count);
    }
    for (size_t a = 0; done && a < results->count; a++) {
        done = put_array_csv(out, results, &results->array[a], error);
    }
    return done && growing_finish(out, &rest, error);
}

static bool write_npz(const struct cli_results *results, struct growing *out, struct error *error)
{
    const struct npz_texts texts[] = {{"tokens", results->tokens, results->token_count},
                                      {"context", results->context, results->context_count}};
    struct bytes rest;
    return npz_put(out, results->array, results->count, texts, results->context != NULL ? 2 : 1,
                   error) &&
           growing_finish(out, &rest, error);
}

/* ---- one array ------------------------------------------------------------------------------- */

static bool write_npy(const struct cli_results *results, struct growing *out, struct error *error)
{
    struct bytes rest;
    return npy_put(out, &results->array[0], error) && growing_finish(out, &rest, error);
}

/* Escapes control characters in all words; NULL for NULL. */
static const char *const *visible_words(const char *const *words, size_t count, struct arena *arena)
{
    const char **const shown = words == NULL ? NULL : arena_array(arena, count, sizeof *shown);
    for (size_t w = 0; shown != NULL && w < count; w++) {
        shown[w] = cli_escape_controls(words[w], arena);
    }
    return shown;
}

/* Returns the words of an axis: for queries and keys the tokens. */
static const char *const *words_of(const struct cli_results *results, char axis)
{
    return axis == 'n'                               ? results->tokens
           : axis != 'm' || results->context == NULL ? (axis == 'm' ? results->tokens : NULL)
                                                     : results->context;
}

/* Returns the names of columns, which a part of an experiment has of its own. */
static const char *const *column_words(const struct cli_results *results, char axis,
                                       const char *name)
{
    const struct lab_result *result = NULL;
    for (size_t r = 0; results->trace != NULL && (result = lab_result_at(r)) != NULL; r++) {
        if ((result->of & LAB_RESULT_OF_EXPERIMENT) != 0 && strcmp(result->name, name) == 0 &&
            result->part < LAB_PARTS) {
            return lab_trace_part(results->trace, (enum lab_part)result->part, results->head)
                .column_words;
        }
    }
    return words_of(results, axis);
}

/* Makes a matrix of the values; a list of numbers is a column. */
static struct lab_matrix matrix_at(const struct cli_results *results, const float *values)
{
    const struct array *const array = &results->array[0];
    const char *const axes = results->axes[0];
    const size_t rank = array->rank;
    struct lab_matrix matrix = {.name = array->name, .rows = 1, .cols = 1, .values = values};
    if (rank >= 2) {
        matrix.cols = array->shape[rank - 1];
        matrix.column_words = visible_words(column_words(results, axes[rank - 1], array->name),
                                            matrix.cols, results->arena);
    }
    if (rank >= 1) {
        matrix.rows = array->shape[rank >= 2 ? rank - 2 : 0];
        matrix.row_words = visible_words(words_of(results, axes[rank >= 2 ? rank - 2 : 0]),
                                         matrix.rows, results->arena);
    }
    matrix.stride = matrix.cols;
    return matrix;
}

/* Makes the text of the array, refused where it has more than two axes of more than one. */
static bool make_text(const struct cli_results *results, const char *title, struct bytes *text,
                      struct error *error)
{
    const struct array *const array = &results->array[0];
    size_t others = 1;
    for (size_t axis = 0; axis + 2 < array->rank; axis++) {
        others *= array->shape[axis];
    }
    if (others != 1) {
        return error_set(error, ERROR_USAGE, "%s are %s numbers: name one table with %s--head.",
                         array->name, array_shape_text(array, " × ", results->arena),
                         results->axes[0][0] == 'L' ? "--layer and " : "");
    }
    const float *const values = array_floats(array, results->arena, error);
    const struct lab_matrix matrix = matrix_at(results, values);
    if (strcmp(title, "LaTeX table") == 0 && matrix.row_words == NULL &&
        matrix.column_words == NULL) {
        title = "LaTeX"; /* there are no words for a table */
    }
    struct app_matrix_style style =
        app_matrix_style_of(&matrix, colourmap_default(COLOURMAP_UNSIGNED, false),
                            colourmap_default(COLOURMAP_SIGNED, false));
    style.sees = strcmp(array->name, "weights") == 0 ? results->trace : NULL;
    style.has_decimals = results->options->value[CLI_DECIMALS].given;
    style.decimals = (int)results->options->value[CLI_DECIMALS].whole;
    return values != NULL && app_matrix_text(app_matrix_format_find(title), &matrix, &style,
                                             results->arena, text, error);
}

static bool put_file(struct growing *out, struct bytes file, struct error *error)
{
    struct bytes rest;
    growing_put(out, file.at, file.size);
    return growing_finish(out, &rest, error);
}

static bool write_matrix(const struct cli_results *results, const char *title, struct growing *out,
                         struct error *error)
{
    struct bytes text;
    return make_text(results, title, &text, error) && put_file(out, text, error);
}

static bool write_markdown(const struct cli_results *results, struct growing *out,
                           struct error *error)
{
    return write_matrix(results, "Markdown", out, error);
}

static bool write_html(const struct cli_results *results, struct growing *out, struct error *error)
{
    return write_matrix(results, "HTML", out, error);
}

static bool write_latex(const struct cli_results *results, struct growing *out, struct error *error)
{
    return write_matrix(results, "LaTeX table", out, error);
}

static bool write_bmatrix(const struct cli_results *results, struct growing *out,
                          struct error *error)
{
    return write_matrix(results, "LaTeX", out, error);
}

static bool write_tikz(const struct cli_results *results, struct growing *out, struct error *error)
{
    return write_matrix(results, "TikZ", out, error);
}

/* Writes lines that Python runs as they are: the array gets its name behind the comment. */
static bool write_numpy(const struct cli_results *results, struct growing *out, struct error *error)
{
    struct bytes text;
    if (!make_text(results, "NumPy", &text, error)) {
        return false;
    }
    size_t line = 0; /* of the array: the last that no comment begins */
    for (size_t at = 0; at < text.size && text.at[line] == '#'; at++) {
        line = text.at[at] == '\n' ? at + 1 : line;
    }
    const char *const name = results->array[0].name;
    growing_put_text(out, "import numpy as np\n\n");
    growing_put(out, (const char *)text.at, line);
    growing_put_text(out, name);
    growing_put_text(out, " = ");
    return put_file(out, (struct bytes){text.at + line, text.size - line}, error);
}

static bool write_tabs(const struct cli_results *results, struct growing *out, struct error *error)
{
    return write_matrix(results, "Tabs", out, error);
}

/* Appends an index of layers, heads (where there are several) and rows before the numbers, as
 * pandas reads it: read_csv(file, index_col=[0, 1]). */
static void put_index(struct growing *out, const struct array *array, size_t row)
{
    size_t place[ARRAY_RANK_MAX];
    char text[24];
    row /= array->rank > 2 ? array->shape[array->rank - 2] : 1;
    for (size_t axis = array->rank > 2 ? array->rank - 2 : 0; axis-- > 0;) {
        place[axis] = row % array->shape[axis];
        row /= array->shape[axis];
    }
    for (size_t axis = 0; axis + 2 < array->rank; axis++) {
        (void)snprintf(text, sizeof text, "%zu,", place[axis]);
        growing_put_text(out, array->shape[axis] > 1 ? text : "");
    }
}

static bool write_indexed(const struct cli_results *results, struct growing *out,
                          struct error *error)
{
    const struct array *const array = &results->array[0];
    struct array_rows made;
    struct bytes rest;
    const struct lab_matrix matrix = matrix_at(results, NULL);
    const size_t rows = array_count(array) / (matrix.cols > 0 ? matrix.cols : 1);
    for (size_t axis = 0; axis + 2 < array->rank; axis++) {
        const char *const title = results->axes[0][axis] == 'L' ? "layer," : "head,";
        growing_put_text(out, array->shape[axis] > 1 ? title : "");
    }
    app_matrix_put_csv_head(out, &matrix);
    bool done = array->filling == NULL || array_rows_start(&made, array, results->arena, error);
    for (size_t row = 0; done && row < rows; row++) {
        put_index(out, array, row);
        app_matrix_put_csv_word(out, matrix.row_words, row % matrix.rows);
        if (array->filling != NULL) {
            done = put_row(out, &made, error);
        } else {
            csv_put_row(out, array, row * matrix.cols, matrix.cols);
        }
    }
    return done && growing_finish(out, &rest, error);
}

/* Writes one array as a table of its own, or several, one after the other. */
static bool write_csv(const struct cli_results *results, struct growing *out, struct error *error)
{
    const bool one = results->options->value[CLI_SELECT].given && results->count == 1;
    return one ? write_indexed(results, out, error) : write_tables(results, out, error);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const char *name, *suffix; /* as --format has it; of a file */
    bool (*write)(const struct cli_results *results, struct growing *out, struct error *error);
    bool is_binary, is_of_one; /* array */
    bool rounds;               /* numbers are rounded for people; programs get the exact numbers */
    bool goes_back;            /* writing goes back: an earlier line depends on later members */
} formats[CLI_FORMAT_PICTURES] = {
    {"json", "json", write_json, false, false, false, false},
    {"csv", "csv", write_csv, false, false, false, false},
    {"npz", "npz", write_npz, true, false, false, true},
    {"npy", "npy", write_npy, true, true, false, false},
    {"latex", "tex", write_latex, false, true, true, false},
    {"tikz", "tikz", write_tikz, false, true, true, false},
    {"numpy", "py", write_numpy, false, true, false, false},
    {"tabs", "tsv", write_tabs, false, true, false, false},
    {"bmatrix", "bmatrix", write_bmatrix, false, true, true, false},
    {"markdown", "md", write_markdown, false, true, true, false},
    {"html", "html", write_html, false, true, true, false},
};

const char *cli_result_format_name(size_t index)
{
    return index < CLI_FORMAT_PICTURES ? formats[index].name : NULL;
}

const char *cli_result_suffix(size_t format)
{
    return formats[format].suffix;
}

static const char *name_that_rounds(size_t index)
{
    for (size_t f = 0; f < CLI_FORMAT_PICTURES; f++) {
        if (formats[f].rounds && index-- == 0) {
            return formats[f].name;
        }
    }
    return NULL;
}

bool cli_check_decimals(const struct cli_options *options, size_t format, struct error *error)
{
    char names[60];
    cli_write_name_list(names, sizeof names, name_that_rounds);
    return !options->value[CLI_DECIMALS].given || formats[format].rounds ||
           error_set(
               error, ERROR_USAGE,
               "--decimals changes nothing in %s, which holds the very numbers: it is for %s.",
               formats[format].name, names);
}

static bool is_of_tex(const char *name)
{
    return strcmp(name, "latex") == 0 || strcmp(name, "tikz") == 0 || strcmp(name, "bmatrix") == 0;
}

/* Chooses JSON where there is no suffix; a suffix of another format is refused. */
bool cli_result_format(const struct cli_options *options, size_t *format, struct error *error)
{
    const struct cli_value *const given = &options->value[CLI_FORMAT];
    const char *const path = options->value[CLI_OUT].text;
    const char *const suffix = path == NULL || given->given ? "" : cli_suffix_of(path);
    char names[130];
    cli_write_name_list(names, sizeof names, cli_result_format_name);
    *format = 0;
    if (given->given && given->whole >= CLI_FORMAT_PICTURES) {
        return error_set(error, ERROR_USAGE, "compute writes %s; pictures: render.", names);
    }
    if (given->given || suffix[0] == '\0') {
        *format = given->given ? (size_t)given->whole : 0;
        const bool of_tex = path != NULL && strcmp(cli_suffix_of(path), "tex") == 0 &&
                            is_of_tex(formats[*format].name);
        return !given->given || path == NULL || of_tex ||
               cli_check_suffix(path, given->text, formats[*format].suffix, error);
    }
    for (*format = 0; *format < CLI_FORMAT_PICTURES; *format += 1) {
        if (strcmp(formats[*format].suffix, suffix) == 0) {
            return true;
        }
    }
    return error_set(
        error, ERROR_USAGE,
        "compute writes no files called .%.20s: end the name in .json, .csv, .npz, .npy, "
        ".tex, .tikz, .md, .html, .py or .tsv, or say --format.",
        suffix);
}

bool cli_result_format_is_of_one(size_t format)
{
    return formats[format].is_of_one;
}

static bool check_count(const struct cli_results *results, struct error *error)
{
    const size_t format = results->target->format;
    return !formats[format].is_of_one || results->count == 1 ||
           error_set(error, ERROR_USAGE,
                     "%s holds one array: name it with --select, such as --select weights.",
                     formats[format].name);
}

bool cli_results_write(const struct cli_results *results, struct error *error)
{
    struct cli_sink sink;
    const struct cli_target *const target = results->target;
    if (!check_count(results, error) ||
        !cli_sink_open(&sink, target->path, formats[target->format].is_binary, error)) {
        return false;
    }
    struct growing out = growing_start(results->arena);
    out.sink = &sink.to;
    const bool done = (!formats[target->format].goes_back || file_writer_hold(sink.writer)) &&
                      formats[target->format].write(results, &out, error);
    return cli_sink_close(&sink, done, error);
}
