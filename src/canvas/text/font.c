/* Fonts: the bundled files and those of the system, which file has a letter, shaped runs kept by
 * face and text, and what of a line of text is measured: widths, carets, hits. */
#include "canvas/text/font.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <hb-ot.h>

#include "base/checked.h"
#include "base/embedded.h"
#include "base/text.h"
#include "base/translate.h"
#include "canvas/text/font_internal.h"
#include "canvas/text/font_picture.h"

/* --- The bundled fonts: opened once, read in place --- */

static const char *const BUNDLED[FONT_BUNDLED] = {
    [FONT_WORDS] = "fonts/Inter-Regular.otf",
    [FONT_WORDS_MEDIUM] = "fonts/Inter-Medium.otf",
    [FONT_WORDS_BOLD] = "fonts/Inter-SemiBold.otf",
    [FONT_NUMBERS] = "fonts/JetBrainsMono-Regular.ttf",
    [FONT_NUMBERS_BOLD] = "fonts/JetBrainsMono-Bold.ttf",
    [FONT_LAST_RESORT] = "fonts/DejaVuSans.ttf",
};

bool font_reserve(void **store, size_t *room, size_t needed, size_t size)
{
    size_t wanted = 0;
    size_t bytes = 0;
    if (needed <= *room) {
        return true;
    }
    if (!checked_add(needed, needed / 2 + 16, &wanted) || !checked_multiply(wanted, size, &bytes)) {
        return false;
    }
    void *larger = realloc(*store, bytes);
    if (larger == NULL) {
        return false;
    }
    *store = larger;
    *room = wanted;
    return true;
}

/* font_reserve for a 32-bit count of sources. */
static bool reserve_source(struct fonts *fonts)
{
    void *store = fonts->source;
    size_t room = fonts->source_room;
    if (!font_reserve(&store, &room, fonts->sources + 1, sizeof *fonts->source)) {
        return false;
    }
    fonts->source = store;
    fonts->source_room = (uint32_t)room;
    return true;
}

/* Adds a file; takes the blob and the path. Returns its number or FONT_NOWHERE. */
static uint32_t font_source_add(struct fonts *fonts, hb_blob_t *blob, int index, char *path)
{
    unsigned size = 0;
    const char *bytes = hb_blob_get_data(blob, &size);
    hb_face_t *face = hb_face_create(blob, (unsigned)index);
    hb_blob_destroy(blob); /* the face keeps it */
    if (bytes == NULL || hb_face_get_glyph_count(face) == 0 || !reserve_source(fonts)) {
        hb_face_destroy(face);
        free(path);
        return FONT_NOWHERE;
    }
    hb_face_make_immutable(face);
    hb_font_t *font = hb_font_create(face);
    hb_ot_font_set_funcs(font);
    fonts->source[fonts->sources] = (struct font_source){
        .face = face,
        .font = font,
        .upem = (float)hb_face_get_upem(face),
        .file = {(const uint8_t *)bytes, size, index, path},
        .path = path,
    };
    return fonts->sources++;
}

static bool open_bundled(struct fonts *fonts, const char *name, struct error *error)
{
    const struct embedded *embedded = embedded_find(name);
    if (embedded == NULL || embedded->size == 0 || embedded->size > UINT_MAX) {
        return error_set(error, ERROR_FILE, "The bundled font %s is missing.", name);
    }
    hb_blob_t *blob = hb_blob_create((const char *)embedded->bytes, (unsigned)embedded->size,
                                     HB_MEMORY_MODE_READONLY, NULL, NULL);
    if (font_source_add(fonts, blob, 0, NULL) == FONT_NOWHERE) {
        return error_set(error, ERROR_FILE, "The bundled font %s cannot be read.", name);
    }
    return true;
}

struct fonts *fonts_open(struct error *error)
{
    struct fonts *fonts = calloc(1, sizeof *fonts);
    if (fonts == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory for the fonts.");
        return NULL;
    }
    fonts->buffer = hb_buffer_create();
    for (int i = 0; i < FONT_BUNDLED; i++) {
        if (!open_bundled(fonts, BUNDLED[i], error)) {
            fonts_close(fonts);
            return NULL;
        }
    }
    for (uint32_t face = 0; face < FONT_FACES; face++) {
        fonts->of_face[face] = face;
    }
    return fonts;
}

struct font_file fonts_file(struct fonts *fonts, uint32_t file)
{
    return fonts->source[file < fonts->sources ? file : FONT_LAST_RESORT].file;
}

