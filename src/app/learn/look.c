/* The words as the weights of a step read them: learn_look asks each word for what its task wants
 * to follow it, makes the activations of the whole network, and of the layer that is shown an
 * experiment, from which the stages are computed like any other. learn_look_back does the same with
 * the weights of one step before, which a change is told from. Nothing here is kept for the next
 * frame but the activations. */
#include <stdlib.h>

#include "app/learn/learn_internal.h"
#include "base/translate.h"
#include "lab/run/sample.h"
#include "learn/experiment.h"
#include "learn/graph.h"

size_t learn_open_brackets(const int32_t *ids, size_t count)
{
    size_t open = 0;
    for (size_t i = 0; i < count; i++) {
        open += ids[i] % 2 == 0 ? 1 : open > 0 ? (size_t)-1 : 0;
    }
    return open;
}

/* Returns whether a task asks for the word behind place i: nobody can know which bracket opens, or
 * which letter comes behind one that was not there before. */
static bool asks_behind(enum learn_task_id task, const int32_t *ids, size_t i)
{
    size_t before = 0;
    while (before < i && ids[before] != ids[i]) {
        before++;
    }
    return task == LEARN_TASK_BRACKETS    ? ids[i + 1] % 2 == 1
           : task == LEARN_TASK_INDUCTION ? before < i
                                          : true;
}

/* Finds what is asked of the words on screen: each for the next, where the task asks for it; where
 * words see what follows, the task asks at each place. */
static void choose_targets(const struct learn_data *data, const int32_t *ids, size_t count,
                           int32_t *targets)
{
    const enum learn_task_id task = learn_data_request_of(data)->task;
    for (size_t i = 0; i < count; i++) {
        const bool follows = learn_data_is_causal(data) && i + 1 < count;
        targets[i] = follows && asks_behind(task, ids, i) ? ids[i + 1] : LEARN_NOT_ASKED;
        if (task == LEARN_TASK_COPY) {
            targets[i] = ids[(i + count - 1) % count];
        } else if (task == LEARN_TASK_REVERSE) {
            targets[i] = ids[count - 1 - i];
        } else if (task == LEARN_TASK_SORT) {
            int32_t next = -1, smallest = ids[i];
            for (size_t j = 0; j < count; j++) {
                smallest = ids[j] < smallest ? ids[j] : smallest;
                next = ids[j] > ids[i] && (next < 0 || ids[j] < next) ? ids[j] : next;
            }
            targets[i] = next < 0 ? smallest : next;
        }
    }
    if (task == LEARN_TASK_ADDITION && count == 3) {
        targets[0] = targets[1] = LEARN_NOT_ASKED;
        targets[2] = (int32_t)((ids[0] + ids[1]) % (int32_t)(learn_data_vocabulary(data) - 1));
    }
}

struct subject_trained learn_trained(const struct learn_activations *sentence,
                                     const struct learn_snapshot *moment,
                                     const struct lab_words *words)
{
    return (struct subject_trained){.view = {.sentence = sentence,
                                             .weights = moment->weights,
                                             .off = moment->head_off,
                                             .words = lab_words_list(words)}};
}

/* The word that the weights think likeliest behind all others: a gradient asks for it. */
static int32_t likeliest_word(struct app_learn *learn, const int32_t *ids, size_t count)
{
    struct learn_activations *const sentence = learn_activations_make(
        learn->network, learn->view->moment->weights, ids, NULL, count, NULL);
    uint32_t best = 0;
    if (sentence == NULL) {
        return LEARN_NOT_ASKED;
    }
    const struct lab_matrix p = learn_activations_part(sentence, LEARN_P, 0, 0);
    (void)lab_find_largest(p.values + (count - 1) * p.stride, p.cols, 1, &best);
    learn_activations_free(sentence);
    return (int32_t)best;
}

/* The new sentence in place of the former one, which the view was told of; the stages are there
 * without a block around them. */
static void take_sentence(struct app_learn *learn, struct learn_activations *sentence,
                          int32_t asked, struct lab_block *block)
{
    learn->shown.at_end = (struct view_learn_loss){.n = 0};
    learn_activations_free(learn->sentence);
    learn->sentence = sentence;
    learn->asked = asked;
    lab_block_release(learn->shown.block);
    learn->shown.block = block;
}

bool learn_look(struct app_state *state, const struct lab_words *tokens,
                struct lab_experiment *experiment, struct error *error)
{
    struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const moment = learn->view->moment;
    struct arena arena = {0};
    size_t count = 0;
    const int32_t *const ids = learn_ids(moment->data, tokens, &arena, &count, error);
    int32_t *const targets = arena_array(&arena, count + 1, sizeof *targets), asked = -1;
    struct learn_activations *sentence = NULL;
    if (ids != NULL && targets != NULL) {
        choose_targets(moment->data, ids, count, targets);
        learn_switch_heads(learn->network, moment);
        const bool ends = learn_data_request_of(moment->data)->task == LEARN_TASK_BRACKETS &&
                          learn_open_brackets(ids, count) == 0;
        if (learn->shown.show == VIEW_LEARN_GRADIENT && count > 0 && targets[count - 1] < 0 &&
            !ends) {
            targets[count - 1] = asked = likeliest_word(learn, ids, count);
        }
        sentence =
            learn_activations_make(learn->network, moment->weights, ids, targets, count, error);
    }
    struct subject_trained trained = learn_trained(sentence, moment, tokens);
    trained.vocabulary = learn_words_shown(learn);
    const struct subject subject = subject_of_trained(&trained);
    const struct subject_spot spot = {.layer = learn->layer};
    const bool done =
        sentence != NULL && subject_experiment(&subject, &spot, NULL, experiment, error);
    if (done) {
        struct error no_block = {ERROR_NONE, 0, ""};
        take_sentence(learn, sentence, asked, subject_block(&subject, &spot, &no_block));
    } else {
        learn_activations_free(sentence);
    }
    arena_free(&arena);
    return done;
}

