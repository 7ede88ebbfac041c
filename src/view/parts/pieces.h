/* view/parts/pieces.h — what several views share: chosen lines, headlines, wrapped text, the
 * colours of roles. */
#ifndef VIEW_PARTS_PIECES_H
#define VIEW_PARTS_PIECES_H

#include "lab/explain/cell.h"
#include "view/parts/playback.h"
#include "view/parts/product.h"

/* The chosen index, or VIEW_NOWHERE if nothing is emphasised. */
long view_chosen(const struct view *view, size_t index);

/* Previews the parts of a selection under the pointer, and pins them when clicked. */
void view_choose(struct view *view, unsigned parts, struct lab_selection selection, bool clicked);

/* The weights of a head as shown: without the keys that are set aside. */
struct lab_matrix view_weights(const struct view *view, size_t head);

/* Returns whether a head of the layer that is shown is switched off: what it makes reaches no word.
 */
bool view_head_is_off(const struct view *view, size_t head);

/* The queries that are pinned together, if they label the rows of the operand; else NULL. */
const struct lab_places *view_pinned_queries(const struct view *view,
                                             const struct view_operand *operand);

/* The factor, 1 to 1.8, by which cells grow in an area larger than the stage of a window of 1440 ×
 * 900. */
float view_growth(struct rect area);

/* The factor by which the cells of few rows and columns may exceed the usual size: constant in the
 * presenter view. */
float view_cell_growth(const struct view *view, struct rect area);

/* The height limit of cells of a width: no higher than wide, and at least `usual`. */
float view_cell_high(const struct view *view, float usual, float growth, float wide);

/* The colour of a formula's piece. */
struct colour view_role_colour(const struct view *view, enum lab_role role);

/* "K = C·W_UK: the keys, how every word can be found": a node of the present computation. */
const char *view_tip_of(const struct view *view, size_t node);

/* An operand with the symbol, colour and kind of a part. */
struct view_operand view_operand_of(const struct view *view, enum lab_part part);

/* Returns the operand of a head other than the selected one. */
struct view_operand view_operand_of_head(const struct view *view, enum lab_part part, size_t head);

/* Draws a bracket in the colour of keys over tiles side by side, from the first to the last, or at
 * the left of tiles below each other: heads that share keys and values. Where some of them are on
 * the previous line or on the next one, it continues in dots. */
enum view_bracket {
    VIEW_BRACKET_UPRIGHT = 1,
    VIEW_BRACKET_BEGAN_BEFORE = 2,
    VIEW_BRACKET_GOES_ON = 4
};
void view_sharing_bracket(struct view *view, struct rect first, struct rect last, unsigned shape);

/* Returns the text as it is read: from afar without powers of ten, which a class may not know. */
const char *view_read_numbers(const struct view *view, const char *text);

/* Draws a title and a wrapped sentence in the middle of an area: an empty state. */
void view_notice(struct view *view, struct rect area, const char *title, const char *sentence);

/* Draws a title at the left of a panel's header and a hint at its right, if it fits. */
void view_panel_header(struct view *view, struct rect area, const char *title, const char *hint);

/* Returns where something that is so high begins at the bottom of an area: in a figure right below
 * all that is drawn by now, so that no gap is left. */
float view_below_drawing(const struct view *view, struct rect area, float high);

/* The ink of labels and numbers beside cells: black in a figure for paper, else muted. */
struct colour view_label_ink(const struct view *view);

/* The title and the caption of a view: its own, the one that was asked for in its place, or NULL:
 * none. */
const char *view_own_title(const struct view *view, const char *own);
const char *view_own_caption(const struct view *view, const char *own);

/* Draws the shade under an overlay; a figure has none. */
void view_shade(struct view *view, struct rect area);

/* Draws the colours of the weights' map from 0 to 1. */
void view_colour_bar(struct view *view, struct rect area, bool upright);

