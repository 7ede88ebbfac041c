/* Numbers as text: CSV tables and word vectors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file/csv.h"
#include "file/table.h"
#include "file/vectors.h"

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static void tables_are_written_after_their_names(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct error error = {0};
    static const float values[] = {0.1F, -2.5F, 1e-7F, -INFINITY, 4, NAN, 1, 2};
    struct growing out = growing_start(&arena);
    csv_put_words(&out, "tokens", (const char *const[]){"cat", "New York", "a,\"b\"", ""}, 4);
    struct array array = array_of_floats("weights", 3, (size_t[]){2, 2, 2}, values);
    csv_put_head(&out, &array);
    csv_put_rows(&out, &array);
    growing_put_byte(&out, '\n');
    struct bytes file;
    assert_true(growing_finish(&out, &file, &error));
    assert_string_equal((const char *)file.at, "# tokens 4\n"
                                               "cat,\"New York\",\"a,\"\"b\"\"\",\"\"\n"
                                               "\n"
                                               "# weights 2x2x2\n"
                                               "0.1,-2.5\n"
                                               "1e-07,-inf\n"
                                               "4,nan\n"
                                               "1,2\n"
                                               "\n");
    out = growing_start(&arena);
    csv_put_rows(&out, &array);
    assert_true(growing_finish(&out, &file, &error));
    struct table back;
    assert_true(table_read(file, &arena, &back, &error));
    assert_int_equal(back.rows * 10 + back.cols, 42);
    for (size_t i = 0; i < 8; i++) {
        float value = back.values[i];
        assert_true(value == values[i] || (isnan(value) && isnan(values[i])));
    }
    arena_free(&arena);
}

static void any_separator_is_understood(void **state)
{
    (void)state;
    static const char *const texts[] = {"1,2,3\n4,5,6\n",
                                        "1;2;3\r\n4;5;6",
                                        "1\t2\t3\n4\t5\t6\n\n",
                                        "1 2  3\n 4   5 6 \n",
                                        "# x 2x3\n1, 2, 3\n\n4 ,5 ,6",
                                        "\xEF\xBB\xBF# a mark before it\n1,2,3\n4,5,6"};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct table table;
        struct error error = {0};
        assert_true(table_probe(bytes_of(texts[i])));
        assert_true(table_read(bytes_of(texts[i]), &arena, &table, &error));
        assert_int_equal(table.rows * 10 + table.cols, 23);
        assert_memory_equal(table.values, ((float[]){1, 2, 3, 4, 5, 6}), 6 * sizeof(float));
    }
    arena_free(&arena);
}

static void mistakes_in_tables_are_found_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "no numbers"},
        {"# only a name\n", "no numbers"},
        {"1,2\n3\n", "Line 2 has 1"},
        {"1,2\n\n3,cat\n", "Line 3, column 2: \"cat\""},
        {"1e39\n", "not a number"},
        {",,\n,,\n", "no numbers"},
        {"1,2\n3,4,5\n", "Line 2 has 3"},
        {"1.234,5;2\n", "\"1.234,5\" is not a number"},
        {"0,5;0.5\n", "There are commas and points"},
        {"1,250;2\n3;4\n", "A comma before three digits"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table table;
        struct error error = {0};
        if (table_read(bytes_of(cases[i].text), &arena, &table, &error) ||
            error.code != ERROR_INPUT || strstr(error.text, cases[i].why) == NULL) {
            fail_msg("%s: %s", cases[i].text, error.text);
        }
    }
    arena_free(&arena);
}

enum { TABLE_MAX = 4 };

/* A row of cells: its numbers, NAN for a missing one. */
struct written {
    const char *title, *text;
    size_t rows, cols;
    bool rows_named, cols_named;
    float values[TABLE_MAX * TABLE_MAX];
};

