/* Matrices as people copy them: what each text is read as, and what is refused with which words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/pasted.h"

static bool read(const char *text, struct arena *arena, struct pasted *out, struct error *error)
{
    return pasted_read((struct bytes){(const uint8_t *)text, strlen(text)}, arena, out, error);
}

/* Numbers row by row; the shape says where rows end. */
static const struct {
    const char *title, *text;
    size_t rows, cols;
    float values[6];
} accepted[] = {
    {"a spreadsheet", "1\t2\t3\n4\t5\t6\n", 2, 3, {1, 2, 3, 4, 5, 6}},
    {"Windows' line ends", "1\t2\r\n3\t4\r\n", 2, 2, {1, 2, 3, 4}},
    {"a German spreadsheet", "0,5\t-2,25\n1\t3,0\n", 2, 2, {0.5f, -2.25f, 1, 3}},
    {"thousandths beside others", "0,125\t0,5\n", 1, 2, {0.125f, 0.5f}},
    {"three decimals", "0,250;0,750\n1,000;0,000", 2, 2, {0.25f, 0.75f, 1, 0}},
    {"three decimals below one", "0,250\t0,750\n", 1, 2, {0.25f, 0.75f}},
    {"a causal table", ",cat,dog\ncat,1.0,\ndog,0.5,0.5\n", 2, 2, {1, NAN, 0.5f, 0.5f}},
    {"empty cells of a spreadsheet", "1\t\n3\t4\n", 2, 2, {1, NAN, 3, 4}},
    {"a first column of nothing", "\t1\n\t2\n", 2, 2, {NAN, 1, NAN, 2}},
    {"nan", "1 nan\nNaN 2\n", 2, 2, {1, NAN, NAN, 2}},
    {"a row of nan", "nan\tnan\n1\t2\n", 2, 2, {NAN, NAN, 1, 2}},
    {"nan in NumPy", "[[1, nan], [3, 4]]", 2, 2, {1, NAN, 3, 4}},
    {"semicolons at the end", "1;2;\n3;4;\n;;\n", 2, 2, {1, 2, 3, 4}},
    {"CSV", "1,2,3\n4,5,6", 2, 3, {1, 2, 3, 4, 5, 6}},
    {"CSV with blanks", " 1, 2 ,3\n\n 4 ,5, 6\n", 2, 3, {1, 2, 3, 4, 5, 6}},
    {"CSV with quotes", "\"1.5\",\"2\"\n\"3\",\"4\"\n", 2, 2, {1.5f, 2, 3, 4}},
    {"semicolons", "1.5;2\n3;4\n", 2, 2, {1.5f, 2, 3, 4}},
    {"semicolons and decimal commas", "1,5;2\n3;-4,25\n", 2, 2, {1.5f, 2, 3, -4.25f}},
    {"blanks", "1 2  3\n 4 5 6 \n", 2, 3, {1, 2, 3, 4, 5, 6}},
    {"blanks and decimal commas", "0,5 1,25\n2,0 -3,5\n", 2, 2, {0.5f, 1.25f, 2, -3.5f}},
    {"blanks and one decimal comma at the end", "1 2,5", 1, 2, {1, 2.5f}},
    {"one number", " -0.75 ", 1, 1, {-0.75f}},
    {"a true minus sign", "\u22121.5\t2", 1, 2, {-1.5f, 2}},
    {"powers of ten", "1e-3 2.5E+2", 1, 2, {1e-3f, 250}},
    {"words above and beside", ",cat,dog\ncat,1,2\ndog,3,4\n", 2, 2, {1, 2, 3, 4}},
    {"words that look like numbers",
     "\"\",\"7\",\"8\"\n\"7\",1,2\n\"8\",3,4\n",
     2,
     2,
     {1, 2, 3, 4}},
    {"words with commas and lines", "\"a, b\",1,2\n\"c\n\"\"d\"\"\",3,4\n", 2, 2, {1, 2, 3, 4}},
    {"words beside in a spreadsheet", "cat\t1\t2\ndog\t3\t4\n", 2, 2, {1, 2, 3, 4}},
    {"a word in brackets", "[CLS]\t1\t2\ndog\t3\t4\n", 2, 2, {1, 2, 3, 4}},
    {"a comment", "# Q, 3 x 2; rows: [, 1, \"\n1 2\n3 4\n", 2, 2, {1, 2, 3, 4}},
    {"NumPy", "np.array([[1, 2.5], [-3, 4]])", 2, 2, {1, 2.5f, -3, 4}},
    {"NumPy with a name and a type",
     "Q = np.array([[1., 2.],\n  [3., 4.]], dtype=np.float32)\n",
     2,
     2,
     {1, 2, 3, 4}},
    {"NumPy as it prints", "[[ 1.   2. ]\n [-0.5  1e-03]]", 2, 2, {1, 2, -0.5f, 1e-3f}},
    {"NumPy with wrapped lines",
     "array([[1, 2,\n        3],\n       [4, 5,\n        6]])",
     2,
     3,
     {1, 2, 3, 4, 5, 6}},
    {"NumPy behind a comment", "# Q: [1, 2]\nnp.array([[1, 2]])", 1, 2, {1, 2}},
    {"PyTorch", "tensor([[0.1000, 0.2000]], device='cuda:0')", 1, 2, {0.1f, 0.2f}},
    {"JSON", "[[1,2,3],[4,5,6]]", 2, 3, {1, 2, 3, 4, 5, 6}},
    {"a list", "[1, 2, 3]", 1, 3, {1, 2, 3}},
    {"a column", "[[1], [2], [3]]", 3, 1, {1, 2, 3}},
    {"MATLAB", "Q = [1 2; 3 4];", 2, 2, {1, 2, 3, 4}},
    {"LaTeX", "\\begin{bmatrix}\n 1 & 2 \\\\\n 3 & -4\n\\end{bmatrix}", 2, 2, {1, 2, 3, -4}},
    {"LaTeX in a formula",
     "$Q = \\begin{pmatrix}1&2\\\\3&4\\\\\\end{pmatrix}$",
     2,
     2,
     {1, 2, 3, 4}},
    {"a LaTeX array",
     "\\begin{array}{cc} 1 & 2 \\\\[2pt] \\hline 3 & 4 \\end{array}",
     2,
     2,
     {1, 2, 3, 4}},
    {"a starred matrix", "\\begin{bmatrix*}[r] 1 & -2 \\end{bmatrix*}", 1, 2, {1, -2}},
    {"LaTeX behind a comment",
     "% X, 1 x 2; rows: a & b\n\\begin{matrix} 1 & 2 % two\n\\end{matrix}",
     1,
     2,
     {1, 2}},
    {"LaTeX without its frame", "1 & 2 \\\\ 3 & 4", 2, 2, {1, 2, 3, 4}},
    {"fractions of LaTeX",
     "\\begin{pmatrix} \\frac{1}{2} & -\\tfrac14 \\\\ \\dfrac{-3}{4} & 1 \\end{pmatrix}",
     2,
     2,
     {0.5f, -0.25f, -0.75f, 1}},
    {"a mark of the byte order", "\ufeff1\t2", 1, 2, {1, 2}},
};

