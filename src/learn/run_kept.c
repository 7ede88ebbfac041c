/* learn/run_kept.c — which moments of a run are kept. They lie evenly: where the memory that they
 * may take is full, every other one goes and half as many are kept from then on. Where many steps
 * would lie between two, moments are packed, so that fewer do. */
#include <stdlib.h>
#include <string.h>

#include "learn/packed.h"
#include "learn/run_internal.h"

enum {
    ROOM_FIRST = 64,
    LONG_RUN = 3000, /* steps that are to lie evenly when all are made */
    PACKED_FROM = 8, /* steps between two moments: a step less is worth more than packing takes */
};

/* Packed moments of every task take less than this of their bytes: about 27 bits of 32. */
#define PACKED_SHARE 0.86

static size_t moment_bytes(const struct learn_run *run)
{
    return KEPT_PARTS * run->tensors->floats * sizeof(float);
}

/* How many steps lie between two so that moments of LONG_RUN fit, each of so many bytes. */
static uint64_t gap_of(const struct learn_run *run, double bytes)
{
    const size_t room = (size_t)((double)run->kept_bytes_most / bytes);
    return 1 + LONG_RUN / (room > 1 ? room - 1 : 1);
}

uint64_t learn_run_first_gap(const struct learn_run *run)
{
    const struct learn_recipe *const recipe = &run->branches[0]->recipe;
    const size_t steps = recipe->steps > 0 ? recipe->steps : 1;
    if (recipe->task == LEARN_TASK_TEXT) {
        return 1;
    }
    uint64_t gap = gap_of(run, (double)moment_bytes(run));
    if (gap >= PACKED_FROM) {
        gap = gap_of(run, (double)moment_bytes(run) * PACKED_SHARE);
    }
    for (size_t longer = 2; longer * steps <= LONG_RUN && gap > 1; longer *= 2) {
        gap = (gap + 1) / 2;
    }
    return gap;
}

static void drop(struct learn_run *run, struct kept *kept)
{
    run->kept_bytes -= kept->words * sizeof(uint32_t);
    for (size_t part = 0; part < KEPT_PARTS; part++) {
        free(kept->part[part]);
    }
}

static void thin(struct learn_run *run)
{
    size_t left = 0;
    run->kept_gap *= 2;
    for (size_t k = 0; k < run->kept_count; k++) {
        if (run->kept[k].step % run->kept_gap == 0) {
            run->kept[left++] = run->kept[k];
        } else {
            drop(run, &run->kept[k]);
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

/* The moment where the run stands; part[0] NULL: no memory. */
static struct kept make(struct learn_run *run, size_t branch)
{
    const size_t floats = run->tensors->floats;
    struct kept kept = {branch, run->step, run->kept_gap >= PACKED_FROM, {NULL}, 0};
    for (size_t part = 0; part < KEPT_PARTS; part++) {
        const float *const values = run->weights + part * floats;
        const size_t words = kept.is_packed ? learn_pack(values, floats, run->packing) : floats;
        kept.part[part] = malloc(words * sizeof *kept.part[part]);
        kept.words += words;
        if (kept.part[part] == NULL) {
            while (part-- > 0) {
                free(kept.part[part]);
            }
            return (struct kept){.part = {NULL}};
        }
        memcpy(kept.part[part], kept.is_packed ? (const void *)run->packing : values,
               words * sizeof *kept.part[part]);
    }
    run->kept_bytes += kept.words * sizeof(uint32_t);
    return kept;
}

void learn_run_read_kept(const struct learn_run *run, const struct kept *kept, size_t parts,
                         float *values)
{
    const size_t floats = run->tensors->floats;
    for (size_t part = 0; part < parts; part++) {
        if (kept->is_packed) {
            learn_unpack(kept->part[part], floats, values + part * floats);
        } else {
            memcpy(values + part * floats, kept->part[part], floats * sizeof *values);
        }
    }
}

void learn_run_keep(struct learn_run *run)
{
    const size_t branch = learn_run_owner(run, run->step);
    const struct kept *const there = learn_run_find_kept(run, branch, run->step);
    if (run->step % run->kept_gap != 0 || (there != NULL && there->step == run->step) ||
        !find_room(run)) {
        return;
    }
    struct kept kept = make(run, branch);
    if (kept.part[0] == NULL) {
        return;
    }
    /* The two largest moments are kept whatever they take: without the first no way leads back. */
    while (run->kept_count > 2 && run->kept_bytes > run->kept_bytes_most) {
        const size_t former = run->kept_count;
        thin(run);
        if (run->step % run->kept_gap != 0 || run->kept_count == former) {
            drop(run, &kept);
            return;
        }
    }
    run->kept[run->kept_count++] = kept;
}

void learn_run_drop_kept(struct learn_run *run)
{
    for (size_t k = 0; k < run->kept_count; k++) {
        drop(run, &run->kept[k]);
    }
    free(run->kept);
    run->kept = NULL;
    run->kept_count = run->kept_room = 0;
}

size_t learn_run_bytes(const struct learn_run *run)
{
    return run->kept_bytes;
}
