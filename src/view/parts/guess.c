/* Guesses: what a step hides until it is guessed or revealed, and how the guess compares with the
 * result. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "lab/lesson/guess.h"
#include "view/parts/learn.h"
#include "view/parts/pieces.h"

/* A printed page explains all of a result with few cells, and one cell of each wide row. */
enum { ALL_OF = 16, ROW_OF = 16 };

bool view_stage_is_of_keys(enum lab_stage stage)
{
    return stage >= LAB_SCORE && stage <= LAB_SOFTMAX;
}

bool view_guess_hides_key(const struct view *view, size_t query, size_t key)
{
    const enum lab_guess guess = view_guess(view);
    const struct lab_selection *guessed_at = &view->state->guess_at;
    return guess != LAB_GUESS_NONE && query == guessed_at->query &&
           (guess == LAB_GUESS_WINNER || key == guessed_at->key);
}

/* A share that is to be guessed is revealed by the weights, and by all that is computed from them.
 */
bool view_guess_is_told_by(const struct view *view, enum lab_part part, size_t row, size_t column)
{
    const enum lab_guess guess = view_guess(view);
    const enum lab_stage asked = view->state->guess_stage;
    const struct lab_selection *const guessed_at = &view->state->guess_at;
    const bool of_keys = view_stage_is_of_keys(asked) || guess == LAB_GUESS_WINNER;
    if (guess == LAB_GUESS_NONE || row != guessed_at->query || (!of_keys && asked != LAB_BLEND)) {
        return false;
    }
    switch (part) {
    case LAB_ALPHA:
        return of_keys && view_guess_hides_key(view, row, column);
    case LAB_Z:
        return of_keys || guess != LAB_GUESS_CELL || column == guessed_at->channel;
    case LAB_CONCAT:
    case LAB_OUTPUT_O:
    case LAB_RESIDUAL:
        return true;
    default:
        return false;
    }
}

bool view_guess_hides(const struct view *view, size_t row, size_t column)
{
    const enum lab_guess guess = view_guess(view);
    const struct lab_selection *guessed_at = &view->state->guess_at;
    if (guess == LAB_GUESS_NONE || row != guessed_at->query) {
        return false;
    }
    return guess != LAB_GUESS_CELL ||
           column == (view_stage_is_of_keys(view->state->playback.stage) ? guessed_at->key
                                                                         : guessed_at->channel);
}

/* "0.46 = 0.22 + 0.24": the number and its sum. */
static const char *explain_sum(struct view *view, enum lab_stage stage,
                               const struct lab_selection *guessed_at)
{
    if (stage == LAB_EMBED) { /* it is given, not computed */
        const struct lab_matrix given = lab_trace_part(view->trace, LAB_EMBEDDINGS_X, 0);
        char number[TEXT_NUMBER_MAX];
        const bool there = guessed_at->query < given.rows && guessed_at->channel < given.cols;
        text_number(number,
                    there ? (double)lab_matrix_at(&given, guessed_at->query, guessed_at->channel)
                          : 0,
                    lab_decimals(&given, 3));
        return there ? arena_format(view->arena, "%s", number) : NULL;
    }
    const struct lab_explanation sum =
        lab_explain(view->trace, stage, guessed_at, VIEW_GUESS_TERMS, view->arena);
    const char *text = "", *result = "";
    for (size_t i = 0; i < sum.pieces; i++) {
        const struct lab_piece *piece = &sum.piece[i];
        if (piece->role == LAB_ROLE_RESULT) {
            result = piece->text;
        } else if (i + 1 < sum.pieces && sum.piece[i + 1].role != LAB_ROLE_RESULT) {
            text = arena_format(view->arena, "%s%s", text, piece->text);
        }
        if (text == NULL) {
            return NULL;
        }
    }
    return view_read_numbers(
        view, text[0] == 0 ? result : arena_format(view->arena, "%s = %s", result, text));
}

/* The tokens with the largest weight, or the guessed one if it is among them: “The”, “sat”. */
static const char *winner_names(struct view *view, const float *row, size_t count,
                                const char *answer, size_t *first)
{
    const char *const *const words = lab_trace_keys(view->trace);
    *first = lab_guess_winner(row, count, words, answer);
    const char *names = lab_quoted(view->arena, words[*first]);
    for (size_t j = *first + 1; j < count && strcmp(words[*first], answer) != 0; j++) {
        names = lab_guess_wins(row, count, j) && names != NULL
                    ? arena_format(view->arena, "%s, %s", names, lab_quoted(view->arena, words[j]))
                    : names;
    }
    return names == NULL ? words[*first] : names;
}

