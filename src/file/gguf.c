/* file/gguf.c — see gguf.h. One file; several of one model are put together in gguf_files.c. */
#include "file/gguf.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/translate.h"

enum { NAME_SHOWN = 60, MAGIC = 4, ALIGNMENT = 32 };

/* The state of reading one file. */
struct reading {
    struct bytes file;
    size_t at;
    struct arena *arena;
    struct error *error;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to read its header.");
}

static bool report_early_end(const struct reading *reading)
{
    return error_set(reading->error, ERROR_INPUT,
                     "Its header goes on where the file ends, after %zu bytes.",
                     reading->file.size);
}

/* ---- numbers and texts -------------------------------------------------------------------------
 */

static uint64_t bits_at(const uint8_t *at, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = size; i-- > 0;) {
        bits = bits << 8 | at[i];
    }
    return bits;
}

static bool read_bytes(struct reading *reading, size_t size, const uint8_t **at)
{
    if (size > reading->file.size - reading->at) {
        return report_early_end(reading);
    }
    *at = reading->file.at + reading->at;
    reading->at += size;
    return true;
}

static bool read_bits(struct reading *reading, size_t size, uint64_t *bits)
{
    const uint8_t *at = NULL;
    if (!read_bytes(reading, size, &at)) {
        return false;
    }
    *bits = bits_at(at, size);
    return true;
}

static bool read_text(struct reading *reading, size_t max_size, struct bytes *text)
{
    uint64_t length = 0;
    if (!read_bits(reading, 8, &length)) {
        return false;
    }
    if (length > max_size) {
        return error_set(reading->error, ERROR_INPUT,
                         "A text in its header is said to have %llu bytes, at most %zu are "
                         "allowed.",
                         (unsigned long long)length, max_size);
    }
    text->size = (size_t)length;
    return read_bytes(reading, text->size, &text->at);
}

/* A name: a text without a 0 in it, with one behind it. */
static bool read_name(struct reading *reading, size_t max_size, const char **name)
{
    struct bytes text = {0};
    if (!read_text(reading, max_size, &text)) {
        return false;
    }
    if (text.size == 0 || memchr(text.at, 0, text.size) != NULL) {
        return error_set(reading->error, ERROR_INPUT,
                         "A name in its header is empty or has a byte 0.");
    }
    *name = arena_text(reading->arena, (const char *)text.at, text.size);
    return *name != NULL || no_memory(reading->error);
}

/* ---- values ------------------------------------------------------------------------------------
 */

static const struct value_row {
    const char *name;
    size_t size; /* bytes; 0: its own length stands before it */
    enum { WHOLE, SIGNED, BROKEN, OTHER } form;
} value_rows[GGUF_VALUE_TYPES] = {
    [GGUF_UINT8] = {"uint8", 1, WHOLE},      [GGUF_INT8] = {"int8", 1, SIGNED},
    [GGUF_UINT16] = {"uint16", 2, WHOLE},    [GGUF_INT16] = {"int16", 2, SIGNED},
    [GGUF_UINT32] = {"uint32", 4, WHOLE},    [GGUF_INT32] = {"int32", 4, SIGNED},
    [GGUF_FLOAT32] = {"float32", 4, BROKEN}, [GGUF_TRUTH] = {"bool", 1, WHOLE},
    [GGUF_TEXT] = {"string", 0, OTHER},      [GGUF_LIST] = {"array", 0, OTHER},
    [GGUF_UINT64] = {"uint64", 8, WHOLE},    [GGUF_INT64] = {"int64", 8, SIGNED},
    [GGUF_FLOAT64] = {"float64", 8, BROKEN},
};

const char *gguf_value_name(enum gguf_value_type type)
{
    return value_rows[type].name;
}

