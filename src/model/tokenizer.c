/* model/tokenizer.c — see tokenizer.h: opening, and the way from a text to ids and back. */
#include "model/tokenizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/readable.h"
#include "base/text.h"
#include "base/unicode.h"
#include "file/folder.h"
#include "file/growing.h"
#include "model/tokenizer_internal.h"

/* ---- opening -----------------------------------------------------------------------------------
 */

struct tokenizer *tokenizer_new(size_t vocabulary, struct error *error)
{
    struct tokenizer *const tokenizer = calloc(1, sizeof *tokenizer);
    const size_t max_ids = vocabulary < VOCABULARY_IDS_MAX ? vocabulary : VOCABULARY_IDS_MAX;
    if (tokenizer == NULL ||
        !vocabulary_start(&tokenizer->vocabulary, max_ids, &tokenizer->arena)) {
        tokenizer_close(tokenizer);
        tokenizer_no_memory(error);
        return NULL;
    }
    tokenizer->limit = max_ids;
    tokenizer->unknown = TOKENIZER_TEXT;
    tokenizer->bpe = (struct bpe){
        .vocabulary = &tokenizer->vocabulary, .prefix = "", .suffix = "", .unknown = BPE_NOWHERE};
    tokenizer->single.count = 1;
    tokenizer->single.at[0].kind = TEMPLATE_FIRST;
    tokenizer->pair.count = 2;
    tokenizer->pair.at[0].kind = TEMPLATE_FIRST;
    tokenizer->pair.at[1].kind = TEMPLATE_SECOND;
    tokenizer->pair.at[1].type = 1;
    return tokenizer;
}

static bool read_whole(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                       const char *unused, struct error *error)
{
    (void)unused;
    struct json *const tree = folder_json(file_handle_path(folder), file, error);
    const bool fine =
        tree != NULL &&
        tokenizer_norm_read(tokenizer, json_member(tree, "normalizer"), file, error) &&
        tokenizer_split_read(tokenizer, json_member(tree, "pre_tokenizer"), file, error) &&
        tokenizer_model_read(tokenizer, json_member(tree, "model"), file, error) &&
        tokenizer_read_added(tokenizer, json_member(tree, "added_tokens"), file, error) &&
        tokenizer_read_template(tokenizer, json_member(tree, "post_processor"), file, error) &&
        tokenizer_read_decoder(tokenizer, json_member(tree, "decoder"), file, error);
    json_release(tree);
    return fine;
}

