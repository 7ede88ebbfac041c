/* Which letters of a text no font has, and the package of Debian whose fonts have them. */
#include "canvas/text/font.h"

uint32_t font_run_lacks(const struct font_run *run)
{
    for (size_t s = 0; s < run->stretches; s++) {
        const struct font_stretch *const stretch = &run->stretch[s];
        if (stretch->apart != 0 && stretch->pictures == 0) {
            return stretch->apart;
        }
    }
    return 0;
}

/* The packages of Noto fonts: those of East Asia and emoji have packages of their own. */
const char *font_package(uint32_t code_point)
{
    static const struct {
        uint32_t first, last;
        const char *name;
    } rows[] = {
        {0x1100, 0x11ff, "fonts-noto-cjk"},   {0x2e80, 0x9fff, "fonts-noto-cjk"},
        {0xa960, 0xa97f, "fonts-noto-cjk"},   {0xac00, 0xd7ff, "fonts-noto-cjk"},
        {0xf900, 0xfaff, "fonts-noto-cjk"},   {0xfe30, 0xfe4f, "fonts-noto-cjk"},
        {0xff00, 0xffef, "fonts-noto-cjk"},   {0x1f000, 0x1faff, "fonts-noto-color-emoji"},
        {0x20000, 0x323af, "fonts-noto-cjk"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (code_point >= rows[r].first && code_point <= rows[r].last) {
            return rows[r].name;
        }
    }
    return "fonts-noto-core";
}
