/* Which font file has a letter. Fontconfig is asked only when the bundled fonts lack it, and
 * once for each code point. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "canvas/text/font_internal.h"

void font_system_close(struct fonts *fonts)
{
    if (fonts->system != NULL) {
        FcConfigDestroy(fonts->system);
    }
    free(fonts->fallback);
}

/* --- what fontconfig knows --- */

/* Letters are outlines in one colour or else pictures in their own, as those of emoji; never the
 * bitmap fonts of X11. */
static bool is_drawable(FcPattern *pattern, bool coloured)
{
    FcChar8 *format = NULL;
    FcBool colour = FcFalse;
    if (FcPatternGetBool(pattern, FC_COLOR, 0, &colour) != FcResultMatch) {
        colour = FcFalse;
    }
    if ((colour == FcTrue) != coloured) {
        return false;
    }
    if (FcPatternGetString(pattern, FC_FONTFORMAT, 0, &format) != FcResultMatch) {
        return false;
    }
    return strcmp((const char *)format, "TrueType") == 0 ||
           strcmp((const char *)format, "CFF") == 0;
}

/* What kind of font is looked for. */
enum look { LOOK_PLAIN, LOOK_BOLD, LOOK_COLOURED };

static FcPattern *match(FcConfig *config, uint32_t code_point, enum look look)
{
    FcPattern *wanted = FcPatternCreate();
    FcCharSet *letters = FcCharSetCreate();
    FcResult result = FcResultNoMatch;
    FcPattern *found = NULL;
    if (wanted != NULL && letters != NULL && FcCharSetAddChar(letters, code_point)) {
        FcPatternAddCharSet(wanted, FC_CHARSET, letters);
        const bool coloured = look == LOOK_COLOURED;
        FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)(coloured ? "emoji" : "sans-serif"));
        if (look == LOOK_BOLD) {
            FcPatternAddInteger(wanted, FC_WEIGHT, FC_WEIGHT_BOLD);
        }
        if (!coloured) {
            FcPatternAddBool(wanted, FC_SCALABLE, FcTrue); /* pictures are often of one size */
        }
        FcPatternAddBool(wanted, FC_COLOR, coloured ? FcTrue : FcFalse);
        FcConfigSubstitute(config, wanted, FcMatchPattern);
        FcDefaultSubstitute(wanted);
        found = FcFontMatch(config, wanted, &result);
    }
    if (letters != NULL) {
        FcCharSetDestroy(letters);
    }
    if (wanted != NULL) {
        FcPatternDestroy(wanted);
    }
    return found;
}

/* Opens the file that a pattern names, unless it is open already. */
static uint32_t open_pattern(struct fonts *fonts, FcPattern *pattern, enum look look)
{
    FcChar8 *name = NULL;
    int index = 0;
    if (!is_drawable(pattern, look == LOOK_COLOURED) ||
        FcPatternGetString(pattern, FC_FILE, 0, &name) != FcResultMatch) {
        return FONT_NOWHERE;
    }
    FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
    index &= 0xffff; /* above it fontconfig keeps the named instance of a variable font */
    for (uint32_t i = FONT_BUNDLED; i < fonts->sources; i++) {
        if (strcmp(fonts->source[i].path, (const char *)name) == 0 &&
            fonts->source[i].file.index == index) {
            return i;
        }
    }
    hb_blob_t *blob = hb_blob_create_from_file_or_fail((const char *)name);
    char *path = blob == NULL ? NULL : strdup((const char *)name);
    if (path == NULL) {
        fonts_lose(fonts);
        hb_blob_destroy(blob);
        return FONT_NOWHERE;
    }
    const uint32_t file = font_source_add(fonts, blob, index, path);
    if (file == FONT_NOWHERE) {
        fonts_lose(fonts);
    } else {
        fonts->source[file].coloured = look == LOOK_COLOURED;
        fonts->source[file].bold = look == LOOK_BOLD;
    }
    return file;
}

static uint32_t ask_system(struct fonts *fonts, uint32_t code_point, enum look look)
{
    if (!fonts->system_tried) {
        fonts->system_tried = true;
        fonts->system = FcInitLoadConfigAndFonts();
    }
    if (fonts->system == NULL) {
        return FONT_NOWHERE;
    }
    FcPattern *pattern = match(fonts->system, code_point, look);
    if (pattern == NULL) {
        return FONT_NOWHERE;
    }
    const uint32_t file = open_pattern(fonts, pattern, look);
    FcPatternDestroy(pattern);
    return file != FONT_NOWHERE && font_source_has(fonts, file, code_point) ? file : FONT_NOWHERE;
}

