/* canvas/formats/prefix_code.h — bits from the lowest on, and prefix codes made of how often each
 * symbol comes, as lossless WebP has them. (RFC 9649, section 3.7.2; D. A. Huffman, A Method for
 * the Construction of Minimum-Redundancy Codes, 1952) */
#ifndef CANVAS_FORMATS_PREFIX_CODE_H
#define CANVAS_FORMATS_PREFIX_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. What finds no memory is told by prefix_bits_end. */
struct prefix_bits {
    uint8_t *at;
    size_t size, room;
    uint64_t held; /* bits that fill no byte yet */
    unsigned holds;
    bool lacking;
};
void prefix_bits_start(struct prefix_bits *bits); /* again, in the same memory */
void prefix_bits_put(struct prefix_bits *bits, uint32_t value, unsigned count); /* up to 32 */
bool prefix_bits_end(struct prefix_bits *bits, const uint8_t **bytes, size_t *size);
void prefix_bits_free(struct prefix_bits *bits);

enum { PREFIX_SYMBOLS_MOST = 1304, PREFIX_LENGTH_MOST = 15 };

struct prefix_code {
    size_t symbols, used;               /* used: that come at all */
    uint16_t only;                      /* the one, where one is used: it takes no bits */
    uint16_t word[PREFIX_SYMBOLS_MOST]; /* the first bit lowest */
    uint8_t length[PREFIX_SYMBOLS_MOST];
};
void prefix_code_make(struct prefix_code *code, const uint32_t *count, size_t symbols);
void prefix_code_put_table(struct prefix_bits *bits, const struct prefix_code *code);
void prefix_code_put(struct prefix_bits *bits, const struct prefix_code *code, uint32_t symbol);

#endif
