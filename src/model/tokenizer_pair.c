/* model/tokenizer_pair.c — vocab.json with merges.txt. The two hold neither how a text is cut nor
 * which tokens stand around it: that is looked up by tokenizer_class of tokenizer_config.json, or
 * else by model_type of config.json. Without both it is GPT-2's, whose two files these are. */
#include <string.h>

#include "base/unicode.h"
#include "file/folder.h"
#include "model/tokenizer_settings.h"

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
     {[ROLE_BEGIN] = END_OF_TEXT, [ROLE_END] = END_OF_TEXT, [ROLE_UNKNOWN] = END_OF_TEXT}},
    {" GPTNeoX gpt_neox ",
     NULL,
     true,
     false,
     false,
     {[ROLE_BEGIN] = END_OF_TEXT,
      [ROLE_END] = END_OF_TEXT,
      [ROLE_UNKNOWN] = END_OF_TEXT,
      [ROLE_PADDING] = "<|padding|>"}},
    {" opt ",
     NULL,
     false,
     true,
     false,
     {[ROLE_BEGIN] = "</s>",
      [ROLE_END] = "</s>",
      [ROLE_UNKNOWN] = "</s>",
      [ROLE_PADDING] = "<pad>"}},
    {" Qwen2 Qwen3 qwen2 qwen2_moe qwen3 qwen3_moe ",
     "qwen2",
     true,
     false,
     false,
     {[ROLE_END] = END_OF_TEXT, [ROLE_UNKNOWN] = END_OF_TEXT, [ROLE_PADDING] = END_OF_TEXT}},
    {" Roberta Bart roberta bart ",
     NULL,
     false,
     true,
     true,
     {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"}},
};

/* The state of reading one folder. */
struct reading {
    struct tokenizer *tokenizer;
    const struct pair_row *row;
    struct tokenizer_settings settings;
    struct error *error;
};

static bool find_row(struct reading *reading, const char *vocab, const char *merges)
{
    const struct tokenizer_settings *const settings = &reading->settings;
    const bool classed = settings->class[0] != '\0';
    const char *const name = classed ? settings->class : settings->type;
    const size_t length = classed ? settings->class_length : strlen(name);
    reading->row = name[0] == '\0' ? &rows[0] : NULL;
    for (size_t row = 0; reading->row == NULL && row < sizeof rows / sizeof *rows; row++) {
        reading->row = tokenizer_names_have(rows[row].names, name, length) ? &rows[row] : NULL;
    }
    return reading->row != NULL ||
           error_set(reading->error, ERROR_INPUT,
                     "The tokenizer %.40s cannot be read from %s and %s here; tokenizer.json "
                     "would do.",
                     name, vocab, merges);
}

static const char *token_of(const struct reading *reading, enum tokenizer_role role)
{
    return tokenizer_settings_token(&reading->settings, role, reading->row->roles[role]);
}

static bool read_added(struct reading *reading, const char *folder)
{
    bool fine =
        tokenizer_settings_add(&reading->settings, folder, reading->tokenizer, reading->error);
    for (enum tokenizer_role role = ROLE_BEGIN; fine && role < ROLES; role++) {
        fine = tokenizer_add_special(reading->tokenizer, token_of(reading, role), reading->error);
    }
    return fine;
}

/* ---- what stands around a text ------------------------------------------------------------- */

static void append_part(struct tokenizer_template *out, enum template_kind kind, uint32_t id,
                        uint8_t type)
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
    const enum tokenizer_role roles[2] = {row->classed ? ROLE_CLASS : ROLE_BEGIN,
                                          row->classed ? ROLE_SEPARATOR : ROLE_END};
    bool wanted[2] = {row->first, row->classed};
    uint32_t ids[2] = {0, 0};
    for (size_t e = 0; e < 2; e++) {
        const char *const text = token_of(reading, roles[e]);
        if (!row->classed) {
            wanted[e] = tokenizer_settings_truth(&reading->settings, switches[e], wanted[e]);
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
        append_part(&single, TEMPLATE_TOKEN, ids[0], 0);
    }
    append_part(&single, TEMPLATE_FIRST, 0, 0);
    if (wanted[1]) {
        append_part(&single, TEMPLATE_TOKEN, ids[1], 0);
    }
    struct tokenizer_template pair = single;
    if (wanted[between]) {
        append_part(&pair, TEMPLATE_TOKEN, ids[between], second);
    }
    append_part(&pair, TEMPLATE_SECOND, 0, second);
    if (wanted[1]) {
        append_part(&pair, TEMPLATE_TOKEN, ids[1], second);
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
    } else if (!tokenizer_read_pre(tokenizer, row->pre, "tokenizer_config.json", reading->error)) {
        return false;
    }
    struct tokenizer_split *const last = &tokenizer->splits[tokenizer->split_count - 1];
    last->prefix = tokenizer_settings_truth(&reading->settings, "add_prefix_space", last->prefix);
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

bool tokenizer_read_pair(struct tokenizer *tokenizer, struct file_handle *folder, const char *vocab,
                         const char *merges, struct error *error)
{
    struct reading reading = {.tokenizer = tokenizer, .error = error};
    const char *const path = file_handle_path(folder);
    return tokenizer_settings_read(&reading.settings, folder, error) &&
           find_row(&reading, vocab, merges) && put_split(&reading) &&
           read_files(&reading, path, vocab, merges) && read_added(&reading, path) &&
           put_ends(&reading);
}