static const char *winner_answer(struct view *view, const char *answer)
{
    struct lab_selection guessed_at = view->state->guess_at;
    const enum lab_stage stage =
        view_stage_is_of_keys(view->state->guess_stage) ? view->state->guess_stage : LAB_SOFTMAX;
    const struct lab_matrix alpha = lab_trace_part(view->trace, LAB_ALPHA, guessed_at.head);
    if (guessed_at.query >= alpha.rows) {
        return NULL;
    }
    const char *const words = winner_names(view, alpha.values + guessed_at.query * alpha.stride,
                                           alpha.cols, answer, &guessed_at.key);
    const char *sum = explain_sum(view, stage, &guessed_at);
    if (sum == NULL || answer[0] == 0) {
        return sum == NULL ? NULL
                           : arena_format(view->arena, "The answer is %s, with %s", words, sum);
    }
    const char *const guess_text = lab_quoted(view->arena, answer);
    return strcmp(answer, lab_trace_keys(view->trace)[guessed_at.key]) == 0
               ? arena_format(view->arena, "You said %s, and so it is: %s", guess_text, sum)
               : arena_format(view->arena, "You said %s; it is %s, with %s", guess_text, words,
                              sum);
}

/* Returns the next word that the weights say, which need not be the right one. */
static const char *next_answer(struct view *view, const char *answer)
{
    const struct view_learn *const learn = view->state->learn;
    char number[TEXT_NUMBER_MAX];
    if (learn == NULL || learn->guessed.word == NULL) {
        return NULL;
    }
    text_percent(number, learn->guessed.share);
    const char *const words = lab_quoted(view->arena, learn->guessed.word);
    const char *const share = arena_format(view->arena, "%s %%", number);
    const char *const guess = lab_quoted(view->arena, answer);
    if (share == NULL) {
        return NULL;
    }
    return answer[0] == '\0' ? arena_format(view->arena, "It says %s, with %s", words, share)
           : strcasecmp(answer, learn->guessed.word) == 0
               ? arena_format(view->arena, "You said %s, and so does it: %s", guess, share)
               : arena_format(view->arena, "You said %s; it says %s, with %s", guess, words, share);
}

/* The true value of the number that the step asks for. */
static double true_number(const struct view *view)
{
    const struct lab_selection *const guessed_at = &view->state->guess_at;
    struct lab_cell cell;
    if (view->state->guess_stage == LAB_SCALE) {
        return (double)lab_trace_scaled(view->trace, guessed_at->head, guessed_at->query,
                                        guessed_at->key);
    }
    if (!lab_cell_selected(view->trace, view->state->guess_stage, guessed_at, &cell)) {
        return NAN;
    }
    const struct lab_matrix part = lab_trace_part(view->trace, cell.part, cell.head);
    return (double)lab_matrix_at(&part, cell.row, cell.column);
}

const char *view_guess_answer(struct view *view)
{
    const struct view_state *state = view->state;
    if (state->guess == LAB_GUESS_NONE || !state->revealed || view->trace == NULL) {
        return NULL;
    }
    if (state->guess == LAB_GUESS_WINNER) {
        return winner_answer(view, state->guessed);
    }
    if (state->guess == LAB_GUESS_NEXT) {
        return next_answer(view, state->guessed);
    }
    const bool share = state->guess_stage == LAB_SOFTMAX;
    const char *sum = explain_sum(view, state->guess_stage, &state->guess_at);
    struct lab_guessed answer;
    if (sum == NULL || !lab_guess_read(state->guessed, share, &answer)) {
        return sum == NULL ? NULL : arena_format(view->arena, "It is %s", sum);
    }
    const double truth = true_number(view);
    const char *guess_text = state->guessed;
    if (answer.percent) {
        char percent[TEXT_NUMBER_MAX];
        text_nonzero_number(percent, truth * 100, 1);
        sum = arena_format(view->arena, "%s %% = %s", percent, sum);
        guess_text = strchr(guess_text, '%') == NULL
                         ? arena_format(view->arena, "%s %%", guess_text)
                         : guess_text;
    }
    if (sum == NULL || guess_text == NULL) {
        return NULL;
    }
    return lab_guess_is_right(&answer, share, truth)
               ? arena_format(view->arena, "You said %s, and that is right: it is %s", guess_text,
                              sum)
               : arena_format(view->arena, "You said %s; it is %s", guess_text, sum);
}

bool view_worksheet_opens(const struct view *view, const struct lab_matrix *result, size_t row,
                          size_t column)
{
    const struct view_state *state = view->state;
    const bool guess = state->guess != LAB_GUESS_NONE;
    const struct lab_selection *at = guess ? &state->guess_at : &view->selection;
    const size_t chosen = view_stage_is_of_keys(state->playback.stage) ? at->key : at->channel;
    if (state->playback.stage == LAB_SOFTMAX && !lab_trace_sees(view->trace, row, column)) {
        return false; /* a hidden key has no share to work out, and no box */
    }
    if (guess) {
        return row == at->query && (state->guess == LAB_GUESS_WINNER || column == chosen);
    }
    return result->rows * result->cols <= ALL_OF ||
           (row == at->query && (result->cols <= ROW_OF || column == chosen));
}

bool view_worksheet_blanks(const struct view *view, const struct view_matrix *matrix, size_t row,
                           size_t column)
{
    const struct view_page *sheet = view->state->page;
    if (sheet == NULL || sheet->answers || matrix->transposed) {
        return false;
    }
    const enum lab_stage stage = view->state->playback.stage;
    const bool is_result = stage == LAB_SCALE
                               ? matrix->part == LAB_SCORES && matrix->derived
                               : matrix->part == lab_cell_part(stage, &view->selection);
    return is_result && matrix->guessed && view_worksheet_opens(view, &matrix->matrix, row, column);
}
