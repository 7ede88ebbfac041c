#include "file/pasted.h"

#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    struct pasted matrix;
    struct error error = {0};
    const bool read = pasted_read(file, &arena, &matrix, &error);
    arena_free(&arena);
    return read;
}
