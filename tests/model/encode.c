/* encode FOLDER|GGUF VOCABULARY — reads a list of texts as JSON on standard input and prints the
 * ids of each with the folder's tokenizer, one line a text, or “!” and the sentence of its refusal.
 * An element that is a list of two texts is a pair; its types follow behind a bar. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "file/gguf.h"
#include "file/handle.h"
#include "file/json.h"
#include "model/tokenizer.h"

static struct bytes bytes_of(const struct json *value)
{
    const char *text = "";
    (void)json_text(value, &text);
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static void encode(const struct tokenizer *tokenizer, const struct json *text)
{
    struct arena arena = {0};
    struct tokenizer_input input = {.text = bytes_of(text)};
    struct tokenizer_output output;
    struct error error = {ERROR_NONE, 0, ""};
    if (json_kind_of(text) == JSON_KIND_ARRAY) {
        input = (struct tokenizer_input){bytes_of(json_element(text, 0)),
                                         bytes_of(json_element(text, 1)), true, false};
    }
    if (tokenizer_encode_as(tokenizer, &input, &arena, &output, &error)) {
        for (size_t i = 0; i < output.count; i++) {
            printf("%s%u", i == 0 ? "" : " ", output.ids[i]);
        }
        for (size_t i = 0; input.has_pair && i < output.count; i++) {
            printf("%s%u", i == 0 ? " | " : " ", output.types[i]);
        }
    } else {
        printf("!%s", error.text);
    }
    printf("\n");
    arena_free(&arena);
}

static struct tokenizer *open_any(struct file_handle *file, size_t vocabulary, struct error *error)
{
    if (file_handle_kind(file) != FILE_GGUF) {
        return tokenizer_open(file, vocabulary, error);
    }
    const struct gguf_files *const files = file_handle_gguf(file, error);
    return files == NULL
               ? NULL
               : tokenizer_open_gguf(&files->whole, file_handle_path(file), vocabulary, error);
}

int main(int argc, char **argv)
{
    struct arena arena = {0};
    struct bytes text;
    struct error error = {ERROR_NONE, 0, ""};
    if (argc != 3) {
        fprintf(stderr, "encode FOLDER VOCABULARY < TEXTS.json\n");
        return 2;
    }
    struct file_handle *const file = file_handle_open(argv[1]);
    struct tokenizer *const tokenizer =
        file == NULL ? NULL : open_any(file, (size_t)strtoul(argv[2], NULL, 10), &error);
    struct json *texts = NULL;
    if (tokenizer != NULL && file_read("-", TOKENIZER_TEXT_MAX, &arena, &text, &error)) {
        texts = json_parse(text, &error);
    }
    for (size_t i = 0; texts != NULL && i < json_count(texts); i++) {
        encode(tokenizer, json_element(texts, i));
    }
    if (texts == NULL) {
        fprintf(stderr, "%s\n", error.text);
    }
    const int status = texts == NULL;
    json_release(texts);
    tokenizer_close(tokenizer);
    file_handle_release(file);
    arena_free(&arena);
    return status;
}
