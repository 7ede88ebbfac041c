/* cli/why_view.c — why a model says a word, for a picture: what the window computes for its view.
 */
#include <string.h>

#include "app/actions/step.h"
#include "app/learn/learn.h"
#include "cli/calls.h"
#include "cli/model.h"
#include "cli/window.h"
#include "view/parts/blame.h"
#include "view/parts/learn.h"
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

/* Asks about another of the next words. */
static bool choose_next(struct app_state *state, const char *word, struct error *error)
{
    const struct view_learn *const learn = state->view.learn;
    for (size_t i = 0; i < learn->next_count; i++) {
        if (strcmp(learn->next[i].word, word) == 0) {
            (void)app_learn_apply(
                state,
                &(struct view_action){.kind = VIEW_ACTION_LEARN,
                                      .learn = {.act = VIEW_LEARN_BLAME, .which = i}},
                0);
            app_settle(state, 0);
            return true;
        }
    }
    return error_set(error, ERROR_INPUT, "“%.60s” is not among the likeliest next words.", word);
}

bool cli_show_blame(const struct cli_options *options, struct app_state *state, struct error *error)
{
    const struct cli_value *const word = &options->value[CLI_WORD];
    if (state->view.learn == NULL) {
        return error_set(error, ERROR_INPUT,
                         "--view blame asks weights that learn: those of a lesson or a session.");
    }
    app_learn_look_closely(state, VIEW_OVERLAY_BLAME, 0);
    app_settle(state, 0);
    if (word->given && !choose_next(state, word->text, error)) {
        return false;
    }
    const struct view_blame *const blame = state->view.learn->blame;
    return (blame != NULL && blame->word != NULL) ||
           error_set(error, ERROR_INPUT, "%s",
                     blame != NULL && blame->refused != NULL ? blame->refused
                                                             : "There is not enough memory.");
}

bool cli_refuse_interventions(const struct cli_options *options, struct error *error)
{
    for (size_t o = CLI_WITHOUT; o <= CLI_PATCH; o++) {
        if (options->value[o].given) {
            return error_set(error, ERROR_USAGE,
                             "--%s changes nothing in --view %s: attnscope why and ablate take it.",
                             cli_option_row((enum cli_option)o)->name,
                             options->value[CLI_VIEW].text);
        }
    }
    return true;
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
