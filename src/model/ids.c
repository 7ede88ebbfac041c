/* model/ids.c — see ids.h. */
#include "model/ids.h"

#include <stdlib.h>
#include <string.h>

static const char BETWEEN[] = " ,\t\r\n";

bool model_ids_read(const char *text, struct arena *arena, const uint32_t **ids, size_t *count,
                    const char **wrong)
{
    uint32_t *const room = arena_array(arena, strlen(text) / 2 + 1, sizeof *room);
    const char *at = text;
    *ids = room;
    *count = 0;
    *wrong = NULL;
    while (room != NULL && *(at += strspn(at, BETWEEN)) != '\0') {
        const char *const digits = *at == '#' ? at + 1 : at;
        char *end = NULL;
        const unsigned long long id =
            *digits >= '0' && *digits <= '9' ? strtoull(digits, &end, 10) : 0;
        if (end == NULL || id > UINT32_MAX || strchr(BETWEEN, *end) == NULL) {
            *wrong = at;
            return false;
        }
        room[(*count)++] = (uint32_t)id;
        at = end;
    }
    return room != NULL;
}
