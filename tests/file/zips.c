#include "zips.h"

#include <stdint.h>
#include <string.h>

#include "file/growing.h"
#include "file/npy.h"

static void put_number(struct growing *out, uint64_t number, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++, number >>= 8) {
        growing_put_byte(out, (char)(uint8_t)number);
    }
}

/* The polynomial of ISO 3309, as APPNOTE.TXT 4.4.7 has it. */
static uint32_t add_byte(uint32_t sum, uint8_t byte)
{
    sum ^= byte;
    for (int bit = 0; bit < 8; bit++) {
        sum = (sum >> 1) ^ (UINT32_C(0xEDB88320) & (0 - (sum & 1)));
    }
    return sum;
}

static uint32_t checksum(struct bytes content)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < content.size; i++) {
        sum = add_byte(sum, content.at[i]);
    }
    return ~sum;
}

/* Of a deflated member the checksum is that of what is unpacked, which the last argument gives. */
static void put_sizes(struct growing *out, const struct zip_member *member)
{
    const bool blocks = member->method == ZIP_DEFLATED && member->content.size > 5;
    const struct bytes plain =
        blocks ? (struct bytes){member->content.at + 5, member->content.size - 5} : member->content;
    put_number(
        out, member->checksum > 0 ? member->checksum : checksum(plain) + member->checksum_error, 4);
    put_number(out, member->content.size, 4);
    put_number(out, member->unpacked > 0 ? member->unpacked : plain.size, 4);
}

static void put_member(struct growing *out, const struct zip_member *member)
{
    const char *const name = member->local_name != NULL ? member->local_name : member->name;
    const bool late = (member->flags & ZIP_FLAG_LATE) != 0;
    growing_put(out, "PK\x03\x04\x14\x00", 6);
    put_number(out, member->flags, 2);
    put_number(out, member->method, 2);
    put_number(out, 0x00210000, 4); /* time, and 1980-01-01 */
    if (late) {
        put_number(out, 0, 12);
    } else {
        put_sizes(out, member);
    }
    put_number(out, strlen(name), 2);
    put_number(out, member->extra, 2);
    growing_put_text(out, name);
    growing_put(out, member->content.at, member->content.size);
    if (late) {
        growing_put(out, "PK\x07\x08", 4);
        put_sizes(out, member);
    }
}

static void put_entry(struct growing *out, const struct zip_member *member, size_t at)
{
    growing_put(out, "PK\x01\x02\x14\x00\x14\x00", 8);
    put_number(out, member->flags, 2);
    put_number(out, member->method, 2);
    put_number(out, 0x00210000, 4);
    put_sizes(out, member);
    put_number(out, strlen(member->name), 2);
    put_number(out, 0, 12);
    put_number(out, at, 4);
    growing_put_text(out, member->name);
}

struct bytes zip_of(const char *before, const struct zip_member *members, size_t count,
                    struct arena *arena)
{
    struct growing out = growing_start(arena);
    size_t *const at = arena_array(arena, count + 1, sizeof *at);
    struct bytes file = {0};
    growing_put_text(&out, before);
    for (size_t m = 0; m < count; m++) {
        at[m] = out.size;
        put_member(&out, &members[m]);
    }
    const size_t list = out.size;
    for (size_t m = 0; m < count; m++) {
        put_entry(&out, &members[m], at[m]);
    }
    const size_t end = out.size;
    growing_put(&out, "PK\x05\x06\0\0\0\0", 8);
    put_number(&out, count, 2);
    put_number(&out, count, 2);
    put_number(&out, end - list, 4);
    put_number(&out, list, 4);
    put_number(&out, 0, 2);
    (void)growing_finish(&out, &file, NULL);
    return file;
}

struct bytes zip_npy(size_t count, struct arena *arena)
{
    struct bytes file = {0};
    float *const values = arena_array(arena, count, sizeof *values);
    for (size_t v = 0; v < count; v++) {
        values[v] = (float)(v + 1);
    }
    const struct array array = array_of_floats("", 1, (size_t[]){count}, values);
    (void)npy_write(&array, arena, &file, NULL);
    return file;
}

/* One block that is not compressed (RFC 1951, 3.2.4). */
struct bytes zip_unpacked_deflate(struct bytes content, struct arena *arena)
{
    struct growing out = growing_start(arena);
    struct bytes packed = {0};
    growing_put_byte(&out, 1);
    put_number(&out, content.size, 2);
    put_number(&out, ~content.size, 2);
    growing_put(&out, content.at, content.size);
    (void)growing_finish(&out, &packed, NULL);
    return packed;
}

uint32_t zip_checksum_of_one(const char *header, size_t size, size_t more)
{
    uint32_t sum = ~checksum((struct bytes){(const uint8_t *)header, size});
    for (size_t i = 0; i < more; i++) {
        sum = add_byte(sum, (uint8_t)header[size - 1]);
    }
    return ~sum;
}

/* Bits of codes begin at the least of a byte (RFC 1951, 3.1.1). */
static void put_bits(uint8_t *at, size_t *bit, const char *bits)
{
    for (; *bits != '\0'; bits++, ++*bit) {
        at[*bit / 8] |= (uint8_t)((*bits == '1') << (*bit % 8));
    }
}

/* The header in a block as it is; then a block of fixed codes (RFC 1951, 3.2.6): the last byte
 * again, till what is left is a multiple of 258, then that length (11000101) at the distance 1
 * (00000). */
struct bytes zip_deflate_of_one(const char *header, size_t size, size_t more, struct arena *arena)
{
    enum { LENGTH = 258 };
    const struct bytes block =
        zip_unpacked_deflate((struct bytes){(const uint8_t *)header, size}, arena);
    const size_t room = block.size + more / LENGTH * 2 + LENGTH + 2;
    uint8_t *const packed = arena_alloc(arena, room);
    const unsigned literal = 0x30u + (uint8_t)header[size - 1];
    char code[9] = "";
    for (size_t b = 0; b < 8; b++) {
        code[b] = (literal >> (7 - b) & 1) != 0 ? '1' : '0';
    }
    memcpy(packed, block.at, block.size);
    packed[0] = 0; /* not the last block */
    size_t bit = 8 * block.size;
    put_bits(packed, &bit, "110");
    for (size_t left = more % LENGTH; left > 0; left--) {
        put_bits(packed, &bit, code);
    }
    for (size_t left = more / LENGTH; left > 0; left--) {
        put_bits(packed, &bit, "1100010100000");
    }
    put_bits(packed, &bit, "0000000");
    return (struct bytes){packed, (bit + 7) / 8};
}
