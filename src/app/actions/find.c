/* The field for names, opened and closed; how well a row fits what is typed; and words of the text,
 * wherever they stand: in a long one nobody wants to look for them. */
#include "app/actions/find.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/actions/find_internal.h"
#include "app/document/display.h"

/* ASCII letters without their case; others as they are. */
bool app_find_starts_alike(const char *text, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)word[i])) {
            return false;
        }
    }
    return true;
}

static bool is_letter(char byte)
{
    return isalnum((unsigned char)byte) || (unsigned char)byte >= 0x80;
}

/* How well a text has this word: as a whole one, as the beginning of one, anywhere, not at all. */
enum fit { WHOLE, BEGINS, INSIDE, NOWHERE };

static enum fit fit_word(const char *text, const char *word, size_t length)
{
    const size_t whole = strlen(text);
    enum fit best = NOWHERE;
    for (size_t at = 0; at + length <= whole && best > WHOLE; at++) {
        if (app_find_starts_alike(text + at, word, length)) {
            const bool begins = at == 0 || !is_letter(text[at - 1]);
            const bool ends = !is_letter(text[at + length]);
            const enum fit fit = !begins ? INSIDE : ends ? WHOLE : BEGINS;
            best = fit < best ? fit : best;
        }
    }
    return best;
}

/* Returns the worst fit of all words that are typed. */
static enum fit fit_typed(const char *title, const char *typed)
{
    enum fit worst = WHOLE;
    for (const char *word = typed; *word != 0;) {
        const size_t length = strcspn(word, " ");
        const enum fit fit = length > 0 ? fit_word(title, word, length) : WHOLE;
        worst = fit > worst ? fit : worst;
        word += length;
        word += strspn(word, " ");
    }
    return worst;
}

/* Rows of equal rank stay in the order in which they are added. */
void app_find_add(struct app_state *state, struct app_find_action action, const char *title,
                  const char *hint)
{
    struct view_state *const view = &state->view;
    const bool full = view->find_count == APP_FIND_MAX;
    size_t at = view->find_count;
    while (at > 0 && state->find_actions[at - 1].rank > action.rank) {
        at--;
    }
    if (title == NULL || at == APP_FIND_MAX) {
        return;
    }
    const size_t later = view->find_count - at - full;
    memmove(&state->find_rows[at + 1], &state->find_rows[at], later * sizeof *state->find_rows);
    memmove(&state->find_actions[at + 1], &state->find_actions[at],
            later * sizeof *state->find_actions);
    state->find_rows[at] = (struct view_find_row){title, hint != NULL ? hint : ""};
    state->find_actions[at] = action;
    view->find_count += !full;
}

unsigned app_find_rank(const struct app_state *state, const char *title)
{
    return title == NULL ? APP_FIND_NOT : (unsigned)fit_typed(title, state->find_text);
}

bool app_find_is_called(const struct app_state *state, const char *title)
{
    return app_find_rank(state, title) < APP_FIND_NOT;
}

static void open_field(struct app_state *state, enum app_finds finds, const char *hint)
{
    state->finds = finds;
    state->view.overlay = VIEW_OVERLAY_FIND;
    state->view.find_new = true;
    state->view.find_hint = hint;
    state->view.find_rows = NULL; /* app_find_prepare looks for them */
    state->view.find_count = 0;
    state->find_text[0] = 0;
}

void app_find_open(struct app_state *state)
{
    open_field(state, APP_FINDS_NAMES, "a command, stage, lesson, head or word");
}

void app_find_open_files(struct app_state *state)
{
    open_field(state, APP_FINDS_FILES, "a session or model, or the path of a file or folder");
}

void app_find_open_words(struct app_state *state)
{
    open_field(state, APP_FINDS_WORDS, "a word of the text, or a part of one");
}

void app_find_close(struct app_state *state)
{
    if (state->view.overlay == VIEW_OVERLAY_FIND) {
        state->view.overlay = VIEW_OVERLAY_NONE;
    }
    state->view.find_count = 0;
}

/* --- words of the text --- */

/* How many words of the text fit, and how many of them stand before `index`. */
static size_t count_places(const struct app_state *state, size_t index, size_t *before)
{
    const size_t words = lab_words_count(state->document.experiment.tokens);
    size_t count = 0;
    *before = 0;
    for (size_t w = 0; w < words; w++) {
        const bool fits =
            app_find_is_called(state, lab_words_list(state->document.experiment.tokens)[w]);
        *before += fits && w < index;
        count += fits;
    }
    return count;
}

void app_find_suggest_words(struct app_state *state)
{
    const size_t words = lab_words_count(state->document.experiment.tokens);
    const size_t from = app_state_selection(state).query;
    for (size_t w = 0; w < words && state->view.find_count < APP_FIND_MAX; w++) {
        const size_t at = (from + w) % words;
        const char *const word = lab_words_list(state->document.experiment.tokens)[at];
        size_t before = 0;
        if (app_find_is_called(state, word)) {
            const size_t count = count_places(state, at, &before);
            /* The text may change while the list stands open, by a file that was dropped. */
            app_find_add(state, (struct app_find_action){APP_FIND_WORD, .index = at},
                         arena_text(&state->found, word, strlen(word)),
                         arena_format(&state->found, "word %zu of %zu · place %zu of %zu", at + 1,
                                      words, before + 1, count));
        }
    }
}

static void choose_place(struct app_state *state, size_t index, double time)
{
    const struct lab_selection to = {.query = index, .key = index};
    const size_t words = lab_words_count(state->document.experiment.tokens);
    size_t before = 0;
    const size_t count = count_places(state, index, &before);
    app_display_select(state, VIEW_QUERY | VIEW_KEY, &to, time);
    if (index < words) {
        app_state_show_message(state, time,
                               "“%.40s”: word %zu of %zu, place %zu of %zu. F3: the next.",
                               lab_words_list(state->document.experiment.tokens)[index], index + 1,
                               words, before + 1, count);
    }
}

void app_find_word(struct app_state *state, size_t index, double time)
{
    snprintf(state->find_word, sizeof state->find_word, "%.127s", state->find_text);
    choose_place(state, index, time);
}

void app_find_step(struct app_state *state, int steps, double time)
{
    const size_t words = lab_words_count(state->document.experiment.tokens);
    if (state->find_word[0] == '\0') {
        app_find_open_words(state);
        return;
    }
    snprintf(state->find_text, sizeof state->find_text, "%s", state->find_word);
    size_t at = state->view.pinned.query;
    for (size_t w = 0; w < words; w++) {
        at = steps > 0 ? (at + 1) % words : (at + words - 1) % words;
        if (app_find_is_called(state, lab_words_list(state->document.experiment.tokens)[at])) {
            choose_place(state, at, time);
            return;
        }
    }
    app_state_show_message(state, time, "“%.40s” does not stand in this text.", state->find_word);
}
