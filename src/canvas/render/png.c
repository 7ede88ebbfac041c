/* PNG by libpng. No time and no program name is written: equal pictures give equal files. */
#include "canvas/render/png.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Of zlib: a file is a fifth larger than with 6, and there in half the time. */
enum { COMPRESSION = 3 };

struct png_writer {
    png_structp png;
    png_infop header;
    int width;
    bool has_alpha;
    uint8_t *row; /* one row as the file has it */
    uint8_t *at;  /* the file so far */
    size_t size, room;
};

static void append_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct png_writer *writer = png_get_io_ptr(png);
    if (size > writer->room - writer->size) {
        const size_t room = (writer->size + size) * 2;
        uint8_t *larger = realloc(writer->at, room);
        if (larger == NULL) {
            png_error(png, "not enough memory");
        }
        writer->at = larger;
        writer->room = room;
    }
    memcpy(writer->at + writer->size, bytes, size);
    writer->size += size;
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void stay_silent(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* libpng leaves by longjmp: each function below that calls it holds nothing that could be lost. */
static void leave_libpng(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void set_words(struct png_writer *writer, const struct png_words *words, size_t count)
{
    for (size_t w = 0; w < count; w++) {
        if (words[w].text == NULL || words[w].text[0] == '\0') {
            continue;
        }
        /* libpng copies both, and does not write to them. */
        png_text chunk = {.compression = PNG_ITXT_COMPRESSION_NONE,
                          .key = (png_charp)(uintptr_t)words[w].keyword,
                          .text = (png_charp)(uintptr_t)words[w].text,
                          .itxt_length = strlen(words[w].text)};
        png_set_text(writer->png, writer->header, &chunk, 1);
    }
}

static bool write_header(struct png_writer *writer, int height, double dots_per_inch,
                         const struct png_words *words, size_t count)
{
    if (setjmp(png_jmpbuf(writer->png)) != 0) {
        return false;
    }
    const png_uint_32 dots_per_metre = (png_uint_32)lround(dots_per_inch / 0.0254);
    png_set_write_fn(writer->png, writer, append_bytes, flush_nothing);
    png_set_IHDR(writer->png, writer->header, (png_uint_32)writer->width, (png_uint_32)height, 8,
                 writer->has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(writer->png, writer->header, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_pHYs(writer->png, writer->header, dots_per_metre, dots_per_metre, PNG_RESOLUTION_METER);
    png_set_compression_level(writer->png, COMPRESSION);
    /* Flat areas and text pack best unfiltered, and fastest. */
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    set_words(writer, words, count);
    png_write_info(writer->png, writer->header);
    return true;
}

struct png_writer *png_writer_open(int width, int height, bool has_alpha, double dots_per_inch,
                                   const struct png_words *words, size_t count, struct error *error)
{
    struct png_writer *writer = calloc(1, sizeof *writer);
    if (writer != NULL) {
        writer->width = width;
        writer->has_alpha = has_alpha;
        writer->row = malloc((size_t)width * 4);
        writer->png =
            png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, leave_libpng, stay_silent);
        writer->header = writer->png == NULL ? NULL : png_create_info_struct(writer->png);
    }
    if (writer == NULL || writer->row == NULL || writer->header == NULL ||
        !write_header(writer, height, dots_per_inch, words, count)) {
        png_writer_close(writer);
        error_set(error, ERROR_MEMORY, "There is not enough memory for the PNG file.");
        return NULL;
    }
    return writer;
}

void png_writer_close(struct png_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    png_destroy_write_struct(&writer->png, &writer->header);
    free(writer->row);
    free(writer->at);
    free(writer);
}

/* PNG keeps colour and alpha apart. */
static uint8_t divide_alpha(uint32_t channel, uint32_t alpha)
{
    const uint32_t whole = (channel * 255 + alpha / 2) / alpha;
    return (uint8_t)(whole < 255 ? whole : 255);
}

static void convert_row(struct png_writer *writer, const uint8_t *pixels)
{
    uint8_t *to = writer->row;
    for (int x = 0; x < writer->width; x++) {
        uint32_t pixel = 0;
        memcpy(&pixel, pixels + (size_t)x * 4, sizeof pixel);
        const uint32_t alpha = writer->has_alpha ? pixel >> 24 : 255;
        for (int shift = 16; shift >= 0; shift -= 8) {
            const uint32_t channel = pixel >> shift & 255;
            *to++ = alpha == 255 ? (uint8_t)channel : alpha == 0 ? 0 : divide_alpha(channel, alpha);
        }
        if (writer->has_alpha) {
            *to++ = (uint8_t)alpha;
        }
    }
}

static bool write_rows(struct png_writer *writer, const uint8_t *pixels, int rows)
{
    if (setjmp(png_jmpbuf(writer->png)) != 0) {
        return false;
    }
    for (int y = 0; y < rows; y++) {
        convert_row(writer, pixels + (size_t)y * (size_t)writer->width * 4);
        png_write_row(writer->png, writer->row);
    }
    return true;
}

bool png_writer_band(struct png_writer *writer, const uint8_t *pixels, int rows,
                     struct error *error)
{
    return write_rows(writer, pixels, rows) ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for the PNG file.");
}

static bool write_end(struct png_writer *writer)
{
    if (setjmp(png_jmpbuf(writer->png)) != 0) {
        return false;
    }
    png_write_end(writer->png, NULL);
    return true;
}

bool png_writer_end(struct png_writer *writer, struct arena *arena, struct bytes *png,
                    struct error *error)
{
    uint8_t *copy = write_end(writer) ? arena_alloc(arena, writer->size) : NULL;
    if (copy == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the PNG file.");
    }
    memcpy(copy, writer->at, writer->size);
    *png = (struct bytes){copy, writer->size};
    return true;
}
