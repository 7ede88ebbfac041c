/* app/open/import_dialog.h — the panel that asks what the arrays of a file are, where neither their
 * names nor their numbers say it: which array, which of its axes, where the tokens are.
 *
 * A preview is computed by a job of its own: all heads stand on the stages only when it is said. */
#ifndef APP_OPEN_IMPORT_DIALOG_H
#define APP_OPEN_IMPORT_DIALOG_H

#include "app/document/state.h"
#include "lab/dump/dump.h"

/* Puts the panel up over a file, with what is asked for so far and why it is asked (""). The list
 * of its arrays is the panel's from then on; NULL: it is read. False: the file cannot be read as
 * arrays at all, and nothing has changed. */
bool app_import_open(struct app_state *state, const char *path, struct lab_dump *list,
                     const struct lab_dump_request *request, const char *why);
void app_import_close(struct app_state *state);

/* Does what the panel actions for (VIEW_ACTION_IMPORT). */
void app_import_apply(struct app_state *state, const struct view_action *action, double time);

/* Once a frame: submits the preview of what is chosen now, where the former is done. */
void app_import_advance(struct app_state *state, double time);

/* Returns whether the preview of what is chosen now is not there yet. */
bool app_import_waits(const struct app_state *state);

#endif