static void every_dialect_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct pasted pasted = {0};
        if (!read(accepted[i].text, &arena, &pasted, &error)) {
            fail_msg("%s is refused: %s", accepted[i].title, error.text);
        }
        if (pasted.rows != accepted[i].rows || pasted.cols != accepted[i].cols) {
            fail_msg("%s is read as %zu × %zu", accepted[i].title, pasted.rows, pasted.cols);
        }
        for (size_t n = 0; n < pasted.rows * pasted.cols; n++) {
            const float value = pasted.values[n], right = accepted[i].values[n];
            const bool gap = isnan(value), meant = isnan(right);
            if (gap != meant || value < right || value > right) {
                fail_msg("%s is read as other numbers", accepted[i].title);
            }
        }
        arena_free(&arena);
    }
}

static const struct {
    const char *text, *says;
} refused[] = {
    {"", "There is nothing to paste."},
    {" \n\t\n", "There are no numbers in what was copied."},
    {"cat", "There are no numbers in what was copied."},
    {"1 cat", "“cat” is not a number."},
    {"1 & \\frac{1}{0} \\\\", "“\\frac{1}{0}” is not a number."},
    {"1 & \\frac{1} \\\\", "“\\frac{1}” is not a number."},
    {"Attention is all you need", "There are no numbers in what was copied."},
    {"1\t2\n3\n", "Row 2 has 1 numbers, the first row has 2."},
    {"[[1, 2], [3]]", "Row 2 has 1 numbers, the first row has 2."},
    {"1 & 2 \\\\ 3", "Row 2 has 1 numbers, the first row has 2."},
    {"1,234;5,678\n", "A comma before three digits may mean a point or thousands"},
    {"1/2 3/4", "There are no numbers in what was copied."},
    {"[1/2, 3/4]", "“1/2” is a fraction: write it with a point, as 0.5."},
    {"1 -inf", "“-inf” is not a number."},
    {"[[1, -np.inf]]", "“-np.inf” is not a number."},
    {"0x10 1", "Row"}, /* the first column is taken for words */
    {"1 1e39", "“1e39” is too large to compute with."},
    {"1,234\t5,678\n", "A comma before three digits may mean a point or thousands"},
    {"1,234.5\t2\n", "There are commas and points in the numbers"},
    {"[[1, 2], [3, 4]", "A bracket ] is missing at the end."},
    {"[[1, 2]] [[3, 4]]", "There is more than one matrix in what was copied."},
    {"[[[1], [2]], [[3], [4]]]", "That has more than two levels of brackets"},
    {"[[0.1, ..., 0.9]]", "NumPy has left numbers out"},
    {"\\begin{bmatrix} 1 & 2", "\\end is missing"},
    {"\\begin{matrix}1\\end{matrix}\\begin{matrix}2\\end{matrix}", "There is more than one matrix"},
};

