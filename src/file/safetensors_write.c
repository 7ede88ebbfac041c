/* file/safetensors_write.c — tensors as a safetensors file: float32, little-endian, one behind the
 * other in the order they are given. */
#include <string.h>

#include "file/json.h"
#include "file/safetensors.h"

enum { PREFIX = 8, ALIGNMENT = 8, PIECE = 1024 };

static bool write_header(const struct array *arrays, size_t count, const char *const *notes,
                         size_t note_count, struct arena *arena, struct bytes *out,
                         struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    size_t at = 0;
    json_begin_object_in_line(&json);
    if (note_count > 0) {
        json_key(&json, "__metadata__");
        json_begin_object_in_line(&json);
        for (size_t n = 0; n < note_count; n++) {
            json_key(&json, notes[2 * n]);
            json_put_text(&json, notes[2 * n + 1]);
        }
        json_end_object(&json);
    }
    for (size_t a = 0; a < count; a++) {
        const size_t end = at + array_count(&arrays[a]) * sizeof(float);
        json_key(&json, arrays[a].name);
        json_begin_object_in_line(&json);
        json_key(&json, "dtype");
        json_put_text(&json, "F32");
        json_key(&json, "shape");
        json_begin_array(&json, JSON_ONE_LINE);
        for (size_t axis = 0; axis < arrays[a].rank; axis++) {
            json_put_whole_number(&json, (int64_t)arrays[a].shape[axis]);
        }
        json_end_array(&json);
        json_key(&json, "data_offsets");
        json_begin_array(&json, JSON_ONE_LINE);
        json_put_whole_number(&json, (int64_t)at);
        json_put_whole_number(&json, (int64_t)end);
        json_end_array(&json);
        json_end_object(&json);
        at = end;
    }
    json_end_object(&json);
    return json_writer_finish(&json, out, error);
}

/* The bytes of a number, the lowest first, on every machine. */
static void put_number(uint8_t *out, uint64_t number, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        out[b] = (uint8_t)(number >> (8 * b) & 255);
    }
}

static void put_floats(uint8_t *out, const struct array *array)
{
    const size_t count = array_count(array);
    float piece[PIECE];
    for (size_t first = 0; first < count; first += PIECE) {
        const size_t some = count - first < PIECE ? count - first : PIECE;
        array_copy_floats(array, first, some, piece);
        for (size_t i = 0; i < some; i++, out += sizeof(float)) {
            uint32_t bits;
            memcpy(&bits, &piece[i], sizeof bits);
            put_number(out, bits, sizeof bits);
        }
    }
}

bool safetensors_write(const struct array *arrays, size_t count, const char *const *notes,
                       size_t note_count, struct arena *arena, struct bytes *out,
                       struct error *error)
{
    struct bytes header;
    if (!write_header(arrays, count, notes, note_count, arena, &header, error)) {
        return false;
    }
    const size_t filled = (header.size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t size = PREFIX + filled;
    for (size_t a = 0; a < count; a++) {
        size += array_count(&arrays[a]) * sizeof(float);
    }
    uint8_t *const file = arena_alloc(arena, size);
    if (file == NULL) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory for what is to be written.");
    }
    put_number(file, filled, PREFIX);
    memcpy(file + PREFIX, header.at, header.size);
    memset(file + PREFIX + header.size, ' ', filled - header.size);
    size_t at = PREFIX + filled;
    for (size_t a = 0; a < count; a++) {
        put_floats(file + at, &arrays[a]);
        at += array_count(&arrays[a]) * sizeof(float);
    }
    *out = (struct bytes){file, size};
    return true;
}
