/* Animated WebP, lossless: letters and cells stay as they are on screen. (developers.google.com,
 * WebP Container Specification)
 *
 * Of every picture only the part that differs from the one before is packed, by as many threads as
 * the machine has: the file is the same however many there are. */
#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>
#include <webp/mux.h>

#include "base/system/thread.h"
#include "canvas/formats/animation.h"
#include "canvas/formats/xml.h"
#include "canvas/render/pixels.h"

/* 0 … 9: from fast to small. Flat drawings gain a twentieth by 2, in half as much time again. */
static const int EFFORT = 1;

enum {
    WAITING_MAX = 32, /* pictures that wait for being packed, */
    THREADS_MAX = 16,
    DURATION_MAX = (1 << 24) - 1 /* milliseconds, of one picture */
};

/* The change at one moment. */
struct part {
    int left, top, milliseconds;
    bool blends;           /* its transparent pixels stay as they were */
    WebPPicture picture;   /* until it is packed */
    WebPMemoryWriter file; /* then */
    bool failed;
};

struct timeline {
    WebPConfig config;
    int width, height;
    bool has_alpha;
    uint32_t *former; /* pixels of the picture before */
    struct part *part;
    size_t parts, room, packed; /* the first `packed` of them are */
    bool alone;                 /* packed by the thread that adds: other threads add elsewhere */
    bool follows;               /* its first picture is only what the next is compared with */
    bool has_former;
    int lead;         /* milliseconds: the picture before the first part stays longer */
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
        for (size_t p = 0; p < timeline->parts; p++) {
            WebPPictureFree(&timeline->part[p].picture);
            WebPMemoryWriterClear(&timeline->part[p].file);
        }
        free(timeline->part);
        free(timeline->former);
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

static struct timeline *make_timeline(int width, int height, bool has_alpha)
{
    struct timeline *const timeline = calloc(1, sizeof *timeline);
    if (timeline == NULL) {
        return NULL;
    }
    timeline->width = width;
    timeline->height = height;
    timeline->has_alpha = has_alpha;
    timeline->former = calloc((size_t)width * (size_t)height, sizeof(uint32_t));
    if (timeline->former == NULL || !WebPConfigInit(&timeline->config) ||
        !WebPConfigLosslessPreset(&timeline->config, EFFORT)) {
        close_timeline(timeline);
        return NULL;
    }
    timeline->config.exact = 1; /* what is transparent has no colour already */
    return timeline;
}

static void *open_timeline(const struct animation_plan *plan, struct error *error)
{
    struct timeline *const timeline = make_timeline(plan->width, plan->height, plan->has_alpha);
    if (timeline != NULL) {
        put_words(&timeline->words, plan);
    }
    if (timeline == NULL || timeline->words.failed) {
        close_timeline(timeline);
        no_memory(error);
        return NULL;
    }
    return timeline;
}

static void *follow_timeline(void *at, unsigned long passed, struct error *error)
{
    (void)passed;
    struct timeline *const first = at;
    struct timeline *const timeline = make_timeline(first->width, first->height, first->has_alpha);
    if (timeline == NULL) {
        no_memory(error);
        return NULL;
    }
    timeline->alone = timeline->follows = first->alone = true;
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

/* ---- packed ---------------------------------------------------------------------------------- */

struct packing {
    struct timeline *timeline;
    struct system_mutex lock;
    size_t next; /* part */
};

static void pack_part(struct timeline *timeline, struct part *part)
{
    WebPMemoryWriterInit(&part->file);
    part->picture.writer = WebPMemoryWrite;
    part->picture.custom_ptr = &part->file;
    part->failed = !WebPEncode(&timeline->config, &part->picture);
    WebPPictureFree(&part->picture);
}

static void pack_some(void *at)
{
    struct packing *const packing = at;
    for (;;) {
        system_mutex_lock(&packing->lock);
        const size_t next = packing->next++;
        system_mutex_unlock(&packing->lock);
        if (next >= packing->timeline->parts) {
            return;
        }
        pack_part(packing->timeline, &packing->timeline->part[next]);
    }
}

/* All that wait. Where there are no threads this one does it. */
static bool pack_all(struct timeline *timeline)
{
    struct packing packing = {.timeline = timeline, .next = timeline->packed};
    const size_t others = system_processors() - 1;
    const size_t max_threads = others < THREADS_MAX ? others : THREADS_MAX;
    const size_t waiting = timeline->parts - timeline->packed;
    struct system_thread thread[THREADS_MAX];
    size_t threads = 0;
    bool done = system_mutex_open(&packing.lock);
    if (!done) {
        return false;
    }
    while (!timeline->alone && threads < max_threads && threads + 1 < waiting &&
           system_thread_start(&thread[threads], 0, pack_some, &packing)) {
        threads++;
    }
    pack_some(&packing);
    for (size_t t = 0; t < threads; t++) {
        system_thread_join(&thread[t]);
    }
    system_mutex_close(&packing.lock);
    for (; timeline->packed < timeline->parts; timeline->packed++) {
        done = done && !timeline->part[timeline->packed].failed;
    }
    return done;
}

/* ---- what changes ---------------------------------------------------------------------------- */

/* Makes the box so large that it holds what of the area differs from the picture before. */
static void find_differing(const struct timeline *timeline, const uint32_t *pixels,
                           struct shape_box area, struct shape_box *box)
{
    for (int y = area.top; y < area.bottom && area.left < area.right; y++) {
        const uint32_t *const now = pixels + (ptrdiff_t)y * timeline->width;
        const uint32_t *const before = timeline->former + (ptrdiff_t)y * timeline->width;
        int left = area.left, right = area.right;
        if (memcmp(now + left, before + left, (size_t)(right - left) * sizeof *now) == 0) {
            continue;
        }
        while (now[left] == before[left]) {
            left++;
        }
        while (now[right - 1] == before[right - 1]) {
            right--;
        }
        box->left = left < box->left ? left : box->left;
        box->right = right > box->right ? right : box->right;
        box->top = y < box->top ? y : box->top;
        box->bottom = y + 1 > box->bottom ? y + 1 : box->bottom;
    }
}

/* The smallest box of pixels that differ from the picture before, on even places, as the format has
 * them; empty: none does. */
static struct shape_box changed_box(const struct timeline *timeline, const uint32_t *pixels,
                                    const struct animation_areas *changed)
{
    struct shape_box box = {timeline->width, timeline->height, 0, 0};
    for (size_t a = 0; a < changed->count; a++) {
        find_differing(timeline, pixels, changed->box[a], &box);
    }
    box.left &= ~1;
    box.top &= ~1;
    return box;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* Fills in what differs inside of the area, in a part that is transparent as yet. */
static void fill_differing(const struct timeline *timeline, const uint32_t *pixels,
                           struct shape_box area, struct part *part)
{
    for (int y = area.top; y < area.bottom; y++) {
        const ptrdiff_t row = (ptrdiff_t)y * timeline->width;
        const uint32_t *const now = pixels + row, *const before = timeline->former + row;
        uint32_t *const out =
            part->picture.argb + (ptrdiff_t)(y - part->top) * part->picture.argb_stride;
        for (int x = area.left; x < area.right; x++) {
            out[x - part->left] = now[x] == before[x] ? 0 : now[x]; /* all of it is opaque */
        }
    }
}

/* All of it, with its own transparence. */
static void fill_whole(const struct timeline *timeline, const uint32_t *pixels, struct part *part)
{
    for (int y = 0; y < part->picture.height; y++) {
        const uint32_t *const now =
            pixels + (ptrdiff_t)(part->top + y) * timeline->width + part->left;
        uint32_t *const out = part->picture.argb + (ptrdiff_t)y * part->picture.argb_stride;
        for (int x = 0; x < part->picture.width; x++) {
            out[x] = divide_alpha(now[x]);
        }
    }
}

/* The pixels of the part, which is the box; where it blends, those that stay are transparent. */
static void fill_part(const struct timeline *timeline, const uint32_t *pixels,
                      const struct animation_areas *changed, struct shape_box box,
                      struct part *part)
{
    if (!part->blends) {
        fill_whole(timeline, pixels, part);
        return;
    }
    memset(part->picture.argb, 0,
           (size_t)part->picture.argb_stride * (size_t)part->picture.height * sizeof(uint32_t));
    for (size_t a = 0; a < changed->count; a++) {
        fill_differing(timeline, pixels, shape_box_cut(changed->box[a], box), part);
    }
}

static void keep_former(const struct timeline *timeline, const uint32_t *pixels,
                        struct shape_box box)
{
    for (int y = box.top; y < box.bottom && box.left < box.right; y++) {
        const ptrdiff_t row = (ptrdiff_t)y * timeline->width + box.left;
        memcpy(timeline->former + row, pixels + row,
               (size_t)(box.right - box.left) * sizeof *pixels);
    }
}

static struct part *add_part(struct timeline *timeline)
{
    if (timeline->parts == timeline->room) {
        const size_t room = 2 * timeline->room + WAITING_MAX;
        struct part *const wider = realloc(timeline->part, room * sizeof *wider);
        if (wider == NULL) {
            return NULL;
        }
        timeline->part = wider;
        timeline->room = room;
    }
    struct part *const part = &timeline->part[timeline->parts];
    *part = (struct part){.failed = false};
    return WebPPictureInit(&part->picture) ? part : NULL;
}

/* So much longer; false: longer than a picture can. */
static bool stay_longer(int *stays, int time)
{
    const bool can = *stays <= DURATION_MAX - time;
    *stays += can ? time : 0;
    return can;
}

/* The first picture is whole. */
static bool add_picture(void *at, const uint32_t *pixels, const struct animation_areas *changed,
                        unsigned milliseconds, struct error *error)
{
    struct timeline *const timeline = at;
    const int time = milliseconds < DURATION_MAX ? (int)milliseconds : DURATION_MAX;
    const struct shape_box all = {0, 0, timeline->width, timeline->height};
    if (timeline->follows && !timeline->has_former) {
        keep_former(timeline, pixels, all);
        timeline->has_former = true;
        return true;
    }
    const bool first = !timeline->has_former;
    const struct shape_box box = first ? all : changed_box(timeline, pixels, changed);
    timeline->has_former = true;
    if (shape_box_is_empty(box) &&
        stay_longer(timeline->parts == 0 ? &timeline->lead
                                         : &timeline->part[timeline->parts - 1].milliseconds,
                    time)) {
        return true;
    }
    struct part *const part = add_part(timeline);
    if (part == NULL) {
        return no_memory(error);
    }
    const bool same = shape_box_is_empty(box);
    part->left = same ? 0 : box.left;
    part->top = same ? 0 : box.top;
    part->milliseconds = time;
    part->blends = !first && !timeline->has_alpha;
    part->picture.use_argb = 1;
    part->picture.width = same ? 1 : box.right - box.left;
    part->picture.height = same ? 1 : box.bottom - box.top;
    if (!WebPPictureAlloc(&part->picture)) {
        return no_memory(error);
    }
    fill_part(timeline, pixels, changed, box, part);
    for (size_t a = 0; a < changed->count; a++) {
        keep_former(timeline, pixels, shape_box_cut(changed->box[a], box));
    }
    timeline->parts++;
    const size_t waiting = timeline->parts - timeline->packed;
    return (waiting < WAITING_MAX && !timeline->alone) || pack_all(timeline) || no_memory(error);
}

/* The parts of the follower become the last ones here. */
static bool join_timelines(void *at, void *behind, struct error *error)
{
    struct timeline *const timeline = at, *const follower = behind;
    if (!pack_all(timeline) || !pack_all(follower)) {
        return no_memory(error);
    }
    int *const stays = &timeline->part[timeline->parts - 1].milliseconds;
    *stays = *stays < DURATION_MAX - follower->lead ? *stays + follower->lead : DURATION_MAX;
    for (size_t p = 0; p < follower->parts; p++) {
        struct part *const part = add_part(timeline);
        if (part == NULL) {
            return no_memory(error);
        }
        *part = follower->part[p];
        WebPMemoryWriterInit(&follower->part[p].file); /* it has moved */
        timeline->packed = ++timeline->parts;
    }
    return true;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool push_frame(WebPMux *mux, const struct part *part)
{
    const WebPMuxFrameInfo frame = {
        .bitstream = {part->file.mem, part->file.size},
        .x_offset = part->left,
        .y_offset = part->top,
        .duration = part->milliseconds,
        .id = WEBP_CHUNK_ANMF,
        .dispose_method = WEBP_MUX_DISPOSE_NONE,
        .blend_method = part->blends ? WEBP_MUX_BLEND : WEBP_MUX_NO_BLEND,
    };
    return WebPMuxPushFrame(mux, &frame, 0) == WEBP_MUX_OK;
}

/* The whole file, with the words in a chunk of their own; a picture that nothing follows is one
 * that does not move. */
static bool assemble_file(struct timeline *timeline, WebPData *whole)
{
    const WebPMuxAnimParams params = {.bgcolor = 0xffffffff, .loop_count = 0};
    const WebPData words = {(const uint8_t *)timeline->words.at, timeline->words.size};
    const struct part *const only = &timeline->part[0];
    const WebPData still = {only->file.mem, only->file.size};
    WebPMux *const mux = WebPMuxNew();
    bool made = mux != NULL;
    if (timeline->parts == 1) {
        made = made && WebPMuxSetImage(mux, &still, 0) == WEBP_MUX_OK;
    } else {
        made = made && WebPMuxSetAnimationParams(mux, &params) == WEBP_MUX_OK &&
               WebPMuxSetCanvasSize(mux, timeline->width, timeline->height) == WEBP_MUX_OK;
    }
    for (size_t p = 0; made && timeline->parts > 1 && p < timeline->parts; p++) {
        made = push_frame(mux, &timeline->part[p]);
    }
    made = made && (words.size == 0 || WebPMuxSetChunk(mux, "XMP ", &words, 0) == WEBP_MUX_OK) &&
           WebPMuxAssemble(mux, whole) == WEBP_MUX_OK;
    WebPMuxDelete(mux);
    return made;
}

static bool end_timeline(void *at, struct arena *arena, struct bytes *file, struct error *error)
{
    struct timeline *const timeline = at;
    WebPData whole;
    WebPDataInit(&whole);
    const bool ended = timeline->parts > 0 && pack_all(timeline) && assemble_file(timeline, &whole);
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
                                                .close = close_timeline,
                                                .follow = follow_timeline,
                                                .join = join_timelines};
