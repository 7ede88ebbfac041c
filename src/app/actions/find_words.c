/* A word of the text, wherever it stands: in a long one nobody wants to look for it. */
#include <stdio.h>
#include <string.h>

#include "app/actions/find.h"
#include "app/actions/find_parts.h"
#include "app/document/display.h"

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

void app_find_offer_words(struct app_state *state)
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

static void choose(struct app_state *state, size_t index, double time)
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
    choose(state, index, time);
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
            choose(state, at, time);
            return;
        }
    }
    app_state_show_message(state, time, "“%.40s” does not stand in this text.", state->find_word);
}
