/* model/bpe.c — see bpe.h: the files are read, then merging. Text is split in pieces.c. */
#include "model/bpe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "file/growing.h"
#include "file/json.h"
#include "model/folder.h"

struct bpe_merge {
    uint32_t left, right, merged; /* ids */
    uint32_t rank;                /* its place in the list; smaller is merged first */
};

/* A token that is looked for before text is split. */
struct bpe_special {
    const char *text;
    size_t length;
    uint32_t id;
};

struct bpe {
    struct arena arena;         /* everything below stands here */
    const struct bytes *tokens; /* [size] by id; size 0: no such id */
    size_t size;
    uint32_t byte_id[256];    /* the token of a single byte */
    struct bpe_merge *merges; /* by left, then right */
    size_t merge_count;
    const size_t *first_merge; /* [size + 1] of each left */
    struct bpe_special specials[BPE_SPECIALS_MAX];
    size_t special_count;
    bool special_first[256]; /* whether a special token begins with this byte */
};

/* --- a tokenizer out of the files of a folder ---
 *
 *     vocab.json      {"token": id, …}
 *     merges.txt      left right, one pair a line, the first is best
 *     tokenizer.json  {"model": {"vocab": …, "merges": ["left right" or ["left", "right"], …]},
 *                      "added_tokens": [{"id": …, "content": "<|endoftext|>"}, …]}
 *
 * In all of them a byte is written as a letter: 33–126, 161–172 and 174–255 as the letter of that
 * number, the other 68 in their order as U+0100 … U+0143, so that a space is Ġ. */

enum {
    BYTE_LETTERS = 0x144, /* code points that may stand for a byte are below */
    NO_BYTE = -1,
};

/* What one reading works with. */
struct reading {
    struct bpe *bpe;
    const struct json *vocab; /* token → id */
    struct bytes *tokens;     /* bpe's, while they are filled in */
    size_t vocabulary;        /* ids must be below */
    const char *file;         /* name of the one that is read, for sentences */
    int16_t byte_of[BYTE_LETTERS];
    struct error *error;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the tokenizer.");
}

/* ---- bytes as letters ---------------------------------------------------------------------- */

static bool stands_for_itself(unsigned byte)
{
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

static void list_byte_letters(int16_t byte_of[BYTE_LETTERS])
{
    int16_t next = 256;
    for (size_t i = 0; i < BYTE_LETTERS; i++) {
        byte_of[i] = NO_BYTE;
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        byte_of[stands_for_itself(byte) ? (int16_t)byte : next++] = (int16_t)byte;
    }
}

/* The bytes that a token's letters stand for. A token of other letters (one that was added) is its
 * own UTF-8. */
static bool spell(struct reading *reading, const char *token, size_t length, struct bytes *out)
{
    uint8_t *const bytes = (uint8_t *)arena_text(&reading->bpe->arena, token, length);
    size_t size = 0;
    if (bytes == NULL) {
        return no_memory(reading->error);
    }
    for (size_t at = 0; at < length;) {
        const uint32_t letter = text_next(token, length, &at);
        if (letter >= BYTE_LETTERS || reading->byte_of[letter] == NO_BYTE) {
            memcpy(bytes, token, length);
            size = length;
            break;
        }
        bytes[size++] = (uint8_t)reading->byte_of[letter];
    }
    *out = (struct bytes){bytes, size};
    return true;
}

/* ---- the vocabulary ------------------------------------------------------------------------ */

static bool check_id(const struct reading *reading, const char *token, const struct json *value,
                     size_t *id)
{
    int64_t number = 0;
    if (!json_whole_number(value, &number) || number < 0) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: the id of “%.40s” is no whole number from 0 up.", reading->file,
                         token);
    }
    const size_t most = reading->vocabulary < BPE_IDS_MAX ? reading->vocabulary : BPE_IDS_MAX;
    if ((uint64_t)number >= most) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: the id of “%.40s” is %lld, but the model has %zu tokens.",
                         reading->file, token, (long long)number, most);
    }
    *id = (size_t)number;
    return true;
}

