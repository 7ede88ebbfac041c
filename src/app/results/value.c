/* Values that are shared by counting references. */
#include "app/results/value.h"

#include <stdlib.h>

static void drop_memory(struct value *value)
{
    free(value);
}

void value_begin(struct value *value, size_t bytes, void (*drop)(struct value *value))
{
    atomic_init(&value->references, 1);
    value->bytes = bytes;
    value->drop = drop != NULL ? drop : drop_memory;
}

const struct value *value_keep(const struct value *value)
{
    if (value != NULL) {
        atomic_fetch_add_explicit(&((struct value *)value)->references, 1, memory_order_relaxed);
    }
    return value;
}

void value_release(const struct value *value)
{
    struct value *const shared = (struct value *)value;
    if (shared != NULL &&
        atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        shared->drop(shared);
    }
}