const struct lab_trace *learn_look_back(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const moment = learn->view->moment;
    if (moment->made == NULL || learn->sentence == NULL) {
        return NULL;
    }
    struct learn_activations *const sentence = learn_activations_make(
        learn->network, moment->made->before, learn_activations_tokens(learn->sentence), NULL,
        learn_activations_count(learn->sentence), NULL);
    struct learn_layer_view view = learn_trained(sentence, moment, learn->tokens).view;
    view.weights = moment->made->before;
    view.layer = learn->layer;
    const struct lab_trace *const trace =
        sentence == NULL ? NULL : learn_trace(&view, &state->document.engine, NULL);
    learn_activations_free(sentence);
    return trace;
}

/* ---- where a number of the stages stands ---- */

bool learn_find_weight(const struct learn_snapshot *moment, size_t layer,
                       const struct lab_edit *edit, struct learn_edit *out)
{
    struct learn_place place;
    const bool is_weight = edit->part == LAB_W_Q || edit->part == LAB_W_K ||
                           edit->part == LAB_W_V || edit->part == LAB_W_O;
    if (!is_weight || !learn_place_of(&moment->recipe->shape, moment->tensors, edit->part, layer,
                                      edit->head, &place)) {
        return false;
    }
    const size_t at = place.first - place.tensor->offset + edit->row * place.row_step +
                      edit->column * place.column_step;
    *out = (struct learn_edit){.kind = LEARN_EDIT_WEIGHT,
                               .tensor = (size_t)(place.tensor - moment->tensors->tensor),
                               .row = at / place.tensor->cols,
                               .col = at % place.tensor->cols,
                               .value = edit->value};
    return edit->row < place.rows && edit->column < place.cols;
}

const struct learn_tensor *learn_stage_tensor(const struct app_state *state, const char **name)
{
    static const struct {
        enum learn_role role;
        const char *name;
    } stages[LAB_STAGES] = {[LAB_EMBED] = {LEARN_WTE, "the embedding"},
                            [LAB_PROJECT] = {LEARN_QKV, "W_Q, W_K, W_V"},
                            [LAB_SCORE] = {LEARN_QKV, "W_Q, W_K, W_V"},
                            [LAB_SCALE] = {LEARN_QKV, "W_Q, W_K, W_V"},
                            [LAB_SOFTMAX] = {LEARN_QKV, "W_Q, W_K, W_V"},
                            [LAB_BLEND] = {LEARN_QKV, "W_Q, W_K, W_V"},
                            [LAB_OUTPUT] = {LEARN_W_O, "W_O"}};
    const struct learn_snapshot *const moment = state->learn->view->moment;
    const enum lab_stage stage = state->view.playback.stage;
    const enum lab_part projected = state->view.pinned.projected;
    enum learn_role role = stages[stage].role;
    *name = tr(stages[stage].name);
    if (role == LEARN_QKV && moment->recipe->shape.family == LEARN_LLAMA) {
        const bool key = projected == LAB_K, value = projected == LAB_V;
        role = key ? LEARN_W_K : value ? LEARN_W_V : LEARN_W_Q;
        *name = key ? "W_K" : value ? "W_V" : "W_Q";
    }
    return learn_tensors_find(moment->tensors, role, state->learn->layer);
}

bool learn_is_pinned(const struct app_state *state)
{
    return state->document.compares == DOCUMENT_COMPARES_STEP;
}

bool learn_watches(const struct app_state *state)
{
    return state->learn->shown.show == VIEW_LEARN_CHANGE && !learn_is_pinned(state);
}

uint64_t learn_change_from(const struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    const uint64_t step = learn->view->moment->step;
    return learn_is_pinned(state) ? learn->pinned : step > 0 ? step - 1 : 0;
}

bool learn_goes_to_pin(const struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    return learn->course == LEARN_GOES && learn->learned->is_pinned && !learn_is_pinned(state);
}

struct lab_training *learn_training_of(const struct app_state *state,
                                       const struct learn_recipe *recipe, uint64_t step,
                                       struct error *error)
{
    const struct app_learn *const learn = state->learn;
    struct learn_learned now = *learn->learned;
    now.recipe = *recipe;
    now.step = step;
    now.until = 0;
    if (!learn_goes_to_pin(state)) { /* on the way there it is still as it was read */
        now.is_pinned = learn_is_pinned(state) && learn->pin_edits <= now.edits;
        now.pinned = learn->pinned;
        now.pin_edits = learn->pin_edits;
    }
    return learn_training_make(&now, error);
}
