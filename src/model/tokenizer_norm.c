/* model/tokenizer_norm.c — normalisers: what happens to a text before it is split. */
#include <stdlib.h>
#include <string.h>

#include "base/readable.h"
#include "base/text.h"
#include "base/unicode.h"
#include "file/growing.h"
#include "model/tokenizer_internal.h"

static bool finish_text(struct growing *growing, struct bytes *text, struct error *error)
{
    return growing_finish(growing, text, NULL) ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for this text.");
}

static void put_letter(struct growing *growing, uint32_t code_point)
{
    char letter[4];
    growing_put(growing, letter, unicode_write(code_point, letter));
}

/* ---- each normaliser ------------------------------------------------------------------------ */

bool tokenizer_norm_form(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                         struct error *error)
{
    struct bytes out;
    if (!unicode_normalise(*text, (enum unicode_form)norm->form, arena, &out, error)) {
        return false;
    }
    *text = out;
    return true;
}

/* İ becomes two letters; every other one. */
static void put_lower(struct growing *out, uint32_t letter)
{
    enum { DOTTED_I = 0x130, DOT_ABOVE = 0x307 };
    put_letter(out, letter == DOTTED_I ? 'i' : unicode_lower(letter));
    if (letter == DOTTED_I) {
        put_letter(out, DOT_ABOVE);
    }
}

static bool to_lower(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                     struct error *error)
{
    (void)norm;
    struct growing out = growing_start(arena);
    for (size_t at = 0; at < text->size;) {
        put_lower(&out, text_next((const char *)text->at, text->size, &at));
    }
    return finish_text(&out, text, error);
}

static bool replace_pattern(const struct tokenizer_norm *norm, struct growing *out,
                            struct bytes text, struct error *error)
{
    struct regex_search *const search =
        regex_search_open(norm->regex, (const char *)text.at, text.size);
    size_t at = 0, begin = 0, end = 0;
    bool found = true, fine = search != NULL || tokenizer_no_memory(error);
    while (fine && found) {
        fine = regex_next(search, &begin, &end, &found, error);
        const size_t until = fine && found ? begin : text.size;
        growing_put(out, text.at + at, until - at);
        if (fine && found) {
            growing_put(out, norm->to.at, norm->to.size);
            at = end;
        }
    }
    regex_search_close(search);
    return fine;
}

bool tokenizer_norm_replace(const struct tokenizer_norm *norm, struct arena *arena,
                            struct bytes *text, struct error *error)
{
    struct growing out = growing_start(arena);
    if (norm->regex != NULL) {
        return replace_pattern(norm, &out, *text, error) && finish_text(&out, text, error);
    }
    if (norm->from.size == 0) {
        return true;
    }
    for (size_t at = 0; at < text->size;) {
        const bool here = norm->from.size <= text->size - at &&
                          memcmp(text->at + at, norm->from.at, norm->from.size) == 0;
        if (here) {
            growing_put(&out, norm->to.at, norm->to.size);
        } else {
            growing_put_byte(&out, (char)text->at[at]);
        }
        at += here ? norm->from.size : 1;
    }
    return finish_text(&out, text, error);
}

bool tokenizer_norm_prepend(const struct tokenizer_norm *norm, struct arena *arena,
                            struct bytes *text, struct error *error)
{
    struct growing out = growing_start(arena);
    if (text->size == 0) {
        return true;
    }
    growing_put(&out, norm->to.at, norm->to.size);
    growing_put(&out, text->at, text->size);
    return finish_text(&out, text, error);
}

bool tokenizer_norm_strip(const struct tokenizer_norm *norm, struct arena *arena,
                          struct bytes *text, struct error *error)
{
    (void)arena;
    (void)error;
    size_t begin = 0, end = 0;
    bool inside = !norm->left;
    for (size_t at = 0; at < text->size;) {
        const size_t from = at;
        if (!text_is_space(text_next((const char *)text->at, text->size, &at))) {
            begin = inside ? begin : from;
            inside = true;
            end = at;
        }
    }
    if (!inside) {
        begin = text->size;
    }
    end = norm->right && end > begin ? end : norm->right ? begin : text->size;
    *text = (struct bytes){text->at + begin, end - begin};
    return true;
}

static bool strip_marks(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                        struct error *error)
{
    (void)norm;
    struct growing out = growing_start(arena);
    for (size_t at = 0; at < text->size;) {
        const uint32_t letter = text_next((const char *)text->at, text->size, &at);
        if (!unicode_is_mark(unicode_in_edition(letter, UNICODE_9))) {
            put_letter(&out, letter);
        }
    }
    return finish_text(&out, text, error);
}

