/* ui/chips_place.c — where chips and caret stand. */
#include <math.h>
#include <stdio.h>

#include "ui/chips_parts.h"

#define SIGN_PAD 16.0f   /* of the sign at an end, with its chevron */
#define CARET_ROOM 12.0f /* behind the last chip, to type more */

static bool is_edited(const struct chips_frame *frame, size_t index)
{
    const struct ui_memory *memory = frame->ui->memory;
    return memory->edited == frame->id && memory->edited_chip == index;
}

static float word_width(const struct chips_frame *frame, size_t index)
{
    return index < frame->measured ? frame->word[index]
                                   : canvas_measure(frame->ui->canvas, FONT_WORDS_MEDIUM,
                                                    UI_TEXT_BODY, frame->chips->chip[index].word);
}

size_t chips_measure(const struct chips_frame *frame, float word[CHIPS_MEASURED])
{
    const size_t count = frame->chips->count;
    const size_t measured = count < CHIPS_MEASURED ? count : CHIPS_MEASURED;
    for (size_t i = 0; i < measured; i++) {
        word[i] = word_width(frame, i);
    }
    return measured;
}

float chips_width_of(const struct chips_frame *frame, size_t index)
{
    if (is_edited(frame, index)) {
        return fmaxf(44, field_width(frame->ui, &frame->look) + 2 * CHIP_PAD + 2);
    }
    const float word = word_width(frame, index);
    return fminf(frame->most, fmaxf(CHIP_LEAST, ceilf(word) + 2 * CHIP_PAD));
}

static float width_with(const struct chips_frame *frame, float most)
{
    struct chips_frame tried = *frame;
    tried.most = most;
    return chips_left(&tried, frame->chips->count) - CHIP_GAP;
}

/* Long words give way first, and only where that saves the scrolling. */
float chips_most(const struct chips_frame *frame)
{
    const float room = frame->inner.w - CARET_ROOM;
    const float least = (float)frame->chips->count * (CHIP_LEAST + CHIP_GAP);
    if (least > room || width_with(frame, CHIP_MOST) <= room ||
        width_with(frame, CHIP_NARROW) > room) {
        return CHIP_MOST;
    }
    float low = CHIP_NARROW, high = CHIP_MOST;
    while (high - low > 1) {
        const float middle = (low + high) / 2;
        *(width_with(frame, middle) <= room ? &low : &high) = middle;
    }
    return floorf(low);
}

size_t chips_caret(const struct chips_frame *frame)
{
    const size_t count = frame->chips->count, behind = frame->ui->memory->chips_behind;
    return count - (behind < count ? behind : count);
}

size_t chips_opening(const struct chips_frame *frame)
{
    const struct ui_memory *memory = frame->ui->memory;
    const bool typing = memory->edited == frame->id && memory->edited_chip >= frame->chips->count;
    const bool walking = memory->chosen_chip < frame->chips->count;
    const size_t caret = chips_caret(frame);
    return typing && !walking && caret < frame->chips->count ? caret : SIZE_MAX;
}

float chips_room_before(const struct chips_frame *frame, size_t index)
{
    return index == chips_opening(frame) ? field_width(frame->ui, &frame->look) + 3 + CHIP_GAP : 0;
}

float chips_left(const struct chips_frame *frame, size_t index)
{
    const size_t opening = chips_opening(frame);
    float left = 0;
    for (size_t i = 0; i < index && i < frame->chips->count; i++) {
        left += chips_width_of(frame, i) + CHIP_GAP;
    }
    return left + (opening <= index ? chips_room_before(frame, opening) : 0);
}

struct rect chips_area(const struct chips_frame *frame, size_t index)
{
    const struct rect inner = frame->inner;
    const float high = fminf(CHIP_HEIGHT, inner.h);
    return (struct rect){inner.x + chips_left(frame, index) - frame->ui->memory->chips_scroll,
                         inner.y + (inner.h - high) / 2, chips_width_of(frame, index), high};
}

struct rect chips_typing_area(const struct chips_frame *frame)
{
    const struct ui_memory *memory = frame->ui->memory;
    if (memory->edited == frame->id && memory->edited_chip < frame->chips->count) {
        struct rect chip = chips_area(frame, memory->edited_chip);
        chip.x += CHIP_PAD;
        chip.w = fmaxf(1, chip.w - 2 * CHIP_PAD);
        return chip;
    }
    const struct rect inner = frame->inner;
    const size_t opening = chips_opening(frame);
    if (opening < frame->chips->count) {
        const float room = chips_room_before(frame, opening);
        return (struct rect){inner.x + chips_left(frame, opening) - room - memory->chips_scroll,
                             inner.y, room - CHIP_GAP, inner.h};
    }
    const float lead = frame->chips->count > 0 ? 4 : 2;
    const float width = memory->edited == frame->id ? field_width(frame->ui, &frame->look) : 0;
    return (struct rect){inner.x + chips_left(frame, frame->chips->count) + lead -
                             memory->chips_scroll,
                         inner.y, width + 3, inner.h};
}

