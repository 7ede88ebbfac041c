/* Saves learned weights as a folder that other programs open too, and shows weights that lie
 * beside a session without training. */
#include <stdio.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "base/file.h"
#include "learn/checkpoint.h"
#include "learn/cost.h"
#include "learn/weight_rebuilder.h"

struct lab_step_weights learn_saved_of(const struct app_learn *learn,
                                       const struct learn_learned *learned)
{
    const struct learn_given *const given = &learn->given;
    const struct learn_learned *const own = learn_training_record(given->learned);
    const bool same =
        own != NULL && own->step == learned->step && learn_learned_same_run(own, learned);
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

/* What cannot be read stays, and is said when the step is shown. */
static void read_training(const struct lab_training **place)
{
    if (*place != NULL) {
        (void)learn_training_read(place, NULL);
    }
}

void app_learn_read_lesson(struct lab_lesson *lesson)
{
    for (size_t s = 0; s < lesson->steps; s++) {
        read_training(&lesson->step[s].experiment.learned);
        read_training(&lesson->step[s].tried.learned);
    }
}

/* Returns whether weights are known without training; those of own text never are. */
static bool is_known(const struct learn_learned *learned)
{
    struct learn_recipe recipe = learned->recipe;
    struct learn_data *const data =
        recipe.task == LEARN_TASK_TEXT ? NULL : learn_recipe_data_of(&recipe, NULL, NULL);
    if (data == NULL) {
        return false;
    }
    learn_recipe_fit(&recipe, data);
    learn_data_release(data);
    return learn_cost_is_none(&recipe, learned);
}

bool app_learn_knows_lesson(const struct lab_lesson *lesson)
{
    bool knows = true;
    for (size_t s = 0; knows && s < lesson->steps; s++) {
        const struct lab_training *const training = lesson->step[s].experiment.learned;
        const struct learn_learned *const learned = learn_training_record(training);
        knows = training == NULL || (learned != NULL && is_known(learned));
    }
    return knows;
}

bool app_learn_fill_lesson(struct lab_lesson *lesson, const struct lab_engine *engine,
                           struct error *error)
{
    struct learn_weight_rebuilder rebuilder = {.trains_nothing = true};
    bool filled = true;
    for (size_t s = 0; filled && s < lesson->steps; s++) {
        filled =
            learn_weight_rebuilder_fill(&rebuilder, &lesson->step[s].experiment, engine, error);
    }
    learn_weight_rebuilder_close(&rebuilder);
    return filled;
}

void app_learn_use_saved(struct app_state *state, const struct lab_training *learned,
                         const struct lab_step_weights *weights)
{
    if ((weights->folder == NULL && state->learn == NULL) || !app_learn_open(state)) {
        return;
    }
    struct learn_given *const given = &state->learn->given;
    learn_hold_training(&given->learned, weights->folder == NULL ? NULL : learned);
    given->weights = *weights;
    if (weights->folder != NULL) {
        snprintf(given->folder, sizeof given->folder, "%s", weights->folder);
        given->weights.folder = given->folder;
    }
}

/* Returns what the document says of its weights; NULL: they are not learned. */
static const struct learn_learned *present_of(const struct app_state *state)
{
    return state->learn == NULL
               ? NULL
               : learn_training_record(document_present(&state->document)->learned);
}

struct lab_step_weights app_learn_saved(const struct app_state *state)
{
    const struct learn_learned *const learned = present_of(state);
    return learned == NULL ? (struct lab_step_weights){.folder = NULL}
                           : learn_saved_of(state->learn, learned);
}

bool app_learn_is_long(const struct app_state *state)
{
    const struct learn_learned *const learned = present_of(state);
    return learned != NULL && state->view.learn != NULL && !learned->is_pinned &&
           learn_cost_of(state->learn->view->moment->recipe, learned).products >
               LEARN_PRODUCTS_LONG;
}

bool app_learn_was_saved(const struct app_state *state)
{
    return state->learn != NULL && state->learn->given.learned != NULL;
}

bool app_learn_saves_to(const struct app_state *state, const char *folder)
{
    return app_learn_was_saved(state) && strcmp(state->learn->given.folder, folder) == 0;
}

bool app_learn_weights_folder(const char *path, char *folder, size_t size)
{
    static const char suffix[] = ".json";
    char full[LAB_MODEL_PATH_MAX];
    if (!file_full_path(path, full, sizeof full)) {
        return false;
    }
    const size_t length = strlen(full), tail = sizeof suffix - 1;
    const bool ends = length > tail && strcmp(full + length - tail, suffix) == 0;
    const int all = snprintf(folder, size, "%.*s-weights", (int)(length - (ends ? tail : 0)), full);
    return all > 0 && (size_t)all < size;
}

/* The moment that the document shows; NULL: its run is on its way there. */
static const struct learn_snapshot *moment_of(const struct app_state *state,
                                              const struct learn_learned *learned)
{
    const struct app_learn *const learn = state->learn;
    const bool stands = learned != NULL && state->view.learn != NULL &&
                        learn->course == LEARN_STANDS && learn->view->comes_to == 0 &&
                        learn->view->moment->is_exact && learn->view->moment->step == learned->step;
    return stands ? learn->view->moment : NULL;
}

bool app_learn_save_weights(struct app_state *state, const char *path, struct error *error)
{
    char folder[LAB_MODEL_PATH_MAX];
    struct lab_step_weights weights = {.folder = folder, .has_mark = true};
    const struct learn_learned *const learned = present_of(state);
    const struct learn_snapshot *const moment = moment_of(state, learned);
    bool done = moment != NULL ||
                error_set(error, ERROR_INPUT, "The weights of this step are not there yet: wait.");
    if (done) {
        const struct learn_model model = learn_model_of_snapshot(moment);
        done = (app_learn_weights_folder(path, folder, sizeof folder) ||
                error_set(error, ERROR_FILE, "The path of the session is too long.")) &&
               learn_saved_mark(learned, moment->weights, moment->tensors->floats, &weights.mark,
                                error) &&
               learn_model_save(folder, &model, error);
    }
    if (done) {
        app_learn_use_saved(state, document_present(&state->document)->learned, &weights);
    }
    return done;
}

bool app_learn_save_model(struct app_state *state, const char *folder, struct error *error)
{
    if (state->learn == NULL || state->view.learn == NULL) {
        return error_set(error, ERROR_INPUT, "Nothing has been learned yet: train something.");
    }
    const struct learn_model model = learn_model_of_snapshot(state->learn->view->moment);
    return learn_model_save(folder, &model, error);
}
