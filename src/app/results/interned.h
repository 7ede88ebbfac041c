/* app/results/interned.h — contents of which a key holds the number: equal bytes have one number,
 * and no other bytes ever have it. */
#ifndef APP_RESULTS_INTERNED_H
#define APP_RESULTS_INTERNED_H

#include <stdint.h>

#include "app/results/value.h"
#include "base/bytes.h"

enum { INTERNED_MAX = 256, INTERNED_BYTES_MAX = 16 << 20 };

/* The last contents that were given a number. One thread has them. */
struct interned {
    struct interned_content
        *content[INTERNED_MAX]; /* the one that was asked for last stands last */
    size_t count, bytes;
    uint32_t last; /* number */
};

/* Returns the number of these bytes, which are copied; 0: no memory. Those that were not asked for
 * the longest time are forgotten, and get another number when they come again. */
uint32_t interned_number(struct interned *interned, const void *bytes, size_t size);

/* Returns what has this number; the caller holds one reference. NULL: it is forgotten, or 0. */
const struct value *interned_keep(const struct interned *interned, uint32_t number);
struct bytes interned_bytes(const struct value *content); /* NULL: none */

void interned_free(struct interned *interned);

#endif
