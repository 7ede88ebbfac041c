/* The toolbar for editing the numbers of a stage: it changes a whole row of weights, and restores
 * the computed numbers. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/translate.h"
#include "lab/experiment/edits.h"
#include "ui/widgets.h"
#include "view/parts/pieces.h"

static const float HIGH = 26, GAP = 6, WORD_MAX = 84, ROOMY = 860;
static const double SUM_NEAR = 0.0005; /* difference from 1 that three decimals show */

/* The parts of each stage that can be edited. */
static const struct {
    enum lab_part part[7];
    size_t parts;
} shown[LAB_STAGES] = {
    [LAB_EMBED] = {{LAB_EMBEDDINGS_X, LAB_CONTEXT_X}, 2},
    [LAB_PROJECT] = {{LAB_EMBEDDINGS_X, LAB_W_Q, LAB_W_K, LAB_W_V, LAB_Q, LAB_K, LAB_V}, 7},
    [LAB_SCORE] = {{LAB_Q, LAB_K}, 2},
    [LAB_SOFTMAX] = {{LAB_ALPHA}, 1},
    [LAB_BLEND] = {{LAB_ALPHA, LAB_V}, 2},
    [LAB_OUTPUT] = {{LAB_W_O}, 1},
};

static bool has_weights(const struct view *view)
{
    const enum lab_stage stage = view->state->playback.stage;
    const enum lab_part made =
        stage == LAB_BLEND ? LAB_Z : LAB_ALPHA; /* the part that must be known */
    return (stage == LAB_SOFTMAX || stage == LAB_BLEND) && !view->is_signed &&
           lab_trace_part(view->trace, made, 0).values != NULL &&
           view_guess(view) == LAB_GUESS_NONE && lab_trace_sizes(view->trace).m > 0;
}

/* Says whether any number of the part, in the present head, was edited. */
static bool is_part_edited(const struct view *view, const struct view_operand *operand)
{
    const struct lab_edits *edits = view->experiment->edits;
    for (size_t i = 0; i < lab_edits_count(edits); i++) {
        const struct lab_edit edit = lab_edits_at(edits, i);
        if (edit.part == operand->part && edit.head == operand->head) {
            return true;
        }
    }
    return false;
}

/* The edited part at index; false: there are fewer. */
static bool edited_part(const struct view *view, size_t index, struct view_operand *operand)
{
    const enum lab_stage stage = view->state->playback.stage;
    for (size_t i = 0; i < shown[stage].parts; i++) {
        *operand = view_operand_of(view, shown[stage].part[i]);
        if (operand->matrix.values != NULL && is_part_edited(view, operand) && index-- == 0) {
            return true;
        }
    }
    return false;
}

float view_edit_toolbar_height(const struct view *view)
{
    struct view_operand operand;
    const bool low = view->style.is_far;
    const bool plain = view->state->learn == NULL && view->style.has_controls && !low &&
                       !view->state->prefs.display.flow &&
                       (view->baseline == NULL || view->state->compare == VIEW_COMPARE_NOT);
    /* Where there is room the bar is always there, so that the first edit does not move the stage
     * under the pointer. */
    const bool roomy = view->ui->input->height >= ROOMY;
    return plain && (roomy || has_weights(view) || edited_part(view, 0, &operand)) ? HIGH + 8 : 0;
}

/* A word cut to the width limit, with an ellipsis. */
static const char *short_word(struct view *view, const char *word)
{
    const size_t length = strlen(word);
    size_t end = length;
    const char *cut = word;
    while (cut != NULL && end > 0 &&
           canvas_measure(view->ui->canvas, FONT_WORDS, UI_TEXT_SMALL, cut) > WORD_MAX) {
        end = text_former_letter(word, length, end);
        cut = arena_format(view->arena, "%.*s…", (int)end, word);
    }
    return cut != NULL ? cut : "";
}

/* Draws a button at *x and moves *x to its right, if there is room. True: it was clicked. */
static bool draw_next_button(struct view *view, const char *name, const char *label,
                             const char *tip, float *x, float y, float end)
{
    if (label == NULL || name == NULL) {
        return false;
    }
    const float wide = ui_button_width(view->ui, label);
    if (*x + wide > end) {
        return false;
    }
    const struct ui_button button = {.label = label, .style = UI_BUTTON_PLAIN, .tip = tip};
    const bool clicked = ui_button(view->ui, name, (struct rect){*x, y, wide, HIGH}, &button);
    *x += wide + GAP;
    return clicked;
}

static void draw_row_buttons(struct view *view, float *x, float y, float end)
{
    const struct lab_selection *at = &view->selection;
    const struct lab_matrix alpha = lab_trace_part(view->trace, LAB_ALPHA, at->head);
    const char *query = short_word(view, lab_trace_queries(view->trace)[at->query]);
    const char *key = short_word(view, lab_trace_keys(view->trace)[at->key]);
    const char *title = arena_format(view->arena, "%s:", query);
    title = title != NULL ? title : "";
    canvas_text(view->ui->canvas, *x, y + 17, FONT_WORDS_BOLD, UI_TEXT_BODY, view->ui->theme->query,
                CANVAS_LEFT, tr(title));
    *x += canvas_measure(view->ui->canvas, FONT_WORDS_BOLD, UI_TEXT_BODY, tr(title)) + 8;
    if (draw_next_button(
            view, "all on key",
            arena_format(view->arena, "looks only at %s", lab_quoted(view->arena, key)),
            "What if this query looked only at this key? Choose another key by a click on it", x, y,
            end)) {
        view_action_command(view, "all on key");
    }
    if (draw_next_button(view, "equal shares", "looks equally at all",
                         "The same weight for every key that this query sees", x, y, end)) {
        view_action_command(view, "equal shares");
    }
    double sum = 0;
    for (size_t j = 0; j < alpha.cols; j++) {
        sum += (double)lab_matrix_at(&alpha, at->query, j);
    }
    char number[TEXT_NUMBER_MAX];
    text_number(number, sum, 3);
    if (fabs(sum - 1) > SUM_NEAR && sum > 0 &&
        draw_next_button(view, "rescale row", "rescale the row",
                         arena_format(view->arena, "The row sums to %s: divide it by that", number),
                         x, y, end)) {
        view_action_command(view, "rescale row");
    }
}

void view_edit_toolbar(struct view *view, struct rect area)
{
    float x = area.x;
    const float y = area.y + area.h - HIGH, end = area.x + area.w;
    if (has_weights(view)) {
        draw_row_buttons(view, &x, y, end);
    }
    struct view_operand operand;
    for (size_t i = 0; edited_part(view, i, &operand); i++) {
        const char *label = arena_format(view->arena, "restore all of %s", operand.title);
        const char *tip = "The numbers that were typed by hand become what they were";
        if (draw_next_button(view, label, label, tip, &x, y, end)) {
            view_action(view,
                        &(struct view_action){
                            .kind = VIEW_ACTION_RESTORE,
                            .edit = {.whole = true, .cell = {operand.part, operand.head, 0, 0}}});
        }
    }
}