static bool to_byte_letters(const struct tokenizer_norm *norm, struct arena *arena,
                            struct bytes *text, struct error *error)
{
    (void)norm;
    struct growing out = growing_start(arena);
    for (size_t at = 0; at < text->size; at++) {
        put_letter(&out, readable_letter_of(text->at[at]));
    }
    return finish_text(&out, text, error);
}

/* Nmt: the rules that SentencePiece made for translation, as far as the library has them. What is
 * no space in a row is left out. */
static const struct nmt_row {
    uint32_t first, last;
    bool space;
} nmt_rows[] = {
    {0x01, 0x08, false},    {0x09, 0x0A, true},     {0x0B, 0x0B, false},    {0x0C, 0x0D, true},
    {0x0E, 0x1F, false},    {0x7F, 0x7F, false},    {0x8F, 0x8F, false},    {0x9F, 0x9F, false},
    {0x1680, 0x1680, true}, {0x200B, 0x200F, true}, {0x2028, 0x2029, true}, {0x2581, 0x2581, true},
    {0xFEFF, 0xFEFF, true}, {0xFFFD, 0xFFFD, true},
};

static bool as_nmt(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                   struct error *error)
{
    (void)norm;
    struct growing out = growing_start(arena);
    for (size_t at = 0; at < text->size;) {
        const uint32_t letter = text_next((const char *)text->at, text->size, &at);
        size_t row = 0;
        while (row < sizeof nmt_rows / sizeof *nmt_rows &&
               !(letter >= nmt_rows[row].first && letter <= nmt_rows[row].last)) {
            row++;
        }
        if (row == sizeof nmt_rows / sizeof *nmt_rows) {
            put_letter(&out, letter);
        } else if (nmt_rows[row].space) {
            growing_put_byte(&out, ' ');
        }
    }
    return finish_text(&out, text, error);
}

/* ---- BERT's -----------------------------------------------------------------------------------
 */

