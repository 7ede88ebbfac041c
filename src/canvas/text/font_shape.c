/* A text into items of one file, script and direction, and items into glyphs. HarfBuzz shapes each
 * stretch at one unit per font unit; the stretches are then laid side by side in the order in which
 * they are seen (UAX 9, rule L2). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "canvas/text/font_internal.h"
#include "canvas/text/font_picture.h"

#define DIGITS 0.46f     /* size of the digits */
#define DIGIT_WIDTH 0.6f /* of JetBrains Mono, of its size */
#define DIGIT_HEIGHT 0.73f
#define PAD 0.1f

struct missing_glyph_box missing_glyph_box(uint32_t code_point)
{
    char digits[16];
    const int count = snprintf(digits, sizeof digits, code_point > 0xffff ? "%06X" : "%04X",
                               (unsigned)code_point);
    const size_t columns = (size_t)count / 2;
    struct missing_glyph_box box = {
        .gap = 0.07f,
        .top = -0.9f,
        .bottom = 0.14f,
        .digits = DIGITS,
    };
    box.width = (float)columns * DIGIT_WIDTH * DIGITS + 2 * (PAD + box.gap);
    const float high = DIGIT_HEIGHT * DIGITS;
    const float between = (box.bottom - box.top - 2 * high) / 3;
    for (size_t row = 0; row < 2; row++) {
        memcpy(box.row[row], digits + row * columns, columns);
        box.baseline[row] = box.top + (float)(row + 1) * (between + high);
    }
    return box;
}

/* A text cut into items. Directions follow the Unicode Bidirectional Algorithm (UAX 9) as far as
 * one line of words and numbers needs it: first strong letter gives the direction of the line
 * (P2, P3), numbers within right-to-left text keep their own order (W2, W4, W7, I1), neutral
 * characters follow their neighbours (N1, N2). Explicit embeddings and isolates are left out. */

enum bidi { BIDI_LEFT, BIDI_RIGHT, BIDI_NUMBER, BIDI_NEUTRAL };

static bool is_digit(hb_unicode_funcs_t *unicode, uint32_t code_point)
{
    return hb_unicode_general_category(unicode, code_point) ==
           HB_UNICODE_GENERAL_CATEGORY_DECIMAL_NUMBER;
}

/* Rule W4, with the true minus sign. */
static bool is_separator(uint32_t code_point)
{
    return code_point == '.' || code_point == ',' || code_point == ':' || code_point == '/' ||
           code_point == '+' || code_point == '-' || code_point == 0x2212;
}

static bool has_script(const struct font_item *item)
{
    return item->script != HB_SCRIPT_COMMON && item->script != HB_SCRIPT_INHERITED &&
           item->script != HB_SCRIPT_UNKNOWN;
}

static enum bidi bidi_of(hb_unicode_funcs_t *unicode, const struct font_item *item)
{
    if (is_digit(unicode, item->code_point)) {
        return BIDI_NUMBER;
    }
    if (!has_script(item)) {
        return BIDI_NEUTRAL;
    }
    return hb_script_get_horizontal_direction(item->script) == HB_DIRECTION_RTL ? BIDI_RIGHT
                                                                                : BIDI_LEFT;
}

/* Classes are kept in `level` until neutrals are settled. Returns whether anything reads
 * leftward. */
static bool classify_items(struct font_item *item, size_t items, enum bidi *base)
{
    hb_unicode_funcs_t *unicode = hb_unicode_funcs_get_default();
    bool any_right = false;
    bool base_known = false;
    for (size_t i = 0; i < items; i++) {
        /* A mark goes with what it marks (W1). */
        const bool mark = i > 0 && item[i].script == HB_SCRIPT_INHERITED;
        const enum bidi kind = mark ? (enum bidi)item[i - 1].level : bidi_of(unicode, &item[i]);
        item[i].level = (uint8_t)kind;
        any_right = any_right || kind == BIDI_RIGHT;
        if (!base_known && (kind == BIDI_LEFT || kind == BIDI_RIGHT)) {
            *base = kind;
            base_known = true;
        }
    }
    for (size_t i = 1; i + 1 < items; i++) {
        if (is_separator(item[i].code_point) && item[i - 1].level == BIDI_NUMBER &&
            item[i + 1].level == BIDI_NUMBER) {
            item[i].level = BIDI_NUMBER;
        }
    }
    return any_right;
}

