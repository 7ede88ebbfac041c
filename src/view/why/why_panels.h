/* view/why/why_panels.h — the panels of the view of why a model says a word, and what they share.
 */
#ifndef VIEW_WHY_WHY_PANELS_H
#define VIEW_WHY_WHY_PANELS_H

#include "view/parts/head_overview.h"
#include "view/parts/learn.h"
#include "view/parts/view.h"
#include "view/parts/why.h"

/* The parts that one frame shows. */
struct why_frame {
    const struct view_why *why;
    const struct view_why_answer *answer;
    size_t selected;     /* among the parts */
    size_t head;         /* the part whose words are shown: the selected one where it is a head */
    const size_t *order; /* [parts] by the size of what they add */
    bool has_marks;      /* what is selected stands out: on paper where a person has chosen it */
    const char *asked;   /* "heavy − sweet", or "heavy" */
    const char *with;    /* "L0H2 off, MLP 0 off": what all of these numbers are computed with;
                            NULL: the model is as it is */
};

/* Returns what is selected, the order and the texts; memory lacks: answer NULL. */
struct why_frame why_frame_of(struct view *view);

/* Asks for the same of weights that learn, and of a model that is open; place: layer · heads +
 * head, or what that act takes. */
void why_act(struct view *view, const struct view_why *why, enum view_learn_act learned,
             enum view_head_overview_act opened, size_t place);

enum { WHY_TITLES = 20 }; /* height of the titles of columns */

/* The height of a panel's own title; little where a figure has none. */
float why_header(const struct view *view);

/* The title of a column, which is a button where it has a tip and there are controls. Returns
 * whether it was clicked. */
bool why_column_title(struct view *view, const char *name, struct rect area,
                      enum canvas_anchor anchor, const char *text, const char *tip);

/* "with L0H2 off", for a header, or "" where nothing is changed; and the same before the sentence
 * below a panel. */
const char *why_with_hint(struct view *view, const struct why_frame *frame);
const char *why_with_foot(struct view *view, const struct why_frame *frame, const char *sentence);

/* The name of a part in the language of the window. */
const char *why_part_name(struct view *view, const struct view_why_part *part);

/* The heights that panels take in a figure of this width. */
float view_why_parts_height(struct view *view, const struct why_frame *frame, float width);
float view_why_turns_height(struct view *view, const struct why_frame *frame, float width);
float view_why_takes_height(struct view *view, const struct why_frame *frame, float width);
float view_why_lens_height(struct view *view, const struct why_frame *frame, float width);

/* The button that leads back from the presenter view of Why, which has no row of views, to the
 * stages; its right end and its middle. Returns its left end; elsewhere `end`, and draws nothing.
 */
float why_stages_button(struct view *view, float end, float y);

void view_why_strip(struct view *view, const struct why_frame *frame, struct rect area);
float view_why_strip_height(struct view *view, const struct why_frame *frame, float width);
void view_why_parts(struct view *view, const struct why_frame *frame, struct rect area);
/* Scrolls the parts in this area so that one of them is in sight. */
void view_why_parts_reveal(struct view *view, const struct why_frame *frame, struct rect area,
                           size_t part);
void view_why_turns(struct view *view, const struct why_frame *frame, struct rect area);
void view_why_takes(struct view *view, const struct why_frame *frame, struct rect area);
void view_why_lens(struct view *view, const struct why_frame *frame, struct rect area);
void view_why_texts(struct view *view, const struct why_frame *frame, struct rect area);
float view_why_formula_height(struct view *view, const struct why_frame *frame, float width);
void view_why_formula(struct view *view, const struct why_frame *frame, struct rect area);

/* Selects a part; switches a part off or on; masks a word of the shown head, or lets it be seen
 * again; leads to the stages of a head, at the word that it is
 * asked about, and at the word it looks at. */
void why_select(struct view *view, size_t part);
void why_switch(struct view *view, const struct why_frame *frame, size_t part);
void why_pin(struct view *view, const struct why_frame *frame);     /* the question, and the head */
void why_lead_on(struct view *view, const struct why_frame *frame); /* from what is selected */
void why_mask(struct view *view, const struct why_frame *frame, size_t key);
/* Opens the block of a layer at a word, with that step of it explained. */
void why_open_block(struct view *view, const struct why_frame *frame, size_t layer, size_t word,
                    enum view_block_led step);
void why_open_stages(struct view *view, const struct why_frame *frame, size_t key);

/* Returns whether a part is switched off, and whether it can be. */
bool why_is_off(const struct why_frame *frame, size_t part);
bool why_can_switch(const struct why_frame *frame, size_t part);

/* The word of the text through which a head adds most, or takes most away. */
size_t why_largest_word(const struct why_frame *frame, size_t part);

/* "attention 0": 0 is the embedding, then attention and MLP of each layer. */
const char *why_stage_name(struct view *view, size_t stage);

/* "+9.34", "−0.13", "12.6 %": owned by the frame's arena. */
const char *why_signed(struct view *view, double value);
const char *why_number(struct view *view, double value, int decimals);
const char *why_percent(struct view *view, double share);

#endif
