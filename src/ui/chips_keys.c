/* ui/chips_keys.c — typing, pasting and walking in the token field. */
#include <string.h>

#include "base/text.h"
#include "ui/chips_internal.h"
#include "ui/ui_internal.h"

/* The first answer of a frame counts; there is one for each call. */
void chips_answer(struct chips_frame *frame, enum ui_chips_event event, size_t index, size_t other,
                  const char *text)
{
    if (frame->answer.event == UI_CHIPS_NOTHING) {
        frame->answer = (struct ui_chips_answer){event, index, other, text};
        frame->follow = true;
        ui_again(frame->ui);
    }
}

bool chips_has_words(const char *text)
{
    const size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        if (!text_is_space(text_next(text, length, &at))) {
            return true;
        }
    }
    return false;
}

/* Behind the last white space that no backslash keeps; 0: there is none. */
static size_t behind_last_space(const char *text, size_t length)
{
    size_t behind = 0;
    for (size_t at = 0; at < length;) {
        const uint32_t letter = text_next(text, length, &at);
        if (letter == '\\' && at < length) {
            text_next(text, length, &at);
        } else if (text_is_space(letter)) {
            behind = at;
        }
    }
    return behind;
}

/* --- what is typed becomes words --- */

static bool may_insert(const struct chips_frame *frame)
{
    return frame->answer.event == UI_CHIPS_NOTHING ||
           (frame->given > 0 &&
            (frame->answer.event == UI_CHIPS_ALL || frame->answer.index == chips_caret(frame)));
}

/* New words: at the caret, or in place of all that are marked. */
static void answer_words(struct chips_frame *frame, const char *text)
{
    struct ui_memory *const memory = frame->ui->memory;
    if (memory->chips_all == frame->id && frame->answer.event == UI_CHIPS_NOTHING) {
        chips_answer(frame, UI_CHIPS_ALL, 0, frame->chips->count, text);
        memory->chips_all = 0;
        memory->chips_behind = 0;
    } else {
        chips_answer(frame, UI_CHIPS_INSERT, chips_caret(frame), 0, text);
    }
}

/* Without the spaces that ended a word: a model would read them as a word more. */
static size_t without_end(const char *typed, size_t length)
{
    while (length > 1 && typed[length - 1] == ' ' && typed[length - 2] != '\\') {
        length--;
    }
    return length;
}

/* Adds the first `length` bytes of what is typed to the words of this frame's INSERT. */
static void give_words(struct chips_frame *frame, size_t length)
{
    struct ui_memory *memory = frame->ui->memory;
    length = without_end(memory->typed, length);
    const size_t space = frame->given > 0 ? 1 : 0;
    if (frame->given + space + length >= sizeof memory->given) {
        return;
    }
    if (space > 0) {
        memory->given[frame->given++] = ' ';
    }
    memcpy(memory->given + frame->given, memory->typed, length);
    frame->given += length;
    memory->given[frame->given] = '\0';
    answer_words(frame, memory->given);
}

static void add_words(struct chips_frame *frame, size_t length)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t whole = strlen(memory->typed);
    const char kept = memory->typed[length];
    memory->typed[length] = '\0';
    const bool words = chips_has_words(memory->typed);
    memory->typed[length] = kept;
    if (words) {
        give_words(frame, length);
    }
    memmove(memory->typed, memory->typed + length, whole - length + 1);
    memory->caret = memory->caret > length ? memory->caret - length : 0;
    memory->mark = memory->caret;
}

static void stop_typing(struct ui_memory *memory)
{
    memory->typed[0] = '\0';
    memory->caret = memory->mark = 0;
    memory->edited_chip = SIZE_MAX;
}

/* A word as it is typed: white space and backslashes in it get a backslash before them. */
static void escape_word(const char *word, char out[UI_TYPED_MAX])
{
    const size_t length = strlen(word);
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        const size_t from = at;
        const uint32_t letter = text_next(word, length, &at);
        const size_t mark = letter == '\\' || text_is_space(letter) ? 1 : 0;
        if (used + mark + (at - from) >= UI_TYPED_MAX) {
            break;
        }
        if (mark > 0) {
            out[used++] = '\\';
        }
        memcpy(out + used, word + from, at - from);
        used += at - from;
    }
    out[used] = '\0';
}

