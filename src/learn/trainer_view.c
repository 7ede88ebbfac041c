/* learn/trainer_view.c — views of a run: one block of memory each, counted by references. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "learn/trainer_internal.h"

struct view_block {
    struct learn_view view; /* first, since it is what others get */
    atomic_uint holders;
    const struct learn_view *of; /* the view that owns what it points to; NULL: itself */
    struct learn_point *points;
    float *heads[LEARN_SCORES_OF_HEADS];
    struct learn_event *events;
    struct learn_edit *edits; /* [held], each with its text */
    size_t held;
    const struct learn_keyframe **keyframes; /* [keyframe_count], each a reference */
};

static struct view_block *block_of(const struct learn_view *view)
{
    return (struct view_block *)(uintptr_t)view;
}

const struct learn_view *learn_view_keep(const struct learn_view *view)
{
    if (view != NULL) {
        atomic_fetch_add_explicit(&block_of(view)->holders, 1, memory_order_relaxed);
    }
    return view;
}

void learn_view_release(const struct learn_view *view)
{
    struct view_block *const block = block_of(view);
    if (view == NULL || atomic_fetch_sub_explicit(&block->holders, 1, memory_order_acq_rel) != 1) {
        return;
    }
    learn_view_release(block->of);
    learn_snapshot_release(block->of == NULL ? view->moment : NULL);
    for (size_t s = 0; s < LEARN_SCORES_OF_HEADS; s++) {
        free(block->heads[s]);
    }
    for (size_t e = 0; e < block->held; e++) {
        learn_edit_drop(&block->edits[e]);
    }
    for (size_t k = 0; block->of == NULL && k < view->keyframe_count; k++) {
        learn_keyframe_release(block->keyframes[k]);
    }
    free(block->keyframes);
    free(block->points);
    free(block->events);
    free(block->edits);
    free(block);
}

/* Copies count items of a size into one more than are needed, so that NULL means lack of memory. */
static bool copy_items(void *to, const void *from, size_t count, size_t size)
{
    void *const memory = malloc((count + 1) * size);
    if (memory != NULL && count > 0) {
        memcpy(memory, from, count * size);
    }
    *(void **)to = memory;
    return memory != NULL;
}

/* More of them than a run of 2³¹ steps has. */
enum { KEYFRAMES_MAX = 400 };

static bool copy_keyframes(struct view_block *block, const struct learn_run *run)
{
    const struct learn_keyframe *list[KEYFRAMES_MAX];
    const size_t count = learn_run_keyframes(run, list, KEYFRAMES_MAX);
    if (!copy_items(&block->keyframes, list, count, sizeof *list)) {
        return false;
    }
    while (block->view.keyframe_count < count) {
        (void)learn_keyframe_keep(list[block->view.keyframe_count++]);
    }
    block->view.keyframes = block->keyframes;
    return true;
}

static bool copy_curves(struct view_block *block, const struct learn_run *run)
{
    struct learn_view *const view = &block->view;
    const struct learn_shape *const shape = &learn_run_recipe(run)->shape;
    const struct learn_point *const points = learn_run_points(run, &view->point_count);
    const struct learn_event *const events = learn_run_events(run, &view->event_count);
    const struct learn_edit *edits = NULL;
    view->edit_count = learn_run_edits(run, &edits);
    if (!copy_items(&block->points, points, view->point_count, sizeof *points) ||
        !copy_items(&block->events, events, view->event_count, sizeof *events) ||
        !copy_items(&block->edits, edits, view->edit_count, sizeof *edits)) {
        return false;
    }
    if (!copy_keyframes(block, run)) {
        return false;
    }
    while (block->held < view->edit_count) {
        (void)learn_edit_hold(&block->edits[block->held++]); /* those of a run share their texts */
    }
    for (size_t s = 0; s < LEARN_SCORES_OF_HEADS; s++) {
        const float *const heads = learn_run_head_scores(run, (enum learn_score)s);
        const size_t row = shape->layers * shape->heads * sizeof *heads;
        if (heads != NULL && !copy_items(&block->heads[s], heads, view->point_count, row)) {
            return false;
        }
        view->head_scores[s] = block->heads[s];
    }
    view->points = block->points;
    view->events = block->events;
    view->edits = block->edits;
    return true;
}

struct learn_view *learn_view_spare(void)
{
    struct view_block *const block = calloc(1, sizeof *block);
    if (block != NULL) {
        atomic_init(&block->holders, 1);
    }
    return block == NULL ? NULL : &block->view;
}

void learn_view_stop(struct learn_view *spare, const struct learn_view *former)
{
    *spare = *former;
    block_of(spare)->of = learn_view_keep(former);
    spare->number++;
    spare->plays = spare->works = false;
    error_set(&spare->error, ERROR_MEMORY, "There is not enough memory to show this step.");
}

struct learn_view *learn_view_make(struct learn_trainer *trainer, bool plays, bool works,
                                   uint64_t steps)
{
    struct learn_run *const run = trainer->run;
    struct view_block *const block = calloc(1, sizeof *block);
    if (block == NULL) {
        return NULL;
    }
    atomic_init(&block->holders, 1);
    struct learn_view *const view = &block->view;
    view->moment = trainer->shown != NULL ? learn_snapshot_keep(trainer->shown)
                                          : learn_run_snapshot(run, NULL);
    if (view->moment == NULL || !copy_curves(block, run)) {
        learn_view_release(view);
        return NULL;
    }
    view->number = ++trainer->number;
    const uint64_t reached = learn_run_furthest(run), step = view->moment->step;
    view->furthest =
        step > reached ? step : reached; /* it may be further where weights are known */
    view->comes_to = learn_run_comes_to(run);
    if (plays && view->furthest == view->moment->step + 1) { /* it shows the state that its step
                                                                began with */
        view->furthest = view->moment->step;
    }
    view->steps = steps;
    view->plays = plays;
    view->works = works;
    view->is_done = learn_run_step(run) >= steps;
    view->steps_per_second = trainer->speed;
    view->kept_bytes = learn_run_bytes(run);
    view->error = trainer->error;
    return view;
}
