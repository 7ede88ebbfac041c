/* Fills the overlays of training: the batch that a step learns from, and the text that the weights
 * write; and the lines that a lesson speaks of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "base/translate.h"
#include "learn/symbol_tokens.h"

/* ---- the batch ---- */

/* A row as far as something is asked of it; words are those of learn_words_shown. False: no memory.
 */
static bool tell_row(struct app_learn *learn, const struct learn_batch_cell *cell, size_t width,
                     struct view_learn_row *row)
{
    size_t last = 0, asked = 0;
    double sum = 0;
    const char **const word = arena_array(&learn->sheets, width, sizeof *word);
    float *const loss = arena_array(&learn->sheets, width, sizeof *loss);
    for (size_t i = 0; word != NULL && loss != NULL && i < width; i++) {
        word[i] = learn_words_shown(learn)[cell[i].token];
        loss[i] = cell[i].loss;
        last = loss[i] < 0 ? last : i;
        asked += loss[i] >= 0;
        sum += loss[i] < 0 ? 0 : (double)loss[i];
    }
    *row = (struct view_learn_row){word, loss, last + 1,
                                   asked == 0 ? 0 : (float)(sum / (double)asked)};
    return word != NULL && loss != NULL;
}

static void tell_batch(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    const struct learn_batch_rows *const rows = learn_batch_rows(state);
    const size_t count = rows == NULL ? 0 : rows->count;
    struct view_learn_row *const row = arena_array(&learn->sheets, count + 1, sizeof *row);
    size_t told = 0;
    while (row != NULL && told < count &&
           tell_row(learn, rows->cell + told * rows->width, rows->width, &row[told])) {
        told++;
    }
    learn->shown.row = row;
    learn->shown.rows = told;
    learn->shown.rows_all = learn->view->moment->recipe->batch;
}

/* ---- writing ---- */

static void tell_text(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    struct view_learn_text *const text = &learn->shown.text;
    const struct learn_data *const data = learn->view->moment->data;
    text->none = !learn_data_is_causal(data);
    text->is_old = false;
    const struct learn_written *const written =
        text->none ? NULL : learn_write(state, &text->is_old);
    size_t count = written == NULL ? 0 : written->count;
    const char **const word = arena_array(&learn->sheets, count + 1, sizeof *word);
    count = word == NULL ? 0 : count;
    for (size_t i = 0; i < count; i++) {
        const char *const own = learn_data_words(data)[written->id[i]];
        word[i] = arena_text(&learn->sheets, own, strlen(own));
        count = word[i] == NULL ? i : count;
    }
    const size_t given = written == NULL ? 0 : written->given;
    text->word = word;
    text->given = given < count ? given : count;
    text->words = count - text->given;
}

/* ---- lines ---- */

static void tell_lines(struct app_state *state)
{
    enum { LINES_SHOWN = 200 };
    struct app_learn *const learn = state->learn;
    const struct learn_data *const data = learn->view->moment->data;
    const struct record_list *const without = &learn->view->moment->recipe->without;
    const size_t all = learn_data_lines(data), most = all < LINES_SHOWN ? all : LINES_SHOWN;
    struct view_learn_line *const line = arena_array(&learn->sheets, most + 1, sizeof *line);
    size_t told = 0, length = 0;
    while (line != NULL && told < most) {
        const char *const own = learn_data_line_text(data, told, &length);
        const size_t number = learn_data_line_number(data, told);
        const char *const text = arena_text(&learn->sheets, own, length);
        if (text == NULL) {
            break;
        }
        line[told++] = (struct view_learn_line){number, text, record_list_has(without, number)};
    }
    learn->shown.line = line;
    learn->shown.lines = told;
    learn->shown.lines_all = all;
}

void learn_tell_sheets(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    arena_reset(&learn->sheets);
    learn->shown.row = NULL;
    learn->shown.rows = learn->shown.text.given = learn->shown.text.words = 0;
    if (state->view.overlay == VIEW_OVERLAY_BATCH) {
        tell_batch(state);
    }
    if (state->view.overlay == VIEW_OVERLAY_WRITE) {
        tell_text(state);
    }
    learn->shown.lines = 0;
    if ((state->view.panels & (unsigned)LAB_PANEL_LINES) != 0) {
        tell_lines(state);
    }
    learn->shown.blame = NULL;
    if (state->view.overlay == VIEW_OVERLAY_BLAME) {
        learn_tell_blame(state);
    }
}

void app_learn_look_closely(struct app_state *state, enum view_overlay sheet, double time)
{
    if (state->view.learn == NULL) {
        app_state_show_message(state, time, "Nothing learns here: Ctrl+Space begins.");
        return;
    }
    state->learn->until = 0;
    learn_begin_blame(state->learn);
    state->view.overlay = sheet;
    state->view.batch_scroll = 0;
}

/* ---- what is asked there ---- */

/* These words stand on the stages; what no longer fits falls off at the beginning. */
static bool show_words(struct app_state *state, const char *const *words, size_t count,
                       const char *name, double time)
{
    struct app_learn *const learn = state->learn;
    const struct learn_learned next = learn_copy_now(learn);
    const size_t max = learn->view->moment->recipe->shape.context;
    const size_t from = count > max ? count - max : 0;
    struct arena arena = {0};
    const char **const shown = arena_array(&arena, count + 1, sizeof *shown);
    bool done = shown != NULL && count > 0;
    for (size_t w = 0; done && w < count; w++) { /* a text that is written has spaces */
        shown[w] = learn_shown_word(words[w]);
    }
    if (done) {
        state->view.pinned.query = count - from - 1;
        state->view.pinned.key = 0;
        state->view.overlay = VIEW_OVERLAY_NONE;
        done = app_learn_change(state, &next, shown + from, count - from, name, time);
    }
    if (done && from > 0) {
        app_state_show_message(state, time,
                               tr("The last %zu of %zu words: these weights see no further back."),
                               count - from, count);
    }
    arena_free(&arena);
    return done;
}

bool learn_take_row(struct app_state *state, size_t row, double time)
{
    const struct view_learn *const shown = &state->learn->shown;
    return row < shown->rows && show_words(state, shown->row[row].word, shown->row[row].words,
                                           tr("a sentence of the batch"), time);
}

bool learn_set_draw(struct app_state *state, size_t which, double number)
{
    const struct view_draw_row *const row = view_draw_row(which);
    if (row == NULL || !isfinite(number)) {
        return false;
    }
    state->learn->shown.text.draw[which] = fmin(row->high, fmax(row->low, number));
    return true;
}

bool learn_keep_text(struct app_state *state, double time)
{
    const struct view_learn_text *const text = &state->learn->shown.text;
    return text->words > 0 && show_words(state, text->word, text->given + text->words,
                                         tr("words that were written"), time);
}
