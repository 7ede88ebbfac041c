/* Widths, carets and hits of one line of text. */
#include "canvas/text/font.h"

#include <math.h>

#include "base/text.h"
#include "canvas/text/font_internal.h"

/* Of a long text so much is shaped first to see how much fits. */
enum { FIT_FIRST = 512 };

float font_measure(struct fonts *fonts, enum font_face face, float size, const char *text,
                   size_t length)
{
    return size * font_kept(fonts, face, text, length)->run.width;
}

/* The letter that byte `at` is in. */
static size_t letter_at(const struct font_kept *kept, size_t at)
{
    size_t low = 0;
    size_t high = kept->letters;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (kept->letter[middle].at <= at) {
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
    const struct font_kept *kept = font_kept(fonts, face, text, length);
    if (kept->letters == 0) {
        return 0;
    }
    if (at >= kept->length) {
        return size * kept->letter[kept->letters - 1].trail;
    }
    return size * kept->letter[letter_at(kept, at)].lead;
}

size_t font_hit(struct fonts *fonts, enum font_face face, float size, const char *text,
                size_t length, float x)
{
    const struct font_kept *kept = font_kept(fonts, face, text, length);
    if (kept->letters == 0 || size <= 0) {
        return 0;
    }
    const float wanted = x / size;
    size_t best = kept->length;
    float nearest = fabsf(kept->letter[kept->letters - 1].trail - wanted);
    for (size_t i = 0; i < kept->letters; i++) {
        const float distance = fabsf(kept->letter[i].lead - wanted);
        if (distance < nearest) {
            nearest = distance;
            best = kept->letter[i].at;
        }
    }
    return best;
}

/* How many leading bytes of a shaped text are at most `room` ems wide. */
static size_t fit_kept(const struct font_kept *kept, float room)
{
    float width = 0;
    for (size_t i = 0; i < kept->letters; i++) {
        width += fabsf(kept->letter[i].trail - kept->letter[i].lead);
        if (width > room) {
            return kept->letter[i].at;
        }
    }
    return kept->length;
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
        const struct font_kept *kept = font_kept(fonts, face, text, edge);
        if (kept->run.width > room) {
            return fit_kept(kept, room);
        }
    }
    const struct font_kept *kept = font_kept(fonts, face, text, length);
    return kept->run.width <= room ? length : fit_kept(kept, room);
}
