/* openers.h — every way in which a file comes into the program, for tests of what should not. They
 * want ATTNSCOPE_DUMPS and ATTNSCOPE_TINY in the environment, and a path without a folder. */
#ifndef TESTS_APP_OPENERS_H
#define TESTS_APP_OPENERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct opener {
    const char *name;
    bool (*refuses)(const char *path, struct error *error); /* and says why; false: it took it */
    bool looks;     /* at what is there first, and calls what is none by a sentence of its own */
    bool takes_all; /* whatever is in a file */
};

extern const struct opener openers[];
extern const size_t opener_count;

#endif
