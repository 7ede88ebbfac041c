/* model/tokenizer_split.c — pre-tokenizers: where a text is cut into pieces, which the model then
 * looks at one by one. */
#include <stdlib.h>
#include <string.h>

#include "base/readable.h"
#include "base/text.h"
#include "base/unicode.h"
#include "file/growing.h"
#include "model/tokenizer_internal.h"

bool tokenizer_pieces_put(struct tokenizer_pieces *pieces, struct tokenizer_piece piece)
{
    if (piece.length == 0) {
        return true;
    }
    if (pieces->count == pieces->room) {
        const size_t room = pieces->room == 0 ? 16 : 2 * pieces->room;
        struct tokenizer_piece *const at = arena_array(pieces->arena, room, sizeof *at);
        if (at == NULL) {
            return false;
        }
        if (pieces->count > 0) {
            memcpy(at, pieces->at, pieces->count * sizeof *at);
        }
        pieces->at = at;
        pieces->room = room;
    }
    pieces->at[pieces->count++] = piece;
    return true;
}

/* ---- cutting ----------------------------------------------------------------------------------
 */

/* Cuts one piece as a rule says: parts that match and parts between them come in order. */
struct cutter {
    const struct tokenizer_split *split;
    const struct tokenizer_piece *piece;
    struct tokenizer_pieces *out;
    size_t begin, end; /* of the piece that grows, not put yet */
    bool open;         /* there is one */
    bool matched;      /* the former part was a match */
    bool fine;
};

static void put_open(struct cutter *cutter)
{
    if (cutter->open) {
        cutter->fine =
            cutter->fine &&
            tokenizer_pieces_put(
                cutter->out, (struct tokenizer_piece){cutter->piece->text + cutter->begin,
                                                      cutter->end - cutter->begin, TOKENIZER_TEXT,
                                                      cutter->piece->first && cutter->begin == 0});
    }
    cutter->open = false;
}

/* Returns whether a part is taken into the piece before it. */
static bool joins_piece_before(const struct cutter *cutter, bool match)
{
    switch (cutter->split->behaviour) {
    case SPLIT_WITH_PREVIOUS:
        return match && !cutter->matched;
    case SPLIT_WITH_NEXT:
        return cutter->matched && !match;
    case SPLIT_CONTIGUOUS:
        return match == cutter->matched;
    case SPLIT_REMOVED:
    case SPLIT_ISOLATED:
        break;
    }
    return false;
}

static void cut_part(struct cutter *cutter, size_t begin, size_t end, bool found)
{
    const bool match = found != cutter->split->invert;
    if (begin == end && !found) {
        return; /* a match of no letters cuts, too */
    }
    if (cutter->open && joins_piece_before(cutter, match)) {
        cutter->end = end;
    } else {
        put_open(cutter);
        cutter->open = !(match && cutter->split->behaviour == SPLIT_REMOVED);
        cutter->begin = begin;
        cutter->end = end;
    }
    cutter->matched = match;
}

static bool cut_by_pattern(struct cutter *cutter, struct error *error)
{
    const struct tokenizer_piece *const piece = cutter->piece;
    struct regex_search *const search =
        regex_search_open(cutter->split->regex, piece->text, piece->length);
    size_t at = 0, begin = 0, end = 0;
    bool found = true, fine = search != NULL || tokenizer_no_memory(error);
    while (fine && found) {
        fine = regex_next(search, &begin, &end, &found, error);
        if (fine && found) {
            cut_part(cutter, at, begin, false);
            cut_part(cutter, begin, end, true);
            at = end;
        }
    }
    cut_part(cutter, at, piece->length, false);
    regex_search_close(search);
    return fine;
}

static void cut_by_text(struct cutter *cutter)
{
    const struct tokenizer_piece *const piece = cutter->piece;
    const struct bytes wanted = cutter->split->text;
    size_t from = 0;
    for (size_t at = 0; wanted.size > 0 && at + wanted.size <= piece->length;) {
        if (memcmp(piece->text + at, wanted.at, wanted.size) == 0) {
            cut_part(cutter, from, at, false);
            cut_part(cutter, at, at + wanted.size, true);
            at += wanted.size;
            from = at;
        } else {
            at++;
        }
    }
    cut_part(cutter, from, piece->length, false);
}

