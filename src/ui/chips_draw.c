/* ui/chips_draw.c — how the token field looks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/translate.h"
#include "ui/chips_internal.h"
#include "ui/ui_internal.h"

#define CHIP_CORNER 6.0f
#define SIDE_ROOM 8.0f

static const float CHIP_LINE = 11; /* from one of two lines in a chip to the other */

enum { CHIP_BYTES = 256, CHIPS_TOLD_APART = 16 /* more cannot be told apart at a head_overview */ };

/* Framed while letters go there: not for a word that was clicked. */
static void draw_ground(const struct chips_frame *frame, bool hover)
{
    const struct ui_theme *theme = frame->ui->theme;
    const bool writes = frame->focused && frame->ui->memory->edited == frame->id;
    const struct colour edge = writes  ? theme->accent
                               : hover ? colour_mix(theme->line, theme->ink, 0.15f)
                                       : theme->line;
    canvas_rect(frame->ui->canvas, frame->area, UI_CORNER_SMALL,
                &(struct paint){.fill = theme->panel, .stroke = edge, .width = writes ? 1.75f : 1});
}

static struct paint chip_paint(const struct chips_frame *frame, size_t index, bool lifted)
{
    const struct ui_theme *theme = frame->ui->theme;
    const struct ui_chip *chip = &frame->chips->chip[index];
    const struct colour role = chip->chosen_fill.alpha > 0 ? chip->chosen_fill : theme->accent;
    struct paint paint = {.fill = chip->chosen ? role : theme->control, .width = 1.5f};
    if (frame->under == index || lifted) {
        paint.fill = colour_mix(paint.fill, theme->ink, 0.08f);
    }
    if (chip->hovered && !chip->chosen) {
        paint.stroke = role;
    }
    const bool all = frame->ui->memory->chips_all == frame->id;
    if (frame->focused && (all || frame->ui->memory->chosen_chip == index)) {
        paint.stroke = chip->chosen ? theme->ink : theme->accent;
        paint.width = 2;
    }
    return paint;
}

/* A dotted line under a word whose position was guessed. */
static void draw_mark(const struct chips_frame *frame, struct rect words, const char *word,
                      struct colour ink)
{
    struct ui *ui = frame->ui;
    const float wide =
        fminf(words.w, canvas_measure(ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, word));
    const float y = ui_baseline(ui, words, FONT_WORDS_MEDIUM, UI_TEXT_BODY) + 3.5f;
    const float x = words.x + (words.w - wide) / 2;
    canvas_path(
        ui->canvas, (struct point[]){{x, y}, {x + wide, y}}, 2, false,
        &(struct paint){.stroke = colour_fade(ink, 0.75f), .width = 1.3f, .dash = 1.5f, .gap = 2});
}

/* Where a chip's word can be read: not under the signs and fades at the ends of the field. */
static struct rect clear_room(const struct chips_frame *frame, struct rect words)
{
    const struct rect field = chips_field(frame);
    const float fade = fminf(CHIP_FADE, frame->inner.w / 3);
    const bool before = chips_hidden(frame, true) > 0, behind = chips_hidden(frame, false) > 0;
    const float left = field.x + (before ? chips_sign(frame, true).w + fade : 0);
    const float right = field.x + field.w - (behind ? chips_sign(frame, false).w + fade : 0);
    return ui_rect_cut(words, (struct rect){left, words.y, fmaxf(0, right - left), words.h});
}

/* Returns whether another chip's words begin with the same one. */
static bool begins_as_another(const struct chips_frame *frame, size_t index, size_t length)
{
    const char *const word = frame->chips->chip[index].word;
    for (size_t i = 0; i < frame->chips->count && i < CHIPS_TOLD_APART; i++) {
        const char *const other = frame->chips->chip[i].word;
        if (i != index && strncmp(word, other, length) == 0 && strcmp(word, other) != 0) {
            return true;
        }
    }
    return false;
}

/* As many whole words of a sentence as fit, and an ellipsis; NULL: not even one does. */
static const char *first_words(const struct chips_frame *frame, const char *word, float room,
                               char text[CHIP_BYTES])
{
    const char *shown = NULL;
    char tried[CHIP_BYTES];
    for (size_t at = strcspn(word, " "); word[at] != '\0'; at += 1 + strcspn(word + at + 1, " ")) {
        const int length = snprintf(tried, sizeof tried, "%.*s…", (int)at, word);
        if (length < 0 || length >= CHIP_BYTES ||
            canvas_measure(frame->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, tried) > room) {
            break;
        }
        memcpy(text, tried, sizeof tried);
        shown = text;
    }
    return shown;
}

