/* The curves of the strip of training, as views draw them: loss, the scores of the task, what is
 * right, each over the steps of the run, and dashed the same of another seed; and what stands on
 * their axis, the events that the run found by itself and the edits by hand. All of it follows from
 * the newest view of the run, and from the points of the other seed (beside.c). */
#include <math.h>

#include "app/learn/learn_internal.h"
#include "base/text.h"
#include "base/translate.h"

static float *alloc_floats(struct app_learn *learn, size_t count)
{
    return arena_array(&learn->points, count + 1, sizeof(float));
}

const char *learn_asking_word(const struct learn_data *data)
{
    const struct learn_score_texts texts = learn_data_score_texts(data);
    return texts.rows > 0 ? learn_data_words(data)[texts.tokens[texts.width - 1]] : "";
}

static const char *score_name(struct app_learn *learn, enum learn_score score)
{
    if (score == LEARN_SCORE_NOUN) {
        return arena_format(&learn->texts, tr("“%s” → the noun"),
                            learn_asking_word(learn->view->moment->data));
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

/* The curves of the other seed. */
struct other_curves {
    const struct learn_point *point; /* NULL: there is none */
    size_t count;
};

/* The other run's value at each step that this run has a point of; NaN: it has none there. */
static void fill_beside(const struct app_learn *learn, struct other_curves other, int score,
                        float *value)
{
    const struct learn_view *const own = learn->view;
    size_t o = 0;
    for (size_t i = 0; i < own->point_count; i++) {
        while (o < other.count && other.point[o].step < own->points[i].step) {
            o++;
        }
        const bool has = o < other.count && other.point[o].step == own->points[i].step;
        value[i] = !has ? NAN : score < 0 ? other.point[o].loss : other.point[o].best[score];
    }
}

/* The same at the step that is shown; NaN: not known. */
static float beside_now(const struct app_learn *learn, struct other_curves other, int score)
{
    const struct learn_snapshot *const moment = learn_beside_moment(learn);
    const uint64_t step = learn->view->moment->step;
    float now = NAN; /* of the last point before it, where there is none of its own */
    for (size_t i = 0; i < other.count; i++) {
        if (other.point[i].step <= step) {
            now = score < 0 ? other.point[i].loss : other.point[i].best[score];
        }
    }
    const bool there = moment != NULL && moment->step == step && score >= 0;
    return there ? moment->point.best[score] : now;
}

/* The same of the other seed, dashed. */
static struct view_learn_curve *add_beside(struct app_learn *learn, struct other_curves other,
                                           const char *name, int score, enum lab_role role,
                                           float high)
{
    float *const value = other.point != NULL ? alloc_floats(learn, learn->shown.points) : NULL;
    struct view_learn_curve *const curve = add_curve(learn, name, role, value, high);
    if (curve != NULL) {
        fill_beside(learn, other, score, value);
        curve->dashed = true;
        curve->now = beside_now(learn, other, score);
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

/* Its loss, and the first of the scores. */
static void tell_beside(struct app_learn *learn, enum learn_score first, float high)
{
    struct other_curves other = {.count = 0};
    other.point = learn_beside_points(learn, &learn->points, &other.count);
    add_beside(learn, other, tr("loss, B"), -1, LAB_ROLE_NONE, high);
    struct view_learn_curve *const curve =
        add_beside(learn, other, arena_format(&learn->texts, tr("%s, B"), score_name(learn, first)),
                   (int)first, LAB_ROLE_QUERY, 1);
    tell_score(learn, curve, first, beside_now(learn, other, (int)first));
    if (curve != NULL) {
        curve->brief = NULL;
    }
}

void learn_tell_curves(struct app_learn *learn)
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
    tell_beside(learn, task->score[0].score, high);
    tell_now(add_curve(learn, tr("right"), LAB_ROLE_X, right, 1), now->right, VIEW_LEARN_SHARE,
             "the share of the batch's answers that are right");
    if (tested) {
        tell_now(add_curve(learn, tr("right in the test"), LAB_ROLE_OUTPUT, test, 1), now->test,
                 VIEW_LEARN_SHARE, "the share of answers that are right where it never learns");
    }
}

void learn_tell_edits(struct app_learn *learn)
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

void learn_tell_events(struct app_learn *learn)
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