static bool take_token(struct reading *reading, const char *token, const struct json *value)
{
    const size_t length = strlen(token);
    size_t id = 0;
    if (length == 0 || length > BPE_TOKEN_BYTES_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: a token has %zu bytes; 1 to %d are allowed.", reading->file, length,
                         BPE_TOKEN_BYTES_MAX);
    }
    if (!check_id(reading, token, value, &id)) {
        return false;
    }
    if (reading->tokens[id].size > 0) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: “%.40s” and another token share the id %zu.", reading->file, token,
                         id);
    }
    if (id >= reading->bpe->size) {
        reading->bpe->size = id + 1;
    }
    return spell(reading, token, length, &reading->tokens[id]);
}

/* Every single byte must be a token, or some text could not be written at all. */
static bool find_bytes(struct reading *reading)
{
    struct bpe *const bpe = reading->bpe;
    bool found[256] = {false};
    for (size_t id = 0; id < bpe->size; id++) {
        if (bpe->tokens[id].size == 1) {
            bpe->byte_id[bpe->tokens[id].at[0]] = (uint32_t)id;
            found[bpe->tokens[id].at[0]] = true;
        }
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        if (!found[byte]) {
            return error_set(reading->error, ERROR_INPUT, "%s: no token stands for the byte %02X.",
                             reading->file, byte);
        }
    }
    return true;
}

static bool read_vocab(struct reading *reading, const struct json *vocab)
{
    const size_t count = json_count(vocab);
    const char *token = NULL;
    void *place = NULL;
    if (json_kind_of(vocab) != JSON_KIND_OBJECT) {
        return error_set(reading->error, ERROR_INPUT, "%s: it holds no object of tokens and ids.",
                         reading->file);
    }
    if (count > BPE_TOKENS_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: it has %zu tokens, at most %d can be read.", reading->file, count,
                         BPE_TOKENS_MAX);
    }
    const size_t ids = reading->vocabulary < BPE_IDS_MAX ? reading->vocabulary : BPE_IDS_MAX;
    reading->tokens = arena_array(&reading->bpe->arena, ids + 1, sizeof *reading->tokens);
    if (reading->tokens == NULL) {
        return no_memory(reading->error);
    }
    reading->bpe->tokens = reading->tokens;
    reading->vocab = vocab;
    for (const struct json *id; (id = json_next_member(vocab, &place, &token)) != NULL;) {
        if (!take_token(reading, token, id)) {
            return false;
        }
    }
    return find_bytes(reading);
}

/* ---- merges -------------------------------------------------------------------------------- */

static bool id_of(const struct reading *reading, const char *token, size_t rank, uint32_t *id)
{
    int64_t number = 0;
    if (!json_whole_number(json_member(reading->vocab, token), &number)) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: merge %zu speaks of “%.40s”, which is not in the vocabulary.",
                         reading->file, rank + 1, token);
    }
    *id = (uint32_t)number;
    return true;
}

static bool take_merge(struct reading *reading, const char *left, size_t left_length,
                       const char *right, size_t right_length)
{
    char text[2 * BPE_TOKEN_BYTES_MAX + 1];
    struct bpe *const bpe = reading->bpe;
    struct bpe_merge *const merge = &bpe->merges[bpe->merge_count];
    if (left_length == 0 || right_length == 0 || left_length > BPE_TOKEN_BYTES_MAX ||
        right_length > BPE_TOKEN_BYTES_MAX) {
        return error_set(reading->error, ERROR_INPUT, "%s: merge %zu is no pair of tokens.",
                         reading->file, bpe->merge_count + 1);
    }
    merge->rank = (uint32_t)bpe->merge_count;
    memcpy(text, left, left_length);
    text[left_length] = '\0';
    bool fine = id_of(reading, text, bpe->merge_count, &merge->left);
    memcpy(text, right, right_length);
    text[right_length] = '\0';
    fine = fine && id_of(reading, text, bpe->merge_count, &merge->right);
    memcpy(text, left, left_length);
    memcpy(text + left_length, right, right_length);
    text[left_length + right_length] = '\0';
    fine = fine && id_of(reading, text, bpe->merge_count, &merge->merged);
    bpe->merge_count += fine;
    return fine;
}

