/* app/asked.h — what is meant by the arrays of a file, as a value of its own: a
 * lab_dump_request whose texts nobody else owns. */
#ifndef APP_ASKED_H
#define APP_ASKED_H

#include "lab/dump.h"

enum { APP_ASKED_NAME = 512, APP_ASKED_PATH = 4096 };

struct app_asked {
    char array[APP_ASKED_NAME], keys[APP_ASKED_NAME], inside[APP_ASKED_NAME];
    char axes[ARRAY_RANK_MAX + 1], words[APP_ASKED_PATH];
    enum lab_dump_reading reading;
    enum lab_dump_sight sight;
    size_t batch;
    bool counted;
    bool by_person; /* said in the panel: it is not asked again */
};

/* Copies; a name that is too long is cut, and then names nothing. */
struct app_asked app_asked_of(const struct lab_dump_request *request);

/* Borrows from *asked. */
struct lab_dump_request app_asked_request(const struct app_asked *asked);

#endif
