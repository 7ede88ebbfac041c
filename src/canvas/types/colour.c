/* Colours after WCAG 2.1 (relative luminance and contrast ratio, w3.org/TR/WCAG21). */
#include "canvas/types/colour.h"

#include <math.h>

static float clamp_share(float t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0; /* NaN too becomes 0 */
}

/* As lroundf, of 0 … 255, without its call: heatmaps ask for many thousands in a frame. */
static uint8_t rounded(float value)
{
    const int whole = (int)value;
    return (uint8_t)(whole + (value - (float)whole >= 0.5f));
}

static uint8_t mix_channel(uint8_t a, uint8_t b, float t)
{
    return rounded((float)a + ((float)b - (float)a) * t);
}

struct colour colour_fade(struct colour colour, float share)
{
    colour.alpha = rounded((float)colour.alpha * clamp_share(share));
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

static float linear(uint8_t channel)
{
    const float value = (float)channel / 255;
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

float colour_luminance(struct colour colour)
{
    return 0.2126f * linear(colour.red) + 0.7152f * linear(colour.green) +
           0.0722f * linear(colour.blue);
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
