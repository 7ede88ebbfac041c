/* Writers of a matrix, a function for each format: tables, LaTeX, TikZ, NumPy, JSON, NPY, NPZ; and
 * the table that names them. */
#include "app/export/matrix_text.h"

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

enum { DECIMALS_MAX = 3, AMSMATH_COLUMNS = 10 };

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
static void put_rounded(struct growing *out, float value, int decimals)
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

static int decimals_of(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                       int max)
{
    return style->has_decimals ? style->decimals : lab_decimals(matrix, max);
}

static void put_whole(struct growing *out, size_t number)
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
            put_whole(out, c);
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

/* --- LaTeX --- */

static const char *tex_of(char letter)
{
    static const struct {
        char letter;
        const char *text;
    } letters[] = {
        {'\\', "\\textbackslash{}"},
        {'{', "\\{"},
        {'}', "\\}"},
        {'$', "\\$"},
        {'&', "\\&"},
        {'#', "\\#"},
        {'%', "\\%"},
        {'_', "\\_"},
        {'^', "\\textasciicircum{}"},
        {'~', "\\textasciitilde{}"},
        {'<', "\\textless{}"},
        {'>', "\\textgreater{}"},
        {'|', "\\textbar{}"},
        {'"', "\\symbol{34}"}, /* a command in many languages of babel */
        {'`', "\\symbol{96}"},
        {'\'', "\\symbol{39}"},
    };
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letters[i].letter == letter) {
            return letters[i].text;
        }
    }
    return NULL;
}

/* How many bytes a control character at the beginning takes; 0: there is none. No reader must see
 * other text than its program. */
static size_t control_at(const char *text)
{
    size_t size = 0;
    return text_is_control(text_next(text, strlen(text), &size)) ? size : 0;
}

static void put_tex_word(struct growing *out, const char *word)
{
    for (; *word != '\0'; word++) {
        const char *const text = tex_of(*word);
        const size_t control = control_at(word);
        if (text != NULL) {
            growing_put_text(out, text);
        } else if (control == 0) {
            growing_put_byte(out, *word);
        } else {
            word += control - 1;
        }
    }
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
            const size_t control = control_at(at);
            if (control == 0) {
                growing_put_byte(out, *at);
            } else {
                at += control - 1;
            }
        }
    }
}

/* "S, 3 x 3; rows: cat, dog, lion; columns: …" as a comment. */
static void put_comment(struct growing *out, const char *sign, const struct lab_matrix *matrix)
{
    growing_put_text(out, sign);
    growing_put_text(out, matrix->name);
    growing_put_text(out, ", ");
    put_whole(out, matrix->rows);
    growing_put_text(out, " x ");
    put_whole(out, matrix->cols);
    put_comment_words(out, "; rows:", matrix->row_words, matrix->rows);
    put_comment_words(out, "; columns:", matrix->column_words, matrix->cols);
    growing_put_byte(out, '\n');
}

/* Returns whether pdfLaTeX has the letters: Latin ones and punctuation. */
static bool has_plain_letters(const char *const *words, size_t count)
{
    enum { LATIN_LAST = 0x24f, DASHES = 0x2010, DOTS = 0x2026 };
    for (size_t i = 0; words != NULL && i < count; i++) {
        const size_t length = strlen(words[i]);
        for (size_t at = 0; at < length;) {
            const uint32_t code = text_next(words[i], length, &at);
            if (code > LATIN_LAST && (code < DASHES || code > DOTS)) {
                return false;
            }
        }
    }
    return true;
}

/* The same for TeX, and which program sets words of other scripts. */
static void put_tex_comment(struct growing *out, const char *packages,
                            const struct lab_matrix *matrix)
{
    put_comment(out, packages, matrix);
    if (!has_plain_letters(matrix->row_words, matrix->rows) ||
        !has_plain_letters(matrix->column_words, matrix->cols)) {
        growing_put_text(out, "% for XeLaTeX or LuaLaTeX, with fontspec and a font that has these "
                              "letters\n");
    }
}

