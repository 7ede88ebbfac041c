/* cli/dump.h — FILE is one of attention from elsewhere, for the calls. */
#ifndef CLI_DUMP_H
#define CLI_DUMP_H

#include "cli/calls.h"
#include "lab/dump.h"

/* Opens FILE as the options say: --array, --axes, --batch, --text-file. The caller closes it. */
struct lab_dump *cli_dump_open(const struct cli_options *options, struct error *error);

#endif
