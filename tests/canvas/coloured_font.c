/* After the OpenType specification 1.9: head, hhea, maxp, hmtx, cmap (12), loca, glyf, name, post,
 * COLR (0) and CPAL (0). Checksums are 0, which readers do not look at. */
#include "coloured_font.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { EM = 1000, GLYPHS = 5, TABLES = 11, ROOM = 4096, POINTS = 4 };

struct writer {
    uint8_t at[ROOM];
    size_t size;
};

/* Bytes of a number, the largest first. */
static void put(struct writer *writer, uint32_t number, size_t bytes)
{
    for (size_t b = bytes; b > 0; b--) {
        writer->at[writer->size++] = (uint8_t)(number >> 8 * (b - 1));
    }
}

static void put_all(struct writer *writer, const uint16_t *number, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(writer, number[i], 2);
    }
}

#define PUT_ALL(writer, ...)                                                                       \
    put_all(writer, (const uint16_t[]){__VA_ARGS__},                                               \
            sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))

static void put_head(struct writer *writer)
{
    put(writer, 0x00010000, 4);
    put(writer, 0x00010000, 4);
    put(writer, 0, 4);
    put(writer, 0x5f0f3cf5, 4);
    PUT_ALL(writer, 0, EM, 0, 0, 0, 0, 0, 0, 0, 0); /* flags, units, two dates */
    PUT_ALL(writer, 0, 0, EM, EM, 0, 8, 2, 0, 0);   /* bounds, style, smallest, …, short loca */
}

static void put_hhea(struct writer *writer)
{
    put(writer, 0x00010000, 4);
    PUT_ALL(writer, EM, 0, 0, EM, 0, 0, EM, 1, 0, 0, 0, 0, 0, 0, 0, GLYPHS);
}

static void put_maxp(struct writer *writer)
{
    put(writer, 0x00010000, 4);
    PUT_ALL(writer, GLYPHS, POINTS, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* Advances and what is free left of the ink. */
static void put_hmtx(struct writer *writer)
{
    PUT_ALL(writer, EM, 0, EM, 0, EM, EM / 2, EM, 0, EM, 0);
}

/* Both letters, as glyphs 3 and 4, and two emoji as the same. */
static void put_cmap(struct writer *writer)
{
    PUT_ALL(writer, 0, 1, 3, 10, 0, 12, 12, 0, 0, 40, 0, 0, 0, 2); /* two groups */
    PUT_ALL(writer, 0x1, 0xf431, 0x1, 0xf432, 0, 3);
    PUT_ALL(writer, 0x10, 0xfff0, 0x10, 0xfff1, 0, 3);
}

/* A rectangle as high as the em; all points on the curve, in whole words. */
static void put_rectangle(struct writer *writer, uint16_t left, uint16_t right)
{
    PUT_ALL(writer, 1, left, 0, right, EM, POINTS - 1, 0);
    put(writer, 0x01010101, 4);
    PUT_ALL(writer, left, 0, (uint16_t)(right - left), 0);
    PUT_ALL(writer, 0, EM, 0, (uint16_t)-EM);
}

enum { RECTANGLE = 14 + 4 + 16 }; /* bytes */

static void put_loca(struct writer *writer)
{
    PUT_ALL(writer, 0, 0, RECTANGLE / 2, RECTANGLE, RECTANGLE, RECTANGLE);
}

static void put_glyf(struct writer *writer)
{
    put_rectangle(writer, 0, EM / 2);
    put_rectangle(writer, EM / 2, EM);
}

static void put_name(struct writer *writer)
{
    PUT_ALL(writer, 0, 1, 18, 3, 1, 0x409, 1, 4, 0, 'T', 'w', 'o');
}

static void put_post(struct writer *writer)
{
    put(writer, 0x00030000, 4);
    for (int i = 0; i < 7; i++) {
        put(writer, 0, 4);
    }
}

/* Glyph 3 is glyph 1 in the palette's first colour and glyph 2 in its second. */
static void put_colr(struct writer *writer)
{
    PUT_ALL(writer, 0, 1, 0, 14, 0, 20, 2, 3, 0, 2, 1, 0, 2, 1);
}

static void put_cpal(struct writer *writer)
{
    PUT_ALL(writer, 0, 2, 1, 2, 0, 14, 0);
    put(writer, 0x0000ffff, 4); /* blue, green, red, alpha */
    put(writer, 0xff0000ff, 4);
}

bool coloured_font_write(const char *path)
{
    static const struct {
        char tag[5];
        void (*put)(struct writer *writer);
    } tables[TABLES] = {{"COLR", put_colr}, {"CPAL", put_cpal}, {"cmap", put_cmap},
                        {"glyf", put_glyf}, {"head", put_head}, {"hhea", put_hhea},
                        {"hmtx", put_hmtx}, {"loca", put_loca}, {"maxp", put_maxp},
                        {"name", put_name}, {"post", put_post}};
    struct writer head = {.size = 0}, body = {.size = 0};
    put(&head, 0x00010000, 4);
    PUT_ALL(&head, TABLES, 128, 3, TABLES * 16 - 128);
    for (size_t t = 0; t < TABLES; t++) {
        const size_t start = body.size;
        tables[t].put(&body);
        memcpy(head.at + head.size, tables[t].tag, 4);
        head.size += 4;
        put(&head, 0, 4);
        put(&head, (uint32_t)(12 + TABLES * 16 + start), 4);
        put(&head, (uint32_t)(body.size - start), 4);
        body.size = (body.size + 3) / 4 * 4;
    }
    FILE *const file = fopen(path, "wb");
    const bool written = file != NULL && fwrite(head.at, 1, head.size, file) == head.size &&
                         fwrite(body.at, 1, body.size, file) == body.size;
    return file != NULL && fclose(file) == 0 && written;
}