static void write_latex(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                        struct growing *out)
{
    const int decimals = decimals_of(matrix, style, DECIMALS_MAX);
    put_comment(out, "% ", matrix);
    if (matrix->cols > AMSMATH_COLUMNS) {
        growing_put_text(out, "\\setcounter{MaxMatrixCols}{");
        put_whole(out, matrix->cols);
        growing_put_text(out, "}\n");
    }
    growing_put_text(out, "\\begin{bmatrix}\n");
    for (size_t row = 0; row < matrix->rows; row++) {
        growing_put_text(out, "  ");
        for (size_t column = 0; column < matrix->cols; column++) {
            growing_put_text(out, column > 0 ? " & " : "");
            put_rounded(out, lab_matrix_at(matrix, row, column), decimals);
        }
        growing_put_text(out, row + 1 < matrix->rows ? " \\\\\n" : "\n");
    }
    growing_put_text(out, "\\end{bmatrix}\n");
}

static bool is_wider_than(const struct lab_matrix *matrix, float letters)
{
    for (size_t column = 0; matrix->column_words != NULL && column < matrix->cols; column++) {
        const char *const word = matrix->column_words[column];
        if ((float)text_letters(word, strlen(word)) > letters) {
            return true;
        }
    }
    return false;
}

/* In points, with letters of FOOTNOTE points: of a number, and of a word. */
static const float COLUMN = 85 * 72 / 25.4f; /* of a journal's page */
static const float FOOTNOTE = 8, DIGIT = 4.25f, DOT = 2.4f, SIGN = 6.6f, WORD_LETTER = 4.4f,
                   GAPS = 6;

static float number_width(float value, int decimals)
{
    char text[TEXT_NUMBER_MAX];
    if (!isfinite(value)) {
        return SIGN + 2 * DIGIT;
    }
    text_number(text, (double)value, decimals);
    const size_t letters = text_letters(text, strlen(text));
    return DIGIT * (float)letters + (strchr(text, '.') != NULL ? DOT - DIGIT : 0) +
           (value < 0 ? SIGN - DIGIT : 0);
}

static float word_width(const char *const *words, size_t at)
{
    return words == NULL ? 0 : WORD_LETTER * (float)text_letters(words[at], strlen(words[at]));
}

/* That of the longest: the largest or the least. */
static float numbers_width(const struct lab_matrix *matrix, size_t column, int decimals)
{
    float high = 0, low = 0, width = 0;
    for (size_t row = 0; row < matrix->rows; row++) {
        const float value = lab_matrix_at(matrix, row, column);
        width = isfinite(value) ? width : number_width(value, decimals);
        high = isfinite(value) ? fmaxf(high, value) : high;
        low = isfinite(value) ? fminf(low, value) : low;
    }
    return fmaxf(width, fmaxf(number_width(high, decimals), number_width(low, decimals)));
}

/* About how wide the table of LaTeX is, in points. */
static float table_width(const struct lab_matrix *matrix, int decimals, bool upright)
{
    float words = 0, all = GAPS;
    for (size_t row = 0; row < matrix->rows; row++) {
        words = fmaxf(words, word_width(matrix->row_words, row));
    }
    for (size_t column = 0; column < matrix->cols; column++) {
        const float head = upright ? FOOTNOTE : word_width(matrix->column_words, column);
        all += fmaxf(head, numbers_width(matrix, column, decimals)) + GAPS;
    }
    return words + all;
}

/* "% about 107 mm wide; …" before what shrinks it to a line that is shorter. */
static void put_shrinking(struct growing *out, float width)
{
    char wide[TEXT_NUMBER_MAX], letters[TEXT_NUMBER_MAX];
    growing_put_text(out, "% about ");
    growing_put_text(out, text_number(wide, (double)(width * 25.4f / 72), 0));
    growing_put_text(out, " mm wide; a shorter line draws it smaller (85 mm: letters of about ");
    growing_put_text(out, text_number(letters, (double)(FOOTNOTE * COLUMN / width), 1));
    growing_put_text(out, " points)\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else"
                          "\\width\\fi}{!}");
}

