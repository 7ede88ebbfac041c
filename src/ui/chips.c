/* ui/chips.c — the token field: what the pointer does, and the frame around it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/chips_internal.h"
#include "ui/ui_internal.h"

/* --- where chips and caret stand --- */

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

static size_t chips_measure(const struct chips_frame *frame, float word[CHIPS_MEASURED])
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
        return fmaxf(44, field_width(frame->ui, &frame->style) + 2 * CHIP_PAD + 2);
    }
    const bool tagged = frame->chips->chip[index].tag != NULL;
    const float word = word_width(frame, index) + (tagged ? CHIP_TAG : 0);
    return fminf(frame->max_width, fmaxf(CHIP_MIN_WIDTH, ceilf(word) + 2 * CHIP_PAD));
}

size_t chips_middle(const struct ui *ui, const char *text, float *wide)
{
    const size_t length = strlen(text);
    size_t best = 0;
    *wide = INFINITY;
    for (size_t at = 1; at + 1 < length; at++) {
        if (text[at] == ' ') {
            const float first =
                font_measure(canvas_fonts(ui->canvas), FONT_WORDS_MEDIUM, CHIP_LETTERS, text, at);
            const float rest =
                canvas_measure(ui->canvas, FONT_WORDS_MEDIUM, CHIP_LETTERS, text + at + 1);
            best = fmaxf(first, rest) < *wide ? at : best;
            *wide = fminf(*wide, fmaxf(first, rest));
        }
    }
    return best;
}

float ui_chip_min_width(const struct ui *ui, const char *word)
{
    float wide = 0;
    const float whole = canvas_measure(ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, word);
    const bool folds = chips_middle(ui, word, &wide) > 0;
    return ceilf(folds ? fminf(whole, wide + 1 - 2 * CHIP_CLOSE) : whole) + 2 * CHIP_PAD;
}

size_t chips_caret(const struct chips_frame *frame)
{
    const size_t count = frame->chips->count, closing = frame->chips->closing;
    const size_t wanted = frame->ui->memory->chips_behind;
    const size_t behind = wanted > closing ? wanted : closing;
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
    return index == chips_opening(frame) ? field_width(frame->ui, &frame->style) + 3 + CHIP_GAP : 0;
}

static float left_of(const struct chips_frame *frame, size_t index)
{
    const size_t opening = chips_opening(frame);
    float left = 0;
    for (size_t i = 0; i < index && i < frame->chips->count; i++) {
        left += chips_width_of(frame, i) + CHIP_GAP;
    }
    return left + (opening <= index ? chips_room_before(frame, opening) : 0);
}

static float width_with(const struct chips_frame *frame, float max_width)
{
    struct chips_frame tried = *frame;
    tried.max_width = max_width;
    return left_of(&tried, frame->chips->count) - CHIP_GAP;
}

/* Sentences stand in two lines where not all chips fit else. */
static void fold_sentences(const struct chips_frame *frame, float word[CHIPS_MEASURED])
{
    if (width_with(frame, CHIP_MAX_WIDTH) <= frame->inner.w - CARET_ROOM) {
        return;
    }
    for (size_t i = 0; i < frame->measured; i++) {
        float wide = 0;
        if (chips_middle(frame->ui, frame->chips->chip[i].word, &wide) > 0) {
            word[i] = fminf(word[i], wide + 1 - 2 * CHIP_CLOSE);
        }
    }
}

/* Long words give way first, and only where that saves the scrolling. */
static float chip_max_width(const struct chips_frame *frame)
{
    const float room = frame->inner.w - CARET_ROOM;
    const float min_width = (float)frame->chips->count * (CHIP_MIN_WIDTH + CHIP_GAP);
    if (min_width > room || width_with(frame, CHIP_MAX_WIDTH) <= room ||
        width_with(frame, CHIP_NARROW) > room) {
        return CHIP_MAX_WIDTH;
    }
    float low = CHIP_NARROW, high = CHIP_MAX_WIDTH;
    while (high - low > 1) {
        const float middle = (low + high) / 2;
        *(width_with(frame, middle) <= room ? &low : &high) = middle;
    }
    return floorf(low);
}

