/* ui/field.c — a line of text that can be typed into. */
#include "ui/field.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "ui/ui_internal.h"
#include "ui/widgets.h"

/* --- what keys do to a line of text --- */

void field_start(struct ui *ui, uint32_t id, const char *text, bool marked)
{
    struct ui_memory *memory = ui->memory;
    if (memory->edited != 0 && memory->edited != id) {
        memory->left = memory->edited;
        memory->left_chip = memory->edited_chip;
        memory->left_behind = memory->chips_behind;
        memcpy(memory->left_text, memory->typed, sizeof memory->typed);
    }
    memory->edited = id;
    memory->typed[0] = '\0';
    memory->caret = memory->mark = 0;
    memory->edited_chip = SIZE_MAX;
    memory->chosen_chip = SIZE_MAX;
    memory->chips_behind = 0;
    memory->field_scroll = 0;
    if (text != NULL) {
        field_insert(memory, text, strlen(text));
    }
    memory->mark = marked ? 0 : memory->caret;
    memcpy(memory->typed_other, memory->typed, sizeof memory->typed);
    memory->has_undone = false;
}

void field_stop(struct ui *ui, uint32_t id)
{
    if (ui->memory->edited == id) {
        ui->memory->edited = 0;
        ui->memory->typed[0] = ui->memory->typed_other[0] = '\0';
        ui->memory->caret = ui->memory->mark = 0;
        ui_again(ui);
    }
}

const char *field_give(struct ui_memory *memory, const char *text)
{
    const size_t length = strlen(text);
    if (length >= sizeof memory->given) {
        return text;
    }
    memmove(memory->given, text, length + 1);
    return memory->given;
}

const char *field_lost(struct ui *ui, uint32_t id)
{
    struct ui_memory *memory = ui->memory;
    if (memory->left == id) {
        memory->left = 0;
        return field_give(memory, memory->left_text);
    }
    if (memory->edited == id && memory->focus != id) {
        memory->left_chip = memory->edited_chip;
        memory->left_behind = memory->chips_behind;
        const char *text = field_give(memory, memory->typed);
        field_stop(ui, id);
        return text;
    }
    return NULL;
}

/* --- marking, deleting, inserting --- */

static size_t mark_start(const struct ui_memory *memory)
{
    return memory->caret < memory->mark ? memory->caret : memory->mark;
}

static size_t mark_end(const struct ui_memory *memory)
{
    return memory->caret < memory->mark ? memory->mark : memory->caret;
}

static void delete_stretch(struct ui_memory *memory, size_t from, size_t to)
{
    if (memory->has_undone) { /* typing goes on from here */
        memcpy(memory->typed_other, memory->typed, sizeof memory->typed);
        memory->has_undone = false;
    }
    memmove(memory->typed + from, memory->typed + to, strlen(memory->typed + to) + 1);
    memory->caret = memory->mark = from;
}

/* One code point as a field keeps it: no control characters, no line breaks. Returns its bytes. */
static size_t typed_letter(const char *text, size_t length, size_t *at, char out[4])
{
    const size_t from = *at;
    const uint32_t letter = text_next(text, length, at);
    if (letter == '\n' || letter == '\t' || letter == '\r') {
        out[0] = ' ';
        return 1;
    }
    if (letter < 32 || letter == 127) {
        return 0;
    }
    if (letter == 0xFFFD) {
        memcpy(out, "\xEF\xBF\xBD", 3);
        return 3;
    }
    const size_t bytes = *at - from;
    memcpy(out, text + from, bytes <= 4 ? bytes : 4);
    return bytes <= 4 ? bytes : 4;
}

