/* model/tokenizer_added.c — what stands around the model: added tokens, the tokens that are put
 * before and behind a text, and how tokens become text again. */
#include <string.h>

#include "model/tokenizer_internal.h"

static bool bool_member(const struct json *json, const char *key, bool otherwise)
{
    (void)json_truth(json_member(json, key), &otherwise);
    return otherwise;
}

/* ---- added tokens ------------------------------------------------------------------------------
 */

bool tokenizer_add(struct tokenizer *tokenizer, const struct tokenizer_added *added,
                   struct error *error)
{
    if (tokenizer->added == NULL) {
        tokenizer->added =
            arena_array(&tokenizer->arena, TOKENIZER_ADDED_MAX, sizeof *tokenizer->added);
    }
    if (tokenizer->added == NULL) {
        return tokenizer_no_memory(error);
    }
    struct tokenizer_added *const kept = &tokenizer->added[tokenizer->added_count++];
    *kept = *added;
    kept->text.at = (const uint8_t *)arena_text(&tokenizer->arena, (const char *)added->text.at,
                                                added->text.size);
    return kept->text.at != NULL || tokenizer_no_memory(error);
}

bool tokenizer_add_token(struct tokenizer *tokenizer, const struct json *entry, const char *text,
                         int64_t id, const char *file, struct error *error)
{
    if (id < 0 || id >= VOCABULARY_IDS_MAX) {
        return error_set(error, ERROR_INPUT, "%s: the id of “%.40s” is no whole number from 0 up.",
                         file, text);
    }
    if (tokenizer->added_count == TOKENIZER_ADDED_MAX) {
        return error_set(error, ERROR_INPUT, "%s: it has more than %d added tokens.", file,
                         TOKENIZER_ADDED_MAX);
    }
    const bool special = bool_member(entry, "special", false);
    const struct tokenizer_added added = {
        .text = {(const uint8_t *)text, strlen(text)},
        .id = (uint32_t)id,
        .alone = bool_member(entry, "single_word", false),
        .left = bool_member(entry, "lstrip", false),
        .right = bool_member(entry, "rstrip", false),
        .normalised = bool_member(entry, "normalized", !special),
        .special = special,
    };
    return tokenizer_add(tokenizer, &added, error);
}

bool tokenizer_read_added(struct tokenizer *tokenizer, const struct json *json, const char *file,
                          struct error *error)
{
    for (size_t i = 0; i < json_count(json); i++) {
        const struct json *const entry = json_element(json, i);
        const char *text = NULL;
        int64_t id = -1;
        if (!json_text(json_member(entry, "content"), &text) || text[0] == '\0' ||
            strlen(text) > VOCABULARY_TOKEN_BYTES_MAX) {
            return error_set(error, ERROR_INPUT, "%s: added token %zu has no content.", file,
                             i + 1);
        }
        if (!json_whole_number(json_member(entry, "id"), &id)) {
            id = -1;
        }
        if (!tokenizer_add_token(tokenizer, entry, text, id, file, error)) {
            return false;
        }
    }
    return true;
}

/* The added tokens as lists in which they are found. */
bool tokenizer_finish(struct tokenizer *tokenizer, struct error *error)
{
    struct words *const lists[2] = {&tokenizer->raw, &tokenizer->normalised};
    for (size_t l = 0; l < 2; l++) {
        lists[l]->at =
            arena_array(&tokenizer->arena, tokenizer->added_count + 1, sizeof *lists[l]->at);
        if (lists[l]->at == NULL) {
            return tokenizer_no_memory(error);
        }
    }
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        struct bytes text = tokenizer->added[i].text;
        struct words *const list = lists[tokenizer->added[i].normalised ? 1 : 0];
        for (size_t n = 0; tokenizer->added[i].normalised && n < tokenizer->norm_count; n++) {
            const struct tokenizer_norm *const norm = &tokenizer->norms[n];
            if (!norm->apply(norm, &tokenizer->arena, &text, error)) {
                return false;
            }
        }
        if (text.size > 0) {
            list->at[list->count++] =
                (struct word){(const char *)text.at, (uint32_t)text.size, (uint32_t)i};
        }
    }
    words_sort(&tokenizer->raw);
    words_sort(&tokenizer->normalised);
    return true;
}

bool tokenizer_find(const struct tokenizer *tokenizer, const char *token, uint32_t *id)
{
    const size_t length = strlen(token);
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        const struct bytes text = tokenizer->added[i].text;
        if (text.size == length && memcmp(text.at, token, length) == 0) {
            *id = tokenizer->added[i].id;
            return true;
        }
    }
    return vocabulary_find(&tokenizer->vocabulary, token, length, id);
}

