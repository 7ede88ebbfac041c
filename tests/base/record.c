/* Rows of a made-up record: values, texts, ranges and orders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/record.h"

struct meal {
    bool hot;
    size_t plates;
    uint64_t order;
    float salt;
    unsigned course;
    double bill;
    struct record_list guests;
};

static const char *course_name(size_t index)
{
    static const char *const names[] = {"starter", "main", "dessert"};
    return index < 3 ? names[index] : NULL;
}

enum { NONE, HOT, PLATES, ORDER, SALT, COURSE, BILL, GUESTS, ROWS };

#define AT(member) .at = offsetof(struct meal, member)
static const struct record_row rows[ROWS] = {
    [HOT] = {.type = RECORD_SWITCH, AT(hot), .key = "hot", .inverted = true, .option_rank = 2},
    [PLATES] = {.type = RECORD_COUNT,
                AT(plates),
                .key = "plates",
                .low = 1,
                .high = 12,
                .what = "The number of plates",
                .option_rank = 3},
    [ORDER] = {.type = RECORD_SEED, AT(order), .key = "order", .high = RECORD_SEED_MAX},
    [SALT] = {.type = RECORD_NUMBER,
              AT(salt),
              .key = "salt",
              .above_low = true,
              .high = 0.3,
              .what = "The salt",
              .needs = COURSE,
              .needs_value = 1,
              .option_rank = 2},
    [COURSE] = {.type = RECORD_CHOICE,
                AT(course),
                .key = "course",
                .what = "The course",
                .name_at = course_name,
                .option_rank = 1},
    [BILL] = {.type = RECORD_DOUBLE,
              AT(bill),
              .key = "bill",
              .low = 0.01,
              .high = 100,
              .what = "The bill"},
    [GUESTS] = {.type = RECORD_LIST, AT(guests), .key = "guests"},
};
static const struct record record = {rows, ROWS, sizeof *rows};

static const struct meal usual = {.hot = true,
                                  .plates = 2,
                                  .order = UINT64_MAX,
                                  .salt = 0.1F,
                                  .course = 1,
                                  .bill = 12.345678901234567,
                                  .guests = {2, {3, 70}}};

static void values_are_written_and_read(void **unused)
{
    (void)unused;
    static const char *const texts[ROWS] = {
        NULL, "off", "2", "18446744073709551615", "0.1", "main", "12.345678901234567", "3,70"};
    char text[RECORD_TEXT_MAX];
    struct meal other = {.plates = 0};
    for (size_t r = 1; r < ROWS; r++) {
        assert_string_equal(record_text(&rows[r], &usual, text), texts[r]);
        assert_false(record_equal(&rows[r], &usual, &other));
        assert_true(record_read(&rows[r], text, &other));
        assert_true(record_equal(&rows[r], &usual, &other));
        assert_ptr_equal(record_find(&record, rows[r].key), &rows[r]);
        assert_int_equal(record_index(&record, &rows[r]), r);
    }
    static const struct {
        size_t row;
        const char *text;
    } wrong[] = {{HOT, "hot"},       {PLATES, "-1"},
                 {PLATES, "2.5"},    {ORDER, "18446744073709551616"},
                 {SALT, "1e39"},     {SALT, ""},
                 {COURSE, "soup"},   {GUESTS, "3,"},
                 {GUESTS, "0"},      {GUESTS, "7,3,7"},
                 {GUESTS, ",3"},     {GUESTS, "1-3"},
                 {GUESTS, "100000"}, {GUESTS, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        assert_false(record_read(&rows[wrong[w].row], wrong[w].text, &other));
        assert_true(record_equal(&rows[wrong[w].row], &usual, &other));
    }
    assert_null(record_find(&record, "soup"));
    /* A list rises, whatever the order was that it is read in. */
    assert_true(record_read(&rows[GUESTS], "70,3", &other));
    assert_true(record_equal(&rows[GUESTS], &usual, &other));
    assert_true(record_read(&rows[GUESTS], "", &other));
    assert_int_equal(other.guests.count, 0);
    assert_null(record_row(&record, ROWS));
}

static void ranges_are_said_and_held(void **unused)
{
    (void)unused;
    static const struct {
        size_t row;
        double number;
        const char *says; /* NULL: it is in the range */
    } cases[] = {
        {PLATES, 1, NULL},
        {PLATES, 12, NULL},
        {PLATES, 13, "The number of plates must be 1 to 12, not 13."},
        {SALT, (double)0.3F, NULL},
        {SALT, 0, "The salt must be above 0 and at most 0.3, not 0."},
        {SALT, 0.4, "The salt must be above 0 and at most 0.3, not 0.4."},
        {BILL, 100.00000001, "The bill must be 0.01 to 100, not 100.00000001."},
        {COURSE, 2, NULL},
        {COURSE, 3, "The course must be starter, main, dessert, not 3."},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {0};
        const struct record_row *const row = &rows[cases[c].row];
        assert_int_equal(record_check_number(row, cases[c].number, &error), cases[c].says == NULL);
        assert_string_equal(error.text, cases[c].says == NULL ? "" : cases[c].says);
    }
    struct meal meal = usual;
    struct error error = {0};
    meal.salt = 0;
    assert_false(record_check(&record, &meal, &error));
    meal.course = 2; /* a dessert needs no salt */
    assert_true(record_check(&record, &meal, &error));
}

static size_t option_rank(const struct record_row *row)
{
    return row->option_rank;
}

static void rows_stand_in_an_order(void **unused)
{
    (void)unused;
    static const size_t order[] = {COURSE, HOT, SALT, PLATES}; /* equal ranks as in the table */
    for (size_t o = 0; o < 4; o++) {
        assert_ptr_equal(record_in_order(&record, option_rank, o), &rows[order[o]]);
    }
    assert_null(record_in_order(&record, option_rank, 4));
    assert_null(record_in_order(&record, option_rank, 99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_written_and_read),
        cmocka_unit_test(ranges_are_said_and_held),
        cmocka_unit_test(rows_stand_in_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
