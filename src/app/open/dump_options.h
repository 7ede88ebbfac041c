/* app/open/dump_options.h — what is meant by the arrays of a file: a lab_dump_request with texts of
 * its own, counted and never changed. */
#ifndef APP_OPEN_DUMP_OPTIONS_H
#define APP_OPEN_DUMP_OPTIONS_H

#include "app/results/value.h"
#include "lab/dump/dump.h"

struct app_dump_options {
    struct value value;
    struct lab_dump_request request;
    bool by_person; /* said in the panel: it is not asked again */
    char texts[];
};

/* Copies the texts of the request; the caller holds one reference. NULL: no memory. */
const struct app_dump_options *app_dump_options_new(const struct lab_dump_request *request,
                                                    bool by_person);
const struct app_dump_options *app_dump_options_keep(const struct app_dump_options *options);
void app_dump_options_release(const struct app_dump_options *options); /* NULL is fine */

#endif
