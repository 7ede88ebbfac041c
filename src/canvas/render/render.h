/* canvas/render/render.h — players: they turn a list into pixels, on a screen or in a file. */
#ifndef CANVAS_RENDER_RENDER_H
#define CANVAS_RENDER_RENDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "canvas/draw/canvas.h"

/* Pixels that somebody else owns, as a window surface has them: 32 bits each, 0x00RRGGBB in the
 * machine's byte order (alpha 0x AA RR GG BB multiplied in, when has_alpha), rows pitch bytes
 * apart. */
struct render_pixels {
    uint8_t *at;
    int width, height, pitch; /* pixels, pixels, bytes */
    bool has_alpha;
};

/* --- Cairo (render_cairo.c): exact on every machine; the screen without a GPU, and PNG --- */

struct render_cairo; /* masks of letters, kept between frames */

struct render_cairo *render_cairo_open(struct fonts *fonts, struct error *error);
/* How often memory did not suffice for a letter (fonts_losses). */
size_t render_cairo_losses(const struct render_cairo *player);
void render_cairo_close(struct render_cairo *player);

/* Plays the list into pixels, scale pixels a point. Only the pixels in dirty (points; NULL: all)
 * change. */
bool render_cairo_pixels(struct render_cairo *player, const struct canvas *canvas, float scale,
                         const struct rect *dirty, struct render_pixels pixels,
                         struct error *error);

/* --- files: a picture as it is sent, printed and put on a page --- */

enum render_text {
    RENDER_LETTERS,  /* text stays text: it can be searched, selected and read aloud */
    RENDER_OUTLINES, /* text as shapes: it looks the same without the fonts */
    RENDER_EMBEDDED, /* text stays text, and in an SVG too the letters it needs of its fonts */
    RENDER_BROWSED, /* text stays text, in a page that browsers alone draw: they enlarge cells of an
                       image crisp, so that each is a pixel */
};

/* All zero: transparent, text as text, nothing said about it. */
struct render_figure {
    float scale;                 /* pixels a point, where the format has pixels; 0: 1 */
    const struct colour *ground; /* under everything; NULL: transparent */
    enum render_text text;
    const char *title, *description; /* alternative text, NULL: none */
    const char *experiment;          /* what it was made from, kept in the file; NULL: nothing */
    const char *created;             /* ISO 8601 in UTC; NULL: no time stands in the file */
};

/* Writes the list as a PNG file (8-bit RGB; RGBA where there is no ground), sRGB, with its
 * resolution (72 · scale dpi) and the words inside (iTXt: Title, Description, attnscope). The bytes
 * are owned by the arena. */
bool render_png(struct render_cairo *player, const struct canvas *canvas,
                const struct render_figure *figure, struct arena *arena, struct bytes *png,
                struct error *error);

/* --- SDL (render_sdl.c): feathered geometry and a glyph atlas; accelerated renderers only --- */

struct SDL_Renderer;
struct render_sdl;

struct render_sdl *render_sdl_open(struct fonts *fonts, struct SDL_Renderer *renderer,
                                   struct error *error);
void render_sdl_close(struct render_sdl *player);

/* Clears to ground and plays the list; the caller presents. */
bool render_sdl_play(struct render_sdl *player, const struct canvas *canvas, float scale,
                     struct colour ground, struct error *error);

/* True when the renderer draws on a real GPU (its GL_RENDERER is no software rasteriser). */
bool render_sdl_is_accelerated(struct SDL_Renderer *renderer);

/* --- how large a picture may be. --- */

enum { RENDER_SIDE_MAX = 16384 /* pixels */ };

#endif
