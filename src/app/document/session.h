/* app/document/session.h — what is on screen as a session, and the session inside a picture of this
 * program.
 */
#ifndef APP_DOCUMENT_SESSION_H
#define APP_DOCUMENT_SESSION_H

#include "app/draw/scene.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

/* The experiment with all its numbers, stage, selection, camera and theme as a lesson of one step:
 * the text that lab_lesson_parse reads, in one line, a 0 behind it. Owned by the arena. */
bool app_session_text(const struct app_scene *scene, struct arena *arena, struct bytes *text,
                      struct error *error);

/* Returns whether its numbers are few enough to be written beside a picture, or kept aside every
 * few seconds: a layer of a large file of attention would take as text many seconds, and lies on
 * the disk anyway. */
bool app_session_fits(const struct lab_experiment *experiment);

/* Returns whether it would be but for the text that its weights are learned from: a session takes
 * it as it is, and a task can write that aside. */
bool app_session_fits_but_text(const struct lab_experiment *experiment);

/* The text of the lesson or session that a file holds: the file itself, or what a picture was made
 * from (then owned by the arena, and text->at is not file.at). False: it holds none. */
bool app_session_find(struct bytes file, struct arena *arena, struct bytes *text,
                      struct error *error);

#endif
