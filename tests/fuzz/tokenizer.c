/* A tokenizer.json, then a byte 0 and a text, where there is one. */
#include "model/tokenizer.h"
#include "../opened.h"

#include <string.h>

#include "folder.h"
#include "fuzz.h"

static void use(const struct tokenizer *tokenizer, struct bytes text)
{
    struct arena arena = {0};
    const struct tokenizer_input input = {.text = text, .pair = text, .has_pair = true};
    struct tokenizer_output output;
    struct bytes again;
    struct error error = {0};
    if (tokenizer_encode_as(tokenizer, &input, &arena, &output, &error)) {
        (void)tokenizer_decode(tokenizer, output.ids, output.count, &arena, &again, &error);
        for (size_t i = 0; i < output.count; i++) {
            (void)tokenizer_shown(tokenizer, output.ids[i], &arena);
        }
    }
    arena_free(&arena);
}

bool fuzz_reads(struct bytes file)
{
    enum { IDS = 4096 };
    static const char *const names[] = {"tokenizer.json"};
    static const char usual[] = "The naïve cat's  12 mats.\n猫 <|end|>";
    char path[FOLDER_PATH_MAX];
    struct error error = {0};
    const uint8_t *const cut = file.size > 0 ? memchr(file.at, 0, file.size) : NULL;
    const size_t first = cut != NULL ? (size_t)(cut - file.at) : file.size;
    const size_t rest = cut != NULL ? first + 1 : first;
    const struct bytes own = {file.at + rest, file.size - rest};
    folder_make(path);
    folder_put(path, names[0], (struct bytes){file.at, first});
    struct tokenizer *const tokenizer = open_tokenizer(path, IDS, &error);
    if (tokenizer != NULL) {
        use(tokenizer,
            own.size > 0 ? own : (struct bytes){(const uint8_t *)usual, sizeof usual - 1});
    }
    tokenizer_close(tokenizer);
    folder_drop(path, names, 1);
    return tokenizer != NULL;
}
