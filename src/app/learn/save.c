/* What was learned, as a folder that others open too. */
#include "app/learn/learn_internal.h"
#include "learn/checkpoint.h"

bool app_learn_save_model(struct app_state *state, const char *folder, struct error *error)
{
    if (state->learn == NULL || state->view.learn == NULL) {
        return error_set(error, ERROR_INPUT, "Nothing has been learned yet: train something.");
    }
    const struct learn_model model = learn_model_of_snapshot(state->learn->view->moment);
    return learn_model_save(folder, &model, error);
}