/* True when the file has a glyph for the code point. */
static bool font_source_has(const struct fonts *fonts, uint32_t file, uint32_t code_point)
{
    hb_codepoint_t glyph = 0;
    return hb_font_get_nominal_glyph(fonts->source[file].font, code_point, &glyph) && glyph != 0;
}

static float metric_height(const struct fonts *fonts, enum font_face face, hb_ot_metrics_tag_t tag,
                           float otherwise)
{
    const struct font_source *source = &fonts->source[fonts->of_face[face]];
    hb_position_t units = 0;
    if (!hb_ot_metrics_get_position(source->font, tag, &units) || units <= 0) {
        return otherwise;
    }
    return (float)units / source->upem;
}

float font_cap_height(struct fonts *fonts, enum font_face face, float size)
{
    return size * metric_height(fonts, face, HB_OT_METRICS_TAG_CAP_HEIGHT, 0.72f);
}

/* Which font file has a letter. Fontconfig is asked only when the bundled fonts lack it, and
 * once for each code point. */

static void font_system_close(struct fonts *fonts)
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

/* The kinds of fonts to look for. */
enum style { STYLE_REGULAR, STYLE_BOLD, STYLE_COLOURED };

static FcPattern *match_font(FcConfig *config, uint32_t code_point, enum style style)
{
    FcPattern *wanted = FcPatternCreate();
    FcCharSet *letters = FcCharSetCreate();
    FcResult result = FcResultNoMatch;
    FcPattern *found = NULL;
    if (wanted != NULL && letters != NULL && FcCharSetAddChar(letters, code_point)) {
        FcPatternAddCharSet(wanted, FC_CHARSET, letters);
        const bool coloured = style == STYLE_COLOURED;
        FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)(coloured ? "emoji" : "sans-serif"));
        if (style == STYLE_BOLD) {
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
static uint32_t open_pattern(struct fonts *fonts, FcPattern *pattern, enum style style)
{
    FcChar8 *name = NULL;
    int index = 0;
    if (!is_drawable(pattern, style == STYLE_COLOURED) ||
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
        fonts->source[file].coloured = style == STYLE_COLOURED;
        fonts->source[file].bold = style == STYLE_BOLD;
    }
    return file;
}

static bool open_system(struct fonts *fonts)
{
    if (!fonts->system_tried) {
        fonts->system_tried = true;
        fonts->system = FcInitLoadConfigAndFonts();
    }
    return fonts->system != NULL;
}

static uint32_t ask_system(struct fonts *fonts, uint32_t code_point, enum style style)
{
    if (!open_system(fonts)) {
        return FONT_NOWHERE;
    }
    FcPattern *pattern = match_font(fonts->system, code_point, style);
    if (pattern == NULL) {
        return FONT_NOWHERE;
    }
    const uint32_t file = open_pattern(fonts, pattern, style);
    FcPatternDestroy(pattern);
    return file != FONT_NOWHERE && font_source_has(fonts, file, code_point) ? file : FONT_NOWHERE;
}

/* --- fonts that were chosen --- */

static bool use_source(struct fonts *fonts, enum font_face face, uint32_t file, const char *family,
                       struct error *error)
{
    char *const name = file == FONT_NOWHERE ? NULL : strdup(family);
    if (name == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory for the fonts.");
    }
    free(fonts->family[face]);
    fonts->family[face] = name;
    fonts->of_face[face] = file;
    return true;
}

bool fonts_use_file(struct fonts *fonts, enum font_face face, const char *path, struct error *error)
{
    enum { FAMILY_MAX = 128 };
    char family[FAMILY_MAX] = "";
    unsigned room = FAMILY_MAX;
    hb_blob_t *const blob = hb_blob_create_from_file_or_fail(path);
    char *const kept = blob == NULL ? NULL : strdup(path);
    const uint32_t file = kept == NULL ? FONT_NOWHERE : font_source_add(fonts, blob, 0, kept);
    if (file == FONT_NOWHERE) {
        return error_set(error, ERROR_FILE,
                         "%.120s cannot be read as a font: it should be a .ttf, .otf or .ttc.",
                         path);
    }
    hb_ot_name_get_utf8(fonts->source[file].face, HB_OT_NAME_ID_FONT_FAMILY, HB_LANGUAGE_INVALID,
                        &room, family);
    return use_source(fonts, face, file, family, error);
}

/* Says whether a font is of that family, rather than of one like it. */
static bool is_family(FcPattern *pattern, const char *family)
{
    FcChar8 *name = NULL;
    for (int n = 0; FcPatternGetString(pattern, FC_FAMILY, n, &name) == FcResultMatch; n++) {
        if (FcStrCmpIgnoreCase(name, (const FcChar8 *)family) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the fonts of the system, those of the family first, by how near their weights are. */
static FcFontSet *sort_fonts(FcConfig *config, const char *family, int weight)
{
    FcResult result = FcResultNoMatch;
    FcFontSet *found = NULL;
    FcPattern *const wanted = FcPatternCreate();
    if (wanted != NULL) {
        FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)family);
        FcPatternAddInteger(wanted, FC_WEIGHT, weight);
        FcPatternAddInteger(wanted, FC_SLANT, FC_SLANT_ROMAN);
        FcConfigSubstitute(config, wanted, FcMatchPattern);
        FcDefaultSubstitute(wanted);
        found = FcFontSort(config, wanted, FcFalse, NULL, &result);
        FcPatternDestroy(wanted);
    }
    return found;
}

bool fonts_use_family(struct fonts *fonts, enum font_face face, const char *family,
                      struct error *error)
{
    static const int weights[FONT_FACES] = {
        [FONT_WORDS] = FC_WEIGHT_REGULAR,     [FONT_WORDS_MEDIUM] = FC_WEIGHT_MEDIUM,
        [FONT_WORDS_BOLD] = FC_WEIGHT_BOLD,   [FONT_NUMBERS] = FC_WEIGHT_REGULAR,
        [FONT_NUMBERS_BOLD] = FC_WEIGHT_BOLD,
    };
    FcFontSet *const set =
        open_system(fonts) ? sort_fonts(fonts->system, family, weights[face]) : NULL;
    uint32_t file = FONT_NOWHERE;
    bool is_there = false;
    for (int i = 0; set != NULL && !is_there && i < set->nfont; i++) {
        is_there = is_family(set->fonts[i], family) && is_drawable(set->fonts[i], false);
        file = is_there ? open_pattern(fonts, set->fonts[i], STYLE_REGULAR) : FONT_NOWHERE;
    }
    if (set != NULL) {
        FcFontSetDestroy(set);
    }
    if (!is_there) {
        return error_set(error, ERROR_INPUT,
                         "This machine has no font family \"%.60s\" with outlines (TrueType or "
                         "OpenType); fc-list lists those it has.",
                         family);
    }
    return use_source(fonts, face, file, family, error);
}

const char *fonts_family(const struct fonts *fonts, enum font_face face)
{
    return fonts->family[face];
}

/* --- answers are kept --- */

/* The place of what is wanted: its own or the empty one where it belongs. The multiplier is 2^32 /
 * φ. */
static struct font_fallback *find_place(struct font_fallback *table, size_t room, uint32_t wanted)
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
            *find_place(table, room, fonts->fallback[i].wanted) = fonts->fallback[i];
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
    struct font_fallback *cached = find_place(fonts->fallback, fonts->fallback_room, wanted);
    if (cached->wanted == wanted) {
        return cached->file;
    }
    uint32_t file = FONT_NOWHERE;
    for (uint32_t i = FONT_BUNDLED; i < fonts->sources && file == FONT_NOWHERE; i++) {
        const bool fits = !fonts->source[i].coloured && fonts->source[i].bold == bold;
        const bool has = fits && font_source_has(fonts, i, code_point);
        file = has ? i : FONT_NOWHERE;
    }
    const size_t losses = fonts->losses;
    if (file == FONT_NOWHERE) {
        file = ask_system(fonts, code_point, bold ? STYLE_BOLD : STYLE_REGULAR);
    }
    if (file == FONT_NOWHERE) {
        file = ask_system(fonts, code_point, STYLE_COLOURED);
    }
    if (fonts->losses > losses) {
        return FONT_NOWHERE; /* for now; what memory did not suffice for is asked again */
    }
    *cached = (struct font_fallback){wanted, file};
    fonts->fallbacks++;
    return file;
}

/* Emoji, which are meant in colour. */
static bool is_emoji(const struct font_item *item, size_t items)
{
    enum { FIRST = 0x1f300, LAST = 0x1faff, AS_TEXT = 0xfe0e };
    return item[0].code_point >= FIRST && item[0].code_point <= LAST &&
           !(items > 1 && item[1].code_point == AS_TEXT);
}

/* Returns the font of the system that has a letter in colours that can be read. */
static uint32_t coloured_file(struct fonts *fonts, uint32_t code_point)
{
    const uint32_t wanted = code_point | 2u << 24; /* beside those of system_file */
    struct font_fallback *const cached =
        widen_fallbacks(fonts) ? find_place(fonts->fallback, fonts->fallback_room, wanted) : NULL;
    if (cached == NULL || cached->wanted == wanted) {
        return cached == NULL ? FONT_NOWHERE : cached->file;
    }
    const size_t losses = fonts->losses;
    const uint32_t file = ask_system(fonts, code_point, STYLE_COLOURED);
    hb_codepoint_t glyph = 0;
    const bool has = file != FONT_NOWHERE &&
                     hb_font_get_nominal_glyph(fonts->source[file].font, code_point, &glyph) &&
                     font_picture(fonts, file, glyph, 0) != NULL;
    if (fonts->losses == losses) {
        *cached = (struct font_fallback){wanted, has ? file : FONT_NOWHERE};
        fonts->fallbacks++;
    }
    return has ? file : FONT_NOWHERE;
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
    const uint32_t own[] = {fonts->of_face[face], (uint32_t)face};
    for (size_t o = 0; o < sizeof own / sizeof *own; o++) {
        if (has_all(fonts, own[o], item, items)) {
            return own[o];
        }
    }
    const uint32_t in_colour =
        is_emoji(item, items) ? coloured_file(fonts, item[0].code_point) : FONT_NOWHERE;
    if (in_colour != FONT_NOWHERE) {
        return in_colour; /* all emoji of a text look alike, also those that outlines exist of */
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

/* --- Shaped runs, kept by face and text --- */

enum {
    FIRST_BUCKETS = 1024,
    MANY_RUNS = 8192,              /* fonts_trim drops what the last frame did not use above it */
    MANY_BYTES = 16 * 1024 * 1024, /* or when all runs take more than that */
};

static uint64_t hash_text(enum font_face face, const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)face;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x00000100000001b3);
    }
    return hash ^ hash >> 32;
}

