/* app/open/dump_options.h — what is meant by the arrays of a file, as a value of its own: a
 * lab_dump_request whose texts nobody else owns. */
#ifndef APP_OPEN_DUMP_OPTIONS_H
#define APP_OPEN_DUMP_OPTIONS_H

#include "lab/dump/dump.h"

enum { APP_DUMP_OPTIONS_NAME = 512, APP_DUMP_OPTIONS_PATH = 4096 };

struct app_dump_options {
    char array[APP_DUMP_OPTIONS_NAME], keys[APP_DUMP_OPTIONS_NAME], inside[APP_DUMP_OPTIONS_NAME];
    char axes[ARRAY_RANK_MAX + 1], words[APP_DUMP_OPTIONS_PATH];
    char tokens[APP_DUMP_OPTIONS_PATH], context[APP_DUMP_OPTIONS_PATH]; /* the tokens themselves */
    enum lab_dump_reading reading;
    enum lab_dump_sight sight;
    size_t batch;
    bool counted;
    bool by_person; /* said in the panel: it is not asked again */
};

/* Copies; a name that is too long is cut, and then names nothing. */
struct app_dump_options app_dump_options_of(const struct lab_dump_request *request);

/* Borrows from *asked. */
struct lab_dump_request app_dump_options_request(const struct app_dump_options *options);

#endif
