/* saver save FILE | check FILE …: what tests/app/killed kills. Keeps work aside, then saves it, as
 * the window does; when saving fails it says why and tries once more. check: whether FILE is a
 * whole session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/actions/actions.h"
#include "app/actions/startup.h"
#include "app/open/autosave.h"
#include "app/open/lesson.h"

enum { WHOLE = 0, DAMAGED = 1, REFUSED = 4, SAVED_LATER = 5 };

static int save_session(struct app_state *state, const char *path)
{
    struct error error = {0};
    (void)access("begins.here", F_OK); /* the trace shows where the part that counts begins */
    app_autosave_begin(state, 1);
    app_state_apply(
        state,
        &(struct view_action){.kind = VIEW_ACTION_INSERT, .token = {.at = 0, .text = "tiger"}}, 1);
    app_autosave_flush(state);
    if (state->view.message != NULL) {
        fprintf(stderr, "%s\n", state->view.message);
    }
    if (app_lesson_save(state, path, &error)) {
        return WHOLE;
    }
    fprintf(stderr, "%s\n", error.text);
    return document_is_unsaved(&state->document) && app_lesson_save(state, path, &error)
               ? SAVED_LATER
               : REFUSED;
}

/* The first file must be there; the others may be missing. */
static int check_sessions(struct app_state *state, char **paths, int count)
{
    struct error error = {0};
    int status = WHOLE;
    for (int i = 0; i < count; i++) {
        const bool must = i == 0 || access(paths[i], F_OK) == 0;
        status = must && !app_lesson_read(state, paths[i], 0, &error) ? DAMAGED : status;
    }
    return status;
}

int main(int count, char **words)
{
    struct error error = {0};
    struct app_state *const state = calloc(1, sizeof *state);
    if (count < 3 || state == NULL || !app_state_open(state, "cats", NULL, &error)) {
        return DAMAGED;
    }
    const int status = strcmp(words[1], "save") == 0 ? save_session(state, words[2])
                                                     : check_sessions(state, words + 2, count - 2);
    app_state_close(state);
    free(state);
    return status;
}