struct rect chips_area(const struct chips_frame *frame, size_t index)
{
    const struct rect inner = frame->inner;
    const float high = fminf(CHIP_HEIGHT, inner.h);
    return (struct rect){inner.x + left_of(frame, index) - frame->ui->memory->chips_scroll,
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
        return (struct rect){inner.x + left_of(frame, opening) - room - memory->chips_scroll,
                             inner.y, room - CHIP_GAP, inner.h};
    }
    const float lead = frame->chips->count > 0 ? 4 : 2;
    const float width = memory->edited == frame->id ? field_width(frame->ui, &frame->style) : 0;
    return (struct rect){inner.x + left_of(frame, frame->chips->count) + lead -
                             memory->chips_scroll,
                         inner.y, width + 3, inner.h};
}

/* The edge of a chip belongs to the gap beside it: the caret goes there. */
static size_t chips_at(const struct chips_frame *frame, float x)
{
    float left = frame->inner.x - frame->ui->memory->chips_scroll;
    for (size_t i = 0; i < frame->chips->count && left <= x; i++) {
        const float width = chips_width_of(frame, i);
        const float edge = fminf(CHIP_EDGE, width / 5);
        left += chips_room_before(frame, i);
        if (x >= left + edge && x < left + width - edge) {
            return i;
        }
        left += width + CHIP_GAP;
    }
    return SIZE_MAX;
}

/* Before which chip something goes that is let go at x. */
static size_t chips_gap_at(const struct chips_frame *frame, float x)
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

#define RESERVE 30.0f /* of a full field, at its end: a place to type */

/* Behind chips that fill the field a place to type stays free. */
static void reserve_typing(struct chips_frame *frame)
{
    const bool full = width_with(frame, frame->max_width) > frame->inner.w - RESERVE;
    if (full && frame->inner.w > 6 * RESERVE) {
        frame->reserve = RESERVE;
        frame->inner.w -= RESERVE;
        frame->max_width = chip_max_width(frame);
    }
}

static float chips_sign_width(const struct chips_frame *frame)
{
    char sign[32];
    snprintf(sign, sizeof sign, "+%zu", frame->chips->count);
    const float wide =
        canvas_measure(frame->ui->canvas, FONT_NUMBERS, UI_TEXT_TINY, sign) + SIGN_PAD;
    return frame->inner.w < 6 * wide ? 0 : wide;
}

struct rect chips_field(const struct chips_frame *frame)
{
    struct rect field = rect_inset(frame->area, 2);
    field.w -= frame->reserve;
    return field;
}

static float content_end(const struct chips_frame *frame)
{
    return left_of(frame, frame->chips->count) - CHIP_GAP;
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
    const struct rect field = chips_field(frame);
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
    const struct rect field = chips_field(frame);
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
static void scroll_chips(struct chips_frame *frame)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t count = frame->chips->count;
    const struct rect typing = chips_typing_area(frame);
    const bool at_end = memory->edited_chip >= count && chips_opening(frame) == SIZE_MAX;
    const float end = left_of(frame, count) + (frame->focused && at_end ? typing.w + 6 : -CHIP_GAP);
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
        const float left = left_of(frame, shown);
        scroll = scrolled_to(frame, scroll, left, chips_width_of(frame, shown));
    }
    memory->chips_scroll = fmaxf(0, fminf(scroll, end - frame->inner.w));
}

#define DRAG_FROM 5.0f /* points from a press until it is a drag */
#define SIDE_PAD 8.0f

static bool is_typing(const struct chips_frame *frame)
{
    const struct ui_memory *memory = frame->ui->memory;
    return memory->edited == frame->id &&
           (memory->typed[0] != '\0' || memory->edited_chip < frame->chips->count);
}

/* A press on the sign at an end: what is hidden there comes into view. */
static void turn_page(struct chips_frame *frame)
{
    struct ui_memory *memory = frame->ui->memory;
    const float step = fmaxf(40, frame->inner.w - 2 * chips_sign_width(frame) - 40);
    memory->chip_grabbed = frame->chips->count; /* neither a chip nor the text is held */
    memory->chips_scroll += (float)frame->edge * step;
    frame->follow = false;
}

