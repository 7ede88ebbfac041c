/* app/open/autosave.h — work that is in no file is written aside by itself, and offered when the
 * program starts again. */
#ifndef APP_OPEN_AUTOSAVE_H
#define APP_OPEN_AUTOSAVE_H

#include "app/document/state.h"

struct app_autosave;

/* The first change that is not on the disk is written at once, those that follow after so many
 * seconds: however seldom a starved machine comes to look, nothing waits for quiet. Steps that
 * weights learn by themselves are made again where they are lost: they may wait longer. */
enum { APP_AUTOSAVE_SECONDS = 2, APP_AUTOSAVE_STEPS_SECONDS = 8, APP_AUTOSAVE_TRIES_MAX = 2 };

/* From now on unsaved work is kept; what a former run left is offered. Where nothing can be kept,
 * the line at the bottom says why. */
void app_autosave_begin(struct app_state *state, double time);

/* The word that is being typed is kept as if it were finished. text NULL: nothing is typed. */
struct app_autosave_word {
    const char *text;
    size_t at, replaced; /* it is typed before this word, and in the place of so many */
    bool of_keys;        /* it belongs to the words of keys and values */
};
void app_autosave_note_word(struct app_state *state, const struct app_autosave_word *word);

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

/* The offered work becomes the present one, one undo away from what was; or it goes for good. */
void app_autosave_restore(struct app_state *state, double time);
void app_autosave_discard(struct app_state *state, double time);

/* Sets the question of the strip over the panels: the one of document.asks, else about kept work.
 */
void app_autosave_ask(struct app_state *state);

#endif
