#include "file/vectors.h"

#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    static const char *const words[] = {"the", "cat", "é", "the"};
    struct arena arena = {0};
    struct vectors vectors;
    struct error error = {0};
    const bool read =
        vectors_read(file, words, sizeof words / sizeof *words, &arena, &vectors, &error);
    arena_free(&arena);
    return read;
}
