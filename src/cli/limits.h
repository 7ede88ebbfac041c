/* cli/limits.h — every limit of the program, and what happens beyond it: one table. */
#ifndef CLI_LIMITS_H
#define CLI_LIMITS_H

#include <stddef.h>

#include "cli/options.h"

struct cli_limit {
    const char *what;
    size_t most;
    const char *beyond; /* what happens to more */
};

/* Returns a row of the table; NULL behind the last. */
const struct cli_limit *cli_limit_at(size_t index);

/* Prints the table for --limits. */
int cli_limits(const struct cli_options *options);

#endif