/* Numbers behind leftward letters stay numbers, the others read as letters (W7). */
static void settle_numbers(struct font_item *item, size_t items, enum bidi base)
{
    enum bidi strong = base;
    for (size_t i = 0; i < items; i++) {
        if (item[i].level == BIDI_LEFT || item[i].level == BIDI_RIGHT) {
            strong = (enum bidi)item[i].level;
        } else if (item[i].level == BIDI_NUMBER && strong == BIDI_LEFT) {
            item[i].level = BIDI_LEFT;
        }
    }
}

/* To a neutral a number reads as the leftward text it stands in (N1). */
static enum bidi as_neighbour(uint8_t kind)
{
    return kind == BIDI_NUMBER ? BIDI_RIGHT : (enum bidi)kind;
}

static void settle_neutrals(struct font_item *item, size_t items, enum bidi base)
{
    for (size_t i = 0; i < items;) {
        if (item[i].level != BIDI_NEUTRAL) {
            i++;
            continue;
        }
        size_t end = i;
        while (end < items && item[end].level == BIDI_NEUTRAL) {
            end++;
        }
        const enum bidi before = i == 0 ? base : as_neighbour(item[i - 1].level);
        const enum bidi behind = end == items ? base : as_neighbour(item[end].level);
        for (; i < end; i++) {
            item[i].level = (uint8_t)(before == behind ? before : base);
        }
    }
}

static void find_levels(struct font_item *item, size_t items)
{
    enum bidi base = BIDI_LEFT;
    if (!classify_items(item, items, &base)) {
        for (size_t i = 0; i < items; i++) {
            item[i].level = 0;
        }
        return;
    }
    settle_numbers(item, items, base);
    settle_neutrals(item, items, base);
    const uint8_t level[] = {
        [BIDI_LEFT] = base == BIDI_LEFT ? 0 : 2,
        [BIDI_RIGHT] = 1,
        [BIDI_NUMBER] = 2,
    };
    for (size_t i = 0; i < items; i++) {
        item[i].level = level[item[i].level];
    }
}

/* Shapes characters that belong to no script with their neighbours, and those before all others
 * with the first; alone as Latin, because DejaVu Sans keeps its kerning there. */
static void spread_scripts(struct font_item *item, size_t items)
{
    hb_script_t script = HB_SCRIPT_LATIN;
    for (size_t i = 0; i < items; i++) {
        if (has_script(&item[i])) {
            script = item[i].script;
            break;
        }
    }
    for (size_t i = 0; i < items; i++) {
        script = has_script(&item[i]) ? item[i].script : script;
        item[i].script = script;
    }
}

/* One file for every letter, so that marks stay on what they mark. */
static void find_files(struct fonts *fonts, enum font_face face, struct font_item *item,
                       size_t items, const char *text, size_t length)
{
    for (size_t i = 0; i < items;) {
        const size_t next = text_next_letter(text, length, item[i].at);
        size_t end = i + 1;
        while (end < items && item[end].at < next) {
            end++;
        }
        const uint32_t file = font_source_for(fonts, face, item + i, end - i);
        const bool missing = file == FONT_NOWHERE;
        const bool apart = missing || fonts->source[file].coloured;
        const size_t letter_apart = apart ? (size_t)item[i].at + 1 : 0;
        for (; i < end; i++) {
            item[i].file = missing ? (uint32_t)face : file;
            item[i].letter_apart = letter_apart;
            item[i].missing = missing;
        }
    }
}

/* Fills fonts->item and returns how many there are; 0: no text or no memory. */
static size_t font_items(struct fonts *fonts, enum font_face face, const char *text, size_t length)
{
    void *store = fonts->item;
    if (length == 0 || !font_reserve(&store, &fonts->item_room, length, sizeof *fonts->item)) {
        return 0;
    }
    fonts->item = store;
    hb_unicode_funcs_t *unicode = hb_unicode_funcs_get_default();
    size_t items = 0;
    for (size_t at = 0; at < length;) {
        struct font_item *item = &fonts->item[items++];
        item->at = (uint32_t)at;
        const uint32_t code_point = text_next(text, length, &at);
        const bool blank = code_point == '\t' || code_point == '\n' || code_point == '\r';
        item->code_point = blank ? ' ' : code_point == 0 ? 0xfffd : code_point;
        item->script = hb_unicode_script(unicode, item->code_point);
    }
    find_files(fonts, face, fonts->item, items, text, length);
    find_levels(fonts->item, items);
    spread_scripts(fonts->item, items);
    return items;
}

