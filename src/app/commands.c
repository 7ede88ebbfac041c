#include "app/commands.h"

#include <string.h>

#include "app/commands_parts.h"

/* A command is a row of its family's file; a family is a row here. */
static const struct {
    const struct app_command *rows;
    const size_t *count;
} families[] = {
    {app_commands_change, &app_commands_change_count},
    {app_commands_walk, &app_commands_walk_count},
    {app_commands_show, &app_commands_show_count},
    {app_commands_look, &app_commands_look_count},
    {app_commands_keep, &app_commands_keep_count},
    {app_commands_model, &app_commands_model_count},
};

const struct app_command *app_command_at(size_t index)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (index < *families[i].count) {
            return &families[i].rows[index];
        }
        index -= *families[i].count;
    }
    return NULL;
}

bool app_command_run(struct app_state *state, const char *name, int argument, double time)
{
    const struct app_command *command = NULL;
    for (size_t i = 0; (command = app_command_at(i)) != NULL; i++) {
        if (strcmp(command->name, name) == 0) {
            command->run(state, argument, time);
            app_state_clamp(state);
            return true;
        }
    }
    return false;
}
