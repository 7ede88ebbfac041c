#include "cli/calls.h"
int cli_info(const struct cli_options *options) { (void)options; return CLI_DONE; }
int cli_completion(const struct cli_options *options) { (void)options; return CLI_DONE; }
int cli_manual(void) { return CLI_DONE; }