/* Returns the text on a chip: the whole, or its beginning, or, where two would be cut to the same
 * beginning ("Who…"), its end ("…won?"). */
static const char *shown_word(const struct chips_frame *frame, size_t index, float room,
                              char text[CHIP_BYTES])
{
    const char *const word = frame->chips->chip[index].word;
    const size_t first = strcspn(word, " ");
    if (word[first] == '\0' ||
        canvas_measure(frame->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, word) <= room) {
        return word;
    }
    if (!begins_as_another(frame, index, first + 1)) {
        const char *const words = first_words(frame, word, room, text);
        return words != NULL ? words : word;
    }
    const int length = snprintf(text, CHIP_BYTES, "…%s", word + first + 1);
    return length > 0 && length < CHIP_BYTES ? text : word;
}

/* A sentence that is longer than its chip, in two lines where these fit. */
static bool draw_in_two(const struct chips_frame *frame, const char *text, struct rect words,
                        struct colour ink)
{
    struct canvas *const canvas = frame->ui->canvas;
    float wide = 0;
    if (canvas_measure(canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, text) <= words.w) {
        return false;
    }
    const size_t middle = chips_middle(frame->ui, text, &wide);
    const float x = words.x + words.w / 2, y = words.y + words.h / 2;
    if (middle == 0 || wide > words.w + 2 * CHIP_CLOSE) {
        return false;
    }
    canvas_text_length(canvas, x, y - 2, FONT_WORDS_MEDIUM, CHIP_LETTERS, ink, CANVAS_CENTRE, text,
                       middle);
    canvas_text(canvas, x, y - 2 + CHIP_LINE, FONT_WORDS_MEDIUM, CHIP_LETTERS, ink, CANVAS_CENTRE,
                text + middle + 1);
    return true;
}

/* Returns whether an end of the field leaves too little of a chip for its word, which is no word
 * then. */
static bool is_left_out(const struct chips_frame *frame, size_t index, struct rect area,
                        struct rect all, struct rect words)
{
    static const float LONG = 0.6f; /* of the field: it must be seen in part */
    const char *const word = frame->chips->chip[index].word;
    return words.w + 0.5f < all.w && area.w < LONG * chips_field(frame).w &&
           canvas_measure(frame->ui->canvas, FONT_WORDS_MEDIUM, UI_TEXT_BODY, word) > words.w;
}

/* All of a word, in two lines perhaps, or as much of it as tells it from others. Returns whether
 * something is missing. */
static bool write_word(const struct chips_frame *frame, size_t index, struct rect words,
                       struct colour ink)
{
    const char *const word = frame->chips->chip[index].word;
    char text[CHIP_BYTES];
    if (draw_in_two(frame, word, words, ink)) {
        return false;
    }
    const char *const shown = shown_word(frame, index, words.w, text);
    return ui_label(
               frame->ui, words,
               &(struct ui_label){shown, FONT_WORDS_MEDIUM, UI_TEXT_BODY, ink, CANVAS_CENTRE}) ||
           shown != word;
}

static void draw_chip(const struct chips_frame *frame, size_t index, struct rect area, bool lifted)
{
    struct ui *ui = frame->ui;
    const struct ui_chip *chip = &frame->chips->chip[index];
    const struct paint paint = chip_paint(frame, index, lifted);
    const struct colour plain = chip->faded ? ui->theme->muted : ui->theme->ink;
    const struct colour ink = chip->chosen ? colour_ink_on(paint.fill) : plain;
    struct rect words = {area.x + CHIP_PAD - 1, area.y, area.w - 2 * CHIP_PAD + 2, area.h};
    const struct rect tag = {words.x, words.y, CHIP_TAG, words.h};
    if (chip->tag != NULL) {
        words.x += CHIP_TAG;
        words.w -= CHIP_TAG;
    }
    const struct rect all = words;
    words = lifted ? words : clear_room(frame, words);
    const uint32_t id = frame->id ^ (uint32_t)(index * 2654435761u + 1u);
    canvas_group(ui->canvas, id, chip->word);
    canvas_rect(ui->canvas, area, CHIP_CORNER, &paint);
    if (chip->tag != NULL) {
        ui_label(ui, tag,
                 &(struct ui_label){chip->tag, FONT_WORDS_BOLD, UI_TEXT_TINY,
                                    chip->chosen ? ink : ui->theme->muted, CANVAS_LEFT});
    }
    const bool out = is_left_out(frame, index, area, all, words);
    const bool cut = out || write_word(frame, index, words, ink);
    if (chip->marked && !out) {
        draw_mark(frame, words, chip->word, ink);
    }
    canvas_ungroup(ui->canvas);
    if (frame->under == index) {
        ui_tip_of(ui, id, ui_rect_cut(area, frame->inner), chip->tip, chip->word, cut);
    }
}

