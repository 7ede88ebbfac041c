/* model/bpe.c — see bpe.h. */
#include "model/bpe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/unicode.h"

/* ---- the list of merges -------------------------------------------------------------------- */

static int compare_merges(const void *left, const void *right)
{
    const struct bpe_merge *const a = left, *const b = right;
    return a->left != b->left     ? (a->left < b->left ? -1 : 1)
           : a->right != b->right ? (a->right < b->right ? -1 : 1)
                                  : (a->rank > b->rank) - (a->rank < b->rank);
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the tokenizer.");
}

/* By left and right, so that a pair is found in few steps whatever the file holds. */
static bool sort_merges(struct bpe *bpe, const char *file, struct arena *arena, struct error *error)
{
    const size_t size = bpe->vocabulary->size;
    size_t *const first = arena_array(arena, size + 1, sizeof *first);
    if (first == NULL) {
        return no_memory(error);
    }
    qsort(bpe->merges, bpe->merge_count, sizeof *bpe->merges, compare_merges);
    size_t next = 0;
    for (size_t id = 0; id <= size; id++) {
        while (next < bpe->merge_count && bpe->merges[next].left < id) {
            next++;
        }
        first[id] = next;
    }
    for (size_t i = 1; i < bpe->merge_count; i++) {
        const struct bpe_merge *const merge = &bpe->merges[i];
        if (merge[-1].left == merge->left && merge[-1].right == merge->right) {
            return error_set(error, ERROR_INPUT, "%s: merges %u and %u are the same pair.", file,
                             merge[-1].rank + 1, merge->rank + 1);
        }
    }
    bpe->first_merge = first;
    return true;
}

bool bpe_letters(struct bpe *bpe)
{
    for (uint32_t letter = 0; letter < BPE_LETTERS; letter++) {
        char text[4];
        const size_t length = unicode_write(letter, text);
        if (!vocabulary_find(bpe->vocabulary, text, length, &bpe->letters[letter])) {
            bpe->letters[letter] = BPE_NOWHERE;
        }
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        char name[8];
        snprintf(name, sizeof name, "<0x%02X>", byte);
        if (!vocabulary_find(bpe->vocabulary, name, strlen(name), &bpe->byte_tokens[byte])) {
            bpe->byte_tokens[byte] = BPE_NOWHERE;
        }
    }
    return true;
}

bool bpe_finish(struct bpe *bpe, const char *file, struct arena *arena, struct error *error)
{
    return bpe->scores != NULL || sort_merges(bpe, file, arena, error);
}

/* A pair that may be merged: a smaller rank first, of equal ones the leftmost. */
struct bpe_candidate {
    uint32_t rank, at;
    uint32_t left, right; /* as they were when it was offered */
    uint32_t merged;
};

/* A rank that is smaller for a higher score: the bits of a float are ordered as whole numbers are,
 * where its sign is looked at. */
static uint32_t rank_of_score(float score)
{
    uint32_t bits = 0;
    memcpy(&bits, &score, sizeof bits);
    return (bits & 0x80000000U) != 0 ? bits : 0x7FFFFFFFU - bits;
}

/* The token that both make, if it is one. */
static bool join_by_score(const struct bpe *bpe, struct bpe_candidate *pair)
{
    char text[2 * VOCABULARY_TOKEN_BYTES_MAX];
    const struct bytes left = bpe->vocabulary->tokens[pair->left];
    const struct bytes right = bpe->vocabulary->tokens[pair->right];
    if (left.size + right.size > VOCABULARY_TOKEN_BYTES_MAX) {
        return false;
    }
    memcpy(text, left.at, left.size);
    memcpy(text + left.size, right.at, right.size);
    if (!vocabulary_find(bpe->vocabulary, text, left.size + right.size, &pair->merged)) {
        return false;
    }
    pair->rank = rank_of_score(bpe->scores[pair->merged]);
    return true;
}