static void set_number(struct gguf_value *value, const uint8_t *at)
{
    const struct value_row *const row = &value_rows[value->type];
    value->bits = bits_at(at, row->size);
    if (row->form == SIGNED) {
        const uint64_t sign = (uint64_t)1 << (8 * row->size - 1);
        value->bits = (value->bits ^ sign) - sign;
        value->number = value->bits >> 63 != 0 ? -(double)(~value->bits + 1) : (double)value->bits;
    } else if (row->form == BROKEN && row->size == 4) {
        const uint32_t bits = (uint32_t)value->bits;
        float number = 0;
        memcpy(&number, &bits, sizeof number);
        value->number = (double)number;
    } else if (row->form == BROKEN) {
        memcpy(&value->number, &value->bits, sizeof value->number);
    } else {
        value->number = (double)value->bits;
    }
}

static bool read_type(struct reading *reading, const char *key, enum gguf_value_type *type)
{
    uint64_t bits = 0;
    if (!read_bits(reading, 4, &bits)) {
        return false;
    }
    *type = (enum gguf_value_type)(bits < GGUF_VALUE_TYPES ? bits : GGUF_VALUE_TYPES);
    return bits < GGUF_VALUE_TYPES ||
           error_set(reading->error, ERROR_INPUT, "%.*s: its value is of the unknown kind %llu.",
                     NAME_SHOWN, key, (unsigned long long)bits);
}

static bool read_list(struct reading *reading, struct gguf_value *value, size_t depth);

/* Moves behind the items of a list; where each begins is kept for those of no fixed size. */
static bool read_items(struct reading *reading, struct gguf_value *list, size_t depth)
{
    const size_t size = value_rows[list->item_type].size;
    const uint8_t *at = NULL;
    if (size > 0) {
        return read_bytes(reading, list->count * size, &at);
    }
    /* each takes 8 bytes at least: no more memory than the file has bytes */
    if (list->count > (reading->file.size - reading->at) / 8) {
        return report_early_end(reading);
    }
    const size_t begin = reading->at;
    uint64_t *const starts =
        depth == 0 ? arena_array(reading->arena, list->count + 1, sizeof *starts) : NULL;
    if (depth == 0 && starts == NULL) {
        return no_memory(reading->error);
    }
    for (size_t i = 0; i < list->count; i++) {
        struct gguf_value item = {.key = list->key};
        if (depth == 0) {
            starts[i] = reading->at - begin;
        }
        if (list->item_type == GGUF_TEXT ? !read_text(reading, GGUF_TEXT_MAX, &item.text)
                                         : !read_list(reading, &item, depth + 1)) {
            return false;
        }
    }
    list->starts = starts;
    return true;
}

static bool read_list(struct reading *reading, struct gguf_value *value, size_t depth)
{
    uint64_t count = 0;
    if (depth == GGUF_DEPTH_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.*s: its lists stand in each other more than %d deep.", NAME_SHOWN,
                         value->key, GGUF_DEPTH_MAX);
    }
    if (!read_type(reading, value->key, &value->item_type) || !read_bits(reading, 8, &count)) {
        return false;
    }
    if (count > GGUF_ITEMS_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.*s: its list has %llu items, at most %d can be read.", NAME_SHOWN,
                         value->key, (unsigned long long)count, GGUF_ITEMS_MAX);
    }
    value->type = GGUF_LIST;
    value->count = (size_t)count;
    value->items.at = reading->file.at + reading->at;
    const size_t begin = reading->at;
    if (!read_items(reading, value, depth)) {
        return false;
    }
    value->items.size = reading->at - begin;
    return true;
}

static bool read_value(struct reading *reading, struct gguf_value *value)
{
    const uint8_t *at = NULL;
    if (!read_name(reading, GGUF_KEY_MAX, &value->key) ||
        !read_type(reading, value->key, &value->type)) {
        return false;
    }
    if (value->type == GGUF_TEXT) {
        return read_text(reading, GGUF_TEXT_MAX, &value->text);
    }
    if (value->type == GGUF_LIST) {
        return read_list(reading, value, 0);
    }
    if (!read_bytes(reading, value_rows[value->type].size, &at)) {
        return false;
    }
    set_number(value, at);
    return value->type != GGUF_TRUTH || value->bits <= 1 ||
           error_set(reading->error, ERROR_INPUT, "%.*s: its truth value is neither 0 nor 1.",
                     NAME_SHOWN, value->key);
}

