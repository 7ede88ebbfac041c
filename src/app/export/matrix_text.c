/* Writers of a matrix, a function for each format: tables, LaTeX, TikZ, NumPy, JSON, NPY, NPZ; and
 * the table that names them. */
#include "app/export/matrix_text_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "file/json.h"
#include "file/npy.h"
#include "file/npz.h"
#include "lab/run/results.h"
#include "view/parts/pieces.h"

static struct array array_of(const struct lab_matrix *matrix)
{
    const size_t size = sizeof *matrix->values;
    const size_t shape[] = {matrix->rows, matrix->cols};
    struct array array = array_of_floats(lab_result_name(matrix), 2, shape, matrix->values);
    array.strides[0] = (ptrdiff_t)(matrix->stride * size);
    if (matrix->rows > 0) {
        array.bytes.size = ((matrix->rows - 1) * matrix->stride + matrix->cols) * size;
    }
    return array;
}

static void put_file(struct growing *out, bool made, struct bytes file)
{
    out->failed = out->failed || !made;
    if (made) {
        growing_put(out, file.at, file.size);
    }
}

static void put_npy(const struct lab_matrix *matrix, struct growing *out)
{
    const struct array array = array_of(matrix);
    const bool done = npy_put(out, &array, NULL);
    out->failed = out->failed || !done;
}

/* Float32 [rows][cols]; in the npz under the name that compute gives it ("weights", "scores"). */
static void put_npz(const struct lab_matrix *matrix, struct growing *out)
{
    const struct array array = array_of(matrix);
    const bool done = npz_put(out, &array, 1, NULL, 0, NULL);
    out->failed = out->failed || !done;
}

/* {"name": …, "rows": words, "columns": words, "values": [[…]]}; −∞ is null. */
static void put_json(const struct lab_matrix *matrix, struct growing *out)
{
    struct bytes file = {NULL, 0};
    const struct array array = array_of(matrix);
    struct json_writer json = json_writer_start(out->arena);
    json.text.progress = out->progress;
    json_begin_object(&json);
    json_key(&json, "name");
    json_put_text(&json, lab_result_name(matrix));
    json_key(&json, "rows");
    json_put_texts(&json, matrix->row_words, matrix->row_words != NULL ? matrix->rows : 0);
    json_key(&json, "columns");
    json_put_texts(&json, matrix->column_words, matrix->column_words != NULL ? matrix->cols : 0);
    json_key(&json, "values");
    json_put_array(&json, &array);
    json_end_object(&json);
    put_file(out, json_writer_finish(&json, &file, NULL), file);
}

/* --- numbers --- */

/* The shortest text of the very number; what is none as the format calls it. */
static void put_exact(struct growing *out, float value, const char *less_than_all,
                      const char *no_number)
{
    char text[TEXT_NUMBER_MAX];
    if (isnan(value)) {
        growing_put_text(out, no_number);
    } else if (isinf(value)) {
        growing_put_text(out, value < 0 ? less_than_all : less_than_all + 1);
    } else {
        growing_put_text(out, text_number_exact(text, value));
    }
}

/* For people, with an ASCII minus. */
void matrix_put_rounded(struct growing *out, float value, int decimals)
{
    static const char minus[] = "\u2212";
    char text[TEXT_NUMBER_MAX];
    if (!isfinite(value)) {
        growing_put_text(out, isnan(value) ? "?" : value < 0 ? "-\\infty" : "\\infty");
        return;
    }
    text_number(text, (double)value, decimals);
    const bool negative = strncmp(text, minus, sizeof minus - 1) == 0;
    growing_put_text(out, negative ? "-" : "");
    growing_put_text(out, negative ? text + sizeof minus - 1 : text);
}

int matrix_decimals(const struct lab_matrix *matrix, const struct app_matrix_style *style, int max)
{
    return style->has_decimals ? style->decimals : lab_decimals(matrix, max);
}

void matrix_put_whole(struct growing *out, size_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", number);
    growing_put_text(out, text);
}

/* --- tables --- */

static void write_tabs(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                       struct growing *out)
{
    (void)style;
    for (size_t row = 0; row < matrix->rows; row++) {
        for (size_t column = 0; column < matrix->cols; column++) {
            put_exact(out, lab_matrix_at(matrix, row, column), "-inf", "nan");
            growing_put_byte(out, column + 1 < matrix->cols ? '\t' : '\n');
        }
    }
}

