/* Lossless WebP: green taken from red and blue, repetitions found by one look at the pixel before,
 * the row above and the last place that began alike, a cache of colours, prefix codes. (Google,
 * WebP Lossless Bitstream Specification; RFC 9649, section 3) */
#include "canvas/formats/webp_lossless.h"

#include <stdlib.h>
#include <string.h>

#include "canvas/formats/prefix_code.h"

enum {
    CACHE_BITS = 10,
    CACHE = 1 << CACHE_BITS,
    LITERALS = 256,
    LENGTHS = 24, /* prefixes of lengths of copies */
    GREENS = LITERALS + LENGTHS + CACHE,
    DISTANCES = 40,
    LENGTH_MOST = 4096,
    LENGTH_LEAST = 3,
    HASH_BITS = 15,
    DISTANCE_MOST = (1 << 20) - 120,
    NEAR_DISTANCES = 120 /* codes for places around a pixel stand before those of distances */
};

/* A literal (length 0), a colour of the cache (length 1: value is its place), or a copy. */
struct token {
    uint32_t value; /* a colour, a place, or the code of a distance */
    uint32_t length;
};

enum { GREEN, RED, BLUE, ALPHA, DISTANCE, ALPHABETS };

static const size_t symbols[ALPHABETS] = {GREENS, LITERALS, LITERALS, LITERALS, DISTANCES};

struct webp_lossless {
    struct prefix_bits bits;
    struct token *token;
    size_t tokens, room;
    uint32_t cache[CACHE];
    uint32_t place[1 << HASH_BITS]; /* 1 + where two pixels stood last; 0: nowhere */
    uint32_t count[ALPHABETS][GREENS];
    struct prefix_code code[ALPHABETS];
};

struct webp_lossless *webp_lossless_open(void)
{
    return calloc(1, sizeof(struct webp_lossless));
}

void webp_lossless_close(struct webp_lossless *packer)
{
    if (packer != NULL) {
        prefix_bits_free(&packer->bits);
        free(packer->token);
        free(packer);
    }
}

/* ---- what is repeated ------------------------------------------------------------------------ */

/* How many pixels from `at` on are those from `from` on, at most so many. */
static size_t equal_pixels(const uint32_t *from, const uint32_t *at, size_t most)
{
    size_t length = 0;
    while (length + 2 <= most) {
        uint64_t a, b;
        memcpy(&a, from + length, sizeof a);
        memcpy(&b, at + length, sizeof b);
        if (a != b) {
            break;
        }
        length += 2;
    }
    return length + (length < most && from[length] == at[length]);
}

static uint32_t cache_place(uint32_t colour)
{
    return (0x1e35a7bdu * colour) >> (32 - CACHE_BITS);
}

static uint32_t hash_of(const uint32_t *at)
{
    return (at[0] * 0x9e3779b1u + at[1] * 0x85ebca77u) >> (32 - HASH_BITS);
}

struct copy {
    size_t length, distance;
};

static struct copy longer(struct copy a, const uint32_t *pixels, size_t at, size_t distance,
                          size_t most)
{
    if (distance > at || distance == 0) {
        return a;
    }
    const size_t length = equal_pixels(pixels + at - distance, pixels + at, most);
    return length > a.length ? (struct copy){length, distance} : a;
}

/* The longest of three: the pixel before wins where all are equal, for it costs least. */
static struct copy find_copy(struct webp_lossless *packer, const uint32_t *pixels, size_t at,
                             size_t count, size_t width)
{
    const size_t left = count - at, most = left < LENGTH_MOST ? left : LENGTH_MOST;
    struct copy copy = longer((struct copy){0, 0}, pixels, at, 1, most);
    if (copy.length < most) {
        copy = longer(copy, pixels, at, width, most);
    }
    if (left >= 2) {
        uint32_t *const place = &packer->place[hash_of(pixels + at)];
        if (copy.length < LENGTH_LEAST && *place != 0 && at + 1 - *place <= DISTANCE_MOST) {
            copy = longer(copy, pixels, at, at + 1 - *place, most);
        }
        *place = (uint32_t)at + 1;
    }
    return copy;
}

/* The code of a distance: for places near the pixel those of the specification's list. */
static uint32_t distance_code(size_t distance, size_t width)
{
    return distance == width       ? 1
           : distance == 1         ? 2
           : distance == width + 1 ? 3
           : distance == width - 1 ? 4
                                   : (uint32_t)distance + NEAR_DISTANCES;
}

struct prefix {
    uint32_t symbol, extra, bits;
};

/* A number from 1 on as a symbol and bits behind it. */
static struct prefix prefix_of(uint32_t number)
{
    const uint32_t rest = number - 1;
    uint32_t high = 0;
    if (rest < 4) {
        return (struct prefix){rest, 0, 0};
    }
    for (uint32_t r = rest; r > 1; r >>= 1) {
        high++;
    }
    const uint32_t second = rest >> (high - 1) & 1, bits = high - 1;
    return (struct prefix){2 * high + second, rest & ((1u << bits) - 1), bits};
}

static bool add_token(struct webp_lossless *packer, uint32_t value, size_t length)
{
    if (packer->tokens == packer->room) {
        const size_t room = 2 * packer->room + 4096;
        struct token *const wider = realloc(packer->token, room * sizeof *wider);
        if (wider == NULL) {
            return false;
        }
        packer->token = wider;
        packer->room = room;
    }
    packer->token[packer->tokens++] = (struct token){value, (uint32_t)length};
    return true;
}

