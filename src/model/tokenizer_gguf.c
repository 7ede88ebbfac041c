/* model/tokenizer_gguf.c — the tokenizer in the keys of a GGUF file (docs/gguf.md, "Tokenizer";
 * what a missing key means is what llama.cpp takes for it). */
#include <string.h>

#include "file/gguf.h"
#include "model/tokenizer_internal.h"

/* The state of reading one tokenizer. */
struct reading {
    struct tokenizer *tokenizer;
    const struct gguf *gguf;
    const char *file;
    struct error *error;
    const struct gguf_value *tokens, *scores, *types;
};

static const struct gguf_value *find_key(const struct reading *reading, const char *name,
                                         enum gguf_value_type type)
{
    const struct gguf_value *const value = gguf_key(reading->gguf, name);
    return value != NULL && value->type == type ? value : NULL;
}

static const struct gguf_value *find_list(const struct reading *reading, const char *name)
{
    return find_key(reading, name, GGUF_LIST);
}

static bool bool_value(const struct reading *reading, const char *name, bool otherwise)
{
    const struct gguf_value *const value = find_key(reading, name, GGUF_TRUTH);
    return value == NULL ? otherwise : value->bits != 0;
}

/* The id of a token; −1: the file names none that it has. */
static int64_t token_id(const struct reading *reading, const char *name, int64_t otherwise)
{
    const struct gguf_value *const value = find_key(reading, name, GGUF_UINT32);
    const int64_t id = value == NULL ? otherwise : (int64_t)value->bits;
    return id >= 0 && (uint64_t)id < reading->tokens->count ? id : -1;
}

/* ---- the list of tokens ------------------------------------------------------------------------
 */

static struct bytes text_at(const void *owner, size_t index)
{
    const struct reading *const reading = owner;
    return gguf_item(reading->tokens, index).text;
}

static float score_at(const void *owner, size_t index)
{
    const struct reading *const reading = owner;
    return reading->scores == NULL ? 0 : (float)gguf_item(reading->scores, index).number;
}

static enum token_type type_at(const void *owner, size_t index)
{
    const struct reading *const reading = owner;
    const double type = reading->types == NULL ? 1 : gguf_item(reading->types, index).number;
    return type >= 1 && type <= TOKEN_BYTE ? (enum token_type)(int)type : TOKEN_NORMAL;
}

static struct token_list tokens_of(const struct reading *reading)
{
    return (struct token_list){reading, reading->tokens->count, text_at, score_at, type_at};
}

/* ---- each kind ---------------------------------------------------------------------------------
 */

static bool read_merges(struct reading *reading)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    const struct gguf_value *const merges = find_list(reading, "tokenizer.ggml.merges");
    if (merges == NULL || merges->item_type != GGUF_TEXT) {
        return error_set(reading->error, ERROR_INPUT, "%s: it has no list of merges.",
                         reading->file);
    }
    if (!tokenizer_merges_start(tokenizer, merges->count, reading->file, reading->error)) {
        return false;
    }
    for (size_t i = 0; i < merges->count; i++) {
        if (!tokenizer_merges_put(tokenizer, gguf_item(merges, i).text, reading->file,
                                  reading->error)) {
            return false;
        }
    }
    return true;
}

static bool read_gpt2(struct reading *reading)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    const struct token_list tokens = tokens_of(reading);
    const struct gguf_value *const pre = find_key(reading, "tokenizer.ggml.pre", GGUF_TEXT);
    const char *const name =
        pre == NULL ? "default"
                    : arena_text(&tokenizer->arena, (const char *)pre->text.at, pre->text.size);
    if (name == NULL) {
        return tokenizer_no_memory(reading->error);
    }
    if (strcmp(name, "default") == 0) {
        tokenizer->doubt = "The file does not say by which pattern a text is cut "
                           "(tokenizer.ggml.pre): it is cut by llama.cpp's default, and tokens "
                           "may be others than the model was trained with.";
    }
    tokenizer->model = MODEL_BPE;
    tokenizer->letters_are_bytes = true;
    if (!tokenizer_read_pre(tokenizer, name, reading->file, reading->error) ||
        !tokenizer_read_list(tokenizer, &tokens, reading->file, reading->error) ||
        !read_merges(reading)) {
        return false;
    }
    bpe_letters(&tokenizer->bpe);
    const bool first = bool_value(reading, "tokenizer.ggml.add_bos_token", tokenizer->begins);
    const bool last = bool_value(reading, "tokenizer.ggml.add_eos_token", false);
    return tokenizer_put_ends(tokenizer,
                              first ? token_id(reading, "tokenizer.ggml.bos_token_id", -1) : -1,
                              last ? token_id(reading, "tokenizer.ggml.eos_token_id", -1) : -1) &&
           bpe_finish(&tokenizer->bpe, reading->file, &tokenizer->arena, reading->error);
}

