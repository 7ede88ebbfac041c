/* app/open/autosave.h — nothing is lost: work that is in no file is written aside by itself, and
 * offered when the program starts again. */
#ifndef APP_OPEN_AUTOSAVE_H
#define APP_OPEN_AUTOSAVE_H

#include "app/document/state.h"

struct app_autosave;

/* After so many seconds, or so many edits, what is unsaved is written. */
enum { APP_AUTOSAVE_SECONDS = 8, APP_AUTOSAVE_EDITS = 20, APP_AUTOSAVE_TRIES_MAX = 2 };

/* From now on unsaved work is kept; what a former run left is offered. Where nothing can be kept,
 * the line at the bottom says why. */
void app_autosave_begin(struct app_state *state, double time);

/* Writes when it is time to. Returns the time to be called again; 0: not before the next change. */
double app_autosave_advance(struct app_state *state, double time);

/* Everything unsaved is on the disk when this returns true; what is in a file by now is not kept
 * any longer. For the end, also a sudden one. False: it could not be written. */
bool app_autosave_flush(struct app_state *state);

/* Then: why, as a sentence for the person; it lives as long as the state. */
const char *app_autosave_lack(struct app_state *state);

/* The same, and the place in the folder is free for others. */
void app_autosave_end(struct app_state *state);

/* As if the process ended here and now: what is on the disk stays as it is. */
void app_autosave_abandon(struct app_state *state);

/* What is offered becomes the work, one undo away from what was; or it goes for good. */
void app_autosave_restore(struct app_state *state, double time);
void app_autosave_discard(struct app_state *state, double time);

/* What the strip over the panels asks: what document.asks says, else about kept work. */
void app_autosave_ask(struct app_state *state);

#endif