static void expect_table(const struct written *written)
{
    struct arena arena = {0};
    struct table table = {.rows = 0};
    struct error error = {0};
    if (!table_probe(bytes_of(written->text)) ||
        !table_read(bytes_of(written->text), &arena, &table, &error)) {
        fail_msg("%s: %s", written->title, error.text);
    }
    bool same = table.rows == written->rows && table.cols == written->cols &&
                (table.row_name != NULL) == written->rows_named &&
                (table.col_name != NULL) == written->cols_named;
    for (size_t i = 0; same && i < table.rows * table.cols; i++) {
        const float value = table.values[i], right = written->values[i];
        same = isnan(right) ? isnan(value) : !(value < right) && !(value > right);
    }
    if (!same) {
        fail_msg("%s: %zu rows, %zu columns, or other names or numbers", written->title, table.rows,
                 table.cols);
    }
    if (written->cols_named) {
        assert_string_equal(table.col_name[table.cols - 1], "dog");
    }
    arena_free(&arena);
}

static void empty_cells_are_missing_numbers(void **state)
{
    static const struct written tables[] = {
        {"pandas", ",cat,dog\ncat,1.0,\ndog,0.4,0.6\n", 2, 2, true, true, {1, NAN, 0.4f, 0.6f}},
        {"pandas without names", "1.0,\n0.4,0.6\n", 2, 2, false, false, {1, NAN, 0.4f, 0.6f}},
        {"tabs", "\tcat\tdog\ncat\t1\t\ndog\t0.4\t0.6", 2, 2, true, true, {1, NAN, 0.4f, 0.6f}},
        {"words for them",
         "nan NaN\n0.4 0.6\nNA null\n",
         3,
         2,
         false,
         false,
         {NAN, NAN, 0.4f, 0.6f, NAN, NAN}},
        {"only columns named", "cat,dog\n,\n0.4,0.6\n", 2, 2, false, true, {NAN, NAN, 0.4f, 0.6f}},
        {"a first row without numbers",
         ",,\n,1,\n0,0.5,0.5\n",
         3,
         3,
         false,
         false,
         {NAN, NAN, NAN, NAN, 1, NAN, 0, 0.5f, 0.5f}},
        {"the word itself left out",
         ",0.5,0.5\n1,,0\n0.25,0.75,\n",
         3,
         3,
         false,
         false,
         {NAN, 0.5f, 0.5f, 1, NAN, 0, 0.25f, 0.75f, NAN}},
        {"a row with its name", ",cat,dog\ncat,1,0\ndog,,\n", 2, 2, true, true, {1, 0, NAN, NAN}},
        {"the last row of a square", "1,0\n,\n", 2, 2, false, false, {1, 0, NAN, NAN}},
        {"a missing score",
         "-inf,NaN\n-Infinity,2\n",
         2,
         2,
         false,
         false,
         {-INFINITY, NAN, -INFINITY, 2}},
    };
    (void)state;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        expect_table(&tables[t]);
    }
}

/* Separators that a spreadsheet leaves behind are no cells. */
static void what_is_no_cell_is_none(void **state)
{
    static const struct written tables[] = {
        {"separators at the end", "1;0;\n0.5;0.5;\n", 2, 2, false, false, {1, 0, 0.5f, 0.5f}},
        {"two of them", "1,0,,\n0.5,0.5,,\n", 2, 2, false, false, {1, 0, 0.5f, 0.5f}},
        {"in some rows", "1;0\n0.5;0.5;\n", 2, 2, false, false, {1, 0, 0.5f, 0.5f}},
        {"behind names",
         ";cat;dog;\ncat;1;0;\ndog;0.5;0.5;\n",
         2,
         2,
         true,
         true,
         {1, 0, 0.5f, 0.5f}},
        {"rows below", "1,0\n0.5,0.5\n,\n,\n", 2, 2, false, false, {1, 0, 0.5f, 0.5f}},
        {"rows below names",
         ",cat,dog\ncat,1,0\ndog,0.5,0.5\n,,\n,,\n",
         2,
         2,
         true,
         true,
         {1, 0, 0.5f, 0.5f}},
        {"lines of spaces", "1,0\n  \n0.5,0.5\n \n", 2, 2, false, false, {1, 0, 0.5f, 0.5f}},
    };
    (void)state;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        expect_table(&tables[t]);
    }
}

