/* The kinds of files a picture can be written as. */
#include <string.h>

#include "canvas/formats/formats.h"
#include "canvas/render/render.h"

static const struct render_format formats[] = {
    {.suffix = "png", .title = "PNG", .has_pixels = true, .write = render_png},
    {.suffix = "svg", .title = "SVG", .is_text = true, .write = render_svg},
    {.suffix = "pdf", .title = "PDF", .write = render_pdf},
    {.suffix = "html", .title = "HTML page", .is_text = true, .is_page = true, .write = render_svg},
};

const struct render_format *render_format_at(size_t index)
{
    return index < sizeof formats / sizeof formats[0] ? &formats[index] : NULL;
}

static char to_lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool same_word(const char *a, const char *b)
{
    for (; *a != '\0' && to_lower(*a) == to_lower(*b); a++, b++) {
    }
    return to_lower(*a) == to_lower(*b);
}

const struct render_format *render_format_find(const char *suffix)
{
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        if (same_word(formats[f].suffix, suffix)) {
            return &formats[f];
        }
    }
    return NULL;
}
