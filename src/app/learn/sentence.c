/* The sentence below the title while weights learn: which head this is, at which step, and what
 * there is to say of it on this stage, such as what it was seen to do, what a gradient asks, what a
 * change is told from, or that a matrix is frozen. Written anew in each frame. */
#include <math.h>

#include "app/learn/learn_internal.h"
#include "base/text.h"
#include "base/translate.h"

/* Returns the share that the word which asks gives the noun before it, where it stands last in the
 * present sentence; NaN: it is not there, or no noun is. */
static float share_of_noun(const struct app_learn *learn, size_t head)
{
    const struct learn_data *const data = learn->view->moment->data;
    const struct learn_score_texts texts = learn_data_score_texts(data);
    size_t kinds = 0;
    const int32_t *const kind = learn_data_kinds(data, &kinds);
    const int32_t *const token = learn_activations_tokens(learn->sentence);
    const struct lab_matrix alpha =
        learn_activations_part(learn->sentence, LEARN_ALPHA, learn->layer, head);
    size_t asks = learn_activations_count(learn->sentence);
    while (asks > 0 && texts.rows > 0 && token[asks - 1] != texts.tokens[texts.width - 1]) {
        asks--;
    }
    for (size_t i = asks; kind != NULL && texts.rows > 0 && i > 0; i--) {
        if (kind[token[i - 1]] >= 0) {
            return lab_matrix_at(&alpha, asks - 1, i - 1);
        }
    }
    return NAN;
}

/* Returns whether an event of this score and head is at the step that is shown. */
static bool is_event(const struct app_learn *learn, enum learn_score score, size_t head)
{
    bool found = false;
    for (size_t e = 0; e < learn->view->event_count; e++) {
        const struct learn_event *const event = &learn->view->events[e];
        found = found || (event->has_head && event->score == score && event->head == head &&
                          event->layer == learn->layer && event->step == learn->view->moment->step);
    }
    return found;
}

/* Says what a head was seen to do: a score is a mean, and these words may be another matter. */
static const char *seen_of(struct app_learn *learn, enum learn_score score, size_t head)
{
    static const struct {
        enum learn_score score;
        const char *nobody, *mean;
    } rows[] = {
        {LEARN_SCORE_NOUN, "nobody told it that “%s” should look at the noun.",
         "over %zu texts it gives the noun %s %% on average."},
        {LEARN_SCORE_ANSWER, "nobody told it where the answer stands.",
         "over %zu texts it gives the answer %s %% on average."},
        {LEARN_SCORE_INDUCTION, "nobody told it to look behind the last time.",
         "over %zu texts it gives the place behind the last time %s %% on average."},
        {LEARN_SCORE_PREVIOUS, "nobody told it to look at the one before.",
         "over %zu texts it gives the one before %s %% on average."},
        {LEARN_SCORE_MATCH, "nobody told it which bracket is open.",
         "over %zu texts it gives the bracket to close %s %% on average."},
    };
    const struct learn_data *const data = learn->view->moment->data;
    const size_t texts = learn_data_score_texts(data).rows;
    size_t r = 0;
    while (r + 1 < sizeof rows / sizeof *rows && rows[r].score != score) {
        r++;
    }
    const float mean = learn->view->moment->scores.head[score][learn->layer][head];
    const bool of_noun = score == LEARN_SCORE_NOUN;
    const float here = of_noun ? share_of_noun(learn, head) : NAN;
    char percent[TEXT_NUMBER_MAX], own[TEXT_NUMBER_MAX];
    if (!is_event(learn, score, head) && !(here < 0.4f)) {
        return of_noun ? arena_format(&learn->said, tr(rows[r].nobody), learn_asking_word(data))
                       : tr(rows[r].nobody);
    }
    text_number(percent, (double)mean * 100, 0);
    text_number(own, (double)here * 100, 0);
    return isnan(here) ? arena_format(&learn->said, tr(rows[r].mean), texts, percent)
                       : arena_format(&learn->said,
                                      "over %zu texts it gives the noun %s %% on average, here "
                                      "%s %%.",
                                      texts, percent, own);
}

/* A class is asked where a head looks, and has not been answered. */
static bool is_asked(const struct app_state *state)
{
    return state->view.guess != LAB_GUESS_NONE && !state->view.revealed;
}

/* The matrix of the stage, where it learns no more; NULL: it learns. */
static const char *frozen_matrix(const struct app_state *state)
{
    const struct learn_snapshot *const moment = state->learn->view->moment;
    const enum lab_stage stage = state->view.playback.stage;
    const char *name = NULL;
    const struct learn_tensor *const tensor = learn_stage_tensor(state, &name);
    const bool stands = stage == LAB_EMBED || stage == LAB_PROJECT || stage == LAB_OUTPUT;
    return stands && tensor != NULL && moment->frozen->tensor[tensor - moment->tensors->tensor]
               ? name
               : NULL;
}

/* "L0H0 at step 910 — nobody told it that “is” should look at the noun." */
static const char *sentence_of(struct app_state *state)
{
    static const enum learn_score rows[] = {LEARN_SCORE_NOUN, LEARN_SCORE_ANSWER,
                                            LEARN_SCORE_INDUCTION, LEARN_SCORE_PREVIOUS,
                                            LEARN_SCORE_MATCH};
    struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const moment = learn->view->moment;
    const size_t head =
        state->view.pinned.head < moment->recipe->shape.heads ? state->view.pinned.head : 0;
    char step[TEXT_NUMBER_MAX];
    const char *const who = arena_format(&learn->said, tr("L%zuH%zu at step %s"), learn->layer,
                                         head, text_count(step, (size_t)moment->step));
    if (who != NULL && learn->shown.show == VIEW_LEARN_GRADIENT) {
        const size_t asked = learn_activations_result(learn->sentence).asked;
        return learn->asked >= 0
                   ? arena_format(
                         &learn->said,
                         tr_n("%s — the loss asks %zu place for what follows: for “%s”, the "
                              "likeliest.",
                              "%s — the loss asks %zu places for what follows; the last for “%s”, "
                              "the likeliest.",
                              asked),
                         who, asked, learn_words_shown(learn)[learn->asked])
                   : arena_format(&learn->said, tr("%s — the loss asks each place for its answer."),
                                  who);
    }
    if (who != NULL && learn->shown.show == VIEW_LEARN_CHANGE && moment->step > 0) {
        return arena_format(&learn->said, tr("%s — what has changed since step %s"), who,
                            text_count(step, (size_t)learn_change_from(state)));
    }
    const bool asks = is_asked(state); /* what the head does would tell */
    for (size_t r = 0; r < sizeof rows / sizeof *rows && who != NULL && !asks; r++) {
        const float score = moment->scores.head[rows[r]][learn->layer][head];
        if (score >= 0.4f && state->view.playback.stage == LAB_SOFTMAX) {
            return arena_format(&learn->said, "%s — %s", who, seen_of(learn, rows[r], head));
        }
    }
    const char *const frozen = frozen_matrix(state);
    if (who != NULL && frozen != NULL) {
        return arena_format(&learn->said, tr("%s — frozen: %s"), who, frozen);
    }
    return moment->step == 0 && who != NULL
               ? arena_format(&learn->said, "%s — %s", who,
                              tr("random numbers: nothing has been learned yet."))
               : who;
}

void learn_tell_sentence(struct app_state *state)
{
    arena_reset(&state->learn->said);
    state->learn->shown.sentence = sentence_of(state);
}
