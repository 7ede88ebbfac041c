/* Contents and their numbers. */
#include "app/results/interned.h"

#include <stdlib.h>
#include <string.h>

struct interned_content {
    struct value value;
    uint32_t number;
    size_t size;
    unsigned char bytes[];
};

/* The one at `place` becomes the one that was asked for last. */
static void move_to_end(struct interned *interned, size_t place)
{
    struct interned_content *const content = interned->content[place];
    memmove(&interned->content[place], &interned->content[place + 1],
            (interned->count - place - 1) * sizeof content);
    interned->content[interned->count - 1] = content;
}

static void forget_first(struct interned *interned)
{
    struct interned_content *const first = interned->content[0];
    move_to_end(interned, 0);
    interned->count--;
    interned->bytes -= first->size;
    value_release(&first->value);
}

uint32_t interned_number(struct interned *interned, const void *bytes, size_t size)
{
    for (size_t i = interned->count; i-- > 0;) {
        const struct interned_content *const known = interned->content[i];
        if (known->size == size && memcmp(known->bytes, bytes, size) == 0) {
            move_to_end(interned, i);
            return known->number;
        }
    }
    struct interned_content *const content = malloc(sizeof *content + size);
    if (content == NULL) {
        return 0;
    }
    value_begin(&content->value, size, NULL);
    content->number = ++interned->last;
    content->size = size;
    memcpy(content->bytes, bytes, size);
    while (interned->count == INTERNED_MAX ||
           (interned->count > 0 && interned->bytes + size > INTERNED_BYTES_MAX)) {
        forget_first(interned);
    }
    interned->content[interned->count++] = content;
    interned->bytes += size;
    return content->number;
}

const struct value *interned_keep(const struct interned *interned, uint32_t number)
{
    for (size_t i = interned->count; number != 0 && i-- > 0;) {
        if (interned->content[i]->number == number) {
            return value_keep(&interned->content[i]->value);
        }
    }
    return NULL;
}

struct bytes interned_bytes(const struct value *value)
{
    const struct interned_content *const content = (const struct interned_content *)value;
    return content == NULL ? (struct bytes){NULL, 0}
                           : (struct bytes){content->bytes, content->size};
}

void interned_free(struct interned *interned)
{
    while (interned->count > 0) {
        forget_first(interned);
    }
}
