/* A matrix on the clipboard: what spreadsheets, LaTeX and NumPy get. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/actions/commands.h"
#include "app/actions/step.h"
#include "app/export/matrix_text.h"
#include "base/file.h"
#include "canvas/types/colour.h"
#include "desk.h"
#include "file/json.h"
#include "file/npy.h"
#include "file/npz.h"

static const char *const nasty[] = {"a&b_%", "=1+1", "\\x{\"}\n~^"};

static const float numbers[] = {1, -0.5f, -INFINITY, 0.25f, 0, 3};

static const struct lab_matrix matrix = {.name = "S",
                                         .row_words = nasty,
                                         .column_words = nasty,
                                         .rows = 2,
                                         .cols = 3,
                                         .stride = 3,
                                         .values = numbers};

static const char *text_as(const char *title, const struct lab_matrix *of, struct arena *arena)
{
    const struct app_matrix_style looks = {.map = colourmap_find("blues"), .high = 1};
    struct error error = {0};
    struct bytes text = {0};
    const struct app_matrix_format *format = app_matrix_format_find(title);
    assert_non_null(format);
    assert_true(app_matrix_text(format, of, &looks, arena, &text, &error));
    assert_int_equal(strlen((const char *)text.at), text.size);
    return (const char *)text.at;
}

static void latex_is_a_bmatrix_with_plain_signs(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *text = text_as("LaTeX", &matrix, &arena);
    assert_non_null(strstr(text, "\\begin{bmatrix}\n"
                                 "  1.00 & -0.50 & -\\infty \\\\\n"
                                 "  0.25 & 0.00 & 3.00\n"
                                 "\\end{bmatrix}\n"));
    assert_null(strstr(text, "\u2212"));
    arena_free(&arena);
}

/* Letters that pdfLaTeX lacks: the file says what sets them; those of Europe need an encoding. */
static void letters_of_other_scripts_name_their_program(void **state)
{
    (void)state;
    static const char *const latin[] = {"Größe", "l’été…"}, *const others[] = {"今天", "кот"};
    const float shares[] = {0.25f, 0.75f};
    struct arena arena = {0};
    for (size_t w = 0; w < 2; w++) {
        for (int other = 0; other < 2; other++) {
            const struct lab_matrix one = {.name = "weights",
                                           .rows = 1,
                                           .cols = 2,
                                           .stride = 2,
                                           .row_words = &(other ? others : latin)[w],
                                           .values = shares};
            const bool table = strstr(text_as("LaTeX table", &one, &arena), "XeLaTeX") != NULL;
            const bool tikz = strstr(text_as("TikZ", &one, &arena), "XeLaTeX") != NULL;
            const bool t1 = strstr(text_as("LaTeX table", &one, &arena), "[T1]{fontenc}") != NULL;
            assert_int_equal(table, other);
            assert_int_equal(tikz, other);
            assert_int_equal(t1, !other);
        }
    }
    arena_free(&arena);
}

/* Words with the signs of a format, in a row and a column. */
static void words_in_tables_of_pages_are_text(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const char *const words[] = {"a|b", "<i>&", "*c*_\n"};
    const struct lab_matrix table = {"S", words, words, 2, 3, 3, numbers};
    const char *text = text_as("Markdown", &table, &arena);
    static const char head[] = "|  | a\\|b | &lt;i\\>&amp; | \\*c\\*\\_ |\n";
    assert_memory_equal(text, head, strlen(head));
    assert_non_null(strstr(text, "\n| a\\|b | "));
    assert_non_null(strstr(text, "\u2212"));
    text = text_as("HTML", &table, &arena);
    assert_non_null(strstr(text, "<th scope=\"col\">&lt;i&gt;&amp;</th>"));
    assert_non_null(strstr(text, "<th scope=\"row\">a|b</th>"));
    assert_null(strstr(text, "infty"));
    arena_free(&arena);
}