/* Quoted (RFC 4180); what a spreadsheet would take for a formula gets an apostrophe before it
 * (OWASP, CSV injection). */
static void put_csv_word(struct growing *out, const char *word)
{
    static const char *const wide[] = {"＝", "＋", "－", "＠"}; /* taken for narrow by some */
    bool computes = word[0] != '\0' && strchr("=+-@\t\r\n|%", word[0]) != NULL;
    for (size_t w = 0; w < sizeof wide / sizeof wide[0]; w++) {
        computes = computes || strncmp(word, wide[w], strlen(wide[w])) == 0;
    }
    growing_put_byte(out, '"');
    if (computes) {
        growing_put_byte(out, '\'');
    }
    for (; *word != '\0'; word++) {
        if (*word == '"') {
            growing_put_byte(out, '"');
        }
        growing_put_byte(out, *word);
    }
    growing_put_byte(out, '"');
}

void app_matrix_put_csv_head(struct growing *out, const struct lab_matrix *matrix)
{
    growing_put_text(out, matrix->row_words != NULL ? "," : "");
    for (size_t c = 0; c < matrix->cols; c++) {
        growing_put_text(out, c > 0 ? "," : "");
        if (matrix->column_words != NULL) {
            put_csv_word(out, matrix->column_words[c]);
        } else {
            matrix_put_whole(out, c);
        }
    }
    growing_put_byte(out, '\n');
}

void app_matrix_put_csv_word(struct growing *out, const char *const *words, size_t row)
{
    if (words != NULL) {
        put_csv_word(out, words[row]);
        growing_put_byte(out, ',');
    }
}

/* With a line of columns in any case: readers of tables take the first line for it. */
static void write_csv(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                      struct growing *out)
{
    (void)style;
    app_matrix_put_csv_head(out, matrix);
    for (size_t row = 0; row < matrix->rows; row++) {
        app_matrix_put_csv_word(out, matrix->row_words, row);
        for (size_t column = 0; column < matrix->cols; column++) {
            put_exact(out, lab_matrix_at(matrix, row, column), "-inf", "nan");
            growing_put_byte(out, column + 1 < matrix->cols ? ',' : '\n');
        }
    }
}

/* --- comments --- */

/* How many bytes a control character at the beginning takes; 0: there is none. No reader must see
 * other text than its program. */
size_t matrix_control_at(const char *text)
{
    size_t size = 0;
    return text_is_control(text_next(text, strlen(text), &size)) ? size : 0;
}

/* A comment ends with its line: nothing in a word may end it. */
static void put_comment_words(struct growing *out, const char *title, const char *const *words,
                              size_t count)
{
    if (words == NULL) {
        return;
    }
    growing_put_text(out, title);
    for (size_t i = 0; i < count; i++) {
        growing_put_text(out, i > 0 ? ", " : " ");
        for (const char *at = words[i]; *at != '\0'; at++) {
            const size_t control = matrix_control_at(at);
            if (control == 0) {
                growing_put_byte(out, *at);
            } else {
                at += control - 1;
            }
        }
    }
}

/* "S, 3 x 3; rows: cat, dog, lion; columns: …" as a comment. */
void matrix_put_comment(struct growing *out, const char *sign, const struct lab_matrix *matrix)
{
    growing_put_text(out, sign);
    growing_put_text(out, matrix->name);
    growing_put_text(out, ", ");
    matrix_put_whole(out, matrix->rows);
    growing_put_text(out, " x ");
    matrix_put_whole(out, matrix->cols);
    put_comment_words(out, "; rows:", matrix->row_words, matrix->rows);
    put_comment_words(out, "; columns:", matrix->column_words, matrix->cols);
    growing_put_byte(out, '\n');
}

/* --- tables for pages --- */

/* A number for people, or that of a cell that the mask hides. */
static void put_page_number(struct growing *out, const struct lab_matrix *matrix,
                            const struct app_matrix_style *style, size_t row, size_t column,
                            int decimals)
{
    char text[TEXT_NUMBER_MAX];
    const float value = lab_matrix_at(matrix, row, column);
    growing_put_text(out, matrix_hides(style, row, column) ? "\u2013"
                          : isinf(value)                   ? (value < 0 ? "\u2212\u221e" : "\u221e")
                                         : text_number(text, (double)value, decimals));
}

/* A word in which nothing means anything to a reader of the format: escape gives what stands for a
 * character, or NULL. */