/* The ways a folder may hold a tokenizer, the first that is there is read. */
static const struct tokenizer_kind {
    const char *file, *other; /* other NULL: all stands in one file */
    bool (*read)(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                 const char *other, struct error *error);
} kinds[] = {
    {"tokenizer.json", NULL, read_whole},
    {"source.spm", "vocab.json", tokenizer_read_marian},
    {"sentencepiece.bpe.model", "vocab.json", tokenizer_read_m2m},
    {"vocab.json", "merges.txt", tokenizer_read_pair},
    {"encoder.json", "vocab.bpe", tokenizer_read_pair},
    {"tokenizer.model", NULL, tokenizer_read_spm},
    {"spiece.model", NULL, tokenizer_read_spm},
    {"sentencepiece.bpe.model", NULL, tokenizer_read_spm},
    {"vocab.txt", NULL, tokenizer_read_lines},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static size_t kind_of(const char *folder)
{
    size_t kind = 0;
    while (kind < KINDS &&
           !(folder_has(folder, kinds[kind].file) &&
             (kinds[kind].other == NULL || folder_has(folder, kinds[kind].other)))) {
        kind++;
    }
    return kind;
}

struct tokenizer *tokenizer_open(struct file_handle *folder, size_t vocabulary, struct error *error)
{
    const size_t kind = kind_of(file_handle_path(folder));
    if (kind == KINDS) {
        error_set(error, ERROR_FILE,
                  "The folder holds no tokenizer: tokenizer.json, vocab.json with merges.txt, "
                  "tokenizer.model, spiece.model, sentencepiece.bpe.model, source.spm with "
                  "vocab.json, or vocab.txt.");
        return NULL;
    }
    struct tokenizer *const tokenizer = tokenizer_new(vocabulary, error);
    if (tokenizer != NULL &&
        !(kinds[kind].read(tokenizer, folder, kinds[kind].file, kinds[kind].other, error) &&
          tokenizer_finish(tokenizer, error))) {
        tokenizer_close(tokenizer);
        return NULL;
    }
    return tokenizer;
}

struct tokenizer *tokenizer_open_target(struct file_handle *folder, size_t vocabulary,
                                        struct error *error)
{
    const char *const path = file_handle_path(folder);
    const size_t kind = kind_of(path);
    if (kind == KINDS || kinds[kind].read != tokenizer_read_marian ||
        !folder_has(path, "target.spm")) {
        return NULL;
    }
    const char *const vocab =
        folder_has(path, "target_vocab.json") ? "target_vocab.json" : "vocab.json";
    struct tokenizer *const tokenizer = tokenizer_new(vocabulary, error);
    if (tokenizer != NULL &&
        !(tokenizer_read_marian(tokenizer, folder, "target.spm", vocab, error) &&
          tokenizer_finish(tokenizer, error))) {
        tokenizer_close(tokenizer);
        return NULL;
    }
    return tokenizer;
}

void tokenizer_close(struct tokenizer *tokenizer)
{
    if (tokenizer != NULL) {
        for (size_t i = 0; i < tokenizer->norm_count; i++) {
            regex_close(tokenizer->norms[i].regex);
        }
        for (size_t i = 0; i < tokenizer->split_count; i++) {
            regex_close(tokenizer->splits[i].regex);
        }
        arena_free(&tokenizer->arena);
        free(tokenizer);
    }
}

const char *tokenizer_doubt(const struct tokenizer *tokenizer)
{
    return tokenizer->doubt == NULL ? "" : tokenizer->doubt;
}

static bool no_memory_for_text(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this text.");
}

/* ---- added tokens in a text --------------------------------------------------------------------
 */

/* The longest word of a list that the text begins with; NULL: none. */
static const struct word *longest_word(const struct words *words, const char *text, size_t length)
{
    struct words_walk walk = {.started = false};
    const struct word *found = NULL, *word = NULL;
    while (words_next(words, text, length, &walk, &word)) {
        found = word;
    }
    return found;
}

/* Returns whether letters of a word stand at either side of text[begin … end). */
static bool is_in_word(const char *text, size_t length, size_t begin, size_t end)
{
    size_t before = begin;
    while (before > 0 && begin - before < 4 &&
           (before == begin || ((uint8_t)text[before] & 0xC0) == 0x80)) {
        before--;
    }
    return (begin > 0 && unicode_is_of_word(text_next(text, begin, &before))) ||
           (end < length && unicode_is_of_word(text_next(text, length, &end)));
}

/* Where white space before text[at] begins, not before `from`; and where that behind it ends. */
static size_t space_before(const char *text, size_t from, size_t at)
{
    size_t begin = at;
    bool inside = false;
    for (size_t next = from; next < at;) {
        const size_t here = next;
        const bool space = text_is_space(text_next(text, at, &next));
        begin = space && !inside ? here : space ? begin : at;
        inside = space;
    }
    return begin;
}

static size_t space_behind(const char *text, size_t length, size_t at)
{
    for (size_t next = at; next < length; at = next) {
        if (!text_is_space(text_next(text, length, &next))) {
            break;
        }
    }
    return at;
}

/* Cuts a piece at the added tokens of a list. */
static bool cut_at_added(const struct tokenizer *tokenizer, const struct words *words,
                         const struct tokenizer_piece *piece, struct tokenizer_pieces *out)
{
    const char *const text = piece->text;
    size_t from = 0;
    bool fine = true;
    for (size_t at = 0; fine && words->count > 0 && at < piece->length;) {
        const struct word *const word = longest_word(words, text + at, piece->length - at);
        if (word == NULL) {
            at++;
            continue;
        }
        const struct tokenizer_added *const added = &tokenizer->added[word->value];
        size_t begin = at, end = at + word->length;
        at = end;
        if (added->alone && is_in_word(text, piece->length, begin, end)) {
            continue;
        }
        begin = added->left ? space_before(text, from, begin) : begin;
        end = added->right ? space_behind(text, piece->length, end) : end;
        fine = tokenizer_pieces_put(out, (struct tokenizer_piece){text + from, begin - from,
                                                                  TOKENIZER_TEXT,
                                                                  piece->first && from == 0}) &&
               tokenizer_pieces_put(
                   out, (struct tokenizer_piece){text + begin, end - begin, added->id, false});
        from = at = end;
    }
    return fine && tokenizer_pieces_put(
                       out, (struct tokenizer_piece){text + from, piece->length - from,
                                                     TOKENIZER_TEXT, piece->first && from == 0});
}

/* ---- a text ------------------------------------------------------------------------------------
 */

/* The state of one encoding. */
struct work {
    const struct tokenizer *tokenizer;
    struct arena arena;
    struct tokenizer_bench bench;
    struct error *error;
};

static bool normalise_piece(struct work *work, struct tokenizer_piece *piece)
{
    struct bytes text = {(const uint8_t *)piece->text, piece->length};
    for (size_t i = 0; i < work->tokenizer->norm_count; i++) {
        const struct tokenizer_norm *const norm = &work->tokenizer->norms[i];
        if ((piece->first || !norm->first_only) &&
            !norm->apply(norm, &work->arena, &text, work->error)) {
            return false;
        }
    }
    piece->text = (const char *)text.at;
    piece->length = text.size;
    return true;
}

/* The pieces that the model looks at, and added tokens between them. */
static bool cut_text(struct work *work, struct bytes text, struct tokenizer_pieces *pieces)
{
    const struct tokenizer *const tokenizer = work->tokenizer;
    const struct tokenizer_piece whole = {(const char *)text.at, text.size, TOKENIZER_TEXT, true};
    struct tokenizer_pieces raw = {.arena = &work->arena};
    *pieces = (struct tokenizer_pieces){.arena = &work->arena};
    if (!cut_at_added(tokenizer, &tokenizer->raw, &whole, &raw)) {
        return no_memory_for_text(work->error);
    }
    for (size_t i = 0; i < raw.count; i++) {
        struct tokenizer_piece piece = raw.at[i];
        if (piece.id == TOKENIZER_TEXT && !normalise_piece(work, &piece)) {
            return false;
        }
        if (!(piece.id == TOKENIZER_TEXT
                  ? cut_at_added(tokenizer, &tokenizer->normalised, &piece, pieces)
                  : tokenizer_pieces_put(pieces, piece))) {
            return no_memory_for_text(work->error);
        }
    }
    for (size_t s = 0; s < tokenizer->split_count; s++) {
        const struct tokenizer_split *const split = &tokenizer->splits[s];
        struct tokenizer_pieces parts = {.arena = &work->arena};
        for (size_t i = 0; i < pieces->count; i++) {
            const struct tokenizer_piece *const piece = &pieces->at[i];
            if (!(piece->id == TOKENIZER_TEXT ? split->apply(split, piece, &parts, work->error)
                                              : tokenizer_pieces_put(&parts, *piece))) {
                return piece->id == TOKENIZER_TEXT ? false : no_memory_for_text(work->error);
            }
        }
        *pieces = parts;
    }
    return true;
}

/* Some ids. */
struct row {
    uint32_t *ids;
    size_t count;
};

static bool encode_text(struct work *work, struct bytes text, struct row *row)
{
    struct tokenizer_pieces pieces;
    size_t room = 1;
    if (text.size > TOKENIZER_TEXT_MAX) {
        return error_set(work->error, ERROR_INPUT, "This text is too long: more than %d MiB.",
                         TOKENIZER_TEXT_MAX >> 20);
    }
    if (!cut_text(work, text, &pieces)) {
        return false;
    }
    for (size_t i = 0; i < pieces.count; i++) {
        room += pieces.at[i].length + 1;
    }
    *row = (struct row){arena_array(&work->arena, room, sizeof *row->ids), 0};
    if (row->ids == NULL) {
        return no_memory_for_text(work->error);
    }
    for (size_t i = 0; i < pieces.count; i++) {
        const struct tokenizer_piece *const piece = &pieces.at[i];
        if (piece->id != TOKENIZER_TEXT) {
            row->ids[row->count++] = piece->id;
        } else if (!tokenizer_model_piece(work->tokenizer, &work->bench, piece->text, piece->length,
                                          row->ids, &row->count, work->error)) {
            return false;
        }
    }
    return true;
}

static bool check_ids(const struct tokenizer *tokenizer, const struct tokenizer_output *output,
                      struct error *error)
{
    for (size_t i = 0; i < output->count; i++) {
        if (output->ids[i] >= tokenizer->limit) {
            return error_set(error, ERROR_INPUT,
                             "A token of this text has the id %u, but the model has %zu tokens.",
                             output->ids[i], tokenizer->limit);
        }
    }
    return true;
}

/* Both texts with what stands around them. */
static bool assemble_ids(const struct tokenizer_template *template, const struct row rows[2],
                         bool bare, struct arena *arena, struct tokenizer_output *output)
{
    const size_t room = rows[0].count + rows[1].count + TOKENIZER_PARTS_MAX;
    uint32_t *const ids = arena_array(arena, room, sizeof *ids);
    uint8_t *const types = arena_array(arena, room, sizeof *types);
    size_t count = 0;
    bool taken[2] = {false, false};
    for (size_t i = 0; ids != NULL && types != NULL && i < template->count; i++) {
        const size_t from = template->at[i].kind == TEMPLATE_SECOND ? 1 : 0;
        const bool text = template->at[i].kind != TEMPLATE_TOKEN;
        const size_t tokens = text ? (taken[from] ? 0 : rows[from].count) : bare ? 0 : 1;
        if (text && tokens > 0) {
            memcpy(ids + count, rows[from].ids, tokens * sizeof *ids);
            taken[from] = true;
        } else if (tokens > 0) {
            ids[count] = template->at[i].id;
        }
        memset(types + count, template->at[i].type, tokens);
        count += tokens;
    }
    output->ids = ids;
    output->types = types;
    output->count = count;
    return ids != NULL && types != NULL;
}

bool tokenizer_encode_as(const struct tokenizer *tokenizer, const struct tokenizer_input *input,
                         struct arena *arena, struct tokenizer_output *output, struct error *error)
{
    struct work work = {.tokenizer = tokenizer, .error = error};
    struct row rows[2] = {{NULL, 0}, {NULL, 0}};
    bool done = encode_text(&work, input->text, &rows[0]) &&
                (!input->has_pair || encode_text(&work, input->pair, &rows[1]));
    done = done && (assemble_ids(input->has_pair ? &tokenizer->pair : &tokenizer->single, rows,
                                 input->bare, arena, output) ||
                    no_memory_for_text(error));
    output->steps = work.bench.bpe.steps;
    bpe_bench_free(&work.bench.bpe);
    arena_free(&work.bench.arena);
    arena_free(&work.arena);
    return done && check_ids(tokenizer, output, error);
}

static bool encode_one(const struct tokenizer *tokenizer, struct bytes text, bool bare,
                       struct arena *arena, const uint32_t **ids, size_t *count,
                       struct error *error)
{
    const struct tokenizer_input input = {.text = text, .bare = bare};
    struct tokenizer_output output;
    if (!tokenizer_encode_as(tokenizer, &input, arena, &output, error)) {
        return false;
    }
    *ids = output.ids;
    *count = output.count;
    return true;
}

bool tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t length,
                      struct arena *arena, const uint32_t **ids, size_t *count, struct error *error)
{
    return encode_one(tokenizer, (struct bytes){(const uint8_t *)text, length}, false, arena, ids,
                      count, error);
}

