/* Colours after WCAG 2.1 (relative luminance and contrast ratio, w3.org/TR/WCAG21). */
#include "canvas/types/colour.h"

#include <math.h>
#include <strings.h>

static float clamp_share(float t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0; /* NaN too becomes 0 */
}

/* Rounds to 0 … 255 as lroundf, without its call: heatmaps ask for many thousands in a frame. */
static uint8_t round_channel(float value)
{
    const int whole = (int)value;
    return (uint8_t)(whole + (value - (float)whole >= 0.5f));
}

static uint8_t mix_channel(uint8_t a, uint8_t b, float t)
{
    return round_channel((float)a + ((float)b - (float)a) * t);
}

struct colour colour_fade(struct colour colour, float share)
{
    colour.alpha = round_channel((float)colour.alpha * clamp_share(share));
    return colour;
}

struct colour colour_mix(struct colour a, struct colour b, float t)
{
    t = clamp_share(t);
    return (struct colour){
        mix_channel(a.red, b.red, t),
        mix_channel(a.green, b.green, t),
        mix_channel(a.blue, b.blue, t),
        mix_channel(a.alpha, b.alpha, t),
    };
}

static float linear_channel(uint8_t channel)
{
    const float value = (float)channel / 255;
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

float colour_luminance(struct colour colour)
{
    return 0.2126f * linear_channel(colour.red) + 0.7152f * linear_channel(colour.green) +
           0.0722f * linear_channel(colour.blue);
}

float colour_contrast(struct colour a, struct colour b)
{
    const float one = colour_luminance(a) + 0.05f;
    const float other = colour_luminance(b) + 0.05f;
    return fmaxf(one, other) / fminf(one, other);
}

struct colour colour_ink_on(struct colour ground)
{
    /* The soft dark of the theme where it is dark enough; on middle grounds only black will do. */
    const struct colour soft = colour_hex(0x1d2129);
    const struct colour black = colour_hex(0x000000);
    const struct colour white = colour_hex(0xffffff);
    const float enough = 4.5f;
    if (colour_contrast(soft, ground) >= enough) {
        return soft;
    }
    return colour_contrast(white, ground) >= colour_contrast(black, ground) ? white : black;
}

/* The table of colour maps. Adding one is adding a row.
 *
 * Blues, Grey, RdBu and PuOr hold the colours of ColorBrewer 2 (Cynthia Brewer, Apache-2.0),
 * RdBu and PuOr turned so that negative is cold and positive is warm; Viridis, Cividis and Magma
 * are sampled from the maps of Smith and van der Walt and of Nuñez, Anderton and Renslow (CC0);
 * Night and Tide are our own, for dark grounds; Ash is for paper without colour: the darker, the
 * more. */

static const unsigned BLUES[] = {0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6,
                                 0x4292c6, 0x2171b5, 0x08519c, 0x08306b};
static const unsigned NIGHT[] = {0x161b22, 0x17293f, 0x173a5e, 0x17497a, 0x185a96, 0x1d6cb1,
                                 0x2f82ca, 0x4f9bdd, 0x7ab8ee, 0xa8d4f8, 0xd8ecff};
static const unsigned VIRIDIS[] = {0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e,
                                   0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
static const unsigned CIVIDIS[] = {0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173,
                                   0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838};
static const unsigned MAGMA[] = {0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f,
                                 0xcd4071, 0xf1605d, 0xfd9668, 0xfeca8d, 0xfcfdbf};
static const unsigned GREY[] = {0xffffff, 0xf0f0f0, 0xd9d9d9, 0xbdbdbd, 0x969696,
                                0x737373, 0x525252, 0x252525, 0x000000};
static const unsigned RDBU[] = {0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                                0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};
static const unsigned PUOR[] = {0x2d004b, 0x542788, 0x8073ac, 0xb2abd2, 0xd8daeb, 0xf7f7f7,
                                0xfee0b6, 0xfdb863, 0xe08214, 0xb35806, 0x7f3b08};
static const unsigned ASH[] = {0xffffff, 0xd2d2d2, 0xa8a8a8, 0x5c5c5c, 0x000000};
static const unsigned TIDE[] = {0x96ceff, 0x66addf, 0x4084b8, 0x2d6089, 0x264059, 0x232a34,
                                0x4a3236, 0x743f3e, 0xa6564c, 0xd97c69, 0xfba691};

#define STOPS(list) .stops = sizeof(list) / sizeof(list)[0], .stop = (list)

/* The first row of a kind and ground is its default. */
static const struct colourmap MAPS[] = {
    {"blues", "Blues", COLOURMAP_UNSIGNED, false, STOPS(BLUES)},
    {"night", "Night", COLOURMAP_UNSIGNED, true, STOPS(NIGHT)},
    {"viridis", "Viridis", COLOURMAP_UNSIGNED, false, STOPS(VIRIDIS)},
    {"cividis", "Cividis", COLOURMAP_UNSIGNED, false, STOPS(CIVIDIS)},
    {"magma", "Magma", COLOURMAP_UNSIGNED, true, STOPS(MAGMA)},
    {"grey", "Grey", COLOURMAP_UNSIGNED, false, STOPS(GREY)},
    {"rdbu", "RdBu", COLOURMAP_SIGNED, false, STOPS(RDBU)},
    {"puor", "PuOr", COLOURMAP_SIGNED, false, STOPS(PUOR)},
    {"ash", "Ash", COLOURMAP_SIGNED, false, STOPS(ASH)},
    {"tide", "Tide", COLOURMAP_SIGNED, true, STOPS(TIDE)},
};

const struct colourmap *colourmap_at(size_t index)
{
    return index < sizeof MAPS / sizeof MAPS[0] ? &MAPS[index] : NULL;
}

const struct colourmap *colourmap_find(const char *name)
{
    for (size_t i = 0; i < sizeof MAPS / sizeof MAPS[0]; i++) {
        if (strcasecmp(MAPS[i].name, name) == 0) {
            return &MAPS[i];
        }
    }
    return NULL;
}

const struct colourmap *colourmap_default(enum colourmap_kind kind, bool dark)
{
    for (size_t i = 0; i < sizeof MAPS / sizeof MAPS[0]; i++) {
        if (MAPS[i].kind == kind && MAPS[i].dark == dark) {
            return &MAPS[i];
        }
    }
    return &MAPS[0];
}

struct colour colourmap_colour(const struct colourmap *map, float t)
{
    const float share = t > 0 ? (t < 1 ? t : 1) : 0; /* NaN too becomes 0 */
    const float place = share * (float)(map->stops - 1);
    size_t low = (size_t)place;
    if (low > map->stops - 2) {
        low = map->stops - 2;
    }
    return colour_mix(colour_hex(map->stop[low]), colour_hex(map->stop[low + 1]),
                      place - (float)low);
}