size_t chips_at(const struct chips_frame *frame, float x)
{
    float left = frame->inner.x - frame->ui->memory->chips_scroll;
    for (size_t i = 0; i < frame->chips->count && left <= x; i++) {
        const float width = chips_width_of(frame, i);
        left += chips_room_before(frame, i);
        if (x >= left && x < left + width) {
            return i;
        }
        left += width + CHIP_GAP;
    }
    return SIZE_MAX;
}

/* Before which chip something goes that is let go at x. */
size_t chips_gap_at(const struct chips_frame *frame, float x)
{
    float left = frame->inner.x - frame->ui->memory->chips_scroll;
    for (size_t i = 0; i < frame->chips->count; i++) {
        const float width = chips_width_of(frame, i);
        left += chips_room_before(frame, i);
        if (x < left + width / 2) {
            return i;
        }
        left += width + CHIP_GAP;
    }
    return frame->chips->count;
}

/* --- what is out of sight --- */

float chips_sign_width(const struct chips_frame *frame)
{
    char most[32];
    snprintf(most, sizeof most, "+%zu", frame->chips->count);
    const float wide =
        canvas_measure(frame->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, most) + SIGN_PAD;
    return frame->inner.w < 6 * wide ? 0 : wide;
}

static float content_end(const struct chips_frame *frame)
{
    return chips_left(frame, frame->chips->count) - CHIP_GAP;
}

static bool goes_on(const struct chips_frame *frame, bool at_left)
{
    const float scroll = frame->ui->memory->chips_scroll;
    return at_left ? scroll > 0.5f : content_end(frame) - scroll > frame->inner.w + 0.5f;
}

size_t chips_hidden(const struct chips_frame *frame, bool at_left)
{
    if (!goes_on(frame, at_left)) {
        return 0;
    }
    const float sign = chips_sign_width(frame);
    const struct rect field = rect_inset(frame->area, 2);
    const float first = field.x + sign, last = field.x + field.w - sign;
    float left = frame->inner.x - frame->ui->memory->chips_scroll;
    size_t hidden = 0;
    for (size_t i = 0; i < frame->chips->count; i++) {
        left += chips_room_before(frame, i);
        const float right = left + chips_width_of(frame, i);
        hidden += at_left ? left < first : right > last;
        left = right + CHIP_GAP;
        if (at_left && left >= first) {
            break;
        }
    }
    return hidden;
}

struct rect chips_sign(const struct chips_frame *frame, bool at_left)
{
    const struct rect field = rect_inset(frame->area, 2);
    const float wide = chips_sign_width(frame);
    if (wide <= 0 || chips_hidden(frame, at_left) == 0) {
        return (struct rect){field.x, field.y, 0, 0};
    }
    return (struct rect){at_left ? field.x : field.x + field.w - wide, field.y, wide, field.h};
}

/* The least move that shows a stretch clear of the signs at the ends. */
static float scrolled_to(const struct chips_frame *frame, float scroll, float left, float width)
{
    const float margin = chips_sign_width(frame) + CHIP_FADE;
    const float near = fminf(scroll, fmaxf(0, left - margin));
    return fmaxf(near, left + width + margin - frame->inner.w);
}

/* Brings a stretch of the content into view; scrolls no further than the content goes. */
void chips_scroll(struct chips_frame *frame)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t count = frame->chips->count;
    const struct rect typing = chips_typing_area(frame);
    const bool at_end = memory->edited_chip >= count && chips_opening(frame) == SIZE_MAX;
    const float end =
        chips_left(frame, count) + (frame->focused && at_end ? typing.w + 6 : -CHIP_GAP);
    float scroll = memory->chips_scroll;
    size_t shown = frame->reveal;
    if (frame->follow && frame->focused) {
        shown = memory->chosen_chip;
        if (shown >= count) {
            const float left = typing.x - frame->inner.x + scroll;
            scroll = scrolled_to(frame, scroll, left, typing.w);
        }
    }
    if (shown < count) {
        const float left = chips_left(frame, shown);
        scroll = scrolled_to(frame, scroll, left, chips_width_of(frame, shown));
    }
    memory->chips_scroll = fmaxf(0, fminf(scroll, end - frame->inner.w));
}