/* Draws the numbers at a colour bar: right of it when it is upright, else below. Returns how far
 * they reach to the right of an upright one. */
float view_colour_ticks(struct view *view, struct rect bar, bool upright);

/* How far the numbers of a linear bar from low to high reach beyond it, at most. */
float view_ticks_width(const struct view *view, float low, float high);

/* Draws the colours of signed numbers from −peak at the bottom to peak, and the numbers right of
 * them. Returns how far they reach beyond it. */
float view_signed_bar(struct view *view, struct rect area, float peak);

/* The colour of a weight. */
struct colour view_share_colour(const struct view *view, float share);

/* Says whether places from to to − 1 of an axis are dimmed because another line is emphasised
 * alone. */
bool view_filtered_out(const struct view *view, enum view_axis axis, size_t from, size_t to);

/* Draws one of the panels that a step may name, covered where it would reveal what is to be guessed
 * (view/chrome/panels.c). */
void view_panel_show(struct view *view, enum lab_panel panel, struct rect area);

/* The panels of the presenter view as bits of enum lab_panel; and the view that draws them. */
unsigned view_panels_shown(const struct view *view);
void view_panels(struct view *view, struct rect area);

/* Draws text in lines no wider than width; returns their height. */
float view_wrapped(struct view *view, float x, float y, float width, float size,
                   struct colour colour, const char *text);

/* A width, at most `width`, in which the text takes no more lines, and the last line is more than a
 * word or two. */
float view_wrapped_even(const struct view *view, float width, float size, const char *text);

/* As canvas_text_cut, but the font shrinks before anything is cut. */
bool view_text_whole(struct view *view, float x, float y, enum font_face face, float size,
                     struct colour colour, enum canvas_anchor anchor, const char *text,
                     float width);

/* Draws a muted line whose font shrinks before it is cut; a line that is cut has a tooltip. */
void view_text_fitted(struct view *view, struct point at, float size, enum canvas_anchor anchor,
                      const char *text, float width);

/* The width of the longest line of wrapped text in which no word is divided, and the text's height.
 */
float view_wrapped_width(const struct view *view, float width, float size, const char *text);
float view_wrapped_height(const struct view *view, float width, float size, const char *text);

/* Says whether the weight or score of this query and key is to be guessed; whether a cell of a
 * result is; whether a cell of a part would reveal it. */
bool view_guess_hides_key(const struct view *view, size_t query, size_t key);
bool view_guess_hides(const struct view *view, size_t row, size_t column);
bool view_guess_is_told_by(const struct view *view, enum lab_part part, size_t row, size_t column);

/* Says whether Project shows how the latent of keys and values is made (view/stage/project.c). */
bool view_latent_is_shown(const struct view *view);

/* Says whether a stage's elements belong to a query and a key, not to a dimension. */
bool view_stage_is_of_keys(enum lab_stage stage);

/* Says whether a page explains this element of a stage's result: of few elements all, of more the
 * chosen row, of wide rows the chosen cell. */
bool view_worksheet_opens(const struct view *view, const struct lab_matrix *result, size_t row,
                          size_t column);

/* Says whether the page leaves this cell blank. */
bool view_worksheet_blanks(const struct view *view, const struct view_matrix *matrix, size_t row,
                           size_t column);

/* The answer, once it is revealed: "You said 0.3; it is 0.46 = 0.22 + 0.24". NULL: nothing was
 * asked. Owned by the frame's arena. */
const char *view_guess_answer(struct view *view);
enum { VIEW_GUESS_TERMS = 4 }; /* terms of a long sum that the answer writes out */

/* The kept experiment beside the present one, in place of a stage; and the switch at the right of
 * the headline. */
void view_compare(struct view *view, struct rect area);
void view_compare_switch(struct view *view, struct rect area);

/* The change since the former stage, in place of a stage whose result has the same shape; and
 * whether the present stage has one (view/stage/compare.c). */
void view_change(struct view *view, struct rect area);
bool view_change_is_there(const struct view *view);

