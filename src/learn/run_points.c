/* learn/run_points.c — the curves of a run, and the events on them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/translate.h"
#include "learn/run_internal.h"

enum { ROOM_FIRST = 128 };

static const float learned = .99F; /* the accuracy that counts as an event */

bool learn_step_is_kept(uint64_t step)
{
    uint64_t gap = 1;
    for (uint64_t octave = 2 * LEARN_POINTS_PER_OCTAVE; octave <= step; octave *= 2) {
        gap *= 2;
    }
    return step % gap == 0;
}

static size_t heads_of(const struct branch *branch)
{
    return branch->recipe.shape.layers * branch->recipe.shape.heads;
}

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for the curves.");
}

static bool find_room(struct points *points, size_t room, size_t heads,
                      const struct learn_scores *scores)
{
    struct learn_point *const point = realloc(points->point, room * sizeof *point);
    if (point == NULL) {
        return false;
    }
    points->point = point;
    for (size_t s = 0; s < LEARN_SCORES_OF_HEADS; s++) {
        if (points->heads[s] == NULL && (scores == NULL || isnan(scores->best[s]))) {
            continue;
        }
        float *const more = realloc(points->heads[s], room * heads * sizeof *more);
        if (more == NULL) {
            return false;
        }
        for (size_t i = 0; points->heads[s] == NULL && i < points->count * heads; i++) {
            more[i] = NAN; /* the former text had nothing to take this from */
        }
        points->heads[s] = more;
    }
    points->room = room;
    return true;
}

bool learn_points_copy(struct points *to, const struct points *from, uint64_t before, size_t heads,
                       struct error *error)
{
    size_t count = 0;
    while (count < from->count && from->point[count].step < before) {
        count++;
    }
    *to = (struct points){.count = 0};
    struct learn_scores scores;
    for (size_t s = 0; s < LEARN_SCORES_OF_HEADS; s++) {
        scores.best[s] = from->heads[s] == NULL ? NAN : 0;
    }
    if (!find_room(to, count + ROOM_FIRST, heads, &scores)) {
        learn_points_free(to);
        return no_memory(error);
    }
    if (count > 0) {
        memcpy(to->point, from->point, count * sizeof *to->point);
        for (size_t s = 0; s < LEARN_SCORES_OF_HEADS; s++) {
            if (from->heads[s] != NULL) {
                memcpy(to->heads[s], from->heads[s], count * heads * sizeof(float));
            }
        }
    }
    to->count = count;
    return true;
}

void learn_points_free(struct points *points)
{
    free(points->point);
    for (size_t s = 0; s < LEARN_SCORES_OF_HEADS; s++) {
        free(points->heads[s]);
    }
    *points = (struct points){.count = 0};
}

static void add_event(struct branch *branch, const struct learn_event *event)
{
    for (size_t e = 0; e < branch->events; e++) {
        if (branch->event[e].score == event->score) {
            return; /* only the first time counts */
        }
    }
    if (branch->events < LEARN_EVENTS_MAX) {
        branch->event[branch->events++] = *event;
    }
}

static void find_events(struct branch *branch, const struct learn_point *point,
                        const struct learn_scores *scores)
{
    const struct learn_task *const task = learn_task_at(branch->recipe.task);
    for (size_t s = 0; s < task->scores; s++) {
        const struct learn_task_score *const row = &task->score[s];
        if (point->best[row->score] >= row->threshold) {
            const bool has_head = row->score < LEARN_SCORES_OF_HEADS;
            add_event(branch,
                      &(struct learn_event){.step = point->step,
                                            .score = row->score,
                                            .words = row->event,
                                            .has_head = has_head,
                                            .layer = has_head ? scores->layer[row->score] : 0,
                                            .head = has_head ? scores->best_head[row->score] : 0});
        }
    }
    if (point->accuracy >= learned) {
        add_event(branch,
                  &(struct learn_event){.step = point->step,
                                        .score = LEARN_SCORE_ROWS,
                                        .words = learn_data_test_rows(branch->data) > 0
                                                     ? "99 of 100 answers it learns from are right"
                                                     : "99 of 100 answers are right"});
    }
    if (point->test_accuracy >= learned) {
        add_event(branch,
                  &(struct learn_event){.step = point->step,
                                        .score = LEARN_SCORE_ROWS + 1,
                                        .words = "99 of 100 answers it has never seen are right"});
    }
}

bool learn_points_add(struct branch *branch, const struct learn_point *point,
                      const struct learn_scores *scores, struct error *error)
{
    struct points *const points = &branch->points;
    const size_t heads = heads_of(branch), layers = branch->recipe.shape.layers;
    if (points->count > 0 && points->point[points->count - 1].step >= point->step) {
        return true;
    }
    if (points->count == points->room &&
        !find_room(points, points->room == 0 ? ROOM_FIRST : 2 * points->room, heads, scores)) {
        return no_memory(error);
    }
    for (size_t s = 0; s < LEARN_SCORES_OF_HEADS; s++) {
        for (size_t l = 0; points->heads[s] != NULL && l < layers; l++) {
            memcpy(points->heads[s] + points->count * heads + l * (heads / layers),
                   scores->head[s][l], heads / layers * sizeof(float));
        }
    }
    points->point[points->count++] = *point;
    find_events(branch, point, scores);
    return true;
}

const struct learn_point *learn_run_points(const struct learn_run *run, size_t *count)
{
    const struct branch *const branch = run->branches[run->branch];
    *count = branch->points.count;
    return branch->points.point;
}

const float *learn_run_head_scores(const struct learn_run *run, enum learn_score score)
{
    return run->branches[run->branch]->points.heads[score];
}

const struct learn_event *learn_run_events(const struct learn_run *run, size_t *count)
{
    const struct branch *const branch = run->branches[run->branch];
    *count = branch->events;
    return branch->event;
}
