/* cli/dump.h — FILE is one of attention from elsewhere, for the calls. */
#ifndef CLI_DUMP_H
#define CLI_DUMP_H

#include "cli/calls.h"
#include "lab/dump/dump.h"

/* What the options say about it, --array to --batch and --text-file; borrows from them. */
struct lab_dump_request cli_dump_request(const struct cli_options *options);

/* Opens FILE as the options say. The caller closes it. */
struct lab_dump *cli_dump_open(const struct cli_options *options, struct error *error);

#endif