struct gguf_value gguf_item(const struct gguf_value *list, size_t index)
{
    struct gguf_value item = {.key = list->key, .type = list->item_type};
    const size_t size = value_rows[list->item_type].size;
    if (size > 0) {
        set_number(&item, list->items.at + index * size);
        return item;
    }
    struct reading reading = {.file = list->items};
    if (list->starts != NULL) {
        reading.at = (size_t)list->starts[index];
    }
    for (size_t i = list->starts != NULL ? index : 0; i <= index; i++) {
        /* they were read before: nothing is wrong with them, and below the top nothing is kept */
        item = (struct gguf_value){.key = list->key, .type = list->item_type};
        (void)(item.type == GGUF_TEXT ? read_text(&reading, GGUF_TEXT_MAX, &item.text)
                                      : read_list(&reading, &item, 1));
    }
    return item;
}

/* ---- keys --------------------------------------------------------------------------------------
 */

static int compare_keys(const void *left, const void *right)
{
    return strcmp(((const struct gguf_value *)left)->key, ((const struct gguf_value *)right)->key);
}

/* Returns whether the key that comes next is the tokenizer's. */
static bool is_of_tokenizer(const struct reading *reading)
{
    static const char start[] = "tokenizer.";
    struct reading ahead = *reading;
    struct bytes name = {NULL, 0};
    struct error ignored;
    ahead.error = &ignored;
    return read_text(&ahead, GGUF_KEY_MAX, &name) && name.size >= sizeof start - 1 &&
           memcmp(name.at, start, sizeof start - 1) == 0;
}

/* first: those before the tokenizer's. */
static bool read_keys(struct reading *reading, size_t count, bool first, struct gguf *out)
{
    struct gguf_value *const keys = arena_array(reading->arena, count + 1, sizeof *keys);
    if (keys == NULL) {
        return no_memory(reading->error);
    }
    for (size_t i = 0; i < count; i++) {
        if (first && is_of_tokenizer(reading)) {
            count = i;
        } else if (!read_value(reading, &keys[i])) {
            return false;
        }
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(keys[i - 1].key, keys[i].key) == 0) {
            return error_set(reading->error, ERROR_INPUT, "%.*s: this key stands there twice.",
                             NAME_SHOWN, keys[i].key);
        }
    }
    out->keys = keys;
    out->key_count = count;
    return true;
}

const struct gguf_value *gguf_key(const struct gguf *gguf, const char *key)
{
    const struct gguf_value wanted = {.key = key};
    return gguf->key_count == 0
               ? NULL
               : bsearch(&wanted, gguf->keys, gguf->key_count, sizeof wanted, compare_keys);
}

static bool read_alignment(struct reading *reading, struct gguf *out)
{
    const struct gguf_value *const value = gguf_key(out, "general.alignment");
    out->alignment = ALIGNMENT;
    if (value == NULL) {
        return true;
    }
    const uint64_t bits = value->type == GGUF_UINT32 ? value->bits : 0;
    out->alignment = (size_t)bits;
    return (bits >= 8 && bits <= GGUF_ALIGNMENT_MAX && (bits & (bits - 1)) == 0) ||
           error_set(reading->error, ERROR_INPUT,
                     "general.alignment: it is no power of two from 8 to %d.", GGUF_ALIGNMENT_MAX);
}

/* ---- tensors -----------------------------------------------------------------------------------
 */

static bool read_shape(struct reading *reading, struct gguf_tensor *tensor)
{
    uint64_t rank = 0, side = 0;
    if (!read_bits(reading, 4, &rank)) {
        return false;
    }
    if (rank == 0 || rank > GGUF_RANK_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.*s: it has %llu axes, 1 to %d can be read.", NAME_SHOWN, tensor->name,
                         (unsigned long long)rank, GGUF_RANK_MAX);
    }
    tensor->rank = (size_t)rank;
    tensor->count = 1;
    for (size_t axis = tensor->rank; axis-- > 0;) {
        if (!read_bits(reading, 8, &side)) {
            return false;
        }
        if (side == 0 || side > PTRDIFF_MAX ||
            !checked_multiply(tensor->count, (size_t)side, &tensor->count) ||
            tensor->count > PTRDIFF_MAX / 8) {
            return error_set(reading->error, ERROR_INPUT,
                             "%.*s: its shape is one that no memory can hold.", NAME_SHOWN,
                             tensor->name);
        }
        tensor->shape[axis] = (size_t)side;
    }
    return true;
}

