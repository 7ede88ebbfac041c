/* file/safetensors.c — see safetensors.h. */
#include "file/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/translate.h"
#include "file/json.h"
#include "file/kinds.h"

enum {
    PREFIX = 8,
    VALUES_PER_TENSOR = 16, /* members and elements: itself, dtype, shape of 8, data_offsets of 2 */
    NAME_SHOWN = 80,
};

#define EMPTY_SPREAD_MAX ((size_t)1 << 40) /* shape of no numbers, its zeros taken for ones */

struct entry {
    struct array tensor;
    const char *other; /* its type where that cannot be read, else NULL */
};

/* The state of reading one file. */
struct reading {
    struct bytes numbers; /* behind the header */
    struct arena *arena;
    struct entry *entries;
    size_t count;
    struct error *error;
};

static bool refuse_tensor(const struct reading *reading, const char *name, const char *rule)
{
    return error_set(reading->error, ERROR_INPUT, "%.*s: %s.", NAME_SHOWN, name, tr(rule));
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory to read its header.");
}

/* The type, or *other where there is none. */
static bool read_type(const struct reading *reading, const struct json *entry, struct array *tensor,
                      const char **other)
{
    static const struct {
        const char *name;
        enum array_type type;
    } types[] = {
        {"F64", ARRAY_FLOAT64},   {"F32", ARRAY_FLOAT32}, {"F16", ARRAY_FLOAT16},
        {"BF16", ARRAY_BFLOAT16}, {"I8", ARRAY_INT8},     {"I16", ARRAY_INT16},
        {"I32", ARRAY_INT32},     {"I64", ARRAY_INT64},   {"U8", ARRAY_UINT8},
        {"U16", ARRAY_UINT16},    {"U32", ARRAY_UINT32},  {"U64", ARRAY_UINT64},
        {"BOOL", ARRAY_BOOLEAN},
    };
    const char *text = NULL;
    if (!json_text(json_member(entry, "dtype"), &text)) {
        return refuse_tensor(reading, tensor->name, "its header entry says no dtype");
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, text) == 0) {
            tensor->type = types[i].type;
            return true;
        }
    }
    *other = arena_text(reading->arena, text, strlen(text));
    tensor->type = ARRAY_UINT8; /* its bytes are counted */
    return *other != NULL || no_memory(reading->error);
}

/* Finds how many bytes these numbers take in a type that cannot be read; false: it is not known. */
static bool bytes_of_other(const char *type, size_t numbers, size_t *bytes)
{
    static const struct {
        const char *begin;
        size_t bits;
    } types[] = {{"F8_", 8}, {"F6_", 6}, {"F4", 4}, {"C64", 64}};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        if (strncmp(type, types[t].begin, strlen(types[t].begin)) == 0) {
            *bytes = numbers / 8 * types[t].bits + numbers % 8 * types[t].bits / 8;
            return true;
        }
    }
    return false;
}

static bool read_size(const struct json *value, size_t *out)
{
    int64_t number = 0;
    if (!json_whole_number(value, &number) || number < 0 || (uint64_t)number > SIZE_MAX) {
        return false;
    }
    *out = (size_t)number;
    return true;
}

/* Shape, strides, and how many bytes the numbers take. */
static bool read_shape(const struct reading *reading, const struct json *entry,
                       struct array *tensor, size_t *bytes)
{
    const struct json *const shape = json_member(entry, "shape");
    if (json_kind_of(shape) != JSON_KIND_ARRAY) {
        return refuse_tensor(reading, tensor->name, "its header entry says no shape");
    }
    tensor->rank = json_count(shape);
    if (tensor->rank > ARRAY_RANK_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.*s: it has %zu axes, at most %d can be read.", NAME_SHOWN, tensor->name,
                         tensor->rank, ARRAY_RANK_MAX);
    }
    const size_t size = array_type_size(tensor->type);
    size_t spread = size;
    *bytes = size;
    for (size_t axis = tensor->rank; axis-- > 0;) {
        size_t length = 0;
        if (!read_size(json_element(shape, axis), &length)) {
            return refuse_tensor(reading, tensor->name,
                                 "a length in its shape is no whole number from 0 up");
        }
        tensor->shape[axis] = length;
        tensor->strides[axis] = (ptrdiff_t)spread;
        if (!checked_multiply(spread, length == 0 ? 1 : length, &spread) || spread > PTRDIFF_MAX) {
            return refuse_tensor(reading, tensor->name, "its shape is one that no memory can hold");
        }
        *bytes *= length;
    }
    if (*bytes == 0 && spread > EMPTY_SPREAD_MAX) {
        return refuse_tensor(reading, tensor->name, "its shape is too large for no numbers");
    }
    return true;
}