void field_insert(struct ui_memory *memory, const char *text, size_t length)
{
    delete_stretch(memory, mark_start(memory), mark_end(memory));
    const size_t tail = strlen(memory->typed + memory->caret);
    size_t room = UI_TYPED_MAX - 1 - memory->caret - tail;
    char behind[UI_TYPED_MAX];
    memcpy(behind, memory->typed + memory->caret, tail + 1);
    for (size_t at = 0; at < length;) {
        char letter[4];
        const size_t bytes = typed_letter(text, length, &at, letter);
        if (bytes > room) {
            break;
        }
        memcpy(memory->typed + memory->caret, letter, bytes);
        memory->caret += bytes;
        room -= bytes;
    }
    memcpy(memory->typed + memory->caret, behind, tail + 1);
    memory->mark = memory->caret;
}

/* --- moving --- */

static bool space_at(const char *text, size_t length, size_t at)
{
    return text_is_space(text_next(text, length, &at));
}

static size_t word_start(const char *text, size_t length, size_t at)
{
    bool seen = false;
    while (at > 0) {
        const size_t former = text_former_letter(text, length, at);
        const bool space = space_at(text, length, former);
        if (space && seen) {
            break;
        }
        seen = seen || !space;
        at = former;
    }
    return at;
}

static size_t word_end(const char *text, size_t length, size_t at)
{
    bool seen = false;
    while (at < length) {
        const bool space = space_at(text, length, at);
        if (space && seen) {
            break;
        }
        seen = seen || !space;
        at = text_next_letter(text, length, at);
    }
    return at;
}

/* Where the caret goes with this key; SIZE_MAX: it is no key that moves. */
static size_t move_target(const struct ui_memory *memory, uint32_t key, unsigned mods)
{
    const char *text = memory->typed;
    const size_t length = strlen(text), at = memory->caret;
    const bool word = (mods & UI_CTRL) != 0;
    switch (key) {
    case UI_KEY_LEFT:
        return word ? word_start(text, length, at) : text_former_letter(text, length, at);
    case UI_KEY_RIGHT:
        return word ? word_end(text, length, at) : text_next_letter(text, length, at);
    case UI_KEY_HOME:
        return 0;
    case UI_KEY_END:
        return length;
    default:
        return SIZE_MAX;
    }
}

static bool move_caret(struct ui_memory *memory, const struct ui_stroke *stroke)
{
    size_t target = move_target(memory, stroke->key, stroke->mods);
    if (target == SIZE_MAX || (stroke->mods & UI_ALT) != 0) {
        return false;
    }
    const bool keep = (stroke->mods & UI_SHIFT) != 0;
    const bool marked = memory->caret != memory->mark;
    if (marked && !keep && stroke->mods == 0) {
        target = stroke->key == UI_KEY_LEFT    ? mark_start(memory)
                 : stroke->key == UI_KEY_RIGHT ? mark_end(memory)
                                               : target;
    }
    memory->caret = target;
    memory->mark = keep ? memory->mark : target;
    return true;
}

static bool delete_by(struct ui_memory *memory, const struct ui_stroke *stroke)
{
    if (stroke->key != UI_KEY_BACKSPACE && stroke->key != UI_KEY_DELETE) {
        return false;
    }
    if (memory->caret != memory->mark) {
        delete_stretch(memory, mark_start(memory), mark_end(memory));
        return true;
    }
    const uint32_t toward = stroke->key == UI_KEY_BACKSPACE ? UI_KEY_LEFT : UI_KEY_RIGHT;
    const size_t target = move_target(memory, toward, stroke->mods);
    const size_t from = target < memory->caret ? target : memory->caret;
    const size_t to = target < memory->caret ? memory->caret : target;
    delete_stretch(memory, from, to);
    return true;
}

static bool copy_marked(struct ui *ui, bool cut)
{
    struct ui_memory *memory = ui->memory;
    const size_t from = mark_start(memory), to = mark_end(memory);
    if (from == to) {
        return false;
    }
    memcpy(memory->copied, memory->typed + from, to - from);
    memory->copied[to - from] = '\0';
    ui->copied = memory->copied;
    if (cut) {
        delete_stretch(memory, from, to);
    }
    return true;
}