static void decimal_commas_are_read(void **state)
{
    static const float right[] = {1, 0, 0.25f, 0.75f};
    static const struct {
        const char *text;
        bool named;
    } texts[] = {
        {"1;0\n0,25;0,75\n", false},
        {"1,0;0,0\r\n0,25;0,75\r\n", false},
        {"1\t0\n0,25\t0,75\n", false},
        {"1,00 0,00\n0,25 0,75\n", false},
        {"1,000;0,000\n0,250;0,750\n", false},
        {"\"1,0\",\"0,0\"\n\"0,25\",\"0,75\"\n", false},
        {";cat;dog\ncat;1;0\ndog;0,25;0,75\n", true},
        {"\"\";\"cat\";\"dog\"\n\"cat\";1;0\n\"dog\";0,25;0,75\n", true},
        {"\tcat\tdog\n,\t1\t0\ndog\t0,25\t0,75\n", true},
        {";,;dog\n,;1;0\ndog;0,25;0,75\n", true},
        {",;,dog\n;,1,0\ndog,0.25,0.75\n", true},
        {",cat,\"dog\"\n\",1\",1,0\n\"\"\"\",0.25,0.75\n", true},
        {"cat;dog\nx;1;0\ny;0,25;0,75\n", true}, /* as R writes it */
    };
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct written written = {.title = texts[t].text,
                                  .text = texts[t].text,
                                  .rows = 2,
                                  .cols = 2,
                                  .rows_named = texts[t].named,
                                  .cols_named = texts[t].named};
        memcpy(written.values, right, sizeof right);
        expect_table(&written);
    }
}

