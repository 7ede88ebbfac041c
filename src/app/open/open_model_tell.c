/* Says all of a model, or of a file of attention, when it is shown for the first time, in one
 * message: a second one would take the place of the first. */
#include "app/open/open_model_internal.h"
#include "base/translate.h"

/* Among many words a weight is small: on even colours little can be seen, and on a logarithmic
 * scale every trained head is the same triangle. The colours stay even; it is said what there is.
 */
static const char *faint_text(const struct app_state *state, struct arena *arena)
{
    enum { MANY = 96 };
    const struct app_open_model *const model = state->model;
    const size_t words = model->subject.dump != NULL ? lab_dump_facts(model->subject.dump)->m
                                                     : model_run_count(model->subject.run);
    const bool faint = words >= MANY && !state->view.prefs.display.logarithmic &&
                       !state->view.prefs.range_by_content;
    return !faint ? NULL
                  : arena_format(arena,
                                 tr("Among %zu words most weights are small: “log” in the settings "
                                    "shows those too."),
                                 words);
}

/* A model that came without a tokenizer, where nobody gave it numbers. */
static const char *ids_text(const struct app_state *state, struct arena *arena)
{
    const struct model *const model = state->model->subject.model;
    struct error why = {ERROR_NONE, 0, ""};
    return model == NULL || model_reads_text(model, &why)
               ? NULL
               : arena_format(arena,
                              tr("Words are numbers of tokens here: type some, as 1 5 7. %s"),
                              why.text);
}

void open_model_tell_opened(struct app_state *state, bool any_text, double time)
{
    struct arena arena = {0};
    const struct model *const model = state->model->subject.model;
    const char *const sentences[] = {
        model == NULL ? NULL : model_note(model, &arena), /* what of the files is not computed */
        faint_text(state, &arena), any_text ? ids_text(state, &arena) : NULL};
    const char *said = "";
    for (size_t i = 0; said != NULL && i < sizeof sentences / sizeof *sentences; i++) {
        if (sentences[i] != NULL && sentences[i][0] != '\0') {
            said = arena_format(&arena, "%s%s%s", said, said[0] == '\0' ? "" : " ", sentences[i]);
        }
    }
    if (said != NULL && said[0] != '\0') {
        app_state_show_message(state, time, "%s", said);
    }
    arena_free(&arena);
}
