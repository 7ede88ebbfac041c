/* Prefix codes: lengths by Huffman's method, words in the order of lengths and symbols, and the
 * table of lengths, itself in such a code. */
#include "canvas/formats/prefix_code.h"

#include <stdlib.h>
#include <string.h>

enum {
    LENGTH_SYMBOLS = 19,    /* of the code for lengths: 0 … 15, and repetitions */
    LENGTH_LENGTH_MOST = 7, /* its longest word */
    ZEROS_SHORT = 17,       /* 3 … 10 zeros, */
    ZEROS_LONG = 18,        /* 11 … 138 */
    SIMPLE_MOST = 256       /* symbols from here on have no simple code */
};

/* ---- bits ------------------------------------------------------------------------------------ */

void prefix_bits_start(struct prefix_bits *bits)
{
    bits->size = 0;
    bits->held = 0;
    bits->holds = 0;
    bits->lacking = false;
}

static void put_byte(struct prefix_bits *bits, uint8_t byte)
{
    if (bits->size == bits->room) {
        const size_t room = 2 * bits->room + 4096;
        uint8_t *const wider = realloc(bits->at, room);
        if (wider == NULL) {
            bits->lacking = true;
            return;
        }
        bits->at = wider;
        bits->room = room;
    }
    bits->at[bits->size++] = byte;
}

void prefix_bits_put(struct prefix_bits *bits, uint32_t value, unsigned count)
{
    bits->held |= (uint64_t)value << bits->holds;
    bits->holds += count;
    while (bits->holds >= 8) {
        put_byte(bits, (uint8_t)bits->held);
        bits->held >>= 8;
        bits->holds -= 8;
    }
}

bool prefix_bits_end(struct prefix_bits *bits, const uint8_t **bytes, size_t *size)
{
    if (bits->holds > 0) {
        put_byte(bits, (uint8_t)bits->held);
    }
    *bytes = bits->at;
    *size = bits->size;
    return !bits->lacking;
}

void prefix_bits_free(struct prefix_bits *bits)
{
    free(bits->at);
    *bits = (struct prefix_bits){.at = NULL};
}

/* ---- lengths --------------------------------------------------------------------------------- */

/* A symbol or a pair of nodes. */
struct node {
    uint32_t count;
    uint16_t symbol, parent;
};

static int rarer_first(const void *a, const void *b)
{
    const struct node *const one = a, *const other = b;
    return one->count != other->count ? (one->count < other->count ? -1 : 1)
                                      : (int)one->symbol - (int)other->symbol;
}

/* The rarer of the next symbol and the next pair; both lists are sorted. */
static size_t rarest(const struct node *node, size_t *leaf, size_t leaves, size_t *pair,
                     size_t pairs)
{
    const bool is_leaf =
        *leaf < leaves && (*pair >= pairs || node[*leaf].count <= node[*pair].count);
    return is_leaf ? (*leaf)++ : (*pair)++;
}

/* The length of each used symbol's word; returns the longest. `node` begins with the used symbols,
 * sorted. */
static unsigned measure(struct node *node, size_t used, uint8_t *length)
{
    uint8_t depth[2 * PREFIX_SYMBOLS_MOST];
    size_t leaf = 0, pair = used, nodes = used;
    unsigned longest = 0;
    while (nodes < 2 * used - 1) {
        const size_t a = rarest(node, &leaf, used, &pair, nodes);
        const size_t b = rarest(node, &leaf, used, &pair, nodes);
        node[a].parent = node[b].parent = (uint16_t)nodes;
        node[nodes++] = (struct node){node[a].count + node[b].count, 0, 0};
    }
    depth[nodes - 1] = 0;
    for (size_t n = nodes - 1; n-- > 0;) {
        depth[n] = (uint8_t)(depth[node[n].parent] + 1);
        if (n < used) {
            length[node[n].symbol] = depth[n];
            longest = depth[n] > longest ? depth[n] : longest;
        }
    }
    return longest;
}

/* Rare symbols count for more until no word is too long. */
static void find_lengths(struct prefix_code *code, const uint32_t *count, unsigned most)
{
    struct node node[2 * PREFIX_SYMBOLS_MOST];
    for (uint32_t least = 1;; least *= 2) {
        size_t used = 0;
        for (size_t s = 0; s < code->symbols; s++) {
            if (count[s] > 0) {
                node[used++] = (struct node){count[s] > least ? count[s] : least, (uint16_t)s, 0};
            }
        }
        qsort(node, used, sizeof *node, rarer_first);
        if (measure(node, used, code->length) <= most) {
            return;
        }
    }
}

