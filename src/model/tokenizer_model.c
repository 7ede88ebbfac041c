/* model/tokenizer_model.c — the models of tokenizers but byte-pair encoding (model/bpe.c): how a
 * piece becomes ids.
 *
 *     WordPiece   the longest token that the rest of a word begins with, again and again
 *     Unigram     of all ways to cut a piece into tokens the one with the largest sum of scores
 *                 (Kudo 2018, found by Viterbi's algorithm)
 *     WordLevel   a piece is a token */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/tokenizer_internal.h"

/* The state of reading one model of a tokenizer. */
struct reading {
    struct tokenizer *tokenizer;
    const struct json *json;
    const char *file;
    struct error *error;
};

static bool bool_member(const struct json *json, const char *key)
{
    bool value = false;
    (void)json_truth(json_member(json, key), &value);
    return value;
}

static const char *text_of(struct reading *reading, const char *key, const char *otherwise)
{
    (void)json_text(json_member(reading->json, key), &otherwise);
    return arena_text(&reading->tokenizer->arena, otherwise, strlen(otherwise));
}

/* The token for what is not known, where the file names one that it has. */
static void find_unknown(struct reading *reading, const char *otherwise)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    (void)json_text(json_member(reading->json, "unk_token"), &otherwise);
    tokenizer->unknown = TOKENIZER_TEXT;
    if (otherwise != NULL) {
        (void)vocabulary_find(&tokenizer->vocabulary, otherwise, strlen(otherwise),
                              &tokenizer->unknown);
    }
}

/* ---- byte-pair encoding ------------------------------------------------------------------------
 */

static bool read_bpe(struct reading *reading)
{
    enum { MARK_MAX = 64 };
    struct tokenizer *const tokenizer = reading->tokenizer;
    struct bpe *const bpe = &tokenizer->bpe;
    double dropout = 0;
    if (json_number(json_member(reading->json, "dropout"), &dropout) && dropout > 0) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: its model has a dropout of %g: other merges are left out each time, "
                         "so a text has no ids of its own.",
                         reading->file, dropout);
    }
    bpe->prefix = text_of(reading, "continuing_subword_prefix", "");
    bpe->suffix = text_of(reading, "end_of_word_suffix", "");
    if (bpe->prefix == NULL || bpe->suffix == NULL) {
        return tokenizer_no_memory(reading->error);
    }
    if (strlen(bpe->prefix) > MARK_MAX || strlen(bpe->suffix) > MARK_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: a mark within words has more than %d bytes.", reading->file,
                         MARK_MAX);
    }
    if (!tokenizer_read_vocabulary(tokenizer, json_member(reading->json, "vocab"), reading->file,
                                   reading->error) ||
        !tokenizer_read_merges(tokenizer, json_member(reading->json, "merges"), reading->file,
                               reading->error)) {
        return false;
    }
    find_unknown(reading, NULL);
    bpe->unknown = tokenizer->unknown;
    bpe->fuse_unknown = bool_member(reading->json, "fuse_unk");
    bpe->bytes = bool_member(reading->json, "byte_fallback");
    bpe->whole = bool_member(reading->json, "ignore_merges");
    tokenizer->ending = (struct bytes){(const uint8_t *)bpe->suffix, strlen(bpe->suffix)};
    return bpe_letters(bpe) && bpe_finish(bpe, reading->file, &tokenizer->arena, reading->error);
}

static bool as_bpe(const struct tokenizer *tokenizer, struct tokenizer_bench *bench,
                   const char *piece, size_t length, uint32_t *ids, size_t *count,
                   struct error *error)
{
    size_t at = *count;
    if (!bpe_piece(&tokenizer->bpe, &bench->bpe, piece, length, ids, count)) {
        return tokenizer_no_memory(error);
    }
    for (; tokenizer->piece_ids != NULL && at < *count; at++) {
        ids[at] = tokenizer->piece_ids[ids[at]];
    }
    return true;
}

/* ---- WordPiece ---------------------------------------------------------------------------------
 */