/* Turns off substitutions such as an arrow for "->" or a multiplication sign in "2x2". Only the
 * bundled files do them; for scripts like Arabic contextual alternates are part of writing. */
static const hb_feature_t LITERAL[] = {
    {HB_TAG('c', 'a', 'l', 't'), 0, HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END},
};

/* The features a file is shaped with. */
static size_t font_features(uint32_t file, const hb_feature_t **feature)
{
    *feature = LITERAL;
    return file < FONT_LAST_RESORT ? sizeof LITERAL / sizeof LITERAL[0] : 0;
}

static bool reserve_glyphs(struct fonts *fonts, size_t needed)
{
    void *store = fonts->glyph;
    const bool fits = font_reserve(&store, &fonts->glyph_room, needed, sizeof *fonts->glyph);
    fonts->glyph = store;
    return fits;
}

static bool reserve_stretch(struct fonts *fonts, size_t needed)
{
    void *store = fonts->stretch;
    void *level = fonts->stretch_level;
    const bool fits =
        font_reserve(&store, &fonts->stretch_room, needed, sizeof *fonts->stretch) &&
        font_reserve(&level, &fonts->stretch_level_room, needed, sizeof *fonts->stretch_level);
    fonts->stretch = store;
    fonts->stretch_level = level;
    return fits;
}

/* The numbers' font draws its minus as short as its hyphen; its en dash has the same height and the
 * width of a digit. */
static uint32_t drawn_as(uint32_t file, uint32_t code_point)
{
    enum { MINUS = 0x2212, EN_DASH = 0x2013 };
    const bool of_numbers = file == FONT_NUMBERS || file == FONT_NUMBERS_BOLD;
    return of_numbers && code_point == MINUS ? EN_DASH : code_point;
}

void font_drawn_text(uint32_t file, char *text)
{
    static const char minus[] = "\xe2\x88\x92", en_dash[] = "\xe2\x80\x93";
    if (file == FONT_NUMBERS || file == FONT_NUMBERS_BOLD) {
        for (char *at = text; (at = strstr(at, minus)) != NULL; at += sizeof minus - 1) {
            memcpy(at, en_dash, sizeof en_dash - 1);
        }
    }
}

static void fill_buffer(hb_buffer_t *buffer, const struct font_item *item, size_t items)
{
    hb_buffer_clear_contents(buffer);
    for (size_t i = 0; i < items; i++) {
        hb_buffer_add(buffer, drawn_as(item[i].file, item[i].code_point), item[i].at);
    }
    hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE);
    hb_buffer_set_direction(buffer, item->level % 2 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, item->script);
    /* A fixed language: the same text is equally wide under every locale. */
    hb_buffer_set_language(buffer, hb_language_from_string("en", -1));
}

/* Room for a box with the digits of the code point in two rows. */
static bool shape_missing(const struct font_item *item, size_t glyphs, struct font_stretch *stretch)
{
    *stretch = (struct font_stretch){
        .file = item->file,
        .glyph = glyphs,
        .right_to_left = item->level % 2 == 1,
        .apart = item->code_point,
        .width = missing_glyph_box(item->code_point).width,
    };
    hb_tag_to_string(hb_script_to_iso15924_tag(item->script), stretch->script);
    return true;
}

/* Shapes one stretch; its glyphs go behind the `glyphs` there are, x counted from its own left
 * end. */