/* As data frames, spreadsheets and attnscope write them. */
static void names_of_rows_and_columns_are_read(void **state)
{
    static const struct {
        const char *text, *rows[2]; /* rows without names: NULL */
    } cases[] = {
        {",\"a, b\",\"say \"\"c\"\"\"\n\"a, b\",0.25,0.75\n\"say \"\"c\"\"\",0.5,0.5\n",
         {"a, b", "say \"c\""}},
        {"\"a, b\";\"say \"\"c\"\"\"\r\n0.25;0.75\r\n0.5;0.5\r\n", {NULL, NULL}},
        {",\"a, b\",\"say \"\"c\"\"\"\n0,0.25,0.75\n1,0.5,0.5\n", {"0", "1"}},
        {"word\t\"a, b\"\t\"say \"\"c\"\"\"\nx\t0.25\t0.75\ny\t0.5\t0.5", {"x", "y"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = {0};
        struct table table;
        struct error error = {0};
        assert_true(table_probe(bytes_of(cases[i].text)));
        assert_true(table_read(bytes_of(cases[i].text), &arena, &table, &error));
        assert_int_equal(table.rows, 2);
        assert_int_equal(table.cols, 2);
        assert_string_equal(table.col_name[0], "a, b");
        assert_string_equal(table.col_name[1], "say \"c\"");
        assert_int_equal(table.row_name != NULL, cases[i].rows[0] != NULL);
        for (size_t r = 0; table.row_name != NULL && r < 2; r++) {
            assert_string_equal(table.row_name[r], cases[i].rows[r]);
        }
        assert_memory_equal(table.values, ((float[]){0.25f, 0.75f, 0.5f, 0.5f}), 4 * sizeof(float));
        arena_free(&arena);
    }
    static const char *const others[] = {"cat 0.1 0.2\ndog 0.3 0.4\n",
                                         "cat,0.1,0.2\ndog,0.3,0.4\n",
                                         "# tokens 2\na,b\n0,1\n",
                                         "a,b\n",
                                         "",
                                         "a,b\nc,d\n"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(table_probe(bytes_of(others[i])));
    }
}

/* Tokens that are numbers stand among words, above rows and beside them. */
static void whole_numbers_are_names_among_words(void **state)
{
    static const struct written cases[] = {
        {"above", "3,2,cat,1,dog\n1,0,0,1,0\n", 1, 5, false, true, {1, 0, 0, 1, 0}},
        {"beside", "w,dog\n1,0.5\n2,0.25\nx,0.75\n", 3, 1, true, true, {0.5f, 0.25f, 0.75f}},
        {"quoted", "\"0.5\",\"0.2\",\"dog\"\n1,0,0\n", 1, 3, false, true, {1, 0, 0}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        expect_table(&cases[c]);
    }
}

static void mistakes_in_named_tables_are_found_by_line(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {",a,b\na,1,2\nb,3,x\n", "Line 3, column 3: \"x\" is not a number."},
        {"a,b\n1,x\n", "Line 2, column 2: \"x\" is not a number."},
        {"0.5,O.3,0.2\n0.1,0.4,0.5\n", "Line 1, column 2: \"O.3\" is not a number."},
        {"7;x;5\n7;8;2\n5;2;26\n", "Line 1, column 2: \"x\" is not a number."},
        {"0,5;x;0,2\n0,1;0,4;0,5\n", "Line 1, column 2: \"x\" is not a number."},
        {"a,b,c\n0.5,0.3,0.2\nx,0.6,0.1\n0.2,0.2,0.6\n",
         "Line 3, column 1: \"x\" is not a number."},
        {"a,b,c\n7,3,2\n1,6,1\nx,2,6\n", "Line 4, column 1: \"x\" is not a number."},
        {"a;b\n1;2\n3;x\n", "Line 3, column 2: \"x\" is not a number."},
        {",a,b\na,1,2\nb,3\n", "Line 3 has 1 numbers, 2 columns are named."},
        {",a,b\na,1,2,3\n", "Line 2 has more numbers than the 2 columns that are named."},
        {",a,b\n", "There are no numbers in it."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = {0};
        struct table table;
        struct error error = {0};
        assert_false(table_read(bytes_of(cases[i].text), &arena, &table, &error));
        assert_string_equal(error.text, cases[i].says);
        arena_free(&arena);
    }
}

/* However long a line is, what is read of it ends with the row that is allowed. */
static void a_row_has_a_largest_length(void **state)
{
    (void)state;
    for (size_t more = 0; more < 2; more++) {
        const size_t count = TABLE_COLS_MAX + more;
        char *const text = malloc(2 * count + 1);
        assert_non_null(text);
        for (size_t i = 0; i < count; i++) {
            memcpy(text + 2 * i, "1 ", 2);
        }
        text[2 * count - 1] = '\n';
        text[2 * count] = '\0';
        struct arena arena = {0};
        struct table table;
        struct error error = {0};
        assert_true(table_probe(bytes_of(text)));
        assert_int_equal(table_read(bytes_of(text), &arena, &table, &error), more == 0);
        assert_string_equal(
            error.text, more == 0 ? "" : "Line 1 has more than 65536 numbers, too many for a row.");
        arena_free(&arena);
        free(text);
    }
}

static void wanted_words_are_found(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "the 0 0 0\ncat 1 2 3\ndog 4 5 -6e-1\ncat 9 9 9\n",
        "4 3\nthe 0 0 0\r\ncat 1 2 3 \r\ndog\t4 5 -0.6\r\n",
    };
    static const char *const wanted[] = {"dog", "bird", "cat", "dog"};
    struct arena arena = {0};
    for (size_t i = 0; i < 2; i++) {
        struct vectors vectors;
        struct error error = {0};
        assert_true(vectors_read(bytes_of(texts[i]), wanted, 4, &arena, &vectors, &error));
        assert_int_equal(vectors.dimension, 3);
        assert_int_equal(vectors.count, 4);
        assert_int_equal(vectors.found_count, 3);
        assert_false(vectors.found[1]);
        assert_true(vectors.values[3] == 0.0F);
        assert_true(vectors.values[0] == 4.0F && vectors.values[2] == -0.6F);
        assert_true(vectors.values[6] == 1.0F && vectors.values[8] == 3.0F);
        assert_memory_equal(vectors.values, vectors.values + 9, 3 * sizeof(float));
    }
    arena_free(&arena);
}

static void word_vectors_of_wrong_length_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "no word vectors"},
        {"cat\n", "first line"},
        {"cat 1 x\n", "first line"},
        {"cat 1 1e39\n", "first line"},
        {"cat 1 0.00000000000000000000000000000000000000000000000000000000000000001\n",
         "first line"},
        {"123456789012345678901234 2\ncat\n", "does not hold 1 numbers"},
        {"2 5000\ncat 1 2\n", "does not hold 1 numbers"},
        {"2 0\ncat 1 2\n", "does not hold 1 numbers"},
        {"the 1 2 3\ncat 1 2\n", "Line 2"},
        {"the 1 2 3\ncat 1 2 3 4\n", "Line 2"},
        {"the 1 2 3\n\ncat 1 2 nan\n", "Line 3"},
    };
    static const char *const wanted[] = {"cat"};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vectors vectors;
        struct error error = {0};
        assert_false(vectors_read(bytes_of(cases[i].text), wanted, 1, &arena, &vectors, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_non_null(strstr(error.text, cases[i].why));
    }
    arena_free(&arena);
}

