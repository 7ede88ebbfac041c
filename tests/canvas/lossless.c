/* What is packed as lossless WebP comes out of libwebp pixel for pixel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <webp/decode.h>

#include "canvas/formats/webp_lossless.h"

enum { WIDTH_MOST = 700, HEIGHT_MOST = 300, PIXELS = WIDTH_MOST * HEIGHT_MOST };

static uint32_t next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Nothing, one colour, few, bands, many with gaps, noise; rare symbols have long words. */
static uint32_t colour_at(size_t kind, size_t i, size_t width, uint32_t *state)
{
    const uint32_t random = next(state);
    switch (kind) {
    case 0:
        return 0;
    case 1:
        return 0xff336699u;
    case 2:
        return 0xff000000u | (random % 5) * 0x31415u;
    case 3:
        return 0xff000000u | (uint32_t)(i % width) * 0x10203u;
    case 4:
        return random % 9 < 7 ? 0 : random;
    case 5:
        return random >> (random & 31);
    default:
        return random;
    }
}

static void check(struct webp_lossless *packer, size_t kind, int width, int height, int stride)
{
    static uint32_t pixels[PIXELS], kept[PIXELS];
    static uint8_t shown[4 * PIXELS];
    uint32_t state = 2463534242u + (uint32_t)kind;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    for (int i = 0; i < stride * height; i++) {
        kept[i] = pixels[i] = colour_at(kind, (size_t)i, (size_t)stride, &state);
    }
    assert_true(webp_lossless_pack(packer, pixels, stride, width, height, &bytes, &size));
    int wide = 0, high = 0;
    assert_true(WebPGetInfo(bytes, size, &wide, &high) != 0);
    assert_int_equal(wide, width);
    assert_int_equal(high, height);
    assert_non_null(WebPDecodeBGRAInto(bytes, size, shown, sizeof shown, 4 * width));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const uint8_t *const at = shown + 4 * ((size_t)y * (size_t)width + (size_t)x);
            const uint32_t colour =
                (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
            assert_int_equal(colour, kept[y * stride + x]);
        }
    }
}

static void every_pixel_comes_back(void **unused)
{
    (void)unused;
    static const struct {
        int width, height, stride;
    } sizes[] = {{1, 1, 1},
                 {1, 9, 1},
                 {2, 3, 5},
                 {3, 1, 3},
                 {17, 33, 20},
                 {256, 64, 256},
                 {WIDTH_MOST, HEIGHT_MOST, WIDTH_MOST}};
    struct webp_lossless *const packer = webp_lossless_open();
    assert_non_null(packer);
    for (size_t kind = 0; kind < 7; kind++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            check(packer, kind, sizes[s].width, sizes[s].height, sizes[s].stride);
        }
    }
    webp_lossless_close(packer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pixel_comes_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