/* It keeps to its line, and a bar says which colour is which number. */
static void a_heatmap_of_tikz_has_a_bar(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const char *const words[] = {"a", "b"};
    static const float shares[] = {0.25f, 0.75f, 1, 0};
    const struct lab_matrix weights = {"weights", words, words, 2, 2, 2, shares};
    const char *const text = text_as("TikZ", &weights, &arena);
    assert_non_null(strstr(text, "\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else"));
    assert_non_null(strstr(text, "\\shade[top color={rgb,255:red,8;green,48;blue,107}"));
    assert_non_null(strstr(text, "([xshift=5mm]2,0.000) {$1$};"));
    assert_non_null(strstr(text, "([xshift=5mm]2,2.000) {$0$};"));
    assert_non_null(strstr(text, "\\end{tikzpicture}}\n"));
    arena_free(&arena);
}

static void a_word_in_a_comment_cannot_end_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *const titles[] = {"LaTeX", "TikZ", "NumPy"};
    for (size_t i = 0; i < 3; i++) {
        const char *text = text_as(titles[i], &matrix, &arena);
        assert_true(text[0] == '%' || text[0] == '#');
        const char *const begins[] = {"\\begin", "\\resizebox", "np.array"};
        const size_t length = strlen(begins[i]);
        assert_true(strncmp(strchr(text, '\n') + 1, begins[i], length) == 0);
    }
    arena_free(&arena);
}

/* A character that turns the direction of what follows would show other text than is read. */
static void no_word_turns_what_stands_behind_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const char *const words[] = {"a\u202eb", "\u2066d\u200fe", "f"};
    const struct lab_matrix turned = {"S", words, words, 2, 3, 3, numbers};
    const char *const titles[] = {"LaTeX", "TikZ", "NumPy"};
    for (size_t i = 0; i < 3; i++) {
        const char *const text = text_as(titles[i], &turned, &arena);
        assert_null(strstr(text, "\u202e"));
        assert_null(strstr(text, "\u2066"));
        assert_non_null(strstr(text, "ab"));
        assert_non_null(strstr(text, "d\u200fe")); /* a mark of the script alone stays */
    }
    arena_free(&arena);
}

static void words_in_a_tikz_heatmap_are_text(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *text = text_as("TikZ", &matrix, &arena);
    assert_non_null(strstr(text, "{a\\&b\\_\\%}"));
    assert_non_null(strstr(
        text, "{\\textbackslash{}x\\{\\symbol{34}\\}\\textasciitilde{}\\textasciicircum{}}"));
    assert_non_null(strstr(text, "{$-\\infty$}"));
    size_t cells = 0, depth = 0;
    for (const char *at = text; (at = strstr(at, "\\fill")) != NULL; at++) {
        cells++;
    }
    assert_int_equal(cells, 6);
    for (const char *at = strchr(text, '\n'); *at != '\0'; at++) {
        const bool escaped = at[-1] == '\\';
        depth += *at == '{' && !escaped;
        depth -= *at == '}' && !escaped;
    }
    assert_int_equal(depth, 0);
    arena_free(&arena);
}

