/* From a step of training to what is seen: learn_look makes the experiment of a layer that has read
 * the words, and learn_tell fills all that the views of training are told (struct view_learn). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "base/text.h"
#include "base/translate.h"
#include "lab/run/sample.h"
#include "learn/experiment.h"

/* ---- what is asked ---- */

/* Brackets that are open behind these; a token that is odd closes. */
static size_t open_brackets(const int32_t *ids, size_t count)
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
                          open_brackets(ids, count) == 0;
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

/* ---- what may come next ---- */

/* "next word after “it is”", "answer to “7 + 9”": what the bars are the shares of. */
static const char *next_title(struct app_learn *learn, size_t at)
{
    const struct learn_data *const data = learn->view->moment->data;
    const char *const *const words = lab_words_list(learn->tokens);
    const bool sum = lab_words_count(learn->tokens) == 3 && at == 2;
    switch (learn->learned->recipe.task) {
    case LEARN_TASK_COPY:
    case LEARN_TASK_REVERSE:
    case LEARN_TASK_SORT:
        return arena_format(&learn->texts, tr("answer at “%s”, place %zu"), words[at], at + 1);
    case LEARN_TASK_ADDITION:
        return sum ? arena_format(&learn->texts, tr("answer to “%s + %s”"), words[0], words[1])
                   : arena_format(&learn->texts, tr("answer after “%s”"), words[at]);
    case LEARN_TASK_BRACKETS:
        return arena_format(&learn->texts, tr("next bracket after “%s”"), words[at]);
    default:
        break;
    }
    const bool letters =
        learn_data_is_letters(data) || learn->learned->recipe.task == LEARN_TASK_INDUCTION;
    return letters  ? arena_format(&learn->texts, tr("next letter after “%s”"), words[at])
           : at > 0 ? arena_format(&learn->texts, tr("next word after “%.40s %.40s”"),
                                   words[at - 1], words[at])
                    : arena_format(&learn->texts, tr("next word after “%s”"), words[at]);
}

/* The place that the next words are shown of. A step of a lesson is about the word that it has
 * chosen; a text of one's own goes on behind its last one. */
static size_t next_place(const struct app_state *state)
{
    const struct view_state *const view = &state->view;
    const size_t n = learn_activations_count(state->learn->sentence);
    const bool ends = learn_data_is_causal(state->learn->view->moment->data) &&
                      (view->steps == 0 || view->lesson_changed);
    return ends || view->pinned.query >= n ? n - 1 : view->pinned.query;
}

static void tell_next(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    struct view_learn *const shown = &learn->shown;
    const size_t at = learn->next_at = next_place(state);
    const struct lab_matrix p = learn_activations_part(learn->sentence, LEARN_P, 0, 0);
    const float *const share = p.values + at * p.stride;
    shown->next_count = lab_find_largest(share, p.cols, VIEW_NEXT_MAX, learn->next_id);
    for (size_t i = 0; i < shown->next_count; i++) {
        const char *const word = learn_words_shown(learn)[learn->next_id[i]];
        shown->next[i] = (struct view_next){.word = arena_text(&learn->texts, word, strlen(word)),
                                            .id = learn->next_id[i],
                                            .share = (double)share[learn->next_id[i]]};
    }
    shown->next_title = next_title(learn, at);
    shown->next_writes = learn_data_is_causal(learn->view->moment->data) &&
                         learn->learned->recipe.task != LEARN_TASK_ADDITION;
    if (learn->learned->recipe.task == LEARN_TASK_BRACKETS &&
        open_brackets(learn_activations_tokens(learn->sentence), at + 1) == 0) {
        shown->next_title = tr("all brackets are closed");
        shown->next_count = 0;
        shown->next_writes = false;
    }
    shown->next_joins = shown->next_writes && at + 1 == learn_activations_count(learn->sentence);
}

/* Tells the question about each word and the answer of the weights, as long as the sentence is
 * there. */