static bool shape_stretch(struct fonts *fonts, const struct font_item *item, size_t items,
                          size_t glyphs, struct font_stretch *stretch)
{
    const struct font_source *source = &fonts->source[item->file];
    const hb_feature_t *feature = NULL;
    const size_t features = font_features(item->file, &feature);
    fill_buffer(fonts->buffer, item, items);
    hb_shape(source->font, fonts->buffer, feature, (unsigned)features);
    unsigned count = 0;
    const hb_glyph_info_t *shape = hb_buffer_get_glyph_infos(fonts->buffer, &count);
    const hb_glyph_position_t *position = hb_buffer_get_glyph_positions(fonts->buffer, NULL);
    if (!reserve_glyphs(fonts, glyphs + count)) {
        return false;
    }
    int64_t cursor = 0; /* font units: whole numbers do not drift over long texts */
    for (unsigned i = 0; i < count; i++) {
        fonts->glyph[glyphs + i] = (struct font_glyph){
            .id = shape[i].codepoint,
            .file = item->file,
            .x = (float)(cursor + position[i].x_offset) / source->upem,
            .y = -(float)position[i].y_offset / source->upem,
            .advance = (float)position[i].x_advance / source->upem,
            .cluster = shape[i].cluster,
        };
        cursor += position[i].x_advance;
    }
    *stretch = (struct font_stretch){
        .file = item->file,
        .glyph = glyphs,
        .glyphs = count,
        .right_to_left = item->level % 2 == 1,
        .width = (float)cursor / source->upem,
    };
    hb_tag_to_string(hb_script_to_iso15924_tag(item->script), stretch->script);
    return true;
}

/* A letter as pictures, or as a box where its font has them in a way that cannot be read; the
 * glyphs are not kept. */
static bool shape_apart(struct fonts *fonts, const struct font_item *item, size_t items,
                        size_t glyphs, struct font_stretch *stretch)
{
    if (item->missing) {
        return shape_missing(item, glyphs, stretch);
    }
    if (!shape_stretch(fonts, item, items, glyphs, stretch)) {
        return false;
    }
    uint32_t pictures = 0;
    for (size_t g = 0; g < stretch->glyphs; g++) {
        const struct font_glyph *const glyph = &fonts->glyph[glyphs + g];
        if (glyph->advance <= 0) {
            continue; /* joiners and selectors of the letter */
        }
        const bool fits = pictures < FONT_PICTURES_MAX;
        if (!fits || font_picture(fonts, item->file, glyph->id, 0) == NULL) {
            return shape_missing(item, glyphs, stretch);
        }
        stretch->picture[pictures].glyph = glyph->id;
        stretch->picture[pictures++].x = glyph->x;
    }
    stretch->glyphs = 0;
    stretch->apart = item->code_point;
    stretch->pictures = pictures;
    return pictures > 0 || shape_missing(item, glyphs, stretch);
}

bool font_is_plain(struct fonts *fonts, const struct font_run *run,
                   const struct font_stretch *stretch, const char *text)
{
    hb_buffer_t *buffer = fonts->buffer;
    unsigned count = 0;
    hb_buffer_clear_contents(buffer);
    hb_buffer_add_utf8(buffer, text + stretch->start, (int)stretch->length, 0, -1);
    hb_glyph_info_t *const letters = hb_buffer_get_glyph_infos(buffer, &count);
    for (unsigned i = 0; i < count; i++) {
        letters[i].codepoint = drawn_as(stretch->file, letters[i].codepoint);
    }
    hb_buffer_set_direction(buffer, stretch->right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, hb_script_from_string(stretch->script, -1));
    hb_shape(fonts->source[stretch->file].font, buffer, NULL, 0);
    const hb_glyph_info_t *shape = hb_buffer_get_glyph_infos(buffer, &count);
    if (count != stretch->glyphs) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (shape[i].codepoint != run->glyph[stretch->glyph + i].id) {
            return false;
        }
    }
    return true;
}

void font_ink_overhang(struct fonts *fonts, const struct font_run *run,
                       const struct font_stretch *stretch, float *left, float *above)
{
    const struct font_source *source = &fonts->source[stretch->file];
    *left = 0;
    *above = 0;
    for (size_t i = 0; i < stretch->glyphs; i++) {
        const struct font_glyph *glyph = &run->glyph[stretch->glyph + i];
        hb_glyph_extents_t ink;
        if (!hb_font_get_glyph_extents(source->font, glyph->id, &ink)) {
            continue;
        }
        *left = fmaxf(*left, stretch->x - glyph->x - (float)ink.x_bearing / source->upem);
        *above = fmaxf(*above, (float)ink.y_bearing / source->upem - glyph->y);
    }
}

