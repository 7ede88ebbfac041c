/* canvas/render/png.h — inside of the room: rows of pixels into a PNG file in memory. */
#ifndef CANVAS_RENDER_PNG_H
#define CANVAS_RENDER_PNG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

struct png_writer;

/* A text inside the file (iTXt), any UTF-8; one that is NULL or empty is left out. */
struct png_words {
    const char *keyword; /* 1 to 79 letters of Latin-1 */
    const char *text;
};

/* Starts a file of 8-bit RGB, or RGBA, in sRGB with that resolution, and `count` texts in it. NULL
 * and an error on failure. */
struct png_writer *png_writer_open(int width, int height, bool has_alpha, double dots_per_inch,
                                   const struct png_words *words, size_t count,
                                   struct error *error);
void png_writer_close(struct png_writer *writer);

/* Writes the next rows: width · rows pixels of 0xAARRGGBB, alpha multiplied in. */
bool png_writer_band(struct png_writer *writer, const uint8_t *pixels, int rows,
                     struct error *error);

/* Ends the file; *png is owned by the arena. */
bool png_writer_end(struct png_writer *writer, struct arena *arena, struct bytes *png,
                    struct error *error);

#endif
