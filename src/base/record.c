/* base/record.c — see record.h. */
#include "base/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"

/* ---- rows ----------------------------------------------------------------------------------- */

const struct record_row *record_row(const struct record *record, size_t index)
{
    return index < record->count
               ? (const struct record_row *)(const void *)((const char *)record->rows +
                                                           index * record->size)
               : NULL;
}

const struct record_row *record_find(const struct record *record, const char *key)
{
    for (size_t r = 0; r < record->count; r++) {
        const struct record_row *const row = record_row(record, r);
        if (row->key != NULL && strcmp(row->key, key) == 0) {
            return row;
        }
    }
    return NULL;
}

size_t record_index(const struct record *record, const struct record_row *row)
{
    return (size_t)((const char *)(const void *)row - (const char *)record->rows) / record->size;
}

const struct record_row *record_in_order(const struct record *record,
                                         size_t (*rank_of)(const struct record_row *row),
                                         size_t place)
{
    const size_t count = record->count;
    size_t last = 0; /* the position of the row before: rank · rows + index */
    const struct record_row *found = NULL;
    for (size_t step = 0; step <= place; step++) {
        size_t best = SIZE_MAX;
        found = NULL;
        for (size_t r = 0; r < count; r++) {
            const size_t rank = rank_of(record_row(record, r)), position = rank * count + r;
            if (rank > 0 && (step == 0 || position > last) && position < best) {
                best = position;
                found = record_row(record, r);
            }
        }
        last = best;
        if (found == NULL) {
            return NULL;
        }
    }
    return found;
}

/* ---- values --------------------------------------------------------------------------------- */

static const size_t type_bytes[RECORD_TYPES] = {[RECORD_SWITCH] = sizeof(bool),
                                                [RECORD_COUNT] = sizeof(size_t),
                                                [RECORD_SEED] = sizeof(uint64_t),
                                                [RECORD_NUMBER] = sizeof(float),
                                                [RECORD_DOUBLE] = sizeof(double),
                                                [RECORD_CHOICE] = sizeof(unsigned),
                                                [RECORD_LIST] = sizeof(struct record_list)};

double record_get(const struct record_row *row, const void *value)
{
    const void *const member = (const char *)value + row->at;
    switch (row->type) {
    case RECORD_SWITCH:
        return *(const bool *)member;
    case RECORD_COUNT:
        return (double)*(const size_t *)member;
    case RECORD_SEED:
        return (double)*(const uint64_t *)member;
    case RECORD_NUMBER:
        return (double)*(const float *)member;
    case RECORD_DOUBLE:
        return *(const double *)member;
    case RECORD_CHOICE:
        return *(const unsigned *)member;
    case RECORD_LIST:
        return ((const struct record_list *)member)->count;
    default:
        return 0;
    }
}

void record_put(const struct record_row *row, void *value, double number)
{
    void *const member = (char *)value + row->at;
    switch (row->type) {
    case RECORD_SWITCH:
        *(bool *)member = number != 0;
        break;
    case RECORD_COUNT:
        *(size_t *)member = (size_t)number;
        break;
    case RECORD_SEED:
        *(uint64_t *)member = number >= RECORD_SEED_MAX ? UINT64_MAX : (uint64_t)number;
        break;
    case RECORD_NUMBER:
        *(float *)member = (float)number;
        break;
    case RECORD_DOUBLE:
        *(double *)member = number;
        break;
    case RECORD_CHOICE:
        *(unsigned *)member = (unsigned)number;
        break;
    case RECORD_LIST: /* 0 alone says all that a list holds */
        *(struct record_list *)member = (struct record_list){.count = 0};
        break;
    default:
        break;
    }
}

bool record_equal(const struct record_row *row, const void *a, const void *b)
{
    return memcmp((const char *)a + row->at, (const char *)b + row->at, type_bytes[row->type]) == 0;
}

