/* main.c — decides: command line or window. */
#include <SDL.h> /* on some systems it takes main's place */

#include <stdio.h>
#include <stdlib.h>

#include "app/state.h"
#include "app/window.h"
#include "cli/cli.h"

static int tell(const struct error *error)
{
    fprintf(stderr, "attnscope: %s\n", error->text);
    return CLI_FAILED;
}

/* The window on what the command line asked for. */
static int open_window(const struct cli_window *asked)
{
    struct error error = {0};
    struct app_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        error_set(&error, ERROR_MEMORY, "There is not enough memory for the window.");
        return tell(&error);
    }
    const bool opened = app_state_open(state, NULL, asked->isa, &error);
    if (opened) {
        app_state_put(state, &asked->experiment);
        state->view.stage = asked->stage;
        state->view.pinned = asked->selection;
        app_state_clamp(state);
        if (asked->dark_given) {
            app_state_set_theme(state, ui_theme_find(asked->dark ? "dark" : "light"));
        }
    }
    const bool ran = opened && app_window_run(&asked->window, state, &error);
    app_state_close(state);
    free(state);
    return ran ? CLI_DONE : tell(&error);
}

int main(int argc, char **argv)
{
    struct cli_window asked;
    int status = cli_main(argc, argv, &asked);
    if (status == CLI_WINDOW) {
        status = open_window(&asked);
        cli_window_release(&asked);
    }
    return status;
}
