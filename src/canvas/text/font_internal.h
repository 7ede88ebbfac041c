/* canvas/text/font_internal.h — inside of the room: what the font files share.
 *
 * font.c         one struct font_source a file, bundled or found by fontconfig; shaped runs kept by
 *                face and text; widths, carets, hits
 * font_shape.c   a text cut into items of one file, one script, one direction; these into glyphs by
 *                HarfBuzz
 * font_picture.c letters as pictures in colours of their own */
#ifndef CANVAS_TEXT_FONT_INTERNAL_H
#define CANVAS_TEXT_FONT_INTERNAL_H

#include <fontconfig/fontconfig.h>
#include <hb.h>

#include "canvas/text/font.h"

enum {
    FONT_LAST_RESORT = FONT_FACES,   /* DejaVu Sans, the last bundled file */
    FONT_BUNDLED,                    /* how many files are bundled */
    FONT_NOWHERE = 0x7fffffff,       /* no file has it */
    FONT_LONGEST = 16 * 1024 * 1024, /* bytes of a text that are shaped, so that clusters fit */
};

/* One font file, opened for shaping. */
struct font_source {
    hb_face_t *face;
    hb_font_t *font; /* scale: units per em */
    float upem;
    struct font_file file;
    char *path;    /* owned; NULL for a bundled file */
    bool coloured; /* has pictures, not outlines in one colour */
    bool bold;     /* was asked for to stand beside bold letters */
};

/* One code point and what was found out about it. */
struct font_item {
    uint32_t code_point;
    uint32_t at; /* byte in the text */
    uint32_t file;
    hb_script_t script;
    uint8_t level;       /* of embedding, as in UAX 9: odd is right to left */
    size_t letter_apart; /* 1 + where the letter begins that is drawn apart; 0: it is not */
    bool missing;        /* it is drawn apart because no font has it */
};

/* A letter (grapheme cluster) and its two edges in ems; lead > trail when it reads right to
 * left. */
struct font_letter {
    size_t at;
    float lead, trail;
};

/* A run as it is kept. One block of memory holds it and all it points to. */
struct font_cached {
    struct font_run run;
    const struct font_letter *letter; /* in the order of the text */
    size_t letters;
    enum font_face face;
    const char *text;
    size_t length;
    uint64_t hash;
    uint64_t used; /* the round of fonts_trim in which it was asked for last */
    size_t bytes;
    struct font_cached *next; /* in the same bucket */
};

struct font_fallback {
    uint32_t wanted; /* a code point, and whether it is to be bold; 0: empty */
    uint32_t file;
};

struct font_pictures; /* canvas/text/font_picture.h */

struct fonts {
    struct font_pictures *pictures; /* NULL until one is asked for */
    struct font_source *source;
    uint32_t sources, source_room;
    uint32_t of_face[FONT_FACES]; /* the file of each face: the bundled one, or another */
    char *family[FONT_FACES];     /* of that other one; NULL: it is the bundled one */
    FcConfig *system;             /* NULL until something was missing */
    bool system_tried;
    struct font_fallback *fallback; /* open addressing, a power of two */
    size_t fallbacks, fallback_room;
    struct font_cached **bucket; /* a power of two */
    size_t buckets, runs, run_bytes;
    uint64_t round;
    hb_buffer_t *buffer;
    struct font_item *item; /* scratch of the text being shaped, kept for the next */
    size_t item_room;
    struct font_glyph *glyph;
    size_t glyph_room;
    struct font_stretch *stretch;
    uint8_t *stretch_level;
    size_t stretch_room, stretch_level_room;
    struct font_letter *letter;
    size_t letter_room;
    size_t losses; /* texts and letters that memory did not suffice for */
};

/* Makes *store hold `needed` things of `size` bytes. False: no memory, *store as before. */
bool font_reserve(void **store, size_t *room, size_t needed, size_t size);

/* The file that draws the letter made of these items: face, DejaVu Sans, the system's, at last one
 * with pictures (coloured); FONT_NOWHERE when nobody has it (a box is drawn then). */
uint32_t font_source_for(struct fonts *fonts, enum font_face face, const struct font_item *item,
                         size_t items);

/* True when HarfBuzz, left to its defaults, chooses the glyphs that the stretch has: then a library
 * that shapes for itself draws what was measured. */
bool font_is_plain(struct fonts *fonts, const struct font_run *run,
                   const struct font_stretch *stretch, const char *text);

/* A text of that file as such a library must be given it: other letters, of as many bytes, for
 * those that the font draws badly. */
void font_drawn_text(uint32_t file, char *text);

/* How far the ink of a stretch reaches beyond its start to the left and over its baseline, in
 * ems. */
void font_ink_overhang(struct fonts *fonts, const struct font_run *run,
                       const struct font_stretch *stretch, float *left, float *above);

/* Shapes a text into a block of its own. NULL: no memory. */
struct font_cached *font_shape_new(struct fonts *fonts, enum font_face face, const char *text,
                                   size_t length);

#endif