bool record_applies(const struct record *record, const struct record_row *row, const void *value)
{
    const double number =
        row->needs == 0 ? row->needs_value : record_get(record_row(record, row->needs), value);
    return !(number < row->needs_value || number > row->needs_value);
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Names of a choice begin at `low`. */
static double first_choice(const struct record_row *row)
{
    return row->type == RECORD_CHOICE ? row->low : 0;
}

const char *record_number_text(const struct record_row *row, double number,
                               char text[RECORD_TEXT_MAX])
{
    const bool is_on = (number != 0) != (row->inverted && row->type == RECORD_SWITCH);
    const bool has_name = row->name_at != NULL && number >= first_choice(row);
    const char *const name = has_name ? row->name_at((size_t)(number - first_choice(row))) : NULL;
    char digits[TEXT_NUMBER_MAX];
    if (name != NULL) {
        snprintf(text, RECORD_TEXT_MAX, "%s", name);
    } else if (row->type == RECORD_COUNT || row->type == RECORD_SEED ||
               row->type == RECORD_CHOICE) {
        snprintf(text, RECORD_TEXT_MAX, "%.0f", number);
    } else if (row->type == RECORD_NUMBER) {
        snprintf(text, RECORD_TEXT_MAX, "%s", text_number_exact(digits, (float)number));
    } else if (row->type == RECORD_DOUBLE) {
        snprintf(text, RECORD_TEXT_MAX, "%s", text_double_exact(digits, number));
    } else {
        snprintf(text, RECORD_TEXT_MAX, "%s", is_on ? "on" : "off");
    }
    return text;
}

/* ---- lists ---------------------------------------------------------------------------------- */

bool record_list_has(const struct record_list *list, uint64_t number)
{
    for (uint32_t n = 0; n < list->count; n++) {
        if (list->number[n] == number) {
            return true;
        }
    }
    return false;
}

bool record_list_add(struct record_list *list, uint64_t number)
{
    uint32_t at = list->count;
    if (number == 0 || number > RECORD_LISTED_MAX || at == RECORD_LIST_MAX ||
        record_list_has(list, number)) {
        return false;
    }
    for (; at > 0 && list->number[at - 1] > number; at--) {
        list->number[at] = list->number[at - 1];
    }
    list->number[at] = (uint32_t)number;
    list->count++;
    return true;
}

static const char *list_text(const struct record_list *list, char text[RECORD_TEXT_MAX])
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t n = 0; n < list->count; n++) {
        length += (size_t)snprintf(text + length, RECORD_TEXT_MAX - length, "%s%" PRIu32,
                                   n > 0 ? "," : "", list->number[n]);
    }
    return text;
}

/* Reads "3,7"; an empty text is an empty list. */
static bool read_list(const char *text, struct record_list *out)
{
    struct record_list list = {.count = 0};
    for (const char *at = text; *at != '\0';) {
        char digits[TEXT_NUMBER_MAX];
        const size_t length = strcspn(at, ",");
        uint64_t number = 0;
        if (length >= sizeof digits || (at[length] == ',' && at[length + 1] == '\0')) {
            return false;
        }
        snprintf(digits, sizeof digits, "%.*s", (int)length, at);
        if (!text_to_u64(digits, &number) || !record_list_add(&list, number)) {
            return false;
        }
        at += length + (at[length] == ',' ? 1 : 0);
    }
    *out = list;
    return true;
}

const char *record_text(const struct record_row *row, const void *value, char text[RECORD_TEXT_MAX])
{
    if (row->type == RECORD_LIST) {
        return list_text((const struct record_list *)(const void *)((const char *)value + row->at),
                         text);
    }
    if (row->type == RECORD_SEED) {
        snprintf(text, RECORD_TEXT_MAX, "%" PRIu64,
                 *(const uint64_t *)(const void *)((const char *)value + row->at));
        return text;
    }
    return record_number_text(row, record_get(row, value), text);
}

/* The index of a name; *number stays where there is none. */
static bool find_name(const char *(*name_at)(size_t), const char *text, double *number)
{
    for (size_t n = 0; name_at(n) != NULL; n++) {
        if (strcmp(name_at(n), text) == 0) {
            *number = (double)n;
            return true;
        }
    }
    return false;
}

