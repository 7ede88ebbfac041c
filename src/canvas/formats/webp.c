/* Animated WebP, lossless: letters and cells stay as they are on screen. (developers.google.com,
 * WebP Container Specification) */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>
#include <webp/mux.h>

#include "canvas/formats/animation.h"
#include "canvas/formats/xml.h"
#include "canvas/render/pixels.h"

/* 0 … 9: from fast to small. Flat drawings hardly gain by more. */
static const int EFFORT = 2;

struct timeline {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    int width, height;
    int passed;       /* milliseconds */
    struct xml words; /* what stands in the file beside the pictures */
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for an animation.");
}

static void close_timeline(void *at)
{
    struct timeline *const timeline = at;
    if (timeline != NULL) {
        if (timeline->encoder != NULL) {
            WebPAnimEncoderDelete(timeline->encoder);
        }
        xml_free(&timeline->words);
        free(timeline);
    }
}

/* (Adobe, Extensible Metadata Platform, parts 1 and 3) */
static void put_words(struct xml *xml, const struct animation_plan *plan)
{
    if (plan->description == NULL && plan->experiment == NULL) {
        return;
    }
    xml_put(xml, "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
                 "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
                 "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
                 " xmlns:attnscope=\"urn:attnscope:1\">");
    if (plan->description != NULL) {
        xml_put(xml, "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">");
        xml_put_text(xml, plan->description, strlen(plan->description));
        xml_put(xml, "</rdf:li></rdf:Alt></dc:description>");
    }
    if (plan->experiment != NULL) {
        xml_put(xml, "<attnscope:experiment>");
        xml_put_text(xml, plan->experiment, strlen(plan->experiment));
        xml_put(xml, "</attnscope:experiment>");
    }
    xml_put(xml, "</rdf:Description></rdf:RDF></x:xmpmeta>");
}

static void *open_timeline(const struct animation_plan *plan, struct error *error)
{
    struct timeline *const timeline = calloc(1, sizeof *timeline);
    WebPAnimEncoderOptions options;
    if (timeline == NULL || !WebPAnimEncoderOptionsInit(&options) ||
        !WebPConfigInit(&timeline->config) ||
        !WebPConfigLosslessPreset(&timeline->config, EFFORT)) {
        free(timeline);
        no_memory(error);
        return NULL;
    }
    options.kmax = 0; /* nobody jumps into the middle: no picture is written twice */
    timeline->width = plan->width;
    timeline->height = plan->height;
    timeline->encoder = WebPAnimEncoderNew(plan->width, plan->height, &options);
    put_words(&timeline->words, plan);
    if (timeline->encoder == NULL || timeline->words.failed) {
        close_timeline(timeline);
        no_memory(error);
        return NULL;
    }
    return timeline;
}

/* WebP has its colours without alpha multiplied in. */
static uint32_t divide_alpha(uint32_t pixel)
{
    const uint32_t alpha = pixel >> 24;
    if (alpha == 255) {
        return pixel;
    }
    if (alpha == 0) {
        return 0;
    }
    return alpha << 24 | colour_divide(pixel >> 16 & 255, alpha) << 16 |
           colour_divide(pixel >> 8 & 255, alpha) << 8 | colour_divide(pixel & 255, alpha);
}

static bool add_picture(void *at, const uint32_t *pixels, unsigned milliseconds,
                        struct error *error)
{
    struct timeline *const timeline = at;
    WebPPicture picture;
    if (!WebPPictureInit(&picture)) {
        return no_memory(error);
    }
    picture.use_argb = 1;
    picture.width = timeline->width;
    picture.height = timeline->height;
    if (!WebPPictureAlloc(&picture)) {
        return no_memory(error);
    }
    for (int y = 0; y < timeline->height; y++) {
        for (int x = 0; x < timeline->width; x++) {
            picture.argb[(ptrdiff_t)y * picture.argb_stride + x] =
                divide_alpha(pixels[(ptrdiff_t)y * timeline->width + x]);
        }
    }
    const bool added =
        WebPAnimEncoderAdd(timeline->encoder, &picture, timeline->passed, &timeline->config);
    WebPPictureFree(&picture);
    if (milliseconds < (unsigned)(INT_MAX - timeline->passed)) {
        timeline->passed += (int)milliseconds;
    }
    return added || no_memory(error);
}

/* The whole file, with the words in a chunk of their own. */
static bool assemble(struct timeline *timeline, WebPData *whole)
{
    WebPData pictures;
    WebPDataInit(&pictures);
    if (!WebPAnimEncoderAssemble(timeline->encoder, &pictures)) {
        return false;
    }
    if (timeline->words.size == 0) {
        *whole = pictures;
        return true;
    }
    const WebPData words = {(const uint8_t *)timeline->words.at, timeline->words.size};
    WebPMux *const mux = WebPMuxCreate(&pictures, 0);
    const bool made = mux != NULL && WebPMuxSetChunk(mux, "XMP ", &words, 0) == WEBP_MUX_OK &&
                      WebPMuxAssemble(mux, whole) == WEBP_MUX_OK;
    WebPMuxDelete(mux);
    WebPDataClear(&pictures);
    return made;
}

static bool end_timeline(void *at, struct arena *arena, struct bytes *file, struct error *error)
{
    struct timeline *const timeline = at;
    WebPData whole;
    WebPDataInit(&whole);
    const bool ended = WebPAnimEncoderAdd(timeline->encoder, NULL, timeline->passed, NULL) &&
                       assemble(timeline, &whole);
    uint8_t *const copy = ended ? arena_alloc(arena, whole.size) : NULL;
    if (copy != NULL) {
        memcpy(copy, whole.bytes, whole.size);
        *file = (struct bytes){copy, whole.size};
    }
    WebPDataClear(&whole);
    return copy != NULL || no_memory(error);
}

const struct animation_format animation_webp = {.suffix = "webp",
                                                .title = "WebP",
                                                .open = open_timeline,
                                                .add = add_picture,
                                                .end = end_timeline,
                                                .close = close_timeline};