void chips_commit(struct chips_frame *frame)
{
    struct ui_memory *memory = frame->ui->memory;
    if (memory->edited_chip >= frame->chips->count) {
        add_words(frame, strlen(memory->typed));
        stop_typing(memory);
        return;
    }
    char former[UI_TYPED_MAX];
    escape_word(frame->chips->chip[memory->edited_chip].word, former);
    if (strcmp(former, memory->typed) != 0) {
        chips_answer(frame, UI_CHIPS_REPLACE, memory->edited_chip, 0,
                     field_give(memory, memory->typed));
    }
    stop_typing(memory);
    frame->follow = true;
}

/* White space that was typed ends words. */
static void split_typed(struct chips_frame *frame)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t behind = behind_last_space(memory->typed, strlen(memory->typed));
    if (behind == 0 || !may_insert(frame)) {
        return; /* what cannot be answered now is in the next frame */
    }
    if (memory->edited_chip < frame->chips->count) {
        chips_commit(frame);
    } else {
        add_words(frame, behind);
    }
}

void chips_edit(struct chips_frame *frame, size_t index)
{
    struct ui_memory *memory = frame->ui->memory;
    char word[UI_TYPED_MAX];
    escape_word(frame->chips->chip[index].word, word);
    memory->chips_resting = 0;
    field_start(frame->ui, frame->id, word, true);
    memory->edited_chip = index;
    frame->follow = true;
}

/* Typing goes on before the chip that is chosen. */
static void resume_typing(struct chips_frame *frame)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t count = frame->chips->count, chosen = memory->chosen_chip;
    if (chosen < count) {
        memory->chips_behind = count - chosen;
        memory->chosen_chip = SIZE_MAX;
    }
}

static void type_letters(struct chips_frame *frame, const char *text, size_t length)
{
    struct ui_memory *memory = frame->ui->memory;
    const bool walking = memory->chosen_chip < frame->chips->count && memory->typed[0] == '\0' &&
                         memory->edited_chip >= frame->chips->count;
    if (walking && length == 1 && text[0] == ' ') {
        chips_answer(frame, UI_CHIPS_CHOOSE, memory->chosen_chip, 0, NULL);
        return;
    }
    resume_typing(frame);
    field_insert(memory, text, length);
    split_typed(frame);
    frame->follow = true;
}

static void paste_words(struct chips_frame *frame, const char *text)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t length = strlen(text);
    const bool at_end = memory->edited_chip >= frame->chips->count;
    resume_typing(frame);
    frame->follow = true;
    if (!chips_has_words(text)) {
        return;
    }
    if (at_end &&
        (memory->typed[0] == '\0' || strlen(memory->typed) + length + 1 >= sizeof memory->given)) {
        answer_words(frame, text); /* of any length */
        return;
    }
    field_insert(memory, text, length);
    if (at_end && behind_last_space(memory->typed, strlen(memory->typed)) > 0) {
        add_words(frame, strlen(memory->typed));
    }
}

/* --- walking through chips while nothing is typed --- */

static void choose_neighbour(struct chips_frame *frame, bool forward)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t count = frame->chips->count, chosen = memory->chosen_chip;
    const size_t caret = chips_caret(frame);
    memory->chips_behind = 0;
    if (chosen < count) {
        const size_t before = chosen > 0 ? chosen - 1 : 0;
        memory->chosen_chip = !forward ? before : chosen + 1 < count ? chosen + 1 : SIZE_MAX;
    } else if (forward) {
        memory->chosen_chip = caret < count ? caret : SIZE_MAX;
    } else if (count > 0) {
        memory->chosen_chip = caret > 0 ? caret - 1 : 0;
    }
}

static void move_chosen(struct chips_frame *frame, bool forward)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t count = frame->chips->count, chosen = memory->chosen_chip;
    if (forward && chosen + 1 < count) {
        chips_answer(frame, UI_CHIPS_MOVE, chosen, chosen + 2, NULL);
        memory->chosen_chip = chosen + 1;
    } else if (!forward && chosen > 0) {
        chips_answer(frame, UI_CHIPS_MOVE, chosen, chosen - 1, NULL);
        memory->chosen_chip = chosen - 1;
    }
}

static void remove_chip(struct chips_frame *frame, size_t index, bool backward)
{
    struct ui_memory *memory = frame->ui->memory;
    if (index >= frame->chips->count || frame->answer.event != UI_CHIPS_NOTHING) {
        return;
    }
    chips_answer(frame, UI_CHIPS_REMOVE, index, 0, NULL);
    if (memory->chosen_chip < frame->chips->count) {
        const size_t left = frame->chips->count - 1;
        const size_t next = backward && index > 0 ? index - 1 : index;
        memory->chosen_chip = next < left ? next : SIZE_MAX;
    }
}

