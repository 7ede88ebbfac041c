#include "file/safetensors.h"

#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    struct arena arena = {0};
    struct safetensors tensors;
    struct error error = {0};
    const bool read = safetensors_read(file, &arena, &tensors, &error);
    for (size_t i = 0; read && i < tensors.count; i++) {
        (void)array_floats(&tensors.tensors[i], &arena, &error);
        (void)safetensors_find(&tensors, tensors.tensors[i].name);
    }
    arena_free(&arena);
    return read;
}
