/* app/actions/commands.h — everything that can be asked for by name, by key or by a button: one row
 * each.
 *
 * To add one, add a row to the file of its group (commands_*.c): it then has its key, its line on
 * the overlay of keys and its place among the names of Ctrl+K. */
#ifndef APP_ACTIONS_COMMANDS_H
#define APP_ACTIONS_COMMANDS_H

#include "app/document/state.h"

/* Bits of a stroke's mods beside those of ui/input.h. */
enum {
    APP_ANY_SHIFT = 1 << 8, /* with or without ⇧, as the keyboard's layout has it */
    APP_UNLISTED = 1 << 9   /* works, but is not told */
};

/* As help: the row's keys stand on the line of the row before. */
#define APP_SAME_LINE ""

enum app_command_traits {
    APP_COMMAND_ENDS = 1,  /* ends something: stands last among the names */
    APP_COMMAND_SETS = 2,  /* changes a setting: by any other word than its first ones, it stands
                              behind what only leads somewhere */
    APP_COMMAND_COVERS = 4 /* by its key over an overlay as well; what opens one does, too */
};

struct app_command {
    const char *name;
    int argument;      /* tells rows of one name apart, and is given to turn */
    const char *title; /* in the list of names; NULL: it is not there */
    const char *words; /* by which it may be looked for, too; NULL: none */
    const char *help;  /* its line on the overlay of keys; NULL: its title */
    const char *keys;  /* how that line names the keys; NULL: each by its name */
    struct ui_stroke stroke[4];
    unsigned traits; /* enum app_command_traits */

    /* When it does anything. Else it stands last among the names, and its key is first for others.
     * NULL: always. */
    bool (*when)(const struct app_state *state);

    /* One of these is what it does. */
    void (*run)(struct app_state *state);
    void (*run_at)(struct app_state *state, double time);
    void (*turn)(struct app_state *state, int argument, double time);
    enum view_overlay overlay; /* opens it, or closes it */
    size_t toggle;             /* offset of a bool in the state, which is turned over */
    unsigned asks;             /* of whoever holds the window: enum app_asks */
};

struct app_command_group {
    const char *title;
    const struct app_command *rows;
    size_t count;
};

/* NULL behind the last. */
const struct app_command_group *app_command_group_at(size_t index);

/* The command at index among those of all groups; NULL behind the last. */
const struct app_command *app_command_at(size_t index);

/* Runs a command by name: the row with that argument, else the first. False: there is none. */
bool app_command_run(struct app_state *state, const char *name, int argument, double time);
void app_command_do(struct app_state *state, const struct app_command *command, double time);

/* Runs what the strokes of a record stand for. True when there was anything. */
bool app_keys_apply(struct app_state *state, const struct ui_input *input);

/* A command's keys as people read them: "Ctrl+Y   Ctrl+⇧ Z"; "" when it has none. */
const char *app_command_keys(const struct app_command *command, struct arena *arena);

/* The lines of the overlay of keys; NULL: there is not enough memory. */
const struct view_key_row *app_key_rows(struct arena *arena, size_t *count);

/* --- the groups, for commands.c only --- */
extern const struct app_command_group app_commands_walk, app_commands_class, app_commands_display,
    app_commands_change, app_commands_model, app_commands_learn, app_commands_files,
    app_commands_window;

#endif
