/* tests/cli/ties.c — preloaded: sorts as C allows it and no library here does, with what compares
 * equal in the opposite order. What a program shows must not tell. */
#include <stdlib.h>
#include <string.h>

typedef int compare(const void *left, const void *right);

/* Sorts count things into out; of two that compare equal the later one comes first. */
static void merge(char *things, char *out, size_t count, size_t size, compare *order)
{
    const size_t half = count / 2;
    if (half == 0) {
        memcpy(out, things, count * size);
        return;
    }
    merge(things, out, half, size, order);
    merge(things + half * size, out + half * size, count - half, size, order);
    memcpy(things, out, count * size);
    size_t left = 0, right = half;
    for (size_t at = 0; at < count; at++) {
        const int takes_left = right == count || (left < half && order(things + left * size,
                                                                       things + right * size) < 0);
        memcpy(out + at * size, things + (takes_left ? left++ : right++) * size, size);
    }
}

void qsort(void *things, size_t count, size_t size, compare *order)
{
    char *const room = count > 1 ? malloc(count * size) : NULL;
    if (count > 1 && room == NULL) {
        abort();
    }
    if (count > 1) {
        merge(things, room, count, size, order);
        memcpy(things, room, count * size);
    }
    free(room);
}