/* ---- what stands before and behind a text ------------------------------------------------------
 */

static bool append_part(struct tokenizer_template *out, enum template_kind kind, uint32_t id,
                        uint8_t type)
{
    if (out->count == TOKENIZER_PARTS_MAX) {
        return false;
    }
    out->at[out->count].kind = kind;
    out->at[out->count].id = id;
    out->at[out->count++].type = type;
    return true;
}

static bool bad_template(const char *file, struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s: its post_processor names no tokens with their ids.",
                     file);
}

/* One entry of "single" or "pair". */
static bool read_entry(const struct json *entry, const struct json *specials,
                       struct tokenizer_template *out)
{
    const struct json *const token = json_member(entry, "SpecialToken");
    const struct json *const text = json_member(entry, "Sequence");
    const char *name = NULL;
    int64_t type = 0, id = 0;
    (void)json_whole_number(json_member(token != NULL ? token : text, "type_id"), &type);
    if (!json_text(json_member(token != NULL ? token : text, "id"), &name) || type < 0 ||
        type > 255) {
        return false;
    }
    if (token == NULL) {
        return append_part(out, strcmp(name, "A") == 0 ? TEMPLATE_FIRST : TEMPLATE_SECOND, 0,
                           (uint8_t)type);
    }
    const struct json *const ids = json_member(json_member(specials, name), "ids");
    bool fine = json_count(ids) > 0;
    for (size_t i = 0; fine && i < json_count(ids); i++) {
        fine = json_whole_number(json_element(ids, i), &id) && id >= 0 && id < VOCABULARY_IDS_MAX &&
               append_part(out, TEMPLATE_TOKEN, (uint32_t)id, (uint8_t)type);
    }
    return fine;
}

static bool read_listed(struct tokenizer *tokenizer, const struct json *json, const char *file,
                        struct error *error)
{
    const struct json *const specials = json_member(json, "special_tokens");
    struct tokenizer_template *const outs[2] = {&tokenizer->single, &tokenizer->pair};
    static const char *const names[2] = {"single", "pair"};
    for (size_t t = 0; t < 2; t++) {
        const struct json *const list = json_member(json, names[t]);
        outs[t]->count = 0;
        for (size_t i = 0; i < json_count(list); i++) {
            if (!read_entry(json_element(list, i), specials, outs[t])) {
                return bad_template(file, error);
            }
        }
    }
    return true;
}

/* ["[SEP]", 102] */
static bool read_token(const struct json *json, uint32_t *id)
{
    int64_t number = 0;
    if (!json_whole_number(json_element(json, 1), &number) || number < 0 ||
        number >= VOCABULARY_IDS_MAX) {
        return false;
    }
    *id = (uint32_t)number;
    return true;
}

/* [CLS] A [SEP] and [CLS] A [SEP] B [SEP], or <s> A </s></s> B </s>. */
static bool read_two_tokens(struct tokenizer *tokenizer, const struct json *json, const char *file,
                            bool doubled, struct error *error)
{
    uint32_t first = 0, last = 0;
    const uint8_t second = doubled ? 0 : 1;
    if (!read_token(json_member(json, "cls"), &first) ||
        !read_token(json_member(json, "sep"), &last)) {
        return bad_template(file, error);
    }
    tokenizer->single.count = tokenizer->pair.count = 0;
    append_part(&tokenizer->single, TEMPLATE_TOKEN, first, 0);
    append_part(&tokenizer->single, TEMPLATE_FIRST, 0, 0);
    append_part(&tokenizer->single, TEMPLATE_TOKEN, last, 0);
    tokenizer->pair = tokenizer->single;
    if (doubled) {
        append_part(&tokenizer->pair, TEMPLATE_TOKEN, last, 0);
    }
    append_part(&tokenizer->pair, TEMPLATE_SECOND, 0, second);
    append_part(&tokenizer->pair, TEMPLATE_TOKEN, last, second);
    return true;
}

