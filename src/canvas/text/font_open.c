/* The bundled fonts: opened once, read in place. */
#include <hb-ot.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/embedded.h"
#include "canvas/text/font_picture.h"

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

uint32_t font_source_add(struct fonts *fonts, hb_blob_t *blob, int index, char *path)
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
    return fonts;
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
    free(fonts->source);
    free(fonts->item);
    free(fonts->glyph);
    free(fonts->stretch);
    free(fonts->stretch_level);
    free(fonts->letter);
    free(fonts);
}

struct font_file fonts_file(struct fonts *fonts, uint32_t file)
{
    return fonts->source[file < fonts->sources ? file : FONT_LAST_RESORT].file;
}

bool font_source_has(const struct fonts *fonts, uint32_t file, uint32_t code_point)
{
    hb_codepoint_t glyph = 0;
    return hb_font_get_nominal_glyph(fonts->source[file].font, code_point, &glyph) && glyph != 0;
}

static float height(const struct fonts *fonts, enum font_face face, hb_ot_metrics_tag_t tag,
                    float otherwise)
{
    const struct font_source *source = &fonts->source[face];
    hb_position_t units = 0;
    if (!hb_ot_metrics_get_position(source->font, tag, &units) || units <= 0) {
        return otherwise;
    }
    return (float)units / source->upem;
}

float font_cap_height(struct fonts *fonts, enum font_face face, float size)
{
    return size * height(fonts, face, HB_OT_METRICS_TAG_CAP_HEIGHT, 0.72f);
}

float font_x_height(struct fonts *fonts, enum font_face face, float size)
{
    return size * height(fonts, face, HB_OT_METRICS_TAG_X_HEIGHT, 0.54f);
}