/* A float behind the name of a length in the text: "x=11.0mm". */
static double length_in(const char *text, const char *name)
{
    const char *const at = strstr(text, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* 24 cells of 11 mm would leave the page, and numbers in small ones run into each other. */
static void cells_of_tikz_follow_the_width_of_the_page(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const float many[64 * 64];
    static const char *words[64];
    for (size_t w = 0; w < 64; w++) {
        words[w] = w % 2 == 0 ? "attention" : "gy";
    }
    static const size_t counts[] = {3, 12, 24, 64};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const struct lab_matrix square = {"S", words, words, counts[c], counts[c], counts[c], many};
        const char *const text = text_as("TikZ", &square, &arena);
        const double width = length_in(text, "x="), height = length_in(text, "y=-");
        assert_true(width > 0 && width * (double)counts[c] <= 160 && height > 0);
        assert_true((strstr(text, ".5) {$0") != NULL) == (width >= 6));
        assert_true((strstr(text, "rotate=90") != NULL) == (width < 18));
        assert_non_null(strstr(text, "text depth"));
    }
    arena_free(&arena);
}

/* A cell that nobody sees must not become 0.00. */
static void masked_cells_of_tikz_are_masked(void **state)
{
    (void)state;
    struct app_state *desk = opened("causal");
    struct arena arena = {0};
    struct bytes text = {0};
    app_state_go(desk, LAB_SOFTMAX, 1);
    size_t hidden = 0, dashes = 0;
    const struct lab_experiment *const experiment = &desk->document.experiment;
    struct lab_experiment causal;
    const struct lab_mask_rule rule = {.kind = LAB_MASK_CAUSAL};
    lab_experiment_copy(&causal, experiment);
    lab_experiment_set_mask(&causal, &rule);
    document_change(&desk->document, &causal, "mask", 1);
    app_settle_tasks(desk, 1);
    const struct app_scene scene = app_state_scene(desk);
    const struct lab_matrix weights = app_matrix_shown(&scene, &arena);
    const struct app_matrix_style looks = app_matrix_style(&scene, &weights);
    assert_true(
        app_matrix_text(app_matrix_format_find("TikZ"), &weights, &looks, &arena, &text, NULL));
    for (size_t i = 0; i < weights.rows * weights.cols; i++) {
        hidden += !lab_trace_sees(scene.trace, i / weights.cols, i % weights.cols);
    }
    for (const char *at = (const char *)text.at; (at = strstr(at, "{--}")) != NULL; at++) {
        dashes++;
    }
    assert_true(hidden > 0);
    assert_int_equal(dashes, hidden);
    lab_experiment_release(&causal);
    arena_free(&arena);
    closed(desk);
}

/* Each name opens in one program, and two formats never mean the same one. */
static void no_two_formats_have_one_suffix(void **state)
{
    (void)state;
    static const char *const titles[] = {"Tabs",  "CSV",  "LaTeX", "TikZ",
                                         "NumPy", "JSON", "NPY",   "NPZ"};
    for (size_t a = 0; a < 8; a++) {
        for (size_t b = 0; b < a; b++) {
            assert_string_not_equal(app_matrix_format_find(titles[a])->suffix,
                                    app_matrix_format_find(titles[b])->suffix);
        }
    }
}

/* pandas.read_csv takes the first line for the names of columns. */
static void a_table_begins_with_names_of_columns(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const float few[] = {1, 2, 3, 4};
    const struct lab_matrix plain = {
        .name = "W_Q", .rows = 2, .cols = 2, .stride = 2, .values = few};
    assert_string_equal(text_as("CSV", &plain, &arena), "0,1\n1,2\n3,4\n");
    arena_free(&arena);
}

static struct bytes file_as(const char *title, struct arena *arena)
{
    const struct app_matrix_style looks = {.map = colourmap_find("blues"), .high = 1};
    struct bytes file = {0};
    assert_true(
        app_matrix_text(app_matrix_format_find(title), &matrix, &looks, arena, &file, NULL));
    return file;
}

/* The very numbers, row by row, and words as they are. */
static void programs_read_the_very_numbers(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct array npy = {0}, npz = {0};
    assert_true(npy_read(file_as("NPY", &arena), &npy, NULL));
    assert_true(npz_read_one(file_as("NPZ", &arena), "scores", &arena, &npz, NULL));
    const struct array *const both[] = {&npy, &npz};
    for (size_t a = 0; a < 2; a++) {
        assert_int_equal(both[a]->rank, 2);
        assert_int_equal(both[a]->shape[0], 2);
        assert_int_equal(both[a]->shape[1], 3);
        for (size_t i = 0; i < 6; i++) {
            assert_true(array_number(both[a], i) == (double)numbers[i]);
        }
    }
    struct json *const json = json_parse(file_as("JSON", &arena), NULL);
    const char *word = NULL;
    assert_true(json_text(json_element(json_member(json, "columns"), 2), &word));
    assert_string_equal(word, nasty[2]);
    const struct json *const values = json_member(json, "values");
    double half = 0;
    assert_true(json_number(json_element(json_element(values, 0), 1), &half) && half == -0.5);
    assert_int_equal(json_kind_of(json_element(json_element(values, 0), 2)), JSON_KIND_NULL);
    json_release(json);
    arena_free(&arena);
}

/* Where LaTeX is installed it makes pages of both, whatever the words are. */
static void latex_makes_pages_of_both(void **state)
{
    (void)state;
    static const char *const words[] = {"a&b_%\u202e", "=1+1|<>", "\\x{\"}\n~^$#'`"};
    const struct lab_matrix turned = {"S", words, words, 2, 3, 3, numbers};
    if (system("command -v pdflatex >/dev/null && kpsewhich tikz.sty amsmath.sty "
               ">/dev/null") != 0) {
        skip();
    }
    struct arena arena = {0};
    char folder[] = "latex-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *const page =
        arena_format(&arena,
                     "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{amsmath,tikz}\n"
                     "\\begin{document}\n\\[\n%s\\]\n%s\\end{document}\n",
                     text_as("LaTeX", &turned, &arena), text_as("TikZ", &turned, &arena));
    assert_true(file_write(arena_format(&arena, "%s/page.tex", folder),
                           (struct bytes){(const uint8_t *)page, strlen(page)}, NULL));
    const int status =
        system(arena_format(&arena,
                            "cd %s && HOME=. pdflatex -draftmode -interaction=nonstopmode "
                            "-halt-on-error page.tex >said || { tail "
                            "-20 said >&2; false; }",
                            folder));
    assert_int_equal(system(arena_format(&arena, "rm -r %s", folder)), 0);
    assert_int_equal(status, 0);
    arena_free(&arena);
}

/* Of ten words: 103 mm with three decimals, as LaTeX measures it. */
static void a_wide_table_of_latex_fits_its_line(void **state)
{
    (void)state;
    enum { WIDE = 10 };
    static const char *const words[WIDE] = {"A",   "small", "dog",     "chases", "the",
                                            "big", "cat",   "through", "our",    "garden"};
    float many[WIDE * WIDE];
    struct arena arena = {0};
    for (size_t i = 0; i < WIDE * WIDE; i++) {
        many[i] = (float)i / 128;
    }
    const struct lab_matrix wide = {"A", words, words, WIDE, WIDE, WIDE, many};
    const char *const text = text_as("LaTeX table", &wide, &arena);
    assert_non_null(strstr(text, "% about 103 mm wide;"));
    assert_non_null(strstr(text, "(85 mm: letters of about 6.6 points)\n\\resizebox{"));
    assert_null(strstr(text_as("LaTeX table", &matrix, &arena), "resizebox"));
    if (system(
            "command -v pdflatex >/dev/null && kpsewhich graphicx.sty booktabs.sty >/dev/null") ==
        0) {
        const char *const page = arena_format(
            &arena,
            "\\documentclass{article}\\usepackage{graphicx,booktabs}\\hfuzz=0.1pt\n"
            "\\begin{document}\\noindent\\begin{minipage}{85mm}\\noindent\n%s\\end{minipage}\n"
            "\\end{document}\n",
            text);
        char folder[] = "latex-XXXXXX";
        assert_non_null(mkdtemp(folder));
        assert_true(file_write(arena_format(&arena, "%s/page.tex", folder),
                               (struct bytes){(const uint8_t *)page, strlen(page)}, NULL));
        const int status = system(
            arena_format(&arena,
                         "cd %s && HOME=. pdflatex -draftmode -interaction=nonstopmode "
                         "-halt-on-error page.tex >said 2>&1 && ! grep -q Overfull said || { tail "
                         "-20 said >&2; false; }",
                         folder));
        assert_int_equal(system(arena_format(&arena, "rm -r %s", folder)), 0);
        assert_int_equal(status, 0);
    }
    arena_free(&arena);
}

static void more_columns_than_amsmath_takes_are_announced(void **state)
{
    (void)state;
    struct arena arena = {0};
    float many[12] = {0};
    const struct lab_matrix wide = {
        .name = "Q", .rows = 1, .cols = 12, .stride = 12, .values = many};
    assert_non_null(strstr(text_as("LaTeX", &wide, &arena), "\\setcounter{MaxMatrixCols}{12}"));
    assert_null(strstr(text_as("LaTeX", &matrix, &arena), "setcounter"));
    arena_free(&arena);
}

static void numpy_reads_the_very_numbers(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_non_null(strstr(text_as("NumPy", &matrix, &arena),
                           "np.array([[1, -0.5, -np.inf],\n          [0.25, 0, 3]], "
                           "dtype=np.float32)\n"));
    arena_free(&arena);
}

static void no_word_becomes_a_formula_in_a_spreadsheet(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *text = text_as("CSV", &matrix, &arena);
    assert_non_null(strstr(text, "\"'=1+1\",0.25,0,3\n"));
    assert_non_null(strstr(text, "\"\\x{\"\"}\n~^\"\n"));
    assert_true(strncmp(text, ",\"a&b_%\",", 9) == 0);
    static const char *const words[] = {"\tb", "@SUM(A1)", "＝1"};
    const struct lab_matrix formulas = {"S", words, words, 2, 3, 3, numbers};
    assert_true(strncmp(text_as("CSV", &formulas, &arena), ",\"'\tb\",\"'@SUM(A1)\",\"'＝1\"\n",
                        strlen(",\"'\tb\",\"'@SUM(A1)\",\"'＝1\"\n")) == 0);
    arena_free(&arena);
}

static void each_stage_is_copied_in_each_form(void **state)
{
    (void)state;
    static const char *const commands[] = {"copy", "copy numpy", "copy latex", "copy tikz",
                                           "copy csv"};
    struct app_state *desk = opened("cats");
    for (int stage = 0; stage < LAB_STAGES; stage++) {
        app_state_go(desk, (enum lab_stage)stage, 1);
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
            desk->request.copy = NULL;
            assert_true(app_command_run(desk, commands[i], 0, 1));
            assert_non_null(desk->request.copy);
            assert_non_null(strstr(desk->message, "copied"));
        }
    }
    closed(desk);
}

