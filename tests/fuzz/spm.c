/* A model of SentencePiece. */
#include "../opened.h"
#include "model/tokenizer.h"

#include <string.h>

#include "folder.h"
#include "fuzz.h"

/* As a family's, in a folder of its own. */
static bool reads_as(const char *name, const char *config, struct bytes file)
{
    enum { IDS = 4096 };
    const char *const names[] = {name, "config.json"};
    static const char text[] = " The naïve  cat\nﬁ 猫 <mask> é";
    char path[FOLDER_PATH_MAX];
    struct arena arena = {0};
    const uint32_t *ids = NULL;
    size_t count = 0;
    struct error error = {0};
    folder_make(path);
    folder_put(path, names[0], file);
    folder_put(path, names[1], (struct bytes){(const uint8_t *)config, strlen(config)});
    struct tokenizer *const tokenizer = open_tokenizer(path, IDS, &error);
    if (tokenizer != NULL &&
        tokenizer_encode(tokenizer, text, sizeof text - 1, &arena, &ids, &count, &error)) {
        for (size_t i = 0; i < count; i++) {
            (void)tokenizer_shown(tokenizer, ids[i], &arena);
        }
    }
    arena_free(&arena);
    tokenizer_close(tokenizer);
    folder_drop(path, names, 2);
    return tokenizer != NULL;
}

bool fuzz_reads(struct bytes file)
{
    static const struct {
        const char *name, *config;
    } families[] = {
        {"sentencepiece.bpe.model", "{\"model_type\":\"xlm-roberta\"}"},
        {"sentencepiece.bpe.model", "{\"model_type\":\"camembert\"}"},
        {"sentencepiece.bpe.model", "{\"model_type\":\"mbart\"}"},
        {"spiece.model", "{\"model_type\":\"t5\"}"},
    };
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        (void)reads_as(families[f].name, families[f].config, file);
    }
    return reads_as("spiece.model", "{}", file);
}