bool tokenizer_read_template(struct tokenizer *tokenizer, const struct json *json, const char *file,
                             struct error *error)
{
    const char *type = NULL;
    if (json_kind_of(json) == JSON_KIND_NULL || json_kind_of(json) == JSON_KIND_NONE) {
        return true;
    }
    if (!json_text(json_member(json, "type"), &type)) {
        return error_set(error, ERROR_INPUT, "%s: its post_processor has no type.", file);
    }
    if (strcmp(type, "Sequence") == 0) {
        const struct json *const parts = json_member(json, "processors");
        bool fine = true;
        for (size_t i = 0; fine && i < json_count(parts); i++) {
            fine = tokenizer_read_template(tokenizer, json_element(parts, i), file, error);
        }
        return fine;
    }
    if (strcmp(type, "TemplateProcessing") == 0) {
        return read_listed(tokenizer, json, file, error);
    }
    const bool doubled = strcmp(type, "RobertaProcessing") == 0;
    if (doubled || strcmp(type, "BertProcessing") == 0) {
        return read_two_tokens(tokenizer, json, file, doubled, error);
    }
    return strcmp(type, "ByteLevel") == 0 ||
           error_set(error, ERROR_INPUT, "%s: its post_processor %.40s is not known here.", file,
                     type);
}

/* ---- back to text ------------------------------------------------------------------------------
 */

static struct bytes keep_member_text(struct tokenizer *tokenizer, const struct json *value,
                                     const char *otherwise)
{
    (void)json_text(value, &otherwise);
    return (struct bytes){
        (const uint8_t *)arena_text(&tokenizer->arena, otherwise, strlen(otherwise)),
        strlen(otherwise)};
}

static void decode_bytes(struct tokenizer *tokenizer, const struct json *json)
{
    (void)json;
    tokenizer->letters_are_bytes = true;
}

static void decode_words(struct tokenizer *tokenizer, const struct json *json)
{
    tokenizer->joined = keep_member_text(tokenizer, json_member(json, "prefix"), "##");
    tokenizer->words_apart = true;
}

static void decode_sign(struct tokenizer *tokenizer, const struct json *json)
{
    const char *scheme = "always";
    bool before = true;
    (void)json_text(json_member(json, "prepend_scheme"), &scheme);
    (void)json_truth(json_member(json, "add_prefix_space"), &before);
    tokenizer->space = keep_member_text(tokenizer, json_member(json, "replacement"), "▁");
    tokenizer->first_space = before && strcmp(scheme, "never") != 0;
}

/* Of what is replaced only the sign of a space matters for a single token. */
static void decode_replaced(struct tokenizer *tokenizer, const struct json *json)
{
    const char *content = NULL;
    if (json_text(json_member(json, "content"), &content) && strcmp(content, " ") == 0) {
        tokenizer->space =
            keep_member_text(tokenizer, json_member(json_member(json, "pattern"), "String"), "▁");
    }
}

static void decode_names(struct tokenizer *tokenizer, const struct json *json)
{
    (void)json;
    tokenizer->bytes_by_name = true;
}

static void decode_stripped(struct tokenizer *tokenizer, const struct json *json)
{
    int64_t left = 0;
    (void)json_whole_number(json_member(json, "start"), &left);
    tokenizer->first_space = left > 0;
}

static void decode_ends(struct tokenizer *tokenizer, const struct json *json)
{
    tokenizer->ending = keep_member_text(tokenizer, json_member(json, "suffix"), "</w>");
}

static void decode_as_it_is(struct tokenizer *tokenizer, const struct json *json)
{
    (void)tokenizer;
    (void)json;
}

bool tokenizer_read_decoder(struct tokenizer *tokenizer, const struct json *json, const char *file,
                            struct error *error)
{
    static const struct {
        const char *type;
        void (*read)(struct tokenizer *tokenizer, const struct json *json);
    } rows[] = {
        {"ByteLevel", decode_bytes},  {"WordPiece", decode_words},    {"Metaspace", decode_sign},
        {"Replace", decode_replaced}, {"ByteFallback", decode_names}, {"Strip", decode_stripped},
        {"BPEDecoder", decode_ends},  {"Fuse", decode_as_it_is},
    };
    const char *type = NULL;
    if (json_kind_of(json) == JSON_KIND_NULL || json_kind_of(json) == JSON_KIND_NONE) {
        tokenizer->words_apart = true;
        return true;
    }
    if (!json_text(json_member(json, "type"), &type)) {
        return error_set(error, ERROR_INPUT, "%s: its decoder has no type.", file);
    }
    if (strcmp(type, "Sequence") == 0) {
        const struct json *const parts = json_member(json, "decoders");
        bool fine = true;
        for (size_t i = 0; fine && i < json_count(parts); i++) {
            fine = tokenizer_read_decoder(tokenizer, json_element(parts, i), file, error);
        }
        return fine;
    }
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        if (strcmp(rows[row].type, type) == 0) {
            rows[row].read(tokenizer, json);
            return true;
        }
    }
    return error_set(error, ERROR_INPUT, "%s: its decoder %.40s is not known here.", file, type);
}
