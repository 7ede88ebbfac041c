/* cli/window.h — from the options of a call to what the window opens with. */
#ifndef CLI_WINDOW_H
#define CLI_WINDOW_H

#include "cli/calls.h"

/* Fills all that the call asks of the window; the caller releases it. False and a sentence: the
 * call is wrong, or FILE cannot be opened. */
bool cli_window_fill(const struct cli_options *options, struct cli_window *window,
                     struct error *error);

/* Fills what the window opens by itself; *mine is false where FILE is an experiment, or where other
 * options ask for one of its layers as an experiment. */
bool cli_window_fill_from_file(const struct cli_options *options, struct cli_window *window,
                               bool *mine, struct error *error);

#endif
