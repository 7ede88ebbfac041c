/* view/why/why_panels.h — the panels of the view of why a model says a word, and what they share.
 */
#ifndef VIEW_WHY_WHY_PANELS_H
#define VIEW_WHY_WHY_PANELS_H

#include "view/parts/view.h"
#include "view/parts/why.h"

/* What one frame shows. */
struct why_frame {
    const struct view_why *why;
    const struct view_why_answer *answer;
    size_t selected;     /* among the parts */
    size_t head;         /* the part whose words are shown: the selected one where it is a head */
    const size_t *order; /* [parts] by the size of what they add */
    const char *asked;   /* "heavy − sweet", or "heavy" */
};

/* Returns what is selected, the order and the texts; memory lacks: answer NULL. */
struct why_frame why_frame_of(struct view *view);

void view_why_strip(struct view *view, const struct why_frame *frame, struct rect area);
float view_why_strip_height(const struct view *view, float width);
void view_why_parts(struct view *view, const struct why_frame *frame, struct rect area);
void view_why_turns(struct view *view, const struct why_frame *frame, struct rect area);
void view_why_takes(struct view *view, const struct why_frame *frame, struct rect area);
void view_why_lens(struct view *view, const struct why_frame *frame, struct rect area);
void view_why_formula(struct view *view, const struct why_frame *frame, struct rect area);

/* Selects a part; switches a head off or on; leads to the stages of a head, at the word that it is
 * asked about, and at the word it looks at. */
void why_select(struct view *view, size_t part);
void why_switch(struct view *view, const struct why_frame *frame, size_t part);
void why_open_stages(struct view *view, const struct why_frame *frame, size_t key);

/* Returns whether the head of a part is switched off. */
bool why_is_off(const struct why_frame *frame, size_t part);

/* The word of the text through which a head adds most, or takes most away. */
size_t why_largest_word(const struct why_frame *frame, size_t part);

/* "+9.34", "−0.13", "12.6 %": owned by the frame's arena. */
const char *why_signed(struct view *view, double value);
const char *why_number(struct view *view, double value, int decimals);
const char *why_percent(struct view *view, double share);

#endif