static bool read_kind(struct reading *reading, struct gguf_tensor *tensor)
{
    uint64_t kind = 0;
    if (!read_bits(reading, 4, &kind)) {
        return false;
    }
    tensor->kind = gguf_kind((uint32_t)kind);
    if (tensor->kind == NULL) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.*s: its numbers are of the unknown kind %llu.", NAME_SHOWN,
                         tensor->name, (unsigned long long)kind);
    }
    return tensor->shape[tensor->rank - 1] % tensor->kind->numbers == 0 ||
           error_set(reading->error, ERROR_INPUT,
                     "%.*s: its rows have %zu numbers, which is no multiple of the %d of a block "
                     "of %s.",
                     NAME_SHOWN, tensor->name, tensor->shape[tensor->rank - 1],
                     tensor->kind->numbers, tensor->kind->name);
}

/* Its place is counted from where the numbers begin, which is not known yet. */
static bool read_tensor(struct reading *reading, const struct gguf *gguf,
                        struct gguf_tensor *tensor, uint64_t *offset)
{
    if (!read_name(reading, GGUF_NAME_MAX, &tensor->name) || !read_shape(reading, tensor) ||
        !read_kind(reading, tensor) || !read_bits(reading, 8, offset)) {
        return false;
    }
    tensor->bytes.size = tensor->count / tensor->kind->numbers * tensor->kind->bytes;
    return *offset % gguf->alignment == 0 ||
           error_set(reading->error, ERROR_INPUT,
                     "%.*s: its numbers begin at %llu, which is no multiple of %zu.", NAME_SHOWN,
                     tensor->name, (unsigned long long)*offset, gguf->alignment);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct gguf_tensor *)left)->name,
                  ((const struct gguf_tensor *)right)->name);
}

static int compare_places(const void *left, const void *right)
{
    const struct bytes a = ((const struct gguf_tensor *)left)->bytes;
    const struct bytes b = ((const struct gguf_tensor *)right)->bytes;
    return a.at != b.at       ? (a.at < b.at ? -1 : 1)
           : a.size != b.size ? (a.size < b.size ? -1 : 1)
                              : compare_names(left, right); /* a refusal names both */
}

static bool check_tensors(const struct reading *reading, struct gguf_tensor *tensors, size_t count)
{
    qsort(tensors, count, sizeof *tensors, compare_places);
    for (size_t i = 1; i < count; i++) {
        if (tensors[i - 1].bytes.at + tensors[i - 1].bytes.size > tensors[i].bytes.at) {
            return error_set(reading->error, ERROR_INPUT,
                             "%.*s: its numbers overlap those of %.*s.", NAME_SHOWN,
                             tensors[i].name, NAME_SHOWN, tensors[i - 1].name);
        }
    }
    qsort(tensors, count, sizeof *tensors, compare_names);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(tensors[i - 1].name, tensors[i].name) == 0) {
            return error_set(reading->error, ERROR_INPUT, "%.*s: this tensor stands there twice.",
                             NAME_SHOWN, tensors[i].name);
        }
    }
    return true;
}

static bool place_tensors(const struct reading *reading, const struct gguf *gguf,
                          struct gguf_tensor *tensors, const uint64_t *offsets, size_t count)
{
    const size_t padding = (gguf->alignment - reading->at % gguf->alignment) % gguf->alignment;
    const size_t left = reading->file.size - reading->at;
    const size_t room = left > padding ? left - padding : 0;
    for (size_t i = 0; i < count; i++) {
        if (offsets[i] > room || tensors[i].bytes.size > room - offsets[i]) {
            return error_set(reading->error, ERROR_INPUT,
                             "%.*s: its %zu bytes begin at %llu, but the numbers end at %zu.",
                             NAME_SHOWN, tensors[i].name, tensors[i].bytes.size,
                             (unsigned long long)offsets[i], room);
        }
        tensors[i].bytes.at = reading->file.at + reading->at + padding + (size_t)offsets[i];
    }
    return true;
}

