/* A matrix for TeX: a bmatrix, a table with its words, a heatmap. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/export/matrix_text_internal.h"
#include "base/text.h"
#include "lab/run/results.h"

enum { AMSMATH_COLUMNS = 10, OPEN_BOX = 0x2423 /* the space of a token */ };

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

static void put_tex_word(struct growing *out, const char *word)
{
    static const char box[] = "\xe2\x90\xa3";
    for (; *word != '\0'; word++) {
        const bool is_box = strncmp(word, box, sizeof box - 1) == 0;
        const char *const text = is_box ? "\\textvisiblespace{}" : tex_of(*word);
        const size_t control = matrix_control_at(word);
        if (text != NULL) {
            growing_put_text(out, text);
            word += is_box ? sizeof box - 2 : 0;
        } else if (control == 0) {
            growing_put_byte(out, *word);
        } else {
            word += control - 1;
        }
    }
}

/* The encoding that the letters of a word need in LaTeX. */
enum tex_letters { TEX_ASCII, TEX_T1, TEX_OTHER };

/* Returns what of pdfLaTeX has the letter: the encoding T1, with what inputenc knows of it. */
static enum tex_letters letters_of(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } t1[] = {{0xa0, 0x125},    {0x128, 0x137},   {0x139, 0x13e},   {0x141, 0x148},
              {0x14a, 0x165},   {0x168, 0x16e},   {0x170, 0x17e},   {0x218, 0x21b},
              {0x2010, 0x2016}, {0x2018, 0x201a}, {0x201c, 0x201e}, {0x2020, 0x2022},
              {0x2026, 0x2026}};
    for (size_t r = 0; r < sizeof t1 / sizeof *t1; r++) {
        if (code >= t1[r].first && code <= t1[r].last) {
            return TEX_T1;
        }
    }
    return code < 0x80 || code == OPEN_BOX ? TEX_ASCII : TEX_OTHER;
}

static enum tex_letters letters_of_words(const char *const *words, size_t count)
{
    enum tex_letters most = TEX_ASCII;
    for (size_t i = 0; words != NULL && i < count; i++) {
        const size_t length = strlen(words[i]);
        for (size_t at = 0; at < length;) {
            const enum tex_letters letters = letters_of(text_next(words[i], length, &at));
            most = letters > most ? letters : most;
        }
    }
    return most;
}

/* The same for TeX, and which program sets words of other scripts. */
static void put_tex_comment(struct growing *out, const char *packages,
                            const struct lab_matrix *matrix)
{
    static const char *const asks[] = {
        [TEX_ASCII] = "",
        [TEX_T1] = "% for \\usepackage[T1]{fontenc}\n",
        [TEX_OTHER] =
            "% for XeLaTeX or LuaLaTeX, with fontspec and a font that has these letters\n"};
    const enum tex_letters rows = letters_of_words(matrix->row_words, matrix->rows);
    const enum tex_letters columns = letters_of_words(matrix->column_words, matrix->cols);
    matrix_put_comment(out, packages, matrix);
    growing_put_text(out, asks[rows > columns ? rows : columns]);
}

void matrix_write_latex(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                        struct growing *out)
{
    const int decimals = matrix_decimals(matrix, style, MATRIX_DECIMALS_MAX);
    matrix_put_comment(out, "% for the package amsmath, in a formula: ", matrix);
    if (matrix->cols > AMSMATH_COLUMNS) {
        growing_put_text(out, "\\setcounter{MaxMatrixCols}{");
        matrix_put_whole(out, matrix->cols);
        growing_put_text(out, "}\n");
    }
    growing_put_text(out, "\\begin{bmatrix}\n");
    for (size_t row = 0; row < matrix->rows; row++) {
        growing_put_text(out, "  ");
        for (size_t column = 0; column < matrix->cols; column++) {
            growing_put_text(out, column > 0 ? " & " : "");
            matrix_put_rounded(out, lab_matrix_at(matrix, row, column), decimals);
        }
        growing_put_text(out, row + 1 < matrix->rows ? " \\\\\n" : "\n");
    }
    growing_put_text(out, "\\end{bmatrix}\n");
}

