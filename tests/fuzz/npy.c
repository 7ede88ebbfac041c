#include "file/npy.h"

#include "base/arena.h"
#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    struct array array;
    struct bytes again;
    struct error error = {0};
    const char *const *texts = NULL;
    size_t count = 0;
    const bool read = npy_read(file, &array, &error);
    if (read && array_floats(&array, &arena, &error) != NULL) {
        (void)npy_write(&array, &arena, &again, &error);
    }
    (void)npy_read_texts(file, &arena, &texts, &count, &error);
    (void)npy_read_header(file, file.size + 1000, &array, &error);
    arena_free(&arena);
    return read;
}
