/* app/export/export.h — saving what is seen: the choices of the export overlay, its preview, and
 * the files.
 *
 * Everything stands behind state->export, which is made when it is first needed. */
#ifndef APP_EXPORT_EXPORT_H
#define APP_EXPORT_EXPORT_H

#include "app/document/state.h"

/* Opens the overlay with the last choices, or closes it. */
void app_export_open(struct app_state *state, double time);
void app_export_close(struct app_state *state);

/* Saves at once with the last choices, under a name that no file has yet. */
void app_export_now(struct app_state *state, double time);

/* Does what the overlay asks for (VIEW_ACTION_EXPORT). */
void app_export_apply(struct app_state *state, const struct view_action *action, double time);

/* Before the overlay is drawn: what it says and the preview follow the choices and the state. Does
 * nothing while it is closed. */
void app_export_prepare(struct app_state *state);

/* Draws one more picture of an animation. True while there is more to do. */
bool app_export_advance(struct app_state *state, double time);

/* All that stands behind state->export. */
void app_export_free(struct app_state *state);

/* The folder for pictures, into path: ATTNSCOPE_HOME where it is set, XDG_PICTURES_DIR, ~/Pictures,
 * or the working folder. */
void app_export_folder(char *path, size_t size);

/* The file's name without folder, number and suffix: "attnscope-cats-score". */
void app_export_name(const struct app_state *state, char *name, size_t size);

#endif
