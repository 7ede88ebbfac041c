/* What a person is told of a model or a file of attention when it is opened or has read another
 * text, and what is selected in it first: a word that it cannot guess, the message of a chat, the
 * last token. */
#include "app/open/open_model_internal.h"
#include "base/translate.h"

void open_model_tell_no_guess(struct app_state *state, double time)
{
    const struct app_open_model *const model = state->model;
    const uint32_t *const ids = model_run_ids(model->subject.run);
    const char *name = NULL;
    uint32_t mask = 0;
    if (model_has_logits(model->subject.model) ||
        !open_model_mask_token(model->subject.model, &mask, &name)) {
        return;
    }
    for (size_t i = 0; i < model_run_count(model->subject.run); i++) {
        if (ids[i] == mask) {
            app_state_show_message(state, time,
                                   "This model was saved without the weights that guess masked "
                                   "words: what may stand for %s is not known.",
                                   name);
            return;
        }
    }
}

void open_model_look_at_message(struct app_open_model *model)
{
    struct view_head_overview *const overview = &model->head_overview;
    const uint32_t *const ids = model_run_ids(model->subject.run);
    overview->offers_chat = !model_config(model->subject.model)->bidirectional &&
                            !model_has_target(model->subject.model);
    overview->no_chat = model_chat_lack(model->subject.model);
    overview->chat = NULL;
    if (model->read.origin == TEXT_OF_CHAT && overview->no_chat == NULL) {
        const struct model_message message =
            model_message_find(model->subject.model, ids, model_run_count(model->subject.run));
        overview->chat = model_chat(model->subject.model, NULL)->form;
        overview->chat_first = message.first;
        overview->chat_end = message.end;
        overview->chat_behind = message.behind;
    }
}

void open_model_follow_message(struct app_state *state, const struct lab_selection *was,
                               size_t former)
{
    const struct view_head_overview *const overview = &state->model->head_overview;
    const size_t first = overview->chat != NULL ? overview->chat_first : 0;
    const size_t query = was->query, key = was->key;
    state->view.pinned.query = first + (query > former ? query - former : 0);
    state->view.pinned.key = first + (key > former ? key - former : 0);
    app_state_clamp(state);
}

/* The last token sees all the others, where the first one of a causal model sees itself alone; and
 * of what it looks at the most. */
static void select_last_token(struct app_state *state)
{
    struct lab_selection *const pinned = &state->view.pinned;
    const struct lab_trace *const trace = state->document.trace;
    const struct lab_matrix alpha = trace != NULL
                                        ? lab_trace_part(trace, LAB_ALPHA, state->model->head)
                                        : (struct lab_matrix){0};
    if (alpha.values == NULL || alpha.rows == 0) {
        return;
    }
    pinned->query = alpha.rows - 1;
    pinned->key = 0;
    for (size_t j = 1; j < alpha.cols; j++) {
        const float most = lab_matrix_at(&alpha, pinned->query, pinned->key);
        pinned->key = lab_matrix_at(&alpha, pinned->query, j) > most ? j : pinned->key;
    }
}

void open_model_select_first_head(struct app_state *state, double time)
{
    const struct app_open_model *const model = state->model;
    state->view.pinned.head = model->head;
    app_state_clamp(state);
    if (model->subject.kind->reads && !model_config(model->subject.model)->bidirectional &&
        !model_has_target(model->subject.model)) {
        app_state_when_shown(state, select_last_token, time);
    }
}

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
