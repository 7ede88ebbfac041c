/* The commands of the window: what lies over it, its theme, size and end. */
#include "app/actions/commands.h"

#include "app/actions/overlay.h"

static void turn_theme(struct app_state *state)
{
    app_state_set_theme(state, ui_theme_find(state->theme->dark ? "light" : "dark"));
}

static void toggle_grey(struct app_state *state)
{
    app_state_set_theme(state, ui_theme_find(state->theme->grey ? "light" : "grey"));
}

/* The one behind the one that is spoken; English behind the last. */
static void toggle_settings(struct app_state *state)
{
    state->view.prefs.settings_folded = !state->view.prefs.settings_folded;
    state->view.settings_open = !state->view.settings_open;
}

static void close_overlay(struct app_state *state)
{
    app_overlay_close(state);
}

static bool has_overlay(const struct app_state *state)
{
    return state->view.overlay != VIEW_OVERLAY_NONE;
}

/* steps 0: as large as at first. */
static void ui_scale(struct app_state *state, int steps, double time)
{
    (void)time;
    state->request.asks |= steps == 0 ? (unsigned)APP_ASKS_FIRST_SCALE : 0;
    state->request.ui_scale_step = (float)steps;
}

static const struct app_command rows[] = {
    {"close", .run = close_overlay, .when = has_overlay, .traits = APP_COMMAND_COVERS,
     .stroke = {{UI_KEY_ESCAPE, APP_UNLISTED}}},
    {"find", .help = "Find anything by name",
     .stroke = {{'k', UI_CTRL}, {'p', UI_CTRL | UI_SHIFT | APP_UNLISTED}},
     .overlay = VIEW_OVERLAY_FIND},
    {"help", .title = "All keys", .words = "help shortcuts keyboard", .help = "This sheet",
     .stroke = {{'?', APP_ANY_SHIFT}, {'/', UI_SHIFT | APP_UNLISTED}, {UI_KEY_F1, 0}},
     .overlay = VIEW_OVERLAY_HELP},
    {"manual", .title = "Open the manual", .words = "help documentation guide",
     .asks = APP_ASKS_MANUAL},
    {"settings", .title = "Show or hide the settings", .run = toggle_settings,
     .stroke = {{'s', 0}}},
    {"theme", .title = "Light or dark", .words = "theme night mode bright colours",
     .run = turn_theme, .stroke = {{'t', 0}}},
    {"grey", .title = "Grey theme: nothing is told by hue",
     .words = "print black white monochrome colour blind", .run = toggle_grey},
    {"scale", 1, .title = "Interface larger", .words = "bigger zoom font letters text size",
     .turn = ui_scale, .help = "Interface larger, smaller, as at first",
     .traits = APP_COMMAND_COVERS,
     .stroke = {{'+', UI_CTRL | APP_ANY_SHIFT}, {'=', UI_CTRL | APP_ANY_SHIFT | APP_UNLISTED}}},
    {"scale", -1, .title = "Interface smaller", .words = "zoom font letters text size",
     .turn = ui_scale, .help = APP_SAME_LINE, .traits = APP_COMMAND_COVERS,
     .stroke = {{'-', UI_CTRL}}},
    {"scale", 0, .title = "Interface as large as usual", .turn = ui_scale, .help = APP_SAME_LINE,
     .traits = APP_COMMAND_COVERS, .stroke = {{'0', UI_CTRL}}},
    {"fullscreen", .title = "Full screen", .traits = APP_COMMAND_COVERS,
     .stroke = {{UI_KEY_F1 + 10, 0}}, .asks = APP_ASKS_FULLSCREEN},
    {"quit", .title = "Close the window", .traits = APP_COMMAND_ENDS | APP_COMMAND_COVERS,
     .stroke = {{'q', UI_CTRL}}, .asks = APP_ASKS_QUIT},
};

const struct app_command_group app_commands_window = {"Window", rows, sizeof rows / sizeof *rows};