static const char *switch_name(size_t index)
{
    static const char *const names[] = {"off", "on", "0", "1"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

bool record_read(const struct record_row *row, const char *text, void *value)
{
    uint64_t whole = 0;
    double number = 0;
    bool read = false;
    switch (row->type) {
    case RECORD_LIST:
        return read_list(text, (struct record_list *)(void *)((char *)value + row->at));
    case RECORD_SEED:
        return text_to_u64(text, (uint64_t *)(void *)((char *)value + row->at));
    case RECORD_COUNT:
        read = text_to_u64(text, &whole) && whole <= INT64_MAX;
        number = (double)whole;
        break;
    case RECORD_NUMBER:
        read = text_to_double(text, &number) && text_fits_float(number);
        break;
    case RECORD_DOUBLE:
        read = text_to_double(text, &number);
        break;
    case RECORD_SWITCH:
        read = find_name(row->name_at != NULL ? row->name_at : switch_name, text, &number);
        number = (double)(((unsigned)number % 2 == 1) != (row->inverted && row->name_at == NULL));
        break;
    case RECORD_CHOICE:
        read = find_name(row->name_at, text, &number);
        number += row->low;
        break;
    default:
        break;
    }
    if (read) {
        record_put(row, value, number);
    }
    return read;
}

/* ---- ranges --------------------------------------------------------------------------------- */

/* A bound as people write it: no exponent, and no digit that is not needed. */
static const char *bound_text(char text[RECORD_TEXT_MAX], double bound)
{
    char digits[TEXT_NUMBER_MAX];
    if (bound >= RECORD_SEED_MAX) {
        snprintf(text, RECORD_TEXT_MAX, "%" PRIu64, UINT64_MAX);
    } else if (bound == floor(bound)) {
        snprintf(text, RECORD_TEXT_MAX, "%.0f", bound);
    } else {
        snprintf(text, RECORD_TEXT_MAX, "%s", text_double_exact(digits, bound));
    }
    return text;
}

/* The ends of the range as floats may hold them; of a choice its first and last index. */
static void find_ends(const struct record_row *row, double *low, double *high)
{
    size_t names = 0;
    *low = row->low;
    *high = row->type == RECORD_SWITCH ? 1 : row->high;
    if (row->type == RECORD_NUMBER) {
        *low = fmin(row->low, (double)(float)row->low);
        *high = fmax(row->high, (double)(float)row->high);
    } else if (row->type == RECORD_CHOICE) {
        while (row->name_at(names) != NULL) {
            names++;
        }
        *high = row->low + (double)names - 1;
    }
}

bool record_is_in_range(const struct record_row *row, double number)
{
    double low = 0, high = 0;
    find_ends(row, &low, &high);
    const bool fits = row->type == RECORD_NUMBER && text_fits_float(number);
    const bool is_above = row->above_low ? number > low : number >= low;
    const bool is_below = row->below_high ? number < high : number <= high;
    return (is_above || (fits && row->low <= -RECORD_UNBOUNDED)) &&
           (is_below || (fits && row->high >= RECORD_UNBOUNDED));
}

static bool is_fraction(const struct record_row *row)
{
    return row->type == RECORD_NUMBER || row->type == RECORD_DOUBLE;
}

static const char *range_of_numbers(const struct record_row *row, struct arena *arena)
{
    char low[RECORD_TEXT_MAX], high[RECORD_TEXT_MAX];
    const char *const from = bound_text(low, row->low), *const to = bound_text(high, row->high);
    return row->high >= RECORD_UNBOUNDED
               ? arena_format(arena, row->above_low ? "above %s" : "%s or more", from)
           : row->above_low  ? arena_format(arena, "above %s and at most %s", from, to)
           : row->below_high ? arena_format(arena, "%s to below %s", from, to)
                             : arena_format(arena, "%s to %s", from, to);
}

static const char *range_of_names(const struct record_row *row, struct arena *arena)
{
    const char *range = "";
    for (size_t n = 0; range != NULL && row->name_at(n) != NULL; n++) {
        range = arena_format(arena, "%s%s%s", range, n == 0 ? "" : ", ", row->name_at(n));
    }
    return range;
}

const char *record_range(const struct record_row *row, struct arena *arena)
{
    const char *const range = row->type == RECORD_SEED ? tr("a whole number, 0 or more")
                              : row->type == RECORD_COUNT || is_fraction(row)
                                  ? range_of_numbers(row, arena)
                              : row->name_at != NULL       ? range_of_names(row, arena)
                              : row->type == RECORD_SWITCH ? tr("on or off")
                                                           : "";
    return range == NULL ? "" : range;
}

bool record_check_number(const struct record_row *row, double number, struct error *error)
{
    char text[RECORD_TEXT_MAX];
    struct arena arena = {0};
    const bool is_in_range = record_is_in_range(row, number);
    if (!is_in_range) {
        (void)error_set(error, ERROR_INPUT, "%s must be %s, not %s.", tr(row->what),
                        record_range(row, &arena), record_number_text(row, number, text));
    }
    arena_free(&arena);
    return is_in_range;
}

bool record_check(const struct record *record, const void *value, struct error *error)
{
    for (size_t r = 0; r < record->count; r++) {
        const struct record_row *const row = record_row(record, r);
        if (row->what != NULL && record_applies(record, row, value) &&
            !record_check_number(row, record_get(row, value), error)) {
            return false;
        }
    }
    return true;
}