/* The caret stays where it is: one chip less behind it. */
static void delete_behind(struct chips_frame *frame)
{
    if (frame->ui->memory->chips_behind > 0 && frame->answer.event == UI_CHIPS_NOTHING) {
        remove_chip(frame, chips_caret(frame), false);
        frame->ui->memory->chips_behind--;
    }
}

static void copy_word(struct chips_frame *frame, bool cut)
{
    struct ui_memory *memory = frame->ui->memory;
    escape_word(frame->chips->chip[memory->chosen_chip].word, memory->copied);
    frame->ui->copied = memory->copied;
    if (cut) {
        remove_chip(frame, memory->chosen_chip, false);
    }
}

static void copy_all(struct chips_frame *frame)
{
    struct ui_memory *const memory = frame->ui->memory;
    size_t used = 0;
    for (size_t i = 0; i < frame->chips->count; i++) {
        char word[UI_TYPED_MAX];
        escape_word(frame->chips->chip[i].word, word);
        const size_t length = strlen(word), gap = i > 0;
        if (used + gap + length >= sizeof memory->copied) {
            break;
        }
        memory->copied[used] = ' ';
        memcpy(memory->copied + used + gap, word, length);
        used += gap + length;
    }
    memory->copied[used] = '\0';
    frame->ui->copied = memory->copied;
}

/* Keys that mean all chips: the one that marks them, and what can be done to them then. False: it
 * is none of them, and they are marked no longer. */
static bool all_key(struct chips_frame *frame, const struct ui_stroke *stroke)
{
    struct ui_memory *const memory = frame->ui->memory;
    const bool marked = memory->chips_all == frame->id;
    const bool control = stroke->mods == UI_CTRL;
    if (control && stroke->key == 'a' && frame->chips->count > 0) {
        memory->chips_all = frame->id;
        memory->chosen_chip = SIZE_MAX;
        return true;
    }
    const bool cut = control && stroke->key == 'x';
    const bool removes =
        stroke->mods == 0 && (stroke->key == UI_KEY_BACKSPACE || stroke->key == UI_KEY_DELETE);
    if (marked && control && (cut || stroke->key == 'c')) {
        copy_all(frame);
    }
    if (marked && (cut || removes)) {
        answer_words(frame, "");
        return true;
    }
    if (marked && control && (stroke->key == 'c' || stroke->key == 'v')) {
        return stroke->key == 'c';
    }
    memory->chips_all = marked ? 0 : memory->chips_all;
    return marked && stroke->key == UI_KEY_ESCAPE;
}

/* Keys that mean a chosen chip. False: it is none of them. */
static bool chosen_key(struct chips_frame *frame, const struct ui_stroke *stroke)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t chosen = memory->chosen_chip;
    if (stroke->mods == UI_CTRL && (stroke->key == 'c' || stroke->key == 'x')) {
        copy_word(frame, stroke->key == 'x');
        return true;
    }
    if (stroke->mods == UI_ALT && (stroke->key == UI_KEY_LEFT || stroke->key == UI_KEY_RIGHT)) {
        move_chosen(frame, stroke->key == UI_KEY_RIGHT);
        return true;
    }
    if (stroke->mods != 0) {
        return false;
    }
    switch (stroke->key) {
    case UI_KEY_ENTER:
    case UI_KEY_F1 + 1:
        chips_edit(frame, chosen);
        return true;
    case UI_KEY_BACKSPACE:
    case UI_KEY_DELETE:
        remove_chip(frame, chosen, stroke->key == UI_KEY_BACKSPACE);
        return true;
    case UI_KEY_ESCAPE:
        memory->chosen_chip = SIZE_MAX;
        return true;
    default:
        return false;
    }
}

static bool empty_key(struct chips_frame *frame, const struct ui_stroke *stroke)
{
    struct ui_memory *memory = frame->ui->memory;
    if (stroke->mods != 0) {
        return false;
    }
    switch (stroke->key) {
    case UI_KEY_LEFT:
    case UI_KEY_RIGHT:
        choose_neighbour(frame, stroke->key == UI_KEY_RIGHT);
        return true;
    case UI_KEY_HOME:
        memory->chosen_chip = frame->chips->count > 0 ? 0 : SIZE_MAX;
        memory->chips_behind = 0;
        return true;
    case UI_KEY_END:
        memory->chosen_chip = SIZE_MAX;
        memory->chips_behind = 0;
        return true;
    case UI_KEY_BACKSPACE:
        remove_chip(frame, chips_caret(frame) - 1, true);
        return true;
    case UI_KEY_DELETE:
        delete_behind(frame);
        return true;
    case UI_KEY_ESCAPE:
        ui_drop_focus(frame->ui);
        return true;
    default:
        return false;
    }
}