static void press_chip(struct chips_frame *frame, const struct ui_touch *touch)
{
    struct ui_memory *memory = frame->ui->memory;
    memory->chip_dragged = false;
    memory->chips_resting = memory->chips_all = 0;
    if (frame->edge != 0) {
        turn_page(frame);
        return;
    }
    if (memory->edited != frame->id) { /* a chip rested: typing begins before its place is set */
        field_start(frame->ui, frame->id, "", false);
    }
    memory->chip_grabbed = SIZE_MAX;
    memory->chosen_chip = SIZE_MAX;
    if (is_typing(frame)) {
        const struct rect typing = chips_typing_area(frame);
        if (rect_has(rect_inset(typing, -6), frame->ui->input->x, frame->ui->input->y)) {
            field_point(frame->ui, touch, typing, &frame->style);
            return;
        }
        chips_commit(frame); /* counts have changed: nothing is grabbed in this frame */
        return;
    }
    if (frame->ui->input->x > frame->inner.x + frame->inner.w) { /* the place kept free to type */
        memory->chips_behind = 0;
        frame->follow = true;
        return;
    }
    if (frame->under == SIZE_MAX) { /* between two chips, or behind the last one */
        memory->chips_behind = frame->chips->count - chips_gap_at(frame, frame->ui->input->x);
        return;
    }
    if (touch->clicks >= 2) {
        chips_edit(frame, frame->under);
        return;
    }
    memory->chip_grabbed = frame->under;
    memory->chosen_chip = frame->under;
    frame->follow = false; /* what is held stays under the pointer, also for a second click */
    memory->grab_x = frame->ui->input->x - chips_area(frame, frame->under).x;
    memory->grab_value = frame->ui->input->x;
}

/* The field moves along while a chip is held at one of its ends. */
static void scroll_while_dragging(struct chips_frame *frame)
{
    const float x = frame->ui->input->x;
    const struct rect inner = frame->inner;
    const float by = x < inner.x + 12 ? -6 : x > inner.x + inner.w - 12 ? 6 : 0;
    const float before = frame->ui->memory->chips_scroll;
    frame->ui->memory->chips_scroll = before + by;
    frame->follow = false;
    scroll_chips(frame);
    if (frame->ui->memory->chips_scroll != before) {
        ui_wake(frame->ui, frame->ui->input->time + 0.016);
    }
}

static void drag_chip(struct chips_frame *frame, const struct ui_touch *touch)
{
    struct ui_memory *memory = frame->ui->memory;
    const struct ui_input *input = frame->ui->input;
    if (memory->chip_grabbed >= frame->chips->count) {
        if (is_typing(frame) && !touch->pressed && memory->chip_grabbed == SIZE_MAX) {
            field_point(frame->ui, touch, chips_typing_area(frame), &frame->style);
        }
        return;
    }
    if (fabs((double)input->x - memory->grab_value) > (double)DRAG_FROM) {
        memory->chip_dragged = true;
    }
    if (memory->chip_dragged) {
        frame->ui->cursor = UI_CURSOR_MOVE;
        frame->under = SIZE_MAX;
        frame->lifted = memory->chip_grabbed;
        scroll_while_dragging(frame);
        const float width = chips_width_of(frame, memory->chip_grabbed);
        frame->gap = chips_gap_at(frame, input->x - memory->grab_x + width / 2);
    }
    if ((input->released & UI_LEFT_BUTTON) == 0) {
        return;
    }
    const size_t from = memory->chip_grabbed, to = frame->gap;
    if (!memory->chip_dragged && touch->clicked) {
        chips_answer(frame, UI_CHIPS_CHOOSE, from, 0, NULL);
        memory->chips_chosen = from + 1;
        memory->chips_resting = frame->id; /* whoever chooses a word does not write one */
        field_stop(frame->ui, frame->id);
        frame->follow = false;
    } else if (memory->chip_dragged && to != from && to != from + 1) {
        chips_answer(frame, UI_CHIPS_MOVE, from, to, NULL);
        memory->chosen_chip = to > from ? to - 1 : to;
    }
    memory->chip_grabbed = SIZE_MAX;
    memory->chip_dragged = false;
    frame->lifted = SIZE_MAX;
}

