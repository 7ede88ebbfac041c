/* Animated GIF: each picture holds only what changed, in at most 255 colours of its own.
 * (CompuServe, Graphics Interchange Format, version 89a) */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "canvas/formats/animation.h"
#include "canvas/render/pixels.h"

enum { PALETTE_MAX = 255 };

/* Median cut: the box of colours that differ most is halved until there are enough boxes; each is
 * shown as its mean. (Heckbert, Color image quantization for frame buffer display, 1982) */

enum { FIRST_ROOM = 1 << 12, CHANNELS = 3 };

static const uint32_t FREE = 0xffffffffu; /* no colour: they have 24 bits */

struct shade {
    uint32_t colour;
    uint32_t count;
    uint8_t place;
};

struct palette {
    struct shade *slot; /* found by hash */
    size_t slots, count;
    struct shade *shade; /* the same side by side */
    size_t room;
};

struct box {
    size_t from, count; /* shades */
    int channel;        /* in which they differ most */
    double worth;       /* how much is gained by halving it; 0: nothing */
};

/* Forgets the colours, keeps the memory. */
static void palette_begin(struct palette *palette)
{
    for (size_t i = 0; i < palette->slots; i++) {
        palette->slot[i] = (struct shade){.colour = FREE};
    }
    palette->count = 0;
}

static struct palette *palette_open(void)
{
    struct palette *const palette = calloc(1, sizeof *palette);
    struct shade *const slot = malloc(FIRST_ROOM * sizeof *slot);
    if (palette == NULL || slot == NULL) {
        free(slot);
        free(palette);
        return NULL;
    }
    palette->slot = slot;
    palette->slots = FIRST_ROOM;
    palette_begin(palette);
    return palette;
}

static void palette_close(struct palette *palette)
{
    if (palette != NULL) {
        free(palette->slot);
        free(palette->shade);
        free(palette);
    }
}

/* Returns the place of the colour, or the free one where it belongs. */
static struct shade *find_shade(struct shade *slot, size_t slots, uint32_t colour)
{
    size_t at = (colour * 2654435761u >> 8) & (slots - 1);
    while (slot[at].colour != FREE && slot[at].colour != colour) {
        at = (at + 1) & (slots - 1);
    }
    return &slot[at];
}