static void cut_by_class(struct cutter *cutter)
{
    const struct tokenizer_piece *const piece = cutter->piece;
    size_t from = 0;
    for (size_t at = 0; at < piece->length;) {
        const size_t begin = at;
        if (cutter->split->is(text_next(piece->text, piece->length, &at))) {
            cut_part(cutter, from, begin, false);
            cut_part(cutter, begin, at, true);
            from = at;
        }
    }
    cut_part(cutter, from, piece->length, false);
}

static void cut_as_gpt2(struct cutter *cutter)
{
    for (size_t at = 0; at < cutter->piece->length;) {
        const size_t end = bpe_piece_end(cutter->piece->text, cutter->piece->length, at);
        cut_part(cutter, at, end, true);
        at = end;
    }
}

bool tokenizer_split_pattern(const struct tokenizer_split *split,
                             const struct tokenizer_piece *piece, struct tokenizer_pieces *out,
                             struct error *error)
{
    struct cutter cutter = {.split = split, .piece = piece, .out = out, .fine = true};
    bool fine = true;
    if (split->regex != NULL) {
        fine = cut_by_pattern(&cutter, error);
    } else if (split->is != NULL) {
        cut_by_class(&cutter);
    } else if (split->text.size > 0) {
        cut_by_text(&cutter);
    } else {
        cut_as_gpt2(&cutter);
    }
    put_open(&cutter);
    return fine && (cutter.fine || tokenizer_no_memory(error));
}

/* ---- ByteLevel, Metaspace, BERT's -------------------------------------------------------------
 */

static bool put_byte_letters(const struct tokenizer_piece *piece, struct tokenizer_pieces *out)
{
    char few[256];
    const bool fits = 2 * piece->length <= sizeof few; /* arena_text packs what is short */
    char *text = fits ? few : arena_alloc(out->arena, 2 * piece->length + 1);
    size_t length = 0;
    for (size_t i = 0; text != NULL && i < piece->length; i++) {
        const uint32_t letter = readable_letter_of((uint8_t)piece->text[i]);
        length += letter < 0x80 ? 1 : 2;
        if (letter < 0x80) {
            text[length - 1] = (char)letter;
        } else {
            text[length - 2] = (char)(uint8_t)(0xC0 | letter >> 6);
            text[length - 1] = (char)(uint8_t)(0x80 | (letter & 63));
        }
    }
    text = fits ? arena_text(out->arena, few, length) : text;
    return text != NULL &&
           tokenizer_pieces_put(
               out, (struct tokenizer_piece){text, length, TOKENIZER_TEXT, piece->first});
}

/* The piece with something before it. */
static bool with_prefix(struct tokenizer_piece *piece, struct bytes prefix, struct arena *arena)
{
    char *const text = arena_alloc(arena, prefix.size + piece->length + 1);
    if (text == NULL) {
        return false;
    }
    memcpy(text, prefix.at, prefix.size);
    memcpy(text + prefix.size, piece->text, piece->length);
    piece->text = text;
    piece->length += prefix.size;
    return true;
}

bool tokenizer_split_bytes(const struct tokenizer_split *split, const struct tokenizer_piece *piece,
                           struct tokenizer_pieces *out, struct error *error)
{
    static const uint8_t space[] = " ";
    struct tokenizer_piece whole = *piece;
    struct tokenizer_pieces parts = {.arena = out->arena};
    bool fine = !split->prefix || whole.text[0] == ' ' ||
                with_prefix(&whole, (struct bytes){space, 1}, out->arena);
    if (fine && split->use_pattern) {
        const struct tokenizer_split pattern = {.behaviour = SPLIT_ISOLATED};
        fine = tokenizer_split_pattern(&pattern, &whole, &parts, error);
    } else {
        fine = fine && tokenizer_pieces_put(&parts, whole);
    }
    for (size_t i = 0; fine && i < parts.count; i++) {
        fine = put_byte_letters(&parts.at[i], out);
    }
    return fine || tokenizer_no_memory(error);
}