static int edge_at(const struct chips_frame *frame)
{
    const float x = frame->ui->input->x, y = frame->ui->input->y;
    return rect_has(chips_sign(frame, true), x, y)    ? -1
           : rect_has(chips_sign(frame, false), x, y) ? 1
                                                      : 0;
}

static void point_at_chips(struct chips_frame *frame, const struct ui_touch *touch)
{
    struct ui *ui = frame->ui;
    const struct ui_input *input = ui->input;
    if (touch->hover) {
        frame->edge = edge_at(frame);
        const bool behind = input->x > frame->inner.x + frame->inner.w && frame->reserve > 0;
        frame->under = frame->edge != 0 || behind ? SIZE_MAX : chips_at(frame, input->x);
        ui->cursor = frame->under == SIZE_MAX && frame->edge == 0 ? UI_CURSOR_TEXT : UI_CURSOR_HAND;
        const float notches = input->wheel_x != 0 ? input->wheel_x : -input->wheel_y;
        if (notches != 0 && !ui->wheel_consumed && (input->mods & UI_CTRL) == 0) {
            ui->memory->chips_scroll += notches * 48;
            ui->wheel_consumed = true;
        }
    }
    if (touch->pressed) {
        press_chip(frame, touch);
    }
    if (touch->held) {
        drag_chip(frame, touch);
    }
}

/* Typing that was left by a click elsewhere or by a focus that went away becomes words. */
static void end_typing(struct chips_frame *frame, bool pressed_here)
{
    struct ui *ui = frame->ui;
    struct ui_memory *memory = ui->memory;
    const char *lost = field_lost(ui, frame->id);
    if (lost != NULL && memory->left_chip < frame->chips->count) {
        chips_answer(frame, UI_CHIPS_REPLACE, memory->left_chip, 0, lost);
    } else if (lost != NULL && chips_has_words(lost)) {
        const size_t behind = memory->left_behind;
        const size_t count = frame->chips->count;
        chips_answer(frame, UI_CHIPS_INSERT, count - (behind < count ? behind : count), 0, lost);
    }
    if (ui->input->pressed != 0 && !pressed_here && !ui->covered && memory->edited == frame->id) {
        chips_commit(frame);
    }
}

/* A preview comes and goes with the pointer: the chosen chip is still the one from before. */
static size_t chosen_elsewhere(const struct chips_frame *frame)
{
    const struct ui_chips *chips = frame->chips;
    size_t chosen = SIZE_MAX;
    for (size_t i = 0; i < chips->count; i++) {
        if (chips->chip[i].hovered) {
            return frame->ui->memory->chips_chosen - 1;
        }
        chosen = chosen == SIZE_MAX && chips->chip[i].chosen ? i : chosen;
    }
    return chosen;
}

/* Clears what is remembered of chips that do not exist now. */
static void check_memory(struct chips_frame *frame)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t count = frame->chips->count;
    if (count != memory->chips_count) {
        frame->follow = true;
        memory->chips_scroll = frame->focused ? memory->chips_scroll : 0;
        memory->chips_count = count;
        memory->chips_chosen = 0;
    }
    const size_t chosen = chosen_elsewhere(frame);
    const bool resized =
        frame->inner.w < memory->chips_width || frame->inner.w > memory->chips_width;
    memory->chips_width = frame->inner.w;
    if (chosen + 1 != memory->chips_chosen || resized) {
        frame->reveal = chosen;
        memory->chips_chosen = chosen + 1; /* SIZE_MAX, none, becomes 0 */
    }
    if (memory->edited != frame->id) {
        return;
    }
    memory->chips_behind = memory->chips_behind < count ? memory->chips_behind : count;
    if (memory->edited_chip != SIZE_MAX && memory->edited_chip >= count) {
        field_start(frame->ui, frame->id, "", false); /* the chip being edited is gone */
    }
    memory->chosen_chip = memory->chosen_chip < count ? memory->chosen_chip : SIZE_MAX;
}

