/* tests/attn/same.c — every set gives the same bits, and those that were recorded.
 *
 * A plain program, so that it also runs where there is no test framework (cross/). Each round draws
 * a shape and numbers from its seed for each operation; the set at hand, the plain C that reads
 * like the definition, and no other rule decide. Of NaN only that it is one.
 *     same                    all sets against ref; ATTN_TEST_SEED, ATTN_TEST_ROUNDS, ATTN_ISA as
 *                             in check.c
 *     same FILE               all sets against the digests in FILE, as many rounds as it says
 *     same --record FILE      writes them, from the best set */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../rounds.h"
#include "same.h"

#ifdef ATTN_CHECK_SPELLED
extern const struct attn_kernels attn_kernels_spelled;
#endif

enum { SKIPPED = 77, RECORDED_ROUNDS = 40 };

#define RECORDED_SEED UINT64_C(20261122)

static float results[2][SAME_FLOATS];

/* Operation number index of all; NULL behind the last. */
static const struct same_operation *operation_at(size_t index)
{
    size_t first = 0;
    while (first < index && same_operations[first].name != NULL) {
        first++;
    }
    const struct same_operation *const at = same_operations[first].name != NULL
                                                ? &same_operations[index]
                                                : &same_learning[index - first];
    return at->name != NULL ? at : NULL;
}

/* One round of an operation by a set; what it gives to out. */
static size_t perform(const struct same_operation *operation, const struct attn_kernels *kernels,
                      uint64_t seed, size_t round, float *out)
{
    struct same_trial trial = {.kernels = kernels, .out = out};
    trial.dice.state = seed + round * UINT64_C(0x632be59bd9b4e019);
    operation->perform(&trial);
    same_release(&trial);
    return trial.count;
}

static bool equal(const struct same_operation *operation, const struct attn_kernels *kernels,
                  uint64_t seed, size_t round)
{
    const struct attn_kernels *const ref = attn_kernels_choose("ref");
    const size_t count = perform(operation, ref, seed, round, results[0]);
    const size_t again = perform(operation, kernels, seed, round, results[1]);
    for (size_t i = 0; i < count && again == count; i++) {
        const float a = results[0][i], b = results[1][i];
        if (memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b))) {
            printf("%s, %s: number %zu of %zu is %a, plain C has %a (ATTN_TEST_SEED=%llu, round "
                   "%zu)\n",
                   attn_kernels_name(kernels), operation->name, i, count, (double)b, (double)a,
                   (unsigned long long)seed, round);
            return false;
        }
    }
    return again == count;
}

static bool equal_round(const struct attn_kernels *kernels, uint64_t seed, size_t round)
{
    for (size_t o = 0; operation_at(o) != NULL; o++) {
        if (!equal(operation_at(o), kernels, seed, round)) {
            return false;
        }
    }
    return true;
}

/* Seeds that random rounds failed at once: one gives sums of a row that sees no key of a tile,
 * after a score too large for the formula. */
static const uint64_t found[] = {UINT64_C(13689844908494820839)};

static bool equal_rounds(const struct attn_kernels *kernels, uint64_t seed, size_t rounds)
{
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        if (!equal_round(kernels, found[i], 0)) {
            return false;
        }
    }
    for (size_t round = 0; round < rounds; round++) {
        if (!equal_round(kernels, seed, round)) {
            return false;
        }
    }
    printf("%s: %zu rounds have the bits of plain C\n", attn_kernels_name(kernels), rounds);
    return true;
}

/* ---- against what was recorded ------------------------------------------------------------- */

/* FNV-1a over the bits of the numbers, which NaN have in common. */
static uint64_t digest_of(const struct same_operation *operation,
                          const struct attn_kernels *kernels)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t round = 0; round < RECORDED_ROUNDS; round++) {
        const size_t count = perform(operation, kernels, RECORDED_SEED, round, results[0]);
        for (size_t i = 0; i < count; i++) {
            uint32_t bits = UINT32_C(0x7fc00000);
            if (!isnan(results[0][i])) {
                memcpy(&bits, &results[0][i], sizeof bits);
            }
            hash = (hash ^ bits) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

static int record(const char *path)
{
    FILE *const file = fopen(path, "w");
    if (file == NULL) {
        return 1;
    }
    for (size_t o = 0; operation_at(o) != NULL; o++) {
        fprintf(file, "%s %016llx\n", operation_at(o)->name,
                (unsigned long long)digest_of(operation_at(o), attn_kernels_at(0)));
    }
    return fclose(file) == 0 ? 0 : 1;
}

static bool as_recorded(const struct attn_kernels *kernels, const char *path)
{
    FILE *const file = fopen(path, "r");
    char name[64];
    unsigned long long digest = 0;
    bool same = file != NULL;
    size_t o = 0;
    while (same && fscanf(file, "%63s %llx", name, &digest) == 2) {
        same = operation_at(o) != NULL && strcmp(name, operation_at(o)->name) == 0 &&
               digest_of(operation_at(o), kernels) == digest;
        o++;
    }
    if (!same || operation_at(o) != NULL) {
        printf("%s: %s has other bits than recorded\n", attn_kernels_name(kernels),
               o == 0 ? "everything" : operation_at(o - 1)->name);
        same = false;
    }
    if (file != NULL) {
        fclose(file);
    }
    return same;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool check(const struct attn_kernels *kernels, const char *path, uint64_t seed,
                  size_t rounds)
{
    return path != NULL ? as_recorded(kernels, path) : equal_rounds(kernels, seed, rounds);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed((uint64_t)time(NULL));
    const size_t rounds = test_rounds(2000);
    const char *const only = getenv("ATTN_ISA"), *const path = argc > 1 ? argv[1] : NULL;
    size_t checked = 0;
    if (argc > 2 && strcmp(argv[1], "--record") == 0) {
        return record(argv[2]);
    }
    for (size_t i = 0; attn_kernels_at(i) != NULL; i++) {
        const struct attn_kernels *const kernels = attn_kernels_at(i);
        if (only != NULL && only[0] != '\0' && strcmp(only, attn_kernels_name(kernels)) != 0) {
            continue;
        }
        if (!check(kernels, path, seed, rounds)) {
            return 1;
        }
        checked++;
    }
#ifdef ATTN_CHECK_SPELLED
    if (only == NULL && !check(&attn_kernels_spelled, path, seed, rounds / 10)) {
        return 1;
    }
#endif
    return checked > 0 ? 0 : SKIPPED;
}
