/* Arrays of Python objects: texts or nothing. */
#include "base/arena.h"
#include "file/npy.h"
#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    struct error error = {0};
    const char *const *texts = NULL;
    size_t count = 0;
    const bool read = npy_read_texts(file, &arena, &texts, &count, &error);
    for (size_t t = 0; read && t < count; t++) {
        if (texts[t] == NULL) {
            __builtin_trap();
        }
    }
    arena_free(&arena);
    return read;
}