static bool read_tensors(struct reading *reading, size_t count, struct gguf *out)
{
    struct gguf_tensor *const tensors = arena_array(reading->arena, count + 1, sizeof *tensors);
    uint64_t *const offsets = arena_array(reading->arena, count + 1, sizeof *offsets);
    if (tensors == NULL || offsets == NULL) {
        return no_memory(reading->error);
    }
    for (size_t i = 0; i < count; i++) {
        if (!read_tensor(reading, out, &tensors[i], &offsets[i])) {
            return false;
        }
    }
    out->tensors = tensors;
    out->count = count;
    return place_tensors(reading, out, tensors, offsets, count) &&
           check_tensors(reading, tensors, count);
}

const struct gguf_tensor *gguf_find(const struct gguf *gguf, const char *name)
{
    const struct gguf_tensor wanted = {.name = name};
    return gguf->count == 0
               ? NULL
               : bsearch(&wanted, gguf->tensors, gguf->count, sizeof wanted, compare_names);
}

/* ---- a file ------------------------------------------------------------------------------------
 */

static bool begins_gguf(struct bytes file)
{
    return bytes_have(file, 0, "GGUF");
}

static bool read_version(struct reading *reading, struct gguf *out)
{
    uint64_t version = 0;
    if (!read_bits(reading, 4, &version)) {
        return false;
    }
    if (version != 0 && (version & 0xFFFFFF) == 0) {
        return error_set(reading->error, ERROR_INPUT,
                         "It was written for processors of the other byte order (big-endian).");
    }
    out->version = (uint32_t)version;
    return version == 2 || version == 3 ||
           error_set(reading->error, ERROR_INPUT,
                     "It is GGUF of version %llu; 2 and 3 can be read.",
                     (unsigned long long)version);
}

/* Both counts, and the keys, all of them or the first ones. */
static bool read_head(struct reading *reading, bool first, size_t *count, struct gguf *out)
{
    const struct bytes file = reading->file;
    struct error *const error = reading->error;
    uint64_t tensors = 0, keys = 0;
    *out = (struct gguf){.count = 0};
    if (!begins_gguf(file)) {
        return error_set(error, ERROR_INPUT, "It is no GGUF file.");
    }
    if (!read_version(reading, out) || !read_bits(reading, 8, &tensors) ||
        !read_bits(reading, 8, &keys)) {
        return false;
    }
    if (tensors > GGUF_TENSORS_MAX || keys > GGUF_KEYS_MAX) {
        return error_set(error, ERROR_INPUT,
                         "It is said to have %llu tensors and %llu keys, at most %d and %d can be "
                         "read.",
                         (unsigned long long)tensors, (unsigned long long)keys, GGUF_TENSORS_MAX,
                         GGUF_KEYS_MAX);
    }
    *count = (size_t)tensors;
    return read_keys(reading, (size_t)keys, first, out);
}

bool gguf_read(struct bytes file, struct arena *arena, struct gguf *out, struct error *error)
{
    struct reading reading = {file, MAGIC, arena, error};
    size_t tensors = 0;
    return read_head(&reading, false, &tensors, out) && read_alignment(&reading, out) &&
           read_tensors(&reading, tensors, out);
}

bool gguf_read_first_keys(struct bytes file, struct arena *arena, struct gguf *out,
                          struct error *error)
{
    struct reading reading = {file, MAGIC, arena, error};
    size_t tensors = 0;
    return read_head(&reading, true, &tensors, out);
}

void gguf_copy_floats(const struct gguf_tensor *tensor, size_t first, size_t count, float *out)
{
    gguf_unpack(tensor->kind,
                tensor->bytes.at + first / tensor->kind->numbers * tensor->kind->bytes, count, out);
}
