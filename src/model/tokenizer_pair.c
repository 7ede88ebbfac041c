/* model/tokenizer_pair.c — vocab.json with merges.txt. The two hold neither how a text is cut nor
 * which tokens stand around it: that is looked up by tokenizer_class of tokenizer_config.json, or
 * else by model_type of config.json. Without both it is GPT-2's, whose two files these are. */
#include <stdlib.h>
#include <string.h>

#include "base/unicode.h"
#include "model/folder.h"
#include "model/tokenizer_internal.h"

enum { BEGIN, END, UNKNOWN, SEPARATOR, PADDING, CLASS, MASK, ROLES };

/* In tokenizer_config.json and special_tokens_map.json. */
static const char *const role_keys[ROLES] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                             "pad_token", "cls_token", "mask_token"};

#define END_OF_TEXT "<|endoftext|>"

static const struct pair_row {
    const char *names;        /* between spaces; of a class without "Tokenizer" and "Fast" */
    const char *pre;          /* NULL: GPT-2's split, before which a space may be put */
    bool nfc;                 /* texts are put into this normal form */
    bool first;               /* texts begin with a token, if add_bos_token does not say */
    bool classed;             /* they always stand between those of CLASS and SEPARATOR */
    const char *roles[ROLES]; /* if no file names one */
} rows[] = {
    {" GPT2 CodeGen gpt2 gpt_neo gptj codegen phi ",
     NULL,
     false,
     false,
     false,
     {[BEGIN] = END_OF_TEXT, [END] = END_OF_TEXT, [UNKNOWN] = END_OF_TEXT}},
    {" GPTNeoX gpt_neox ",
     NULL,
     true,
     false,
     false,
     {[BEGIN] = END_OF_TEXT,
      [END] = END_OF_TEXT,
      [UNKNOWN] = END_OF_TEXT,
      [PADDING] = "<|padding|>"}},
    {" opt ",
     NULL,
     false,
     true,
     false,
     {[BEGIN] = "</s>", [END] = "</s>", [UNKNOWN] = "</s>", [PADDING] = "<pad>"}},
    {" Qwen2 Qwen3 qwen2 qwen2_moe qwen3 qwen3_moe ",
     "qwen2",
     true,
     false,
     false,
     {[END] = END_OF_TEXT, [UNKNOWN] = END_OF_TEXT, [PADDING] = END_OF_TEXT}},
    {" Roberta Bart roberta bart ",
     NULL,
     false,
     true,
     true,
     {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"}},
};

/* What one folder is read with. */
struct reading {
    struct tokenizer *tokenizer;
    const struct pair_row *row;
    struct json *config; /* tokenizer_config.json; NULL: there is none */
    struct json *tokens; /* special_tokens_map.json: tokens that the former does not name */
    struct error *error;
};

static const char config_name[] = "tokenizer_config.json";

/* ---- which it is --------------------------------------------------------------------------- */

/* GPT2TokenizerFast is a GPT2. */
static size_t length_of_name(const char *name)
{
    static const char *const endings[] = {"Fast", "Tokenizer"};
    size_t length = strlen(name);
    for (size_t e = 0; e < 2; e++) {
        const size_t ending = strlen(endings[e]);
        length -=
            length > ending && memcmp(name + length - ending, endings[e], ending) == 0 ? ending : 0;
    }
    return length;
}

static const struct pair_row *row_of(const char *name)
{
    const size_t length = length_of_name(name);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        for (const char *at = rows[row].names; (at = strchr(at, ' ')) != NULL; at++) {
            if (strncmp(at + 1, name, length) == 0 && at[1 + length] == ' ') {
                return &rows[row];
            }
        }
    }
    return NULL;
}

static struct json *read_if_there(const char *folder, const char *name, bool *fine,
                                  struct error *error)
{
    struct json *const tree =
        folder_has(folder, name) ? folder_json_loose(folder, name, error) : NULL;
    *fine = tree != NULL || !folder_has(folder, name);
    return tree;
}

static bool find_row(struct reading *reading, const char *folder, const char *vocab,
                     const char *merges)
{
    const char *name = "";
    bool fine = true;
    struct json *const model = read_if_there(folder, "config.json", &fine, reading->error);
    if (fine && !json_text(json_member(reading->config, "tokenizer_class"), &name)) {
        (void)json_text(json_member(model, "model_type"), &name);
    }
    reading->row = name[0] == '\0' ? &rows[0] : row_of(name);
    if (fine && reading->row == NULL) {
        fine = error_set(reading->error, ERROR_INPUT,
                         "The tokenizer %.40s cannot be read from %s and %s here; tokenizer.json "
                         "would do.",
                         name, vocab, merges);
    }
    json_release(model);
    return fine;
}

/* ---- added tokens -------------------------------------------------------------------------- */

static bool is_added(const struct tokenizer *tokenizer, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        const struct bytes added = tokenizer->added[i].text;
        if (added.size == length && memcmp(added.at, text, length) == 0) {
            return true;
        }
    }
    return false;
}