/* Says how one of two results that are compared differs from the other; "": the other says it. */
enum view_side { VIEW_SIDE_NOW, VIEW_SIDE_KEPT };
const char *view_side_label(const struct view *view, const struct lab_trace *now,
                            const struct lab_trace *kept, enum view_side of);

/* Says whether the last change can be compared with what was before it, and the button for that. */
bool view_change_may_compare(const struct view *view);
void view_change_switch(struct view *view, struct rect area);

/* The whole flow, in place of a stage. */
void view_flow(struct view *view, struct rect area);

/* The toolbar for editing the stage's numbers, at the bottom of an area; and its height, 0: there
 * is nothing to edit. */
void view_edit_toolbar(struct view *view, struct rect area);
float view_edit_toolbar_height(const struct view *view);

/* The layer around attention: if it is known, and if it is shown in place of a stage; its view,
 * headline and sentence, and the explanation of its chosen number. The chosen token is the
 * selection's query (view/stage/block.c). */
struct lab_block;
const struct lab_block *view_block_known(const struct view *view);
const struct lab_block *view_block_shown(const struct view *view);
void view_block(struct view *view, struct rect area);
const char *view_block_title(struct view *view);
const char *view_block_sentence(struct view *view);
struct lab_explanation view_block_explanation(struct view *view, size_t max_terms);

/* The norm before the heads of that layer; NULL: it has none, or the layer is not known. */
struct lab_block_step;
const struct lab_block_step *view_block_norm(const struct view *view);

/* The steps of that layer which lead to the numbers of the present stage, if the experiment has
 * these alone: whether there are any; and where they are shown, the block they belong to, their
 * view and the sentence above. The tabs return their height. */
bool view_block_has_way(const struct view *view);
const struct lab_block *view_block_way(const struct view *view);
void view_block_way_steps(struct view *view, struct rect area);
float view_block_way_tabs(struct view *view, struct rect area);

/* Draws tabs for queries, keys and values at the top of an area that shows one of them at the stage
 * Project, in the window alone. Returns the height they take. */
float view_projection_tabs(struct view *view, struct rect area);
const char *view_block_way_sentence(const struct view *view);

/* Draws the content of the stage: no headline, no panel. */
void view_stage_picture(struct view *view, struct rect area);

/* The menu of lessons, titled by the open one; and the same menu as a way to other lessons. */
void view_lessons(struct view *view, struct rect area);
/* The width of that title, in points. */
float view_lessons_title(struct view *view);
void view_other_lessons(struct view *view, struct rect area);

/* The menu of languages. */
void view_languages(struct view *view, struct rect place);

/* --- What is open besides the experiment. --- */

/* Says whether the overview of all heads is shown: it is open and not folded. */
bool view_head_overview_is_shown(const struct view_state *state);

/* All heads, and the tokens that may come next. */
void view_head_overview_panel(struct view *view, struct rect area);
void view_next(struct view *view, struct rect area);
bool view_next_is_shown(const struct view_head_overview *head_overview);

/* "α", "‖αv‖" and "‖αvW_O‖". */
extern const char *const view_weighing_titles[VIEW_WEIGHINGS];

/* The head under the pointer, enlarged beside it: over everything but overlays. */
void view_head_overview_enlarge(struct view *view, struct rect area);

/* --- The stages, one function each; view/stage/stage.c has the table. --- */
void view_stage_embed(struct view *view, struct rect area);
void view_stage_project(struct view *view, struct rect area);
void view_stage_score(struct view *view, struct rect area);
void view_stage_scale(struct view *view, struct rect area);
void view_stage_softmax(struct view *view, struct rect area);
#define VIEW_ROW_OF_QUERY                                                                          \
    "Row of a query" /* its group: the weights that one query gives to every key */
void view_stage_blend(struct view *view, struct rect area);
void view_stage_output(struct view *view, struct rect area);

#endif
