/* Hints that are shown once. */
#include "app/document/hints.h"

#include <string.h>

#include "app/document/settings_store.h"

static const struct {
    const char *name;    /* in the settings */
    const char *command; /* that it is about; NULL: it is about none */
} rows[VIEW_HINTS] = {
    [VIEW_HINT_EDIT] = {"second click edits", NULL},
    [VIEW_HINT_WORDS] = {"learning replaces words", NULL},
    [VIEW_HINT_ASIDE] = {"key aside", NULL},
    [VIEW_HINT_STRIP] = {"training strip", "learn"},
    [VIEW_HINT_FIND] = {"find by name", "find"},
};

static const char FILE_NAME[] = "hints";

/* Seconds: how long one is shown, and the time after which it counts as read. */
static const double SHOWN = 12, READ = 3;

void app_hints_begin(struct app_state *state)
{
    struct arena arena = {0};
    const char *gone[VIEW_HINTS];
    const size_t count = app_stored_lines(FILE_NAME, &arena, gone, VIEW_HINTS);
    state->view.hints_left = (1u << VIEW_HINTS) - 1;
    for (size_t h = 0; h < VIEW_HINTS; h++) {
        for (size_t i = 0; i < count; i++) {
            const bool is_gone = strcmp(gone[i], rows[h].name) == 0;
            state->view.hints_left &= ~(is_gone ? 1u << h : 0u);
        }
    }
    arena_free(&arena);
}

void app_hint_used(struct app_state *state, enum view_hint hint)
{
    const unsigned left = state->view.hints_left & ~(1u << hint);
    if (left == state->view.hints_left) {
        return;
    }
    state->view.hints_left = left;
    const char *gone[VIEW_HINTS];
    size_t count = 0;
    for (size_t h = 0; h < VIEW_HINTS; h++) {
        gone[count] = rows[h].name;
        count += (left & 1u << h) == 0;
    }
    if ((state->host & APP_HOST_STORES_SETTINGS) != 0) {
        app_store_lines(FILE_NAME, gone, count);
    }
}

void app_hint_used_command(struct app_state *state, const char *command)
{
    for (size_t h = 0; h < VIEW_HINTS; h++) {
        if (rows[h].command != NULL && strcmp(rows[h].command, command) == 0) {
            app_hint_used(state, (enum view_hint)h);
        }
    }
}

bool app_hints_follow(struct app_state *state, size_t wanted, const struct ui_input *input)
{
    struct view_state *const view = &state->view;
    const size_t shown = view->hint;
    const double since = input->time - state->hint_begins;
    const bool acts = input->pressed != 0 || input->strokes > 0;
    const bool ends = shown != 0 && (shown != wanted || since >= SHOWN || (acts && since >= READ));
    if (!ends && (shown != 0 || wanted == 0)) {
        return false;
    }
    if (ends && since >= READ) {
        app_hint_used(state, (enum view_hint)(shown - 1));
    }
    view->hint = ends ? 0 : wanted;
    state->hint_begins = input->time;
    return true;
}

double app_hints_wake(const struct app_state *state)
{
    return state->view.hint == 0 ? 0 : state->hint_begins + SHOWN;
}
