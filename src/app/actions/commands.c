#include "app/actions/commands.h"

#include <string.h>

#include "app/actions/overlay.h"
#include "app/document/hints.h"

static const struct app_command_group *const groups[] = {
    &app_commands_walk,  &app_commands_display, &app_commands_change, &app_commands_class,
    &app_commands_model, &app_commands_learn,   &app_commands_files,  &app_commands_window,
};

enum { GROUPS = sizeof groups / sizeof *groups };

const struct app_command_group *app_command_group_at(size_t index)
{
    return index < GROUPS ? groups[index] : NULL;
}

const struct app_command *app_command_at(size_t index)
{
    for (size_t g = 0; g < GROUPS; g++) {
        if (index < groups[g]->count) {
            return &groups[g]->rows[index];
        }
        index -= groups[g]->count;
    }
    return NULL;
}

void app_command_do(struct app_state *state, const struct app_command *command, double time)
{
    bool *const toggled = (bool *)((char *)state + command->toggle);
    if (command->run != NULL) {
        command->run(state);
    } else if (command->run_at != NULL) {
        command->run_at(state, time);
    } else if (command->turn != NULL) {
        command->turn(state, command->argument, time);
    } else if (command->overlay != VIEW_OVERLAY_NONE) {
        app_overlay_turn(state, command->overlay, time);
    } else if (command->toggle != 0) {
        *toggled = !*toggled;
    } else {
        state->request.asks |= command->asks;
    }
    app_hint_used_command(state, command->name);
    app_state_clamp(state);
}

bool app_command_run(struct app_state *state, const char *name, int argument, double time)
{
    const struct app_command *command = NULL, *any = NULL;
    for (size_t i = 0; (command = app_command_at(i)) != NULL; i++) {
        const bool named = strcmp(command->name, name) == 0;
        any = named && (any == NULL || command->argument == argument) ? command : any;
    }
    if (any != NULL) {
        app_command_do(state, any, time);
    }
    return any != NULL;
}