static bool same_stretch(const struct font_item *a, const struct font_item *b)
{
    return a->file == b->file && a->script == b->script && a->level == b->level &&
           a->letter_apart == b->letter_apart;
}

/* Fills fonts->stretch and fonts->glyph in the order of the text. */
static bool shape_all(struct fonts *fonts, size_t items, size_t length, size_t *stretches,
                      size_t *glyphs)
{
    for (size_t i = 0; i < items;) {
        size_t end = i + 1;
        while (end < items && same_stretch(&fonts->item[i], &fonts->item[end])) {
            end++;
        }
        if (!reserve_stretch(fonts, *stretches + 1)) {
            return false;
        }
        struct font_stretch *stretch = &fonts->stretch[*stretches];
        const bool shaped = fonts->item[i].letter_apart > 0
                                ? shape_apart(fonts, fonts->item + i, end - i, *glyphs, stretch)
                                : shape_stretch(fonts, fonts->item + i, end - i, *glyphs, stretch);
        if (!shaped) {
            return false;
        }
        stretch->start = fonts->item[i].at;
        stretch->length = (end < items ? fonts->item[end].at : length) - stretch->start;
        fonts->stretch_level[*stretches] = fonts->item[i].level;
        *glyphs += stretch->glyphs;
        *stretches += 1;
        i = end;
    }
    return true;
}

static void reverse_stretches(struct fonts *fonts, size_t first, size_t end)
{
    for (; first + 1 < end; first++, end--) {
        const struct font_stretch stretch = fonts->stretch[first];
        const uint8_t level = fonts->stretch_level[first];
        fonts->stretch[first] = fonts->stretch[end - 1];
        fonts->stretch_level[first] = fonts->stretch_level[end - 1];
        fonts->stretch[end - 1] = stretch;
        fonts->stretch_level[end - 1] = level;
    }
}

/* Rule L2, then every stretch and its glyphs get their place. Returns the width of all. */
static float lay_out(struct fonts *fonts, size_t stretches)
{
    for (uint8_t level = 2; level > 0; level--) {
        for (size_t i = 0; i < stretches; i++) {
            size_t end = i;
            while (end < stretches && fonts->stretch_level[end] >= level) {
                end++;
            }
            reverse_stretches(fonts, i, end);
            i = end > i ? end - 1 : i;
        }
    }
    double x = 0;
    for (size_t i = 0; i < stretches; i++) {
        struct font_stretch *stretch = &fonts->stretch[i];
        stretch->x = (float)x;
        for (size_t g = 0; g < stretch->glyphs; g++) {
            struct font_glyph *glyph = &fonts->glyph[stretch->glyph + g];
            glyph->x = (float)(x + (double)glyph->x);
        }
        x += (double)stretch->width;
    }
    return (float)x;
}

/* --- letters and their edges --- */

static size_t find_letters(struct fonts *fonts, const char *text, size_t length)
{
    size_t letters = 0;
    for (size_t at = 0; at < length; at = text_next_letter(text, length, at)) {
        void *store = fonts->letter;
        const bool fits =
            font_reserve(&store, &fonts->letter_room, letters + 1, sizeof *fonts->letter);
        fonts->letter = store;
        if (!fits) {
            return 0;
        }
        fonts->letter[letters++] = (struct font_letter){at, NAN, NAN};
    }
    return letters;
}