static void draw_edited(const struct chips_frame *frame, struct rect area)
{
    struct ui *ui = frame->ui;
    canvas_rect(
        ui->canvas, area, CHIP_CORNER,
        &(struct paint){.fill = ui->theme->panel, .stroke = ui->theme->accent, .width = 1.5f});
    field_draw(ui, chips_typing_area(frame), &frame->style);
}

/* Returns the hint in the empty field, as long as there is room for all of it; NULL: none. */
static const char *hint_within(const struct chips_frame *frame, float room)
{
    const char *const says[] = {frame->chips->hint, frame->chips->brief};
    for (size_t s = 0; s < 2; s++) {
        const char *const hint = says[s] != NULL ? tr(says[s]) : NULL;
        if (hint != NULL &&
            canvas_measure(frame->ui->canvas, FONT_WORDS, UI_TEXT_BODY, hint) <= room) {
            return hint;
        }
    }
    return frame->chips->brief == NULL && frame->chips->hint != NULL ? tr(frame->chips->hint)
                                                                     : NULL;
}

static void draw_typing(const struct chips_frame *frame)
{
    struct ui *ui = frame->ui;
    const struct ui_memory *memory = ui->memory;
    const struct rect typing = chips_typing_area(frame);
    const bool writes = frame->focused && memory->edited == frame->id;
    const bool empty = field_width(ui, &frame->style) <= 0 || memory->edited != frame->id;
    const bool walking = memory->chosen_chip < frame->chips->count;
    if (writes && !(walking && empty)) {
        field_draw(ui, typing, &frame->style);
    } else if (writes) { /* letters resume the text before the chosen chip: they must come */
        ui->wants_text = true;
        ui->text_area = ui_rect_cut(chips_area(frame, memory->chosen_chip), frame->inner);
    }
    if (chips_opening(frame) < frame->chips->count) {
        return; /* the hint belongs to the end */
    }
    const float left = typing.x + 7, room = frame->inner.x + frame->inner.w - left;
    const char *const hint = hint_within(frame, room);
    if (empty && hint != NULL && room > 24) {
        ui_label(ui, (struct rect){left, typing.y, room, typing.h},
                 &(struct ui_label){hint, FONT_WORDS, UI_TEXT_BODY, ui->theme->muted, CANVAS_LEFT});
    }
}

/* Chips that go on behind an end of the field fade into its ground. */
static void draw_fade(const struct chips_frame *frame, struct rect inner, bool at_left)
{
    enum { STRIPS = 13 };
    const float width = fminf(CHIP_FADE, inner.w / 3) / STRIPS;
    for (int i = 0; i < STRIPS; i++) {
        const float from = (float)i * width;
        const struct rect strip = {at_left ? inner.x + from : inner.x + inner.w - from - width,
                                   inner.y, width, inner.h};
        const float share = 1 - ((float)i + 0.5f) / STRIPS;
        canvas_rect(frame->ui->canvas, strip, 0,
                    &(struct paint){.fill = colour_fade(frame->ui->theme->panel, share)});
    }
}

/* ‹ +12: how many chips there are behind an end. */
static void draw_sign(const struct chips_frame *frame, struct rect sign, bool at_left,
                      size_t hidden)
{
    struct ui *ui = frame->ui;
    const bool lit = frame->edge == (at_left ? -1 : 1);
    const struct colour ink = lit ? ui->theme->accent : ui->theme->muted;
    const float middle = sign.y + sign.h / 2, side = at_left ? 1.0f : -1.0f;
    const float tip = at_left ? sign.x + 4 : sign.x + sign.w - 4;
    char words[32];
    snprintf(words, sizeof words, "+%zu", hidden);
    canvas_rect(ui->canvas, sign, 0, &(struct paint){.fill = ui->theme->panel});
    canvas_path(ui->canvas,
                (struct point[]){{tip + 3.5f * side, middle - 4},
                                 {tip, middle},
                                 {tip + 3.5f * side, middle + 4}},
                3, false, &(struct paint){.stroke = ink, .width = 1.5f});
    const struct rect text = {sign.x + (at_left ? 11 : 0), sign.y, sign.w - 11, sign.h};
    ui_label(ui, text,
             &(struct ui_label){words, FONT_NUMBERS, UI_TEXT_TINY, ink,
                                at_left ? CANVAS_LEFT : CANVAS_RIGHT});
    if (lit) {
        char tip_words[64];
        snprintf(tip_words, sizeof tip_words,
                 tr(at_left ? "%zu more before these" : "%zu more behind these"), hidden);
        ui_tip(ui, frame->id ^ (at_left ? 0x51u : 0x52u), sign, tip_words);
    }
}