/* Undo: the text as it was when typing began; redo: what was typed since. */
static void undo_edit(struct ui_memory *memory, bool undo)
{
    if (memory->has_undone == undo) {
        return;
    }
    char typed[UI_TYPED_MAX];
    memcpy(typed, memory->typed, sizeof typed);
    memcpy(memory->typed, memory->typed_other, sizeof typed);
    memcpy(memory->typed_other, typed, sizeof typed);
    memory->has_undone = undo;
    memory->caret = memory->mark = strlen(memory->typed);
}

bool field_is_undo(const struct ui_stroke *stroke)
{
    return (stroke->mods & ~(unsigned)UI_SHIFT) == UI_CTRL &&
           (stroke->key == 'z' || stroke->key == 'y');
}

bool field_passes_undo(const struct ui_memory *memory, const struct ui_stroke *stroke)
{
    return field_is_undo(stroke) && !memory->has_undone &&
           strcmp(memory->typed, memory->typed_other) == 0;
}

bool field_stroke(struct ui *ui, const struct ui_stroke *stroke)
{
    struct ui_memory *memory = ui->memory;
    if (field_is_undo(stroke)) {
        undo_edit(memory, stroke->key == 'z' && stroke->mods == UI_CTRL);
        return true; /* whatever else undo means: not while one types */
    }
    if (stroke->mods == UI_CTRL) {
        switch (stroke->key) {
        case 'a':
            memory->mark = 0;
            memory->caret = strlen(memory->typed);
            return true;
        case 'c':
            return copy_marked(ui, false);
        case 'x':
            return copy_marked(ui, true);
        case 'v':
            ui->wants_paste = true;
            return true;
        default:
            break;
        }
    }
    return move_caret(memory, stroke) || delete_by(memory, stroke);
}

/* --- the order of a frame's strokes and letters --- */

static bool is_letter(const struct ui_input *input, const struct ui_stroke *stroke)
{
    const unsigned held =
        input->text != NULL ? UI_CTRL : UI_CTRL | UI_ALT; /* AltGr makes letters */
    return stroke->key >= UI_KEY_SPACE && stroke->key < UI_KEY_LEFT &&
           stroke->key != UI_KEY_DELETE && (stroke->mods & held) == 0;
}

struct field_steps field_steps(struct ui *ui)
{
    struct field_steps steps = {.ui = ui};
    const struct ui_input *input = ui->input;
    steps.length = input->text != NULL ? strlen(input->text) : 0;
    for (size_t i = 0; i < input->strokes; i++) {
        if (ui_stroke_free(ui, i) && is_letter(input, &input->stroke[i])) {
            steps.letters++;
        }
    }
    size_t points = 0;
    for (size_t at = 0; at < steps.length; points++) {
        text_next(input->text, steps.length, &at);
    }
    steps.one_each = points == steps.letters;
    return steps;
}

static struct field_step text_step(struct field_steps *steps, bool one)
{
    const char *text = steps->ui->input->text;
    const size_t from = steps->at;
    if (one) {
        text_next(text, steps->length, &steps->at);
    } else {
        steps->at = steps->length;
    }
    return (struct field_step){.kind = FIELD_TEXT, .text = text + from, .length = steps->at - from};
}

struct field_step field_next(struct field_steps *steps)
{
    struct ui *ui = steps->ui;
    const struct ui_input *input = ui->input;
    const bool composing = input->composing != NULL && input->composing[0] != '\0';
    if (steps->letters == 0 && steps->at < steps->length) {
        return text_step(steps, false);
    }
    while (steps->stroke < input->strokes) {
        const size_t index = steps->stroke++;
        if (!ui_stroke_free(ui, index)) {
            continue;
        }
        if (composing) {
            ui_consume_stroke(ui, index);
            continue;
        }
        if (!is_letter(input, &input->stroke[index])) {
            return (struct field_step){
                .kind = FIELD_STROKE, .index = index, .stroke = &input->stroke[index]};
        }
        ui_consume_stroke(ui, index);
        if (steps->at < steps->length) {
            return text_step(steps, steps->one_each);
        }
    }
    if (steps->at < steps->length) {
        return text_step(steps, false);
    }
    return (struct field_step){.kind = FIELD_END};
}

