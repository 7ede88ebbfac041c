/* ui/chips_place.c — where chips and caret stand. */
#include <math.h>

#include "ui/chips_parts.h"

static bool is_edited(const struct chips_frame *frame, size_t index) {
    const struct ui_memory *memory = frame->ui->memory;
    return memory->edited == frame->id && memory->edited_chip == index;
}

float chips_width_of(const struct chips_frame *frame, size_t index) {
    if (is_edited(frame, index)) {
        return fmaxf(44, field_width(frame->ui, &frame->look) + 2 * CHIP_PAD + 2);
    }
    const float word = canvas_measure(frame->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY,
                                      frame->chips->chip[index].word);
    return fminf(CHIP_MOST, fmaxf(CHIP_LEAST, ceilf(word) + 2 * CHIP_PAD));
}

float chips_left(const struct chips_frame *frame, size_t index) {
    float left = 0;
    for (size_t i = 0; i < index && i < frame->chips->count; i++) {
        left += chips_width_of(frame, i) + CHIP_GAP;
    }
    return left;
}

struct rect chips_area(const struct chips_frame *frame, size_t index) {
    const struct rect inner = frame->inner;
    const float high = fminf(CHIP_HEIGHT, inner.h);
    return (struct rect){inner.x + chips_left(frame, index) - frame->ui->memory->chips_scroll,
                         inner.y + (inner.h - high) / 2, chips_width_of(frame, index), high};
}

struct rect chips_typing_area(const struct chips_frame *frame) {
    const struct ui_memory *memory = frame->ui->memory;
    if (memory->edited == frame->id && memory->edited_chip < frame->chips->count) {
        struct rect chip = chips_area(frame, memory->edited_chip);
        chip.x += CHIP_PAD;
        chip.w = fmaxf(1, chip.w - 2 * CHIP_PAD);
        return chip;
    }
    const struct rect inner = frame->inner;
    const float lead = frame->chips->count > 0 ? 4 : 2;
    const float width = memory->edited == frame->id ? field_width(frame->ui, &frame->look) : 0;
    return (struct rect){inner.x + chips_left(frame, frame->chips->count) + lead -
                             memory->chips_scroll,
                         inner.y, width + 3, inner.h};
}

size_t chips_at(const struct chips_frame *frame, float x) {
    float left = frame->inner.x - frame->ui->memory->chips_scroll;
    for (size_t i = 0; i < frame->chips->count && left <= x; i++) {
        const float width = chips_width_of(frame, i);
        if (x >= left && x < left + width) {
            return i;
        }
        left += width + CHIP_GAP;
    }
    return SIZE_MAX;
}

/* Before which chip something goes that is let go at x. */
size_t chips_gap_at(const struct chips_frame *frame, float x) {
    float left = frame->inner.x - frame->ui->memory->chips_scroll;
    for (size_t i = 0; i < frame->chips->count; i++) {
        const float width = chips_width_of(frame, i);
        if (x < left + width / 2) {
            return i;
        }
        left += width + CHIP_GAP;
    }
    return frame->chips->count;
}

/* Brings a stretch of the content into view; scrolls no further than the content goes. */
void chips_scroll(struct chips_frame *frame) {
    struct ui_memory *memory = frame->ui->memory;
    const float room = frame->inner.w;
    const float scroll_before = memory->chips_scroll;
    const struct rect typing = chips_typing_area(frame);
    const bool inside_chip = frame->focused && memory->edited_chip < frame->chips->count;
    const float end = chips_left(frame, frame->chips->count) +
                      (frame->focused && !inside_chip ? typing.w + 6 : -CHIP_GAP);
    float scroll = scroll_before;
    if (frame->follow && frame->focused) {
        float left = typing.x - frame->inner.x + scroll_before, width = typing.w;
        if (memory->chosen_chip < frame->chips->count) {
            left = chips_left(frame, memory->chosen_chip);
            width = chips_width_of(frame, memory->chosen_chip);
        }
        scroll = fminf(scroll, fmaxf(0, left - 24));
        scroll = fmaxf(scroll, left + width + 6 - room);
    }
    memory->chips_scroll = fmaxf(0, fminf(scroll, end - room));
}
