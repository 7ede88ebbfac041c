/* Median cut: the box of colours that differ most is halved until there are enough boxes; each is
 * shown as its mean. (Heckbert, Color image quantization for frame buffer display, 1982) */
#include "canvas/formats/palette.h"

#include <stdlib.h>
#include <string.h>

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
    int channel;        /* in which they differ most … */
    double worth;       /* … and how much is gained by halving it; 0: nothing */
};

struct palette *palette_open(void)
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

void palette_close(struct palette *palette)
{
    if (palette != NULL) {
        free(palette->slot);
        free(palette->shade);
        free(palette);
    }
}

void palette_begin(struct palette *palette)
{
    for (size_t i = 0; i < palette->slots; i++) {
        palette->slot[i] = (struct shade){.colour = FREE};
    }
    palette->count = 0;
}

/* Where the colour is, or the free place where it belongs. */
static struct shade *find(struct shade *slot, size_t slots, uint32_t colour)
{
    size_t at = (colour * 2654435761u >> 8) & (slots - 1);
    while (slot[at].colour != FREE && slot[at].colour != colour) {
        at = (at + 1) & (slots - 1);
    }
    return &slot[at];
}

static bool grow(struct palette *palette)
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
            *find(slot, slots, palette->slot[i].colour) = palette->slot[i];
        }
    }
    free(palette->slot);
    palette->slot = slot;
    palette->slots = slots;
    return true;
}

bool palette_count(struct palette *palette, uint32_t colour)
{
    struct shade *shade = find(palette->slot, palette->slots, colour);
    if (shade->colour == colour) {
        shade->count++;
        return true;
    }
    if (palette->count + 1 > palette->slots / 2) {
        if (!grow(palette)) {
            return false;
        }
        shade = find(palette->slot, palette->slots, colour);
    }
    *shade = (struct shade){.colour = colour, .count = 1};
    palette->count++;
    return true;
}

static int channel_of(uint32_t colour, int channel)
{
    return (int)(colour >> (8 * channel) & 255);
}

static int order(const struct shade *a, const struct shade *b, int channel)
{
    const int by = channel_of(a->colour, channel) - channel_of(b->colour, channel);
    return by != 0 ? by : (a->colour > b->colour) - (a->colour < b->colour);
}

static int by_blue(const void *a, const void *b)
{
    return order(a, b, 0);
}

static int by_green(const void *a, const void *b)
{
    return order(a, b, 1);
}

static int by_red(const void *a, const void *b)
{
    return order(a, b, 2);
}

static int (*const orders[CHANNELS])(const void *, const void *) = {by_blue, by_green, by_red};

/* The sum of squares round the mean tells how much a box is worth halving: large plain areas, which
 * are one colour, do not push out the shades of letters. */
static struct box measure(const struct palette *palette, size_t from, size_t count)
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

/* Two boxes out of one, on both sides of its mean. */
static void halve(const struct palette *palette, struct box *box, struct box *other)
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
    *other = measure(palette, box->from + cut, box->count - cut);
    *box = measure(palette, box->from, cut);
}

static uint32_t mean(const struct palette *palette, const struct box *box)
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

static bool gather(struct palette *palette)
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

bool palette_choose(struct palette *palette, uint32_t chosen[PALETTE_MAX], size_t *count)
{
    *count = 0;
    if (palette->count == 0 || !gather(palette)) {
        return palette->count == 0;
    }
    struct box box[PALETTE_MAX];
    size_t boxes = 1;
    box[0] = measure(palette, 0, palette->count);
    while (boxes < PALETTE_MAX) {
        size_t best = 0;
        for (size_t i = 1; i < boxes; i++) {
            best = box[i].worth > box[best].worth ? i : best;
        }
        if (box[best].count < 2) {
            break;
        }
        halve(palette, &box[best], &box[boxes]);
        boxes++;
    }
    for (size_t b = 0; b < boxes; b++) {
        chosen[b] = mean(palette, &box[b]);
        for (size_t i = box[b].from; i < box[b].from + box[b].count; i++) {
            find(palette->slot, palette->slots, palette->shade[i].colour)->place = (uint8_t)b;
        }
    }
    *count = boxes;
    return true;
}

uint8_t palette_place(const struct palette *palette, uint32_t colour)
{
    return find(palette->slot, palette->slots, colour)->place;
}
