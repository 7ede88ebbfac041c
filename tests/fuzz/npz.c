#include "file/npz.h"

#include <string.h>

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
    struct npz_list list;
    if (npz_list(file, &arena, &list, &error) && list.count > 0) {
        struct array one;
        (void)npz_read_one(file, list.array[0].name, &arena, &one, &error);
    }
    const char *const *names = NULL, *const *texts = NULL;
    size_t lists = 0, words = 0, letters = 0;
    if (npz_name_texts(file, &arena, &names, &lists) && lists > 0 &&
        npz_read_texts(file, names[0], 999, &arena, &texts, &words, &error)) {
        for (size_t w = 0; w < words; w++) {
            letters += strlen(texts[w]);
        }
    }
    if (letters > file.size * 4) {
        __builtin_trap(); /* more letters than can stand there */
    }
    arena_free(&arena);
    return read;
}
