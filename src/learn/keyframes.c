/* learn/keyframes.c — see keyframes.h. A branch has those of the steps behind the one where it
 * begins; those before are its parent's. */
#include "learn/keyframes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "learn/run_internal.h"

enum {
    ROOM_FIRST = 64,
    HALF_OCTAVES = 24 /* that a run of the usual length comes by */
};
static const double APART = 1.06; /* of a step, to the next */

struct keyframe_block {
    struct learn_keyframe keyframe; /* first, since it is what others get */
    atomic_uint holders;
    float rows[];
};

static struct keyframe_block *block_of(const struct learn_keyframe *keyframe)
{
    return (struct keyframe_block *)(uintptr_t)keyframe;
}

const struct learn_keyframe *learn_keyframe_keep(const struct learn_keyframe *keyframe)
{
    atomic_fetch_add_explicit(&block_of(keyframe)->holders, 1, memory_order_relaxed);
    return keyframe;
}

void learn_keyframe_release(const struct learn_keyframe *keyframe)
{
    struct keyframe_block *const block = block_of(keyframe);
    if (keyframe != NULL &&
        atomic_fetch_sub_explicit(&block->holders, 1, memory_order_acq_rel) == 1) {
        learn_snapshot_release(keyframe->moment);
        free(block);
    }
}

/* ---- which steps and which words ------------------------------------------------------------- */

uint64_t learn_next_keyframe(uint64_t step)
{
    return (uint64_t)((double)step * APART) + 1;
}

static size_t half_octave_of(uint64_t step)
{
    return (size_t)(2 * log2((double)step + 1));
}

/* Says whether a keyframe lies at a step, and finds the one before it (step 0: itself). */
static bool has_keyframe(uint64_t step, uint64_t *before)
{
    uint64_t at = 0;
    *before = 0;
    while (at < step) {
        *before = at;
        at = learn_next_keyframe(at);
    }
    return at == step;
}

/* Says whether the weights of a keyframe are kept. */
static bool holds_moment(uint64_t step, uint64_t before, size_t floats)
{
    const size_t all = HALF_OCTAVES * floats * sizeof(float), bytes = LEARN_KEYFRAME_BYTES;
    const size_t octave = half_octave_of(step), every = 1 + all / bytes;
    return step == 0 || (half_octave_of(before) != octave && octave % every == 0);
}

size_t learn_placed_words(const struct learn_data *data, int32_t ids[LEARN_PLACED_MAX])
{
    size_t kinds = 0, count = 0;
    const int32_t *const kind = learn_data_kinds(data, &kinds);
    for (size_t id = 0; id < learn_data_vocabulary(data) && count < LEARN_PLACED_MAX; id++) {
        const bool is_number = learn_data_request_of(data)->task != LEARN_TASK_ADDITION ||
                               id + 1 < learn_data_vocabulary(data); /* behind them stands "=" */
        if (is_number && (kind == NULL || kind[id] >= 0)) {
            ids[count++] = (int32_t)id;
        }
    }
    return count;
}

static void copy_rows(const struct learn_tensors *tensors, const float *weights, const int32_t *ids,
                      size_t count, float *rows)
{
    const struct learn_tensor *const wte = learn_tensors_find(tensors, LEARN_WTE, 0);
    for (size_t w = 0; w < count; w++) {
        memcpy(rows + w * wte->cols, weights + wte->offset + (size_t)ids[w] * wte->cols,
               wte->cols * sizeof *rows);
    }
}

void learn_placed_rows(const struct learn_snapshot *moment, const int32_t *ids, size_t count,
                       float *rows)
{
    copy_rows(moment->tensors, moment->weights, ids, count, rows);
}

/* ---- those of a run -------------------------------------------------------------------------- */

void learn_keyframes_free(struct keyframes *keyframes)
{
    for (size_t k = 0; k < keyframes->count; k++) {
        learn_keyframe_release(keyframes->keyframe[k]);
    }
    free(keyframes->keyframe);
    *keyframes = (struct keyframes){.count = 0};
}

