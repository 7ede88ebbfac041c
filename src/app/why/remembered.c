/* The words that are asked about are those of a text: they are forgotten when it is another one. */
#include <string.h>

#include "app/why/why_internal.h"

static bool is_same_question(const struct why_remembered *remembered, const struct view_state *view)
{
    return remembered->word == view->why_word && remembered->rival == view->why_rival &&
           memcmp(remembered->named, view->why_named, sizeof remembered->named) == 0;
}

void why_forget_words(struct why_remembered *remembered, struct app_state *state)
{
    struct view_state *const view = &state->view;
    const struct lab_words *const tokens = state->document.experiment.tokens;
    const bool is_same_step =
        remembered->lesson == state->document.lesson && remembered->step == state->document.step;
    if (remembered->tokens != NULL && !lab_words_equal(remembered->tokens, tokens) &&
        is_same_question(remembered, view)) { /* else they came with this text */
        view->why_word = view->why_rival = 0;
        view->why_cell = view->why_patch_cell = 0;
        if (is_same_step) { /* another one names its own */
            memset(view->why_named, 0, sizeof view->why_named);
        }
    }
    if (remembered->tokens != tokens) {
        lab_words_release(remembered->tokens);
        remembered->tokens = lab_words_keep(tokens);
    }
    remembered->lesson = state->document.lesson;
    remembered->step = state->document.step;
    remembered->word = view->why_word;
    remembered->rival = view->why_rival;
    memcpy(remembered->named, view->why_named, sizeof remembered->named);
}