/* Rank and token of two neighbours; false: they stay two. */
static bool find_merge(const struct bpe *bpe, struct bpe_candidate *pair)
{
    if (bpe->scores != NULL) {
        return join_by_score(bpe, pair);
    }
    size_t low = bpe->first_merge[pair->left], high = bpe->first_merge[pair->left + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct bpe_merge *const merge = &bpe->merges[middle];
        if (merge->right == pair->right) {
            pair->rank = merge->rank;
            pair->merged = merge->merged;
            return true;
        }
        if (merge->right < pair->right) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}

/* ---- one piece ----------------------------------------------------------------------------- */

/* A token of the piece, linked to its neighbours. */
struct bpe_link {
    uint32_t id; /* BPE_NOWHERE: it was taken into the one before */
    uint32_t former, next;
};

static bool is_before(const struct bpe_candidate *a, const struct bpe_candidate *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void push_candidate(struct bpe_bench *bench, struct bpe_candidate candidate)
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

static struct bpe_candidate pop_candidate(struct bpe_bench *bench)
{
    const struct bpe_candidate first = bench->heap[0], moved = bench->heap[--bench->candidates];
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

static void push_pair(const struct bpe *bpe, struct bpe_bench *bench, uint32_t at)
{
    const uint32_t next = at == BPE_NOWHERE ? BPE_NOWHERE : bench->links[at].next;
    if (next == BPE_NOWHERE) {
        return;
    }
    struct bpe_candidate pair = {
        .at = at, .left = bench->links[at].id, .right = bench->links[next].id};
    if (find_merge(bpe, &pair)) {
        push_candidate(bench, pair);
    }
}

static void append_link(struct bpe_bench *bench, uint32_t id)
{
    const uint32_t at = (uint32_t)bench->count++;
    bench->links[at] = (struct bpe_link){id, at == 0 ? BPE_NOWHERE : at - 1, BPE_NOWHERE};
    if (at > 0) {
        bench->links[at - 1].next = at;
    }
}

/* The token of a letter with what stands before and behind it. */
static bool token_of(const struct bpe *bpe, const char *letter, size_t length, bool first,
                     bool last, uint32_t *id)
{
    const char *const prefix = first ? "" : bpe->prefix;
    const char *const suffix = last ? bpe->suffix : "";
    if (prefix[0] == '\0' && suffix[0] == '\0') {
        return vocabulary_find(bpe->vocabulary, letter, length, id);
    }
    char text[3 * VOCABULARY_TOKEN_BYTES_MAX];
    const int size = snprintf(text, sizeof text, "%s%.*s%s", prefix, (int)length, letter, suffix);
    return vocabulary_find(bpe->vocabulary, text, (size_t)size, id);
}

/* A letter's bytes as tokens; false: one of them has none. */
static bool lay_bytes(const struct bpe *bpe, struct bpe_bench *bench, const char *letter,
                      size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bpe->byte_tokens[(uint8_t)letter[i]] == BPE_NOWHERE) {
            return false;
        }
    }
    for (size_t i = 0; i < length; i++) {
        append_link(bench, bpe->byte_tokens[(uint8_t)letter[i]]);
    }
    return true;
}

/* The letters of a piece as tokens, none merged yet. */
static void lay_letters(const struct bpe *bpe, struct bpe_bench *bench, const char *piece,
                        size_t length)
{
    bool unknown = false; /* one was met, and waits for those that follow it */
    const bool plain = bpe->prefix[0] == '\0' && bpe->suffix[0] == '\0';
    for (size_t at = 0; at < length;) {
        const size_t begin = at;
        const uint32_t letter = text_next(piece, length, &at);
        const bool direct = plain && letter < BPE_LETTERS;
        uint32_t id = direct ? bpe->letters[letter] : BPE_NOWHERE;
        if (direct ? id != BPE_NOWHERE
                   : token_of(bpe, piece + begin, at - begin, begin == 0, at == length, &id)) {
            if (unknown) {
                append_link(bench, bpe->unknown);
                unknown = false;
            }
            append_link(bench, id);
        } else if (bpe->bytes && lay_bytes(bpe, bench, piece + begin, at - begin)) {
            continue;
        } else if (bpe->unknown != BPE_NOWHERE) {
            if (unknown && !bpe->fuse_unknown) {
                append_link(bench, bpe->unknown);
            }
            unknown = true;
        }
    }
    if (unknown) {
        append_link(bench, bpe->unknown);
    }
}

static void merge_pairs(const struct bpe *bpe, struct bpe_bench *bench)
{
    struct bpe_link *const links = bench->links;
    bench->candidates = 0;
    for (uint32_t i = 0; i < bench->count; i++) {
        push_pair(bpe, bench, i);
    }
    while (bench->candidates > 0) {
        const struct bpe_candidate candidate = pop_candidate(bench);
        struct bpe_link *const link = &links[candidate.at];
        if (link->id != candidate.left || link->next == BPE_NOWHERE ||
            links[link->next].id != candidate.right) {
            continue; /* one of the two has become part of another token meanwhile */
        }
        struct bpe_link *const taken = &links[link->next];
        link->id = candidate.merged;
        link->next = taken->next;
        taken->id = BPE_NOWHERE;
        if (link->next != BPE_NOWHERE) {
            links[link->next].former = candidate.at;
        }
        push_pair(bpe, bench, link->former);
        push_pair(bpe, bench, candidate.at);
    }
}

/* Each merge takes one offer away and makes two. */
static bool make_room(struct bpe_bench *bench, size_t length)
{
    if (length <= bench->room) {
        return true;
    }
    bench->room = length > 2 * bench->room ? length : 2 * bench->room;
    bench->links = arena_array(&bench->arena, bench->room, sizeof *bench->links);
    bench->heap = arena_array(&bench->arena, 3 * bench->room, sizeof *bench->heap);
    return bench->links != NULL && bench->heap != NULL;
}

bool bpe_piece(const struct bpe *bpe, struct bpe_bench *bench, const char *piece, size_t length,
               uint32_t *out, size_t *count)
{
    if (bpe->whole && vocabulary_find(bpe->vocabulary, piece, length, &out[*count])) {
        *count += 1;
        return true;
    }
    if (!make_room(bench, length)) {
        return false;
    }
    bench->count = 0;
    lay_letters(bpe, bench, piece, length);
    bench->steps += bench->count;
    merge_pairs(bpe, bench);
    for (uint32_t i = 0; bench->count > 0 && i != BPE_NOWHERE; i = bench->links[i].next) {
        out[(*count)++] = bench->links[i].id;
    }
    return true;
}

void bpe_bench_free(struct bpe_bench *bench)
{
    arena_free(&bench->arena);
    *bench = (struct bpe_bench){.room = 0};
}