/* Says whether BERT takes it for a Chinese letter, which is a word of its own. */
static bool is_chinese(uint32_t letter)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
                  {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (letter >= ranges[i].first && letter <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

static bool is_blank(uint32_t letter)
{
    return letter == '\t' || letter == '\n' || letter == '\r' || text_is_space(letter);
}

static bool bert_letters(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                         struct error *error)
{
    struct growing out = growing_start(arena);
    for (size_t at = 0; at < text->size;) {
        const uint32_t letter = text_next((const char *)text->at, text->size, &at);
        const bool blank = is_blank(letter);
        if (norm->clean && !(letter == '\t' || letter == '\n' || letter == '\r') &&
            (letter == 0 || letter == 0xFFFD ||
             unicode_is_other(unicode_in_edition(letter, UNICODE_8)))) {
            continue;
        }
        if (norm->chinese && is_chinese(letter)) {
            growing_put_byte(&out, ' ');
            put_letter(&out, letter);
            growing_put_byte(&out, ' ');
        } else {
            put_letter(&out, norm->clean && blank ? ' ' : letter);
        }
    }
    return finish_text(&out, text, error);
}

static bool without_accents(struct arena *arena, struct bytes *text, struct error *error)
{
    struct bytes apart;
    if (!unicode_normalise(*text, UNICODE_NFD, arena, &apart, error)) {
        return false;
    }
    struct growing out = growing_start(arena);
    for (size_t at = 0; at < apart.size;) {
        const uint32_t letter = text_next((const char *)apart.at, apart.size, &at);
        if (!unicode_is_nonspacing(unicode_in_edition(letter, UNICODE_8))) {
            put_letter(&out, letter);
        }
    }
    return finish_text(&out, text, error);
}

bool tokenizer_norm_bert(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                         struct error *error)
{
    return bert_letters(norm, arena, text, error) &&
           (!norm->accents || without_accents(arena, text, error)) &&
           (!norm->lower || to_lower(norm, arena, text, error));
}

/* ---- SentencePiece's map ----------------------------------------------------------------------
 */

static uint32_t unit_offset(uint32_t unit)
{
    return (unit >> 10) << ((unit & (1U << 9)) >> 6);
}

/* Finds the replacement of the longest beginning of a text, or of the shortest one, as `longest`
 * says; NULL: there is none. */
static const char *find_replacement(const struct charsmap *map, const char *text, size_t length,
                                    bool longest, size_t *taken)
{
    const char *found = NULL;
    size_t node = map->unit_count > 0 ? unit_offset(map->units[0]) : 0;
    for (size_t i = 0; i < length && text[i] != '\0'; i++) {
        node ^= (uint8_t)text[i];
        if (node >= map->unit_count ||
            (map->units[node] & (0x80000000U | 0xFF)) != (uint8_t)text[i]) {
            break;
        }
        const uint32_t unit = map->units[node];
        node ^= unit_offset(unit);
        if ((unit >> 8 & 1) != 0 && node < map->unit_count) {
            const size_t at = map->units[node] & 0x7FFFFFFFU;
            if (at < map->text_bytes) {
                found = map->texts + at;
                *taken = i + 1;
            }
            if (!longest) {
                break;
            }
        }
    }
    return found;
}

/* By the longest beginning that is in the map. */
static void map_longest(const struct tokenizer_norm *norm, struct growing *out, const char *text,
                        size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t behind = at, taken = 0;
        const char *const in_place =
            find_replacement(&norm->map, text + at, length - at, true, &taken);
        if (in_place != NULL) {
            growing_put_text(out, in_place);
            at += taken;
        } else {
            put_letter(out, text_next(text, length, &behind));
            at = behind;
        }
    }
}

/* As Hugging Face's library does: a letter with its marks as a whole if it has fewer than 6 bytes,
 * otherwise each of its code points. */
static void map_letter(const struct tokenizer_norm *norm, struct growing *out, const char *text,
                       size_t length)
{
    enum { WHOLE_BELOW = 6 };
    size_t taken = 0;
    const char *whole =
        length < WHOLE_BELOW ? find_replacement(&norm->map, text, length, false, &taken) : NULL;
    if (whole != NULL) {
        growing_put_text(out, whole);
        return;
    }
    for (size_t at = 0; at < length;) {
        const size_t begin = at;
        const uint32_t letter = text_next(text, length, &at);
        const char *const in_place =
            find_replacement(&norm->map, text + begin, at - begin, false, &taken);
        if (in_place != NULL) {
            growing_put_text(out, in_place);
        } else {
            put_letter(out, letter);
        }
    }
}

bool tokenizer_norm_map(const struct tokenizer_norm *norm, struct arena *arena, struct bytes *text,
                        struct error *error)
{
    struct growing out = growing_start(arena);
    const char *const letters = (const char *)text->at;
    if (norm->longest) {
        map_longest(norm, &out, letters, text->size);
    }
    for (size_t at = 0; !norm->longest && at < text->size;) {
        const size_t end = text_next_letter(letters, text->size, at);
        map_letter(norm, &out, letters + at, end - at);
        at = end;
    }
    return finish_text(&out, text, error);
}

bool charsmap_read(struct bytes bytes, struct arena *arena, struct charsmap *map)
{
    uint32_t size = 0;
    for (size_t i = 0; i < 4 && bytes.size >= 4; i++) {
        size |= (uint32_t)bytes.at[i] << 8 * i;
    }
    *map = (struct charsmap){.unit_count = size / 4};
    if (bytes.size < 5 || size % 4 != 0 || size > bytes.size - 5 ||
        bytes.at[bytes.size - 1] != '\0') {
        return false;
    }
    uint32_t *const units = arena_array(arena, map->unit_count + 1, sizeof *units);
    for (size_t i = 0; units != NULL && i < map->unit_count; i++) {
        const uint8_t *const at = bytes.at + 4 + 4 * i;
        units[i] =
            (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    map->units = units;
    map->texts = (const char *)bytes.at + 4 + size;
    map->text_bytes = bytes.size - 4 - size;
    return units != NULL;
}

/* ---- out of JSON ------------------------------------------------------------------------------
 */

/* The state of reading one normaliser. */
struct reading {
    struct tokenizer *tokenizer;
    const struct json *json;
    const char *file;
    struct error *error;
};

static bool bool_member(const struct json *json, const char *key, bool otherwise)
{
    (void)json_truth(json_member(json, key), &otherwise);
    return otherwise;
}

static bool copy_text(struct reading *reading, const struct json *value, struct bytes *out)
{
    const char *text = NULL;
    if (!json_text(value, &text)) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: a part of the normalizer has no text where it needs one.",
                         reading->file);
    }
    *out = (struct bytes){
        (const uint8_t *)arena_text(&reading->tokenizer->arena, text, strlen(text)), strlen(text)};
    return out->at != NULL || tokenizer_no_memory(reading->error);
}

static bool read_replace(struct reading *reading, struct tokenizer_norm *norm)
{
    const struct json *const pattern = json_member(reading->json, "pattern");
    const char *regex = NULL;
    struct error reason = {ERROR_NONE, 0, ""};
    if (!copy_text(reading, json_member(reading->json, "content"), &norm->to)) {
        return false;
    }
    if (!json_text(json_member(pattern, "Regex"), &regex)) {
        return copy_text(reading, json_member(pattern, "String"), &norm->from);
    }
    norm->regex = regex_open(regex, &reason);
    return norm->regex != NULL ||
           error_set(reading->error, reason.code, "%s: %s", reading->file, reason.text);
}

static bool read_prepend(struct reading *reading, struct tokenizer_norm *norm)
{
    return copy_text(reading, json_member(reading->json, "prepend"), &norm->to);
}

static bool read_strip(struct reading *reading, struct tokenizer_norm *norm)
{
    norm->left = bool_member(reading->json, "strip_left", true);
    norm->right = bool_member(reading->json, "strip_right", true);
    return true;
}

static bool read_bert(struct reading *reading, struct tokenizer_norm *norm)
{
    norm->clean = bool_member(reading->json, "clean_text", true);
    norm->chinese = bool_member(reading->json, "handle_chinese_chars", true);
    norm->lower = bool_member(reading->json, "lowercase", true);
    norm->accents = bool_member(reading->json, "strip_accents", norm->lower);
    return true;
}

/* The value of a letter of base64 (RFC 4648), −1: it is none. */
static int base64_value(char letter)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *const at = letter == '\0' ? NULL : strchr(letters, letter);
    return at == NULL ? -1 : (int)(at - letters);
}

