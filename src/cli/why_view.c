/* cli/why_view.c — why a model says a word, for a picture: what the window computes for its view.
 */
#include <string.h>

#include "app/actions/step.h"
#include "cli/calls.h"
#include "cli/model.h"
#include "cli/window.h"
#include "view/parts/why.h"
#include "why/word.h"

bool cli_view_is_of_why(const char *view)
{
    static const char *const names[] = {"why", "attribution", "effects", "lens"};
    bool is = false;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        is = is || strcmp(view, names[n]) == 0;
    }
    return is;
}

/* 1 + the id of an option's word, as the view has it; 0: it is not given. */
static bool find_word(const struct cli_options *options, enum cli_option option,
                      const struct cli_context *context, uint32_t *word, struct error *error)
{
    const struct cli_value *const value = &options->value[option];
    struct arena arena = {0};
    struct why_word found;
    if (!value->given) {
        return true;
    }
    const struct model_run *const run = context->model->subject.run;
    const bool done = why_word_find(run, context->model->subject.model, model_run_count(run) - 1,
                                    value->text, &arena, &found, error);
    *word = done ? found.id + 1 : 0;
    arena_free(&arena);
    return done;
}

bool cli_show_why(const struct cli_options *options, const struct cli_context *context,
                  struct app_state *state, struct error *error)
{
    if (context->model != NULL &&
        (!find_word(options, CLI_WORD, context, &state->view.why_word, error) ||
         !find_word(options, CLI_RIVAL, context, &state->view.why_rival, error))) {
        return false;
    }
    if (options->value[CLI_PATCH].given) { /* the list of the window has no other text */
        return error_set(error, ERROR_USAGE,
                         "--patch changes nothing in --view %s: attnscope why and ablate take it.",
                         options->value[CLI_VIEW].text);
    }
    state->view.why_shown = true;
    app_settle(state, 0);
    const struct view_why *const why = state->view.why;
    return (why != NULL && why->answer != NULL) ||
           error_set(error, ERROR_INPUT, "%s",
                     why != NULL && why->refused != NULL
                         ? why->refused
                         : "There is not enough memory to look into this model.");
}
