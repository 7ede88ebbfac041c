/* app/open/dump_options.h — what is meant by the arrays of a file: a lab_dump_request with texts of
 * its own, counted and never changed. */
#ifndef APP_OPEN_DUMP_OPTIONS_H
#define APP_OPEN_DUMP_OPTIONS_H

#include "app/results/value.h"
#include "lab/dump/dump.h"

/* Where it is not clear what the arrays are: the panel asks, or it was said there and is taken so.
 */
enum app_dump_doubt { DUMP_DOUBT_IS_ASKED, DUMP_DOUBT_IS_SETTLED };

struct app_dump_options {
    struct value value;
    struct lab_dump_request request;
    enum app_dump_doubt doubt;
    char texts[];
};

/* Copies the texts of the request; the caller holds one reference. NULL: no memory. */
const struct app_dump_options *app_dump_options_new(const struct lab_dump_request *request,
                                                    enum app_dump_doubt doubt);

/* One reference more, and one less; NULL is fine. */
static inline const struct app_dump_options *
app_dump_options_keep(const struct app_dump_options *options)
{
    (void)value_keep(options == NULL ? NULL : &options->value);
    return options;
}

static inline void app_dump_options_release(const struct app_dump_options *options)
{
    value_release(options == NULL ? NULL : &options->value);
}

#endif