/* Says whether the mask hides a cell, of which nothing was computed. */
bool matrix_hides(const struct app_matrix_style *style, size_t row, size_t column)
{
    return style->sees != NULL && !lab_trace_sees(style->sees, row, column);
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
void matrix_write_latex_table(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                              struct growing *out)
{
    const int decimals = matrix_decimals(matrix, style, MATRIX_DECIMALS_MAX);
    const bool upright = is_wider_than(matrix, (float)decimals + 3);
    const float width = table_width(matrix, decimals, upright);
    const bool shrinks = width > COLUMN;
    put_tex_comment(out,
                    upright || shrinks ? "% for the packages booktabs and graphicx: "
                                       : "% for the package booktabs: ",
                    matrix);
    if (shrinks) {
        put_shrinking(out, width);
    }
    growing_put_text(out, "{\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n\\begin{tabular}{l*{");
    matrix_put_whole(out, matrix->cols);
    growing_put_text(out, "}{r}}\n  \\toprule\n");
    for (size_t column = 0; matrix->column_words != NULL && column < matrix->cols; column++) {
        growing_put_text(out, upright ? " & \\rotatebox{90}{" : " & {");
        put_tex_word(out, matrix->column_words[column]);
        growing_put_text(out, "}");
    }
    growing_put_text(out, matrix->column_words != NULL ? " \\\\\n  \\midrule\n" : "");
    for (size_t row = 0; row < matrix->rows; row++) {
        growing_put_text(out, "  {");
        put_tex_word(out, matrix->row_words != NULL ? matrix->row_words[row] : "");
        growing_put_text(out, "}");
        for (size_t column = 0; column < matrix->cols; column++) {
            const bool hidden = matrix_hides(style, row, column);
            growing_put_text(out, hidden ? " & --" : " & $");
            if (!hidden) {
                matrix_put_rounded(out, lab_matrix_at(matrix, row, column), decimals);
                growing_put_byte(out, '$');
            }
        }
        growing_put_text(out, " \\\\\n");
    }
    growing_put_text(out, "  \\bottomrule\n\\end{tabular}}\n");
}

/* --- TikZ --- */

static void put_place(struct growing *out, size_t column, bool middle_x, size_t row, bool middle_y)
{
    growing_put_byte(out, '(');
    matrix_put_whole(out, column);
    growing_put_text(out, middle_x ? ".5," : ",");
    matrix_put_whole(out, row);
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
        LABEL_MAX = 50,
        BAR = 14
    };
    size_t letters = 0;
    for (size_t row = 0; matrix->row_words != NULL && row < matrix->rows; row++) {
        const char *const word = matrix->row_words[row];
        const size_t count = text_letters(word, strlen(word));
        letters = count > letters ? count : letters;
    }
    const float page = style->width > 0 ? style->width * 25.4f / 72 : PAGE;
    const float label = fminf((float)(letters * LETTER), fminf(LABEL_MAX, page / 2));
    const float room = (page - label - BAR) / (float)(matrix->cols > 0 ? matrix->cols : 1);
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
    const bool hidden = matrix_hides(style, row, column);
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
        matrix_put_rounded(out, value, decimals);
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

/* The end of a number's place in the bar, in rows from its top. */
static void put_height(struct growing *out, const struct lab_matrix *matrix, size_t part,
                       size_t parts)
{
    char text[TEXT_NUMBER_MAX];
    growing_put_text(out, text_number(text, (double)(matrix->rows * part) / (double)parts, 3));
}

/* A place at the right of the cells: so far beside them, so far below their top. */
static void put_bar_place(struct growing *out, const struct lab_matrix *matrix, const char *beside,
                          size_t part, size_t parts)
{
    growing_put_text(out, "([xshift=");
    growing_put_text(out, beside);
    growing_put_text(out, "]");
    matrix_put_whole(out, matrix->cols);
    growing_put_byte(out, ',');
    put_height(out, matrix, part, parts);
    growing_put_byte(out, ')');
}

/* The colours as a bar beside the cells, with the numbers of its ends and its middle. */
static void put_bar(struct growing *out, const struct lab_matrix *matrix,
                    const struct app_matrix_style *style)
{
    enum { SHADES = 8, NUMBERS = 2 };
    for (size_t s = 0; s < SHADES; s++) {
        growing_put_text(out, "  \\shade[top color=");
        put_colour(out, colourmap_colour(style->map, 1 - (float)s / SHADES));
        growing_put_text(out, ", bottom color=");
        put_colour(out, colourmap_colour(style->map, 1 - (float)(s + 1) / SHADES));
        growing_put_text(out, "] ");
        put_bar_place(out, matrix, "2mm", s, SHADES);
        growing_put_text(out, " rectangle ");
        put_bar_place(out, matrix, "5mm", s + 1, SHADES);
        growing_put_text(out, ";\n");
    }
    for (size_t n = 0; n <= NUMBERS; n++) {
        char text[TEXT_NUMBER_MAX];
        const float share = 1 - (float)n / NUMBERS;
        snprintf(text, sizeof text, "%.3g",
                 (double)(style->low + (style->high - style->low) * share));
        growing_put_text(out, "  \\node[right] at ");
        put_bar_place(out, matrix, "5mm", n, NUMBERS);
        growing_put_text(out, " {$");
        growing_put_text(out, text);
        growing_put_text(out, "$};\n");
    }
}

/* No wider than the line it stands on: tikz loads graphicx, which shrinks it there. */
void matrix_write_tikz(const struct lab_matrix *matrix, const struct app_matrix_style *style,
                       struct growing *out)
{
    const int decimals = matrix_decimals(matrix, style, 2);
    const struct cell_size size = cell_size(matrix, style);
    put_tex_comment(out, "% ", matrix);
    growing_put_text(out,
                     "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n");
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
    if (style->high > style->low && matrix->rows > 0) {
        put_bar(out, matrix, style);
    }
    growing_put_text(out, "\\end{tikzpicture}}\n");
}