#define CARET_WIDTH 1.5f
#define FIELD_PAD 8.0f

static const char *composing_text(const struct ui *ui)
{
    return ui->input->composing != NULL ? ui->input->composing : "";
}

static float width_of(const struct ui *ui, const struct field_style *style, const char *text,
                      size_t length)
{
    return font_measure(canvas_fonts(ui->canvas), style->face, style->size, text, length);
}

float field_width(const struct ui *ui, const struct field_style *style)
{
    const char *composing = composing_text(ui);
    return width_of(ui, style, ui->memory->typed, strlen(ui->memory->typed)) +
           width_of(ui, style, composing, strlen(composing));
}

static float caret_x(const struct ui *ui, const struct field_style *style, size_t at)
{
    const char *typed = ui->memory->typed;
    return font_caret(canvas_fonts(ui->canvas), style->face, style->size, typed, strlen(typed), at);
}

static void mark_word(struct ui_memory *memory)
{
    const char *typed = memory->typed;
    const size_t length = strlen(typed);
    size_t start = memory->caret, end = memory->caret;
    while (start > 0) {
        size_t former = text_former_letter(typed, length, start), at = former;
        if (text_is_space(text_next(typed, length, &at))) {
            break;
        }
        start = former;
    }
    while (end < length) {
        size_t at = end;
        if (text_is_space(text_next(typed, length, &at))) {
            break;
        }
        end = text_next_letter(typed, length, end);
    }
    memory->mark = start;
    memory->caret = end;
}

void field_point(struct ui *ui, const struct ui_touch *touch, struct rect area,
                 const struct field_style *style)
{
    struct ui_memory *memory = ui->memory;
    if (!touch->pressed && !touch->held) {
        return;
    }
    const float x = ui->input->x - area.x + memory->field_scroll;
    const size_t hit = font_hit(canvas_fonts(ui->canvas), style->face, style->size, memory->typed,
                                strlen(memory->typed), x);
    if (touch->clicks == 1) {
        memory->caret = hit;
        memory->mark = touch->pressed && (ui->input->mods & UI_SHIFT) == 0 ? hit : memory->mark;
    } else if (touch->pressed && touch->clicks == 2) {
        memory->caret = hit;
        mark_word(memory);
    } else if (touch->pressed) {
        memory->mark = 0;
        memory->caret = strlen(memory->typed);
    }
}

/* Keeps the caret in view and no more room behind the text than is needed. */
static float follow_caret(struct ui *ui, struct rect area, float caret, float whole)
{
    float scroll = ui->memory->field_scroll;
    scroll = caret < scroll ? caret : scroll;
    scroll = caret + CARET_WIDTH > scroll + area.w ? caret + CARET_WIDTH - area.w : scroll;
    scroll = fmaxf(0, fminf(scroll, whole + CARET_WIDTH - area.w));
    ui->memory->field_scroll = scroll;
    return scroll;
}