static bool widen_buckets(struct fonts *fonts)
{
    if (fonts->runs < fonts->buckets) {
        return true;
    }
    const size_t buckets = fonts->buckets == 0 ? FIRST_BUCKETS : fonts->buckets * 2;
    struct font_cached **bucket = calloc(buckets, sizeof(struct font_cached *));
    if (bucket == NULL) {
        return fonts->buckets > 0;
    }
    for (size_t i = 0; i < fonts->buckets; i++) {
        for (struct font_cached *cached = fonts->bucket[i]; cached != NULL;) {
            struct font_cached *next = cached->next;
            cached->next = bucket[cached->hash & (buckets - 1)];
            bucket[cached->hash & (buckets - 1)] = cached;
            cached = next;
        }
    }
    free(fonts->bucket);
    fonts->bucket = bucket;
    fonts->buckets = buckets;
    return true;
}

static struct font_cached *find_cached(const struct fonts *fonts, enum font_face face,
                                       const char *text, size_t length, uint64_t hash)
{
    if (fonts->buckets == 0) {
        return NULL;
    }
    struct font_cached *cached = fonts->bucket[hash & (fonts->buckets - 1)];
    while (cached != NULL &&
           (cached->hash != hash || cached->face != face || cached->length != length ||
            memcmp(cached->text, text, length) != 0)) {
        cached = cached->next;
    }
    return cached;
}