static void tell_end(struct app_learn *learn)
{
    const struct learn_activations *const sentence = learn->sentence;
    const size_t n = learn_activations_count(sentence);
    float *const loss = arena_array(&learn->texts, n + 1, sizeof *loss);
    for (size_t i = 0; loss != NULL && i < n; i++) {
        loss[i] = learn_activations_loss(sentence, i);
    }
    learn->shown.at_end =
        (struct view_learn_loss){.n = loss == NULL ? 0 : n,
                                 .kind = learn_words_shown(learn),
                                 .logit = learn_activations_part(sentence, LEARN_LOGITS, 0, 0),
                                 .share = learn_activations_part(sentence, LEARN_P, 0, 0),
                                 .right = learn_activations_targets(sentence),
                                 .loss = loss,
                                 .mean = learn_activations_result(sentence).loss};
}

/* ---- curves and events ---- */

static float *alloc_floats(struct app_learn *learn, size_t count)
{
    return arena_array(&learn->points, count + 1, sizeof(float));
}

/* The word that is to find the noun, in the language of the data: "is". */
static const char *asking_word(const struct learn_data *data)
{
    const struct learn_score_texts texts = learn_data_score_texts(data);
    return texts.rows > 0 ? learn_data_words(data)[texts.tokens[texts.width - 1]] : "";
}

static const char *score_name(struct app_learn *learn, enum learn_score score)
{
    if (score == LEARN_SCORE_NOUN) {
        return arena_format(&learn->texts, tr("“%s” → the noun"),
                            asking_word(learn->view->moment->data));
    }
    const char *const names[LEARN_SCORE_ROWS] = {
        [LEARN_SCORE_ANSWER] = tr("looks at the answer"),
        [LEARN_SCORE_PREVIOUS] = tr("→ the one before"),
        [LEARN_SCORE_INDUCTION] = tr("→ behind the last time"),
        [LEARN_SCORE_MATCH] = tr("→ its bracket"),
        [LEARN_SCORE_KINDS] = tr("kinds apart"),
        [LEARN_SCORE_FREQUENCIES] = tr("three frequencies")};
    return names[score];
}

/* With the head whose score it is. */
static const char *score_label(struct app_learn *learn, enum learn_score score)
{
    const struct learn_scores *const scores = &learn->view->moment->scores;
    size_t layer = 0, head = 0;
    if (score < LEARN_SCORES_OF_HEADS) {
        layer = scores->layer[score];
        head = scores->best_head[score];
    }
    for (size_t e = 0; e < learn->view->event_count; e++) { /* it is called as what it will do */
        const struct learn_event *const event = &learn->view->events[e];
        layer = event->has_head && event->score == score ? event->layer : layer;
        head = event->has_head && event->score == score ? event->head : head;
    }
    return score < LEARN_SCORES_OF_HEADS
               ? arena_format(&learn->texts, "%s, L%zuH%zu", score_name(learn, score), layer, head)
               : score_name(learn, score);
}

/* A curve that is not there yet; NULL: no room, or nothing to draw. */
static struct view_learn_curve *add_curve(struct app_learn *learn, const char *name,
                                          enum lab_role role, const float *value, float high)
{
    struct view_learn *const shown = &learn->shown;
    if (value == NULL || shown->curves == VIEW_LEARN_CURVES_MAX || name == NULL) {
        return NULL;
    }
    struct view_learn_curve *const curve = &shown->curve[shown->curves++];
    *curve = (struct view_learn_curve){
        .name = name, .role = role, .value = value, .low = 0, .high = high, .now = NAN};
    return curve;
}

static void tell_now(struct view_learn_curve *curve, float now, enum view_learn_unit unit,
                     const char *about)
{
    if (curve != NULL) {
        curve->now = now;
        curve->unit = unit;
        curve->about = about;
    }
}

/* Shares of attention, of power, of answers; how far kinds stand apart is none. */
static enum view_learn_unit unit_of(enum learn_score score)
{
    return score == LEARN_SCORE_KINDS ? VIEW_LEARN_COSINE : VIEW_LEARN_SHARE;
}

static void tell_score(struct app_learn *learn, struct view_learn_curve *curve,
                       enum learn_score score, float now)
{
    tell_now(curve, now, unit_of(score), learn_score_about(score));
    if (curve != NULL) {
        curve->brief = score_name(learn, score);
        curve->attends = score < LEARN_SCORES_OF_HEADS;
    }
}

