/* view/parts/pieces.h — what several pictures of a stage share: chosen lines, headlines, the
 * colours of roles. */
#ifndef VIEW_PARTS_PIECES_H
#define VIEW_PARTS_PIECES_H

#include "lab/explain/cause.h"
#include "view/parts/playback.h"
#include "view/parts/product.h"

/* The chosen index, or VIEW_NOWHERE while nothing is emphasised. */
long view_chosen(const struct view *view, size_t index);

/* Previews the parts of a selection under the pointer, and pins them when clicked. */
void view_choose(struct view *view, unsigned parts, struct lab_selection selection, bool clicked);

/* The weights of a head as they are shown: without the keys that are set aside. */
struct lab_matrix view_weights(const struct view *view, size_t head);

/* The queries that are looked at together, where they stand beside the rows of an operand; else
 * NULL. */
const struct lab_places *view_pinned_queries(const struct view *view,
                                             const struct view_operand *operand);

/* What cells grow by in an area larger than the stage of a window of 1440 × 900: 1 … 1.8. */
float view_growth(struct rect area);

/* … how much larger the cells of few rows and columns may be than usual: before a class as large as
 * they fit. */
float view_cell_growth(const struct view *view, struct rect area);

/* How high cells of that width may be: no higher than they are wide, and `usual` at least. */
float view_cell_high(const struct view *view, float usual, float growth, float wide);

/* The colour of a formula's piece. */
struct colour view_role_colour(const struct view *view, enum lab_role role);

/* "K = C·W_UK: the keys, how every word can be found": a node of the present computation. */
const char *view_tip_of(const struct view *view, size_t node);

/* The letter, colour and kind of a part, for operands. */
struct view_operand view_operand_of(const struct view *view, enum lab_part part);

/* The same of another head than the selected one. */
struct view_operand view_operand_of_head(const struct view *view, enum lab_part part, size_t head);

/* A bracket in the colour of keys over pictures side by side, from the first to the last of them,
 * or at the left of pictures below each other: heads that share keys and values. Where some of
 * these stand on the line before or on the next one it runs on in dots. */
enum view_bracket {
    VIEW_BRACKET_UPRIGHT = 1,
    VIEW_BRACKET_BEGAN_BEFORE = 2,
    VIEW_BRACKET_GOES_ON = 4
};
void view_sharing_bracket(struct view *view, struct rect first, struct rect last, unsigned shape);

/* A sentence in the middle of an area, muted, wrapped: an empty state. */
void view_notice(struct view *view, struct rect area, const char *title, const char *sentence);

/* The products of a sum as bars, what helps above the line and what hurts below; and how wide they
 * want to be, at most `most`. */
/* Title at the left of a panel's head, a hint at its right where it fits. */
void view_panel_header(struct view *view, struct rect area, const char *title, const char *hint);

/* Of names and numbers beside cells: black in a figure for paper, elsewhere muted. */
struct colour view_label_ink(const struct view *view);

/* The title and the caption of a picture: its own, what was asked for in its place, or NULL: none.
 */
const char *view_own_title(const struct view *view, const char *own);
const char *view_own_caption(const struct view *view, const char *own);

/* The shade under a sheet that lies over the panels; a sheet alone lies over nothing. */
void view_shade(struct view *view, struct rect area);

/* A head as lines between queries and keys, inside the heads panel; and the colour of a head in it.
 */
/* The colours of the weights' map from 0 to 1. */
void view_colour_bar(struct view *view, struct rect area, bool upright);

/* The numbers at a colour bar: right of it when it is upright, else below. */
void view_colour_ticks(struct view *view, struct rect bar, bool upright);

/* The colours of signed numbers from −peak below to peak, and the numbers right of them. */
void view_signed_bar(struct view *view, struct rect area, float peak);

/* Where a weight stands on the map, 0 … 1, and its colour. */
struct colour view_share_colour(const struct view *view, float share);

/* Whether the words from … to − 1 of an axis step back because another one shines alone. */
bool view_filtered_out(const struct view *view, enum view_axis axis, size_t from, size_t to);

/* One of the panels that a step may name; a veil over it where it would tell what the class
 * guesses. (view/chrome/panels.c) */
void view_panel_show(struct view *view, enum lab_panel panel, struct rect area);

/* Which of them a class sees, as bits of enum lab_panel; all of them in an area. */
unsigned view_panels_shown(const struct view *view);
void view_panels(struct view *view, struct rect area);

/* Draws text in lines no wider than width; returns the height taken. */
float view_wrapped(struct view *view, float x, float y, float width, float size,
                   struct colour colour, const char *text);

/* A width, at most `width`, in which that takes no more lines, and the last is not a word or two.
 */
float view_wrapped_even(const struct view *view, float width, float size, const char *text);

/* As canvas_text_cut, but in smaller letters before anything is cut. */
bool view_text_whole(struct view *view, float x, float y, enum font_face face, float size,
                     struct colour colour, enum canvas_anchor anchor, const char *text,
                     float width);

/* A muted line that is written smaller before it is cut; what is cut has a tooltip. */
void view_text_fitted(struct view *view, struct point at, float size, enum canvas_anchor anchor,
                      const char *text, float width);

