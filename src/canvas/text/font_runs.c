/* Shaped runs, kept by face and text. */
#include <stdlib.h>
#include <string.h>

#include "canvas/text/font_internal.h"

enum {
    FIRST_BUCKETS = 1024,
    MANY_RUNS = 8192,              /* fonts_trim drops what the last frame did not use above it */
    MANY_BYTES = 16 * 1024 * 1024, /* or when all runs take more than that */
};

static uint64_t hash_text(enum font_face face, const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)face;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x00000100000001b3);
    }
    return hash ^ hash >> 32;
}

static bool widen_buckets(struct fonts *fonts)
{
    if (fonts->runs < fonts->buckets) {
        return true;
    }
    const size_t buckets = fonts->buckets == 0 ? FIRST_BUCKETS : fonts->buckets * 2;
    struct font_kept **bucket = calloc(buckets, sizeof(struct font_kept *));
    if (bucket == NULL) {
        return fonts->buckets > 0;
    }
    for (size_t i = 0; i < fonts->buckets; i++) {
        for (struct font_kept *kept = fonts->bucket[i]; kept != NULL;) {
            struct font_kept *next = kept->next;
            kept->next = bucket[kept->hash & (buckets - 1)];
            bucket[kept->hash & (buckets - 1)] = kept;
            kept = next;
        }
    }
    free(fonts->bucket);
    fonts->bucket = bucket;
    fonts->buckets = buckets;
    return true;
}

static struct font_kept *find(const struct fonts *fonts, enum font_face face, const char *text,
                              size_t length, uint64_t hash)
{
    if (fonts->buckets == 0) {
        return NULL;
    }
    struct font_kept *kept = fonts->bucket[hash & (fonts->buckets - 1)];
    while (kept != NULL && (kept->hash != hash || kept->face != face || kept->length != length ||
                            memcmp(kept->text, text, length) != 0)) {
        kept = kept->next;
    }
    return kept;
}

const struct font_kept *font_kept(struct fonts *fonts, enum font_face face, const char *text,
                                  size_t length)
{
    static const struct font_kept nothing = {.text = ""};
    if (length == 0) {
        return &nothing;
    }
    length = length < FONT_LONGEST ? length : FONT_LONGEST;
    const uint64_t hash = hash_text(face, text, length);
    struct font_kept *kept = find(fonts, face, text, length, hash);
    if (kept == NULL) {
        kept = widen_buckets(fonts) ? font_shape_new(fonts, face, text, length) : NULL;
        if (kept == NULL) {
            fonts_lose(fonts);
            return &nothing;
        }
        kept->hash = hash;
        kept->next = fonts->bucket[hash & (fonts->buckets - 1)];
        fonts->bucket[hash & (fonts->buckets - 1)] = kept;
        fonts->runs++;
        fonts->run_bytes += kept->bytes;
    }
    kept->used = fonts->round;
    return kept;
}

const struct font_run *font_shape(struct fonts *fonts, enum font_face face, const char *text,
                                  size_t length)
{
    return &font_kept(fonts, face, text, length)->run;
}

/* Drops the runs that were last used before `round`. */
static void drop_before(struct fonts *fonts, uint64_t round)
{
    for (size_t i = 0; i < fonts->buckets; i++) {
        struct font_kept **link = &fonts->bucket[i];
        while (*link != NULL) {
            struct font_kept *kept = *link;
            if (kept->used >= round) {
                link = &kept->next;
                continue;
            }
            *link = kept->next;
            fonts->runs--;
            fonts->run_bytes -= kept->bytes;
            free(kept);
        }
    }
}

size_t fonts_losses(const struct fonts *fonts)
{
    return fonts->losses;
}

void fonts_lose(struct fonts *fonts)
{
    fonts->losses++;
}

void fonts_trim(struct fonts *fonts)
{
    if (fonts->runs > MANY_RUNS || fonts->run_bytes > MANY_BYTES) {
        drop_before(fonts, fonts->round);
    }
    fonts->round++;
}

void font_runs_close(struct fonts *fonts)
{
    drop_before(fonts, UINT64_MAX);
    free(fonts->bucket);
}