/* Enter and Esc while something is typed, and Backspace before its first letter. */
static bool typing_key(struct chips_frame *frame, const struct ui_stroke *stroke)
{
    struct ui_memory *memory = frame->ui->memory;
    const bool at_end = memory->edited_chip >= frame->chips->count;
    if (stroke->mods != 0) {
        return false;
    }
    if (stroke->key == UI_KEY_ENTER && may_insert(frame)) {
        chips_commit(frame);
        return true;
    }
    if (stroke->key == UI_KEY_ESCAPE) {
        stop_typing(memory);
        return true;
    }
    if (stroke->key == UI_KEY_BACKSPACE && at_end && memory->caret == 0 && memory->mark == 0) {
        remove_chip(frame, chips_caret(frame) - 1, true);
        return true;
    }
    return false;
}

static bool stroke_used(struct chips_frame *frame, const struct ui_stroke *stroke)
{
    struct ui_memory *memory = frame->ui->memory;
    const bool empty = memory->typed[0] == '\0' && memory->edited_chip >= frame->chips->count;
    if (empty && all_key(frame, stroke)) {
        return true;
    }
    if (empty && memory->chosen_chip < frame->chips->count && chosen_key(frame, stroke)) {
        return true;
    }
    if (empty ? empty_key(frame, stroke) : typing_key(frame, stroke)) {
        return true;
    }
    if (empty && field_is_undo(stroke)) {
        return false; /* the words themselves are undone */
    }
    return field_stroke(frame->ui, stroke) || stroke->key == UI_KEY_ENTER;
}

/* From a chip that was clicked back to the text, which goes on before the chosen chip. */
static void end_rest(struct chips_frame *frame)
{
    struct ui_memory *memory = frame->ui->memory;
    const size_t chosen = memory->chosen_chip;
    memory->chips_resting = 0;
    field_start(frame->ui, frame->id, "", false);
    memory->chosen_chip = chosen;
}

/* Answers keys of a chip that was clicked; letters, digits and arrows are the window's own. */
static void rest_keys(struct chips_frame *frame)
{
    struct ui *ui = frame->ui;
    const size_t count = frame->chips->count;
    if (ui->input->paste != NULL) {
        end_rest(frame);
        paste_words(frame, ui->input->paste);
        return;
    }
    for (size_t i = 0; i < ui->input->strokes; i++) {
        const struct ui_stroke *stroke = &ui->input->stroke[i];
        if (!ui_stroke_free(ui, i)) {
            continue;
        }
        if (stroke->key == UI_KEY_ESCAPE) {
            ui_drop_focus(ui); /* and the selection is let go */
            return;
        }
        if (stroke->mods == UI_CTRL && stroke->key == 'a') {
            end_rest(frame);
            return; /* the field takes the stroke */
        }
        if (stroke->mods == UI_CTRL && stroke->key == 'v') {
            ui_consume_stroke(ui, i); /* words go in before the chip */
            ui->wants_paste = true;
            continue;
        }
        const size_t chosen = ui->memory->chosen_chip;
        if (chosen < count && chosen_key(frame, stroke)) {
            ui_consume_stroke(ui, i);
            frame->follow = true;
        }
        if (frame->answer.event == UI_CHIPS_REMOVE) {
            end_rest(frame); /* another word may be written where one was taken away */
            ui->memory->chosen_chip = SIZE_MAX;
            ui->memory->chips_behind = count - 1 - chosen;
            return;
        }
    }
}

void chips_keys(struct chips_frame *frame)
{
    struct ui *ui = frame->ui;
    if (ui->memory->chips_resting == frame->id) {
        rest_keys(frame);
    }
    if (ui->memory->edited != frame->id) {
        return;
    }
    if (ui->input->paste != NULL) {
        paste_words(frame, ui->input->paste);
    }
    if (ui->input->composing != NULL && ui->input->composing[0] != '\0') {
        resume_typing(frame);
    }
    struct field_steps steps = field_steps(ui);
    for (struct field_step step = field_next(&steps); step.kind != FIELD_END;
         step = field_next(&steps)) {
        if (step.kind == FIELD_TEXT) {
            type_letters(frame, step.text, step.length);
        } else if (step.stroke->key == UI_KEY_TAB) {
            chips_commit(frame); /* ui_end moves on from here */
        } else if (stroke_used(frame, step.stroke)) {
            ui_consume_stroke(ui, step.index);
            frame->follow = true;
        }
    }
    split_typed(frame);
}
