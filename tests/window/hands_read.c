/* hands_read.c — what is on screen: texts that can be seen, and whether they can be read. */
#include "hands.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"

enum { CLIPS_MAX = 64, REPORT_MAX = 400 };

/* A text that can be seen: its ink's area, cut by the clips around it. */
struct seen {
    const char *text;
    size_t length;
    struct rect whole, area;
    bool aslant; /* the area is around it, and mostly empty */
    bool boxed;  /* belongs to the text before it: an index, or digits where no font has a letter */
};

struct sight {
    struct rect clips[CLIPS_MAX];
    size_t clip;
};

static struct rect intersect_rects(struct rect a, struct rect b)
{
    float x0 = fmaxf(a.x, b.x), y0 = fmaxf(a.y, b.y);
    float x1 = fminf(a.x + a.w, b.x + b.w), y1 = fminf(a.y + a.h, b.y + b.h);
    return (struct rect){x0, y0, fmaxf(0, x1 - x0), fmaxf(0, y1 - y0)};
}

/* From the baseline up to the top of the capitals, a little below it. */
static struct rect ink_of(const struct canvas_command *command)
{
    float size = command->rect.h;
    if (command->turn == 90) {
        return (struct rect){command->rect.x - 0.73f * size, command->rect.y - command->rect.w,
                             0.78f * size, command->rect.w};
    }
    if (command->turn != 0) {
        const float side = 0.7071f * (command->rect.w + 0.73f * size);
        return (struct rect){command->rect.x - 0.52f * size, command->rect.y - side, side, side};
    }
    return (struct rect){command->rect.x, command->rect.y - 0.73f * size, command->rect.w,
                         0.78f * size};
}

typedef void (*each)(void *context, const struct seen *seen);

static void visit_seen(struct hands *hands, each tell, void *context)
{
    const struct canvas *canvas = hands_canvas(hands);
    struct sight sight = {.clips[0] = {0, 0, hands->input.width, hands->input.height}};
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_CLIP && sight.clip + 1 < CLIPS_MAX) {
            sight.clips[sight.clip + 1] = intersect_rects(sight.clips[sight.clip], command->rect);
            sight.clip++;
        } else if (command->kind == CANVAS_UNCLIP && sight.clip > 0) {
            sight.clip--;
        } else if (command->kind == CANVAS_TEXT && !command->follows) {
            struct seen seen = {.text = canvas_text_of(canvas, command),
                                .whole = ink_of(command),
                                .aslant = command->turn % 90 != 0,
                                .boxed = command->boxed};
            float wide = 0;
            seen.length = canvas_text_said(command, &wide);
            seen.whole.w = command->turn == 0 ? wide : seen.whole.w;
            seen.area = intersect_rects(seen.whole, sight.clips[sight.clip]);
            if (seen.area.w > 0.5f && seen.area.h > 0.5f) {
                tell(context, &seen);
            }
        }
    }
}

static bool has_words(const struct seen *seen, const char *words)
{
    size_t length = strlen(words);
    for (size_t i = 0; i + length <= seen->length; i++) {
        if (memcmp(seen->text + i, words, length) == 0) {
            return true;
        }
    }
    return false;
}

struct count {
    const char *words;
    size_t length, whole, part;
};

static void count_one(void *context, const struct seen *seen)
{
    struct count *count = context;
    count->whole +=
        seen->length == count->length && memcmp(seen->text, count->words, count->length) == 0;
    count->part += has_words(seen, count->words);
}

static struct count count_words(struct hands *hands, const char *words)
{
    struct count count = {.words = words, .length = strlen(words)};
    visit_seen(hands, count_one, &count);
    return count;
}

size_t hands_count(struct hands *hands, const char *words)
{
    return count_words(hands, words).whole;
}

size_t hands_count_part(struct hands *hands, const char *words)
{
    return count_words(hands, words).part;
}

static void report_one(void *context, const struct seen *seen)
{
    size_t *printed = context;
    if ((*printed)++ < REPORT_MAX) {
        fprintf(stderr, "%s%.*s", *printed == 1 ? "on screen: " : " | ",
                (int)(seen->length < 80 ? seen->length : 80), seen->text);
    }
}

void hands_report(struct hands *hands)
{
    size_t printed = 0;
    visit_seen(hands, report_one, &printed);
    fprintf(stderr, "%s\n", printed ? "" : "on screen: nothing at all");
}

void hands_must_show(struct hands *hands, const char *words, bool shown, const char *file, int line)
{
    bool is_shown = hands_count(hands, words) > 0;
    if (is_shown != shown) {
        hands_report(hands);
        fprintf(stderr, "\"%s\" should %sbe on screen\n", words, shown ? "" : "not ");
        _fail(file, line);
    }
}

void hands_must_hold(struct hands *hands, const char *words, const char *file, int line)
{
    if (hands_count_part(hands, words) == 0) {
        hands_report(hands);
        fprintf(stderr, "a text with \"%s\" in it should be on screen\n", words);
        _fail(file, line);
    }
}

static void hash_one(void *context, const struct seen *seen)
{
    uint64_t *hash = context;
    static const char unit[] = " µs · ", longer[] = " ms · ";
    if (has_words(seen, unit) || has_words(seen, longer)) {
        return;
    }
    *hash = (*hash * 1099511628211u) ^ random_hash(seen->text, seen->length);
}

uint64_t hands_reading(struct hands *hands)
{
    uint64_t hash = 14695981039346656037u;
    visit_seen(hands, hash_one, &hash);
    return hash;
}

struct heap {
    struct seen *seen;
    size_t count, room;
};

static void keep_one(void *context, const struct seen *seen)
{
    struct heap *heap = context;
    if (seen->boxed) {
        return;
    }
    if (heap->count == heap->room) {
        heap->room = heap->room ? 2 * heap->room : 256;
        heap->seen = realloc(heap->seen, heap->room * sizeof *heap->seen);
        assert_non_null(heap->seen);
    }
    heap->seen[heap->count++] = *seen;
}

static bool do_overlap(const struct seen *a, const struct seen *b)
{
    const float slack = 0.75f; /* of antialiasing and rounded widths */
    struct rect both = intersect_rects(a->area, b->area);
    return both.w > slack && both.h > slack;
}

size_t hands_collisions(struct hands *hands)
{
    struct heap heap = {0};
    visit_seen(hands, keep_one, &heap);
    size_t count = 0;
    for (size_t i = 0; i < heap.count; i++) {
        const struct seen *a = &heap.seen[i];
        if (a->area.w < a->whole.w - 0.75f) { /* a scrolled list may cut a line, never a word */
            count++;
            fprintf(stderr, "cut off: \"%.*s\" at %.0f, %.0f\n", (int)a->length, a->text,
                    (double)a->whole.x, (double)a->whole.y);
        }
        for (size_t k = i + 1; k < heap.count; k++) {
            const struct seen *b = &heap.seen[k];
            if (!a->aslant && !b->aslant && do_overlap(a, b)) {
                count++;
                fprintf(stderr, "over each other: \"%.*s\" and \"%.*s\" at %.0f, %.0f\n",
                        (int)a->length, a->text, (int)b->length, b->text, (double)b->whole.x,
                        (double)b->whole.y);
            }
        }
    }
    free(heap.seen);
    return count;
}
