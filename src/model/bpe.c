/* model/bpe.c — see bpe.h: merging. The files are read in bpe_read.c, text is split in pieces.c. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "file/growing.h"
#include "model/bpe_parts.h"

static bool no_memory(struct error *error)
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
struct offer {
    uint32_t rank, at;
    uint32_t left, right; /* as they were when it was offered */
};

/* Memory for merging a piece of `room` bytes: each merge takes one offer away and makes two. */
struct bench {
    struct arena arena;
    size_t room;
    struct link *links;
    struct offer *heap;
    size_t offers;
    size_t steps; /* links laid, offers moved in the heap */
};

static bool is_before(const struct offer *a, const struct offer *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

static void push(struct bench *bench, struct offer offer)
{
    size_t at = bench->offers++;
    bench->steps++;
    while (at > 0 && is_before(&offer, &bench->heap[(at - 1) / 2])) {
        bench->heap[at] = bench->heap[(at - 1) / 2];
        at = (at - 1) / 2;
        bench->steps++;
    }
    bench->heap[at] = offer;
}

static struct offer pop(struct bench *bench)
{
    const struct offer first = bench->heap[0], moved = bench->heap[--bench->offers];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < bench->offers && is_before(&bench->heap[child + 1], &bench->heap[child])) {
            child++;
        }
        if (child >= bench->offers || !is_before(&bench->heap[child], &moved)) {
            break;
        }
        bench->heap[at] = bench->heap[child];
        at = child;
        bench->steps++;
    }
    bench->heap[at] = moved;
    return first;
}

static void offer_pair(const struct bpe *bpe, struct bench *bench, uint32_t at)
{
    const uint32_t next = at == NOWHERE ? NOWHERE : bench->links[at].next;
    if (next == NOWHERE) {
        return;
    }
    const uint32_t left = bench->links[at].id, right = bench->links[next].id;
    const struct bpe_merge *const merge = merge_of(bpe, left, right);
    if (merge != NULL) {
        push(bench, (struct offer){merge->rank, at, left, right});
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
    bench->offers = 0;
    bench->steps += length;
    for (uint32_t i = 0; i < length; i++) {
        offer_pair(bpe, bench, i);
    }
    while (bench->offers > 0) {
        const struct offer offer = pop(bench);
        struct link *const link = &links[offer.at];
        if (link->id != offer.left || link->next == NOWHERE ||
            links[link->next].id != offer.right) {
            continue; /* one of the two has become part of another token meanwhile */
        }
        struct link *const taken = &links[link->next];
        link->id = merge_of(bpe, offer.left, offer.right)->merged;
        link->next = taken->next;
        taken->id = NOWHERE;
        if (link->next != NOWHERE) {
            links[link->next].former = offer.at;
        }
        offer_pair(bpe, bench, link->former);
        offer_pair(bpe, bench, offer.at);
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
    return done || no_memory(error);
}

bool bpe_encode(const struct bpe *bpe, const char *text, size_t length, struct arena *arena,
                const uint32_t **ids, size_t *count, struct error *error)
{
    size_t steps = 0;
    return bpe_encode_counted(bpe, text, length, arena, ids, count, &steps, error);
}

/* ---- back to text -------------------------------------------------------------------------- */

size_t bpe_size(const struct bpe *bpe)
{
    return bpe->size;
}

struct bytes bpe_bytes(const struct bpe *bpe, uint32_t id)
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