/* A row's words are at its left; those of columns that are wider than their numbers stand upright.
 */
static void write_latex_table(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                              struct growing *out)
{
    const int decimals = decimals_of(matrix, style, DECIMALS_MAX);
    const bool upright = is_wider_than(matrix, (float)decimals + 3);
    const float width = table_width(matrix, decimals, upright);
    const bool shrinks = width > COLUMN;
    put_tex_comment(out, upright || shrinks ? "% for the package graphicx: " : "% ", matrix);
    if (shrinks) {
        put_shrinking(out, width);
    }
    growing_put_text(out, "{\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n\\begin{tabular}{l*{");
    put_whole(out, matrix->cols);
    growing_put_text(out, "}{r}}\n  ");
    for (size_t column = 0; matrix->column_words != NULL && column < matrix->cols; column++) {
        growing_put_text(out, upright ? " & \\rotatebox{90}{" : " & {");
        put_tex_word(out, matrix->column_words[column]);
        growing_put_text(out, "}");
    }
    growing_put_text(out, matrix->column_words != NULL ? " \\\\\n  \\hline\n" : "\\hline\n");
    for (size_t row = 0; row < matrix->rows; row++) {
        growing_put_text(out, "  {");
        put_tex_word(out, matrix->row_words != NULL ? matrix->row_words[row] : "");
        growing_put_text(out, "}");
        for (size_t column = 0; column < matrix->cols; column++) {
            growing_put_text(out, " & $");
            put_rounded(out, lab_matrix_at(matrix, row, column), decimals);
            growing_put_text(out, "$");
        }
        growing_put_text(out, " \\\\\n");
    }
    growing_put_text(out, "\\end{tabular}}\n");
}

/* --- TikZ --- */

static void put_place(struct growing *out, size_t column, bool middle_x, size_t row, bool middle_y)
{
    growing_put_byte(out, '(');
    put_whole(out, column);
    growing_put_text(out, middle_x ? ".5," : ",");
    put_whole(out, row);
    growing_put_text(out, middle_y ? ".5)" : ")");
}

static void put_colour(struct growing *out, struct colour colour)
{
    char text[64];
    snprintf(text, sizeof text, "{rgb,255:red,%u;green,%u;blue,%u}", colour.red, colour.green,
             colour.blue);
    growing_put_text(out, text);
}

/* How large cells are: as wide as the page leaves them, but no wider than numbers need. */
struct cell_size {
    float width, height; /* mm */
    const char *font;    /* of the words and numbers */
    bool numbers;        /* have room */
};

static struct cell_size cell_size(const struct lab_matrix *matrix,
                                  const struct app_matrix_style *style)
{
    enum {
        PAGE = 160,
        WIDE = 11,
        HIGH = 7,
        SMALL = 8,
        NUMBERS_FROM = 6,
        LETTER = 2,
        LABEL_MAX = 50
    };
    size_t letters = 0;
    for (size_t row = 0; matrix->row_words != NULL && row < matrix->rows; row++) {
        const char *const word = matrix->row_words[row];
        const size_t count = text_letters(word, strlen(word));
        letters = count > letters ? count : letters;
    }
    const float page = style->width > 0 ? style->width * 25.4f / 72 : PAGE;
    const float label = fminf((float)(letters * LETTER), fminf(LABEL_MAX, page / 2));
    const float room = (page - label) / (float)(matrix->cols > 0 ? matrix->cols : 1);
    const float width = fminf(WIDE, room);
    return (struct cell_size){.width = width,
                              .height = width < NUMBERS_FROM ? width : HIGH * width / WIDE + 0.5f,
                              .font = width < SMALL ? "\\tiny" : "\\footnotesize",
                              .numbers = width >= NUMBERS_FROM};
}

