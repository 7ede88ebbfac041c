/* lab/mask.c — the table of mask kinds. */
#include "lab/mask.h"

#include <string.h>

static bool sees_all(size_t i, size_t j)
{
    (void)i;
    (void)j;
    return true;
}

static bool sees_past(size_t i, size_t j)
{
    return j <= i;
}

static const struct lab_mask_row masks[LAB_MASKS] = {
    [LAB_MASK_NONE] = {"none", "None", "every query sees every key", sees_all},
    [LAB_MASK_CAUSAL] = {"causal", "Causal", "every query sees itself and what came before it",
                         sees_past},
};

const struct lab_mask_row *lab_mask_row(enum lab_mask mask)
{
    return &masks[mask];
}

bool lab_mask_find(const char *name, enum lab_mask *mask)
{
    for (size_t m = 0; m < LAB_MASKS; m++) {
        if (strcmp(masks[m].name, name) == 0) {
            *mask = (enum lab_mask)m;
            return true;
        }
    }
    return false;
}
