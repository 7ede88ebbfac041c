/* canvas/formats/webp_lossless.h — pixels as a lossless WebP bitstream (VP8L), for the parts of an
 * animation: most of their pixels are transparent or equal to a neighbour, and what libwebp would
 * gain on them by trying predictors is not worth four times its time.
 *
 *     struct webp_lossless *packer = webp_lossless_open();
 *     webp_lossless_pack(packer, pixels, stride, width, height, &bytes, &size); … as often as
 * wanted webp_lossless_close(packer); */
#ifndef CANVAS_FORMATS_WEBP_LOSSLESS_H
#define CANVAS_FORMATS_WEBP_LOSSLESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that is used again for each picture; NULL: there is none. One thread at a time. */
struct webp_lossless;
struct webp_lossless *webp_lossless_open(void);
void webp_lossless_close(struct webp_lossless *packer); /* NULL is fine */

/* Pixels 0xAARRGGBB, colours not multiplied with alpha, in rows of `stride`; 1 to 16384 a side.
 * They are changed. *bytes: the payload of a chunk VP8L, the packer's until its next call. False:
 * no memory. */
bool webp_lossless_pack(struct webp_lossless *packer, uint32_t *pixels, int stride, int width,
                        int height, const uint8_t **bytes, size_t *size);

#endif
