/* Attention with numbers that are not there: rows of NaN, which frameworks give where all keys are
 * padding, and empty cells of tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "bench.h"
#include "file/kinds.h"
#include "file/npz.h"
#include "lab/dump/dump.h"

enum { HEADS = 2, N = 4, CELLS = N * N };

static const char path[] = "attention-with-gaps.npz", table[] = "attention-with-gaps.csv";

/* Every second weight of a row, which sum to 1; or scores that give such weights. */
static float number_at(bool scores, size_t head, size_t cell)
{
    const bool seen = (cell % N + cell / N + head) % 2 == 0;
    return scores ? (seen ? 0 : -INFINITY) : seen ? 0.5F : 0;
}

/* A layer [texts, heads, n, n], where the rows of `empty` (a bit for each) of the last text are
 * NaN. */
static void save(const char *name, size_t texts, unsigned empty, size_t single)
{
    static float values[2 * HEADS * CELLS];
    struct arena arena = {0};
    struct bytes content;
    struct error error = {ERROR_NONE, 0, ""};
    const bool scores = strstr(name, "scores") != NULL;
    for (size_t i = 0; i < texts * HEADS * CELLS; i++) {
        const bool gap = i / (HEADS * CELLS) + 1 == texts && (empty >> (i % CELLS / N) & 1) != 0;
        values[i] = gap || i == single ? NAN : number_at(scores, i / CELLS % HEADS, i % CELLS);
    }
    const struct array array =
        array_of_floats(name, 4, (const size_t[]){texts, HEADS, N, N}, values);
    assert_true(npz_write(&array, 1, &arena, &content, &error));
    assert_true(file_write(path, content, &error));
    arena_free(&arena);
}

static void save_table(const char *text)
{
    struct error error = {ERROR_NONE, 0, ""};
    assert_true(file_write(table, (struct bytes){(const uint8_t *)text, strlen(text)}, &error));
}

static struct lab_dump *open_dump(const char *name, size_t batch)
{
    struct error error = {ERROR_NONE, 0, ""};
    const struct lab_dump_request request = {.batch = batch};
    struct lab_dump *const dump = lab_dump_open(name, &request, &error);
    assert_string_equal(error.text, "");
    assert_non_null(dump);
    return dump;
}

static void expect_note(const struct lab_dump *dump, const char *note)
{
    const char *const doubt = lab_dump_facts(dump)->doubt;
    const char *const once = strstr(doubt, note);
    if (once == NULL || strstr(once + 1, note) != NULL) {
        fail_msg("“%s” is not once in “%s”", note, doubt);
    }
}

/* Weights, and what an experiment of them masks: the rows of `empty` and nothing else. */
static void expect_empty(const struct lab_dump *dump, unsigned empty, size_t unnoted)
{
    struct lab_dump_page page = {.holds = {NULL}};
    struct lab_experiment experiment;
    struct error error = {ERROR_NONE, 0, ""};
    for (size_t h = 0; h < HEADS; h++) {
        float weights[CELLS];
        assert_true(lab_dump_weights(dump, &page, 0, h, weights, &error));
        for (size_t c = 0; c < CELLS; c++) {
            const float right = (empty >> (c / N) & 1) != 0 ? 0 : number_at(false, h, c);
            assert_true(fabsf(weights[c] - right) < 1e-6F);
        }
    }
    assert_int_equal(page.unnoted, unnoted);
    assert_true(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
    const struct lab_mask_rule mask = lab_experiment_mask(&experiment);
    for (size_t c = 0; c < CELLS; c++) {
        assert_int_equal(lab_mask_sees(&mask, c / N, c % N), (empty >> (c / N) & 1) == 0);
    }
    lab_experiment_release(&experiment);
    lab_dump_page_free(&page);
}

static void rows_of_nan_stay_empty(void **state)
{
    static const struct {
        const char *name, *note;
        unsigned empty;
    } files[] = {
        {"attentions_0",
         "Rows 3\u20134 hold NaN alone, as where all keys are padding: they stay empty.", 0xC},
        {"attentions_0", "Row 1 holds NaN alone, as where all keys are padding: it stays empty.",
         1},
        {"attn_scores_0", "Rows 1, 3 hold NaN alone", 5},
    };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        save(files[f].name, 1, files[f].empty, SIZE_MAX);
        struct lab_dump *const dump = open_dump(path, 0);
        expect_note(dump, files[f].note);
        assert_null(strstr(lab_dump_facts(dump)->doubt, "sum to 1"));
        expect_empty(dump, files[f].empty, 0);
        lab_dump_close(dump);
    }
    (void)remove(path);
}

/* Which rows are empty is said of the text that is shown. */
static void each_text_has_its_own_rows(void **state)
{
    (void)state;
    save("attentions_0", 2, 0xC, SIZE_MAX);
    struct lab_dump *const first = open_dump(path, 0);
    assert_null(strstr(lab_dump_facts(first)->doubt, "NaN"));
    expect_empty(first, 0, 0);
    lab_dump_close(first);
    struct lab_dump *const second = open_dump(path, 1);
    expect_note(second, "Rows 3\u20134 hold NaN alone");
    expect_empty(second, 0xC, 0);
    lab_dump_close(second);
    (void)remove(path);
}