/* As font_shape, with the letters. */
static const struct font_cached *cached_run(struct fonts *fonts, enum font_face face,
                                            const char *text, size_t length)
{
    static const struct font_cached nothing = {.text = ""};
    if (length == 0) {
        return &nothing;
    }
    length = length < FONT_LONGEST ? length : FONT_LONGEST;
    const uint64_t hash = hash_text(face, text, length);
    struct font_cached *cached = find_cached(fonts, face, text, length, hash);
    if (cached == NULL) {
        cached = widen_buckets(fonts) ? font_shape_new(fonts, face, text, length) : NULL;
        if (cached == NULL) {
            fonts_lose(fonts);
            return &nothing;
        }
        cached->hash = hash;
        cached->next = fonts->bucket[hash & (fonts->buckets - 1)];
        fonts->bucket[hash & (fonts->buckets - 1)] = cached;
        fonts->runs++;
        fonts->run_bytes += cached->bytes;
    }
    cached->used = fonts->round;
    return cached;
}

const struct font_run *font_shape(struct fonts *fonts, enum font_face face, const char *text,
                                  size_t length)
{
    return &cached_run(fonts, face, text, length)->run;
}

/* Drops the runs that were last used before `round`. */
static void drop_before(struct fonts *fonts, uint64_t round)
{
    for (size_t i = 0; i < fonts->buckets; i++) {
        struct font_cached **link = &fonts->bucket[i];
        while (*link != NULL) {
            struct font_cached *cached = *link;
            if (cached->used >= round) {
                link = &cached->next;
                continue;
            }
            *link = cached->next;
            fonts->runs--;
            fonts->run_bytes -= cached->bytes;
            free(cached);
        }
    }
}