/* {"151643": {"content": …}, …} of tokenizer_config.json, or {"<|im_end|>": 151645, …}. */
static bool take_listed(struct reading *reading, const struct json *list, const char *file)
{
    const char *key = NULL;
    void *place = NULL;
    for (const struct json *entry; (entry = json_next_member(list, &place, &key)) != NULL;) {
        const char *text = key;
        char *end = NULL;
        int64_t id = -1;
        if (json_text(json_member(entry, "content"), &text)) {
            const long long number = strtoll(key, &end, 10);
            id = *end == '\0' && end != key ? number : -1;
        } else if (!json_whole_number(entry, &id)) {
            id = -1;
        }
        if (text[0] != '\0' && !is_added(reading->tokenizer, text) &&
            !tokenizer_take_added(reading->tokenizer, entry, text, id, file, reading->error)) {
            return false;
        }
    }
    return true;
}

/* "<s>", or {"content": "<s>", …}; "": none. */
static const char *token_of(const struct reading *reading, size_t role)
{
    const struct json *const own = json_member(reading->config, role_keys[role]);
    const struct json *const entry =
        own != NULL ? own : json_member(reading->tokens, role_keys[role]);
    const char *const otherwise = reading->row->roles[role];
    const bool none = otherwise == NULL || json_kind_of(entry) == JSON_KIND_NULL;
    const char *text = none ? "" : otherwise;
    (void)(json_text(entry, &text) || json_text(json_member(entry, "content"), &text));
    return text;
}

/* A token of the vocabulary that is never cut; others are left out. */
static bool take_special(struct reading *reading, const char *text)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    struct tokenizer_added added = {.text = {(const uint8_t *)text, strlen(text)},
                                    .left = strcmp(text, "<mask>") == 0,
                                    .special = true};
    return text[0] == '\0' || is_added(tokenizer, text) ||
           !vocabulary_find(&tokenizer->vocabulary, text, added.text.size, &added.id) ||
           tokenizer_add(tokenizer, &added, reading->error);
}

static bool take_added(struct reading *reading, const char *folder)
{
    static const char list_name[] = "added_tokens.json";
    const struct json *const listed = json_member(reading->config, "added_tokens_decoder");
    bool fine = true;
    struct json *const list =
        listed == NULL ? read_if_there(folder, list_name, &fine, reading->error) : NULL;
    fine =
        fine && take_listed(reading, listed, config_name) && take_listed(reading, list, list_name);
    json_release(list);
    for (size_t role = 0; fine && role < ROLES; role++) {
        fine = take_special(reading, token_of(reading, role));
    }
    return fine;
}

/* ---- what stands around a text ------------------------------------------------------------- */

static void put(struct tokenizer_template *out, enum template_kind kind, uint32_t id, uint8_t type)
{
    out->at[out->count].kind = kind;
    out->at[out->count].id = id;
    out->at[out->count++].type = type;
}