static bool read_place(const struct reading *reading, const struct json *entry,
                       struct array *tensor, const char *other, size_t bytes)
{
    const struct json *const offsets = json_member(entry, "data_offsets");
    size_t begin = 0, end = 0;
    if (json_kind_of(offsets) != JSON_KIND_ARRAY || json_count(offsets) != 2 ||
        !read_size(json_element(offsets, 0), &begin) ||
        !read_size(json_element(offsets, 1), &end)) {
        return refuse_tensor(reading, tensor->name,
                             "its data_offsets are not two whole numbers from 0 up");
    }
    if (begin > end || end > reading->numbers.size) {
        return error_set(reading->error, ERROR_INPUT,
                         "%.*s: its data_offsets are %zu to %zu, but the numbers end at %zu.",
                         NAME_SHOWN, tensor->name, begin, end, reading->numbers.size);
    }
    if (other != NULL && !bytes_of_other(other, bytes, &bytes)) {
        bytes = end - begin;
    }
    if (end - begin != bytes) {
        const char *const shape = array_shape_text(tensor, " × ", reading->arena);
        return error_set(reading->error, ERROR_INPUT,
                         "%.*s: its shape %.60s needs %zu bytes, its data_offsets give it %zu.",
                         NAME_SHOWN, tensor->name, shape == NULL ? "" : shape, bytes, end - begin);
    }
    tensor->bytes = (struct bytes){reading->numbers.at + begin, bytes};
    return true;
}

static bool read_tensor(struct reading *reading, const char *name, const struct json *entry)
{
    struct entry *const read = &reading->entries[reading->count++];
    struct array *const tensor = &read->tensor;
    const size_t length = strlen(name);
    size_t bytes = 0;
    *read = (struct entry){.tensor = {.name = name, .order = BYTE_ORDER_LITTLE}};
    if (length == 0 || length > SAFETENSORS_NAME_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "A tensor's name has %zu bytes; 1 to %d are allowed.", length,
                         SAFETENSORS_NAME_MAX);
    }
    tensor->name = arena_text(reading->arena, name, length);
    if (tensor->name == NULL) {
        return no_memory(reading->error);
    }
    if (json_kind_of(entry) != JSON_KIND_OBJECT) {
        return refuse_tensor(reading, name, "its header entry is no object");
    }
    return read_type(reading, entry, tensor, &read->other) &&
           read_shape(reading, entry, tensor, &bytes) &&
           read_place(reading, entry, tensor, read->other, bytes);
}

static bool read_notes(const struct json *metadata, struct arena *arena, struct safetensors *out,
                       struct error *error)
{
    const char **const notes = arena_array(arena, 2 * json_count(metadata) + 1, sizeof *notes);
    const char *name = NULL;
    void *place = NULL;
    if (json_kind_of(metadata) != JSON_KIND_OBJECT) {
        return error_set(error, ERROR_INPUT, "__metadata__: it is no object of texts.");
    }
    for (const struct json *note; (note = json_next_member(metadata, &place, &name)) != NULL;) {
        const char *text = NULL;
        if (!json_text(note, &text)) {
            return error_set(error, ERROR_INPUT, "__metadata__: %.*s is no text.", NAME_SHOWN,
                             name);
        }
        const char *const kept[2] = {arena_text(arena, name, strlen(name)),
                                     arena_text(arena, text, strlen(text))};
        if (notes == NULL || kept[0] == NULL || kept[1] == NULL) {
            return no_memory(error);
        }
        memcpy(notes + 2 * out->note_count++, kept, sizeof kept);
    }
    out->notes = notes;
    return true;
}

/* In the order of their places; those of no bytes before the one that begins where they stand. */
static int compare_places(const void *left, const void *right)
{
    const struct array *const a = &((const struct entry *)left)->tensor;
    const struct array *const b = &((const struct entry *)right)->tensor;
    return a->bytes.at != b->bytes.at       ? (a->bytes.at < b->bytes.at ? -1 : 1)
           : a->bytes.size != b->bytes.size ? (a->bytes.size < b->bytes.size ? -1 : 1)
                                            : strcmp(a->name, b->name); /* a refusal names both */
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct array *)left)->name, ((const struct array *)right)->name);
}

/* One behind the other from the first byte to the last: then nothing overlaps, and nothing hides.
 */
static bool check_places(const struct reading *reading)
{
    const uint8_t *at = reading->numbers.at;
    qsort(reading->entries, reading->count, sizeof *reading->entries, compare_places);
    for (size_t i = 0; i < reading->count; i++) {
        const struct array *const tensor = &reading->entries[i].tensor;
        if (tensor->bytes.at < at) {
            return error_set(reading->error, ERROR_INPUT,
                             "%.*s: its numbers overlap those of %.*s.", NAME_SHOWN, tensor->name,
                             NAME_SHOWN, reading->entries[i - 1].tensor.name);
        }
        if (tensor->bytes.at > at) {
            return error_set(reading->error, ERROR_INPUT,
                             "%.*s: before its numbers are %zu bytes that belong to no tensor.",
                             NAME_SHOWN, tensor->name, (size_t)(tensor->bytes.at - at));
        }
        at = tensor->bytes.at + tensor->bytes.size;
    }
    const size_t rest = (size_t)(reading->numbers.at + reading->numbers.size - at);
    return rest == 0 ||
           error_set(reading->error, ERROR_INPUT,
                     "Behind the last tensor are %zu bytes that belong to none.", rest);
}

