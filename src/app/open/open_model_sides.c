/* Chooses among the attentions of a file about a model that reads one text and writes another: of
 * each text to itself, or of the second to the first. One is open at a time; a message names what
 * is not used of the file. */
#include <stdio.h>
#include <string.h>

#include "app/open/open_model_internal.h"
#include "base/translate.h"

void open_model_note_side(struct app_open_model *model)
{
    if (model->said == NULL) {
        model->said = app_dump_options_keep(model->options);
        model->said_of = lab_dump_facts(model->subject.dump)->shown;
    }
}

void open_model_look_at_sides(struct app_open_model *model)
{
    struct view_head_overview *const head_overview = &model->head_overview;
    const struct lab_dump_facts *const facts = lab_dump_facts(model->subject.dump);
    head_overview->lacks_attentions = 0;
    for (size_t s = 0; s < LAB_DUMP_SIDES; s++) {
        head_overview->lacks_attentions |= facts->side[s] == NULL ? 1U << s : 0;
    }
    if (facts->side[facts->shown] != NULL) {
        head_overview->attentions = LAB_DUMP_SIDES;
        head_overview->attention = facts->shown;
    }
}

/* Returns the options of the opened file, less those of one array alone: its keys and words. The
 * caller holds one reference. NULL: no memory. */
static const struct app_dump_options *side_options(const struct app_open_model *model, size_t side)
{
    struct lab_dump_request request = model->said->request;
    if (side != (size_t)model->said_of) {
        request.array = lab_dump_facts(model->subject.dump)->side[side];
        request.keys = request.inside = request.words = request.tokens = request.context = "";
    }
    return app_dump_options_new(&request, DUMP_DOUBT_IS_SETTLED);
}

bool open_model_shows_side(const struct app_state *state, size_t side)
{
    const struct open_model_reading *const reading = open_model_shown_reading(state);
    return reading != NULL && reading->side == side;
}

bool open_model_show_side(struct app_state *state, size_t side, double time)
{
    struct app_open_model *const model = state->model;
    const struct lab_dump_facts *const facts = lab_dump_facts(model->subject.dump);
    if (side >= LAB_DUMP_SIDES || side == (size_t)facts->shown || facts->side[side] == NULL) {
        return false;
    }
    open_model_cancel(state, model);
    struct open_model_work *const work = open_model_new_work(state, NULL, "");
    if (work != NULL) {
        subject_release(&work->subject);
        app_dump_options_release(work->options);
        work->options = side_options(model, side);
        if (open_model_shows_side(state, side)) {
            work->ready.layer_ref.spot.layer = state->document.experiment.layer;
        }
    }
    if (work != NULL && work->options == NULL) {
        value_release(&work->value);
        return open_model_begin(state, NULL, time);
    }
    return open_model_begin(state, work, time);
}

void open_model_tell_dump(struct app_state *state, double time)
{
    const struct lab_dump_facts *const facts = lab_dump_facts(state->model->subject.dump);
    struct arena arena = {0};
    const char *const usage = lab_dump_usage(state->model->subject.dump, &arena);
    const char *const gap = facts->doubt[0] == '\0' ? "" : " ";
    const bool is_short =
        usage != NULL && strlen(facts->doubt) + strlen(usage) + 2 < sizeof state->message;
    if (facts->unused_count > 0 && is_short) {
        app_state_show_message(state, time, "%s%s%s", facts->doubt, gap, usage);
    } else if (facts->unused_count > 0) {
        app_state_show_message(state, time, tr("%s%sNot used are %zu of its arrays."), facts->doubt,
                               gap, facts->unused_count);
    } else if (facts->doubt[0] != '\0') {
        app_state_show_message(state, time, "%s", facts->doubt);
    }
    arena_free(&arena);
}