static void put_page_word(struct growing *out, const char *word,
                          const char *(*escape)(char letter, char text[3]))
{
    for (; *word != '\0'; word++) {
        char text[3];
        const size_t control = matrix_control_at(word);
        const char *const escaped = escape(*word, text);
        if (control > 0) {
            word += control - 1;
        } else if (escaped != NULL) {
            growing_put_text(out, escaped);
        } else {
            growing_put_byte(out, *word);
        }
    }
}

static const char *escape_markdown(char letter, char text[3])
{
    text[0] = '\\';
    text[1] = letter;
    text[2] = '\0';
    return letter == '&'                                              ? "&amp;"
           : letter == '<'                                            ? "&lt;"
           : letter != '\0' && strchr("\\`*_{}[]()#+-.!|>~$", letter) ? text
                                                                      : NULL;
}

static const char *escape_html(char letter, char text[3])
{
    (void)text;
    return letter == '&' ? "&amp;" : letter == '<' ? "&lt;" : letter == '>' ? "&gt;" : NULL;
}

static void write_markdown(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                           struct growing *out)
{
    const int decimals = matrix_decimals(matrix, style, MATRIX_DECIMALS_MAX);
    growing_put_text(out, "|");
    for (size_t column = 0; column <= matrix->cols; column++) {
        growing_put_text(out, " ");
        if (column > 0 && matrix->column_words != NULL) {
            put_page_word(out, matrix->column_words[column - 1], escape_markdown);
        }
        growing_put_text(out, " |");
    }
    growing_put_text(out, "\n|");
    for (size_t column = 0; column <= matrix->cols; column++) {
        growing_put_text(out, column == 0 ? " --- |" : " ---: |");
    }
    for (size_t row = 0; row < matrix->rows; row++) {
        growing_put_text(out, "\n| ");
        put_page_word(out, matrix->row_words != NULL ? matrix->row_words[row] : "",
                      escape_markdown);
        for (size_t column = 0; column < matrix->cols; column++) {
            growing_put_text(out, " | ");
            put_page_number(out, matrix, style, row, column, decimals);
        }
        growing_put_text(out, " |");
    }
    growing_put_text(out, "\n");
}

static void write_html(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                       struct growing *out)
{
    const int decimals = matrix_decimals(matrix, style, MATRIX_DECIMALS_MAX);
    growing_put_text(out, "<table>\n  <caption>");
    put_page_word(out, matrix->name, escape_html);
    growing_put_text(out, "</caption>\n");
    if (matrix->column_words != NULL) {
        growing_put_text(out, "  <thead>\n    <tr><td></td>");
        for (size_t column = 0; column < matrix->cols; column++) {
            growing_put_text(out, "<th scope=\"col\">");
            put_page_word(out, matrix->column_words[column], escape_html);
            growing_put_text(out, "</th>");
        }
        growing_put_text(out, "</tr>\n  </thead>\n");
    }
    growing_put_text(out, "  <tbody>\n");
    for (size_t row = 0; row < matrix->rows; row++) {
        growing_put_text(out, "    <tr><th scope=\"row\">");
        put_page_word(out, matrix->row_words != NULL ? matrix->row_words[row] : "", escape_html);
        growing_put_text(out, "</th>");
        for (size_t column = 0; column < matrix->cols; column++) {
            growing_put_text(out, "<td>");
            put_page_number(out, matrix, style, row, column, decimals);
            growing_put_text(out, "</td>");
        }
        growing_put_text(out, "</tr>\n");
    }
    growing_put_text(out, "  </tbody>\n</table>\n");
}

/* --- NumPy --- */

static void write_numpy(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                        struct growing *out)
{
    (void)style;
    matrix_put_comment(out, "# ", matrix);
    growing_put_text(out, "np.array([");
    for (size_t row = 0; row < matrix->rows; row++) {
        growing_put_text(out, row > 0 ? ",\n          [" : "[");
        for (size_t column = 0; column < matrix->cols; column++) {
            growing_put_text(out, column > 0 ? ", " : "");
            put_exact(out, lab_matrix_at(matrix, row, column), "-np.inf", "np.nan");
        }
        growing_put_byte(out, ']');
    }
    growing_put_text(out, "], dtype=np.float32)\n");
}

/* --- arrays for programs --- */

static void write_npy(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                      struct growing *out)
{
    (void)style;
    put_npy(matrix, out);
}

static void write_npz(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                      struct growing *out)
{
    (void)style;
    put_npz(matrix, out);
}