static bool grow_palette(struct palette *palette)
{
    const size_t slots = palette->slots * 2;
    struct shade *const slot = malloc(slots * sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    for (size_t i = 0; i < slots; i++) {
        slot[i] = (struct shade){.colour = FREE};
    }
    for (size_t i = 0; i < palette->slots; i++) {
        if (palette->slot[i].colour != FREE) {
            *find_shade(slot, slots, palette->slot[i].colour) = palette->slot[i];
        }
    }
    free(palette->slot);
    palette->slot = slot;
    palette->slots = slots;
    return true;
}

/* Counts a colour, 0x00RRGGBB. False: no memory. */
static bool palette_count(struct palette *palette, uint32_t colour)
{
    struct shade *shade = find_shade(palette->slot, palette->slots, colour);
    if (shade->colour == colour) {
        shade->count++;
        return true;
    }
    if (palette->count + 1 > palette->slots / 2) {
        if (!grow_palette(palette)) {
            return false;
        }
        shade = find_shade(palette->slot, palette->slots, colour);
    }
    *shade = (struct shade){.colour = colour, .count = 1};
    palette->count++;
    return true;
}

static int channel_of(uint32_t colour, int channel)
{
    return (int)(colour >> (8 * channel) & 255);
}

static int compare_shades(const struct shade *a, const struct shade *b, int channel)
{
    const int by = channel_of(a->colour, channel) - channel_of(b->colour, channel);
    return by != 0 ? by : (a->colour > b->colour) - (a->colour < b->colour);
}

static int by_blue(const void *a, const void *b)
{
    return compare_shades(a, b, 0);
}

static int by_green(const void *a, const void *b)
{
    return compare_shades(a, b, 1);
}

static int by_red(const void *a, const void *b)
{
    return compare_shades(a, b, 2);
}

static int (*const orders[CHANNELS])(const void *, const void *) = {by_blue, by_green, by_red};

/* The sum of squares round the mean tells how much a box is worth halving: large plain areas, which
 * are one colour, do not push out the shades of letters. */
static struct box measure_box(const struct palette *palette, size_t from, size_t count)
{
    struct box box = {from, count, 0, 0};
    for (int channel = 0; channel < CHANNELS; channel++) {
        double sum = 0, squares = 0, whole = 0;
        for (size_t i = from; i < from + count; i++) {
            const double value = channel_of(palette->shade[i].colour, channel);
            const double weight = palette->shade[i].count;
            sum += weight * value;
            squares += weight * value * value;
            whole += weight;
        }
        const double spread = count > 1 ? squares - sum * sum / whole : 0;
        if (spread > box.worth) {
            box.worth = spread;
            box.channel = channel;
        }
    }
    return box;
}

/* Makes two boxes out of one, on both sides of its mean. */
static void halve_box(const struct palette *palette, struct box *box, struct box *other)
{
    struct shade *const first = palette->shade + box->from;
    double sum = 0, whole = 0;
    qsort(first, box->count, sizeof *first, orders[box->channel]);
    for (size_t i = 0; i < box->count; i++) {
        sum += (double)channel_of(first[i].colour, box->channel) * first[i].count;
        whole += first[i].count;
    }
    size_t cut = 1;
    while (cut + 1 < box->count &&
           (double)channel_of(first[cut].colour, box->channel) * whole <= sum) {
        cut++;
    }
    *other = measure_box(palette, box->from + cut, box->count - cut);
    *box = measure_box(palette, box->from, cut);
}

static uint32_t mean_colour(const struct palette *palette, const struct box *box)
{
    uint32_t colour = 0;
    for (int channel = 0; channel < CHANNELS; channel++) {
        double sum = 0, whole = 0;
        for (size_t i = box->from; i < box->from + box->count; i++) {
            const struct shade *const shade = &palette->shade[i];
            sum += (double)channel_of(shade->colour, channel) * shade->count;
            whole += shade->count;
        }
        colour |= (uint32_t)(sum / whole + 0.5) << (8 * channel);
    }
    return colour;
}

static bool gather_shades(struct palette *palette)
{
    if (palette->count > palette->room) {
        struct shade *const shade = realloc(palette->shade, palette->count * sizeof *shade);
        if (shade == NULL) {
            return false;
        }
        palette->shade = shade;
        palette->room = palette->count;
    }
    size_t at = 0;
    for (size_t i = 0; i < palette->slots; i++) {
        if (palette->slot[i].colour != FREE) {
            palette->shade[at++] = palette->slot[i];
        }
    }
    qsort(palette->shade, at, sizeof *palette->shade, by_red);
    return true;
}

/* Chooses at most PALETTE_MAX colours, the very ones when there are no more; *count of them. Equal
 * counts give equal choices. False: no memory. */
static bool palette_choose(struct palette *palette, uint32_t chosen[PALETTE_MAX], size_t *count)
{
    *count = 0;
    if (palette->count == 0 || !gather_shades(palette)) {
        return palette->count == 0;
    }
    struct box box[PALETTE_MAX];
    size_t boxes = 1;
    box[0] = measure_box(palette, 0, palette->count);
    while (boxes < PALETTE_MAX) {
        size_t best = 0;
        for (size_t i = 1; i < boxes; i++) {
            best = box[i].worth > box[best].worth ? i : best;
        }
        if (box[best].count < 2) {
            break;
        }
        halve_box(palette, &box[best], &box[boxes]);
        boxes++;
    }
    for (size_t b = 0; b < boxes; b++) {
        chosen[b] = mean_colour(palette, &box[b]);
        for (size_t i = box[b].from; i < box[b].from + box[b].count; i++) {
            find_shade(palette->slot, palette->slots, palette->shade[i].colour)->place = (uint8_t)b;
        }
    }
    *count = boxes;
    return true;
}

/* The place of what stands for a counted colour, after palette_choose. */
static uint8_t palette_place(const struct palette *palette, uint32_t colour)
{
    return find_shade(palette->slot, palette->slots, colour)->place;
}

enum { OPAQUE_FROM = 128, HUNDREDTH = 10 /* milliseconds */, COMMENT_MAX = 4096 };

struct timeline {
    GifFileType *gif;
    struct palette *palette;
    int width, height;
    bool has_alpha;
    uint32_t *shown; /* the picture so far: 0xffRRGGBB, 0 where nothing is */
    uint32_t *next;

    /* The picture that waits until it is known how long it stays. */
    bool waits;
    int left, top, columns, rows;
    uint8_t *place; /* rows × columns places of colours; 0: nothing */
    uint32_t colour[PALETTE_MAX];
    size_t colours;
    unsigned long from, passed; /* milliseconds */

    bool follows;        /* its first picture is only what the next is compared with */
    bool has_former;     /* that one was there */
    unsigned long begun; /* milliseconds: when the first that is painted came */

    uint8_t *at; /* the file so far */
    size_t size, room;
    bool lacking; /* memory did not suffice for all of it, which giflib does not always tell */
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for an animation.");
}

static int append_bytes(GifFileType *gif, const GifByteType *bytes, int size)
{
    struct timeline *const timeline = gif->UserData;
    const size_t more = (size_t)size;
    if (more > timeline->room - timeline->size) {
        const size_t room = (timeline->size + more) * 2;
        uint8_t *const larger = realloc(timeline->at, room);
        if (larger == NULL) {
            timeline->lacking = true;
            return 0;
        }
        timeline->at = larger;
        timeline->room = room;
    }
    memcpy(timeline->at + timeline->size, bytes, more);
    timeline->size += more;
    return size;
}

static void close_timeline(void *at)
{
    struct timeline *const timeline = at;
    if (timeline != NULL) {
        int ignored = 0;
        if (timeline->gif != NULL) {
            EGifCloseFile(timeline->gif, &ignored);
        }
        palette_close(timeline->palette);
        free(timeline->shown);
        free(timeline->next);
        free(timeline->place);
        free(timeline->at);
        free(timeline);
    }
}

/* Ends a text before a letter of UTF-8 that was cut in the middle. */
static void drop_half_letter(char *text)
{
    size_t end = strlen(text), lead = end;
    while (lead > 0 && end - lead < 4 && ((unsigned char)text[lead - 1] & 0xc0) == 0x80) {
        lead--;
    }
    if (lead > 0 && ((unsigned char)text[lead - 1] & 0x80) != 0) {
        const unsigned char first = (unsigned char)text[lead - 1];
        const size_t letters = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        text[end - (lead - 1) < letters ? lead - 1 : end] = '\0';
    }
}

/* In an application's own extension, which all others pass over: pieces of at most 255 bytes. */
static bool write_experiment(GifFileType *gif, const char *experiment)
{
    enum { PIECE = 255 };
    if (experiment == NULL) {
        return true;
    }
    bool written = EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
                   EGifPutExtensionBlock(gif, 11, "ATTNSCOP1.0") == GIF_OK;
    size_t left = strlen(experiment);
    while (written && left > 0) {
        const size_t piece = left < PIECE ? left : PIECE;
        written = EGifPutExtensionBlock(gif, (int)piece, experiment) == GIF_OK;
        experiment += piece;
        left -= piece;
    }
    return written && EGifPutExtensionTrailer(gif) == GIF_OK;
}

/* The screen, that it repeats for ever, and what it shows in words. */
static bool write_start(struct timeline *timeline, const struct animation_plan *plan)
{
    const char *const description = plan->description;
    static const unsigned char for_ever[3] = {1, 0, 0};
    char comment[COMMENT_MAX] = "";
    if (description != NULL) {
        strncpy(comment, description, sizeof comment - 1);
        drop_half_letter(comment);
    }
    return EGifPutScreenDesc(timeline->gif, timeline->width, timeline->height, 8, 0, NULL) ==
               GIF_OK &&
           EGifPutExtensionLeader(timeline->gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(timeline->gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(timeline->gif, sizeof for_ever, for_ever) == GIF_OK &&
           EGifPutExtensionTrailer(timeline->gif) == GIF_OK &&
           (comment[0] == '\0' || EGifPutComment(timeline->gif, comment) == GIF_OK) &&
           write_experiment(timeline->gif, plan->experiment);
}

/* With nothing written yet. */
static struct timeline *make_timeline(int width, int height, bool has_alpha)
{
    struct timeline *const timeline = calloc(1, sizeof *timeline);
    if (timeline == NULL) {
        return NULL;
    }
    const size_t count = (size_t)width * (size_t)height;
    int code = 0;
    timeline->width = width;
    timeline->height = height;
    timeline->has_alpha = has_alpha;
    timeline->palette = palette_open();
    timeline->shown = calloc(count, sizeof *timeline->shown);
    timeline->next = calloc(count, sizeof *timeline->next);
    timeline->place = calloc(count, 1);
    timeline->gif = EGifOpen(timeline, append_bytes, &code);
    if (timeline->palette == NULL || timeline->shown == NULL || timeline->next == NULL ||
        timeline->place == NULL || timeline->gif == NULL) {
        close_timeline(timeline);
        return NULL;
    }
    EGifSetGifVersion(timeline->gif, true);
    return timeline;
}

static void *open_timeline(const struct animation_plan *plan, struct error *error)
{
    struct timeline *const timeline = make_timeline(plan->width, plan->height, plan->has_alpha);
    if (timeline == NULL || !write_start(timeline, plan)) {
        close_timeline(timeline);
        no_memory(error);
        return NULL;
    }
    return timeline;
}

/* Pictures are packed each by itself: those of the follower are bytes without a beginning. */
static void *follow_timeline(void *at, unsigned long passed, struct error *error)
{
    const struct timeline *const first = at;
    struct timeline *const timeline = make_timeline(first->width, first->height, first->has_alpha);
    if (timeline == NULL ||
        EGifPutScreenDesc(timeline->gif, timeline->width, timeline->height, 8, 0, NULL) != GIF_OK) {
        close_timeline(timeline);
        no_memory(error);
        return NULL;
    }
    timeline->size = 0;
    timeline->follows = true;
    timeline->passed = passed;
    return timeline;
}

/* A pixel of a GIF is either there or not: there is no alpha between. */
static uint32_t harden_alpha(uint32_t pixel)
{
    const uint32_t alpha = pixel >> 24;
    if (alpha < OPAQUE_FROM) {
        return 0;
    }
    return 0xff000000u | colour_divide(pixel >> 16 & 255, alpha) << 16 |
           colour_divide(pixel >> 8 & 255, alpha) << 8 | colour_divide(pixel & 255, alpha);
}

/* The smallest area with all that is another than it was. False: nothing is. */
static bool find_changes(const struct timeline *timeline, const struct animation_areas *among,
                         int area[4])
{
    int left = timeline->width, top = timeline->height, right = 0, bottom = 0;
    for (size_t a = 0; a < among->count; a++) {
        const struct shape_box box = among->box[a];
        for (int y = box.top; y < box.bottom; y++) {
            const uint32_t *const now = timeline->next + (ptrdiff_t)y * timeline->width;
            const uint32_t *const then = timeline->shown + (ptrdiff_t)y * timeline->width;
            for (int x = box.left; x < box.right; x++) {
                if (now[x] != then[x]) {
                    left = x < left ? x : left;
                    right = x + 1 > right ? x + 1 : right;
                    top = y < top ? y : top;
                    bottom = y + 1 > bottom ? y + 1 : bottom;
                }
            }
        }
    }
    memcpy(area, (int[]){left, top, right, bottom}, 4 * sizeof *area);
    return right > left;
}

static int size_of_map(size_t colours)
{
    int size = 2;
    while ((size_t)size < colours) {
        size *= 2;
    }
    return size;
}

/* Writes the picture that waits, which stays until `until`. */
static bool write_waiting(struct timeline *timeline, unsigned long until)
{
    const unsigned long from = (timeline->from + HUNDREDTH / 2) / HUNDREDTH;
    const unsigned long to = (until + HUNDREDTH / 2) / HUNDREDTH;
    const unsigned long stays = to - from < 0xffff ? to - from : 0xffff;
    const GraphicsControlBlock control = {.DisposalMode = timeline->has_alpha ? DISPOSE_BACKGROUND
                                                                              : DISPOSE_DO_NOT,
                                          .DelayTime = (int)stays,
                                          .TransparentColor = 0};
    GifByteType extension[4];
    GifColorType colour[PALETTE_MAX + 1] = {{0, 0, 0}};
    for (size_t i = 0; i < timeline->colours; i++) {
        const uint32_t value = timeline->colour[i];
        colour[i + 1] = (GifColorType){(GifByteType)(value >> 16 & 255),
                                       (GifByteType)(value >> 8 & 255), (GifByteType)(value & 255)};
    }
    ColorMapObject *const map = GifMakeMapObject(size_of_map(timeline->colours + 1), colour);
    if (map == NULL) {
        return false;
    }
    const size_t length = EGifGCBToExtension(&control, extension);
    bool written =
        EGifPutExtension(timeline->gif, GRAPHICS_EXT_FUNC_CODE, (int)length, extension) == GIF_OK &&
        EGifPutImageDesc(timeline->gif, timeline->left, timeline->top, timeline->columns,
                         timeline->rows, false, map) == GIF_OK;
    for (int y = 0; written && y < timeline->rows; y++) {
        written = EGifPutLine(timeline->gif, timeline->place + (ptrdiff_t)y * timeline->columns,
                              timeline->columns) == GIF_OK;
    }
    GifFreeMapObject(map);
    return written;
}

/* Returns whether the pixel is one that the next picture has to paint. */
static bool is_painted(const struct timeline *timeline, ptrdiff_t at)
{
    return timeline->next[at] != 0 &&
           (timeline->has_alpha || timeline->next[at] != timeline->shown[at]);
}

static bool index_colours(struct timeline *timeline, const int area[4])
{
    timeline->left = area[0];
    timeline->top = area[1];
    timeline->columns = area[2] - area[0];
    timeline->rows = area[3] - area[1];
    palette_begin(timeline->palette);
    for (int y = area[1]; y < area[3]; y++) {
        for (int x = area[0]; x < area[2]; x++) {
            const ptrdiff_t at = (ptrdiff_t)y * timeline->width + x;
            if (is_painted(timeline, at) &&
                !palette_count(timeline->palette, timeline->next[at] & 0xffffff)) {
                return false;
            }
        }
    }
    if (!palette_choose(timeline->palette, timeline->colour, &timeline->colours)) {
        return false;
    }
    uint8_t *place = timeline->place;
    for (int y = area[1]; y < area[3]; y++) {
        for (int x = area[0]; x < area[2]; x++) {
            const ptrdiff_t at = (ptrdiff_t)y * timeline->width + x;
            *place++ =
                is_painted(timeline, at)
                    ? (uint8_t)(palette_place(timeline->palette, timeline->next[at] & 0xffffff) + 1)
                    : 0;
        }
    }
    return true;
}

static void copy_pixels(struct timeline *timeline, const uint32_t *pixels, struct shape_box box)
{
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++) {
            const ptrdiff_t place = (ptrdiff_t)y * timeline->width + x;
            timeline->next[place] = harden_alpha(pixels[place]);
        }
    }
}

static bool add_picture(void *at, const uint32_t *pixels, const struct animation_areas *changed,
                        unsigned milliseconds, struct error *error)
{
    struct timeline *const timeline = at;
    const size_t count = (size_t)timeline->width * (size_t)timeline->height;
    int area[4];
    for (size_t a = 0; a < changed->count; a++) {
        copy_pixels(timeline, pixels, changed->box[a]);
    }
    const bool whole = !timeline->follows && !timeline->waits; /* the first of the file */
    const bool compared = timeline->follows && !timeline->has_former;
    if (find_changes(timeline, changed, area) || whole) {
        /* Parts that go away with their picture are painted whole each time; the first is, too. */
        if (timeline->has_alpha || whole) {
            memcpy(area, (int[]){0, 0, timeline->width, timeline->height}, sizeof area);
        }
        if ((timeline->waits && !write_waiting(timeline, timeline->passed)) ||
            (!compared && !index_colours(timeline, area))) {
            return no_memory(error);
        }
        timeline->begun = timeline->waits ? timeline->begun : timeline->passed;
        timeline->waits = !compared;
        timeline->from = timeline->passed;
        memcpy(timeline->shown, timeline->next, count * sizeof *timeline->shown);
    }
    timeline->has_former = true;
    timeline->passed += milliseconds;
    return true;
}

/* The pictures of the follower become the last ones here; its last one is the one that waits. */
static bool join_timelines(void *at, void *behind, struct error *error)
{
    struct timeline *const timeline = at, *const follower = behind;
    timeline->passed = follower->passed;
    if (!follower->waits) {
        return true; /* nothing has changed */
    }
    const bool joined = write_waiting(timeline, follower->begun) && !follower->lacking &&
                        (follower->size == 0 ||
                         append_bytes(timeline->gif, follower->at, (int)follower->size) != 0);
    uint8_t *const place = timeline->place;
    timeline->place = follower->place;
    follower->place = place;
    timeline->left = follower->left;
    timeline->top = follower->top;
    timeline->columns = follower->columns;
    timeline->rows = follower->rows;
    timeline->colours = follower->colours;
    memcpy(timeline->colour, follower->colour, sizeof timeline->colour);
    timeline->from = follower->from;
    return joined || no_memory(error);
}

static bool end_timeline(void *at, struct arena *arena, struct bytes *file, struct error *error)
{
    struct timeline *const timeline = at;
    int code = 0;
    const bool written = !timeline->waits || write_waiting(timeline, timeline->passed);
    GifFileType *const gif = timeline->gif;
    timeline->gif = NULL; /* closing it writes the end and lets it go, whatever comes of it */
    const bool ended = gif != NULL && EGifCloseFile(gif, &code) == GIF_OK;
    uint8_t *const copy =
        written && ended && !timeline->lacking ? arena_alloc(arena, timeline->size) : NULL;
    if (copy == NULL) {
        return no_memory(error);
    }
    memcpy(copy, timeline->at, timeline->size);
    *file = (struct bytes){copy, timeline->size};
    return true;
}

const struct animation_format animation_gif = {.suffix = "gif",
                                               .title = "GIF",
                                               .open = open_timeline,
                                               .add = add_picture,
                                               .end = end_timeline,
                                               .close = close_timeline,
                                               .follow = follow_timeline,
                                               .join = join_timelines};
