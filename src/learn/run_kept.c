/* learn/run_kept.c — chooses which snapshots of a run are kept. They are evenly spaced: when their
 * memory is full, every other one is dropped, and from then on half as many are kept. */
#include <stdlib.h>
#include <string.h>

#include "learn/run_internal.h"

enum { ROOM_FIRST = 64, LONG_RUN = 3000 /* steps that are evenly spaced when all are made */ };

static size_t snapshot_bytes(const struct learn_run *run)
{
    return 3 * run->tensors->floats * sizeof(float);
}

uint64_t learn_run_first_gap(const struct learn_run *run)
{
    const struct learn_recipe *const recipe = &run->branches[0]->recipe;
    const size_t steps = recipe->steps > 0 ? recipe->steps : 1;
    if (recipe->task == LEARN_TASK_TEXT) {
        return 1;
    }
    const size_t room = run->kept_bytes_max / snapshot_bytes(run); /* in snapshots */
    uint64_t gap = 1 + LONG_RUN / (room > 2 ? room - 2 : 1);
    for (size_t longer = 2; longer * steps <= LONG_RUN && gap > 1; longer *= 2) {
        gap = (gap + 1) / 2;
    }
    return gap;
}

static void drop_every_other(struct learn_run *run)
{
    size_t left = 0;
    run->kept_gap *= 2;
    for (size_t k = 0; k < run->kept_count; k++) {
        if (run->kept[k].step % run->kept_gap == 0) {
            run->kept[left++] = run->kept[k];
        } else {
            free(run->kept[k].values);
        }
    }
    run->kept_count = left;
}

const struct kept *learn_run_find_kept(const struct learn_run *run, size_t branch, uint64_t step)
{
    const struct kept *best = NULL;
    for (size_t k = 0; k < run->kept_count; k++) {
        const struct kept *const kept = &run->kept[k];
        if (kept->branch == branch && kept->step <= step &&
            (best == NULL || kept->step > best->step)) {
            best = kept;
        }
    }
    return best;
}

static bool find_room(struct learn_run *run)
{
    if (run->kept_count < run->kept_room) {
        return true;
    }
    const size_t room = run->kept_room == 0 ? ROOM_FIRST : 2 * run->kept_room;
    struct kept *const kept = realloc(run->kept, room * sizeof *kept);
    if (kept == NULL) {
        return false;
    }
    run->kept = kept;
    run->kept_room = room;
    return true;
}

bool learn_run_keep_here(struct learn_run *run)
{
    float *const values = find_room(run) ? malloc(snapshot_bytes(run)) : NULL;
    if (values != NULL) {
        memcpy(values, run->weights, snapshot_bytes(run));
        run->kept[run->kept_count++] =
            (struct kept){learn_run_owner(run, run->step), run->step, values};
    }
    return values != NULL;
}

void learn_run_keep(struct learn_run *run)
{
    const size_t branch = learn_run_owner(run, run->step);
    const struct kept *const there = learn_run_find_kept(run, branch, run->step);
    if (run->step % run->kept_gap != 0 || (there != NULL && there->step == run->step)) {
        return;
    }
    /* Two snapshots are kept whatever they take; without the first there is no way back. */
    while (run->kept_count > 2 &&
           (run->kept_count + 1) * snapshot_bytes(run) > run->kept_bytes_max) {
        const size_t former = run->kept_count;
        drop_every_other(run);
        if (run->step % run->kept_gap != 0 || run->kept_count == former) {
            return;
        }
    }
    (void)learn_run_keep_here(run);
}

void learn_run_drop_kept(struct learn_run *run)
{
    for (size_t k = 0; k < run->kept_count; k++) {
        free(run->kept[k].values);
    }
    free(run->kept);
    run->kept = NULL;
    run->kept_count = run->kept_room = 0;
}

size_t learn_run_bytes(const struct learn_run *run)
{
    return run->kept_count * snapshot_bytes(run);
}

void learn_run_keep_at_most(struct learn_run *run, size_t bytes)
{
    run->kept_bytes_max = bytes;
    if (run->kept_count <= 1) {
        run->kept_gap = learn_run_first_gap(run);
    }
}
