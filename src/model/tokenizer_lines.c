/* model/tokenizer_lines.c — BERT's vocab.txt: a token a line, the first is 0. What else BERT's
 * tokenizer does stands in no file but for whether capital letters count (tokenizer_config.json).
 */
#include <string.h>

#include "base/text.h"
#include "file/folder.h"
#include "model/tokenizer_internal.h"

void tokenizer_set_bert(struct tokenizer *tokenizer, bool lower, int64_t unknown, int64_t first,
                        int64_t between)
{
    enum { LETTERS = 100 };
    tokenizer->model = MODEL_WORDPIECE;
    tokenizer->prefix = "##";
    tokenizer->word_letters_max = LETTERS;
    tokenizer->joined = (struct bytes){(const uint8_t *)"##", 2};
    tokenizer->words_apart = true;
    tokenizer->unknown = unknown < 0 ? TOKENIZER_TEXT : (uint32_t)unknown;
    tokenizer->norms[tokenizer->norm_count++] =
        (struct tokenizer_norm){.apply = tokenizer_norm_bert,
                                .clean = true,
                                .chinese = true,
                                .lower = lower,
                                .accents = lower};
    tokenizer->splits[tokenizer->split_count++] =
        (struct tokenizer_split){.apply = tokenizer_split_bert};
    tokenizer_put_ends(tokenizer, first, between);
}

static bool is_lower(struct file_handle *folder)
{
    static const char name[] = "tokenizer_config.json";
    bool lower = true;
    if (folder_has(file_handle_path(folder), name)) {
        (void)json_truth(json_member(file_handle_settings(folder, name, NULL), "do_lower_case"),
                         &lower);
    }
    return lower;
}

static bool read_lines(struct tokenizer *tokenizer, struct bytes text, const char *file,
                       struct error *error)
{
    size_t id = 0;
    for (size_t at = lines_start(text); at < text.size; id++) {
        const uint8_t *const begin = text.at + at;
        const uint8_t *const end = memchr(begin, '\n', text.size - at);
        size_t length = end == NULL ? text.size - at : (size_t)(end - begin);
        at += length + 1;
        length -= length > 0 && begin[length - 1] == '\r';
        if (id >= tokenizer->limit) {
            return error_set(error, ERROR_INPUT,
                             "%s: it has more lines than the model has tokens, which are %zu.",
                             file, tokenizer->limit);
        }
        if (!tokenizer_put_token(tokenizer, file, (const char *)begin, length, id, error)) {
            return false;
        }
    }
    return vocabulary_finish(&tokenizer->vocabulary, &tokenizer->arena) ||
           tokenizer_no_memory(error);
}

bool tokenizer_read_lines(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                          const char *unused, struct error *error)
{
    static const char *const names[] = {"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"};
    int64_t ids[] = {-1, -1, -1, -1, -1};
    struct arena arena = {0};
    struct bytes text;
    (void)unused;
    bool fine =
        folder_read(file_handle_path(folder), file, TOKENIZER_TEXT_MAX, &arena, &text, error) &&
        read_lines(tokenizer, text, file, error);
    arena_free(&arena);
    for (size_t i = 0; fine && i < sizeof names / sizeof *names; i++) {
        struct tokenizer_added added = {.text = {(const uint8_t *)names[i], strlen(names[i])},
                                        .special = true};
        if (vocabulary_find(&tokenizer->vocabulary, names[i], strlen(names[i]), &added.id)) {
            ids[i] = added.id;
            fine = tokenizer_add(tokenizer, &added, error);
        }
    }
    tokenizer_set_bert(tokenizer, is_lower(folder), ids[0], ids[1], ids[2]);
    return fine;
}