static bool split_at_sign(const struct tokenizer_split *split, const struct tokenizer_piece *piece,
                          struct tokenizer_pieces *out, struct error *error)
{
    const struct tokenizer_norm sign = {.from = {(const uint8_t *)" ", 1}, .to = split->text};
    struct bytes text = {(const uint8_t *)piece->text, piece->length};
    if (!tokenizer_norm_replace(&sign, out->arena, &text, error)) {
        return false;
    }
    struct tokenizer_piece whole = {(const char *)text.at, text.size, TOKENIZER_TEXT, piece->first};
    const bool begins =
        text.size >= split->text.size && memcmp(text.at, split->text.at, split->text.size) == 0;
    const bool wanted = split->always || (split->first_only && piece->first);
    if (!begins && wanted && !with_prefix(&whole, split->text, out->arena)) {
        return tokenizer_no_memory(error);
    }
    const struct tokenizer_split cut = {.text = split->text, .behaviour = SPLIT_WITH_NEXT};
    return split->parts ? tokenizer_split_pattern(&cut, &whole, out, error)
                        : tokenizer_pieces_put(out, whole) || tokenizer_no_memory(error);
}

static bool is_punctuation(uint32_t code_point)
{
    return unicode_is_punctuation(unicode_in_edition(code_point, UNICODE_8));
}

static bool is_number(uint32_t code_point)
{
    return text_is_number(unicode_in_edition(code_point, UNICODE_17));
}

bool tokenizer_split_bert(const struct tokenizer_split *split, const struct tokenizer_piece *piece,
                          struct tokenizer_pieces *out, struct error *error)
{
    const struct tokenizer_split spaces = {.is = text_is_space, .behaviour = SPLIT_REMOVED};
    const struct tokenizer_split signs = {.is = is_punctuation, .behaviour = SPLIT_ISOLATED};
    struct tokenizer_pieces words = {.arena = out->arena};
    (void)split;
    bool fine = tokenizer_split_pattern(&spaces, piece, &words, error);
    for (size_t i = 0; fine && i < words.count; i++) {
        fine = tokenizer_split_pattern(&signs, &words.at[i], out, error);
    }
    return fine;
}

enum word_class { CLASS_SPACE, CLASS_OF_WORD, CLASS_SIGN };

static enum word_class word_class_of(uint32_t code_point)
{
    return unicode_is_of_word(code_point) ? CLASS_OF_WORD
           : text_is_space(code_point)    ? CLASS_SPACE
                                          : CLASS_SIGN;
}

/* Words, and signs in a row; white space is left out. */
static bool split_into_words(const struct tokenizer_split *split,
                             const struct tokenizer_piece *piece, struct tokenizer_pieces *out,
                             struct error *error)
{
    struct cutter cutter = {.split = split, .piece = piece, .out = out, .fine = true};
    for (size_t at = 0; at < piece->length;) {
        const size_t begin = at;
        const enum word_class class = word_class_of(text_next(piece->text, piece->length, &at));
        for (size_t next = at;
             next < piece->length &&
             word_class_of(text_next(piece->text, piece->length, &next)) == class;) {
            at = next;
        }
        cut_part(&cutter, begin, at, class == CLASS_SPACE);
    }
    put_open(&cutter);
    return cutter.fine || tokenizer_no_memory(error);
}

/* Pieces of so many letters, the last one of what is left. */
static bool split_by_length(const struct tokenizer_split *split,
                            const struct tokenizer_piece *piece, struct tokenizer_pieces *out,
                            struct error *error)
{
    struct cutter cutter = {.split = split, .piece = piece, .out = out, .fine = true};
    for (size_t at = 0; at < piece->length;) {
        const size_t begin = at;
        for (size_t i = 0; i < split->letters && at < piece->length; i++) {
            (void)text_next(piece->text, piece->length, &at);
        }
        cut_part(&cutter, begin, at, true);
    }
    put_open(&cutter);
    return cutter.fine || tokenizer_no_memory(error);
}

