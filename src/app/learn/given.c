/* Weights that lie in a folder beside a session, and are shown without training. */
#include "app/learn/learn_internal.h"

struct lab_step_weights learn_saved_of(const struct app_learn *learn,
                                       const struct learn_learned *learned)
{
    const struct learn_given *const given = &learn->given;
    struct arena arena = {0};
    struct learn_learned *const own =
        given->learned == NULL ? NULL : arena_array(&arena, 1, sizeof *own);
    const bool same = own != NULL && learn_learned_read(given->learned, &arena, own, NULL) &&
                      own->step == learned->step && learn_learned_same_run(own, learned);
    arena_free(&arena);
    return same ? given->weights : (struct lab_step_weights){.folder = NULL};
}

bool learn_stand_on_saved(struct app_state *state, struct learn_learned *wanted, double time)
{
    struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const first = learn->view->moment;
    const struct lab_step_weights beside = learn_saved_of(learn, wanted);
    const struct learn_saved saved = {beside.folder, beside.has_mark, beside.mark};
    struct arena arena = {0};
    struct error error = {ERROR_NONE, 0, ""};
    const float *const weights =
        saved.folder == NULL || wanted->is_pinned
            ? NULL
            : learn_saved_read(&saved, first->recipe, wanted, &arena, &error);
    if (error.code != ERROR_NONE) {
        app_state_show_message(state, time, "Its saved weights are not used: %.180s", error.text);
    }
    bool stands = weights != NULL;
    if (stands) {
        learn_find_cuts(learn, wanted);
        stands = learn_trainer_replay_known(learn->trainer, wanted->edit, wanted->edits,
                                            wanted->step, weights, first->tensors->floats);
    }
    arena_free(&arena);
    return stands;
}
