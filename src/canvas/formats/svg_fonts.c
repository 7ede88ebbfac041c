/* Fonts cut down by HarfBuzz and written as base64. */
#include "canvas/formats/svg_fonts.h"

#include <string.h>

#include <hb-subset.h>

#include "base/text.h"
#include "canvas/draw/canvas_internal.h"
#include "canvas/text/font.h"
#include "canvas/text/font_internal.h"

/* Names in a font that must stay: copyright, family, licence and its address. */
static const hb_codepoint_t KEPT_NAMES[] = {0, 1, 2, 4, 6, 13, 14};

/* The letters of all texts that a file draws. */
static void collect_letters(const struct canvas *canvas, uint32_t file, hb_set_t *letters)
{
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind != CANVAS_TEXT) {
            continue;
        }
        const char *const text = canvas_text_of(canvas, command);
        const struct font_run *const run =
            font_shape(canvas_fonts(canvas), command->face, text, command->length);
        for (size_t s = 0; s < run->stretches; s++) {
            const struct font_stretch *const stretch = &run->stretch[s];
            const size_t end = stretch->start + stretch->length;
            for (size_t at = stretch->start; stretch->file == file && at < end;) {
                hb_set_add(letters, text_next(text, end, &at));
            }
        }
    }
}

/* NULL: it cannot be cut down. The caller destroys it. */
static hb_face_t *cut_down(hb_face_t *face, const hb_set_t *letters)
{
    hb_subset_input_t *const input = hb_subset_input_create_or_fail();
    if (input == NULL) {
        return NULL;
    }
    hb_set_union(hb_subset_input_unicode_set(input), letters);
    hb_set_t *const names = hb_subset_input_set(input, HB_SUBSET_SETS_NAME_ID);
    for (size_t n = 0; n < sizeof KEPT_NAMES / sizeof KEPT_NAMES[0]; n++) {
        hb_set_add(names, KEPT_NAMES[n]);
    }
    hb_face_t *const part = hb_subset_or_fail(face, input);
    hb_subset_input_destroy(input);
    return part;
}

void svg_fonts_put(struct xml *xml, const struct canvas *canvas,
                   void (*put_name)(void *owner, uint32_t file), void *owner)
{
    const struct fonts *const fonts = canvas_fonts(canvas);
    hb_set_t *const letters = hb_set_create();
    xml_put(xml, "<style>");
    for (uint32_t file = 0; file < fonts->sources; file++) {
        hb_set_clear(letters);
        collect_letters(canvas, file, letters);
        hb_face_t *const part =
            hb_set_is_empty(letters) ? NULL : cut_down(fonts->source[file].face, letters);
        if (part == NULL) {
            continue;
        }
        hb_blob_t *const blob = hb_face_reference_blob(part);
        unsigned size = 0;
        const char *const bytes = hb_blob_get_data(blob, &size);
        xml_put(xml, "@font-face{font-family:'");
        put_name(owner, file);
        xml_put(xml, "';font-weight:1 1000;src:url(data:font/otf;base64,");
        xml_put_base64(xml, (const uint8_t *)bytes, size);
        xml_put(xml, ")}\n");
        hb_blob_destroy(blob);
        hb_face_destroy(part);
    }
    xml_put(xml, "</style>\n");
    hb_set_destroy(letters);
}

/* Families for machines that lack the one that the picture was measured with. */
#define SANS_SERIF "'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
#define MONOSPACED "'DejaVu Sans Mono', Menlo, Consolas, monospace"

static void put_family(struct xml *xml, const char *family, const char *others)
{
    xml_put(xml, " font-family=\"'");
    xml_put_text(xml, family, strlen(family));
    xml_put(xml, "', ");
    xml_put(xml, others);
    xml_put(xml, "\"");
}

void svg_fonts_put_words(struct xml *xml, const struct fonts *fonts)
{
    const char *const family = fonts_family(fonts, FONT_WORDS);
    if (family != NULL) {
        put_family(xml, family, SANS_SERIF);
    } else {
        xml_put(xml, " font-family=\"Inter, " SANS_SERIF "\"");
    }
}

void svg_fonts_put_face(struct xml *xml, const struct fonts *fonts, enum font_face face)
{
    static const struct {
        bool numbers;
        const char *weight;
    } faces[FONT_FACES] = {
        [FONT_WORDS_MEDIUM] = {false, " font-weight=\"500\""},
        [FONT_WORDS_BOLD] = {false, " font-weight=\"600\""},
        [FONT_NUMBERS] = {true, ""},
        [FONT_NUMBERS_BOLD] = {true, " font-weight=\"700\""},
    };
    const char *const family = fonts_family(fonts, face);
    if (faces[face].numbers) {
        put_family(xml, family != NULL ? family : "JetBrains Mono", MONOSPACED);
    } else if (face != FONT_WORDS && family != NULL) {
        put_family(xml, family, SANS_SERIF);
    }
    xml_put(xml, faces[face].weight != NULL ? faces[face].weight : "");
}