void field_draw(struct ui *ui, struct rect area, const struct field_style *style)
{
    const struct ui_memory *memory = ui->memory;
    const struct ui_theme *theme = ui->theme;
    struct canvas *canvas = ui->canvas;
    const char *typed = memory->typed, *composing = composing_text(ui);
    const size_t length = strlen(typed);
    const float before = caret_x(ui, style, memory->caret),
                marked = caret_x(ui, style, memory->mark);
    const float composed = width_of(ui, style, composing, strlen(composing));
    const float whole = width_of(ui, style, typed, length) + composed;
    const float x = area.x - follow_caret(ui, area, before + composed, whole);
    const float baseline = ui_baseline(ui, area, style->face, style->size);
    const float high = fminf(area.h, style->size * 1.5f), top = area.y + (area.h - high) / 2;
    canvas_clip(canvas, (struct rect){area.x - 1, area.y, area.w + 2, area.h});
    if (memory->caret != memory->mark) {
        const struct rect stretch = {x + fminf(before, marked), top, fabsf(marked - before), high};
        canvas_rect(canvas, stretch, 2, &(struct paint){.fill = colour_fade(theme->accent, 0.28f)});
    }
    if (composed > 0) {
        canvas_text_plain(canvas, x, baseline, style->face, style->size, style->colour, CANVAS_LEFT,
                          typed, memory->caret);
        canvas_text(canvas, x + before, baseline, style->face, style->size, style->colour,
                    CANVAS_LEFT, composing);
        canvas_line(canvas, x + before, baseline + 3, x + before + composed, baseline + 3, 1,
                    style->colour);
        canvas_text_plain(canvas, x + before + composed, baseline, style->face, style->size,
                          style->colour, CANVAS_LEFT, typed + memory->caret,
                          length - memory->caret);
    } else {
        canvas_text_plain(canvas, x, baseline, style->face, style->size, style->colour, CANVAS_LEFT,
                          typed, length);
    }
    const struct rect caret = {ui_snap(ui, x + before + composed), top, CARET_WIDTH, high};
    canvas_rect(canvas, caret, 0, &(struct paint){.fill = theme->ink});
    canvas_unclip(canvas);
    ui->wants_text = true;
    ui->text_area = caret;
}

/* --- the widget --- */

static struct ui_field_answer field_finish(struct ui *ui, uint32_t id, enum ui_field_event event)
{
    const struct ui_field_answer answer = {.event = event,
                                           .text = field_give(ui->memory, ui->memory->typed)};
    field_stop(ui, id);
    return answer;
}

bool field_has_several(const char *text)
{
    const char *const between = " \t\r\n&;[";
    const char *const from = text + strspn(text, " \t\r\n");
    const char *const behind = from + strcspn(from, between);
    return behind[strspn(behind, " \t\r\n")] != '\0';
}

static struct ui_field_answer field_keys(struct ui *ui, uint32_t id, bool keeps_undo,
                                         bool one_number)
{
    struct ui_memory *memory = ui->memory;
    bool changed = false;
    if (ui->input->paste != NULL && one_number && field_has_several(ui->input->paste)) {
        ui->paste_passed = true;
        ui_drop_focus(ui);
        return field_finish(ui, id, UI_FIELD_LEFT);
    }
    if (ui->input->paste != NULL) {
        field_insert(memory, ui->input->paste, strlen(ui->input->paste));
        changed = true;
    }
    struct field_steps steps = field_steps(ui);
    for (struct field_step step = field_next(&steps); step.kind != FIELD_END;
         step = field_next(&steps)) {
        if (step.kind == FIELD_TEXT) {
            field_insert(memory, step.text, step.length);
            changed = true;
            continue;
        }
        const uint32_t key = step.stroke->key;
        if (key == UI_KEY_TAB) {
            return field_finish(ui, id, UI_FIELD_COMMITTED); /* ui_end moves on from here */
        }
        if (!keeps_undo && field_passes_undo(memory, step.stroke)) {
            ui_drop_focus(ui);
            return field_finish(ui, id, UI_FIELD_LEFT); /* the stroke goes on */
        }
        if (key == UI_KEY_ENTER || key == UI_KEY_ESCAPE) {
            ui_consume_stroke(ui, step.index);
            ui_drop_focus(ui);
            struct ui_field_answer answer =
                field_finish(ui, id, key == UI_KEY_ENTER ? UI_FIELD_COMMITTED : UI_FIELD_LEFT);
            answer.by_enter = key == UI_KEY_ENTER;
            return answer;
        }
        if (field_stroke(ui, step.stroke)) {
            ui_consume_stroke(ui, step.index);
            changed = true;
        }
    }
    return (struct ui_field_answer){.event = changed ? UI_FIELD_CHANGED : UI_FIELD_NOTHING,
                                    .text = field_give(memory, memory->typed)};
}

