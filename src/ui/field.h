/* ui/field.h — editing one line of text: what ui_field, the slider's number and the chips have in
 * common. The text stands in memory->typed and belongs to memory->edited. */
#ifndef UI_FIELD_H
#define UI_FIELD_H

#include "ui/ui.h"

struct field_style {
    enum font_face face;
    float size;
    struct colour colour;
};

/* id begins to edit a copy of text; everything marked, or the caret at the end. */
void field_start(struct ui *ui, uint32_t id, const char *text, bool marked);

/* id edits no longer; the text is gone. */
void field_stop(struct ui *ui, uint32_t id);

/* Returns what id was editing when the focus went elsewhere (in memory->given), once; NULL:
 * nothing. */
const char *field_lost(struct ui *ui, uint32_t id);

/* Returns whether the text is more than one number: a line of several, or several lines. */
bool field_has_several(const char *text);

/* Puts text at the caret instead of what is marked; what does not fit is left out. */
void field_insert(struct ui_memory *memory, const char *text, size_t length);

/* Moves, deletes, marks, copies, undoes. False: the stroke means nothing to a line of text. */
bool field_stroke(struct ui *ui, const struct ui_stroke *stroke);

/* Ctrl+Z and its like: of what is typed, while anything is. */
bool field_is_undo(const struct ui_stroke *stroke);

/* Ctrl+Z and its like while nothing is typed: they are for what was done before. */
bool field_passes_undo(const struct ui_memory *memory, const struct ui_stroke *stroke);

/* memory->typed of this text, as a pointer that outlives the typing of this frame. */
const char *field_give(struct ui_memory *memory, const char *text);

/* The strokes and letters of a frame in the order in which they came, as far as that can be told.
 * Letters' own strokes are taken; other strokes are for the caller to take. While an input method
 * composes, there are no strokes. */
enum field_step_kind { FIELD_END, FIELD_STROKE, FIELD_TEXT };

struct field_step {
    enum field_step_kind kind;
    size_t index; /* of the stroke */
    const struct ui_stroke *stroke;
    const char *text;
    size_t length;
};

struct field_steps {
    struct ui *ui;
    size_t stroke, at; /* the next ones */
    size_t letters;    /* strokes that are letters */
    size_t length;     /* of the text */
    bool one_each;     /* each letter's stroke made one letter of the text */
};

struct field_steps field_steps(struct ui *ui);
struct field_step field_next(struct field_steps *steps);

/* The pointer in the text that is drawn in area: caret, word (double click), all (triple). */
void field_point(struct ui *ui, const struct ui_touch *touch, struct rect area,
                 const struct field_style *style);

/* Draws the text being edited with its caret, and asks for text input there. */
void field_draw(struct ui *ui, struct rect area, const struct field_style *style);

/* Width of the text being edited with what is being composed. */
float field_width(const struct ui *ui, const struct field_style *style);

#endif