static void put_millimetres(struct growing *out, const char *name, float size)
{
    char text[TEXT_NUMBER_MAX];
    growing_put_text(out, name);
    growing_put_text(out, text_number(text, (double)size, 1));
    growing_put_text(out, "mm");
}

static void put_cell(struct growing *out, const struct lab_matrix *matrix,
                     const struct app_matrix_style *style, size_t row, size_t column, int decimals)
{
    const float value = lab_matrix_at(matrix, row, column);
    const float width = style->high - style->low;
    const float share = width > 0 ? (value - style->low) / width : 0.5f;
    const bool hidden = style->sees != NULL && !lab_trace_sees(style->sees, row, column);
    const struct colour fill =
        isfinite(value) && !hidden ? colourmap_colour(style->map, share) : colour_hex(0xececec);
    growing_put_text(out, "  \\fill[fill=");
    put_colour(out, fill);
    growing_put_text(out, "] ");
    put_place(out, column, false, row, false);
    growing_put_text(out, " rectangle ++(1,1);\n");
    if (!cell_size(matrix, style).numbers) {
        return;
    }
    growing_put_text(out, "  \\node[text=");
    put_colour(out, colour_ink_on(fill));
    growing_put_text(out, "] at ");
    put_place(out, column, true, row, true);
    growing_put_text(out, hidden ? " {--" : " {$");
    if (!hidden) {
        put_rounded(out, value, decimals);
    }
    growing_put_text(out, hidden ? "};\n" : "$};\n");
}

/* Words of columns stand upright where cells are narrower than they. */
static void put_labels(struct growing *out, const struct lab_matrix *matrix, bool upright)
{
    for (size_t row = 0; matrix->row_words != NULL && row < matrix->rows; row++) {
        growing_put_text(out, "  \\node[left] at ");
        put_place(out, 0, false, row, true);
        growing_put_text(out, " {");
        put_tex_word(out, matrix->row_words[row]);
        growing_put_text(out, "};\n");
    }
    for (size_t column = 0; matrix->column_words != NULL && column < matrix->cols; column++) {
        growing_put_text(out, upright ? "  \\node[rotate=90, right] at " : "  \\node[above] at ");
        put_place(out, column, true, 0, false);
        growing_put_text(out, " {");
        put_tex_word(out, matrix->column_words[column]);
        growing_put_text(out, "};\n");
    }
}

static void write_tikz(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                       struct growing *out)
{
    const int decimals = decimals_of(matrix, style, 2);
    const struct cell_size size = cell_size(matrix, style);
    put_tex_comment(out, "% ", matrix);
    put_millimetres(out, "\\begin{tikzpicture}[x=", size.width);
    put_millimetres(out, ", y=-", size.height);
    growing_put_text(out, ", font=");
    growing_put_text(out, size.font);
    /* One height for all words, so that they stand on one line. */
    growing_put_text(out, ", inner sep=2pt, text height=1.6ex, text depth=.4ex]\n");
    for (size_t row = 0; row < matrix->rows; row++) {
        for (size_t column = 0; column < matrix->cols; column++) {
            put_cell(out, matrix, style, row, column, decimals);
        }
    }
    put_labels(out, matrix, is_wider_than(matrix, size.width / 2));
    growing_put_text(out, "\\end{tikzpicture}\n");
}

/* --- NumPy --- */

static void write_numpy(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                        struct growing *out)
{
    (void)style;
    put_comment(out, "# ", matrix);
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
    {"LaTeX", "tex", "a bmatrix, for the package amsmath", write_latex, false, 8},
    {"LaTeX table", "tex", "a table with the words of rows and columns", write_latex_table, false,
     10},
    {"TikZ", "tikz", "a heatmap, for the package tikz", write_tikz, false, 150},
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