bool tokenizer_encode_bare(const struct tokenizer *tokenizer, const char *text, size_t length,
                           struct arena *arena, const uint32_t **ids, size_t *count,
                           struct error *error)
{
    return encode_one(tokenizer, (struct bytes){(const uint8_t *)text, length}, true, arena, ids,
                      count, error);
}

/* ---- back to text ------------------------------------------------------------------------------
 */

/* The token as the file writes it; at NULL for an id that is not in the vocabulary. */
static struct bytes token_of(const struct tokenizer *tokenizer, uint32_t id, bool *added)
{
    *added = false;
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        if (tokenizer->added[i].id == id) {
            *added = true;
            return tokenizer->added[i].text;
        }
    }
    return id < tokenizer->vocabulary.size ? tokenizer->vocabulary.tokens[id]
                                           : (struct bytes){NULL, 0};
}

/* "<0xE2>" as its byte; −1: it is none. */
static int byte_by_name(struct bytes token)
{
    static const char digits[] = "0123456789ABCDEF";
    if (token.size != 6 || memcmp(token.at, "<0x", 3) != 0 || token.at[5] != '>') {
        return -1;
    }
    const char *const high = strchr(digits, token.at[3]), *const low = strchr(digits, token.at[4]);
    return token.at[3] == 0 || token.at[4] == 0 || high == NULL || low == NULL
               ? -1
               : (int)((high - digits) * 16 + (low - digits));
}