/* ---- out of JSON ------------------------------------------------------------------------------
 */

struct reading {
    struct tokenizer *tokenizer;
    const struct json *json;
    const char *type, *file;
    struct error *error;
};

static bool bool_member(const struct json *json, const char *key, bool otherwise)
{
    (void)json_truth(json_member(json, key), &otherwise);
    return otherwise;
}

static bool no_text(const struct reading *reading)
{
    return error_set(reading->error, ERROR_INPUT,
                     "%s: its pre_tokenizer %.40s has no text to split at.", reading->file,
                     reading->type);
}

static bool keep_text(const struct reading *reading, const char *text, struct bytes *out)
{
    *out = (struct bytes){
        (const uint8_t *)arena_text(&reading->tokenizer->arena, text, strlen(text)), strlen(text)};
    return out->at != NULL || tokenizer_no_memory(reading->error);
}

static bool keep_pattern(const struct reading *reading, const char *text,
                         struct tokenizer_split *split)
{
    struct error reason = {ERROR_NONE, 0, ""};
    split->regex = regex_open(text, &reason);
    return split->regex != NULL ||
           error_set(reading->error, reason.code, "%s: %s", reading->file, reason.text);
}

static bool read_behaviour(const struct reading *reading, struct tokenizer_split *split)
{
    static const char *const names[] = {[SPLIT_REMOVED] = "Removed",
                                        [SPLIT_ISOLATED] = "Isolated",
                                        [SPLIT_WITH_PREVIOUS] = "MergedWithPrevious",
                                        [SPLIT_WITH_NEXT] = "MergedWithNext",
                                        [SPLIT_CONTIGUOUS] = "Contiguous"};
    const char *name = "Isolated";
    (void)json_text(json_member(reading->json, "behavior"), &name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            split->behaviour = (enum split_behaviour)i;
            return true;
        }
    }
    return error_set(reading->error, ERROR_INPUT, "%s: its behavior %.40s is not known here.",
                     reading->file, name);
}

static bool read_split(struct reading *reading, struct tokenizer_split *split)
{
    const struct json *const pattern = json_member(reading->json, "pattern");
    const char *text = NULL;
    split->invert = bool_member(reading->json, "invert", false);
    if (!read_behaviour(reading, split)) {
        return false;
    }
    if (json_text(json_member(pattern, "Regex"), &text)) {
        return keep_pattern(reading, text, split);
    }
    return json_text(json_member(pattern, "String"), &text) && text[0] != '\0'
               ? keep_text(reading, text, &split->text)
               : no_text(reading);
}

static bool read_delimiter(struct reading *reading, struct tokenizer_split *split)
{
    const char *text = NULL;
    return json_text(json_member(reading->json, "delimiter"), &text) && text[0] != '\0'
               ? keep_text(reading, text, &split->text)
               : no_text(reading);
}

static bool read_bytes(struct reading *reading, struct tokenizer_split *split)
{
    split->prefix = bool_member(reading->json, "add_prefix_space", true);
    split->use_pattern = bool_member(reading->json, "use_regex", true);
    return true;
}

static bool read_metaspace(struct reading *reading, struct tokenizer_split *split)
{
    const char *sign = "▁", *scheme = "always";
    bool before = true;
    if (json_truth(json_member(reading->json, "add_prefix_space"), &before) && !before) {
        scheme = "never";
    }
    (void)json_text(json_member(reading->json, "prepend_scheme"), &scheme);
    (void)json_text(json_member(reading->json, "replacement"), &sign);
    split->always = strcmp(scheme, "always") == 0;
    split->first_only = strcmp(scheme, "first") == 0;
    if (!split->always && !split->first_only && strcmp(scheme, "never") != 0) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: its prepend_scheme %.40s is not known here.", reading->file, scheme);
    }
    split->parts = bool_member(reading->json, "split", true);
    return sign[0] != '\0' ? keep_text(reading, sign, &split->text) : no_text(reading);
}

