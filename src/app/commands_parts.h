/* app/commands_parts.h — the families that the commands come in; for commands*.c only. */
#ifndef APP_COMMANDS_PARTS_H
#define APP_COMMANDS_PARTS_H

#include <stddef.h>

#include "app/commands.h"

extern const struct app_command app_commands_change[];
extern const size_t app_commands_change_count;
extern const struct app_command app_commands_walk[];
extern const size_t app_commands_walk_count;
extern const struct app_command app_commands_show[];
extern const size_t app_commands_show_count;
extern const struct app_command app_commands_look[];
extern const size_t app_commands_look_count;
extern const struct app_command app_commands_model[];
extern const size_t app_commands_model_count;
extern const struct app_command app_commands_keep[];
extern const size_t app_commands_keep_count;

#endif
