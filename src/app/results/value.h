/* app/results/value.h — what was computed: immutable, and shared by counting references.
 *
 * A kind of value begins with this record:
 *
 *     struct written { struct value value; size_t count; int32_t id[]; };
 */
#ifndef APP_RESULTS_VALUE_H
#define APP_RESULTS_VALUE_H

#include <stdatomic.h>
#include <stddef.h>

struct value {
    atomic_size_t references;
    size_t bytes; /* of memory that go with it */
    void (*drop)(struct value *value);
};

/* Begins with one reference, the caller's. drop NULL: free alone. */
void value_begin(struct value *value, size_t bytes, void (*drop)(struct value *value));

/* One reference more, and one less; any thread may. NULL is fine. */
const struct value *value_keep(const struct value *value);
void value_release(const struct value *value);

#endif