static bool put_ends(struct reading *reading)
{
    static const char *const switches[2] = {"add_bos_token", "add_eos_token"};
    const struct pair_row *const row = reading->row;
    struct tokenizer *const tokenizer = reading->tokenizer;
    const size_t roles[2] = {row->classed ? CLASS : BEGIN, row->classed ? SEPARATOR : END};
    bool wanted[2] = {row->first, row->classed};
    uint32_t ids[2] = {0, 0};
    for (size_t e = 0; e < 2; e++) {
        const char *const text = token_of(reading, roles[e]);
        if (!row->classed) {
            (void)json_truth(json_member(reading->config, switches[e]), &wanted[e]);
        }
        if (wanted[e] && !tokenizer_find(tokenizer, text, &ids[e])) {
            return error_set(reading->error, ERROR_INPUT,
                             "Texts begin or end with “%.40s”, which is not in the vocabulary.",
                             text);
        }
    }
    /* what RoBERTa ends a text with stands twice between two, others begin the second as the first
     */
    const uint8_t second = row->classed ? 0 : 1;
    const size_t between = row->classed ? 1 : 0;
    struct tokenizer_template single = {.count = 0};
    if (wanted[0]) {
        put(&single, TEMPLATE_TOKEN, ids[0], 0);
    }
    put(&single, TEMPLATE_FIRST, 0, 0);
    if (wanted[1]) {
        put(&single, TEMPLATE_TOKEN, ids[1], 0);
    }
    struct tokenizer_template pair = single;
    if (wanted[between]) {
        put(&pair, TEMPLATE_TOKEN, ids[between], second);
    }
    put(&pair, TEMPLATE_SECOND, 0, second);
    if (wanted[1]) {
        put(&pair, TEMPLATE_TOKEN, ids[1], second);
    }
    tokenizer->single = single;
    tokenizer->pair = pair;
    return true;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static bool put_split(struct reading *reading)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    const struct pair_row *const row = reading->row;
    if (row->nfc) {
        tokenizer->norms[tokenizer->norm_count++] =
            (struct tokenizer_norm){.apply = tokenizer_norm_form, .form = UNICODE_NFC};
    }
    if (row->pre == NULL) {
        tokenizer->splits[tokenizer->split_count++] =
            (struct tokenizer_split){.apply = tokenizer_split_bytes, .use_pattern = true};
    } else if (!tokenizer_read_pre(tokenizer, row->pre, config_name, reading->error)) {
        return false;
    }
    (void)json_truth(json_member(reading->config, "add_prefix_space"),
                     &tokenizer->splits[tokenizer->split_count - 1].prefix);
    return true;
}

static bool read_files(struct reading *reading, const char *folder, const char *vocab,
                       const char *merges)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    struct error *const error = reading->error;
    struct arena arena = {0};
    struct bytes text;
    struct json *const tree = folder_json(folder, vocab, error);
    tokenizer->model = MODEL_BPE;
    tokenizer->letters_are_bytes = true;
    const bool fine = tree != NULL && tokenizer_read_vocabulary(tokenizer, tree, vocab, error) &&
                      bpe_letters(&tokenizer->bpe) &&
                      tokenizer_every_byte(tokenizer, vocab, error) &&
                      folder_read(folder, merges, TOKENIZER_TEXT_MAX, &arena, &text, error) &&
                      tokenizer_read_merge_lines(tokenizer, text, merges, error) &&
                      bpe_finish(&tokenizer->bpe, merges, &tokenizer->arena, error);
    arena_free(&arena);
    json_release(tree);
    return fine;
}

bool tokenizer_read_pair(struct tokenizer *tokenizer, const char *folder, const char *vocab,
                         const char *merges, struct error *error)
{
    struct reading reading = {.tokenizer = tokenizer, .error = error};
    bool fine = true;
    reading.config = read_if_there(folder, config_name, &fine, error);
    if (fine) {
        reading.tokens = read_if_there(folder, "special_tokens_map.json", &fine, error);
    }
    fine = fine && find_row(&reading, folder, vocab, merges) && put_split(&reading) &&
           read_files(&reading, folder, vocab, merges) && take_added(&reading, folder) &&
           put_ends(&reading);
    json_release(reading.config);
    json_release(reading.tokens);
    return fine;
}