static void write_json(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                       struct growing *out)
{
    (void)style;
    put_json(matrix, out);
}

/* --- the table --- */

static const struct app_matrix_format formats[] = {
    {"Tabs", "tsv", "numbers separated by tabs, for a spreadsheet", write_tabs, false, 12},
    {"CSV", "csv", "a table with the words of rows and columns", write_csv, false, 12},
    {"LaTeX", "tex", "a bmatrix, for the package amsmath", matrix_write_latex, false, 8},
    {"LaTeX table", "tex", "a table with the words of rows and columns", matrix_write_latex_table,
     false, 10},
    {"TikZ", "tikz", "a heatmap, for the package tikz", matrix_write_tikz, false, 150},
    {"Markdown", "md", "a table for README files and notes", write_markdown, false, 9},
    {"HTML", "html", "a table for a page of the web", write_html, false, 17},
    {"NumPy", "py", "an array, for Python", write_numpy, false, 13},
    {"JSON", "json", "an object with the words of rows and columns", write_json, false, 13},
    {"NPY", "npy", "a file for numpy.load", write_npy, true, 4},
    {"NPZ", "npz", "an archive for numpy.load", write_npz, true, 4},
};

const struct app_matrix_format *app_matrix_format_find(const char *title)
{
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        if (strcmp(formats[f].title, title) == 0) {
            return &formats[f];
        }
    }
    return NULL;
}

struct lab_matrix app_matrix_shown(const struct app_scene *scene, struct arena *arena)
{
    if (scene->trace == NULL) {
        return (struct lab_matrix){.name = ""};
    }
    const struct lab_selection selection = app_scene_selection(scene);
    if (scene->view->playback.stage == LAB_SCALE) {
        return lab_trace_scaled_matrix(scene->trace, selection.head, arena);
    }
    return lab_trace_part(scene->trace, lab_cell_part(scene->view->playback.stage, &selection),
                          selection.head);
}

struct lab_matrix app_matrix_clicked(const struct app_scene *scene, struct arena *arena)
{
    const struct lab_cell *const cell = &scene->view->edit_cell;
    const bool clicked = scene->trace != NULL && scene->view->armed;
    return clicked && lab_cell_exists(scene->trace, cell)
               ? lab_trace_part(scene->trace, cell->part, cell->head)
               : app_matrix_shown(scene, arena);
}

/* Text for other programs ends up on a white page, whatever the window looks like. */
static const struct colourmap *on_paper(const struct colourmap *map)
{
    return map->dark ? colourmap_default(map->kind, false) : map;
}

struct app_matrix_style app_matrix_style_of(const struct lab_matrix *matrix,
                                            const struct colourmap *weights,
                                            const struct colourmap *signed_map)
{
    if (strcmp(lab_result_name(matrix), "weights") == 0) {
        return (struct app_matrix_style){.map = on_paper(weights), .high = 1};
    }
    float max = 0;
    for (size_t i = 0; i < matrix->rows * matrix->cols; i++) {
        const float value = lab_matrix_at(matrix, i / matrix->cols, i % matrix->cols);
        max = isfinite(value) ? fmaxf(max, fabsf(value)) : max;
    }
    return (struct app_matrix_style){.map = on_paper(signed_map), .low = -max, .high = max};
}

struct app_matrix_style app_matrix_style(const struct app_scene *scene,
                                         const struct lab_matrix *matrix)
{
    struct app_matrix_style style =
        app_matrix_style_of(matrix, scene->view->prefs.weights_map, scene->view->prefs.signed_map);
    style.sees = strcmp(lab_result_name(matrix), "weights") == 0 ? scene->trace : NULL;
    return style;
}

bool app_matrix_text(const struct app_matrix_format *format, const struct lab_matrix *matrix,
                     const struct app_matrix_style *style, struct arena *arena, struct bytes *text,
                     struct error *error)
{
    return app_matrix_text_with_progress(format, matrix, style, NULL, arena, text, error);
}

bool app_matrix_text_with_progress(const struct app_matrix_format *format,
                                   const struct lab_matrix *matrix,
                                   const struct app_matrix_style *style,
                                   const struct growing_progress *progress, struct arena *arena,
                                   struct bytes *text, struct error *error)
{
    if (matrix->values == NULL) {
        return error_set(error, ERROR_INPUT, "There is no matrix to copy here.");
    }
    struct growing out = growing_start(arena);
    out.progress = progress;
    format->write(matrix, style, &out);
    return growing_finish(&out, text, error);
}