static bool read_wordpiece(struct reading *reading)
{
    enum { LETTERS = 100 };
    struct tokenizer *const tokenizer = reading->tokenizer;
    int64_t letters = LETTERS;
    tokenizer->prefix = text_of(reading, "continuing_subword_prefix", "##");
    if (tokenizer->prefix == NULL) {
        return tokenizer_no_memory(reading->error);
    }
    (void)json_whole_number(json_member(reading->json, "max_input_chars_per_word"), &letters);
    tokenizer->word_letters_max = letters < 0 || letters > VOCABULARY_TOKEN_BYTES_MAX
                                      ? VOCABULARY_TOKEN_BYTES_MAX
                                      : (size_t)letters;
    if (!tokenizer_read_vocabulary(tokenizer, json_member(reading->json, "vocab"), reading->file,
                                   reading->error)) {
        return false;
    }
    find_unknown(reading, "[UNK]");
    return true;
}

static size_t count_letters(const char *text, size_t length)
{
    size_t letters = 0;
    for (size_t at = 0; at < length; letters++) {
        (void)text_next(text, length, &at);
    }
    return letters;
}

/* Where the letter before text[at] begins. */
static size_t letter_before(const char *text, size_t at)
{
    do {
        at--;
    } while (at > 0 && ((uint8_t)text[at] & 0xC0) == 0x80);
    return at;
}

/* The longest token that begins at text[at]; where it ends, at: there is none. */
static size_t longest_token(const struct tokenizer *tokenizer, const char *text, size_t length,
                            size_t at, uint32_t *id)
{
    char marked[2 * VOCABULARY_TOKEN_BYTES_MAX];
    const size_t mark = at == 0 ? 0 : strlen(tokenizer->prefix);
    if (mark >= VOCABULARY_TOKEN_BYTES_MAX) {
        return at;
    }
    memcpy(marked, tokenizer->prefix, mark);
    for (size_t end = length; end > at; end = letter_before(text, end)) {
        const size_t bytes = end - at;
        if (bytes > VOCABULARY_TOKEN_BYTES_MAX) {
            continue;
        }
        memcpy(marked + mark, text + at, bytes);
        if (vocabulary_find(&tokenizer->vocabulary, marked, mark + bytes, id)) {
            return end;
        }
    }
    return at;
}

static bool no_token(const char *piece, size_t length, struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "“%.*s” is not in the model's vocabulary, which has no token for unknown "
                     "words.",
                     (int)(length < 60 ? length : 60), piece);
}

static bool as_wordpiece(const struct tokenizer *tokenizer, const char *piece, size_t length,
                         uint32_t *ids, size_t *count, struct error *error)
{
    const size_t former = *count;
    size_t at = 0;
    bool known = count_letters(piece, length) <= tokenizer->word_letters_max;
    while (known && at < length) {
        const size_t end = longest_token(tokenizer, piece, length, at, &ids[*count]);
        known = end > at;
        *count += known;
        at = end;
    }
    if (!known && tokenizer->unknown == TOKENIZER_TEXT) {
        return no_token(piece, length, error);
    }
    if (!known) {
        *count = former;
        ids[(*count)++] = tokenizer->unknown;
    }
    return true;
}

/* ---- WordLevel ---------------------------------------------------------------------------------
 */

static bool read_wordlevel(struct reading *reading)
{
    if (!tokenizer_read_vocabulary(reading->tokenizer, json_member(reading->json, "vocab"),
                                   reading->file, reading->error)) {
        return false;
    }
    find_unknown(reading, NULL);
    return true;
}

static bool as_wordlevel(const struct tokenizer *tokenizer, const char *piece, size_t length,
                         uint32_t *ids, size_t *count, struct error *error)
{
    uint32_t id = tokenizer->unknown;
    if (!vocabulary_find(&tokenizer->vocabulary, piece, length, &id) && id == TOKENIZER_TEXT) {
        return no_token(piece, length, error);
    }
    ids[(*count)++] = id;
    return true;
}

/* ---- Unigram -----------------------------------------------------------------------------------
 */

static bool bad_entry(struct reading *reading, size_t index)
{
    return error_set(reading->error, ERROR_INPUT,
                     "%s: entry %zu of the vocabulary is no token with its score.", reading->file,
                     index + 1);
}