/* "left right", as a whole. */
static bool take_merge_line(struct reading *reading, const char *line, size_t length)
{
    const char *const space = memchr(line, ' ', length);
    if (space == NULL || memchr(space + 1, ' ', length - (size_t)(space + 1 - line)) != NULL) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: merge %zu is no pair of tokens with one space between them.",
                         reading->file, reading->bpe->merge_count + 1);
    }
    const size_t left = (size_t)(space - line);
    return take_merge(reading, line, left, space + 1, length - left - 1);
}

static bool make_room_for_merges(struct reading *reading, size_t count)
{
    if (count > BPE_TOKENS_MAX) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: it has %zu merges, at most %d can be read.", reading->file, count,
                         BPE_TOKENS_MAX);
    }
    reading->bpe->merges =
        arena_array(&reading->bpe->arena, count + 1, sizeof *reading->bpe->merges);
    return reading->bpe->merges != NULL || no_memory(reading->error);
}

/* The next line, its end not counted; false behind the last. Tokens hold no white space of their
 * own, but other lines must not vanish: white space within a line is looked at by the caller. */
static bool next_line(struct bytes text, size_t *at, const char **line, size_t *length)
{
    if (*at >= text.size) {
        return false;
    }
    const uint8_t *const begin = text.at + *at;
    const uint8_t *const end = memchr(begin, '\n', text.size - *at);
    *length = end == NULL ? text.size - *at : (size_t)(end - begin);
    *at += *length + 1;
    *line = (const char *)begin;
    *length -= *length > 0 && begin[*length - 1] == '\r';
    return true;
}

static bool read_merge_lines(struct reading *reading, struct bytes text)
{
    const char *line = NULL;
    size_t length = 0, lines = 1, at = lines_start(text);
    for (size_t i = 0; i < text.size; i++) {
        lines += text.at[i] == '\n';
    }
    if (!make_room_for_merges(reading, lines - (lines > 1))) {
        return false;
    }
    for (size_t number = 0; next_line(text, &at, &line, &length); number++) {
        const bool version = number == 0 && length >= 9 && memcmp(line, "#version:", 9) == 0;
        if (length > BPE_LINE_BYTES_MAX) {
            return error_set(reading->error, ERROR_INPUT, "%s: line %zu is longer than %d bytes.",
                             reading->file, number + 1, BPE_LINE_BYTES_MAX);
        }
        if (length > 0 && !version && !take_merge_line(reading, line, length)) {
            return false;
        }
    }
    return true;
}