static void without_tokens_nothing_is_copied(void **state)
{
    (void)state;
    struct app_state *desk = opened("cats");
    struct lab_experiment none;
    lab_experiment_copy(&none, &desk->document.experiment);
    assert_true(lab_experiment_set_tokens(&none, NULL, 0, NULL));
    document_change(&desk->document, &none, "nothing", 1);
    lab_experiment_release(&none);
    app_command_run(desk, "copy latex", 0, 1);
    assert_null(desk->request.copy);
    closed(desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latex_is_a_bmatrix_with_plain_signs),
        cmocka_unit_test(letters_of_other_scripts_name_their_program),
        cmocka_unit_test(a_word_in_a_comment_cannot_end_it),
        cmocka_unit_test(programs_read_the_very_numbers),
        cmocka_unit_test(latex_makes_pages_of_both),
        cmocka_unit_test(no_word_turns_what_stands_behind_it),
        cmocka_unit_test(words_in_a_tikz_heatmap_are_text),
        cmocka_unit_test(words_in_tables_of_pages_are_text),
        cmocka_unit_test(a_heatmap_of_tikz_has_a_bar),
        cmocka_unit_test(cells_of_tikz_follow_the_width_of_the_page),
        cmocka_unit_test(masked_cells_of_tikz_are_masked),
        cmocka_unit_test(no_two_formats_have_one_suffix),
        cmocka_unit_test(a_table_begins_with_names_of_columns),
        cmocka_unit_test(a_wide_table_of_latex_fits_its_line),
        cmocka_unit_test(more_columns_than_amsmath_takes_are_announced),
        cmocka_unit_test(numpy_reads_the_very_numbers),
        cmocka_unit_test(no_word_becomes_a_formula_in_a_spreadsheet),
        cmocka_unit_test(each_stage_is_copied_in_each_form),
        cmocka_unit_test(without_tokens_nothing_is_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