/* All tokens of the vocabulary may be chosen. */
static bool sort_vocabulary(struct tokenizer *tokenizer, struct error *error)
{
    struct tokenizer_unigram *const unigram = &tokenizer->unigram;
    const struct vocabulary *const vocabulary = &tokenizer->vocabulary;
    double min_score = INFINITY;
    unigram->count = vocabulary->size;
    unigram->words.at =
        arena_array(&tokenizer->arena, vocabulary->size + 1, sizeof *unigram->words.at);
    if (unigram->words.at == NULL) {
        return tokenizer_no_memory(error);
    }
    for (size_t id = 0; id < vocabulary->size; id++) {
        const struct bytes text = vocabulary->tokens[id];
        min_score = unigram->scores[id] < min_score ? unigram->scores[id] : min_score;
        if (text.size > 0) {
            unigram->words.at[unigram->words.count++] =
                (struct word){(const char *)text.at, (uint32_t)text.size, (uint32_t)id};
        }
    }
    tokenizer_unigram_sort(tokenizer, min_score);
    return true;
}

static bool read_unigram(struct reading *reading)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    const struct json *const vocab = json_member(reading->json, "vocab");
    const size_t count = json_count(vocab);
    int64_t unknown = -1;
    if (json_kind_of(vocab) != JSON_KIND_ARRAY || count == 0) {
        return error_set(reading->error, ERROR_INPUT, "%s: it has no list of tokens and scores.",
                         reading->file);
    }
    if (count > tokenizer->limit || count > VOCABULARY_TOKENS_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: it has %zu tokens, but the model has %zu.", reading->file, count,
                         tokenizer->limit);
    }
    double *const scores = arena_array(&tokenizer->arena, count, sizeof *scores);
    for (size_t i = 0; scores != NULL && i < count; i++) {
        const struct json *const entry = json_element(vocab, i);
        const char *text = NULL;
        if (!json_text(json_element(entry, 0), &text) ||
            !json_number(json_element(entry, 1), &scores[i])) {
            return bad_entry(reading, i);
        }
        if (!tokenizer_put_token(tokenizer, reading->file, text, strlen(text), i, reading->error)) {
            return false;
        }
    }
    tokenizer->unigram.scores = scores;
    (void)json_whole_number(json_member(reading->json, "unk_id"), &unknown);
    tokenizer->unknown =
        unknown >= 0 && unknown < (int64_t)count ? (uint32_t)unknown : TOKENIZER_TEXT;
    tokenizer->byte_tokens = bool_member(reading->json, "byte_fallback");
    if (scores == NULL || !vocabulary_finish(&tokenizer->vocabulary, &tokenizer->arena)) {
        return tokenizer_no_memory(reading->error);
    }
    return sort_vocabulary(tokenizer, reading->error);
}

void tokenizer_unigram_sort(struct tokenizer *tokenizer, double min_score)
{
    enum { BELOW_MIN_SCORE = 10 };
    words_sort(&tokenizer->unigram.words);
    tokenizer->unigram.unknown_score = min_score - BELOW_MIN_SCORE;
    bpe_letters(&tokenizer->bpe);
}

/* The best way to a place in the piece: its score, and where its last token begins. */
struct node {
    double score;
    uint32_t from, id;
    bool reached;
};

static void offer_way(struct node *node, double score, size_t from, uint32_t id)
{
    if (!node->reached || score > node->score) {
        *node = (struct node){score, (uint32_t)from, id, true};
    }
}

static void find_ways(const struct tokenizer *tokenizer, const char *piece, size_t length,
                      struct node *nodes)
{
    const struct tokenizer_unigram *const unigram = &tokenizer->unigram;
    for (size_t at = 0; at < length;) {
        size_t behind = at;
        bool single = false;
        struct words_walk walk = {.started = false};
        const struct word *word = NULL;
        (void)text_next(piece, length, &behind);
        while (words_next(&unigram->words, piece + at, length - at, &walk, &word)) {
            offer_way(&nodes[at + word->length], nodes[at].score + unigram->scores[word->value], at,
                      word->value);
            single = single || word->length == behind - at;
        }
        if (!single) {
            offer_way(&nodes[behind], nodes[at].score + unigram->unknown_score, at, TOKENIZER_TEXT);
        }
        at = behind;
    }
}