static void draw_ground(struct ui *ui, struct rect area, bool focused, bool hover)
{
    const struct ui_theme *theme = ui->theme;
    const struct colour edge = focused ? theme->accent
                               : hover ? colour_mix(theme->line, theme->ink, 0.15f)
                                       : theme->line;
    canvas_rect(ui->canvas, area, UI_CORNER_SMALL,
                &(struct paint){.fill = theme->panel, .stroke = edge, .width = focused ? 1.5f : 1});
}

static bool draw_resting(struct ui *ui, struct rect inner, const struct ui_field *field,
                         const struct field_style *style)
{
    const bool empty = field->text == NULL || field->text[0] == '\0';
    return ui_label(ui, inner,
                    &(struct ui_label){empty ? tr(field->hint) : field->text, style->face,
                                       style->size, empty ? ui->theme->muted : style->colour,
                                       CANVAS_LEFT});
}

struct ui_field_answer ui_field(struct ui *ui, const char *name, struct rect area,
                                const struct ui_field *field)
{
    struct ui_memory *memory = ui->memory;
    const uint32_t id = ui_id(ui, name);
    const struct field_style style = {field->face, field->size > 0 ? field->size : UI_TEXT_BODY,
                                      ui->theme->ink};
    const float pad = field->borderless ? 2 : FIELD_PAD;
    const struct rect inner = {area.x + pad, area.y, fmaxf(1, area.w - 2 * pad), area.h};
    struct ui_field_answer answer = {0};
    ui_join(ui, id, area);
    const struct ui_touch touch = ui_point(ui, id, area, true);
    if (touch.hover) {
        ui->cursor = UI_CURSOR_TEXT;
    }
    if (field->begin) {
        ui_take_focus(ui, id);
    }
    if (ui_has_focus(ui, id) && memory->edited != id) {
        field_start(ui, id, field->text, !touch.pressed);
        if (field->begin && field->typed != NULL) {
            memory->mark = 0;
            memory->caret = strlen(memory->typed);
            field_insert(memory, field->typed, strlen(field->typed));
        }
    }
    const char *lost = field_lost(ui, id);
    if (lost != NULL) {
        answer = (struct ui_field_answer){.event = UI_FIELD_COMMITTED, .text = lost};
    } else if (ui_has_focus(ui, id)) {
        const bool elsewhere = ui->input->pressed != 0 && !touch.pressed && !ui->covered;
        field_point(ui, &touch, inner, &style);
        answer = elsewhere && !field->begin
                     ? field_finish(ui, id, UI_FIELD_COMMITTED)
                     : field_keys(ui, id, field->keeps_undo, field->one_number);
    }
    const bool editing = memory->edited == id;
    const char *words = tr(field->label != NULL ? field->label : field->tip);
    canvas_group(ui->canvas, id, words != NULL ? words : name);
    if (!field->borderless) {
        draw_ground(ui, area, editing, touch.hover);
    }
    bool cut = false;
    if (!editing) {
        cut = draw_resting(ui, inner, field, &style);
    } else {
        field_draw(ui, inner, &style);
        if (memory->typed[0] == '\0' && composing_text(ui)[0] == '\0' && field->hint != NULL) {
            const struct rect rest = {inner.x + 5, inner.y, inner.w - 5, inner.h};
            ui_label(ui, rest,
                     &(struct ui_label){tr(field->hint), style.face, style.size, ui->theme->muted,
                                        CANVAS_LEFT});
        }
    }
    canvas_ungroup(ui->canvas);
    ui_tip_of(ui, id, area, field->tip, field->text, cut);
    return answer;
}
