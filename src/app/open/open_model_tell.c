/* What is told of a model, or of a file of attention, when it is shown for the first time: of
 * several sentences the last matters most. */
#include "app/open/open_model_internal.h"

/* Among many words a weight is small: on even colours little can be seen, and on a logarithmic
 * scale every trained head is the same triangle. The colours stay even; it is said what there is.
 */
static void tell_faint(struct app_state *state, double time)
{
    enum { MANY = 96 };
    const struct app_open_model *const model = state->model;
    const size_t words =
        model->dump != NULL ? lab_dump_facts(model->dump)->m : model_run_count(model->run);
    if (words >= MANY && !state->view.prefs.display.logarithmic &&
        !state->view.prefs.range_by_content) {
        app_state_show_message(
            state, time,
            "Among %zu words most weights are small: “log” in the settings shows those too.",
            words);
    }
}

/* What there was in the files, and is not computed. */
static void tell_left_out(struct app_state *state, double time)
{
    struct arena arena = {0};
    const char *const note =
        state->model->model == NULL ? NULL : model_note(state->model->model, &arena);
    if (note != NULL && note[0] != '\0') {
        app_state_show_message(state, time, "%s", note);
    }
    arena_free(&arena);
}

/* A model that came without a tokenizer, where nobody gave it numbers. */
static void tell_ids(struct app_state *state, double time)
{
    const struct app_open_model *const model = state->model;
    struct error why = {ERROR_NONE, 0, ""};
    if (model->model != NULL && !model_reads_text(model->model, &why)) {
        app_state_show_message(
            state, time, "Words are numbers of tokens here: type some, as 1 5 7. %s", why.text);
    }
}

void open_model_tell_opened(struct app_state *state, bool any_text, double time)
{
    tell_left_out(state, time);
    tell_faint(state, time);
    if (any_text) {
        tell_ids(state, time);
    }
}
