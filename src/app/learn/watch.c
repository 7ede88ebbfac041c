/* A run shown as if it had been watched from its beginning: for pictures, which are the same on
 * every machine. */
#include <stdlib.h>

#include "app/learn/learn_internal.h"
#include "learn/maker.h"

static const double APART = 1.06; /* of a step, to the next that is looked at */

/* The document's experiment with these weights, without a step of history. */
static bool place(struct app_state *state, const struct learn_learned *learned, double time,
                  struct error *error)
{
    struct lab_experiment next;
    struct lab_words *const words = learn_learned_words(learned, error);
    if (words == NULL) {
        return false;
    }
    lab_experiment_copy(&next, document_present(&state->document));
    learn_maker_empty(&next);
    lab_words_release(next.learned);
    next.learned = words;
    document_change(&state->document, &next, NULL, time);
    lab_experiment_release(&next);
    app_learn_settle(state, time);
    return state->view.learn != NULL || error_set(error, ERROR_INPUT, "%s", state->message);
}

/* Every step that leaves a trace: where words came by, how heads looked. */
static void walk(struct app_state *state, uint64_t to, double time)
{
    struct learn_trainer *const trainer = state->learn->trainer;
    for (uint64_t step = 0; step < to;) {
        const uint64_t next = (uint64_t)((double)step * APART) + 1;
        step = next < to ? next : to;
        learn_trainer_seek(trainer, step);
        learn_trainer_wait(trainer); /* what it passes on the way depends on the machine */
        app_learn_settle(state, time);
    }
}

bool app_learn_watch(struct app_state *state, double time, struct error *error)
{
    const struct lab_experiment *const present = document_present(&state->document);
    if (present->learned == NULL || lab_words_count(present->tokens) == 0) {
        return true;
    }
    struct arena arena = {0};
    struct learn_learned *const wanted = arena_array(&arena, 2, sizeof *wanted);
    bool done = wanted != NULL
                    ? learn_learned_read(present->learned, &arena, wanted, error)
                    : error_set(error, ERROR_MEMORY, "There is not enough memory to learn.");
    if (done) {
        struct learn_learned *const start = wanted + 1;
        *start = *wanted;
        start->step = start->until = wanted->until = start->edits = 0;
        done = place(state, start, time, error);
    }
    if (done) {
        const uint64_t edited = wanted->edits > 0 ? wanted->edit[0].step : UINT64_MAX;
        walk(state, edited < wanted->step ? edited : wanted->step, time);
        done = place(state, wanted, time, error);
    }
    arena_free(&arena);
    return done;
}
