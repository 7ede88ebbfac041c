/* Arrays of JSON: what is read has the numbers that its shape says. */
#include "file/json_arrays.h"

#include <string.h>

#include "base/arena.h"
#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    struct json_arrays arrays;
    struct error error = {0};
    const bool read = json_arrays_read(file, &arena, &arrays, &error);
    size_t numbers = 0, letters = 0;
    for (size_t a = 0; read && a < arrays.count; a++) {
        const float *const values = array_floats(&arrays.array[a], &arena, &error);
        numbers += values == NULL ? 0 : array_count(&arrays.array[a]);
    }
    for (size_t n = 1; read && n < 2 * arrays.notes; n += 2) {
        letters += strlen(arrays.note[n]);
    }
    if (numbers > file.size || letters > file.size || (!read && error.text[0] == '\0')) {
        __builtin_trap(); /* more than can stand there */
    }
    (void)json_arrays_probe(file);
    arena_free(&arena);
    return read;
}
