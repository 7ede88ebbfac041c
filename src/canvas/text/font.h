/* canvas/text/font.h — text measured once: the same widths for the screen, a PNG and a test.
 *
 * A text is shaped by HarfBuzz at a size of one em, without hinting, and scaled; what the chosen
 * face lacks comes from DejaVu Sans and then from the system's fonts. */
#ifndef CANVAS_TEXT_FONT_H
#define CANVAS_TEXT_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum font_face {
    FONT_WORDS,        /* Inter Regular */
    FONT_WORDS_MEDIUM, /* Inter Medium */
    FONT_WORDS_BOLD,   /* Inter SemiBold */
    FONT_NUMBERS,      /* JetBrains Mono Regular */
    FONT_NUMBERS_BOLD, /* JetBrains Mono Bold */
    FONT_FACES
};

struct fonts;

/* One glyph, positions in ems from the start of the text, y downward from the baseline. */
struct font_glyph {
    uint32_t id;
    uint32_t file; /* which font file: see fonts_file */
    float x, y, advance;
    uint32_t cluster; /* byte in the text that it belongs to */
};

enum { FONT_PICTURES_MAX = 4 /* of one letter */ };

/* A stretch of text in one font file and one direction, in visual order; or one letter that is
 * drawn apart, by what appends text to a list: it has no glyphs, but pictures in colours of its
 * own, or, where no font has it, none, and a box with its code point stands there. */
struct font_stretch {
    uint32_t file;
    size_t glyph, glyphs; /* in the glyphs of the run */
    size_t start, length; /* bytes of the text */
    bool right_to_left;
    uint32_t apart; /* the first code point of a letter drawn apart; 0: drawn by its glyphs */
    uint32_t pictures;
    struct {
        uint32_t glyph;
        float x; /* ems from the start of the stretch */
    } picture[FONT_PICTURES_MAX];
    float x, width; /* ems */
    char script[5]; /* ISO 15924, as "Latn" */
};

struct font_run {
    const struct font_glyph *glyph;
    size_t glyphs;
    const struct font_stretch *stretch;
    size_t stretches;
    size_t apart;   /* how many of the stretches are letters drawn apart */
    size_t missing; /* how many of these letters no font has */
    float width;    /* ems */
};

/* The first letter of the text that no font has; 0: each is drawn. */
uint32_t font_run_lacks(const struct font_run *run);

/* The package of Debian whose fonts have that letter. */
const char *font_package(uint32_t code_point);

/* Opens the bundled fonts. NULL and an error when they cannot be read. */
struct fonts *fonts_open(struct error *error);
void fonts_close(struct fonts *fonts);

/* Draws a face with another font: of a file (.ttf, .otf, .ttc), or of the system's font that has
 * this family's name and the weight nearest to the face's own. Letters that it lacks come from the
 * bundled face. Before anything is measured. False and a sentence: there is no such font. */
bool fonts_use_file(struct fonts *fonts, enum font_face face, const char *path,
                    struct error *error);
bool fonts_use_family(struct fonts *fonts, enum font_face face, const char *family,
                      struct error *error);

/* The family of a face that is drawn with another font; NULL: it is the bundled one. */
const char *fonts_family(const struct fonts *fonts, enum font_face face);

/* How often memory did not suffice to measure a text or to draw a letter, which was left out then:
 * a picture is whole when this has not risen. fonts_lose is for those who draw letters. */
size_t fonts_losses(const struct fonts *fonts);
void fonts_lose(struct fonts *fonts);

/* Says whether there is a font with the letters of a language, those of its name. */
struct language;
bool fonts_speak(struct fonts *fonts, const struct language *language);

/* Width in the unit of size. Invalid UTF-8 is measured as U+FFFD. */
float font_measure(struct fonts *fonts, enum font_face face, float size, const char *text,
                   size_t length);

/* Distance from the baseline to the top of a capital letter, at size. */
float font_cap_height(struct fonts *fonts, enum font_face face, float size);

/* The shaped text; owned by fonts, valid until fonts_trim or fonts_close. Never NULL. */
const struct font_run *font_shape(struct fonts *fonts, enum font_face face, const char *text,
                                  size_t length);

/* Where a caret stands: x in the unit of size before byte `at`; and the nearest letter edge to
 * x. */
float font_caret(struct fonts *fonts, enum font_face face, float size, const char *text,
                 size_t length, size_t at);
size_t font_hit(struct fonts *fonts, enum font_face face, float size, const char *text,
                size_t length, float x);

/* How many leading bytes of text fit into width, whole letters only. */
size_t font_fit(struct fonts *fonts, enum font_face face, float size, const char *text,
                size_t length, float width);

/* The bytes of a font file (and its index in a collection), for players. */
struct font_file {
    const uint8_t *bytes;
    size_t size;
    int index;
    const char *path; /* of a system font; NULL for a bundled one */
};
struct font_file fonts_file(struct fonts *fonts, uint32_t file);

/* Called between frames: drops shaped runs when there are too many. */
void fonts_trim(struct fonts *fonts);

#endif
