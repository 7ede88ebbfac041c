/* ui/ui_internal.h — what the widgets share among themselves; nobody outside src/ui includes it. */
#ifndef UI_UI_INTERNAL_H
#define UI_UI_INTERNAL_H

#include "ui/ui.h"

/* id takes part in Tab; a focus that came by Tab is scrolled into view. */
void ui_join(struct ui *ui, uint32_t id, struct rect area);

/* ui_touch without the keys: hover, press, click. focusable: a press takes the focus. */
struct ui_touch ui_point(struct ui *ui, uint32_t id, struct rect area, bool focusable);

/* Returns whether the pointer is in area and neither a menu nor the edge of a scroll area hides
 * it. */
bool ui_uncovered(const struct ui *ui, struct rect area);

/* Returns whether stroke `index` is still free; takes it. */
bool ui_stroke_free(const struct ui *ui, size_t index);
void ui_consume_stroke(struct ui *ui, size_t index);

/* Another frame at once: something is drawn that has just become another. */
void ui_again(struct ui *ui);

/* The tooltip becomes this one, wherever the pointer is. */
void ui_put_tip(struct ui *ui, uint32_t id, struct rect area, const char *text);

/* A sentence beside area, now and over any tooltip; to be said in every frame while it stands. */
void ui_say(struct ui *ui, uint32_t id, struct rect area, const char *text);

/* Parts of ui_end. */
void ui_menu_draw(struct ui *ui);
void ui_tip_draw(struct ui *ui);

/* --- label.c --- */

struct rect ui_rect_cut(struct rect a, struct rect b);

/* value moved to whole pixels, so that a line of 1 point stays sharp. */
float ui_snap(const struct ui *ui, float value);

/* The baseline that centres capitals in area. */
float ui_baseline(const struct ui *ui, struct rect area, enum font_face face, float size);

struct ui_label {
    const char *text;
    enum font_face face;
    float size;
    struct colour colour;
    enum canvas_anchor anchor;
};

/* One line in area, centred in its height, cut with an ellipsis. Returns whether it had to be cut.
 */
bool ui_label(struct ui *ui, struct rect area, const struct ui_label *label);

/* The tooltip of a control: tip; its label when it was cut; both when there are both. */
void ui_tip_of(struct ui *ui, uint32_t id, struct rect area, const char *tip, const char *label,
               bool cut);

#endif