/* Replaces what is remembered of another field's chips by this one's. */
static void swap_memory(struct ui_memory *memory, uint32_t id)
{
    size_t free_place = 0, own = UI_TOKEN_FIELDS_MAX;
    if (memory->chips_of == id) {
        return;
    }
    for (size_t i = 0; i < UI_TOKEN_FIELDS_MAX; i++) {
        own = memory->chips_left[i].id == id ? i : own;
        free_place = memory->chips_left[i].id == 0 ? i : free_place;
    }
    const struct ui_chips_left mine =
        own < UI_TOKEN_FIELDS_MAX ? memory->chips_left[own] : (struct ui_chips_left){.id = id};
    memory->chips_left[own < UI_TOKEN_FIELDS_MAX ? own : free_place] =
        (struct ui_chips_left){memory->chips_of, memory->chips_scroll, memory->chips_width,
                               memory->chips_count, memory->chips_chosen};
    memory->chips_of = id;
    memory->chips_scroll = mine.scroll;
    memory->chips_width = mine.width;
    memory->chips_count = mine.count;
    memory->chips_chosen = mine.chosen;
}

/* Reports the typed letters that are no word yet, for a caller that saves work. */
static void report_unfinished(const struct chips_frame *frame, const char *name)
{
    struct ui_memory *const memory = frame->ui->memory;
    if (is_typing(frame) && memory->typed[0] != '\0') {
        memory->word_of = name;
        memory->word_replaces = memory->edited_chip < frame->chips->count;
        memory->word_at = memory->word_replaces ? memory->edited_chip : chips_caret(frame);
    } else if (memory->word_of == name) {
        memory->word_of = NULL;
    }
}

struct ui_chips_answer ui_chips(struct ui *ui, const char *name, struct rect area,
                                const struct ui_chips *chips)
{
    struct ui_memory *memory = ui->memory;
    struct chips_frame frame = {
        .ui = ui,
        .chips = chips,
        .id = ui_id(ui, name),
        .area = area,
        .inner = {area.x + SIDE_PAD, area.y, fmaxf(1, area.w - 2 * SIDE_PAD), area.h},
        .style = {FONT_WORDS_MEDIUM, UI_TEXT_BODY, ui->theme->ink},
        .under = SIZE_MAX,
        .gap = SIZE_MAX,
        .lifted = SIZE_MAX,
        .reveal = SIZE_MAX,
    };
    float word[CHIPS_MEASURED];
    frame.measured = chips_measure(&frame, word);
    frame.word = word;
    fold_sentences(&frame, word);
    swap_memory(memory, frame.id);
    frame.max_width = chip_max_width(&frame);
    reserve_typing(&frame);
    ui_join(ui, frame.id, area);
    if (chips->begin) {
        ui_take_focus(ui, frame.id);
    }
    frame.focused = ui_has_focus(ui, frame.id);
    check_memory(&frame);
    const struct ui_touch touch = ui_point(ui, frame.id, area, true);
    frame.focused = ui_has_focus(ui, frame.id);
    if (!frame.focused && memory->chips_all == frame.id) {
        memory->chips_all = 0;
    }
    if (!frame.focused && memory->chips_resting == frame.id) {
        memory->chips_resting = 0;
    }
    if (frame.focused && memory->edited != frame.id && memory->chips_resting != frame.id) {
        field_start(ui, frame.id, "", false);
        frame.follow = true;
    }
    end_typing(&frame, touch.pressed);
    point_at_chips(&frame, &touch);
    if (frame.focused) {
        chips_keys(&frame);
        frame.focused = ui_has_focus(ui, frame.id);
    }
    scroll_chips(&frame);
    chips_draw(&frame);
    report_unfinished(&frame, name);
    if (frame.under != SIZE_MAX && frame.answer.event == UI_CHIPS_NOTHING) {
        frame.answer = (struct ui_chips_answer){UI_CHIPS_HOVER, frame.under, 0, NULL};
    }
    return frame.answer;
}
