#include "limits_model.h"
#include "../opened.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "model/tokenizer.h"

enum { BYTES = 256, ENTRY_MAX = 40, SAID_MAX = 400 };

/* A text that is put together, and the files of a folder. */
struct text {
    char *at;
    size_t size, room;
};

struct file {
    const char *name;
    const struct text *content;
};

static struct text text_of(size_t room)
{
    const struct text text = {malloc(room + 1), 0, room};
    assert_non_null(text.at);
    return text;
}

static void append_format(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(text->at + text->size, text->room + 1 - text->size, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length <= text->room - text->size);
    text->size += (size_t)length;
}

static void put_letters(struct text *text, size_t count, char letter)
{
    assert_true(count <= text->room - text->size);
    memset(text->at + text->size, letter, count);
    text->size += count;
    text->at[text->size] = '\0';
}

/* {"letter": id, … of every byte, with ids from 0: no vocabulary is without them. */
static void put_bytes(struct text *text)
{
    unsigned other = BYTES;
    for (unsigned byte = 0; byte < BYTES; byte++) {
        const bool itself = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
        const unsigned letter = itself ? byte : other++;
        append_format(text, "%s\"", byte == 0 ? "{" : ",");
        if (letter < 128) {
            append_format(text, "%s%c", letter == '"' || letter == '\\' ? "\\" : "", (char)letter);
        } else {
            append_format(text, "%c%c", (char)(uint8_t)(0xC0 | letter >> 6),
                          (char)(uint8_t)(0x80 | (letter & 63)));
        }
        append_format(text, "\":%u", byte);
    }
}

/* Opens a folder with these two files; `said` is the sentence of tokenizer_open, empty where it is
 * taken. */
static void open_folder(const struct file files[2], char said[SAID_MAX])
{
    char folder[] = "limits-XXXXXX", path[2][64];
    struct error error = {ERROR_NONE, 0, ""};
    assert_non_null(mkdtemp(folder));
    for (size_t f = 0; f < 2; f++) {
        const struct text *const text = files[f].content;
        const struct bytes content = {(const uint8_t *)text->at, text->size};
        snprintf(path[f], sizeof path[f], "%s/%s", folder, files[f].name);
        assert_true(file_write(path[f], content, NULL));
    }
    tokenizer_close(open_tokenizer(folder, VOCABULARY_IDS_MAX, &error));
    snprintf(said, SAID_MAX, "%s", error.text);
    remove(path[0]);
    remove(path[1]);
    remove(folder);
}

/* Says whether a folder of vocabulary and merges is taken; where it is not, then by this rule.
 * `other`: another fault in it, which is found later. Frees the text. */
static bool is_taken(const char *name, struct text vocabulary, const char *merges, const char *rule,
                     const char *other)
{
    char said[SAID_MAX];
    struct text lines = text_of(strlen(merges));
    append_format(&lines, "%s", merges);
    open_folder((const struct file[2]){{name, &vocabulary}, {"merges.txt", &lines}}, said);
    free(vocabulary.at);
    free(lines.at);
    const bool refused = strstr(said, rule) != NULL;
    if (!refused && (other == NULL ? said[0] != '\0' : strstr(said, other) == NULL)) {
        fail_msg("not “%s”: %s", rule, said);
    }
    return !refused;
}

bool takes_vocabulary_entries(size_t count)
{
    struct text text = text_of(count * ENTRY_MAX);
    put_bytes(&text);
    for (size_t e = BYTES; e < count; e++) {
        append_format(&text, ",\"t%zu\":%zu", e, e);
    }
    append_format(&text, "}");
    return is_taken("vocab.json", text, "", "tokens, at most 1000000 can be read", NULL);
}

bool takes_merges(size_t count)
{
    struct text text = text_of(BYTES * ENTRY_MAX), lines = text_of(4 * count);
    put_bytes(&text);
    append_format(&text, "}");
    for (size_t m = 0; m < count; m++) {
        append_format(&lines, "a b\n");
    }
    const bool taken = is_taken("vocab.json", text, lines.at, "merges, at most 1000000 can be read",
                                "merge 1 speaks");
    free(lines.at);
    return taken;
}

bool takes_token_bytes(size_t count)
{
    struct text text = text_of(BYTES * ENTRY_MAX + count + ENTRY_MAX);
    put_bytes(&text);
    append_format(&text, ",\"");
    put_letters(&text, count, 'a');
    append_format(&text, "\":%d}", BYTES);
    return is_taken("vocab.json", text, "", "bytes; 1 to 1024 are allowed", NULL);
}

bool takes_token_id(size_t count)
{
    struct text text = text_of(BYTES * ENTRY_MAX + ENTRY_MAX);
    put_bytes(&text);
    append_format(&text, ",\"aa\":%zu}", count - 1);
    return is_taken("vocab.json", text, "", "but the model has 2000000 tokens", NULL);
}

bool takes_merge_line(size_t bytes)
{
    struct text text = text_of(BYTES * ENTRY_MAX), line = text_of(bytes);
    put_bytes(&text);
    append_format(&text, "}");
    append_format(&line, "a ");
    put_letters(&line, bytes - 2, 'b');
    const bool taken = is_taken("vocab.json", text, line.at, "line 1 is longer than 4096 bytes",
                                "merge 1 is no pair of tokens");
    free(line.at);
    return taken;
}

bool takes_added_tokens(size_t count)
{
    struct text text = text_of((BYTES + count) * 2 * ENTRY_MAX);
    append_format(&text, "{\"model\":{\"vocab\":");
    put_bytes(&text);
    append_format(&text, "},\"merges\":[]},\"added_tokens\":[");
    for (size_t t = 0; t < count; t++) {
        append_format(&text, "%s{\"content\":\"<%zu>\",\"id\":%zu}", t == 0 ? "" : ",", t,
                      BYTES + t);
    }
    append_format(&text, "]}");
    return is_taken("tokenizer.json", text, "", "more than 16384 added tokens", NULL);
}
