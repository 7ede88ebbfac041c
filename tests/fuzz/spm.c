/* A model of SentencePiece. */
#include "model/tokenizer.h"

#include "folder.h"
#include "fuzz.h"

bool fuzz_reads(struct bytes file)
{
    enum { IDS = 4096 };
    static const char *const names[] = {"spiece.model"};
    static const char text[] = " The naïve  cat\nﬁ 猫 é";
    char path[FOLDER_PATH_MAX];
    struct arena arena = {0};
    const uint32_t *ids = NULL;
    size_t count = 0;
    struct error error = {0};
    folder_make(path);
    folder_put(path, names[0], file);
    struct tokenizer *const tokenizer = tokenizer_open(path, IDS, &error);
    if (tokenizer != NULL &&
        tokenizer_encode(tokenizer, text, sizeof text - 1, &arena, &ids, &count, &error)) {
        for (size_t i = 0; i < count; i++) {
            (void)tokenizer_shown(tokenizer, ids[i], &arena);
        }
    }
    arena_free(&arena);
    tokenizer_close(tokenizer);
    folder_drop(path, names, 1);
    return tokenizer != NULL;
}