static bool read_merge_list(struct reading *reading, const struct json *merges)
{
    const size_t count = json_count(merges);
    if (json_kind_of(merges) != JSON_KIND_ARRAY) {
        return error_set(reading->error, ERROR_INPUT, "%s: it has no list of merges.",
                         reading->file);
    }
    if (!make_room_for_merges(reading, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct json *const merge = json_element(merges, i);
        const char *left = NULL, *right = NULL;
        const bool pair = json_count(merge) == 2 && json_text(json_element(merge, 0), &left) &&
                          json_text(json_element(merge, 1), &right);
        if (pair ? !take_merge(reading, left, strlen(left), right, strlen(right))
            : !json_text(merge, &left) ? !take_merge_line(reading, "", 0)
                                       : !take_merge_line(reading, left, strlen(left))) {
            return false;
        }
    }
    return true;
}

static int compare_merges(const void *left, const void *right)
{
    const struct bpe_merge *const a = left, *const b = right;
    return a->left != b->left     ? (a->left < b->left ? -1 : 1)
           : a->right != b->right ? (a->right < b->right ? -1 : 1)
                                  : (a->rank > b->rank) - (a->rank < b->rank);
}

/* By left and right, so that a pair is found in few steps whatever the file holds. */
static bool sort_merges(struct reading *reading)
{
    struct bpe *const bpe = reading->bpe;
    size_t *const first = arena_array(&bpe->arena, bpe->size + 1, sizeof *first);
    if (first == NULL) {
        return no_memory(reading->error);
    }
    qsort(bpe->merges, bpe->merge_count, sizeof *bpe->merges, compare_merges);
    size_t next = 0;
    for (size_t id = 0; id <= bpe->size; id++) {
        while (next < bpe->merge_count && bpe->merges[next].left < id) {
            next++;
        }
        first[id] = next;
    }
    for (size_t i = 1; i < bpe->merge_count; i++) {
        const struct bpe_merge *const merge = &bpe->merges[i];
        if (merge[-1].left == merge->left && merge[-1].right == merge->right) {
            return error_set(reading->error, ERROR_INPUT, "%s: merges %u and %u are the same pair.",
                             reading->file, merge[-1].rank + 1, merge->rank + 1);
        }
    }
    bpe->first_merge = first;
    return true;
}

/* ---- special tokens ------------------------------------------------------------------------ */

static bool add_special(struct reading *reading, const char *text, size_t id)
{
    struct bpe *const bpe = reading->bpe;
    if (bpe->special_count == BPE_SPECIALS_MAX) {
        return error_set(reading->error, ERROR_INPUT, "%s: it has more than %d added tokens.",
                         reading->file, BPE_SPECIALS_MAX);
    }
    struct bpe_special *const special = &bpe->specials[bpe->special_count++];
    *special = (struct bpe_special){arena_text(&bpe->arena, text, strlen(text)), strlen(text),
                                    (uint32_t)id};
    if (special->text == NULL) {
        return no_memory(reading->error);
    }
    bpe->special_first[(uint8_t)text[0]] = true;
    return true;
}

static bool read_added(struct reading *reading, const struct json *added)
{
    for (size_t i = 0; i < json_count(added); i++) {
        const struct json *const entry = json_element(added, i);
        const char *text = NULL;
        size_t id = 0;
        if (!json_text(json_member(entry, "content"), &text) || text[0] == '\0' ||
            strlen(text) > BPE_TOKEN_BYTES_MAX) {
            return error_set(reading->error, ERROR_INPUT, "%s: added token %zu has no content.",
                             reading->file, i + 1);
        }
        if (!check_id(reading, text, json_member(entry, "id"), &id) ||
            !add_special(reading, text, id)) {
            return false;
        }
        struct bytes *const token = &reading->tokens[id];
        if (token->size == 0) {
            *token = (struct bytes){(const uint8_t *)reading->bpe->specials[i].text, strlen(text)};
        }
        reading->bpe->size = id >= reading->bpe->size ? id + 1 : reading->bpe->size;
    }
    return true;
}

static bool read_end_of_text(struct reading *reading)
{
    static const char end_of_text[] = "<|endoftext|>";
    int64_t id = 0;
    return !json_whole_number(json_member(reading->vocab, end_of_text), &id) ||
           add_special(reading, end_of_text, (size_t)id);
}

/* ---- files --------------------------------------------------------------------------------- */

static bool read_pair(struct reading *reading, const char *folder, const char *vocab,
                      const char *merges)
{
    struct arena arena = {0};
    struct bytes text;
    reading->file = vocab;
    struct json *const tree = folder_json(folder, vocab, reading->error);
    bool fine = tree != NULL && read_vocab(reading, tree);
    reading->file = merges;
    fine = fine && folder_read(folder, merges, BPE_FILE_MAX, &arena, &text, reading->error) &&
           read_merge_lines(reading, text) && read_end_of_text(reading) && sort_merges(reading);
    arena_free(&arena);
    json_release(tree);
    return fine;
}

static bool read_one(struct reading *reading, const char *folder, const char *file)
{
    reading->file = file;
    struct json *const tree = folder_json(folder, file, reading->error);
    if (tree == NULL) {
        return false;
    }
    const struct json *const model = json_member(tree, "model");
    const char *type = "BPE";
    (void)json_text(json_member(model, "type"), &type);
    const bool fine = strcmp(type, "BPE") != 0
                          ? error_set(reading->error, ERROR_INPUT,
                                      "%s: its model is %.40s, only BPE can be read.", file, type)
                          : read_vocab(reading, json_member(model, "vocab")) &&
                                read_merge_list(reading, json_member(model, "merges")) &&
                                read_added(reading, json_member(tree, "added_tokens")) &&
                                sort_merges(reading);
    json_release(tree);
    return fine;
}

struct bpe *bpe_open(const char *folder, size_t vocabulary, struct error *error)
{
    static const struct {
        const char *vocab, *merges; /* merges NULL: all stands in one file */
    } kinds[] = {
        {"vocab.json", "merges.txt"}, {"encoder.json", "vocab.bpe"}, {"tokenizer.json", NULL}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    size_t kind = 0;
    while (kind < KINDS &&
           !(folder_has(folder, kinds[kind].vocab) &&
             (kinds[kind].merges == NULL || folder_has(folder, kinds[kind].merges)))) {
        kind++;
    }
    if (kind == KINDS) {
        error_set(error, ERROR_FILE,
                  "The folder holds no tokenizer: neither vocab.json with merges.txt, nor "
                  "tokenizer.json.");
        return NULL;
    }
    struct bpe *const bpe = calloc(1, sizeof *bpe);
    if (bpe == NULL) {
        no_memory(error);
        return NULL;
    }
    struct reading reading = {.bpe = bpe, .vocabulary = vocabulary, .error = error};
    list_byte_letters(reading.byte_of);
    const bool fine = kinds[kind].merges == NULL
                          ? read_one(&reading, folder, kinds[kind].vocab)
                          : read_pair(&reading, folder, kinds[kind].vocab, kinds[kind].merges);
    if (!fine) {
        bpe_close(bpe);
        return NULL;
    }
    return bpe;
}

void bpe_close(struct bpe *bpe)
{
    if (bpe != NULL) {
        arena_free(&bpe->arena);
        free(bpe);
    }
}

static bool no_memory_for_text(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this text.");
}

/* ---- the list of merges -------------------------------------------------------------------- */

/* The merge of two neighbours; NULL: they stay two. */
static const struct bpe_merge *merge_of(const struct bpe *bpe, uint32_t left, uint32_t right)
{
    size_t low = bpe->first_merge[left], high = bpe->first_merge[left + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (bpe->merges[middle].right == right) {
            return &bpe->merges[middle];
        }
        if (bpe->merges[middle].right < right) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

/* ---- one piece ----------------------------------------------------------------------------- */

#define NOWHERE UINT32_MAX /* no neighbour; no token */

/* A token of the piece, linked to its neighbours. */
struct link {
    uint32_t id; /* NOWHERE: it was taken into the one before */
    uint32_t former, next;
};

/* A pair that may be merged: a smaller rank first, of equal ones the leftmost. */
struct candidate {
    uint32_t rank, at;
    uint32_t left, right; /* as they were when it was offered */
};

/* Memory for merging a piece of `room` bytes: each merge takes one offer away and makes two. */
struct bench {
    struct arena arena;
    size_t room;
    struct link *links;
    struct candidate *heap;
    size_t candidates;
    size_t steps; /* links laid, offers moved in the heap */
};

static bool is_before(const struct candidate *a, const struct candidate *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void push(struct bench *bench, struct candidate candidate)
{
    size_t at = bench->candidates++;
    bench->steps++;
    while (at > 0 && is_before(&candidate, &bench->heap[(at - 1) / 2])) {
        bench->heap[at] = bench->heap[(at - 1) / 2];
        at = (at - 1) / 2;
        bench->steps++;
    }
    bench->heap[at] = candidate;
}

static struct candidate pop(struct bench *bench)
{
    const struct candidate first = bench->heap[0], moved = bench->heap[--bench->candidates];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < bench->candidates &&
            is_before(&bench->heap[child + 1], &bench->heap[child])) {
            child++;
        }
        if (child >= bench->candidates || !is_before(&bench->heap[child], &moved)) {
            break;
        }
        bench->heap[at] = bench->heap[child];
        at = child;
        bench->steps++;
    }
    bench->heap[at] = moved;
    return first;
}

static void push_pair(const struct bpe *bpe, struct bench *bench, uint32_t at)
{
    const uint32_t next = at == NOWHERE ? NOWHERE : bench->links[at].next;
    if (next == NOWHERE) {
        return;
    }
    const uint32_t left = bench->links[at].id, right = bench->links[next].id;
    const struct bpe_merge *const merge = merge_of(bpe, left, right);
    if (merge != NULL) {
        push(bench, (struct candidate){merge->rank, at, left, right});
    }
}

/* Merges one piece; its tokens are those of the links that are left. */
static void merge_piece(const struct bpe *bpe, struct bench *bench, const char *piece,
                        uint32_t length)
{
    struct link *const links = bench->links;
    for (uint32_t i = 0; i < length; i++) {
        links[i] = (struct link){bpe->byte_id[(uint8_t)piece[i]], i == 0 ? NOWHERE : i - 1,
                                 i + 1 == length ? NOWHERE : i + 1};
    }
    bench->candidates = 0;
    bench->steps += length;
    for (uint32_t i = 0; i < length; i++) {
        push_pair(bpe, bench, i);
    }
    while (bench->candidates > 0) {
        const struct candidate candidate = pop(bench);
        struct link *const link = &links[candidate.at];
        if (link->id != candidate.left || link->next == NOWHERE ||
            links[link->next].id != candidate.right) {
            continue; /* one of the two has become part of another token meanwhile */
        }
        struct link *const taken = &links[link->next];
        link->id = merge_of(bpe, candidate.left, candidate.right)->merged;
        link->next = taken->next;
        taken->id = NOWHERE;
        if (link->next != NOWHERE) {
            links[link->next].former = candidate.at;
        }
        push_pair(bpe, bench, link->former);
        push_pair(bpe, bench, candidate.at);
    }
}

/* ---- a text -------------------------------------------------------------------------------- */

/* What an encoding writes to: at most one id a byte. */
struct output {
    uint32_t *ids;
    size_t count;
};

/* The special token that text begins with, the longest of several; NULL: none. */
static const struct bpe_special *special_at(const struct bpe *bpe, const char *text, size_t length)
{
    const struct bpe_special *found = NULL;
    for (size_t i = 0; i < bpe->special_count; i++) {
        const struct bpe_special *const special = &bpe->specials[i];
        if (special->length <= length && memcmp(special->text, text, special->length) == 0 &&
            (found == NULL || special->length > found->length)) {
            found = special;
        }
    }
    return found;
}

/* The end of the text before the next special token. */
static size_t plain_end(const struct bpe *bpe, const char *text, size_t length, size_t at)
{
    while (at < length && !(bpe->special_first[(uint8_t)text[at]] &&
                            special_at(bpe, text + at, length - at) != NULL)) {
        at++;
    }
    return at;
}

static bool make_room(struct bench *bench, size_t length)
{
    if (length <= bench->room) {
        return true;
    }
    bench->room = length > 2 * bench->room ? length : 2 * bench->room;
    bench->links = arena_array(&bench->arena, bench->room, sizeof *bench->links);
    bench->heap = arena_array(&bench->arena, 3 * bench->room, sizeof *bench->heap);
    return bench->links != NULL && bench->heap != NULL;
}

static bool encode_plain(const struct bpe *bpe, struct bench *bench, const char *text,
                         size_t length, struct output *out)
{
    for (size_t at = 0; at < length;) {
        const size_t end = bpe_piece_end(text, length, at);
        if (!make_room(bench, end - at)) {
            return false;
        }
        merge_piece(bpe, bench, text + at, (uint32_t)(end - at));
        for (uint32_t i = 0; i != NOWHERE; i = bench->links[i].next) {
            out->ids[out->count++] = bench->links[i].id;
        }
        at = end;
    }
    return true;
}

bool bpe_encode_counted(const struct bpe *bpe, const char *text, size_t length, struct arena *arena,
                        const uint32_t **ids, size_t *count, size_t *steps, struct error *error)
{
    if (length > BPE_FILE_MAX) {
        return error_set(error, ERROR_INPUT, "This text is too long: more than %d MiB.",
                         BPE_FILE_MAX >> 20);
    }
    struct output out = {arena_array(arena, length + 1, sizeof *out.ids), 0};
    struct bench bench = {.room = 0};
    bool done = out.ids != NULL;
    for (size_t at = 0; done && at < length;) {
        const size_t end = plain_end(bpe, text, length, at);
        done = encode_plain(bpe, &bench, text + at, end - at, &out);
        at = end;
        if (at < length) {
            const struct bpe_special *const special = special_at(bpe, text + at, length - at);
            out.ids[out.count++] = special->id;
            at += special->length;
        }
    }
    arena_free(&bench.arena);
    *ids = out.ids;
    *count = out.count;
    *steps = bench.steps;
    return done || no_memory_for_text(error);
}

bool bpe_encode(const struct bpe *bpe, const char *text, size_t length, struct arena *arena,
                const uint32_t **ids, size_t *count, struct error *error)
{
    size_t steps = 0;
    return bpe_encode_counted(bpe, text, length, arena, ids, count, &steps, error);
}

/* ---- back to text -------------------------------------------------------------------------- */

/* The bytes of a token, owned by bpe; size 0 for an id that is not in the vocabulary. */
static struct bytes bpe_bytes(const struct bpe *bpe, uint32_t id)
{
    return id < bpe->size ? bpe->tokens[id] : (struct bytes){NULL, 0};
}

bool bpe_decode(const struct bpe *bpe, const uint32_t *ids, size_t count, struct arena *arena,
                struct bytes *text, struct error *error)
{
    struct growing growing = growing_start(arena);
    for (size_t i = 0; i < count; i++) {
        const struct bytes bytes = bpe_bytes(bpe, ids[i]);
        growing_put(&growing, bytes.at, bytes.size);
    }
    return growing_finish(&growing, text, error);
}

/* The mark for a letter that has no shape of its own; NULL: it has one. */
static const char *mark_of(uint32_t code_point)
{
    static const struct {
        uint32_t code_point;
        const char *mark;
    } marks[] = {{' ', "␣"}, {'\n', "↵"}, {'\t', "⇥"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (marks[i].code_point == code_point) {
            return marks[i].mark;
        }
    }
    return NULL;
}

const char *bpe_shown(const struct bpe *bpe, uint32_t id, struct arena *arena)
{
    enum { MARK_BYTES = 8 }; /* of ⟨E2⟩ */
    const struct bytes bytes = bpe_bytes(bpe, id);
    if (bytes.size == 0) {
        return arena_format(arena, "#%lu", (unsigned long)id);
    }
    char shown[MARK_BYTES * BPE_TOKEN_BYTES_MAX + 1];
    size_t length = 0;
    for (size_t at = 0; at < bytes.size;) {
        const size_t begin = at;
        const uint32_t code_point = text_next((const char *)bytes.at, bytes.size, &at);
        const bool broken = code_point == 0xFFFD && at - begin == 1;
        const bool control = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
        const char *const mark = mark_of(code_point);
        if (mark != NULL) {
            length += (size_t)snprintf(shown + length, sizeof shown - length, "%s", mark);
        } else if (broken || control) {
            for (size_t i = begin; i < at; i++) {
                length += (size_t)snprintf(shown + length, sizeof shown - length, "⟨%02X⟩",
                                           (unsigned)bytes.at[i]);
            }
        } else {
            memcpy(shown + length, bytes.at + begin, at - begin);
            length += at - begin;
        }
    }
    return arena_text(arena, shown, length);
}