/* The letters of a token as the bytes they stand for; false: one stands for none. */
static bool put_letters_as_bytes(struct bytes token, struct growing *out)
{
    uint8_t bytes[VOCABULARY_TOKEN_BYTES_MAX];
    size_t size = 0;
    for (size_t at = 0; at < token.size;) {
        const int byte = readable_byte_of(text_next((const char *)token.at, token.size, &at));
        if (byte < 0) {
            return false;
        }
        bytes[size++] = (uint8_t)byte;
    }
    growing_put(out, bytes, size);
    return true;
}

static bool stands_at(struct bytes token, size_t at, struct bytes part)
{
    return part.size > 0 && at + part.size <= token.size &&
           memcmp(token.at + at, part.at, part.size) == 0;
}

/* The text that a token stands for. */
static void put_token(const struct tokenizer *tokenizer, struct bytes token, bool added,
                      struct growing *out)
{
    const int byte = tokenizer->bytes_by_name ? byte_by_name(token) : -1;
    if (byte >= 0) {
        growing_put_byte(out, (char)(uint8_t)byte);
        return;
    }
    if (added || (tokenizer->letters_are_bytes && put_letters_as_bytes(token, out))) {
        growing_put(out, token.at, added ? token.size : 0);
        return;
    }
    for (size_t at = 0; at < token.size;) {
        const bool space = stands_at(token, at, tokenizer->space);
        const bool end =
            at + tokenizer->ending.size == token.size && stands_at(token, at, tokenizer->ending);
        if (space || end) {
            growing_put_byte(out, ' ');
            at += space ? tokenizer->space.size : tokenizer->ending.size;
        } else {
            growing_put_byte(out, (char)token.at[at++]);
        }
    }
}

