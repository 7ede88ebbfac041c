/* ui/field_edit.c — what keys do to a line of text. */
#include <string.h>

#include "base/text.h"
#include "ui/field.h"
#include "ui/inside.h"

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
}

void field_stop(struct ui *ui, uint32_t id)
{
    if (ui->memory->edited == id) {
        ui->memory->edited = 0;
        ui->memory->typed[0] = '\0';
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
    memmove(memory->typed + from, memory->typed + to, strlen(memory->typed + to) + 1);
    memory->caret = memory->mark = from;
}

/* One code point as a field keeps it: no control characters, no line breaks. Returns its bytes. */
static size_t kept_letter(const char *text, size_t length, size_t *at, char out[4])
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
        const size_t bytes = kept_letter(text, length, &at, letter);
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

bool field_stroke(struct ui *ui, const struct ui_stroke *stroke)
{
    struct ui_memory *memory = ui->memory;
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
            ui_take_stroke(ui, index);
            continue;
        }
        if (!is_letter(input, &input->stroke[index])) {
            return (struct field_step){
                .kind = FIELD_STROKE, .index = index, .stroke = &input->stroke[index]};
        }
        ui_take_stroke(ui, index);
        if (steps->at < steps->length) {
            return text_step(steps, steps->one_each);
        }
    }
    if (steps->at < steps->length) {
        return text_step(steps, false);
    }
    return (struct field_step){.kind = FIELD_END};
}