/* The same of the other seed, dashed. */
static struct view_learn_curve *add_beside(struct app_learn *learn, const char *name, int score,
                                           enum lab_role role, float high)
{
    float *const value =
        learn->beside.view != NULL ? alloc_floats(learn, learn->shown.points) : NULL;
    struct view_learn_curve *const curve =
        learn_beside_curve(learn, score, value) ? add_curve(learn, name, role, value, high) : NULL;
    if (curve != NULL) {
        curve->dashed = true;
        curve->now = learn_beside_now(learn, score);
    }
    return curve;
}

/* Says whether the name of a score would say what nobody has seen yet: of frequencies one speaks
 * when numbers stand on circles. */
static bool is_too_early(const struct learn_task_score *row, float now)
{
    return row->score == LEARN_SCORE_FREQUENCIES && now < row->threshold;
}

static void add_scores(struct app_learn *learn, const struct learn_task *task)
{
    static const enum lab_role roles[] = {LAB_ROLE_QUERY, LAB_ROLE_VALUE, LAB_ROLE_KEY};
    const struct learn_view *const view = learn->view;
    for (size_t s = 0; s < task->scores && (s < 2 || task->has_test); s++) {
        const enum learn_score score = task->score[s].score;
        if (is_too_early(&task->score[s], view->moment->scores.best[score])) {
            continue;
        }
        float *const value = alloc_floats(learn, view->point_count);
        for (size_t i = 0; value != NULL && i < view->point_count; i++) {
            value[i] = view->points[i].best[score];
        }
        tell_score(learn, add_curve(learn, score_label(learn, score), roles[s % 3], value, 1),
                   score, view->moment->scores.best[score]);
    }
}

static void tell_curves(struct app_learn *learn)
{
    const struct learn_view *const view = learn->view;
    const struct learn_task *const task = learn_task_at(learn->learned->recipe.task);
    const struct learn_measured *const now = &learn->measured;
    struct view_learn *const shown = &learn->shown;
    const size_t count = view->point_count;
    arena_reset(&learn->points);
    float *const at = alloc_floats(learn, count), *const loss = alloc_floats(learn, count),
                 *const right = alloc_floats(learn, count),
                 *const test = alloc_floats(learn, count);
    float high = 0;
    bool tested = false; /* of a short text nothing is kept back */
    shown->curves = shown->points = 0;
    if (at == NULL || loss == NULL || right == NULL || test == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        at[i] = (float)view->points[i].step;
        loss[i] = view->points[i].loss;
        right[i] = view->points[i].accuracy;
        test[i] = view->points[i].test_accuracy;
        high = isfinite(loss[i]) && loss[i] > high ? loss[i] : high;
        tested = tested || isfinite(test[i]);
    }
    shown->at = at;
    shown->points = count;
    tell_now(add_curve(learn, tr("loss"), LAB_ROLE_NONE, loss, high), now->loss, VIEW_LEARN_NATS,
             "the mean of −log p over what the batch asks");
    add_scores(learn, task);
    add_beside(learn, tr("loss, B"), -1, LAB_ROLE_NONE, high);
    const enum learn_score first = task->score[0].score;
    struct view_learn_curve *const other =
        add_beside(learn, arena_format(&learn->texts, tr("%s, B"), score_name(learn, first)),
                   (int)first, LAB_ROLE_QUERY, 1);
    tell_score(learn, other, first, learn_beside_now(learn, (int)first));
    if (other != NULL) {
        other->brief = NULL;
    }
    tell_now(add_curve(learn, tr("right"), LAB_ROLE_X, right, 1), now->right, VIEW_LEARN_SHARE,
             "the share of the batch's answers that are right");
    if (tested) {
        tell_now(add_curve(learn, tr("right in the test"), LAB_ROLE_OUTPUT, test, 1), now->test,
                 VIEW_LEARN_SHARE, "the share of answers that are right where it never learns");
    }
}

/* Tells the changes by hand on the way to the step that is shown. */
static void tell_edits(struct app_learn *learn)
{
    const struct learn_view *const view = learn->view;
    const struct learn_snapshot *const moment = view->moment;
    struct view_learn *const shown = &learn->shown;
    const size_t max = VIEW_LEARN_EDITS_MAX, count = view->edit_count;
    shown->edits = 0;
    for (size_t e = count > max ? count - max : 0; e < count; e++) {
        const char *const sentence = learn_edit_sentence(&view->edits[e], &moment->recipe->shape,
                                                         moment->tensors, &learn->texts);
        if (sentence != NULL) {
            shown->edit[shown->edits++] =
                (struct view_learn_edit){(size_t)view->edits[e].step, sentence};
        }
    }
}

