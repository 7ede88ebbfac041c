/* ui/theme.c — the themes. Numbers are blue and red on the maps chosen first, so no role is: violet
 * asks, amber is asked, green (Okabe and Ito, "Color Universal Design", 2002) is what is taken, and
 * purple comes out. The same hues, lighter, on the dark ground. */
#include "ui/theme.h"

#include <stddef.h>
#include <string.h>

#define RGB(red, green, blue)                                                                      \
    {                                                                                              \
        red, green, blue, 255                                                                      \
    }

static const struct ui_theme themes[] = {
    {
        .name = "light",
        .title = "Light",
        .dark = false,
        .ground = RGB(0xF6, 0xF5, 0xF2),
        .panel = RGB(0xFF, 0xFF, 0xFF),
        .line = RGB(0xE3, 0xE1, 0xDB),
        .control = RGB(0xEE, 0xF1, 0xF6),
        .ink = RGB(0x1D, 0x21, 0x29),
        .muted = RGB(0x5F, 0x66, 0x72),
        .faint = RGB(0x9A, 0xA1, 0xAC),
        .accent = RGB(0x0B, 0x63, 0xC5),
        .accent_ink = RGB(0xFF, 0xFF, 0xFF),
        .refused = RGB(0xC6, 0x28, 0x28),
        .x = RGB(0x56, 0x5F, 0x6B),
        .query = RGB(0x6B, 0x3F, 0xC0),
        .key = RGB(0x85, 0x62, 0x00),
        .value = RGB(0x00, 0x7A, 0x55),
        .output = RGB(0xA0, 0x3B, 0x9B),
    },
    {
        .name = "dark",
        .title = "Dark",
        .dark = true,
        .ground = RGB(0x14, 0x17, 0x1C),
        .panel = RGB(0x1B, 0x1F, 0x26),
        .line = RGB(0x2B, 0x31, 0x3B),
        .control = RGB(0x26, 0x2C, 0x36),
        .ink = RGB(0xE8, 0xEA, 0xED),
        .muted = RGB(0x9A, 0xA3, 0xB0),
        .faint = RGB(0x6A, 0x73, 0x80),
        .accent = RGB(0x5A, 0xA7, 0xFF),
        .accent_ink = RGB(0x0B, 0x12, 0x1C), /* white would have a contrast of 2.5 only */
        .refused = RGB(0xFF, 0x7B, 0x72),
        .x = RGB(0x98, 0xA1, 0xAE),
        .query = RGB(0xB0, 0x9A, 0xFF),
        .key = RGB(0xE5, 0xB9, 0x3C),
        .value = RGB(0x35, 0xBF, 0x92),
        .output = RGB(0xD9, 0x8A, 0xD9),
    },
    {
        .name = "grey",
        .title = "Grey", /* roles differ in lightness alone, and all can be read on white */
        .grey = true,
        .ground = RGB(0xFF, 0xFF, 0xFF),
        .panel = RGB(0xFF, 0xFF, 0xFF),
        .line = RGB(0xD6, 0xD6, 0xD6),
        .control = RGB(0xEE, 0xEE, 0xEE),
        .ink = RGB(0x11, 0x11, 0x11),
        .muted = RGB(0x5E, 0x5E, 0x5E),
        .faint = RGB(0x8C, 0x8C, 0x8C),
        .accent = RGB(0x2A, 0x2A, 0x2A),
        .accent_ink = RGB(0xFF, 0xFF, 0xFF),
        .refused = RGB(0x00, 0x00, 0x00),
        .x = RGB(0x5A, 0x5A, 0x5A),
        .query = RGB(0x1C, 0x1C, 0x1C),
        .key = RGB(0x6A, 0x6A, 0x6A),
        .value = RGB(0x4A, 0x4A, 0x4A),
        .output = RGB(0x30, 0x30, 0x30),
    },
};

const struct ui_theme *ui_theme_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof themes / sizeof themes[0]; i++) {
        if (strcmp(themes[i].name, name) == 0) {
            return &themes[i];
        }
    }
    return NULL;
}

const struct ui_theme *ui_theme_at(size_t index)
{
    return index < sizeof themes / sizeof themes[0] ? &themes[index] : NULL;
}
