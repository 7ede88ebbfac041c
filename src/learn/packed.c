/* learn/packed.c — see packed.h.
 *
 *     words   lengths of 512 codes, 8 to a word │ code, 23 bits │ code, 23 bits │ …
 *
 * Codes are canonical: those of a length follow each other, shorter ones first, each length in the
 * order of what it stands for. So lengths alone say all of them. */
#include "learn/packed.h"

#include <stdbool.h>
#include <string.h>

enum {
    FRACTION = 23, /* bits of a number behind its point */
    KINDS = 512,   /* of sign and exponent */
    LONGEST = 12,  /* bits of a code: its table fits in the first cache */
    LENGTH_BITS = 4,
    LENGTHS_OF_WORD = 32 / LENGTH_BITS,
    HEADER = KINDS / LENGTHS_OF_WORD, /* words */
    WORD = 32,
};

size_t learn_packed_most(size_t count)
{
    return HEADER + (count * (LONGEST + FRACTION) + WORD - 1) / WORD + 1;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- lengths ------------------------------------------------------------------------------- */

/* The two rarest trees become one, until one is left. */
struct forest {
    uint32_t weight[2 * KINDS]; /* kinds that occur, then what they were joined to */
    uint16_t parent[2 * KINDS];
    bool joined[2 * KINDS];
    size_t count;
};

static size_t rarest(const struct forest *forest)
{
    size_t best = forest->count;
    for (size_t t = 0; t < forest->count; t++) {
        if (!forest->joined[t] &&
            (best == forest->count || forest->weight[t] < forest->weight[best])) {
            best = t;
        }
    }
    return best;
}

static void join_all(struct forest *forest)
{
    for (size_t trees = forest->count; trees > 1; trees--) {
        const size_t root = forest->count;
        forest->weight[root] = 0;
        forest->joined[root] = false;
        for (int two = 0; two < 2; two++) {
            const size_t tree = rarest(forest);
            forest->joined[tree] = true;
            forest->parent[tree] = (uint16_t)root;
            forest->weight[root] += forest->weight[tree];
        }
        forest->count++;
    }
}

/* False: a code would be longer than LONGEST. */
static bool find_lengths(const uint32_t *often, uint8_t *lengths)
{
    struct forest forest = {.count = 0};
    uint16_t kinds[KINDS];
    for (size_t kind = 0; kind < KINDS; kind++) {
        lengths[kind] = 0;
        if (often[kind] > 0) {
            kinds[forest.count] = (uint16_t)kind;
            forest.weight[forest.count++] = often[kind];
        }
    }
    const size_t leaves = forest.count;
    join_all(&forest);
    for (size_t leaf = 0; leaf < leaves; leaf++) {
        size_t length = leaves == 1 ? 1 : 0;
        for (size_t tree = leaf; tree + 1 < forest.count; tree = forest.parent[tree]) {
            length++;
        }
        if (length > LONGEST) {
            return false;
        }
        lengths[kinds[leaf]] = (uint8_t)length;
    }
    return true;
}

/* Where codes come out too long the rare ones count for more, until none is. */
static void choose_lengths(const float *values, size_t count, uint8_t *lengths)
{
    uint32_t often[KINDS] = {0};
    for (size_t i = 0; i < count; i++) {
        often[bits_of(values[i]) >> FRACTION]++;
    }
    while (!find_lengths(often, lengths)) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            often[kind] = (often[kind] + 1) / 2;
        }
    }
}

/* ---- codes --------------------------------------------------------------------------------- */

/* What each length begins with. */
static void find_first(const uint8_t *lengths, uint32_t *first)
{
    uint32_t next = 0;
    for (uint8_t length = 1; length <= LONGEST; length++) {
        next *= 2;
        first[length] = next;
        for (size_t kind = 0; kind < KINDS; kind++) {
            next += lengths[kind] == length ? 1 : 0;
        }
    }
}

size_t learn_pack(const float *values, size_t count, uint32_t *words)
{
    uint8_t lengths[KINDS];
    uint32_t next[LONGEST + 1], code[KINDS] = {0};
    choose_lengths(values, count, lengths);
    find_first(lengths, next);
    memset(words, 0, HEADER * sizeof *words);
    for (size_t kind = 0; kind < KINDS; kind++) {
        words[kind / LENGTHS_OF_WORD] |= (uint32_t)lengths[kind]
                                         << kind % LENGTHS_OF_WORD * LENGTH_BITS;
        code[kind] = lengths[kind] == 0 ? 0 : next[lengths[kind]]++;
    }
    uint64_t waiting = 0; /* its last `held` bits are not written yet */
    unsigned held = 0;
    size_t used = HEADER;
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = bits_of(values[i]), kind = bits >> FRACTION;
        waiting = waiting << lengths[kind] | code[kind];
        held += lengths[kind];
        if (held >= WORD) {
            held -= WORD;
            words[used++] = (uint32_t)(waiting >> held);
        }
        waiting = waiting << FRACTION | (bits & ((1U << FRACTION) - 1));
        held += FRACTION;
        if (held >= WORD) {
            held -= WORD;
            words[used++] = (uint32_t)(waiting >> held);
        }
    }
    words[used++] = (uint32_t)(waiting << (WORD - held)); /* the last bits, or none of them */
    return used;
}

/* ---- back ---------------------------------------------------------------------------------- */

/* What begins with a code: its kind, and its length in the bits above it. */
static void make_table(const uint32_t *words, uint16_t *table)
{
    uint8_t lengths[KINDS];
    uint32_t next[LONGEST + 1];
    for (size_t kind = 0; kind < KINDS; kind++) {
        lengths[kind] =
            (uint8_t)(words[kind / LENGTHS_OF_WORD] >> kind % LENGTHS_OF_WORD * LENGTH_BITS &
                      ((1U << LENGTH_BITS) - 1));
    }
    find_first(lengths, next);
    for (size_t kind = 0; kind < KINDS; kind++) {
        if (lengths[kind] > 0) {
            const uint32_t free = LONGEST - lengths[kind], from = next[lengths[kind]]++ << free;
            for (uint32_t at = from; at < from + (1U << free); at++) {
                table[at] = (uint16_t)(kind | (size_t)lengths[kind] * KINDS);
            }
        }
    }
}

void learn_unpack(const uint32_t *words, size_t count, float *values)
{
    uint16_t table[1 << LONGEST] = {0};
    make_table(words, table);
    words += HEADER;
    uint64_t waiting = 0; /* its last `held` bits are not read yet */
    unsigned held = 0;
    for (size_t i = 0; i < count; i++) {
        if (held < LONGEST) { /* what is left has more bits than that: there is a word */
            waiting = waiting << WORD | *words++;
            held += WORD;
        }
        const uint32_t entry = table[waiting >> (held - LONGEST) & ((1U << LONGEST) - 1)];
        held -= entry / KINDS;
        if (held < FRACTION) {
            waiting = waiting << WORD | *words++;
            held += WORD;
        }
        held -= FRACTION;
        const uint32_t bits =
            entry % KINDS << FRACTION | (uint32_t)(waiting >> held & ((1U << FRACTION) - 1));
        memcpy(&values[i], &bits, sizeof bits);
    }
}
