#include "canvas/formats/outline.h"

#include <hb-ot.h>

#include "canvas/text/font_internal.h"

/* Where a letter's outline goes, and where its pen stands. */
struct pen {
    struct xml *xml;
    double x, y;
};

float outline_units(struct fonts *fonts, uint32_t file)
{
    return fonts->source[file < fonts->sources ? file : FONT_LAST_RESORT].upem;
}

/* Whole font units: they are finer than any printer. */
static void put_point(const struct pen *pen, const char *before, float x, float y)
{
    xml_put(pen->xml, before);
    xml_put_number(pen->xml, pen->x + (double)x, 0);
    xml_put(pen->xml, " ");
    xml_put_number(pen->xml, pen->y + (double)y, 0);
}

static void move_to(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, float x, float y,
                    void *unused)
{
    (void)funcs, (void)state, (void)unused;
    put_point(to, "M", x, y);
}

static void line_to(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, float x, float y,
                    void *unused)
{
    (void)funcs, (void)state, (void)unused;
    put_point(to, "L", x, y);
}

static void quadratic_to(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, float control_x,
                         float control_y, float x, float y, void *unused)
{
    (void)funcs, (void)state, (void)unused;
    put_point(to, "Q", control_x, control_y);
    put_point(to, " ", x, y);
}

static void cubic_to(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, float first_x,
                     float first_y, float second_x, float second_y, float x, float y, void *unused)
{
    (void)funcs, (void)state, (void)unused;
    put_point(to, "C", first_x, first_y);
    put_point(to, " ", second_x, second_y);
    put_point(to, " ", x, y);
}

static void close_path(hb_draw_funcs_t *funcs, void *to, hb_draw_state_t *state, void *unused)
{
    (void)funcs, (void)state, (void)unused;
    const struct pen *const pen = to;
    xml_put(pen->xml, "Z");
}

static hb_draw_funcs_t *open_funcs(void)
{
    hb_draw_funcs_t *const funcs = hb_draw_funcs_create();
    hb_draw_funcs_set_move_to_func(funcs, move_to, NULL, NULL);
    hb_draw_funcs_set_line_to_func(funcs, line_to, NULL, NULL);
    hb_draw_funcs_set_quadratic_to_func(funcs, quadratic_to, NULL, NULL);
    hb_draw_funcs_set_cubic_to_func(funcs, cubic_to, NULL, NULL);
    hb_draw_funcs_set_close_path_func(funcs, close_path, NULL, NULL);
    return funcs;
}

void outline_put(struct fonts *fonts, const struct font_run *run,
                 const struct font_stretch *stretch, struct xml *xml)
{
    if (stretch->file >= fonts->sources) {
        return;
    }
    const struct font_source *const source = &fonts->source[stretch->file];
    hb_draw_funcs_t *const funcs = open_funcs();
    for (size_t g = 0; g < stretch->glyphs; g++) {
        const struct font_glyph *const glyph = &run->glyph[stretch->glyph + g];
        struct pen pen = {xml, (double)(glyph->x * source->upem),
                          (double)(-glyph->y * source->upem)};
#if HB_VERSION_ATLEAST(7, 0, 0)
        hb_font_draw_glyph(source->font, glyph->id, funcs, &pen);
#else
        hb_font_get_glyph_shape(source->font, glyph->id, funcs, &pen);
#endif
    }
    hb_draw_funcs_destroy(funcs);
}
