/* learn/snapshot.c — snapshots of a run: immutable copies that are shared by counting references.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "learn/run_internal.h"

/* A snapshot with everything it points to. */
struct snapshot_block {
    struct learn_snapshot snapshot; /* first, since it is what others get */
    atomic_uint holders;
    struct learn_recipe recipe;
    struct learn_tensors tensors;
    struct learn_frozen frozen;
    bool head_off[LEARN_LAYERS_MAX][LEARN_HEADS_MAX];
    struct learn_made made;
    float weights[]; /* followed by those of `made` */
};

static struct snapshot_block *block_of(const struct learn_snapshot *snapshot)
{
    return (struct snapshot_block *)(uintptr_t)snapshot;
}

const struct learn_snapshot *learn_snapshot_keep(const struct learn_snapshot *snapshot)
{
    if (snapshot != NULL) {
        atomic_fetch_add_explicit(&block_of(snapshot)->holders, 1, memory_order_relaxed);
    }
    return snapshot;
}

void learn_snapshot_release(const struct learn_snapshot *snapshot)
{
    struct snapshot_block *const block = block_of(snapshot);
    if (snapshot != NULL &&
        atomic_fetch_sub_explicit(&block->holders, 1, memory_order_acq_rel) == 1) {
        learn_data_release(snapshot->data);
        free(block);
    }
}

/* Returns what is known of a step's curve; loss NaN: no point is kept there. */
static struct learn_point point_at(const struct learn_run *run, uint64_t step)
{
    size_t count = 0;
    const struct learn_point *const points = learn_run_points(run, &count);
    for (size_t p = count; p-- > 0 && points[p].step >= step;) {
        if (points[p].step == step) {
            return points[p];
        }
    }
    return (struct learn_point){
        .step = step, .loss = NAN, .accuracy = NAN, .test_loss = NAN, .test_accuracy = NAN};
}

/* Copies the operands of the last step behind the weights. */
static void copy_made(struct snapshot_block *block, const struct learn_run *run)
{
    const size_t floats = run->tensors->floats;
    float *const to = block->weights + floats;
    memcpy(to, run->watched, 4 * floats * sizeof *to);
    memcpy(to + 4 * floats, run->gradient, floats * sizeof *to);
    memcpy(to + 5 * floats, run->m, 2 * floats * sizeof *to);
    block->made = (struct learn_made){.before = to,
                                      .m_before = to + floats,
                                      .v_before = to + 2 * floats,
                                      .after = to + 3 * floats,
                                      .gradient = to + 4 * floats,
                                      .m = to + 5 * floats,
                                      .v = to + 6 * floats,
                                      .scale = run->scale,
                                      .optimiser = run->optimiser};
    block->snapshot.made = &block->made;
}

/* Copies a kept snapshot of a branch, or for NULL the present state of the run, without scores;
 * made: with the operands of its step. */
static struct learn_snapshot *copy_state(const struct learn_run *run, const struct branch *branch,
                                         const struct kept *kept, bool made, struct error *error)
{
    enum { OF_MADE = 7 };
    const uint64_t step = kept == NULL ? run->step : kept->step;
    const size_t size = run->tensors->floats * sizeof(float);
    struct snapshot_block *const block = malloc(sizeof *block + (made ? 1 + OF_MADE : 1) * size);
    if (block == NULL) {
        error_set(error, ERROR_MEMORY, "There is not enough memory to show this step.");
        return NULL;
    }
    memset(block, 0, sizeof *block);
    atomic_init(&block->holders, 1);
    block->recipe = branch->recipe;
    block->tensors = *run->tensors;
    block->frozen = branch->frozen;
    memcpy(block->head_off, branch->head_off, sizeof block->head_off);
    memcpy(block->weights, kept == NULL ? run->weights : kept->values, size);
    struct learn_snapshot *const snapshot = &block->snapshot;
    *snapshot = (struct learn_snapshot){
        .step = step,
        .asked = step,
        .weights = block->weights,
        .is_exact = true,
        .recipe = &block->recipe,
        .tensors = &block->tensors,
        .data = learn_data_keep(branch->data),
        .head_off = (const bool(*)[LEARN_HEADS_MAX])block->head_off,
        .frozen = &block->frozen,
        .point = point_at(run, step),
    };
    if (made) {
        copy_made(block, run);
    }
    return snapshot;
}

const struct learn_snapshot *learn_run_snapshot_bare(const struct learn_run *run)
{
    return copy_state(run, run->branches[learn_run_owner(run, run->step)], NULL, false, NULL);
}

/* The same with scores. */
static const struct learn_snapshot *make_snapshot(struct learn_run *run,
                                                  const struct branch *branch,
                                                  const struct kept *kept, bool made,
                                                  struct error *error)
{
    struct learn_snapshot *const snapshot = copy_state(run, branch, kept, made, error);
    if (snapshot == NULL) {
        return NULL;
    }
    if (!learn_scores_take(run->network, snapshot->weights, branch->data, &snapshot->scores,
                           error)) {
        learn_snapshot_release(snapshot);
        return NULL;
    }
    memcpy(snapshot->point.best, snapshot->scores.best, sizeof snapshot->point.best);
    return snapshot;
}

const struct learn_snapshot *learn_run_snapshot(struct learn_run *run, struct error *error)
{
    const bool made = learn_run_remake(run, NULL);
    const struct branch *const branch = run->branches[learn_run_owner(run, run->step)];
    return make_snapshot(run, branch, NULL, made, error);
}

bool learn_run_forward_from(struct learn_run *run, const struct learn_snapshot **from,
                            struct error *error)
{
    struct learn_snapshot *const snapshot =
        (struct learn_snapshot *)(uintptr_t)learn_run_snapshot(run, NULL);
    const bool done = learn_run_forward(run, error);
    if (snapshot != NULL && done) {
        const struct learn_result result = learn_run_result(run);
        snapshot->point = point_at(run, snapshot->step);
        snapshot->point.loss = result.loss;
        snapshot->point.accuracy = learn_result_accuracy(&result);
        memcpy(snapshot->point.best, snapshot->scores.best, sizeof snapshot->point.best);
    }
    *from = snapshot;
    return done;
}

const struct learn_snapshot *learn_run_snapshot_near(struct learn_run *run, uint64_t step,
                                                     struct error *error)
{
    const size_t owner = learn_run_owner(run, step);
    const struct branch *const branch = run->branches[owner];
    const struct kept *const kept = learn_run_find_kept(run, owner, step);
    if (kept == NULL) {
        return learn_run_snapshot(run, error);
    }
    learn_run_switch_heads(run, branch);
    struct learn_snapshot *const snapshot =
        (struct learn_snapshot *)(uintptr_t)make_snapshot(run, branch, kept, false, error);
    learn_run_switch_heads(run, run->branches[learn_run_owner(run, run->step)]);
    if (snapshot != NULL) {
        snapshot->asked = step;
        snapshot->is_exact = kept->step == step;
    }
    return snapshot;
}