/* The height that takes, without drawing it, and the width of its longest line where no word is
 * divided. */
float view_wrapped_width(const struct view *view, float width, float size, const char *text);
float view_wrapped_height(const struct view *view, float width, float size, const char *text);

/* Whether the class still guesses the weight or score of this query and key; of a cell of a result.
 */
bool view_guess_hides_key(const struct view *view, size_t query, size_t key);
bool view_guess_hides(const struct view *view, size_t row, size_t column);
bool view_guess_is_told_by(const struct view *view, enum lab_part part, size_t row, size_t column);

/* Whether Project shows how the latent is made, of which keys and values are.
 * (view/stage/project.c)
 */
bool view_latent_is_shown(const struct view *view);

/* Whether a stage's elements belong to a query and a key, not to a dimension. */
bool view_stage_is_of_keys(enum lab_stage stage);

/* Whether a page has this element of a stage's result worked out: of a few all, of more the chosen
 * row, of wide ones the chosen cell. */
bool view_worksheet_opens(const struct view *view, const struct lab_matrix *result, size_t row,
                          size_t column);

/* Whether the page leaves this cell to the class. */
bool view_worksheet_blanks(const struct view *view, const struct view_matrix *matrix, size_t row,
                           size_t column);

/* What was asked, once it is shown: "You said 0.3; it is 0.46 = 0.22 + 0.24". NULL: nothing was.
 * Owned by the frame's arena. */
const char *view_guess_answer(struct view *view);
enum { VIEW_GUESS_TERMS = 4 }; /* of a long sum that the answer writes out */

/* What was kept beside what is now, in place of a stage; and the switch at the right of its
 * headline. */
void view_compare(struct view *view, struct rect area);
void view_compare_switch(struct view *view, struct rect area);

/* What changed since the former stage, in place of a stage whose result has the same shape; whether
 * the present one has; and the switch for it. (view/stage/compare.c) */
void view_change(struct view *view, struct rect area);
bool view_change_is_there(const struct view *view);
void view_change_switch(struct view *view, struct rect area);

/* The whole flow at once, in place of a stage. */
void view_flow(struct view *view, struct rect area);

/* What hands can do to the stage's numbers, at the bottom of an area; how much of it that takes, 0:
 * there is nothing to do. */
void view_edit_toolbar(struct view *view, struct rect area);
float view_edit_toolbar_height(const struct view *view);

/* The layer around attention: whether it is known, and whether it stands in place of a stage; its
 * picture, its headline and sentence, and the chosen number of it spelled out. The chosen word is
 * the selection's query. (view/stage/block.c) */
struct lab_block;
const struct lab_block *view_block_known(const struct view *view);
const struct lab_block *view_block_shown(const struct view *view);
void view_block(struct view *view, struct rect area);
const char *view_block_title(struct view *view);
const char *view_block_sentence(struct view *view);
struct lab_explanation view_block_explanation(struct view *view, size_t max_terms);

/* The norm before the heads of that layer; NULL: none stands there, or the layer is not known. */
struct lab_block_step;
const struct lab_block_step *view_block_norm(const struct view *view);

/* The steps of that layer which lead to the numbers of the present stage, where an experiment has
 * these alone: whether there are any; and where they are shown, the block they belong to, their
 * picture and the sentence above. The tabs return the height they take. */
bool view_block_has_way(const struct view *view);
const struct lab_block *view_block_way(const struct view *view);
void view_block_way_steps(struct view *view, struct rect area);
float view_block_way_tabs(struct view *view, struct rect area);
const char *view_block_way_sentence(const struct view *view);

/* The picture of the stage alone: no headline, no panel. */
void view_stage_picture(struct view *view, struct rect area);

/* The menu of lessons: with the name of what is open, and as a way to others. */
void view_lessons(struct view *view, struct rect area);
/* How wide the title is that this menu shows, in points. */
float view_lessons_title(struct view *view);
void view_other_lessons(struct view *view, struct rect area);

/* The menu of languages. */
void view_languages(struct view *view, struct rect place);

/* --- what is open beside the experiment --- */

/* Whether all its heads stand on the screen: it is open, looked at, and not folded. */
bool view_head_overview_is_shown(const struct view *view);

/* All heads, and the words that may come next. */
void view_head_overview_panel(struct view *view, struct rect area);
void view_next(struct view *view, struct rect area);
bool view_next_is_shown(const struct view *view);

/* The head under the pointer, enlarged beside it: over everything but sheets. */
void view_head_overview_enlarge(struct view *view, struct rect area);

/* --- the stages, one function each; stage.c holds the table --- */
void view_stage_embed(struct view *view, struct rect area);
void view_stage_project(struct view *view, struct rect area);
void view_stage_score(struct view *view, struct rect area);
void view_stage_scale(struct view *view, struct rect area);
void view_stage_softmax(struct view *view, struct rect area);
#define VIEW_ROW_OF_QUERY "Row of a query" /* its group: what one query makes of every key */
float view_stage_softmax_needs(const struct view *view); /* height, for a row and α below it */
void view_stage_blend(struct view *view, struct rect area);
void view_stage_output(struct view *view, struct rect area);

#endif
