/* Strokes: which command each is, and how people read it. */
#include <string.h>

#include "app/actions/commands.h"
#include "base/translate.h"

static const unsigned OWN_BITS = APP_ANY_SHIFT | APP_UNLISTED;

static bool is_struck(struct ui_stroke row, struct ui_stroke given)
{
    const unsigned free = row.mods & APP_ANY_SHIFT ? UI_SHIFT : 0;
    return row.key == given.key && (row.mods & ~OWN_BITS & ~free) == (given.mods & ~free);
}

static bool has_stroke(const struct app_command *command, struct ui_stroke given)
{
    for (size_t s = 0; s < sizeof command->stroke / sizeof *command->stroke; s++) {
        if (command->stroke[s].key != 0 && is_struck(command->stroke[s], given)) {
            return true;
        }
    }
    return false;
}

/* The first row with that stroke that does anything now; where none does, the first, which says
 * why. NULL: there is none. */
static const struct app_command *command_of(const struct app_state *state, struct ui_stroke given)
{
    const bool covered = state->view.overlay != VIEW_OVERLAY_NONE;
    const struct app_command *command = NULL, *first = NULL;
    for (size_t i = 0; (command = app_command_at(i)) != NULL; i++) {
        const bool passes = !covered || (command->traits & APP_COMMAND_COVERS) != 0 ||
                            command->overlay != VIEW_OVERLAY_NONE;
        if (!passes || !has_stroke(command, given)) {
            continue;
        }
        if (command->when == NULL || command->when(state)) {
            return command;
        }
        first = first == NULL ? command : first;
    }
    return first;
}

bool app_keys_apply(struct app_state *state, const struct ui_input *input)
{
    bool any = false;
    for (size_t i = 0; i < input->strokes; i++) {
        const struct app_command *const command = command_of(state, input->stroke[i]);
        if (command != NULL) {
            app_command_do(state, command, input->time);
            any = true;
        }
    }
    return any;
}

/* --- how keys are read --- */

static const struct {
    uint32_t key;
    const char *name;
} names[] = {
    {UI_KEY_LEFT, "←"},
    {UI_KEY_RIGHT, "→"},
    {UI_KEY_UP, "↑"},
    {UI_KEY_DOWN, "↓"},
    {UI_KEY_HOME, "Home"},
    {UI_KEY_END, "End"},
    {UI_KEY_PAGE_UP, "PageUp"},
    {UI_KEY_PAGE_DOWN, "PageDown"},
    {UI_KEY_BACKSPACE, "Backspace"},
    {UI_KEY_ENTER, "Enter"},
    {UI_KEY_ESCAPE, "Esc"},
    {UI_KEY_SPACE, "Space bar"},
    {'-', "−"},
    {'+', " +"}, /* apart from the sign that joins */
};

static const char *name_of(struct ui_stroke stroke, struct arena *arena)
{
    const char *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        name = names[i].key == stroke.key ? tr(names[i].name) : name;
    }
    if (name == NULL && stroke.key >= UI_KEY_F1 && stroke.key <= UI_KEY_F12) {
        name = arena_format(arena, "F%u", (unsigned)(stroke.key - UI_KEY_F1 + 1));
    } else if (name == NULL) {
        const bool small = stroke.key >= 'a' && stroke.key <= 'z';
        name = arena_format(arena, "%c", (int)stroke.key - (small ? 'a' - 'A' : 0));
    }
    const char *const shift = (stroke.mods & UI_SHIFT) != 0 ? "⇧ " : "";
    const char *const alt = (stroke.mods & UI_ALT) != 0 ? "Alt+" : "";
    const char *const control = (stroke.mods & UI_CTRL) != 0 ? tr("Ctrl+") : "";
    return arena_format(arena, "%s%s%s%s", control, alt, shift, name != NULL ? name : "");
}

/* line and what keys the command has, three spaces between each. */
static const char *add_keys(const char *line, const struct app_command *command,
                            struct arena *arena)
{
    for (size_t s = 0; s < sizeof command->stroke / sizeof *command->stroke; s++) {
        const struct ui_stroke stroke = command->stroke[s];
        if (stroke.key != 0 && (stroke.mods & APP_UNLISTED) == 0 && line != NULL) {
            line = arena_format(arena, "%s%s%s", line, line[0] != 0 ? "   " : "",
                                name_of(stroke, arena));
        }
    }
    return line;
}

const char *app_command_keys(const struct app_command *command, struct arena *arena)
{
    const char *const keys = add_keys("", command, arena);
    return keys != NULL ? keys : "";
}

/* Keys that are the widgets' own. */
static const struct view_key_row own_keys[] = {
    {"F6   ⇧ F6", "To the next, former part; in the 3-D view arrows turn, + − zoom"},
    {"Tab   ⇧ Tab", "Through all controls; Enter and the space bar act"},
};

enum { OWN_KEYS = sizeof own_keys / sizeof *own_keys };

static size_t add_group(const struct app_command_group *group, struct view_key_row *rows,
                        struct arena *arena)
{
    size_t count = 0;
    rows[count++] = (struct view_key_row){NULL, group->title};
    for (size_t i = 0; i < group->count; i++) {
        const struct app_command *const command = &group->rows[i];
        const char *const keys = app_command_keys(command, arena);
        if (keys[0] == 0) {
            continue;
        }
        if (command->help != NULL && command->help[0] == 0) {
            struct view_key_row *const row = &rows[count - 1];
            row->keys = row->keys == NULL ? NULL : add_keys(row->keys, command, arena);
        } else {
            const char *const title = command->help != NULL ? command->help : command->title;
            rows[count++] =
                (struct view_key_row){command->keys != NULL ? command->keys : keys, title};
        }
    }
    return count;
}

const struct view_key_row *app_key_rows(struct arena *arena, size_t *count)
{
    size_t max_rows = OWN_KEYS;
    const struct app_command_group *group = NULL;
    for (size_t g = 0; (group = app_command_group_at(g)) != NULL; g++) {
        max_rows += 1 + group->count;
    }
    struct view_key_row *const rows = arena_array(arena, max_rows, sizeof *rows);
    *count = 0;
    for (size_t g = 0; rows != NULL && (group = app_command_group_at(g)) != NULL; g++) {
        *count += add_group(group, rows + *count, arena);
    }
    for (size_t i = 0; rows != NULL && i < OWN_KEYS; i++) {
        rows[(*count)++] = own_keys[i];
    }
    return rows;
}