static bool from_base64(const char *text, struct arena *arena, struct bytes *out)
{
    uint8_t *const bytes = arena_alloc(arena, strlen(text) + 1);
    uint32_t bits = 0;
    size_t held = 0, size = 0;
    for (; bytes != NULL && *text != '\0' && *text != '='; text++) {
        const int value = base64_value(*text);
        if (value < 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[size++] = (uint8_t)(bits >> held);
        }
    }
    *out = (struct bytes){bytes, size};
    return bytes != NULL;
}

static bool read_map(struct reading *reading, struct tokenizer_norm *norm)
{
    const char *text = NULL;
    struct bytes bytes;
    const bool fine = json_text(json_member(reading->json, "precompiled_charsmap"), &text) &&
                      from_base64(text, &reading->tokenizer->arena, &bytes) &&
                      charsmap_read(bytes, &reading->tokenizer->arena, &norm->map);
    return fine || error_set(reading->error, ERROR_INPUT,
                             "%s: normalizer Precompiled: its precompiled_charsmap is damaged.",
                             reading->file);
}

static const struct norm_row {
    const char *type;
    bool (*apply)(const struct tokenizer_norm *, struct arena *, struct bytes *, struct error *);
    bool (*read)(struct reading *, struct tokenizer_norm *); /* NULL: it has no settings */
    int form;
} rows[] = {
    {"NFC", tokenizer_norm_form, NULL, UNICODE_NFC},
    {"NFD", tokenizer_norm_form, NULL, UNICODE_NFD},
    {"NFKC", tokenizer_norm_form, NULL, UNICODE_NFKC},
    {"NFKD", tokenizer_norm_form, NULL, UNICODE_NFKD},
    {"Lowercase", to_lower, NULL, 0},
    {"Replace", tokenizer_norm_replace, read_replace, 0},
    {"Prepend", tokenizer_norm_prepend, read_prepend, 0},
    {"Strip", tokenizer_norm_strip, read_strip, 0},
    {"StripAccents", strip_marks, NULL, 0},
    {"Nmt", as_nmt, NULL, 0},
    {"ByteLevel", to_byte_letters, NULL, 0},
    {"BertNormalizer", tokenizer_norm_bert, read_bert, 0},
    {"Precompiled", tokenizer_norm_map, read_map, 0},
};

static bool read_one(struct reading *reading, const char *type)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    size_t row = 0;
    while (row < sizeof rows / sizeof *rows && strcmp(rows[row].type, type) != 0) {
        row++;
    }
    if (row == sizeof rows / sizeof *rows) {
        return error_set(reading->error, ERROR_INPUT, "%s: its normalizer %.40s is not known here.",
                         reading->file, type);
    }
    if (tokenizer->norm_count == TOKENIZER_PARTS_MAX) {
        return error_set(reading->error, ERROR_INPUT, "%s: it has more than %d normalizers.",
                         reading->file, TOKENIZER_PARTS_MAX);
    }
    struct tokenizer_norm *const norm = &tokenizer->norms[tokenizer->norm_count++];
    *norm = (struct tokenizer_norm){.apply = rows[row].apply, .form = rows[row].form};
    return rows[row].read == NULL || rows[row].read(reading, norm);
}

bool tokenizer_norm_read(struct tokenizer *tokenizer, const struct json *json, const char *file,
                         struct error *error)
{
    struct reading reading = {tokenizer, json, file, error};
    const char *type = NULL;
    if (json_kind_of(json) == JSON_KIND_NULL || json_kind_of(json) == JSON_KIND_NONE) {
        return true;
    }
    if (!json_text(json_member(json, "type"), &type)) {
        return error_set(error, ERROR_INPUT, "%s: its normalizer has no type.", file);
    }
    if (strcmp(type, "Sequence") != 0) {
        return read_one(&reading, type);
    }
    const struct json *const parts = json_member(json, "normalizers");
    bool fine = true;
    for (size_t i = 0; fine && i < json_count(parts); i++) {
        fine = tokenizer_norm_read(tokenizer, json_element(parts, i), file, error);
    }
    return fine;
}