static void what_is_no_matrix_is_refused_in_a_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct arena arena = {0};
        struct error error = {0};
        struct pasted pasted = {0};
        const bool taken = read(refused[i].text, &arena, &pasted, &error);
        if (strcmp(refused[i].says, "Row") == 0) {
            assert_true(taken && pasted.cols == 1); /* documented: a word, and a number */
        } else if (taken) {
            fail_msg("%s is read as %zu × %zu", refused[i].text, pasted.rows, pasted.cols);
        } else if (strstr(error.text, refused[i].says) == NULL) {
            fail_msg("%s is refused with: %s", refused[i].text, error.text);
        }
        arena_free(&arena);
    }
}

/* Every beginning of every text, and each with one letter changed: read or refused, never worse.
 * The bytes stand at the end of their own block, so that a checker sees a step beyond. */
static void broken_texts_do_no_harm(void **state)
{
    (void)state;
    static const char letters[] = "[]{}&\\\",;\t\n#%\0\xff.-0";
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        const size_t length = strlen(accepted[i].text);
        for (size_t cut = 0; cut <= length; cut++) {
            for (size_t l = 0; l < sizeof letters; l++) {
                uint8_t *copy = malloc(cut + 1);
                memcpy(copy + 1, accepted[i].text, cut);
                if (cut > 0) {
                    copy[1 + cut / 2] = (uint8_t)letters[l];
                }
                struct arena arena = {0};
                struct error error = {0};
                struct pasted pasted = {0};
                if (pasted_read((struct bytes){copy + 1, cut}, &arena, &pasted, &error)) {
                    for (size_t n = 0; n < pasted.rows * pasted.cols; n++) {
                        assert_true(!isinf(pasted.values[n]));
                    }
                } else {
                    assert_true(strlen(error.text) > 0);
                }
                arena_free(&arena);
                free(copy);
            }
        }
    }
}

static void too_much_is_refused_at_once(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    struct pasted pasted = {0};
    const size_t size = (size_t)2 * (PASTED_NUMBERS_MAX + 1);
    char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        text[i] = i % 2 == 0 ? '1' : ' ';
    }
    text[size] = 0;
    assert_false(read(text, &arena, &pasted, &error));
    assert_string_equal(error.text, "That is more than can be pasted at once.");
    memset(text, '[', size);
    assert_false(read(text, &arena, &pasted, &error));
    free(text);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dialect_is_read),
        cmocka_unit_test(what_is_no_matrix_is_refused_in_a_sentence),
        cmocka_unit_test(broken_texts_do_no_harm),
        cmocka_unit_test(too_much_is_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
