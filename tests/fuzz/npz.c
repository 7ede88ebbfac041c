#include "file/npz.h"

#include <string.h>

#include "base/arena.h"
#include "file/limits.h"
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
    struct npz_list list;
    if (npz_list(file, &arena, &list, &error) && list.count > 0) {
        struct array one;
        (void)npz_read_one(file, list.array[0].name, &arena, &one, &error);
    }
    const char *const *texts = NULL;
    size_t words = 0;
    for (size_t t = 0; t < list.text_count; t++) {
        if (!npz_read_texts(file, list.texts[t].name, &arena, &texts, &words, &error)) {
            continue; /* it is damaged further on */
        }
        for (size_t w = 0; w < words; w++) { /* of objects each may be there many times */
            if (strlen(texts[w]) > file.size * 4 * NPZ_RATIO_MAX) {
                __builtin_trap(); /* more letters than can stand there */
            }
        }
    }
    arena_free(&arena);
    return read;
}