static void tell_events(struct app_learn *learn)
{
    struct view_learn *const shown = &learn->shown;
    const size_t texts = learn_data_score_texts(learn->view->moment->data).rows;
    shown->events = 0;
    for (size_t e = 0; e < learn->view->event_count && shown->events < VIEW_LEARN_EVENTS_MAX; e++) {
        const struct learn_event *const event = &learn->view->events[e];
        const char *const words = event->has_head
                                      ? arena_format(&learn->texts, "%s, on average: L%zuH%zu",
                                                     tr(event->words), event->layer, event->head)
                                      : tr(event->words);
        char step[TEXT_NUMBER_MAX];
        text_count(step, (size_t)event->step);
        const char *const sentence =
            words == NULL     ? NULL
            : event->has_head ? arena_format(&learn->texts, tr("%s, over %zu texts, at step %s"),
                                             words, texts, step)
                              : arena_format(&learn->texts, tr("%s, at step %s"), words, step);
        if (sentence != NULL) {
            shown->event[shown->events++] = (struct view_learn_event){
                (size_t)event->step,
                words,
                event->has_head,
                event->layer * learn->view->moment->recipe->shape.heads + event->head,
                sentence,
                tr(event->words)};
        }
    }
}

/* ---- the rest ---- */

/* Returns the share that the last word of the present sentence gives the noun; NaN: there is none.
 */
