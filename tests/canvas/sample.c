#include "sample.h"

#include <stdio.h>

#include "canvas/types/colour.h"

static void draw_panel(struct canvas *canvas, struct rect area, const char *title)
{
    const struct paint paint = {
        .fill = colour_hex(0xffffff), .stroke = colour_hex(0xe3e1db), .width = 1};
    canvas_rect(canvas, area, 10, &paint);
    canvas_text(canvas, area.x + 12, area.y + 20, FONT_WORDS_BOLD, 13, colour_hex(0x1d2129),
                CANVAS_LEFT, title);
}

static void draw_cells(struct canvas *canvas, float x, float y)
{
    const struct colourmap *map = colourmap_default(COLOURMAP_UNSIGNED, false);
    for (int i = 0; i < 12; i++) {
        char text[16];
        const float value = (float)i / 11;
        const struct colour fill = colourmap_colour(map, value);
        const struct rect cell = {x + (float)(i % 4) * 42, y + (float)(i / 4) * 26, 41, 25};
        snprintf(text, sizeof text, "%.3f", (double)value);
        canvas_rect(canvas, cell, 3, &(struct paint){.fill = fill});
        canvas_text(canvas, cell.x + 20.5f, cell.y + 16, FONT_NUMBERS, 11, colour_ink_on(fill),
                    CANVAS_CENTRE, text);
    }
    canvas_rect(canvas, (struct rect){x - 2, y + 24, 171, 29}, 5,
                &(struct paint){.stroke = colour_hex(0x0072b2), .width = 2});
}

static void draw_shapes(struct canvas *canvas, float x, float y)
{
    const struct point hull[] = {{x, y + 60}, {x + 40, y}, {x + 90, y + 70}};
    const struct point wave[] = {{x, y + 90},      {x + 20, y + 78}, {x + 40, y + 92},
                                 {x + 60, y + 76}, {x + 80, y + 94}, {x + 100, y + 80}};
    canvas_path(canvas, hull, 3, true,
                &(struct paint){.fill = colour_fade(colour_hex(0xa6418c), 0.15f),
                                .stroke = colour_hex(0xa6418c),
                                .width = 1.25f});
    canvas_path(canvas, wave, 6, false,
                &(struct paint){.stroke = colour_hex(0x0b63c5), .width = 3});
    canvas_line(canvas, x, y + 70, x + 110, y + 20, 0.75f, colour_hex(0x6b7280));
    canvas_path(canvas, (const struct point[]){{x, y + 5}, {x + 110, y + 40}}, 2, false,
                &(struct paint){.stroke = colour_hex(0x6b7280), .width = 1, .dash = 4, .gap = 3});
    canvas_circle(canvas, x + 40, y, 7, &(struct paint){.fill = colour_hex(0x00875f)});
    canvas_circle(
        canvas, x + 90, y + 70, 6,
        &(struct paint){.fill = colour_hex(0xffffff), .stroke = colour_hex(0xd9730d), .width = 2});
}

static void draw_image(struct canvas *canvas, struct rect area)
{
    struct colour cells[16 * 16];
    const struct colourmap *map = colourmap_find("viridis");
    for (int i = 0; i < 256; i++) {
        cells[i] = colourmap_colour(map, (float)((i * 37) % 256) / 255);
    }
    canvas_image(canvas, area, 16, 16, cells);
}

static void draw_hatch(struct canvas *canvas, struct rect area)
{
    canvas_clip(canvas, area);
    for (float x = area.x - area.h; x < area.x + area.w; x += 6) {
        canvas_line(canvas, x, area.y + area.h, x + area.h, area.y, 1, colour_hex(0x9aa1ac));
    }
    canvas_unclip(canvas);
}

void sample_draw(struct canvas *canvas)
{
    const struct colour ink = colour_hex(0x1d2129);
    canvas_begin(canvas, SAMPLE_WIDTH, SAMPLE_HEIGHT);
    canvas_rect(canvas, (struct rect){0, 0, SAMPLE_WIDTH, SAMPLE_HEIGHT}, 0,
                &(struct paint){.fill = colour_hex(0xf6f5f2)});
    canvas_group(canvas, 1, "Scores");
    draw_panel(canvas, (struct rect){10, 10, 300, 130}, "Softmax: every row becomes shares");
    draw_cells(canvas, 24, 46);
    draw_hatch(canvas, (struct rect){204, 46, 92, 77});
    canvas_ungroup(canvas);
    canvas_group(canvas, 2, "Space");
    draw_panel(canvas, (struct rect){10, 150, 300, 140}, "Space");
    draw_shapes(canvas, 30, 185);
    draw_image(canvas, (struct rect){180, 180, 100, 100});
    canvas_ungroup(canvas);
    draw_panel(canvas, (struct rect){320, 10, 150, 280}, "Words");
    canvas_text(canvas, 332, 56, FONT_WORDS, 13, ink, CANVAS_LEFT, "AVATAR Wave To. office");
    canvas_text(canvas, 332, 78, FONT_NUMBERS, 13, ink, CANVAS_LEFT,
                "\xe2\x88\x92"
                "2.70 \xc2\xb7 0.394");
    canvas_text(canvas, 332, 100, FONT_WORDS, 13, ink, CANVAS_LEFT,
                "QK\xe1\xb5\x80/\xe2\x88\x9a"
                "d\xe2\x82\x96  -> 2x2");
    canvas_text(canvas, 332, 122, FONT_WORDS, 13, ink, CANVAS_LEFT,
                "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 12.5 abc");
    canvas_text(canvas, 458, 144, FONT_WORDS_MEDIUM, 11, colour_hex(0x6b7280), CANVAS_RIGHT,
                "right, small and muted");
    canvas_text_cut(canvas, 332, 166, FONT_WORDS, 12, ink, CANVAS_LEFT,
                    "a sentence that is too long for its line", 126);
    canvas_rect(canvas, (struct rect){332, 178, 126, 30}, 8,
                &(struct paint){.fill = colour_hex(0x1d2129)});
    canvas_text(canvas, 395, 197, FONT_WORDS_BOLD, 13, colour_hex(0xffffff), CANVAS_CENTRE,
                "Export");
    canvas_text(canvas, 332, 250, FONT_WORDS_BOLD, 22, colour_hex(0xd9730d), CANVAS_LEFT, "K");
    canvas_rect(canvas, (struct rect){370.3f, 230.6f, 60.5f, 4}, 2,
                &(struct paint){.fill = colour_hex(0x0b63c5)});
}