static bool read_space_split(struct reading *reading, struct tokenizer_split *split)
{
    (void)reading;
    split->is = text_is_space;
    return true;
}

static bool read_digits(struct reading *reading, struct tokenizer_split *split)
{
    split->is = is_number;
    split->behaviour =
        bool_member(reading->json, "individual_digits", false) ? SPLIT_ISOLATED : SPLIT_CONTIGUOUS;
    return true;
}

static bool read_punctuation(struct reading *reading, struct tokenizer_split *split)
{
    split->is = is_punctuation;
    return read_behaviour(reading, split);
}

static bool read_length(struct reading *reading, struct tokenizer_split *split)
{
    enum { LETTERS = 5 }; /* if the file does not say */
    int64_t letters = LETTERS;
    (void)json_whole_number(json_member(reading->json, "length"), &letters);
    split->letters = letters > 0 ? (size_t)letters : 0;
    split->behaviour = SPLIT_ISOLATED;
    return split->letters > 0 ||
           error_set(
               reading->error, ERROR_INPUT,
               "%s: its pre_tokenizer FixedLength has pieces of %lld letters; 1 is the least.",
               reading->file, (long long)letters);
}

static const struct split_row {
    const char *type;
    bool (*apply)(const struct tokenizer_split *, const struct tokenizer_piece *,
                  struct tokenizer_pieces *, struct error *);
    bool (*read)(struct reading *, struct tokenizer_split *); /* NULL: it has no settings */
} rows[] = {
    {"ByteLevel", tokenizer_split_bytes, read_bytes},
    {"Split", tokenizer_split_pattern, read_split},
    {"Digits", tokenizer_split_pattern, read_digits},
    {"Metaspace", split_at_sign, read_metaspace},
    {"Whitespace", split_into_words, NULL},
    {"WhitespaceSplit", tokenizer_split_pattern, read_space_split},
    {"BertPreTokenizer", tokenizer_split_bert, NULL},
    {"Punctuation", tokenizer_split_pattern, read_punctuation},
    {"CharDelimiterSplit", tokenizer_split_pattern, read_delimiter},
    {"FixedLength", split_by_length, read_length},
};

static bool read_one(struct reading *reading)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    size_t row = 0;
    while (row < sizeof rows / sizeof *rows && strcmp(rows[row].type, reading->type) != 0) {
        row++;
    }
    if (row == sizeof rows / sizeof *rows) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: its pre_tokenizer %.40s is not known here.", reading->file,
                         reading->type);
    }
    if (tokenizer->split_count == TOKENIZER_PARTS_MAX) {
        return error_set(reading->error, ERROR_INPUT, "%s: it has more than %d pre_tokenizers.",
                         reading->file, TOKENIZER_PARTS_MAX);
    }
    struct tokenizer_split *const split = &tokenizer->splits[tokenizer->split_count++];
    *split = (struct tokenizer_split){.apply = rows[row].apply, .behaviour = SPLIT_REMOVED};
    return rows[row].read == NULL || rows[row].read(reading, split);
}

bool tokenizer_split_read(struct tokenizer *tokenizer, const struct json *json, const char *file,
                          struct error *error)
{
    struct reading reading = {tokenizer, json, NULL, file, error};
    if (json_kind_of(json) == JSON_KIND_NULL || json_kind_of(json) == JSON_KIND_NONE) {
        return true;
    }
    if (!json_text(json_member(json, "type"), &reading.type)) {
        return error_set(error, ERROR_INPUT, "%s: its pre_tokenizer has no type.", file);
    }
    if (strcmp(reading.type, "Sequence") != 0) {
        return read_one(&reading);
    }
    const struct json *const parts = json_member(json, "pretokenizers");
    bool fine = true;
    for (size_t i = 0; fine && i < json_count(parts); i++) {
        fine = tokenizer_split_read(tokenizer, json_element(parts, i), file, error);
    }
    return fine;
}
