/* lab/mask.h — which keys a query may see: a table of kinds. */
#ifndef LAB_MASK_H
#define LAB_MASK_H

#include <stdbool.h>
#include <stddef.h>

enum lab_mask { LAB_MASK_NONE, LAB_MASK_CAUSAL, LAB_MASKS };

struct lab_mask_row {
    const char *name;     /* as options write it: "none", "causal" */
    const char *title;    /* "None", "Causal" */
    const char *sentence; /* "every query sees every key" */
    bool (*sees)(size_t i, size_t j);
};

/* mask must be below LAB_MASKS. */
const struct lab_mask_row *lab_mask_row(enum lab_mask mask);

bool lab_mask_find(const char *name, enum lab_mask *mask);

#endif