static uint16_t turned(unsigned word, unsigned length)
{
    unsigned turned = 0;
    for (unsigned b = 0; b < length; b++) {
        turned |= (word >> b & 1) << (length - 1 - b);
    }
    return (uint16_t)turned;
}

static void make(struct prefix_code *code, const uint32_t *count, size_t symbols, unsigned most)
{
    memset(code, 0, sizeof *code);
    code->symbols = symbols;
    for (size_t s = 0; s < symbols; s++) {
        if (count[s] > 0) {
            code->used++;
            code->only = (uint16_t)s;
        }
    }
    if (code->used < 2) {
        code->length[code->only] = 1;
        return;
    }
    find_lengths(code, count, most);
    unsigned word = 0;
    for (unsigned length = 1; length <= most; length++) {
        word <<= 1;
        for (size_t s = 0; s < symbols; s++) {
            if (code->length[s] == length) {
                code->word[s] = turned(word++, length);
            }
        }
    }
}

void prefix_code_make(struct prefix_code *code, const uint32_t *count, size_t symbols)
{
    make(code, count, symbols, PREFIX_LENGTH_MOST);
}

void prefix_code_put(struct prefix_bits *bits, const struct prefix_code *code, uint32_t symbol)
{
    if (code->used > 1) {
        prefix_bits_put(bits, code->word[symbol], code->length[symbol]);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

/* How many lengths from s on are 0, as many as one word says. */
static size_t zeros_at(const struct prefix_code *code, size_t s)
{
    enum { ZEROS_MOST = 138 };
    size_t zeros = 0;
    while (s + zeros < code->symbols && zeros < ZEROS_MOST && code->length[s + zeros] == 0) {
        zeros++;
    }
    return zeros;
}

/* Each length, and zeros together: told to `put` or, where that is NULL, counted. */
static void walk(const struct prefix_code *code, uint32_t count[LENGTH_SYMBOLS],
                 struct prefix_bits *bits, const struct prefix_code *lengths)
{
    for (size_t s = 0; s < code->symbols;) {
        const size_t zeros = zeros_at(code, s);
        const uint32_t symbol = zeros >= 11  ? ZEROS_LONG
                                : zeros >= 3 ? ZEROS_SHORT
                                             : code->length[s];
        if (bits == NULL) {
            count[symbol]++;
        } else {
            prefix_code_put(bits, lengths, symbol);
            if (zeros >= 3) {
                const unsigned base = zeros >= 11 ? 11 : 3;
                prefix_bits_put(bits, (uint32_t)zeros - base, zeros >= 11 ? 7 : 3);
            }
        }
        s += zeros >= 3 ? zeros : 1;
    }
}

void prefix_code_put_table(struct prefix_bits *bits, const struct prefix_code *code)
{
    static const uint8_t order[LENGTH_SYMBOLS] = {17, 18, 0, 1,  2,  3,  4,  5,  16, 6,
                                                  7,  8,  9, 10, 11, 12, 13, 14, 15};
    if (code->used < 2 && code->only < SIMPLE_MOST) {
        prefix_bits_put(bits, 1, 1); /* a simple code */
        prefix_bits_put(bits, 0, 1); /* of one symbol, … */
        prefix_bits_put(bits, 1, 1); /* … that takes eight bits */
        prefix_bits_put(bits, code->only, 8);
        return;
    }
    uint32_t count[LENGTH_SYMBOLS] = {0};
    struct prefix_code lengths;
    walk(code, count, NULL, NULL);
    make(&lengths, count, LENGTH_SYMBOLS, LENGTH_LENGTH_MOST);
    size_t told = LENGTH_SYMBOLS;
    while (told > 4 && lengths.length[order[told - 1]] == 0) {
        told--;
    }
    prefix_bits_put(bits, 0, 1); /* no simple code */
    prefix_bits_put(bits, (uint32_t)told - 4, 4);
    for (size_t o = 0; o < told; o++) {
        prefix_bits_put(bits, lengths.length[order[o]], 3);
    }
    prefix_bits_put(bits, 0, 1); /* a length for every symbol */
    walk(code, count, bits, &lengths);
}
