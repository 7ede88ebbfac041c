/* The vocabulary, then a byte 0, then the merges. */
#include "../opened.h"
#include "model/tokenizer.h"

#include <string.h>

#include "folder.h"
#include "fuzz.h"

static void use(const struct tokenizer *bpe, struct bytes text)
{
    struct arena arena = {0};
    const uint32_t *ids = NULL;
    size_t count = 0;
    struct bytes again;
    struct error error = {0};
    if (tokenizer_encode(bpe, (const char *)text.at, text.size, &arena, &ids, &count, &error)) {
        (void)tokenizer_decode(bpe, ids, count, &arena, &again, &error);
        for (size_t i = 0; i < count; i++) {
            (void)tokenizer_shown(bpe, ids[i], &arena);
        }
    }
    arena_free(&arena);
}

bool fuzz_reads(struct bytes file)
{
    static const char *const names[] = {"vocab.json", "merges.txt"};
    char path[FOLDER_PATH_MAX];
    struct error error = {0};
    const uint8_t *const cut = file.size > 0 ? memchr(file.at, 0, file.size) : NULL;
    const size_t first = cut != NULL ? (size_t)(cut - file.at) : file.size;
    const size_t rest = cut != NULL ? first + 1 : first;
    folder_make(path);
    folder_put(path, names[0], (struct bytes){file.at, first});
    folder_put(path, names[1], (struct bytes){file.at + rest, file.size - rest});
    struct tokenizer *const bpe = open_tokenizer(path, VOCABULARY_IDS_MAX, &error);
    if (bpe != NULL) {
        use(bpe, file);
    }
    tokenizer_close(bpe);
    folder_drop(path, names, 2);
    return bpe != NULL;
}