static void zero_bytes_do_no_harm(void **state)
{
    (void)state;
    static const uint8_t text[] = "1,2\0 3\n\0\0\0";
    struct arena arena = {0};
    struct table table;
    struct vectors vectors;
    struct error error = {0};
    assert_false(table_probe((struct bytes){text, sizeof text}));
    assert_false(table_read((struct bytes){text, sizeof text}, &arena, &table, &error));
    assert_true(vectors_read((struct bytes){text, sizeof text}, (const char *const[]){"1,2"}, 1,
                             &arena, &vectors, &error));
    assert_int_equal(vectors.found_count, 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Tables are written after their names and read again.",
         tables_are_written_after_their_names, NULL, NULL, NULL},
        {"Commas, semicolons, tabs and spaces are understood.", any_separator_is_understood, NULL,
         NULL, NULL},
        {"Mistakes in tables are found by line.", mistakes_in_tables_are_found_by_line, NULL, NULL,
         NULL},
        {"Names of rows and columns are read with the numbers.", names_of_rows_and_columns_are_read,
         NULL, NULL, NULL},
        {"Mistakes in tables with names are found by line.",
         mistakes_in_named_tables_are_found_by_line, NULL, NULL, NULL},
        {"Whole numbers are names where words stand among them.",
         whole_numbers_are_names_among_words, NULL, NULL, NULL},
        {"An empty cell of a table is a missing number.", empty_cells_are_missing_numbers, NULL,
         NULL, NULL},
        {"A row has a largest length.", a_row_has_a_largest_length, NULL, NULL, NULL},
        {"Separators behind a table are no cells.", what_is_no_cell_is_none, NULL, NULL, NULL},
        {"Decimal commas are read, whatever separates the numbers.", decimal_commas_are_read, NULL,
         NULL, NULL},
        {"Wanted words are found in GloVe and word2vec files.", wanted_words_are_found, NULL, NULL,
         NULL},
        {"Word vectors of the wrong length are refused.", word_vectors_of_wrong_length_are_refused,
         NULL, NULL, NULL},
        {"Zero bytes in a text do no harm.", zero_bytes_do_no_harm, NULL, NULL, NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
