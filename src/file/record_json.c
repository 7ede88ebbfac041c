/* file/record_json.c — see record_json.h. */
#include "file/record_json.h"

#include "base/text.h"

static const uint64_t whole_max = 9007199254740992; /* 2⁵³: beyond it JSON numbers lose digits */

static void put_list(struct json_writer *json, const struct record_list *list)
{
    json_begin_array(json, JSON_ONE_LINE);
    for (uint32_t n = 0; n < list->count; n++) {
        json_put_whole_number(json, list->number[n]);
    }
    json_end_array(json);
}

static bool read_list(const struct json *json, struct record_list *out)
{
    struct record_list list = {.count = 0};
    if (json_kind_of(json) != JSON_KIND_ARRAY) {
        return false;
    }
    for (size_t n = 0; n < json_count(json); n++) {
        int64_t number = 0;
        if (!json_whole_number(json_element(json, n), &number) || number < 0 ||
            !record_list_add(&list, (uint64_t)number)) {
            return false;
        }
    }
    *out = list;
    return true;
}

void record_json_put(struct json_writer *json, const struct record_row *row, const void *value)
{
    const double number = record_get(row, value);
    char text[RECORD_TEXT_MAX];
    uint64_t seed = 0;
    if (row->name_at != NULL) {
        json_put_text(json, record_text(row, value, text));
        return;
    }
    switch (row->type) {
    case RECORD_LIST:
        put_list(json, (const struct record_list *)(const void *)((const char *)value + row->at));
        break;
    case RECORD_SWITCH:
        json_put_truth(json, number != 0);
        break;
    case RECORD_COUNT:
        json_put_whole_number(json, (int64_t)number);
        break;
    case RECORD_NUMBER:
        json_put_float(json, (float)number);
        break;
    case RECORD_DOUBLE:
        json_put_double(json, number);
        break;
    case RECORD_SEED:
        if (text_to_u64(record_text(row, value, text), &seed) && seed < whole_max) {
            json_put_whole_number(json, (int64_t)seed);
            break;
        }
        json_put_text(json, text);
        break;
    default:
        break;
    }
}

bool record_json_read(const struct json *json, const struct record_row *row, void *value)
{
    int64_t whole = 0;
    double number = 0;
    bool on = false;
    const char *text = NULL;
    if ((row->name_at != NULL || row->type == RECORD_SEED) && json_text(json, &text)) {
        return record_read(row, text, value);
    }
    switch (row->type) {
    case RECORD_LIST:
        return read_list(json, (struct record_list *)(void *)((char *)value + row->at));
    case RECORD_SWITCH:
        if (!json_truth(json, &on)) {
            return false;
        }
        number = on ? 1 : 0;
        break;
    case RECORD_NUMBER:
    case RECORD_DOUBLE:
        if (!json_number(json, &number) ||
            (row->type == RECORD_NUMBER && !text_fits_float(number))) {
            return false;
        }
        break;
    case RECORD_SEED: /* as a number it has at most 63 bits */
        if (!json_whole_number(json, &whole) || whole < 0) {
            return false;
        }
        *(uint64_t *)(void *)((char *)value + row->at) = (uint64_t)whole;
        return true;
    case RECORD_COUNT:
        if (!json_whole_number(json, &whole) || whole < 0) {
            return false;
        }
        number = (double)whole;
        break;
    default:
        return false;
    }
    record_put(row, value, number);
    return true;
}
