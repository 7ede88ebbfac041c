#include "file/npz.h"

#include "base/arena.h"
#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    const struct array *arrays = NULL;
    size_t count = 0;
    struct error error = {0};
    const bool read = npz_read(file, &arena, &arrays, &count, &error);
    for (size_t i = 0; read && i < count; i++) {
        (void)array_floats(&arrays[i], &arena, &error);
    }
    (void)npz_list(file, &arena, &arrays, &count, &error);
    arena_free(&arena);
    return read;
}