/* --- answers are kept --- */

/* The place of what is wanted: its own or the empty one where it belongs. The multiplier is 2^32 /
 * φ. */
static struct font_fallback *place(struct font_fallback *table, size_t room, uint32_t wanted)
{
    size_t at = (wanted * UINT32_C(2654435769)) & (room - 1);
    while (table[at].wanted != 0 && table[at].wanted != wanted) {
        at = (at + 1) & (room - 1);
    }
    return &table[at];
}

static bool widen_fallbacks(struct fonts *fonts)
{
    if (fonts->fallbacks * 2 < fonts->fallback_room) {
        return true;
    }
    const size_t room = fonts->fallback_room == 0 ? 256 : fonts->fallback_room * 2;
    struct font_fallback *table = calloc(room, sizeof *table);
    if (table == NULL) {
        fonts_lose(fonts);
        return false;
    }
    for (size_t i = 0; i < fonts->fallback_room; i++) {
        if (fonts->fallback[i].wanted != 0) {
            *place(table, room, fonts->fallback[i].wanted) = fonts->fallback[i];
        }
    }
    free(fonts->fallback);
    fonts->fallback = table;
    fonts->fallback_room = room;
    return true;
}

static uint32_t system_file(struct fonts *fonts, uint32_t code_point, bool bold)
{
    const uint32_t above_all = 1u << 24; /* code points */
    const uint32_t wanted = code_point | (bold ? above_all : 0);
    if (code_point == 0 || !widen_fallbacks(fonts)) {
        return FONT_NOWHERE;
    }
    struct font_fallback *kept = place(fonts->fallback, fonts->fallback_room, wanted);
    if (kept->wanted == wanted) {
        return kept->file;
    }
    uint32_t file = FONT_NOWHERE;
    for (uint32_t i = FONT_BUNDLED; i < fonts->sources && file == FONT_NOWHERE; i++) {
        const bool fits = !fonts->source[i].coloured && fonts->source[i].bold == bold;
        const bool has = fits && font_source_has(fonts, i, code_point);
        file = has ? i : FONT_NOWHERE;
    }
    const size_t losses = fonts->losses;
    if (file == FONT_NOWHERE) {
        file = ask_system(fonts, code_point, bold ? LOOK_BOLD : LOOK_PLAIN);
    }
    if (file == FONT_NOWHERE) {
        file = ask_system(fonts, code_point, LOOK_COLOURED);
    }
    if (fonts->losses > losses) {
        return FONT_NOWHERE; /* for now; what memory did not suffice for is asked again */
    }
    *kept = (struct font_fallback){wanted, file};
    fonts->fallbacks++;
    return file;
}

/* --- a whole letter --- */

/* Joiners, variation selectors and direction marks need no glyph. */
static bool needs_no_glyph(uint32_t code_point)
{
    static const struct {
        uint32_t first, last;
    } unseen[] = {
        {0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c}, {0x180b, 0x180f}, {0x200b, 0x200f},
        {0x202a, 0x202e}, {0x2060, 0x206f}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++) {
        if (code_point <= unseen[i].last) {
            return code_point >= unseen[i].first;
        }
    }
    return false;
}

static bool has_all(const struct fonts *fonts, uint32_t file, const struct font_item *item,
                    size_t items)
{
    for (size_t i = 0; i < items; i++) {
        if (!needs_no_glyph(item[i].code_point) &&
            !font_source_has(fonts, file, item[i].code_point)) {
            return false;
        }
    }
    return true;
}

uint32_t font_source_for(struct fonts *fonts, enum font_face face, const struct font_item *item,
                         size_t items)
{
    if (has_all(fonts, (uint32_t)face, item, items)) {
        return (uint32_t)face;
    }
    if (has_all(fonts, FONT_LAST_RESORT, item, items)) {
        return FONT_LAST_RESORT;
    }
    /* A base letter matters more than the marks on it. */
    const uint32_t base = item[0].code_point;
    const uint32_t file = system_file(fonts, base, face == FONT_WORDS_BOLD);
    if (file != FONT_NOWHERE && !fonts->source[file].coloured) {
        return file;
    }
    if (font_source_has(fonts, (uint32_t)face, base)) {
        return (uint32_t)face;
    }
    if (font_source_has(fonts, FONT_LAST_RESORT, base)) {
        return FONT_LAST_RESORT;
    }
    if (file != FONT_NOWHERE) {
        return file;
    }
    /* HarfBuzz makes every width of space out of the face's own; an unseen base has marks on it. */
    return text_is_space(base) || needs_no_glyph(base) ? (uint32_t)face : FONT_NOWHERE;
}