static bool add_pixel(struct webp_lossless *packer, uint32_t colour)
{
    const uint32_t place = cache_place(colour);
    if (packer->cache[place] == colour) {
        packer->count[GREEN][LITERALS + LENGTHS + place]++;
        return add_token(packer, place, 1);
    }
    packer->cache[place] = colour;
    packer->count[GREEN][colour >> 8 & 255]++;
    packer->count[RED][colour >> 16 & 255]++;
    packer->count[BLUE][colour & 255]++;
    packer->count[ALPHA][colour >> 24]++;
    return add_token(packer, colour, 0);
}

/* What is copied goes through the cache too. */
static bool add_copy(struct webp_lossless *packer, const uint32_t *pixels, struct copy copy,
                     size_t width)
{
    const uint32_t code = distance_code(copy.distance, width);
    const size_t fresh = copy.length < copy.distance ? copy.length : copy.distance;
    for (size_t i = copy.length - fresh; i < copy.length; i++) { /* those before are the same */
        packer->cache[cache_place(pixels[i])] = pixels[i];
    }
    packer->count[GREEN][LITERALS + prefix_of((uint32_t)copy.length).symbol]++;
    packer->count[DISTANCE][prefix_of(code).symbol]++;
    return add_token(packer, code, copy.length);
}

static bool find_tokens(struct webp_lossless *packer, const uint32_t *pixels, size_t count,
                        size_t width)
{
    bool found = true;
    packer->tokens = 0;
    memset(packer->cache, 0, sizeof packer->cache);
    memset(packer->place, 0, sizeof packer->place);
    memset(packer->count, 0, sizeof packer->count);
    for (size_t at = 0; found && at < count;) {
        const struct copy copy = find_copy(packer, pixels, at, count, width);
        if (copy.length >= LENGTH_LEAST) {
            found = add_copy(packer, pixels + at, copy, width);
            at += copy.length;
        } else {
            found = add_pixel(packer, pixels[at]);
            at++;
        }
    }
    return found;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Blue and red without green, and rows without what lies between them. */
static void take_green_away(uint32_t *pixels, int stride, int width, int height)
{
    for (int y = 0; y < height; y++) {
        const uint32_t *const from = pixels + (ptrdiff_t)y * stride;
        uint32_t *const to = pixels + (ptrdiff_t)y * width;
        for (int x = 0; x < width; x++) {
            const uint32_t colour = from[x], green = colour >> 8 & 255;
            const uint32_t others = (colour & 0xff00ffu) + 0x1000100u - (green << 16 | green);
            to[x] = (colour & 0xff00ff00u) | (others & 0xff00ffu);
        }
    }
}

static void put_prefix(struct webp_lossless *packer, size_t alphabet, uint32_t first,
                       uint32_t number)
{
    const struct prefix prefix = prefix_of(number);
    prefix_code_put(&packer->bits, &packer->code[alphabet], first + prefix.symbol);
    prefix_bits_put(&packer->bits, prefix.extra, prefix.bits);
}

static void put_tokens(struct webp_lossless *packer)
{
    struct prefix_bits *const bits = &packer->bits;
    for (size_t t = 0; t < packer->tokens; t++) {
        const struct token *const token = &packer->token[t];
        const uint32_t value = token->value;
        if (token->length == 0) {
            prefix_code_put(bits, &packer->code[GREEN], value >> 8 & 255);
            prefix_code_put(bits, &packer->code[RED], value >> 16 & 255);
            prefix_code_put(bits, &packer->code[BLUE], value & 255);
            prefix_code_put(bits, &packer->code[ALPHA], value >> 24);
        } else if (token->length == 1) {
            prefix_code_put(bits, &packer->code[GREEN], LITERALS + LENGTHS + value);
        } else {
            put_prefix(packer, GREEN, LITERALS, token->length);
            put_prefix(packer, DISTANCE, 0, value);
        }
    }
}

static void put_head(struct prefix_bits *bits, int width, int height)
{
    enum { SIGNATURE = 0x2f, HAS_ALPHA = 1, SUBTRACT_GREEN = 2 };
    prefix_bits_put(bits, SIGNATURE, 8);
    prefix_bits_put(bits, (uint32_t)width - 1, 14);
    prefix_bits_put(bits, (uint32_t)height - 1, 14);
    prefix_bits_put(bits, HAS_ALPHA, 1);
    prefix_bits_put(bits, 0, 3); /* version */
    prefix_bits_put(bits, 1, 1); /* a transform, … */
    prefix_bits_put(bits, SUBTRACT_GREEN, 2);
    prefix_bits_put(bits, 0, 1); /* … and no other */
    prefix_bits_put(bits, 1, 1); /* a cache of colours */
    prefix_bits_put(bits, CACHE_BITS, 4);
    prefix_bits_put(bits, 0, 1); /* one set of codes for all of it */
}

bool webp_lossless_pack(struct webp_lossless *packer, uint32_t *pixels, int stride, int width,
                        int height, const uint8_t **bytes, size_t *size)
{
    const size_t count = (size_t)width * (size_t)height;
    take_green_away(pixels, stride, width, height);
    if (!find_tokens(packer, pixels, count, (size_t)width)) {
        return false;
    }
    prefix_bits_start(&packer->bits);
    put_head(&packer->bits, width, height);
    for (size_t a = 0; a < ALPHABETS; a++) {
        prefix_code_make(&packer->code[a], packer->count[a], symbols[a]);
        prefix_code_put_table(&packer->bits, &packer->code[a]);
    }
    put_tokens(packer);
    return prefix_bits_end(&packer->bits, bytes, size);
}