bool fonts_speak(struct fonts *fonts, const struct language *language)
{
    const char *const name = language->name;
    return font_shape(fonts, FONT_WORDS, name, strlen(name))->missing == 0;
}

size_t fonts_losses(const struct fonts *fonts)
{
    return fonts->losses;
}

void fonts_lose(struct fonts *fonts)
{
    fonts->losses++;
}

void fonts_trim(struct fonts *fonts)
{
    if (fonts->runs > MANY_RUNS || fonts->run_bytes > MANY_BYTES) {
        drop_before(fonts, fonts->round);
    }
    fonts->round++;
}

static void font_runs_close(struct fonts *fonts)
{
    drop_before(fonts, UINT64_MAX);
    free(fonts->bucket);
}

/* Of a long text so much is shaped first to see how much fits. */
enum { FIT_FIRST = 512 };

float font_measure(struct fonts *fonts, enum font_face face, float size, const char *text,
                   size_t length)
{
    return size * cached_run(fonts, face, text, length)->run.width;
}

/* The letter that byte `at` is in. */
static size_t letter_at(const struct font_cached *cached, size_t at)
{
    size_t low = 0;
    size_t high = cached->letters;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (cached->letter[middle].at <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

float font_caret(struct fonts *fonts, enum font_face face, float size, const char *text,
                 size_t length, size_t at)
{
    const struct font_cached *cached = cached_run(fonts, face, text, length);
    if (cached->letters == 0) {
        return 0;
    }
    if (at >= cached->length) {
        return size * cached->letter[cached->letters - 1].trail;
    }
    return size * cached->letter[letter_at(cached, at)].lead;
}

size_t font_hit(struct fonts *fonts, enum font_face face, float size, const char *text,
                size_t length, float x)
{
    const struct font_cached *cached = cached_run(fonts, face, text, length);
    if (cached->letters == 0 || size <= 0) {
        return 0;
    }
    const float wanted = x / size;
    size_t best = cached->length;
    float nearest = fabsf(cached->letter[cached->letters - 1].trail - wanted);
    for (size_t i = 0; i < cached->letters; i++) {
        const float distance = fabsf(cached->letter[i].lead - wanted);
        if (distance < nearest) {
            nearest = distance;
            best = cached->letter[i].at;
        }
    }
    return best;
}

/* How many leading bytes of a shaped text are at most `room` ems wide. */
static size_t fit_cached(const struct font_cached *cached, float room)
{
    float width = 0;
    for (size_t i = 0; i < cached->letters; i++) {
        width += fabsf(cached->letter[i].trail - cached->letter[i].lead);
        if (width > room) {
            return cached->letter[i].at;
        }
    }
    return cached->length;
}

/* The start of the letter that byte `at` is in, found from a letter edge at or before it. */
static size_t letter_edge(const char *text, size_t length, size_t from, size_t at)
{
    for (;;) {
        const size_t next = text_next_letter(text, length, from);
        if (next > at) {
            return from;
        }
        from = next;
    }
}

size_t font_fit(struct fonts *fonts, enum font_face face, float size, const char *text,
                size_t length, float width)
{
    if (!(size > 0) || isnan(width)) {
        return 0;
    }
    const float room = width / size;
    size_t edge = 0;
    /* Parts of growing length: what is never seen of a long text need not be shaped. */
    for (size_t part = FIT_FIRST; part < length; part *= 4) {
        edge = letter_edge(text, length, edge, part);
        const struct font_cached *cached = cached_run(fonts, face, text, edge);
        if (cached->run.width > room) {
            return fit_cached(cached, room);
        }
    }
    const struct font_cached *cached = cached_run(fonts, face, text, length);
    return cached->run.width <= room ? length : fit_cached(cached, room);
}

void fonts_close(struct fonts *fonts)
{
    if (fonts == NULL) {
        return;
    }
    font_runs_close(fonts);
    font_system_close(fonts);
    font_pictures_close(fonts->pictures);
    hb_buffer_destroy(fonts->buffer);
    for (uint32_t i = 0; i < fonts->sources; i++) {
        hb_font_destroy(fonts->source[i].font);
        hb_face_destroy(fonts->source[i].face);
        free(fonts->source[i].path);
    }
    for (size_t face = 0; face < FONT_FACES; face++) {
        free(fonts->family[face]);
    }
    free(fonts->source);
    free(fonts->item);
    free(fonts->glyph);
    free(fonts->stretch);
    free(fonts->stretch_level);
    free(fonts->letter);
    free(fonts);
}