bool tokenizer_decode(const struct tokenizer *tokenizer, const uint32_t *ids, size_t count,
                      struct arena *arena, struct bytes *text, struct error *error)
{
    struct growing growing = growing_start(arena);
    for (size_t i = 0; i < count; i++) {
        bool added = false;
        struct bytes token = token_of(tokenizer, ids[i], &added);
        const bool joined = i > 0 && !added && stands_at(token, 0, tokenizer->joined);
        if (joined) {
            token.at += tokenizer->joined.size;
            token.size -= tokenizer->joined.size;
        } else if (i > 0 && tokenizer->words_apart) {
            growing_put_byte(&growing, ' ');
        }
        put_token(tokenizer, token, added, &growing);
    }
    if (!growing_finish(&growing, text, error)) {
        return false;
    }
    if (tokenizer->first_space && text->size > 0 && text->at[0] == ' ') {
        text->at++;
        text->size--;
    }
    return true;
}

const char *tokenizer_shown(const struct tokenizer *tokenizer, uint32_t id, struct arena *arena)
{
    bool added = false;
    const struct bytes token = token_of(tokenizer, id, &added);
    struct growing growing = growing_start(arena);
    struct bytes bytes;
    if (token.size == 0) {
        return arena_format(arena, "#%lu", (unsigned long)id);
    }
    put_token(tokenizer, token, added, &growing);
    return growing_finish(&growing, &bytes, NULL) ? readable_bytes(bytes, arena) : NULL;
}