/* Sets the caller's lists: tensors that can be read, by their names, and the others. */
static bool part_tensors(const struct reading *reading, struct safetensors *out)
{
    struct array *const tensors = arena_array(reading->arena, reading->count + 1, sizeof *tensors);
    struct array_unread *const unread =
        arena_array(reading->arena, reading->count + 1, sizeof *unread);
    if (tensors == NULL || unread == NULL) {
        return no_memory(reading->error);
    }
    for (size_t e = 0; e < reading->count; e++) {
        const struct entry *const entry = &reading->entries[e];
        if (entry->other == NULL) {
            tensors[out->count++] = entry->tensor;
            continue;
        }
        struct array_unread *const one = &unread[out->unread_count++];
        *one = (struct array_unread){.array = entry->tensor};
        strncat(one->type, entry->other, sizeof one->type - 1);
    }
    qsort(tensors, out->count, sizeof *tensors, compare_names);
    out->tensors = tensors;
    out->unread = unread;
    return true;
}

/* The header is an object: it begins with its brace. */
static bool read_entries(struct reading *reading, const struct json *header,
                         struct safetensors *out)
{
    const size_t entries = json_count(header);
    const char *name = NULL;
    void *place = NULL;
    if (entries > SAFETENSORS_TENSORS_MAX) {
        return error_set(reading->error, ERROR_INPUT, "It has %zu tensors, at most %d can be read.",
                         entries, SAFETENSORS_TENSORS_MAX);
    }
    reading->entries = arena_array(reading->arena, entries + 1, sizeof *reading->entries);
    if (reading->entries == NULL) {
        return no_memory(reading->error);
    }
    for (const struct json *entry; (entry = json_next_member(header, &place, &name)) != NULL;) {
        const bool fine = strcmp(name, "__metadata__") == 0
                              ? read_notes(entry, reading->arena, out, reading->error)
                              : read_tensor(reading, name, entry);
        if (!fine) {
            return false;
        }
    }
    return check_places(reading) && part_tensors(reading, out);
}

bool safetensors_probe(struct bytes file)
{
    return file.size > PREFIX && file.at[PREFIX] == '{' && file.at[PREFIX - 1] == 0 &&
           file.at[PREFIX - 2] == 0;
}

bool safetensors_read(struct bytes file, struct arena *arena, struct safetensors *out,
                      struct error *error)
{
    *out = (struct safetensors){.count = 0};
    uint64_t length = 0;
    for (size_t i = PREFIX; i-- > 0 && file.size >= PREFIX;) {
        length = (length << 8) | file.at[i];
    }
    if (file.size < PREFIX || (file.size > PREFIX && file.at[PREFIX] != '{')) {
        const bool points = file_kind_of(file) == FILE_POINTER;
        return error_set(error, ERROR_INPUT, "%s",
                         points ? tr(file_kind_refusal(FILE_POINTER, ""))
                                : tr("It is no safetensors file."));
    }
    if (length > SAFETENSORS_HEADER_MAX) {
        return error_set(error, ERROR_INPUT,
                         "Its header is said to have %llu bytes, at most %d are "
                         "allowed.",
                         (unsigned long long)length, SAFETENSORS_HEADER_MAX);
    }
    if (length > file.size - PREFIX) {
        return error_set(error, ERROR_INPUT,
                         "Its header is said to have %llu bytes, but the file ends after %zu.",
                         (unsigned long long)length, file.size);
    }
    const struct bytes text = {file.at + PREFIX, (size_t)length};
    const struct json_limits limits = {
        .bytes = SAFETENSORS_HEADER_MAX,
        .depth = SAFETENSORS_DEPTH_MAX,
        .values = (size_t)SAFETENSORS_TENSORS_MAX * VALUES_PER_TENSOR,
        .text = SAFETENSORS_NOTE_MAX,
    };
    struct error reason = {ERROR_NONE, 0, ""};
    struct json *const header = json_parse_within(text, &limits, &reason);
    if (header == NULL) {
        return error_set(error, reason.code, "Its header is damaged: %s", reason.text);
    }
    struct reading reading = {
        {text.at + text.size, file.size - PREFIX - text.size}, arena, NULL, 0, error};
    const bool fine = read_entries(&reading, header, out);
    json_release(header);
    return fine;
}

bool safetensors_open(const char *path, struct file_map *map, struct arena *arena,
                      struct safetensors *out, struct error *error)
{
    struct error reason = {ERROR_NONE, 0, ""};
    const char *const slash = strrchr(path, '/');
    if (!file_map_open(path, map, error)) {
        return false;
    }
    if (safetensors_read(map->bytes, arena, out, &reason)) {
        return true;
    }
    file_map_close(map);
    return error_set(error, reason.code, "%.60s: %s", slash == NULL ? path : slash + 1,
                     reason.text);
}

const struct array *safetensors_find(const struct safetensors *tensors, const char *name)
{
    const struct array wanted = {.name = name};
    return tensors->count == 0 ? NULL
                               : bsearch(&wanted, tensors->tensors, tensors->count,
                                         sizeof *tensors->tensors, compare_names);
}