static void draw_end(const struct chips_frame *frame, struct rect words, bool at_left)
{
    const size_t hidden = chips_hidden(frame, at_left);
    if (hidden == 0) {
        return;
    }
    const struct rect sign = chips_sign(frame, at_left);
    draw_fade(frame, words, at_left);
    if (sign.w > 0) {
        draw_sign(frame, sign, at_left, hidden);
    }
}

/* The place that a dragged chip would take. */
static void draw_slot(const struct chips_frame *frame, struct rect slot)
{
    canvas_rect(frame->ui->canvas, slot, CHIP_CORNER,
                &(struct paint){.stroke = colour_fade(frame->ui->theme->accent, 0.7f),
                                .width = 1.5f,
                                .dash = 3,
                                .gap = 3});
}

static void draw_word(const struct chips_frame *frame, size_t index, struct rect area)
{
    const struct ui_memory *memory = frame->ui->memory;
    if (area.x + area.w < frame->inner.x - SIDE_ROOM) {
        return;
    }
    if (memory->edited == frame->id && memory->edited_chip == index) {
        draw_edited(frame, area);
    } else {
        draw_chip(frame, index, area, false);
    }
}

/* All that is in view; chips make room where the dragged one would go. */
static void draw_words(const struct chips_frame *frame)
{
    const size_t count = frame->chips->count, lifted = frame->lifted;
    const float end = frame->inner.x + frame->inner.w + SIDE_ROOM;
    if (count == 0) {
        return;
    }
    struct rect area = chips_area(frame, 0);
    for (size_t i = 0; i <= count && area.x < end; i++) {
        if (lifted < count && i == frame->gap) {
            area.w = chips_width_of(frame, lifted);
            draw_slot(frame, area);
            area.x += area.w + CHIP_GAP;
        }
        area.x += i < count && i > 0 ? chips_room_before(frame, i) : 0; /* 0: chips_area has it */
        if (i < count && i != lifted) {
            area.w = chips_width_of(frame, i);
            draw_word(frame, i, area);
            area.x += area.w + CHIP_GAP;
        }
    }
}

/* Where one types in a full field. */
static void draw_reserve(const struct chips_frame *frame)
{
    struct ui *const ui = frame->ui;
    const struct rect field = chips_field(frame);
    const struct rect place = {field.x + field.w, field.y, frame->reserve, field.h};
    const float sign = 12;
    ui_draw_icon(
        ui, UI_ICON_PLUS,
        (struct rect){place.x + (place.w - sign) / 2, place.y + (place.h - sign) / 2, sign, sign},
        ui->theme->muted);
    if (rect_has(place, ui->input->x, ui->input->y) && frame->ui->memory->hot == frame->id) {
        ui_tip(ui, frame->id ^ 0x53u, place, "Type more words here");
    }
}

void chips_draw(struct chips_frame *frame)
{
    struct ui *ui = frame->ui;
    const struct ui_memory *memory = ui->memory;
    const bool over = memory->hot == frame->id;
    canvas_group(ui->canvas, frame->id, "tokens");
    draw_ground(frame, over);
    const struct rect clip = chips_field(frame);
    if (frame->reserve > 0) {
        draw_reserve(frame);
    }
    canvas_clip(ui->canvas, clip);
    const float before = chips_sign(frame, true).w, behind = chips_sign(frame, false).w;
    const struct rect words = {clip.x + before, clip.y, clip.w - before - behind, clip.h};
    canvas_clip(ui->canvas, words); /* no letters under the signs */
    draw_words(frame);
    if (!(memory->edited == frame->id && memory->edited_chip < frame->chips->count)) {
        draw_typing(frame);
    }
    canvas_unclip(ui->canvas);
    draw_end(frame, words, true);
    draw_end(frame, words, false);
    if (frame->lifted < frame->chips->count) {
        struct rect lifted = chips_area(frame, frame->lifted);
        lifted.x = ui->input->x - memory->grab_x;
        draw_chip(frame, frame->lifted, lifted, true);
    }
    canvas_unclip(ui->canvas);
    canvas_ungroup(ui->canvas);
}