static bool is_on_way(const struct learn_run *run, size_t branch)
{
    size_t at = run->branch;
    while (at != branch && at != 0) {
        at = run->branches[at]->parent;
    }
    return at == branch;
}

/* Where branches hold many weights, those that were left lose theirs: they have to be trained again
 * to be looked back at. */
static void drop_left_branches(struct learn_run *run)
{
    size_t moments = 0;
    for (size_t b = 0; b < run->branch_count; b++) {
        moments += run->branches[b]->keyframes.moments;
    }
    const size_t bytes = moments * run->tensors->floats * sizeof(float);
    for (size_t b = 0; bytes > LEARN_KEYFRAME_BYTES && b < run->branch_count; b++) {
        if (!is_on_way(run, b)) {
            learn_keyframes_free(&run->branches[b]->keyframes);
        }
    }
}

/* NULL: no memory. */
static struct learn_keyframe *make_keyframe(const struct learn_run *run,
                                            const struct branch *branch, bool has_moment)
{
    int32_t ids[LEARN_PLACED_MAX];
    const size_t count = learn_placed_words(branch->data, ids);
    const size_t width = branch->recipe.shape.d_model;
    struct keyframe_block *const block =
        malloc(sizeof *block + count * width * sizeof *block->rows);
    if (block == NULL) {
        return NULL;
    }
    atomic_init(&block->holders, 1);
    copy_rows(run->tensors, run->weights, ids, count, block->rows);
    block->keyframe =
        (struct learn_keyframe){.step = run->step,
                                .rows = block->rows,
                                .moment = has_moment ? learn_run_snapshot_bare(run) : NULL};
    return &block->keyframe;
}

static bool find_room(struct keyframes *keyframes)
{
    if (keyframes->count < keyframes->room) {
        return true;
    }
    const size_t room = keyframes->room == 0 ? ROOM_FIRST : 2 * keyframes->room;
    const struct learn_keyframe **const grown = realloc(keyframes->keyframe, room * sizeof *grown);
    if (grown != NULL) {
        keyframes->keyframe = grown;
        keyframes->room = room;
    }
    return grown != NULL;
}

void learn_run_add_keyframe(struct learn_run *run)
{
    const size_t owner = learn_run_owner(run, run->step);
    struct branch *const branch = run->branches[owner];
    struct keyframes *const own = &branch->keyframes;
    const bool is_there = own->count > 0 && own->keyframe[own->count - 1]->step >= run->step;
    const bool is_parents = owner > 0 && run->step <= branch->from;
    uint64_t before = 0;
    if (!run->has_keyframes || is_there || is_parents || !has_keyframe(run->step, &before) ||
        !find_room(own)) {
        return;
    }
    const bool has_moment = holds_moment(run->step, before, run->tensors->floats);
    struct learn_keyframe *const made = make_keyframe(run, branch, has_moment);
    if (made != NULL) {
        own->keyframe[own->count++] = made;
        own->moments += made->moment != NULL;
        drop_left_branches(run);
    }
}

void learn_run_keep_keyframes(struct learn_run *run)
{
    run->has_keyframes = true;
    learn_run_add_keyframe(run);
}

/* Adds those of the way to a branch, up to a step. */
static size_t list_way(const struct learn_run *run, size_t at, uint64_t last,
                       const struct learn_keyframe **list, size_t max)
{
    const struct branch *const branch = run->branches[at];
    const struct keyframes *const own = &branch->keyframes;
    size_t count = at == 0 ? 0
                           : list_way(run, branch->parent,
                                      branch->from < last ? branch->from : last, list, max);
    for (size_t k = 0; k < own->count && own->keyframe[k]->step <= last && count < max; k++) {
        list[count++] = own->keyframe[k];
    }
    return count;
}

size_t learn_run_keyframes(const struct learn_run *run, const struct learn_keyframe **list,
                           size_t max)
{
    return list_way(run, run->branch, UINT64_MAX, list, max);
}