/* The first letter that begins at or behind `at`. */
static size_t letter_from(const struct font_letter *letter, size_t letters, size_t at)
{
    size_t low = 0;
    size_t high = letters;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (letter[middle].at < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Shares the room from `left` to `right` among the letters of a cluster, as in a ligature; a
 * cluster that begins no letter belongs to the letter before it. */
static void share_cluster(struct font_letter *letter, size_t letters, size_t start, size_t end,
                          float left, float right, bool right_to_left)
{
    const size_t first = letter_from(letter, letters, start);
    const size_t behind = letter_from(letter, letters, end);
    const float from = right_to_left ? right : left;
    const float to = right_to_left ? left : right;
    if (first == behind) {
        if (first > 0) {
            letter[first - 1].trail = to;
        }
        return;
    }
    const float step = (to - from) / (float)(behind - first);
    for (size_t i = first; i < behind; i++) {
        letter[i].lead = from + step * (float)(i - first);
        letter[i].trail = from + step * (float)(i - first + 1);
    }
}

static void place_letters(struct fonts *fonts, const struct font_stretch *stretch, size_t letters)
{
    const struct font_glyph *glyph = fonts->glyph + stretch->glyph;
    const size_t stretch_end = stretch->start + stretch->length;
    size_t former = stretch_end; /* of the cluster to the left */
    double x = (double)stretch->x;
    if (stretch->apart != 0) {
        share_cluster(fonts->letter, letters, stretch->start, stretch_end, stretch->x,
                      stretch->x + stretch->width, stretch->right_to_left);
    }
    for (size_t i = 0; i < stretch->glyphs;) {
        const double left = x;
        size_t next = i;
        while (next < stretch->glyphs && glyph[next].cluster == glyph[i].cluster) {
            x += (double)glyph[next++].advance;
        }
        const size_t right_neighbour = next < stretch->glyphs ? glyph[next].cluster : stretch_end;
        share_cluster(fonts->letter, letters, glyph[i].cluster,
                      stretch->right_to_left ? former : right_neighbour, (float)left, (float)x,
                      stretch->right_to_left);
        former = glyph[i].cluster;
        i = next;
    }
}

static void place_all_letters(struct fonts *fonts, size_t stretches, size_t letters)
{
    for (size_t i = 0; i < stretches; i++) {
        place_letters(fonts, &fonts->stretch[i], letters);
    }
    float edge = 0;
    for (size_t i = 0; i < letters; i++) {
        struct font_letter *letter = &fonts->letter[i];
        letter->lead = isnan(letter->lead) ? edge : letter->lead;
        letter->trail = isnan(letter->trail) ? letter->lead : letter->trail;
        edge = letter->trail;
    }
}

/* --- into one block --- */

/* A text may have no glyph at all, and then nothing stands at `from`. */
static void *copy_to(char *at, const void *from, size_t bytes)
{
    return bytes > 0 ? memcpy(at, from, bytes) : at;
}

static struct font_cached *keep_shaped(const struct fonts *fonts, const char *text, size_t length,
                                       size_t glyphs, size_t stretches, size_t letters)
{
    const size_t letter_bytes = letters * sizeof *fonts->letter;
    const size_t stretch_bytes = stretches * sizeof *fonts->stretch;
    const size_t glyph_bytes = glyphs * sizeof *fonts->glyph;
    struct font_cached *cached = NULL;
    /* The strictest alignment first; sizes of at most a few hundred bytes a letter cannot
     * overflow. */
    const size_t bytes = sizeof *cached + letter_bytes + stretch_bytes + glyph_bytes + length + 1;
    cached = calloc(1, bytes);
    if (cached == NULL) {
        return NULL;
    }
    char *at = (char *)(cached + 1);
    cached->letter = copy_to(at, fonts->letter, letter_bytes);
    cached->run.stretch = copy_to(at += letter_bytes, fonts->stretch, stretch_bytes);
    cached->run.glyph = copy_to(at += stretch_bytes, fonts->glyph, glyph_bytes);
    cached->text = memcpy(at += glyph_bytes, text, length);
    cached->letters = letters;
    cached->run.glyphs = glyphs;
    cached->run.stretches = stretches;
    cached->length = length;
    cached->bytes = bytes;
    return cached;
}

struct font_cached *font_shape_new(struct fonts *fonts, enum font_face face, const char *text,
                                   size_t length)
{
    const size_t items = font_items(fonts, face, text, length);
    const size_t letters = items == 0 ? 0 : find_letters(fonts, text, length);
    size_t stretches = 0;
    size_t glyphs = 0;
    if (letters == 0 || !shape_all(fonts, items, length, &stretches, &glyphs)) {
        return NULL;
    }
    const float width = lay_out(fonts, stretches);
    place_all_letters(fonts, stretches, letters);
    struct font_cached *cached = keep_shaped(fonts, text, length, glyphs, stretches, letters);
    if (cached != NULL) {
        cached->run.width = width;
        for (size_t i = 0; i < stretches; i++) {
            const struct font_stretch *const stretch = &cached->run.stretch[i];
            cached->run.apart += stretch->apart != 0;
            cached->run.missing += stretch->apart != 0 && stretch->pictures == 0;
        }
        cached->face = face;
    }
    return cached;
}