static bool read_sentence(struct reading *reading, bool unigram)
{
    const struct token_list tokens = tokens_of(reading);
    const struct gguf_value *const map = find_list(reading, "tokenizer.ggml.precompiled_charsmap");
    struct sentence_rules rules = {
        .unigram = unigram,
        .space_before = bool_value(reading, "tokenizer.ggml.add_space_prefix", true),
        .one_space = bool_value(reading, "tokenizer.ggml.remove_extra_whitespaces", unigram),
        .map = map != NULL && (map->item_type == GGUF_INT8 || map->item_type == GGUF_UINT8)
                   ? map->items
                   : (struct bytes){NULL, 0},
        .unknown = token_id(reading, "tokenizer.ggml.unknown_token_id", unigram ? 2 : 0),
    };
    const bool first = bool_value(reading, "tokenizer.ggml.add_bos_token", !unigram);
    const bool last = bool_value(reading, "tokenizer.ggml.add_eos_token", unigram);
    if (rules.map.size > 0) { /* the file may be closed before the tokenizer */
        rules.map.at = (const uint8_t *)arena_text(&reading->tokenizer->arena,
                                                   (const char *)rules.map.at, rules.map.size);
    }
    if (rules.map.size > 0 && rules.map.at == NULL) {
        return tokenizer_no_memory(reading->error);
    }
    if (reading->scores == NULL) {
        return error_set(reading->error, ERROR_INPUT, "%s: it has no list of tokens and scores.",
                         reading->file);
    }
    return tokenizer_put_ends(
               reading->tokenizer,
               first ? token_id(reading, "tokenizer.ggml.bos_token_id", unigram ? -1 : 1) : -1,
               last ? token_id(reading, "tokenizer.ggml.eos_token_id", unigram ? 1 : 2) : -1) &&
           tokenizer_read_sentence(reading->tokenizer, &tokens, &rules, reading->file,
                                   reading->error);
}

static bool read_llama(struct reading *reading)
{
    return read_sentence(reading, false);
}

static bool read_t5(struct reading *reading)
{
    return read_sentence(reading, true);
}

/* BERT's tokens stand there with ▁ before a word's first one and without ## before the others. */
struct marked {
    const struct reading *reading;
    struct arena *arena;
};

static struct bytes marked_text_at(const void *owner, size_t index)
{
    const struct marked *const marked = owner;
    const struct bytes text = text_at(marked->reading, index);
    const enum token_type type = type_at(marked->reading, index);
    if (type == TOKEN_CONTROL || type == TOKEN_OF_USER || type == TOKEN_UNKNOWN) {
        return text;
    }
    if (bytes_have(text, 0, "▁")) {
        return (struct bytes){text.at + strlen("▁"), text.size - strlen("▁")};
    }
    const char *const with =
        arena_format(marked->arena, "##%.*s", (int)(text.size < 1024 ? text.size : 1024),
                     text.size == 0 ? "" : (const char *)text.at);
    return with == NULL ? text : (struct bytes){(const uint8_t *)with, strlen(with)};
}

static enum token_type marked_type_at(const void *owner, size_t index)
{
    return type_at(((const struct marked *)owner)->reading, index);
}

static bool read_bert(struct reading *reading)
{
    enum { UNKNOWN = 100, FIRST = 101, BETWEEN = 102 };
    struct tokenizer *const tokenizer = reading->tokenizer;
    const struct marked marked = {reading, &tokenizer->arena};
    const struct token_list tokens = {&marked, reading->tokens->count, marked_text_at, NULL,
                                      marked_type_at};
    const int64_t unknown = token_id(reading, "tokenizer.ggml.unknown_token_id", UNKNOWN);
    const int64_t first = token_id(reading, "tokenizer.ggml.cls_token_id",
                                   token_id(reading, "tokenizer.ggml.bos_token_id", FIRST));
    const int64_t between = token_id(reading, "tokenizer.ggml.seperator_token_id", BETWEEN);
    tokenizer_set_bert(tokenizer, true, unknown, first, between);
    return tokenizer_read_list(tokenizer, &tokens, reading->file, reading->error);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

static bool find_lists(struct reading *reading)
{
    reading->tokens = find_list(reading, "tokenizer.ggml.tokens");
    reading->scores = find_list(reading, "tokenizer.ggml.scores");
    reading->types = find_list(reading, "tokenizer.ggml.token_type");
    if (reading->tokens == NULL || reading->tokens->item_type != GGUF_TEXT) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: it has no list of tokens (tokenizer.ggml.tokens).", reading->file);
    }
    const struct gguf_value *const others[2] = {reading->scores, reading->types};
    for (size_t i = 0; i < 2; i++) {
        if (others[i] != NULL &&
            (others[i]->count != reading->tokens->count || others[i]->item_type == GGUF_TEXT ||
             others[i]->item_type == GGUF_LIST)) {
            return error_set(reading->error, ERROR_INPUT,
                             "%s: %.40s: it is no list of %zu numbers, one for each token.",
                             reading->file, others[i]->key, reading->tokens->count);
        }
    }
    return true;
}

static bool read_any(struct reading *reading)
{
    static const struct {
        const char *model;
        bool (*read)(struct reading *reading);
    } kinds[] = {{"gpt2", read_gpt2}, {"llama", read_llama}, {"t5", read_t5}, {"bert", read_bert}};
    const struct gguf_value *const model = find_key(reading, "tokenizer.ggml.model", GGUF_TEXT);
    if (model == NULL) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: it has no tokenizer (tokenizer.ggml.model).", reading->file);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i].model) == model->text.size &&
            memcmp(model->text.at, kinds[i].model, model->text.size) == 0) {
            return find_lists(reading) && kinds[i].read(reading);
        }
    }
    return error_set(reading->error, ERROR_INPUT, "%s: its tokenizer %.*s is not known here.",
                     reading->file, (int)(model->text.size < 40 ? model->text.size : 40),
                     (const char *)model->text.at);
}

struct tokenizer *tokenizer_open_gguf(const struct gguf *gguf, const char *name, size_t vocabulary,
                                      struct error *error)
{
    struct tokenizer *const tokenizer = tokenizer_new(vocabulary, error);
    struct reading reading = {.tokenizer = tokenizer, .gguf = gguf, .file = name, .error = error};
    if (tokenizer != NULL && !(read_any(&reading) && tokenizer_finish(tokenizer, error))) {
        tokenizer_close(tokenizer);
        return NULL;
    }
    return tokenizer;
}