static float share_of_noun(const struct app_learn *learn, size_t head)
{
    size_t kinds = 0;
    const int32_t *const kind = learn_data_kinds(learn->view->moment->data, &kinds);
    const int32_t *const token = learn_activations_tokens(learn->sentence);
    const size_t n = learn_activations_count(learn->sentence);
    const struct lab_matrix alpha =
        learn_activations_part(learn->sentence, LEARN_ALPHA, learn->layer, head);
    for (size_t i = n; kind != NULL && i > 0; i--) {
        if (kind[token[i - 1]] >= 0) {
            return lab_matrix_at(&alpha, n - 1, i - 1);
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
        return of_noun ? arena_format(&learn->said, tr(rows[r].nobody), asking_word(data))
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
                            text_count(step, (size_t)learn_change_from(learn)));
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

static void tell_settings(struct app_learn *learn)
{
    learn->recipe_shown = *learn->view->moment->recipe;
    learn->shown.recipe_rows = learn_recipe_record();
    learn->shown.recipe = &learn->recipe_shown;
}

/* Returns whether what is learned is words: not letters, numbers and brackets. */
static bool has_words(const struct learn_recipe *recipe)
{
    return recipe->task == LEARN_TASK_SMALL_WORLD;
}

static void tell_tasks(struct app_learn *learn)
{
    struct view_learn *const shown = &learn->shown;
    const struct learn_recipe *const recipe = learn->view->moment->recipe;
    for (size_t t = 0; t < APP_LEARN_TASKS_MAX; t++) {
        const char *const title = tr(learn_task_at(t)->title);
        const char *const whole =
            t == (size_t)recipe->task && has_words(recipe)
                ? arena_format(&learn->texts, tr("%s · %zu words"), title, recipe->shape.vocabulary)
                : NULL;
        learn->tasks[t] = whole != NULL ? whole : title;
    }
    learn->tasks[APP_LEARN_TASKS_MAX] = tr("Own text, line by line");
    shown->has_lines = recipe->task == LEARN_TASK_TEXT && recipe->rows == LEARN_ROWS_LINES;
    shown->task_at = shown->has_lines ? APP_LEARN_TASKS_MAX : (size_t)recipe->task;
    shown->task = learn->tasks[shown->task_at];
    shown->tasks = learn->tasks;
    shown->tasks_count = APP_LEARN_TASKS_MAX + 1;
}

/* Loss and accuracy of the batch that comes next at this step, and of the test; where training has
 * not come by, it is computed. Until that is done they are not known; of the test the latest is
 * told, for its rows are the same at each step. */
static struct learn_measured find_measured(struct app_state *state)
{
    const struct app_learn *const learn = state->learn;
    const struct learn_snapshot *const moment = learn->view->moment;
    const struct learn_point *const point = &moment->point;
    const bool tested = learn_data_test_rows(moment->data) > 0;
    const bool stands = !learn->view->plays && !learn->view->works && moment->is_exact;
    struct learn_measured now = {point->loss, point->accuracy, point->test_accuracy};
    const bool lacks = !isfinite(now.loss) || (tested && !isfinite(now.test));
    if (lacks && (!stands || !learn_measure(state, &now))) {
        for (size_t i = 0; i < learn->view->point_count; i++) {
            const struct learn_point *const before = &learn->view->points[i];
            now.test = before->step <= moment->step && isfinite(before->loss)
                           ? before->test_accuracy
                           : now.test;
        }
    }
    return now;
}

static void tell_loss(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    learn->measured = find_measured(state);
    learn->shown.loss = (double)learn->measured.loss;
    learn->shown.right = (double)learn->measured.right;
}

void learn_tell_results(struct app_state *state)
{
    const struct learn_measured now = find_measured(state);
    if (memcmp(&now, &state->learn->measured, sizeof now) != 0 ||
        state->learn->next_at != next_place(state)) {
        learn_tell(state);
    } else {
        learn_tell_sheets(state);
    }
}

/* Returns the same by layer · heads + head; NULL: no memory. */
static const bool *list_heads(struct app_learn *learn, const bool (*of)[LEARN_HEADS_MAX])
{
    const struct learn_shape *const shape = &learn->view->moment->recipe->shape;
    bool *const list = arena_array(&learn->texts, shape->layers * shape->heads, sizeof *list);
    for (size_t place = 0; list != NULL && place < shape->layers * shape->heads; place++) {
        list[place] = of[place / shape->heads][place % shape->heads];
    }
    return list;
}

void learn_tell(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    struct view_learn *const shown = &learn->shown;
    const struct learn_view *const view = learn->view;
    const struct learn_snapshot *const moment = view->moment;
    const struct learn_shape *const shape = &moment->recipe->shape;
    arena_reset(&learn->texts);
    shown->step = (size_t)moment->step;
    shown->reached = (size_t)view->furthest;
    shown->steps = (size_t)view->steps;
    shown->training = learn_is_training(state);
    shown->replays = !moment->is_exact || view->works;
    shown->awaited =
        learn->course == LEARN_GOES && moment->step != learn->goal ? (size_t)learn->goal : 0;
    shown->note = view->error.code != ERROR_NONE
                      ? arena_text(&learn->texts, view->error.text, strlen(view->error.text))
                  : (state->host & APP_HOST_IS_HIDDEN) != 0
                      ? tr("paused: the window cannot be seen")
                      : NULL;
    learn->full_speed = shown->speed == 0 && view->steps_per_second > 0 ? view->steps_per_second
                                                                        : learn->full_speed;
    shown->per_second = learn->full_speed;
    shown->pace = view->steps_per_second;
    tell_loss(state);
    if (shown->note == NULL && view->point_count > 0 &&
        learn_loss_is_worse(view->points[0].loss, learn->measured.loss)) {
        char loss[TEXT_NUMBER_MAX];
        shown->note =
            arena_format(&learn->texts, tr("loss %s, far above its first: lower the rate"),
                         text_small_number(loss, (double)learn->measured.loss, 3));
    }
    shown->layers = shape->layers;
    shown->heads = shape->heads;
    shown->n = learn_activations_count(learn->sentence);
    shown->letters = learn_data_is_letters(moment->data);
    shown->cuts = moment->recipe->task == LEARN_TASK_TEXT;
    shown->layer = learn->layer;
    shown->weights = moment->tensors->floats;
    shown->branch = view->edit_count;
    shown->pinned_step = (size_t)learn->pinned;
    shown->off = list_heads(learn, moment->head_off);
    shown->frozen = list_heads(learn, moment->frozen->head);
    tell_end(learn);
    learn_tell_moments(learn);
    tell_next(state);
    learn_tell_places(learn);
    tell_curves(learn);
    tell_events(learn);
    tell_edits(learn);
    tell_settings(learn);
    tell_tasks(learn);
    shown->instead = learn_values_instead;
    shown->instead_owner = state;
    learn_tell_sheets(state);
    learn_tell_offer(state);
    learn_tell_sentence(state);
}

void learn_tell_sentence(struct app_state *state)
{
    arena_reset(&state->learn->said);
    state->learn->shown.sentence = sentence_of(state);
}
