/* What the views of training are told (struct view_learn): learn_tell fills all of it from the
 * newest view of the run, and app/learn/learn.c calls it where anything of that is another than it
 * was; learn_tell_results wants the rest of results in each frame, and tells what has come. What is
 * long in itself stands elsewhere: curves, events and edits in curves.c, heads then and now in
 * passed_heads.c, where words stand in places.c, sheets in sheets.c, the sentence below the title
 * in sentence.c. The texts live in learn->texts until it is told anew. */
#include <math.h>
#include <string.h>

#include "app/learn/learn_internal.h"
#include "base/text.h"
#include "base/translate.h"
#include "lab/run/sample.h"

/* ---- what may come next, and what is lost ---- */

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

/* The place that the next words are told of, where this one is chosen. A step of a lesson is about
 * the word that it has chosen; a text of one's own goes on behind its last one. */
static size_t next_place(const struct app_state *state, size_t chosen)
{
    const struct view_state *const view = &state->view;
    const size_t n = learn_activations_count(state->learn->sentence);
    const bool ends = learn_data_is_causal(state->learn->view->moment->data) &&
                      (view->steps == 0 || view->lesson_changed);
    return ends || chosen >= n ? n - 1 : chosen;
}

/* The first of the next words at a place; the texts hold it. */
static struct view_next likeliest_at(struct app_learn *learn, size_t at)
{
    const struct lab_matrix p = learn_activations_part(learn->sentence, LEARN_P, 0, 0);
    const float *const share = p.values + at * p.stride;
    uint32_t id = 0;
    if (lab_find_largest(share, p.cols, 1, &id) == 0) {
        return (struct view_next){.word = NULL};
    }
    const char *const word = learn_words_shown(learn)[id];
    return (struct view_next){.word = arena_text(&learn->texts, word, strlen(word)),
                              .id = id,
                              .share = (double)share[id]};
}

static void tell_next(struct app_state *state)
{
    struct app_learn *const learn = state->learn;
    struct view_learn *const shown = &learn->shown;
    const size_t at = learn->next_at = next_place(state, state->view.pinned.query);
    const struct lab_matrix p = learn_activations_part(learn->sentence, LEARN_P, 0, 0);
    const float *const share = p.values + at * p.stride;
    shown->next_count = lab_find_largest(share, p.cols, VIEW_NEXT_MAX, learn->next_id);
    for (size_t i = 0; i < shown->next_count; i++) {
        const char *const word = learn_words_shown(learn)[learn->next_id[i]];
        shown->next[i] = (struct view_next){.word = arena_text(&learn->texts, word, strlen(word)),
                                            .id = learn->next_id[i],
                                            .share = (double)share[learn->next_id[i]]};
    }
    learn->guess_at = next_place(state, state->view.guess_at.query);
    shown->guessed = likeliest_at(learn, learn->guess_at);
    shown->next_title = next_title(learn, at);
    shown->next_writes = learn_data_is_causal(learn->view->moment->data) &&
                         learn->learned->recipe.task != LEARN_TASK_ADDITION;
    if (learn->learned->recipe.task == LEARN_TASK_BRACKETS &&
        learn_open_brackets(learn_activations_tokens(learn->sentence), at + 1) == 0) {
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

/* ---- the run ---- */

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
    const bool rows_are_lines = recipe->task == LEARN_TASK_TEXT && recipe->rows == LEARN_ROWS_LINES;
    shown->has_lines = learn_data_lines(learn->view->moment->data) > 0;
    shown->task_at = rows_are_lines ? APP_LEARN_TASKS_MAX : (size_t)recipe->task;
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
        state->learn->next_at != next_place(state, state->view.pinned.query) ||
        state->learn->guess_at != next_place(state, state->view.guess_at.query) ||
        !learn_moments_are_told(state) || learn_places_lag(state->learn)) {
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
    shown->training = app_learn_is_training(state);
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
    shown->pinned = learn_is_pinned(state);
    shown->beside = state->document.compares == DOCUMENT_COMPARES_SEED;
    shown->pinned_step = (size_t)learn->pinned;
    shown->off = list_heads(learn, moment->head_off);
    shown->frozen = list_heads(learn, moment->frozen->head);
    tell_end(learn);
    learn_tell_moments(state);
    tell_next(state);
    learn_tell_places(learn);
    learn_tell_curves(learn);
    learn_tell_events(learn);
    learn_tell_edits(learn);
    tell_settings(learn);
    tell_tasks(learn);
    shown->instead = learn_values_instead;
    shown->instead_owner = state;
    learn_tell_sheets(state);
    learn_tell_offer(state);
    learn_tell_sentence(state);
}
