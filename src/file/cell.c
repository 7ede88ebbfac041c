/* file/cell.c — see cell.h. */
#include "file/cell.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum { NUMBER_BYTES = 64 };

/* As pandas, R, NumPy, SQL and spreadsheets write what is not there. */
static const char *const missing[] = {"",    "nan",  "NaN",  "NAN",  "NA",   "N/A", "n/a",
                                      "#NV", "#N/A", "null", "NULL", "None", "<NA>"};

static const struct {
    const char *name;
    double value;
} infinities[] = {
    {"inf", (double)INFINITY},      {"-inf", -(double)INFINITY},
    {"Infinity", (double)INFINITY}, {"-Infinity", -(double)INFINITY},
    {"\u221e", (double)INFINITY},   {"-\u221e", -(double)INFINITY},
    {"+inf", (double)INFINITY},     {"\u2212\u221e", -(double)INFINITY},
};

enum cell_kind cell_read(const char *text, bool comma, double *number)
{
    char plain[NUMBER_BYTES];
    const size_t length = strlen(text);
    for (size_t m = 0; m < sizeof missing / sizeof *missing; m++) {
        if (strcmp(text, missing[m]) == 0) {
            *number = (double)NAN;
            return CELL_MISSING;
        }
    }
    if (length >= sizeof plain) {
        return CELL_WORD;
    }
    memcpy(plain, text, length + 1);
    char *const mark = comma ? strchr(plain, ',') : NULL;
    if (mark != NULL) {
        *mark = '.';
    }
    if (text_to_double(plain, number)) {
        return CELL_NUMBER;
    }
    for (size_t i = 0; i < sizeof infinities / sizeof *infinities; i++) {
        if (strcmp(text, infinities[i].name) == 0) {
            *number = infinities[i].value;
            return CELL_NUMBER;
        }
    }
    return CELL_WORD;
}

void cell_count_marks(const char *text, struct cell_marks *marks)
{
    static const char digits[] = "0123456789";
    const char *const comma = strchr(text, ',');
    marks->points += strchr(text, '.') != NULL;
    if (comma != NULL) {
        const char *const first = text + strcspn(text, digits);
        const size_t before = strspn(first, digits);
        const bool leads = *first != '0' && before >= 1 && before <= 3 && first + before == comma;
        marks->commas++;
        marks->thousands += leads && strspn(comma + 1, digits) == 3;
    }
}

bool cell_marks_decide(const struct cell_marks *marks, bool *comma, struct error *error)
{
    *comma = marks->commas > 0;
    if (marks->commas > 0 && marks->points > 0) {
        return error_set(error, ERROR_INPUT,
                         "There are commas and points in the numbers: write them with a point, and "
                         "no comma.");
    }
    return marks->commas == 0 || marks->thousands < marks->commas ||
           error_set(error, ERROR_INPUT,
                     "A comma before three digits may mean a point or thousands: write the numbers "
                     "with a point.");
}