/* One NaN beside numbers is a mistake, told once. */
static void a_nan_beside_numbers_is_refused(void **state)
{
    static const char *const names[] = {"attentions_0", "attn_scores_0"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct lab_dump_page page = {.holds = {NULL}};
        struct error error = {ERROR_NONE, 0, ""};
        float weights[CELLS];
        save(names[i], 1, 0, CELLS + 6);
        struct lab_dump *const dump = open_dump(path, 0);
        assert_true(lab_dump_weights(dump, &page, 0, 0, weights, &error));
        assert_false(lab_dump_weights(dump, &page, 0, 1, weights, &error));
        assert_non_null(strstr(error.text, "L0H1, row 2, column 3 is nan"));
        lab_dump_page_free(&page);
        lab_dump_close(dump);
    }
    (void)remove(path);
}

/* Measures are means over the words that look at anything. */
static void measures_leave_empty_rows_out(void **state)
{
    struct error error = {ERROR_NONE, 0, ""};
    (void)state;
    save("attentions_0", 1, 0xA, SIZE_MAX);
    struct lab_dump *const dump = open_dump(path, 0);
    struct lab_thumbnails *const thumbnails = lab_dump_thumbnails(dump, NULL, NULL, NULL, &error);
    assert_non_null(thumbnails);
    const float *const measure = lab_thumbnails_head(thumbnails, 0, 0).head_measure;
    assert_true(fabsf(measure[LAB_HEAD_MEASURE_ENTROPY] - 1) < 1e-6F);  /* two keys each */
    assert_true(fabsf(measure[LAB_HEAD_MEASURE_FIRST] - 0.5F) < 1e-6F); /* of the third word */
    assert_true(fabsf(measure[LAB_HEAD_MEASURE_DISTANCE] - 1) < 1e-6F);
    lab_thumbnails_release(thumbnails);
    lab_dump_close(dump);
    (void)remove(path);
}

static void empty_cells_of_a_table_are_masked(void **state)
{
    static const struct {
        const char *text, *note;
        unsigned hidden; /* a bit for each cell */
    } tables[] = {
        {",a,b,c\na,1.0,,\nb,0.5,0.5,\nc,0.25,0.25,0.5\n",
         "Its empty cells (3) are taken as masked.", 0x26},
        {"1;;\n0,5;0,5;\n0,25;0,25;0,5\n", "Its empty cells (3) are taken as masked.", 0x26},
        {"1 0 nan\n0.5 0.5 NaN\n0.25 0.25 0.5\n", "Its empty cells (2) are taken as masked.", 0x24},
        {",a,b,c\na,1,0,0\nb,0.5,0.5,0\nc,,,\n",
         "Row 3 holds NaN alone, as where all keys are padding: it stays empty.", 0x1C0},
        {"1,0,0,\n0.5,0.5,0,\n0.25,0.25,0.5,\n,,,\n,,,\n", NULL, 0}, /* left behind by a program */
    };
    (void)state;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        struct lab_dump_page page = {.holds = {NULL}};
        struct lab_experiment experiment;
        struct error error = {ERROR_NONE, 0, ""};
        save_table(tables[t].text);
        struct lab_dump *const dump = open_dump(table, 0);
        assert_int_equal(lab_dump_facts(dump)->n * 10 + lab_dump_facts(dump)->m, 33);
        assert_true(lab_dump_probe(lab_dump_file(dump)));
        if (tables[t].note != NULL) {
            expect_note(dump, tables[t].note);
        } else {
            assert_string_equal(lab_dump_facts(dump)->doubt, "");
        }
        assert_true(lab_dump_experiment(dump, &page, 0, 0, &experiment, &error));
        const struct lab_mask_rule mask = lab_experiment_mask(&experiment);
        for (size_t c = 0; c < 9; c++) {
            assert_int_equal(lab_mask_sees(&mask, c / 3, c % 3), (tables[t].hidden >> c & 1) == 0);
        }
        lab_experiment_release(&experiment);
        lab_dump_page_free(&page);
        lab_dump_close(dump);
    }
    (void)remove(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"Rows of NaN stay empty, and a note says which.", rows_of_nan_stay_empty, NULL, NULL,
         NULL},
        {"Of several texts each has its own empty rows.", each_text_has_its_own_rows, NULL, NULL,
         NULL},
        {"A NaN beside numbers is refused.", a_nan_beside_numbers_is_refused, NULL, NULL, NULL},
        {"Measures leave empty rows out.", measures_leave_empty_rows_out, NULL, NULL, NULL},
        {"Empty cells of a table are masked ones.", empty_cells_of_a_table_are_masked, NULL, NULL,
         NULL},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