/* The ids of what is not known: its bytes, or one token. */
static bool put_unknown(const struct tokenizer *tokenizer, const char *text, size_t length,
                        uint32_t *ids, size_t *count, struct error *error)
{
    bool bytes = tokenizer->byte_tokens;
    for (size_t i = 0; bytes && i < length; i++) {
        bytes = tokenizer->bpe.byte_tokens[(uint8_t)text[i]] != BPE_NOWHERE;
    }
    if (!bytes && tokenizer->unknown == TOKENIZER_TEXT) {
        return no_token(text, length, error);
    }
    for (size_t i = 0; i < (bytes ? length : 1); i++) {
        ids[(*count)++] = bytes ? tokenizer->bpe.byte_tokens[(uint8_t)text[i]] : tokenizer->unknown;
    }
    return true;
}

/* Returns whether a piece stands for what no other does. */
static bool is_unknown(const struct tokenizer *tokenizer, uint32_t piece)
{
    return piece == TOKENIZER_TEXT || (tokenizer->piece_ids == NULL && piece == tokenizer->unknown);
}

static bool as_unigram(const struct tokenizer *tokenizer, struct tokenizer_bench *bench,
                       const char *piece, size_t length, uint32_t *ids, size_t *count,
                       struct error *error)
{
    arena_reset(&bench->arena);
    struct node *const nodes = arena_array(&bench->arena, length + 1, sizeof *nodes);
    uint32_t *const ends = arena_array(&bench->arena, length + 1, sizeof *ends);
    size_t tokens = 0;
    if (nodes == NULL || ends == NULL) {
        return tokenizer_no_memory(error);
    }
    find_ways(tokenizer, piece, length, nodes);
    for (size_t at = length; at > 0; at = nodes[at].from) {
        ends[tokens++] = (uint32_t)at;
    }
    bool fine = true;
    while (fine && tokens > 0) {
        const struct node *const node = &nodes[ends[--tokens]];
        /* what is unknown in a row, or is the token for it, is one */
        const bool unknown = is_unknown(tokenizer, node->id);
        size_t end = ends[tokens];
        while (unknown && tokens > 0 && is_unknown(tokenizer, nodes[ends[tokens - 1]].id)) {
            end = ends[--tokens];
        }
        if (unknown) {
            fine = put_unknown(tokenizer, piece + node->from, end - node->from, ids, count, error);
        } else {
            ids[(*count)++] =
                tokenizer->piece_ids != NULL ? tokenizer->piece_ids[node->id] : node->id;
        }
    }
    return fine;
}

/* ---- any ----------------------------------------------------------------------------------------
 */

bool tokenizer_model_read(struct tokenizer *tokenizer, const struct json *json, const char *file,
                          struct error *error)
{
    static const struct {
        const char *type;
        enum tokenizer_model model;
        bool (*read)(struct reading *reading);
    } rows[] = {
        {"BPE", MODEL_BPE, read_bpe},
        {"WordPiece", MODEL_WORDPIECE, read_wordpiece},
        {"Unigram", MODEL_UNIGRAM, read_unigram},
        {"WordLevel", MODEL_WORDLEVEL, read_wordlevel},
    };
    struct reading reading = {tokenizer, json, file, error};
    const char *type = "BPE"; /* files of the first years do not say it */
    if (json_member(json, "merges") == NULL &&
        json_kind_of(json_member(json, "vocab")) == JSON_KIND_OBJECT) {
        type = json_member(json, "continuing_subword_prefix") != NULL ? "WordPiece" : "WordLevel";
    }
    if (json_kind_of(json_member(json, "vocab")) == JSON_KIND_ARRAY) {
        type = "Unigram";
    }
    (void)json_text(json_member(json, "type"), &type);
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        if (strcmp(rows[row].type, type) == 0) {
            tokenizer->model = rows[row].model;
            return rows[row].read(&reading);
        }
    }
    return error_set(error, ERROR_INPUT, "%s: its model %.40s is not known here.", file, type);
}

bool tokenizer_model_piece(const struct tokenizer *tokenizer, struct tokenizer_bench *bench,
                           const char *piece, size_t length, uint32_t *ids, size_t *count,
                           struct error *error)
{
    switch (tokenizer->model) {
    case MODEL_BPE:
        return as_bpe(tokenizer, bench, piece, length, ids, count, error);
    case MODEL_WORDPIECE:
        return as_wordpiece(tokenizer, piece, length, ids, count, error);
    case MODEL_UNIGRAM:
        return as_unigram(tokenizer, bench, piece, length, ids, count, error);
    case MODEL_WORDLEVEL:
        break;
    }
    return as_wordlevel(tokenizer, piece, length, ids, count, error);
}
