/* cli/why_view.c — why a model says a word, for a picture: what the window computes for its view.
 */
#include <string.h>

#include "app/actions/step.h"
#include "app/learn/learn.h"
#include "app/why/patch.h"
#include "cli/calls.h"
#include "cli/model.h"
#include "cli/window.h"
#include "lab/run/sample.h"
#include "view/parts/blame.h"
#include "view/parts/learn.h"
#include "view/parts/why.h"
#include "why/intervention_text.h"
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

/* The question of the call: as patch asks it, of the likeliest word where none is given. */
static bool ask_of_both(const struct cli_options *options, const struct cli_context *context,
                        struct why_ablation *of, struct arena *arena, struct error *error)
{
    struct subject *const subject = &context->model->subject;
    const struct model_config *const config = model_config(subject->model);
    const struct subject_spot last = {.which = context->model->spot.which,
                                      .layer = config->layers - 1};
    uint32_t word = 0, rival = 0;
    if (!subject_compute(subject, &last, error) ||
        !find_word(options, CLI_WORD, context, &word, error) ||
        !find_word(options, CLI_RIVAL, context, &rival, error)) {
        return false;
    }
    const size_t position = model_run_count(subject->run) - 1;
    float *const logits = arena_array(arena, config->vocabulary, sizeof *logits);
    uint32_t best = 0;
    if (logits == NULL) {
        return error_set(error, ERROR_MEMORY,
                         "There is not enough memory to look into this model.");
    }
    if (!model_run_logits(subject->run, position, 1, logits, error)) {
        return false;
    }
    (void)lab_find_largest(logits, config->vocabulary, 1, &best);
    *of = (struct why_ablation){.run = subject->run,
                                .model = subject->model,
                                .question = {.position = position,
                                             .word = word > 0 ? word - 1 : best,
                                             .rival = rival > 0 ? rival - 1 : 0,
                                             .has_rival = rival > 0}};
    return !of->question.has_rival || of->question.word != of->question.rival ||
           error_set(error, ERROR_USAGE, "--word and --rival are the same token, “%.40s”.",
                     options->value[CLI_RIVAL].text);
}

bool cli_show_patch(const struct cli_options *options, const struct cli_context *context,
                    struct app_state *state, struct cli_overview *own, struct error *error)
{
    const struct cli_value *const changed = &options->value[CLI_CHANGED];
    const enum why_patched what = (enum why_patched)options->value[CLI_WHAT].whole;
    struct why_patching patching = {.layers = 0};
    struct why_ablation of;
    if (context->model == NULL || !changed->given) {
        return error_set(error, ERROR_USAGE,
                         "--view patch takes a model and two texts with as many tokens: --tokens "
                         "and --changed.");
    }
    if (!cli_refuse_interventions(options, error) ||
        !ask_of_both(options, context, &of, &own->arena, error)) {
        return false;
    }
    struct view_patch *const shown = arena_array(&own->arena, 1, sizeof *shown);
    struct model_run *const other =
        why_other_run(&context->model->read, changed->text, &own->arena, error);
    const bool done =
        other != NULL && why_patch(&of, other, what, &patching, error) &&
        (shown != NULL ||
         error_set(error, ERROR_MEMORY, "There is not enough memory to look into this model.")) &&
        app_why_patch_show(&of, other, what, &patching, &own->arena, shown, error);
    state->view.patch = done ? shown : NULL;
    why_patching_free(&patching);
    model_run_close(other);
    return done;
}
