/* lab/lesson/display_json.h — how weights are looked at, as a member of a lesson's step. */
#ifndef LAB_LESSON_DISPLAY_JSON_H
#define LAB_LESSON_DISPLAY_JSON_H

#include "lab/experiment/reading.h"
#include "lab/explain/display.h"

/* Reads the object into *shown; places are those of the experiment's words. "renormalise" hides
 * what is set aside by the experiment's mask. Returns false where it is refused. */
bool lab_display_read(struct lab_reading *reading, const struct json *value,
                      struct lab_experiment *experiment, struct lab_display *display);

/* Writes the object: only unusual settings, and the members that were kept
 * (lab_unknown_json_put). */
void lab_display_put(struct json_writer *json, const struct lab_display *display,
                     const struct lab_experiment *experiment, const char *kept);

/* Return the names of the ways to colour weights, and to draw scores, by their places. NULL behind
 * the last. */
const char *lab_colours_name(size_t index); /* linear log */
const char *lab_marks_name(size_t index);   /* squares discs */

#endif
