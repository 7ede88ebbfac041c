#include "file/gguf.h"

#include "fuzz.h"

enum { NUMBERS = 1024 };

static void look_at(const struct gguf_value *value, size_t depth)
{
    (void)gguf_value_name(value->type);
    for (size_t i = 0; value->type == GGUF_LIST && i < value->count && i < 64; i++) {
        const struct gguf_value item = gguf_item(value, i);
        if (depth < GGUF_DEPTH_MAX) {
            look_at(&item, depth + 1);
        }
    }
}

bool fuzz_reads(struct bytes file)
{
    static float numbers[NUMBERS];
    struct arena arena = {0};
    struct gguf gguf;
    struct error error = {0};
    const bool read = gguf_read(file, &arena, &gguf, &error);
    for (size_t i = 0; read && i < gguf.key_count; i++) {
        look_at(&gguf.keys[i], 0);
        (void)gguf_key(&gguf, gguf.keys[i].key);
    }
    for (size_t i = 0; read && i < gguf.count; i++) {
        const struct gguf_tensor *const tensor = &gguf.tensors[i];
        (void)gguf_find(&gguf, tensor->name);
        if (gguf_kind_readable(tensor->kind)) {
            const size_t some = tensor->count < NUMBERS ? tensor->count : NUMBERS;
            gguf_copy_floats(tensor, 0, some / tensor->kind->numbers * tensor->kind->numbers,
                             numbers);
        }
    }
    arena_free(&arena);
    return read;
}
