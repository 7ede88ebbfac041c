/* app/commands.h — everything that can be asked for by name: by a button, a key or a test. */
#ifndef APP_COMMANDS_H
#define APP_COMMANDS_H

#include "app/state.h"

struct app_command {
    const char *name, *title;
    /* argument: a stage, or a number of steps; what each command says. */
    void (*run)(struct app_state *state, int argument, double time);
    bool whole; /* makes sense without an argument: can be found by name */
};

/* The command at index; NULL behind the last. */
const struct app_command *app_command_at(size_t index);

/* Runs a command by name. False: there is none. */
bool app_command_run(struct app_state *state, const char *name, int argument, double time);

#endif
